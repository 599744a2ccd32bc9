//! Whether an event costs the same however many came before it, with one message open and with 100 000.
//!
//! `cargo bench --bench linear`. `EVENTS` is the length of the longest stream. It fails where an event of a long stream
//! costs five times as much as one of a stream of ten thousand.

#![allow(clippy::print_stdout, reason = "the table is what it is run for")]

use std::time::Instant;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Limits};
use agent_contracts::stream::{Framing, StreamChecker};

const PIECE: usize = 64 * 1024;

fn main() {
    let most = std::env::var("EVENTS").ok().and_then(|events| events.parse().ok()).unwrap_or(10_000_000);
    println!("| messages open | events | nanoseconds an event |");
    println!("| ---: | ---: | ---: |");
    for open in [1, 100_000] {
        // Turn by turn through the messages. All lines have the same length.
        let turns = open.max(10_000);
        let contents: String = (0..turns).map(|at| line(at % open, "CONTENT", r#","delta":"a word""#)).collect();
        let mut flat = f64::INFINITY;
        for events in (3..).map(|power| 10_usize.pow(power)).take_while(|events| *events <= most) {
            let mut checker = begun(open);
            let mut left = events;
            let start = Instant::now();
            while left > 0 {
                let lines = left.min(turns);
                push(&mut checker, &contents[..lines * (contents.len() / turns)]);
                left -= lines;
            }
            let cost = start.elapsed().as_secs_f64() * 1e9 / events as f64;
            println!("| {open} | {events} | {cost:.0} |");
            if events == 10_000 {
                flat = cost;
            }
            assert!(cost < 5.0 * flat, "the cost grows with the stream");
        }
    }
}

fn line(message: usize, what: &str, rest: &str) -> String {
    format!(r#"{{"type":"TEXT_MESSAGE_{what}","messageId":"message-{message:08}"{rest}}}"#) + "\n"
}

/// A checker of a run with so many messages open.
fn begun(open: usize) -> StreamChecker {
    let limits = Limits::DEFAULT.with_history(1 << 17);
    let mut checker = StreamChecker::of(Checker::builder(Protocol::AGUI).limits(limits).build(), Framing::Ndjson);
    push(&mut checker, "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n");
    let starts: String = (0..open).map(|message| line(message, "START", r#","role":"assistant""#)).collect();
    push(&mut checker, &starts);
    checker
}

fn push(checker: &mut StreamChecker, text: &str) {
    for piece in text.as_bytes().chunks(PIECE) {
        assert!(checker.push(piece).is_empty(), "the stream is clean");
    }
}
