//! One run: begun, ended once, with nothing after its end.

use super::super::events::event::EventType;
use super::super::events::names::RunErrorCode;
use super::super::facts::{CODE, MESSAGE_ID, RUN_ID};
use super::super::rules;
use super::calls::Calls;
use super::doubt::Doubt;
use super::memory::{ANSWER, CALL, InRun, Memory, STEP, Unseen, name, unnamed};
use super::steps::Steps;
use crate::check::order::{Arrival, Place};
use crate::safe::Label;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Terminal,
    Canceled,
}

pub(super) struct Run {
    pub(super) begun: Place,
    pub(super) label: Label,
    /// The group of its scopes.
    group: u64,
    /// RUN_STARTED has come.
    started: bool,
    unseen: Unseen,
    /// Whether the missing RUN_STARTED was reported.
    pub(super) is_stray: bool,
    /// It has ended before, which was reported: what it repeats is no new fault.
    is_repeated: bool,
    /// How many lost events the run has taken in.
    losses: u64,
    /// The last event may have ended the run.
    may_have_ended: bool,
    /// An event may have been its answer.
    may_have_text: bool,
    events: u64,
    end: Option<End>,
    /// Whether an event after the end was reported, and whether an end has come behind it.
    muted: bool,
    ended_again: bool,
    steps: Steps,
    calls: Calls,
    has_text: bool,
}

/// A run explains so many lost events at most.
const EXPLAINED: u64 = 64;

impl Run {
    pub(super) fn new(begun: Place, label: Label, group: u64, started: bool, unseen: Unseen, losses: u64) -> Self {
        Self {
            begun,
            label,
            group,
            started,
            unseen,
            is_stray: false,
            is_repeated: false,
            losses,
            may_have_ended: false,
            may_have_text: false,
            events: 0,
            end: None,
            muted: false,
            ended_again: false,
            steps: Steps::default(),
            calls: Calls::default(),
            has_text: false,
        }
    }

    pub(super) const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether it has ended other than by being cancelled.
    pub(super) fn has_finished(&self) -> bool {
        self.end == Some(End::Terminal)
    }

    pub(super) const fn has_only_begun(&self) -> bool {
        self.events < 2
    }

    /// Whether its end is nothing to ask for: it may be among the events that could not be
    /// read, or the run is one by a wrong id only, or had an end before.
    pub(super) const fn may_have_ended(&self, losses: u64) -> bool {
        (self.is_stray && self.has_only_begun()) || self.may_have_ended || self.is_repeated || self.losses != losses
    }

    const fn here(&self) -> InRun {
        InRun { group: self.group, unseen: self.unseen }
    }

    /// Takes in the events that were lost since the last one of the run: each may have opened
    /// or closed something.
    pub(super) fn know(&mut self, losses: u64, memory: &mut Memory) {
        let lost = std::mem::replace(&mut self.losses, losses);
        self.may_have_ended = false;
        for _ in 0..losses.saturating_sub(lost).min(EXPLAINED) {
            self.unseen.events = true;
            memory.scopes.lost(self.group);
            for kind in [STEP, CALL, ANSWER] {
                memory.scopes.stray(&unnamed(kind, self.group));
            }
        }
    }

    /// Takes in an event that may have been another: what could follow from that is forgiven,
    /// and nothing else.
    pub(super) fn doubt(&mut self, doubt: Doubt, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let here = self.here();
        match doubt {
            Doubt::Run => self.may_have_ended = true,
            Doubt::Text => self.may_have_text = true,
            Doubt::Step => self.steps.doubt(here, memory, arrival),
            Doubt::Call => self.calls.doubt(here, memory, arrival),
            Doubt::Result => memory.scopes.stray(&unnamed(ANSWER, self.group)),
        }
    }

    pub(super) fn forget(self, memory: &mut Memory) {
        memory.scopes.end(self.group);
        self.calls.forget(memory);
    }

    pub(super) fn push(&mut self, event: Option<EventType>, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType as E;
        self.events += 1;
        let here = self.here();
        match (self.end, event) {
            (Some(end), _) => self.after_end(end, event, memory, arrival),
            (None, Some(E::RunStarted)) => self.start(memory, arrival),
            (None, Some(E::StepStarted)) => self.steps.start(here, memory, arrival),
            (None, Some(E::StepFinished)) => self.steps.finish(here, memory, arrival),
            (None, Some(E::TextMessageEnd)) => self.text(memory, arrival),
            (None, Some(event @ (E::ToolCallStart | E::ToolCallArgs | E::ToolCallEnd | E::ToolCallResult))) => {
                if self.calls.push(event, here, memory, arrival) {
                    self.steps.before_call(here, memory, arrival);
                }
            }
            (None, Some(event @ (E::RunFinished | E::RunError))) => self.terminal(event, memory, arrival),
            (None, _) => {}
        }
    }

