//! The messages of a task.

use std::fmt;

use serde::Serialize;

use super::super::events::is_scope;
use super::blocks::{Block, BlockKind};
use super::content::Content;
use super::fields::Fields;
use super::tools::Tool;
use crate::polling::budget::{Budget, THING};
use crate::polling::events::MessageId;

/// Who speaks.
///
/// Since 0.1.0. Source: the reference reduction, points 4, 5 and 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// The user, or whatever the server sends in that place: see `message_source`.
    User,
    /// The assistant.
    Assistant,
    /// The server.
    System,
}

/// A piece of the assistant's message.
///
/// Since 0.1.0. Source: the reference reduction, points 7 to 9.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Action {
    /// Thinking or text.
    Block(Block),
    /// A tool call.
    Tool(Tool),
}

impl Action {
    /// The block, if it is one.
    pub const fn as_block(&self) -> Option<&Block> {
        match self {
            Self::Block(block) => Some(block),
            Self::Tool(_) => None,
        }
    }

    /// The tool call, if it is one.
    pub const fn as_tool(&self) -> Option<&Tool> {
        match self {
            Self::Tool(tool) => Some(tool),
            Self::Block(_) => None,
        }
    }

    pub(super) const fn attempt(&self) -> u64 {
        match self {
            Self::Block(block) => block.attempt(),
            Self::Tool(tool) => tool.attempt(),
        }
    }

    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Block(block) => block.weight(),
            Self::Tool(tool) => tool.weight(),
        }
    }
}

/// A message. `Debug` shows sizes.
///
/// Since 0.1.0. Source: the reference reduction, points 4, 5 and 13.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    id: MessageId,
    role: Role,
    text: String,
    actions: Vec<Action>,
    fields: Fields,
}

impl Message {
    pub(super) fn new(id: MessageId, role: Role) -> Self {
        Self { id, role, text: String::new(), actions: Vec::new(), fields: Fields::default() }
    }

    /// The `message_id` of a user message that has one, else made of the task's id and the
    /// `idx` of the event.
    pub const fn id(&self) -> &MessageId {
        &self.id
    }

    /// Who speaks.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The text of a user or system message. The assistant's is in its blocks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the assistant has thought, said and done, in order.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The blocks among the actions.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.actions.iter().filter_map(Action::as_block)
    }

    /// The tool calls among the actions.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.actions.iter().filter_map(Action::as_tool)
    }

    /// The assistant's text: that of its text blocks, one behind the other.
    pub fn answer(&self) -> String {
        self.blocks().filter(|block| block.kind() == BlockKind::Text).map(Block::text).collect()
    }

    /// The other members of a `user_message`; of the assistant its metadata, which is
    /// `citations`.
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(super) const fn fields_mut(&mut self) -> &mut Fields {
        &mut self.fields
    }

    pub(super) const fn actions_mut(&mut self) -> &mut Vec<Action> {
        &mut self.actions
    }

    /// Takes what a `user_message` says. A member that it lacks stays as it was.
    pub(super) fn update(&mut self, event: Content<'_, '_>, budget: &mut Budget) {
        let message = event.filled("message");
        let is_content = message.is_none() && event.filled("content").is_some();
        if let Some(text) = message.or_else(|| event.filled("content")) {
            self.set_text(&text, budget);
        }
        let own = |name: &str| match name {
            "message" | "message_id" => true,
            "content" => is_content,
            _ => is_scope(name),
        };
        self.fields.set_all(event, |name| !own(name), budget);
    }

    pub(super) fn set_text(&mut self, text: &str, budget: &mut Budget) {
        if budget.swap(self.text.len(), text.len()) {
            text.clone_into(&mut self.text);
        }
    }

    /// What a message takes that holds nothing yet.
    pub(super) fn weight(&self) -> usize {
        THING + 2 * self.id.as_str().len()
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("role", &self.role)
            .field("bytes", &self.text.len())
            .field("actions", &self.actions)
            .finish_non_exhaustive()
    }
}
