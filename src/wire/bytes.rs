//! Strings of JSON, many bytes a step.
//!
//! What is inlined into functions that call themselves is so only where it is optimised:
//! else their frames would be too large for a deep value.

use std::ops::BitOr;

use super::escapes::escaped;
use super::text::{may_disguise, unit};
use crate::safe::tokens::{
    BLOCKS_BEFORE, LONGEST, RUN, UUID, Windows, encoded_until, escaped_at, has_key_header, hides, in_run, is_encoded,
    is_uuid, may_be_token, may_end_password,
};
use crate::simd::{Kind, Sixteen, Vector, Width, block, widest};

/// What was seen of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen(u8);

impl Seen {
    /// There are escapes.
    pub(crate) const ESCAPED: Self = Self(1);
    /// There are escapes by number that [may disguise](may_disguise) what it is.
    pub(crate) const NUMBERED: Self = Self(2);
    /// There is a long run of letters and digits with a keyword before it, the header of a
    /// private key, or what may be the end of a password in a URL: a token may be there.
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

/// Quotes, backslashes and control characters.
#[inline(always)]
fn special<V: Vector>(vector: V) -> V::Kind {
    vector.is(b'"').or(vector.is(b'\\')).or(vector.within(0, 0x1F))
}

/// Which of the sixteen bytes at `pos` are of a kind, a bit each. What lies behind the end of
/// the text is.
#[expect(clippy::indexing_slicing, reason = "there are fewer than sixteen bytes, and `left` is no more than there are")]
#[cfg_attr(not(debug_assertions), inline(always))]
fn sixteen(bytes: &[u8], pos: usize, kind: impl Fn(Sixteen) -> Sixteen) -> u64 {
    if let Some(chunk) = bytes.get(pos..).and_then(<[u8]>::first_chunk) {
        return kind(Sixteen::of(chunk)).bits();
    }
    let left = bytes.len().saturating_sub(pos);
    if let Some(chunk) = bytes.last_chunk() {
        // The last bytes once more, those before `pos` shifted out.
        return (kind(Sixteen::of(chunk)).bits() | u64::MAX << 16) >> (16 - left);
    }
    let mut chunk = [0; 16];
    chunk[..left].copy_from_slice(&bytes[bytes.len() - left..]);
    kind(Sixteen::of(&chunk)).bits() | u64::MAX << left
}

/// Reads the characters of a string from `start`, behind its quote, up to the quote at its
/// end, or to the byte that makes it no string. `named` is asked about the keys of a
/// string that may be JSON text.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn look(bytes: &[u8], start: usize, named: impl FnMut(&[u8]) -> bool) -> (usize, Seen) {
    let length = sixteen(bytes, start, special).trailing_zeros() as usize;
    let end = start + length;
    // No token is this short.
    if length < RUN && bytes.get(end) == Some(&b'"') { (end, Seen::default()) } else { look_on(bytes, start, named) }
}

/// The first byte at or after `pos` that is a quote, a backslash or a control character.
/// Sixteen bytes at a time: most keys and ids end in the first round, so the branch at its
/// end is one that the processor can foresee.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn plain_until(bytes: &[u8], mut pos: usize) -> usize {
    loop {
        let found = sixteen(bytes, pos, special);
        if found != 0 {
            return (pos + found.trailing_zeros() as usize).min(bytes.len());
        }
        pos += 16;
    }
}

/// Which of 64 bytes are quotes, backslashes, and escaped.
struct Written {
    quotes: u64,
    slashes: u64,
    escaped: u64,
}

impl Written {
    /// `carry` is as in [`escaped`].
    #[inline(always)]
    fn of(chunk: impl Vector, carry: &mut u64) -> Self {
        let slashes = chunk.is(b'\\').bits();
        Self { quotes: chunk.is(b'"').bits(), slashes, escaped: escaped(slashes, carry) }
    }
}

/// The same as [`look`] of a string that is not as short.
#[inline(never)]
fn look_on(bytes: &[u8], start: usize, named: impl FnMut(&[u8]) -> bool) -> (usize, Seen) {
    // Many ids are UUIDs, which are no tokens where nothing stands before them.
    let end = start + UUID;
    if bytes.get(end) == Some(&b'"') && bytes.get(start + 8) == Some(&b'-') && is_uuid(bytes, start, end) {
        return (end, Seen::default());
    }
    match plain_end(bytes, start) {
        Some(end) => (end, Seen::default()),
        None => widest!(|width| look_closely(width, bytes, start, named)),
    }
}

