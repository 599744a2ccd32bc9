//! The order of events: pairing inside a turn, turn ends, repeated ids, gaps.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::LazyLock;

use super::events::class::{EventClass, is_legacy_terminal, is_turn_terminal};
use super::facts::*;
use super::judge::misspelt;
use super::{rules, texts};
use crate::check::Limits;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::Bounded;
use crate::check::js;
use crate::check::order::{Arrival, End, GoesOn, Next, Order, Place};
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::scopes::{Act, Id, Kind, Of, Scopes};
use crate::check::seams::Texts;
use crate::check::sequence::{Sequence, Step, gap_message};
use crate::check::time::is_rfc3339;
use crate::safe::show;
use crate::wire::number::to_f64;

/// What is opened and closed inside a turn, in the order in which the reference looks for
/// open ones at the turn's end: what it is called, the class that opens it, and the rule
/// about one that is left open.
static SCOPES: [(Kind, &str, &Rule); 5] = [
    (Kind::new("tool call", WITHIN), "tool.started", &rules::TOOL_UNCLOSED_AT_TURN_END),
    (Kind::new("patch", WITHIN), "patch.started", &rules::PATCH_UNCLOSED_AT_TURN_END),
    (Kind::new("command", WITHIN), "command.started", &rules::COMMAND_UNCLOSED_AT_TURN_END),
    (Kind::new("test run", WITHIN), "test.started", &rules::TEST_UNCLOSED_AT_TURN_END),
    (Kind::new("action", WITHIN), "action.required", &rules::ACTION_UNRESOLVED_AT_TURN_END),
];

/// The kinds of [`SCOPES`], made once for all streams.
static KINDS: LazyLock<[Kind; 5]> = LazyLock::new(|| SCOPES.each_ref().map(|(kind, ..)| kind.clone()));

const WITHIN: &str = " in its turn";

const TOOL: usize = 0;
const PATCH: usize = 1;
const COMMAND: usize = 2;
const TEST: usize = 3;
const ACTION: usize = 4;

/// What the classes do, and the rule that they can break.
static ACTS: [(&str, usize, Act, &Rule); 16] = [
    ("tool.started", TOOL, Act::Open, &rules::TOOL_STARTED_ALREADY_ACTIVE),
    ("tool.result", TOOL, Act::Close, &rules::TOOL_RESULT_WITHOUT_START),
    ("tool.failed", TOOL, Act::Close, &rules::TOOL_FAILED_WITHOUT_START),
    ("patch.started", PATCH, Act::Open, &rules::PATCH_STARTED_ALREADY_ACTIVE),
    ("patch.applied", PATCH, Act::Close, &rules::PATCH_TERMINAL_WITHOUT_START),
    ("patch.failed", PATCH, Act::Close, &rules::PATCH_TERMINAL_WITHOUT_START),
    ("command.started", COMMAND, Act::Open, &rules::COMMAND_STARTED_ALREADY_ACTIVE),
    ("command.output", COMMAND, Act::Use, &rules::COMMAND_OUTPUT_WITHOUT_START),
    ("command.exited", COMMAND, Act::Close, &rules::COMMAND_EXITED_WITHOUT_START),
    ("test.started", TEST, Act::Open, &rules::TEST_STARTED_ALREADY_ACTIVE),
    ("test.completed", TEST, Act::Close, &rules::TEST_COMPLETED_WITHOUT_START),
    ("action.required", ACTION, Act::Open, &rules::ACTION_REQUIRED_ALREADY_ACTIVE),
    ("action.resolved", ACTION, Act::Close, &rules::ACTION_RESOLVED_WITHOUT_REQUEST),
    ("action.cancelled", ACTION, Act::Close, &rules::ACTION_RESOLVED_WITHOUT_REQUEST),
    ("action.canceled", ACTION, Act::Close, &rules::ACTION_RESOLVED_WITHOUT_REQUEST),
    ("action.expired", ACTION, Act::Close, &rules::ACTION_RESOLVED_WITHOUT_REQUEST),
];

