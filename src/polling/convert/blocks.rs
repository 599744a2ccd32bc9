//! Blocks of text and of thinking.

use super::history::Speaker;
use super::turn::Turn;
use crate::agui::{self, MessageId};
use crate::polling::view::blocks::{BlockKind, ByKind};
use crate::polling::view::html::ShowHtml;
use crate::wire::JsonObject;

/// A block, which is a message in AG-UI.
#[derive(Clone)]
struct Block {
    id: MessageId,
    place: usize,
    attempt: u64,
    is_empty: bool,
    /// Of a text: one with a complete element goes on in another block, and no full content replaces either.
    html: ShowHtml,
    continues: bool,
}

impl Block {
    const fn is_frozen(&self) -> bool {
        self.continues || self.html.is_complete()
    }

    /// Looks for an element in the whole text, which was replaced.
    fn look_at(&mut self, kind: BlockKind, text: &str) {
        self.html = ShowHtml::default();
        if kind == BlockKind::Text {
            self.html.look(text);
        }
    }
}

/// The message that calls belong to.
#[derive(Clone)]
pub(super) struct Parent {
    pub(super) id: MessageId,
    pub(super) place: usize,
}

/// The blocks of one kind.
#[derive(Clone, Default)]
struct Lane {
    open: Option<Block>,
    /// Those since the assistant began.
    made: Vec<Block>,
}

#[derive(Clone, Default)]
pub(super) struct Blocks(ByKind<Lane>);

impl Blocks {
    /// The text that calls of an attempt belong to: its last one.
    pub(super) fn parent(&self, attempt: u64) -> Option<Parent> {
        let block = self.0.of(BlockKind::Text).made.last().filter(|block| block.attempt == attempt)?;
        Some(Parent { id: block.id.clone(), place: block.place })
    }

    /// Takes `text_start` and `thinking_start`.
    pub(super) fn start(&mut self, kind: BlockKind, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        if self.0.of_mut(kind).open.is_none() {
            self.open(kind, metadata, turn);
        }
    }

    /// Takes `text_chunk` and `thinking_chunk`.
    pub(super) fn chunk(&mut self, kind: BlockKind, text: &str, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        if text.is_empty() {
            return;
        }
        let is_full = self.0.of_mut(kind).open.as_ref().is_some_and(|block| block.html.is_complete());
        if is_full {
            self.close(kind, None, turn);
        }
        self.start(kind, None, turn);
        let lane = self.0.of_mut(kind);
        if let Some(block) = &mut lane.open {
            block.is_empty = false;
            block.continues |= is_full;
            write(kind, block, text, metadata, turn);
            if kind == BlockKind::Text {
                block.html.look(turn.memory.history.text(block.place).unwrap_or_default());
            }
            if let Some(last) = lane.made.last_mut() {
                last.clone_from(block);
            }
        }
    }

    /// Takes `text_end` and `thinking_end`.
    pub(super) fn end(&mut self, kind: BlockKind, full: &str, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        // The reference blanks thinking, but not text.
        let counts = kind == BlockKind::Thinking || !full.is_empty();
        if self.0.of_mut(kind).open.is_none() {
            if !counts {
                return;
            }
            if let Some(last) = self.0.of_mut(kind).made.last_mut() {
                if !last.is_frozen() {
                    turn.memory.history.replace(last.place, full);
                    last.look_at(kind, full);
                }
                return;
            }
            self.open(kind, None, turn);
        }
        let lane = self.0.of_mut(kind);
        if let Some(block) = lane.open.as_ref().filter(|block| counts && !block.is_frozen()) {
            complete(kind, block, full, turn);
            if let Some(last) = lane.made.last_mut() {
                last.look_at(kind, full);
            }
        }
        self.close(kind, metadata, turn);
    }

    /// Ends what is open; what comes is of another message of the assistant.
    pub(super) fn begin(&mut self, turn: &mut Turn<'_>) {
        self.close_all(turn);
        for kind in [BlockKind::Thinking, BlockKind::Text] {
            self.0.of_mut(kind).made.clear();
        }
    }

