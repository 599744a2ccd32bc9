//! What the published schemas say to people, validators and code generators.
#![cfg(feature = "schema")]

mod common;

use agent_contracts::schema;
use common::Failures;
use serde_json::Value;

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
