//! One run: begun, ended once, with nothing after its end.

use super::super::events::event::EventType;
use super::super::events::names::RunErrorCode;
use super::super::facts::{CODE, MESSAGE_ID, RUN_ID};
use super::super::rules;
use super::calls::Calls;
use super::in_run::{Blank, InRun, Opened};
use super::memory::Memory;
use super::steps::Steps;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Terminal,
    Canceled,
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) begun: Opened,
    /// RUN_STARTED has come.
    started: bool,
    /// What came before, or in between, is not known.
    partial: bool,
    /// That RUN_STARTED has not come was reported.
    pub(super) is_stray: bool,
    /// It has ended before: what it repeats is no new fault.
    is_repeated: bool,
    /// How many lost events the run has taken in.
    losses: u64,
    /// The last event could not be read, and may have ended the run.
    may_have_ended: bool,
    /// An event of an unknown type has come, which explains one fault.
    forgives: Option<Blank>,
    events: u64,
    end: Option<End>,
    /// What comes after the end was reported.
    muted: bool,
    steps: Steps,
    calls: Calls,
    has_text: bool,
}

impl Run {
    pub(super) fn new(begun: Opened, started: bool, partial: bool, losses: u64) -> Self {
        Self {
            begun,
            started,
            partial,
            is_stray: false,
            is_repeated: false,
            losses,
            may_have_ended: false,
            forgives: None,
            events: 0,
            end: None,
            muted: false,
            steps: Steps::default(),
            calls: Calls::default(),
            has_text: false,
        }
    }

    pub(super) const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether the end may be among the events that could not be read, or nothing more is to
    /// be said of the run: it is one by a wrong id only, or has ended once.
    pub(super) fn may_have_ended(&self, losses: u64) -> bool {
        (self.is_stray && self.events < 2)
            || self.is_repeated
            || self.may_have_ended
            || self.forgives.is_some_and(Blank::may_end_run)
            || self.losses != losses
    }

    /// Takes in the events that were lost since the last one of the run.
    pub(super) fn know(&mut self, losses: u64, memory: &mut Memory) {
        if std::mem::replace(&mut self.losses, losses) != losses {
            self.lost(memory);
        }
        self.may_have_ended = false;
    }

    /// What is open may have been closed by what was lost.
    pub(super) fn lost(&mut self, memory: &mut Memory) {
        self.partial = true;
        self.may_have_ended = true;
        self.steps = Steps::default();
        std::mem::take(&mut self.calls).forget(memory);
    }

    /// An event of an unknown type may have been one of the protocol, under a wrong name.
    pub(super) fn forgive(&mut self, blank: Blank) {
        self.forgives = Some(blank);
    }

    pub(super) fn forget(self, memory: &mut Memory) {
        self.calls.forget(memory);
    }

    pub(super) fn push(&mut self, memory: &mut Memory, now: &mut InRun<'_, '_, '_, '_>) {
        use EventType as E;
        self.events += 1;
        now.forgives = self.forgives;
        match (self.end, now.event) {
            (Some(end), _) => self.after_end(end, now),
            (None, Some(E::RunStarted)) => self.start(now),
            (None, Some(E::StepStarted)) => self.steps.start(&memory.keys, self.partial, now),
            (None, Some(E::StepFinished)) => self.steps.finish(&memory.keys, self.partial, now),
            (None, Some(E::TextMessageEnd)) => self.text(memory, now),
            (None, Some(E::ToolCallStart | E::ToolCallArgs | E::ToolCallEnd | E::ToolCallResult)) => {
                self.calls.push(self.partial, memory, now);
            }
            (None, Some(E::RunFinished | E::RunError)) => self.terminal(memory, now),
            (None, _) => {}
        }
        self.forgives = now.forgives;
    }

    fn start(&mut self, now: &mut InRun<'_, '_, '_, '_>) {
        // The run was begun by this event, or by one that had to come later.
        if !std::mem::replace(&mut self.started, true) || self.begun.place.event == now.arrival.place().event {
            return;
        }
        let related = self.begun.related("the run was started here");
        now.fault_at(&rules::RUN_STARTED_REPEATED, Some(RUN_ID), "the run was started before".into(), Some(related));
    }

    /// One finding for what comes after the end, and one for each second end. A run that
    /// is started again goes on from there.
    fn after_end(&mut self, end: End, now: &mut InRun<'_, '_, '_, '_>) {
        use EventType::{RunError, RunFinished, RunStarted};
        let muted = std::mem::replace(&mut self.muted, true);
        match (end, now.event) {
            (End::Canceled, _) if muted => {}
            (End::Canceled, _) => now.fault(&rules::CANCELED_MESSAGE, None, "the run was cancelled before".into()),
            (End::Terminal, Some(RunStarted)) => {
                self.started = true;
                self.start(now);
                *self = Self::new(now.opened(now.run), true, false, self.losses);
                self.is_repeated = true;
            }
            (End::Terminal, Some(RunFinished | RunError)) => {
                self.muted = muted;
                now.fault(&rules::TWO_TERMINALS, None, "the run has ended before".into());
            }
            (End::Terminal, _) if muted => {}
            (End::Terminal, _) => now.fault(&rules::EVENT_AFTER_TERMINAL, None, "the run has ended before".into()),
        }
    }

    fn text(&mut self, memory: &mut Memory, now: &mut InRun<'_, '_, '_, '_>) {
        let id = now.facts.string(MESSAGE_ID).filter(|id| !id.is_empty());
        let id = id.map(|id| memory.keys.of(&*id));
        let known = id.is_some_and(|id| memory.answers.insert(id, ()).is_some());
        if std::mem::replace(&mut self.has_text, true) {
            now.fault(&rules::TEXT_END_REPEATED, None, "the run has given an answer before".into());
        } else if known && !self.is_repeated {
            now.fault(&rules::TEXT_END_REPEATED, Some(MESSAGE_ID), "the message was the answer of another run".into());
        }
        self.calls.before_text(now);
    }

    fn terminal(&mut self, memory: &mut Memory, now: &mut InRun<'_, '_, '_, '_>) {
        if now.event == Some(EventType::RunFinished) {
            self.steps.at_end(now);
            self.calls.at_end(now);
            if !self.has_text && !self.partial {
                now.fault(&rules::RUN_FINISHED_WITHOUT_TEXT, None, "the run has given no answer".into());
            }
        }
        let canceled = now.event == Some(EventType::RunError)
            && now.facts.string(CODE).is_some_and(|code| code == RunErrorCode::RunCanceled.as_str());
        self.end = Some(if canceled { End::Canceled } else { End::Terminal });
        self.steps = Steps::default();
        std::mem::take(&mut self.calls).forget(memory);
    }
}
