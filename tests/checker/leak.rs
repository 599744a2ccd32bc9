//! No output shows a value of the input.
//!
//! Canaries are planted in every place of fixture events, and everything that is said
//! about those events is searched for them. What may be shown, and so is not planted or
//! not in such places: key names, short harmless ids, tags and enum values, and the
//! numbers of the ordering counter and of places in a count.

use std::collections::HashSet;

use crate::common::{Decoded, Failures, Place, at_place, count_places, fixtures};
use agent_contracts::check::{Checker, Finding, Input, Profile};
use agent_contracts::stream::sse::Parser;
use agent_contracts::stream::{Framing, StreamChecker};
use agent_contracts::wire::{Extra, Json, JsonObject, NonNullJson};
use agent_contracts::{Protocol, lime, polling, social_app, ubik};
use serde_json::{Value, json};

const PROTOCOLS: [Protocol; 5] =
    [Protocol::LIME, Protocol::AGUI, Protocol::SOCIAL_APP, Protocol::UBIK, Protocol::POLLING];
const PROFILES: [Profile; 3] = [Profile::Strict, Profile::Reference, Profile::Schema];

/// Characters that no id has.
const SENTENCE: &str = "CANARY value that must not show, 7f3a";
/// Characters of an id, and more of them than any id that is shown.
const LONG: &str = "CANARY-7f3a-CANARY-7f3a-CANARY-7f3a-CANARY-7f3a-CANARY-7f3a-CANARY-7f3a";
const NUMBER: u64 = 424_242_424_242;
/// What follows the prefix of [`token`].
const SECRET: &str = "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG";

/// What no output may hold.
const NEEDLES: [&str; 3] = ["CANARY", "424242424242", SECRET];

/// Text of the shape of a provider token, put together so that scanners do not take this
/// file for a leak.
fn token() -> String {
    ["ghp_", SECRET].concat()
}

/// What is planted: strings, a number, and both where neither is expected.
fn canaries() -> Vec<Value> {
    vec![
        json!(SENTENCE),
        json!(LONG),
        json!(token()),
        json!(format!("Use {} to sign in.", token())),
        json!(NUMBER),
        json!([SENTENCE, NUMBER, token()]),
        json!({"note": SENTENCE, "count": NUMBER, "text": token()}),
    ]
}

/// Searches whatever is shown.
#[derive(Default)]
struct Search {
    failures: Failures,
    debugged: HashSet<(String, String)>,
}

impl Search {
    fn text(&mut self, origin: &str, part: &str, shown: &str) {
        for needle in NEEDLES {
            self.failures.check(!shown.contains(needle), || format!("{origin}: {part} shows {needle}: {shown}"));
        }
    }

    /// Looks at every part of a finding about `text`.
    fn finding(&mut self, origin: &str, finding: &Finding, text: &[u8]) {
        let rule = finding.rule.id();
        for (part, shown) in [
            ("message", finding.message.as_str()),
            ("path", &finding.path),
            ("pointer", &finding.pointer),
            ("display", &finding.to_string()),
            ("excerpt", &finding.excerpt(text).text),
        ] {
            self.text(origin, &format!("the {part} of {rule}"), shown);
        }
        for related in &finding.related {
            self.text(origin, &format!("a related place of {rule}"), &related.message);
        }
        // The debug form repeats the same fields at length: once a rule and origin.
        if self.debugged.insert((origin.to_owned(), rule.to_owned())) {
            self.text(origin, &format!("the debug form of {rule}"), &format!("{finding:?}"));
        }
    }

    /// Checks events as one stream, in every profile.
    fn stream(&mut self, origin: &str, protocol: &Protocol, events: &[String]) {
        for mut checker in checkers(protocol) {
            for event in events {
                for finding in checker.push(Input::event(event)) {
                    self.finding(origin, finding, event.as_bytes());
                }
            }
            for finding in checker.finish() {
                self.finding(origin, finding, &[]);
            }
        }
    }

    /// Checks one value by itself, in every profile.
    fn document(&mut self, origin: &str, protocol: &Protocol, kind: &str, text: &str) {
        for mut checker in checkers(protocol) {
            for finding in checker.check_as(kind, Input::event(text)).unwrap() {
                self.finding(origin, finding, text.as_bytes());
            }
        }
    }

