//! Secrets that are cut between the pieces of a text, in every protocol that sends pieces.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Limits, Profile, SecretPattern, Secrets};
use agent_contracts::stream::{Framing, StreamChecker};

/// How a protocol sends a text in pieces.
struct Text {
    what: &'static str,
    protocol: Protocol,
    framing: Framing,
    /// What comes before the first piece.
    open: &'static [&'static str],
    /// The event of a number with a piece, which is JSON already, of the text of a name.
    piece: fn(usize, &str, &str) -> String,
    /// Where the piece stands.
    path: &'static str,
    /// What ends all of it.
    close: &'static [&'static str],
}

const AGUI_RUN: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

fn lime(number: usize, class: &str, rest: &str) -> String {
    let ids = r#""schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","threadId":"t","turnId":"u""#;
    format!(
        r#"{{"id":"e{number}",{ids},"kind":"model","status":"running","eventClass":"{class}","sequence":{number},"title":"T","createdAt":"2026-06-10T08:00:00.000Z",{rest}}}"#
    )
}

/// No event is equal to another, since what comes again is passed over.
fn ubik(number: usize, kind: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}",{rest},"timestamp":"2026-03-12T14:02:11.{number:07}Z"}}"#)
}

fn polled(idx: usize, kind: &str, rest: &str) -> String {
    format!(
        r#"{{"idx":{idx},"type":"{kind}","data":{{{rest},"task_id":"t","conversation_id":"c","workspace_id":"w"}},"ts":1771061400.125}}"#
    )
}

const SESSION: &[&str] = &[
    r#"{"type":"connection_established","session_id":"s","connection_id":"c","task_id":"t"}"#,
    r#"{"type":"agent_processing_started","task_id":"t","timestamp":"2026-03-12T14:02:11.0000000Z"}"#,
    r#"{"type":"response_stream_start","message_id":"m","task_id":"t","timestamp":"2026-03-12T14:02:11.0000000Z"}"#,
];

/// One way in which texts come in pieces.
fn text(
    what: &'static str,
    protocol: Protocol,
    open: &'static [&'static str],
    piece: fn(usize, &str, &str) -> String,
    path: &'static str,
    close: &'static [&'static str],
) -> Text {
    let framing = if what == "a tool's stream" { Framing::Sse } else { Framing::Ndjson };
    Text { what, protocol, framing, open, piece, path, close }
}

/// Every way in which texts come in pieces. The text that is looked at has the name `one`;
/// every other name is that of another.
fn texts() -> Vec<Text> {
    [of_agui(), of_lime(), of_ubik(), of_polling()].into_iter().flatten().collect()
}

