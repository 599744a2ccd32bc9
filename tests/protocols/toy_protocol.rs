//! A protocol that is declared at run time, as a [`Spec`] alone: a schema, the member that
//! tells events apart, two scopes, a sequence, a member to look into. The engine checks it
//! with nothing else; CONTRIBUTING shows the same declaration.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use agent_contracts::check::{
    Checker, Code, Finding, Input, Limits, Profile, Rule, Scope, Severity, Spec, SpecBuilder, SpecError,
};
use agent_contracts::report::Report;
use agent_contracts::stream::{Framing, StreamChecker, detect};
use agent_contracts::{Protocol, agui};
use serde_json::{Value, json};

/// The events of a build service.
const SCHEMA: &str = r##"{
  "oneOf": [
    {"$ref": "#/$defs/JobStarted"},
    {"$ref": "#/$defs/StepStarted"},
    {"$ref": "#/$defs/StepLog"},
    {"$ref": "#/$defs/StepEnded"},
    {"$ref": "#/$defs/JobEnded"}
  ],
  "$defs": {
    "JobStarted": {
      "type": "object",
      "properties": {
        "event": {"const": "job.started"}, "seq": {"type": "integer"}, "job": {"type": "string"},
        "labels": {"type": "object"}
      },
      "required": ["event", "seq", "job"]
    },
    "StepStarted": {
      "type": "object",
      "properties": {
        "event": {"const": "step.started"}, "seq": {"type": "integer"}, "job": {"type": "string"},
        "step": {"type": "string"}
      },
      "required": ["event", "seq", "job", "step"]
    },
    "StepLog": {
      "type": "object",
      "properties": {
        "event": {"const": "step.log"}, "seq": {"type": "integer"}, "step": {"type": "string"},
        "text": {"type": "string"}
      },
      "required": ["event", "seq", "step", "text"],
      "additionalProperties": false
    },
    "StepEnded": {
      "type": "object",
      "properties": {
        "event": {"const": "step.ended"}, "seq": {"type": "integer"}, "step": {"type": "string"},
        "result": {"enum": ["passed", "failed"]}
      },
      "required": ["event", "seq", "step", "result"]
    },
    "JobEnded": {
      "type": "object",
      "properties": {
        "event": {"const": "job.ended"}, "seq": {"type": "integer"}, "job": {"type": "string"}
      },
      "required": ["event", "seq", "job"]
    }
  }
}"##;

fn builder() -> SpecBuilder {
    Spec::builder("builds", SCHEMA)
        .title("the events of a build service")
        .tag("event")
        .sequence("seq")
        .inspect("labels")
        .scope(Scope::new("job", "job").opened_by("job.started").used_by("step.started").closed_by("job.ended"))
        .scope(Scope::new("step", "step").opened_by("step.started").used_by("step.log").closed_by("step.ended"))
}

fn builds() -> Protocol {
    builder().build().expect("the tables go with the schema").into()
}

/// A protocol whose types have other names.
fn doors() -> Protocol {
    let schema = r##"{"oneOf":[{"$ref":"#/$defs/Opened"},{"$ref":"#/$defs/Closed"}],"$defs":{
        "Opened":{"type":"object","properties":{"type":{"const":"opened"},"door":{"type":"string"}},"required":["type","door"]},
        "Closed":{"type":"object","properties":{"type":{"const":"closed"},"door":{"type":"string"}},"required":["type","door"]}}}"##;
    let doors =
        Spec::builder("doors", schema).scope(Scope::new("door", "door").opened_by("opened").closed_by("closed"));
    doors.build().expect("the tables go with the schema").into()
}

fn clean() -> Vec<Value> {
    vec![
        json!({"event": "job.started", "seq": 1, "job": "j1", "labels": {"team": "a", "max_tokens": 7}}),
        json!({"event": "step.started", "seq": 2, "job": "j1", "step": "s1"}),
        json!({"event": "step.log", "seq": 3, "step": "s1", "text": "compiling"}),
        json!({"event": "step.log", "seq": 4, "step": "s1", "text": "linking"}),
        json!({"event": "step.ended", "seq": 5, "step": "s1", "result": "passed"}),
        json!({"event": "step.started", "seq": 6, "job": "j1", "step": "s2"}),
        json!({"event": "step.ended", "seq": 7, "step": "s2", "result": "failed"}),
        json!({"event": "job.ended", "seq": 8, "job": "j1"}),
    ]
}

