//! Fragments of events, and the events that they are put together to.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::chunks::fragment::{self, Fragment};
use super::super::chunks::rebuilt::Source;
use super::super::chunks::{ChunkAssembler, ChunkError, ChunkLimits, ChunkOutcome, Rebuilt, Unfinished};
use super::super::events::{DELTA_SUFFIX, EventType, ToolEventType, whole_type};
use super::super::facts::*;
use super::super::rules;
use super::session::{Parts, Session};
use crate::check::facts::Facts;
use crate::check::history::{Bounded, Keys};
use crate::check::holds;
use crate::check::leaks::secret_value;
use crate::check::near::nearest;
use crate::check::order::Arrival;
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::{Limits, Related};
use crate::safe::{show, show_number};
use crate::wire::number;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, MAX_DEPTH};
use crate::wire::span::Segment;
use crate::wire::{Integer, decode, tag};

#[derive(Default)]
pub(super) struct Fragments {
    assembler: ChunkAssembler,
    keys: Keys,
    /// Groups of which something was reported, by their ids.
    suspects: Bounded<()>,
    /// The event that is looked at, if it was put together, and how many bytes of its text were added before what came
    /// in the fragments.
    outer: Option<(Arc<Rebuilt>, usize)>,
    /// The groups that the last fragment of the stream has completed, one within the other.
    wholes: Vec<u64>,
    /// A group that was reported may have been the end of the stream.
    may_have_ended: bool,
    begun: Bounded<Begun>,
    /// What came and could not be taken, which may be what a group lacks.
    losses: Vec<Loss>,
    /// How many fragments have come.
    clock: u64,
    gave_up: bool,
}

/// How a group began.
#[derive(Clone, Copy, Debug)]
struct Begun {
    /// When, in fragments.
    at: u64,
    /// The index of the fragment that came first.
    index: Option<u64>,
    /// How many events had come.
    events: u64,
    /// The type that the fragment named, by its key.
    event_type: Option<u64>,
    /// The event has come whole.
    is_whole: bool,
}

/// Something that could not be taken.
#[derive(Clone, Copy, Debug)]
struct Loss {
    /// When, in fragments.
    at: u64,
    /// It was a fragment: those of other groups may come before the next of its own.
    is_fragment: bool,
}

/// How many losses are remembered.
const LOSSES: usize = 256;

/// How many fragments of other groups may come between a lost one and the next of its group.
const BETWEEN: u64 = 16;

impl Fragments {
    pub(super) fn new(limits: Limits) -> Self {
        let bytes = limits.event_bytes.min(ChunkLimits::DEFAULT.bytes);
        let assembler = ChunkAssembler::with_limits(ChunkLimits::DEFAULT.with_bytes(bytes));
        let (suspects, begun) = (Bounded::new(limits.history), Bounded::new(limits.history));
        Self { assembler, suspects, begun, ..Self::default() }
    }

    /// An event could not be taken, which was a fragment, or may have been one.
    pub(super) fn lost(&mut self, is_fragment: bool) {
        if self.losses.len() < LOSSES {
            self.losses.push(Loss { at: self.clock, is_fragment });
        }
    }

