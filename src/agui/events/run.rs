//! Runs and their steps.

use super::common::{attributed, base};
use super::input::RunAgentInput;
use super::names::{RunId, ThreadId};
use super::outcome::RunFinishedOutcome;
use super::outcome::TokenUsage;
use crate::wire::NonNullJson;
use crate::wire::payload::payload;

payload! {
    /// Begins a run.
    pub struct RunStarted = "AguiRunStartedEvent", closed with base {
        /// The conversation.
        required thread_id: ThreadId = "threadId",
        /// The run.
        required run_id: RunId = "runId",
        /// The version that the producer speaks, such as 1.0.
        optional protocol_version: String = "protocolVersion",
        /// The run that this one branches from.
        optional parent_run_id: RunId = "parentRunId",
        /// The input that the run was started with.
        optional input: Box<RunAgentInput> = "input",
    }
}

payload! {
    /// Ends a run; absent `outcome` means success.
    pub struct RunFinished = "AguiRunFinishedEvent", closed with base {
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
    }
}

payload! {
    /// Ends a run with an error.
    pub struct RunError = "AguiRunErrorEvent", closed with base {
        /// What went wrong.
        required message: String = "message",
        /// A code for it.
        optional code: String = "code",
        /// What the run used, an entry for each provider and model.
        optional usage: Vec<TokenUsage> = "usage",
    }
}

payload! {
    /// Begins a step.
    pub struct StepStarted = "AguiStepStartedEvent", closed with attributed {
        /// The step, unique among the open steps of its owner.
        required step_name: String = "stepName",
    }
}

payload! {
    /// Ends a step.
    pub struct StepFinished = "AguiStepFinishedEvent", closed with attributed {
        /// The step.
        required step_name: String = "stepName",
    }
}
