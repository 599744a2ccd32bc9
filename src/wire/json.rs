//! Opaque values: JSON kept as the text in which it came.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::de::{self, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::decode::{DEPTH, Decode, Outcome};
use super::error::Error;
use super::number::{Exponent, normal_form};
use super::scan::{Cursor, Kind};

/// Any JSON value, kept as validated text: digits and member order survive.
///
/// Equality is that of the JSON values: `{"a":1,"b":2.0}` equals `{"b":2,"a":1}`.
/// `Debug` shows the size only, since payloads may hold secrets.
///
/// ```
/// use agent_contracts::wire::Json;
///
/// let big = Json::parse("{\"n\": 12345678901234567890123}")?;
/// assert_eq!(big.as_str(), "{\"n\": 12345678901234567890123}");
/// assert_eq!(big, Json::parse("{\"n\":12345678901234567890123.0}")?);
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
#[derive(Clone)]
pub struct Json(Box<str>);

impl Json {
    /// Takes JSON text.
    ///
    /// # Errors
    /// When the text is not one JSON value, or is nested more than 128 levels.
    pub fn parse(text: &str) -> Result<Self, Error> {
        super::decode::from_json(text)
    }

    /// The text of the value, without white space around it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses the text into `T`, for example [`serde_json::Value`].
    ///
    /// # Errors
    /// When the value does not fit `T`. The error names line and column, not the value.
    pub fn to<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Error> {
        serde_json::from_str(&self.0).map_err(|_| {
            let fault = super::error::Fault::new(super::error::ErrorKind::Type("a value of the requested type"), 0);
            Error::locate(fault, &self.0)
        })
    }

    /// Whether the value is `null`.
    pub fn is_null(&self) -> bool {
        &*self.0 == "null"
    }

    /// Whether the value is an object.
    pub fn is_object(&self) -> bool {
        self.0.starts_with('{')
    }

    /// The value as a string, if it is one.
    pub fn as_string(&self) -> Option<String> {
        let mut cursor = Cursor::new(&self.0, 1);
        cursor.string().ok().map(|text| text.lossy().into_owned())
    }

    /// The member `name` of an object; of duplicates the last.
    pub fn get(&self, name: &str) -> Option<Json> {
        if !self.is_object() {
            return None;
        }
        let mut cursor = Cursor::new(&self.0, super::scan::MAX_DEPTH);
        let mut found = None;
        let mut first = true;
        cursor.open(b'{').ok()?;
        while let Some(key) = cursor.member(&mut first).ok()? {
            let value = cursor.raw().ok()?;
            if key.lossy() == name {
                found = Some(Json(value.into()));
            }
        }
        found
    }

    pub(crate) fn from_valid(text: &str) -> Self {
        Self(text.into())
    }
}

impl Decode for Json {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        Ok(Self(cursor.raw()?.into()))
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json(<{} bytes>)", self.0.len())
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        Self(value.to_string().into())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || Canonical::of(&self.0) == Canonical::of(&other.0)
    }
}

impl Eq for Json {}

impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Canonical::of(&self.0).map(|value| value.kind()).hash(state);
    }
}

/// A value in which equality is the equality of JSON values.
#[derive(PartialEq)]
enum Canonical {
    Literal(&'static str),
    Number((bool, String, Exponent)),
    String(String),
    Array(Vec<Canonical>),
    Object(HashMap<String, Canonical>),
}

impl Canonical {
    fn of(text: &str) -> Option<Self> {
        Self::read(&mut Cursor::new(text, super::scan::MAX_DEPTH))
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Literal(_) => 0,
            Self::Number(_) => 1,
            Self::String(_) => 2,
            Self::Array(_) => 3,
            Self::Object(_) => 4,
        }
    }

    fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut first = true;
        Some(match cursor.kind().ok()? {
            Kind::Null => cursor.literal().map(|_| Self::Literal("null")).ok()?,
            Kind::Bool => Self::Literal(if cursor.literal().ok()? == "true" { "true" } else { "false" }),
            Kind::Number => Self::Number(normal_form(cursor.number().ok()?)),
            Kind::String => {
                let text = cursor.string().ok()?;
                // A lone surrogate has no Rust form; its raw text stands in for it.
                Self::String(text.exact().map_or_else(|| format!("\u{0}{}", text.raw), std::borrow::Cow::into_owned))
            }
            Kind::Array => {
                cursor.open(b'[').ok()?;
                let mut items = Vec::new();
                while cursor.element(&mut first).ok()? {
                    items.push(Self::read(cursor)?);
                }
                Self::Array(items)
            }
            Kind::Object => {
                cursor.open(b'{').ok()?;
                let mut members = HashMap::new();
                while let Some(key) = cursor.member(&mut first).ok()? {
                    members.insert(key.lossy().into_owned(), Self::read(cursor)?);
                }
                Self::Object(members)
            }
        })
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(|_| serde::ser::Error::custom("not JSON"))?;
        raw.serialize(serializer)
    }
}

