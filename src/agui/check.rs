//! What is wrong with an AG-UI event by itself, and with the frame that carries it.

use std::sync::OnceLock;

use super::facts::*;
use super::misfit::judge;
use super::order::Order;
use super::texts::inspect;
use super::{EventType, legacy, rules};
use crate::check::contract::Contract;
use crate::check::explain::{Keyword, Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Report;
use crate::check::rule::RuleRef;
use crate::check::secret::{walk_secret_keys, walk_values};
use crate::check::shape::{FormId, Shape, Unknown};
use crate::check::size::json_units;
use crate::check::tree::{Node, Value};
use crate::check::watched::watched;
use crate::check::{Limits, Profile};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::Kind;
use crate::wire::sse::{Frame, LineEnding};

/// The published schema of an event, and of all that lies in one.
const EVENT_SCHEMA: &str = include_str!("../../schemas/agui/1.0/known-event.schema.json");
const CAPABILITIES_SCHEMA: &str = include_str!("../../schemas/agui/1.0/agent-capabilities.schema.json");

pub(super) fn shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    SHAPE.get_or_init(|| Shape::compile(EVENT_SCHEMA, WATCHES, Unknown::Pass).expect("the published schema compiles"))
}

fn capabilities_shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    SHAPE.get_or_init(|| {
        Shape::compile(CAPABILITIES_SCHEMA, WATCHES, Unknown::Pass).expect("the published schema compiles")
    })
}

/// Definitions that our schemas write out where they stand, each with such a place.
const INLINED: [(&str, &str, &str); 7] = [
    ("JsonPatch", "AguiStateDeltaEvent", "delta"),
    ("JsonPointer", "AguiAddOperation", "path"),
    ("Metadata", "AguiTextMessageStartEvent", "metadata"),
    ("ReasoningEncryptedValueSubtype", "AguiReasoningEncryptedValueEvent", "subtype"),
    ("State", "AguiStateSnapshotEvent", "snapshot"),
    ("SubagentRunId", "AguiTextMessageStartEvent", "subagentRunId"),
    ("TextMessageRole", "AguiTextMessageStartEvent", "role"),
];

/// The definitions that a document can be checked as, by their names in the
/// specification.
pub(crate) fn types() -> &'static [&'static str] {
    static TYPES: OnceLock<Vec<&'static str>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let names = shape().definition_names().chain(capabilities_shape().definition_names());
        let mut types: Vec<_> =
            names.filter_map(|name| name.strip_prefix("Agui")).chain(["Event", "AgentCapabilities"]).collect();
        types.extend(INLINED.iter().map(|(name, ..)| name));
        types.sort_unstable();
        types.dedup();
        types
    })
}

/// The schema that a type is checked by.
fn form_of(name: &str) -> Option<(&'static Shape, FormId)> {
    let definition = format!("Agui{name}");
    if name == "AgentCapabilities" {
        return Some((capabilities_shape(), capabilities_shape().root()));
    }
    if let Some((_, definition, member)) = INLINED.iter().find(|(inlined, ..)| *inlined == name) {
        return Some((shape(), shape().member(definition, member)?));
    }
    [shape(), capabilities_shape()].into_iter().find_map(|shape| Some((shape, shape.definition(&definition)?)))
}

/// The AG-UI contract with the state of one stream.
#[derive(Debug)]
pub(crate) struct AgUi {
    limits: Limits,
    order: Order,
    /// The event that was explained last fails the run.
    broken: bool,
    /// Frames so far, up to two, and whether their line ending was reported.
    frames: u8,
    ending_reported: bool,
}

impl AgUi {
    pub(crate) fn new(profile: Profile, limits: Limits) -> Self {
        Self {
            limits,
            order: Order::new(profile == Profile::Strict, limits),
            broken: false,
            frames: 0,
            ending_reported: false,
        }
    }

