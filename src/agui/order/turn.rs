//! One event being taken in, and how it is reported.

use super::*;

/// One event being taken in.
pub(super) struct Turn<'t, 'f, 'r> {
    pub(super) facts: &'t Facts<'f>,
    pub(super) broken: bool,
    pub(super) event: EventType,
    pub(super) report: &'t mut Report<'r>,
}

impl Turn<'_, '_, '_> {
    pub(super) fn index(&self) -> u64 {
        self.report.event.unwrap_or(0)
    }

    pub(super) fn fault(&mut self, rule: RuleRef, slot: Option<u8>, message: String) {
        self.emit(rule, slot, message, None);
    }

    pub(super) fn fault_at(&mut self, rule: RuleRef, slot: u8, message: String, related: Option<Related>) {
        self.emit(rule, Some(slot), message, related);
    }

    pub(super) fn fault_related(&mut self, rule: RuleRef, message: String, related: Related) {
        self.emit(rule, None, message, Some(related));
    }

    pub(super) fn emit(&mut self, rule: RuleRef, slot: Option<u8>, message: String, related: Option<Related>) {
        if self.broken {
            return;
        }
        let slot = slot.filter(|slot| self.facts.kind(*slot) != FactKind::Absent);
        let (path, span) = match slot {
            Some(slot) => (member_of(slot).map(Path::of).unwrap_or_default(), self.facts.span(slot)),
            None => (Path::default(), self.facts.tag_span("type")),
        };
        self.report.add_related(rule, &path, span, message, related);
    }
}
