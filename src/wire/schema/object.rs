//! The schema of one object, and of a union's branch.

use schemars::{JsonSchema, Schema, SchemaGenerator};
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
        Self { description: prose(doc), closed, properties: Map::new(), required: Vec::new() }
    }

    pub(crate) fn member(&mut self, name: &str, required: bool, schema: Schema, doc: &str, constraint: Option<Value>) {
        let mut schema = schema.to_value();
        if let (Some(schema), Some(Value::Object(constraint))) = (schema.as_object_mut(), constraint) {
            schema.extend(constraint);
        }
        // Siblings of `$ref` make code generators drop the reference.
        if let Some(members) = schema.as_object_mut().filter(|members| !members.contains_key("$ref")) {
            members.insert("description".into(), prose(doc).into());
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
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        schema.try_into().unwrap_or_default()
    }
}

/// A reference to the definition of `T`, which is made to own its tag.
pub(crate) fn branch<T: JsonSchema>(generator: &mut SchemaGenerator, tag: Option<&str>, names: &[&str]) -> Schema {
    let reference = generator.subschema_for::<T>();
    let Some(tag) = tag else { return reference };
    if let Some(definition) = generator.definitions_mut().get_mut(&*T::schema_name()) {
        let value = if names.len() == 1 { json!({"const": names[0]}) } else { json!({"enum": names}) };
        let mut value = value;
        value["type"] = "string".into();
        value["description"] = "Which member of the union this is.".into();
        let members = definition["properties"].as_object_mut();
        let new = members.is_some_and(|members| members.insert(tag.into(), value).is_none());
        if new {
            let required = definition.as_object_mut().map(|members| members.entry("required").or_insert(json!([])));
            if let Some(Value::Array(required)) = required {
                required.insert(0, tag.into());
            }
        }
    }
    reference
}

/// A doc comment as prose: one line a paragraph, links as plain code.
pub(crate) fn prose(doc: &str) -> String {
    let paragraphs: Vec<String> = doc
        .split("\n\n")
        .map(|paragraph| paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
        .collect();
    paragraphs.join("\n").trim().replace("[`", "`").replace("`]", "`")
}
