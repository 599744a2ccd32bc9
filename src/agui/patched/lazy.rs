//! A JSON value of which only as much is taken apart as patches have touched.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::hash::BuildHasherDefault;

use super::work::{NODE, READ, Stop, Work};
use crate::check::Limits;
use crate::check::history::{ByKey, Keys};
use crate::safe::show;
use crate::wire::brackets::bracketed;
use crate::wire::number::to_f64;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError, SyntaxKind};
use crate::wire::span::Span;
use crate::wire::text::Text;

impl From<SyntaxError> for Stop {
    /// The text is JSON, so it is too deep, or something else than was asked for.
    fn from(error: SyntaxError) -> Self {
        if error.kind == SyntaxKind::TooDeep { Self::GivenUp } else { Self::Unclear }
    }
}

type Done<T = ()> = Result<T, Stop>;

/// Why a value can no longer be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// This operation does not apply.
    Failed(String),
    /// What an operation does is not known.
    Unclear,
    /// It would take more than the bounds allow.
    GivenUp,
}

impl From<Stop> for Halt {
    /// Outside of an operation, nothing can fail to apply.
    fn from(stop: Stop) -> Self {
        if stop == Stop::Unclear { Self::Unclear } else { Self::GivenUp }
    }
}

impl From<SyntaxError> for Halt {
    fn from(error: SyntaxError) -> Self {
        Stop::from(error).into()
    }
}

#[derive(Clone)]
#[expect(clippy::box_collection, reason = "a list of nodes that nobody has looked into takes half the room")]
enum Node {
    /// Text that nobody has looked into.
    Raw(Span),
    Object(Box<Members>),
    Array(Box<VecDeque<Node>>),
}

/// By the hash of a member's name: where the name stands with its quotes, and the value.
type Members = ByKey<(Span, Node)>;

/// About what a node takes, in bytes.
const NODE_BYTES: usize = 40;

/// About what a member takes as text, in bytes; and for how many there is room at first, so
/// that most objects never have to grow.
const A_MEMBER: usize = 24;
const MOST_GUESSED: usize = 14;

/// A value that patches are applied to.
pub(super) struct Lazy {
    root: Node,
    arena: Arena,
    /// The size at which it is written anew, without what patches have removed.
    room: usize,
}

/// What the nodes of a value share.
struct Arena {
    /// The value as it came, and behind it what patches have added.
    text: String,
    /// How many nodes were made, and how many of them patches have added.
    nodes: usize,
    added: usize,
    keys: Keys,
}

impl fmt::Debug for Lazy {
    /// Shows nothing of the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

impl Lazy {
    /// A value of a text that is known to be JSON, and shorter than 2 GiB.
    pub(super) fn new(raw: &str) -> Self {
        let arena = Arena { text: raw.to_owned(), nodes: 1, added: 0, keys: Keys::default() };
        Self { root: arena.all(), room: room(raw.len()), arena }
    }

    /// About what is held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.arena.text.len() + self.arena.nodes * NODE_BYTES
    }

