//! social-app: one fault gives one finding, and a subscription follows one run alone.

use crate::common::{Failures, cases, repository};
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, CheckerBuilder, Finding, Input, Limits, Profile, Severity};
use agent_contracts::social_app::{
    AgUiConverter, Event, KEEP_ALIVE, ProviderUsage, RunAgentInput, RunAgentInputError, RunError, RunFinished,
    RunStarted, RunSubscription, Sanitizer, StepStarted, StreamId, UsageSummary, to_agui, write_keep_alive,
};
use agent_contracts::stream::StreamChecker;
use agent_contracts::stream::sse::{Item, Parser};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// The events of the recorded run, which checks clean.
fn recorded() -> Vec<Value> {
    let path = repository().join("fixtures/social-app/streams/calendar-run.sse");
    let mut events = Vec::new();
    Parser::new().push(&std::fs::read(path).unwrap(), |item| {
        if let Item::Frame(frame) = item {
            events.push(serde_json::from_slice(frame.data).unwrap());
        }
    });
    events
}

fn check(lines: &[String]) -> Vec<Finding> {
    let mut checker = Checker::new(Protocol::SOCIAL_APP);
    let mut found = Vec::new();
    for line in lines {
        found.extend_from_slice(checker.push(Input::event(line)));
    }
    found.extend_from_slice(checker.finish());
    found.retain(|finding| finding.severity > Severity::Note);
    found
}

/// Every way to spoil one event of a stream, with a word for it.
fn spoilt(events: &[Value]) -> Vec<(String, Vec<String>)> {
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    let mut all = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let mut add = |what: &str, change: &dyn Fn(&mut Vec<String>)| {
            let mut lines = lines.clone();
            change(&mut lines);
            all.push((format!("{} {index} {what}", event["type"]), lines));
        };
        for name in event.as_object().unwrap().keys() {
            let with = |value: Option<Value>| {
                let mut event = event.clone();
                match value {
                    Some(value) => event[name] = value,
                    None => drop(event.as_object_mut().unwrap().remove(name)),
                }
                event.to_string()
            };
            add(&format!("without {name}"), &|lines| lines[index] = with(None));
            add(&format!("{name} null"), &|lines| lines[index] = with(Some(Value::Null)));
            add(&format!("{name} 7"), &|lines| lines[index] = with(Some(json!(7))));
            add(&format!("{name} empty"), &|lines| lines[index] = with(Some(json!(""))));
            if let Some(text) = event[name].as_str() {
                add(&format!("{name} misspelt"), &|lines| lines[index] = with(Some(json!(format!("{text}x")))));
            }
        }
        add("cut off", &|lines| lines[index] = lines[index][..lines[index].len() - 3].into());
        add("not an object", &|lines| lines[index] = "[]".into());
        add("left out", &|lines| drop(lines.remove(index)));
        add("repeated", &|lines| lines.insert(index, lines[index].clone()));
    }
    all
}

#[test]
fn one_fault_gives_at_most_one_finding() {
    let events = recorded();
    assert_eq!(check(&events.iter().map(Value::to_string).collect::<Vec<_>>()), []);
    let mut failures = Failures::default();
    let mut silent = Vec::new();
    for (what, lines) in spoilt(&events) {
        let found = check(&lines);
        // That the worker was not started is a warning at the answer; it does not hide the error at the step's end.
        let is_worker = found.first().is_some_and(|first| first.rule.id() == "social-app/text-before-worker");
        failures.check(found.len() <= 1 + usize::from(is_worker), || {
            let found: Vec<_> = found.iter().map(|finding| format!("{:?} {finding}", finding.event)).collect();
            format!("{what}: {found:?}")
        });
        if found.is_empty() && (what.contains("left out") || what.contains("repeated") || what.contains("without")) {
            silent.push(what);
        }
    }
    failures.finish(400);
    // What may be missing without a warning: optional members, and two events: of arguments
    // nothing depends on, and of a missing answer there is a note.
    for what in silent {
        let member = ["error", "ui_schema", "Tokens", "costSource", "usageComplete"];
        let event =
            what.ends_with("left out") && ["TOOL_CALL_ARGS", "TEXT_MESSAGE_END"].iter().any(|of| what.contains(of));
        assert!(event || member.iter().any(|name| what.contains(name)), "{what} gives no finding");
    }
}

#[test]
fn a_frame_that_is_delivered_twice_is_one_finding() {
    let events = recorded();
    for twice in 0..events.len() {
        let mut stream = StreamChecker::new(Protocol::SOCIAL_APP);
        let mut found: Vec<Finding> = Vec::new();
        for (seq, event) in events.iter().enumerate() {
            let frame = Event::from_json(&event.to_string()).unwrap().to_sse(StreamId::new(1, seq as u64));
            for _ in 0..=usize::from(seq == twice) {
                found.extend(stream.push(frame.as_bytes()).map(|found| Finding::clone(&found)));
            }
        }
        found.extend(stream.finish().map(|found| Finding::clone(&found)));
        let rules: Vec<_> = found.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(rules, ["social-app/frame-id-not-increasing"], "frame {twice}");
    }
}