    /// Reports what does not fit; true if the official client fails the run over it.
    fn misfits(
        shape: &Shape,
        root: FormId,
        node: &Node<'_>,
        skip: impl Fn(&str) -> bool,
        report: &mut Report<'_>,
    ) -> bool {
        let reading = if report.profile == Profile::Schema { Reading::Schema } else { Reading::Receive };
        let mut fatal = false;
        for misfit in mismatches(shape, root, node, reading) {
            if skip(&misfit.member) {
                continue;
            }
            let judged = judge(&misfit, node);
            fatal |= judged.fatal;
            // The client accepts a null state, which only the schema forbids.
            let schema_only = misfit.definition == "AguiRunAgentInput"
                && misfit.member == "state"
                && misfit.keyword == Keyword::Type
                && misfit.actual == Kind::Null;
            if !(schema_only && report.profile == Profile::Reference) {
                report.add(judged.rule, &misfit.path, misfit.span.clone(), judged.message);
            }
        }
        fatal
    }

    /// What does not depend on the schema, in table order.
    fn details(&self, shape: &Shape, root: FormId, node: &Node<'_>, report: &mut Report<'_>) {
        versions(node, &mut Path::default(), report);
        if !report.strict() {
            return;
        }
        usage(node, report);
        let mut empty: Vec<(RuleRef, Path, std::ops::Range<usize>, String)> = Vec::new();
        let mut inspected: Vec<(Path, &Node<'_>)> = Vec::new();
        watched(shape, root, node, &mut |path, watch, _, member| {
            if watch.no_empty && member.node.as_str().is_some_and(|text| text.is_empty()) {
                let rule: RuleRef = if member.key == "delta" { &rules::EMPTY_DELTA } else { &rules::EMPTY_ID };
                empty.push((rule, path.clone(), member.node.span.clone(), format!("{} is empty", member.key)));
            }
            if watch.inspect {
                inspected.push((path.clone(), &member.node));
            }
        });
        empty.sort_by_key(|(rule, ..)| rule.id == rules::EMPTY_DELTA.id);
        for (rule, path, span, message) in empty {
            report.add(rule, &path, span, message);
        }
        for (path, node) in &inspected {
            walk_secret_keys(node, path, &mut |path, member| {
                report.add(&rules::SECRET_KEY, path, member.key_span.clone(), "the key names a secret");
            });
        }
        for (path, node) in &inspected {
            let units = json_units(node);
            if units > self.limits.inline_units {
                let message = format!("{units} UTF-16 units of JSON text, more than {}", self.limits.inline_units);
                report.add(&rules::LARGE_INLINE_VALUE, path, node.span.clone(), message);
            }
        }
        self.tool_result(node, report);
        walk_values(node, &mut Path::default(), &mut |path, span| {
            report.add(&rules::SECRET_VALUE, path, span, "the text has the shape of a provider token");
        });
    }

    /// A tool's answer is often JSON in a string: it is looked into as well.
    fn tool_result(&self, node: &Node<'_>, report: &mut Report<'_>) {
        if node.get("type").and_then(Node::as_str).as_deref() != Some(EventType::ToolCallResult.as_str()) {
            return;
        }
        let Some(content) = node.get("content") else { return };
        if let Some(text) = content.as_str()
            && let Ok(inner) = Node::parse(&text, self.limits.depth)
        {
            inspect(&inner, &Path::of("content"), content.span.clone(), self.limits, report);
        }
    }
}

/// Protocol versions of the event, its input, or the document.
fn versions(node: &Node<'_>, path: &mut Path, report: &mut Report<'_>) {
    if let Some(version) = node.get("protocolVersion")
        && version.as_str().is_some_and(|text| !is_understood(&text))
    {
        let message = format!("the version is newer than {} or not major.minor", super::PROTOCOL_VERSION);
        report.add(
            &rules::PROTOCOL_VERSION_NOT_UNDERSTOOD,
            &path.join("protocolVersion"),
            version.span.clone(),
            message,
        );
    }
    if let Some(input) = node.get("input").filter(|_| path.steps().is_empty()) {
        path.push_key("input");
        versions(input, path, report);
        path.pop();
    }
}

fn is_understood(version: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    version.split_once('.').is_some_and(|(major, minor)| {
        let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
        digits(major) && digits(minor) && (number(major), number(minor)) <= (1, 0)
    })
}

/// Counts that contradict each other.
fn usage(node: &Node<'_>, report: &mut Report<'_>) {
    let mut seen = std::collections::HashSet::new();
    for (index, entry) in node.get("usage").map(Node::elements).unwrap_or_default().iter().enumerate() {
        let mut path = Path::of("usage");
        path.push_index(index);
        let count = |name: &str| match entry.get(name).map(|node| &node.value) {
            Some(Value::Number(text)) => Some(crate::wire::number::to_f64(text)),
            _ => None,
        };
        let mut add = |name: &str, message: &str| {
            let span = entry.get(name).map_or(entry.span.clone(), |node| node.span.clone());
            report.add(&rules::USAGE_INCONSISTENT, &path.join(name), span, message);
        };
        #[allow(clippy::float_cmp, reason = "counts are integers")]
        if let (Some(input), Some(output), Some(total)) =
            (count("inputTokens"), count("outputTokens"), count("totalTokens"))
            && input + output != total
        {
            add("totalTokens", "totalTokens is not inputTokens plus outputTokens");
        }
        for (part, whole) in [
            ("cachedInputTokens", "inputTokens"),
            ("cacheWriteInputTokens", "inputTokens"),
            ("reasoningTokens", "outputTokens"),
        ] {
            if count(part).zip(count(whole)).is_some_and(|(part, whole)| part > whole) {
                add(part, &format!("{part} exceeds {whole}, of which it is a part"));
            }
        }
        let label = |name: &str| entry.get(name).and_then(Node::as_str).map(std::borrow::Cow::into_owned);
        if !seen.insert((label("provider"), label("model"))) {
            report.add(
                &rules::USAGE_INCONSISTENT,
                &path,
                entry.span.clone(),
                "provider and model have an entry already",
            );
        }
    }
}

impl Contract for AgUi {
    fn shape(&self) -> &'static Shape {
        shape()
    }

