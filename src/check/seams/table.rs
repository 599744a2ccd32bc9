//! Which events continue which texts: a table of each protocol.

use std::hash::{Hash, Hasher};

use super::Seams;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::Keys;
use crate::check::limits::Limits;
use crate::check::order::Arrival;
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;

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
    /// It ends all texts.
    EndAll,
}

impl<E: Copy + PartialEq + 'static> TextRow<E> {
    /// The row of an event.
    pub(crate) fn of(rows: &'static [Self], event: E) -> Option<&'static Self> {
        rows.iter().find(|row| row.events.contains(&event))
    }
}

/// The texts of a stream that come in pieces, for secrets that are cut between two.
#[derive(Debug)]
pub(crate) struct Texts {
    seams: Seams,
    keys: Keys,
    rule: &'static Rule,
}

impl Texts {
    /// No texts yet; secrets will be reported by `rule`.
    pub(crate) fn new(rule: &'static Rule, limits: Limits) -> Self {
        Self { seams: Seams::new(limits), keys: Keys::default(), rule }
    }

    /// Takes an event of a row.
    pub(crate) fn take<E: 'static>(&mut self, row: &TextRow<E>, arrival: &mut Arrival<'_, '_, '_>) {
        if !arrival.report.wants(self.rule) {
            return;
        }
        let facts = arrival.facts;
        let key = || self.keys.of((row.kind, Ids { facts, slots: row.ids }));
        match row.does {
            Does::Continue(slots) => {
                let has_text = |slot: &&u8| facts.is_string(**slot) && facts.raw(**slot).len() > 2;
                if let Some(slot) = slots.iter().find(has_text) {
                    self.seams.look(key(), *slot, self.rule, arrival);
                }
            }
            Does::End => self.seams.end(key(), self.rule, arrival),
            Does::EndAll => self.seams.end_all(self.rule, arrival),
        }
    }

    /// Pieces may be missing: what comes next continues nothing that is known.
    pub(crate) fn clear(&mut self) {
        self.seams.clear();
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
