//! What deltas are joined and applied to: arguments, shared state, activities.

use std::collections::HashMap;

use json_patch::{Patch, PatchOperation};
use serde_json::Value;

use super::judge::LEAKS;
use super::rules;
use crate::check::Limits;
use crate::check::order::Arrival;
use crate::check::scopes::Of;
use crate::check::tree::Node;
use crate::safe::show;
use crate::wire::path::Path;

/// The arguments of open calls, joined within a bound.
#[derive(Debug)]
pub(super) struct Arguments {
    limits: Limits,
    /// `None` where a piece may be missing, or the bound was hit.
    calls: HashMap<u64, Option<String>>,
    /// Bytes in `calls`.
    held: usize,
    overflowed: bool,
}

impl Arguments {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, calls: HashMap::new(), held: 0, overflowed: false }
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    pub(super) fn clear(&mut self) {
        self.calls.clear();
        self.held = 0;
    }

    /// A tool call opens.
    pub(super) fn begin(&mut self, id: u64) {
        if self.calls.len() < self.limits.history {
            let before = self.calls.insert(id, Some(String::new()));
            self.held -= before.flatten().map_or(0, |text| text.len());
        }
    }

    /// A piece of the arguments of some call is missing.
    pub(super) fn taint(&mut self) {
        self.calls.values_mut().for_each(|text| *text = None);
        self.held = 0;
    }

    /// A piece of a call's arguments comes.
    pub(super) fn append(&mut self, id: u64, delta: &str) {
        let Some(slot) = self.calls.get_mut(&id) else { return };
        let Some(text) = slot else { return };
        if self.held + delta.len() > self.limits.text_bytes {
            self.held -= text.len();
            *slot = None;
            self.overflowed = true;
            return;
        }
        self.held += delta.len();
        text.push_str(delta);
    }

    /// The call closes: its arguments have to be JSON, and are looked into. False if they
    /// are none, which is reported.
    pub(super) fn finish(&mut self, id: u64, quiet: bool, of: &Of<'_>, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some(Some(text)) = self.calls.remove(&id) else { return true };
        self.held -= text.len();
        if quiet || text.is_empty() {
            return true;
        }
        match Node::parse(&text, self.limits.depth) {
            Ok(node) => {
                LEAKS.report_text(&node, &Path::default(), &(0..1), self.limits.inline_units, arrival.report);
                true
            }
            Err(error) => {
                let name = of.id.as_ref().map_or_else(Default::default, |id| show(&id.text));
                let message =
                    format!("the joined arguments of tool call {name} are not JSON: {}", error.kind.describe());
                arrival.fault(&rules::TOOL_ARGUMENTS_NOT_JSON, None, message);
                false
            }
        }
    }
}

/// What became of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    Fits,
    Failed,
    /// Nothing came that it could apply to.
    NoBase,
    /// What it applies to is not known, or its failure follows from one that was reported.
    Unknown,
}

/// Shared state and activities, within a bound.
#[derive(Debug)]
pub(super) struct Patched {
    limits: Limits,
    state: Option<Base>,
    /// A state came, known or not.
    has_state: bool,
    activities: HashMap<u64, Base>,
    overflowed: bool,
}

/// The most activities whose content is kept.
const ACTIVITIES: usize = 256;

