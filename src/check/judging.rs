//! Judging one event, or the events of one response: by themselves, and in their order.

use std::ops::Range;

use super::facts::{Facts, Room};
use super::holds::{Batch, Holds, NESTING, Rebuilt};
use super::input::{Field, FrameFields, Input};
use super::input_rules;
use super::leaks::secret_text;
use super::leaves::Leaves;
use super::limits::Limits;
use super::order::{Arrival, Order, Trust, Unread};
use super::passed::Passed;
use super::reporter::Reporter;
use super::scan::{ScanOptions, scan};
use super::setup::Setup;
use super::shape::FormId;
use super::spec::{Looked, Spec};
use super::steady::Steady;
use super::template::Templates;
use super::tree::{Node, Value};
use crate::wire::path::{Path, Trail, path_at};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError, SyntaxKind};
use crate::wire::span::Segment;

/// Judges events by themselves and in their order.
pub(super) struct Judging<'c> {
    pub(super) setup: &'c Setup,
    pub(super) spec: &'c Spec,
    /// The schema that the settings ask for.
    pub(super) schema: usize,
    pub(super) order: &'c mut dyn Order,
    pub(super) ordered: bool,
    /// The event came before, and was judged then.
    pub(super) again: bool,
    pub(super) known: &'c mut u64,
    pub(super) templates: &'c mut Templates,
    pub(super) steady: &'c mut Steady,
    pub(super) leaves: &'c mut Leaves,
    pub(super) room: &'c mut Option<Room>,
    pub(super) passed: &'c mut Passed,
    pub(super) closer: &'c mut u64,
}

/// A text to judge, and the form of the schema to judge it by.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    text: &'a str,
    schema: usize,
    form: FormId,
    /// The event's type, where the text does not have it, and its position if it is known.
    name: Option<&'a str>,
    tag: Option<usize>,
    /// It is written in another way than the protocol's, which phase 1 does not report.
    odd: bool,
    /// The text may lack its end.
    cut_off: bool,
}

impl<'a> Part<'a> {
    /// A text that is an event, and names its type.
    pub(super) const fn whole(text: &'a str, schema: usize, form: FormId, cut_off: bool) -> Self {
        Self { text, schema, form, name: None, tag: None, odd: false, cut_off }
    }
}

