//! Reading through serde: whatever a deserializer shows becomes JSON text first, so that
//! there is one decoder only.

use std::fmt;

use serde::de::{self, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::decode::{Decode, from_json};
use super::integer::{Count, Integer, Number, SafeInteger};
use super::json::{Json, JsonObject, NonNullJson};

/// Decodes through serde by way of the text, so that there is one decoder only.
pub(crate) fn deserialize<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = Json::deserialize(deserializer)?;
    from_json(text.as_str()).map_err(de::Error::custom)
}

macro_rules! deserialize_as_text {
    ($($type:ty),*) => { $(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize(deserializer)
            }
        }
    )* };
}

deserialize_as_text!(NonNullJson, JsonObject, Integer, SafeInteger, Count, Number);

/// The name under which serde_json hands over raw text. `RawValue` itself fails
/// below `#[serde(flatten)]` and untagged enums; asking by name gives the exact
/// text where serde_json can give it and the plain value elsewhere.
///
/// The text comes as a map with this one key, which data may hold as well: see [`FirstKey`].
pub(super) const RAW_TOKEN: &str = "$serde_json::private::RawValue";

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
    serde_json::to_string(&value)
        .map(|text| Json::from_valid(&text))
        .map_err(|_| E::custom("a value that JSON cannot hold"))
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
        if value.is_finite() { text_of(value) } else { Err(E::custom("a number that JSON cannot hold")) }
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Json, E> {
        text_of(value)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
        Ok(Json::from_valid("null"))
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
            out.push_str(item.as_str());
        }
        out.push(']');
        Ok(Json::from_valid(&out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut next = if self.asked {
            match members.next_key::<FirstKey>()? {
                Some(FirstKey::RawText) => {
                    let text: String = members.next_value()?;
                    return from_json(&text).map_err(de::Error::custom);
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
            out.push_str(text_of::<_, A::Error>(&key)?.as_str());
            out.push(':');
            out.push_str(members.next_value::<Json>()?.as_str());
            next = members.next_key::<String>()?;
        }
        out.push('}');
        Ok(Json::from_valid(&out))
    }
}