    /// Applies a patch that fits its schema. The value is spoilt if that fails.
    pub(super) fn apply(&mut self, patch: &str, limits: Limits, work: &mut Work) -> Result<(), Halt> {
        let mut cursor = Cursor::new(patch, MAX_DEPTH);
        let (mut first, mut index) = (true, 0_usize);
        cursor.open(b'[')?;
        while cursor.element(&mut first)? {
            let operation = Operation::read(&mut cursor)?;
            match self.step(&operation, usize::from(limits.depth), work) {
                Err(Stop::Failed) => return Err(Halt::Failed(operation.shown(index))),
                done => done?,
            }
            index += 1;
            // Nodes of what was there are needed again, however often it is written anew.
            if self.arena.text.len() + self.arena.added * NODE_BYTES > self.room {
                self.write_anew(limits.text_bytes)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, operation: &Operation<'_>, depth: usize, work: &mut Work) -> Done {
        let Operation { op, path, from, value } = operation;
        let Self { root, arena, .. } = self;
        match (&**op, value, from) {
            ("add" | "replace", Some(value), _) => {
                let new = arena.append(value);
                arena.put(root, path, new, op == "add", depth, work)
            }
            ("remove", ..) => arena.take(root, path, work).map(drop),
            ("move", _, Some(from)) if from == path => arena.find(root, from, work).map(drop),
            ("move", _, Some(from)) => {
                if path.strip_prefix(&**from).is_some_and(|below| below.starts_with('/')) {
                    return Err(Stop::Failed);
                }
                let node = arena.take(root, from, work)?;
                arena.put(root, path, node, true, depth, work)
            }
            ("copy", _, Some(from)) => {
                let node = arena.find(root, from, work)?;
                let count = count(node);
                work.spend(count * NODE)?;
                let copy = node.clone();
                (arena.nodes, arena.added) = (arena.nodes + count, arena.added + count);
                arena.put(root, path, copy, true, depth, work)
            }
            ("test", Some(value), _) => {
                let (end, added) = (arena.text.len(), arena.added);
                let mut wanted = arena.append(value);
                let node = arena.find(root, path, work)?;
                let same = arena.same(node, &mut wanted, work)?;
                arena.text.truncate(end);
                arena.added = added;
                if same { Ok(()) } else { Err(Stop::Failed) }
            }
            _ => Err(Stop::Unclear),
        }
    }

    /// Lets go of what is no part of the value any more.
    fn write_anew(&mut self, most: usize) -> Done {
        let mut text = String::new();
        self.arena.print(&self.root, &mut text, most)?;
        self.room = room(text.len());
        (self.arena.text, self.arena.nodes, self.arena.added) = (text, 1, 0);
        self.root = self.arena.all();
        Ok(())
    }
}

/// The size up to which a value of so many bytes may grow before it is written anew.
const fn room(bytes: usize) -> usize {
    16 * 1024 + 2 * bytes
}

struct Operation<'p> {
    op: Cow<'p, str>,
    path: Cow<'p, str>,
    from: Option<Cow<'p, str>>,
    value: Option<&'p str>,
}

impl<'p> Operation<'p> {
    fn read(cursor: &mut Cursor<'p>) -> Done<Self> {
        let (mut op, mut path, mut from, mut value) = (Cow::Borrowed(""), None, None, None);
        let mut first = true;
        cursor.open(b'{')?;
        while let Some(key) = cursor.member(&mut first)? {
            match &*key.lossy() {
                "op" => op = cursor.string()?.lossy(),
                "path" => path = cursor.string()?.exact(),
                "from" if cursor.kind()? == Kind::String => from = cursor.string()?.exact(),
                "value" => value = Some(cursor.passed()?),
                _ => drop(cursor.passed()?),
            }
        }
        Ok(Self { op, path: path.ok_or(Stop::Unclear)?, from, value })
    }

    /// The operation for a message: its place in the list, what it does, and where; never its
    /// value.
    fn shown(&self, index: usize) -> String {
        let (op, path) = (show(&self.op), show(&self.path));
        match self.from.as_ref().filter(|_| matches!(&*self.op, "move" | "copy")) {
            Some(from) => format!("[{index}] ({op} {} to {path})", show(from)),
            None => format!("[{index}] ({op} {path})"),
        }
    }
}

/// The names of a JSON Pointer, with their escapes.
fn names(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path.strip_prefix('/');
    std::iter::from_fn(move || {
        let names = rest?;
        // A name is short, so searching several bytes a step would cost more.
        let end = names.bytes().position(|byte| byte == b'/');
        rest = end.map(|end| &names[end + 1..]);
        Some(end.map_or(names, |end| &names[..end]))
    })
}

/// The path of what holds a place, and the name that the place has there.
fn parted(path: &str) -> Option<(&str, &str)> {
    let at = path.bytes().rposition(|byte| byte == b'/')?;
    Some((&path[..at], &path[at + 1..]))
}

fn unescaped(name: &str) -> Cow<'_, str> {
    if name.contains('~') { name.replace("~1", "/").replace("~0", "~").into() } else { name.into() }
}

/// The position that a name stands for in an array.
fn index(name: &str) -> Option<usize> {
    let plain = name.bytes().all(|byte| byte.is_ascii_digit()) && (name.len() == 1 || !name.starts_with('0'));
    if plain { name.parse().ok() } else { None }
}

impl Arena {
    /// The whole text as a value.
    fn all(&self) -> Node {
        Node::Raw(Span::new(&(0..self.text.len())))
    }

    /// Takes in a value of a patch.
    fn append(&mut self, value: &str) -> Node {
        let start = self.text.len();
        self.text.push_str(value);
        (self.nodes, self.added) = (self.nodes + 1, self.added + 1);
        Node::Raw(Span::new(&(start..self.text.len())))
    }

