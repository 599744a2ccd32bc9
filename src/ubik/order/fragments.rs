//! Fragments of events, and the events that they are put together to.

use std::fmt;
use std::sync::Arc;

use super::super::chunks::fragment::{self, Fragment};
use super::super::chunks::rebuilt::Source;
use super::super::chunks::{ChunkAssembler, ChunkError, ChunkLimits, Rebuilt, Unfinished};
use super::super::facts::*;
use super::super::rules;
use crate::check::facts::Facts;
use crate::check::history::{Bounded, Keys};
use crate::check::holds;
use crate::check::order::Arrival;
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::{Limits, Related};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, MAX_DEPTH};
use crate::wire::span::{Location, Segment};
use crate::wire::{Integer, decode, tag};

pub(super) struct Fragments {
    assembler: ChunkAssembler,
    keys: Keys,
    /// Groups of which something was reported, by their ids.
    suspects: Bounded<()>,
    /// The event that is looked at, if it was put together, and how much was put before its
    /// members.
    outer: Option<(Arc<Rebuilt>, usize)>,
    /// A group that was reported may have been the end of the stream.
    may_have_ended: bool,
    /// When each group began, and when something came that could not be taken, which may be
    /// what a group lacks; in fragments.
    begun: Bounded<u64>,
    /// The type of the event that each group is of, by its key.
    types: Bounded<u64>,
    losses: Vec<u64>,
    clock: u64,
    gave_up: bool,
}

/// So many losses are remembered.
const LOSSES: usize = 256;

impl fmt::Debug for Fragments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fragments").field("assembler", &self.assembler).finish_non_exhaustive()
    }
}

