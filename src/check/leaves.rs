//! The values of a clean event that other values could replace.

use crate::wire::bytes::{digits_at, is_numbered};

/// How many are noted at most.
const MOST: usize = 64;

/// What may stand in place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    /// Characters of a string, at least one.
    Text,
    /// The same, if they are a JSON Pointer.
    Pointer,
    /// An integer of up to fifteen digits.
    Digits,
    /// A number with a point.
    Fraction,
}

/// A value that others could replace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: LeafKind,
    /// The slot that its facts are taken into; 0 is none.
    pub(super) slot: u8,
    /// A text that differs from this one in digits alone need not be read: see [`is_numbered`].
    pub(super) numbered: bool,
}

impl Leaf {
    /// The same, once it is known whether its text is numbered.
    pub(super) fn told(self, text: &[u8]) -> Self {
        let numbered = self.kind == LeafKind::Text && is_numbered(text, self.start as usize, self.end as usize);
        Self { numbered, ..self }
    }

    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The leaves of one event, in their order.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    all: Vec<Leaf>,
    many: bool,
}

impl Leaves {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.many = false;
    }

    pub(super) fn text(&mut self, start: usize, end: usize, slot: u8) {
        if start < end {
            self.push(start, end, LeafKind::Text, slot);
        }
    }

    /// A number that any other of the form may replace.
    pub(super) fn number(&mut self, text: &str, end: usize, integer: bool, slot: u8) {
        if self.many {
            return;
        }
        let start = end - text.len();
        if number_until(text.as_bytes(), 0, LeafKind::Digits) == Some(text.len()) {
            self.push(start, end, LeafKind::Digits, slot);
        } else if !integer && number_until(text.as_bytes(), 0, LeafKind::Fraction) == Some(text.len()) {
            self.push(start, end, LeafKind::Fraction, slot);
        }
    }

    pub(super) fn push(&mut self, start: usize, end: usize, kind: LeafKind, slot: u8) {
        if self.many {
            return;
        }
        if self.all.len() < MOST {
            self.all.push(Leaf { start: start as u32, end: end as u32, kind, slot, numbered: false });
        } else {
            self.many = true;
        }
    }

    /// Says that the event is not to be compared with others.
    pub(super) const fn give_up(&mut self) {
        self.many = true;
    }

    /// All of them; `None` if there are too many, or they were given up.
    pub(super) fn found(&self) -> Option<&[Leaf]> {
        (!self.many).then_some(&*self.all)
    }
}

/// The end of a number of the kind that begins at `start`.
#[inline]
pub(super) fn number_until(bytes: &[u8], start: usize, kind: LeafKind) -> Option<usize> {
    let whole = digits_at(bytes, start);
    if whole == 0 || whole > 15 || (whole > 1 && bytes.get(start) == Some(&b'0')) {
        return None;
    }
    let end = start + whole;
    if kind == LeafKind::Digits {
        return Some(end);
    }
    let fraction = if bytes.get(end) == Some(&b'.') { digits_at(bytes, end + 1) } else { 0 };
    (1..=9).contains(&fraction).then_some(end + 1 + fraction)
}
