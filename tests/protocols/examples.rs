//! Every type has one example. The checker finds nothing wrong with it, and decoding and
//! encoding give the same text. That it fits the schema is a test of the schemas.

use crate::common::{Decoded, Failures, raw_member, repository};
use agent_contracts::check::{Checker, Field, Finding, FrameFields, Input, Severity};
use agent_contracts::wire::span::Segment;
use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik};
use serde_json::Value;

/// The lines of a file of examples below `src`.
fn examples(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository().join("src").join(file)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Examples of the events of a protocol.
struct Examples {
    protocol: Protocol,
    version: Option<&'static str>,
    file: &'static str,
    /// The member that says which event it is.
    tag: &'static str,
    known: Vec<&'static str>,
}

impl Examples {
    fn of(protocol: Protocol, file: &'static str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self { protocol, version: None, file, tag: "type", known: known.into_iter().collect() }
    }
}

fn all() -> [Examples; 7] {
    let fragment = "agent_response_update_delta_sse";
    let of_tool = ubik::ToolEventType::ALL.iter().map(|event| event.as_str()).chain(["tool_update_delta_sse"]);
    let of_session = ubik::EventType::ALL.iter().map(|event| event.as_str()).chain([fragment]);
    let of_agui = agui::EventType::ALL.iter().map(|event| event.as_str());
    let of_polling = polling::EventType::ALL.iter().map(|event| event.as_str());
    let of_social_app = social_app::EventType::ALL.iter().map(|event| event.as_str());
    // What v0 sends otherwise than v1.
    let of_v0 = ["TOOL_CALL_RESULT", "TEXT_MESSAGE_END"];
    [
        Examples::of(Protocol::AGUI, "agui/examples/events.jsonl", of_agui),
        Examples::of(Protocol::SOCIAL_APP, "social_app/examples/events.jsonl", of_social_app),
        Examples {
            version: Some("v0"),
            ..Examples::of(Protocol::SOCIAL_APP, "social_app/examples/events-v0.jsonl", of_v0)
        },
        Examples::of(Protocol::UBIK, "ubik/examples/events.jsonl", of_session),
        Examples { tag: "event", ..Examples::of(Protocol::UBIK, "ubik/examples/tool-events.jsonl", of_tool) },
        Examples::of(Protocol::POLLING, "polling/examples/events.jsonl", of_polling),
        Examples {
            tag: "eventClass",
            ..Examples::of(Protocol::LIME, "lime/examples/events.jsonl", lime::EventClass::KNOWN.iter().copied())
        },
    ]
}

#[test]
fn every_type_has_one_example_in_the_order_of_its_table() {
    for examples_of in all() {
        let found: Vec<String> = examples(examples_of.file)
            .iter()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()[examples_of.tag].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(found, examples_of.known, "{}", examples_of.file);
    }
}

#[test]
fn the_checker_finds_nothing_wrong_with_an_example() {
    let mut failures = Failures::default();
    for examples_of in all() {
        for line in examples(examples_of.file) {
            let mut builder = Checker::builder(examples_of.protocol.clone());
            if let Some(version) = examples_of.version {
                builder = builder.version(version).unwrap();
            }
            let found = check(&mut builder.build(), examples_of.tag, &line);
            let grave: Vec<String> =
                found.iter().filter(|finding| finding.severity != Severity::Note).map(ToString::to_string).collect();
            failures.check(grave.is_empty(), || format!("{}: {grave:?}: {line}", examples_of.file));
        }
    }
    failures.finish(190);
}

/// What is wrong with an event by itself. One in a frame has its content beside its name.
fn check(checker: &mut Checker, tag: &str, line: &str) -> Vec<Finding> {
    if tag != "event" {
        return checker.check_as("Event", Input::event(line)).unwrap().to_vec();
    }
    let (name, data) = frame(line);
    let mut frame = FrameFields::default();
    frame.name = Some(Field::new(name.as_bytes(), Segment::WHOLE));
    checker.check_as("Event", Input::event(data).in_frame(frame)).unwrap().to_vec()
}

/// The name of a frame and its data.
fn frame(line: &str) -> (&str, &str) {
    (raw_member(line, "event").trim_matches('"'), raw_member(line, "data"))
}

#[test]
fn an_example_is_decoded_and_encoded_without_loss() {
    let mut failures = Failures::default();
    for examples_of in all() {
        for line in examples(examples_of.file) {
            let encoded = if examples_of.tag == "event" {
                let (name, data) = frame(&line);
                let event = ubik::ToolEvent::from_tagged_json(name, data).unwrap();
                failures.check(event.tag() == name, || format!("{name} is another event"));
                format!("{{\"event\":\"{name}\",\"data\":{}}}", serde_json::to_string(&event).unwrap())
            } else {
                let event = Decoded::from_json(&examples_of.protocol, &line).unwrap();
                failures.check(event.is_of_known_type(), || format!("unknown: {line}"));
                event.to_json()
            };
            failures.check(encoded == line, || format!("{encoded} has come of {line}"));
        }
    }
    failures.finish(380);
}
