//! The table of docs/performance.md: medians of interleaved runs, and their ratios.
//!
//! `cargo bench --bench ratios`. Each round runs every contender once, so that a machine
//! that changes its speed changes it for all. `STREAM` is the name of the stream to run, or
//! a part of the names of some; `ROUNDS` says how often; `CONTENDER` runs one alone, for a
//! profiler.

#![allow(clippy::print_stdout, reason = "the table is what it is run for")]

use std::time::{Duration, Instant};

#[path = "streams/mod.rs"]
mod streams;

use streams::{Contender, Stream};

const ROUNDS: usize = 31;

fn main() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    println!("| stream | contender | MB/s | million events/s | speed over `Value` |");
    println!("| --- | --- | ---: | ---: | ---: |");
    let only = std::env::var("STREAM").unwrap_or_default();
    let alone = std::env::var("CONTENDER").ok();
    for stream in Stream::all(|name| name.contains(&only)) {
        stream.assert_clean();
        if let Some(alone) = &alone {
            for contender in Contender::ALL.iter().filter(|contender| contender.name() == alone) {
                (0..rounds).for_each(|_| contender.run(&stream));
            }
            continue;
        }
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); Contender::ALL.len()];
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); Contender::ALL.len()];
        for round in 0..=rounds {
            let mut spent = Vec::new();
            for contender in Contender::ALL {
                let start = Instant::now();
                contender.run(&stream);
                spent.push(start.elapsed());
            }
            // The first round warms up.
            if round > 0 {
                for (at, time) in spent.iter().enumerate() {
                    times[at].push(*time);
                    ratios[at].push(spent[0].as_secs_f64() / time.as_secs_f64());
                }
            }
        }
        for (at, contender) in Contender::ALL.iter().enumerate() {
            times[at].sort();
            ratios[at].sort_by(f64::total_cmp);
            let time = times[at][rounds / 2].as_secs_f64();
            println!(
                "| {} | {} | {:.0} | {:.2} | {:.2} |",
                stream.name,
                contender.name(),
                stream.bytes.len() as f64 / 1e6 / time,
                stream.lines.len() as f64 / 1e6 / time,
                ratios[at][rounds / 2],
            );
        }
    }
}
