//! What goes on in order: most events of a stream only bring the next piece of a text.
//!
//! An event that repeats one before it but for its piece, and what is new with each piece, is
//! neither read nor looked up again.

use std::fmt;

use super::order::{GoesOn, Next, Order, Unread};
use super::setup::Setup;
use super::template::{Form, ONE_OF, Read, Templates};

/// How many texts may go on side by side.
const SIDE_BY_SIDE: usize = 8;

/// Where fewer events than these went on since the last text was put among the others, more texts take turns than there
/// is room for.
const FEW: u32 = 2 * SIDE_BY_SIDE as u32;

/// Events that were in order, with nothing but pieces of texts since.
#[derive(Default)]
pub(super) struct Steady {
    open: Vec<Open>,
    /// Counts the events that went on since the last text was put among the others.
    since: u32,
    /// Counts the texts for which there was no room.
    crowded: u32,
    /// The last one that went on.
    last: usize,
    /// The last event goes on with one of them, and had to be looked at all the same.
    is_known: bool,
    /// What was read of the event that was found last.
    read: Read,
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

/// Where an event was found to be like one that is kept.
pub(super) struct Found {
    /// Which of those it is like.
    like: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// The longest event in bytes that is compared.
#[inline]
fn longest(setup: &Setup) -> usize {
    setup.longest_alike().min(setup.limits.event_bytes)
}

impl Steady {
    /// Takes an event that goes on with one of the texts; false if it has to be looked at.
    #[inline]
    pub(super) fn takes(&mut self, event: &Unread<'_>, order: &mut dyn Order, setup: &Setup) -> bool {
        let text = event.text;
        if text.len() > longest(setup) {
            return false;
        }
        let expected = self.expected(text, text.len(), setup).filter(|found| found.end == text.len());
        let found = expected.or_else(|| self.search(text, setup.is_strict()));
        found.is_some_and(|found| self.take(&found, event, order, setup))
    }

    /// The event with which a text begins, if it is like the one that is expected and has at most `most` bytes.
    #[inline(always)]
    pub(super) fn expected(&mut self, text: &str, most: usize, setup: &Setup) -> Option<Found> {
        let like = self.open.get(self.last).map_or(0, |open| open.next);
        self.read.begin();
        let end = self.open.get(like)?.form.end_in(text, &mut self.read, None, setup.is_strict())?;
        (end <= most.min(longest(setup))).then_some(Found { like, end })
    }

    #[inline(never)]
    fn search(&mut self, text: &str, strict: bool) -> Option<Found> {
        let (read, end) = (&mut self.read, text.len());
        let like = self.open.iter().position(|open| open.form.end_in(text, read, None, strict) == Some(end))?;
        Some(Found { like, end })
    }

    /// Goes on with an event that was found; false if it has to be looked at.
    #[inline(always)]
    pub(super) fn take(&mut self, found: &Found, event: &Unread<'_>, order: &mut dyn Order, setup: &Setup) -> bool {
        let Found { like, .. } = found;
        let read = &self.read;
        // Until it has gone on.
        self.is_known = true;
        if let Some(last) = self.open.get_mut(self.last) {
            last.next = *like;
        }
        self.last = *like;
        self.since = self.since.saturating_add(1);
        let Some(Open { form, with, .. }) = self.open.get(*like) else { return false };
        let Some(piece) = form.varied(with.piece, event.text, read) else { return false };
        let piece = piece.lossy_in(&mut self.room);
        self.is_known = !order.go_on(*with, &Next { unread: event, piece, secrets: &setup.secrets, form, read });
        !self.is_known
    }

    /// The event has been looked at.
    pub(super) const fn pass(&mut self) {
        self.is_known = false;
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
        if self.is_crowded() {
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
            (self.last, self.since) = (at, 0);
        }
    }

    /// Whether there is no room for another text. Where many take turns, only one of so many is put among the others:
    /// else they would push each other out.
    fn is_crowded(&mut self) -> bool {
        if self.open.len() < SIDE_BY_SIDE || self.since >= FEW {
            return false;
        }
        self.crowded = self.crowded.wrapping_add(1);
        !self.crowded.is_multiple_of(ONE_OF)
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Nothing is known to be in order.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        (self.last, self.is_known, self.since, self.crowded) = (0, false, 0, 0);
    }
}