    pub(super) fn push(&mut self, session: &mut Session, arrival: &mut Arrival<'_, '_, '_>) {
        self.clock += 1;
        if !arrival.report.is_rebuilt {
            self.outer = None;
            self.wholes.clear();
        }
        let facts = arrival.facts;
        let group = facts.string(CHUNK_ID).map(|id| self.keys.of(&*id));
        let original = facts.string(ORIGINAL_EVENT_TYPE);
        let received = match facts.schema() {
            TOOL => arrival.name.map(str::to_owned),
            _ => tag::of(facts.text(), "type").map(Cow::into_owned),
        };
        let names = [original.as_deref(), received.as_deref()];
        let may_end = original.is_none() || names.into_iter().flatten().any(|name| is_terminal(whole_type(name)));
        let of_session = facts.schema() != TOOL;
        // What is wrong with it may be the want of a fragment in the event that it is a part of.
        let wholes = [original.as_deref(), received.as_deref().and_then(|name| name.strip_suffix(DELTA_SUFFIX))];
        let is_nested = wholes.into_iter().flatten().any(|name| name.ends_with(DELTA_SUFFIX));
        let parts = if of_session { parts_of(names) } else { [None; 2] };
        if of_session {
            session.first(original.is_none() || parts.contains(&Some(EventType::ConnectionEstablished)), arrival);
        }
        let Some(group) = group else {
            look(facts.string(CHUNK_DATA).as_deref(), arrival);
            self.lost(true);
            self.may_have_ended |= may_end;
            session.may_have_come_in(parts);
            return;
        };
        self.begin(group, original.as_deref(), parts, session, facts);
        if !arrival.is_clean() {
            look(facts.string(CHUNK_DATA).as_deref(), arrival);
            self.suspect(group, may_end, is_nested);
            return;
        }
        if self.suspects.contains(group) {
            look(facts.string(CHUNK_DATA).as_deref(), arrival);
            self.may_have_ended |= may_end;
            return;
        }
        let (Some(received), Some(original), Some(data)) = (received, original, facts.literal(CHUNK_DATA)) else {
            return;
        };
        let chunk_id = facts.string(CHUNK_ID).unwrap_or_default();
        let is_last = facts.raw_if(IS_LAST_CHUNK).and_then(|raw| raw.parse().ok());
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
            is_last,
            source,
        };
        let is_end = fragment.is_end();
        match self.assembler.push_fragment(fragment) {
            Err(error) => {
                self.refused(&error, group, [&received, &original], arrival);
                look(facts.string(CHUNK_DATA).as_deref(), arrival);
                if self.may_be_of_another(group, &original) {
                    session.may_have_come_in(parts);
                }
                self.suspect(group, may_end, is_nested);
            }
            Ok(outcome) => {
                if outcome.came_back {
                    // It had been taken for what came whole.
                    session.may_have_come_in(parts);
                }
                odd(&outcome, is_last, is_end, arrival);
                self.gave_up |= !outcome.given_up.is_empty();
                if let Some(rebuilt) = outcome.into_rebuilt() {
                    self.wholes.push(group);
                    if let Some(begun) = self.begun.get_mut(group) {
                        begun.is_whole = true;
                    }
                    self.whole(rebuilt, may_end, session, arrival);
                    if arrival.rebuilt.is_none() {
                        // What else comes of the group is of the same fault.
                        self.suspects.insert(group, ());
                        if is_nested {
                            self.lost(true);
                        }
                    } else {
                        let is_late = self.begun.get(group).is_some_and(|begun| begun.events != session.events);
                        session.has_come_in(parts, is_late);
                    }
                }
            }
        }
    }

    /// Notes how a group begins.
    fn begin(&mut self, group: u64, original: Option<&str>, parts: Parts, session: &mut Session, facts: &Facts<'_>) {
        if self.begun.contains(group) {
            return;
        }
        let event_type = original.map(|original| self.keys.of(original));
        // A fragment that was split itself came when its own first one did.
        let outer = self.wholes.last().and_then(|outer| self.begun.get(*outer));
        let (at, events) = outer.map_or((self.clock, session.events), |outer| (outer.at, outer.events));
        let index = count(facts, CHUNK_INDEX);
        self.begun.insert(group, Begun { at, index, events, event_type, is_whole: false });
        session.may_have_come_in(parts);
    }

    /// Takes a fragment that has the type of the whole event.
    pub(super) fn unmarked(&mut self, session: &mut Session, arrival: &Arrival<'_, '_, '_>) {
        self.clock += 1;
        let member = |name: &str| arrival.tree.and_then(|tree| tree.get(name)?.as_str());
        let received = if arrival.facts.schema() == TOOL { arrival.name.map(Cow::Borrowed) } else { member("type") };
        let original = member("original_event_type");
        let names = [received.as_deref(), original.as_deref()];
        session.may_have_come_in(parts_of(names));
        self.lost(true);
        self.may_have_ended |= names.into_iter().flatten().any(|name| is_terminal(whole_type(name)));
        if let Some(id) = member("chunk_id") {
            self.suspects.insert(self.keys.of(&*id), ());
        }
    }

    /// Says that what has come may come again from here on, whole or in other fragments.
    pub(super) fn begin_again(&mut self) {
        self.assembler.begin_again();
    }

    /// Another task has begun: from here on, ids of complete groups may be used again. If the task has a connection of
    /// its own, groups that are incomplete stay so, and are reported.
    pub(super) fn leave_task(&mut self, is_connection: bool, report: &mut Reporter<'_>) {
        if is_connection && !report.is_rebuilt {
            for (rule, message, related) in self.missing(report) {
                report.add_related(rule, &Path::default(), 0..1, message, related);
            }
            self.assembler.forget_all();
            self.losses.clear();
            self.may_have_ended = false;
        }
        if self.assembler.is_empty() {
            // What has come in fragments, and begins the task, may have one of them sent again.
            let own = if report.is_rebuilt { std::mem::take(&mut self.wholes) } else { Vec::new() };
            let begun: Vec<_> = own.iter().filter_map(|own| Some((*own, *self.begun.get(*own)?))).collect();
            self.assembler.forget_whole(own.len());
            self.suspects.clear();
            self.begun.clear();
            for (own, begun) in begun {
                self.begun.insert(own, begun);
            }
        }
    }

    /// Whether no event is there in part.
    pub(super) fn is_empty(&self) -> bool {
        self.assembler.is_empty()
    }

    /// Takes an event that is whole: nothing is missing of a group that it has come instead of.
    pub(super) fn came_whole(&mut self, event_type: &str, text: &str, session: &mut Session) {
        if self.assembler.supersede(event_type, text) {
            session.has_come_in(parts_of([Some(event_type), None]), false);
        }
    }

    /// Reports a fragment that does not fit by itself or to others of its group.
    fn refused(&self, error: &ChunkError, group: u64, names: [&str; 2], arrival: &mut Arrival<'_, '_, '_>) {
        let [received, original] = names.map(show);
        let began_as = self.begun.get(group).and_then(|begun| begun.event_type);
        let has_other_type = began_as.is_some_and(|known| known != self.keys.of(names[1]));
        let facts = arrival.facts;
        let (rule, slot, message) = match error {
            ChunkError::TotalInvalid => (&rules::CHUNK_TOTAL_INVALID, TOTAL_CHUNKS, error.to_string()),
            ChunkError::TypeMismatch => (
                &rules::CHUNK_TYPE_MISMATCH,
                ORIGINAL_EVENT_TYPE,
                format!("original_event_type is {original}, and the fragment is of the type {received}"),
            ),
            ChunkError::TooDeep => (&rules::CHUNK_TYPE_MISMATCH, ORIGINAL_EVENT_TYPE, error.to_string()),
            ChunkError::GroupDisagrees if has_other_type => {
                (&rules::CHUNK_GROUP_DISAGREES, ORIGINAL_EVENT_TYPE, differs("original_event_type"))
            }
            ChunkError::GroupDisagrees => (&rules::CHUNK_GROUP_DISAGREES, TOTAL_CHUNKS, differs("total_chunks")),
            ChunkError::IndexConflict => {
                let id = facts.string(CHUNK_ID).unwrap_or_default();
                let (index, id) = (show(facts.raw_if(CHUNK_INDEX).unwrap_or_default()), show(&id));
                let message = format!("fragment {index} with the chunk_id {id} came before with other chunk_data");
                (&rules::CHUNK_INDEX_CONFLICT, CHUNK_DATA, message)
            }
            ChunkError::IndexOutOfRange => {
                let [index, total] = [CHUNK_INDEX, TOTAL_CHUNKS].map(|slot| facts.raw_if(slot).unwrap_or_default());
                let bound = if index.starts_with('-') {
                    "below 0".to_owned()
                } else {
                    format!("not below total_chunks, which is {}", show_number(total))
                };
                (
                    &rules::CHUNK_INDEX_OUT_OF_RANGE,
                    CHUNK_INDEX,
                    format!("chunk_index is {}, {bound}", show_number(index)),
                )
            }
            // These are of events that were put together.
            ChunkError::JsonInvalid(_) | ChunkError::RebuiltType | ChunkError::RebuiltInvalid(_) => {
                (&rules::CHUNK_INDEX_OUT_OF_RANGE, CHUNK_INDEX, error.to_string())
            }
        };
        arrival.fault(rule, Some(slot), message);
    }

    /// Whether a fragment that does not fit may be a part of another event, under the id of this group.
    fn may_be_of_another(&self, group: u64, original: &str) -> bool {
        let original = Some(self.keys.of(original));
        self.begun.get(group).is_some_and(|begun| begun.is_whole || begun.event_type != original)
    }

    fn suspect(&mut self, group: u64, may_end: bool, is_nested: bool) {
        self.lost(is_nested);
        self.suspects.insert(group, ());
        self.may_have_ended |= may_end;
    }

    /// Hands on an event that is whole, if it is one.
    fn whole(&mut self, rebuilt: Rebuilt, may_end: bool, session: &mut Session, arrival: &mut Arrival<'_, '_, '_>) {
        let of_tool = arrival.facts.schema() == TOOL;
        let found = tag::of(&rebuilt.text, "type").map(Cow::into_owned);
        let is_type = |name: &str| !of_tool || is_surely_event(name, &rebuilt.event_type);
        let mut cursor = Cursor::new(&rebuilt.text, MAX_DEPTH);
        let fault = if cursor.skip().and_then(|()| cursor.end()).is_err() {
            let (event, id) = (show(&rebuilt.event_type), show(rebuilt.chunk_id.as_str()));
            let message = format!("the fragments of {event} with the chunk_id {id} do not make JSON");
            Some((&rules::CHUNK_JSON_INVALID, message))
        } else if found.as_ref().is_some_and(|name| **name != *rebuilt.event_type && is_type(name)) {
            let (found, named) = (show(found.as_deref().unwrap_or_default()), show(&rebuilt.event_type));
            let message = format!("the event is of the type {found}, and its fragments are of {named}");
            Some((&rules::CHUNK_REBUILT_TYPE, message))
        } else if !rebuilt.text.trim_start().starts_with('{') {
            Some((&rules::CHUNK_REBUILT_INVALID, "the event that the fragments make is no object".to_owned()))
        } else {
            None
        };
        if let Some((rule, message)) = fault {
            self.may_have_ended |= may_end;
            // A path is one in the rebuilt event.
            let is_of_type = *rule == rules::CHUNK_REBUILT_TYPE;
            if is_of_type && !of_tool {
                // It may be what it says, and not what its fragments say.
                session.may_have_come_in(parts_of([found.as_deref(), None]));
            }
            let path = if is_of_type { Path::of("type") } else { arrival.shape.path_of(CHUNK_DATA) };
            arrival.fault_at(rule, &path, arrival.facts.span(CHUNK_DATA), message);
            look(Some(&rebuilt.text), arrival);
            return;
        }
        let name = of_tool.then(|| rebuilt.event_type.to_string());
        // Where no type was found, the members alone were split.
        let (text, inserted) =
            if found.is_none() && !of_tool { with_type(&rebuilt) } else { (rebuilt.text.clone(), 0) };
        let rebuilt = Arc::new(rebuilt);
        self.outer = Some((Arc::clone(&rebuilt), inserted));
        let places = move |asked: &[usize]| {
            let mut places = rebuilt.places();
            // What was put before the members stands where they begin.
            let before = |at: usize| if at > inserted { at - inserted } else { at.min(1) };
            asked.iter().map(|at| places.place(before(*at)).unwrap_or_else(|| Segment::WHOLE.location())).collect()
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
        for (rule, message, related) in self.missing(report) {
            report.add_at_end(rule, message, related);
        }
        let is_end = |group: &Unfinished| is_terminal(whole_type(&group.event_type));
        self.may_have_ended || self.assembler.unfinished().iter().any(is_end)
    }

    /// What is to be said of groups that are not whole.
    fn missing(&self, report: &Reporter<'_>) -> Vec<(&'static Rule, String, Option<Related>)> {
        let mut findings = Vec::new();
        let mut unfinished = self.assembler.unfinished();
        // Where a fragment was split itself, only the innermost group is reported: the outer one lacks the same.
        let mut nested: Vec<_> = unfinished.iter().map(|group| group.event_type.clone()).collect();
        unfinished.retain(|group| {
            let inner = nested.iter().position(|inner| inner.strip_suffix(DELTA_SUFFIX) == Some(&*group.event_type));
            inner.map(|at| nested.swap_remove(at)).is_none()
        });
        unfinished.retain(|group| !self.suspects.contains(self.keys.of(group.chunk_id.as_str())));
        // Two groups that complete each other are one, of which a fragment has a wrong id.
        let mut reported: Vec<(&Unfinished, bool)> = Vec::new();
        for group in &unfinished {
            let completes = |(other, is_paired): &&mut (&Unfinished, bool)| {
                !*is_paired
                    && other.event_type == group.event_type
                    && other.total == group.total
                    && other.received + group.received == group.total
                    && other.first_missing != group.first_missing
            };
            match reported.iter_mut().find(completes) {
                Some((_, is_paired)) => *is_paired = true,
                None => reported.push((group, false)),
            }
        }
        let mut losses = self.losses.clone();
        for (group, _) in reported {
            let begun = self.begun.get(self.keys.of(group.chunk_id.as_str()));
            if let Some(loss) = losses.iter().position(|loss| begun.is_none_or(|begun| loss.may_be_of(begun, group))) {
                losses.remove(loss);
                continue;
            }
            let (event, id) = (show(&group.event_type), show(group.chunk_id.as_str()));
            let message = format!("{event} with the chunk_id {id} came in part: {group}");
            let related = group.place.map(|location| Related::at(location, "a fragment of it came here"));
            findings.push((&rules::CHUNK_INDEX_GAP, message, related));
        }
        for (id, place, text) in self.assembler.texts() {
            if let Some(form) = report.secrets.find(&text) {
                let related = place.map(|location| Related::at(location, "it came here"));
                let id = show(id.as_str());
                let message = format!("what has come with the chunk_id {id} has the shape of {form}");
                findings.push((&rules::SECRET_VALUE, message, related));
            }
        }
        findings
    }
}

