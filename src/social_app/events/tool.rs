//! Tool calls: started, their whole arguments, ended, answered.

use super::args::ToolCallArgs;
use super::names::{Stage, ToolRole, ToolStatus};
use crate::agui::{MessageId, RunId, ThreadId, ToolCallId};
use crate::wire::decode::{Decode, Outcome, wrong_type};
use crate::wire::payload::payload;
use crate::wire::scan::{Cursor, Kind};
use crate::wire::{Json, JsonObject, Nullable};

payload! {
    /// Starts a tool call.
    pub struct ToolCallStart = "SocialAppToolCallStartEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The message that the call belongs to; calls may share one.
        required message_id: MessageId = "messageId" where {"minLength": 1},
        /// The call.
        required tool_call_id: ToolCallId = "toolCallId" where {"minLength": 1},
        /// The tool, as the backend calls it: `project_cli`, `calendar.read` or `calendar_read`.
        required tool_call_name: String = "toolCallName",
        /// The stage that makes the call.
        required stage: Stage = "stage",
    }
}

payload! {
    /// Carries the arguments of a tool call, all of them. AG-UI has a text `delta` here.
    pub struct ToolCallArgsEvent = "SocialAppToolCallArgsEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The message that the call belongs to; calls may share one.
        required message_id: MessageId = "messageId" where {"minLength": 1},
        /// The call.
        required tool_call_id: ToolCallId = "toolCallId" where {"minLength": 1},
        /// The tool, as the backend calls it: `project_cli`, `calendar.read` or `calendar_read`.
        required tool_call_name: String = "toolCallName",
        /// The arguments.
        required args: ToolCallArgs = "args",
        /// The stage that makes the call.
        required stage: Stage = "stage",
    }
}

payload! {
    /// Ends the description of a tool call; its result comes next.
    pub struct ToolCallEnd = "SocialAppToolCallEndEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The message that the call belongs to; calls may share one.
        required message_id: MessageId = "messageId" where {"minLength": 1},
        /// The call.
        required tool_call_id: ToolCallId = "toolCallId" where {"minLength": 1},
        /// The tool, as the backend calls it: `project_cli`, `calendar.read` or `calendar_read`.
        required tool_call_name: String = "toolCallName",
        /// The stage that makes the call.
        required stage: Stage = "stage",
    }
}

payload! {
    /// Carries the result of a tool call.
    pub struct ToolCallResult = "SocialAppToolCallResultEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The message that the call belongs to; calls may share one.
        required message_id: MessageId = "messageId" where {"minLength": 1},
        /// Always tool.
        required role: ToolRole = "role",
        /// The stage that made the call.
        required stage: Stage = "stage",
        /// The tool, as the backend calls it: `project_cli`, `calendar.read` or `calendar_read`.
        required tool_name: String = "tool_name",
        /// The call: the `toolCallId` of the three events before.
        required tool_call_id: ToolCallId = "tool_call_id" where {"minLength": 1},
        /// The arguments that the call was made with.
        required tool_call_args: Nullable<ToolCallArgs> = "tool_call_args",
        /// How it ended.
        required status: ToolStatus = "status",
        /// What came out of it, without what went in: an object in v1, text in v0.
        required result: ToolResult = "result",
        /// What went wrong; of no published shape.
        optional error: Json = "error",
        /// How to show the result; v1 only.
        optional ui_schema: Nullable<JsonObject> = "ui_schema",
    }
}

/// What came out of a tool call.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ToolResult {
    /// Text, as v0 sends it.
    Text(String),
    /// An object, as v1 sends it.
    Object(JsonObject),
}

impl ToolResult {
    /// The text of v0.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Object(_) => None,
        }
    }

    /// The object of v1.
    pub const fn as_object(&self) -> Option<&JsonObject> {
        match self {
            Self::Object(object) => Some(object),
            Self::Text(_) => None,
        }
    }
}

impl From<String> for ToolResult {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for ToolResult {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<JsonObject> for ToolResult {
    fn from(object: JsonObject) -> Self {
        Self::Object(object)
    }
}

impl Decode for ToolResult {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        match cursor.kind()? {
            Kind::String => Decode::decode(cursor).map(Self::Text),
            Kind::Object => Decode::decode(cursor).map(Self::Object),
            _ => wrong_type(cursor, "a string or an object"),
        }
    }
}

impl<'de> serde::Deserialize<'de> for ToolResult {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::wire::capture::deserialize(deserializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ToolResult {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SocialAppToolResult".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"anyOf": [{"type": "string"}, {"type": "object"}]})
    }
}
