//! Texts that come in pieces: the answer of a session, and what tools put out.
//!
//! The fragments of an event (`chunk_data`) are put together before it is looked at.

use super::events::{EventType, ToolEventType};
use super::facts::*;
use crate::check::order::Arrival;
use crate::check::seams::{Does, TextRow, Texts};

const ANSWER: u8 = 0;
const OUTPUT: u8 = 1;

/// The chunks of a step are put inside of it, others behind it.
static SESSION_ROWS: [TextRow<EventType>; 4] = [
    TextRow {
        events: &[EventType::ResponseChunk, EventType::AgentResponseChunk],
        kind: ANSWER,
        ids: &[STEP],
        does: Does::Continue(&[CONTENT]),
    },
    TextRow {
        events: &[EventType::AgentStepCompleted, EventType::AgentResponseUpdate],
        kind: ANSWER,
        ids: &[STEP],
        does: Does::End,
    },
    TextRow {
        events: &[EventType::ToolPartialUpdate],
        kind: OUTPUT,
        ids: &[TOOL_EXECUTION_ID, OUTPUT_KEY],
        does: Does::Continue(&[DATA_CONTENT]),
    },
    TextRow {
        events: &[EventType::AgentProcessingComplete, EventType::AgentProcessingError],
        kind: ANSWER,
        ids: &[],
        does: Does::EndAll,
    },
];

static TOOL_ROWS: [TextRow<ToolEventType>; 2] = [
    TextRow {
        events: &[ToolEventType::ToolPartialUpdate],
        kind: OUTPUT,
        ids: &[OUTPUT_KEY],
        does: Does::Continue(&[CONTENT]),
    },
    TextRow {
        events: &[ToolEventType::ToolEnd, ToolEventType::FinalResult, ToolEventType::Error],
        kind: OUTPUT,
        ids: &[],
        does: Does::EndAll,
    },
];

/// Takes an event that is no fragment.
pub(super) fn take(texts: &mut Texts, arrival: &mut Arrival<'_, '_, '_>) {
    let Some(at) = arrival.facts.tag() else { return };
    if arrival.facts.schema() == TOOL {
        if let Some(row) = ToolEventType::ALL.get(at).and_then(|event| TextRow::of(&TOOL_ROWS, *event)) {
            texts.take(row, arrival);
        }
    } else if let Some(row) = EventType::ALL.get(at).and_then(|event| TextRow::of(&SESSION_ROWS, *event)) {
        texts.take(row, arrival);
    }
}
