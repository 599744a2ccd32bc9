//! What is wrong with a Ubik event by itself.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::events::{DELTA_SUFFIX, EventType, InputType, Phase, ToolEventType, whole_type};
use super::facts::*;
use super::time::Time;
use super::unpack::{OF_EVENT, name_in};
use super::{overlay, rules, tags};
use crate::check::Profile;
use crate::check::explain::{Keyword, Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::leaks::{secret_keys, secret_values, too_large};
use crate::check::near::nearest;
use crate::check::order::Trust;
use crate::check::overlay::gathered;
use crate::check::reporter::Reporter;
use crate::check::rule::Rule;
use crate::check::shape::{FormId, Shape};
use crate::check::size::json_units;
use crate::check::spec::{HIDDEN, Look, Looked};
use crate::check::tree::{Member, Node};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::Kind;
use crate::wire::text::is_uuid;

/// Reports what is wrong with an event, in the order of the rules.
pub(super) fn event(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) -> Trust {
    let node = looked.node;
    if !node.is_object() {
        report.add_no_object(&rules::FRAME_NOT_OBJECT, "an event", node);
        return Trust::Suspect;
    }
    let found = Event { looked, wrapped: wrapped(looked.shape, looked.form, node) };
    let trust = match looked.name {
        Some(name) => found.of_tool(name, report),
        None => found.of_session(report),
    };
    if report.profile != Profile::Schema {
        found.leaks(report);
    }
    trust
}

/// Reads the facts of an event, also of one whose members stand in `data`.
pub(super) fn facts(facts: &mut Facts<'_>, shape: &Shape, form: FormId, node: &Node<'_>) {
    let wrapped = wrapped(shape, form, node);
    let node = wrapped.as_ref().unwrap_or(node);
    facts.read(shape, form, node);
    if facts.kind(CREATED_AT) == FactKind::Absent
        && facts.type_in(EventType::ALL) == Some(EventType::CheckpointCreated)
        && let Some(timestamp) = node.get("timestamp")
    {
        facts.stand_in(CREATED_AT, timestamp);
    }
}

/// The event as it is meant, if it lacks members that stand in its `data`.
fn wrapped<'a>(shape: &Shape, form: FormId, node: &Node<'a>) -> Option<Node<'a>> {
    if form != shape.root() {
        return None;
    }
    let tag = node.get("type")?.as_str()?;
    if matches!(&*tag, "tool_update" | "tool_partial_update") {
        return None;
    }
    let data = node.get("data").filter(|data| data.is_object())?;
    let names = shape.names(&tag)?;
    let is_meant = |name: &str| shape.requires(&tag, name) && node.get(name).is_none() && data.get(name).is_some();
    if !names.names().any(is_meant) {
        return None;
    }
    let others = data.members().iter().filter(|member| node.get(&member.key).is_none());
    Some(node.with_members(node.members().iter().chain(others)))
}

/// An event under a closer look.
struct Event<'l, 'e, 'a> {
    looked: &'l Looked<'e, 'a>,
    /// What it would be without the `data` around its members.
    wrapped: Option<Node<'a>>,
}

