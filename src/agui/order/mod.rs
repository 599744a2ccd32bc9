//! The order of events: the official verifier's rules, then the stricter ones.
//!
//! Chunks are expanded on the way, retired events translated. After a fault the state is
//! mended so that one fault gives one finding.

mod listed;
mod messages;
mod runs;
mod scopes;
mod transport;

use std::hash::{Hash, Hasher};

use transport::Transport;

use super::arguments::Arguments;
use super::calls::{Answer, Calls};
use super::events::event::EventType;
use super::facts::*;
use super::lanes::{self, Chunk, Ends, Lane, Lanes, Lanewise, Opener, Taken};
use super::patched::{Applied, Patched};
use super::scope::{KINDS, Scope};
use super::{retired, rules};
use crate::check::facts::{FactKind, Facts};
use crate::check::history::Bounded;
use crate::check::order::{Arrival, Delivery, End, GoesOn, Next, Order, Place, Trust};
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::scopes::{Act, Id, Of, Scopes};
use crate::check::seams::Seams;
use crate::check::{Input, Limits};
use crate::safe::{Label, show};
use crate::wire::path::Path;

/// The owner of what no subagent owns.
const PARENT: u64 = 0;

/// All scopes end with their run, of which one is active at a time.
const RUN: u64 = 0;

/// Chunk streams by the keys of their ids and owners.
#[derive(Clone, Copy, Debug)]
struct Keyed;

impl Lanewise for Keyed {
    type Id = LaneId;
    type Owner = u64;
}

/// The key of a chunk stream's id, and how messages show it.
#[derive(Clone, Copy, Debug)]
struct LaneId {
    key: u64,
    label: Label,
}

impl From<u64> for LaneId {
    fn from(key: u64) -> Self {
        Self { key, label: Label::of("", None) }
    }
}

impl PartialEq for LaneId {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for LaneId {}

impl Hash for LaneId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// A run by its RUN_STARTED: the keys of runId and threadId, and what messages call them.
#[derive(Clone, Copy)]
struct Named {
    keys: [u64; 2],
    names: [Label; 2],
    place: Place,
}

/// The members that say what an event is about.
const IDS: [&str; 4] = ["messageId", "toolCallId", "stepName", "subagentRunId"];

/// How much is remembered of what came after the end of a run.
const REJECTED: usize = 64;

/// Owner records of activities, next to those of the scopes.
const ACTIVITY: u8 = 100;

/// Entities that were reported as unknown, next to the tags of subagents.
const ENTITY: u8 = 101;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Before,
    Running,
    Finished,
    Failed,
}

/// The message kinds that must not share an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    Assistant,
    Other,
    /// A tool's answer.
    Answer,
    Activity,
    Reasoning,
}

impl Message {
    const fn noun(self) -> &'static str {
        match self {
            Self::Assistant | Self::Other => "a text message",
            Self::Answer => "a tool's answer",
            Self::Activity => "an activity",
            Self::Reasoning => "a reasoning message",
        }
    }
}

/// What an event that could not be read may have been.
#[derive(Clone, Copy, Debug, Default)]
struct Blur {
    /// The event before this one could not be read at all.
    lost: bool,
    /// An event without a type came in this run, or before it: it may have been any.
    untyped: bool,
    /// Events of this run are missing, so what is counted over all of them is not known.
    partial: bool,
    /// An answer came that is of no call, or of one that had its own: it may have been meant for any.
    stray_answer: bool,
    /// The run before was still active: what is named may be of either.
    mixed: bool,
}

