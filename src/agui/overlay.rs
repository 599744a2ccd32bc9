//! What the schema rejects, and the rules that say so.

use std::borrow::Cow;

use super::events::event::EventType;
use super::events::outcome::RunFinishedOutcomeType;
use super::rules;
use crate::check::explain::{Keyword, Mismatch};
use crate::check::near::nearest;
use crate::check::overlay::{self, Row, When};
use crate::check::rule::Rule;
use crate::check::tree::{Node, Value};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::Kind;

const NULL: &str = "{name} is null; leave it out";

const fn tolerated(definition: &'static str, member: &'static [&'static str]) -> Row<'static> {
    Row::any(member, When::Null, &rules::NULL_TOLERATED, NULL).of(definition)
}

static OVERLAY: [Row<'static>; 21] = [
    Row::any(
        &[],
        When::Is(Keyword::Required),
        &rules::REQUIRED_FIELD_MISSING,
        "{name} is missing; it must be {expected}",
    ),
    Row::any(&[], When::Is(Keyword::Closed), &rules::UNKNOWN_PROPERTY, "{name} is not a member of this object in 1.0"),
    Row::any(&[], When::Is(Keyword::Enum), &rules::ENUM_VALUE_UNKNOWN, "{name} is not {expected}"),
    Row::any(&[], When::Is(Keyword::Number), &rules::INTEGER_INVALID, "{name} is not {expected}"),
    Row::any(&[], When::Is(Keyword::Pattern), &rules::POINTER_SYNTAX, "{name} is not a JSON Pointer (RFC 6901)"),
    Row::any(&[], When::Is(Keyword::Length), &rules::INTERRUPTS_EMPTY, "{name} is empty"),
    // The client accepts a null state, which only the schema forbids.
    Row::any(&["state"], When::Null, &rules::NULL_NOT_ALLOWED, NULL).of("AguiRunAgentInput").harmless(),
    tolerated("AguiToolCallStartEvent", &["parentMessageId"]),
    tolerated("AguiToolCallChunkEvent", &["parentMessageId"]),
    tolerated("AguiRunFinishedEvent", &["outcome", "result"]),
    tolerated("AguiSubagentFinishedEvent", &["result"]),
    tolerated("AguiResumeEntry", &["payload"]),
    tolerated("AguiTool", &["parameters"]),
    tolerated("AguiRunAgentInput", &["forwardedProps"]),
    tolerated("AguiImagePart", &["metadata"]),
    tolerated("AguiAudioPart", &["metadata"]),
    tolerated("AguiVideoPart", &["metadata"]),
    tolerated("AguiDocumentPart", &["metadata"]),
    tolerated("*", &["rawEvent"]),
    Row::any(&[], When::Null, &rules::NULL_NOT_ALLOWED, "{name} is null; it must be {expected}{or absent}"),
    Row::any(&[], When::Any, &rules::WRONG_TYPE, "{name} is {actual}, not {expected}"),
];

/// What the receiving side makes of a mismatch.
pub(super) struct Judged {
    pub(super) rule: &'static Rule,
    pub(super) message: Cow<'static, str>,
    /// What was meant instead of the value.
    pub(super) meant: Option<&'static str>,
    /// Whether the official client fails the run here.
    pub(super) fatal: bool,
}

/// What a mismatch means. `node` is the whole event or document. `lists` says of which rules findings are listed: the
/// message of any other is left empty.
pub(super) fn judge(misfit: &Mismatch<'_>, node: &Node<'_>, lists: impl Fn(&Rule) -> bool) -> Judged {
    if misfit.keyword == Keyword::Tag {
        return union_member(misfit, node, lists);
    }
    let in_answer = is_tool_result(node);
    let rows = OVERLAY.iter().filter(|row| !(in_answer && row.definition.ends_with("Part")));
    let [.., last] = &OVERLAY;
    let row = overlay::find(rows, misfit).unwrap_or(last);
    let message = if lists(row.rule) { row.describe(misfit).into() } else { Cow::Borrowed("") };
    Judged { rule: row.rule, message, meant: None, fatal: row.is_fatal() }
}

/// A union member whose tag is unknown or missing: a receiver drops it.
fn union_member(misfit: &Mismatch<'_>, node: &Node<'_>, lists: impl Fn(&Rule) -> bool) -> Judged {
    let found = node.at(&misfit.path.parent());
    let tag = found.and_then(|found| found.get(&misfit.member)).and_then(Node::as_str);
    let dropped = |rule, message: String| Judged { rule, message: message.into(), meant: None, fatal: false };
    let written = found.and_then(|found| found.get(&misfit.member)).map(Node::kind);
    let what = || match (tag.as_deref(), written) {
        (Some(tag), _) => format!("{} is unknown", show(tag)),
        (None, Some(kind)) => format!("{} is {}, not a string", misfit.member, kind.name()),
        (None, None) => format!("there is no {}", misfit.member),
    };
    if misfit.path == Path::of("outcome").join("type") {
        let message = format!("{}, so receivers take the outcome for absent, which means success", what());
        let outcomes = RunFinishedOutcomeType::ALL.iter().map(|outcome| outcome.as_str());
        let meant = tag.as_deref().and_then(|tag| nearest(tag, outcomes));
        return Judged { meant, ..dropped(&rules::UNKNOWN_OUTCOME_READS_AS_SUCCESS, message) };
    }
    if tag.as_deref() == Some("binary") && !is_tool_result(node) {
        return match found.and_then(|part| bad_binary(part)) {
            Some(member) => Judged {
                rule: &rules::WRONG_TYPE,
                message: format!("{member} of a binary part is not a string").into(),
                meant: None,
                fatal: true,
            },
            None => dropped(
                &rules::BINARY_PART_RETIRED,
                "binary parts are retired; send an image, audio, video or document part".into(),
            ),
        };
    }
    let rule = &rules::UNKNOWN_UNION_MEMBER;
    let message = || format!("{}; receivers drop it. Expected {}", what(), misfit.expected);
    dropped(rule, if lists(rule) { message() } else { String::new() })
}

/// The member over which the client fails when it translates a binary part: `data` comes
/// before `url`, and without a media type the part is dropped unread.
fn bad_binary(part: &Node<'_>) -> Option<&'static str> {
    part.get("mimeType").filter(|kind| kind.kind() == Kind::String)?;
    let (name, node) = ["data", "url"]
        .into_iter()
        .find_map(|name| part.get(name).filter(|node| is_truthy(node)).map(|node| (name, node)))?;
    (node.kind() != Kind::String).then_some(name)
}

/// Whether the event is a tool's answer, in which nothing retired is translated.
fn is_tool_result(node: &Node<'_>) -> bool {
    node.get("type").and_then(Node::as_str).as_deref() == Some(EventType::ToolCallResult.as_str())
}

/// Whether JavaScript takes the value for true.
fn is_truthy(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(text) => crate::wire::number::to_f64(text) != 0.0,
        Value::String(text) => !text.raw.is_empty(),
        _ => true,
    }
}
