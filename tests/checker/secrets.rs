//! Secrets of the user's own: patterns that are added, and what is allowed.

use agent_contracts::Protocol;
use agent_contracts::agui::rules;
use agent_contracts::check::{Checker, Finding, Input, Profile, SecretPattern, Secrets};
use agent_contracts::stream::{Framing, StreamChecker};

/// Put together, so that scanners do not take this file for a leak.
fn token() -> String {
    ["glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat()
}

/// A pattern of a service that nobody else knows, with a keyword.
fn acme() -> SecretPattern {
    SecretPattern::new("acme-key", "acme_[a-z0-9]{8,}").unwrap().keyword("acme_").unwrap()
}

/// One without.
fn pin() -> SecretPattern {
    SecretPattern::new("pin", "pin ([0-9]{4})$").unwrap()
}

/// What is found in a run with these events, on the short way and on the long one.
fn found(secrets: &Secrets, events: &[String]) -> Vec<Finding> {
    let builder = Checker::builder(Protocol::AGUI).secrets(secrets.clone());
    let (mut fast, mut slow) = (builder.clone().build(), builder.exact(true).build());
    let mut found = Vec::new();
    let first = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned();
    let last = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned();
    for event in [&[first][..], events, &[last]].concat() {
        let findings = fast.push(Input::event(&event));
        assert_eq!(findings, slow.push(Input::event(&event)), "{event}");
        found.extend_from_slice(findings);
    }
    assert_eq!(fast.finish(), slow.finish());
    found
}

/// Rule, path and message of each finding.
fn told(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{} {}: {}", finding.rule.name(), finding.path, finding.message)).collect()
}

fn custom(value: &str) -> Vec<String> {
    vec![format!(r#"{{"type":"CUSTOM","name":"n","value":{value}}}"#)]
}

#[test]
fn where_own_patterns_are_found() {
    let secrets = Secrets::new().pattern(acme()).pattern(pin());
    let key = "the text has the shape of a secret (acme-key)";
    let pin = "the text has the shape of a secret (pin)";
    for (value, expected) in [
        (r#""acme_4f9xk2p7""#, format!("secret-value $.value: {key}")),
        (r#""it is acme_4f9xk2p7, so far""#, format!("secret-value $.value: {key}")),
        (r#""it is \u0061cme_4f9xk2p7""#, format!("secret-value $.value: {key}")),
        (r#"{"acme_4f9xk2p7":1}"#, format!("secret-value $.value['<13 bytes>']: {key}")),
        (r#"[{"a":"{\"k\":\"acme_4f9xk2p7\"}"}]"#, format!("secret-value $.value[0].a: {key}")),
        (r#"{"a":"pin 4711"}"#, format!("secret-value $.value.a: {pin}")),
        // The first pattern is named.
        (r#""acme_4f9xk2p7 pin 4711""#, format!("secret-value $.value: {key}")),
    ] {
        assert_eq!(told(&found(&secrets, &custom(value))), [expected], "{value}");
    }
    for value in [r#""acme_4f9""#, r#""acme-4f9xk2p7""#, r#""pin 4711 or so""#, r#""pin four""#, "4711"] {
        assert_eq!(told(&found(&secrets, &custom(value))), [""; 0], "{value}");
        assert_eq!(told(&found(&Secrets::new(), &custom(value))), [""; 0], "{value}");
    }
}

#[test]
fn own_patterns_are_found_across_deltas() {
    let secrets = Secrets::new().pattern(acme());
    let text = "use acme_4f9xk2p7 there";
    for width in [1, 3, 7, 20, text.len()] {
        let mut events = vec![r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#.to_owned()];
        events.extend(text.as_bytes().chunks(width).map(|piece| {
            let piece = std::str::from_utf8(piece).unwrap();
            format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{piece}"}}"#)
        }));
        events.push(r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned());
        let findings = found(&secrets, &events);
        assert_eq!(findings.len(), 1, "{width}: {:?}", told(&findings));
        assert!(findings[0].message.ends_with("the shape of a secret (acme-key)"), "{:?}", told(&findings));
    }
}

/// Every protocol looks for them, wherever it looks for provider tokens.
#[test]
fn own_patterns_are_found_in_every_protocol() {
    for (protocol, event) in [
        (Protocol::AGUI, r#"{"type":"CUSTOM","name":"n","value":"acme_4f9xk2p7"}"#),
        (Protocol::SOCIAL_APP, r#"{"type":"TOOL_CALL_RESULT","result":{"a":"acme_4f9xk2p7"}}"#),
        (Protocol::UBIK, r#"{"type":"agent_step_completed","results":{"a":"acme_4f9xk2p7"}}"#),
        (Protocol::POLLING, r#"{"idx":0,"type":"todo_updated","data":{"a":"acme_4f9xk2p7"},"ts":1}"#),
        (Protocol::LIME, r#"{"id":"e","eventClass":"tool.started","payload":{"a":"acme_4f9xk2p7"}}"#),
    ] {
        let mut checker = Checker::builder(&protocol).secrets(Secrets::new().pattern(acme())).build();
        let told = told(checker.push(Input::event(event)));
        assert_eq!(told.iter().filter(|told| told.contains("(acme-key)")).count(), 1, "{protocol}: {told:?}");
    }
}

/// Messages and hints name calls and runs, whose ids may be what a pattern matches.
#[test]
fn own_patterns_are_shown_nowhere() {
    let secret = "acme_4f9xk2p7";
    let start =
        |id: &str, name: &str| format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"{id}","toolCallName":"{name}"}}"#);
    let arguments =
        |id: &str| format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{id}","delta":"{{\"password\":1}}"}}"#);
    let end = |id: &str| format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"{id}"}}"#);
    let run = |kind: &str, id: &str| format!(r#"{{"type":"RUN_{kind}","threadId":"t","runId":"{id}"}}"#);
    for (protocol, events, rule) in [
        (Protocol::AGUI, vec![run("STARTED", "r"), start(secret, "n"), arguments(secret), end(secret)], "secret-key"),
        (Protocol::AGUI, vec![run("STARTED", "r"), start("c", secret), arguments("c"), end("c")], "secret-key"),
        (Protocol::AGUI, vec![run("STARTED", "r"), start("c", secret)], "truncated-stream"),
        (Protocol::SOCIAL_APP, vec![run("STARTED", secret), run("FINISHED", "r")], "first-event-not-run-started"),
    ] {
        let mut checker = Checker::builder(&protocol).secrets(Secrets::new().pattern(acme())).build();
        let mut found: Vec<Finding> = Vec::new();
        for event in &events {
            found.extend_from_slice(checker.push(Input::event(event)));
        }
        found.extend_from_slice(checker.finish());
        assert!(found.iter().any(|finding| finding.rule.name() == rule), "{:?}", told(&found));
        assert!(!format!("{found:?}").contains(secret), "{protocol} {found:?}");
    }
}

/// What stands in the place of a secret does not make another value there harmless.
#[test]
fn a_secret_behind_many_placeholders_is_found() {
    for (harmless, secret) in [
        (r#""***""#, r#""hunter2-long""#),
        ("null", r#""hunter2-long""#),
        ("[]", r#"["hunter2-long"]"#),
        ("{}", r#"{"a":"hunter2-long"}"#),
        ("true", "12345678"),
    ] {
        let event = |value: &str, n: usize| {
            format!(r#"{{"type":"CUSTOM","name":"n{n}","value":{{"n":{n},"password":{value}}}}}"#)
        };
        let mut events: Vec<String> = (0..6).map(|n| event(harmless, n)).collect();
        events.extend([event(secret, 6), event(harmless, 7)]);
        let findings = told(&found(&Secrets::new(), &events));
        assert_eq!(findings, ["secret-key $.value.password: the key names a secret"], "{harmless}");
    }
}

#[test]
fn what_is_allowed() {
    let (token, value) = (token(), format!(r#"{{"a":["use {}"],"password":"hunter2","b":"acme_4f9xk2p7"}}"#, token()));
    let all = Secrets::new().pattern(acme());
    let at = |place: &str| all.clone().allow_at(place, None).unwrap();
    let of = |place: &str, rule| all.clone().allow_at(place, Some(rule)).unwrap();
    let being = |known: &str| {
        let known = known.to_owned();
        all.clone().allow_values(move |value| value == known)
    };
    for (what, secrets, left) in [
        ("nothing", all.clone(), "a[0] password b"),
        ("a place", at("$.value.a[0]"), "password b"),
        ("any index", at("$.value.*[*]"), "password b"),
        ("another index", at("$.value.a[1]"), "a[0] password b"),
        ("all below", at("$.value..*"), ""),
        ("one rule", of("$..*", &rules::SECRET_VALUE), "password"),
        ("another rule", of("$..*", &rules::SECRET_KEY), "a[0] b"),
        ("a token by its value", being(&token), "password b"),
        ("the text that has a token", being(&format!("use {token}")), "password b"),
        ("the value of a key", being("hunter2"), "a[0] b"),
        ("a secret of an own pattern", being("acme_4f9xk2p7"), "a[0] password"),
        ("a part of one", being("acme_4f9x"), "a[0] password b"),
    ] {
        let findings = found(&secrets, &custom(&value));
        let paths: Vec<&str> = findings.iter().filter_map(|finding| finding.path.strip_prefix("$.value.")).collect();
        let mut left: Vec<&str> = left.split_whitespace().collect();
        // Keys come before values.
        left.sort_by_key(|path| *path != "password");
        assert_eq!(paths, left, "{what}");
    }
    // Another token in the same text is none the less one.
    let other = ["glpat-", "Qm3Zt8LxW5cRk1Vb9nYp"].concat();
    let secrets = Secrets::new().allow_values(move |value| value == token);
    assert_eq!(found(&secrets, &custom(&format!(r#""{} {other}""#, self::token()))).len(), 1);
}

#[test]
fn placeholders_under_keys_of_secrets() {
    for (value, is_secret) in [
        (r#""hunter2""#, true),
        (r#""<hunter2>""#, true),
        ("4711", true),
        (r#"["a"]"#, true),
        (r#""hunter2***long""#, true),
        (r#""sk-a***""#, false),
        (r#""<redacted>""#, false),
        (r#""[REDACTED]""#, false),
        (r#""***""#, false),
        (r#""xxx""#, false),
        (r#""""#, false),
        ("null", false),
        ("true", false),
        ("[]", false),
    ] {
        let object = format!(r#"{{"api_key":{value}}}"#);
        assert_eq!(found(&Secrets::new(), &custom(&object)).len(), usize::from(is_secret), "{value}");
        // In profile `reference`, a key is a finding whatever its value.
        let event = format!(r#"{{"payload":{object}}}"#);
        let mut checker = Checker::builder(Protocol::LIME).profile(Profile::Reference).build();
        let keys = told(checker.push(Input::event(&event)));
        assert_eq!(keys.iter().filter(|told| told.starts_with("secret-key")).count(), 1, "{value}: {keys:?}");
        // JSON in text is looked into as well.
        for result in [serde_json::json!(object).to_string(), object] {
            let event = format!(r#"{{"type":"TOOL_CALL_RESULT","result":{result}}}"#);
            let mut checker = Checker::new(Protocol::SOCIAL_APP);
            let told = told(checker.push(Input::event(&event)));
            let keys = told.iter().filter(|told| told.starts_with("secret-key")).count();
            assert_eq!(keys, usize::from(is_secret), "{event}: {told:?}");
        }
    }
}

/// A secret that its key and its value tell is said once, as what is graver, or as what is not allowed.
#[test]
fn a_secret_is_told_once() {
    let token = token();
    let agui = format!(r#"{{"type":"CUSTOM","name":"n","value":{{"api_key":"{token}"}}}}"#);
    let lime = format!(r#"{{"payload":{{"api_key":"{token}"}}}}"#);
    for (protocol, event, allowed, expected) in [
        (Protocol::AGUI, &agui, None, "secret-value"),
        (Protocol::AGUI, &agui, Some(&agent_contracts::agui::rules::SECRET_VALUE), "secret-key"),
        (Protocol::LIME, &lime, None, "secret-key"),
        (Protocol::LIME, &lime, Some(&agent_contracts::lime::rules::SECRET_KEY), "secret-value"),
    ] {
        let mut builder = Checker::builder(protocol);
        if let Some(rule) = allowed {
            builder = builder.rule(rule, None);
        }
        let told = told(builder.build().push(Input::event(event)));
        let secrets: Vec<&String> = told.iter().filter(|told| told.starts_with("secret-")).collect();
        assert!(secrets.len() == 1 && secrets[0].starts_with(expected), "{told:?}");
    }
}

/// Ids and keys are shown, but not if a pattern has them, whatever the finding is about.
#[test]
fn no_output_shows_what_an_own_pattern_matches() {
    let anchored = SecretPattern::new("acme-key", "^acme_[a-z0-9]{8}$").unwrap();
    let secrets = Secrets::new().pattern(anchored);
    let events = [
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"acme_4f9xk2p7","delta":"a"}"#.to_owned(),
        r#"{"type":"TOOL_CALL_START","toolCallId":"acme_4f9xk2p7","toolCallName":"acme_4f9xk2p8"}"#.to_owned(),
        r#"{"type":"CUSTOM","name":"n","value":{"acme_4f9xk2p7":{"password":1}},"acme_4f9xk2p9":1}"#.to_owned(),
        r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#.to_owned(),
        r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/acme_4f9xk2p7/a"}]}"#.to_owned(),
    ];
    let findings = found(&secrets, &events);
    assert!(findings.len() > 6, "{:?}", told(&findings));
    for finding in &findings {
        let event = finding.event.and_then(|event| events.get(usize::try_from(event).ok()?.checked_sub(1)?));
        let excerpt = finding.excerpt(event.map_or(&[], |event| event.as_bytes())).text;
        let shown = format!("{finding:?} {finding} {excerpt}");
        assert!(!shown.contains("acme_4f9xk2p"), "{shown}");
    }
}

/// What nobody has added or allowed changes nothing.
#[test]
fn a_checker_without_own_patterns_is_as_before() {
    let none = [
        Secrets::new(),
        Secrets::new().pattern(SecretPattern::new("none", "no such text").unwrap()),
        Secrets::new().pattern(SecretPattern::new("none", "no such text").unwrap().keyword("such").unwrap()),
        Secrets::new().allow_at("$.no.such.place", None).unwrap().allow_values(|_| false),
    ];
    for protocol in Protocol::ALL {
        let mut streams = Vec::new();
        for (_, fixture) in crate::common::fixtures(protocol, "") {
            let events = fixture["events"].as_array().into_iter().flatten();
            streams.push(events.map(ToString::to_string).collect::<Vec<_>>());
        }
        streams.push(crate::common::recorded_events(protocol).into_iter().map(|sample| sample.text).collect());
        for stream in streams {
            let mut plain = Checker::new(protocol);
            let mut others = none.clone().map(|secrets| Checker::builder(protocol).secrets(secrets).build());
            for event in &stream {
                let findings = plain.push(Input::event(event));
                for other in &mut others {
                    assert_eq!(findings, other.push(Input::event(event)), "{event}");
                }
            }
            let findings = plain.finish();
            assert!(others.iter_mut().all(|other| other.finish() == findings));
        }
    }
}

/// Whatever holds it: what is no event, a member that a later one replaces, another line of a frame, or what stands
/// around the events.
#[test]
fn a_secret_is_found_in_what_is_no_event() {
    let token = token();
    for protocol in Protocol::ALL {
        for (what, text) in [
            ("a string", format!("\"{token}\"")),
            ("an array", format!("[[\"{token}\"]]")),
            ("broken off", format!("{{\"a\":\"{token}\"")),
            ("too deep", format!("{{\"a\":{}\"{token}\"{}}}", "[".repeat(200), "]".repeat(200))),
            ("replaced", format!("{{\"a\":\"{token}\",\"a\":1}}")),
            ("replaced within", format!("{{\"b\":{{\"a\":[\"{token}\"],\"a\":1}}}}")),
        ] {
            let mut checker = Checker::new(protocol.clone());
            assert_eq!(values(checker.push(Input::event(&text)), &token), 1, "{protocol} {what}");
        }
        let bytes = [b"\"\xFF", token.as_bytes(), b"\""].concat();
        let mut checker = Checker::new(protocol.clone());
        assert_eq!(values(checker.push(Input::event_bytes(&bytes)), &token), 1, "{protocol} not UTF-8");
        for (framing, text) in [
            (Framing::Sse, format!("id: {token}\ndata: {{}}\n\n")),
            (Framing::Sse, format!("event: {token}\ndata: {{}}\n\n")),
            (Framing::Sse, format!("data: {{}}\nother: {token}\n\n")),
            (Framing::Json, format!(r#"{{"title":"{token}","events":[{{}}]}}"#)),
            (Framing::Json, format!(r#"{{"events":[{{}}],"meta":{{"headers":["{token}"]}}}}"#)),
            (Framing::Json, format!(r#"{{"{token}":1,"events":[]}}"#)),
            (Framing::Json, format!(r#"{{"title":"{token}","events":[{{}}"#)),
            (Framing::Json, format!(r#"{{"title":"{token}","events":[]}} x"#)),
            (Framing::Json, format!(r#"{{"events":[1],"t":["{token}"],"a":[@}}"#)),
            (Framing::Json, format!(r#"{{"t":"{token}","a":{}{},"events":[]}}"#, "[".repeat(200), "]".repeat(200))),
            (Framing::Json, format!(r#"{{"events":["{token}"],"events":[]}}"#)),
        ] {
            let mut stream = StreamChecker::of(Checker::new(protocol.clone()), framing);
            let mut findings: Vec<Finding> =
                stream.push(text.as_bytes()).iter().map(|found| Finding::clone(&found)).collect();
            findings.extend(stream.finish().iter().map(|found| Finding::clone(&found)));
            assert_eq!(values(&findings, &token), 1, "{protocol} {text}");
        }
    }
}

/// Recorders put what was asked beside the response.
#[test]
fn a_secret_is_found_beside_a_response() {
    let token = token();
    for (beside, rules) in [
        (format!(r#""url":"https://a.test/poll?t={token}""#), &["secret-value"][..]),
        (format!(r#""request":{{"headers":{{"Authorization":"{token}"}}}}"#), &["secret-value"]),
        (format!(r#""{token}":0"#), &["secret-value"]),
        (format!(r#""from":"{token}""#), &["secret-value"]),
        (r#""password":"correct horse""#.to_owned(), &["secret-key"]),
        (r#""authorization":null,"from":"0""#.to_owned(), &[]),
    ] {
        let response = r#""response":{"success":false,"error":"gone"}"#;
        for text in [format!("{{{beside},{response}}}"), format!("{{{response},{beside}}}")] {
            let mut checker = Checker::new(Protocol::POLLING);
            let found: Vec<&str> =
                checker.push(Input::event(&text)).iter().map(|finding| finding.rule.name()).collect();
            assert_eq!(found, rules, "{text}");
        }
    }
    let deep = format!(r#""meta":{}{}"#, "[".repeat(200), "]".repeat(200));
    for text in [
        format!(r#"{{"response":{{"k":"{token}"}},"response":{{"success":false,"error":"gone"}}}}"#),
        format!(r#"{{{deep},"k":"{token}","response":{{"success":false,"error":"gone"}}}}"#),
        format!(r#"{{"response":{{"success":false,"error":"gone"}},{deep},"k":"{token}"}}"#),
    ] {
        let mut checker = Checker::new(Protocol::POLLING);
        assert_eq!(values(checker.push(Input::event(&text)), &token), 1, "{text}");
    }
}

/// How many findings are of a secret value; none of them shows it.
fn values(findings: &[Finding], secret: &str) -> usize {
    assert!(findings.iter().all(|finding| !format!("{finding:?} {finding}").contains(secret)));
    findings.iter().filter(|finding| finding.rule.name() == "secret-value").count()
}
