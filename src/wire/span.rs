//! From a byte of an event's text back to the bytes of the stream that carried it.

/// A run of bytes that stands in the stream as it stands in the event's text.
///
/// One event can lie in several lines of a stream (SSE `data:` lines), so its place is
/// a list of segments in rising order.
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

    /// A text that is all there is: offset 0, line 1, column 1.
    pub const WHOLE: Self = Self::new(0, 0, 1, 1);
}

/// A place in a stream.
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

/// Finds places one after another: what lies before the last one is not read again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Locator {
    last: Option<(usize, usize, Location)>,
    /// A place before which none is asked for any more.
    floor: Option<(usize, usize, Location)>,
}

impl Locator {
    /// Says that no place before byte `at` is asked for any more.
    pub(crate) fn pass(&mut self, text: &[u8], segments: &[Segment], at: usize) {
        if self.floor.is_none_or(|(floor, ..)| floor < at) {
            self.locate(text, segments, at);
            self.floor = self.last;
        }
    }

    /// Where byte `at` of `text` stands in the stream.
    pub(crate) fn locate(&mut self, text: &[u8], segments: &[Segment], at: usize) -> Location {
        let at = at.min(text.len());
        let index = segments.iter().rposition(|segment| segment.start <= at);
        let segment = index.map_or(Segment::WHOLE, |index| segments[index]);
        let start = segment.start.min(at);
        let known = [self.last, self.floor].into_iter().flatten();
        let near = known.into_iter().find(|(from, last_start, _)| *last_start == start && *from <= at);
        let (from, mut location) = match near {
            Some((from, _, location)) => (from, location),
            None => (start, Location { offset: segment.offset, line: segment.line, column: segment.column }),
        };
        let before = &text[from..at];
        location.offset += before.len() as u64;
        let mut line_start = 0;
        for (index, byte) in before.iter().enumerate() {
            if *byte == b'\n' {
                location.line += 1;
                location.column = 1;
                line_start = index + 1;
            }
        }
        // Every byte that does not continue a character begins one.
        location.column += before[line_start..].iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        self.last = Some((at, start, location));
        location
    }
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
        assert_eq!(locate(text, &two_lines, 5), Location { offset: 11, line: 4, column: 11 });
        assert_eq!(locate(text, &two_lines, 10), Location { offset: 22, line: 5, column: 8 });
    }
}
