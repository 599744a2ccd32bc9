//! What narrows a value of one type: lists of values, limits, patterns.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::branch::Branch;
use super::change::{Found, Place};
use super::comparison::Comparison;
use super::keywords::{Role, role};
use super::kinds::Types;
use super::rules;
use super::text::{json, list, turned};

/// A limit: its keyword, the type that it is about, and which values are stricter.
const LIMITS: [(&str, Types, Ordering); 10] = [
    ("minLength", Types::STRING, Ordering::Greater),
    ("maxLength", Types::STRING, Ordering::Less),
    ("minItems", Types::ARRAY, Ordering::Greater),
    ("maxItems", Types::ARRAY, Ordering::Less),
    ("minProperties", Types::OBJECT, Ordering::Greater),
    ("maxProperties", Types::OBJECT, Ordering::Less),
    ("minimum", Types::NUMBER, Ordering::Greater),
    ("maximum", Types::NUMBER, Ordering::Less),
    ("exclusiveMinimum", Types::NUMBER, Ordering::Greater),
    ("exclusiveMaximum", Types::NUMBER, Ordering::Less),
];

/// Values that a schema lists.
pub(super) enum List<'a> {
    /// None.
    Free,
    /// Some of those that it takes.
    Open(Vec<&'a Value>),
    /// All that it takes.
    Closed(Vec<&'a Value>),
}

impl<'a> List<'a> {
    fn of(branch: &Branch<'a>, kind: Types) -> Self {
        let of_kind = |values: &'a [Value]| values.iter().filter(|value| Types::of(value).intersects(kind)).collect();
        match (branch.closed(), branch.known) {
            (Some(values), _) => Self::Closed(of_kind(values)),
            (None, Some(values)) => Self::Open(of_kind(values)),
            (None, None) => Self::Free,
        }
    }

    /// The list for a message.
    fn text(&self) -> String {
        match self {
            Self::Free => "any value".to_owned(),
            Self::Open(values) => format!("{}, or any other", list(values.iter().copied())),
            Self::Closed(values) => list(values.iter().copied()),
        }
    }
}

impl<'a> Comparison<'a> {
    /// Compares the types that a value may have.
    pub(super) fn types(&mut self, place: &Place<'a>, old: Types, new: Types) {
        let (rule, message) = if old == new {
            return;
        } else if old ^ new == Types::NULL && new.contains(Types::NULL) {
            (&rules::NULL_ALLOWED, "the value may be null")
        } else if old ^ new == Types::NULL {
            (&rules::NULL_REFUSED, "the value may no longer be null")
        } else if new.contains(old) {
            (&rules::TYPE_WIDENED, "the type is wider")
        } else if old.contains(new) {
            (&rules::TYPE_NARROWED, "the type is narrower")
        } else {
            (&rules::TYPE_CHANGED, "the type is another")
        };
        self.emit(Found::new(place, rule, message).was(old.to_string()).is(new.to_string()));
    }

    /// Compares two branches as far as they are about one type.
    pub(super) fn kind(&mut self, place: &Place<'a>, kind: Types, old: &Branch<'a>, new: &Branch<'a>) {
        self.unknown(place, &old.layers, &new.layers);
        self.lists(place, &List::of(old, kind), &List::of(new, kind));
        self.refused(place, kind, old, new);
        if kind == Types::STRING {
            self.pattern(place, old, new);
        }
        for (keyword, _, stricter) in LIMITS.into_iter().filter(|(_, of, _)| *of == kind) {
            self.limit(place, keyword, stricter, old.get(keyword), new.get(keyword));
        }
        if kind == Types::ARRAY {
            self.items(place, old, new);
        }
        if kind == Types::OBJECT {
            self.members(place, old, new);
        }
    }

    /// Compares lists of values.
    pub(super) fn lists(&mut self, place: &Place<'a>, old: &List<'a>, new: &List<'a>) {
        let (is_open, before, after) = match (old, new) {
            (List::Free, List::Free) => return,
            (List::Open(before), List::Open(after)) => (true, before, after),
            (List::Closed(before), List::Closed(after)) => (false, before, after),
            _ => {
                let (rule, message) = match (old, new) {
                    (_, List::Closed(_)) => (&rules::VALUES_CLOSED, "only listed values are accepted"),
                    (List::Closed(_), _) => (&rules::VALUES_OPENED, "other values than those listed are accepted"),
                    _ => (&rules::FORM_CHANGED, "the values that are named are others, and all are accepted"),
                };
                return self.emit(Found::new(place, rule, message).was(old.text()).is(new.text()));
            }
        };
        let (gone, added) = (without(before, after), without(after, before));
        let is_tag = self.events.as_ref().filter(|events| events.have_tag(place)).map(|events| events.is_open);
        if let (None, false, [gone], [added], 1, 1) =
            (is_tag, is_open, &gone[..], &added[..], before.len(), after.len())
        {
            let found = Found::new(place, &rules::VALUE_CHANGED, "the only value is another");
            return self.emit(found.was(json(gone)).is(json(added)));
        }
        let (of_gone, of_added) = match (is_tag, is_open) {
            (Some(true), _) => (&rules::EVENT_REMOVED, &rules::OPEN_VARIANT_ADDED),
            (Some(false), _) => (&rules::EVENT_REMOVED, &rules::EVENT_ADDED),
            (None, true) => (&rules::OPEN_VALUE_REMOVED, &rules::OPEN_VALUE_ADDED),
            (None, false) => (&rules::VALUE_REMOVED, &rules::VALUE_ADDED),
        };
        let what = if is_tag.is_some() { "names of the event type" } else { "values" };
        if !gone.is_empty() {
            self.emit(Found::new(place, of_gone, format!("{what} are gone")).was(list(gone)));
        }
        if !added.is_empty() {
            self.emit(Found::new(place, of_added, format!("{what} are new")).is(list(added)));
        }
    }

    /// Compares what `not` excludes.
    fn refused(&mut self, place: &Place<'a>, kind: Types, old: &Branch<'a>, new: &Branch<'a>) {
        let (before, after) = (old.get("not"), new.get("not"));
        if before == after {
            return;
        }
        let (Some(olds), Some(news)) = (refusals(before), refusals(after)) else {
            return self.keyword(place, "not", before, after);
        };
        if olds.patterns != news.patterns {
            return self.keyword(place, "not", before, after);
        }
        let (mut gone, mut added) = (without(&olds.values, &news.values), without(&news.values, &olds.values));
        gone.retain(|value| Types::of(value).intersects(kind));
        added.retain(|value| Types::of(value).intersects(kind));
        // The branch for unknown events excludes the known ones.
        if let Some(events) = self.events.as_ref().filter(|events| events.have_tag(place)) {
            gone.retain(|value| value.as_str().is_none_or(|value| !events.is_event(value, false)));
            added.retain(|value| value.as_str().is_none_or(|value| !events.is_event(value, true)));
        }
        if !added.is_empty() {
            self.emit(Found::new(place, &rules::REFUSED_VALUE_ADDED, "values are excluded").is(list(added)));
        }
        if !gone.is_empty() {
            self.emit(
                Found::new(place, &rules::REFUSED_VALUE_REMOVED, "values are no longer excluded").was(list(gone)),
            );
        }
    }

    fn pattern(&mut self, place: &Place<'a>, old: &Branch<'a>, new: &Branch<'a>) {
        let (before, after) = (old.get("pattern"), new.get("pattern"));
        let rule = match (before, after) {
            (None, Some(_)) => &rules::PATTERN_ADDED,
            (Some(_), None) => &rules::PATTERN_REMOVED,
            _ if before == after => return,
            _ => &rules::PATTERN_CHANGED,
        };
        let found = Found::new(place, rule, turned("`pattern`", before, after));
        self.emit(found.was(before.map(json)).is(after.map(json)));
    }

    fn limit(
        &mut self,
        place: &Place<'a>,
        keyword: &str,
        stricter: Ordering,
        old: Option<&'a Value>,
        new: Option<&'a Value>,
    ) {
        // Every size is at least zero.
        let says_nothing = |limit: &&Value| {
            keyword.starts_with("min") && keyword != "minimum" && order(limit, &Value::from(0)).is_eq()
        };
        let (old, new) = (old.filter(|limit| !says_nothing(limit)), new.filter(|limit| !says_nothing(limit)));
        let is_tighter = match (old, new) {
            (None, None) => return,
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (Some(old), Some(new)) => match order(new, old) {
                Ordering::Equal => return,
                order => order == stricter,
            },
        };
        let rule = if is_tighter { &rules::LIMIT_TIGHTENED } else { &rules::LIMIT_LOOSENED };
        let message = match (old.and(new), is_tighter) {
            (None, _) => turned(&format!("`{keyword}`"), old, new),
            (Some(_), true) => format!("`{keyword}` is stricter"),
            (Some(_), false) => format!("`{keyword}` is looser"),
        };
        self.emit(Found::new(place, rule, message).was(old.map(json)).is(new.map(json)));
    }

    fn items(&mut self, place: &Place<'a>, old: &Branch<'a>, new: &Branch<'a>) {
        let (before, after) = (old.get("items"), new.get("items"));
        if before.or(after).is_some() {
            self.compare(place.items(), before.unwrap_or(&ANYTHING), after.unwrap_or(&ANYTHING));
        }
    }
}

/// What stands for a schema that is not written.
pub(super) static ANYTHING: Value = Value::Bool(true);

/// The values that are not among the others.
fn without<'a>(values: &[&'a Value], others: &[&'a Value]) -> Vec<&'a Value> {
    let others: HashSet<Value> = others.iter().map(|value| plain(value)).collect();
    values.iter().copied().filter(|value| !others.contains(&plain(value))).collect()
}

/// A value, where 1.0 is 1.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(list) => list.iter().map(plain).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        value => {
            let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
            whole.map_or_else(|| value.clone(), |number| Value::from(number as i64))
        }
    }
}

