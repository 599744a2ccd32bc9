//! Which events continue which texts: a table of each protocol.

use std::hash::{Hash, Hasher};

use super::Seams;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::Keys;
use crate::check::limits::Limits;
use crate::check::order::{Arrival, GoesOn};
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::secrets::Secrets;

/// What events do to the texts of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRow<E: 'static> {
    pub(crate) events: &'static [E],
    /// Texts of two kinds are two texts, also where their ids are the same.
    pub(crate) kind: u8,
    /// The slots of the ids that tell the texts of the kind apart.
    pub(crate) ids: &'static [u8],
    pub(crate) does: Does,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Does {
    /// The event has the next piece: in the first of these slots that holds characters.
    Continue(&'static [u8]),
    /// It ends the text of its ids.
    End,
    /// It has the whole text of its ids in this slot, behind which the next piece goes on.
    Replace(u8),
    /// It ends all texts.
    EndAll,
}

impl<E: Copy + PartialEq + 'static> TextRow<E> {
    pub(crate) const fn new(events: &'static [E], kind: u8, ids: &'static [u8], does: Does) -> Self {
        Self { events, kind, ids, does }
    }

    /// The row of an event.
    pub(crate) fn of(rows: &'static [Self], event: E) -> Option<&'static Self> {
        rows.iter().find(|row| row.events.contains(&event))
    }
}

/// The texts of a stream that come in pieces, for secrets that are cut between two.
#[derive(Clone)]
pub(crate) struct Texts {
    seams: Seams,
    keys: Keys,
    last: Last,
    rule: &'static Rule,
}

/// The ids of the last event as they are written, and their key: mostly the next event has the
/// same ones.
#[derive(Clone, Default)]
struct Last {
    kind: Option<u8>,
    ids: String,
    key: u64,
}

impl Last {
    /// The longest ids that are kept, in bytes.
    const LONGEST: usize = 1024;

    /// The key of the text that an event is about.
    fn key<E>(&mut self, keys: &Keys, row: &TextRow<E>, facts: &Facts<'_>) -> u64 {
        // A value is never empty, so one that is not there is told from any.
        let raw = |slot: &u8| facts.raw_if(*slot).unwrap_or_default();
        let mut rest = self.ids.as_str();
        let is_same = self.kind == Some(row.kind)
            && row.ids.iter().all(|slot| {
                // Comparing no bytes at all takes some processors longer than comparing a few.
                let left = match raw(slot) {
                    "" => Some(rest),
                    raw => rest.strip_prefix(raw),
                };
                let left = left.and_then(|rest| rest.strip_prefix('\n'));
                rest = left.unwrap_or_default();
                left.is_some()
            })
            && rest.is_empty();
        if !is_same {
            self.ids.clear();
            for slot in row.ids {
                self.ids.push_str(raw(slot));
                self.ids.push('\n');
            }
            (self.kind, self.key) = (Some(row.kind), keys.of((row.kind, Ids { facts, slots: row.ids })));
            if self.ids.len() > Self::LONGEST {
                self.ids = String::new();
            }
        }
        self.key
    }
}

impl Texts {
    /// No texts yet; secrets will be reported by `rule`.
    pub(crate) fn new(rule: &'static Rule, limits: Limits) -> Self {
        Self { seams: Seams::new(limits), keys: Keys::default(), last: Last::default(), rule }
    }

    /// Takes an event of a row; gives the text of which it has the next piece.
    pub(crate) fn take<E: 'static>(&mut self, row: &TextRow<E>, arrival: &mut Arrival<'_, '_, '_>) -> Option<GoesOn> {
        if !arrival.report.wants(self.rule) {
            return None;
        }
        let facts = arrival.facts;
        let mut key = || self.last.key(&self.keys, row, facts);
        match row.does {
            Does::Continue(slots) => {
                let has_text = |slot: &&u8| facts.is_string(**slot) && facts.raw(**slot).len() > 2;
                let slot = *slots.iter().find(has_text)?;
                let key = key();
                self.seams.look(key, slot, self.rule, arrival);
                return Some(GoesOn { kind: row.kind, id: key, within: 0, piece: slot, beside: &[] });
            }
            Does::End => self.seams.end(key(), false, self.rule, arrival),
            Does::Replace(slot) => {
                let key = key();
                self.seams.end(key, false, self.rule, arrival);
                self.seams.look(key, slot, self.rule, arrival);
            }
            Does::EndAll => self.seams.end_all(self.rule, arrival),
        }
        None
    }

    /// Takes the next piece of a text that is known; false if the event has to be looked at.
    pub(crate) fn go_on(&mut self, with: GoesOn, piece: &str, secrets: &Secrets) -> bool {
        self.seams.go_on(with.id, piece, secrets)
    }

    /// How many texts are open.
    pub(crate) fn len(&self) -> usize {
        self.seams.len()
    }

    /// The stream ends.
    pub(crate) fn finish(&self, report: &mut Reporter<'_>) {
        if report.wants(self.rule) {
            self.seams.finish(self.rule, report);
        }
    }
}

/// What the ids of an event are, however they are written.
struct Ids<'i, 'f> {
    facts: &'i Facts<'f>,
    slots: &'static [u8],
}

impl Hash for Ids<'_, '_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let facts = self.facts;
        for slot in self.slots {
            match facts.kind(*slot) {
                FactKind::Absent | FactKind::Null => 0_u8.hash(state),
                FactKind::String => (1_u8, facts.string(*slot)).hash(state),
                // `1.0` is `1`, and zero has no sign.
                FactKind::Integer | FactKind::Number => {
                    (2_u8, facts.number(*slot).map(|number| (number + 0.0).to_bits())).hash(state);
                }
                _ => (3_u8, facts.raw(*slot)).hash(state),
            }
        }
    }
}
