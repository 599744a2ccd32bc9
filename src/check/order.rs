//! The order of a stream's events, as a protocol judges it.

use std::borrow::Cow;
use std::ops::Range;

use super::facts::{FactKind, Facts};
use super::finding::Related;
use super::holds::{Batch, Rebuilt};
use super::input::Input;
use super::reporter::Reporter;
use super::rule::{Rule, Severity};
use super::secrets::Secrets;
use super::shape::Shape;
use super::template::{Form, Read};
use super::tree::Node;
use crate::wire::path::Path;
use crate::wire::span::Location;
use crate::wire::text::Text;

/// How far an event can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing is wrong with it that would change what it does.
    Clean,
    /// A receiver fails over it: what can be read of it still counts, but it raises nothing more.
    Suspect,
}

/// How a frame counts, which is decided before its event is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    New,
    /// The frame came before, with the same content: its event counts once.
    Repeated,
    /// The same, but its piece of a text may be the next one: see [`Order::again`].
    Again,
    /// Receivers of the protocol pass over the frame.
    Ignored,
}

/// How a stream came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// How many events came.
    pub(crate) events: u64,
    /// How many of them were of a type that the protocol names.
    pub(crate) known: u64,
}

/// What may go on, such as the text of a message: an event that is the same but for its piece of
/// the text, what is beside it, and what no slot takes, may be in order without a closer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoesOn {
    /// A number of the protocol's own.
    pub(crate) kind: u8,
    /// The key of what goes on.
    pub(crate) id: u64,
    /// The key of what it lies in, where a stream may have several of them, such as threads; else 0.
    pub(crate) within: u64,
    /// The slot of the piece.
    pub(crate) piece: u8,
    /// Slots of what is new with each piece, such as its number and time.
    pub(crate) beside: &'static [u8],
}

/// An event that is not read yet.
pub(crate) struct Unread<'a> {
    pub(crate) text: &'a str,
    /// Its number in the stream.
    pub(crate) event: u64,
    /// Where it begins, for whoever asks.
    pub(crate) start: &'a dyn Fn() -> Location,
    /// Where it stands in the list of the response that it came in.
    pub(crate) element: Option<usize>,
}

/// An event that brings the next piece.
pub(crate) struct Next<'a> {
    pub(crate) unread: &'a Unread<'a>,
    /// The characters of the piece; a lone surrogate is U+FFFD.
    pub(crate) piece: &'a str,
    pub(crate) secrets: &'a Secrets,
    pub(super) form: &'a Form,
    pub(super) read: &'a Read,
}

impl<'a> Next<'a> {
    /// What is in a slot beside the piece, as it is written; `None` if there is nothing.
    #[inline]
    pub(crate) fn beside(&self, slot: u8) -> Option<Text<'a>> {
        self.form.varied(slot, self.unread.text, self.read)
    }

    pub(crate) fn place(&self) -> Place {
        let Unread { event, start, .. } = *self.unread;
        Place { event, location: start() }
    }
}

/// The order rules of a protocol, with the state of one stream.
pub(crate) trait Order: Send + Sync {
    /// Reports what is wrong with a frame as such.
    fn deliver(&mut self, _input: &Input<'_>, _report: &mut Reporter<'_>) -> Delivery {
        Delivery::New
    }

    /// Takes a frame that has nothing but its event, if [`deliver`](Self::deliver) would call it new and report
    /// nothing. If false, nothing was taken.
    fn delivers_new(&mut self, _event: &[u8]) -> bool {
        false
    }

    /// Whether [`deliver`](Self::deliver) may be left out for a frame that has nothing but its event: it would
    /// call it new and change nothing.
    fn delivers_plain(&self) -> bool {
        true
    }

