//! What of the task API goes over HTTP, which is all of it.

use crate::wire::published::{Answer, Body, Operation, Parameter};

const TASK: Parameter = Parameter::path("task_id", "The task.");
const UNAUTHORIZED: Answer = refused("401", "The token is missing or wrong.");
const NO_TASK: Answer = refused("404", "There is no such task, or it ended an hour ago.");

/// An answer that says why there is no other.
const fn refused(status: &'static str, description: &'static str) -> Answer {
    Answer::new(status, description, Body::Json("PollingErrorResponse"))
}

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        method: "post",
        path: "/api/v1/workspaces/{workspace_id}/messages",
        name: "createTask",
        summary: "Sends a message, and makes a task of it.",
        parameters: &[Parameter::path("workspace_id", "The workspace.")],
        request: Some(Body::Object),
        answers: &[
            Answer::new("202", "The task was made.", Body::Json("PollingCreatedResponse")),
            refused("400", "The message is empty, or a setting is wrong."),
            UNAUTHORIZED,
            refused("404", "A prompt or personalization is missing."),
            refused("409", "Another task runs in the conversation."),
            refused("503", "The server is not ready."),
        ],
    },
    Operation {
        method: "get",
        path: "/api/v1/tasks/{task_id}",
        name: "pollTask",
        summary: "Gives the status of a task, and its events from an offset on.",
        parameters: &[
            TASK,
            Parameter::query("from", "integer", "The offset: `next_offset` of the answer before, or 0."),
        ],
        request: None,
        answers: &[
            Answer::new("200", "The task and its events.", Body::Json("PollingTaskResponse")),
            UNAUTHORIZED,
            NO_TASK,
        ],
    },
    Operation {
        method: "post",
        path: "/api/v1/tasks/{task_id}/cancel",
        name: "cancelTask",
        summary: "Asks a task to stop. It may have ended already.",
        parameters: &[TASK],
        request: None,
        answers: &[Answer::new("200", "The task has been asked.", Body::Object), UNAUTHORIZED, NO_TASK],
    },
];
