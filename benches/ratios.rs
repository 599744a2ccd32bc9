//! What the crate does, against what others merely parse: medians of interleaved runs, and their ratios.
//!
//! `cargo bench --bench ratios`. Each round runs every contender once, so that a machine
//! that changes its speed changes it for all. `STREAM` is the name of the stream to run, or
//! a part of the names of some; `ROUNDS` says how often; `CONTENDER` runs one alone, for a
//! profiler. `benches/peers` has more contenders, and writes docs/performance.md.

#![allow(clippy::print_stdout, reason = "the table is what it is run for")]

#[path = "rounds/mod.rs"]
mod rounds;
#[path = "streams/mod.rs"]
mod streams;

use rounds::Times;
use streams::{Contender, Stream};

const ROUNDS: usize = 31;

fn main() {
    let rounds = rounds::asked(ROUNDS);
    println!("| stream | contender | MB/s | million events/s | speed over `Value` | phase 2 |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let only = std::env::var("STREAM").unwrap_or_default();
    let alone = std::env::var("CONTENDER").ok();
    for stream in Stream::named(&only, streams::LONG) {
        let slow = stream.assert_clean();
        if let Some(alone) = &alone {
            for contender in Contender::ALL.iter().filter(|contender| contender.name() == alone) {
                (0..rounds).for_each(|_| contender.run(&stream));
            }
            continue;
        }
        let mut contenders = Contender::ALL;
        let times = Times::of(rounds, &mut contenders, |contender| rounds::time(|| contender.run(&stream)));
        for (at, contender) in contenders.iter().enumerate() {
            let seconds = times.seconds(at);
            let slow = match contender {
                Contender::CheckStrict => format!("{:.1} %", 100.0 * slow),
                _ => String::new(),
            };
            println!(
                "| {} | {} | {:.0} | {:.2} | {:.2} | {slow} |",
                stream.name,
                contender.name(),
                stream.bytes.len() as f64 / 1e6 / seconds,
                stream.lines.len() as f64 / 1e6 / seconds,
                times.speed_over(0, at),
            );
        }
    }
}
