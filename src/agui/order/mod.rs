//! The order of events: the official verifier's rules, then the stricter ones.
//!
//! Chunks are expanded on the way, retired events translated. After a fault the state is
//! mended so that one fault gives one finding.

use std::borrow::Cow;

mod messages;
mod runs;
mod scopes;
mod turn;

use turn::Turn;

use super::calls::Calls;
use super::chunks::{self, Chunk, Ends, Lanes, Lanewise, Opener, Step};
use super::event::EventType;
use super::facts::*;
use super::rules;
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Report;
use crate::check::history::{Bounded, Keys, Open};
use crate::check::rule::RuleRef;
use crate::check::tree::Node;
use crate::check::{Limits, Related, input_rules};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::span::Location;

/// What is opened and closed, in the order in which the verifier looks for open ones
/// when a run finishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Step,
    Text,
    Reasoning,
    Span,
    Tool,
    Subagent,
}

const SCOPES: [(Scope, &str); 6] = [
    (Scope::Step, "step"),
    (Scope::Text, "text message"),
    (Scope::Reasoning, "reasoning message"),
    (Scope::Span, "reasoning span"),
    (Scope::Tool, "tool call"),
    (Scope::Subagent, "subagent"),
];

impl Scope {
    const fn noun(self) -> &'static str {
        SCOPES[self as usize].1
    }

    /// Spans and messages of reasoning share their owner; the others have their own.
    const fn owned_as(self) -> u8 {
        match self {
            Self::Span => Self::Reasoning as u8,
            other => other as u8,
        }
    }
}

/// The owner of what no subagent owns.
const PARENT: u64 = 0;

/// Chunk streams by the keys of their ids and owners.
#[derive(Clone, Copy, Debug)]
struct Keyed;

impl Lanewise for Keyed {
    type Id = u64;
    type Owner = u64;
}

/// Owner records of activities, next to those of the scopes.
const ACTIVITY: u8 = 100;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Before,
    Running,
    Finished,
    Failed,
}

#[derive(Clone, Copy, Debug)]
struct Opened {
    scope: Scope,
    /// The key of the id alone, for suspicion.
    id: u64,
    event: u64,
    location: Location,
}

/// How a scope was opened, for what reopens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Opening {
    /// Role of a text, name of a tool.
    first: u64,
    second: u64,
}

/// The message kinds that must not share an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    Assistant,
    Other,
    Activity,
    Reasoning,
}

/// The state of one stream.
#[derive(Debug)]
pub(super) struct Order {
    strict: bool,
    limits: Limits,
    keys: Keys,
    state: State,
    /// After an event that may not come there: silent until the next run.
    muted: bool,
    /// The run was never announced; its end is not asked for either.
    assumed: bool,
    lanes: Lanes<Keyed>,
    open: Open<Opened>,
    suspects: Bounded<()>,
    owners: Bounded<u64>,
    /// What was closed or opened in this run, by scope and id.
    openings: Bounded<Opening>,
    messages: Bounded<Message>,
    /// Whether a subagent of this run is still active.
    subagents: Bounded<bool>,
    calls: Calls,
    run: Option<(u64, u64)>,
    thread: Option<u64>,
    runs: Bounded<()>,
    uses_subagents: bool,
    /// Openers without a readable id: each excuses one unknown id of its kind.
    excused: [u32; 6],
    /// Ids that stand for those that retired events lack: span and message.
    thinking: (u64, u64),
    /// The last id as it was written, and its key.
    last_id: (String, u64),
    /// That something is forgotten was said.
    told: bool,
    minted: u64,
    pub(super) texts: super::texts::Texts,
}

