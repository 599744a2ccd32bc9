//! Reasoning: spans, their messages, and encrypted values.

use super::names::{EntityId, MessageId, SubagentRunId};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Opens a span of reasoning.
    pub struct ReasoningStart = "AguiReasoningStartEvent", closed {
        /// The span.
        required message_id: MessageId = "messageId",
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
    /// Opens a reasoning message.
    pub struct ReasoningMessageStart = "AguiReasoningMessageStartEvent", closed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// Always reasoning.
        required role: ReasoningRole = "role",
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
    /// Appends to an open reasoning message.
    pub struct ReasoningMessageContent = "AguiReasoningMessageContentEvent", closed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// The next piece of text; empty is legal.
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
    /// Closes a reasoning message.
    pub struct ReasoningMessageEnd = "AguiReasoningMessageEndEvent", closed {
        /// The message.
        required message_id: MessageId = "messageId",
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
    /// Shorthand for the three: opens a reasoning message, or continues the open one.
    pub struct ReasoningMessageChunk = "AguiReasoningMessageChunkEvent", closed {
        /// The message; required on the chunk that opens one.
        optional message_id: MessageId = "messageId",
        /// The next piece of text.
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
    /// Closes a span of reasoning.
    pub struct ReasoningEnd = "AguiReasoningEndEvent", closed {
        /// The span.
        required message_id: MessageId = "messageId",
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
    /// Attaches an encrypted value to a message or tool call.
    pub struct ReasoningEncryptedValue = "AguiReasoningEncryptedValueEvent", closed {
        /// What the entity is.
        required subtype: ReasoningEncryptedValueSubtype = "subtype",
        /// The message or tool call.
        required entity_id: EntityId = "entityId",
        /// The value: opaque, to be stored and given back.
        required encrypted_value: String = "encryptedValue",
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
    /// The role of a reasoning message.
    pub enum ReasoningRole {
        /// Reasoning.
        Reasoning = "reasoning",
    }
}

string_enum! {
    closed
    /// What an encrypted value belongs to.
    pub enum ReasoningEncryptedValueSubtype {
        /// A tool call.
        ToolCall = "tool-call",
        /// A message.
        Message = "message",
    }
}
