//! The types of the task API, by family: what is on the wire.

pub(super) mod approval;
pub(super) mod common;
pub(super) mod end;
pub(super) mod envelope;
pub(super) mod event;
pub(super) mod message;
pub(super) mod names;
pub(super) mod progress;
pub(super) mod response;
pub(super) mod text;
pub(super) mod tokens;
pub(super) mod tool;

pub use approval::{
    AutoApprovalProgress, PlanApproval, PlanApprovalRequired, PlanApprovalResolved, Question, QuestionOption,
    ReviewStage, ToolApproval, ToolApprovalRequired, ToolApprovalResolved, UserQuestionRequired, UserQuestionResolved,
    UserQuestionsRequired, UserQuestionsResolved,
};
pub(crate) use end::{BACKGROUND_MEMBERS, INTERNAL, PARAMETER_FORMAT_ERROR, is_passing_error};
pub use end::{ErrorEvent, QuotaExceeded, TaskComplete, TaskStopped};
pub use envelope::Envelope;
pub use event::{Event, EventType};
pub use message::{AiMessageStart, ApiRequestStart, StreamReset, SystemMessage, UserMessage};
pub use names::{
    ApprovalDecision, ApprovalId, BatchId, CompressBehavior, CompressForm, CompressionMode, CompressionStage,
    ConversationId, GoalReviewMode, GoalStatus, GoalStopReason, MessageId, MessageSource, PlanDecision, QuestionId,
    QuotaKind, StopReason, TaskId, TaskStatus, ToolId, ToolStatus, Visibility, WorkspaceId,
};
pub use progress::{
    CompressionFinished, CompressionState, ContextWarning, ConversationChanged, ConversationResolved, GoalCompleted,
    GoalProgress, GoalReviewProgress, GoalStopped, ShallowCompression, SubAgentTask, SubAgentWaiting, WorkflowProgress,
    WorkflowReviewProgress,
};
pub use response::{
    CancelResponse, CreatedResponse, ErrorResponse, FlatResponse, PollResponse, TaskData, TaskResponse,
};
pub use text::{TextChunk, TextEnd, TextStart, ThinkingChunk, ThinkingEnd, ThinkingStart};
pub use tokens::TokenUpdate;
pub(crate) use tool::TOOL_ALIASES;
pub use tool::{
    AppendPayload, EditSummaryUpdated, EditedFilesUpdated, FileTreeUpdate, ModifyPayload, TodoUpdated, ToolHint,
    ToolIntent, ToolPreparing, ToolStart, UpdateAction,
};

/// Whether a member says whose event it is, and nothing of what it is about: servers add it to every payload.
pub(super) fn is_scope(name: &str) -> bool {
    ["task_id", "conversation_id", "workspace_id"].contains(&name)
}
