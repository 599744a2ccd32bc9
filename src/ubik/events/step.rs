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

impl AgentStepStarted {
    /// The title of the step, on one line: the description, behind the number if it does not
    /// begin with that.
    ///
    /// ```
    /// use agent_contracts::ubik::AgentStepStarted;
    ///
    /// let title = |text: &str| AgentStepStarted::new(1, text, false, "2026-01-01T00:00:00Z").title();
    /// assert_eq!(title("Search"), "Step 1: Search");
    /// assert_eq!(title("Step 1: Search"), "Step 1: Search");
    /// assert_eq!(title("Step 10"), "Step 1: Step 10");
    /// assert_eq!(title(""), "Step 1");
    /// assert_eq!(AgentStepStarted::new(10, "Step 10: B", false, "2026-01-01T00:00:00Z").title(), "Step 10: B");
    /// ```
    ///
    /// Since 0.1.0. Source: message structure guide.
    pub fn title(&self) -> String {
        // Both 10 and 1e1 are step 10.
        let number = self.step.as_i64().map_or_else(|| self.step.to_string(), |step| step.to_string());
        let number = format!("Step {number}");
        let description = self.description.lines().collect::<Vec<_>>().join(" ");
        match description.strip_prefix(&number) {
            Some(behind) if behind.is_empty() || behind.starts_with([':', ' ']) => description,
            _ if description.is_empty() => number,
            _ => format!("{number}: {description}"),
        }
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
