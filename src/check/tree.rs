//! An event as an ordered tree with spans: what exact explanations are made of. What an object or array holds is
//! read when it is asked for, since most of a large event is looked at as text.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::ops::{ControlFlow, Range};

use super::history::{ByKey, Keys};
use crate::wire::path::{Path, Step};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError, SyntaxKind};
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
    Array(Children<'a, Node<'a>>),
    Object(Children<'a, Member<'a>>),
}

/// What an object or array holds.
#[derive(Clone)]
pub(crate) struct Children<'a, T> {
    /// Its text, with the brackets.
    raw: &'a str,
    /// Thin, since a large event has many of them.
    read: OnceCell<Box<Read<T>>>,
}

#[derive(Clone)]
struct Read<T>(Box<[T]>);

impl<'a, T> Children<'a, T> {
    fn new(raw: &'a str, read: Option<Box<[T]>>) -> Self {
        Self { raw, read: read.map_or_else(OnceCell::new, |read| Box::new(Read(read)).into()) }
    }

    /// What there is; `read` reads the text, which is known to be JSON.
    fn get(&self, read: impl FnOnce(&mut Cursor<'a>) -> Result<Box<[T]>, SyntaxError>) -> &[T] {
        if self.is_empty() {
            return &[];
        }
        &self.read.get_or_init(|| Box::new(Read(read(&mut Cursor::new(self.raw, MAX_DEPTH)).unwrap_or_default()))).0
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        match self.read.get() {
            Some(read) => read.0.is_empty(),
            None => self.raw[1..self.raw.len() - 1].trim_ascii().is_empty(),
        }
    }

    /// What was read, to be changed.
    fn read_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.read.get_mut().into_iter().flat_map(|read| &mut read.0)
    }

    /// What was read.
    fn read(&self) -> &[T] {
        self.read.get().map_or(&[], |read| &read.0)
    }

    /// The text, if it was not read.
    fn unread(&self) -> Option<&'a str> {
        if self.read.get().is_none() { Some(self.raw) } else { None }
    }
}

/// A member of an object. Of duplicates, the last value stands at the first place,
/// as `JSON.parse` has it.
#[derive(Clone)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    key_at: Span,
    pub(crate) node: Node<'a>,
    /// The values that are replaced; of these, only what may hold a text. Thin, since there are seldom any.
    #[expect(clippy::box_collection, reason = "a list that is not there takes eight bytes instead of twenty-four")]
    replaced: Option<Box<Vec<Node<'a>>>>,
}

