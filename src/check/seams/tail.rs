//! The end of a text that comes in pieces, as far as a token could reach back.

use std::ops::Range;

use crate::check::secrets::Secrets;
use crate::safe::tokens::{
    ESCAPE, Known, LONGEST, Marks, SHORTEST, marks, may_begin_name, may_have_token, may_name_spaced, spaced_from,
};

/// How much of a text is kept, in bytes: as much as is looked at of a token.
pub(super) const KEPT: usize = LONGEST;

/// A text up to this length is looked at with every piece. Of a longer one, this part has to
/// be new: else small pieces would each cost as much as their whole text.
const SHORT: usize = 96;
const PART: usize = 3;

/// How many pieces that are long enough for a token of their own may wait for a look.
const WAITING: usize = 16;

/// How far a text may grow before it is cut back to what is kept.
const ROOM: usize = KEPT + KEPT / PART;

/// Of a longer piece only the beginning and the end are looked at.
const LONG: usize = 2 * KEPT;

/// How much of a piece may belong to a token that began before it.
const JOINED: usize = KEPT - KEPT / 8;

/// The end of a text, from where a token may have begun that goes on.
#[derive(Clone, Default)]
pub(super) struct Tail {
    text: String,
    known: Known,
    /// What every token has is in the first so many bytes, or is not.
    may_have: bool,
    asked: usize,
    /// A keyword of a form with spaces may be in it.
    may_name: bool,
    /// Such a keyword is in it, so that a space is no end.
    is_named: bool,
}

