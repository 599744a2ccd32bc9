//! The order of events on a connection: which run they belong to, and whether that run
//! may have them.
//!
//! One fault gives one finding: what follows from an event that could not be read, or that
//! was reported already, is forgiven.

mod calls;
mod doubt;
mod memory;
mod run;
mod steps;
mod transport;

use std::collections::BTreeSet;

use doubt::Doubt;
use memory::{Memory, Unseen, name};
use run::Run;
use transport::Transport;

use super::events::event::EventType;
use super::facts::*;
use super::rules;
use super::version::Version;
use crate::agui;
use crate::check::Input;
use crate::check::facts::Facts;
use crate::check::history::Bounded;
use crate::check::order::{Arrival, Delivery, End, Order};
use crate::check::reporter::Reporter;
use crate::check::setup::Setup;
use crate::safe::show;
use crate::wire::path::Path;

/// The state of one connection.
pub(super) struct SocialOrder {
    transport: Transport,
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
    /// The runs that have not ended.
    open: BTreeSet<u64>,
    /// Runs that may have been started by an event that could not be read.
    excused_starts: u32,
    /// Runs that may have been ended by one.
    excused_ends: u32,
    /// How many events could not be read; runs that knew fewer may have lost one.
    losses: u64,
    memory: Memory,
    /// The last terminal on the connection was that of another run.
    ended_by_other: bool,
    /// Runs that are not that of the connection.
    foreign: Bounded<()>,
    forced: Option<Version>,
    shown: Option<Version>,
    events: u64,
    told: bool,
}

/// In how many runs what an event may have been is told apart.
const FEW: usize = 8;

/// What an event is to its run.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// What its type says; nothing if that is one of AG-UI's that this protocol does not send.
    Plain(Option<EventType>),
    /// Something else than its type says, or nothing that is known.
    Doubtful(Doubt),
}

impl Meaning {
    fn of(arrival: &Arrival<'_, '_, '_>, event: Option<EventType>) -> Self {
        let standard = || {
            let tag = arrival.facts.string(TYPE);
            tag.is_some_and(|tag| agui::EventType::from_tag(&tag).is_some())
        };
        if arrival.is_clean() && (event.is_some() || standard()) {
            Self::Plain(event)
        } else {
            Self::Doubtful(Doubt::of(arrival.tree))
        }
    }
}

impl SocialOrder {
    pub(super) fn new(setup: &Setup) -> Self {
        let (limits, forced) = (setup.limits, setup.version.and_then(|version| version.parse().ok()));
        let memory = Memory::new(limits);
        // A connection of v0 carries the runs of a thread.
        let run_id = setup.run_id.as_deref().filter(|_| forced != Some(Version::V0));
        Self {
            transport: Transport::default(),
            subscribed: run_id.map(|run| memory.scopes.key(run)),
            subscribes_first: run_id.is_none() && forced == Some(Version::V1),
            resumed: setup.resumed,
            thread: None,
            threads: Bounded::new(limits.history),
            runs: Bounded::new(limits.history),
            open: BTreeSet::new(),
            excused_starts: 0,
            excused_ends: 0,
            losses: 0,
            memory,
            foreign: Bounded::new(limits.history),
            ended_by_other: false,
            forced,
            shown: None,
            events: 0,
            told: false,
        }
    }

    /// The run of an event. One that does not say goes with the run of the connection, or
    /// with the only one that is open; else it may be of any.
    fn run_of(&mut self, facts: &Facts<'_>, event: Option<EventType>, typed: bool) -> Option<u64> {
        use EventType::{RunError, RunFinished, RunStarted};
        if let Some(run) = facts.string(RUN_ID).filter(|run| !run.is_empty()) {
            return Some(self.memory.scopes.key(&*run));
        }
        if event == Some(RunStarted) {
            self.excused_starts = self.excused_starts.saturating_add(1);
            return None;
        }
        let only = || self.open.first().copied().filter(|_| self.open.len() == 1);
        let run = self.subscribed.or_else(only);
        let run = run.filter(|run| typed && self.runs.get(*run).is_some_and(|run| !run.has_ended()));
        if run.is_none() {
            self.losses += 1;
            self.excused_starts = self.excused_starts.saturating_add(u32::from(event.is_none()));
            let ends = matches!(event, Some(RunFinished | RunError));
            self.excused_ends = self.excused_ends.saturating_add(u32::from(ends));
        }
        run
    }

