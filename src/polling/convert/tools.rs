//! Tools, each of which is a call in AG-UI.

use std::collections::HashMap;

use super::blocks::Parent;
use super::history::{Answer, CallPlace, Speaker};
use super::rest;
use super::turn::Turn;
use crate::agui::{self, MessageId, ToolCallId};
use crate::polling::budget::THING;
use crate::polling::events::{TOOL_ALIASES, ToolId, ToolIntent, ToolPreparing, ToolStart, ToolStatus, UpdateAction};
use crate::wire::{Json, JsonObject, Nullable};

type Aliases<'e> = [Option<&'e ToolId>; 4];

/// The ids that an event has of its tool.
macro_rules! aliases {
    ($event:ident, $id:expr) => {
        [$id, $event.preparing_id.as_ref(), $event.execution_id.as_ref(), $event.tool_call_id.as_ref()]
    };
}

/// The member with the arguments of a tool, which only `tool_start` has by its contract.
const ARGUMENTS: &str = "arguments";

/// The arguments of a call that never got any: an empty text is not JSON.
const NO_ARGUMENTS: &str = "{}";

/// The answer of a tool that was not heard out.
const CANCELLED: &str = "cancelled";

#[derive(Clone)]
struct Tool {
    id: ToolCallId,
    place: CallPlace,
    aliases: Vec<ToolId>,
    /// `None` while the model prepares it.
    status: Option<ToolStatus>,
    /// What came before the last status.
    result: Option<Json>,
    /// What came before TOOL_CALL_END, but with `tool_start`.
    arguments: Option<Json>,
    /// TOOL_CALL_END was put out.
    is_ended: bool,
    /// TOOL_CALL_RESULT was put out.
    is_answered: bool,
}

#[derive(Clone, Default)]
pub(super) struct Tools {
    found: Vec<Tool>,
    /// The place of each tool in the list.
    places: HashMap<ToolId, usize>,
    /// The first tool of the current attempt.
    fresh: usize,
}

/// What becomes of tools that are not over when the run ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// They are cancelled.
    Cancelled,
    /// They go on in the background, or are not known to have stopped.
    GoOn,
}

impl Tools {
    /// Takes `tool_preparing`; false if there is nothing new to AG-UI in it, or no room.
    pub(super) fn prepare(&mut self, event: &ToolPreparing, parent: Option<Parent>, turn: &mut Turn<'_>) -> bool {
        let aliases = aliases!(event, Some(&event.id));
        if let Some(at) = self.find(&aliases) {
            let place = self.found.get(at).filter(|tool| tool.status.is_none()).map(|tool| tool.place);
            if let Some(place) = place {
                self.bind(at, &aliases, turn);
                turn.memory.history.rename(place, &event.name);
                self.take_arguments(at, event.extra.get(ARGUMENTS), turn);
            }
            return false;
        }
        let id = ToolCallId::from(turn.claim(Some(event.id.as_str()), "call"));
        let metadata = turn.scope.metadata(event, &consumed(&["name"], &aliases, &id));
        let Some(at) = self.add(id, &event.name, metadata, parent, turn) else { return false };
        self.bind(at, &aliases, turn);
        self.take_arguments(at, event.extra.get(ARGUMENTS), turn);
        true
    }

    /// Takes `tool_intent`, which may name the tool by another id than before.
    pub(super) fn intend(&mut self, event: &ToolIntent, turn: &mut Turn<'_>) {
        let aliases = aliases!(event, event.id.as_ref());
        if let Some(at) = self.find(&aliases) {
            self.bind(at, &aliases, turn);
        }
    }

    /// Takes `tool_start`; false if the call has its arguments already, or no room.
    pub(super) fn start(&mut self, event: &ToolStart, parent: Option<Parent>, turn: &mut Turn<'_>) -> bool {
        let aliases = aliases!(event, Some(&event.id));
        // The model's own id, if it is known.
        let own = event.preparing_id.as_ref().filter(|id| !id.as_str().is_empty()).unwrap_or(&event.id);
        let found = self.find(&aliases).or_else(|| {
            let id = ToolCallId::from(turn.claim(Some(own.as_str()), "call"));
            self.add(id, &event.name, None, parent, turn)
        });
        let Some(at) = found else { return false };
        self.bind(at, &aliases, turn);
        let Some(tool) = self.found.get_mut(at) else { return false };
        tool.status = Some(ToolStatus::Running);
        turn.memory.history.rename(tool.place, &event.name);
        if tool.is_ended {
            turn.memory.history.refill(tool.place, event.arguments.as_str());
            return false;
        }
        let metadata = turn.scope.metadata(event, &consumed(&["name", "arguments"], &aliases, &tool.id));
        tool.end(event.arguments.as_str(), metadata, turn);
        true
    }

