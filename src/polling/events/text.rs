//! Reasoning and text: begun, in pieces, ended.

use super::common::scope;
use crate::wire::payload::payload;
use crate::wire::{Integer, Number};

payload! {
    /// Reasoning begins.
    pub struct ThinkingStart = "PollingThinkingStartData", open with scope {}
}

payload! {
    /// A piece of the reasoning.
    pub struct ThinkingChunk = "PollingThinkingChunkData", open with scope {
        /// The piece.
        required content: String = "content",
    }
}

payload! {
    /// The reasoning ends. May come after the next tool is announced.
    pub struct ThinkingEnd = "PollingThinkingEndData", open with scope {
        /// All of it, which counts more than the pieces, also where it is empty.
        required full_content: String = "full_content",
    }
}

payload! {
    /// Text begins.
    pub struct TextStart = "PollingTextStartData", open with scope {}
}

payload! {
    /// A piece of the text.
    pub struct TextChunk = "PollingTextChunkData", open with scope {
        /// The piece.
        required content: String = "content",
        /// The number of the piece, from 1 in each block.
        expected index: Integer = "index",
        /// The time since the piece before, in seconds; 0 for the first.
        expected elapsed: Number = "elapsed",
    }
}

payload! {
    /// The text ends.
    pub struct TextEnd = "PollingTextEndData", open with scope {
        /// All of it, which counts more than the pieces unless it is empty.
        required full_content: String = "full_content",
    }
}
