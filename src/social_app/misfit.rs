//! From what does not fit the schema to the rules.

use super::facts::usage_members;
use super::rules;
use crate::check::explain::{Keyword, Mismatch};
use crate::check::rule::{Rule, Severity};
use crate::check::tree::{Member, Node};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::Kind;

/// Members as events spell them, and the spelling of `/history` or of older servers that is
/// wrong there.
pub(super) const CAMEL: [(&str, &str); 4] = [
    ("suggested_actions", "suggestedActions"),
    ("tool_name", "toolName"),
    ("toolCallName", "toolName"),
    ("ui_schema", "uiSchema"),
];

/// The id of a call, as this event spells it, and as the other events do.
pub(super) fn call_id_spellings(is_result: bool) -> (&'static str, &'static str) {
    if is_result { ("tool_call_id", "toolCallId") } else { ("toolCallId", "tool_call_id") }
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
}

impl Draft {
    pub(super) fn new(rule: &'static Rule, path: Path, span: std::ops::Range<usize>, message: String) -> Self {
        Self { rule, path, span, message, severity: rule.severity() }
    }

    fn of(misfit: &Mismatch<'_>, rule: &'static Rule, message: String) -> Self {
        Self::new(rule, misfit.path.clone(), misfit.span.clone(), message)
    }
}

/// What a mismatch means. `node` is the event.
pub(super) fn judge(misfit: &Mismatch<'_>, node: &Node<'_>) -> Draft {
    let name = show(&misfit.member);
    let member = misfit.member.as_str();
    let top = misfit.path.steps().len() == 1;
    let state = || state(misfit);
    let draft = |rule: &'static Rule, message: String| Draft::of(misfit, rule, message);
    let is_result = misfit.definition == "SocialAppToolCallResultEvent";
    match member {
        "runId" | "threadId" if top => draft(&rules::RUN_ID_MISSING, format!("{name} {}", state())),
        "messageId" if top => draft(&rules::MESSAGE_ID_MISSING, format!("{name} {}", state())),
        "toolCallId" | "tool_call_id" if top => {
            let (right, other) = call_id_spellings(is_result);
            let Some(misspelt) = node.member(other).filter(|_| misfit.keyword == Keyword::Required) else {
                return draft(&rules::TOOL_CALL_ID_MISSING, format!("{name} {}", state()));
            };
            let usable = misspelt.node.as_str().is_some_and(|id| !id.is_empty());
            let (rule, span, message): (&'static Rule, _, _) = if usable {
                (&rules::TOOL_ID_CASING, misspelt.key_span.clone(), format!("this event spells it {right}"))
            } else {
                let message = format!("{other}, to be spelt {right}, is no id");
                (&rules::TOOL_CALL_ID_MISSING, misspelt.node.span.clone(), message)
            };
            Draft::new(rule, Path::of(other), span, message)
        }
        "args" if top => {
            let message = match node.get("delta") {
                Some(_) if misfit.keyword == Keyword::Required => "a delta stands in place of args".to_owned(),
                _ => format!("args {}, not an object", state()),
            };
            draft(&rules::ARGS_NOT_OBJECT, message)
        }
        "costSource" if top => draft(&rules::COST_SOURCE, format!("{name} {}, not a string", state())),
        "usageComplete" if top => draft(&rules::USAGE_SUMMARY, format!("{name} {}, not a boolean", state())),
        _ if top && usage_members().any(|usage| usage == member) => {
            draft(&rules::USAGE_SUMMARY, format!("{name} is not {}", misfit.expected))
        }
        "status" if top && misfit.keyword == Keyword::Enum => {
            let rule = if is_result { &rules::TOOL_STATUS } else { &rules::TEXT_STATUS };
            draft(rule, status(is_result, node, misfit))
        }
        _ => match misspelt(misfit, node) {
            Some(found) => {
                let message = format!("this event spells it {member}");
                Draft::new(&rules::SNAKE_CAMEL_MIX, Path::of(&found.key), found.key_span.clone(), message)
            }
            None => judge_plainly(misfit),
        },
    }
}

/// The member that stands for a missing one under a wrong name.
fn misspelt<'n, 'a>(misfit: &Mismatch<'_>, node: &'n Node<'a>) -> Option<&'n Member<'a>> {
    let (_, wrong) = CAMEL.iter().find(|(right, _)| *right == misfit.member)?;
    node.member(wrong).filter(|_| misfit.keyword == Keyword::Required)
}

/// What a mismatch means where no rule is about the member.
pub(super) fn judge_plainly(misfit: &Mismatch<'_>) -> Draft {
    let name = if misfit.member.is_empty() { "the value".into() } else { show(&misfit.member) };
    let expected = &misfit.expected;
    let (rule, message): (&'static Rule, String) = match misfit.keyword {
        Keyword::Required => (&rules::REQUIRED_FIELD_MISSING, format!("{name} is missing; it must be {expected}")),
        Keyword::Enum if misfit.member == "role" => (&rules::ROLE, format!("role is not {expected}")),
        Keyword::Type if misfit.actual == Kind::Null => {
            (&rules::NULL_NOT_ALLOWED, format!("{name} is null; it must be {expected}"))
        }
        _ => (&rules::WRONG_TYPE, format!("{name} {}, not {expected}", state(misfit))),
    };
    Draft::of(misfit, rule, message)
}

/// What is there instead.
fn state(misfit: &Mismatch<'_>) -> String {
    match misfit.keyword {
        Keyword::Required => "is missing".to_owned(),
        Keyword::Length => "is empty".to_owned(),
        _ => format!("is {}", misfit.actual.name()),
    }
}

/// A status outside its list; the words of the other list are named as such.
fn status(is_result: bool, node: &Node<'_>, misfit: &Mismatch<'_>) -> String {
    let word = node.get("status").and_then(Node::as_str).unwrap_or_default();
    let whose = match (is_result, &*word) {
        (true, "partial_success") => ", a word of TEXT_MESSAGE_END,",
        (false, "failure" | "partial") => ", a word of TOOL_CALL_RESULT,",
        _ => "",
    };
    format!("{}{whose} is not {}", show(&word), misfit.expected)
}
