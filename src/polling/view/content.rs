//! What an event says: a tree over its text.

use std::borrow::Cow;

use crate::check::tree::Node;
use crate::wire::decode::from_json;
use crate::wire::number::to_f64;
use crate::wire::scan::Kind;
use crate::wire::{Integer, Json, JsonObject};

/// A value of an event, of whatever kind.
#[derive(Clone, Copy)]
pub(super) struct Content<'t, 'a> {
    text: &'a str,
    node: &'t Node<'a>,
}

impl<'t, 'a> Content<'t, 'a> {
    /// The value that `node` is of `text`.
    pub(super) const fn new(text: &'a str, node: &'t Node<'a>) -> Self {
        Self { text, node }
    }

    /// Whether a member is there, null included.
    pub(super) fn has(self, name: &str) -> bool {
        self.node.get(name).is_some()
    }

    /// A member that is not null.
    pub(super) fn get(self, name: &str) -> Option<Self> {
        let node = self.node.get(name).filter(|node| node.kind() != Kind::Null)?;
        Some(Self { text: self.text, node })
    }

    /// The characters of a member that is a string.
    pub(super) fn string(self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.as_string()
    }

    /// The characters of a member that is a string and not empty.
    pub(super) fn filled(self, name: &str) -> Option<Cow<'a, str>> {
        self.string(name).filter(|text| !text.is_empty())
    }

    pub(super) fn as_string(self) -> Option<Cow<'a, str>> {
        self.node.as_str()
    }

    /// The number, as near as a double comes.
    pub(super) fn as_f64(self) -> Option<f64> {
        self.node.as_number().map(to_f64)
    }

    /// The integer from 0, if it fits.
    pub(super) fn as_u64(self) -> Option<u64> {
        from_json::<Integer>(self.node.as_number()?).ok()?.as_u64()
    }

    pub(super) fn is_true(self) -> bool {
        self.node.as_bool() == Some(true)
    }

    pub(super) fn is_object(self) -> bool {
        self.node.is_object()
    }

    /// The text of the value.
    pub(super) fn raw(self) -> &'a str {
        self.text.get(self.node.span()).unwrap_or("null")
    }

    pub(super) fn json(self) -> Json {
        Json::from_valid(self.raw())
    }

    pub(super) fn object(self) -> Option<JsonObject> {
        self.is_object().then(|| JsonObject::from_valid(self.raw()))
    }

    /// The members of an object; none of anything else.
    pub(super) fn members(self) -> impl Iterator<Item = (&'t str, Self)> {
        self.node.members().iter().map(move |member| (&*member.key, Self { text: self.text, node: &member.node }))
    }

    /// The elements of an array; none of anything else.
    pub(super) fn elements(self) -> impl Iterator<Item = Self> {
        self.node.elements().iter().map(move |node| Self { text: self.text, node })
    }
}
