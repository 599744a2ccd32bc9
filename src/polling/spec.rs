//! The task API as the engine takes it.

use std::sync::LazyLock;

use super::events::EventType;
use super::facts::WATCHES;
use super::order::PollingOrder;
use super::{judge, rules, unpack};
use crate::check::Protocol;
use crate::check::recognise::Head;
use crate::check::shape::Unknown;
use crate::check::spec::{Documents, Published, Spec, plain, schema_text};
use crate::wire::scan::Kind;

/// The published schema of an event.
const EVENT_SCHEMA: fn() -> &'static str = schema_text!("polling/2026-10-07/known-event.schema.json");

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let mut spec = plain("polling", |setup| Box::new(PollingOrder::new(setup)));
    spec.about.title = "the polling task API".into();
    spec.about.is_polled = true;
    spec.about.rules = rules::RULES.iter().copied().cloned().collect();
    spec.schemas = vec![Published::new(EVENT_SCHEMA, WATCHES, Unknown::Inspect)];
    spec.unpack = Some(unpack::unpack);
    spec.looks = judge::LOOKS;
    spec.facts = judge::facts;
    spec.judge = Box::new(judge::event);
    spec.judge_batch = judge::response;
    spec.judge_around = judge::secrets;
    spec.documents = Documents {
        names: |_| vec!["PollResponse".to_owned()],
        check: |spec, _, node, report| judge::document(spec, node, report),
    };
    spec.recognise = |_, heads| heads.iter().filter(|head| is_event(head)).count();
    spec.not_json = rules::RESPONSE_NOT_JSON.clone();
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

/// The polling protocol's handle.
pub(crate) const PROTOCOL: Protocol = Protocol::built_in(|| &*SPEC);

/// An envelope, or a response, or what was asked with the response.
fn is_event(head: &Head<'_>) -> bool {
    let has = |name: &str| head.kind(name).is_some();
    let tag = head.text("type");
    let is_known = tag.is_some_and(|tag| EventType::from_tag(tag).is_some()) && head.kind("data") == Some(Kind::Object);
    let is_envelope = tag.is_some() && has("idx") && (has("data") || has("ts"));
    let is_recorded = head.kind("response") == Some(Kind::Object);
    let is_response = is_response(head) || (is_recorded && (has("from") || is_response(&head.within("response"))));
    is_envelope || is_known || (tag.is_none() && is_response)
}

/// A response, also one whose `success` is wrong, or stands behind more than is looked at.
fn is_response(head: &Head<'_>) -> bool {
    let is_told = || {
        let data = head.within("data");
        let has_events = data.kind("events") == Some(Kind::Array);
        let event = data.within("events");
        // The payload of the first event may be longer than what is looked at.
        let is_cut = event.kind("data") == Some(Kind::Object) && data.kind("created_at") == Some(Kind::Number);
        let is_named = data.text("task_id").is_some() || event.kind("idx").is_some() || is_cut;
        data.kind("next_offset") == Some(Kind::Number) || (has_events && is_named)
    };
    // A frame of a tool may have an object of that name, too.
    let is_frame = head.kind("event").is_some() || head.kind("event_type").is_some();
    (head.kind("success") == Some(Kind::Bool)
        && ["data", "events", "error", "task_id"].iter().any(|name| head.kind(name).is_some()))
        || (head.kind("data") == Some(Kind::Object) && !is_frame && is_told())
}
