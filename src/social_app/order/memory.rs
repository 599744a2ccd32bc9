//! What is remembered over all runs of a connection, within bounds.

use std::borrow::Cow;

use super::super::facts::STEP_NAME;
use crate::check::Limits;
use crate::check::facts::Facts;
use crate::check::history::Bounded;
use crate::check::order::Arrival;
use crate::check::scopes::{Id, Kind, Of, Scopes};
use crate::safe::Label;

/// What is opened and closed in a run: steps, calls from their start to their end, and the
/// answers that calls wait for, from their start to their result.
pub(super) const STEP: usize = 0;
pub(super) const CALL: usize = 1;
pub(super) const ANSWER: usize = 2;

static KINDS: [Kind; 3] = [Kind::new("step", ""), Kind::new("tool call", ""), Kind::new("tool call", "")];

/// Which run an event is of, and what of that run was not seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct InRun {
    /// The group of the run's scopes.
    pub(super) group: u64,
    pub(super) unseen: Unseen,
}

/// What of a run was not seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unseen {
    /// Its beginning: the connection goes on where another broke, or RUN_STARTED is missing.
    pub(super) beginning: bool,
    /// Events that could not be read.
    pub(super) events: bool,
}

impl Unseen {
    pub(super) const fn is_any(self) -> bool {
        self.beginning || self.events
    }
}

/// What is remembered over all runs.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) scopes: Scopes,
    /// How many more calls and bytes of arguments there is room for.
    calls: usize,
    bytes: usize,
    /// Something was forgotten, or not taken in: what is not known may have been forgotten.
    pub(super) exhausted: bool,
    /// The messages that were answers.
    pub(super) answers: Bounded<()>,
}

impl Memory {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            scopes: Scopes::new(&KINDS[..], limits.history, false),
            calls: limits.history,
            bytes: limits.text_bytes,
            exhausted: false,
            answers: Bounded::new(limits.history),
        }
    }

    /// The scope that a member of an event names. Names of steps come in every run, so the
    /// run is part of the key.
    pub(super) fn of<'a>(&self, kind: usize, group: u64, slot: u8, facts: &Facts<'a>) -> Of<'a> {
        let text = facts.string(slot).filter(|id| !id.is_empty());
        let id = text.map(|text| Id { key: self.scopes.key((group, &*text)), text });
        Of { kind, group, owner: 0, id, slot }
    }

    /// The step of that name.
    pub(super) fn step(&self, group: u64, name: &'static str) -> Of<'static> {
        let id = Id { key: self.scopes.key((group, name)), text: Cow::Borrowed(name) };
        Of { kind: STEP, group, owner: 0, id: Some(id), slot: STEP_NAME }
    }

    /// Whether there is room for so many calls and bytes, which are taken.
    pub(super) fn take(&mut self, calls: usize, bytes: usize) -> bool {
        let fits = calls <= self.calls && bytes <= self.bytes;
        if fits {
            self.calls -= calls;
            self.bytes -= bytes;
        } else {
            self.exhausted = true;
        }
        fits
    }

    pub(super) fn give_back(&mut self, calls: usize, bytes: usize) {
        self.calls += calls;
        self.bytes += bytes;
    }

    /// Whether something was forgotten by now.
    pub(super) fn has_forgotten(&mut self) -> bool {
        self.exhausted |= self.scopes.take_overflow() | self.answers.take_overflow();
        self.exhausted
    }
}

/// A scope of a kind whose id cannot be read.
pub(super) const fn unnamed(kind: usize, group: u64) -> Of<'static> {
    Of { kind, group, owner: 0, id: None, slot: 0 }
}

/// What an event has in a slot, as messages show it.
pub(super) fn name(slot: u8, arrival: &Arrival<'_, '_, '_>) -> Label {
    Label::of(&arrival.facts.string(slot).unwrap_or_default(), None)
}
