//! What all model calls of a run used, and where its cost comes from.

use serde::Deserialize;
use serde::de::Error as _;

use super::super::events::names::CostSource;
use super::super::events::text::TextMessageEnd;
use super::catalog::{PricingTier, catalog_cost};
use super::provider::{ProviderUsage, is_cost};
use crate::wire::{Error, JsonObject, Nullable, Number};

/// What all model calls of a run used: `usage_summary`.
///
/// ```
/// use agent_contracts::social_app::{CostSource, ProviderUsage, UsageSummary};
///
/// let call = r#"{"input_tokens":100,"output_tokens":20,"time":1.5,"total_tokens":null,
///     "metadata":{"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40}}}"#;
/// let mut summary = UsageSummary::default();
/// summary.add(Some(&ProviderUsage::from_json(call)?));
/// assert_eq!((summary.total_tokens, summary.cached_prompt_tokens, summary.latency_ms), (120, Some(40), 1500));
/// assert_eq!(summary.wire_cost_source(), CostSource::CatalogFallback);
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// What it writes it reads again; members that are absent count as those of no call.
///
/// Since 0.1.0. Source: v1 §5.3. What it leaves open is decided so: the latency is
/// rounded to a millisecond at the end; a count that is not an integer from 0 counts as
/// not given.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
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
    /// The tokens of the prompts that were in the cache; `None` if no call says, as with the
    /// three below.
    pub cached_prompt_tokens: Option<u64>,
    /// The same, as DeepSeek counts it.
    pub prompt_cache_hit_tokens: Option<u64>,
    /// The tokens of the prompts that were not in the cache.
    pub prompt_cache_miss_tokens: Option<u64>,
    /// The tokens of reasoning.
    pub reasoning_tokens: Option<u64>,
    /// The sum of the costs that providers gave.
    #[serde(deserialize_with = "to_double")]
    pub direct_cost: f64,
    /// Whether any call has given a cost; 0 or 1 on the wire.
    #[serde(serialize_with = "as_digit", deserialize_with = "from_digit")]
    pub direct_cost_observed: bool,
    /// Whether every call has given a valid cost; 0 or 1 on the wire.
    #[serde(serialize_with = "as_digit", deserialize_with = "from_digit")]
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
    seconds: Seconds,
}

/// The latency before it is rounded, which is no part of what a summary says.
#[derive(Clone, Copy, Debug, Default)]
struct Seconds(f64);

impl Seconds {
    fn in_milliseconds(self) -> u64 {
        (self.0 * 1000.0).round() as u64
    }
}

impl PartialEq for Seconds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Default for UsageSummary {
    /// The summary of no call.
    fn default() -> Self {
        Self {
            input_tokens: 0,
            output_tokens: 0,
            total_tokens: 0,
            latency_ms: 0,
            cached_prompt_tokens: None,
            prompt_cache_hit_tokens: None,
            prompt_cache_miss_tokens: None,
            reasoning_tokens: None,
            direct_cost: 0.0,
            direct_cost_observed: false,
            direct_cost_complete: false,
            model_call_records: 0,
            usage_records: 0,
            direct_cost_records: 0,
            cost_source: CostSource::CatalogFallback,
            seconds: Seconds::default(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn as_digit<S: serde::Serializer>(flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8((*flag).into())
}

fn from_digit<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match u8::deserialize(deserializer)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(D::Error::custom("a flag is 0 or 1")),
    }
}

/// The nearest double, which is the one that was written.
fn to_double<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Number::deserialize(deserializer).map(|number| number.as_f64())
}

impl UsageSummary {
    /// Reads JSON text, such as what was written of a summary.
    ///
    /// # Errors
    /// When the text is no JSON object, or a member is of another type.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        crate::wire::decode::from_json::<JsonObject>(text)?.to()
    }

