//! Ids, and the words for states, sources, decisions and reasons.

use crate::wire::names::{ids, string_enum};

ids!(
    /// A task: one request and all that comes of it.
    TaskId,
    /// A conversation.
    ConversationId,
    /// A workspace.
    WorkspaceId,
    /// A message.
    MessageId,
    /// A tool. One tool has several ids: `id`, `preparing_id`, `execution_id`, `tool_call_id`.
    ToolId,
    /// A request for approval, of a tool or of a plan.
    ApprovalId,
    /// Questions that are asked together.
    BatchId,
    /// A question to the user.
    QuestionId,
);

string_enum! {
    open
    /// Where a task stands.
    pub enum TaskStatus {
        /// Made, not begun. Lasts an instant.
        Pending = "pending",
        /// Under way.
        Running = "running",
        /// To be stopped, not stopped yet. Events may still come.
        CancelRequested = "cancel_requested",
        /// The worker is done. Says nothing of the model: a task whose model call failed ends so as well.
        Succeeded = "succeeded",
        /// The worker failed.
        Failed = "failed",
        /// Stopped on request.
        Stopped = "stopped",
        /// Stopped, in an older spelling: read by clients, set by no known server.
        Canceled = "canceled",
    }
}

impl TaskStatus {
    /// Whether the task is over. "Not running" does not say so.
    ///
    /// ```
    /// use agent_contracts::polling::TaskStatus;
    ///
    /// assert!(TaskStatus::Stopped.is_terminal());
    /// assert!(!TaskStatus::CancelRequested.is_terminal());
    /// assert!(!TaskStatus::from("new").is_terminal());
    /// ```
    ///
    /// Since 0.1.0. Source: task API §3.
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Stopped | Self::Canceled)
    }
}

string_enum! {
    open
    /// Where a user message comes from.
    pub enum MessageSource {
        /// The user.
        User = "user",
        /// The user, while the task runs.
        Guidance = "guidance",
        /// A notice about work in the background.
        Notify = "notify",
        /// A message that was written ahead.
        Presend = "presend",
        /// A sub-agent.
        SubAgent = "sub_agent",
        /// A command in the background.
        BackgroundCommand = "background_command",
        /// The goal.
        Goal = "goal",
        /// The prompt of a goal.
        GoalPrompt = "goal_prompt",
        /// The review of a goal.
        GoalReview = "goal_review",
        /// The compression of the conversation.
        Compression = "compression",
        /// What a compressed conversation goes on with.
        CompressionHandoff = "compression_handoff",
        /// A permission.
        Permission = "permission",
        /// The sandbox.
        Sandbox = "sandbox",
        /// A skill.
        Skill = "skill",
        /// A workflow.
        Workflow = "workflow",
        /// A change of permissions.
        PermissionChange = "permission_change",
        /// A change of where commands run.
        ExecutionChange = "execution_change",
        /// A change of network access.
        NetworkChange = "network_change",
        /// A change of the mode of work.
        WorkModeChange = "work_mode_change",
        /// Paths of files.
        FilePaths = "file_paths",
    }
}

string_enum! {
    open
    /// How a user message is shown.
    pub enum Visibility {
        /// As a message.
        Chat = "chat",
        /// As a line.
        Compact = "compact",
        /// Not at all.
        Hidden = "hidden",
    }
}

string_enum! {
    open
    /// Where a tool stands.
    ///
    /// A tool that failed has the status `completed`: its result says that it failed.
    pub enum ToolStatus {
        /// Done, well or badly.
        Completed = "completed",
        /// Under way.
        Running = "running",
        /// Stopped.
        Cancelled = "cancelled",
        /// Waits for an approval.
        AwaitingApproval = "awaiting_approval",
        /// Waits for an answer of the user.
        AwaitingUserAnswer = "awaiting_user_answer",
        /// Waits for the approval of a plan.
        AwaitingPlanApproval = "awaiting_plan_approval",
        /// Failed; known to clients only.
        Failed = "failed",
        /// Took too long; known to clients only.
        Timeout = "timeout",
        /// Ended from outside; known to clients only.
        Terminated = "terminated",
        /// Another spelling of `cancelled`; known to clients only.
        Canceled = "canceled",
    }
}

impl ToolStatus {
    /// Whether the tool is over.
    ///
    /// Since 0.1.0. Source: task API §5.2.
    pub const fn is_terminal(&self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Timeout | Self::Terminated | Self::Cancelled | Self::Canceled
        )
    }
}

string_enum! {
    open
    /// What was decided about a tool.
    pub enum ApprovalDecision {
        /// It may run.
        Approved = "approved",
        /// It may not.
        Rejected = "rejected",
        /// The request has expired; known to clients only.
        Expired = "expired",
        /// The request was taken back; known to clients only.
        Cancelled = "cancelled",
        /// Nobody has answered in time; known to clients only.
        Timeout = "timeout",
    }
}

string_enum! {
    open
    /// What was decided about a plan.
    pub enum PlanDecision {
        /// It is to be carried out.
        Approved = "approved",
        /// It is not.
        Rejected = "rejected",
        /// Nobody has answered in time.
        Timeout = "timeout",
        /// There is no such request.
        Missing = "missing",
        /// Whoever answered has no right to.
        Forbidden = "forbidden",
    }
}

string_enum! {
    open
    /// How far a goal is.
    pub enum GoalStatus {
        /// Worked at.
        Running = "running",
        /// Reached.
        Done = "done",
        /// Given up.
        Stopped = "stopped",
    }
}

string_enum! {
    open
    /// How the work at a goal is reviewed.
    pub enum GoalReviewMode {
        /// By reading.
        Readonly = "readonly",
        /// By trying as well.
        Active = "active",
    }
}

string_enum! {
    open
    /// Why the work at a goal was stopped.
    pub enum GoalStopReason {
        /// A turn without a tool call.
        IdleNoTool = "idle_no_tool",
        /// The limit of turns.
        MaxTurns = "max_turns",
        /// The limit of tokens.
        MaxTokens = "max_tokens",
        /// The user.
        UserCancel = "user_cancel",
        /// A message that names no goal.
        NewMessageWithoutGoal = "new_message_without_goal",
    }
}

string_enum! {
    open
    /// Who has asked for a compression.
    pub enum CompressionMode {
        /// The server.
        Auto = "auto",
        /// The user.
        Manual = "manual",
    }
}

string_enum! {
    open
    /// How far a compression is.
    pub enum CompressionStage {
        /// It waits.
        Queued = "queued",
        /// The summary is being written.
        GeneratingSummary = "generating_summary",
        /// The compact form is being stored.
        WritingCompact = "writing_compact",
    }
}

string_enum! {
    open
    /// Where a compressed conversation is put.
    pub enum CompressForm {
        /// Into a file.
        File = "file",
        /// Into the conversation.
        Inject = "inject",
    }
}

string_enum! {
    open
    /// What comes after a compression.
    pub enum CompressBehavior {
        /// The server waits for the user.
        Wait = "wait",
        /// The work goes on.
        Continue = "continue",
    }
}

string_enum! {
    open
    /// Which quota is used up.
    pub enum QuotaKind {
        /// That of the thinking model.
        Thinking = "thinking",
        /// That of the fast model.
        Fast = "fast",
    }
}

string_enum! {
    open
    /// Why a task was stopped.
    pub enum StopReason {
        /// The user has stopped it.
        UserStop = "user_stop",
        /// A stop was asked for.
        UserRequested = "user_requested",
        /// An approval was refused.
        ApprovalRejected = "approval_rejected",
    }
}
