//! Lines: cutting newline-delimited JSON into its texts, offsets kept.

use super::framing::MARK;
use super::reader::{Reader, Told};
use crate::check::Limits;
use crate::wire::bytes::utf8;
use crate::wire::span::Segment;

/// A line larger than this is dropped and reported, in bytes: 16 MiB.
///
/// Since 0.1.0.
pub const DEFAULT_LINE_BYTES: usize = Limits::DEFAULT.event_bytes;

/// What a line splitter finds.
///
/// Since 0.1.0.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Line<'a> {
    /// A line that is not blank, without its line break.
    Text {
        /// The bytes of the line.
        bytes: &'a [u8],
        /// Where it begins.
        place: Segment,
        /// Whether a line break ended it; false for a last line that the stream cut off.
        ended: bool,
    },
    /// A line larger than the limit began here; its bytes are dropped.
    TooLarge(Segment),
}

impl<'a> Line<'a> {
    /// The bytes of the line; none if they were dropped.
    pub const fn bytes(&self) -> &'a [u8] {
        match self {
            Line::Text { bytes, .. } => bytes,
            Line::TooLarge(_) => &[],
        }
    }
}

impl std::fmt::Debug for Line<'_> {
    /// Shows sizes and places alone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Line::Text { bytes, place, .. } => write!(f, "Text({} bytes at {})", bytes.len(), place.offset),
            Line::TooLarge(place) => write!(f, "TooLarge(at {})", place.offset),
        }
    }
}

/// A line, with its text where that is known to be UTF-8.
pub(super) type Cut<'a> = (Line<'a>, Option<&'a str>);

/// A buffer that a long line has left larger than this is given back.
const KEPT: usize = 16 * 1024;

/// Cuts newline-delimited JSON into lines: push bytes as they come.
///
/// Since 0.1.0.
#[derive(Clone)]
pub struct LineSplitter {
    limit: usize,
    partial: Vec<u8>,
    place: Segment,
    /// Where the first line begins.
    start: u64,
    /// Bytes of the current line that were dropped.
    dropped: u64,
}

impl std::fmt::Debug for LineSplitter {
    /// Shows nothing of the stream.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineSplitter").field("line", &self.place.line).finish_non_exhaustive()
    }
}

impl Default for LineSplitter {
    fn default() -> Self {
        Self::new()
    }
}

