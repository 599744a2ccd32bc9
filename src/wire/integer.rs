//! Integers that keep their digits, and integers within JavaScript's safe range.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::decode::{Decode, Outcome, wrong_type};
use super::error::{ErrorKind, Fault};
use super::json::Json;
use super::number::{Exponent, is_integer, normal_form, to_f64};
use super::scan::{Cursor, Kind};

/// An integer of any size, kept as written: `1.0` and `1e0` are integers and equal `1`.
///
/// ```
/// use agent_contracts::wire::Integer;
///
/// let one: Integer = serde_json::from_str("1.0")?;
/// assert_eq!(one, Integer::from(1));
/// assert_eq!(one.as_str(), "1.0");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Since 0.1.0.
#[derive(Clone)]
pub struct Integer(Box<str>);

impl Integer {
    /// The number as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, if it fits an `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        self.parsed()
    }

    /// The value, if it fits a `u64`.
    pub fn as_u64(&self) -> Option<u64> {
        self.parsed()
    }

    fn parsed<T: FromStr>(&self) -> Option<T> {
        if let Ok(value) = self.0.parse() {
            return Some(value);
        }
        let (negative, digits, exponent) = normal_form(&self.0);
        let Exponent::Small(exponent @ 0..=19) = exponent else { return None };
        let (sign, digits) = (if negative { "-" } else { "" }, if digits.is_empty() { "0" } else { &digits });
        format!("{sign}{digits}{}", "0".repeat(exponent as usize)).parse().ok()
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq for Integer {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || normal_form(&self.0) == normal_form(&other.0)
    }
}

impl Eq for Integer {}

impl Hash for Integer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        normal_form(&self.0).hash(state);
    }
}

macro_rules! from_primitive {
    ($($type:ty),*) => { $(
        impl From<$type> for Integer {
            fn from(value: $type) -> Self {
                Self(value.to_string().into())
            }
        }
    )* };
}

from_primitive!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Decode for Integer {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? != Kind::Number {
            return wrong_type(cursor, "an integer");
        }
        let offset = cursor.offset();
        let text = cursor.number()?;
        if is_integer(text) { Ok(Self(text.into())) } else { Err(Fault::new(ErrorKind::Integer("an integer"), offset)) }
    }
}

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<i64>() {
            Ok(value) if !self.0.starts_with("-0") => serializer.serialize_i64(value),
            _ => Json::from_valid(&self.0).serialize(serializer),
        }
    }
}

/// An integer within ±(2^53 − 1), which JavaScript reads without loss.
///
/// `1.0` and `1e0` on the wire are the integer 1, and are written back as `1`.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct SafeInteger(i64);

/// The largest integer that JavaScript reads without loss, 2^53 − 1.
///
/// Since 0.1.0.
pub const MAX_SAFE_INTEGER: i64 = 9_007_199_254_740_991;

/// The value of a safe integer's text.
fn safe_value(text: &str) -> Option<i64> {
    if text.len() <= 15
        && let Ok(value) = text.parse()
    {
        return Some(value);
    }
    let value = to_f64(text);
    (value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER as f64).then_some(value as i64)
}

impl SafeInteger {
    /// The integer, if it lies within the range.
    pub const fn new(value: i64) -> Option<Self> {
        if value.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs() { Some(Self(value)) } else { None }
    }

    /// The value.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl From<i32> for SafeInteger {
    fn from(value: i32) -> Self {
        Self(value.into())
    }
}

impl TryFrom<i64> for SafeInteger {
    type Error = std::num::TryFromIntError;

    fn try_from(value: i64) -> Result<Self, Self::Error> {
        // Out of range for i32 as well, so this conversion makes the standard error.
        Self::new(value).map_or_else(|| i32::try_from(value).map(Self::from), Ok)
    }
}

impl Decode for SafeInteger {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? != Kind::Number {
            return wrong_type(cursor, "an integer");
        }
        let offset = cursor.offset();
        safe_value(cursor.number()?)
            .map(Self)
            .ok_or(Fault::new(ErrorKind::Integer("an integer within ±(2^53 - 1)"), offset))
    }
}

/// A count: an integer from 0 to 2^53 − 1.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Count(i64);

impl Count {
    /// The count, if it lies within the range.
    pub const fn new(value: u64) -> Option<Self> {
        if value <= MAX_SAFE_INTEGER.unsigned_abs() { Some(Self(value as i64)) } else { None }
    }

    /// The value.
    pub const fn get(self) -> u64 {
        self.0.unsigned_abs()
    }
}

impl From<u32> for Count {
    fn from(value: u32) -> Self {
        Self(value.into())
    }
}

impl TryFrom<u64> for Count {
    type Error = std::num::TryFromIntError;

    fn try_from(value: u64) -> Result<Self, Self::Error> {
        // Out of range for u32 as well, so this conversion makes the standard error.
        Self::new(value).map_or_else(|| u32::try_from(value).map(Self::from), Ok)
    }
}

impl Decode for Count {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? != Kind::Number {
            return wrong_type(cursor, "an integer");
        }
        let offset = cursor.offset();
        safe_value(cursor.number()?)
            .filter(|value| *value >= 0)
            .map(Self)
            .ok_or(Fault::new(ErrorKind::Integer("an integer from 0 to 2^53 - 1"), offset))
    }
}

