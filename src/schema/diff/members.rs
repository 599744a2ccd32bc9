//! The members of two objects.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::branch::Branch;
use super::change::Place;
use super::comparison::Comparison;
use super::keywords::{Members, others, takes_anything};
use super::rules;
use super::values::ANYTHING;

/// What a schema says of an object.
struct Object<'a> {
    named: Option<&'a Members>,
    required: HashSet<&'a str>,
    others: Others<'a>,
}

/// What a schema says of a member.
#[derive(Clone, Copy)]
struct Member<'a> {
    schema: &'a Value,
    is_required: bool,
}

/// What a schema says of members that it does not name.
#[derive(Clone, Copy)]
enum Others<'a> {
    Open,
    Closed,
    /// They are like this.
    Like(&'a Value),
}

impl<'a> Object<'a> {
    fn of(branch: &Branch<'a>) -> Self {
        let others = match branch.layers.iter().find_map(|layer| others(layer)) {
            Some(Value::Bool(false)) => Others::Closed,
            Some(schema) if !takes_anything(schema) => Others::Like(schema),
            _ => Others::Open,
        };
        Self { named: branch.object("properties"), required: branch.required(), others }
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        let named = self.named.into_iter().flat_map(|members| members.keys().map(String::as_str));
        named.chain(self.required.iter().copied())
    }

    fn member(&self, name: &str) -> Option<Member<'a>> {
        let (schema, is_required) = (self.named.and_then(|named| named.get(name)), self.required.contains(name));
        let schema = schema.or(is_required.then_some(&ANYTHING))?;
        Some(Member { schema, is_required })
    }
}

impl Member<'_> {
    /// Whether no document may have it.
    fn is_refused(self) -> bool {
        *self.schema == Value::Bool(false)
    }
}

impl<'a> Others<'a> {
    /// The schema that holds for a member that is not named, where it has to be compared.
    fn schema_for(self, member: Member<'a>) -> Option<&'a Value> {
        match self {
            Self::Open if member.is_refused() => Some(&ANYTHING),
            Self::Open | Self::Closed => None,
            Self::Like(schema) => Some(schema),
        }
    }
}

impl<'a> Comparison<'a> {
    /// Compares the members of two objects.
    pub(super) fn members(&mut self, place: &Place<'a>, old: &Branch<'a>, new: &Branch<'a>) {
        let (old, new) = (Object::of(old), Object::of(new));
        let names: BTreeSet<&str> = old.names().chain(new.names()).collect();
        let mut pairs = Vec::new();
        for name in names {
            let member = place.member(name);
            let pair = match (old.member(name), new.member(name)) {
                (Some(was), Some(is)) => {
                    self.requirement(&member, was, is);
                    Some((was.schema, is.schema))
                }
                (Some(was), None) => {
                    self.member_gone(&member, was, new.others);
                    new.others.schema_for(was).map(|is| (was.schema, is))
                }
                (None, Some(is)) => {
                    self.member_added(&member, is, old.others);
                    old.others.schema_for(is).map(|was| (was, is.schema))
                }
                (None, None) => None,
            };
            pairs.extend(pair.map(|(was, is)| (member, was, is)));
        }
        match (old.others, new.others) {
            (Others::Open, Others::Open) | (Others::Closed, Others::Closed) => {}
            (_, Others::Closed) => self.say(place, &rules::OBJECT_CLOSED, "members that are not named are refused"),
            (Others::Closed, _) => self.say(place, &rules::OBJECT_OPENED, "members that are not named are accepted"),
            (Others::Open, Others::Like(is)) => pairs.push((place.others(), &ANYTHING, is)),
            (Others::Like(was), Others::Open) => pairs.push((place.others(), was, &ANYTHING)),
            (Others::Like(was), Others::Like(is)) => pairs.push((place.others(), was, is)),
        }
        for (place, was, is) in pairs.into_iter().rev() {
            self.compare(place, was, is);
        }
    }

    fn requirement(&mut self, place: &Place<'a>, was: Member<'a>, is: Member<'a>) {
        match (was.is_required, is.is_required) {
            (false, true) => self.say(place, &rules::MEMBER_NOW_REQUIRED, "the member is required"),
            (true, false) => self.say(place, &rules::MEMBER_NO_LONGER_REQUIRED, "the member may be absent"),
            _ => {}
        }
    }

    fn member_gone(&mut self, place: &Place<'a>, was: Member<'a>, others: Others<'a>) {
        let (rule, message) = match others {
            _ if was.is_refused() => return,
            _ if was.is_required => (&rules::MEMBER_REMOVED, "the required member is gone"),
            Others::Closed => (&rules::MEMBER_REMOVED, "the member is gone, and its object is closed"),
            Others::Open | Others::Like(_) => (&rules::OPTIONAL_MEMBER_REMOVED, "the optional member is gone"),
        };
        self.say(place, rule, message);
    }

    fn member_added(&mut self, place: &Place<'a>, is: Member<'a>, others: Others<'a>) {
        let (rule, message) = match others {
            _ if is.is_refused() => return,
            _ if is.is_required => (&rules::REQUIRED_MEMBER_ADDED, "a required member is new"),
            Others::Closed => (&rules::CLOSED_MEMBER_ADDED, "an optional member is new, and its object was closed"),
            Others::Open | Others::Like(_) => (&rules::OPTIONAL_MEMBER_ADDED, "an optional member is new"),
        };
        self.say(place, rule, message);
    }
}
