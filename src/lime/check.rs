//! What is wrong with a Lime event by itself.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::class::{EventClass, is_legacy_terminal};
use super::documents;
use super::event::{Kind as EventKind, Owner, Phase, SCHEMA_VERSION, Status};
use super::facts::*;
use super::order::{Order, Place, Violation};
use super::rules;
use super::scope::{DOCUMENTED_ROWS, SCOPE_ROWS, ScopeRow, rows_of};
use crate::check::contract::Contract;
use crate::check::explain::{Keyword, Mismatch, Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Report;
use crate::check::rule::RuleRef;
use crate::check::secret::{is_secret_key, is_token_counter, walk_keys, walk_values};
use crate::check::shape::{Shape, Unknown};
use crate::check::size::json_units;
use crate::check::time::is_rfc3339;
use crate::check::tree::{Node, Value};
use crate::check::{Limits, Profile, Related, input_rules, js};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::Kind;

/// Size and preview bounds of the reference, in UTF-16 units.
pub(super) const MAX_PAYLOAD: usize = 32_000;
pub(super) const MAX_PREVIEW: usize = 512;

/// The published schema of an event.
pub(crate) const EVENT_SCHEMA: &str = include_str!("../../schemas/lime/v0.1/event.schema.json");
/// The published schema of a state delta.
pub(crate) const STATE_DELTA_SCHEMA: &str = include_str!("../../schemas/lime/v0.1/state-delta.schema.json");

fn event_shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    SHAPE
        .get_or_init(|| Shape::compile(EVENT_SCHEMA, WATCHES, Unknown::Inspect).expect("the published schema compiles"))
}

fn state_delta_shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    SHAPE.get_or_init(|| Shape::compile(STATE_DELTA_SCHEMA, &[], Unknown::Pass).expect("the published schema compiles"))
}

/// The Lime contract with the state of one stream.
#[derive(Debug)]
pub(crate) struct Lime {
    order: Order,
    limits: Limits,
}

impl Lime {
    pub(crate) fn new(profile: Profile, limits: Limits) -> Self {
        Self { order: Order::new(profile == Profile::Reference, limits), limits }
    }
}

/// The names of the types that a document can be checked as.
pub(crate) const TYPES: &[&str] =
    &["Event", "Fixture", "StateDelta", "CapabilityManifest", "ReadModel", "ProjectionState"];

impl Contract for Lime {
    fn shape(&self) -> &'static Shape {
        event_shape()
    }

    fn varying(&self) -> &'static [u8] {
        &[ID, SEQUENCE, CREATED_AT, PAYLOAD_DELTA]
    }

    fn is_clean(&self, facts: &Facts<'_>) -> bool {
        let time = |slot| facts.string(slot).is_none_or(|text| is_rfc3339(&text));
        if !time(CREATED_AT) || !time(COMPLETED_AT) {
            return false;
        }
        match facts.kind(EVENT_CLASS) {
            FactKind::Absent => true,
            _ => facts.known(EVENT_CLASS).is_some_and(|class| rows_of(class).iter().all(|row| row.is_met(facts))),
        }
    }

    fn explain(&mut self, node: &Node<'_>, facts: &Facts<'_>, report: &mut Report<'_>) {
        event(node, facts, self.limits, report);
    }

    fn order(&mut self, facts: &Facts<'_>, report: &mut Report<'_>) {
        // Where the event begins: its first byte, since nearly every event is remembered.
        let place = Place { event: report.event.unwrap_or(0), location: report.start() };
        let strict = report.strict();
        let mut emit = |violation: Violation| {
            let path =
                if facts.kind(violation.slot) == FactKind::Absent { Path::default() } else { path_of(violation.slot) };
            report.add_related(violation.rule, &path, facts.span(violation.slot), violation.message, violation.related);
        };
        if strict {
            self.order.gap(facts, &mut emit);
        }
        self.order.push(facts, place, &mut emit);
        if let Some(rules) = self.order.forgotten() {
            report.add(
                &input_rules::HISTORY_LIMIT,
                &Path::default(),
                0..1,
                format!("older ids are forgotten from here on; no longer guaranteed: {rules}"),
            );
        }
    }

    fn finish(&mut self, _: u64, report: &mut Report<'_>) {
        for (event, location) in self.order.unfinished() {
            let related = Related { message: "the turn began here".into(), event: Some(event), location };
            report.add_at_end(&rules::TURN_UNFINISHED, "a turn has no terminal event", Some(related));
        }
    }

    fn document(&self, name: &str, node: &Node<'_>, report: &mut Report<'_>) -> bool {
        match name {
            "Event" => {
                let text = std::str::from_utf8(report.text).unwrap_or_default();
                let facts = Facts::of_tree(event_shape(), event_shape().root(), node, text);
                event(node, &facts, self.limits, report);
            }
            "Fixture" => documents::fixture(node, self.limits, report),
            "StateDelta" => state_delta(node, report),
            "CapabilityManifest" => documents::capability_manifest(node, self.limits, report),
            "ReadModel" => documents::read_model(node, &Path::default(), self.limits, report),
            "ProjectionState" => documents::projection_state(node, self.limits, report),
            _ => return false,
        }
        true
    }
}

