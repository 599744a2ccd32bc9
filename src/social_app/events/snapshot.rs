//! Snapshots: the codec knows them, the main flow does not send them.

use crate::agui::{RunId, ThreadId};
use crate::wire::Json;
use crate::wire::payload::payload;

payload! {
    /// Replaces the shared state.
    pub struct StateSnapshot = "SocialAppStateSnapshotEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The state, any value; of no published shape.
        optional snapshot: Json = "snapshot",
    }
}

payload! {
    /// Replaces the list of messages.
    pub struct MessagesSnapshot = "SocialAppMessagesSnapshotEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The messages; of no published shape.
        optional messages: Json = "messages",
    }
}