/// Numbers the events again.
fn number(events: &mut [Value]) {
    for (seq, event) in (1_u64..).zip(events) {
        event["seq"] = json!(seq);
    }
}

fn lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn frames(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// Rule, severity, path and event of a finding.
type Told = (String, Severity, String, Option<u64>);

fn told(finding: &Finding) -> Told {
    (finding.rule.id().to_owned(), finding.severity, finding.path.clone(), finding.event)
}

/// What is found in a stream, cut into pieces of so many bytes.
fn found_in(stream: &mut StreamChecker, bytes: &[u8], piece: usize) -> Vec<Told> {
    let mut found = Vec::new();
    for piece in bytes.chunks(piece) {
        found.extend(stream.push(piece).map(|finding| told(&finding)));
    }
    found.extend(stream.finish().map(|finding| told(&finding)));
    found
}

/// What is found in events, the same by every way there is.
fn found(events: &[Value]) -> Vec<Told> {
    let check = |checker: &mut Checker| {
        let mut found: Vec<Told> = Vec::new();
        for event in events {
            found.extend(checker.push(Input::event(&event.to_string())).iter().map(told));
        }
        found.extend(checker.finish().iter().map(told));
        found
    };
    let by_event = check(&mut Checker::new(builds()));
    assert_eq!(check(&mut Checker::builder(builds()).exact(true).build()), by_event, "without the short cuts");
    let by_lines = StreamChecker::of(Checker::new(builds()), Framing::Ndjson);
    let by_frames = StreamChecker::of(Checker::new(builds()), Framing::Sse);
    for (mut stream, text) in [(by_lines, lines(events)), (by_frames, frames(events))] {
        for piece in [1, 7, text.len().max(1)] {
            assert_eq!(found_in(&mut stream, text.as_bytes(), piece), by_event, "in pieces of {piece}");
            stream.reset();
        }
    }
    by_event
}

#[test]
fn a_clean_stream_has_no_findings() {
    assert_eq!(found(&clean()), []);
    let mut checker = Checker::builder(builds()).profile(Profile::Schema).build();
    for event in clean() {
        assert!(checker.push(Input::event(&event.to_string())).is_empty());
    }
    assert!(checker.finish().is_empty());
    assert_eq!(checker.events(), 8);
}

/// The clean stream, spoilt in one place.
fn spoilt(spoil: impl FnOnce(&mut Vec<Value>)) -> Vec<Value> {
    let mut events = clean();
    spoil(&mut events);
    events
}

/// Spoils the clean stream in one place; that gives one finding: rule, severity, path, event.
fn gives(told: (&str, Severity, &str, Option<u64>), name: &str, spoil: impl FnOnce(&mut Vec<Value>)) {
    let (rule, severity, path, event) = told;
    assert_eq!(found(&spoilt(spoil)), [(format!("builds/{rule}"), severity, path.to_owned(), event)], "{name}");
}

#[test]
fn an_event_that_does_not_fit_is_one_finding() {
    use Severity::{Error, Warning};
    gives(("not-object", Error, "$", Some(2)), "no object", |events| events[2] = json!([]));
    gives(("schema-mismatch", Error, "$.result", Some(4)), "a member missing", |events| {
        events[4].as_object_mut().unwrap().remove("result");
    });
    gives(("schema-mismatch", Error, "$.text", Some(2)), "another type", |events| events[2]["text"] = json!(1));
    gives(("schema-mismatch", Error, "$.result", Some(4)), "a value outside the list", |events| {
        events[4]["result"] = json!("well");
    });
    gives(("schema-mismatch", Error, "$.level", Some(2)), "a member too many", |events| {
        events[2]["level"] = json!("info");
    });
    gives(("unknown-event-type", Warning, "$.event", Some(2)), "a type that is not known", |events| {
        events[2]["event"] = json!("step.paused");
    });
}

#[test]
fn a_wrong_number_is_one_finding() {
    use Severity::Error;
    gives(("sequence-gap", Error, "$.seq", Some(2)), "an event lost", |events| drop(events.remove(2)));
    gives(("sequence-gap", Error, "$.seq", Some(3)), "an event doubled", |events| events.insert(3, events[2].clone()));
    gives(("sequence-gap", Error, "$.seq", Some(2)), "too high", |events| events[2]["seq"] = json!(99));
    gives(("schema-mismatch", Error, "$.seq", Some(2)), "as text", |events| events[2]["seq"] = json!("3"));
    gives(("schema-mismatch", Error, "$.seq", Some(2)), "no number", |events| {
        events[2].as_object_mut().unwrap().remove("seq");
    });
}

#[test]
fn a_fault_in_the_order_is_one_finding() {
    use Severity::Error;
    gives(("step-already-open", Error, "$.step", Some(2)), "opened again", |events| {
        events.insert(2, events[1].clone());
        number(events);
    });
    gives(("step-not-open", Error, "$.step", Some(1)), "used before it is open", |events| {
        events.insert(1, json!({"event": "step.log", "step": "s9", "text": "early"}));
        number(events);
    });
    gives(("step-not-open", Error, "$.step", Some(5)), "closed twice", |events| {
        events.insert(5, events[4].clone());
        number(events);
    });
    gives(("step-left-open", Error, "$", None), "never closed", |events| {
        events.remove(6);
        number(events);
    });
    // An opener without an id excuses what uses the scope that it opened.
    gives(("schema-mismatch", Error, "$.step", Some(1)), "an opener without an id", |events| {
        events[1]["step"] = json!(null);
    });
    // A closer that names nothing was meant for what is still open at the end.
    gives(("schema-mismatch", Error, "$.step", Some(4)), "a closer without an id", |events| {
        events[4]["step"] = json!(7);
    });
    gives(("step-not-open", Error, "$.step", Some(4)), "a closer of a wrong id", |events| {
        events[4]["step"] = json!("s7");
    });
}

#[test]
fn what_must_not_travel_is_one_finding() {
    use Severity::{Error, Warning};
    gives(("secret-key", Warning, "$.labels.deep[0].password", Some(0)), "a key", |events| {
        events[0]["labels"] = json!({"deep": [{"password": "x"}]});
    });
    gives(("large-inline-value", Warning, "$.labels", Some(0)), "a large value", |events| {
        events[0]["labels"] = json!({"text": "x".repeat(40_000)});
    });
    let token = ["ghp_", "Zk3v9QpLr7Xw2TnB8sYd5HcJ6mFa4GeU1iKo"].concat();
    gives(("secret-value", Error, "$.text", Some(3)), "a credential", |events| events[3]["text"] = json!(token));
}

#[test]
fn two_faults_are_two_findings() {
    let events = spoilt(|events| {
        events[2]["text"] = json!(1);
        events.pop();
    });
    let rules: Vec<String> = found(&events).into_iter().map(|(rule, ..)| rule).collect();
    assert_eq!(rules, ["builds/schema-mismatch", "builds/job-left-open"]);
}

#[test]
fn text_that_is_no_event() {
    let mut stream = StreamChecker::of(Checker::new(builds()), Framing::Ndjson);
    let broken = lines(&clean()).replacen("\"text\":\"compiling\"", "\"text\":", 1);
    let found = found_in(&mut stream, broken.as_bytes(), 16);
    // One event is lost, and its number with it: the next one is no gap.
    assert_eq!(found.iter().map(|(rule, ..)| rule.as_str()).collect::<Vec<_>>(), ["input/not-json"]);
    stream.reset();
    assert_eq!(found_in(&mut stream, b"", 1)[0].0, "input/empty");
}

#[test]
fn findings_say_where_and_what() {
    let events = spoilt(|events| events[4]["step"] = json!("s7"));
    let mut stream = StreamChecker::of(Checker::new(builds()), Framing::Ndjson);
    let text = lines(&events);
    let findings: Vec<_> = stream.push(text.as_bytes()).map(|found| ((*found).clone(), found.excerpt())).collect();
    let [(finding, excerpt)] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.to_string(), "error[builds/step-not-open]: no step s7 is open");
    let place = finding.location.expect("a place");
    let line = text.lines().nth(4).unwrap();
    assert_eq!((place.line, place.column as usize), (5, line.find("\"s7\"").unwrap() + 1));
    assert_eq!(finding.bytes.clone().map(|bytes| &text[bytes.start as usize..bytes.end as usize]), Some("\"s7\""));
    // The name of the type is published, the id is not.
    assert!(excerpt.text.contains("step.ended") && !excerpt.text.contains("s7"), "{}", excerpt.text);

    stream.reset();
    let open = lines(&spoilt(|events| {
        events.remove(6);
        number(events);
    }));
    assert!(stream.push(open.as_bytes()).is_empty());
    let at_end: Vec<Finding> = stream.finish().map(|found| (*found).clone()).collect();
    assert_eq!(at_end[0].to_string(), "error[builds/step-left-open]: step s2 is still open");
    assert_eq!((at_end[0].related[0].message.as_str(), at_end[0].related[0].event), ("opened here", Some(5)));
}