impl Judging<'_> {
    /// Judges the event that a text is or holds; gives what it has completed.
    pub(super) fn event(
        &mut self,
        text: &str,
        holds: Holds<'_>,
        cut_off: bool,
        report: &mut Reporter<'_>,
    ) -> Option<Box<Rebuilt>> {
        let spec = self.spec;
        let content = match holds {
            Holds::Content(content) if self.is_json_around(text, &content.span, report) => content,
            _ => {
                let form = spec.shape(self.schema).root();
                return self.part(Part::whole(text, self.schema, form, cut_off), report);
            }
        };
        let shape = spec.shape(content.schema);
        let found = shape.variant(&content.tag);
        let form = found.and_then(|(_, frame)| shape.member_of(frame, content.member)).unwrap_or(shape.root());
        let (name, tag) = (Some(&*content.tag), found.map(|(at, _)| at));
        (report.base, report.root) = (content.span.start, content.path);
        let text = &text[content.span];
        let part = Part { text, schema: content.schema, form, name, tag, odd: content.odd, cut_off };
        let rebuilt = self.part(part, report);
        (report.base, report.root) = (0, Path::default());
        rebuilt
    }

    /// Looks at what stands around a part of a text; false if that is no JSON, or nested too deeply for a tree.
    fn is_json_around(&self, text: &str, part: &Range<usize>, report: &mut Reporter<'_>) -> bool {
        if part.len() == text.len() {
            return true;
        }
        let around = Node::parse_without(text, self.setup.limits.depth, Some(part));
        if let Ok(around) = &around
            && !self.again
        {
            (self.spec.judge_around)(around, report);
        }
        around.is_ok()
    }

    /// Judges one event and takes it into the order.
    #[inline(always)]
    pub(super) fn part(&mut self, part: Part<'_>, report: &mut Reporter<'_>) -> Option<Box<Rebuilt>> {
        if report.is_full() {
            // Nothing more would be said of it.
            self.lost();
            return None;
        }
        let Self { setup, spec, order, .. } = self;
        let (limits, shape) = (setup.limits, spec.shape(part.schema));
        let era = order.era();
        // Phase 1 knows nothing of the user's own patterns.
        let may_be_secret = setup.secrets.may_be_in(part.text) && setup.is_strict();
        let is_known = part.name.is_none() || part.tag.is_some();
        if !setup.exact && !part.odd && is_known && !may_be_secret {
            let (depth, inline_units) = (limits.depth, setup.inline_units());
            let options = ScanOptions { depth, inline_units, strict: setup.is_strict() };
            let longest = setup.longest_alike();
            let kind = part.schema << 16 | part.tag.map_or(0, |at| at + 1);
            let mut facts = Facts::within(part.text, self.room.take().unwrap_or_else(Facts::room));
            facts.begin(part.schema, part.tag, inline_units);
            let is_filled = self.templates.fill(kind, &mut facts, self.passed, options.strict, longest);
            let mut clean = is_filled && spec.is_clean(&facts, era);
            if !clean {
                if is_filled {
                    facts.clear();
                    facts.begin(part.schema, part.tag, inline_units);
                }
                let learns = self.templates.learns();
                clean = scan(shape, part.form, options, &mut facts, self.leaves, learns) && spec.is_clean(&facts, era);
                if clean {
                    self.templates.learn(kind, &facts, self.leaves);
                }
            }
            if clean {
                // What is not in the text is not compared.
                let is_alike = is_filled && !setup.secrets.has_patterns() && part.name.is_none();
                let arrival = Arrival::new(&facts, Trust::Clean, &spec.tag, shape, report);
                let rebuilt = self.take(Arrival { name: part.name, ..arrival }, is_alike);
                *self.room = Some(facts.into_room());
                return rebuilt;
            }
            *self.room = Some(facts.into_room());
        }
        self.look_closer(part, report)
    }

    /// Judges an event that phase 1 gave up.
    #[cold]
    fn look_closer(&mut self, part: Part<'_>, report: &mut Reporter<'_>) -> Option<Box<Rebuilt>> {
        *self.closer += u64::from(!self.again);
        let Part { text, schema, form, name, tag, odd, cut_off } = part;
        let Self { setup, spec, order, .. } = self;
        let (limits, era, shape) = (setup.limits, order.era(), spec.shape(schema));
        let node = match Node::parse(text, limits.depth) {
            Ok(node) => node,
            Err(_) if self.again => return None,
            Err(error) => {
                syntax(error, text, cut_off, spec, report);
                for _ in 0..values(text) {
                    self.lost();
                }
                return None;
            }
        };
        let mut facts = Facts::within(text, self.room.take().unwrap_or_else(Facts::room));
        (spec.facts)(&mut facts, shape, form, &node);
        facts.begin(schema, tag, limits.inline_units);
        let looked = Looked { spec, name, odd, shape, form, node: &node, facts: &facts, era };
        let mut trust = Trust::Clean;
        if let Some(known) = self.order.was_judged(&facts, report.element).filter(|_| self.ordered) {
            trust = known;
        } else if !self.again {
            trust = (spec.judge)(&looked, report);
            lone_surrogates(text, &node, report);
            if !node.is_object() {
                secret_text(text, spec.secret_value.as_ref(), report);
            }
        }
        let mut rebuilt = None;
        if node.is_object() {
            let arrival = Arrival::new(&facts, trust, &spec.tag, shape, report);
            rebuilt = self.take(Arrival { tree: Some(&node), name, odd, ..arrival }, false);
        } else if !self.again {
            self.lost();
        }
        *self.room = Some(facts.into_room());
        rebuilt
    }

    /// Takes an event into the order. `is_alike`: the templates have told what it is.
    #[inline(always)]
    fn take(&mut self, mut arrival: Arrival<'_, '_, '_>, is_alike: bool) -> Option<Box<Rebuilt>> {
        if self.again {
            self.order.again(&mut arrival);
            self.steady.clear();
            return None;
        }
        *self.known += u64::from(arrival.facts.tag().is_some());
        if !self.ordered {
            return None;
        }
        arrival.report.instead = None;
        self.order.push(&mut arrival);
        match arrival.leads_to {
            Some(with) if is_alike => self.steady.note(with, arrival.facts.text(), self.templates),
            Some(_) => {}
            None => self.steady.clear(),
        }
        self.steady.pass();
        arrival.rebuilt
    }

    /// Takes an event of a response that only goes on with what is in order; false if it has to be looked at.
    fn goes_on(&mut self, text: &str, report: &Reporter<'_>) -> bool {
        if self.steady.is_empty() {
            return false;
        }
        let start = || report.start();
        let event = Unread { text, event: report.event.unwrap_or(0), start: &start, element: report.element };
        let goes_on = self.steady.takes(&event, &mut *self.order, self.setup);
        *self.known += u64::from(goes_on);
        goes_on
    }

    fn lost(&mut self) {
        if self.ordered {
            self.order.lost();
            self.steady.clear();
        }
    }

    /// Judges several events that came together, the next of which has the number `next`;
    /// gives the number of the one after them.
    pub(super) fn batch(&mut self, text: &str, batch: &Batch, mut next: u64, report: &mut Reporter<'_>) -> u64 {
        let limits = self.setup.limits;
        self.steady.clear();
        report.event = None;
        if batch.has_around && !self.is_json_around(text, &batch.span, report) {
            // It is nested too deeply for a tree.
            for part in [&text[..batch.span.start], &text[batch.span.end..]] {
                secret_text(part, self.spec.secret_value.as_ref(), report);
            }
        }
        report.base = batch.span.start;
        report.root.clone_from(&batch.path);
        let head = &text[batch.span.clone()];
        let list = batch.list.as_ref().map(|list| list.start - batch.span.start..list.end - batch.span.start);
        let mut takes = self.ordered;
        match Node::parse_without(head, limits.depth, list.as_ref()) {
            Ok(node) => {
                (self.spec.judge_batch)(&node, report);
                takes = takes && self.order.begin_batch(&node, batch, report);
            }
            Err(error) => syntax(error, head, false, self.spec, report),
        }
        let ordered = std::mem::replace(&mut self.ordered, takes);
        report.root.clone_from(&batch.list_path);
        let (schema, form) = (self.schema, self.spec.shape(self.schema).root());
        for (index, span) in batch.events.iter().enumerate() {
            (report.event, report.base, report.element) = (Some(next), span.start, Some(index));
            let event = &text[span.clone()];
            if !self.goes_on(event, report) {
                self.part(Part::whole(event, schema, form, false), report);
            }
            next += 1;
        }
        self.ordered = ordered;
        (report.event, report.base, report.element) = (None, batch.span.start, None);
        report.root.clone_from(&batch.path);
        if takes {
            self.order.end_batch(report);
        }
        next
    }

    /// Judges an event that was put together of pieces, and what that may have completed.
    pub(super) fn rebuilt(&mut self, mut rebuilt: Rebuilt, report: Reporter<'_>, listed: usize) {
        let (behind, event) = (report.text.len() + 1, report.event);
        let (findings, mut is_told) = (report.findings, report.is_told);
        for _ in 0..NESTING {
            let before = findings.len();
            let Some(start) = (rebuilt.places)(&[0]).pop() else { return };
            let segments = [Segment::at(start)];
            let Some(told) = is_told.as_deref_mut() else { return };
            let mut report = Reporter::new(self.setup, findings, event, rebuilt.text.as_bytes(), &segments);
            report.behind(listed, told);
            (report.instead, report.is_rebuilt) = (Some(rebuilt.invalid), true);
            let name = rebuilt.name.as_ref().map(|name| Field::new(name.as_bytes(), segments[0]));
            let frame = FrameFields { name, ..FrameFields::default() };
            let era = self.order.era();
            let holds = self.spec.unpack.map_or(Holds::Event, |unpack| unpack(&rebuilt.text, Some(&frame), era));
            let next = self.event(&rebuilt.text, holds, false, &mut report);
            #[expect(clippy::indexing_slicing, reason = "findings are only added to the list")]
            let found = &mut findings[before..];
            let mut asked: Vec<usize> =
                found.iter().flat_map(|finding| [finding.span.start, finding.span.end]).collect();
            asked.sort_unstable();
            asked.dedup();
            let places = (rebuilt.places)(&asked);
            let place =
                |at: usize| asked.binary_search(&at).ok().and_then(|at| places.get(at)).copied().unwrap_or(start);
            for finding in found {
                let (start, end) = (place(finding.span.start), place(finding.span.end));
                finding.location = Some(start);
                finding.bytes = Some(start.offset..end.offset.max(start.offset));
                finding.span = behind..behind;
            }
            match next {
                Some(next) => rebuilt = *next,
                None => return,
            }
        }
    }
}

