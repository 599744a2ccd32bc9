//! The schemas of Lime.

use serde_json::{Map, Value, json};

use super::scope::{Need, SCOPE_ROWS};
use super::{CapabilityManifest, Event, EventClass, Fixture, ReadModel, StateDelta};
use crate::wire::schema::{SchemaFile, closed_union, definitions, file, file_of, generator};

pub(crate) fn files() -> Vec<SchemaFile> {
    vec![
        file_of::<Event>("lime/v0.1/event.schema.json"),
        known_event(),
        file_of::<StateDelta>("lime/v0.1/state-delta.schema.json"),
        file_of::<Fixture>("lime/v0.1/fixture.schema.json"),
        file_of::<ReadModel>("lime/v0.1/read-model.schema.json"),
        file_of::<CapabilityManifest>("lime/v0.1/capability-manifest.schema.json"),
    ]
}

/// One definition a class, with what the class demands; for code generators.
fn known_event() -> SchemaFile {
    let mut generator = generator();
    generator.subschema_for::<Event>();
    let event = definitions(&mut generator).remove("LimeEvent").unwrap_or_default();
    let mut definitions = Map::new();
    let mut branches = Vec::new();
    for class in EventClass::KNOWN {
        let name = definition_name(class);
        branches.push(json!({"$ref": format!("#/$defs/{name}")}));
        definitions.insert(name, of_class(&event, class));
    }
    let mut unclassified = bare(&event);
    unclassified["description"] = "An event without a class.".into();
    unclassified["properties"]["eventClass"] = false.into();
    branches.push(json!({"$ref": "#/$defs/LimeUnclassifiedEvent"}));
    definitions.insert("LimeUnclassifiedEvent".into(), unclassified);
    file(
        "lime/v0.1/known-event.schema.json",
        "LimeKnownEvent",
        "An event of a class that Lime names, with the ids that its class demands. For code generators: classes are open, so validate with event.schema.json.",
        closed_union(&branches),
        definitions,
    )
}

/// `tool.catalog.resolved` as `LimeToolCatalogResolvedEvent`.
fn definition_name(class: &str) -> String {
    let words = class.split('.').map(|word| word[..1].to_ascii_uppercase() + &word[1..]);
    format!("Lime{}Event", words.collect::<String>())
}

/// The event's schema without prose, since every class repeats it, and without `not`.
fn bare(event: &Value) -> Value {
    let mut schema = event.clone();
    for member in schema["properties"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(member) = member.as_object_mut() {
            member.remove("description");
            member.remove("not");
        }
    }
    schema
}

fn of_class(event: &Value, class: &str) -> Value {
    let mut schema = bare(event);
    schema["description"] = format!("An event of class `{class}`.").into();
    schema["properties"]["eventClass"] = json!({"type": "string", "const": class});
    require(&mut schema, "eventClass");
    for row in SCOPE_ROWS.iter().filter(|row| row.applies.to(class)) {
        // Alternatives have no form that code generators take in.
        let [need] = row.any_of else { continue };
        match need.member().split_once('.') {
            None => require(&mut schema, need.member()),
            Some((parent, member)) => {
                let parent_schema = &mut schema["properties"][parent];
                let form = match need {
                    Need::Integer(..) => json!({"type": "integer"}),
                    Need::Filled(..) => json!({"type": "string", "minLength": 1}),
                    _ => json!({"type": "string"}),
                };
                if parent_schema.get("properties").is_none() {
                    parent_schema["properties"] = json!({});
                }
                parent_schema["properties"][member] = form;
                require(parent_schema, member);
                require(&mut schema, parent);
            }
        }
    }
    schema
}

fn require(schema: &mut Value, member: &str) {
    let required = schema.as_object_mut().map(|schema| schema.entry("required").or_insert(json!([])));
    if let Some(Value::Array(required)) = required
        && !required.iter().any(|name| name == member)
    {
        required.push(member.into());
    }
}
