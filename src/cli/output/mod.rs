//! How findings are printed.

pub(super) mod human;
pub(super) mod json;

use super::console::Outcome;
use crate::check::{Finding, Protocol};
use crate::report::ReportSummary;
use crate::stream::Framing;

/// Takes files and their findings as they come.
pub(super) trait Output {
    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()>;

    /// The findings of one input, with the text they are about.
    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()>;

    /// Counts a finding that is not printed.
    fn count(&mut self, finding: &Finding);

    fn end_file(&mut self, events: u64) -> Outcome<()>;

    /// A file that was not checked.
    fn skip(&mut self, name: &str, reason: &str);

    /// The counts over all files, and how many were not checked.
    fn finish(&mut self) -> Outcome<(ReportSummary, usize)>;
}
