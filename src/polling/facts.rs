//! What the rules want to know of an event.

use super::events::{BACKGROUND_MEMBERS, TOOL_ALIASES};
use crate::check::facts::Facts;
use crate::check::shape::{WatchRow, watches};

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

watches! { pub(super) WATCHES:
    outer {
        TYPE = "type", IDX = "idx", TS = "ts", DATA = "data",
    }
    inner {
        TASK_ID = "task_id", CONVERSATION_ID = "conversation_id", CONTENT = "content", INDEX = "index",
        FULL_CONTENT = "full_content", ID = "id", PREPARING_ID = "preparing_id", EXECUTION_ID = "execution_id",
        TOOL_CALL_ID = "tool_call_id", NAME = "name", STATUS = "status", MESSAGE = "message",
        MESSAGE_ID = "message_id", RETRY = "retry", ERROR_TYPE = "error_type", REQUEST_DUMP = "request_dump",
        BASE_URL = "base_url", ATTEMPT = "attempt", MAX_ATTEMPTS = "max_attempts", APPROVAL = "approval",
        APPROVAL_ID = "approval_id", BATCH_ID = "batch_id", QUESTION_ID = "question_id",
        QUESTION_IDS = "question_ids", QUESTIONS = "questions", QUESTION = "question", DECISION = "decision",
        SUB_AGENTS = BACKGROUND_MEMBERS[0], BACKGROUND_COMMANDS = BACKGROUND_MEMBERS[1],
        MULTI_AGENT = BACKGROUND_MEMBERS[2],
    }
    [
        opaque("arguments"), opaque("result"), opaque("metadata"), opaque("preview"), opaque("context"),
        opaque("answer"), opaque("request_dump"), opaque("todo_list"), opaque("edited_files"),
        opaque("edit_summary"), opaque("monitor_snapshot"), opaque("monitor_snapshot_after"), opaque("quota"),
    ]
}

/// Whether the number of an attempt is not from 1 to the number of attempts.
pub(super) fn attempt_is_out(facts: &Facts<'_>) -> bool {
    facts
        .number(ATTEMPT)
        .is_some_and(|attempt| attempt < 1.0 || facts.number(MAX_ATTEMPTS).is_some_and(|most| attempt > most))
}