    /// Checks bytes as lines that may stop anywhere, in every profile.
    fn lines(&mut self, origin: &str, protocol: &Protocol, bytes: &[u8]) {
        self.bytes(origin, protocol, Framing::Ndjson, bytes);
    }

    fn bytes(&mut self, origin: &str, protocol: &Protocol, framing: Framing, bytes: &[u8]) {
        for checker in checkers(&protocol.clone()) {
            let mut stream = StreamChecker::of(checker, framing);
            for found in stream.push(bytes) {
                self.finding(origin, &found, bytes);
                self.text(origin, "an excerpt", &format!("{:?} {found:?}", found.excerpt()));
            }
            for found in stream.finish() {
                self.finding(origin, &found, &[]);
            }
            self.text(origin, "a stream checker", &format!("{stream:?}"));
        }
    }

    /// Checks server-sent events, in every profile.
    fn sse(&mut self, origin: &str, protocol: &Protocol, stream: &str) {
        self.bytes(origin, protocol, Framing::Sse, stream.as_bytes());
        if *protocol == Protocol::SOCIAL_APP {
            let mut run = social_app::RunSubscription::new("run-001");
            Parser::new().push(stream.as_bytes(), |item| {
                if let Err(error) = run.push(&item) {
                    self.text(origin, "an error of a subscription", &format!("{error} {error:?}"));
                }
            });
        }
    }

    /// Decodes an event, and looks at the error.
    fn decoding(&mut self, origin: &str, protocol: &Protocol, text: &str) {
        if let Err(error) = Decoded::from_json(&protocol.clone(), text) {
            self.text(origin, "a decoding error", &error.to_string());
            self.text(origin, "the debug form of a decoding error", &format!("{error:?}"));
        }
        if let Err(error) = Decoded::from_serde(protocol, text) {
            self.text(origin, "an error by way of serde", &format!("{error} {error:?}"));
        }
    }

    fn finish(self, at_least: usize) {
        self.failures.finish(at_least);
    }
}

/// One for every profile, and one that says which runs do not belong on a connection.
fn checkers(protocol: &Protocol) -> impl Iterator<Item = Checker> {
    let subscribed = protocol.has_subscriptions().then(|| Checker::builder(protocol).run_id("run-001").build());
    PROFILES
        .into_iter()
        .map(move |profile| Checker::builder(protocol.clone()).profile(profile).build())
        .chain(subscribed)
}

/// The events of a fixture.
fn events(fixture: &Value) -> Vec<Value> {
    fixture["events"].as_array().cloned().unwrap_or_default()
}

fn texts(events: &[Value]) -> Vec<String> {
    events.iter().map(Value::to_string).collect()
}

/// Every variant of `value` that has a canary in one of its places.
fn planted(value: &Value) -> impl Iterator<Item = Value> {
    let pairs = (0..count_places(value)).flat_map(|place| canaries().into_iter().map(move |canary| (place, canary)));
    pairs.filter_map(move |(place, canary)| {
        let mut planted = value.clone();
        let mut may_show = false;
        at_place(&mut planted, place, &mut |place| {
            // Rules about order name the counter, and ids of any type.
            let name = place.name();
            let is_id = name == "id" || name.ends_with("Id") || name.ends_with("_id");
            may_show = canary.is_number() && (COUNTERS.contains(&name) || is_id);
            place.set(canary.clone());
        });
        (!may_show).then_some(planted)
    })
}

/// Ordering counters, and places in a count: rules about order name them.
const COUNTERS: [&str; 12] = [
    "sequence",
    "idx",
    "from",
    "next_offset",
    "window_start",
    "index",
    "attempt",
    "max_attempts",
    "step",
    "total_steps",
    "chunk_index",
    "total_chunks",
];

/// The value with a canary in every place at once, apart from what decides which rules run.
fn salted(value: &Value) -> Value {
    fn salt(name: &str, value: &Value, turn: &mut usize) -> Value {
        *turn += 1;
        match value {
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), salt(name, value, turn))).collect()
            }
            Value::Array(items) => items.iter().map(|value| salt("", value, turn)).collect(),
            _ if KEPT.contains(&name) => value.clone(),
            Value::Number(_) => json!(NUMBER),
            Value::String(_) => canaries().swap_remove(*turn % 4),
            other => other.clone(),
        }
    }
    salt("", value, &mut 0)
}

