//! The runtime event: 35 fields, one flat object.

use super::class::EventClass;
#[cfg(feature = "schema")]
use super::class::LEGACY_TURN_TERMINALS;
use crate::wire::names::{ids, string_enum};
use crate::wire::payload::payload;
use crate::wire::{Integer, JsonObject};

/// The only value of `schemaVersion` that the published schema admits.
///
/// Since 0.1.0.
pub const SCHEMA_VERSION: &str = "lime-runtime-event/v0.1";

ids!(
    /// The id of an event, its idempotence key.
    EventId,
    /// The runtime that reports the event.
    RuntimeId,
    /// A conversation.
    ThreadId,
    /// A turn of a conversation.
    TurnId,
    /// A task.
    TaskId,
    /// A subagent.
    SubagentId,
    /// A run of the runtime.
    RunId,
    /// A step of a run.
    StepId,
    /// A call of a tool.
    ToolCallId,
    /// A request to a human.
    ActionId,
    /// A worker.
    WorkerId,
    /// A channel between agents.
    ChannelId,
    /// A handoff from one agent to another.
    HandoffId,
    /// A review.
    ReviewId,
    /// A trace.
    TraceId,
    /// A span of a trace.
    SpanId,
    /// An attempt at a step.
    AttemptId,
    /// An artifact.
    ArtifactId,
    /// A piece of evidence.
    EvidenceId,
);

string_enum! {
    open
    /// The coarse class of a fact, `AgentRuntimeExecutionEventKind`.
    pub enum Kind {
        /// Context for the agent.
        Context = "context",
        /// An input source.
        Source = "source",
        /// A skill.
        Skill = "skill",
        /// A tool.
        Tool = "tool",
        /// A permission.
        Permission = "permission",
        /// The sandbox.
        Sandbox = "sandbox",
        /// State of session, turn or run.
        State = "state",
        /// The model.
        Model = "model",
        /// A draft.
        Draft = "draft",
        /// A handoff.
        Handoff = "handoff",
        /// A request to a human.
        Action = "action",
        /// Evidence.
        Evidence = "evidence",
        /// A note.
        Note = "note",
    }
}

string_enum! {
    open
    /// The status that a user interface shows, `AgentRuntimeExecutionEventStatus`.
    pub enum Status {
        /// Not begun.
        Pending = "pending",
        /// Under way.
        Running = "running",
        /// Done.
        Completed = "completed",
        /// Waiting for somebody.
        Blocked = "blocked",
        /// Stopped on request; one `l`.
        Canceled = "canceled",
        /// Failed.
        Failed = "failed",
    }
}

string_enum! {
    open
    /// Who owns the fact, `AgentRuntimeFactOwner`.
    pub enum Owner {
        /// The runtime.
        Runtime = "runtime",
        /// The artifact store.
        Artifact = "artifact",
        /// The evidence store.
        Evidence = "evidence",
    }
}

string_enum! {
    open
    /// The phase of a run, `AgentRuntimePhase`.
    pub enum Phase {
        /// Handed in.
        Submitted = "submitted",
        /// Looking for a model.
        Routing = "routing",
        /// Preparing the call.
        Preparing = "preparing",
        /// Waiting for the provider.
        WaitingProvider = "waiting_provider",
        /// Streaming.
        Streaming = "streaming",
        /// A tool runs.
        ToolRunning = "tool_running",
        /// A human is asked.
        ActionRequired = "action_required",
        /// Failed.
        Failed = "failed",
        /// Stopped on request.
        Canceled = "canceled",
        /// Done.
        Completed = "completed",
        /// Waiting for somebody.
        Blocked = "blocked",
    }
}

