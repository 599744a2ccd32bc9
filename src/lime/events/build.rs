//! Constructors that know which ids a class needs.

use super::event::{
    ActionId, ArtifactId, Event, EventId, EvidenceId, Kind, RuntimeId, SCHEMA_VERSION, Status, ToolCallId,
};
use super::{EventClass, TurnId};
use crate::wire::{Integer, JsonObject};

/// What every event carries, whatever its class.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head {
    /// The id of the event.
    pub id: EventId,
    /// The runtime that reports it.
    pub runtime_id: RuntimeId,
    /// The position in the stream.
    pub sequence: Integer,
    /// When it came to be, ISO 8601.
    pub created_at: String,
}

impl Head {
    /// The head of an event.
    pub fn new(
        id: impl Into<EventId>,
        runtime_id: impl Into<RuntimeId>,
        sequence: impl Into<Integer>,
        created_at: impl Into<String>,
    ) -> Self {
        Self { id: id.into(), runtime_id: runtime_id.into(), sequence: sequence.into(), created_at: created_at.into() }
    }
}

impl Event {
    /// An event of any class, with the current schema version.
    ///
    /// Prefer the constructor of the class where there is one: it asks for the ids that
    /// the class needs.
    pub fn of_class(
        head: Head,
        class: impl Into<EventClass>,
        kind: Kind,
        status: Status,
        title: impl Into<String>,
    ) -> Self {
        Self::new(head.id, SCHEMA_VERSION, head.runtime_id, kind, status, head.sequence, title, head.created_at)
            .with_event_class(class)
    }
}

/// One constructor a row: class, kind, status, then the ids that the class cannot do without.
macro_rules! constructors {
    ($( $(#[doc = $doc:literal])* $name:ident: $class:ident, $kind:ident, $status:ident $(, $id:ident: $type:ty)* );+ $(;)?) => {
        impl Event {
            $(
                $(#[doc = $doc])*
                pub fn $name(head: Head, $($id: impl Into<$type>,)* title: impl Into<String>) -> Self {
                    pastey::paste! {
                        Self::of_class(head, EventClass::$class, Kind::$kind, Status::$status, title)
                            $(.[<with_ $id>]($id))*
                    }
                }
            )+
        }
    };
}

constructors! {
    /// `turn.submitted`: a turn was handed in.
    turn_submitted: TurnSubmitted, State, Pending, turn_id: TurnId;
    /// `turn.started`: a turn begins.
    turn_started: TurnStarted, State, Running, turn_id: TurnId;
    /// `turn.completed`: a turn ends well.
    turn_completed: TurnCompleted, State, Completed, turn_id: TurnId;
    /// `turn.failed`: a turn ends badly.
    turn_failed: TurnFailed, State, Failed, turn_id: TurnId;
    /// `turn.canceled`: a turn was stopped on request.
    turn_canceled: TurnCanceled, State, Canceled, turn_id: TurnId;
    /// `model.delta`: a piece of text; `payload` holds `messageId` and `delta`.
    model_delta: ModelDelta, Model, Running, payload: JsonObject;
    /// `model.completed`: the text is complete; `payload` holds `messageId` and `text`.
    model_completed: ModelCompleted, Model, Completed, payload: JsonObject;
    /// `tool.started`: a tool call begins.
    tool_started: ToolStarted, Tool, Running, tool_call_id: ToolCallId;
    /// `tool.result`: a tool call ends well.
    tool_result: ToolResult, Tool, Completed, tool_call_id: ToolCallId;
    /// `tool.failed`: a tool call ends badly.
    tool_failed: ToolFailed, Tool, Failed, tool_call_id: ToolCallId;
    /// `action.required`: a human is asked.
    action_required: ActionRequired, Action, Blocked, action_id: ActionId;
    /// `action.resolved`: a human has answered.
    action_resolved: ActionResolved, Action, Completed, action_id: ActionId;
    /// `artifact.changed`: an artifact changed.
    artifact_changed: ArtifactChanged, Draft, Completed, artifact_id: ArtifactId;
    /// `evidence.changed`: evidence changed.
    evidence_changed: EvidenceChanged, Evidence, Completed, evidence_id: EvidenceId;
    /// `snapshot.updated`: the read model is repaired or settled.
    snapshot_updated: SnapshotUpdated, State, Completed;
    /// `patch.started`: a patch begins; `payload` holds `patchId`.
    patch_started: PatchStarted, Tool, Running, payload: JsonObject;
    /// `command.started`: a command begins; `payload` holds `commandId`.
    command_started: CommandStarted, Tool, Running, payload: JsonObject;
    /// `test.started`: a test run begins; `payload` holds `testRunId`.
    test_started: TestStarted, Tool, Running, payload: JsonObject;
}
