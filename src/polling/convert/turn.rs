//! The event that is being converted, and where what it becomes goes.

use std::collections::HashSet;

use super::history::{History, Said, Speaker};
use super::rest::{KEY, Scope};
use crate::agui::{self, MessageId};
use crate::polling::budget::{Budget, THING};
use crate::polling::events::Event;

/// How much is remembered beside messages, in bytes: ids, results that came early, what the
/// user is asked.
const BYTES: usize = 64 * 1024 * 1024;

/// What is remembered of the run.
#[derive(Clone)]
pub(super) struct Memory {
    pub(super) history: History,
    /// The server's own ids of messages and calls.
    pub(super) taken: HashSet<Box<str>>,
    pub(super) room: Budget,
}

impl Default for Memory {
    fn default() -> Self {
        Self { history: History::default(), taken: HashSet::new(), room: Budget::new(BYTES) }
    }
}

pub(super) struct Turn<'c> {
    pub(super) scope: &'c Scope,
    pub(super) memory: &'c mut Memory,
    pub(super) out: &'c mut Vec<agui::Event>,
    pub(super) idx: u64,
    pub(super) attempt: u64,
}

impl Turn<'_> {
    /// Puts out an event.
    pub(super) fn put(&mut self, event: impl Into<agui::Event>) {
        self.out.push(event.into());
    }

    /// Puts out an event that AG-UI has no other place for.
    pub(super) fn custom(&mut self, event: &Event) {
        let name = format!("{KEY}.{}", event.tag());
        self.put(agui::Custom::new(name, self.scope.value(event)));
    }

    /// Puts out the snapshot that is due.
    pub(super) fn settle(&mut self, is_last: bool) {
        if let Some(snapshot) = self.memory.history.snapshot(is_last) {
            self.put(snapshot);
        }
    }

    /// An id of this event.
    pub(super) fn mint(&self, what: &str) -> String {
        self.scope.id(what, self.idx)
    }

    /// The server's own id, unless something else has it.
    pub(super) fn claim(&mut self, own: Option<&str>, what: &str) -> String {
        let is_free = |own: &&str| !own.is_empty() && !self.scope.owns(own) && !self.memory.taken.contains(*own);
        match own.filter(is_free) {
            Some(own) if self.memory.room.take(THING + own.len()) => {
                self.memory.taken.insert(own.into());
                own.to_owned()
            }
            _ => self.mint(what),
        }
    }

    /// Adds a message that comes whole, and gives its place.
    pub(super) fn add(&mut self, said: &Said) -> usize {
        let history = &mut self.memory.history;
        let place = history.add(said.id.clone(), said.speaker, None);
        history.append(place, &said.text);
        history.note(place, said.metadata.clone());
        place
    }

    /// Puts out a message that comes whole.
    pub(super) fn say(&mut self, said: Said) {
        let Said { id, speaker, text, metadata } = said;
        let role = match speaker {
            Speaker::User => agui::TextMessageRole::User,
            Speaker::Developer => agui::TextMessageRole::Developer,
            Speaker::System => agui::TextMessageRole::System,
            Speaker::Assistant | Speaker::Reasoning => agui::TextMessageRole::Assistant,
        };
        self.put(agui::TextMessageStart::new(id.clone()).with_role(role));
        self.write(&id, &text);
        let mut end = agui::TextMessageEnd::new(id);
        end.metadata = metadata;
        self.put(end);
    }

    /// Puts out a piece of text.
    pub(super) fn write(&mut self, id: &MessageId, delta: &str) {
        if !delta.is_empty() {
            self.put(agui::TextMessageContent::new(id.clone(), delta));
        }
    }
}
