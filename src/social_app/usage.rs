//! What a run used and what it costs: from the provider's records to the answer's summary.

use super::text::TextMessageEnd;
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::{Nullable, Number};

string_enum! {
    open
    /// Where the cost of a run comes from.
    pub enum CostSource {
        /// From the provider, which gave it for every call.
        Provider = "provider",
        /// From the price list; the provider gave none.
        CatalogFallback = "catalog_fallback",
        /// From the price list; the provider gave it for some calls only.
        CatalogFallbackIncompleteProviderCost = "catalog_fallback_incomplete_provider_cost",
        /// From the price list, and too low: some calls have no usage at all.
        IncompleteUsageFallback = "incomplete_usage_fallback",
    }
}

payload! {
    /// What a provider says of one model call.
    pub struct ProviderUsage = "SocialAppProviderUsage", open {
        /// The tokens of the prompt.
        optional input_tokens: Nullable<Number> = "input_tokens",
        /// The tokens of the answer.
        optional output_tokens: Nullable<Number> = "output_tokens",
        /// All tokens; often absent here and given in the metadata.
        optional total_tokens: Nullable<Number> = "total_tokens",
        /// How long the call took, in seconds.
        optional time: Nullable<Number> = "time",
        /// The cost.
        optional cost: Nullable<Number> = "cost",
        /// What the provider's own answer says; it fills what is missing above.
        optional metadata: Nullable<UsageMetadata> = "metadata",
    }
}

payload! {
    /// The usage in a provider's own answer.
    pub struct UsageMetadata = "SocialAppUsageMetadata", open {
        /// The tokens of the prompt.
        optional prompt_tokens: Nullable<Number> = "prompt_tokens",
        /// The tokens of the answer, those of reasoning among them.
        optional completion_tokens: Nullable<Number> = "completion_tokens",
        /// All tokens.
        optional total_tokens: Nullable<Number> = "total_tokens",
        /// More about the prompt.
        optional prompt_tokens_details: Nullable<PromptTokensDetails> = "prompt_tokens_details",
        /// The tokens of the prompt that were in the cache.
        optional prompt_cache_hit_tokens: Nullable<Number> = "prompt_cache_hit_tokens",
        /// The tokens of the prompt that were not.
        optional prompt_cache_miss_tokens: Nullable<Number> = "prompt_cache_miss_tokens",
        /// More about the answer.
        optional completion_tokens_details: Nullable<CompletionTokensDetails> = "completion_tokens_details",
        /// The cost.
        optional cost: Nullable<Number> = "cost",
        /// The cost by another name.
        optional total_cost: Nullable<Number> = "total_cost",
    }
}

payload! {
    /// More about the tokens of a prompt.
    pub struct PromptTokensDetails = "SocialAppPromptTokensDetails", open {
        /// Those that were in the cache.
        optional cached_tokens: Nullable<Number> = "cached_tokens",
    }
}

payload! {
    /// More about the tokens of an answer.
    pub struct CompletionTokensDetails = "SocialAppCompletionTokensDetails", open {
        /// Those of reasoning; some providers give null.
        optional reasoning_tokens: Nullable<Number> = "reasoning_tokens",
    }
}

/// A member of a provider's record, absent or null where it says nothing.
type Given<T> = Option<Nullable<T>>;

#[allow(clippy::ref_option, reason = "members are what they are")]
fn value<T>(given: &Given<T>) -> Option<&T> {
    given.as_ref().and_then(Nullable::as_option)
}

/// A count of tokens: an integer from 0. Anything else counts as not given.
#[allow(clippy::ref_option, reason = "members are what they are")]
fn count(given: &Given<Number>) -> Option<u64> {
    let number = value(given)?.as_f64();
    (number >= 0.0 && number.fract() == 0.0 && number <= 9_007_199_254_740_991.0).then_some(number as u64)
}