/// The path of the member whose facts are in `slot`.
fn path_of(slot: u8) -> Path {
    WATCHES
        .iter()
        .find_map(|row| {
            if row.slot == slot {
                return Some(Path::of(row.member));
            }
            row.below.iter().find(|(_, below)| *below == slot).map(|(name, _)| Path::of(row.member).join(name))
        })
        .unwrap_or_default()
}

/// All findings about one event, in the reference's order, then those of `strict`.
pub(super) fn event(node: &Node<'_>, facts: &Facts<'_>, limits: Limits, report: &mut Report<'_>) {
    let root = Path::default();
    let misfits = mismatches(event_shape(), event_shape().root(), node, Reading::Schema);
    if !node.is_object() {
        report.add(
            &rules::EVENT_NOT_OBJECT,
            &root,
            node.span.clone(),
            format!("an event is an object, not {}", node.kind().name()),
        );
        return;
    }
    if report.profile == Profile::Schema {
        for misfit in &misfits {
            let message = describe(misfit);
            report.add(rule_of(misfit), &misfit.path, misfit.span.clone(), message);
        }
        return;
    }
    let caret = caret(node, facts);
    required(node, &caret, report);
    let class = facts.string(EVENT_CLASS);
    let mut told: HashSet<&'static str> = HashSet::new();
    if let Some(class) = class.as_deref() {
        if is_legacy_terminal(class) {
            report.add(
                &rules::LEGACY_TERMINAL_CLASS,
                &root.join("eventClass"),
                facts.span(EVENT_CLASS),
                format!("{} is a spelling that the contract no longer admits", show(class)),
            );
        }
        for row in SCOPE_ROWS.iter().filter(|row| row.applies.to(class) && !row.is_met(facts)) {
            told.insert(row.member());
            needs(row, class, node, &caret, report);
        }
    }
    let counters_exempt = report.strict();
    if let Some(payload) = node.get("payload") {
        let bound = if report.strict() { limits.inline_units } else { MAX_PAYLOAD };
        size(payload, &root.join("payload"), bound, report);
        secrets(payload, &root.join("payload"), counters_exempt, &rules::SECRET_KEY, report);
    }
    if report.strict() {
        strict(node, facts, &misfits, &told, &caret, report);
    }
}

/// The caret of a missing member: at the class, else at the opening brace.
fn caret(node: &Node<'_>, facts: &Facts<'_>) -> std::ops::Range<usize> {
    match facts.kind(EVENT_CLASS) {
        FactKind::Absent => node.span.start..node.span.start + 1,
        _ => facts.span(EVENT_CLASS),
    }
}

const REQUIRED_STRINGS: [&str; 7] = ["id", "schemaVersion", "runtimeId", "kind", "status", "title", "createdAt"];

fn required(node: &Node<'_>, caret: &std::ops::Range<usize>, report: &mut Report<'_>) {
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
        let span = found.map_or(caret.clone(), |found| found.span.clone());
        report.add(&rules::REQUIRED_STRING, &Path::of(name), span, message);
    }
    let sequence = node.get("sequence");
    let integer =
        sequence.is_some_and(|node| matches!(node.value, Value::Number(text) if crate::wire::number::is_integer(text)));
    if !integer {
        let message = match sequence.map(Node::kind) {
            None => "the event has no sequence".to_owned(),
            Some(Kind::Number) => "sequence is not an integer".to_owned(),
            Some(kind) => format!("sequence is {}, not an integer", kind.name()),
        };
        let span = sequence.map_or(caret.clone(), |found| found.span.clone());
        report.add(&rules::SEQUENCE_NOT_INTEGER, &Path::of("sequence"), span, message);
    }
}

