//! The union of all events, which is the root of a schema.

use std::collections::HashSet;

use serde_json::Value;

use super::branch::Branch;
use super::change::Place;
use super::document::{Name, Schema};
use super::tags::{is_open, tag_of, tag_values};

/// What is peculiar to the events of a document: a consumer can pass over a whole event.
pub(super) struct Events<'a> {
    tag: &'a str,
    /// The root, and what stands for it.
    unions: HashSet<Name<'a>>,
    variants: HashSet<Name<'a>>,
    old_values: HashSet<&'a str>,
    new_values: HashSet<&'a str>,
    /// Whether both versions take unknown events.
    pub(super) is_open: bool,
}

impl<'a> Events<'a> {
    /// The events; `None` if the root is no union whose branches a tag tells apart.
    pub(super) fn of(old: &'a Schema, new: &'a Schema) -> Option<Self> {
        let ((_, olds), (unions, news)) = (root(old), root(new));
        let tag = tag_of([(old, &olds), (new, &news)])?;
        let values = |schema: &'a Schema, branches: &[Branch<'a>]| {
            branches.iter().flat_map(|branch| tag_values(schema, branch, tag)).collect()
        };
        Some(Self {
            tag,
            unions,
            variants: news.iter().filter_map(|branch| branch.name).collect(),
            old_values: values(old, &olds),
            new_values: values(new, &news),
            is_open: is_open(old, &olds, tag) && is_open(new, &news, tag),
        })
    }

    /// Whether a place is the union itself.
    pub(super) fn are(&self, place: &Place<'a>) -> bool {
        place.path.is_empty() && self.unions.contains(&place.name)
    }

    /// Whether a place is the tag of one of the events.
    pub(super) fn have_tag(&self, place: &Place<'a>) -> bool {
        self.variants.contains(&place.name) && *place == Place::of(place.name).member(self.tag)
    }

    /// Whether a value of the tag is that of an event, in the old version or the new one.
    pub(super) fn is_event(&self, value: &str, is_new: bool) -> bool {
        let values = if is_new { &self.new_values } else { &self.old_values };
        values.contains(value)
    }
}

/// The branches of the root, and the definitions that stand for it.
fn root(schema: &Schema) -> (HashSet<Name<'_>>, Vec<Branch<'_>>) {
    let mut names = HashSet::from([Name::Root]);
    let mut branches = Vec::new();
    let mut pending = vec![schema.root()];
    while let Some(of) = pending.pop() {
        let Value::Object(members) = of else { continue };
        let lists = |link: &str| members.get(link).and_then(Value::as_array).into_iter().flatten();
        // Once, however many ways lead there.
        if let Some(name) = schema.reference(members).filter(|name| names.insert(*name)) {
            pending.push(schema.definition(name));
        }
        pending.extend(lists("allOf"));
        branches.extend(lists("anyOf").chain(lists("oneOf")).flat_map(|branch| schema.read(branch)));
    }
    (names, branches)
}
