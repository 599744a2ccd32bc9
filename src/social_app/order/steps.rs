//! The steps of a run: each opened and closed, the router before the worker, and the work of
//! the worker in its step.

use std::borrow::Cow;

use super::super::events::names::{Stage, StepName};
use super::super::facts::{STAGE, STEP_NAME};
use super::super::rules;
use super::memory::{InRun, Memory, STEP, unnamed};
use crate::check::order::{Arrival, Place};
use crate::check::scopes::{Id, Of, Opened};

#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The run has shown that it has steps.
    any: bool,
    router_finished: bool,
    /// The worker was started, or may have been.
    worker_started: bool,
    /// An event may have been the start of a step that cannot be told.
    is_blurred: bool,
    /// The answer, if it came before any step.
    text: Option<Place>,
    /// Whether it was reported that the worker did not wait for the router.
    told_order: bool,
    /// Whether a call outside of the worker's step was reported.
    told_outside: bool,
}

/// So many open scopes of a run are looked through for a step under a wrong name: runs have
/// some dozens.
const LOOKED_AT: usize = 256;

const ROUTER: &str = "router";
const WORKER: &str = "worker";

/// A name that is none may stand for the worker's.
fn may_be_worker(name: &str) -> bool {
    name == WORKER || !is_published(name)
}

fn is_published(name: &str) -> bool {
    StepName::KNOWN.contains(&name)
}

/// A step of earlier versions, outside of the pipeline.
fn is_aside(name: &str) -> bool {
    name == StepName::Memory.as_str()
}

/// Whether the worker may have been started before the beginning that was not seen ended: not
/// if the router, which comes first, was seen.
fn worker_may_precede(run: InRun, memory: &Memory) -> bool {
    run.unseen.beginning && !memory.scopes.was_opened(&memory.step(run.group, ROUTER))
}

impl Steps {
    pub(super) fn start(&mut self, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let of = memory.of(STEP, run.group, STEP_NAME, arrival.facts);
        let name = of.id.as_ref().map_or("", |id| &*id.text);
        self.appears(name, run, memory, arrival);
        if name == WORKER && memory.scopes.opened(&of).is_none() {
            self.after_router(run, memory, arrival);
        }
        self.worker_started |= may_be_worker(name);
        self.is_blurred |= of.id.is_none();
        memory.scopes.open(&of, &rules::STEP_ALREADY_OPEN, 0, None, arrival);
    }

    pub(super) fn finish(&mut self, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let of = memory.of(STEP, run.group, STEP_NAME, arrival.facts);
        let Some(id) = &of.id else {
            memory.scopes.stray(&of);
            return;
        };
        let name = &*id.text;
        self.any |= !is_aside(name);
        // That a name is none is reported already, at its start and here.
        self.router_finished |= name == ROUTER || !is_published(name);
        // Where its start is missing, that is reported here.
        self.worker_started |= may_be_worker(name);
        if memory.scopes.opened(&of).is_none() && !memory.scopes.is_suspect(id.key) {
            let before = if name == WORKER { worker_may_precede(run, memory) } else { run.unseen.beginning };
            if (before || run.unseen.events || memory.exhausted) && !memory.scopes.was_opened(&of) {
                // It was started where nobody saw it.
                memory.scopes.open(&of, &rules::STEP_ALREADY_OPEN, 0, None, arrival);
            } else if !is_published(name) {
                // That the name is none is reported already.
                memory.scopes.stray(&of);
                return;
            } else if let Some(misnamed) = Self::misnamed(run, memory) {
                // Likewise of the name that it was started under.
                let id = Id { key: misnamed.id, text: Cow::Borrowed("") };
                memory.scopes.close(&Of { id: Some(id), ..of }, &rules::STEP_FINISHED_NOT_OPEN, arrival);
                return;
            }
        }
        memory.scopes.close(&of, &rules::STEP_FINISHED_NOT_OPEN, arrival);
    }

    /// An open step under a name that is not published.
    fn misnamed(run: InRun, memory: &Memory) -> Option<Opened> {
        let mut open = memory.scopes.list(run.group).take(LOOKED_AT).filter(|opened| opened.kind == STEP);
        open.find(|opened| !is_published(opened.label.id()))
    }

