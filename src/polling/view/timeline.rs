//! Messages, their blocks and tools, and the attempts in which they are made.
//!
//! Actions are only added to the current assistant, under an attempt that only grows. So
//! those of the current attempt are the last ones of their messages, and when a reset takes
//! them out, the others stay in their places.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::blocks::{Block, BlockKind, ByKind, Stamp};
use super::content::Content;
use super::links::{Links, Place};
use super::messages::{Action, Message, Role};
use super::tools::{PREPARING, RUNNING, Tool, aliases};
use crate::polling::budget::Budget;
use crate::polling::events::{MessageId, TaskId};

/// The event that is being taken, as ids of messages are made of it.
pub(super) struct Origin<'t, 'a> {
    pub(super) task: Option<TaskId>,
    pub(super) data: Content<'t, 'a>,
    pub(super) idx: u64,
}

impl Origin<'_, '_> {
    fn message_id(&self) -> MessageId {
        let own = self.task.as_ref().map(|task| task.as_str().into());
        let task = own.or_else(|| self.data.filled("task_id")).unwrap_or_else(|| "task".into());
        format!("{task}:{}", self.idx).into()
    }
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Timeline {
    messages: Vec<Message>,
    /// How many messages there may be.
    most: usize,
    /// The user messages that came with an id.
    users: HashMap<MessageId, usize>,
    /// The assistant's message that actions are added to.
    current: Option<usize>,
    last_assistant: Option<usize>,
    open: ByKind<Option<Place>>,
    /// The last blocks of the current assistant.
    last: ByKind<Option<usize>>,
    stamp: Stamp,
    /// The messages that have actions of the current attempt.
    touched: Vec<usize>,
    links: Links,
    /// The tools that the end of the task cancels.
    cancellable: HashSet<Place>,
}

impl Timeline {
    pub(super) fn new(most: usize) -> Self {
        Self {
            messages: Vec::new(),
            most,
            users: HashMap::new(),
            current: None,
            last_assistant: None,
            open: ByKind::default(),
            last: ByKind::default(),
            stamp: Stamp { attempt: 0, request: 0 },
            touched: Vec::new(),
            links: Links::default(),
            cancellable: HashSet::new(),
        }
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(super) const fn attempt(&self) -> u64 {
        self.stamp.attempt
    }

    pub(super) const fn requests(&self) -> u64 {
        self.stamp.request
    }

    pub(super) const fn is_streaming(&self) -> bool {
        self.open.of(BlockKind::Thinking).is_some() || self.open.of(BlockKind::Text).is_some()
    }

    /// Takes `user_message`.
    pub(super) fn user(&mut self, origin: &Origin<'_, '_>, budget: &mut Budget) {
        let given = origin.data.filled("message_id").map(|id| MessageId::from(&*id));
        let known = given.as_ref().and_then(|id| self.users.get(id)).copied();
        if let Some(message) = known.and_then(|at| self.messages.get_mut(at)) {
            message.update(origin.data, budget);
            return;
        }
        self.close_blocks();
        self.current = None;
        let id = given.clone().unwrap_or_else(|| origin.message_id());
        let Some(at) = self.append(Message::new(id, Role::User), budget) else { return };
        if let Some(message) = self.messages.get_mut(at) {
            message.update(origin.data, budget);
        }
        if let Some(id) = given {
            self.users.insert(id, at);
        }
    }

    /// Adds a system message; the assistant goes on.
    pub(super) fn system(&mut self, text: &str, origin: &Origin<'_, '_>, budget: &mut Budget) {
        let at = self.append(Message::new(origin.message_id(), Role::System), budget);
        if let Some(message) = at.and_then(|at| self.messages.get_mut(at)) {
            message.set_text(text, budget);
        }
    }

    /// Takes `ai_message_start`.
    pub(super) fn assistant(&mut self, origin: &Origin<'_, '_>, budget: &mut Budget) {
        self.close_blocks();
        self.begin(origin, budget);
        self.next_attempt();
    }

    /// Takes `api_request_start`.
    pub(super) fn request(&mut self) {
        self.stamp.request = self.stamp.request.saturating_add(1);
        self.next_attempt();
    }

    /// Takes `thinking_start` and `text_start`.
    pub(super) fn start(&mut self, kind: BlockKind, origin: &Origin<'_, '_>, budget: &mut Budget) {
        if self.open.of(kind).is_none() {
            self.open_block(kind, false, origin, budget);
        }
    }

    /// Takes `thinking_chunk` and `text_chunk`, which is not empty.
    pub(super) fn chunk(&mut self, kind: BlockKind, text: &str, origin: &Origin<'_, '_>, budget: &mut Budget) {
        let open = *self.open.of(kind);
        let place = match open {
            Some(place) if block(&mut self.messages, place).is_some_and(|block| block.is_full()) => {
                self.close(kind);
                self.open_block(kind, true, origin, budget)
            }
            Some(place) => Some(place),
            None => self.open_block(kind, false, origin, budget),
        };
        if let Some(block) = place.and_then(|place| block(&mut self.messages, place)) {
            block.push(text, budget);
        }
    }

    /// Takes `thinking_end` and `text_end`, with their full content if it is a string.
    pub(super) fn end(&mut self, kind: BlockKind, full: Option<&str>, origin: &Origin<'_, '_>, budget: &mut Budget) {
        // The reference blanks thinking, but not text.
        let full = full.filter(|full| kind == BlockKind::Thinking || !full.is_empty());
        let open = self.open.of_mut(kind).take();
        let last = self.current.zip(*self.last.of(kind)).map(|(message, action)| Place { message, action });
        let place = match full {
            Some(_) => open.or(last).or_else(|| self.open_block(kind, false, origin, budget)),
            None => open,
        };
        *self.open.of_mut(kind) = None;
        let Some(block) = place.and_then(|place| block(&mut self.messages, place)) else { return };
        if let Some(full) = full.filter(|_| !block.is_frozen()) {
            block.replace(full, budget);
        }
        block.close();
    }

    /// Takes `tool_preparing`.
    pub(super) fn prepare_tool(&mut self, origin: &Origin<'_, '_>, budget: &mut Budget) {
        let aliases = aliases(origin.data);
        let place = match self.links.find(&aliases) {
            Some(place) => Some(place).filter(|_| tool(&self.messages, place).is_some_and(Tool::is_preparing)),
            None => self.make_tool(PREPARING, origin, budget),
        };
        let Some(place) = place else { return };
        self.bind(&aliases, place, budget);
        self.change(place, |tool| tool.absorb(origin.data, false, budget));
    }

    /// Takes `tool_start`.
    pub(super) fn start_tool(&mut self, origin: &Origin<'_, '_>, budget: &mut Budget) {
        let aliases = aliases(origin.data);
        let place = self.links.find(&aliases).or_else(|| self.make_tool(RUNNING, origin, budget));
        let Some(place) = place else { return };
        self.bind(&aliases, place, budget);
        self.change(place, |tool| tool.start(origin.data, budget));
    }

    /// Takes `tool_intent` and `update_action`, which change a tool that is known.
    pub(super) fn change_tool(
        &mut self,
        event: Content<'_, '_>,
        budget: &mut Budget,
        change: impl FnOnce(&mut Tool, &mut Budget),
    ) {
        let aliases = aliases(event);
        let Some(place) = self.links.find(&aliases) else { return };
        self.bind(&aliases, place, budget);
        self.change(place, |tool| change(tool, budget));
    }

    /// Takes `stream_reset`: nothing of the current attempt stays.
    pub(super) fn reset(&mut self, budget: &mut Budget) {
        let (attempt, messages) = (self.stamp.attempt, &self.messages);
        let is_gone = |place| tool(messages, place).is_some_and(|tool| tool.attempt() == attempt);
        self.links.drop_fresh(is_gone, budget);
        for at in std::mem::take(&mut self.touched) {
            self.cut(at, budget);
        }
        self.next_attempt();
    }

    /// Takes the actions of the current attempt out of a message.
    fn cut(&mut self, at: usize, budget: &mut Budget) {
        let attempt = self.stamp.attempt;
        let Some(message) = self.messages.get_mut(at) else { return };
        let actions = message.actions_mut();
        while let Some(action) = actions.pop_if(|action| action.attempt() == attempt) {
            let place = Place { message: at, action: actions.len() };
            budget.give_back(action.weight());
            match action {
                Action::Tool(_) => {
                    self.cancellable.remove(&place);
                }
                Action::Block(block) => {
                    let open = self.open.of_mut(block.kind());
                    *open = open.filter(|open| *open != place);
                    if self.current == Some(at) {
                        *self.last.of_mut(block.kind()) = block.before();
                    }
                }
            }
        }
    }

    pub(super) fn close_blocks(&mut self) {
        self.close(BlockKind::Thinking);
        self.close(BlockKind::Text);
    }

    pub(super) fn cancel_tools(&mut self) {
        for place in std::mem::take(&mut self.cancellable) {
            if let Some(tool) = tool_mut(&mut self.messages, place) {
                tool.cancel();
            }
        }
    }

    /// Puts citations into the metadata of the assistant that spoke last.
    pub(super) fn cite(&mut self, citations: Content<'_, '_>, budget: &mut Budget) {
        if let Some(message) = self.last_assistant.and_then(|at| self.messages.get_mut(at)) {
            message.fields_mut().set("citations", citations, budget);
        }
    }

    fn next_attempt(&mut self) {
        self.stamp.attempt = self.stamp.attempt.saturating_add(1);
        self.touched.clear();
        self.links.next_attempt();
    }

    fn append(&mut self, message: Message, budget: &mut Budget) -> Option<usize> {
        if self.messages.len() >= self.most {
            budget.exceed();
            return None;
        }
        budget.take(message.weight()).then(|| {
            self.messages.push(message);
            self.messages.len() - 1
        })
    }

    /// Begins a message of the assistant.
    fn begin(&mut self, origin: &Origin<'_, '_>, budget: &mut Budget) {
        self.current = self.append(Message::new(origin.message_id(), Role::Assistant), budget);
        self.last = ByKind::default();
        self.last_assistant = self.current.or(self.last_assistant);
    }

    /// Adds an action to the current assistant, which begins if there is none.
    fn add(
        &mut self,
        make: impl FnOnce(&Self) -> Action,
        origin: &Origin<'_, '_>,
        budget: &mut Budget,
    ) -> Option<Place> {
        if self.current.is_none() {
            self.begin(origin, budget);
        }
        let message = self.current?;
        let action = make(self);
        if !budget.take(action.weight()) {
            return None;
        }
        let actions = self.messages.get_mut(message)?.actions_mut();
        actions.push(action);
        let place = Place { message, action: actions.len() - 1 };
        if self.touched.last() != Some(&message) {
            self.touched.push(message);
        }
        Some(place)
    }

    fn open_block(
        &mut self,
        kind: BlockKind,
        continues: bool,
        origin: &Origin<'_, '_>,
        budget: &mut Budget,
    ) -> Option<Place> {
        let make = |line: &Self| Action::Block(Block::new(kind, line.stamp, *line.last.of(kind), continues));
        let place = self.add(make, origin, budget)?;
        *self.last.of_mut(kind) = Some(place.action);
        *self.open.of_mut(kind) = Some(place);
        Some(place)
    }

    fn close(&mut self, kind: BlockKind) {
        let open = self.open.of_mut(kind).take();
        if let Some(block) = open.and_then(|place| block(&mut self.messages, place)) {
            block.close();
        }
    }

    fn make_tool(&mut self, status: &str, origin: &Origin<'_, '_>, budget: &mut Budget) -> Option<Place> {
        let aliases = aliases(origin.data);
        let id = aliases.first().map_or("", |id| &**id);
        self.add(|line| Action::Tool(Tool::new(id, status, line.stamp)), origin, budget)
    }

    fn bind(&mut self, aliases: &[Cow<'_, str>], place: Place, budget: &mut Budget) {
        let is_fresh = tool(&self.messages, place).is_some_and(|tool| tool.attempt() == self.stamp.attempt);
        self.links.bind(aliases, place, is_fresh, budget);
    }

    /// Changes a tool, and notes whether the end of the task would cancel it.
    fn change(&mut self, place: Place, change: impl FnOnce(&mut Tool)) {
        let Some(tool) = tool_mut(&mut self.messages, place) else { return };
        change(tool);
        if tool.is_cancellable() {
            self.cancellable.insert(place);
        } else {
            self.cancellable.remove(&place);
        }
    }
}

fn block(messages: &mut [Message], place: Place) -> Option<&mut Block> {
    match messages.get_mut(place.message)?.actions_mut().get_mut(place.action)? {
        Action::Block(block) => Some(block),
        Action::Tool(_) => None,
    }
}

fn tool_mut(messages: &mut [Message], place: Place) -> Option<&mut Tool> {
    match messages.get_mut(place.message)?.actions_mut().get_mut(place.action)? {
        Action::Tool(tool) => Some(tool),
        Action::Block(_) => None,
    }
}

fn tool(messages: &[Message], place: Place) -> Option<&Tool> {
    messages.get(place.message)?.actions().get(place.action)?.as_tool()
}