/// The state of one stream.
pub(super) struct AguiOrder {
    strict: bool,
    limits: Limits,
    transport: Transport,
    state: State,
    /// After an event that may not come there: silent until the next run.
    muted: bool,
    /// The run was never announced; its end is not asked for either.
    assumed: bool,
    blur: Blur,
    scopes: Scopes,
    lanes: Lanes<Keyed>,
    /// Kind and tag of chunk streams whose opening chunk failed, which was reported.
    broken_lanes: Vec<(Scope, Option<u64>)>,
    /// Those that would go on, or go on otherwise, without what was reported.
    doubtful_lanes: Vec<(Scope, Option<u64>)>,
    owners: Bounded<u64>,
    messages: Bounded<Message>,
    calls: Calls,
    /// How many snapshots of activities came whose id could not be read.
    unnamed_activities: u32,
    /// How many calls were begun without an id.
    unnamed_calls: u32,
    /// How many subagents were started whose id could not be read.
    unnamed_subagents: u32,
    /// What events were about that came after the end of a run: the next one may go on with it.
    rejected: Vec<u64>,
    /// Subagent tags that were reported as unannounced, and entities as unknown.
    tags: Bounded<()>,
    uses_subagents: bool,
    run: Option<Named>,
    /// Runs in which another one began before they had ended. The last of them goes on first.
    outer: Vec<Named>,
    thread: Option<u64>,
    runs: Bounded<()>,
    /// Ids that stand for those that retired events lack: span and message.
    thinking: (u64, u64),
    minted: u64,
    /// The last id as it was written, and its key.
    last_id: (String, u64),
    arguments: Arguments,
    seams: Seams,
    patched: Patched,
    /// Whether it was reported that something was forgotten.
    told: bool,
}

impl AguiOrder {
    pub(super) fn new(strict: bool, limits: Limits) -> Self {
        let bound = limits.history;
        Self {
            strict,
            limits,
            transport: Transport::default(),
            state: State::Before,
            muted: false,
            assumed: false,
            blur: Blur::default(),
            scopes: Scopes::new(&KINDS[..], bound, false),
            lanes: Lanes::default(),
            broken_lanes: Vec::new(),
            doubtful_lanes: Vec::new(),
            owners: Bounded::new(bound),
            messages: Bounded::new(bound),
            calls: Calls::new(bound),
            unnamed_activities: 0,
            unnamed_calls: 0,
            unnamed_subagents: 0,
            rejected: Vec::new(),
            tags: Bounded::new(bound),
            uses_subagents: false,
            run: None,
            outer: Vec::new(),
            thread: None,
            runs: Bounded::new(bound),
            thinking: (0, 0),
            minted: 0,
            last_id: (String::new(), 0),
            arguments: Arguments::new(limits),
            seams: Seams::new(limits),
            patched: Patched::new(limits),
            told: false,
        }
    }

    /// The key of a record about an id of a kind.
    fn record_key(kind: u8, id: u64) -> u64 {
        id.wrapping_add(u64::from(kind) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The key of a string.
    fn hash(&self, facts: &Facts<'_>, slot: u8) -> Option<u64> {
        facts.exact(slot).map(|text| self.scopes.key(text))
    }

    /// The id that an event is about. Deltas of one message come in a row, so the last key
    /// is kept.
    fn id<'a>(&mut self, facts: &Facts<'a>, slot: u8) -> Option<Id<'a>> {
        let text = facts.string(slot)?;
        let raw = facts.raw(slot);
        if raw != self.last_id.0 {
            self.last_id.1 = self.hash(facts, slot)?;
            raw.clone_into(&mut self.last_id.0);
        }
        Some(Id { key: self.last_id.1, text })
    }

    /// The owner that an event's tag names; `None` if it is untagged.
    fn tag(&self, facts: &Facts<'_>) -> Option<u64> {
        facts.exact(SUBAGENT_RUN_ID).map(|tag| self.scopes.key((1_u8, tag)))
    }

