//! The order of events: the official verifier's rules, then the stricter ones.
//!
//! Chunks are expanded on the way, retired events translated. After a fault the state is
//! mended so that one fault gives one finding.

use std::borrow::Cow;

use super::calls::Calls;
use super::chunks::{Chunk, Lanes, Opener, PARENT, Step};
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
    lanes: Lanes,
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
        use EventType as E;
        match turn.event {
            E::RunStarted | E::RunFinished | E::RunError | E::MessagesSnapshot => {
                while let Some(lane) = self.lanes.close_any() {
                    self.close(lane.scope, lane.id, turn);
                }
            }
            E::Raw | E::ActivitySnapshot | E::ActivityDelta | E::ReasoningEncryptedValue | E::SubagentStarted => {}
            _ => {
                if self.lanes.is_empty() {
                    return;
                }
                let owner = self.tag(turn.facts).unwrap_or(PARENT);
                if let Some(lane) = self.lanes.close(owner) {
                    self.close(lane.scope, lane.id, turn);
                }
            }
        }
    }

    fn chunk(&mut self, scope: Scope, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let id_slot = if scope == Scope::Tool { TOOL_CALL_ID } else { MESSAGE_ID };
        let hash = |slot| facts.string(slot).map(|text| self.key(&text));
        let opener = match scope {
            Scope::Text => Opener { first: hash(ROLE), second: hash(NAME) },
            Scope::Tool => Opener { first: hash(TOOL_CALL_NAME), second: hash(PARENT_MESSAGE_ID) },
            _ => Opener::default(),
        };
        let tag = self.tag(facts);
        let chunk = Chunk { scope, id: hash(id_slot), tag, opener, default_role: self.key("assistant") };
        let step = match self.lanes.take(chunk) {
            Ok(step) => step,
            Err(rule) => {
                let known = chunk.id.is_some_and(|id| self.is_suspect(id));
                if !known {
                    turn.fault(rule, Some(id_slot).filter(|_| chunk.id.is_some()), chunk_message(rule, turn.event));
                }
                self.suspect(chunk.id);
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

    fn suspect(&mut self, id: Option<u64>) {
        if let Some(id) = id {
            self.suspects.insert(id, ());
        }
    }

    /// Opens a message, call or span.
    fn start(&mut self, scope: Scope, slot: u8, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id else {
            self.excused[scope as usize] += 1;
            return;
        };
        let key = Self::scoped(scope as u8, id, 0);
        let owner_key = Self::scoped(scope.owned_as(), id, 0);
        let recorded = self.owners.get(owner_key).copied();
        let mut owner = recorded.or(tag).unwrap_or(PARENT);
        let name = turn.facts.string(slot).unwrap_or(Cow::Borrowed(""));
        let mut faulty = turn.broken || self.is_suspect(id);
        if !faulty && let Some(opened) = self.open.get(key) {
            let related =
                Related { message: "opened here".into(), event: Some(opened.event), location: opened.location };
            turn.fault_at(
                rules_of(scope).0,
                slot,
                format!("{} {} is open already", scope.noun(), show(&name)),
                Some(related),
            );
            faulty = true;
        }
        if !faulty && recorded.is_some() && tag.is_some() && tag != recorded {
            turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), owner_message(scope));
            faulty = true;
        }
        if scope == Scope::Tool {
            let parent = turn.facts.string(PARENT_MESSAGE_ID).map(|parent| self.key(&parent));
            let parent_owner =
                parent.and_then(|parent| self.owners.get(Self::scoped(Scope::Text as u8, parent, 0)).copied());
            if let Some(parent_owner) = parent_owner {
                let claimed = tag.or(recorded);
                if !faulty && claimed.is_some_and(|claimed| claimed != parent_owner) {
                    let message = "the call and its parent message have different owners".to_owned();
                    turn.fault(&rules::TOOL_PARENT_OWNER_MISMATCH, Some(PARENT_MESSAGE_ID), message);
                    faulty = true;
                }
                owner = recorded.or(tag).unwrap_or(parent_owner);
            }
            if self.strict && !faulty {
                let role = parent.and_then(|parent| self.messages.get(parent)).copied();
                if role.is_some_and(|role| role != Message::Assistant) {
                    let message = "parentMessageId names a message that is not the assistant's".to_owned();
                    turn.fault(&rules::PARENT_MESSAGE_NOT_ASSISTANT, Some(PARENT_MESSAGE_ID), message);
                }
            }
            self.calls.add(id, false);
        }
        if self.strict {
            self.reopening(scope, slot, id, faulty, turn);
        }
        if faulty {
            self.suspect(Some(id));
        }
        if recorded.is_none() {
            self.owners.insert(owner_key, owner);
        }
        self.open.insert(key, Opened { scope, id, event: turn.index(), location: turn.report.start() });
        if scope == Scope::Tool && self.strict {
            self.texts.begin(id);
        }
    }

    /// Whether an opener names something that was there before, and how it was then.
    fn reopening(&mut self, scope: Scope, slot: u8, id: u64, faulty: bool, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let hash = |slot| facts.string(slot).map_or(0, |text| self.key(&text));
        let opening = match scope {
            Scope::Text => {
                let role = facts.string(ROLE).unwrap_or(Cow::Borrowed("assistant"));
                Opening { first: self.key(&role), second: hash(NAME) }
            }
            Scope::Tool => Opening { first: hash(TOOL_CALL_NAME), second: 0 },
            _ => Opening { first: 0, second: 0 },
        };
        let key = Self::scoped(scope as u8, id, 0);
        match self.openings.get(key).copied() {
            Some(before) if before != opening && !faulty => {
                let what = if scope == Scope::Tool { "another toolCallName" } else { "another role or name" };
                turn.fault(
                    &rules::REOPEN_CHANGES_OPENER,
                    Some(slot),
                    format!("{} is opened again with {what}", scope.noun()),
                );
            }
            Some(_) if !faulty => {
                turn.fault(
                    &rules::REOPENED_ID,
                    Some(slot),
                    format!("{} was closed before and is opened again", scope.noun()),
                );
            }
            Some(_) => {}
            None => {
                self.openings.insert(key, opening);
            }
        }
        let message = match scope {
            Scope::Text if opening.first == self.key("assistant") => Message::Assistant,
            Scope::Text => Message::Other,
            Scope::Reasoning => Message::Reasoning,
            _ => return,
        };
        self.claim(id, slot, message, faulty, turn);
    }

    /// Notes what kind of message an id names; one id names one kind.
    fn claim(&mut self, id: u64, slot: u8, message: Message, faulty: bool, turn: &mut Turn<'_, '_, '_>) {
        let plain = |message| matches!(message, Message::Assistant | Message::Other);
        match self.messages.get(id).copied() {
            Some(before) if before != message && !(plain(before) && plain(message)) => {
                if !faulty {
                    let text = "the id names a message of another kind already".to_owned();
                    turn.fault(&rules::MESSAGE_ID_COLLISION, Some(slot), text);
                }
            }
            _ => {
                self.messages.insert(id, message);
            }
        }
    }

    /// Appends to an open message or call.
    fn content(&mut self, scope: Scope, slot: u8, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id else { return };
        self.use_open(scope, slot, id, tag, rules_of(scope).1, turn);
        self.collect(scope, id, turn);
    }

    fn collect(&mut self, scope: Scope, id: u64, turn: &Turn<'_, '_, '_>) {
        if scope == Scope::Tool
            && self.strict
            && let Some(delta) = turn.facts.string(DELTA)
        {
            self.texts.append(id, &delta);
        }
    }

    /// Closes a message, call or span.
    fn end(&mut self, scope: Scope, slot: u8, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id else { return };
        self.use_open(scope, slot, id, tag, rules_of(scope).2, turn);
        self.close(scope, id, turn);
    }

    fn close(&mut self, scope: Scope, id: u64, turn: &mut Turn<'_, '_, '_>) {
        self.open.remove(Self::scoped(scope as u8, id, 0));
        if scope == Scope::Tool && self.strict {
            let quiet = turn.broken || self.is_suspect(id);
            self.texts.finish(id, quiet, turn.report);
        }
    }

    /// What continues or ends something: it has to be open, and of the same owner.
    fn use_open(
        &mut self,
        scope: Scope,
        slot: u8,
        id: u64,
        tag: Option<u64>,
        rule: RuleRef,
        turn: &mut Turn<'_, '_, '_>,
    ) {
        if turn.broken {
            self.suspect(Some(id));
            return;
        }
        if self.is_suspect(id) {
            return;
        }
        if !self.open.contains(Self::scoped(scope as u8, id, 0)) {
            let excused = &mut self.excused[scope as usize];
            if *excused > 0 {
                *excused -= 1;
            } else {
                let name = turn.facts.string(slot).unwrap_or(Cow::Borrowed(""));
                turn.fault(rule, Some(slot), format!("no {} {} is open", scope.noun(), show(&name)));
            }
            self.suspect(Some(id));
            return;
        }
        if self.differs(scope.owned_as(), id, tag) {
            turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), owner_message(scope));
            self.suspect(Some(id));
        }
    }

    /// Whether a tag differs from the owner on record.
    fn differs(&self, kind: u8, id: u64, tag: Option<u64>) -> bool {
        tag.is_some_and(|tag| self.owners.get(Self::scoped(kind, id, 0)).is_some_and(|owner| *owner != tag))
    }

    fn thinking(&mut self, event: EventType, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        let fresh = matches!(event, E::ReasoningStart | E::ReasoningMessageStart);
        let span = matches!(event, E::ReasoningStart | E::ReasoningEnd);
        let stored = if span { self.thinking.0 } else { self.thinking.1 };
        let id = if fresh || stored == 0 {
            self.minted += 1;
            self.keys.of((7_u8, self.minted))
        } else {
            stored
        };
        if span {
            self.thinking.0 = id;
        } else {
            self.thinking.1 = id;
        }
        let scope = if span { Scope::Span } else { Scope::Reasoning };
        match event {
            E::ReasoningStart | E::ReasoningMessageStart => self.start(scope, MESSAGE_ID, Some(id), tag, turn),
            E::ReasoningMessageContent => self.content(scope, MESSAGE_ID, Some(id), tag, turn),
            _ => self.end(scope, MESSAGE_ID, Some(id), tag, turn),
        }
    }

    fn result(&mut self, message: Option<u64>, call: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        if let Some(message) = message {
            let key = Self::scoped(Scope::Text as u8, message, 0);
            self.owners.insert(key, tag.unwrap_or(PARENT));
            if self.strict {
                self.claim(message, MESSAGE_ID, Message::Other, turn.broken, turn);
            }
        }
        let Some(call) = call.filter(|_| self.strict) else { return };
        let was_known = self.calls.answer(call);
        if self.is_suspect(call) {
            return;
        }
        if !was_known {
            turn.fault(&rules::TOOL_RESULT_WITHOUT_CALL, Some(TOOL_CALL_ID), "no call of this id was started".into());
        } else if self.open.contains(Self::scoped(Scope::Tool as u8, call, 0)) {
            turn.fault(&rules::TOOL_RESULT_BEFORE_END, Some(TOOL_CALL_ID), "the call has not ended yet".into());
        }
    }

    fn step_started(&mut self, owner: u64, turn: &mut Turn<'_, '_, '_>) {
        let Some(name) = turn.facts.string(STEP_NAME) else { return };
        let id = self.key(&name);
        let key = Self::scoped(Scope::Step as u8, id, owner);
        if let Some(opened) = self.open.get(key) {
            if !self.is_suspect(id) {
                let related =
                    Related { message: "started here".into(), event: Some(opened.event), location: opened.location };
                turn.fault_at(
                    &rules::STEP_ALREADY_ACTIVE,
                    STEP_NAME,
                    format!("step {} is active", show(&name)),
                    Some(related),
                );
            }
            self.suspect(Some(id));
            return;
        }
        self.open.insert(key, Opened { scope: Scope::Step, id, event: turn.index(), location: turn.report.start() });
        if turn.broken {
            self.suspect(Some(id));
        }
    }

    fn step_finished(&mut self, owner: u64, turn: &mut Turn<'_, '_, '_>) {
        let Some(name) = turn.facts.string(STEP_NAME) else { return };
        let id = self.key(&name);
        if self.open.remove(Self::scoped(Scope::Step as u8, id, owner)).is_some() || self.is_suspect(id) {
            return;
        }
        let elsewhere = self.open.values().any(|opened| opened.scope == Scope::Step && opened.id == id);
        if elsewhere {
            let message = format!("step {} was started by another owner", show(&name));
            turn.fault(&rules::STEP_FINISHED_BY_OTHER_OWNER, Some(STEP_NAME), message);
            self.open.retain(|opened| !(opened.scope == Scope::Step && opened.id == id));
        } else {
            turn.fault(
                &rules::STEP_FINISHED_NOT_STARTED,
                Some(STEP_NAME),
                format!("step {} is not active", show(&name)),
            );
        }
        self.suspect(Some(id));
    }

    fn run_started(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let hash = |slot| facts.string(slot).map(|text| self.key(&text));
        let (thread, run) = (hash(THREAD_ID), hash(RUN_ID));
        self.open.clear();
        self.lanes.clear();
        self.suspects.clear();
        self.owners.clear();
        self.openings.clear();
        self.messages.clear();
        self.subagents.clear();
        self.calls.clear();
        self.texts.clear_calls();
        self.excused = [0; 6];
        self.state = State::Running;
        self.muted = false;
        self.assumed = false;
        self.run = thread.zip(run);
        if let Some(thread) = thread {
            if self.thread.is_some_and(|first| first != thread) {
                turn.fault(
                    &rules::SECOND_RUN_ON_ANOTHER_THREAD,
                    Some(THREAD_ID),
                    "the first run of the stream has another threadId".into(),
                );
            }
            self.thread.get_or_insert(thread);
        }
        if let Some(run) = run.filter(|_| self.strict)
            && self.runs.insert(run, ()).is_some()
        {
            turn.fault(&rules::RUN_ID_REUSED, Some(RUN_ID), "the runId was used before".into());
        }
        if facts.kind(INPUT) == FactKind::Object
            && let Ok(input) = Node::parse(facts.raw(INPUT), self.limits.depth)
            && let Some(messages) = input.get("messages")
        {
            let raw = &facts.raw(INPUT)[messages.span.clone()];
            self.seed(Some(raw), false);
        }
    }

    fn run_finished(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        if !turn.broken {
            let first = SCOPES.iter().find_map(|(scope, noun)| {
                let is_open = |opened: &&Opened| opened.scope == *scope && !self.suspects.contains(opened.id);
                let first = self.open.values().filter(is_open).min_by_key(|opened| opened.event)?;
                Some((noun, first.event, first.location, self.open.values().filter(is_open).count()))
            });
            if let Some((noun, event, location, count)) = first {
                let related = Related { message: "opened here".into(), event: Some(event), location };
                let message = match count {
                    1 => format!("the run finishes while a {noun} is open"),
                    _ => format!("the run finishes while {count} {noun}s are open"),
                };
                turn.fault_related(&rules::RUN_FINISHED_WITH_OPEN_SCOPE, message, related);
            }
        }
        if let Some((thread, run)) = self.run.filter(|_| self.strict) {
            let other = |slot, known| facts.string(slot).is_some_and(|text| self.key(&text) != known);
            if other(RUN_ID, run) {
                turn.fault(&rules::RUN_FINISHED_RUN_ID_MISMATCH, Some(RUN_ID), "RUN_STARTED had another runId".into());
            }
            if other(THREAD_ID, thread) {
                turn.fault(
                    &rules::RUN_FINISHED_THREAD_ID_MISMATCH,
                    Some(THREAD_ID),
                    "RUN_STARTED had another threadId".into(),
                );
            }
        }
        if self.strict
            && !turn.broken
            && facts.kind(OUTCOME) == FactKind::Object
            && let Ok(outcome) = Node::parse(facts.raw(OUTCOME), self.limits.depth)
        {
            self.outcome(&outcome, turn);
        }
        self.open.clear();
        self.state = State::Finished;
    }

    fn outcome(&mut self, outcome: &Node<'_>, turn: &mut Turn<'_, '_, '_>) {
        let mut ids = std::collections::HashSet::new();
        for interrupt in outcome.get("interrupts").map(Node::elements).unwrap_or_default() {
            let Some(id) = interrupt.get("id").and_then(Node::as_str) else { continue };
            if !ids.insert(id.clone().into_owned()) {
                turn.fault(
                    &rules::DUPLICATE_INTERRUPT_ID,
                    Some(OUTCOME),
                    format!("interrupt id {} comes twice", show(&id)),
                );
            }
        }
        let pending: Vec<u64> = outcome
            .get("pendingToolCallIds")
            .map(Node::elements)
            .unwrap_or_default()
            .iter()
            .filter_map(|id| id.as_str().map(|id| self.key(&id)))
            .collect();
        if !pending.is_empty() && !self.calls.unanswered().eq(pending.iter().copied()) {
            let message = "pendingToolCallIds are not the unanswered calls in call order".to_owned();
            turn.fault(&rules::PENDING_TOOL_CALLS_MISMATCH, Some(OUTCOME), message);
        }
    }

    fn subagent_started(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let Some(name) = facts.string(SUBAGENT_RUN_ID) else { return };
        let id = self.key(&name);
        let parent = facts.string(PARENT_SUBAGENT_RUN_ID).map(|parent| self.key(&parent));
        let quiet = turn.broken || self.is_suspect(id);
        match self.subagents.get(id).copied() {
            Some(true) if !quiet => {
                turn.fault(
                    &rules::SUBAGENT_ALREADY_ACTIVE,
                    Some(SUBAGENT_RUN_ID),
                    format!("subagent {} is active", show(&name)),
                );
                self.suspect(Some(id));
            }
            Some(false) if !quiet => {
                turn.fault(
                    &rules::SUBAGENT_ID_REUSED,
                    Some(SUBAGENT_RUN_ID),
                    format!("subagent {} has finished", show(&name)),
                );
                self.suspect(Some(id));
            }
            _ => {
                let orphan = parent.is_some_and(|parent| !self.subagents.contains(parent) && !self.is_suspect(parent));
                if orphan && !quiet {
                    let message = "parentSubagentRunId names no subagent that was started".to_owned();
                    turn.fault(&rules::SUBAGENT_PARENT_NOT_STARTED, Some(PARENT_SUBAGENT_RUN_ID), message);
                    self.suspect(Some(id));
                }
            }
        }
        if turn.broken {
            self.suspect(Some(id));
        }
        self.subagents.insert(id, true);
        let key = Self::scoped(Scope::Subagent as u8, id, 0);
        self.open
            .insert(key, Opened { scope: Scope::Subagent, id, event: turn.index(), location: turn.report.start() });
    }

    fn subagent_ended(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let Some(name) = turn.facts.string(SUBAGENT_RUN_ID) else { return };
        let id = self.key(&name);
        let active = self.subagents.get(id) == Some(&true);
        if !active && !self.is_suspect(id) {
            let message = format!("no subagent {} is active", show(&name));
            turn.fault(&rules::SUBAGENT_TERMINAL_WITHOUT_START, Some(SUBAGENT_RUN_ID), message);
            self.suspect(Some(id));
        }
        self.subagents.insert(id, false);
        self.open.remove(Self::scoped(Scope::Subagent as u8, id, 0));
    }

    /// Takes owners and calls from a list of messages.
    fn seed(&mut self, messages: Option<&str>, authoritative: bool) {
        let Some(Ok(messages)) = messages.map(|raw| Node::parse(raw, self.limits.depth)) else { return };
        for message in messages.elements() {
            let text = |name: &str| message.get(name).and_then(Node::as_str);
            let (Some(id), Some(role)) = (text("id"), text("role")) else { continue };
            let id = self.key(&id);
            let owner = text("subagentRunId").map_or(PARENT, |tag| self.keys.of((1_u8, tag)));
            let (kind, message_kind) = match &*role {
                "assistant" => (Scope::Text as u8, Message::Assistant),
                "developer" | "system" | "user" | "tool" => (Scope::Text as u8, Message::Other),
                "activity" => (ACTIVITY, Message::Activity),
                "reasoning" => (Scope::Reasoning as u8, Message::Reasoning),
                _ => continue,
            };
            self.record(kind, id, owner, authoritative);
            self.messages.insert(id, message_kind);
            for call in message.get("toolCalls").map(Node::elements).unwrap_or_default() {
                let Some(call_id) = call.get("id").and_then(Node::as_str) else { continue };
                let call_id = self.key(&call_id);
                self.record(Scope::Tool as u8, call_id, owner, authoritative);
                // Known, and nothing that this run has to answer.
                self.calls.add(call_id, true);
            }
        }
    }

    fn record(&mut self, kind: u8, id: u64, owner: u64, authoritative: bool) {
        let key = Self::scoped(kind, id, 0);
        if authoritative || !self.owners.contains(key) {
            self.owners.insert(key, owner);
        }
    }

    fn activity_snapshot(&mut self, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id else { return };
        let facts = turn.facts;
        let keeps = facts.raw_if(REPLACE) == Some("false");
        self.record(ACTIVITY, id, tag.unwrap_or(PARENT), !keeps);
        if self.strict {
            self.claim(id, MESSAGE_ID, Message::Activity, turn.broken, turn);
            if !turn.broken {
                self.texts.set_activity(id, facts.raw_if(CONTENT), keeps);
            }
        }
    }

    fn activity_delta(&mut self, id: Option<u64>, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let Some(id) = id.filter(|id| !turn.broken && !self.is_suspect(*id)) else { return };
        if self.differs(ACTIVITY, id, tag) {
            turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), "another owner has set the activity".into());
            self.suspect(Some(id));
        } else if self.strict && self.messages.get(id) != Some(&Message::Activity) {
            let message = "no ACTIVITY_SNAPSHOT has set this activity".to_owned();
            turn.fault(&rules::ACTIVITY_DELTA_WITHOUT_SNAPSHOT, Some(MESSAGE_ID), message);
            self.suspect(Some(id));
        } else if self.strict && self.texts.patch_activity(id, turn.facts.raw_if(PATCH)) == Some(false) {
            turn.fault(
                &rules::STATE_DELTA_NOT_APPLICABLE,
                Some(PATCH),
                "the patch does not apply to the activity".into(),
            );
        }
    }

    fn encrypted_value(&mut self, tag: Option<u64>, turn: &mut Turn<'_, '_, '_>) {
        let facts = turn.facts;
        let Some(id) = facts.string(ENTITY_ID).map(|id| self.key(&id)).filter(|id| !self.is_suspect(*id)) else {
            return;
        };
        let owner = |kind: u8| self.owners.get(Self::scoped(kind, id, 0)).copied();
        let owner = match facts.string(SUBTYPE).as_deref() {
            Some("tool-call") => owner(Scope::Tool as u8),
            _ => owner(Scope::Text as u8).or_else(|| owner(Scope::Reasoning as u8)),
        };
        match owner {
            None => turn.fault(
                &rules::ENCRYPTED_VALUE_UNKNOWN_ENTITY,
                Some(ENTITY_ID),
                "entityId names nothing seen in the run".into(),
            ),
            Some(owner) if tag.is_some_and(|tag| tag != owner) => {
                turn.fault(&rules::OWNER_MISMATCH, Some(SUBAGENT_RUN_ID), "another owner has opened the entity".into());
            }
            _ => {}
        }
    }
}

