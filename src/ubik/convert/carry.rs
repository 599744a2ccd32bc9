//! What AG-UI has no place for, under the key of Ubik.

use crate::agui::carry;
use crate::wire::{Extra, Json, JsonObject};

/// The member of `metadata` that holds such members. Names and ids that are made begin with it.
pub(super) const KEY: &str = "ubik";

/// The members of an event that its AG-UI counterpart has no place for, as `metadata`.
pub(super) fn metadata(event: &impl serde::Serialize, consumed: &[&str]) -> Option<JsonObject> {
    carry::metadata(KEY, &kept(event, consumed))
}

/// The members of an event as an object.
pub(super) fn value(event: &impl serde::Serialize, consumed: &[&str]) -> Json {
    carry::object(&kept(event, consumed))
}

fn kept(event: &impl serde::Serialize, consumed: &[&str]) -> Extra {
    let members = carry::members(event);
    carry::harmless(KEY, members.iter().filter(|(name, _)| !consumed.contains(name)))
}
