//! How fast fragments of Ubik are put together, against a plain copy of their text.
//!
//! `cargo bench --bench assembler`. Each round runs both once; medians of all rounds.

#![allow(clippy::print_stdout, reason = "the table is what it is run for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use agent_contracts::ubik::{Chunk, ChunkAssembler, Event};
use agent_contracts::wire::Named;

#[allow(dead_code, reason = "shared with the other benches")]
#[path = "streams/mod.rs"]
mod streams;

const ROUNDS: usize = 31;

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let stream = streams::Stream::named("ubik, fragments", streams::LONG).next().unwrap();
    let fragments: Vec<Named<Chunk>> = stream
        .lines
        .iter()
        .filter_map(|line| match Event::from_json(line).unwrap() {
            Event::Delta(fragment) => Some(fragment),
            _ => None,
        })
        .collect();
    let bytes: usize = fragments.iter().map(|fragment| fragment.content.chunk_data.len()).sum();
    let (mut copies, mut assemblies) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        copies.push(time(|| {
            let mut text = String::new();
            for fragment in &fragments {
                text.push_str(&fragment.content.chunk_data);
            }
            black_box(text.len())
        }));
        assemblies.push(time(|| {
            let mut assembler = ChunkAssembler::new();
            let rebuilt = |fragment| assembler.push(fragment).unwrap().into_rebuilt().is_some();
            black_box(fragments.iter().map(rebuilt).filter(|rebuilt| *rebuilt).count())
        }));
    }
    copies.sort();
    assemblies.sort();
    let (copy, assembly) = (copies[rounds / 2].as_secs_f64(), assemblies[rounds / 2].as_secs_f64());
    println!("| what | MB/s | speed over the copy |\n| --- | ---: | ---: |");
    println!("| copy | {:.0} | 1.00 |", bytes as f64 / 1e6 / copy);
    println!("| assembler | {:.0} | {:.2} |", bytes as f64 / 1e6 / assembly, copy / assembly);
}

fn time(run: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    assert!(run() > 0);
    start.elapsed()
}
