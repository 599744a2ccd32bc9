//! Runs, their steps and subagents.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::listed::values;
use super::*;
use crate::check::history::KeyHasher;
use crate::check::scopes::{Opened, Opening};
use crate::check::tree::{Node, found_if};

/// How many runs may be active at a time, one begun within the other.
const OUTER: usize = 16;

impl AguiOrder {
    fn step<'a>(&mut self, facts: &Facts<'a>) -> Of<'a> {
        Of { owner: self.tag(facts).unwrap_or(PARENT), ..self.of(Scope::Step, STEP_NAME, facts) }
    }

    pub(super) fn step_started(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.step(arrival.facts);
        self.scopes.open(&of, Scope::Step.row().start, 0, None, arrival);
        if let Some(id) = of.id.filter(|_| !arrival.is_clean()) {
            // Its owner may be another one.
            self.scopes.suspect(id.key);
        }
    }

    pub(super) fn step_finished(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.step(arrival.facts);
        let id = of.id.as_ref().filter(|id| !self.scopes.is_suspect(id.key));
        // A step that could not be read may be this one.
        if let Some(id) = id.filter(|_| self.scopes.opened(&of).is_none() && !self.scopes.may_excuse(&of))
            && let Some(other) = self.scopes.of_any_owner(&of)
        {
            let message = format!("step {} was started by another owner", show(&id.text));
            let related = other.place.related("started here");
            arrival.fault_related(&rules::STEP_FINISHED_BY_OTHER_OWNER, Some(STEP_NAME), message, Some(related));
            self.scopes.close_of_any_owner(&of);
            self.scopes.suspect(id.key);
            // The owner may have started it under another name, which stays open.
            self.scopes.stray(&of);
            return;
        }
        self.scopes.close(&of, Scope::Step.row().end, arrival);
    }

    pub(super) fn run_started(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let again = self.state == State::Running && !self.assumed;
        let (thread, run) = (self.hash(facts, THREAD_ID), self.hash(facts, RUN_ID));
        let name = |slot| Label::of(&facts.string(slot).unwrap_or_default(), None);
        // What goes on of the run that is still active was reported with this event.
        let active: Vec<Opened> = if again { self.scopes.list(RUN).collect() } else { Vec::new() };
        let keys = run.zip(thread).map(|(run, thread)| [run, thread]);
        let names = || [name(RUN_ID), name(THREAD_ID)];
        let now = keys.map(|keys| Named { keys, names: names(), place: arrival.place() });
        let before = self.run.filter(|before| again && Some(before.keys) != keys);
        // What came before the announcement of a run is part of it.
        if !(self.state == State::Running && self.assumed) {
            self.scopes.clear();
            self.lanes.clear();
            self.arguments.clear();
            self.owners.clear();
            if !again {
                self.broken_lanes.clear();
                self.doubtful_lanes.clear();
                self.seams.end_all(&rules::SECRET_VALUE, arrival);
                self.messages.clear();
                self.calls.clear();
                (self.unnamed_calls, self.unnamed_subagents) = (0, 0);
                self.tags.clear();
                self.outer.clear();
            }
        }
        self.scopes.begins_unseen(RUN, false);
        for opened in active {
            // A message often has the id of the span that it is in.
            if opened.kind == Scope::Span as usize {
                self.scopes.suspect(opened.id);
            } else {
                self.scopes.suspect_until_opened(opened.id);
            }
        }
        for id in std::mem::take(&mut self.rejected) {
            self.scopes.suspect_until_opened(id);
        }
        // Either run may go on, and end.
        if let Some(before) = before.filter(|_| self.outer.len() < OUTER) {
            self.outer.push(before);
        }
        // The calls of the run that is still active are kept, and may have been answered.
        self.blur = Blur { stray_answer: again, mixed: again, ..Blur::default() };
        (self.state, self.muted, self.assumed) = (State::Running, false, false);
        self.run = now;
        if let Some(thread) = thread {
            if !again && self.thread.is_some_and(|first| first != thread) {
                let message = format!("thread {} is not that of the first run of the stream", name(THREAD_ID));
                arrival.fault(&rules::SECOND_RUN_ON_ANOTHER_THREAD, Some(THREAD_ID), message);
            }
            self.thread.get_or_insert(thread);
        }
        if let Some(run) = run.filter(|_| self.strict)
            && self.runs.insert(run, ()).is_some()
            && !again
        {
            let message = format!("runId {} was used before", name(RUN_ID));
            arrival.fault(&rules::RUN_ID_REUSED, Some(RUN_ID), message);
        }
        if facts.kind(INPUT) == FactKind::Object
            && let Some((input, at)) = arrival.raw(INPUT)
        {
            let [messages, state] = values(input, ["messages", "state"]);
            if let Some((messages, from)) = messages {
                self.seed(messages, at + from, &Path::of("input").join("messages"), false, arrival);
            }
            if let Some((state, _)) = state.filter(|_| self.strict) {
                // Null, which was reported, may stand for any state.
                self.patched.begin_with(arrival.is_clean().then_some(state).filter(|state| *state != "null"));
            }
        }
    }

    pub(super) fn run_finished(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let keys = [RUN_ID, THREAD_ID].map(|slot| self.hash(facts, slot));
        let outer = self.outer.iter().position(|run| run.keys.map(Some) == keys);
        if let Some(at) = outer {
            // What is open is that of the run within, whose start was reported: its end is not asked for.
            self.outer.remove(at);
            self.assumed = true;
            return;
        }
        if self.is_of_another_run(keys, arrival) {
            return;
        }
        let mut open = self.scopes.unclosed(RUN);
        if self.blur.untyped && !open.is_empty() {
            // The event without a type may have been the end of one.
            open.pop();
        }
        if let Some(first) = open.first() {
            let noun = self.scopes.noun(first.kind);
            let same = open.iter().filter(|opened| opened.kind == first.kind).count();
            let message = match same {
                1 => format!("the run finishes while {noun} {} is open", first.label),
                _ => format!("the run finishes while {same} {noun}s are open, the first of them {}", first.label),
            };
            let related = first.place.related("opened here");
            arrival.fault_related(&rules::RUN_FINISHED_WITH_OPEN_SCOPE, None, message, Some(related));
            for opened in &open {
                self.scopes.suspect(opened.id);
            }
        }
        if self.strict
            && arrival.is_clean()
            && facts.kind(OUTCOME) == FactKind::Object
            && let Some(outcome) = arrival.value(OUTCOME)
        {
            self.outcome(&outcome, arrival);
        }
        self.scopes.end(RUN);
        self.state = State::Finished;
    }

    /// Compares the ids of RUN_FINISHED with those of the run. True if it is of another run, as far as can be told: this
    /// one has something open, and goes on.
    fn is_of_another_run(&mut self, keys: [Option<u64>; 2], arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some(run) = self.run.filter(|_| self.strict) else { return false };
        let [run_id, thread_id] = keys;
        let [own_run, own_thread] = run.keys;
        let [run_name, thread_name] = run.names;
        let is_other_run = run_id.is_some_and(|key| key != own_run);
        // That the run was started on another thread than the first is reported.
        let is_other_thread = thread_id.is_some_and(|key| key != own_thread) && self.thread != thread_id;
        // Where both differ it is one fault.
        let (member, slot, rule, name) = match (is_other_run, is_other_thread) {
            (true, _) => ("runId", RUN_ID, &rules::RUN_FINISHED_RUN_ID_MISMATCH, run_name),
            (_, true) => ("threadId", THREAD_ID, &rules::RUN_FINISHED_THREAD_ID_MISMATCH, thread_name),
            _ => return false,
        };
        let written = arrival.facts.string(slot).unwrap_or_default();
        let message = format!("{member} is {}, and {name} in RUN_STARTED", show(&written));
        let related = run.place.related("the run was started here");
        arrival.fault_related(rule, Some(slot), message, Some(related));
        if is_other_thread {
            // Either may be the thread of the stream.
            self.thread = None;
        }
        // If the run goes on, that follows from this.
        self.blur.untyped = true;
        let goes_on = self.scopes.has_unclosed(RUN);
        self.assumed |= goes_on;
        goes_on
    }

    fn outcome(&mut self, outcome: &Node<'_>, arrival: &mut Arrival<'_, '_, '_>) {
        // Clients strip what is not of the outcome's type.
        let kind = outcome.get("type").and_then(Node::as_str);
        let of = |name: &str, owner: &str| outcome.get(name).filter(|_| kind.as_deref() == Some(owner));
        let mut ids = HashSet::<u64, BuildHasherDefault<KeyHasher>>::default();
        if let Some(list) = of("interrupts", "interrupt") {
            let _ = list.each_element(&mut |index, interrupt| {
                let named = interrupt.get("id").and_then(|node| Some((node, node.as_str()?)));
                if let Some((node, id)) = named.filter(|(_, id)| !ids.insert(self.scopes.key(&**id))) {
                    let message = format!("interrupt id {} comes twice", show(&id));
                    let path = Path::of_dotted("outcome.interrupts").element(index).join("id");
                    arrival.fault_at(&rules::DUPLICATE_INTERRUPT_ID, &path, node.span(), message);
                }
                found_if(!arrival.report.lists(&rules::DUPLICATE_INTERRUPT_ID))
            });
        }
        let Some(list) = of("pendingToolCallIds", "success") else { return };
        let pending = list.elements();
        let pending: Vec<u64> = pending.iter().filter_map(Node::exact).map(|id| self.scopes.key(id)).collect();
        // A call or an answer that is missing, or was reported, explains a difference.
        let reliable = !self.blur.partial
            && !self.told
            && self.outer.is_empty()
            && self.unnamed_calls == 0
            && !pending.iter().any(|id| self.scopes.is_suspect(*id));
        let same = || {
            if self.blur.stray_answer {
                // It was meant for one of the calls, which the run knows to be answered.
                return pending.iter().all(|id| self.calls.is_unanswered(*id));
            }
            let open = self.calls.unanswered().filter(|id| !self.scopes.is_suspect(*id));
            open.eq(pending.iter().copied())
        };
        if !pending.is_empty() && reliable && !same() {
            let (named, open) = (pending.len(), self.calls.count_unanswered());
            let is_answered = |id: &Cow<'_, [u8]>| !self.calls.is_unanswered(self.scopes.key(id));
            let mut others = list.elements().iter().filter(|node| node.exact().as_ref().is_some_and(is_answered));
            let message = if let Some(other) = others.find_map(Node::as_str) {
                format!("pendingToolCallIds has {}, which is no unanswered call", show(&other))
            } else if named == open {
                "pendingToolCallIds are not the unanswered calls, or not in the order of the calls".to_owned()
            } else {
                format!("unanswered calls: {open}, but pendingToolCallIds has {named}")
            };
            let path = Path::of_dotted("outcome.pendingToolCallIds");
            arrival.fault_at(&rules::PENDING_TOOL_CALLS_MISMATCH, &path, list.span(), message);
        }
    }

    pub(super) fn subagent_started(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let of = self.of(Scope::Subagent, SUBAGENT_RUN_ID, facts);
        let parent = self.of(Scope::Subagent, PARENT_SUBAGENT_RUN_ID, facts);
        let started = self.scopes.was_opened(&parent);
        let opening = self.scopes.open(&of, Scope::Subagent.row().start, 0, None, arrival);
        let Some(id) = &of.id else {
            self.unnamed_subagents = self.unnamed_subagents.saturating_add(1);
            return;
        };
        if let Opening::Opened(Some(_)) = opening {
            if self.blur.partial {
                // Another run may have begun.
                return;
            }
            let message = format!("subagent {} has ended already", show(&id.text));
            arrival.fault(&rules::SUBAGENT_ID_REUSED, Some(SUBAGENT_RUN_ID), message);
            self.scopes.suspect(id.key);
        } else if let (Opening::Opened(None), Some(parent)) = (opening, &parent.id)
            && !started
            && !self.told
            && !(self.blur.partial || self.blur.mixed)
            && !self.scopes.is_suspect(parent.key)
        {
            if self.unnamed_subagents > 0 {
                self.unnamed_subagents -= 1;
                self.scopes.suspect(parent.key);
                return;
            }
            let message = format!("parentSubagentRunId {} names no subagent that was started", show(&parent.text));
            arrival.fault(&rules::SUBAGENT_PARENT_NOT_STARTED, Some(PARENT_SUBAGENT_RUN_ID), message);
            self.scopes.suspect(id.key);
            self.scopes.suspect(parent.key);
        }
    }

    pub(super) fn subagent_ended(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let of = self.of(Scope::Subagent, SUBAGENT_RUN_ID, arrival.facts);
        let is_reported = of.id.as_ref().is_some_and(|id| self.scopes.is_suspect(id.key));
        if is_reported && !self.scopes.was_opened(&of) {
            // It was started under another id, which stays open.
            self.scopes.stray(&of);
        }
        self.scopes.close(&of, Scope::Subagent.row().end, arrival);
    }
}
