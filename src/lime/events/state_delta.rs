//! Patches of projected state, `lime-runtime-state-delta/v0.1`.

use super::event::{EventId, RuntimeId, ThreadId, TurnId};
use crate::wire::payload::payload;
use crate::wire::union::tagged_union;
use crate::wire::{Integer, Json};

/// The only value of a state delta's `schemaVersion`.
///
/// Since 0.1.0.
pub const STATE_DELTA_SCHEMA_VERSION: &str = "lime-runtime-state-delta/v0.1";

payload! {
    /// A patch of projected state. Closed: the schema refuses other members.
    pub struct StateDelta = "LimeStateDelta", closed {
        /// The version of the contract, `lime-runtime-state-delta/v0.1`.
        required schema_version: String = "schemaVersion" where {"const": STATE_DELTA_SCHEMA_VERSION},
        /// The runtime that reports it.
        required runtime_id: RuntimeId = "runtimeId" where {"minLength": 1},
        /// The conversation.
        optional thread_id: ThreadId = "threadId",
        /// The turn.
        optional turn_id: TurnId = "turnId",
        /// The position in the stream.
        required sequence: Integer = "sequence" where {"minimum": 0},
        /// The event that the patch builds upon.
        optional base_event_id: EventId = "baseEventId",
        /// What is patched: `projection`, `readModel`, `runtime`, or a dotted place below.
        required target: String = "target",
        /// The operations, in order.
        required patch: Vec<PatchOperation> = "patch",
        /// When it came to be, ISO 8601 text as it came.
        required created_at: String = "createdAt" where {"minLength": 1},
    }
}

tagged_union! {
    /// An operation of RFC 6902. Closed: Lime's schema admits no other operation.
    pub enum PatchOperation, PatchOperationType = "LimePatchOperation", tag member "op" {
        /// Adds a value.
        Add(Add) = "add",
        /// Replaces a value.
        Replace(Replace) = "replace",
        /// Tests a value.
        Test(Test) = "test",
        /// Removes a value.
        Remove(Remove) = "remove",
        /// Moves a value.
        Move(Move) = "move",
        /// Copies a value.
        Copy(Copy) = "copy",
    }
}

payload! {
    /// Adds a value.
    pub struct Add = "LimeAddOperation", closed {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"minLength": 1},
        /// The value to add.
        required value: Json = "value",
    }
}

payload! {
    /// Replaces a value.
    pub struct Replace = "LimeReplaceOperation", closed {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"minLength": 1},
        /// The new value.
        required value: Json = "value",
    }
}

payload! {
    /// Tests a value.
    pub struct Test = "LimeTestOperation", closed {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"minLength": 1},
        /// What should be there.
        required value: Json = "value",
    }
}

payload! {
    /// Removes a value.
    pub struct Remove = "LimeRemoveOperation", closed {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"minLength": 1},
    }
}

payload! {
    /// Moves a value.
    pub struct Move = "LimeMoveOperation", closed {
        /// Where to, a JSON Pointer.
        required path: String = "path" where {"minLength": 1},
        /// Where from, a JSON Pointer.
        required from: String = "from" where {"minLength": 1},
    }
}

payload! {
    /// Copies a value.
    pub struct Copy = "LimeCopyOperation", closed {
        /// Where to, a JSON Pointer.
        required path: String = "path" where {"minLength": 1},
        /// Where from, a JSON Pointer.
        required from: String = "from" where {"minLength": 1},
    }
}
