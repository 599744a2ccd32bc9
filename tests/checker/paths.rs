//! A checker that takes short cuts, and one that judges every event by phase 2, give the same
//! findings.

use crate::common::mutation::Mutation;
use crate::common::{Sample, at_place, count_places};
use crate::streams::{self, Fault, Source};
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, CheckerBuilder, Finding, Input, Limits, Profile};
use agent_contracts::stream::{Framing, StreamChecker};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

/// What becomes of the text of an event.
#[derive(Clone, Debug)]
enum Change {
    Kept,
    Mutated(Index, Mutation),
    /// A value is written in another way, or is another one, or none at all.
    Written(Index, String),
    Spaced,
    /// A letter within quotes is written by its number.
    Respelt(Index),
    /// Slashes are written as some writers do.
    Slashed,
    CutOff(Index),
}

/// Stands where another text goes.
const MARK: &str = "\"<mark>\"";

impl Change {
    fn any(protocol: &Protocol) -> impl Strategy<Value = Self> {
        prop_oneof![
            1 => Just(Self::Kept),
            3 => (any::<Index>(), Mutation::any(protocol)).prop_map(|(at, mutation)| Self::Mutated(at, mutation)),
            6 => (any::<Index>(), select(writings())).prop_map(|(at, text)| Self::Written(at, text)),
            1 => Just(Self::Spaced),
            3 => any::<Index>().prop_map(Self::Respelt),
            1 => Just(Self::Slashed),
            1 => any::<Index>().prop_map(Self::CutOff),
        ]
    }

    fn apply(&self, text: &str) -> String {
        // Some events are meant to be no JSON.
        let Ok(mut event) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
        let places = count_places(&event);
        match self {
            Self::Mutated(at, mutation) => {
                mutation.apply(&mut event, *at);
                event.to_string()
            }
            Self::Written(at, writing) if places > 0 => {
                let mark: Value = serde_json::from_str(MARK).unwrap();
                at_place(&mut event, at.index(places), &mut |place| place.set(mark.clone()));
                event.to_string().replace(MARK, writing)
            }
            Self::Spaced => text.replace(",\"", " ,\n\t\""),
            Self::Respelt(at) => respelt(text, *at),
            Self::Slashed => text.replace('/', "\\/"),
            Self::CutOff(at) => text.chars().take(at.index(text.chars().count() + 1)).collect(),
            Self::Kept | Self::Written(..) => text.to_owned(),
        }
    }
}

/// The text with one letter of a name or of a string written by its number.
fn respelt(text: &str, at: Index) -> String {
    let (mut in_string, mut is_escaped, mut letters) = (false, false, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = in_string,
            '"' => in_string = !in_string,
            letter if in_string && letter.is_ascii_alphabetic() => letters.push(place),
            _ => {}
        }
    }
    if letters.is_empty() {
        return text.to_owned();
    }
    let (before, rest) = text.split_at(letters[at.index(letters.len())]);
    format!("{before}\\u{:04x}{}", rest.as_bytes()[0], &rest[1..])
}

