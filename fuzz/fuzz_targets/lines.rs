//! The splitter of JSON lines against the cuts of the whole text.
#![no_main]

use agent_contracts::stream::lines::{DEFAULT_LINE_BYTES, Line, LineSplitter};
use agent_contracts_fuzz::draw::Draw;
use libfuzzer_sys::fuzz_target;

#[derive(Debug, PartialEq)]
enum Seen {
    Text { bytes: Vec<u8>, offset: u64, line: u64, ended: bool },
    TooLarge { offset: u64, line: u64 },
}

fuzz_target!(|data: &[u8]| {
    let mut draw = Draw::of(data);
    for limit in [DEFAULT_LINE_BYTES, draw.below(40)] {
        let expected = cut(limit, data);
        assert_eq!(split(limit, &[data]), expected);
        assert_eq!(split(limit, &draw.pieces(data)), expected, "in pieces");
    }
});

fn split(limit: usize, pieces: &[&[u8]]) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut take = |line: Line<'_>| {
        seen.push(match line {
            Line::Text { bytes, place, ended } => {
                Seen::Text { bytes: bytes.to_vec(), offset: place.offset, line: place.line, ended }
            }
            Line::TooLarge(place) => Seen::TooLarge { offset: place.offset, line: place.line },
            _ => unreachable!("the splitter gives nothing else"),
        });
    };
    let mut splitter = LineSplitter::with_limit(limit);
    for piece in pieces {
        splitter.push(piece, &mut take);
    }
    splitter.finish(&mut take);
    seen
}

/// What is between line feeds, but for blank lines, the mark at the beginning, and the CR of
/// a CRLF.
fn cut(limit: usize, data: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    let (mut offset, mut line) = (0, 0);
    for whole in data.split_inclusive(|byte| *byte == b'\n') {
        let start = offset;
        offset += whole.len() as u64;
        line += 1;
        let bytes = whole.strip_suffix(b"\n").unwrap_or(whole);
        let ended = bytes.len() < whole.len();
        if bytes.len() > limit {
            seen.push(Seen::TooLarge { offset: start, line });
            continue;
        }
        let unmarked = bytes.strip_prefix("\u{FEFF}".as_bytes()).filter(|_| start == 0).unwrap_or(bytes);
        let offset = start + (bytes.len() - unmarked.len()) as u64;
        if !unmarked.iter().all(u8::is_ascii_whitespace) {
            let bytes = unmarked.strip_suffix(b"\r").unwrap_or(unmarked).to_vec();
            seen.push(Seen::Text { bytes, offset, line, ended });
        }
    }
    seen
}
