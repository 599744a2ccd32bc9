//! A value as JSON may write it: any character by its number, a slash behind a backslash.

/// How many backslashes an escape may have: one more than twice as many for each text of JSON
/// that lies in another, so this is three of them.
const BACKSLASHES: usize = 7;

/// The most bytes that a character may take: two numbers behind that many backslashes.
pub(super) const LONGEST: usize = 2 * (BACKSLASHES + 5);

/// How a text begins, compared with a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// With the value, in so many bytes.
    Whole(usize),
    /// With so many bytes of the value, and there it ends.
    Part(usize),
    Other,
}

/// The characters of a value, as [`beginning`] takes them: what backslashes there are in a row
/// counts as one, since each may be written as several.
pub(super) fn characters(value: &str) -> Vec<char> {
    let mut characters: Vec<char> = value.chars().collect();
    characters.dedup_by(|one, other| *one == '\\' && *other == '\\');
    characters
}

/// Whether a text begins with a value, or with as much of it as there is room for.
pub(super) fn beginning(text: &[u8], value: &[char]) -> Beginning {
    let (mut rest, mut seen) = (text, 0);
    for character in value {
        match character_of(rest, *character) {
            Step::Behind(behind) => rest = behind,
            Step::End => return Beginning::Part(seen),
            Step::Other => return Beginning::Other,
        }
        seen += character.len_utf8();
    }
    Beginning::Whole(text.len() - rest.len())
}

/// What comes behind something in a text.
enum Step<'t> {
    Behind(&'t [u8]),
    /// The text ends within it.
    End,
    /// It is something else.
    Other,
}

/// Passes a character, however it is written.
fn character_of(text: &[u8], character: char) -> Step<'_> {
    let (mut bytes, mut units) = ([0; 4], [0; 2]);
    let plain = character.encode_utf8(&mut bytes).as_bytes();
    let backslashes = backslashes(text);
    if backslashes == 0 {
        return passed(text, plain);
    }
    let mut rest = text;
    for unit in character.encode_utf16(&mut units).iter() {
        match number(rest, *unit) {
            Step::Behind(behind) => rest = behind,
            Step::End => return Step::End,
            // A slash and a quotation mark may stand behind the backslash, which may stand for itself.
            Step::Other if backslashes <= BACKSLASHES => {
                let escaped = text.get(backslashes..).unwrap_or_default();
                return match character {
                    '\\' => Step::Behind(escaped),
                    '/' | '"' => passed(escaped, plain),
                    _ => Step::Other,
                };
            }
            Step::Other => return Step::Other,
        }
    }
    Step::Behind(rest)
}

/// Passes a UTF-16 code unit that is written by its number.
fn number(text: &[u8], unit: u16) -> Step<'_> {
    let digit = |shift: u32| char::from_digit((u32::from(unit) >> shift) & 15, 16).map_or(0, |digit| digit as u8);
    let form = [b'u', digit(12), digit(8), digit(4), digit(0)];
    let backslashes = backslashes(text);
    if backslashes == 0 || backslashes > BACKSLASHES {
        return if text.is_empty() { Step::End } else { Step::Other };
    }
    let escaped = text.get(backslashes..).unwrap_or_default();
    let (given, behind) = escaped.split_at(escaped.len().min(form.len()));
    match form.get(..given.len()) {
        Some(form) if !given.eq_ignore_ascii_case(form) => Step::Other,
        _ if given.len() < form.len() => Step::End,
        _ => Step::Behind(behind),
    }
}

/// Passes bytes that are written as they are.
fn passed<'t>(text: &'t [u8], plain: &[u8]) -> Step<'t> {
    match text.strip_prefix(plain) {
        Some(behind) => Step::Behind(behind),
        None if plain.starts_with(text) => Step::End,
        None => Step::Other,
    }
}

/// How many backslashes a text begins with, counted up to one more than an escape may have.
fn backslashes(text: &[u8]) -> usize {
    text.iter().take(BACKSLASHES + 1).take_while(|byte| **byte == b'\\').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_texts_begin() {
        for (text, value, found) in [
            ("a/b+c", "a/b+", Beginning::Whole(4)),
            (r"a\/b\u002Bc", "a/b+", Beginning::Whole(10)),
            (r"\u0061\u002f\u0062+", "a/b+", Beginning::Whole(19)),
            (r"a\\\/b\\u002b", "a/b+", Beginning::Whole(13)),
            (r"\u00e9\ud83d\ude00", "é😀", Beginning::Whole(18)),
            (r#"a\"b\\c"#, "a\"b\\c", Beginning::Whole(7)),
            (r"a\\\\b", r"a\\b", Beginning::Whole(6)),
            (r"a\u005cb", r"a\b", Beginning::Whole(8)),
            ("", "a/b+", Beginning::Part(0)),
            ("a", "a/b+", Beginning::Part(1)),
            (r"a\", "a/b+", Beginning::Part(1)),
            (r"a\/b\u0", "a/b+", Beginning::Part(3)),
            (r"\u00e9\ud83d", "é😀", Beginning::Part(2)),
            (r"\u00e9\ud83d\ude01", "é😀", Beginning::Other),
            (r"a\nb", "a/b+", Beginning::Other),
            (r"a\u0030", "a/b+", Beginning::Other),
            (r"a\\\\\\\\/b+", "a/b+", Beginning::Other),
            ("b", "a/b+", Beginning::Other),
        ] {
            assert_eq!(beginning(text.as_bytes(), &characters(value)), found, "{text} {value}");
        }
    }
}
