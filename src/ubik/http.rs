//! What of Ubik goes over HTTP, as far as its documents give the address.

use crate::wire::published::{Answer, Body, Operation, Parameter};

const SESSION: Parameter = Parameter::path("session_id", "The session.");

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        method: "get",
        path: "/agent-sessions/{session_id}/stream",
        name: "streamSession",
        summary: "Streams the events of a session: first the past events of the newest task, then new ones as they come.",
        parameters: &[
            SESSION,
            Parameter::query("token", "string", "A short-lived token."),
            Parameter::query("task_id", "string", "The task."),
            Parameter::query(
                "include_chunks",
                "boolean",
                "Whether pieces of the answer are sent; they are by default.",
            ),
        ],
        request: None,
        answers: &[Answer::new("200", "The events.", Body::Events("UbikEvent"))],
    },
    Operation {
        method: "post",
        path: "/agent-sessions/{session_id}/messages",
        name: "createMessage",
        summary: "Sends a message to the agent. Unless `stream` is false, the answer is the stream of events.",
        parameters: &[SESSION],
        request: Some(Body::Json("UbikPublicMessageCreate")),
        answers: &[Answer::new("200", "The events.", Body::Events("UbikEvent"))],
    },
    Operation {
        method: "get",
        path: "/tool-executions/{execution_id}/stream",
        name: "streamToolExecution",
        summary: "Streams what a tool execution does.",
        parameters: &[
            Parameter::path("execution_id", "The tool execution."),
            Parameter::query("api_key", "string", "The key, where the header `X-API-KEY` does not have it."),
        ],
        request: None,
        answers: &[Answer::new("200", "The frames.", Body::Frames("UbikToolEvent"))],
    },
];
