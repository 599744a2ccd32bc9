//! A table from names to numbers, for lookups in the hot path.

/// An immutable map from a few dozen strings to their position.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    names: Vec<Box<str>>,
    /// A power of two in length.
    slots: Vec<Slot>,
}

/// A place of the table: what is compared stands in it, so that a look-up reads one line
/// of memory and calls nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    print: Print,
    /// Position + 1, or 0 where empty.
    position: u16,
}

/// Length, first and last eight bytes. Names of up to sixteen bytes are equal exactly
/// when these are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Print {
    head: u64,
    tail: u64,
    length: u32,
}

impl Print {
    #[inline(always)]
    fn of(name: &[u8]) -> Self {
        let length = name.len() as u32;
        if let (Some(head), Some(tail)) = (name.first_chunk(), name.last_chunk()) {
            return Self { head: u64::from_le_bytes(*head), tail: u64::from_le_bytes(*tail), length };
        }
        // Fewer than eight bytes: two overlapping halves, or byte by byte below four.
        let head = match (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            (Some(head), Some(tail)) => {
                u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << 32
            }
            _ => name.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        Self { head, tail: 0, length }
    }

    #[inline]
    fn hash(self) -> usize {
        let mixed =
            (self.head ^ self.tail.rotate_left(29) ^ u64::from(self.length)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "places are masked to the length of `slots`, and positions are those of the names"
)]
impl NameTable {
    /// How many names a table may have: their positions are 16-bit numbers.
    pub(crate) const MOST: usize = u16::MAX as usize - 1;

    pub(crate) fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<Box<str>> = names.into_iter().map(|name| name.as_ref().into()).collect();
        let mut slots = vec![Slot::default(); (names.len() * 4).next_power_of_two().max(4)];
        for (position, name) in names.iter().enumerate() {
            let print = Print::of(name.as_bytes());
            let mut at = print.hash() & (slots.len() - 1);
            while slots[at].position != 0 {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = Slot { print, position: position as u16 + 1 };
        }
        Self { names, slots }
    }

    #[inline(always)]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let print = Print::of(name.as_bytes());
        let mut at = print.hash() & mask;
        loop {
            let slot = &self.slots[at];
            let position = (slot.position as usize).checked_sub(1)?;
            if slot.print == print && (name.len() <= 16 || *self.names[position] == *name) {
                return Some(position);
            }
            at = (at + 1) & mask;
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}

#[cfg(test)]
mod tests {
    use super::NameTable;

    #[test]
    fn finds_exactly_its_names() {
        let names = ["", "id", "threadId", "toolCallId", "artifactRefs", "evidenceRefs"];
        let table = NameTable::new(names);
        for (position, name) in names.iter().enumerate() {
            assert_eq!(table.find(name), Some(position), "{name}");
        }
        assert_eq!(table.find("toolCallI"), None);
        assert_eq!(NameTable::default().find("id"), None);
    }
}
