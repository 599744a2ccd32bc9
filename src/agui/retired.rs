//! What 1.0 has retired and its official client still translates.

use super::events::event::EventType;

/// The five retired types and what stands for each of them in 1.0.
pub(super) const THINKING: [(&str, EventType); 5] = [
    ("THINKING_START", EventType::ReasoningStart),
    ("THINKING_END", EventType::ReasoningEnd),
    ("THINKING_TEXT_MESSAGE_START", EventType::ReasoningMessageStart),
    ("THINKING_TEXT_MESSAGE_CONTENT", EventType::ReasoningMessageContent),
    ("THINKING_TEXT_MESSAGE_END", EventType::ReasoningMessageEnd),
];

/// What a retired type is called in 1.0.
pub(super) fn replacement(tag: &str) -> Option<EventType> {
    THINKING.iter().find(|(retired, _)| *retired == tag).map(|(_, event)| *event)
}

/// What an event of 1.0 was called when it was retired; empty if it was not.
pub(super) fn name(event: EventType) -> &'static str {
    THINKING.iter().find(|(_, replacement)| *replacement == event).map_or("", |(retired, _)| retired)
}

/// How the retirement of a type reads.
pub(super) fn retirement(tag: &str, event: EventType) -> String {
    format!("{} is retired; {event} replaces it", crate::safe::show(tag))
}