    /// Which scope an event is about.
    fn of<'a>(&mut self, scope: Scope, slot: u8, facts: &Facts<'a>) -> Of<'a> {
        Of { kind: scope as usize, group: RUN, owner: 0, id: self.id(facts, slot), slot }
    }

    /// The event of the arrival; true if it came as one of the types that 1.0 has replaced.
    fn event(arrival: &Arrival<'_, '_, '_>) -> Option<(EventType, bool)> {
        if let Some(at) = arrival.facts.tag() {
            return EventType::ALL.get(at).map(|event| (*event, false));
        }
        // Facts without a tag are those of retired events, or of none at all.
        let tag = arrival.tree?.get("type")?.as_str()?;
        Some((retired::replacement(&tag)?, true))
    }

    /// Rules about runs: whether the event may come at all.
    fn gate(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        use EventType::{RunError, RunStarted};
        // A retired event is called by its own name.
        let written = arrival.tree.and_then(|tree| tree.get("type")?.as_str());
        let name = written.as_deref().filter(|_| arrival.facts.tag().is_none()).unwrap_or(event.as_str());
        // What may have been the beginning of a run is taken for it.
        let begun = self.blur.untyped || self.blur.lost;
        match self.state {
            State::Before | State::Finished if event == RunStarted || event == RunError => true,
            State::Before => {
                if !begun {
                    let message = format!("the stream begins with {name}");
                    arrival.fault(&rules::FIRST_EVENT_NOT_RUN_STARTED, None, message);
                    self.scopes.begins_unseen(RUN, true);
                    self.blur.partial = true;
                    self.patched.doubt();
                }
                (self.state, self.assumed) = (State::Running, true);
                true
            }
            State::Running if event == RunStarted && !self.assumed => {
                if !begun {
                    let active = self.run.map_or_else(|| "a run".to_owned(), |run| format!("run {}", run.names[0]));
                    arrival.fault(&rules::RUN_STARTED_WHILE_ACTIVE, None, format!("{active} is still active"));
                }
                true
            }
            State::Running => true,
            State::Failed if event == RunStarted => true,
            State::Finished | State::Failed if begun => {
                (self.state, self.assumed, self.run) = (State::Running, true, None);
                // Nothing that the failed run has left open is open in this one.
                self.scopes.end(RUN);
                self.scopes.lost(RUN);
                true
            }
            // A run that another one has begun in goes on.
            State::Finished | State::Failed if !self.outer.is_empty() => {
                (self.state, self.assumed, self.run) = (State::Running, true, self.outer.pop());
                true
            }
            State::Finished => {
                // What was open when the run finished goes on: the run finished too early.
                if !self.goes_on(arrival.facts) {
                    let message = match event {
                        EventType::RunFinished => "the run has finished already".to_owned(),
                        _ => format!("{name} comes after RUN_FINISHED"),
                    };
                    arrival.fault(&rules::EVENT_AFTER_RUN_FINISHED, None, message);
                }
                self.reject(event, arrival.facts);
                false
            }
            State::Failed => {
                arrival.fault(&rules::EVENT_AFTER_RUN_ERROR, None, format!("{name} comes after RUN_ERROR"));
                self.reject(event, arrival.facts);
                false
            }
        }
    }

    /// What an event is about.
    fn ids(&self, facts: &Facts<'_>) -> impl Iterator<Item = u64> + use<> {
        let slots = [MESSAGE_ID, TOOL_CALL_ID, STEP_NAME, SUBAGENT_RUN_ID];
        slots.map(|slot| self.hash(facts, slot)).into_iter().flatten()
    }

    /// Whether an event is about something that was reported already.
    fn goes_on(&self, facts: &Facts<'_>) -> bool {
        self.ids(facts).any(|id| self.scopes.is_suspect(id))
    }

    /// Takes an event that may not come here, and is silent until the next run, in which nothing of what it begins is
    /// missing.
    fn reject(&mut self, event: EventType, facts: &Facts<'_>) {
        self.muted = true;
        if begins(event) && self.rejected.len() < REJECTED {
            let ids = self.ids(facts);
            self.rejected.extend(ids);
        }
    }

    /// Ends the chunk streams that an explicit event ends; gives that of its owner, if it ends one alone.
    fn close_lanes(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) -> Option<Lane<Keyed>> {
        match Ends::of(event) {
            // The beginning of the run came late, which was reported.
            Ends::All if event == EventType::RunStarted && self.assumed && self.state == State::Running => {}
            Ends::All => {
                // The run that is active may go on behind the beginning of another, which is reported.
                let may_go_on = event == EventType::RunStarted && self.state == State::Running;
                while let Some(lane) = self.lanes.close_any() {
                    if may_go_on {
                        self.doubt(lane.scope, lane.owner);
                    }
                    self.close_lane_by(event, &lane, arrival);
                }
            }
            Ends::Lane if self.lanes.is_empty() && self.doubtful_lanes.is_empty() && self.broken_lanes.is_empty() => {}
            Ends::Lane => {
                let tag = self.tag(arrival.facts);
                if tag.is_none() && matches!(event, EventType::SubagentFinished | EventType::SubagentError) {
                    // Whose streams end is not known.
                    return None;
                }
                let owner = tag.unwrap_or(PARENT);
                self.doubtful_lanes.retain(|(_, of)| of.unwrap_or(PARENT) != owner);
                if event == EventType::SubagentFinished || event == EventType::SubagentError {
                    self.broken_lanes.retain(|(_, of)| *of != tag);
                }
                let lane = self.lanes.close(&owner)?;
                self.close_lane_by(event, &lane, arrival);
                return Some(lane);
            }
            Ends::Nothing => {}
        }
        None
    }

    fn close_lane_by(&mut self, event: EventType, lane: &Lane<Keyed>, arrival: &mut Arrival<'_, '_, '_>) {
        if matches!(event, EventType::RunError | EventType::SubagentError) {
            self.arguments.may_lack_end(lane.id.key);
        }
        self.close_lane(lane, arrival);
    }

    fn apply(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType as E;
        let facts = arrival.facts;
        let clean = arrival.is_clean();
        match event {
            E::TextMessageStart => self.start(Scope::Text, MESSAGE_ID, arrival),
            E::TextMessageContent => self.go_on(Scope::Text, Act::Use, MESSAGE_ID, arrival),
            E::TextMessageEnd => self.go_on(Scope::Text, Act::Close, MESSAGE_ID, arrival),
            E::ToolCallStart => self.start(Scope::Tool, TOOL_CALL_ID, arrival),
            E::ToolCallArgs => self.go_on(Scope::Tool, Act::Use, TOOL_CALL_ID, arrival),
            E::ToolCallEnd => self.go_on(Scope::Tool, Act::Close, TOOL_CALL_ID, arrival),
            E::ReasoningStart => self.start(Scope::Span, MESSAGE_ID, arrival),
            E::ReasoningEnd => self.go_on(Scope::Span, Act::Close, MESSAGE_ID, arrival),
            E::ReasoningMessageStart => self.start(Scope::Reasoning, MESSAGE_ID, arrival),
            E::ReasoningMessageContent => self.go_on(Scope::Reasoning, Act::Use, MESSAGE_ID, arrival),
            E::ReasoningMessageEnd => self.go_on(Scope::Reasoning, Act::Close, MESSAGE_ID, arrival),
            E::ToolCallResult => self.result(arrival),
            E::StepStarted => self.step_started(arrival),
            E::StepFinished => self.step_finished(arrival),
            E::RunStarted => self.run_started(arrival),
            E::RunFinished => self.run_finished(arrival),
            E::RunError => {
                if self.state == State::Finished && !self.blur.untyped && !self.blur.lost {
                    arrival.fault(&rules::RUN_ERROR_AFTER_FINISH, None, "RUN_ERROR comes after RUN_FINISHED");
                }
                self.state = State::Failed;
            }
            E::SubagentStarted => self.subagent_started(arrival),
            E::SubagentFinished | E::SubagentError => self.subagent_ended(arrival),
            E::MessagesSnapshot => {
                if let Some((messages, at)) = arrival.raw(MESSAGES) {
                    self.seed(messages, at, &Path::of("messages"), true, arrival);
                }
            }
            E::ActivitySnapshot => self.activity_snapshot(arrival),
            E::ActivityDelta => self.activity_delta(arrival),
            E::ReasoningEncryptedValue => self.encrypted_value(arrival),
            E::StateSnapshot if self.strict => self.patched.set_state(facts.raw_if(SNAPSHOT).filter(|_| clean)),
            E::StateDelta if self.strict => self.state_delta(arrival),
            _ => {}
        }
    }

    /// Notes a tag that no subagent has announced, where subagents announce themselves.
    fn announce(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType::{SubagentError, SubagentFinished, SubagentStarted};
        if matches!(event, SubagentStarted | SubagentFinished | SubagentError) {
            self.uses_subagents = true;
            return;
        }
        // What is missing may have announced it.
        if !self.uses_subagents || self.blur.partial {
            return;
        }
        let of = self.of(Scope::Subagent, SUBAGENT_RUN_ID, arrival.facts);
        let Some(id) = &of.id else { return };
        if !self.scopes.was_opened(&of) && !self.scopes.is_suspect(id.key) && self.tags.insert(id.key, ()).is_none() {
            let message = format!("no SUBAGENT_STARTED has announced {}", show(&id.text));
            arrival.fault(&rules::SUBAGENT_TAG_UNANNOUNCED, Some(SUBAGENT_RUN_ID), message);
        }
    }

    /// An event of no type, or under the type of another: the ids that its type does not
    /// have are suspect, and it may have been anything.
    fn mistyped(&mut self, event: Option<EventType>, arrival: &Arrival<'_, '_, '_>) {
        let Some(tree) = arrival.tree else { return };
        let names = event.and_then(|event| arrival.shape.names(event.as_str()));
        let (mut foreign, mut named) = (false, false);
        for member in tree.members().iter().filter(|member| member.key != "type") {
            if names.is_some_and(|names| names.find(&member.key).is_some()) {
                continue;
            }
            foreign = true;
            // The event may lie in a member.
            for member in std::iter::once(member).chain(member.node.members()) {
                named |= IDS.contains(&&*member.key);
                if let Some(text) = member.node.exact() {
                    self.scopes.suspect(self.scopes.key(text));
                }
            }
        }
        if event.is_some() && !foreign {
            // It may be of another owner.
            let tag = arrival.facts.kind(SUBAGENT_RUN_ID);
            self.blur.partial |= !matches!(tag, FactKind::Absent | FactKind::String);
            return;
        }
        if !named {
            self.scopes.lost(RUN);
        }
        self.blur = Blur { lost: true, untyped: true, partial: true, ..self.blur };
        self.run = None;
        self.arguments.clear();
        self.patched.doubt();
    }

    /// What the next event may go on with, if this one was in order.
    fn leads_to(&mut self, event: EventType, arrival: &Arrival<'_, '_, '_>) -> Option<GoesOn> {
        let facts = arrival.facts;
        let (scope, slot) = continued(event)?;
        // What may lie in these is looked into.
        let is_plain = [SUBAGENT_RUN_ID, USAGE, INPUT].iter().all(|slot| facts.kind(*slot) == FactKind::Absent);
        if !is_plain || !arrival.is_clean() || self.state != State::Running || !self.lanes.is_empty() {
            return None;
        }
        let of = self.of(scope, slot, facts);
        let id = of.id.as_ref()?.key;
        let is_open = self.scopes.opened(&of).is_some() && !self.scopes.is_suspect(id);
        is_open.then_some(GoesOn { kind: scope as u8, id, within: 0, piece: DELTA, beside: &[] })
    }

    /// Says once that something was forgotten.
    fn tell_if_forgot(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if !self.told && self.forgot() {
            self.told = true;
            arrival.report.forgotten("older ids and texts", "the rules about order and joined texts");
        }
    }

    fn forgot(&mut self) -> bool {
        self.owners.take_overflow()
            | self.scopes.take_overflow()
            | self.messages.take_overflow()
            | self.tags.take_overflow()
            | self.runs.take_overflow()
            | self.calls.take_overflow()
            | self.lanes.take_overflow()
            | self.arguments.take_overflow()
            | self.patched.take_overflow()
    }
}