/// The name under which serde_json hands over raw text. `RawValue` itself fails
/// below `#[serde(flatten)]` and untagged enums; asking by name gives the exact
/// text where serde_json can give it and the plain value elsewhere.
///
/// The text comes as a map with this one key, which data may hold as well: see [`FirstKey`].
const RAW_TOKEN: &str = "$serde_json::private::RawValue";

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW_TOKEN, TextVisitor { asked: true })
    }
}

/// Writes whatever it is shown as JSON text.
struct TextVisitor {
    /// Whether what is shown answers the question for raw text.
    asked: bool,
}

/// The first key of the map that answers the question for raw text.
///
/// A `serde_json::Map`, serde's `MapAccessDeserializer` and others answer with a map of
/// their data. A key that is data shows itself as an enum when it is asked for one, or as
/// a string that is not borrowed; serde_json's own key shows a borrowed string whatever it
/// is asked for. Only a deserializer whose keys do that too, and which shows newtypes as
/// plain maps, could not be told apart; none in serde or serde_json does both.
enum FirstKey {
    RawText,
    Name(String),
}

impl<'de> Deserialize<'de> for FirstKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("FirstKey", &[], FirstKeyVisitor)
    }
}

struct FirstKeyVisitor;

impl<'de> Visitor<'de> for FirstKeyVisitor {
    type Value = FirstKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, key: A) -> Result<FirstKey, A::Error> {
        let (name, rest) = key.variant::<String>()?;
        rest.unit_variant()?;
        Ok(FirstKey::Name(name))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<FirstKey, E> {
        Ok(FirstKey::Name(name.to_owned()))
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<FirstKey, E> {
        if name == RAW_TOKEN { Ok(FirstKey::RawText) } else { self.visit_str(name) }
    }
}

fn text_of<T: Serialize, E: de::Error>(value: T) -> Result<Json, E> {
    serde_json::to_string(&value).map(|text| Json(text.into())).map_err(|_| E::custom("a value that JSON cannot hold"))
}

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        // What comes now is data: serde's buffers and formats that know no raw text.
        deserializer.deserialize_any(Self { asked: false })
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Json, E> {
        text_of(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Json, E> {
        text_of(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Json, E> {
        text_of(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        text_of(value)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Json, E> {
        text_of(value)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
        Ok(Json("null".into()))
    }

    fn visit_none<E: de::Error>(self) -> Result<Json, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        Json::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut out = String::from("[");
        while let Some(item) = items.next_element::<Json>()? {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&item.0);
        }
        out.push(']');
        Ok(Json(out.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut next = if self.asked {
            match members.next_key::<FirstKey>()? {
                Some(FirstKey::RawText) => {
                    let text: String = members.next_value()?;
                    return super::decode::from_json(&text).map_err(de::Error::custom);
                }
                Some(FirstKey::Name(name)) => Some(name),
                None => None,
            }
        } else {
            members.next_key::<String>()?
        };
        let mut out = String::from("{");
        while let Some(key) = next {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&text_of::<_, A::Error>(&key)?.0);
            out.push(':');
            out.push_str(&members.next_value::<Json>()?.0);
            next = members.next_key::<String>()?;
        }
        out.push('}');
        Ok(Json(out.into()))
    }
}

/// Any JSON value but `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct NonNullJson(Json);

impl NonNullJson {
    /// Wraps a value; `None` if it is `null`.
    pub fn new(value: Json) -> Option<Self> {
        (!value.is_null()).then_some(Self(value))
    }
}

impl std::ops::Deref for NonNullJson {
    type Target = Json;

    fn deref(&self) -> &Json {
        &self.0
    }
}

impl Decode for NonNullJson {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? == Kind::Null {
            return super::decode::wrong_type(cursor, "a value that is not null");
        }
        Json::decode(cursor).map(Self)
    }
}

/// Any JSON object, open by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct JsonObject(Json);

impl JsonObject {
    /// Wraps a value; `None` if it is no object.
    pub fn new(value: Json) -> Option<Self> {
        value.is_object().then_some(Self(value))
    }

    /// Takes text that is known to be a JSON object.
    pub(crate) fn from_valid(text: &str) -> Self {
        Self(Json::from_valid(text))
    }
}

impl std::ops::Deref for JsonObject {
    type Target = Json;

    fn deref(&self) -> &Json {
        &self.0
    }
}

impl Decode for JsonObject {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        if cursor.kind()? != Kind::Object {
            return super::decode::wrong_type(cursor, "an object");
        }
        Json::decode(cursor).map(Self)
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for JsonObject {
    fn from(members: serde_json::Map<String, serde_json::Value>) -> Self {
        Self(serde_json::Value::Object(members).into())
    }
}

/// Members that a type does not name, in the order in which they came.
///
/// They are kept by decoding and written by encoding, so that a newer producer's
/// members survive an older consumer. Equal whatever the order, as JSON objects are.
#[derive(Clone, Default)]
pub struct Extra(Vec<(Box<str>, Json)>);

impl Extra {
    /// No members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The value of member `name`.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }

    /// Sets member `name`, in place if it is there.
    pub fn insert(&mut self, name: impl Into<Box<str>>, value: impl Into<Json>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(key, _)| *key == name) {
            Some(member) => member.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// Takes member `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let at = self.0.iter().position(|(key, _)| &**key == name)?;
        Some(self.0.remove(at).1)
    }

    /// The members in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, name: &str, value: Json) {
        self.0.push((name.into(), value));
    }

    /// Of members with one name keeps the last value, at the first place.
    pub(crate) fn settle(&mut self) {
        if self.0.len() < 2 {
            return;
        }
        let mut places: HashMap<Box<str>, usize> = HashMap::with_capacity(self.0.len());
        let mut kept: Vec<(Box<str>, Json)> = Vec::with_capacity(self.0.len());
        for (name, value) in self.0.drain(..) {
            if let Some(&place) = places.get(&name) {
                kept[place].1 = value;
            } else {
                places.insert(name.clone(), kept.len());
                kept.push((name, value));
            }
        }
        self.0 = kept;
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        // Nearly always in the same order.
        if self.0.len() != other.0.len() || self.0.iter().zip(&other.0).all(|(a, b)| a == b) {
            return self.0.len() == other.0.len();
        }
        let theirs: HashMap<&str, &Json> = other.iter().collect();
        self.iter().all(|(name, value)| theirs.get(name) == Some(&value))
    }
}

impl Eq for Extra {}

impl Decode for Extra {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        super::union::decode_extra(cursor, None)
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extra(<{} members>)", self.0.len())
    }
}

macro_rules! deserialize_as_text {
    ($($type:ty),*) => { $(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::decode::deserialize(deserializer)
            }
        }
    )* };
}

deserialize_as_text!(NonNullJson, JsonObject);

#[cfg(feature = "schema")]
mod schema {
    use super::{Json, JsonObject, NonNullJson};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    macro_rules! inline_schema {
        ($type:ty, $name:literal, $($schema:tt)*) => {
            impl JsonSchema for $type {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> Cow<'static, str> {
                    $name.into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!($($schema)*)
                }
            }
        };
    }
    pub(crate) use inline_schema;

    inline_schema!(Json, "Json", {});
    // A list of types and not `not`: code generators refuse the latter.
    inline_schema!(NonNullJson, "NonNullJson", {"type": ["array", "boolean", "number", "object", "string"]});
    inline_schema!(JsonObject, "JsonObject", {"type": "object", "additionalProperties": true});
}
#[cfg(feature = "schema")]
pub(crate) use schema::inline_schema;

