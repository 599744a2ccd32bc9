//! Documents around the events: fixtures, read models, projection states, manifests.
//!
//! A document type is a table of fields in the order in which the reference looks at
//! them; one walker reads all the tables.

use std::collections::{HashMap, HashSet};

use super::judge::{MAX_PAYLOAD, MAX_PREVIEW, event, size};
use super::order::LimeOrder;
use super::rules;
use crate::check::explain::{Keyword, Reading, mismatches};
use crate::check::facts::Facts;
use crate::check::leaks::secret_keys;
use crate::check::order::{Arrival, Order, Trust};
use crate::check::overlay::{self, Row, When};
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::sequence::{self, Sequence, gap_message};
use crate::check::shape::Shape;
use crate::check::size::string_units;
use crate::check::spec::Spec;
use crate::check::tree::{Node, Value};
use crate::wire::number::{is_integer, to_f64};
use crate::wire::path::{Path, Step};
use crate::wire::scan::Kind;

/// What a field must be. `Opt…`: only looked at if it is there, null included.
#[derive(Clone, Copy)]
enum Is {
    /// A string of length above zero.
    Text,
    OptText,
    /// A finite number.
    Number,
    OptNumber,
    Bool,
    OptBool,
    /// An array of strings.
    Texts,
    /// An array of objects with these fields.
    List(&'static [Field]),
    /// The elements of what is an array: objects with these fields.
    Items(&'static [Field]),
    /// An object with these fields.
    Object(&'static [Field]),
    OptObject(&'static [Field]),
    /// An object that is an event.
    Event,
    /// A string that is at most [`MAX_PREVIEW`] units long.
    OptPreview,
    /// An object that may hold no secret and nothing large.
    OptMetadata,
}

type Field = (&'static str, Is);

use Is::{
    Bool, Event, Items, List, Number, Object, OptBool, OptMetadata, OptNumber, OptObject, OptPreview, OptText, Text,
    Texts,
};

const ITEM: &[Field] = &[
    ("id", Text),
    ("source", Object(&[])),
    ("surface", Text),
    ("title", Text),
    ("status", Text),
    ("displayStatusKey", Text),
    ("resolved", Bool),
    ("actionKind", Text),
    ("targetModule", Text),
    ("detail", OptText),
    ("actionId", OptText),
    ("source", Event),
];

const READ_MODEL: &[Field] = &[
    ("events", List(ITEM)),
    ("visibleEvents", List(ITEM)),
    ("pendingActions", List(ITEM)),
    ("inputSourceRecovery", Bool),
    ("sourceCount", Number),
    ("artifactRefs", Texts),
    ("evidenceRefs", Texts),
    ("taskRefs", Texts),
];

const MESSAGE: &[Field] = &[
    ("type", Text),
    ("partId", Text),
    ("sourceEventId", Text),
    ("messageId", OptText),
    ("role", OptText),
    ("text", OptText),
    ("state", OptText),
    ("toolCallId", OptText),
    ("artifactId", OptText),
    ("evidenceId", OptText),
    ("diagnosticId", OptText),
    ("createdAt", OptText),
    ("refs", Texts),
];

const TIMELINE: &[Field] = &[
    ("entryId", Text),
    ("kind", Text),
    ("status", Text),
    ("title", Text),
    ("sourceEventId", Text),
    ("createdAt", Text),
    ("phase", OptText),
    ("owner", OptText),
    ("detail", OptText),
    ("completedAt", OptText),
    ("refs", Texts),
    ("sequence", OptNumber),
];

const GRAPH: &[Field] = &[
    ("nodeId", Text),
    ("nodeType", Text),
    ("status", Text),
    ("title", Text),
    ("parentId", OptText),
    ("createdAt", OptText),
    ("completedAt", OptText),
    ("refs", Texts),
    ("sourceEventIds", Texts),
];

const REF: &[Field] = &[
    ("id", Text),
    ("sourceEventId", Text),
    ("title", OptText),
    ("status", OptText),
    ("owner", OptText),
    ("path", OptText),
    ("contentRef", OptText),
    ("mimeType", OptText),
    ("preview", OptText),
    ("preview", OptPreview),
    ("metadata", OptMetadata),
];

const DIAGNOSTIC: &[Field] =
    &[("id", Text), ("sourceEventId", Text), ("title", Text), ("status", Text), ("detail", OptText)];

const ISOLATION: &[Field] = &[
    ("runtimeProfileId", OptText),
    ("modelProfileId", OptText),
    ("isolationProfileId", OptText),
    ("workspaceRef", OptText),
    ("permissionProfile", OptText),
    ("sandboxProfile", OptText),
    ("forkPolicy", OptText),
    ("depth", OptNumber),
    ("canDelegate", OptBool),
];

const SUBAGENT_THREAD: &[Field] = &[
    ("threadId", Text),
    ("subagentId", Text),
    ("status", Text),
    ("title", Text),
    ("parentThreadId", OptText),
    ("parentTaskId", OptText),
    ("taskId", OptText),
    ("taskPath", OptText),
    ("role", OptText),
    ("nickname", OptText),
    ("summary", OptText),
    ("promptPreview", OptText),
    ("lastActivityAt", OptText),
    ("createdAt", OptText),
    ("completedAt", OptText),
    ("artifactRefs", Texts),
    ("evidenceRefs", Texts),
    ("sourceEventIds", Texts),
    ("isolation", OptObject(ISOLATION)),
];

const DELEGATION: &[Field] = &[
    ("callId", Text),
    ("sourceEventId", Text),
    ("action", Text),
    ("status", Text),
    ("title", Text),
    ("parentThreadId", OptText),
    ("promptPreview", OptText),
    ("createdAt", OptText),
    ("completedAt", OptText),
    ("targetThreadIds", Texts),
];

const ACTIVITY: &[Field] = &[
    ("activityId", Text),
    ("threadId", Text),
    ("sourceEventId", Text),
    ("kind", Text),
    ("status", Text),
    ("title", Text),
    ("createdAt", OptText),
];

const SUBAGENTS: &[Field] = &[
    ("hasSubagents", Bool),
    ("threads", List(&[])),
    ("delegationCalls", List(&[])),
    ("activities", List(&[])),
    ("activeThreadIds", Texts),
    ("completedThreadIds", Texts),
    ("failedThreadIds", Texts),
    ("threads", Items(SUBAGENT_THREAD)),
    ("delegationCalls", Items(DELEGATION)),
    ("activities", Items(ACTIVITY)),
];

const PROJECTION_STATE: &[Field] = &[
    ("runtime", Object(&[])),
    ("messages", List(MESSAGE)),
    ("timeline", List(TIMELINE)),
    ("graph", List(GRAPH)),
    ("tools", List(ITEM)),
    ("actions", List(ITEM)),
    ("artifacts", List(REF)),
    ("evidence", List(REF)),
    ("diagnostics", List(DIAGNOSTIC)),
    ("subagents", Object(SUBAGENTS)),
    ("readModel", Object(READ_MODEL)),
    ("hydration", Object(&[("status", Text), ("eventCount", Number)])),
    ("ephemeralUi", Object(&[])),
];

const CAPABILITY: &[Field] = &[
    ("id", Text),
    ("status", Text),
    ("scope", Text),
    ("title", Text),
    ("detail", OptText),
    ("version", OptText),
    ("metadata", OptMetadata),
];

const CAPABILITY_MANIFEST: &[Field] = &[
    ("schemaVersion", Text),
    ("runtimeId", Text),
    ("generatedAt", Text),
    ("providerId", OptText),
    ("sessionId", OptText),
    ("capabilities", List(CAPABILITY)),
];

const CODING: &[Field] = &[
    ("fileCount", OptNumber),
    ("changeCount", OptNumber),
    ("patchCount", OptNumber),
    ("commandCount", OptNumber),
    ("testCount", OptNumber),
    ("blockedCount", OptNumber),
    ("failedPatchCount", OptNumber),
    ("failedTestCount", OptNumber),
];

const SUBAGENT_COUNTS: &[Field] = &[
    ("hasSubagents", OptBool),
    ("threadCount", OptNumber),
    ("delegationCallCount", OptNumber),
    ("activityCount", OptNumber),
    ("activeThreadCount", OptNumber),
    ("completedThreadCount", OptNumber),
    ("failedThreadCount", OptNumber),
];

const FIXTURE: &[Field] = &[
    ("id", Text),
    ("schemaVersion", Text),
    ("title", Text),
    ("events", List(&[])),
    ("expected", Object(&[("status", Text), ("coding", OptObject(CODING)), ("subagents", OptObject(SUBAGENT_COUNTS))])),
];

/// One pass over a document.
struct Walk<'w, 'r> {
    shape: &'w Shape,
    rule: &'static Rule,
    report: &'w mut Reporter<'r>,
}

impl Walk<'_, '_> {
    fn fields(&mut self, node: &Node<'_>, path: &Path, fields: &'static [Field]) {
        for (name, is) in fields {
            self.field(node, node.get(name), &path.join(name), name, *is);
        }
    }

    fn wrong(&mut self, parent: &Node<'_>, found: Option<&Node<'_>>, path: &Path, name: &str, expected: &str) {
        let message = match found.map(Node::kind) {
            None => format!("{name} is missing"),
            Some(Kind::String) if found.and_then(Node::as_str).is_some_and(|text| text.is_empty()) => {
                format!("{name} is empty")
            }
            Some(kind) => format!("{name} is {}, not {expected}", kind.name()),
        };
        let span = found.map_or(parent.caret(), Node::span);
        self.report.add(self.rule, path, span, message);
    }

    fn field(&mut self, parent: &Node<'_>, found: Option<&Node<'_>>, path: &Path, name: &str, is: Is) {
        let kind = found.map(Node::kind);
        let (fits, expected) = match is {
            Text => (found.and_then(Node::as_str).is_some_and(|text| !text.is_empty()), "a string"),
            OptText => (matches!(kind, None | Some(Kind::String)), "a string"),
            Number => (found.is_some_and(is_finite), "a number"),
            OptNumber => (found.is_none_or(is_finite), "a number"),
            Bool => (kind == Some(Kind::Bool), "a boolean"),
            OptBool => (matches!(kind, None | Some(Kind::Bool)), "a boolean"),
            Texts | List(_) => (kind == Some(Kind::Array), "an array"),
            Object(_) => (kind == Some(Kind::Object), "an object"),
            OptObject(_) | OptMetadata => (matches!(kind, None | Some(Kind::Object)), "an object"),
            Event | OptPreview | Items(_) => (true, ""),
        };
        if !fits {
            self.wrong(parent, found, path, name, expected);
        }
        let Some(found) = found else { return };
        match is {
            Texts => {
                for (index, element) in found.elements().iter().enumerate() {
                    if self.report.is_full() {
                        break;
                    }
                    if element.kind() != Kind::String {
                        let mut path = path.clone();
                        path.push_index(index);
                        self.wrong(found, Some(element), &path, &format!("{name}[{index}]"), "a string");
                    }
                }
            }
            List(fields) | Items(fields) => {
                for (index, element) in found.elements().iter().enumerate() {
                    if fields.is_empty() || self.report.is_full() {
                        break;
                    }
                    let mut path = path.clone();
                    path.push_index(index);
                    if element.is_object() {
                        self.fields(element, &path, fields);
                    } else {
                        self.wrong(found, Some(element), &path, &format!("{name}[{index}]"), "an object");
                    }
                }
            }
            Object(fields) | OptObject(fields) if found.is_object() => self.fields(found, path, fields),
            Event if found.is_object() => nested(self.shape, found, path, None, self.report),
            OptPreview => self.preview(found, path),
            OptMetadata => {
                size(found, path, self.bound(), self.report);
                secret_keys(found, path, &rules::SECRET_KEY, self.report);
            }
            _ => {}
        }
    }

    fn bound(&self) -> usize {
        if self.report.strict() { self.report.limits().inline_units } else { MAX_PAYLOAD }
    }

    fn preview(&mut self, found: &Node<'_>, path: &Path) {
        if let Value::String(text) = found.value {
            let units = string_units(text);
            if units > MAX_PREVIEW {
                let message = format!("{units} UTF-16 units of preview, of at most {MAX_PREVIEW}");
                self.report.add(&rules::REF_PREVIEW_TOO_LARGE, path, found.span(), message);
            }
        }
    }
}

fn is_finite(node: &Node<'_>) -> bool {
    node.as_number().is_some_and(|text| to_f64(text).is_finite())
}

/// Checks an event that lies inside a document, with paths from the document's root.
fn nested(shape: &Shape, node: &Node<'_>, path: &Path, index: Option<u64>, report: &mut Reporter<'_>) {
    let text = report.utf8();
    let facts = Facts::of_tree(shape, shape.root(), node, text);
    report.below(path, index, |report| event(shape, node, &facts, report));
}

fn document(
    shape: &Shape,
    node: &Node<'_>,
    path: &Path,
    rule: &'static Rule,
    fields: &'static [Field],
    report: &mut Reporter<'_>,
) {
    let mut walk = Walk { shape, rule, report };
    if node.is_object() {
        walk.fields(node, path, fields);
    } else {
        let name = match path.steps().last() {
            Some(Step::Key(name)) => name,
            _ => "the document",
        };
        walk.wrong(node, Some(node), path, name, "an object");
    }
}

/// The types of documents, apart from events and state deltas: rule and fields.
const DOCUMENTS: [(&str, &Rule, &[Field]); 4] = [
    ("Fixture", &rules::FIXTURE_SHAPE, FIXTURE),
    ("CapabilityManifest", &rules::PROJECTION_STATE_SHAPE, CAPABILITY_MANIFEST),
    ("ReadModel", &rules::READ_MODEL_SHAPE, READ_MODEL),
    ("ProjectionState", &rules::PROJECTION_STATE_SHAPE, PROJECTION_STATE),
];

pub(super) fn names(_: &Spec) -> Vec<String> {
    DOCUMENTS.iter().map(|(name, ..)| *name).chain(["StateDelta"]).map(Into::into).collect()
}

/// Checks a document of one of the types.
pub(super) fn check(spec: &Spec, kind: &str, node: &Node<'_>, report: &mut Reporter<'_>) {
    let Some((_, rule, fields)) = DOCUMENTS.iter().find(|(name, ..)| *name == kind) else {
        return state_delta(spec.shape(1), node, report);
    };
    let shape = spec.shape(0);
    document(shape, node, &Path::default(), rule, fields, report);
    if kind == "Fixture" {
        fixture(spec, node, report);
    }
}

fn state_delta(shape: &Shape, node: &Node<'_>, report: &mut Reporter<'_>) {
    let reading = if report.strict() { Reading::Receive } else { Reading::Schema };
    for misfit in mismatches(shape, shape.root(), node, reading, report.worth_listing()) {
        if let Some(row) = overlay::find(STATE_DELTA, &misfit) {
            let hint = || misfit.meant.as_ref().map(|meant| format!("write {meant}"));
            report.add_hinted(row.rule, &misfit.path, misfit.span.clone(), row.describe(&misfit), hint);
        }
    }
}

/// What the schema of a state delta rejects.
static STATE_DELTA: &[Row<'static>] = &[
    Row::any(&[], When::Is(Keyword::Closed), &rules::STATE_DELTA_SHAPE, "{name} is not a member of this operation"),
    Row::any(&[""], When::Any, &rules::STATE_DELTA_SHAPE, "this is {actual}, not {expected}"),
    Row::any(&[], When::Is(Keyword::Required), &rules::STATE_DELTA_SHAPE, "{name} is missing"),
    Row::any(&[], When::Any, &rules::STATE_DELTA_SHAPE, "{name} is not {expected}"),
];

/// What a fixture has beside its fields: every event, gaps, order, then the read models.
fn fixture(spec: &Spec, node: &Node<'_>, report: &mut Reporter<'_>) {
    let shape = spec.shape(0);
    if !node.is_object() {
        return;
    }
    if let Some(version) = node.get("schemaVersion")
        && version.as_str().is_some_and(|text| !text.is_empty() && text != super::FIXTURE_SCHEMA_VERSION)
    {
        let message = format!("schemaVersion is not {}", super::FIXTURE_SCHEMA_VERSION);
        report.add(&rules::FIXTURE_SCHEMA_VERSION, &Path::of("schemaVersion"), version.span(), message);
    }
    let events = node.get("events").map(Node::elements).unwrap_or_default();
    for (index, event) in events.iter().enumerate() {
        if report.is_full() {
            // Nothing more would be said of what follows.
            return;
        }
        nested(shape, event, &event_path(index), Some(index as u64), report);
    }
    let waived: HashSet<String> = node
        .get("expected")
        .and_then(|expected| expected.get("diagnostics"))
        .map(Node::elements)
        .unwrap_or_default()
        .iter()
        .filter_map(|code| code.as_str().map(std::borrow::Cow::into_owned))
        .collect();
    let missing = match (waived.contains("sequence_gap"), report.strict()) {
        (true, _) => HashMap::new(),
        (false, true) => gaps(events, waived.contains("duplicate_event_id"), report),
        (false, false) => {
            literal_gaps(events, report);
            HashMap::new()
        }
    };
    order(spec, events, &waived, &missing, report);
    for name in ["initialReadModel", "finalReadModel"] {
        if let Some(model) = node.get(name) {
            document(shape, model, &Path::of(name), &rules::READ_MODEL_SHAPE, READ_MODEL, report);
        }
    }
    report.event = None;
}

fn event_path(index: usize) -> Path {
    let mut path = Path::of("events");
    path.push_index(index);
    path
}

/// The number of an event, if it is an integer.
fn number_of<'n, 'a>(event: &'n Node<'a>) -> Option<(f64, &'n Node<'a>)> {
    let node = event.get("sequence")?;
    let text = node.as_number()?;
    is_integer(text).then(|| (to_f64(text), node))
}

/// Reports each number that is not one more than the one before, as the reference does.
fn literal_gaps(events: &[Node<'_>], report: &mut Reporter<'_>) {
    let mut before: Option<f64> = None;
    for (index, event) in events.iter().enumerate() {
        let Some((sequence, node)) = number_of(event) else { continue };
        #[allow(clippy::float_cmp, reason = "gaps are compared as doubles, as the reference does")]
        if let Some(before) = before.filter(|before| before + 1.0 != sequence) {
            gap(index, node, before, sequence, report);
        }
        before = Some(sequence);
    }
}

/// The same, where one fault is one gap. Gives how many events are missing before each of those
/// that come behind a gap.
fn gaps(events: &[Node<'_>], may_repeat: bool, report: &mut Reporter<'_>) -> HashMap<usize, f64> {
    let (mut numbers, mut missing): (Option<Sequence>, _) = (None, HashMap::new());
    let mut seen = HashSet::new();
    for (index, event) in events.iter().enumerate() {
        match (number_of(event), &mut numbers) {
            (None, numbers) => numbers.iter_mut().for_each(Sequence::skip),
            // That it is negative has a rule of its own.
            (Some((number, _)), numbers) if number < 0.0 => numbers.iter_mut().for_each(Sequence::skip),
            (Some((number, node)), numbers) => {
                let id = event.get("id").and_then(Node::as_str).map(|id| (id.into_owned(), number.to_bits()));
                // That an event comes twice has a rule of its own, unless that is declared.
                if !may_repeat && id.is_some_and(|id| !seen.insert(id)) {
                    continue;
                }
                match numbers {
                    None => *numbers = Some(Sequence::new(number)),
                    Some(known) => {
                        if let sequence::Step::Gap { before, missing: count } = known.take(number) {
                            missing.insert(index, count);
                            gap(index, node, before, number, report);
                        }
                    }
                }
            }
        }
    }
    missing
}

fn gap(index: usize, node: &Node<'_>, before: f64, sequence: f64, report: &mut Reporter<'_>) {
    report.event = Some(index as u64);
    let path = event_path(index).join("sequence");
    report.add(&rules::FIXTURE_SEQUENCE_GAP, &path, node.span(), gap_message(before, sequence));
}

fn order(
    spec: &Spec,
    events: &[Node<'_>],
    waived: &HashSet<String>,
    missing: &HashMap<usize, f64>,
    report: &mut Reporter<'_>,
) {
    let text = report.utf8();
    let shape = spec.shape(0);
    // What is waived explains nothing of what is not.
    let mut order = LimeOrder::of_fixture(!report.strict() || !waived.is_empty(), report.limits());
    let id_of = |event: &Node<'_>| event.get("id").and_then(Node::as_str).map(std::borrow::Cow::into_owned);
    // The reference finds an event again by its id: the last one that has it.
    let last: HashMap<String, (usize, &Node<'_>)> =
        events.iter().enumerate().filter_map(|(index, event)| Some((id_of(event)?, (index, event)))).collect();
    let mut found = Vec::new();
    for (index, event) in events.iter().enumerate() {
        if let Some(count) = missing.get(&index) {
            order.miss(*count, index as u64);
        }
        if !event.is_object() {
            if report.strict() {
                order.miss(1.0, index as u64);
            }
            continue;
        }
        let facts = Facts::of_tree(shape, shape.root(), event, text);
        let start = report.locate(event.span().start);
        report.aside(&mut found, index as u64, start, |report| {
            order.push(&mut Arrival::new(&facts, Trust::Clean, &spec.tag, shape, report));
        });
        for violation in found.drain(..) {
            if waived.contains(&violation.rule.name().replace('-', "_")) {
                continue;
            }
            let place = id_of(event).and_then(|id| last.get(&id).copied());
            report.event = place.map(|(index, _)| index as u64);
            let (path, at) = match place {
                Some((index, event)) => (event_path(index), event.span().start),
                None => (Path::of("events"), event.span().start),
            };
            let related = violation.related.into_iter().next();
            report.add_related(&violation.rule, &path, at..at + 1, violation.message, related);
        }
    }
}
