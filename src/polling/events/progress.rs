//! Goals, workflows, compression, and the conversation around a task.

use super::approval::ReviewStage;
use super::common::{goal, scope};
use super::names::{CompressBehavior, CompressForm, CompressionMode, CompressionStage, ConversationId};
use crate::wire::payload::payload;
use crate::wire::{Integer, Json};

payload! {
    /// The work at a goal is reviewed.
    pub struct GoalReviewProgress = "PollingGoalReviewProgressData", open with scope {
        /// How far the review is.
        expected progress: ReviewStage = "progress",
    }
}

payload! {
    /// A step of a workflow is reviewed.
    pub struct WorkflowReviewProgress = "PollingWorkflowReviewProgressData", open with scope {
        /// How far the review is.
        expected progress: ReviewStage = "progress",
    }
}

payload! {
    /// How far a goal is.
    pub struct GoalProgress = "PollingGoalProgressData", open with goal {}
}

payload! {
    /// A goal is reached.
    pub struct GoalCompleted = "PollingGoalCompletedData", open with goal {
        /// What was reached, for people.
        expected summary: String = "summary",
    }
}

payload! {
    /// The work at a goal has stopped.
    pub struct GoalStopped = "PollingGoalStoppedData", open with goal {}
}

payload! {
    /// Where a workflow stands. Most of it is of no published shape.
    pub struct WorkflowProgress = "PollingWorkflowProgressData", open with scope {
        /// Whether there is one; false once it is left.
        optional active: bool = "active",
        /// What has happened, such as `workflow_failed`.
        optional event: String = "event",
        /// Why, for people.
        optional reason: String = "reason",
        /// The step that was reviewed.
        optional review_node: Json = "review_node",
        /// How often it was refused.
        optional reject_count: Integer = "reject_count",
    }
}

payload! {
    /// The conversation is being compressed.
    pub struct CompressionState = "PollingCompressionStateData", open with scope {
        /// Whether it is under way.
        expected in_progress: bool = "in_progress",
        /// Who has asked for it.
        expected mode: CompressionMode = "mode",
        /// How far it is.
        expected stage: CompressionStage = "stage",
        /// The job.
        optional job_id: String = "job_id",
    }
}

payload! {
    /// The conversation is compressed, and goes on as another.
    pub struct CompressionFinished = "PollingCompressionFinishedData", open with scope {
        /// The conversation that was compressed.
        expected source_conversation_id: ConversationId = "source_conversation_id",
        /// Always false.
        expected in_progress: bool = "in_progress",
        /// The file of the compact form.
        expected compact_file: String = "compact_file",
        /// How many messages were compressed.
        expected marked_count: Integer = "marked_count",
        /// Where the compact form is put.
        expected compress_form: CompressForm = "compress_form",
        /// What comes next.
        expected compress_behavior: CompressBehavior = "compress_behavior",
        /// The job.
        expected job_id: String = "job_id",
    }
}

payload! {
    /// Results of earlier tools were shortened.
    pub struct ShallowCompression = "PollingShallowCompressionData", open with scope {
        /// How many.
        expected compressed_count: Integer = "compressed_count",
        /// How many of the latest were kept.
        expected keep_recent_tools: Integer = "keep_recent_tools",
        /// Of how many turns of the user they were kept.
        expected keep_user_turn_tools: Integer = "keep_user_turn_tools",
    }
}

payload! {
    /// The context is nearly full.
    pub struct ContextWarning = "PollingContextWarningData", open with scope {
        /// A heading.
        expected title: String = "title",
        /// What to do, for people.
        expected message: String = "message",
        /// `warning`; not the type of the event.
        expected kind: String = "type",
    }
}

payload! {
    /// The conversation has changed.
    pub struct ConversationChanged = "PollingConversationChangedData", open with scope {
        /// Its title.
        expected title: String = "title",
    }
}

payload! {
    /// The conversation that a task belongs to is known. Of no published shape.
    pub struct ConversationResolved = "PollingConversationResolvedData", open with scope {}
}

payload! {
    /// A sub-agent at work.
    pub struct SubAgentTask = "PollingSubAgentTask", open {
        /// The sub-agent.
        expected agent_id: Json = "agent_id",
        /// What it does, for people.
        expected summary: String = "summary",
    }
}

payload! {
    /// The task waits for sub-agents.
    pub struct SubAgentWaiting = "PollingSubAgentWaitingData", open with scope {
        /// How many.
        expected count: Integer = "count",
        /// The sub-agents.
        expected tasks: Vec<SubAgentTask> = "tasks",
    }
}
