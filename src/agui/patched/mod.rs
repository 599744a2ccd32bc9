//! Shared state and activities, which patches are applied to.

mod lazy;
mod work;

use std::collections::HashSet;

use crate::check::Limits;
use crate::check::history::ByKey;
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
    has_snapshot: bool,
    /// The activities of which it is known what they are.
    activities: ByKey<Lazy>,
    /// About the bytes of all of them.
    held: usize,
    /// Every activity that was set.
    seen: HashSet<u64>,
    overflowed: bool,
}

impl Patched {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            work: Work::new(),
            state: None,
            has_snapshot: false,
            activities: ByKey::default(),
            held: 0,
            seen: HashSet::new(),
            overflowed: false,
        }
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    /// A delta is missing: what it would have changed is no longer known.
    pub(super) fn doubt(&mut self) {
        self.state = Some(None);
        self.doubt_activities();
    }

    /// The same of the activities alone.
    pub(super) fn doubt_activities(&mut self) {
        self.activities = ByKey::default();
        self.held = 0;
    }

    pub(super) fn doubt_activity(&mut self, id: u64) {
        self.held -= self.activities.remove(&id).map_or(0, |value| value.bytes());
    }

    /// Takes a snapshot; `None` if it cannot be relied on.
    pub(super) fn set_state(&mut self, raw: Option<&str>) {
        self.state = Some(self.value(raw));
        self.has_snapshot = true;
    }

    /// Takes the state that the input of a run says, `None` if it cannot be relied on: it counts where
    /// no snapshot came.
    pub(super) fn begin_with(&mut self, raw: Option<&str>) {
        if !self.has_snapshot {
            self.state = Some(self.value(raw));
        }
    }

    /// Whether an activity was ever set.
    pub(super) fn has_activity(&self, id: u64) -> bool {
        self.seen.contains(&id)
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
        if keeps && self.seen.contains(&id) {
            return;
        }
        self.doubt_activity(id);
        let value = self.value(raw);
        let bytes = value.as_ref().map_or(0, Lazy::bytes);
        let has_room = self.seen.contains(&id) || self.seen.len() < self.limits.history;
        if has_room && self.held + bytes <= self.limits.text_bytes {
            self.seen.insert(id);
            self.activities.extend(value.map(|value| (id, value)));
            self.held += bytes;
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn patch_activity(&mut self, id: u64, raw: Option<&str>) -> Applied {
        let Some(known) = self.activities.remove(&id) else { return Applied::Unknown };
        self.held -= known.bytes();
        let mut value = Some(known);
        let (applied, overflowed) = apply(&mut value, raw, self.limits, &mut self.work);
        self.overflowed |= overflowed;
        let bytes = value.as_ref().map_or(0, Lazy::bytes);
        if self.held.saturating_add(bytes) > self.limits.text_bytes.saturating_mul(2) {
            self.overflowed = true;
        } else {
            self.activities.extend(value.map(|value| (id, value)));
            self.held += bytes;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_doubt_is_let_go_of() {
        let mut patched = Patched::new(Limits::DEFAULT);
        let patch = r#"[{"op":"replace","path":"/a","value":2}]"#;
        for id in 0..1000 {
            patched.set_activity(id, Some(r#"{"a":1}"#), false);
        }
        assert_eq!(patched.patch_activity(7, Some(patch)), Applied::Fits);
        // There is nothing left to go through when the next delta is missing.
        patched.doubt();
        assert_eq!((patched.activities.len(), patched.held, patched.seen.len()), (0, 0, 1000));
        assert_eq!(patched.patch_activity(7, Some(patch)), Applied::Unknown);
        // A snapshot that keeps what is there says nothing of it.
        patched.set_activity(7, Some(r#"{"a":1}"#), true);
        assert_eq!(patched.patch_activity(7, Some(patch)), Applied::Unknown);
        patched.set_activity(7, Some(r#"{"a":1}"#), false);
        assert_eq!(patched.patch_activity(7, Some(patch)), Applied::Fits);
        let removed = patched.patch_activity(7, Some(r#"[{"op":"remove","path":"/b"}]"#));
        assert_eq!(removed, Applied::Failed("[0] (remove /b)".to_owned()));
        assert_eq!((patched.activities.len(), patched.held), (0, 0));
        assert!(!patched.take_overflow());
    }
}
