//! Whatever bytes come in by whatever public door, nothing panics.

use crate::common::Decoded;
use crate::events::*;
use agent_contracts::check::{Checker, Input, Limits, Profile};
use agent_contracts::stream::sse::{Item, Parser};
use agent_contracts::stream::{Framing, StreamChecker};
use agent_contracts::wire::Json;
use agent_contracts::{Protocol, polling, social_app, ubik};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

/// Takes bytes through every public door.
fn every_door(pieces: &[Vec<u8>]) {
    let whole = pieces.concat();
    for protocol in Protocol::ALL {
        for profile in [Profile::Strict, Profile::Reference, Profile::Schema] {
            let fresh = || {
                let limits = Limits::DEFAULT.with_history(3).with_depth(16).with_event_bytes(4000);
                Checker::builder(protocol).profile(profile).limits(limits).build()
            };
            let mut stream = fresh();
            for piece in pieces {
                look(stream.push(Input::event_bytes(piece)), piece);
            }
            look(stream.finish(), &[]);

            let mut by_itself = fresh();
            // Every type in one profile: what else differs is in the events.
            let asked = |kind: &&String| profile == Profile::Strict || *kind == "Event";
            for kind in protocol.types().iter().filter(asked) {
                look(by_itself.check_as(kind, Input::event_bytes(&whole)).unwrap(), &whole);
            }

            for framing in Framing::ALL {
                let mut stream = StreamChecker::of(fresh(), *framing);
                let mut take = |piece: &[u8]| stream.push(piece).for_each(|found| drop(found.excerpt()));
                for piece in pieces {
                    if *framing == Framing::Sse {
                        take(b"data: ");
                    }
                    take(piece);
                    take(b"\n\n");
                }
                take(&whole);
                stream.finish().for_each(|found| drop(found.excerpt()));
            }
        }
        if let Ok(text) = std::str::from_utf8(&whole) {
            if let Ok(event) = Decoded::from_json(&protocol.clone(), text) {
                let _ = event.to_json();
            }
            let _ = Decoded::from_serde(protocol, text);
            let _ = Json::parse(text).map(|json| (json == Json::from(Value::Null), json.as_string(), json.get("a")));
        }
    }
    for framing in [Framing::Sse, Framing::Ndjson, Framing::Json, Framing::detect(&whole)] {
        let _ = Protocol::detect(&whole, framing);
    }
    social_app_doors(pieces);
    ubik_doors(pieces);
    polling_doors(pieces);
}

/// What a client of Ubik does with bytes, beyond checking them.
fn ubik_doors(pieces: &[Vec<u8>]) {
    use ubik::{ChunkAssembler, ChunkLimits, Event, ToolEvent, split_text};
    let mut assembler = ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_groups(2).with_bytes(4000));
    for text in pieces.iter().filter_map(|piece| std::str::from_utf8(piece).ok()) {
        for tag in ["tool_update", "tool_end", "error_delta_sse", text] {
            let _ = ToolEvent::from_tagged_json(tag, text).map(|event| event.to_sse());
        }
        for chunk in split_text("tool_update", text, "c1", 250).ok().flatten().unwrap_or_default() {
            let _ = assembler.push(&chunk).map(|outcome| outcome.into_rebuilt().map(|rebuilt| rebuilt.event()));
        }
        match Event::from_json(text) {
            Ok(Event::Delta(chunk)) => {
                let outcome = assembler.push(&chunk);
                let _ = outcome.map(|outcome| outcome.into_rebuilt().map(|rebuilt| rebuilt.tool_event()));
            }
            Ok(event) => drop((event.to_sse(), event.timestamp().is_some(), event.is_terminal())),
            Err(_) => {}
        }
    }
    drop((assembler.unfinished(), assembler.held_bytes()));
}

/// What a client of the task API does with bytes, beyond checking them.
fn polling_doors(pieces: &[Vec<u8>]) {
    for text in pieces.iter().filter_map(|piece| std::str::from_utf8(piece).ok()) {
        let _ = polling::PollResponse::from_json(text).map(|response| (response.to_json(), response.events().len()));
        let _ = (polling::CreatedResponse::from_json(text), polling::CancelResponse::from_json(text));
        for tag in ["text_chunk", "tool_start", "error", text] {
            let _ = polling::Event::from_tagged_json(tag, text).map(|event| (event.is_terminal(), event.task_id()));
        }
    }
}

