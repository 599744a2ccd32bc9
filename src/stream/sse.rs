//! Server-sent events: an incremental parser that knows its offsets, and a writer.

use super::framing::MARK;
use super::lines::valid_prefix;
use super::reader::{Reader, Told};
use crate::check::{Field, FrameFields, Input, Limits, LineEnding};
use crate::wire::span::Segment;

/// A frame larger than this is dropped and reported, in bytes: 10 MiB.
///
/// Since 0.1.0.
pub const DEFAULT_FRAME_BYTES: usize = Limits::DEFAULT.frame_bytes;

/// A frame: what a blank line dispatches.
///
/// Since 0.1.0.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// The last `event` line of the frame.
    pub event: Option<Field<'a>>,
    /// The last `id` line of the frame; one with a NUL does not count.
    pub id: Option<Field<'a>>,
    /// The id that a reconnecting client sends: that of this frame, else of an earlier one.
    pub last_event_id: &'a [u8],
    /// The values of the `data` lines, joined by line feeds.
    pub data: &'a [u8],
    /// Where the data stands in the stream, a segment a line.
    pub segments: &'a [Segment],
    /// The line ending of the blank line; `None` when the stream ended instead.
    pub ending: Option<LineEnding>,
    /// Every `data` line is the bare word, without a colon.
    pub bare: bool,
}

impl<'a> Frame<'a> {
    /// The event of the frame, located, with what the frame says of it.
    pub fn input(&self) -> Input<'a> {
        let mut frame = FrameFields::default();
        (frame.name, frame.id) = (self.event, self.id);
        (frame.ending, frame.bare) = (self.ending, self.bare);
        Input::event_bytes(self.data).at(self.segments).in_frame(frame)
    }
}

impl std::fmt::Debug for Frame<'_> {
    /// Shows sizes and places alone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame")
            .field("event", &self.event)
            .field("id", &self.id)
            .field("bytes", &self.data.len())
            .field("ending", &self.ending)
            .finish_non_exhaustive()
    }
}

/// What the parser finds.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item<'a> {
    /// A frame with data. If its `ending` is `None`, the stream ended before the blank
    /// line: the standard discards such a frame.
    Frame(Frame<'a>),
    /// A `retry` line: the reconnection time in milliseconds.
    Retry(u64),
    /// A line whose field name the standard does not know.
    UnknownField(Field<'a>),
    /// A frame larger than the limit began here; its bytes are dropped up to the next blank line.
    TooLarge(Segment),
}

/// An incremental parser: push bytes as they come, in pieces of any size.
///
/// ```
/// use agent_contracts::stream::sse::{Item, Parser};
///
/// let mut parser = Parser::new();
/// let mut seen = Vec::new();
/// for piece in [&b"id: 7\nda"[..], b"ta: {}\r", b"\n\r\n"] {
///     parser.push(piece, |item| {
///         if let Item::Frame(frame) = item {
///             seen.push((frame.last_event_id.to_vec(), frame.data.to_vec()));
///         }
///     });
/// }
/// assert_eq!(seen, [(b"7".to_vec(), b"{}".to_vec())]);
/// ```
///
/// Since 0.1.0.
#[derive(Clone)]
pub struct Parser {
    limit: usize,
    /// The beginning of a line whose end has not come yet.
    partial: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// No `data` line of the frame had a colon.
    bare: bool,
    /// The last `event` and `id` lines of the frame: where their values stand, and whether there are any.
    event: Line,
    id: Line,
    /// The last id of the stream, which outlives its frame.
    last_event_id: Vec<u8>,
    segments: Vec<Segment>,
    /// Where the current line begins.
    line_start: Segment,
    /// Where the current frame begins.
    frame_start: Segment,
    frame_bytes: usize,
    oversize: bool,
    /// The last byte was a CR that ended a line; a LF right after belongs to it.
    after_cr: Option<bool>,
    at_start: bool,
}

/// Which of some bytes are UTF-8, from where a frame begins.
struct Texts<'b> {
    bytes: &'b [u8],
    known: Option<(usize, &'b str)>,
}

impl<'b> Texts<'b> {
    /// The text at a place, as far as it is UTF-8; none where nobody would take it.
    fn from<R: for<'i> Reader<Item<'i>>>(&mut self, at: usize, _: &R) -> Option<&'b str> {
        if !R::TAKES {
            return None;
        }
        let (start, text) = *self.known.get_or_insert_with(|| {
            // The last line may go on within a character.
            let rest = self.bytes.get(at..).unwrap_or_default();
            let whole = memchr::memrchr(b'\n', rest).unwrap_or(0);
            (at, valid_prefix(rest.get(..=whole).unwrap_or_default()))
        });
        text.get(at - start..)
    }
}

