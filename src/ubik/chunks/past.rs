//! Groups that are complete: what comes again of them is known.

use std::collections::VecDeque;

use super::error::ChunkError;
use super::fragment::Fragment;
use crate::check::history::{ByKey, Keys};

/// How many fragments are known again; each group counts as eight more.
const KEPT: usize = 65_536;

/// A group that was completed, as keys.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) total: u64,
    pub(super) event_type: u64,
    /// The key of each fragment, by index.
    pub(super) parts: Vec<u64>,
}

impl Done {
    fn weight(&self) -> usize {
        self.parts.len() + 8
    }

    /// Fails unless the fragment came before.
    pub(super) fn repeats(&self, keys: &Keys, fragment: &Fragment<'_>, index: u64) -> Result<(), ChunkError> {
        if fragment.total != Some(self.total) || keys.of(fragment.original_type) != self.event_type {
            return Err(ChunkError::GroupDisagrees);
        }
        let known = usize::try_from(index).ok().and_then(|index| self.parts.get(index));
        let same = known == Some(&part_key(keys, index, &fragment.data.wtf8()));
        if same { Ok(()) } else { Err(ChunkError::IndexConflict) }
    }
}

/// The key of a fragment within its group.
pub(super) fn part_key(keys: &Keys, index: u64, data: &[u8]) -> u64 {
    keys.of((index, data))
}

/// The groups that were completed last, at least one.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    groups: ByKey<Done>,
    order: VecDeque<u64>,
    weight: usize,
}

impl Past {
    pub(super) fn get(&self, key: u64) -> Option<&Done> {
        self.groups.get(&key)
    }

    pub(super) fn insert(&mut self, key: u64, done: Done) {
        self.weight += done.weight();
        self.order.push_back(key);
        self.groups.insert(key, done);
        while self.weight > KEPT && self.order.len() > 1 {
            self.drop_oldest();
        }
    }

    /// Forgets all but the last so many.
    pub(super) fn keep(&mut self, count: usize) {
        while self.order.len() > count {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let oldest = self.order.pop_front().and_then(|key| self.groups.remove(&key));
        self.weight -= oldest.map_or(0, |done| done.weight());
    }
}
