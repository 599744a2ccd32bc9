//! What it takes to check a stream strictly, against what others do with the same events.
//!
//! `bash benches/peers/run.sh` is the command. `STREAM` is the name of the stream to run, or a part of the names of
//! some; `ROUNDS` says how often; `RECORD=1` writes docs/performance.md. With a stream, a contender and a number, this
//! program only lets that contender read the stream so many times, for a counter of instructions or a profiler.

use std::collections::BTreeSet;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs, process, thread};

#[path = "../../counter/mod.rs"]
mod counter;
mod page;
mod readers;
#[path = "../../rounds/mod.rs"]
mod rounds;
mod scripts;
#[path = "../../streams/mod.rs"]
mod streams;
mod tagged;

use counter::Counter;
use page::{Cell, Row};
use readers::Reader;
use rounds::Times;
use scripts::{Peer, Script};
use streams::Stream;

const ROUNDS: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [] => measure(),
        [stream, reader, passes] => read(stream, reader, passes.parse()?),
        _ => Err("the arguments are a stream, a contender and a number, or none".into()),
    }
}

fn read(stream: &str, reader: &str, passes: usize) -> Result<(), Box<dyn Error>> {
    let stream = Stream::named(stream, streams::SHORT).next().ok_or("there is no such stream")?;
    let reader = Reader::all(&stream.protocol).into_iter().find(|known| known.name == reader);
    let reader = reader.ok_or("there is no such contender")?;
    for _ in 0..passes {
        black_box(reader.run(&stream));
    }
    Ok(())
}

fn measure() -> Result<(), Box<dyn Error>> {
    let only = env::var("STREAM").unwrap_or_default();
    let is_recorded = env::var_os("RECORD").is_some();
    if is_recorded && !only.is_empty() {
        return Err("RECORD writes all streams, so it does not go with STREAM".into());
    }
    let rounds = rounds::asked(ROUNDS);
    let counter = Counter::find();
    let mut left_out = BTreeSet::new();
    if counter.is_none() {
        left_out.insert("Instructions: neither perf nor valgrind counts them here.".to_owned());
    }
    let events = env::temp_dir().join(format!("agent-contracts-peers-{}.json", process::id()));
    let mut rows = Vec::new();
    for stream in Stream::named(&only, streams::LONG) {
        eprintln!("{}", stream.name);
        fs::write(&events, serde_json::to_string(&stream.lines)?)?;
        rows.push(row(&stream, rounds, counter, &events, &mut left_out));
    }
    fs::remove_file(&events)?;
    let results = format!("{}\n\n{}", conditions(rounds, counter), page::tables(&rows, &left_out));
    print!("{results}");
    if is_recorded {
        page::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md"), &results)?;
    }
    Ok(())
}

/// A contender on one stream.
struct Lane {
    name: &'static str,
    by: By,
    /// How many events it refused in its last pass.
    refused: usize,
}

enum By {
    Reader(Reader),
    Script(Script),
}

impl Lane {
    fn pass(&mut self, stream: &Stream) -> Duration {
        match &mut self.by {
            By::Reader(reader) => rounds::time(|| self.refused = reader.run(stream)),
            By::Script(script) => {
                let (time, refused) = script.pass().unwrap_or_else(|reason| panic!("{}: {reason}", self.name));
                self.refused = refused;
                time
            }
        }
    }
}

/// Measures one stream.
fn row(
    stream: &Stream,
    rounds: usize,
    counter: Option<Counter>,
    events: &Path,
    left_out: &mut BTreeSet<String>,
) -> Row {
    let mut row = Row::of(stream, stream.assert_clean());
    let readers = Reader::all(&stream.protocol);
    let readers = readers.into_iter().map(|reader| Lane { name: reader.name, by: By::Reader(reader), refused: 0 });
    let mut lanes: Vec<Lane> = readers.collect();
    for peer in Peer::all(&stream.protocol) {
        match Script::start(peer, events) {
            Ok(script) => lanes.push(Lane { name: peer.name, by: By::Script(script), refused: 0 }),
            Err(reason) => {
                left_out.insert(format!("{}: {reason}.", peer.name));
            }
        }
    }
    // Instructions are counted by this program, run by itself: see `read`.
    let counted = Stream::named(stream.name, streams::SHORT).next().map_or(0, |short| short.lines.len());
    let times = Times::of(rounds, &mut lanes, |lane| lane.pass(stream));
    for (at, lane) in lanes.into_iter().enumerate() {
        let instructions = match lane.by {
            By::Reader(reader) => counter.and_then(|counter| counter.per_event(&[stream.name, reader.name], counted)),
            By::Script(_) => None,
        };
        row.cells.push(Cell {
            name: lane.name,
            seconds: times.seconds(at),
            over_value: times.speed_over(0, at),
            over_ignored: times.speed_over(1, at),
            refused: lane.refused,
            instructions,
        });
    }
    row
}

/// On what it was measured, and how.
fn conditions(rounds: usize, counter: Option<Counter>) -> String {
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let rust = Command::new("rustc").arg("--version").output().ok();
    let rust = rust.and_then(|output| Some(String::from_utf8(output.stdout).ok()?.split(' ').nth(1)?.to_owned()));
    let mut said = vec![
        format!("Medians of {rounds} rounds"),
        model.map_or(env::consts::ARCH, |(_, model)| model).to_owned(),
        format!("{} cores", thread::available_parallelism().map_or(1, usize::from)),
        env::consts::OS.to_owned(),
    ];
    said.extend(rust.map(|version| format!("Rust {version}")));
    said.extend(Peer::versions());
    said.extend(counter.map(|counter| format!("instructions by {}", counter.name())));
    format!("{}.", said.join(", "))
}
