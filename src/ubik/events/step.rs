//! Steps of the agent's plan, and how far it has come.

use super::common::timed;
use crate::wire::payload::payload;
use crate::wire::{Integer, JsonObject, Number};

payload! {
    /// Begins a step.
    pub struct AgentStepStarted = "UbikAgentStepStartedEvent", open with timed {
        /// The number of the step, from 1.
        required step: Integer = "step",
        /// What the step is for.
        required description: String = "description",
        /// Whether the agent has this step only; `<<SINGLE_STEP_FLAG>>` in the message.
        required single_step_agent: bool = "single_step_agent",
    }
}

payload! {
    /// Says how far a step is.
    pub struct AgentStepProgress = "UbikAgentStepProgressEvent", open with timed {
        /// The number of the step.
        required step: Integer = "step",
        /// How far the step is; in samples from 0 to 100.
        required progress: Number = "progress",
        /// What is being done, for people.
        required message: String = "message",
    }
}

payload! {
    /// Ends a step.
    pub struct AgentStepCompleted = "UbikAgentStepCompletedEvent", open with timed {
        /// The number of the step.
        required step: Integer = "step",
        /// How far the step is; 100 in samples.
        required progress: Number = "progress",
        /// Whether the step is done; true in samples.
        required completed: bool = "completed",
        /// What came out of it; of no published shape.
        required results: JsonObject = "results",
    }
}

payload! {
    /// Says how far the task is, behind the end of a step.
    pub struct AgentProgress = "UbikAgentProgressEvent", open with timed {
        /// The number of the step that has ended.
        required step: Integer = "step",
        /// How many steps there are.
        required total_steps: Integer = "total_steps",
        /// What has been done, for people.
        required description: String = "description",
        /// How far the task is; in samples from 0 to 100, with a fraction.
        required progress: Number = "progress",
    }
}
