//! Shared state and activities, which patches are applied to.

mod lazy;
mod work;

use std::collections::HashMap;

use crate::check::Limits;
use lazy::{Halt, Lazy};
use work::Work;

/// What became of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    Fits,
    /// With the operation that does not apply, as messages show it.
    Failed(String),
    /// Nothing came that it could apply to.
    NoBase,
    /// What it applies to is not known, or its failure follows from one that was reported.
    Unknown,
}

/// Shared state and activities, within a bound.
#[derive(Debug)]
pub(super) struct Patched {
    limits: Limits,
    work: Work,
    /// `None` before one came; `Some(None)` where it is not known what it is.
    state: Option<Option<Lazy>>,
    activities: HashMap<u64, Option<Lazy>>,
    /// About the bytes of all activities.
    held: usize,
    overflowed: bool,
}

impl Patched {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, work: Work::new(), state: None, activities: HashMap::new(), held: 0, overflowed: false }
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    /// A delta is missing: what it would have changed is no longer known.
    pub(super) fn doubt(&mut self) {
        self.state = Some(None);
        self.activities.values_mut().for_each(|value| *value = None);
        self.held = 0;
    }

    pub(super) fn doubt_activity(&mut self, id: u64) {
        if let Some(value) = self.activities.get_mut(&id) {
            self.held -= value.take().map_or(0, |value| value.bytes());
        }
    }

    /// Takes a snapshot; `None` if it cannot be relied on.
    pub(super) fn set_state(&mut self, raw: Option<&str>) {
        self.state = Some(self.value(raw));
    }

    pub(super) fn patch_state(&mut self, raw: Option<&str>) -> Applied {
        let Some(state) = &mut self.state else {
            self.state = Some(None);
            return Applied::NoBase;
        };
        let (applied, overflowed) = apply(state, raw, self.limits, &mut self.work);
        self.overflowed |= overflowed;
        applied
    }

    pub(super) fn set_activity(&mut self, id: u64, raw: Option<&str>, keeps: bool) {
        if keeps && self.activities.contains_key(&id) {
            return;
        }
        self.doubt_activity(id);
        let value = self.value(raw);
        let bytes = value.as_ref().map_or(0, Lazy::bytes);
        let is_known = self.activities.contains_key(&id) || self.activities.len() < self.limits.history;
        if is_known && self.held + bytes <= self.limits.text_bytes {
            self.activities.insert(id, value);
            self.held += bytes;
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn patch_activity(&mut self, id: u64, raw: Option<&str>) -> Applied {
        let Some(value) = self.activities.get_mut(&id) else { return Applied::Unknown };
        self.held -= value.as_ref().map_or(0, Lazy::bytes);
        let (applied, overflowed) = apply(value, raw, self.limits, &mut self.work);
        self.overflowed |= overflowed;
        self.held += value.as_ref().map_or(0, Lazy::bytes);
        if self.held > 2 * self.limits.text_bytes {
            self.doubt_activity(id);
            self.overflowed = true;
        }
        applied
    }

    fn value(&mut self, raw: Option<&str>) -> Option<Lazy> {
        let raw = raw?;
        self.work.earn(raw.len());
        if raw.len() > self.limits.text_bytes {
            self.overflowed = true;
            return None;
        }
        Some(Lazy::new(raw))
    }
}

/// Applies a patch to a value, which is forgotten if that fails; whether a bound was hit.
fn apply(value: &mut Option<Lazy>, raw: Option<&str>, limits: Limits, work: &mut Work) -> (Applied, bool) {
    let (Some(known), Some(raw)) = (&mut *value, raw) else { return (Applied::Unknown, false) };
    work.earn(raw.len());
    let applied = known.apply(raw, limits, work);
    if applied.is_err() {
        *value = None;
    }
    match applied {
        Ok(()) => (Applied::Fits, false),
        Err(Halt::Failed(operation)) => (Applied::Failed(operation), false),
        Err(Halt::Unclear) => (Applied::Unknown, false),
        Err(Halt::GivenUp) => (Applied::Unknown, true),
    }
}
