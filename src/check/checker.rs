//! The checker: inputs in, findings out.

use std::fmt;

use super::contract::Contract;
use super::facts::Facts;
use super::finding::{Finding, Policy, Report};
use super::input_rules;
use super::limits::Limits;
use super::options::Options;
use super::rule::{Code, Profile, RuleRef, Severity};
use super::scan::{ScanOptions, scan};
use super::template::Template;
use super::tree::{Node, Value};
use crate::protocol::Protocol;
use crate::wire::framing::Line;
use crate::wire::path::{Path, path_at};
use crate::wire::scan::{SyntaxError, SyntaxKind};
use crate::wire::span::{Locator, Segment};
use crate::wire::sse::{Frame, Item};

/// One thing for a [`Checker`] to look at.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    text: Text<'a>,
    segments: &'a [Segment],
}

/// Text that is known to be UTF-8, or that is not.
#[derive(Clone, Copy, Debug)]
enum Text<'a> {
    Utf8(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> Input<'a> {
    /// The JSON text of an event.
    pub const fn event(text: &'a str) -> Self {
        Self { text: Text::Utf8(text), segments: &[] }
    }

    /// The JSON text of an event as bytes that may not even be UTF-8.
    pub const fn event_bytes(text: &'a [u8]) -> Self {
        Self { text: Text::Bytes(text), segments: &[] }
    }

    /// Says where the text stands in the stream; otherwise it stands by itself.
    #[must_use]
    pub const fn at(mut self, segments: &'a [Segment]) -> Self {
        self.segments = segments;
        self
    }

    fn bytes(&self) -> &'a [u8] {
        match self.text {
            Text::Utf8(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    fn utf8(&self) -> Result<&'a str, std::str::Utf8Error> {
        match self.text {
            Text::Utf8(text) => Ok(text),
            Text::Bytes(bytes) => std::str::from_utf8(bytes),
        }
    }
}

/// A document type that the protocol does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{protocol} has no document type of that name; it has {}", .protocol.types().join(", "))]
pub struct UnknownType {
    protocol: Protocol,
}

/// A version that the protocol does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{protocol} has no version of that name{}", known(.protocol.versions()))]
pub struct UnknownVersion {
    protocol: Protocol,
}

fn known(versions: &[&str]) -> String {
    if versions.is_empty() { String::new() } else { format!("; it has {}", versions.join(", ")) }
}

/// What does not change while a stream is checked.
#[derive(Clone, Debug)]
struct Setup {
    protocol: Protocol,
    profile: Profile,
    limits: Limits,
    policy: Policy,
    options: Options,
}

impl Setup {
    fn report<'r>(
        &'r self,
        findings: &'r mut Vec<Finding>,
        event: Option<u64>,
        text: &'r [u8],
        segments: &'r [Segment],
    ) -> Report<'r> {
        Report {
            findings,
            policy: &self.policy,
            profile: self.profile,
            protocol: Some(self.protocol),
            event,
            text,
            segments,
            locator: Locator::default(),
            root: Path::default(),
            plain_paths: self.profile == Profile::Reference && self.protocol.prints_plain_paths(),
        }
    }
}

/// How a [`Checker`] is set up.
#[derive(Clone, Debug)]
#[must_use]
pub struct CheckerBuilder(Setup);

impl CheckerBuilder {
    /// Which rules run. Default [`Profile::Strict`].
    pub fn profile(mut self, profile: Profile) -> Self {
        self.0.profile = profile;
        self
    }

    /// The bounds. Default [`Limits::DEFAULT`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// Takes the stream to be of `version`, such as `v1`, one of [`Protocol::versions`];
    /// otherwise the stream shows which it is.
    ///
    /// # Errors
    /// When the protocol has no version of that name.
    pub fn version(self, version: &str) -> Result<Self, UnknownVersion> {
        let protocol = self.0.protocol;
        let known = protocol.versions().iter().find(|known| **known == version);
        Ok(self.known_version(known.ok_or(UnknownVersion { protocol })?))
    }

    pub(crate) fn known_version(mut self, version: &'static str) -> Self {
        self.0.options.version = Some(version);
        self
    }

