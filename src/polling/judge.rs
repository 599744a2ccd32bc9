//! What is wrong with an event of the task API by itself.

use std::fmt;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::events::event::LEGACY;
use super::events::{
    ApprovalDecision, BACKGROUND_MEMBERS, EventType, PARAMETER_FORMAT_ERROR, PlanDecision, ToolStatus,
};
use super::facts::*;
use super::order::status::is_receipt;
use super::{overlay, rules};
use crate::check::Profile;
use crate::check::explain::{Keyword, Mismatch, Reading, mismatches};
use crate::check::facts::{FactKind, Facts};
use crate::check::leaks::{SECRET_KEY, large_value, secret_values, walk_exposed_keys};
use crate::check::near::nearest;
use crate::check::order::Trust;
use crate::check::overlay::gathered;
use crate::check::reporter::Reporter;
use crate::check::rule::{Rule, Severity};
use crate::check::shape::{FormId, Shape};
use crate::check::spec::{HIDDEN, Look, Looked, Spec};
use crate::check::tree::{Member, Node, Value, found_if};
use crate::safe::show;
use crate::wire::bytes::digits_at;
use crate::wire::number::{is_integer, to_f64};
use crate::wire::path::{Path, Step, Trail};
use crate::wire::scan::Kind;

/// Reports what is wrong with an event, in the order of the rules.
pub(super) fn event(looked: &Looked<'_, '_>, report: &mut Reporter<'_>) -> Trust {
    let node = looked.node;
    if !node.is_object() {
        let is_item = report.element.is_some() || looked.era == OF_LIST;
        let (rule, what) =
            if is_item { (&rules::ENVELOPE_NOT_OBJECT, "an event") } else { (&rules::RESPONSE_NOT_JSON, "a response") };
        report.add_no_object(rule, what, node);
        return Trust::Suspect;
    }
    let has = |name: &str| node.get(name).is_some();
    if !["idx", "type", "data", "ts"].iter().any(|name| has(name)) && report.element.is_none() {
        let message = "it is neither an event nor a response: it has no member of either";
        report.add(&rules::RESPONSE_SHAPE, &Path::default(), node.caret(), message);
        if report.strict() {
            secret_values(node, &rules::SECRET_VALUE, report);
        }
        return Trust::Suspect;
    }
    let event = looked.facts.type_in(EventType::ALL);
    let found = Event { looked, event };
    if report.profile != Profile::Schema && found.is_synthetic() {
        // Clients leave out what servers send, so nothing else is held against it.
        let message = "a client has made the event up; servers never send synthetic events";
        found.at(&rules::CLIENT_MADE_EVENT, "data.synthetic", message, report);
        found.leaks(report);
        return Trust::Suspect;
    }
    let trust = found.misfits(report);
    if report.profile != Profile::Schema {
        if let Some(event) = event {
            odd_values(event, looked.facts, |rule, path, message| found.at(rule, path, message.to_string(), report));
            if event == EventType::PlanApprovalRequired {
                found.plan(report);
            }
        }
        found.leaks(report);
    }
    trust
}

/// Reads the facts of an event. One of a type that is not known has its number and time all the same.
pub(super) fn facts(facts: &mut Facts<'_>, shape: &Shape, form: FormId, node: &Node<'_>) {
    facts.read(shape, form, node);
    if facts.tag().is_none() {
        facts.read(shape, base(shape), node);
    }
}

/// What an event of a type that is not known is held against: an envelope whose data may
/// have any members.
fn base(shape: &Shape) -> FormId {
    shape.definition("PollingAiMessageStartEvent").unwrap_or(shape.root())
}

struct Event<'l, 'e, 'a> {
    looked: &'l Looked<'e, 'a>,
    event: Option<EventType>,
}