impl<'a> Event<'_, '_, 'a> {
    fn node(&self) -> &Node<'a> {
        self.wrapped.as_ref().unwrap_or(self.looked.node)
    }

    /// Reports at a member that is there.
    fn at(&self, rule: &Rule, member: &str, message: impl Into<String>, report: &mut Reporter<'_>) {
        if let Some(found) = self.looked.node.get(member) {
            report.add(rule, &Path::of(member), found.span(), message);
        }
    }

    fn of_session(&self, report: &mut Reporter<'_>) -> Trust {
        let tag = self.looked.node.get("type");
        let (path, span) = (Path::of("type"), tag.map_or(0..1, Node::span));
        let name = tag.and_then(Node::as_str).unwrap_or_default();
        if name.is_empty() {
            let message = match tag.map(Node::kind) {
                None => "the event has no type".to_owned(),
                Some(Kind::String) => "the type is empty".to_owned(),
                Some(kind) => format!("the type is {}, not a string", kind.name()),
            };
            report.add(&rules::TYPE_MISSING, &path, span, message);
            return Trust::Suspect;
        }
        let Some(at) = self.looked.facts.tag() else {
            unknown_type(&name, &path, span, false, report);
            return Trust::Clean;
        };
        let event = EventType::ALL.get(at).copied();
        if report.profile != Profile::Schema && is_unmarked(self.looked.node, self.looked.facts) {
            return unmarked(&name, &path, span, report);
        }
        if self.wrapped.is_some() {
            let message = "the members of the event stand in data, not beside type";
            self.at(&rules::EVENT_WRAPPED_IN_DATA, "data", message, report);
        }
        let trust = self.misfits(event, report);
        if report.profile == Profile::Schema {
            return trust;
        }
        if let Some(event) = event {
            self.values(event, report);
        }
        trust
    }

    fn of_tool(&self, name: &str, report: &mut Reporter<'_>) -> Trust {
        let is_told = self.looked.era == OF_TOOL_IN_JSON;
        let named = if self.looked.odd && !name.is_empty() { name_in(report.utf8()) } else { None };
        if let Some((member, _)) = &named
            && !is_told
            && report.profile != Profile::Schema
        {
            report.at_root(|report| {
                let message =
                    "the JSON names the event, which is for the `event:` line alone; said once for all events";
                report.add(&rules::ALTERNATE_NOTATION, &Path::of(member), 0..1, message);
            });
        }
        if name.is_empty() {
            let message = "the frame of a tool has no `event:` line that says what it is";
            report.add(&rules::TOOL_EVENT_NAME_MISSING, &Path::default(), 0..1, message);
            return Trust::Suspect;
        }
        let Some(at) = self.looked.facts.tag() else {
            match named {
                Some((member, span)) => {
                    report.at_root(|report| unknown_type(name, &Path::of(member), span, true, report));
                }
                None => unknown_type(name, &Path::default(), 0..1, true, report),
            }
            return Trust::Clean;
        };
        let event = ToolEventType::ALL.get(at).copied();
        if report.profile != Profile::Schema && is_unmarked(self.looked.node, self.looked.facts) {
            return unmarked(name, &Path::default(), 0..1, report);
        }
        let trust = self.misfits(None, report);
        if report.profile == Profile::Schema {
            return trust;
        }
        match event {
            Some(ToolEventType::ToolUpdate) => self.phase("", report),
            Some(ToolEventType::ToolInputRequired) => {
                self.input_types(report);
                if self.node().get("prompt").is_some() {
                    let message = "tool_input is how a session asks; here it stands beside prompt";
                    self.at(&rules::TOOL_INPUT_SHAPE, "tool_input", message, report);
                }
            }
            Some(ToolEventType::ToolEnd | ToolEventType::FinalResult) if !self.node().members().is_empty() => {
                self.tool_end(report);
            }
            _ => {}
        }
        trust
    }

    /// What the schema rejects. A fault that keeps clients from reading the event makes it suspect.
    fn misfits(&self, event: Option<EventType>, report: &mut Reporter<'_>) -> Trust {
        let looked = self.looked;
        let reading = Reading::of(report.profile);
        let mut trust = Trust::Clean;
        let (mut asks, mut lacks) = (false, false);
        let misfits = mismatches(looked.shape, looked.form, self.node(), reading, report.worth_listing());
        for misfit in if reading == Reading::Schema { misfits } else { gathered(misfits) } {
            let row = overlay::row(&misfit);
            if misfit.member == "created_at"
                && misfit.keyword == Keyword::Required
                && self.node().get("timestamp").is_some()
            {
                let message = "the time of a checkpoint is named created_at";
                self.at(&rules::TIMESTAMP_UNEXPECTED_NAME, "timestamp", message, report);
                continue;
            }
            // A question that lacks its members lacks all of them for one reason.
            if *row.rule == rules::TOOL_INPUT_SHAPE && std::mem::replace(&mut asks, true) {
                continue;
            }
            // A fragment that lacks members is one fault.
            if *row.rule == rules::CHUNK_FIELD_MISSING && std::mem::replace(&mut lacks, true) {
                continue;
            }
            if row.is_fatal() {
                trust = Trust::Suspect;
            }
            let message = match &misfit.meant {
                Some(meant) => format!("{meant} is missing; a member has nearly its name"),
                None => row.describe(&misfit),
            };
            let hint = || misfit.meant.as_ref().map(|meant| format!("write {meant}"));
            report.add_hinted(row.rule, &misfit.path, misfit.span.clone(), message, hint);
        }
        if event == Some(EventType::ToolInputRequired) && report.profile != Profile::Schema && !asks {
            let found =
                ["prompt", "input_types", "timeout", "state"].into_iter().find(|name| self.node().get(name).is_some());
            if let Some(name) = found {
                let message = format!("{name} is how the tool's own stream asks; here it stands beside tool_input");
                self.at(&rules::TOOL_INPUT_SHAPE, name, message, report);
            }
        }
        trust
    }

    /// What the schema cannot express, of an event of a session.
    fn values(&self, event: EventType, report: &mut Reporter<'_>) {
        let facts = self.looked.facts;
        odd_values(event, facts, |rule, member, message| self.at(rule, member, message.to_string(), report));
        match event {
            EventType::InputRequired => self.input_types(report),
            EventType::ToolUpdate => {
                if let Some(tool) = facts.string(TOOL_NAME) {
                    self.phase(&tool, report);
                }
            }
            EventType::AgentResponseUpdate | EventType::AgentProcessingComplete => {
                if let Some(content) = self.node().get("content") {
                    tags::check(content, &Path::of("content"), report);
                }
            }
            _ => {}
        }
    }

    fn input_types(&self, report: &mut Reporter<'_>) {
        for (index, kind) in self.node().get("input_types").map_or(&[][..], Node::elements).iter().enumerate() {
            if let Some(name) = kind.as_str().filter(|name| !InputType::KNOWN.contains(&&**name)) {
                let message = format!("{} is not a form of input that is documented", show(&name));
                let path = Path::of("input_types").element(index);
                report.add(&rules::UNKNOWN_INPUT_TYPE, &path, kind.span(), message);
            }
        }
    }

    /// A phase that no page names for the tool; the words of the guide's examples are fine.
    fn phase(&self, tool: &str, report: &mut Reporter<'_>) {
        let Some(phase) = self.looked.facts.string(PHASE) else { return };
        if is_phase(tool, &phase) {
            return;
        }
        let (path, span) = (self.looked.shape.path_of(PHASE), self.looked.facts.span(PHASE));
        let of = if tool.is_empty() { Cow::Borrowed("any tool") } else { show(tool) };
        report.add(&rules::UNKNOWN_PHASE, &path, span, format!("{} is not a documented phase of {of}", show(&phase)));
    }

    fn tool_end(&self, report: &mut Reporter<'_>) {
        let node = self.node();
        let known = ["execution_id", "status", "outputs"];
        // What events of a session have beside their payload.
        let beside = ["timestamp", "tool_execution_id", "tool_name"];
        // Null, and outputs of another type, are faults of their own.
        let is_odd = |name: &str| {
            let kind = node.get(name).map(Node::kind);
            kind == Some(Kind::Null) || (name == "outputs" && kind.is_some_and(|kind| kind != Kind::Object))
        };
        if known.into_iter().any(is_odd) {
            return;
        }
        let (status, outputs) = (node.get("status").is_some(), node.get("outputs").is_some());
        // Under nearly its name, the id is a fault of its own and no output.
        let lacks_id = node.get("execution_id").is_none();
        let is_id = |key: &str| lacks_id && nearest(key, std::iter::once(known[0])).is_some();
        // The type may stand in the event as well.
        let is_type = |key: &str| {
            ["type", "event", "event_type"].contains(&key)
                && node.get(key).and_then(Node::as_str).as_deref() == self.looked.name
        };
        let is_spread = |key: &str| !known.contains(&key) && !beside.contains(&key) && !is_id(key) && !is_type(key);
        let spread = node.members().iter().find(|member| is_spread(&member.key));
        let (path, span, message) = match (status, outputs, spread) {
            (_, true, Some(spread)) => {
                (Path::of(&spread.key), spread.key_span(), "an output stands beside outputs, which has them all")
            }
            // One of the outputs may be a status.
            (true, true, None) | (_, false, Some(_)) => return,
            // It lacks all, which was said.
            (false, false, None) if lacks_id => return,
            (false, true, None) => (Path::of("status"), 0..1, "outputs come with a status, which is missing"),
            (_, false, None) => (Path::of("outputs"), 0..1, "the end of the tool has no outputs"),
        };
        report.add(&rules::TOOL_END_SHAPE, &path, span, message);
    }

    /// Secrets and size, of the event as it came.
    fn leaks(&self, report: &mut Reporter<'_>) {
        let node = self.looked.node;
        if is_fragment(self.looked.facts) {
            // The data is looked into when the event is whole, or cannot be.
            let is_data = |member: &&Member<'_>| member.key == "chunk_data" && member.node.as_str().is_some();
            let beside = node.with_members(node.members().iter().filter(|member| !is_data(member)));
            return secrets(&beside, report);
        }
        if !report.is_rebuilt {
            let (units, bound) = (json_units(node), report.limits().inline_units);
            if units > bound {
                report.add(&rules::LARGE_INLINE_VALUE, &Path::default(), 0..1, too_large(units, bound));
            }
        }
        secrets(node, report);
    }
}

