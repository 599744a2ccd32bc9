//! Bounded memory, and hostile input: what is found in it, and that nothing panics.

use std::fmt::Write as _;

use crate::common::{Decoded, Failures};
use agent_contracts::check::{Checker, Finding, Input, Limits, Profile};
use agent_contracts::stream::sse::{Item, Parser};
use agent_contracts::stream::{Framing, StreamChecker};
use agent_contracts::wire::{ErrorKind, Json};
use agent_contracts::{Protocol, lime, polling, social_app, ubik};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

fn rules(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.rule.id().to_owned()).collect()
}

fn checker(protocol: &Protocol, limits: Limits) -> Checker {
    Checker::builder(protocol).limits(limits).build()
}

/// A Lime event that nothing is wrong with, and further members.
fn lime_event(number: usize, rest: &str) -> String {
    format!(
        r#"{{"id":"evt_{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"state","status":"running","sequence":{number},"title":"t","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
    )
}

/// An event of social-app in a run, and further members.
fn social_app_event(kind: &str, run: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}","threadId":"t","runId":"{run}"{rest}}}"#)
}

/// An event of a tool call before its result.
fn social_app_call(kind: &str, id: usize, rest: &str) -> String {
    let call = r#""toolCallName":"calendar.read","stage":"worker""#;
    social_app_event(kind, "r", &format!(r#","messageId":"m","toolCallId":"c{id}",{call}{rest}"#))
}

/// The result of a tool call.
fn social_app_result(id: usize, args: &str, result: &str) -> String {
    let call = r#""messageId":"m","role":"tool","stage":"worker","tool_name":"calendar.read","status":"success""#;
    let values = format!(r#""tool_call_id":"c{id}","tool_call_args":{args},"result":{result}"#);
    social_app_event("TOOL_CALL_RESULT", "r", &format!(",{call},{values}"))
}

const RUN_STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

const CONNECTED: &str = r#"{"type":"connection_established","session_id":"s","connection_id":"c","task_id":"t"}"#;

/// An event of a Ubik session, after the three that a session begins with.
fn ubik_event(number: usize, kind: &str, rest: &str) -> String {
    let task = r#""task_id":"t","timestamp":"2026-03-12T14:02:11Z""#;
    match number {
        0 => CONNECTED.into(),
        1 => format!(r#"{{"type":"agent_processing_started",{task}}}"#),
        2 => format!(r#"{{"type":"response_stream_start","message_id":"m",{task}}}"#),
        _ => format!(r#"{{"type":"{kind}","timestamp":"2026-03-12T14:02:11Z"{rest}}}"#),
    }
}

/// A fragment of a Ubik event.
fn ubik_fragment(group: usize, index: &str, total: &str) -> String {
    format!(
        r#"{{"type":"tool_update_delta_sse","chunk_id":"c{group}","chunk_index":{index},"total_chunks":{total},"original_event_type":"tool_update","chunk_data":"{{"}}"#
    )
}

/// The envelope of a number; its payload has the ids of its scope as well.
fn polling_envelope(idx: usize, kind: &str, rest: &str) -> String {
    let (kind, rest) = if idx == 0 { ("ai_message_start", "") } else { (kind, rest) };
    format!(
        r#"{{"idx":{idx},"type":"{kind}","data":{{"task_id":"t","conversation_id":"c","workspace_id":"w"{rest}}},"ts":1771061400.125}}"#
    )
}

/// A stream without end: what is new in each of its events, and how often the bound may
/// be reported, once for each kind of thing that is remembered.
struct Endless {
    fresh: &'static str,
    protocol: Protocol,
    events: usize,
    event: fn(usize) -> String,
    reports: usize,
}

const ENDLESS: &[Endless] = &[
    Endless {
        fresh: "event ids",
        protocol: Protocol::LIME,
        events: 200_000,
        event: |number| lime_event(number, r#","threadId":"t","turnId":"u","eventClass":"model.delta""#),
        reports: 1,
    },
    Endless {
        fresh: "turns",
        protocol: Protocol::LIME,
        events: 20_000,
        event: |number| {
            lime_event(number, &format!(r#","threadId":"t","turnId":"u{number}","eventClass":"turn.started""#))
        },
        reports: 2,
    },
    Endless {
        fresh: "tool calls that stay open",
        protocol: Protocol::LIME,
        events: 20_000,
        event: |number| {
            lime_event(
                number,
                &format!(r#","turnId":"u","toolCallId":"c{number}","eventClass":"tool.started","threadId":"t""#),
            )
        },
        reports: 2,
    },
    Endless {
        fresh: "conversations",
        protocol: Protocol::LIME,
        events: 20_000,
        event: |number| lime_event(number, &format!(r#","threadId":"t{number}""#)),
        reports: 2,
    },
    Endless {
        fresh: "messages",
        protocol: Protocol::AGUI,
        events: 200_000,
        event: |number| match (number, number / 3, number % 3) {
            (0, ..) => RUN_STARTED.into(),
            (_, id, 1) => format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{id}"}}"#),
            (_, id, 2) => format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m{id}","delta":"word"}}"#),
            (_, id, _) => format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"m{}"}}"#, id - 1),
        },
        reports: 1,
    },
    Endless {
        fresh: "messages that stay open",
        protocol: Protocol::AGUI,
        events: 20_000,
        event: |number| match number {
            0 => RUN_STARTED.into(),
            _ => format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{number}"}}"#),
        },
        reports: 1,
    },
    Endless {
        fresh: "tool calls",
        protocol: Protocol::AGUI,
        events: 20_000,
        event: |number| match (number, number / 2, number % 2) {
            (0, ..) => RUN_STARTED.into(),
            (_, id, 1) => format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{id}","toolCallName":"search"}}"#),
            (_, id, _) => format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"c{}"}}"#, id - 1),
        },
        reports: 1,
    },
    Endless {
        fresh: "runs",
        protocol: Protocol::AGUI,
        events: 20_000,
        event: |number| {
            let kind = if number % 2 == 0 { "RUN_STARTED" } else { "RUN_FINISHED" };
            format!(r#"{{"type":"{kind}","threadId":"t","runId":"r{}"}}"#, number / 2)
        },
        reports: 1,
    },
    Endless {
        fresh: "runs with an answer",
        protocol: Protocol::SOCIAL_APP,
        events: 20_000,
        event: |number| {
            let (kind, rest) = match number % 3 {
                0 => ("RUN_STARTED", String::new()),
                1 => (
                    "TEXT_MESSAGE_END",
                    format!(
                        r#","messageId":"m{number}","role":"assistant","stage":"worker","status":"success","answer":"a","suggested_actions":[]"#
                    ),
                ),
                _ => ("RUN_FINISHED", String::new()),
            };
            social_app_event(kind, &format!("r{}", number / 3), &rest)
        },
        reports: 1,
    },
    Endless {
        fresh: "runs that stay open",
        protocol: Protocol::SOCIAL_APP,
        events: 20_000,
        event: |number| social_app_event("RUN_STARTED", &format!("r{number}"), ""),
        reports: 1,
    },
    Endless {
        fresh: "tool calls of a run",
        protocol: Protocol::SOCIAL_APP,
        events: 20_000,
        event: |number| match (number, number / 4, number % 4) {
            (0, ..) => RUN_STARTED.into(),
            (_, id, 1) => social_app_call("TOOL_CALL_START", id, ""),
            (_, id, 2) => social_app_call("TOOL_CALL_ARGS", id, r#","args":{}"#),
            (_, id, 3) => social_app_call("TOOL_CALL_END", id, ""),
            (_, id, _) => social_app_result(id - 1, "{}", "{}"),
        },
        reports: 1,
    },
    Endless {
        fresh: "tool calls of a run that stay open",
        protocol: Protocol::SOCIAL_APP,
        events: 20_000,
        event: |number| match number {
            0 => RUN_STARTED.into(),
            id => social_app_call("TOOL_CALL_START", id, ""),
        },
        reports: 1,
    },
    Endless {
        fresh: "results whose calls are not shown",
        protocol: Protocol::SOCIAL_APP,
        events: 20_000,
        event: |number| match number {
            0 => RUN_STARTED.into(),
            id => social_app_result(id, "{}", "{}"),
        },
        reports: 1,
    },
    Endless {
        fresh: "text",
        protocol: Protocol::UBIK,
        events: 200_000,
        event: |number| ubik_event(number, "response_chunk", &format!(r#","content":"word {number} ""#)),
        reports: 1,
    },
    Endless {
        fresh: "steps that are not completed",
        protocol: Protocol::UBIK,
        events: 20_000,
        event: |number| {
            let rest = format!(r#","step":{number},"description":"d","single_step_agent":false"#);
            ubik_event(number, "agent_step_started", &rest)
        },
        reports: 1,
    },
    Endless {
        fresh: "tools",
        protocol: Protocol::UBIK,
        events: 20_000,
        event: |number| {
            let rest = format!(r#","tool_execution_id":"call_{number}","tool_name":"n","data":{{"message":"m"}}"#);
            ubik_event(number, "tool_update", &rest)
        },
        reports: 1,
    },
    Endless {
        fresh: "events in fragments that are not whole",
        protocol: Protocol::UBIK,
        events: 20_000,
        event: |number| if number < 3 { ubik_event(number, "", "") } else { ubik_fragment(number, "0", "3") },
        reports: 1,
    },
    Endless {
        fresh: "fragments of one event",
        protocol: Protocol::UBIK,
        events: 200_000,
        event: |number| {
            let index = number.to_string();
            if number < 3 { ubik_event(number, "", "") } else { ubik_fragment(0, &index, "4294967296") }
        },
        reports: 1,
    },
    Endless {
        fresh: "text in one block",
        protocol: Protocol::POLLING,
        events: 200_000,
        event: |number| {
            if number == 1 {
                return polling_envelope(1, "text_start", "");
            }
            let rest = format!(r#","content":"word {number} ","index":{},"elapsed":0.1"#, number.saturating_sub(1));
            polling_envelope(number, "text_chunk", &rest)
        },
        reports: 1,
    },
    Endless {
        fresh: "tools that stay open",
        protocol: Protocol::POLLING,
        events: 20_000,
        event: |number| {
            let rest = format!(r#","id":"call_{number}","name":"n","message":"m","intent":null"#);
            polling_envelope(number, "tool_preparing", &rest)
        },
        reports: 1,
    },
    Endless {
        fresh: "approvals",
        protocol: Protocol::POLLING,
        events: 20_000,
        event: |number| {
            let approval = format!(
                r#"{{"approval_id":"plan_approval_{number}","plan_file":"f","plan_content":"p","plan_content_truncated":false,"summary":"s","status":"pending","created_at":"a","resolved_at":null,"comment":""}}"#
            );
            polling_envelope(number, "plan_approval_required", &format!(r#","approval":{approval}"#))
        },
        reports: 1,
    },
];

#[test]
fn an_endless_stream_fills_its_history_and_no_more() {
    let mut failures = Failures::default();
    for row in ENDLESS {
        let mut checker = checker(&row.protocol.clone(), Limits::DEFAULT.with_history(1000));
        let mut found = Vec::new();
        for number in 0..row.events {
            found.extend(rules(checker.push(Input::event(&(row.event)(number)))));
        }
        let fresh = row.fresh;
        failures.check(found.iter().all(|rule| *rule == "input/history-limit"), || format!("{fresh}: {found:?}"));
        failures.check((1..=row.reports).contains(&found.len()), || format!("{fresh}: reported {} times", found.len()));
        failures.check(checker.events() == row.events as u64, || format!("{fresh}: {} events", checker.events()));
    }
    failures.finish(3 * ENDLESS.len());
}

/// State that a stream patches, and how often the bound of kept text is reported.
#[test]
fn patched_state_is_bounded() {
    let copy = r#"{"op":"copy","from":"/a","path":"/a/-"}"#;
    let text = format!(r#"{{"op":"add","path":"/a/-","value":"{}"}}"#, "x".repeat(10_000));
    for (what, operation, deltas) in [
        ("copies that double the value", copy.to_owned(), 60),
        ("copies under an escaped name", copy.replace("copy", "c\\u006fpy"), 30),
        ("texts that add up", text, 300),
    ] {
        let mut checker = checker(&Protocol::AGUI, Limits::DEFAULT);
        assert!(checker.push(Input::event(RUN_STARTED)).is_empty());
        assert!(checker.push(Input::event(r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":[1]}}"#)).is_empty());
        let delta = format!(r#"{{"type":"STATE_DELTA","delta":[{operation}]}}"#);
        let found: Vec<_> = (0..deltas).flat_map(|_| rules(checker.push(Input::event(&delta)))).collect();
        assert_eq!(found, ["input/history-limit"], "{what}");
    }
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

/// Where there is room for it: values are read by recursion, so a greater depth takes a
/// greater stack.
fn with_stack(bytes: usize, work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(bytes).spawn(work).unwrap().join().unwrap();
}

#[test]
fn depth_is_bounded_at_the_limit_and_never_beyond_1024() {
    with_stack(64 << 20, || {
        for (limit, deepest) in [(128, 128), (8, 8), (1024, 1024), (u16::MAX, 1024)] {
            // The event and its payload are two levels.
            for (levels, found) in [(deepest - 2, &[][..]), (deepest - 1, &["input/too-deep"])] {
                let text = lime_event(1, &format!(r#","payload":{{"a":{}}}"#, nested(levels)));
                let mut checker = checker(&Protocol::LIME, Limits::DEFAULT.with_depth(limit));
                assert_eq!(rules(checker.push(Input::event(&text))), found, "{levels} of {limit}");
            }
        }
        let at = |levels| lime::Event::from_json(&lime_event(1, &format!(r#","payload":{{"a":{}}}"#, nested(levels))));
        assert!(at(126).is_ok());
        assert!(matches!(at(127).unwrap_err().kind(), ErrorKind::Syntax(_)));
    });
}

/// What a service gives a request is often a thread with a stack of the default size.
#[test]
fn default_limits_fit_a_stack_of_default_size() {
    let hostile = [nested(100_000), "[".repeat(100_000), r#"{"a":"#.repeat(100_000)];
    with_stack(2 << 20, move || {
        for value in &hostile {
            for (protocol, text) in [
                (Protocol::LIME, lime_event(1, &format!(r#","payload":{{"token":{value}}}"#))),
                (Protocol::SOCIAL_APP, social_app_result(1, "{}", &format!(r#"{{"token":{value}}}"#))),
            ] {
                let mut checker = Checker::new(protocol.clone());
                assert_eq!(rules(checker.push(Input::event(&text))), ["input/too-deep"], "{protocol}");
                assert!(Decoded::from_json(&protocol.clone(), &text).is_err(), "{protocol}");
                assert!(Protocol::detect(text.as_bytes(), Framing::detect(text.as_bytes())).is_some(), "{protocol}");
            }
        }
    });
}

#[test]
fn what_is_larger_than_the_limit_is_passed_over() {
    let large = |number| lime_event(number, &format!(r#","detail":"{}""#, "x".repeat(1000)));
    let events = [lime_event(1, ""), large(7), lime_event(2, "")];
    let expected: [&[&str]; 3] = [&[], &["input/too-large"], &[]];

    // As events that were cut already.
    let mut by_event = checker(&Protocol::LIME, Limits::DEFAULT.with_event_bytes(500));
    for (event, expected) in events.iter().zip(expected) {
        assert_eq!(rules(by_event.push(Input::event(event))), expected);
    }
    assert_eq!(by_event.events(), 3);

    // As lines, in pieces that end anywhere.
    let limits = Limits::DEFAULT.with_event_bytes(500);
    let mut by_line = StreamChecker::of(checker(&Protocol::LIME, limits), Framing::Ndjson);
    let mut found = Vec::new();
    for piece in (events.join("\n") + "\n").as_bytes().chunks(64) {
        found.extend(by_line.push(piece).map(|found| found.rule.id().to_owned()));
    }
    assert_eq!((found, by_line.events()), (vec!["input/too-large".to_owned()], 3));

    // As a document, which may be sixteen times as large: what is behind the bound is not read either, and nothing is
    // said to be missing.
    let limits = Limits::DEFAULT.with_event_bytes(50);
    for protocol in Protocol::ALL {
        let mut document = StreamChecker::of(checker(protocol, limits), Framing::Json);
        let mut found = Vec::new();
        for piece in format!("[{}]", events.join(",")).as_bytes().chunks(64) {
            found.extend(document.push(piece).map(|found| found.rule.id().to_owned()));
        }
        found.extend(document.finish().map(|found| found.rule.id().to_owned()));
        assert_eq!((found, document.events()), (vec!["input/too-large".to_owned()], 0), "{protocol}");
    }
}

/// To the largest number nothing comes; where no finding has room, the first are listed all the same.
#[test]
fn limits_may_be_any_number() {
    let all = |number: usize| {
        Limits::DEFAULT
            .with_event_bytes(number)
            .with_frame_bytes(number)
            .with_text_bytes(number)
            .with_history(number)
            .with_findings(number)
            .with_stream_findings(number)
    };
    let events = [
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"x","content":{"k":1}}"#,
        r#"{"type":"ACTIVITY_DELTA","messageId":"a","activityType":"x","patch":[{"op":"add","path":"/b","value":1}]}"#,
        r#"{"type":"CUSTOM"}"#,
        r#"{"type":"CUSTOM"}"#,
    ];
    let stream = format!("{RUN_STARTED}\n{}\n", events.join("\n"));
    let found = |limits: Limits| {
        let mut checked = StreamChecker::of(checker(&Protocol::AGUI, limits), Framing::Ndjson);
        let mut found: Vec<String> = checked.push(stream.as_bytes()).map(|found| found.rule.id().to_owned()).collect();
        found.extend(checked.finish().map(|found| found.rule.id().to_owned()));
        found
    };
    let missing = "agui/required-field-missing";
    let expected = [missing, missing, missing, missing, "agui/truncated-stream"];
    assert_eq!(found(all(usize::MAX)), expected);
    let without_list = Limits::DEFAULT.with_findings(0).with_stream_findings(0);
    assert_eq!(found(without_list), [missing, missing, "input/too-many-findings"]);
    assert_eq!(found(all(0)), ["input/too-large", "input/too-large", "input/too-many-findings"]);
}

/// At each bound there is room for as much as it says, and for no byte more.
#[test]
fn what_is_as_large_as_the_limit_is_read() {
    let event = lime_event(1, "");
    let document = |bytes: usize| format!("[{event}{}]", " ".repeat(bytes - event.len() - 2));
    let (bytes, most) = (event.len(), 16 * event.len());
    let lines = (Framing::Ndjson, format!("{event}\n"));
    let frames = (Framing::Sse, format!("data: {event}\n\n"));
    let limits = Limits::DEFAULT.with_event_bytes(bytes).with_frame_bytes(bytes + 6);
    for (what, (framing, stream), limits, expected) in [
        ("a line", lines.clone(), limits, None),
        ("a line of one more", lines, limits.with_event_bytes(bytes - 1), Some("input/too-large")),
        ("a frame", frames.clone(), limits, None),
        ("a frame of one more", frames, limits.with_frame_bytes(bytes + 5), Some("input/too-large")),
        ("a document", (Framing::Json, document(most)), limits, None),
        ("a document of one more", (Framing::Json, document(most + 1)), limits, Some("input/too-large")),
    ] {
        let mut checked = StreamChecker::of(checker(&Protocol::LIME, limits), framing);
        let mut found: Vec<String> = checked.push(stream.as_bytes()).map(|found| found.rule.id().to_owned()).collect();
        found.extend(checked.finish().map(|found| found.rule.id().to_owned()));
        assert_eq!(found, Vec::from_iter(expected), "{what}");
    }
}

/// Errors have room behind warnings: twice as many are listed.
#[test]
fn warnings_leave_room_for_errors() {
    let warnings = repeated(3, |number| format!(r#""x{number}":1"#));
    let errors = r#"{"role":"user","content":"a"}"#;
    let event =
        |errors: &[&str]| format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{}]{warnings}}}"#, errors.join(","));
    for (count, expected) in [
        (0, &["unknown-property", "unknown-property", "too-many-findings"][..]),
        (3, &["required-field-missing", "required-field-missing", "required-field-missing", "too-many-findings"]),
        (
            9,
            &[
                "required-field-missing",
                "required-field-missing",
                "required-field-missing",
                "required-field-missing",
                "too-many-findings",
            ],
        ),
    ] {
        let mut checker = checker(&Protocol::AGUI, Limits::DEFAULT.with_findings(2));
        assert!(checker.push(Input::event(RUN_STARTED)).is_empty());
        let found = rules(checker.push(Input::event(&event(&vec![errors; count]))));
        let found: Vec<&str> = found.iter().filter_map(|rule| Some(rule.split_once('/')?.1)).collect();
        assert_eq!(found, expected, "{count} errors");
    }
}

#[test]
fn a_frame_larger_than_the_limit_is_passed_over() {
    let custom = |value: &str| format!(r#"{{"type":"CUSTOM","name":"n","value":"{value}"}}"#);
    let long = "x".repeat(1000);
    let bare = |event: String| format!("data: {event}\n\n");
    let named = |seq: u64, text: &str| {
        social_app::Event::from_json(text).unwrap().to_sse(social_app::StreamId::new(1_760_000_000_000, seq))
    };
    let snapshot = |value: &str| social_app_event("STATE_SNAPSHOT", "r", &format!(r#","snapshot":"{value}""#));
    for (protocol, frames, rule) in [
        (Protocol::AGUI, [RUN_STARTED.to_owned(), custom(&long), custom("x")].map(bare), "agui/sse-frame-too-large"),
        (Protocol::LIME, [lime_event(1, ""), custom(&long), lime_event(2, "")].map(bare), "input/too-large"),
        (
            Protocol::SOCIAL_APP,
            [named(0, RUN_STARTED), named(1, &snapshot(&long)), named(2, &snapshot("x"))],
            "input/too-large",
        ),
    ] {
        let limits = Limits::DEFAULT.with_frame_bytes(500);
        let mut stream = StreamChecker::of(checker(&protocol.clone(), limits), Framing::Sse);
        let mut found = Vec::new();
        for piece in frames.concat().as_bytes().chunks(64) {
            found.extend(stream.push(piece).map(|found| found.rule.id().to_owned()));
        }
        assert_eq!((found, stream.events()), (vec![rule.to_owned()], 3), "{protocol}");
    }
}

/// So many members or elements.
const MANY: usize = 100_000;

fn repeated(count: usize, member: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = write!(text, ",{}", member(number));
        text
    })
}

/// What somebody made up to do harm, and the rules that the strict checker finds broken.
type Hostile = (&'static str, Vec<u8>, &'static [&'static str]);

fn hostile_lime() -> Vec<Hostile> {
    let event = |rest: &str| lime_event(1, rest).into_bytes();
    let raw = |before: &str, bytes: &[u8]| {
        let mut text = event(&format!(r#","detail":"{before}""#));
        let at = text.len() - 2;
        drop(text.splice(at..at, bytes.iter().copied()));
        text
    };
    vec![
        ("nothing", b"".to_vec(), &["input/not-json"]),
        ("white space", b" \r\n\t ".to_vec(), &["input/not-json"]),
        ("a byte order mark", [&b"\xEF\xBB\xBF"[..], &event("")].concat(), &["input/not-json"]),
        ("two events", [event(""), event("")].concat(), &["input/not-json"]),
        ("half an event", event("")[..100].to_vec(), &["input/not-json"]),
        ("deep arrays", event(&format!(r#","x":{}"#, nested(MANY))), &["input/too-deep"]),
        (
            "deep objects, never closed",
            format!(r#"{{"x":{}"#, r#"{"y":"#.repeat(MANY)).into_bytes(),
            &["input/too-deep"],
        ),
        ("many unknown members", event(&repeated(MANY, |number| format!(r#""x{number}":{number}"#))), &[]),
        ("the same unknown member, often", event(&repeated(MANY, |number| format!(r#""x":{number}"#))), &[]),
        ("the title, often, and last as it should be", event(&repeated(MANY, |_| r#""title":"t""#.into())), &[]),
        (
            "the title, often, and last a number",
            event(&repeated(MANY, |_| r#""title":1"#.into())),
            &["lime/required-string"],
        ),
        ("many elements", event(&format!(r#","x":[0{}]"#, repeated(MANY, |_| "0".into()))), &[]),
        (
            "a large payload",
            event(&format!(r#","payload":{{"x":[0{}]}}"#, repeated(MANY, |_| "0".into()))),
            &["lime/payload-too-large"],
        ),
        ("bytes that are not UTF-8", raw("", b"\xFF"), &["input/not-utf8"]),
        ("a character that is cut off", raw("", b"\xF0\x9F\x98"), &["input/not-utf8"]),
        ("a surrogate in UTF-8", raw("", b"\xED\xA0\x80"), &["input/not-utf8"]),
        ("a lone high surrogate", raw("\\ud83d", b""), &["input/lone-surrogate"]),
        ("a lone low surrogate", raw("\\ude00", b""), &["input/lone-surrogate"]),
        ("surrogates the wrong way round", raw("\\ude00\\ud83d", b""), &["input/lone-surrogate"]),
        ("a surrogate pair", raw("\\ud83d\\ude00", b""), &[]),
        ("a NUL in a string", raw("", b"\0"), &["input/not-json"]),
        ("a NUL between members", [&b"\0"[..], &event("")].concat(), &["input/not-json"]),
        ("an escaped NUL", raw("\\u0000", b""), &[]),
        ("an escape that is cut off", br#"{"id":"\u00"#.to_vec(), &["input/not-json"]),
        ("a number of a million digits", event(&format!(r#","x":{}"#, "9".repeat(1_000_000))), &[]),
        ("an exponent beyond all bounds", event(r#","x":[1e999999999999999999999,-1e-999999999999999999999]"#), &[]),
        ("text full of beginnings of tokens", event(&format!(r#","detail":"{}""#, "eyJ.".repeat(6000))), &[]),
        ("text full of backslashes", event(&format!(r#","detail":"{}""#, "\\\\".repeat(MANY))), &[]),
    ]
}

/// Each of these comes after a RUN_STARTED.
fn hostile_agui() -> Vec<Hostile> {
    let custom = |rest: &str| format!(r#"{{"type":"CUSTOM","name":"n","value":1{rest}}}"#).into_bytes();
    vec![
        ("nothing", b"".to_vec(), &["agui/frame-not-json"]),
        ("an end marker", b"[DONE]".to_vec(), &["agui/frame-not-json"]),
        ("no object", b"[]".to_vec(), &["agui/frame-not-object"]),
        ("deep arrays", custom(&format!(r#","metadata":{{"x":{}}}"#, nested(MANY))), &["input/too-deep"]),
        ("bytes that are not UTF-8", b"{\"type\":\"\xFF\"}".to_vec(), &["input/not-utf8"]),
        ("a lone surrogate", custom(r#","metadata":{"x":"\udc00"}"#), &["input/lone-surrogate"]),
        ("the type, often", custom(&repeated(MANY, |_| r#""type":"CUSTOM""#.into())), &[]),
        (
            "the type, often, and last an unknown one",
            custom(&repeated(MANY, |_| r#""type":"X""#.into())),
            &["agui/unknown-event-type"],
        ),
        ("the same unknown member, often", custom(&repeated(MANY, |_| r#""x":1"#.into())), &["agui/unknown-property"]),
        (
            "a type of a megabyte",
            format!(r#"{{"type":"{}"}}"#, "X".repeat(1 << 20)).into_bytes(),
            &["agui/unknown-event-type"],
        ),
    ]
}

/// Each of these comes after a RUN_STARTED.
fn hostile_social_app() -> Vec<Hostile> {
    let event = |kind: &str, rest: &str| social_app_event(kind, "r", rest).into_bytes();
    let snapshot = |value: &str| event("STATE_SNAPSHOT", &format!(r#","snapshot":{value}"#));
    let result = |args: &str, result: &str| social_app_result(1, args, result).into_bytes();
    let object = |key: &str, value: usize| {
        let members = repeated(MANY, |number| format!(r#""{key}{number}":{value}"#));
        format!("{{{}}}", &members[1..])
    };
    let within = |value: &str| format!(r#"{{"a":{value}}}"#);
    vec![
        ("nothing", b"".to_vec(), &["social-app/frame-not-json"]),
        ("an end marker", b"[DONE]".to_vec(), &["social-app/frame-not-json"]),
        ("no object", b"[]".to_vec(), &["social-app/frame-not-object"]),
        ("deep arrays", snapshot(&nested(MANY)), &["input/too-deep"]),
        (
            "deep objects, never closed",
            format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{}"#, r#"{"y":"#.repeat(MANY)).into_bytes(),
            &["input/too-deep"],
        ),
        ("deep arrays in the text of a result", result("{}", &format!("\"{}\"", "[".repeat(10_000))), &[]),
        ("bytes that are not UTF-8", b"{\"type\":\"\xFF\"}".to_vec(), &["input/not-utf8"]),
        ("a lone surrogate", snapshot(r#"{"x":"\udc00"}"#), &["input/lone-surrogate"]),
        ("the type, often", snapshot(&format!("1{}", repeated(MANY, |_| r#""type":"STATE_SNAPSHOT""#.into()))), &[]),
        (
            "the type, often, and last an unknown one",
            snapshot(&format!("1{}", repeated(MANY, |_| r#""type":"X""#.into()))),
            &["social-app/unknown-event-type"],
        ),
        (
            "the same unknown member, often",
            snapshot(&format!("1{}", repeated(MANY, |_| r#""x":1"#.into()))),
            &["social-app/unknown-property"],
        ),
        ("a type of a megabyte", event(&"X".repeat(1 << 20), ""), &["social-app/unknown-event-type"]),
        (
            "a run of a megabyte",
            social_app_event("STATE_SNAPSHOT", &"r".repeat(1 << 20), r#","snapshot":1"#).into_bytes(),
            &["social-app/first-event-not-run-started"],
        ),
        // A result is held against the arguments, member by member.
        ("as many facts as arguments", result(&object("x", 0), &object("y", 0)), &["social-app/large-inline-value"]),
        (
            "facts with the names of arguments",
            result(&object("x", 0), &object("x", 1)),
            &["social-app/large-inline-value"],
        ),
        (
            "one large fact that is an argument",
            result(&within(&object("x", 0)), &within(&object("x", 0))),
            &["social-app/result-repeats-args", "social-app/large-inline-value"],
        ),
    ]
}

/// Each of these comes after the connection was established.
fn hostile_ubik() -> Vec<Hostile> {
    let checkpoint = |rest: &str| {
        let text = r#""checkpoint_name":"n","created_at":"2026-03-12T14:02:11Z""#;
        format!(r#"{{"type":"checkpoint_created",{text}{rest}}}"#).into_bytes()
    };
    let fragment = |index: &str, total: &str| ubik_fragment(1, index, total).into_bytes();
    vec![
        ("nothing", b"".to_vec(), &["ubik/frame-not-json"]),
        ("an end marker", b"[DONE]".to_vec(), &["ubik/frame-not-json"]),
        ("no object", b"[]".to_vec(), &["ubik/frame-not-object"]),
        ("deep arrays", checkpoint(&format!(r#","x":{}"#, nested(MANY))), &["input/too-deep"]),
        (
            "deep objects, never closed",
            format!(r#"{{"type":"checkpoint_created","x":{}"#, r#"{"y":"#.repeat(MANY)).into_bytes(),
            &["input/too-deep"],
        ),
        ("bytes that are not UTF-8", b"{\"type\":\"\xFF\"}".to_vec(), &["input/not-utf8"]),
        ("a lone surrogate", checkpoint(r#","x":"\udc00""#), &["input/lone-surrogate"]),
        ("the type, often", checkpoint(&repeated(MANY, |_| r#""type":"checkpoint_created""#.into())), &[]),
        (
            "the type, often, and last an unknown one",
            checkpoint(&repeated(MANY, |_| r#""type":"X""#.into())),
            &["ubik/unknown-event-type"],
        ),
        (
            "a type of a megabyte",
            format!(r#"{{"type":"{}"}}"#, "X".repeat(1 << 20)).into_bytes(),
            &["ubik/unknown-event-type", "ubik/large-inline-value"],
        ),
        (
            "many unknown members",
            checkpoint(&repeated(MANY, |number| format!(r#""x{number}":{number}"#))),
            &["ubik/large-inline-value"],
        ),
        ("a fragment of very many", fragment("0", "4294967296"), &[]),
        ("a fragment of more than can be counted", fragment("0", "1e300"), &[]),
        ("a fragment beyond its group", fragment("18446744073709551616", "2"), &["ubik/chunk-index-out-of-range"]),
        ("a fragment of none", fragment("0", "0"), &["ubik/chunk-total-invalid"]),
    ]
}

/// Each of these comes after the first envelope.
fn hostile_polling() -> Vec<Hostile> {
    let message = |rest: &str| polling_envelope(1, "system_message", &format!(r#","content":"c"{rest}"#)).into_bytes();
    vec![
        ("nothing", b"".to_vec(), &["polling/response-not-json"]),
        ("a page of a gateway", b"<html>502</html>".to_vec(), &["polling/response-not-json"]),
        ("no object", b"[]".to_vec(), &["polling/envelope-not-object"]),
        ("deep arrays", message(&format!(r#","x":{}"#, nested(MANY))), &["input/too-deep"]),
        (
            "deep objects in a response, never closed",
            format!(r#"{{"success":true,"data":{{"events":[{}"#, r#"{"y":"#.repeat(MANY)).into_bytes(),
            &["input/too-deep"],
        ),
        ("bytes that are not UTF-8", b"{\"type\":\"\xFF\"}".to_vec(), &["input/not-utf8"]),
        ("a lone surrogate", message(r#","x":"\udc00""#), &["input/lone-surrogate"]),
        ("the same unknown member, often", message(&repeated(MANY, |_| r#""x":1"#.into())), &[]),
        (
            "many unknown members",
            message(&repeated(MANY, |number| format!(r#""x{number}":{number}"#))),
            &["polling/large-inline-value"],
        ),
        (
            "a type of a megabyte",
            polling_envelope(1, &"x".repeat(1 << 20), "").into_bytes(),
            &["polling/unknown-event-type"],
        ),
    ]
}

#[test]
fn hostile_events_are_found_out() {
    let mut failures = Failures::default();
    let opening = polling_envelope(0, "", "");
    for (protocol, first, cases) in [
        (Protocol::LIME, None, hostile_lime()),
        (Protocol::AGUI, Some(RUN_STARTED), hostile_agui()),
        (Protocol::SOCIAL_APP, Some(RUN_STARTED), hostile_social_app()),
        (Protocol::UBIK, Some(CONNECTED), hostile_ubik()),
        (Protocol::POLLING, Some(opening.as_str()), hostile_polling()),
    ] {
        for (what, bytes, expected) in cases {
            let mut checker = Checker::new(protocol.clone());
            if let Some(first) = first {
                assert!(checker.push(Input::event(first)).is_empty());
            }
            let findings = checker.push(Input::event_bytes(&bytes));
            let found = rules(findings);
            failures.check(found == expected, || format!("{protocol}, {what}: {found:?}, expected {expected:?}"));
            look(findings, &bytes);
            if let Ok(text) = std::str::from_utf8(&bytes) {
                let _ = Decoded::from_json(&protocol.clone(), text);
            }
        }
    }
    failures.finish(75);
}

/// What fills the answer to a poll, and how often which rule is broken.
#[test]
fn a_hostile_response_is_judged_item_by_item() {
    let response = |events: &str, next: usize| {
        format!(
            r#"{{"success":true,"data":{{"task_id":"t","workspace_id":"w","status":"running","created_at":1771061400.0,"updated_at":1771061401.0,"error":null,"events":[{events}],"next_offset":{next}}}}}"#
        )
    };
    let clean: Vec<String> =
        (0..MANY).map(|idx| polling_envelope(idx, "system_message", r#","content":"c""#)).collect();
    let numbers = format!("7{}", repeated(MANY - 1, |_| "7".into()));
    for (what, text, count, rule) in [
        ("many events", response(&clean.join(","), MANY), 0, ""),
        ("many items that are no events", response(&numbers, MANY), MANY, "polling/envelope-not-object"),
    ] {
        let limits = Limits::default().with_findings(MANY);
        let mut checker = Checker::builder(Protocol::POLLING).limits(limits).build();
        let found = rules(checker.push(Input::event(&text)));
        assert_eq!(found.iter().filter(|found| *found == rule).count(), count, "{what}");
        let few: Vec<_> = found.iter().filter(|found| *found != rule && *found != "input/history-limit").collect();
        assert!(few.len() <= 3, "{what}: {few:?}");
        assert_eq!(checker.events(), MANY as u64, "{what}");
    }
}

#[test]
fn every_unknown_member_is_reported() {
    let members = repeated(MANY, |number| format!(r#""x{number}":1"#));
    let snapshot = format!(r#","snapshot":1{members}"#);
    for (protocol, text, expected) in [
        (Protocol::AGUI, format!(r#"{{"type":"CUSTOM","name":"n","value":1{members}}}"#), "agui/unknown-property"),
        (Protocol::SOCIAL_APP, social_app_event("STATE_SNAPSHOT", "r", &snapshot), "social-app/unknown-property"),
    ] {
        let found = |limits: Limits| {
            let mut checker = Checker::builder(protocol.clone()).limits(limits).build();
            assert!(checker.push(Input::event(RUN_STARTED)).is_empty());
            rules(checker.push(Input::event(&text)))
        };
        let all = found(Limits::default().with_findings(MANY));
        assert_eq!(all.len(), MANY, "{protocol}");
        assert!(all.iter().all(|rule| *rule == expected), "{protocol}");
        let most = Limits::default().findings;
        let listed = found(Limits::default());
        assert!(listed[..most].iter().all(|rule| *rule == expected), "{protocol}");
        assert_eq!(listed[most..], ["input/too-many-findings"], "{protocol}");
    }
}

#[test]
fn a_stream_lists_so_many_findings_and_says_so_once() {
    let limits = Limits::DEFAULT.with_findings(10).with_stream_findings(20);
    let mut checker = checker(&Protocol::AGUI, limits);
    let mut found = |text: &str| -> Vec<String> {
        let mut found = rules(checker.push(Input::event(RUN_STARTED)));
        found.extend((0..100).flat_map(|_| rules(checker.push(Input::event(text)))));
        checker.reset();
        found
    };
    for _ in 0..2 {
        let listed = found(r#"{"type":"X"}"#);
        assert_eq!(listed[..20], vec!["agui/unknown-event-type"; 20]);
        assert_eq!(listed[20..], ["input/too-many-findings"]);
    }
    // Of errors twice as many are listed.
    let listed = found("x");
    assert_eq!(listed[..40], vec!["agui/frame-not-json"; 40]);
    assert_eq!(listed[40..], ["input/too-many-findings"]);
}

/// What nothing is said of is counted, and not looked at; so nothing is known at the end.
#[test]
fn a_stream_whose_list_is_full_is_only_counted() {
    let limits = Limits::DEFAULT.with_findings(1).with_stream_findings(2);
    let mut checker = checker(&Protocol::AGUI, limits);
    let mut push = |text: &str| rules(checker.push(Input::event(text)));
    for text in [RUN_STARTED, "x", "x", "x", "x", "x", RUN_STARTED] {
        push(text);
    }
    assert_eq!(push("x"), [""; 0]);
    assert_eq!(checker.events(), 8);
    assert_eq!(rules(checker.finish()), [""; 0]);
    checker.reset();
    assert_eq!(rules(checker.push(Input::event("x"))), ["agui/frame-not-json"]);
    checker.push(Input::event(RUN_STARTED));
    assert_eq!(rules(checker.finish()), ["agui/truncated-stream"]);
}

/// Everything that can be asked of findings; places have to lie inside of what they are in.
fn look(findings: &[Finding], text: &[u8]) {
    for finding in findings.iter().take(20) {
        let excerpt = finding.excerpt(text);
        assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{finding}: {:?}", excerpt.span);
        assert!(finding.bytes.as_ref().is_none_or(|bytes| bytes.start <= bytes.end), "{finding}");
        assert!(!finding.to_string().is_empty() && !finding.help().is_empty());
    }
}

/// Takes bytes through every public door.
fn every_door(pieces: &[Vec<u8>]) {
    let whole = pieces.concat();
    for protocol in Protocol::ALL {
        for profile in [Profile::Strict, Profile::Reference, Profile::Schema] {
            let fresh = || {
                let limits = Limits::DEFAULT.with_history(3).with_depth(16).with_event_bytes(4000);
                Checker::builder(protocol).profile(profile).limits(limits).build()
            };
            let mut stream = fresh();
            for piece in pieces {
                look(stream.push(Input::event_bytes(piece)), piece);
            }
            look(stream.finish(), &[]);

            let mut by_itself = fresh();
            // Every type in one profile: what else differs is in the events.
            let asked = |kind: &&String| profile == Profile::Strict || *kind == "Event";
            for kind in protocol.types().iter().filter(asked) {
                look(by_itself.check_as(kind, Input::event_bytes(&whole)).unwrap(), &whole);
            }

            for framing in Framing::ALL {
                let mut stream = StreamChecker::of(fresh(), *framing);
                let mut take = |piece: &[u8]| stream.push(piece).for_each(|found| drop(found.excerpt()));
                for piece in pieces {
                    if *framing == Framing::Sse {
                        take(b"data: ");
                    }
                    take(piece);
                    take(b"\n\n");
                }
                take(&whole);
                stream.finish().for_each(|found| drop(found.excerpt()));
            }
        }
        if let Ok(text) = std::str::from_utf8(&whole) {
            if let Ok(event) = Decoded::from_json(&protocol.clone(), text) {
                let _ = event.to_json();
            }
            let _ = Decoded::from_serde(protocol, text);
            let _ = Json::parse(text).map(|json| (json == Json::from(Value::Null), json.as_string(), json.get("a")));
        }
    }
    for framing in [Framing::Sse, Framing::Ndjson, Framing::Json, Framing::detect(&whole)] {
        let _ = Protocol::detect(&whole, framing);
    }
    social_app_doors(pieces);
    ubik_doors(pieces);
    polling_doors(pieces);
}

/// What a client of Ubik does with bytes, beyond checking them.
fn ubik_doors(pieces: &[Vec<u8>]) {
    use ubik::{ChunkAssembler, ChunkLimits, Event, ToolEvent, split_text};
    let mut assembler = ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_groups(2).with_bytes(4000));
    for text in pieces.iter().filter_map(|piece| std::str::from_utf8(piece).ok()) {
        for tag in ["tool_update", "tool_end", "error_delta_sse", text] {
            let _ = ToolEvent::from_tagged_json(tag, text).map(|event| event.to_sse());
        }
        for chunk in split_text("tool_update", text, "c1", 250).ok().flatten().unwrap_or_default() {
            let _ = assembler.push(&chunk).map(|outcome| outcome.into_rebuilt().map(|rebuilt| rebuilt.event()));
        }
        match Event::from_json(text) {
            Ok(Event::Delta(chunk)) => {
                let outcome = assembler.push(&chunk);
                let _ = outcome.map(|outcome| outcome.into_rebuilt().map(|rebuilt| rebuilt.tool_event()));
            }
            Ok(event) => drop((event.to_sse(), event.timestamp().is_some(), event.is_terminal())),
            Err(_) => {}
        }
    }
    drop((assembler.unfinished(), assembler.held_bytes()));
}

/// What a client of the task API does with bytes, beyond checking them.
fn polling_doors(pieces: &[Vec<u8>]) {
    for text in pieces.iter().filter_map(|piece| std::str::from_utf8(piece).ok()) {
        let _ = polling::PollResponse::from_json(text).map(|response| (response.to_json(), response.events().len()));
        let _ = (polling::CreatedResponse::from_json(text), polling::CancelResponse::from_json(text));
        for tag in ["text_chunk", "tool_start", "error", text] {
            let _ = polling::Event::from_tagged_json(tag, text).map(|event| (event.is_terminal(), event.task_id()));
        }
    }
}

/// What a backend or a client of social-app does with bytes, beyond checking them.
fn social_app_doors(pieces: &[Vec<u8>]) {
    use social_app::{Event, HistoryResponse, ProviderUsage, RunSubscription, Sanitizer, StreamId, ToolCallArgs};
    let mut run = RunSubscription::new("run-001");
    let mut events: Vec<Event> = Vec::new();
    let mut take = |item: Item<'_>| events.extend(run.push(&item).ok().flatten());
    let mut parser = Parser::with_limit(3000);
    for piece in pieces {
        parser.push(b"data: ", &mut take);
        parser.push(piece, &mut take);
        parser.push(b"\n\n", &mut take);
    }
    parser.finish(&mut take);
    for text in pieces.iter().filter_map(|piece| std::str::from_utf8(piece).ok()) {
        let _ = (text.parse::<StreamId>(), Sanitizer::new().sanitize_json(text), HistoryResponse::from_json(text));
        let _ = ToolCallArgs::from_json(text).map(|args| args.call());
        let _ = ProviderUsage::from_json(text).map(|usage| usage.normalize());
        if let Ok(mut event) = Event::from_json(text) {
            let _ = Sanitizer::new().sanitize(&mut event);
            let _ = (event.thread_id(), event.run_id(), event.to_sse(StreamId::new(1, 0)));
            events.push(event);
        }
    }
    let _ = social_app::to_agui(events);
}

/// What happens to the bytes of an event.
#[derive(Clone, Debug)]
enum Edit {
    Flip(Index, u8),
    Remove(Index, Index),
    Insert(Index, &'static [u8]),
    /// Puts a part of the bytes somewhere else once more.
    Splice(Index, Index, Index),
}

/// Bytes that mean something to JSON, UTF-8, SSE or lines.
const SPICES: [&[u8]; 26] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[[[[[[[[",
    b",",
    b":",
    b"-",
    b"1e999",
    b"\0",
    b"\n",
    b"\r\n\r\n",
    b"\\ud800",
    b"\\u",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\xEF\xBB\xBF",
    b"data: ",
    b"\nid: 1-0\n",
    b"\nevent: RUN_STARTED\n",
    b"null",
    b"\"type\":\"CUSTOM\",",
    b"\nevent: tool_update_delta_sse\n",
    b"\"type\":\"tool_update_delta_sse\",\"chunk_index\":4294967295,",
    b"<<TOOL_STEP_START/a:",
    b"{\"success\":true,\"data\":{\"events\":[",
];

impl Edit {
    fn any() -> impl Strategy<Value = Self> {
        let place = any::<Index>;
        prop_oneof![
            (place(), any::<u8>()).prop_map(|(at, bits)| Self::Flip(at, bits)),
            (place(), place()).prop_map(|(from, to)| Self::Remove(from, to)),
            (place(), select(SPICES.to_vec())).prop_map(|(at, bytes)| Self::Insert(at, bytes)),
            (place(), place(), place()).prop_map(|(from, to, at)| Self::Splice(from, to, at)),
        ]
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let place = |at: &Index| at.index(length + 1);
        let range = |from: &Index, to: &Index| place(from).min(place(to))..place(from).max(place(to));
        match self {
            Self::Flip(at, bits) => {
                let at = place(at);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bits);
            }
            Self::Remove(from, to) => drop(bytes.drain(range(from, to))),
            Self::Insert(at, spice) => {
                let at = place(at);
                drop(bytes.splice(at..at, spice.iter().copied()));
            }
            Self::Splice(from, to, at) => {
                let (part, at) = (bytes[range(from, to)].to_vec(), place(at));
                drop(bytes.splice(at..at, part));
            }
        }
    }
}

/// Fixture events of one protocol in disorder, with faults in their bytes.
fn disturbed_events() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let of = |protocol| {
        let samples = crate::common::fixture_events(protocol).into_iter().filter(|sample| sample.text.len() < 1500);
        select(samples.map(|sample| sample.text.into_bytes()).collect::<Vec<_>>())
    };
    let event = prop_oneof![
        of(&Protocol::LIME),
        of(&Protocol::AGUI),
        of(&Protocol::SOCIAL_APP),
        of(&Protocol::UBIK),
        of(&Protocol::POLLING),
    ];
    let disturbed = (event, prop::collection::vec(Edit::any(), 0..4)).prop_map(|(mut bytes, edits)| {
        for edit in &edits {
            edit.apply(&mut bytes);
        }
        bytes
    });
    prop::collection::vec(disturbed, 1..4)
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn arbitrary_bytes_make_nothing_panic(bytes in any::<Vec<u8>>()) {
        every_door(&[bytes]);
    }

    #[test]
    fn disturbed_events_make_nothing_panic(events in disturbed_events()) {
        every_door(&events);
    }
}

/// Attacks that would take a whole process down, each in a process of its own.
#[cfg(all(feature = "cli", unix))]
mod in_a_process {
    use super::RUN_STARTED;

    /// Checks a stream of state deltas within 2 GB of memory.
    fn check(what: &str, deltas: &[String]) {
        let dir = tempfile::tempdir().unwrap();
        let snapshot = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":[1]}}"#;
        let finished = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
        let deltas = deltas.iter().map(|operations| format!(r#"{{"type":"STATE_DELTA","delta":[{operations}]}}"#));
        let lines: Vec<String> =
            [RUN_STARTED, snapshot].map(String::from).into_iter().chain(deltas).chain([finished.into()]).collect();
        std::fs::write(dir.path().join("attack.jsonl"), lines.join("\n")).unwrap();
        let output = assert_cmd::Command::new("sh")
            .args(["-c", r#"ulimit -v 2000000; exec "$0" check attack.jsonl"#])
            .arg(assert_cmd::cargo::cargo_bin!("agent-contracts"))
            .current_dir(dir.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{what}: {:?} {said}", output.status);
    }

    #[test]
    fn patches_neither_fill_the_memory_nor_the_stack() {
        let copy = r#"{"op":"copy","from":"/a","path":"/a/-"}"#;
        check("copies, one an event", &vec![copy.to_owned(); 60]);
        check("copies under an escaped name", &vec![copy.replace("copy", "c\\u006fpy"); 60]);
        check("copies in one event", &[vec![copy; 60].join(",")]);
        // Each copy puts the state into its own innermost object, so its depth doubles.
        let deepen = |times: u32| {
            let path = |time: u32| "/b".repeat(2_usize.pow(time));
            (0..times).map(move |time| format!(r#"{{"op":"copy","from":"","path":"{}"}}"#, path(time)))
        };
        check("deepening copies, one an event", &deepen(17).collect::<Vec<_>>());
        check("deepening copies in one event", &[deepen(17).collect::<Vec<_>>().join(",")]);
        let nested = format!("{}1{}", r#"{"b":"#.repeat(100), "}".repeat(100));
        let deepen =
            |time: usize| format!(r#"{{"op":"add","path":"{}","value":{nested}}}"#, "/b".repeat(100 * time + 1));
        check("deep values put into each other", &(0..300).map(deepen).collect::<Vec<_>>());
    }
}
