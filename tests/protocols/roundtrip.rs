//! What is decoded comes back: every member, every digit, and the text of opaque values.

use std::fmt::Debug;

use crate::common::{Decoded, Failures, Sample, raw_member};
use agent_contracts::wire::{Error, Json};
use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const PROTOCOLS: [Protocol; 5] =
    [Protocol::LIME, Protocol::AGUI, Protocol::SOCIAL_APP, Protocol::UBIK, Protocol::POLLING];

/// The text that an event comes back as; `None` if it is not accepted.
fn there_and_back(protocol: &Protocol, text: &str) -> Option<String> {
    Decoded::from_json(protocol, text).ok().map(|event| event.to_json())
}

/// Whether two texts are the same JSON value, digit by digit.
fn same_value(a: &str, b: &str) -> bool {
    Json::parse(a).unwrap() == Json::parse(b).unwrap()
}

#[test]
fn every_accepted_event_comes_back() {
    for (protocol, at_least) in [
        (Protocol::LIME, 2000),
        (Protocol::AGUI, 1500),
        (Protocol::SOCIAL_APP, 600),
        (Protocol::UBIK, 850),
        (Protocol::POLLING, 1500),
    ] {
        let mut failures = Failures::default();
        let sources = [crate::common::fixture_events, crate::common::recorded_events, crate::common::corpus_events];
        for Sample { origin, text } in sources.iter().flat_map(|source| source(&protocol.clone())) {
            if let Some(back) = there_and_back(&protocol.clone(), &text) {
                failures.check(same_value(&text, &back), || format!("{origin}: {text}\n  came back as {back}"));
            }
        }
        failures.finish(at_least);
    }
}

