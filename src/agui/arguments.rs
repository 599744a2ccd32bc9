//! The arguments of tool calls, joined of their pieces.

use std::collections::HashMap;

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
