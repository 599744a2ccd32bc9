//! The order of events: which run they belong to, and how steps, calls and the answer of a
//! run follow each other.

use super::event::EventType;
use super::facts::*;
use super::{StepName, Version, rules, tools};
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Report;
use crate::check::history::{Bounded, Keys};
use crate::check::rule::RuleRef;
use crate::check::{Limits, Options, Related, input_rules};
use crate::safe::show;
use crate::wire::Json;
use crate::wire::path::Path;
use crate::wire::span::Location;

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
    /// The last event could not be read.
    lost_last: bool,
    /// The run of the event before.
    current: Option<u64>,
    /// Runs that were started without a readable id: each excuses one.
    excused_runs: u32,
    thread: Option<u64>,
    /// Threads that were reported.
    threads: Bounded<()>,
    runs: Bounded<Run>,
    calls: Bounded<Call>,
    /// The last terminal on the connection was that of another run.
    ended_by_other: bool,
    forced: Option<Version>,
    shown: Option<Version>,
    told: bool,
}

/// Where something was opened.
#[derive(Clone, Copy, Debug)]
struct Opened {
    key: u64,
    event: Option<u64>,
    location: Location,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Terminal,
    Canceled,
}

#[derive(Debug)]
struct Run {
    begun: Opened,
    /// It was joined in the middle: what came before is not known.
    partial: bool,
    end: Option<End>,
    /// What comes after the end was reported.
    muted: bool,
    router_finished: bool,
    steps: Vec<Step>,
    /// Steps and calls whose openers had no readable name: each excuses one.
    excused_steps: u32,
    excused_calls: u32,
    has_calls: bool,
    open_calls: usize,
    has_text: bool,
}

/// An open step of a run.
#[derive(Clone, Copy, Debug)]
struct Step {
    begun: Opened,
    is_router: bool,
    /// That it is open was reported.
    told: bool,
}

/// A tool call of a run.
#[derive(Clone, Debug)]
struct Call {
    run: u64,
    begun: Opened,
    tool: Option<Box<str>>,
    /// The arguments as they were written.
    args: Option<Box<str>>,
    ended: bool,
    answered: bool,
    /// That it is open was reported.
    told: bool,
    /// Something about it was reported, or its start is missing: nothing more is.
    suspect: bool,
}

