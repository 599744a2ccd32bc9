//! What `test` writes about fixtures: for people, as JSON, or as findings in the formats of those.

use std::io::Write;
use std::ops::Range;

use serde::Serialize;

use super::args::{Format, OutputArgs};
use super::console::{Outcome, RED, coloured, shown};
use super::expect::Expect;
use super::output::json::text;
use super::output::{self, Output};
use super::test_rules::{EXPECTATION, REWRITTEN, UNEXPECTED};
use crate::check::secrets::Masks;
use crate::check::{Finding, Protocol, Rule, Severity};
use crate::wire::span::{Locator, Segment};

pub(super) const NOTHING: &str = "no fixtures found; a fixture is a JSON file with `protocol`, `title` and `expect`";

/// A fixture that was run.
#[derive(Debug)]
pub(super) struct Tested<'f> {
    /// Its file, by the name that may be shown.
    pub(super) name: &'f str,
    /// Empty if it could not be read.
    pub(super) text: &'f str,
    pub(super) protocol: Option<Protocol>,
    pub(super) verdict: Verdict,
}

#[derive(Debug)]
pub(super) enum Verdict {
    Passed,
    /// What it expects is now what is found.
    Rewritten,
    Failed(Difference),
    /// It could not be run, for this reason.
    Unreadable(String),
}

/// How what is found differs from what is expected.
#[derive(Debug)]
pub(super) struct Difference {
    /// As people read it.
    pub(super) report: String,
    pub(super) mismatches: Vec<Mismatch>,
}

/// A place in the list of findings that is not as expected.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) index: usize,
    pub(super) expected: Option<String>,
    pub(super) found: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) rewritten: u64,
    pub(super) unreadable: u64,
    /// Whether fixtures were to be rewritten.
    #[serde(skip)]
    bless: bool,
}

impl Counts {
    pub(super) fn new(bless: bool) -> Self {
        Self { passed: 0, failed: 0, rewritten: 0, unreadable: 0, bless }
    }

    pub(super) fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Rewritten => self.rewritten += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Unreadable(_) => self.unreadable += 1,
        }
    }

    pub(super) fn all(&self) -> u64 {
        self.passed + self.failed + self.rewritten + self.unreadable
    }

    /// What came of it, in a line.
    pub(super) fn line(&self) -> String {
        let Self { passed, failed, rewritten, unreadable, bless } = self;
        let rewritten = if *bless { format!(", {rewritten} rewritten") } else { String::new() };
        let unreadable = if *unreadable > 0 { format!(", {unreadable} unreadable") } else { String::new() };
        format!("fixtures: {passed} passed, {failed} failed{rewritten}{unreadable}")
    }
}

/// Takes fixtures as they are run.
pub(super) trait TestOutput {
    fn fixture(&mut self, tested: &Tested<'_>) -> Outcome<()>;

    fn finish(&mut self, counts: &Counts) -> Outcome<()>;
}

pub(super) fn open(args: &OutputArgs) -> Outcome<Box<dyn TestOutput>> {
    let outputs = args.outputs().map(|(format, path)| one(format, output::open::writer(path)?));
    Ok(Box::new(Several(outputs.collect::<Outcome<_>>()?)))
}

fn one(format: Format, out: Box<dyn Write>) -> Outcome<Box<dyn TestOutput>> {
    Ok(match format {
        Format::Human => Box::new(Human(out)),
        Format::Json => Box::new(Json::new(out)?),
        _ => Box::new(AsFindings(output::open::one(format, out, "test", Severity::Error)?)),
    })
}

/// Hands what comes to each of several outputs.
struct Several(Vec<Box<dyn TestOutput>>);

impl TestOutput for Several {
    fn fixture(&mut self, tested: &Tested<'_>) -> Outcome<()> {
        self.0.iter_mut().try_for_each(|output| output.fixture(tested))
    }

    fn finish(&mut self, counts: &Counts) -> Outcome<()> {
        self.0.iter_mut().try_for_each(|output| output.finish(counts))
    }
}

struct Human(Box<dyn Write>);

impl TestOutput for Human {
    fn fixture(&mut self, tested: &Tested<'_>) -> Outcome<()> {
        if let Verdict::Failed(difference) = &tested.verdict {
            let name = shown(tested.name);
            writeln!(self.0, "{} {name}\n{}", coloured(RED, "FAILED"), difference.report)?;
            self.0.flush()?;
        }
        Ok(())
    }

    fn finish(&mut self, counts: &Counts) -> Outcome<()> {
        if counts.all() > 0 {
            writeln!(self.0, "{}", counts.line())?;
        }
        Ok(self.0.flush()?)
    }
}

/// One JSON object, written as it comes.
struct Json {
    out: Box<dyn Write>,
    first: bool,
}

#[derive(Serialize)]
struct JsonFixture<'t> {
    file: &'t str,
    protocol: Option<&'t str>,
    /// passed, rewritten, failed or unreadable.
    result: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<JsonDifference<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'t str>,
}

