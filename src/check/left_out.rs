//! Findings that are counted and not kept.

use super::rule::Severity;

/// How many findings of each severity were left out where only so many are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    errors: u64,
    warnings: u64,
    notes: u64,
}

impl LeftOut {
    pub(crate) fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }

    pub(crate) const fn of(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Note => self.notes,
        }
    }

    /// What is said of them, if there are any.
    pub(crate) fn message(&self) -> Option<String> {
        let Self { errors, warnings, notes } = self;
        let all = errors + warnings + notes;
        (all > 0)
            .then(|| format!("{all} more findings are not listed: errors {errors}, warnings {warnings}, notes {notes}"))
    }
}