    /// One thread a connection: another is reported once.
    fn thread(&mut self, facts: &Facts<'_>, report: &mut Reporter<'_>) {
        let Some(thread) = facts.string(THREAD_ID).filter(|thread| !thread.is_empty()) else { return };
        let key = self.memory.scopes.key(&*thread);
        if *self.thread.get_or_insert(key) != key && self.threads.insert(key, ()).is_none() {
            let message = format!("{} is not the thread of the events before", show(&thread));
            report.add(&rules::THREAD_ID_CHANGED, &Path::of("threadId"), facts.span(THREAD_ID), message);
        }
    }

    /// An event may have been of a run that is open, under a wrong id: that run lacks it then.
    fn lose(&mut self, event: Option<EventType>, arrival: &mut Arrival<'_, '_, '_>) {
        let Some(event) = event.filter(|_| self.open.len() <= FEW) else {
            self.losses += 1;
            return;
        };
        for key in &self.open {
            if let Some(run) = self.runs.get_mut(*key) {
                run.doubt(Doubt::of_type(event), &mut self.memory, arrival);
                if run.has_only_begun() {
                    // All that comes may be of it.
                    run.doubt(Doubt::Run, &mut self.memory, arrival);
                }
            }
        }
    }

    fn in_run(&mut self, key: u64, meaning: Meaning, arrival: &mut Arrival<'_, '_, '_>) {
        if self.runs.get(key).is_none() {
            self.begin(key, meaning, arrival);
        }
        let Some(run) = self.runs.get_mut(key) else { return };
        run.know(self.losses, &mut self.memory);
        if let Meaning::Plain(event) = meaning
            && run.has_finished()
        {
            match event {
                Some(EventType::RunStarted) => self.excused_starts = self.excused_starts.saturating_add(1),
                Some(EventType::RunFinished | EventType::RunError) if !self.open.is_empty() => {
                    self.excused_ends = self.excused_ends.saturating_add(1);
                }
                _ => self.lose(event, arrival),
            }
        }
        let Some(run) = self.runs.get_mut(key) else { return };
        let was_open = !run.has_ended();
        match meaning {
            Meaning::Plain(event) => run.push(event, &mut self.memory, arrival),
            Meaning::Doubtful(doubt) => run.doubt(doubt, &mut self.memory, arrival),
        }
        let is_open = !run.has_ended();
        if was_open && !is_open {
            self.open.remove(&key);
        } else if is_open && !was_open {
            self.open.insert(key);
        }
    }

    /// The first event of a run.
    fn begin(&mut self, key: u64, meaning: Meaning, arrival: &mut Arrival<'_, '_, '_>) {
        let starts = matches!(meaning, Meaning::Plain(Some(EventType::RunStarted)));
        let may_start = matches!(meaning, Meaning::Doubtful(Doubt::Run)) || self.excused_starts > 0;
        let excused = !starts && !self.resumed && may_start;
        self.excused_starts = self.excused_starts.saturating_sub(u32::from(excused));
        let faulty = !starts && !self.resumed && !excused;
        if faulty {
            let event = if let Meaning::Plain(event) = meaning { event } else { None };
            self.lose(event, arrival);
        }
        let unseen = Unseen { beginning: !starts && !excused, events: false };
        // One of the events that were lost was its start; the others may have been of it as well.
        let others = if excused { self.excused_starts.into() } else { 0 };
        let only = self.open.first().and_then(|key| self.runs.get(*key)).filter(|_| self.open.len() == 1);
        let only = only.filter(|open| show(open.label.id()) == open.label.id());
        let hint =
            only.map(|open| format!("if it is of run {0}, which is open, write {0}; else start its run", open.label));
        let label = name(RUN_ID, arrival);
        let mut run = Run::new(arrival.place(), label, key, starts, unseen, self.losses.saturating_sub(others));
        run.is_stray = faulty;
        self.open.insert(key);
        if let Some((oldest, forgotten)) = self.runs.insert_new(key, run) {
            self.open.remove(&oldest);
            forgotten.forget(&mut self.memory);
        }
        // An event of another thread is reported as such.
        let is_said = arrival.report.findings.iter().any(|finding| finding.rule == rules::THREAD_ID_CHANGED);
        if faulty && !is_said {
            let message = format!("run {label} has not been started");
            let before = arrival.report.findings.len();
            arrival.fault(&rules::FIRST_EVENT_NOT_RUN_STARTED, None, message);
            if let Some(added) = arrival.report.added(before) {
                added.hint = hint;
            }
        }
    }
}

