//! What is wrong with the answer of `/history`: by the rules for the same faults of events.

use super::details::leaks;
use super::misfit::{Draft, judge};
use super::rules;
use super::visibility::VisibilityMask;
use crate::check::Limits;
use crate::check::explain::{Reading, mismatches};
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::shape::Shape;
use crate::check::time::is_rfc3339;
use crate::check::tree::{Node, Value};
use crate::wire::path::Path;

/// Members of messages that events spell otherwise, as here and as there.
const SPELLINGS: [(&str, &str); 2] = [("suggestedActions", "suggested_actions"), ("ui_schema", "uiSchema")];

/// The member that some copies of a stored message have besides.
const MASK: &str = "visibility_mask";

/// Reports what is wrong with the answer of `/history`.
pub(super) fn document(shape: &Shape, node: &Node<'_>, report: &mut Reporter<'_>) {
    let reading = if report.strict() { Reading::Receive } else { Reading::Schema };
    let misfits = mismatches(shape, shape.root(), node, reading, report.worth_listing());
    let mut drafts: Vec<Draft> = misfits.iter().map(|misfit| judge(misfit, node)).collect();
    if report.strict() {
        let root = Path::default();
        drafts.extend(leaks(node, &root));
        date(node, &root, &mut drafts);
        let messages = node.get("messages").map(Node::elements).unwrap_or_default();
        for (index, message) in messages.iter().enumerate() {
            let mut path = Path::of("messages");
            path.push_index(index);
            stored(message, &path, report.limits(), &mut drafts);
        }
    }
    for draft in drafts {
        report.add_hinted(draft.rule, &draft.path, draft.span, draft.message, || draft.hint);
    }
}

/// Reports `rule` at the value of a member.
fn at(object: &Node<'_>, path: &Path, name: &str, rule: &'static Rule, message: &str, drafts: &mut Vec<Draft>) {
    if let Some(value) = object.get(name) {
        drafts.push(Draft::new(rule, path.join(name), value.span(), message.to_owned()));
    }
}

/// The day of the answer.
fn date(node: &Node<'_>, path: &Path, drafts: &mut Vec<Draft>) {
    let is_date = |day: &str| day.len() == 10 && is_rfc3339(&format!("{day}T00:00:00Z"));
    if node.get("day").and_then(Node::as_str).is_some_and(|day| !is_date(&day)) {
        at(node, path, "day", &rules::WRONG_TYPE, "day is no date of the form YYYY-MM-DD", drafts);
    }
}

/// One message.
fn stored(message: &Node<'_>, path: &Path, limits: Limits, drafts: &mut Vec<Draft>) {
    drafts.extend(leaks(message, path));
    for (right, wrong) in SPELLINGS {
        if let Some(member) = message.member(wrong) {
            let said = format!("a message of /history spells it {right}");
            drafts.push(Draft::new(&rules::SNAKE_CAMEL_MIX, path.join(wrong), member.key_span(), said));
        }
    }
    let text = |name: &str| message.get(name).and_then(Node::as_str);
    // A time without an offset is ISO 8601 too.
    let is_time = |time: &str| is_rfc3339(time) || is_rfc3339(&format!("{time}Z"));
    if text("timestamp").is_some_and(|time| !is_time(&time)) {
        at(message, path, "timestamp", &rules::WRONG_TYPE, "timestamp is no time of ISO 8601", drafts);
    }
    let is_tool = text("role").as_deref() == Some("tool");
    if is_tool && text("content").is_some_and(|content| Node::parse(&content, limits.depth).is_err()) {
        let said = "content of a tool is the JSON text of its result, and this is not JSON";
        at(message, path, "content", &rules::WRONG_TYPE, said, drafts);
    }
    if message.get(MASK).is_some_and(has_unknown_bits) {
        at(message, path, MASK, &rules::UNKNOWN_PROPERTY, "the mask has bits that nothing is known of", drafts);
    }
}

/// Whether a mask has other bits than the two that are published, or is none.
fn has_unknown_bits(mask: &Node<'_>) -> bool {
    let known = VisibilityMask::UI_HISTORY.union(VisibilityMask::CONTEXT_ASSEMBLY);
    let bits = match &mask.value {
        Value::Number(text) => text.parse::<u32>().ok(),
        _ => None,
    };
    bits.is_none_or(|bits| bits & !known.bits() != 0)
}
