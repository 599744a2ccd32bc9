//! The schemas of the task API.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};

use super::events::envelope::of_type;
use super::events::event::LEGACY;
use super::events::{CreatedResponse, ErrorResponse, Event, EventType, TaskResponse};
use crate::wire::published::SchemaFile;
use crate::wire::schema::{
    add_examples, closed_union, definitions, deprecate, file, file_of, generator, pascal, reference,
};

/// Examples: an event of each type, and documents.
const EVENTS: &str = include_str!("examples/events.jsonl");
const DOCUMENTS: &str = include_str!("examples/documents.jsonl");

/// The definition of envelopes whose type is none of the known ones.
const UNKNOWN: &str = "PollingUnknownEvent";

pub(crate) fn files() -> Vec<SchemaFile> {
    let (branches, mut defs) = envelopes();
    add_examples(&mut defs, "type", EVENTS);
    let known = file(
        "polling/2026-10-07/known-event.schema.json",
        "PollingKnownEvent",
        "An envelope whose type the task API has. For code generators: types are open, so validate with event.schema.json.",
        closed_union(&branches),
        defs.clone(),
    );
    defs.insert(UNKNOWN.into(), unknown());
    let mut open = branches;
    open.push(reference(UNKNOWN));
    vec![
        file(
            "polling/2026-10-07/event.schema.json",
            "PollingEvent",
            "An envelope whose type the task API has, or one of another type.",
            json!({"anyOf": open}),
            defs,
        ),
        known,
        file_of::<TaskResponse>("polling/2026-10-07/poll-response.schema.json", DOCUMENTS),
        file_of::<CreatedResponse>("polling/2026-10-07/created-response.schema.json", DOCUMENTS),
        file_of::<ErrorResponse>("polling/2026-10-07/error-response.schema.json", DOCUMENTS),
    ]
}

/// One envelope a type, and the definitions of all of them and of what they hold.
fn envelopes() -> (Vec<Value>, Map<String, Value>) {
    let mut generator = generator();
    let (mut branches, mut envelopes) = (Vec::new(), Map::new());
    for event in Event::branches(&mut generator) {
        let name = envelope_name(event.tag);
        let tag = json_schema!({"type": "string", "const": event.tag});
        let data: Schema = event.reference.try_into().unwrap_or_default();
        let mut envelope = of_type(&mut generator, event.doc, tag, data).to_value();
        if LEGACY.iter().any(|legacy| legacy.as_str() == event.tag) {
            deprecate(Some(&mut envelope));
        }
        branches.push(reference(&name));
        envelopes.insert(name, envelope);
    }
    let mut definitions = definitions(&mut generator);
    definitions.extend(envelopes);
    (branches, definitions)
}

/// `text_chunk` as `PollingTextChunkEvent`.
fn envelope_name(tag: &str) -> String {
    format!("Polling{}Event", pascal(tag))
}

#[expect(clippy::indexing_slicing, reason = "a schema that is made of a type is a JSON object")]
fn unknown() -> Value {
    let names: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
    let tag = json_schema!({"type": "string", "minLength": 1, "not": {"enum": names}});
    let doc = "An event whose type this version does not know. A malformed known event is not one.";
    let mut unknown = of_type(&mut generator(), doc, tag, json_schema!({})).to_value();
    unknown["examples"] = json!([r#"{"idx":4,"type":"something_new","data":{},"ts":1771061401.625}"#]);
    unknown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::shape::{Shape, Unknown};

    #[test]
    fn every_file_compiles_to_a_shape() {
        for file in files() {
            let compiled = Shape::compile(&file.text, &[], Unknown::Report);
            assert_eq!(compiled.err(), None, "{}", file.path);
        }
    }

    #[test]
    fn each_type_has_its_envelope_and_its_data() {
        let (branches, definitions) = envelopes();
        assert_eq!(branches.len(), EventType::ALL.len());
        for event in EventType::ALL {
            let envelope = &definitions[&envelope_name(event.as_str())];
            assert_eq!(envelope["properties"]["type"]["const"], event.as_str());
            let data = envelope["properties"]["data"]["allOf"][0]["$ref"].as_str().unwrap();
            let data = &definitions[data.strip_prefix("#/$defs/").unwrap()];
            assert_eq!(data["properties"]["task_id"]["type"], "string", "{event}");
        }
        let tool = &definitions["PollingToolUpdateActionEvent"]["properties"]["data"];
        assert_eq!(tool["allOf"], json!([reference("PollingUpdateActionData")]));
    }

    #[test]
    fn data_demands_what_servers_always_send() {
        let (_, definitions) = envelopes();
        for (definition, required) in [
            ("PollingTextChunkData", json!(["content", "index", "elapsed"])),
            (
                "PollingTokenUpdateData",
                json!([
                    "cumulative_input_tokens",
                    "cumulative_output_tokens",
                    "cumulative_total_tokens",
                    "cumulative_cached_input_tokens",
                    "cache_exempt_input_tokens",
                    "current_context_tokens",
                    "updated_at"
                ]),
            ),
            ("PollingErrorData", Value::Null),
            ("PollingUpdateActionData", Value::Null),
        ] {
            assert_eq!(definitions[definition]["required"], required, "{definition}");
        }
    }
}
