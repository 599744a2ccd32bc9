//! What goes on in order: most events of a stream only bring the next piece of a text.
//!
//! An event that repeats one before it but for its piece, and what is new with each piece, is
//! neither read nor looked up again.

use std::fmt;

use super::order::{GoesOn, Next, Order};
use super::setup::Setup;
use super::template::{Form, Read, Templates};
use crate::wire::span::Segment;

/// How many texts may go on side by side.
const SIDE_BY_SIDE: usize = 8;

/// Events that were in order, with nothing but pieces of texts since.
#[derive(Default)]
pub(super) struct Steady {
    open: Vec<Open>,
    /// The last one that went on.
    last: usize,
    /// The last event goes on with one of them, and had to be looked at all the same.
    is_known: bool,
    /// For the next piece that has escapes.
    room: String,
}

struct Open {
    form: Form,
    with: GoesOn,
    /// The one that went on after it.
    next: usize,
}

impl fmt::Debug for Steady {
    /// Shows nothing of the events.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steady").field("open", &self.open.len()).finish_non_exhaustive()
    }
}

/// What goes on with a text at the beginning of some lines.
pub(super) struct Line {
    /// How long it is, and how long with its line break.
    pub(super) length: usize,
    pub(super) whole: usize,
    /// It has to be looked at all the same.
    pub(super) is_looked_at: bool,
}

impl Steady {
    /// Takes an event that goes on with one of the texts; false if it has to be looked at.
    #[inline]
    pub(super) fn takes(
        &mut self,
        text: &str,
        event: u64,
        segments: &[Segment],
        order: &mut dyn Order,
        setup: &Setup,
    ) -> bool {
        let longest = setup.longest_alike().min(setup.limits.event_bytes);
        if text.len() > longest {
            self.is_known = false;
            return false;
        }
        let (mut read, strict) = (Read::default(), setup.is_strict());
        let guess = self.open.get(self.last).map_or(0, |open| open.next);
        let end = self.open.get(guess).and_then(|open| open.form.end_in(text, &mut read, None, strict));
        let found = if end == Some(text.len()) { Some(guess) } else { self.search(guess, text, &mut read, strict) };
        self.is_known = found.is_some();
        found.is_some_and(|at| self.go_on(at, text, &read, event, segments, order, setup))
    }

    /// The same of an event that has the first of some lines for itself. Only the one that is
    /// expected is found: `None` where it is another one.
    #[inline]
    pub(super) fn takes_line(
        &mut self,
        rest: &str,
        event: u64,
        segments: &[Segment],
        order: &mut dyn Order,
        setup: &Setup,
    ) -> Option<Line> {
        let longest = setup.longest_alike().min(setup.limits.event_bytes);
        let guess = self.open.get(self.last)?.next;
        let mut read = Read::default();
        let length = self.open.get(guess)?.form.end_in(rest, &mut read, None, setup.is_strict())?;
        let (text, behind) = rest.split_at_checked(length).filter(|_| length <= longest)?;
        let whole = match behind.as_bytes() {
            [b'\n', ..] => length + 1,
            [b'\r', b'\n', ..] => length + 2,
            _ => return None,
        };
        self.is_known = true;
        let is_looked_at = !self.go_on(guess, text, &read, event, segments, order, setup);
        Some(Line { length, whole, is_looked_at })
    }

    /// Goes on with the event that is like one that is kept; false if it has to be looked at.
    #[expect(clippy::too_many_arguments, reason = "the event, what was read of it, and the state of the stream")]
    #[inline(always)]
    fn go_on(
        &mut self,
        at: usize,
        text: &str,
        read: &Read,
        event: u64,
        segments: &[Segment],
        order: &mut dyn Order,
        setup: &Setup,
    ) -> bool {
        if let Some(last) = self.open.get_mut(self.last) {
            last.next = at;
        }
        self.last = at;
        let Some(open) = self.open.get(at) else { return false };
        let Open { form, with, .. } = open;
        let Some(piece) = form.varied(with.piece, text, read) else { return false };
        let piece = piece.lossy_in(&mut self.room);
        order.go_on(*with, &Next { text, event, segments, piece, secrets: &setup.secrets, form, read })
    }

    #[inline(never)]
    fn search(&self, tried: usize, text: &str, read: &mut Read, strict: bool) -> Option<usize> {
        let mut others = self.open.iter().enumerate().filter(|(at, _)| *at != tried);
        others.find(|(_, open)| open.form.end_in(text, read, None, strict) == Some(text.len())).map(|(at, _)| at)
    }

    /// Notes what an event leads to that has just been found among the templates.
    pub(super) fn note(&mut self, with: GoesOn, text: &str, templates: &Templates) {
        if self.is_known {
            // It is like one that is kept, and leads on from somewhere else.
            if let Some(open) = self.open.get_mut(self.last) {
                open.with = with;
            }
            return;
        }
        if let Some(form) = templates.narrowed(text, with.piece, with.beside) {
            if self.open.len() == SIDE_BY_SIDE {
                self.open.remove(0);
            }
            let at = self.open.len();
            self.open.push(Open { form, with, next: at });
            if let Some(last) = self.open.get_mut(self.last) {
                last.next = at;
            }
            self.last = at;
        }
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Nothing is known to be in order.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        (self.last, self.is_known) = (0, false);
    }
}
