//! The rules that AG-UI events are checked by, in the order of their tables.

use crate::check::rule::rules;

rules! { AgUi, "agui";
    FRAME_NOT_JSON = "frame-not-json" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "an SSE frame",
        when: "the joined `data:` lines are not JSON; `[DONE]` and empty data included",
        why: "the official reader fails the whole run on such a frame",
        help: "send one JSON object per frame and no end marker; the end is the end of the body",
    }
    FRAME_NOT_OBJECT = "frame-not-object" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "an SSE frame, a line or an array item",
        when: "the JSON value is not an object",
        why: "every event is an object with a `type`; the official reader fails the run on anything else",
        help: "send each event as a JSON object of its own; wrap other data in CUSTOM",
    }
    SSE_LINE_ENDING = "sse-line-ending" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "an SSE stream of two or more frames",
        when: "frames are separated by CR or CRLF instead of LF",
        why: "the official reader looks for two LF only, takes all frames for one and fails the run",
        help: "end every line with LF alone, and each frame with an empty line",
    }
    SSE_FRAME_TOO_LARGE = "sse-frame-too-large" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "an SSE stream",
        when: "more than 10 MiB of characters come without a frame boundary",
        why: "the official reader caps its buffer there and fails the run",
        help: "split the content into several deltas, or send a reference to it",
    }
    TYPE_MISSING = "type-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "every event",
        when: "`type` is absent, empty, null or not a string",
        why: "the event cannot be told apart from any other, and the run fails before it is looked at",
        help: "set `type` to one of the 31 event types",
    }
    REQUIRED_FIELD_MISSING = "required-field-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "every known event type and the objects inside it",
        when: "a required member is absent; CUSTOM.value, RAW.event and STATE_SNAPSHOT.snapshot included",
        why: "the official client refuses the event and fails the run",
        help: "send the member; null is a value only where any JSON may stand, such as snapshot of STATE_SNAPSHOT",
    }
    WRONG_TYPE = "wrong-type" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "every known member",
        when: "its JSON type is not the one that the protocol names; an array in place of an object included",
        why: "the official client does not convert values: the event is refused and the run fails",
        help: "send the JSON type that the event's definition names",
    }
    NULL_NOT_ALLOWED = "null-not-allowed" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "optional members",
        when: "the value is null, where null is neither data nor tolerated",
        why: "absent means absent in AG-UI: the schema and the official client refuse the null",
        help: "leave an optional member out when it has no value; a required one needs its value",
    }
    INTEGER_INVALID = "integer-invalid" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "timestamp, the counts of a usage entry and the integers of capabilities",
        when: "the number has a fraction, is negative where it must not be, or is beyond 2^53-1",
        why: "fractions are refused since 1.0, and larger numbers change on their way through JavaScript",
        help: "send a whole number in the range that the message names; a timestamp is in milliseconds since the epoch",
    }
    ENUM_VALUE_UNKNOWN = "enum-value-unknown" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "role of an event, subtype, status of a resume entry, type of a tool call",
        when: "the value is not in the member's list",
        why: "the official client has no fallback for these and fails the run",
        help: "use a value of the list; role may be left out where it is optional",
    }
    POINTER_SYNTAX = "pointer-syntax" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "`path` and `from` of a patch operation",
        when: "the text is not a JSON Pointer: it must match `^(/([^/~]|~[01])*)*$`",
        why: "the official client refuses the event and fails the run",
        help: "begin each segment with `/`, and write `~0` for `~` and `~1` for `/` in names",
    }
    INTERRUPTS_EMPTY = "interrupts-empty" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "RUN_FINISHED with the outcome `interrupt`",
        when: "`interrupts` is an empty array",
        why: "nobody could answer such an interrupt; the official client fails the run",
        help: "name at least one interrupt, or finish with the outcome `success`",
    }
    FIRST_EVENT_NOT_RUN_STARTED = "first-event-not-run-started" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "the first event of a stream",
        when: "it is neither RUN_STARTED nor RUN_ERROR",
        why: "there is no run yet that the event could belong to; the official client fails",
        help: "send RUN_STARTED before everything else, RAW and CUSTOM included",
    }
    RUN_STARTED_WHILE_ACTIVE = "run-started-while-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "RUN_STARTED",
        when: "the run before it has not ended",
        why: "runs of one stream follow each other; the official client fails on a nested one",
        help: "end the active run with RUN_FINISHED or RUN_ERROR first; use SUBAGENT_* for nested work",
    }
    EVENT_AFTER_RUN_FINISHED = "event-after-run-finished" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "every event but RUN_STARTED and RUN_ERROR",
        when: "it comes after RUN_FINISHED",
        why: "the run is closed: the official client fails on whatever still comes",
        help: "send RUN_FINISHED once, as the last event of the run, or send RUN_STARTED first",
    }
    EVENT_AFTER_RUN_ERROR = "event-after-run-error" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "every event but RUN_STARTED",
        when: "it comes after RUN_ERROR; RUN_FINISHED and a second RUN_ERROR included",
        why: "the run has failed already: the official client refuses whatever still comes",
        help: "stop after RUN_ERROR; only a new RUN_STARTED may follow",
    }
    TEXT_START_ALREADY_OPEN = "text-start-already-open" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TEXT_MESSAGE_START",
        when: "a text message with this messageId is open",
        why: "a consumer cannot tell the two messages apart; the official client fails",
        help: "give every message an id of its own, and send START once",
    }
    TEXT_CONTENT_WITHOUT_START = "text-content-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TEXT_MESSAGE_CONTENT",
        when: "no text message with this messageId is open",
        why: "there is no message to append the delta to; the official client fails",
        help: "send TEXT_MESSAGE_START with this messageId first, and END only after the last delta",
    }
    TEXT_END_WITHOUT_START = "text-end-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TEXT_MESSAGE_END",
        when: "no text message with this messageId is open; the END of a message made of chunks included",
        why: "there is nothing to close; the official client fails",
        help: "send END once per START, and none for chunks, which close by themselves",
    }
    TOOL_START_ALREADY_OPEN = "tool-start-already-open" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TOOL_CALL_START",
        when: "a tool call with this toolCallId is open",
        why: "the arguments of the two calls would run together; the official client fails",
        help: "give every call an id of its own, and send START once",
    }
    TOOL_ARGS_WITHOUT_START = "tool-args-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TOOL_CALL_ARGS",
        when: "no tool call with this toolCallId is open",
        why: "there is no call that the arguments belong to; the official client fails",
        help: "send TOOL_CALL_START with this toolCallId first, and END only after the last delta",
    }
    TOOL_END_WITHOUT_START = "tool-end-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TOOL_CALL_END",
        when: "no tool call with this toolCallId is open; the END of a call made of chunks included",
        why: "there is nothing to close; the official client fails",
        help: "send END once per START, and none for chunks, which close by themselves",
    }
    STEP_ALREADY_ACTIVE = "step-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "STEP_STARTED",
        when: "a step of this name is open under the same owner",
        why: "steps are paired by name alone, so the two could not be told apart; the official client fails",
        help: "finish the step before it starts again, or name the steps differently",
    }
    STEP_FINISHED_NOT_STARTED = "step-finished-not-started" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "STEP_FINISHED",
        when: "no step of this name is open under any owner",
        why: "there is nothing to finish; the official client fails",
        help: "send STEP_STARTED with the same stepName first, and STEP_FINISHED once; capitals count",
    }
    STEP_FINISHED_BY_OTHER_OWNER = "step-finished-by-other-owner" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "STEP_FINISHED",
        when: "a step of this name is open, but only under another owner",
        why: "a step belongs to the agent or subagent that started it; the official client fails",
        help: "put the same subagentRunId on both events of the step, or on neither",
    }
    REASONING_START_ALREADY_OPEN = "reasoning-start-already-open" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "REASONING_START",
        when: "a reasoning span with this messageId is open",
        why: "the two spans could not be told apart; the official client fails",
        help: "close the span with REASONING_END first, or give the new one another id",
    }
    REASONING_END_WITHOUT_START = "reasoning-end-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "REASONING_END",
        when: "no reasoning span with this messageId is open; a reasoning message is not a span",
        why: "there is nothing to close; the official client fails",
        help: "send REASONING_START with the same messageId first, and END once",
    }
    REASONING_MESSAGE_ALREADY_OPEN = "reasoning-message-already-open" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "REASONING_MESSAGE_START",
        when: "a reasoning message with this messageId is open",
        why: "the two messages could not be told apart; the official client fails",
        help: "give every reasoning message an id of its own, and send START once",
    }
    REASONING_MESSAGE_WITHOUT_START = "reasoning-message-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "REASONING_MESSAGE_CONTENT and REASONING_MESSAGE_END",
        when: "no reasoning message with this messageId is open; an open span is not enough",
        why: "there is no message to append to or to close; the official client fails",
        help: "send REASONING_MESSAGE_START with this messageId inside the span first, and END only after the last delta",
    }
    RUN_FINISHED_WITH_OPEN_SCOPE = "run-finished-with-open-scope" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "RUN_FINISHED",
        when: "a step, text message, reasoning message or span, tool call or subagent is still open",
        why: "a consumer cannot know whether the open part is complete; the official client fails",
        help: "close everything that the run opened, or end it with RUN_ERROR",
    }
    SUBAGENT_ALREADY_ACTIVE = "subagent-already-active" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "SUBAGENT_STARTED",
        when: "a subagent with this subagentRunId is active",
        why: "an id stands for one invocation; the official client fails",
        help: "make a new subagentRunId for every invocation, and send STARTED once",
    }
    SUBAGENT_ID_REUSED = "subagent-id-reused" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "SUBAGENT_STARTED",
        when: "a subagent with this subagentRunId has already ended in this run",
        why: "an id stands for one invocation; the official client fails when it comes back",
        help: "make a new subagentRunId for every invocation, also of the same subagent",
    }
    SUBAGENT_PARENT_NOT_STARTED = "subagent-parent-not-started" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "SUBAGENT_STARTED",
        when: "parentSubagentRunId was not started in this run; its own id included",
        why: "the subagent would hang from nothing in the tree; the official client fails",
        help: "announce the parent first, or leave parentSubagentRunId out below the main agent",
    }
    SUBAGENT_TERMINAL_WITHOUT_START = "subagent-terminal-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "SUBAGENT_FINISHED and SUBAGENT_ERROR",
        when: "no subagent with this subagentRunId is active",
        why: "there is nothing to end; the official client fails",
        help: "send SUBAGENT_STARTED first, and one terminal event for each subagent",
    }
    OWNER_MISMATCH = "owner-mismatch" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "events that continue or reopen a text message, tool call, reasoning, activity or value",
        when: "the event is tagged, and with another subagent than the one that opened the id",
        why: "content would move from one agent to another; the official client fails",
        help: "repeat the opener's subagentRunId, or leave the tag out on what follows",
    }
    TOOL_PARENT_OWNER_MISMATCH = "tool-parent-owner-mismatch" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "TOOL_CALL_START",
        when: "the call's owner is another than that of the message which parentMessageId names",
        why: "a call belongs to the agent that wrote its message; the official client fails",
        help: "tag the call like its parent message, or leave the tag out to inherit it",
    }
    CHUNK_FIRST_WITHOUT_ID = "chunk-first-without-id" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "a chunk that opens a message or a tool call",
        when: "it has no messageId, or no toolCallId",
        why: "there is nothing open that it could continue; the official client fails",
        help: "put the id on the first chunk, and again after an event that closed the message or call",
    }
    CHUNK_FIRST_WITHOUT_TOOL_NAME = "chunk-first-without-tool-name" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Strict],
        applies_to: "a TOOL_CALL_CHUNK that opens a call",
        when: "it has no toolCallName",
        why: "a call cannot start without a name; the official client fails",
        help: "put toolCallName on the first chunk of every call",
    }
    CHUNK_AMBIGUOUS_LANE = "chunk-ambiguous-lane" {
        code: MissingScopeId, severity: Error, profiles: [Reference, Strict],
        applies_to: "a chunk with neither an id nor a tag",
        when: "several subagents have an open stream of its kind, and the main agent has none",
        why: "a consumer cannot know which stream the chunk continues; the official client fails",
        help: "put the id or the subagentRunId on every chunk while subagents run side by side",
    }
    CHUNK_OWNER_MISMATCH = "chunk-owner-mismatch" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "a tagged chunk",
        when: "its id is open for another subagent, or for the main agent, than the tag says",
        why: "content would move from one agent to another; the official client fails",
        help: "repeat the tag of the first chunk, and give each agent ids of its own",
    }
    CHUNK_OPENER_DISAGREEMENT = "chunk-opener-disagreement" {
        code: SequenceViolation, severity: Error, profiles: [Reference, Strict],
        applies_to: "a chunk that continues a message or a tool call",
        when: "its role, name, toolCallName or parentMessageId differs from the first chunk's",
        why: "the opener is sent only once, so the change would be lost; the official client fails",
        help: "set these members on the first chunk; then repeat them unchanged or leave them out",
    }

    UNKNOWN_EVENT_TYPE = "unknown-event-type" {
        code: UnknownEventType, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "every event",
        when: "`type` is none of the 31 event types",
        why: "the official client drops the event, other libraries refuse it: nobody sees its content",
        help: "use one of the 31 types; CUSTOM carries what the protocol has no event for",
    }
    RETIRED_EVENT_TYPE = "retired-event-type" {
        code: UnknownEventType, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "the five THINKING_* types",
        when: "the type was retired in 1.0",
        why: "only the TypeScript client still translates it, for a limited time; others refuse it",
        help: "send the REASONING_* event of the same place, with a messageId",
    }
    UNKNOWN_PROPERTY = "unknown-property" {
        code: SchemaMismatch, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "every closed object",
        when: "it has a member that the protocol does not define there",
        why: "the official client strips the member, and the JSON Schema refuses the event",
        help: "move extra data into metadata, or into a CUSTOM event",
    }
    UNKNOWN_UNION_MEMBER = "unknown-union-member" {
        code: SchemaMismatch, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "a patch operation, content part, source, message or outcome",
        when: "its `op`, `type` or `role` is unknown or missing",
        why: "the official client drops the element, or the value around it, and goes on without it",
        help: "use a member of the union that the protocol defines",
    }
    UNKNOWN_OUTCOME_READS_AS_SUCCESS = "unknown-outcome-reads-as-success" {
        code: SchemaMismatch, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "RUN_FINISHED and SUBAGENT_FINISHED",
        when: "the outcome's `type` is unknown or missing",
        why: "the official client removes the outcome, and a run without outcome counts as a success",
        help: "use an outcome of the protocol; report a failure with RUN_ERROR or SUBAGENT_ERROR",
    }
    NULL_TOLERATED = "null-tolerated" {
        code: SchemaMismatch, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "parentMessageId, outcome, result, rawEvent and the other members forgiven for old peers",
        when: "the value is null",
        why: "the official client reads it as absent for a limited time; the JSON Schema refuses it",
        help: "leave the member out when it has no value",
    }
    BINARY_PART_RETIRED = "binary-part-retired" {
        code: SchemaMismatch, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "a content part",
        when: "its `type` is `binary`",
        why: "the part was retired in 1.0: only the TypeScript client rewrites it, and not everywhere",
        help: "send an image, audio, video or document part with a source",
    }
    PROTOCOL_VERSION_NOT_UNDERSTOOD = "protocol-version-not-understood" {
        code: SchemaMismatch, severity: Warning, profiles: [Reference, Strict],
        applies_to: "RUN_STARTED and RunAgentInput",
        when: "protocolVersion is newer than 1.0, or not of the form `major.minor`",
        why: "a peer cannot tell which rules hold, and goes on as if it were 1.0",
        help: "send `1.0`; `1.0.0` and `v1` are not understood",
    }

    TRUNCATED_STREAM = "truncated-stream" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "the end of the stream",
        when: "a run is still active: neither RUN_FINISHED nor RUN_ERROR has come",
        why: "the official client takes the broken run for a success",
        help: "end every run with RUN_FINISHED or RUN_ERROR, also when the server gives up",
    }
    EMPTY_STREAM = "empty-stream" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "the end of the stream",
        when: "the stream has no event at all",
        why: "the official client takes it for a success without an answer",
        help: "send at least RUN_ERROR when a run cannot start",
    }
    RUN_FINISHED_RUN_ID_MISMATCH = "run-finished-run-id-mismatch" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "RUN_FINISHED",
        when: "its runId differs from that of RUN_STARTED",
        why: "a consumer that keeps runs by id closes the wrong run, or none",
        help: "repeat the runId of RUN_STARTED",
    }
    RUN_FINISHED_THREAD_ID_MISMATCH = "run-finished-thread-id-mismatch" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "RUN_FINISHED",
        when: "its threadId differs from that of RUN_STARTED",
        why: "a consumer that keeps runs by thread files the run under the wrong conversation",
        help: "repeat the threadId of RUN_STARTED",
    }
    SECOND_RUN_ON_ANOTHER_THREAD = "second-run-on-another-thread" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "RUN_STARTED",
        when: "its threadId differs from that of the first run of the stream",
        why: "a stream is one conversation: messages of two threads would be mixed into one history",
        help: "keep one thread per stream, and open another stream for another thread",
    }
    RUN_ID_REUSED = "run-id-reused" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "RUN_STARTED",
        when: "its runId was already used in this stream",
        why: "a run that is tried again is a new run; by id the two cannot be told apart",
        help: "make a new runId for every run, and name the old one in parentRunId if you need the link",
    }
    RUN_ERROR_AFTER_FINISH = "run-error-after-finish" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "RUN_ERROR",
        when: "it comes directly after RUN_FINISHED",
        why: "the run is reported as a success first and as a failure later",
        help: "send one terminal event per run: RUN_ERROR instead of RUN_FINISHED",
    }
    DUPLICATE_INTERRUPT_ID = "duplicate-interrupt-id" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "RUN_FINISHED with the outcome `interrupt`",
        when: "an interrupt id repeats within the run",
        why: "a resume entry names its interrupt by id, so one answer would stand for both",
        help: "give every interrupt of a run an id of its own",
    }
    TOOL_RESULT_WITHOUT_CALL = "tool-result-without-call" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TOOL_CALL_RESULT",
        when: "its toolCallId was neither started in this run nor seen in the history",
        why: "the result cannot be shown with its call, and model providers refuse such a history",
        help: "send the call first, or echo the history that it is part of",
    }
    TOOL_RESULT_BEFORE_END = "tool-result-before-end" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TOOL_CALL_RESULT",
        when: "the call is still open",
        why: "the result answers arguments that a consumer has not completely seen",
        help: "send TOOL_CALL_END before the result",
    }
    PENDING_TOOL_CALLS_MISMATCH = "pending-tool-calls-mismatch" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "RUN_FINISHED with the outcome `success`",
        when: "pendingToolCallIds is not empty and differs from the unanswered calls in call order",
        why: "the official client believes the list: it runs the wrong calls, or leaves some unanswered",
        help: "list exactly the calls without a result in call order, or leave the list out",
    }
    REOPENED_ID = "reopened-id" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_START, TOOL_CALL_START, REASONING_START and REASONING_MESSAGE_START",
        when: "the id was closed earlier in the run",
        why: "the official client appends to the old content; other consumers begin anew or refuse it",
        help: "give new content a new id",
    }
    REOPEN_CHANGES_OPENER = "reopen-changes-opener" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_START and TOOL_CALL_START of an id that was closed before",
        when: "role, name or toolCallName differs from the first opening",
        why: "the official client keeps the old role of a message, so the change is lost or only half seen",
        help: "repeat the members of the first opening, or use a new id",
    }
    ACTIVITY_DELTA_WITHOUT_SNAPSHOT = "activity-delta-without-snapshot" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "ACTIVITY_DELTA",
        when: "its messageId has no ACTIVITY_SNAPSHOT before it and no activity message in the history",
        why: "there is nothing to patch; the official client silently ignores the event",
        help: "send ACTIVITY_SNAPSHOT with this messageId first",
    }
    ENCRYPTED_VALUE_UNKNOWN_ENTITY = "encrypted-value-unknown-entity" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "REASONING_ENCRYPTED_VALUE",
        when: "entityId names nothing that was seen in the run",
        why: "the value is lost, and the provider does not get it back on the next turn",
        help: "name a message or tool call of this run, and send the value after its opener",
    }
    PARENT_MESSAGE_NOT_ASSISTANT = "parent-message-not-assistant" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TOOL_CALL_START",
        when: "parentMessageId names a message of another role than assistant; an unknown role has its own finding",
        why: "only assistant messages hold calls; the official client makes another message for this one",
        help: "name the assistant message that makes the call, or leave parentMessageId out",
    }
    MESSAGE_ID_COLLISION = "message-id-collision" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "events that open a text, activity, reasoning or tool message",
        when: "messageId already names a message of another kind",
        why: "ids are unique across kinds of message: the official client drops or replaces one of the two",
        help: "make a new id for every message, whatever its kind",
    }
    SUBAGENT_TAG_UNANNOUNCED = "subagent-tag-unannounced" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "tagged events of a stream that announces subagents",
        when: "no SUBAGENT_STARTED was ever sent for the tag",
        why: "a consumer has no name and no place in the tree for the content",
        help: "send SUBAGENT_STARTED before the first event of a subagent",
    }
    TOOL_ARGUMENTS_NOT_JSON = "tool-arguments-not-json" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "TOOL_CALL_END",
        when: "the joined argument deltas are not a JSON text; a call without any characters of arguments is passed",
        why: "the tool cannot be called with them, and the official client keeps silent about it",
        help: "send deltas that join to one JSON text, `{}` when there are no arguments",
    }
    STATE_DELTA_NOT_APPLICABLE = "state-delta-not-applicable" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "STATE_DELTA and ACTIVITY_DELTA, where the value before it is known",
        when: "the patch does not apply: a missing path, a wrong index or a failed test",
        why: "the official client keeps the old value, so agent and interface drift apart",
        help: "make the patch against the value last sent, or send a snapshot",
    }
    USAGE_INCONSISTENT = "usage-inconsistent" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "the usage of RUN_FINISHED and RUN_ERROR",
        when: "totalTokens is not input plus output, a part exceeds its total, or provider and model repeat",
        why: "sums and costs that are computed from the entries come out wrong",
        help: "count cache and reasoning inside the totals, and send one entry per provider and model",
    }
    EMPTY_ID = "empty-id" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "ids and names",
        when: "the string is empty",
        why: "it is legal, but many consumers take an empty id for a missing one",
        help: "send a real id, and leave an optional member out when it has no value",
    }
    EMPTY_DELTA = "empty-delta" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_CONTENT",
        when: "`delta` is the empty string",
        why: "it says nothing, and clients before 0.0.50 fail on it",
        help: "skip deltas that have no text",
    }
    SSE_EXTRA_FIELD = "sse-extra-field" {
        code: FramingError, severity: Note, profiles: [Strict],
        applies_to: "an SSE frame",
        when: "it has an `event:` or `id:` line",
        why: "readers ignore the line or, as browsers do, route the frame by it, away from the handler",
        help: "send `data:` lines only; the type is in the JSON and there is no resumption by id",
    }
    SSE_DATA_LINE_LOST = "sse-data-line-lost" {
        code: FramingError, severity: Warning, profiles: [Strict],
        applies_to: "an SSE stream",
        when: "a line would be `data:` but for white space or a byte order mark before it, or its letter case, or has JSON without `data:`",
        why: "then the line is not a data line, and the official reader silently drops it",
        help: "begin the line with `data:` in small letters, and send no byte order mark inside the stream",
    }
    SECRET_KEY = "secret-key" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "metadata, raw and custom values, snapshots, patch values, tool arguments and results",
        when: "a key looks like that of a secret; counters such as `max_tokens` and values such as `<redacted>` are exempt",
        why: "events go to browsers, logs and recordings, where a credential must never be",
        help: "remove the member on the server before the event is sent",
    }
    LARGE_INLINE_VALUE = "large-inline-value" {
        code: LargePayloadInline, severity: Warning, profiles: [Strict],
        applies_to: "metadata, raw and custom values, snapshots, patch values, tool arguments and results",
        when: "the compact JSON text is longer than 32000 UTF-16 units, or than the limit set instead",
        why: "every consumer must parse and keep it, and the frame comes closer to the reader's cap",
        help: "send a reference to the content, or split it into deltas",
    }
    SECRET_VALUE = "secret-value" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "every string and every key of an event, and what the deltas of a message or call add up to",
        when: "it looks like a provider token, such as an API key, a JWT or a private key",
        why: "events go to browsers, logs and recordings, where a credential must never be",
        help: "revoke the credential, and mask such values on the server before they are sent",
    }
    NOTHING_RECOGNISED = "nothing-recognised" {
        code: UnknownEventType, severity: Error, profiles: [Strict],
        applies_to: "the end of a stream",
        when: "events came, and none was of a type of AG-UI 1.0",
        why: "a client drops every one of them, so the interface shows nothing",
        help: "check that the stream is AG-UI, and how its types are spelt",
    }
    TOOL_RESULT_REPEATED = "tool-result-repeated" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TOOL_CALL_RESULT",
        when: "the tool call of the run has a result already",
        why: "the history then holds two answers to one call, which model providers refuse",
        help: "send one result for each call",
    }
    MESSAGE_ID_REPEATED = "message-id-repeated" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "MESSAGES_SNAPSHOT, and the input of RUN_STARTED",
        when: "two messages of one list have the same id",
        why: "clients keep messages by id, so one of the two is lost",
        help: "give each message an id of its own",
    }
    PARENT_MESSAGE_UNKNOWN = "parent-message-unknown" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "TOOL_CALL_START",
        when: "parentMessageId names no message of the run, its input or a snapshot",
        why: "the client makes an empty message of that id, which may not be the one that was meant",
        help: "name the message that the call belongs to, or leave parentMessageId out",
    }
    STATE_DELTA_WITHOUT_BASE = "state-delta-without-base" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "STATE_DELTA",
        when: "no STATE_SNAPSHOT and no state in the input of the run came before",
        why: "the client applies the patch to whatever state it happens to have",
        help: "send STATE_SNAPSHOT before the first delta",
    }
    RAW_WRAPS_TYPED_EVENT = "raw-wraps-typed-event" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "RAW",
        when: "the event inside is itself an event of AG-UI, with its required members",
        why: "clients do not look into RAW, so what the event says is not shown",
        help: "send the event itself, not inside RAW",
    }
}
