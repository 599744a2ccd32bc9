//! What of AG-UI goes over HTTP.

use crate::wire::published::{Answer, Body, Operation};

pub(super) const OPERATIONS: &[Operation] = &[Operation {
    method: "post",
    // The address of an agent is its own; the protocol has one way of asking it.
    path: "/",
    name: "runAgent",
    summary: "Starts a run, and streams its events.",
    parameters: &[],
    request: Some(Body::Json("AguiRunAgentInput")),
    answers: &[Answer::new("200", "The events of the run.", Body::Events("AguiEvent"))],
}];