    /// Takes the connection to be for one run: events of others do not belong on it.
    /// Without effect unless [`Protocol::has_subscriptions`].
    pub fn run_id(mut self, run_id: impl Into<Box<str>>) -> Self {
        self.0.options.run_id = Some(run_id.into());
        self
    }

    /// Takes the stream to go on where another connection broke (`Last-Event-ID`), so that
    /// the beginning of a run may not be on it. Without effect unless
    /// [`Protocol::has_subscriptions`].
    pub fn resumed(mut self, resumed: bool) -> Self {
        self.0.options.resumed = resumed;
        self
    }

    /// Changes the severity of a rule; `None` silences it. Counts before its code's.
    pub fn rule(mut self, rule: RuleRef, severity: Option<Severity>) -> Self {
        self.0.policy.set_rule(rule, severity);
        self
    }

    /// Changes the severity of all rules of a code; `None` silences them.
    pub fn code(mut self, code: Code, severity: Option<Severity>) -> Self {
        self.0.policy.set_code(code, severity);
        self
    }

    /// A checker at the beginning of a stream.
    pub fn build(self) -> Checker {
        let contract = self.0.protocol.contract(self.0.profile, self.0.limits, &self.0.options);
        Checker { setup: self.0, contract, events: 0, findings: Vec::new(), template: Template::default() }
    }
}

/// Checks one stream of events in order, in bounded memory.
///
/// ```
/// use agent_contracts::check::{Checker, Input};
/// use agent_contracts::Protocol;
///
/// let mut checker = Checker::new(Protocol::Lime);
/// let event = r#"{"id":"e1","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"tool",
///   "status":"running","eventClass":"tool.started","sequence":1,"title":"Search","createdAt":"2026-06-10T00:00:00Z"}"#;
/// let findings = checker.push(Input::event(event));
/// assert_eq!(findings[0].rule.id, "lime/tool-needs-tool-call-id");
/// assert_eq!(findings[0].path, "$.toolCallId");
/// assert!(checker.finish().is_empty());
/// ```
pub struct Checker {
    setup: Setup,
    contract: Box<dyn Contract>,
    events: u64,
    findings: Vec<Finding>,
    template: Template,
}

impl fmt::Debug for Checker {
    /// Shows nothing of the events that it remembers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checker")
            .field("protocol", &self.setup.protocol)
            .field("profile", &self.setup.profile)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

impl Checker {
    /// A checker of all rules of `protocol`.
    pub fn new(protocol: Protocol) -> Self {
        Self::builder(protocol).build()
    }

    /// A checker to be set up.
    pub fn builder(protocol: Protocol) -> CheckerBuilder {
        CheckerBuilder(Setup {
            protocol,
            profile: Profile::default(),
            limits: Limits::DEFAULT,
            policy: Policy::default(),
            options: Options::default(),
        })
    }

    /// How many events have come.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Checks the next event. The findings are those of this event, in the order of the
    /// protocol's rules.
    pub fn push(&mut self, input: Input<'_>) -> &[Finding] {
        self.findings.clear();
        self.event(input, true);
        &self.findings
    }

    /// Takes what an SSE parser found: a frame is the next event, the rest is judged as framing.
    pub fn push_sse(&mut self, item: Item<'_>) -> &[Finding] {
        self.findings.clear();
        match item {
            Item::Frame(frame) => self.frame(&frame),
            Item::UnknownField(line, place) => {
                let segments = [place];
                let mut report = self.setup.report(&mut self.findings, None, line, &segments);
                self.contract.stray_line(line, &mut report);
            }
            Item::TooLarge(place) => self.given_up(self.contract.frame_too_large(), place),
            Item::Retry(_) => {}
        }
        &self.findings
    }

    /// Takes what a line splitter found: a line is the next event.
    pub fn push_line(&mut self, line: Line<'_>) -> &[Finding] {
        self.findings.clear();
        match line {
            Line::Text { bytes, place, ended } => {
                self.event(Input::event_bytes(bytes).at(&[place]), true);
                self.cut_off(ended);
            }
            Line::TooLarge(place) => self.given_up(&input_rules::TOO_LARGE, place),
        }
        &self.findings
    }

