//! Findings for programs: one JSON object, written as it comes.

use std::io::Write;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Output, Summary};
use crate::check::Finding;
use crate::cli::Outcome;
use crate::detect::Framing;
use crate::protocol::Protocol;
use crate::schema::SchemaFile;

/// What `check --format json` prints.
#[derive(Serialize, JsonSchema)]
struct Report {
    /// The version of this format.
    version: u32,
    /// The findings, in the order of files, then of events, then of rules.
    findings: Vec<FindingRow>,
    /// The files that were checked, in the order of their paths.
    files: Vec<FileRow>,
    /// Counts over all files.
    summary: SummaryRow,
}

/// Counts over all files.
#[derive(Serialize, JsonSchema)]
struct SummaryRow {
    /// Files that were checked.
    files: u64,
    /// Events that were checked.
    events: u64,
    /// Findings of severity error.
    errors: u64,
    /// Findings of severity warning.
    warnings: u64,
    /// Findings of severity note.
    notes: u64,
}

/// A file that was checked.
#[derive(Serialize, JsonSchema)]
struct FileRow {
    /// Its path.
    file: String,
    /// The protocol; null if none was recognised.
    protocol: Option<String>,
    /// How it was cut into events: sse, ndjson or json.
    framing: Option<String>,
    /// How many events it has.
    events: u64,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
struct FindingRow {
    /// The class of the finding, the same for every protocol.
    code: String,
    /// The rule, which `agent-contracts explain` explains.
    rule: String,
    /// error, warning or note.
    severity: String,
    /// The protocol; null if none was recognised.
    protocol: Option<String>,
    /// The file.
    file: String,
    /// The event, counted from 0 in its file; null for a whole document or the end of the stream.
    event: Option<u64>,
    /// The line, from 1; null for the end of the stream.
    line: Option<u64>,
    /// The column in code points, from 1; null for the end of the stream.
    column: Option<u64>,
    /// A half-open range of bytes of the file; null for the end of the stream.
    bytes: Option<[u64; 2]>,
    /// The place as JSONPath in shorthand.
    path: String,
    /// The place as JSON Pointer, RFC 6901.
    pointer: String,
    /// What is wrong.
    message: String,
    /// What to do.
    help: String,
    /// Other places that the finding is about.
    related: Vec<RelatedRow>,
}

/// Another place that a finding is about.
#[derive(Serialize, JsonSchema)]
struct RelatedRow {
    /// What is there.
    message: String,
    /// The event, counted from 0.
    event: Option<u64>,
    /// The line, from 1.
    line: u64,
    /// The column in code points, from 1.
    column: u64,
}

const VERSION: u32 = 1;

/// The schema of the report.
pub(crate) fn report_schema() -> SchemaFile {
    crate::schema::file_of::<Report>("report/1/report.schema.json", "Report")
}

pub(in crate::cli) struct Json {
    out: Box<dyn Write>,
    files: Vec<FileRow>,
    summary: Summary,
    first: bool,
}

impl Json {
    pub(in crate::cli) fn new(mut out: Box<dyn Write>) -> Outcome<Self> {
        // Findings are written as they come, so that a long list needs no memory.
        write!(out, "{{\"version\":{VERSION},\n\"findings\":[")?;
        Ok(Self { out, files: Vec::new(), summary: Summary::default(), first: true })
    }

    fn row(&self, finding: &Finding) -> FindingRow {
        FindingRow {
            code: finding.code().to_string(),
            rule: finding.rule.id.into(),
            severity: finding.severity.to_string(),
            protocol: finding.protocol.map(|protocol| protocol.to_string()),
            file: self.files.last().map(|file| file.file.clone()).unwrap_or_default(),
            event: finding.event,
            line: finding.location.map(|place| place.line),
            column: finding.location.map(|place| place.column),
            bytes: finding.bytes.clone().map(|bytes| [bytes.start, bytes.end]),
            path: finding.path.clone(),
            pointer: finding.pointer.clone(),
            message: finding.message.clone(),
            help: finding.help().into(),
            related: finding
                .related
                .iter()
                .map(|related| RelatedRow {
                    message: related.message.clone(),
                    event: related.event,
                    line: related.location.line,
                    column: related.location.column,
                })
                .collect(),
        }
    }
}

fn text<T: Serialize>(value: &T) -> Outcome<String> {
    serde_json::to_string(value).map_err(|error| crate::cli::Failure::new(error.to_string()))
}

impl Output for Json {
    fn file(&mut self, name: &str, protocol: Option<Protocol>, framing: Option<Framing>) -> Outcome<()> {
        self.files.push(FileRow {
            file: name.into(),
            protocol: protocol.map(|protocol| protocol.to_string()),
            framing: framing.map(|framing| framing.as_str().into()),
            events: 0,
        });
        Ok(())
    }

    fn findings(&mut self, findings: &[Finding], _: &[u8]) -> Outcome<()> {
        self.summary.count(findings);
        for finding in findings {
            let comma = if std::mem::take(&mut self.first) { "" } else { "," };
            let row = text(&self.row(finding))?;
            write!(self.out, "{comma}\n{row}")?;
        }
        Ok(())
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.summary.files += 1;
        self.summary.events += events;
        if let Some(file) = self.files.last_mut() {
            file.events = events;
        }
        Ok(())
    }

    fn finish(&mut self) -> Outcome<Summary> {
        let rows: Vec<String> = self.files.iter().map(text).collect::<Outcome<_>>()?;
        let summary = SummaryRow {
            files: self.summary.files,
            events: self.summary.events,
            errors: self.summary.errors,
            warnings: self.summary.warnings,
            notes: self.summary.notes,
        };
        writeln!(self.out, "\n],\n\"files\":[\n{}\n],\n\"summary\":{}}}", rows.join(",\n"), text(&summary)?)?;
        self.out.flush()?;
        Ok(self.summary.clone())
    }
}