/// What an event of a class does to the state of the stream.
#[derive(Clone, Copy, Debug)]
enum Deed {
    EndTurn,
    BeginTurn,
    /// It may not come after the end of its turn.
    Execute,
    /// The same, and it opens, uses or closes something.
    Act(usize, Act, &'static Rule),
    Nothing,
}

impl Deed {
    fn of(class: &str) -> Self {
        if is_turn_terminal(class) {
            Self::EndTurn
        } else if let Some((_, kind, act, rule)) = ACTS.iter().find(|(name, ..)| *name == class) {
            Self::Act(*kind, *act, rule)
        } else if is_execution(class) {
            Self::Execute
        } else if matches!(class, "turn.submitted" | "turn.started") {
            Self::BeginTurn
        } else {
            Self::Nothing
        }
    }

    /// The deed of an event, whose class is looked up if it is known.
    fn of_event(facts: &Facts<'_>, class: &str) -> Self {
        static BY_CLASS: LazyLock<Vec<Deed>> =
            LazyLock::new(|| EventClass::KNOWN.iter().map(|class| Deed::of(class)).collect());
        facts.known(EVENT_CLASS).and_then(|known| BY_CLASS.get(known)).copied().unwrap_or_else(|| Self::of(class))
    }
}

/// What may not come after the end of its turn.
fn is_execution(class: &str) -> bool {
    const PREFIXES: [&str; 10] =
        ["tool.", "file.", "patch.", "command.", "test.", "action.", "model.", "reasoning.", "permission.", "sandbox."];
    class == "context.resolved" || PREFIXES.iter().any(|prefix| class.starts_with(prefix))
}

/// Whether an event has an id that was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    No,
    /// It is the same once more.
    Same,
    /// Another event has its id and number.
    Copy,
}

/// What a turn has seen.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    begun: Option<Place>,
    ended: Option<Place>,
    /// The number of its end, if that can be read.
    last: Option<f64>,
    /// Whether an event after the end was reported.
    overrun: bool,
    /// Whether it ended again behind that.
    ended_again: bool,
    /// Whether it has an end of a legacy spelling, which was reported.
    misspelt: bool,
}

/// The events of one runtime and thread.
#[derive(Clone, Copy, Debug)]
struct Lane {
    sequence: Sequence,
    /// The last event.
    last: u64,
    /// The key of its turn.
    turn: u64,
    /// The key of its runtime.
    runtime: u64,
}

/// The state of one stream.
pub(super) struct LimeOrder {
    /// Keep the reference's own transitions, cascades included.
    literal: bool,
    /// Look for gaps, which a fixture has a rule of its own for.
    counts: bool,
    scopes: Scopes,
    /// Where each id came first, a key of its number, runtime and thread, and one of its class and what it is about.
    ids: Bounded<(Place, u64, u64)>,
    turns: Bounded<Turn>,
    /// By runtime and thread.
    lanes: Bounded<Lane>,
    /// Events whose runtime and thread cannot be read: when they came, and their numbers, where
    /// those can be read.
    losses: VecDeque<(u64, Option<f64>)>,
    /// How many events are missing that may explain what else is wrong, the event before
    /// which the last of them came, and of which runtime and thread they are, if that is known.
    missing: f64,
    missed_at: u64,
    missed_of: Option<u64>,
    /// How many were missing before the last gap, in case its number is but wrong.
    missing_before: f64,
    /// The event that came last.
    last: u64,
    /// Texts that come in pieces.
    texts: Texts,
    /// The turn of the last event as it was written, and its key.
    last_turn: (String, u64),
    /// The same for runtime and thread.
    last_thread: (String, String, u64),
    /// The key of the runtime and thread that the last event names.
    last_kin: u64,
    /// The key of its class, and of what it is about.
    last_said: u64,
    /// Values that are equal to nothing else, as objects are in JavaScript.
    objects: u64,
    /// Which rules were said to be no longer guaranteed.
    told: u8,
}