impl Loss {
    /// Whether what was lost may be what a group lacks. Before the group began, only a
    /// fragment in front of its first one can have been lost.
    fn may_be_of(self, begun: &Begun, group: &Unfinished) -> bool {
        let between = if self.is_fragment { BETWEEN } else { 0 };
        self.at >= begun.at
            || (self.at + 1 + between >= begun.at && begun.index.is_none_or(|first| group.first_missing < first))
    }
}

/// The types of session events that a fragment may be a part of: the one that it names, and
/// the one that it came as, if that is another.
fn parts_of(names: [Option<&str>; 2]) -> Parts {
    let [named, came_as] = names.map(|name| EventType::from_tag(whole_type(name?)));
    [named, came_as.filter(|_| came_as != named)]
}

fn differs(member: &str) -> String {
    format!("{member} differs from that of earlier fragments with this chunk_id")
}

fn is_terminal(event: &str) -> bool {
    EventType::from_tag(event).is_some_and(EventType::is_terminal)
        || ToolEventType::from_tag(event).is_some_and(ToolEventType::is_terminal)
}

/// Looks for a secret in what no event is made of.
fn look(text: Option<&str>, arrival: &mut Arrival<'_, '_, '_>) {
    if let Some(form) = text.and_then(|text| arrival.report.secrets.find(text)) {
        arrival.fault_of(&rules::SECRET_VALUE, CHUNK_DATA, secret_value(form));
    }
}

