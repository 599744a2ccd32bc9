//! The event table of AG-UI 1.0.

use super::activity::{ActivityDelta, ActivitySnapshot};
use super::names::SubagentRunId;
use super::reasoning::{
    ReasoningEncryptedValue, ReasoningEnd, ReasoningMessageChunk, ReasoningMessageContent, ReasoningMessageEnd,
    ReasoningMessageStart, ReasoningStart,
};
use super::run::{RunError, RunFinished, RunStarted, StepFinished, StepStarted};
use super::state::{Custom, MessagesSnapshot, Raw, StateDelta, StateSnapshot};
use super::subagent::{SubagentError, SubagentFinished, SubagentStarted};
use super::text::{TextMessageChunk, TextMessageContent, TextMessageEnd, TextMessageStart};
use super::tool::{ToolCallArgs, ToolCallChunk, ToolCallEnd, ToolCallResult, ToolCallStart};
use crate::stream::sse::write_frame;
use crate::wire::union::tagged_union;

/// The version of the protocol that these types describe.
///
/// Since 0.1.0.
pub const PROTOCOL_VERSION: &str = "1.0";

tagged_union! {
    /// An event of an agent run.
    pub enum Event, EventType = "AguiEvent", tag member "type" {
        /// Opens a text message.
        TextMessageStart(TextMessageStart) = "TEXT_MESSAGE_START",
        /// Appends to a text message.
        TextMessageContent(TextMessageContent) = "TEXT_MESSAGE_CONTENT",
        /// Closes a text message.
        TextMessageEnd(TextMessageEnd) = "TEXT_MESSAGE_END",
        /// Shorthand for the three.
        TextMessageChunk(TextMessageChunk) = "TEXT_MESSAGE_CHUNK" since "0.0.28",
        /// Opens a tool call.
        ToolCallStart(ToolCallStart) = "TOOL_CALL_START",
        /// Appends to a tool call's arguments.
        ToolCallArgs(ToolCallArgs) = "TOOL_CALL_ARGS",
        /// Closes a tool call.
        ToolCallEnd(ToolCallEnd) = "TOOL_CALL_END",
        /// Shorthand for the three.
        ToolCallChunk(ToolCallChunk) = "TOOL_CALL_CHUNK" since "0.0.28",
        /// Answers a tool call.
        ToolCallResult(ToolCallResult) = "TOOL_CALL_RESULT" since "0.0.30",
        /// Replaces the shared state.
        StateSnapshot(StateSnapshot) = "STATE_SNAPSHOT",
        /// Patches the shared state.
        StateDelta(StateDelta) = "STATE_DELTA",
        /// Replaces the list of messages.
        MessagesSnapshot(MessagesSnapshot) = "MESSAGES_SNAPSHOT",
        /// Sets an activity.
        ActivitySnapshot(ActivitySnapshot) = "ACTIVITY_SNAPSHOT" since "0.0.40",
        /// Patches an activity.
        ActivityDelta(ActivityDelta) = "ACTIVITY_DELTA" since "0.0.40",
        /// Carries an event of another system.
        Raw(Raw) = "RAW",
        /// Carries what an application has agreed upon.
        Custom(Custom) = "CUSTOM",
        /// Begins a run.
        RunStarted(RunStarted) = "RUN_STARTED",
        /// Ends a run.
        RunFinished(RunFinished) = "RUN_FINISHED",
        /// Ends a run with an error.
        RunError(RunError) = "RUN_ERROR",
        /// Begins a step.
        StepStarted(StepStarted) = "STEP_STARTED",
        /// Ends a step.
        StepFinished(StepFinished) = "STEP_FINISHED",
        /// Opens a span of reasoning.
        ReasoningStart(ReasoningStart) = "REASONING_START" since "0.0.45",
        /// Opens a reasoning message.
        ReasoningMessageStart(ReasoningMessageStart) = "REASONING_MESSAGE_START" since "0.0.45",
        /// Appends to a reasoning message.
        ReasoningMessageContent(ReasoningMessageContent) = "REASONING_MESSAGE_CONTENT" since "0.0.45",
        /// Closes a reasoning message.
        ReasoningMessageEnd(ReasoningMessageEnd) = "REASONING_MESSAGE_END" since "0.0.45",
        /// Shorthand for the three.
        ReasoningMessageChunk(ReasoningMessageChunk) = "REASONING_MESSAGE_CHUNK" since "0.0.45",
        /// Closes a span of reasoning.
        ReasoningEnd(ReasoningEnd) = "REASONING_END" since "0.0.45",
        /// Attaches an encrypted value.
        ReasoningEncryptedValue(ReasoningEncryptedValue) = "REASONING_ENCRYPTED_VALUE" since "0.0.45",
        /// Begins the run of a subagent.
        SubagentStarted(SubagentStarted) = "SUBAGENT_STARTED" since "0.0.59",
        /// Ends the run of a subagent.
        SubagentFinished(SubagentFinished) = "SUBAGENT_FINISHED" since "0.0.59",
        /// Ends the run of a subagent with an error.
        SubagentError(SubagentError) = "SUBAGENT_ERROR" since "0.0.59",
    }
}

impl Event {
    /// The event as an SSE frame: one `data:` line and a blank line.
    pub fn to_sse(&self) -> String {
        let mut out = String::new();
        write_frame(&mut out, None, None, &self.to_json());
        out
    }

    /// The subagent that the event belongs to; `None` for the parent, for events that
    /// concern the whole run, and for unknown ones.
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        macro_rules! tag_of {
            ($($variant:ident)+) => {
                match self {
                    $( Self::$variant(event) => event.subagent_run_id.as_ref(), )+
                    Self::SubagentStarted(event) => Some(&event.subagent_run_id),
                    Self::SubagentFinished(event) => Some(&event.subagent_run_id),
                    Self::SubagentError(event) => Some(&event.subagent_run_id),
                    Self::RunStarted(_)
                    | Self::RunFinished(_)
                    | Self::RunError(_)
                    | Self::MessagesSnapshot(_)
                    | Self::Unknown(_) => None,
                }
            };
        }
        tag_of! {
            TextMessageStart TextMessageContent TextMessageEnd TextMessageChunk
            ToolCallStart ToolCallArgs ToolCallEnd ToolCallChunk ToolCallResult
            StateSnapshot StateDelta ActivitySnapshot ActivityDelta Raw Custom StepStarted StepFinished
            ReasoningStart ReasoningMessageStart ReasoningMessageContent ReasoningMessageEnd
            ReasoningMessageChunk ReasoningEnd ReasoningEncryptedValue
        }
    }
}
