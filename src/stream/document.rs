//! A JSON document as a stream: the events that lie in it, one after another.

use std::ops::Range;

use super::framing::MARK;
use super::lines::valid_prefix;
use super::reader::Reader;
use crate::check::Input;
use crate::wire::bytes::utf8;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError, SyntaxKind};
use crate::wire::span::{Location, Segment};

/// A piece of a document.
pub(crate) enum Piece<'a> {
    /// An event, and where it stands.
    Event(Input<'a>, Segment),
    /// An object that has a list of events, where that stands, and where the object begins.
    Around(&'a str, Range<usize>, Segment),
    /// From here on it is no JSON, for this reason, or ends there where it is no text any more.
    Broken(&'a [u8], Segment, SyntaxError),
    /// From here on it is not read: an event is too large.
    TooLarge(Segment),
}

impl<'a> Piece<'a> {
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Event(input, _) => input.bytes(),
            Self::Broken(bytes, ..) => bytes,
            Self::Around(text, ..) => text.as_bytes(),
            Self::TooLarge(_) => &[],
        }
    }
}

/// How many bytes may be held that have not been read: of a document that is no list, and of an element of a list.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) whole: usize,
    pub(super) element: usize,
}

/// A document that comes in pieces: a list is read as it comes, anything else when it is whole.
pub(super) struct Document {
    /// What has not been read yet.
    bytes: Vec<u8>,
    /// Where the document begins.
    start: Segment,
    kind: DocumentKind,
}

enum DocumentKind {
    /// Nothing but white space has come.
    Unknown,
    /// Whatever it is, it is wanted whole.
    Whole,
    List(List),
    /// It was too large, and what comes belongs to what was dropped.
    Dropped,
}

impl Document {
    /// A document of events.
    pub(super) const fn of_events(start: Segment) -> Self {
        Self { bytes: Vec::new(), start, kind: DocumentKind::Unknown }
    }

    /// A document that is one value.
    pub(super) const fn whole(start: Segment) -> Self {
        Self { bytes: Vec::new(), start, kind: DocumentKind::Whole }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
    }

    pub(super) const fn is_dropped(&self) -> bool {
        matches!(self.kind, DocumentKind::Dropped)
    }

    /// What has not been read, and where the document begins.
    pub(super) fn take(&mut self) -> (Vec<u8>, Segment) {
        (std::mem::take(&mut self.bytes), self.start)
    }

    /// The text of a document that has neither an event nor a list of some.
    #[cfg(feature = "cli")]
    pub(super) fn nothing_in(&self) -> Option<&'static [u8]> {
        let (text, _) = without_mark(&self.bytes, self.start);
        let is_blank = text.trim_ascii().is_empty();
        match &self.kind {
            DocumentKind::List(list) => {
                (list.expects == Expected::End && !list.has_events && is_blank).then_some(b"[]")
            }
            DocumentKind::Unknown | DocumentKind::Whole => is_blank.then_some(b""),
            DocumentKind::Dropped => None,
        }
    }

    /// Takes the next bytes. If more of them have not been read than there is room for, they are dropped. Gives where the
    /// document begins if nothing of it was read.
    #[expect(clippy::indexing_slicing, reason = "the list begins within the bytes that it was found in")]
    pub(super) fn push_to(
        &mut self,
        bytes: &[u8],
        room: Room,
        reader: &mut impl for<'p> Reader<Piece<'p>>,
    ) -> Option<Segment> {
        let bytes = self.without_space(bytes);
        let begins = |byte: &u8| !byte.is_ascii_whitespace() && !MARK.contains(byte);
        let mut most = room.whole;
        match &mut self.kind {
            DocumentKind::Dropped => return None,
            DocumentKind::Unknown if bytes.iter().any(begins) => {
                self.bytes.extend_from_slice(bytes);
                let begun = std::mem::take(&mut self.bytes);
                if let Some((list, behind)) = List::begun(&begun, self.start) {
                    self.kind = DocumentKind::List(list);
                    return self.push_to(&begun[behind..], room, reader);
                }
                (self.bytes, self.kind) = (begun, DocumentKind::Whole);
            }
            DocumentKind::List(list) => {
                list.feed(&mut self.bytes, bytes, room.element, reader);
                most = room.element;
            }
            DocumentKind::Unknown | DocumentKind::Whole => self.bytes.extend_from_slice(bytes),
        }
        if self.bytes.len() > most { self.drop_rest(most, reader) } else { None }
    }

    /// Passes over the white space before a document, which may be of any length.
    fn without_space<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        if !matches!(self.kind, DocumentKind::Unknown) || !self.bytes.is_empty() {
            return bytes;
        }
        let space = bytes.iter().position(|byte| !is_space(*byte)).unwrap_or(bytes.len());
        let mut at = self.start.location();
        at.pass(bytes, 0..space);
        self.start = Segment::at(at);
        bytes.get(space..).unwrap_or_default()
    }

    /// Forgets what is too large; where the document begins if nothing of it was read.
    fn drop_rest(&mut self, most: usize, reader: &mut impl for<'p> Reader<Piece<'p>>) -> Option<Segment> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(most);
        match std::mem::replace(&mut self.kind, DocumentKind::Dropped) {
            DocumentKind::List(mut list) => {
                if list.is_broken {
                    list.read(&bytes, true, reader);
                } else {
                    reader.read(Piece::TooLarge(Segment::at(list.at)));
                }
                None
            }
            _ => Some(self.start),
        }
    }

    /// Ends the document, unless it is wanted as one value.
    pub(super) fn finish_to(&mut self, reader: &mut impl for<'p> Reader<Piece<'p>>) {
        let (bytes, start) = self.take();
        match &mut self.kind {
            DocumentKind::List(list) => {
                list.read(&bytes, true, reader);
            }
            _ => pieces(&bytes, start, reader),
        }
    }
}

