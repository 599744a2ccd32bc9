//! The published schemas of social-app, one set for each version of its contract.

use serde_json::{Map, Value};

use super::events::{Event, EventType, HistoryResponse};
use super::facts::{V0_ANSWER, member_of, usage_members};
use crate::wire::published::SchemaFile;
use crate::wire::schema::{add_examples, closed_union, definitions, deprecate, file, file_of, generator, open_union};

/// Examples: an event of each type, and documents.
const EVENTS: &str = include_str!("examples/events.jsonl");
/// What v0 sends otherwise.
const V0_EVENTS: &str = include_str!("examples/events-v0.jsonl");
const DOCUMENTS: &str = include_str!("examples/documents.jsonl");

/// The definition of the answer of a run.
const ANSWER: &str = "SocialAppTextMessageEndEvent";

pub(crate) fn files() -> Vec<SchemaFile> {
    let (branches, mut defs) = events();
    let mut old = v0(&defs);
    for lines in [V0_EVENTS, EVENTS] {
        add_examples(&mut old, "type", lines);
    }
    add_examples(&mut defs, "type", EVENTS);
    for member in V0_ANSWER.iter().filter_map(|slot| member_of(*slot)) {
        deprecate(defs.get_mut(ANSWER).and_then(|answer| answer["properties"].get_mut(member)));
    }
    let names: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
    let mut open_defs = defs.clone();
    let open = open_union(&branches, "type", &names, "SocialAppUnknownEvent", &mut open_defs);
    vec![
        file(
            "social-app/2026-04-24/event.schema.json",
            "SocialAppEvent",
            "An event of social-app, or one of a type that it does not know.",
            open,
            open_defs,
        ),
        file(
            "social-app/2026-04-24/known-event.schema.json",
            "SocialAppKnownEvent",
            "An event of social-app as v1 sends it, or v0, whose members it keeps.",
            closed_union(&branches),
            defs,
        ),
        file(
            "social-app/2026-03-17/known-event.schema.json",
            "SocialAppV0KnownEvent",
            "An event of social-app as v0 sends it.",
            closed_union(&branches.iter().map(renamed).collect::<Vec<_>>()),
            old,
        ),
        file_of::<HistoryResponse>("social-app/2026-04-24/history-response.schema.json", DOCUMENTS),
    ]
}

fn events() -> (Vec<Value>, Map<String, Value>) {
    let mut generator = generator();
    let branches = Event::branches(&mut generator).into_iter().map(|branch| branch.reference).collect();
    (branches, definitions(&mut generator))
}

/// The definitions as v0 has them: a result is text, and what v1 has added is not there.
#[expect(clippy::indexing_slicing, reason = "both definitions are of types of this crate, so they are there")]
fn v0(definitions: &Map<String, Value>) -> Map<String, Value> {
    let mut definitions = definitions.clone();
    for (definition, added) in
        [("SocialAppToolCallResultEvent", vec!["ui_schema"]), (ANSWER, usage_members().collect())]
    {
        if let Some(properties) = definitions[definition]["properties"].as_object_mut() {
            properties.retain(|name, _| !added.contains(&name.as_str()));
            if let Some(Value::Object(result)) = properties.get_mut("result") {
                result.remove("anyOf");
                result.insert("type".into(), "string".into());
            }
        }
    }
    definitions.into_iter().map(|(name, definition)| (of_v0(&name), renamed(&definition))).collect()
}

/// The name in v0: who generates code from both versions has types of both.
fn of_v0(name: &str) -> String {
    name.replacen("SocialApp", "SocialAppV0", 1)
}

/// A schema whose references are to the names of v0.
fn renamed(schema: &Value) -> Value {
    match schema {
        Value::String(text) if text.starts_with("#/$defs/") => of_v0(text).into(),
        Value::Array(items) => items.iter().map(renamed).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), renamed(value))).collect(),
        other => other.clone(),
    }
}