impl Event<'_, '_, '_> {
    /// Reports at a member, or where it is missing.
    fn at(&self, rule: &Rule, path: &str, message: impl Into<String>, report: &mut Reporter<'_>) {
        let (path, node) = (Path::of_dotted(path), self.looked.node);
        let holder = || node.at(&path.parent()).unwrap_or(node).caret();
        report.add(rule, &path, node.at(&path).map_or_else(holder, Node::span), message);
    }

    /// What the schema rejects, and types that it does not have.
    fn misfits(&self, report: &mut Reporter<'_>) -> Trust {
        let looked = self.looked;
        let node = looked.node;
        let (mut form, mut trust) = (looked.form, Trust::Clean);
        if self.event.is_none() {
            let Some(of_type) = self.unknown(report) else { return Trust::Suspect };
            (form, trust) = (base(looked.shape), of_type);
        }
        let is_schema = report.profile == Profile::Schema;
        let reading = Reading::of(report.profile);
        let in_data = |name: &str| node.get("data").and_then(|data| data.get(name));
        let has_alias = ALIASES.iter().any(|&(name, _)| in_data(name).is_some());
        let is_short_end =
            self.event == Some(EventType::TaskComplete) && LATER.iter().all(|&name| in_data(name).is_none());
        let mut misfits = mismatches(looked.shape, form, node, reading, report.worth_listing());
        if !is_schema {
            // Earlier servers sent none of what later ones add to the end of a task.
            let is_later = |name: &str| is_short_end && LATER.contains(&name);
            let has_other = |name: &str| {
                EITHER.iter().any(|pair| pair.contains(&name) && pair.iter().any(|other| in_data(other).is_some()))
            };
            misfits
                .retain(|misfit| !((is_later(&misfit.member) || has_other(&misfit.member)) && lacks_of_data(misfit)));
            misfits = gathered(misfits);
        }
        for misfit in &misfits {
            // Of an unknown type, the type itself and the payload are not held against anything.
            let is_tag = misfit.member == "type" && node.get("type").and_then(Node::as_str).is_some();
            if self.event.is_none() && (is_tag || misfit.path.steps().len() > 1) {
                continue;
            }
            let is_missing = misfit.keyword == Keyword::Required;
            let is_of_data = lacks_of_data(misfit);
            if is_missing && misfit.member == "content" && in_data("content").is_none() && in_data("chunk").is_some() {
                let message = "the text stands in chunk; clients read content";
                self.at(&rules::CHUNK_WRONG_MEMBER, "data.chunk", message, report);
                continue;
            }
            // That a tool has none of its ids is said by a rule of its own; one under another
            // spelling is read.
            let is_alias = ALIASES.iter().any(|&(name, _)| misfit.member == name);
            let is_nameless = is_alias && !has_alias && self.event.is_some_and(EventType::is_of_tool);
            if is_of_data && is_nameless && misfit.meant.is_none() && !is_schema {
                continue;
            }
            let (rule, message) = overlay::describe(misfit);
            if rule.severity() == Severity::Error {
                trust = Trust::Suspect;
            }
            let is_type = self.event.is_none() && misfit.member == "type" && !is_missing;
            let (message, hint) = match &misfit.meant {
                Some(meant) => {
                    let message = format!("{meant} is missing; a member has nearly its name");
                    (message, Some(format!("write {meant}")))
                }
                None if is_type => (format!("type is {}, not a string", misfit.actual.name()), None),
                None => (message, None),
            };
            report.add_hinted(rule, &misfit.path, misfit.span.clone(), message, || hint);
        }
        trust
    }

    /// Whether a client says that it has made the event.
    fn is_synthetic(&self) -> bool {
        let said = self.looked.node.get("data").and_then(|data| data.get("synthetic"));
        said.and_then(Node::as_bool) == Some(true)
    }

    /// A type that is not known; `None` if the event is to be looked at no further.
    fn unknown(&self, report: &mut Reporter<'_>) -> Option<Trust> {
        let tag = self.looked.node.get("type");
        let Some(name) = tag.and_then(Node::as_str) else { return Some(Trust::Clean) };
        let span = tag.map_or(0..1, Node::span);
        let path = Path::of("type");
        if name.is_empty() {
            report.add(&rules::ENVELOPE_FIELD, &path, span, "type is empty; it says what the event is");
            return Some(Trust::Suspect);
        }
        if CLIENT_MADE.contains(&&*name) {
            let message = format!("{name} is made by clients and never sent");
            report.add(&rules::CLIENT_MADE_EVENT, &path, span, message);
            return Some(Trust::Clean);
        }
        if self.is_flattened(&name) {
            let message = "the payload's own type stands where that of the event does: the envelope was flattened";
            report.add(&rules::FLATTENED_TYPE_COLLISION, &path, span, message);
            return None;
        }
        let hint =
            || nearest(&name, EventType::ALL.iter().map(|known| known.as_str())).map(|meant| format!("write {meant}"));
        let message = format!("{} is not an event type of the task API", show(&name));
        report.add_hinted(&rules::UNKNOWN_EVENT_TYPE, &path, span, message, hint);
        Some(Trust::Clean)
    }

    /// Whether the type of the event is one that the payload of a warning or a quota has.
    fn is_flattened(&self, name: &str) -> bool {
        let members: &[&str] = match name {
            "warning" => &["title", "message"],
            "thinking" | "fast" => &["reset_at"],
            _ => return false,
        };
        let data = self.looked.node.get("data");
        data.is_none_or(|data| members.iter().any(|member| data.get(member).is_some()))
    }

    fn plan(&self, report: &mut Reporter<'_>) {
        let Some(approval) = self.looked.node.at(&Path::of_dotted("data.approval")) else { return };
        let Some(content) = approval.get("plan_content").and_then(Node::as_str) else { return };
        let truncated = approval.get("plan_content_truncated").and_then(Node::as_bool) == Some(true);
        let characters = content.chars().count();
        let message = match characters {
            length if length > PLAN => format!("the plan has {length} characters, more than {PLAN}"),
            PLAN if !truncated => {
                format!("the plan has {PLAN} characters, where servers cut it, and is not said to be cut")
            }
            _ => return,
        };
        self.at(&rules::PLAN_TOO_LONG, "data.approval.plan_content", message, report);
    }

    /// Secrets and size.
    fn leaks(&self, report: &mut Reporter<'_>) {
        let counts: &[&str] = match self.event {
            Some(
                EventType::TokenUpdate | EventType::GoalProgress | EventType::GoalCompleted | EventType::GoalStopped,
            ) => &COUNTERS,
            _ => &COUNTERS[..1],
        };
        let data = Path::of("data");
        let of_update = self.event == Some(EventType::TokenUpdate);
        let is_count = |path: &Path, member: &Member<'_>| {
            counts.iter().any(|name| *path == data.join(name))
                || (of_update && member.node.kind() == Kind::Number && *path == data.join(&member.key))
        };
        secret_keys(self.looked.node, is_count, report);
        if let Some(data) = self.looked.node.get("data") {
            let bound = report.limits().inline_units;
            large_value(data, &Path::of("data"), bound, &rules::LARGE_INLINE_VALUE, report);
        }
        secret_values(self.looked.node, &rules::SECRET_VALUE, report);
    }
}

