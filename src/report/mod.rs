//! The report that `agent-contracts check --format json` writes, for services that write
//! the same.
//!
//! ```
//! use agent_contracts::report::Report;
//! use agent_contracts::stream::StreamChecker;
//! use agent_contracts::Protocol;
//!
//! let mut report = Report::new();
//! let mut stream = StreamChecker::new(Protocol::AGUI);
//! report.begin("run.sse", Some(&Protocol::AGUI), None);
//! for found in &stream.push(b"data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n") {
//!     report.add(&found);
//! }
//! report.end(stream.events());
//! assert_eq!(report.summary.errors, 1);
//! assert!(report.to_json().starts_with(r#"{"version":1,"#));
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::check::{Finding, Protocol, Severity};
use crate::stream::Framing;

// In the schema the types have names that no type of a browser has: `Report` is one of its own.

/// The version of the report's format.
///
/// Since 0.1.0.
pub const VERSION: u32 = 1;

/// The result of checking files or streams.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReport"))]
#[non_exhaustive]
pub struct Report {
    /// The version of this format.
    pub version: u32,
    /// The findings, in the order of files, then of events, then of rules.
    pub findings: Vec<ReportFinding>,
    /// The files that were checked, in the order in which they were.
    pub files: Vec<ReportFile>,
    /// Files that were found and not checked, since nothing in them was recognised.
    #[serde(default)]
    pub skipped: Vec<ReportSkipped>,
    /// Inputs that were refused, or could not be read to their end; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<ReportFailed>,
    /// Counts over all files.
    pub summary: ReportSummary,
}

/// Counts over all files.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReportSummary"))]
#[non_exhaustive]
pub struct ReportSummary {
    /// Files that were checked.
    pub files: u64,
    /// Events that were checked.
    pub events: u64,
    /// Findings of severity error.
    pub errors: u64,
    /// Findings of severity warning.
    pub warnings: u64,
    /// Findings of severity note.
    pub notes: u64,
}

/// A file that was checked.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReportFile"))]
#[non_exhaustive]
pub struct ReportFile {
    /// Its path.
    pub file: String,
    /// The protocol; null if none was recognised.
    pub protocol: Option<String>,
    /// How it was cut into events: sse, ndjson or json; null if it is one document of a type, or if no protocol was
    /// recognised.
    pub framing: Option<String>,
    /// How many events it has.
    pub events: u64,
}

/// A file that was found and not checked.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReportSkipped"))]
#[non_exhaustive]
pub struct ReportSkipped {
    /// Its path.
    pub file: String,
    /// Why it was not checked.
    pub reason: String,
}

/// An input that was refused, or could not be read to its end.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReportFailed"))]
#[non_exhaustive]
pub struct ReportFailed {
    /// Its path; null if no file is meant, as with a pattern that matches none.
    pub file: Option<String>,
    /// What is wrong with it.
    pub reason: String,
}

/// A finding.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReportFinding"))]
#[non_exhaustive]
pub struct ReportFinding {
    /// The class of the finding, the same for every protocol.
    pub code: String,
    /// The rule, which `agent-contracts explain` explains.
    pub rule: String,
    /// error, warning or note.
    pub severity: String,
    /// The protocol; null if none was recognised.
    pub protocol: Option<String>,
    /// The file.
    pub file: String,
    /// The event, counted from 0 in its recording (a file, or a folder of answers to polls); null if the finding is about
    /// no single event: a document, what an answer says beside its events, the connection, or the end of the stream.
    pub event: Option<u64>,
    /// The line, from 1; null for the end of the stream.
    pub line: Option<u64>,
    /// The column in code points, from 1; null for the end of the stream.
    pub column: Option<u64>,
    /// A half-open range of bytes of the file; null for the end of the stream.
    pub bytes: Option<[u64; 2]>,
    /// The place as JSONPath in shorthand.
    pub path: String,
    /// The place as JSON Pointer, RFC 6901.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Other places that the finding is about.
    pub related: Vec<ReportRelated>,
}

/// Another place that a finding is about.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckReportRelated"))]
#[non_exhaustive]
pub struct ReportRelated {
    /// What is there.
    pub message: String,
    /// The event, counted from 0.
    pub event: Option<u64>,
    /// The line, from 1.
    pub line: u64,
    /// The column in code points, from 1.
    pub column: u64,
}

impl Default for Report {
    fn default() -> Self {
        Self::new()
    }
}

impl Report {
    /// An empty report.
    pub fn new() -> Self {
        Self {
            version: VERSION,
            findings: Vec::new(),
            files: Vec::new(),
            skipped: Vec::new(),
            failed: Vec::new(),
            summary: ReportSummary::default(),
        }
    }

    /// Begins a file or stream: what is added next is about it.
    pub fn begin(&mut self, file: impl Into<String>, protocol: Option<&Protocol>, framing: Option<Framing>) {
        self.summary.files += 1;
        self.files.push(ReportFile {
            file: file.into(),
            protocol: protocol.map(|protocol| protocol.id().into()),
            framing: framing.map(|framing| framing.as_str().into()),
            events: 0,
        });
    }

    /// Ends the file that was begun last; `events` is how many it has.
    pub fn end(&mut self, events: u64) {
        self.summary.events += events;
        if let Some(file) = self.files.last_mut() {
            file.events += events;
        }
    }

    /// Adds a finding about the file that was begun last; without one, its file is empty.
    pub fn add(&mut self, finding: &Finding) {
        self.summary.count(finding);
        let file = self.files.last().map(|file| file.file.as_str()).unwrap_or_default();
        self.findings.push(ReportFinding::new(finding, file));
    }

    /// Notes a file that was not checked.
    pub fn skip(&mut self, file: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(ReportSkipped { file: file.into(), reason: reason.into() });
    }

    /// Notes an input that was refused, or could not be read to its end.
    pub fn fail(&mut self, file: Option<&str>, reason: impl Into<String>) {
        self.failed.push(ReportFailed { file: file.map(Into::into), reason: reason.into() });
    }

    /// The report as JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl ReportSummary {
    pub(crate) fn count(&mut self, finding: &Finding) {
        match finding.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }

    /// How many findings are at least as grave as `severity`.
    pub fn at_least(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.errors + self.warnings,
            Severity::Note => self.errors + self.warnings + self.notes,
        }
    }
}

impl fmt::Display for ReportSummary {
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

impl ReportFinding {
    /// A finding in `file`.
    pub fn new(finding: &Finding, file: &str) -> Self {
        let related = finding.related.iter().map(|related| ReportRelated {
            message: related.message.clone(),
            event: related.event,
            line: related.location.line,
            column: related.location.column,
        });
        Self {
            code: finding.code().to_string(),
            rule: finding.rule.id().into(),
            severity: finding.severity.to_string(),
            protocol: finding.protocol.as_ref().map(|protocol| protocol.id().into()),
            file: file.into(),
            event: finding.event,
            line: finding.location.map(|place| place.line),
            column: finding.location.map(|place| place.column),
            bytes: finding.bytes.clone().map(|bytes| [bytes.start, bytes.end]),
            path: finding.path.clone(),
            pointer: finding.pointer.clone(),
            message: finding.message.clone(),
            help: finding.help().into(),
            related: related.collect(),
        }
    }
}

/// The schema of the report.
#[cfg(feature = "schema")]
pub(crate) fn schema() -> crate::wire::published::SchemaFile {
    crate::wire::schema::file_of::<Report>("report/1/report.schema.json", include_str!("documents.jsonl"))
}