impl Order for SocialOrder {
    fn delivers_plain(&self) -> bool {
        false
    }

    fn deliver(&mut self, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        self.transport.deliver(input, report)
    }

    fn era(&self) -> u8 {
        Version::era(self.forced.or(self.shown))
    }

    fn lost(&mut self) {
        self.events += 1;
        self.losses += 1;
        self.excused_starts = self.excused_starts.saturating_add(1);
    }

    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if self.transport.is_dropped() {
            return;
        }
        let facts = arrival.facts;
        self.events += 1;
        let event = facts.type_in(EventType::ALL).filter(|_| arrival.is_clean());
        if event.is_some() {
            self.shown = self.shown.or_else(|| Version::shown_by(facts));
        }
        let typed = facts.tag().is_some() || facts.string(TYPE).is_some_and(|tag| !tag.is_empty());
        let Some(run) = self.run_of(facts, event, typed) else { return };
        if std::mem::take(&mut self.subscribes_first) {
            self.subscribed = Some(run);
        }
        let foreign = self.subscribed.is_some_and(|subscribed| subscribed != run);
        if matches!(event, Some(EventType::RunFinished | EventType::RunError)) {
            self.ended_by_other = foreign;
        }
        if foreign {
            if self.foreign.insert(run, ()).is_none() {
                self.lose(event, arrival);
                let name = facts.string(RUN_ID).unwrap_or_default();
                let message =
                    format!("{} is not the run of this connection; said once for each other run", show(&name));
                arrival.report.add(&rules::RUN_ID_NOT_SUBSCRIBED, &Path::of("runId"), facts.span(RUN_ID), message);
            }
            return;
        }
        self.thread(facts, arrival.report);
        let meaning = Meaning::of(arrival, event);
        self.in_run(run, meaning, arrival);
        let forgot = self.runs.take_overflow()
            | self.foreign.take_overflow()
            | self.threads.take_overflow()
            | self.memory.has_forgotten();
        if forgot && !std::mem::replace(&mut self.told, true) {
            arrival.report.forgotten("older runs, calls and arguments", "the rules about order");
        }
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        let subscribed = self.subscribed.map(|run| self.runs.get(run));
        if self.subscribed.is_some() && self.runs.is_empty() && !self.foreign.is_empty() {
            // Each of the other runs was reported.
            return;
        }
        if self.ended_by_other && subscribed.is_some_and(|run| run.is_none_or(|run| !run.has_ended())) {
            let message = "the last run that ended is not that of this connection";
            report.add_at_end(&rules::ENDED_BY_OTHER_RUN, message, None);
            return;
        }
        let is_open = |run: &&Run| !run.has_ended() && !run.may_have_ended(self.losses);
        let mut open: Vec<&Run> = self.runs.values().filter(is_open).collect();
        open.sort_unstable_by_key(|run| run.begun.event);
        let open = open.get(self.excused_ends as usize..).unwrap_or_default();
        if let [first, others @ ..] = open {
            let message = match others.len() {
                0 => format!("run {} has no terminal event", first.label),
                others => format!("{} runs have no terminal event, the first of them {}", others + 1, first.label),
            };
            let related = first.begun.related("the run began here");
            report.add_at_end(&rules::STREAM_WITHOUT_TERMINAL, message, Some(related));
        }
        let never_seen = subscribed.is_some_and(|run| run.is_none());
        if never_seen && self.events > 0 && self.losses == 0 {
            let message = "no event of the run of this connection has come";
            report.add_at_end(&rules::STREAM_WITHOUT_TERMINAL, message, None);
        }
    }
}