/// Reports keys that name a secret, but for those that count tokens.
fn secret_keys(node: &Node<'_>, is_count: impl Fn(&Path, &Member<'_>) -> bool, report: &mut Reporter<'_>) {
    let secrets = report.secrets;
    let _ = walk_exposed_keys(node, &Trail::root(), secrets, &mut |trail, member| {
        let path = trail.path();
        let is_number = member.node.kind() == Kind::Number;
        // In what a tool takes and gives, AG-UI has no such counters.
        let of_tool = matches!(path.steps(), [_, Step::Key(of), _, ..] if matches!(&**of, "arguments" | "result"));
        let is_used = is_number && matches!(&*member.key, "tokens_used" | "tokensUsed") && !of_tool;
        if !is_used && !is_count(&path, member) {
            report.add(&rules::SECRET_KEY, &path, member.key_span(), SECRET_KEY);
        }
        found_if(!report.lists(&rules::SECRET_KEY))
    });
}

/// Members of the protocol that count tokens, and name no secret whatever they hold. The
/// first one may stand in any payload, since its name does not tell what it counts.
const COUNTERS: [&str; 8] = [
    "tokens_used",
    "max_tokens",
    "cumulative_input_tokens",
    "cumulative_output_tokens",
    "cumulative_total_tokens",
    "cumulative_cached_input_tokens",
    "cache_exempt_input_tokens",
    "current_context_tokens",
];

