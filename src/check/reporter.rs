//! How findings are reported: with their place, as grave as the user wants them, and up to a
//! limit.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use super::explain::Worth;
use super::finding::{Finding, Related};
use super::input::Field;
use super::input_rules;
use super::limits::Limits;
use super::policy::Policy;
use super::protocol::Protocol;
use super::rule::{Code, Profile, Rule, Severity};
use super::secrets::{Masks, Secrets};
use super::setup::Setup;
use super::tree::Node;
use crate::wire::path::Path;
use crate::wire::span::{Location, Locator, Segment};

enum Room {
    Left,
    /// For the finding that there are more, which says this.
    Last(&'static str),
    None,
}

const MORE_IN_EVENT: &str = "more findings in this event are not listed";
const MORE_IN_STREAM: &str = "more findings in this stream are not listed";
const MORE_AT_END: &str = "more findings at the end of the stream are not listed";

/// How many mismatches of an event tell enough of it.
const ENOUGH: usize = 64;

/// So many times as many errors are listed as other findings: warnings hide none.
const ERRORS: usize = 2;

/// Where findings about one event or document go.
pub(crate) struct Reporter<'r> {
    pub(crate) findings: &'r mut Vec<Finding>,
    setup: &'r Setup,
    policy: &'r Policy,
    pub(crate) secrets: &'r Arc<Secrets>,
    pub(crate) profile: Profile,
    pub(crate) protocol: Option<&'r Protocol>,
    pub(crate) event: Option<u64>,
    pub(crate) text: &'r [u8],
    utf8: OnceCell<&'r str>,
    pub(crate) segments: &'r [Segment],
    pub(crate) locator: RefCell<Locator>,
    /// Put before every path: where the event lies in its document.
    pub(crate) root: Path,
    /// Which element it is of the list at `root`.
    pub(crate) element: Option<usize>,
    /// Where the event begins in the text.
    pub(crate) base: usize,
    /// Reported in place of errors of the schema.
    pub(crate) instead: Option<&'r Rule>,
    /// Whether the event was put together of pieces.
    pub(crate) is_rebuilt: bool,
    /// How many findings of the stream were listed before.
    before: usize,
    /// Whether it was said of the stream that there are more.
    pub(crate) is_told: Option<&'r mut bool>,
    /// Whether there were more findings than are listed.
    is_cut: bool,
}

impl<'r> Reporter<'r> {
    /// Reports on one event or document into a list.
    #[inline(always)]
    pub(crate) fn new(
        setup: &'r Setup,
        findings: &'r mut Vec<Finding>,
        event: Option<u64>,
        text: &'r [u8],
        segments: &'r [Segment],
    ) -> Self {
        Self {
            findings,
            setup,
            policy: &setup.policy,
            secrets: &setup.secrets,
            profile: setup.profile,
            protocol: Some(&setup.protocol),
            event,
            text,
            utf8: OnceCell::new(),
            segments,
            locator: RefCell::default(),
            root: Path::default(),
            element: None,
            base: 0,
            instead: None,
            is_rebuilt: false,
            before: 0,
            is_told: None,
            is_cut: false,
        }
    }

    /// Says how many findings were listed of the stream before, and whether it was said that there
    /// are more.
    #[inline(always)]
    pub(crate) fn behind(&mut self, before: usize, is_told: &'r mut bool) {
        (self.before, self.is_cut, self.is_told) = (before, *is_told, Some(is_told));
    }

    /// Whether something was found in the event so far.
    pub(crate) fn has_reported(&self) -> bool {
        self.findings.last().is_some_and(|last| last.event == self.event)
    }

