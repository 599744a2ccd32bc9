//! What is not public: places in the stream, and pairs of surrogates that were cut in two.

use std::sync::Arc;

use proptest::prelude::*;

use super::assembler::{ChunkAssembler, ChunkProgress};
use super::error::ChunkError;
use super::fragment::{Fragment, count};
use super::rebuilt::{Rebuilt, Source};
use crate::wire::Integer;
use crate::wire::span::{Location, Segment};
use crate::wire::text::Text;

fn literal(raw: &str) -> Text<'_> {
    Text { raw, escaped: raw.contains('\\') }
}

fn fragment<'a>(index: usize, total: usize, raw: &'a str, source: Source<'a>) -> Fragment<'a> {
    Fragment {
        received_type: "x_delta_sse",
        chunk_id: "c",
        index: Some(index as u64),
        total: Some(total as u64),
        original_type: "x",
        data: literal(raw),
        is_last: None,
        source,
    }
}

/// Pushes literals as the fragments of one event.
fn joined(literals: &[&str]) -> (ChunkAssembler, Rebuilt) {
    let mut assembler = ChunkAssembler::new();
    let mut rebuilt = None;
    for (index, raw) in literals.iter().enumerate() {
        let outcome = assembler.push_fragment(fragment(index, literals.len(), raw, Source::Unknown)).unwrap();
        rebuilt = outcome.into_rebuilt();
    }
    (assembler, rebuilt.unwrap())
}

