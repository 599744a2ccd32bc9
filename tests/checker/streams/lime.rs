//! Turns of Lime.

use super::source::{Source, TEXTS};
use serde_json::{Value, json};

/// Two to four turns of Lime, some of them at once.
pub fn lime(seed: u64) -> Vec<Value> {
    let mut source = Source::new(seed);
    let mut events = Vec::new();
    for _ in 0..2 {
        let turns = (0..=source.below(2)).map(|_| lime_turn(&mut source)).collect();
        events.extend(source.join(turns));
    }
    let (thread, first) = (source.id("thread"), source.below(50));
    for (at, event) in events.iter_mut().enumerate() {
        event["id"] = json!(source.id("evt"));
        event["schemaVersion"] = json!("lime-runtime-event/v0.1");
        event["runtimeId"] = json!("app-server");
        event["threadId"] = json!(thread);
        event["sequence"] = json!(first + at);
        event["title"] = json!("Work");
        event["createdAt"] = json!(format!("2026-06-10T08:13:{:02}.{:03}Z", at / 20 % 60, at % 20 * 50));
    }
    events
}

fn lime_turn(source: &mut Source) -> Vec<Value> {
    let (turn, run) = (source.id("turn"), source.id("run"));
    let blocks = (0..2 + source.below(4)).map(|_| lime_block(source)).collect();
    let work = source.join(blocks);
    let (end, status) = if source.one_in(5) { ("turn.failed", "failed") } else { ("turn.completed", "completed") };
    let event = |class, status| vec![fact(class, "state", status, json!({}))];
    let mut events =
        [event("turn.submitted", "pending"), event("turn.started", "running"), work, event(end, status)].concat();
    let has_run = source.one_in(2);
    for event in &mut events {
        event["turnId"] = json!(turn);
        if has_run {
            event["runId"] = json!(run);
        }
    }
    events
}

fn fact(class: &str, kind: &str, status: &str, mut rest: Value) -> Value {
    rest["eventClass"] = json!(class);
    rest["kind"] = json!(kind);
    rest["status"] = json!(status);
    rest
}

fn lime_block(source: &mut Source) -> Vec<Value> {
    let (id, fails) = (source.id("call"), source.one_in(4));
    // What is paired by an id in the payload can be paired by the call instead.
    let by_call = source.one_in(3);
    let scoped = |name: &str, payload: Value| {
        let mut rest = json!({"payload": payload});
        let at = if by_call { &mut rest["toolCallId"] } else { &mut rest["payload"][name] };
        *at = json!(id);
        rest
    };
    let done = if fails { "failed" } else { "completed" };
    let tool = |class, status, rest| fact(class, "tool", status, rest);
    let end = |good, bad| if fails { bad } else { good };
    match source.below(9) {
        delta @ 0..=1 => {
            let (class, kind) = [("model.delta", "model"), ("reasoning.delta", "note")][delta];
            let text = *source.pick(&TEXTS);
            let payload = |delta| json!({"payload": {"messageId": id, "delta": delta}});
            source.pieces(text).into_iter().map(|delta| fact(class, kind, "running", payload(delta))).collect()
        }
        2 | 3 => vec![
            tool("tool.started", "running", json!({"toolCallId": id, "payload": {"toolName": "search"}})),
            end(
                tool("tool.result", done, json!({"toolCallId": id, "refIds": ["output_1"]})),
                tool("tool.failed", done, json!({"toolCallId": id, "payload": {"reason": "timeout"}})),
            ),
        ],
        4 => vec![
            tool("patch.started", "running", scoped("patchId", json!({"files": 2}))),
            end(
                tool("patch.applied", done, scoped("patchId", json!({"files": 2}))),
                tool("patch.failed", done, scoped("patchId", json!({"failureCategory": "conflict"}))),
            ),
        ],
        5 => vec![
            tool("command.started", "running", scoped("commandId", json!({"command": "npm test"}))),
            tool("command.output", "running", scoped("commandId", json!({"outputRef": "artifact://output/1"}))),
            tool("command.exited", done, scoped("commandId", json!({"exitCode": i32::from(fails)}))),
        ],
        6 => vec![
            tool("test.started", "running", scoped("testRunId", json!({"suite": "unit"}))),
            tool("test.completed", done, scoped("testRunId", json!({"result": done}))),
        ],
        7 => vec![
            fact("action.required", "action", "blocked", json!({"actionId": id, "payload": {"prompt": "Go on?"}})),
            fact("action.resolved", "action", "completed", json!({"actionId": id})),
        ],
        _ => vec![
            tool("file.read", "completed", json!({"payload": {"path": "src/cart.ts"}})),
            tool("file.changed", "completed", json!({"artifactRefs": [id], "payload": {"path": "src/cart.ts"}})),
            fact("artifact.changed", "draft", "completed", json!({"artifactId": id})),
            fact("evidence.changed", "evidence", "completed", json!({"evidenceRefs": [id]})),
        ],
    }
}
