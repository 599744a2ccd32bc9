//! The checker, the published schema and the decoder read one contract.
//!
//! Profile `schema` reports something exactly where the committed schema, as another
//! implementation executes it, refuses the event. Decoding accepts what the schema
//! accepts and, beyond it, what [`RELAXATIONS`] lists: nothing more, nothing less.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::common::mutation::Mutation;
use crate::common::{Decoded, Failures, Sample};
use agent_contracts::check::{Checker, Field, FrameFields, Input, Profile};
use agent_contracts::wire::span::Segment;
use agent_contracts::{Protocol, ubik};
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

/// Why decoding accepts an event that the schema refuses.
struct Relaxation {
    protocol: Protocol,
    reason: &'static str,
    /// Makes the schema accept what decoding accepts for this reason.
    relax: fn(&mut Value),
    /// An event that decodes for this reason alone.
    example: &'static str,
}

const RELAXATIONS: &[Relaxation] = &[
    Relaxation {
        protocol: Protocol::LIME,
        reason: "an empty string is a string: `minLength` is the checker's business",
        relax: |schema| remove_everywhere(schema, "minLength"),
        example: r#"{"id":"","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"k","status":"s","sequence":1,"title":"t","createdAt":"c"}"#,
    },
    Relaxation {
        protocol: Protocol::LIME,
        reason: "another `schemaVersion` is read as far as it can be",
        relax: |schema| drop(keywords(schema, "schemaVersion").remove("const")),
        example: r#"{"id":"e","schemaVersion":"lime-runtime-event/v0.2","runtimeId":"r","kind":"k","status":"s","sequence":1,"title":"t","createdAt":"c"}"#,
    },
    Relaxation {
        protocol: Protocol::LIME,
        reason: "a negative `sequence` is an integer",
        relax: |schema| drop(keywords(schema, "sequence").remove("minimum")),
        example: r#"{"id":"e","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"k","status":"s","sequence":-1,"title":"t","createdAt":"c"}"#,
    },
    Relaxation {
        protocol: Protocol::LIME,
        reason: "a retired class is a class like any other that is not published",
        relax: |schema| drop(keywords(schema, "eventClass").remove("not")),
        example: r#"{"id":"e","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"k","status":"s","eventClass":"turn.cancelled","sequence":1,"title":"t","createdAt":"c"}"#,
    },
    Relaxation {
        protocol: Protocol::LIME,
        reason: "`schemaVersion`, `runtimeId` and `sequence` are optional in Lime's own types",
        relax: |schema| {
            let required = schema["required"].as_array_mut().unwrap();
            required.retain(|name| !["schemaVersion", "runtimeId", "sequence"].contains(&name.as_str().unwrap()));
        },
        example: r#"{"id":"e","kind":"k","status":"s","title":"t","createdAt":"c"}"#,
    },
    Relaxation {
        protocol: Protocol::AGUI,
        reason: "an event of an unknown type is kept whole",
        relax: add_unknown_branch,
        example: r#"{"type":"SOMETHING_NEW","level":3}"#,
    },
    Relaxation {
        protocol: Protocol::AGUI,
        reason: "unknown members of closed objects are kept",
        relax: |schema| {
            each_object(schema, &mut |object| {
                if object.get("additionalProperties") == Some(&json!(false)) {
                    object.insert("additionalProperties".into(), json!(true));
                }
            });
        },
        example: r#"{"type":"STEP_STARTED","stepName":"s","color":"red"}"#,
    },
    Relaxation {
        protocol: Protocol::AGUI,
        reason: "members of unions that are not known (messages, parts, sources, outcomes, operations) are kept whole",
        relax: |schema| {
            let definitions = schema["$defs"].clone();
            for definition in schema["$defs"].as_object_mut().unwrap().values_mut() {
                if definition.get("oneOf").is_some() {
                    let unknown = unknown_branch(definition, &definitions);
                    definition["oneOf"].as_array_mut().unwrap().push(unknown);
                }
            }
        },
        example: r#"{"type":"STATE_DELTA","delta":[{"op":"increment","path":"/a"}]}"#,
    },
    Relaxation {
        protocol: Protocol::AGUI,
        reason: "an interrupt without interrupts is read: `minItems` is the checker's business",
        relax: |schema| remove_everywhere(schema, "minItems"),
        example: r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[]}}"#,
    },
    Relaxation {
        protocol: Protocol::AGUI,
        reason: "a pointer that is none is a string: `pattern` is the checker's business",
        relax: |schema| remove_everywhere(schema, "pattern"),
        example: r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"a/b"}]}"#,
    },
    Relaxation {
        protocol: Protocol::SOCIAL_APP,
        reason: "an event of an unknown type is kept whole",
        relax: add_unknown_branch,
        example: r#"{"type":"SOMETHING_NEW","threadId":"t","runId":"r","level":3}"#,
    },
    Relaxation {
        protocol: Protocol::SOCIAL_APP,
        reason: "an empty id is a string: `minLength` is the checker's business",
        relax: |schema| remove_everywhere(schema, "minLength"),
        example: r#"{"type":"RUN_STARTED","threadId":"t","runId":""}"#,
    },
    Relaxation {
        protocol: Protocol::SOCIAL_APP,
        reason: "a negative count is a number: `minimum` is the checker's business",
        relax: |schema| remove_everywhere(schema, "minimum"),
        example: r#"{"type":"TEXT_MESSAGE_END","threadId":"t","runId":"r","messageId":"m","role":"assistant","stage":"worker","status":"success","answer":"a","suggested_actions":[],"totalTokens":-1}"#,
    },
    Relaxation {
        protocol: Protocol::UBIK,
        reason: "an event of an unknown type is kept whole",
        relax: add_unknown_branch,
        example: r#"{"type":"something_new","level":3}"#,
    },
    Relaxation {
        protocol: Protocol::POLLING,
        reason: "an event of an unknown type is kept, whatever its data",
        relax: |schema| {
            let mut unknown = unknown_branch(schema, &schema["$defs"]);
            unknown["properties"]["idx"] = json!({"type": "integer", "minimum": 0});
            unknown["properties"]["ts"] = json!({"type": "number"});
            unknown["required"] = json!(["idx", "type", "data", "ts"]);
            schema["oneOf"].as_array_mut().unwrap().push(unknown);
        },
        example: r#"{"idx":1,"type":"something_new","data":[3],"ts":1}"#,
    },
    Relaxation {
        protocol: Protocol::POLLING,
        reason: "a negative `idx` is an integer",
        relax: |schema| remove_everywhere(schema, "minimum"),
        example: r#"{"idx":-1,"type":"ai_message_start","data":{},"ts":1}"#,
    },
    Relaxation {
        protocol: Protocol::POLLING,
        reason: "what the server always sends, and no event is understood by, may be missing",
        relax: |schema| {
            for (name, definition) in schema["$defs"].as_object_mut().unwrap() {
                let demanded = NEEDED.iter().find(|(data, _)| data == name).map_or(&[][..], |(_, members)| *members);
                let required = definition.get_mut("required").and_then(Value::as_array_mut);
                // The envelopes are named after events.
                if let Some(required) = required.filter(|_| !name.ends_with("Event")) {
                    required.retain(|member| demanded.contains(&member.as_str().unwrap()));
                }
            }
        },
        example: r#"{"idx":1,"type":"text_chunk","data":{"content":"a"},"ts":1}"#,
    },
];

