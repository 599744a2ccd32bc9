//! The schema of one object.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// Builds the schema of an object member by member.
pub(crate) struct ObjectSchema {
    description: String,
    closed: bool,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl ObjectSchema {
    pub(crate) fn new(doc: &str, closed: bool) -> Self {
        Self { description: doc.into(), closed, properties: Map::new(), required: Vec::new() }
    }

    pub(crate) fn member(&mut self, name: &str, required: bool, schema: Schema, doc: &str, constraint: Option<Value>) {
        let mut schema = beside_reference(schema.to_value());
        if let Some(Value::Object(keywords)) = constraint {
            constrain(&mut schema, keywords);
        }
        if let Some(members) = schema.as_object_mut() {
            members.insert("description".into(), doc.into());
        }
        self.properties.insert(name.into(), schema);
        if required {
            self.required.push(name.into());
        }
    }

    pub(crate) fn finish(self) -> Schema {
        let mut schema = json!({
            "type": "object",
            "description": self.description,
            "properties": self.properties,
            "additionalProperties": !self.closed,
        });
        if !self.required.is_empty()
            && let Some(keywords) = schema.as_object_mut()
        {
            keywords.insert("required".into(), self.required.into());
        }
        schema.try_into().unwrap_or_default()
    }
}

/// A schema that may have keywords of its own: code generators copy a definition where its
/// reference has siblings.
fn beside_reference(schema: Value) -> Value {
    if schema.get("$ref").is_some() { json!({"allOf": [schema]}) } else { schema }
}

/// Adds keywords where they count, which is the first alternative of a value that may be null:
/// strict validators refuse `minimum` where no number is near.
fn constrain(schema: &mut Value, keywords: Map<String, Value>) {
    let is_nullable = schema.pointer("/anyOf/1/type").is_some_and(|kind| kind == "null");
    let narrowed = if is_nullable { schema.pointer_mut("/anyOf/0") } else { Some(schema) };
    if let Some(members) = narrowed.and_then(Value::as_object_mut) {
        members.extend(keywords);
    }
}
