//! Texts that come in pieces: the answer of a session, and what tools put out.
//!
//! The fragments of an event (`chunk_data`) are put together before it is looked at.

use super::events::{EventType, ToolEventType};
use super::facts::*;
use crate::check::order::{Arrival, GoesOn};
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

/// Takes an event that is no fragment; gives the text that it continues.
pub(super) fn take(texts: &mut Texts, arrival: &mut Arrival<'_, '_, '_>) -> Option<GoesOn> {
    let at = arrival.facts.tag()?;
    if arrival.facts.schema() == TOOL {
        texts.take(TextRow::of(&TOOL_ROWS, *ToolEventType::ALL.get(at)?)?, arrival)
    } else {
        texts.take(TextRow::of(&SESSION_ROWS, *EventType::ALL.get(at)?)?, arrival)
    }
}