#[test]
fn a_stream_is_abandoned_and_another_begun() {
    let mut stream = StreamChecker::of(Checker::new(builds()), Framing::Sse);
    let frames = frames(&clean());
    let (first, rest) = frames.split_at(frames.len() / 2);
    assert!(stream.push(first.as_bytes()).is_empty());
    assert!(stream.events() > 0);
    // The connection breaks: neither the frame that is cut off nor the open step is a fault.
    stream.abandon();
    assert_eq!(stream.events(), 0);
    assert_eq!(found_in(&mut stream, frames.as_bytes(), 5), []);
    stream.reset();
    assert!(!found_in(&mut stream, rest.as_bytes(), 5).is_empty(), "the rest alone is no clean stream");
}

#[test]
fn settings_are_those_of_every_protocol() {
    let spoilt = spoilt(|events| events[2]["event"] = json!("step.paused"));
    let check = |checker: &mut Checker| -> Vec<Severity> {
        spoilt
            .iter()
            .flat_map(|event| checker.push(Input::event(&event.to_string())).to_vec())
            .map(|found| found.severity)
            .collect()
    };
    let protocol = builds();
    let rule: &Rule = protocol.rules().find(|rule| rule.name() == "unknown-event-type").expect("the rule");
    assert_eq!(check(&mut Checker::builder(&protocol).rule(rule, Some(Severity::Error)).build()), [Severity::Error]);
    assert_eq!(check(&mut Checker::builder(&protocol).code(Code::UnknownEventType, None).build()), []);
    let narrow = Limits::DEFAULT.with_event_bytes(16);
    assert_eq!(check(&mut Checker::builder(&protocol).limits(narrow).build()), [Severity::Error; 8]);
    // No reference, no versions, no rule of another.
    assert!(!protocol.has_reference() && protocol.versions().is_empty());
    assert!(protocol.rules().all(|rule| rule.id().starts_with("builds/")));
    assert_eq!(protocol.title(), "the events of a build service");
}

