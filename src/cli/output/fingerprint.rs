//! By what a finding is known again in a later report.

use std::collections::HashMap;

use hmac_sha256::Hash;

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
        let hash = hash(parts);
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

/// The first half of the SHA-256 of the parts: the same in every version of this crate and of Rust.
fn hash(parts: &[&str]) -> u128 {
    let mut hash = Hash::new();
    for part in parts {
        hash.update(part);
        // No text has this byte, so that it ends the part.
        hash.update([0xFF]);
    }
    hash.finalize().first_chunk::<16>().map_or(0, |half| u128::from_be_bytes(*half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_algorithm() {
        assert_eq!(hash(&[]), 0xe3b0_c442_98fc_1c14_9afb_f4c8_996f_b924);
        assert_eq!(hash(&["a", ""]), 0xd8a6_62f7_dbcb_4d99_3910_a0c5_c445_5e00);
        assert_ne!(hash(&["a", ""]), hash(&["", "a"]));
    }

    #[test]
    fn the_size_of_a_hidden_key_does_not_count() {
        assert_eq!(without_sizes("/payload/<40 bytes>/0"), "/payload/<>/0");
        assert_eq!(without_sizes("/payload/<tag>/x bytes"), "/payload/<tag>/x bytes");
    }
}
