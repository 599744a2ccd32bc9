//! What is wrong with an event by itself.

use std::collections::HashMap;

use super::events::args::ArgsShape;
use super::events::event::EventType;
use super::events::names::{CostSource, ResultType, RunErrorCode, Stage, StepName};
use super::facts::{COST_SOURCE, USAGE_COMPLETE, V0_ANSWER, call_id_slot, member_of};
use super::misfit::{CAMEL, Draft, call_id_spellings, judge};
use super::sanitizer::{INTERNAL_FIELDS, UI_HINTS};
use super::version::Version;
use super::{rules, tools};
use crate::agui;
use crate::check::Limits;
use crate::check::explain::{Reading, mismatches};
use crate::check::facts::Facts;
use crate::check::leaks::{SECRET_KEY, SECRET_KEY_IN_TEXT, SECRET_VALUE, too_large, walk_secret_keys, walk_values};
use crate::check::rule::{Rule, Severity};
use crate::check::shape::Shape;
use crate::check::size::json_units;
use crate::check::tree::{Member, Node};
use crate::safe::show;
use crate::wire::Json;
use crate::wire::path::Path;

/// The members whose values are not of the protocol's own making.
const OPAQUE: [&str; 5] = ["args", "tool_call_args", "result", "error", "ui_schema"];
/// The members whose size is looked at.
const SIZED: [&str; 3] = ["result", "ui_schema", "answer"];

/// Collects what is wrong with an event, in the order of the rules.
pub(super) struct Details<'e, 'a> {
    pub(super) shape: &'e Shape,
    pub(super) node: &'e Node<'a>,
    pub(super) facts: &'e Facts<'a>,
    pub(super) version: Option<Version>,
    pub(super) limits: Limits,
    pub(super) drafts: Vec<Draft>,
}