/// What one model call used: the direct fields first, the metadata where they say nothing.
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
        let filled = |direct: &Given<Number>, other: fn(&UsageMetadata) -> &Given<Number>| {
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

fn is_cost(cost: f64) -> bool {
    cost.is_finite() && cost >= 0.0
}

/// What all model calls of a run used: `usage_summary`.
///
/// ```
/// use agent_contracts::social_app::{CostSource, ProviderUsage, UsageSummary};
///
/// let call = r#"{"input_tokens":100,"output_tokens":20,"time":1.5,"total_tokens":null,
///     "metadata":{"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40}}}"#;
/// let mut summary = UsageSummary::default();
/// summary.add(Some(&ProviderUsage::from_json(call)?));
/// assert_eq!((summary.total_tokens, summary.cached_prompt_tokens, summary.latency_ms), (120, 40, 1500));
/// assert_eq!(summary.wire_cost_source(), CostSource::CatalogFallback);
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: v1 §5.3. What it leaves open is decided so: the latency is
/// rounded to a millisecond at the end; a count that is not an integer from 0 counts as
/// not given.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct UsageSummary {
    /// The tokens of the prompts.
    pub input_tokens: u64,
    /// The tokens of the answers.
    pub output_tokens: u64,
    /// All tokens.
    pub total_tokens: u64,
    /// How long the calls took, in milliseconds.
    pub latency_ms: u64,
    /// The tokens of the prompts that were in the cache.
    pub cached_prompt_tokens: u64,
    /// The same, as DeepSeek counts it.
    pub prompt_cache_hit_tokens: u64,
    /// The tokens of the prompts that were not in the cache.
    pub prompt_cache_miss_tokens: u64,
    /// The tokens of reasoning; `None` if no call says.
    pub reasoning_tokens: Option<u64>,
    /// The sum of the costs that providers gave.
    pub direct_cost: f64,
    /// Whether any call has given a cost; 0 or 1 on the wire.
    #[serde(serialize_with = "as_digit")]
    pub direct_cost_observed: bool,
    /// Whether every call has given a valid cost; 0 or 1 on the wire.
    #[serde(serialize_with = "as_digit")]
    pub direct_cost_complete: bool,
    /// How many calls were made.
    pub model_call_records: u64,
    /// How many of them have told their usage.
    pub usage_records: u64,
    /// How many of them have told their cost.
    pub direct_cost_records: u64,
    /// `provider` if every call has told its cost, else `catalog_fallback`. The answer says
    /// more: [`wire_cost_source`](Self::wire_cost_source).
    pub cost_source: CostSource,
    #[serde(skip)]
    seconds: f64,
}

