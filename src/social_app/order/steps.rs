//! The steps of a run: each opened and closed, the router before the worker.

use super::super::events::names::StepName;
use super::super::facts::STEP_NAME;
use super::super::rules;
use super::in_run::{InRun, Opened};
use crate::check::history::Keys;
use crate::safe::show;

#[derive(Debug, Default)]
pub(super) struct Steps {
    open: Vec<Step>,
    router_finished: bool,
    /// That the worker did not wait for the router was reported.
    told_order: bool,
    /// Starts without a readable name: each excuses a finish.
    excused: u32,
    /// Finishes whose name was no open one, which was reported: each excuses an open step.
    strays: u32,
    /// Steps that are closed in a run whose beginning was not seen.
    joined: Vec<u64>,
}

/// An open step.
#[derive(Clone, Copy, Debug)]
struct Step {
    begun: Opened,
    is_router: bool,
    /// The name is a published one.
    is_known: bool,
    /// That it is open was reported.
    told: bool,
}

/// The most steps of a run that are kept.
const BOUND: usize = 64;

impl Steps {
    pub(super) fn start(&mut self, keys: &Keys, partial: bool, now: &mut InRun<'_, '_, '_, '_>) {
        let name = now.facts.string(STEP_NAME).filter(|name| !name.is_empty());
        let Some(name) = name.filter(|_| self.open.len() < BOUND) else {
            self.excused = self.excused.saturating_add(1);
            return;
        };
        let key = keys.of(&*name);
        if let Some(step) = self.open.iter().find(|step| step.begun.key == key) {
            let related = step.begun.related("the step was started here");
            let message = format!("step {} is open already", show(&name));
            now.fault_at(&rules::STEP_ALREADY_OPEN, Some(STEP_NAME), message, Some(related));
            return;
        }
        let is_router = name == StepName::Router.as_str();
        let router_is_open = self.open.iter().any(|step| step.is_router);
        if name == StepName::Worker.as_str() && !self.router_finished && (!partial || router_is_open) {
            // A finish under a wrong name may have been the router's.
            if self.strays > 0 {
                self.strays -= 1;
            } else if !std::mem::replace(&mut self.told_order, true) {
                now.fault(&rules::STEP_ORDER, Some(STEP_NAME), "the router has not finished".into());
            }
            self.open.iter_mut().filter(|step| step.is_router).for_each(|step| step.told = true);
        }
        let is_known = StepName::KNOWN.contains(&&*name);
        self.open.push(Step { begun: now.opened(key), is_router, is_known, told: false });
    }

    pub(super) fn finish(&mut self, keys: &Keys, partial: bool, now: &mut InRun<'_, '_, '_, '_>) {
        let Some(name) = now.facts.string(STEP_NAME).filter(|name| !name.is_empty()) else {
            self.strays = self.strays.saturating_add(1);
            return;
        };
        self.router_finished |= name == StepName::Router.as_str();
        let key = keys.of(&*name);
        let is_known = StepName::KNOWN.contains(&&*name);
        if let Some(at) = self.open.iter().position(|step| step.begun.key == key) {
            self.open.remove(at);
            if partial && is_known && !self.joined.contains(&key) {
                self.joined.push(key);
            }
        } else if !is_known {
            // That the name is none is reported already.
            self.strays = self.strays.saturating_add(1);
        } else if self.excused > 0 {
            self.excused -= 1;
        } else if let Some(at) = self.open.iter().position(|step| !step.is_known) {
            // Likewise of the name that it was started under.
            self.open.remove(at);
        } else if partial && !self.joined.contains(&key) {
            self.joined.push(key);
        } else {
            let message = format!("step {name} is not open");
            now.fault(&rules::STEP_FINISHED_NOT_OPEN, Some(STEP_NAME), message);
        }
    }

    /// Reports what is open when the run finishes.
    pub(super) fn at_end(&self, now: &mut InRun<'_, '_, '_, '_>) {
        for step in self.open.iter().filter(|step| !step.told).skip(self.strays as usize) {
            let related = step.begun.related("the step was started here");
            now.fault_at(&rules::STEP_LEFT_OPEN, None, "a step is open".into(), Some(related));
        }
    }
}
