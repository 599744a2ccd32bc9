//! The arguments of a tool call: their shape, and what a result repeats of them.

use std::cell::RefCell;
use std::collections::HashMap;

use super::events::args::ArgsShape;
use crate::check::history::Keys;
use crate::check::tree::{Member, Node};
use crate::wire::Json;
use crate::wire::path::Trail;
use crate::wire::scan::Kind;

/// What is wrong with the shape of arguments, and the member that it is said of, if it is
/// one.
pub(super) fn misshapen(args: &Node<'_>) -> Vec<(Option<&'static str>, String)> {
    let [module, method, input] = ArgsShape::Canonical.members();
    let has = |name: &str| args.get(name).is_some();
    if !has(module) && !has(method) {
        let older = ArgsShape::ALL.iter().skip(1).find(|shape| shape.members()[..2].iter().any(|name| has(name)));
        let said = older.map(|shape| {
            let [old_module, old_method, _] = shape.members();
            (None, format!("{old_module} and {old_method} are now written {module} and {method}"))
        });
        return said.into_iter().collect();
    }
    let mut found = Vec::new();
    let mut hold = |name: &'static str, kind: Kind, expected: &str| {
        if let Some(value) = args.get(name).filter(|value| value.kind() != kind) {
            found.push((Some(name), format!("{name} is {}, not {expected}", value.kind().name())));
        }
    };
    hold(module, Kind::String, "a string");
    hold(method, Kind::String, "a string");
    hold(input, Kind::Object, "an object");
    if !has(method) {
        let message = if has("action") { "action is now written method" } else { "module stands without method" };
        found.push((None, message.to_owned()));
    }
    found
}

/// Whether the member holds an id, which a result may repeat.
pub(super) fn is_id(key: &str) -> bool {
    ["id", "ids", "uuid"].contains(&key)
        || ["_id", "_ids", "Id", "Ids", "ID", "IDs"].iter().any(|end| key.ends_with(end))
}

/// How many arguments of one name are compared.
const OF_ONE_NAME: usize = 16;

/// The arguments that a result could repeat, by name.
pub(super) struct Given<'n, 'a> {
    /// The values, and whether they lie in an object of the input.
    values: HashMap<&'n str, Vec<(&'n Node<'a>, bool)>>,
    known: Known<'n>,
    keys: Keys,
}

/// What tells the values in a text apart, worked out once for each.
struct Known<'t> {
    text: &'t str,
    /// The keys of values by where they begin; those of equal values are equal.
    keys: RefCell<HashMap<usize, u64>>,
}

impl<'t> Known<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, keys: RefCell::default() }
    }

    fn key(&self, node: &Node<'_>, keys: &Keys) -> u64 {
        let span = node.span();
        if let Some(key) = self.keys.borrow().get(&span.start) {
            return *key;
        }
        let key = if node.is_object() {
            // In whatever order they come.
            let members = node.members().iter();
            members.map(|member| keys.of((&member.key, self.key(&member.node, keys)))).fold(1, u64::wrapping_add)
        } else {
            let written = self.text.get(span.clone()).unwrap_or_default();
            keys.of(Json::from_valid(written))
        };
        self.keys.borrow_mut().insert(span.start, key);
        key
    }
}

impl<'n, 'a> Given<'n, 'a> {
    /// The members of the arguments, of their input, and of the objects in them. `text` is
    /// what they stand in.
    pub(super) fn of(args: &'n Node<'a>, text: &'n str) -> Self {
        let mut given = Self { values: HashMap::new(), known: Known::of(text), keys: Keys::default() };
        for member in args.members() {
            given.add(member, false);
            let is_input = ArgsShape::ALL.iter().any(|shape| shape.members()[2] == member.key);
            given.add_members(&member.node, !is_input);
        }
        given
    }

    fn add(&mut self, member: &'n Member<'a>, is_below: bool) {
        let values = self.values.entry(&*member.key).or_default();
        if values.len() < OF_ONE_NAME {
            values.push((&member.node, is_below));
        }
    }

