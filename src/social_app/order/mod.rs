//! The order of events on a connection: which run they belong to, and whether that run
//! may have them.

mod calls;
mod run;
mod steps;
mod turn;

use run::Run;
use turn::{Opened, Turn};

use super::event::EventType;
use super::facts::*;
use super::{Version, rules};
use crate::check::facts::Facts;
use crate::check::finding::Report;
use crate::check::history::{Bounded, Keys};
use crate::check::{Limits, Options, input_rules};
use crate::safe::show;
use crate::wire::path::Path;

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Order {
    keys: Keys,
    /// The run that the connection is for, if it is for one.
    subscribed: Option<u64>,
    /// The first run seen is the one that the connection is for.
    subscribes_first: bool,
    /// The beginning of a run may not be on this connection.
    resumed: bool,
    thread: Option<u64>,
    /// Threads that were reported.
    threads: Bounded<()>,
    runs: Bounded<Run>,
    /// The run of the event before.
    current: Option<u64>,
    /// Runs that may have been started by an event that could not be read.
    excused_runs: u32,
    /// How many events could not be read; runs that knew fewer may have lost one.
    losses: u64,
    lost_last: bool,
    budget: Budget,
    /// The last terminal on the connection was that of another run.
    ended_by_other: bool,
    forced: Option<Version>,
    shown: Option<Version>,
    told: bool,
}

/// What may still be remembered, over all runs.
#[derive(Debug)]
pub(super) struct Budget {
    calls: usize,
    bytes: usize,
    exhausted: bool,
}

impl Budget {
    /// Whether there is room for so many calls and bytes, which are taken.
    pub(super) fn take(&mut self, calls: usize, bytes: usize) -> bool {
        let fits = calls <= self.calls && bytes <= self.bytes;
        if fits {
            self.calls -= calls;
            self.bytes -= bytes;
        } else {
            self.exhausted = true;
        }
        fits
    }

    pub(super) fn give_back(&mut self, calls: usize, bytes: usize) {
        self.calls += calls;
        self.bytes += bytes;
    }
}

impl Order {
    pub(super) fn new(limits: Limits, forced: Option<Version>, options: &Options) -> Self {
        let keys = Keys::default();
        Self {
            subscribed: options.run_id.as_deref().map(|run| keys.of(run)),
            subscribes_first: options.run_id.is_none() && forced == Some(Version::V1),
            resumed: options.resumed,
            thread: None,
            threads: Bounded::new(limits.history),
            runs: Bounded::new(limits.history),
            current: None,
            excused_runs: 0,
            losses: 0,
            lost_last: false,
            budget: Budget { calls: limits.history, bytes: limits.text_bytes, exhausted: false },
            ended_by_other: false,
            forced,
            shown: None,
            told: false,
            keys,
        }
    }

    /// The version that the stream has shown, or is known to have.
    pub(super) fn version(&self) -> Option<Version> {
        self.forced.or(self.shown)
    }

    /// Takes in that an event could not be read: it may have been any of any run.
    pub(super) fn lost(&mut self) {
        self.lost_last = true;
        self.losses += 1;
        self.excused_runs = self.excused_runs.saturating_add(1);
    }

