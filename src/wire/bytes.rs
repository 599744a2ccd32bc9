//! Strings of JSON, sixteen bytes a step.
//!
//! What is inlined into functions that call themselves is so only where it is optimised:
//! else their frames would be too large for a deep value.

use std::ops::BitOr;

use crate::safe::tokens::{RUN, has_key_header, has_run};

/// What was seen of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u8);

impl Seen {
    /// There are escapes.
    pub(crate) const ESCAPED: Self = Self(1);
    /// There are escapes by number.
    pub(crate) const NUMBERED: Self = Self(2);
    /// There is a long run of letters and digits with a keyword before it, the header of a
    /// private key, or an `@`: a token may be there.
    pub(crate) const DENSE: Self = Self(4);
    /// If it is JSON text, one of its keys is of interest to the caller.
    pub(crate) const NAMED: Self = Self(8);

    #[inline(always)]
    pub(crate) const fn has(self, what: Self) -> bool {
        self.0 & what.0 != 0
    }
}

impl BitOr for Seen {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Of sixteen bytes, a bit each.
#[derive(Clone, Copy)]
struct Masks {
    /// Quotes, backslashes, control characters, and `@`.
    special: u32,
    /// Spaces, quotes and the like, none of which is a part of a token.
    breaks: u32,
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn masks(chunk: &[u8; 16]) -> Masks {
    let word = u128::from_le_bytes(*chunk);
    let (low, high) = (half_masks(word as u64), half_masks((word >> 64) as u64));
    Masks { special: low.special | high.special << 8, breaks: low.breaks | high.breaks << 8 }
}

/// The same of eight bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn half_masks(word: u64) -> Masks {
    const ONES: u64 = u64::MAX / 0xFF;
    const LOW: u64 = ONES * 0x7F;
    let low = word & LOW;
    // The high bit of each byte that is another, or at least so large; no sum carries over.
    let other = |byte: u8| (low ^ (ONES * u64::from(byte))) + LOW;
    let at_least = |byte: u8| low + ONES * u64::from(0x80 - byte);
    let found = |others: u64| !(others | word) & (ONES * 0x80);
    // The product brings the bit of byte n to bit 56 + n.
    let gather = |bits: u64| ((bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
    Masks {
        special: gather(found(other(b'"') & other(b'\\') & other(b'@') & at_least(0x20))),
        breaks: gather(found(at_least(b'+'))),
    }
}

/// The high bit of each byte that is a quote, a backslash or a control character; bits
/// above the lowest one that is set may be wrong.
#[cfg_attr(not(debug_assertions), inline(always))]
fn special(word: u128) -> u128 {
    const ONES: u128 = u128::MAX / 0xFF;
    let quote = word ^ (ONES * 0x22);
    let slash = word ^ (ONES * 0x5C);
    let found = (quote.wrapping_sub(ONES) & !quote)
        | (slash.wrapping_sub(ONES) & !slash)
        | (word.wrapping_sub(ONES * 0x20) & !word);
    found & (ONES * 0x80)
}

/// The masks of the sixteen bytes at `pos`. Where the text ends before, control characters
/// follow it.
#[expect(clippy::indexing_slicing, reason = "there are fewer than sixteen bytes, and `left` is no more than there are")]
#[cfg_attr(not(debug_assertions), inline(always))]
fn masks_at(bytes: &[u8], pos: usize) -> Masks {
    if let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<16>) {
        return masks(chunk);
    }
    let left = bytes.len().saturating_sub(pos);
    if let Some(chunk) = bytes.last_chunk::<16>() {
        // The last bytes once more, those before `pos` shifted out.
        let Masks { special, breaks } = masks(chunk);
        let (by, behind) = (16 - left as u32, 0xFFFF << left & 0xFFFF);
        return Masks { special: special >> by | behind, breaks: breaks >> by | behind };
    }
    let mut chunk = [0; 16];
    chunk[..left].copy_from_slice(&bytes[bytes.len() - left..]);
    masks(&chunk)
}

/// Reads the characters of a string from `start`, behind its quote, up to the quote at its
/// end, or to the byte that makes it no string. `named` is asked about the keys of a
/// string that may be JSON text.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn look(bytes: &[u8], start: usize, named: impl FnMut(&[u8]) -> bool) -> (usize, Seen) {
    let end = plain_until(bytes, start);
    if bytes.get(end) != Some(&b'"') {
        return look_on(bytes, start, named);
    }
    if end - start < RUN { (end, Seen::default()) } else { (end, look_for_runs(bytes, start, end)) }
}

/// No private key is shorter, with `-----BEGIN PRIVATE KEY-----` before it, in bytes.
const SHORTEST_KEY: usize = 27 + 20;

/// The same of a string without escapes.
#[expect(clippy::indexing_slicing, reason = "the string was found in these bytes")]
#[inline(never)]
fn look_for_runs(bytes: &[u8], start: usize, end: usize) -> Seen {
    let text = &bytes[start..end];
    let is_dense = has_run(bytes, start, start, end, false)
        || memchr::memchr(b'@', text).is_some()
        || (text.len() >= SHORTEST_KEY && has_key_header(text));
    if is_dense { Seen::DENSE } else { Seen::default() }
}

/// The first byte at or after `pos` that is a quote, a backslash or a control
/// character. Sixteen bytes at a time: most keys and ids end in the first round, so the
/// branch at its end is one that the processor can foresee.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn plain_until(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<16>) {
        let found = special(u128::from_le_bytes(*chunk));
        if found != 0 {
            return pos + found.trailing_zeros() as usize / 8;
        }
        pos += 16;
    }
    if let Some(chunk) = bytes.last_chunk::<16>() {
        // The last bytes once more, those before `pos` shifted out. The zeros that come in
        // count as control characters and end the search.
        let left = bytes.len() - pos.min(bytes.len());
        let word = u128::from_le_bytes(*chunk).checked_shr(8 * (16 - left as u32)).unwrap_or(0);
        return (pos + special(word).trailing_zeros() as usize / 8).min(bytes.len());
    }
    let rest = bytes.get(pos..).unwrap_or_default();
    pos + rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F)).count()
}