/// Where a string of up to 31 bytes ends in which there is nothing to be seen, such as a few words or
/// a time.
#[inline(always)]
fn plain_end(bytes: &[u8], start: usize) -> Option<usize> {
    let both = |kind: fn(Sixteen) -> Sixteen| sixteen(bytes, start, kind) | sixteen(bytes, start + 16, kind) << 16;
    let length = both(|vector| special(vector).or(vector.is(b'@'))).trailing_zeros();
    let end = start + length as usize;
    if length >= 32 || bytes.get(end) != Some(&b'"') {
        return None;
    }
    let runs = both(in_run) & up_to(length);
    let dashes = both(|vector| vector.is(b'-')) & up_to(length);
    let header = dashes & dashes >> 1 & dashes >> 2 & dashes >> 3 & dashes >> 4;
    ((begins_of_fifteen(runs) | header) == 0).then_some(end)
}

/// Where fifteen bytes of a kind begin, as many as make a run.
#[inline(always)]
const fn begins_of_fifteen(of_kind: u64) -> u64 {
    let mut long = of_kind & of_kind >> 1;
    long &= long >> 2;
    long &= long >> 4;
    long & long >> 7
}

/// The same as [`look`], 64 bytes at a time.
#[inline(always)]
fn look_closely(width: impl Width, bytes: &[u8], start: usize, named: impl FnMut(&[u8]) -> bool) -> (usize, Seen) {
    let mut looking = Looking {
        bytes,
        start,
        seen: Seen::default(),
        hides: false,
        named,
        escaped: Escaped::default(),
        windows: Windows::default(),
    };
    let (mut carry, mut run, mut dashes, mut has_dashes) = (0, 0, 0, false);
    let mut encoded = 0;
    let mut pos = start;
    loop {
        let block = block(bytes, pos);
        let chunk = width.of(block.bytes());
        let Written { quotes, slashes, mut escaped } = Written::of(chunk, &mut carry);
        // Control characters end the string too, and an `@` may be in a URL with a password.
        let mut ends = (quotes & !escaped) | chunk.within(0, 0x1F).or(chunk.is(b'@')).bits();
        while block.bytes().get(ends.trailing_zeros() as usize) == Some(&b'@') {
            if may_end_password(bytes.get(start..).unwrap_or_default(), pos - start + ends.trailing_zeros() as usize) {
                looking.seen = looking.seen | Seen::DENSE;
            }
            ends &= ends - 1;
        }
        let mut end = ends.trailing_zeros();
        let mut stop = pos + end as usize;
        if escaped != 0 {
            let common = quotes | slashes | chunk.is(b'n').bits();
            let others = escaped & !common & up_to(end + 1);
            if others != 0
                && let Some(at) = rare(bytes, pos, others, &mut looking.seen, &mut looking.hides)
            {
                // The backslash is where it is no string any more.
                (end, stop) = (at, (pos + at as usize).saturating_sub(1));
            }
            escaped &= up_to(end);
            if escaped & slashes != 0 {
                // Inner JSON may escape its slashes once more, and whatever else.
                looking.hides |= followed(escaped & slashes, chunk.is(b'/').bits()) != 0;
                looking.numbered(pos, followed(escaped & slashes, chunk.is(b'u').bits()));
            }
            // A colon follows, or what may stand before it.
            let next = slashes | chunk.is(b':').or(chunk.is(b' ')).bits();
            let ends = followed(escaped & quotes, next);
            let here = Escaped { pos, bits: escaped, quotes };
            if ends != 0 {
                looking.keys(here, slashes, ends);
            }
            if escaped != 0 {
                (looking.escaped, looking.seen) = (here, looking.seen | Seen::ESCAPED);
            }
        }
        let within = up_to(end);
        let five = chunk.is(b'-').bits() & within;
        has_dashes |= five != 0
            && (dashes + five.trailing_ones() >= 5 || five & five >> 1 & five >> 2 & five >> 3 & five >> 4 != 0);
        dashes = five.leading_ones();
        let of_run = in_run(chunk);
        run = looking.runs(pos, of_run.bits() & within, run);
        if end < 64 {
            let string = bytes.get(start..stop).unwrap_or_default();
            if !looking.seen.has(Seen::DENSE)
                && (looking.windows.may_have_token(string) || has_dashes && has_key_header(string))
            {
                looking.seen = looking.seen | Seen::DENSE;
            }
            return (stop.min(bytes.len()), looking.seen);
        }
        pos += 64;
        encoded = if is_encoded(of_run, chunk) { encoded + 1 } else { 0 };
        if encoded == BLOCKS_BEFORE {
            // What is a keyword by chance, and does not go on to where something else stands, is passed over.
            let until = encoded_until(width, bytes, pos).saturating_sub(LONGEST);
            if until > pos {
                looking.run(pos - run, pos);
                (pos, run, dashes) = (until, 0, 0);
            }
            encoded = 0;
        }
    }
}

