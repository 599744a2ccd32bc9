//! What the session's stream tells of tools that run. The text of the answer tells of their
//! calls and results.

use super::common::timed;
use super::names::ToolExecutionId;
use super::tool_stream::{ToolPartialUpdateData, ToolUpdateData};
use crate::wire::JsonObject;
use crate::wire::payload::payload;

payload! {
    /// Says what a tool is doing.
    pub struct ToolUpdate = "UbikToolUpdateEvent", open with timed {
        /// The tool execution; the id in the tool's tags of the answer.
        required tool_execution_id: ToolExecutionId = "tool_execution_id",
        /// The tool, such as `web_search`.
        required tool_name: String = "tool_name",
        /// What the tool's own stream says.
        required data: ToolUpdateData = "data",
    }
}

payload! {
    /// Carries a piece of what a tool puts out.
    pub struct ToolPartialUpdate = "UbikToolPartialUpdateEvent", open with timed {
        /// The tool execution; the id in the tool's tags of the answer.
        required tool_execution_id: ToolExecutionId = "tool_execution_id",
        /// The tool, such as `web_search`.
        required tool_name: String = "tool_name",
        /// What the tool's own stream says.
        required data: ToolPartialUpdateData = "data",
    }
}

payload! {
    /// Asks the user for a tool. The tool's own stream asks in another form.
    pub struct ToolInputRequired = "UbikToolInputRequiredEvent", open with timed {
        /// The tool execution; the id in the tool's tags of the answer.
        required tool_execution_id: ToolExecutionId = "tool_execution_id",
        /// The tool, such as `human_confirmation`.
        required tool_name: String = "tool_name",
        /// What the tool was called with, such as the question; decided by the tool.
        required tool_input: JsonObject = "tool_input",
    }
}
