//! Fixtures and recordings show by their first events which protocol they are of.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::Failures;
use agent_contracts::Protocol;
use agent_contracts::stream::{Framing, HEAD_BYTES};

/// Fixtures that show something else than their protocol: what they show. A second protocol
/// behind a comma fits as well.
const OTHERWISE: &[(&str, &str)] = &[("agui/invalid/empty-stream", "nothing")];

/// What the head of a stream shows.
fn shown(stream: &[u8], framing: Framing) -> String {
    let head = &stream[..stream.len().min(HEAD_BYTES)];
    match Protocol::detect(head, framing) {
        None => "nothing".to_owned(),
        Some(found) => match found.tied_with {
            None => found.protocol.id().to_owned(),
            Some(other) => format!("{}, {other}", found.protocol),
        },
    }
}

/// Every stream of a protocol's fixtures and recordings, by its path below `fixtures`
/// without the ending.
fn streams(protocol: &Protocol) -> BTreeMap<String, (Vec<u8>, Framing)> {
    let fixtures = crate::common::repository().join("fixtures");
    let dir = fixtures.join(protocol.id());
    let name = |path: &Path| {
        let below = path.strip_prefix(&fixtures).unwrap().with_extension("");
        below.to_string_lossy().replace('\\', "/")
    };
    let mut found = BTreeMap::new();
    for folder in ["valid", "invalid"] {
        for path in crate::common::files(&dir.join(folder), ".json") {
            found.extend(crate::common::fixture_stream(&path).map(|stream| (name(&path), stream)));
        }
    }
    for (ending, framing) in [(".sse", Framing::Sse), (".jsonl", Framing::Ndjson)] {
        for path in crate::common::files(&dir.join("streams"), ending) {
            found.insert(name(&path), (std::fs::read(&path).unwrap(), framing));
        }
    }
    found
}

#[test]
fn every_stream_shows_its_protocol() {
    let mut failures = Failures::default();
    let mut listed: Vec<&str> = OTHERWISE.iter().map(|(name, _)| *name).collect();
    for protocol in Protocol::ALL {
        for (name, (bytes, framing)) in streams(protocol) {
            let otherwise = OTHERWISE.iter().find(|(other, _)| *other == name);
            listed.retain(|other| *other != name);
            let (expected, found) = (otherwise.map_or(protocol.id(), |(_, found)| *found), shown(&bytes, framing));
            failures.check(found == expected, || format!("{name} shows {found}, not {expected}"));
        }
    }
    failures.check(listed.is_empty(), || format!("there are no streams {listed:?}"));
    failures.finish(850);
}

/// The order in which protocols are asked does not decide: each stream is of one protocol
/// alone, apart from those of a dialect.
#[test]
fn no_stream_is_taken_for_one_of_two() {
    let mut failures = Failures::default();
    for protocol in Protocol::ALL {
        for (name, (bytes, framing)) in streams(protocol) {
            let others: Vec<Protocol> = Protocol::ALL.iter().filter(|other| *other != protocol).cloned().collect();
            let found = agent_contracts::stream::detect(&bytes, framing, &others).map(|found| found.protocol);
            let dialect = [Protocol::AGUI, Protocol::SOCIAL_APP];
            let is_dialect = dialect.contains(protocol) && found.as_ref().is_some_and(|found| dialect.contains(found));
            failures.check(found.is_none() || is_dialect, || format!("{name} could be of {}", found.unwrap()));
        }
    }
    failures.finish(850);
}