    /// Reports what is wrong with a line of an SSE stream whose field has no meaning.
    fn stray_line(&mut self, _line: &[u8], _report: &mut Reporter<'_>) {}

    /// The era of the stream: which of several ways to send events it has shown, as a number of
    /// the protocol's own. For checks that depend on it.
    fn era(&self) -> u8 {
        0
    }

    /// Takes what a batch says beside its events, before they come. False if the events do not
    /// count in the order of the stream.
    fn begin_batch(&mut self, _head: &Node<'_>, _batch: &Batch, _report: &mut Reporter<'_>) -> bool {
        true
    }

    /// Reports what only all events of a batch show.
    fn end_batch(&mut self, _report: &mut Reporter<'_>) {}

    /// How far an event can be relied on that came before as it is, if something is wrong with it by itself: that was
    /// said.
    fn was_judged(&self, _facts: &Facts<'_>, _element: Option<usize>) -> Option<Trust> {
        None
    }

    /// Takes the event into the state of the stream and reports what it breaks there.
    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>);

    /// Takes an event that came before: the piece of a text that it brings may be the next one.
    fn again(&mut self, _arrival: &mut Arrival<'_, '_, '_>) {}

    /// Takes the next piece of what an event before [leads to](Arrival::leads_to), where nothing but
    /// other pieces came since. False if the event has to be looked at; then nothing was taken, or
    /// the [look at its seam](super::seams::Seams::look) takes it but once.
    /// Only the order looks at what is [beside](Next::beside) the piece.
    fn go_on(&mut self, _with: GoesOn, _next: &Next<'_>) -> bool {
        false
    }

    /// An event has come that could not be read: what it was is not known.
    fn lost(&mut self) {}

    /// Reports what only the end of the stream shows.
    fn finish(&mut self, end: End, report: &mut Reporter<'_>);
}

/// Where something happened in a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) event: u64,
    pub(crate) location: Location,
}

impl Place {
    pub(crate) fn related(&self, message: impl Into<String>) -> Related {
        Related { message: message.into(), event: Some(self.event), location: self.location }
    }
}

/// An event as it is taken into the state of a stream.
pub(crate) struct Arrival<'t, 'f, 'r> {
    pub(crate) facts: &'t Facts<'f>,
    pub(crate) trust: Trust,
    /// The event as a tree, where that had to be built.
    pub(crate) tree: Option<&'t Node<'f>>,
    /// The member by which events are told apart.
    pub(crate) tag: &'t str,
    /// The event's type, where its text does not have it.
    pub(crate) name: Option<&'t str>,
    /// It is written in another way than the protocol's.
    pub(crate) odd: bool,
    pub(crate) shape: &'t Shape,
    /// What the event has completed.
    pub(crate) rebuilt: Option<Box<Rebuilt>>,
    /// What it goes on with, if the next event may go on with it without a look.
    pub(crate) leads_to: Option<GoesOn>,
    pub(crate) report: &'t mut Reporter<'r>,
}

impl<'t, 'f, 'r> Arrival<'t, 'f, 'r> {
    /// An event of which nothing more is known.
    #[inline(always)]
    pub(crate) const fn new(
        facts: &'t Facts<'f>,
        trust: Trust,
        tag: &'t str,
        shape: &'t Shape,
        report: &'t mut Reporter<'r>,
    ) -> Self {
        Self { facts, trust, tree: None, tag, name: None, odd: false, shape, rebuilt: None, leads_to: None, report }
    }

    /// The value of a watched member as a tree, with places in the event's text.
    pub(crate) fn value(&self, slot: u8) -> Option<Cow<'t, Node<'f>>> {
        if let Some(tree) = self.tree {
            return tree.at(&self.shape.path_of(slot)).map(Cow::Borrowed);
        }
        let mut node = Node::parse(self.facts.raw_if(slot)?, self.report.limits().depth).ok()?;
        node.shift(self.facts.span(slot).start);
        Some(Cow::Owned(node))
    }

    /// The text of a watched member, and where it begins in the event's.
    pub(crate) fn raw(&self, slot: u8) -> Option<(&'f str, usize)> {
        let span = match self.tree {
            Some(tree) => tree.at(&self.shape.path_of(slot))?.span(),
            None => (self.facts.kind(slot) != FactKind::Absent).then(|| self.facts.span(slot))?,
        };
        let start = span.start;
        Some((&self.facts.text()[span], start))
    }

    /// Where the event begins.
    pub(crate) fn place(&self) -> Place {
        Place { event: self.report.event.unwrap_or(0), location: self.report.start() }
    }

    /// Whether findings about the event count.
    pub(crate) fn is_clean(&self) -> bool {
        self.trust == Trust::Clean
    }

    /// Whether the event is to be blamed for what is said once, and it was not said yet.
    pub(crate) fn is_first(&self, told: &mut bool) -> bool {
        self.is_clean() && !std::mem::replace(told, true)
    }

    /// Reports at the member of `slot`, else at the tag.
    pub(crate) fn fault(&mut self, rule: &Rule, slot: Option<u8>, message: impl Into<String>) {
        self.fault_related(rule, slot, message, None);
    }

    /// Reports at the member of `slot`, which can be relied on whatever else is wrong with the event.
    pub(crate) fn fault_of(&mut self, rule: &Rule, slot: u8, message: impl Into<String>) {
        self.report.add(rule, &self.shape.path_of(slot), self.facts.span(slot), message);
    }

    /// Reports at a place of the event.
    pub(crate) fn fault_at(&mut self, rule: &Rule, path: &Path, span: Range<usize>, message: impl Into<String>) {
        if self.is_clean() {
            self.report.add(rule, path, span, message);
        }
    }

    /// Reports at the member of `slot`, with a severity that depends on the case.
    pub(crate) fn fault_graded(&mut self, rule: &Rule, severity: Severity, slot: u8, message: impl Into<String>) {
        if self.is_clean() {
            self.report.add_graded(rule, severity, &self.shape.path_of(slot), self.facts.span(slot), message);
        }
    }

    /// Reports at the member of `slot`, and what to do in this case.
    pub(crate) fn fault_hinted(&mut self, rule: &Rule, slot: u8, message: impl Into<String>, hint: Option<String>) {
        let before = self.report.findings.len();
        self.fault(rule, Some(slot), message);
        if let Some(added) = self.report.added(before) {
            added.hint = hint;
        }
    }

    pub(crate) fn fault_related(
        &mut self,
        rule: &Rule,
        slot: Option<u8>,
        message: impl Into<String>,
        related: Option<Related>,
    ) {
        if !self.is_clean() {
            return;
        }
        let slot = slot.filter(|slot| self.facts.kind(*slot) != FactKind::Absent);
        let (path, span) = match slot {
            Some(slot) => (self.shape.path_of(slot), self.facts.span(slot)),
            None => (Path::default(), self.facts.tag_span(self.tag)),
        };
        self.report.add_related(rule, &path, span, message, related);
    }
}
