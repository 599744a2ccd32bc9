//! From what the schema rejects to the rules that say so.

use super::rules;
use crate::check::explain::{Keyword, Mismatch};
use crate::check::overlay::{self, Row, When};

const FRAGMENT: &[&str] = &["chunk_id", "chunk_index", "total_chunks", "original_event_type", "chunk_data"];

/// What a tool asks by: in the stream of a session, and in its own.
const TOOL_INPUT: &[&str] = &["tool_input"];
const TOOL_REQUEST: &[&str] = &["prompt", "input_types", "timeout", "state"];

static OVERLAY: [Row<'static>; 7] = [
    Row::any(FRAGMENT, When::Is(Keyword::Required), &rules::CHUNK_FIELD_MISSING, "{name} is missing"),
    Row::any(FRAGMENT, When::Any, &rules::CHUNK_FIELD_MISSING, "{name} {state}, not {expected}"),
    Row::any(
        TOOL_INPUT,
        When::Is(Keyword::Required),
        &rules::TOOL_INPUT_SHAPE,
        "tool_input is missing: in a session, what the tool asks for stands in it",
    )
    .of("UbikToolInputRequiredEvent"),
    Row::any(
        TOOL_REQUEST,
        When::Is(Keyword::Required),
        &rules::TOOL_INPUT_SHAPE,
        "{name} is missing; a tool asks with prompt, input_types, timeout and state",
    )
    .of("UbikToolStreamInputRequired"),
    Row::any(
        &[],
        When::Is(Keyword::Required),
        &rules::REQUIRED_FIELD_MISSING,
        "{name} is missing; it must be {expected}",
    ),
    Row::any(&[], When::Null, &rules::NULL_NOT_DOCUMENTED, "{name} is null; it must be {expected}"),
    Row::any(&[], When::Any, &rules::WRONG_TYPE, "{name} {state}, not {expected}"),
];

/// The rule about a mismatch.
pub(super) fn row(misfit: &Mismatch<'_>) -> &'static Row<'static> {
    let [.., last] = &OVERLAY;
    overlay::find(&OVERLAY, misfit).unwrap_or(last)
}