#[test]
fn a_stream_shows_its_protocol() {
    let (builds, doors) = (builds(), doors());
    let own = [builds.clone(), doors.clone()];
    for (head, framing) in [
        (lines(&clean()), Framing::Ndjson),
        (frames(&clean()), Framing::Sse),
        (json!(clean()).to_string(), Framing::Json),
    ] {
        assert_eq!(Framing::detect(head.as_bytes()), framing);
        let detected = detect(head.as_bytes(), framing, &own).expect("a protocol");
        assert_eq!((detected.protocol, detected.tied_with, detected.document), (builds.clone(), None, None));
    }
    let opened = "{\"type\":\"opened\",\"door\":\"d\"}\n";
    assert_eq!(detect(opened.as_bytes(), Framing::Ndjson, &own).expect("a protocol").protocol, doors);
    assert_eq!(detect(b"{\"type\":\"RUN_STARTED\"}\n", Framing::Ndjson, &own), None);
    // Beside the built-in ones.
    let all: Vec<Protocol> = Protocol::ALL.iter().cloned().chain(own).collect();
    assert_eq!(detect(lines(&clean()).as_bytes(), Framing::Ndjson, &all).expect("a protocol").protocol, builds);
    let agui = agui::Event::from(agui::RunStarted::new("t", "r")).to_sse();
    assert_eq!(detect(agui.as_bytes(), Framing::Sse, &all).expect("a protocol").protocol, Protocol::AGUI);
}

