//! What the rules want to know of an event.

use crate::check::shape::{WatchRow, slots};

slots!(
    ID, SCHEMA_VERSION, RUNTIME_ID, KIND, STATUS, SEQUENCE, TITLE, CREATED_AT, COMPLETED_AT, EVENT_CLASS, OWNER,
    PHASE, THREAD_ID, TURN_ID, TASK_ID, SUBAGENT_ID, WORKER_ID, HANDOFF_ID, REVIEW_ID, TOOL_CALL_ID, ACTION_ID,
    ARTIFACT_ID, EVIDENCE_ID, REF_IDS, ARTIFACT_REFS, EVIDENCE_REFS, PAYLOAD, PATH, PATCH_ID, FAILURE_CATEGORY,
    COMMAND_ID, OUTPUT_REF, CONTENT_REF, DIFF_REF, EXIT_CODE, PAYLOAD_STATUS, TEST_RUN_ID, RESULT, REASON_CODE,
    PAYLOAD_HANDOFF_ID, PAYLOAD_REVIEW_ID, PAYLOAD_DELTA,
);

/// The name of the definition of an event.
pub(crate) const EVENT: &str = "";

const fn row(member: &'static str, slot: u8) -> WatchRow {
    WatchRow::slot(EVENT, member, slot)
}

/// Scope ids: any string is one, the empty string a dubious one.
const fn id(member: &'static str, slot: u8) -> WatchRow {
    row(member, slot).no_empty()
}

/// The fields whose empty string is worth a warning.
pub(crate) const SCOPE_IDS: &[&str] = &[
    "threadId", "turnId", "taskId", "subagentId", "runId", "stepId", "toolCallId", "actionId", "workerId", "channelId",
    "handoffId", "reviewId", "traceId", "spanId", "attemptId", "artifactId", "evidenceId",
];

pub(crate) const WATCHES: &[WatchRow] = &[
    row("id", ID),
    row("schemaVersion", SCHEMA_VERSION),
    row("runtimeId", RUNTIME_ID),
    row("kind", KIND),
    row("status", STATUS),
    row("sequence", SEQUENCE),
    row("title", TITLE),
    row("createdAt", CREATED_AT),
    row("completedAt", COMPLETED_AT),
    row("eventClass", EVENT_CLASS),
    row("owner", OWNER),
    row("phase", PHASE),
    id("threadId", THREAD_ID),
    id("turnId", TURN_ID),
    id("taskId", TASK_ID),
    id("subagentId", SUBAGENT_ID),
    id("runId", 0),
    id("stepId", 0),
    id("toolCallId", TOOL_CALL_ID),
    id("actionId", ACTION_ID),
    id("workerId", WORKER_ID),
    id("channelId", 0),
    id("handoffId", HANDOFF_ID),
    id("reviewId", REVIEW_ID),
    id("traceId", 0),
    id("spanId", 0),
    id("attemptId", 0),
    id("artifactId", ARTIFACT_ID),
    id("evidenceId", EVIDENCE_ID),
    row("refIds", REF_IDS),
    row("artifactRefs", ARTIFACT_REFS),
    row("evidenceRefs", EVIDENCE_REFS),
    WatchRow {
        definition: EVENT,
        member: "payload",
        slot: PAYLOAD,
        inspect: true,
        no_empty: false,
        below: &[
            ("path", PATH),
            ("patchId", PATCH_ID),
            ("failureCategory", FAILURE_CATEGORY),
            ("commandId", COMMAND_ID),
            ("outputRef", OUTPUT_REF),
            ("contentRef", CONTENT_REF),
            ("diffRef", DIFF_REF),
            ("exitCode", EXIT_CODE),
            ("status", PAYLOAD_STATUS),
            ("testRunId", TEST_RUN_ID),
            ("result", RESULT),
            ("reasonCode", REASON_CODE),
            ("handoffId", PAYLOAD_HANDOFF_ID),
            ("reviewId", PAYLOAD_REVIEW_ID),
            ("delta", PAYLOAD_DELTA),
        ],
    },
];
