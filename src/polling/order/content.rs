//! What an event says, however it is written.

use crate::check::history::Keys;
use crate::wire::number::to_f64;
use crate::wire::scan::{Cursor, Kind, SyntaxError};

/// What an event says, as a key that nobody outside can foresee. The order of members, the
/// spacing and the spelling of numbers make no difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content(u64);

/// The bit that tells a key of a text from one of a value.
const OF_TEXT: u64 = 1;

impl Content {
    /// The content by its value.
    pub(super) fn of_value(text: &str, depth: u16, keys: &Keys) -> Self {
        let key = value(&mut Cursor::new(text, depth), keys).unwrap_or_else(|_| keys.of(text));
        Self(key & !OF_TEXT)
    }

    /// The content by its text, which costs less.
    pub(super) fn of_text(text: &str, keys: &Keys) -> Self {
        Self(keys.of(text) | OF_TEXT)
    }

    /// Whether nothing tells the two apart: a text and a value are not compared.
    pub(super) const fn may_be(self, other: Self) -> bool {
        self.0 == other.0 || (self.0 ^ other.0) & OF_TEXT != 0
    }
}

/// The key of the value that comes next. It goes as deep as the text was read before.
fn value(cursor: &mut Cursor<'_>, keys: &Keys) -> Result<u64, SyntaxError> {
    let mut first = true;
    let key = match cursor.kind()? {
        Kind::Null | Kind::Bool => keys.of((0_u8, cursor.literal()?)),
        // Zero has no sign here.
        Kind::Number => keys.of((1_u8, (to_f64(cursor.number()?) + 0.0).to_bits())),
        Kind::String => keys.of((2_u8, &*cursor.string()?.lossy())),
        Kind::Array => {
            cursor.open(b'[')?;
            let mut key = 0;
            while cursor.element(&mut first)? {
                key = keys.of((3_u8, key, value(cursor, keys)?));
            }
            keys.of((3_u8, key))
        }
        Kind::Object => {
            cursor.open(b'{')?;
            // A sum is the same in any order.
            let mut sum = 0_u64;
            while let Some(name) = cursor.member(&mut first)? {
                let name = name.lossy();
                sum = sum.wrapping_add(keys.of((&*name, value(cursor, keys)?)));
            }
            keys.of((4_u8, sum))
        }
    };
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_counts() {
        let keys = Keys::default();
        let of = |text| Content::of_value(text, 16, &keys);
        for (one, other, same) in [
            (r#"{"a":1,"b":[1,2]}"#, r#"{ "b": [1, 2.0], "\u0061": 1e0 }"#, true),
            ("1760000000", "1760000000.0", true),
            ("0", "-0.0", true),
            (r#""\u0041""#, r#""A""#, true),
            ("[1,2]", "[2,1]", false),
            ("[[1],2]", "[1,[2]]", false),
            (r#"{"a":1,"b":2}"#, r#"{"a":2,"b":1}"#, false),
            (r#"{"a":{}}"#, r#"{"a":[]}"#, false),
            ("1", r#""1""#, false),
            ("null", r#""null""#, false),
        ] {
            assert_eq!(of(one).may_be(of(other)), same, "{one} {other}");
        }
        assert!(of("1").may_be(Content::of_text("2", &keys)));
        assert!(!Content::of_text("1", &keys).may_be(Content::of_text("1.0", &keys)));
    }
}
