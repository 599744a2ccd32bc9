//! Where the keywords of formats stand in a text.

use std::ops::Range;
use std::sync::LazyLock;

use super::formats::{FORMATS, Format};
use crate::simd::{Kind, Vector, Width, block, widest};

/// A keyword and its format.
type Keyword = (&'static [u8], &'static Format);

/// The keywords of all formats, in order.
struct Keywords {
    all: Vec<Keyword>,
    /// The first two bytes of each.
    firsts: Vec<u16>,
    /// A bit for each two bytes with which one begins.
    pairs: Box<[u64; PAIRS]>,
}

/// How many numbers have a bit for each two bytes.
const PAIRS: usize = 1 << 10;

/// The first bytes, and the second ones, of keywords that stand within words of letters and digits.
const FIRST_WITHIN: [u8; 4] = *b"AJNQ";
const SECOND_WITHIN: [u8; 6] = *b"zCIQR~";

#[expect(clippy::indexing_slicing, reason = "there is a number for each two bytes")]
static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let words = |format: &'static Format| format.keywords().map(move |word| (word.as_bytes(), format));
    let mut all: Vec<Keyword> = FORMATS.iter().flat_map(words).collect();
    all.sort_unstable_by_key(|(word, _)| *word);
    let firsts: Vec<u16> =
        all.iter().filter_map(|(word, _)| word.first_chunk().copied().map(u16::from_be_bytes)).collect();
    let mut pairs = Box::new([0; PAIRS]);
    for pair in &firsts {
        pairs[usize::from(pair >> 6)] |= 1 << (pair & 63);
    }
    Keywords { all, firsts, pairs }
});

/// Hands on the keywords in a part of a text, with where they begin: those within a token, and those with which one
/// may begin where they stand. Ends when `is_enough` says so; whether it did.
pub(super) fn any_keyword(text: &[u8], part: Range<usize>, is_enough: impl FnMut(usize, Keyword) -> bool) -> bool {
    widest!(|width| any_keyword_by(width, text, part, is_enough))
}

#[expect(
    clippy::indexing_slicing,
    reason = "two bytes have a bit, were found in the text, and stand among the keywords"
)]
#[inline(always)]
fn any_keyword_by(
    width: impl Width,
    text: &[u8],
    part: Range<usize>,
    mut is_enough: impl FnMut(usize, Keyword) -> bool,
) -> bool {
    let Keywords { all, firsts, pairs } = &*KEYWORDS;
    // A part reaches behind its run, and so perhaps beyond the text.
    let text = text.get(..part.end).unwrap_or(text);
    let mut before = Before::default();
    let mut from = part.start.saturating_sub(ESCAPE);
    while from < text.len() {
        let mut may_begin_here = may_begin_in(width.of(block(text, from).bytes()), &mut before);
        while may_begin_here != 0 {
            let at = from + may_begin_here.trailing_zeros() as usize;
            may_begin_here &= may_begin_here - 1;
            let Some(pair) = text.get(at..).and_then(<[u8]>::first_chunk) else { break };
            let pair = u16::from_be_bytes(*pair);
            if pairs[usize::from(pair >> 6)] >> (pair & 63) & 1 == 0 || at < part.start {
                continue;
            }
            let here = &text[at..];
            let stands =
                |word: &[u8]| word.get(2).is_none_or(|byte| here.get(2) == Some(byte)) && here.starts_with(word);
            let first = firsts.partition_point(|known| *known < pair);
            let alike = firsts[first..].iter().take_while(|known| **known == pair).zip(&all[first..]);
            let mut found = alike
                .map(|(_, keyword)| *keyword)
                .filter(|(word, format)| stands(word) && (format.at > 0 || may_begin(text, at, word.len())));
            if found.any(|keyword| is_enough(at, keyword)) {
                return true;
            }
        }
        from += 64;
    }
    false
}