/// What JSON takes for white space.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// The bytes without a byte order mark, and where they begin.
pub(crate) fn without_mark(document: &[u8], start: Segment) -> (&[u8], Segment) {
    match document.strip_prefix(MARK) {
        Some(rest) => (rest, Segment { offset: start.offset + MARK.len() as u64, ..start }),
        None => (document, start),
    }
}

/// Gives the elements of an array, those of the member `events` of an object that has no
/// type of its own, or else the one value that the document is.
pub(super) fn pieces(document: &[u8], start: Segment, reader: &mut impl for<'p> Reader<Piece<'p>>) {
    if let Some((mut list, behind)) = List::begun(document, start) {
        list.read(document.get(behind..).unwrap_or_default(), true, reader);
        return;
    }
    let (bytes, start) = without_mark(document, start);
    if bytes.trim_ascii().is_empty() {
        return;
    }
    match utf8(bytes).ok().and_then(|text| Some((text, list_in(text)?))) {
        Some((text, list)) => {
            let (before, behind) = bytes.split_at(list.start + 1);
            reader.read(Piece::Around(text, list, start));
            List::behind(before, start, true).read(behind, true, reader);
        }
        None => reader.read(Piece::Event(Input::event_bytes(bytes), start)),
    }
}

/// What comes next in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The first event, or the end.
    First,
    /// A comma, or the end.
    Comma,
    /// An event, behind a comma.
    Event,
    /// What follows the list.
    End,
    /// Nothing: what was wrong has been said.
    Nothing,
}

/// The events of a list.
struct List {
    /// Where what has not been read begins.
    at: Location,
    expects: Expected,
    has_events: bool,
    /// Whether it is a member of an object.
    is_member: bool,
    /// It cannot be read on, which is said with all that follows.
    is_broken: bool,
    /// How far the event has been looked through that has begun.
    ahead: Ahead,
}

impl List {
    /// The list that a document is, and how many bytes lead up to its first event.
    fn begun(document: &[u8], start: Segment) -> Option<(Self, usize)> {
        let (text, start) = without_mark(document, start);
        let bracket = text.iter().position(|byte| !is_space(*byte))?;
        let before = text.get(..=bracket).filter(|before| before.ends_with(b"["))?;
        Some((Self::behind(before, start, false), document.len() - text.len() + before.len()))
    }

    /// The list behind the text that stands before its first event.
    fn behind(before: &[u8], start: Segment, is_member: bool) -> Self {
        let mut at = start.location();
        at.pass(before, 0..before.len());
        let (expects, ahead) = (Expected::First, Ahead::default());
        Self { at, expects, has_events: false, is_member, is_broken: false, ahead }
    }

