//! social-app as the engine takes it.

use std::sync::LazyLock;

use super::events::event::EventType;
use super::facts::WATCHES;
use super::order::SocialOrder;
use super::version::Version;
use super::{history, judge, rules};
use crate::check::recognise::Head;
use crate::check::shape::Unknown;
use crate::check::spec::{Documents, Published, Spec, plain, schema_text};
use crate::check::{Profile, Protocol};
use crate::wire::scan::Kind;

/// The published schemas: of an event in the newest version, which takes what v0 sends as
/// well, in v0 alone, and of the answer of `/history`.
const EVENT_SCHEMA: fn() -> &'static str = schema_text!("social-app/2026-04-24/known-event.schema.json");
const V0_EVENT_SCHEMA: fn() -> &'static str = schema_text!("social-app/2026-03-17/known-event.schema.json");
const HISTORY_SCHEMA: fn() -> &'static str = schema_text!("social-app/2026-04-24/history-response.schema.json");

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let mut spec = plain("social-app", |setup| Box::new(SocialOrder::new(setup)));
    spec.about.title = "the AG-UI dialect of the social-app agent backend, v0 and v1".into();
    spec.about.versions = Version::WORDS;
    spec.about.has_subscriptions = true;
    spec.about.dialect_of = Some("agui");
    spec.about.rules = rules::RULES.iter().copied().cloned().collect();
    spec.schemas = vec![
        Published::new(EVENT_SCHEMA, WATCHES, Unknown::Report),
        Published::new(V0_EVENT_SCHEMA, WATCHES, Unknown::Report),
        Published::new(HISTORY_SCHEMA, WATCHES, Unknown::Report),
    ];
    spec.schema = |setup| {
        let v0 = setup.version == Some(Version::V0.as_str());
        usize::from(v0 && setup.profile == Profile::Schema)
    };
    spec.looks = judge::LOOKS;
    spec.facts = judge::facts;
    spec.judge = Box::new(judge::event);
    spec.documents = Documents {
        names: |_| vec!["HistoryResponse".into()],
        check: |spec, _, node, report| history::document(spec.shape(2), node, report),
    };
    spec.recognise = |_, heads| {
        // What AG-UI would take for its own under a near name is the dialect's as well.
        let has_type = |head: &&Head<'_>| head.text("type").is_some();
        if is_dialect(heads) { heads.iter().filter(has_type).count() } else { 0 }
    };
    spec.is_open = |heads| {
        let mut events = heads.iter().filter(|head| is_event(head));
        let is_of_both = |head: &Head<'_>| matches!(head.text("type"), Some("RUN_STARTED" | "RUN_FINISHED"));
        let is_plain = |head: &Head<'_>| is_of_both(head) && !has_own_member(head);
        if is_dialect(heads) { events.all(is_plain) } else { events.all(names_scope) }
    };
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

/// social-app's protocol handle.
pub(crate) const PROTOCOL: Protocol = Protocol::built_in(|| &*SPEC);

fn is_event(head: &Head<'_>) -> bool {
    head.text("type").is_some_and(|tag| {
        tag.starts_with(|c: char| c.is_ascii_uppercase())
            && tag.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    })
}

/// Whether the event has a member that AG-UI does not have.
fn has_own_member(head: &Head<'_>) -> bool {
    let is_text = |name: &&str| head.kind(name) == Some(Kind::String);
    head.kind("args") == Some(Kind::Object) || ["tool_call_id", "answer"].iter().any(is_text)
}

/// Whether the event names its run and thread.
fn names_scope(head: &Head<'_>) -> bool {
    ["runId", "threadId"].iter().all(|name| head.text(name).is_some())
}

/// Whether the events, whose types are those of AG-UI, are of the dialect: by members that
/// AG-UI does not have; as all of them name their run and thread, also those that do not in AG-UI; or as all of
/// them name their run, in frames most of which repeat their type. A frame may have lost its event line.
fn is_dialect(heads: &[Head<'_>]) -> bool {
    let events = || heads.iter().filter(|head| is_event(head));
    let framed = events().filter(|head| head.name.is_some() && head.name == head.text("type").map(str::as_bytes));
    let is_known = |head: &Head<'_>| head.text("type").is_some_and(|tag| EventType::from_tag(tag).is_some());
    let names_nothing_in_agui =
        |head: &Head<'_>| head.text("type").is_some_and(|tag| tag.starts_with("STEP_") || tag == "RUN_ERROR");
    let names_all = events().any(names_nothing_in_agui) && events().all(|head| names_scope(head) && is_known(head));
    events().any(has_own_member)
        || names_all
        || (events().all(|head| head.text("runId").is_some()) && framed.count() * 2 > events().count())
}
