//! Tool calls: opened, filled with arguments, closed, answered.

use super::content::Content;
use super::names::{MessageId, SubagentRunId, ToolCallId};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Opens a tool call.
    pub struct ToolCallStart = "AguiToolCallStartEvent", closed {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The tool.
        required tool_call_name: String = "toolCallName",
        /// The assistant message that the call belongs to.
        optional parent_message_id: MessageId = "parentMessageId",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Appends to the arguments of an open tool call.
    pub struct ToolCallArgs = "AguiToolCallArgsEvent", closed {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The next piece of the arguments' JSON text.
        required delta: String = "delta",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Closes a tool call: its arguments are complete.
    pub struct ToolCallEnd = "AguiToolCallEndEvent", closed {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Shorthand for the three: opens a call, or continues the open one.
    pub struct ToolCallChunk = "AguiToolCallChunkEvent", closed {
        /// The tool call; required on the chunk that opens one.
        optional tool_call_id: ToolCallId = "toolCallId",
        /// The tool; required on the chunk that opens a call.
        optional tool_call_name: String = "toolCallName",
        /// The assistant message that the call belongs to.
        optional parent_message_id: MessageId = "parentMessageId",
        /// The next piece of the arguments' JSON text.
        optional delta: String = "delta",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Answers a tool call, and makes a tool message of the answer.
    pub struct ToolCallResult = "AguiToolCallResultEvent", closed {
        /// The tool message.
        required message_id: MessageId = "messageId",
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId",
        /// The answer.
        required content: Content = "content",
        /// Always tool.
        optional role: ToolRole = "role",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
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