/// Where the string ends that has come up to `start`, at its quote or where it is no string any
/// more, and which escapes there are from there on.
pub(crate) fn string_end(bytes: &[u8], start: usize) -> (usize, Seen) {
    widest!(|width| string_end_by(width, bytes, start))
}

#[inline(always)]
fn string_end_by(width: impl Width, bytes: &[u8], start: usize) -> (usize, Seen) {
    let (mut seen, mut carry) = (Seen::default(), 0);
    let mut pos = start;
    loop {
        let block = block(bytes, pos);
        let chunk = width.of(block.bytes());
        let Written { quotes, slashes, escaped } = Written::of(chunk, &mut carry);
        let end = ((quotes & !escaped) | chunk.within(0, 0x1F).bits()).trailing_zeros();
        let common = quotes | slashes | chunk.is(b'n').bits();
        let others = escaped & !common & up_to(end + 1);
        if others != 0
            && let Some(at) = rare(bytes, pos, others, &mut seen, &mut false)
        {
            return ((pos + at as usize).saturating_sub(1), seen);
        }
        if escaped & up_to(end) != 0 {
            seen = seen | Seen::ESCAPED;
        }
        if end < 64 {
            return ((pos + end as usize).min(bytes.len()), seen);
        }
        pos += 64;
    }
}

/// Takes escapes that are not of a quote, a backslash or a line end; gives the first that is
/// none. `hides` says whether they can hide what stands before a token.
#[inline(never)]
fn rare(bytes: &[u8], pos: usize, mut escaped: u64, seen: &mut Seen, hides: &mut bool) -> Option<u32> {
    while escaped != 0 {
        let at = escaped.trailing_zeros();
        let here = pos + at as usize;
        let number = bytes.get(here + 1..).and_then(<[u8]>::first_chunk::<4>);
        match bytes.get(here) {
            Some(b'b' | b'f' | b'r' | b't') => {}
            Some(b'/') => *hides = true,
            Some(b'u') => match number.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                None => return Some(at),
                Some(digits) => {
                    let unit = unit(*digits);
                    *hides |= unit < 0x80;
                    *seen = if may_disguise(unit) { *seen | Seen::NUMBERED } else { *seen };
                }
            },
            _ => return Some(at),
        }
        escaped &= escaped - 1;
    }
    None
}

/// Which of the bytes one of `next` follows, as far as it is among these 64.
#[inline(always)]
const fn followed(bytes: u64, next: u64) -> u64 {
    bytes & (next >> 1 | 1 << 63)
}

/// The bits below `end`.
#[inline(always)]
const fn up_to(end: u32) -> u64 {
    if end >= 64 { u64::MAX } else { (1 << end) - 1 }
}

/// Which of 64 bytes are escaped, and which are quotes.
#[derive(Clone, Copy, Default)]
struct Escaped {
    pos: usize,
    bits: u64,
    quotes: u64,
}

impl Escaped {
    /// Where the last that is escaped stands, if it is a quote.
    #[inline(always)]
    fn last_quote(self) -> Option<usize> {
        let last = self.bits.checked_ilog2()?;
        (self.quotes >> last & 1 != 0).then(|| self.pos + last as usize)
    }
}

