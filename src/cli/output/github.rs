//! Annotations of GitHub Actions, written as workflow commands.

use std::fs::OpenOptions;
use std::io::Write;

use super::gathered::{Context, Gathered, Row};
use super::markdown;
use crate::check::Severity;
use crate::cli::console::{Failure, Outcome, shown};
use crate::safe::is_obeyed;

/// GitHub shows so many annotations of each severity for a step, and drops the rest.
const ANNOTATIONS: usize = 10;

/// The largest step summary that GitHub takes, in bytes.
const SUMMARY: usize = 1024 * 1024;

pub(super) fn render(gathered: &Gathered, context: &Context) -> String {
    let shares = Shares::of(gathered);
    let failed = gathered.report.failed.iter().take(shares.failed).map(|failed| {
        let file = failed.file.as_deref().map(|file| format!("file={},", property(&context.places.of(file))));
        format!("::error {}title=not checked::{}", file.unwrap_or_default(), data(&[shown(&failed.reason)]))
    });
    let found = shares.annotated.iter().map(|row| annotation(row, context));
    let mut lines: Vec<String> = failed.chain(found).collect();
    let rest = shares.rest(gathered);
    if rest > 0 {
        let place = match context.step_summary {
            Some(_) => "see the step summary",
            None => "write them to a file with --format markdown, or set GITHUB_STEP_SUMMARY",
        };
        lines.push(format!(
            "{rest} more results have no annotation, since GitHub shows {ANNOTATIONS} of each severity: {place}"
        ));
    }
    if gathered.withheld > 0 {
        lines.push(format!("{} more results are not listed: --max-findings leaves them out", gathered.withheld));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Which results are annotated, and which are not.
struct Shares<'g> {
    /// How many of the inputs that failed.
    failed: usize,
    /// The gravest first.
    annotated: Vec<&'g Row>,
    rest: Vec<&'g Row>,
}

impl<'g> Shares<'g> {
    fn of(gathered: &'g Gathered) -> Self {
        let failed = gathered.report.failed.len().min(ANNOTATIONS);
        let (mut annotated, mut rest) = (Vec::new(), Vec::new());
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let taken = if severity == Severity::Error { failed } else { 0 };
            for (number, row) in gathered.rows.iter().filter(|row| row.severity == severity).enumerate() {
                let list = if number + taken < ANNOTATIONS { &mut annotated } else { &mut rest };
                list.push(row);
            }
        }
        Self { failed, annotated, rest }
    }

    /// How many results are not annotated, apart from those that are held back.
    fn rest(&self, gathered: &Gathered) -> u64 {
        let failed = gathered.report.failed.len() - self.failed;
        (self.rest.len() + failed) as u64 + gathered.left_out()
    }
}

fn annotation(row: &Row, context: &Context) -> String {
    let finding = &row.finding;
    let command = match row.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = vec![("file", context.places.of(&finding.file))];
    let numbers = [("line", finding.line), ("col", finding.column), ("endColumn", row.end_column)];
    properties.extend(numbers.into_iter().filter_map(|(name, number)| Some((name, number?.to_string()))));
    properties.push(("title", finding.rule.clone()));
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    let place = row.place();
    let place = if place.is_empty() { place } else { format!(" ({place})") };
    let message = [shown(&finding.message) + &place, format!("fix: {}", shown(&finding.help))];
    format!("::{command} {}::{}", properties.join(","), data(&message))
}

/// A value of a property, as GitHub unescapes it.
fn property(text: &str) -> String {
    escaped(text, &['%', '\r', '\n', ':', ','])
}

/// The lines of a message, as GitHub unescapes them.
fn data(lines: &[String]) -> String {
    escaped(&lines.join("\n"), &['%', '\r', '\n'])
}

fn escaped(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(&c) {
            out += &format!("%{:02X}", u32::from(c));
        } else if is_obeyed(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Appends what is not annotated to the step summary, if there is such a file.
pub(super) fn write_step_summary(gathered: &Gathered, context: &Context) -> Outcome<()> {
    let Some(path) = &context.step_summary else { return Ok(()) };
    let there = std::fs::metadata(path).map_or(0, |file| file.len() as usize);
    let Some(text) = summary(gathered, context, SUMMARY.saturating_sub(there)) else { return Ok(()) };
    let appended = OpenOptions::new().append(true).create(true).open(path);
    let written = appended.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::new(format!("{}: the step summary cannot be written: {error}", path.display())))
}

/// What is not annotated, in at most so many bytes; nothing if all is.
fn summary(gathered: &Gathered, context: &Context, room: usize) -> Option<String> {
    let shares = Shares::of(gathered);
    let rest = shares.rest(gathered);
    if rest == 0 {
        return None;
    }
    let mut text = markdown::Text::new(room);
    text.push(&markdown::heading(context));
    text.push(&format!("\n{rest} results beyond the annotations:\n"));
    let failed = gathered.report.failed.get(shares.failed..).unwrap_or_default();
    let listed = markdown::failures(&mut text, failed, context) + markdown::findings(&mut text, &shares.rest, context);
    Some(text.end(rest - listed as u64, gathered.withheld))
}
