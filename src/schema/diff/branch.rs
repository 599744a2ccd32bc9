//! A schema as the ways in which a value can be valid.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::document::{Name, Schema};
use super::keywords::{Members, Role, role, takes_anything};
use super::kinds::Types;
use super::text::{json, list as list_of};

/// One way to be valid: what a definition says, or keywords that hold together.
#[derive(Clone, Debug)]
pub(super) struct Branch<'a> {
    /// The definition, where it is only referred to. [`Schema::expand`] looks into it.
    pub(super) name: Option<Name<'a>>,
    /// The definition that it was before.
    pub(super) origin: Option<Name<'a>>,
    /// Keywords. Where two layers have the same one, both say the same.
    pub(super) layers: Vec<&'a Members>,
    /// The values that an open list names.
    pub(super) known: Option<&'a [Value]>,
    /// Schemas that hold as well, and cannot be written as layers.
    pub(super) parts: Vec<Part<'a>>,
}

/// A schema that holds beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part<'a> {
    Reference(Name<'a>),
    Schema(&'a Value),
    Union(&'a [Value]),
}

impl Part<'_> {
    /// How messages call it.
    pub(super) fn text(self) -> String {
        match self {
            Self::Reference(name) => name.to_string(),
            Self::Schema(schema) => json(schema),
            Self::Union(list) => list_of(list),
        }
    }
}

/// What two branches have in common that take the same, as far as it is written out.
pub(super) type Key<'a> = (BTreeMap<&'a str, &'a Value>, Option<&'a [Value]>, Vec<Part<'a>>);

impl<'a> Branch<'a> {
    pub(super) fn of(layers: Vec<&'a Members>) -> Self {
        Self { name: None, origin: None, layers, known: None, parts: Vec::new() }
    }

    pub(super) fn reference(name: Name<'a>) -> Self {
        Self { name: Some(name), ..Self::of(Vec::new()) }
    }

    /// What a keyword says.
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| layer.get(keyword))
    }

    /// What a keyword says that holds an object.
    pub(super) fn object(&self, keyword: &str) -> Option<&'a Members> {
        self.get(keyword).and_then(Value::as_object)
    }

    /// The names of the members that it asks for.
    pub(super) fn required(&self) -> HashSet<&'a str> {
        self.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The only values that it takes, by `const` or `enum`.
    pub(super) fn closed(&self) -> Option<&'a [Value]> {
        self.layers.iter().find_map(|layer| listed(layer))
    }

    /// The types that its keywords allow.
    pub(super) fn own_types(&self) -> Types {
        let said = self.get("type").map_or(Types::all(), Types::said);
        let listed =
            self.closed().map(|values| values.iter().map(Types::of).fold(Types::empty(), |all, one| all | one));
        said & listed.unwrap_or(Types::all())
    }

    fn constraints(&self) -> BTreeMap<&'a str, &'a Value> {
        let keywords = self.layers.iter().flat_map(|layer| layer.iter());
        let constraints = keywords.filter(|(keyword, _)| role(keyword) == Some(Role::Constraint));
        constraints.map(|(keyword, value)| (keyword.as_str(), value)).collect()
    }

    pub(super) fn key(&self) -> Key<'a> {
        (self.constraints(), self.known, self.parts.clone())
    }

    /// How messages call it.
    pub(super) fn text(&self) -> String {
        match self.name.or(self.origin) {
            Some(name) => name.to_string(),
            None => {
                json(&self.constraints().into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect())
            }
        }
    }
}

impl Schema {
    /// The ways to be valid. References are not followed.
    pub(super) fn read<'a>(&'a self, schema: &'a Value) -> Vec<Branch<'a>> {
        let mut found = Vec::new();
        self.add(schema, &[], &mut found);
        found
    }

    /// The same of a schema that holds beside others.
    pub(super) fn read_part<'a>(&'a self, part: Part<'a>) -> Vec<Branch<'a>> {
        match part {
            Part::Reference(name) => vec![Branch::reference(name)],
            Part::Schema(schema) => self.read(schema),
            Part::Union(list) => list.iter().flat_map(|schema| self.read(schema)).collect(),
        }
    }

    /// The same of the definition to which a branch refers.
    pub(super) fn expand<'a>(&'a self, branch: &Branch<'a>) -> Vec<Branch<'a>> {
        let Some(name) = branch.name else { return vec![branch.clone()] };
        let outer: Vec<_> = branch.layers.iter().copied().filter(|layer| constrains(layer)).collect();
        let mut found = Vec::new();
        if !self.add(self.definition(name), &outer, &mut found) {
            found = vec![Branch { parts: vec![Part::Reference(name)], ..Branch::of(outer) }];
        }
        for new in &mut found {
            new.origin = branch.origin.or(Some(name));
        }
        found
    }

