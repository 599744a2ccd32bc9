//! Tools: prepared, started, updated, by any of their ids.

use std::borrow::Cow;

use super::super::events::{EventType, ToolStatus};
use super::super::facts::*;
use super::super::rules;
use crate::check::facts::FactKind;
use crate::check::history::{Bounded, Keys};
use crate::check::order::{Arrival, Place};
use crate::check::scopes::spend;
use crate::safe::{Label, show};
use crate::wire::path::Path;

#[derive(Debug, Default)]
pub(super) struct Tools {
    keys: Keys,
    /// By every id that stands for a tool: which one it is.
    aliases: Bounded<u64>,
    /// By its number, which nobody outside chooses.
    found: Bounded<Tool>,
    /// Ids that were reported, of which nothing more is said. True where an event has ended the tool, though no tool of
    /// that id is known.
    suspects: Bounded<bool>,
    next: u64,
    /// The first tool of the attempt.
    attempt: u64,
    /// Unknown ids that may have been announced in events that were not read.
    excused: [u32; ALIASES.len()],
    /// How many ends were of tools that nobody knows: each was meant for one that is open.
    strays: usize,
    /// How many starts were faulty: which of those that were prepared they started is not known.
    lost_starts: usize,
    blurred: bool,
    /// Tools before this one may have ended in events that were not read.
    unseen: u64,
}

#[derive(Clone, Debug)]
struct Tool {
    name: Option<u64>,
    label: Label,
    place: Place,
    /// It is preparing or running.
    is_open: bool,
    is_done: bool,
    is_suspect: bool,
    /// Its attempt was given up: clients have dropped it, and its ids.
    is_removed: bool,
    stage: Stage,
    told_name: bool,
    told_late: bool,
}

/// How far a tool is tied to the call that the model has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It was prepared, and no start was tied to it.
    Prepared,
    /// It was started, and the start named what was prepared.
    Started,
    /// It was started, and the start named nothing that was prepared.
    StartedAlone,
}

impl Tools {
    pub(super) fn new(history: usize) -> Self {
        let (aliases, found, suspects) = (Bounded::new(history), Bounded::new(history), Bounded::new(history));
        Self { aliases, found, suspects, ..Self::default() }
    }

    pub(super) const fn blur(&mut self) {
        self.blurred = true;
        self.unseen = self.next;
    }

    pub(super) fn lost(&mut self) {
        self.lost_tools(1);
    }

    /// So many tools may have become known by an event that could not be read, each under any of its ids.
    fn lost_tools(&mut self, count: u32) {
        self.excused.iter_mut().for_each(|left| *left = left.saturating_add(count));
    }

    /// Whether an id of this name may stand for one of them.
    fn excuse(&mut self, slot: u8) -> bool {
        ALIASES.iter().zip(&mut self.excused).any(|((_, alias), left)| *alias == slot && spend(left))
    }

    /// Another attempt begins.
    pub(super) const fn attempt(&mut self) {
        self.attempt = self.next;
    }

    /// The attempt was given up: clients drop its tools, and what still comes of them.
    pub(super) fn reset(&mut self) {
        for at in self.attempt..self.next {
            if let Some(tool) = self.found.get_mut(at) {
                (tool.is_open, tool.is_removed) = (false, true);
            }
        }
        self.attempt = self.next;
    }

    /// The tool that an id stands for.
    fn tool_of(&self, key: u64) -> Option<u64> {
        let at = *self.aliases.get(key)?;
        self.found.get(at).is_none_or(|tool| !tool.is_removed).then_some(at)
    }

