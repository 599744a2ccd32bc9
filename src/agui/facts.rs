//! What the rules want to know of an event.

use crate::check::shape::{WatchRow, watches};

const fn any(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("*", member, slot)
}

/// An id or name: any string is legal; an empty one is suspicious.
const fn id(member: &'static str, slot: u8) -> WatchRow<'static> {
    any(member, slot).no_empty()
}

const fn of_raw(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("AguiRawEvent", member, slot)
}

watches! { pub(super) WATCHES:
    id {
        MESSAGE_ID = "messageId", TOOL_CALL_ID = "toolCallId", TOOL_CALL_NAME = "toolCallName",
        PARENT_MESSAGE_ID = "parentMessageId", SUBAGENT_RUN_ID = "subagentRunId", NAME = "name",
        THREAD_ID = "threadId", RUN_ID = "runId", STEP_NAME = "stepName", ENTITY_ID = "entityId",
        PARENT_SUBAGENT_RUN_ID = "parentSubagentRunId", ACTIVITY_TYPE = "activityType",
    }
    any {
        ROLE = "role", DELTA = "delta", OUTCOME = "outcome", INPUT = "input", MESSAGES = "messages",
        SUBTYPE = "subtype", REPLACE = "replace", PATCH = "patch", PROTOCOL_VERSION = "protocolVersion",
        USAGE = "usage", CONTENT = "content", SNAPSHOT = "snapshot", RAW_EVENT = "rawEvent", METADATA = "metadata",
    }
    of_raw { EVENT = "event" }
    [
        id("parentRunId", 0), id("parentToolCallId", 0), id("interruptId", 0), id("id", 0),
        WatchRow::slot("AguiTextMessageContentEvent", "delta", DELTA).no_empty(),
        WatchRow::inspect("*", "metadata"),
        WatchRow::inspect("*", "rawEvent"),
        WatchRow::inspect("AguiRawEvent", "event"),
        WatchRow::inspect("AguiCustomEvent", "value"),
        WatchRow::inspect("AguiStateSnapshotEvent", "snapshot"),
        WatchRow::inspect("AguiAddOperation", "value"),
        WatchRow::inspect("AguiReplaceOperation", "value"),
        WatchRow::inspect("AguiTestOperation", "value"),
    ]
}
