//! Bodies of requests and answers beside the streams.

use super::names::{ExecutionStatus, MessageId, TaskId, ToolExecutionId};
use crate::wire::payload::payload;
use crate::wire::{Integer, Json, Nullable};

payload! {
    /// A stored message of a session.
    pub struct PublicAgentMessage = "UbikPublicAgentMessage", open {
        /// The message.
        required id: MessageId = "id",
        /// Who has written it.
        required role: String = "role",
        /// The text, with tags where an agent has written it.
        required content: String = "content",
        /// When it was stored, ISO 8601.
        required created_at: String = "created_at",
        /// The message that it answers; null for the first.
        optional parent_id: Nullable<MessageId> = "parent_id",
        /// Other messages of the same parent.
        optional sibling_ids: Vec<MessageId> = "sibling_ids",
        /// The task that answers the message, or has written it.
        optional task_id: Nullable<TaskId> = "task_id",
        /// Where the events of the task are streamed.
        optional stream_url: Nullable<String> = "stream_url",
    }
}

payload! {
    /// The messages of a session.
    pub struct MessageList = "UbikMessageList", open {
        /// The messages.
        required items: Vec<PublicAgentMessage> = "items",
        /// The last message of the branch that is shown.
        optional active_head_id: Nullable<MessageId> = "active_head_id",
    }
}

payload! {
    /// A message to an agent.
    pub struct PublicMessageCreate = "UbikPublicMessageCreate", open {
        /// The text.
        required content: String = "content",
        /// Documents that go with it.
        optional attachment_document_ids: Vec<String> = "attachment_document_ids",
        /// Which tools the agent may or must use; of no published shape.
        optional tool_choice: Json = "tool_choice",
        /// Whether the answer is a stream of events; absence says yes.
        optional stream: bool = "stream",
    }
}

impl PublicMessageCreate {
    /// Whether the answer is a stream of events, which it is unless `stream` says no.
    ///
    /// Since 0.1.0. Source: the API's OpenAPI document.
    pub fn is_streamed(&self) -> bool {
        self.stream.unwrap_or(true)
    }
}

payload! {
    /// A checkpoint that a task has reached.
    pub struct PublicCheckpoint = "UbikPublicCheckpoint", open {
        /// The checkpoint.
        required checkpoint_name: String = "checkpoint_name",
        /// The task.
        required task_id: TaskId = "task_id",
        /// When it was reached, ISO 8601.
        required created_at: String = "created_at",
        /// Further details; of no published shape.
        optional metadata: Json = "metadata",
    }
}

payload! {
    /// A tool execution, as it stands.
    pub struct PublicToolExecutionResult = "UbikPublicToolExecutionResult", open {
        /// The tool execution.
        required id: ToolExecutionId = "id",
        /// The tool.
        required tool_id: String = "tool_id",
        /// The user who has started it.
        optional user_id: Nullable<Integer> = "user_id",
        /// Its state.
        required status: ExecutionStatus = "status",
        /// What it was called with; decided by the tool.
        required inputs: Json = "inputs",
        /// What came out of it; decided by the tool, null where there is nothing.
        optional outputs: Json = "outputs",
        /// What went wrong; null where nothing did.
        optional error: Json = "error",
        /// When it was asked for, ISO 8601.
        required created_at: String = "created_at",
        /// When it began, ISO 8601; null before.
        optional started_at: Nullable<String> = "started_at",
        /// When it ended, ISO 8601; null before.
        optional completed_at: Nullable<String> = "completed_at",
    }
}

payload! {
    /// Says that a tool execution was accepted, with status 202, and where to follow it.
    pub struct ExecuteResponse = "UbikExecuteResponse", open {
        /// The tool execution.
        required execution_id: ToolExecutionId = "execution_id",
        /// Its state, which is pending.
        required status: ExecutionStatus = "status",
        /// The tool.
        required tool_id: String = "tool_id",
        /// Where its state can be asked for.
        required details_url: String = "details_url",
        /// Where its events are streamed.
        required stream_url: String = "stream_url",
    }
}

/// An accessor for a time that is always there.
#[cfg(feature = "chrono")]
macro_rules! created_at_time {
    ($($name:ident),+) => { $(
        impl $name {
            /// `created_at` as a point in time, if it is one with an offset.
            ///
            /// Since 0.1.0.
            pub fn created_at_time(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
                chrono::DateTime::parse_from_rfc3339(&self.created_at).ok()
            }
        }
    )+ };
}

#[cfg(feature = "chrono")]
created_at_time!(PublicAgentMessage, PublicCheckpoint, PublicToolExecutionResult);
