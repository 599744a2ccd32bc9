//! Events that repeat the one before them but for a few values.
//!
//! Most of a stream are deltas of one message: the same bytes around another id, number
//! or piece of text. What was found out about those bytes holds again, so only the
//! values that vary are read.

use super::facts::{FactKind, Facts, SavedFacts};
use super::leaks::names_secret;
use super::passed::Passed;

use crate::wire::bytes::{Seen, look};

/// The last clean event: its text, and the values in it that may vary.
#[derive(Debug, Default)]
pub(crate) struct Template {
    /// What of the event does not stand in its text.
    kind: usize,
    text: String,
    holes: Vec<Hole>,
    facts: SavedFacts,
}

/// A value that may vary.
#[derive(Clone, Copy, Debug)]
struct Hole {
    slot: u8,
    start: usize,
    end: usize,
    of: HoleOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HoleOf {
    /// The characters of a string.
    Text,
    /// An integer of digits alone.
    Digits,
    /// A number with a fraction.
    Fraction,
}

/// The most values that may vary.
const HOLES: usize = 6;

impl Template {
    /// Remembers a clean event in which the values of `slots` may vary.
    pub(crate) fn set(&mut self, kind: usize, facts: &Facts<'_>, slots: &[u8]) {
        self.kind = kind;
        self.holes.clear();
        for slot in slots {
            let span = facts.span(*slot);
            match facts.kind(*slot) {
                FactKind::String => {
                    self.holes.push(Hole { slot: *slot, start: span.start + 1, end: span.end - 1, of: HoleOf::Text });
                }
                FactKind::Integer | FactKind::Number => {
                    let of = if facts.raw(*slot).contains('.') { HoleOf::Fraction } else { HoleOf::Digits };
                    self.holes.push(Hole { slot: *slot, start: span.start, end: span.end, of });
                }
                _ => {}
            }
        }
        if self.holes.is_empty() || self.holes.len() > HOLES {
            self.holes.clear();
            return;
        }
        self.holes.sort_unstable_by_key(|hole| hole.start);
        self.text.clear();
        self.text.push_str(facts.text());
        facts.save(&mut self.facts, |place| self.holes.iter().filter(|hole| place > hole.start).count());
    }

    /// Finds the facts of an event that differs from the remembered one in those values
    /// alone; `None` where it differs otherwise, or a value needs a closer look.
    #[inline(always)]
    pub(crate) fn fill(
        &self,
        kind: usize,
        facts: &mut Facts<'_>,
        passed: &mut Passed,
        strict: bool,
        longest: usize,
    ) -> Option<()> {
        let text = facts.text();
        if self.holes.is_empty() || text.len() > longest || self.kind != kind {
            return None;
        }
        let (bytes, known) = (text.as_bytes(), self.text.as_bytes());
        let (mut moved, mut seen) = ([0_u32; HOLES + 1], [Seen::default(); HOLES]);
        let (mut at, mut from) = (0, 0);
        for (index, hole) in self.holes.iter().enumerate() {
            let literal = &known[from..hole.start];
            if bytes.get(at..at + literal.len()) != Some(literal) {
                return None;
            }
            at += literal.len();
            let (end, look) = if hole.of == HoleOf::Text {
                look(bytes, at, names_secret)
            } else if hole.of == HoleOf::Digits {
                (digits_until(bytes, at)?, Seen::default())
            } else {
                (fraction_until(bytes, at)?, Seen::default())
            };
            let content = text.get(at..end)?;
            let may_have_token = strict && look.has(Seen::DENSE);
            if content.is_empty() || look.has(Seen::NUMBERED) || (may_have_token && passed.has_token(content)) {
                return None;
            }
            seen[index] = look;
            moved[index + 1] = (end as u32).wrapping_sub(hole.end as u32);
            (at, from) = (end, hole.end);
        }
        if bytes[at..] != known[from..] {
            return None;
        }
        facts.restore(&self.facts, &moved);
        for (hole, seen) in self.holes.iter().zip(seen) {
            facts.set_seen(hole.slot, seen);
            if hole.of == HoleOf::Fraction {
                facts.set_number(hole.slot);
            }
        }
        Some(())
    }
}

/// The end of an integer of digits alone, a point, and digits.
#[inline(never)]
fn fraction_until(bytes: &[u8], start: usize) -> Option<usize> {
    let point = digits_until(bytes, start).filter(|at| bytes.get(*at) == Some(&b'.'))?;
    let digits = bytes[point + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=9).contains(&digits).then_some(point + 1 + digits)
}

/// The end of up to fifteen digits that are one number; `None` if they are none.
#[inline]
fn digits_until(bytes: &[u8], start: usize) -> Option<usize> {
    let count = bytes.get(start..)?.iter().take(16).take_while(|byte| byte.is_ascii_digit()).count();
    let zeros = count > 1 && bytes[start] == b'0';
    ((1..=15).contains(&count) && !zeros).then_some(start + count)
}
