//! Activities: structured messages that change in place.

use super::common::attributed;
use super::names::MessageId;
use super::patch::JsonPatchOperation;
use crate::wire::JsonObject;
use crate::wire::payload::payload;

payload! {
    /// Sets the content of an activity.
    pub struct ActivitySnapshot = "AguiActivitySnapshotEvent", closed with attributed {
        /// The activity message.
        required message_id: MessageId = "messageId",
        /// What kind of activity it is.
        required activity_type: String = "activityType",
        /// The content.
        required content: JsonObject = "content",
        /// Whether an activity that is there is replaced; absent means true.
        optional replace: bool = "replace",
    }
}

payload! {
    /// Patches the content of an activity.
    pub struct ActivityDelta = "AguiActivityDeltaEvent", closed with attributed {
        /// The activity message.
        required message_id: MessageId = "messageId",
        /// What kind of activity it is.
        required activity_type: String = "activityType",
        /// The operations, in order; atomic.
        required patch: Vec<JsonPatchOperation> = "patch",
    }
}
