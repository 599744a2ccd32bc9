//! Findings for people: the line, trimmed around a caret, and what to do.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use super::Output;
use crate::check::excerpt::Excerpts;
use crate::check::{Finding, Protocol, Severity};
use crate::cli::console::{Outcome, shown, without_commands};
use crate::report::ReportSummary;
use crate::stream::Framing;

/// How many findings of one event or document are shown with their line.
const EXCERPTS: usize = 200;

/// How often its text may be read for them, and how much of a short one in any case, in bytes.
const READ: usize = 4;
const SHORT: usize = 256 * 1024;

/// The width to which source lines are cut, in columns.
const WIDTH: usize = 120;

pub(in crate::cli) struct Human {
    out: Box<dyn Write>,
    renderer: Renderer,
    file: String,
    summary: ReportSummary,
    skipped: usize,
}

impl Human {
    pub(in crate::cli) fn new(out: Box<dyn Write>) -> Self {
        let renderer = Renderer::styled().term_width(WIDTH);
        Self { out, renderer, file: String::new(), summary: ReportSummary::default(), skipped: 0 }
    }
}

impl Output for Human {
    fn file(&mut self, name: &str, _: Option<&Protocol>, _: Option<Framing>) -> Outcome<()> {
        self.file = shown(name);
        self.summary.files += 1;
        Ok(())
    }

    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        let mut excerpts = Excerpts::new(text);
        for (index, finding) in findings.iter().enumerate() {
            self.summary.count(finding);
            if index >= EXCERPTS || excerpts.work() > READ * text.len() + SHORT {
                excerpts = Excerpts::new(&[]);
            }
            writeln!(self.out, "{}\n", render(&self.renderer, &self.file, finding, &mut excerpts))?;
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

    fn counts(&mut self) -> (ReportSummary, usize) {
        (self.summary, self.skipped)
    }

    fn finish(&mut self, _: &str) -> Outcome<()> {
        Ok(self.out.flush()?)
    }
}

/// One finding, as rustc would print it.
pub(in crate::cli) fn render(renderer: &Renderer, file: &str, finding: &Finding, text: &mut Excerpts<'_>) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level
        .primary_title(finding.message.as_str())
        .id(finding.rule.id())
        .elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new());
    let excerpt = finding.excerpt_in(text);
    match finding.location {
        None => group = group.element(Origin::path(file)),
        Some(location) => {
            let (line, column) = (location.line as usize, location.column as usize);
            group = group.element(Origin::path(file).line(line).char_column(column));
            if !excerpt.text.is_empty() {
                // A caret of no width shows nothing, so it gets that of a character.
                let start = excerpt.span.start;
                let width = excerpt.text[start..].chars().next().map_or(0, char::len_utf8);
                let span = start..excerpt.span.end.max(start + width);
                let source = Snippet::source(without_commands(excerpt.text)).line_start(line);
                group = group.element(source.annotation(AnnotationKind::Primary.span(span)));
            }
        }
    }
    for related in &finding.related {
        let place = match related.event {
            Some(event) => format!("{file}:{}:{} (event {event})", related.location.line, related.location.column),
            None => format!("{file}:{}:{}", related.location.line, related.location.column),
        };
        group = group.element(Level::NOTE.message(format!("{}: {place}", related.message)));
    }
    let place = match (finding.event, finding.path.as_str()) {
        (Some(event), "$") => format!("event {event}"),
        (Some(event), path) => format!("event {event}, {}", shown(path)),
        (None, path) => shown(path),
    };
    if finding.location.is_some() && place != "$" {
        group = group.element(Level::NOTE.message(format!("at {place} ({})", finding.code())));
    }
    group = group.element(Level::HELP.message(finding.help()));
    // The renderer puts an empty origin line above a source whose place is printed already.
    let rendered = renderer.render(&[group]).clone();
    let is_origin =
        |line: &&str| line.contains(":::") && anstream::adapter::strip_str(line).to_string().trim() == ":::";
    rendered.lines().filter(|line| !is_origin(line)).collect::<Vec<_>>().join("\n")
}