impl Order {
    pub(super) fn new(strict: bool, limits: Limits) -> Self {
        let bound = limits.history;
        Self {
            strict,
            limits,
            keys: Keys::default(),
            state: State::Before,
            muted: false,
            assumed: false,
            lanes: Lanes::default(),
            open: Open::new(bound),
            suspects: Bounded::new(bound),
            owners: Bounded::new(bound),
            openings: Bounded::new(bound),
            messages: Bounded::new(bound),
            subagents: Bounded::new(bound),
            calls: Calls::new(bound),
            run: None,
            thread: None,
            runs: Bounded::new(bound),
            uses_subagents: false,
            excused: [0; 6],
            thinking: (0, 0),
            last_id: (String::new(), 0),
            told: false,
            minted: 0,
            texts: super::texts::Texts::new(limits),
        }
    }

    fn key(&self, id: &str) -> u64 {
        self.keys.of(id)
    }

    /// The key of an id within a scope. Ids are keyed hashes, so mixing is enough.
    fn scoped(scope: u8, id: u64, owner: u64) -> u64 {
        (id ^ owner.rotate_left(17)).wrapping_add(u64::from(scope) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The key of the message or call that an event is about. Deltas of one come in a
    /// row, so the last key is kept.
    fn id(&mut self, slot: u8, facts: &Facts<'_>) -> Option<u64> {
        let raw = facts.raw_if(slot)?;
        if raw != self.last_id.0 {
            let id = facts.string(slot)?;
            raw.clone_into(&mut self.last_id.0);
            self.last_id.1 = self.keys.of(&*id);
        }
        Some(self.last_id.1)
    }

    /// The owner that an event's tag names; `None` if it is untagged.
    fn tag(&self, facts: &Facts<'_>) -> Option<u64> {
        facts.string(SUBAGENT_RUN_ID).map(|tag| self.keys.of((1_u8, tag)))
    }

    fn is_suspect(&self, id: u64) -> bool {
        !self.suspects.is_empty() && self.suspects.contains(id)
    }

    /// Takes in the next event. `broken` says that it does not fit its shape: what can be
    /// read of it still counts, but it raises nothing.
    ///
    /// `retired` says that the event came as one of the types that `event` has replaced.
    pub(super) fn push(
        &mut self,
        facts: &Facts<'_>,
        event: EventType,
        retired: bool,
        broken: bool,
        report: &mut Report<'_>,
    ) {
        if self.muted && event != EventType::RunStarted {
            return;
        }
        let mut turn = Turn { facts, broken, event, report };
        if let Some(scope) = chunk_scope(event) {
            self.chunk(scope, &mut turn);
        } else {
            self.close_lanes(&mut turn);
            if self.gate(&mut turn) {
                self.apply(retired, &mut turn);
            }
        }
        let forgot = self.owners.take_overflow()
            | self.openings.take_overflow()
            | self.open.take_overflow()
            | self.messages.take_overflow()
            | self.suspects.take_overflow()
            | self.subagents.take_overflow()
            | self.runs.take_overflow()
            | self.calls.take_overflow()
            | self.lanes.take_overflow()
            | self.texts.take_overflow();
        if forgot && !std::mem::replace(&mut self.told, true) {
            let message = "older ids and texts are forgotten from here on; no longer guaranteed: the rules about order and joined texts";
            report.add(&input_rules::HISTORY_LIMIT, &Path::default(), 0..1, message);
        }
    }

    /// What only the end of the stream shows.
    pub(super) fn finish(&mut self, events: u64, report: &mut Report<'_>) {
        if events == 0 && report.wants(&rules::EMPTY_STREAM) {
            report.add_at_end(&rules::EMPTY_STREAM, "there is no event in the stream", None);
        } else if self.state == State::Running && !self.assumed {
            report.add_at_end(&rules::TRUNCATED_STREAM, "the stream ends while a run is active", None);
        }
    }

    /// Rules about runs: whether the event may come at all.
    fn gate(&mut self, turn: &mut Turn<'_, '_, '_>) -> bool {
        use EventType::{RunError, RunStarted};
        let terminal = turn.event == RunError;
        match self.state {
            State::Before | State::Finished if turn.event == RunStarted || terminal => true,
            State::Before => {
                turn.fault(&rules::FIRST_EVENT_NOT_RUN_STARTED, None, format!("the stream begins with {}", turn.event));
                self.state = State::Running;
                self.assumed = true;
                true
            }
            State::Running if turn.event == RunStarted && !self.assumed => {
                turn.fault(&rules::RUN_STARTED_WHILE_ACTIVE, None, "a run is still active".into());
                true
            }
            State::Running => true,
            State::Failed if turn.event == RunStarted => true,
            State::Finished => {
                turn.fault(&rules::EVENT_AFTER_RUN_FINISHED, None, format!("{} comes after RUN_FINISHED", turn.event));
                self.muted = true;
                false
            }
            State::Failed => {
                turn.fault(&rules::EVENT_AFTER_RUN_ERROR, None, format!("{} comes after RUN_ERROR", turn.event));
                self.muted = true;
                false
            }
        }
    }

    /// Ends the chunk streams that an explicit event closes.
    fn close_lanes(&mut self, turn: &mut Turn<'_, '_, '_>) {
        match Ends::of(turn.event) {
            Ends::All => {
                while let Some(lane) = self.lanes.close_any() {
                    self.close(lane.scope, lane.id, turn);
                }
            }
            Ends::Lane if !self.lanes.is_empty() => {
                let owner = self.tag(turn.facts).unwrap_or(PARENT);
                if let Some(lane) = self.lanes.close(&owner) {
                    self.close(lane.scope, lane.id, turn);
                }
            }
            Ends::Lane | Ends::Nothing => {}
        }
    }

    fn chunk(&mut self, scope: Scope, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let id_slot = if scope == Scope::Tool { TOOL_CALL_ID } else { MESSAGE_ID };
        let hash = |slot| facts.string(slot).map(|text| self.key(&text));
        let opener = match scope {
            Scope::Text => Opener { first: hash(ROLE), second: hash(NAME) },
            Scope::Tool => Opener { first: hash(TOOL_CALL_NAME), second: hash(PARENT_MESSAGE_ID) },
            _ => Opener { first: None, second: None },
        };
        let (id, tag) = (hash(id_slot), self.tag(facts));
        let chunk = Chunk { scope, id, tag, opener, default_role: self.key("assistant") };
        let step = match self.lanes.take(chunk) {
            Ok(step) => step,
            Err(rule) => {
                let known = id.is_some_and(|id| self.is_suspect(id));
                if !known {
                    turn.fault(
                        rule,
                        Some(id_slot).filter(|_| id.is_some()),
                        format!("this {} {}", turn.event, chunks::describe(rule)),
                    );
                }
                self.suspect(id);
                return;
            }
        };
        match step {
            Step::Continue { id, owner } => {
                let emits = [DELTA, RAW_EVENT, METADATA].iter().any(|slot| facts.kind(*slot) != FactKind::Absent);
                if emits && self.gate(turn) {
                    let tag = tag.or((owner != PARENT).then_some(owner));
                    self.content(scope, id_slot, Some(id), tag, turn);
                }
            }
            Step::Open { closes, owner, id } => {
                if let Some(lane) = closes {
                    self.close(lane.scope, lane.id, turn);
                }
                if self.gate(turn) {
                    let tag = (owner != PARENT).then_some(owner);
                    self.start(scope, id_slot, Some(id), tag, turn);
                    self.collect(scope, id, turn);
                } else {
                    self.lanes.clear();
                }
            }
        }
    }

    fn apply(&mut self, retired: bool, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        let facts = turn.facts;
        let tag = self.tag(facts);
        self.announce(turn);
        if retired {
            return self.thinking(turn.event, tag, turn);
        }
        let by_call = matches!(turn.event, E::ToolCallStart | E::ToolCallArgs | E::ToolCallEnd | E::ToolCallResult);
        let call = if by_call { self.id(TOOL_CALL_ID, facts) } else { None };
        let message = if by_call && turn.event != E::ToolCallResult { None } else { self.id(MESSAGE_ID, facts) };
        match turn.event {
            E::TextMessageStart => self.start(Scope::Text, MESSAGE_ID, message, tag, turn),
            E::TextMessageContent => self.content(Scope::Text, MESSAGE_ID, message, tag, turn),
            E::TextMessageEnd => self.end(Scope::Text, MESSAGE_ID, message, tag, turn),
            E::ToolCallStart => self.start(Scope::Tool, TOOL_CALL_ID, call, tag, turn),
            E::ToolCallArgs => self.content(Scope::Tool, TOOL_CALL_ID, call, tag, turn),
            E::ToolCallEnd => self.end(Scope::Tool, TOOL_CALL_ID, call, tag, turn),
            E::ReasoningStart => self.start(Scope::Span, MESSAGE_ID, message, tag, turn),
            E::ReasoningEnd => self.end(Scope::Span, MESSAGE_ID, message, tag, turn),
            E::ReasoningMessageStart => self.start(Scope::Reasoning, MESSAGE_ID, message, tag, turn),
            E::ReasoningMessageContent => self.content(Scope::Reasoning, MESSAGE_ID, message, tag, turn),
            E::ReasoningMessageEnd => self.end(Scope::Reasoning, MESSAGE_ID, message, tag, turn),
            E::ToolCallResult => self.result(message, call, tag, turn),
            E::StepStarted => self.step_started(tag.unwrap_or(PARENT), turn),
            E::StepFinished => self.step_finished(tag.unwrap_or(PARENT), turn),
            E::RunStarted => self.run_started(turn),
            E::RunFinished => self.run_finished(turn),
            E::RunError => {
                if self.state == State::Finished {
                    turn.fault(&rules::RUN_ERROR_AFTER_FINISH, None, "RUN_ERROR comes after RUN_FINISHED".into());
                }
                self.state = State::Failed;
            }
            E::SubagentStarted => self.subagent_started(turn),
            E::SubagentFinished | E::SubagentError => self.subagent_ended(turn),
            E::MessagesSnapshot => self.seed(facts.raw_if(MESSAGES), true),
            E::ActivitySnapshot => self.activity_snapshot(message, tag, turn),
            E::ActivityDelta => self.activity_delta(message, tag, turn),
            E::ReasoningEncryptedValue => self.encrypted_value(tag, turn),
            E::StateSnapshot if self.strict && !turn.broken => self.texts.set_state(facts.raw_if(SNAPSHOT)),
            E::StateDelta
                if self.strict && !turn.broken && self.texts.patch_state(facts.raw_if(DELTA)) == Some(false) =>
            {
                turn.fault(
                    &rules::STATE_DELTA_NOT_APPLICABLE,
                    Some(DELTA),
                    "the patch does not apply to the state".into(),
                );
            }
            _ => {}
        }
    }

    /// Notes a tag that no subagent has announced, where subagents announce themselves.
    fn announce(&mut self, turn: &mut Turn<'_, '_, '_>) {
        use EventType::{SubagentError, SubagentFinished, SubagentStarted};
        if !self.strict {
            return;
        }
        if matches!(turn.event, SubagentStarted | SubagentFinished | SubagentError) {
            self.uses_subagents = true;
            return;
        }
        let Some(tag) = turn.facts.string(SUBAGENT_RUN_ID).filter(|_| self.uses_subagents) else { return };
        let key = self.key(&tag);
        if !self.subagents.contains(key) && !self.is_suspect(key) {
            let message = format!("no SUBAGENT_STARTED has announced {}", show(&tag));
            turn.fault(&rules::SUBAGENT_TAG_UNANNOUNCED, Some(SUBAGENT_RUN_ID), message);
        }
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
