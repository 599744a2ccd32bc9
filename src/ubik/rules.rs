//! The rules that Ubik events are checked by, in the order of their tables.

use crate::check::rule::rules;

rules! { Ubik, "ubik";
    FRAME_NOT_JSON = "frame-not-json" {
        code: FramingError, severity: Error, profiles: [Schema, Strict],
        applies_to: "an SSE frame, a line or an array item",
        when: "the text is not JSON; nothing else is reported for it",
        why: "the event in it is lost; if it was the terminal, the client waits for an end that never comes",
        help: "send one JSON object per frame, and a comment line to keep the connection alive",
    }
    FRAME_NOT_OBJECT = "frame-not-object" {
        code: FramingError, severity: Error, profiles: [Schema, Strict],
        applies_to: "an SSE frame, a line or an array item",
        when: "the JSON value is not an object; nothing else is reported for it",
        why: "clients read named members of every event and payload; nothing else can be read as one",
        help: "send each event as a JSON object of its own",
    }
    TYPE_MISSING = "type-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "every session event",
        when: "`type` is missing, empty, null or not a string",
        why: "the event cannot be told apart from any other, so no client can act on it",
        help: "set `type` to one of the event types, such as `response_chunk`",
    }
    TOOL_EVENT_NAME_MISSING = "tool-event-name-missing" {
        code: FramingError, severity: Error, profiles: [Schema, Strict],
        applies_to: "an SSE frame of a tool stream",
        when: "it has no `event:` line, and no member `event` or `event_type` that stands in for one",
        why: "the payload does not say what it is, so a client cannot tell a partial output from the end",
        help: "write the type, such as `tool_update`, into an `event:` line of every frame",
    }
    EVENT_WRAPPED_IN_DATA = "event-wrapped-in-data" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "session events other than `tool_update` and `tool_partial_update`",
        when: "the members of the event stand in an object `data` instead of beside `type`",
        why: "the overview of the documentation describes events so, but clients look beside `type` and find nothing",
        help: "write the members beside `type`; only the two tool updates have a member `data`",
    }
    ALTERNATE_NOTATION = "alternate-notation" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "frames of a tool stream",
        when: "the JSON of the frame is an object with `event` or `event_type` beside `data`; one finding for all of them",
        why: "clients route frames by the `event:` line, so a frame of this form reaches none of their handlers",
        help: "write the name into the `event:` line alone, and only what the event says into the `data:` line",
    }
    REQUIRED_FIELD_MISSING = "required-field-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "every known event type of both streams",
        when: "a member that the event needs is absent; the input of `tool_input_required` and the members of a fragment have rules of their own",
        why: "a client has nothing to show, or cannot tell which step, task or tool call the event belongs to",
        help: "send the member on every event of the type",
    }
    WRONG_TYPE = "wrong-type" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "every known member but those of a fragment",
        when: "its JSON type is not the one that the protocol names, such as text in place of a number; null has a rule of its own",
        why: "typed clients fail to read the event, or read it without the member",
        help: "send the JSON type that the event's definition names",
    }
    NULL_NOT_DOCUMENTED = "null-not-documented" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "every known member but `message_id` of `response_stream_start`",
        when: "the value is null; the documentation shows no event with a null",
        why: "typed clients expect a value there and fail to read the event",
        help: "send a value, or leave an optional member out",
    }
    MESSAGE_ID_NONE_STRING = "message-id-none-string" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`message_id` of `response_stream_start`",
        when: "it is the text `None`, as in the sample of the documentation",
        why: "a client that keeps messages by id takes `None` for the id of a message",
        help: "send the id of the message, or null while there is none",
    }
    MESSAGE_ID_NOT_UUID = "message-id-not-uuid" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`message_id` of `agent_response_update` and `agent_processing_complete`",
        when: "it is a string that is not a UUID, `None` included",
        why: "the content cannot be matched with the stored message, so it is shown twice or not at all",
        help: "send the UUID of the message",
    }
    TIMESTAMP_NOT_ISO = "timestamp-not-iso" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`timestamp` of every session event, and `created_at` of `checkpoint_created`",
        when: "the string is not an ISO 8601 date and time, in the extended form or the basic one; an offset from UTC may be left out",
        why: "clients sort events by this time before they rebuild the message, so its parts end up in a wrong order",
        help: "write the time like `2026-03-04T09:15:00.000Z`",
    }
    TIMESTAMP_UNEXPECTED_NAME = "timestamp-unexpected-name" {
        code: SchemaMismatch, severity: Note, profiles: [Schema, Strict],
        applies_to: "`checkpoint_created` and `connection_established`",
        when: "a checkpoint has `timestamp` in place of `created_at`, or the event of the connection has a `timestamp`",
        why: "clients look for the time of a checkpoint in `created_at` only, and expect none of a connection",
        help: "write `created_at` on `checkpoint_created`, and no time on `connection_established`",
    }
    PROGRESS_RANGE = "progress-range" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`progress` of `agent_step_progress`, `agent_step_completed` and `agent_progress`",
        when: "the number is below 0 or above 100; the samples show that it is a percentage",
        why: "a progress bar overflows, or shows nothing",
        help: "send a percentage from 0 to 100",
    }
    STEP_NOT_POSITIVE = "step-not-positive" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`step` and `total_steps`",
        when: "the number is below 1, or `step` is greater than `total_steps`; a number with a fraction is a wrong type",
        why: "steps are counted from 1, so a list of steps has no place for this one",
        help: "number the steps 1, 2, 3, and count all of them in `total_steps`",
    }
    TOOL_INPUT_SHAPE = "tool-input-shape" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`tool_input_required` of both streams",
        when: "a session event has no `tool_input`; or a frame of a tool stream lacks `prompt`, `input_types`, `timeout` or `state`; or either has the members of the other form",
        why: "a client cannot ask the user, so the tool waits until it times out",
        help: "send `tool_input` in the session stream, and the other four members in the tool stream",
    }
    TOOL_END_SHAPE = "tool-end-shape" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`tool_end` and `final_result` of a tool stream",
        when: "the outputs stand in two places, or in none. The places are the top level, beside `execution_id`, and an object `outputs`, which comes with a `status`",
        why: "a client does not find the result of the tool, or finds two and keeps one of them",
        help: "send the outputs in one place: all at the top level, or all in `outputs` with `status`",
    }
    UNKNOWN_EVENT_TYPE = "unknown-event-type" {
        code: UnknownEventType, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`type` of a session event, and the name of a frame of a tool stream",
        when: "it is none of the names of its stream, no older one, and does not end in `_delta_sse`; an event under a misspelt name is not reported as missing as well",
        why: "clients pass over an event that they do not know, so what it says is lost",
        help: "check the spelling: the names are lower case with underscores, such as `tool_partial_update`",
    }
    LEGACY_EVENT_TYPE = "legacy-event-type" {
        code: UnknownEventType, severity: Note, profiles: [Schema, Strict],
        applies_to: "`type` of a session event, and the name of a frame of a tool stream",
        when: "it is `agent_response_chunk`, `execution_status_update`, `tool_step_start`, `tool_step_end`, `tool_log` or `execution_result`",
        why: "the documentation no longer names the type, so newer clients do not know it",
        help: "send `response_chunk` for text, and `tool_update`, `tool_partial_update` and `tool_end` for tools",
    }
    UNKNOWN_PHASE = "unknown-phase" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`phase` of `tool_update`: in a session for `rag_search`, `web_search` and `subagent`; in a tool stream, which does not name its tool, for every tool",
        when: "the documentation has no such phase for the tool, or, in a tool stream, for any tool; letter case does not count, and other phases are legal",
        why: "a client that shows phases has no label for it",
        help: "check the spelling; if the phase is new, make sure that clients know it",
    }
    UNKNOWN_INPUT_TYPE = "unknown-input-type" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "entries of `input_types` of `input_required` and `tool_input_required`",
        when: "the entry is a string other than `text` and `json`; other ones are legal",
        why: "a client that has no form for this kind of input cannot ask the user for it",
        help: "offer `text` or `json` as well, or make sure that clients know the kind",
    }
    SECRET_KEY = "secret-key" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "keys at any depth of an event, also of one that came in fragments, and in the JSON of tool calls in message text",
        when: "the key looks like that of a secret, such as `password` or `api_key`; token counters and values such as `<redacted>` are exempt",
        why: "events are sent to browsers, replayed and stored, so a credential in them reaches logs and screens",
        help: "remove the member on the server before the event is sent",
    }
    TRACEBACK_ON_WIRE = "traceback-on-wire" {
        code: SecretLeakRisk, severity: Note, profiles: [Strict],
        applies_to: "`traceback` of `agent_processing_error`, and of the JSON between the `ERROR_JSON` tags of a content",
        when: "the text is not empty",
        why: "users of the agent see paths, versions and code of the server",
        help: "send an empty `traceback`, and keep the real one in the log of the server",
    }
    LARGE_INLINE_VALUE = "large-inline-value" {
        code: LargePayloadInline, severity: Warning, profiles: [Strict],
        applies_to: "every event that is not split into fragments",
        when: "its compact JSON text is longer than 32000 UTF-16 units, or than the limit set instead",
        why: "every client must take the event in one frame, and proxies and readers have buffers of bounded size",
        help: "split the event into `_delta_sse` fragments, or send a reference to the content",
    }

    FIRST_EVENT_NOT_CONNECTION = "first-event-not-connection" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "the first event of a session stream",
        when: "it is not `connection_established`",
        why: "the client does not know which session and task the events belong to",
        help: "send `connection_established` as soon as the connection is open, before everything else",
    }
    CONNECTION_REPEATED = "connection-repeated" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "`connection_established`",
        when: "it comes again with another `connection_id`, as after a reconnect; events may be replayed from here",
        why: "a client that does not drop what it has already seen shows parts of the message twice",
        help: "nothing has to change if the client did reconnect; it must drop repeated events itself",
    }
    CONTENT_BEFORE_PROCESSING_STARTED = "content-before-processing-started" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`response_stream_start` and every event with text or a step",
        when: "no `agent_processing_started` came before it; one finding for all of them",
        why: "a client that waits for the start of the work shows nothing, or shows text of an idle agent",
        help: "send `agent_processing_started` after `connection_established`, before everything else",
    }
    CONTENT_BEFORE_STREAM_START = "content-before-stream-start" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`response_chunk`, `agent_response_chunk` and `agent_response_update`",
        when: "no `response_stream_start` came before it; one finding for all of them",
        why: "the client has no message yet that the text could go into",
        help: "send `response_stream_start` before the first text",
    }
    TASK_ID_MISMATCH = "task-id-mismatch" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "events with a `task_id`",
        when: "it differs from the `task_id` of `connection_established`",
        why: "a connection is about one task, so a client files the event under the wrong one",
        help: "repeat the `task_id` of the connection",
    }
    STEP_ALREADY_OPEN = "step-already-open" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`agent_step_started`",
        when: "a step with this number was started and is not completed",
        why: "events name their step by its number alone, so the two cannot be told apart",
        help: "send `agent_step_completed` first, or give the new step the next number",
    }
    STEP_NOT_OPEN = "step-not-open" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`step` of `agent_step_progress`, `agent_step_completed`, `response_chunk` and `agent_response_chunk`",
        when: "no step with this number was started, or it is already completed",
        why: "a client has no step to show the event in",
        help: "send `agent_step_started` with this number first, and everything of the step before its end",
    }
    STEP_LEFT_OPEN = "step-left-open" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "`agent_processing_complete` and `agent_processing_error`, and the end of a stream whose task was asked to stop",
        when: "the last step that was started has no `agent_step_completed`; an earlier one is closed by the next step",
        why: "the step is shown as running after the agent has finished",
        help: "send `agent_step_completed` before the work ends",
    }
    STEP_COMPLETED_FALSE = "step-completed-false" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`agent_step_completed`",
        when: "`completed` is false, or `progress` is from 0 to below 100",
        why: "the event ends the step and denies it at the same time, so clients show it in different ways",
        help: "send `completed` true and `progress` 100, and use `agent_step_progress` before the end",
    }
    AGENT_PROGRESS_BEFORE_STEP_COMPLETED = "agent-progress-before-step-completed" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "`agent_progress`",
        when: "no `agent_step_completed` with its `step` came before it",
        why: "the event reports a step as done, and a client shows that step as running",
        help: "send `agent_progress` after the `agent_step_completed` of the step",
    }
    INPUT_REQUIRED_WITHOUT_CHECKPOINT = "input-required-without-checkpoint" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`input_required`",
        when: "no `checkpoint_created` with its `checkpoint_name` came before it",
        why: "a client that goes on from a checkpoint does not know the one where the agent waits",
        help: "send `checkpoint_created` with the same `checkpoint_name` first",
    }
    TOOL_PARTIAL_WITHOUT_START = "tool-partial-without-start" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "`tool_partial_update` of a session stream",
        when: "its `tool_execution_id` came neither in a `tool_update` nor in a `TOOL_STEP_START` tag before",
        why: "a client has no card of the tool call that the output could go into",
        help: "send a `tool_update` with the same `tool_execution_id` first",
    }
    TOOL_NAME_CHANGED = "tool-name-changed" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`tool_name` of `tool_update`, `tool_partial_update` and `tool_input_required`",
        when: "an earlier event with the same `tool_execution_id` has another name; one finding for each id",
        why: "two tool calls share one card, or one call is shown under two names",
        help: "repeat the name on all events of the call, and use a new id for another call",
    }
    EVENT_AFTER_TERMINAL = "event-after-terminal" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "every session event but a terminal one and a replayed one",
        when: "the task has already ended with `agent_processing_complete` or `agent_processing_error`; one finding for all of them",
        why: "clients close the connection at the terminal event, so this one never arrives",
        help: "send the event before the terminal one",
    }
    TWO_TERMINALS = "two-terminals" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "`agent_processing_complete` and `agent_processing_error`",
        when: "the task has already ended, and the event is no replay; one end behind an `event-after-terminal` is part of that fault",
        why: "clients stop at the first one and never learn of the other outcome",
        help: "end each task exactly once",
    }
    EVENT_AFTER_STOP = "event-after-stop" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`agent_step_started`",
        when: "`agent_stop_requested` came before it; running tool calls may still finish, a new step is not expected",
        why: "the user has stopped the agent and sees it begin something new",
        help: "finish the running tool calls and end the task",
    }
    STREAM_WITHOUT_TERMINAL = "stream-without-terminal" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "the end of a session stream, and of a task when the connection goes on with another",
        when: "neither `agent_processing_complete` nor `agent_processing_error` has come; a note after `agent_stop_requested`, since nobody knows what ends a stopped task",
        why: "the client cannot tell whether the agent is still at work; a recording may have been cut off",
        help: "end every task with one of the two events, or record until one has come",
    }
    FINAL_CONTENT_MISMATCH = "final-content-mismatch" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "`content` of `agent_processing_complete`",
        when: "the joined text of `response_chunk` is not in it. Not compared: step tags and titles, checkpoint, input and error blocks, and white space. Not checked: text with marks such as `<source_1>`, for which citations come in the end, steps whose texts come in turns, and what an `agent_response_update` has replaced",
        why: "the answer changes on the screen when it is complete, since `content` replaces what was streamed",
        help: "send the text in `content` as it was streamed, or accept the change if the final text is meant to differ",
    }
    TOOL_EVENT_AFTER_TERMINAL = "tool-event-after-terminal" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "every frame of a tool stream",
        when: "`tool_end`, `final_result` or `error` came before it; one finding for all of them",
        why: "clients close the connection at the terminal event, so this one never arrives",
        help: "send the event before the terminal one, and end each stream once",
    }
    TOOL_STREAM_WITHOUT_TERMINAL = "tool-stream-without-terminal" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "the end of a tool stream",
        when: "neither `tool_end` nor `final_result` nor `error` has come",
        why: "the tool is shown as running for ever; a recording may have been cut off",
        help: "end every tool stream with one of the three events, or record until one has come",
    }
    TIMESTAMP_DECREASING = "timestamp-decreasing" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`timestamp` of every session event, and `created_at` of `checkpoint_created`, replayed events aside",
        when: "the time is before that of the event before it; equal times are allowed, and so is any time of an event whose fragments came among other events",
        why: "clients sort events by this time, so the message is rebuilt in another order than it was sent in",
        help: "take the time from one clock when the event is sent",
    }
    REPLAYED_DUPLICATE = "replayed-duplicate" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "every event",
        when: "it is equal, byte for byte, to an earlier event of the recording, as in a replay after a reconnect; one finding for all that follow each other",
        why: "a client that does not drop repeated events shows text twice",
        help: "nothing has to change if the client did reconnect; otherwise send each event once",
    }

    CHUNK_FIELD_MISSING = "chunk-field-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "fragments: events whose type ends in `_delta_sse`",
        when: "`chunk_id`, `chunk_index`, `total_chunks`, `original_event_type` or `chunk_data` is missing, or has a wrong type",
        why: "the fragment cannot be put in its place, so the whole event is lost",
        help: "send all five members on every fragment; `is_last_chunk` may be left out",
    }
    CHUNK_TYPE_MISMATCH = "chunk-type-mismatch" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "the type of a fragment, and its `original_event_type`",
        when: "it is not `original_event_type` followed by `_delta_sse`, or it ends in more than four of these",
        why: "clients differ in which of the two they believe, so the event reaches the wrong handler",
        help: "make the type of the fragment from `original_event_type` and `_delta_sse`, and split an event once",
    }
    CHUNK_INDEX_OUT_OF_RANGE = "chunk-index-out-of-range" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "`chunk_index` of a fragment",
        when: "it is below 0, or not below `total_chunks`",
        why: "the group has no such place, so it never becomes complete and its event is lost",
        help: "number the fragments from 0 to `total_chunks` less one",
    }
    CHUNK_TOTAL_INVALID = "chunk-total-invalid" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "`total_chunks` of a fragment",
        when: "it is below 1",
        why: "a client cannot tell when all fragments have come, so the event is lost",
        help: "send the number of fragments that the event was split into",
    }
    CHUNK_GROUP_DISAGREES = "chunk-group-disagrees" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "`total_chunks` and `original_event_type` of a fragment",
        when: "the value differs from that of an earlier fragment with the same `chunk_id`",
        why: "a client cannot tell when the group is complete or what it is, so the event is lost or misread",
        help: "repeat both values on all fragments of an event, and use a new `chunk_id` for every event",
    }
    CHUNK_INDEX_CONFLICT = "chunk-index-conflict" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "fragments",
        when: "a fragment with the same `chunk_id` and `chunk_index` came before with other `chunk_data`; equal data is a replay",
        why: "clients keep one of the two, and nobody can tell which one belongs to the event",
        help: "use a new `chunk_id` for every event, and send the same data when a fragment is sent again",
    }
    CHUNK_INDEX_GAP = "chunk-index-gap" {
        code: SequenceGap, severity: Error, profiles: [Strict],
        applies_to: "the end of the stream, or of a group of fragments",
        when: "a fragment of the group never came, nor did the event come again after a reconnect",
        why: "the event cannot be rebuilt, so what it says is lost",
        help: "send all fragments of an event before the stream ends",
    }
    CHUNK_OUT_OF_ORDER = "chunk-out-of-order" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`chunk_index` of a fragment",
        when: "a fragment of the group with a greater index came before; this is legal",
        why: "clients that join the fragments as soon as the last one has come get a text with holes and cannot parse it",
        help: "send the fragments of an event in the order of their indexes",
    }
    CHUNK_LAST_FLAG = "chunk-last-flag" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`is_last_chunk` of a fragment",
        when: "it is true on another fragment than the last of its group, or false on the last",
        why: "clients that wait for the flag join the fragments too early or never",
        help: "set it to true where `chunk_index` is `total_chunks` less one, else to false; or leave it out",
    }
    CHUNK_JSON_INVALID = "chunk-json-invalid" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "the last fragment that a group needed",
        when: "the joined `chunk_data` of the group is not JSON",
        why: "the event cannot be rebuilt, so what it says is lost",
        help: "cut the JSON text of one event into pieces that join to exactly that text",
    }
    CHUNK_REBUILT_TYPE = "chunk-rebuilt-type" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "the event that a complete group makes",
        when: "it has a `type` other than `original_event_type`; it may have none and be the payload alone",
        why: "clients differ in which of the two they believe, so the event reaches the wrong handler",
        help: "send the type of the event that was split as `original_event_type`",
    }
    CHUNK_REBUILT_INVALID = "chunk-rebuilt-invalid" {
        code: SchemaMismatch, severity: Error, profiles: [Strict],
        applies_to: "the event that a complete group makes",
        when: "it has a fault that is an error in an event that comes whole, such as a missing member; the path is one in the rebuilt event",
        why: "clients treat the rebuilt event like any other, and cannot read this one",
        help: "split only events that are right as a whole",
    }

    TAG_UNCLOSED = "tag-unclosed" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`content` of `agent_response_update` and `agent_processing_complete`, and of stored messages",
        when: "a tag opens a block, such as `<<STEP_START>>`, and no tag closes it; single chunks are not checked, since they may cut tags",
        why: "a client that parses the content takes everything behind the tag for a part of the block",
        help: "write the end tag of every block into the content",
    }
    TAG_END_WITHOUT_START = "tag-end-without-start" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`content` of `agent_response_update` and `agent_processing_complete`, and of stored messages",
        when: "a tag closes a block, such as `<<STEP_END>>`, and none of that kind is open",
        why: "the tag is shown to the user as text, or ends another block too early",
        help: "write the start tag before it, and one end tag for each",
    }
    TAG_TOOL_NAME_ID_MISMATCH = "tag-tool-name-id-mismatch" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`TOOL_STEP_END` tags in the content of a message",
        when: "the name or the id behind the slash differs from that of the open `TOOL_STEP_START`",
        why: "a client that pairs the tags by name and id never finds the end of the tool call",
        help: "repeat name and id of the start tag in the end tag",
    }
    TAG_BODY_NOT_JSON = "tag-body-not-json" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "tool inputs, tool results, user inputs and `ERROR_JSON` blocks in the content of a message",
        when: "the text between the tags is not JSON",
        why: "clients parse the text as JSON and cannot show the block",
        help: "write one JSON value between the tags, and no tag inside it",
    }
    TAG_MISPLACED = "tag-misplaced" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`TOOL_STEP_INPUT`, `TOOL_STEP_RESULT`, `USER_INPUT_PROVIDED` and `SINGLE_STEP_FLAG` tags in the content of a message",
        when: "the tag stands outside the tool, input or step block that it belongs in, or a tool result stands before its input",
        why: "a client that parses the content does not know which tool call, question or step the part belongs to",
        help: "write input and result, in this order, inside their tool block, the reply inside its input block, and the flag inside its step",
    }
    TAG_TEMPORARY_STORED = "tag-temporary-stored" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`content` of `agent_response_update` and `agent_processing_complete`, and of stored messages",
        when: "it contains `<<TOOL_EVENT_START>>`, which clients use on the screen for a while and nobody stores",
        why: "the tag has no end, so a client shows it as text or takes what follows for a part of it",
        help: "remove the tag before the content is sent or stored",
    }

    SECRET_VALUE = "secret-value" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "every string and every key of an event, and what the pieces of an answer or of a tool's output add up to",
        when: "it looks like a provider token, such as an API key, a JWT or a private key",
        why: "events are sent to browsers, replayed and stored, so a credential in them reaches logs and screens",
        help: "revoke the credential, and mask such values on the server before they are sent",
    }
}
