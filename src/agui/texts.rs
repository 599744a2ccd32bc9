//! What deltas are joined and applied to: arguments, shared state, activities.

use std::collections::HashMap;

use serde_json::Value;

use super::rules;
use crate::check::Limits;
use crate::check::finding::Report;
use crate::check::secret::{is_token_counter, walk_keys};
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
    state: Option<Value>,
    activities: HashMap<u64, Value>,
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
        apply(self.state.as_mut()?, raw?)
    }

    pub(super) fn set_activity(&mut self, id: u64, raw: Option<&str>, keeps: bool) {
        if keeps && self.activities.contains_key(&id) {
            return;
        }
        match self.value(raw).filter(|_| self.activities.len() < self.limits.history) {
            Some(value) => {
                self.activities.insert(id, value);
            }
            None => {
                self.activities.remove(&id);
            }
        }
    }

    pub(super) fn patch_activity(&mut self, id: u64, raw: Option<&str>) -> Option<bool> {
        apply(self.activities.get_mut(&id)?, raw?)
    }

    fn value(&mut self, raw: Option<&str>) -> Option<Value> {
        let raw = raw?;
        if raw.len() > self.limits.text_bytes {
            self.overflowed = true;
            return None;
        }
        serde_json::from_str(raw).ok()
    }
}

fn apply(value: &mut Value, patch: &str) -> Option<bool> {
    let patch: json_patch::Patch = serde_json::from_str(patch).ok()?;
    Some(json_patch::patch(value, &patch).is_ok())
}

/// Looks for secrets and size in a value that arrived as text.
pub(super) fn inspect(node: &Node<'_>, path: &Path, span: std::ops::Range<usize>, limits: Limits, report: &mut Report<'_>) {
    walk_keys(node, &mut path.clone(), &mut |_, member| {
        let exempt = is_token_counter(&member.key, member.node.kind());
        if !exempt {
            report.add(&rules::SECRET_KEY, path, span.clone(), "a key in the JSON text names a secret");
        }
        !exempt
    });
    let units = json_units(node);
    if units > limits.inline_units {
        let message = format!("{units} UTF-16 units of JSON text, more than {}", limits.inline_units);
        report.add(&rules::LARGE_INLINE_VALUE, path, span, message);
    }
}
