//! Keywords that say nothing about what is valid, and those of which nothing is known.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::branch::constrains;
use super::change::{Found, Place};
use super::comparison::Comparison;
use super::keywords::{DEFINITIONS, Members, UNEVALUATED, others, role};
use super::rule::ChangeRule;
use super::rules;
use super::text::{cut, json, list, turned};

/// The notes that are more than prose.
const NOTES: [(&str, &ChangeRule); 4] = [
    ("title", &rules::TITLE_CHANGED),
    ("$id", &rules::ID_CHANGED),
    ("default", &rules::DEFAULT_CHANGED),
    ("deprecated", &rules::DEPRECATION_CHANGED),
];

const PROSE: [&str; 3] = ["description", "examples", "$comment"];

impl<'a> Comparison<'a> {
    /// Compares the notes of two schemas, and the keywords that are not known.
    pub(super) fn notes(&mut self, place: &Place<'a>, old: &'a Value, new: &'a Value) {
        for (keyword, rule) in NOTES {
            let (before, after) = (notes(old, keyword), notes(new, keyword));
            if before != after {
                let message = turned(&format!("`{keyword}`"), before.first(), after.first());
                let told = |notes: Vec<&Value>| (!notes.is_empty()).then(|| list(notes));
                self.emit(Found::new(place, rule, message).was(told(before)).is(told(after)));
            }
        }
        let differing = PROSE.iter().filter(|keyword| notes(old, keyword) != notes(new, keyword));
        let differing: Vec<String> = differing.map(|keyword| format!("`{keyword}`")).collect();
        if !differing.is_empty() {
            let message = format!("the prose is another: {}", differing.join(", "));
            self.say(place, &rules::DOCUMENTATION_CHANGED, message);
        }
        let (old, new): (Vec<_>, Vec<_>) =
            (old.as_object().into_iter().collect(), new.as_object().into_iter().collect());
        self.unknown(place, &old, &new);
        for link in ["anyOf", "oneOf", "allOf"] {
            let (old, new) = (beside_references(&old, link), beside_references(&new, link));
            for (reference, old) in old {
                if let Some(new) = new.get(reference) {
                    self.unknown(place, &old, new);
                }
            }
        }
    }

    /// Compares keywords that are not known.
    pub(super) fn unknown(&mut self, place: &Place<'a>, old: &[&'a Members], new: &[&'a Members]) {
        let (old, new) = (self.unknown_of(old), self.unknown_of(new));
        let keywords: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
        for keyword in keywords {
            let (before, after) = (old.get(keyword).copied(), new.get(keyword).copied());
            if before != after {
                self.keyword(place, keyword, before, after);
            }
        }
    }

    /// The keywords that are not known. The definitions of the file are compared by themselves.
    fn unknown_of(&self, layers: &[&'a Members]) -> BTreeMap<&'a str, &'a Value> {
        let roots = [self.old.root().as_object(), self.new.root().as_object()];
        let is_root = |layer: &Members| roots.into_iter().flatten().any(|root| std::ptr::eq(root, layer));
        let keywords = layers.iter().flat_map(|layer| layer.iter().map(move |(name, value)| (*layer, name, value)));
        // Beside `const`, an `enum` is not looked at.
        let is_unknown = |layer: &Members, name: &str, value: &Value| match name {
            UNEVALUATED => others(layer).is_none_or(|others| !std::ptr::eq(others, value)),
            name if DEFINITIONS.contains(&name) => !is_root(layer),
            name => role(name).is_none() || (name == "enum" && layer.contains_key("const")),
        };
        let unknown = keywords.filter(|(layer, name, value)| is_unknown(layer, name, value));
        unknown.map(|(_, name, value)| (name.as_str(), value)).collect()
    }

    /// Reports a keyword whose meaning is not known.
    pub(super) fn keyword(&mut self, place: &Place<'a>, keyword: &str, old: Option<&Value>, new: Option<&Value>) {
        let message = turned(&format!("`{}`", cut(keyword)), old, new);
        let found = Found::new(place, &rules::KEYWORD_CHANGED, message);
        self.emit(found.was(old.map(json)).is(new.map(json)));
    }
}

/// The branches that refer to a definition, by what they refer to, if what stands beside that narrows nothing, as far as
/// is known: they are read as that definition.
fn beside_references<'a>(schema: &[&'a Members], link: &str) -> BTreeMap<&'a str, Vec<&'a Members>> {
    let lists = schema.iter().filter_map(|members| members.get(link)?.as_array());
    let mut found: BTreeMap<&str, Vec<&Members>> = BTreeMap::new();
    for members in lists.flatten().filter_map(Value::as_object).filter(|members| !constrains(members)) {
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            found.entry(reference).or_default().push(members);
        }
    }
    found
}

/// What a keyword says in a schema and in the branches that are written in it.
fn notes<'a>(schema: &'a Value, keyword: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        found.extend(schema.get(keyword));
        for link in ["anyOf", "oneOf"] {
            pending.extend(schema.get(link).and_then(Value::as_array).into_iter().flatten());
        }
    }
    found
}