#[expect(
    clippy::indexing_slicing,
    reason = "the string begins behind a quote, and an inner quote ends before the next one"
)]
#[inline(never)]
fn look_on(bytes: &[u8], start: usize, mut named: impl FnMut(&[u8]) -> bool) -> (usize, Seen) {
    let mut seen = Seen::default();
    // How many bytes have come since the last break.
    let mut gap = 0;
    // Where the last inner quote ends, and whether no escape has come since.
    let (mut quote, mut is_plain) = (start, false);
    // Where the last escaped backslash ends, and whether it escapes what follows once more.
    let (mut slash, mut is_odd) = (usize::MAX, false);
    let mut pos = start;
    loop {
        let Masks { mut special, breaks } = masks_at(bytes, pos);
        let mut taken = 16;
        let mut done = false;
        while special != 0 {
            let index = special.trailing_zeros();
            let here = pos + index as usize;
            match bytes.get(here) {
                Some(b'\\') => {}
                Some(b'@') => {
                    seen = seen | Seen::DENSE;
                    special &= special - 1;
                    continue;
                }
                _ => {
                    (taken, done) = (index, true);
                    break;
                }
            }
            let width = match bytes.get(here + 1) {
                // A quote within a string of the inner JSON.
                Some(b'"') if slash == here && is_odd => {
                    is_plain = false;
                    2
                }
                Some(b'"') => {
                    if is_key(bytes, here + 2) && (!is_plain || named(&bytes[quote..here])) {
                        seen = seen | Seen::NAMED;
                    }
                    (quote, is_plain) = (here + 2, true);
                    2
                }
                Some(b'\\') => {
                    is_odd = slash != here || !is_odd;
                    (slash, is_plain) = (here + 2, false);
                    2
                }
                Some(b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                    is_plain = false;
                    2
                }
                Some(b'u')
                    if bytes.get(here + 2..here + 6).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) =>
                {
                    seen = seen | Seen::NUMBERED;
                    is_plain = false;
                    6
                }
                _ => {
                    (taken, done) = (index, true);
                    break;
                }
            };
            seen = seen | Seen::ESCAPED;
            if index + width >= 16 {
                taken = index + width;
                break;
            }
            special &= u32::MAX << (index + width);
        }
        let within = (1_u32 << taken.min(16)) - 1;
        let breaks = breaks & within;
        let end = pos + taken as usize;
        // The run that a break, or the string, ends.
        let run = gap + breaks.trailing_zeros().min(taken);
        gap = if breaks == 0 { run } else { taken - (32 - breaks.leading_zeros()) };
        if run as usize >= RUN && (breaks != 0 || done) && !seen.has(Seen::DENSE) {
            let last = pos + breaks.trailing_zeros().min(taken) as usize;
            if has_run(bytes, start, last - run as usize, last, seen.has(Seen::ESCAPED)) {
                seen = seen | Seen::DENSE;
            }
        }
        pos = end;
        if done {
            if !seen.has(Seen::DENSE) && has_key_header(&bytes[start..pos.min(bytes.len())]) {
                seen = seen | Seen::DENSE;
            }
            return (pos, seen);
        }
    }
}

