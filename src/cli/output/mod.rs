//! How findings are written.
//!
//! `human`, `json` and `agent` write them as they come. The other formats need all of them:
//! `collected` gathers them, and a function without side effects makes the text.

mod agent;
mod collected;
mod fingerprint;
mod gathered;
mod github;
mod gitlab;
pub(super) mod human;
pub(super) mod json;
mod junit;
mod markdown;
pub(super) mod open;
mod places;
mod sarif;
mod sarif_rules;
mod several;

use super::console::{Outcome, remark};
use crate::check::{Finding, Protocol};
use crate::report::ReportSummary;
use crate::stream::Framing;

/// Takes files and their findings as they come. An output that hands on to another says which,
/// and has only those methods that do more; without another, the others do nothing.
pub(super) trait Output {
    /// Where it hands on what comes.
    fn inner(&mut self) -> Option<&mut dyn Output> {
        None
    }

    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        self.inner().map_or(Ok(()), |inner| inner.file(name, protocol, framing))
    }

    /// The findings of one input, with the text they are about.
    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        self.inner().map_or(Ok(()), |inner| inner.findings(findings, text))
    }

    /// Counts a finding that is not printed.
    fn count(&mut self, finding: &Finding) {
        if let Some(inner) = self.inner() {
            inner.count(finding);
        }
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.inner().map_or(Ok(()), |inner| inner.end_file(events))
    }

    /// A file that was not checked.
    fn skip(&mut self, name: &str, reason: &str) {
        if let Some(inner) = self.inner() {
            inner.skip(name, reason);
        }
    }

    /// An input that was refused, or could not be read to its end. It has no name where none
    /// is meant, as with a pattern that matches nothing.
    fn fail(&mut self, name: Option<&str>, reason: &str) -> Outcome<()> {
        self.inner().map_or(Ok(()), |inner| inner.fail(name, reason))
    }

    /// Hands on what was held back until everything has come.
    fn settle(&mut self) -> Outcome<()> {
        self.inner().map_or(Ok(()), <dyn Output>::settle)
    }

    /// Says on stderr what is worth knowing.
    fn remark(&mut self, message: &str) {
        remark(message);
    }

    /// The counts over all files, and how many were not checked.
    fn counts(&mut self) -> (ReportSummary, usize) {
        self.inner().map_or_else(Default::default, <dyn Output>::counts)
    }

    /// Writes what is left to write. `line` says what came of it all.
    fn finish(&mut self, line: &str) -> Outcome<()> {
        self.inner().map_or(Ok(()), |inner| inner.finish(line))
    }
}
