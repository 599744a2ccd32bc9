//! What is opened and closed in a run.

use std::sync::LazyLock;

use super::rules;
use crate::check::rule::Rule;
use crate::check::scopes::Kind;

/// What is opened and closed, in the order in which the official verifier looks for open
/// ones when a run finishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Scope {
    Step,
    Text,
    Reasoning,
    Span,
    Tool,
    Subagent,
}

/// A kind of scope, and the rules that its opener, its content and its end can break.
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) start: &'static Rule,
    pub(super) content: &'static Rule,
    pub(super) end: &'static Rule,
}

const fn row(noun: &'static str, start: &'static Rule, content: &'static Rule, end: &'static Rule) -> Row {
    Row { kind: Kind::new(noun, ""), start, content, end }
}

/// The rows of [`Scope`], in its order.
static SCOPES: [Row; 6] = [
    row("step", &rules::STEP_ALREADY_ACTIVE, &rules::STEP_FINISHED_NOT_STARTED, &rules::STEP_FINISHED_NOT_STARTED),
    row(
        "text message",
        &rules::TEXT_START_ALREADY_OPEN,
        &rules::TEXT_CONTENT_WITHOUT_START,
        &rules::TEXT_END_WITHOUT_START,
    ),
    row(
        "reasoning message",
        &rules::REASONING_MESSAGE_ALREADY_OPEN,
        &rules::REASONING_MESSAGE_WITHOUT_START,
        &rules::REASONING_MESSAGE_WITHOUT_START,
    ),
    row(
        "reasoning span",
        &rules::REASONING_START_ALREADY_OPEN,
        &rules::REASONING_END_WITHOUT_START,
        &rules::REASONING_END_WITHOUT_START,
    ),
    row("tool call", &rules::TOOL_START_ALREADY_OPEN, &rules::TOOL_ARGS_WITHOUT_START, &rules::TOOL_END_WITHOUT_START),
    row(
        "subagent",
        &rules::SUBAGENT_ALREADY_ACTIVE,
        &rules::SUBAGENT_TERMINAL_WITHOUT_START,
        &rules::SUBAGENT_TERMINAL_WITHOUT_START,
    ),
];

/// The kinds of [`SCOPES`], made once for all streams.
pub(super) static KINDS: LazyLock<[Kind; 6]> = LazyLock::new(|| SCOPES.each_ref().map(|row| row.kind.clone()));

impl Scope {
    #[expect(clippy::indexing_slicing, reason = "the table has a row for each variant")]
    pub(super) fn row(self) -> &'static Row {
        &SCOPES[self as usize]
    }

    /// Whether a rule is one that says that something was not started.
    pub(super) fn lacks_start(rule: &Rule) -> bool {
        SCOPES.iter().any(|row| rule == row.content || rule == row.end)
    }

    /// Spans and messages of reasoning share their owner; the others have their own.
    pub(super) const fn owned_as(self) -> u8 {
        match self {
            Self::Span => Self::Reasoning as u8,
            other => other as u8,
        }
    }
}