    fn add_members(&mut self, object: &'n Node<'a>, are_below: bool) {
        for member in object.members() {
            self.add(member, are_below);
            self.add_members(&member.node, true);
        }
    }

    /// Calls `found` for each member of a result, and of the objects in it, that repeats an
    /// argument. `text` is what the result stands in.
    pub(super) fn repeated(&self, result: &Node<'_>, text: &str, found: &mut impl FnMut(&Trail<'_>, &Member<'_>)) {
        self.search(result, &Known::of(text), false, &Trail::root(), found);
    }

    fn search(
        &self,
        object: &Node<'_>,
        known: &Known<'_>,
        is_below: bool,
        trail: &Trail<'_>,
        found: &mut impl FnMut(&Trail<'_>, &Member<'_>),
    ) {
        for member in object.members() {
            let trail = trail.key(&member.key);
            if !is_id(&member.key) && self.has(member, known, is_below) {
                found(&trail, member);
            } else {
                self.search(&member.node, known, true, &trail, found);
            }
        }
    }

    /// Whether an argument has the key and the value of a member. What lies in objects on
    /// both sides has little to do with each other.
    fn has(&self, member: &Member<'_>, known: &Known<'_>, is_below: bool) -> bool {
        let is_same = |(value, below): &(&Node<'_>, bool)| {
            !(is_below && *below)
                && value.kind() == member.node.kind()
                && self.known.key(value, &self.keys) == known.key(&member.node, &self.keys)
        };
        self.values.get(&*member.key).is_some_and(|values| values.iter().any(is_same))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        for (text, expected) in [
            (r#"{"module":"calendar","method":"read","input":{}}"#, &[][..]),
            (r#"{"module":"calendar","method":"read"}"#, &[]),
            (r#"{"title":"Sync","input":"text"}"#, &[]),
            (r#"{"command":"calendar","args":{}}"#, &["command and subcommand are now written module and method"]),
            (r#"{"action":"create"}"#, &["skill and action are now written module and method"]),
            (r#"{"module":"calendar","input":{}}"#, &["module stands without method"]),
            (r#"{"module":"calendar","action":"read"}"#, &["action is now written method"]),
            (r#"{"module":7,"method":null}"#, &["module is a number, not a string", "method is null, not a string"]),
            (r#"{"method":"read","input":[]}"#, &["input is an array, not an object"]),
        ] {
            let node = Node::parse(text, 8).unwrap();
            let found: Vec<String> = misshapen(&node).into_iter().map(|(_, message)| message).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn repetitions() {
        let args = r#"{"module":"m","input":{"title":"a","event_id":"e","patch":{"note":"n"}},"other":{"x":1}}"#;
        let node = Node::parse(args, 8).unwrap();
        let given = Given::of(&node, args);
        for (result, expected) in [
            (r#"{"title":"a"}"#, &["$.title"][..]),
            (r#"{"title":"b","event_id":"e"}"#, &[]),
            (r#"{"event":{"title":"a","id":"e"}}"#, &["$.event.title"]),
            (r#"{"note":"n","x":1.0}"#, &["$.note", "$.x"]),
            (r#"{"event":{"note":"n"}}"#, &[]),
            (r#"{"patch":{"note":"n"}}"#, &["$.patch"]),
            (r#"{"input":{"event_id":"e","patch":{"note":"n"},"titl\u0065":"a"}}"#, &["$.input"]),
            (r#"{"input":{"event_id":"e","patch":{"note":"n"}}}"#, &["$.input.patch"]),
            (r#"{"events":[{"title":"a"}]}"#, &[]),
        ] {
            let mut found = Vec::new();
            let node = Node::parse(result, 8).unwrap();
            given.repeated(&node, result, &mut |trail, _| found.push(trail.path().to_json_path()));
            assert_eq!(found, expected, "{result}");
        }
    }
}
