//! The parser of server-sent events against a reader of whole streams, written line by line
//! from the text of the standard: messages, places, and what the standard passes over.
#![no_main]

use agent_contracts::check::{Field, LineEnding};
use agent_contracts::stream::sse::{Item, Parser, write_frame};
use agent_contracts_fuzz::draw::Draw;
use libfuzzer_sys::fuzz_target;

/// A text, and where it begins in the stream: offset, line and column.
type Placed = (Vec<u8>, u64, u64, u64);

#[derive(Debug, PartialEq)]
enum Seen {
    Message {
        event: Option<Placed>,
        id: Option<Placed>,
        last_event_id: Vec<u8>,
        data: Vec<u8>,
        /// Where the lines of the data begin: in the data, and in the stream.
        lines: Vec<(usize, u64, u64, u64)>,
        ending: Option<LineEnding>,
        bare: bool,
    },
    Retry(u64),
    Unknown(Placed),
    TooLarge(u64),
}

fuzz_target!(|data: &[u8]| {
    let mut draw = Draw::of(data);
    let expected = by_the_standard(data);
    assert_eq!(parsed(Parser::new(), &[data]), expected);
    assert_eq!(parsed(Parser::new(), &draw.pieces(data)), expected, "in pieces");
    let narrow = 3 + draw.below(40);
    let pieces = draw.pieces(data);
    assert_eq!(parsed(Parser::with_limit(narrow), &pieces), parsed(Parser::with_limit(narrow), &[data]), "of {narrow}");
    written(&String::from_utf8_lossy(data));
});

fn parsed(mut parser: Parser, pieces: &[&[u8]]) -> Vec<Seen> {
    let placed = |field: Field<'_>| (field.value.to_vec(), field.place.offset, field.place.line, field.place.column);
    let mut seen = Vec::new();
    let mut take = |item: Item<'_>| {
        seen.push(match item {
            Item::Frame(frame) => Seen::Message {
                event: frame.event.map(placed),
                id: frame.id.map(placed),
                last_event_id: frame.last_event_id.to_vec(),
                data: frame.data.to_vec(),
                lines: frame.segments.iter().map(|line| (line.start, line.offset, line.line, line.column)).collect(),
                ending: frame.ending,
                bare: frame.bare,
            },
            Item::Retry(time) => Seen::Retry(time),
            Item::UnknownField(line) => Seen::Unknown(placed(line)),
            Item::TooLarge(place) => Seen::TooLarge(place.offset),
            _ => unreachable!("the parser gives nothing else"),
        });
    };
    for piece in pieces {
        parser.push(piece, &mut take);
    }
    parser.finish(&mut take);
    seen
}

/// The lines of a stream, where each begins, and what ends it; the last one may have no end.
fn lines(stream: &[u8], mut at: usize) -> Vec<(usize, &[u8], Option<LineEnding>)> {
    let mut found = Vec::new();
    while at < stream.len() {
        let length = stream[at..].iter().position(|byte| matches!(byte, b'\r' | b'\n'));
        let end = length.map_or(stream.len(), |length| at + length);
        let ending = match (stream.get(end), stream.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some(LineEnding::CrLf),
            (Some(b'\r'), _) => Some(LineEnding::Cr),
            (Some(_), _) => Some(LineEnding::Lf),
            (None, _) => None,
        };
        found.push((at, &stream[at..end], ending));
        at = end + if ending == Some(LineEnding::CrLf) { 2 } else { 1 };
    }
    found
}

/// What the stream of a message has said so far.
#[derive(Default)]
struct Buffers {
    event: Option<Placed>,
    id: Option<Placed>,
    data: Vec<Placed>,
    /// A `data` line had a colon.
    has_colon: bool,
}

impl Buffers {
    /// The message, unless there is no data.
    fn dispatch(&mut self, last_event_id: &[u8], ending: Option<LineEnding>) -> Option<Seen> {
        let Self { event, id, data, has_colon } = std::mem::take(self);
        let mut start = 0;
        let lines = data.iter().map(|(value, offset, line, column)| {
            let place = (start, *offset, *line, *column);
            start += value.len() + 1;
            place
        });
        let lines: Vec<_> = lines.collect();
        let data: Vec<&[u8]> = data.iter().map(|(value, ..)| value.as_slice()).collect();
        (!data.is_empty()).then(|| Seen::Message {
            event,
            id,
            last_event_id: last_event_id.to_vec(),
            data: data.join(&b'\n'),
            lines,
            ending,
            bare: !has_colon,
        })
    }
}

fn by_the_standard(stream: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut buffers = Buffers::default();
    let mut last_event_id = Vec::new();
    let start = if stream.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
    for (index, (at, line, ending)) in lines(stream, start).into_iter().enumerate() {
        if line.is_empty() {
            if let Some((id, ..)) = &buffers.id {
                last_event_id.clone_from(id);
            }
            seen.extend(buffers.dispatch(&last_event_id, ending));
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let before = line.len() - value.len();
        let placed = |value: &[u8], before: usize| -> Placed {
            (value.to_vec(), (at + before) as u64, index as u64 + 1, before as u64 + 1)
        };
        match name {
            b"" => {}
            b"event" => buffers.event = Some(placed(value, before)),
            b"data" => {
                buffers.data.push(placed(value, before));
                buffers.has_colon |= colon.is_some();
            }
            b"id" if value.contains(&0) => {}
            b"id" => buffers.id = Some(placed(value, before)),
            b"retry" => {
                let digits = std::str::from_utf8(value).unwrap_or_default();
                let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                // A time beyond 64 bits is nobody's.
                seen.extend(digits.parse().ok().filter(|_| is_number).map(Seen::Retry));
            }
            _ => seen.push(Seen::Unknown(placed(line, 0))),
        }
    }
    // The standard discards what no blank line has ended; the parser says so.
    seen.extend(buffers.dispatch(&last_event_id, None));
    seen
}

/// What is written as a frame comes back, but for line breaks and NUL.
fn written(text: &str) {
    let mut stream = String::new();
    write_frame(&mut stream, Some(text), Some(text), text);
    let seen = parsed(Parser::new(), &[stream.as_bytes()]);
    let [Seen::Message { event: Some((event, ..)), last_event_id, data, .. }] = &seen[..] else {
        panic!("{seen:?}");
    };
    let name = text.replace(['\r', '\n', '\0'], "");
    assert_eq!((event.as_slice(), last_event_id.as_slice()), (name.as_bytes(), name.as_bytes()));
    assert_eq!(data, text.replace("\r\n", "\n").replace('\r', "\n").as_bytes());
}
