//! What waits for the user, in the order in which it came.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::budget::{Budget, THING};

/// Things that wait, and the keys of those that do not any more.
#[derive(Clone, PartialEq)]
pub(super) struct Waiting<T> {
    pending: Recent<T>,
    resolved: Recent<()>,
}

impl<T> Waiting<T> {
    /// At most so many things wait, and so many keys of others are known; the oldest are dropped.
    pub(super) fn new(pending: usize, resolved: usize) -> Self {
        Self { pending: Recent::new(pending), resolved: Recent::new(resolved) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pending.things.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.pending.things.values().map(|thing| &thing.value)
    }

    pub(super) fn is_resolved(&self, key: &str) -> bool {
        self.resolved.numbers.contains_key(key)
    }

    /// Takes what waits from now on, in its place if it waits already, unless there is no room for its `bytes`. Says
    /// whether another one had to go.
    pub(super) fn require(
        &mut self,
        key: Arc<str>,
        value: T,
        batch: Option<Arc<str>>,
        bytes: usize,
        budget: &mut Budget,
    ) -> bool {
        self.pending.set(key, value, batch, bytes, budget)
    }

    /// Takes what does not wait any more; its key takes so many bytes.
    pub(super) fn resolve(&mut self, key: Arc<str>, bytes: usize, budget: &mut Budget) {
        self.pending.remove(&key, budget);
        self.resolved.set(key, (), None, bytes, budget);
    }

    /// The keys of what waits of a batch.
    pub(super) fn of_batch(&self, batch: &str) -> Vec<Arc<str>> {
        let batch: Arc<str> = batch.into();
        let numbers = self.pending.batches.range((batch.clone(), 0)..=(batch, u64::MAX));
        numbers.filter_map(|(_, number)| self.pending.things.get(number)).map(|thing| thing.key.clone()).collect()
    }
}

/// Things by their keys, in the order in which the keys came; the oldest are dropped.
#[derive(Clone, PartialEq)]
struct Recent<T> {
    most: usize,
    next: u64,
    numbers: HashMap<Arc<str>, u64>,
    batches: BTreeSet<(Arc<str>, u64)>,
    things: BTreeMap<u64, Thing<T>>,
}

#[derive(Clone, PartialEq)]
struct Thing<T> {
    key: Arc<str>,
    value: T,
    batch: Option<Arc<str>>,
    weight: usize,
}

impl<T> Recent<T> {
    fn new(most: usize) -> Self {
        Self { most, next: 0, numbers: HashMap::new(), batches: BTreeSet::new(), things: BTreeMap::new() }
    }

    fn set(&mut self, key: Arc<str>, value: T, batch: Option<Arc<str>>, bytes: usize, budget: &mut Budget) -> bool {
        let known = self.numbers.get(&key).copied();
        let before = known.and_then(|number| self.things.get(&number)).map_or(0, |thing| thing.weight);
        let weight = THING + bytes;
        if !budget.swap(before, weight) {
            return false;
        }
        let number = known.unwrap_or(self.next);
        self.take_out(number);
        self.next = self.next.max(number + 1);
        self.numbers.insert(key.clone(), number);
        if let Some(batch) = &batch {
            self.batches.insert((batch.clone(), number));
        }
        self.things.insert(number, Thing { key, value, batch, weight });
        let is_over = self.things.len() > self.most;
        if is_over && let Some((&oldest, _)) = self.things.first_key_value() {
            budget.give_back(self.take_out(oldest));
        }
        is_over
    }

    fn remove(&mut self, key: &str, budget: &mut Budget) {
        if let Some(number) = self.numbers.get(key) {
            budget.give_back(self.take_out(*number));
        }
    }

    /// Gives its weight.
    fn take_out(&mut self, number: u64) -> usize {
        let Some(thing) = self.things.remove(&number) else { return 0 };
        self.numbers.remove(&thing.key);
        if let Some(batch) = thing.batch {
            self.batches.remove(&(batch, number));
        }
        thing.weight
    }
}
