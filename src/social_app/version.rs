//! The two versions of the contract, and how a stream shows which it is.

use super::events::event::EventType;
use super::facts::*;
use crate::check::facts::{FactKind, Facts};
use crate::words::words;

words! {
    /// A version of the contract.
    ///
    /// Since 0.1.0.
    pub enum Version, unknown UnknownVersion {
        /// Of 2026-03-17: a connection carries a thread, results are text.
        V0 = "v0",
        /// Of 2026-04-24: a connection carries a run, results are objects.
        V1 = "v1",
    }
}

impl Version {
    /// The number by which the engine passes a version on; 0 if it is not known.
    pub(super) const fn era(version: Option<Self>) -> u8 {
        match version {
            None => 0,
            Some(Self::V0) => 1,
            Some(Self::V1) => 2,
        }
    }

    pub(super) const fn of_era(era: u8) -> Option<Self> {
        match era {
            1 => Some(Self::V0),
            2 => Some(Self::V1),
            _ => None,
        }
    }

    /// The version that an event shows by what only that version sends. Of an event that
    /// shows both, the newer one.
    pub(super) fn shown_by(facts: &Facts<'_>) -> Option<Self> {
        let there = |slot: u8| facts.kind(slot) != FactKind::Absent;
        let (mut old, mut new) = (false, false);
        match facts.type_in(EventType::ALL)? {
            EventType::ToolCallResult => {
                new = facts.kind(RESULT) == FactKind::Object || there(UI_SCHEMA) || there(RESULT_MODULE);
                old = facts.kind(RESULT) == FactKind::String;
            }
            EventType::ToolCallArgs => new = there(ARGS_MODULE),
            EventType::TextMessageEnd => {
                new = USAGE.iter().any(|slot| there(*slot));
                old = V0_ANSWER.iter().any(|slot| there(*slot));
            }
            _ => {}
        }
        if new { Some(Self::V1) } else { old.then_some(Self::V0) }
    }
}
