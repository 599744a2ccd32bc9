//! What the rules want to know of an event.

use crate::check::shape::{WatchRow, slots};

slots!(
    MESSAGE_ID,
    TOOL_CALL_ID,
    TOOL_CALL_NAME,
    PARENT_MESSAGE_ID,
    SUBAGENT_RUN_ID,
    ROLE,
    NAME,
    DELTA,
    THREAD_ID,
    RUN_ID,
    OUTCOME,
    INPUT,
    MESSAGES,
    STEP_NAME,
    ENTITY_ID,
    SUBTYPE,
    REPLACE,
    PARENT_SUBAGENT_RUN_ID,
    SNAPSHOT,
    PATCH,
    RAW_EVENT,
    METADATA,
    PROTOCOL_VERSION,
    USAGE,
    ACTIVITY_TYPE,
    CONTENT,
    EVENT,
);

const fn any(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("*", member, slot)
}

/// An id or name: any string is legal; an empty one is suspicious.
const fn id(member: &'static str, slot: u8) -> WatchRow<'static> {
    any(member, slot).no_empty()
}

pub(super) const WATCHES: &[WatchRow<'static>] = &[
    id("messageId", MESSAGE_ID),
    id("toolCallId", TOOL_CALL_ID),
    id("toolCallName", TOOL_CALL_NAME),
    id("parentMessageId", PARENT_MESSAGE_ID),
    id("subagentRunId", SUBAGENT_RUN_ID),
    any("role", ROLE),
    id("name", NAME),
    any("delta", DELTA),
    WatchRow::slot("AguiTextMessageContentEvent", "delta", DELTA).no_empty(),
    id("threadId", THREAD_ID),
    id("runId", RUN_ID),
    id("parentRunId", 0),
    any("outcome", OUTCOME),
    any("input", INPUT),
    any("messages", MESSAGES),
    id("stepName", STEP_NAME),
    id("entityId", ENTITY_ID),
    any("subtype", SUBTYPE),
    any("replace", REPLACE),
    id("parentSubagentRunId", PARENT_SUBAGENT_RUN_ID),
    id("parentToolCallId", 0),
    id("interruptId", 0),
    id("id", 0),
    any("patch", PATCH),
    any("protocolVersion", PROTOCOL_VERSION),
    any("usage", USAGE),
    id("activityType", ACTIVITY_TYPE),
    any("content", CONTENT),
    any("snapshot", SNAPSHOT),
    any("rawEvent", RAW_EVENT),
    any("metadata", METADATA),
    WatchRow::inspect("*", "metadata"),
    WatchRow::inspect("*", "rawEvent"),
    WatchRow::slot("AguiRawEvent", "event", EVENT),
    WatchRow::inspect("AguiRawEvent", "event"),
    WatchRow::inspect("AguiCustomEvent", "value"),
    WatchRow::inspect("AguiStateSnapshotEvent", "snapshot"),
    WatchRow::inspect("AguiAddOperation", "value"),
    WatchRow::inspect("AguiReplaceOperation", "value"),
    WatchRow::inspect("AguiTestOperation", "value"),
];
