//! What is wrong with an event by itself.

use std::borrow::Cow;
use std::ops::Range;

use super::arguments::{Given, misshapen};
use super::events::event::EventType;
use super::events::names::{CostSource, ResultType, RunErrorCode, Stage, StepName};
use super::facts::{COST_SOURCE, USAGE_COMPLETE, V0_ANSWER, member_of, usage_members};
use super::misfit::{CAMEL, Draft, call_id_spellings, judge};
use super::sanitizer::Leak;
use super::version::Version;
use super::{rules, tools};
use crate::agui;
use crate::check::Limits;
use crate::check::explain::{Keyword, Mismatch, Reading, Worth, mismatches};
use crate::check::facts::Facts;
use crate::check::leaks::{SECRET_KEY, secret_key_in_text, secret_value, too_large, walk_exposed_keys, walk_values};
use crate::check::misspelt::{LOOKED_AT, misspelt};
use crate::check::names::NameTable;
use crate::check::near::nearest;
use crate::check::rule::{Rule, Severity};
use crate::check::secrets::Secrets;
use crate::check::shape::Shape;
use crate::check::size::json_units;
use crate::check::tree::{Node, found_if};
use crate::safe::show;
use crate::wire::path::{Path, Step, Trail};
use crate::wire::scan::Kind;

/// The members whose values are not of the protocol's own making.
const OPAQUE: [&str; 5] = ["args", "tool_call_args", "result", "error", "ui_schema"];
/// The members whose size is looked at.
const SIZED: [&str; 3] = ["result", "ui_schema", "answer"];

/// Collects what is wrong with an event, in the order of the rules.
pub(super) struct Details<'e, 'a> {
    pub(super) shape: &'e Shape,
    pub(super) node: &'e Node<'a>,
    pub(super) facts: &'e Facts<'e>,
    pub(super) version: Option<Version>,
    pub(super) limits: Limits,
    pub(super) drafts: Vec<Draft>,
    /// Members under a wrong name that stand for required ones; each has its finding.
    pub(super) misspelt: Vec<Box<str>>,
    /// The members are those of another type.
    pub(super) is_retagged: bool,
}

impl<'e, 'a> Details<'e, 'a> {
    pub(super) fn new(
        shape: &'e Shape,
        node: &'e Node<'a>,
        facts: &'e Facts<'e>,
        version: Option<Version>,
        limits: Limits,
    ) -> Self {
        let (drafts, misspelt) = (Vec::new(), Vec::new());
        Self { shape, node, facts, version, limits, drafts, misspelt, is_retagged: false }
    }

    /// Looks for what is wrong; with `schema_only`, for what the schema refuses and nothing
    /// else. `most` is how many mismatches are worth listing.
    pub(super) fn collect(&mut self, schema_only: bool, secrets: &Secrets, most: usize) {
        if let Some(event) = self.shape_and_type(schema_only, most)
            && !schema_only
            && !self.is_retagged
        {
            self.spelling(event);
            self.words(event);
            self.usage();
            self.arguments(event);
            self.versions(event);
            self.sizes();
        }
        if !schema_only {
            self.drafts.extend(leaks(self.node, &Path::default()));
            // What is no event is looked through as text.
            if self.node.is_object() {
                self.secrets(secrets, most);
            }
        }
        self.one_of_both_ids();
        let place = |rule: &'static Rule| rules::RULES.iter().position(|row| row.id() == rule.id());
        self.drafts.sort_by_cached_key(|draft| place(draft.rule));
    }

    /// Where neither the run nor the thread is named, that is one fault.
    fn one_of_both_ids(&mut self) {
        if ["runId", "threadId"].iter().any(|name| self.node.get(name).is_some()) {
            return;
        }
        let is_of_id = |draft: &Draft| draft.rule == &rules::RUN_ID_MISSING && draft.hint.is_none();
        let (mut ids, mut drafts): (Vec<_>, Vec<_>) = self.drafts.drain(..).partition(is_of_id);
        if let [first, _] = &mut *ids {
            first.path = Path::of("runId");
            first.message = "the event has neither runId nor threadId".into();
            ids.truncate(1);
        }
        drafts.append(&mut ids);
        self.drafts = drafts;
    }

