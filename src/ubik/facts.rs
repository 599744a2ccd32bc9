//! What the rules want to know of an event.

use crate::check::shape::{WatchRow, slots};

slots!(
    CONNECTION_ID,
    TASK_ID,
    MESSAGE_ID,
    STEP,
    TOTAL_STEPS,
    PROGRESS,
    COMPLETED,
    TIMESTAMP,
    CREATED_AT,
    CHECKPOINT_NAME,
    TOOL_EXECUTION_ID,
    TOOL_NAME,
    CONTENT,
    TRACEBACK,
    PHASE,
    CHUNK_ID,
    CHUNK_INDEX,
    TOTAL_CHUNKS,
    ORIGINAL_EVENT_TYPE,
    CHUNK_DATA,
    IS_LAST_CHUNK,
    OUTPUT_KEY,
    DATA_CONTENT,
);

/// The place of the tool events' schema in the `Spec`; that of a session is the first.
pub(super) const TOOL: usize = 1;

/// What a stream has shown to be.
pub(super) const OF_SESSION: u8 = 1;
pub(super) const OF_TOOL: u8 = 2;
/// A tool's stream, of which it was said that its events are named in the JSON.
pub(super) const OF_TOOL_IN_JSON: u8 = 3;

/// The definitions of tool payloads.
const PAYLOAD: &str = "*";

const fn any(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("*Event", member, slot)
}

const fn of_tool(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot(PAYLOAD, member, slot)
}

/// A value that is looked into for keys that name secrets.
const fn opaque(member: &'static str) -> WatchRow<'static> {
    WatchRow::inspect("*", member)
}

pub(super) const SESSION_WATCHES: &[WatchRow<'static>] = &[
    any("connection_id", CONNECTION_ID),
    any("task_id", TASK_ID),
    any("message_id", MESSAGE_ID),
    any("step", STEP),
    any("total_steps", TOTAL_STEPS),
    any("progress", PROGRESS),
    any("completed", COMPLETED),
    any("timestamp", TIMESTAMP),
    any("created_at", CREATED_AT),
    any("checkpoint_name", CHECKPOINT_NAME),
    any("tool_execution_id", TOOL_EXECUTION_ID),
    any("tool_name", TOOL_NAME),
    any("content", CONTENT),
    any("traceback", TRACEBACK),
    WatchRow::slot("UbikToolStreamUpdate", "phase", PHASE).within("data"),
    WatchRow::slot("UbikToolStreamPartialUpdate", "output_key", OUTPUT_KEY).within("data"),
    WatchRow::slot("UbikToolStreamPartialUpdate", "content", DATA_CONTENT).within("data"),
    any("chunk_id", CHUNK_ID),
    any("chunk_index", CHUNK_INDEX),
    any("total_chunks", TOTAL_CHUNKS),
    any("original_event_type", ORIGINAL_EVENT_TYPE),
    any("chunk_data", CHUNK_DATA).piece(),
    any("is_last_chunk", IS_LAST_CHUNK),
    WatchRow::inspect("*Update", "data"),
    opaque("sources"),
    opaque("results"),
    opaque("result"),
    opaque("tool_input"),
];

pub(super) const TOOL_WATCHES: &[WatchRow<'static>] = &[
    of_tool("phase", PHASE),
    of_tool("content", CONTENT),
    of_tool("output_key", OUTPUT_KEY),
    of_tool("chunk_id", CHUNK_ID),
    of_tool("chunk_index", CHUNK_INDEX),
    of_tool("total_chunks", TOTAL_CHUNKS),
    of_tool("original_event_type", ORIGINAL_EVENT_TYPE),
    of_tool("chunk_data", CHUNK_DATA).piece(),
    of_tool("is_last_chunk", IS_LAST_CHUNK),
    WatchRow::inspect("*Update", "data"),
    opaque("sources"),
    opaque("state"),
    opaque("outputs"),
    opaque("response"),
];
