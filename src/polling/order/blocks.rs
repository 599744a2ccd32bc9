//! Thinking and text: begun, in chunks, and ended with the whole of it.

use super::super::events::EventType;
use super::super::facts::{CONTENT, FULL_CONTENT, INDEX};
use super::super::rules;
use crate::check::order::{Arrival, Place};
use crate::check::sequence::{Sequence, Step};
use crate::safe::{show_count, show_number};

pub(super) struct Blocks {
    thinking: Block,
    text: Block,
    bound: usize,
    forgot: bool,
}

/// A block of one kind.
#[derive(Default)]
struct Block {
    open: Option<Place>,
    /// There was one since the attempt began.
    any: bool,
    text: String,
    /// The text is not all that came.
    is_partial: bool,
    /// What came before was not seen.
    is_blurred: bool,
    /// It was said that chunks were missing when it ended.
    lacks_chunks: bool,
    /// A chunk has opened it, which was said.
    lacks_start: bool,
    /// The indexes so far; none while it is not known which comes next.
    index: Option<Sequence>,
}

/// Before the first chunk, whose index is 1.
const FROM_ONE: Sequence = Sequence::new(0.0);

impl Block {
    fn begin(&mut self, place: Place) {
        *self = Self { open: Some(place), any: true, index: Some(FROM_ONE), ..Self::default() };
    }
}

impl Blocks {
    pub(super) fn new(bound: usize) -> Self {
        Self { thinking: Block::default(), text: Block::default(), bound, forgot: false }
    }

    fn both(&mut self) -> [&mut Block; 2] {
        [&mut self.thinking, &mut self.text]
    }

    /// Events were not seen, or could not be read.
    pub(super) fn blur(&mut self) {
        for block in self.both() {
            block.is_blurred = true;
            block.is_partial = true;
            block.index = None;
        }
    }

    /// A message begins, which ends what is open. `is_told`: it was said that it stands in a wrong place.
    pub(super) fn close(&mut self, is_told: bool) {
        for block in self.both().into_iter().filter(|block| block.open.is_some()) {
            (block.open, block.lacks_start) = (None, false);
            block.is_blurred |= is_told;
            block.is_partial |= is_told;
        }
    }

    /// A request was made: chunks are counted anew.
    pub(super) fn request(&mut self) {
        for block in self.both() {
            block.any = block.open.is_some();
            block.index = (!block.is_blurred).then_some(FROM_ONE);
        }
    }

    /// The attempt was given up: what came in it is void.
    pub(super) fn reset(&mut self) {
        for block in self.both() {
            *block = Block::default();
        }
    }

    pub(super) fn push(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType::{TextChunk, TextEnd, TextStart, ThinkingChunk, ThinkingStart};
        let is_text = matches!(event, TextStart | TextChunk | TextEnd);
        let (block, noun) = if is_text { (&mut self.text, "text") } else { (&mut self.thinking, "thinking") };
        match event {
            // It comes late: what the chunks are of is in doubt.
            TextStart | ThinkingStart if std::mem::take(&mut block.lacks_start) => block.is_partial = true,
            TextStart | ThinkingStart => {
                if let Some(place) = block.open.filter(|_| arrival.is_clean() && !block.is_blurred) {
                    let related = place.related("it was begun here");
                    let message = format!("a block of {noun} is open already");
                    arrival.fault_related(&rules::START_WHILE_OPEN, None, message, Some(related));
                    // Which chunks are of it is in doubt.
                    block.is_partial = true;
                    return;
                }
                block.begin(arrival.place());
            }
            // Clients pass over it.
            TextChunk | ThinkingChunk if block.open.is_none() && arrival.facts.string(CONTENT).is_none() => {}
            TextChunk | ThinkingChunk => {
                if block.open.is_none() {
                    let forgiven = block.is_blurred || block.lacks_chunks;
                    block.begin(arrival.place());
                    // What came before it is not known.
                    block.is_partial = true;
                    block.is_blurred = forgiven;
                    block.lacks_start = !forgiven;
                    block.index = None;
                    if !forgiven {
                        arrival.fault(&rules::CHUNK_WITHOUT_START, None, format!("no block of {noun} is open"));
                    }
                }
                Self::chunk(block, self.bound, &mut self.forgot, is_text, arrival);
            }
            _ => Self::end_block(block, noun, arrival),
        }
    }

