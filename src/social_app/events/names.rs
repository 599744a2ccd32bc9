//! Steps, stages, status words, roles and sources of cost.

use crate::wire::names::string_enum;

string_enum! {
    open
    /// A step of the pipeline.
    pub enum StepName {
        /// Chooses what the worker may do.
        Router = "router",
        /// Does the work.
        Worker = "worker",
        /// Keeps what is to be remembered; published in March 2026 only.
        Memory = "memory",
    }
}

string_enum! {
    open
    /// The stage of the pipeline that an event comes from.
    pub enum Stage {
        /// The worker; what newer servers send.
        Worker = "worker",
        /// The router.
        Router = "router",
        /// The memory stage.
        Memory = "memory",
    }
}

string_enum! {
    open
    /// The code of a run's error.
    pub enum RunErrorCode {
        /// The user has cancelled the run.
        RunCanceled = "RUN_CANCELED",
    }
}

string_enum! {
    closed
    /// How a tool call ended. Texts use other words: [`TextStatus`].
    pub enum ToolStatus {
        /// It did what it was asked.
        Success = "success",
        /// It did not.
        Failure = "failure",
        /// It did a part.
        Partial = "partial",
        /// The word for failure before 2026-03-17.
        Failed = "failed",
    }
}

string_enum! {
    closed
    /// How the answer of a run turned out. Tool calls use other words: [`ToolStatus`].
    pub enum TextStatus {
        /// Whole.
        Success = "success",
        /// In part.
        PartialSuccess = "partial_success",
        /// Not at all.
        Failed = "failed",
    }
}

string_enum! {
    open
    /// What kind of answer a text is; v0 only.
    pub enum ResultType {
        /// What was done.
        ExecutionReport = "execution_report",
        /// A question back.
        Clarification = "clarification",
        /// What went wrong.
        ErrorReport = "error_report",
        /// None of these.
        Unknown = "unknown",
    }
}

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

string_enum! {
    closed
    /// The role of a tool's result.
    pub enum ToolRole {
        /// Always this.
        Tool = "tool",
    }
}

string_enum! {
    closed
    /// The role of the answer.
    pub enum AssistantRole {
        /// Always this.
        Assistant = "assistant",
    }
}
