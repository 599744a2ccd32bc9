//! The rules that a polled task is checked by, in the order of their tables.

use crate::check::rule::rules;

rules! { Polling, "polling";
    RESPONSE_NOT_JSON = "response-not-json" {
        code: FramingError, severity: Error, profiles: [Schema, Strict],
        applies_to: "a response, or the first value of the input",
        when: "the text is not JSON, or the value is not an object; nothing else is reported for it",
        why: "the events and the status in it are lost; an error page of a gateway looks like this",
        help: "answer every poll with one JSON object, and errors with `success` false and a text in `error`",
    }
    RESPONSE_SHAPE = "response-shape" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "a response that is no error, apart from the items of `events`",
        when: "`success`, `data`, or one of `task_id`, `workspace_id`, `status`, `created_at`, `updated_at`, `error`, `events` and `next_offset` in `data` is missing or has a wrong type, or `window_start` is no integer; only `workspace_id` and `error` may be null. Two answers that are not to polls pass as well. A new message is answered by `success`, `task_id` and `status` without `data`. A cancellation is answered by `success` alone, which passes as the first answer, after the end of the task, while the task stops, or if the next response says that it stops",
        why: "a client reads from these members what is new, whether the task goes on and where to ask next",
        help: "send every member in each response, also when there are no new events; leave out a `window_start` that the server does not have",
    }
    EVENTS_AT_TOP_LEVEL = "events-at-top-level" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "a response",
        when: "`events` stands beside `success` instead of in `data`; its events are checked all the same, if there are none in `data`",
        why: "clients read the events from `data`, so they see none of these",
        help: "move `events` into `data`",
    }
    ERROR_RESPONSE_SHAPE = "error-response-shape" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "a response with `success` false",
        when: "`error` is missing, empty or not a string, or there is a `data`",
        why: "`error` is all that a client can show, and a `data` beside it may be taken for news of the task",
        help: "send `success` and a text in `error`, and no `data`",
    }
    UNKNOWN_STATUS = "unknown-status" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`status` in `data` of a response",
        when: "the word is not `pending`, `running`, `cancel_requested`, `succeeded`, `failed`, `stopped` or `canceled`; `idle` has a rule of its own",
        why: "a client cannot tell whether the task goes on, so it stops too early or never",
        help: "send `pending`, `running`, `cancel_requested`, `succeeded`, `failed` or `stopped`",
    }
    STATUS_CANCELED_LEGACY = "status-canceled-legacy" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`status` in `data` of a response",
        when: "it is `canceled`, which clients read but the server never sets, or `idle`, which only the front end uses",
        why: "a client that goes by the server's own words does not know it, and goes on polling",
        help: "send `stopped` for a task that was cancelled, and the task's own status instead of `idle`",
    }
    ERROR_WITHOUT_FAILED = "error-without-failed" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`error` and `status` in `data` of a response",
        when: "`error` is not null and the status is not `failed`, or it is null and the status is `failed`",
        why: "a client that shows `error` and one that goes by the status tell different stories",
        help: "set `error` exactly when the status is `failed`",
    }
    ENVELOPE_NOT_OBJECT = "envelope-not-object" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "an item of `events`, or of a bare list of envelopes",
        when: "it is not an object; nothing else is reported for it",
        why: "it has neither an `idx` nor a type, so no client can do anything with it",
        help: "send each event as an object with `idx`, `type`, `data` and `ts`",
    }
    ENVELOPE_FIELD = "envelope-field" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`idx`, `type`, `data` and `ts` of every envelope",
        when: "the member is missing, or `idx` is not an integer from 0 up, `type` not a string, or `ts` not a number",
        why: "without `idx` the event has no place in the stream, and without `type` or `data` nobody knows what it says",
        help: "give every envelope the four members, `ts` as a number of seconds",
    }
    DATA_NOT_OBJECT = "data-not-object" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`data` of every envelope",
        when: "it is there and is not an object; the server passes it on as it is, without scope ids",
        why: "clients read members of the payload, so they ignore the event",
        help: "wrap the value in an object, under the member that the type has for it",
    }
    TS_NOT_SECONDS = "ts-not-seconds" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`ts` of every envelope, if it is a number",
        when: "it does not have ten digits before the point, as the seconds since 1970 do from 2001 to 2286; milliseconds have thirteen",
        why: "a consumer that reads it as seconds gets a date far in the past or future",
        help: "send the seconds since 1970 as a number, with a fraction if need be",
    }
    SCOPE_ID_MISSING = "scope-id-missing" {
        code: MissingScopeId, severity: Note, profiles: [Strict],
        applies_to: "every payload that is an object",
        when: "`task_id` or `conversation_id` is absent; one finding for each of the two",
        why: "a client that follows several tasks cannot tell where the event belongs",
        help: "send events as the server stores them: it adds both ids to every payload",
    }
    TASK_ID_MISMATCH = "task-id-mismatch" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`task_id` in the payload of an event, and of a response",
        when: "it differs from `task_id` in `data` of the response, or that is empty; in a bare list, from that of the events before, where `idx` goes on with their task. Said once",
        why: "the reference reducer ignores such an event, so nobody sees what it says",
        help: "keep the events of each task apart",
    }
    PAYLOAD_FIELD_MISSING = "payload-field-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "payloads of events about messages, requests, text, thinking, tools, errors and the end of the task",
        when: "a member that the type always has is absent. `error` needs no more than `message`, and with the `error_type` `parameter_format_error` not even that; `task_complete` may have its three totals alone. An empty payload is one finding",
        why: "clients read the member without a test, and show a hole or fail",
        help: "send the member, with a value of its type; an empty text or list will do where there is nothing to say",
    }
    EXTENDED_FIELD_MISSING = "extended-field-missing" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "payloads of events about approvals, questions, plans, reviews, goals, workflows, compression, tokens and the conversation",
        when: "a member that the server's code always sends is absent; no document asks for it",
        why: "the panel of a client that shows it stays empty",
        help: "send the member as the server does",
    }
    PAYLOAD_WRONG_TYPE = "payload-wrong-type" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "known members of the payloads of known event types",
        when: "its JSON type is not the one that the protocol names; null is a wrong type where it is not listed",
        why: "typed clients fail to read the event, and others join or compare the wrong thing",
        help: "send the JSON type that the protocol has for the member; an object as such, and not as text",
    }
    UNKNOWN_EVENT_TYPE = "unknown-event-type" {
        code: UnknownEventType, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`type` of every envelope",
        when: "it is none of the names that servers or clients use; of the payload only scope ids, secrets and size are checked then",
        why: "clients ignore an event that they do not know, so what it says is lost",
        help: "check the spelling: names are lower case with underscores, such as `text_chunk`. If the type is new, make sure that clients know it",
    }
    CLIENT_MADE_EVENT = "client-made-event" {
        code: UnknownEventType, severity: Warning, profiles: [Schema, Strict],
        applies_to: "every envelope",
        when: "`type` is `runtime_queue_sync`, `event_window_gap` or `view_invalidated`, or the payload has `synthetic` true",
        why: "clients make these events for themselves, so the stream is not what the server sent",
        help: "record the responses of the server, before the client adds to them",
    }
    LEGACY_EVENT_TYPE = "legacy-event-type" {
        code: UnknownEventType, severity: Note, profiles: [Strict],
        applies_to: "`tool_hint`, `append_payload` and `modify_payload`",
        when: "the event appears at all: no server sends it today",
        why: "newer clients have no place for it",
        help: "announce a call with `tool_preparing`, and report what it did with `update_action`",
    }
    ALIAS_EVENT_TYPE = "alias-event-type" {
        code: UnknownEventType, severity: Note, profiles: [Strict],
        applies_to: "`tool_update_action`, `user_question_required` and `user_question_resolved`",
        when: "the event appears at all: it is another name of `update_action`, `user_questions_required` or `user_questions_resolved`, and is checked like it",
        why: "a client that knows only the usual name ignores the event",
        help: "send the event under its usual name",
    }
    FLATTENED_TYPE_COLLISION = "flattened-type-collision" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`quota_exceeded` and `context_warning`",
        when: "`type` has the payload's own type, such as `warning` or `fast`: the members of the payload were put into the envelope. Nothing else is reported for the envelope",
        why: "the event type is lost, and clients ignore a warning or wait for a task that has ended",
        help: "keep the payload with its `type` in `data`, and `context_warning` or `quota_exceeded` in `type`",
    }
    CHUNK_WRONG_MEMBER = "chunk-wrong-member" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`text_chunk` and `thinking_chunk`",
        when: "the payload has `chunk` and no `content`",
        why: "clients join `content`, so this piece is missing from what they show",
        help: "send the piece as `content`",
    }
    SECRET_KEY = "secret-key" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "keys at any depth of a payload, and members of an envelope or response that the task API does not name",
        when: "the key looks like that of a secret, such as `password` or `api_key`; token counters such as `max_tokens` and values such as `<redacted>` are exempt",
        why: "events are kept by the server, read again and shown, so a credential in them reaches logs and screens",
        help: "leave the credential out, or put an opaque reference to it under a key of another name",
    }
    SECRET_VALUE = "secret-value" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "every string and every key of a response or envelope, and what the chunks of a block add up to",
        when: "it looks like a provider token, such as an API key, a JWT or a private key",
        why: "events are kept by the server, read again and shown, so a credential in them reaches logs and screens",
        help: "revoke the credential, and mask such values before they become part of an event",
    }
    INTERNAL_LEAK = "internal-leak" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "`request_dump` and `base_url` of `error`",
        when: "the member is there and is not null; one finding for each",
        why: "every client gets to see what was sent to the model, or where the model runs",
        help: "keep both in the log of the server, and send null or leave them out",
    }
    LARGE_INLINE_VALUE = "large-inline-value" {
        code: LargePayloadInline, severity: Warning, profiles: [Strict],
        applies_to: "the payload of every event",
        when: "its compact JSON text is longer than 32000 UTF-16 units, or than the limit set instead",
        why: "the server keeps the event in memory, and every poll from the start sends it again",
        help: "send a summary and a path or id by which the client can load the rest",
    }
    PLAN_TOO_LONG = "plan-too-long" {
        code: LargePayloadInline, severity: Warning, profiles: [Strict],
        applies_to: "`plan_content` of `plan_approval_required`",
        when: "it has more than 20000 characters; or it has exactly 20000, the length at which the server cuts, and `plan_content_truncated` is not true",
        why: "a person approves a plan without knowing that the end of it is missing, or gets more than the page was made for",
        help: "cut the plan at 20000 characters, set `plan_content_truncated`, and leave the whole of it in `plan_file`",
    }

    IDX_GAP = "idx-gap" {
        code: SequenceGap, severity: Error, profiles: [Strict],
        applies_to: "consecutive events of one response, or of a bare list",
        when: "`idx` is more than one above that of the event before",
        why: "the events between them are lost, and text or tools in them are never shown",
        help: "send all events from the asked-for `idx` on, without holes",
    }
    IDX_NOT_INCREASING = "idx-not-increasing" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "consecutive events of one response, or of a bare list",
        when: "`idx` is not above that of the event before; a note in a bare list where the event was reported as missing before",
        why: "clients take the event for one that they have read, and ignore it",
        help: "number the events of a task from 0 up, one more each time, and send them in that order",
    }
    IDX_REDELIVERED = "idx-redelivered" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "events of a response after the first, and of a bare list",
        when: "an event with this `idx` was read before, with the same content; it counts once, and there is one finding for all that are repeated in a row",
        why: "this is legal, as the same `from` gives the same events; a client that does not compare `idx` shows them twice",
        help: "ask from `next_offset` of the response before, and drop events whose `idx` was read",
    }
    IDX_CHANGED_CONTENT = "idx-changed-content" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "events of a response after the first, and of a bare list",
        when: "an event with this `idx` was read before, with other content. Events of responses are compared as JSON values, those of a bare list as text; of several in a row the first is reported",
        why: "an `idx` is never used again in a task, so clients drop the second event unread",
        help: "never change an event that was sent, and give a new one the next `idx`",
    }
    WINDOW_GAP = "window-gap" {
        code: SequenceGap, severity: Error, profiles: [Strict],
        applies_to: "a response, by the `from` that was asked for: 0 for the first and `next_offset` of the one before, unless the recording says otherwise",
        when: "the first `idx` or `window_start` is above `from`: the server had dropped the events between. Nothing else of the response is taken in. A `window_start` that the events contradict has a rule of its own",
        why: "text and tools that were in the dropped events are missing, and what follows is put in the wrong place",
        help: "take in nothing of such a response, load the conversation from its history, and go on at its `next_event_idx`",
    }
    WINDOW_START_INCONSISTENT = "window-start-inconsistent" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`window_start` of a response",
        when: "it is above the first `idx`, or above `next_offset` where there are no events",
        why: "clients take it for a gap and throw the response away, though nothing is missing",
        help: "send the lowest `idx` that the server still has, or 0 if it has dropped none",
    }
    NEXT_OFFSET_WRONG = "next-offset-wrong" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`next_offset` of a response",
        when: "it is not the last `idx` plus one; or, without events, neither the `from` of the request nor the next `idx`",
        why: "the client asks from there, so it reads events twice or never gets some of them",
        help: "send the last `idx` plus one, or `from` again when there is nothing new",
    }
    OFFSET_BEYOND_END = "offset-beyond-end" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "a response without events",
        when: "the `from` that was asked for is more than one above the highest `idx` that was ever delivered; one finding for all such responses in a row",
        why: "the server gives no error, so the client waits for events that will never come or have lower numbers",
        help: "ask from `next_offset` of the last response that had events",
    }
    STREAM_DOES_NOT_START_AT_ZERO = "stream-does-not-start-at-zero" {
        code: SequenceGap, severity: Warning, profiles: [Strict],
        applies_to: "the first event of a bare list",
        when: "its `idx` is above 0",
        why: "the beginning of the task is missing, so rules that need it cannot be checked",
        help: "record the events from `from=0` on, or record the responses with the `from` that was asked for",
    }
    TS_DECREASING = "ts-decreasing" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "consecutive events of a task",
        when: "`ts` is smaller than that of the event before",
        why: "a consumer that sorts by time or computes durations gets nonsense; the clock of a server can be set back",
        help: "go by `idx` for the order, and take `ts` from a clock that does not go back",
    }

    AI_MESSAGE_START_REPEATED = "ai-message-start-repeated" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`ai_message_start`",
        when: "the task has had one before",
        why: "clients begin a new message each time, so one answer is shown as several",
        help: "send it once in a task, and `api_request_start` for each request to the model",
    }
    CONTENT_BEFORE_AI_MESSAGE_START = "content-before-ai-message-start" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "events about thinking, text and tools, in a stream that starts at `idx` 0",
        when: "there was no `ai_message_start` before; one finding for the task",
        why: "there is no message of the assistant that the content could be put into",
        help: "send `ai_message_start` after the user's message and before all content",
    }
    CHUNK_WITHOUT_START = "chunk-without-start" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`thinking_chunk` and `text_chunk`",
        when: "no block of that kind is open; the reference reducer opens one, and so does the check",
        why: "a client that waits for the start drops the piece",
        help: "send `thinking_start` or `text_start` before the first piece",
    }
    START_WHILE_OPEN = "start-while-open" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "`thinking_start` and `text_start`",
        when: "a block of that kind is open; the reference reducer goes on with it",
        why: "a client that begins a new block splits the text in two",
        help: "send the start once, and the end before another start",
    }
    END_WITHOUT_START = "end-without-start" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`thinking_end` and `text_end`",
        when: "there was no block of that kind since the current attempt began",
        why: "clients put the whole text over an earlier block, or make a block of it that had no start",
        help: "send the start and the pieces before the end",
    }
    FULL_CONTENT_MISMATCH = "full-content-mismatch" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`full_content` of `thinking_end` and `text_end`",
        when: "it differs from the pieces of the block joined together, or from the text with which the block has ended before",
        why: "the text on the screen changes when the block ends: clients show `full_content` instead; an empty one replaces thinking, but no text",
        help: "send in `full_content` exactly the text of all pieces",
    }
    TEXT_CHUNK_INDEX = "text-chunk-index" {
        code: SequenceGap, severity: Warning, profiles: [Strict],
        applies_to: "`index` of `text_chunk`",
        when: "it is not 1 for the first piece of a block, or not one more than that of the piece before",
        why: "a piece of the text may be missing",
        help: "count the pieces of each block from 1",
    }
    BLOCK_LEFT_OPEN = "block-left-open" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "the event that ends the task",
        when: "a thinking or text block is open; this is legal where the task was stopped in the middle of it",
        why: "a client that shows a block when it is complete never shows this one",
        help: "send `thinking_end` or `text_end` before the end of the task",
    }
    ATTEMPT_OUT_OF_RANGE = "attempt-out-of-range" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`attempt` and `max_attempts` of `api_request_start`, `stream_reset` and `error`",
        when: "`attempt` is below 1 or above `max_attempts`",
        why: "a client that shows which try of how many is running shows nonsense",
        help: "count the attempts from 1 up to `max_attempts`",
    }
    RETRY_WITHOUT_NEW_ATTEMPT = "retry-without-new-attempt" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`stream_reset`, and `error` with `retry` true",
        when: "the next `api_request_start` does not have `attempt` plus one (a `stream_reset` may have the `attempt` of that request already), or there is none before thinking, text or tools go on, or another attempt is given up; a terminal event may come instead. If the recording ends first, `ended-without-terminal` reports it",
        why: "clients announce a retry that never comes, or mix the new text with that of the broken attempt",
        help: "send `api_request_start` with the next `attempt`, or end the task with an `error` without `retry`",
    }
    TOOL_EVENT_UNKNOWN_ID = "tool-event-unknown-id" {
        code: MissingScopeId, severity: Warning, profiles: [Strict],
        applies_to: "`tool_intent` and `update_action`",
        when: "it has ids, and none of `id`, `preparing_id`, `execution_id` and `tool_call_id` was seen on a tool before; tools that `stream_reset` removed are forgotten",
        why: "the reference reducer drops the event, so the tool keeps its old state on the screen",
        help: "repeat the id of `tool_preparing` as `preparing_id`, or the id of `tool_start` as `id`",
    }
    TOOL_EVENT_WITHOUT_ID = "tool-event-without-id" {
        code: MissingScopeId, severity: Error, profiles: [Strict],
        applies_to: "`tool_preparing`, `tool_intent`, `tool_start` and `update_action`",
        when: "`id`, `preparing_id`, `execution_id` and `tool_call_id` are all missing or empty; the missing `id` is not reported a second time then",
        why: "nobody can tell which tool the event is about",
        help: "send at least one of the four on every event of a tool",
    }
    TOOL_START_PREPARING_ID_UNKNOWN = "tool-start-preparing-id-unknown" {
        code: MissingScopeId, severity: Warning, profiles: [Strict],
        applies_to: "`preparing_id` of `tool_start`",
        when: "no `tool_preparing` of the current attempt had this id",
        why: "the announced call and the running tool are shown as two, and the first one never ends",
        help: "repeat the `id` of `tool_preparing` as `preparing_id`",
    }
    TOOL_ALIAS_CONFLICT = "tool-alias-conflict" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "events of a tool other than `tool_start`",
        when: "two of its ids belong to two different tools",
        why: "clients go by the first of them, so the state of the wrong tool may change",
        help: "send the ids of one tool only",
    }
    TOOL_NAME_CHANGED = "tool-name-changed" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`name` on the events of a tool",
        when: "it differs from the name that the tool had before",
        why: "a client shows one call under two names, or takes the ids for those of another tool",
        help: "repeat the name of `tool_preparing` on every event of the tool",
    }
    TOOL_UPDATE_AFTER_TERMINAL = "tool-update-after-terminal" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`update_action`",
        when: "the tool is already `completed`, `failed`, `timeout`, `terminated`, `cancelled` or `canceled`",
        why: "a tool that is shown as done changes again, or the update is dropped",
        help: "send what there is to say of a tool before its last status, or together with it",
    }
    TOOL_STATUS_UNKNOWN = "tool-status-unknown" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`status` of `update_action`",
        when: "the word is not `completed`, `running`, `cancelled`, `awaiting_approval`, `awaiting_user_answer`, `awaiting_plan_approval`, `failed`, `timeout`, `terminated` or `canceled`",
        why: "clients do not know whether the tool is still at work",
        help: "send `running`, `completed` or `cancelled`, or what the tool waits for, such as `awaiting_approval`; say more in `message`",
    }
    TOOL_FAILED_BY_STATUS = "tool-failed-by-status" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`status` of `update_action`",
        when: "it is `failed`: the document has that word, but the server sends `completed` with `success` false in `result`",
        why: "a client that looks into `result` finds no failure there",
        help: "send `completed`, and the failure in `result`",
    }
    TOOL_LEFT_OPEN = "tool-left-open" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "the event that ends the task",
        when: "a tool is preparing or running, and none of `has_running_sub_agents`, `has_running_background_commands` and `has_running_multi_agent` of the event is true",
        why: "clients show the tool as cancelled, whatever it did",
        help: "send `update_action` with the last status of each tool before the end, or say that background work goes on",
    }
    APPROVAL_UNRESOLVED = "approval-unresolved" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "the event that ends the task",
        when: "an approval of a tool or a plan, or a question, was asked for and never resolved",
        why: "a person is still asked for an answer that nobody waits for",
        help: "send the resolved event of every approval and question before the end",
    }
    RESOLVED_WITHOUT_REQUIRED = "resolved-without-required" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`tool_approval_resolved`, `plan_approval_resolved` and `user_questions_resolved`",
        when: "its approval, batch or question was never asked for",
        why: "the answer takes no prompt off the screen, and the one that was meant stays",
        help: "repeat the id of the required event",
    }
    DECISION_UNKNOWN = "decision-unknown" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`decision` of `tool_approval_resolved` and `plan_approval_resolved`",
        when: "the word is not `approved`, `rejected` or `timeout`, nor, for a tool, `expired` or `cancelled`, nor, for a plan, `missing` or `forbidden`; the approval counts as resolved",
        why: "clients ignore a decision that they do not know, and go on asking the person",
        help: "send `approved`, `rejected` or `timeout`, and say more in `reason` or `comment`",
    }

    EVENT_AFTER_TERMINAL = "event-after-terminal" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "every event but a second `task_complete` or `task_stopped`, which `polling/task-complete-and-stopped` reports",
        when: "the task has ended by `task_complete`, `task_stopped`, `quota_exceeded`, or an `error` without `retry` true and without the `error_type` `parameter_format_error`; one finding for all of them",
        why: "clients stop polling at the end, so they never see the event",
        help: "send the event before the one that ends the task",
    }
    TASK_COMPLETE_AND_STOPPED = "task-complete-and-stopped" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "`task_complete` and `task_stopped`",
        when: "the task has both, or has `task_complete` twice; `task_stopped` may be sent twice",
        why: "one client shows the task as done and another as stopped",
        help: "end the task with one of the two",
    }
    STATUS_SUCCEEDED_WITHOUT_COMPLETE = "status-succeeded-without-complete" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "a task with the status `succeeded` whose events have all been read",
        when: "there was no `task_complete`; a task whose request to the model failed without a retry ends like this",
        why: "the status calls a success what may have ended with an error",
        help: "send `task_complete` when the task is done, and the status `failed` after an error that ended it",
    }
    STATUS_FAILED_WITHOUT_ERROR = "status-failed-without-error" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "a task with the status `failed` whose events have all been read",
        when: "there was no `error` event",
        why: "a client that goes by the events never shows that the task failed, or why",
        help: "send an `error` event before the status becomes `failed`",
    }
    STATUS_STOPPED_WITHOUT_EVENT = "status-stopped-without-event" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "a task with the status `stopped` whose events have all been read",
        when: "there was no `task_stopped`",
        why: "a client that goes by the events shows the task as running",
        help: "send `task_stopped` before the status becomes `stopped`",
    }
    TERMINAL_EVENT_WHILE_RUNNING = "terminal-event-while-running" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "the responses behind the one with the event that ended the task",
        when: "its status is still `pending` or `running`; one finding for all such responses",
        why: "clients that go by the event have stopped, while those that go by the status poll on",
        help: "set the terminal status together with the event that ends the task",
    }
    STATUS_REGRESSED = "status-regressed" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "`status` of a response after the first",
        when: "a task cannot go to it from the status before: from a terminal status to `running`, say, or from `cancel_requested` to anything but `stopped`. Steps that no poll saw may lie between",
        why: "clients that have stopped at a terminal status, or have shown the task as being cancelled, are wrong",
        help: "go from `pending` to `running`, then to `succeeded` or `failed`, or by `cancel_requested` to `stopped`",
    }
    EVENTS_AFTER_TERMINAL_STATUS = "events-after-terminal-status" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "a response after the first one with a terminal status: `succeeded`, `failed`, `stopped` or `canceled`",
        when: "it has new events; said once. The first such response is legal, as the server reads the status after the events",
        why: "a client that stops at the first such status misses the end of the answer",
        help: "poll on after a terminal status until a response has no events",
    }
    ENDED_WITHOUT_TERMINAL = "ended-without-terminal" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "the end of the input",
        when: "no event and no status has ended the task; an `error` with `retry` true ends nothing",
        why: "nobody can tell whether the task goes on; the recording may have been cut off",
        help: "poll until the status is `succeeded`, `failed` or `stopped`, and record that response too",
    }
    UPDATED_AT_DECREASING = "updated-at-decreasing" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`updated_at` and `created_at` of a response after the first",
        when: "`updated_at` is smaller than before, or `created_at` is not what it was before",
        why: "the responses are out of order, or are of two tasks",
        help: "keep `created_at`, and raise `updated_at` with each event and status",
    }
}