/// Values that are not of a protocol by themselves, and what they are taken for.
#[test]
fn events_that_look_alike_are_told_apart() {
    for (lines, expected) in [
        // The same name of a type, in an envelope and beside the members of the event.
        (r#"{"idx":0,"type":"error","data":{"message":"m"},"ts":1771061400.5}"#, "polling"),
        ("event: error\ndata: {\"message\":\"m\",\"code\":\"c\"}\n\n", "ubik"),
        (r#"{"type":"RUN_ERROR","message":"m"}"#, "agui"),
        (r#"{"type":"tool_update","tool_execution_id":"e","tool_name":"n","data":{},"timestamp":"t"}"#, "ubik"),
        (r#"{"idx":4,"type":"update_action","data":{"id":"i"},"ts":1771061400}"#, "polling"),
        (r#"{"type":"anything_delta_sse","chunk_id":"c"}"#, "ubik"),
        (r#"{"type":"tool_update_delta_sse","chunk_id":"c"}"#, "ubik"),
        (r#"{"success":true,"data":{"task_id":"t","status":"running","events":[],"next_offset":0}}"#, "polling"),
        (r#"{"from":3,"response":{"success":true,"data":{"task_id":"t","events":[],"next_offset":3}}}"#, "polling"),
        (r#"{"success":false}"#, "nothing"),
        // Frames of a tool without their names.
        ("data: {\"phase\":\"RETRIEVAL\",\"status\":\"completed\"}\n\n", "ubik"),
        ("data: {\"content\":\"a\",\"output_key\":\"response\"}\n\n", "ubik"),
        ("data: {\"execution_id\":\"e\",\"response\":\"a\"}\n\n", "ubik"),
        ("data: {\"content\":\"a\"}\n\n", "nothing"),
        // The notation of older servers.
        (r#"{"event_type":"tool_log","data":{"message":"m"}}"#, "ubik"),
    ] {
        let framing = if lines.starts_with('{') { Framing::Ndjson } else { Framing::Sse };
        assert_eq!(shown(lines.as_bytes(), framing), expected, "{lines}");
    }
}

/// A type that is nearly one of AG-UI's, or of the backend's own, is no sign of another protocol.
#[test]
fn one_strange_type_does_not_change_the_protocol() {
    let frame =
        |kind: &str| format!("event: {kind}\ndata: {{\"type\":\"{kind}\",\"runId\":\"r\",\"threadId\":\"t\"}}\n\n");
    for strange in ["step.start", "RunFinished", "run.error", "tool_call_start"] {
        let stream: String = ["RUN_STARTED", "STEP_STARTED", strange, "STEP_FINISHED"].map(frame).concat();
        assert_eq!(shown(stream.as_bytes(), Framing::Sse), "social-app", "{strange}");
    }
    // A fixture that has lost its version.
    assert_eq!(shown(br#"{"id":"f","title":"t","events":[],"expected":{}}"#, Framing::Json), "lime");
}

/// The bounds are documented: 32 events, 64 KiB, and of an event 64 members.
#[test]
fn what_lies_behind_the_head_shows_nothing() {
    let event = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let others = |count: usize| "{\"a\":1}\n".repeat(count);
    let members = |count: usize| (0..count).map(|number| format!("\"m{number}\":1,")).collect::<String>();
    let blank = |width: usize| " ".repeat(width - event.len() - 2) + "\n";
    for (what, stream, expected) in [
        ("the 32nd event", others(31) + event + "\n", "agui"),
        ("the 33rd event", others(32) + event + "\n", "nothing"),
        ("the last of 64 KiB", blank(HEAD_BYTES) + event + "\n", "agui"),
        ("the 64th member", format!("{{{}{}\n", members(63), &event[1..]), "agui"),
        ("the 65th member", format!("{{{}{}\n", members(64), &event[1..]), "nothing"),
    ] {
        assert_eq!(shown(stream.as_bytes(), Framing::Ndjson), expected, "{what}");
    }
    let behind = " ".repeat(HEAD_BYTES - 1) + "\n" + event;
    assert_eq!(Protocol::detect(behind.as_bytes(), Framing::Ndjson), None, "what begins behind 64 KiB");
}

/// An answer to a poll shows what it is in any order of its members, also where the head cuts it off; not every JSON that
/// has events or a task is one.
#[test]
fn answers_to_polls_are_told_from_other_json() {
    let long = "x".repeat(HEAD_BYTES / 2);
    let events = [0, 1, 2]
        .map(|idx| format!(r#"{{"data":{{"content":"{long}"}},"idx":{idx},"ts":1771061400.5,"type":"text_chunk"}}"#))
        .join(",");
    for (answer, expected) in [
        (format!(r#"{{"data":{{"created_at":1.5,"events":[{events}],"next_offset":1}},"success":true}}"#), "polling"),
        (format!(r#"{{"response":{{"data":{{"events":[{events}]}},"success":true}},"from":0}}"#), "polling"),
        (
            format!(r#"{{"data":{{"created_at":1.5,"events":[{{"data":{{"content":"{long}{long}"}},"idx":0}}]}}}}"#),
            "polling",
        ),
        (r#"{"success":"true","data":{"task_id":"t","events":[],"next_offset":0}}"#.to_owned(), "polling"),
        (r#"{"data":{"events":[{"name":"Concert"}]}}"#.to_owned(), "nothing"),
        (r#"{"openapi":"3.0","response":{"data":{"events":[]}}}"#.to_owned(), "nothing"),
        (r#"{"code":0,"data":{"task_id":"abc","status":"done"}}"#.to_owned(), "nothing"),
        (r#"{"event":"tool_update","data":{"task_id":"t","next_offset":1}}"#.to_owned(), "ubik"),
    ] {
        let head = &answer.as_bytes()[..answer.len().min(HEAD_BYTES)];
        assert_eq!(shown(head, Framing::Json), expected, "{}", &answer[..answer.len().min(80)]);
    }
}

/// A head that ends within a character shows as much as any other.
#[test]
fn a_head_may_end_within_a_character() {
    let first = r#"{"idx":0,"type":"ai_message_start","data":{},"ts":1771061400.5}"#;
    for shift in 0..3 {
        let text = "x".repeat(shift) + &"界".repeat(HEAD_BYTES / 2);
        let second = format!(r#"{{"idx":1,"type":"system_message","data":{{"content":"{text}"}},"ts":1771061400.5}}"#);
        assert_eq!(shown(format!("[{first},{second}]").as_bytes(), Framing::Json), "polling", "{shift}");
    }
}