impl Order {
    pub(super) fn new(limits: Limits, forced: Option<Version>, options: &Options) -> Self {
        let keys = Keys::default();
        Self {
            subscribed: options.run_id.as_deref().map(|run| keys.of(run)),
            subscribes_first: options.run_id.is_none() && forced == Some(Version::V1),
            resumed: options.resumed,
            lost_last: false,
            current: None,
            excused_runs: 0,
            thread: None,
            threads: Bounded::new(limits.history),
            runs: Bounded::new(limits.history),
            calls: Bounded::new(limits.history),
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
        self.resumed = true;
        self.runs.values_mut().for_each(Run::lost);
        self.calls.values_mut().for_each(|call| call.suspect = true);
    }

    pub(super) fn push(&mut self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let event = facts.tag().and_then(|at| EventType::ALL.get(at)).copied();
        self.lost_last = false;
        self.shown = self.shown.or_else(|| Version::shown_by(facts));
        self.thread(facts, report);
        // An event without a type may have been any.
        if event.is_none() && !(facts.is_string(TYPE) && facts.raw(TYPE) != "\"\"") {
            return self.lost();
        }
        let Some(run) = self.run_of(facts, event) else { return };
        self.current = Some(run);
        if std::mem::take(&mut self.subscribes_first) {
            self.subscribed = Some(run);
        }
        let terminal = matches!(event, Some(EventType::RunFinished | EventType::RunError));
        if terminal {
            self.ended_by_other = self.subscribed.is_some_and(|subscribed| subscribed != run);
        }
        if self.subscribed.is_some_and(|subscribed| subscribed != run) {
            let name = facts.string(RUN_ID).unwrap_or_default();
            let message = format!("{} is not the run of this connection", show(&name));
            report.add(&rules::RUN_ID_NOT_SUBSCRIBED, &Path::of("runId"), facts.span(RUN_ID), message);
            return;
        }
        let mut turn = Turn { facts, event, run, report };
        self.in_run(&mut turn);
        let forgot = self.runs.take_overflow() | self.calls.take_overflow() | self.threads.take_overflow();
        if forgot && !std::mem::replace(&mut self.told, true) {
            let message =
                "older runs and calls are forgotten from here on; no longer guaranteed: the rules about order";
            report.add(&input_rules::HISTORY_LIMIT, &Path::default(), 0..1, message);
        }
    }

    /// The run of an event. One that does not say goes with the run of the connection, or
    /// that of the event before.
    fn run_of(&mut self, facts: &Facts<'_>, event: Option<EventType>) -> Option<u64> {
        if let Some(run) = facts.string(RUN_ID).filter(|run| !run.is_empty()) {
            return Some(self.keys.of(&*run));
        }
        if event == Some(EventType::RunStarted) {
            self.excused_runs += 1;
            return None;
        }
        let run = self.subscribed.or(self.current)?;
        self.runs.get(run).is_some_and(|run| run.end.is_none()).then_some(run)
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
        use EventType as E;
        let begun = turn.opened(turn.run);
        if self.runs.get(turn.run).is_none() {
            let starts = turn.event == Some(E::RunStarted);
            let excused = !starts && self.excused_runs > 0;
            self.excused_runs -= u32::from(excused);
            self.runs.insert(turn.run, Run::new(begun, !starts && !excused));
            if !starts && !excused && !self.resumed {
                turn.fault(&rules::FIRST_EVENT_NOT_RUN_STARTED, None, "the run has not been started".into());
            }
            if starts {
                return;
            }
        } else if turn.event == Some(E::RunStarted) {
            return self.started_again(turn);
        }
        let Some(run) = self.runs.get_mut(turn.run) else { return };
        if let Some(end) = run.end {
            return run.after_end(end, turn);
        }
        match turn.event {
            Some(E::StepStarted) => run.step_started(&self.keys, turn),
            Some(E::StepFinished) => run.step_finished(&self.keys, turn),
            Some(E::TextMessageEnd) => self.text_end(turn),
            Some(E::ToolCallStart | E::ToolCallArgs | E::ToolCallEnd | E::ToolCallResult) => self.call(turn),
            Some(E::RunFinished | E::RunError) => self.terminal(turn),
            _ => {}
        }
    }

    fn started_again(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let fresh = Run::new(turn.opened(turn.run), false);
        let Some(run) = self.runs.get_mut(turn.run) else { return };
        if run.end == Some(End::Canceled) {
            return run.after_end(End::Canceled, turn);
        }
        let related = run.begun.related("the run was started here");
        turn.fault_at(&rules::RUN_STARTED_REPEATED, Some(RUN_ID), "the run was started before".into(), Some(related));
        if run.end.is_some() {
            *run = fresh;
            self.calls.retain(|call| call.run != turn.run);
        }
    }

    fn terminal(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let Some(run) = self.runs.get_mut(turn.run) else { return };
        if turn.event == Some(EventType::RunFinished) {
            for step in run.steps.iter().filter(|step| !step.told) {
                let related = step.begun.related("the step was started here");
                turn.fault_at(&rules::STEP_LEFT_OPEN, None, "a step is open".into(), Some(related));
            }
            if run.open_calls > 0 {
                let id = turn.run;
                for call in self.calls.values().filter(|call| call.run == id && call.is_open() && !call.told) {
                    let related = call.begun.related("the call was started here");
                    turn.fault_at(&rules::TOOL_LEFT_OPEN, None, "a tool call has no result".into(), Some(related));
                }
            }
            if !run.has_text && !run.partial {
                turn.fault(&rules::RUN_FINISHED_WITHOUT_TEXT, None, "the run has given no answer".into());
            }
        }
        let canceled = turn.facts.string(CODE).is_some_and(|code| code == super::RunErrorCode::RunCanceled.as_str());
        let canceled = canceled && turn.event == Some(EventType::RunError);
        run.end = Some(if canceled { End::Canceled } else { End::Terminal });
        run.steps = Vec::new();
        self.calls.retain(|call| call.run != turn.run);
    }

    fn text_end(&mut self, turn: &mut Turn<'_, '_, '_>) {
        let Some(run) = self.runs.get_mut(turn.run) else { return };
        if std::mem::replace(&mut run.has_text, true) {
            turn.fault(&rules::TEXT_END_REPEATED, None, "the run has given an answer before".into());
        }
        if run.open_calls > 0 {
            turn.fault(&rules::TEXT_END_BEFORE_TOOL_RESULT, None, "a tool call has no result yet".into());
            let id = turn.run;
            self.calls.values_mut().filter(|call| call.run == id).for_each(|call| call.told = true);
        }
    }

    fn call(&mut self, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        let Some(run) = self.runs.get_mut(turn.run) else { return };
        let starts = turn.event == Some(E::ToolCallStart);
        run.has_calls |= starts;
        let answers = turn.event == Some(E::ToolCallResult);
        let Some(slot) = turn.event.and_then(call_id_slot) else { return };
        let Some(id) = turn.facts.string(slot).filter(|id| !id.is_empty()) else {
            run.excused_calls += u32::from(starts);
            if matches!(turn.event, Some(E::ToolCallEnd | E::ToolCallResult)) {
                self.excuse_oldest(answers, turn.run);
            }
            return;
        };
        let key = self.keys.of((turn.run, &*id));
        let tool = turn.facts.string(if answers { TOOL_NAME } else { TOOL_CALL_NAME }).map(|name| name.as_ref().into());
        let begun = turn.opened(key);
        let new =
            Call { run: turn.run, begun, tool, args: None, ended: false, answered: false, told: false, suspect: false };
        let Some(call) = self.calls.get_mut(key) else {
            if starts {
                run.open_calls += 1;
                self.calls.insert(key, new);
                return;
            }
            let excused = run.partial || run.excused_calls > 0;
            run.excused_calls = run.excused_calls.saturating_sub(1);
            // Clients that are shown results alone have seen no call start.
            let expected = !answers || run.has_calls;
            if !excused && expected {
                let rule = match turn.event {
                    Some(E::ToolCallArgs) => &rules::TOOL_ARGS_WITHOUT_START,
                    Some(E::ToolCallEnd) => &rules::TOOL_END_WITHOUT_START,
                    _ => &rules::TOOL_RESULT_WITHOUT_CALL,
                };
                turn.fault(rule, Some(slot), format!("no tool call {} was started", show(&id)));
            }
            self.calls.insert(key, Call { suspect: excused || expected, answered: answers, ended: true, ..new });
            return;
        };
        let was_open = call.is_open();
        call.take(new.tool.as_deref(), slot, turn);
        if was_open && !call.is_open() {
            run.open_calls -= 1;
        }
    }

    /// An end or a result that does not say of which call: the oldest that lacks it.
    fn excuse_oldest(&mut self, answers: bool, id: u64) {
        let lacks = |call: &&mut Call| call.run == id && call.is_open() && (answers || !call.ended);
        let Some(call) = self.calls.values_mut().filter(lacks).min_by_key(|call| call.begun.event) else { return };
        call.ended = true;
        if answers {
            call.answered = true;
            self.runs.get_mut(id).into_iter().for_each(|run| run.open_calls -= 1);
        }
    }

    pub(super) fn finish(&mut self, report: &mut Report<'_>) {
        if self.lost_last {
            return;
        }
        if self.ended_by_other {
            let message = "the last run that ended is not that of this connection";
            report.add_at_end(&rules::ENDED_BY_OTHER_RUN, message, None);
            return;
        }
        let mut open: Vec<Opened> = self.runs.values().filter(|run| run.end.is_none()).map(|run| run.begun).collect();
        open.sort_by_key(|begun| begun.event);
        for begun in &open {
            let related = begun.related("the run began here");
            report.add_at_end(&rules::STREAM_WITHOUT_TERMINAL, "a run has no terminal event", Some(related));
        }
        if self.subscribed.is_some_and(|run| self.runs.get(run).is_none()) {
            let message = "no event of the run of this connection has come";
            report.add_at_end(&rules::STREAM_WITHOUT_TERMINAL, message, None);
        }
    }
}

impl Run {
    const fn new(begun: Opened, partial: bool) -> Self {
        Self {
            begun,
            partial,
            end: None,
            muted: false,
            router_finished: false,
            steps: Vec::new(),
            excused_steps: 0,
            excused_calls: 0,
            has_calls: false,
            open_calls: 0,
            has_text: false,
        }
    }

