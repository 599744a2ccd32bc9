//! Where the keywords of formats stand in a text.

use std::ops::Range;
use std::sync::LazyLock;

use super::formats::{FORMATS, Format};
use super::may_begin;

/// The longest keyword, in bytes.
pub(super) const LONGEST_KEYWORD: usize = 44;

/// A keyword and its format.
type Keyword = (&'static [u8], &'static Format);

/// The keywords of all formats, in order.
struct Keywords {
    all: Vec<Keyword>,
    /// A bit for each two bytes with which one begins, first those that may stand in a word.
    pairs: Box<[u64; 2 * PAIRS]>,
}

/// How many numbers have a bit for each two bytes.
const PAIRS: usize = 1 << 10;

/// Which of the bits count behind a byte.
#[expect(clippy::indexing_slicing, reason = "the loop ends at the length of the table")]
const BEHIND: [usize; 256] = {
    let mut table = [PAIRS; 256];
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_alphanumeric() {
            table[byte] = 0;
        }
        byte += 1;
    }
    table
};

#[expect(clippy::indexing_slicing, reason = "the place is a remainder of the table's length")]
static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let words = |format: &'static Format| format.keywords.iter().map(move |word| (word.as_bytes(), format));
    let mut all: Vec<Keyword> = FORMATS.iter().flat_map(words).collect();
    all.sort_unstable_by_key(|(word, _)| *word);
    let mut pairs = Box::new([0; 2 * PAIRS]);
    for (word, format) in &all {
        let number = word.iter().take(2).fold(0, |number, byte| number << 8 | usize::from(*byte));
        for first in if format.at > 0 { &[0, PAIRS][..] } else { &[PAIRS] } {
            pairs[(first + (number >> 6)) % (2 * PAIRS)] |= 1 << (number & 63);
        }
    }
    Keywords { all, pairs }
});

/// Hands on the keywords in a part of a text, with where they begin: those within a token, and those with which one
/// may begin where they stand. Ends when `is_enough` says so; whether it did.
#[expect(clippy::indexing_slicing, reason = "the part lies in the text, and a pair in the part")]
pub(super) fn any_keyword(text: &[u8], part: Range<usize>, mut is_enough: impl FnMut(usize, Keyword) -> bool) -> bool {
    let Keywords { all, pairs } = &*KEYWORDS;
    // Behind an escape a token may begin, although its letter stands before it.
    let has_escapes = memchr::memchr(b'\\', &text[part.start.saturating_sub(6)..part.end]).is_some();
    let behind = if has_escapes { &[PAIRS; 256] } else { &BEHIND };
    let mut from = if part.start > 0 { behind[usize::from(text[part.start - 1])] } else { PAIRS };
    let Some((first, rest)) = text[part.clone()].split_first() else { return false };
    let mut pair = u16::from(*first);
    for (at, byte) in rest.iter().enumerate() {
        let one = pair & 0xFF;
        pair = one << 8 | u16::from(*byte);
        // The remainder costs nothing, and there is no bound to look at.
        let bits = pairs[(from | usize::from(pair >> 6)) % (2 * PAIRS)];
        from = behind[usize::from(one)];
        if bits >> (pair & 63) & 1 == 0 {
            continue;
        }
        let at = part.start + at;
        let (two, here) = (&text[at..at + 2], &text[at..part.end]);
        let first = all.partition_point(|(word, _)| word[..2] < *two);
        let alike = all[first..].iter().take_while(|(word, _)| word[..2] == *two);
        let mut found =
            alike.filter(|(word, format)| here.starts_with(word) && (format.at > 0 || may_begin(text, at, word.len())));
        if found.any(|keyword| is_enough(at, *keyword)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keywords_have_two_bytes() {
        assert!(KEYWORDS.all.len() > 290);
        assert!(KEYWORDS.all.iter().all(|(word, _)| (2..=LONGEST_KEYWORD).contains(&word.len())));
    }

    fn text() -> impl Strategy<Value = String> {
        let words: Vec<&str> = FORMATS.iter().flat_map(|format| format.keywords.iter().copied()).collect();
        let part = prop_oneof![
            prop::sample::select(words),
            prop::sample::select(vec!["a", "_", "-", " ", "\\n", "\\", "\\u00e9", "é", "A", ":A", "\\u12n", "7"]),
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn those_with_which_a_token_may_begin_are_found(text in text(), start in 0_usize..20, end in 0_usize..60) {
            let text = text.as_bytes();
            let end = end.min(text.len());
            let start = start.min(end);
            let mut expected = Vec::new();
            for (format, word) in FORMATS.iter().flat_map(|format| format.keywords.iter().map(move |word| (format, word))) {
                for at in start..end {
                    let is_there = text[at..end].starts_with(word.as_bytes());
                    if is_there && (format.at > 0 || may_begin(text, at, word.len())) {
                        expected.push((at, *word, format.id));
                    }
                }
            }
            let mut found = Vec::new();
            any_keyword(text, start..end, |at, (word, format)| {
                found.push((at, std::str::from_utf8(word).unwrap(), format.id));
                false
            });
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
