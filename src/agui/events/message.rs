//! Messages of a conversation, told apart by role.

use super::content::Content;
use super::names::{MessageId, SubagentRunId, ToolCallId};
use crate::wire::JsonObject;
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::union::tagged_union;

tagged_union! {
    /// A message, told apart by `role`.
    pub enum Message, MessageRole = "AguiMessage", tag member "role" {
        /// A message of the developer.
        Developer(DeveloperMessage) = "developer",
        /// A message of the system.
        System(SystemMessage) = "system",
        /// A message of the assistant.
        Assistant(AssistantMessage) = "assistant",
        /// A message of the user.
        User(UserMessage) = "user",
        /// The answer of a tool.
        Tool(ToolMessage) = "tool",
        /// An activity.
        Activity(ActivityMessage) = "activity",
        /// Reasoning.
        Reasoning(ReasoningMessage) = "reasoning",
    }
}

impl Message {
    /// The id of the message; `None` if its role is unknown.
    ///
    /// Since 0.1.0. Source: the AG-UI 1.0 specification.
    pub const fn id(&self) -> Option<&MessageId> {
        match self {
            Self::Developer(message) => Some(&message.id),
            Self::System(message) => Some(&message.id),
            Self::Assistant(message) => Some(&message.id),
            Self::User(message) => Some(&message.id),
            Self::Tool(message) => Some(&message.id),
            Self::Activity(message) => Some(&message.id),
            Self::Reasoning(message) => Some(&message.id),
            Self::Unknown(_) => None,
        }
    }
}

payload! {
    /// A message of the developer.
    pub struct DeveloperMessage = "AguiDeveloperMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// The name of the speaker.
        optional name: String = "name",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The text.
        required content: String = "content",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// A message of the system.
    pub struct SystemMessage = "AguiSystemMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// The name of the speaker.
        optional name: String = "name",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The text.
        required content: String = "content",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// A message of the assistant.
    pub struct AssistantMessage = "AguiAssistantMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// The name of the speaker.
        optional name: String = "name",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The text.
        optional content: String = "content",
        /// The tool calls.
        optional tool_calls: Vec<ToolCall> = "toolCalls",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// A message of the user.
    pub struct UserMessage = "AguiUserMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// The name of the speaker.
        optional name: String = "name",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The text, or its parts.
        required content: Content = "content",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// The answer of a tool.
    pub struct ToolMessage = "AguiToolMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// The text, or its parts.
        required content: Content = "content",
        /// The tool call that it answers.
        required tool_call_id: ToolCallId = "toolCallId",
        /// What went wrong.
        optional error: String = "error",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// An activity.
    pub struct ActivityMessage = "AguiActivityMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// What kind of activity it is.
        required activity_type: String = "activityType",
        /// The content.
        required content: JsonObject = "content",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// Reasoning.
    pub struct ReasoningMessage = "AguiReasoningMessage", closed {
        /// The id, unique in the thread.
        required id: MessageId = "id",
        /// The text.
        required content: String = "content",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

payload! {
    /// A tool call of an assistant message.
    pub struct ToolCall = "AguiToolCall", closed {
        /// The tool call.
        required id: ToolCallId = "id",
        /// Always function.
        required kind: ToolCallType = "type",
        /// The function and its arguments.
        required function: FunctionCall = "function",
        /// An encrypted value: opaque, to be stored and given back.
        optional encrypted_value: String = "encryptedValue",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// A function and its arguments.
    pub struct FunctionCall = "AguiFunctionCall", closed {
        /// The function.
        required name: String = "name",
        /// The arguments as JSON text; not validated.
        required arguments: String = "arguments",
    }
}

string_enum! {
    closed
    /// What a tool call calls.
    pub enum ToolCallType {
        /// A function.
        Function = "function",
    }
}