    /// Takes `update_action`; false if it is no answer.
    pub(super) fn update(&mut self, event: &UpdateAction, turn: &mut Turn<'_>) -> bool {
        let aliases = aliases!(event, event.id.as_ref());
        let Some(at) = self.find(&aliases) else { return false };
        self.bind(at, &aliases, turn);
        self.take_arguments(at, event.extra.get(ARGUMENTS), turn);
        let Some(tool) = self.found.get_mut(at) else { return false };
        if let Some(name) = event.name.as_ref().and_then(Nullable::as_option) {
            turn.memory.history.rename(tool.place, name);
        }
        if let Some(status) = &event.status {
            let is_known = status.is_known();
            tool.status = Some(if is_known { status.clone() } else { ToolStatus::Running });
        }
        if tool.is_answered {
            if let Some(content) = event.result.as_ref().and_then(text_of) {
                turn.memory.history.replace_answer(tool.place, &content);
            }
            return false;
        }
        let Some(status) = event.status.as_ref().filter(|status| status.is_terminal()) else {
            tool.keep(event.result.as_ref(), turn);
            return false;
        };
        let content = event.result.as_ref().or(tool.result.as_ref()).and_then(text_of);
        let message = || event.message.clone().filter(|message| !message.is_empty()).map(harmless);
        let content = content.or_else(message).unwrap_or_else(|| status.to_string());
        let metadata = turn.scope.metadata(event, &consumed(&["name", "result"], &aliases, &tool.id));
        tool.answer(content, metadata, turn);
        true
    }

    /// Takes arguments that have come beside `tool_start`, which are the tool's from here on.
    fn take_arguments(&mut self, at: usize, arguments: Option<&Json>, turn: &mut Turn<'_>) {
        let (Some(tool), Some(arguments)) = (self.found.get_mut(at), arguments) else { return };
        if tool.is_ended {
            turn.memory.history.refill(tool.place, arguments.as_str());
        } else {
            keep(&mut tool.arguments, arguments, turn);
        }
    }

    /// The call of a tool.
    pub(super) fn call_of(&self, tool: &ToolId) -> Option<&ToolCallId> {
        self.places.get(tool).and_then(|at| self.found.get(*at)).map(|tool| &tool.id)
    }

    /// From here on tools are of another attempt.
    pub(super) fn next_attempt(&mut self) {
        self.fresh = self.found.len();
    }

    /// Ends and forgets the tools of the current attempt.
    pub(super) fn reset(&mut self, turn: &mut Turn<'_>) {
        for (at, tool) in self.found.iter_mut().enumerate().skip(self.fresh) {
            if !tool.is_answered {
                tool.answer(CANCELLED.to_owned(), Some(rest::status(CANCELLED)), turn);
            }
            for alias in std::mem::take(&mut tool.aliases) {
                if self.places.get(&alias) == Some(&at) {
                    self.places.remove(&alias);
                    turn.memory.room.give_back(weight(&alias));
                }
            }
        }
    }

    /// Answers what has no answer, since a client would take it for its own to answer. Where
    /// the run waits for the user, so do the tools that wait.
    pub(super) fn finish(&mut self, unfinished: Unfinished, run_waits: bool, turn: &mut Turn<'_>) {
        for tool in self.found.iter_mut().filter(|tool| !tool.is_answered) {
            if run_waits && tool.waits() {
                tool.end_as_known(turn);
            } else {
                let word = match unfinished {
                    Unfinished::Cancelled => CANCELLED.to_owned(),
                    Unfinished::GoOn => tool.status.as_ref().map_or("preparing", ToolStatus::as_str).to_owned(),
                };
                let content = tool.result.as_ref().and_then(text_of).unwrap_or_else(|| word.clone());
                tool.answer(content, Some(rest::status(&word)), turn);
            }
        }
    }

    /// The tool of the first id that is known.
    fn find(&self, aliases: &Aliases<'_>) -> Option<usize> {
        aliases.iter().flatten().find_map(|alias| self.places.get(*alias)).copied()
    }

    /// Gives all ids to one tool.
    fn bind(&mut self, at: usize, aliases: &Aliases<'_>, turn: &mut Turn<'_>) {
        let Some(tool) = self.found.get_mut(at) else { return };
        for alias in aliases.iter().flatten().filter(|alias| !alias.as_str().is_empty()) {
            let is_new = self.places.get(*alias) != Some(&at);
            if is_new && turn.memory.room.take(weight(alias)) {
                self.places.insert((*alias).clone(), at);
                tool.aliases.push((*alias).clone());
            }
        }
    }

