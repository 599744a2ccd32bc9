//! Runs and their steps.

use super::input::RunAgentInput;
use super::names::{RunId, SubagentRunId, ThreadId};
use super::outcome::RunFinishedOutcome;
use super::outcome::TokenUsage;
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Begins a run.
    pub struct RunStarted = "AguiRunStartedEvent", closed {
        /// The conversation.
        required thread_id: ThreadId = "threadId",
        /// The run.
        required run_id: RunId = "runId",
        /// The version that the producer speaks, such as 1.0.
        optional protocol_version: String = "protocolVersion",
        /// The run that this one branches from.
        optional parent_run_id: RunId = "parentRunId",
        /// The input of the run; boxed, since most events are small.
        optional input: Box<RunAgentInput> = "input",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Ends a run; absent `outcome` means success.
    pub struct RunFinished = "AguiRunFinishedEvent", closed {
        /// The conversation.
        required thread_id: ThreadId = "threadId",
        /// The run.
        required run_id: RunId = "runId",
        /// The result.
        optional result: NonNullJson = "result",
        /// How it ended.
        optional outcome: RunFinishedOutcome = "outcome",
        /// What the run used, an entry for each provider and model.
        optional usage: Vec<TokenUsage> = "usage",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Ends a run with an error.
    pub struct RunError = "AguiRunErrorEvent", closed {
        /// What went wrong.
        required message: String = "message",
        /// A code for it.
        optional code: String = "code",
        /// What the run used, an entry for each provider and model.
        optional usage: Vec<TokenUsage> = "usage",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Begins a step.
    pub struct StepStarted = "AguiStepStartedEvent", closed {
        /// The step, unique among the open steps of its owner.
        required step_name: String = "stepName",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Ends a step.
    pub struct StepFinished = "AguiStepFinishedEvent", closed {
        /// The step.
        required step_name: String = "stepName",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}
