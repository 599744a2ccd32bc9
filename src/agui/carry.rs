//! What AG-UI has no place for: members of another protocol's event, in `metadata` under one key,
//! as far as AG-UI finds no fault with them. And what begins the ids that are made for a run.

use serde::Serialize;

use crate::check::Limits;
use crate::check::leaks::names_a_secret;
use crate::check::size::json_units;
use crate::check::tree::Node;
use crate::wire::decode::from_json;
use crate::wire::{Extra, Json, JsonObject};

/// How many levels deeper a member may lie in an event of AG-UI than in its own.
const LEVELS: u16 = 8;

/// The longest id of a run that is the beginning of others, in bytes.
const LONGEST_STEM: usize = 128;

/// What the ids begin with that are made for a run: its own id, shortened where each of them would be very long.
pub(crate) fn stem(run: &str) -> String {
    if run.len() <= LONGEST_STEM {
        return run.to_owned();
    }
    let begin = (0..=LONGEST_STEM / 2).rev().find_map(|end| run.get(..end)).unwrap_or_default();
    format!("{begin}~{:016x}", fnv(run))
}

/// FNV-1a. What is put out has to be the same on every machine.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The members of an event.
pub(crate) fn members(event: &impl Serialize) -> Extra {
    let text = serde_json::to_string(event).unwrap_or_default();
    from_json(&text).unwrap_or_default()
}

/// Those of some members that have a value and that AG-UI takes: no names of secrets, and together
/// no larger than a value may be.
pub(crate) fn harmless<'m>(key: &str, members: impl IntoIterator<Item = (&'m str, &'m Json)>) -> Extra {
    // The braces and keys around the members.
    let mut units = key.len() + 7;
    let mut kept = Extra::new();
    for (name, value) in members {
        let Some(own) = harmless_units(name, value).filter(|_| !value.is_null()) else { continue };
        if units + own <= Limits::DEFAULT.inline_units {
            units += own;
            kept.push(name, value.clone());
        }
    }
    kept
}

/// The members as `metadata`; none if there are none.
pub(crate) fn metadata(key: &str, members: &Extra) -> Option<JsonObject> {
    let object = || JsonObject::from_valid(&format!("{{\"{key}\":{}}}", object(members).as_str()));
    (members.iter().next().is_some()).then(object)
}

/// The members as an object.
pub(crate) fn object(members: &Extra) -> Json {
    Json::from_valid(&serde_json::to_string(members).unwrap_or_else(|_| "{}".to_owned()))
}

/// The size of a member in UTF-16 units, unless a checker of AG-UI finds fault with it.
fn harmless_units(name: &str, value: &Json) -> Option<usize> {
    let object = format!("{{{}:{}}}", serde_json::Value::from(name), value.as_str());
    let node = Node::parse(&object, Limits::DEFAULT.depth - LEVELS).ok()?;
    (!names_a_secret(&node)).then(|| json_units(&node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_ids_are_short_and_those_of_each_run_its_own() {
        assert_eq!(stem("run-1"), "run-1");
        let [one, other] = ["a", "b"].map(|end| stem(&("é".repeat(10_000) + end)));
        assert!(one.len() <= LONGEST_STEM && one != other);
        assert_eq!(stem(&"run".repeat(50)), ["run".repeat(21).as_str(), "r~1dcaddab6573241b"].concat());
    }
}
