//! Subagents of a run.

use super::common::base;
use super::names::{MessageId, SubagentRunId, ToolCallId};
use super::outcome::SubagentFinishedOutcome;
use crate::wire::NonNullJson;
use crate::wire::payload::payload;

payload! {
    /// Begins the run of a subagent.
    pub struct SubagentStarted = "AguiSubagentStartedEvent", closed with base {
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
    }
}

payload! {
    /// Ends the run of a subagent.
    pub struct SubagentFinished = "AguiSubagentFinishedEvent", closed with base {
        /// The identity of the subagent's run.
        required subagent_run_id: SubagentRunId = "subagentRunId",
        /// The result.
        optional result: NonNullJson = "result",
        /// How it ended.
        optional outcome: SubagentFinishedOutcome = "outcome",
    }
}

payload! {
    /// Ends the run of a subagent with an error.
    pub struct SubagentError = "AguiSubagentErrorEvent", closed with base {
        /// The identity of the subagent's run.
        required subagent_run_id: SubagentRunId = "subagentRunId",
        /// What went wrong.
        required message: String = "message",
        /// A code for it.
        optional code: String = "code",
    }
}
