//! From what the schema rejects to the rules that say so.

use super::rules;
use crate::check::explain::{Keyword, Mismatch};
use crate::check::overlay::{self, Row, When};
use crate::check::rule::Rule;

/// The payloads that a document states: those of messages, text, tools, errors and the end.
/// What others hold was read from code.
const STATED: &[&str] = &[
    "UserMessage",
    "AiMessageStart",
    "ApiRequestStart",
    "ThinkingStart",
    "ThinkingChunk",
    "ThinkingEnd",
    "TextStart",
    "TextChunk",
    "TextEnd",
    "StreamReset",
    "ToolHint",
    "ToolPreparing",
    "ToolIntent",
    "ToolStart",
    "UpdateAction",
    "AppendPayload",
    "ModifyPayload",
    "FileTreeUpdate",
    "TodoUpdated",
    "EditedFilesUpdated",
    "EditSummaryUpdated",
    "Error",
    "TaskStopped",
    "TaskComplete",
];

static OVERLAY: [Row<'static>; 5] = [
    Row::any(
        &["data"],
        When::Is(Keyword::Type),
        &rules::DATA_NOT_OBJECT,
        "data {state}, not an object; the server keeps it and adds no ids",
    )
    .of("*Event"),
    Row::any(
        &[],
        When::Is(Keyword::Required),
        &rules::ENVELOPE_FIELD,
        "{name} is missing; an event has idx, type, data and ts",
    )
    .of("*Event"),
    Row::any(&[], When::OutOfRange, &rules::ENVELOPE_FIELD, "{name} is not {expected}").of("*Event"),
    Row::any(&[], When::Any, &rules::ENVELOPE_FIELD, "{name} {state}, not {expected}").of("*Event"),
    Row::any(&[], When::Any, &rules::PAYLOAD_WRONG_TYPE, "{name} {state}, not {expected}"),
];

/// The rule about a mismatch, and what to say.
pub(super) fn describe(misfit: &Mismatch<'_>) -> (&'static Rule, String) {
    if misfit.keyword == Keyword::Required && !misfit.definition.ends_with("Event") {
        let name = misfit.definition.trim_start_matches("Polling").trim_end_matches("Data");
        let rule = if STATED.contains(&name) { &rules::PAYLOAD_FIELD_MISSING } else { &rules::EXTENDED_FIELD_MISSING };
        if let Some(message) = overlay::lacks_all(misfit) {
            return (rule, message);
        }
        let expected = match &*misfit.expected.to_string() {
            "any value" => "any value will do".to_owned(),
            expected => format!("it must be {expected}"),
        };
        return (rule, format!("{} is missing; {expected}", misfit.member));
    }
    let [.., last] = &OVERLAY;
    let row = overlay::find(&OVERLAY, misfit).unwrap_or(last);
    (row.rule, row.describe(misfit))
}
