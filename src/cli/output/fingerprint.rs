//! By what a finding is known again in a later report.

use std::collections::HashMap;

use super::gathered::{Context, Row};

/// Makes fingerprints, none twice.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    /// How many there were of the same parts.
    seen: HashMap<u128, u64>,
}

impl Fingerprints {
    /// That of a finding: its rule, its file, its place in the event, and how many findings
    /// before have the same three. So it stays when the recording goes on, when other events
    /// come in between, and whatever values and ids are.
    pub(super) fn of(&mut self, row: &Row, context: &Context) -> String {
        let file = context.places.of(&row.finding.file);
        self.next(&[&row.finding.rule, &file, &without_sizes(&row.finding.pointer)])
    }

    pub(super) fn next(&mut self, parts: &[&str]) -> String {
        // No text has the byte that ends each part.
        let hash = hash(parts.iter().flat_map(|part| part.bytes().chain([0xFF])));
        let count = self.seen.entry(hash).or_default();
        *count += 1;
        format!("{hash:032x}:{count}")
    }
}

/// The pointer without the sizes of keys that are not shown, since such a key may be a secret.
fn without_sizes(pointer: &str) -> String {
    let is_hidden = |key: &str| key.starts_with('<') && key.ends_with(" bytes>");
    let keys: Vec<&str> = pointer.split('/').map(|key| if is_hidden(key) { "<>" } else { key }).collect();
    keys.join("/")
}

/// FNV-1a of 128 bits: the same in every version of this crate and of Rust.
fn hash(bytes: impl Iterator<Item = u8>) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_algorithm() {
        assert_eq!(hash(b"".iter().copied()), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(hash(b"a".iter().copied()), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn the_size_of_a_hidden_key_does_not_count() {
        assert_eq!(without_sizes("/payload/<40 bytes>/0"), "/payload/<>/0");
        assert_eq!(without_sizes("/payload/<tag>/x bytes"), "/payload/<tag>/x bytes");
    }
}
