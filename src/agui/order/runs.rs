//! Runs, their steps and subagents.

use super::*;

impl Order {
    pub(super) fn step_started(&mut self, owner: u64, turn: &mut Turn<'_, '_, '_>) {
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

    pub(super) fn step_finished(&mut self, owner: u64, turn: &mut Turn<'_, '_, '_>) {
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

    pub(super) fn run_started(&mut self, turn: &mut Turn<'_, '_, '_>) {
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

    pub(super) fn run_finished(&mut self, turn: &mut Turn<'_, '_, '_>) {
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

    pub(super) fn outcome(&mut self, outcome: &Node<'_>, turn: &mut Turn<'_, '_, '_>) {
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

    pub(super) fn subagent_started(&mut self, turn: &mut Turn<'_, '_, '_>) {
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

    pub(super) fn subagent_ended(&mut self, turn: &mut Turn<'_, '_, '_>) {
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
}