/// Where a byte of a stream stands, counted from the beginning.
fn location(stream: &str, offset: usize) -> Location {
    let before = &stream[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Location {
        offset: offset as u64,
        line: before.matches('\n').count() as u64 + 1,
        column: before[line_start..].chars().count() as u64 + 1,
    }
}

#[test]
fn halves_of_pairs_are_joined() {
    for (literals, text) in [
        (&[r"a\ud83d", r"\ude00b"][..], "a\u{1F600}b"),
        (&[r"\ud83d", "", r"\ude00"], "\u{1F600}"),
        (&[r"\ud83d\ude00", r"\n"], "\u{1F600}\n"),
        (&[r"\ud83d", r"\ude00\ud83d", r"\ude01"], "\u{1F600}\u{1F601}"),
        // Halves without the other one.
        (&[r"\ud83d", "x"], r"\ud83dx"),
        (&[r"\ud83d", r"\ud83d"], r"\ud83d\ud83d"),
        (&[r"\ude00", r"\ud83d"], r"\ude00\ud83d"),
        (&[r"\\\ude00"], "\\\u{FFFD}"),
        (&[r"\\\\\ude00"], r"\\\ude00"),
        // A backslash and a letter are no escape.
        (&[r"\\", "ud83d"], r"\ud83d"),
    ] {
        let (mut assembler, rebuilt) = joined(literals);
        assert_eq!(rebuilt.text, text, "{literals:?}");
        for (index, raw) in literals.iter().enumerate() {
            let again = assembler.push_fragment(fragment(index, literals.len(), raw, Source::Unknown)).unwrap();
            assert!(matches!(again.progress, ChunkProgress::Repeated), "{literals:?} {index}");
        }
    }
}

#[test]
fn equal_data_may_be_escaped_otherwise() {
    let pairs = [("é/", r"\u00e9\/"), ("\u{1F600}", r"\ud83d\ude00"), (r"\n", r"\u000A"), (r"\ud83d", r"\uD83D")];
    for (data, same) in pairs {
        for (data, same) in [(data, same), (same, data)] {
            let mut assembler = ChunkAssembler::new();
            let mut push = |index, raw| assembler.push_fragment(fragment(index, 2, raw, Source::Unknown));
            push(0, data).unwrap();
            assert!(matches!(push(0, same).unwrap().progress, ChunkProgress::Repeated), "{data} open");
            assert_eq!(push(0, "other").unwrap_err(), ChunkError::IndexConflict);
            assert!(matches!(push(1, "").unwrap().progress, ChunkProgress::Rebuilt(_)));
            assert!(matches!(push(0, same).unwrap().progress, ChunkProgress::Repeated), "{data} complete");
            assert_eq!(push(0, "other").unwrap_err(), ChunkError::IndexConflict);
        }
    }
}

#[test]
fn numbers_of_any_size_are_counts() {
    for (text, expected) in [
        ("0", Some(0)),
        ("-0", Some(0)),
        ("3.0", Some(3)),
        ("1e3", Some(1000)),
        ("-1", None),
        ("-1e30", None),
        ("18446744073709551615", Some(u64::MAX)),
        ("1e30", Some(u64::MAX)),
    ] {
        assert_eq!(count(&serde_json::from_str::<Integer>(text).unwrap()), expected, "{text}");
    }
}

#[test]
fn nothing_is_where_nothing_was_said() {
    let (_, rebuilt) = joined(&["{", r"\n}"]);
    assert_eq!(rebuilt.place(1), None);
    let (_, rebuilt) = joined(&["", ""]);
    assert_eq!(rebuilt.place(0), None);
}

#[test]
fn places_in_an_event_of_several_lines() {
    // The literal itself is cut by a segment, as a framing of its own may do.
    let text = r#"{"d":"ab\ncd"}"#;
    let segments = [Segment::new(0, 100, 3, 7), Segment::new(8, 200, 4, 7)];
    let source = Source::Stream { text: text.as_bytes(), segments: &segments, at: 6 };
    let mut assembler = ChunkAssembler::new();
    let outcome = assembler.push_fragment(fragment(0, 1, r"ab\ncd", source)).unwrap();
    let rebuilt = outcome.into_rebuilt().unwrap();
    let place = |at| rebuilt.place(at).map(|place| (place.offset, place.line, place.column));
    assert_eq!(place(1), Some((107, 3, 14)));
    assert_eq!(place(2), Some((200, 4, 7)));
    assert_eq!(place(3), Some((202, 4, 9)));
}

#[test]
fn places_in_fragments_of_fragments() {
    let inner = r#"{"type":"x","a":"\u00e9\nMARK"}"#;
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let inner_event = format!(r#"{{"type":"x_delta_sse","original_event_type":"x","chunk_data":{}}}"#, quoted(inner));
    let outer = quoted(&inner_event);
    let stream = format!("data: {{\"chunk_data\":{outer}}}");
    let cut = stream.find("MARK").unwrap() - 3;
    let mut assembler = ChunkAssembler::new();
    let start = stream.find(&outer).unwrap() + 1;
    let end = start + outer.len() - 2;
    let mut rebuilt = None;
    for (index, (from, to)) in [(start, cut), (cut, end)].into_iter().enumerate() {
        let source = Source::Stream { text: stream.as_bytes(), segments: &[], at: from };
        let outer = Fragment {
            received_type: "x_delta_sse_delta_sse",
            original_type: "x_delta_sse",
            ..fragment(index, 2, &stream[from..to], source)
        };
        rebuilt = assembler.push_fragment(outer).unwrap().into_rebuilt();
    }
    let rebuilt = Arc::new(rebuilt.unwrap());
    assert_eq!(rebuilt.text, inner_event);

    let literal = quoted(inner);
    let raw = &literal[1..literal.len() - 1];
    let source = Source::Rebuilt { outer: &rebuilt, at: inner_event.find(raw).unwrap() };
    // The id of the outer group is no hindrance.
    let whole = assembler.push_fragment(fragment(0, 1, raw, source)).unwrap().into_rebuilt().unwrap();
    assert_eq!(whole.text, inner);
    for (text, shown, skipped) in [("MARK", "MARK", 0), ("ARK", "ARK", 0), ("x", r#"\\\"x"#, 4)] {
        let expected = location(&stream, stream.find(shown).unwrap() + skipped);
        assert_eq!(whole.place(inner.find(text).unwrap()), Some(expected), "{text}");
    }
}

/// A character in a literal: its escapes, each of which may end a fragment.
fn units(c: char, style: u8) -> Vec<String> {
    let short = match c {
        '\n' => Some("\\n"),
        '"' => Some("\\\""),
        '\\' => Some("\\\\"),
        _ => None,
    };
    match (style, short) {
        (0, None) if c >= ' ' => vec![c.to_string()],
        (0 | 1, Some(short)) => vec![short.to_owned()],
        _ => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    }
}

proptest! {
    #[test]
    fn every_character_has_its_place(
        chars in prop::collection::vec((prop_oneof![any::<char>(), "[ -~]".prop_map(|s| s.chars().next().unwrap_or('x')),
            Just('\n'), Just('\\'), Just('\u{1F600}'), Just('é')], 0_u8..3), 1..60),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let text: String = chars.iter().map(|(c, _)| *c).collect();
        // Each unit, and the byte of the text where the character begins if it is its first.
        let mut all: Vec<(String, Option<usize>)> = Vec::new();
        let mut at = 0;
        for (c, style) in &chars {
            for (index, unit) in units(*c, *style).into_iter().enumerate() {
                all.push((unit, (index == 0).then_some(at)));
            }
            at += c.len_utf8();
        }
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(all.len() + 1)).chain([0, all.len()]).collect();
        cuts.sort_unstable();
        let total = cuts.len() - 1;

        let (mut stream, mut literals, mut expected) = (String::new(), Vec::new(), Vec::new());
        for range in cuts.windows(2) {
            stream += "event: é\ndata: ";
            let event = stream.len();
            stream += "{\"é\":\"";
            let start = stream.len();
            for (unit, place) in &all[range[0]..range[1]] {
                expected.extend(place.map(|at| (at, stream.len())));
                stream += unit;
            }
            literals.push((event, start, stream.len()));
            stream += "\"}\n\n";
        }

        let mut assembler = ChunkAssembler::new();
        let mut rebuilt = None;
        for (index, (event, start, end)) in literals.iter().enumerate() {
            let place = location(&stream, *event);
            let segments = [Segment::new(0, place.offset, place.line, place.column)];
            let source =
                Source::Stream { text: &stream.as_bytes()[*event..*end], segments: &segments, at: start - event };
            let outcome = assembler.push_fragment(fragment(index, total, &stream[*start..*end], source)).unwrap();
            rebuilt = outcome.into_rebuilt();
        }
        let rebuilt = rebuilt.unwrap();
        prop_assert_eq!(&rebuilt.text, &text);
        let mut places = rebuilt.places();
        for (at, offset) in &expected {
            prop_assert_eq!(rebuilt.place(*at), Some(location(&stream, *offset)), "{} alone", at);
            prop_assert_eq!(places.place(*at), Some(location(&stream, *offset)), "{} in turn", at);
        }
        for (at, offset) in expected.iter().rev() {
            prop_assert_eq!(places.place(*at), Some(location(&stream, *offset)), "{} backwards", at);
        }
    }
}
