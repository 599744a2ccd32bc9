//! The rules that social-app events are checked by, in the order of their tables.

use crate::check::rule::rules;

rules! { SocialApp, "social-app";
    FRAME_NOT_JSON = "frame-not-json" {
        code: FramingError, severity: Error, profiles: [Schema, Strict],
        applies_to: "an SSE frame",
        when: "the joined `data:` lines are not JSON; nothing else is reported for the frame",
        why: "the event in it is lost; if it was the terminal, the run never ends for the client",
        help: "send one JSON object per frame or line; of server-sent events, a keep-alive is the comment `: keep-alive`",
    }
    FRAME_NOT_OBJECT = "frame-not-object" {
        code: FramingError, severity: Error, profiles: [Schema, Strict],
        applies_to: "an SSE frame, a line or an array item",
        when: "the JSON value is not an object; nothing else is reported for it",
        why: "every event is an object with a `type` and the ids of its run; nothing else can be read as one",
        help: "send each event as a JSON object of its own",
    }
    FRAME_EVENT_MISSING = "frame-event-missing" {
        code: FramingError, severity: Warning, profiles: [Strict],
        applies_to: "an SSE frame with data",
        when: "it has no `event:` line",
        why: "readers that route frames by event name, as browsers do, do not find the event under its type",
        help: "repeat the `type` of the JSON in an `event:` line",
    }
    FRAME_EVENT_MISMATCH = "frame-event-mismatch" {
        code: FramingError, severity: Error, profiles: [Strict],
        applies_to: "an SSE frame",
        when: "the `event:` line differs from the `type` of the JSON",
        why: "a reader that routes by the line takes the event for another one than a reader of the JSON does",
        help: "write the `type` of the JSON into the `event:` line unchanged",
    }
    FRAME_ID_MISSING = "frame-id-missing" {
        code: FramingError, severity: Warning, profiles: [Strict],
        applies_to: "an SSE frame with data",
        when: "it has no `id:` line",
        why: "nobody can resume after this frame: a client that reconnects gets it a second time",
        help: "send the id of the Redis stream entry as the `id:` line of every frame",
    }
    FRAME_ID_FORM = "frame-id-form" {
        code: FramingError, severity: Warning, profiles: [Strict],
        applies_to: "the `id:` of an SSE frame",
        when: "it is not two unsigned integers with a hyphen between them, as in `1760000000000-0`",
        why: "the client sends it back as `Last-Event-ID`, and the server refuses what is no Redis stream id",
        help: "send the id of the Redis stream entry unchanged",
    }
    TYPE_MISSING = "type-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "every event",
        when: "`type` is missing, empty, null or not a string",
        why: "the event cannot be told apart from any other, so no consumer can act on it",
        help: "set `type` to one of the event types, such as RUN_STARTED",
    }
    UNKNOWN_EVENT_TYPE = "unknown-event-type" {
        code: UnknownEventType, severity: Warning, profiles: [Schema, Strict],
        applies_to: "every event",
        when: "`type` is a name of neither this protocol nor AG-UI 1.0, and no internal one; only ids and leaks are checked then",
        why: "clients pass over an event that they do not know, so what it says is lost",
        help: "check the spelling: the names are upper case with underscores, such as TOOL_CALL_RESULT",
    }
    STANDARD_EVENT_TYPE = "standard-event-type" {
        code: UnknownEventType, severity: Note, profiles: [Schema, Strict],
        applies_to: "TEXT_MESSAGE_START, TEXT_MESSAGE_CONTENT and the other types that only AG-UI 1.0 has",
        when: "the event appears at all: this protocol does not send it; only ids and leaks are checked then",
        why: "clients of this protocol pass over it; they take the answer, for one, from TEXT_MESSAGE_END alone",
        help: "leave the event out, and send the answer whole in TEXT_MESSAGE_END; check the stream as `agui` if it is a standard one",
    }
    INTERNAL_EVENT_TYPE = "internal-event-type" {
        code: UnknownEventType, severity: Warning, profiles: [Schema, Strict],
        applies_to: "events whose type is a lower-case dot name, such as `run.started` or `text.end`",
        when: "`data` is an object, as in the backend's internal form; it is not looked into",
        why: "clients know the upper-case names only, and nothing internal has been taken out of `data`",
        help: "send events through the codec, which turns `run.started` into RUN_STARTED",
    }
    REQUIRED_FIELD_MISSING = "required-field-missing" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "every known event type",
        when: "a member that the event needs is absent, or stands under a name that is nearly its own; ids and `args` have rules of their own. An event with the members of another type gives one finding",
        why: "the client has nothing to show or guesses: a tool result without `status` counts as a success",
        help: "send the member; of the required ones only `tool_call_args` may be null",
    }
    WRONG_TYPE = "wrong-type" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "every known member that has no rule of its own, also in the response of `/history`",
        when: "its JSON type is not the one that the protocol names; `result` may be an object (v1) or a string (v0). In `/history` also a `day` or `timestamp` that is not ISO 8601, and a tool's `content` that is not JSON text",
        why: "typed clients fail to read the event, or read it without the member",
        help: "send the JSON type that the event's definition names",
    }
    NULL_NOT_ALLOWED = "null-not-allowed" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "known members other than `code`, `error`, `ui_schema`, `tool_call_args`, `reasoningTokens`, `snapshot` and `messages`",
        when: "the value is null, and no rule of the member's own reports it",
        why: "typed clients read a value there and fail to read the event",
        help: "send a value, or leave an optional member out",
    }
    RUN_ID_MISSING = "run-id-missing" {
        code: MissingScopeId, severity: Error, profiles: [Schema, Strict],
        applies_to: "every event",
        when: "`runId` or `threadId` is missing, empty, null or not a string; one finding where neither is there",
        why: "events are delivered by their `runId`, so one without it never arrives; without `threadId` it has no place",
        help: "repeat both ids on every event of the run, RUN_ERROR included",
    }
    MESSAGE_ID_MISSING = "message-id-missing" {
        code: MissingScopeId, severity: Error, profiles: [Schema, Strict],
        applies_to: "TOOL_CALL_START, TOOL_CALL_ARGS, TOOL_CALL_END, TOOL_CALL_RESULT and TEXT_MESSAGE_END",
        when: "`messageId` is missing, empty, null or not a string",
        why: "a consumer cannot tell which message the call or the text belongs to",
        help: "set `messageId` on each of these events; those of one call may share it",
    }
    TOOL_CALL_ID_MISSING = "tool-call-id-missing" {
        code: MissingScopeId, severity: Error, profiles: [Schema, Strict],
        applies_to: "`toolCallId` of TOOL_CALL_START, _ARGS and _END, `tool_call_id` of TOOL_CALL_RESULT",
        when: "the id is missing in either spelling, or it is empty, null or not a string",
        why: "the events of a call cannot be matched, and the card of its result, which is named after the call, has no name",
        help: "make one id per call, and repeat it on all four events",
    }
    TOOL_ID_CASING = "tool-id-casing" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "TOOL_CALL_START, TOOL_CALL_ARGS, TOOL_CALL_END and TOOL_CALL_RESULT",
        when: "there is a `toolCallId` on a result, or a `tool_call_id` on one of the other three",
        why: "clients read the one spelling that belongs to the event, and do not find the id in the other",
        help: "write `tool_call_id` on TOOL_CALL_RESULT, and `toolCallId` on the other three",
    }
    SNAKE_CAMEL_MIX = "snake-camel-mix" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`suggestedActions`, `toolName` and `uiSchema` of known event types; `suggested_actions` and `uiSchema` of messages of `/history`",
        when: "the member is there by the name that `/history` or older servers have for it, or in `/history` by the name that events have",
        why: "clients of events look for `suggested_actions`, `tool_name` and `ui_schema`, those of `/history` for `suggestedActions` and `ui_schema`, and miss the value",
        help: "write the member in snake case on events; in the response of `/history` write `suggestedActions` and `ui_schema`",
    }
    ARGS_NOT_OBJECT = "args-not-object" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`args` of TOOL_CALL_ARGS",
        when: "it is missing or no object; a `delta` in its place, as in AG-UI, included",
        why: "arguments come whole in this protocol: consumers read an object, and neither join nor parse text",
        help: "send all arguments of the call as one JSON object, `{}` when there are none",
    }
    TOOL_STATUS = "tool-status" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`status` of TOOL_CALL_RESULT",
        when: "the word is not `success`, `failure` or `partial`, nor the older `failed`; `partial_success` is one for texts",
        why: "clients decide by the word: they load the calendar again after `success` and `partial` only",
        help: "write `success`, `failure` or `partial`",
    }
    TOOL_STATUS_LEGACY = "tool-status-legacy" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`status` of TOOL_CALL_RESULT",
        when: "the word is `failed`, which tools had before v0 and texts still have",
        why: "a consumer that knows `failure` only does not show the call as failed",
        help: "write `failure`",
    }
    TEXT_STATUS = "text-status" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`status` of TEXT_MESSAGE_END",
        when: "the word is not `success`, `partial_success` or `failed`; `failure` and `partial` are words for tools",
        why: "a consumer cannot tell a full answer from a partial one, nor from a failure",
        help: "write `success`, `partial_success` or `failed`",
    }
    STEP_NAME = "step-name" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`stepName` of STEP_STARTED and STEP_FINISHED",
        when: "the name is neither `router` nor `worker`; `memory`, which was a step earlier, gives a note",
        why: "consumers know the two steps of the pipeline, and have no place for another one",
        help: "name the step `router` or `worker`",
    }
    STAGE = "stage" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`stage` of tool call events and of TEXT_MESSAGE_END",
        when: "the stage is not `worker`; `router` and `memory`, which were stages earlier, give a note",
        why: "tools and text come from the worker; a consumer that sorts them by stage has no place for others",
        help: "write `worker`",
    }
    ROLE = "role" {
        code: SchemaMismatch, severity: Error, profiles: [Schema, Strict],
        applies_to: "`role` of TOOL_CALL_RESULT and TEXT_MESSAGE_END",
        when: "it is a string other than `tool` on a result, or other than `assistant` on a text",
        why: "a consumer that keeps messages by role files it under the wrong speaker",
        help: "write `tool` on TOOL_CALL_RESULT, and `assistant` on TEXT_MESSAGE_END",
    }
    ERROR_CODE = "error-code" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`code` of RUN_ERROR",
        when: "it is a string other than `RUN_CANCELED`",
        why: "`RUN_CANCELED` is the only code that clients know; any other is shown as an error like all others",
        help: "send null and say what happened in `message`; the codes of HTTP errors do not belong here",
    }
    INTERNAL_FIELD_LEAK = "internal-field-leak" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "the top level of every event, above all of TEXT_MESSAGE_END, and of the response of `/history` and its messages",
        when: "`inputTokens`, `outputTokens`, `cost`, `latencyMs` or `model` is there; one finding for each",
        why: "users get to see figures of the backend: which model runs, how fast, and what it costs",
        help: "remove the member before the event is sent; `totalTokens` and the rest of the usage summary may stay",
    }
    UI_HINTS_LEAK = "ui-hints-leak" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "the top level of every event, and of the response of `/history` and its messages",
        when: "`ui_hints` is there",
        why: "the hints are internal and may say more than the card that is made of them; clients read `ui_schema` only",
        help: "compile the hints into `ui_schema` and remove them, also when they cannot be compiled",
    }
    USAGE_AUDIT_LEAK = "usage-audit-leak" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "the top level of every event, and of the response of `/history` and its messages",
        when: "a member of the usage audit or of a provider's raw usage is there, such as `direct_cost`, `usage_records`, `input_tokens`, `cached_tokens`, `usage`, or a name that begins with `price_`; one finding for each",
        why: "what a run costs and how that was worked out is kept for the operator, and everybody who reads the stream sees it",
        help: "remove the member before the event is sent; clients get `totalTokens` and the rest of the usage summary, in camel case",
    }
    USAGE_SUMMARY = "usage-summary" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "the token counts and `usageComplete` of TEXT_MESSAGE_END",
        when: "a count is not a number, or below zero, or `usageComplete` is not a boolean; `reasoningTokens` may be null",
        why: "panels that show the usage cannot add the counts up, or show nonsense",
        help: "send counts as JSON numbers from 0 up, and leave out those that the provider did not give",
    }
    COST_SOURCE = "cost-source" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`costSource` of TEXT_MESSAGE_END",
        when: "it is not a known label, is `provider` with `usageComplete` false, or `incomplete_usage_fallback` with true",
        why: "nobody can tell whether the provider gave the cost or the price list did",
        help: "write `provider`, `catalog_fallback`, `catalog_fallback_incomplete_provider_cost` or `incomplete_usage_fallback`",
    }
    V0_FIELD_IN_V1 = "v0-field-in-v1" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_END and TOOL_CALL_RESULT of a v1 stream, forced or known by its events",
        when: "a text has `key_points`, `result_type` or `ui_schema`, or the `result` of a tool is a string",
        why: "clients of v1 pass over it: cards come with tool results, and facts are members of an object",
        help: "leave the member out, put `ui_schema` on the tool result, and send `result` as an object",
    }
    V1_FIELD_IN_V0 = "v1-field-in-v0" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_END and TOOL_CALL_RESULT of a v0 stream, forced or known by its events",
        when: "a text has members of the usage summary, or a tool result has an object as `result` or a `ui_schema`",
        why: "clients of v0 read a text as `result`, and have no use for the other members",
        help: "send `result` as text and leave the other members out, or send the whole stream as v1",
    }
    RESULT_TYPE = "result-type" {
        code: SchemaMismatch, severity: Warning, profiles: [Schema, Strict],
        applies_to: "`result_type` of TEXT_MESSAGE_END, a member of v0",
        when: "it is a string other than `execution_report`, `clarification`, `error_report` and `unknown`",
        why: "a consumer cannot tell a report from a question or an error",
        help: "use one of the four words, `unknown` when no other fits; in v1 leave the member out",
    }
    TOOL_CALL_ARGS_SHAPE = "tool-call-args-shape" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`args` of TOOL_CALL_ARGS and `tool_call_args` of TOOL_CALL_RESULT",
        when: "the object has `command`, `subcommand`, `skill` or `action` and neither `module` nor `method`, as earlier backends sent it; or `module` without `method`; or one of the two is no string; or `input` beside them is no object",
        why: "clients look into `module` and `method` to see what was called, and find nothing or half of it",
        help: "send `module` and `method` as strings and `input` as an object",
    }
    TOOL_MODULE_UNKNOWN = "tool-module-unknown" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`module` and `method` in the arguments of a tool call",
        when: "the module is not `calendar`, `contacts` or `memory`, or is one of these and does not have the method",
        why: "clients have no label for such a call, and do not know what it changes",
        help: "check the spelling; if the module or method is new, make sure that clients know it",
    }
    TOOL_NAME_FORM = "tool-name-form" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "`toolCallName` of TOOL_CALL_START, _ARGS and _END, `tool_name` of TOOL_CALL_RESULT",
        when: "it is neither `project_cli`, a dot name such as `calendar.read`, nor a known alias such as `calendar_read`",
        why: "clients find the label by the dot name; a name that they cannot turn into one is shown as it is",
        help: "send `project_cli`, or the dot name of the method",
    }
    RESULT_REPEATS_ARGS = "result-repeats-args" {
        code: SchemaMismatch, severity: Warning, profiles: [Strict],
        applies_to: "`result` of TOOL_CALL_RESULT",
        when: "a member of it, or of an object in it, has the key and value of a member of `tool_call_args`, its `input` or its older `args`; members of `result` itself are compared with those of objects in these too. Ids such as `event_id` are exempt. A result of v0 that is JSON text is looked into as well",
        why: "the agent goes on from `result` as what the tool found or did, and takes an input in it for an outcome",
        help: "leave inputs out of `result`: `tool_call_args` has them already",
    }
    UNKNOWN_PROPERTY = "unknown-property" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "every known event type, and `visibility_mask` of messages of `/history`",
        when: "a member is not one of the event's, or the mask has unknown bits; both are legal",
        why: "clients pass over it, and the codec, which lets it through, may have let out something internal",
        help: "check the spelling, or remove the member if no client reads it",
    }
    SECRET_KEY = "secret-key" {
        code: SecretLeakRisk, severity: Warning, profiles: [Strict],
        applies_to: "keys in `args`, `tool_call_args`, `result`, `error` and `ui_schema`",
        when: "the key looks like that of a secret, such as `password` or `api_key`; token counters and values such as `<redacted>` are exempt",
        why: "events are stored, replayed and sent to the app, so a credential in them reaches logs and screens",
        help: "remove the member on the server before the event is stored or sent",
    }
    SECRET_VALUE = "secret-value" {
        code: SecretLeakRisk, severity: Error, profiles: [Strict],
        applies_to: "every string and every key of an event",
        when: "it looks like a provider token, such as an API key, a JWT or a private key",
        why: "events are stored, replayed and sent to the app, so a credential in them reaches logs and screens",
        help: "revoke the credential, and mask such values on the server before they are stored or sent",
    }
    LARGE_INLINE_VALUE = "large-inline-value" {
        code: LargePayloadInline, severity: Warning, profiles: [Strict],
        applies_to: "`result`, `ui_schema` and `answer`",
        when: "the compact JSON text, or JSON that a result holds in a string, is longer than 32000 UTF-16 units, or than the limit set instead",
        why: "the value is kept in the stream and in the history, and every client must take it in one frame",
        help: "send ids, states and counts, and let the client load the content when it is needed",
    }

    RUN_ID_NOT_SUBSCRIBED = "run-id-not-subscribed" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "every event of a stream with a subscription, or of one that is checked as v1",
        when: "`runId` is not exactly the subscribed one; without a subscription the first one seen counts as that",
        why: "such a stream is one run's: a client that trusts it mixes another run into the answer",
        help: "send only events whose `runId` equals that of the request",
    }
    THREAD_ID_CHANGED = "thread-id-changed" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "every event",
        when: "`threadId` differs from the first one of the connection; each other one is reported once",
        why: "a connection is one conversation, so the event is shown in the wrong one or nowhere",
        help: "repeat the thread id of the request on every event",
    }
    FIRST_EVENT_NOT_RUN_STARTED = "first-event-not-run-started" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "the first event of a run",
        when: "it is not RUN_STARTED; a stream that was resumed with `Last-Event-ID` is exempt",
        why: "a client that waits for the start of its run passes over what comes before it",
        help: "send RUN_STARTED before everything else of the run",
    }
    RUN_STARTED_REPEATED = "run-started-repeated" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "RUN_STARTED",
        when: "its `runId` was started before; a run that has ended included, of which nothing more is asked then",
        why: "by id the two starts are one run, so what came of the first is lost or mixed with the second",
        help: "send RUN_STARTED once, and make a new `runId` for another attempt",
    }
    EVENT_AFTER_TERMINAL = "event-after-terminal" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "every event of a run but RUN_STARTED, RUN_FINISHED and RUN_ERROR",
        when: "it comes after RUN_FINISHED, or after a RUN_ERROR other than a cancellation; one finding for all of them",
        why: "the connection ends with the terminal, so the event does not arrive",
        help: "send the event before the terminal",
    }
    TWO_TERMINALS = "two-terminals" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "RUN_FINISHED and RUN_ERROR",
        when: "the run has already ended, and not by a cancellation; one end behind an `event-after-terminal` is part of that fault",
        why: "the client stops at the first one and never learns of the other outcome",
        help: "end each run exactly once",
    }
    ENDED_BY_OTHER_RUN = "ended-by-other-run" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "the end of a stream with a subscription, or of one that is checked as v1",
        when: "events of the subscribed run came, but no terminal, and the last terminal seen belongs to another run",
        why: "the connection was closed before its run was over, so the rest of the answer is missing",
        help: "close the connection on RUN_FINISHED or RUN_ERROR of the subscribed run only",
    }
    STREAM_WITHOUT_TERMINAL = "stream-without-terminal" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "the end of the stream",
        when: "a run that has begun has neither RUN_FINISHED nor RUN_ERROR, as after a cut or the idle limit, or has it in a last frame without a blank line, which receivers drop; one finding, however many there are",
        why: "the client cannot tell whether the run goes on, and must load the answer from the history",
        help: "end every run with RUN_FINISHED or RUN_ERROR, or resume a stream that was cut off",
    }
    FRAME_ID_NOT_INCREASING = "frame-id-not-increasing" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "the `id:` of an SSE frame",
        when: "it is not greater than all before, by milliseconds and then by number. A frame that repeats id and content of one of the last 256 is a redelivery, as after a reconnect: it counts once, and gives a note for all that are repeated in a row",
        why: "a client that resumes from this id gets events twice or loses some",
        help: "send the entries of the stream in their order, each once",
    }
    STEP_ALREADY_OPEN = "step-already-open" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "STEP_STARTED",
        when: "a step of this name is open in the run",
        why: "steps are paired by name alone, so the two cannot be told apart",
        help: "finish the step before it starts again",
    }
    STEP_FINISHED_NOT_OPEN = "step-finished-not-open" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "STEP_FINISHED",
        when: "no step of this name is open in the run",
        why: "a step is reported as done that nobody saw begin",
        help: "send STEP_STARTED with the same `stepName` first, and STEP_FINISHED once",
    }
    STEP_LEFT_OPEN = "step-left-open" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "RUN_FINISHED",
        when: "a step of the run is still open; RUN_ERROR may leave steps open",
        why: "the step is shown as running after the run is over",
        help: "send STEP_FINISHED for every open step before the run ends",
    }
    STEP_ORDER = "step-order" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "STEP_STARTED of the step `worker`",
        when: "the step `router` has not finished in the run; one that never started included, unless it may have come before the stream was resumed",
        why: "the worker acts on what the router decided, so a display of the two steps is wrong or has a hole",
        help: "send both events of the step `router` before the step `worker` starts",
    }
    TEXT_BEFORE_WORKER = "text-before-worker" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_END in a run that has a step `router` or `worker`",
        when: "the step `worker` has not been started in the run; if its first step comes after the text, it is reported at that step",
        why: "the answer is the worker's, so a display of the steps shows an answer that nobody has worked out",
        help: "send STEP_STARTED of the step `worker` before its calls and its answer",
    }
    TOOL_OUTSIDE_WORKER = "tool-outside-worker" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "the first event of a tool call with the stage `worker`, in a run that has a step `router` or `worker`",
        when: "no step `worker` is open; one finding a run",
        why: "a display that puts calls under their step has no place for this one",
        help: "send the calls of the worker between its STEP_STARTED and its STEP_FINISHED",
    }
    TOOL_ARGS_WITHOUT_START = "tool-args-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "TOOL_CALL_ARGS",
        when: "no tool call with this `toolCallId` was started in the run",
        why: "there is no call that the arguments belong to",
        help: "send TOOL_CALL_START with the same `toolCallId` first",
    }
    TOOL_END_WITHOUT_START = "tool-end-without-start" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "TOOL_CALL_END",
        when: "no tool call with this `toolCallId` was started in the run, or the call has already ended",
        why: "there is no call that the event could end",
        help: "send TOOL_CALL_START with the same `toolCallId` first, and TOOL_CALL_END once",
    }
    TOOL_ARGS_REPEATED = "tool-args-repeated" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TOOL_CALL_ARGS",
        when: "the call already has its arguments; pieces of text are `args-not-object`, and not this",
        why: "arguments come whole, so a consumer keeps one of the two and drops the other",
        help: "send all arguments of a call in one TOOL_CALL_ARGS",
    }
    TOOL_RESULT_WITHOUT_CALL = "tool-result-without-call" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "TOOL_CALL_RESULT in a run that has a TOOL_CALL_START, before it or after",
        when: "no tool call with this `tool_call_id` was started before it in the run; reported at the first TOOL_CALL_START where that comes after the result",
        why: "the result cannot be matched with the call that it answers",
        help: "repeat the `toolCallId` of the call as `tool_call_id`, and send TOOL_CALL_START first",
    }
    TOOL_RESULT_BEFORE_END = "tool-result-before-end" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TOOL_CALL_RESULT",
        when: "the call has no TOOL_CALL_END yet",
        why: "the result answers a call that, to a consumer, is still being made",
        help: "send TOOL_CALL_END before the result",
    }
    TOOL_RESULT_REPEATED = "tool-result-repeated" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "TOOL_CALL_RESULT",
        when: "the call already has a result",
        why: "the card of a result is named after its call, so the two results fight for one card",
        help: "send one result per call, and make a new id for another call",
    }
    TOOL_CALL_ID_REUSED = "tool-call-id-reused" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "TOOL_CALL_START",
        when: "its `toolCallId` was already used in the run; an ended call included",
        why: "by id the two calls are one, so their arguments, results and cards are mixed up",
        help: "make a new `toolCallId` for every call, also of the same tool",
    }
    TOOL_NAME_CHANGED = "tool-name-changed" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`toolCallName` of TOOL_CALL_ARGS and TOOL_CALL_END, `tool_name` of TOOL_CALL_RESULT",
        when: "it names another tool than the events of the call before; the dot and the underscore form of a name are one, and `project_cli` may stand for any of a published form",
        why: "a consumer shows the call under one name and its result under another",
        help: "repeat the name of TOOL_CALL_START on every event of the call",
    }
    TOOL_ARGS_CHANGED = "tool-args-changed" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "`tool_call_args` of TOOL_CALL_RESULT",
        when: "the value differs from the `args` of the call",
        why: "nobody can tell what the tool was really called with",
        help: "repeat the `args` of TOOL_CALL_ARGS unchanged",
    }
    TOOL_LEFT_OPEN = "tool-left-open" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "RUN_FINISHED",
        when: "a tool call of the run has no result",
        why: "the call is shown as running for ever, and no card for it appears",
        help: "send TOOL_CALL_RESULT for every call, with the status `failure` if it failed",
    }
    TEXT_END_REPEATED = "text-end-repeated" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_END",
        when: "the run already has one, or another run on the connection has one with the same `messageId`",
        why: "the event carries the whole answer, so the second one replaces the first or stands beside it",
        help: "send one TEXT_MESSAGE_END per run, when the worker's output is complete",
    }
    TEXT_END_BEFORE_TOOL_RESULT = "text-end-before-tool-result" {
        code: SequenceViolation, severity: Warning, profiles: [Strict],
        applies_to: "TEXT_MESSAGE_END",
        when: "a tool call of the run has no result yet",
        why: "the answer cannot speak of that result, and its card appears below the answer",
        help: "send the result of every call before the answer, with the status `failure` if it failed",
    }
    RUN_FINISHED_WITHOUT_TEXT = "run-finished-without-text" {
        code: SequenceViolation, severity: Note, profiles: [Strict],
        applies_to: "RUN_FINISHED",
        when: "the run has no TEXT_MESSAGE_END",
        why: "the run counts as a success, and the user gets no answer",
        help: "send the answer before RUN_FINISHED, or end the run with RUN_ERROR if there is none",
    }
    CANCELED_MESSAGE = "canceled-message" {
        code: SequenceViolation, severity: Error, profiles: [Strict],
        applies_to: "the first event of a run after a RUN_ERROR with the code `RUN_CANCELED`",
        when: "there is such an event at all; RUN_FINISHED included",
        why: "the client shows the run as canceled and has stopped listening, while the run goes on or succeeds",
        help: "send nothing of the run after the cancellation",
    }
}