    fn key(&self, name: &str) -> u64 {
        self.keys.of(name)
    }

    /// Takes one level apart.
    fn expand(&mut self, node: &mut Node, work: &mut Work) -> Done {
        let Node::Raw(span) = *node else { return Ok(()) };
        let base = span.range().start;
        let mut cursor = Cursor::new(&self.text[span.range()], MAX_DEPTH);
        let mut first = true;
        let child = |cursor: &mut Cursor<'_>| -> Done<Node> {
            let length = cursor.passed()?.len();
            let end = base + cursor.offset();
            Ok(Node::Raw(Span::new(&(end - length..end))))
        };
        match cursor.kind()? {
            Kind::Object => {
                let guess = (cursor.text().len() / A_MEMBER).min(MOST_GUESSED);
                let mut members = Members::with_capacity_and_hasher(guess, BuildHasherDefault::default());
                cursor.open(b'{')?;
                while let Some(name) = cursor.member(&mut first)? {
                    let key = self.key(&name.exact().ok_or(Stop::GivenUp)?);
                    let at = base + cursor.place_of(name);
                    let at = Span::new(&(at - 1..at + name.raw.len() + 1));
                    members.insert(key, (at, child(&mut cursor)?));
                }
                self.nodes += members.len();
                *node = Node::Object(members.into());
            }
            Kind::Array => {
                let mut items = VecDeque::new();
                cursor.open(b'[')?;
                while cursor.element(&mut first)? {
                    items.push_back(child(&mut cursor)?);
                }
                self.nodes += items.len();
                *node = Node::Array(items.into());
            }
            _ => return Ok(()),
        }
        work.spend(cursor.offset() * READ)
    }

    fn find<'n>(&mut self, root: &'n mut Node, path: &str, work: &mut Work) -> Done<&'n mut Node> {
        let mut node = root;
        if !path.is_empty() && !path.starts_with('/') {
            return Err(Stop::Failed);
        }
        for name in names(path) {
            self.expand(node, work)?;
            node = match node {
                Node::Object(members) => members.get_mut(&self.key(&unescaped(name))).map(|(_, value)| value),
                Node::Array(items) => index(name).and_then(|at| items.get_mut(at)),
                Node::Raw(_) => None,
            }
            .ok_or(Stop::Failed)?;
        }
        Ok(node)
    }

    /// Adds or replaces the value at `path`.
    fn put(&mut self, root: &mut Node, path: &str, new: Node, add: bool, depth: usize, work: &mut Work) -> Done {
        let level = names(path).count();
        if level > depth || level + self.depth(&new, work)? > depth {
            return Err(Stop::GivenUp);
        }
        let Some((parent, name)) = parted(path) else {
            *self.find(root, path, work)? = new;
            return Ok(());
        };
        let node = self.find(root, parent, work)?;
        self.expand(node, work)?;
        match node {
            Node::Object(members) => {
                let name = unescaped(name);
                match members.get_mut(&self.key(&name)) {
                    Some((_, value)) => *value = new,
                    None if add => {
                        let quoted = serde_json::to_string(&*name).map_err(|_| Stop::GivenUp)?;
                        let start = self.text.len();
                        self.text.push_str(&quoted);
                        members.insert(self.key(&name), (Span::new(&(start..self.text.len())), new));
                    }
                    None => return Err(Stop::Failed),
                }
            }
            Node::Array(items) if add => {
                let at = if name == "-" { Some(items.len()) } else { index(name) };
                let at = at.filter(|at| *at <= items.len()).ok_or(Stop::Failed)?;
                work.spend(at.min(items.len() - at))?;
                items.insert(at, new);
            }
            Node::Array(items) => {
                *index(name).and_then(|at| items.get_mut(at)).ok_or(Stop::Failed)? = new;
            }
            Node::Raw(_) => return Err(Stop::Failed),
        }
        Ok(())
    }

    /// Removes the value at `path`.
    fn take(&mut self, root: &mut Node, path: &str, work: &mut Work) -> Done<Node> {
        let Some((parent, name)) = parted(path) else {
            self.find(root, path, work)?;
            let null = self.append("null");
            return Ok(std::mem::replace(root, null));
        };
        let node = self.find(root, parent, work)?;
        self.expand(node, work)?;
        match node {
            Node::Object(members) => members.remove(&self.key(&unescaped(name))).map(|(_, value)| value),
            Node::Array(items) => {
                let at = index(name).filter(|at| *at < items.len()).ok_or(Stop::Failed)?;
                work.spend(at.min(items.len() - at))?;
                items.remove(at)
            }
            Node::Raw(_) => None,
        }
        .ok_or(Stop::Failed)
    }

    /// Whether two values are equal as JSON, whatever the order of their members.
    fn same(&mut self, one: &mut Node, other: &mut Node, work: &mut Work) -> Done<bool> {
        self.expand(one, work)?;
        self.expand(other, work)?;
        match (one, other) {
            (Node::Object(ones), Node::Object(others)) => {
                if ones.len() != others.len() {
                    return Ok(false);
                }
                for (key, (_, other)) in &mut **others {
                    let Some((_, one)) = ones.get_mut(key) else { return Ok(false) };
                    if !self.same(one, other, work)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Node::Array(ones), Node::Array(others)) => {
                if ones.len() != others.len() {
                    return Ok(false);
                }
                for (one, other) in ones.iter_mut().zip(&mut **others) {
                    if !self.same(one, other, work)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Node::Raw(one), Node::Raw(other)) => {
                let (one, other) = (&self.text[one.range()], &self.text[other.range()]);
                work.spend(one.len().min(other.len()))?;
                Ok(one == other || are_equal(one, other))
            }
            _ => Ok(false),
        }
    }

    /// How deep a value is nested.
    fn depth(&self, node: &Node, work: &mut Work) -> Done<usize> {
        let deepest = |nodes: &mut dyn Iterator<Item = &Node>, work: &mut Work| -> Done<usize> {
            let mut deepest = 0;
            for node in nodes {
                deepest = deepest.max(self.depth(node, work)?);
            }
            Ok(deepest + 1)
        };
        match node {
            Node::Raw(span) => {
                let text = &self.text[span.range()];
                work.spend(text.len() + NODE)?;
                Ok(nesting(text))
            }
            Node::Object(members) => deepest(&mut members.values().map(|(_, value)| value), work),
            Node::Array(items) => deepest(&mut items.iter(), work),
        }
    }

    /// Writes a value, unless it is larger than `most` bytes.
    fn print(&self, node: &Node, out: &mut String, most: usize) -> Done {
        if out.len() > most {
            return Err(Stop::GivenUp);
        }
        match node {
            Node::Raw(span) => out.push_str(&self.text[span.range()]),
            Node::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.values().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    out.push_str(&self.text[name.range()]);
                    out.push(':');
                    self.print(value, out, most)?;
                }
                out.push('}');
            }
            Node::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.print(item, out, most)?;
                }
                out.push(']');
            }
        }
        if out.len() > most { Err(Stop::GivenUp) } else { Ok(()) }
    }
}

