//! Keys that name secrets in the tool calls of message text: each body is reported once, at the
//! event that completes it, however the text is cut and repeated.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input};
use agent_contracts::ubik::{
    AgentProcessingComplete, AgentProcessingError, AgentProcessingStarted, AgentResponseUpdate, AgentStepCompleted,
    AgentStepStarted, AgentStopRequested, ConnectionEstablished, Event, ResponseChunk, ResponseStreamStart, split,
};
use serde_json::Map;

const TIME: &str = "2026-01-01T00:00:00Z";

const MESSAGE: &str = "0b7f0f5e-6f39-4a3c-9d0e-2f5d1c1f7a10";

const KEY: &str = r#"{"api_key":"x7Kd93jfLq0"}"#;

fn connected(task: &str) -> Event {
    ConnectionEstablished::new("s", "c1", task).into()
}

fn chunk(text: &str) -> Event {
    chunk_at(0, text)
}

/// A chunk in its second: two that are equal count once.
fn chunk_at(second: usize, text: &str) -> Event {
    ResponseChunk::new(text, format!("2026-01-01T00:{:02}:{:02}Z", second / 60, second % 60)).into()
}

fn step_chunk(step: i32, text: &str) -> Event {
    ResponseChunk::new(text, TIME).with_step(step).into()
}

fn step(step: i32) -> Event {
    AgentStepStarted::new(step, "Work", false, TIME).into()
}

fn step_done(step: i32) -> Event {
    AgentStepCompleted::new(step, 100_u32, true, Map::new(), TIME).into()
}

fn update(content: &str) -> Event {
    AgentResponseUpdate::new(MESSAGE, content, MESSAGE, TIME).into()
}

fn complete(content: &str) -> Event {
    AgentProcessingComplete::new(MESSAGE, content, Map::new(), TIME).into()
}

fn error() -> Event {
    AgentProcessingError::new("no answer", "", TIME).into()
}

fn stop() -> Event {
    AgentStopRequested::new("t", TIME).into()
}

/// A call whose input has no end tag.
fn open(id: &str, input: &str) -> String {
    format!("<<TOOL_STEP_START/search:{id}>>\n<<TOOL_STEP_INPUT_START>>\n{input}")
}

fn call(id: &str, input: &str, result: Option<&str>) -> String {
    let mut text = open(id, input) + "\n<<TOOL_STEP_INPUT_END>>\n";
    if let Some(result) = result {
        text += &format!("<<TOOL_STEP_RESULT_START>>\n{result}\n<<TOOL_STEP_RESULT_END>>\n");
    }
    text + &format!("<<TOOL_STEP_END/search:{id}>>")
}

/// The event as fragments.
fn fragments(event: &Event) -> Vec<Event> {
    split(event, "g", 250).unwrap().unwrap().into_iter().map(Event::Delta).collect()
}

/// What is said of keys in a session, and where: the events that are given are those from
/// event 3 on.
fn told(events: &[Event]) -> Vec<String> {
    let begin =
        [connected("t"), AgentProcessingStarted::new("t", TIME).into(), ResponseStreamStart::new("t", TIME).into()];
    let (mut checker, mut told) = (Checker::new(Protocol::UBIK), Vec::new());
    let mut take = |found: &[Finding]| {
        for finding in found.iter().filter(|finding| finding.rule.id() == "ubik/secret-key") {
            let event = finding.event.map_or_else(|| "end".to_owned(), |event| event.to_string());
            told.push(format!("{event} {}: {}", finding.path, finding.message));
        }
    };
    for event in begin.iter().chain(events) {
        take(checker.push(Input::event(&event.to_json())));
    }
    take(checker.finish());
    told
}

/// The words about a body, at the content of an event.
fn at(event: usize, part: &str, id: &str) -> String {
    format!("{event} $.content: the key api_key in the {part} of tool call {id} (search) names a secret")
}

