//! An event as an ordered tree with spans: what exact explanations are made of.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::wire::path::{Path, Step};
use crate::wire::scan::{Cursor, Kind, SyntaxError, SyntaxKind};
use crate::wire::span::Span;
use crate::wire::text::Text;

/// A value and where it stands in the event's text.
#[derive(Clone)]
pub(crate) struct Node<'a> {
    pub(crate) value: Value<'a>,
    at: Span,
}

#[derive(Clone)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Text<'a>),
    Array(Box<[Node<'a>]>),
    Object(Box<[Member<'a>]>),
}

/// A member of an object. Of duplicates, the last value stands at the first place,
/// as `JSON.parse` has it.
#[derive(Clone)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    key_at: Span,
    pub(crate) node: Node<'a>,
}

impl Member<'_> {
    /// Where the key stands, with its quotes.
    pub(crate) fn key_span(&self) -> Range<usize> {
        self.key_at.range()
    }
}

impl fmt::Debug for Node<'_> {
    /// Shows what kind of value it is and where, and nothing of the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.kind().name(), self.span())
    }
}

impl<'a> Node<'a> {
    pub(crate) fn parse(text: &'a str, depth: u16) -> Result<Self, SyntaxError> {
        Self::parse_without(text, depth, None)
    }

    /// The same, but the array at `list` is taken for an empty one. A text of 4 GiB is too long.
    pub(crate) fn parse_without(text: &'a str, depth: u16, list: Option<&Range<usize>>) -> Result<Self, SyntaxError> {
        if u32::try_from(text.len()).is_err() {
            return Err(SyntaxError { kind: SyntaxKind::UnexpectedEnd, offset: text.len() });
        }
        let mut cursor = Cursor::new(text, depth);
        let node = read(&mut cursor, list)?;
        cursor.end()?;
        Ok(node)
    }

    /// Where it stands.
    pub(crate) fn span(&self) -> Range<usize> {
        self.at.range()
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    /// The members of an object; none of anything else.
    pub(crate) fn members(&self) -> &[Member<'a>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// An object in the place of this one, with other members.
    pub(crate) fn with_members<'n>(&self, members: impl Iterator<Item = &'n Member<'a>>) -> Self
    where
        'a: 'n,
    {
        Self { value: Value::Object(members.cloned().collect()), at: self.at }
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn elements(&self) -> &[Node<'a>] {
        match &self.value {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    pub(crate) fn is_object(&self) -> bool {
        self.kind() == Kind::Object
    }

    pub(crate) fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members().iter().find(|member| member.key == name)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.member(name).map(|member| &member.node)
    }

    /// The characters of a string, lone surrogates replaced.
    pub(crate) fn as_str(&self) -> Option<Cow<'a, str>> {
        match &self.value {
            Value::String(text) => Some(text.lossy()),
            _ => None,
        }
    }

    pub(crate) const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The text of a number.
    pub(crate) const fn as_number(&self) -> Option<&'a str> {
        match self.value {
            Value::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The characters of a string as bytes, in which lone surrogates stay apart.
    pub(crate) fn exact(&self) -> Option<Cow<'a, [u8]>> {
        match &self.value {
            Value::String(text) => Some(text.wtf8()),
            _ => None,
        }
    }

    /// Moves all places by so many bytes: the text is part of a longer one.
    pub(crate) fn shift(&mut self, by: usize) {
        self.at.shift(by);
        match &mut self.value {
            Value::Array(elements) => elements.iter_mut().for_each(|element| element.shift(by)),
            Value::Object(members) => {
                for member in members {
                    member.key_at.shift(by);
                    member.node.shift(by);
                }
            }
            _ => {}
        }
    }

    /// The node at `path`.
    pub(crate) fn at(&self, path: &Path) -> Option<&Node<'a>> {
        path.steps().iter().try_fold(self, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.elements().get(*index),
        })
    }
}

/// Among so few members one is found as fast by looking through them.
const FEW: usize = 12;

fn read<'a>(cursor: &mut Cursor<'a>, list: Option<&Range<usize>>) -> Result<Node<'a>, SyntaxError> {
    let kind = cursor.kind()?;
    let start = cursor.offset();
    let mut first = true;
    let value = match kind {
        Kind::Null => cursor.literal().map(|_| Value::Null)?,
        Kind::Bool => Value::Bool(cursor.literal()? == "true"),
        Kind::Number => Value::Number(cursor.number()?),
        Kind::String => Value::String(cursor.string()?),
        Kind::Array if list.is_some_and(|list| list.start == start) => {
            cursor.go_to(list.map_or(start, |list| list.end));
            Value::Array(Box::default())
        }
        Kind::Array => {
            cursor.open(b'[')?;
            // Most lists are short, and room for four would be most of what a deep value takes.
            let mut elements = Vec::new();
            while cursor.element(&mut first)? {
                let element = read(cursor, list)?;
                if elements.is_empty() {
                    elements.reserve_exact(1);
                }
                elements.push(element);
            }
            Value::Array(elements.into())
        }
        Kind::Object => {
            cursor.open(b'{')?;
            let mut members: Vec<Member<'a>> = Vec::new();
            let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
            while let Some(key) = cursor.member(&mut first)? {
                let at = cursor.place_of(key);
                let key_at = Span::new(&(at - 1..at + key.raw.len() + 1));
                let key = key.lossy();
                let node = read(cursor, list)?;
                let known = if places.is_empty() {
                    members.iter().position(|member| member.key == key)
                } else {
                    places.get(&key).copied()
                };
                if let Some(known) = known.and_then(|place| members.get_mut(place)) {
                    known.node = node;
                    continue;
                }
                if !places.is_empty() {
                    places.insert(key.clone(), members.len());
                }
                members.push(Member { key, key_at, node });
                if members.len() == FEW {
                    places.extend(members.iter().enumerate().map(|(at, member)| (member.key.clone(), at)));
                }
            }
            Value::Object(members.into())
        }
    };
    Ok(Node { value, at: Span::new(&(start..cursor.offset())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_nothing_of_a_value() {
        let text = r#"{"api_key":["hunter2",{"name":4711}]}"#;
        let node = Node::parse(text, 8).unwrap();
        assert_eq!(format!("{node:?}"), format!("an object at 0..{}", text.len()));
        let list = node.get("api_key").unwrap();
        assert_eq!(format!("{:?}", list.elements()), "[a string at 12..21, an object at 22..35]");
        let Value::String(name) = &list.elements()[0].value else { panic!("it is a string") };
        assert_eq!(format!("{name:?} {:?}", Cursor::new(text, 8)), format!("<7 bytes> byte 0 of {}", text.len()));
    }

    #[test]
    fn the_last_duplicate_counts_at_the_first_place() {
        let node = Node::parse(r#"{"a":1,"b":2,"\u0061":3}"#, 8).unwrap();
        let members: Vec<_> = node.members().iter().map(|member| (member.key.as_ref(), member.node.span())).collect();
        assert_eq!(members, [("a", 22..23), ("b", 11..12)]);
    }
}
