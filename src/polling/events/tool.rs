//! Tools, and the files that they change.

use super::common::{scope, tool};
use super::names::{MessageId, ToolId, ToolStatus};
use crate::wire::payload::payload;
use crate::wire::{Integer, Json, JsonObject, Nullable};

/// The members that name a tool, in the order in which they are looked up.
pub(crate) const TOOL_ALIASES: [&str; 4] = ["id", "preparing_id", "execution_id", "tool_call_id"];

payload! {
    /// A tool may come, as guessed from the text. No server sends it today.
    pub struct ToolHint = "PollingToolHintData", open with scope {
        /// An id that no later event has.
        required id: ToolId = "id",
        /// The tool's name.
        required name: String = "name",
        /// What is guessed, for people.
        required message: String = "message",
        /// How sure the guess is, such as `low`.
        required confidence: String = "confidence",
    }
}

payload! {
    /// The model has begun to call a tool.
    pub struct ToolPreparing = "PollingToolPreparingData", open with tool {
        /// The model's call; `preparing_id` of later events.
        required id: ToolId = "id",
        /// The tool's name.
        required name: String = "name",
        /// What is being done, for people.
        expected message: String = "message",
        /// What the call is meant for; null as long as the model has not said.
        expected intent: Nullable<String> = "intent",
        /// The model's call, by this name.
        optional preparing_id: ToolId = "preparing_id",
    }
}

payload! {
    /// What a call is meant for, again and again as its arguments grow.
    pub struct ToolIntent = "PollingToolIntentData", open with tool {
        /// The model's call.
        expected id: ToolId = "id",
        /// The tool's name.
        required name: String = "name",
        /// What the call is meant for, at most 128 characters; may break off.
        required intent: String = "intent",
        /// Whether it is whole.
        optional intent_complete: bool = "intent_complete",
        /// The model's call, by this name.
        optional preparing_id: ToolId = "preparing_id",
    }
}

payload! {
    /// A tool runs.
    pub struct ToolStart = "PollingToolStartData", open with tool {
        /// The execution of the tool.
        required id: ToolId = "id",
        /// The tool's name.
        required name: String = "name",
        /// What it is called with.
        required arguments: JsonObject = "arguments",
        /// The model's call, `id` of the event that announced it.
        expected preparing_id: ToolId = "preparing_id",
        /// What the tool is going to change, as it is before.
        expected monitor_snapshot: Nullable<JsonObject> = "monitor_snapshot",
    }
}

payload! {
    /// Something new about a tool. Which of its ids is named varies; often only `preparing_id`.
    pub struct UpdateAction = "PollingUpdateActionData", open with tool {
        /// The execution of the tool.
        optional id: ToolId = "id",
        /// The model's call.
        optional preparing_id: ToolId = "preparing_id",
        /// The tool's name.
        optional name: Nullable<String> = "name",
        /// Where the tool stands.
        optional status: ToolStatus = "status",
        /// What came of it; whether it failed stands here.
        optional result: Json = "result",
        /// What is being done, for people.
        optional message: String = "message",
        /// What is shown of it.
        optional content: Json = "content",
        /// Whether content is still to come.
        optional awaiting_content: bool = "awaiting_content",
        /// What the tool has changed, as it is now.
        optional monitor_snapshot_after: Json = "monitor_snapshot_after",
    }
}

payload! {
    /// Text was appended to a file. Of earlier servers.
    pub struct AppendPayload = "PollingAppendPayloadData", open with scope {
        /// The file.
        required path: String = "path",
        /// Whether the text was taken though it was not complete.
        required forced: bool = "forced",
        /// How many lines.
        required lines: Integer = "lines",
        /// How many bytes.
        required bytes: Integer = "bytes",
        /// The model's call.
        required tool_call_id: ToolId = "tool_call_id",
        /// Whether it went well.
        required success: bool = "success",
    }
}

payload! {
    /// Parts of a file were replaced. Of earlier servers.
    pub struct ModifyPayload = "PollingModifyPayloadData", open with scope {
        /// The file.
        required path: String = "path",
        /// The parts.
        required total: Json = "total",
        /// The parts that were replaced.
        required completed: Json = "completed",
        /// The parts that were not.
        required failed: Json = "failed",
        /// Whether the text was taken though it was not complete.
        required forced: bool = "forced",
        /// Whether it went well.
        required success: bool = "success",
    }
}

payload! {
    /// The files of the project, an object of no published shape.
    pub struct FileTreeUpdate = "PollingFileTreeUpdateData", open with scope {}
}

payload! {
    /// The list of things to do.
    pub struct TodoUpdated = "PollingTodoUpdatedData", open with scope {
        /// The list, of no published shape.
        required todo_list: Json = "todo_list",
    }
}

payload! {
    /// The files that were changed.
    pub struct EditedFilesUpdated = "PollingEditedFilesUpdatedData", open with scope {
        /// The files, of no published shape.
        required edited_files: Json = "edited_files",
    }
}

payload! {
    /// What a message has changed.
    pub struct EditSummaryUpdated = "PollingEditSummaryUpdatedData", open with scope {
        /// The message.
        required message_id: MessageId = "message_id",
        /// What it has changed, of no published shape.
        required edit_summary: Json = "edit_summary",
    }
}