/// Members whose values decide which rules run, and the counters.
const KEPT: [&str; 17] = [
    "type",
    "op",
    "role",
    "subtype",
    "kind",
    "status",
    "eventClass",
    "schemaVersion",
    "sequence",
    "idx",
    "ts",
    "success",
    "next_offset",
    "chunk_id",
    "chunk_index",
    "total_chunks",
    "original_event_type",
];

/// Long events give no more than short ones, and take long.
const LONGEST: usize = 4000;

#[test]
fn a_value_in_any_place_of_an_event_stays_hidden() {
    for protocol in PROTOCOLS {
        let mut search = Search::default();
        // Fixtures of long streams begin alike: an event that several have is planted in once.
        let mut seen = HashSet::new();
        for (origin, fixture) in fixtures(&protocol.clone(), "invalid") {
            let events = events(&fixture);
            let original = texts(&events);
            for (index, event) in events.iter().enumerate().filter(|(index, _)| original[*index].len() < LONGEST) {
                if !seen.insert(original[index].clone()) {
                    continue;
                }
                for planted in planted(event) {
                    let mut stream = original.clone();
                    stream[index] = planted.to_string();
                    search.stream(&origin, &protocol.clone(), &stream);
                    search.decoding(&origin, &protocol.clone(), &stream[index]);
                }
            }
        }
        search.finish(10_000);
    }
}

/// Documents of types that no fixture is about: protocol, type and text.
const DOCUMENTS: &[(Protocol, &str, &str)] = &[(
    Protocol::SOCIAL_APP,
    "HistoryResponse",
    r#"{
        "scope": "history_day", "threadId": "t", "day": "2026-04-24", "hasMore": false, "messages": [
            {"id": "m1", "seq": 1, "role": "user", "content": "hi", "timestamp": "2026-04-24T10:00:00Z",
                "attachments": [{"mimeType": "image/png", "url": "https://example.invalid/a"}]},
            {"id": "m2", "seq": 2, "role": "tool", "content": "{\"count\":0}", "timestamp": "2026-04-24T10:00:01Z",
                "ui_schema": {"version": "2.0", "root": {"type": "stack", "children": []}}},
            {"id": "m3", "seq": "three", "role": "agent", "content": "hello", "timestamp": "2026-04-24T10:00:02Z",
                "suggestedActions": ["Show the day"]}
        ]
    }"#,
)];

/// The documents of the protocol's fixtures and of [`DOCUMENTS`]: origin, type and value.
fn documents(protocol: &Protocol) -> Vec<(String, String, Value)> {
    let of_fixture = |(origin, fixture): (String, Value)| {
        let kind = fixture["as"].as_str()?.split('/').nth(1)?.to_owned();
        Some((origin, kind, fixture["document"].clone()))
    };
    let mut found: Vec<_> = fixtures(&protocol.clone(), "invalid").into_iter().filter_map(of_fixture).collect();
    for (_, kind, text) in DOCUMENTS.iter().filter(|row| row.0 == protocol.clone()) {
        found.push((format!("a {kind}"), (*kind).to_owned(), serde_json::from_str(text).unwrap()));
    }
    found
}

#[test]
fn a_value_in_any_place_of_a_document_stays_hidden() {
    for protocol in PROTOCOLS.iter().filter(|protocol| !documents(protocol).is_empty()) {
        let mut search = Search::default();
        for (origin, kind, document) in documents(&protocol.clone()) {
            for planted in planted(&document) {
                search.document(&origin, &protocol.clone(), &kind, &planted.to_string());
            }
        }
        search.finish(1000);
    }
}

#[test]
fn a_token_is_hidden_even_as_a_key() {
    for protocol in PROTOCOLS {
        let mut search = Search::default();
        for (origin, fixture) in fixtures(&protocol.clone(), "invalid") {
            for event in events(&fixture).iter().filter(|event| event.to_string().len() < LONGEST) {
                for place in 0..count_places(event) {
                    for key in [token(), format!("key {}", token())] {
                        let mut renamed = event.clone();
                        at_place(&mut renamed, place, &mut |place| {
                            if let Place::Member(members, name) = place {
                                let value = members.remove(name).unwrap_or_default();
                                // Something to report below the key, whatever the event.
                                members.insert(key.clone(), json!({"value": value, "password": SENTENCE}));
                            }
                        });
                        let text = renamed.to_string();
                        search.decoding(&origin, &protocol.clone(), &text);
                        search.stream(&origin, &protocol.clone(), &[text]);
                    }
                }
            }
        }
        search.finish(10_000);
    }
}

