//! Typed decoding from a cursor: one decoder behind `from_json` and serde.

use super::error::{Error, ErrorKind, Fault};
use super::scan::{Cursor, Kind};

/// The nesting depth that typed decoding accepts, serde_json's own.
pub(crate) const DEPTH: u16 = 128;

pub(crate) type Outcome<T> = Result<T, Fault>;

/// A type that reads itself from a cursor that stands before its value.
pub(crate) trait Decode: Sized {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self>;

    /// Reads itself as one of many, where a fault that only it has is not to hide the others.
    fn decode_item(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        Self::decode(cursor)
    }
}

/// Decodes a whole text.
pub(crate) fn from_json<T: Decode>(text: &str) -> Result<T, Error> {
    let mut cursor = Cursor::new(text, DEPTH);
    let decoded = T::decode(&mut cursor).and_then(|value| {
        cursor.end()?;
        Ok(value)
    });
    decoded.map_err(|fault| Error::locate(fault, text))
}

/// The error for a value of another type, with the value's offset.
#[cold]
pub(crate) fn wrong_type<T>(cursor: &mut Cursor<'_>, expected: &'static str) -> Outcome<T> {
    // A value that is not even JSON is reported as such.
    cursor.kind()?;
    let offset = cursor.offset();
    cursor.skip()?;
    Err(Fault::new(ErrorKind::Type(expected), offset))
}

/// A string value that Rust can hold.
pub(crate) fn text<'a>(cursor: &mut Cursor<'a>) -> Outcome<std::borrow::Cow<'a, str>> {
    if cursor.kind()? != Kind::String {
        return wrong_type(cursor, "a string");
    }
    let offset = cursor.offset();
    cursor.string()?.exact().ok_or(Fault::new(ErrorKind::LoneSurrogate, offset))
}

impl Decode for String {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        text(cursor).map(std::borrow::Cow::into_owned)
    }
}

impl Decode for bool {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        match cursor.kind()? {
            Kind::Bool => Ok(cursor.literal()? == "true"),
            _ => wrong_type(cursor, "a boolean"),
        }
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? != Kind::Array {
            return wrong_type(cursor, "an array");
        }
        cursor.open(b'[')?;
        let mut items = Vec::new();
        let mut first = true;
        while cursor.element(&mut first)? {
            items.push(T::decode_item(cursor)?);
        }
        Ok(items)
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        T::decode(cursor).map(Box::new)
    }
}

/// A member that may be `null`, where null and absence mean different things.
///
/// ```
/// use agent_contracts::wire::Nullable;
///
/// assert_eq!(Nullable::<u8>::from(Some(7)), Nullable::Value(7));
/// assert_eq!(Nullable::<u8>::from(None), Nullable::Null);
/// assert_eq!(Nullable::Value("why").into_option(), Some("why"));
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Nullable<T> {
    /// `null` on the wire.
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The value, if it is not `null`.
    pub fn as_option(&self) -> Option<&T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The value, if it is not `null`.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T> From<Option<T>> for Nullable<T> {
    /// `None` becomes `null`.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<T: Decode> Decode for Nullable<T> {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? == Kind::Null {
            cursor.literal()?;
            return Ok(Self::Null);
        }
        T::decode(cursor).map(Self::Value)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Nullable{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let inner = generator.subschema_for::<T>();
        schemars::json_schema!({"anyOf": [inner, {"type": "null"}]})
    }
}