/// The members without which decoding refuses a payload of the task API.
const NEEDED: &[(&str, &[&str])] = &[
    ("PollingUserMessageData", &["message"]),
    ("PollingStreamResetData", &["reason", "attempt", "max_attempts", "retry_in"]),
    ("PollingThinkingChunkData", &["content"]),
    ("PollingThinkingEndData", &["full_content"]),
    ("PollingTextChunkData", &["content"]),
    ("PollingTextEndData", &["full_content"]),
    ("PollingToolHintData", &["id", "name", "message", "confidence"]),
    ("PollingToolPreparingData", &["id", "name"]),
    ("PollingToolIntentData", &["name", "intent"]),
    ("PollingToolStartData", &["id", "name", "arguments"]),
    ("PollingAppendPayloadData", &["path", "forced", "lines", "bytes", "tool_call_id", "success"]),
    ("PollingModifyPayloadData", &["path", "total", "completed", "failed", "forced", "success"]),
    ("PollingTodoUpdatedData", &["todo_list"]),
    ("PollingEditedFilesUpdatedData", &["edited_files"]),
    ("PollingEditSummaryUpdatedData", &["message_id", "edit_summary"]),
    ("PollingTaskStoppedData", &["message"]),
];

/// Calls `visit` for every object of the schema.
fn each_object(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    if let Value::Object(object) = schema {
        visit(object);
    }
    match schema {
        Value::Object(object) => object.values_mut().for_each(|value| each_object(value, visit)),
        Value::Array(items) => items.iter_mut().for_each(|value| each_object(value, visit)),
        _ => {}
    }
}