impl<'e> Details<'e, '_> {
    /// What is wrong; with `schema_only`, what the schema refuses and nothing else.
    pub(super) fn collect(mut self, schema_only: bool) -> Vec<Draft> {
        if let Some(event) = self.shape_and_type()
            && !schema_only
        {
            self.spelling(event);
            self.words(event);
            self.usage();
            self.arguments(event);
            self.versions(event);
            self.sizes();
        }
        if !schema_only {
            self.leaks();
            self.secrets();
        }
        let place = |rule: &'static Rule| rules::RULES.iter().position(|row| row.id() == rule.id());
        self.drafts.sort_by_cached_key(|draft| place(draft.rule));
        self.drafts
    }

    /// Holds the event against the schema. Gives its type if it is one of the protocol's.
    fn shape_and_type(&mut self) -> Option<EventType> {
        let node = self.node;
        if !node.is_object() {
            let message = format!("an event is an object, not {}", node.kind().name());
            self.push(&rules::FRAME_NOT_OBJECT, Path::default(), node.span.clone(), message);
            return None;
        }
        let tag = node.get("type").and_then(Node::as_str).filter(|tag| !tag.is_empty());
        if let Some(event) = tag.as_deref().and_then(EventType::from_tag) {
            let misfits = mismatches(self.shape, self.shape.root(), node, Reading::Schema);
            self.drafts.extend(misfits.iter().map(|misfit| judge(misfit, node)));
            return Some(event);
        }
        match tag.as_deref() {
            None => self.at("type", &rules::TYPE_MISSING, "the event has no type that is a string".into()),
            Some(tag) => self.foreign(tag),
        }
        for name in ["threadId", "runId"] {
            if node.get(name).and_then(Node::as_str).is_none_or(|id| id.is_empty()) {
                self.at(name, &rules::RUN_ID_MISSING, format!("the event has no {name}"));
            }
        }
        None
    }

    fn push(&mut self, rule: &'static Rule, path: Path, span: std::ops::Range<usize>, message: String) {
        self.drafts.push(Draft::new(rule, path, span, message));
    }

    /// Reports `rule` at a member, or where it is missing.
    fn at(&mut self, name: &str, rule: &'static Rule, message: String) {
        let missing = self.node.get("type").map_or(0..1, |tag| tag.span.clone());
        let span = self.node.get(name).map_or(missing, |node| node.span.clone());
        self.push(rule, Path::of(name), span, message);
    }

    fn text(&self, name: &str) -> Option<std::borrow::Cow<'e, str>> {
        self.node.get(name).and_then(Node::as_str)
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
    }

    /// Members that are the backend's own, on whatever event.
    fn leaks(&mut self) {
        for member in self.node.members() {
            let path = || Path::of(&member.key);
            if INTERNAL_FIELDS.contains(&&*member.key) {
                let message = format!("{} is for the backend alone", member.key);
                self.push(&rules::INTERNAL_FIELD_LEAK, path(), member.key_span.clone(), message);
            } else if member.key == UI_HINTS {
                let message = format!("{UI_HINTS} is for the backend alone; clients get ui_schema");
                self.push(&rules::UI_HINTS_LEAK, path(), member.key_span.clone(), message);
            }
        }
    }

    fn secrets(&mut self) {
        let mut found: Vec<(&'static Rule, Path, std::ops::Range<usize>, &str)> = Vec::new();
        for name in OPAQUE {
            let Some(value) = self.node.get(name) else { continue };
            walk_secret_keys(value, &Path::of(name), &mut |path, member| {
                found.push((&rules::SECRET_KEY, path.clone(), member.key_span.clone(), SECRET_KEY));
            });
            if let Some(text) = value.as_str().filter(|_| name == "result")
                && let Some(inner) = json_in(&text, self.limits)
            {
                walk_secret_keys(&inner, &Path::default(), &mut |_, _| {
                    found.push((&rules::SECRET_KEY, Path::of(name), value.span.clone(), SECRET_KEY_IN_TEXT));
                });
            }
        }
        walk_values(self.node, &mut Path::default(), &mut |path, span| {
            found.push((&rules::SECRET_VALUE, path.clone(), span, SECRET_VALUE));
        });
        for (rule, path, span, message) in found {
            self.push(rule, path, span, message.into());
        }
    }

    /// Members in the wrong case, and members that the contract does not name.
    fn spelling(&mut self, event: EventType) {
        let (right, wrong) = call_id_spellings(event == EventType::ToolCallResult);
        let of_call = call_id_slot(event).is_some();
        let names = self.shape.names(event.as_str());
        let has = |name: &str| names.is_none_or(|names| names.find(name).is_some());
        for member in self.node.members() {
            let name = &*member.key;
            let camel = CAMEL.iter().find(|(right, camel)| *camel == name && has(right));
            let own = INTERNAL_FIELDS.contains(&name) || name == UI_HINTS;
            let instead = name == "delta" && event == EventType::ToolCallArgs && self.node.get("args").is_none();
            // Where the right spelling is missing, the schema has said so.
            let (rule, message): (&'static Rule, String) = if of_call && name == wrong {
                if self.node.get(right).is_none() {
                    continue;
                }
                (&rules::TOOL_ID_CASING, format!("{event} spells it {right}"))
            } else if let Some((right, _)) = camel {
                if self.node.get(right).is_none() && self.shape.requires(event.as_str(), right) {
                    continue;
                }
                (&rules::SNAKE_CAMEL_MIX, format!("{event} spells it {right}"))
            } else if own || instead || has(name) {
                continue;
            } else {
                (&rules::UNKNOWN_PROPERTY, format!("{} is no member of {event}", show(name)))
            };
            self.push(rule, Path::of(name), member.key_span.clone(), message);
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
            let message = format!("{source} contradicts usageComplete");
            self.at("costSource", &rules::COST_SOURCE, message);
        }
    }

    fn arguments(&mut self, event: EventType) {
        let name = match event {
            EventType::ToolCallArgs => "args",
            EventType::ToolCallResult => "tool_call_args",
            _ => return,
        };
        let Some(args) = self.node.get(name).filter(|args| args.is_object()) else { return };
        let has = |shape: ArgsShape| shape.members()[..2].iter().any(|name| args.get(name).is_some());
        let legacy = ArgsShape::ALL[1..].iter().find(|shape| has(**shape) && !has(ArgsShape::Canonical));
        if let Some(shape) = legacy {
            let [module, method, _] = shape.members();
            let message = format!("{module} and {method} are now written module and method");
            self.at(name, &rules::TOOL_CALL_ARGS_SHAPE, message);
        }
        let text = |member: &str| args.get(member).and_then(Node::as_str);
        if let Some(module) = text("module") {
            let unknown = match text("method") {
                _ if !tools::is_module(&module) => Some(("module", module)),
                Some(method) if !tools::is_method(&module, &method) => Some(("method", method)),
                _ => None,
            };
            if let Some((member, word)) = unknown {
                let span = args.get(member).map_or(args.span.clone(), |node| node.span.clone());
                let message = format!("{} is no published {member}", show(&word));
                self.push(&rules::TOOL_MODULE_UNKNOWN, Path::of(name).join(member), span, message);
            }
        }
        if let Some(result) = self.node.get("result").filter(|_| event == EventType::ToolCallResult) {
            for member in repeated(result, args, self.facts.text()) {
                let message = format!("{} repeats an argument of the call", show(&member.key));
                self.push(
                    &rules::RESULT_REPEATS_ARGS,
                    Path::of("result").join(&member.key),
                    member.key_span.clone(),
                    message,
                );
            }
        }
    }

    /// Members of the older version in a stream of the newer.
    fn versions(&mut self, event: EventType) {
        if self.version != Some(Version::V1) {
            return;
        }
        if event == EventType::ToolCallResult && self.text("result").is_some() {
            self.at("result", &rules::V0_FIELD_IN_V1, "result as text is of v0; this stream is of v1".into());
        }
        for name in V0_ANSWER.iter().filter_map(|slot| member_of(*slot)) {
            if event == EventType::TextMessageEnd && self.node.get(name).is_some() {
                self.at(name, &rules::V0_FIELD_IN_V1, format!("{name} is of v0; this stream is of v1"));
            }
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

/// Whether the member holds an id, which a result may repeat.
pub(super) fn is_id(key: &str) -> bool {
    ["id", "ids", "uuid"].contains(&key)
        || ["_id", "_ids", "Id", "Ids", "ID", "IDs"].iter().any(|end| key.ends_with(end))
}

/// The members of a result that repeat an argument of the call or of its input. The
/// values are compared by their texts in `text`.
fn repeated<'n, 'a>(result: &'n Node<'a>, args: &'n Node<'a>, text: &'n str) -> impl Iterator<Item = &'n Member<'a>> {
    let inputs = args.get("input").map(Node::members).unwrap_or_default();
    let given: HashMap<&str, Vec<&Node<'_>>> =
        args.members().iter().chain(inputs).fold(HashMap::new(), |mut given, member| {
            given.entry(&member.key).or_insert_with(Vec::new).push(&member.node);
            given
        });
    let equal = |a: &Node<'_>, b: &Node<'_>| {
        a.kind() == b.kind() && Json::from_valid(&text[a.span.clone()]) == Json::from_valid(&text[b.span.clone()])
    };
    result.members().iter().filter(move |member| {
        let same = given.get(&*member.key).is_some_and(|values| values.iter().any(|value| equal(value, &member.node)));
        same && !is_id(&member.key)
    })
}
