//! How findings are printed.

pub(super) mod human;
pub(super) mod json;

use std::fmt;

use super::Outcome;
use crate::check::{Finding, Severity};
use crate::detect::Framing;
use crate::protocol::Protocol;

/// Takes files and their findings as they come.
pub(super) trait Output {
    fn file(&mut self, name: &str, protocol: Option<Protocol>, framing: Option<Framing>) -> Outcome<()>;

    /// The findings of one input, with the text they are about.
    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()>;

    fn end_file(&mut self, events: u64) -> Outcome<()>;

    fn finish(&mut self) -> Outcome<Summary>;
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    pub(super) files: u64,
    pub(super) events: u64,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) notes: u64,
}

impl Summary {
    fn count(&mut self, findings: &[Finding]) {
        for finding in findings {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => self.notes += 1,
            }
        }
    }

    /// How many findings are at least as grave as `severity`.
    pub(super) fn count_from(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.errors + self.warnings,
            Severity::Note => self.errors + self.warnings + self.notes,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: u64, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        write!(
            f,
            "checked {} in {}: {}, {}, {}",
            counted(self.events, "event"),
            counted(self.files, "file"),
            counted(self.errors, "error"),
            counted(self.warnings, "warning"),
            counted(self.notes, "note")
        )
    }
}