/// What is new with each piece of a text.
const BESIDE: &[u8] = &[ID, SEQUENCE, CREATED_AT];

/// It was said that ids are forgotten.
const FORGOT_IDS: u8 = 2;

/// Among so many threads one is looked for that expects a number.
const THREADS: usize = 64;

/// A gap explains so many faults at most.
const EXPLAINED: f64 = 64.0;

impl LimeOrder {
    pub(super) fn new(literal: bool, limits: Limits) -> Self {
        let scopes = Scopes::new(&KINDS[..], limits.history, literal);
        Self {
            literal,
            counts: !literal,
            last_turn: (String::new(), scopes.key((2_u8, ""))),
            last_thread: (String::new(), String::new(), scopes.key(((0_u8, ""), (0_u8, "")))),
            last_kin: 0,
            last_said: 0,
            scopes,
            ids: Bounded::new(limits.history),
            turns: Bounded::new(limits.history),
            lanes: Bounded::new(limits.history),
            losses: VecDeque::new(),
            missing: 0.0,
            missed_at: 0,
            missed_of: None,
            missing_before: 0.0,
            last: 0,
            texts: Texts::new(&rules::SECRET_VALUE, limits),
            objects: 0,
            told: 0,
        }
    }

    /// The order of a fixture's events.
    pub(super) fn of_fixture(literal: bool, limits: Limits) -> Self {
        Self { counts: false, ..Self::new(literal, limits) }
    }

    /// The key of a value as JavaScript tells values apart; an object is equal to itself alone.
    fn identity(&mut self, facts: &Facts<'_>, slot: u8) -> Option<u64> {
        Some(match facts.kind(slot) {
            FactKind::Absent | FactKind::Null => return None,
            FactKind::String => self.scopes.key((1_u8, facts.string(slot)?)),
            FactKind::Integer | FactKind::Number => self.scopes.key((3_u8, (to_f64(facts.raw(slot)) + 0.0).to_bits())),
            FactKind::Bool => self.scopes.key((4_u8, facts.raw(slot))),
            FactKind::List | FactKind::Array | FactKind::Object => {
                self.objects += 1;
                self.scopes.key((5_u8, self.objects))
            }
        })
    }

    /// The key of the event's turn. Events of one turn come in a row, so the last key is kept.
    fn turn_key(&mut self, facts: &Facts<'_>) -> u64 {
        let raw = match facts.kind(TURN_ID) {
            FactKind::Absent => "",
            FactKind::Null if self.literal => "",
            kind if !self.literal && kind != FactKind::String => {
                // What is no id names no turn: the event is of that of the last event in its thread.
                return self.lanes.get(self.last_thread.2).map_or(self.last_turn.1, |lane| lane.turn);
            }
            _ => facts.raw(TURN_ID),
        };
        if raw != self.last_turn.0 || raw.starts_with(['{', '[']) {
            raw.clone_into(&mut self.last_turn.0);
            self.last_turn.1 = self.identity(facts, TURN_ID).unwrap_or_else(|| self.scopes.key((2_u8, "")));
        }
        self.last_turn.1
    }

    /// The turn and thread of the last event, as one key.
    const fn last_place(&self) -> u64 {
        self.last_turn.1 ^ self.last_thread.2.rotate_left(1) ^ self.last_kin.rotate_left(2)
    }

    /// The key of the runtime and thread that an event names. However an id is written, it is the same.
    fn kin(&self, facts: &Facts<'_>) -> u64 {
        let raw = |slot| if facts.kind(slot) == FactKind::Absent { "" } else { facts.raw(slot) };
        let (runtime, thread) = (raw(RUNTIME_ID), raw(THREAD_ID));
        if (runtime, thread) == (self.last_thread.0.as_str(), self.last_thread.1.as_str()) {
            return self.last_thread.2;
        }
        let id = |slot, raw| facts.string(slot).map_or((0_u8, Cow::Borrowed(raw)), |id| (1, id));
        self.scopes.key((id(RUNTIME_ID, runtime), id(THREAD_ID, thread)))
    }

