//! The command line reads a long recording in little memory, also one that was made to do harm.
#![cfg(all(feature = "cli", target_os = "linux"))]

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// A command to check with in place of the one that is built with the tests. As it is released it is fast enough for
/// the whole of each stream; otherwise a part is sent.
static RELEASED: LazyLock<Option<OsString>> = LazyLock::new(|| std::env::var_os("AGENT_CONTRACTS"));

/// So many bytes of a recording.
fn bytes() -> usize {
    if RELEASED.is_some() { 100_000_000 } else { 10_000_000 }
}

/// So many events of a hostile stream.
fn events() -> usize {
    if RELEASED.is_some() { 1_000_000 } else { 50_000 }
}

/// The most that may be resident, in KiB.
const RESIDENT: usize = 64 * 1024;

/// The same where a stream fills all that the checker remembers.
const RESIDENT_FULL: usize = 96 * 1024;

/// Checks lines that come through a pipe; gives the most that was resident, in KiB, the exit
/// status, and what was said at the end.
fn check(protocol: &str, lines: impl Iterator<Item = String>) -> (usize, Option<i32>, String) {
    let command = RELEASED.as_deref().unwrap_or(OsStr::new(env!("CARGO_BIN_EXE_agent-contracts")));
    let mut child = Command::new(command)
        .args(["check", "--protocol", protocol, "--format", "json", "-"])
        .stdin(Stdio::piped())
        // There may be more findings than a pipe holds.
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut piece = String::new();
    for line in lines {
        piece += &line;
        piece.push('\n');
        if piece.len() >= 64 * 1024 {
            input.write_all(piece.as_bytes()).unwrap();
            piece.clear();
        }
    }
    input.write_all(piece.as_bytes()).unwrap();
    // Everything but what is still in the pipe has been checked now.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().trim_end_matches(" kB").parse().unwrap();
    (peak, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_long_recording_is_checked_in_little_memory() {
    is_checked_in_little_memory("", None);
}

#[test]
fn a_long_list_is_checked_in_little_memory() {
    is_checked_in_little_memory(",", Some("]"));
}

/// A recording of events with something before each but the first, which opens a list if that is ended.
fn is_checked_in_little_memory(before: &str, end: Option<&str>) {
    let (mut written, mut sequence) = (0, 0);
    let events = std::iter::from_fn(|| {
        sequence += 1;
        let before = if sequence == 1 && end.is_some() { "[" } else { before };
        let line = before.to_owned()
            + &format!(
                r#"{{"id":"evt_{sequence}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","threadId":"t","turnId":"turn_{}","eventClass":"model.delta","kind":"model","status":"running","sequence":{sequence},"title":"Text","createdAt":"2026-06-10T08:00:00.000Z","payload":{{"messageId":"m","delta":"some text"}}}}"#,
                sequence / 100,
            );
        written += line.len();
        (written < bytes()).then_some(line)
    });
    let (peak, status, summary) = check("lime", events.chain(end.map(str::to_owned)));
    assert_eq!(status, Some(0), "{summary}");
    // The last one was made and not sent.
    assert!(summary.contains(&format!("checked {} events", sequence - 1)), "{summary}");
    assert!(peak < RESIDENT, "{peak} KiB were resident");
}

/// What somebody may send to fill the memory of who checks it: the event of a number.
type Hostile = (&'static str, fn(usize) -> String);

/// The first events of a session; what follows them.
fn session(number: usize, then: impl FnOnce() -> String) -> String {
    match number {
        0 => r#"{"type":"connection_established","session_id":"s","connection_id":"c","task_id":"t"}"#.into(),
        1 => r#"{"type":"agent_processing_started","task_id":"t","timestamp":"2026-03-12T14:02:11Z"}"#.into(),
        2 => r#"{"type":"response_stream_start","message_id":"m","task_id":"t","timestamp":"2026-03-12T14:02:11Z"}"#
            .into(),
        _ => then(),
    }
}

fn fragment(group: &str, index: usize, total: u64) -> String {
    let data = r#"{\"type\":\"tool_update\",\"tool_execution_id\":\"call_7Hq2mVx0Lr9TzKd4\","#;
    format!(
        r#"{{"type":"tool_update_delta_sse","chunk_id":"{group}","chunk_index":{index},"total_chunks":{total},"original_event_type":"tool_update","chunk_data":"{data}"}}"#
    )
}

/// The event of a session of a number, and the further members of it. None is equal to
/// another, since what comes again is passed over.
fn ubik(number: usize, kind: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}",{rest},"timestamp":"2026-03-12T14:02:11.{number:07}Z"}}"#)
}

const UBIK: &[Hostile] = &[
    ("groups of fragments that are never whole", |number| {
        session(number, || fragment(&format!("8a2f64c7-b019-4d5e-93a8-{number:012x}"), 0, 3))
    }),
    ("fragments of events that claim to have four thousand million", |number| {
        session(number, || fragment(&format!("8a2f64c7-b019-4d5e-93a8-{:012x}", number % 7), number, 1 << 32))
    }),
    ("one event in fragments without end", |number| session(number, || fragment("one", number, 1 << 32))),
    ("tags that are never closed, in pieces", |number| {
        let piece =
            ["<<STEP_START>>", "<<TOOL_STEP_START/web_search:", "<<thinking>>", "<", "<TOOL_STEP_INP"][number % 5];
        session(number, || ubik(number, "response_chunk", &format!(r#""content":"{piece}""#)))
    }),
    ("tags that are never closed, in whole texts", |number| {
        if number % 1000 == 0 {
            let tags = "<<STEP_START>>\\n<<TOOL_STEP_START/a:b>>\\n<<TOOL_STEP_INPUT_START>>".repeat(100);
            return session(number, || {
                let ids = r#""message_id":"c5d98e31-2f70-4ab6-8e14-96b0a7d3f258","parent_id":"p""#;
                ubik(number, "agent_response_update", &format!(r#"{ids},"content":"{tags}""#))
            });
        }
        session(number, || ubik(number, "response_chunk", r#""content":"<<INPUT_REQUIRED_START>>""#))
    }),
    ("tools, steps and checkpoints, each once", |number| {
        session(number, || match number % 3 {
            0 => ubik(
                number,
                "tool_update",
                &format!(r#""tool_execution_id":"call_{number:016x}","tool_name":"n","data":{{}}"#),
            ),
            1 => ubik(
                number,
                "agent_step_started",
                &format!(r#""step":{number},"description":"d","single_step_agent":false"#),
            ),
            _ => format!(
                r#"{{"type":"checkpoint_created","checkpoint_name":"checkpoint_{number:016x}","created_at":"2026-03-12T14:02:11.{number:07}Z"}}"#
            ),
        })
    }),
];

/// The envelope of a number; its payload has the ids of its scope as well.
fn envelope(idx: usize, kind: &str, rest: &str) -> String {
    format!(
        r#"{{"idx":{idx},"type":"{kind}","data":{{{rest}"task_id":"t","conversation_id":"c","workspace_id":"w"}},"ts":1771061400.125}}"#
    )
}

const POLLING: &[Hostile] = &[
    ("tools that never end", |number| match number {
        0 => envelope(0, "ai_message_start", ""),
        _ if number % 2 == 1 => envelope(
            number,
            "tool_preparing",
            &format!(r#""id":"call_{number:016x}","name":"n","message":"m","intent":null,"#),
        ),
        _ => envelope(
            number,
            "tool_start",
            &format!(
                r#""id":"tool_{number:016x}","name":"n","arguments":{{}},"preparing_id":"call_{:016x}","monitor_snapshot":null,"#,
                number - 1
            ),
        ),
    }),
    ("a text that never ends", |number| match number {
        0 => envelope(0, "ai_message_start", ""),
        1 => envelope(1, "text_start", ""),
        _ => envelope(
            number,
            "text_chunk",
            &format!(r#""content":"some more of it, and more","index":{},"elapsed":0.1,"#, number - 1),
        ),
    }),
    ("questions that nobody answers", |number| {
        if number == 0 {
            return envelope(0, "ai_message_start", "");
        }
        let question = format!(
            r#"{{"question_id":"question_{number:016x}","batch_id":"batch_{number}","batch_index":0,"batch_total":1,"question":"q","context":"c","options":[],"status":"pending","created_at":"a","answered_at":null,"answer":null}}"#
        );
        envelope(
            number,
            "user_questions_required",
            &format!(r#""batch_id":"batch_{number}","questions":[{question}],"#),
        )
    }),
    ("polls without end", |number| {
        let event = match number {
            0 => envelope(0, "ai_message_start", ""),
            _ => envelope(number, "system_message", r#""content":"more","#),
        };
        format!(
            r#"{{"success":true,"data":{{"task_id":"t","workspace_id":"w","status":"running","created_at":1771061400.0,"updated_at":1771061400.5,"error":null,"events":[{event}],"next_offset":{}}}}}"#,
            number + 1
        )
    }),
];

#[test]
fn hostile_streams_are_checked_in_little_memory() {
    let events = events();
    for (protocol, rows) in [("ubik", UBIK), ("polling", POLLING)] {
        for (what, event) in rows {
            let (peak, status, summary) = check(protocol, (0..events).map(event));
            assert!(matches!(status, Some(0 | 1)), "{protocol}, {what}: {status:?} {summary}");
            assert!(summary.contains(&format!("checked {events} events")), "{protocol}, {what}: {summary}");
            assert!(peak < RESIDENT_FULL, "{protocol}, {what}: {peak} KiB were resident");
        }
    }
}

/// Events around a payload, of which a hostile one is as long as an event may be.
const AROUND: &[(&str, &str, &str)] = &[
    ("agui", r#"{"type":"CUSTOM","name":"n","value":["#, "]}"),
    (
        "social-app",
        r#"{"type":"TOOL_CALL_RESULT","threadId":"t","runId":"r","messageId":"m","toolCallId":"c","toolCallName":"n","result":["#,
        "]}",
    ),
    (
        "ubik",
        r#"{"type":"tool_update","tool_execution_id":"call_1","tool_name":"n","timestamp":"2026-03-12T14:02:11Z","data":{"a":["#,
        "]}}",
    ),
    (
        "polling",
        r#"{"idx":0,"type":"tool_start","ts":1771061400.125,"data":{"id":"c","name":"n","task_id":"t","arguments":{"a":["#,
        "]}}}",
    ),
    (
        "lime",
        r#"{"id":"e","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","eventClass":"tool.progress","kind":"tool","status":"running","sequence":1,"title":"t","createdAt":"2026-06-10T08:00:00.000Z","toolCallId":"c","payload":{"a":["#,
        "]}}",
    ),
];

#[test]
fn a_large_event_full_of_secrets_is_checked_in_little_memory() {
    for (protocol, before, after) in AROUND {
        for element in [r#"{"password":"x"}"#, r#"[[{"a":[{"token":"x"}]}]]"#, r#""Bearer eyJhbGciOi1234567""#, "{}"] {
            let payload = vec![element; bytes() * 15 / 100 / (element.len() + 1)].join(",");
            let (peak, status, summary) = check(protocol, [format!("{before}{payload}{after}")].into_iter());
            assert!(matches!(status, Some(0 | 1)), "{protocol}, {element}: {status:?} {summary}");
            assert!(summary.contains("checked 1 event"), "{protocol}, {element}: {summary}");
            assert!(peak < RESIDENT_FULL, "{protocol}, {element}: {peak} KiB were resident");
        }
    }
}

#[test]
fn a_large_text_of_tags_is_checked_in_little_memory() {
    for kind in ["agent_response_update", "agent_processing_complete"] {
        for tags in ["<<STEP_START>>", "<<thinking>>a<</thinking>>", "<<TOOL_STEP_START/a:b>>"] {
            let content = tags.repeat(bytes() * 15 / 100 / tags.len());
            let event = ubik(0, kind, &format!(r#""message_id":"m","parent_id":"p","content":"{content}""#));
            let (peak, status, summary) = check("ubik", std::iter::once(event));
            assert!(matches!(status, Some(0 | 1)), "{kind}, {tags}: {status:?} {summary}");
            assert!(peak < RESIDENT_FULL, "{kind}, {tags}: {peak} KiB were resident");
        }
    }
}