    /// Takes the next bytes, up to where more than `most` are held: what is too large does not depend on how the list is
    /// cut.
    #[expect(clippy::indexing_slicing, reason = "more bytes than that are held")]
    fn feed(&mut self, held: &mut Vec<u8>, bytes: &[u8], most: usize, reader: &mut impl for<'p> Reader<Piece<'p>>) {
        for piece in bytes.chunks(most.max(1)) {
            self.take(held, piece, most, reader);
            // Where it is broken may show in what is there by now.
            while held.len() > most {
                let read = self.read(&held[..most], false, reader);
                if read == 0 {
                    return;
                }
                let rest = held.split_off(read);
                held.clear();
                self.feed(held, &rest, most, reader);
            }
        }
    }

    /// Reads what is whole of the next bytes, behind those that are `held`, and holds the rest. An event has up to
    /// `most` bytes, with what is needed to know its end.
    #[expect(clippy::indexing_slicing, reason = "what is read, or ends an event, lies in the bytes that were given")]
    fn take(&mut self, held: &mut Vec<u8>, mut bytes: &[u8], most: usize, reader: &mut impl for<'p> Reader<Piece<'p>>) {
        while !held.is_empty() && !self.is_broken {
            let Some(end) = self.ahead.ends_in(bytes).filter(|end| held.len() + end <= most) else { break };
            held.extend_from_slice(&bytes[..end]);
            held.drain(..self.read(held, false, reader));
            bytes = &bytes[end..];
        }
        if held.is_empty() {
            bytes = &bytes[self.read(bytes, false, reader)..];
            self.ahead = Ahead::default();
            self.ahead.ends_in(bytes);
        }
        held.extend_from_slice(bytes);
    }

    /// Reads what is whole of the rest of the list, and all of it if it is the last; how many bytes that is. An event
    /// that the reader takes is not looked through for its end.
    #[expect(clippy::indexing_slicing, reason = "the cursor does not pass the end of the text that it reads")]
    fn read(&mut self, bytes: &[u8], is_last: bool, reader: &mut impl for<'p> Reader<Piece<'p>>) -> usize {
        if !is_last && self.is_broken {
            return 0;
        }
        let text = valid_prefix(bytes);
        let mut cursor = Cursor::new(text, MAX_DEPTH);
        let (mut at, mut passed) = (self.at, 0);
        // Places are asked for in their order.
        let mut place = |offset: usize| {
            at.pass(bytes, passed..offset);
            passed = offset;
            Segment::at(at)
        };
        let (before, failed) = loop {
            let before = cursor.offset();
            let is_event = match self.expects {
                Expected::Nothing => return bytes.len(),
                Expected::End => break (before, self.end(&mut cursor).err()),
                Expected::Event => Ok(true),
                Expected::First => cursor.element(&mut true),
                Expected::Comma => cursor.element(&mut false),
            };
            self.expects = match is_event {
                Ok(true) => Expected::Event,
                Ok(false) => Expected::End,
                // White space is passed over, and a comma is not where it is wrong.
                Err(error) => break (cursor.offset(), Some(error)),
            };
            if self.expects == Expected::End {
                continue;
            }
            let _ = cursor.kind();
            let at = cursor.offset();
            if let Some(length) = text.get(at..).and_then(|rest| reader.take(rest, place(at), usize::MAX, goes_on)) {
                cursor.go_to(at + length);
            } else {
                match element(&mut cursor, is_last) {
                    Ok(raw) => reader.read(Piece::Event(Input::event(raw), place(at))),
                    Err(error) => break (at, Some(error)),
                }
            }
            (self.expects, self.has_events) = (Expected::Comma, true);
        };
        let is_text = text.len() == bytes.len();
        let error = match failed {
            Some(error) => error,
            None if is_text => {
                place(bytes.len());
                self.at = at;
                return bytes.len();
            }
            None => SyntaxError { kind: SyntaxKind::UnexpectedEnd, offset: text.len() },
        };
        let before = if self.expects == Expected::End { error.offset } else { before };
        if !is_last {
            place(before);
            self.at = at;
            self.is_broken = error.kind != SyntaxKind::UnexpectedEnd || !(is_text || is_cut(&bytes[text.len()..]));
            return before;
        }
        let rest = &bytes[before..];
        let error = SyntaxError { offset: error.offset - before, ..error };
        self.expects = Expected::Nothing;
        reader.read(Piece::Broken(rest, place(before), error));
        bytes.len()
    }

    /// Passes over what follows the list, up to the end of the document.
    fn end(&self, cursor: &mut Cursor<'_>) -> Result<(), SyntaxError> {
        while self.is_member && cursor.member(&mut false)?.is_some() {
            cursor.skip()?;
        }
        cursor.end()
    }
}

