//! The last so many things that have ids.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::polling::budget::{Budget, THING};

/// Things by their ids, in the order in which the ids came; the oldest are dropped.
#[derive(Clone, PartialEq)]
pub(super) struct Recent<T> {
    most: usize,
    next: u64,
    numbers: HashMap<Arc<str>, u64>,
    things: BTreeMap<u64, Thing<T>>,
}

#[derive(Clone, PartialEq)]
struct Thing<T> {
    id: Arc<str>,
    value: T,
    weight: usize,
}

impl<T> Recent<T> {
    pub(super) fn new(most: usize) -> Self {
        Self { most, next: 0, numbers: HashMap::new(), things: BTreeMap::new() }
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.numbers.contains_key(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.things.values().map(|thing| &thing.value)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = (&Arc<str>, &T)> {
        self.things.values().map(|thing| (&thing.id, &thing.value))
    }

    /// Sets the thing of an id, in place if it is there, unless there is no room for its
    /// `bytes`. Says whether another one had to go.
    pub(super) fn set(&mut self, id: &str, value: T, bytes: usize, budget: &mut Budget) -> bool {
        let weight = THING + id.len() + bytes;
        if let Some(thing) = self.numbers.get(id).and_then(|number| self.things.get_mut(number)) {
            if budget.swap(thing.weight, weight) {
                (thing.value, thing.weight) = (value, weight);
            }
            return false;
        }
        if !budget.take(weight) {
            return false;
        }
        let id: Arc<str> = id.into();
        self.numbers.insert(id.clone(), self.next);
        self.things.insert(self.next, Thing { id, value, weight });
        self.next += 1;
        let is_over = self.things.len() > self.most;
        if is_over && let Some((_, oldest)) = self.things.pop_first() {
            self.numbers.remove(&oldest.id);
            budget.give_back(oldest.weight);
        }
        is_over
    }

    pub(super) fn remove(&mut self, id: &str, budget: &mut Budget) {
        let number = self.numbers.remove(id);
        if let Some(thing) = number.and_then(|number| self.things.remove(&number)) {
            budget.give_back(thing.weight);
        }
    }
}