    fn turn(&mut self, key: u64) -> Turn {
        self.turns.get(key).copied().unwrap_or_default()
    }

    /// The id that pairs the event, and the member it was found in.
    fn scope<'a>(&mut self, kind: usize, group: u64, facts: &Facts<'a>) -> Of<'a> {
        let mut of = Of { kind, group, owner: 0, id: None, slot: TOOL_CALL_ID };
        let in_payload = match kind {
            TOOL => TOOL_CALL_ID,
            ACTION => ACTION_ID,
            PATCH => PATCH_ID,
            COMMAND => COMMAND_ID,
            _ => TEST_RUN_ID,
        };
        let own = kind == TOOL || kind == ACTION;
        let is_blank = |id: &str| if self.literal { id.is_empty() } else { js::is_blank(id) };
        if let Some(text) = facts.string(in_payload).filter(|id| own || !is_blank(id)) {
            of.slot = in_payload;
            of.id = Some(Id { key: self.scopes.key((1_u8, &*text)), text });
        } else if !own && is_truthy(facts, TOOL_CALL_ID) && (self.literal || facts.is_string(TOOL_CALL_ID)) {
            let text = facts.string(TOOL_CALL_ID).unwrap_or(Cow::Borrowed(facts.raw(TOOL_CALL_ID)));
            of.id = self.identity(facts, TOOL_CALL_ID).map(|key| Id { key, text });
        }
        of
    }

    /// Whether a missing event explains a fault about an id, which raises nothing more then.
    fn explained(&mut self, id: Option<u64>) -> bool {
        let explained = self.missing > 0.0 && self.missed_of.is_none_or(|thread| thread == self.last_thread.2);
        if explained {
            self.missing -= 1.0;
            if let Some(id) = id {
                self.scopes.suspect(id);
            }
        }
        explained
    }

    /// Reports an id that was used before.
    fn repeated(&mut self, sequence: Option<f64>, arrival: &mut Arrival<'_, '_, '_>) -> Again {
        let facts = arrival.facts;
        let named = if self.literal { is_truthy(facts, ID) } else { facts.string(ID).is_some_and(|id| !id.is_empty()) };
        let Some(key) = named.then(|| self.identity(facts, ID)).flatten() else { return Again::No };
        let said = [EVENT_CLASS, TOOL_CALL_ID, ACTION_ID].map(|slot| facts.raw_if(slot));
        self.last_said = if self.literal { 0 } else { self.scopes.key((6_u8, said)) };
        let own = sequence.unwrap_or(f64::NAN).to_bits() ^ self.last_kin;
        let known = self.ids.recall(key, (arrival.place(), own, self.last_said));
        let Some((place, before, said)) = known else { return Again::No };
        let id = facts.string(ID).unwrap_or(Cow::Borrowed(facts.raw(ID)));
        let message = format!("the event id {} was used before", show(&id));
        let related = place.related("first used here");
        arrival.fault_related(&rules::DUPLICATE_EVENT_ID, Some(ID), message, Some(related));
        match (before == own, said == self.last_said) {
            _ if self.literal => Again::No,
            (true, true) => Again::Same,
            (true, false) => Again::Copy,
            (false, _) => Again::No,
        }
    }

    /// Notes the runtime and thread of an event; false if they cannot be told.
    fn thread(&mut self, number: Option<f64>, facts: &Facts<'_>) -> bool {
        let raw = |slot| if facts.kind(slot) == FactKind::Absent { "" } else { facts.raw(slot) };
        let (runtime, thread) = (raw(RUNTIME_ID), raw(THREAD_ID));
        if (runtime, thread) == (self.last_thread.0.as_str(), self.last_thread.1.as_str()) {
            return true;
        }
        let named = |slot| facts.string(slot).is_some_and(|id| !id.is_empty());
        let has_thread = facts.kind(THREAD_ID) != FactKind::Absent;
        // Without both a thread and a number, it may be the next of any thread.
        if !named(RUNTIME_ID) || (has_thread && !named(THREAD_ID)) || (!has_thread && number.is_none()) {
            return false;
        }
        let key = self.last_kin;
        // Some producers number events without a thread together with those of the active one.
        if let Some(number) = number.filter(|_| !has_thread) {
            let own = self.runtime_key(facts);
            let is_next_of = |lane: &Lane| lane.runtime == own && lane.sequence.expects(number);
            let expects = |key| self.lanes.get(key).is_some_and(is_next_of);
            if !expects(key) {
                let others = self.count_lanes(is_next_of);
                if others == 1 && expects(self.last_thread.2) {
                    return true;
                }
                if others > 0 {
                    return false;
                }
            }
        }
        runtime.clone_into(&mut self.last_thread.0);
        thread.clone_into(&mut self.last_thread.1);
        self.last_thread.2 = key;
        true
    }

    /// The key of the runtime that an event names.
    fn runtime_key(&self, facts: &Facts<'_>) -> u64 {
        self.scopes.key((7_u8, facts.string(RUNTIME_ID)))
    }

    /// How many threads are as is asked. Where there are very many, none is.
    fn count_lanes(&self, is_one: impl Fn(&Lane) -> bool) -> usize {
        if self.lanes.len() > THREADS { 0 } else { self.lanes.values().filter(|lane| is_one(lane)).count() }
    }

    /// Takes the number of an event; true if it was missed before.
    fn sequence(&mut self, number: f64, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let facts = arrival.facts;
        if !self.thread(Some(number), facts) {
            self.lose(Some(number));
            return false;
        }
        let event = self.last;
        let Some(lane) = self.lanes.get_mut(self.last_thread.2) else {
            let (sequence, runtime) = (Sequence::new(number), self.runtime_key(facts));
            let lane = Lane { sequence, last: event, turn: self.last_turn.1, runtime };
            self.lanes.insert(self.last_thread.2, lane);
            return false;
        };
        let before_gap = std::mem::replace(&mut lane.last, event);
        let is_late = lane.sequence.fills(number);
        let step = lane.sequence.take(number);
        if step == Step::Placed {
            self.missing = self.missing.min(self.missing_before);
        }
        if let Step::Gap { before, missing } = step {
            let may_be = |(at, lost): &(u64, Option<f64>)| {
                *at > before_gap && lost.is_none_or(|lost| before < lost && lost < number)
            };
            let lost = self.losses.iter().filter(|loss| may_be(loss)).count() as f64;
            if (1.0..=lost).contains(&missing) {
                let mut left = missing;
                self.losses.retain(|loss| {
                    let is_used = left > 0.0 && may_be(loss);
                    left -= f64::from(u8::from(is_used));
                    !is_used
                });
                return false;
            }
            self.missed_of =
                Some(self.last_thread.2).filter(|thread| self.missing == 0.0 || self.missed_of == Some(*thread));
            self.missing_before = self.missing;
            self.missing = (self.missing + missing).min(EXPLAINED);
            self.missed_at = event;
            // A number that does not grow loses nothing.
            let repaired = missing >= 1.0 && facts.string(EVENT_CLASS).as_deref() == Some("snapshot.updated");
            if repaired {
                // Nothing that was skipped comes any more.
                lane.sequence = Sequence::new(number);
            }
            let rule = if repaired { &rules::STREAM_GAP_REPAIRED } else { &rules::STREAM_SEQUENCE_GAP };
            arrival.fault(rule, Some(SEQUENCE), gap_message(before, number));
        }
        is_late
    }

    #[expect(clippy::indexing_slicing, reason = "the kinds of scopes are the positions of the table")]
    fn end_turn(&mut self, key: u64, class: &str, number: Option<f64>, arrival: &mut Arrival<'_, '_, '_>) {
        let mut turn = self.turn(key);
        // Where the turn was reported to go on behind its end, that came too early; this is the other one.
        let is_meant = !self.literal && turn.overrun && !std::mem::replace(&mut turn.ended_again, true);
        if let Some(ended) = turn.ended.filter(|_| !is_meant) {
            let message = format!("{} ends a turn that has ended", show(class));
            let related = ended.related("the turn ended here");
            arrival.fault_related(&rules::TURN_TERMINAL_REPEATED, Some(EVENT_CLASS), message, Some(related));
        }
        if turn.ended.is_none() {
            (turn.ended, turn.last) = (Some(arrival.place()), number);
        }
        self.turns.insert(key, turn);
        for opened in self.scopes.unclosed(key) {
            // What is missing may have closed what was open by then.
            if !self.literal && opened.place.event < self.missed_at && self.explained(Some(opened.id)) {
                continue;
            }
            let (kind, opener, rule) = &SCOPES[opened.kind];
            let message = format!("the turn ends while {} {} is open", kind.noun, opened.label);
            let related = opened.place.related(format!("opened by {opener} here"));
            arrival.fault_related(rule, Some(EVENT_CLASS), message, Some(related));
            if !self.literal {
                self.scopes.suspect(opened.id);
            }
        }
        self.scopes.end(key);
    }

    fn after_end(&mut self, key: u64, mut turn: Turn, deed: Deed, arrival: &mut Arrival<'_, '_, '_>) {
        let id = match deed {
            Deed::Act(kind, ..) => self.scope(kind, key, arrival.facts).id.map(|id| id.key),
            _ => None,
        };
        // What was reported as open at the end and goes on after it: the end came too early.
        let same_fault = !self.literal && id.is_some_and(|id| self.scopes.is_suspect(id));
        // The event may be of a turn whose beginning is missing, if it does not name its own.
        let may_be_explained = !is_named(arrival.facts) && turn.ended.is_some_and(|ended| ended.event < self.missed_at);
        let is_explained = !self.literal && may_be_explained && self.explained(id);
        let silent = is_explained || (!self.literal && (turn.overrun || same_fault));
        if !silent {
            let class = arrival.facts.string(EVENT_CLASS).unwrap_or_default();
            let message = format!("{} comes after the end of its turn", show(&class));
            let related = turn.ended.map(|ended| ended.related("the turn ended here"));
            arrival.fault_related(&rules::EXECUTION_AFTER_TURN_TERMINAL, Some(EVENT_CLASS), message, related);
            if let Some(id) = id.filter(|_| !self.literal) {
                // The event may belong to another turn, in which it is missing then.
                self.scopes.suspect_until_opened(id);
            }
        }
        turn.overrun |= !is_explained;
        self.turns.insert(key, turn);
    }

    /// The rules that can no longer be relied on, each said once.
    fn forgotten(&mut self) -> Option<&'static str> {
        let turns = self.turns.take_overflow() | self.scopes.take_overflow();
        let (ids, lanes) = (self.ids.take_overflow(), self.lanes.take_overflow());
        let rows = [
            (1, turns, "the rules about open scopes and ended turns"),
            (FORGOT_IDS, ids, "lime/duplicate-event-id"),
            (4, lanes, "lime/stream-sequence-gap"),
        ];
        let (bit, _, rules) = rows.into_iter().find(|(bit, forgot, _)| *forgot && self.told & bit == 0)?;
        self.told |= bit;
        Some(rules)
    }
}