/// An event of some run, of which there are few, so that they meet.
fn any_event() -> impl Strategy<Value = Event> {
    let run = prop_oneof![Just("wanted"), Just("other"), Just("wanted2"), Just("")];
    (0..4, run).prop_map(|(kind, run)| match kind {
        0 => RunStarted::new("t", run).into(),
        1 => StepStarted::new("t", run, "router").into(),
        2 => RunFinished::new("t", run).into(),
        _ => RunError::new("t", run, "failed").into(),
    })
}

/// A line of a stream, of few runs and calls, some of it missing or broken.
fn any_line() -> impl Strategy<Value = String> {
    let kinds = [
        "RUN_STARTED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "STEP_STARTED",
        "STEP_FINISHED",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_END",
        "STATE_SNAPSHOT",
        "CUSTOM",
        "SOMETHING_NEW",
        "",
    ];
    let id = || prop_oneof![4 => (0..4).prop_map(Some), 1 => Just(None)];
    (select(kinds.to_vec()), id(), id(), any::<bool>(), 0..40).prop_map(|(kind, run, call, odd, broken)| {
        let mut event = json!({
            "type": kind, "threadId": "t", "messageId": format!("m{call:?}"), "stage": "worker", "role": "tool",
            "toolCallName": "calendar.read", "tool_name": if odd { "contacts.read" } else { "project_cli" },
            "stepName": if odd { "router" } else { "worker" }, "code": if odd { "RUN_CANCELED" } else { "E" },
            "args": {"odd": odd}, "tool_call_args": {"odd": true}, "status": "success", "result": {}, "answer": "",
        });
        for (names, number, prefix) in [(&["runId"][..], run, "r"), (&["toolCallId", "tool_call_id"], call, "c")] {
            for name in names {
                event[*name] = number.map_or(Value::Null, |number| format!("{prefix}{number}").into());
            }
        }
        let text = event.to_string();
        match broken {
            0 => text[..text.len() / 2].to_owned(),
            1 => "[]".to_owned(),
            _ => text,
        }
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_order_is_judged_in_any_memory(
        lines in prop::collection::vec(any_line(), 0..60),
        history in 1..4_usize,
        subscribed in any::<bool>(),
    ) {
        let mut builder = Checker::builder(Protocol::SOCIAL_APP).limits(Limits::DEFAULT.with_history(history));
        if subscribed {
            builder = builder.run_id("r0");
        }
        let mut checker = builder.build();
        let mut found: Vec<String> = Vec::new();
        for line in &lines {
            found.extend(checker.push(Input::event(line)).iter().map(|finding| finding.rule.id().to_owned()));
        }
        found.extend(checker.finish().iter().map(|finding| finding.rule.id().to_owned()));
        let limits = found.iter().filter(|rule| *rule == "input/history-limit").count();
        prop_assert!(limits <= 1, "{found:?}");
    }

    #[test]
    fn only_its_own_terminal_ends_a_subscription(events in prop::collection::vec(any_event(), 0..30), cut in 1..64_usize) {
        let mut stream = String::new();
        for (seq, event) in events.iter().enumerate() {
            stream += ": keep-alive\n\n";
            stream += &event.to_sse(StreamId::new(1, seq as u64));
        }
        let mut run = RunSubscription::new("wanted");
        let mut parser = Parser::new();
        let mut yielded = Vec::new();
        for bytes in stream.as_bytes().chunks(cut) {
            parser.push(bytes, |item| yielded.extend(run.push(&item).unwrap()));
        }
        let own = |event: &&Event| event.run_id().is_some_and(|id| id.as_str() == "wanted");
        let end = events.iter().position(|event| own(&event) && event.is_terminal());
        let heard = &events[..end.map_or(events.len(), |end| end + 1)];
        prop_assert_eq!(yielded, heard.iter().filter(own).cloned().collect::<Vec<_>>());
        prop_assert_eq!(run.is_done(), end.is_some());
        let last = heard.len().checked_sub(1).map(|seq| format!("1-{seq}"));
        prop_assert_eq!(run.last_event_id(), last.as_deref());
    }
}

#[test]
fn frames_that_cannot_be_read_are_errors_unless_they_are_of_another_run() {
    let mut run = RunSubscription::resume("wanted", "5-0");
    assert_eq!(run.last_event_id(), Some("5-0"));
    let mut push = |stream: &[u8]| {
        let mut results = Vec::new();
        Parser::new().push(stream, |item| results.push(run.push(&item).map(|event| event.is_some())));
        results
    };
    assert_eq!(push(b"data: {\"type\":\"RUN_ERROR\",\"runId\":\"other\"}\n\n"), [Ok(false)]);
    assert_eq!(push(b"id: x\ndata: {\"type\":\"RUN_ERROR\",\"runId\":\"other\",\"\\ud800\":1}\n\n"), [Ok(false)]);
    assert!(matches!(push(b"data: not json\n\n")[..], [Err(_)]));
    assert!(matches!(push(b"data: \xFF\n\n")[..], [Err(_)]));
    assert_eq!(push(b": keep-alive\n\nretry: 5\n\n"), [Ok(false)]);
    let finished = b"id: 6-0\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"wanted\"}\n\n";
    assert_eq!(
        push(b"id: 5-0\ndata: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"wanted\"}\n\n"),
        [Ok(false)]
    );
    assert_eq!(push(finished), [Ok(true)]);
    assert_eq!(push(finished), [Ok(false)]);
    assert!(run.is_done());
    assert_eq!(run.last_event_id(), Some("6-0"));
    assert_eq!(format!("{run:?}"), "RunSubscription { run_id: \"wanted\", ended: true, .. }");
}

#[test]
fn a_terminal_that_is_not_of_its_shape_ends_the_run_all_the_same() {
    let deep = format!(
        r#"{{"x":{}1{},"type":"RUN_FINISHED","threadId":"t","runId":"wanted"}}"#,
        "[".repeat(130),
        "]".repeat(130)
    );
    for (data, ended) in [
        (r#"{"type":"RUN_ERROR","runId":"wanted"}"#, true),
        (r#"{"type":"RUN_FINISHED","threadId":7,"runId":"wanted"}"#, true),
        (r#"{"type":"STEP_STARTED","threadId":"t","runId":"wanted"}"#, false),
        (r#"{"type":"RUN_FINISHED","threadId":"t","runId":"wanted","\ud800":1}"#, true),
        (&deep, true),
        (r#"{"type":"RUN_ERROR"}"#, false),
    ] {
        let mut run = RunSubscription::new("wanted");
        Parser::new().push(format!("data: {data}\n\n").as_bytes(), |item| assert!(run.push(&item).is_err(), "{data}"));
        assert_eq!(run.is_done(), ended, "{data}");
    }
}

/// An event of run `r`, and further members.
fn event(kind: &str, members: Value) -> Value {
    with(json!({"type": kind, "threadId": "t", "runId": "r"}), members)
}

/// The event with further members.
fn with(mut event: Value, members: Value) -> Value {
    let Value::Object(members) = members else { panic!("members are an object") };
    event.as_object_mut().unwrap().extend(members);
    event
}

/// An event without further members.
fn plain(kind: &str) -> Value {
    event(kind, json!({}))
}

fn run(kind: &str) -> Value {
    plain(&format!("RUN_{kind}"))
}

fn step(kind: &str, name: &str) -> Value {
    event(&format!("STEP_{kind}"), json!({"stepName": name}))
}

/// An event of a call before its result.
fn call(kind: &str, id: &str) -> Value {
    let mut event = event(
        &format!("TOOL_CALL_{kind}"),
        json!({"messageId": "m", "toolCallId": id, "toolCallName": "calendar.read", "stage": "worker"}),
    );
    if kind == "ARGS" {
        event["args"] = json!({});
    }
    event
}

fn result_with(id: &str, args: Value, result: Value) -> Value {
    let call = json!({
        "messageId": "m", "role": "tool", "stage": "worker", "tool_name": "calendar.read", "tool_call_id": id,
        "status": "success",
    });
    let mut event = event("TOOL_CALL_RESULT", call);
    (event["tool_call_args"], event["result"]) = (args, result);
    event
}

fn result(id: &str) -> Value {
    result_with(id, json!({}), json!({"count": 1}))
}

fn text_with(members: Value) -> Value {
    let answer = json!({
        "messageId": "a", "role": "assistant", "stage": "worker", "status": "success", "answer": "yes",
        "suggested_actions": [],
    });
    with(event("TEXT_MESSAGE_END", answer), members)
}

fn text() -> Value {
    text_with(json!({}))
}

/// The event under another type.
fn as_type(mut event: Value, kind: &str) -> Value {
    event["type"] = kind.into();
    event
}

/// The event with a member under another name.
fn renamed(event: &Value, from: &str, to: &str) -> Value {
    let mut members = event.as_object().unwrap().clone();
    let value = members.remove(from).unwrap();
    members.insert(to.to_owned(), value);
    members.into()
}

fn builder() -> CheckerBuilder {
    Checker::builder(Protocol::SOCIAL_APP)
}

/// What is found in a stream: the rules, each with its event.
fn found(builder: CheckerBuilder, events: &[Value]) -> Vec<String> {
    let mut checker = builder.build();
    let mut found = Vec::new();
    let mut take = |findings: &[Finding]| {
        for finding in findings {
            let event = finding.event.map_or("end".to_owned(), |event| event.to_string());
            found.push(format!("{} {event}", finding.rule.name()));
        }
    };
    for event in events {
        take(checker.push(Input::event(&event.to_string())));
    }
    take(checker.finish());
    found
}

/// What is found in one event by itself: the rules, each with its place.
fn found_in(event: &Value) -> Vec<String> {
    let mut checker = builder().build();
    let findings = checker.check_as("Event", Input::event(&event.to_string())).unwrap();
    findings.iter().map(|finding| format!("{} {}", finding.rule.name(), finding.path)).collect()
}

/// A row: what it is about, the events, what is found.
type Row = (&'static str, Vec<Value>, &'static [&'static str]);

fn hold(builder: &CheckerBuilder, rows: &[Row]) {
    for (what, events, expected) in rows {
        assert_eq!(found(builder.clone(), events), *expected, "{what}");
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn an_unknown_event_forgives_only_what_may_follow_from_it() {
    let (started, finished) = (run("STARTED"), run("FINISHED"));
    let unknown = plain("SOMETHING_NEW");
    let whole = |id: &str| vec![call("START", id), call("ARGS", id), call("END", id), result(id)];
    hold(
        &builder(),
        &[
            (
                "a used id",
                [
                    vec![started.clone()],
                    whole("c"),
                    vec![unknown.clone(), call("START", "c"), text(), finished.clone()],
                ]
                .concat(),
                &["unknown-event-type 5", "tool-call-id-reused 6"],
            ),
            (
                "a used id, behind an unknown event of that call",
                vec![
                    started.clone(),
                    call("START", "c"),
                    call("PAUSE", "c"),
                    call("START", "c"),
                    text(),
                    finished.clone(),
                ],
                &["unknown-event-type 2", "tool-call-id-reused 3"],
            ),
            (
                "a second end",
                vec![started.clone(), text(), unknown.clone(), finished.clone(), finished.clone()],
                &["unknown-event-type 2", "two-terminals 4"],
            ),
            (
                "a second text",
                vec![started.clone(), text(), unknown.clone(), text_with(json!({"messageId": "b"})), finished.clone()],
                &["unknown-event-type 2", "text-end-repeated 3"],
            ),
            (
                "changed arguments",
                vec![
                    started.clone(),
                    call("START", "c"),
                    call("ARGS", "c"),
                    unknown.clone(),
                    call("END", "c"),
                    result_with("c", json!({"day": 1}), json!({})),
                    text(),
                    finished.clone(),
                ],
                &["unknown-event-type 3", "tool-args-changed 5"],
            ),
            (
                "the start that it may have been",
                vec![
                    started.clone(),
                    call("BEGIN", "c"),
                    call("ARGS", "c"),
                    call("END", "c"),
                    result("c"),
                    text(),
                    finished.clone(),
                ],
                &["unknown-event-type 1"],
            ),
            (
                "the end of a call that it may have been",
                vec![started.clone(), call("START", "c"), call("STOP", "c"), result("c"), text(), finished.clone()],
                &["unknown-event-type 2"],
            ),
            (
                "the result that it may have been",
                vec![
                    started.clone(),
                    call("START", "c"),
                    call("END", "c"),
                    as_type(result("c"), "TOOL_ANSWER"),
                    text(),
                    finished.clone(),
                ],
                &["unknown-event-type 3"],
            ),
            (
                "a step in the backend's own form",
                vec![
                    started.clone(),
                    event("step.start", json!({"data": {"stepName": "router"}})),
                    step("FINISHED", "router"),
                    step("STARTED", "worker"),
                    text(),
                    step("FINISHED", "worker"),
                    finished.clone(),
                ],
                &["internal-event-type 1"],
            ),
            (
                "the end of the run that it may have been",
                vec![started.clone(), text(), as_type(finished.clone(), "RunFinished")],
                &["unknown-event-type 2"],
            ),
            (
                "a step is no end of the run",
                vec![started.clone(), text(), as_type(step("STARTED", "worker"), "StepBegun")],
                &["unknown-event-type 2", "stream-without-terminal end"],
            ),
            (
                "nor is it its start",
                vec![as_type(step("STARTED", "router"), "StepBegun"), text(), finished.clone()],
                &["unknown-event-type 0", "first-event-not-run-started 0"],
            ),
            (
                "the start of the run that it may have been",
                vec![as_type(started.clone(), "RunBegun"), text(), finished.clone()],
                &["unknown-event-type 0"],
            ),
        ],
    );
}

#[test]
fn results_without_calls_are_judged_over_the_whole_run() {
    let (started, finished) = (run("STARTED"), run("FINISHED"));
    let rows: &[Row] = &[
        (
            "a call comes later",
            vec![
                started.clone(),
                result("early"),
                call("START", "c"),
                call("END", "c"),
                result("c"),
                text(),
                finished.clone(),
            ],
            &["tool-result-without-call 2"],
        ),
        (
            "its own call comes later",
            vec![started.clone(), result("c"), call("START", "c"), call("END", "c"), text(), finished.clone()],
            &["tool-result-without-call 2"],
        ),
        ("results alone", vec![started.clone(), result("a"), result("b"), text(), finished.clone()], &[]),
        (
            "a second result for one id",
            vec![started.clone(), result("a"), result("a"), text(), finished.clone()],
            &["tool-result-repeated 2"],
        ),
    ];
    hold(&builder(), rows);
    let mut checker = builder().build();
    let events = [started, result("early"), call("START", "c")];
    let mut last = Vec::new();
    for event in &events {
        last = checker.push(Input::event(&event.to_string())).to_vec();
    }
    assert_eq!(last[0].related[0].event, Some(1));
}

#[test]
fn a_resumed_stream_is_exempt_once_a_thing() {
    let rows: &[Row] = &[
        ("a step from before", vec![step("FINISHED", "worker"), text(), run("FINISHED")], &[]),
        (
            "the same twice",
            vec![step("FINISHED", "worker"), step("FINISHED", "worker"), text(), run("FINISHED")],
            &["step-finished-not-open 1"],
        ),
        (
            "a step from behind the cut",
            vec![
                step("STARTED", "worker"),
                step("FINISHED", "worker"),
                step("FINISHED", "worker"),
                text(),
                run("FINISHED"),
            ],
            &["step-finished-not-open 2"],
        ),
        (
            "a router that is not over",
            vec![
                step("STARTED", "router"),
                step("STARTED", "worker"),
                text(),
                step("FINISHED", "worker"),
                run("FINISHED"),
            ],
            &["step-order 1"],
        ),
        (
            "a worker that cannot have come before the router",
            vec![step("FINISHED", "router"), step("FINISHED", "worker"), text(), run("FINISHED")],
            &["step-finished-not-open 1"],
        ),
        ("an end from before", vec![call("END", "c"), result("c"), text(), run("FINISHED")], &[]),
        (
            "the same twice",
            vec![call("END", "c"), call("END", "c"), result("c"), text(), run("FINISHED")],
            &["tool-end-without-start 1"],
        ),
        ("a result twice", vec![result("c"), result("c"), text(), run("FINISHED")], &["tool-result-repeated 1"]),
    ];
    hold(&builder().resumed(true), rows);
}

#[test]
fn a_run_that_is_started_again_is_one_finding() {
    let once = vec![run("STARTED"), call("START", "c"), call("END", "c"), result("c"), text(), run("FINISHED")];
    let rows: &[Row] = &[
        ("and left open", [once.clone(), vec![run("STARTED")]].concat(), &["run-started-repeated 6"]),
        ("and finished", [once.clone(), once].concat(), &["run-started-repeated 6"]),
    ];
    hold(&builder(), rows);
}

#[test]
fn answers_and_calls_belong_to_the_worker() {
    let router = [step("STARTED", "router"), step("FINISHED", "router")];
    let worker = [step("STARTED", "worker"), step("FINISHED", "worker")];
    let whole = [call("START", "c"), call("END", "c"), result("c")];
    let stream = |parts: &[&[Value]]| {
        let mut events = vec![run("STARTED")];
        for part in parts {
            events.extend_from_slice(part);
        }
        events.push(run("FINISHED"));
        events
    };
    let answer = [text()];
    let rows: &[Row] = &[
        ("an answer before the worker", stream(&[&router, &answer, &worker]), &["text-before-worker 3"]),
        ("an answer without the worker", stream(&[&router, &answer]), &["text-before-worker 3"]),
        ("an answer before all steps", stream(&[&answer, &router, &worker]), &["text-before-worker 2"]),
        ("no steps at all", stream(&[&whole, &answer]), &[]),
        (
            "a step of earlier versions alone",
            stream(&[&answer, &[step("STARTED", "memory"), step("FINISHED", "memory")]]),
            &["step-name 2", "step-name 3"],
        ),
        ("an answer after the worker", stream(&[&router, &worker, &answer]), &[]),
        ("a call before the worker", stream(&[&router, &whole, &worker, &answer]), &["tool-outside-worker 3"]),
        (
            "two calls after the worker",
            {
                let more = [call("START", "d"), call("END", "d"), result("d")];
                stream(&[&router, &worker, &whole, &more, &answer])
            },
            &["tool-outside-worker 5"],
        ),
        ("a result alone, outside", stream(&[&router, &whole[2..], &worker, &answer]), &["tool-outside-worker 3"]),
    ];
    hold(&builder(), rows);
}

#[test]
fn events_under_a_wrong_type_and_members_under_wrong_names_are_one_fault() {
    let (started, finished) = (run("STARTED"), run("FINISHED"));
    let rows: &[Row] = &[
        (
            "a start of a call as that of a step",
            vec![
                started.clone(),
                as_type(call("START", "c"), "STEP_STARTED"),
                call("ARGS", "c"),
                call("END", "c"),
                result("c"),
                text(),
                finished.clone(),
            ],
            &["required-field-missing 1"],
        ),
        (
            "an answer as a result",
            vec![started.clone(), as_type(text(), "TOOL_CALL_RESULT"), finished.clone()],
            &["required-field-missing 1"],
        ),
        (
            "an end as an answer",
            vec![started.clone(), text(), as_type(finished.clone(), "TEXT_MESSAGE_END")],
            &["required-field-missing 2"],
        ),
    ];
    hold(&builder(), rows);
    for (event, from, to, expected) in [
        (text(), "stage", "Stage", "required-field-missing $.Stage"),
        (text(), "runId", "run_id", "run-id-missing $.run_id"),
        (text(), "suggested_actions", "suggestedActions", "snake-camel-mix $.suggestedActions"),
        (text(), "suggested_actions", "suggested_action", "required-field-missing $.suggested_action"),
        (call("START", "c"), "toolCallName", "tool_call_name", "required-field-missing $.tool_call_name"),
        (call("START", "c"), "toolCallName", "toolName", "snake-camel-mix $.toolName"),
        (call("START", "c"), "toolCallId", "tool_call_id", "tool-id-casing $.tool_call_id"),
        (call("START", "c"), "toolCallId", "toolCallld", "tool-call-id-missing $.toolCallld"),
        (call("ARGS", "c"), "args", "arg", "args-not-object $.arg"),
        (result("c"), "tool_call_id", "toolCallId", "tool-id-casing $.toolCallId"),
    ] {
        let written = renamed(&event, from, to);
        assert_eq!(found_in(&written), [expected], "{written}");
    }
}

#[test]
fn shapes_of_arguments() {
    for (args, expected) in [
        (json!({"module": "calendar", "method": "read", "input": {}}), &[][..]),
        (json!({"title": "Sync"}), &[]),
        (json!({"command": "calendar", "subcommand": "read"}), &["tool-call-args-shape $.args"]),
        (json!({"module": "calendar", "input": {}}), &["tool-call-args-shape $.args"]),
        (json!({"module": "calendar", "action": "read"}), &["tool-call-args-shape $.args"]),
        (json!({"module": 7, "method": "read"}), &["tool-call-args-shape $.args.module"]),
        (json!({"module": "calendar", "method": null}), &["tool-call-args-shape $.args.method"]),
        (json!({"module": "calendar", "method": "read", "input": "day"}), &["tool-call-args-shape $.args.input"]),
    ] {
        let mut event = call("ARGS", "c");
        event["args"] = args;
        assert_eq!(found_in(&event), expected, "{event}");
    }
}

#[test]
fn repeated_arguments_are_found_wherever_they_are() {
    let args = json!({"module": "calendar", "method": "create", "input": {"title": "Sync", "event_id": "e"}});
    let legacy = json!({"command": "calendar", "subcommand": "create", "args": {"title": "Sync"}});
    for (args, result, expected) in [
        (&args, json!({"title": "Sync"}), &["result-repeats-args $.result.title"][..]),
        (&args, json!({"event": {"title": "Sync", "event_id": "e"}}), &["result-repeats-args $.result.event.title"]),
        (&args, json!({"events": [{"title": "Sync"}]}), &[]),
        (&args, json!("{\"title\":\"Sync\"}"), &["result-repeats-args $.result"]),
        (&args, json!("\n{\"event\":{\"title\":\"Sync\"}}"), &["result-repeats-args $.result"]),
        (&args, json!("title=Sync"), &[]),
        (&legacy, json!({"title": "Sync"}), &["result-repeats-args $.result.title"]),
    ] {
        let event = result_with("c", args.clone(), result);
        let mut found = found_in(&event);
        found.retain(|found| !found.starts_with("tool-call-args-shape") && !found.starts_with("v0-field-in-v1"));
        assert_eq!(found, expected, "{event}");
        // The short cut finds as much.
        let long: Vec<Finding> = {
            let mut checker = builder().exact(true).build();
            checker.check_as("Event", Input::event(&event.to_string())).unwrap().to_vec()
        };
        let mut checker = builder().build();
        assert_eq!(checker.check_as("Event", Input::event(&event.to_string())).unwrap(), long, "{event}");
    }
}

#[test]
fn members_of_v1_in_a_stream_of_v0() {
    let forced = builder().version("v0").unwrap();
    let usage = text_with(json!({"totalTokens": 5, "usageComplete": true}));
    let old = result_with("a", json!({}), json!("done"));
    let mut card = result_with("b", json!({}), json!("done"));
    card["ui_schema"] = json!({"type": "stack"});
    let (started, finished) = (run("STARTED"), run("FINISHED"));
    let rows: &[Row] = &[
        ("usage", vec![started.clone(), usage.clone(), finished.clone()], &["v1-field-in-v0 1"]),
        ("an object", vec![started.clone(), result("a"), text(), finished.clone()], &["v1-field-in-v0 1"]),
        ("a card", vec![started.clone(), card, text(), finished.clone()], &["v1-field-in-v0 1"]),
        ("members of v0", vec![started.clone(), old.clone(), text(), finished.clone()], &[]),
    ];
    hold(&forced, rows);
    let shown: &[Row] = &[
        (
            "shown by a text",
            vec![started.clone(), old, result("b"), usage, finished.clone()],
            &["v1-field-in-v0 2", "v1-field-in-v0 3"],
        ),
        ("of v1", vec![started, result("a"), text_with(json!({"totalTokens": 5})), finished], &[]),
    ];
    hold(&builder(), shown);
}

#[test]
fn what_the_sanitizer_has_passed_leaks_nothing() {
    for event in [
        text_with(json!({"cost": 1, "model": "m", "direct_cost": 0.1, "price_input": 2, "ui_hints": {}})),
        result_with("c", json!({}), json!({})),
        event("SOMETHING_NEW", json!({"latencyMs": 3, "usage_records": 2, "usage": {"input_tokens": 5}})),
        event("RUN_STARTED", json!({"input_tokens": 1, "cached_tokens": 2, "inputTokens": 3})),
    ] {
        let leaks = |text: &str| {
            let mut checker = builder().build();
            let findings = checker.check_as("Event", Input::event(text)).unwrap();
            findings.iter().filter(|finding| finding.rule.name().ends_with("-leak")).count()
        };
        let (clean, removed) = Sanitizer::new().sanitize_json(&event.to_string()).unwrap();
        assert_eq!((leaks(&event.to_string()), leaks(&clean)), (removed.len(), 0), "{event}");
        let mut typed = Event::from_json(&event.to_string()).unwrap();
        Sanitizer::new().sanitize(&mut typed);
        assert_eq!(leaks(&typed.to_json()), 0, "{event}");
    }
    assert_eq!(found_in(&text_with(json!({"direct_cost": 1}))), ["usage-audit-leak $.direct_cost"]);
    assert_eq!(found_in(&event("RUN_FINISHED", json!({"model": "m"}))), ["internal-field-leak $.model"]);
}

#[test]
fn a_conversion_takes_out_what_is_the_backends_own_unless_asked() {
    let text = event("RUN_FINISHED", json!({"direct_cost": 1, "note": "n"})).to_string();
    let event = || Event::from_json(&text).unwrap();
    let mut kept: Vec<agent_contracts::agui::Event> = Vec::new();
    AgUiConverter::new().with_internal(true).push(&event(), &mut kept);
    let written = |event: &agent_contracts::agui::Event| event.to_json().contains("direct_cost");
    assert!(kept.iter().any(written));
    let converted = to_agui([event()]);
    assert!(!converted.iter().any(written) && converted[0].to_json().contains("note"));
}

/// An event as the frame `1-seq`.
fn frame(seq: u64, event: &Value) -> String {
    format!("id: 1-{seq}\nevent: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
}

/// The findings in frames: rule, severity, and what a subscription makes of each frame.
fn delivered(frames: &[String]) -> (Vec<String>, Vec<(String, bool)>) {
    let mut stream = StreamChecker::of(builder().build(), agent_contracts::stream::Framing::Sse);
    let mut run = RunSubscription::new("r");
    let mut parser = Parser::new();
    let (mut found, mut given) = (Vec::new(), Vec::new());
    for frame in frames {
        found.extend(stream.push(frame.as_bytes()).map(|found| format!("{} {}", found.rule.name(), found.severity)));
        parser.push(frame.as_bytes(), |item| {
            if let Some(event) = run.push(&item).unwrap() {
                given.push((event.tag().to_owned(), run.is_out_of_order()));
            }
        });
    }
    found.extend(stream.finish().map(|found| format!("{} {}", found.rule.name(), found.severity)));
    (found, given)
}

#[test]
fn frames_that_are_repeated_count_once() {
    let (started, finished) = (run("STARTED"), run("FINISHED"));
    let steps = [step("STARTED", "router"), step("FINISHED", "router")];
    let other = plain("STATE_SNAPSHOT");
    let first = [frame(1, &started), frame(2, &steps[0]), frame(3, &steps[1])];
    let last = [frame(4, &step("STARTED", "worker")), frame(5, &text()), frame(6, &step("FINISHED", "worker"))];
    let end = [frame(7, &finished)];
    let given = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), false)).collect::<Vec<_>>();
    let all = given(&[
        "RUN_STARTED",
        "STEP_STARTED",
        "STEP_FINISHED",
        "STEP_STARTED",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]);
    let note = "frame-id-not-increasing note";
    let warning = "frame-id-not-increasing warning";
    assert_eq!(delivered(&[&first[..], &last, &end].concat()), (vec![], all.clone()));
    let repeated = [&first[..], &first[1..], &last, &last[2..], &end].concat();
    assert_eq!(delivered(&repeated), (vec![note.to_owned(); 2], all.clone()), "two reconnects");
    let (found, given) = delivered(&[&first[..], &[frame(3, &other)], &last, &end].concat());
    assert_eq!((found, given.len()), (vec![warning.to_owned()], all.len() + 1), "other content");
    let (found, given) = delivered(&[&first[..], &last, &[frame(2, &finished)]].concat());
    assert_eq!(found, [warning], "an end under an id that goes back");
    assert_eq!(given.last(), Some(&("RUN_FINISHED".to_owned(), true)));
    let ahead = [&[frame(9, &started)], &first[1..], &last, &end].concat();
    assert_eq!(delivered(&ahead).0, [warning], "one id that is far ahead");
}

#[test]
fn a_last_frame_without_a_blank_line_ends_nothing() {
    let frames = [frame(1, &run("STARTED")), frame(2, &text()), frame(3, &run("FINISHED")).trim_end().to_owned()];
    let (found, given) = delivered(&frames);
    assert_eq!(found, ["unterminated-frame note", "stream-without-terminal warning"]);
    assert_eq!(given.len(), 2);
}

#[test]
fn a_server_filters_the_entries_of_its_stream() {
    let mut run = RunSubscription::new("r");
    let mut push = |seq, event: Value| {
        let given = run.push_event(StreamId::new(1, seq), Event::from_json(&event.to_string()).unwrap());
        (given.map(|event| event.tag().to_owned()), run.is_out_of_order(), run.is_done())
    };
    let mut other = text();
    other["runId"] = json!("other");
    let name = |tag: &str| Some(tag.to_owned());
    assert_eq!(push(1, plain("RUN_STARTED")), (name("RUN_STARTED"), false, false));
    assert_eq!(push(2, other), (None, false, false));
    assert_eq!(push(3, text()), (name("TEXT_MESSAGE_END"), false, false));
    assert_eq!(push(3, text()), (None, false, false), "repeated");
    assert_eq!(push(2, plain("RUN_FINISHED")), (name("RUN_FINISHED"), true, true), "late");
    assert_eq!(push(4, text()), (None, true, true), "the run is over");
    assert_eq!(run.last_event_id(), Some("1-3"));
    let mut out = String::new();
    write_keep_alive(&mut out);
    assert_eq!(out, KEEP_ALIVE);
    Parser::new().push(out.as_bytes(), |item| panic!("{item:?}"));
}

#[test]
fn a_resumed_subscription_loses_no_end() {
    let mut run = RunSubscription::resume("r", "1-5");
    let mut push = |seq, event: &Value| {
        let mut given = None;
        Parser::new().push(frame(seq, event).as_bytes(), |item| given = run.push(&item).unwrap());
        given.map(|event| event.tag().to_owned())
    };
    assert_eq!(push(4, &text()), None);
    assert_eq!(push(6, &text()), Some("TEXT_MESSAGE_END".to_owned()));
    assert_eq!(push(5, &plain("RUN_FINISHED")), Some("RUN_FINISHED".to_owned()));
    assert!(run.is_done() && run.is_out_of_order());
}

#[test]
fn answers_of_history_are_held_to_the_rules_of_events() {
    let message = |members: Value| {
        let message =
            json!({"id": "m", "seq": 1, "role": "user", "content": "hi", "timestamp": "2026-04-24T10:00:00Z"});
        with(message, members)
    };
    let answer = |message: Value| json!({"scope": "history_day", "threadId": "t", "day": "2026-04-24", "hasMore": false, "messages": [message]});
    let rules = |profile: Profile, answer: &Value| {
        let mut checker = builder().profile(profile).build();
        let findings = checker.check_as("HistoryResponse", Input::event(&answer.to_string())).unwrap();
        findings.iter().map(|finding| format!("{} {}", finding.rule.name(), finding.path)).collect::<Vec<_>>()
    };
    for (members, expected) in [
        (json!({}), &[][..]),
        (json!({"role": "tool", "content": "{\"count\":0}", "visibility_mask": 3}), &[]),
        (json!({"timestamp": "2026-04-24T10:00:00.123456"}), &[]),
        (json!({"suggested_actions": ["a"]}), &["snake-camel-mix $.messages[0].suggested_actions"]),
        (json!({"uiSchema": {}}), &["snake-camel-mix $.messages[0].uiSchema"]),
        (json!({"role": "tool", "content": "done"}), &["wrong-type $.messages[0].content"]),
        (json!({"timestamp": "yesterday"}), &["wrong-type $.messages[0].timestamp"]),
        (json!({"cost": 1}), &["internal-field-leak $.messages[0].cost"]),
        (json!({"ui_hints": {}}), &["ui-hints-leak $.messages[0].ui_hints"]),
        (json!({"direct_cost": 1}), &["usage-audit-leak $.messages[0].direct_cost"]),
        (json!({"visibility_mask": 65539}), &["unknown-property $.messages[0].visibility_mask"]),
    ] {
        let answer = answer(message(members));
        assert_eq!(rules(Profile::Strict, &answer), expected, "{answer}");
        assert_eq!(rules(Profile::Schema, &answer), [""; 0], "{answer}");
    }
    let mut answer = answer(message(json!({})));
    answer["day"] = json!("24.04.2026");
    assert_eq!(rules(Profile::Strict, &answer), ["wrong-type $.day"]);
    let misspelt = renamed(&answer["messages"][0], "timestamp", "time_stamp");
    answer["day"] = json!("2026-04-24");
    answer["messages"][0] = misspelt;
    assert_eq!(rules(Profile::Strict, &answer), ["required-field-missing $.messages[0].time_stamp"]);
}

#[test]
fn usage_is_read_as_it_is_written() {
    let call =
        r#"{"input_tokens":"many","output_tokens":2,"time":0.25,"metadata":{"prompt_tokens":7,"total_tokens":{}}}"#;
    let call = ProviderUsage::from_json(call).unwrap();
    assert_eq!(call.normalize().input_tokens, Some(7));
    let mut summary = UsageSummary::default();
    summary.add(Some(&call));
    assert_eq!((summary.input_tokens, summary.total_tokens), (7, 9));
    let read: UsageSummary = serde_json::from_str(&serde_json::to_string(&summary).unwrap()).unwrap();
    assert_eq!(read, summary);
}

#[test]
fn inputs_of_the_create_call() {
    let input = json!({
        "threadId": "550e8400-e29b-41d4-a716-446655440000", "runId": "run-001", "state": {},
        "messages": [{"id": "msg-001", "role": "user", "content": "hello"}], "tools": [], "context": [],
        "forwardedProps": {"runtime_mode": "chat"},
    });
    let read = RunAgentInput::from_json(&input.to_string()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), input);
    let snake = renamed(&renamed(&input, "threadId", "thread_id"), "forwardedProps", "forwarded_props");
    assert_eq!(RunAgentInput::from_json_of_any_case(&snake.to_string()).unwrap(), read);
    assert!(RunAgentInput::from_json(&snake.to_string()).is_err());
    let image = json!([{"type": "text", "text": "what is this?"}, {"type": "binary", "mimeType": "image/png", "url": "https://example.invalid/a"}]);
    for (path, value, expected) in [
        ("/runId", json!("run-001"), Ok(())),
        ("/messages/0/content", image, Ok(())),
        ("/threadId", json!("thread"), Err(RunAgentInputError::ThreadId)),
        ("/runId", json!("r".repeat(129)), Err(RunAgentInputError::RunId)),
        ("/messages/0/role", json!("assistant"), Err(RunAgentInputError::UserMessages)),
        ("/messages", json!(vec![input["messages"][0].clone(); 201]), Err(RunAgentInputError::Messages)),
        (
            "/messages/0/content",
            json!([{"type": "binary", "mimeType": "image/png", "data": "AA"}]),
            Err(RunAgentInputError::Binary),
        ),
    ] {
        let mut input = input.clone();
        *input.pointer_mut(path).unwrap() = value;
        let read = RunAgentInput::from_json(&input.to_string()).unwrap();
        assert_eq!(read.validate(), expected, "{input}");
    }
}
