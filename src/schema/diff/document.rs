//! A schema that was read, and where its references lead.

use std::collections::HashSet;
use std::fmt;

use serde_json::Value;

use super::keywords::{DEFINITIONS, Holds, Members, holds};
use super::text::cut;

/// A JSON Schema 2020-12 that can be compared.
///
/// Its references lead to definitions of its own: `#/$defs/NAME`, or `#` for the root. Definitions of older drafts,
/// `#/definitions/NAME`, are read as well.
///
/// Since 0.1.0.
#[derive(Clone, Debug)]
pub struct Schema {
    root: Value,
}

/// Why a text is no schema that can be compared.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// It is not JSON, or nested more deeply than 127 levels.
    #[error("not JSON that can be read: {0}")]
    NotJson(String),
    /// It is JSON, but no object: `true` and `false` are not compared.
    #[error("no JSON Schema that can be compared: the root is not an object")]
    NotAnObject,
    /// A keyword holds something that JSON Schema does not allow.
    #[error("{place}: `{keyword}` is not {expected}")]
    Keyword {
        /// The schema, as a path from the root.
        place: String,
        /// The keyword.
        keyword: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// A reference does not lead to a definition of the file.
    #[error(
        "{place}: `$ref` leads to {target}, and this file has no such definition (`#/$defs/NAME` or `#/definitions/NAME`)"
    )]
    Reference {
        /// The schema, as a path from the root.
        place: String,
        /// What it refers to.
        target: String,
    },
    /// A definition is nothing but a reference that comes back to it.
    #[error("{definition} refers to itself, and the value is never described")]
    Circle {
        /// The definition.
        definition: String,
    },
}

/// The name of a definition, or the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Name<'a> {
    Root,
    Definition(&'a str),
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("the root"),
            Self::Definition(name) => f.write_str(&cut(name)),
        }
    }
}

/// Takes nothing: what stands for a definition that is not there.
static NOTHING: Value = Value::Bool(false);

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// When the text is not JSON, a keyword holds what JSON Schema does not allow, or a
    /// reference leads nowhere.
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let root = serde_json::from_str(text).map_err(|error| SchemaError::NotJson(error.to_string()))?;
        let schema = Self { root };
        schema.look_over()?;
        match schema.circle() {
            Some(name) => Err(SchemaError::Circle { definition: name.to_string() }),
            None => Ok(schema),
        }
    }

    /// The title of the root, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.root.get("title").and_then(Value::as_str)
    }

    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    /// The definitions; of two with one name the one of the newer keyword.
    fn definitions(&self) -> impl Iterator<Item = &Members> {
        DEFINITIONS.iter().filter_map(|keyword| self.root.get(*keyword)?.as_object())
    }

    /// The root, then the definitions in the order of their names.
    pub(super) fn names(&self) -> Vec<Name<'_>> {
        let mut names: Vec<Name<'_>> =
            self.definitions().flat_map(Members::keys).map(|name| Name::Definition(name)).collect();
        names.push(Name::Root);
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The definition of that name, which another schema may have given.
    pub(super) fn get(&self, name: Name<'_>) -> Option<&Value> {
        match name {
            Name::Root => Some(&self.root),
            Name::Definition(name) => self.definitions().find_map(|definitions| definitions.get(name)),
        }
    }

    /// The definition of a name of this schema.
    pub(super) fn definition(&self, name: Name<'_>) -> &Value {
        self.get(name).unwrap_or(&NOTHING)
    }

    /// Where a reference leads.
    pub(super) fn target(&self, reference: &str) -> Option<Name<'_>> {
        if reference == "#" {
            return Some(Name::Root);
        }
        let (keyword, name) =
            reference.strip_prefix("#/")?.split_once('/').filter(|(keyword, _)| DEFINITIONS.contains(keyword))?;
        let definitions = self.root.get(keyword)?.as_object()?;
        let (name, _) = definitions.get_key_value(&name.replace("~1", "/").replace("~0", "~"))?;
        Some(Name::Definition(name))
    }

    fn look_over(&self) -> Result<(), SchemaError> {
        if !self.root.is_object() {
            return Err(SchemaError::NotAnObject);
        }
        let mut pending = vec![(String::from("#"), &self.root)];
        for keyword in DEFINITIONS {
            let Some(definitions) = self.root.get(keyword) else { continue };
            add(&mut pending, "#", keyword, Holds::Named, definitions)?;
        }
        while let Some((place, schema)) = pending.pop() {
            let Value::Object(members) = schema else { continue };
            for (keyword, value) in members {
                let Some(holds) = holds(keyword) else { continue };
                add(&mut pending, &place, keyword, holds, value)?;
                if keyword == "$ref" && value.as_str().is_none_or(|reference| self.target(reference).is_none()) {
                    let target = cut(value.as_str().unwrap_or_default());
                    return Err(SchemaError::Reference { place, target });
                }
            }
        }
        Ok(())
    }

    /// The definitions to which a definition leads for the same value.
    fn links<'a>(&'a self, name: Name<'_>) -> Vec<Name<'a>> {
        let mut found = Vec::new();
        let mut pending = vec![self.definition(name)];
        while let Some(schema) = pending.pop() {
            found.extend(schema.get("$ref").and_then(Value::as_str).and_then(|reference| self.target(reference)));
            for link in ["anyOf", "oneOf", "allOf"] {
                pending.extend(schema.get(link).and_then(Value::as_array).into_iter().flatten());
            }
        }
        found
    }

    /// A definition that leads back to itself for the same value.
    fn circle(&self) -> Option<Name<'_>> {
        let mut done = HashSet::new();
        for start in self.names() {
            let mut open = HashSet::from([start]);
            let mut path = vec![(start, self.links(start))];
            while let Some((name, links)) = path.last_mut() {
                let (name, next) = (*name, links.pop());
                let Some(next) = next else {
                    open.remove(&name);
                    done.insert(name);
                    path.pop();
                    continue;
                };
                if open.contains(&next) {
                    return Some(next);
                }
                if !done.contains(&next) {
                    open.insert(next);
                    path.push((next, self.links(next)));
                }
            }
        }
        None
    }
}

/// Adds the schemas that a keyword holds, with the places where they stand.
fn add<'a>(
    pending: &mut Vec<(String, &'a Value)>,
    place: &str,
    keyword: &str,
    holds: Holds,
    value: &'a Value,
) -> Result<(), SchemaError> {
    if let Some(expected) = holds.missed(value) {
        return Err(SchemaError::Keyword { place: place.to_owned(), keyword: keyword.to_owned(), expected });
    }
    for (name, schema) in holds.schemas(value) {
        let name = name.map(|name| format!("/{}", cut(name))).unwrap_or_default();
        pending.push((format!("{place}/{keyword}{name}"), schema));
    }
    Ok(())
}
