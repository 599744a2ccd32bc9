//! Blocks of thinking and of text.

use std::fmt;

use serde::Serialize;

use super::html::ShowHtml;
use crate::polling::budget::{Budget, THING};

/// What a block holds.
///
/// Since 0.1.0. Source: the reference reduction, points 7 and 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BlockKind {
    /// What the model thinks.
    Thinking,
    /// What it says.
    Text,
}

/// Something for each kind of block.
#[derive(Clone, Default, PartialEq, Eq)]
pub(in crate::polling) struct ByKind<T> {
    thinking: T,
    text: T,
}

impl<T> ByKind<T> {
    pub(in crate::polling) const fn of(&self, kind: BlockKind) -> &T {
        match kind {
            BlockKind::Thinking => &self.thinking,
            BlockKind::Text => &self.text,
        }
    }

    pub(in crate::polling) const fn of_mut(&mut self, kind: BlockKind) -> &mut T {
        match kind {
            BlockKind::Thinking => &mut self.thinking,
            BlockKind::Text => &mut self.text,
        }
    }
}

/// Under which attempt and request an action was made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) attempt: u64,
    pub(super) request: u64,
}

/// A run of thinking or of text. `Debug` shows its length.
///
/// Since 0.1.0. Source: the reference reduction, points 7 and 8.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    kind: BlockKind,
    text: String,
    streaming: bool,
    truncated: bool,
    attempt: u64,
    request: u64,
    /// What comes before it was frozen, so that it is only a part of the full content.
    #[serde(skip)]
    continues: bool,
    #[serde(skip)]
    html: ShowHtml,
    /// The block of that kind before it in the message.
    #[serde(skip)]
    before: Option<usize>,
}

impl Block {
    pub(super) fn new(kind: BlockKind, stamp: Stamp, before: Option<usize>, continues: bool) -> Self {
        Self {
            kind,
            text: String::new(),
            streaming: true,
            truncated: false,
            attempt: stamp.attempt,
            request: stamp.request,
            continues,
            html: ShowHtml::default(),
            before,
        }
    }

    /// What it holds.
    pub const fn kind(&self) -> BlockKind {
        self.kind
    }

    /// What has come of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether more is to come.
    pub const fn is_streaming(&self) -> bool {
        self.streaming
    }

    /// Whether chunks were left out for want of room.
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The attempt in which it was made; see [`TaskView::attempt`](super::TaskView::attempt).
    pub const fn attempt(&self) -> u64 {
        self.attempt
    }

    /// The model request in which it was made, from 1; 0 before the first.
    pub const fn request(&self) -> u64 {
        self.request
    }

    pub(super) const fn before(&self) -> Option<usize> {
        self.before
    }

    /// Whether later text goes into a new block.
    pub(super) const fn is_full(&self) -> bool {
        self.html.is_complete()
    }

    /// Whether a full content must not overwrite it.
    pub(super) const fn is_frozen(&self) -> bool {
        self.continues || self.is_full()
    }

    pub(super) fn push(&mut self, text: &str, budget: &mut Budget) {
        // A text with a hole in it would be another text.
        self.truncated = self.truncated || !budget.take(text.len());
        if !self.truncated {
            self.text.push_str(text);
            self.look();
        }
    }

    pub(super) fn replace(&mut self, text: &str, budget: &mut Budget) {
        if budget.swap(self.text.len(), text.len()) {
            text.clone_into(&mut self.text);
            self.truncated = false;
            self.html = ShowHtml::default();
            self.look();
        }
    }

    fn look(&mut self) {
        if self.kind == BlockKind::Text {
            self.html.look(&self.text);
        }
    }

    pub(super) const fn close(&mut self) {
        self.streaming = false;
    }

    pub(super) fn weight(&self) -> usize {
        THING + self.text.len()
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block")
            .field("kind", &self.kind)
            .field("bytes", &self.text.len())
            .field("streaming", &self.streaming)
            .finish_non_exhaustive()
    }
}
