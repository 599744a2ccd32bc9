//! What a provider says of one model call.

use crate::wire::decode::{Decode, Outcome};
use crate::wire::payload::payload;
use crate::wire::scan::Cursor;
use crate::wire::{Json, Number};

/// A member of a provider's record. One of another type than it should be makes the record
/// no less readable: it counts as not given.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Given<T> {
    /// What the member should be.
    Value(T),
    /// Null, or a value of another type, kept as it came.
    Other(Json),
}

impl<T> Given<T> {
    /// The value, if it is what it should be.
    pub const fn as_option(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Other(_) => None,
        }
    }
}

impl<T> From<T> for Given<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Decode> Decode for Given<T> {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        let before = *cursor;
        if let Ok(value) = T::decode(cursor) {
            return Ok(Self::Value(value));
        }
        *cursor = before;
        Json::decode(cursor).map(Self::Other)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Given<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Given{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let value = generator.subschema_for::<T>();
        schemars::json_schema!({"anyOf": [value, {}]})
    }
}

payload! {
    /// What a provider says of one model call.
    pub struct ProviderUsage = "SocialAppProviderUsage", open {
        /// The tokens of the prompt.
        optional input_tokens: Given<Number> = "input_tokens",
        /// The tokens of the answer.
        optional output_tokens: Given<Number> = "output_tokens",
        /// All tokens; often absent here and given in the metadata.
        optional total_tokens: Given<Number> = "total_tokens",
        /// How long the call took, in seconds.
        optional time: Given<Number> = "time",
        /// The cost.
        optional cost: Given<Number> = "cost",
        /// What the provider's own answer says; it fills what is missing above.
        optional metadata: Given<UsageMetadata> = "metadata",
    }
}

payload! {
    /// The usage in a provider's own answer.
    pub struct UsageMetadata = "SocialAppUsageMetadata", open {
        /// The tokens of the prompt.
        optional prompt_tokens: Given<Number> = "prompt_tokens",
        /// The tokens of the answer, those of reasoning among them.
        optional completion_tokens: Given<Number> = "completion_tokens",
        /// All tokens.
        optional total_tokens: Given<Number> = "total_tokens",
        /// More about the prompt.
        optional prompt_tokens_details: Given<PromptTokensDetails> = "prompt_tokens_details",
        /// The tokens of the prompt that were in the cache.
        optional prompt_cache_hit_tokens: Given<Number> = "prompt_cache_hit_tokens",
        /// The tokens of the prompt that were not.
        optional prompt_cache_miss_tokens: Given<Number> = "prompt_cache_miss_tokens",
        /// More about the answer.
        optional completion_tokens_details: Given<CompletionTokensDetails> = "completion_tokens_details",
        /// The cost.
        optional cost: Given<Number> = "cost",
        /// The cost by another name.
        optional total_cost: Given<Number> = "total_cost",
    }
}

payload! {
    /// More about the tokens of a prompt.
    pub struct PromptTokensDetails = "SocialAppPromptTokensDetails", open {
        /// Those that were in the cache.
        optional cached_tokens: Given<Number> = "cached_tokens",
    }
}

payload! {
    /// More about the tokens of an answer.
    pub struct CompletionTokensDetails = "SocialAppCompletionTokensDetails", open {
        /// Those of reasoning; some providers give null.
        optional reasoning_tokens: Given<Number> = "reasoning_tokens",
    }
}

#[allow(clippy::ref_option, reason = "members are what they are")]
fn value<T>(given: &Option<Given<T>>) -> Option<&T> {
    given.as_ref().and_then(Given::as_option)
}

/// A count of tokens: an integer from 0. Anything else counts as not given.
#[allow(clippy::ref_option, reason = "members are what they are")]
fn count(given: &Option<Given<Number>>) -> Option<u64> {
    value(given)?.as_u64()
}

