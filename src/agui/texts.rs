//! What deltas are joined and applied to: arguments, shared state, activities.

use std::collections::HashMap;

use json_patch::{Patch, PatchOperation};
use serde_json::Value;

use super::rules;
use crate::check::Limits;
use crate::check::finding::Report;
use crate::check::secret::walk_secret_keys;
use crate::check::size::json_units;
use crate::check::tree::Node;
use crate::wire::path::Path;
use crate::wire::scan::validate;

/// Texts and values that are kept while they are open, within a bound.
#[derive(Debug)]
pub(super) struct Texts {
    limits: Limits,
    /// Joined arguments; `None` where nothing came yet or the bound was hit.
    calls: HashMap<u64, Option<String>>,
    /// Bytes in `calls`.
    held: usize,
    state: Option<Patched>,
    activities: HashMap<u64, Patched>,
    overflowed: bool,
}

impl Texts {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, calls: HashMap::new(), held: 0, state: None, activities: HashMap::new(), overflowed: false }
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    pub(super) fn clear_calls(&mut self) {
        self.calls.clear();
        self.held = 0;
    }

    /// A tool call opens.
    pub(super) fn begin(&mut self, id: u64) {
        if self.calls.len() < self.limits.history {
            self.calls.insert(id, Some(String::new()));
        }
    }

    /// A piece of its arguments comes.
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

    /// The call closes: its arguments have to be JSON, and are looked into.
    pub(super) fn finish(&mut self, id: u64, quiet: bool, report: &mut Report<'_>) {
        let Some(Some(text)) = self.calls.remove(&id) else { return };
        self.held -= text.len();
        if quiet || text.is_empty() {
            return;
        }
        let here = Path::default();
        if validate(&text, self.limits.depth).is_err() {
            report.add(&rules::TOOL_ARGUMENTS_NOT_JSON, &here, 0..1, "the joined arguments are not a JSON text");
        } else if let Ok(node) = Node::parse(&text, self.limits.depth) {
            inspect(&node, &here, 0..1, self.limits, report);
        }
    }

    pub(super) fn set_state(&mut self, raw: Option<&str>) {
        self.state = self.value(raw);
    }

    /// Whether the patch applies; `None` where there is nothing to apply it to.
    pub(super) fn patch_state(&mut self, raw: Option<&str>) -> Option<bool> {
        let fits = self.state.as_mut()?.apply(raw?, self.limits)?;
        if !self.state.as_mut()?.is_within(self.limits) {
            self.state = None;
            self.overflowed = true;
        }
        Some(fits)
    }

    pub(super) fn set_activity(&mut self, id: u64, raw: Option<&str>, keeps: bool) {
        if keeps && self.activities.contains_key(&id) {
            return;
        }
        self.activities.remove(&id);
        let Some(value) = self.value(raw) else { return };
        let held: usize = self.activities.values().map(|value| value.bytes).sum();
        if self.activities.len() < ACTIVITIES && held + value.bytes <= self.limits.text_bytes {
            self.activities.insert(id, value);
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn patch_activity(&mut self, id: u64, raw: Option<&str>) -> Option<bool> {
        let fits = self.activities.get_mut(&id)?.apply(raw?, self.limits)?;
        if !self.activities.get_mut(&id)?.is_within(self.limits) {
            self.activities.remove(&id);
            self.overflowed = true;
        }
        Some(fits)
    }

    fn value(&mut self, raw: Option<&str>) -> Option<Patched> {
        let raw = raw?;
        if raw.len() > self.limits.text_bytes {
            self.overflowed = true;
            return None;
        }
        let value = serde_json::from_str(raw).ok()?;
        Some(Patched { value, bytes: raw.len(), depth: brackets(raw) })
    }
}

/// The most activities whose content is kept.
const ACTIVITIES: usize = 256;

/// A value that patches have been applied to, with upper bounds of its size.
#[derive(Debug)]
struct Patched {
    value: Value,
    bytes: usize,
    depth: usize,
}

impl Patched {
    /// Whether the patch applies; `None` if it is no patch.
    fn apply(&mut self, raw: &str, limits: Limits) -> Option<bool> {
        let patch: Patch = serde_json::from_str(raw).ok()?;
        if patch.0.iter().any(|operation| matches!(operation, PatchOperation::Copy(_) | PatchOperation::Move(_))) {
            return Some(self.apply_singly(&patch, limits));
        }
        self.bytes = self.bytes.saturating_add(raw.len());
        self.depth = self.depth.saturating_add(brackets(raw));
        Some(json_patch::patch(&mut self.value, &patch).is_ok())
    }

    /// Copies can double a value and moves can nest it, each of them anew.
    fn apply_singly(&mut self, patch: &Patch, limits: Limits) -> bool {
        let mut trial = Self { value: self.value.clone(), bytes: 0, depth: 0 };
        for operation in &patch.0 {
            if json_patch::patch(&mut trial.value, std::slice::from_ref(operation)).is_err() {
                return false;
            }
            if !trial.remeasured(limits) {
                break;
            }
        }
        *self = trial;
        true
    }

    fn remeasured(&mut self, limits: Limits) -> bool {
        (self.bytes, self.depth) = measure(&self.value);
        self.bytes <= limits.text_bytes && self.depth <= usize::from(limits.depth)
    }

    fn is_within(&mut self, limits: Limits) -> bool {
        (self.bytes <= limits.text_bytes && self.depth <= usize::from(limits.depth)) || self.remeasured(limits)
    }
}

/// An upper bound of the nesting of JSON text.
fn brackets(raw: &str) -> usize {
    raw.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count()
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

/// Looks for secrets and size in a value that arrived as text.
pub(super) fn inspect(
    node: &Node<'_>,
    path: &Path,
    span: std::ops::Range<usize>,
    limits: Limits,
    report: &mut Report<'_>,
) {
    walk_secret_keys(node, path, &mut |_, _| {
        report.add(&rules::SECRET_KEY, path, span.clone(), "a key in the JSON text names a secret");
    });
    let units = json_units(node);
    if units > limits.inline_units {
        let message = format!("{units} UTF-16 units of JSON text, more than {}", limits.inline_units);
        report.add(&rules::LARGE_INLINE_VALUE, path, span, message);
    }
}