/// Whether bytes are the beginning of a character.
fn is_cut(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Passes over an element. Whether it is JSON shows when it is checked, if only its brackets are right: it ends with its
/// own, and what follows may stand behind it.
fn element<'a>(cursor: &mut Cursor<'a>, is_last: bool) -> Result<&'a str, SyntaxError> {
    let mut ahead = *cursor;
    let passed = ahead.passed();
    let text = cursor.text().as_bytes();
    let behind = |cursor: &Cursor<'_>| text.get(cursor.offset()..).unwrap_or_default();
    let ends = |raw: &str| match raw.as_bytes() {
        [b'{', .., last] => *last == b'}',
        [b'[', .., last] => *last == b']',
        _ => true,
    };
    if passed.is_ok_and(ends) && goes_on(behind(&ahead)).is_some() {
        *cursor = ahead;
        return passed;
    }
    let may_go_on = !is_last && behind(&ahead).trim_ascii().is_empty();
    match cursor.raw() {
        // What ends with its bracket is whole.
        Ok(raw) if !may_go_on || raw.ends_with(['}', ']']) => Ok(raw),
        // What it is, and what follows it, may only show in the next piece.
        _ if may_go_on => Err(SyntaxError { kind: SyntaxKind::UnexpectedEnd, offset: text.len() }),
        broken => broken,
    }
}

/// Looks for the end of an event that comes in pieces, at each byte once.
#[derive(Clone, Copy, Default)]
struct Ahead {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Ahead {
    /// Up to where the next bytes go on with the event and end it, or show that it has ended before. What is no JSON
    /// may end elsewhere, which shows when it is read.
    fn ends_in(&mut self, next: &[u8]) -> Option<usize> {
        let at = next.iter().position(|byte| {
            if self.in_string {
                let is_quote = *byte == b'"' && !self.is_escaped;
                self.is_escaped = *byte == b'\\' && !self.is_escaped;
                self.in_string = !is_quote;
                return is_quote && self.depth == 0;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            matches!(byte, b'}' | b']' | b',') && self.depth == 0
        })?;
        Some(at + 1)
    }
}

/// Whether the list goes on, or ends, behind an element; what stands between belongs to neither.
fn goes_on(behind: &[u8]) -> Option<usize> {
    matches!(behind.trim_ascii_start(), [b',' | b']', ..]).then_some(0)
}

/// Where the list of events stands in a document that is an object.
fn list_in(text: &str) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    let mut list = None;
    let mut first = true;
    cursor.open(b'{').ok()?;
    while let Ok(Some(key)) = cursor.member(&mut first) {
        let kind = cursor.kind().ok()?;
        let start = cursor.offset();
        let is_whole = cursor.skip().is_ok();
        match &*key.lossy() {
            // It is an event itself, or a response with events.
            "type" | "eventClass" | "schemaVersion" | "success" | "next_offset" => return None,
            "events" if kind == Kind::Array => list = Some(start..if is_whole { cursor.offset() } else { text.len() }),
            _ => {}
        }
        if !is_whole {
            break;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::reader::Told;
    use super::*;
    use proptest::prelude::*;

    /// What is made of a document that comes in pieces of some length.
    fn shown(document: &[u8], length: usize) -> Vec<String> {
        within(document, length, usize::MAX)
    }

    fn room(most: usize) -> Room {
        Room { whole: most, element: most }
    }

    /// The same where an event has up to `most` bytes.
    fn within(document: &[u8], length: usize, most: usize) -> Vec<String> {
        let mut seen = Vec::new();
        let mut show = Told(|piece: Piece<'_>| {
            let (name, place) = match piece {
                Piece::Event(_, place) => ("event", place),
                Piece::Broken(_, place, _) => ("broken", place),
                Piece::TooLarge(place) => ("too large", place),
                Piece::Around(..) => return,
            };
            let text = String::from_utf8_lossy(piece.bytes());
            seen.push(format!("{name} {text} at {}:{}", place.line, place.column));
        });
        let mut reading = Document::of_events(Segment::WHOLE);
        for piece in document.chunks(length.max(1)) {
            reading.push_to(piece, room(most), &mut show);
        }
        reading.finish_to(&mut show);
        seen
    }

    #[test]
    fn events_of_documents() {
        for (document, expected) in [
            ("", &[][..]),
            (" {\"type\":\"A\"}", &["event {\"type\":\"A\"} at 1:2"]),
            ("\n \u{feff}\n[1]", &["event 1 at 3:2"]),
            ("\u{feff}\n [1]", &["event 1 at 2:3"]),
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
            for length in 1..=document.len().max(1) {
                assert_eq!(shown(document.as_bytes(), length), expected, "{document} in pieces of {length}");
            }
        }
    }

    #[test]
    fn what_is_no_text_ends_a_document() {
        for (document, expected) in [
            (&b"{\"a\":\"\xFF\"}"[..], &["event {\"a\":\"\u{FFFD}\"} at 1:1"][..]),
            (b"[1,\n\"\xFF\",2]", &["event 1 at 1:2", "broken \"\u{FFFD}\",2] at 2:1"]),
            (b"[\xC3,2]", &["broken \u{FFFD},2] at 1:2"]),
            (b"[1] \xC3", &["event 1 at 1:2", "broken \u{FFFD} at 1:5"]),
            (b"\xEF[1]", &["event \u{FFFD}[1] at 1:1"]),
        ] {
            for length in 1..=document.len() {
                assert_eq!(shown(document, length), expected, "{document:?} in pieces of {length}");
            }
        }
    }

    #[test]
    fn what_is_too_large_is_dropped() {
        let dropped = |document: &str, length| {
            let (mut seen, mut begins) = (Vec::new(), None);
            let mut show = Told(|piece: Piece<'_>| match piece {
                Piece::TooLarge(place) => seen.push(format!("too large at {}", place.column)),
                other => seen.push(String::from_utf8_lossy(other.bytes()).into_owned()),
            });
            let mut reading = Document::of_events(Segment::WHOLE);
            for piece in document.as_bytes().chunks(length) {
                begins = begins.or(reading.push_to(piece, room(8), &mut show));
            }
            reading.finish_to(&mut show);
            (seen, begins.map(|place| place.column))
        };
        let told = |seen: &[&str]| seen.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        for length in [1, 3, 8, 100] {
            assert_eq!(
                dropped("[\"12345\",\"12345\",             2]", length),
                (told(&["\"12345\"", "\"12345\"", "2"]), None)
            );
            assert_eq!(dropped("{\"events\":[1]}", length), (told(&[]), Some(1)));
        }
        for length in [1, 3, 8] {
            assert_eq!(dropped("[1,\"123456789abcdef\", 2]", length), (told(&["1", "too large at 4"]), None));
            assert_eq!(dropped("[1,@ 3456789abcdef, 2]", length).0.len(), 2);
        }
    }

