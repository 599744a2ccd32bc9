//! What a run used and what it costs: from the provider's records to the answer's summary.

mod catalog;
mod provider;
mod summary;

pub use catalog::{PricingTier, catalog_cost};
pub use provider::{CallUsage, CompletionTokensDetails, Given, PromptTokensDetails, ProviderUsage, UsageMetadata};
pub use summary::{CostEvidence, UsageSummary};
