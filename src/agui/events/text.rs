//! Text messages: opened, filled, closed, or in chunks.

use super::common::attributed;
use super::names::{MessageId, TextMessageRole};
use crate::wire::payload::payload;

payload! {
    /// Opens a text message.
    pub struct TextMessageStart = "AguiTextMessageStartEvent", closed with attributed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// Who speaks; absent means assistant.
        optional role: TextMessageRole = "role",
        /// The name of the speaker.
        optional name: String = "name",
    }
}

payload! {
    /// Appends to an open text message.
    pub struct TextMessageContent = "AguiTextMessageContentEvent", closed with attributed {
        /// The message.
        required message_id: MessageId = "messageId",
        /// The next piece of text; empty is legal.
        required delta: String = "delta",
    }
}

payload! {
    /// Closes a text message.
    pub struct TextMessageEnd = "AguiTextMessageEndEvent", closed with attributed {
        /// The message.
        required message_id: MessageId = "messageId",
    }
}

payload! {
    /// Shorthand for the three: opens a message, or continues the open one.
    pub struct TextMessageChunk = "AguiTextMessageChunkEvent", closed with attributed {
        /// The message; required on the chunk that opens one.
        optional message_id: MessageId = "messageId",
        /// Who speaks; absent means assistant.
        optional role: TextMessageRole = "role",
        /// The next piece of text.
        optional delta: String = "delta",
        /// The name of the speaker.
        optional name: String = "name",
    }
}