/// The text of an input that is UTF-8 and not too large; reports what is not.
pub(super) fn readable<'a>(
    input: &Input<'a>,
    limits: Limits,
    spec: &Spec,
    report: &mut Reporter<'_>,
) -> Option<&'a str> {
    // Places in an event are 32-bit numbers.
    if input.bytes().len() > limits.event_bytes.min(u32::MAX as usize) {
        report.add(&input_rules::TOO_LARGE, &Path::default(), 0..1, "larger than the limit, not read");
        return None;
    }
    match input.utf8() {
        Ok(text) => Some(text),
        Err(error) => {
            not_utf8(error.valid_up_to(), &String::from_utf8_lossy(input.bytes()), spec, report);
            None
        }
    }
}

/// Reports the byte at which a text is no text any more.
pub(super) fn not_utf8(at: usize, text: &str, spec: &Spec, report: &mut Reporter<'_>) {
    report.add(&input_rules::NOT_UTF8, &Path::default(), at..at + 1, "these bytes are not UTF-8");
    secret_text(text, spec.secret_value.as_ref(), report);
}

/// How many values a text that is not JSON may have been: several that follow each other, where a line break is missing
/// between them.
fn values(text: &str) -> usize {
    let mut rest = text;
    let is_value = || {
        let mut cursor = Cursor::new(rest, MAX_DEPTH);
        let is_value = cursor.kind() == Ok(Kind::Object) && cursor.skip().is_ok();
        rest = rest.get(cursor.offset()..).filter(|_| is_value).unwrap_or_default();
        // The line of a frame may be what comes next.
        rest = rest.strip_prefix("data:").unwrap_or(rest);
        is_value.then_some(())
    };
    std::iter::from_fn(is_value).take(MOST_IN_A_LINE).count().max(1)
}

