//! Lime's runtime facts: `AgentRuntimeExecutionEvent`, contract `lime-runtime-event/v0.1`.
//!
//! One flat object per event. [`Event::event_class`] says what happened; it is optional
//! and open. [`Event::kind`] is the coarse class. `sequence` orders the events; which
//! scope ids an event needs follows from its class.
//!
//! ```
//! use agent_contracts::lime::{Event, EventClass, Head};
//!
//! let head = Head::new("evt_7", "app-server", 7, "2026-06-10T00:00:00.000Z");
//! let event = Event::tool_started(head, "call_1", "Search started").with_thread_id("thread_1");
//! assert_eq!(event.event_class, Some(EventClass::ToolStarted));
//!
//! let text = serde_json::to_string(&event)?;
//! assert_eq!(Event::from_json(&text)?, event);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: the packages `agent-ui-contracts` of Lime up to release 1.110.0.

mod build;
mod capability;
pub(crate) mod check;
mod class;
mod documents;
mod event;
pub(crate) mod facts;
mod fixture;
mod order;
mod read_model;
pub(crate) mod rules;
pub(crate) mod scope;
mod state_delta;

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