/// Members at the end of a task that its first document does not have.
const LATER: [&str; 4] =
    [BACKGROUND_MEMBERS[0], BACKGROUND_MEMBERS[1], BACKGROUND_MEMBERS[2], "pending_runtime_guidance_messages"];

/// Whether a member of the payload is missing.
fn lacks_of_data(misfit: &Mismatch<'_>) -> bool {
    misfit.keyword == Keyword::Required && misfit.path.steps().len() == 2
}

/// Members of which an event about questions has one or the other.
const EITHER: [[&str; 2]; 2] = [["questions", "question"], ["question_ids", "question_id"]];

/// The longest plan, in characters.
const PLAN: usize = 20_000;

fn alias_of(event: EventType) -> Option<&'static str> {
    match event {
        EventType::ToolUpdateAction => Some("update_action"),
        EventType::UserQuestionRequired => Some("user_questions_required"),
        EventType::UserQuestionResolved => Some("user_questions_resolved"),
        _ => None,
    }
}

/// Whether the time is one in seconds; what is no number is another fault.
fn is_plausible_time(facts: &Facts<'_>) -> bool {
    let raw = facts.raw_if(TS).unwrap_or_default().as_bytes();
    // Ten digits, and perhaps others behind a point.
    let is_usual = digits_at(raw, 0) == 10
        && !raw.starts_with(b"0")
        && (raw.len() == 10 || (raw.get(10) == Some(&b'.') && 11 + digits_at(raw, 11) == raw.len()));
    is_usual || facts.number(TS).is_none_or(|ts| SECONDS.contains(&ts))
}

/// Times between 2001 and 2286, in seconds.
pub(super) const SECONDS: std::ops::Range<f64> = 1e9..1e10;

fn is_given(facts: &Facts<'_>, slot: u8) -> bool {
    !matches!(facts.kind(slot), FactKind::Absent | FactKind::Null)
}

fn lacks_message(facts: &Facts<'_>) -> bool {
    facts.kind(MESSAGE) == FactKind::Absent
        && facts.kind(DATA) == FactKind::Object
        && facts.string(ERROR_TYPE).is_none_or(|kind| kind != PARAMETER_FORMAT_ERROR)
}

fn is_decision(event: EventType, decision: &str) -> bool {
    match event {
        EventType::ToolApprovalResolved => ApprovalDecision::KNOWN.contains(&decision),
        EventType::PlanApprovalResolved => PlanDecision::KNOWN.contains(&decision),
        _ => true,
    }
}

