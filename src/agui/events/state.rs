//! Shared state, message lists, and what passes through as it is.

use super::common::{attributed, base};
use super::message::Message;
use super::patch::JsonPatchOperation;
use crate::wire::Json;
use crate::wire::payload::payload;

payload! {
    /// Replaces the shared state.
    pub struct StateSnapshot = "AguiStateSnapshotEvent", closed with attributed {
        /// The state; null is a state.
        required snapshot: Json = "snapshot",
    }
}

payload! {
    /// Patches the shared state.
    pub struct StateDelta = "AguiStateDeltaEvent", closed with attributed {
        /// The operations, in order; atomic.
        required delta: Vec<JsonPatchOperation> = "delta",
    }
}

payload! {
    /// Replaces the list of messages.
    pub struct MessagesSnapshot = "AguiMessagesSnapshotEvent", closed with base {
        /// The messages.
        required messages: Vec<Message> = "messages",
    }
}

payload! {
    /// Carries an event of another system.
    pub struct Raw = "AguiRawEvent", closed with attributed {
        /// That event; null is one.
        required event: Json = "event",
        /// The system that it is from.
        optional source: String = "source",
    }
}

payload! {
    /// Carries what an application has agreed upon.
    pub struct Custom = "AguiCustomEvent", closed with attributed {
        /// What it is.
        required name: String = "name",
        /// The value; null is one.
        required value: Json = "value",
    }
}
