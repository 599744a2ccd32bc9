//! The member that tells the branches of a union apart.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::branch::{Branch, listed};
use super::document::Schema;
use super::keywords::{Members, others, takes_anything};
use super::kinds::Types;

/// The member that tells the branches apart: in each version, most of them ask for it and give
/// it values that no other branch has. `None` where no version has two such branches.
pub(super) fn tag_of<'a>(sides: [(&'a Schema, &[Branch<'a>]); 2]) -> Option<&'a str> {
    if sides.iter().all(|(_, branches)| branches.len() < 2) {
        return None;
    }
    // How many branches a member tells apart; `None` if two of them have the same value.
    let mut told: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for (schema, branches) in sides {
        let mut seen = HashSet::new();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for schemas in branches.iter().filter_map(|branch| schema.conjuncts(branch)) {
            let named = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object());
            let names: BTreeSet<&str> = named.flat_map(|members| members.keys().map(String::as_str)).collect();
            for member in names {
                let values = constants(&schemas, member);
                if !values.is_empty() {
                    *counts.entry(member).or_default() += 1;
                }
                if values.into_iter().any(|value| !seen.insert((member, value))) {
                    told.insert(member, None);
                }
            }
        }
        for (member, count) in counts {
            let most = told.entry(member).or_insert(Some(0));
            *most = most.map(|most| most.max(count));
        }
    }
    let apart = told.into_iter().filter_map(|(member, count)| Some((count?, member))).filter(|(count, _)| *count > 1);
    // The first of equals.
    apart.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, member)| member)
}

/// The values of the tag by which a branch is told; none if it is not.
pub(super) fn tag_values<'a>(schema: &'a Schema, branch: &Branch<'a>, tag: &str) -> Vec<&'a str> {
    schema.conjuncts(branch).map(|schemas| constants(&schemas, tag)).unwrap_or_default()
}

/// Whether a branch takes objects whose tag has no constant value, such as one for unknown events.
pub(super) fn is_open<'a>(schema: &'a Schema, branches: &[Branch<'a>], tag: &str) -> bool {
    let mut known = Schema::nothing_known();
    let objects = branches
        .iter()
        .filter(|branch| schema.types(std::slice::from_ref(*branch), &mut known).intersects(Types::OBJECT));
    objects.filter_map(|branch| schema.conjuncts(branch)).any(|schemas| {
        let mut tags = schemas.iter().filter_map(|schema| member(schema, tag)).peekable();
        let is_closed = || schemas.iter().any(|schema| others(schema) == Some(&Value::Bool(false)));
        if tags.peek().is_none() { !is_closed() } else { tags.all(takes_others) }
    })
}

/// Whether the schema of a tag takes other values than constants and those of a pattern.
fn takes_others(tag: &Value) -> bool {
    const NARROWED: [&str; 7] = ["const", "enum", "pattern", "$ref", "anyOf", "oneOf", "allOf"];
    match tag {
        Value::Object(tag) => !NARROWED.iter().any(|keyword| tag.contains_key(*keyword)),
        tag => takes_anything(tag),
    }
}

/// The values of a member that is required and takes nothing but constant texts.
fn constants<'a>(schemas: &[&'a Members], name: &str) -> Vec<&'a str> {
    let mut required = schemas.iter().filter_map(|schema| schema.get("required")?.as_array()).flatten();
    if !required.any(|member| member == name) {
        return Vec::new();
    }
    let values = schemas.iter().filter_map(|schema| member(schema, name)?.as_object()).find_map(listed);
    values.unwrap_or_default().iter().map(Value::as_str).collect::<Option<_>>().unwrap_or_default()
}

/// The schema of a member.
fn member<'a>(schema: &'a Members, name: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(name)
}