impl Order for AguiOrder {
    fn deliver(&mut self, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        self.transport.deliver(input, self.limits, report)
    }

    fn delivers_plain(&self) -> bool {
        self.transport.delivers_plain()
    }

    fn stray_line(&mut self, line: &[u8], report: &mut Reporter<'_>) {
        self.transport.stray_line(line, report);
    }

    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let found = arrival.report.findings.len();
        let Some((event, retired)) = Self::event(arrival) else {
            // Clients ignore unknown types; an event without a type may have been any event.
            if arrival.trust == Trust::Suspect {
                self.mistyped(None, arrival);
            }
            return;
        };
        if self.muted && event != EventType::RunStarted {
            self.reject(event, arrival.facts);
            return;
        }
        if let Some(scope) = chunk_scope(event) {
            self.chunk(scope, event, arrival);
        } else {
            let closed = self.close_lanes(event, arrival);
            let found = arrival.report.findings.len();
            if self.gate(event, arrival) {
                if retired {
                    self.thinking(event, arrival);
                } else {
                    self.apply(event, arrival);
                }
            }
            let is_stray = || arrival.report.findings.iter().skip(found).any(|found| Scope::lacks_start(&found.rule));
            if let Some(lane) = closed.filter(|_| is_stray()) {
                // Without the event, the chunks would go on.
                self.doubt(lane.scope, lane.owner);
            }
        }
        self.blur.lost = false;
        if arrival.trust == Trust::Suspect {
            self.mistyped(Some(event), arrival);
        }
        if self.strict && arrival.report.findings.len() == found {
            self.announce(event, arrival);
        }
        self.tell_if_forgot(arrival);
        if !retired && arrival.report.findings.len() == found {
            arrival.leads_to = self.leads_to(event, arrival);
        }
    }

    fn go_on(&mut self, with: GoesOn, next: &Next<'_>) -> bool {
        if !self.strict {
            return true;
        }
        let is_tool = with.kind == Scope::Tool as u8;
        if is_tool && !self.arguments.has_room(next.piece) {
            return false;
        }
        let goes_on = self.seams.go_on(Self::record_key(with.kind, with.id), next.piece, next.secrets);
        if goes_on && is_tool {
            self.arguments.append(with.id, next.piece);
        }
        goes_on
    }

    fn lost(&mut self) {
        if self.blur.lost {
            // One of two may have ended the run, and the other begun the next one.
            self.run = None;
        }
        self.blur.lost = true;
        self.blur.partial = true;
        self.scopes.lost(RUN);
        self.arguments.clear();
        self.patched.doubt();
    }

    fn finish(&mut self, end: End, report: &mut Reporter<'_>) {
        if end.events == 0 {
            report.add_at_end(&rules::EMPTY_STREAM, "there is no event in the stream", None);
        } else if end.known == 0 && self.state == State::Before && !self.blur.partial {
            let message = format!("none of the {} events is of a type of AG-UI 1.0", end.events);
            report.add_at_end(&rules::NOTHING_RECOGNISED, message, None);
        } else if self.state == State::Running && !self.assumed && !self.blur.lost {
            report.add_at_end(&rules::TRUNCATED_STREAM, "the stream ends while a run is active", None);
        }
        if self.strict {
            self.seams.finish(&rules::SECRET_VALUE, report);
        }
    }
}

