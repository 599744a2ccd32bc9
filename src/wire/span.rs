//! From a byte of an event's text back to the bytes of the stream that carried it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::simd::{Kind, Vector, Width, block, widest};

/// A run of bytes that stands in the stream as it stands in the event's text.
///
/// One event can lie in several lines of a stream (SSE `data:` lines), so its place is
/// a list of segments in rising order.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Segment {
    /// Where the segment begins in the event's text, in bytes.
    pub start: usize,
    /// Where it begins in the stream, in bytes from 0.
    pub offset: u64,
    /// The line of the stream on which it begins, from 1.
    pub line: u64,
    /// The column at which it begins, in code points from 1.
    pub column: u64,
}

impl Segment {
    /// A segment at `start` of the text.
    pub const fn new(start: usize, offset: u64, line: u64, column: u64) -> Self {
        Self { start, offset, line, column }
    }

    /// A text that begins there.
    pub(crate) const fn at(Location { offset, line, column }: Location) -> Self {
        Self::new(0, offset, line, column)
    }

    /// A text that is all there is: offset 0, line 1, column 1.
    pub const WHOLE: Self = Self::new(0, 0, 1, 1);

    /// Where it begins in the stream.
    pub(crate) const fn location(&self) -> Location {
        Location { offset: self.offset, line: self.line, column: self.column }
    }
}

/// A part of a text of less than 4 GiB, in half the room of a range.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) const fn new(range: &Range<usize>) -> Self {
        Self { start: range.start as u32, end: range.end as u32 }
    }

    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Moves it by so many bytes.
    pub(crate) const fn shift(&mut self, by: usize) {
        self.start += by as u32;
        self.end += by as u32;
    }
}

/// A place in a stream.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Location {
    /// Bytes from the start of the stream.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
    /// The column in code points, from 1.
    pub column: u64,
}

/// Where byte `at` of `text` stands in the stream.
#[cfg(test)]
pub(crate) fn locate(text: &[u8], segments: &[Segment], at: usize) -> Location {
    Locator::default().locate(text, segments, at)
}

/// Finds places in one text, in any order: what was read once is not read again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locator {
    /// Places that are known, about so many bytes apart.
    marks: BTreeMap<usize, Location>,
}

/// How far apart the marks of a [`Locator`] are, in bytes.
const APART: usize = 512;

impl Locator {
    /// Where byte `at` of `text` stands in the stream.
    #[expect(
        clippy::indexing_slicing,
        reason = "`at` is at most the length, `from` at most `at`, and a partition point at most the count"
    )]
    pub(crate) fn locate(&mut self, text: &[u8], segments: &[Segment], at: usize) -> Location {
        let at = at.min(text.len());
        let index = segments.partition_point(|segment| segment.start <= at);
        let segment = index.checked_sub(1).map_or(Segment::WHOLE, |index| segments[index]);
        let start = segment.start.min(at);
        let known = self.marks.range(start..=at).next_back().map(|(from, location)| (*from, *location));
        let (mut from, mut location) = known.unwrap_or((start, segment.location()));
        while from + APART < at {
            location.pass(text, from..from + APART);
            from += APART;
            self.marks.insert(from, location);
        }
        location.pass(text, from..at);
        location
    }
}

impl Location {
    /// Moves behind a part of `text`, at whose beginning it stands.
    pub(crate) fn pass(&mut self, text: &[u8], part: Range<usize>) {
        self.offset = self.offset.saturating_add(part.len() as u64);
        let (count, behind) = widest!(|width| lines(width, text, &part));
        if count > 0 {
            self.line = self.line.saturating_add(count);
            self.column = 1;
        }
        let rest = text.get(behind..part.end).unwrap_or_default();
        // Every byte that does not continue a character begins one. A count that fits a byte is
        // added up sixteen bytes at a time.
        let begun = |piece: &[u8]| piece.iter().map(|byte| u8::from(byte & 0xC0 != 0x80)).sum::<u8>();
        let columns = rest.chunks(240).map(|piece| u64::from(begun(piece))).sum::<u64>();
        self.column = self.column.saturating_add(columns);
    }
}

/// How many lines end in a part of a text, and where the one begins that does not, or else the part.
#[inline(always)]
fn lines(width: impl Width, text: &[u8], part: &Range<usize>) -> (u64, usize) {
    let (mut count, mut behind) = (0, part.start);
    for at in part.clone().step_by(64) {
        // What stands behind the part is shifted out.
        let rest = (part.end - at).min(64);
        let ends = width.of(block(text, at).bytes()).is(b'\n').bits() & u64::MAX >> (64 - rest);
        count += u64::from(ends.count_ones());
        behind = if ends == 0 { behind } else { at + 64 - ends.leading_zeros() as usize };
    }
    (count, behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_several_segments() {
        let text = "{\"é\":1,\n\"b\":2}".as_bytes();
        let one_document = [Segment::WHOLE];
        assert_eq!(locate(text, &one_document, 5), Location { offset: 5, line: 1, column: 5 });
        assert_eq!(locate(text, &one_document, 10), Location { offset: 10, line: 2, column: 2 });
        let two_lines = [Segment::new(0, 6, 4, 7), Segment::new(9, 21, 5, 7)];
        let mut locator = Locator::default();
        for at in [5, 10, 2, 14] {
            assert_eq!(locator.locate(text, &one_document, at), locate(text, &one_document, at), "{at}");
        }
        let long = ["é\n".repeat(700), "é".repeat(3000), "\n".repeat(5)].concat().into_bytes();
        let pieces = [Segment::new(0, 9, 3, 2), Segment::new(2500, 4000, 90, 7)];
        let mut locator = Locator::default();
        for at in (0..long.len()).rev().step_by(97).chain((0..long.len()).step_by(89)) {
            assert_eq!(locator.locate(&long, &pieces, at), locate(&long, &pieces, at), "{at}");
        }
        let plain = |at: usize| {
            let line = long[..at].iter().filter(|byte| **byte == b'\n').count();
            let start = long[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let column = String::from_utf8_lossy(&long[start..at]).chars().count();
            Location { offset: at as u64, line: 1 + line as u64, column: 1 + column as u64 }
        };
        for at in [0, 3, 1200, 2100, 5000, long.len()] {
            assert_eq!(locate(&long, &one_document, at), plain(at), "{at}");
        }
        assert_eq!(locate(text, &two_lines, 5), Location { offset: 11, line: 4, column: 11 });
        assert_eq!(locate(text, &two_lines, 10), Location { offset: 22, line: 5, column: 8 });
    }
}
