//! JSON Patch, RFC 6902. Operations are open: unknown members must be kept.

#[cfg(feature = "schema")]
use crate::check::shape::JSON_POINTER;
use crate::wire::Json;
use crate::wire::payload::payload;
use crate::wire::union::tagged_union;

tagged_union! {
    /// An operation of a patch.
    pub enum JsonPatchOperation, JsonPatchOperationType = "AguiJsonPatchOperation", tag member "op" {
        /// Adds a value.
        Add(AddOperation) = "add",
        /// Removes a value.
        Remove(RemoveOperation) = "remove",
        /// Replaces a value.
        Replace(ReplaceOperation) = "replace",
        /// Moves a value.
        Move(MoveOperation) = "move",
        /// Copies a value.
        Copy(CopyOperation) = "copy",
        /// Tests a value.
        Test(TestOperation) = "test",
    }
}

payload! {
    /// Adds a value.
    pub struct AddOperation = "AguiAddOperation", open {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"pattern": JSON_POINTER},
        /// The value; null is one.
        required value: Json = "value",
    }
}

payload! {
    /// Removes a value.
    pub struct RemoveOperation = "AguiRemoveOperation", open {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"pattern": JSON_POINTER},
    }
}

payload! {
    /// Replaces a value.
    pub struct ReplaceOperation = "AguiReplaceOperation", open {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"pattern": JSON_POINTER},
        /// The new value; null is one.
        required value: Json = "value",
    }
}

payload! {
    /// Moves a value.
    pub struct MoveOperation = "AguiMoveOperation", open {
        /// Where from, a JSON Pointer.
        required from: String = "from" where {"pattern": JSON_POINTER},
        /// Where, a JSON Pointer.
        required path: String = "path" where {"pattern": JSON_POINTER},
    }
}

payload! {
    /// Copies a value.
    pub struct CopyOperation = "AguiCopyOperation", open {
        /// Where from, a JSON Pointer.
        required from: String = "from" where {"pattern": JSON_POINTER},
        /// Where, a JSON Pointer.
        required path: String = "path" where {"pattern": JSON_POINTER},
    }
}

payload! {
    /// Tests a value.
    pub struct TestOperation = "AguiTestOperation", open {
        /// Where, a JSON Pointer.
        required path: String = "path" where {"pattern": JSON_POINTER},
        /// The value that should be there.
        required value: Json = "value",
    }
}
