//! Passing over objects and arrays of text that is known to be JSON, eight bytes a step.

const ONES: u64 = u64::MAX / 0xFF;

/// Where the object or array that comes next ends, and how deep it is nested; `None` if the
/// text has no end of it.
pub(crate) fn bracketed(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let (mut depth, mut deepest) = (0_usize, 0);
    // All ones where a string goes on.
    let mut going_on = 0;
    let mut pos = start;
    'steps: while pos < bytes.len() {
        let word = eight_at(bytes, pos);
        let (quotes, mut marks) = marks(word);
        // The product counts the quotes up to each byte: of an odd one, a string goes on.
        let in_string = going_on ^ (quotes.wrapping_mul(ONES) & ONES);
        while marks != 0 {
            let shift = marks.trailing_zeros();
            let behind = pos + shift as usize / 8 + 1;
            match ((word >> shift) as u8, in_string >> shift & 1) {
                (b'{' | b'[', 0) => {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
                (b'}' | b']', 0) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some((behind, deepest));
                    }
                }
                (b'\\', 1) => {
                    (pos, going_on) = (behind + 1, ONES);
                    continue 'steps;
                }
                _ => {}
            }
            marks &= marks - 1;
        }
        going_on = (in_string >> 56) * ONES;
        pos += 8;
    }
    None
}

/// A one in each byte that is a quote, and in each that is a bracket, a backslash or a bar.
#[inline]
fn marks(word: u64) -> (u64, u64) {
    const LOW: u64 = ONES * 0x7F;
    let low = word & LOW;
    // Bits that decide come to the top of their byte; no sum carries over.
    let no_quotes = (low ^ (ONES * 0x22)) + LOW;
    // `{|}` differ from `[\]` in this bit.
    let folded = low | (ONES * 0x20);
    let at_least = |byte: u8| folded + ONES * u64::from(0x80 - byte);
    let (brackets, above) = (at_least(b'{'), at_least(b'}' + 1));
    (!(no_quotes | word) >> 7 & ONES, (brackets & !(above | word)) >> 7 & ONES)
}

/// The eight bytes at `pos`; zeros where the text ends before.
#[expect(clippy::indexing_slicing, reason = "who asks is not at the end of the text")]
#[inline]
fn eight_at(bytes: &[u8], pos: usize) -> u64 {
    let rest = &bytes[pos..];
    if let Some(word) = rest.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i32>().prop_map(|value| json!(value)),
            "[a-z_^~|{}\\[\\]\"\\\\\n\u{1b}éÛý😀]{0,20}".prop_map(|value| json!(value)),
        ];
        leaf.prop_recursive(5, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(|items| json!(items)),
                prop::collection::btree_map("[a_|{\\[\"\\\\é]{0,9}", inner, 0..5).prop_map(|members| json!(members)),
            ]
        })
    }

    fn nesting(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(nesting).max().unwrap_or(0),
            Value::Object(members) => 1 + members.values().map(nesting).max().unwrap_or(0),
            _ => 0,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn values_end_where_they_end(
            value in prop::collection::vec(value(), 0..4),
            pretty in any::<bool>(),
            before in "[ :,]{0,9}",
            behind in "[,\\]} \"a]{0,9}",
        ) {
            let value = json!(value);
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let whole = format!("{before}{text}{behind}");
            let end = before.len() + text.len();
            prop_assert_eq!(bracketed(whole.as_bytes(), before.len()), Some((end, nesting(&value))), "{}", whole);
            prop_assert_eq!(bracketed(&whole.as_bytes()[..end - 1], before.len()), None, "{}", whole);
        }
    }

    #[test]
    fn what_is_no_object_or_array_has_no_brackets() {
        for text in ["", "7", "\"[]\"", "\"\\\"[]\"", "null"] {
            assert_eq!(bracketed(text.as_bytes(), 0), None, "{text}");
        }
    }
}
