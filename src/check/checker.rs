//! The checker: located events in, findings out.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::facts::Room;
use super::finding::Finding;
use super::holds::Holds;
use super::input::{Field, Input};
use super::input_rules;
use super::judging::{Judging, Part, lone_surrogates, not_utf8, readable, syntax};
use super::leaks::{secret_field, secrets_around};
use super::leaves::Leaves;
use super::limits::Limits;
use super::order::{Delivery, End, Order, Unread};
use super::passed::Passed;
use super::protocol::Protocol;
use super::reporter::Reporter;
use super::rule::{Code, Profile, Rule, Severity};
use super::secrets::Secrets;
use super::setup::Setup;
use super::spec::{Spec, SpecRef};
use super::steady::Steady;
use super::template::Templates;
use super::tree::Node;
use crate::wire::bytes::utf8;
use crate::wire::path::Path;
use crate::wire::scan::SyntaxError;
use crate::wire::span::Segment;

/// What is too large to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oversize {
    Frame,
    Line,
    /// All that follows in a document.
    Rest,
}

/// A document type that the protocol does not have.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{protocol} has no document type of that name; it has {}", .protocol.types().join(", "))]
pub struct UnknownType {
    protocol: Protocol,
}

/// A version that the protocol does not have.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{protocol} has no version of that name{}", known(.protocol.versions()))]
pub struct UnknownVersion {
    protocol: Protocol,
}

fn known(versions: &[&str]) -> String {
    if versions.is_empty() { String::new() } else { format!("; it has {}", versions.join(", ")) }
}

/// How a [`Checker`] is set up.
///
/// Since 0.1.0.
#[derive(Clone, Debug)]
#[must_use]
pub struct CheckerBuilder(Setup);

impl CheckerBuilder {
    /// Which rules run. Default [`Profile::Strict`], which also stands in for
    /// [`Profile::Reference`] where the protocol has no reference.
    pub fn profile(mut self, profile: Profile) -> Self {
        let is_strict = profile == Profile::Reference && !self.0.protocol.has_reference();
        self.0.profile = if is_strict { Profile::Strict } else { profile };
        self
    }

    /// The bounds. Default [`Limits::DEFAULT`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// Says which version the stream is of, such as `v1`: one of [`Protocol::versions`].
    /// Otherwise the stream shows it.
    ///
    /// # Errors
    /// When the protocol has no version of that name.
    pub fn version(mut self, version: &str) -> Result<Self, UnknownVersion> {
        let known = self.0.protocol.versions().iter().copied().find(|known| *known == version);
        self.0.version = Some(known.ok_or_else(|| UnknownVersion { protocol: self.0.protocol.clone() })?);
        Ok(self)
    }

    /// Says which run the connection is for: events of other runs do not belong on it. Without
    /// effect unless [`Protocol::has_subscriptions`].
    pub fn run_id(mut self, run_id: impl Into<Box<str>>) -> Self {
        self.0.run_id = Some(run_id.into());
        self
    }

    /// Says whether the stream goes on where another connection broke (`Last-Event-ID`).
    ///
    /// Then the beginning of a run may be missing. Without effect unless
    /// [`Protocol::has_subscriptions`].
    pub fn resumed(mut self, resumed: bool) -> Self {
        self.0.resumed = resumed;
        self
    }

    /// Changes the severity of a rule; `None` silences it. Counts before its code's.
    pub fn rule(mut self, rule: &Rule, severity: Option<Severity>) -> Self {
        self.0.policy.set_rule(rule, severity);
        self
    }

    /// Changes the severity of all rules of a code; `None` silences them.
    pub fn code(mut self, code: Code, severity: Option<Severity>) -> Self {
        self.0.policy.set_code(code, severity);
        self
    }

    /// Adds the user's own forms of secrets, and allows some secrets. Takes an `Arc<Secrets>`
    /// as well, which many checkers can share.
    pub fn secrets(mut self, secrets: impl Into<Arc<Secrets>>) -> Self {
        self.0.secrets = secrets.into();
        self
    }

    /// Judges every event by phase 2, to compare: the findings are the same.
    #[doc(hidden)]
    pub fn exact(mut self, exact: bool) -> Self {
        self.0.exact = exact;
        self
    }

