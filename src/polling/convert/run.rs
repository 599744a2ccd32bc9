//! What a run is made of, event by event.

use super::blocks::Blocks;
use super::history::{Said, Speaker};
use super::pending::Pending;
use super::tools::{Tools, Unfinished};
use super::turn::Turn;
use super::users::Users;
use crate::agui::{self, RunFinishedCancelledOutcome, RunFinishedInterruptOutcome, RunFinishedOutcome};
use crate::polling::events::{ErrorEvent, Event, SystemMessage, UserMessage};
use crate::polling::view::BlockKind;
use crate::wire::{Json, JsonObject, Nullable};

/// How a run ends.
pub(super) enum Ending {
    /// The task is done, or waits for the user.
    Finished,
    /// The task was stopped.
    Cancelled,
    /// The task has failed: a text for people, and a code.
    Failed(String, Option<String>),
}

impl Ending {
    pub(super) fn failed(message: &str, code: &str) -> Self {
        Self::Failed(message.to_owned(), Some(code.to_owned()))
    }

    fn of_error(error: &ErrorEvent) -> Self {
        let mut texts = [&error.message, &error.error_text].into_iter().flatten();
        let message = texts.find(|text| !text.is_empty()).map_or("the task has failed", String::as_str);
        let code = error.error_type.as_ref().and_then(Nullable::as_option).filter(|code| !code.is_empty()).cloned();
        Self::Failed(message.to_owned(), code.or_else(|| error.error_code.as_ref().and_then(Json::as_string)))
    }
}

#[derive(Clone, Default)]
pub(super) struct Run {
    /// How often the model has begun anew.
    pub(super) attempt: u64,
    users: Users,
    blocks: Blocks,
    tools: Tools,
    pending: Pending,
}

impl Run {
    /// Takes an event that does not end the task.
    pub(super) fn take(&mut self, event: &Event, turn: &mut Turn<'_>) {
        if !(self.speaks(event, turn) || self.acts(event, turn)) {
            turn.custom(event);
        }
        turn.settle(false);
    }

    /// Takes messages, thinking and text. False if the event is about something else, or says
    /// more than that.
    fn speaks(&mut self, event: &Event, turn: &mut Turn<'_>) -> bool {
        let (blocks, scope) = (&mut self.blocks, turn.scope);
        match event {
            Event::UserMessage(message) => {
                if !self.users.update(message, turn) {
                    blocks.begin(turn);
                    let said = self.users.add(message, turn);
                    turn.say(said);
                }
            }
            Event::SystemMessage(message) => return system(message, turn),
            Event::ThinkingStart(start) => blocks.start(BlockKind::Thinking, scope.metadata(start, &[]), turn),
            Event::TextStart(start) => blocks.start(BlockKind::Text, scope.metadata(start, &[]), turn),
            Event::ThinkingChunk(chunk) => {
                let metadata = if chunk.extra.is_empty() { None } else { scope.metadata(chunk, &["content"]) };
                blocks.chunk(BlockKind::Thinking, &chunk.content, metadata, turn);
            }
            Event::TextChunk(chunk) => {
                let consumed = ["content", "index", "elapsed"];
                let metadata = if chunk.extra.is_empty() { None } else { scope.metadata(chunk, &consumed) };
                blocks.chunk(BlockKind::Text, &chunk.content, metadata, turn);
            }
            Event::ThinkingEnd(end) => {
                blocks.end(BlockKind::Thinking, &end.full_content, scope.metadata(end, &["full_content"]), turn);
            }
            Event::TextEnd(end) => {
                blocks.end(BlockKind::Text, &end.full_content, scope.metadata(end, &["full_content"]), turn);
            }
            Event::AiMessageStart(start) => {
                blocks.begin(turn);
                self.next_attempt(turn);
                return start.extra.is_empty();
            }
            _ => return false,
        }
        true
    }