    /// Ends what is open.
    pub(super) fn close_all(&mut self, turn: &mut Turn<'_>) {
        self.close(BlockKind::Thinking, None, turn);
        self.close(BlockKind::Text, None, turn);
    }

    /// Ends and forgets what the current attempt has made.
    pub(super) fn reset(&mut self, turn: &mut Turn<'_>) {
        let attempt = turn.attempt;
        for kind in [BlockKind::Thinking, BlockKind::Text] {
            let lane = self.0.of_mut(kind);
            while lane.made.pop_if(|block| block.attempt == attempt).is_some() {}
            if lane.open.as_ref().is_some_and(|block| block.attempt == attempt) {
                self.close(kind, None, turn);
            }
        }
    }

    fn open(&mut self, kind: BlockKind, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        let (what, speaker) = match kind {
            BlockKind::Text => ("text", Speaker::Assistant),
            BlockKind::Thinking => ("thinking", Speaker::Reasoning),
        };
        let id = MessageId::from(turn.mint(what));
        let history = &mut turn.memory.history;
        let place = history.add(id.clone(), speaker, Some(turn.attempt));
        history.note(place, metadata.clone());
        match kind {
            BlockKind::Text => {
                let mut start = agui::TextMessageStart::new(id.clone()).with_role(agui::TextMessageRole::Assistant);
                start.metadata = metadata;
                turn.put(start);
            }
            BlockKind::Thinking => {
                turn.put(agui::ReasoningStart::new(id.clone()));
                let mut start = agui::ReasoningMessageStart::new(id.clone(), agui::ReasoningRole::Reasoning);
                start.metadata = metadata;
                turn.put(start);
            }
        }
        let block =
            Block { id, place, attempt: turn.attempt, is_empty: true, html: ShowHtml::default(), continues: false };
        let is_lost = turn.memory.history.is_lost();
        let lane = self.0.of_mut(kind);
        // They are only of use for what is kept.
        if is_lost {
            lane.made.clear();
        } else {
            lane.made.push(block.clone());
        }
        lane.open = Some(block);
    }

    fn close(&mut self, kind: BlockKind, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
        let Some(block) = self.0.of_mut(kind).open.take() else { return };
        turn.memory.history.note(block.place, metadata.clone());
        match kind {
            BlockKind::Text => {
                let mut end = agui::TextMessageEnd::new(block.id);
                end.metadata = metadata;
                turn.put(end);
            }
            BlockKind::Thinking => {
                let mut end = agui::ReasoningMessageEnd::new(block.id.clone());
                end.metadata = metadata;
                turn.put(end);
                turn.put(agui::ReasoningEnd::new(block.id));
            }
        }
    }
}

/// Puts out a piece.
fn write(kind: BlockKind, block: &Block, text: &str, metadata: Option<JsonObject>, turn: &mut Turn<'_>) {
    turn.memory.history.append(block.place, text);
    turn.memory.history.note(block.place, metadata.clone());
    match kind {
        BlockKind::Text => {
            let mut content = agui::TextMessageContent::new(block.id.clone(), text);
            content.metadata = metadata;
            turn.put(content);
        }
        BlockKind::Thinking => {
            let mut content = agui::ReasoningMessageContent::new(block.id.clone(), text);
            content.metadata = metadata;
            turn.put(content);
        }
    }
}

/// Makes the full content of what has come of a block.
fn complete(kind: BlockKind, block: &Block, full: &str, turn: &mut Turn<'_>) {
    let history = &mut turn.memory.history;
    // Of a text that is not kept it is believed that it was whole.
    let so_far = history.text(block.place).unwrap_or(if block.is_empty { "" } else { full });
    match full.strip_prefix(so_far) {
        Some("") => {}
        Some(missing) => write(kind, block, missing, None, turn),
        None => history.replace(block.place, full),
    }
}
