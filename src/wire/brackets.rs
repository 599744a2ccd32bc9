//! Passing over objects and arrays of text that is known to be JSON, 64 bytes a step.

use super::escapes::escaped;
use crate::simd::{Kind, Vector, Width, block, widest};

/// Where the object or array that comes next ends, and how deep it is nested; `None` if the
/// text has no end of it.
pub(crate) fn bracketed(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    widest!(|width| bracketed_by(width, bytes, start))
}

#[inline(always)]
fn bracketed_by(width: impl Width, bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut carry = 0;
    // All ones where a string goes on.
    let mut going_on = 0;
    for pos in (start..bytes.len()).step_by(64) {
        let chunk = width.of(block(bytes, pos).bytes());
        let escaped = escaped(chunk.is(b'\\').bits(), &mut carry);
        let in_string = going_on ^ behind_odd(chunk.is(b'"').bits() & !escaped);
        going_on = 0_u64.wrapping_sub(in_string >> 63);
        // `{}` differ from `[]` in one bit.
        let opens = chunk.with(0x20).is(b'{').bits() & !in_string;
        let closes = chunk.with(0x20).is(b'}').bits() & !in_string;
        let mut marks = opens | closes;
        while marks != 0 {
            let at = marks.trailing_zeros();
            if opens >> at & 1 != 0 {
                depth += 1;
                deepest = deepest.max(depth);
            } else {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((pos + at as usize + 1, deepest));
                }
            }
            marks &= marks - 1;
        }
    }
    None
}

/// The bits at and behind each odd one that is set, up to the next.
#[inline(always)]
fn behind_odd(mut bits: u64) -> u64 {
    for by in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << by;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Narrow;
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
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 4000 }))]

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
            prop_assert_eq!(bracketed_by(Narrow, whole.as_bytes(), before.len()), Some((end, nesting(&value))));
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
