//! The files that the crate carries with it: schemas, examples of rules, validators. `build.rs` packs them by folder, and
//! a pack is opened when one of its files is asked for.

use std::collections::HashMap;
use std::io::Read;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

struct Pack {
    folder: &'static str,
    packed: &'static [u8],
    opened: OnceLock<HashMap<&'static str, &'static str>>,
}

/// The text of a file, by its path in the repository.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    let pack = PACKS.iter().find(|pack| path.strip_prefix(pack.folder).is_some_and(|rest| rest.starts_with('/')))?;
    pack.files().get(path).copied()
}

/// The files below a folder, such as `schemas`: their paths below it, and their texts. They are in no order.
#[cfg(any(test, not(feature = "schema")))]
pub(crate) fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let below = move |path: &'static str| path.strip_prefix(folder)?.strip_prefix('/');
    PACKS
        .iter()
        .filter(move |pack| below(pack.folder).is_some())
        .flat_map(Pack::files)
        .filter_map(move |(path, text)| Some((below(path)?, *text)))
}

impl Pack {
    const fn new(folder: &'static str, packed: &'static [u8]) -> Self {
        Self { folder, packed, opened: OnceLock::new() }
    }

    fn files(&self) -> &HashMap<&'static str, &'static str> {
        self.opened.get_or_init(|| {
            let mut text = String::new();
            let read = DeflateDecoder::new(self.packed).read_to_string(&mut text);
            debug_assert!(read.is_ok(), "build.rs has packed it");
            let mut rest: &'static str = text.leak();
            let next = || {
                let (head, tail) = rest.split_once('\n')?;
                let (path, length) = head.rsplit_once(' ')?;
                let (text, tail) = tail.split_at_checked(length.parse().ok()?)?;
                rest = tail;
                Some((path, text))
            };
            std::iter::from_fn(next).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_packed_is_what_lies_in_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (path, text) in PACKS.iter().flat_map(Pack::files) {
            assert!(std::fs::read_to_string(root.join(path)).unwrap() == *text, "{path}");
        }
        assert_eq!(text("schemas/none/event.schema.json"), None);
    }

    #[test]
    fn every_rule_of_a_protocol_has_its_two_examples() {
        for rule in crate::rules().filter(|rule| !rule.id().starts_with("input/")) {
            assert!(rule.failing().is_some() && rule.fixed().is_some(), "{rule}");
            assert_ne!(rule.failing(), rule.fixed(), "{rule}");
        }
    }
}