/// Reports keys and values of an event, or around one, that are secrets.
pub(super) fn secrets(node: &Node<'_>, report: &mut Reporter<'_>) {
    secret_keys(node, &Path::default(), &rules::SECRET_KEY, report);
    secret_values(node, &rules::SECRET_VALUE, report);
}

/// Whether the event is a fragment of another.
pub(super) fn is_fragment(facts: &Facts<'_>) -> bool {
    let known = if facts.schema() == TOOL { ToolEventType::ALL.len() } else { EventType::ALL.len() };
    facts.tag() == Some(known)
}

/// Whether an event has the members of a fragment, and not the type of one.
pub(super) fn is_unmarked(node: &Node<'_>, facts: &Facts<'_>) -> bool {
    const MEMBERS: [&str; 4] = ["chunk_id", "chunk_index", "total_chunks", "chunk_data"];
    let has = |name: &&str| node.get(name).is_some();
    !is_fragment(facts) && MEMBERS.iter().all(has) && !OF_EVENT.iter().any(has)
}

fn unmarked(name: &str, path: &Path, span: Range<usize>, report: &mut Reporter<'_>) -> Trust {
    let (whole, meant) = (show(name), format!("{name}{DELTA_SUFFIX}"));
    let message = format!("the event has the members of a fragment of {whole}, and not its type");
    report.add_hinted(&rules::CHUNK_TYPE_MISMATCH, path, span, message, || Some(format!("write {}", show(&meant))));
    Trust::Suspect
}

