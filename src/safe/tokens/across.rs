//! Tokens of which one part comes later than the other.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex_automata::meta::Regex;

use super::formats::{FORMATS, Format, PEM};
use super::{ESCAPE, Passed, SHORTEST, any_of, compiled, escapes, may_have_token, search, without_escapes};
use crate::simd::{Kind, Sixteen, Vector};

/// Whether no token goes on behind the byte, unless it is of a form with spaces.
#[cfg(test)]
pub(super) const fn ends_token(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'"' | b'#' | b'\'' | b'(' | b')')
}

/// The keywords of the forms with spaces. Nothing that ends a token stands in one, except as
/// its last byte.
static SPACED: LazyLock<Regex> = LazyLock::new(|| compiled(&any_of(spaced_keywords())));

fn spaced_keywords() -> impl Iterator<Item = &'static str> {
    let formats = FORMATS.iter().chain([&PEM]).filter(|format| format.spaced);
    formats.flat_map(Format::keywords)
}

/// Where the first keyword of a form with spaces begins.
pub(crate) fn spaced_from(text: &str) -> Option<usize> {
    SPACED.find(text).map(|keyword| keyword.start())
}

/// What of a piece decides whether a token goes on into it, or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Up to where no byte ends a token that has no spaces: white space, quotes, `#`, or parentheses.
    pub(crate) head: usize,
    /// Behind the last byte that does.
    pub(crate) last: usize,
    /// Whether there is one that is the second of two in a keyword of a form with spaces, or the first of Bearer.
    pub(crate) may_name: bool,
}

/// See [`Marks`]. Most pieces are words, so no branch depends on their bytes.
#[inline]
pub(crate) fn marks(piece: &[u8]) -> Marks {
    let mut marks = Marks { head: piece.len(), last: 0, may_name: false };
    let mut take = |at: usize, vector: Sixteen, of_text: u64| {
        let ends = vector.within(0, b' ').or(vector.within(b'"', b'#')).or(vector.within(b'\'', b')')).bits() & of_text;
        let letter = vector.with(0x20).is(b'z').or(vector.with(0x20).is(b'k'));
        marks.head = marks.head.min(if ends == 0 { usize::MAX } else { at + ends.trailing_zeros() as usize });
        marks.last = marks.last.max(if ends == 0 { 0 } else { at + 64 - ends.leading_zeros() as usize });
        let sign = vector.is(b'_').or(vector.is(b'G')).or(vector.is(b'B'));
        marks.may_name |= letter.or(sign).bits() != 0;
    };
    let (chunks, rest) = piece.as_chunks();
    chunks.iter().enumerate().for_each(|(at, chunk)| take(16 * at, Sixteen::of(chunk), u64::MAX));
    // Behind the rest are zeros, which would end a token.
    take(piece.len() - rest.len(), Sixteen::of_short(rest), !(u64::MAX << rest.len()));
    marks
}

/// Whether two bytes stand in the text that are found together in every keyword of a form
/// with spaces, and seldom elsewhere.
pub(crate) fn may_name_spaced(text: &[u8]) -> bool {
    // Sixteen bytes, and those behind each of them.
    let mut rest = text;
    while let (Some(ones), Some(twos)) = (rest.first_chunk(), rest.get(1..).and_then(<[u8]>::first_chunk)) {
        if are_in_name(Sixteen::of(ones), Sixteen::of(twos)).bits() != 0 {
            return true;
        }
        rest = rest.get(16..).unwrap_or_default();
    }
    rest.windows(2).any(|pair| matches!(pair, [one, two] if is_in_name(*one, *two)))
}

/// Whether such two bytes may stand where the text ends and the next begins, and do not show there: few texts have a
/// `B`, and most have an `e`.
pub(crate) fn may_begin_name(text: &[u8]) -> bool {
    text.ends_with(b"B")
}

/// The same of sixteen pairs.
#[inline(always)]
fn are_in_name(one: Sixteen, two: Sixteen) -> Sixteen {
    let (small_one, small_two) = (one.with(0x20), two.with(0x20));
    let key = one.is(b'_').or(one.is(b's')).or(one.is(b'e')).or(one.is(b'-'));
    let mut found = small_one.is(b'i').and(small_two.is(b'z'));
    found = found.or(one.is(b'_').and(two.is(b'k'))).or(key.and(two.is(b'K')));
    found = found.or(one.is(b':').and(two.is(b'_'))).or(one.is(b'E').and(two.is(b'G')));
    found.or(one.is(b'B').and(two.is(b'e')))
}

/// Whether the bytes are such two: of authorization, `_key`, AccessKey, PrivateKey and
/// User-Key-File, `:_auth`, BEGIN, or Bearer.
const fn is_in_name(one: u8, two: u8) -> bool {
    match two {
        b'z' | b'Z' => matches!(one, b'i' | b'I'),
        b'k' => one == b'_',
        b'K' => matches!(one, b'_' | b's' | b'e' | b'-'),
        b'_' => one == b':',
        b'G' => one == b'E',
        b'e' => one == b'B',
        _ => false,
    }
}

/// How far a text was looked at that goes on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// So many bytes were looked at.
    pub(crate) bytes: usize,
    /// Pieces that came since, and are long enough for a token of their own.
    pub(crate) pieces: Vec<Range<usize>>,
    /// So many of them belong to a token that was found, or stand before it.
    pub(crate) told: usize,
}