    /// Adds a tool and begins its call, if there is room for it.
    fn add(
        &mut self,
        id: ToolCallId,
        name: &str,
        metadata: Option<JsonObject>,
        parent: Option<Parent>,
        turn: &mut Turn<'_>,
    ) -> Option<usize> {
        let Turn { memory, attempt, .. } = turn;
        if !memory.room.take(THING + id.as_str().len()) {
            return None;
        }
        let history = &mut memory.history;
        // Clients make a message of the call's id where there is no other.
        let message = parent.as_ref().map_or_else(
            || history.add(MessageId::from(id.as_str()), Speaker::Assistant, Some(*attempt)),
            |parent| parent.place,
        );
        let place = history.add_call(message, id.clone(), name, metadata.clone());
        let mut start = agui::ToolCallStart::new(id.clone(), name);
        start.parent_message_id = parent.map(|parent| parent.id);
        start.metadata = metadata;
        turn.put(start);
        let (aliases, status, result, arguments) = (Vec::new(), None, None, None);
        self.found.push(Tool { id, place, aliases, status, result, arguments, is_ended: false, is_answered: false });
        Some(self.found.len() - 1)
    }
}

impl Tool {
    /// Whether the user has to do something before it goes on.
    fn waits(&self) -> bool {
        use ToolStatus::{AwaitingApproval, AwaitingPlanApproval, AwaitingUserAnswer};
        matches!(self.status, Some(AwaitingApproval | AwaitingPlanApproval | AwaitingUserAnswer))
    }

    /// Keeps a result until the tool is over.
    fn keep(&mut self, result: Option<&Json>, turn: &mut Turn<'_>) {
        if let Some(result) = result {
            keep(&mut self.result, result, turn);
        }
    }

    /// Ends the call with the arguments that have come beside `tool_start`, if any.
    fn end_as_known(&mut self, turn: &mut Turn<'_>) {
        let arguments = self.arguments.clone();
        self.end(arguments.as_ref().map_or(NO_ARGUMENTS, Json::as_str), None, turn);
    }

    /// Puts out the arguments and the end of the call.
    fn end(&mut self, arguments: &str, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        if std::mem::replace(&mut self.is_ended, true) {
            return;
        }
        turn.memory.room.give_back(self.arguments.take().map_or(0, |old| old.as_str().len()));
        turn.memory.history.fill(self.place, arguments, metadata.clone());
        let mut args = agui::ToolCallArgs::new(self.id.clone(), arguments);
        args.metadata = metadata;
        turn.put(args);
        turn.put(agui::ToolCallEnd::new(self.id.clone()));
    }

    /// Puts out the answer.
    fn answer(&mut self, content: String, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        self.end_as_known(turn);
        self.is_answered = true;
        turn.memory.room.give_back(self.result.take().map_or(0, |old| old.as_str().len()));
        let id = MessageId::from(turn.scope.id("result", &self.id));
        let mut result = agui::ToolCallResult::new(id.clone(), self.id.clone(), content.as_str());
        result.metadata.clone_from(&metadata);
        turn.put(result);
        turn.memory.history.answer(self.place, Answer { id, content, metadata });
    }
}

/// Keeps another value in the place of one, if there is room.
fn keep(kept: &mut Option<Json>, new: &Json, turn: &mut Turn<'_>) {
    let room = &mut turn.memory.room;
    room.give_back(kept.take().map_or(0, |old| old.as_str().len()));
    *kept = Some(new).filter(|new| room.take(new.as_str().len())).cloned();
}

/// The members that say nothing more: those given, and ids that are the call's own.
fn consumed<'n>(given: &[&'n str], aliases: &Aliases<'_>, id: &ToolCallId) -> Vec<&'n str> {
    let is_own = |alias: Option<&ToolId>| alias.is_some_and(|alias| alias.as_str() == id.as_str());
    let own = TOOL_ALIASES.into_iter().zip(aliases).filter(|(_, alias)| is_own(**alias)).map(|(name, _)| name);
    given.iter().copied().chain(own).collect()
}

/// The text of a result: its own if it is one, else its JSON; `None` if there is no result.
fn text_of(result: &Json) -> Option<String> {
    if result.is_null() {
        return None;
    }
    Some(result.as_string().map_or_else(|| result.as_str().to_owned(), harmless))
}

fn harmless(text: String) -> String {
    rest::without_secrets(&text).unwrap_or(text)
}

/// What an id takes that leads to a tool.
fn weight(alias: &ToolId) -> usize {
    THING + alias.as_str().len()
}