/// Whether a keyword stands anywhere behind the first byte, of which `is_enough` is true: of one that tells its format,
/// or of one of up to three bytes, which may be chance in an id and counts behind a sign alone.
#[expect(clippy::indexing_slicing, reason = "two bytes have a bit, and stand among the keywords")]
pub(super) fn any_within(text: &[u8], mut is_enough: impl FnMut(usize, bool) -> bool) -> bool {
    let Keywords { all, firsts, pairs } = &*KEYWORDS;
    text.windows(2).enumerate().skip(1).any(|(at, pair)| {
        let pair = pair.first_chunk().copied().map_or(0, u16::from_be_bytes);
        if pairs[usize::from(pair >> 6)] >> (pair & 63) & 1 == 0 {
            return false;
        }
        let first = firsts.partition_point(|known| *known < pair);
        let mut alike = firsts[first..].iter().take_while(|known| **known == pair).zip(&all[first..]);
        let is_joined = matches!(text[at - 1], b'-' | b'_');
        alike.any(|(_, (word, format))| {
            let is_telling = word.len() > 3 || is_fixed(format);
            (is_telling || is_joined) && text[at..].starts_with(word) && is_enough(at, is_telling)
        })
    })
}

/// Whether a format has something behind its keyword that no id has: a point, or the mark of OpenAI's.
fn is_fixed(format: &Format) -> bool {
    format.has_point() || format.pattern.contains("T3BlbkFJ")
}

/// How far before a keyword an escape may begin that ends there: what gives terminals a colour is the longest.
pub(crate) const ESCAPE: usize = 16;
/// The same of an escape by number.
const NUMBER: usize = 6;

/// What stands in the block of 64 bytes before, a bit for each byte.
struct Before {
    /// No part of a word.
    others: u64,
    /// Where escapes of JSON, of source text and of a URL begin.
    escapes: u64,
    percents: u64,
    /// Where a colour may begin, and what may be its last bytes.
    brackets: u64,
    coloured: u64,
}

impl Default for Before {
    /// What is not known: of a colour, enough is looked at to know it.
    fn default() -> Self {
        Self { others: u64::MAX, escapes: u64::MAX, percents: u64::MAX, brackets: 0, coloured: 0 }
    }
}

/// A bit for each byte where a keyword may begin: where a word begins or none is, behind an escape of JSON or of a URL,
/// behind what gives terminals a colour, and where one of those begins that stand within words.
#[inline(always)]
fn may_begin_in(block: impl Vector, before: &mut Before) -> u64 {
    let letters = block.with(0x20).within(b'a', b'z');
    let others = !letters.or(block.within(b'0', b'9')).bits();
    let brackets = block.is(b'[').bits();
    let escapes = block.is(b'\\').bits();
    let percents = block.is(b'%').bits();
    let behind = |bits: u64, before: u64, by: usize| bits << by | before >> (64 - by);
    let first = one_of(block, &FIRST_WITHIN).bits();
    let second = one_of(block, &SECOND_WITHIN).bits();
    // Whether the next block goes on with the second byte is not known here.
    let within = first & (second >> 1 | 1 << 63);
    let escaped = behind(escapes, before.escapes, 2) | behind(escapes, before.escapes, NUMBER);
    let escaped = escaped | behind(escapes, before.escapes, 4) | behind(percents, before.percents, 3);
    let mut begins = others | behind(others, before.others, 1) | escaped | within;
    let mut coloured = 0;
    if brackets | before.brackets != 0 {
        coloured = !letters.bits() | block.is(b'm').or(block.is(b'K')).bits();
        // The last two bytes may be those of a colour; more is looked at where a keyword stands.
        begins |= behind(coloured, before.coloured, 1) & behind(coloured, before.coloured, 2);
    }
    *before = Before { others, escapes, percents, brackets, coloured };
    begins
}

#[inline(always)]
fn one_of<V: Vector>(vector: V, bytes: &[u8]) -> V::Kind {
    let kinds = bytes.iter().map(|byte| vector.is(*byte));
    kinds.reduce(Kind::or).unwrap_or_else(|| vector.is(0))
}