    pub(super) fn push(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        if facts.kind(DATA) != FactKind::Object {
            self.lost();
            return;
        }
        let given: Vec<(u8, Cow<'_, str>, u64)> = ALIASES
            .iter()
            .filter_map(|(_, slot)| {
                let id = facts.string(*slot).filter(|id| !id.is_empty())?;
                let key = self.keys.of(&*id);
                Some((*slot, id, key))
            })
            .collect();
        let Some((slot, id, _)) = given.first() else {
            self.lost();
            let span = facts.span(DATA);
            let at = span.start..(span.start + 1).min(span.end);
            let message =
                "the event names no tool: id, preparing_id, execution_id and tool_call_id are all missing or empty";
            arrival.fault_at(&rules::TOOL_EVENT_WITHOUT_ID, &Path::of("data"), at, message);
            return;
        };
        if event == EventType::ToolStart && !arrival.is_clean() {
            self.lost_tools(u32::from(facts.string(ID).is_none()));
            self.lost_starts += usize::from(facts.string(PREPARING_ID).is_none());
        }
        let known: Vec<(u8, u64)> =
            given.iter().filter_map(|(slot, _, key)| Some((*slot, self.tool_of(*key)?))).collect();
        let suspect = !arrival.is_clean() || given.iter().any(|(.., key)| self.suspects.contains(*key));
        let starts = event == EventType::ToolStart && !suspect;
        if let Some((_, first)) = known.first().copied() {
            if let Some((slot, other)) = known.iter().find(|(_, other)| *other != first).copied()
                && event != EventType::ToolStart
                && !self.merge(first, other)
            {
                if let (Some(one), Some(two)) = (self.found.get(first), self.found.get(other))
                    && !(suspect || one.is_suspect || two.is_suspect)
                {
                    let message =
                        format!("the ids of the event are those of two tools: {} and {}", one.label, two.label);
                    let related = two.place.related(format!("tool {} came here first", two.label));
                    arrival.fault_related(&rules::TOOL_ALIAS_CONFLICT, Some(slot), message, Some(related));
                }
                for at in [first, other] {
                    if let Some(tool) = self.found.get_mut(at) {
                        tool.is_suspect = true;
                    }
                }
                for (.., key) in &given {
                    self.suspects.insert(*key, false);
                }
                return;
            }
            if starts {
                self.unknown_preparing(&given, arrival);
            }
            self.update(first, event, suspect, arrival);
            self.name_all(&given, first);
            return;
        }
        if matches!(event, EventType::ToolPreparing | EventType::ToolStart) {
            let suspect = suspect || (starts && self.unknown_preparing(&given, arrival));
            let is_tied = given.iter().any(|(slot, ..)| *slot == PREPARING_ID);
            let stage = match event {
                EventType::ToolPreparing => Stage::Prepared,
                _ if is_tied => Stage::Started,
                _ => Stage::StartedAlone,
            };
            let at = self.create(id, stage, suspect, arrival);
            self.name_all(&given, at);
            return;
        }
        let excused = self.excuse(*slot);
        let is_removed = given.iter().any(|(.., key)| self.aliases.contains(*key));
        if !suspect && !excused && !self.blurred {
            let message = if is_removed {
                format!("tool {} was removed by stream_reset; clients drop the event", show(id))
            } else {
                format!("no tool {} was prepared or started; clients drop the event", show(id))
            };
            arrival.fault(&rules::TOOL_EVENT_UNKNOWN_ID, Some(*slot), message);
        }
        // It may be one that was prepared, of which the start was lost.
        let has_ended = given.iter().any(|(.., key)| self.suspects.get(*key) == Some(&true));
        let ends = facts.string(STATUS).is_some_and(|status| ToolStatus::from(&*status).is_terminal());
        self.strays += usize::from(ends && !is_removed && !has_ended);
        for (.., key) in &given {
            self.suspects.insert(*key, ends || has_ended);
        }
    }

    /// A start that refers to a preparation which did not come; true if that is said.
    fn unknown_preparing(&mut self, given: &[(u8, Cow<'_, str>, u64)], arrival: &mut Arrival<'_, '_, '_>) -> bool {
        if arrival.facts.string(PREPARING_ID).is_some_and(|id| id.is_empty()) {
            let message = "preparing_id is empty, and names no tool that was prepared";
            arrival.fault(&rules::TOOL_START_PREPARING_ID_UNKNOWN, Some(PREPARING_ID), message);
            self.lost_starts += 1;
            return true;
        }
        let preparing = given.iter().find(|(slot, ..)| *slot == PREPARING_ID);
        let Some((_, id, key)) = preparing.filter(|(.., key)| self.tool_of(*key).is_none()) else { return false };
        if self.blurred || self.excuse(PREPARING_ID) {
            return false;
        }
        let is_removed = self.aliases.contains(*key);
        let what = if is_removed { "was removed by stream_reset" } else { "was not prepared" };
        let message = format!("tool {} {what}", show(id));
        arrival.fault(&rules::TOOL_START_PREPARING_ID_UNKNOWN, Some(PREPARING_ID), message);
        self.lost_starts += 1;
        true
    }

    /// Takes what was prepared and what was started for one tool, where the start has not
    /// said which one was prepared for it; false if they are two.
    fn merge(&mut self, first: u64, other: u64) -> bool {
        let (Some(one), Some(two)) = (self.found.get(first), self.found.get(other)) else { return false };
        let started = match (one.stage, two.stage) {
            (Stage::StartedAlone, Stage::Prepared) => one,
            (Stage::Prepared, Stage::StartedAlone) => two,
            _ => return false,
        };
        if one.name.zip(two.name).is_some_and(|(one, two)| one != two) {
            return false;
        }
        let (is_open, is_done, is_suspect) = (started.is_open, started.is_done, one.is_suspect || two.is_suspect);
        if let Some(tool) = self.found.get_mut(first) {
            (tool.is_open, tool.is_done, tool.is_suspect) = (is_open, is_done, is_suspect);
            tool.stage = Stage::Started;
        }
        if let Some(tool) = self.found.get_mut(other) {
            (tool.is_open, tool.is_suspect) = (false, true);
        }
        true
    }

    fn create(&mut self, id: &str, stage: Stage, suspect: bool, arrival: &mut Arrival<'_, '_, '_>) -> u64 {
        let at = self.next;
        self.next += 1;
        let name = arrival.facts.string(NAME);
        let tool = Tool {
            name: name.as_ref().map(|name| self.keys.of(&**name)),
            label: Label::of(id, name.as_deref()),
            place: arrival.place(),
            is_open: true,
            is_done: false,
            is_suspect: suspect,
            is_removed: false,
            stage,
            told_name: false,
            told_late: false,
        };
        self.found.insert(at, tool);
        at
    }

    fn name_all(&mut self, given: &[(u8, Cow<'_, str>, u64)], at: u64) {
        for (.., key) in given {
            self.aliases.insert(*key, at);
        }
    }

    fn update(&mut self, at: u64, event: EventType, suspect: bool, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let name = facts.string(NAME);
        let key = name.as_ref().map(|name| self.keys.of(&**name));
        let status = facts.string(STATUS);
        let is_update = matches!(event, EventType::UpdateAction | EventType::ToolUpdateAction);
        let Some(tool) = self.found.get_mut(at) else { return };
        tool.is_suspect |= suspect;
        if tool.is_suspect {
            tool.is_open = false;
            return;
        }
        if let Some(name) = &name {
            if tool.name.is_none() {
                tool.label = tool.label.named(name);
            } else if key != tool.name && !std::mem::replace(&mut tool.told_name, true) {
                let related = tool.place.related("the tool came here first");
                let message = format!("tool {} is called {} here", tool.label, show(name));
                arrival.fault_related(&rules::TOOL_NAME_CHANGED, Some(NAME), message, Some(related));
            }
        }
        tool.name = tool.name.or(key);
        if is_update && tool.is_done && !std::mem::replace(&mut tool.told_late, true) {
            let slot = if status.is_some() { STATUS } else { TYPE };
            let message = format!("tool {} has ended already", tool.label);
            arrival.fault(&rules::TOOL_UPDATE_AFTER_TERMINAL, Some(slot), message);
        }
        if event == EventType::ToolStart {
            (tool.is_open, tool.is_done) = (true, false);
            if tool.stage == Stage::Prepared {
                tool.stage = Stage::Started;
            }
        }
        if let Some(status) = status.filter(|_| is_update) {
            tool.is_done |= ToolStatus::from(&*status).is_terminal();
            // It may wait for a person, and then is neither.
            tool.is_open = !tool.is_done && status == "running";
        }
    }

    /// The task has ended; with work in the background, tools may go on.
    pub(super) fn end(&self, goes_on: bool, arrival: &mut Arrival<'_, '_, '_>) {
        if goes_on || self.excused.iter().all(|left| *left > 0) {
            return;
        }
        let seen = self.found.iter().filter(|(at, _)| *at >= self.unseen).map(|(_, tool)| tool);
        let mut open: Vec<&Tool> = seen.filter(|tool| tool.is_open && !tool.is_suspect).collect();
        open.sort_by_key(|tool| tool.place.event);
        let mut started = self.lost_starts;
        for tool in open.into_iter().skip(self.strays) {
            if tool.stage == Stage::Prepared && started > 0 {
                started -= 1;
                continue;
            }
            let related = tool.place.related("it came here");
            let message = format!("tool {} has not ended", tool.label);
            arrival.fault_related(&rules::TOOL_LEFT_OPEN, None, message, Some(related));
        }
    }

    pub(super) fn entries(&self) -> usize {
        self.aliases.len() + self.found.len() + self.suspects.len()
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.aliases.take_overflow() | self.found.take_overflow() | self.suspects.take_overflow()
    }
}
