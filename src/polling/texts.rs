//! Texts that come in pieces: the blocks of an answer. What is said of tools is whole each time
//! that it comes.

use super::events::EventType;
use super::facts::CONTENT;
use crate::check::seams::{Does, TextRow};

/// The answer; thinking is the other kind.
pub(super) const TEXT: u8 = 0;
const THINKING: u8 = 1;

/// A block that is begun while one is open is the same.
pub(super) static ROWS: [TextRow<EventType>; 5] = [
    TextRow::new(&[EventType::TextChunk], TEXT, &[], Does::Continue(&[CONTENT])),
    TextRow::new(&[EventType::TextEnd], TEXT, &[], Does::End),
    TextRow::new(&[EventType::ThinkingChunk], THINKING, &[], Does::Continue(&[CONTENT])),
    TextRow::new(&[EventType::ThinkingEnd], THINKING, &[], Does::End),
    TextRow::new(&[EventType::StreamReset], TEXT, &[], Does::EndAll),
];
