//! What the published schemas say to people, validators and code generators.
#![cfg(feature = "published")]

use std::collections::BTreeMap;

use crate::common::Failures;
use agent_contracts::schema;
use jsonschema::Validator;
use serde_json::{Value, json};

/// The files by path, parsed.
fn schemas() -> Vec<(&'static str, Value)> {
    schema::files().into_iter().map(|file| (file.path, serde_json::from_str(&file.text).unwrap())).collect()
}

/// Calls `visit` for every schema of a file, with its place.
fn each_schema(schema: &Value, place: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(place, schema);
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let place = format!("{place}/{keyword}");
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.iter().for_each(|(name, schema)| each_schema(schema, &format!("{place}/{name}"), visit));
            }
            ("oneOf" | "anyOf" | "allOf", Value::Array(list)) => {
                list.iter().enumerate().for_each(|(at, schema)| each_schema(schema, &format!("{place}/{at}"), visit));
            }
            ("items" | "not", schema) => each_schema(schema, &place, visit),
            _ => {}
        }
    }
}

/// The definitions or members of a schema.
fn named<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
}

#[test]
fn every_definition_and_every_member_is_described() {
    let mut failures = Failures::default();
    for (path, file) in schemas() {
        each_schema(&file, path, &mut |place, schema| {
            for (name, schema) in named(schema, "$defs").chain(named(schema, "properties")) {
                let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
                failures.check(!description.is_empty(), || format!("{place}: {name} is not described"));
                let of_rust = ["Since 0", "::", "[`", "```"].iter().find(|word| description.contains(**word));
                failures.check(of_rust.is_none(), || format!("{place}: {name} is described by {of_rust:?}"));
            }
        });
    }
    failures.finish(4000);
}

/// The keywords that validators in their strictest mode and code generators know.
const KEYWORDS: &[&str] = &[
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "$ref",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "type",
    "const",
    "enum",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "minLength",
    "pattern",
    "minimum",
    "maximum",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
];

/// Keywords with the type that has to stand beside them.
const OF_TYPE: &[(&str, &[&str])] = &[
    ("minimum", &["number", "integer"]),
    ("maximum", &["number", "integer"]),
    ("minLength", &["string"]),
    ("pattern", &["string"]),
    ("items", &["array"]),
    ("minItems", &["array"]),
    ("properties", &["object"]),
    ("required", &["object"]),
    ("additionalProperties", &["object"]),
];

/// The one type that a schema allows, apart from null.
fn type_of(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::Array(types) if types.len() == 2 && types[1] == "null" => types[0].as_str(),
        kind => kind.as_str(),
    }
}

#[test]
fn strict_validators_and_code_generators_take_every_schema() {
    let mut failures = Failures::default();
    for (path, file) in schemas() {
        let closed = path.ends_with("known-event.schema.json") || path.ends_with("tool-event.schema.json");
        each_schema(&file, path, &mut |place, schema| {
            failures.check(schema.is_object(), || format!("{place}: a boolean is no type"));
            for keyword in schema.as_object().into_iter().flat_map(serde_json::Map::keys) {
                failures.check(KEYWORDS.contains(&keyword.as_str()), || format!("{place}: {keyword} is not standard"));
                let one_type = keyword != "type" || type_of(schema).is_some();
                failures.check(one_type, || format!("{place}: a list of types"));
                failures.check(!(closed && keyword == "not"), || format!("{place}: not is no type"));
            }
            // What is below `not` is of the type of what stands above it.
            for (keyword, types) in OF_TYPE.iter().filter(|_| !place.contains("/not")) {
                let fits = schema.get(*keyword).is_none() || type_of(schema).is_some_and(|kind| types.contains(&kind));
                failures.check(fits, || format!("{place}: {keyword} stands beside another type"));
            }
            let bare = schema.get("$ref").is_none() || schema.as_object().is_some_and(|schema| schema.len() == 1);
            failures.check(bare || place == path, || format!("{place}: something stands beside a reference"));
            for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
                let member = name.as_str().unwrap_or_default();
                let named = schema["properties"].get(member).is_some();
                failures.check(named, || format!("{place}: {member} is required and has no schema"));
            }
        });
    }
    failures.finish(10_000);
}