#[allow(clippy::too_many_lines, reason = "it is a table")]
fn sessions() -> Vec<(&'static str, Vec<Event>, Vec<String>)> {
    let (c, d) = (call("c", KEY, None), call("d", KEY, None));
    let (before, behind) = c.split_at(c.find("_key").unwrap());
    let in_fragments = fragments(&chunk(&format!("{c}{}", " ".repeat(400))));
    let last = 2 + in_fragments.len();
    let again = AgentStepStarted::new(1, "Work again", false, TIME).into();
    vec![
        ("an input", vec![chunk(&c), complete(&c)], vec![at(3, "input", "c")]),
        ("a result", vec![chunk(&call("c", "{}", Some(KEY))), error()], vec![at(3, "result", "c")]),
        ("both", vec![chunk(&call("c", KEY, Some(KEY))), error()], vec![at(3, "input", "c"), at(3, "result", "c")]),
        (
            "several keys in one body",
            vec![chunk(&call("c", r#"[{"password":"a"},{"to\u006ben":"b"}]"#, None)), error()],
            vec![at(3, "input", "c").replace("api_key", "password")],
        ),
        (
            "a key that is written with an escape",
            vec![chunk(&call("c", r#"{"to\u006ben":"b"}"#, None)), error()],
            vec![at(3, "input", "c").replace("api_key", "token")],
        ),
        (
            "keys and texts that give nothing away",
            vec![
                chunk(&call("c", r#"{"max_tokens":5,"api_key":"<redacted>"}"#, Some(r#"{"password":null}"#))),
                chunk(&call("d", r#"{"api_key":"x7Kd93jfLq0""#, Some(&format!("{KEY} and more")))),
                chunk(&call("e", "\"api_key\"", Some("{}"))),
                chunk(KEY),
                error(),
            ],
            vec![],
        ),
        ("a full text alone", vec![update(&c), error()], vec![at(3, "input", "c")]),
        ("the final text alone", vec![complete(&c)], vec![at(3, "input", "c")]),
        (
            "full texts that repeat it, with another",
            vec![chunk(&c), update(&c), update(&format!("{c}\n{d}")), complete(&format!("{c}\n{d}\n"))],
            vec![at(3, "input", "c"), at(5, "input", "d")],
        ),
        (
            "another body of the same call",
            vec![update(&c), complete(&call("c", r#"{"api_key":"another"}"#, None))],
            vec![at(3, "input", "c"), at(4, "input", "c")],
        ),
        (
            "a full text that ends inside of the body, and a chunk",
            vec![update(before), chunk(behind), complete(&c)],
            vec![at(4, "input", "c")],
        ),
        (
            "a full text in the place of the body's beginning",
            vec![chunk(before), update("Hello"), chunk(behind), error()],
            vec![],
        ),
        (
            "steps side by side",
            vec![step(1), step_chunk(1, before), step(2), step_chunk(2, "Hello"), step_chunk(1, behind), error()],
            vec![at(7, "input", "c")],
        ),
        (
            "text without a step behind another step",
            vec![chunk(before), step(1), chunk(behind), step_done(1), error()],
            vec![],
        ),
        (
            "text of a step behind a full text",
            vec![step(1), step_chunk(1, "Hello"), update(before), step_chunk(1, behind), step_done(1), error()],
            vec![at(6, "input", "c")],
        ),
        (
            "a step that begins again",
            vec![step(1), step_chunk(1, before), step_done(1), again, step_chunk(1, behind), error()],
            vec![],
        ),
        ("a chunk in fragments", [in_fragments, vec![error()]].concat(), vec![at(last, "input", "c")]),
        (
            "an input without an end tag, and an error",
            vec![chunk(&open("c", KEY)), error()],
            vec!["4 $: the key api_key in the input of tool call c (search) names a secret".to_owned()],
        ),
        (
            "inputs without end tags, and the end of a stopped stream",
            vec![chunk(&(open("d", KEY) + "<<TOOL_STEP_END/search:d>>" + &open("c", KEY))), stop()],
            vec![
                "end $: the key api_key in the input of tool call c (search) names a secret".to_owned(),
                "end $: the key api_key in the input of tool call d (search) names a secret".to_owned(),
            ],
        ),
        (
            "a result without an end tag, and an error",
            vec![
                chunk(&call("c", "{}", None).replace("<<TOOL_STEP_END/search:c>>", "<<TOOL_STEP_RESULT_START>>")),
                chunk(KEY),
                error(),
            ],
            vec![],
        ),
        (
            "the same call of another task",
            vec![chunk(&c), connected("u"), chunk_at(1, &c)],
            vec![at(3, "input", "c"), at(5, "input", "c")],
        ),
    ]
}

#[test]
fn keys_of_tool_calls_in_text() {
    for (what, events, expected) in sessions() {
        assert_eq!(told(&events), expected, "{what}");
    }
}

#[test]
fn it_does_not_matter_where_the_text_is_cut() {
    let text = format!("I <<thinking>>look<</thinking>>\n{}\n", call("c", KEY, None));
    let end = text.find("<<TOOL_STEP_INPUT_END>>").unwrap() + "<<TOOL_STEP_INPUT_END>>".len();
    for (cut, _) in text.char_indices().skip(1) {
        let events = [chunk(&text[..cut]), chunk(&text[cut..]), complete(&text)];
        assert_eq!(told(&events), [at(if cut < end { 4 } else { 3 }, "input", "c")], "cut at {cut}");
    }
    let letters: Vec<Event> =
        text.chars().enumerate().map(|(second, letter)| chunk_at(second, &letter.to_string())).collect();
    assert_eq!(told(&letters), [at(end + 2, "input", "c")]);
}

#[test]
fn a_body_that_is_too_long_to_hold_is_given_up() {
    let long = "x".repeat(700_000);
    let (mut checker, mut rules) = (Checker::new(Protocol::UBIK), Vec::new());
    for event in [
        connected("t"),
        AgentProcessingStarted::new("t", TIME).into(),
        ResponseStreamStart::new("t", TIME).into(),
        chunk(&open("c", &format!("{{\"text\":\"{long}"))),
        chunk(&long),
        chunk("\",\"api_key\":\"x7Kd93jfLq0\"}<<TOOL_STEP_INPUT_END>><<TOOL_STEP_END/search:c>>"),
        chunk(&call("d", KEY, None)),
        error(),
    ] {
        let found = checker.push(Input::event(&event.to_json()));
        // The chunks are large, which is another rule's.
        let found = found.iter().filter(|finding| finding.rule.id() != "ubik/large-inline-value");
        rules.extend(found.map(|finding| (finding.event, finding.rule.id().to_owned())));
    }
    let expected = [(Some(4), "input/history-limit"), (Some(6), "ubik/secret-key")];
    assert_eq!(rules, expected.map(|(event, rule)| (event, rule.to_owned())));
}