    /// One finding for what comes after the end, and one for each second end.
    fn after_end(&mut self, end: End, turn: &mut Turn<'_, '_, '_>) {
        let terminal = matches!(turn.event, Some(EventType::RunFinished | EventType::RunError));
        let muted = std::mem::replace(&mut self.muted, true);
        match end {
            End::Canceled if muted => {}
            End::Canceled => turn.fault(&rules::CANCELED_MESSAGE, None, "the run was cancelled before".into()),
            End::Terminal if terminal => {
                self.muted = muted;
                turn.fault(&rules::TWO_TERMINALS, None, "the run has ended before".into());
            }
            End::Terminal if muted => {}
            End::Terminal => turn.fault(&rules::EVENT_AFTER_TERMINAL, None, "the run has ended before".into()),
        }
    }

    fn step_started(&mut self, keys: &Keys, turn: &mut Turn<'_, '_, '_>) {
        let name = turn.facts.string(STEP_NAME);
        let Some(name) = name.filter(|name| StepName::KNOWN.contains(&&**name)) else {
            self.excused_steps += 1;
            return;
        };
        let key = keys.of(&*name);
        if let Some(step) = self.steps.iter().find(|step| step.begun.key == key) {
            let related = step.begun.related("the step was started here");
            let message = format!("step {name} is open already");
            turn.fault_at(&rules::STEP_ALREADY_OPEN, Some(STEP_NAME), message, Some(related));
            return;
        }
        if name == "worker" && !self.router_finished && !self.partial {
            turn.fault(&rules::STEP_ORDER, Some(STEP_NAME), "the router has not finished".into());
            self.steps.iter_mut().for_each(|step| step.told |= step.is_router);
        }
        self.steps.push(Step { begun: turn.opened(key), is_router: name == "router", told: false });
    }