    /// The text that is reported on; empty if it is not UTF-8.
    pub(crate) fn utf8(&self) -> &'r str {
        self.utf8.get_or_init(|| std::str::from_utf8(self.text).unwrap_or_default())
    }

    /// Reports on what lies at `path`, as event `index` of its document.
    pub(crate) fn below(&mut self, path: &Path, index: Option<u64>, report: impl FnOnce(&mut Self)) {
        let root = self.root.concat(path);
        let before = (std::mem::replace(&mut self.root, root), self.event);
        self.event = index.or(self.event);
        report(self);
        (self.root, self.event) = before;
    }

    /// Where byte `at` of the event stands in the stream.
    pub(crate) fn locate(&self, at: usize) -> Location {
        self.locator.borrow_mut().locate(self.text, self.segments, self.base + at)
    }

    /// Reports into a list of its own, for findings that get another place: what is
    /// reported stands at `start`, and whatever the user wants of severities comes later.
    pub(crate) fn aside(
        &self,
        findings: &mut Vec<Finding>,
        event: u64,
        start: Location,
        report: impl FnOnce(&mut Reporter<'_>),
    ) {
        let policy = Policy::default();
        let segments = [Segment::at(start)];
        let aside = Reporter::new(self.setup, findings, Some(event), &[], &segments);
        report(&mut Reporter { policy: &policy, ..aside });
    }

    /// Reports on the whole value that the event's content is a part of.
    pub(crate) fn at_root(&mut self, report: impl FnOnce(&mut Self)) {
        let before = (std::mem::take(&mut self.root), std::mem::take(&mut self.base));
        report(self);
        (self.root, self.base) = before;
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.setup.limits
    }

    /// Whether `rule` runs in the profile.
    pub(crate) fn wants(&self, rule: &Rule) -> bool {
        rule.profiles().contains(&self.profile)
    }

    /// Whether the profile is `strict`.
    pub(crate) fn strict(&self) -> bool {
        self.profile == Profile::Strict
    }

    /// Where the event begins.
    pub(crate) fn start(&self) -> Location {
        if self.base > 0 {
            return self.locate(0);
        }
        self.segments.first().unwrap_or(&Segment::WHOLE).location()
    }

    /// Reports `rule` at a place of the event.
    pub(crate) fn add(&mut self, rule: &Rule, path: &Path, span: Range<usize>, message: impl Into<String>) {
        self.add_related(rule, path, span, message, None);
    }

    pub(crate) fn add_related(
        &mut self,
        rule: &Rule,
        path: &Path,
        span: Range<usize>,
        message: impl Into<String>,
        related: Option<Related>,
    ) {
        self.place(rule, rule.severity(), path, span, message.into(), related);
    }

    /// Reports a value that is no object, as `what` has to be.
    pub(crate) fn add_no_object(&mut self, rule: &Rule, what: &str, node: &Node<'_>) {
        let message = format!("{what} is an object, not {}", node.kind().name());
        self.add(rule, &Path::default(), node.span(), message);
    }

    /// Reports `rule`, and what to do in this case.
    pub(crate) fn add_hinted(
        &mut self,
        rule: &Rule,
        path: &Path,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl FnOnce() -> Option<String>,
    ) {
        let before = self.findings.len();
        self.add(rule, path, span, message);
        if let Some(added) = self.added(before) {
            added.hint = hint();
        }
    }

    /// What was added behind so many findings, unless that says that there are more.
    pub(crate) fn added(&mut self, before: usize) -> Option<&mut Finding> {
        self.findings.get_mut(before).filter(|added| added.rule != input_rules::TOO_MANY_FINDINGS)
    }

    /// Where a member was to be written `name`, what was added behind `before` says so in its place: what
    /// lacks that member is the same fault.
    pub(crate) fn add_at_misspelt(&mut self, before: usize, name: &str) {
        let hint = Some(format!("write {name}"));
        let is_it = |finding: &Finding| finding.event == self.event && finding.hint == hint;
        let said = self.findings.get(..before).and_then(|said| said.iter().position(is_it));
        let Some(said) = said.filter(|_| self.findings.len() > before) else { return };
        let Finding { location, bytes, path, pointer, span, hint, .. } = self.findings.remove(said);
        if let Some(added) = before.checked_sub(1).and_then(|at| self.findings.get_mut(at)) {
            (added.location, added.bytes, added.path, added.pointer) = (location, bytes, path, pointer);
            (added.span, added.hint) = (span, hint);
        }
    }

    /// Reports `rule` at another line of the frame than those of the event's text.
    pub(crate) fn add_at_field(
        &mut self,
        rule: &Rule,
        severity: Severity,
        field: Field<'_>,
        message: impl Into<String>,
    ) {
        self.add_elsewhere(rule, severity, &Path::default(), field, message);
    }

    /// The same of a member of what has come before.
    pub(crate) fn add_elsewhere(
        &mut self,
        rule: &Rule,
        severity: Severity,
        path: &Path,
        field: Field<'_>,
        message: impl Into<String>,
    ) {
        let behind = self.text.len() + 1;
        let before = self.findings.len();
        self.place(rule, severity, path, 0..0, message.into(), None);
        if let Some(added) = self.added(before) {
            let Field { value, place } = field;
            added.location = Some(Location { offset: place.offset, line: place.line, column: place.column });
            added.bytes = Some(place.offset..place.offset + value.len() as u64);
            added.span = behind..behind;
        }
    }

    /// Says that some of what came is forgotten, so that rules may miss something from here on.
    pub(crate) fn forgotten(&mut self, what: &str, rules: &str) {
        let message = format!("{what} are forgotten from here on; no longer guaranteed: {rules}");
        self.add(&input_rules::HISTORY_LIMIT, &Path::default(), 0..1, message);
    }

    /// Reports `rule` with a severity that depends on the case; a user's word still counts.
    pub(crate) fn add_graded(
        &mut self,
        rule: &Rule,
        severity: Severity,
        path: &Path,
        span: Range<usize>,
        message: impl Into<String>,
    ) {
        self.place(rule, severity, path, span, message.into(), None);
    }

    /// Whether there is room for one more finding: a place is kept for errors, so that
    /// warnings hide none.
    fn room(&mut self, severity: Severity, more: &'static str) -> Room {
        let (fits_event, fits_stream) = self.fits(severity);
        if fits_event && fits_stream {
            Room::Left
        } else if std::mem::replace(&mut self.is_cut, true) {
            Room::None
        } else if fits_event {
            if let Some(is_told) = &mut self.is_told {
                **is_told = true;
            }
            Room::Last(MORE_IN_STREAM)
        } else {
            Room::Last(more)
        }
    }

    /// A finding if there is room for it, or that there are more if that was not said yet.
    fn fitted<'f>(
        &mut self,
        rule: &'f Rule,
        severity: Severity,
        message: String,
        more: &'static str,
    ) -> Option<(&'f Rule, Severity, String)> {
        match self.room(severity, more) {
            Room::Left => Some((rule, severity, message)),
            Room::Last(message) => {
                let rule = &input_rules::TOO_MANY_FINDINGS;
                Some((rule, self.policy.severity(rule, rule.severity())?, message.to_owned()))
            }
            Room::None => None,
        }
    }

    /// Whether one more finding fits into the list of the event, and into that of the stream.
    fn fits(&self, severity: Severity) -> (bool, bool) {
        let share = if severity == Severity::Error { ERRORS } else { 1 };
        let fits = |count: usize, most: usize| count < most.saturating_mul(share);
        let count = self.findings.len();
        (fits(count, self.most()), fits(self.before + count, self.most_of_stream()))
    }

    /// Whether nothing more of this severity is listed, nor that there is more.
    fn is_full_for(&self, severity: Severity) -> bool {
        self.is_cut && self.fits(severity) != (true, true)
    }

    /// Whether a finding of the rule would be listed; if not, nobody reads its message.
    pub(crate) fn lists(&self, rule: &Rule) -> bool {
        let severity = self.policy.severity(rule, rule.severity());
        self.wants(rule) && severity.is_some_and(|severity| !self.is_full_for(severity))
    }

    /// Whether nothing more is listed, however grave it is.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full_for(Severity::Error)
    }

    /// Which mismatches of an event are worth collecting: a few more than can be reported, as
    /// nothing is said of some; if nothing more is listed, enough to tell whether to rely on it.
    pub(crate) fn worth_listing(&self) -> Worth {
        let all = || self.most().saturating_mul(ERRORS).saturating_add(ENOUGH);
        let most = if self.is_full() { ENOUGH } else { all() };
        Worth { most, hints: !self.is_full_for(Severity::Warning) }
    }

    /// How many findings of an event are listed, at least one; of errors, twice as many.
    fn most(&self) -> usize {
        self.setup.limits.findings.max(1)
    }

    /// The same of the stream. What is reported aside is listed elsewhere, and counted there.
    fn most_of_stream(&self) -> usize {
        self.setup.limits.stream_findings.max(self.most())
    }

    fn place(
        &mut self,
        rule: &Rule,
        severity: Severity,
        path: &Path,
        span: Range<usize>,
        message: String,
        related: Option<Related>,
    ) {
        let replaced = severity == Severity::Error && rule.code() == Code::SchemaMismatch;
        let rule = self.instead.filter(|_| replaced).unwrap_or(rule);
        if !self.wants(rule) {
            return;
        }
        let Some(severity) = self.policy.severity(rule, severity) else { return };
        if self.is_full_for(severity) {
            return;
        }
        let full = match self.element {
            Some(index) => self.root.element(index).concat(path),
            None => self.root.concat(path),
        };
        if rule.code() == Code::SecretLeakRisk && self.secrets.allows_at(rule, &full) {
            return;
        }
        let Some((rule, severity, message)) = self.fitted(rule, severity, message, MORE_IN_EVENT) else { return };
        let start = self.locate(span.start);
        let end = self.locate(span.end);
        let full = self.secrets.hide_in_path(&full);
        let finding = Finding {
            event: self.event,
            location: Some(start),
            bytes: Some(start.offset..end.offset),
            path: if self.setup.has_plain_paths() { full.to_plain_path() } else { full.to_json_path() },
            pointer: full.to_pointer(),
            span: self.base + span.start..self.base + span.end,
            ..self.finding(rule, severity, message, related)
        };
        let is_leak = finding.code() == Code::SecretLeakRisk;
        let same = is_leak.then(|| self.findings.iter_mut().rev().find(|before| is_same_secret(before, &finding)));
        match same.flatten() {
            Some(before) if before.severity >= finding.severity => {}
            Some(before) => *before = finding,
            None => self.findings.push(finding),
        }
    }

    /// A finding about the stream as a whole.
    fn finding(&self, rule: &Rule, severity: Severity, message: String, related: Option<Related>) -> Finding {
        Finding {
            rule: rule.clone(),
            severity,
            protocol: self.protocol.cloned(),
            event: None,
            location: None,
            bytes: None,
            path: "$".into(),
            pointer: String::new(),
            message,
            hint: None,
            related: related.filter(|_| *rule != input_rules::TOO_MANY_FINDINGS).into_iter().collect(),
            span: 0..0,
            masks: Masks::of(self.secrets),
        }
    }

    /// Reports `rule` about the stream as a whole.
    pub(crate) fn add_at_end(&mut self, rule: &Rule, message: impl Into<String>, related: Option<Related>) {
        self.at_end(rule, rule.severity(), message.into(), related);
    }

    /// The same, with a severity that depends on the case.
    pub(crate) fn add_at_end_graded(&mut self, rule: &Rule, severity: Severity, message: impl Into<String>) {
        self.at_end(rule, severity, message.into(), None);
    }

    fn at_end(&mut self, rule: &Rule, severity: Severity, message: String, related: Option<Related>) {
        if !self.wants(rule) {
            return;
        }
        let Some(severity) = self.policy.severity(rule, severity) else { return };
        if let Some((rule, severity, message)) = self.fitted(rule, severity, message, MORE_AT_END) {
            let finding = self.finding(rule, severity, message, related);
            self.findings.push(finding);
        }
    }
}

