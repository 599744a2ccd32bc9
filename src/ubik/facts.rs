//! What the rules want to know of an event.

use crate::check::shape::{WatchRow, watches};

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

const fn piece(member: &'static str, slot: u8) -> WatchRow<'static> {
    any(member, slot).piece()
}

const fn of_update(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("UbikToolStreamUpdate", member, slot).within("data")
}

const fn of_partial_update(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("UbikToolStreamPartialUpdate", member, slot).within("data")
}

const fn of_tool(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot(PAYLOAD, member, slot)
}

/// A value that is looked into for keys that name secrets.
const fn opaque(member: &'static str) -> WatchRow<'static> {
    WatchRow::inspect("*", member)
}

watches! { pub(super) SESSION_WATCHES:
    any {
        CONNECTION_ID = "connection_id", TASK_ID = "task_id", MESSAGE_ID = "message_id", STEP = "step",
        TOTAL_STEPS = "total_steps", PROGRESS = "progress", COMPLETED = "completed", TIMESTAMP = "timestamp",
        CREATED_AT = "created_at", CHECKPOINT_NAME = "checkpoint_name", TOOL_EXECUTION_ID = "tool_execution_id",
        TOOL_NAME = "tool_name", CONTENT = "content", TRACEBACK = "traceback", CHUNK_ID = "chunk_id",
        CHUNK_INDEX = "chunk_index", TOTAL_CHUNKS = "total_chunks", ORIGINAL_EVENT_TYPE = "original_event_type",
        IS_LAST_CHUNK = "is_last_chunk",
    }
    piece { CHUNK_DATA = "chunk_data" }
    of_update { PHASE = "phase" }
    of_partial_update { OUTPUT_KEY = "output_key", DATA_CONTENT = "content" }
    [
        WatchRow::inspect("*Update", "data"),
        opaque("sources"), opaque("results"), opaque("result"), opaque("tool_input"),
    ]
}

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
