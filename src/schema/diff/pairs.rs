//! Which definitions of the two versions are the same.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::document::{Name, Schema};
use super::tags::{tag_of, tag_values};

/// The definitions that are the same: by the tag that a union tells them by, else by their
/// name, else by the place where they are used.
pub(super) struct Pairs<'a> {
    old: &'a Schema,
    new: &'a Schema,
    to_new: HashMap<Name<'a>, Name<'a>>,
    to_old: HashMap<Name<'a>, Name<'a>>,
    /// Definitions whose tag the other version does not have.
    lost: HashSet<Name<'a>>,
    gained: HashSet<Name<'a>>,
    /// What stands in the same place.
    pending: Vec<(&'a Value, &'a Value)>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(old: &'a Schema, new: &'a Schema) -> Self {
        let mut pairs = Self {
            old,
            new,
            to_new: HashMap::new(),
            to_old: HashMap::new(),
            lost: HashSet::new(),
            gained: HashSet::new(),
            pending: Vec::new(),
        };
        pairs.insert(Name::Root, Name::Root);
        let names = old.names();
        for (name, other) in names.iter().filter_map(|name| Some((*name, new.get(*name)?))) {
            pairs.by_tag(old.definition(name), other);
        }
        for name in names {
            let is_another = pairs.lost.contains(&name) && pairs.gained.contains(&name);
            if new.get(name).is_some() && pairs.is_free(name, name) && !is_another {
                pairs.insert(name, name);
            }
        }
        while let Some((old, new)) = pairs.pending.pop() {
            pairs.by_place(old, new);
        }
        pairs
    }

    /// The new name of an old definition.
    pub(super) fn new_of(&self, name: Name<'a>) -> Option<Name<'a>> {
        self.to_new.get(&name).copied()
    }

    pub(super) fn has_new(&self, name: Name<'a>) -> bool {
        self.to_old.contains_key(&name)
    }

    /// The pairs, in the order of the new names.
    pub(super) fn sorted(&self) -> Vec<(Name<'a>, Name<'a>)> {
        let mut pairs: Vec<_> = self.to_new.iter().map(|(old, new)| (*old, *new)).collect();
        pairs.sort_unstable_by_key(|(_, new)| *new);
        pairs
    }

    fn is_free(&self, old: Name<'a>, new: Name<'a>) -> bool {
        !self.to_new.contains_key(&old) && !self.to_old.contains_key(&new)
    }

    fn insert(&mut self, old: Name<'a>, new: Name<'a>) {
        self.to_new.insert(old, new);
        self.to_old.insert(new, old);
        self.pending.push((self.old.definition(old), self.new.definition(new)));
    }

    /// Pairs the branches of a union that have the same tag.
    fn by_tag(&mut self, old: &'a Value, new: &'a Value) {
        let (olds, news) = (self.old.read(old), self.new.read(new));
        let Some(tag) = tag_of([(self.old, &olds), (self.new, &news)]) else { return };
        let mut by_value = HashMap::new();
        for branch in &news {
            let Some(name) = branch.name else { continue };
            by_value.extend(tag_values(self.new, branch, tag).into_iter().map(|value| (value, name)));
        }
        let mut met = HashSet::new();
        for branch in &olds {
            let Some(name) = branch.name else { continue };
            let values = tag_values(self.old, branch, tag);
            match values.iter().find_map(|value| by_value.get(value)) {
                Some(new) => {
                    met.insert(*new);
                    if self.is_free(name, *new) {
                        self.insert(name, *new);
                    }
                }
                None if values.is_empty() => {}
                None => {
                    self.lost.insert(name);
                }
            }
        }
        self.gained.extend(by_value.into_values().filter(|name| !met.contains(name)));
    }

    /// Pairs what two schemas in the same place refer to, where neither has found its like.
    fn by_place(&mut self, old: &'a Value, new: &'a Value) {
        let (Value::Object(before), Value::Object(after)) = (old, new) else { return };
        for keyword in ["items", "additionalProperties"] {
            self.pending.extend(before.get(keyword).zip(after.get(keyword)));
        }
        if let (Some(Value::Object(before)), Some(Value::Object(after))) =
            (before.get("properties"), after.get("properties"))
        {
            self.pending.extend(before.iter().filter_map(|(member, old)| Some((old, after.get(member)?))));
        }
        self.pending.extend(in_place(old).zip(in_place(new)));
        self.by_tag(old, new);
        let (olds, news) = (references(self.old, old), references(self.new, new));
        let olds = only(&olds, |name| !self.to_new.contains_key(&name) && !self.lost.contains(&name));
        let news = only(&news, |name| !self.to_old.contains_key(&name) && !self.gained.contains(&name));
        if let (Some(old), Some(new)) = (olds, news) {
            self.insert(old, new);
        }
    }
}

/// The schemas for the same value that a schema lists.
fn listed(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|link| schema.get(link)?.as_array());
    lists.flatten()
}

/// Those that are written in place.
fn in_place(schema: &Value) -> impl Iterator<Item = &Value> {
    listed(schema).filter(|schema| schema.get("$ref").is_none())
}

/// The definitions to which a schema refers for the same value.
fn references<'a>(schema: &'a Schema, of: &'a Value) -> Vec<Name<'a>> {
    let schemas = std::iter::once(of).chain(listed(of)).filter_map(Value::as_object);
    schemas.filter_map(|members| schema.reference(members)).collect()
}

/// The one definition that is `wanted`.
fn only<'a>(names: &[Name<'a>], wanted: impl Fn(Name<'a>) -> bool) -> Option<Name<'a>> {
    let mut names = names.iter().copied().filter(|name| wanted(*name));
    names.next().filter(|_| names.next().is_none())
}
