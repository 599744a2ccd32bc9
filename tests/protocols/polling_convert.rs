//! Tasks become runs of AG-UI that check clean, and arrive as the reference reducer has them.

use agent_contracts::Protocol;
use agent_contracts::agui::{self, EventType};
use agent_contracts::check::{Checker, Finding, Input, Severity};
use agent_contracts::polling::view::{Block, BlockKind, Message, Role, TaskView};
use agent_contracts::polling::{AgUiConverter, Envelope, TaskStatus, to_agui};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

type Events<'a> = &'a [(&'a str, Value)];

fn envelope(idx: usize, kind: &str, data: &Value) -> Envelope {
    let mut data = data.clone();
    data["task_id"] = "t".into();
    if data.get("conversation_id").is_none() {
        data["conversation_id"] = "c".into();
    }
    let text = json!({"idx": idx, "type": kind, "data": data, "ts": 1.5}).to_string();
    Envelope::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn envelopes(events: Events<'_>) -> Vec<Envelope> {
    events.iter().enumerate().map(|(idx, (kind, data))| envelope(idx, kind, data)).collect()
}

fn converted(envelopes: &[Envelope], status: Option<&TaskStatus>) -> Vec<Value> {
    let (mut converter, mut out) = (AgUiConverter::new(), Vec::<agui::Event>::new());
    for envelope in envelopes {
        converter.push(envelope, &mut out);
    }
    converter.finish(status, &mut out);
    out.iter().map(|event| serde_json::from_str(&event.to_json()).unwrap()).collect()
}

/// The errors and warnings of a run.
fn faults(events: &[Value]) -> Vec<String> {
    let mut checker = Checker::new(Protocol::AGUI);
    let mut faults = Vec::new();
    let mut take = |found: &[Finding]| {
        let grave = found.iter().filter(|finding| finding.severity > Severity::Note);
        faults.extend(grave.map(|finding| format!("event {:?}: {finding} at {}", finding.event, finding.path)));
    };
    for event in events {
        take(checker.push(Input::event(&event.to_string())));
    }
    take(checker.finish());
    faults
}

/// The types in short: those of CUSTOM by their names, the ends by what they say.
fn picture(events: &[Value]) -> String {
    let picture = events.iter().map(|event| match event["type"].as_str().unwrap() {
        "CUSTOM" => event["name"].as_str().unwrap().to_owned(),
        "RUN_FINISHED" => match event["outcome"]["type"].as_str() {
            Some(outcome) => format!("RUN_FINISHED({outcome})"),
            None => "RUN_FINISHED".to_owned(),
        },
        "RUN_ERROR" => format!("RUN_ERROR({})", event["code"].as_str().unwrap_or("")),
        other => other.to_owned(),
    });
    picture.collect::<Vec<_>>().join(" ")
}

fn user(text: &str, id: &str) -> (&'static str, Value) {
    ("user_message", json!({"message": text, "message_id": id}))
}

fn begun() -> (&'static str, Value) {
    ("ai_message_start", json!({}))
}

fn request(attempt: u32) -> (&'static str, Value) {
    ("api_request_start", json!({"attempt": attempt, "max_attempts": 5}))
}

fn chunk(text: &str) -> (&'static str, Value) {
    ("text_chunk", json!({"content": text, "index": 1, "elapsed": 0.0}))
}

fn text_end(text: &str) -> (&'static str, Value) {
    ("text_end", json!({"full_content": text}))
}

fn preparing(id: &str) -> (&'static str, Value) {
    ("tool_preparing", json!({"id": id, "name": "search", "message": "m", "intent": null}))
}

fn tool_start(id: &str, preparing: &str) -> (&'static str, Value) {
    let data =
        json!({"id": id, "name": "search", "arguments": {"q": 1}, "preparing_id": preparing, "monitor_snapshot": null});
    ("tool_start", data)
}

fn update(data: Value) -> (&'static str, Value) {
    ("update_action", data)
}

fn retry() -> (&'static str, Value) {
    ("error", json!({"message": "m", "retry": true, "retry_in": 1, "attempt": 1, "max_attempts": 5}))
}

fn reset() -> (&'static str, Value) {
    ("stream_reset", json!({"reason": "stream_disconnected", "attempt": 1, "max_attempts": 5, "retry_in": 1}))
}

fn approval(id: &str, tool: &str) -> (&'static str, Value) {
    let approval = json!({"approval_id": id, "tool_call_id": tool, "tool_name": "search", "status": "pending"});
    ("tool_approval_required", json!({"approval": approval}))
}

fn complete() -> (&'static str, Value) {
    ("task_complete", json!({"total_iterations": 1}))
}

fn stopped() -> (&'static str, Value) {
    ("task_stopped", json!({"message": "m", "reason": "user_stop"}))
}

#[test]
#[allow(clippy::too_many_lines, clippy::type_complexity, reason = "it is a table")]
fn small_tasks() {
    let thinking = |what: &'static str, text: &str| {
        let member = if what == "thinking_end" { "full_content" } else { "content" };
        (what, json!({member: text}))
    };
    let table: &[(&str, Vec<(&str, Value)>, &str)] = &[
        (
            "an answer",
            vec![
                user("hi", "u"),
                begun(),
                request(1),
                ("text_start", json!({})),
                chunk("a"),
                chunk("b"),
                text_end("ab"),
                complete(),
            ],
            "RUN_STARTED polling.api_request_start TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT \
             TEXT_MESSAGE_END RUN_FINISHED",
        ),
        (
            "thinking that ends after a tool was announced",
            vec![
                begun(),
                ("thinking_start", json!({})),
                thinking("thinking_chunk", "so"),
                preparing("p"),
                thinking("thinking_end", "so"),
                tool_start("e", "p"),
                update(json!({"id": "e", "status": "completed", "result": {"success": true}})),
                complete(),
            ],
            "RUN_STARTED REASONING_START REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT TOOL_CALL_START \
             REASONING_MESSAGE_END REASONING_END TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT RUN_FINISHED",
        ),
        (
            "a tool that was never announced",
            vec![begun(), tool_start("e", ""), update(json!({"id": "e", "status": "failed"})), complete()],
            "RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT RUN_FINISHED",
        ),
        (
            "a tool that was denied",
            vec![begun(), preparing("p"), update(json!({"preparing_id": "p", "status": "cancelled"})), complete()],
            "RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT RUN_FINISHED",
        ),
        (
            "what is said of a tool before it is over, and of one that nobody knows",
            vec![
                begun(),
                preparing("p"),
                ("tool_intent", json!({"id": "p", "name": "search", "intent": "look"})),
                tool_start("e", "p"),
                update(json!({"preparing_id": "p", "status": "running", "message": "m"})),
                update(json!({"id": "x", "status": "completed"})),
                ("tool_update_action", json!({"tool_call_id": "p", "id": "e", "status": "completed"})),
                complete(),
            ],
            "RUN_STARTED TOOL_CALL_START polling.tool_intent TOOL_CALL_ARGS TOOL_CALL_END polling.update_action \
             polling.update_action TOOL_CALL_RESULT RUN_FINISHED",
        ),
        (
            "a stop in the middle, sent twice",
            vec![begun(), ("text_start", json!({})), chunk("a"), preparing("p"), stopped(), stopped()],
            "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TOOL_CALL_START TEXT_MESSAGE_END TOOL_CALL_ARGS \
             TOOL_CALL_END TOOL_CALL_RESULT RUN_FINISHED(cancelled)",
        ),
        (
            "a retry before anything has come",
            vec![begun(), request(1), retry(), request(2), chunk("a"), text_end("a"), complete()],
            "RUN_STARTED polling.api_request_start polling.error polling.api_request_start TEXT_MESSAGE_START \
             TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED",
        ),
        (
            "a retry after a part has come",
            vec![
                begun(),
                request(1),
                chunk("a"),
                preparing("p"),
                retry(),
                reset(),
                request(2),
                chunk("b"),
                text_end("b"),
                complete(),
            ],
            "RUN_STARTED polling.api_request_start TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TOOL_CALL_START \
             polling.error TEXT_MESSAGE_END TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT polling.stream_reset \
             MESSAGES_SNAPSHOT polling.api_request_start TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END \
             RUN_FINISHED",
        ),
        (
            "a full content that goes on, one that differs, and an empty one",
            vec![begun(), chunk("a"), text_end("ab"), chunk("c"), text_end("d"), chunk("e"), text_end(""), complete()],
            "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END \
             TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END MESSAGES_SNAPSHOT TEXT_MESSAGE_START \
             TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED",
        ),
        (
            "an element that is complete, what follows it, and a full content that differs",
            vec![
                begun(),
                chunk("a<show_html>x</show_"),
                chunk("html>"),
                chunk("b"),
                text_end("b!"),
                text_end("c"),
                complete(),
            ],
            "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END \
             TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED",
        ),
        (
            "empty pieces",
            vec![begun(), ("text_start", json!({})), chunk(""), text_end(""), complete()],
            "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_END RUN_FINISHED",
        ),
        (
            "guidance, and a message that comes again",
            vec![begun(), user("x", "g"), user("y", "g"), user("y", "g"), complete()],
            "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END MESSAGES_SNAPSHOT RUN_FINISHED",
        ),
        (
            "an approval that nobody has given",
            vec![
                begun(),
                preparing("p"),
                approval("a", "p"),
                update(json!({"preparing_id": "p", "status": "awaiting_approval"})),
                complete(),
            ],
            "RUN_STARTED TOOL_CALL_START polling.tool_approval_required polling.update_action TOOL_CALL_ARGS \
             TOOL_CALL_END RUN_FINISHED(interrupt)",
        ),
        (
            "an approval that was refused",
            vec![
                begun(),
                preparing("p"),
                approval("a", "p"),
                ("tool_approval_resolved", json!({"approval_id": "a", "decision": "rejected", "reason": null})),
                update(json!({"preparing_id": "p", "status": "completed", "result": {"success": false}})),
                stopped(),
            ],
            "RUN_STARTED TOOL_CALL_START polling.tool_approval_required polling.tool_approval_resolved TOOL_CALL_ARGS \
             TOOL_CALL_END TOOL_CALL_RESULT RUN_FINISHED(cancelled)",
        ),
        (
            "errors that are no end, and one that is",
            vec![
                begun(),
                ("error", json!({"error_type": "parameter_format_error"})),
                retry(),
                ("error", json!({"message": "m", "error_type": "context_overflow", "status_code": 400})),
                chunk("late"),
            ],
            "RUN_STARTED polling.error polling.error RUN_ERROR(context_overflow)",
        ),
        (
            "a quota",
            vec![begun(), ("quota_exceeded", json!({"type": "fast", "reset_at": 1}))],
            "RUN_STARTED RUN_ERROR(quota_exceeded)",
        ),
        (
            "what AG-UI has no place for",
            vec![
                begun(),
                ("goal_progress", json!({"goal": "g", "tokens_used": 5})),
                ("something_new", json!({"a": 1})),
                ("system_message", json!({"content": "sub-agent finished"})),
                complete(),
            ],
            "RUN_STARTED polling.goal_progress polling.something_new TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT \
             TEXT_MESSAGE_END RUN_FINISHED",
        ),
    ];
    for (what, events, expected) in table {
        let found = converted(&envelopes(events), None);
        assert_eq!(picture(&found), *expected, "{what}");
        assert_eq!(faults(&found), [""; 0], "{what}");
    }
}

#[test]
fn the_status_ends_a_run_that_no_event_has_ended() {
    let waiting = vec![begun(), approval("a", "p")];
    for (events, status, expected) in [
        (vec![begun()], Some("succeeded"), "RUN_FINISHED"),
        (vec![begun()], Some("stopped"), "RUN_FINISHED(cancelled)"),
        (vec![begun()], Some("canceled"), "RUN_FINISHED(cancelled)"),
        (vec![begun()], Some("failed"), "RUN_ERROR(failed)"),
        (vec![begun()], Some("running"), "RUN_ERROR(incomplete)"),
        (vec![begun()], None, "RUN_ERROR(incomplete)"),
        (vec![], None, "RUN_ERROR(incomplete)"),
        (waiting.clone(), Some("running"), "RUN_FINISHED(interrupt)"),
        (waiting.clone(), Some("succeeded"), "RUN_FINISHED(interrupt)"),
        (waiting, Some("stopped"), "RUN_FINISHED(cancelled)"),
        (vec![begun(), complete()], Some("failed"), "RUN_FINISHED"),
    ] {
        let found = converted(&envelopes(&events), status.map(TaskStatus::from).as_ref());
        let picture = picture(&found);
        assert_eq!(picture.rsplit(' ').next(), Some(expected), "{events:?} {status:?}");
        assert_eq!(faults(&found), [""; 0], "{events:?} {status:?}");
    }
}

#[test]
fn single_events() {
    let ids = json!({"task_id": "t", "conversation_id": "c", "workspace_id": "w"});
    let with_ids = |mut data: Value| {
        for (name, id) in ids.as_object().unwrap() {
            data[name] = id.clone();
        }
        data
    };
    let cases = [
        (
            "ai_message_start",
            json!({"model": "m"}),
            json!([
                {"type": "CUSTOM", "name": "polling.ai_message_start", "value": {"model": "m"}, "timestamp": 1500}]),
        ),
        (
            "user_message",
            json!({"message": "hi", "message_id": "u", "visibility": "chat", "images": ["i"], "api_key": "none"}),
            json!([{"type": "RUN_STARTED", "threadId": "c", "runId": "t", "timestamp": 1500,
                "input": {"threadId": "c", "runId": "t", "messages": [{"id": "u", "role": "user", "content": "hi",
                    "metadata": {"polling": {"visibility": "chat", "images": ["i"], "message_id": "u"}}}]},
                "metadata": {"polling": {"workspace_id": "w"}}}]),
        ),
        (
            "tool_start",
            json!({"id": "e", "name": "n", "arguments": {"n": 1.5}, "preparing_id": "p", "monitor_snapshot": null}),
            json!([
                {"type": "TOOL_CALL_START", "toolCallId": "p", "toolCallName": "n", "timestamp": 1500},
                {"type": "TOOL_CALL_ARGS", "toolCallId": "p", "delta": "{\"n\":1.5}", "timestamp": 1500,
                    "metadata": {"polling": {"id": "e"}}},
                {"type": "TOOL_CALL_END", "toolCallId": "p", "timestamp": 1500},
            ]),
        ),
        (
            "goal_progress",
            json!({"goal": "g", "tokens_used": 5, "max_tokens": null, "secret": "none"}),
            json!([{"type": "CUSTOM", "name": "polling.goal_progress", "timestamp": 1500,
                "value": {"goal": "g", "used_tokens": 5}}]),
        ),
        (
            "error",
            json!({"message": "m", "retry": true, "request_dump": {"a": 1}, "base_url": "http://localhost"}),
            json!([{"type": "CUSTOM", "name": "polling.error", "timestamp": 1500,
                "value": {"message": "m", "retry": true}}]),
        ),
        (
            "error",
            json!({"message": "m", "error_code": "E1", "model_id": "x", "request_dump": {"a": 1}, "base_url": "b"}),
            json!([{"type": "RUN_ERROR", "message": "m", "code": "E1", "timestamp": 1500,
                "metadata": {"polling": {"error_code": "E1", "model_id": "x"}}}]),
        ),
        (
            "task_complete",
            json!({"total_iterations": 2, "citations": [{"a": 1}]}),
            json!([{"type": "RUN_FINISHED", "threadId": "c", "runId": "t", "timestamp": 1500,
                "metadata": {"polling": {"total_iterations": 2, "citations": [{"a": 1}]}}}]),
        ),
    ];
    for (kind, data, expected) in cases {
        let (mut converter, mut out) = (AgUiConverter::new(), Vec::<agui::Event>::new());
        let first = json!({"idx": 0, "type": "ai_message_start", "data": ids, "ts": 1.5}).to_string();
        if kind != "user_message" {
            converter.push(&Envelope::from_json(&first).unwrap(), &mut out);
            out.clear();
        }
        let text = json!({"idx": 1, "type": kind, "data": with_ids(data), "ts": 1.5}).to_string();
        converter.push(&Envelope::from_json(&text).unwrap(), &mut out);
        let found: Vec<Value> = out.iter().map(|event| serde_json::from_str(&event.to_json()).unwrap()).collect();
        assert_eq!(Value::from(found), expected, "{kind}");
    }
}

#[test]
fn answers_of_tools() {
    for (updates, content) in [
        (vec![json!({"id": "e", "status": "completed", "result": {"a": [1]}})], r#"{"a":[1]}"#),
        (vec![json!({"id": "e", "status": "completed", "result": "text"})], "text"),
        (vec![json!({"id": "e", "status": "completed", "message": "done"})], "done"),
        (vec![json!({"id": "e", "status": "timeout"})], "timeout"),
        // The last result counts, whenever it came.
        (
            vec![json!({"id": "e", "status": "running", "result": "part"}), json!({"id": "e", "status": "completed"})],
            "part",
        ),
        (vec![json!({"id": "e", "status": "running", "result": "part"})], "part"),
        (vec![], "cancelled"),
        // AG-UI looks into text that is JSON.
        (
            vec![json!({"id": "e", "status": "completed", "result": r#"{"api_key":"x", "a": [{"password":1},2.50]}"#})],
            r#"{"a":[{},2.50]}"#,
        ),
    ] {
        let mut events = vec![begun(), preparing("p"), tool_start("e", "p")];
        events.extend(updates.into_iter().map(update));
        events.push(complete());
        let found = converted(&envelopes(&events), None);
        let answers: Vec<_> = found.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT").collect();
        assert_eq!(answers.len(), 1, "{events:?}");
        assert_eq!((&answers[0]["content"], &answers[0]["toolCallId"]), (&json!(content), &json!("p")));
        assert_eq!(faults(&found), [""; 0], "{events:?}");
    }
}

/// A long id of a call that is waited for again and again does not make the end of the run larger each time.
#[test]
fn the_end_of_a_run_is_bounded() {
    let mut events = vec![begun(), tool_start("e", &"p".repeat(30_000))];
    events.extend((0..500).map(|number| approval(&format!("a{number}"), "e")));
    events.push(complete());
    let found = converted(&envelopes(&events), None);
    let end = found.last().unwrap();
    let interrupts = end["outcome"]["interrupts"].as_array().unwrap();
    let linked = interrupts.iter().filter(|interrupt| interrupt.get("toolCallId").is_some()).count();
    assert_eq!((interrupts.len(), linked), (500, (1 << 20) / 30_000));
    assert!(end.to_string().len() < 2 << 20);
}

#[test]
fn interrupts_say_what_the_user_has_to_answer() {
    let question = |id: &str| json!({"question_id": id, "batch_id": "b", "question": "which?", "options": []});
    let plan = json!({"approval_id": "a", "plan_content": "p", "plan_content_truncated": false, "summary": "s"});
    let events = [
        begun(),
        preparing("p"),
        tool_start("e", "p"),
        approval("a", "e"),
        ("user_questions_required", json!({"batch_id": "b", "questions": [question("q1"), question("q2")]})),
        ("user_question_resolved", json!({"question_id": "q1"})),
        ("plan_approval_required", json!({"approval": plan})),
        ("user_question_required", json!({"question": question("q3")})),
        ("user_question_required", json!({"question": question("q1")})),
        complete(),
    ];
    let found = converted(&envelopes(&events), None);
    assert_eq!(faults(&found), [""; 0]);
    let interrupts = found.last().unwrap()["outcome"]["interrupts"].as_array().unwrap();
    let short =
        |name: &str| interrupts.iter().map(|interrupt| interrupt[name].as_str().unwrap_or("-")).collect::<Vec<_>>();
    assert_eq!(short("id"), ["a", "q2", "plan_approval:a", "q3"]);
    assert_eq!(short("reason"), ["tool_approval", "user_question", "plan_approval", "user_question"]);
    assert_eq!(short("message"), ["-", "which?", "s", "which?"]);
    assert_eq!(short("toolCallId"), ["p", "-", "-", "-"]);
}

#[test]
fn what_comes_again_counts_once_and_other_tasks_do_not() {
    let mut task = envelopes(&[begun(), chunk("a"), chunk("b"), text_end("ab"), complete()]);
    let once = converted(&task, None);
    let again = task[1..3].to_vec();
    drop(task.splice(3..3, again));
    let other =
        json!({"idx": 9, "type": "text_chunk", "data": {"content": "x", "task_id": "u"}, "ts": 1.5}).to_string();
    task.insert(2, Envelope::from_json(&other).unwrap());
    assert_eq!(converted(&task, None), once);
    let direct: Vec<Value> =
        to_agui(&task).iter().map(|event| serde_json::from_str(&event.to_json()).unwrap()).collect();
    assert_eq!(direct, once);
}

#[test]
fn a_task_may_go_on_in_another_conversation() {
    let text = |conversation: &str| ("text_chunk", json!({"content": conversation, "conversation_id": conversation}));
    let changed = ("conversation_changed", json!({"title": "T", "conversation_id": "d"}));
    let task = envelopes(&[text(""), text("c"), changed, text("d"), text_end("cd"), complete()]);
    let shown = converted(&task, None);
    assert_eq!(
        picture(&shown),
        "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT polling.conversation_changed TEXT_MESSAGE_CONTENT \
         TEXT_MESSAGE_END RUN_FINISHED"
    );
    assert_eq!(faults(&shown), [""; 0]);

    let (mut converter, mut out) = (AgUiConverter::new().with_ids("t", "c"), Vec::<agui::Event>::new());
    for envelope in &task {
        converter.push(envelope, &mut out);
    }
    let deltas: Vec<_> = out
        .iter()
        .filter_map(|event| match event {
            agui::Event::TextMessageContent(content) => Some(content.delta.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(deltas, ["c", "d"], "the second is what text_end adds");
}

#[test]
fn snapshots_keep_earlier_messages_and_void_reasoning_goes() {
    let earlier = [
        "{\"id\":\"h\",\"role\":\"user\",\"content\":\"before\"}",
        "{\"id\":\"u\",\"role\":\"user\",\"content\":\"hi\"}",
    ];
    let earlier = earlier.iter().map(|text| agui::Message::from_json(text).unwrap()).collect();
    let (mut converter, mut out) = (AgUiConverter::new().with_earlier(earlier), Vec::<agui::Event>::new());
    let thinking = ("thinking_chunk", json!({"content": "hm"}));
    for envelope in envelopes(&[user("hi", "u"), begun(), request(1), thinking, chunk("a"), reset()]) {
        converter.push(&envelope, &mut out);
    }
    let last = out.pop().unwrap();
    assert_eq!(last.known_type(), Some(EventType::MessagesSnapshot));
    let snapshot: Value = serde_json::from_str(&last.to_json()).unwrap();
    let short = |message: &Value| (message["id"].as_str().unwrap().to_owned(), message["content"].clone());
    let messages: Vec<_> = snapshot["messages"].as_array().unwrap().iter().map(short).collect();
    let expected = [("h", "before"), ("u", "hi"), ("t:thinking:3", "")];
    assert_eq!(messages, expected.map(|(id, text)| (id.to_owned(), json!(text))));
}

#[test]
fn ids_are_used_once() {
    let again = |id: &str| vec![preparing(id), reset(), request(2), preparing(id), complete()];
    let mut events = vec![begun(), user("x", "p"), request(1)];
    events.extend(again("p"));
    let found = converted(&envelopes(&events), None);
    assert_eq!(faults(&found), [""; 0]);
    let calls: Vec<_> =
        found.iter().filter(|event| event["type"] == "TOOL_CALL_START").map(|event| &event["toolCallId"]).collect();
    assert_eq!(calls, ["t:call:3", "t:call:6"]);
}

#[test]
fn output_and_memory_are_bounded() {
    let count = |found: &[Value]| found.iter().filter(|event| event["type"] == "MESSAGES_SNAPSHOT").count();
    let mut events = vec![begun()];
    for _ in 0..200 {
        events.extend([request(1), chunk("void"), reset()]);
    }
    events.extend([request(2), chunk("kept"), complete()]);
    let found = converted(&envelopes(&events), None);
    assert_eq!((count(&found), faults(&found)), (65, vec![]));
    let last = found.iter().rfind(|event| event["type"] == "MESSAGES_SNAPSHOT").unwrap();
    let contents: Vec<_> = last["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, ["kept"]);

    let large = "x".repeat(9 * 1024 * 1024);
    let events =
        [begun(), request(1), chunk(&large), text_end(&large), chunk("b"), reset(), request(2), chunk("c"), complete()];
    let found = converted(&envelopes(&events), None);
    assert_eq!((count(&found), faults(&found)), (0, vec![]));

    let (mut converter, mut out) = (AgUiConverter::new(), Vec::<agui::Event>::new());
    let tools: u64 = 66_000;
    for idx in 0..tools {
        let id = format!("{idx:0>150}");
        converter.push(&envelope(idx.try_into().unwrap(), "tool_preparing", &preparing(&id).1), &mut out);
    }
    let begun = out.iter().filter(|event| event.known_type() == Some(EventType::ToolCallStart)).count() as u64;
    let left = out.iter().filter(|event| event.known_type() == Some(EventType::Custom)).count() as u64;
    assert!(converter.is_truncated() && begun > 10_000 && begun + left == tools, "{begun} calls, {left} by themselves");
}

#[test]
fn debug_shows_no_content() {
    let (mut converter, mut out) =
        (AgUiConverter::new().with_ids("secret-task", "secret-thread"), Vec::<agui::Event>::new());
    converter.push(
        &Envelope::from_json(r#"{"idx":0,"type":"text_chunk","data":{"content":"secret"},"ts":1}"#).unwrap(),
        &mut out,
    );
    assert!(!format!("{converter:?}").contains("secret"));
    assert!(out[0].to_json().contains("secret-task"));
}

/// What a client has of a run in the end, by the official reducer's rules.
#[derive(Debug, Default)]
struct Client {
    messages: Vec<Value>,
}

impl Client {
    fn of(events: &[Value]) -> Self {
        let mut client = Self::default();
        for event in events {
            client.take(event);
        }
        client
    }

    fn at(&self, id: &Value) -> Option<usize> {
        self.messages.iter().position(|message| message["id"] == *id)
    }

    fn add(&mut self, message: Value) {
        assert_eq!(self.at(&message["id"]), None, "{message} is there already");
        self.messages.push(message);
    }

    fn append(&mut self, id: &Value, delta: &Value) {
        let at = self.at(id).unwrap();
        let text = self.messages[at]["content"].as_str().unwrap_or("").to_owned() + delta.as_str().unwrap();
        self.messages[at]["content"] = text.into();
    }

    fn call(&mut self, id: &Value) -> Option<(usize, &mut Value)> {
        self.messages.iter_mut().enumerate().find_map(|(at, message)| {
            let calls = message.get_mut("toolCalls")?.as_array_mut()?;
            Some((at, calls.iter_mut().find(|call| call["id"] == *id)?))
        })
    }

    fn take(&mut self, event: &Value) {
        let (message, call) = (&event["messageId"], &event["toolCallId"]);
        match event["type"].as_str().unwrap() {
            "RUN_STARTED" => {
                for message in event["input"]["messages"].as_array().into_iter().flatten() {
                    self.add(message.clone());
                }
            }
            "TEXT_MESSAGE_START" => self.add(json!({"id": message, "role": event["role"], "content": ""})),
            "REASONING_MESSAGE_START" => self.add(json!({"id": message, "role": "reasoning", "content": ""})),
            "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" => self.append(message, &event["delta"]),
            "TOOL_CALL_START" => {
                assert!(self.call(call).is_none(), "{call} is there already");
                let parent = event.get("parentMessageId");
                let at = parent.map(|parent| self.at(parent).expect("the parent is there"));
                let at = at.unwrap_or_else(|| {
                    self.add(json!({"id": call, "role": "assistant"}));
                    self.messages.len() - 1
                });
                let started = json!({"id": call, "function": {"name": event["toolCallName"], "arguments": ""}});
                let owner = &mut self.messages[at];
                assert_eq!(owner["role"], "assistant");
                if owner.get("toolCalls").is_none() {
                    owner["toolCalls"] = json!([]);
                }
                owner["toolCalls"].as_array_mut().unwrap().push(started);
            }
            "TOOL_CALL_ARGS" => {
                let arguments = &mut self.call(call).unwrap().1["function"]["arguments"];
                *arguments = (arguments.as_str().unwrap().to_owned() + event["delta"].as_str().unwrap()).into();
            }
            "TOOL_CALL_RESULT" => {
                let owner = self.call(call).unwrap().0;
                let behind = self.messages[owner + 1..].iter().take_while(|message| message["role"] == "tool").count();
                let answer = json!({"id": message, "role": "tool", "toolCallId": call, "content": event["content"]});
                self.messages.insert(owner + 1 + behind, answer);
            }
            "MESSAGES_SNAPSHOT" => {
                let list = event["messages"].as_array().unwrap();
                let keeps_reasoning = list.iter().all(|message| message["role"] != "reasoning");
                let is_in = |held: &Value| list.iter().any(|message| message["id"] == held["id"]);
                self.messages.retain(|held| is_in(held) || keeps_reasoning && held["role"] == "reasoning");
                for message in list {
                    match self.at(&message["id"]) {
                        Some(at) => self.messages[at] = message.clone(),
                        None => self.messages.push(message.clone()),
                    }
                }
            }
            _ => {}
        }
    }

    /// The texts of some roles that are not empty.
    fn texts(&self, roles: &[&str]) -> Vec<String> {
        let of_role = self.messages.iter().filter(|message| roles.contains(&message["role"].as_str().unwrap()));
        let texts = of_role.filter_map(|message| message["content"].as_str());
        texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
    }

    /// Name, arguments and answer of each call.
    fn calls(&self) -> Vec<(String, String, Option<String>)> {
        let calls = self.messages.iter().filter_map(|message| message["toolCalls"].as_array()).flatten();
        let answer = |id: &Value| {
            let found = self.messages.iter().find(|message| message["toolCallId"] == *id);
            found.map(|message| message["content"].as_str().unwrap().to_owned())
        };
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        calls
            .map(|call| (text(&call["function"]["name"]), text(&call["function"]["arguments"]), answer(&call["id"])))
            .collect()
    }
}

/// How a tool goes.
#[derive(Clone, Copy, Debug)]
enum Way {
    Runs,
    Unannounced,
    Denied,
    StaysPrepared,
    StaysRunning,
    Awaits,
}

/// By which of its ids a tool is updated.
#[derive(Clone, Copy, Debug)]
enum By {
    Id,
    PreparingId,
    Both,
    CallId,
}

#[derive(Clone, Debug)]
struct Tool {
    way: Way,
    by: By,
    name: &'static str,
    status: &'static str,
    arguments: Value,
    result: Option<Value>,
    part: Option<Value>,
    intents: usize,
    /// Whether an approval is asked for, and given.
    approval: Option<bool>,
}

/// What `full_content` is.
#[derive(Clone, Copy, Debug)]
enum Full {
    Exact,
    Longer,
    Other,
    Empty,
}

#[derive(Clone, Debug)]
struct Attempt {
    thinking: Option<Vec<String>>,
    text: Option<Vec<String>>,
    full: (Full, Full),
    /// Thinking ends after the first tool is announced.
    late: bool,
    tools: Vec<Tool>,
}

/// Attempts that broke, where, and whether they were reset; then one that did not.
#[derive(Clone, Debug)]
struct Request {
    broken: Vec<(Attempt, Index, bool)>,
    whole: Attempt,
}

#[derive(Clone, Debug)]
enum End {
    Complete(bool),
    Stopped(bool),
    Error,
    Quota,
    Status(Option<&'static str>),
}

#[derive(Clone, Debug)]
struct Task {
    users: usize,
    requests: Vec<Request>,
    /// Every request names its tools alike.
    same_ids: bool,
    between: Vec<(Index, (&'static str, Value))>,
    cut: Option<Index>,
    end: End,
    again: Option<(Index, Index)>,
}

/// Puts a task together. What is open is followed, so that the full contents are right.
#[derive(Default)]
struct Writer {
    events: Vec<(String, Value)>,
    attempt: usize,
    /// The open blocks, thinking and text: the attempt that began them, and what has come.
    open: [Option<(usize, String)>; 2],
}

const NAMES: [&str; 2] = ["thinking", "text"];

impl Writer {
    fn put(&mut self, kind: &str, data: Value) {
        self.events.push((kind.to_owned(), data));
    }

    fn start(&mut self, kind: usize) {
        self.open[kind].get_or_insert((self.attempt, String::new()));
        self.put(&format!("{}_start", NAMES[kind]), json!({}));
    }

    fn chunk(&mut self, kind: usize, text: &str, index: usize) {
        if let Some((_, so_far)) = &mut self.open[kind] {
            so_far.push_str(text);
        }
        let data =
            if kind == 1 { json!({"content": text, "index": index, "elapsed": 0.5}) } else { json!({"content": text}) };
        self.put(&format!("{}_chunk", NAMES[kind]), data);
    }

    fn end(&mut self, kind: usize, full: Full) {
        let Some((_, text)) = self.open[kind].take() else { return };
        let full = match full {
            Full::Exact => text,
            Full::Longer => text + "…",
            Full::Other => "other".to_owned(),
            Full::Empty => String::new(),
        };
        self.put(&format!("{}_end", NAMES[kind]), json!({"full_content": full}));
    }

    fn request(&mut self, attempt: usize) {
        self.attempt += 1;
        self.put("api_request_start", json!({"attempt": attempt, "max_attempts": 5}));
    }

    /// What the model sends, up to `cut` steps.
    fn stream(&mut self, attempt: &Attempt, prefix: &str, cut: usize) {
        #[allow(clippy::type_complexity, reason = "a list of what to do")]
        let mut steps: Vec<Box<dyn FnOnce(&mut Self) + '_>> = Vec::new();
        let blocks = [&attempt.thinking, &attempt.text];
        for (kind, pieces) in blocks.into_iter().enumerate() {
            let Some(pieces) = pieces else { continue };
            steps.push(Box::new(move |writer| writer.start(kind)));
            for (at, piece) in pieces.iter().enumerate() {
                steps.push(Box::new(move |writer| writer.chunk(kind, piece, at + 1)));
            }
            if kind == 0 && !attempt.late {
                steps.push(Box::new(|writer| writer.end(0, attempt.full.0)));
            }
        }
        for (at, tool) in attempt.tools.iter().enumerate().filter(|(_, tool)| !matches!(tool.way, Way::Unannounced)) {
            let id = format!("{prefix}{at}");
            let data = json!({"id": id, "name": tool.name, "message": "m", "intent": null});
            steps.push(Box::new(move |writer| writer.put("tool_preparing", data)));
            for _ in 0..tool.intents {
                let data = json!({"id": id, "name": tool.name, "intent": "look"});
                steps.push(Box::new(move |writer| writer.put("tool_intent", data)));
            }
        }
        steps.push(Box::new(|writer| writer.end(0, attempt.full.0)));
        steps.push(Box::new(|writer| writer.end(1, attempt.full.1)));
        for step in steps.into_iter().take(cut) {
            step(self);
        }
    }

    /// What the tools do that the model has called.
    fn run(&mut self, tools: &[Tool], prefix: &str, number: usize) {
        for (at, tool) in tools.iter().enumerate() {
            let (id, preparing) = (format!("tool_{number}_{at}"), format!("{prefix}{at}"));
            if let Some(given) = tool.approval {
                let approval = json!({"approval_id": format!("approval_{id}"), "tool_call_id": preparing});
                self.put("tool_approval_required", json!({"approval": approval}));
                if given {
                    let data = json!({"approval_id": format!("approval_{id}"), "decision": "approved", "reason": null});
                    self.put("tool_approval_resolved", data);
                }
            }
            let mut ids = match (tool.way, tool.by) {
                (Way::Denied, By::CallId) => json!({"tool_call_id": preparing}),
                (Way::Denied, _) | (_, By::PreparingId) => json!({"preparing_id": preparing}),
                (_, By::Id) => json!({"id": id}),
                (_, By::Both) => json!({"id": id, "preparing_id": preparing}),
                (_, By::CallId) => json!({"id": "shown-only", "tool_call_id": preparing}),
            };
            if matches!(tool.way, Way::StaysPrepared) {
                continue;
            }
            if !matches!(tool.way, Way::Denied) {
                let data = json!({"id": id, "name": tool.name, "arguments": tool.arguments, "preparing_id": preparing,
                    "monitor_snapshot": null});
                self.put("tool_start", data);
                if let Some(part) = tool.part.as_ref().filter(|_| !matches!(tool.way, Way::Awaits)) {
                    let mut data = ids.clone();
                    data["status"] = "running".into();
                    data["result"] = part.clone();
                    self.put("update_action", data);
                }
            }
            match tool.way {
                Way::StaysRunning => continue,
                Way::Awaits => ids["status"] = "awaiting_user_answer".into(),
                _ => {
                    ids["status"] = tool.status.into();
                    if let Some(result) = &tool.result {
                        ids["result"] = result.clone();
                    }
                }
            }
            // Whatever else an update has is the tool's from then on.
            match tool.intents {
                2 => ids["arguments"] = json!({"again": tool.arguments}),
                3 => {
                    ids["arguments"] = json!(tool.part);
                    ids["name"] = "renamed".into();
                }
                _ => {}
            }
            self.put("update_action", ids);
        }
    }
}

impl Task {
    fn envelopes(&self) -> Vec<Envelope> {
        let mut writer = Writer::default();
        for user in 0..self.users {
            writer.put("user_message", json!({"message": format!("question {user}"), "starts_work": true}));
        }
        writer.put("ai_message_start", json!({}));
        writer.attempt += 1;
        for (number, request) in self.requests.iter().enumerate() {
            let prefix = if self.same_ids { "call_".to_owned() } else { format!("call_{number}_") };
            for (attempt, (broken, cut, is_reset)) in request.broken.iter().enumerate() {
                writer.request(attempt + 1);
                writer.stream(broken, &prefix, cut.index(12));
                let data =
                    json!({"message": "m", "retry": true, "retry_in": 1.5, "attempt": attempt + 1, "max_attempts": 5});
                writer.put("error", data);
                if *is_reset {
                    let (_, mut data) = reset();
                    data["attempt"] = (attempt + 1).into();
                    writer.put("stream_reset", data);
                    let current = writer.attempt;
                    for open in &mut writer.open {
                        *open = open.take().filter(|(attempt, _)| *attempt != current);
                    }
                    writer.attempt += 1;
                }
            }
            writer.request(request.broken.len() + 1);
            writer.stream(&request.whole, &prefix, usize::MAX);
            writer.run(&request.whole.tools, &prefix, number);
        }
        let mut events = writer.events;
        for (at, (kind, data)) in &self.between {
            events.insert(at.index(events.len() + 1), ((*kind).to_owned(), data.clone()));
        }
        if let Some(cut) = self.cut {
            events.truncate(cut.index(events.len() + 1));
        }
        let mut end = |kind: &str, data: Value| events.push((kind.to_owned(), data));
        match self.end {
            End::Complete(background) => {
                end("task_complete", json!({"total_iterations": 1, "has_running_sub_agents": background}));
            }
            End::Stopped(twice) => {
                for _ in 0..=usize::from(twice) {
                    end("task_stopped", json!({"message": "m", "reason": "user_stop"}));
                }
            }
            End::Error => end("error", json!({"message": "m", "retry": false, "error_type": "api_error"})),
            End::Quota => end("quota_exceeded", json!({"type": "fast", "reset_at": null})),
            End::Status(_) => {}
        }
        let numbered = events.iter().enumerate().map(|(idx, (kind, data))| envelope(idx, kind, data));
        let mut envelopes: Vec<Envelope> = numbered.collect();
        if let Some((from, to)) = self.again.filter(|_| !envelopes.is_empty()) {
            let (from, to) = (from.index(envelopes.len()), to.index(envelopes.len()));
            let (from, to) = (from.min(to), from.max(to) + 1);
            let again = envelopes[from..to].to_vec();
            drop(envelopes.splice(to..to, again));
        }
        envelopes
    }

    fn status(&self) -> Option<TaskStatus> {
        match self.end {
            End::Status(status) => status.map(TaskStatus::from),
            _ => None,
        }
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z你😀\"\\\\\n ]{0,4}",
        1 => select(vec!["<show_html>", "</show_html>", "<show_html a>x</show_html>", "<show"]).prop_map(Into::into),
    ]
}

fn pieces() -> impl Strategy<Value = Option<Vec<String>>> {
    prop::option::weighted(0.7, prop::collection::vec(piece(), 0..4))
}

/// A result, or a value of arguments; no null, which is none.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        piece().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        piece().prop_map(|text| json!({"success": true, "output": text, "max_tokens": 5})),
        piece().prop_map(|text| json!([text, null, {"nested": []}])),
    ]
}

fn tool() -> impl Strategy<Value = Tool> {
    let ways =
        vec![Way::Runs, Way::Runs, Way::Unannounced, Way::Denied, Way::StaysPrepared, Way::StaysRunning, Way::Awaits];
    let by = vec![By::Id, By::PreparingId, By::Both, By::CallId];
    let words =
        (select(vec!["search", "search", "read"]), select(vec!["completed", "completed", "cancelled", "failed"]));
    let values = (value(), prop::option::of(value()), prop::option::of(value()));
    let rest = (0_usize..4, prop::option::weighted(0.2, any::<bool>()));
    (select(ways), select(by), words, values, rest).prop_map(
        |(way, by, (name, status), (argument, result, part), rest)| {
            let (intents, approval) = rest;
            Tool { way, by, name, status, arguments: json!({"q": argument}), result, part, intents, approval }
        },
    )
}

fn attempt() -> impl Strategy<Value = Attempt> {
    let full = || select(vec![Full::Exact, Full::Exact, Full::Exact, Full::Longer, Full::Other, Full::Empty]);
    let tools = prop::collection::vec(tool(), 0..3);
    (pieces(), pieces(), (full(), full()), any::<bool>(), tools)
        .prop_map(|(thinking, text, full, late, tools)| Attempt { thinking, text, full, late, tools })
}

fn request_drawn() -> impl Strategy<Value = Request> {
    let broken = prop::collection::vec((attempt(), any::<Index>(), prop::bool::weighted(0.8)), 0..3);
    (broken, attempt()).prop_map(|(broken, whole)| Request { broken, whole })
}

fn between() -> impl Strategy<Value = (&'static str, Value)> {
    let goal = json!({"goal": "g", "status": "running", "turn_count": 1, "tokens_used": 5, "tool_calls": 0,
        "duration_seconds": null, "review_mode": "readonly", "max_turns": null, "max_tokens": 9, "final_summary": null,
        "stopped_reason": null});
    let question = json!({"question_id": "q", "batch_id": "b", "batch_index": 0, "question": "which?"});
    select(vec![
        ("user_message", json!({"message": "guidance", "message_id": "g", "visibility": "chat"})),
        ("user_message", json!({"message": "other guidance", "message_id": "g"})),
        ("user_message", json!({"message": "", "content": "for the model", "visibility": "hidden"})),
        ("user_message", json!({"message": "of a call's id", "message_id": "call_0"})),
        ("system_message", json!({"content": "background command finished"})),
        ("token_update", json!({"cumulative_input_tokens": 5, "updated_at": "2026-01-23T00:00:00"})),
        ("goal_progress", goal),
        ("todo_updated", json!({"todo_list": [{"title": "x"}]})),
        ("update_action", json!({"preparing_id": "call_0", "message": "m", "content": "detail"})),
        ("update_action", json!({"id": "nobody", "status": "completed", "result": 1})),
        ("tool_preparing", json!({"id": "call_0", "name": "search", "message": "m", "intent": "i"})),
        ("tool_hint", json!({"id": "early_search_1", "name": "search", "message": "m", "confidence": "low"})),
        ("user_question_required", json!({"question": question})),
        ("user_questions_resolved", json!({"batch_id": "b", "question_ids": []})),
        ("error", json!({"error_type": "parameter_format_error"})),
        ("something_new", json!({"a": [1], "api_key": "none"})),
        ("ai_message_start", json!({})),
        ("text_chunk", json!({"content": "stray", "index": 1, "elapsed": 0.0})),
        ("thinking_end", json!({"full_content": "stray"})),
        ("text_end", json!({"full_content": "stray"})),
    ])
}

fn end() -> impl Strategy<Value = End> {
    let statuses = vec![None, Some("succeeded"), Some("failed"), Some("stopped"), Some("running")];
    prop_oneof![
        3 => any::<bool>().prop_map(End::Complete),
        1 => any::<bool>().prop_map(End::Stopped),
        1 => Just(End::Error),
        1 => Just(End::Quota),
        1 => select(statuses).prop_map(End::Status),
    ]
}

fn task() -> impl Strategy<Value = Task> {
    let requests = prop::collection::vec(request_drawn(), 0..3);
    let between = prop::collection::vec((any::<Index>(), between()), 0..4);
    let cut = prop::option::weighted(0.3, any::<Index>());
    let again = prop::option::of((any::<Index>(), any::<Index>()));
    (0_usize..3, requests, any::<bool>(), between, cut, end(), again).prop_map(
        |(users, requests, same_ids, between, cut, end, again)| Task {
            users,
            requests,
            same_ids,
            between,
            cut,
            end,
            again,
        },
    )
}

/// Holds what a client has against what the reference reducer has.
fn same(client: &Client, view: &TaskView, is_waiting: bool) -> Result<(), TestCaseError> {
    let of_role = |role| view.messages().iter().filter(move |message| message.role() == role);
    let filled = |text: &&str| !text.is_empty();
    let users: Vec<&str> = of_role(Role::User).map(Message::text).filter(filled).collect();
    prop_assert_eq!(client.texts(&["user", "developer"]), users);
    for (kind, role) in [(BlockKind::Text, "assistant"), (BlockKind::Thinking, "reasoning")] {
        let blocks = of_role(Role::Assistant).flat_map(Message::blocks);
        let blocks = blocks.filter(|block| block.kind() == kind).map(Block::text);
        prop_assert_eq!(client.texts(&[role]), blocks.filter(filled).collect::<Vec<_>>());
    }
    let (calls, tools) = (client.calls(), of_role(Role::Assistant).flat_map(Message::tools));
    let tools: Vec<_> = tools.collect();
    prop_assert_eq!(calls.len(), tools.len());
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for ((name, arguments, answer), tool) in calls.iter().zip(tools) {
        prop_assert_eq!(name, tool.name());
        let expected = tool.arguments().map_or_else(|| json!({}), |arguments| parsed(arguments.as_str()));
        prop_assert_eq!(parsed(arguments), expected);
        let result = tool.result().map(|result| result.as_string().unwrap_or_else(|| result.as_str().to_owned()));
        match (answer, result) {
            (Some(answer), Some(result)) => prop_assert_eq!(answer, &result),
            (Some(_), None) => {}
            (None, _) => prop_assert!(is_waiting, "a call of {name} has no answer"),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::common::cases(512))]

    #[test]
    fn tasks_are_clean_runs_and_arrive_as_the_reference_has_them(task in task()) {
        let envelopes = task.envelopes();
        let found = converted(&envelopes, task.status().as_ref());
        let faults = faults(&found);
        prop_assert!(faults.is_empty(), "{faults:#?}\n{}", picture(&found));
        let mut view = TaskView::new(Some("t".into()), Some("c".into()));
        for envelope in &envelopes {
            view.push(envelope);
        }
        let last = found.last().unwrap();
        let interrupts = last["outcome"]["interrupts"].as_array();
        same(&Client::of(&found), &view, interrupts.is_some())?;
        if last["type"] == "RUN_FINISHED" && last["outcome"]["type"] != "cancelled" {
            let pending = view.approvals().len() + view.questions().len() + view.plans().len();
            prop_assert_eq!(interrupts.map_or(0, Vec::len), pending);
        }
    }
}
