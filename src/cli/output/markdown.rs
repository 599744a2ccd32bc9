//! A table and the findings by file, for comments on a change.
//!
//! Whatever comes from outside stands in code spans. In them nothing is a link, a mention, a
//! reference to an issue or HTML, neither for Markdown nor for what GitHub and GitLab make of
//! its result.

use super::gathered::{Context, Gathered, Row};
use crate::cli::console::shown;
use crate::report::{ReportFailed, ReportSummary};

/// The longest comment that GitHub takes, in bytes.
const COMMENT: usize = 65_536;

pub(super) fn render(gathered: &Gathered, context: &Context) -> String {
    let mut text = Text::new(COMMENT);
    text.push(&heading(context));
    table(&mut text, gathered, context);
    let rows: Vec<&Row> = gathered.rows.iter().collect();
    let failed = &gathered.report.failed;
    let listed = failures(&mut text, failed, context) + findings(&mut text, &rows, context);
    text.end((failed.len() + rows.len() - listed) as u64 + gathered.left_out(), gathered.withheld)
}

pub(super) fn heading(context: &Context) -> String {
    format!("### agent-contracts {}\n\n{}\n", context.command, context.line)
}

/// The files in which something was found, as far as there is room.
fn table(text: &mut Text, gathered: &Gathered, context: &Context) {
    let mut head = "\n| file | protocol | errors | warnings | notes |\n| --- | --- | ---: | ---: | ---: |\n";
    for (file, result) in gathered.report.files.iter().zip(&gathered.results) {
        let ReportSummary { errors, warnings, notes, .. } = result.counts;
        if errors + warnings + notes == 0 {
            continue;
        }
        let name = code(&context.places.of(&file.file)).replace('|', "\\|");
        let protocol = file.protocol.as_deref().unwrap_or_default();
        if !text.push(&format!("{head}| {name} | {protocol} | {errors} | {warnings} | {notes} |\n")) {
            break;
        }
        head = "";
    }
}

/// Lists inputs that failed, as far as there is room; gives how many.
pub(super) fn failures(text: &mut Text, failed: &[ReportFailed], context: &Context) -> usize {
    let mut heading = "\n#### Not checked\n\n";
    let mut listed = 0;
    for failed in failed {
        let name = failed.file.as_deref().map(|file| code(&context.places.of(file)) + ": ");
        let entry = format!("{heading}- {}{}\n", name.unwrap_or_default(), code(&failed.reason));
        if !text.push(&entry) {
            break;
        }
        (heading, listed) = ("", listed + 1);
    }
    listed
}

/// Lists findings by file, as far as there is room; gives how many.
pub(super) fn findings(text: &mut Text, rows: &[&Row], context: &Context) -> usize {
    let mut file = None;
    let mut listed = 0;
    for row in rows {
        let heading = if file == Some(&row.finding.file) {
            String::new()
        } else {
            format!("\n#### {}\n\n", code(&context.places.of(&row.finding.file)))
        };
        if !text.push(&(heading + &entry(row))) {
            break;
        }
        (file, listed) = (Some(&row.finding.file), listed + 1);
    }
    listed
}

fn entry(row: &Row) -> String {
    let finding = &row.finding;
    let mut places = Vec::new();
    if let (Some(line), Some(column)) = (finding.line, finding.column) {
        places.push(format!("line {line}, column {column}"));
    }
    let place = row.place();
    if !place.is_empty() {
        places.push(code(&place));
    }
    let places = if places.is_empty() { String::new() } else { format!(" at {}", places.join(", ")) };
    let (rule, message, help) = (code(&finding.rule), code(&finding.message), code(&finding.help));
    format!("- **{}** {rule}{places}<br>{message}<br>fix: {help}\n", finding.severity)
}

/// Text as a code span.
fn code(text: &str) -> String {
    let text = shown(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // One space at each end is taken away again.
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Text that may have so many bytes.
#[derive(Debug)]
pub(super) struct Text {
    text: String,
    room: usize,
}

impl Text {
    /// What the last lines may need.
    const END: usize = 200;

    pub(super) fn new(room: usize) -> Self {
        Self { text: String::new(), room: room.saturating_sub(Self::END) }
    }

    /// Adds a part if there is room for it.
    pub(super) fn push(&mut self, part: &str) -> bool {
        let fits = self.text.len() + part.len() <= self.room;
        if fits {
            self.text += part;
        }
        fits
    }

    /// The text; `left_out` is the number of results that are not in it, and `withheld` that of
    /// those that nobody wanted.
    pub(super) fn end(mut self, left_out: u64, withheld: u64) -> String {
        if left_out > 0 && self.room > 0 {
            self.text += &format!("\n{left_out} more results are not listed here: there is no room for them.\n");
        }
        if withheld > 0 && self.room > 0 {
            self.text += &format!("\n{withheld} more results are not listed: `--max-findings` leaves them out.\n");
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_end_where_they_should() {
        for (text, span) in [
            ("a|b", "`a|b`"),
            ("a`b", "``a`b``"),
            ("``", "``` `` ```"),
            (" a", "`  a `"),
            ("", "`  `"),
            ("@team #1 <b>", "`@team #1 <b>`"),
            ("a\nb", "`a\\u{a}b`"),
        ] {
            assert_eq!(code(text), span, "{text}");
        }
    }

    #[test]
    fn text_stops_where_there_is_no_room() {
        let mut text = Text::new(Text::END + 5);
        assert!(text.push("12345"));
        assert!(!text.push("6"));
        assert!(text.end(1, 0).starts_with("12345\n1 more"));
    }
}
