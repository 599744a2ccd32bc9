//! What is wrong with a social-app event, or document, by itself.

use super::details::{Details, contradicts, is_id};
use super::events::event::EventType;
use super::events::names::{CostSource, Stage};
use super::facts::*;
use super::misfit::{call_id_spellings, judge_plainly};
use super::tools;
use super::version::Version;
use crate::check::Profile;
use crate::check::explain::{Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Reporter;
use crate::check::order::Trust;
use crate::check::shape::Shape;
use crate::check::spec::{Look, Looked};
use crate::check::tree::Node;
use crate::wire::scan::{Cursor, MAX_DEPTH};

/// Reports what is wrong with an event, in the order of the rules.
pub(super) fn event(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) -> Trust {
    let version = Version::of_era(looked.era).or(Version::shown_by(looked.facts));
    let details = Details {
        shape: looked.shape,
        node: looked.node,
        facts: looked.facts,
        version,
        limits: looked.limits,
        drafts: Vec::new(),
    };
    for draft in details.collect(report.profile == Profile::Schema) {
        report.add_graded(draft.rule, draft.severity, &draft.path, draft.span, draft.message);
    }
    // What is wrong with an event by itself does not keep a client from taking it in.
    Trust::Clean
}

/// Reports what is wrong with the answer of `/history`.
pub(super) fn history(shape: &Shape, node: &Node<'_>, report: &mut Reporter<'_>) {
    for misfit in mismatches(shape, shape.root(), node, Reading::Schema) {
        let draft = judge_plainly(&misfit);
        report.add(draft.rule, &draft.path, draft.span, draft.message);
    }
}

/// An event of a type that is not known belongs to a run all the same, and a call's id
/// in the wrong case names it all the same.
pub(super) fn facts<'a>(shape: &Shape, node: &Node<'a>, text: &'a str) -> Facts<'a> {
    let tag = node.get("type").and_then(Node::as_str);
    let known = tag.and_then(|tag| EventType::from_tag(&tag));
    let base = shape.definition("SocialAppRunStartedEvent").filter(|_| known.is_none());
    let mut facts = Facts::of_tree(shape, base.unwrap_or(shape.root()), node, text);
    if known.is_none() {
        facts.forget_tag();
    }
    if node.get("type").is_none() {
        // Without a type it may be any event, whatever a member like it says.
        facts.forget(TYPE);
    }
    if let Some(slot) = known.and_then(call_id_slot).filter(|slot| facts.kind(*slot) == FactKind::Absent)
        && let Some(id) = node.get(call_id_spellings(slot == RESULT_CALL_ID).1)
    {
        facts.stand_in(slot, id);
    }
    facts
}

/// What phase 1 cannot rule out, by the type of the event.
pub(super) const LOOKS: &[Look] = &[|facts, era| !is_clean(facts, era)];

fn is_clean(facts: &Facts<'_>, era: u8) -> bool {
    use EventType as E;
    let Some(event) = facts.tag().and_then(|at| EventType::ALL.get(at)) else { return false };
    let worker = || facts.known(STAGE) == Stage::KNOWN.iter().position(|stage| *stage == Stage::Worker.as_str());
    let tool = |slot| facts.string(slot).is_some_and(|name| tools::is_of_known_form(&name));
    let newer = || Version::of_era(era).or(Version::shown_by(facts)) == Some(Version::V1);
    match event {
        E::StepStarted | E::StepFinished => {
            facts.raw(STEP_NAME) == "\"router\"" || facts.raw(STEP_NAME) == "\"worker\""
        }
        E::ToolCallStart | E::ToolCallEnd => worker() && tool(TOOL_CALL_NAME),
        E::ToolCallArgs => {
            worker() && tool(TOOL_CALL_NAME) && args_are_clean(facts, ARGS_MODULE, ARGS_METHOD, ARGS_LEGACY)
        }
        E::ToolCallResult => {
            worker()
                && tool(TOOL_NAME)
                && facts.raw(STATUS) != "\"failed\""
                && args_are_clean(facts, RESULT_MODULE, RESULT_METHOD, RESULT_LEGACY)
                && result_is_clean(facts, &newer)
        }
        E::TextMessageEnd => {
            let source = facts.string(COST_SOURCE).map(|source| CostSource::from(&*source));
            let complete = facts.raw_if(USAGE_COMPLETE).map(|raw| raw == "true");
            let old = V0_ANSWER.iter().any(|slot| facts.kind(*slot) != FactKind::Absent);
            worker() && !source.is_some_and(|source| contradicts(&source, complete)) && !(old && newer())
        }
        E::RunStarted | E::RunFinished | E::RunError | E::StateSnapshot | E::MessagesSnapshot => true,
    }
}

/// Whether nothing is to be said of arguments: a published method, or no shape at all.
fn args_are_clean(facts: &Facts<'_>, module: u8, method: u8, legacy: u8) -> bool {
    facts.kind(legacy) == FactKind::Absent
        && facts.string(module).is_none_or(|module| {
            tools::is_module(&module) && facts.string(method).is_none_or(|method| tools::is_method(&module, &method))
        })
}

/// The most members of a result that are looked for in the arguments one by one.
const MEMBERS: usize = 32;

/// Whether nothing is to be said of a result, judged by its keys alone.
fn result_is_clean(facts: &Facts<'_>, newer: &impl Fn() -> bool) -> bool {
    if facts.kind(RESULT) != FactKind::Object {
        // JSON in a string is looked into.
        let text = facts.raw(RESULT).trim_start_matches('"').trim_start();
        return !newer() && !text.starts_with(['{', '[']);
    }
    let Some(args) = facts.raw_if(TOOL_CALL_ARGS) else { return true };
    let mut cursor = Cursor::new(facts.raw(RESULT), MAX_DEPTH);
    let mut first = true;
    if cursor.open(b'{').is_err() {
        return false;
    }
    let mut members = 0;
    while let Ok(Some(key)) = cursor.member(&mut first) {
        members += 1;
        if members > MEMBERS {
            return false;
        }
        let named = |key: &str| args.match_indices(key).any(|(at, _)| args[..at].ends_with('"'));
        if !key.plain().is_some_and(|key| is_id(key) || !named(key)) || cursor.skip().is_err() {
            return false;
        }
    }
    true
}
