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
    let mut seen = Types::empty();
    branches.iter().all(|branch| {
        let types = schema.types(std::slice::from_ref(branch));
        let is_new = !seen.intersects(types);
        seen |= types;
        is_new
    })
}

/// The keywords of a schema as code generators see them, without what is compared by itself.
pub(super) fn notation(schema: &Value) -> Vec<String> {
    let Value::Object(members) = schema else { return vec![schema.to_string()] };
    let mut found = Vec::new();
    for (keyword, value) in members {
        let says_form = matches!(role(keyword), Some(Role::Link | Role::Constraint));
        if !says_form || matches!(keyword.as_str(), "properties" | "required") {
            continue;
        }
        found.push(match (keyword.as_str(), value) {
            ("type", Value::Array(types)) => {
                let mut types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
                types.sort_unstable();
                format!("type {types:?}")
            }
            ("type" | "additionalProperties", Value::String(_) | Value::Bool(_)) => format!("{keyword} {value}"),
            ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => {
                let mut branches: Vec<_> = branches.iter().map(notation).collect();
                branches.sort_unstable();
                format!("{keyword} {branches:?}")
            }
            _ => keyword.clone(),
        });
    }
    found
}