    #[test]
    fn an_event_is_read_when_its_bracket_has_come() {
        let mut seen = Vec::new();
        let mut reading = Document::of_events(Segment::WHOLE);
        for (piece, expected) in [
            (" [ {\"a\":\"]}\\\"", 0),
            ("\"}", 1),
            (" ,[", 1),
            ("1] , 2", 2),
            ("3", 2),
            (",{\"a\":NaN", 3),
            ("}", 3),
            (",", 4),
            ("{} {}]", 5),
        ] {
            let mut read = Told(|piece: Piece<'_>| seen.push(String::from_utf8_lossy(piece.bytes()).into_owned()));
            reading.push_to(piece.as_bytes(), room(usize::MAX), &mut read);
            assert_eq!(seen.len(), expected, "{piece}: {seen:?}");
        }
        assert_eq!(seen, ["{\"a\":\"]}\\\"\"}", "[1]", "23", "{\"a\":NaN}", "{}"]);
        reading.finish_to(&mut Told(|piece: Piece<'_>| assert_eq!(piece.bytes(), b"{}]")));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 4000 }))]

        #[test]
        fn a_list_in_pieces_is_read_as_it_is_whole(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    &b"{\"type\":\"A\"}"[..], b",", b",", b",", b"]", b"[", b"1", b"-", b"tru", b"true", b"\"a", b"\"",
                    b"\\", b"\n", b" ", b"{", b"}", b":", b"\xC3\xA9", b"\xC3", b"\xF0\x9F\x98\x80",
                ]),
                0..14,
            ),
            lengths in prop::collection::vec(1_usize..40, 1..4),
            most in prop_oneof![Just(usize::MAX), 1_usize..30],
        ) {
            let document = [b"[", &parts.concat()[..]].concat();
            let whole = within(&document, usize::MAX, most);
            for length in lengths {
                prop_assert_eq!(within(&document, length, most), whole.clone());
            }
        }
    }
}
