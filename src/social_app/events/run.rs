//! Runs and their steps.

use super::names::{RunErrorCode, StepName};
use crate::agui::{RunId, ThreadId};
use crate::wire::Nullable;
use crate::wire::payload::payload;

payload! {
    /// Begins a run.
    pub struct RunStarted = "SocialAppRunStartedEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
    }
}

payload! {
    /// Ends a run that was not cut short.
    pub struct RunFinished = "SocialAppRunFinishedEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
    }
}

payload! {
    /// Ends a run that failed or was cancelled.
    pub struct RunError = "SocialAppRunErrorEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// What went wrong, for people.
        required message: String = "message",
        /// Why; null and absent say nothing.
        optional code: Nullable<RunErrorCode> = "code",
    }
}

impl RunError {
    /// Whether the user has cancelled the run, which is nothing to show as an error.
    pub fn is_canceled(&self) -> bool {
        self.code.as_ref().and_then(Nullable::as_option) == Some(&RunErrorCode::RunCanceled)
    }
}

payload! {
    /// Begins a step.
    pub struct StepStarted = "SocialAppStepStartedEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The step.
        required step_name: StepName = "stepName",
    }
}

payload! {
    /// Ends a step.
    pub struct StepFinished = "SocialAppStepFinishedEvent", open {
        /// The conversation.
        required thread_id: ThreadId = "threadId" where {"minLength": 1},
        /// The run. Events without it are never delivered.
        required run_id: RunId = "runId" where {"minLength": 1},
        /// The step.
        required step_name: StepName = "stepName",
    }
}
