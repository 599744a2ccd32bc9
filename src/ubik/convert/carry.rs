//! What AG-UI has no place for: members of events, as far as AG-UI finds no fault with them.

use crate::check::Limits;
use crate::check::leaks::walk_secret_keys;
use crate::check::size::json_units;
use crate::check::tree::Node;
use crate::wire::decode::from_json;
use crate::wire::path::Path;
use crate::wire::{Extra, Json, JsonObject};

/// The member of `metadata` that holds such members. Names and ids that are made begin with it.
pub(super) const KEY: &str = "ubik";

/// How many levels deeper members lie in the `metadata` of an interrupt than in their event.
/// Elsewhere it is less.
const LEVELS: u16 = 5;

/// The members of an event that its AG-UI counterpart has no place for, as `metadata`.
pub(super) fn metadata(event: &impl serde::Serialize, consumed: &[&str]) -> Option<JsonObject> {
    let kept = kept(event, consumed);
    if kept.is_empty() {
        return None;
    }
    let inner = serde_json::to_string(&kept).ok()?;
    Json::parse(&format!("{{\"{KEY}\":{inner}}}")).ok().and_then(JsonObject::new)
}

/// The members of an event as an object.
pub(super) fn value(event: &impl serde::Serialize, consumed: &[&str]) -> Json {
    let text = serde_json::to_string(&kept(event, consumed)).unwrap_or_else(|_| "{}".to_owned());
    Json::from_valid(&text)
}

/// The members but for those consumed, for `null`, and for what AG-UI would find fault with.
fn kept(event: &impl serde::Serialize, consumed: &[&str]) -> Extra {
    let mut kept = Extra::new();
    let Ok(text) = serde_json::to_string(event) else { return kept };
    let Ok(members) = from_json::<Extra>(&text) else { return kept };
    // The braces and keys around the members.
    let mut units = KEY.len() + 7;
    for (name, value) in members.iter().filter(|(name, value)| !consumed.contains(name) && !value.is_null()) {
        let Some(own) = harmless_units(name, value) else { continue };
        if units + own <= Limits::DEFAULT.inline_units {
            units += own;
            kept.push(name, value.clone());
        }
    }
    kept
}

/// The size of a member in UTF-16 units, unless a checker of AG-UI finds fault with it.
fn harmless_units(name: &str, value: &Json) -> Option<usize> {
    let object = format!("{{{}:{}}}", serde_json::Value::from(name), value.as_str());
    let node = Node::parse(&object, Limits::DEFAULT.depth - LEVELS).ok()?;
    let mut harmless = true;
    walk_secret_keys(&node, &Path::default(), &mut |_, _| harmless = false);
    harmless.then(|| json_units(&node))
}