impl<'a> Member<'a> {
    /// The value, behind those that it replaces.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Node<'a>> {
        self.replaced.iter().flat_map(|replaced| replaced.iter()).chain([&self.node])
    }

    /// Where the key stands, with its quotes.
    pub(crate) fn key_span(&self) -> Range<usize> {
        self.key_at.range()
    }

    fn shift(&mut self, by: usize) {
        self.key_at.shift(by);
        self.node.shift(by);
        self.replaced.iter_mut().flat_map(|replaced| replaced.iter_mut()).for_each(|node| node.shift(by));
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

    /// The same, but what stands at `list` is taken for an empty array. A text of 4 GiB is too long.
    pub(crate) fn parse_without(text: &'a str, depth: u16, list: Option<&Range<usize>>) -> Result<Self, SyntaxError> {
        if u32::try_from(text.len()).is_err() {
            return Err(SyntaxError { kind: SyntaxKind::UnexpectedEnd, offset: text.len() });
        }
        let mut cursor = Cursor::new(text, depth);
        // The elements of an array are not read here: each would take forty bytes.
        let enters = cursor.kind()? == Kind::Object;
        let node = Reader { list, is_json: false }.value(&mut cursor, enters)?;
        cursor.end()?;
        Ok(node)
    }

    /// The value that comes next, of which only the grammar is read.
    pub(super) fn unread_next(cursor: &mut Cursor<'a>) -> Result<Self, SyntaxError> {
        Reader { list: None, is_json: false }.value(cursor, false)
    }

    /// The value that comes next in text that is known to be JSON.
    pub(super) fn next(cursor: &mut Cursor<'a>) -> Result<Self, SyntaxError> {
        Reader::OF_JSON.value(cursor, false)
    }

    /// Where it stands.
    pub(crate) fn span(&self) -> Range<usize> {
        self.at.range()
    }

    /// Its first byte: the place of what it lacks.
    pub(crate) fn caret(&self) -> Range<usize> {
        let start = self.span().start;
        start..start + 1
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
            Value::Object(members) => members.get(|cursor| {
                let mut read = Reader::OF_JSON.members(cursor)?;
                read.iter_mut().for_each(|member| member.shift(self.at.range().start));
                Ok(read)
            }),
            _ => &[],
        }
    }

    /// An object in the place of this one, with other members.
    pub(crate) fn with_members<'n>(&self, members: impl Iterator<Item = &'n Member<'a>>) -> Self
    where
        'a: 'n,
    {
        Self { value: Value::Object(Children::new("{}", Some(members.cloned().collect()))), at: self.at }
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn elements(&self) -> &[Node<'a>] {
        match &self.value {
            Value::Array(elements) => elements.get(|cursor| {
                let mut read = Reader::OF_JSON.elements(cursor)?;
                read.iter_mut().for_each(|element| element.shift(self.at.range().start));
                Ok(read)
            }),
            _ => &[],
        }
    }

    /// Whether it is an array that is not empty. Its elements are not read for it.
    pub(crate) fn has_elements(&self) -> bool {
        matches!(&self.value, Value::Array(elements) if !elements.is_empty())
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
            Value::Array(elements) => elements.read_mut().for_each(|element| element.shift(by)),
            Value::Object(members) => members.read_mut().for_each(|member| member.shift(by)),
            _ => {}
        }
    }

    /// Visits the elements of an array, with their indexes. Those that were not read before are not kept.
    pub(crate) fn each_element(&self, visit: &mut impl FnMut(usize, &Self) -> ControlFlow<()>) -> ControlFlow<()> {
        let Value::Array(elements) = &self.value else { return ControlFlow::Continue(()) };
        let Some(raw) = elements.unread() else {
            return elements.read().iter().enumerate().try_for_each(|(index, element)| visit(index, element));
        };
        let (mut cursor, mut first) = (Cursor::new(raw, MAX_DEPTH), true);
        let mut next = || -> Option<Self> {
            if first {
                cursor.open(b'[').ok()?;
            }
            let mut element = if cursor.element(&mut first).ok()? { Self::next(&mut cursor).ok() } else { None }?;
            element.shift(self.at.range().start);
            Some(element)
        };
        std::iter::from_fn(&mut next).enumerate().try_for_each(|(index, element)| visit(index, &element))
    }

    /// The same node, without what is read of it from now on being kept.
    pub(super) fn in_passing(&self) -> Cow<'_, Self> {
        if self.unread().is_some() { Cow::Owned(self.clone()) } else { Cow::Borrowed(self) }
    }

    /// Whether an element of an array is a string that is not empty.
    pub(super) fn has_text_element(&self) -> bool {
        if self.unread().is_some_and(|raw| memchr::memchr(b'"', raw.as_bytes()).is_none()) {
            return false;
        }
        let is_text = |element: &Self| matches!(element.value, Value::String(text) if !text.raw.is_empty());
        self.each_element(&mut |_, element| found_if(is_text(element))).is_break()
    }

    /// The text of what it holds, with the brackets, if that was not read yet.
    pub(super) fn unread(&self) -> Option<&'a str> {
        match &self.value {
            Value::Array(elements) => elements.unread(),
            Value::Object(members) => members.unread(),
            _ => None,
        }
    }

    /// Whether `is` holds of a string or a key of it, or of one that a duplicate replaces; it is told whether it is a
    /// key. What was not read before is looked through as text.
    pub(super) fn any_text(&self, is: &mut impl FnMut(&str, bool) -> bool) -> bool {
        if let Some(raw) = self.unread() {
            return any_text_of(raw, is);
        }
        self.as_str().is_some_and(|text| is(&text, false))
            || self.elements().iter().any(|element| element.any_text(is))
            || self
                .members()
                .iter()
                .any(|member| is(&member.key, true) || member.values().any(|node| node.any_text(is)))
    }

    /// The node at `path`.
    pub(crate) fn at(&self, path: &Path) -> Option<&Node<'a>> {
        path.steps().iter().try_fold(self, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.elements().get(*index),
        })
    }
}