    fn start(&mut self, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        if self.begun.event == arrival.place().event {
            return;
        }
        if self.is_misplaced() {
            self.begin_anew(Unseen { beginning: true, events: false }, memory, arrival);
        } else if std::mem::replace(&mut self.started, true) {
            self.repeated(arrival);
        }
    }

    /// What came is reported, as it has no start: it may be of another run, or come again.
    const fn is_misplaced(&self) -> bool {
        self.is_stray && !self.started
    }

    fn repeated(&self, arrival: &mut Arrival<'_, '_, '_>) {
        let related = self.begun.related("the run was started here");
        let message = format!("run {} was started before", self.label);
        arrival.fault_related(&rules::RUN_STARTED_REPEATED, Some(RUN_ID), message, Some(related));
    }

    /// Goes on as a run of which nothing has come, and whose end is not asked for. Its ids come a
    /// second time, and are others.
    fn begin_anew(&mut self, unseen: Unseen, memory: &mut Memory, arrival: &Arrival<'_, '_, '_>) {
        let group = self.group.wrapping_add(1);
        let anew = Self::new(arrival.place(), self.label, group, true, unseen, self.losses);
        std::mem::replace(self, Self { is_repeated: true, ..anew }).forget(memory);
    }

    /// One finding for what comes after the end, with the end that follows from it, and one for
    /// each other end. A run that is started again goes on from there.
    fn after_end(
        &mut self,
        end: End,
        event: Option<EventType>,
        memory: &mut Memory,
        arrival: &mut Arrival<'_, '_, '_>,
    ) {
        use EventType::{RunError, RunFinished, RunStarted};
        let muted = std::mem::replace(&mut self.muted, true);
        let has_ended = || {
            let what = event.map_or("an event", |event| event.as_str());
            format!("{what} comes after the end of run {}", self.label)
        };
        match (end, event) {
            (End::Canceled, _) if muted => {}
            (End::Canceled, _) => {
                let message = format!("run {} was cancelled before", self.label);
                arrival.fault(&rules::CANCELED_MESSAGE, None, message);
            }
            (End::Terminal, Some(RunStarted)) => {
                let is_misplaced = self.is_misplaced();
                if !is_misplaced {
                    self.repeated(arrival);
                }
                self.begin_anew(Unseen { beginning: is_misplaced, events: false }, memory, arrival);
            }
            (End::Terminal, Some(RunFinished | RunError)) if muted && !self.ended_again => self.ended_again = true,
            (End::Terminal, Some(RunFinished | RunError)) => {
                arrival.fault(&rules::TWO_TERMINALS, None, has_ended());
                self.muted = muted;
            }
            (End::Terminal, _) if muted => {}
            (End::Terminal, _) => arrival.fault(&rules::EVENT_AFTER_TERMINAL, None, has_ended()),
        }
    }

    fn text(&mut self, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let id = arrival.facts.string(MESSAGE_ID).filter(|id| !id.is_empty());
        let id = id.map(|id| memory.scopes.key(&*id));
        let known = id.is_some_and(|id| memory.answers.insert(id, ()).is_some());
        if std::mem::replace(&mut self.has_text, true) {
            let message = format!("run {} has given an answer before", self.label);
            arrival.fault(&rules::TEXT_END_REPEATED, None, message);
        } else if known && !self.is_repeated {
            let message = format!("message {} was the answer of another run", name(MESSAGE_ID, arrival));
            arrival.fault(&rules::TEXT_END_REPEATED, Some(MESSAGE_ID), message);
        }
        let here = self.here();
        self.steps.before_text(here, memory, arrival);
        self.calls.before_text(here, memory, arrival);
    }

    fn terminal(&mut self, event: EventType, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        if event == EventType::RunFinished {
            let open = memory.scopes.unclosed(self.group);
            Steps::at_end(&open, arrival);
            self.calls.at_end(&open, arrival);
            let has_text = self.has_text || self.may_have_text;
            if !has_text && !self.unseen.is_any() {
                let message = format!("run {} has given no answer", self.label);
                arrival.fault(&rules::RUN_FINISHED_WITHOUT_TEXT, None, message);
            }
        }
        let canceled = event == EventType::RunError
            && arrival.facts.string(CODE).is_some_and(|code| code == RunErrorCode::RunCanceled.as_str());
        self.end = Some(if canceled { End::Canceled } else { End::Terminal });
        memory.scopes.end(self.group);
        std::mem::take(&mut self.calls).forget(memory);
    }
}
