//! Bounded memory: what is kept at most, and what is said where something is forgotten.

use crate::common::{Decoded, Failures};
use crate::events::*;
use agent_contracts::check::{Checker, Input, Limits};
use agent_contracts::stream::{Framing, StreamChecker};
use agent_contracts::wire::ErrorKind;
use agent_contracts::{Protocol, lime, social_app};

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

/// Where the texts that are open are forgotten, a secret that goes on in one of them is not found.
#[test]
fn forgotten_texts_are_told() {
    let mut checker = checker(&Protocol::AGUI, Limits::DEFAULT);
    let word = "src/a_word_of_a_path/".repeat(30);
    let mut found: Vec<String> = Vec::new();
    for number in 0..3000 {
        let content = format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m{number}","delta":"{word}"}}"#);
        let start = format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{number}"}}"#);
        for event in [RUN_STARTED, &*start, &*content].into_iter().skip(usize::from(number > 0)) {
            let told = checker.push(Input::event(event)).iter();
            found.extend(told.map(|finding| format!("{}: {}", finding.rule, finding.message)));
        }
    }
    let expected = "input/history-limit: the texts that were open are forgotten from here on; no longer guaranteed: \
                    agui/secret-value across their pieces";
    assert_eq!(found, [expected]);
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
    // said to be missing. Of a list, the bound holds for each event, and the end of one is found up to four times as far.
    let limits = Limits::DEFAULT.with_event_bytes(70);
    let list = events.join(",");
    let read = |protocol, text: &str| {
        let mut document = StreamChecker::of(checker(protocol, limits), Framing::Json);
        let mut found = Vec::new();
        for piece in text.as_bytes().chunks(64) {
            found.extend(document.push(piece).map(|found| found.to_string()));
        }
        found.extend(document.finish().map(|found| found.to_string()));
        (found, document.events())
    };
    for protocol in Protocol::ALL {
        let document = "error[input/too-large]: the document is larger than the limit and was not read; write the \
                        events as a JSON list or as JSON lines";
        assert_eq!(read(protocol, &format!("{{\"events\":[{list}]}}")), (vec![document.to_owned()], 0), "{protocol}");
        let event = "error[input/too-large]: larger than the limit, not read";
        let rest = "error[input/too-large]: larger than the limit; nothing is read from here on";
        assert_eq!(read(protocol, &format!("[{list}]")), (vec![event.to_owned(), rest.to_owned()], 2), "{protocol}");
    }
}

/// A byte that is no text ends a list, however long it is; secrets behind it are found all the same.
#[test]
fn a_list_that_is_no_text() {
    let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
    let [before, behind] = [lime_event(1, ""), lime_event(2, &format!(r#","detail":"{token}""#))];
    let rest = format!("\",{behind}{}]", " ".repeat(10_000));
    let list = [format!("[{before},\"").as_bytes(), b"\xFF", rest.as_bytes()].concat();
    let limits = Limits::DEFAULT.with_event_bytes(before.len());
    for length in [1, 64, list.len()] {
        let mut checked = StreamChecker::of(checker(&Protocol::LIME, limits), Framing::Json);
        let mut found = Vec::new();
        for piece in list.chunks(length) {
            found.extend(checked.push(piece).map(|found| found.rule.id().to_owned()));
        }
        found.extend(checked.finish().map(|found| found.rule.id().to_owned()));
        assert_eq!((found, checked.events()), (vec!["input/not-utf8".to_owned(), "lime/secret-value".to_owned()], 2));
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
    let document = |bytes: usize| format!("{{\"events\":[{event}{}]}}", " ".repeat(bytes - event.len() - 13));
    let (bytes, most) = (event.len(), 16 * event.len());
    let lines = (Framing::Ndjson, format!("{event}\n"));
    let frames = (Framing::Sse, format!("data: {event}\n\n"));
    let limits = Limits::DEFAULT.with_event_bytes(bytes).with_frame_bytes(bytes + 6);
    for (what, (framing, stream), limits, expected) in [
        ("a line", lines.clone(), limits, None),
        ("a line of one more", lines, limits.with_event_bytes(bytes - 1), Some("input/too-large")),
        ("a frame", frames.clone(), limits, None),
        ("a frame of one more", frames, limits.with_frame_bytes(bytes + 5), Some("input/too-large")),
        ("a list", (Framing::Json, format!("[{}{event}]", " ".repeat(17 * bytes))), limits, None),
        ("a document", (Framing::Json, document(most)), limits, None),
        ("a document of one more", (Framing::Json, document(most + 1)), limits, Some("input/too-large")),
    ] {
        for length in [64, stream.len()] {
            let mut checked = StreamChecker::of(checker(&Protocol::LIME, limits), framing);
            let mut found = Vec::new();
            for piece in stream.as_bytes().chunks(length) {
                found.extend(checked.push(piece).map(|found| found.rule.id().to_owned()));
            }
            found.extend(checked.finish().map(|found| found.rule.id().to_owned()));
            assert_eq!(found, Vec::from_iter(expected), "{what} in pieces of {length}");
        }
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
