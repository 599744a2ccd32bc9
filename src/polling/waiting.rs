//! What waits for the user, in the order in which it came.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use super::budget::{Budget, THING};

/// Things that wait, and the keys of those that do not any more.
#[derive(Clone, PartialEq)]
pub(super) struct Waiting<K: Eq + Hash, T> {
    pending: Recent<K, T>,
    resolved: Recent<K, ()>,
}

impl<K: Clone + Eq + Hash, T> Waiting<K, T> {
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

    pub(super) fn is_resolved(&self, key: &K) -> bool {
        self.resolved.numbers.contains_key(key)
    }

    /// Takes what waits from now on, in its place if it waits already, unless there is no room for its `bytes`. Says
    /// whether another one had to go.
    pub(super) fn require(
        &mut self,
        key: K,
        value: T,
        batch: Option<Arc<str>>,
        bytes: usize,
        budget: &mut Budget,
    ) -> bool {
        self.pending.set(key, value, batch, bytes, budget)
    }

    /// Takes what does not wait any more; its key takes so many bytes.
    pub(super) fn resolve(&mut self, key: K, bytes: usize, budget: &mut Budget) {
        self.pending.remove(&key, budget);
        self.resolved.set(key, (), None, bytes, budget);
    }

    /// The keys of what waits of a batch.
    pub(super) fn of_batch(&self, batch: &str) -> Vec<K> {
        let numbers = self.pending.batches.get(batch).into_iter().flatten();
        numbers.filter_map(|number| self.pending.things.get(number)).map(|thing| thing.key.clone()).collect()
    }
}

/// Things by their keys, in the order in which the keys came; the oldest are dropped.
#[derive(Clone, PartialEq)]
struct Recent<K: Eq + Hash, T> {
    most: usize,
    next: u64,
    numbers: HashMap<K, u64>,
    batches: HashMap<Arc<str>, BTreeSet<u64>>,
    things: BTreeMap<u64, Thing<K, T>>,
}

#[derive(Clone, PartialEq)]
struct Thing<K, T> {
    key: K,
    value: T,
    batch: Option<Arc<str>>,
    weight: usize,
}

impl<K: Clone + Eq + Hash, T> Recent<K, T> {
    fn new(most: usize) -> Self {
        Self { most, next: 0, numbers: HashMap::new(), batches: HashMap::new(), things: BTreeMap::new() }
    }

    fn set(&mut self, key: K, value: T, batch: Option<Arc<str>>, bytes: usize, budget: &mut Budget) -> bool {
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
            self.batches.entry(batch.clone()).or_default().insert(number);
        }
        self.things.insert(number, Thing { key, value, batch, weight });
        let is_over = self.things.len() > self.most;
        if is_over && let Some((&oldest, _)) = self.things.first_key_value() {
            budget.give_back(self.take_out(oldest));
        }
        is_over
    }

    fn remove(&mut self, key: &K, budget: &mut Budget) {
        if let Some(number) = self.numbers.get(key) {
            budget.give_back(self.take_out(*number));
        }
    }

    /// Gives its weight.
    fn take_out(&mut self, number: u64) -> usize {
        let Some(thing) = self.things.remove(&number) else { return 0 };
        self.numbers.remove(&thing.key);
        if let Some(batch) = thing.batch
            && let Entry::Occupied(mut numbers) = self.batches.entry(batch)
        {
            numbers.get_mut().remove(&number);
            if numbers.get().is_empty() {
                numbers.remove();
            }
        }
        thing.weight
    }
}