/// So many values in one line are told apart.
const MOST_IN_A_LINE: usize = 8;

/// Reports text that is not JSON, or is nested too deeply to be looked at.
pub(super) fn syntax(error: SyntaxError, text: &str, cut_off: bool, spec: &Spec, report: &mut Reporter<'_>) {
    let path = path_at(text, error.offset);
    let end = text[error.offset.min(text.len())..].chars().next().map_or(0, char::len_utf8);
    let span = error.offset..error.offset + end;
    let rule = match error.kind {
        SyntaxKind::TooDeep => &input_rules::TOO_DEEP,
        SyntaxKind::UnexpectedEnd if cut_off => &input_rules::TRUNCATED,
        _ => &spec.not_json,
    };
    report.add(rule, &path, span, error.kind.describe());
    secret_text(text, spec.secret_value.as_ref(), report);
}

/// Reports the strings of an event that are half a character.
pub(super) fn lone_surrogates(text: &str, node: &Node<'_>, report: &mut Reporter<'_>) {
    if may_have_surrogates(text) {
        lone_surrogates_in(node, &Trail::root(), report);
    }
}

fn may_have_surrogates(text: &str) -> bool {
    [r"\ud", r"\uD"].iter().any(|escape| memchr::memmem::find(text.as_bytes(), escape.as_bytes()).is_some())
}

fn lone_surrogates_in(node: &Node<'_>, trail: &Trail<'_>, report: &mut Reporter<'_>) {
    if node.unread().is_some_and(|text| !may_have_surrogates(text)) {
        return;
    }
    if let Value::String(text) = &node.value
        && text.has_lone_surrogate()
    {
        let message = "the string has a surrogate escape without its partner";
        report.add(&input_rules::LONE_SURROGATE, &trail.path(), node.span(), message);
    }
    for (index, element) in node.elements().iter().enumerate() {
        lone_surrogates_in(element, &trail.index(index), report);
    }
    for member in node.members() {
        lone_surrogates_in(&member.node, &trail.key(&member.key), report);
    }
}
