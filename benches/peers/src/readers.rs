//! Who reads a stream in this process: the contenders of the other benches, and peers of other crates.

use std::hint::black_box;
use std::sync::LazyLock;

use agent_contracts::Protocol;
use jsonschema::Validator;
use serde_json::Value;
use simd_json::{Buffers, Tape};

use crate::streams::{Contender, Stream};
use crate::tagged;

#[derive(Clone, Copy)]
pub struct Reader {
    pub name: &'static str,
    run: Run,
}

#[derive(Clone, Copy)]
enum Run {
    Own(Contender),
    Peer(fn(&Stream) -> usize),
}

/// The name of a peer, and what it does: it reads the events, and says how many it refuses.
type Peer = (&'static str, fn(&Stream) -> usize);

/// Of any JSON.
const ANY: [Peer; 3] = [
    ("sonic-rs", |stream| refused(stream, |line| sonic_rs::from_str::<sonic_rs::Value>(line).ok())),
    ("sonic-rs, lazy", |stream| refused(stream, members)),
    ("simd-json, tape", tapes),
];

/// Of AG-UI.
const AGUI: [Peer; 3] = [
    ("derived enum", |stream| refused(stream, |line| serde_json::from_str::<tagged::Event>(line).ok())),
    ("ag-ui", |stream| refused(stream, |line| serde_json::from_str::<ag_ui::Event>(line).ok())),
    ("jsonschema", |stream| refused(stream, valid)),
];

impl Reader {
    /// All that can read a protocol; the first two are `Value` and `IgnoredAny`.
    pub fn all(protocol: &Protocol) -> Vec<Self> {
        let own = Contender::ALL.map(|contender| Self { name: contender.name(), run: Run::Own(contender) });
        let peers = if *protocol == Protocol::AGUI { [&ANY[..], &AGUI[..]].concat() } else { ANY.to_vec() };
        own.into_iter().chain(peers.into_iter().map(|(name, run)| Self { name, run: Run::Peer(run) })).collect()
    }

    /// Reads all events; gives how many of them it refused.
    pub fn run(self, stream: &Stream) -> usize {
        match self.run {
            Run::Own(contender) => {
                contender.run(stream);
                0
            }
            Run::Peer(run) => run(stream),
        }
    }
}

fn refused<T>(stream: &Stream, read: impl Fn(&str) -> Option<T>) -> usize {
    stream.texts().filter(|line| black_box(read(line)).is_none()).count()
}

/// Passes over the members of an event; of their values it only sees where they end.
fn members(line: &str) -> Option<usize> {
    sonic_rs::to_object_iter(line).try_fold(0, |count, member| member.is_ok().then_some(count + 1))
}

/// Makes a tape of each event, in buffers that are used again. The text is copied first, since it is changed.
fn tapes(stream: &Stream) -> usize {
    let (mut text, mut buffers, mut room) = (Vec::new(), Buffers::default(), Tape::null());
    let mut refused = 0;
    for line in stream.texts() {
        text.clear();
        text.extend_from_slice(line.as_bytes());
        let mut tape = room.reset();
        refused += usize::from(simd_json::fill_tape(&mut text, &mut buffers, &mut tape).is_err());
        black_box(&tape);
        room = tape.reset();
    }
    refused
}

/// The closed schema of AG-UI, which the checker executes too.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema: Value =
        serde_json::from_str(include_str!("../../../schemas/agui/1.0/known-event.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});

fn valid(line: &str) -> Option<()> {
    let value: Value = serde_json::from_str(line).ok()?;
    SCHEMA.is_valid(&value).then_some(())
}