#[derive(Serialize)]
struct JsonDifference<'t> {
    expected: Option<&'t str>,
    found: Option<&'t str>,
    path: String,
    line: Option<u64>,
    column: Option<u64>,
}

impl Json {
    fn new(mut out: Box<dyn Write>) -> Outcome<Self> {
        write!(out, "{{\"version\":1,\n\"fixtures\":[")?;
        Ok(Self { out, first: true })
    }
}

impl TestOutput for Json {
    fn fixture(&mut self, tested: &Tested<'_>) -> Outcome<()> {
        let (result, reason) = match &tested.verdict {
            Verdict::Passed => ("passed", None),
            Verdict::Rewritten => ("rewritten", None),
            Verdict::Failed(_) => ("failed", None),
            Verdict::Unreadable(reason) => ("unreadable", Some(reason.as_str())),
        };
        let mismatches = match &tested.verdict {
            Verdict::Failed(difference) => difference.mismatches.as_slice(),
            _ => &[],
        };
        let differences = mismatches.iter().zip(findings(tested)).map(|(mismatch, finding)| JsonDifference {
            expected: mismatch.expected.as_deref(),
            found: mismatch.found.as_deref(),
            path: finding.path,
            line: finding.location.map(|place| place.line),
            column: finding.location.map(|place| place.column),
        });
        let (file, protocol) = (tested.name, tested.protocol.as_ref().map(Protocol::id));
        let row = JsonFixture { file, protocol, result, differences: differences.collect(), reason };
        let comma = if std::mem::take(&mut self.first) { "" } else { "," };
        Ok(write!(self.out, "{comma}\n{}", text(&row)?)?)
    }

    fn finish(&mut self, counts: &Counts) -> Outcome<()> {
        writeln!(self.out, "\n],\n\"summary\":{}}}", text(counts)?)?;
        Ok(self.out.flush()?)
    }
}

/// Fixtures that do not hold, as findings in their files.
struct AsFindings(Box<dyn Output>);

impl TestOutput for AsFindings {
    fn fixture(&mut self, tested: &Tested<'_>) -> Outcome<()> {
        let name = tested.name;
        if let Verdict::Unreadable(reason) = &tested.verdict {
            return self.0.fail(Some(name), reason);
        }
        self.0.file(name, tested.protocol.as_ref(), None)?;
        self.0.findings(&findings(tested), tested.text.as_bytes())?;
        self.0.end_file(0)
    }

    fn finish(&mut self, counts: &Counts) -> Outcome<()> {
        if counts.all() == 0 {
            self.0.fail(None, NOTHING)?;
        }
        self.0.finish(&counts.line())
    }
}

/// What is said of a fixture, placed in its `expect`.
fn findings(tested: &Tested<'_>) -> Vec<Finding> {
    let expect = Expect::find(tested.text);
    let mut locator = Locator::default();
    let mut finding = |rule: &Rule, index: Option<usize>, message: String| {
        let entry = expect.as_ref().zip(index).and_then(|(expect, index)| Some((expect.entries.get(index)?, index)));
        let (span, path, pointer) = match (entry, &expect) {
            (Some((span, index)), _) => (Some(span), format!("$.expect[{index}]"), format!("/expect/{index}")),
            (None, Some(expect)) => (Some(&expect.whole), "$.expect".into(), "/expect".into()),
            (None, None) => (None, "$".into(), String::new()),
        };
        let span: Option<Range<usize>> = span.cloned();
        Finding {
            rule: rule.clone(),
            severity: rule.severity(),
            protocol: tested.protocol.clone(),
            event: None,
            location: span.as_ref().map(|span| locator.locate(tested.text.as_bytes(), &[Segment::WHOLE], span.start)),
            bytes: span.as_ref().map(|span| span.start as u64..span.end as u64),
            path,
            pointer,
            message,
            hint: None,
            related: Vec::new(),
            span: span.unwrap_or_default(),
            masks: Masks::default(),
        }
    };
    match &tested.verdict {
        Verdict::Passed | Verdict::Unreadable(_) => Vec::new(),
        Verdict::Rewritten => vec![finding(&REWRITTEN, None, "what it expects is rewritten to what is found".into())],
        Verdict::Failed(difference) => {
            let of = |Mismatch { index, expected, found }: &Mismatch| match (expected, found) {
                (Some(expected), Some(found)) => {
                    finding(&EXPECTATION, Some(*index), format!("expected {expected}, found {found}"))
                }
                (Some(expected), None) => {
                    finding(&EXPECTATION, Some(*index), format!("expected {expected}, found nothing more"))
                }
                (None, found) => {
                    let found = found.as_deref().unwrap_or_default();
                    finding(&UNEXPECTED, None, format!("not expected: {found}"))
                }
            };
            difference.mismatches.iter().map(of).collect()
        }
    }
}