impl Order for LimeOrder {
    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let found = arrival.report.findings.len();
        self.last = arrival.place().event;
        let number = (facts.kind(SEQUENCE) == FactKind::Integer).then(|| to_f64(facts.raw(SEQUENCE)));
        // That a number is negative has a rule of its own.
        let number = number.filter(|number| self.literal || *number >= 0.0);
        self.last_kin = self.kin(facts);
        let again = self.repeated(number, arrival);
        if again == Again::Same {
            return;
        }
        let mut is_late = false;
        match number {
            // Its number was copied with the id.
            _ if !self.counts || again == Again::Copy => {}
            Some(number) => is_late = self.sequence(number, arrival),
            None if !self.thread(None, facts) => self.lose(None),
            None => {
                // The number of the event cannot be read.
                if let Some(lane) = self.lanes.get_mut(self.last_thread.2) {
                    lane.sequence.skip();
                    lane.last = self.last;
                }
            }
        }
        if !self.literal && facts.kind(EVENT_CLASS) != FactKind::Absent && !facts.is_string(EVENT_CLASS) {
            // It may have been of any class.
            self.miss(1.0, arrival.place().event);
        }
        if let Some(mut class) = facts.string(EVENT_CLASS) {
            if !self.literal
                && facts.known(EVENT_CLASS).is_none()
                && let Some(right) = misspelt(&class)
                // What opens and closes, clients know by the exact text alone.
                && !matches!(Deed::of(&right), Deed::Act(..))
            {
                class = Cow::Owned(right);
            }
            let key = self.turn_key(facts);
            if let Some(lane) = self.lanes.get_mut(self.last_thread.2) {
                lane.turn = key;
            }
            let deed = Deed::of_event(facts, &class);
            let mut turn = self.turn(key);
            if facts.known(EVENT_CLASS).is_none() && is_legacy_terminal(&class) {
                turn.misspelt = true;
                self.turns.insert(key, turn);
            }
            match deed {
                // An event that comes late was sent before the end.
                Deed::Execute | Deed::Act(..) if is_late && number < turn.last => {}
                // Of which turn it is cannot be told, and that was said.
                Deed::BeginTurn if !self.literal && is_unreadable(facts) => {}
                Deed::EndTurn | Deed::Execute | Deed::Act(..) if !self.literal && is_unreadable(facts) => {
                    self.miss(1.0, arrival.place().event);
                }
                Deed::EndTurn => self.end_turn(key, &class, number, arrival),
                Deed::Execute | Deed::Act(..) if turn.ended.is_some() => self.after_end(key, turn, deed, arrival),
                Deed::Act(kind, act, rule) => {
                    let of = self.scope(kind, key, facts);
                    // An empty id is none, and is no fault: what it opens stays unknown to the reference.
                    let is_empty = of.id.is_none() && facts.string(of.slot).is_some();
                    if !is_empty && !self.is_explained(act, &of) {
                        self.scopes.apply(act, &of, rule, arrival);
                    }
                }
                Deed::BeginTurn => {
                    turn.begun.get_or_insert(arrival.place());
                    self.turns.insert(key, turn);
                }
                Deed::Execute | Deed::Nothing => {}
            }
            let continued = texts::row_of(facts, &class).and_then(|row| self.texts.take(row, arrival));
            let does_nothing = matches!(deed, Deed::Execute | Deed::Nothing) && turn.ended.is_none();
            if does_nothing && self.counts && arrival.report.findings.len() == found {
                let within = self.last_place();
                arrival.leads_to = continued.map(|with| GoesOn { within, beside: BESIDE, ..with });
            }
        }
        if let Some(rules) = self.forgotten() {
            arrival.report.forgotten("older ids", rules);
        }
    }

    fn go_on(&mut self, with: GoesOn, next: &Next<'_>) -> bool {
        let beside = |slot| next.beside(slot).filter(|text| !text.escaped).map(|text| text.raw);
        let (Some(id), Some(number)) = (beside(ID), beside(SEQUENCE).map(to_f64)) else { return false };
        if with.within != self.last_place() {
            return false;
        }
        let key = self.scopes.key((1_u8, id));
        let Some(lane) = self.lanes.get_mut(self.last_thread.2) else { return false };
        let has_room = self.ids.has_room() || self.told & FORGOT_IDS != 0;
        let is_next = number >= 0.0 && lane.sequence.expects(number) && has_room && !self.ids.contains(key);
        let is_in_time = next.beside(CREATED_AT).is_none_or(|time| !time.escaped && is_rfc3339(time.raw));
        let goes_on = is_next && is_in_time && self.texts.go_on(with, next.piece, next.secrets);
        if goes_on {
            lane.sequence.take(number);
            lane.last = next.unread.event;
            self.ids.insert(key, (next.place(), number.to_bits() ^ self.last_kin, self.last_said));
            self.last = next.unread.event;
        }
        goes_on
    }

    fn lost(&mut self) {
        self.last += 1;
        self.lose(None);
        self.miss(1.0, self.last);
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        let is_open = |turn: &&Turn| turn.ended.is_none() && (self.literal || !turn.misspelt);
        let mut turns: Vec<Place> = self.turns.values().filter(is_open).filter_map(|turn| turn.begun).collect();
        turns.sort_unstable_by_key(|begun| begun.event);
        for begun in turns {
            // What is missing may have ended it.
            if !self.literal && begun.event < self.missed_at && self.missing > 0.0 {
                self.missing -= 1.0;
                continue;
            }
            let related = begun.related("the turn began here");
            report.add_at_end(&rules::TURN_UNFINISHED, "a turn has no terminal event", Some(related));
        }
        self.texts.finish(report);
    }
}

