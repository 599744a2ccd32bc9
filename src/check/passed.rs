//! Strings that were looked at before: ids come with every event of a message.

use std::ops::Range;

use crate::wire::bytes::stands_at;

/// How many strings are remembered.
const SLOTS: usize = 16;

/// The shortest, in bytes: shorter ones are looked at again just as fast.
const SHORTEST: usize = 16;

/// The longest, in bytes.
const LONGEST: usize = 62;

/// Strings without escapes that nothing was wrong with.
#[derive(Debug, Default)]
pub(crate) struct Passed(Option<Box<[Slot; SLOTS]>>);

#[derive(Clone, Copy)]
struct Slot {
    /// The length with the quote.
    length: u8,
    bytes: [u8; LONGEST + 1],
}

impl std::fmt::Debug for Slot {
    /// Shows nothing of the string.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slot").field("length", &self.length).finish_non_exhaustive()
    }
}

/// Which slot the string that begins at `start` is for: ids differ behind their prefix.
#[inline]
fn slot(bytes: &[u8], start: usize) -> usize {
    let word =
        bytes.get(start + 5..start + 13).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word));
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as usize % SLOTS
}

#[expect(
    clippy::indexing_slicing,
    reason = "`slot` is below `SLOTS`, and a string is only remembered if its room takes it and a quote follows"
)]
impl Passed {
    /// The end of the string that begins at `start`, if it is remembered.
    #[inline]
    pub(crate) fn end(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let known = &self.0.as_ref()?[slot(bytes, start)];
        let length = usize::from(known.length);
        (length > 0 && stands_at(bytes, start, &known.bytes[..length])).then_some(start + length - 1)
    }

    /// Remembers a string without escapes that was looked at.
    pub(crate) fn remember(&mut self, bytes: &[u8], at: Range<usize>) {
        let Some(text) = bytes.get(at.clone()).filter(|text| (SHORTEST..=LONGEST).contains(&text.len())) else {
            return;
        };
        // Times go on, and text with spaces is prose: neither comes again.
        let is_time = text.get(10) == Some(&b'T') && text.get(13) == Some(&b':');
        if !is_time && bytes.get(at.end) == Some(&b'"') && !text.contains(&b' ') {
            let slots = self.0.get_or_insert_with(|| Box::new([Slot { length: 0, bytes: [0; LONGEST + 1] }; SLOTS]));
            let known = &mut slots[slot(bytes, at.start)];
            known.length = text.len() as u8 + 1;
            known.bytes[..=text.len()].copy_from_slice(&bytes[at.start..=at.end]);
        }
    }
}