fn remove_everywhere(schema: &mut Value, keyword: &str) {
    each_object(schema, &mut |object| drop(object.remove(keyword)));
}

/// The keywords of member `name` of the root.
fn keywords<'s>(schema: &'s mut Value, name: &str) -> &'s mut Map<String, Value> {
    schema["properties"][name].as_object_mut().unwrap()
}

/// Makes the union of events take those of unknown types.
fn add_unknown_branch(schema: &mut Value) {
    let unknown = unknown_branch(schema, &schema["$defs"]);
    schema["oneOf"].as_array_mut().unwrap().push(unknown);
}

/// The branch that a union lacks: an object whose tag is none of its tags.
fn unknown_branch(union: &Value, definitions: &Value) -> Value {
    let mut member = String::new();
    let mut tags = Vec::new();
    let mut others = Vec::new();
    for branch in union["oneOf"].as_array().unwrap() {
        let definition = branch["$ref"].as_str().unwrap().trim_start_matches("#/$defs/");
        // Each branch owns its tag: the one member that is a constant, or one of several names,
        // or is told by how it ends.
        let properties = definitions[definition]["properties"].as_object().unwrap();
        let constant = properties.iter().find(|(_, schema)| schema.get("const").is_some());
        let tag = constant.or_else(|| ["type", "event"].iter().find_map(|name| properties.get_key_value(*name)));
        let (name, schema) = tag.unwrap();
        member.clone_from(name);
        match schema.get("enum").and_then(Value::as_array) {
            Some(names) => tags.extend_from_slice(names),
            None if schema.get("pattern").is_some() => others.push(json!({"pattern": schema["pattern"]})),
            None => tags.push(schema["const"].clone()),
        }
    }
    others.push(json!({"enum": tags}));
    let mut properties = Map::new();
    properties.insert(member.clone(), json!({"type": "string", "not": {"anyOf": others}}));
    json!({"type": "object", "properties": properties, "required": [member]})
}

/// A protocol's committed schema, and what decoding makes of it.
struct Contract {
    protocol: Protocol,
    schema: Value,
    published: Validator,
    relaxed: Validator,
}

static LIME: LazyLock<Contract> = LazyLock::new(|| Contract::of(&Protocol::LIME, "lime/v0.1/event.schema.json"));
static AGUI: LazyLock<Contract> = LazyLock::new(|| Contract::of(&Protocol::AGUI, "agui/1.0/known-event.schema.json"));
static SOCIAL_APP: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(&Protocol::SOCIAL_APP, "social-app/2026-04-24/known-event.schema.json"));

static UBIK: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(&Protocol::UBIK, "ubik/2026-08-21/known-event.schema.json"));
static POLLING: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(&Protocol::POLLING, "polling/2026-10-07/known-event.schema.json"));

fn contract(protocol: &Protocol) -> &'static Contract {
    match protocol.id() {
        "lime" => &LIME,
        "agui" => &AGUI,
        "social-app" => &SOCIAL_APP,
        "ubik" => &UBIK,
        "polling" => &POLLING,
        other => panic!("{other} is not tested here"),
    }
}

impl Contract {
    fn of(protocol: &Protocol, path: &str) -> Self {
        let text = std::fs::read_to_string(crate::common::repository().join("schemas").join(path)).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        let published = jsonschema::validator_for(&schema).unwrap();
        let relaxed = Self::relaxed_but_for(&protocol.clone(), &schema, "");
        Self { protocol: protocol.clone(), schema, published, relaxed }
    }

    /// The schema with every relaxation but one.
    fn relaxed_but_for(protocol: &Protocol, schema: &Value, reason: &str) -> Validator {
        let mut schema = schema.clone();
        for row in RELAXATIONS.iter().filter(|row| row.protocol == protocol.clone() && row.reason != reason) {
            (row.relax)(&mut schema);
        }
        jsonschema::validator_for(&schema).unwrap()
    }