    /// A checker at the beginning of a stream.
    pub fn build(self) -> Checker {
        let spec = SpecRef::of(&self.0.protocol);
        let order = (spec.order)(&self.0);
        let schema = (spec.schema)(&self.0);
        let tag = spec.tag.to_string();
        Checker {
            spec,
            setup: self.0,
            schema,
            order,
            events: 0,
            known: 0,
            has_batches: false,
            findings: Vec::new(),
            listed: 0,
            is_told: false,
            templates: Templates::new(&tag),
            steady: Steady::default(),
            leaves: Leaves::default(),
            room: None,
            passed: Passed::default(),
            closer: 0,
        }
    }
}

/// Checks one stream of events in order, in bounded memory.
///
/// ```
/// use agent_contracts::check::{Checker, Input};
/// use agent_contracts::Protocol;
///
/// let mut checker = Checker::new(Protocol::LIME);
/// let event = r#"{"id":"e1","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"tool",
///   "status":"running","eventClass":"tool.started","sequence":1,"title":"Search","createdAt":"2026-06-10T00:00:00Z"}"#;
/// let findings = checker.push(Input::event(event));
/// assert_eq!(findings[0].rule.id(), "lime/tool-needs-tool-call-id");
/// assert_eq!(findings[0].path, "$.toolCallId");
/// assert!(checker.finish().is_empty());
/// ```
///
/// Since 0.1.0.
pub struct Checker {
    spec: SpecRef,
    setup: Setup,
    /// Which of the protocol's schemas is executed.
    schema: usize,
    order: Box<dyn Order>,
    events: u64,
    known: u64,
    /// A response with a list of events was read, even an empty list.
    has_batches: bool,
    findings: Vec<Finding>,
    /// How many findings were listed, and whether it was said that there are more.
    listed: usize,
    is_told: bool,
    templates: Templates,
    steady: Steady,
    leaves: Leaves,
    /// For the facts of the next event.
    room: Option<Room>,
    passed: Passed,
    /// How many events phase 1 has given up.
    closer: u64,
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
    pub fn new(protocol: impl Into<Protocol>) -> Self {
        Self::builder(protocol).build()
    }

    /// A checker to be set up.
    pub fn builder(protocol: impl Into<Protocol>) -> CheckerBuilder {
        CheckerBuilder(Setup::new(protocol.into()))
    }

    /// The protocol that it checks.
    pub fn protocol(&self) -> &Protocol {
        &self.setup.protocol
    }

    /// The profile in which it checks.
    pub fn profile(&self) -> Profile {
        self.setup.profile
    }

    /// The bounds within which it works.
    pub fn limits(&self) -> Limits {
        self.setup.limits
    }

    /// How many events have come.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// How many events phase 1 could not call clean. Each cost about ten times as much as a
    /// clean one. For benches.
    #[doc(hidden)]
    pub fn closer_looks(&self) -> u64 {
        self.closer
    }

    /// Checks the next event. The findings are those of this event: first what is wrong with it by
    /// itself, then what is wrong with its place in the stream.
    pub fn push(&mut self, input: Input<'_>) -> &[Finding] {
        self.findings.clear();
        let has_frame = input.frame.is_some() || self.spec.delivers_all;
        if has_frame || !self.goes_on(&input) {
            self.event(&input, true);
        }
        self.list()
    }