/// Whether a new token begins before `seam`, or right behind an escape that does, and ends behind what is known.
///
/// What the known part shows, or a piece, or the part behind the seam, or what belongs to a token that was found, is not
/// new.
#[cold]
pub(crate) fn is_across(text: &str, known: &mut Known, seam: usize, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let bytes = text.as_bytes();
    let passed = Passed::Harmless(is_allowed);
    if bytes.len() < SHORTEST || !may_have_token(bytes) {
        return false;
    }
    let parts = [0..known.bytes, seam..bytes.len()].into_iter().chain(known.pieces.iter().cloned());
    let parts = parts.filter_map(|part| Some((part.end, bytes.get(part)?)));
    let told = &mut known.told;
    if !escapes::has_any(bytes) {
        let parts: Vec<_> = parts.map(|(end, part)| (end - part.len(), Cow::Borrowed(part))).collect();
        return look(bytes, &parts, known.bytes, told, seam, passed);
    }
    let plain = |to: usize| without_escapes(bytes, to);
    // A part may begin within an escape, of which it knows nothing.
    let in_plain = |(end, part): (usize, &[u8])| {
        let text = without_escapes(part, part.len());
        (plain(end).len().saturating_sub(text.len()), Cow::Owned(text))
    };
    let parts: Vec<_> = parts.map(in_plain).collect();
    look(&plain(bytes.len()), &parts, plain(known.bytes).len(), told, plain(seam).len(), passed)
}

/// `parts` show their tokens by themselves, each with where it begins. What begins before `told` was reported. All places
/// are those of the bytes, which may be without their escapes.
fn look(
    bytes: &[u8],
    parts: &[(usize, Cow<'_, [u8]>)],
    known: usize,
    told: &mut usize,
    seam: usize,
    passed: Passed<'_>,
) -> bool {
    let mut across: Vec<Range<usize>> = Vec::new();
    // The letter of an escape that began before the seam hides a token behind it.
    search(bytes, seam + ESCAPE, passed, &mut |token| {
        if token.end > known {
            across.push(token);
        }
        false
    });
    let Some(end) = across.iter().map(|token| token.end).max() else { return false };
    across.retain(|token| token.start >= *told);
    *told = end;
    for (from, part) in parts {
        if !across.is_empty() {
            search(part, usize::MAX, passed, &mut |token| {
                let (start, end) = (from + token.start, from + token.end);
                across.retain(|other| other.end <= start || end <= other.start);
                across.is_empty()
            });
        }
    }
    !across.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn github() -> String {
        ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat()
    }

    #[test]
    fn keywords_of_forms_with_spaces_are_told_by_two_bytes() {
        assert!(spaced_keywords().count() >= 14);
        for keyword in spaced_keywords() {
            let (last, others) = keyword.as_bytes().split_last().unwrap();
            assert!(!others.iter().any(|byte| ends_token(*byte)), "{keyword} {last}");
            assert!(may_name_spaced(keyword.as_bytes()), "{keyword}");
            let text = format!("a {keyword}: é");
            assert_eq!(spaced_from(&text), Some(2), "{keyword}");
            assert!(may_name_spaced(text.as_bytes()));
        }
        for text in ["", "i", "the answer is 42, and more of it", r#"{"city":"Oslo","day":7}"#] {
            assert!(!may_name_spaced(text.as_bytes()) && spaced_from(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn many_bytes_are_told_as_one_by_one(text in "[ -~é]{0,40}[_eEsiI:-]?[zZkK_GB]?[\\x00-~]{0,40}") {
            let text = text.as_bytes();
            let one_by_one = Marks {
                head: text.iter().position(|byte| ends_token(*byte)).unwrap_or(text.len()),
                last: text.iter().rposition(|byte| ends_token(*byte)).map_or(0, |at| at + 1),
                may_name: text.iter().any(|byte| b"zZkK_GB".contains(byte)),
            };
            prop_assert_eq!(marks(text), one_by_one);
            prop_assert_eq!(may_name_spaced(text), text.windows(2).any(|pair| is_in_name(pair[0], pair[1])));
        }
    }

    /// What is said of a text that is cut at `seam`, of which all before was looked at.
    fn crosses(text: &str, seam: usize) -> bool {
        is_across(text, &mut known(seam), seam, &|_| false)
    }

    fn known(bytes: usize) -> Known {
        Known { bytes, ..Known::default() }
    }

    #[test]
    fn only_what_neither_part_shows_is_across() {
        let token = github();
        let text = format!("key={token}&b=1");
        for seam in 0..text.len() {
            // What has come so far may be long enough for a token.
            let first = super::super::contains_token(&text[..seam]);
            let is_within = seam > 4 && seam < 4 + token.len();
            assert_eq!(crosses(&text, seam), is_within && !first, "{seam}");
        }
        // Not yet looked at: what ends there is new.
        let end = 4 + token.len();
        let mut known = known(12);
        assert!(is_across(&text, &mut known, end, &|_| false));
        assert_eq!(known.told, end);
        // It was found, whatever becomes of it.
        assert!(!is_across(&text, &mut known, end, &|_| false));
        assert!(!crosses(&text, end));
        assert!(!is_across(&text, &mut self::known(8), 8, &|secret| secret.starts_with("ghp_")));
    }

    #[test]
    fn a_token_within_another_is_the_same_secret() {
        let text = ["Authorization: ", "Bearer ", &github()].concat();
        let seam = text.find("ghp_").unwrap();
        // The second part is reported by itself.
        assert!(!crosses(&text, seam));
        assert!(crosses(&text, seam + 2));
    }

    #[test]
    fn slashes_may_be_escaped() {
        let url = ["https:", "//app:", "cSmhueLW3Ga2tZc17q", "@db.internal/x"].concat();
        let escaped = url.replace('/', r"\/");
        for text in [&url, &escaped] {
            let password = text.find("cSm").unwrap();
            for seam in password..password + 18 {
                assert!(crosses(text, seam), "{text} {seam}");
            }
            assert!(!crosses(text, text.len() - 1), "{text}");
        }
    }
}
