//! Subagents of a run.

use super::names::{MessageId, SubagentRunId, ToolCallId};
use super::outcome::SubagentFinishedOutcome;
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Begins the run of a subagent.
    pub struct SubagentStarted = "AguiSubagentStartedEvent", closed {
        /// The identity of the subagent's run.
        required subagent_run_id: SubagentRunId = "subagentRunId",
        /// The subagent.
        required name: String = "name",
        /// What it is to do.
        optional description: String = "description",
        /// The subagent that called it.
        optional parent_subagent_run_id: SubagentRunId = "parentSubagentRunId",
        /// The tool call that called it.
        optional parent_tool_call_id: ToolCallId = "parentToolCallId",
        /// The message that called it.
        optional parent_message_id: MessageId = "parentMessageId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Ends the run of a subagent.
    pub struct SubagentFinished = "AguiSubagentFinishedEvent", closed {
        /// The identity of the subagent's run.
        required subagent_run_id: SubagentRunId = "subagentRunId",
        /// The result.
        optional result: NonNullJson = "result",
        /// How it ended.
        optional outcome: SubagentFinishedOutcome = "outcome",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Ends the run of a subagent with an error.
    pub struct SubagentError = "AguiSubagentErrorEvent", closed {
        /// The identity of the subagent's run.
        required subagent_run_id: SubagentRunId = "subagentRunId",
        /// What went wrong.
        required message: String = "message",
        /// A code for it.
        optional code: String = "code",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}