/// JSON text with what a detour through doubles, maps or Rust strings would change: long
/// digits, exponents, repeated keys, escapes, lone surrogates, white space.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("false".to_owned()),
        "-?[1-9][0-9]{29}",
        "-?(0|[1-9][0-9]{0,3})\\.[0-9]{1,25}",
        "-?[1-9](\\.[0-9]{1,3})?[eE][+-]?[0-9]{1,3}",
        json_string(),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::vec((json_string(), inner), 0..4).prop_map(|members| {
                let members: Vec<String> = members.into_iter().map(|(key, value)| format!("{key} :{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn json_string() -> impl Strategy<Value = String> {
    "\"([a-zé😀 ]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4}){0,8}\""
}

/// Members of names that no contract has, as text: name and value.
fn unknown_members() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(("[a-zé_ ]{0,8}", json_text()), 1..6).prop_map(|members| {
        members.into_iter().enumerate().map(|(index, (name, value))| (format!("x{index} {name}"), value)).collect()
    })
}

fn written(members: &[(String, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    members.join(",")
}

/// A protocol with one of its fixture events.
fn accepted_event() -> impl Strategy<Value = (Protocol, String)> {
    let mut events = Vec::new();
    for protocol in PROTOCOLS {
        for Sample { text, .. } in crate::common::fixture_events(&protocol.clone()) {
            if text.len() < 2000 && Decoded::from_json(&protocol.clone(), &text).is_ok() {
                events.push((protocol.clone(), text));
            }
        }
    }
    select(events)
}

/// Events with an opaque value in the place of `VALUE`, and the member that it is in.
const OPAQUE: &[(Protocol, &str, &str)] = &[
    (
        Protocol::LIME,
        "payload",
        r#"{"id":"e","kind":"tool","status":"running","title":"t","payload":{"z":VALUE,"a":1},"createdAt":"c"}"#,
    ),
    (Protocol::AGUI, "snapshot", r#"{"type":"STATE_SNAPSHOT","snapshot":VALUE}"#),
    (Protocol::AGUI, "delta", r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/z","value":VALUE}]}"#),
    (Protocol::AGUI, "event", r#"{"type":"RAW","event":VALUE}"#),
    (Protocol::AGUI, "value", r#"{"type":"CUSTOM","name":"n","value":VALUE}"#),
    (Protocol::AGUI, "rawEvent", r#"{"type":"STEP_STARTED","stepName":"s","rawEvent":[VALUE]}"#),
    (Protocol::AGUI, "metadata", r#"{"metadata":{"z":VALUE,"a":1},"stepName":"s","type":"STEP_FINISHED"}"#),
    (Protocol::AGUI, "result", r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":[VALUE]}"#),
    (
        Protocol::AGUI,
        "content",
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{"z":VALUE,"a":1}}"#,
    ),
    (Protocol::SOCIAL_APP, "snapshot", r#"{"type":"STATE_SNAPSHOT","threadId":"t","runId":"r","snapshot":VALUE}"#),
    (
        Protocol::SOCIAL_APP,
        "messages",
        r#"{"type":"MESSAGES_SNAPSHOT","threadId":"t","runId":"r","messages":[VALUE,1]}"#,
    ),
    (
        Protocol::SOCIAL_APP,
        "args",
        r#"{"type":"TOOL_CALL_ARGS","threadId":"t","runId":"r","messageId":"m","toolCallId":"c","toolCallName":"n","args":{"z":VALUE,"a":1},"stage":"worker"}"#,
    ),
    (Protocol::SOCIAL_APP, "tool_call_args", TOOL_CALL_RESULT),
    (Protocol::SOCIAL_APP, "result", TOOL_CALL_RESULT),
    (Protocol::SOCIAL_APP, "error", TOOL_CALL_RESULT),
    (Protocol::SOCIAL_APP, "ui_schema", TOOL_CALL_RESULT),
    (
        Protocol::UBIK,
        "results",
        r#"{"type":"agent_step_completed","step":1,"progress":100,"completed":true,"results":{"z":VALUE,"a":1},"timestamp":"c"}"#,
    ),
    (
        Protocol::UBIK,
        "data",
        r#"{"type":"tool_update","tool_execution_id":"e","tool_name":"n","data":{"phase":"p","sources":[VALUE],"data":{"z":VALUE,"a":1},"more":VALUE},"timestamp":"c"}"#,
    ),
    (
        Protocol::UBIK,
        "tool_input",
        r#"{"timestamp":"c","type":"tool_input_required","tool_name":"n","tool_execution_id":"e","tool_input":{"z":VALUE}}"#,
    ),
    (
        Protocol::POLLING,
        "data",
        r#"{"idx":1,"type":"tool_start","data":{"id":"i","name":"n","arguments":{"z":VALUE,"a":1},"more":VALUE},"ts":1.5}"#,
    ),
    (
        Protocol::POLLING,
        "data",
        r#"{"ts":1.5,"data":{"id":"i","status":"completed","result":VALUE,"content":VALUE},"type":"update_action","idx":1}"#,
    ),
    (Protocol::POLLING, "data", r#"{"idx":1,"type":"something_new","data":[VALUE],"ts":1.5}"#),
];

/// A result of social-app, all of whose opaque members hold the value.
const TOOL_CALL_RESULT: &str = r#"{"type":"TOOL_CALL_RESULT","threadId":"t","runId":"r","messageId":"m","role":"tool","stage":"worker","tool_name":"n","tool_call_id":"c","tool_call_args":{"z":VALUE,"a":1},"status":"success","result":{"z":VALUE,"a":1},"error":VALUE,"ui_schema":{"z":VALUE,"a":1}}"#;

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn members_that_the_contract_does_not_name_survive(
        (protocol, event) in accepted_event(),
        members in unknown_members(),
        split in any::<Index>(),
    ) {
        let (front, back) = members.split_at(split.index(members.len() + 1));
        let known = event[1..event.len() - 1].to_owned();
        let parts: Vec<String> = [written(front), known, written(back)].into_iter().filter(|part| !part.is_empty()).collect();
        let text = format!("{{{}}}", parts.join(","));
        let back = there_and_back(&protocol, &text);
        prop_assert!(back.is_some(), "{text}");
        let back = back.unwrap();
        prop_assert!(same_value(&text, &back), "{text}\n{back}");
        for (name, value) in &members {
            prop_assert_eq!(raw_member(&back, name), value, "{}", text);
        }
    }

    #[test]
    fn opaque_values_keep_their_text(value in json_text()) {
        for (protocol, member, template) in OPAQUE {
            let text = template.replace("VALUE", &value);
            let back = there_and_back(&protocol.clone(), &text);
            prop_assert!(back.is_some(), "{text}");
            let back = back.unwrap();
            prop_assert_eq!(raw_member(&back, member), raw_member(&text, member));
        }
    }

    #[test]
    fn events_of_unknown_types_survive(tag in "[A-Z][A-Z_]{0,20}|[a-z.é ]{0,12}", members in unknown_members(), at in any::<Index>()) {
        // Every type of social-app is one of AG-UI.
        prop_assume!(agui::EventType::from_tag(&tag).is_none());
        let mut all = members.clone();
        all.insert(at.index(members.len() + 1), ("type".into(), format!("\"{tag}\"")));
        let text = format!("{{{}}}", written(&all));
        prop_assume!(polling::EventType::from_tag(&tag).is_none());
        let envelope = format!("{{\"idx\":1,\"type\":\"{tag}\",\"data\":{{{}}},\"ts\":1}}", written(&members));
        for (protocol, text) in [
            (Protocol::AGUI, &text),
            (Protocol::SOCIAL_APP, &text),
            (Protocol::UBIK, &text),
            (Protocol::POLLING, &envelope),
        ] {
            let event = Decoded::from_json(&protocol, text).unwrap();
            prop_assert!(same_value(text, &event.to_json()), "{text}");
            let Some(unknown) = event.unknown() else { return Err(TestCaseError::fail(text.clone())) };
            prop_assert_eq!(unknown.tag(), &tag);
            let kept: Vec<(String, String)> =
                unknown.members.iter().map(|(name, value)| (name.to_owned(), value.as_str().to_owned())).collect();
            prop_assert_eq!(&kept, &members);
        }
    }

    #[test]
    fn classes_that_lime_does_not_publish_survive(class in "[a-z]{1,8}\\.[a-zé ]{1,8}|[A-Z]{0,4}", members in unknown_members()) {
        let text = format!(
            r#"{{"id":"e","eventClass":"{class}","kind":"{class}","status":"s","title":"t","createdAt":"c",{}}}"#,
            written(&members)
        );
        let event = lime::Event::from_json(&text).unwrap();
        prop_assert_eq!(event.event_class.as_ref().unwrap().as_str(), class);
        prop_assert!(same_value(&text, &serde_json::to_string(&event).unwrap()), "{text}");
        let kept: Vec<(String, String)> =
            event.extra.iter().map(|(name, value)| (name.to_owned(), value.as_str().to_owned())).collect();
        prop_assert_eq!(kept, members);
    }
}

/// How a service stores an event: beside members of its own.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Stored<E> {
    received: u64,
    #[serde(flatten)]
    event: E,
}

/// A line that is an event, or something else.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Line<E> {
    Event(E),
    Note(String),
}

/// Takes an event through every door that serde opens, and holds it against `decode`.
fn through_serde<E>(text: &str, decode: fn(&str) -> Result<E, Error>) -> Result<(), String>
where
    E: Debug + PartialEq + Serialize + DeserializeOwned,
{
    let said = |error: serde_json::Error| error.to_string();
    let from_text = serde_json::from_str::<E>(text);
    let event = match decode(text) {
        Ok(event) => event,
        Err(_) if from_text.is_err() => return Ok(()),
        Err(error) => return Err(format!("from_str accepts what from_json refuses: {error}")),
    };
    let value: Value = serde_json::from_str(text).map_err(said)?;
    let stored_text = format!("{{\"received\":7,{}", &text[1..]);
    let stored: Stored<E> = serde_json::from_str(&stored_text).map_err(said)?;
    let stored_back = serde_json::to_string(&stored).map_err(said)?;
    let line: Line<E> = serde_json::from_str(text).map_err(said)?;
    for (door, same) in [
        ("from_str", from_text.map_err(said)? == event),
        ("from_value", serde_json::from_value::<E>(value).map_err(said)? == event),
        ("flatten", stored.event == event),
        ("flatten and back", same_value(&stored_text, &stored_back)),
        ("untagged and back", same_value(text, &serde_json::to_string(&line).map_err(said)?)),
        ("untagged", line == Line::Event(event)),
    ] {
        if !same {
            return Err(format!("{door} gives another event"));
        }
    }
    Ok(())
}

#[test]
fn serde_is_another_door_to_the_same_decoder() {
    let mut failures = Failures::default();
    for protocol in PROTOCOLS {
        for Sample { origin, text } in crate::common::fixture_events(&protocol.clone()) {
            let verdict = match protocol.id() {
                "lime" => through_serde(&text, lime::Event::from_json),
                "agui" => through_serde(&text, agui::Event::from_json),
                "social-app" => through_serde(&text, social_app::Event::from_json),
                "ubik" => through_serde(&text, ubik::Event::from_json),
                "polling" => through_serde(&text, polling::Envelope::from_json),
                other => panic!("{other} is not tested here"),
            };
            failures.check(verdict.is_ok(), || format!("{origin}: {}: {text}", verdict.unwrap_err()));
        }
    }
    failures.finish(4000);
    let note: Line<agui::Event> = serde_json::from_str("\"no event\"").unwrap();
    assert_eq!(note, Line::Note("no event".into()));
}
