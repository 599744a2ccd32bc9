//! Escapes of JSON that stand in a text, which then is JSON itself, or has some as a string.

use super::runs::is_in_run;

/// Whether there is an escape that [`without_escapes`] resolves.
pub(super) fn has_any(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| escaped_at(bytes, at).is_some())
}

/// Whether a character is escaped without which a token is overlooked.
pub(super) fn hides_any(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| escaped_at(bytes, at).is_some_and(hides))
}

/// Whether a token is overlooked where this character is escaped: one of a run, or the sign behind a password.
pub(crate) const fn hides(byte: u8) -> bool {
    is_in_run(byte) || byte == b'@'
}

/// The slash, or the ASCII by its number, that the backslash at `at` escapes.
pub(crate) fn escaped_at(bytes: &[u8], at: usize) -> Option<u8> {
    Some(plain(bytes.get(at + 1..)?)?.0)
}

/// The character that an escape stands for, and the length of the escape without its backslash.
fn plain(escape: &[u8]) -> Option<(u8, usize)> {
    match escape {
        [b'/', ..] => Some((b'/', 1)),
        [b'u', b'0', b'0', high @ b'2'..=b'7', low, ..] => {
            let byte = (high - b'0') << 4 | char::from(*low).to_digit(16)? as u8;
            (byte != 0x7F).then_some((byte, 5))
        }
        _ => None,
    }
}

/// The bytes before `until` with slashes and ASCII in the place of their escapes, of which JSON in JSON has more
/// backslashes: some writers escape every slash, others `+`, `&` and `=`. What goes on behind `until` is left out.
#[expect(clippy::indexing_slicing, reason = "`at` and `end` stand in the bytes")]
pub(crate) fn without_escapes(bytes: &[u8], until: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(until);
    let mut at = 0;
    while let Some(slash) = memchr::memchr(b'\\', &bytes[at..until]) {
        let start = at + slash;
        let slashes = bytes[start..].iter().take_while(|byte| **byte == b'\\').count();
        out.extend_from_slice(&bytes[at..start]);
        let end = start + slashes;
        match plain(&bytes[end..]) {
            Some((byte, length)) if end + length <= until => {
                out.push(byte);
                at = end + length;
            }
            Some(_) => return out,
            None => {
                at = end.min(until);
                out.extend_from_slice(&bytes[start..at]);
            }
        }
    }
    out.extend_from_slice(&bytes[at..until]);
    out
}

/// A text with all that JSON escapes by number in the place of its escapes, and slashes too.
pub(crate) fn in_plain(text: &str) -> String {
    let plain = without_escapes(text.as_bytes(), text.len());
    let plain = String::from_utf8_lossy(&plain);
    let mut parts = plain.split(r"\u");
    let mut out = String::from(parts.next().unwrap_or_default());
    // The first half of a pair, and where the second has to stand.
    let mut half = None;
    for part in parts {
        let digits = part.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) else {
            out += r"\u";
            out += part;
            continue;
        };
        out.truncate(out.trim_end_matches('\\').len());
        let pair = half.take().filter(|(_, at)| *at == out.len()).map_or([unit, 0], |(first, _)| [first, unit]);
        match char::decode_utf16(pair).next() {
            Some(Ok(c)) => out.push(c),
            _ => half = Some((unit, out.len())),
        }
        out += part.get(4..).unwrap_or_default();
    }
    out
}

/// The text with the escapes of URLs and of JSON Pointers resolved.
pub(super) fn without_url_escapes(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let is_digits = |pair: &&[u8]| pair.iter().all(u8::is_ascii_hexdigit);
        let digits = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let (byte, length) = match (first, behind) {
            (b'~', [b'0', ..]) => (b'~', 2),
            (b'~', [b'1', ..]) => (b'/', 2),
            (b'%', digits_behind) => {
                digits_behind.get(..2).filter(is_digits).and_then(digits).map_or((b'%', 1), |byte| (byte, 3))
            }
            _ => (*first, 1),
        };
        out.push(byte);
        rest = rest.get(length..).unwrap_or_default();
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_and_ascii_are_resolved() {
        for (text, plain) in [
            (r"\/\n\", r"/\n\"),
            (r"a\u002Bb\u0041\u007e", "a+bA~"),
            (r"\u001f\u007f\u00e9\u00", r"\u001f\u007f\u00e9\u00"),
            (r"\\u0041\\\/\\n", r"A/\\n"),
        ] {
            assert_eq!(String::from_utf8_lossy(&without_escapes(text.as_bytes(), text.len())), plain);
            assert_eq!(has_any(text.as_bytes()), text != plain, "{text}");
        }
        for (text, plain) in [
            (r"cl\u00e9 \ud83d\ude00 \/", "cl\u{e9} \u{1F600} /"),
            (r"cl\\u00e9 \\ud83d\\ude00.", "cl\u{e9} \u{1F600}."),
            (r"\u00g9 \ud83d \ude00 \u+0e9 \u00", r"\u00g9   \u+0e9 \u00"),
        ] {
            assert_eq!(in_plain(text), plain, "{text}");
        }
        assert_eq!(without_escapes(br"a\u0041b", 4), b"a");
        assert_eq!(without_url_escapes("a%3A~1~01%4%+a%C3%A9%"), "a:/~1%4%+a\u{e9}%");
        assert_eq!(without_escapes(br"a\\b", 2), br"a\");
        assert!(hides_any(br"\u0041") && hides_any(br"\u002b") && !hides_any(br"\u0026 \u00e9 \/"));
    }
}