/// Hands on what the facts of an event show to be wrong with its values: the rule, the path, and what to say.
fn odd_values(event: EventType, facts: &Facts<'_>, mut say: impl FnMut(&Rule, &'static str, fmt::Arguments<'_>)) {
    if !is_plausible_time(facts) {
        let is_milliseconds = facts.number(TS).is_some_and(|ts| (1e12..1e13).contains(&ts));
        let milliseconds = "ts is a time in milliseconds, not in seconds";
        let message = if is_milliseconds { milliseconds } else { "ts is not a time in seconds since 1970" };
        say(&rules::TS_NOT_SECONDS, "ts", format_args!("{message}"));
    }
    if LEGACY.contains(&event) {
        say(&rules::LEGACY_EVENT_TYPE, "type", format_args!("no server sends {event} today"));
    }
    if let Some(other) = alias_of(event) {
        say(&rules::ALIAS_EVENT_TYPE, "type", format_args!("{event} is another name of {other}"));
    }
    if event == EventType::Error {
        if lacks_message(facts) {
            let message = format_args!("message is missing; an error says what went wrong");
            say(&rules::PAYLOAD_FIELD_MISSING, "data.message", message);
        }
        if is_given(facts, REQUEST_DUMP) {
            let message = format_args!("request_dump tells the client what the server asked of the model");
            say(&rules::INTERNAL_LEAK, "data.request_dump", message);
        }
        if is_given(facts, BASE_URL) {
            let message = format_args!("base_url tells the client where the server reaches the model");
            say(&rules::INTERNAL_LEAK, "data.base_url", message);
        }
    }
    if attempt_is_out(facts) {
        let message = format_args!("the attempt is not from 1 to max_attempts");
        say(&rules::ATTEMPT_OUT_OF_RANGE, "data.attempt", message);
    }
    if matches!(event, EventType::UpdateAction | EventType::ToolUpdateAction)
        && let Some(status) = facts.string(STATUS)
    {
        if status == "failed" {
            let message = format_args!("servers send completed, and success false in the result");
            say(&rules::TOOL_FAILED_BY_STATUS, "data.status", message);
        } else if !ToolStatus::KNOWN.contains(&&*status) {
            say(&rules::TOOL_STATUS_UNKNOWN, "data.status", format_args!("{} is not a status of tools", show(&status)));
        }
    }
    if let Some(decision) = facts.string(DECISION).filter(|decision| !is_decision(event, decision)) {
        say(
            &rules::DECISION_UNKNOWN,
            "data.decision",
            format_args!("{} is not a decision of {event}", show(&decision)),
        );
    }
}

/// The member of an event that a client has made.
static SYNTHETIC: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"synthetic\""));

/// What the schema cannot express.
pub(super) const LOOKS: &[Look] = &[HIDDEN, |facts, _| {
    let Some(event) = facts.type_in(EventType::ALL) else { return true };
    let mut is_odd = facts.may_be_large()
        || SYNTHETIC.find(facts.text().as_bytes()).is_some()
        || (event == EventType::PlanApprovalRequired && facts.raw(APPROVAL).len() >= PLAN);
    odd_values(event, facts, |_, _, _| is_odd = true);
    is_odd
}];

/// The list of events in a response, and its path: that beside `data` where the one within is empty.
fn list_of<'n, 'a>(node: &'n Node<'a>) -> Option<(Path, &'n Node<'a>)> {
    let list = |of: &'n Node<'a>, path| Some((path, of.get("events").filter(|list| list.kind() == Kind::Array)?));
    let in_data = node.get("data").and_then(|data| list(data, Path::of("data").join("events")));
    let beside = list(node, Path::of("events")).filter(|(_, list)| in_data.is_none() || list.has_elements());
    in_data.clone().filter(|(_, list)| beside.is_none() || list.has_elements()).or(beside)
}

/// Reports what is wrong with the answer to one poll, and with each of its events.
pub(super) fn document(spec: &Spec, node: &Node<'_>, report: &mut Reporter<'_>) {
    let text = report.utf8();
    let list = list_of(node);
    let span = list.as_ref().map(|(_, list)| list.span());
    let Ok(beside) = Node::parse_without(text, report.limits().depth, span.as_ref()) else { return };
    answer(&beside, true, report);
    let Some((path, list)) = list else { return };
    let shape = spec.shape(0);
    let form = shape.root();
    report.root = path;
    for (index, element) in list.elements().iter().enumerate() {
        let Some(text) = text.get(element.span()) else { continue };
        let Ok(node) = Node::parse(text, report.limits().depth) else { continue };
        (report.event, report.element, report.base) = (Some(index as u64), Some(index), element.span().start);
        let mut known = Facts::new(text);
        facts(&mut known, shape, form, &node);
        event(&Looked { spec, name: None, odd: false, shape, form, node: &node, facts: &known, era: 0 }, report);
    }
    (report.event, report.element, report.base) = (None, None, 0);
    report.root = Path::default();
}