/// Whether two findings are of one secret, which its key and its value tell.
fn is_same_secret(one: &Finding, other: &Finding) -> bool {
    let is_of_secret = |finding: &Finding| finding.rule.name().starts_with("secret-");
    is_of_secret(one)
        && is_of_secret(other)
        && one.rule != other.rule
        && (one.event, &one.pointer) == (other.event, &other.pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_full_where_no_error_fits() {
        let mut setup = Setup::new(Protocol::LIME);
        setup.limits = Limits::DEFAULT.with_findings(2);
        let mut findings = Vec::new();
        let mut report = Reporter::new(&setup, &mut findings, Some(0), b"{}", &[]);
        let (root, hint) = (Path::default(), Some("write it".to_owned()));
        for _ in 0..4 {
            report.add_hinted(&input_rules::LONE_SURROGATE, &root, 0..1, "a note", || hint.clone());
        }
        assert!(!report.is_full());
        for _ in 0..4 {
            report.add(&input_rules::TOO_DEEP, &root, 0..1, "an error");
        }
        assert!(report.is_full());
        let listed: Vec<_> = findings.iter().map(|finding| (finding.rule.name(), finding.hint.is_some())).collect();
        let expected =
            [("lone-surrogate", true), ("lone-surrogate", true), ("too-many-findings", false), ("too-deep", false)];
        assert_eq!(listed, expected);
    }
}