impl Patched {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, state: None, has_state: false, activities: HashMap::new(), overflowed: false }
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    /// A delta is missing: the next one that does not apply may follow from that.
    pub(super) fn doubt(&mut self) {
        self.has_state = true;
        self.state.iter_mut().chain(self.activities.values_mut()).for_each(|base| base.doubtful = true);
    }

    pub(super) fn doubt_activity(&mut self, id: u64) {
        if let Some(base) = self.activities.get_mut(&id) {
            base.doubtful = true;
        }
    }

    /// Takes a snapshot; `None` if it cannot be relied on.
    pub(super) fn set_state(&mut self, raw: Option<&str>) {
        self.has_state = true;
        self.state = self.base(raw);
    }

    pub(super) fn patch_state(&mut self, raw: Option<&str>) -> Applied {
        let Some(base) = &mut self.state else {
            return if std::mem::replace(&mut self.has_state, true) { Applied::Unknown } else { Applied::NoBase };
        };
        let Some(applied) = raw.and_then(|raw| base.apply(raw, self.limits)) else {
            self.state = None;
            self.overflowed = true;
            return Applied::Unknown;
        };
        applied
    }

    pub(super) fn set_activity(&mut self, id: u64, raw: Option<&str>, keeps: bool) {
        if keeps && self.activities.contains_key(&id) {
            return;
        }
        self.activities.remove(&id);
        let Some(base) = self.base(raw) else { return };
        let held: usize = self.activities.values().map(|base| base.bytes).sum();
        if self.activities.len() < ACTIVITIES && held + base.bytes <= self.limits.text_bytes {
            self.activities.insert(id, base);
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn patch_activity(&mut self, id: u64, raw: Option<&str>) -> Applied {
        let Some(base) = self.activities.get_mut(&id) else { return Applied::Unknown };
        let Some(applied) = raw.and_then(|raw| base.apply(raw, self.limits)) else {
            self.activities.remove(&id);
            self.overflowed = true;
            return Applied::Unknown;
        };
        applied
    }

    fn base(&mut self, raw: Option<&str>) -> Option<Base> {
        let raw = raw?;
        if raw.len() > self.limits.text_bytes {
            self.overflowed = true;
            return None;
        }
        let value = serde_json::from_str(raw).ok()?;
        Some(Base { value, bytes: raw.len(), depth: brackets(raw), doubtful: false })
    }
}

/// A value that patches are applied to, with upper bounds of its size.
#[derive(Debug)]
struct Base {
    value: Value,
    bytes: usize,
    depth: usize,
    /// A delta was missing or failed, so another failure may follow from that.
    doubtful: bool,
}

impl Base {
    /// Applies a patch; `None` if the value would grow beyond the bounds.
    fn apply(&mut self, raw: &str, limits: Limits) -> Option<Applied> {
        let Ok(patch) = serde_json::from_str::<Patch>(raw) else { return Some(Applied::Unknown) };
        let (bytes, depth) = (raw.len(), brackets(raw));
        // Measured before it is applied: a value that is too deep overflows the stack.
        if !self.has_room(bytes, depth, limits) {
            (self.bytes, self.depth) = measure(&self.value);
            if !self.has_room(bytes, depth, limits) {
                return None;
            }
        }
        let copies =
            |operation: &PatchOperation| matches!(operation, PatchOperation::Copy(_) | PatchOperation::Move(_));
        let fits = if patch.0.iter().any(|operation| copies(operation) || is_of_root(operation)) {
            self.apply_singly(&patch, limits)?
        } else {
            self.bytes += bytes;
            self.depth += depth;
            json_patch::patch(&mut self.value, &patch).is_ok()
        };
        let doubtful = self.doubtful;
        self.doubtful |= !fits;
        Some(match (fits, doubtful) {
            (true, _) => Applied::Fits,
            (false, true) => Applied::Unknown,
            (false, false) => Applied::Failed,
        })
    }

    fn has_room(&self, bytes: usize, depth: usize, limits: Limits) -> bool {
        self.bytes + bytes <= limits.text_bytes && self.depth + depth <= usize::from(limits.depth)
    }

    /// Copies can double a value and moves can nest it, each of them anew.
    fn apply_singly(&mut self, patch: &Patch, limits: Limits) -> Option<bool> {
        let mut value = self.value.clone();
        for operation in &patch.0 {
            match operation {
                // The reducer's library takes these two for what they say.
                PatchOperation::Remove(remove) if remove.path.as_str().is_empty() => value = Value::Null,
                PatchOperation::Move(same) if same.path == same.from => {
                    if value.pointer(same.from.as_str()).is_none() {
                        return Some(false);
                    }
                }
                _ => {
                    if json_patch::patch(&mut value, std::slice::from_ref(operation)).is_err() {
                        return Some(false);
                    }
                }
            }
            (self.bytes, self.depth) = measure(&value);
            if !self.has_room(0, 0, limits) {
                return None;
            }
        }
        self.value = value;
        Some(true)
    }
}

fn is_of_root(operation: &PatchOperation) -> bool {
    matches!(operation, PatchOperation::Remove(remove) if remove.path.as_str().is_empty())
}

/// An upper bound of the nesting of JSON text.
fn brackets(raw: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in raw.bytes() {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Size and depth of a value.
fn measure(value: &Value) -> (usize, usize) {
    let sum = |sizes: &mut dyn Iterator<Item = (usize, usize)>| {
        sizes.fold((2, 0), |(bytes, depth), (more, below)| (bytes + more, depth.max(below)))
    };
    match value {
        Value::String(text) => (text.len() + 2, 0),
        Value::Array(items) => {
            let (bytes, depth) = sum(&mut items.iter().map(measure));
            (bytes, depth + 1)
        }
        Value::Object(members) => {
            let (bytes, depth) = sum(&mut members.iter().map(|(key, value)| {
                let (bytes, depth) = measure(value);
                (bytes + key.len() + 3, depth)
            }));
            (bytes, depth + 1)
        }
        _ => (8, 0),
    }
}
