//! One event as a run takes it in.

use super::super::events::event::EventType;
use crate::check::Related;
use crate::check::facts::Facts;
use crate::check::order::{Arrival, Place};
use crate::check::rule::Rule;

/// An event on its way into a run.
pub(super) struct InRun<'i, 't, 'f, 'r> {
    pub(super) facts: &'t Facts<'f>,
    pub(super) event: Option<EventType>,
    pub(super) run: u64,
    /// One fault more may follow from what was reported already.
    pub(super) forgives: bool,
    pub(super) arrival: &'i mut Arrival<'t, 'f, 'r>,
}

/// Where something was opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) key: u64,
    pub(super) place: Place,
}

impl Opened {
    pub(super) fn related(&self, message: &str) -> Related {
        self.place.related(message)
    }
}

impl InRun<'_, '_, '_, '_> {
    pub(super) fn opened(&self, key: u64) -> Opened {
        Opened { key, place: self.arrival.place() }
    }

    pub(super) fn fault(&mut self, rule: &Rule, slot: Option<u8>, message: String) {
        self.fault_at(rule, slot, message, None);
    }

    pub(super) fn fault_at(&mut self, rule: &Rule, slot: Option<u8>, message: String, related: Option<Related>) {
        if !std::mem::take(&mut self.forgives) {
            self.arrival.fault_related(rule, slot, message, related);
        }
    }
}