/// An event type that this stream does not have; `of_tool` says which stream it is.
fn unknown_type(name: &str, path: &Path, span: Range<usize>, of_tool: bool, report: &mut Reporter<'_>) {
    if OLDER.contains(&name) {
        let message = format!("{name} is of an older generation of tool streams");
        report.add(&rules::LEGACY_EVENT_TYPE, path, span, message);
        return;
    }
    let sessions = EventType::ALL.iter().map(|known| known.as_str());
    let tools = ToolEventType::ALL.iter().map(|known| known.as_str());
    let (own, other): (Vec<_>, Vec<_>) =
        if of_tool { (tools.collect(), sessions.collect()) } else { (sessions.collect(), tools.collect()) };
    let (stream, elsewhere) = if of_tool { ("a tool", "a session") } else { ("a session", "a tool") };
    let is_elsewhere = other.contains(&whole_type(name));
    let message = if is_elsewhere {
        format!("{} belongs to the stream of {elsewhere}; this is the stream of {stream}", show(name))
    } else {
        format!("{} is not an event type of Ubik", show(name))
    };
    let hint = || {
        let place = is_elsewhere.then(|| format!("send it in the stream of {elsewhere}"));
        let fragments: Vec<String> = own.iter().map(|known| format!("{known}{DELTA_SUFFIX}")).collect();
        let known = own.into_iter().chain(fragments.iter().map(String::as_str));
        place.or_else(|| nearest(name, known).map(|meant| format!("write {meant}")))
    };
    report.add_hinted(&rules::UNKNOWN_EVENT_TYPE, path, span, message, hint);
}

/// The events of tool streams until September 2025.
pub(super) const OLDER: [&str; 5] =
    ["execution_status_update", "tool_step_start", "tool_step_end", "tool_log", "execution_result"];

/// The phases of the tools that are documented.
const PHASES: [(&str, &[&str]); 3] = [
    ("rag_search", &["SEARCH_PREPARATION", "RETRIEVAL", "RERANKING", "COMPILING_RESULTS"]),
    ("web_search", &["WEB_SEARCH", "SCRAPING_URLS", "RERANKING", "GENERATION"]),
    ("subagent", &["SUB_AGENT_STARTED"]),
];

/// The phases in the guide's examples of any tool.
const EXAMPLES: [&str; 1] = ["processing"];

/// Whether a phase is documented for the tool, in any case; of a tool that is not, any is.
fn is_phase(tool: &str, phase: &str) -> bool {
    let is_in = |phases: &[&str]| phases.iter().any(|known| known.eq_ignore_ascii_case(phase));
    match PHASES.iter().find(|(name, _)| *name == tool) {
        Some((_, phases)) => is_in(phases),
        None if tool.is_empty() => is_in(Phase::KNOWN) || is_in(&EXAMPLES),
        None => true,
    }
}

/// What the schema cannot express.
pub(super) const LOOKS: &[Look] = &[HIDDEN, |facts, _| {
    let needs_a_look = if facts.schema() == TOOL { tool_needs_a_look } else { session_needs_a_look };
    !is_fragment(facts) && (facts.may_be_large() || needs_a_look(facts))
}];

