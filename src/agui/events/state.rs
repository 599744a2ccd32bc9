//! Shared state, message lists, and what passes through as it is.

use super::message::Message;
use super::names::SubagentRunId;
use super::patch::JsonPatchOperation;
use crate::wire::payload::payload;
use crate::wire::{Json, JsonObject, NonNullJson, SafeInteger};

payload! {
    /// Replaces the shared state.
    pub struct StateSnapshot = "AguiStateSnapshotEvent", closed {
        /// The state; null is a state.
        required snapshot: Json = "snapshot",
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
    /// Patches the shared state.
    pub struct StateDelta = "AguiStateDeltaEvent", closed {
        /// The operations, in order; atomic.
        required delta: Vec<JsonPatchOperation> = "delta",
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
    /// Replaces the list of messages.
    pub struct MessagesSnapshot = "AguiMessagesSnapshotEvent", closed {
        /// The messages.
        required messages: Vec<Message> = "messages",
        /// When it came to be, by convention milliseconds since the epoch. Never an ordering key.
        optional timestamp: SafeInteger = "timestamp",
        /// The event of the system behind, as it came. Never null.
        optional raw_event: NonNullJson = "rawEvent",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// Carries an event of another system.
    pub struct Raw = "AguiRawEvent", closed {
        /// That event; null is one.
        required event: Json = "event",
        /// The system that it is from.
        optional source: String = "source",
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
    /// Carries what an application has agreed upon.
    pub struct Custom = "AguiCustomEvent", closed {
        /// What it is.
        required name: String = "name",
        /// The value; null is one.
        required value: Json = "value",
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
