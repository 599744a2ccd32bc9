//! Activities: structured messages that change in place.

use super::names::{MessageId, SubagentRunId};
use super::patch::JsonPatchOperation;
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Sets the content of an activity.
    pub struct ActivitySnapshot = "AguiActivitySnapshotEvent", closed {
        /// The activity message.
        required message_id: MessageId = "messageId",
        /// What kind of activity it is.
        required activity_type: String = "activityType",
        /// The content.
        required content: JsonObject = "content",
        /// Whether an activity that is there is replaced; absent means true.
        optional replace: bool = "replace",
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
    /// Patches the content of an activity.
    pub struct ActivityDelta = "AguiActivityDeltaEvent", closed {
        /// The activity message.
        required message_id: MessageId = "messageId",
        /// What kind of activity it is.
        required activity_type: String = "activityType",
        /// The operations, in order; atomic.
        required patch: Vec<JsonPatchOperation> = "patch",
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