/// Reports that an event lacks what its class needs.
fn needs(row: &ScopeRow, class: &str, node: &Node<'_>, caret: &std::ops::Range<usize>, report: &mut Report<'_>) {
    let names: Vec<&str> = row.any_of.iter().map(|need| need.member()).collect();
    let path = Path::of_dotted(row.member());
    let found = row.member().split('.').try_fold(node, |node, name| node.get(name));
    let span = found.map_or(caret.clone(), |found| found.span.clone());
    let message = match found {
        Some(found) => format!("{} of {} is {}", row.member(), show(class), unusable(found)),
        None if names.len() > 2 => format!("{} has none of {}", show(class), names.join(", ")),
        None => format!("{} has no {}", show(class), names.join(" and no ")),
    };
    report.add(row.rule, &path, span, message);
}

fn unusable(node: &Node<'_>) -> &'static str {
    match node.as_str() {
        Some(text) if js::is_blank(&text) => "blank",
        _ => node.kind().name(),
    }
}

pub(super) fn size(node: &Node<'_>, path: &Path, bound: usize, report: &mut Report<'_>) {
    let units = json_units(node);
    if units > bound {
        let message = format!("{units} UTF-16 units of JSON text, of at most {bound}");
        report.add(&rules::PAYLOAD_TOO_LARGE, path, node.span.clone(), message);
    }
}

/// Reports the keys below `path` that name a secret.
pub(super) fn secrets(node: &Node<'_>, path: &Path, counters_exempt: bool, rule: RuleRef, report: &mut Report<'_>) {
    walk_keys(node, &mut path.clone(), &mut |path, member| {
        let exempt = counters_exempt && is_token_counter(&member.key, member.node.kind());
        if !exempt {
            report.add(rule, path, member.key_span.clone(), SECRET_MESSAGE);
        }
        !exempt
    });
}

const SECRET_MESSAGE: &str = "the key names a secret";

/// The rule that a mismatch of the published schema stands for.
fn rule_of(misfit: &Mismatch<'_>) -> RuleRef {
    match (misfit.member.as_str(), misfit.keyword) {
        ("", _) => &rules::EVENT_NOT_OBJECT,
        ("schemaVersion", Keyword::Enum) => &rules::SCHEMA_VERSION,
        ("sequence", Keyword::Number) if misfit.out_of_range => &rules::SEQUENCE_NEGATIVE,
        ("sequence", _) => &rules::SEQUENCE_NOT_INTEGER,
        ("eventClass", Keyword::Enum) => &rules::LEGACY_TERMINAL_CLASS,
        ("payload", _) => &rules::PAYLOAD_NOT_OBJECT,
        (member, _) if REQUIRED_STRINGS.contains(&member) => &rules::REQUIRED_STRING,
        _ => &rules::OPTIONAL_FIELD_TYPE,
    }
}

/// How a mismatch reads.
fn describe(misfit: &Mismatch<'_>) -> String {
    match misfit.keyword {
        Keyword::Required => format!("{} is missing", show(&misfit.member)),
        _ => format!("{} is not {}", show(&misfit.member), misfit.expected),
    }
}

/// What `strict` adds, in table order.
fn strict(
    node: &Node<'_>,
    facts: &Facts<'_>,
    misfits: &[Mismatch<'_>],
    told: &HashSet<&'static str>,
    caret: &std::ops::Range<usize>,
    report: &mut Report<'_>,
) {
    for rule in
        [&rules::SCHEMA_VERSION, &rules::SEQUENCE_NEGATIVE, &rules::OPTIONAL_FIELD_TYPE, &rules::PAYLOAD_NOT_OBJECT]
    {
        for misfit in misfits.iter().filter(|misfit| rule_of(misfit) == rule && !told.contains(misfit.member.as_str()))
        {
            let message = match rule.id {
                "lime/schema-version" => format!("schemaVersion is not {SCHEMA_VERSION}"),
                _ => describe(misfit),
            };
            report.add(rule, &misfit.path, misfit.span.clone(), message);
        }
    }
    let class = facts.string(EVENT_CLASS);
    let class = class.as_deref();
    let spelling = class.and_then(misspelt);
    if let Some(class) = class.filter(|class| {
        spelling.is_none()
            && !is_legacy_terminal(class)
            && *class != "patch.completed"
            && !EventClass::from(*class).is_known()
    }) {
        let message = format!("{} is not a class that Lime names", show(class));
        report.add(&rules::UNKNOWN_EVENT_CLASS, &Path::of("eventClass"), facts.span(EVENT_CLASS), message);
    }
    for (name, slot, known) in [
        ("kind", KIND, EventKind::KNOWN),
        ("status", STATUS, Status::KNOWN),
        ("owner", OWNER, Owner::KNOWN),
        ("phase", PHASE, Phase::KNOWN),
    ] {
        if let Some(value) = facts.string(slot).filter(|value| !value.is_empty() && !known.contains(&&**value)) {
            let message = format!("{} is not a {name} that Lime names", show(&value));
            report.add(&rules::UNKNOWN_KIND_OR_STATUS, &Path::of(name), facts.span(slot), message);
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
        for row in DOCUMENTED_ROWS.iter().filter(|row| row.applies.to(class) && !row.is_met(facts)) {
            needs(row, class, node, caret, report);
        }
    }
    for name in SCOPE_IDS {
        if let Some(found) = node.get(name).filter(|found| found.as_str().is_some_and(|id| id.is_empty())) {
            report.add(&rules::EMPTY_SCOPE_ID, &Path::of(name), found.span.clone(), format!("{name} is empty"));
        }
    }
    if class == Some("patch.completed") {
        report.add(
            &rules::PATCH_COMPLETED_DOES_NOT_CLOSE,
            &Path::of("eventClass"),
            facts.span(EVENT_CLASS),
            "patch.completed does not close the patch",
        );
    }
    let mut below = Path::default();
    for member in node.members().iter().filter(|member| member.key != "payload") {
        below.push_key(&member.key);
        let exempt = is_token_counter(&member.key, member.node.kind());
        if is_secret_key(&member.key) && !exempt {
            report.add(&rules::SECRET_KEY_OUTSIDE_PAYLOAD, &below, member.key_span.clone(), SECRET_MESSAGE);
        } else {
            secrets(&member.node, &below, true, &rules::SECRET_KEY_OUTSIDE_PAYLOAD, report);
        }
        below.pop();
    }
    walk_values(node, &mut Path::default(), &mut |path, span| {
        report.add(&rules::SECRET_VALUE, path, span, "the text has the shape of a provider token");
    });
}

/// The spelling that the contract has for a class in other case, with blanks, or with
/// two `l`; `None` if nothing is wrong with it, or everything.
fn misspelt(class: &str) -> Option<String> {
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

fn state_delta(node: &Node<'_>, report: &mut Report<'_>) {
    let shape = state_delta_shape();
    for misfit in mismatches(shape, shape.root(), node, Reading::Schema) {
        let message = match misfit.keyword {
            Keyword::Closed => format!("{} is no member of a state delta", show(&misfit.member)),
            _ if misfit.member.is_empty() => format!("this is {}, not {}", misfit.actual.name(), misfit.expected),
            _ => describe(&misfit),
        };
        report.add(&rules::STATE_DELTA_SHAPE, &misfit.path, misfit.span.clone(), message);
    }
}

/// An event that lies inside a document, with paths from the document's root.
pub(super) fn nested(node: &Node<'_>, path: &Path, index: Option<u64>, limits: Limits, report: &mut Report<'_>) {
    let text = std::str::from_utf8(report.text).unwrap_or_default();
    let facts = Facts::of_tree(event_shape(), event_shape().root(), node, text);
    let root = report.root.concat(path);
    let mut inner = Report {
        findings: report.findings,
        policy: report.policy,
        profile: report.profile,
        protocol: report.protocol,
        event: index.or(report.event),
        text: report.text,
        segments: report.segments,
        locator: report.locator,
        root,
        plain_paths: report.plain_paths,
    };
    event(node, &facts, limits, &mut inner);
    report.locator = inner.locator;
}

/// The facts of an event that lies inside a document.
pub(super) fn facts_of<'a>(node: &Node<'a>, text: &'a str) -> Facts<'a> {
    Facts::of_tree(event_shape(), event_shape().root(), node, text)
}

/// Whether the text is a value that Lime publishes.
pub(crate) fn publishes(text: &str) -> bool {
    text == SCHEMA_VERSION
        || [EventClass::KNOWN, EventKind::KNOWN, Status::KNOWN, Owner::KNOWN, Phase::KNOWN]
            .iter()
            .any(|list| list.contains(&text))
}
