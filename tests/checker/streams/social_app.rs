//! Runs of social-app.

use super::source::{Source, TEXTS};
use serde_json::{Value, json};

/// What social-app calls: module, method, input.
const CALLS: [(&str, &str, &str); 4] = [
    ("calendar", "read", r#"{"mode":"day","date":"2026-04-28","timezone":"Asia/Shanghai"}"#),
    ("calendar", "create", r#"{"title":"产品评审会","start_at":"2026-04-28T15:00:00+08:00"}"#),
    ("contacts", "read", r#"{"query":"王琳"}"#),
    ("memory", "update", r#"{"operations":[{"action":"add","text":"周三下午不开会"}]}"#),
];

/// One to three runs of social-app, v1.
pub fn social_app(seed: u64) -> Vec<Value> {
    let mut source = Source::new(seed);
    let thread = source.id("thread");
    let mut events = Vec::new();
    for _ in 0..=source.below(3) {
        let (run, first) = (source.id("run"), events.len());
        social_app_run(&mut source, &mut events);
        for event in &mut events[first..] {
            event["threadId"] = json!(thread);
            event["runId"] = json!(run);
        }
    }
    events
}

fn social_app_run(source: &mut Source, events: &mut Vec<Value>) {
    let step = |kind, name| json!({"type": kind, "stepName": name});
    let mut run = vec![
        json!({"type": "RUN_STARTED"}),
        step("STEP_STARTED", "router"),
        step("STEP_FINISHED", "router"),
        step("STEP_STARTED", "worker"),
    ];
    let calls = (0..source.below(4)).map(|_| social_app_call(source)).collect();
    run.extend(source.join(calls));
    run.push(json!({
        "type": "TEXT_MESSAGE_END", "messageId": source.id("msg"), "role": "assistant", "stage": "worker",
        "status": source.pick(&["success", "partial_success", "failed"]), "answer": source.pick(&TEXTS),
        "suggested_actions": ["提前 15 分钟提醒我"], "error": null, "totalTokens": 2846, "cachedPromptTokens": 1536,
        "promptCacheHitTokens": 1536, "promptCacheMissTokens": 988, "reasoningTokens": null,
        "costSource": "catalog_fallback", "usageComplete": true,
    }));
    run.extend([step("STEP_FINISHED", "worker"), json!({"type": "RUN_FINISHED"})]);
    if source.one_in(4) {
        // Failed or cancelled in the middle.
        run.truncate(1 + source.below(run.len() - 1));
        run.push(match source.below(2) {
            0 => json!({"type": "RUN_ERROR", "message": "run canceled by user", "code": "RUN_CANCELED"}),
            _ => json!({"type": "RUN_ERROR", "message": "runtime execution failed", "code": null}),
        });
    }
    events.extend(run);
}

fn social_app_call(source: &mut Source) -> Vec<Value> {
    let (module, method, input) = *source.pick(&CALLS);
    let input: Value = serde_json::from_str(input).unwrap();
    let args = json!({"module": module, "method": method, "input": input});
    let (id, message) = (source.id("call"), source.id("msg"));
    let event = |kind| -> Value {
        json!({"type": kind, "messageId": message, "toolCallId": id, "toolCallName": "project_cli", "stage": "worker"})
    };
    let mut block = vec![event("TOOL_CALL_START"), event("TOOL_CALL_ARGS"), event("TOOL_CALL_END")];
    block[1]["args"] = args.clone();
    let name = if source.one_in(2) { "project_cli".to_owned() } else { format!("{module}.{method}") };
    let mut result = json!({
        "type": "TOOL_CALL_RESULT", "messageId": message, "role": "tool", "stage": "worker", "tool_name": name,
        "tool_call_id": id, "tool_call_args": args, "status": source.pick(&["success", "failure", "partial"]),
        "result": {"outcome": "done", "count": 2}, "error": null,
    });
    if source.one_in(2) {
        result["ui_schema"] = json!({"version": "2.0", "status": "success", "root": {"type": "stack", "children": []}});
    }
    block.push(result);
    block
}