#[test]
fn two_protocols_side_by_side() {
    let mut first = StreamChecker::of(Checker::new(builds()), Framing::Ndjson);
    let mut second = StreamChecker::of(Checker::new(doors()), Framing::Ndjson);
    let mut report = Report::new();
    let mut rules = Vec::new();
    let spoilt = spoilt(|events| drop(events.remove(2)));
    for event in &spoilt {
        rules.extend(first.push(format!("{event}\n").as_bytes()).map(|found| found.rule.id().to_owned()));
        rules.extend(second.push(b"{\"type\":\"closed\",\"door\":\"d\"}\n").map(|found| found.rule.id().to_owned()));
    }
    // The door is named in the first finding, so it raises no other.
    assert_eq!(rules, ["doors/door-not-open", "builds/sequence-gap"]);
    assert!(first.finish().is_empty() && second.finish().is_empty());

    first.reset();
    report.begin("build.jsonl", Some(&builds()), Some(Framing::Ndjson));
    for found in &first.push(lines(&spoilt).as_bytes()) {
        report.add(&found);
    }
    report.end(first.events());
    assert_eq!(report.files[0].protocol.as_deref(), Some("builds"));
    assert_eq!((report.findings[0].rule.as_str(), report.summary.errors), ("builds/sequence-gap", 1));
    assert_eq!(serde_json::from_str::<Report>(&report.to_json()).expect("a report"), report);
}

