//! Where the keywords of formats stand in a text.

use std::ops::Range;
use std::sync::LazyLock;

use super::formats::{FORMATS, Format};

/// The longest keyword, in bytes.
pub(super) const LONGEST_KEYWORD: usize = 44;

/// A keyword and its format.
type Keyword = (&'static [u8], &'static Format);

/// The keywords of all formats, in order.
struct Keywords {
    all: Vec<Keyword>,
    /// The first two bytes of each.
    firsts: Vec<u16>,
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
    let firsts: Vec<u16> =
        all.iter().filter_map(|(word, _)| word.first_chunk().copied().map(u16::from_be_bytes)).collect();
    let mut pairs = Box::new([0; 2 * PAIRS]);
    for (pair, (_, format)) in firsts.iter().zip(&all) {
        for first in if format.at > 0 { &[0, PAIRS][..] } else { &[PAIRS] } {
            pairs[(first + usize::from(pair >> 6)) % (2 * PAIRS)] |= 1 << (pair & 63);
        }
    }
    Keywords { all, firsts, pairs }
});

/// Hands on the keywords in a part of a text, with where they begin: those within a token, and those with which one
/// may begin where they stand. Ends when `is_enough` says so; whether it did.
#[expect(clippy::indexing_slicing, reason = "the part lies in the text, and a pair in the part")]
pub(super) fn any_keyword(text: &[u8], part: Range<usize>, mut is_enough: impl FnMut(usize, Keyword) -> bool) -> bool {
    let Keywords { all, firsts, pairs } = &*KEYWORDS;
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
        let here = &text[at..part.end];
        let stands = |word: &[u8]| word.get(2).is_none_or(|byte| here.get(2) == Some(byte)) && here.starts_with(word);
        let first = firsts.partition_point(|known| *known < pair);
        let alike = firsts[first..].iter().take_while(|known| **known == pair).zip(&all[first..]);
        let mut found = alike
            .map(|(_, keyword)| *keyword)
            .filter(|(word, format)| stands(word) && (format.at > 0 || may_begin(text, at, word.len())));
        if found.any(|keyword| is_enough(at, keyword)) {
            return true;
        }
    }
    false
}

/// Whether a token may begin here: not within a word. The letter of an escape such as `\n`
/// is no part of a word.
fn may_begin(bytes: &[u8], start: usize, keyword: usize) -> bool {
    let text = bytes.get(..start).unwrap_or_default();
    let Some(before) = text.last() else { return true };
    let is_escape = matches!(text, [.., b'\\', b'b' | b'f' | b'n' | b'r' | b't']);
    // A short keyword is a part of many ids.
    let joins = before.is_ascii_alphanumeric() || (matches!(before, b'-' | b'_') && keyword < 4);
    let is_number = text.last_chunk::<6>().is_some_and(|escape| escape.starts_with(br"\u"));
    is_escape || is_number || !joins
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
