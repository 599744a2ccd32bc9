//! Builds events of both protocols and prints them as they travel: Lime's as JSON lines,
//! AG-UI's as server-sent events.
//!
//! `cargo run --example send_events` prints both, with `lime` or `agui` after `--` one.
#![allow(clippy::print_stdout, reason = "the events are the output")]

use std::error::Error;

use agent_contracts::agui::{
    self, PROTOCOL_VERSION, RunFinished, RunFinishedSuccessOutcome, RunStarted, StateSnapshot, TextMessageContent,
    TextMessageEnd, TextMessageRole, TextMessageStart, ToolCallArgs, ToolCallEnd, ToolCallResult, ToolCallStart,
};
use agent_contracts::lime::{self, Head};
use agent_contracts::wire::{JsonObject, SafeInteger};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1);
    let prints = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    if prints("lime") {
        for event in lime_turn()? {
            println!("{}", serde_json::to_string(&event)?);
        }
    }
    if prints("agui") {
        for event in agui_run()? {
            print!("{}", event.to_sse());
        }
    }
    Ok(())
}

/// A turn that calls one tool. Each constructor asks for the ids that its class needs.
fn lime_turn() -> Result<Vec<lime::Event>, Box<dyn Error>> {
    let mut sequence = 0_u32;
    let mut head = || {
        sequence += 1;
        let created_at = format!("2026-06-10T08:00:0{sequence}.000Z");
        Head::new(format!("evt_{sequence}"), "app-server", sequence, created_at)
    };
    let answer = object(json!({"messageId": "msg_1", "text": "Three places round a total."}))?;
    let events = [
        lime::Event::turn_submitted(head(), "turn_1", "Turn submitted"),
        lime::Event::turn_started(head(), "turn_1", "Turn started"),
        lime::Event::tool_started(head(), "call_1", "Search started")
            .with_payload(object(json!({"toolName": "search", "query": "fn total"}))?),
        lime::Event::tool_result(head(), "call_1", "Search finished").with_payload(object(json!({"matches": 3}))?),
        lime::Event::model_completed(head(), answer, "Answer complete"),
        lime::Event::turn_completed(head(), "turn_1", "Turn completed"),
    ];
    Ok(events.into_iter().map(|event| event.with_thread_id("thread_1").with_turn_id("turn_1")).collect())
}

/// A payload: members of a JSON object.
fn object(value: Value) -> Result<JsonObject, &'static str> {
    JsonObject::new(value.into()).ok_or("a payload is an object")
}

/// A run with a message, a tool call and a state. `new` takes what is required,
/// `with_…` the rest.
fn agui_run() -> Result<Vec<agui::Event>, Box<dyn Error>> {
    let now = SafeInteger::try_from(1_781_078_400_000_i64)?;
    Ok(vec![
        RunStarted::new("thread_1", "run_1").with_protocol_version(PROTOCOL_VERSION).with_timestamp(now).into(),
        TextMessageStart::new("msg_1").with_role(TextMessageRole::Assistant).into(),
        TextMessageContent::new("msg_1", "I look for ").into(),
        TextMessageContent::new("msg_1", "the totals.").into(),
        TextMessageEnd::new("msg_1").into(),
        ToolCallStart::new("call_1", "search").with_parent_message_id("msg_1").into(),
        ToolCallArgs::new("call_1", r#"{"query":"fn total"}"#).into(),
        ToolCallEnd::new("call_1").into(),
        ToolCallResult::new("msg_2", "call_1", "3 matches").into(),
        StateSnapshot::new(json!({"matches": 3})).into(),
        RunFinished::new("thread_1", "run_1").with_outcome(RunFinishedSuccessOutcome::new()).into(),
    ])
}