#[test]
fn a_declaration_that_does_not_hold_is_refused() {
    let error = |builder: SpecBuilder| builder.build().expect_err("an error");
    assert!(matches!(error(Spec::builder("x", "{")), SpecError::Schema(_)));
    assert!(matches!(error(Spec::builder("x", r#"{"maxProperties":1}"#)), SpecError::Schema(_)));
    assert_eq!(error(Spec::builder("x", r#"{"type":"object"}"#)), SpecError::Tag("type".into()));
    assert_eq!(error(builder().tag("kind")), SpecError::Tag("kind".into()));
    let unknown = Scope::new("task", "job").opened_by("job.began");
    assert_eq!(error(builder().scope(unknown)), SpecError::Event("job.began".into()));
    for unknown in [builder().sequence("number"), builder().inspect("extra")] {
        assert!(matches!(error(unknown), SpecError::Member(_)));
    }
    assert_eq!(
        error(builder().scope(Scope::new("task", "nope").opened_by("job.started"))),
        SpecError::Member("nope".into())
    );
    let event = serde_json::json!({"type": "object", "properties": {"type": {"const": "a"}}, "required": ["type"]});
    let twice = serde_json::json!({"oneOf": [event, event]});
    assert_eq!(error(Spec::builder("x", twice.to_string())), SpecError::Twice("a".into()));
    let many =
        (0..9).fold(Spec::builder("x", SCHEMA).tag("event"), |builder, _| builder.scope(Scope::new("job", "job")));
    assert_eq!(error(many), SpecError::TooMany);
    for count in [64, 300] {
        let all = (0..count).map(|at| format!("m{at}"));
        let many = all.fold(Spec::builder("x", SCHEMA).tag("event"), SpecBuilder::inspect);
        assert_eq!(error(many), SpecError::TooMany);
    }
    let names: Vec<String> = (0..70_000).map(|at| at.to_string()).collect();
    let list = serde_json::json!({"type": "object", "properties": {"type": {"type": "string", "enum": names}}});
    assert!(matches!(error(Spec::builder("x", list.to_string())), SpecError::Schema(_)));
    assert_eq!(SpecError::Event("job.began".into()).to_string(), "the schema has no event job.began");
}

#[test]
fn ids_may_be_numbers_and_a_missing_tag_is_said() {
    let event = |tag: &str| serde_json::json!({"type": "object", "properties": {"type": {"const": tag}, "id": {"type": "integer"}}, "required": ["type", "id"]});
    let schema = serde_json::json!({"oneOf": [event("opened"), event("closed")]}).to_string();
    let door = Scope::new("door", "id").opened_by("opened").closed_by("closed");
    let mut checker = Checker::new(Spec::builder("doors", schema).scope(door).build().expect("a protocol"));
    let mut found = Vec::new();
    for event in [r#"{"type":"opened","id":1}"#, r#"{"type":"closed","id":2}"#, r#"{"id":3}"#] {
        found.extend(checker.push(Input::event(event)).iter().map(ToString::to_string));
    }
    assert_eq!(
        found,
        [
            "error[doors/door-not-open]: no door 2 is open",
            "error[doors/schema-mismatch]: type is missing, which says what event it is"
        ]
    );
}

/// What a service hands from thread to thread.
const fn goes_anywhere<T: Send + Sync + 'static>() {}
const _: () = {
    goes_anywhere::<Checker>();
    goes_anywhere::<StreamChecker>();
    goes_anywhere::<Protocol>();
    goes_anywhere::<Finding>();
    goes_anywhere::<Spec>();
    goes_anywhere::<Rule>();
};

#[test]
fn a_protocol_is_shared_by_threads() {
    let protocol = builds();
    let streams: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = StreamChecker::of(Checker::new(&protocol), Framing::Ndjson);
            std::thread::spawn(move || found_in(&mut stream, lines(&clean()).as_bytes(), 11))
        })
        .collect();
    assert!(streams.into_iter().all(|stream| stream.join().expect("a thread that ends").is_empty()));
}

/// Every word is written and read as itself.
fn words<T>(all: &[T])
where
    T: Copy + Debug + PartialEq + Display + FromStr + serde::Serialize + serde::de::DeserializeOwned,
    T::Err: Display,
{
    for word in all {
        let written = word.to_string();
        assert_eq!(written.parse::<T>().ok(), Some(*word));
        assert_eq!(serde_json::to_value(word).expect("JSON"), json!(written));
        assert_eq!(serde_json::from_value::<T>(json!(written)).expect("a word"), *word);
        assert_eq!(format!("[{word:<24}]").len(), 26);
    }
    let error = "nonsense".parse::<T>().map_err(|error| error.to_string()).unwrap_err();
    assert!(all.iter().all(|word| error.contains(&word.to_string())), "{error}");
    assert!(serde_json::from_value::<T>(json!("nonsense")).is_err());
    assert!(serde_json::from_value::<T>(json!(1)).is_err());
}

#[test]
fn words_are_written_and_read() {
    words(Severity::ALL);
    words(Code::ALL);
    words(Profile::ALL);
    words(Framing::ALL);
    assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);

    for protocol in Protocol::ALL {
        assert_eq!(protocol.to_string().parse::<Protocol>().ok().as_ref(), Some(protocol));
        assert_eq!(serde_json::to_value(protocol).expect("JSON"), json!(protocol.id()));
        assert_eq!(&serde_json::from_value::<Protocol>(json!(protocol.id())).expect("a protocol"), protocol);
    }
    let error = "builds".parse::<Protocol>().expect_err("not built in").to_string();
    assert!(Protocol::ALL.iter().all(|protocol| error.contains(protocol.id())), "{error}");
    assert_eq!(serde_json::to_value(builds()).expect("JSON"), json!("builds"));
    assert_eq!(builds(), builds());
    assert_ne!(builds(), doors());
}

/// Two kinds of things may have their ids in one member, which may be looked into as well.
#[test]
fn a_member_may_be_watched_for_several_things() {
    let protocol: Protocol = Spec::builder("builds", SCHEMA)
        .tag("event")
        .inspect("job")
        .scope(Scope::new("job", "job").opened_by("job.started").closed_by("job.ended"))
        .scope(Scope::new("desk", "job").opened_by("step.started").closed_by("job.ended"))
        .build()
        .unwrap()
        .into();
    let mut checker = Checker::new(protocol);
    let mut found = Vec::new();
    for event in [
        r#"{"event":"job.started","seq":1,"job":"a"}"#,
        r#"{"event":"job.started","seq":2,"job":"a"}"#,
        r#"{"event":"step.started","seq":3,"job":"b","step":"s"}"#,
        r#"{"event":"job.ended","seq":4,"job":"c"}"#,
    ] {
        found.extend(checker.push(Input::event(event)).iter().map(|finding| finding.message.clone()));
    }
    assert_eq!(found, ["job a is open already", "no job c is open"]);
}

#[test]
fn an_id_is_a_word_as_rules_have_it() {
    for id in ["", "a/b", "A", "a b", "1a", "é"] {
        assert_eq!(Spec::builder(id, SCHEMA).tag("event").build().err(), Some(SpecError::Id(id.to_owned())), "{id}");
    }
    assert!(Spec::builder("a-1", SCHEMA).tag("event").build().is_ok());
}

#[test]
fn kinds_of_scopes_have_names_that_rules_can_have() {
    let spec = |nouns: &[&str]| {
        let builder = Spec::builder("toy", SCHEMA).tag("event");
        nouns.iter().fold(builder, |builder, noun| builder.scope(Scope::new(*noun, "job"))).build().err()
    };
    assert_eq!(spec(&["job", "big job"]), None);
    for (nouns, wrong) in [(["job", "a/b"], "a/b"), (["job", "job"], "job"), (["big job", "big-job"], "big-job")] {
        assert_eq!(spec(&nouns), Some(SpecError::Noun(wrong.to_owned())));
    }
}
