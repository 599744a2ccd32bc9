//! Ubik as the engine takes it.

use std::sync::LazyLock;

use super::events::{EventType, Phase, ToolEventType, whole_type};
use super::facts::{SESSION_WATCHES, TOOL_WATCHES};
use super::order::UbikOrder;
use super::{judge, rules, stored, unpack};
use crate::check::Protocol;
use crate::check::recognise::Head;
use crate::check::shape::Unknown;
use crate::check::spec::{Documents, Published, Spec, plain, schema_text};
use crate::wire::scan::Kind;

/// The published schemas: of the events of a session, of the frames of a tool, and of stored messages.
const SESSION_SCHEMA: fn() -> &'static str = schema_text!("ubik/2026-08-21/known-event.schema.json");
const TOOL_SCHEMA: fn() -> &'static str = schema_text!("ubik/2026-08-21/tool-event.schema.json");
const MESSAGES_SCHEMA: fn() -> &'static str = schema_text!("ubik/2026-08-21/message-list.schema.json");

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let mut spec = plain("ubik", |setup| Box::new(UbikOrder::new(setup)));
    spec.about.title = "Ubik agent sessions and tool executions".into();
    spec.about.rules = rules::RULES.iter().copied().cloned().collect();
    spec.schemas = vec![
        Published::new(SESSION_SCHEMA, SESSION_WATCHES, Unknown::Inspect),
        Published::new(TOOL_SCHEMA, TOOL_WATCHES, Unknown::Inspect),
        Published::new(MESSAGES_SCHEMA, SESSION_WATCHES, Unknown::Inspect),
    ];
    spec.unpack = Some(unpack::unpack);
    spec.delivers_all = true;
    spec.looks = judge::LOOKS;
    spec.facts = judge::facts;
    spec.judge = Box::new(judge::event);
    spec.judge_around = judge::secrets;
    spec.documents = Documents { names: stored::names, check: stored::check };
    spec.recognise = |_, heads| heads.iter().filter(|head| is_event(head)).count();
    spec.not_json = rules::FRAME_NOT_JSON.clone();
    spec.secret_value = Some(rules::SECRET_VALUE.clone());
    #[cfg(feature = "schema")]
    {
        spec.files = super::schema::files;
    }
    #[cfg(feature = "published")]
    {
        spec.operations = super::http::OPERATIONS;
        spec.since = |tag| EventType::from_tag(tag)?.since();
    }
    spec
});

/// Ubik's protocol handle.
pub(crate) const PROTOCOL: Protocol = Protocol::built_in(|| &*SPEC);

/// An event whose type Ubik has, or a fragment of any; or a frame of a tool that names it.
fn is_event(head: &Head<'_>) -> bool {
    let name = head.name.map(String::from_utf8_lossy);
    if name.as_deref().is_some_and(is_type) && head.kind("runId").is_none() {
        return true;
    }
    if let Some(tag) = head.text("type") {
        // A polled event has a type of that form as well, and more beside it.
        let name = whole_type(tag);
        let of_session = EventType::from_tag(name).is_some() || name.len() < tag.len();
        return head.kind("idx").is_none() && of_session;
    }
    if let Some(name) = head.text("event").or_else(|| head.text("event_type")) {
        return is_type(name) && head.kind("data") == Some(Kind::Object);
    }
    name.is_none() && is_payload(head)
}

/// What a tool sends, in a frame that lacks its name.
fn is_payload(head: &Head<'_>) -> bool {
    let has = |member, kind| head.kind(member) == Some(kind);
    head.text("phase").is_some_and(|phase| Phase::KNOWN.contains(&phase))
        || (has("content", Kind::String) && has("output_key", Kind::String))
        || (has("execution_id", Kind::String) && (has("outputs", Kind::Object) || has("response", Kind::String)))
}

fn is_type(name: &str) -> bool {
    let name = whole_type(name);
    EventType::from_tag(name).is_some() || ToolEventType::from_tag(name).is_some() || judge::OLDER.contains(&name)
}
