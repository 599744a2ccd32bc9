//! The tool calls of a run, in the order in which they came.

use crate::check::history::Open;

/// Calls and whether they were answered, within a bound.
#[derive(Debug)]
pub(super) struct Calls {
    order: Vec<(u64, bool)>,
    places: Open<usize>,
}

impl Calls {
    pub(super) fn new(bound: usize) -> Self {
        Self { order: Vec::new(), places: Open::new(bound) }
    }

    /// A call that is new; one that is known stays where it is.
    pub(super) fn add(&mut self, id: u64, answered: bool) {
        if self.places.contains(id) {
            return;
        }
        self.places.insert(id, self.order.len());
        if self.places.contains(id) {
            self.order.push((id, answered));
        }
    }

    /// Notes the answer; false if there is no such call.
    pub(super) fn answer(&mut self, id: u64) -> bool {
        let Some(place) = self.places.get(id) else { return false };
        self.order[*place].1 = true;
        true
    }

    /// The calls without an answer.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = u64> {
        self.order.iter().filter(|(_, answered)| !answered).map(|(id, _)| *id)
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.places.clear();
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        self.places.take_overflow()
    }
}
