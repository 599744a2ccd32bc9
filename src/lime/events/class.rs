//! The classes of runtime events.

use crate::check::js;
use crate::wire::names::string_enum;

string_enum! {
    open
    /// What happened, `AgentRuntimeEventClass`.
    ///
    /// The first 26 are the members of Lime's type union; the others are used by its
    /// verifier, fixtures, projector or documentation.
    pub enum EventClass {
        /// A session exists.
        SessionCreated = "session.created",
        /// A turn was handed in.
        TurnSubmitted = "turn.submitted",
        /// A turn begins.
        TurnStarted = "turn.started",
        /// A turn ends well; terminal.
        TurnCompleted = "turn.completed",
        /// A turn ends badly; terminal.
        TurnFailed = "turn.failed",
        /// The status of a run.
        RunStatus = "run.status",
        /// Context is at hand.
        ContextResolved = "context.resolved",
        /// A tool call begins; needs `toolCallId`.
        ToolStarted = "tool.started",
        /// A tool call ends well.
        ToolResult = "tool.result",
        /// A tool call ends badly.
        ToolFailed = "tool.failed",
        /// The tools at hand are known; needs `toolCallId` like every `tool.*`.
        ToolCatalogResolved = "tool.catalog.resolved",
        /// A permission was looked up.
        PermissionEvaluated = "permission.evaluated",
        /// A permission is asked for.
        PermissionRequested = "permission.requested",
        /// A permission was decided.
        PermissionResolved = "permission.resolved",
        /// The sandbox is in force.
        SandboxApplied = "sandbox.applied",
        /// The sandbox was violated.
        SandboxViolation = "sandbox.violation",
        /// The model is called.
        ModelRequested = "model.requested",
        /// A piece of the model's text.
        ModelDelta = "model.delta",
        /// The model's text is complete.
        ModelCompleted = "model.completed",
        /// The model failed.
        ModelFailed = "model.failed",
        /// An artifact changed; needs `artifactId` or `artifactRefs`.
        ArtifactChanged = "artifact.changed",
        /// A human is asked; needs `actionId`.
        ActionRequired = "action.required",
        /// A human has answered.
        ActionResolved = "action.resolved",
        /// The runtime failed.
        RuntimeError = "runtime.error",
        /// Evidence changed; needs `evidenceId` or `evidenceRefs`.
        EvidenceChanged = "evidence.changed",
        /// The read model is repaired or settled.
        SnapshotUpdated = "snapshot.updated",
        /// A turn was stopped on request; terminal. Not in the type union.
        TurnCanceled = "turn.canceled",
        /// A request was withdrawn, two `l`.
        ActionCancelled = "action.cancelled",
        /// A request was withdrawn, one `l`.
        ActionCanceled = "action.canceled",
        /// A request ran out of time.
        ActionExpired = "action.expired",
        /// A patch begins; needs `payload.patchId` or `toolCallId`.
        PatchStarted = "patch.started",
        /// A patch was applied.
        PatchApplied = "patch.applied",
        /// A patch failed; needs `payload.failureCategory`.
        PatchFailed = "patch.failed",
        /// A command begins; needs `payload.commandId` or `toolCallId`.
        CommandStarted = "command.started",
        /// Output of a command; needs a reference to it.
        CommandOutput = "command.output",
        /// A command ended; needs `payload.exitCode` or `payload.status`.
        CommandExited = "command.exited",
        /// A test run begins; needs `payload.testRunId` or `toolCallId`.
        TestStarted = "test.started",
        /// A test run ended; needs `payload.result` or `payload.status`.
        TestCompleted = "test.completed",
        /// A file was read; needs `payload.path`.
        FileRead = "file.read",
        /// A file changed; needs `payload.path` and an artifact.
        FileChanged = "file.changed",
        /// The sandbox stopped something; needs `payload.reasonCode`.
        SandboxBlocked = "sandbox.blocked",
        /// A permission was refused; should carry `payload.reasonCode`.
        PermissionDenied = "permission.denied",
        /// A patch of projected state.
        StateDelta = "state.delta",
        /// A piece of a plan.
        PlanDelta = "plan.delta",
        /// A plan.
        PlanFinal = "plan.final",
        /// Reasoning begins.
        ReasoningStarted = "reasoning.started",
        /// A piece of reasoning.
        ReasoningDelta = "reasoning.delta",
        /// A summary of reasoning.
        ReasoningSummary = "reasoning.summary",
        /// Reasoning ends.
        ReasoningCompleted = "reasoning.completed",
        /// A task exists.
        TaskCreated = "task.created",
        /// A task changed.
        TaskUpdated = "task.updated",
        /// A task ended.
        TaskCompleted = "task.completed",
        /// A subagent begins.
        SubagentStarted = "subagent.started",
        /// A subagent reports.
        SubagentProgress = "subagent.progress",
        /// A subagent ended.
        SubagentCompleted = "subagent.completed",
        /// A channel is open.
        ChannelOpened = "channel.opened",
        /// A message on a channel.
        ChannelMessage = "channel.message",
        /// A handoff is asked for.
        HandoffRequested = "handoff.requested",
        /// A handoff was done.
        HandoffCompleted = "handoff.completed",
        /// A review is asked for; needs evidence.
        ReviewRequested = "review.requested",
        /// A review was decided; needs evidence.
        ReviewVerdict = "review.verdict",
        /// An agent was spawned.
        AgentSpawned = "agent.spawned",
        /// An agent ended.
        AgentCompleted = "agent.completed",
        /// An agent changed.
        AgentChanged = "agent.changed",
        /// An agent hands over.
        AgentHandoff = "agent.handoff",
        /// A worker begins.
        WorkerStarted = "worker.started",
        /// A worker ended.
        WorkerCompleted = "worker.completed",
        /// An artifact has a new version.
        ArtifactVersioned = "artifact.versioned",
        /// An artifact was exported.
        ArtifactExported = "artifact.exported",
        /// Evidence was exported.
        EvidenceExported = "evidence.exported",
        /// Context could not be had.
        ContextFailed = "context.failed",
        /// The stream was repaired.
        StreamRepaired = "stream.repaired",
        /// The transport failed.
        TransportError = "transport.error",
        /// The runtime warns.
        RuntimeWarning = "runtime.warning",
        /// A run was stopped on request.
        RunCanceled = "run.canceled",
    }
}