/// What is known of a string of which some has been read.
struct Looking<'a, N> {
    bytes: &'a [u8],
    start: usize,
    seen: Seen,
    /// There are escapes that can hide what stands before a token.
    hides: bool,
    named: N,
    /// What was escaped last.
    escaped: Escaped,
    /// Where a keyword of a token has to be looked for.
    windows: Windows,
}

#[expect(
    clippy::indexing_slicing,
    reason = "the string begins behind a quote, what is escaped stands behind a backslash in it, and a run lies in it"
)]
impl<N: FnMut(&[u8]) -> bool> Looking<'_, N> {
    /// Looks at the keys of what may be JSON text: at these `ends` of some.
    fn keys(&mut self, here: Escaped, slashes: u64, mut ends: u64) {
        // Quotes that are surely escaped once only.
        let plain = here.bits & here.quotes & !(slashes << 2 | 3);
        while ends != 0 {
            let at = ends.trailing_zeros();
            ends &= ends - 1;
            let end = here.pos + at as usize;
            let before = here.bits & up_to(at);
            let last = before.checked_ilog2().unwrap_or(0);
            if plain >> at & plain >> last & 1 != 0 && self.bytes.get(end + 1) == Some(&b':') {
                if (self.named)(&self.bytes[here.pos + last as usize + 1..end - 1]) {
                    self.seen = self.seen | Seen::NAMED;
                }
            } else if is_key(self.bytes, end + 1) {
                self.key(if before == 0 { self.escaped } else { Escaped { bits: before, ..here } }, end - 1);
            }
        }
    }

    /// Looks at what may be escapes by number of inner JSON, which begin behind `slashes`.
    #[inline]
    fn numbered(&mut self, pos: usize, mut slashes: u64) {
        while slashes != 0 {
            let at = pos + slashes.trailing_zeros() as usize;
            slashes &= slashes - 1;
            if let Some(byte) = escaped_at(self.bytes, at) {
                self.hides = true;
                self.seen = if hides(byte) { self.seen | Seen::DENSE } else { self.seen };
            }
        }
    }

    /// Looks at the key that ends with the escaped quote at `end`, and begins behind what was escaped last `before`.
    #[inline(never)]
    fn key(&mut self, before: Escaped, end: usize) {
        let is_behind_slash = |at: usize| at > self.start && self.bytes[at - 1] == b'\\';
        let slashes = if is_behind_slash(end) {
            self.bytes[self.start..end].iter().rev().take_while(|byte| **byte == b'\\').count()
        } else {
            0
        };
        // Two of them are one of the inner JSON: an odd number of those makes a quote within one of its strings.
        if slashes / 2 % 2 == 1 {
            return;
        }
        let key = before.last_quote().filter(|quote| slashes == 0 && !is_behind_slash(quote - 1));
        if key.is_none_or(|quote| (self.named)(&self.bytes[quote + 1..end])) {
            self.seen = self.seen | Seen::NAMED;
        }
    }

    /// Looks at the runs that end in these 64 bytes, the first of which may have begun `run`
    /// bytes before; gives how much of one has come at the end.
    #[inline]
    fn runs(&mut self, pos: usize, in_run: u64, run: usize) -> usize {
        let (lead, rest) = (in_run.trailing_ones(), in_run.leading_ones());
        let mut long = begins_of_fifteen(in_run);
        if long == 0 && run + (lead as usize) < RUN {
            return rest as usize;
        }
        if lead == 64 {
            return run + 64;
        }
        if run + lead as usize >= RUN {
            self.run(pos - run, pos + lead as usize);
        }
        let mut runs = in_run & u64::MAX << lead & u64::MAX >> rest;
        long = begins_of_fifteen(runs);
        while long != 0 {
            let start = long.trailing_zeros();
            let length = (runs >> start).trailing_ones();
            self.run(pos + start as usize, pos + (start + length) as usize);
            runs &= !up_to(start + length);
            long &= !up_to(start + length);
        }
        rest as usize
    }

    #[inline]
    fn run(&mut self, start: usize, end: usize) {
        if self.seen.has(Seen::DENSE) {
            return;
        }
        let run = start - self.start..end - self.start;
        if may_be_token(&self.bytes[self.start..], run, self.seen.has(Seen::ESCAPED), self.hides, &mut self.windows) {
            self.seen = self.seen | Seen::DENSE;
        }
    }
}