/// Texts of values that a short cut may take for others.
fn writings() -> Vec<String> {
    let plain = [
        r#""""#,
        r#"" ""#,
        r#""m1""#,
        r#""other""#,
        r#""\u006d1""#,
        r#""a\n\"b\"\\\/""#,
        r#""\ud83c\udfd4""#,
        r#""\ud800""#,
        r#""\x""#,
        r#""é 🏔 – 王琳""#,
        "\"a\tb\"",
        "\"a",
        "0",
        "-0",
        "1.0",
        "1e2",
        "007",
        "12345678901234567",
        "9007199254740993",
        "1e400",
        "null",
        "{}",
        r#"{"password":"x","password":"y"}"#,
        r#"{"a":1,"a":2}"#,
        r#""{\"password\":1}""#,
        r#""\n[{\"a\":\"b\" ,\"API_KEY\" : 1}]""#,
        r#""{\"tok\\u0065n\":1}""#,
        r#""{\"name\":\"token\",\"note\":\"a \\\"secret\\\": b\"}""#,
        r#""{\"maxTokens\":1,\"n\":1e300}""#,
        r#""c0ffee00-1234-4abc-8def-0123456789ab""#,
        r#""Bearer c0ffee00-1234-4abc-8def-0123456789ab""#,
        r#""https:\/\/app:h4nts-F2xQ@db.internal\/x""#,
        r#""me@example.org""#,
        r#"[{"inputTokens":1,"outputTokens":1,"totalTokens":3}]"#,
        r#"[{"model":"a","cachedInputTokens":2,"inputTokens":1},{"model":"a"}]"#,
        r#"[{"model":"\u0061"},{"model":"a"},{"provider":"p","model":"a","totalTokens":7}]"#,
        r#"{"protocolVersion":"9.0"}"#,
        r#"{"protocol\u0056ersion":"9.0","\u4f4d":1}"#,
        r#"{"protocolVersion" : "1.0","state":{"protocolVersion":1}}"#,
        r#"{"type":"RUN_ERROR","message":"m","types":1}"#,
        r#"{"ty\u0070e":"RUN_ERROR","message":"m"}"#,
        r#""caf\u00e9 \u003cb\u003e""#,
        r#""pass\u0077ord""#,
        r#""/a~2""#,
        "-1",
        "0.5",
        "1.000000000000000001",
        "[[[[[[[[[1]]]]]]]]]",
        "nope",
    ];
    let mut writings: Vec<String> = plain.map(str::to_owned).to_vec();
    let token = ["ghp", "_F4k3V9mQ2xT7bLz0RwE5sYh8NcJ1uKpDaG6i"].concat();
    writings.push(format!("\"use {token}\""));
    writings.push(format!("\"\\u5bc6\\u94a5\\uff1a{token}\""));
    writings.push(format!("\"\\u003ecode\\u003e{token}\\u003c\""));
    writings.push(format!("\"{{\\\"authorization\\\":\\\"\\tBearer {}\\\"}}\"", &token[4..]));
    writings.push(r#""{\"api_key\"\u000a:\"hunter2\"}""#.to_owned());
    writings.push("\"-----BEGIN PRIVATE KEY----- abcdefghijklmnopqrstuvwxyz\"".to_owned());
    // Around the bounds below which a text cannot hold a value that is too large.
    writings.extend([8, 62, 70, 5_000, 32_001].map(|length| format!("\"{}\"", "y".repeat(length))));
    writings.push(format!("\"{}\"", "\\u0001".repeat(20)));
    writings.push(format!("\"[{}1]\"", "1\\u006520,".repeat(2000)));
    writings
}

/// Events of fixtures and recordings, or a made stream with a fault at most; and in either
/// some that are changed, or come again in another form.
fn streams_of(protocol: &Protocol) -> impl Strategy<Value = Vec<String>> {
    let generate: fn(u64) -> Vec<Value> = match protocol.id() {
        "lime" => streams::lime,
        "agui" => streams::agui,
        "social-app" => streams::social_app,
        "ubik" => streams::ubik,
        "polling" => |seed| if seed % 2 == 0 { streams::polling(seed) } else { streams::polling_responses(seed) },
        other => panic!("{other} is not tested here"),
    };
    let tag = if *protocol == Protocol::LIME { "eventClass" } else { "type" };
    let made = (0..100_000_u64, 0..2_usize).prop_map(move |(seed, count)| {
        let events = generate(seed);
        let lines: Vec<String> = events.iter().map(Value::to_string).collect();
        let faults = Fault::sample(&mut Source::new(seed), &events, tag, count);
        faults.iter().fold(lines, |lines, fault| fault.apply(&lines))
    });
    let sources = [crate::common::fixture_events, crate::common::recorded_events];
    let known: Vec<Sample> = sources.iter().flat_map(|source| source(protocol)).collect();
    let found = (any::<Index>(), 1..60_usize).prop_map(move |(first, count)| {
        known.iter().skip(first.index(known.len())).take(count).map(|sample| sample.text.clone()).collect::<Vec<_>>()
    });
    let edits = prop::collection::vec((any::<Index>(), any::<bool>(), Change::any(protocol)), 0..10);
    (prop_oneof![2 => made, 1 => found], edits).prop_map(|(stream, edits)| edited(stream, &edits))
}

/// The stream with each change in place of its event or, if so said, behind it.
fn edited(mut stream: Vec<String>, edits: &[(Index, bool, Change)]) -> Vec<String> {
    for (at, again, change) in edits {
        if stream.is_empty() {
            break;
        }
        let at = at.index(stream.len());
        let text = change.apply(&stream[at]);
        if *again {
            stream.insert(at + 1, text);
        } else {
            stream[at] = text;
        }
    }
    stream
}

/// The usual limits, and such as are soon reached.
fn limits() -> impl Strategy<Value = Limits> {
    let mut narrow = Limits::DEFAULT.with_depth(9).with_history(3);
    (narrow.inline_units, narrow.text_bytes) = (64, 40);
    prop_oneof![3 => Just(Limits::DEFAULT), 1 => Just(narrow)]
}

#[test]
fn fast_path_and_slow_path_give_the_same_findings() {
    for protocol in Protocol::ALL {
        proptest!(crate::common::cases(128), |(stream in streams_of(protocol), limits in limits())| {
            for profile in Profile::ALL {
                let builder = Checker::builder(protocol).profile(*profile).limits(limits);
                let (mut fast, mut slow) = (builder.clone().build(), builder.clone().exact(true).build());
                for (at, event) in stream.iter().enumerate() {
                    let (fast, slow) = (fast.push(Input::event(event)), slow.push(Input::event(event)));
                    prop_assert_eq!(fast, slow, "{} in {}, event {}: {}", protocol, profile, at, event);
                }
                prop_assert_eq!(fast.finish(), slow.finish(), "{} in {}, at the end", protocol, profile);
                for framing in [Framing::Ndjson, Framing::Sse] {
                    let bytes = framed(&stream, framing);
                    let fast = found_in(builder.clone().exact(false), framing, &bytes, bytes.len());
                    let slow = found_in(builder.clone().exact(true), framing, &bytes, 97);
                    prop_assert_eq!(fast, slow, "{} in {} as {}: {}", protocol, profile, framing, &bytes);
                }
            }
        });
    }
}

/// The events as a stream; some of their line breaks are CRLF.
fn framed(events: &[String], framing: Framing) -> String {
    let mut stream = String::new();
    for (at, event) in events.iter().enumerate() {
        let line_break = if at % 7 == 6 { "\r\n" } else { "\n" };
        stream += &match framing {
            Framing::Sse => format!("data: {event}{line_break}{line_break}"),
            _ => format!("{event}{line_break}"),
        };
    }
    stream
}

/// What is found in a stream that comes in pieces of so many bytes.
fn found_in(checker: CheckerBuilder, framing: Framing, text: &str, width: usize) -> Vec<Finding> {
    let mut stream = StreamChecker::of(checker.build(), framing);
    let mut found = Vec::new();
    for piece in text.as_bytes().chunks(width.max(1)) {
        found.extend(stream.push(piece).map(|found| Finding::clone(&found)));
    }
    found.extend(stream.finish().map(|found| Finding::clone(&found)));
    found
}

/// The share that the benches print is the one of phase 2.
#[test]
fn events_on_the_slow_path_are_counted() {
    let events = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"STEP_STARTED","stepName":7}"#,
        "no JSON",
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    ];
    let count = |mut checker: Checker| {
        for event in events {
            checker.push(Input::event(event));
        }
        let counted = checker.closer_looks();
        checker.reset();
        (counted, checker.closer_looks())
    };
    let builder = Checker::builder(Protocol::AGUI);
    assert_eq!(count(builder.clone().build()), (2, 0), "the two that are not clean");
    assert_eq!(count(builder.exact(true).build()), (4, 0), "all of them");
}