/// The value of a field, its buffer kept for the next.
#[derive(Clone, Default)]
struct Line {
    value: Vec<u8>,
    place: Option<Segment>,
}

impl Line {
    fn set(&mut self, value: &[u8], place: Segment) {
        self.value.clear();
        self.value.extend_from_slice(value);
        self.place = Some(place);
    }

    fn field(&self) -> Option<Field<'_>> {
        self.place.map(|place| Field::new(&self.value, place))
    }
}

/// A buffer that a large frame has left larger than this is given back.
const KEPT: usize = 16 * 1024;

impl std::fmt::Debug for Parser {
    /// Shows nothing of the stream.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parser").field("line", &self.line_start.line).finish_non_exhaustive()
    }
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// Gives back the room that large frames have left.
    pub(crate) fn shrink_to_fit(&mut self) {
        for buffer in self.buffers() {
            buffer.shrink_to_fit();
        }
        self.last_event_id.shrink_to_fit();
        self.segments.shrink_to_fit();
    }

    /// What is empty between two frames.
    fn buffers(&mut self) -> [&mut Vec<u8>; 4] {
        [&mut self.data, &mut self.partial, &mut self.event.value, &mut self.id.value]
    }

    /// A parser with the default limit of [`DEFAULT_FRAME_BYTES`].
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_FRAME_BYTES)
    }

    /// A parser that drops frames of more than `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self::starting_at(limit, Segment::WHOLE)
    }

    /// A parser of a stream that begins behind something else, such as HTTP headers.
    pub(crate) fn starting_at(limit: usize, start: Segment) -> Self {
        Self {
            limit,
            partial: Vec::new(),
            data: Vec::new(),
            has_data: false,
            bare: true,
            event: Line::default(),
            id: Line::default(),
            last_event_id: Vec::new(),
            segments: Vec::new(),
            line_start: start,
            frame_start: start,
            frame_bytes: 0,
            oversize: false,
            after_cr: None,
            at_start: true,
        }
    }

    /// The id that a reconnecting client sends as `Last-Event-ID`; empty if none has come.
    /// An `id` line counts at the blank line behind it, with data or without.
    pub fn last_event_id(&self) -> &[u8] {
        &self.last_event_id
    }

    /// Takes the next bytes of the stream and reports what they complete.
    pub fn push(&mut self, bytes: &[u8], report: impl FnMut(Item<'_>)) {
        self.push_to(bytes, &mut Told(report));
    }

    /// The same for whoever reads items.
    #[expect(clippy::indexing_slicing, reason = "`after` begins with the end of a line, which is as wide as was seen")]
    pub(super) fn push_to(&mut self, bytes: &[u8], reader: &mut impl for<'i> Reader<Item<'i>>) {
        let mut texts = Texts { bytes, known: None };
        let mut rest = bytes;
        if let Some(blank) = self.after_cr
            && !rest.is_empty()
        {
            self.after_cr = None;
            let mut ending = LineEnding::Cr;
            if let Some(behind) = rest.strip_prefix(b"\n") {
                rest = behind;
                self.line_start.offset += 1;
                ending = LineEnding::CrLf;
            }
            if blank {
                self.dispatch(Some(ending), reader);
            }
        }
        loop {
            // Nothing of a frame has come, so that the next may be one of a single line.
            while self.frame_bytes == 0
                && let text = texts.from(bytes.len() - rest.len(), reader)
                && let Some(width) = self.single_line(rest, text, reader)
            {
                rest = &rest[width..];
            }
            let Some(at) = memchr::memchr2(b'\n', b'\r', rest) else { break };
            let (line, after) = rest.split_at(at);
            let mut width = 1;
            let mut ending = LineEnding::Lf;
            let mut pending_cr = false;
            if after[0] == b'\r' {
                match after.get(1) {
                    Some(b'\n') => (width, ending) = (2, LineEnding::CrLf),
                    Some(_) => ending = LineEnding::Cr,
                    None => pending_cr = true,
                }
            }
            rest = &after[width..];
            let blank = self.line(line, width as u64, reader);
            if pending_cr {
                self.after_cr = Some(blank);
            } else if blank {
                self.dispatch(Some(ending), reader);
            }
        }
        self.keep_partial(rest, reader);
    }

    /// Reports the frame that begins these bytes if it is whole and a `data` line alone, as most are; its width.
    /// They begin with `text`, where that was asked.
    #[expect(clippy::indexing_slicing, reason = "the end of the line was found in the value")]
    #[inline]
    fn single_line(
        &mut self,
        bytes: &[u8],
        text: Option<&str>,
        reader: &mut impl for<'i> Reader<Item<'i>>,
    ) -> Option<usize> {
        const NAME: &str = "data: ";
        let value = bytes.strip_prefix(NAME.as_bytes()).filter(|_| !self.at_start)?;
        let (behind, line) = (NAME.len() as u64, self.line_start);
        let place = Segment::new(0, line.offset + behind, line.line, line.column + behind);
        let most = self.limit.checked_sub(NAME.len())?;
        let is_end = |bytes: &[u8]| bytes.starts_with(b"\n\n").then_some(2);
        let taken = text.and_then(|text| reader.take(text.strip_prefix(NAME)?, place, most, is_end));
        let width = if let Some(width) = taken {
            width
        } else {
            let end = memchr::memchr2(b'\n', b'\r', value).filter(|end| *end <= most)?;
            let width = end + is_end(&value[end..])?;
            let frame = Frame {
                event: None,
                id: None,
                last_event_id: &self.last_event_id,
                data: &value[..end],
                segments: &[place],
                ending: Some(LineEnding::Lf),
                bare: false,
            };
            reader.read(Item::Frame(frame));
            width
        };
        self.line_start = Segment::new(0, place.offset + width as u64, place.line + 2, 1);
        self.frame_start = self.line_start;
        Some(NAME.len() + width)
    }

    /// Ends the stream: reports a frame that no blank line has closed.
    pub fn finish(&mut self, report: impl FnMut(Item<'_>)) {
        let reader = &mut Told(report);
        if self.after_cr.take() == Some(true) {
            self.dispatch(Some(LineEnding::Cr), reader);
        }
        if !self.partial.is_empty() {
            self.line(&[], 0, reader);
        }
        self.dispatch(None, reader);
    }

    fn keep_partial(&mut self, rest: &[u8], reader: &mut impl for<'i> Reader<Item<'i>>) {
        self.count(rest.len(), reader);
        if !self.oversize {
            self.partial.extend_from_slice(rest);
        } else if self.partial.is_empty() && !rest.is_empty() {
            // Only whether the line is blank matters now, and how long it is.
            self.partial.push(b'?');
        }
        if self.oversize {
            self.line_start.offset += rest.len() as u64;
        }
    }

    fn count(&mut self, bytes: usize, reader: &mut impl for<'i> Reader<Item<'i>>) {
        self.frame_bytes = self.frame_bytes.saturating_add(bytes);
        if self.frame_bytes > self.limit && !self.oversize {
            self.oversize = true;
            self.line_start.offset += self.partial.len() as u64;
            self.partial.truncate(1);
            self.data = Vec::new();
            self.segments.clear();
            reader.read(Item::TooLarge(self.frame_start));
        }
    }

    /// Takes a whole line (with what `partial` holds of it); true if it is blank.
    fn line(&mut self, tail: &[u8], ending: u64, reader: &mut impl for<'i> Reader<Item<'i>>) -> bool {
        self.count(tail.len(), reader);
        let partial = std::mem::take(&mut self.partial);
        let whole: &[u8] = if partial.is_empty() {
            tail
        } else if self.oversize {
            &partial
        } else {
            self.partial = partial;
            self.partial.extend_from_slice(tail);
            let joined = std::mem::take(&mut self.partial);
            let blank = self.whole_line(&joined, joined.len() as u64 + ending, reader);
            // Keep the buffer for the next partial line.
            self.partial = joined;
            self.partial.clear();
            return blank;
        };
        let length = if self.oversize { tail.len() } else { whole.len() };
        let blank = self.whole_line(whole, length as u64 + ending, reader);
        self.partial = partial;
        self.partial.clear();
        blank
    }

    fn whole_line(&mut self, line: &[u8], length: u64, reader: &mut impl for<'i> Reader<Item<'i>>) -> bool {
        let place = self.line_start;
        self.line_start = Segment::new(0, place.offset + length, place.line + 1, 1);
        let mut line = line;
        let mut skipped = 0;
        if std::mem::take(&mut self.at_start)
            && let Some(rest) = line.strip_prefix(MARK)
        {
            (line, skipped) = (rest, MARK.len());
        }
        if line.is_empty() {
            return true;
        }
        if !self.oversize {
            self.field(line, place, skipped, reader);
        }
        false
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the colon was found in the line, and the value begins behind it or at the end"
    )]
    fn field(&mut self, line: &[u8], place: Segment, skipped: usize, reader: &mut impl for<'i> Reader<Item<'i>>) {
        let colon = line.iter().position(|byte| *byte == b':');
        let name = &line[..colon.unwrap_or(line.len())];
        let mut value_at = colon.map_or(line.len(), |at| at + 1);
        if line.get(value_at) == Some(&b' ') {
            value_at += 1;
        }
        let value = &line[value_at..];
        let place = Segment { offset: place.offset + skipped as u64, ..place };
        let value_place = Segment::new(0, place.offset + value_at as u64, place.line, place.column + value_at as u64);
        match name {
            b"" => {}
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.bare &= colon.is_none();
                self.segments.push(Segment { start: self.data.len(), ..value_place });
                self.data.extend_from_slice(value);
            }
            b"event" => self.event.set(value, value_place),
            b"id" if value.contains(&0) => {}
            b"id" => self.id.set(value, value_place),
            b"retry" => {
                let digits =
                    std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                if let Some(time) = digits.and_then(|text| text.parse().ok()) {
                    reader.read(Item::Retry(time));
                }
            }
            _ => reader.read(Item::UnknownField(Field::new(line, place))),
        }
    }

    fn dispatch(&mut self, ending: Option<LineEnding>, reader: &mut impl for<'i> Reader<Item<'i>>) {
        if self.id.place.is_some() && ending.is_some() {
            self.last_event_id.clone_from(&self.id.value);
            self.last_event_id.shrink_to(KEPT);
        }
        if self.has_data && !self.oversize {
            reader.read(Item::Frame(Frame {
                event: self.event.field(),
                id: self.id.field(),
                last_event_id: &self.last_event_id,
                data: &self.data,
                segments: &self.segments,
                ending,
                bare: self.bare,
            }));
        }
        for buffer in self.buffers() {
            buffer.clear();
            buffer.shrink_to(KEPT);
        }
        self.segments.clear();
        self.segments.shrink_to(KEPT / size_of::<Segment>());
        (self.has_data, self.bare) = (false, true);
        (self.event.place, self.id.place) = (None, None);
        self.frame_bytes = 0;
        self.oversize = false;
        self.frame_start = self.line_start;
    }
}

