//! The arguments of tool calls, joined of their pieces.

use std::fmt;

use super::judge::LEAKS;
use super::rules;
use crate::check::Limits;
use crate::check::history::ByKey;
use crate::check::leaks::is_clean_json;
use crate::check::order::Arrival;
use crate::check::scopes::Opened;
use crate::check::tree::Node;
use crate::wire::path::Path;
use crate::wire::scan::SyntaxKind;

/// The arguments of open calls, joined within a bound.
pub(super) struct Arguments {
    limits: Limits,
    /// By the key of a call. Not there where a piece may be missing, or the bound was hit.
    texts: ByKey<String>,
    /// Bytes in `texts`.
    held: usize,
    /// The arguments that were reported last only lack their end.
    broke_off: bool,
    overflowed: bool,
}

impl fmt::Debug for Arguments {
    /// Shows nothing of the arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arguments").field("calls", &self.texts.len()).field("bytes", &self.held).finish_non_exhaustive()
    }
}

impl Arguments {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, texts: ByKey::default(), held: 0, broke_off: false, overflowed: false }
    }

    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    /// A piece of the arguments of some call is missing, or another run begins.
    pub(super) fn clear(&mut self) {
        self.texts = ByKey::default();
        self.held = 0;
    }

    /// A tool call opens.
    pub(super) fn begin(&mut self, id: u64) {
        if self.texts.len() < self.limits.history {
            let before = self.texts.insert(id, String::new());
            self.held -= before.map_or(0, |text| text.len());
        }
    }

    /// A piece of a call's arguments is missing.
    pub(super) fn give_up(&mut self, id: u64) {
        if let Some(text) = self.texts.remove(&id) {
            self.held -= text.len();
        }
    }

    /// The call comes to nothing: its arguments may stop before their end.
    pub(super) fn may_lack_end(&mut self, id: u64) {
        let error = self.texts.get(&id).and_then(|text| Node::parse(text, self.limits.depth).err());
        if error.is_some_and(|error| error.kind == SyntaxKind::UnexpectedEnd) {
            self.give_up(id);
        }
    }

    /// Whether arguments were reported that only lack their end, since this was last asked.
    pub(super) fn take_broke_off(&mut self) -> bool {
        std::mem::take(&mut self.broke_off)
    }

    /// Whether a piece fits into the bound.
    pub(super) const fn has_room(&self, delta: &str) -> bool {
        self.held + delta.len() <= self.limits.text_bytes
    }

    /// A piece of a call's arguments comes.
    pub(super) fn append(&mut self, id: u64, delta: &str) {
        let has_room = self.has_room(delta);
        let Some(text) = self.texts.get_mut(&id) else { return };
        if !has_room {
            self.give_up(id);
            self.overflowed = true;
            return;
        }
        self.held += delta.len();
        text.push_str(delta);
    }

    /// The call, which was open, closes: its arguments have to be JSON, and are looked into.
    /// False if they are none, which is reported.
    pub(super) fn finish(
        &mut self,
        id: u64,
        quiet: bool,
        call: Option<Opened>,
        arrival: &mut Arrival<'_, '_, '_>,
    ) -> bool {
        let Some(text) = self.texts.remove(&id) else { return true };
        self.held -= text.len();
        if quiet || text.is_empty() {
            return true;
        }
        let (depth, bound) = (self.limits.depth, self.limits.inline_units);
        if is_clean_json(&text, depth, bound) == Ok(true) {
            return true;
        }
        // They may have come with other events than the one that closes the call.
        let (name, related) = call.map_or_else(Default::default, |call| {
            (format!(" {}", call.label), Some(call.place.related("opened here")))
        });
        let found = arrival.report.findings.len();
        let parsed = Node::parse(&text, depth);
        match &parsed {
            Ok(node) => {
                LEAKS.report_text(node, &Path::default(), &(0..1), arrival.report);
                for finding in arrival.report.findings.iter_mut().skip(found) {
                    finding.message = format!("in the arguments of tool call{name}, {}", finding.message);
                    finding.related.extend(related.clone());
                }
            }
            Err(error) => {
                self.broke_off = error.kind == SyntaxKind::UnexpectedEnd;
                let message = format!("the arguments of tool call{name} are not JSON: {}", error.kind.describe());
                arrival.fault_related(&rules::TOOL_ARGUMENTS_NOT_JSON, None, message, related);
            }
        }
        parsed.is_ok()
    }
}
