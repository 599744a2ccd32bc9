//! The event tables of the two streams.

use super::checkpoint::{CheckpointCreated, InputRequired};
use super::chunk::Chunk;
use super::lifecycle::{
    AgentProcessingComplete, AgentProcessingError, AgentProcessingStarted, AgentStopRequested, ConnectionEstablished,
};
use super::names::{TaskId, ToolExecutionId};
use super::response::{AgentResponseUpdate, ResponseChunk, ResponseStreamStart};
use super::step::{AgentProgress, AgentStepCompleted, AgentStepProgress, AgentStepStarted};
use super::tool::{ToolInputRequired, ToolPartialUpdate, ToolUpdate};
use super::tool_stream::{ToolEnd, ToolError, ToolInputRequest, ToolPartialUpdateData, ToolUpdateData};
use crate::stream::sse::write_frame;
use crate::wire::union::tagged_union;

/// How the type of a fragment ends; before it stands the type of the event that was split.
///
/// Since 0.1.0. Source: session events guide.
pub const DELTA_SUFFIX: &str = "_delta_sse";

/// The type without its `_delta_sse` suffixes: that of the event that was split first.
pub(in crate::ubik) fn whole_type(mut name: &str) -> &str {
    // A search for all suffixes at once takes longer, and most have one at most.
    while let Some(inner) = name.strip_suffix(DELTA_SUFFIX) {
        name = inner;
    }
    name
}

tagged_union! {
    /// An event of an agent's session: what the agent does while it answers.
    pub enum Event, EventType = "UbikEvent", tag member "type" {
        /// Opens a connection.
        ConnectionEstablished(ConnectionEstablished) = "connection_established",
        /// Begins the work on a task.
        AgentProcessingStarted(AgentProcessingStarted) = "agent_processing_started",
        /// Announces the text of the answer.
        ResponseStreamStart(ResponseStreamStart) = "response_stream_start",
        /// Begins a step.
        AgentStepStarted(AgentStepStarted) = "agent_step_started",
        /// Says how far a step is.
        AgentStepProgress(AgentStepProgress) = "agent_step_progress",
        /// Carries the whole text of the answer as it is now.
        AgentResponseUpdate(AgentResponseUpdate) = "agent_response_update",
        /// Ends a step.
        AgentStepCompleted(AgentStepCompleted) = "agent_step_completed",
        /// Says how far the task is.
        AgentProgress(AgentProgress) = "agent_progress",
        /// Carries a piece of the answer.
        ResponseChunk(ResponseChunk) = "response_chunk" | AgentResponseChunk = "agent_response_chunk",
        /// Says that a checkpoint was reached.
        CheckpointCreated(CheckpointCreated) = "checkpoint_created",
        /// Asks the user.
        InputRequired(InputRequired) = "input_required",
        /// Says what a tool is doing.
        ToolUpdate(ToolUpdate) = "tool_update",
        /// Carries a piece of what a tool puts out.
        ToolPartialUpdate(ToolPartialUpdate) = "tool_partial_update",
        /// Asks the user for a tool.
        ToolInputRequired(ToolInputRequired) = "tool_input_required",
        /// Says that the user wants the agent to stop.
        AgentStopRequested(AgentStopRequested) = "agent_stop_requested",
        /// Ends a task that was done.
        AgentProcessingComplete(AgentProcessingComplete) = "agent_processing_complete",
        /// Ends a task that failed.
        AgentProcessingError(AgentProcessingError) = "agent_processing_error",
    }
    suffix {
        /// Carries a fragment of any event that was too large for one frame.
        Delta(Chunk) = "_delta_sse",
    }
}

impl EventType {
    /// Whether the event ends its task. A request to stop does not.
    ///
    /// Since 0.1.0. Source: session events guide.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::AgentProcessingComplete | Self::AgentProcessingError)
    }
}

impl Event {
    /// Whether the event ends its task. A request to stop does not.
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn is_terminal(&self) -> bool {
        self.known_type().is_some_and(EventType::is_terminal)
    }

    /// The task that the event names, which few do.
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn task_id(&self) -> Option<&TaskId> {
        match self {
            Self::ConnectionEstablished(event) => Some(&event.task_id),
            Self::AgentProcessingStarted(event) => Some(&event.task_id),
            Self::ResponseStreamStart(event) => Some(&event.task_id),
            Self::AgentStopRequested(event) => Some(&event.task_id),
            _ => None,
        }
    }

    /// The tool execution that the event is about.
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn tool_execution_id(&self) -> Option<&ToolExecutionId> {
        match self {
            Self::ToolUpdate(event) => Some(&event.tool_execution_id),
            Self::ToolPartialUpdate(event) => Some(&event.tool_execution_id),
            Self::ToolInputRequired(event) => Some(&event.tool_execution_id),
            _ => None,
        }
    }

