//! Findings, and how they are reported.

use std::fmt;
use std::ops::Range;

use super::rule::{Code, Profile, RuleRef, Severity};
use crate::protocol::Protocol;
use crate::wire::path::Path;
use crate::wire::span::{Location, Locator, Segment};

/// Another place that a finding is about, such as where something was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// What is there.
    pub message: String,
    /// The event, counted from 0 in its stream.
    pub event: Option<u64>,
    /// Where it is.
    pub location: Location,
}

/// Something that a rule reports.
///
/// No text of a finding holds a value of the payload, apart from short ids, tags and
/// enum values that look harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: RuleRef,
    /// The severity: the rule's own, unless a user has changed it.
    pub severity: Severity,
    /// The protocol, if the finding is about an event of one.
    pub protocol: Option<Protocol>,
    /// The event, counted from 0; `None` for a whole document or the end of the stream.
    pub event: Option<u64>,
    /// Where it is; `None` for the end of the stream.
    pub location: Option<Location>,
    /// The bytes of the stream that it is about, half open.
    pub bytes: Option<Range<u64>>,
    /// The place as JSONPath in shorthand, from the root of the event or document.
    pub path: String,
    /// The same place as JSON Pointer.
    pub pointer: String,
    /// What is wrong here, in one line.
    pub message: String,
    /// Other places.
    pub related: Vec<Related>,
    /// The bytes of the event's text that it is about.
    pub span: Range<usize>,
}

impl Finding {
    /// The class of the finding.
    pub fn code(&self) -> Code {
        self.rule.code
    }

    /// The source around the finding, values masked. `text` is that of the input which
    /// was pushed when the finding came up.
    pub fn excerpt(&self, text: &[u8]) -> super::Excerpt {
        super::excerpt::excerpt(text, self.span.clone(), self.protocol)
    }

    /// What the producer should do.
    pub fn help(&self) -> &'static str {
        self.rule.help
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.rule.id, self.message)
    }
}

/// Severities as a user wants them, by rule or code; `None` is silence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    rules: Vec<(&'static str, Option<Severity>)>,
    codes: Vec<(Code, Option<Severity>)>,
}

impl Policy {
    pub(crate) fn set_rule(&mut self, rule: RuleRef, severity: Option<Severity>) {
        self.rules.push((rule.id, severity));
    }

    pub(crate) fn set_code(&mut self, code: Code, severity: Option<Severity>) {
        self.codes.push((code, severity));
    }

    /// A rule's own word counts before its code's; of several the last.
    fn severity(&self, rule: RuleRef, default: Severity) -> Option<Severity> {
        let by_rule = self.rules.iter().rev().find(|(id, _)| *id == rule.id).map(|(_, severity)| *severity);
        let by_code = || self.codes.iter().rev().find(|(code, _)| *code == rule.code).map(|(_, severity)| *severity);
        by_rule.or_else(by_code).unwrap_or(Some(default))
    }
}

/// Where findings about one event or document go.
pub(crate) struct Report<'r> {
    pub(crate) findings: &'r mut Vec<Finding>,
    pub(crate) policy: &'r Policy,
    pub(crate) profile: Profile,
    pub(crate) protocol: Option<Protocol>,
    pub(crate) event: Option<u64>,
    pub(crate) text: &'r [u8],
    pub(crate) segments: &'r [Segment],
    pub(crate) locator: Locator,
    /// Put before every path: where the event lies in its document.
    pub(crate) root: Path,
    /// Print keys as they are, as the Lime validator does.
    pub(crate) plain_paths: bool,
}

impl Report<'_> {
    /// Whether `rule` runs in the profile.
    pub(crate) fn wants(&self, rule: RuleRef) -> bool {
        rule.profiles.contains(&self.profile)
    }

    /// Whether the profile is `strict`.
    pub(crate) fn strict(&self) -> bool {
        self.profile == Profile::Strict
    }

    /// Where the event begins.
    pub(crate) fn start(&self) -> Location {
        let segment = self.segments.first().copied().unwrap_or(Segment::WHOLE);
        Location { offset: segment.offset, line: segment.line, column: segment.column }
    }

    /// Reports `rule` at a place of the event.
    pub(crate) fn add(&mut self, rule: RuleRef, path: &Path, span: Range<usize>, message: impl Into<String>) {
        self.add_related(rule, path, span, message, None);
    }

    pub(crate) fn add_related(
        &mut self,
        rule: RuleRef,
        path: &Path,
        span: Range<usize>,
        message: impl Into<String>,
        related: Option<Related>,
    ) {
        self.place(rule, rule.severity, path, span, message.into(), related);
    }

    /// Reports `rule` with a severity that depends on the case; a user's word still counts.
    pub(crate) fn add_graded(
        &mut self,
        rule: RuleRef,
        severity: Severity,
        path: &Path,
        span: Range<usize>,
        message: impl Into<String>,
    ) {
        self.place(rule, severity, path, span, message.into(), None);
    }

    fn place(
        &mut self,
        rule: RuleRef,
        severity: Severity,
        path: &Path,
        span: Range<usize>,
        message: String,
        related: Option<Related>,
    ) {
        if !self.wants(rule) {
            return;
        }
        let Some(severity) = self.policy.severity(rule, severity) else { return };
        let start = self.locator.locate(self.text, self.segments, span.start);
        let mut ahead = self.locator;
        let end = ahead.locate(self.text, self.segments, span.end);
        let full = self.root.concat(path);
        self.findings.push(Finding {
            rule,
            severity,
            protocol: self.protocol,
            event: self.event,
            location: Some(start),
            bytes: Some(start.offset..end.offset),
            path: if self.plain_paths { full.to_plain_path() } else { full.to_json_path() },
            pointer: full.to_pointer(),
            message,
            related: related.into_iter().collect(),
            span,
        });
    }

    /// Reports `rule` about the stream as a whole.
    pub(crate) fn add_at_end(&mut self, rule: RuleRef, message: impl Into<String>, related: Option<Related>) {
        if !self.wants(rule) {
            return;
        }
        let Some(severity) = self.policy.severity(rule, rule.severity) else { return };
        self.findings.push(Finding {
            rule,
            severity,
            protocol: self.protocol,
            event: None,
            location: None,
            bytes: None,
            path: "$".into(),
            pointer: String::new(),
            message: message.into(),
            related: related.into_iter().collect(),
            span: 0..0,
        });
    }
}
