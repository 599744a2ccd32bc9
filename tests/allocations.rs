//! After a warm-up, checking clean input allocates nothing, event after event.
//!
//! Counting allocations takes an allocator of one's own, and that takes `unsafe`: the
//! crate's lint `unsafe_code` has to be `deny` and not `forbid` for this file to compile.
#![allow(unsafe_code, reason = "an allocator cannot be written without it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Input, Limits};
use agent_contracts::stream::{Framing, StreamChecker};

struct Counting;

thread_local! {
    /// Each thread counts for itself, since tests run side by side.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// The bytes that are in use.
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    // A thread that ends may allocate when its counters are gone.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
    let _ = LIVE.try_with(|live| live.set(live.get() + bytes));
}

fn freed(bytes: usize) {
    let _ = LIVE.try_with(|live| live.set(live.get() - bytes as i64));
}

// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations the work takes on this thread.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

const WARM_UP: usize = 8_192;
const COUNTED: usize = 20_000;

/// One turn of a long answer, every event with an id of its own.
fn lime_lines() -> Vec<String> {
    let line = |number: usize| {
        let (class, kind, rest) = match number {
            0 => ("turn.started", "state", String::new()),
            _ => ("model.delta", "model", format!(r#","payload":{{"messageId":"msg_1","delta":"word {number:05}"}}"#)),
        };
        format!(
            r#"{{"id":"evt_{number:08}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"app-server","threadId":"thread_1","turnId":"turn_1","kind":"{kind}","status":"running","eventClass":"{class}","sequence":{number},"title":"Assistant text","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
        )
    };
    (0..WARM_UP + COUNTED).map(line).collect()
}

/// One run with one open text message.
fn agui_lines() -> Vec<String> {
    let mut lines = vec![
        r#"{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1"}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"msg-1","role":"assistant"}"#.to_owned(),
    ];
    let piece = |number| format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-1","delta":"word {number} "}}"#);
    lines.extend((lines.len()..WARM_UP + COUNTED).map(piece));
    lines
}

/// Runs of one thread that answer at once. What a run opens is kept until it is closed, and
/// to keep something takes an allocation; these open nothing.
fn social_app_lines() -> Vec<String> {
    let line = |number: usize| {
        let (kind, rest) = match number % 3 {
            0 => ("RUN_STARTED", ""),
            1 => (
                "TEXT_MESSAGE_END",
                r#","role":"assistant","stage":"worker","status":"success","answer":"Your day is free.","suggested_actions":[],"error":null,"totalTokens":876,"costSource":"provider","usageComplete":true"#,
            ),
            _ => ("RUN_FINISHED", ""),
        };
        let run = number / 3;
        let answer = if rest.is_empty() { String::new() } else { format!(r#","messageId":"msg-{run:06}"{rest}"#) };
        format!(r#"{{"type":"{kind}","threadId":"thread-1","runId":"run-{run:06}"{answer}}}"#)
    };
    (0..WARM_UP + COUNTED).map(line).collect()
}

/// One task of a session with one step, whose text goes on and on.
fn ubik_lines() -> Vec<String> {
    let task = r#""task_id":"e82b5f07-4a6c-4d19-b053-7f91c8d2e64a""#;
    let time = r#""timestamp":"2026-03-12T14:02:11.120Z""#;
    let mut lines = vec![
        format!(
            r#"{{"type":"connection_established","session_id":"6f1c2a94-0b7d-4e35-9a18-c4d25e7f3b60","connection_id":"b3e07d58-91f4-4c2a-8d6b-1a5f90c37e24",{task}}}"#
        ),
        format!(r#"{{"type":"agent_processing_started",{task},{time}}}"#),
        format!(
            r#"{{"type":"response_stream_start","message_id":"c5d98e31-2f70-4ab6-8e14-96b0a7d3f258",{task},{time}}}"#
        ),
        format!(r#"{{"type":"agent_step_started","step":1,"description":"Answer","single_step_agent":true,{time}}}"#),
    ];
    let piece = |number| format!(r#"{{"type":"response_chunk","content":"word {number} ","step":1,{time}}}"#);
    lines.extend((lines.len()..WARM_UP + COUNTED).map(piece));
    lines
}

/// One task of the task API with one open block of text.
fn polling_lines() -> Vec<String> {
    let line = |idx: usize| {
        let (kind, rest) = match idx {
            0 => ("ai_message_start", String::new()),
            1 => ("text_start", String::new()),
            _ => {
                let index = idx - 1;
                ("text_chunk", format!(r#""content":"word {idx} ","index":{index},"elapsed":0.031,"#))
            }
        };
        format!(
            r#"{{"idx":{idx},"type":"{kind}","data":{{{rest}"task_id":"8d0c1b1e-4f2a-4c6e-9b3d-2f7a5c1e0a64","conversation_id":"conv_20260214_093000_417","workspace_id":"ws_orders"}},"ts":1771061400.125}}"#
        )
    };
    (0..WARM_UP + COUNTED).map(line).collect()
}

/// A checker whose history is full long before the warm-up ends, and the text that it keeps
/// as long as it can.
fn checker(protocol: &Protocol) -> Checker {
    let mut limits = Limits::DEFAULT.with_history(1024);
    limits.text_bytes = 16 * 1024;
    Checker::builder(protocol).limits(limits).build()
}

/// Reports that memory is full are said in the warm-up; nothing else may be found.
fn warm_up(checker: &mut Checker, lines: &[String]) {
    for line in lines {
        for finding in checker.push(Input::event(line)) {
            assert_eq!(finding.rule.id(), "input/history-limit", "{line}");
        }
    }
}

#[test]
fn events() {
    for (protocol, lines) in [
        (Protocol::LIME, lime_lines()),
        (Protocol::AGUI, agui_lines()),
        (Protocol::SOCIAL_APP, social_app_lines()),
        (Protocol::UBIK, ubik_lines()),
        (Protocol::POLLING, polling_lines()),
    ] {
        let mut checker = checker(&protocol.clone());
        let (before, counted) = lines.split_at(WARM_UP);
        warm_up(&mut checker, before);
        let mut findings = 0;
        let allocations = allocations(|| {
            for line in counted {
                findings += checker.push(Input::event(line)).len();
            }
        });
        assert_eq!((findings, allocations), (0, 0), "{protocol}");
        assert_eq!(checker.events(), lines.len() as u64);
    }
}

#[test]
fn lines_in_pieces() {
    let lines = lime_lines();
    let mut checker = checker(&Protocol::LIME);
    let (before, counted) = lines.split_at(WARM_UP);
    warm_up(&mut checker, before);
    let stream = counted.join("\n") + "\n";
    // Pieces of a prime size, so that lines are cut everywhere; the first ones size the buffers.
    let pieces: Vec<&[u8]> = stream.as_bytes().chunks(4099).collect();
    let mut stream_checker = StreamChecker::of(checker, Framing::Ndjson);
    let mut findings = 0;
    let mut push = |piece: &[u8]| findings += stream_checker.push(piece).len();
    pieces[..64].iter().for_each(|piece| push(piece));
    let allocations = allocations(|| pieces[64..].iter().for_each(|piece| push(piece)));
    assert_eq!((findings, allocations), (0, 0));
}

#[test]
fn frames_in_pieces() {
    let lines = agui_lines();
    let mut checker = checker(&Protocol::AGUI);
    let (before, counted) = lines.split_at(WARM_UP);
    warm_up(&mut checker, before);
    let frames: Vec<String> = counted.iter().map(|line| format!("data: {line}\n\n")).collect();
    let stream = frames.concat();
    let pieces: Vec<&[u8]> = stream.as_bytes().chunks(4099).collect();
    let mut stream_checker = StreamChecker::of(checker, Framing::Sse);
    let mut findings = 0;
    let mut push = |piece: &[u8]| findings += stream_checker.push(piece).len();
    pieces[..64].iter().for_each(|piece| push(piece));
    let allocations = allocations(|| pieces[64..].iter().for_each(|piece| push(piece)));
    assert_eq!((findings, allocations), (0, 0));
}

/// A service has many streams, and most of them are idle.
#[test]
fn an_idle_stream_keeps_little_also_after_a_large_frame() {
    let large = format!("data: {{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":\"{}\"}}\n\n", "x ".repeat(4_000_000));
    for protocol in Protocol::ALL {
        let make = || StreamChecker::of(Checker::new(protocol), Framing::Sse);
        // What is made once for all streams.
        make().push(large.as_bytes());
        let before = LIVE.get();
        let mut stream = make();
        stream.push(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n");
        stream.push(large.as_bytes());
        stream.shrink_to_fit();
        let idle = LIVE.get() - before + size_of::<StreamChecker>() as i64;
        assert!(idle <= 4 * 1024, "{protocol}: {idle} bytes");
    }
}

/// So many streams are open at once.
const STREAMS: usize = if cfg!(debug_assertions) { 10_000 } else { 100_000 };

/// What a stream of a service keeps on average while something is open in it, in bytes; as the
/// documentation of `StreamChecker` says.
const OPEN: i64 = 8 * 1024;

/// A service has very many streams at once, each in its middle: of a message of which a part has
/// come, and of a frame that is cut.
#[test]
fn a_hundred_thousand_streams_are_open_at_once() {
    let sse = |line: &String| format!("data: {line}\n\n");
    let ndjson = |line: &String| format!("{line}\n");
    let stream = |protocol: Protocol, lines: Vec<String>, framing: Framing| {
        let framed: String = match framing {
            Framing::Sse => lines.iter().take(5).map(sse).collect(),
            _ => lines.iter().take(5).map(ndjson).collect(),
        };
        let (head, rest) = framed.split_at(framed.len() - 20);
        (protocol, framing, head.to_owned(), rest.to_owned())
    };
    let streams = [
        stream(Protocol::AGUI, agui_lines(), Framing::Sse),
        stream(Protocol::SOCIAL_APP, social_app_lines(), Framing::Ndjson),
        stream(Protocol::UBIK, ubik_lines(), Framing::Sse),
        stream(Protocol::POLLING, polling_lines(), Framing::Ndjson),
        stream(Protocol::LIME, lime_lines(), Framing::Ndjson),
    ];
    let begin = |number: usize| {
        let (protocol, framing, head, _) = &streams[number % streams.len()];
        let mut stream = StreamChecker::of(Checker::new(protocol), *framing);
        let found = stream.push(head.as_bytes()).len();
        assert_eq!(found, 0, "{protocol}");
        stream.shrink_to_fit();
        stream
    };
    // What is made once for all streams.
    (0..streams.len()).for_each(|number| drop(begin(number)));
    let before = LIVE.get();
    let mut open: Vec<StreamChecker> = Vec::with_capacity(STREAMS);
    open.extend((0..STREAMS).map(begin));
    let held = (LIVE.get() - before) / STREAMS as i64;
    assert!(held <= OPEN, "{held} bytes a stream");
    // Every one goes on where it was.
    for (stream, (protocol, _, _, rest)) in open.iter_mut().zip(streams.iter().cycle()) {
        assert_eq!(stream.push(rest.as_bytes()).len(), 0, "{protocol}");
        assert_eq!(stream.events(), 5, "{protocol}");
    }
    drop(open);
    let left = LIVE.get() - before;
    assert!(left < 64 * 1024, "{left} bytes are left");
}
