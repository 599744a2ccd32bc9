//! Tokens.

use super::common::scope;
use crate::wire::Integer;
use crate::wire::payload::payload;

payload! {
    /// The tokens that a conversation has taken so far.
    pub struct TokenUpdate = "PollingTokenUpdateData", open with scope {
        /// The input tokens of all requests so far.
        expected cumulative_input_tokens: Integer = "cumulative_input_tokens",
        /// The output tokens of all requests so far.
        expected cumulative_output_tokens: Integer = "cumulative_output_tokens",
        /// The sum of both.
        expected cumulative_total_tokens: Integer = "cumulative_total_tokens",
        /// The input tokens that the provider had cached.
        expected cumulative_cached_input_tokens: Integer = "cumulative_cached_input_tokens",
        /// The input tokens that could not be cached.
        expected cache_exempt_input_tokens: Integer = "cache_exempt_input_tokens",
        /// The tokens of the context as it is now.
        expected current_context_tokens: Integer = "current_context_tokens",
        /// When they were counted, ISO 8601 without an offset.
        expected updated_at: String = "updated_at",
    }
}

impl TokenUpdate {
    /// `updated_at` as a time, if it is one without an offset.
    ///
    /// Since 0.1.0. Source: task API §5.4.
    #[cfg(feature = "chrono")]
    pub fn updated_at_time(&self) -> Option<chrono::NaiveDateTime> {
        self.updated_at.as_deref()?.parse().ok()
    }
}