impl Default for UsageSummary {
    /// The summary of no call.
    fn default() -> Self {
        Self {
            input_tokens: 0,
            output_tokens: 0,
            total_tokens: 0,
            latency_ms: 0,
            cached_prompt_tokens: 0,
            prompt_cache_hit_tokens: 0,
            prompt_cache_miss_tokens: 0,
            reasoning_tokens: None,
            direct_cost: 0.0,
            direct_cost_observed: false,
            direct_cost_complete: false,
            model_call_records: 0,
            usage_records: 0,
            direct_cost_records: 0,
            cost_source: CostSource::CatalogFallback,
            seconds: 0.0,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn as_digit<S: serde::Serializer>(flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8((*flag).into())
}

impl UsageSummary {
    /// Adds a model call; `None` if it has told nothing of its usage.
    pub fn add(&mut self, usage: Option<&ProviderUsage>) {
        self.model_call_records += 1;
        if let Some(call) = usage.map(ProviderUsage::normalize) {
            self.usage_records += 1;
            let sum = |total: &mut u64, more: Option<u64>| *total = total.saturating_add(more.unwrap_or(0));
            sum(&mut self.input_tokens, call.input_tokens);
            sum(&mut self.output_tokens, call.output_tokens);
            sum(&mut self.total_tokens, call.total_tokens);
            sum(&mut self.cached_prompt_tokens, call.cached_prompt_tokens);
            sum(&mut self.prompt_cache_hit_tokens, call.prompt_cache_hit_tokens);
            sum(&mut self.prompt_cache_miss_tokens, call.prompt_cache_miss_tokens);
            if let Some(more) = call.reasoning_tokens {
                self.reasoning_tokens = Some(self.reasoning_tokens.unwrap_or(0).saturating_add(more));
            }
            self.seconds += call.time.unwrap_or(0.0);
            self.latency_ms = (self.seconds * 1000.0).round() as u64;
            self.direct_cost_observed |= call.cost_observed;
            if let Some(cost) = call.cost {
                self.direct_cost_records += 1;
                self.direct_cost += cost;
            }
        }
        self.direct_cost_complete = self.direct_cost_records == self.model_call_records;
        self.cost_source = match self.wire_cost_source() {
            CostSource::Provider => CostSource::Provider,
            _ => CostSource::CatalogFallback,
        };
    }

    /// Whether every model call has told its usage.
    pub const fn usage_complete(&self) -> bool {
        self.model_call_records == self.usage_records
    }

    /// Where the cost comes from: `costSource` of the answer.
    pub fn wire_cost_source(&self) -> CostSource {
        CostEvidence {
            model_call_records: self.model_call_records,
            usage_records: self.usage_records,
            direct_cost_observed: self.direct_cost_observed,
            direct_cost_complete: self.direct_cost_complete,
            direct_cost: Some(self.direct_cost),
        }
        .source()
    }

    /// The cost: the provider's if it can be used, else that of the price list.
    /// `None` if neither is there.
    pub fn cost(&self, catalog: &[PricingTier]) -> Option<f64> {
        match self.cost_source {
            CostSource::Provider => Some(self.direct_cost),
            _ => catalog_cost(catalog, self.input_tokens, self.cached_prompt_tokens, self.output_tokens),
        }
    }

    /// Puts the part that clients may see into the answer.
    pub fn write_to(&self, text: &mut TextMessageEnd) {
        let number = Number::of_count;
        text.total_tokens = Some(number(self.total_tokens));
        text.cached_prompt_tokens = Some(number(self.cached_prompt_tokens));
        text.prompt_cache_hit_tokens = Some(number(self.prompt_cache_hit_tokens));
        text.prompt_cache_miss_tokens = Some(number(self.prompt_cache_miss_tokens));
        text.reasoning_tokens = Some(self.reasoning_tokens.map_or(Nullable::Null, |count| number(count).into()));
        text.cost_source = Some(self.wire_cost_source());
        text.usage_complete = Some(self.usage_complete());
    }
}

/// What the source of a cost is decided by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostEvidence {
    /// How many calls were made.
    pub model_call_records: u64,
    /// How many of them have told their usage.
    pub usage_records: u64,
    /// Whether any call has given a cost.
    pub direct_cost_observed: bool,
    /// Whether every call has.
    pub direct_cost_complete: bool,
    /// The sum of the costs that were given.
    pub direct_cost: Option<f64>,
}

impl CostEvidence {
    /// The source: the provider if all usage and all costs are there and the sum is a
    /// number from 0, else the price list.
    ///
    /// Of the reasons for the price list, missing usage is named before missing costs,
    /// since it makes the cost itself wrong. A sum that is no cost is as good as none.
    ///
    /// Since 0.1.0. Source: v1 §5.4 and §5.6.
    pub fn source(&self) -> CostSource {
        let usage_complete = self.model_call_records == self.usage_records;
        let usable = self.direct_cost.is_some_and(is_cost);
        match (usage_complete, self.direct_cost_observed, self.direct_cost_complete) {
            (false, ..) => CostSource::IncompleteUsageFallback,
            (true, true, true) if usable => CostSource::Provider,
            (true, true, false) => CostSource::CatalogFallbackIncompleteProviderCost,
            _ => CostSource::CatalogFallback,
        }
    }
}

/// A row of the price list. Prices are per token, in the currency of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PricingTier {
    /// The longest prompt that the row is for; `None` for any.
    #[serde(default)]
    pub max_prompt_tokens: Option<u64>,
    /// For a token of the prompt.
    pub input_cost_per_token: f64,
    /// For a token of the answer, reasoning among them.
    pub output_cost_per_token: f64,
    /// For a token of the prompt that was in the cache. Unless it is above 0, such a
    /// token costs as much as any other.
    #[serde(default)]
    pub cache_hit_cost_per_token: Option<f64>,
}

/// The cost of a call by the price list; `None` if the list is empty.
///
/// The row is that of the smallest `max_prompt_tokens` that the prompt does not exceed. What
/// the contract leaves open is decided so: a prompt beyond every row is charged by the row
/// that goes furthest; more cached tokens than the prompt has count as the whole prompt;
/// nothing is rounded.
///
/// ```
/// use agent_contracts::social_app::{PricingTier, catalog_cost};
///
/// let tier = |max_prompt_tokens, input_cost_per_token| PricingTier {
///     max_prompt_tokens,
///     input_cost_per_token,
///     output_cost_per_token: 6.0,
///     cache_hit_cost_per_token: Some(0.5),
/// };
/// let tiers = [tier(Some(1000), 2.0), tier(Some(8000), 4.0)];
/// assert_eq!(catalog_cost(&tiers, 1000, 400, 100), Some(2000.0));
/// assert_eq!(catalog_cost(&tiers, 1001, 0, 0), Some(4004.0));
/// assert_eq!(catalog_cost(&tiers, 10_000, 0, 0), Some(40_000.0), "beyond every row");
/// assert_eq!(catalog_cost(&tiers, 10, 400, 0), Some(5.0), "more cached than there are");
/// ```
///
/// Since 0.1.0. Source: v1 §5.5.
pub fn catalog_cost(tiers: &[PricingTier], prompt: u64, cached: u64, completion: u64) -> Option<f64> {
    let reach = |tier: &&PricingTier| tier.max_prompt_tokens.unwrap_or(u64::MAX);
    let tier = tiers.iter().filter(|tier| prompt <= reach(tier)).min_by_key(reach);
    let tier = tier.or_else(|| tiers.iter().max_by_key(reach))?;
    let cached = cached.min(prompt);
    let cached_rate = tier.cache_hit_cost_per_token.filter(|rate| *rate > 0.0).unwrap_or(tier.input_cost_per_token);
    Some(
        (prompt - cached) as f64 * tier.input_cost_per_token
            + cached as f64 * cached_rate
            + completion as f64 * tier.output_cost_per_token,
    )
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
        ] {
            let call = ProviderUsage::from_json(text).unwrap().normalize();
            assert_eq!(
                (call.input_tokens, call.total_tokens, (call.cost, call.cost_observed)),
                (input, total, cost),
                "{text}"
            );
        }
    }

    #[test]
    fn providers_as_observed() {
        let deepseek = r#"{"input_tokens":100,"output_tokens":10,"time":0.25,"metadata":{"total_tokens":110,
            "prompt_tokens_details":{"cached_tokens":64},"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}}"#;
        let dashscope = r#"{"input_tokens":50,"output_tokens":5,"time":0.2501,"metadata":{"total_tokens":55,
            "completion_tokens_details":{"reasoning_tokens":null}}}"#;
        let mut summary = UsageSummary::default();
        for text in [deepseek, dashscope] {
            summary.add(Some(&ProviderUsage::from_json(text).unwrap()));
        }
        assert_eq!(
            serde_json::to_value(&summary).unwrap(),
            serde_json::json!({
                "input_tokens": 150, "output_tokens": 15, "total_tokens": 165, "latency_ms": 500,
                "cached_prompt_tokens": 64, "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36,
                "reasoning_tokens": null, "direct_cost": 0.0, "direct_cost_observed": 0, "direct_cost_complete": 0,
                "model_call_records": 2, "usage_records": 2, "direct_cost_records": 0, "cost_source": "catalog_fallback",
            }),
        );
        assert_eq!(summary.wire_cost_source(), CostSource::CatalogFallback);
        assert_eq!(summary.cost(&[]), None);
    }

    #[test]
    fn the_source_of_the_cost() {
        let cost = ProviderUsage::from_json(r#"{"cost":0.25}"#).unwrap();
        let none = ProviderUsage::from_json("{}").unwrap();
        for (calls, source) in [
            (&[Some(&cost), Some(&cost)][..], CostSource::Provider),
            (&[Some(&cost), Some(&none)], CostSource::CatalogFallbackIncompleteProviderCost),
            (&[Some(&none), Some(&none)], CostSource::CatalogFallback),
            (&[Some(&cost), None], CostSource::IncompleteUsageFallback),
            (&[None], CostSource::IncompleteUsageFallback),
            (&[], CostSource::CatalogFallback),
        ] {
            let mut summary = UsageSummary::default();
            for call in calls {
                summary.add(*call);
            }
            assert_eq!(summary.wire_cost_source(), source, "{calls:?}");
        }
        let invalid = CostEvidence {
            direct_cost_observed: true,
            direct_cost_complete: true,
            direct_cost: Some(-1.0),
            ..CostEvidence::default()
        };
        assert_eq!(invalid.source(), CostSource::CatalogFallback);
    }
}
