//! social-app: one fault gives one finding, and a subscription follows one run alone.

mod common;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input, Limits, Severity};
use agent_contracts::social_app::{Event, RunError, RunFinished, RunStarted, RunSubscription, StepStarted, StreamId};
use agent_contracts::stream::StreamChecker;
use agent_contracts::stream::sse::{Item, Parser};
use common::{Failures, cases, repository};
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
        failures.check(found.len() <= 1, || {
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
        prop_assert_eq!(run.is_ended(), end.is_some());
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
    assert!(run.is_ended());
    assert_eq!(run.last_event_id(), Some("6-0"));
}

#[test]
fn a_terminal_that_is_not_of_its_shape_ends_the_run_all_the_same() {
    for (data, ended) in [
        (r#"{"type":"RUN_ERROR","runId":"wanted"}"#, true),
        (r#"{"type":"RUN_FINISHED","threadId":7,"runId":"wanted"}"#, true),
        (r#"{"type":"STEP_STARTED","threadId":"t","runId":"wanted"}"#, false),
        (r#"{"type":"RUN_ERROR"}"#, false),
    ] {
        let mut run = RunSubscription::new("wanted");
        Parser::new().push(format!("data: {data}\n\n").as_bytes(), |item| assert!(run.push(&item).is_err(), "{data}"));
        assert_eq!(run.is_ended(), ended, "{data}");
    }
}