impl LimeOrder {
    /// Events are missing before this one, which may explain what else is wrong.
    pub(super) fn miss(&mut self, count: f64, event: u64) {
        self.missing = (self.missing + count).min(EXPLAINED);
        (self.missed_at, self.missed_of) = (event, None);
    }

    /// Of which runtime and thread an event is cannot be read: it may be the next of any.
    fn lose(&mut self, number: Option<f64>) {
        if self.losses.len() >= EXPLAINED as usize {
            self.losses.pop_front();
        }
        self.losses.push_back((self.last, number));
    }

    /// Whether a missing event explains that a scope is not as the event needs it.
    fn is_explained(&mut self, act: Act, of: &Of<'_>) -> bool {
        let Some(id) = of.id.as_ref().filter(|_| !self.literal && self.missing > 0.0) else { return false };
        let opened = self.scopes.opened(of);
        let wrong = match act {
            // What ended it can only be missing since it was opened.
            Act::Open => opened.is_some_and(|opened| opened.place.event < self.missed_at),
            // What opens something comes in the same turn.
            Act::Use | Act::Close => {
                opened.is_none() && self.turn(of.group).begun.is_none_or(|begun| begun.event < self.missed_at)
            }
        };
        wrong && !self.scopes.is_suspect(id.key) && self.explained(Some(id.key))
    }
}

/// Whether what stands in the place of the turn's id is none.
fn is_unreadable(facts: &Facts<'_>) -> bool {
    !matches!(facts.kind(TURN_ID), FactKind::Absent | FactKind::String)
}

/// Whether the event names its turn.
fn is_named(facts: &Facts<'_>) -> bool {
    facts.string(TURN_ID).is_some_and(|id| !id.is_empty())
}

/// Whether JavaScript takes the value for true.
fn is_truthy(facts: &Facts<'_>, slot: u8) -> bool {
    match facts.kind(slot) {
        FactKind::Absent | FactKind::Null => false,
        FactKind::String => facts.string(slot).is_some_and(|id| !id.is_empty()),
        FactKind::Bool => facts.raw(slot) == "true",
        FactKind::Integer | FactKind::Number => to_f64(facts.raw(slot)) != 0.0,
        FactKind::List | FactKind::Array | FactKind::Object => true,
    }
}
