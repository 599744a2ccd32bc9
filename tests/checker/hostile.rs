//! Hostile input: what is found in it.

use crate::common::{Decoded, Failures};
use crate::events::*;
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Input, Limits};

/// So many members or elements.
const MANY: usize = 100_000;

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
