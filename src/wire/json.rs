//! Opaque values: JSON kept as the text in which it came.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};

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
///
/// Since 0.1.0.
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
    /// When the value does not fit `T`. The error names the place where that shows, not the value.
    pub fn to<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Error> {
        serde_json::from_str(&self.0).map_err(|error| {
            let lines = self.0.split_inclusive('\n').take(error.line().saturating_sub(1));
            // Columns count from 1, and 0 is before the first.
            let offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            let kind = super::error::ErrorKind::Type("a value of the requested type");
            Error::locate(super::error::Fault::new(kind, offset.min(self.0.len())), &self.0)
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
        self.0 == other.0 || Canonical::of(&self.0).is_some_and(|value| Canonical::of(&other.0) == Some(value))
    }
}

impl Eq for Json {}

impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Canonical::of(&self.0).hash(state);
    }
}

/// A value in which equality is the equality of JSON values.
#[derive(PartialEq, Hash)]
enum Canonical {
    Literal(&'static str),
    Number((bool, String, Exponent)),
    /// As bytes, in which lone surrogates stay apart.
    String(Vec<u8>),
    Array(Vec<Canonical>),
    Object(BTreeMap<Vec<u8>, Canonical>),
}

impl Canonical {
    fn of(text: &str) -> Option<Self> {
        Self::read(&mut Cursor::new(text, super::scan::MAX_DEPTH))
    }

    fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut first = true;
        Some(match cursor.kind().ok()? {
            Kind::Null => cursor.literal().map(|_| Self::Literal("null")).ok()?,
            Kind::Bool => Self::Literal(if cursor.literal().ok()? == "true" { "true" } else { "false" }),
            Kind::Number => Self::Number(normal_form(cursor.number().ok()?)),
            Kind::String => Self::String(cursor.string().ok()?.wtf8().into_owned()),
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
                let mut members = BTreeMap::new();
                while let Some(key) = cursor.member(&mut first).ok()? {
                    members.insert(key.wtf8().into_owned(), Self::read(cursor)?);
                }
                Self::Object(members)
            }
        })
    }
}

impl Serialize for Json {
    /// Writes the text as it is, on one line: line ends would cut a line of NDJSON or of a frame in two.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = one_line(&self.0);
        let raw: &RawValue = serde_json::from_str(&text).map_err(|_| serde::ser::Error::custom("not JSON"))?;
        raw.serialize(serializer)
    }
}

/// JSON without the white space between its tokens, if there are line ends in it.
fn one_line(json: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_none() {
        return json.into();
    }
    let (mut in_string, mut is_escaped) = (false, false);
    let is_kept = |c: &char| {
        (in_string, is_escaped) = match c {
            _ if is_escaped => (true, false),
            '"' => (!in_string, false),
            '\\' => (in_string, true),
            _ => (in_string, false),
        };
        in_string || !matches!(c, ' ' | '\t' | '\n' | '\r')
    };
    json.chars().filter(is_kept).collect()
}

/// Any JSON value but `null`.
///
/// Since 0.1.0.
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
///
/// Since 0.1.0.
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
    // One type each: code generators refuse `not`, and strict validators lists of types.
    inline_schema!(NonNullJson, "NonNullJson", {"anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "object"},
        {"type": "array"},
    ]});
    inline_schema!(JsonObject, "JsonObject", {"type": "object", "additionalProperties": true});
}
#[cfg(feature = "schema")]
pub(crate) use schema::inline_schema;

// The depth that serde_json has, so that both refuse the same documents.
const _: () = assert!(DEPTH == 128);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::super::capture::RAW_TOKEN;
    use super::*;
    use serde::Deserialize;
    use serde::de::{Deserializer, MapAccess, Visitor};

    #[test]
    fn what_is_written_stands_on_one_line() {
        for (text, expected) in [
            ("{ \"a\" : 1.50 }", "{ \"a\" : 1.50 }"),
            ("{\r\n\t\"a b\": [1.50 ,\n\"\\\" \\\\\", \"\\n \"]\n}", "{\"a b\":[1.50,\"\\\" \\\\\",\"\\n \"]}"),
        ] {
            let json = Json::parse(text).unwrap();
            assert_eq!((json.as_str(), serde_json::to_string(&json).unwrap().as_str()), (text, expected));
            assert_eq!(Json::parse(expected).unwrap(), json);
        }
    }

    #[test]
    fn equality_is_by_value() {
        let json = |text: &str| Json::parse(text).unwrap();
        assert_eq!(json(r#"{"a":1,"b":[2.0,"\u0041"]}"#), json(r#" {"b":[2,"A"],"a":1e0} "#));
        assert_ne!(json("[1,2]"), json("[2,1]"));
        assert_ne!(json("12345678901234567890123"), json("12345678901234567890124"));
        assert_eq!(json(r#"{"a":1,"a":2}"#), json(r#"{"a":2}"#));
        let half = [
            r#""\ud800""#,
            r#""\u0000\\ud800""#,
            r#""\ufffd""#,
            r#""\ud801""#,
            r#"{"\ud800":1}"#,
            r#"{"\ud801":1}"#,
            r#"{"\ufffd":1}"#,
        ];
        for (at, one) in half.iter().enumerate() {
            assert!(half.iter().enumerate().all(|(other, text)| (json(one) == json(text)) == (at == other)), "{one}");
        }
        assert_eq!(json(r#""\ud800\u0061""#), json(r#""\uD800a""#));
        let deep = |inner: &str| Json::from_valid(&format!("{}{inner}{}", "[".repeat(2000), "]".repeat(2000)));
        assert_ne!(deep("1"), deep("2"));
    }

    #[test]
    fn equal_values_have_one_hash_and_others_have_others() {
        let json = |text: &str| Json::parse(text).unwrap();
        let hash = |text: &str| foldhash::fast::FixedState::default().hash_one(json(text));
        assert_eq!(hash(r#"{"a":1.0,"b":"A"}"#), hash(r#"{"b":"\u0041","a":1}"#));
        let hashes: HashSet<u64> = (0..1000).map(|number| hash(&number.to_string())).collect();
        assert_eq!(hashes.len(), 1000);
    }

    #[test]
    fn what_does_not_fit_a_type_is_told_by_its_place() {
        let value = Json::parse("{\n  \"a\": [1,\n    \"x\"]\n}").unwrap();
        let error = value.to::<std::collections::HashMap<String, Vec<u8>>>().unwrap_err();
        assert_eq!(error.to_string(), "$.a[1]: expected a value of the requested type (at byte 19)");
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
