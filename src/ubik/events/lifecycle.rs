//! A connection, and the task from its beginning to its end.

use super::common::timed;
use super::names::{ConnectionId, MessageId, SessionId, TaskId};
use crate::wire::JsonObject;
use crate::wire::payload::payload;

payload! {
    /// Opens a connection; the first event of every stream. It has no time.
    pub struct ConnectionEstablished = "UbikConnectionEstablishedEvent", open {
        /// The session.
        required session_id: SessionId = "session_id",
        /// The connection.
        required connection_id: ConnectionId = "connection_id",
        /// The task whose events follow.
        required task_id: TaskId = "task_id",
    }
}

payload! {
    /// Begins the work on a task.
    pub struct AgentProcessingStarted = "UbikAgentProcessingStartedEvent", open with timed {
        /// The task.
        required task_id: TaskId = "task_id",
    }
}

payload! {
    /// Says that the user wants the agent to stop. Not the end: tool calls that run are
    /// brought to theirs first.
    pub struct AgentStopRequested = "UbikAgentStopRequestedEvent", open with timed {
        /// The task.
        required task_id: TaskId = "task_id",
    }
}

payload! {
    /// Ends a task that was done.
    pub struct AgentProcessingComplete = "UbikAgentProcessingCompleteEvent", open with timed {
        /// The message.
        required message_id: MessageId = "message_id",
        /// The whole text of the message; it replaces what was put together from chunks.
        required content: String = "content",
        /// What came out of the task; of no published shape.
        required result: JsonObject = "result",
    }
}

payload! {
    /// Ends a task that failed.
    pub struct AgentProcessingError = "UbikAgentProcessingErrorEvent", open with timed {
        /// What went wrong, for people.
        required error: String = "error",
        /// Where it went wrong in the server's code; not for users.
        required traceback: String = "traceback",
    }
}
