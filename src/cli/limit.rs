//! `--max-findings`: only so many are printed, errors first.

use super::console::Outcome;
use super::output::Output;
use crate::check::{Finding, Protocol, Severity};
use crate::stream::Framing;

/// How much text of events is kept for excerpts, in bytes.
const TEXTS: usize = 16 * 1024 * 1024;

/// Prints at most so many findings. A warning must not take the place of an error that comes
/// later, so everything is kept until the end, within bounds. Without a limit, everything is
/// handed on as it comes.
pub(super) struct Limited {
    inner: Box<dyn Output>,
    /// 0 for all.
    most: usize,
    parts: Vec<Part>,
    /// How many findings are kept: errors, and others.
    errors: usize,
    others: usize,
    /// How much text is kept.
    texts: usize,
    /// How many findings are not printed.
    pub(super) withheld: usize,
}

/// What came.
pub(super) enum Part {
    File(String, Option<Protocol>, Option<Framing>),
    Findings(Vec<Finding>, Vec<u8>),
    End(u64),
    Skip(String, String),
    Remark(String),
}

/// About what a finding takes, in bytes.
const FINDING: usize = 512;

impl Part {
    /// About what it takes to keep, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Findings(findings, text) => text.len() + findings.len() * FINDING,
            _ => 0,
        }
    }

    pub(super) fn hand_on(self, output: &mut dyn Output) -> Outcome<()> {
        match self {
            Self::File(name, protocol, framing) => output.file(&name, protocol.as_ref(), framing)?,
            Self::Findings(findings, text) => output.findings(&findings, &text)?,
            Self::End(events) => output.end_file(events)?,
            Self::Skip(name, reason) => output.skip(&name, &reason),
            Self::Remark(message) => output.remark(&message),
        }
        Ok(())
    }
}

impl Limited {
    pub(super) fn new(inner: Box<dyn Output>, most: usize) -> Self {
        Self { inner, most, parts: Vec::new(), errors: 0, others: 0, texts: 0, withheld: 0 }
    }

    fn withhold(&mut self, finding: &Finding) {
        self.withheld += 1;
        self.inner.count(finding);
    }

    /// Prints what was kept.
    fn replay(&mut self) -> Outcome<()> {
        let mut room = self.most.saturating_sub(self.errors);
        for part in std::mem::take(&mut self.parts) {
            match part {
                Part::Findings(findings, text) => {
                    let mut printed = Vec::new();
                    for finding in findings {
                        if finding.severity == Severity::Error {
                            printed.push(finding);
                        } else if room > 0 {
                            room -= 1;
                            printed.push(finding);
                        } else {
                            self.withhold(&finding);
                        }
                    }
                    self.inner.findings(&printed, &text)?;
                }
                other => other.hand_on(self.inner.as_mut())?,
            }
        }
        Ok(())
    }
}

impl Output for Limited {
    fn inner(&mut self) -> Option<&mut dyn Output> {
        Some(&mut *self.inner)
    }

    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        if self.most == 0 {
            return self.inner.file(name, protocol, framing);
        }
        self.parts.push(Part::File(name.to_owned(), protocol.cloned(), framing));
        Ok(())
    }

    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        if self.most == 0 {
            return self.inner.findings(findings, text);
        }
        let mut kept = Vec::new();
        for finding in findings {
            let count = if finding.severity == Severity::Error { &mut self.errors } else { &mut self.others };
            if *count < self.most {
                *count += 1;
                kept.push(finding.clone());
            } else {
                self.withhold(finding);
            }
        }
        if !kept.is_empty() {
            // Without its text, a finding is printed without an excerpt.
            let fits = self.texts + text.len() <= TEXTS;
            let text = if fits { text.to_vec() } else { Vec::new() };
            self.texts += text.len();
            self.parts.push(Part::Findings(kept, text));
        }
        Ok(())
    }

    fn end_file(&mut self, events: u64) -> Outcome<()> {
        if self.most == 0 {
            return self.inner.end_file(events);
        }
        self.parts.push(Part::End(events));
        Ok(())
    }

    fn skip(&mut self, name: &str, reason: &str) {
        if self.most == 0 {
            self.inner.skip(name, reason);
        } else {
            self.parts.push(Part::Skip(name.to_owned(), reason.to_owned()));
        }
    }

    fn settle(&mut self) -> Outcome<()> {
        self.replay()
    }
}