/// Any JSON number, kept as written.
///
/// ```
/// use agent_contracts::wire::Number;
///
/// let wire: Number = serde_json::from_str("0.30")?;
/// assert_eq!((wire.as_str(), wire.as_f64()), ("0.30", 0.3));
/// assert_eq!(Number::from_f64(0.3), Some(wire));
/// assert_eq!(Number::from_f64(f64::NAN), None);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Number(Json);

impl Number {
    /// The number as written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The shortest number that reads as `value`; `None` for what JSON cannot write: an
    /// infinite value, or none at all (NaN).
    pub fn from_f64(value: f64) -> Option<Self> {
        // `Debug` writes the shortest digits, and an exponent where there would be many zeros.
        value.is_finite().then(|| Self(Json::from_valid(&format!("{value:?}"))))
    }

    /// The number of a count.
    pub(crate) fn of_count(count: u64) -> Self {
        Self(Json::from_valid(&count.to_string()))
    }

    /// The value, if it is an integer that fits a `u64`.
    pub fn as_u64(&self) -> Option<u64> {
        crate::wire::number::is_integer(self.as_str()).then(|| Integer(self.as_str().into()).as_u64()).flatten()
    }

    /// The nearest double.
    pub fn as_f64(&self) -> f64 {
        to_f64(self.0.as_str())
    }
}

impl From<u32> for Number {
    fn from(value: u32) -> Self {
        Self(Json::from_valid(&value.to_string()))
    }
}

impl Decode for Number {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? != Kind::Number {
            return wrong_type(cursor, "a number");
        }
        Json::decode(cursor).map(Self)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{Count, Integer, MAX_SAFE_INTEGER, Number, SafeInteger};
    use crate::wire::json::inline_schema;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    inline_schema!(Integer, "Integer", {"type": "integer"});
    inline_schema!(SafeInteger, "SafeInteger", {"type": "integer", "minimum": -MAX_SAFE_INTEGER, "maximum": MAX_SAFE_INTEGER});
    inline_schema!(Count, "Count", {"type": "integer", "minimum": 0, "maximum": MAX_SAFE_INTEGER});
    inline_schema!(Number, "Number", {"type": "number"});
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        for (text, value) in [("1", Some(1)), ("1.0", Some(1)), ("12e2", Some(1200)), ("-0", Some(0)), ("1e30", None)] {
            let integer: Integer = serde_json::from_str(text).unwrap();
            assert_eq!(integer.as_i64(), value, "{text}");
            assert_eq!(integer.as_u64(), value.map(|value: i64| value as u64), "{text}");
            assert_eq!(serde_json::to_string(&integer).unwrap(), text);
        }
    }

    #[test]
    fn the_upper_half_of_64_bits() {
        let max = Some(u64::MAX);
        for (text, value) in [
            ("18446744073709551615.0", max),
            ("1e19", Some(10_u64.pow(19))),
            ("1.8446744073709551616e19", None),
            ("-1e0", None),
        ] {
            assert_eq!(Integer(text.into()).as_u64(), value, "{text}");
        }
    }

    #[test]
    fn equal_and_hashed_by_value() {
        use std::collections::HashSet;
        for (a, b, equal) in [
            ("1e5", "100000", true),
            ("1.0", "1", true),
            ("-0", "0.0", true),
            ("0e99999999999999999999", "0", true),
            ("10e99999999999999999998", "1e99999999999999999999", true),
            ("1e99999999999999999999", "1e88888888888888888888", false),
            ("1e-99999999999999999999", "1e-88888888888888888888", false),
            ("1", "-1", false),
        ] {
            let [a, b] = [a, b].map(|text| Integer(text.into()));
            assert_eq!(a == b, equal, "{a} {b}");
            let names = format!("{a} {b}");
            assert_eq!(HashSet::from([a, b]).len() == 1, equal, "{names}");
        }
        assert_eq!(Integer("1e99999999999999999999".into()).as_i64(), None);
        assert_eq!(Integer("0e99999999999999999999".into()).as_i64(), Some(0));
    }

    #[test]
    fn numbers_of_doubles() {
        for value in [0.0, -0.0, 1.0, 0.3, 1e16, 1e-7, -2.5e300, f64::MAX, f64::MIN_POSITIVE] {
            let number = Number::from_f64(value).unwrap();
            let read: Number = serde_json::from_str(number.as_str()).unwrap();
            assert_eq!(read.as_f64().to_bits(), value.to_bits(), "{}", number.as_str());
        }
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(Number::from_f64), [None, None, None]);
    }

    #[test]
    fn counts_of_integers() {
        assert_eq!(Count::try_from(7_u64).ok(), Some(Count::from(7_u32)));
        assert_eq!(Count::try_from(MAX_SAFE_INTEGER.unsigned_abs()).map(Count::get), Ok(9_007_199_254_740_991));
        assert!(Count::try_from(MAX_SAFE_INTEGER.unsigned_abs() + 1).is_err());
    }

    #[test]
    fn ranges() {
        let safe = |text: &str| super::super::decode::from_json::<SafeInteger>(text).ok().map(SafeInteger::get);
        for (text, value) in [
            ("9007199254740991", Some(MAX_SAFE_INTEGER)),
            ("9007199254740992", None),
            ("-9007199254740991.0", Some(-MAX_SAFE_INTEGER)),
            ("1.5", None),
            ("\"1\"", None),
        ] {
            assert_eq!(safe(text), value, "{text}");
        }
    }
}