payload! {
    /// A fact that the runtime reports, `AgentRuntimeExecutionEvent`.
    ///
    /// `schemaVersion`, `runtimeId` and `sequence` are optional in Lime's types and
    /// required by its validator and schema.
    pub struct Event = "LimeEvent", open {
        /// The id of the event. A repeated id must not be projected twice.
        required id: EventId = "id" where {"minLength": 1},
        /// The version of the contract, `lime-runtime-event/v0.1`.
        expected schema_version: String = "schemaVersion" where {"const": SCHEMA_VERSION},
        /// The runtime that reports the event.
        expected runtime_id: RuntimeId = "runtimeId" where {"minLength": 1},
        /// The coarse class of the fact.
        required kind: Kind = "kind" where {"minLength": 1},
        /// The status that a user interface shows.
        required status: Status = "status" where {"minLength": 1},
        /// What happened. Decides which scope ids the event needs.
        optional event_class: EventClass = "eventClass" where {"not": {"enum": LEGACY_TURN_TERMINALS}},
        /// Who owns the fact.
        optional owner: Owner = "owner",
        /// The position in the stream, contiguous from one event to the next.
        expected sequence: Integer = "sequence" where {"minimum": 0},
        /// The conversation.
        optional thread_id: ThreadId = "threadId",
        /// The turn.
        optional turn_id: TurnId = "turnId",
        /// The task.
        optional task_id: TaskId = "taskId",
        /// The subagent.
        optional subagent_id: SubagentId = "subagentId",
        /// The run.
        optional run_id: RunId = "runId",
        /// The step.
        optional step_id: StepId = "stepId",
        /// The tool call, required by `tool.*`.
        optional tool_call_id: ToolCallId = "toolCallId",
        /// The action, required by `action.*`.
        optional action_id: ActionId = "actionId",
        /// The worker.
        optional worker_id: WorkerId = "workerId",
        /// The channel.
        optional channel_id: ChannelId = "channelId",
        /// The handoff.
        optional handoff_id: HandoffId = "handoffId",
        /// The review.
        optional review_id: ReviewId = "reviewId",
        /// The trace.
        optional trace_id: TraceId = "traceId",
        /// The span.
        optional span_id: SpanId = "spanId",
        /// The attempt.
        optional attempt_id: AttemptId = "attemptId",
        /// The artifact; `artifact.*` needs this or `artifactRefs`.
        optional artifact_id: ArtifactId = "artifactId",
        /// The evidence; `evidence.*` and `review.*` need this or `evidenceRefs`.
        optional evidence_id: EvidenceId = "evidenceId",
        /// The phase of the run.
        optional phase: Phase = "phase",
        /// A short line for people.
        required title: String = "title" where {"minLength": 1},
        /// A longer text for people.
        optional detail: String = "detail",
        /// References to outputs that are too large for the payload.
        optional ref_ids: Vec<String> = "refIds",
        /// Artifacts that the fact is about.
        optional artifact_refs: Vec<String> = "artifactRefs",
        /// Evidence that the fact is about.
        optional evidence_refs: Vec<String> = "evidenceRefs",
        /// Small structured details: at most 32 000 UTF-16 units, no secrets.
        optional payload: JsonObject = "payload",
        /// The model.
        optional model: String = "model",
        /// When the fact came to be, ISO 8601 text as it came.
        required created_at: String = "createdAt" where {"minLength": 1},
        /// When it ended, ISO 8601 text as it came.
        optional completed_at: String = "completedAt",
    }
}

impl Event {
    /// Encodes as JSON text on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The family of the event's class, such as `tool` for `tool.started`.
    pub fn family(&self) -> Option<super::Family> {
        self.event_class.as_ref().and_then(EventClass::family)
    }

    /// The id of a patch, command or test run: `payload` member `name`, else the tool
    /// call, as the reference verifier pairs them.
    fn coding_id(&self, name: &str) -> Option<String> {
        let from_payload = self.payload.as_ref().and_then(|payload| payload.get(name)).and_then(|id| id.as_string());
        from_payload
            .filter(|id| !id.is_empty())
            .or_else(|| self.tool_call_id.as_ref().map(ToString::to_string).filter(|id| !id.is_empty()))
    }

    /// The patch that a `patch.*` event is about.
    pub fn patch_id(&self) -> Option<String> {
        self.coding_id("patchId")
    }

    /// The command that a `command.*` event is about.
    pub fn command_id(&self) -> Option<String> {
        self.coding_id("commandId")
    }

    /// The test run that a `test.*` event is about.
    pub fn test_run_id(&self) -> Option<String> {
        self.coding_id("testRunId")
    }

    /// `createdAt` as a point in time, if it is RFC 3339.
    #[cfg(feature = "chrono")]
    pub fn created_at_time(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
        chrono::DateTime::parse_from_rfc3339(&self.created_at).ok()
    }

    /// `completedAt` as a point in time, if it is there and RFC 3339.
    #[cfg(feature = "chrono")]
    pub fn completed_at_time(&self) -> Option<chrono::DateTime<chrono::FixedOffset>> {
        chrono::DateTime::parse_from_rfc3339(self.completed_at.as_deref()?).ok()
    }
}
