//! The schemas of Lime.
#![expect(
    clippy::indexing_slicing,
    reason = "what is indexed are JSON objects, by names: a member that is not there is null"
)]

use serde_json::{Map, Value, json};

use super::needs::{Need, VALIDATED};
use super::{CapabilityManifest, Event, EventClass, Fixture, ReadModel, StateDelta};
use crate::wire::published::SchemaFile;
use crate::wire::schema::{add_examples, definitions, file, file_of, generator, pascal, reference, require};

/// Examples: an event of each type, and documents.
const EVENTS: &str = include_str!("examples/events.jsonl");
const DOCUMENTS: &str = include_str!("examples/documents.jsonl");

/// The definition of what every event has but its class.
const BASE: &str = "LimeEventBase";

/// What a payload may have to say, by member.
const PAYLOAD: &[(&str, &str)] = &[
    ("path", "The path of the file."),
    ("failureCategory", "Why the patch failed, such as `conflict`."),
    ("reasonCode", "Why it was stopped, such as `network_disabled`."),
];

pub(crate) fn files() -> Vec<SchemaFile> {
    vec![
        file_of::<Event>("lime/v0.1/event.schema.json", DOCUMENTS),
        known_event(),
        file_of::<StateDelta>("lime/v0.1/state-delta.schema.json", DOCUMENTS),
        file_of::<Fixture>("lime/v0.1/fixture.schema.json", DOCUMENTS),
        file_of::<ReadModel>("lime/v0.1/read-model.schema.json", DOCUMENTS),
        file_of::<CapabilityManifest>("lime/v0.1/capability-manifest.schema.json", DOCUMENTS),
    ]
}

/// What all events have, once, and beside it the union of what the classes need. Classes that
/// need the same are one branch: validators try them one after the other. Each class has a
/// definition of its own too.
fn known_event() -> SchemaFile {
    let mut generator = generator();
    generator.subschema_for::<Event>();
    let event = definitions(&mut generator).remove("LimeEvent").unwrap_or_default();
    let mut definitions = Map::new();
    let mut branches = Vec::new();
    for group in groups() {
        for (class, doc) in &group.classes {
            definitions.insert(format!("Lime{}Event", pascal(class)), group.of_class(class, doc));
        }
        branches.push(reference(&group.name()));
        definitions.insert(group.name(), group.schema(&event));
    }
    definitions.insert(BASE.into(), base(event));
    add_examples(&mut definitions, "eventClass", EVENTS);
    file(
        "lime/v0.1/known-event.schema.json",
        "LimeKnownEvent",
        "An event of a class that Lime names, or of none, with what its class demands. For code generators: classes are open, so validate with event.schema.json.",
        json!({"allOf": [reference(BASE), {"oneOf": branches}]}),
        definitions,
    )
}

fn base(mut event: Value) -> Value {
    event["description"] = "What events of all classes have.".into();
    if let Some(members) = event["properties"].as_object_mut() {
        members.remove("eventClass");
    }
    event
}

/// Classes whose events need the same.
struct Group {
    needs: Vec<Need>,
    /// With what they mean.
    classes: Vec<(&'static str, &'static str)>,
}

fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (&class, &doc) in EventClass::KNOWN.iter().zip(EventClass::DOCS) {
        let rows = VALIDATED.iter().filter(|row| row.applies.to(class));
        // Alternatives have no form that code generators take in.
        let needs: Vec<Need> = rows.filter_map(|row| <[Need; 1]>::try_from(row.any_of).ok()).flatten().collect();
        match groups.iter_mut().find(|group| group.needs == needs) {
            Some(group) => group.classes.push((class, doc)),
            None => groups.push(Group { needs, classes: vec![(class, doc)] }),
        }
    }
    groups
}

impl Group {
    /// After the only class, or the family.
    fn name(&self) -> String {
        let name = match &*self.classes {
            _ if self.needs.is_empty() => "Other".to_owned(),
            [(class, _)] => pascal(class),
            classes => pascal(classes.first().and_then(|(class, _)| class.split('.').next()).unwrap_or_default()),
        };
        format!("Lime{name}Class")
    }

    /// What the classes need beside what all events have.
    fn schema(&self, event: &Value) -> Value {
        let classes: Vec<&str> = self.classes.iter().map(|(class, _)| *class).collect();
        let mut schema = json!({
            "type": "object",
            "description": self.description(),
            "properties": {"eventClass": {"type": "string", "enum": classes, "description": "What happened."}},
            "additionalProperties": true,
        });
        for need in &self.needs {
            require(&mut schema, "eventClass");
            let (member, below) = match need.member().split_once('.') {
                Some((member, below)) => (member, Some(below)),
                None => (need.member(), None),
            };
            require(&mut schema, member);
            let schema = &mut schema["properties"][member];
            if schema.is_null() {
                *schema = event["properties"][member].clone();
            }
            if let Some(below) = below {
                require(schema, below);
                schema["properties"][below] = form(*need, below);
            }
        }
        schema
    }

    fn description(&self) -> String {
        let needs: Vec<String> = self.needs.iter().map(|need| format!("`{}`", need.member())).collect();
        match &*needs {
            [] => "The classes that ask for nothing more, and events without a class.".to_owned(),
            needs => format!("The classes whose events need {}.", needs.join(" and ")),
        }
    }

    /// The definition of one of the classes.
    fn of_class(&self, class: &str, doc: &str) -> Value {
        let own = (!self.needs.is_empty()).then(|| reference(&self.name()));
        let parts: Vec<Value> = [reference(BASE)].into_iter().chain(own).collect();
        json!({
            "type": "object",
            "description": doc,
            "allOf": parts,
            "properties": {"eventClass": {"type": "string", "const": class, "description": "What happened."}},
            "required": ["eventClass"],
            "additionalProperties": true,
        })
    }
}

/// The schema of a member of the payload.
fn form(need: Need, member: &str) -> Value {
    let doc = PAYLOAD.iter().find(|(name, _)| *name == member).map(|(_, doc)| *doc);
    let mut form = match need {
        Need::Integer(..) => json!({"type": "integer"}),
        Need::Filled(..) => json!({"type": "string", "minLength": 1}),
        _ => json!({"type": "string"}),
    };
    form["description"] = doc.unwrap_or_default().into();
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_need_the_same_are_one_branch() {
        let groups = groups();
        let found: Vec<(String, String, usize)> =
            groups.iter().map(|group| (group.name(), group.description(), group.classes.len())).collect();
        let expected = [
            ("LimeOtherClass", "The classes that ask for nothing more, and events without a class.", 62),
            ("LimeToolClass", "The classes whose events need `toolCallId`.", 4),
            ("LimeActionClass", "The classes whose events need `actionId`.", 5),
            ("LimePatchFailedClass", "The classes whose events need `payload.failureCategory`.", 1),
            ("LimeFileClass", "The classes whose events need `payload.path`.", 2),
            ("LimeSandboxBlockedClass", "The classes whose events need `payload.reasonCode`.", 1),
        ];
        assert_eq!(found, expected.map(|(name, doc, classes)| (name.to_owned(), doc.to_owned(), classes)));
        assert_eq!(groups.iter().map(|group| group.classes.len()).sum::<usize>(), EventClass::KNOWN.len());
    }

    #[test]
    fn the_file_stays_small() {
        let size = known_event().text.len();
        assert!(size < 80_000, "{size} bytes");
    }
}
