//! What goes on in order: most events of a stream only bring the next piece of a text.

use crate::agui::events::event::EventType;
use crate::agui::facts::{MESSAGE_ID, TOOL_CALL_ID};
use crate::agui::scope::Scope;

/// How many messages and calls may go on side by side.
const SIDE_BY_SIDE: usize = 8;

/// Events that were in order, and nothing else has come since: the next of the same type and
/// id is too.
#[derive(Debug, Default)]
pub(super) struct Steady(Vec<Known>);

#[derive(Debug)]
struct Known {
    event: EventType,
    /// The id as it is written.
    raw: Box<str>,
    key: u64,
}

impl Steady {
    /// The key of the id that an event goes on with, if it is in order.
    pub(super) fn find(&self, event: EventType, raw: &str) -> Option<u64> {
        self.0.iter().find(|known| known.event == event && *known.raw == *raw).map(|known| known.key)
    }

    pub(super) fn add(&mut self, event: EventType, raw: &str, key: u64) {
        if self.0.len() == SIDE_BY_SIDE {
            self.0.remove(0);
        }
        self.0.push(Known { event, raw: raw.into(), key });
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// What an event brings a piece of, and the slot of its id.
pub(super) const fn continued(event: EventType) -> Option<(Scope, u8)> {
    match event {
        EventType::TextMessageContent => Some((Scope::Text, MESSAGE_ID)),
        EventType::ToolCallArgs => Some((Scope::Tool, TOOL_CALL_ID)),
        EventType::ReasoningMessageContent => Some((Scope::Reasoning, MESSAGE_ID)),
        _ => None,
    }
}