    /// A step is there. If the answer came before all of them, it came before the worker.
    fn appears(&mut self, name: &str, run: InRun, memory: &Memory, arrival: &mut Arrival<'_, '_, '_>) {
        if is_aside(name) {
            return;
        }
        self.any = true;
        if let Some(text) = self.text.take().filter(|_| !run.unseen.is_any() && !memory.exhausted) {
            let message = "the answer came before the step worker was started";
            let related = text.related("the answer came here");
            arrival.fault_related(&rules::TEXT_BEFORE_WORKER, None, message, Some(related));
        }
    }

    /// The worker starts: the router has to be over. What was not seen may have been its end,
    /// but the end of a router that was seen to start did not come before that.
    fn after_router(&mut self, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let router = memory.step(run.group, ROUTER);
        let is_open = memory.scopes.opened(&router).is_some();
        let may_be_over = run.unseen.events || ((run.unseen.beginning || memory.exhausted) && !is_open);
        if self.router_finished || may_be_over {
            return;
        }
        // A finish under a wrong name may have been the router's.
        if !memory.scopes.spend_stray(&router) && !std::mem::replace(&mut self.told_order, true) {
            arrival.fault(&rules::STEP_ORDER, Some(STEP_NAME), "the router has not finished");
        }
        if let Some(id) = router.id.filter(|_| is_open) {
            memory.scopes.suspect(id.key);
        }
    }

    /// The answer has come: the worker has to have been started.
    pub(super) fn before_text(&mut self, run: InRun, memory: &Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let may_be_missing = run.unseen.events || memory.exhausted || worker_may_precede(run, memory);
        if self.worker_started || may_be_missing {
            return;
        }
        if !self.any {
            self.text.get_or_insert(arrival.place());
            return;
        }
        let message = "the step worker has not been started";
        arrival.fault(&rules::TEXT_BEFORE_WORKER, None, message);
        // Calls that follow are outside of it for the same reason.
        (self.worker_started, self.told_outside) = (true, true);
    }

    /// A call has come: one of the worker's belongs in its step.
    pub(super) fn before_call(&mut self, run: InRun, memory: &Memory, arrival: &mut Arrival<'_, '_, '_>) {
        let of_worker = || arrival.facts.string(STAGE).is_some_and(|stage| stage == Stage::Worker.as_str());
        let is_silent = !self.any || self.told_outside || self.is_blurred || run.unseen.events || memory.exhausted;
        if is_silent || !of_worker() {
            return;
        }
        let worker = memory.step(run.group, WORKER);
        let is_suspect = worker.id.as_ref().is_some_and(|id| memory.scopes.is_suspect(id.key));
        let may_be_open = worker_may_precede(run, memory) && !memory.scopes.was_opened(&worker);
        if memory.scopes.opened(&worker).is_none()
            && !is_suspect
            && !may_be_open
            && Self::misnamed(run, memory).is_none()
        {
            self.told_outside = true;
            arrival.fault(&rules::TOOL_OUTSIDE_WORKER, Some(STAGE), "no step worker is open");
        }
    }

    /// An event may have been the start or the finish of a step.
    pub(super) fn doubt(&mut self, run: InRun, memory: &mut Memory, arrival: &mut Arrival<'_, '_, '_>) {
        self.worker_started = true;
        self.is_blurred = true;
        let step = unnamed(STEP, run.group);
        memory.scopes.open(&step, &rules::STEP_ALREADY_OPEN, 0, None, arrival);
        memory.scopes.stray(&step);
    }

    /// Reports what is open when the run finishes.
    pub(super) fn at_end(open: &[Opened], arrival: &mut Arrival<'_, '_, '_>) {
        for step in open.iter().filter(|opened| opened.kind == STEP) {
            let related = step.place.related("the step was started here");
            let message = format!("step {} is open", step.label);
            arrival.fault_related(&rules::STEP_LEFT_OPEN, None, message, Some(related));
        }
    }
}
