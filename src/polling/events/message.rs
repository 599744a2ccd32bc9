//! Messages, and requests to the model.

use super::common::scope;
use super::names::{MessageId, MessageSource, Visibility};
use crate::wire::payload::payload;
use crate::wire::{Integer, Json, JsonObject, Number};

payload! {
    /// A message that the task answers, of the user or of the server itself.
    ///
    /// One with the id of an earlier one replaces it. Equal texts are different messages.
    pub struct UserMessage = "PollingUserMessageData", open with scope {
        /// The text.
        required message: String = "message",
        /// The text for the model, where it is another.
        optional content: Json = "content",
        /// Images that were sent along.
        expected images: Vec<Json> = "images",
        /// Videos that were sent along.
        expected videos: Vec<Json> = "videos",
        /// References to media that were sent along.
        expected media_refs: Vec<Json> = "media_refs",
        /// Where it comes from.
        expected message_source: MessageSource = "message_source",
        /// How it is shown.
        expected visibility: Visibility = "visibility",
        /// Whether work begins with it.
        expected starts_work: bool = "starts_work",
        /// Details of the message, of no published shape.
        expected metadata: JsonObject = "metadata",
        /// When it came, ISO 8601 without an offset.
        expected timestamp: String = "timestamp",
        /// The message.
        optional message_id: MessageId = "message_id",
        /// Whether it comes within an answer.
        optional inline: Json = "inline",
        /// Where it comes from, in more detail.
        optional source: String = "source",
        /// Guidance while the task runs.
        optional runtime_guidance: Json = "runtime_guidance",
        /// The guidance as the user has written it.
        optional runtime_guidance_original: Json = "runtime_guidance_original",
        /// The command in the background that it is about.
        optional command_id: String = "command_id",
        /// What kind of message the server has written.
        optional auto_message_type: String = "auto_message_type",
        /// Of a message among agents.
        optional multi_agent_message: Json = "multi_agent_message",
        /// The name of the agent.
        optional multi_agent_display_name: String = "multi_agent_display_name",
        /// The kind of message among agents.
        optional multi_agent_subtype: String = "multi_agent_subtype",
        /// Of a notice about a sub-agent.
        optional sub_agent_notice: Json = "sub_agent_notice",
    }
}

impl UserMessage {
    /// `timestamp` as a time, if it is one without an offset.
    ///
    /// Since 0.1.0. Source: task API §5.1.
    #[cfg(feature = "chrono")]
    pub fn timestamp_time(&self) -> Option<chrono::NaiveDateTime> {
        self.timestamp.as_deref()?.parse().ok()
    }
}

payload! {
    /// The answer begins; once in a task.
    pub struct AiMessageStart = "PollingAiMessageStartData", open with scope {}
}

payload! {
    /// The model is asked.
    pub struct ApiRequestStart = "PollingApiRequestStartData", open with scope {
        /// Which attempt it is, from 1.
        expected attempt: Integer = "attempt",
        /// How many attempts there are at most.
        expected max_attempts: Integer = "max_attempts",
    }
}

payload! {
    /// The stream of the model broke: what this attempt has brought is void.
    pub struct StreamReset = "PollingStreamResetData", open with scope {
        /// Why, such as `stream_disconnected`.
        required reason: String = "reason",
        /// Which attempt it was, from 1.
        required attempt: Integer = "attempt",
        /// How many attempts there are at most.
        required max_attempts: Integer = "max_attempts",
        /// When the next one begins, in seconds from now.
        required retry_in: Number = "retry_in",
    }
}

payload! {
    /// A message of the server.
    pub struct SystemMessage = "PollingSystemMessageData", open with scope {
        /// The text.
        expected content: String = "content",
    }
}
