//! The event table of the task API.

use super::approval::{
    AutoApprovalProgress, PlanApprovalRequired, PlanApprovalResolved, ToolApprovalRequired, ToolApprovalResolved,
    UserQuestionRequired, UserQuestionResolved, UserQuestionsRequired, UserQuestionsResolved,
};
use super::end::{ErrorEvent, QuotaExceeded, TaskComplete, TaskStopped};
use super::message::{AiMessageStart, ApiRequestStart, StreamReset, SystemMessage, UserMessage};
use super::names::{ConversationId, TaskId, WorkspaceId};
use super::progress::{
    CompressionFinished, CompressionState, ContextWarning, ConversationChanged, ConversationResolved, GoalCompleted,
    GoalProgress, GoalReviewProgress, GoalStopped, ShallowCompression, SubAgentWaiting, WorkflowProgress,
    WorkflowReviewProgress,
};
use super::text::{TextChunk, TextEnd, TextStart, ThinkingChunk, ThinkingEnd, ThinkingStart};
use super::tokens::TokenUpdate;
use super::tool::{
    AppendPayload, EditSummaryUpdated, EditedFilesUpdated, FileTreeUpdate, ModifyPayload, TodoUpdated, ToolHint,
    ToolIntent, ToolPreparing, ToolStart, UpdateAction,
};
use crate::wire::Nullable;
use crate::wire::decode::Outcome;
use crate::wire::scan::Cursor;
use crate::wire::union::{decode_unknown, tagged_union};

tagged_union! {
    /// What an [`Envelope`](super::Envelope) holds: its type, and its data.
    ///
    /// ```
    /// use agent_contracts::polling::Event;
    ///
    /// let event = Event::from_tagged_json("thinking_chunk", r#"{"content":"so"}"#)?;
    /// assert_eq!(event.tag(), "thinking_chunk");
    /// assert!(matches!(event, Event::ThinkingChunk(chunk) if chunk.content == "so"));
    /// # Ok::<(), agent_contracts::wire::Error>(())
    /// ```
    ///
    /// Since 0.1.0. Source: task API §5.
    pub enum Event, EventType = "PollingEvent", tag frame, each $ of_every {
        /// A message that the task answers.
        UserMessage(UserMessage) = "user_message",
        /// The answer begins.
        AiMessageStart(AiMessageStart) = "ai_message_start",
        /// The model is asked.
        ApiRequestStart(ApiRequestStart) = "api_request_start",
        /// Reasoning begins.
        ThinkingStart(ThinkingStart) = "thinking_start",
        /// A piece of the reasoning.
        ThinkingChunk(ThinkingChunk) = "thinking_chunk",
        /// The reasoning ends, all of it in one.
        ThinkingEnd(ThinkingEnd) = "thinking_end",
        /// Text begins.
        TextStart(TextStart) = "text_start",
        /// A piece of the text.
        TextChunk(TextChunk) = "text_chunk",
        /// The text ends, all of it in one.
        TextEnd(TextEnd) = "text_end",
        /// What this attempt has brought is void.
        StreamReset(StreamReset) = "stream_reset",
        /// A tool may come. Of earlier servers.
        ToolHint(ToolHint) = "tool_hint",
        /// The model has begun to call a tool.
        ToolPreparing(ToolPreparing) = "tool_preparing",
        /// What a call is meant for.
        ToolIntent(ToolIntent) = "tool_intent",
        /// A tool runs.
        ToolStart(ToolStart) = "tool_start",
        /// Something new about a tool.
        UpdateAction(UpdateAction) = "update_action" | ToolUpdateAction = "tool_update_action",
        /// Text was appended to a file. Of earlier servers.
        AppendPayload(AppendPayload) = "append_payload",
        /// Parts of a file were replaced. Of earlier servers.
        ModifyPayload(ModifyPayload) = "modify_payload",
        /// The files of the project.
        FileTreeUpdate(FileTreeUpdate) = "file_tree_update",
        /// The list of things to do.
        TodoUpdated(TodoUpdated) = "todo_updated",
        /// The files that were changed.
        EditedFilesUpdated(EditedFilesUpdated) = "edited_files_updated",
        /// What a message has changed.
        EditSummaryUpdated(EditSummaryUpdated) = "edit_summary_updated",
        /// A tool waits for an approval.
        ToolApprovalRequired(ToolApprovalRequired) = "tool_approval_required",
        /// A request for the approval of a tool is over.
        ToolApprovalResolved(ToolApprovalResolved) = "tool_approval_resolved",
        /// A model reviews a request for approval.
        AutoApprovalProgress(AutoApprovalProgress) = "auto_approval_progress",
        /// Questions wait for the user.
        UserQuestionsRequired(UserQuestionsRequired) = "user_questions_required",
        /// One question waits for the user.
        UserQuestionRequired(UserQuestionRequired) = "user_question_required",
        /// Questions are over.
        UserQuestionsResolved(UserQuestionsResolved) = "user_questions_resolved",
        /// One question is over.
        UserQuestionResolved(UserQuestionResolved) = "user_question_resolved",
        /// A plan waits for an approval.
        PlanApprovalRequired(PlanApprovalRequired) = "plan_approval_required",
        /// A request for the approval of a plan is over.
        PlanApprovalResolved(PlanApprovalResolved) = "plan_approval_resolved",
        /// The work at a goal is reviewed.
        GoalReviewProgress(GoalReviewProgress) = "goal_review_progress",
        /// A step of a workflow is reviewed.
        WorkflowReviewProgress(WorkflowReviewProgress) = "workflow_review_progress",
        /// How far a goal is.
        GoalProgress(GoalProgress) = "goal_progress",
        /// A goal is reached.
        GoalCompleted(GoalCompleted) = "goal_completed",
        /// The work at a goal has stopped.
        GoalStopped(GoalStopped) = "goal_stopped",
        /// Where a workflow stands.
        WorkflowProgress(WorkflowProgress) = "workflow_progress",
        /// The conversation is being compressed.
        CompressionState(CompressionState) = "compression_state",
        /// The conversation is compressed.
        CompressionFinished(CompressionFinished) = "compression_finished",
        /// Results of earlier tools were shortened.
        ShallowCompression(ShallowCompression) = "shallow_compression",
        /// The tokens that a conversation has taken.
        TokenUpdate(TokenUpdate) = "token_update",
        /// The context is nearly full.
        ContextWarning(ContextWarning) = "context_warning",
        /// A quota is used up, and the task ends.
        QuotaExceeded(QuotaExceeded) = "quota_exceeded",
        /// The conversation has changed.
        ConversationChanged(ConversationChanged) = "conversation_changed",
        /// The conversation that a task belongs to is known.
        ConversationResolved(ConversationResolved) = "conversation_resolved",
        /// The task waits for sub-agents.
        SubAgentWaiting(SubAgentWaiting) = "sub_agent_waiting",
        /// A message of the server.
        SystemMessage(SystemMessage) = "system_message",
        /// Something went wrong.
        Error(ErrorEvent) = "error",
        /// The task was stopped.
        TaskStopped(TaskStopped) = "task_stopped",
        /// The task is done.
        TaskComplete(TaskComplete) = "task_complete",
    }
}

