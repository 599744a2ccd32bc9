//! Strings of JSON as they are written, and the characters that they stand for.

use std::borrow::Cow;

use super::escapes::Escapes;

/// A string as it stands between its quotes.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) raw: &'a str,
    pub(crate) escaped: bool,
}

impl std::fmt::Debug for Text<'_> {
    /// Shows nothing of the string.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{} bytes>", self.raw.len())
    }
}

/// Finds where characters of a text are written, one after another.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    text: Text<'a>,
    raw: usize,
    decoded: usize,
}

impl<'a> Written<'a> {
    pub(crate) const fn of(text: Text<'a>) -> Self {
        Self { text, raw: 0, decoded: 0 }
    }

    /// Where byte `at` of the characters is written; what was asked for before is not read again.
    pub(crate) fn place(&mut self, at: usize) -> usize {
        let text = self.text;
        if at < self.decoded {
            *self = Self::of(text);
        }
        while self.decoded < at && self.raw < text.raw.len() {
            let rest = &text.raw[self.raw..];
            let slash = if text.escaped { memchr::memchr(b'\\', rest.as_bytes()) } else { None };
            let plain = slash.unwrap_or(rest.len());
            if self.decoded + plain >= at {
                return self.raw + (at - self.decoded);
            }
            let (length, characters) = escape_at(&rest[plain..]);
            self.raw += plain + length;
            self.decoded += plain + characters;
        }
        self.raw.min(text.raw.len())
    }
}

/// The length of the escape at the beginning of `text`, and of what it stands for, in bytes.
/// Two escapes are one character where they are a pair.
fn escape_at(text: &str) -> (usize, usize) {
    let of = |length: usize| text.get(..length).map(|text| unescape(text).0);
    if !text[1..].starts_with('u') {
        return (2.min(text.len()), 1);
    }
    // Another escape may be shorter.
    let both = if text.get(6..8) == Some("\\u") { of(12) } else { None };
    match both.filter(|both| both.chars().count() == 1) {
        Some(both) => (12, both.len()),
        None => (6.min(text.len()), of(6).map_or(0, |one| one.len())),
    }
}

impl<'a> Text<'a> {
    /// Where its escapes begin, one after another.
    pub(crate) fn escapes(self) -> impl Iterator<Item = usize> + use<'a> {
        Escapes::of(if self.escaped { self.raw.as_bytes() } else { &[] })
    }

    /// The characters; a lone surrogate becomes U+FFFD.
    #[inline]
    pub(crate) fn lossy(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(unescape(self.raw).0) } else { Cow::Borrowed(self.raw) }
    }

    /// The same, put into `room` where it has escapes.
    pub(crate) fn lossy_in(self, room: &'a mut String) -> &'a str {
        if !self.escaped {
            return self.raw;
        }
        room.clear();
        unescape_into(self.raw, room);
        room
    }

    /// The characters, or `None` if a lone surrogate stands among them.
    #[inline]
    pub(crate) fn exact(self) -> Option<Cow<'a, str>> {
        if !self.escaped {
            return Some(Cow::Borrowed(self.raw));
        }
        let (text, lone) = unescape(self.raw);
        (!lone).then_some(Cow::Owned(text))
    }

    /// The characters as UTF-8 in which a lone surrogate is written as if it were a character.
    pub(crate) fn wtf8(self) -> Cow<'a, [u8]> {
        match self.exact() {
            Some(Cow::Borrowed(text)) => Cow::Borrowed(text.as_bytes()),
            Some(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
            None => {
                let mut out = Vec::new();
                for piece in LoneSurrogates(self.raw) {
                    match piece {
                        Ok(text) => out.extend_from_slice(unescape(text).0.as_bytes()),
                        Err(unit) => {
                            out.extend([
                                0xE0 | (unit >> 12) as u8,
                                0x80 | (unit >> 6) as u8 & 0x3F,
                                0x80 | unit as u8 & 0x3F,
                            ]);
                        }
                    }
                }
                Cow::Owned(out)
            }
        }
    }

    /// Whether an escape by number stands for half a character, or for one that needs none
    /// and may be a part of a name, a token, or JSON: such a string is not what it looks like.
    #[inline]
    pub(crate) fn is_disguised(self) -> bool {
        self.escaped && self.has_disguise()
    }

    fn has_disguise(self) -> bool {
        // The second half of a pair.
        let mut partner = None;
        self.escapes().any(|at| {
            let Some(digits) = self.raw.get(at..).and_then(|escape| escape.strip_prefix("\\u")) else { return false };
            match hex4(digits) {
                unit if !may_disguise(unit) => false,
                0xD800..0xDC00 => {
                    partner = Some(at + 6);
                    let low = digits.get(4..).and_then(|rest| rest.strip_prefix("\\u")).map_or(0, hex4);
                    !(0xDC00..0xE000).contains(&low)
                }
                0xDC00..0xE000 => partner != Some(at),
                _ => true,
            }
        })
    }

    /// How many surrogate escapes have no partner.
    pub(crate) fn lone_surrogates(self) -> usize {
        if self.escaped { LoneSurrogates(self.raw).filter(Result::is_err).count() } else { 0 }
    }

    /// Whether a surrogate escape has no partner.
    pub(crate) fn has_lone_surrogate(self) -> bool {
        self.escaped && unescape(self.raw).1
    }
}