impl Fragments {
    pub(super) fn new(limits: Limits) -> Self {
        let bytes = limits.event_bytes.min(ChunkLimits::DEFAULT.bytes);
        Self {
            assembler: ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_bytes(bytes)),
            keys: Keys::default(),
            suspects: Bounded::new(limits.history),
            outer: None,
            may_have_ended: false,
            begun: Bounded::new(limits.history),
            types: Bounded::new(limits.history),
            losses: Vec::new(),
            clock: 0,
            gave_up: false,
        }
    }

    /// An event could not be read, which may have been a fragment.
    pub(super) fn lost(&mut self) {
        if self.losses.len() < LOSSES {
            self.losses.push(self.clock);
        }
    }

    pub(super) fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        self.clock += 1;
        if !arrival.report.is_rebuilt {
            self.outer = None;
        }
        let facts = arrival.facts;
        let group = facts.string(CHUNK_ID).map(|id| self.keys.of(&*id));
        let original = facts.string(ORIGINAL_EVENT_TYPE);
        let may_end = original.as_deref().is_none_or(is_terminal);
        let Some(group) = group else {
            self.lost();
            self.may_have_ended |= may_end;
            return;
        };
        if !self.begun.contains(group) {
            self.begun.insert(group, self.clock);
            if let Some(original) = &original {
                self.types.insert(group, self.keys.of(&**original));
            }
        }
        if !arrival.is_clean() {
            self.suspect(group, may_end);
            return;
        }
        if self.suspects.contains(group) {
            self.may_have_ended |= may_end;
            return;
        }
        let received = match facts.schema() {
            TOOL => arrival.name.map(str::to_owned),
            _ => type_of(facts.text()),
        };
        let (Some(received), Some(original), Some(data)) = (received, original, facts.literal(CHUNK_DATA)) else {
            return;
        };
        let chunk_id = facts.string(CHUNK_ID).unwrap_or_default();
        let at = facts.span(CHUNK_DATA).start + 1;
        let source = match &self.outer {
            Some((outer, inserted)) if arrival.report.is_rebuilt => {
                Source::Rebuilt { outer, at: at.saturating_sub(*inserted) }
            }
            _ => Source::Stream {
                text: arrival.report.text,
                segments: arrival.report.segments,
                at: at + arrival.report.base,
            },
        };
        let fragment = Fragment {
            received_type: &received,
            chunk_id: &chunk_id,
            index: count(facts, CHUNK_INDEX),
            total: count(facts, TOTAL_CHUNKS),
            original_type: &original,
            data,
            is_last: facts.raw_if(IS_LAST_CHUNK).map(|raw| raw == "true"),
            source,
        };
        match self.assembler.push_fragment(fragment) {
            Err(error) => {
                let (rule, slot) = rule_of(&error);
                let of_type = self.types.get(group).is_some_and(|known| *known != self.keys.of(&*original));
                let slot = if error == ChunkError::GroupDisagrees && of_type { ORIGINAL_EVENT_TYPE } else { slot };
                arrival.fault(rule, Some(slot), error.to_string());
                self.suspect(group, may_end);
            }
            Ok(outcome) => {
                if outcome.out_of_order {
                    let message = "a fragment with a greater index came before";
                    arrival.fault(&rules::CHUNK_OUT_OF_ORDER, Some(CHUNK_INDEX), message);
                }
                if outcome.last_flag_wrong {
                    let message = "is_last_chunk does not say whether chunk_index is the last one";
                    arrival.fault(&rules::CHUNK_LAST_FLAG, Some(IS_LAST_CHUNK), message);
                }
                self.gave_up |= !outcome.given_up.is_empty();
                if let Some(rebuilt) = outcome.into_rebuilt() {
                    self.whole(rebuilt, may_end, arrival);
                }
            }
        }
    }

    fn suspect(&mut self, group: u64, may_end: bool) {
        self.lost();
        self.suspects.insert(group, ());
        self.may_have_ended |= may_end;
    }

    /// Hands on an event that is whole, if it is one.
    fn whole(&mut self, rebuilt: Rebuilt, may_end: bool, arrival: &mut Arrival<'_, '_, '_>) {
        let of_tool = arrival.facts.schema() == TOOL;
        let span = arrival.facts.span(CHUNK_DATA);
        let mut cursor = Cursor::new(&rebuilt.text, MAX_DEPTH);
        if cursor.skip().and_then(|()| cursor.end()).is_err() {
            self.may_have_ended |= may_end;
            let message = "the fragments of the event do not make JSON";
            arrival.fault(&rules::CHUNK_JSON_INVALID, Some(CHUNK_DATA), message);
            return;
        }
        let found = type_of(&rebuilt.text);
        if !of_tool && found.as_ref().is_some_and(|name| **name != *rebuilt.event_type) {
            self.may_have_ended |= may_end;
            let message = format!("the event is of another type than {}", show(&rebuilt.event_type));
            arrival.fault_at(&rules::CHUNK_REBUILT_TYPE, &Path::of("type"), span, message);
            return;
        }
        if !rebuilt.text.trim_start().starts_with('{') {
            self.may_have_ended |= may_end;
            let message = "the event that the fragments make is no object";
            arrival.fault(&rules::CHUNK_REBUILT_INVALID, Some(CHUNK_DATA), message);
            return;
        }
        let name = of_tool.then(|| rebuilt.event_type.to_string());
        let (text, inserted) = match found {
            Some(_) => (rebuilt.text.clone(), 0),
            None if of_tool => (rebuilt.text.clone(), 0),
            // The members alone were split.
            None => with_type(&rebuilt),
        };
        let rebuilt = Arc::new(rebuilt);
        self.outer = Some((Arc::clone(&rebuilt), inserted));
        let places = move |asked: &[usize]| {
            let mut places = rebuilt.places();
            // What was put before the members stands where they begin.
            let before = |at: usize| if at > inserted { at - inserted } else { at.min(1) };
            asked.iter().map(|at| places.place(before(*at)).unwrap_or_else(start)).collect()
        };
        let (places, invalid) = (Box::new(places), &rules::CHUNK_REBUILT_INVALID);
        arrival.rebuilt = Some(Box::new(holds::Rebuilt { text, name, places, invalid }));
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        std::mem::take(&mut self.gave_up) | self.suspects.take_overflow()
    }

    /// Reports groups that are not whole; true if the end of the stream may be in what was
    /// reported.
    pub(super) fn finish(&self, report: &mut Reporter<'_>) -> bool {
        let mut may_have_ended = self.may_have_ended;
        let mut unfinished = self.assembler.unfinished();
        may_have_ended |= unfinished.iter().any(|group| is_terminal(&group.event_type));
        unfinished.retain(|group| !self.suspects.contains(self.keys.of(group.chunk_id.as_str())));
        // Groups that complete each other are one, of which a fragment has a wrong id.
        let mut reported: Vec<&Unfinished> = Vec::new();
        for group in &unfinished {
            let completes = |other: &&Unfinished| {
                other.event_type == group.event_type
                    && other.total == group.total
                    && other.received + group.received == group.total
            };
            if !reported.iter().any(completes) {
                reported.push(group);
            }
        }
        let mut losses = self.losses.clone();
        for group in reported {
            let begun = self.begun.get(self.keys.of(group.chunk_id.as_str())).copied().unwrap_or(0);
            if let Some(loss) = losses.iter().position(|loss| loss + 1 >= begun) {
                losses.remove(loss);
                continue;
            }
            let message = format!("the event {} came in part: {group}", show(group.chunk_id.as_str()));
            let related = group.place.map(|location| Related {
                message: "a fragment of it came here".into(),
                event: None,
                location,
            });
            report.add_at_end(&rules::CHUNK_INDEX_GAP, message, related);
        }
        may_have_ended
    }
}

