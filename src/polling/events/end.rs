//! Errors, and the end of a task.

use super::common::ending;
use super::names::{QuotaKind, StopReason};
use crate::wire::payload::payload;
use crate::wire::{Integer, Json, JsonObject, Nullable, Number};

/// The `error_type` of a tool's wrong parameters, after which the task goes on.
pub(crate) const PARAMETER_FORMAT_ERROR: &str = "parameter_format_error";

/// The members that say what still runs when a task has ended.
pub(crate) const BACKGROUND_MEMBERS: [&str; 3] =
    ["has_running_sub_agents", "has_running_background_commands", "has_running_multi_agent"];

/// The members of an error that are about the backend, and not for clients.
pub(crate) const INTERNAL: [&str; 2] = ["request_dump", "base_url"];

payload! {
    /// Something went wrong. The task ends, unless `retry` is true or `error_type` is
    /// `parameter_format_error`.
    pub struct ErrorEvent = "PollingErrorData", open with ending {
        /// What, for people.
        optional message: String = "message",
        /// The HTTP status of the model's answer; null where there was none.
        optional status_code: Nullable<Integer> = "status_code",
        /// What kind of error, such as `context_overflow`; null where that is not known.
        optional error_type: Nullable<String> = "error_type",
        /// The code of the model's provider; null where it gave none.
        optional error_code: Json = "error_code",
        /// What the model's provider said.
        optional error_text: String = "error_text",
        /// The request to the provider. Must not leave the server.
        optional request_dump: Json = "request_dump",
        /// The address of the provider. Must not leave the server.
        optional base_url: Nullable<String> = "base_url",
        /// The model; null where that is not known.
        optional model_id: Nullable<String> = "model_id",
        /// Whether the server tries again; then the task is not over.
        optional retry: bool = "retry",
        /// When it tries again, in seconds from now; null if it does not.
        optional retry_in: Nullable<Number> = "retry_in",
        /// Which attempt it was, from 1.
        optional attempt: Integer = "attempt",
        /// How many attempts there are at most.
        optional max_attempts: Integer = "max_attempts",
        /// The quota that is used up.
        optional quota: JsonObject = "quota",
    }
}

impl ErrorEvent {
    /// Whether the task ends with it: the server does not try again, and it is not about
    /// the form of a tool's parameters.
    ///
    /// Since 0.1.0. Source: task API §5.5.
    pub fn is_terminal(&self) -> bool {
        let error_type = self.error_type.as_ref().and_then(Nullable::as_option);
        !is_passing_error(self.retry == Some(true), error_type.map(String::as_str))
    }
}

/// Whether the task goes on after an error.
pub(crate) fn is_passing_error(retry: bool, error_type: Option<&str>) -> bool {
    retry || error_type == Some(PARAMETER_FORMAT_ERROR)
}

payload! {
    /// The task was stopped. May come twice.
    pub struct TaskStopped = "PollingTaskStoppedData", open with ending {
        /// What has happened, for people.
        required message: String = "message",
        /// Why.
        expected reason: StopReason = "reason",
        /// Whether sub-agents go on.
        optional has_running_sub_agents: bool = "has_running_sub_agents",
        /// Whether commands go on in the background.
        optional has_running_background_commands: bool = "has_running_background_commands",
        /// Whether other agents go on.
        optional has_running_multi_agent: bool = "has_running_multi_agent",
    }
}

payload! {
    /// The task is done.
    pub struct TaskComplete = "PollingTaskCompleteData", open with ending {
        /// How often the model was asked.
        expected total_iterations: Integer = "total_iterations",
        /// How many tools were called.
        expected total_tool_calls: Integer = "total_tool_calls",
        /// How often the server has mended a call.
        expected auto_fix_attempts: Integer = "auto_fix_attempts",
        /// Whether sub-agents go on.
        expected has_running_sub_agents: bool = "has_running_sub_agents",
        /// Whether commands go on in the background.
        expected has_running_background_commands: bool = "has_running_background_commands",
        /// Whether other agents go on.
        expected has_running_multi_agent: bool = "has_running_multi_agent",
        /// Guidance that came too late to be heard.
        expected pending_runtime_guidance_messages: Vec<Json> = "pending_runtime_guidance_messages",
        /// What the answer cites.
        optional citations: Vec<Json> = "citations",
    }
}

payload! {
    /// A quota is used up, and the task ends.
    pub struct QuotaExceeded = "PollingQuotaExceededData", open with ending {
        /// Which quota; not the type of the event.
        expected kind: QuotaKind = "type",
        /// When there is a new one.
        expected reset_at: Json = "reset_at",
    }
}