/// Ends a search.
pub(crate) const fn found_if(is_found: bool) -> ControlFlow<()> {
    if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Among so few members one is found as fast by looking through them.
const FEW: usize = 12;

/// The same of text that is known to be JSON: all that matters stands between quotes.
fn any_text_of(json: &str, is: &mut impl FnMut(&str, bool) -> bool) -> bool {
    let (mut cursor, mut room) = (Cursor::new(json, 0), String::new());
    while let Some(quote) = json.as_bytes().get(cursor.offset()..).and_then(|rest| memchr::memchr(b'"', rest)) {
        cursor.go_to(cursor.offset() + quote);
        let Ok(text) = cursor.string() else { return true };
        cursor.skip_space();
        let is_key = json.as_bytes().get(cursor.offset()) == Some(&b':');
        if is(text.lossy_in(&mut room), is_key) {
            return true;
        }
    }
    false
}

/// About what a member takes as text, in bytes.
const A_MEMBER: usize = 24;

/// How text is read.
#[derive(Clone, Copy)]
struct Reader<'r> {
    /// What is taken for an empty array: there, the text is not read at all.
    list: Option<&'r Range<usize>>,
    /// The text is known to be JSON.
    is_json: bool,
}

impl Reader<'static> {
    const OF_JSON: Self = Self { list: None, is_json: true };
}

