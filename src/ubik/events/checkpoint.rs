//! Checkpoints, and what the user is asked at them.

use super::common::timed;
use super::names::InputType;
use crate::wire::payload::payload;

payload! {
    /// Says that a checkpoint was reached.
    pub struct CheckpointCreated = "UbikCheckpointCreatedEvent", open {
        /// The checkpoint.
        required checkpoint_name: String = "checkpoint_name",
        /// When it was reached, ISO 8601. This event has no `timestamp`.
        required created_at: String = "created_at",
    }
}

payload! {
    /// Asks the user, without whose answer the agent does not go on.
    pub struct InputRequired = "UbikInputRequiredEvent", open with timed {
        /// The checkpoint that the agent waits at.
        required checkpoint_name: String = "checkpoint_name",
        /// The question.
        required prompt: String = "prompt",
        /// The forms that the answer may have.
        required input_types: Vec<InputType> = "input_types",
    }
}
