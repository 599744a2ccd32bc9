//! The keywords that the comparison knows.

use serde_json::{Map, Value};

use super::kinds::Types;

/// The keywords of one schema.
pub(super) type Members = Map<String, Value>;

/// What a keyword does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It says nothing about what is valid.
    Note,
    /// It leads to other schemas for the same value.
    Link,
    /// It narrows what is valid.
    Constraint,
}

/// What a keyword holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Schema,
    Schemas,
    Named,
    Text,
    Texts,
    Types,
    Values,
    Number,
    Flag,
    Anything,
}

/// Each keyword. Definitions are no part of a comparison of values, and all others are not known.
const KEYWORDS: &[(&str, Role, Holds)] = &[
    ("$id", Role::Note, Holds::Text),
    ("$comment", Role::Note, Holds::Text),
    ("title", Role::Note, Holds::Text),
    ("description", Role::Note, Holds::Text),
    ("examples", Role::Note, Holds::Values),
    ("deprecated", Role::Note, Holds::Flag),
    ("default", Role::Note, Holds::Anything),
    ("$ref", Role::Link, Holds::Text),
    ("anyOf", Role::Link, Holds::Schemas),
    ("oneOf", Role::Link, Holds::Schemas),
    ("allOf", Role::Link, Holds::Schemas),
    ("type", Role::Constraint, Holds::Types),
    ("const", Role::Constraint, Holds::Anything),
    ("enum", Role::Constraint, Holds::Values),
    ("not", Role::Constraint, Holds::Schema),
    ("properties", Role::Constraint, Holds::Named),
    ("required", Role::Constraint, Holds::Texts),
    ("additionalProperties", Role::Constraint, Holds::Schema),
    ("items", Role::Constraint, Holds::Schema),
    ("pattern", Role::Constraint, Holds::Text),
    ("minLength", Role::Constraint, Holds::Number),
    ("maxLength", Role::Constraint, Holds::Number),
    ("minItems", Role::Constraint, Holds::Number),
    ("maxItems", Role::Constraint, Holds::Number),
    ("minProperties", Role::Constraint, Holds::Number),
    ("maxProperties", Role::Constraint, Holds::Number),
    ("minimum", Role::Constraint, Holds::Number),
    ("maximum", Role::Constraint, Holds::Number),
    ("exclusiveMinimum", Role::Constraint, Holds::Number),
    ("exclusiveMaximum", Role::Constraint, Holds::Number),
];

/// The keywords of definitions, the one of the newest draft first.
pub(super) const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// What a schema says of members that it does not name. Where no other schema holds for the same value,
/// `unevaluatedProperties` says the same as `additionalProperties`.
pub(super) fn others(members: &Members) -> Option<&Value> {
    let is_alone = || !members.keys().any(|keyword| role(keyword) == Some(Role::Link));
    members.get("additionalProperties").or_else(|| members.get(UNEVALUATED).filter(|_| is_alone()))
}

/// The keyword that is known only where no other schema holds for the same value.
pub(super) const UNEVALUATED: &str = "unevaluatedProperties";

/// What a keyword does; `None` if it is not known.
pub(super) fn role(name: &str) -> Option<Role> {
    KEYWORDS.iter().find(|(known, ..)| *known == name).map(|(_, role, _)| *role)
}

/// What a keyword holds; `None` if it is not known.
pub(super) fn holds(name: &str) -> Option<Holds> {
    KEYWORDS.iter().find(|(known, ..)| *known == name).map(|(_, _, holds)| *holds)
}

/// Whether a schema takes any value, and says so in the shortest way, apart from notes.
pub(super) fn takes_anything(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.keys().all(|name| role(name) == Some(Role::Note)),
        schema => *schema == Value::Bool(true),
    }
}

impl Holds {
    /// What a keyword should hold, if it holds something else.
    pub(super) fn missed(self, value: &Value) -> Option<&'static str> {
        let each = |is: fn(&Value) -> bool| value.as_array().is_some_and(|list| list.iter().all(is));
        let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
        let is_type = |name: &Value| name.as_str().is_some_and(|name| Types::named(name).is_some());
        let (held, expected) = match self {
            Self::Schema => (is_schema(value), "a schema"),
            Self::Schemas => (each(is_schema) && !is_empty(value), "a list of schemas"),
            Self::Named => {
                (value.as_object().is_some_and(|named| named.values().all(is_schema)), "an object of schemas")
            }
            Self::Text => (value.is_string(), "text"),
            Self::Texts => (each(Value::is_string), "a list of texts"),
            Self::Types => (is_type(value) || each(is_type), "a type, or a list of types"),
            Self::Values => (value.is_array(), "a list"),
            Self::Number => (value.is_number(), "a number"),
            Self::Flag => (value.is_boolean(), "true or false"),
            Self::Anything => (true, "a value"),
        };
        (!held).then_some(expected)
    }

    /// The schemas that a keyword holds, and the names of those that have one.
    pub(super) fn schemas(self, value: &Value) -> Vec<(Option<&str>, &Value)> {
        match (self, value) {
            (Self::Schema, schema) => vec![(None, schema)],
            (Self::Schemas, Value::Array(list)) => list.iter().map(|schema| (None, schema)).collect(),
            (Self::Named, Value::Object(named)) => {
                named.iter().map(|(name, schema)| (Some(name.as_str()), schema)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}