/// Types that no server sends today.
pub(in crate::polling) const LEGACY: [EventType; 3] =
    [EventType::ToolHint, EventType::AppendPayload, EventType::ModifyPayload];

pub(in crate::polling) use of_every;

impl Event {
    /// Reads the data of an envelope of type `tag`.
    pub(super) fn decode_data(tag: &str, data: &mut Cursor<'_>) -> Outcome<Self> {
        Self::decode_body(tag, data, None)
    }

    /// The same, where data that is not of the type's shape is kept as that of an unknown type.
    pub(super) fn decode_any_data(tag: &str, data: &mut Cursor<'_>) -> Outcome<Self> {
        let mut kept = *data;
        Self::decode_data(tag, data).or_else(|_| {
            let unknown = decode_unknown(tag, &mut kept, None).map(Self::Unknown);
            *data = kept;
            unknown
        })
    }

    /// The task that the data names.
    ///
    /// Since 0.1.0. Source: task API §5.
    pub fn task_id(&self) -> Option<TaskId> {
        let known = of_every!(self, event => event.task_id.clone()).flatten();
        known.or_else(|| self.unknown_id("task_id").map(TaskId::from))
    }

    /// The conversation that the data names.
    ///
    /// Since 0.1.0. Source: task API §5.
    pub fn conversation_id(&self) -> Option<ConversationId> {
        let known = of_every!(self, event => event.conversation_id.clone()).flatten();
        known.or_else(|| self.unknown_id("conversation_id").map(ConversationId::from))
    }

    /// The workspace that the data names.
    ///
    /// Since 0.1.0. Source: task API §5.
    pub fn workspace_id(&self) -> Option<WorkspaceId> {
        let named = of_every!(self, event => event.workspace_id.as_ref()).flatten();
        let known = named.and_then(Nullable::as_option).cloned();
        known.or_else(|| self.unknown_id("workspace_id").map(WorkspaceId::from))
    }

    /// A member of an unknown event that is a string.
    fn unknown_id(&self, name: &str) -> Option<String> {
        match self {
            Self::Unknown(unknown) => unknown.members.get(name)?.as_string(),
            _ => None,
        }
    }

    /// Whether the task ends with it. A task may also end without any such event.
    ///
    /// Since 0.1.0. Source: task API §5.5.
    pub fn is_terminal(&self) -> bool {
        match self {
            Self::TaskComplete(_) | Self::TaskStopped(_) | Self::QuotaExceeded(_) => true,
            Self::Error(error) => error.is_terminal(),
            _ => false,
        }
    }
}

impl EventType {
    /// Whether it is about a text or thinking of the answer.
    pub(in crate::polling) const fn is_of_block(self) -> bool {
        matches!(
            self,
            Self::ThinkingStart
                | Self::ThinkingChunk
                | Self::ThinkingEnd
                | Self::TextStart
                | Self::TextChunk
                | Self::TextEnd
        )
    }

    /// Whether it is about a tool that runs, or will.
    pub(in crate::polling) const fn is_of_tool(self) -> bool {
        matches!(
            self,
            Self::ToolPreparing | Self::ToolIntent | Self::ToolStart | Self::UpdateAction | Self::ToolUpdateAction
        )
    }
}
