//! Tool calls: opened, filled with arguments, closed, answered.

use super::common::attributed;
use super::content::Content;
use super::names::{MessageId, ToolCallId};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;

payload! {
    /// Opens a tool call.
    pub struct ToolCallStart = "AguiToolCallStartEvent", closed with attributed {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The tool.
        required tool_call_name: String = "toolCallName",
        /// The assistant message that the call belongs to.
        optional parent_message_id: MessageId = "parentMessageId",
    }
}

payload! {
    /// Appends to the arguments of an open tool call.
    pub struct ToolCallArgs = "AguiToolCallArgsEvent", closed with attributed {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The next piece of the arguments' JSON text.
        required delta: String = "delta",
    }
}

payload! {
    /// Closes a tool call: its arguments are complete.
    pub struct ToolCallEnd = "AguiToolCallEndEvent", closed with attributed {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
    }
}

payload! {
    /// Shorthand for the three: opens a call, or continues the open one.
    pub struct ToolCallChunk = "AguiToolCallChunkEvent", closed with attributed {
        /// The tool call; required on the chunk that opens one.
        optional tool_call_id: ToolCallId = "toolCallId",
        /// The tool; required on the chunk that opens a call.
        optional tool_call_name: String = "toolCallName",
        /// The assistant message that the call belongs to.
        optional parent_message_id: MessageId = "parentMessageId",
        /// The next piece of the arguments' JSON text.
        optional delta: String = "delta",
    }
}

payload! {
    /// Answers a tool call, and makes a tool message of the answer.
    pub struct ToolCallResult = "AguiToolCallResultEvent", closed with attributed {
        /// The tool message.
        required message_id: MessageId = "messageId",
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The answer.
        required content: Content = "content",
        /// Always tool.
        optional role: ToolRole = "role",
    }
}

string_enum! {
    closed
    /// The role of a tool's answer.
    pub enum ToolRole {
        /// A tool.
        Tool = "tool",
    }
}