#[test]
fn a_token_that_is_spelled_with_an_escape_is_hidden_too() {
    let key = ["\\u0067hp_", SECRET].concat();
    let mut search = Search::default();
    for (protocol, text) in [
        (Protocol::LIME, format!(r#"{{"id":"e","payload":{{"{key}":{{"password":1}}}}}}"#)),
        (Protocol::LIME, format!(r#"{{"id":"e","{key}":1}}"#)),
        (Protocol::AGUI, format!(r#"{{"type":"STEP_STARTED","stepName":1,"metadata":{{"{key}":{{"password":1}}}}}}"#)),
        (Protocol::AGUI, format!(r#"{{"type":"STEP_STARTED","stepName":"s","{key}":1}}"#)),
        (Protocol::SOCIAL_APP, format!(r#"{{"type":"TOOL_CALL_RESULT","result":{{"{key}":{{"password":1}}}}}}"#)),
        (Protocol::SOCIAL_APP, format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","{key}":1}}"#)),
        (Protocol::UBIK, format!(r#"{{"type":"agent_step_completed","results":{{"{key}":{{"password":1}}}}}}"#)),
        (Protocol::UBIK, format!(r#"{{"type":"response_chunk","content":"a","{key}":1}}"#)),
        (Protocol::POLLING, format!(r#"{{"idx":0,"type":"todo_updated","data":{{"{key}":{{"password":1}}}},"ts":1}}"#)),
        (Protocol::POLLING, format!(r#"{{"idx":0,"type":"text_start","data":{{}},"ts":1,"{key}":1}}"#)),
    ] {
        search.stream(&text.replace(SECRET, "…"), &protocol, &[text]);
    }
    search.finish(10);
}

#[test]
fn broken_text_stays_hidden() {
    for protocol in PROTOCOLS {
        let mut search = Search::default();
        for (origin, fixture) in fixtures(&protocol.clone(), "invalid") {
            let salted: Vec<Value> = events(&fixture).iter().map(salted).collect();
            for text in texts(&salted).iter().filter(|text| text.len() < LONGEST) {
                for cut in (0..text.len()).step_by(7) {
                    let (front, back) = text.as_bytes().split_at(cut);
                    for piece in [front, back] {
                        search.lines(&origin, &protocol, piece);
                        search.decoding(&origin, &protocol.clone(), &String::from_utf8_lossy(piece));
                    }
                }
            }
        }
        search.finish(10_000);
    }
}

/// An event of more than one protocol, whose frames are what is wrong.
const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"run-001"}"#;

#[test]
fn a_value_in_any_line_of_a_frame_stays_hidden() {
    let mut search = Search::default();
    for protocol in PROTOCOLS {
        for (origin, fixture) in fixtures(&protocol.clone(), "invalid") {
            let lines: Vec<&str> = fixture["sse"].as_str().unwrap_or_default().lines().collect();
            for (index, line) in lines.iter().enumerate() {
                let Some((field, _)) = line.split_once(':') else { continue };
                for canary in [SENTENCE, LONG, token().as_str()] {
                    let planted = format!("{field}: {canary}");
                    let mut stream = lines.clone();
                    stream[index] = &planted;
                    search.sse(&origin, &protocol, &(stream.join("\n") + "\n\n"));
                }
            }
        }
    }
    search.finish(1000);
}

#[test]
fn what_stands_in_an_sse_stream_stays_hidden() {
    let token = token();
    let streams = [
        format!("event: {SENTENCE}\nid: {token}\nretry: {NUMBER}\ndata: {{\"type\":\"{SENTENCE}\"}}\n\n"),
        format!("event: {LONG}\r\ndata: {{\"type\":\"{token}\"}}\r\n\r\ndata: {{\"type\":{NUMBER}}}\r\n\r\n"),
        format!("data: {SENTENCE}\n\ndata: {token}\n\ndata: {NUMBER}\n\ndata: [DONE] {SENTENCE}\n\n"),
        format!("data: {{\"type\":\"RAW\",\ndata: \"event\":\"{SENTENCE}\ndata: {token}\"}}\n\n"),
        format!(" data: {SENTENCE}\n{SENTENCE}\n{token}: {NUMBER}\n\u{feff}data: {token}\n\n"),
        format!("data: {{\"id\":\"{SENTENCE}\",\"eventClass\":\"{token}\",\"title\":{NUMBER}}}"),
        format!("data: [\"{SENTENCE}\",{NUMBER},\"{token}\"]\n\n"),
        format!(
            "event: tool_update\ndata: {{\"phase\":{NUMBER},\"query\":[\"{SENTENCE}\"],\"output_key\":\"{token}\"}}\n\n"
        ),
        format!(
            "event: {LONG}_delta_sse\ndata: {{\"chunk_id\":\"{SENTENCE}\",\"chunk_data\":\"{token}\",\"original_event_type\":\"{LONG}\",\"chunk_index\":0,\"total_chunks\":1}}\n\n"
        ),
        format!("data: {{\"success\":false,\"error\":{NUMBER},\"data\":\"{SENTENCE}\"}}\n\n"),
        format!(
            "id: {NUMBER}-1\nevent: {token}\ndata: {STARTED}\n\nid: {NUMBER}-0\nevent: {LONG}\ndata: {STARTED}\n\n"
        ),
        format!(
            "id: {NUMBER}\nevent: {SENTENCE}\ndata: {STARTED}\n\nid: {LONG}\nevent: RUN_STARTED\ndata: {STARTED}\n\n"
        ),
    ];
    let mut search = Search::default();
    for protocol in PROTOCOLS {
        for (index, stream) in streams.iter().enumerate() {
            search.sse(&format!("{protocol} stream {index}"), &protocol, stream);
        }
    }
    search.finish(100);
}

#[test]
fn debug_forms_of_opaque_values_show_nothing() {
    let mut extra = Extra::new();
    extra.insert("note", json!(SENTENCE));
    let unknown = |tag: &str| {
        let text = json!({"type": tag, "note": SENTENCE, "count": NUMBER}).to_string();
        let envelope = json!({"idx": 1, "type": tag, "data": {"note": SENTENCE, "count": NUMBER}, "ts": 1}).to_string();
        [
            (Protocol::AGUI, &text),
            (Protocol::SOCIAL_APP, &text),
            (Protocol::UBIK, &text),
            (Protocol::POLLING, &envelope),
        ]
        .map(|(protocol, text)| Decoded::from_json(&protocol, text).unwrap())
    };
    let members = json!({"note": SENTENCE, "count": NUMBER, "text": token()});
    let args = social_app::ToolCallArgs::new("calendar", "read", JsonObject::new(members.clone().into()).unwrap());
    let mut search = Search::default();
    for (part, shown) in [
        ("Json", format!("{:?}", Json::from(members.clone()))),
        ("NonNullJson", format!("{:?}", NonNullJson::new(json!(NUMBER).into()))),
        ("JsonObject", format!("{:?}", JsonObject::new(members.into()))),
        ("Extra", format!("{extra:?}")),
        ("Unknown", format!("{:?}", unknown("SOMETHING_NEW"))),
        ("Unknown", format!("{:?} {:?} {:?}", unknown(SENTENCE), unknown(LONG), unknown(&token()))),
        ("OtherValue", format!("{:?} {:?}", lime::EventClass::from(SENTENCE), lime::Status::from(&*token()))),
        ("OtherValue", format!("{:?} {:?}", social_app::Stage::from(LONG), social_app::CostSource::from(&*token()))),
        ("OtherValue", format!("{:?} {:?}", ubik::Phase::from(SENTENCE), polling::TaskStatus::from(&*token()))),
        ("ToolCallArgs", format!("{args:?}")),
    ] {
        search.text("values", &format!("the debug form of {part}"), &shown);
    }
    search.finish(10);
}

#[cfg(feature = "cli")]
mod command_line {
    use serde_json::{Value, json};

    use super::{LONG, LONGEST, NUMBER, PROTOCOLS, SENTENCE, Search, events, salted, texts, token};
    use crate::common::fixtures;

    const FORMATS: [&str; 8] = ["human", "json", "sarif", "junit", "github", "gitlab", "markdown", "agent"];

    /// Runs the command in `dir` and searches both of its outputs.
    fn run(search: &mut Search, dir: &std::path::Path, arguments: &[&str]) {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts");
        let output = command.current_dir(dir).args(arguments).env_remove("GITHUB_STEP_SUMMARY").output().unwrap();
        let command = arguments.join(" ");
        for (part, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
            let shown = String::from_utf8_lossy(&bytes);
            // One line at a time: a leak is easier to see.
            for line in shown.lines() {
                search.text(&command, part, line);
            }
        }
    }

    #[test]
    fn both_outputs_of_every_format_hide_values() {
        for protocol in PROTOCOLS {
            let dir = tempfile::tempdir().unwrap();
            let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
            let salted: Vec<Value> = fixtures(&protocol.clone(), "invalid")
                .iter()
                .flat_map(|(_, fixture)| events(fixture))
                .map(|event| salted(&event))
                .filter(|event| event.to_string().len() < LONGEST)
                .step_by(3)
                .collect();
            let lines = texts(&salted);
            let cut = |line: &String| (7..line.len()).step_by(35).map(|at| line[..at].to_owned()).collect::<Vec<_>>();
            write("lines.jsonl", &lines.join("\n"));
            write(
                "broken.jsonl",
                &lines.iter().filter(|line| line.is_ascii()).flat_map(cut).collect::<Vec<_>>().join("\n"),
            );
            write("array.json", &serde_json::to_string_pretty(&salted).unwrap());
            write("torn.json", &format!("[{}", lines.join(",").trim_end_matches('}')));
            let frame = |line: &String| format!("id: {}\nevent: {SENTENCE}\ndata: {line}\n\n", token());
            let frames: Vec<String> = lines.iter().map(frame).collect();
            write("frames.sse", &frames.concat());
            let fixture = json!({"protocol": protocol.id(), "title": "salted", "events": salted, "expect": []});
            write("fixture.json", &fixture.to_string());
            let mut search = Search::default();
            let kind = format!("{protocol}/Event");
            for format in FORMATS {
                for file in ["lines.jsonl", "broken.jsonl", "array.json", "torn.json", "frames.sse"] {
                    run(&mut search, dir.path(), &["check", "--protocol", protocol.id(), "--format", format, file]);
                }
                run(&mut search, dir.path(), &["check", "--as", &kind, "--format", format, "lines.jsonl"]);
                let reference = protocol.has_reference().then_some("reference");
                for profile in reference.into_iter().chain(["schema"]) {
                    let arguments =
                        ["check", "--protocol", protocol.id(), "--profile", profile, "--format", format, "lines.jsonl"];
                    run(&mut search, dir.path(), &arguments);
                }
            }
            run(&mut search, dir.path(), &["check", "."]);
            for format in FORMATS {
                run(&mut search, dir.path(), &["test", "--format", format, "fixture.json"]);
            }
            search.finish(1000);
        }
    }

    #[test]
    fn names_of_files_hide_tokens() {
        let dir = tempfile::tempdir().unwrap();
        let token = token();
        let folder = dir.path().join(&token);
        std::fs::create_dir(&folder).unwrap();
        let write = |name: String, text: &[u8]| std::fs::write(folder.join(name), text).unwrap();
        let event = r#"{"id":"e","schemaVersion":"lime-runtime-event/v0.1"}"#;
        write(format!("run-{token}.jsonl"), event.as_bytes());
        write(format!("{token}.packed.jsonl"), b"\x1F\x8B\x01");
        let expect = json!([{"rule": "lime/secret-key", "path": format!("$.{token}")}]);
        let fixture = json!({"protocol": "lime", "title": "t", "events": [], "expect": expect});
        write(format!("{token}.json"), fixture.to_string().as_bytes());
        let mut search = Search::default();
        for format in FORMATS {
            for said in ["--quiet", "--verbose"] {
                run(&mut search, dir.path(), &["check", "--format", format, said, "."]);
            }
            run(&mut search, dir.path(), &["check", "--format", format, &token]);
            run(&mut search, dir.path(), &["check", "--format", format, &format!("{token}.jsonl")]);
            run(&mut search, dir.path(), &["test", "--format", format, "."]);
        }
        run(&mut search, dir.path(), &["check", "--list-files", "."]);
        run(&mut search, dir.path(), &["check", "--baseline", &token, "."]);
        run(&mut search, dir.path(), &["check", "--config", &token, "."]);
        search.finish(100);
    }

    /// A fixture file can hold secrets as well, where a recording was pasted into it.
    #[test]
    fn a_fixture_that_is_not_understood_is_not_quoted() {
        let dir = tempfile::tempdir().unwrap();
        let token = token();
        let fixtures = [
            json!({"protocol": "lime", "title": "t", "events": [], "expect": SENTENCE}),
            json!({"protocol": "lime", "title": "t", "events": SENTENCE, "expect": []}),
            json!({"protocol": SENTENCE, "title": "t", "events": [], "expect": []}),
            json!({"protocol": "lime", "title": "t", "events": [], "expect": [{"event": SENTENCE}]}),
            json!({"protocol": "lime", "title": "t", "profile": LONG, "events": [], "expect": []}),
            json!({"protocol": "lime", "title": "t", "events": [], "expect": [], token: NUMBER}),
            json!({"protocol": "lime", "title": "t", "limits": {"depth": NUMBER}, "events": [], "expect": []}),
        ];
        for (index, fixture) in fixtures.iter().enumerate() {
            std::fs::write(dir.path().join(format!("{index}.json")), fixture.to_string()).unwrap();
        }
        std::fs::write(dir.path().join("broken.json"), format!("{{\"title\": \"{SENTENCE}\", \"expect\": {SENTENCE}"))
            .unwrap();
        let mut search = Search::default();
        run(&mut search, dir.path(), &["test", "."]);
        search.finish(10);
    }
}

/// A token is found in the deltas of a message, of arguments and of chunks, wherever they
/// are cut, and reported once.
#[test]
fn tokens_are_found_across_deltas() {
    let token = ["glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat();
    let text = format!("use {token} there");
    for (open, piece, close) in [
        (
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
        ),
        (
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"search"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
        ),
        ("", r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"#, ""),
    ] {
        for width in [1, 3, 7, 20, text.len()] {
            let mut checker = Checker::new(Protocol::AGUI);
            let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned();
            let pieces = text.as_bytes().chunks(width).map(|bytes| {
                let delta = serde_json::to_string(std::str::from_utf8(bytes).unwrap()).unwrap();
                format!("{piece}{delta}}}")
            });
            let events = [start, open.to_owned()].into_iter().chain(pieces).chain([close.to_owned()]);
            let mut found = Vec::new();
            for event in events.filter(|event| !event.is_empty()) {
                found.extend(checker.push(Input::event(&event)).iter().map(|finding| finding.rule.id().to_owned()));
            }
            // The text is no JSON, which arguments have to be.
            found.retain(|rule| rule != "agui/tool-arguments-not-json");
            assert_eq!(found, ["agui/secret-value"], "{piece} {width}");
        }
    }
}

/// A token is found also where the contract asks for a JSON Pointer, and is not shown.
#[test]
fn tokens_are_found_in_the_paths_of_patches() {
    let token = ["glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat();
    for exact in [false, true] {
        let mut checker = Checker::builder(Protocol::AGUI).exact(exact).build();
        let delta = format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"remove","path":"/a/{token}"}}]}}"#);
        let run = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
        let mut found = Vec::new();
        for event in [run, r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":{}}}"#, &delta] {
            found.extend(checker.push(Input::event(event)).iter().cloned());
        }
        let rules: Vec<&str> = found.iter().map(|finding| finding.rule.name()).collect();
        assert_eq!(rules, ["secret-value", "state-delta-not-applicable"], "{exact}");
        assert_eq!(found[1].message, "delta[0] (remove <29 bytes>) does not apply to the state");
    }
}

/// A message and a call may have the same id: their texts are two.
#[test]
fn deltas_of_a_message_and_a_call_are_not_joined() {
    let token = ["glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat();
    let mut checker = Checker::new(Protocol::AGUI);
    let mut found = Vec::new();
    let mut push = |event: String| found.extend(checker.push(Input::event(&event)).iter().map(|found| found.event));
    push(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned());
    push(r#"{"type":"TEXT_MESSAGE_START","messageId":"x","role":"assistant"}"#.to_owned());
    push(r#"{"type":"TOOL_CALL_START","toolCallId":"x","toolCallName":"n"}"#.to_owned());
    for piece in token.as_bytes().chunks(4).map(|piece| std::str::from_utf8(piece).unwrap()) {
        push(format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"x","delta":"{piece}"}}"#));
        push(r#"{"type":"TOOL_CALL_ARGS","toolCallId":"x","delta":"12"}"#.to_owned());
    }
    assert_eq!(found.len(), 1, "{found:?}");
    // The piece with which there are enough characters, and not one of the call.
    assert!(found[0].is_some_and(|event| event % 2 == 1), "{found:?}");
}
