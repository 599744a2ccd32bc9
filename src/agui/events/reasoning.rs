//! Reasoning: spans, their messages, and encrypted values.

use super::common::attributed;
use super::names::{EntityId, MessageId};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;

payload! {
    /// Opens a span of reasoning.
    pub struct ReasoningStart = "AguiReasoningStartEvent", closed with attributed {
        /// The span.
        required message_id: MessageId = "messageId",
    }
}

payload! {
    /// Opens a reasoning message.
    pub struct ReasoningMessageStart = "AguiReasoningMessageStartEvent", closed with attributed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// Always reasoning.
        required role: ReasoningRole = "role",
    }
}

payload! {
    /// Appends to an open reasoning message.
    pub struct ReasoningMessageContent = "AguiReasoningMessageContentEvent", closed with attributed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// The next piece of text; empty is legal.
        required delta: String = "delta",
    }
}

payload! {
    /// Closes a reasoning message.
    pub struct ReasoningMessageEnd = "AguiReasoningMessageEndEvent", closed with attributed {
        /// The message.
        required message_id: MessageId = "messageId",
    }
}

payload! {
    /// Shorthand for the three: opens a reasoning message, or continues the open one.
    pub struct ReasoningMessageChunk = "AguiReasoningMessageChunkEvent", closed with attributed {
        /// The message; required on the chunk that opens one.
        optional message_id: MessageId = "messageId",
        /// The next piece of text.
        optional delta: String = "delta",
    }
}

payload! {
    /// Closes a span of reasoning.
    pub struct ReasoningEnd = "AguiReasoningEndEvent", closed with attributed {
        /// The span.
        required message_id: MessageId = "messageId",
    }
}

payload! {
    /// Attaches an encrypted value to a message or tool call.
    pub struct ReasoningEncryptedValue = "AguiReasoningEncryptedValueEvent", closed with attributed {
        /// What the entity is.
        required subtype: ReasoningEncryptedValueSubtype = "subtype",
        /// The message or tool call.
        required entity_id: EntityId = "entityId",
        /// The value: opaque, to be stored and given back.
        required encrypted_value: String = "encryptedValue",
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