    /// Holds the event against the schema. Gives its type if it is one of the protocol's.
    fn shape_and_type(&mut self, schema_only: bool, most: usize) -> Option<EventType> {
        let node = self.node;
        if !node.is_object() {
            let message = format!("an event is an object, not {}", node.kind().name());
            self.push(&rules::FRAME_NOT_OBJECT, Path::default(), node.span(), message);
            return None;
        }
        let tag = node.get("type").and_then(Node::as_str).filter(|tag| !tag.is_empty());
        if let Some(event) = tag.as_deref().and_then(EventType::from_tag) {
            self.misfits(event, schema_only, most);
            return Some(event);
        }
        match tag.as_deref() {
            None => self.type_missing(),
            Some(tag) => self.foreign(tag),
        }
        let ids = ["threadId", "runId"];
        // An object that has none of the three is no event, which is one fault.
        let is_event = tag.is_some() || ids.iter().any(|name| node.get(name).is_some());
        for name in ids.into_iter().filter(|_| is_event) {
            if node.get(name).and_then(Node::as_str).is_none_or(|id| id.is_empty()) {
                self.at(name, &rules::RUN_ID_MISSING, format!("the event has no {name}"));
            }
        }
        None
    }

    /// What does not fit the schema of a type. Under a wrong type nearly everything does
    /// not: one finding says so.
    fn misfits(&mut self, event: EventType, schema_only: bool, most: usize) {
        let reading = if schema_only { Reading::Schema } else { Reading::Receive };
        // What stands for another member is no unknown one as well.
        let worth = Worth { most, hints: true };
        let found = mismatches(self.shape, self.shape.root(), self.node, reading, worth);
        let meant = self.type_meant(event, &found).filter(|_| !schema_only);
        let missing = found.iter().find(|misfit| misfit.keyword == Keyword::Required);
        if let Some((meant, missing)) = meant.zip(missing) {
            let mut draft = judge(missing, self.node);
            draft.hint = Some(format!("the members are those of {meant}: correct the type, or the members"));
            self.drafts.push(draft);
            self.is_retagged = true;
            return;
        }
        for misfit in &found {
            if let (Some(_), Some(Step::Key(key))) = (&misfit.meant, misfit.path.steps().last()) {
                self.misspelt.push((**key).into());
            }
            self.drafts.push(judge(misfit, self.node));
        }
    }

