//! The schemas of Ubik: of both streams, and of what goes over HTTP.
#![expect(
    clippy::indexing_slicing,
    reason = "what is indexed are JSON objects, by names: a member that is not there is null"
)]

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::events::{
    Chunk, Event, EventType, ExecuteResponse, MessageList, PublicAgentMessage, PublicCheckpoint, PublicMessageCreate,
    PublicToolExecutionResult, ToolEvent,
};
use crate::wire::published::SchemaFile;
use crate::wire::schema::{
    add_examples, closed_union, definitions, deprecate, file, file_of, generator, open_union, pascal, reference,
};

/// Examples: an event of each type, and documents.
const EVENTS: &str = include_str!("examples/events.jsonl");
const TOOL_EVENTS: &str = include_str!("examples/tool-events.jsonl");
const DOCUMENTS: &str = include_str!("examples/documents.jsonl");

/// The type of a fragment.
const DELTA: &str = "_delta_sse$";

const UNKNOWN: &str = "UbikUnknownEvent";

pub(crate) fn files() -> Vec<SchemaFile> {
    let (branches, defs) = events();
    let names: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
    let mut open_defs = defs.clone();
    let open = open_union(&branches, "type", &names, UNKNOWN, &mut open_defs);
    if let Some(unknown) = open_defs.get_mut(UNKNOWN) {
        unknown["properties"]["type"]["not"] = json!({"anyOf": [{"enum": names}, {"pattern": DELTA}]});
    }
    vec![
        file(
            "ubik/2026-08-21/event.schema.json",
            "UbikEvent",
            "An event of a Ubik session, a fragment of one, or an event of a type that is not known.",
            open,
            open_defs,
        ),
        file(
            "ubik/2026-08-21/known-event.schema.json",
            "UbikKnownEvent",
            "An event of a Ubik session, or a fragment of one.",
            closed_union(&branches),
            defs,
        ),
        tool_event(),
        file_of::<PublicAgentMessage>("ubik/2026-08-21/agent-message.schema.json", DOCUMENTS),
        file_of::<MessageList>("ubik/2026-08-21/message-list.schema.json", DOCUMENTS),
        file_of::<PublicMessageCreate>("ubik/2026-08-21/message-create.schema.json", DOCUMENTS),
        file_of::<PublicCheckpoint>("ubik/2026-08-21/checkpoint.schema.json", DOCUMENTS),
        file_of::<PublicToolExecutionResult>("ubik/2026-08-21/tool-execution-result.schema.json", DOCUMENTS),
        file_of::<ExecuteResponse>("ubik/2026-08-21/execute-response.schema.json", DOCUMENTS),
    ]
}

/// The events of a session, the last branch being fragments of any type.
fn events() -> (Vec<Value>, Map<String, Value>) {
    let mut generator = generator();
    let mut branches: Vec<Value> = Event::branches(&mut generator).into_iter().map(|branch| branch.reference).collect();
    let mut defs = definitions(&mut generator);
    // The documentation no longer has this name of `response_chunk`.
    deprecate(defs.get_mut("UbikAgentResponseChunkEvent"));
    let mut delta = fragment();
    delta["properties"]["type"] = delta_name("The type of the event that was split, and a suffix.");
    if let Some(required) = delta["required"].as_array_mut() {
        required.insert(0, "type".into());
    }
    branches.push(reference("UbikDeltaEvent"));
    defs.insert("UbikDeltaEvent".into(), delta);
    add_examples(&mut defs, "type", EVENTS);
    (branches, defs)
}

/// The frames of a tool's stream. Each payload has a definition of its own, without the name.
fn tool_event() -> SchemaFile {
    const FRAGMENT: &str = "UbikToolStreamDelta";
    let mut generator = generator();
    let events = ToolEvent::branches(&mut generator);
    let mut defs = definitions(&mut generator);
    defs.insert(FRAGMENT.into(), fragment());
    let mut branches = Vec::new();
    let mut add = |frame: String, doc: &str, event: Value, data: Value| {
        branches.push(reference(&frame));
        defs.insert(
            frame,
            json!({
                "type": "object",
                "description": doc,
                "properties": {"event": event, "data": {"allOf": [data], "description": "The data of the frame."}},
                "required": ["event", "data"],
                "additionalProperties": true,
            }),
        );
    };
    for event in events {
        let name = json!({"type": "string", "const": event.tag, "description": "The name of the SSE event."});
        add(frame(event.tag), event.doc, name, event.reference);
    }
    let name = delta_name("The name of the event that was split, and a suffix.");
    add(frame("delta"), "Carries a fragment of any event that was too large for one frame.", name, reference(FRAGMENT));
    add_examples(&mut defs, "event", TOOL_EVENTS);
    file(
        "ubik/2026-08-21/tool-event.schema.json",
        "UbikToolEvent",
        "A frame of the stream of a Ubik tool execution: the name of the SSE event, and its data.",
        closed_union(&branches),
        defs,
    )
}

/// `tool_end` as `UbikToolEndFrame`.
fn frame(name: &str) -> String {
    format!("Ubik{}Frame", pascal(name))
}

/// The definition of a fragment without its type, which is of any beginning.
fn fragment() -> Value {
    let mut generator = generator();
    generator.subschema_for::<Chunk>();
    definitions(&mut generator).remove(&*Chunk::schema_name()).unwrap_or_default()
}

fn delta_name(description: &str) -> Value {
    json!({"type": "string", "pattern": DELTA, "description": description})
}
