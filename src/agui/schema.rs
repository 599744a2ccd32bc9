//! The schemas of AG-UI.

use serde_json::{Map, Value};

use super::{AgentCapabilities, Event, EventType, Message, RunAgentInput};
use crate::wire::published::SchemaFile;
use crate::wire::schema::{add_examples, closed_union, definitions, file, file_of, generator, open_union};

/// Examples: an event of each type, and documents.
const EVENTS: &str = include_str!("examples/events.jsonl");
const DOCUMENTS: &str = include_str!("examples/documents.jsonl");

pub(crate) fn files() -> Vec<SchemaFile> {
    let (branches, mut defs) = events();
    add_examples(&mut defs, "type", EVENTS);
    let names: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
    let mut open_defs = defs.clone();
    let open = open_union(&branches, "type", &names, "AguiUnknownEvent", &mut open_defs);
    vec![
        file(
            "agui/1.0/event.schema.json",
            "AguiEvent",
            "An event of AG-UI 1.0, or one of a type that 1.0 does not know.",
            open,
            open_defs,
        ),
        file(
            "agui/1.0/known-event.schema.json",
            "AguiKnownEvent",
            "An event of AG-UI 1.0. Accepts and rejects as the official schema does.",
            closed_union(&branches),
            defs,
        ),
        file_of::<RunAgentInput>("agui/1.0/run-agent-input.schema.json", DOCUMENTS),
        file_of::<Message>("agui/1.0/message.schema.json", DOCUMENTS),
        file_of::<AgentCapabilities>("agui/1.0/agent-capabilities.schema.json", DOCUMENTS),
    ]
}

fn events() -> (Vec<Value>, Map<String, Value>) {
    let mut generator = generator();
    let branches = Event::branches(&mut generator).into_iter().map(|branch| branch.reference).collect();
    (branches, definitions(&mut generator))
}
