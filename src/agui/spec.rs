//! AG-UI as the engine takes it.

use std::sync::LazyLock;

use super::events::event::EventType;
use super::facts::*;
use super::judge;
use super::order::AguiOrder;
use super::{retired, rules};
use crate::check::facts::Facts;
use crate::check::near::nearest;
use crate::check::recognise::Head;
use crate::check::reporter::Reporter;
use crate::check::shape::{FormId, Shape, Unknown};
use crate::check::spec::{Documents, Looked, Published, Spec, plain, schema_text};
use crate::check::tree::Node;
use crate::check::{Profile, Protocol};
use crate::wire::path::Path;

/// The published schemas: of an event and all that lies in one, and of the capabilities.
const EVENT_SCHEMA: fn() -> &'static str = schema_text!("agui/1.0/known-event.schema.json");
const CAPABILITIES_SCHEMA: fn() -> &'static str = schema_text!("agui/1.0/agent-capabilities.schema.json");

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let mut spec = plain("agui", |setup| Box::new(AguiOrder::new(setup.is_strict(), setup.limits)));
    spec.about.title = "AG-UI 1.0".into();
    spec.about.reference = Some("the receiving side of the official client @ag-ui/client 1.0.0");
    spec.about.rules = rules::RULES.iter().copied().cloned().collect();
    spec.schemas = vec![
        Published::new(EVENT_SCHEMA, WATCHES, Unknown::Pass),
        Published::new(CAPABILITIES_SCHEMA, WATCHES, Unknown::Pass),
    ];
    spec.looks = judge::LOOKS;
    spec.facts = judge::facts;
    spec.judge = Box::new(judge::event);
    spec.documents = Documents { names, check };
    spec.recognise = |_, heads| heads.iter().filter(|head| is_event(head)).count();
    spec.not_json = rules::FRAME_NOT_JSON.clone();
    spec.secret_value = Some(rules::SECRET_VALUE.clone());
    spec.frame_too_large = rules::SSE_FRAME_TOO_LARGE.clone();
    spec.empty = Some(rules::EMPTY_STREAM.clone());
    #[cfg(feature = "schema")]
    {
        spec.files = super::schema::files;
    }
    #[cfg(feature = "published")]
    {
        spec.operations = super::http::OPERATIONS;
        spec.since = |tag| EventType::from_tag(tag)?.since();
    }
    #[cfg(feature = "net")]
    {
        spec.ask = Some(super::ask::ask);
    }
    spec
});

/// AG-UI's protocol handle.
pub(crate) const PROTOCOL: Protocol = Protocol::built_in(|| &*SPEC);

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

/// The definitions that a document can be checked as, by their names in the specification.
fn names(spec: &Spec) -> Vec<String> {
    let definitions = (0..2).flat_map(|schema| spec.shape(schema).definition_names());
    let names = definitions.filter_map(|name| name.strip_prefix("Agui"));
    names.chain(["AgentCapabilities"]).chain(INLINED.iter().map(|(name, ..)| *name)).map(Into::into).collect()
}

/// The schema that a type is checked by.
fn form_of<'s>(spec: &'s Spec, name: &str) -> Option<(&'s Shape, FormId)> {
    if name == "AgentCapabilities" {
        return Some((spec.shape(1), spec.shape(1).root()));
    }
    if let Some((_, definition, member)) = INLINED.iter().find(|(inlined, ..)| *inlined == name) {
        return Some((spec.shape(0), spec.shape(0).member(definition, member)?));
    }
    let definition = format!("Agui{name}");
    (0..2).map(|schema| spec.shape(schema)).find_map(|shape| Some((shape, shape.definition(&definition)?)))
}

fn check(spec: &Spec, kind: &str, node: &Node<'_>, report: &mut Reporter<'_>) {
    let Some((shape, form)) = form_of(spec, kind) else { return };
    let text = report.utf8();
    let facts = Facts::of_tree(shape, form, node, text);
    judge::document(&Looked { spec, name: None, odd: false, shape, form, node, facts: &facts, era: 0 }, report);
    if kind == "TokenUsage" && report.profile != Profile::Schema {
        judge::usage_entry(node, &Path::default(), report);
    }
}

/// Whether the type is one of AG-UI's, is spelt nearly so, or at least in its style.
fn is_event(head: &Head<'_>) -> bool {
    let Some(tag) = head.text("type") else { return false };
    let style = tag.starts_with(|c: char| c.is_ascii_uppercase())
        && tag.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    style
        || retired::replacement(tag).is_some()
        || nearest(tag, EventType::ALL.iter().map(|event| event.as_str())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::spec::SpecRef;

    #[test]
    fn tags_of_the_schema_come_in_the_order_of_the_table() {
        let spec = SpecRef::of(&PROTOCOL);
        let tags = spec.shape(0).tags("type").expect("the root is a union");
        let table: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
        assert_eq!(tags.names().collect::<Vec<_>>(), table);
    }
}
