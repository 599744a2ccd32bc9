//! The types of Lime: what is on the wire.

pub(super) mod build;
pub(super) mod capability;
pub(super) mod class;
pub(super) mod event;
pub(super) mod fixture;
pub(super) mod read_model;
pub(super) mod state_delta;

pub use build::Head;
pub use capability::{Capability, CapabilityManifest, CapabilityScope, CapabilityStatus};
pub use class::{EventClass, Family, LEGACY_TURN_TERMINALS};
pub use event::{
    ActionId, ArtifactId, AttemptId, ChannelId, Event, EventId, EvidenceId, HandoffId, Kind, Owner, Phase, ReviewId,
    RunId, RuntimeId, SCHEMA_VERSION, SpanId, Status, StepId, SubagentId, TaskId, ThreadId, ToolCallId, TraceId,
    TurnId, WorkerId,
};
pub use fixture::{CodingExpectation, Expectation, FIXTURE_SCHEMA_VERSION, Fixture, SubagentsExpectation};
pub use read_model::{ActionProjection, EventProjection, ReadModel};
pub use state_delta::{
    Add, Copy, Move, PatchOperation, PatchOperationType, Remove, Replace, STATE_DELTA_SCHEMA_VERSION, StateDelta, Test,
};