    /// The type whose members an event has, where it lacks several of its own.
    fn type_meant(&self, event: EventType, found: &[Mismatch<'_>]) -> Option<EventType> {
        let members = self.node.members();
        let knows = |event: EventType, name: &str| {
            self.shape.names(event.as_str()).is_some_and(|names| names.find(name).is_some())
        };
        let lacks = |misfit: &&Mismatch<'_>| misfit.keyword == Keyword::Required && misfit.meant.is_none();
        let missing = found.iter().filter(lacks).count();
        let foreign = members.iter().filter(|member| !knows(event, &member.key)).count();
        if missing == 0 || missing + foreign < 2 {
            return None;
        }
        let is_whole = |event: EventType| {
            let names = self.shape.names(event.as_str()).into_iter().flat_map(NameTable::names);
            let mut required = names.filter(|name| self.shape.requires(event.as_str(), name));
            required.all(|name| self.node.get(name).is_some())
        };
        let fits = |event: &&EventType| members.iter().all(|member| knows(**event, &member.key)) && is_whole(**event);
        EventType::ALL.iter().find(fits).copied()
    }

    fn push(&mut self, rule: &'static Rule, path: Path, span: Range<usize>, message: String) {
        self.drafts.push(Draft::new(rule, path, span, message));
    }

    /// Reports `rule` at a member, or where it is missing.
    fn at(&mut self, name: &str, rule: &'static Rule, message: String) {
        let missing = self.node.get("type").map_or(0..1, Node::span);
        let span = self.node.get(name).map_or(missing, Node::span);
        self.push(rule, Path::of(name), span, message);
    }

    /// Says which name was meant in what was reported last.
    fn hint(&mut self, meant: Option<&str>) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.hint = meant.map(|meant| format!("write {meant}"));
        }
    }

    fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.node.get(name).and_then(Node::as_str)
    }

    /// No type can be read.
    fn type_missing(&mut self) {
        let rule = &rules::TYPE_MISSING;
        match (self.node.get("type"), misspelt(self.node, "type")) {
            (None, Some(meant)) => {
                let message = "the type is missing; a member has nearly its name";
                self.push(rule, Path::of(&meant.key), meant.key_span(), message.into());
                self.hint(Some("type"));
            }
            (Some(kind), _) if kind.kind() == Kind::String => self.at("type", rule, "the type is empty".into()),
            _ => self.at("type", rule, "the event has no type that is a string".into()),
        }
    }

    /// A type that is none of the protocol's.
    fn foreign(&mut self, tag: &str) {
        let internal = tag
            .split_once('.')
            .is_some_and(|(family, rest)| ["run", "step", "text", "tool"].contains(&family) && !rest.is_empty());
        let (rule, message): (&'static Rule, _) = if agui::EventType::from_tag(tag).is_some() {
            (&rules::STANDARD_EVENT_TYPE, format!("{tag} is an event of AG-UI that this dialect does not send"))
        } else if internal && self.node.get("data").is_some_and(Node::is_object) {
            (&rules::INTERNAL_EVENT_TYPE, format!("{} is the backend's own form of an event", show(tag)))
        } else {
            (&rules::UNKNOWN_EVENT_TYPE, format!("{} is no type of this protocol", show(tag)))
        };
        self.at("type", rule, message);
        if rule == &rules::UNKNOWN_EVENT_TYPE {
            self.hint(nearest(tag, EventType::ALL.iter().map(|event| event.as_str())));
        }
    }

    /// Collects at most so many keys, and so many values.
    fn secrets(&mut self, secrets: &Secrets, most: usize) {
        let mut found: Vec<(&'static Rule, Path, Range<usize>, String)> = Vec::new();
        let push = |found: &mut Vec<_>, rule: &'static Rule, path: Path, span, message, most| {
            if !secrets.allows_at(rule, &path) {
                found.push((rule, path, span, message));
            }
            found_if(found.len() >= most)
        };
        for name in OPAQUE {
            let Some(value) = self.node.get(name) else { continue };
            let _ = walk_exposed_keys(value, &Trail::root().key(name), secrets, &mut |trail, member| {
                push(&mut found, &rules::SECRET_KEY, trail.path(), member.key_span(), SECRET_KEY.into(), most)
            });
            if let Some(text) = value.as_str().filter(|_| name == "result")
                && let Some(inner) = json_in(&text, self.limits)
            {
                let _ = walk_exposed_keys(&inner, &Trail::root(), secrets, &mut |_, member| {
                    let message = secret_key_in_text(&member.key);
                    push(&mut found, &rules::SECRET_KEY, Path::of(name), value.span(), message, most)
                });
            }
        }
        let most = found.len() + most;
        let _ = walk_values(self.node, &Trail::root(), secrets, &mut |trail, span, form| {
            push(&mut found, &rules::SECRET_VALUE, trail.path(), span, secret_value(form), most)
        });
        for (rule, path, span, message) in found {
            self.push(rule, path, span, message);
        }
    }

    /// Members in the wrong case, and members that the contract does not name.
    fn spelling(&mut self, event: EventType) {
        let call_id = call_id_spellings(event);
        let names = self.shape.names(event.as_str());
        let has = |name: &str| names.is_none_or(|names| names.find(name).is_some());
        let known = names.into_iter().flat_map(NameTable::names);
        let absent: Vec<&str> = known.filter(|known| self.node.get(known).is_none()).collect();
        let mut looked_at = 0;
        for member in self.node.members() {
            let name = &*member.key;
            let camel = CAMEL.iter().find(|(right, camel)| *camel == name && has(right));
            let instead = name == "delta" && event == EventType::ToolCallArgs && self.node.get("args").is_none();
            // A member that stands for a required one has its finding already.
            let said = |right: &str| self.node.get(right).is_none() && self.shape.requires(event.as_str(), right);
            let (rule, message, meant): (&'static Rule, String, _) = match (call_id, camel) {
                _ if has(name) || instead || Leak::of(name).is_some() => continue,
                _ if self.misspelt.iter().any(|key| **key == *name) => continue,
                (Some((right, wrong)), _) if name == wrong => {
                    (&rules::TOOL_ID_CASING, format!("{event} spells it {right}"), Some(right))
                }
                (_, Some((right, _))) if said(right) => continue,
                (_, Some((right, _))) => (&rules::SNAKE_CAMEL_MIX, format!("{event} spells it {right}"), Some(*right)),
                _ => {
                    looked_at += 1;
                    let meant = nearest(name, absent.iter().copied().filter(|_| looked_at <= LOOKED_AT));
                    (&rules::UNKNOWN_PROPERTY, format!("{} is no member of {event}", show(name)), meant)
                }
            };
            self.drafts.push(Draft::new(rule, Path::of(name), member.key_span(), message));
            self.hint(meant);
        }
    }

    /// Words outside the published lists that a consumer still takes.
    fn words(&mut self, event: EventType) {
        let open: [(&str, &'static Rule, &[&str], &str); 4] = [
            ("stepName", &rules::STEP_NAME, StepName::KNOWN, "step"),
            ("stage", &rules::STAGE, Stage::KNOWN, "stage"),
            ("code", &rules::ERROR_CODE, RunErrorCode::KNOWN, "code"),
            ("result_type", &rules::RESULT_TYPE, ResultType::KNOWN, "type of result"),
        ];
        for (name, rule, known, what) in open {
            let of_event = self.shape.names(event.as_str()).is_some_and(|names| names.find(name).is_some());
            let Some(word) = self.text(name).filter(|_| of_event) else { continue };
            let earlier = match name {
                "stepName" => &*word == StepName::Memory.as_str(),
                "stage" => &*word != Stage::Worker.as_str(),
                _ => false,
            };
            if !known.contains(&&*word) {
                self.at(name, rule, format!("{} is no published {what}", show(&word)));
                self.hint(nearest(&word, known.iter().copied()));
            } else if earlier {
                self.at(name, rule, format!("{word} is a {what} of earlier versions"));
                if let Some(draft) = self.drafts.last_mut() {
                    draft.severity = Severity::Note;
                }
            }
        }
        if event == EventType::ToolCallResult && self.text("status").as_deref() == Some("failed") {
            self.at("status", &rules::TOOL_STATUS_LEGACY, "failed is now written failure".into());
        }
        for name in ["toolCallName", "tool_name"] {
            if let Some(tool) = self.text(name).filter(|tool| !tools::is_of_known_form(tool)) {
                self.at(name, &rules::TOOL_NAME_FORM, format!("{} is no published form of a tool name", show(&tool)));
            }
        }
    }

    fn usage(&mut self) {
        let Some(source) = self.facts.string(COST_SOURCE) else { return };
        let complete = match self.facts.raw_if(USAGE_COMPLETE) {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        let source = CostSource::from(&*source);
        if !source.is_known() {
            let message = format!("{} is no published source", show(source.as_str()));
            self.at("costSource", &rules::COST_SOURCE, message);
        } else if contradicts(&source, complete) {
            let is = complete.unwrap_or_default();
            let message = format!("costSource is {source}, and usageComplete is {is}: one of them is wrong");
            self.at("costSource", &rules::COST_SOURCE, message);
        }
    }

    fn arguments(&mut self, event: EventType) {
        let name = match event {
            EventType::ToolCallArgs => "args",
            EventType::ToolCallResult => "tool_call_args",
            _ => return,
        };
        let node = self.node;
        let Some(args) = node.get(name).filter(|args| args.is_object()) else { return };
        for (member, message) in misshapen(args) {
            let path = member.map_or_else(|| Path::of(name), |member| Path::of(name).join(member));
            let span = member.and_then(|member| args.get(member)).unwrap_or(args).span();
            self.push(&rules::TOOL_CALL_ARGS_SHAPE, path, span, message);
        }
        let text = |member: &str| args.get(member).and_then(Node::as_str);
        if let Some(module) = text("module") {
            let unknown = match text("method") {
                _ if !tools::is_module(&module) => Some(("module", module)),
                Some(method) if !tools::is_method(&module, &method) => Some(("method", method)),
                _ => None,
            };
            if let Some((member, word)) = unknown {
                let span = args.get(member).map_or(args.span(), Node::span);
                let message = format!("{} is no published {member}", show(&word));
                self.push(&rules::TOOL_MODULE_UNKNOWN, Path::of(name).join(member), span, message);
            }
        }
        if let Some(result) = node.get("result").filter(|_| event == EventType::ToolCallResult) {
            self.repetitions(result, &Given::of(args, self.facts.text()));
        }
    }

    /// What a result repeats of the arguments. JSON in a text is looked into: all of it
    /// stands at one place.
    fn repetitions(&mut self, result: &Node<'_>, given: &Given<'_, '_>) {
        let (text, limits) = (self.facts.text(), self.limits);
        let mut found = Vec::new();
        given.repeated(result, text, &mut |trail, member| {
            let message = format!("{} repeats an argument of the call", show(&member.key));
            found.push((Path::of("result").concat(&trail.path()), member.key_span(), message));
        });
        if let Some(text) = result.as_str()
            && let Some(inner) = json_in(&text, limits)
        {
            given.repeated(&inner, &text, &mut |_, member| {
                let message = format!("{} in the JSON text repeats an argument of the call", show(&member.key));
                if found.is_empty() {
                    found.push((Path::of("result"), result.span(), message));
                }
            });
        }
        for (path, span, message) in found {
            self.push(&rules::RESULT_REPEATS_ARGS, path, span, message);
        }
    }

    /// Members of one version in a stream of the other.
    fn versions(&mut self, event: EventType) {
        let node = self.node;
        let is_result = event == EventType::ToolCallResult;
        let there = |name: &&str| node.get(name).is_some();
        match self.version {
            Some(Version::V1) if is_result && self.text("result").is_none() => {}
            Some(Version::V1) if is_result => {
                self.at("result", &rules::V0_FIELD_IN_V1, "result as text is of v0; this stream is of v1".into());
            }
            Some(Version::V0) if is_result => {
                if node.get("result").is_some_and(Node::is_object) {
                    self.at("result", &rules::V1_FIELD_IN_V0, "result as object is of v1; this stream is of v0".into());
                }
                if there(&"ui_schema") {
                    let message = "ui_schema of a tool is of v1; this stream is of v0";
                    self.at("ui_schema", &rules::V1_FIELD_IN_V0, message.into());
                }
            }
            Some(Version::V1) if event == EventType::TextMessageEnd => {
                for name in V0_ANSWER.iter().filter_map(|slot| member_of(*slot)).filter(there) {
                    self.at(name, &rules::V0_FIELD_IN_V1, format!("{name} is of v0; this stream is of v1"));
                }
            }
            Some(Version::V0) if event == EventType::TextMessageEnd => {
                // The summary is one thing: its first member stands for all.
                if let Some(name) = usage_members().find(there) {
                    let message = format!("{name}, as all usage, is of v1; this stream is of v0");
                    self.at(name, &rules::V1_FIELD_IN_V0, message);
                }
            }
            _ => {}
        }
    }

    fn sizes(&mut self) {
        for name in SIZED {
            let Some(value) = self.node.get(name) else { continue };
            let text = value.as_str().filter(|_| name == "result");
            let inner = text.and_then(|text| json_in(&text, self.limits).map(|inner| json_units(&inner)));
            let units = json_units(value).max(inner.unwrap_or(0));
            if units > self.limits.inline_units {
                self.at(name, &rules::LARGE_INLINE_VALUE, too_large(units, self.limits.inline_units));
            }
        }
    }
}

/// Members of an object that are the backend's own. `path` is where the object lies.
pub(super) fn leaks(object: &Node<'_>, path: &Path) -> Vec<Draft> {
    let leaking = object.members().iter().filter_map(|member| Some((member, Leak::of(&member.key)?)));
    let drafts = leaking.map(|(member, leak)| {
        let name = show(&member.key);
        let (rule, message): (&'static Rule, _) = match leak {
            Leak::Internal => (&rules::INTERNAL_FIELD_LEAK, format!("{name} is for the backend alone")),
            Leak::Hints => (&rules::UI_HINTS_LEAK, format!("{name} is for the backend alone; clients get ui_schema")),
            Leak::Audit => (&rules::USAGE_AUDIT_LEAK, format!("{name} is of the usage audit, for the backend alone")),
        };
        Draft::new(rule, path.join(&member.key), member.key_span(), message)
    });
    drafts.collect()
}

/// The JSON that a result of v0 often is in a string.
fn json_in(text: &str, limits: Limits) -> Option<Node<'_>> {
    Node::parse(text, limits.depth).ok()
}

/// Whether a source of cost and the completeness of usage cannot both be right.
pub(super) fn contradicts(source: &CostSource, complete: Option<bool>) -> bool {
    matches!(
        (source, complete),
        (CostSource::IncompleteUsageFallback, Some(true)) | (CostSource::Provider, Some(false))
    )
}
