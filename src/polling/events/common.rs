//! The members that several payloads have in common.

use crate::wire::payload::common_members;

common_members! { $ scope {
        /// The task. The server adds it where the event does not name it.
        optional task_id: crate::polling::events::TaskId = "task_id",
        /// The conversation. Added by the server as well.
        optional conversation_id: crate::polling::events::ConversationId = "conversation_id",
        /// The workspace, which a task need not have. Added by the server as well.
        optional workspace_id: crate::wire::Nullable<crate::polling::events::WorkspaceId> = "workspace_id",
} }

common_members! { $ tool with [crate::polling::events::common::scope] {
        /// The tool, by another of its ids.
        optional execution_id: crate::polling::events::ToolId = "execution_id",
        /// The tool, by the id of the model's call.
        optional tool_call_id: crate::polling::events::ToolId = "tool_call_id",
} }

common_members! { $ ending with [crate::polling::events::common::scope] {
        /// The browser session that had asked for the task.
        optional client_sid: String = "client_sid",
} }

common_members! { $ goal with [crate::polling::events::common::scope] {
        /// What is to be reached.
        expected goal: String = "goal",
        /// How far it is.
        expected status: crate::polling::events::GoalStatus = "status",
        /// How many turns there were.
        expected turn_count: crate::wire::Integer = "turn_count",
        /// How many tokens they took.
        expected tokens_used: crate::wire::Integer = "tokens_used",
        /// How many tools were called.
        expected tool_calls: crate::wire::Integer = "tool_calls",
        /// How long it took, in seconds.
        expected duration_seconds: crate::wire::Nullable<crate::wire::Number> = "duration_seconds",
        /// How the work is reviewed.
        expected review_mode: crate::polling::events::GoalReviewMode = "review_mode",
        /// The limit of turns; null where there is none.
        expected max_turns: crate::wire::Nullable<crate::wire::Integer> = "max_turns",
        /// The limit of tokens; null where there is none.
        expected max_tokens: crate::wire::Nullable<crate::wire::Integer> = "max_tokens",
        /// What was reached, for people; null before the end.
        expected final_summary: crate::wire::Nullable<String> = "final_summary",
        /// Why it was stopped; null if it was not.
        expected stopped_reason: crate::wire::Nullable<crate::polling::events::GoalStopReason> = "stopped_reason",
} }