fn type_of(text: &str) -> Option<String> {
    if let Some(tag) = tag::leading(text, "type") {
        return Some(tag.to_owned());
    }
    let tag = tag::search(&Cursor::new(text, MAX_DEPTH), "type", true).ok()??;
    tag.name().ok().map(std::borrow::Cow::into_owned)
}

fn is_terminal(event: &str) -> bool {
    matches!(event, "agent_processing_complete" | "agent_processing_error" | "tool_end" | "final_result" | "error")
}

fn start() -> Location {
    let Segment { offset, line, column, .. } = Segment::WHOLE;
    Location { offset, line, column }
}

/// The text of an event whose members alone were split, and how much longer it is.
fn with_type(rebuilt: &Rebuilt) -> (String, usize) {
    let Some(members) = rebuilt.text.trim_start().strip_prefix('{') else { return (rebuilt.text.clone(), 0) };
    let comma = if members.trim_start().starts_with('}') { "" } else { "," };
    let name = serde_json::to_string(&*rebuilt.event_type).unwrap_or_default();
    let text = format!("{{\"type\":{name}{comma}{members}");
    let inserted = text.len().saturating_sub(rebuilt.text.len());
    (text, inserted)
}

fn count(facts: &Facts<'_>, slot: u8) -> Option<u64> {
    let number: Integer = decode::from_json(facts.raw_if(slot)?).ok()?;
    fragment::count(&number)
}

fn rule_of(error: &ChunkError) -> (&'static Rule, u8) {
    match error {
        ChunkError::TotalInvalid => (&rules::CHUNK_TOTAL_INVALID, TOTAL_CHUNKS),
        ChunkError::IndexOutOfRange => (&rules::CHUNK_INDEX_OUT_OF_RANGE, CHUNK_INDEX),
        ChunkError::GroupDisagrees => (&rules::CHUNK_GROUP_DISAGREES, TOTAL_CHUNKS),
        ChunkError::IndexConflict => (&rules::CHUNK_INDEX_CONFLICT, CHUNK_DATA),
        ChunkError::JsonInvalid(_) => (&rules::CHUNK_JSON_INVALID, CHUNK_DATA),
        ChunkError::RebuiltType => (&rules::CHUNK_REBUILT_TYPE, CHUNK_DATA),
        ChunkError::RebuiltInvalid(_) => (&rules::CHUNK_REBUILT_INVALID, CHUNK_DATA),
        ChunkError::TypeMismatch | ChunkError::TooDeep => (&rules::CHUNK_TYPE_MISMATCH, ORIGINAL_EVENT_TYPE),
    }
}
