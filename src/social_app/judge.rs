//! What is wrong with a social-app event by itself.

use super::arguments::is_id;
use super::details::{Details, contradicts};
use super::events::event::EventType;
use super::events::names::{CostSource, Stage};
use super::facts::*;
use super::misfit::call_id_spellings;
use super::tools;
use super::version::Version;
use crate::check::Profile;
use crate::check::facts::{FactKind, Facts};
use crate::check::order::Trust;
use crate::check::reporter::Reporter;
use crate::check::shape::{FormId, Shape};
use crate::check::spec::{HIDDEN, Look, Looked};
use crate::check::tree::Node;

/// Reports what is wrong with an event, in the order of the rules. What is wrong with it does
/// not keep a client from taking it in, unless it is another event than it says.
pub(super) fn event(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) -> Trust {
    let version = Version::of_era(looked.era).or(Version::shown_by(looked.facts));
    let mut details = Details::new(looked.shape, looked.node, looked.facts, version, report.limits());
    details.collect(report.profile == Profile::Schema, report.secrets, report.worth_listing().most);
    for draft in details.drafts {
        if draft.severity == draft.rule.severity() {
            report.add_hinted(draft.rule, &draft.path, draft.span, draft.message, || draft.hint);
        } else {
            report.add_graded(draft.rule, draft.severity, &draft.path, draft.span, draft.message);
        }
    }
    if details.is_retagged { Trust::Suspect } else { Trust::Clean }
}

/// Reads the facts of an event. One of a type that is not known belongs to a run all the same, and a call's id
/// in the wrong case names it all the same.
pub(super) fn facts(facts: &mut Facts<'_>, shape: &Shape, root: FormId, node: &Node<'_>) {
    let tag = node.get("type").and_then(Node::as_str);
    let known = tag.and_then(|tag| EventType::from_tag(&tag));
    let base = shape.variant(EventType::RunStarted.as_str()).map(|(_, form)| form).filter(|_| known.is_none());
    facts.read(shape, base.unwrap_or(root), node);
    if node.get("type").is_none() {
        // Without a type it may be any event, whatever a member like it says.
        facts.forget(TYPE);
    }
    if let Some((slot, (_, other))) = known.and_then(|event| call_id_slot(event).zip(call_id_spellings(event)))
        && facts.kind(slot) == FactKind::Absent
        && let Some(id) = node.get(other)
    {
        facts.stand_in(slot, id);
    }
}

/// What phase 1 cannot rule out, by the type of the event.
pub(super) const LOOKS: &[Look] = &[HIDDEN, |facts, era| !is_clean(facts, era)];

fn is_clean(facts: &Facts<'_>, era: u8) -> bool {
    use EventType as E;
    let Some(event) = facts.type_in(EventType::ALL) else { return false };
    let worker = || facts.known(STAGE) == Stage::KNOWN.iter().position(|stage| *stage == Stage::Worker.as_str());
    let tool = |slot| facts.string(slot).is_some_and(|name| tools::is_of_known_form(&name));
    let version = || Version::of_era(era).or(Version::shown_by(facts));
    match event {
        E::StepStarted | E::StepFinished => {
            facts.raw(STEP_NAME) == "\"router\"" || facts.raw(STEP_NAME) == "\"worker\""
        }
        E::ToolCallStart | E::ToolCallEnd => worker() && tool(TOOL_CALL_NAME),
        E::ToolCallArgs => worker() && tool(TOOL_CALL_NAME) && args_are_clean(facts, ARGS_SHAPE),
        E::ToolCallResult => {
            worker()
                && tool(TOOL_NAME)
                && facts.raw(STATUS) != "\"failed\""
                && args_are_clean(facts, RESULT_SHAPE)
                && result_is_clean(facts, version())
        }
        E::TextMessageEnd => {
            let source = facts.string(COST_SOURCE).map(|source| CostSource::from(&*source));
            let complete = facts.raw_if(USAGE_COMPLETE).map(|raw| raw == "true");
            let has = |slots: &[u8]| slots.iter().any(|slot| facts.kind(*slot) != FactKind::Absent);
            let mixed = match version() {
                Some(Version::V1) => has(&V0_ANSWER),
                Some(Version::V0) => has(&USAGE),
                None => false,
            };
            worker() && !source.is_some_and(|source| contradicts(&source, complete)) && !mixed
        }
        E::RunStarted | E::RunFinished | E::RunError | E::StateSnapshot | E::MessagesSnapshot => true,
    }
}

/// Whether nothing is to be said of arguments: a published method with an input that is an
/// object, or no shape at all.
fn args_are_clean(facts: &Facts<'_>, [module, method, input, older]: [u8; 4]) -> bool {
    let absent = |slot| facts.kind(slot) == FactKind::Absent;
    let published = || {
        let (module, method) = (facts.string(module), facts.string(method));
        module.zip(method).is_some_and(|(module, method)| tools::is_method(&module, &method))
    };
    let is_shaped = || published() && (absent(input) || facts.kind(input) == FactKind::Object);
    absent(older) && ((absent(module) && absent(method)) || is_shaped())
}

/// The most keys of a result that are looked for in the arguments one by one.
const LOOKUPS: usize = 32;

/// Whether nothing is to be said of a result, judged by its keys alone.
fn result_is_clean(facts: &Facts<'_>, version: Option<Version>) -> bool {
    if facts.kind(RESULT) != FactKind::Object {
        // JSON in a string is looked into; an escape could stand for a bracket.
        let text = facts.raw(RESULT).trim_start_matches('"').trim_start();
        return version != Some(Version::V1)
            && facts.kind(UI_SCHEMA) == FactKind::Absent
            && !text.starts_with(['{', '[', '\\']);
    }
    if version == Some(Version::V0) {
        return false;
    }
    facts.raw_if(TOOL_CALL_ARGS).is_none_or(|args| shares_no_key(facts.raw(RESULT), args))
}

/// Whether no key of a result stands in the arguments as well, ids aside. The answer may be
/// no where yes is right.
fn shares_no_key(result: &str, args: &str) -> bool {
    // One bit for the end of each key: nearly every key that is not there is ruled out by it.
    let bit = |key: &str| key.bytes().rev().take(2).fold(0, |bit, byte| byte ^ u8::rotate_left(bit, 3)) & 63;
    let ends = keys(args).fold(0_u64, |ends, key| ends | 1 << bit(key));
    let mut in_doubt = keys(result).filter(|key| ends & 1 << bit(key) != 0 && !is_id(key));
    in_doubt.by_ref().take(LOOKUPS).all(|key| keys(args).all(|other| other != key)) && in_doubt.next().is_none()
}

/// What stands in quotes before a colon: every key of a JSON text, and what looks like one.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    memchr::memchr_iter(b':', text.as_bytes()).filter_map(|colon| {
        let before = text[..colon].trim_ascii_end().strip_suffix('"')?;
        Some(&before[memchr::memrchr(b'"', before.as_bytes())? + 1..])
    })
}