/// Reports what is wrong with a response, apart from its events.
pub(super) fn response(node: &Node<'_>, report: &mut Reporter<'_>) {
    // Where an offset was asked for, it was a poll.
    let is_poll = !report.root.steps().is_empty();
    answer(node, is_poll, report);
}

/// The same; `is_poll`: it is no receipt.
fn answer(node: &Node<'_>, is_poll: bool, report: &mut Reporter<'_>) {
    members(node, is_poll, report);
    if node.is_object() {
        secrets(node, report);
    }
}

/// Reports keys and values of a response, or beside one, that are secrets.
pub(super) fn secrets(node: &Node<'_>, report: &mut Reporter<'_>) {
    secret_keys(node, |path, _| *path == Path::of_dotted("data.goal_progress.tokens_used"), report);
    secret_values(node, &rules::SECRET_VALUE, report);
}

/// What a response has beside its offset: name, kinds, and whether it has to be there at the top level too.
const HEAD: [(&str, &[Kind], bool); 7] = [
    ("task_id", &[Kind::String], false),
    ("workspace_id", &[Kind::String, Kind::Null], false),
    ("status", &[Kind::String], true),
    ("created_at", &[Kind::Number], false),
    ("updated_at", &[Kind::Number], false),
    ("error", &[Kind::String, Kind::Null], false),
    ("events", &[Kind::Array], true),
];