/// The text that bytes are.
#[inline]
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, std::str::Utf8Error> {
    // Only what is long is worth the call.
    if bytes.len() >= 64
        && let Ok(text) = simdutf8::basic::from_utf8(bytes)
    {
        return Ok(text);
    }
    // Where it is not, this says up to where it was.
    std::str::from_utf8(bytes)
}

/// Whether nothing is to be seen in a string, nor in any other that differs from it in digits alone, as in times and
/// numbered ids: it has no long run, so other digits make no token of it.
pub(crate) fn is_numbered(text: &[u8], start: usize, end: usize) -> bool {
    let has_digits = text.get(start..end).is_some_and(|text| text.iter().any(u8::is_ascii_digit));
    end - start >= 16 && has_digits && plain_end(text, start) == Some(end)
}

/// Where the string at `at` ends if it is as long as this [numbered](is_numbered) one, and differs from it in digits
/// alone.
#[inline(always)]
pub(crate) fn end_of_numbered(bytes: &[u8], at: usize, known: &[u8]) -> Option<usize> {
    let (end, quote) = (at + known.len(), bytes.get(at + known.len())?);
    let here = bytes.get(at..end)?;
    // The two parts overlap.
    let is_alike = differ_in_digits(here.first_chunk()?, known.first_chunk()?)
        && differ_in_digits(here.last_chunk()?, known.last_chunk()?);
    (is_alike && *quote == b'"').then_some(end)
}

/// Whether two parts of a text differ in digits alone.
#[inline(always)]
pub(crate) fn differ_in_digits(one: &[u8; 16], two: &[u8; 16]) -> bool {
    let (one, two) = (Sixteen::of(one), Sixteen::of(two));
    one.is_as(two).or(one.within(b'0', b'9').and(two.within(b'0', b'9'))).bits() == 0xFFFF
}

/// How many digits follow from `at` on, counted up to sixteen.
#[inline]
pub(crate) fn digits_at(bytes: &[u8], at: usize) -> usize {
    let digits = |vector: Sixteen| vector.within(b'0', b'9');
    let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
        let rest = bytes.get(at..).unwrap_or_default();
        return rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    };
    digits(Sixteen::of(chunk)).bits().trailing_ones() as usize
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

