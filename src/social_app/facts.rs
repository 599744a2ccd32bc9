//! What the rules want to know of an event.

use super::events::args::ArgsShape;
use super::events::event::EventType;
use crate::check::shape::{WatchRow, slots};

slots!(
    TYPE,
    THREAD_ID,
    RUN_ID,
    MESSAGE_ID,
    TOOL_CALL_ID,
    RESULT_CALL_ID,
    TOOL_CALL_NAME,
    TOOL_NAME,
    STEP_NAME,
    STAGE,
    STATUS,
    CODE,
    ARGS,
    ARGS_MODULE,
    ARGS_METHOD,
    ARGS_INPUT,
    ARGS_OLDER,
    TOOL_CALL_ARGS,
    RESULT_MODULE,
    RESULT_METHOD,
    RESULT_INPUT,
    RESULT_OLDER,
    RESULT,
    UI_SCHEMA,
    KEY_POINTS,
    RESULT_TYPE,
    TOTAL_TOKENS,
    CACHED_PROMPT_TOKENS,
    PROMPT_CACHE_HIT_TOKENS,
    PROMPT_CACHE_MISS_TOKENS,
    REASONING_TOKENS,
    COST_SOURCE,
    USAGE_COMPLETE,
);

/// The counts of tokens in the usage summary of an answer.
pub(super) const TOKEN_COUNTS: [&str; 5] =
    ["totalTokens", "cachedPromptTokens", "promptCacheHitTokens", "promptCacheMissTokens", "reasoningTokens"];

/// The usage summary of an answer.
pub(super) const USAGE: [u8; 7] = [
    TOTAL_TOKENS,
    CACHED_PROMPT_TOKENS,
    PROMPT_CACHE_HIT_TOKENS,
    PROMPT_CACHE_MISS_TOKENS,
    REASONING_TOKENS,
    COST_SOURCE,
    USAGE_COMPLETE,
];

/// What only v0 sends with an answer.
pub(super) const V0_ANSWER: [u8; 3] = [KEY_POINTS, RESULT_TYPE, UI_SCHEMA];

/// The slots of what tells the shapes of arguments apart: module, method and input, and the
/// members that older shapes have.
pub(super) const ARGS_SHAPE: [u8; 4] = [ARGS_MODULE, ARGS_METHOD, ARGS_INPUT, ARGS_OLDER];
pub(super) const RESULT_SHAPE: [u8; 4] = [RESULT_MODULE, RESULT_METHOD, RESULT_INPUT, RESULT_OLDER];

const IN_ARGS: [(&str, u8); 7] = shapes(ARGS_SHAPE);
const IN_RESULT_ARGS: [(&str, u8); 7] = shapes(RESULT_SHAPE);

/// The members that tell the shapes of arguments apart.
const fn shapes([module, method, input, older]: [u8; 4]) -> [(&'static str, u8); 7] {
    let [new, [command, subcommand, _], [skill, action, _]] =
        [ArgsShape::Canonical.members(), ArgsShape::Command.members(), ArgsShape::Skill.members()];
    [
        (new[0], module),
        (new[1], method),
        (new[2], input),
        (command, older),
        (subcommand, older),
        (skill, older),
        (action, older),
    ]
}

const fn any(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow::slot("*", member, slot)
}

/// A value that is looked into for secrets and size.
const fn opaque(member: &'static str, slot: u8) -> WatchRow<'static> {
    WatchRow { inspect: true, ..WatchRow::slot("*", member, slot) }
}

/// Arguments: what tells their shapes apart lies below.
const fn args(member: &'static str, slot: u8, below: &'static [(&'static str, u8)]) -> WatchRow<'static> {
    WatchRow { below, ..opaque(member, slot) }
}

pub(super) const WATCHES: &[WatchRow<'static>] = &[
    any("type", TYPE),
    any("threadId", THREAD_ID),
    any("runId", RUN_ID),
    any("messageId", MESSAGE_ID),
    any("toolCallId", TOOL_CALL_ID),
    any("tool_call_id", RESULT_CALL_ID),
    any("toolCallName", TOOL_CALL_NAME),
    any("tool_name", TOOL_NAME),
    any("stepName", STEP_NAME),
    any("stage", STAGE),
    any("status", STATUS),
    any("code", CODE),
    args("args", ARGS, &IN_ARGS),
    args("tool_call_args", TOOL_CALL_ARGS, &IN_RESULT_ARGS),
    opaque("result", RESULT),
    opaque("error", 0),
    opaque("ui_schema", UI_SCHEMA),
    opaque("answer", 0),
    any("key_points", KEY_POINTS),
    any("result_type", RESULT_TYPE),
    any(TOKEN_COUNTS[0], TOTAL_TOKENS),
    any(TOKEN_COUNTS[1], CACHED_PROMPT_TOKENS),
    any(TOKEN_COUNTS[2], PROMPT_CACHE_HIT_TOKENS),
    any(TOKEN_COUNTS[3], PROMPT_CACHE_MISS_TOKENS),
    any(TOKEN_COUNTS[4], REASONING_TOKENS),
    any("costSource", COST_SOURCE),
    any("usageComplete", USAGE_COMPLETE),
];

/// The member that each slot was taken from.
pub(super) fn member_of(slot: u8) -> Option<&'static str> {
    WATCHES.iter().find(|row| row.slot == slot).map(|row| row.member)
}

/// The members of the usage summary.
pub(crate) fn usage_members() -> impl Iterator<Item = &'static str> {
    WATCHES.iter().filter(|row| USAGE.contains(&row.slot)).map(|row| row.member)
}

/// Where the id of a call stands in an event of this type.
pub(super) const fn call_id_slot(event: EventType) -> Option<u8> {
    match event {
        EventType::ToolCallStart | EventType::ToolCallArgs | EventType::ToolCallEnd => Some(TOOL_CALL_ID),
        EventType::ToolCallResult => Some(RESULT_CALL_ID),
        _ => None,
    }
}