string_enum! {
    open
    /// The first word of a class: what the event is about.
    pub enum Family {
        /// `session.*`
        Session = "session",
        /// `turn.*`
        Turn = "turn",
        /// `run.*`
        Run = "run",
        /// `context.*`
        Context = "context",
        /// `tool.*`
        Tool = "tool",
        /// `permission.*`
        Permission = "permission",
        /// `sandbox.*`
        Sandbox = "sandbox",
        /// `model.*`
        Model = "model",
        /// `artifact.*`
        Artifact = "artifact",
        /// `action.*`
        Action = "action",
        /// `runtime.*`
        Runtime = "runtime",
        /// `evidence.*`
        Evidence = "evidence",
        /// `snapshot.*`
        Snapshot = "snapshot",
        /// `patch.*`
        Patch = "patch",
        /// `command.*`
        Command = "command",
        /// `test.*`
        Test = "test",
        /// `file.*`
        File = "file",
        /// `state.*`
        State = "state",
        /// `plan.*`
        Plan = "plan",
        /// `reasoning.*`
        Reasoning = "reasoning",
        /// `task.*`
        Task = "task",
        /// `subagent.*`
        Subagent = "subagent",
        /// `channel.*`
        Channel = "channel",
        /// `handoff.*`
        Handoff = "handoff",
        /// `review.*`
        Review = "review",
        /// `agent.*`
        Agent = "agent",
        /// `worker.*`
        Worker = "worker",
        /// `stream.*`
        Stream = "stream",
        /// `transport.*`
        Transport = "transport",
    }
}

/// Spellings of turn terminals that the contract no longer admits.
///
/// Since 0.1.0.
pub const LEGACY_TURN_TERMINALS: &[&str] =
    &["done", "final_done", "cancelled", "turn.done", "turn.final_done", "turn.cancelled"];

impl EventClass {
    /// How many of the first classes are in Lime's type union.
    pub(crate) const UNION: usize = 26;

    /// Whether the class is in Lime's own type union, not only in use elsewhere.
    pub fn is_in_union(&self) -> bool {
        Self::KNOWN.iter().take(Self::UNION).any(|class| *class == self.as_str())
    }

    /// The family of the class; `None` for a class without a dot.
    pub fn family(&self) -> Option<Family> {
        self.as_str().split_once('.').map(|(family, _)| Family::from(family))
    }

    /// Whether the event ends its turn.
    ///
    /// Case and surrounding blanks do not count, as in the reference verifier.
    pub fn is_turn_terminal(&self) -> bool {
        is_turn_terminal(self.as_str())
    }

    /// Whether the class is one of the [`LEGACY_TURN_TERMINALS`], in any case.
    pub fn is_legacy_terminal(&self) -> bool {
        is_legacy_terminal(self.as_str())
    }
}

pub(in crate::lime) fn is_turn_terminal(class: &str) -> bool {
    let class = js::trim(class);
    ["turn.completed", "turn.failed", "turn.canceled"].iter().any(|terminal| class.eq_ignore_ascii_case(terminal))
}

pub(in crate::lime) fn is_legacy_terminal(class: &str) -> bool {
    let class = js::trim(class).to_lowercase();
    LEGACY_TURN_TERMINALS.contains(&class.as_str())
}
