//! Several outputs of one run.

use super::Output;
use crate::check::{Finding, Protocol};
use crate::cli::console::Outcome;
use crate::report::ReportSummary;
use crate::stream::Framing;

/// Hands what comes to each of several outputs.
pub(super) struct Several {
    first: Box<dyn Output>,
    others: Vec<Box<dyn Output>>,
}

impl Several {
    pub(super) fn new(first: Box<dyn Output>, others: Vec<Box<dyn Output>>) -> Self {
        Self { first, others }
    }

    fn each(&mut self, mut hand: impl FnMut(&mut dyn Output) -> Outcome<()>) -> Outcome<()> {
        hand(self.first.as_mut())?;
        self.others.iter_mut().try_for_each(|output| hand(output.as_mut()))
    }
}

impl Output for Several {
    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        self.each(|output| output.file(name, protocol, framing))
    }

    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        self.each(|output| output.findings(findings, text))
    }

    fn count(&mut self, finding: &Finding) {
        self.first.count(finding);
        for output in &mut self.others {
            output.count(finding);
        }
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        self.each(|output| output.end_file(events))
    }

    fn skip(&mut self, name: &str, reason: &str) {
        self.first.skip(name, reason);
        for output in &mut self.others {
            output.skip(name, reason);
        }
    }

    fn fail(&mut self, name: Option<&str>, reason: &str) -> Outcome<()> {
        self.each(|output| output.fail(name, reason))
    }

    fn counts(&mut self) -> (ReportSummary, usize) {
        self.first.counts()
    }

    fn finish(&mut self, line: &str) -> Outcome<()> {
        self.each(|output| output.finish(line))
    }
}
