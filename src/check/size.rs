//! Size as JavaScript measures it: UTF-16 code units of the compact JSON text.

use super::tree::{Node, Value};
use crate::wire::number::{js_length, like_exponents};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use crate::wire::text::Text;

/// No number is longer when JavaScript prints it, in characters.
pub(super) const LONGEST_NUMBER: usize = 25;

/// `JSON.stringify(value).length` of the value.
pub(crate) fn json_units(node: &Node<'_>) -> usize {
    match &node.value {
        Value::Null => 4,
        Value::Bool(value) => {
            if *value {
                4
            } else {
                5
            }
        }
        Value::Number(text) => js_length(text),
        Value::String(text) => quoted_units(*text),
        Value::Array(_) => match node.unread() {
            Some(raw) => units_of_elements(&mut Cursor::new(raw, MAX_DEPTH)).unwrap_or(raw.len()),
            None => bracketed_units(node.elements().iter().map(json_units)),
        },
        // Of duplicates, the last one counts.
        Value::Object(_) => bracketed_units(
            node.in_passing().members().iter().map(|member| escaped_units(&member.key) + 3 + json_units(&member.node)),
        ),
    }
}

fn units_of_elements(cursor: &mut Cursor<'_>) -> Result<usize, SyntaxError> {
    let (mut first, mut units) = (true, 2);
    cursor.open(b'[')?;
    while cursor.element(&mut first)? {
        let element = match cursor.kind()? {
            Kind::Array => units_of_elements(cursor)?,
            Kind::Number => js_length(cursor.number()?),
            _ => json_units(&Node::next(cursor)?),
        };
        units += element + usize::from(units > 2);
    }
    Ok(units)
}

/// With brackets and commas.
fn bracketed_units(items: impl ExactSizeIterator<Item = usize>) -> usize {
    2 + items.len().saturating_sub(1) + items.sum::<usize>()
}

/// The longest text in bytes that is surely no longer than `bound` once it is compact, whatever
/// is written in it.
#[inline]
pub(crate) const fn always_fits(bound: usize) -> usize {
    bound / 7
}

/// Whether JSON text, as it is or written as a string, is surely no longer than `bound`
/// once it is compact.
pub(crate) fn surely_fits(text: &str, bound: usize) -> bool {
    if text.len() <= always_fits(bound) {
        return true;
    }
    // Only a number with an exponent is longer when it is printed again.
    text.len() <= bound && like_exponents(text.as_bytes()) * LONGEST_NUMBER <= bound - text.len()
}

/// `String.length` of the characters.
pub(crate) fn string_units(text: Text<'_>) -> usize {
    text.lossy().encode_utf16().count()
}

fn quoted_units(text: Text<'_>) -> usize {
    let units = escaped_units(&text.lossy());
    // A lone surrogate is one unit when read, and six when written again.
    units + 5 * text.lone_surrogates() + 2
}

fn escaped_units(text: &str) -> usize {
    // Each character by its first byte. Small sums of many bytes at a time.
    let units = |byte: u8| {
        let is_short = matches!(byte, b'"' | b'\\' | 8 | 9 | 10 | 12 | 13);
        let is_first = byte.cast_signed() >= -0x40;
        u8::from(is_first) + u8::from(byte >= 0xF0) + u8::from(is_short) + 5 * u8::from(byte < b' ' && !is_short)
    };
    text.as_bytes().chunks(32).map(|bytes| usize::from(bytes.iter().map(|byte| units(*byte)).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counted_as_javascript_counts() {
        for (text, units) in [
            (r#""你""#, 3),
            (r#""😀""#, 4),
            (r#""\ud83d\ude00""#, 4),
            (r#""\n""#, 4),
            (r#""\u0001""#, 8),
            (r#""\u0041""#, 3),
            (r#""\ud800""#, 8),
            (r#""\ud800\\udc00""#, 8 + 2 + 5),
            ("1.0", 1),
            ("1e21", 5),
            ("1e400", 4),
            (r#"{ "a" : [1, true, null], "a": {} }"#, 8),
            ("[]", 2),
        ] {
            assert_eq!(json_units(&Node::parse(text, 8).unwrap()), units, "{text}");
        }
    }

    proptest! {
        #[test]
        fn many_bytes_are_counted_as_one_by_one(text in "([ -~]|[\\x00-\\x1f]|[é好😀\\x7f]){0,70}") {
            let units = |c: char| match serde_json::to_string(&c).unwrap().len() - 2 {
                escaped @ (2 | 6) if c.is_ascii() => escaped,
                _ => c.len_utf16(),
            };
            prop_assert_eq!(escaped_units(&text), text.chars().map(units).sum::<usize>());
        }
    }

    /// Whatever is said to fit does; a number may be five times as long when it is printed.
    #[test]
    fn what_surely_fits_is_no_longer_than_its_bound() {
        for text in ["1e20", "-1E20", "[1e20,1e20]", r#"{"a":1e20}"#, "1.0e5", "1e-6", r#""1e20""#, r#""é""#, "[1,2]"]
        {
            let units = json_units(&Node::parse(text, 8).unwrap());
            let too_short: Vec<usize> = (0..units).filter(|bound| surely_fits(text, *bound)).collect();
            assert_eq!(too_short, [0; 0], "{text}");
            assert!(surely_fits(text, 7 * text.len()), "{text}");
        }
        assert!(surely_fits(r#"["a"]"#, 5) && surely_fits("true", 4), "no number can grow");
    }

    #[test]
    fn what_surely_fits_does() {
        let numbers = |text: &str| format!("[{}]", [text; 20].join(","));
        for (text, bound, fits) in [
            (numbers("\"6f1e2a94\""), 240, false),
            (numbers("\"6f1e2a94\""), 800, true),
            (numbers("\"6f1c2a94\""), 230, true),
            (numbers("1e20"), 300, false),
            (numbers("1e20"), 1000, true),
            (numbers("1"), 40, false),
        ] {
            assert_eq!(surely_fits(&text, bound), fits, "{text} {bound}");
            assert!(!fits || json_units(&Node::parse(&text, 8).unwrap()) <= bound, "{text} {bound}");
        }
    }
}
