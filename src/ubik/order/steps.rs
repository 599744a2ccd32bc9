//! The steps of a task: each is started, completed, and followed by the next.

use super::super::facts::STEP;
use super::super::rules;
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Reporter;
use crate::check::order::{Arrival, Place};
use crate::check::scopes::{Id, Kind, Of, Scopes};
use crate::safe::show_number;
use crate::wire::number::to_f64;

static KINDS: [Kind; 1] = [Kind::new("step", "")];

#[derive(Debug)]
pub(super) struct Steps {
    scopes: Scopes,
    /// The step that was started last, by the key of its number.
    last: Option<u64>,
    /// A step was completed whose number could not be read.
    may_have_completed: bool,
}

impl Steps {
    pub(super) fn new(history: usize) -> Self {
        Self { scopes: Scopes::new(&KINDS[..], history, false), last: None, may_have_completed: false }
    }

    fn of<'a>(&self, facts: &Facts<'a>) -> Of<'a> {
        // Another number is a fault of its own, and names no step.
        let is_number = facts.kind(STEP) == FactKind::Integer && facts.number(STEP).is_some_and(|step| step >= 1.0);
        // `1.0` is the step `1`.
        let id = is_number
            .then(|| facts.raw(STEP))
            .map(|raw| Id { key: self.scopes.key(to_f64(raw).to_bits()), text: show_number(raw) });
        Of { kind: 0, group: 0, owner: 0, id, slot: STEP }
    }

    /// The key of the step that an event names.
    pub(super) fn key(&self, facts: &Facts<'_>) -> Option<u64> {
        self.of(facts).id.map(|id| id.key)
    }

    pub(super) fn start(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(arrival.facts);
        let key = of.id.as_ref().map(|id| id.key);
        if let Some(key) = key
            && self.last != Some(key)
            && self.scopes.opened(&of).is_some()
        {
            // Another step was started since: that ended this one.
            self.scopes.close_of_any_owner(&of);
        }
        self.last = key.or(self.last);
        self.scopes.open(&of, &rules::STEP_ALREADY_OPEN, 0, None, arrival);
    }

    /// An event that says something of a step.
    pub(super) fn touch(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if arrival.facts.kind(STEP) != FactKind::Absent {
            let of = self.of(arrival.facts);
            self.scopes.touch(&of, &rules::STEP_NOT_OPEN, arrival);
        }
    }

    pub(super) fn complete(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(arrival.facts);
        self.scopes.close(&of, &rules::STEP_NOT_OPEN, arrival);
        self.may_have_completed |= of.id.is_none();
    }

    /// The progress of the task names a step that has ended.
    pub(super) fn progress(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(arrival.facts);
        let Some(id) = &of.id else { return };
        if std::mem::take(&mut self.may_have_completed) {
            self.scopes.suspect(id.key);
        }
        if self.scopes.is_suspect(id.key) || (self.scopes.opened(&of).is_none() && self.scopes.was_opened(&of)) {
            return;
        }
        let related = self.scopes.opened(&of).map(|opened| opened.place.related("the step was started here"));
        if related.is_none() && self.scopes.spend_stray(&of) {
            return;
        }
        let message = format!("step {} has not been completed", id.text);
        arrival.fault_related(&rules::AGENT_PROGRESS_BEFORE_STEP_COMPLETED, Some(STEP), message, related);
    }

    /// Reports the last step if it was not completed, at the end of the task.
    pub(super) fn end(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if let Some((message, place)) = self.left_open() {
            arrival.fault_related(&rules::STEP_LEFT_OPEN, None, message, Some(place.related("started here")));
        }
        self.scopes.end(0);
        self.last = None;
    }

    /// The same, at the end of a stream whose task was stopped.
    pub(super) fn finish(&self, report: &mut Reporter<'_>) {
        if let Some((message, place)) = self.left_open() {
            report.add_at_end(&rules::STEP_LEFT_OPEN, message, Some(place.related("started here")));
        }
    }

    fn left_open(&self) -> Option<(String, Place)> {
        let opened = self.scopes.unclosed(0).into_iter().find(|opened| Some(opened.id) == self.last)?;
        Some((format!("step {} was started and not completed", opened.label), opened.place))
    }

    pub(super) fn lost(&mut self) {
        self.scopes.lost(0);
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.scopes.take_overflow()
    }

    pub(super) fn clear(&mut self) {
        self.scopes.clear();
        self.last = None;
    }
}