/// The nesting depth of typed decoding, as serde_json has it.
const _: () = assert!(DEPTH == 128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_by_value() {
        let json = |text: &str| Json::parse(text).unwrap();
        assert_eq!(json(r#"{"a":1,"b":[2.0,"\u0041"]}"#), json(r#" {"b":[2,"A"],"a":1e0} "#));
        assert_ne!(json("[1,2]"), json("[2,1]"));
        assert_ne!(json("12345678901234567890123"), json("12345678901234567890124"));
        assert_eq!(json(r#"{"a":1,"a":2}"#), json(r#"{"a":2}"#));
    }

    #[test]
    fn numbers_beyond_any_exponent_are_equal_by_value() {
        let json = |text: &str| Json::parse(text).unwrap();
        assert_ne!(json("1e99999999999999999999"), json("1e88888888888888888888"));
        assert_ne!(json(r#"{"a":[1e-99999999999999999999]}"#), json(r#"{"a":[1e-99999999999999999998]}"#));
        assert_eq!(json("[10e99999999999999999998]"), json("[1e99999999999999999999]"));
        assert_eq!(json("0e99999999999999999999"), json("0"));
    }

    #[test]
    fn text_survives_serde() {
        #[derive(Deserialize, Serialize, Debug, PartialEq)]
        struct Holder {
            value: Json,
        }
        let text = r#"{"value":{"z":1.0,"a":12345678901234567890123}}"#;
        let holder: Holder = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&holder).unwrap(), text);
        let through_value: Holder = serde_json::from_value(serde_json::json!({"value": [1, "x", null]})).unwrap();
        assert_eq!(through_value.value.as_str(), r#"[1,"x",null]"#);
    }

    #[test]
    fn buffered_deserializers_work_too() {
        #[derive(Deserialize, Debug)]
        #[serde(untagged)]
        enum Untagged {
            Object { value: Json },
        }
        let Untagged::Object { value } = serde_json::from_str(r#"{"value":{"a":[true,1.5,"é"]}}"#).unwrap();
        assert_eq!(value, Json::parse(r#"{"a":[true,1.5,"é"]}"#).unwrap());
    }

    #[test]
    fn a_member_named_as_raw_text_is_data() {
        use crate::wire::toys::FlatEvent;
        use serde::de::value::MapAccessDeserializer;

        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Untagged<T> {
            One(T),
        }

        #[derive(Deserialize)]
        struct Flat<T> {
            #[serde(flatten)]
            rest: T,
        }

        /// Hands its map on, as types that take a string or an object do.
        struct Handed(Json);

        struct Hand;

        impl<'de> Visitor<'de> for Hand {
            type Value = Handed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Handed, A::Error> {
                Json::deserialize(MapAccessDeserializer::new(members)).map(Handed)
            }
        }

        impl<'de> Deserialize<'de> for Handed {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map(Hand)
            }
        }

        let inner = r#"{"type":"tool_start","tool_execution_id":"t"}"#;
        assert!(serde_json::from_str::<FlatEvent>(inner).is_ok());
        let mut map = serde_json::Map::new();
        map.insert(RAW_TOKEN.to_owned(), inner.into());
        let value = serde_json::Value::Object(map.clone());
        let text = value.to_string();

        let Untagged::One(untagged) = serde_json::from_str::<Untagged<Json>>(&text).unwrap();
        let Untagged::One(untagged_value) = serde_json::from_value::<Untagged<Json>>(value.clone()).unwrap();
        for json in [
            serde_json::from_str::<Json>(&text).unwrap(),
            serde_json::from_reader::<_, Json>(text.as_bytes()).unwrap(),
            serde_json::from_value::<Json>(value.clone()).unwrap(),
            Json::deserialize(&value).unwrap(),
            Json::deserialize(&map).unwrap(),
            Json::deserialize(map.clone()).unwrap(),
            untagged,
            untagged_value,
            serde_json::from_str::<Flat<Json>>(&text).unwrap().rest,
            serde_json::from_str::<Handed>(&text).unwrap().0,
            serde_json::from_reader::<_, Handed>(text.as_bytes()).unwrap().0,
            serde_json::from_value::<Handed>(value.clone()).unwrap().0,
        ] {
            assert_eq!(json.as_str(), text);
        }

        let nested = format!(r#"{{"a":[{text}]}}"#);
        let Untagged::One(json) = serde_json::from_str::<Untagged<Json>>(&nested).unwrap();
        assert_eq!(json.as_str(), nested);

        assert!(serde_json::from_str::<FlatEvent>(&text).is_err());
        assert!(serde_json::from_value::<FlatEvent>(value).is_err());
        assert!(FlatEvent::deserialize(&map).is_err());
        assert!(serde_json::from_str::<Untagged<FlatEvent>>(&text).is_err());
        assert!(serde_json::from_str::<Flat<FlatEvent>>(&text).is_err());
    }

    #[test]
    fn debug_shows_no_value() {
        let json = Json::parse(r#"{"password":"hunter2"}"#).unwrap();
        assert_eq!(format!("{json:?}"), "Json(<22 bytes>)");
    }
}
