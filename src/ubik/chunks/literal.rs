//! The text that string literals stand for, piece by piece.

use memchr::memchr;

use crate::wire::text::{self, Text, of_pair};

/// A piece of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// It stands for itself.
    Plain(&'a str),
    /// An escape, or two, for one character.
    Escape(char),
    /// An escape for half of a surrogate pair, the other half of which is not here.
    Half(u32),
}

/// The pieces of a literal, each with its length in the literal in bytes.
pub(super) struct Pieces<'a> {
    rest: &'a str,
    escaped: bool,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(literal: Text<'a>) -> Self {
        Self { rest: literal.raw, escaped: literal.escaped }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (usize, Piece<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let slash = if self.escaped { memchr(b'\\', self.rest.as_bytes()) } else { None };
        let (length, piece) = match slash {
            None => (self.rest.len(), Piece::Plain(self.rest)),
            // A backslash that begins no escape is not in text that was read as JSON.
            Some(0) => escape(self.rest).unwrap_or((1, Piece::Plain("\\"))),
            Some(slash) => (slash, Piece::Plain(self.rest.get(..slash)?)),
        };
        self.rest = self.rest.get(length..)?;
        Some((length, piece))
    }
}

/// The escape at the beginning of `text`.
fn escape(text: &str) -> Option<(usize, Piece<'static>)> {
    let c = match text.as_bytes().get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = unit(text)?;
            let low = text.get(6..).and_then(low_half).filter(|_| is_high(unit));
            return Some(match low {
                Some(low) => (12, Piece::Escape(of_pair(unit, low))),
                None => (6, char::from_u32(unit).map_or(Piece::Half(unit), Piece::Escape)),
            });
        }
        other @ (b'"' | b'\\' | b'/') => char::from(*other),
        _ => return None,
    };
    Some((2, Piece::Escape(c)))
}

/// The code unit of a `\u` escape at the beginning of `text`.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.as_bytes().first_chunk()?;
    digits.iter().all(u8::is_ascii_hexdigit).then(|| text::unit(*digits))
}

fn is_high(unit: u32) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

/// The second half of a surrogate pair at the beginning of `text`.
fn low_half(text: &str) -> Option<u32> {
    unit(text).filter(|unit| (0xDC00..0xE000).contains(unit))
}

/// Joins literals to the text that they stand for. A surrogate pair may lie in two of them.
pub(super) struct Joiner {
    text: String,
    /// The first half of a pair, with which the last literal ended.
    half: Option<u32>,
}

/// What became of a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    /// Where its text begins, in bytes.
    pub(super) start: usize,
    /// How many bytes of the literal went into the text of the one before.
    pub(super) skipped: usize,
    /// It has halves of pairs, so it has no text of its own.
    pub(super) has_halves: bool,
}

impl Joiner {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), half: None }
    }

    /// Appends a literal. The escape of a half keeps its size in the text, so that the text
    /// is never longer than the literals.
    pub(super) fn push(&mut self, literal: Text<'_>) -> Joined {
        let mut skipped = 0;
        if !literal.raw.is_empty()
            && let Some(high) = self.half.take()
        {
            if let Some(low) = low_half(literal.raw).filter(|_| literal.escaped) {
                self.text.push(of_pair(high, low));
                skipped = 6;
            } else {
                self.push_half(high);
            }
        }
        let mut joined = Joined { start: self.text.len(), skipped, has_halves: skipped > 0 };
        let rest = literal.raw.get(skipped..).unwrap_or_default();
        if !literal.escaped {
            self.text.push_str(rest);
            return joined;
        }
        // What was not appended yet begins here.
        let mut from = 0;
        (Text { raw: rest, ..literal }).escapes().for_each(|at| {
            // The second half of a pair was appended with the first.
            let Some(plain) = rest.get(from..at) else { return };
            self.text.push_str(plain);
            if let Some(b'"' | b'\\' | b'/') = rest.as_bytes().get(at + 1) {
                // It stands for itself, and is appended with what follows.
                from = at + 1;
                return;
            }
            let (length, piece) = escape(&rest[at..]).unwrap_or((1, Piece::Plain("\\")));
            from = at + length;
            match piece {
                Piece::Plain(text) => self.text.push_str(text),
                Piece::Escape(c) => self.text.push(c),
                Piece::Half(unit) => {
                    joined.has_halves = true;
                    if from == rest.len() && is_high(unit) {
                        self.half = Some(unit);
                    } else {
                        self.push_half(unit);
                    }
                }
            }
        });
        self.text.push_str(&rest[from..]);
        joined
    }

    /// The text from `start` on.
    pub(super) fn since(&self, start: usize) -> &[u8] {
        self.text.as_bytes().get(start..).unwrap_or_default()
    }

    pub(super) fn finish(mut self) -> String {
        if let Some(high) = self.half.take() {
            self.push_half(high);
        }
        self.text
    }

    /// Half of a pair, which text cannot hold, becomes the escape that stands for it: JSON
    /// text means the same with either. Where that would make another escape of a
    /// backslash before it, which is not JSON, it does not.
    fn push_half(&mut self, unit: u32) {
        let slashes = self.text.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if slashes % 2 == 0 {
            self.text += &format!("\\u{unit:04x}");
        } else {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// How long the text of half a pair is, given the text from there on.
pub(super) fn half_length(text: &[u8]) -> usize {
    match text.first() {
        Some(b'\\') => 6,
        Some(0xEF) => char::REPLACEMENT_CHARACTER.len_utf8(),
        // It was joined with the other half.
        _ => 4,
    }
}

/// Whether two literals stand for the same text. Costs no more than reading the shorter one
/// a few times.
pub(super) fn is_same(a: Text<'_>, b: Text<'_>) -> bool {
    if a.escaped == b.escaped && a.raw == b.raw {
        return true;
    }
    // An escape has six bytes at most, and stands for one at least.
    let fits = |a: Text<'_>, b: Text<'_>| a.raw.len() / 6 <= b.raw.len();
    (a.escaped || b.escaped) && fits(a, b) && fits(b, a) && a.wtf8() == b.wtf8()
}