impl Reader<'_> {
    /// Reads the value that comes next, and what it holds if `enters`.
    fn value<'a>(self, cursor: &mut Cursor<'a>, enters: bool) -> Result<Node<'a>, SyntaxError> {
        let kind = cursor.kind()?;
        let start = cursor.offset();
        let enters = enters || self.list.is_some_and(|list| start < list.start);
        let value = match kind {
            _ if self.list.is_some_and(|list| list.start == start) => {
                cursor.go_to(self.list.map_or(start, |list| list.end));
                Value::Array(Children::new("[]", None))
            }
            Kind::Null => cursor.literal().map(|_| Value::Null)?,
            Kind::Bool => Value::Bool(cursor.literal()? == "true"),
            Kind::Number => Value::Number(cursor.number()?),
            Kind::String => Value::String(cursor.string()?),
            Kind::Array => {
                let read = if enters { Some(self.elements(cursor)?) } else { self.pass(cursor)? };
                Value::Array(Children::new(cursor.since(start), read))
            }
            Kind::Object => {
                let read = if enters { Some(self.members(cursor)?) } else { self.pass(cursor)? };
                Value::Object(Children::new(cursor.since(start), read))
            }
        };
        Ok(Node { value, at: Span::new(&(start..cursor.offset())) })
    }

    /// Leaves what comes next as text.
    fn pass<T>(self, cursor: &mut Cursor<'_>) -> Result<Option<T>, SyntaxError> {
        if self.is_json {
            cursor.passed()?
        } else {
            cursor.raw()?
        };
        Ok(None)
    }

    fn elements<'a>(self, cursor: &mut Cursor<'a>) -> Result<Box<[Node<'a>]>, SyntaxError> {
        let mut first = true;
        let mut elements = Vec::new();
        cursor.open(b'[')?;
        while cursor.element(&mut first)? {
            elements.push(self.value(cursor, false)?);
        }
        Ok(elements.into())
    }

    fn members<'a>(self, cursor: &mut Cursor<'a>) -> Result<Box<[Member<'a>]>, SyntaxError> {
        let mut first = true;
        let mut members: Vec<Member<'a>> = Vec::new();
        // Where each key stands, once there are many.
        let mut places: Option<(Keys, ByKey<usize>)> = None;
        cursor.open(b'{')?;
        while let Some(key) = cursor.member(&mut first)? {
            let at = cursor.place_of(key);
            if members.capacity() == 0 {
                members.reserve_exact(FEW.min(1 + (cursor.text().len() - at) / A_MEMBER));
            }
            let key_at = Span::new(&(at - 1..at + key.raw.len() + 1));
            let key = key.lossy();
            let node = self.value(cursor, false)?;
            let place = places.as_mut().map(|(keys, places)| *places.entry(keys.of(&key)).or_insert(members.len()));
            let known = match place.map(|place| members.get_mut(place)) {
                Some(None) => None,
                Some(Some(known)) if known.key == key => Some(known),
                _ => members.iter_mut().find(|member| member.key == key),
            };
            match known {
                Some(known) => {
                    let replaced = std::mem::replace(&mut known.node, node);
                    if matches!(replaced.value, Value::String(_) | Value::Array(_) | Value::Object(_)) {
                        known.replaced.get_or_insert_default().push(replaced);
                    }
                }
                None => members.push(Member { key, key_at, node, replaced: None }),
            }
            if members.len() == FEW && places.is_none() {
                let keys = Keys::default();
                let known = members.iter().map(|member| keys.of(&member.key)).zip(0..).collect();
                places = Some((keys, known));
            }
        }
        Ok(members.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::size::json_units;
    use proptest::prelude::*;

    #[test]
    fn large_events_have_many_nodes() {
        assert_eq!((size_of::<Node<'_>>(), size_of::<Member<'_>>()), (40, 80));
    }

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

    /// JSON text in which keys are repeated.
    fn json() -> impl Strategy<Value = String> {
        let leaf =
            prop_oneof![Just("null"), Just("-1.50"), Just("1e21"), Just(r#""""#), Just(r#""a\u0062\"""#), Just("{ }")];
        leaf.prop_map(str::to_owned).prop_recursive(5, 60, 16, |inner| {
            let key = prop::sample::select(vec!["a", "b", "\\u0061", "é", "[", "]\\\"{"]);
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[ {}]", items.join(" ,"))),
                prop::collection::vec((key, 0..9, inner), 0..16).prop_map(|members| {
                    let members: Vec<_> =
                        members.iter().map(|(key, at, value)| format!("\"{key}{at}\" :{value}")).collect();
                    format!("{{{}}}", members.join(", "))
                }),
            ]
        })
    }

    fn read_all(node: &Node<'_>, text: &str, strings: &mut Vec<String>) {
        let alone = Node::parse(&text[node.span()], 99).unwrap();
        assert_eq!(alone.kind(), node.kind());
        strings.extend(node.as_str().map(Cow::into_owned));
        node.elements().iter().for_each(|element| read_all(element, text, strings));
        for member in node.members() {
            assert_eq!(Node::parse(&text[member.key_span()], 1).unwrap().as_str().unwrap(), member.key);
            strings.push(member.key.clone().into_owned());
            read_all(&member.node, text, strings);
        }
    }

    proptest! {
        #[test]
        fn what_is_not_read_is_the_same(value in json()) {
            let text = format!("  {value}");
            let (unread, read) = (Node::parse(&text, 99).unwrap(), Node::parse(&text, 99).unwrap());
            let mut strings = Vec::new();
            read_all(&read, &text, &mut strings);
            prop_assert_eq!(json_units(&unread), json_units(&read));
            prop_assert_eq!(unread.has_text_element(), read.has_text_element());
            for string in strings {
                prop_assert!(Node::parse(&text, 99).unwrap().any_text(&mut |text, _| text == string), "{}", string);
            }
            prop_assert!(!unread.any_text(&mut |text, _| text == "other"));
            let mut shifted = unread.clone();
            shifted.shift(2);
            read_all(&shifted, &format!("  {text}"), &mut Vec::new());
        }
    }

    #[test]
    fn the_last_duplicate_counts_at_the_first_place() {
        let node = Node::parse(r#"{"a":1,"b":2,"\u0061":3}"#, 8).unwrap();
        let members: Vec<_> = node.members().iter().map(|member| (member.key.as_ref(), member.node.span())).collect();
        assert_eq!(members, [("a", 22..23), ("b", 11..12)]);
    }
}
