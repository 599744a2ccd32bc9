//! The instructions that the strict check takes for an event, held against those of `instructions.txt`: times are noisy,
//! these are not.
//!
//! `cargo bench --bench instructions` fails where an event takes a tenth more than it did. `RECORD=1` writes the file
//! anew, and `STREAM` is as in the other benches. Where nothing counts instructions, it says so and holds nothing.

#![allow(clippy::print_stdout, reason = "the table is what it is run for")]

#[path = "counter/mod.rs"]
mod counter;
#[allow(dead_code, reason = "shared with the other benches")]
#[path = "streams/mod.rs"]
mod streams;

use std::process::ExitCode;
use std::{env, fs};

use counter::Counter;
use streams::{Contender, Stream};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

/// What differs from one compiler, C library or processor to another.
const ALLOWED: f64 = 1.1;

/// What is long is read by fewer instructions then.
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn main() -> ExitCode {
    // Cargo adds one of its own.
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [stream, passes] = &arguments[..] {
        let stream = Stream::named(stream, streams::SHORT).next().expect("the stream is one of the benches");
        (0..passes.parse().expect("the passes are a number")).for_each(|_: u32| Contender::CheckStrict.run(&stream));
        return ExitCode::SUCCESS;
    }
    let Some(counter) = Counter::find() else {
        println!("skipped: neither perf nor valgrind counts instructions here");
        return ExitCode::SUCCESS;
    };
    let before = fs::read_to_string(FILE).unwrap_or_default();
    let head = format!("Instructions an event, {}{}:", env::consts::ARCH, if has_avx2() { " with AVX2" } else { "" });
    let is_recorded = env::var_os("RECORD").is_some();
    let wanted = env::var("STREAM").unwrap_or_default();
    assert!(!is_recorded || wanted.is_empty(), "RECORD writes all streams, so it does not go with STREAM");
    if !is_recorded && before.lines().next() != Some(&head) {
        println!("skipped: instructions.txt is of another processor");
        return ExitCode::SUCCESS;
    }
    let known = |stream: &str| -> Option<f64> {
        let line = before.lines().find_map(|line| line.strip_prefix(stream)?.strip_prefix(": "));
        line?.parse().ok()
    };
    println!("counted by {}", counter.name());
    let (mut now, mut is_held) = (head, true);
    for stream in Stream::named(&wanted, streams::SHORT) {
        let counted = counter.per_event(&[stream.name], stream.lines.len()).expect("the counter worked before");
        let was = known(stream.name);
        let is_more = was.is_none_or(|was| counted > ALLOWED * was);
        is_held &= !is_more;
        let verdict = if is_more { ", too many" } else { "" };
        println!("{}: {counted:.0}, recorded {}{verdict}", stream.name, was.unwrap_or(f64::NAN));
        now += &format!("\n{}: {counted:.0}", stream.name);
    }
    if is_recorded {
        fs::write(FILE, now + "\n").expect("the file can be written");
        return ExitCode::SUCCESS;
    }
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
