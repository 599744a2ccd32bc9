//! What the rules want to know of an event.

use super::events::{BACKGROUND_MEMBERS, TOOL_ALIASES};
use crate::check::facts::Facts;
use crate::check::shape::{WatchRow, slots};

slots!(
    TYPE,
    IDX,
    TS,
    DATA,
    TASK_ID,
    CONVERSATION_ID,
    CONTENT,
    INDEX,
    FULL_CONTENT,
    ID,
    PREPARING_ID,
    EXECUTION_ID,
    TOOL_CALL_ID,
    NAME,
    STATUS,
    MESSAGE,
    MESSAGE_ID,
    RETRY,
    ERROR_TYPE,
    REQUEST_DUMP,
    BASE_URL,
    ATTEMPT,
    MAX_ATTEMPTS,
    APPROVAL,
    APPROVAL_ID,
    BATCH_ID,
    QUESTION_ID,
    QUESTION_IDS,
    QUESTIONS,
    QUESTION,
    DECISION,
    SUB_AGENTS,
    BACKGROUND_COMMANDS,
    MULTI_AGENT,
);

/// The slots of the ids that stand for one tool.
pub(super) const ALIASES: [(&str, u8); 4] = [
    (TOOL_ALIASES[0], ID),
    (TOOL_ALIASES[1], PREPARING_ID),
    (TOOL_ALIASES[2], EXECUTION_ID),
    (TOOL_ALIASES[3], TOOL_CALL_ID),
];

/// What still runs when a task has ended.
pub(super) const BACKGROUND: [u8; 3] = [SUB_AGENTS, BACKGROUND_COMMANDS, MULTI_AGENT];

/// What clients make for themselves.
pub(super) const CLIENT_MADE: [&str; 3] = ["runtime_queue_sync", "event_window_gap", "view_invalidated"];

/// The era of a stream in which events come by themselves, and not in responses.
pub(super) const OF_LIST: u8 = 1;

/// A member of the envelope.
const fn outer(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("*Event", member, slot)
}

/// A member of the payload.
const fn inner(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("*Data", member, slot).within("data")
}

/// A value that is looked into for keys that name secrets.
const fn opaque(member: &'static str) -> WatchRow<'static> {
    WatchRow::inspect("*", member)
}

pub(super) const WATCHES: &[WatchRow<'static>] = &[
    outer("type", TYPE),
    outer("idx", IDX),
    outer("ts", TS),
    outer("data", DATA),
    inner("task_id", TASK_ID),
    inner("conversation_id", CONVERSATION_ID),
    inner("content", CONTENT),
    inner("index", INDEX),
    inner("full_content", FULL_CONTENT),
    inner("id", ID),
    inner("preparing_id", PREPARING_ID),
    inner("execution_id", EXECUTION_ID),
    inner("tool_call_id", TOOL_CALL_ID),
    inner("name", NAME),
    inner("status", STATUS),
    inner("message", MESSAGE),
    inner("message_id", MESSAGE_ID),
    inner("retry", RETRY),
    inner("error_type", ERROR_TYPE),
    inner("request_dump", REQUEST_DUMP),
    inner("base_url", BASE_URL),
    inner("attempt", ATTEMPT),
    inner("max_attempts", MAX_ATTEMPTS),
    inner("approval", APPROVAL),
    inner("approval_id", APPROVAL_ID),
    inner("batch_id", BATCH_ID),
    inner("question_id", QUESTION_ID),
    inner("question_ids", QUESTION_IDS),
    inner("questions", QUESTIONS),
    inner("question", QUESTION),
    inner("decision", DECISION),
    inner(BACKGROUND_MEMBERS[0], SUB_AGENTS),
    inner(BACKGROUND_MEMBERS[1], BACKGROUND_COMMANDS),
    inner(BACKGROUND_MEMBERS[2], MULTI_AGENT),
    opaque("arguments"),
    opaque("result"),
    opaque("metadata"),
    opaque("preview"),
    opaque("context"),
    opaque("answer"),
    opaque("request_dump"),
    opaque("todo_list"),
    opaque("edited_files"),
    opaque("edit_summary"),
    opaque("monitor_snapshot"),
    opaque("monitor_snapshot_after"),
    opaque("quota"),
];

/// Whether the number of an attempt is not from 1 to the number of attempts.
pub(super) fn attempt_is_out(facts: &Facts<'_>) -> bool {
    facts
        .number(ATTEMPT)
        .is_some_and(|attempt| attempt < 1.0 || facts.number(MAX_ATTEMPTS).is_some_and(|most| attempt > most))
}