/// Whether the text is a UUID, in either case.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Resolves the escapes of text that a cursor has accepted.
/// The second value says whether a lone surrogate was replaced by U+FFFD.
fn unescape(raw: &str) -> (String, bool) {
    let mut out = String::new();
    let lone = unescape_into(raw, &mut out);
    (out, lone)
}

/// The same, behind what is in `out`.
#[expect(clippy::indexing_slicing, reason = "a cursor accepts no backslash without what it escapes")]
fn unescape_into(raw: &str, out: &mut String) -> bool {
    out.reserve(raw.len());
    let mut lone = false;
    // What was not taken yet begins here.
    let mut from = 0;
    Escapes::of(raw.as_bytes()).for_each(|at| {
        // The second half of a pair was taken with the first.
        if at < from {
            return;
        }
        out.push_str(&raw[from..at]);
        from = at + 2;
        match raw.as_bytes()[at + 1] {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let high = hex4(&raw[at + 2..]);
                from = at + 6;
                if let Some(c) = char::from_u32(high) {
                    out.push(c);
                    return;
                }
                let low = raw[from..].strip_prefix("\\u").map(hex4).filter(|low| (0xDC00..0xE000).contains(low));
                if let Some(low) = low.filter(|_| high < 0xDC00) {
                    from = at + 12;
                    out.push(of_pair(high, low));
                } else {
                    lone = true;
                    out.push(char::REPLACEMENT_CHARACTER);
                }
            }
            // It stands for itself, and is taken with what follows.
            _ => from = at + 1,
        }
    });
    out.push_str(&raw[from..]);
    lone
}

/// Cuts escaped text at its lone surrogates.
struct LoneSurrogates<'a>(&'a str);

impl<'a> Iterator for LoneSurrogates<'a> {
    type Item = Result<&'a str, u32>;

    fn next(&mut self) -> Option<Self::Item> {
        let surrogate = |at: usize, range: std::ops::Range<u32>| {
            let code = self.0.get(at..)?.strip_prefix("\\u").map(hex4)?;
            range.contains(&code).then_some(code)
        };
        let mut at = 0;
        while let Some(found) = self.0[at..].find('\\') {
            let escape = at + found;
            let Some(unit) = surrogate(escape, 0xD800..0xE000) else {
                at = escape + 2;
                continue;
            };
            if unit < 0xDC00 && surrogate(escape + 6, 0xDC00..0xE000).is_some() {
                at = escape + 12;
                continue;
            }
            if escape == 0 {
                self.0 = &self.0[6..];
                return Some(Err(unit));
            }
            let (before, rest) = self.0.split_at(escape);
            self.0 = rest;
            return Some(Ok(before));
        }
        let rest = std::mem::take(&mut self.0);
        (!rest.is_empty()).then_some(Ok(rest))
    }
}

/// The code unit of the digits with which a text begins.
fn hex4(text: &str) -> u32 {
    text.as_bytes().first_chunk().map_or(0, |digits| unit(*digits))
}

/// The code unit that four hexadecimal digits stand for. Other bytes give some number.
pub(crate) const fn unit(digits: [u8; 4]) -> u32 {
    let digits = u32::from_be_bytes(digits);
    // A letter is nine more than its low bits.
    let values = (digits & 0x0F0F_0F0F) + 9 * (digits >> 6 & 0x0101_0101);
    let pairs = values | values >> 4;
    (pairs >> 8 & 0xFF00) | (pairs & 0xFF)
}

/// Whether an escape of this code unit may make a string look like what it is not: it stands for half a character, or
/// for one that needs no escape and is none of those of HTML, which many writers escape.
pub(crate) const fn may_disguise(unit: u32) -> bool {
    !matches!(unit, 0..0x20 | 0x26 | 0x27 | 0x3C | 0x3E | 0x7F..0xD800 | 0xE000..)
}

/// The character of a surrogate pair.
pub(crate) fn of_pair(high: u32, low: u32) -> char {
    let scalar = 0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
    char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        /// Each character is found where it is written, in whatever order they are asked for.
        #[test]
        fn characters_have_their_places(
            pieces in prop::collection::vec(
                prop_oneof![
                    "[a-zé😀]".prop_map(|text| (text.clone(), text)),
                    any::<char>().prop_map(|c| {
                        let units = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
                        (units, c.to_string())
                    }),
                    Just(("\\n".to_owned(), "\n".to_owned())),
                    Just(("\\\"".to_owned(), "\"".to_owned())),
                    Just(("\\ud800".to_owned(), "\u{FFFD}".to_owned())),
                ],
                0..12,
            ),
            asked in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        ) {
            let raw: String = pieces.iter().map(|(raw, _)| &**raw).collect();
            // Half a pair and the other half would be one character.
            prop_assume!(Text { raw: &raw, escaped: true }.lossy().chars().count() == pieces.len());
            let mut written = Written::of(Text { raw: &raw, escaped: true });
            for asked in asked {
                let upto = &pieces[..asked.index(pieces.len() + 1)];
                let decoded = upto.iter().map(|(_, text)| text.len()).sum();
                let place: usize = upto.iter().map(|(raw, _)| raw.len()).sum();
                prop_assert_eq!(written.place(decoded), place, "{} {}", raw, decoded);
            }
        }
    }
}