/// However names, types and pointers are written, a clean event is taken on the fast path.
#[test]
fn clean_events_with_escapes_are_taken_on_the_fast_path() {
    let events = [
        r#"{"type":"RUN\u005FSTARTED","threadId":"t","\u0072unId":"r"}"#,
        r#"{"snapshot":{"\u0061":{"b":1}},"type":"STATE\u005fSNAPSHOT"}"#,
        r#"{"type":"STATE_DELTA","delta":[{"\u006fp":"re\u0070lace","path":"\/a\/b","value":"\u0063"}]}"#,
        r#"{"type":"CUSTOM","name":"n","value":{"k\u0065y":["l\u0065tter"]},"metadata":{"k\u0065y":1}}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    ];
    let mut checker = Checker::new(Protocol::AGUI);
    for event in events {
        assert_eq!(checker.push(Input::event(event)), [], "{event}");
        assert_eq!(checker.closer_looks(), 0, "{event}");
    }
}

/// A checker learns which values of an event vary: the same place is written in several
/// ways, after others that it has seen there.
#[test]
fn values_that_have_varied_are_judged_alike_on_both_paths() {
    for protocol in Protocol::ALL {
        let sources = [crate::common::fixture_events, crate::common::recorded_events];
        let known: Vec<Sample> = sources.iter().flat_map(|source| source(protocol)).collect();
        let seen = prop_oneof![
            Just(["\"one\"", "\"two\""]),
            Just(["7", "31"]),
            Just(["0.25", "10.5"]),
            Just(["\"/a\"", "\"/b/0\""])
        ];
        let written = prop::collection::vec(select(writings()), 1..6);
        proptest!(crate::common::cases(512), |(event in select(known), at in any::<Index>(), seen in seen, written in written)| {
            let as_written = |text: &str| Change::Written(at, text.to_owned()).apply(&event.text);
            let before = seen.iter().chain(&seen).chain(&seen).map(|text| as_written(text));
            let builder = Checker::builder(protocol);
            let (mut fast, mut slow) = (builder.clone().build(), builder.exact(true).build());
            for text in before.chain(written.iter().map(|text| as_written(text))) {
                let (fast, slow) = (fast.push(Input::event(&text)), slow.push(Input::event(&text)));
                prop_assert_eq!(fast, slow, "{}: {}", protocol, text);
            }
        });
    }
}

/// A form is of whole events, and says nothing of their size.
#[test]
fn what_is_like_a_known_form_and_more_is_looked_at() {
    let custom = |value: &str| format!(r#"{{"type":"CUSTOM","name":"n","value":{value}}}"#);
    // A number of four bytes that has twenty-one digits when it is printed.
    let long = |text: &str| custom(&format!(r#"[{}"{text}"]"#, "1e20,".repeat(50)));
    let string = |length: usize| format!("\"{}\"", "y".repeat(length));
    let cut_off = |event: String| event[..event.len() - 1].to_owned();
    for (known, event, expected) in [
        (custom("\"a\""), custom("\"c\""), None),
        (custom("\"a\""), custom("\"c\"") + "}", Some("agui/frame-not-json")),
        (custom("\"a\""), custom("\"c\"") + " []", Some("agui/frame-not-json")),
        (custom("\"a\""), cut_off(custom("\"c\"")), Some("agui/frame-not-json")),
        (custom("\"a\""), custom("\"c\",\"more\":1"), Some("agui/unknown-property")),
        (custom("\"a\""), custom(&string(31_998)), None),
        (custom("\"a\""), custom(&string(31_999)), Some("agui/large-inline-value")),
        (long("a"), long(&"y".repeat(30_000)), None),
        (long("a"), long(&"y".repeat(31_000)), Some("agui/large-inline-value")),
    ] {
        let mut checker = Checker::new(Protocol::AGUI);
        assert!(checker.push(Input::event(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#)).is_empty());
        for other in ["\"a\"", "\"b\"", "\"a\"", "\"b\""] {
            assert!(checker.push(Input::event(&known.replacen("\"a\"", other, 1))).is_empty());
        }
        let found: Vec<&str> = checker.push(Input::event(&event)).iter().map(|found| found.rule.id()).collect();
        assert_eq!(found, Vec::from_iter(expected), "{} bytes", event.len());
    }
}

/// Members that phase 1 of AG-UI passes by itself, each written in every way.
#[test]
fn answers_arguments_and_usage_are_judged_alike_on_both_paths() {
    let events = |value: &str| {
        vec![
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#.to_owned(),
            format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":{value}}}"#),
            r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#.to_owned(),
            format!(r#"{{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":{value}}}"#),
            format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"s","input":{value}}}"#),
            format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":{value}}}"#),
        ]
    };
    let mut found = 0;
    for value in writings() {
        let builder = Checker::builder(Protocol::AGUI);
        let (mut fast, mut slow) = (builder.clone().build(), builder.exact(true).build());
        // The second time, the templates of the first are there.
        for event in [events(&value), events(&value)].concat() {
            let (fast, slow) = (fast.push(Input::event(&event)), slow.push(Input::event(&event)));
            assert_eq!(fast, slow, "{event}");
            found += slow.len();
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn frames_with_names_are_judged_alike_on_both_paths() {
    let protocol = Protocol::UBIK;
    proptest!(crate::common::cases(128), |(seed in 0..100_000_u64, count in 0..2_usize, limits in limits())| {
        let events = streams::ubik_tool(seed);
        let lines: Vec<String> = events.iter().map(Value::to_string).collect();
        let faults = Fault::sample(&mut Source::new(seed), &events, "event", count);
        let spoilt = faults.iter().fold(lines, |lines, fault| fault.apply(&lines));
        let frames: String = spoilt.iter().map(|line| streams::tool_frame(line)).collect();
        for profile in Profile::ALL {
            let builder = Checker::builder(&protocol).profile(*profile).limits(limits);
            let found = |builder| found_in(builder, Framing::Sse, &frames, frames.len());
            prop_assert_eq!(found(builder.clone()), found(builder.exact(true)), "in {}: {}", profile, &frames);
        }
    });
}