fn tool_needs_a_look(facts: &Facts<'_>) -> bool {
    facts.text().contains("\"chunk_data\"")
        || match facts.type_in(ToolEventType::ALL) {
            Some(ToolEventType::ToolInputRequired) => facts.text().contains("\"tool_input\""),
            Some(ToolEventType::ToolEnd | ToolEventType::FinalResult) | None => true,
            _ => false,
        }
}

/// Hands on what the facts of a session's event show to be wrong with its values: the rule, the member, and what to say.
fn odd_values(event: EventType, facts: &Facts<'_>, mut say: impl FnMut(&Rule, &'static str, fmt::Arguments<'_>)) {
    use EventType::{
        AgentProcessingComplete, AgentProcessingError, AgentProgress, AgentResponseChunk, AgentResponseUpdate,
        AgentStepCompleted, ConnectionEstablished, ResponseStreamStart,
    };
    if event == AgentResponseChunk {
        let message = format_args!("agent_response_chunk is the older name of response_chunk");
        say(&rules::LEGACY_EVENT_TYPE, "type", message);
    }
    if let Some(id) = facts.string(MESSAGE_ID) {
        if event == ResponseStreamStart && id == "None" {
            let message = format_args!("the text None stands for a message that is not there yet");
            say(&rules::MESSAGE_ID_NONE_STRING, "message_id", message);
        } else if matches!(event, AgentResponseUpdate | AgentProcessingComplete) && !is_uuid(&id) {
            say(&rules::MESSAGE_ID_NOT_UUID, "message_id", format_args!("{} is not a UUID", show(&id)));
        }
    }
    for (member, slot) in [("timestamp", TIMESTAMP), ("created_at", CREATED_AT)] {
        if facts.string(slot).is_some_and(|text| !Time::is_in(&text)) {
            say(&rules::TIMESTAMP_NOT_ISO, member, format_args!("{member} is not an ISO 8601 time"));
        }
    }
    if event == ConnectionEstablished && (facts.hides() || facts.text().contains("\"timestamp\"")) {
        let message = format_args!("connection_established has a timestamp, which no client expects there");
        say(&rules::TIMESTAMP_UNEXPECTED_NAME, "timestamp", message);
    }
    let progress = facts.number(PROGRESS);
    if progress.is_some_and(|progress| !(0.0..=100.0).contains(&progress)) {
        say(&rules::PROGRESS_RANGE, "progress", format_args!("progress is below 0 or above 100"));
    }
    let [step, total] =
        [STEP, TOTAL_STEPS].map(|slot| facts.number(slot).filter(|_| facts.kind(slot) == FactKind::Integer));
    let below = [("step", step), ("total_steps", total)].into_iter().find(|(_, count)| count.is_some_and(|n| n < 1.0));
    if let Some((member, _)) = below {
        say(&rules::STEP_NOT_POSITIVE, member, format_args!("{member} is below 1"));
    } else if event == AgentProgress && step.zip(total).is_some_and(|(step, total)| step > total) {
        say(&rules::STEP_NOT_POSITIVE, "step", format_args!("the step is greater than total_steps"));
    }
    if event == AgentStepCompleted && facts.raw_if(COMPLETED) == Some("false") {
        let message = format_args!("the step is completed, and completed is false");
        say(&rules::STEP_COMPLETED_FALSE, "completed", message);
    } else if event == AgentStepCompleted && progress.is_some_and(|progress| (0.0..100.0).contains(&progress)) {
        let message = format_args!("the step is completed, and its progress is below 100");
        say(&rules::STEP_COMPLETED_FALSE, "progress", message);
    }
    if event == AgentProcessingError && facts.string(TRACEBACK).is_some_and(|text| !text.is_empty()) {
        let message = format_args!("the server's traceback goes to the client");
        say(&rules::TRACEBACK_ON_WIRE, "traceback", message);
    }
}

fn session_needs_a_look(facts: &Facts<'_>) -> bool {
    let Some(event) = facts.type_in(EventType::ALL) else { return true };
    let mut is_odd = match event {
        EventType::AgentResponseUpdate | EventType::AgentProcessingComplete => {
            facts.kind(MESSAGE_ID) != FactKind::String
                || facts.string(CONTENT).is_some_and(|text| tags::may_be_wrong(&text))
        }
        EventType::ToolInputRequired => {
            ["\"prompt\"", "\"input_types\"", "\"timeout\"", "\"state\""].iter().any(|name| facts.text().contains(name))
        }
        EventType::ToolUpdate => {
            facts.string(PHASE).is_some_and(|phase| !is_phase(&facts.string(TOOL_NAME).unwrap_or_default(), &phase))
        }
        _ => false,
    };
    odd_values(event, facts, |_, _, _| is_odd = true);
    is_odd
}
