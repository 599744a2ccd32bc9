//! A JSON document as a stream: the events that lie in it, one after another.

use super::reader::Reader;
use crate::check::Input;
use crate::wire::bytes::utf8;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use crate::wire::span::{Location, Segment};

/// A piece of a document.
pub(crate) enum Piece<'a> {
    /// An event, and where it stands.
    Event(Input<'a>, Segment),
    /// From here on the text is no JSON.
    Broken(&'a [u8], Segment),
}

impl<'a> Piece<'a> {
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Event(input, _) => input.bytes(),
            Self::Broken(bytes, _) => bytes,
        }
    }
}

/// The bytes without a byte order mark, and where they begin.
pub(crate) fn without_mark(document: &[u8], start: Segment) -> (&[u8], Segment) {
    match document.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => (rest, Segment { offset: start.offset + 3, ..start }),
        None => (document, start),
    }
}

/// Gives the elements of an array, those of the member `events` of an object that has no
/// type of its own, or else the one value that the document is. An event that the reader
/// takes is not looked through for its end.
#[expect(clippy::indexing_slicing, reason = "the cursor does not pass the end of the text that it reads")]
pub(super) fn pieces(document: &[u8], start: Segment, reader: &mut impl for<'p> Reader<Piece<'p>>) {
    let (bytes, start) = without_mark(document, start);
    if bytes.trim_ascii().is_empty() {
        return;
    }
    let Some((text, mut cursor)) = utf8(bytes).ok().and_then(|text| Some((text, list_in(text)?))) else {
        return reader.read(Piece::Event(Input::event_bytes(bytes), start));
    };
    let mut passed = 0;
    let mut location = Location { offset: start.offset, line: start.line, column: start.column };
    // Places are asked for in their order.
    let mut place = |offset: usize| {
        location.pass(bytes, passed..offset);
        passed = offset;
        Segment::at(location)
    };
    let is_array = bytes.trim_ascii_start().starts_with(b"[");
    let mut first = true;
    if cursor.open(b'[').is_err() {
        return reader.read(Piece::Event(Input::event(text), start));
    }
    loop {
        let before = cursor.offset();
        let more = cursor.element(&mut first);
        let _ = cursor.kind();
        let at = cursor.offset();
        if let (Ok(true), Some(rest)) = (&more, text.get(at..))
            && let Some(length) = reader.take(rest, place(at), usize::MAX, goes_on)
        {
            cursor.go_to(at + length);
            continue;
        }
        let raw = match more {
            Ok(false) => break,
            Ok(true) => element(&mut cursor),
            Err(error) => Err(error),
        };
        if let Ok(raw) = raw {
            reader.read(Piece::Event(Input::event(raw), place(at)));
        } else {
            let from = if more.is_ok() { at } else { before };
            return reader.read(Piece::Broken(&bytes[from..], place(from)));
        }
    }
    if let Err(error) = end(&mut cursor, is_array) {
        reader.read(Piece::Broken(&bytes[error.offset..], place(error.offset)));
    }
}

/// Passes over what follows the list, up to the end of the document.
fn end(cursor: &mut Cursor<'_>, is_array: bool) -> Result<(), SyntaxError> {
    let mut first = false;
    while !is_array && cursor.member(&mut first)?.is_some() {
        cursor.skip()?;
    }
    cursor.end()
}

/// Passes over an element. Whether it is JSON shows when it is checked, if only its brackets are right: it ends with its
/// own, and what follows may stand behind it.
fn element<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, SyntaxError> {
    let mut ahead = *cursor;
    let passed = ahead.passed();
    let rest = cursor.text().as_bytes().get(ahead.offset()..).unwrap_or_default();
    let ends = |raw: &str| match raw.as_bytes() {
        [b'{', .., last] => *last == b'}',
        [b'[', .., last] => *last == b']',
        _ => true,
    };
    if passed.is_ok_and(ends) && goes_on(rest).is_some() {
        *cursor = ahead;
        return passed;
    }
    cursor.raw()
}

/// Whether the list goes on, or ends, behind an element; what stands between belongs to neither.
fn goes_on(behind: &[u8]) -> Option<usize> {
    matches!(behind.trim_ascii_start(), [b',' | b']', ..]).then_some(0)
}

/// A cursor before the list of events of a document.
fn list_in(text: &str) -> Option<Cursor<'_>> {
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    if cursor.kind() == Ok(Kind::Array) {
        return Some(cursor);
    }
    let mut list = None;
    let mut first = true;
    cursor.open(b'{').ok()?;
    while let Ok(Some(key)) = cursor.member(&mut first) {
        let kind = cursor.kind().ok()?;
        match &*key.lossy() {
            // It is an event itself, or a response with events.
            "type" | "eventClass" | "schemaVersion" | "success" | "next_offset" => return None,
            "events" if kind == Kind::Array => list = Some(cursor),
            _ => {}
        }
        if cursor.skip().is_err() {
            break;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::reader::Told;
    use super::*;

    fn shown(document: &str) -> Vec<String> {
        let mut seen = Vec::new();
        let mut show = Told(|piece: Piece<'_>| {
            let (name, bytes, place) = match piece {
                Piece::Event(input, place) => ("event", input.bytes(), place),
                Piece::Broken(bytes, place) => ("broken", bytes, place),
            };
            seen.push(format!("{name} {} at {}:{}", String::from_utf8_lossy(bytes), place.line, place.column));
        });
        pieces(document.as_bytes(), Segment::WHOLE, &mut show);
        seen
    }

    #[test]
    fn events_of_documents() {
        for (document, expected) in [
            ("", &[][..]),
            (" {\"type\":\"A\"}", &["event  {\"type\":\"A\"} at 1:1"]),
            ("[1,\n 2]", &["event 1 at 1:2", "event 2 at 2:2"]),
            ("[{1},2]", &["event {1} at 1:2", "event 2 at 1:6"]),
            ("[{1]},2]", &["broken {1]},2] at 1:2"]),
            ("[{1,2]", &["broken {1,2] at 1:2"]),
            ("{\"events\":[1, {2],\"a\":1}", &["event 1 at 1:12", "broken {2],\"a\":1} at 1:15"]),
            ("[1,]", &["event 1 at 1:2", "broken ] at 1:4"]),
            ("[1] x", &["event 1 at 1:2", "broken x at 1:5"]),
            ("{\"run\":\"r\",\"events\":[{}, 7]}", &["event {} at 1:22", "event 7 at 1:26"]),
            ("{\"events\":[{}, nope", &["event {} at 1:12", "broken nope at 1:16"]),
            ("{\"events\":[1],\"a\":[{}]} ", &["event 1 at 1:12"]),
            ("{\"events\":[1]", &["event 1 at 1:12", "broken  at 1:14"]),
            ("{\"events\":[1],\"a\":[@}", &["event 1 at 1:12", "broken @} at 1:20"]),
            ("{\"events\":[1]} {", &["event 1 at 1:12", "broken { at 1:16"]),
            ("{\"type\":\"A\",\"events\":[1]}", &["event {\"type\":\"A\",\"events\":[1]} at 1:1"]),
            ("{\"events\":7}", &["event {\"events\":7} at 1:1"]),
            ("{\"success\":true,\"events\":[1]}", &["event {\"success\":true,\"events\":[1]} at 1:1"]),
        ] {
            assert_eq!(shown(document), expected, "{document}");
        }
    }
}
