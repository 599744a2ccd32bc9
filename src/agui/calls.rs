//! The tool calls of a run, in the order in which they came.

use std::collections::BTreeSet;

use crate::check::history::Open;

/// Calls and whether they were answered, within a bound.
#[derive(Debug)]
pub(super) struct Calls {
    order: Vec<(u64, Answer)>,
    places: Open<usize>,
    /// The places of those without an answer.
    unanswered: BTreeSet<usize>,
}

/// Whether a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Open,
    /// By an event of this run.
    Given,
    /// In a list of messages, so this run does not have to answer it.
    Before,
}

impl Calls {
    pub(super) fn new(bound: usize) -> Self {
        Self { order: Vec::new(), places: Open::new(bound), unanswered: BTreeSet::new() }
    }

    /// A call that is new; one that is known stays where it is.
    pub(super) fn add(&mut self, id: u64, answer: Answer) {
        if self.places.contains(id) {
            return;
        }
        let place = self.order.len();
        self.places.insert(id, place);
        if self.places.contains(id) {
            self.order.push((id, answer));
            if answer == Answer::Open {
                self.unanswered.insert(place);
            }
        }
    }

    /// Whether there is a call of the id.
    pub(super) fn contains(&self, id: u64) -> bool {
        self.places.contains(id)
    }

    /// Notes an answer and gives the one before; `None` if there is no such call.
    pub(super) fn answer(&mut self, id: u64) -> Option<Answer> {
        let place = *self.places.get(id)?;
        let (_, answer) = self.order.get_mut(place)?;
        self.unanswered.remove(&place);
        Some(std::mem::replace(answer, Answer::Given))
    }

    /// The calls without an answer.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = u64> {
        self.unanswered.iter().filter_map(|place| self.order.get(*place)).map(|(id, _)| *id)
    }

    /// How many those are.
    pub(super) fn count_unanswered(&self) -> usize {
        self.unanswered.len()
    }

    /// Whether the call of this id is one of them.
    pub(super) fn is_unanswered(&self, id: u64) -> bool {
        self.places.get(id).is_some_and(|place| self.unanswered.contains(place))
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.places.clear();
        self.unanswered.clear();
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        self.places.take_overflow()
    }
}
