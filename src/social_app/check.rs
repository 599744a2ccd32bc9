//! The social-app contract: what is wrong with an event by itself, with the frame that
//! carries it, and with its place in the stream.

use std::sync::OnceLock;

use super::details::{Details, contradicts, is_id};
use super::event::EventType;
use super::facts::*;
use super::misfit::{call_id_spellings, judge_plainly};
use super::names::Stage;
use super::order::Order;
use super::stream_id::StreamId;
use super::usage::CostSource;
use super::{Version, rules, tools};
use crate::check::contract::Contract;
use crate::check::explain::{Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Report;
use crate::check::history::Keys;
use crate::check::rule::RuleRef;
use crate::check::shape::{Shape, Unknown};
use crate::check::tree::Node;
use crate::check::{Limits, Options, Profile};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH};
use crate::wire::sse::Frame;
use crate::wire::tag;

/// The published schemas of an event: the newest, which takes what v0 sends as well, and
/// that of v0 alone.
const EVENT_SCHEMA: &str = include_str!("../../schemas/social-app/2026-04-24/known-event.schema.json");
const V0_EVENT_SCHEMA: &str = include_str!("../../schemas/social-app/2026-03-17/known-event.schema.json");
const HISTORY_SCHEMA: &str = include_str!("../../schemas/social-app/2026-04-24/history-response.schema.json");

fn compiled(cell: &'static OnceLock<Shape>, schema: &str) -> &'static Shape {
    cell.get_or_init(|| Shape::compile(schema, WATCHES, Unknown::Report).expect("the published schema compiles"))
}

fn shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    compiled(&SHAPE, EVENT_SCHEMA)
}

fn v0_shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    compiled(&SHAPE, V0_EVENT_SCHEMA)
}

fn history_shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    compiled(&SHAPE, HISTORY_SCHEMA)
}

/// The names of the types that a document can be checked as.
pub(crate) const TYPES: &[&str] = &["Event", "HistoryResponse"];

/// The social-app contract with the state of one connection.
#[derive(Debug)]
pub(crate) struct SocialApp {
    limits: Limits,
    shape: &'static Shape,
    order: Order,
    keys: Keys,
    /// The id of the frame before, and the key of its data.
    last_frame: Option<(StreamId, u64)>,
    /// The frame is the one before, delivered again: nothing new has happened.
    redelivered: bool,
}

impl SocialApp {
    pub(crate) fn new(profile: Profile, limits: Limits, options: &Options) -> Self {
        let forced = options.version.and_then(Version::from_name);
        let v0 = profile == Profile::Schema && forced == Some(Version::V0);
        Self {
            limits,
            shape: if v0 { v0_shape() } else { shape() },
            order: Order::new(limits, forced, options),
            keys: Keys::default(),
            last_frame: None,
            redelivered: false,
        }
    }

    /// Reports what is wrong with the answer of `/history`.
    fn history(node: &Node<'_>, report: &mut Report<'_>) {
        for misfit in mismatches(history_shape(), history_shape().root(), node, Reading::Schema) {
            let draft = judge_plainly(&misfit);
            report.add(draft.rule, &draft.path, draft.span, draft.message);
        }
    }
}