    /// Takes attempts, tools, and what the user is asked. False if it is to be told by itself.
    fn acts(&mut self, event: &Event, turn: &mut Turn<'_>) -> bool {
        match event {
            Event::ApiRequestStart(_) => {
                self.next_attempt(turn);
                false
            }
            Event::StreamReset(_) => {
                self.blocks.reset(turn);
                self.tools.reset(turn);
                turn.memory.history.reset(turn.attempt);
                self.next_attempt(turn);
                false
            }
            Event::ToolPreparing(tool) => self.tools.prepare(tool, self.blocks.parent(turn.attempt), turn),
            Event::ToolIntent(intent) => {
                self.tools.intend(intent, turn);
                false
            }
            Event::ToolStart(tool) => self.tools.start(tool, self.blocks.parent(turn.attempt), turn),
            Event::UpdateAction(update) | Event::ToolUpdateAction(update) => self.tools.update(update, turn),
            _ => {
                self.pending.take(event, turn);
                false
            }
        }
    }

    /// Takes the message that a run begins with.
    pub(super) fn begin(&mut self, message: &UserMessage, turn: &mut Turn<'_>) -> agui::Message {
        self.users.add(message, turn).into_message()
    }

    /// Whether the user is asked something.
    pub(super) fn waits(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Takes the event that ends the task.
    pub(super) fn end(&mut self, event: &Event, turn: &mut Turn<'_>) {
        macro_rules! background {
            ($end:ident) => {
                [$end.has_running_sub_agents, $end.has_running_background_commands, $end.has_running_multi_agent]
            };
        }
        let (ending, background) = match event {
            Event::TaskComplete(end) => (Ending::Finished, background!(end)),
            Event::TaskStopped(end) => (Ending::Cancelled, background!(end)),
            Event::Error(error) => (Ending::of_error(error), [None; 3]),
            _ => (Ending::failed("the quota is used up", event.tag()), [None; 3]),
        };
        let consumed: &[&str] = if matches!(event, Event::Error(_)) { &["message", "error_type"] } else { &[] };
        let goes_on = background.contains(&Some(true));
        let unfinished = if goes_on { Unfinished::GoOn } else { Unfinished::Cancelled };
        let metadata = turn.scope.metadata(event, consumed);
        self.close(ending, unfinished, metadata, turn);
    }

    /// Ends what is open, and the run.
    pub(super) fn close(
        &mut self,
        ending: Ending,
        unfinished: Unfinished,
        metadata: Option<JsonObject>,
        turn: &mut Turn<'_>,
    ) {
        self.blocks.close_all(turn);
        let finished = matches!(ending, Ending::Finished);
        let interrupts = if finished { self.pending.interrupts(&self.tools) } else { Vec::new() };
        self.tools.finish(unfinished, !interrupts.is_empty(), turn);
        turn.settle(true);
        let outcome = match ending {
            Ending::Finished if interrupts.is_empty() => None,
            Ending::Finished => Some(RunFinishedOutcome::from(RunFinishedInterruptOutcome::new(interrupts))),
            Ending::Cancelled => Some(RunFinishedCancelledOutcome::new().into()),
            Ending::Failed(message, code) => {
                let mut error = agui::RunError::new(message);
                error.code = code;
                error.metadata = metadata;
                turn.put(error);
                return;
            }
        };
        let mut end = agui::RunFinished::new(turn.scope.thread.clone(), turn.scope.run.clone());
        end.outcome = outcome;
        end.metadata = metadata;
        turn.put(end);
    }

    fn next_attempt(&mut self, turn: &mut Turn<'_>) {
        self.attempt = self.attempt.saturating_add(1);
        self.tools.next_attempt();
        turn.memory.history.next_attempt();
    }
}

/// Takes a message of the server; false if it has no text.
fn system(message: &SystemMessage, turn: &mut Turn<'_>) -> bool {
    let Some(text) = message.content.clone().filter(|text| !text.is_empty()) else { return false };
    let (id, speaker) = (turn.mint("system").into(), Speaker::System);
    let said = Said { id, speaker, text, metadata: turn.scope.metadata(message, &["content"]) };
    turn.add(&said);
    turn.say(said);
    true
}
