//! The envelope: an index in the task's events, an event, a time.

use super::event::Event;
use crate::wire::decode::{Decode, Outcome};
use crate::wire::error::Fault;
use crate::wire::payload::attempt;
use crate::wire::scan::Cursor;
use crate::wire::union::decode_beside;
use crate::wire::{Error, Extra, Integer, Json, Number};

/// An item of `events`: an index in the task's events, an event, a time.
///
/// ```
/// use agent_contracts::polling::{Envelope, Event};
///
/// let text = r#"{"idx":12,"type":"text_chunk","data":{"content":"hi","index":5,"elapsed":0.003},"ts":1769182968.154797}"#;
/// let envelope = Envelope::from_json(text)?;
/// assert!(matches!(&envelope.event, Event::TextChunk(chunk) if chunk.content == "hi"));
/// assert_eq!(envelope.ts.as_str(), "1769182968.154797");
/// assert_eq!(envelope.to_json(), text);
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: task API §2.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Envelope {
    /// The index in the task's events: from 0, one more each time, never used again.
    pub idx: Integer,
    /// Type and data.
    pub event: Event,
    /// When the server has recorded it, in seconds since the epoch.
    pub ts: Number,
    /// Members that the contract does not name, kept as they came.
    pub extra: Extra,
}

impl Envelope {
    /// An envelope of its required members.
    pub fn new(idx: impl Into<Integer>, event: impl Into<Event>, ts: impl Into<Number>) -> Self {
        Self { idx: idx.into(), event: event.into(), ts: ts.into(), extra: Extra::new() }
    }

    /// Decodes JSON text.
    ///
    /// # Errors
    /// When the text is not JSON, a member is missing or of another type, or the type is
    /// known and the data is not of its shape. An unknown type is not an error, whatever
    /// its data.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        crate::wire::decode::from_json(text)
    }

    /// Encodes as JSON text on one line: `idx`, `type`, `data`, `ts`, then the rest.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `ts` as a time, to the microsecond, if chrono can hold it.
    ///
    /// Since 0.1.0. Source: task API §2.
    #[cfg(feature = "chrono")]
    pub fn time(&self) -> Option<chrono::DateTime<chrono::Utc>> {
        chrono::DateTime::from_timestamp_micros((self.ts.as_f64() * 1e6).round() as i64)
    }
}

impl Decode for Envelope {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        Self::decode_with(cursor, Event::decode_data)
    }

    fn decode_item(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        Self::decode_with(cursor, Event::decode_any_data)
    }
}

impl Envelope {
    fn decode_with(cursor: &mut Cursor<'_>, data: impl Fn(&str, &mut Cursor<'_>) -> Outcome<Event>) -> Outcome<Self> {
        let start = cursor.kind().map(|_| cursor.offset())?;
        let (mut idx, mut ts, mut extra) = (None, None, Extra::new());
        let event = decode_beside(cursor, ["type", "data"], data, |name, cursor| {
            match name {
                "idx" => idx = Some(attempt(cursor)?),
                "ts" => ts = Some(attempt(cursor)?),
                _ => extra.push(name, Json::decode(cursor)?),
            }
            Ok(())
        })?;
        extra.settle();
        // Data that is no JSON hides the members behind it.
        let event = event?;
        Ok(Self {
            idx: idx.ok_or(Fault::missing("idx", start))??,
            event,
            ts: ts.ok_or(Fault::missing("ts", start))??,
            extra,
        })
    }
}

impl serde::Serialize for Envelope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("idx", &self.idx)?;
        map.serialize_entry("type", self.event.tag())?;
        map.serialize_entry("data", &self.event)?;
        map.serialize_entry("ts", &self.ts)?;
        for (name, value) in self.extra.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> serde::Deserialize<'de> for Envelope {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::wire::capture::deserialize(deserializer)
    }
}

#[cfg(feature = "schema")]
pub(in crate::polling) use schema::of_type;

#[cfg(feature = "schema")]
mod schema {
    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde_json::json;

    use super::Envelope;
    use crate::wire::schema::ObjectSchema;
    use crate::wire::{Integer, Json, Number};

    impl JsonSchema for Envelope {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "PollingEnvelope".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let (tag, data) = (generator.subschema_for::<String>(), generator.subschema_for::<Json>());
            of_type(generator, "An event of any type. What its data is, says the schema of events.", tag, data)
        }
    }

    /// The schema of the envelopes whose type and data are of these schemas.
    pub(in crate::polling) fn of_type(generator: &mut SchemaGenerator, doc: &str, tag: Schema, data: Schema) -> Schema {
        let mut object = ObjectSchema::new(doc, false);
        let idx = generator.subschema_for::<Integer>();
        object.member("idx", true, idx, "The index in the task's events, from 0.", Some(json!({"minimum": 0})));
        object.member("type", true, tag, "What kind of event it is.", None);
        object.member("data", true, data, "What the event says.", None);
        let ts = generator.subschema_for::<Number>();
        object.member("ts", true, ts, "When the server has recorded it, in seconds since the epoch.", None);
        object.finish()
    }
}
