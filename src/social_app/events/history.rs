//! What `GET /api/v1/agent/history` answers: the stored messages of a day.

use super::super::visibility::VisibilityMask;
use crate::agui::{MessageId, ThreadId};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::{Integer, JsonObject, Nullable};

string_enum! {
    closed
    /// Who has written a message of the history.
    pub enum HistoryRole {
        /// The user.
        User = "user",
        /// The agent.
        Assistant = "assistant",
        /// A tool; not in answers from 2026-03-17 to 2026-04-23.
        Tool = "tool",
    }
}

string_enum! {
    open
    /// What a history answer covers.
    pub enum HistoryScope {
        /// One day.
        HistoryDay = "history_day",
    }
}

payload! {
    /// A file that a user has sent along.
    pub struct Attachment = "SocialAppAttachment", open {
        /// The media type.
        required mime_type: String = "mimeType",
        /// A signed URL.
        required url: String = "url",
    }
}

payload! {
    /// A stored message.
    ///
    /// `content` is a string for every role, for a tool the JSON text of its result, which
    /// the stream sends as an object. `suggestedActions` is `suggested_actions` there.
    pub struct HistoryMessage = "SocialAppHistoryMessage", open {
        /// The message.
        required id: MessageId = "id",
        /// Its number in the conversation.
        required seq: Integer = "seq",
        /// Who has written it.
        required role: HistoryRole = "role",
        /// The text; of a tool, JSON text.
        required content: String = "content",
        /// What the user could ask next.
        optional suggested_actions: Vec<String> = "suggestedActions",
        /// What the user has sent along.
        optional attachments: Vec<Attachment> = "attachments",
        /// How to show it.
        optional ui_schema: Nullable<JsonObject> = "ui_schema",
        /// When it was stored, ISO 8601.
        required timestamp: String = "timestamp",
    }
}

payload! {
    /// The messages of a day.
    ///
    /// Only messages that are visible by `UI_HISTORY` are in it.
    pub struct HistoryResponse = "SocialAppHistoryResponse", open {
        /// What the answer covers.
        required scope: HistoryScope = "scope",
        /// The conversation.
        required thread_id: ThreadId = "threadId",
        /// The day, `YYYY-MM-DD`.
        required day: String = "day",
        /// Whether there are older days.
        required has_more: bool = "hasMore",
        /// The messages, oldest first.
        required messages: Vec<HistoryMessage> = "messages",
    }
}

impl HistoryMessage {
    /// `timestamp` as a time, if it is one with an offset.
    #[cfg(feature = "chrono")]
    pub fn timestamp_time(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
        chrono::DateTime::parse_from_rfc3339(&self.timestamp).ok()
    }
}

impl HistoryResponse {
    /// The bit that a stored message needs to be in an answer.
    pub const VISIBILITY: VisibilityMask = VisibilityMask::UI_HISTORY;
}