/// Appends a frame of `data` to `out`, with `id` and `event` lines where given.
///
/// Line breaks in `data` (LF, CR, CRLF) begin another `data` line, and so arrive as LF.
/// Line breaks and NUL in `id` and `event` cannot be carried by SSE and are left out.
///
/// ```
/// let mut out = String::new();
/// agent_contracts::stream::sse::write_frame(&mut out, Some("7"), Some("RUN_STARTED"), "{}");
/// assert_eq!(out, "id: 7\nevent: RUN_STARTED\ndata: {}\n\n");
/// ```
///
/// Since 0.1.0.
pub fn write_frame(out: &mut String, id: Option<&str>, event: Option<&str>, data: &str) {
    for (name, value) in [("id", id), ("event", event)] {
        if let Some(value) = value {
            out.push_str(name);
            out.push_str(": ");
            out.extend(value.chars().filter(|c| !matches!(c, '\n' | '\r' | '\0')));
            out.push('\n');
        }
    }
    let mut rest = data;
    loop {
        let end = rest.find(['\n', '\r']);
        out.push_str("data: ");
        out.push_str(&rest[..end.unwrap_or(rest.len())]);
        out.push('\n');
        let Some(end) = end else { break };
        let width = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[end + width..];
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All items of a stream, as text, pushed in the given pieces.
    fn items(pieces: &[&[u8]]) -> Vec<String> {
        items_within(DEFAULT_FRAME_BYTES, pieces)
    }

    fn items_within(limit: usize, pieces: &[&[u8]]) -> Vec<String> {
        let mut parser = Parser::with_limit(limit);
        let mut seen = Vec::new();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut report = |item: Item<'_>| {
            seen.push(match item {
                Item::Frame(frame) => format!(
                    "{:?} {:?} {:?} {:?} {:?}",
                    frame.event.map(|field| text(field.value)),
                    frame.id.map(|field| text(field.value)),
                    text(frame.data),
                    frame.segments.iter().map(|s| (s.start, s.offset, s.line, s.column)).collect::<Vec<_>>(),
                    frame.ending
                ),
                Item::Retry(time) => format!("retry {time}"),
                Item::UnknownField(line) => format!("unknown {:?} at {}", text(line.value), line.place.offset),
                Item::TooLarge(place) => format!("too large at {} line {}", place.offset, place.line),
            });
        };
        for piece in pieces {
            parser.push(piece, &mut report);
        }
        parser.finish(&mut report);
        seen
    }

    #[test]
    fn fields() {
        let cases: &[(&str, &[&str])] = &[
            ("data: a\n\n", &[r#"None None "a" [(0, 6, 1, 7)] Some(Lf)"#]),
            ("data:a\r\n\r\n", &[r#"None None "a" [(0, 5, 1, 6)] Some(CrLf)"#]),
            ("data: a\r\r", &[r#"None None "a" [(0, 6, 1, 7)] Some(Cr)"#]),
            ("\u{feff}data: a\n\n", &[r#"None None "a" [(0, 9, 1, 7)] Some(Lf)"#]),
            ("data: a\ndata:  b\n\n", &[r#"None None "a\n b" [(0, 6, 1, 7), (2, 14, 2, 7)] Some(Lf)"#]),
            ("event: x\nid: 1\ndata\n\n", &[r#"Some("x") Some("1") "" [(0, 19, 3, 5)] Some(Lf)"#]),
            (": keep-alive\n\n", &[]),
            ("event: x\n\n", &[]),
            ("id: a\0b\ndata: 1\n\n", &[r#"None None "1" [(0, 14, 2, 7)] Some(Lf)"#]),
            ("retry: 10\nretry: x\n\n", &["retry 10"]),
            (" data: a\n\n", &[r#"unknown " data: a" at 0"#]),
            ("\u{feff}Data: a\n\n", &[r#"unknown "Data: a" at 3"#]),
            ("data: a", &[r#"None None "a" [(0, 6, 1, 7)] None"#]),
            (
                "data: a\n\ndata: b\n\n",
                &[r#"None None "a" [(0, 6, 1, 7)] Some(Lf)"#, r#"None None "b" [(0, 15, 3, 7)] Some(Lf)"#],
            ),
        ];
        for (stream, expected) in cases {
            assert_eq!(items(&[stream.as_bytes()]), *expected, "{stream:?}");
        }
    }

    #[test]
    fn a_frame_beyond_the_limit_is_dropped_alone() {
        let stream = "data: 1\n\ndata: 0123456789\ndata: 01\n\ndata: 2\n\n";
        let expected = [
            r#"None None "1" [(0, 6, 1, 7)] Some(Lf)"#,
            "too large at 9 line 3",
            r#"None None "2" [(0, 42, 6, 7)] Some(Lf)"#,
        ];
        assert_eq!(items_within(14, &[stream.as_bytes()]), expected);
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(items_within(14, &bytes), expected);
    }

    #[test]
    fn an_id_outlives_its_frame_and_needs_no_data() {
        let mut parser = Parser::new();
        let mut seen = Vec::new();
        for stream in ["id: 1\ndata: a\n\n", "id: 2\n\n", "data: b\n\n", "id\ndata: c\n\n"] {
            parser.push(stream.as_bytes(), |item| {
                if let Item::Frame(frame) = item {
                    seen.push((frame.id.is_some(), String::from_utf8_lossy(frame.last_event_id).into_owned()));
                }
            });
        }
        assert_eq!(seen, [(true, "1".into()), (false, "2".into()), (true, String::new())]);
        assert_eq!(parser.last_event_id(), b"");
    }

    #[test]
    fn what_is_written_comes_back() {
        for (data, read) in [("a", "a"), ("a\rb", "a\nb"), ("a\r\nb\n", "a\nb\n"), ("", ""), ("\r", "\n")] {
            let mut out = String::new();
            write_frame(&mut out, Some("1\r2"), None, data);
            let mut parser = Parser::new();
            let mut seen = Vec::new();
            parser.push(out.as_bytes(), |item| {
                if let Item::Frame(frame) = item {
                    seen.push((frame.last_event_id.to_vec(), String::from_utf8_lossy(frame.data).into_owned()));
                }
            });
            assert_eq!(seen, [(b"12".to_vec(), read.to_owned())], "{data:?}");
        }
    }

    /// Else whoever chooses an id or a name could write lines of a frame.
    #[test]
    fn ids_and_names_are_one_line() {
        for (value, line) in [("a\ndata: b", "adata: b"), ("a\rb", "ab"), ("a\r\nb", "ab"), ("a\0b", "ab"), ("\n", "")]
        {
            let mut out = String::new();
            write_frame(&mut out, Some(value), Some(value), "c");
            assert_eq!(out, format!("id: {line}\nevent: {line}\ndata: c\n\n"), "{value:?}");
        }
    }

    #[test]
    fn a_frame_at_the_limit_is_read() {
        assert_eq!(items_within(7, &[b"data: 1\n\n"]), items(&[b"data: 1\n\n"]));
        assert_eq!(items_within(6, &[b"data: 1\n\n"]), ["too large at 0 line 1"]);
        assert_eq!(items_within(7, &[b"id: 1\ndata: 1\n\n"]), ["too large at 0 line 1"]);
        // The name counts, whatever the limit.
        assert_eq!(items_within(5, &[b"id\n\ndata: \n\n"]), ["too large at 4 line 3"]);
    }

    #[test]
    fn a_large_frame_leaves_no_large_buffer() {
        let mut parser = Parser::new();
        let long = "x".repeat(1 << 20);
        parser.push(format!("id: {long}\nevent: {long}\ndata: {long}\ndata: 1\n\n").as_bytes(), |_| ());
        parser.push(b"id: 1\ndata: 1\n\n", |_| ());
        assert!(parser.buffers().iter().all(|buffer| buffer.capacity() <= KEPT));
        assert!(parser.last_event_id.capacity() <= KEPT);
        parser.shrink_to_fit();
        let kept: usize = parser.buffers().iter().map(|buffer| buffer.capacity()).sum();
        assert_eq!((kept, parser.last_event_id.capacity()), (0, 1));
    }

    proptest! {
        #[test]
        fn every_split_gives_the_same_items(
            lines in prop::collection::vec("(data|event|id|retry|other|: c| data|)(: ?)?[a-z0-9é\u{feff}\u{0}]{0,12}", 0..12),
            endings in prop::collection::vec(0_usize..6, 12),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
            bom: bool,
            limit in prop_oneof![Just(DEFAULT_FRAME_BYTES), 3_usize..40],
        ) {
            let mut stream = if bom { MARK.to_vec() } else { Vec::new() };
            for (line, ending) in lines.iter().zip(endings) {
                stream.extend_from_slice(line.as_bytes());
                stream.extend_from_slice(["\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n"][ending].as_bytes());
            }
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            places.push(0);
            places.push(stream.len());
            places.sort_unstable();
            let pieces: Vec<&[u8]> = places.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
            prop_assert_eq!(items_within(limit, &pieces), items_within(limit, &[&stream]));
        }
    }
}
