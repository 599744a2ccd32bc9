//! Events that were split into fragments, and put together again.

use std::collections::HashSet;

use agent_contracts::ubik::{
    Chunk, ChunkAssembler, ChunkBound, ChunkError, ChunkId, ChunkLimits, ChunkOutcome, ChunkProgress, Event, Rebuilt,
    SplitError, ToolEvent, split, split_text,
};
use agent_contracts::wire::{ErrorKind, Integer, Named};
use proptest::prelude::*;

/// A fragment of an event of type `tool_update`.
fn chunk(id: &str, index: i64, total: i64, data: &str) -> Named<Chunk> {
    typed("tool_update", id, index, total, data)
}

fn typed(event_type: &str, id: &str, index: i64, total: i64, data: &str) -> Named<Chunk> {
    Named::new(format!("{event_type}_delta_sse"), Chunk::new(id, index, total, event_type, data))
}

/// An event put together from one fragment.
fn rebuilt(event_type: &str, text: &str) -> Rebuilt {
    ChunkAssembler::new().push(&typed(event_type, "c", 0, 1, text)).unwrap().into_rebuilt().unwrap()
}

/// What an outcome says, in a word or the joined text.
fn shown(outcome: Result<ChunkOutcome, ChunkError>) -> String {
    match outcome.map(|outcome| outcome.progress) {
        Ok(ChunkProgress::Held) => "held".to_owned(),
        Ok(ChunkProgress::Repeated) => "repeated".to_owned(),
        Ok(ChunkProgress::Rebuilt(rebuilt)) => rebuilt.text,
        Ok(other) => format!("{other:?}"),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn the_documented_fragments_make_the_event() {
    let fragments = [
        r#"{"type":"tool_update_delta_sse","chunk_id":"c-1","chunk_index":0,"total_chunks":3,"original_event_type":"tool_update","chunk_data":"{\"type\": \"tool_update\", \"tool_execution_id\": \"call_123abc\", \"tool_name\": \"web_search","is_last_chunk":false}"#,
        r#"{"type":"tool_update_delta_sse","chunk_id":"c-1","chunk_index":1,"total_chunks":3,"original_event_type":"tool_update","chunk_data":"\", \"data\": {\"phase\": \"WEB_SEARCH\", \"status\": \"completed\"","is_last_chunk":false}"#,
        r#"{"type":"tool_update_delta_sse","chunk_id":"c-1","chunk_index":2,"total_chunks":3,"original_event_type":"tool_update","chunk_data":"}, \"timestamp\": \"2026-01-01T00:00:00Z\"}","is_last_chunk":true}"#,
    ];
    for (order, out_of_order) in [([0, 1, 2], [false; 3]), ([2, 0, 1], [false, true, true])] {
        let mut assembler = ChunkAssembler::new();
        let mut event = None;
        for (index, late) in order.into_iter().zip(out_of_order) {
            let Event::Delta(chunk) = Event::from_json(fragments[index]).unwrap() else { panic!("no fragment") };
            let outcome = assembler.push(&chunk).unwrap();
            assert_eq!((outcome.out_of_order, outcome.last_flag_wrong), (late, false), "{order:?} {index}");
            event = outcome.into_rebuilt().map(|rebuilt| rebuilt.event().unwrap());
        }
        let Some(Event::ToolUpdate(update)) = event else { panic!("no event from {order:?}") };
        assert_eq!(update.tool_name, "web_search");
        assert!(assembler.unfinished().is_empty());
        assert_eq!(assembler.held_bytes(), 0);
    }
}

#[test]
fn each_fault_has_its_error() {
    let with = |change: fn(&mut Chunk)| {
        let mut chunk = chunk("a", 1, 3, "x");
        change(&mut chunk.content);
        chunk
    };
    for (fragment, expected) in [
        (Named::new("tool_update", with(|_| ()).content), ChunkError::TypeMismatch),
        (Named::new("tool_partial_update_delta_sse", with(|_| ()).content), ChunkError::TypeMismatch),
        (with(|chunk| chunk.original_event_type = "tool_update_delta_sse".to_owned()), ChunkError::TypeMismatch),
        (with(|chunk| chunk.total_chunks = 0.into()), ChunkError::TotalInvalid),
        (with(|chunk| chunk.total_chunks = (-3).into()), ChunkError::TotalInvalid),
        (with(|chunk| chunk.chunk_index = 3.into()), ChunkError::IndexOutOfRange),
        (with(|chunk| chunk.chunk_index = (-1).into()), ChunkError::IndexOutOfRange),
        (with(|chunk| chunk.total_chunks = 4.into()), ChunkError::GroupDisagrees),
        (typed("response_chunk", "a", 1, 3, "x"), ChunkError::GroupDisagrees),
        (with(|chunk| chunk.chunk_data = "y".to_owned()), ChunkError::IndexConflict),
        (typed(&format!("x{}", "_delta_sse".repeat(4)), "a", 0, 1, "x"), ChunkError::TooDeep),
    ] {
        let mut assembler = ChunkAssembler::new();
        assembler.push(&with(|_| ())).unwrap();
        let held = assembler.held_bytes();
        assert_eq!(assembler.push(&fragment).unwrap_err(), expected);
        // Nothing has changed.
        assert_eq!(assembler.held_bytes(), held);
        assert_eq!(shown(assembler.push(&chunk("a", 0, 3, "w"))), "held");
        assert_eq!(shown(assembler.push(&chunk("a", 2, 3, "y"))), "wxy");
    }
}

#[test]
fn what_comes_again_is_known() {
    let mut assembler = ChunkAssembler::new();
    for (fragment, expected) in [
        (chunk("a", 0, 2, "1"), "held"),
        (chunk("a", 0, 2, "1"), "repeated"),
        (chunk("a", 0, 2, "x"), "IndexConflict"),
        (chunk("b", 1, 2, "4"), "held"),
        (chunk("a", 1, 2, "2"), "12"),
        (chunk("b", 0, 2, "3"), "34"),
        // A reconnect replays everything.
        (chunk("a", 0, 2, "1"), "repeated"),
        (chunk("a", 1, 2, "2"), "repeated"),
        (chunk("b", 1, 2, "4"), "repeated"),
        (chunk("b", 1, 2, "3"), "IndexConflict"),
        (chunk("b", 1, 3, "4"), "GroupDisagrees"),
        (typed("x", "b", 1, 2, "4"), "GroupDisagrees"),
        (chunk("c", 0, 1, "5"), "5"),
        (chunk("c", 0, 1, "5"), "repeated"),
    ] {
        assert_eq!(shown(assembler.push(&fragment)), expected, "{fragment:?}");
    }
}

#[test]
fn numbers_may_be_written_otherwise() {
    let number = |text: &str| serde_json::from_str::<Integer>(text).unwrap();
    let mut fragment = chunk("a", 0, 2, "1");
    let mut assembler = ChunkAssembler::new();
    assert_eq!(shown(assembler.push(&fragment)), "held");
    fragment.content.chunk_index = number("1.0");
    fragment.content.total_chunks = number("2e0");
    fragment.content.chunk_data = "2".to_owned();
    assert_eq!(shown(assembler.push(&fragment)), "12");
}

#[test]
fn the_last_flag_is_compared() {
    for (index, flag, wrong) in [
        (0, None, false),
        (0, Some(false), false),
        (0, Some(true), true),
        (1, None, false),
        (1, Some(false), true),
        (1, Some(true), false),
    ] {
        let mut assembler = ChunkAssembler::new();
        (0..index).for_each(|before| drop(assembler.push(&chunk("a", before, 2, "1")).unwrap()));
        let mut fragment = chunk("a", index, 2, "1");
        fragment.content.is_last_chunk = flag;
        let outcome = assembler.push(&fragment).unwrap();
        assert_eq!(outcome.last_flag_wrong, wrong, "{index} {flag:?}");
        let is_held = matches!(outcome.progress, ChunkProgress::Held);
        assert!(is_held || index == 1, "the flag does not complete a group");
    }
    // The last index of a group that is numbered from 1 comes next.
    let mut fragment = chunk("a", 1, 2, "1");
    fragment.content.is_last_chunk = Some(false);
    let mut assembler = ChunkAssembler::new();
    assert!(!assembler.push(&fragment).unwrap().last_flag_wrong);
    // It is not: the flag was wrong, which is said once.
    let first = assembler.push(&chunk("a", 0, 2, "0")).unwrap();
    assert!(first.last_flag_wrong && matches!(first.progress, ChunkProgress::Rebuilt(_)));
    assert!(!assembler.push(&chunk("a", 0, 2, "0")).unwrap().last_flag_wrong);
}

#[test]
fn a_group_that_is_open_is_described() {
    let mut assembler = ChunkAssembler::new();
    for index in [0, 1, 4] {
        assembler.push(&chunk("a", index, 5, "x")).unwrap();
    }
    assembler.push(&chunk("b", 1, 2, "x")).unwrap();
    let unfinished = assembler.unfinished();
    let texts: Vec<_> = unfinished.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["3 of 5 fragments, the first missing is 2", "1 of 2 fragments, the first missing is 0"]);
    assert_eq!((unfinished[0].chunk_id.as_str(), &*unfinished[0].event_type), ("a", "tool_update"));
}

/// Gives the events that fragments make, however often they were split.
fn assemble(assembler: &mut ChunkAssembler, chunk: &Named<Chunk>) -> Option<Event> {
    match assembler.push(chunk).unwrap().into_rebuilt()?.event().unwrap() {
        Event::Delta(inner) => assemble(assembler, &inner),
        event => Some(event),
    }
}

#[test]
fn fragments_of_fragments() {
    let text = format!(r#"{{"type":"response_chunk","content":"{}","timestamp":"t"}}"#, r#"long \"é\" "#.repeat(200));
    let event = Event::from_json(&text).unwrap();
    let mut chunks = Vec::new();
    for (index, outer) in split(&event, "a", 1000).unwrap().unwrap().into_iter().enumerate() {
        // The first has the same id on both levels.
        let id = ["a", "b", "c", "d"][index];
        chunks.extend(split(&Event::Delta(outer), id, 400).unwrap().unwrap());
    }
    let mut assembler = ChunkAssembler::new();
    let events: Vec<_> = chunks.iter().rev().filter_map(|chunk| assemble(&mut assembler, chunk)).collect();
    assert_eq!(events, std::slice::from_ref(&event));

    let mut deep = event;
    for level in 0..4 {
        let chunks = split(&deep, "a", 600 - 50 * level).unwrap().unwrap();
        deep = Event::Delta(chunks.into_iter().next().unwrap());
    }
    assert_eq!(split(&deep, "a", 400).unwrap_err(), SplitError::TooDeep);
}

#[test]
fn joined_text_may_be_the_event_or_its_members() {
    let members = r#""checkpoint_name":"plan","created_at":"2026-01-01T00:00:00Z","new":1.0"#;
    let whole = Event::from_json(&format!(r#"{{"type":"checkpoint_created",{members}}}"#)).unwrap();
    for text in [
        format!(r#"{{"type":"checkpoint_created",{members}}}"#),
        format!(r#" {{ {members} , "type" : "checkpoint_created" }} "#),
        format!(r#"{{"type":"other",{members},"type":"checkpoint_created"}}"#),
        format!("{{{members}}}"),
        format!("\n{{ {members} }}\n"),
    ] {
        assert_eq!(rebuilt("checkpoint_created", &text).event().unwrap(), whole, "{text}");
    }
    let unknown = rebuilt("a \"new\" type", "{ }").event().unwrap();
    assert_eq!(unknown.to_json(), r#"{"type":"a \"new\" type"}"#);

    let tool = rebuilt("tool_update", r#"{"phase":"RETRIEVAL"}"#).tool_event().unwrap();
    assert!(matches!(tool, ToolEvent::ToolUpdate(_)), "{tool:?}");
}

#[test]
fn joined_text_that_is_no_event() {
    let named = |text: &str| match rebuilt("checkpoint_created", text).event().unwrap_err() {
        ChunkError::JsonInvalid(error) => format!("json {error}"),
        ChunkError::RebuiltInvalid(error) => format!("invalid {error}"),
        other => format!("{other:?}"),
    };
    for (text, expected) in [
        ("", "json $: the text ends inside a value (at byte 0)"),
        (r#"{"checkpoint_name":"#, "json $.checkpoint_name: the text ends inside a value (at byte 19)"),
        ("{} {}", "json $: something follows the value (at byte 3)"),
        (r#"{"type":"tool_update"}"#, "RebuiltType"),
        (r#"{"type":"checkpoint_created_delta_sse"}"#, "RebuiltType"),
        (r#"{"type":7}"#, "RebuiltType"),
        ("[]", "invalid $: expected an object (at byte 0)"),
        (r#"{"checkpoint_name":"plan"}"#, "invalid $.created_at: the required member is missing (at byte 0)"),
        (r#"{"checkpoint_name":7}"#, "invalid $.checkpoint_name: expected a string (at byte 19)"),
        (
            r#"{"type":"checkpoint_created","checkpoint_name":7}"#,
            "invalid $.checkpoint_name: expected a string (at byte 47)",
        ),
    ] {
        assert_eq!(named(text), expected, "{text}");
    }
    let ChunkError::RebuiltInvalid(error) = rebuilt("error", "{}").tool_event().unwrap_err() else { panic!() };
    assert_eq!(error.kind(), ErrorKind::Missing);
}

/// The groups that are given up, with what each reached.
fn given_up(outcome: &ChunkOutcome) -> Vec<(&str, ChunkBound)> {
    outcome.given_up.iter().map(|given_up| (given_up.group.chunk_id.as_str(), given_up.bound)).collect()
}

#[test]
fn groups_are_bounded() {
    let mut assembler = ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_groups(2));
    for id in ["a", "b"] {
        assert!(assembler.push(&chunk(id, 0, 3, "x")).unwrap().given_up.is_empty());
    }
    // The group that has not grown for the longest time goes, not the oldest.
    assembler.push(&chunk("a", 1, 3, "x")).unwrap();
    let outcome = assembler.push(&chunk("c", 0, 3, "x")).unwrap();
    assert_eq!(given_up(&outcome), [("b", ChunkBound::Groups)]);
    assert_eq!(outcome.given_up[0].group.to_string(), "1 of 3 fragments, the first missing is 1");
    // A group that is complete at once needs no room.
    assert_eq!(shown(assembler.push(&chunk("d", 0, 1, "whole"))), "whole");
    assert_eq!(shown(assembler.push(&chunk("a", 2, 3, "x"))), "xxx");
}

#[test]
fn bytes_are_bounded() {
    let data = "x".repeat(1000);
    let mut assembler = ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_bytes(5000));
    assembler.push(&chunk("a", 0, 9, &data)).unwrap();
    for index in 0..3 {
        let outcome = assembler.push(&chunk("b", index, 9, &data)).unwrap();
        let expected = if index == 2 { vec![("a", ChunkBound::Bytes)] } else { Vec::new() };
        assert_eq!(given_up(&outcome), expected);
        assert!(assembler.held_bytes() <= 5000);
    }
    // Alone it is too large as well.
    assembler.push(&chunk("b", 3, 9, &data)).unwrap();
    let outcome = assembler.push(&chunk("b", 4, 9, &data)).unwrap();
    assert_eq!(given_up(&outcome), [("b", ChunkBound::Bytes)]);
    assert_eq!(outcome.given_up[0].group.to_string(), "5 of 9 fragments, the first missing is 5");
    assert_eq!(assembler.held_bytes(), 0);
}

#[test]
fn age_is_bounded() {
    let mut assembler = ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_age(3));
    assembler.push(&chunk("a", 0, 9, "x")).unwrap();
    for (id, index, expected) in [
        ("b", 0, None),
        ("b", 0, None),
        // It grows, and is young again.
        ("a", 1, None),
        ("b", 1, None),
        ("b", 2, None),
        ("b", 3, None),
        ("b", 3, Some("a")),
    ] {
        let outcome = assembler.push(&chunk(id, index, 9, "x")).unwrap();
        let expected: Vec<_> = expected.into_iter().map(|id| (id, ChunkBound::Age)).collect();
        assert_eq!(given_up(&outcome), expected, "{id} {index}");
    }
}

#[test]
fn a_million_groups_that_never_end() {
    let mut assembler = ChunkAssembler::new();
    let mut fragment = typed("tool_update", "", 0, u32::MAX.into(), "some data");
    let mut given_up = HashSet::new();
    for index in 0..1_000_000_u32 {
        fragment.content.chunk_id = ChunkId::from(index.to_string());
        let outcome = assembler.push(&fragment).unwrap();
        given_up.extend(outcome.given_up.iter().map(|given_up| given_up.bound));
        if index % 10_000 == 0 {
            assert!(assembler.unfinished().len() <= ChunkLimits::DEFAULT.groups);
            assert!(assembler.held_bytes() <= ChunkLimits::DEFAULT.bytes);
        }
    }
    assert_eq!(given_up, HashSet::from([ChunkBound::Groups]));
}

#[test]
fn totals_beyond_measure_cost_nothing() {
    let mut assembler = ChunkAssembler::new();
    let mut fragment = chunk("a", 0, 1 << 32, "x");
    assembler.push(&fragment).unwrap();
    fragment.content.chunk_index = Integer::from((1_u64 << 32) - 1);
    fragment.content.is_last_chunk = Some(true);
    assert!(!assembler.push(&fragment).unwrap().last_flag_wrong);
    assert_eq!(assembler.unfinished()[0].to_string(), "2 of 4294967296 fragments, the first missing is 1");
    assert!(assembler.held_bytes() < 1000);

    fragment.content.chunk_id = "b".into();
    fragment.content.total_chunks = serde_json::from_str(&"9".repeat(290)).unwrap();
    assert_eq!(shown(assembler.push(&fragment)), "held");
}

#[test]
fn many_fragments_backwards() {
    let total = 50_000;
    let mut assembler = ChunkAssembler::new();
    let mut whole = None;
    for index in (0..total).rev() {
        whole = assembler.push(&chunk("a", index, total, "0123456789")).unwrap().into_rebuilt();
    }
    assert_eq!(whole.unwrap().text.len(), 500_000);
    assert_eq!(shown(assembler.push(&chunk("a", 7, total, "0123456789"))), "repeated");
}

#[test]
fn nothing_of_the_data_is_shown() {
    let secret = "hunter2 is a secret";
    let mut assembler = ChunkAssembler::new();
    let first = assembler.push(&typed(secret, secret, 0, 2, secret)).unwrap();
    let conflict = assembler.push(&typed(secret, secret, 0, 2, "other")).unwrap_err();
    let unfinished = assembler.unfinished();
    let open = format!("{first:?} {conflict:?} {conflict} {unfinished:?} {} {assembler:?}", unfinished[0]);
    let whole = assembler.push(&typed(secret, secret, 1, 2, secret)).unwrap();
    let complete = format!("{whole:?}");
    let error = whole.into_rebuilt().unwrap().event().unwrap_err();
    let limits = ChunkLimits::DEFAULT.with_groups(0);
    let given_up = ChunkAssembler::with_limits(limits).push(&typed(secret, secret, 0, 2, secret)).unwrap();
    assert_eq!(given_up.given_up.len(), 1);
    for shown in [open, complete, format!("{error:?} {error}"), format!("{given_up:?}")] {
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn events_that_fit_are_not_split() {
    let event = Event::from_json(r#"{"type":"agent_stop_requested","task_id":"t","timestamp":"s"}"#).unwrap();
    let size = event.to_json().len();
    assert_eq!(split(&event, "a", size).unwrap(), None);
    let error = split(&event, "a", size - 1).unwrap_err();
    let SplitError::TooSmall { needed } = error else { panic!("{error}") };
    assert_eq!(split(&event, "a", needed).unwrap(), None, "the members alone are larger than this event");
    assert_eq!(split_text("x", "", "a", 0).unwrap(), None);
}

/// Characters that are written in JSON in every way there is.
fn text() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        any::<char>(),
        "[ -~]".prop_map(|text| text.chars().next().unwrap_or(' ')),
        prop::sample::select(vec!['"', '\\', '/', '\n', '\t', '\u{1}', '\u{1f}', '\u{7f}', '\u{8}', '\u{2028}']),
        prop::sample::select(vec!['é', '你', '\u{1F600}', '\u{10FFFF}', '\u{FFFD}']),
    ];
    prop::collection::vec(c, 0..300).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn what_is_split_is_joined_again(
        content in text(),
        id in "[a-z\"\\\\é]{0,8}",
        kind in prop::sample::select(vec!["response_chunk", "agent_processing_error", "of \"no\" known type"]),
        max_bytes in 150_usize..700,
        disorder in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let quote = |text: &str| serde_json::to_string(text).unwrap();
        let (kind, content) = (quote(kind), quote(&content));
        let event = format!(r#"{{"type":{kind},"content":{content},"error":"e","traceback":"t","timestamp":"s"}}"#);
        let event = Event::from_json(&event).unwrap();
        let whole = event.to_json();
        let chunks = match split(&event, &id, max_bytes) {
            Ok(Some(chunks)) => chunks,
            Ok(None) => {
                prop_assert!(whole.len() <= max_bytes);
                return Ok(());
            }
            Err(SplitError::TooSmall { needed }) => {
                prop_assert!(needed > max_bytes && needed < 300, "{}", needed);
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        prop_assert!(whole.len() > max_bytes);
        for (index, chunk) in chunks.iter().enumerate() {
            let wire = Event::Delta(chunk.clone()).to_json();
            prop_assert!(wire.len() <= max_bytes, "{} of {}", wire.len(), max_bytes);
            // One more character of any size and one digit less would not have fitted.
            prop_assert!(index + 1 == chunks.len() || wire.len() + 8 > max_bytes, "{} of {}", wire.len(), max_bytes);
            prop_assert_eq!(Event::from_json(&wire).unwrap(), Event::Delta(chunk.clone()));
            prop_assert_eq!(chunk.content.is_last_chunk, Some(index + 1 == chunks.len()));
        }

        let mut order: Vec<usize> = disorder.iter().map(|index| index.index(chunks.len())).collect();
        order.extend((0..chunks.len()).rev());
        order.extend(0..chunks.len());
        let mut assembler = ChunkAssembler::new();
        let (mut seen, mut events) = (HashSet::new(), Vec::new());
        for index in order {
            let outcome = assembler.push(&chunks[index]).unwrap();
            prop_assert!(!outcome.last_flag_wrong && outcome.given_up.is_empty());
            prop_assert_eq!(matches!(outcome.progress, ChunkProgress::Repeated), !seen.insert(index));
            events.extend(outcome.into_rebuilt());
        }
        prop_assert_eq!(events.len(), 1);
        prop_assert_eq!(&events[0].text, &whole);
        prop_assert_eq!(events[0].event().unwrap(), event);
        prop_assert!(assembler.unfinished().is_empty());
    }
}
