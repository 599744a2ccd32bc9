//! What the schema rejects, and the rules that say so.

use super::events::event::EventType;
use super::facts::TOKEN_COUNTS;
use super::rules;
use crate::check::explain::{Keyword, Mismatch};
use crate::check::overlay::{self, Row, When};
use crate::check::rule::{Rule, Severity};
use crate::check::tree::{Member, Node};
use crate::safe::show;
use crate::wire::path::{Path, Step};

/// The member that names a call: in most events, and in results.
const CALL_ID: [&str; 2] = ["toolCallId", "tool_call_id"];

/// The definitions of events, which all end in this.
const EVENT: &str = "*Event";

static OVERLAY: [Row<'static>; 13] = [
    Row::any(&["runId", "threadId"], When::Any, &rules::RUN_ID_MISSING, "{name} {state}").of(EVENT),
    Row::any(&["messageId"], When::Any, &rules::MESSAGE_ID_MISSING, "{name} {state}").of(EVENT),
    Row::any(&CALL_ID, When::Any, &rules::TOOL_CALL_ID_MISSING, "{name} {state}"),
    Row::any(&["args"], When::Any, &rules::ARGS_NOT_OBJECT, "{name} {state}, not an object"),
    Row::any(&["costSource"], When::Any, &rules::COST_SOURCE, "{name} {state}, not a string"),
    Row::any(&["usageComplete"], When::Any, &rules::USAGE_SUMMARY, "{name} {state}, not a boolean"),
    Row::any(&TOKEN_COUNTS, When::Any, &rules::USAGE_SUMMARY, "{name} is not {expected}"),
    Row::any(&["status"], When::Is(Keyword::Enum), &rules::TOOL_STATUS, "").of(RESULT),
    Row::any(&["status"], When::Is(Keyword::Enum), &rules::TEXT_STATUS, ""),
    Row::any(&["role"], When::Is(Keyword::Enum), &rules::ROLE, "{name} is not {expected}"),
    Row::any(
        &[],
        When::Is(Keyword::Required),
        &rules::REQUIRED_FIELD_MISSING,
        "{name} is missing; it must be {expected}",
    ),
    Row::any(&[], When::Null, &rules::NULL_NOT_ALLOWED, "{name} is null; it must be {expected}"),
    Row::any(&[], When::Any, &rules::WRONG_TYPE, "{name} {state}, not {expected}"),
];

/// The definition of results, of either version.
const RESULT: &str = "*ToolCallResultEvent";

/// Members as events spell them, and the spelling of `/history` or of older servers that is
/// wrong there.
pub(super) const CAMEL: [(&str, &str); 4] = [
    ("suggested_actions", "suggestedActions"),
    ("tool_name", "toolName"),
    ("toolCallName", "toolName"),
    ("ui_schema", "uiSchema"),
];

/// The id of a call, as this event spells it, and as the other events do.
pub(super) fn call_id_spellings(event: EventType) -> Option<(&'static str, &'static str)> {
    match event {
        EventType::ToolCallStart | EventType::ToolCallArgs | EventType::ToolCallEnd => Some(CALL_ID.into()),
        EventType::ToolCallResult => Some((CALL_ID[1], CALL_ID[0])),
        _ => None,
    }
}

/// What is wrong, before it is brought into the order of the rules.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) rule: &'static Rule,
    pub(super) path: Path,
    pub(super) span: std::ops::Range<usize>,
    pub(super) message: String,
    /// The rule's own, or a lighter one.
    pub(super) severity: Severity,
    /// What to do in this case.
    pub(super) hint: Option<String>,
}

impl Draft {
    pub(super) fn new(rule: &'static Rule, path: Path, span: std::ops::Range<usize>, message: String) -> Self {
        Self { rule, path, span, message, severity: rule.severity(), hint: None }
    }
}

/// What a mismatch means. `node` is the event, or the document.
pub(super) fn judge(misfit: &Mismatch<'_>, node: &Node<'_>) -> Draft {
    if let Some(found) = misspelt(misfit, node) {
        return under_another_name(misfit, found);
    }
    let row = row(misfit);
    let message = match (misfit.member.as_str(), misfit.keyword) {
        ("args", Keyword::Required) if node.get("delta").is_some() => "a delta stands in place of args".to_owned(),
        ("status", Keyword::Enum) => status(misfit, node),
        _ => row.describe(misfit),
    };
    let hint = (misfit.member == "usageComplete").then(|| "send true or false".to_owned());
    Draft { hint, ..Draft::new(row.rule, misfit.path.clone(), misfit.span.clone(), message) }
}

fn row(misfit: &Mismatch<'_>) -> &'static Row<'static> {
    let [.., last] = &OVERLAY;
    overlay::find(&OVERLAY, misfit).unwrap_or(last)
}

/// The member that stands for a missing one: under a name that is nearly its own, or one
/// that it has elsewhere.
fn misspelt<'n, 'a>(misfit: &Mismatch<'_>, node: &'n Node<'a>) -> Option<&'n Member<'a>> {
    if misfit.keyword != Keyword::Required {
        return None;
    }
    let written = if let (Some(_), Some(Step::Key(key))) = (&misfit.meant, misfit.path.steps().last()) {
        &**key
    } else {
        let elsewhere = [CALL_ID.into(), (CALL_ID[1], CALL_ID[0])];
        elsewhere.iter().chain(&CAMEL).find(|(right, _)| *right == misfit.member)?.1
    };
    node.at(&misfit.path.parent())?.member(written)
}

/// A member that is there, under another name than the event has for it.
fn under_another_name(misfit: &Mismatch<'_>, found: &Member<'_>) -> Draft {
    let (right, written) = (misfit.member.as_str(), &*found.key);
    let of_call = CALL_ID.contains(&right);
    let path = misfit.path.parent().join(written);
    if of_call && found.node.as_str().is_none_or(|id| id.is_empty()) {
        let message = format!("{}, to be spelt {right}, is no id", show(written));
        return Draft::new(&rules::TOOL_CALL_ID_MISSING, path, found.node.span(), message);
    }
    let rule = if of_call && CALL_ID.contains(&written) {
        &rules::TOOL_ID_CASING
    } else if CAMEL.contains(&(right, written)) {
        &rules::SNAKE_CAMEL_MIX
    } else {
        row(misfit).rule
    };
    let message = format!("{right} is missing; a member has nearly its name");
    let mut draft = Draft::new(rule, path, found.key_span(), message);
    draft.hint = Some(format!("write {right}"));
    draft
}

/// A status outside its list; the words of the other list are named as such.
fn status(misfit: &Mismatch<'_>, node: &Node<'_>) -> String {
    let word = node.get("status").and_then(Node::as_str).unwrap_or_default();
    let whose = match (misfit.definition.ends_with(&RESULT[1..]), &*word) {
        (true, "partial_success") => ", a word of TEXT_MESSAGE_END,",
        (false, "failure" | "partial") => ", a word of TOOL_CALL_RESULT,",
        _ => "",
    };
    format!("{}{whose} is not {}", show(&word), misfit.expected)
}