/// Whether an event begins something that later ones go on with.
const fn begins(event: EventType) -> bool {
    use EventType::{
        ActivitySnapshot, ReasoningMessageChunk, ReasoningMessageStart, ReasoningStart, StepStarted, SubagentStarted,
        TextMessageChunk, TextMessageStart, ToolCallChunk, ToolCallStart,
    };
    matches!(
        event,
        ActivitySnapshot
            | ReasoningMessageChunk
            | ReasoningMessageStart
            | ReasoningStart
            | StepStarted
            | SubagentStarted
            | TextMessageChunk
            | TextMessageStart
            | ToolCallChunk
            | ToolCallStart
    )
}

/// What an event brings a piece of, and the slot of its id.
const fn continued(event: EventType) -> Option<(Scope, u8)> {
    match event {
        EventType::TextMessageContent => Some((Scope::Text, MESSAGE_ID)),
        EventType::ToolCallArgs => Some((Scope::Tool, TOOL_CALL_ID)),
        EventType::ReasoningMessageContent => Some((Scope::Reasoning, MESSAGE_ID)),
        _ => None,
    }
}

fn chunk_scope(event: EventType) -> Option<Scope> {
    match event {
        EventType::TextMessageChunk => Some(Scope::Text),
        EventType::ToolCallChunk => Some(Scope::Tool),
        EventType::ReasoningMessageChunk => Some(Scope::Reasoning),
        _ => None,
    }
}
