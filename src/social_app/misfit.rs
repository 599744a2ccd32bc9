//! From what does not fit the schema to the rules.

use super::rules;
use crate::check::explain::{Keyword, Mismatch};
use crate::check::rule::RuleRef;
use crate::check::tree::Node;
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
    pub(super) rule: RuleRef,
    pub(super) path: Path,
    pub(super) span: std::ops::Range<usize>,
    pub(super) message: String,
    /// Worth a note only, whatever the rule.
    pub(super) is_note: bool,
}

/// What a mismatch means. `node` is the event.
pub(super) fn judge(misfit: &Mismatch<'_>, node: &Node<'_>) -> Draft {
    let name = show(&misfit.member);
    let member = misfit.member.as_str();
    let top = misfit.path.steps().len() == 1;
    let state = || match misfit.keyword {
        Keyword::Required => "is missing".to_owned(),
        Keyword::Length => "is empty".to_owned(),
        _ => format!("is {}", misfit.actual.name()),
    };
    let draft = |rule: RuleRef, message: String| Draft {
        rule,
        path: misfit.path.clone(),
        span: misfit.span.clone(),
        message,
        is_note: false,
    };
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
            let (rule, span, message): (RuleRef, _, _) = if usable {
                (&rules::TOOL_ID_CASING, misspelt.key_span.clone(), format!("this event spells it {right}"))
            } else {
                let message = format!("{other}, to be spelt {right}, is no id");
                (&rules::TOOL_CALL_ID_MISSING, misspelt.node.span.clone(), message)
            };
            Draft { rule, path: Path::of(other), span, message, is_note: false }
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
        "totalTokens" | "cachedPromptTokens" | "promptCacheHitTokens" | "promptCacheMissTokens" | "reasoningTokens"
            if top =>
        {
            draft(&rules::USAGE_SUMMARY, format!("{name} is not {}", misfit.expected))
        }
        _ => match misfit.keyword {
            Keyword::Required => {
                let camel = CAMEL.iter().find(|(snake, _)| *snake == member).map(|(_, camel)| *camel);
                if let Some(misspelt) = camel.and_then(|camel| node.member(camel)) {
                    let (path, span) = (Path::of(&misspelt.key), misspelt.key_span.clone());
                    let message = format!("this event spells it {member}");
                    return Draft { rule: &rules::SNAKE_CAMEL_MIX, path, span, message, is_note: false };
                }
                draft(&rules::REQUIRED_FIELD_MISSING, format!("{name} is missing; it must be {}", misfit.expected))
            }
            Keyword::Enum if member == "role" => draft(&rules::ROLE, format!("role is not {}", misfit.expected)),
            Keyword::Enum if member == "status" => {
                let rule = if is_result { &rules::TOOL_STATUS } else { &rules::TEXT_STATUS };
                draft(rule, status(is_result, node, misfit))
            }
            Keyword::Type if misfit.actual == Kind::Null => {
                draft(&rules::NULL_NOT_ALLOWED, format!("{name} is null; it must be {}", misfit.expected))
            }
            _ => draft(&rules::WRONG_TYPE, format!("{name} {}, not {}", state(), misfit.expected)),
        },
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