/// Whether two scalars that are written differently are equal.
fn are_equal(one: &str, other: &str) -> bool {
    let string = |text: &'_ str| {
        let raw = text.strip_prefix('"')?.strip_suffix('"')?;
        Some(Text { raw, escaped: raw.contains('\\') }.wtf8().into_owned())
    };
    let is_number = |text: &str| text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    match (string(one), string(other)) {
        (Some(one), Some(other)) => one == other,
        #[expect(clippy::float_cmp, reason = "numbers are doubles to those who apply patches")]
        (None, None) => is_number(one) && is_number(other) && to_f64(one) == to_f64(other),
        _ => false,
    }
}

/// How many nodes a value has that was taken apart.
fn count(node: &Node) -> usize {
    match node {
        Node::Raw(_) => 1,
        Node::Object(members) => 1 + members.values().map(|(_, value)| count(value)).sum::<usize>(),
        Node::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
    }
}

/// How deep JSON text is nested.
fn nesting(text: &str) -> usize {
    let is_nested = matches!(text.as_bytes().first(), Some(b'{' | b'['));
    if is_nested { bracketed(text.as_bytes(), 0).map_or(0, |(_, deepest)| deepest) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(|value| json!(value)),
            (-3_i32..4).prop_map(|value| json!(value)),
            "[a/~\"\\\\é]{0,3}".prop_map(|value| json!(value)),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(|items| json!(items)),
                prop::collection::btree_map("[ab/~\"0-]{0,2}", inner, 0..4).prop_map(|members| json!(members)),
            ]
        })
    }

    /// Some place in a value, or beside one.
    fn path(value: &Value, at: &[prop::sample::Index], beside: Option<&str>) -> String {
        let (mut value, mut path) = (value, String::new());
        for at in at {
            let name = match value {
                Value::Object(members) if !members.is_empty() => {
                    members.keys().nth(at.index(members.len())).cloned().unwrap_or_default()
                }
                Value::Array(items) if !items.is_empty() => at.index(items.len()).to_string(),
                _ => break,
            };
            value = match value {
                Value::Object(members) => &members[&name],
                other => &other[name.parse::<usize>().unwrap()],
            };
            path += &format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        }
        path + beside.unwrap_or_default()
    }

    fn place() -> impl Strategy<Value = (Vec<prop::sample::Index>, Option<String>)> {
        (
            prop::collection::vec(any::<prop::sample::Index>(), 0..4),
            prop::option::weighted(0.3, "/(-|[0-4]|01|a|~0|~1)"),
        )
    }

    fn limits() -> Limits {
        Limits { depth: 64, ..Limits::DEFAULT }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2000 }))]

        /// Patches do what another implementation makes of them, one after another.
        #[test]
        fn patches_do_what_they_say(
            start in value(),
            operations in prop::collection::vec((0_usize..6, place(), place(), value()), 1..12),
        ) {
            let (mut theirs, mut work) = (start, Work::new());
            let mut ours = Lazy::new(&theirs.to_string());
            for (op, (to, beside), (source, elsewhere), new) in operations {
                let op = ["add", "remove", "replace", "move", "copy", "test"][op];
                let (to, from) =
                    (path(&theirs, &to, beside.as_deref()), path(&theirs, &source, elsewhere.as_deref()));
                // The other implementation refuses these two, which RFC 6902 allows.
                if (op == "remove" && to.is_empty()) || (op == "move" && to == from) {
                    continue;
                }
                let new = if op == "test" { theirs.pointer(&to).filter(|_| elsewhere.is_none()).cloned().unwrap_or(new) } else { new };
                let patch = json!([{"op": op, "path": to, "from": from, "value": new}]);
                let expected = json_patch::patch(&mut theirs, &serde_json::from_value::<json_patch::Patch>(patch.clone()).unwrap());
                let applied = ours.apply(&patch.to_string(), limits(), &mut work);
                prop_assert_eq!(applied.is_ok(), expected.is_ok(), "{} {:?} {:?}", patch, applied, expected);
                if applied.is_err() {
                    ours = Lazy::new(&theirs.to_string());
                }
                let mut text = String::new();
                ours.arena.print(&ours.root, &mut text, usize::MAX).unwrap();
                prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), theirs.clone(), "{}", patch);
                if text.len().is_multiple_of(2) {
                    ours.write_anew(usize::MAX).unwrap();
                }
            }
        }
    }

    #[test]
    fn growth_is_bounded() {
        let mut work = Work::new();
        let mut doubled = Lazy::new(r#"{"a":[1,2,3]}"#);
        let copy = |at: usize| format!(r#"[{{"op":"copy","from":"","path":"/{at}"}}]"#);
        let given_up = (0..60).map(|at| doubled.apply(&copy(at), limits(), &mut work)).find(Result::is_err);
        assert_eq!(given_up, Some(Err(Halt::GivenUp)));
        assert!(doubled.bytes() < 8 * limits().text_bytes);

        let mut deep = Lazy::new("{}");
        let add = |at: usize| format!(r#"[{{"op":"add","path":"{}","value":{{}}}}]"#, "/a".repeat(at));
        let stopped = (1..100).find(|at| deep.apply(&add(*at), limits(), &mut work).is_err());
        assert_eq!(stopped, Some(usize::from(limits().depth)));
    }

    /// A list of many small items is taken apart once, not for every patch.
    #[test]
    fn long_lists_are_patched_in_little_time() {
        let items = vec!["0"; 100_000].join(",");
        let (mut value, mut work) = (Lazy::new(&format!(r#"{{"a":[{items}]}}"#)), Work::new());
        for _ in 0..5000 {
            for patch in [r#"[{"op":"add","path":"/a/-","value":1}]"#, r#"[{"op":"remove","path":"/a/0"}]"#] {
                work.earn(patch.len());
                assert_eq!(value.apply(patch, limits(), &mut work), Ok(()));
            }
        }
    }

    /// What is copied is written anew and taken apart again: a few times and no more.
    #[test]
    fn long_lists_are_not_copied_over_and_over() {
        let items = vec!["0"; 100_000].join(",");
        let (mut value, mut work) = (Lazy::new(&format!(r#"{{"a":[{items}]}}"#)), Work::new());
        let patch = r#"[{"op":"add","path":"/a/-","value":1},{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b"}]"#;
        let copied = (0..100).take_while(|_| {
            work.earn(patch.len());
            value.apply(patch, limits(), &mut work).is_ok()
        });
        assert!((1..10).contains(&copied.count()));
    }

    #[test]
    fn an_operation_that_nobody_knows_hits_no_bound() {
        for patch in [r#"[{"op":"merge","path":"/a","value":1}]"#, r#"[{"op":"remove"}]"#] {
            assert_eq!(Lazy::new("{}").apply(patch, limits(), &mut Work::new()), Err(Halt::Unclear), "{patch}");
        }
    }

    #[test]
    fn names_of_members_may_be_escaped() {
        let patch = r#"[{"\u006fp":"\u0061dd","p\u0061th":"\/a\u0062","v\u0061lue":[]}]"#;
        let mut value = Lazy::new(r#"{"\u0061c":1}"#);
        assert_eq!(value.apply(patch, limits(), &mut Work::new()), Ok(()));
        let test = r#"[{"op":"test","path":"","value":{"ab":[],"ac":1}}]"#;
        assert_eq!(value.apply(test, limits(), &mut Work::new()), Ok(()));
    }

    #[test]
    fn values_are_compared_as_json() {
        let same = [("1", "1.0"), (r#""\u0061""#, r#""a""#), (r#"{"a":1,"b":[]}"#, r#"{ "b" : [ ], "a" : 1e0 }"#)];
        let other = [("1", "true"), (r#""1""#, "1"), ("[1]", "[1,1]"), (r#"{"a":1}"#, r#"{"b":1}"#), ("null", "false")];
        let test = |value: &str, wanted: &str| {
            let patch = format!(r#"[{{"op":"test","path":"","value":{wanted}}}]"#);
            Lazy::new(value).apply(&patch, limits(), &mut Work::new())
        };
        for (value, wanted) in same {
            assert_eq!(test(value, wanted), Ok(()), "{value} {wanted}");
        }
        for (value, wanted) in other {
            assert_eq!(test(value, wanted), Err(Halt::Failed("[0] (test \"\")".to_owned())), "{value} {wanted}");
        }
    }

    #[test]
    fn the_operation_that_fails_is_named_without_its_value() {
        let long = format!("/{}", "a".repeat(70));
        let token = ["/glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat();
        for (operation, shown) in [
            (r#"{"op":"remove","path":"/b"}"#.to_owned(), "[1] (remove /b)"),
            (r#"{"op":"replace","path":"/a/7","value":"hunter2"}"#.to_owned(), "[1] (replace /a/7)"),
            (r#"{"op":"test","path":"/a/0","value":"hunter2"}"#.to_owned(), "[1] (test /a/0)"),
            (r#"{"op":"move","from":"/b","path":"/c"}"#.to_owned(), "[1] (move /b to /c)"),
            (r#"{"op":"copy","from":"/b","path":"/a/-"}"#.to_owned(), "[1] (copy /b to /a/-)"),
            (r#"{"op":"add","path":"/my name/x","value":1}"#.to_owned(), "[1] (add <10 bytes>)"),
            (r#"{"op":"add","path":"/né\u001b[31m/x","value":1}"#.to_owned(), "[1] (add <11 bytes>)"),
            (format!(r#"{{"op":"remove","path":"{long}"}}"#), "[1] (remove <71 bytes>)"),
            (format!(r#"{{"op":"remove","path":"{token}"}}"#), "[1] (remove <27 bytes>)"),
        ] {
            let patch = format!(r#"[{{"op":"add","path":"/a/-","value":2}},{operation}]"#);
            let applied = Lazy::new(r#"{"a":[1]}"#).apply(&patch, limits(), &mut Work::new());
            assert_eq!(applied, Err(Halt::Failed(shown.to_owned())), "{patch}");
        }
    }
}