    pub(super) fn push(&mut self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let event = facts.tag().and_then(|at| EventType::ALL.get(at)).copied();
        self.lost_last = false;
        self.shown = self.shown.or_else(|| Version::shown_by(facts));
        self.thread(facts, report);
        // An event without a type may have been any.
        let is_typed = event.is_some() || (facts.is_string(TYPE) && facts.raw(TYPE) != "\"\"");
        let Some(run) = self.run_of(facts, event, is_typed) else { return };
        self.current = Some(run);
        if std::mem::take(&mut self.subscribes_first) {
            self.subscribed = Some(run);
        }
        let foreign = self.subscribed.is_some_and(|subscribed| subscribed != run);
        if matches!(event, Some(EventType::RunFinished | EventType::RunError)) {
            self.ended_by_other = foreign;
        }
        if foreign {
            let name = facts.string(RUN_ID).unwrap_or_default();
            let message = format!("{} is not the run of this connection", show(&name));
            report.add(&rules::RUN_ID_NOT_SUBSCRIBED, &Path::of("runId"), facts.span(RUN_ID), message);
            return;
        }
        if is_typed {
            self.in_run(&mut Turn { facts, event, run, report });
        } else {
            self.lost_last = true;
            match self.runs.get_mut(run) {
                Some(run) => run.lost(&mut self.budget),
                None => self.excused_runs = self.excused_runs.saturating_add(1),
            }
        }
        let forgot = self.runs.take_overflow() | self.threads.take_overflow() | self.budget.exhausted;
        if forgot && !std::mem::replace(&mut self.told, true) {
            let message = "older runs, calls and arguments are forgotten from here on; no longer guaranteed: the rules about order";
            report.add(&input_rules::HISTORY_LIMIT, &Path::default(), 0..1, message);
        }
    }

    /// The run of an event. One that does not say goes with the run of the connection, or
    /// that of the event before.
    fn run_of(&mut self, facts: &Facts<'_>, event: Option<EventType>, is_typed: bool) -> Option<u64> {
        if let Some(run) = facts.string(RUN_ID).filter(|run| !run.is_empty()) {
            return Some(self.keys.of(&*run));
        }
        if !is_typed {
            self.lost();
            return None;
        }
        if event == Some(EventType::RunStarted) {
            self.excused_runs = self.excused_runs.saturating_add(1);
            return None;
        }
        let run = self.subscribed.or(self.current)?;
        self.runs.get(run).is_some_and(|run| !run.has_ended()).then_some(run)
    }

    /// One thread a connection: another is reported once.
    fn thread(&mut self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let Some(thread) = facts.string(THREAD_ID).filter(|thread| !thread.is_empty()) else { return };
        let key = self.keys.of(&*thread);
        if *self.thread.get_or_insert(key) != key && self.threads.insert(key, ()).is_none() {
            let message = format!("{} is not the thread of the events before", show(&thread));
            report.add(&rules::THREAD_ID_CHANGED, &Path::of("threadId"), facts.span(THREAD_ID), message);
        }
    }

    fn in_run(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let starts = turn.event == Some(EventType::RunStarted);
        if self.runs.get(turn.run).is_none() {
            let excused = !starts && !self.resumed && self.excused_runs > 0;
            self.excused_runs -= u32::from(excused);
            let run = Run::new(turn.opened(turn.run), !starts, self.losses);
            if let Some(forgotten) = self.runs.insert_new(turn.run, run) {
                forgotten.end_calls(&mut self.budget);
            }
            if !starts && !self.resumed && !excused {
                turn.fault(&rules::FIRST_EVENT_NOT_RUN_STARTED, None, "the run has not been started".into());
            }
            if starts {
                return;
            }
        }
        let Some(run) = self.runs.get_mut(turn.run) else { return };
        run.know(self.losses, &mut self.budget);
        run.push(&self.keys, &mut self.budget, turn);
    }

    pub(super) fn finish(&mut self, report: &mut Report<'_>) {
        if self.lost_last {
            return;
        }
        let subscribed = self.subscribed.map(|run| self.runs.get(run));
        if self.ended_by_other && subscribed.is_some_and(|run| run.is_none_or(|run| !run.has_ended())) {
            let message = "the last run that ended is not that of this connection";
            report.add_at_end(&rules::ENDED_BY_OTHER_RUN, message, None);
            return;
        }
        let mut open: Vec<Opened> = self.runs.values().filter(|run| !run.has_ended()).map(|run| run.begun).collect();
        open.sort_by_key(|begun| begun.event);
        for begun in &open {
            let related = begun.related("the run began here");
            report.add_at_end(&rules::STREAM_WITHOUT_TERMINAL, "a run has no terminal event", Some(related));
        }
        if subscribed.is_some_and(|run| run.is_none()) {
            let message = "no event of the run of this connection has come";
            report.add_at_end(&rules::STREAM_WITHOUT_TERMINAL, message, None);
        }
    }
}