fn of_agui() -> Vec<Text> {
    vec![
        text(
            "a message",
            Protocol::AGUI,
            &[
                AGUI_RUN,
                r#"{"type":"TEXT_MESSAGE_START","messageId":"one","role":"assistant"}"#,
                r#"{"type":"TEXT_MESSAGE_START","messageId":"two","role":"assistant"}"#,
            ],
            |_, name, piece| format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{name}","delta":{piece}}}"#),
            "$.delta",
            &[r#"{"type":"TEXT_MESSAGE_END","messageId":"one"}"#],
        ),
        text(
            "a call",
            Protocol::AGUI,
            &[
                AGUI_RUN,
                r#"{"type":"TOOL_CALL_START","toolCallId":"one","toolCallName":"n"}"#,
                r#"{"type":"TOOL_CALL_START","toolCallId":"two","toolCallName":"n"}"#,
            ],
            |_, name, piece| format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{name}","delta":{piece}}}"#),
            "$.delta",
            &[r#"{"type":"TOOL_CALL_END","toolCallId":"one"}"#],
        ),
        text(
            "chunks of owners",
            Protocol::AGUI,
            &[
                AGUI_RUN,
                r#"{"type":"SUBAGENT_STARTED","subagentRunId":"one","name":"n"}"#,
                r#"{"type":"SUBAGENT_STARTED","subagentRunId":"two","name":"n"}"#,
            ],
            |_, name, piece| {
                format!(
                    r#"{{"type":"TEXT_MESSAGE_CHUNK","messageId":"m-{name}","subagentRunId":"{name}","delta":{piece}}}"#
                )
            },
            "$.delta",
            &[],
        ),
    ]
}

fn of_lime() -> Vec<Text> {
    vec![
        text(
            "a message of the model",
            Protocol::LIME,
            &[],
            |number, name, piece| {
                lime(number, "model.delta", &format!(r#""payload":{{"messageId":"{name}","delta":{piece}}}"#))
            },
            "$.payload.delta",
            &[],
        ),
        text(
            "the text of a message",
            Protocol::LIME,
            &[],
            |number, name, piece| {
                lime(number, "model.delta", &format!(r#""payload":{{"messageId":"{name}","delta":"","text":{piece}}}"#))
            },
            "$.payload.text",
            &[],
        ),
        text(
            "reasoning in detail",
            Protocol::LIME,
            &[],
            |number, name, piece| {
                let payload = format!(r#""payload":{{"messageId":"{name}"}}"#);
                lime(number, "reasoning.delta", &format!(r#""detail":{piece},{payload}"#))
            },
            "$.detail",
            &[],
        ),
        text(
            "what a command puts out",
            Protocol::LIME,
            &[],
            |number, name, piece| {
                lime(
                    number,
                    "command.output",
                    &format!(r#""payload":{{"commandId":"{name}","outputRef":"o","text":{piece}}}"#),
                )
            },
            "$.payload.text",
            &[],
        ),
        text(
            "a class that is not published",
            Protocol::LIME,
            &[],
            |number, name, piece| {
                lime(number, "tool.output.delta", &format!(r#""toolCallId":"{name}","payload":{{"delta":{piece}}}"#))
            },
            "$.payload.delta",
            &[],
        ),
    ]
}

fn of_ubik() -> Vec<Text> {
    vec![
        text(
            "the answer",
            Protocol::UBIK,
            SESSION,
            |number, name, piece| {
                let step = if name == "one" { "" } else { r#","step":1"# };
                ubik(number, "response_chunk", &format!(r#""content":{piece}{step}"#))
            },
            "$.content",
            &[],
        ),
        text(
            "a step of the answer",
            Protocol::UBIK,
            SESSION,
            |number, name, piece| {
                // The same step is written in two ways.
                let step = if name == "one" { ["1", "1.0"][number % 2] } else { "2" };
                let kind = ["response_chunk", "agent_response_chunk"][number / 2 % 2];
                ubik(number, kind, &format!(r#""content":{piece},"step":{step}"#))
            },
            "$.content",
            &[],
        ),
        text(
            "what a tool puts out",
            Protocol::UBIK,
            SESSION,
            |number, name, piece| {
                let data = format!(r#"{{"content":{piece},"output_key":"response"}}"#);
                let ids = format!(r#""tool_execution_id":"{name}","tool_name":"n""#);
                ubik(number, "tool_partial_update", &format!(r#"{ids},"data":{data}"#))
            },
            "$.data.content",
            &[],
        ),
        text(
            "a tool's stream",
            Protocol::UBIK,
            &[],
            |number, name, piece| {
                let data = format!(r#"{{"content":{piece},"output_key":"{name}","data":{{"n":{number}}}}}"#);
                format!("event: tool_partial_update\ndata: {data}\n")
            },
            "$.content",
            &["event: tool_end\ndata: {\"execution_id\":\"e\"}\n"],
        ),
    ]
}

fn of_polling() -> Vec<Text> {
    vec![
        text(
            "a block of text",
            Protocol::POLLING,
            &[],
            |number, name, piece| {
                let kind = if name == "one" { "text_chunk" } else { "thinking_chunk" };
                let rest = if name == "one" { format!(r#","index":{number},"elapsed":0.5"#) } else { String::new() };
                polled(number - 1, kind, &format!(r#""content":{piece}{rest}"#))
            },
            "$.data.content",
            &[],
        ),
        text(
            "thinking, in answers to polls",
            Protocol::POLLING,
            &[],
            |number, name, piece| {
                let kind = if name == "one" { "thinking_chunk" } else { "text_chunk" };
                let event = polled(number - 1, kind, &format!(r#""content":{piece}"#));
                format!(
                    r#"{{"success":true,"data":{{"task_id":"t","workspace_id":"w","status":"running","created_at":1771061400.0,"updated_at":1771061400.5,"error":null,"events":[{event}],"next_offset":{number}}}}}"#
                )
            },
            "$.data.events[0].data.content",
            &[],
        ),
    ]
}

impl Text {
    /// The findings about secrets in a stream with these pieces, each of the text of a name: on
    /// the short way, which has to say the same as the long one.
    fn found(&self, set_up: &dyn Fn() -> Checker, pieces: &[(&str, String)]) -> Vec<Finding> {
        let numbered = pieces.iter().enumerate();
        let pieces = numbered.map(|(number, (name, piece))| (self.piece)(number + 1, name, piece));
        let events = self.open.iter().map(|event| (*event).to_owned()).chain(pieces);
        let mut stream = StreamChecker::of(set_up(), self.framing);
        let mut found = Vec::new();
        for event in events.chain(self.close.iter().map(|event| (*event).to_owned())) {
            found.extend(stream.push(format!("{event}\n").as_bytes()).iter().map(|found| Finding::clone(&found)));
        }
        found.extend(stream.finish().iter().map(|found| Finding::clone(&found)));
        found.retain(|finding| finding.rule.name() == "secret-value");
        found
    }

    /// Of a checker with its defaults, which judges in both ways.
    fn found_by_default(&self, pieces: &[(&str, String)]) -> Vec<Finding> {
        let found = self.found(&|| Checker::new(&self.protocol), pieces);
        let exact = || Checker::builder(&self.protocol).exact(true).build();
        assert_eq!(found, self.found(&exact, pieces), "{}", self.what);
        found
    }
}

/// A text in pieces of so many bytes or a few more, as JSON.
fn pieces<'n>(text: &str, width: usize, name: &'n str) -> Vec<(&'n str, String)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for end in (1..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        if end - from >= width || end == text.len() {
            pieces.push((name, serde_json::to_string(&text[from..end]).unwrap()));
            from = end;
        }
    }
    pieces
}

/// Put together, so that scanners do not take this file for a leak.
fn token() -> String {
    ["glpat-", "x7Kd93jfLq0ZbV5nRw8T"].concat()
}

fn private_key() -> String {
    let lines = "MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi8xZ1b5Gk7\nCh2wLq0VtYpXsNaRc4Jd6Hf8Lm1Qw3Er5Ty7Ui9Op2As4Df6\n";
    ["-----BEGIN ", "PRIVATE KEY-----\n", lines].concat()
}

/// A secret is reported once, at the piece, wherever the text is cut, and whatever comes of
/// another text between two pieces.
#[test]
fn a_secret_is_found_wherever_it_is_cut() {
    let header = ["{\"Authorization\": \"", "Bearer Zt4Qm8Lx2Wc6Rk1Vb9nYp3Hs\"}"].concat();
    let behind_escapes =
        ["\u{1b}[1;31mls\\u0022\\naws_secret_", "access_key = wJalrXUtnFEMI7K9MDENG2bPxRfiCYzQ8kLm4Tv1 é"].concat();
    for text in texts() {
        for secret in [format!("é – use {} there", token()), private_key(), header.clone(), behind_escapes.clone()] {
            for width in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] {
                let alone = pieces(&secret, width, "one");
                let found = text.found_by_default(&alone);
                let paths: Vec<&str> = found.iter().map(|finding| &*finding.path).collect();
                assert_eq!(paths, [text.path], "{}, {width}: {found:?}", text.what);
                // Between its pieces come those of another text.
                let other = || ("two", serde_json::to_string(" é ").unwrap());
                let mixed: Vec<_> = alone.iter().flat_map(|piece| [piece.clone(), other()]).collect();
                let found = text.found(&|| Checker::new(&text.protocol), &mixed);
                assert_eq!(found.len(), 1, "{}, {width}: {found:?}", text.what);
            }
            for cut in (1..secret.len()).filter(|cut| secret.is_char_boundary(*cut)) {
                let (front, back) = secret.split_at(cut);
                let sent = [front, back].map(|piece| ("one", serde_json::to_string(piece).unwrap()));
                let found = text.found(&|| Checker::new(&text.protocol), &sent);
                assert_eq!(found.len(), 1, "{}, cut at {cut}: {found:?}", text.what);
            }
        }
    }
}

/// Frames with a name are looked at by themselves; what goes on around them does not change that.
#[test]
fn frames_with_and_without_a_name_go_on_alike() {
    let (token, lanes) = (token(), "AAABABBAABBABA");
    let (front, back) = token.split_at(12);
    for named in 0..1_u32 << lanes.len() {
        let step = ubik(0, "agent_step_started", r#""step":1,"description":"d","single_step_agent":false"#);
        let open = SESSION.iter().copied().chain([&*step]);
        let mut stream: String = open.map(|event| format!("data: {event}\n\n")).collect();
        for (at, lane) in lanes.chars().enumerate() {
            let content = match at {
                11 => front,
                13 => back,
                _ => "a few words ",
            };
            let step = if lane == 'A' { r#","step":1"# } else { "" };
            let event = ubik(at + 1, "response_chunk", &format!(r#""content":"{content}"{step}"#));
            let name = if named >> at & 1 == 1 { "event: response_chunk\n" } else { "" };
            stream += &format!("{name}data: {event}\n\n");
        }
        let found = |exact: bool| {
            let checker = Checker::builder(&Protocol::UBIK).exact(exact).build();
            let mut checker = StreamChecker::of(checker, Framing::Sse);
            let found = checker.push(stream.as_bytes()).iter().map(|found| Finding::clone(&found)).collect::<Vec<_>>();
            found.into_iter().filter(|found| found.rule.name() == "secret-value").count()
        };
        assert_eq!((found(false), found(true)), (1, 1), "{named:b}");
    }
}

/// Characters may be escaped in JSON however the writer likes.
#[test]
fn escapes_hide_no_part_of_a_secret() {
    let escaped = |piece: &str| piece.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect::<String>();
    for text in texts() {
        for width in [1, 4, 9, 17] {
            let secret = token();
            let sent: Vec<_> = secret
                .as_bytes()
                .chunks(width)
                .map(|piece| ("one", format!("\"{}\"", escaped(std::str::from_utf8(piece).unwrap()))))
                .collect();
            assert_eq!(text.found_by_default(&sent).len(), 1, "{} {width}", text.what);
        }
    }
}

/// Two texts are not joined, nor is what has been left out of one.
#[test]
fn pieces_of_two_texts_are_no_secret() {
    let token = token();
    let (front, back) = token.split_at(12);
    let json = |text: &str| serde_json::to_string(text).unwrap();
    for text in texts() {
        for sent in [
            vec![("one", json(front)), ("two", json(back))],
            vec![("two", json(back)), ("one", json(front))],
            vec![("one", json(front)), ("one", json(" ")), ("one", json(back))],
            vec![("one", json(front)), ("one", json("é")), ("one", json(back))],
        ] {
            assert!(text.found_by_default(&sent).is_empty(), "{} {sent:?}", text.what);
        }
    }
}

/// A secret at the end of a long word is found when the text, or the stream, ends.
#[test]
fn the_end_of_a_long_word_is_looked_at() {
    for text in texts() {
        for before in [100, 300, 700] {
            let word = format!("{}/{}", "é".repeat(before / 2), token());
            for width in [1, 2, 5, 15, 16, 40] {
                let found = text.found_by_default(&pieces(&word, width, "one"));
                assert_eq!(found.len(), 1, "{} {before} {width}: {found:?}", text.what);
                assert!([text.path, "$"].contains(&&*found[0].path), "{}: {found:?}", text.what);
            }
        }
    }
}

/// What users add and allow counts for cut texts as well, and other profiles look for no secrets.
#[test]
fn what_users_want_counts() {
    let acme = SecretPattern::new("acme-key", "acme: [a-z0-9]{8}").unwrap().keyword("acme").unwrap();
    let known = token();
    for text in texts() {
        let with = |secrets: Secrets| Checker::builder(&text.protocol).secrets(secrets);
        for width in [1, 3, 5, 8] {
            let own = pieces("the acme: 4f9xk2p7 é", width, "one");
            let found = text.found(&|| with(Secrets::new().pattern(acme.clone())).build(), &own);
            assert_eq!(found.len(), 1, "{} {width}", text.what);
            assert!(found[0].message.ends_with("(acme-key)"), "{}", found[0].message);
            assert!(text.found_by_default(&own).is_empty(), "{} {width}", text.what);
        }
        // In two pieces, so that no part of it is a token as well.
        let sent = pieces(&known, 14, "one");
        assert_eq!(text.found_by_default(&sent).len(), 1, "{}", text.what);
        let value = known.clone();
        let allowed = Secrets::new().allow_values(move |secret| secret == value);
        let by_path = Secrets::new().allow_at(text.path, None).unwrap();
        for secrets in [allowed, by_path] {
            assert!(text.found(&|| with(secrets.clone()).build(), &sent).is_empty(), "{}", text.what);
        }
        // Of a protocol without a reference, every rule runs.
        let reference = || Checker::builder(&text.protocol).profile(Profile::Reference).build();
        let is_found = !text.protocol.has_reference();
        assert_eq!(!text.found(&reference, &sent).is_empty(), is_found, "{}", text.what);
    }
}

/// Where more texts are open than are remembered, those that go on are still looked at.
#[test]
fn many_texts_and_little_room() {
    let long = "é".repeat(1000);
    for text in texts() {
        let set_up = || Checker::builder(&text.protocol).limits(Limits::DEFAULT.with_history(4)).build();
        let mut sent = Vec::new();
        for (name, other) in
            [("n1", "a"), ("n2", "b "), ("n3", "key ghp_"), ("n4", &*long), ("n5", "-----BEGIN "), ("n6", "")]
        {
            sent.push((name, serde_json::to_string(other).unwrap()));
        }
        sent.extend(pieces(&token(), 5, "one"));
        assert_eq!(text.found(&set_up, &sent).len(), 1, "{}", text.what);
    }
}
