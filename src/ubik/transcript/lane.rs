//! Text of a message with the blocks that events have put into it.

use memchr::memmem;

use crate::ubik::events::InputRequired;
use crate::ubik::markup::tag::{self, BodyKind, Next, Role};

/// A piece of the text.
#[derive(Clone)]
pub(super) enum Item {
    Text(String),
    Checkpoint(String),
    Question(Box<Question>),
}

/// A question, and the user's answer as the body of its block.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) input: InputRequired,
    pub(super) answer: Option<Box<str>>,
}

/// The text of a step, or of what lies between steps. A block that comes while a tag or a body has begun stands behind
/// its end: chunks may cut both anywhere.
#[derive(Clone, Default)]
pub(super) struct Lane {
    items: Vec<Item>,
    /// What the text before the last blocks ends within.
    open: Option<Open>,
}

/// A tag or a body that has begun.
#[derive(Clone)]
struct Open {
    /// The item whose text it is in.
    item: usize,
    /// Where it begins, or where the end of the body is looked for from.
    at: usize,
    body: Option<BodyKind>,
}

impl Lane {
    pub(super) fn of(item: Item) -> Self {
        Self { items: vec![item], open: None }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Adds text. Gives `false` if that does not only make the text longer.
    pub(super) fn push_text(&mut self, content: &str) -> bool {
        if let Some(Item::Text(text)) = self.items.last_mut() {
            text.push_str(content);
            return true;
        }
        let Some(open) = &mut self.open else {
            self.items.push(Item::Text(content.to_owned()));
            return self.items.len() == 1;
        };
        if let Some(Item::Text(text)) = self.items.get_mut(open.item) {
            let before = text.len();
            text.push_str(content);
            if let Some(end) = open.next_end(text, before) {
                let behind = text.split_off(end.max(before));
                self.open = None;
                if !behind.is_empty() {
                    self.items.push(Item::Text(behind));
                }
            }
        }
        false
    }

    pub(super) fn push_block(&mut self, block: Item) {
        if let Some(Item::Text(text)) = self.items.last() {
            self.open = Open::of(text, self.items.len() - 1);
        }
        self.items.push(block);
    }
}

impl Open {
    /// What a text ends within.
    fn of(text: &str, item: usize) -> Option<Self> {
        let mut open = Self { item, at: 0, body: None };
        while let Some(end) = open.next_end(text, text.len()) {
            if end == text.len() {
                return None;
            }
            (open.at, open.body) = (end, None);
        }
        Some(open)
    }

    /// Where it ends; `None` as long as its end has not come. What proves to be no tag ends where the text ended
    /// `before`, when it may have been one.
    fn next_end(&mut self, text: &str, before: usize) -> Option<usize> {
        if self.body.is_none() {
            let tag = match tag::find(text.as_bytes(), self.at, false) {
                Next::Tag(tag) if tag.span.start < before => tag,
                Next::Held(at) if at < before => {
                    self.at = at;
                    return None;
                }
                _ => return Some(before),
            };
            let Role::OpenBody(kind) = tag.kind.role() else { return Some(tag.span.end) };
            (self.at, self.body) = (tag.span.end, Some(kind));
        }
        let end = self.body?.end_text();
        let rest = text.as_bytes().get(self.at..).unwrap_or_default();
        let found = memmem::find(rest, end.as_bytes()).map(|found| self.at + found + end.len());
        if found.is_none() {
            self.at = self.at.max((text.len() + 1).saturating_sub(end.len()));
        }
        found
    }
}
