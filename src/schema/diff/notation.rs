//! How a schema is written, apart from what it accepts.

use serde_json::Value;

use super::branch::Branch;
use super::document::Schema;
use super::keywords::{Role, role};
use super::kinds::Types;
use super::tags::{tag_of, tag_values};

/// The keyword of a union.
pub(super) fn union_of(schema: &Value) -> Option<&'static str> {
    ["anyOf", "oneOf"].into_iter().find(|keyword| schema.get(keyword).is_some())
}

/// Whether no value fits two of the branches.
pub(super) fn is_told_apart<'a>(schema: &'a Schema, branches: &[Branch<'a>]) -> bool {
    if let Some(tag) = tag_of([(schema, branches), (schema, branches)]) {
        return branches.iter().all(|branch| !tag_values(schema, branch, tag).is_empty());
    }
    let (mut seen, mut known) = (Types::empty(), Schema::nothing_known());
    branches.iter().all(|branch| {
        let types = schema.types(std::slice::from_ref(branch), &mut known);
        let is_new = !seen.intersects(types);
        seen |= types;
        is_new
    })
}

/// The keywords of a schema as code generators see them, each with what its branches say.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Notation(Vec<(String, Vec<Notation>)>);

/// How a schema is written, without what is compared by itself.
pub(super) fn notation(schema: &Value) -> Notation {
    let Value::Object(members) = schema else { return Notation(vec![(schema.to_string(), Vec::new())]) };
    let mut found = Vec::new();
    for (keyword, value) in members {
        let says_form = matches!(role(keyword), Some(Role::Link | Role::Constraint));
        if !says_form || matches!(keyword.as_str(), "properties" | "required") {
            continue;
        }
        let mut of_branches = Vec::new();
        let text = match (keyword.as_str(), value) {
            ("type", Value::Array(types)) => {
                let mut types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
                types.sort_unstable();
                format!("type {types:?}")
            }
            ("type" | "additionalProperties", Value::String(_) | Value::Bool(_)) => format!("{keyword} {value}"),
            ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => {
                of_branches.extend(branches.iter().map(notation));
                of_branches.sort_unstable();
                keyword.clone()
            }
            _ => keyword.clone(),
        };
        found.push((text, of_branches));
    }
    Notation(found)
}
