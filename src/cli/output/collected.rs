//! Formats that are written when everything is known.

use std::io::Write;

use super::gathered::{Context, Gathered};
use super::{Output, github};
use crate::check::{Finding, Protocol};
use crate::cli::console::Outcome;
use crate::report::ReportSummary;
use crate::stream::Framing;

/// Makes the text of a format.
pub(super) type Render = fn(&Gathered, &Context) -> String;

pub(super) struct Collected {
    out: Box<dyn Write>,
    gathered: Gathered,
    context: Context,
    render: Render,
}

impl Collected {
    pub(super) fn new(out: Box<dyn Write>, context: Context, render: Render) -> Self {
        Self { out, gathered: Gathered::new(), context, render }
    }
}

impl Output for Collected {
    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        self.gathered.begin(name, protocol, framing);
        Ok(())
    }

    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        for finding in findings {
            self.gathered.add(finding, text);
        }
        Ok(())
    }

    fn count(&mut self, finding: &Finding) {
        self.gathered.withhold(finding);
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.gathered.end(events);
        Ok(())
    }

    fn skip(&mut self, name: &str, reason: &str) {
        self.gathered.pass();
        self.gathered.report.skip(name, reason);
    }

    fn fail(&mut self, name: Option<&str>, reason: &str) -> Outcome<()> {
        self.gathered.pass();
        self.gathered.report.fail(name, reason);
        Ok(())
    }

    fn counts(&mut self) -> (ReportSummary, usize) {
        (self.gathered.report.summary, self.gathered.report.skipped.len())
    }

    fn finish(&mut self, line: &str) -> Outcome<()> {
        self.gathered.trim();
        line.clone_into(&mut self.context.line);
        self.out.write_all((self.render)(&self.gathered, &self.context).as_bytes())?;
        self.out.flush()?;
        github::write_step_summary(&self.gathered, &self.context)
    }
}