/// What the names of a folder's types begin with.
const PREFIXES: &[(&str, &str)] = &[
    ("agui/", "Agui"),
    ("social-app/2026-03-17/", "SocialAppV0"),
    ("social-app/", "SocialApp"),
    ("ubik/", "Ubik"),
    ("polling/", "Polling"),
    ("lime/", "Lime"),
    ("report/", "CheckReport"),
];

/// Code generators make types of titles and definitions, and a project takes in several files.
#[test]
fn a_name_means_one_thing() {
    let mut failures = Failures::default();
    let mut meanings: BTreeMap<String, (&str, Value)> = BTreeMap::new();
    for (path, file) in schemas() {
        let (_, prefix) = PREFIXES.iter().find(|(folder, _)| path.starts_with(folder)).unwrap();
        let title = file["title"].as_str().unwrap().to_owned();
        let mut root = file.clone();
        let definitions = root.as_object_mut().unwrap().remove("$defs").unwrap_or_default();
        for keyword in ["$schema", "$id", "$comment", "title"] {
            root.as_object_mut().unwrap().remove(keyword);
        }
        let of_itself = root["$ref"] == format!("#/$defs/{title}");
        let root = Some((title, root)).filter(|_| !of_itself);
        let definitions = definitions.as_object().cloned().unwrap_or_default();
        for (name, mut schema) in definitions.into_iter().chain(root) {
            failures.check(name.starts_with(prefix), || format!("{path}: {name} does not begin with {prefix}"));
            // What is the root of a file has an example there.
            schema.as_object_mut().unwrap().remove("examples");
            let (elsewhere, meaning) = meanings.entry(name.clone()).or_insert_with(|| (path, schema.clone()));
            failures.check(*meaning == schema, || format!("{name} is something else in {elsewhere} than in {path}"));
        }
    }
    failures.finish(900);
}

/// What a schema of a file accepts; `definition` is empty for its root.
fn validator(file: &Value, definition: &str) -> Validator {
    if definition.is_empty() {
        return jsonschema::validator_for(file).unwrap();
    }
    let reference = format!("#/$defs/{definition}");
    jsonschema::validator_for(&json!({"$defs": file["$defs"], "$ref": reference})).unwrap()
}

/// The definitions of a file that describe a whole event: those with a tag of their own.
fn events(file: &Value) -> impl Iterator<Item = (&String, &Value)> {
    named(file, "$defs").filter(|(name, _)| name.ends_with("Event") || name.ends_with("Frame"))
}

#[test]
fn examples_fit_the_schemas_that_they_stand_in() {
    let mut failures = Failures::default();
    for (path, file) in schemas() {
        let root = validator(&file, "");
        for (name, schema) in named(&file, "$defs").chain([(&String::new(), &file)]) {
            let Some(examples) = schema.get("examples").and_then(Value::as_array) else { continue };
            let validator = validator(&file, name);
            for example in examples {
                failures.check(validator.is_valid(example), || format!("{path}, {name}: {example}"));
                failures.check(root.is_valid(example), || format!("{path}: the root refuses the example of {name}"));
            }
        }
    }
    failures.finish(650);
}

/// Of known and unknown events, and of documents.
#[test]
fn every_event_and_every_document_has_an_example() {
    let mut failures = Failures::default();
    for (path, file) in schemas() {
        let count = |schema: &Value| schema.get("examples").and_then(Value::as_array).map_or(0, Vec::len);
        let is_union = path.ends_with("event.schema.json") && file.get("properties").is_none();
        if !is_union {
            failures.check(count(&file) == 1, || format!("{path} has no example"));
            continue;
        }
        for (name, schema) in events(&file) {
            failures.check(count(schema) == 1, || format!("{path}: {name} has no example"));
        }
    }
    failures.finish(330);
}
