//! Text messages: opened, filled, closed, or in chunks.

use super::names::{MessageId, SubagentRunId, TextMessageRole};
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Opens a text message.
    pub struct TextMessageStart = "AguiTextMessageStartEvent", closed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// Who speaks; absent means assistant.
        optional role: TextMessageRole = "role",
        /// The name of the speaker.
        optional name: String = "name",
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
    /// Appends to an open text message.
    pub struct TextMessageContent = "AguiTextMessageContentEvent", closed {
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
    /// Closes a text message.
    pub struct TextMessageEnd = "AguiTextMessageEndEvent", closed {
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
    /// Shorthand for the three: opens a message, or continues the open one.
    pub struct TextMessageChunk = "AguiTextMessageChunkEvent", closed {
        /// The message; required on the chunk that opens one.
        optional message_id: MessageId = "messageId",
        /// Who speaks; absent means assistant.
        optional role: TextMessageRole = "role",
        /// The next piece of text.
        optional delta: String = "delta",
        /// The name of the speaker.
        optional name: String = "name",
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