/// Reports what is odd about a fragment that fits.
fn odd(outcome: &ChunkOutcome, is_last: Option<bool>, is_end: bool, arrival: &mut Arrival<'_, '_, '_>) {
    if outcome.out_of_order {
        let message = "a fragment with a greater chunk_index came before";
        arrival.fault(&rules::CHUNK_OUT_OF_ORDER, Some(CHUNK_INDEX), message);
    }
    if outcome.last_flag_wrong {
        let message = match is_last {
            Some(true) if !is_end => "is_last_chunk is true, and chunk_index is not the last one",
            Some(false) if is_end => "is_last_chunk is false, and chunk_index is the last one",
            _ => "the fragment with the last chunk_index came before, with a false is_last_chunk",
        };
        arrival.fault(&rules::CHUNK_LAST_FLAG, Some(IS_LAST_CHUNK), message);
    }
}

/// Whether no output of a tool, in an event of type `original`, has this for its `type`.
fn is_surely_event(name: &str, original: &str) -> bool {
    let is_meant = nearest(name.strip_suffix(DELTA_SUFFIX).unwrap_or(name), std::iter::once(original)).is_some();
    is_meant
        || EventType::from_tag(name).is_some()
        || ToolEventType::from_tag(name).is_some_and(|known| known != ToolEventType::Error)
}

/// The text of an event whose members alone were split, and how much longer it is. The type stands first, with spaces
/// where the members have some as Python writes them, so that the event is mostly the same as one that comes whole.
fn with_type(rebuilt: &Rebuilt) -> (String, usize) {
    let Some(members) = rebuilt.text.trim_start().strip_prefix('{') else { return (rebuilt.text.clone(), 0) };
    let mut cursor = Cursor::new(members, MAX_DEPTH);
    let is_spaced = cursor.string().is_ok() && members[cursor.offset()..].starts_with(": ");
    let space = if is_spaced { " " } else { "" };
    let comma = if members.trim_start().starts_with('}') { "" } else { "," };
    let gap = if comma.is_empty() { "" } else { space };
    let name = serde_json::to_string(&*rebuilt.event_type).unwrap_or_default();
    let text = format!("{{\"type\":{space}{name}{comma}{gap}{members}");
    let inserted = text.len().saturating_sub(rebuilt.text.len());
    (text, inserted)
}

fn count(facts: &Facts<'_>, slot: u8) -> Option<u64> {
    let raw = facts.raw_if(slot)?;
    number::count(raw).or_else(|| {
        let number: Integer = decode::from_json(raw).ok()?;
        fragment::count(&number)
    })
}