    /// What the three make of an event, if they do not agree.
    fn judge(&self, text: &str) -> Result<(), String> {
        // Lone surrogates and numbers beyond a double are no values to the schema's reader.
        let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(()) };
        let valid = self.published.is_valid(&value);
        let mut checker = Checker::builder(self.protocol.clone()).profile(Profile::Schema).build();
        let findings = checker.check_as("Event", Input::event(text)).unwrap();
        if findings.is_empty() != valid {
            let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
            return Err(format!("the schema says {valid}, the checker {findings:?}: {text}"));
        }
        let decoded = Decoded::from_json(&self.protocol.clone(), text);
        if decoded.is_ok() != self.relaxed.is_valid(&value) {
            return Err(format!("the relaxed schema says otherwise than decoding, {:?}: {text}", decoded.err()));
        }
        match decoded {
            Ok(event) if valid && !event.is_of_known_type() => Err(format!("valid, and decoded as unknown: {text}")),
            Err(error) if valid => Err(format!("valid, and not decoded, {error}: {text}")),
            _ => Ok(()),
        }
    }

    /// Judges every event of the fixtures, and of the corpus where there is one: it adds samples,
    /// so these are no tests of the corpus, and `at_least` counts the fixtures alone.
    fn judge_all(&self, at_least: usize) {
        let sources = [crate::common::fixture_events, crate::common::recorded_events, crate::common::corpus_events];
        let events: BTreeMap<String, String> = sources
            .iter()
            .flat_map(|source| source(&self.protocol.clone()))
            .map(|sample| (sample.text, sample.origin))
            .collect();
        let mut failures = Failures::default();
        for (text, origin) in events {
            let verdict = self.judge(&text);
            failures.check(verdict.is_ok(), || format!("{origin}: {}", verdict.unwrap_err()));
        }
        failures.finish(at_least);
    }
}

#[test]
fn every_lime_event_is_judged_alike() {
    LIME.judge_all(2000);
}

#[test]
fn every_agui_event_is_judged_alike() {
    AGUI.judge_all(900);
}

#[test]
fn every_social_app_event_is_judged_alike() {
    SOCIAL_APP.judge_all(130);
}

#[test]
fn every_ubik_event_is_judged_alike() {
    UBIK.judge_all(200);
}

#[test]
fn every_polling_event_is_judged_alike() {
    POLLING.judge_all(300);
}