/// Whether a token may begin here: not within a word. A sign begins where it stands, and the letter of an escape such
/// as `\n` is no part of a word.
fn may_begin(bytes: &[u8], start: usize, keyword: usize) -> bool {
    let text = bytes.get(..start).unwrap_or_default();
    let Some(before) = text.last() else { return true };
    let is_escape = matches!(text, [.., b'\\', b'b' | b'f' | b'n' | b'r' | b't']);
    // A short keyword is a part of many ids, and `key-` of names such as `cache-key-…`; no id looks like the formats of
    // these three.
    let here = bytes.get(start..start + keyword).unwrap_or_default();
    let is_of_id = (keyword < 4 || here == b"key-") && !matches!(here, b"eyJ" | b"SG." | b"hf_");
    let joins = before.is_ascii_alphanumeric() || (is_of_id && is_joined(text));
    let is_sign = here.first().is_some_and(u8::is_ascii_punctuation);
    let is_number = text.last_chunk::<6>().is_some_and(|escape| escape.starts_with(br"\u"));
    let is_byte = matches!(text, [.., b'%', one, two] | [.., b'\\', b'x', one, two] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit());
    is_escape || is_number || is_byte || is_sign || !joins || ends_colour(text)
}

/// Whether a text ends with a hyphen or underscore that joins what follows to a word, unlike one where a line begins.
fn is_joined(text: &[u8]) -> bool {
    let Some((b'-' | b'_', text)) = text.split_last() else { return false };
    let is_escape = matches!(text, [.., b'\\', b'n' | b'r' | b't']);
    text.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) && !is_escape
}

/// Whether a text ends with what gives terminals a colour, or clears a line there, such as `[32m`: logs have the byte
/// before it in many forms, or not at all.
fn ends_colour(text: &[u8]) -> bool {
    let Some(numbers) = text.strip_suffix(b"m").or_else(|| text.strip_suffix(b"K")) else { return false };
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let length = numbers.iter().rev().take_while(is_number).take(ESCAPE - 2).count();
    numbers.len().checked_sub(length + 1).and_then(|at| numbers.get(at)) == Some(&b'[')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Narrow;
    use proptest::prelude::*;

    #[test]
    fn keywords_have_two_bytes() {
        assert!(KEYWORDS.all.len() > 290);
        assert!(KEYWORDS.all.iter().all(|(word, _)| word.len() >= 2));
    }

    #[test]
    fn keywords_within_words_begin_as_is_said() {
        let within = KEYWORDS.all.iter().filter(|(word, format)| format.at > 0 && word[0].is_ascii_alphanumeric());
        for (word, format) in within {
            assert!(FIRST_WITHIN.contains(&word[0]) && SECOND_WITHIN.contains(&word[1]), "{}", format.id);
        }
    }

    fn text() -> impl Strategy<Value = String> {
        let words: Vec<&str> = FORMATS.iter().flat_map(Format::keywords).collect();
        let part = prop_oneof![
            prop::sample::select(words),
            prop::sample::select(vec![
                "a", "_", "-", " ", "\\n", "\\", "\\u00e9", "é", "A", ":A", "\\u12n", "7", "[32m", "[1;31m", "m", "[K",
            ]),
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
            for (format, word) in FORMATS.iter().flat_map(|format| format.keywords().map(move |word| (format, word))) {
                for at in start..end {
                    let is_there = text[at..end].starts_with(word.as_bytes());
                    if is_there && (format.at > 0 || may_begin(text, at, word.len())) {
                        expected.push((at, word, format.id));
                    }
                }
            }
            expected.sort_unstable();
            for is_narrow in [true, false] {
                let mut found = Vec::new();
                let is_enough = |at, (word, format): Keyword| {
                    found.push((at, std::str::from_utf8(word).unwrap(), format.id));
                    false
                };
                if is_narrow {
                    any_keyword_by(Narrow, text, start..end, is_enough);
                } else {
                    any_keyword(text, start..end, is_enough);
                }
                found.sort_unstable();
                prop_assert_eq!(found, expected.clone());
            }
        }
    }
}
