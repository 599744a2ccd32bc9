//! Which ids an event needs, by its class: one table for checker and schema.

use super::events::class::EventClass;
use super::facts::*;
use super::rules;
use crate::check::facts::{FactKind, Facts};
use crate::check::js::is_blank;
use crate::check::rule::Rule;

/// Which classes a row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Applies {
    Prefix(&'static str),
    Class(&'static str),
}

impl Applies {
    pub(crate) fn to(self, class: &str) -> bool {
        match self {
            Self::Prefix(prefix) => class.starts_with(prefix),
            Self::Class(name) => class == name,
        }
    }
}

/// What satisfies a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Any string, the empty one included.
    Text(&'static str, u8),
    /// A string that is not blank.
    Filled(&'static str, u8),
    /// An array with a string of length above zero.
    List(&'static str, u8),
    /// An integer.
    Integer(&'static str, u8),
    /// There at all: whether it fits is said elsewhere.
    Present(&'static str, u8),
}

impl Need {
    /// The member, dotted below `payload`.
    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Text(member, _)
            | Self::Filled(member, _)
            | Self::List(member, _)
            | Self::Integer(member, _)
            | Self::Present(member, _) => member,
        }
    }

    fn is_met(self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Text(_, slot) => facts.is_string(slot),
            Self::Filled(_, slot) => facts.string(slot).is_some_and(|text| !is_blank(&text)),
            Self::List(_, slot) => facts.kind(slot) == FactKind::List,
            Self::Integer(_, slot) => facts.kind(slot) == FactKind::Integer,
            Self::Present(_, slot) => facts.kind(slot) != FactKind::Absent,
        }
    }
}

/// A row: events of these classes need one of these; the first names the place.
#[derive(Debug)]
pub(crate) struct Needs {
    pub(crate) rule: &'static Rule,
    pub(crate) applies: Applies,
    pub(crate) any_of: &'static [Need],
}

impl Needs {
    pub(crate) fn is_met(&self, facts: &Facts<'_>) -> bool {
        self.any_of.iter().any(|need| need.is_met(facts))
    }

    /// Whether the row is about the member, and nothing else satisfies it.
    pub(crate) fn asks_for(&self, member: &str, facts: &Facts<'_>) -> bool {
        let is_it = |need: &Need| need.member() == member;
        self.any_of.iter().any(is_it) && !self.any_of.iter().any(|need| !is_it(need) && need.is_met(facts))
    }

    /// The member whose absence is reported.
    #[expect(clippy::indexing_slicing, reason = "a row without any need does not compile")]
    pub(crate) fn member(&self) -> &'static str {
        self.any_of[0].member()
    }
}

use Applies::{Class, Prefix};
use Need::{Filled, Integer, List, Present, Text};

const fn row(rule: &'static Rule, applies: Applies, any_of: &'static [Need]) -> Needs {
    assert!(!any_of.is_empty(), "a row has at least one need");
    Needs { rule, applies, any_of }
}

const TOOL_CALL: Need = Text("toolCallId", TOOL_CALL_ID);
const ARTIFACT: &[Need] = &[Text("artifactId", ARTIFACT_ID), List("artifactRefs", ARTIFACT_REFS)];
const FILE_PATH: &[Need] = &[Filled("payload.path", PATH)];

/// The rules of the reference validator, in its order.
pub(crate) static VALIDATED: &[Needs] = &[
    row(&rules::TOOL_NEEDS_TOOL_CALL_ID, Prefix("tool."), &[TOOL_CALL]),
    row(&rules::ACTION_NEEDS_ACTION_ID, Prefix("action."), &[Text("actionId", ACTION_ID)]),
    row(&rules::ARTIFACT_NEEDS_ARTIFACT_ID, Prefix("artifact."), ARTIFACT),
    row(&rules::FILE_READ_NEEDS_PATH, Class("file.read"), FILE_PATH),
    row(&rules::FILE_CHANGED_NEEDS_ARTIFACT_ID, Class("file.changed"), ARTIFACT),
    row(&rules::FILE_CHANGED_NEEDS_PATH, Class("file.changed"), FILE_PATH),
    row(&rules::PATCH_NEEDS_PATCH_ID, Prefix("patch."), &[Filled("payload.patchId", PATCH_ID), TOOL_CALL]),
    row(
        &rules::PATCH_FAILED_NEEDS_CATEGORY,
        Class("patch.failed"),
        &[Filled("payload.failureCategory", FAILURE_CATEGORY)],
    ),
    row(&rules::COMMAND_NEEDS_COMMAND_ID, Prefix("command."), &[Filled("payload.commandId", COMMAND_ID), TOOL_CALL]),
    row(
        &rules::COMMAND_OUTPUT_NEEDS_REF,
        Class("command.output"),
        &[
            List("refIds", REF_IDS),
            List("artifactRefs", ARTIFACT_REFS),
            List("evidenceRefs", EVIDENCE_REFS),
            Filled("payload.outputRef", OUTPUT_REF),
            Filled("payload.contentRef", CONTENT_REF),
            Filled("payload.diffRef", DIFF_REF),
        ],
    ),
    row(
        &rules::COMMAND_EXITED_NEEDS_EXIT_CODE,
        Class("command.exited"),
        &[Integer("payload.exitCode", EXIT_CODE), Text("payload.status", PAYLOAD_STATUS)],
    ),
    row(&rules::TEST_NEEDS_TEST_RUN_ID, Prefix("test."), &[Filled("payload.testRunId", TEST_RUN_ID), TOOL_CALL]),
    row(
        &rules::TEST_COMPLETED_NEEDS_RESULT,
        Class("test.completed"),
        &[Filled("payload.result", RESULT), Text("payload.status", PAYLOAD_STATUS)],
    ),
    row(
        &rules::SANDBOX_BLOCKED_NEEDS_REASON_CODE,
        Class("sandbox.blocked"),
        &[Filled("payload.reasonCode", REASON_CODE)],
    ),
    row(&rules::EVIDENCE_NEEDS_EVIDENCE_ID, Prefix("evidence."), EVIDENCE),
    row(&rules::EVIDENCE_NEEDS_EVIDENCE_ID, Prefix("review."), EVIDENCE),
];

const EVIDENCE: &[Need] = &[Text("evidenceId", EVIDENCE_ID), List("evidenceRefs", EVIDENCE_REFS)];

/// What the documentation requires and the reference never asks for.
pub(crate) static DOCUMENTED: &[Needs] = &[
    row(&rules::DOCUMENTED_SCOPE_ID, Prefix("turn."), &[Present("threadId", THREAD_ID)]),
    row(&rules::DOCUMENTED_SCOPE_ID, Prefix("turn."), &[Present("turnId", TURN_ID)]),
    row(&rules::DOCUMENTED_SCOPE_ID, Prefix("task."), &[Present("taskId", TASK_ID)]),
    row(&rules::DOCUMENTED_SCOPE_ID, Prefix("subagent."), &[Present("subagentId", SUBAGENT_ID)]),
    row(&rules::DOCUMENTED_SCOPE_ID, Prefix("subagent."), &[Present("taskId", TASK_ID)]),
    row(
        &rules::DOCUMENTED_SCOPE_ID,
        Prefix("worker."),
        &[Present("workerId", WORKER_ID), Present("subagentId", SUBAGENT_ID)],
    ),
    row(
        &rules::DOCUMENTED_SCOPE_ID,
        Prefix("handoff."),
        &[Present("handoffId", HANDOFF_ID), Filled("payload.handoffId", PAYLOAD_HANDOFF_ID)],
    ),
    row(
        &rules::DOCUMENTED_SCOPE_ID,
        Prefix("review."),
        &[Present("reviewId", REVIEW_ID), Filled("payload.reviewId", PAYLOAD_REVIEW_ID)],
    ),
    row(
        &rules::PERMISSION_DENIED_NEEDS_REASON_CODE,
        Class("permission.denied"),
        &[Filled("payload.reasonCode", REASON_CODE)],
    ),
];

/// The rows of both tables that apply to a class, by its place among those that are known.
pub(crate) fn needs_of(class: usize) -> Option<&'static [&'static Needs]> {
    static BY_CLASS: std::sync::OnceLock<Vec<Vec<&'static Needs>>> = std::sync::OnceLock::new();
    let by_class = BY_CLASS.get_or_init(|| {
        let all = || VALIDATED.iter().chain(DOCUMENTED);
        EventClass::KNOWN.iter().map(|class| all().filter(|row| row.applies.to(class)).collect()).collect()
    });
    by_class.get(class).map(Vec::as_slice)
}