/// Whether a byte stands in a text, which is ASCII and not NUL. Most texts are words, so no branch depends on their length.
#[inline]
pub(crate) fn has(text: &[u8], byte: u8) -> bool {
    let (chunks, rest) = text.as_chunks();
    chunks.iter().any(|chunk| Sixteen::of(chunk).is(byte).bits() != 0) || Sixteen::of_short(rest).is(byte).bits() != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::safe::tokens::{contains_token, tests::samples};
    use crate::simd::Narrow;
    use crate::wire::text::Text;
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
        let inner_slashes = |text: &str| plain(&format!("{{\"text\":{}}}", slashes(text)));
        let writers: [&dyn Fn(&str) -> String; 7] = [&plain, &ascii, &html, &slashes, &twice, &thrice, &inner_slashes];
        let contexts = [("", ""), ("use ", " here"), ("key: ", ";"), ("a\n", "\nb"), ("<b>", "</b>"), ("\"", "\",")];
        let made = samples().flat_map(|token| contexts.map(|(before, after)| format!("{before}{token}{after}")));
        assert!(texts.iter().all(|text| contains_token(text)));
        for text in texts.into_iter().chain(made) {
            for (writer, write) in writers.iter().enumerate() {
                let written = write(&text);
                let (end, seen) = look(written.as_bytes(), 1, |_| false);
                assert_eq!(end, written.len() - 1);
                let is_token = contains_token(&serde_json::from_str::<String>(&written).unwrap());
                assert!(seen.has(Seen::DENSE) || !is_token, "{writer}: {written}");
                assert!(is_token || writer > 3 || !contains_token(&text), "{writer}: {written}");
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
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 4000 }))]

        #[test]
        fn strings_end_where_they_end(
            pieces in prop::collection::vec(
                prop_oneof![
                    "[a-zA-Z0-9@:. é]{0,20}",
                    "ghp_|hooks.slack.com/|\\\\\\\\/|-----BEGIN ",
                    "[a-zA-Z0-9+/_-]{30,70}",
                    "[a-zA-Z0-9+/_-]{400,1500}",
                    "\\\\[\"\\\\nrt/bf]",
                    "\\\\u[0-9a-fA-F]{4}",
                    "\\\\u(00(3[cC]|26|[0-7][0-9a-f])|d[0-9a-f]{3}|[4-9][0-9a-f]{3})",
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
            let closely = widest!(|width| look_closely(width, bytes, start, |_| false));
            prop_assert_eq!(look_closely(Narrow, bytes, start, |_| false), closely);
            prop_assert_eq!(closely.0, end);
            let (expected, escaped, numbered) = plainly(bytes, start);
            prop_assert_eq!(end, expected);
            prop_assert_eq!(seen.has(Seen::ESCAPED), escaped);
            let raw = Text { raw: text.get(start..end).unwrap_or_default(), escaped };
            // What an escape by number hides is looked for elsewhere.
            let may_hide = numbered && raw.is_disguised();
            prop_assert!(seen.has(Seen::NUMBERED) || !may_hide);
            prop_assert!(seen.has(Seen::DENSE) || may_hide || !contains_token(&raw.lossy()), "{:?}", seen);
        }

        /// What differs in digits alone shows as little.
        #[test]
        fn numbered_strings_are_plain(known in "[0-9a-zT:. _@-]{16,33}", digits in "[0-9]{33}", other in "[0-9a-z\"\\\\]?") {
            let other = other + "\"";
            let quoted = format!("{known}\"");
            let mut digits = digits.bytes();
            let mut next: String =
                known.chars().map(|c| if c.is_ascii_digit() { char::from(digits.next().unwrap()) } else { c }).collect();
            if is_numbered(quoted.as_bytes(), 0, known.len()) {
                let written = format!("{next}{other}");
                let seen = end_of_numbered(written.as_bytes(), 0, known.as_bytes());
                prop_assert_eq!(seen, other.starts_with('"').then_some(known.len()));
                prop_assert_eq!(seen.is_none_or(|end| look(written.as_bytes(), 0, |_| false) == (end, Seen::default())), true);
                next.replace_range(3..4, "\u{1}");
                prop_assert_eq!(end_of_numbered(format!("{next}\"").as_bytes(), 0, known.as_bytes()), None);
            }
        }

        #[test]
        fn digits_end_where_they_end(text in "[0-9]{0,20}[^0-9]?[0-9x/:\u{e9}]{0,20}", start in 0_usize..24) {
            let plainly = text.bytes().skip(start).take_while(u8::is_ascii_digit).count().min(16);
            prop_assert_eq!(digits_at(text.as_bytes(), start), plainly);
        }

        /// The keys of JSON in a string are asked about, and what hides one is told.
        #[test]
        fn keys_of_inner_json_are_seen(
            keys in prop::collection::vec("([a-z_]|\\\\\\\\u006[0-9a-f]|\\\\\\\\n){1,30}", 1..8),
            space in " {0,2}|\\\\n|\\\\t ",
            end in "(\\\\\\\\){0,3}",
        ) {
            let member = |key: &String| format!("\\\"{key}\\\"{space}:\\\"text\\\\nof {end}{end}\\\"");
            let text = format!("{{{}}}\"", keys.iter().map(member).collect::<Vec<_>>().join(","));
            let mut asked = Vec::new();
            let mut ask = |key: &[u8]| { asked.push(String::from_utf8(key.to_vec()).unwrap()); false };
            let seen = look(text.as_bytes(), 0, &mut ask);
            prop_assert_eq!(look_closely(Narrow, text.as_bytes(), 0, &mut ask), seen);
            let keys = [keys.clone(), keys].concat();
            let (hidden, plain): (Vec<String>, Vec<String>) = keys.into_iter().partition(|key| key.contains('\\'));
            prop_assert_eq!(asked, plain, "{}", text);
            prop_assert!(seen.1.has(Seen::NAMED) || hidden.is_empty(), "{}", text);
        }
    }
}
