//! From what does not fit the schema to the rules.

use std::borrow::Cow;

use super::{EventType, legacy, rules};
use crate::check::explain::{Keyword, Mismatch};
use crate::check::rule::RuleRef;
use crate::check::tree::{Node, Value};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::Kind;

/// A mismatch as the receiving side takes it.
pub(super) struct Judged {
    pub(super) rule: RuleRef,
    pub(super) message: String,
    /// Whether the official client fails the run here.
    pub(super) fatal: bool,
}

/// What a mismatch means. `node` is the whole event or document.
pub(super) fn judge(misfit: &Mismatch<'_>, node: &Node<'_>) -> Judged {
    let name = if misfit.member.is_empty() { Cow::Borrowed("the value") } else { show(&misfit.member) };
    let warning = |rule, message| Judged { rule, message, fatal: false };
    let error = |rule, message| Judged { rule, message, fatal: true };
    match misfit.keyword {
        Keyword::Required => {
            error(&rules::REQUIRED_FIELD_MISSING, format!("{name} is missing; it must be {}", misfit.expected))
        }
        Keyword::Closed => warning(&rules::UNKNOWN_PROPERTY, format!("{name} is no member of this object in 1.0")),
        Keyword::Tag => union_member(misfit, node),
        Keyword::Enum => error(&rules::ENUM_VALUE_UNKNOWN, format!("{name} is not {}", misfit.expected)),
        Keyword::Number => error(&rules::INTEGER_INVALID, format!("{name} is not {}", misfit.expected)),
        Keyword::Pattern => error(&rules::POINTER_SYNTAX, format!("{name} is not a JSON Pointer (RFC 6901)")),
        Keyword::Length => error(&rules::INTERRUPTS_EMPTY, format!("{name} is empty")),
        Keyword::Type if misfit.actual == Kind::Null => {
            let in_messages = !is_tool_result(node);
            if misfit.definition == "AguiRunAgentInput" && misfit.member == "state" {
                return warning(&rules::NULL_NOT_ALLOWED, format!("{name} is null; leave it out"));
            }
            if legacy::forgives_null(misfit.definition, &misfit.member, in_messages) {
                return warning(&rules::NULL_TOLERATED, format!("{name} is null; leave it out"));
            }
            error(&rules::NULL_NOT_ALLOWED, format!("{name} is null; it must be {} or absent", misfit.expected))
        }
        Keyword::Type => {
            error(&rules::WRONG_TYPE, format!("{name} is {}, not {}", misfit.actual.name(), misfit.expected))
        }
    }
}

/// A union member whose tag is unknown or missing: a receiver drops it.
fn union_member(misfit: &Mismatch<'_>, node: &Node<'_>) -> Judged {
    let found = node.at(&misfit.path.parent());
    let tag = found.and_then(|found| found.get(&misfit.member)).and_then(Node::as_str);
    let what = tag
        .as_deref()
        .map_or_else(|| format!("there is no {}", misfit.member), |tag| format!("{} is unknown", show(tag)));
    if misfit.path == Path::of("outcome").join("type") {
        let message = format!("{what}, so receivers take the outcome for absent, which means success");
        return Judged { rule: &rules::UNKNOWN_OUTCOME_READS_AS_SUCCESS, message, fatal: false };
    }
    if tag.as_deref() == Some("binary") && !is_tool_result(node) {
        let data_is_bad = found
            .and_then(|found| found.get("data"))
            .is_some_and(|data| is_truthy(data) && data.kind() != Kind::String);
        if data_is_bad {
            return Judged {
                rule: &rules::WRONG_TYPE,
                message: "data of a binary part is not a string".into(),
                fatal: true,
            };
        }
        let message = "binary parts are retired; send an image, audio, video or document part".into();
        return Judged { rule: &rules::BINARY_PART_RETIRED, message, fatal: false };
    }
    let message = format!("{what}; receivers drop this, expected {}", misfit.expected);
    Judged { rule: &rules::UNKNOWN_UNION_MEMBER, message, fatal: false }
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
