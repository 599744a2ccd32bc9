//! What is wrong with a Lime event by itself.

use std::collections::HashSet;

use super::events::class::{EventClass, is_legacy_terminal};
use super::events::event::{Kind as EventKind, Owner, Phase, Status};
use super::facts::*;
use super::needs::{DOCUMENTED, Need, Needs, VALIDATED};
use super::rules;
use crate::check::explain::{Keyword, Mismatch, Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::leaks::{SECRET_KEY, is_exempt, is_secret_key, secret_keys, secret_values};
use crate::check::near::nearest;
use crate::check::overlay::{self, Row, When};
use crate::check::reporter::Reporter;
use crate::check::shape::Shape;
use crate::check::size::json_units;
use crate::check::time::is_rfc3339;
use crate::check::tree::Node;
use crate::check::{Profile, js};
use crate::safe::show;
use crate::wire::path::{Path, Step};
use crate::wire::scan::Kind;

/// Size and preview bounds of the reference, in UTF-16 units.
pub(super) const MAX_PAYLOAD: usize = 32_000;
pub(super) const MAX_PREVIEW: usize = 512;

/// All findings about one event, in the reference's order, then those of `strict`.
pub(super) fn event(shape: &Shape, node: &Node<'_>, facts: &Facts<'_>, report: &mut Reporter<'_>) {
    let root = Path::default();
    let misfits = mismatches(shape, shape.root(), node, Reading::Schema, report.worth_listing());
    if !node.is_object() {
        report.add_no_object(&rules::EVENT_NOT_OBJECT, "an event", node);
        return;
    }
    if report.profile == Profile::Schema {
        for misfit in &misfits {
            let row = row_of(misfit);
            report.add(row.rule, &misfit.path, misfit.span.clone(), row.describe(misfit));
        }
        return;
    }
    let caret = caret(node, facts);
    required(node, &caret, report);
    let class = facts.string(EVENT_CLASS);
    let mut told: HashSet<&'static str> = HashSet::new();
    if let Some(class) = class.as_deref() {
        if is_legacy_terminal(class) {
            let message = format!("{} is a spelling that the contract no longer admits", show(class));
            report.add(&rules::LEGACY_TERMINAL_CLASS, &Path::of("eventClass"), facts.span(EVENT_CLASS), message);
        }
        // A payload that is not there, or no object, is one fault, however much is missing in it.
        let no_payload = report.strict() && !node.get("payload").is_some_and(Node::is_object);
        for row in VALIDATED.iter().filter(|row| row.applies.to(class) && !row.is_met(facts)) {
            let of_payload = no_payload && row.any_of.iter().any(|need| need.member().starts_with("payload."));
            if !of_payload || told.insert("payload") {
                needs(row, class, node, &caret, report);
            }
            told.extend(row.any_of.iter().map(|need| need.member()));
        }
    }
    if let Some(payload) = node.get("payload") {
        let bound = if report.strict() { report.limits().inline_units } else { MAX_PAYLOAD };
        size(payload, &root.join("payload"), bound, report);
        secret_keys(payload, &root.join("payload"), &rules::SECRET_KEY, report);
    }
    if report.strict() {
        strict(node, facts, &misfits, &told, &caret, report);
    }
}

/// The caret of a missing member: at the class, else at the opening brace.
fn caret(node: &Node<'_>, facts: &Facts<'_>) -> std::ops::Range<usize> {
    match facts.kind(EVENT_CLASS) {
        FactKind::Absent => node.caret(),
        _ => facts.span(EVENT_CLASS),
    }
}

pub(super) const REQUIRED_STRINGS: [&str; 7] =
    ["id", "schemaVersion", "runtimeId", "kind", "status", "title", "createdAt"];

fn required(node: &Node<'_>, caret: &std::ops::Range<usize>, report: &mut Reporter<'_>) {
    for name in REQUIRED_STRINGS {
        let found = node.get(name);
        if found.and_then(Node::as_str).is_some_and(|text| !text.is_empty()) {
            continue;
        }
        let message = match found.map(Node::kind) {
            None => format!("the event has no {name}"),
            Some(Kind::String) => format!("{name} is empty"),
            Some(kind) => format!("{name} is {}, not a string", kind.name()),
        };
        let span = found.map_or(caret.clone(), Node::span);
        report.add_hinted(&rules::REQUIRED_STRING, &Path::of(name), span, message, || hint(node, name));
    }
    let sequence = node.get("sequence");
    let integer = sequence.and_then(Node::as_number).is_some_and(crate::wire::number::is_integer);
    if !integer {
        let message = match sequence.map(Node::kind) {
            None => "the event has no sequence".to_owned(),
            Some(Kind::Number) => "sequence is not an integer".to_owned(),
            Some(kind) => format!("sequence is {}, not an integer", kind.name()),
        };
        let span = sequence.map_or(caret.clone(), Node::span);
        let hint = || hint(node, "sequence");
        report.add_hinted(&rules::SEQUENCE_NOT_INTEGER, &Path::of("sequence"), span, message, hint);
    }
}

/// Reports that an event lacks what its class needs.
fn needs(row: &Needs, class: &str, node: &Node<'_>, caret: &std::ops::Range<usize>, report: &mut Reporter<'_>) {
    let names: Vec<&str> = row.any_of.iter().map(|need| need.member()).collect();
    let path = Path::of_dotted(row.member());
    let found = row.member().split('.').try_fold(node, |node, name| node.get(name));
    let other = names.iter().find_map(|name| of_another_kind(node, name));
    let span = found.or(other.as_ref().map(|(_, node)| *node)).map_or(caret.clone(), Node::span);
    let mut message = match found {
        Some(found) => format!("{} of {} is {}", row.member(), show(class), unusable(found)),
        None if names.len() > 2 => format!("{} has none of {}", show(class), names.join(", ")),
        None => format!("{} has no {}", show(class), names.join(" and no ")),
    };
    if let Some((name, node)) = other.filter(|_| found.is_none()) {
        let what =
            if row.any_of.iter().any(|need| need.member() == name) { unusable(node) } else { node.kind().name() };
        message += &format!("; {name} is {what}");
    }
    let hint = || {
        names.iter().find_map(|member| match member.split_once('.') {
            Some((parent, name)) => node.get(parent).map_or_else(|| hint(node, parent), |parent| hint(parent, name)),
            None => hint(node, member),
        })
    };
    report.add_hinted(row.rule, &path, span, message, hint);
}

/// A member that is there and cannot be used, or what it would stand in.
fn of_another_kind<'n, 'a>(node: &'n Node<'a>, member: &'static str) -> Option<(&'static str, &'n Node<'a>)> {
    let Some((parent, name)) = member.split_once('.') else { return Some((member, node.get(member)?)) };
    let of = node.get(parent)?;
    if of.is_object() { Some((member, of.get(name)?)) } else { Some((parent, of)) }
}

/// What to write instead, where a member stands under a name that is nearly the missing one.
fn hint(node: &Node<'_>, name: &str) -> Option<String> {
    if node.get(name).is_some() {
        return None;
    }
    let mut keys = node.members().iter().take(LOOKED_AT).map(|member| &*member.key);
    let found = keys.find(|key| nearest(key, std::iter::once(name)).is_some())?;
    Some(format!("write {name} instead of {}", show(found)))
}

/// How many members are compared with a name that is missing.
const LOOKED_AT: usize = 64;

fn unusable(node: &Node<'_>) -> &'static str {
    match node.as_str() {
        Some(text) if js::is_blank(&text) => "blank",
        _ if node.kind() == Kind::Array && node.elements().is_empty() => "an empty array",
        _ if node.kind() != Kind::Array => node.kind().name(),
        _ if node.elements().iter().all(|element| element.as_str().is_some_and(|text| text.is_empty())) => {
            "an array of empty strings"
        }
        _ if node.elements().iter().all(|element| element.kind() != Kind::String) => "an array without strings",
        _ => "an array, not a string",
    }
}

pub(super) fn size(node: &Node<'_>, path: &Path, bound: usize, report: &mut Reporter<'_>) {
    let units = json_units(node);
    if units > bound {
        let message = format!("{units} UTF-16 units of JSON text, of at most {bound}");
        report.add(&rules::PAYLOAD_TOO_LARGE, path, node.span(), message);
    }
}

/// What the schema rejects, and the rules that say so.
static OVERLAY: [Row<'static>; 10] = [
    Row::any(&[""], When::Any, &rules::EVENT_NOT_OBJECT, "{name} is not {expected}"),
    Row::any(&["schemaVersion"], When::Is(Keyword::Enum), &rules::SCHEMA_VERSION, "{name} is not {expected}"),
    Row::any(&["sequence"], When::OutOfRange, &rules::SEQUENCE_NEGATIVE, "{name} is not {expected}"),
    Row::any(&["sequence"], When::Is(Keyword::Required), &rules::SEQUENCE_NOT_INTEGER, "{name} is missing"),
    Row::any(&["sequence"], When::Any, &rules::SEQUENCE_NOT_INTEGER, "{name} is not {expected}"),
    Row::any(&["eventClass"], When::Is(Keyword::Enum), &rules::LEGACY_TERMINAL_CLASS, "{name} is not {expected}"),
    Row::any(&["payload"], When::Any, &rules::PAYLOAD_NOT_OBJECT, "{name} is not {expected}"),
    Row::any(&REQUIRED_STRINGS, When::Is(Keyword::Required), &rules::REQUIRED_STRING, "{name} is missing"),
    Row::any(&REQUIRED_STRINGS, When::Any, &rules::REQUIRED_STRING, "{name} is not {expected}"),
    Row::any(&[], When::Any, &rules::OPTIONAL_FIELD_TYPE, "{name} is not {expected}"),
];

fn row_of(misfit: &Mismatch<'_>) -> &'static Row<'static> {
    let [.., last] = &OVERLAY;
    // An element of a list has no name either.
    let is_element = misfit.member.is_empty() && !misfit.path.steps().is_empty();
    overlay::find(&OVERLAY, misfit).filter(|_| !is_element).unwrap_or(last)
}

/// What `strict` adds, in table order.
fn strict(
    node: &Node<'_>,
    facts: &Facts<'_>,
    misfits: &[Mismatch<'_>],
    told: &HashSet<&'static str>,
    caret: &std::ops::Range<usize>,
    report: &mut Reporter<'_>,
) {
    let is_told = |misfit: &Mismatch<'_>| {
        let Some(Step::Key(member)) = misfit.path.steps().first() else { return false };
        told.contains(misfit.member.as_str()) || told.contains(&**member)
    };
    let misfits = misfits.iter().filter(|misfit| !is_told(misfit));
    let misfits: Vec<_> = misfits.map(|misfit| (misfit, row_of(misfit))).collect();
    let class = facts.string(EVENT_CLASS);
    let class = class.as_deref();
    // What a class needs is not to be left out.
    let needed = |member: &str| {
        let mut rows = VALIDATED.iter().chain(DOCUMENTED);
        rows.any(|row| class.is_some_and(|class| row.applies.to(class)) && row.asks_for(member, facts))
            .then(|| "fill in the real id; events of this class need it".to_owned())
    };
    for rule in
        [&rules::SCHEMA_VERSION, &rules::SEQUENCE_NEGATIVE, &rules::OPTIONAL_FIELD_TYPE, &rules::PAYLOAD_NOT_OBJECT]
    {
        for (misfit, row) in &misfits {
            let is_empty = misfit.keyword == Keyword::Enum
                && node.get(&misfit.member).and_then(Node::as_str).is_some_and(|text| text.is_empty());
            if row.rule == rule && !is_empty {
                let message = row.describe(misfit);
                report.add_hinted(rule, &misfit.path, misfit.span.clone(), message, || needed(&misfit.member));
            }
        }
    }
    let spelling = class.and_then(misspelt);
    if let Some(class) = class.filter(|class| {
        spelling.is_none()
            && !is_legacy_terminal(class)
            && *class != "patch.completed"
            && !EventClass::from(*class).is_known()
    }) {
        let message = format!("{} is not a class that Lime names", show(class));
        let (path, span) = (Path::of("eventClass"), facts.span(EVENT_CLASS));
        report.add_hinted(&rules::UNKNOWN_EVENT_CLASS, &path, span, message, || meant(class, EventClass::KNOWN));
    }
    for (name, slot, known) in [
        ("kind", KIND, EventKind::KNOWN),
        ("status", STATUS, Status::KNOWN),
        ("owner", OWNER, Owner::KNOWN),
        ("phase", PHASE, Phase::KNOWN),
    ] {
        if let Some(value) = facts.string(slot).filter(|value| !value.is_empty() && !known.contains(&&**value)) {
            let article = if name == "owner" { "an" } else { "a" };
            let message = format!("{} is not {article} {name} that Lime names", show(&value));
            let hint = || meant(&value, known);
            report.add_hinted(&rules::UNKNOWN_KIND_OR_STATUS, &Path::of(name), facts.span(slot), message, hint);
        }
    }
    for (name, slot) in [("createdAt", CREATED_AT), ("completedAt", COMPLETED_AT)] {
        if facts.string(slot).is_some_and(|text| !is_rfc3339(&text) && (slot != CREATED_AT || !text.is_empty())) {
            let message = format!("{name} is not an RFC 3339 time");
            report.add(&rules::CREATED_AT_NOT_TIMESTAMP, &Path::of(name), facts.span(slot), message);
        }
    }
    if let Some(right) = &spelling {
        let message = format!("the contract writes {right}");
        report.add(&rules::CLASS_SPELLING, &Path::of("eventClass"), facts.span(EVENT_CLASS), message);
    }
    if let Some(class) = class {
        // That the payload cannot be read says enough.
        let is_told = |row: &Needs| {
            let of_payload = |need: &Need| need.member().starts_with("payload.");
            node.get("payload").is_some_and(|payload| !payload.is_object()) && row.any_of.iter().any(of_payload)
        };
        for row in DOCUMENTED.iter().filter(|row| row.applies.to(class) && !row.is_met(facts) && !is_told(row)) {
            needs(row, class, node, caret, report);
        }
    }
    for name in WATCHES.iter().filter(|row| row.no_empty).map(|row| row.member) {
        if let Some(found) = node.get(name).filter(|found| found.as_str().is_some_and(|id| id.is_empty())) {
            let message = format!("{name} is empty");
            report.add_hinted(&rules::EMPTY_SCOPE_ID, &Path::of(name), found.span(), message, || needed(name));
        }
    }
    if class == Some("patch.completed") {
        let (path, message) = (Path::of("eventClass"), "patch.completed does not close the patch");
        report.add(&rules::PATCH_COMPLETED_DOES_NOT_CLOSE, &path, facts.span(EVENT_CLASS), message);
    }
    let mut below = Path::default();
    for member in node.members().iter().filter(|member| member.key != "payload") {
        below.push_key(&member.key);
        let exempt = is_exempt(member, report.secrets);
        if is_secret_key(&member.key) && !exempt {
            report.add(&rules::SECRET_KEY_OUTSIDE_PAYLOAD, &below, member.key_span(), SECRET_KEY);
        } else {
            secret_keys(&member.node, &below, &rules::SECRET_KEY_OUTSIDE_PAYLOAD, report);
        }
        below.pop();
    }
    secret_values(node, &rules::SECRET_VALUE, report);
}

/// What to write instead of a value that is nearly one of the contract's.
fn meant(written: &str, known: &[&str]) -> Option<String> {
    nearest(written, known.iter().copied()).map(|meant| format!("write {meant}"))
}

/// The spelling that the contract has for a class in other case, with blanks, or with
/// two `l`; `None` if nothing is wrong with it, or everything.
pub(super) fn misspelt(class: &str) -> Option<String> {
    if is_legacy_terminal(class) || EventClass::from(class).is_known() {
        return None;
    }
    let folded = js::trim(class).to_ascii_lowercase();
    let single = folded.replace("cancelled", "canceled");
    let right = if EventClass::KNOWN.contains(&folded.as_str()) {
        folded
    } else if (folded.starts_with("turn.") || folded.starts_with("run.")) && folded != single {
        single
    } else {
        return None;
    };
    Some(right)
}