    fn step_finished(&mut self, keys: &Keys, turn: &mut Turn<'_, '_, '_>) {
        let name = turn.facts.string(STEP_NAME);
        let Some(name) = name.filter(|name| StepName::KNOWN.contains(&&**name)) else {
            if self.excused_steps > 0 {
                self.excused_steps -= 1;
            } else if let Some(step) = self.steps.pop() {
                // It may have closed any of them.
                self.router_finished |= step.is_router;
            }
            return;
        };
        self.router_finished |= name == "router";
        let key = keys.of(&*name);
        if let Some(at) = self.steps.iter().position(|step| step.begun.key == key) {
            self.steps.remove(at);
        } else if self.excused_steps > 0 {
            self.excused_steps -= 1;
        } else if !self.partial {
            let message = format!("step {name} is not open");
            turn.fault(&rules::STEP_FINISHED_NOT_OPEN, Some(STEP_NAME), message);
        }
    }

    /// What is open may have been closed by what was lost.
    fn lost(&mut self) {
        self.partial = true;
        self.steps.clear();
        self.open_calls = 0;
    }
}

impl Call {
    const fn is_open(&self) -> bool {
        !self.answered && !self.suspect
    }

    /// Takes in a later event of the call.
    fn take(&mut self, tool: Option<&str>, slot: u8, turn: &mut Turn<'_, '_, '_>) {
        use EventType as E;
        let args_slot = if turn.event == Some(E::ToolCallArgs) { ARGS } else { TOOL_CALL_ARGS };
        let args = turn.facts.raw_if(args_slot).filter(|_| turn.facts.kind(args_slot) == FactKind::Object);
        if self.suspect {
            return;
        }
        let began = self.begun.related("the call was started here");
        match turn.event {
            Some(E::ToolCallStart) => {
                let message = "the id has been used in this run".into();
                turn.fault_at(&rules::TOOL_CALL_ID_REUSED, Some(slot), message, Some(began));
                self.suspect = true;
                return;
            }
            Some(E::ToolCallArgs) => {
                let repeated = self.args.is_some();
                self.args = args.map(Into::into);
                if repeated {
                    turn.fault(&rules::TOOL_ARGS_REPEATED, Some(slot), "the call has its arguments already".into());
                }
            }
            Some(E::ToolCallEnd) => {
                if std::mem::replace(&mut self.ended, true) {
                    turn.fault(&rules::TOOL_END_WITHOUT_START, Some(slot), "the call has ended already".into());
                }
            }
            _ => {
                if std::mem::replace(&mut self.answered, true) {
                    let message = "the call has its result already".into();
                    turn.fault(&rules::TOOL_RESULT_REPEATED, Some(slot), message);
                    return;
                }
                if !self.ended {
                    turn.fault(&rules::TOOL_RESULT_BEFORE_END, Some(slot), "the call has not ended yet".into());
                }
                let differs =
                    self.args.as_deref().zip(args).is_some_and(|(sent, given)| {
                        sent != given && Json::from_valid(sent) != Json::from_valid(given)
                    });
                if differs {
                    let message = "the arguments are not those of TOOL_CALL_ARGS".into();
                    turn.fault(&rules::TOOL_ARGS_CHANGED, Some(TOOL_CALL_ARGS), message);
                }
            }
        }
        let other = self.tool.as_deref().zip(tool).filter(|(started, named)| !tools::may_be_one_tool(started, named));
        if other.is_some() {
            let slot = if turn.event == Some(E::ToolCallResult) { TOOL_NAME } else { TOOL_CALL_NAME };
            let message = "the call was started for another tool".into();
            turn.fault_at(&rules::TOOL_NAME_CHANGED, Some(slot), message, Some(began));
            // One fault, one finding: the name is not held against later events.
            self.tool = None;
        }
    }
}

impl Opened {
    fn related(&self, message: &str) -> Related {
        Related { message: message.into(), event: self.event, location: self.location }
    }
}

/// An event, and where what it breaks is reported.
struct Turn<'t, 'f, 'r> {
    facts: &'t Facts<'f>,
    event: Option<EventType>,
    run: u64,
    report: &'t mut Report<'r>,
}

impl Turn<'_, '_, '_> {
    fn opened(&self, key: u64) -> Opened {
        Opened { key, event: self.report.event, location: self.report.start() }
    }

    fn fault(&mut self, rule: RuleRef, slot: Option<u8>, message: String) {
        self.fault_at(rule, slot, message, None);
    }

    fn fault_at(&mut self, rule: RuleRef, slot: Option<u8>, message: String, related: Option<Related>) {
        let (path, span) = match slot {
            Some(slot) if self.facts.kind(slot) != FactKind::Absent => {
                (member_of(slot).map_or_else(Path::default, Path::of), self.facts.span(slot))
            }
            _ => (Path::default(), self.facts.tag_span("type")),
        };
        self.report.add_related(rule, &path, span, message, related);
    }
}
