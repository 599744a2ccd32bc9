//! What older producers send, decoded in the legacy mode and without it.

use agent_contracts::agui::{Event, LegacyDecoder};

/// Text as it came, text after translation, rules of what was translated.
const TRANSLATED: &[(&str, &str, &[&str])] = &[
    (
        r#"{"type":"THINKING_START","title":"Plan","timestamp":1.0}"#,
        r#"{"type":"REASONING_START","messageId":"r-1","timestamp":1.0}"#,
        &["agui/retired-event-type"],
    ),
    (
        r#"{"type":"THINKING_TEXT_MESSAGE_START","later":[1e400]}"#,
        r#"{"type":"REASONING_MESSAGE_START","messageId":"r-2","role":"reasoning","later":[1e400]}"#,
        &["agui/retired-event-type"],
    ),
    (
        r#"{"delta":"Hm","type":"THINKING_TEXT_MESSAGE_CONTENT","rawEvent":null}"#,
        r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"r-2","delta":"Hm"}"#,
        &["agui/retired-event-type", "agui/null-tolerated"],
    ),
    (
        r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#,
        r#"{"type":"REASONING_MESSAGE_END","messageId":"r-2"}"#,
        &["agui/retired-event-type"],
    ),
    (r#"{"type":"THINKING_END"}"#, r#"{"type":"REASONING_END","messageId":"r-1"}"#, &["agui/retired-event-type"]),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":null,"result":null}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        &["agui/null-tolerated", "agui/null-tolerated"],
    ),
    (
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"state":null}}"#,
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[]}}"#,
        &["agui/null-not-allowed"],
    ),
    (
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","parentMessageId":null}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#,
        &["agui/null-tolerated"],
    ),
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":[
            {"type":"binary","mimeType":"image/png","data":"aGk=","filename":"a.png","id":"p"},
            {"type":"binary","mimeType":"application/pdf","url":"https://example.invalid/a"},
            {"type":"binary","mimeType":"image/png","id":"only"}]}]}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":[
            {"type":"image","id":"p","source":{"type":"data","value":"aGk=","mimeType":"image/png"},"metadata":{"filename":"a.png"}},
            {"type":"document","source":{"type":"url","value":"https://example.invalid/a","mimeType":"application/pdf"}}]}]}"#,
        &["agui/binary-part-retired", "agui/binary-part-retired", "agui/binary-part-retired"],
    ),
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":[
            {"type":"binary","mimeType":"image/png","url":"u"},
            {"type":"image","source":{"type":"url","value":"u","mimeType":"image/png"}}]}]}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":[
            {"type":"image","source":{"type":"url","value":"u","mimeType":"image/png"}}]}]}"#,
        &["agui/binary-part-retired"],
    ),
    (r#"{"type":"SOMETHING_NEW","x":null}"#, r#"{"type":"SOMETHING_NEW","x":null}"#, &[]),
    (r#"{"type":"RUN_ERROR","message":"null"}"#, r#"{"type":"RUN_ERROR","message":"null"}"#, &[]),
];

#[test]
fn the_legacy_mode_translates() {
    let mut decoder = LegacyDecoder::with_id_prefix("r");
    for (text, modern, rules) in TRANSLATED {
        let mut retired = Vec::new();
        let event = decoder.decode(text, &mut retired).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(event, Event::from_json(modern).unwrap(), "{text}: {}", event.to_json());
        assert_eq!(retired.iter().map(|found| found.rule.id()).collect::<Vec<_>>(), *rules, "{text}");
    }
}

#[test]
fn without_it_retired_types_are_unknown_and_such_nulls_are_errors() {
    for (text, _, rules) in TRANSLATED {
        let event = Event::from_json(text);
        if text.contains("THINKING_") {
            assert_eq!(event.unwrap().known_type(), None, "{text}");
        } else {
            let has_null = rules.iter().any(|rule| rule.starts_with("agui/null-"));
            assert_eq!(event.is_err(), has_null, "{text}");
        }
    }
}

#[test]
fn what_was_never_tolerated_stays_an_error() {
    for text in [
        r#"{"type":"RUN_ERROR","message":"m","code":null}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m","metadata":null}"#,
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":null}"#,
        r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":null}"#,
        r#"{"type":"TEXT_MESSAGE_END",null}"#,
    ] {
        let mut retired = Vec::new();
        assert!(LegacyDecoder::new().decode(text, &mut retired).is_err(), "{text}");
    }
}

#[test]
fn ids_of_two_streams_differ() {
    let first = |mut decoder: LegacyDecoder| decoder.decode(r#"{"type":"THINKING_START"}"#, &mut Vec::new()).unwrap();
    assert_ne!(first(LegacyDecoder::new()), first(LegacyDecoder::new()));
}