fn members(node: &Node<'_>, is_poll: bool, report: &mut Reporter<'_>) {
    if !node.is_object() {
        report.add_no_object(&rules::RESPONSE_NOT_JSON, "a response", node);
        return;
    }
    let success = node.get("success");
    let failed = success.and_then(Node::as_bool) == Some(false);
    if failed {
        let error = node.get("error");
        if error.is_none_or(|error| error.as_str().is_none_or(|text| text.is_empty())) {
            let span = error.map_or(node.caret(), Node::span);
            let state = match error {
                None => "missing",
                Some(error) if error.kind() == Kind::String => "empty",
                Some(error) => error.kind().name(),
            };
            let message = format!("error is {state}; it must be a text that says what failed");
            report.add(&rules::ERROR_RESPONSE_SHAPE, &Path::of("error"), span, message);
        } else if let Some(data) = node.get("data") {
            let message = "a response that failed has no data";
            report.add(&rules::ERROR_RESPONSE_SHAPE, &Path::of("data"), data.span(), message);
        }
        return;
    }
    if !is_poll && is_receipt(node) {
        return;
    }
    let is_list = |events: &&Node<'_>| events.kind() == Kind::Array;
    let in_data = node.get("data").and_then(|data| data.get("events"));
    let events = node.get("events").filter(|events| is_list(events) || in_data.is_none());
    if let Some(events) = events.filter(is_list) {
        let message = "the events stand beside data; servers send them inside of it";
        report.add(&rules::EVENTS_AT_TOP_LEVEL, &Path::of("events"), events.span(), message);
    }
    // The page on events puts all of it at the top level.
    let (data, path) = match node.get("data") {
        Some(data) => (data, Path::of("data")),
        None => (node, Path::default()),
    };
    let flat = node.get("data").is_none() && events.is_some();
    let caret = node.caret();
    let mut shape = |of: &Node<'_>, above: &Path, name: &str, kinds: &[Kind]| {
        let found = of.get(name);
        if found.is_some_and(|found| kinds.contains(&found.kind())) {
            return;
        }
        let expected = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
        let message = match found {
            Some(found) => format!("{name} is {}, not {expected}", found.kind().name()),
            None => format!("{name} is missing; it must be {expected}"),
        };
        let span = found.map_or(caret.clone(), Node::span);
        report.add(&rules::RESPONSE_SHAPE, &above.join(name), span, message);
    };
    if events.is_some() {
        shape(node, &Path::default(), "events", &[Kind::Array]);
    }
    shape(node, &Path::default(), "success", &[Kind::Bool]);
    if !flat {
        // What failed without a word that it did.
        let is_error = success.is_some_and(|success| success.kind() != Kind::Bool)
            && node.get("data").is_none()
            && node.get("error").is_some_and(|error| error.kind() == Kind::String);
        if is_error {
            return;
        }
        if node.get("data").is_none_or(|data| !data.is_object()) {
            shape(node, &Path::default(), "data", &[Kind::Object]);
            return;
        }
    }
    let is_missing = |name: &str| data.get(name).is_none();
    if !flat && events.is_none() && is_missing("next_offset") && HEAD.iter().all(|(name, ..)| is_missing(name)) {
        let names: String = HEAD.iter().map(|(name, ..)| format!("{name}, ")).collect();
        let message = format!("data lacks all that it must have: {names}next_offset");
        report.add(&rules::RESPONSE_SHAPE, &path, data.span(), message);
        return;
    }
    for (name, kinds, in_flat) in HEAD {
        let elsewhere = name == "events" && events.is_some();
        if !elsewhere && (in_flat || !flat || data.get(name).is_some()) {
            shape(data, &path, name, kinds);
        }
    }
    for (name, is_required) in [("next_offset", true), ("window_start", false)] {
        let found = data.get(name);
        let message = match found.map(|found| &found.value) {
            None if is_required => format!("{name} is missing; it must be an integer from 0 on"),
            Some(Value::Number(text)) if !(is_integer(text) && to_f64(text) >= 0.0) => {
                format!("{name} is a number, and no integer from 0 on")
            }
            None | Some(Value::Number(_)) => continue,
            Some(_) => format!("{name} is {}, not an integer", found.map_or("missing", |found| found.kind().name())),
        };
        let span = found.map_or(caret.clone(), Node::span);
        report.add(&rules::RESPONSE_SHAPE, &path.join(name), span, message);
    }
    if report.profile != Profile::Schema || data.get("status").is_some() {
        status(data, &path, report);
    }
}

fn status(data: &Node<'_>, path: &Path, report: &mut Reporter<'_>) {
    let Some((found, status)) = data.get("status").and_then(|found| Some((found, found.as_str()?))) else { return };
    let known = super::TaskStatus::KNOWN.contains(&&*status);
    if status == "canceled" || status == "idle" {
        let message = if known {
            "servers send stopped; canceled is read by clients alone"
        } else {
            "idle is a word of user interfaces"
        };
        report.add(&rules::STATUS_CANCELED_LEGACY, &path.join("status"), found.span(), message);
    } else if !known {
        // A word that clients alone know is no advice.
        let hint = || {
            let near = nearest(&status, super::TaskStatus::KNOWN.iter().copied());
            near.map(|meant| format!("write {}", if meant == "canceled" { "stopped" } else { meant }))
        };
        let message = format!("{} is not a status of tasks", show(&status));
        report.add_hinted(&rules::UNKNOWN_STATUS, &path.join("status"), found.span(), message, hint);
    }
    // A word that is none of theirs may stand for a failure.
    let Some(error) = data.get("error").filter(|_| known) else { return };
    let message = match (error.kind(), status == "failed") {
        (Kind::String, false) => "the task has not failed, and has an error",
        (Kind::Null, true) => "the task has failed, and has no error",
        _ => return,
    };
    report.add(&rules::ERROR_WITHOUT_FAILED, &path.join("error"), error.span(), message);
}
