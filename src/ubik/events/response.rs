//! The text of the answer: announced, in pieces, and whole.

use super::common::timed;
use super::names::{MessageId, TaskId};
use crate::wire::payload::payload;
use crate::wire::{Integer, Nullable};

payload! {
    /// Announces the text of the answer.
    pub struct ResponseStreamStart = "UbikResponseStreamStartEvent", open with timed {
        /// The message; null or the text `None` as long as there is none.
        optional message_id: Nullable<MessageId> = "message_id",
        /// The task.
        required task_id: TaskId = "task_id",
    }
}

impl ResponseStreamStart {
    /// The message, if there is one yet: absence, `null` and the text `None` say that there
    /// is not. `message_id` keeps what was on the wire.
    ///
    /// ```
    /// use agent_contracts::ubik::ResponseStreamStart;
    ///
    /// let text = r#"{"message_id":"None","task_id":"t1","timestamp":"2026-01-01T00:00:00Z"}"#;
    /// let start = ResponseStreamStart::from_json(text)?;
    /// assert_eq!(start.message(), None);
    /// assert_eq!(serde_json::to_string(&start)?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn message(&self) -> Option<&MessageId> {
        self.message_id.as_ref().and_then(Nullable::as_option).filter(|message| !message.is_none())
    }
}

payload! {
    /// Carries a piece of the answer, which may end inside of a tag.
    pub struct ResponseChunk = "UbikResponseChunkEvent", open with timed {
        /// The next piece of text.
        required content: String = "content",
        /// The number of the step that it belongs to; absent outside of steps.
        optional step: Integer = "step",
    }
}

payload! {
    /// Carries the whole text of the answer as it is now.
    pub struct AgentResponseUpdate = "UbikAgentResponseUpdateEvent", open with timed {
        /// The message.
        required message_id: MessageId = "message_id",
        /// The whole text; it replaces what was put together before.
        required content: String = "content",
        /// The message that this one answers.
        required parent_id: MessageId = "parent_id",
    }
}