    /// Adds a model call; `None` if it has told nothing of its usage.
    pub fn add(&mut self, usage: Option<&ProviderUsage>) {
        self.model_call_records += 1;
        if let Some(call) = usage.map(ProviderUsage::normalize) {
            self.usage_records += 1;
            let sum = |total: &mut u64, more: Option<u64>| *total = total.saturating_add(more.unwrap_or(0));
            sum(&mut self.input_tokens, call.input_tokens);
            sum(&mut self.output_tokens, call.output_tokens);
            sum(&mut self.total_tokens, call.total_tokens);
            let sum_given = |total: &mut Option<u64>, more: Option<u64>| {
                if let Some(more) = more {
                    *total = Some(total.unwrap_or(0).saturating_add(more));
                }
            };
            sum_given(&mut self.cached_prompt_tokens, call.cached_prompt_tokens);
            sum_given(&mut self.prompt_cache_hit_tokens, call.prompt_cache_hit_tokens);
            sum_given(&mut self.prompt_cache_miss_tokens, call.prompt_cache_miss_tokens);
            sum_given(&mut self.reasoning_tokens, call.reasoning_tokens);
            if self.seconds.in_milliseconds() != self.latency_ms {
                // The summary was read, or set by hand: what it says counts.
                self.seconds = Seconds(self.latency_ms as f64 / 1000.0);
            }
            self.seconds.0 += call.time.unwrap_or(0.0);
            self.latency_ms = self.seconds.in_milliseconds();
            self.direct_cost_observed |= call.cost_observed;
            if let Some(cost) = call.cost {
                self.direct_cost_records += 1;
                // JSON has no infinity.
                self.direct_cost = (self.direct_cost + cost).min(f64::MAX);
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

    /// The cost: the provider's if it can be used, else that of the price list for the sums
    /// of all calls. `None` if neither is there.
    ///
    /// The row of the list is that of the sum as well, since the summary is what the
    /// contract charges by.
    pub fn cost(&self, catalog: &[PricingTier]) -> Option<f64> {
        let cached = self.cached_prompt_tokens.unwrap_or(0);
        match self.wire_cost_source() {
            CostSource::Provider => Some(self.direct_cost),
            _ => catalog_cost(catalog, self.input_tokens, cached, self.output_tokens),
        }
    }

    /// Puts the part that clients may see into the answer. Counts that no call gave are
    /// left out, that of reasoning is null then.
    pub fn write_to(&self, text: &mut TextMessageEnd) {
        let number = Number::of_count;
        text.total_tokens = Some(number(self.total_tokens));
        text.cached_prompt_tokens = self.cached_prompt_tokens.map(number);
        text.prompt_cache_hit_tokens = self.prompt_cache_hit_tokens.map(number);
        text.prompt_cache_miss_tokens = self.prompt_cache_miss_tokens.map(number);
        text.reasoning_tokens = Some(self.reasoning_tokens.map_or(Nullable::Null, |count| number(count).into()));
        text.cost_source = Some(self.wire_cost_source());
        text.usage_complete = Some(self.usage_complete());
    }
}

/// What the source of a cost is decided by.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_is_written_is_read() {
        let call =
            ProviderUsage::from_json(r#"{"input_tokens":5,"output_tokens":1,"time":0.2504,"cost":0.5}"#).unwrap();
        let mut summary = UsageSummary::default();
        summary.add(Some(&call));
        let text = serde_json::to_string(&summary).unwrap();
        let mut read = UsageSummary::from_json(&text).unwrap();
        assert_eq!(read, summary);
        read.add(Some(&call));
        assert_eq!((read.latency_ms, read.input_tokens, read.direct_cost_complete), (500, 10, true));
        assert!(UsageSummary::from_json(r#"{"direct_cost_observed":2}"#).is_err());
        assert_eq!(UsageSummary::from_json("{}").unwrap(), UsageSummary::default());
        assert!(UsageSummary::from_json("[5]").is_err());
        for cost in [0.1 + 0.2, 0.004_359_283_752_917_63, f64::MIN_POSITIVE, f64::MAX] {
            let summary = UsageSummary { direct_cost: cost, ..UsageSummary::default() };
            assert_eq!(UsageSummary::from_json(&serde_json::to_string(&summary).unwrap()).unwrap(), summary);
        }
        let dear = ProviderUsage::from_json(r#"{"cost":1.7e308}"#).unwrap();
        let mut sum = UsageSummary::default();
        (0..2).for_each(|_| sum.add(Some(&dear)));
        assert_eq!(UsageSummary::from_json(&serde_json::to_string(&sum).unwrap()).unwrap(), sum);
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
