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
static SESSION_ROWS: [TextRow<EventType>; 5] = [
    TextRow::new(
        &[EventType::ResponseChunk, EventType::AgentResponseChunk],
        ANSWER,
        &[STEP],
        Does::Continue(&[CONTENT]),
    ),
    TextRow::new(&[EventType::AgentStepCompleted], ANSWER, &[STEP], Does::End),
    TextRow::new(&[EventType::AgentResponseUpdate], ANSWER, &[STEP], Does::Replace(CONTENT)),
    TextRow::new(
        &[EventType::ToolPartialUpdate],
        OUTPUT,
        &[TOOL_EXECUTION_ID, OUTPUT_KEY],
        Does::Continue(&[DATA_CONTENT]),
    ),
    TextRow::new(&[EventType::AgentProcessingComplete, EventType::AgentProcessingError], ANSWER, &[], Does::EndAll),
];

static TOOL_ROWS: [TextRow<ToolEventType>; 2] = [
    TextRow::new(&[ToolEventType::ToolPartialUpdate], OUTPUT, &[OUTPUT_KEY], Does::Continue(&[CONTENT])),
    TextRow::new(
        &[ToolEventType::ToolEnd, ToolEventType::FinalResult, ToolEventType::Error],
        OUTPUT,
        &[],
        Does::EndAll,
    ),
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