/// How many digits follow from `at` on, counted up to sixteen.
#[inline]
pub(crate) fn digits_at(bytes: &[u8], at: usize) -> usize {
    const ONES: u128 = u128::MAX / 0xFF;
    let rest = bytes.get(at..).unwrap_or_default();
    let Some(chunk) = rest.first_chunk::<16>() else {
        return rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    };
    let word = u128::from_le_bytes(*chunk) ^ (ONES * 0x30);
    // The high bit of each byte above nine; no sum carries over.
    let others = (((word & (ONES * 0x7F)) + ONES * 0x76) | word) & (ONES * 0x80);
    others.trailing_zeros() as usize / 8
}

/// Whether a colon follows, behind spaces that are escaped or not.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_key(bytes: &[u8], mut at: usize) -> bool {
    loop {
        match bytes.get(at) {
            Some(b':') => return true,
            Some(b' ') => at += 1,
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't')) => at += 2,
            // White space may be written by number.
            Some(b'\\') if bytes.get(at + 1) == Some(&b'u') => return true,
            _ => return false,
        }
    }
}

/// Whether `literal` stands at byte `at`; what is short is compared without a call.
#[inline(always)]
pub(crate) fn stands_at(bytes: &[u8], at: usize, literal: &[u8]) -> bool {
    let Some(here) = bytes.get(at..at + literal.len()) else { return false };
    if literal.len() > 64 {
        return here == literal;
    }
    let (mut left, mut right) = (here, literal);
    while let (Some((a, more)), Some((b, other))) = (left.split_first_chunk::<16>(), right.split_first_chunk::<16>()) {
        if u128::from_ne_bytes(*a) != u128::from_ne_bytes(*b) {
            return false;
        }
        (left, right) = (more, other);
    }
    // What is left lies within the last sixteen or eight bytes.
    if let (Some(a), Some(b)) = (here.last_chunk::<16>(), literal.last_chunk::<16>()) {
        return u128::from_ne_bytes(*a) == u128::from_ne_bytes(*b);
    }
    match (here.first_chunk::<8>(), literal.first_chunk::<8>()) {
        (Some(a), Some(b)) => a == b && here.last_chunk::<8>() == literal.last_chunk::<8>(),
        _ => here.iter().zip(literal).all(|(a, b)| a == b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whoever wrote the string, a token in it is seen.
    #[test]
    fn tokens_are_seen_however_they_are_written() {
        let random = "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG";
        let texts = [
            format!("the key\u{ff1a}ghp_{random}"),
            format!("<code>ghp_{random}</code>"),
            format!("密钥:ghp_{random}"),
            ["https://hooks.slack.com/services/T0A1B2C3D/", "B0A1B2C3D/x7Kd93jfLq0ZbV5nRw8TyUe1"].concat(),
            format!("Authorization:\tBearer {random}"),
            format!("Authorization: Bearer {random}"),
            "-----BEGIN PRIVATE KEY-----\nabcdefghij/klmnopqrst/uvw\n".to_owned(),
        ];
        let plain = |text: &str| serde_json::to_string(text).unwrap();
        let ascii = |text: &str| {
            let unit = |unit: u16| {
                let plain = char::from_u32(u32::from(unit)).filter(char::is_ascii);
                plain.map_or_else(|| format!("\\u{unit:04x}"), String::from)
            };
            plain(text).encode_utf16().map(unit).collect::<String>()
        };
        let html = |text: &str| plain(text).replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        let slashes = |text: &str| plain(text).replace('/', "\\/");
        let twice = |text: &str| plain(&format!("{{\"text\":{}}}", plain(text)));
        let thrice = |text: &str| plain(&twice(text));
        let writers: [&dyn Fn(&str) -> String; 6] = [&plain, &ascii, &html, &slashes, &twice, &thrice];
        for text in &texts {
            for (writer, write) in writers.iter().enumerate() {
                let written = write(text);
                let (end, seen) = look(written.as_bytes(), 1, |_| false);
                assert_eq!(end, written.len() - 1);
                let text = serde_json::from_str::<String>(&written).unwrap();
                let is_token = crate::safe::tokens::contains_token(&text);
                assert!(seen.has(Seen::DENSE) || !is_token, "{writer}: {written}");
                assert!(is_token || writer > 3, "{writer}: {written}");
            }
        }
    }

    /// The same, byte by byte.
    fn plainly(bytes: &[u8], start: usize) -> (usize, bool, bool) {
        let (mut at, mut escaped, mut numbered) = (start, false, false);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' | 0..=0x1F => break,
                b'\\' => match bytes.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                        (at, escaped) = (at + 2, true);
                    }
                    Some(b'u') if bytes.len() >= at + 6 && bytes[at + 2..at + 6].iter().all(u8::is_ascii_hexdigit) => {
                        (at, escaped, numbered) = (at + 6, true, true);
                    }
                    _ => break,
                },
                _ => at += 1,
            }
        }
        (at, escaped, numbered)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn strings_end_where_they_end(
            pieces in prop::collection::vec(
                prop_oneof![
                    "[a-zA-Z0-9@:. é]{0,20}",
                    "\\\\[\"\\\\nrt/bf]",
                    "\\\\u[0-9a-f]{4}",
                    "[\"\\\\\\x01-\\x1f]",
                    "\\\\u[0-9a-g]{2}",
                ],
                0..12,
            ),
            start in 0_usize..20,
        ) {
            let text = pieces.concat();
            let bytes = text.as_bytes();
            let start = start.min(bytes.len());
            let (end, seen) = look(bytes, start, |_| false);
            let (expected, escaped, numbered) = plainly(bytes, start);
            prop_assert_eq!(end, expected);
            prop_assert_eq!((seen.has(Seen::ESCAPED), seen.has(Seen::NUMBERED)), (escaped, numbered));
            let read = &bytes[start..end];
            let may_have_token = has_run(read, 0, 0, read.len(), seen.has(Seen::ESCAPED)) || read.contains(&b'@');
            prop_assert!(seen.has(Seen::DENSE) || !may_have_token || end - start < 16, "{:?}", seen);
        }

        #[test]
        fn digits_end_where_they_end(text in "[0-9]{0,20}[^0-9]?[0-9x/:\u{e9}]{0,20}", start in 0_usize..24) {
            let plainly = text.bytes().skip(start).take_while(u8::is_ascii_digit).count().min(16);
            prop_assert_eq!(digits_at(text.as_bytes(), start), plainly);
        }

        /// The keys of JSON in a string are asked about.
        #[test]
        fn keys_of_inner_json_are_seen(keys in prop::collection::vec("[a-z_]{1,30}", 1..8), space in "[ ]{0,2}") {
            let members: Vec<String> = keys.iter().map(|key| format!("\\\"{key}\\\"{space}:\\\"text\\\\nof {key}\\\"")).collect();
            let text = format!("{{{}}}\"", members.join(","));
            let mut asked = Vec::new();
            look(text.as_bytes(), 0, |key| { asked.push(String::from_utf8(key.to_vec()).unwrap()); false });
            prop_assert_eq!(asked, keys);
        }
    }
}
