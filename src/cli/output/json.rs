//! Findings for programs: one JSON object, written as it comes.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;

use super::Output;
use crate::check::{Finding, Protocol};
use crate::cli::console::{Failure, Outcome};
use crate::report::{Report, ReportFinding, ReportSummary, VERSION};
use crate::safe::{is_obeyed, without_tokens};
use crate::stream::Framing;
use crate::wire::scan::Cursor;

pub(in crate::cli) struct Json {
    out: Box<dyn Write>,
    /// All but the findings, which are written as they come, so that a long list needs no memory.
    report: Report,
    first: bool,
}

impl Json {
    pub(in crate::cli) fn new(mut out: Box<dyn Write>) -> Outcome<Self> {
        write!(out, "{{\"version\":{VERSION},\n\"findings\":[")?;
        Ok(Self { out, report: Report::new(), first: true })
    }
}

/// The value in JSON, on one line, in which a terminal obeys nothing.
pub(in crate::cli) fn text<T: Serialize>(value: &T) -> Outcome<String> {
    let plain = serde_json::to_string(value).map_err(|error| Failure::new(error.to_string()))?;
    let plain = without_secrets(&plain);
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        // Such a character stands in a string, where an escape is the same.
        if is_obeyed(c) {
            for unit in c.encode_utf16(&mut [0; 2]).iter() {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Ok(out)
}

/// The JSON without the secrets that strings in it have. Schemas have texts of any kind, and may have some.
fn without_secrets(json: &str) -> Cow<'_, str> {
    let (mut out, mut written, mut at) = (String::new(), 0, 0);
    while let Some(quote) = json[at..].find('"') {
        let start = at + quote;
        let mut cursor = Cursor::new(&json[start..], 0);
        let Ok(text) = cursor.string() else { break };
        at = start + cursor.offset();
        if let Cow::Owned(text) = without_tokens(&text.lossy()) {
            out += &json[written..start];
            out += &serde_json::Value::String(text).to_string();
            written = at;
        }
    }
    if written == 0 { Cow::Borrowed(json) } else { Cow::Owned(out + &json[written..]) }
}

fn rows<T: Serialize>(rows: &[T]) -> Outcome<String> {
    let rows: Vec<String> = rows.iter().map(text).collect::<Outcome<_>>()?;
    Ok(if rows.is_empty() { "[]".into() } else { format!("[\n{}\n]", rows.join(",\n")) })
}

impl Output for Json {
    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        self.report.begin(name, protocol, framing);
        Ok(())
    }

    fn findings(&mut self, findings: &[Finding], _: &[u8]) -> Outcome<()> {
        let file = self.report.files.last().map(|file| file.file.as_str()).unwrap_or_default();
        for finding in findings {
            let comma = if std::mem::take(&mut self.first) { "" } else { "," };
            write!(self.out, "{comma}\n{}", text(&ReportFinding::new(finding, file))?)?;
            self.report.summary.count(finding);
        }
        if !findings.is_empty() {
            self.out.flush()?;
        }
        Ok(())
    }

    fn count(&mut self, finding: &Finding) {
        self.report.summary.count(finding);
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.report.end(events);
        Ok(())
    }

    fn skip(&mut self, name: &str, reason: &str) {
        self.report.skip(name, reason);
    }

    fn fail(&mut self, name: Option<&str>, reason: &str) -> Outcome<()> {
        self.report.fail(name, reason);
        Ok(())
    }

    fn counts(&mut self) -> (ReportSummary, usize) {
        (self.report.summary, self.report.skipped.len())
    }

    fn finish(&mut self, _: &str) -> Outcome<()> {
        let Report { files, skipped, failed, summary, .. } = &self.report;
        let (files, skips) = (rows(files)?, rows(skipped)?);
        writeln!(self.out, "\n],\n\"files\":{files},\n\"skipped\":{skips},")?;
        if !failed.is_empty() {
            writeln!(self.out, "\"failed\":{},", rows(failed)?)?;
        }
        writeln!(self.out, "\"summary\":{}}}", text(summary)?)?;
        Ok(self.out.flush()?)
    }
}