/// One event being taken in.
struct Turn<'t, 'f, 'r> {
    facts: &'t Facts<'f>,
    broken: bool,
    event: EventType,
    report: &'t mut Report<'r>,
}

impl Turn<'_, '_, '_> {
    fn index(&self) -> u64 {
        self.report.event.unwrap_or(0)
    }

    fn fault(&mut self, rule: RuleRef, slot: Option<u8>, message: String) {
        self.emit(rule, slot, message, None);
    }

    fn fault_at(&mut self, rule: RuleRef, slot: u8, message: String, related: Option<Related>) {
        self.emit(rule, Some(slot), message, related);
    }

    fn fault_related(&mut self, rule: RuleRef, message: String, related: Related) {
        self.emit(rule, None, message, Some(related));
    }

    fn emit(&mut self, rule: RuleRef, slot: Option<u8>, message: String, related: Option<Related>) {
        if self.broken {
            return;
        }
        let slot = slot.filter(|slot| self.facts.kind(*slot) != FactKind::Absent);
        let (path, span) = match slot {
            Some(slot) => (member_of(slot).map(Path::of).unwrap_or_default(), self.facts.span(slot)),
            None => (Path::default(), self.facts.tag_span("type")),
        };
        self.report.add_related(rule, &path, span, message, related);
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

/// The rules that an opener, a content and an end of the scope can break.
fn rules_of(scope: Scope) -> (RuleRef, RuleRef, RuleRef) {
    match scope {
        Scope::Text => {
            (&rules::TEXT_START_ALREADY_OPEN, &rules::TEXT_CONTENT_WITHOUT_START, &rules::TEXT_END_WITHOUT_START)
        }
        Scope::Tool => {
            (&rules::TOOL_START_ALREADY_OPEN, &rules::TOOL_ARGS_WITHOUT_START, &rules::TOOL_END_WITHOUT_START)
        }
        Scope::Span => (
            &rules::REASONING_START_ALREADY_OPEN,
            &rules::REASONING_END_WITHOUT_START,
            &rules::REASONING_END_WITHOUT_START,
        ),
        _ => (
            &rules::REASONING_MESSAGE_ALREADY_OPEN,
            &rules::REASONING_MESSAGE_WITHOUT_START,
            &rules::REASONING_MESSAGE_WITHOUT_START,
        ),
    }
}

fn owner_message(scope: Scope) -> String {
    format!("the {} belongs to another owner", scope.noun())
}

fn chunk_message(rule: RuleRef, event: EventType) -> String {
    let what = match rule.id {
        "agui/chunk-first-without-id" => "opens a stream without an id",
        "agui/chunk-first-without-tool-name" => "opens a call without toolCallName",
        "agui/chunk-ambiguous-lane" => "could continue the streams of several owners",
        "agui/chunk-owner-mismatch" => "names an id that is open under another owner",
        _ => "differs from the chunk that opened the stream",
    };
    format!("this {event} {what}")
}