/// Frames of tool executions that no fixture has: names and data.
const TOOL_FRAMES: &[(&str, &str)] = &[
    ("something_new", r#"{"level":3}"#),
    ("something_new", "7"),
    ("tool_update", "{}"),
    ("tool_update", "[]"),
    ("tool_update", r#"{"phase":null}"#),
    ("tool_update", r#"{"phase":"OTHER","reranked_results":"two","sources":{}}"#),
    ("tool_partial_update", r#"{"output_key":"response"}"#),
    ("tool_partial_update", r#"{"content":"a","data":7}"#),
    ("tool_input_required", r#"{"prompt":"p","input_types":["text"],"timeout":300}"#),
    ("tool_input_required", r#"{"prompt":"p","input_types":["text",1],"timeout":300,"state":{}}"#),
    ("tool_end", r#"{"execution_id":"e","response":7}"#),
    ("tool_end", r#"{"response":"a"}"#),
    ("final_result", r#"{"execution_id":"e","status":"completed","outputs":[]}"#),
    ("error", r#"{"message":"m"}"#),
    ("error", r#"{"message":"m","code":404}"#),
    (
        "tool_end_delta_sse",
        r#"{"chunk_id":"c","chunk_index":0,"total_chunks":2,"original_event_type":"tool_end","chunk_data":"{"}"#,
    ),
    ("tool_end_delta_sse", r#"{"chunk_id":"c","chunk_index":"0","total_chunks":2,"original_event_type":"tool_end"}"#),
    ("tool_log", r#"{"line":"a"}"#),
];

/// A frame of a tool execution has the type beside the data. Decoding takes names that are
/// not known, and the end of a tool without the id of the execution.
#[test]
fn every_frame_of_a_ubik_tool_is_judged_alike() {
    let path = crate::common::repository().join("schemas/ubik/2026-08-21/tool-event.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let published = jsonschema::validator_for(&schema).unwrap();
    let mut relaxed = schema.clone();
    let mut unknown = unknown_branch(&relaxed, &relaxed["$defs"]);
    unknown["required"] = json!(["event", "data"]);
    relaxed["oneOf"].as_array_mut().unwrap().push(unknown);
    let ends = relaxed["$defs"]["UbikToolStreamEnd"]["required"].as_array_mut();
    ends.unwrap().retain(|member| member != "execution_id");
    let relaxed = jsonschema::validator_for(&relaxed).unwrap();
    let own = TOOL_FRAMES.iter().map(|(name, data)| {
        ((*name).to_owned(), Sample { origin: format!("a frame of {name}"), text: (*data).to_owned() })
    });
    let mut failures = Failures::default();
    for (name, Sample { origin, text }) in crate::common::named_frames(&Protocol::UBIK).into_iter().chain(own) {
        let Ok(data) = serde_json::from_str::<Value>(&text) else { continue };
        let frame = json!({"event": name, "data": data});
        let valid = published.is_valid(&frame);
        let mut fields = FrameFields::default();
        fields.name = Some(Field::new(name.as_bytes(), Segment::WHOLE));
        let mut checker = Checker::builder(Protocol::UBIK).profile(Profile::Schema).build();
        let findings = checker.check_as("Event", Input::event(&text).in_frame(fields)).unwrap();
        let found: Vec<String> = findings.iter().map(ToString::to_string).collect();
        failures.check(found.is_empty() == valid, || {
            format!("{origin}: the schema says {valid}, the checker {found:?}: {text}")
        });
        let decoded = ubik::ToolEvent::from_tagged_json(&name, &text);
        let decodes = relaxed.is_valid(&frame);
        failures.check(decoded.is_ok() == decodes, || {
            format!("{origin}: the relaxed schema says {decodes}, decoding {:?}: {text}", decoded.err())
        });
    }
    failures.finish(180);
}

#[test]
fn every_relaxation_has_an_event_that_needs_it() {
    let mut failures = Failures::default();
    for row in RELAXATIONS {
        let contract = contract(&row.protocol.clone());
        let event: Value = serde_json::from_str(row.example).unwrap();
        failures
            .check(!contract.published.is_valid(&event), || format!("{}: the schema accepts the example", row.reason));
        let decoded = Decoded::from_json(&row.protocol.clone(), row.example);
        failures.check(decoded.is_ok(), || format!("{}: {}", row.reason, decoded.unwrap_err()));
        let without = Contract::relaxed_but_for(&row.protocol.clone(), &contract.schema, row.reason);
        failures.check(!without.is_valid(&event), || format!("{}: the example passes without it", row.reason));
    }
    failures.finish(3 * RELAXATIONS.len());
}

/// Events of fixtures with one to four faults, the tag first or in the order of the alphabet.
fn mutated(protocol: &Protocol) -> impl Strategy<Value = String> {
    let events: Vec<Value> = crate::common::fixture_events(&protocol.clone())
        .iter()
        .filter(|sample| sample.text.len() < 2000)
        .map(|sample| serde_json::from_str(&sample.text).unwrap())
        .collect();
    let mutations = prop::collection::vec((any::<Index>(), Mutation::any(protocol)), 1..=4);
    (select(events), mutations, any::<bool>()).prop_map(|(mut event, mutations, tag_first)| {
        for (at, mutation) in &mutations {
            mutation.apply(&mut event, *at);
        }
        let tag = event.as_object_mut().filter(|_| tag_first).and_then(|members| members.remove("type"));
        match (tag, event.to_string()) {
            (Some(tag), rest) if rest == "{}" => format!("{{\"type\":{tag}}}"),
            (Some(tag), rest) => format!("{{\"type\":{tag},{}", &rest[1..]),
            (None, text) => text,
        }
    })
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn mutated_lime_events_are_judged_alike(text in mutated(&Protocol::LIME)) {
        prop_assert_eq!(LIME.judge(&text), Ok(()));
    }

    #[test]
    fn mutated_agui_events_are_judged_alike(text in mutated(&Protocol::AGUI)) {
        prop_assert_eq!(AGUI.judge(&text), Ok(()));
    }

    #[test]
    fn mutated_social_app_events_are_judged_alike(text in mutated(&Protocol::SOCIAL_APP)) {
        prop_assert_eq!(SOCIAL_APP.judge(&text), Ok(()));
    }

    #[test]
    fn mutated_ubik_events_are_judged_alike(text in mutated(&Protocol::UBIK)) {
        prop_assert_eq!(UBIK.judge(&text), Ok(()));
    }

    #[test]
    fn mutated_polling_events_are_judged_alike(text in mutated(&Protocol::POLLING)) {
        prop_assert_eq!(POLLING.judge(&text), Ok(()));
    }
}