    /// Takes the rest of a document that is no longer JSON: one finding about it.
    #[cfg(feature = "cli")]
    pub(crate) fn push_broken(&mut self, rest: &[u8], segments: &[Segment]) -> &[Finding] {
        self.findings.clear();
        let text = String::from_utf8_lossy(rest);
        let error = match Node::parse(&text, self.setup.limits.depth) {
            Err(error) => error,
            Ok(_) => SyntaxError { kind: SyntaxKind::UnexpectedByte, offset: 0 },
        };
        let mut report = self.setup.report(&mut self.findings, Some(self.events), rest, segments);
        syntax(error, &text, self.contract.not_json(), &mut report);
        self.contract.lost();
        self.cut_off(false);
        self.events += 1;
        &self.findings
    }

    /// What stops in the middle of a value at the end of the input was cut off.
    pub(crate) fn cut_off(&mut self, ended: bool) {
        let text_ends = SyntaxKind::UnexpectedEnd.describe();
        if !ended
            && let [only] = &mut self.findings[..]
            && only.message == text_ends
        {
            only.rule = &input_rules::TRUNCATED;
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let mut report = self.setup.report(&mut self.findings, Some(self.events), frame.data, frame.segments);
        self.contract.frame(frame, &mut report);
        if frame.ending.is_none() {
            let end = frame.data.len();
            report.add(
                &input_rules::UNTERMINATED_FRAME,
                &Path::default(),
                end..end,
                "no blank line follows the last frame",
            );
        }
        self.event(Input::event_bytes(frame.data).at(frame.segments), true);
    }

    fn given_up(&mut self, rule: RuleRef, place: Segment) {
        let segments = [place];
        let mut report = self.setup.report(&mut self.findings, Some(self.events), &[], &segments);
        report.add(rule, &Path::default(), 0..0, "larger than the limit, not read");
        self.contract.lost();
        self.events += 1;
    }

    /// Checks one value by itself against a type of the protocol, such as `Event`.
    /// No rule looks from one value to the next.
    ///
    /// # Errors
    /// When the protocol has no type of that name.
    pub fn check_as(&mut self, kind: &str, text: &[u8], segments: &[Segment]) -> Result<&[Finding], UnknownType> {
        self.findings.clear();
        if kind == "Event" {
            self.event(Input::event_bytes(text).at(segments), false);
        } else if self.document(kind, text, segments) {
            self.events += 1;
        } else {
            return Err(UnknownType { protocol: self.setup.protocol });
        }
        Ok(&self.findings)
    }

    /// Ends the stream: what only its end shows.
    pub fn finish(&mut self) -> &[Finding] {
        self.findings.clear();
        if self.setup.profile != Profile::Schema {
            let mut report = self.setup.report(&mut self.findings, None, &[], &[]);
            self.contract.finish(self.events, &mut report);
        }
        &self.findings
    }

    /// Reports that there was no event, unless the protocol has its own rule for that.
    #[cfg(feature = "cli")]
    pub(crate) fn empty_stream(&mut self) -> &[Finding] {
        self.findings.clear();
        let mut report = self.setup.report(&mut self.findings, None, &[], &[]);
        if !self.contract.reports_emptiness(&report) {
            report.add_at_end(&input_rules::EMPTY, "there is no event in it", None);
        }
        &self.findings
    }

    /// Reports a rule about the input as such.
    #[cfg(feature = "cli")]
    pub(crate) fn input_finding(&mut self, rule: RuleRef, place: Option<Segment>, message: &str) -> &[Finding] {
        self.findings.clear();
        let segments = [place.unwrap_or(Segment::WHOLE)];
        let mut report = self.setup.report(&mut self.findings, None, &[], &segments);
        match place {
            Some(_) => report.add(rule, &Path::default(), 0..0, message),
            None => report.add_at_end(rule, message, None),
        }
        &self.findings
    }

    fn event(&mut self, input: Input<'_>, in_stream: bool) {
        let ordered = in_stream && self.setup.profile != Profile::Schema;
        if !self.judge(input, ordered) && ordered {
            self.contract.lost();
        }
    }

    /// Reports what is wrong with the next event; false if it cannot be read as one.
    fn judge(&mut self, input: Input<'_>, ordered: bool) -> bool {
        let index = self.events;
        self.events += 1;
        let options = ScanOptions {
            depth: self.setup.limits.depth,
            inline_units: self.setup.limits.inline_units,
            strict: self.setup.profile == Profile::Strict,
        };
        let mut report = self.setup.report(&mut self.findings, Some(index), input.bytes(), input.segments);
        if input.bytes().len() > self.setup.limits.event_bytes {
            report.add(&input_rules::TOO_LARGE, &Path::default(), 0..1, "larger than the limit, not read");
            return false;
        }
        let text = match input.utf8() {
            Ok(text) => text,
            Err(error) => {
                let at = error.valid_up_to();
                report.add(&input_rules::NOT_UTF8, &Path::default(), at..at + 1, "these bytes are not UTF-8");
                return false;
            }
        };
        let shape = self.contract.shape();
        // A text this short cannot hold a value that is too large.
        let longest = options.inline_units / 7;
        if let Some(facts) = self.template.fill(text, options.strict, longest)
            && self.contract.is_clean(&facts)
        {
            if ordered {
                self.contract.order(&facts, &mut report);
            }
            return true;
        }
        let mut facts = Facts::new(text);
        if scan(shape, shape.root(), options, &mut facts) && self.contract.is_clean(&facts) {
            self.template.set(&facts, self.contract.varying());
            if ordered {
                self.contract.order(&facts, &mut report);
            }
            return true;
        }
        let node = match Node::parse(text, self.setup.limits.depth) {
            Ok(node) => node,
            Err(error) => {
                syntax(error, text, self.contract.not_json(), &mut report);
                return false;
            }
        };
        let facts = self.contract.facts(&node, text);
        self.contract.explain(&node, &facts, &mut report);
        lone_surrogates(&node, &mut Path::default(), &mut report);
        if !ordered {
            self.contract.aside();
        } else if node.is_object() {
            self.contract.order(&facts, &mut report);
        }
        node.is_object()
    }

    fn document(&mut self, kind: &str, bytes: &[u8], segments: &[Segment]) -> bool {
        let mut report = self.setup.report(&mut self.findings, None, bytes, segments);
        if !self.setup.protocol.types().contains(&kind) {
            return false;
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            report.add(&input_rules::NOT_UTF8, &Path::default(), 0..1, "these bytes are not UTF-8");
            return true;
        };
        match Node::parse(text, self.setup.limits.depth) {
            Ok(node) => {
                let known = self.contract.document(kind, &node, &mut report);
                lone_surrogates(&node, &mut Path::default(), &mut report);
                known
            }
            Err(error) => {
                syntax(error, text, self.contract.not_json(), &mut report);
                true
            }
        }
    }
}

/// Reports text that is not JSON, or is nested too deeply to be looked at.
fn syntax(error: SyntaxError, text: &str, not_json: RuleRef, report: &mut Report<'_>) {
    let path = path_at(text, error.offset);
    let end = text[error.offset.min(text.len())..].chars().next().map_or(0, char::len_utf8);
    let span = error.offset..error.offset + end;
    let rule = if error.kind == SyntaxKind::TooDeep { &input_rules::TOO_DEEP } else { not_json };
    report.add(rule, &path, span, error.kind.describe());
}

fn lone_surrogates(node: &Node<'_>, path: &mut Path, report: &mut Report<'_>) {
    if let Value::String(text) = &node.value
        && text.has_lone_surrogate()
    {
        let message = "the string has a surrogate escape without its partner";
        report.add(&input_rules::LONE_SURROGATE, path, node.span.clone(), message);
    }
    for (index, element) in node.elements().iter().enumerate() {
        path.push_index(index);
        lone_surrogates(element, path, report);
        path.pop();
    }
    for member in node.members() {
        path.push_key(&member.key);
        lone_surrogates(&member.node, path, report);
        path.pop();
    }
}
