//! The schemas of unions.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// A member of a union: a row of the table.
pub(crate) struct Branch {
    pub(crate) tag: &'static str,
    pub(crate) doc: &'static str,
    /// The reference to its definition.
    pub(crate) reference: Value,
}

impl Branch {
    /// The row of this tag. If the tag is a member of the object, the definition is made to own it.
    pub(crate) fn new<T: JsonSchema>(
        generator: &mut SchemaGenerator,
        member: Option<&str>,
        tag: &'static str,
        doc: &'static str,
    ) -> Self {
        let reference = generator.subschema_for::<T>().to_value();
        if let Some(member) = member
            && let Some(definition) = generator.definitions_mut().get_mut(&*T::schema_name())
        {
            own_tag(definition, member, tag, doc);
        }
        Self { tag, doc, reference }
    }

    /// The row under another name of the tag `of`, so that each definition has one tag.
    pub(crate) fn alias<T: JsonSchema>(
        generator: &mut SchemaGenerator,
        member: Option<&str>,
        tag: &'static str,
        of: &str,
        doc: &'static str,
    ) -> Self {
        let mut branch = Self::new::<T>(generator, None, tag, doc);
        if let Some(member) = member
            && let Some(mut definition) = generator.definitions().get(&*T::schema_name()).cloned()
        {
            own_tag(&mut definition, member, tag, doc);
            let name = T::schema_name().replace(&pascal(of), &pascal(tag));
            branch.reference = reference(&name);
            generator.definitions_mut().insert(name, definition);
        }
        branch
    }
}

/// Makes the tag the constant member `member` of a definition.
fn own_tag(definition: &mut Value, member: &str, tag: &str, doc: &str) {
    let value = json!({"type": "string", "const": tag, "description": doc});
    let members = definition["properties"].as_object_mut();
    let is_new = members.is_some_and(|members| members.insert(member.into(), value).is_none());
    if is_new {
        require(definition, member);
    }
}

/// Makes a member one that has to be there.
pub(crate) fn require(schema: &mut Value, member: &str) {
    let required = schema.as_object_mut().map(|schema| schema.entry("required").or_insert(json!([])));
    if let Some(Value::Array(required)) = required
        && !required.iter().any(|name| name == member)
    {
        required.insert(0, member.into());
    }
}

/// Says of a schema that it is of an older time, if it is there.
pub(crate) fn deprecate(schema: Option<&mut Value>) {
    if let Some(schema) = schema {
        schema["deprecated"] = true.into();
    }
}

/// The reference to a definition.
pub(crate) fn reference(definition: &str) -> Value {
    json!({"$ref": format!("#/$defs/{definition}")})
}

/// A tag as a word of a type's name: `text_chunk` as `TextChunk`, `tool.started` as `ToolStarted`.
pub(crate) fn pascal(tag: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    tag.split(['_', '.']).map(word).collect()
}

/// The schema of a union that is a member of something.
pub(crate) fn union_of(doc: &str, references: impl Iterator<Item = Value>) -> Schema {
    json_schema!({"description": doc, "oneOf": references.collect::<Vec<_>>()})
}

/// The open schema of a union of events: a known event, or one whose tag is not known.
pub(crate) fn open_union(
    known: &[Value],
    tag: &str,
    names: &[&str],
    unknown: &str,
    definitions: &mut Map<String, Value>,
) -> Value {
    definitions.insert(
        unknown.into(),
        json!({
            "type": "object",
            "description": "An event whose type this version does not know. A malformed known event is not one.",
            "properties": {tag: {"type": "string", "minLength": 1, "not": {"enum": names}, "description": "The type."}},
            "required": [tag],
            "additionalProperties": true,
            "examples": [format!("{{\"{tag}\":\"something-new\"}}")],
        }),
    );
    let mut branches = known.to_vec();
    branches.push(reference(unknown));
    json!({"anyOf": branches})
}

/// The closed schema of a union.
pub(crate) fn closed_union(known: &[Value]) -> Value {
    json!({"oneOf": known})
}
