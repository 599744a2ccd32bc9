//! JUnit XML, as Jenkins and GitLab read it: a suite for each protocol, a case for each file.
//!
//! GitLab shows the class as the suite, and Jenkins takes what stands before its last point for
//! a package. Both read only one failure of a case, so it lists all findings that fail.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::agent;
use super::gathered::{Context, FileResult, Gathered, Row};
use crate::check::Severity;
use crate::cli::console::shown;
use crate::report::{ReportFailed, ReportFile};
use crate::safe::is_obeyed;

/// The suite of what has no protocol.
const INPUT: &str = "input";

struct Case {
    suite: String,
    name: String,
    took: Duration,
    outcome: State,
    /// The elements in it.
    body: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Passed,
    Failed,
    Error,
    Skipped,
}

pub(super) fn render(gathered: &Gathered, context: &Context) -> String {
    let cases = cases(gathered, context);
    let mut suites: Vec<(&str, Vec<&Case>)> = Vec::new();
    for case in &cases {
        if let Some((_, of_suite)) = suites.iter_mut().find(|(name, _)| *name == case.suite) {
            of_suite.push(case);
        } else {
            suites.push((&case.suite, vec![case]));
        }
    }
    let totals = totals(&cases.iter().collect::<Vec<_>>());
    let suites: String = suites.iter().map(|(name, cases)| suite(name, cases, context)).collect();
    let name = format!("agent-contracts {}", context.command);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{name}\" {totals}>\n{suites}</testsuites>\n"
    )
}

/// A case for each file: those that were read, then those that were not.
fn cases(gathered: &Gathered, context: &Context) -> Vec<Case> {
    let report = &gathered.report;
    let mut rows: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in &gathered.rows {
        rows.entry(&row.finding.file).or_default().push(row);
    }
    let named = report.failed.iter().filter_map(|failed| Some((failed.file.as_deref()?, failed)));
    let failed: HashMap<&str, &ReportFailed> = named.collect();
    let read: HashSet<&str> = report.files.iter().map(|file| file.file.as_str()).collect();
    let mut cases = Vec::new();
    for (file, result) in report.files.iter().zip(&gathered.results) {
        let rows = rows.get(file.file.as_str()).map(Vec::as_slice).unwrap_or_default();
        cases.push(of_file(file, result, rows, failed.get(file.file.as_str()).copied(), context));
    }
    for failed in &report.failed {
        let name = failed.file.as_deref();
        if name.is_none_or(|name| !read.contains(name)) {
            let name = name.map_or_else(|| failed.reason.clone(), |name| context.places.of(name));
            cases.push(of_input(name, State::Error, error(failed)));
        }
    }
    for skipped in &report.skipped {
        let body = format!("      <skipped message=\"{}\"/>\n", xml(&shown(&skipped.reason)));
        cases.push(of_input(context.places.of(&skipped.file), State::Skipped, body));
    }
    cases
}

fn of_input(name: String, outcome: State, body: String) -> Case {
    Case { suite: INPUT.into(), name, took: Duration::ZERO, outcome, body }
}

fn of_file(
    file: &ReportFile,
    result: &FileResult,
    rows: &[&Row],
    failed: Option<&ReportFailed>,
    context: &Context,
) -> Case {
    // Of a file that is an error already, all findings are what else there is to say.
    let fails = |row: &&Row| failed.is_none() && row.severity >= context.fail_on;
    let (graver, rest): (Vec<&Row>, Vec<&Row>) = rows.iter().copied().partition(fails);
    let all = result.counts.at_least(Severity::Note);
    let failing = if failed.is_some() { 0 } else { result.counts.at_least(context.fail_on) };
    let mut body = failed.map_or_else(String::new, error);
    if failing > 0 {
        let first = graver.first().map(|row| &row.finding);
        let (kind, message) =
            first.map_or(("findings", "findings"), |first| (first.rule.as_str(), first.message.as_str()));
        let more = if failing > 1 { format!(" (and {} more)", failing - 1) } else { String::new() };
        let lines = lines(&graver, failing, context);
        let message = xml(&(shown(message) + &more));
        body += &format!("      <failure message=\"{message}\" type=\"{}\">{lines}</failure>\n", xml(kind));
    }
    if all > failing {
        body += &format!("      <system-out>{}</system-out>\n", lines(&rest, all - failing, context));
    }
    let outcome = match failed {
        Some(_) => State::Error,
        None if failing > 0 => State::Failed,
        None => State::Passed,
    };
    let suite = file.protocol.clone().unwrap_or_else(|| INPUT.into());
    Case { suite, name: context.places.of(&file.file), took: result.took, outcome, body }
}

fn error(failed: &ReportFailed) -> String {
    let reason = xml(&shown(&failed.reason));
    format!("      <error message=\"{reason}\" type=\"{INPUT}\">{reason}</error>\n")
}

/// The findings, one a line, of which there are so many.
fn lines(rows: &[&Row], count: u64, context: &Context) -> String {
    let line = |row: &&Row| agent::line(&context.places.of(&row.finding.file), &row.finding);
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    let more = count.saturating_sub(rows.len() as u64);
    if more > 0 {
        lines.push(format!("{more} more are not listed"));
    }
    xml(&lines.join("\n"))
}

fn suite(name: &str, cases: &[&Case], context: &Context) -> String {
    let skipped = number(cases, State::Skipped);
    let class = xml(&format!("{}.{name}", context.command));
    let cases_text: String = cases.iter().map(|case| case.text(&class)).collect();
    format!(
        "  <testsuite name=\"{}\" {} skipped=\"{skipped}\">\n{cases_text}  </testsuite>\n",
        xml(name),
        totals(cases)
    )
}

fn number(cases: &[&Case], outcome: State) -> usize {
    cases.iter().filter(|case| case.outcome == outcome).count()
}

/// The attributes that say what is in a suite.
fn totals(cases: &[&Case]) -> String {
    let took: Duration = cases.iter().map(|case| case.took).sum();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\"",
        cases.len(),
        number(cases, State::Failed),
        number(cases, State::Error),
        seconds(took)
    )
}

fn seconds(took: Duration) -> String {
    format!("{:.3}", took.as_secs_f64())
}

impl Case {
    fn text(&self, class: &str) -> String {
        let (name, time) = (xml(&shown(&self.name)), seconds(self.took));
        let head = format!("    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time}\"");
        if self.body.is_empty() { format!("{head}/>\n") } else { format!("{head}>\n{}    </testcase>\n", self.body) }
    }
}

/// Text as XML 1.0 can hold it: some characters cannot be written in any way.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out.push(c),
            c if is_obeyed(c) || is_noncharacter(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Whether Unicode keeps the code point out of texts.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_shown() {
        for (text, expected) in [
            ("a<b & \"c\" ]]>", "a&lt;b &amp; &quot;c&quot; ]]&gt;"),
            ("two\nlines", "two\nlines"),
            ("\u{0}\u{1b}\r", "\\u{0}\\u{1b}\\u{d}"),
            ("\u{FFFE}\u{FFFF}\u{1FFFE}\u{FDD0}", "\\u{fffe}\\u{ffff}\\u{1fffe}\\u{fdd0}"),
            ("\u{202E}é", "\\u{202e}é"),
        ] {
            assert_eq!(xml(text), expected);
        }
    }
}