/// What a backend or a client of social-app does with bytes, beyond checking them.
fn social_app_doors(pieces: &[Vec<u8>]) {
    use social_app::{Event, HistoryResponse, ProviderUsage, RunSubscription, Sanitizer, StreamId, ToolCallArgs};
    let mut run = RunSubscription::new("run-001");
    let mut events: Vec<Event> = Vec::new();
    let mut take = |item: Item<'_>| events.extend(run.push(&item).ok().flatten());
    let mut parser = Parser::with_limit(3000);
    for piece in pieces {
        parser.push(b"data: ", &mut take);
        parser.push(piece, &mut take);
        parser.push(b"\n\n", &mut take);
    }
    parser.finish(&mut take);
    for text in pieces.iter().filter_map(|piece| std::str::from_utf8(piece).ok()) {
        let _ = (text.parse::<StreamId>(), Sanitizer::new().sanitize_json(text), HistoryResponse::from_json(text));
        let _ = ToolCallArgs::from_json(text).map(|args| args.call());
        let _ = ProviderUsage::from_json(text).map(|usage| usage.normalize());
        if let Ok(mut event) = Event::from_json(text) {
            let _ = Sanitizer::new().sanitize(&mut event);
            let _ = (event.thread_id(), event.run_id(), event.to_sse(StreamId::new(1, 0)));
            events.push(event);
        }
    }
    let _ = social_app::to_agui(events);
}

/// What happens to the bytes of an event.
#[derive(Clone, Debug)]
enum Edit {
    Flip(Index, u8),
    Remove(Index, Index),
    Insert(Index, &'static [u8]),
    /// Puts a part of the bytes somewhere else once more.
    Splice(Index, Index, Index),
}

/// Bytes that mean something to JSON, UTF-8, SSE or lines.
const SPICES: [&[u8]; 26] = [
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[[[[[[[[",
    b",",
    b":",
    b"-",
    b"1e999",
    b"\0",
    b"\n",
    b"\r\n\r\n",
    b"\\ud800",
    b"\\u",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\xEF\xBB\xBF",
    b"data: ",
    b"\nid: 1-0\n",
    b"\nevent: RUN_STARTED\n",
    b"null",
    b"\"type\":\"CUSTOM\",",
    b"\nevent: tool_update_delta_sse\n",
    b"\"type\":\"tool_update_delta_sse\",\"chunk_index\":4294967295,",
    b"<<TOOL_STEP_START/a:",
    b"{\"success\":true,\"data\":{\"events\":[",
];

impl Edit {
    fn any() -> impl Strategy<Value = Self> {
        let place = any::<Index>;
        prop_oneof![
            (place(), any::<u8>()).prop_map(|(at, bits)| Self::Flip(at, bits)),
            (place(), place()).prop_map(|(from, to)| Self::Remove(from, to)),
            (place(), select(SPICES.to_vec())).prop_map(|(at, bytes)| Self::Insert(at, bytes)),
            (place(), place(), place()).prop_map(|(from, to, at)| Self::Splice(from, to, at)),
        ]
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let place = |at: &Index| at.index(length + 1);
        let range = |from: &Index, to: &Index| place(from).min(place(to))..place(from).max(place(to));
        match self {
            Self::Flip(at, bits) => {
                let at = place(at);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bits);
            }
            Self::Remove(from, to) => drop(bytes.drain(range(from, to))),
            Self::Insert(at, spice) => {
                let at = place(at);
                drop(bytes.splice(at..at, spice.iter().copied()));
            }
            Self::Splice(from, to, at) => {
                let (part, at) = (bytes[range(from, to)].to_vec(), place(at));
                drop(bytes.splice(at..at, part));
            }
        }
    }
}

/// Fixture events of one protocol in disorder, with faults in their bytes.
fn disturbed_events() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let of = |protocol| {
        let samples = crate::common::fixture_events(protocol).into_iter().filter(|sample| sample.text.len() < 1500);
        select(samples.map(|sample| sample.text.into_bytes()).collect::<Vec<_>>())
    };
    let event = prop_oneof![
        of(&Protocol::LIME),
        of(&Protocol::AGUI),
        of(&Protocol::SOCIAL_APP),
        of(&Protocol::UBIK),
        of(&Protocol::POLLING),
    ];
    let disturbed = (event, prop::collection::vec(Edit::any(), 0..4)).prop_map(|(mut bytes, edits)| {
        for edit in &edits {
            edit.apply(&mut bytes);
        }
        bytes
    });
    prop::collection::vec(disturbed, 1..4)
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn arbitrary_bytes_make_nothing_panic(bytes in any::<Vec<u8>>()) {
        every_door(&[bytes]);
    }

    #[test]
    fn disturbed_events_make_nothing_panic(events in disturbed_events()) {
        every_door(&events);
    }
}
