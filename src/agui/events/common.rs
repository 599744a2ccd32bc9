//! The members that every event may have.

use crate::wire::payload::common_members;

common_members! { $ base {
        /// When the event was made, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: crate::wire::SafeInteger = "timestamp",
        /// The event of the underlying system, unchanged. Never null.
        optional raw_event: crate::wire::NonNullJson = "rawEvent",
        /// Further data, an object of any members; never null.
        optional metadata: crate::wire::JsonObject = "metadata",
} }

common_members! { $ attributed with [crate::agui::events::common::base] {
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: crate::agui::SubagentRunId = "subagentRunId",
} }