impl Contract for SocialApp {
    fn shape(&self) -> &'static Shape {
        self.shape
    }

    /// An event of a type that is not known belongs to a run all the same, and a call's id
    /// in the wrong case names it all the same.
    fn facts<'a>(&self, node: &Node<'a>, text: &'a str) -> Facts<'a> {
        let tag = node.get("type").and_then(Node::as_str);
        let known = tag.and_then(|tag| EventType::from_tag(&tag));
        let base = self.shape.definition("SocialAppRunStartedEvent").filter(|_| known.is_none());
        let mut facts = Facts::of_tree(self.shape, base.unwrap_or(self.shape.root()), node, text);
        if let Some(slot) = known.and_then(call_id_slot).filter(|slot| facts.kind(*slot) == FactKind::Absent)
            && let Some(id) = node.get(call_id_spellings(slot == RESULT_CALL_ID).1)
        {
            facts.stand_in(slot, id);
        }
        facts
    }

    fn is_clean(&self, facts: &Facts<'_>) -> bool {
        use EventType as E;
        let Some(event) = facts.tag().and_then(|at| EventType::ALL.get(at)) else { return false };
        let worker = || facts.known(STAGE) == Stage::KNOWN.iter().position(|stage| *stage == Stage::Worker.as_str());
        let tool = |slot| facts.string(slot).is_some_and(|name| tools::is_of_known_form(&name));
        let newer = || self.order.version().or(Version::shown_by(facts)) == Some(Version::V1);
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

    fn explain(&mut self, node: &Node<'_>, facts: &Facts<'_>, report: &mut Report<'_>) {
        let version = self.order.version().or(Version::shown_by(facts));
        let details = Details { shape: self.shape, node, facts, version, limits: self.limits, drafts: Vec::new() };
        for draft in details.collect(report.profile == Profile::Schema) {
            report.add_graded(draft.rule, draft.severity, &draft.path, draft.span, draft.message);
        }
    }

    fn order(&mut self, facts: &Facts<'_>, report: &mut Report<'_>) {
        if !std::mem::take(&mut self.redelivered) {
            self.order.push(facts, report);
        }
    }

    fn lost(&mut self) {
        self.order.lost();
    }

    fn aside(&mut self) {
        self.redelivered = false;
    }

    fn finish(&mut self, _: u64, report: &mut Report<'_>) {
        self.order.finish(report);
    }

    fn document(&self, name: &str, node: &Node<'_>, report: &mut Report<'_>) -> bool {
        if name == "HistoryResponse" {
            Self::history(node, report);
        }
        name == "HistoryResponse"
    }

    fn not_json(&self) -> RuleRef {
        &rules::FRAME_NOT_JSON
    }

    fn frame(&mut self, frame: &Frame<'_>, report: &mut Report<'_>) {
        self.redelivered = false;
        let found = report.findings.len();
        self.event_line(frame, report);
        self.id_line(frame, report);
        // Of a frame that holds no event nothing else is said.
        if report.findings.len() > found && !is_object(frame.data) {
            report.findings.truncate(found);
        }
    }
}

impl SocialApp {
    fn event_line(&self, frame: &Frame<'_>, report: &mut Report<'_>) {
        let Some(event) = frame.event else {
            report.add(&rules::FRAME_EVENT_MISSING, &Path::default(), 0..0, "the frame has no event line");
            return;
        };
        let text = std::str::from_utf8(frame.data).unwrap_or_default();
        let Ok(Some(tag)) = tag::search(&Cursor::new(text, MAX_DEPTH), "type", true) else { return };
        let Some(kind) = tag.name().ok().filter(|kind| !kind.is_empty() && kind.as_bytes() != event) else { return };
        let span = tag.offset..tag.offset + tag.text.raw.len() + 2;
        let message = format!("the event line is {}, the type is {}", show(&lossy(event)), show(&kind));
        report.add(&rules::FRAME_EVENT_MISMATCH, &Path::default(), span, message);
    }

    fn id_line(&mut self, frame: &Frame<'_>, report: &mut Report<'_>) {
        let root = Path::default();
        let Some(id) = frame.id else {
            report.add(&rules::FRAME_ID_MISSING, &root, 0..0, "the frame has no id line");
            return;
        };
        let Ok(id) = lossy(id).parse::<StreamId>() else {
            let message = "the id is not two unsigned integers of 64 bits joined by a hyphen";
            report.add(&rules::FRAME_ID_FORM, &root, 0..0, message);
            return;
        };
        let data = self.keys.of(frame.data);
        let before = self.last_frame.replace((id, data));
        self.redelivered = before == Some((id, data));
        if let Some((last, _)) = before.filter(|(last, _)| *last >= id) {
            let message = if last == id { "the id is that of the frame before" } else { "the id goes back" };
            report.add(&rules::FRAME_ID_NOT_INCREASING, &root, 0..0, message);
        }
    }
}

/// Whether the data of a frame is a JSON object.
fn is_object(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    cursor.kind() == Ok(Kind::Object) && cursor.skip().is_ok() && cursor.end().is_ok()
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
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
