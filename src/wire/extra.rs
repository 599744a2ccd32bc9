//! Members that a type does not name: kept, and written again.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;
use serde::ser::Serializer;

use super::decode::{Decode, Outcome, wrong_type};
use super::error::{ErrorKind, Fault};
use super::json::Json;
use super::scan::{Cursor, Kind};
use super::tag::{TagValue, enter, pass_tag};
use super::text::Text;

/// Members that a type does not name, in the order in which they came.
///
/// They are kept by decoding and written by encoding, so that a newer producer's
/// members survive an older consumer. Equal whatever the order, as JSON objects are.
///
/// Since 0.1.0.
#[derive(Clone, Default)]
pub struct Extra(Vec<(Box<str>, Json)>);

impl Extra {
    /// No members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The value of member `name`.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }

    /// Sets member `name`, in place if it is there. A name that the type has itself is written twice then, and whoever
    /// reads it takes the last.
    pub fn insert(&mut self, name: impl Into<Box<str>>, value: impl Into<Json>) {
        let (name, value) = (name.into(), value.into());
        match self.0.iter_mut().find(|(key, _)| *key == name) {
            Some(member) => member.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// Takes member `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let at = self.0.iter().position(|(key, _)| &**key == name)?;
        Some(self.0.remove(at).1)
    }

    /// The members in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, name: &str, value: Json) {
        self.0.push((name.into(), value));
    }

    /// Of members with one name keeps the last value, at the first place.
    pub(crate) fn settle(&mut self) {
        let is_repeated =
            |(at, (name, _)): (usize, &(Box<str>, Json))| self.0.iter().take(at).any(|(key, _)| key == name);
        if self.0.len() <= 16 && !self.0.iter().enumerate().any(is_repeated) {
            return;
        }
        let mut places: HashMap<Box<str>, usize> = HashMap::with_capacity(self.0.len());
        let mut kept: Vec<(Box<str>, Json)> = Vec::with_capacity(self.0.len());
        for (name, value) in self.0.drain(..) {
            if let Some(member) = places.get(&name).and_then(|place| kept.get_mut(*place)) {
                member.1 = value;
            } else {
                places.insert(name.clone(), kept.len());
                kept.push((name, value));
            }
        }
        self.0 = kept;
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        // Nearly always in the same order.
        if self.0.len() != other.0.len() || self.0.iter().zip(&other.0).all(|(a, b)| a == b) {
            return self.0.len() == other.0.len();
        }
        let theirs: HashMap<&str, &Json> = other.iter().collect();
        self.iter().all(|(name, value)| theirs.get(name) == Some(&value))
    }
}

impl Eq for Extra {}

impl Decode for Extra {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        decode_extra(cursor, None)
    }
}

impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extra(<{} members>)", self.0.len())
    }
}

/// All members of an object, but for the tag that an enclosing union owns.
pub(crate) fn decode_extra(cursor: &mut Cursor<'_>, tag: Option<(&str, TagValue<'_>)>) -> Outcome<Extra> {
    if cursor.kind()? != Kind::Object {
        return wrong_type(cursor, "an object");
    }
    let start = cursor.offset();
    let mut first = enter(cursor, tag)?;
    let mut extra = Extra::new();
    while let Some(key) = cursor.member(&mut first)? {
        let name = member_name(key, start)?;
        other_member(cursor, &name, tag, &mut extra)?;
    }
    extra.settle();
    Ok(extra)
}

/// The key of a member, resolved.
#[inline]
pub(crate) fn member_name(key: Text<'_>, object: usize) -> Outcome<std::borrow::Cow<'_, str>> {
    key.exact().ok_or_else(|| Fault::new(ErrorKind::LoneSurrogate, object))
}

/// Takes a member that the payload does not name: the union's tag, or an extra one.
#[inline]
pub(crate) fn other_member(
    cursor: &mut Cursor<'_>,
    name: &str,
    tag: Option<(&str, TagValue<'_>)>,
    extra: &mut Extra,
) -> Outcome<()> {
    match tag {
        Some((member, value)) if member == name => pass_tag(cursor, value),
        _ => {
            extra.push(name, Json::decode(cursor)?);
            Ok(())
        }
    }
}