impl LineSplitter {
    /// Gives back the room that long lines have left.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.partial.shrink_to_fit();
    }

    /// A splitter with the default limit of [`DEFAULT_LINE_BYTES`].
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_LINE_BYTES)
    }

    /// A splitter that drops lines of more than `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self::starting_at(limit, Segment::WHOLE)
    }

    /// A splitter of a stream that begins behind something else, such as HTTP headers.
    pub(crate) fn starting_at(limit: usize, start: Segment) -> Self {
        Self { limit, partial: Vec::new(), place: start, start: start.offset, dropped: 0 }
    }

    /// Takes the next bytes and reports the lines that they complete.
    pub fn push(&mut self, bytes: &[u8], mut report: impl FnMut(Line<'_>)) {
        self.push_to(bytes, &mut Told(|(line, _): Cut<'_>| report(line)));
    }

    /// The same for whoever reads lines.
    #[expect(clippy::indexing_slicing, reason = "the ends of lines were found in these bytes")]
    pub(super) fn push_to(&mut self, bytes: &[u8], reader: &mut impl for<'l> Reader<Cut<'l>>) {
        let mut rest = bytes;
        // The bytes may begin within a character, so the end of a line that has begun is not among
        // those that are looked at together.
        if (!self.partial.is_empty() || self.dropped > 0)
            && let Some(at) = memchr::memchr(b'\n', rest)
        {
            self.end_partial(&rest[..at], reader);
            rest = &rest[at + 1..];
        }
        if self.partial.is_empty() && self.dropped == 0 {
            // The last line may go on within a character.
            let whole = memchr::memrchr(b'\n', rest).map_or(0, |at| at + 1);
            let text = valid_prefix(&rest[..whole]);
            let mut from = 0;
            while from < whole {
                let taken = text.get(from..).and_then(|rest| reader.take(rest, self.place, self.limit, line_break));
                let length = taken.unwrap_or_else(|| {
                    let end = memchr::memchr(b'\n', &rest[from..whole]).map_or(whole, |at| from + at);
                    self.emit(&rest[from..end], text.get(from..end), true, reader);
                    end + 1 - from
                });
                self.advance(length as u64);
                from += length;
            }
            rest = &rest[whole..];
        }
        if self.dropped > 0 {
            self.dropped += rest.len() as u64;
        } else if self.partial.len() + rest.len() > self.limit {
            self.dropped = (self.partial.len() + rest.len()) as u64;
            self.partial = Vec::new();
            reader.read((Line::TooLarge(self.place), None));
        } else {
            self.partial.extend_from_slice(rest);
        }
    }

    /// Ends a line that has begun.
    fn end_partial(&mut self, end: &[u8], reader: &mut impl for<'l> Reader<Cut<'l>>) {
        if self.dropped > 0 {
            let dropped = std::mem::take(&mut self.dropped);
            self.advance(dropped + end.len() as u64 + 1);
            return;
        }
        let mut whole = std::mem::take(&mut self.partial);
        whole.extend_from_slice(end);
        self.emit(&whole, None, true, reader);
        self.advance(whole.len() as u64 + 1);
        whole.clear();
        whole.shrink_to(KEPT);
        self.partial = whole;
    }

    /// Ends the stream: reports a last line without a line break.
    pub fn finish(&mut self, mut report: impl FnMut(Line<'_>)) {
        let last = std::mem::take(&mut self.partial);
        self.emit(&last, None, false, &mut Told(|(line, _): Cut<'_>| report(line)));
    }

    fn advance(&mut self, bytes: u64) {
        self.place = Segment::new(0, self.place.offset + bytes, self.place.line + 1, 1);
    }

    #[inline]
    fn emit(&self, line: &[u8], text: Option<&str>, ended: bool, reader: &mut impl for<'l> Reader<Cut<'l>>) {
        // A byte order mark counts, as it does before the line is whole.
        if line.len() > self.limit {
            return reader.read((Line::TooLarge(self.place), None));
        }
        let mut place = self.place;
        let mut start = 0;
        if place.offset == self.start && line.starts_with(MARK) {
            start = MARK.len();
            place.offset += MARK.len() as u64;
        }
        let end = line.len() - usize::from(line.ends_with(b"\r"));
        let is_blank = |bytes: &&[u8]| bytes.first() != Some(&b'{') && bytes.iter().all(u8::is_ascii_whitespace);
        if let Some(bytes) = line.get(start..end).filter(|bytes| !is_blank(bytes)) {
            reader.read((Line::Text { bytes, place, ended }, text.and_then(|text| text.get(start..end))));
        }
    }
}

/// How long the line break is that comes next.
#[inline]
const fn line_break(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// The text that bytes begin with, as far as they are UTF-8.
pub(super) fn valid_prefix(bytes: &[u8]) -> &str {
    utf8(bytes).unwrap_or_else(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        std::str::from_utf8(valid).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(limit: usize, pieces: &[&[u8]]) -> Vec<(String, u64, u64, bool)> {
        let mut splitter = LineSplitter::with_limit(limit);
        let mut seen = Vec::new();
        let mut report = |line: Line<'_>| match line {
            Line::Text { bytes, place, ended } => {
                seen.push((String::from_utf8_lossy(bytes).into_owned(), place.offset, place.line, ended));
            }
            Line::TooLarge(place) => seen.push(("too large".into(), place.offset, place.line, true)),
        };
        for piece in pieces {
            splitter.push(piece, &mut report);
        }
        splitter.finish(&mut report);
        seen
    }

    #[test]
    fn offsets_and_blank_lines() {
        let seen = lines(8, &[b"{}\r\n\n  \n[1]\n0123456789\n{\"a\""]);
        let expected = [("{}", 0, 1, true), ("[1]", 8, 4, true), ("too large", 12, 5, true), ("{\"a\"", 23, 6, false)];
        assert_eq!(seen, expected.map(|(text, offset, line, ended)| (text.to_owned(), offset, line, ended)));
    }

    #[test]
    fn a_line_at_the_limit_is_read() {
        let read = |offset, line| ("12345678".to_owned(), offset, line, true);
        assert_eq!(lines(8, &[b"12345678\n12345678\n"]), [read(0, 1), read(9, 2)]);
        assert_eq!(lines(7, &[b"12345678\n"]), [("too large".to_owned(), 0, 1, true)]);
        // A byte order mark counts; elsewhere than at the beginning it is text.
        assert_eq!(lines(10, &["\u{feff}12345678\n".as_bytes()]), [("too large".to_owned(), 0, 1, true)]);
        assert_eq!(
            lines(11, &["\u{feff}12345678\n\u{feff}1\n".as_bytes()]),
            [("12345678".to_owned(), 3, 1, true), ("\u{feff}1".to_owned(), 12, 2, true)]
        );
    }

    proptest! {
        #[test]
        fn every_split_gives_the_same_lines(
            stream in "\u{feff}?([a-z{}é\r\n ]|\n\n){0,60}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            limit in 3_usize..20,
        ) {
            let stream = stream.as_bytes();
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            places.extend([0, stream.len()]);
            places.sort_unstable();
            let pieces: Vec<&[u8]> = places.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
            prop_assert_eq!(lines(limit, &pieces), lines(limit, &[stream]));
        }
    }
}