    /// Checks the event with which a text begins, if it goes on with what is in order and is as expected. Gives its
    /// length, its length with the ending behind it, and its findings. The event has at most `most` bytes, and `end`
    /// gives the length of the ending that comes next.
    #[inline]
    pub(crate) fn push_first(
        &mut self,
        rest: &str,
        place: Segment,
        most: usize,
        end: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<(usize, usize, &[Finding])> {
        if self.steady.is_empty() || !self.order.delivers_plain() {
            return None;
        }
        let segments = [place];
        let found = self.steady.expected(rest, most, &self.setup)?;
        let (text, behind) = rest.split_at_checked(found.end)?;
        let whole = text.len() + end(behind.as_bytes())?;
        self.findings.clear();
        let input = Input::event(text).at(&segments);
        let delivery = if self.spec.delivers_all { self.deliver(&input) } else { Delivery::New };
        let event = Unread { text, event: self.events, start: &|| place.location(), element: None };
        if delivery == Delivery::New && self.steady.take(&found, &event, &mut *self.order, &self.setup) {
            (self.events, self.known) = (self.events + 1, self.known + 1);
        } else {
            self.delivered(&input, true, delivery);
        }
        Some((text.len(), whole, self.list()))
    }

    /// Checks one value by itself against a type of the protocol, such as `Event`.
    /// No rule looks from one value to the next.
    ///
    /// # Errors
    /// When the protocol has no type of that name.
    pub fn check_as(&mut self, kind: &str, input: Input<'_>) -> Result<&[Finding], UnknownType> {
        self.findings.clear();
        if kind == "Event" {
            self.event(&input, false);
        } else {
            self.knows(kind)?;
            self.document(kind, &input);
            (self.events, self.known) = (self.events + 1, self.known + 1);
        }
        Ok(self.list())
    }

    /// What was found last, which counts among the findings of the stream.
    fn list(&mut self) -> &[Finding] {
        self.listed = self.listed.saturating_add(self.findings.len());
        self.shown()
    }

    /// What was found last, without secrets of the user's own patterns.
    #[inline]
    fn shown(&mut self) -> &[Finding] {
        if !self.findings.is_empty() {
            self.hide_own_secrets();
        }
        &self.findings
    }

    /// Rules write messages and hints in many places, so it is done here, when they leave.
    #[cold]
    fn hide_own_secrets(&mut self) {
        let secrets = &self.setup.secrets;
        if !secrets.has_patterns() {
            return;
        }
        for Finding { message, hint, related, .. } in &mut self.findings {
            let related = related.iter_mut().map(|related| &mut related.message);
            for text in std::iter::once(message).chain(hint).chain(related) {
                *text = secrets.hide_in(std::mem::take(text));
            }
        }
    }

    /// Ends the stream, and reports what only the end shows. Call this only if the producer
    /// ended the stream: if the connection was dropped, call [`reset`](Self::reset).
    pub fn finish(&mut self) -> &[Finding] {
        self.findings.clear();
        if self.setup.profile != Profile::Schema {
            let end = End { events: self.events, known: self.known };
            let mut report = Reporter::new(&self.setup, &mut self.findings, None, &[], &[]);
            report.behind(self.listed, &mut self.is_told);
            // Behind a full list nothing was looked at, so the end shows nothing.
            if !report.is_full() {
                self.order.finish(end, &mut report);
            }
        }
        self.shown()
    }

    /// Begins another stream with the same settings, and forgets the one before.
    pub fn reset(&mut self) {
        self.order = (self.spec.order)(&self.setup);
        (self.events, self.known, self.closer, self.has_batches) = (0, 0, 0, false);
        (self.listed, self.is_told) = (0, false);
        self.shrink_to_fit();
    }

    /// Frees memory that only makes checking faster, such as learned forms of events. For
    /// streams that will be idle; nothing that is known of the stream is lost.
    pub fn shrink_to_fit(&mut self) {
        self.templates.clear();
        self.steady = Steady::default();
        self.leaves = Leaves::default();
        self.room = None;
        self.passed = Passed::default();
        self.findings = Vec::new();
    }

    /// Reports a rule about the input as such, at a place or about all of it.
    pub(crate) fn note(&mut self, rule: &Rule, place: Option<Segment>, message: &str) -> &[Finding] {
        self.findings.clear();
        let segments = [place.unwrap_or(Segment::WHOLE)];
        let mut report = Reporter::new(&self.setup, &mut self.findings, None, &[], &segments);
        match place {
            Some(_) => report.add(rule, &Path::default(), 0..0, message),
            None => report.add_at_end(rule, message, None),
        }
        self.shown()
    }

    /// Reports a rule about an input of which no protocol is known.
    #[cfg(feature = "cli")]
    pub(crate) fn note_unknown(
        &mut self,
        rule: &Rule,
        severity: Severity,
        place: Option<Segment>,
        message: &str,
    ) -> &[Finding] {
        self.findings.clear();
        let segments = [place.unwrap_or(Segment::WHOLE)];
        let mut report = Reporter::new(&self.setup, &mut self.findings, None, &[], &segments);
        report.protocol = None;
        match place {
            Some(_) => report.add_graded(rule, severity, &Path::default(), 0..0, message),
            None => report.add_at_end_graded(rule, severity, message),
        }
        self.shown()
    }

    /// Reports that there was no event, unless the protocol has its own rule for that.
    pub(crate) fn nothing_came(&mut self) -> &[Finding] {
        if self.has_batches || self.spec.reports_emptiness(self.setup.profile) {
            self.findings.clear();
            return &self.findings;
        }
        self.note(&input_rules::EMPTY, None, "there is no event in it")
    }

    /// Takes a line of an SSE stream whose field has no meaning.
    pub(crate) fn push_stray_line(&mut self, line: &[u8], place: Segment) -> &[Finding] {
        self.findings.clear();
        let segments = [place];
        let mut report = Reporter::new(&self.setup, &mut self.findings, None, line, &segments);
        report.behind(self.listed, &mut self.is_told);
        self.order.stray_line(line, &mut report);
        secret_field(Field::new(line, place), self.spec.secret_value.as_ref(), &mut report);
        self.list()
    }

    /// Takes what stands around the list of events in a document.
    pub(crate) fn push_around(&mut self, document: &str, list: &Range<usize>, place: Segment) -> &[Finding] {
        self.findings.clear();
        let segments = [place];
        let mut report = Reporter::new(&self.setup, &mut self.findings, None, document.as_bytes(), &segments);
        report.behind(self.listed, &mut self.is_told);
        if let Some(rule) = self.spec.secret_value.as_ref().filter(|_| report.strict()) {
            // Where it is no JSON any more, that is said when the list is read.
            let _ = secrets_around(document, list, rule, &mut report);
        }
        self.list()
    }

    /// Whether the protocol has a document type of that name.
    pub(crate) fn knows(&self, kind: &str) -> Result<(), UnknownType> {
        let known = self.setup.protocol.types().iter().any(|known| known == kind);
        if known { Ok(()) } else { Err(UnknownType { protocol: self.setup.protocol.clone() }) }
    }

    /// Takes the rest of a document that is no longer JSON, or no text: one finding about it.
    pub(crate) fn push_broken(&mut self, rest: &[u8], error: SyntaxError, segments: &[Segment]) -> &[Finding] {
        self.findings.clear();
        let text = String::from_utf8_lossy(rest);
        let event = Some(self.events);
        let mut report = Reporter::new(&self.setup, &mut self.findings, event, rest, segments);
        report.behind(self.listed, &mut self.is_told);
        if utf8(rest).is_err_and(|bad| bad.valid_up_to() == error.offset) {
            not_utf8(error.offset, &text, &self.spec, &mut report);
        } else {
            syntax(error, &text, true, &self.spec, &mut report);
        }
        self.order.lost();
        self.steady.clear();
        self.events += 1;
        self.list()
    }

    /// Takes an event that was too large to be read.
    pub(crate) fn push_too_large(&mut self, place: Segment, what: Oversize) -> &[Finding] {
        self.findings.clear();
        let segments = [place];
        let event = Some(self.events);
        let mut report = Reporter::new(&self.setup, &mut self.findings, event, &[], &segments);
        report.behind(self.listed, &mut self.is_told);
        let rule = if what == Oversize::Frame { &self.spec.frame_too_large } else { &input_rules::TOO_LARGE };
        let message = match what {
            Oversize::Frame | Oversize::Line => "larger than the limit, not read",
            Oversize::Rest => "larger than the limit; nothing is read from here on",
        };
        report.add(rule, &Path::default(), 0..0, message);
        self.order.lost();
        self.steady.clear();
        self.events += 1;
        self.list()
    }

    /// How the frame of an event counts.
    fn deliver(&mut self, input: &Input<'_>) -> Delivery {
        let is_ordered = self.setup.profile != Profile::Schema;
        if is_ordered && input.frame.is_none() && self.order.delivers_new(input.bytes()) {
            return Delivery::New;
        }
        let mut report =
            Reporter::new(&self.setup, &mut self.findings, Some(self.events), input.bytes(), input.segments);
        report.behind(self.listed, &mut self.is_told);
        let delivery = self.order.deliver(input, &mut report);
        for field in input.frame.iter().flat_map(|frame| [frame.name, frame.id]).flatten() {
            secret_field(field, self.spec.secret_value.as_ref(), &mut report);
        }
        let is_cut = input.frame.is_some_and(|frame| frame.ending.is_none());
        if is_cut && delivery != Delivery::Ignored {
            let end = input.bytes().len();
            let message = "no blank line follows the last frame";
            report.add(&input_rules::UNTERMINATED_FRAME, &Path::default(), end..end, message);
        }
        delivery
    }

    /// Whether the text of an input alone says what it is, and not the name of its frame.
    fn is_told_by_text(&self, input: &Input<'_>) -> bool {
        self.spec.unpack.is_none() || input.frame.is_none_or(|frame| frame.name.is_none())
    }

    /// Takes an event that only goes on with what is in order; false if it has to be looked at.
    #[inline(always)]
    fn goes_on(&mut self, input: &Input<'_>) -> bool {
        if self.steady.is_empty() {
            return false;
        }
        let Ok(text) = input.utf8() else { return false };
        let start = || input.segments.first().unwrap_or(&Segment::WHOLE).location();
        let event = Unread { text, event: self.events, start: &start, element: None };
        let goes_on = self.steady.takes(&event, &mut *self.order, &self.setup);
        (self.events, self.known) = (self.events + u64::from(goes_on), self.known + u64::from(goes_on));
        goes_on
    }

    #[inline(never)]
    fn event(&mut self, input: &Input<'_>, in_stream: bool) {
        let looks_at_frame = in_stream && (input.frame.is_some() || self.spec.delivers_all);
        let delivery = if looks_at_frame { self.deliver(input) } else { Delivery::New };
        let may_go_on = delivery == Delivery::New && looks_at_frame && self.is_told_by_text(input);
        if !(may_go_on && self.goes_on(input)) {
            self.delivered(input, in_stream, delivery);
        }
    }

    /// Takes an event that does not just go on, and counts as was said of its frame.
    fn delivered(&mut self, input: &Input<'_>, in_stream: bool, delivery: Delivery) {
        if delivery == Delivery::Ignored {
            return;
        }
        let ordered = in_stream && self.setup.profile != Profile::Schema;
        let mut report =
            Reporter::new(&self.setup, &mut self.findings, Some(self.events), input.bytes(), input.segments);
        report.behind(self.listed, &mut self.is_told);
        let (limits, spec) = (self.setup.limits, &*self.spec);
        let text = if delivery == Delivery::Repeated { None } else { readable(input, limits, spec, &mut report) };
        let Some(text) = text else {
            self.events += 1;
            if ordered && delivery == Delivery::New {
                self.order.lost();
            }
            self.steady.clear();
            return;
        };
        let mut judging = Judging {
            setup: &self.setup,
            spec,
            schema: self.schema,
            order: &mut *self.order,
            ordered,
            again: delivery == Delivery::Again,
            known: &mut self.known,
            templates: &mut self.templates,
            steady: &mut self.steady,
            leaves: &mut self.leaves,
            room: &mut self.room,
            passed: &mut self.passed,
            closer: &mut self.closer,
        };
        let Some(unpack) = spec.unpack else {
            self.events += 1;
            let form = spec.shape(self.schema).root();
            judging.part(Part::whole(text, self.schema, form, input.cut_off), &mut report);
            return;
        };
        let holds = unpack(text, input.frame.as_ref(), judging.order.era());
        if let Holds::Batch(batch) = holds {
            self.has_batches = true;
            self.events = judging.batch(text, &batch, self.events, &mut report);
            return;
        }
        self.events += 1;
        let rebuilt = judging.event(text, holds, input.cut_off, &mut report);
        if let Some(rebuilt) = rebuilt {
            judging.rebuilt(*rebuilt, report, self.listed);
        }
    }

    fn document(&mut self, kind: &str, input: &Input<'_>) {
        let mut report = Reporter::new(&self.setup, &mut self.findings, None, input.bytes(), input.segments);
        report.behind(self.listed, &mut self.is_told);
        let Some(text) = readable(input, self.setup.limits, &self.spec, &mut report) else { return };
        if report.is_full() {
            return;
        }
        let spec: &Spec = &self.spec;
        match Node::parse(text, self.setup.limits.depth) {
            Ok(node) => {
                (spec.documents.check)(spec, kind, &node, &mut report);
                lone_surrogates(text, &node, &mut report);
            }
            Err(error) => syntax(error, text, input.cut_off, spec, &mut report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a stream, printed for whoever looks for a fault in the crate, has nothing
    /// of the stream's texts, ids and names.
    #[test]
    fn debug_of_a_state_shows_nothing_of_the_stream() {
        const WORD: &str = "Zugspitze";
        let run = r#""threadId":"W t","runId":"W r","timestamp":1"#;
        let time = r#""timestamp":"2026-03-12T14:02:11W","task_id":"W""#;
        let lime = |class: &str, rest: &str| {
            format!(
                r#"{{"id":"W","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"W","threadId":"W","turnId":"W","kind":"model","status":"running","eventClass":"{class}","sequence":1,"title":"W","createdAt":"2026-06-10T08:00:00Z"{rest}}}"#
            )
        };
        let polled = |idx: u8, kind: &str, rest: &str| {
            format!(r#"{{"idx":{idx},"type":"{kind}","data":{{{rest}"task_id":"W","conversation_id":"W"}},"ts":1.5}}"#)
        };
        for (protocol, events) in [
            (
                Protocol::AGUI,
                vec![
                    format!(r#"{{"type":"RUN_STARTED",{run}}}"#),
                    r#"{"type":"STATE_SNAPSHOT","snapshot":{"W":"W"}}"#.to_owned(),
                    r#"{"type":"TEXT_MESSAGE_START","messageId":"W m","role":"assistant","name":"W"}"#.to_owned(),
                    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"W m","delta":"W"}"#.to_owned(),
                    r#"{"type":"TOOL_CALL_START","toolCallId":"W c","toolCallName":"W n"}"#.to_owned(),
                    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"W c","delta":"{\"W\":"}"#.to_owned(),
                ],
            ),
            (
                Protocol::SOCIAL_APP,
                vec![
                    format!(r#"{{"type":"RUN_STARTED",{run}}}"#),
                    format!(
                        r#"{{"type":"TOOL_CALL_START",{run},"messageId":"W m","toolCallId":"W c","toolCallName":"W n"}}"#
                    ),
                    format!(
                        r#"{{"type":"TOOL_CALL_ARGS",{run},"messageId":"W m","toolCallId":"W c","toolCallName":"W n","args":{{"W":"W"}}}}"#
                    ),
                ],
            ),
            (
                Protocol::UBIK,
                vec![
                    format!(r#"{{"type":"connection_established","session_id":"W","connection_id":"W",{time}}}"#),
                    format!(r#"{{"type":"response_chunk","content":"W W",{time}}}"#),
                    format!(
                        r#"{{"type":"tool_partial_update","tool_execution_id":"W","tool_name":"W","data":{{"content":"W"}},{time}}}"#
                    ),
                    r#"{"type":"tool_update_delta_sse","chunk_id":"W","chunk_index":0,"total_chunks":2,"original_event_type":"tool_update","chunk_data":"W"}"#.to_owned(),
                ],
            ),
            (
                Protocol::POLLING,
                vec![
                    polled(0, "ai_message_start", ""),
                    polled(1, "text_chunk", r#""content":"W W","index":1,"elapsed":0.5,"#),
                    polled(2, "tool_start", r#""id":"W t","name":"W n","arguments":{"W":"W"},"#),
                    polled(3, "tool_approval_required", r#""approval":{"approval_id":"W a"},"#),
                ],
            ),
            (
                Protocol::LIME,
                vec![
                    lime("turn.started", ""),
                    lime("model.delta", r#","payload":{"messageId":"W","delta":"W W"}"#),
                    lime("tool.started", r#","toolCallId":"W c""#),
                ],
            ),
        ] {
            let mut checker = Checker::new(&protocol);
            for event in &events {
                checker.push(Input::event(&event.replace('W', &format!("<{WORD}> "))));
            }
            let shown = format!("{checker:?} {:?} {:?}", checker.templates, checker.passed);
            assert!(!shown.contains(WORD), "{protocol}: {shown}");
            assert!(shown.contains(&format!("events: {}", events.len())), "{protocol}: {shown}");
        }
    }
}
