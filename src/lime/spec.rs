//! Lime as the engine takes it.

use std::sync::LazyLock;

use super::documents;
use super::facts::*;
use super::needs::needs_of;
use super::order::LimeOrder;
use super::{judge, rules};
use crate::check::facts::{FactKind, Facts};
use crate::check::order::Trust;
use crate::check::recognise::Head;
use crate::check::shape::Unknown;
use crate::check::spec::{Documents, HIDDEN, Look, Published, Spec, plain, schema_text};
use crate::check::time::is_rfc3339;
use crate::check::{Profile, Protocol};
use crate::wire::scan::Kind as JsonKind;

/// The published schemas of an event and of a state delta.
const EVENT_SCHEMA: fn() -> &'static str = schema_text!("lime/v0.1/event.schema.json");
const STATE_DELTA_SCHEMA: fn() -> &'static str = schema_text!("lime/v0.1/state-delta.schema.json");

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let mut spec = plain("lime", |setup| Box::new(LimeOrder::new(setup.profile == Profile::Reference, setup.limits)));
    spec.about.title = "Lime AgentRuntimeExecutionEvent, contract lime-runtime-event/v0.1".into();
    spec.tag = "eventClass".into();
    spec.about.reference = Some("the validator and sequence verifier of Lime 1.110.0");
    spec.about.plain_paths = true;
    spec.about.rules = rules::RULES.iter().copied().cloned().collect();
    spec.schemas = vec![
        Published::new(EVENT_SCHEMA, WATCHES, Unknown::Inspect),
        Published::new(STATE_DELTA_SCHEMA, &[], Unknown::Pass),
    ];
    spec.looks = &[HIDDEN, TIMES, NEEDS];
    spec.judge = Box::new(|looked, report| {
        judge::event(looked.shape, looked.node, looked.facts, report);
        // The reference looks at the order of events whatever else is wrong with them.
        Trust::Clean
    });
    spec.secret_value = Some(rules::SECRET_VALUE.clone());
    spec.documents = Documents { names: documents::names, check: documents::check };
    spec.recognise = |_, heads| heads.iter().filter(|head| is_event(head)).count();
    spec.recognise_document = |head| match head.text("schemaVersion").and_then(|version| version.split('/').next()) {
        Some("agent-ui-fixture") => Some("Fixture"),
        Some("lime-runtime-state-delta") => Some("StateDelta"),
        Some("lime-runtime-capability-manifest") => Some("CapabilityManifest"),
        // It may have lost its version.
        _ => (head.kind("events") == Some(JsonKind::Array) && head.kind("expected") == Some(JsonKind::Object))
            .then_some("Fixture"),
    };
    #[cfg(feature = "schema")]
    {
        spec.files = super::schema::files;
    }
    spec
});

/// Lime's protocol handle.
pub(crate) const PROTOCOL: Protocol = Protocol::built_in(|| &*SPEC);

/// Times that are no RFC 3339 times.
const TIMES: Look = |facts: &Facts<'_>, _| {
    [CREATED_AT, COMPLETED_AT].iter().any(|slot| facts.string(*slot).is_some_and(|text| !is_rfc3339(&text)))
};

/// A class that is not known, or that lacks what it needs.
const NEEDS: Look = |facts: &Facts<'_>, _| match facts.kind(EVENT_CLASS) {
    FactKind::Absent => false,
    _ => !facts.known(EVENT_CLASS).and_then(needs_of).is_some_and(|rows| rows.iter().all(|row| row.is_met(facts))),
};

fn is_event(head: &Head<'_>) -> bool {
    head.text("schemaVersion").is_some_and(|version| version.starts_with("lime-runtime-event/"))
        || ["eventClass", "kind", "status"].iter().all(|name| head.text(name).is_some())
}
