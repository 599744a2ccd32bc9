//! The rules that Lime events are checked by, in the order of their tables.

use crate::check::rule::rules;

rules! { Lime, "lime";
    EVENT_NOT_OBJECT = "event-not-object" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "any event",
        when: "the event is null, an array or a scalar; nothing else about it is checked",
        why: "a consumer reads members of an object; nothing else can be projected",
        help: "send one JSON object per event",
    }
    REQUIRED_STRING = "required-string" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "`id`, `schemaVersion`, `runtimeId`, `kind`, `status`, `title` and `createdAt` of any event",
        when: "the member is missing, is not a string, or is the empty string; a string of blanks passes",
        why: "these seven members identify and label every entry of the projection, so an event without one of them is refused",
        help: "set the member to a non-empty string on every event",
    }
    SEQUENCE_NOT_INTEGER = "sequence-not-integer" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "`sequence` of any event",
        when: "the member is missing or is not an integer; `1.0` counts as an integer, `1.5` and `\"1\"` do not",
        why: "without an integer the event has no place in the stream, and a lost event next to it goes unnoticed",
        help: "number the events of a stream with integers, one more each time",
    }
    LEGACY_TERMINAL_CLASS = "legacy-terminal-class" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "`eventClass` of any event",
        when: "the class is, apart from case and outer blanks, one of the six retired endings such as `done` or `turn.cancelled`",
        why: "consumers no longer take these classes as the end of a turn, so the turn would stay open",
        help: "end a turn with `turn.completed`, `turn.failed` or `turn.canceled`",
    }
    TOOL_NEEDS_TOOL_CALL_ID = "tool-needs-tool-call-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `tool.`",
        when: "`toolCallId` is not a string",
        why: "a result cannot be matched with the call that it answers",
        help: "repeat the id of the call as `toolCallId` on every event of that call",
    }
    ACTION_NEEDS_ACTION_ID = "action-needs-action-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `action.`",
        when: "`actionId` is not a string",
        why: "the answer of a person cannot be matched with the question, and the prompt stays on the screen",
        help: "set `actionId` to the id of the action, the same when it is required and when it ends",
    }
    ARTIFACT_NEEDS_ARTIFACT_ID = "artifact-needs-artifact-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `artifact.`",
        when: "there is neither an `artifactId` string nor a non-empty entry in `artifactRefs`",
        why: "the change cannot be attached to an artifact, so no card shows it",
        help: "name the artifact in `artifactId` or in `artifactRefs`",
    }
    FILE_READ_NEEDS_PATH = "file-read-needs-path" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`file.read` events",
        when: "`payload.path` is missing, is not a string or is blank",
        why: "a consumer cannot tell which file was read",
        help: "give the path of the file in `payload.path`",
    }
    FILE_CHANGED_NEEDS_ARTIFACT_ID = "file-changed-needs-artifact-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`file.changed` events",
        when: "there is neither an `artifactId` string nor a non-empty entry in `artifactRefs`",
        why: "the new content of the file cannot be found or opened",
        help: "name the artifact that holds the new content in `artifactId` or in `artifactRefs`",
    }
    FILE_CHANGED_NEEDS_PATH = "file-changed-needs-path" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`file.changed` events",
        when: "`payload.path` is missing, is not a string or is blank",
        why: "a consumer cannot tell which file changed, nor list it among the changes of the turn",
        help: "give the path of the file in `payload.path`",
    }
    PATCH_NEEDS_PATCH_ID = "patch-needs-patch-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `patch.`",
        when: "`payload.patchId` is missing or blank and `toolCallId` is not a string either",
        why: "the end of a patch cannot be matched with its start",
        help: "set `payload.patchId`, or at least `toolCallId`, to the same id on every event of the patch",
    }
    PATCH_FAILED_NEEDS_CATEGORY = "patch-failed-needs-category" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`patch.failed` events",
        when: "`payload.failureCategory` is missing, is not a string or is blank",
        why: "a consumer cannot offer the right recovery: a conflict and a missing file need different steps",
        help: "put a stable category such as `conflict` in `payload.failureCategory`",
    }
    COMMAND_NEEDS_COMMAND_ID = "command-needs-command-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `command.`",
        when: "`payload.commandId` is missing or blank and `toolCallId` is not a string either",
        why: "output and exit cannot be matched with the command that was started",
        help: "set `payload.commandId`, or at least `toolCallId`, to the same id on every event of the command",
    }
    COMMAND_OUTPUT_NEEDS_REF = "command-output-needs-ref" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`command.output` events",
        when: "there is no entry in `refIds`, `artifactRefs` or `evidenceRefs` and no `outputRef`, `contentRef` or `diffRef` in the payload",
        why: "output is kept outside the event, so without a reference it cannot be opened",
        help: "store the output and name it in `refIds` or in `payload.outputRef`",
    }
    COMMAND_EXITED_NEEDS_EXIT_CODE = "command-exited-needs-exit-code" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`command.exited` events",
        when: "`payload.exitCode` is not an integer and `payload.status` is not a string",
        why: "a consumer cannot tell success from failure",
        help: "put the exit code into `payload.exitCode` as a number, or a word for the outcome into `payload.status`",
    }
    TEST_NEEDS_TEST_RUN_ID = "test-needs-test-run-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `test.`",
        when: "`payload.testRunId` is missing or blank and `toolCallId` is not a string either",
        why: "a result cannot be matched with the test run that produced it",
        help: "set `payload.testRunId`, or at least `toolCallId`, to the same id on every event of the run",
    }
    TEST_COMPLETED_NEEDS_RESULT = "test-completed-needs-result" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`test.completed` events",
        when: "`payload.result` is missing or blank and `payload.status` is not a string",
        why: "a consumer cannot tell a passed run from a failed one",
        help: "put the outcome, such as `passed` or `failed`, into `payload.result`",
    }
    SANDBOX_BLOCKED_NEEDS_REASON_CODE = "sandbox-blocked-needs-reason-code" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "`sandbox.blocked` events",
        when: "`payload.reasonCode` is missing, is not a string or is blank",
        why: "a consumer can neither explain the block nor offer the step that lifts it",
        help: "put a stable code such as `network_disabled` into `payload.reasonCode`",
    }
    EVIDENCE_NEEDS_EVIDENCE_ID = "evidence-needs-evidence-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "events whose class begins with `evidence.` or `review.`",
        when: "there is neither an `evidenceId` string nor a non-empty entry in `evidenceRefs`; a `reviewId` does not count",
        why: "the statement cannot be traced to what backs it",
        help: "name the evidence in `evidenceId` or in `evidenceRefs`",
    }
    PAYLOAD_TOO_LARGE = "payload-too-large" {
        code: LargePayloadInline, severity: Error, profiles: [Reference, Strict],
        applies_to: "`payload` of an event, `metadata` of a reference or of a capability",
        when: "its compact JSON text is longer than 32000 UTF-16 units; 32000 are allowed",
        why: "events are kept in memory and copied into the projection, so large values slow every consumer down",
        help: "store the value outside the stream and put a reference and a short preview into the event",
    }
    SECRET_KEY = "secret-key" {
        code: SecretLeakRisk, severity: Error, profiles: [Reference, Strict],
        applies_to: "keys at any depth of an event's `payload`, or of the `metadata` of a reference or capability",
        when: "the key contains `authorization`, `password`, `secret`, `token` or a spelling of `api key`; in `strict`, counters such as `max_tokens`, null, empty text and values such as `<redacted>` pass",
        why: "events are stored, replayed and shown, so a credential in them reaches logs and screens",
        help: "leave the credential out, or put an opaque reference to it under a key of another name",
    }
    REF_PREVIEW_TOO_LARGE = "ref-preview-too-large" {
        code: LargePayloadInline, severity: Error, profiles: [Reference, Strict],
        applies_to: "`preview` of an entry of `artifacts` or `evidence` in a projection state",
        when: "the preview is longer than 512 UTF-16 units",
        why: "a preview is drawn on a card; a long one belongs behind the reference",
        help: "cut the preview and keep the whole text behind `contentRef`",
    }
    FIXTURE_SHAPE = "fixture-shape" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Strict],
        applies_to: "fixture documents",
        when: "`id`, `schemaVersion`, `title`, `events` or `expected` with its `status` and counts is missing or has a wrong type",
        why: "a replay does not know what to feed to the projector or what to compare with",
        help: "give the fixture the missing member, or the type that the member has in the contract",
    }
    READ_MODEL_SHAPE = "read-model-shape" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Strict],
        applies_to: "read models: by themselves, at either end of a fixture, and inside a projection state",
        when: "a list, count or flag of the read model, or a member of one of its items, is missing or has a wrong type",
        why: "a view built on the read model finds holes where it expects rows",
        help: "write every list of the read model, empty ones too, and every required member of each item",
    }
    PROJECTION_STATE_SHAPE = "projection-state-shape" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Strict],
        applies_to: "projection states and capability manifests",
        when: "an area of the state, or a member of one of its entries, is missing or has a wrong type",
        why: "a saved state with holes cannot be loaded again by the user interface",
        help: "write every area, empty ones too, and every required member of each entry",
    }
    FIXTURE_SEQUENCE_GAP = "fixture-sequence-gap" {
        code: SequenceGap, severity: Error, profiles: [Reference, Strict],
        applies_to: "events of a fixture document, over one counter for all threads and turns",
        when: "`sequence` is not one more than the last integer one, and `expected.diagnostics` does not contain `sequence_gap`",
        why: "an event is missing, repeated or out of order, so the replay proves nothing about the full stream",
        help: "number the events without gaps, or declare the gap in `expected.diagnostics`",
    }
    DUPLICATE_EVENT_ID = "duplicate-event-id" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`id` of the events of a stream or fixture",
        when: "the same non-empty id was used by an earlier event",
        why: "projectors drop an event whose id they know, so its content is lost",
        help: "give every event an id of its own, and drop repeated deliveries before they reach the stream",
    }
    EXECUTION_AFTER_TURN_TERMINAL = "execution-after-turn-terminal" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events of tools, files, patches, commands, tests, actions, the model and its reasoning, permissions, the sandbox and `context.resolved`",
        when: "the turn of the event has already completed, failed or been canceled",
        why: "the turn is shown as finished, so the late work is dropped or reopens it",
        help: "send the terminal event of a turn after all of its work, or start a new turn",
    }
    TOOL_STARTED_ALREADY_ACTIVE = "tool-started-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`tool.started` events",
        when: "a call with this `toolCallId` is still open in the turn",
        why: "two calls share one entry, and a result closes both or the wrong one",
        help: "use a new `toolCallId` for each call, or end the first call first",
    }
    TOOL_RESULT_WITHOUT_START = "tool-result-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`tool.result` events",
        when: "no call with this `toolCallId` is open in the turn",
        why: "a result appears for a call that nobody saw begin",
        help: "send `tool.started` with the same `toolCallId` and `turnId` first, and one end per start",
    }
    TOOL_FAILED_WITHOUT_START = "tool-failed-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`tool.failed` events",
        when: "no call with this `toolCallId` is open in the turn",
        why: "a failure appears for a call that nobody saw begin",
        help: "send `tool.started` with the same `toolCallId` and `turnId` first, and one end per start",
    }
    PATCH_STARTED_ALREADY_ACTIVE = "patch-started-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`patch.started` events",
        when: "a patch with this id is still open in the turn",
        why: "two patches share one entry, and the end of one hides the other",
        help: "use a new patch id for each attempt, or end the first one first",
    }
    PATCH_TERMINAL_WITHOUT_START = "patch-terminal-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`patch.applied` and `patch.failed` events",
        when: "no patch with this id is open in the turn",
        why: "an edit is reported as done or failed though nobody saw it begin",
        help: "send `patch.started` with the same id and `turnId` first, and one end per start",
    }
    COMMAND_STARTED_ALREADY_ACTIVE = "command-started-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`command.started` events",
        when: "a command with this id is still running in the turn",
        why: "output of two runs is mixed in one entry, and one exit ends both",
        help: "use a new command id for each run, or send the exit of the first one first",
    }
    COMMAND_OUTPUT_WITHOUT_START = "command-output-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`command.output` events",
        when: "no command with this id is running in the turn",
        why: "the output cannot be placed under a command",
        help: "send `command.started` with the same id and `turnId` first, and all output before the exit",
    }
    COMMAND_EXITED_WITHOUT_START = "command-exited-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`command.exited` events",
        when: "no command with this id is running in the turn",
        why: "an exit is reported for a command that nobody saw begin",
        help: "send `command.started` with the same id and `turnId` first, and one exit per start",
    }
    TEST_STARTED_ALREADY_ACTIVE = "test-started-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`test.started` events",
        when: "a test run with this id is still open in the turn",
        why: "two runs share one entry, and the result of one stands for both",
        help: "send `test.completed` before the run starts again; the same id may be used then",
    }
    TEST_COMPLETED_WITHOUT_START = "test-completed-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`test.completed` events",
        when: "no test run with this id is open in the turn",
        why: "a result appears for a run that nobody saw begin",
        help: "send `test.started` with the same id and `turnId` first, and one result per start",
    }
    ACTION_REQUIRED_ALREADY_ACTIVE = "action-required-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`action.required` events",
        when: "an action with this `actionId` is still pending in the turn",
        why: "a person is asked twice under one id, and one answer settles both questions",
        help: "use a new `actionId` for each question, or end the first one first",
    }
    ACTION_RESOLVED_WITHOUT_REQUEST = "action-resolved-without-request" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`action.resolved`, `action.cancelled`, `action.canceled` and `action.expired` events",
        when: "no action with this `actionId` is pending in the turn",
        why: "an answer appears to a question that was never asked or is already settled",
        help: "send `action.required` with the same `actionId` and `turnId` first, and one end per question",
    }
    TURN_TERMINAL_REPEATED = "turn-terminal-repeated" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "`turn.completed`, `turn.failed` and `turn.canceled` events",
        when: "the turn has already ended; in strict, one end behind an `execution-after-turn-terminal` is part of that fault",
        why: "the outcome of the turn changes after it was shown as final",
        help: "end each turn exactly once",
    }
    TOOL_UNCLOSED_AT_TURN_END = "tool-unclosed-at-turn-end" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events that end a turn",
        when: "a tool call of the turn is still open",
        why: "the call is shown as running forever",
        help: "send `tool.result` or `tool.failed` for every open call before the turn ends",
    }
    PATCH_UNCLOSED_AT_TURN_END = "patch-unclosed-at-turn-end" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events that end a turn",
        when: "a patch of the turn is still open",
        why: "nobody can tell whether the files were edited",
        help: "send `patch.applied` or `patch.failed` for every open patch before the turn ends",
    }
    COMMAND_UNCLOSED_AT_TURN_END = "command-unclosed-at-turn-end" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events that end a turn",
        when: "a command of the turn is still running",
        why: "the command is shown as running forever, and its outcome is unknown",
        help: "send `command.exited` for every running command before the turn ends",
    }
    TEST_UNCLOSED_AT_TURN_END = "test-unclosed-at-turn-end" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events that end a turn",
        when: "a test run of the turn is still open",
        why: "the turn ends without saying whether the tests passed",
        help: "send `test.completed` for every open run before the turn ends",
    }
    ACTION_UNRESOLVED_AT_TURN_END = "action-unresolved-at-turn-end" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events that end a turn",
        when: "an action of the turn is still pending",
        why: "a person is still asked for an answer that nobody waits for",
        help: "resolve, cancel or expire every pending action before the turn ends",
    }
    SCHEMA_VERSION = "schema-version" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`schemaVersion` of any event",
        when: "it is a non-empty string other than `lime-runtime-event/v0.1`",
        why: "the published schema refuses the event, and a consumer may read its members by the wrong contract",
        help: "write `lime-runtime-event/v0.1`, or check the stream by the contract it follows",
    }
    SEQUENCE_NEGATIVE = "sequence-negative" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`sequence` of any event",
        when: "it is an integer below zero",
        why: "the published schema refuses the event, and stores that keep an unsigned number cannot hold it",
        help: "start at 0 or 1 and count upwards",
    }
    OPTIONAL_FIELD_TYPE = "optional-field-type" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "optional members of any event other than `payload`",
        when: "the member is present and has a wrong type; null is a wrong type too",
        why: "the published schema refuses the event, and typed consumers cannot read it",
        help: "leave the member out when there is no value; otherwise use a string, or a list of strings for references",
    }
    PAYLOAD_NOT_OBJECT = "payload-not-object" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`payload` of any event",
        when: "the member is present and is not an object; null is not allowed either",
        why: "the published schema refuses the event, and consumers read named members of the payload",
        help: "wrap the value in an object under a telling name, or leave `payload` out",
    }
    FIXTURE_SCHEMA_VERSION = "fixture-schema-version" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`schemaVersion` of a fixture document",
        when: "it is a non-empty string other than `agent-ui-fixture/v0.1`",
        why: "other tools do not recognise the document as a fixture, or read it by another version",
        help: "write `agent-ui-fixture/v0.1`",
    }
    STATE_DELTA_SHAPE = "state-delta-shape" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "state delta documents",
        when: "a required member is missing, a member has a wrong type or is unknown, or an operation lacks what its `op` needs",
        why: "a delta that cannot be applied leaves the projection stale",
        help: "write the members of the contract only, with `value`, or `from`, as the `op` of each operation asks",
    }
    UNKNOWN_EVENT_CLASS = "unknown-event-class" {
        code: UnknownEventType, severity: Note, profiles: [Strict],
        applies_to: "`eventClass` of any event",
        when: "the class is in none of the contract's lists; new classes are legal",
        why: "consumers show such an event as a plain timeline entry, and no rule of its own applies to it",
        help: "check the spelling; if the class is new, make sure that its consumers know it",
    }
    UNKNOWN_KIND_OR_STATUS = "unknown-kind-or-status" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`kind`, `status`, `owner` and `phase` of any event",
        when: "the value is not one that the contract lists; other values are legal",
        why: "consumers fall back to a default icon, group or state",
        help: "write one of the values that the contract lists, if one of them is meant",
    }
    CREATED_AT_NOT_TIMESTAMP = "created-at-not-timestamp" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`createdAt` and `completedAt` of any event",
        when: "the string is not an RFC 3339 time with an offset",
        why: "nothing on the way checks it, and consumers that sort or show times get nonsense",
        help: "write the time like `2026-06-10T08:00:00.000Z`",
    }
    CLASS_SPELLING = "class-spelling" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`eventClass` of any event",
        when: "a run is `cancelled` with two l, or a known class has other case or blanks around it",
        why: "nearly every rule and view compares classes letter by letter, so none of them recognises this one",
        help: "write the class as the contract does: lower case, no blanks, `canceled` for turns and runs",
    }
    DOCUMENTED_SCOPE_ID = "documented-scope-id" {
        code: MissingScopeId, severity: Warning, profiles: [Strict],
        applies_to: "events whose class begins with `turn.`, `task.`, `subagent.`, `worker.`, `handoff.` or `review.`",
        when: "an id that the documentation asks for is missing, such as `taskId` on a task; the validator never asks",
        why: "the event cannot be placed under its turn, task or agent",
        help: "add the id: `threadId` and `turnId`, `taskId`, `subagentId`, `workerId`, `handoffId` or `reviewId`",
    }
    PERMISSION_DENIED_NEEDS_REASON_CODE = "permission-denied-needs-reason-code" {
        code: MissingScopeId, severity: Warning, profiles: [Strict],
        applies_to: "`permission.denied` events",
        when: "`payload.reasonCode` is missing, is not a string or is blank",
        why: "the app server refuses to store the event, though the validator lets it pass",
        help: "put a stable code such as `user_rejected` into `payload.reasonCode`",
    }
    EMPTY_SCOPE_ID = "empty-scope-id" {
        code: MissingScopeId, severity: Warning, profiles: [Strict],
        applies_to: "scope ids of any event, such as `toolCallId` or `turnId`",
        when: "the id is the empty string, which passes wherever any string does",
        why: "all events with an empty id are taken for one call, action or turn",
        help: "fill in the real id, or leave the member out",
    }
    STREAM_SEQUENCE_GAP = "stream-sequence-gap" {
        code: SequenceGap, severity: Error, profiles: [Strict],
        applies_to: "events of a stream, counted for each `runtimeId` and `threadId` by themselves",
        when: "`sequence` is not one more than the one before it",
        why: "an event was lost, repeated or moved, so the projection no longer matches the run",
        help: "send every event once and in order, or repair the jump with a `snapshot.updated` event",
    }
    STREAM_GAP_REPAIRED = "stream-gap-repaired" {
        code: SequenceGap, severity: Note, profiles: [Strict],
        applies_to: "`snapshot.updated` events of a stream",
        when: "`sequence` jumps, and the event that it jumps to is the snapshot that repairs the loss",
        why: "what happened in between is known only as far as the snapshot tells",
        help: "nothing has to change; look for the lost events if the history matters",
    }
    PATCH_COMPLETED_DOES_NOT_CLOSE = "patch-completed-does-not-close" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`patch.completed` events",
        when: "the class appears at all: the contract ends a patch by `patch.applied` or `patch.failed`",
        why: "the patch stays open, and the end of its turn is then refused",
        help: "send `patch.applied` or `patch.failed` instead",
    }
    SECRET_KEY_OUTSIDE_PAYLOAD = "secret-key-outside-payload" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "keys of an event outside its `payload`",
        when: "the key contains `authorization`, `password`, `secret`, `token` or a spelling of `api key`; letter case does not count. Counters such as `max_tokens`, null and values such as `<redacted>` pass",
        why: "the validator looks into the payload only, so a credential beside it passes unseen",
        help: "leave the credential out, or give a harmless member another name",
    }
    TURN_UNFINISHED = "turn-unfinished" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "the end of a stream",
        when: "a turn was submitted or started and has not completed, failed or been canceled; this is legal",
        why: "consumers keep showing the turn as running; a recording may have been cut off",
        help: "end the turn, or record until it has ended",
    }
    SECRET_VALUE = "secret-value" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "strings and keys anywhere in an event, and what the pieces of a text add up to",
        when: "the text contains what looks like a provider token: an API key, a JWT or a private key",
        why: "events are stored, replayed and shown, so a credential in them reaches logs and screens",
        help: "remove or mask the value, and revoke the credential if it was a real one",
    }
}