/// What one model call used: the direct fields first, the metadata where they say nothing.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CallUsage {
    /// The tokens of the prompt.
    pub input_tokens: Option<u64>,
    /// The tokens of the answer.
    pub output_tokens: Option<u64>,
    /// All tokens; where nothing says so, the sum of the two.
    pub total_tokens: Option<u64>,
    /// How long the call took, in seconds.
    pub time: Option<f64>,
    /// The tokens of the prompt that were in the cache.
    pub cached_prompt_tokens: Option<u64>,
    /// The same, as DeepSeek counts it.
    pub prompt_cache_hit_tokens: Option<u64>,
    /// The tokens of the prompt that were not in the cache.
    pub prompt_cache_miss_tokens: Option<u64>,
    /// The tokens of reasoning.
    pub reasoning_tokens: Option<u64>,
    /// The cost, if it is a number from 0.
    pub cost: Option<f64>,
    /// Whether any cost was given, valid or not.
    pub cost_observed: bool,
}

impl ProviderUsage {
    /// What the call used.
    pub fn normalize(&self) -> CallUsage {
        let metadata = value(&self.metadata);
        let filled = |direct: &Option<Given<Number>>, other: fn(&UsageMetadata) -> &Option<Given<Number>>| {
            count(direct).or_else(|| count(other(metadata?)))
        };
        let input = filled(&self.input_tokens, |metadata| &metadata.prompt_tokens);
        let output = filled(&self.output_tokens, |metadata| &metadata.completion_tokens);
        let costs = [
            value(&self.cost),
            metadata.and_then(|metadata| value(&metadata.cost)),
            metadata.and_then(|metadata| value(&metadata.total_cost)),
        ];
        let mut costs = costs.into_iter().flatten().map(Number::as_f64);
        CallUsage {
            input_tokens: input,
            output_tokens: output,
            total_tokens: filled(&self.total_tokens, |metadata| &metadata.total_tokens)
                .or_else(|| input?.checked_add(output?)),
            time: value(&self.time).map(Number::as_f64).filter(|time| time.is_finite() && *time >= 0.0),
            cached_prompt_tokens: metadata
                .and_then(|metadata| count(&value(&metadata.prompt_tokens_details)?.cached_tokens)),
            prompt_cache_hit_tokens: metadata.and_then(|metadata| count(&metadata.prompt_cache_hit_tokens)),
            prompt_cache_miss_tokens: metadata.and_then(|metadata| count(&metadata.prompt_cache_miss_tokens)),
            reasoning_tokens: metadata
                .and_then(|metadata| count(&value(&metadata.completion_tokens_details)?.reasoning_tokens)),
            cost_observed: costs.clone().next().is_some(),
            cost: costs.find(|cost| is_cost(*cost)),
        }
    }
}

pub(super) fn is_cost(cost: f64) -> bool {
    cost.is_finite() && cost >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direct_fields_come_first() {
        for (text, input, total, cost) in [
            (r#"{"input_tokens":1,"metadata":{"prompt_tokens":2}}"#, Some(1), None, (None, false)),
            (r#"{"input_tokens":0,"metadata":{"prompt_tokens":2}}"#, Some(0), None, (None, false)),
            (
                r#"{"input_tokens":null,"output_tokens":3,"metadata":{"prompt_tokens":2}}"#,
                Some(2),
                Some(5),
                (None, false),
            ),
            (r#"{"input_tokens":1.5,"metadata":{"prompt_tokens":2}}"#, Some(2), None, (None, false)),
            (r#"{"total_tokens":9,"metadata":{"total_tokens":8}}"#, None, Some(9), (None, false)),
            (r#"{"metadata":{"total_tokens":8,"total_cost":0.5}}"#, None, Some(8), (Some(0.5), true)),
            (r#"{"cost":0.1,"metadata":{"cost":0.2}}"#, None, None, (Some(0.1), true)),
            (r#"{"cost":-1,"metadata":{"cost":0.2}}"#, None, None, (Some(0.2), true)),
            (r#"{"cost":-1,"metadata":null}"#, None, None, (None, true)),
            // A member of another type counts as not given, and spoils nothing else.
            (r#"{"input_tokens":"7","cost":"0.1","metadata":{"prompt_tokens":2}}"#, Some(2), None, (None, false)),
            (r#"{"input_tokens":1,"metadata":{"prompt_tokens":[],"total_tokens":8}}"#, Some(1), Some(8), (None, false)),
            (r#"{"input_tokens":1,"metadata":"none"}"#, Some(1), None, (None, false)),
        ] {
            let call = ProviderUsage::from_json(text).unwrap().normalize();
            assert_eq!(
                (call.input_tokens, call.total_tokens, (call.cost, call.cost_observed)),
                (input, total, cost),
                "{text}"
            );
        }
    }
}
