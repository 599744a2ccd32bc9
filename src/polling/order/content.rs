//! What an event says, however it is written.

use std::hash::Hasher;
use std::sync::LazyLock;

use crate::check::history::Keys;
use crate::wire::number::{place, to_f64};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};

/// What an event says, as a key that nobody outside can foresee. The order of members, the
/// spacing and the spelling of numbers make no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content(u64);

/// The bit that tells a key of a text from one of a value.
const OF_TEXT: u64 = 1;

/// A response is read before it is known of which stream it is.
pub(super) static KEYS: LazyLock<Keys> = LazyLock::new(Keys::default);

impl Content {
    /// What is not known: the event has a fault, which another copy of it need not have.
    pub(super) const ANY: Self = Self(0);

    /// The content by its value, of which `key_of_value` has made a key.
    pub(super) const fn of_value(key: u64) -> Self {
        Self(key & !OF_TEXT)
    }

    /// The content by its text, which costs less.
    pub(super) fn of_text(text: &str) -> Self {
        Self(KEYS.of(text) | OF_TEXT)
    }

    /// Whether nothing tells the two apart: a text and a value are not compared.
    pub(super) const fn may_be(self, other: Self) -> bool {
        let is_any = self.0 == Self::ANY.0 || other.0 == Self::ANY.0;
        is_any || self.0 == other.0 || (self.0 ^ other.0) & OF_TEXT != 0
    }
}

/// The number of an event, in its text.
pub(in crate::polling) fn idx_of(text: &str) -> Option<u64> {
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    let mut first = true;
    cursor.open(b'{').ok()?;
    while let Some(key) = cursor.member(&mut first).ok()? {
        if key.lossy() == "idx" && cursor.kind().ok()? == Kind::Number {
            return place(cursor.number().ok()?);
        }
        cursor.skip().ok()?;
    }
    None
}

/// Begin what is no string, and end an array. No string has such bytes.
const NUMBER: u8 = 0xFF;
const LITERAL: u8 = 0xFE;
const ARRAY: u8 = 0xFD;
const END: u8 = 0xFC;
const OBJECT: u8 = 0xFB;

/// Passes over the value that comes next, checking its grammar; the key of what it says.
pub(in crate::polling) fn key_of_value(cursor: &mut Cursor<'_>) -> Result<u64, SyntaxError> {
    let mut key = KEYS.begin();
    value(cursor, &mut key)?;
    Ok(key.finish())
}

/// Passes over the value that comes next, checking its grammar, and adds what it says to a key: in bytes alone, since a
/// hasher mixes numbers and bytes in no order.
pub(super) fn value(cursor: &mut Cursor<'_>, key: &mut impl Hasher) -> Result<(), SyntaxError> {
    let mut first = true;
    match cursor.kind()? {
        Kind::String => key.write(cursor.string()?.lossy().as_bytes()),
        // Zero has one key, whatever its sign.
        Kind::Number => write(key, NUMBER, (to_f64(cursor.number()?) + 0.0).to_bits()),
        Kind::Bool | Kind::Null => {
            key.write(&[LITERAL]);
            key.write(cursor.literal()?.as_bytes());
        }
        Kind::Array => {
            cursor.open(b'[')?;
            key.write(&[ARRAY]);
            while cursor.element(&mut first)? {
                value(cursor, key)?;
            }
            key.write(&[END]);
        }
        Kind::Object => {
            cursor.open(b'{')?;
            // A sum is the same in any order.
            let mut sum = 0_u64;
            while let Some(name) = cursor.member(&mut first)? {
                let mut member = KEYS.begin();
                member.write(name.lossy().as_bytes());
                value(cursor, &mut member)?;
                sum = sum.wrapping_add(member.finish());
            }
            object(key, sum);
        }
    }
    Ok(())
}

/// Adds an object to a key, of whose members `sum` is the sum.
pub(super) fn object(key: &mut impl Hasher, sum: u64) {
    write(key, OBJECT, sum);
}

fn write(key: &mut impl Hasher, kind: u8, value: u64) {
    let mut bytes = [kind; 9];
    bytes[1..].copy_from_slice(&value.to_le_bytes());
    key.write(&bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_counts() {
        let of = |text| {
            let mut key = KEYS.begin();
            value(&mut Cursor::new(text, 16), &mut key).unwrap();
            Content::of_value(key.finish())
        };
        for (one, other, same) in [
            (r#"{"a":1,"b":[1,2]}"#, r#"{ "b": [1, 2.0], "\u0061": 1e0 }"#, true),
            ("1760000000", "1760000000.0", true),
            ("0", "-0.0", true),
            ("0", "-0", true),
            ("-7", "-7.0", true),
            ("100", "1e2", true),
            ("0.5", "5E-1", true),
            ("0.50", "0.5", true),
            ("0.0000001", "1e-7", true),
            ("1760000000.123", "1.760000000123e9", true),
            ("0.1", "0.1000000000000000055", true),
            ("0.1", "0.10000000000000002", false),
            ("9007199254740992", "9007199254740993", true),
            ("9007199254740992", "9007199254740994", false),
            ("1e21", "1000000000000000000000", true),
            ("1e400", "1e500", true),
            (r#""\u0041""#, r#""A""#, true),
            ("[1,2]", "[2,1]", false),
            ("[[1],2]", "[1,[2]]", false),
            (r#"{"a":1,"b":2}"#, r#"{"a":2,"b":1}"#, false),
            (r#"{"a":{}}"#, r#"{"a":[]}"#, false),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true),
            (r#"{"a":"b"}"#, r#"{"b":"a"}"#, false),
            (r#"{"a":"bc"}"#, r#"{"ab":"c"}"#, false),
            (r#"{"a":{"b":1},"c":{}}"#, r#"{"a":{},"c":{"b":1}}"#, false),
            ("[[],[]]", "[[]]", false),
            (r#"["a",1]"#, r#"[1,"a"]"#, false),
            (r#"["a",[]]"#, r#"[[],"a"]"#, false),
            (r#"["a",["b"]]"#, r#"[["a"],"b"]"#, false),
            ("[true]", "[null]", false),
            ("[true]", "[false]", false),
            (r#"["ab"]"#, r#"["a","b"]"#, false),
            ("[0]", "[]", false),
            ("1", r#""1""#, false),
            ("null", r#""null""#, false),
            ("[true]", r#"["true"]"#, false),
            (r#"{"a":true}"#, r#"{"a":"true"}"#, false),
            (r#"{"a":""}"#, r#"{"a":0}"#, false),
            (r#"[""]"#, "[0]", false),
            (r#"["",""]"#, r#"[""]"#, false),
            ("[{}]", "[[]]", false),
        ] {
            assert_eq!(of(one).may_be(of(other)), same, "{one} {other}");
        }
        assert!(of("1").may_be(Content::of_text("2")));
        assert!(!Content::of_text("1").may_be(Content::of_text("1.0")));
    }
}
