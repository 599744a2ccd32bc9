//! The event table of social-app.

use super::super::stream_id::StreamId;
use super::run::{RunError, RunFinished, RunStarted, StepFinished, StepStarted};
use super::snapshot::{MessagesSnapshot, StateSnapshot};
use super::text::TextMessageEnd;
use super::tool::{ToolCallArgsEvent, ToolCallEnd, ToolCallResult, ToolCallStart};
use crate::agui::{RunId, ThreadId};
use crate::stream::sse::write_frame;
use crate::wire::union::tagged_union;

tagged_union! {
    /// An event of an agent run.
    pub enum Event, EventType = "SocialAppEvent", tag member "type", each $ of_every {
        /// Begins a run.
        RunStarted(RunStarted) = "RUN_STARTED",
        /// Ends a run that was not cut short.
        RunFinished(RunFinished) = "RUN_FINISHED",
        /// Ends a run that failed or was cancelled.
        RunError(RunError) = "RUN_ERROR",
        /// Begins a step.
        StepStarted(StepStarted) = "STEP_STARTED",
        /// Ends a step.
        StepFinished(StepFinished) = "STEP_FINISHED",
        /// Starts a tool call.
        ToolCallStart(ToolCallStart) = "TOOL_CALL_START",
        /// Carries the arguments of a tool call, all of them.
        ToolCallArgs(ToolCallArgsEvent) = "TOOL_CALL_ARGS",
        /// Ends the description of a tool call.
        ToolCallEnd(ToolCallEnd) = "TOOL_CALL_END",
        /// Carries the result of a tool call.
        ToolCallResult(ToolCallResult) = "TOOL_CALL_RESULT",
        /// Carries the whole answer.
        TextMessageEnd(TextMessageEnd) = "TEXT_MESSAGE_END",
        /// Replaces the shared state.
        StateSnapshot(StateSnapshot) = "STATE_SNAPSHOT",
        /// Replaces the list of messages.
        MessagesSnapshot(MessagesSnapshot) = "MESSAGES_SNAPSHOT",
    }
}

/// The comment that an idle connection is kept open by.
///
/// Source: v1 §2.
///
/// Since 0.1.0.
pub const KEEP_ALIVE: &str = ": keep-alive\n\n";

/// Appends the comment that keeps an idle connection open. Receivers pass over it.
///
/// ```
/// let mut out = String::new();
/// agent_contracts::social_app::write_keep_alive(&mut out);
/// assert_eq!(out, ": keep-alive\n\n");
/// ```
///
/// Since 0.1.0. Source: v1 §2.
pub fn write_keep_alive(out: &mut String) {
    out.push_str(KEEP_ALIVE);
}

pub(in crate::social_app) use of_every;

impl Event {
    /// The conversation that the event belongs to.
    pub fn thread_id(&self) -> Option<ThreadId> {
        of_every!(self, event => event.thread_id.clone()).or_else(|| Some(self.member("threadId")?.as_str().into()))
    }

    /// The run that the event belongs to.
    pub fn run_id(&self) -> Option<RunId> {
        of_every!(self, event => event.run_id.clone()).or_else(|| Some(self.member("runId")?.as_str().into()))
    }

    /// A member of an unknown event that is a string.
    fn member(&self, name: &str) -> Option<String> {
        match self {
            Self::Unknown(unknown) => unknown.members.get(name)?.as_string(),
            _ => None,
        }
    }

    /// Whether the event ends its run.
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::RunFinished(_) | Self::RunError(_))
    }

    /// The event as an SSE frame: its stream id, its type, and one `data:` line.
    ///
    /// ```
    /// use agent_contracts::social_app::{Event, RunStarted, StreamId};
    ///
    /// let event = Event::from(RunStarted::new("t1", "r1"));
    /// let frame = event.to_sse(StreamId::new(1_760_000_000_000, 0));
    /// assert_eq!(frame, "id: 1760000000000-0\nevent: RUN_STARTED\n\
    ///     data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t1\",\"runId\":\"r1\"}\n\n");
    /// ```
    pub fn to_sse(&self, id: StreamId) -> String {
        let mut out = String::new();
        write_frame(&mut out, Some(&id.to_string()), Some(self.tag()), &self.to_json());
        out
    }
}
