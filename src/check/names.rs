//! A table from names to numbers, for lookups in the hot path.

/// An immutable map from a few dozen strings to their position.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    names: Vec<Box<str>>,
    /// Position + 1, or 0 where empty; a power of two in length.
    slots: Vec<u16>,
}

impl NameTable {
    pub(crate) fn new<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<Box<str>> = names.into_iter().map(|name| name.as_ref().into()).collect();
        let mut slots = vec![0; (names.len() * 4).next_power_of_two().max(4)];
        for (position, name) in names.iter().enumerate() {
            let mut at = hash(name.as_bytes()) & (slots.len() - 1);
            while slots[at] != 0 {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = position as u16 + 1;
        }
        Self { names, slots }
    }

    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash(name.as_bytes()) & mask;
        loop {
            match self.slots[at] {
                0 => return None,
                position if *self.names[position as usize - 1] == *name => return Some(position as usize - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

/// Length, first and last eight bytes: enough to tell the names of a contract apart.
#[inline]
fn hash(name: &[u8]) -> usize {
    let (head, tail) = if name.len() >= 8 {
        (word(&name[..8]), word(&name[name.len() - 8..]))
    } else {
        let mut padded = [0; 8];
        padded[..name.len()].copy_from_slice(name);
        (u64::from_le_bytes(padded), 0)
    };
    let mixed = (head ^ tail.rotate_left(29) ^ name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as usize
}

#[inline]
fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
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
