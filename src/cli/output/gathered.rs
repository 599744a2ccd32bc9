//! What was found, for formats that need all of it at once.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::places::Places;
use crate::check::{Finding, Protocol, Severity};
use crate::cli::console::shown;
use crate::report::{Report, ReportFinding, ReportSummary};
use crate::stream::Framing;

/// How many findings are kept, the gravest first. GitHub refuses a SARIF file with more.
const MOST: usize = 25_000;

/// Files and their findings.
#[derive(Debug)]
pub(super) struct Gathered {
    /// All but the findings.
    pub(super) report: Report,
    /// The findings that are kept, in the order of files, then of events, then of rules.
    pub(super) rows: Vec<Row>,
    /// Of each file of the report, what came of it.
    pub(super) results: Vec<FileResult>,
    /// How many findings `--max-findings` holds back.
    pub(super) withheld: u64,
    /// When the file before was ended.
    since: Instant,
}

/// A finding.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) finding: ReportFinding,
    pub(super) severity: Severity,
    /// The column behind its last character, if it ends on the line on which it begins.
    pub(super) end_column: Option<u64>,
}

/// What came of a file.
#[derive(Debug, Default)]
pub(super) struct FileResult {
    /// All findings in it, also those that are not kept.
    pub(super) counts: ReportSummary,
    pub(super) took: Duration,
}

/// What a format has to know beside the findings.
#[derive(Debug)]
pub(super) struct Context {
    /// `check`, `record` or `test`.
    pub(super) command: &'static str,
    /// The least severity that fails.
    pub(super) fail_on: Severity,
    pub(super) places: Places,
    /// The file for what GitHub does not annotate.
    pub(super) step_summary: Option<PathBuf>,
    /// What came of it all, in a line.
    pub(super) line: String,
}

impl Gathered {
    pub(super) fn new() -> Self {
        Self { report: Report::new(), rows: Vec::new(), results: Vec::new(), withheld: 0, since: Instant::now() }
    }

    pub(super) fn begin(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) {
        self.report.begin(name, protocol, framing);
        self.results.push(FileResult::default());
    }

    pub(super) fn end(&mut self, events: u64) {
        self.report.end(events);
        let took = self.pass();
        if let Some(result) = self.results.last_mut() {
            result.took = took;
        }
    }

    /// The time since it was asked for last.
    pub(super) fn pass(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.since, Instant::now());
        self.since.duration_since(before)
    }

    /// Takes a finding about the file that was begun last, and the text that it is about.
    pub(super) fn add(&mut self, finding: &Finding, text: &[u8]) {
        let before = of(&self.report.summary, finding.severity);
        self.report.summary.count(finding);
        if let Some(result) = self.results.last_mut() {
            result.counts.count(finding);
        }
        if before < MOST as u64 {
            let file = self.report.files.last().map(|file| file.file.as_str()).unwrap_or_default();
            let finding_row = ReportFinding::new(finding, file);
            let end_column = end_column(finding, text);
            self.rows.push(Row { finding: finding_row, severity: finding.severity, end_column });
        }
    }

    /// Counts a finding that is held back.
    pub(super) fn withhold(&mut self, finding: &Finding) {
        self.report.summary.count(finding);
        self.withheld += 1;
    }

    /// Leaves out what is beyond the limit: the least grave, of those the last.
    pub(super) fn trim(&mut self) {
        for severity in [Severity::Note, Severity::Warning] {
            let excess = self.rows.len().saturating_sub(MOST);
            let there = self.rows.iter().filter(|row| row.severity == severity).count();
            let mut room = there.saturating_sub(excess);
            self.rows.retain(|row| {
                let fits = row.severity != severity || room > 0;
                room = room.saturating_sub(usize::from(row.severity == severity));
                fits
            });
        }
    }

    /// How many findings are not kept, since they are too many.
    pub(super) fn left_out(&self) -> u64 {
        self.report.summary.at_least(Severity::Note).saturating_sub(self.rows.len() as u64 + self.withheld)
    }
}

/// How many findings are of that severity.
fn of(summary: &ReportSummary, severity: Severity) -> u64 {
    match severity {
        Severity::Error => summary.errors,
        Severity::Warning => summary.warnings,
        Severity::Note => summary.notes,
    }
}

fn end_column(finding: &Finding, text: &[u8]) -> Option<u64> {
    let (location, bytes) = (finding.location?, finding.bytes.as_ref()?);
    let found = text.get(finding.span.clone())?;
    // The pieces of what was put together are written otherwise in the stream.
    let is_as_written = found.len() as u64 == bytes.end.saturating_sub(bytes.start);
    let is_one_line = !found.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    let width = found.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
    (is_as_written && is_one_line).then_some(location.column + width)
}

impl Row {
    /// The event and the place in it, as people read them; empty for the whole file.
    pub(super) fn place(&self) -> String {
        match (self.finding.event, self.finding.path.as_str()) {
            (Some(event), "$") => format!("event {event}"),
            (Some(event), path) => format!("event {event}, {}", shown(path)),
            (None, "$") => String::new(),
            (None, path) => shown(path),
        }
    }
}
