//! The cost of a run by a price list.

/// A row of the price list. Prices are per token, in the currency of the list.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
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

impl PricingTier {
    /// A row for prompts of any length, without a price of its own for cached tokens.
    pub const fn new(input_cost_per_token: f64, output_cost_per_token: f64) -> Self {
        Self { max_prompt_tokens: None, input_cost_per_token, output_cost_per_token, cache_hit_cost_per_token: None }
    }

    /// Limits the row to prompts of so many tokens.
    #[must_use]
    pub const fn with_max_prompt_tokens(mut self, tokens: u64) -> Self {
        self.max_prompt_tokens = Some(tokens);
        self
    }

    /// Sets the price of a cached token.
    #[must_use]
    pub const fn with_cache_hit_cost(mut self, cost_per_token: f64) -> Self {
        self.cache_hit_cost_per_token = Some(cost_per_token);
        self
    }
}

/// The cost by the price list; `None` if the list is empty. `prompt`, `cached` (of the
/// prompt) and `completion` are tokens.
///
/// The row is that of the smallest `max_prompt_tokens` that the prompt does not exceed. What
/// the contract leaves open is decided so: a prompt beyond every row is charged by the row
/// that goes furthest; more cached tokens than the prompt has count as the whole prompt;
/// nothing is rounded.
///
/// ```
/// use agent_contracts::social_app::{PricingTier, catalog_cost};
///
/// let row = |tokens, input| PricingTier::new(input, 6.0).with_max_prompt_tokens(tokens).with_cache_hit_cost(0.5);
/// let tiers = [row(1000, 2.0), row(8000, 4.0)];
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