    fn facts<'a>(&self, node: &Node<'a>, text: &'a str) -> Facts<'a> {
        let tag = node.get("type").and_then(Node::as_str);
        let form = tag.and_then(|tag| legacy::replacement(&tag)).and_then(retired_form);
        Facts::of_tree(shape(), form.unwrap_or(shape().root()), node, text)
    }

    fn varying(&self) -> &'static [u8] {
        &[DELTA]
    }

    fn is_clean(&self, facts: &Facts<'_>) -> bool {
        let absent = |slot| facts.kind(slot) == FactKind::Absent;
        // A tool's answer that could be JSON is looked into.
        let plain = |text: &str| !text.trim_start_matches('"').trim_start().starts_with(['{', '[']);
        absent(USAGE)
            && absent(INPUT)
            && (absent(PROTOCOL_VERSION) || facts.raw(PROTOCOL_VERSION) == "\"1.0\"")
            && (facts.tag() != Some(EventType::ToolCallResult as usize) || plain(facts.raw(CONTENT)))
    }

    fn explain(&mut self, node: &Node<'_>, _: &Facts<'_>, report: &mut Report<'_>) {
        self.broken = true;
        let root = Path::default();
        if !node.is_object() {
            let message = format!("an event is an object, not {}", node.kind().name());
            report.add(&rules::FRAME_NOT_OBJECT, &root, node.span.clone(), message);
            return;
        }
        let kind = node.get("type");
        let Some(tag) = kind.and_then(Node::as_str).filter(|tag| !tag.is_empty()) else {
            let span = kind.map_or(node.span.start..node.span.start + 1, |kind| kind.span.clone());
            report.add(&rules::TYPE_MISSING, &Path::of("type"), span, "the event has no type that is a string");
            return;
        };
        let span = kind.map_or(0..0, |kind| kind.span.clone());
        if EventType::from_tag(&tag).is_some() {
            self.broken = Self::misfits(shape(), shape().root(), node, |_| false, report);
            self.details(shape(), shape().root(), node, report);
        } else if let Some(event) = legacy::replacement(&tag) {
            report.add(&rules::RETIRED_EVENT_TYPE, &Path::of("type"), span, legacy::retirement(&tag, event));
            let form = retired_form(event).unwrap_or(shape().root());
            let skip = |member: &str| matches!(member, "type" | "messageId" | "role" | "title");
            self.broken = report.profile != Profile::Schema && Self::misfits(shape(), form, node, skip, report);
            self.details(shape(), form, node, report);
        } else {
            report.add(
                &rules::UNKNOWN_EVENT_TYPE,
                &Path::of("type"),
                span,
                format!("{} is no type of AG-UI 1.0", show(&tag)),
            );
        }
    }

    fn order(&mut self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let broken = std::mem::take(&mut self.broken);
        if let Some(at) = facts.tag() {
            self.order.push(facts, EventType::ALL[at], false, broken, report);
        } else {
            // Facts without a tag are those of retired events, or of none at all.
            let text = facts.text();
            if let Some(tag) = Node::parse(text, self.limits.depth).ok().and_then(|node| node.get("type")?.as_str())
                && let Some(event) = legacy::replacement(&tag)
            {
                self.order.push(facts, event, true, broken, report);
            }
        }
    }

    fn aside(&mut self) {
        self.broken = false;
    }

    fn finish(&mut self, events: u64, report: &mut Report<'_>) {
        self.order.finish(events, report);
    }

    #[cfg(feature = "cli")]
    fn reports_emptiness(&self, report: &Report<'_>) -> bool {
        report.wants(&rules::EMPTY_STREAM)
    }

    fn document(&self, name: &str, node: &Node<'_>, report: &mut Report<'_>) -> bool {
        let Some((shape, form)) = form_of(name) else { return false };
        Self::misfits(shape, form, node, |_| false, report);
        self.details(shape, form, node, report);
        true
    }

    fn not_json(&self) -> RuleRef {
        &rules::FRAME_NOT_JSON
    }

    fn frame_too_large(&self) -> RuleRef {
        &rules::SSE_FRAME_TOO_LARGE
    }

    fn frame(&mut self, frame: &Frame<'_>, report: &mut Report<'_>) {
        self.frames = self.frames.saturating_add(1);
        let foreign = matches!(frame.ending, Some(LineEnding::Cr | LineEnding::CrLf));
        if self.frames >= 2 && foreign && !self.ending_reported {
            self.ending_reported = true;
            let message = "frames end in CR or CRLF, which the official reader does not take for a boundary";
            report.add(&rules::SSE_LINE_ENDING, &Path::default(), 0..0, message);
        }
        let name = frame.event.or(frame.id).map(|_| if frame.event.is_some() { "event" } else { "id" });
        if let Some(name) = name {
            let text = std::str::from_utf8(frame.data).unwrap_or_default();
            let kind = Node::parse(text, self.limits.depth)
                .ok()
                .and_then(|node| node.get("type")?.as_str().map(std::borrow::Cow::into_owned));
            let differs = frame.event.is_some_and(|event| kind.is_some_and(|kind| kind.as_bytes() != event));
            let message = match (name, differs) {
                ("event", true) => "the frame has an event line, and it names another type than the event".to_owned(),
                _ => format!("the frame has an {name} line; 1.0 sends data lines only"),
            };
            report.add(&rules::SSE_EXTRA_FIELD, &Path::default(), 0..0, message);
        }
    }

    fn stray_line(&mut self, line: &[u8], report: &mut Report<'_>) {
        let bare = String::from_utf8_lossy(line);
        if bare.trim_start_matches(['\u{FEFF}', ' ', '\t']).starts_with("data:") {
            let message = "white space or a byte order mark stands before data:, so the line is dropped";
            report.add(&rules::SSE_DATA_LINE_LOST, &Path::default(), 0..0, message);
        }
    }
}

/// The schema of what replaces a retired type.
pub(super) fn retired_form(event: EventType) -> Option<FormId> {
    let name = match event {
        EventType::ReasoningStart => "AguiReasoningStartEvent",
        EventType::ReasoningEnd => "AguiReasoningEndEvent",
        EventType::ReasoningMessageStart => "AguiReasoningMessageStartEvent",
        EventType::ReasoningMessageContent => "AguiReasoningMessageContentEvent",
        _ => "AguiReasoningMessageEndEvent",
    };
    shape().definition(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::shape::ObjectForm;

    #[test]
    fn tags_of_the_schema_come_in_the_order_of_the_table() {
        let Some(ObjectForm::Tagged { tags, .. }) = &shape().form(shape().root()).object else { panic!("no union") };
        let table: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
        assert_eq!(tags.names().collect::<Vec<_>>(), table);
    }
}
