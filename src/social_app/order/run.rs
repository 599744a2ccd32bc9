//! One run: begun, ended once, with nothing after its end.

use super::super::RunErrorCode;
use super::super::event::EventType;
use super::super::facts::{CODE, RUN_ID};
use super::super::rules;
use super::Budget;
use super::calls::Calls;
use super::steps::Steps;
use super::turn::{Opened, Turn};
use crate::check::history::Keys;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Terminal,
    Canceled,
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) begun: Opened,
    /// What came before, or in between, is not known.
    partial: bool,
    /// How many lost events the run has taken in.
    losses: u64,
    end: Option<End>,
    /// What comes after the end was reported.
    muted: bool,
    steps: Steps,
    calls: Calls,
    has_text: bool,
}

impl Run {
    pub(super) fn new(begun: Opened, partial: bool, losses: u64) -> Self {
        Self {
            begun,
            partial,
            losses,
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

    /// Takes in the events that were lost since the last one of the run.
    pub(super) fn know(&mut self, losses: u64, budget: &mut Budget) {
        if std::mem::replace(&mut self.losses, losses) != losses {
            self.lost(budget);
        }
    }

    /// What is open may have been closed by what was lost.
    pub(super) fn lost(&mut self, budget: &mut Budget) {
        self.partial = true;
        self.steps = Steps::default();
        std::mem::take(&mut self.calls).end(budget);
    }

    pub(super) fn end_calls(self, budget: &mut Budget) {
        self.calls.end(budget);
    }

    pub(super) fn push(&mut self, keys: &Keys, budget: &mut Budget, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        if let Some(end) = self.end {
            return self.after_end(end, turn);
        }
        match turn.event {
            Some(E::RunStarted) => self.started_again(turn),
            Some(E::StepStarted) => self.steps.start(keys, self.partial, turn),
            Some(E::StepFinished) => self.steps.finish(keys, self.partial, turn),
            Some(E::TextMessageEnd) => {
                if std::mem::replace(&mut self.has_text, true) {
                    turn.fault(&rules::TEXT_END_REPEATED, None, "the run has given an answer before".into());
                }
                self.calls.before_text(turn);
            }
            Some(E::ToolCallStart | E::ToolCallArgs | E::ToolCallEnd | E::ToolCallResult) => {
                self.calls.push(keys, self.partial, budget, turn);
            }
            Some(E::RunFinished | E::RunError) => self.terminal(budget, turn),
            _ => {}
        }
    }

    fn started_again(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let related = self.begun.related("the run was started here");
        turn.fault_at(&rules::RUN_STARTED_REPEATED, Some(RUN_ID), "the run was started before".into(), Some(related));
    }

    /// One finding for what comes after the end, and one for each second end. A run that
    /// is started again goes on from there.
    fn after_end(&mut self, end: End, turn: &mut Turn<'_, '_, '_>) {
        use EventType::{RunError, RunFinished, RunStarted};
        let muted = std::mem::replace(&mut self.muted, true);
        match (end, turn.event) {
            (End::Canceled, _) if muted => {}
            (End::Canceled, _) => turn.fault(&rules::CANCELED_MESSAGE, None, "the run was cancelled before".into()),
            (End::Terminal, Some(RunStarted)) => {
                self.started_again(turn);
                *self = Self::new(turn.opened(turn.run), false, self.losses);
            }
            (End::Terminal, Some(RunFinished | RunError)) => {
                self.muted = muted;
                turn.fault(&rules::TWO_TERMINALS, None, "the run has ended before".into());
            }
            (End::Terminal, _) if muted => {}
            (End::Terminal, _) => turn.fault(&rules::EVENT_AFTER_TERMINAL, None, "the run has ended before".into()),
        }
    }

    fn terminal(&mut self, budget: &mut Budget, turn: &mut Turn<'_, '_, '_>) {
        if turn.event == Some(EventType::RunFinished) {
            self.steps.at_end(turn);
            self.calls.at_end(turn);
            if !self.has_text && !self.partial {
                turn.fault(&rules::RUN_FINISHED_WITHOUT_TEXT, None, "the run has given no answer".into());
            }
        }
        let canceled = turn.event == Some(EventType::RunError)
            && turn.facts.string(CODE).is_some_and(|code| code == RunErrorCode::RunCanceled.as_str());
        self.end = Some(if canceled { End::Canceled } else { End::Terminal });
        self.steps = Steps::default();
        std::mem::take(&mut self.calls).end(budget);
    }
}
