//! An event in its turn, and where what it breaks is reported.

use super::super::event::EventType;
use super::super::facts::member_of;
use crate::check::Related;
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Report;
use crate::check::rule::RuleRef;
use crate::wire::path::Path;
use crate::wire::span::Location;

/// Where something was opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) key: u64,
    pub(super) event: Option<u64>,
    location: Location,
}

impl Opened {
    pub(super) fn related(&self, message: &str) -> Related {
        Related { message: message.into(), event: self.event, location: self.location }
    }
}

pub(super) struct Turn<'t, 'f, 'r> {
    pub(super) facts: &'t Facts<'f>,
    pub(super) event: Option<EventType>,
    pub(super) run: u64,
    /// One fault more may follow from what was reported already.
    pub(super) forgives: bool,
    pub(super) report: &'t mut Report<'r>,
}

impl Turn<'_, '_, '_> {
    pub(super) fn opened(&self, key: u64) -> Opened {
        Opened { key, event: self.report.event, location: self.report.start() }
    }

    pub(super) fn fault(&mut self, rule: RuleRef, slot: Option<u8>, message: String) {
        self.fault_at(rule, slot, message, None);
    }

    pub(super) fn fault_at(&mut self, rule: RuleRef, slot: Option<u8>, message: String, related: Option<Related>) {
        if std::mem::take(&mut self.forgives) {
            return;
        }
        let (path, span) = match slot {
            Some(slot) if self.facts.kind(slot) != FactKind::Absent => {
                (member_of(slot).map_or_else(Path::default, Path::of), self.facts.span(slot))
            }
            _ => (Path::default(), self.facts.tag_span("type")),
        };
        self.report.add_related(rule, &path, span, message, related);
    }
}