    /// Adds the ways to fit a schema as well as the `outer` ones. False, and nothing is added,
    /// if these disagree with it.
    fn add<'a>(&'a self, schema: &'a Value, outer: &[&'a Members], found: &mut Vec<Branch<'a>>) -> bool {
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(true) => {
                found.push(Branch::of(outer.to_vec()));
                return true;
            }
            _ => return true,
        };
        if outer.iter().any(|layer| disagree(layer, members)) {
            return false;
        }
        let layers: Vec<_> = std::iter::once(members).chain(outer.iter().copied()).collect();
        let is_listed = layers.iter().any(|layer| listed(layer).is_some());
        let parts = self.parts(members);
        let is_merged = match parts.as_slice() {
            [Part::Union(list)] => match open_list(list).filter(|_| members.contains_key("anyOf") && !is_listed) {
                Some((known, any)) if !any.is_some_and(|any| layers.iter().any(|layer| disagree(layer, any))) => {
                    let layers = layers.iter().copied().chain(any).collect();
                    found.push(Branch { known: Some(known), ..Branch::of(layers) });
                    true
                }
                _ => self.add_all(list, &layers, found),
            },
            [Part::Reference(name)] if !constrains(members) => {
                found.push(Branch { name: Some(*name), ..Branch::of(layers.clone()) });
                true
            }
            [Part::Schema(part)] if !constrains(members) => self.add_all(std::slice::from_ref(*part), &layers, found),
            _ => false,
        };
        if !is_merged {
            found.push(Branch { parts, ..Branch::of(layers) });
        }
        true
    }

    fn add_all<'a>(&'a self, list: &'a [Value], outer: &[&'a Members], found: &mut Vec<Branch<'a>>) -> bool {
        let mut added = Vec::new();
        let are_merged = list.iter().all(|schema| self.add(schema, outer, &mut added));
        if are_merged {
            found.append(&mut added);
        }
        are_merged
    }

    /// The schemas that hold beside the keywords of one.
    fn parts<'a>(&'a self, members: &'a Members) -> Vec<Part<'a>> {
        let mut parts: Vec<Part<'a>> = self.reference(members).map(Part::Reference).into_iter().collect();
        for link in ["anyOf", "oneOf"] {
            parts.extend(members.get(link).and_then(Value::as_array).map(|list| Part::Union(list)));
        }
        for schema in members.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let is_said = |keyword: &String| keyword != "$ref" && role(keyword) != Some(Role::Note);
            let only = schema.as_object().filter(|members| !members.keys().any(is_said));
            let name = only.and_then(|members| self.reference(members));
            parts.push(name.map_or(Part::Schema(schema), Part::Reference));
        }
        parts
    }

    /// The definition to which a schema refers.
    pub(super) fn reference<'a>(&'a self, members: &Members) -> Option<Name<'a>> {
        self.target(members.get("$ref")?.as_str()?)
    }
}

/// The only values that `const` or `enum` allow.
pub(super) fn listed(members: &Members) -> Option<&[Value]> {
    let several = || members.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    members.get("const").map(std::slice::from_ref).or_else(several)
}

/// Whether a schema has keywords of its own that narrow what is valid.
pub(super) fn constrains(members: &Members) -> bool {
    members.keys().any(|keyword| role(keyword) == Some(Role::Constraint))
}

/// Whether two schemas for the same value cannot be read as layers.
fn disagree(one: &Members, other: &Members) -> bool {
    let differ = |keyword: &str| one.get(keyword) != other.get(keyword);
    let shared = |keyword: &&String| role(keyword) == Some(Role::Constraint) && other.contains_key(*keyword);
    // `additionalProperties` counts only the members that are named beside it.
    let closes = |closed: &Members, named: &Members| {
        closed.contains_key("additionalProperties") && named.contains_key("properties") && differ("properties")
    };
    let lists = |one: &Members, other: &Members| one.contains_key("const") && other.contains_key("enum");
    one.keys().filter(shared).any(|keyword| differ(keyword))
        || closes(one, other)
        || closes(other, one)
        || lists(one, other)
        || lists(other, one)
}

/// The values of an open list, `[{"enum": […]}, {}]`, and what any other value is like: it may have a type, which is that
/// of all the values.
fn open_list(list: &[Value]) -> Option<(&[Value], Option<&Members>)> {
    let [one, other] = list else { return None };
    let (members, any) = if one.get("enum").is_some() { (one, other) } else { (other, one) };
    let members = members.as_object()?;
    let says = |members: &Members, only: &[&str]| {
        members.keys().all(|keyword| only.contains(&keyword.as_str()) || role(keyword) == Some(Role::Note))
    };
    let values = members.get("enum").and_then(Value::as_array).filter(|_| says(members, &["enum", "type"]))?;
    let any = if takes_anything(any) { None } else { Some(any.as_object().filter(|any| says(any, &["type"]))?) };
    let types = any.and_then(|any| any.get("type")).map_or(Types::all(), Types::said);
    values.iter().all(|value| types.contains(Types::of(value))).then_some((values.as_slice(), any))
}
