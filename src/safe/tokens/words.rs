//! Runs that are no part of a token: words, names, and UUIDs.

use std::ops::Range;

use crate::simd::{Kind, Sixteen, Vector};

/// Whether a run is surely no part of a token.
#[expect(clippy::indexing_slicing, reason = "who asks has found the run in the text")]
#[inline]
pub(super) fn is_harmless(text: &[u8], run: Range<usize>) -> bool {
    let before = run.start.checked_sub(1).map(|at| text[at]);
    is_uuid(text, run.start, run.end) || is_word(&text[run], before)
}

/// No word has more letters.
const LONGEST_WORD: usize = 40;

/// Whether a run is of words of small letters, or of capitals with `_` between them, or is a name in which each word has
/// a capital and two letters or more: the random part of a token is not.
fn is_word(run: &[u8], before: Option<u8>) -> bool {
    if run.len() > 64 {
        return is_long_word(run);
    }
    let (mut small, mut capital, mut dash, mut all) = (0, 0, 0, 0);
    for (bytes, at) in run.chunks(16).zip([0, 16, 32, 48]) {
        let part = bytes.first_chunk().map_or_else(|| Sixteen::of_short(bytes), Sixteen::of);
        let of_letters = part.with(0x20).within(b'a', b'z').bits();
        let capitals = part.within(b'A', b'Z').bits();
        let dashes = part.is(b'-').bits();
        let known = of_letters | dashes | part.is(b'_').bits();
        if known != u64::MAX >> (64 - bytes.len()) {
            return false;
        }
        small |= (of_letters & !capitals) << at;
        capital |= capitals << at;
        dash |= dashes << at;
        all |= known << at;
    }
    if capital == 0 || (small | dash == 0 && capital != all) {
        return run.len() <= LONGEST_WORD || is_long_word(run);
    }
    // Of random letters, hardly ever does each capital stand before two small ones. Behind the sign of a keyword, there
    // may be fewer of them.
    let is_name = small | capital == all && capital & !(small >> 1 & small >> 2) == 0;
    is_name && run.len() <= LONGEST_WORD && !matches!(before, Some(b'.' | b':' | b'/'))
}

/// The same of more letters than a word has: none of the words has more.
fn is_long_word(run: &[u8]) -> bool {
    let is_joint = |byte: &u8| matches!(byte, b'-' | b'_');
    let is_constant = || run.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_') && run.contains(&b'_');
    (run.iter().all(|byte| byte.is_ascii_lowercase() || is_joint(byte)) || is_constant())
        && run.split(is_joint).all(|word| word.len() <= LONGEST_WORD)
}

/// How long a UUID is.
pub(crate) const UUID: usize = 36;

/// Whether a run is a UUID, and nothing before it makes it the secret of something.
#[inline]
pub(crate) fn is_uuid(bytes: &[u8], start: usize, end: usize) -> bool {
    const DASHES: u64 = 1 << 8 | 1 << 13 | 1 << 18 | 1 << 23;
    let Some(Ok(run)) = bytes.get(start..end).map(<&[u8; UUID]>::try_from) else { return false };
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    let (first, _) = run.as_chunks();
    let (Some(first), Some(second), Some(last)) = (first.first(), first.get(1), run.last_chunk()) else { return false };
    let hex = |bytes| {
        let vector = Sixteen::of(bytes);
        vector.within(b'0', b'9').or(vector.with(0x20).within(b'a', b'f')).bits()
    };
    [run[8], run[13], run[18], run[23]] == [b'-'; 4]
        && hex(first) | hex(second) << 16 == !DASHES & 0xFFFF_FFFF
        && hex(last) >> 12 == 0xF
        && !matches!(before, Some(b' ' | b'.' | b':' | b'$' | b'@'))
}
