//! Approvals, questions and plans: what waits for the user.

use super::common::scope;
use super::names::{ApprovalDecision, ApprovalId, BatchId, ConversationId, PlanDecision, QuestionId, TaskId, ToolId};
use crate::wire::payload::payload;
use crate::wire::{Integer, Json, Nullable};

payload! {
    /// A request for the approval of a tool.
    pub struct ToolApproval = "PollingToolApproval", open {
        /// The request, `approval_<hex>`.
        expected approval_id: ApprovalId = "approval_id",
        /// Who is asked.
        expected username: String = "username",
        /// The conversation.
        expected conversation_id: ConversationId = "conversation_id",
        /// The task; always null as servers send it.
        expected task_id: Nullable<TaskId> = "task_id",
        /// The model's call.
        expected tool_call_id: ToolId = "tool_call_id",
        /// The tool's name.
        expected tool_name: String = "tool_name",
        /// What it would be called with.
        expected arguments: Json = "arguments",
        /// What it would do, to be shown.
        expected preview: Json = "preview",
        /// `pending` until it is decided.
        expected status: String = "status",
        /// When it was made.
        expected created_at: Json = "created_at",
        /// When it was decided; null before.
        expected decided_at: Json = "decided_at",
        /// What was decided; null before.
        expected decision: Nullable<ApprovalDecision> = "decision",
    }
}

payload! {
    /// A tool waits for an approval.
    pub struct ToolApprovalRequired = "PollingToolApprovalRequiredData", open with scope {
        /// The request.
        expected approval: ToolApproval = "approval",
    }
}

payload! {
    /// A request for the approval of a tool is over.
    pub struct ToolApprovalResolved = "PollingToolApprovalResolvedData", open with scope {
        /// The request.
        expected approval_id: ApprovalId = "approval_id",
        /// What was decided.
        expected decision: ApprovalDecision = "decision",
        /// Why, for people.
        expected reason: Nullable<String> = "reason",
    }
}

payload! {
    /// How far a review is.
    pub struct ReviewStage = "PollingReviewStage", open {
        /// The stage; `start` first, `done` last.
        expected stage: String = "stage",
        /// What is being done, for people.
        expected message: String = "message",
        /// What was decided.
        optional decision: Json = "decision",
    }
}

payload! {
    /// A model reviews a request for approval.
    pub struct AutoApprovalProgress = "PollingAutoApprovalProgressData", open with scope {
        /// The request.
        optional approval_id: ApprovalId = "approval_id",
        /// How far it is.
        expected progress: ReviewStage = "progress",
    }
}

payload! {
    /// An answer that the user may choose.
    pub struct QuestionOption = "PollingQuestionOption", open {
        /// The answer's id within the question.
        expected id: String = "id",
        /// The answer.
        expected label: String = "label",
        /// More about it.
        optional description: String = "description",
    }
}

payload! {
    /// A question to the user.
    pub struct Question = "PollingQuestion", open {
        /// The question's id.
        expected question_id: QuestionId = "question_id",
        /// The questions that it is asked with.
        expected batch_id: BatchId = "batch_id",
        /// Its place among them.
        expected batch_index: Integer = "batch_index",
        /// How many they are.
        expected batch_total: Integer = "batch_total",
        /// The question.
        expected question: String = "question",
        /// What it is about.
        expected context: Json = "context",
        /// The answers to choose from.
        expected options: Vec<QuestionOption> = "options",
        /// Whether it is answered.
        expected status: String = "status",
        /// When it was asked.
        expected created_at: Json = "created_at",
        /// When it was answered; null before.
        expected answered_at: Json = "answered_at",
        /// The answer; null before.
        expected answer: Json = "answer",
    }
}

payload! {
    /// Questions wait for the user.
    pub struct UserQuestionsRequired = "PollingUserQuestionsRequiredData", open with scope {
        /// The questions as a whole.
        expected batch_id: BatchId = "batch_id",
        /// The questions.
        expected questions: Vec<Question> = "questions",
        /// The question in their place, where it is one.
        optional question: Question = "question",
    }
}

payload! {
    /// One question waits for the user.
    pub struct UserQuestionRequired = "PollingUserQuestionRequiredData", open with scope {
        /// The questions that it is asked with.
        optional batch_id: BatchId = "batch_id",
        /// The question.
        expected question: Question = "question",
        /// A list in its place.
        optional questions: Vec<Question> = "questions",
    }
}

payload! {
    /// Questions are over.
    pub struct UserQuestionsResolved = "PollingUserQuestionsResolvedData", open with scope {
        /// The questions as a whole.
        optional batch_id: BatchId = "batch_id",
        /// The questions.
        expected question_ids: Vec<QuestionId> = "question_ids",
        /// The question in their place, where it is one.
        optional question_id: QuestionId = "question_id",
    }
}

payload! {
    /// One question is over.
    pub struct UserQuestionResolved = "PollingUserQuestionResolvedData", open with scope {
        /// The questions that it was asked with.
        optional batch_id: BatchId = "batch_id",
        /// The question.
        expected question_id: QuestionId = "question_id",
        /// A list in its place.
        optional question_ids: Vec<QuestionId> = "question_ids",
    }
}

payload! {
    /// A request for the approval of a plan.
    pub struct PlanApproval = "PollingPlanApproval", open {
        /// The request, `plan_approval_<hex>`.
        expected approval_id: ApprovalId = "approval_id",
        /// The file that the plan is in.
        expected plan_file: String = "plan_file",
        /// The plan, at most 20000 characters.
        expected plan_content: String = "plan_content",
        /// Whether that is only its beginning.
        expected plan_content_truncated: bool = "plan_content_truncated",
        /// The plan in short.
        expected summary: String = "summary",
        /// `pending` until it is decided.
        expected status: String = "status",
        /// When it was made.
        expected created_at: Json = "created_at",
        /// When it was decided; null before.
        expected resolved_at: Json = "resolved_at",
        /// What the user says of it; null before.
        expected comment: Nullable<String> = "comment",
    }
}

payload! {
    /// A plan waits for an approval.
    pub struct PlanApprovalRequired = "PollingPlanApprovalRequiredData", open with scope {
        /// The request.
        expected approval: PlanApproval = "approval",
    }
}

payload! {
    /// A request for the approval of a plan is over.
    pub struct PlanApprovalResolved = "PollingPlanApprovalResolvedData", open with scope {
        /// The request.
        expected approval_id: ApprovalId = "approval_id",
        /// What was decided.
        expected decision: PlanDecision = "decision",
        /// What the user says of it.
        expected comment: Nullable<String> = "comment",
    }
}
