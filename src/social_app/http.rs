//! What of social-app goes over HTTP.

use crate::wire::published::{Answer, Body, Operation, Parameter};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        method: "get",
        path: "/api/v1/agent/runs/{thread_id}/events",
        name: "streamEvents",
        summary: "Streams the events of a run.",
        parameters: &[
            Parameter::path("thread_id", "The thread."),
            Parameter {
                required: true,
                ..Parameter::query("runId", "string", "The run. Events of others are left out.")
            },
            Parameter::query(
                "idle_limit",
                "integer",
                "After how many polls without an event the stream ends, 1 to 3600.",
            ),
            Parameter {
                place: "header",
                ..Parameter::query("Last-Event-ID", "string", "The `id` of the last frame that has come.")
            },
        ],
        request: None,
        answers: &[
            Answer::new("200", "The events of the run.", Body::Events("SocialAppEvent")),
            Answer::bare("401", "Nobody is signed in."),
            Answer::bare("403", "The thread is someone else's."),
            Answer::bare("422", "`runId` or `Last-Event-ID` is wrong."),
            Answer::bare("429", "There are too many connections."),
        ],
    },
    Operation {
        method: "get",
        path: "/api/v1/agent/history",
        name: "readHistory",
        summary: "Gives the messages of a day.",
        parameters: &[
            Parameter { required: true, ..Parameter::query("threadId", "string", "The thread.") },
            Parameter::query("before", "string", "The day that the messages come before, such as 2026-04-24."),
        ],
        request: None,
        answers: &[Answer::new("200", "The messages.", Body::Json("SocialAppHistoryResponse"))],
    },
];