impl Tail {
    /// About what is held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.known.pieces.capacity() * size_of::<Range<usize>>()
    }

    /// Takes the next piece; whether a token that has begun before it was found.
    #[inline]
    pub(super) fn push(&mut self, piece: &str, secrets: &Secrets) -> bool {
        if piece.len() > LONG { self.push_long(piece, secrets) } else { self.take(piece, secrets) }
    }

    #[inline(never)]
    fn push_long(&mut self, piece: &str, secrets: &Secrets) -> bool {
        // No token reaches from before the piece into its end.
        let found = self.take(front(piece, KEPT), secrets);
        *self = Self { text: std::mem::take(&mut self.text), ..Self::default() };
        self.text.clear();
        self.take(back(piece, KEPT), secrets);
        found
    }

    #[inline]
    fn take(&mut self, piece: &str, secrets: &Secrets) -> bool {
        let Marks { head, last, may_name } = marks(piece.as_bytes());
        // What has come is too short for a token with the beginning of the piece, as most words are.
        let is_short = self.text.len() + head < SHORTEST && !self.may_name;
        if is_short && !(may_name && self.goes_on_to_name(piece.as_bytes())) {
            self.add(piece, last);
            return false;
        }
        self.lengthen(piece, head, last, secrets)
    }

    /// Takes a piece in which a token may end.
    #[inline(never)]
    fn lengthen(&mut self, piece: &str, head: usize, last: usize, secrets: &Secrets) -> bool {
        let seam = self.text.len();
        self.may_name |= self.goes_on_to_name(piece.as_bytes());
        self.join(piece, head, last > 0);
        let (length, joined) = (self.text.len(), self.text.len() - seam);
        let goes_on = joined == piece.len() && length <= ROOM;
        let new = length - self.known.bytes;
        let is_seam = seam > 0 && new > 0;
        let can_wait = goes_on && length > SHORT && new < length / PART && self.known.pieces.len() < WAITING;
        if is_seam && can_wait {
            if piece.len() >= SHORTEST {
                self.known.pieces.push(seam..length);
            }
            return false;
        }
        let found = is_seam && self.may_have_token() && secrets.has_across(&self.text, &mut self.known, seam);
        self.known.bytes = length;
        self.known.pieces.clear();
        if !goes_on {
            self.cut(piece, joined, last);
            self.known.bytes = self.text.len();
        }
        found
    }

    /// Adds a piece in which no token ends. Nothing goes on from before `last` in it.
    #[inline]
    fn add(&mut self, piece: &str, last: usize) {
        if last > 0 {
            self.clear();
        }
        self.text.push_str(back(&piece[last..], KEPT));
        self.known.bytes = self.text.len();
    }

    /// Nothing goes on.
    fn clear(&mut self) {
        self.text.clear();
        self.known.pieces.clear();
        (self.known.told, self.may_have, self.asked) = (0, false, 0);
    }

    /// Whether something is in the text that every token has.
    fn may_have_token(&mut self) -> bool {
        let from = self.asked.saturating_sub(SHORTEST);
        self.may_have = self.may_have || may_have_token(self.text.as_bytes().get(from..).unwrap_or_default());
        self.asked = self.text.len();
        self.may_have && self.text.len() >= SHORTEST
    }

    /// Whether a token was not found yet, since it was not looked for.
    pub(super) fn ends_in_token(&self, secrets: &Secrets) -> bool {
        let length = self.text.len();
        let is_new = length > self.known.bytes && length >= SHORTEST;
        is_new && secrets.has_across(&self.text, &mut self.known.clone(), length)
    }

    /// Whether a token may have begun that is not whole. If so, no more room is held than that takes.
    pub(super) fn may_go_on(&mut self) -> bool {
        self.text.shrink_to_fit();
        !self.text.is_empty()
    }

    /// Whether the piece may be a part of a keyword of a form with spaces.
    fn goes_on_to_name(&self, piece: &[u8]) -> bool {
        let seam = self.text.as_bytes().last().zip(piece.first());
        may_name_spaced(piece) || may_begin_name(piece) || seam.is_some_and(|(one, two)| may_name_spaced(&[*one, *two]))
    }

    /// Appends what of the piece may belong to what has begun before: its first `head` bytes,
    /// which have no end, or more where an end is none.
    fn join(&mut self, piece: &str, head: usize, has_end: bool) {
        let seam = self.text.len();
        if !self.is_named && self.may_name && has_end && seam > 0 {
            // The piece may have the rest of a keyword.
            self.text.push_str(front(piece, JOINED));
            // An escape that began before may end in front of the keyword.
            self.is_named = spaced_from(&self.text).is_some_and(|at| at < seam + ESCAPE);
            self.text.truncate(seam);
        }
        let most = if self.is_named { JOINED } else { head.min(JOINED) };
        self.text.push_str(front(piece, most));
    }

    /// Lets go of what no token goes on from. So much of the piece was appended, and behind
    /// `last` there is no end in it.
    fn cut(&mut self, piece: &str, joined: usize, last: usize) {
        if last > 0 && !self.may_name {
            self.clear();
            self.text.push_str(back(&piece[last..], KEPT));
            return;
        }
        (self.may_have, self.asked) = (false, 0);
        let rest = &piece[joined..];
        let all = self.text.len() + rest.len();
        if rest.len() >= KEPT {
            self.text.clear();
        }
        self.text.push_str(back(rest, KEPT));
        keep_end(&mut self.text);
        let name = if self.may_name { spaced_from(&self.text) } else { None };
        let word = if last > 0 { self.text.len().saturating_sub(piece.len() - last) } else { 0 };
        self.text.drain(..name.unwrap_or(word));
        self.known.told = self.known.told.saturating_sub(all - self.text.len());
        self.is_named = name.is_some();
        let kept = self.text.as_bytes();
        self.may_name = self.may_name && (may_name_spaced(kept) || may_begin_name(kept));
    }
}

/// The beginning of a text, at most so many bytes.
pub(super) fn front(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// The end of a text, at most so many bytes.
pub(super) fn back(text: &str, most: usize) -> &str {
    let from = text.len().saturating_sub(most);
    let start = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(from);
    &text[start..]
}

/// Cuts a text down to what is kept of its end.
pub(super) fn keep_end(text: &mut String) {
    let from = text.len() - back(text, KEPT).len();
    text.drain(..from);
}