    /// When the event was sent, ISO 8601 text as it came; of a checkpoint its `created_at`.
    /// `None` for `connection_established`, fragments and unknown events.
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn timestamp(&self) -> Option<&str> {
        macro_rules! timestamp_of {
            ($($variant:ident)+) => {
                match self {
                    $( Self::$variant(event) => Some(event.timestamp.as_str()), )+
                    Self::CheckpointCreated(event) => Some(event.created_at.as_str()),
                    Self::ConnectionEstablished(_) | Self::Delta(_) | Self::Unknown(_) => None,
                }
            };
        }
        timestamp_of! {
            AgentProcessingStarted ResponseStreamStart AgentStepStarted AgentStepProgress AgentResponseUpdate
            AgentStepCompleted AgentProgress ResponseChunk AgentResponseChunk InputRequired
            ToolUpdate ToolPartialUpdate ToolInputRequired
            AgentStopRequested AgentProcessingComplete AgentProcessingError
        }
    }

    /// [`timestamp`](Self::timestamp) as a point in time, if it is one with an offset.
    ///
    /// Since 0.1.0.
    #[cfg(feature = "chrono")]
    pub fn timestamp_time(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
        chrono::DateTime::parse_from_rfc3339(self.timestamp()?).ok()
    }

    /// The event as an SSE frame: one `data:` line and a blank line, without a name.
    ///
    /// ```
    /// use agent_contracts::ubik::{CheckpointCreated, Event};
    ///
    /// let event = Event::from(CheckpointCreated::new("plan", "2026-01-01T00:00:00Z"));
    /// assert_eq!(event.to_sse(), "data: {\"type\":\"checkpoint_created\",\"checkpoint_name\":\"plan\",\
    ///     \"created_at\":\"2026-01-01T00:00:00Z\"}\n\n");
    /// ```
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn to_sse(&self) -> String {
        let mut out = String::new();
        write_frame(&mut out, None, None, &self.to_json());
        out
    }
}

tagged_union! {
    /// An event of a tool execution. The type is the name of the SSE frame.
    ///
    /// ```
    /// use agent_contracts::ubik::{Phase, ToolEvent};
    ///
    /// let event = ToolEvent::from_tagged_json("tool_update", r#"{"phase":"RETRIEVAL","status":"completed"}"#)?;
    /// let ToolEvent::ToolUpdate(update) = &event else { panic!() };
    /// assert_eq!(update.phase, Some(Phase::Retrieval));
    /// # Ok::<(), agent_contracts::wire::Error>(())
    /// ```
    pub enum ToolEvent, ToolEventType = "UbikToolEvent", tag frame {
        /// Says what the tool is doing.
        ToolUpdate(ToolUpdateData) = "tool_update",
        /// Carries a piece of what the tool puts out.
        ToolPartialUpdate(ToolPartialUpdateData) = "tool_partial_update",
        /// Asks the user.
        ToolInputRequired(ToolInputRequest) = "tool_input_required",
        /// Ends a run that was done.
        ToolEnd(ToolEnd) = "tool_end" | FinalResult = "final_result",
        /// Ends a run that failed.
        Error(ToolError) = "error",
    }
    suffix {
        /// Carries a fragment of any event that was too large for one frame.
        Delta(Chunk) = "_delta_sse",
    }
}

impl ToolEventType {
    /// Whether the event ends the tool execution.
    ///
    /// Since 0.1.0. Source: tool streaming guide.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::ToolEnd | Self::FinalResult | Self::Error)
    }
}

impl ToolEvent {
    /// Whether the event ends the tool execution.
    ///
    /// Since 0.1.0. Source: tool streaming guide.
    pub fn is_terminal(&self) -> bool {
        self.known_type().is_some_and(ToolEventType::is_terminal)
    }

    /// The event as an SSE frame: its type as the name, its content in one `data:` line.
    ///
    /// ```
    /// use agent_contracts::ubik::{ToolError, ToolEvent};
    ///
    /// let event = ToolEvent::from(ToolError::new("no such page", "NOT_FOUND"));
    /// assert_eq!(event.to_sse(), "event: error\ndata: {\"message\":\"no such page\",\"code\":\"NOT_FOUND\"}\n\n");
    /// ```
    ///
    /// Since 0.1.0. Source: tool streaming guide.
    pub fn to_sse(&self) -> String {
        let mut out = String::new();
        write_frame(&mut out, None, Some(self.tag()), &serde_json::to_string(self).unwrap_or_default());
        out
    }
}