    fn chunk(block: &mut Block, bound: usize, forgot: &mut bool, is_text: bool, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        match facts.string(CONTENT) {
            Some(content) if block.text.len() + content.len() <= bound => block.text.push_str(&content),
            Some(_) => {
                block.is_partial = true;
                *forgot = true;
            }
            None => block.is_partial = true,
        }
        if !is_text {
            return;
        }
        match (&mut block.index, facts.number(INDEX)) {
            (Some(known), None) => known.skip(),
            (Some(known), Some(index)) => {
                if let Step::Gap { before, .. } = known.take(index) {
                    let (has, next) = (show_number(facts.raw(INDEX)), show_count((before + 1.0) as u64));
                    let message = format!("the chunk has index {has}, and {next} comes next");
                    arrival.fault(&rules::TEXT_CHUNK_INDEX, Some(INDEX), message);
                    // A chunk is missing, or came twice.
                    block.is_partial = true;
                }
            }
            (unknown, index) => *unknown = index.map(Sequence::new),
        }
    }

    /// Whether a chunk is in order that comes behind one that was.
    pub(super) fn can_go_on(&self, is_text: bool, content: &str, index: Option<f64>) -> bool {
        let block = if is_text { &self.text } else { &self.thinking };
        let is_next = block.index.zip(index).is_some_and(|(known, index)| known.expects(index));
        block.text.len() + content.len() <= self.bound && (is_next || !is_text)
    }

    pub(super) fn go_on(&mut self, is_text: bool, content: &str, index: Option<f64>) {
        let block = if is_text { &mut self.text } else { &mut self.thinking };
        block.text.push_str(content);
        if is_text && let Some((known, index)) = block.index.as_mut().zip(index) {
            known.take(index);
        }
    }

    fn end_block(block: &mut Block, noun: &str, arrival: &mut Arrival<'_, '_, '_>) {
        let is_again = block.open.is_none();
        if is_again && !block.any {
            if !block.is_blurred {
                arrival.fault(&rules::END_WITHOUT_START, None, format!("there is no block of {noun} to end"));
            }
            (block.any, block.is_partial) = (true, true);
            return;
        }
        let full = arrival.facts.string(FULL_CONTENT);
        let differs = full.as_ref().is_some_and(|full| *full != block.text);
        let lacks_chunks = differs && full.as_ref().is_some_and(|full| full.starts_with(&block.text));
        if differs && !block.is_partial {
            let message = if is_again {
                format!("the block of {noun} has ended with another text, which this one replaces")
            } else {
                "the full content is not the text of the chunks".to_owned()
            };
            arrival.fault(&rules::FULL_CONTENT_MISMATCH, Some(FULL_CONTENT), message);
        }
        // Another end would replace the text.
        let is_partial = block.is_partial || differs || full.is_none();
        *block =
            Block { any: true, text: std::mem::take(&mut block.text), is_partial, lacks_chunks, ..Block::default() };
    }

    /// The task has ended.
    pub(super) fn end(&self, arrival: &mut Arrival<'_, '_, '_>) {
        for (block, noun) in [(&self.thinking, "thinking"), (&self.text, "text")] {
            if let Some(place) = block.open.filter(|_| !block.is_blurred && !block.lacks_start) {
                let message = format!("a block of {noun} is still open");
                arrival.fault_related(&rules::BLOCK_LEFT_OPEN, None, message, Some(place.related("begun here")));
            }
        }
    }

    /// The size of the text that is remembered.
    pub(super) fn text_bytes(&self) -> usize {
        self.thinking.text.len() + self.text.text.len()
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        std::mem::take(&mut self.forgot)
    }
}
