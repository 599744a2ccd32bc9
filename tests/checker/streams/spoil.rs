//! Faults that spoil one place of a stream.

use super::source::Source;
use serde_json::{Map, Value, json};

/// A way to spoil a member or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Missing,
    Null,
    Mistyped,
    Empty,
    OtherStyle,
    Capitalised,
    LettersSwapped,
    UnknownId,
    IdOfAnother,
    Lost,
    Doubled,
    SwappedWithNext,
    Number,
    Array,
    OtherType,
    NearMissType,
}

use Way::*;

const OF_MEMBERS: [Way; 9] =
    [Missing, Null, Mistyped, Empty, OtherStyle, Capitalised, LettersSwapped, UnknownId, IdOfAnother];
const OF_EVENTS: [Way; 7] = [Lost, Doubled, SwappedWithNext, Number, Array, OtherType, NearMissType];

/// One place spoilt in one way: other lines in place of one or two.
#[derive(Debug)]
pub struct Fault {
    pub name: String,
    pub way: Way,
    pub at: usize,
    takes: usize,
    gives: Vec<String>,
}

/// A member of an event, or of the payload that the event has in `data`.
#[derive(Clone, Copy)]
struct Member<'e> {
    name: &'e str,
    of_data: bool,
}

impl<'e> Member<'e> {
    fn of(event: &'e Value) -> impl Iterator<Item = Self> {
        [(event, false), (&event["data"], true)].into_iter().flat_map(|(owner, of_data)| {
            let names = owner.as_object().into_iter().flat_map(Map::keys);
            names.map(move |name| Self { name, of_data })
        })
    }

    /// The object that has the member, of whatever event.
    fn owner<'v>(&self, event: &'v Value) -> &'v Value {
        if self.of_data { &event["data"] } else { event }
    }

    /// The event with another such object.
    fn within(&self, event: &Value, owner: Value) -> Value {
        if !self.of_data {
            return owner;
        }
        let mut event = event.clone();
        event["data"] = owner;
        event
    }
}

impl Fault {
    /// So many of all the places and ways of a stream, at random. `tag` names the member
    /// that tells events apart.
    pub fn sample(source: &mut Source, events: &[Value], tag: &str, count: usize) -> Vec<Self> {
        let whole = Member { name: tag, of_data: false };
        let places: Vec<(usize, Member<'_>, Way)> = (0..events.len())
            .flat_map(|at| {
                let of_members =
                    Member::of(&events[at]).flat_map(move |member| OF_MEMBERS.map(|way| (at, member, way)));
                of_members.chain(OF_EVENTS.map(|way| (at, whole, way)))
            })
            .collect();
        let mut faults = Vec::new();
        while faults.len() < count {
            let (at, member, way) = *source.pick(&places);
            let Some((takes, gives)) = spoil(source, events, at, member, way) else { continue };
            let of = if member.of_data { "data." } else { "" };
            let member = if OF_MEMBERS.contains(&way) { format!(", {of}{}", member.name) } else { String::new() };
            let name = format!("{} {at}{member}: {way:?}", events[at][tag].as_str().unwrap_or_default());
            faults.push(Self { name, way, at, takes, gives: gives.iter().map(Value::to_string).collect() });
        }
        faults
    }

    /// The lines with the fault.
    pub fn apply(&self, lines: &[String]) -> Vec<String> {
        [&lines[..self.at], &self.gives, &lines[self.at + self.takes..]].concat()
    }
}

/// How many events give way, and to which; `None` where nothing would change.
fn spoil(
    source: &mut Source,
    events: &[Value],
    at: usize,
    member: Member<'_>,
    way: Way,
) -> Option<(usize, Vec<Value>)> {
    let (event, name) = (&events[at], member.name);
    let (takes, gives) = match way {
        Lost => (1, vec![]),
        Doubled => (1, vec![event.clone(), event.clone()]),
        SwappedWithNext => (2, vec![events.get(at + 1)?.clone(), event.clone()]),
        Number => (1, vec![json!(7)]),
        Array => (1, vec![json!([])]),
        Missing => (1, vec![renamed(event, member, None)?]),
        OtherStyle => (1, vec![renamed(event, member, Some(other_style(name)))?]),
        Capitalised => (1, vec![renamed(event, member, Some(capitalised(name)))?]),
        LettersSwapped => (1, vec![renamed(event, member, Some(letters_swapped(name)))?]),
        Null | Mistyped | Empty | UnknownId | IdOfAnother | OtherType | NearMissType => {
            let mut spoilt = member.owner(event).clone();
            spoilt[name] = other_value(source, events, at, member, way)?;
            (1, vec![member.within(event, spoilt)])
        }
    };
    (gives != events[at..at + takes]).then_some((takes, gives))
}

/// What the member holds instead.
fn other_value(source: &mut Source, events: &[Value], at: usize, member: Member<'_>, way: Way) -> Option<Value> {
    let name = member.name;
    let value = &member.owner(&events[at])[name];
    Some(match way {
        Null => Value::Null,
        Empty => json!(value.as_str().map(|_| "")?),
        Mistyped => match value {
            Value::String(_) => json!(7),
            Value::Number(number) => json!(number.to_string()),
            Value::Object(_) => json!([]),
            Value::Array(_) => json!({}),
            Value::Bool(_) | Value::Null => json!("yes"),
        },
        UnknownId if is_id(name) => json!(format!("{}x{at}", value.as_str()?)),
        NearMissType => json!(near_miss(source, value.as_str()?)),
        IdOfAnother if !is_id(name) => return None,
        IdOfAnother | OtherType => {
            let others = events.iter().map(|event| &member.owner(event)[name]);
            let others: Vec<&Value> = others.filter(|id| id.is_string()).collect();
            if others.is_empty() {
                return None;
            }
            (*source.pick(&others)).clone()
        }
        _ => return None,
    })
}

fn is_id(name: &str) -> bool {
    name == "id" || name == "stepName" || name.ends_with("Id") || name.ends_with("_id")
}

/// The event with a member under another name, or without it.
fn renamed(event: &Value, member: Member<'_>, other: Option<String>) -> Option<Value> {
    let mut members = member.owner(event).as_object()?.clone();
    let value = members.remove(member.name)?;
    if let Some(other) = other {
        if members.contains_key(&other) {
            return None;
        }
        members.insert(other, value);
    }
    Some(member.within(event, members.into()))
}

/// `threadId` as `thread_id`, and the other way round.
fn other_style(name: &str) -> String {
    if let Some((first, rest)) = name.split_once('_') {
        return rest.split('_').fold(first.to_owned(), |name, word| name + &capitalised(word));
    }
    let separate =
        |letter: char| if letter.is_uppercase() { format!("_{}", letter.to_lowercase()) } else { letter.into() };
    name.chars().map(separate).collect()
}

fn capitalised(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Two letters near the middle in the wrong order.
fn letters_swapped(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let differ = |at: &usize| letters[at - 1] != letters[*at];
    if let Some(at) = (letters.len() / 2..letters.len()).filter(|at| *at > 0).find(differ) {
        letters.swap(at - 1, at);
    }
    letters.into_iter().collect()
}

/// `RUN_STARTED` as `RunStarted`, `run-started` or `RUN_STARTD`.
fn near_miss(source: &mut Source, tag: &str) -> String {
    let words: Vec<String> = tag.split(['_', '.']).map(str::to_lowercase).collect();
    match source.below(3) {
        0 => words.iter().map(|word| capitalised(word)).collect(),
        1 => words.join("-"),
        _ => tag[..tag.len() - 2].to_owned() + &tag[tag.len() - 1..],
    }
}
