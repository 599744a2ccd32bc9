//! The tool calls of a run, in the order in which they came.

use crate::check::history::Open;

/// Calls and whether they were answered, within a bound.
#[derive(Debug)]
pub(super) struct Calls {
    order: Vec<(u64, Answer)>,
    places: Open<usize>,
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
        Self { order: Vec::new(), places: Open::new(bound) }
    }

    /// A call that is new; one that is known stays where it is.
    pub(super) fn add(&mut self, id: u64, answer: Answer) {
        if self.places.contains(id) {
            return;
        }
        self.places.insert(id, self.order.len());
        if self.places.contains(id) {
            self.order.push((id, answer));
        }
    }

    /// Whether there is a call of the id.
    pub(super) fn contains(&self, id: u64) -> bool {
        self.places.contains(id)
    }

    /// Notes an answer and gives the one before; `None` if there is no such call.
    pub(super) fn answer(&mut self, id: u64) -> Option<Answer> {
        let (_, answer) = self.order.get_mut(*self.places.get(id)?)?;
        Some(std::mem::replace(answer, Answer::Given))
    }

    /// The calls without an answer.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = u64> {
        self.order.iter().filter(|(_, answer)| *answer == Answer::Open).map(|(id, _)| *id)
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.places.clear();
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        self.places.take_overflow()
    }
}
