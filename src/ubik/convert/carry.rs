//! What AG-UI has no place for, under the key of Ubik.

use crate::agui::carry;
use crate::wire::{Extra, Json, JsonObject};

/// The member of `metadata` that holds such members. Names and ids that are made begin with it.
pub(super) const KEY: &str = "ubik";

/// The members of an event that its AG-UI counterpart has no place for, as `metadata`.
pub(super) fn metadata(event: &impl serde::Serialize, consumed: &[&str]) -> Option<JsonObject> {
    carry::metadata(KEY, &kept(event, consumed))
}

/// The same of an event and of members that came before it.
pub(super) fn metadata_with(event: &impl serde::Serialize, consumed: &[&str], before: &Extra) -> Option<JsonObject> {
    let own = kept(event, consumed);
    carry::metadata(KEY, &if before.is_empty() { own } else { with(&own, before) })
}

/// Members, and a few of those that came before where there is none of that name.
pub(super) fn with(members: &Extra, before: &Extra) -> Extra {
    let before = before.iter().filter(|(name, _)| members.get(name).is_none()).take(FEW);
    carry::harmless(KEY, members.iter().chain(before))
}

/// How many members may wait for an event that they go along with.
pub(super) const FEW: usize = 16;

/// The members of an event as an object.
pub(super) fn value(event: &impl serde::Serialize, consumed: &[&str]) -> Json {
    carry::object(&kept(event, consumed))
}

fn kept(event: &impl serde::Serialize, consumed: &[&str]) -> Extra {
    let members = carry::members(event);
    carry::harmless(KEY, members.iter().filter(|(name, _)| !consumed.contains(name)))
}