/// The order of two numbers.
fn order(one: &Value, other: &Value) -> Ordering {
    let integers = one.as_i64().zip(other.as_i64()).map(|(one, other)| one.cmp(&other));
    let numbers = || one.as_f64().zip(other.as_f64()).and_then(|(one, other)| one.partial_cmp(&other));
    integers.or_else(numbers).unwrap_or(Ordering::Equal)
}

/// What a `not` excludes, where that is a list of values and patterns.
#[derive(Default)]
struct Refusals<'a> {
    values: Vec<&'a Value>,
    patterns: BTreeSet<&'a str>,
}

fn refusals(schema: Option<&Value>) -> Option<Refusals<'_>> {
    let mut found = Refusals::default();
    let mut pending: Vec<&Value> = schema.into_iter().collect();
    while let Some(schema) = pending.pop() {
        let mut keywords = schema.as_object()?.iter().filter(|(keyword, _)| role(keyword) != Some(Role::Note));
        match (keywords.next().map(|(keyword, value)| (keyword.as_str(), value))?, keywords.next()) {
            (("const", value), None) => found.values.push(value),
            (("enum", Value::Array(values)), None) => found.values.extend(values),
            (("pattern", Value::String(pattern)), None) => {
                found.patterns.insert(pattern);
            }
            (("anyOf", Value::Array(branches)), None) => pending.extend(branches),
            _ => return None,
        }
    }
    Some(found)
}
