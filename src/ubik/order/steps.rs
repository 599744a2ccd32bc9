//! The steps of a task: each is started, completed, and followed by the next.

use super::super::facts::{STEP, TOTAL_STEPS};
use super::super::rules;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::Bounded;
use crate::check::order::{Arrival, Place};
use crate::check::reporter::Reporter;
use crate::check::scopes::{Id, Kind, Of, Scopes, spend};
use crate::check::tree::Node;
use crate::safe::show_number;
use crate::wire::number::to_f64;

static KINDS: [Kind; 1] = [Kind::new("step", "")];

#[derive(Default)]
pub(super) struct Steps {
    scopes: Scopes,
    /// The step that was started last, by the key of its number.
    last: Option<u64>,
    /// The step to which the last text belonged, and those that had text, by the same key; 0 is the answer outside of
    /// steps.
    pub(super) speaks: Option<u64>,
    spoken: Bounded<()>,
    pub(super) unseen: Unseen,
}

/// How many steps may have begun, and ended, in events that could not be read or have not
/// come whole.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    pub(super) starts: u32,
    pub(super) ends: u32,
    /// How many ends came before the last start, which they cannot have ended.
    before: u32,
}

impl Unseen {
    /// An end was seen after all, or stood for one that is missing.
    pub(super) fn spend_end(&mut self) -> bool {
        let is_left = spend(&mut self.ends);
        self.before = self.before.min(self.ends);
        is_left
    }
}

impl Steps {
    pub(super) fn new(history: usize) -> Self {
        Self { scopes: Scopes::new(&KINDS[..], history, false), spoken: Bounded::new(history), ..Self::default() }
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
        if self.scopes.opened(&of).is_some() && (self.last != key || self.unseen.spend_end()) {
            // Another step was started since, or what ended this one was not seen.
            self.scopes.close_of_any_owner(&of);
        }
        self.last = key.or(self.last);
        self.unseen.before = self.unseen.ends;
        self.scopes.open(&of, &rules::STEP_ALREADY_OPEN, 0, None, arrival);
    }

    /// An event that says something of a step.
    pub(super) fn touch(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if arrival.facts.kind(STEP) == FactKind::Absent {
            return;
        }
        let of = self.of(arrival.facts);
        self.excuse(&of);
        self.scopes.touch(&of, &rules::STEP_NOT_OPEN, arrival);
    }

    /// Whether the step that an event names is open, if it names one.
    pub(super) fn is_open(&self, facts: &Facts<'_>) -> bool {
        let of = self.of(facts);
        let is_open = |id: &Id<'_>| self.scopes.opened(&of).is_some() && !self.scopes.is_suspect(id.key);
        facts.kind(STEP) == FactKind::Absent || of.id.as_ref().is_some_and(is_open)
    }

    /// Whether text comes again of what had text before another step, or the answer outside of steps, had some. In the
    /// final content the text of each stands by itself.
    pub(super) fn are_mixed(&mut self, facts: &Facts<'_>) -> bool {
        let step = self.key(facts).unwrap_or_default();
        let goes_on = self.speaks.replace(step) == Some(step);
        self.spoken.insert(step, ()).is_some() && !goes_on
    }

    /// Whether something was said of the step that an event names.
    pub(super) fn is_suspect(&self, facts: &Facts<'_>) -> bool {
        self.key(facts).is_some_and(|step| self.scopes.is_suspect(step))
    }

    pub(super) fn complete(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(arrival.facts);
        self.excuse(&of);
        self.scopes.close(&of, &rules::STEP_NOT_OPEN, arrival);
    }

    /// A step that had ended has begun again, under nearly the type of its event; false if it names none.
    pub(super) fn begins_misspelt(&mut self, event: Option<&Node<'_>>) -> bool {
        let Some(raw) = event.and_then(|event| event.get("step")?.as_number()) else { return false };
        let id = Id { key: self.scopes.key(to_f64(raw).to_bits()), text: show_number(raw) };
        let key = id.key;
        let of = Of { kind: 0, group: 0, owner: 0, id: Some(id), slot: STEP };
        let is_over = self.scopes.opened(&of).is_none() && self.scopes.was_opened(&of);
        if is_over {
            self.scopes.suspect(key);
        }
        is_over
    }

    /// A step that nobody saw begin may have begun unseen.
    fn excuse(&mut self, of: &Of<'_>) {
        let Some(id) = of.id.as_ref().map(|id| id.key).filter(|_| self.unseen.starts > 0) else { return };
        let is_known = self.scopes.opened(of).is_some() || self.scopes.was_opened(of) || self.scopes.is_suspect(id);
        if !is_known && spend(&mut self.unseen.starts) {
            self.scopes.suspect(id);
        }
    }

    /// The progress of the task names a step that has ended.
    pub(super) fn progress(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(arrival.facts);
        let Some(id) = &of.id else { return };
        let (step, total) = (arrival.facts.number(STEP), arrival.facts.number(TOTAL_STEPS));
        if step.zip(total).is_some_and(|(step, total)| step > total) {
            // That was said of the event by itself.
            return;
        }
        if self.scopes.is_suspect(id.key) || (self.scopes.opened(&of).is_none() && self.scopes.was_opened(&of)) {
            return;
        }
        // What completed it may have named another step, or was not seen.
        if self.scopes.spend_stray(&of) || self.unseen.spend_end() {
            self.scopes.suspect(id.key);
            return;
        }
        let related = self.scopes.opened(&of).map(|opened| opened.place.related("the step was started here"));
        let message = format!("agent_progress names step {}, which has not been completed", id.text);
        arrival.fault_related(&rules::AGENT_PROGRESS_BEFORE_STEP_COMPLETED, Some(STEP), message, related);
        self.scopes.suspect(id.key);
    }

    /// Reports the last step if it was not completed, at the end of the task.
    pub(super) fn end(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if let Some((message, place)) = self.left_open() {
            arrival.fault_related(&rules::STEP_LEFT_OPEN, None, message, Some(place.related("started here")));
        }
        self.scopes.end(0);
        (self.last, self.unseen) = (None, Unseen::default());
    }

    /// The same, at the end of a stream whose task was stopped.
    pub(super) fn finish(&self, report: &mut Reporter<'_>) {
        if let Some((message, place)) = self.left_open() {
            report.add_at_end(&rules::STEP_LEFT_OPEN, message, Some(place.related("started here")));
        }
    }

    fn left_open(&self) -> Option<(String, Place)> {
        if self.unseen.ends > self.unseen.before {
            return None;
        }
        let opened = self.scopes.unclosed(0).into_iter().find(|opened| Some(opened.id) == self.last)?;
        Some((format!("step {} was started and not completed", opened.label), opened.place))
    }

    /// What came before is not known: any step may have begun in it, and ended.
    pub(super) const fn begin_unseen(&mut self) {
        (self.unseen.starts, self.unseen.ends) = (u32::MAX, u32::MAX);
    }

    /// An event could not be read, which may have begun a step, or ended one.
    pub(super) fn lost(&mut self) {
        self.scopes.lost(0);
        self.unseen.ends = self.unseen.ends.saturating_add(1);
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.scopes.take_overflow()
    }

    pub(super) fn clear(&mut self) {
        self.scopes.clear();
        self.spoken.clear();
        (self.last, self.speaks, self.unseen) = (None, None, Unseen::default());
    }
}
