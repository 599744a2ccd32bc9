//! One line a finding: for language models, and for whoever searches in it.
//!
//! `file:line:column: severity rule path: message; fix: help`

use std::io::Write;

use super::Output;
use crate::check::{Finding, Protocol};
use crate::cli::console::{Outcome, shown};
use crate::report::{ReportFinding, ReportSummary};
use crate::stream::Framing;

/// How many other places of a finding are named.
const RELATED: usize = 3;

pub(super) struct Agent {
    out: Box<dyn Write>,
    file: String,
    summary: ReportSummary,
    skipped: usize,
}

impl Agent {
    pub(super) fn new(out: Box<dyn Write>) -> Self {
        Self { out, file: String::new(), summary: ReportSummary::default(), skipped: 0 }
    }
}

impl Output for Agent {
    fn file(&mut self, name: &str, _: Option<&Protocol>, _: Option<Framing>) -> Outcome<()> {
        name.clone_into(&mut self.file);
        self.summary.files += 1;
        Ok(())
    }

    fn findings(&mut self, findings: &[Finding], _: &[u8]) -> Outcome<()> {
        for finding in findings {
            self.summary.count(finding);
            writeln!(self.out, "{}", line(&self.file, &ReportFinding::new(finding, &self.file)))?;
        }
        if !findings.is_empty() {
            self.out.flush()?;
        }
        Ok(())
    }

    fn count(&mut self, finding: &Finding) {
        self.summary.count(finding);
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.summary.events += events;
        Ok(())
    }

    fn skip(&mut self, _: &str, _: &str) {
        self.skipped += 1;
    }

    fn fail(&mut self, name: Option<&str>, reason: &str) -> Outcome<()> {
        Ok(writeln!(self.out, "{}", failure(name, reason))?)
    }

    fn counts(&mut self) -> (ReportSummary, usize) {
        (self.summary, self.skipped)
    }

    fn finish(&mut self, line: &str) -> Outcome<()> {
        writeln!(self.out, "{line}")?;
        Ok(self.out.flush()?)
    }
}

/// A finding in the file of that name.
pub(super) fn line(file: &str, finding: &ReportFinding) -> String {
    let ReportFinding { severity, rule, path, message, help, .. } = finding;
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!(":{line}:{column}"),
        _ => String::new(),
    };
    let mut out = format!("{file}{place}: {severity} {rule} {path}: {message}; fix: {help}");
    for related in finding.related.iter().take(RELATED) {
        out += &format!("; see {}:{}: {}", related.line, related.column, related.message);
    }
    shown(&out)
}

/// An input that was refused, or could not be read to its end.
pub(super) fn failure(name: Option<&str>, reason: &str) -> String {
    let name = name.map_or_else(String::new, |name| format!("{name}: "));
    shown(&format!("{name}error: {reason}"))
}
