//! Strings that were looked at before: ids come with every event of a message.

use crate::safe::tokens;

/// So many strings are remembered.
const SLOTS: usize = 16;

/// Longer ones are not, in bytes.
const LONGEST: usize = 47;

/// Strings in which there is no token.
#[derive(Debug, Default)]
pub(crate) struct Passed(Option<Box<[Slot; SLOTS]>>);

#[derive(Clone, Copy)]
struct Slot {
    length: u8,
    bytes: [u8; LONGEST],
}

impl std::fmt::Debug for Slot {
    /// Shows nothing of the string.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slot").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Passed {
    /// Whether a string with a long run holds a token.
    pub(crate) fn has_token(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let last = bytes.last_chunk::<8>().filter(|_| bytes.len() <= LONGEST);
        let Some(last) = last else { return tokens::dense_contains_token(text) };
        let slots = self.0.get_or_insert_with(|| Box::new([Slot { length: 0, bytes: [0; LONGEST] }; SLOTS]));
        let hash = u64::from_le_bytes(*last).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60;
        let slot = &mut slots[hash as usize % SLOTS];
        if usize::from(slot.length) == bytes.len() && slot.bytes[..bytes.len()] == *bytes {
            return false;
        }
        let found = tokens::dense_contains_token(text);
        if !found {
            slot.length = bytes.len() as u8;
            slot.bytes[..bytes.len()].copy_from_slice(bytes);
        }
        found
    }
}
