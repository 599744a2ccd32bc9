//! Sessions of Ubik are clean as AG-UI once converted, and say the same as their transcript.

use std::collections::BTreeMap;

use agent_contracts::check::{Checker, Finding, Input, Severity};
use agent_contracts::ubik::markup::{Markup, Node, Piece};
use agent_contracts::ubik::{
    AgUiConverter, AgentProcessingComplete, AgentProcessingError, AgentProcessingStarted, AgentResponseUpdate,
    AgentStepCompleted, AgentStepStarted, AgentStopRequested, CheckpointCreated, Chunk, ConnectionEstablished, Event,
    InputRequired, InputType, ResponseChunk, ResponseStreamStart, ToolInputRequired, ToolPartialUpdate,
    ToolPartialUpdateData, ToolUpdate, ToolUpdateData, Transcript, to_agui,
};
use agent_contracts::wire::{Json, JsonObject, Named};
use agent_contracts::{Protocol, agui};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

const TIME: &str = "2026-01-01T00:00:00Z";

const MESSAGE: &str = "0b7f0f5e-6f39-4a3c-9d0e-2f5d1c1f7a10";

fn object(value: Value) -> JsonObject {
    JsonObject::new(Json::from(value)).unwrap()
}

fn connected(connection: &str) -> Event {
    ConnectionEstablished::new("s", connection, "t").into()
}

fn chunk(text: &str) -> Event {
    ResponseChunk::new(text, TIME).into()
}

fn step_chunk(step: i32, text: &str) -> Event {
    ResponseChunk::new(text, TIME).with_step(step).into()
}

fn step(step: i32, description: &str) -> Event {
    AgentStepStarted::new(step, description, false, TIME).into()
}

fn step_done(step: i32) -> Event {
    AgentStepCompleted::new(step, 100_u32, true, Map::new(), TIME).into()
}

fn checkpoint() -> Event {
    CheckpointCreated::new("plan", TIME).into()
}

fn question() -> Event {
    InputRequired::new("plan", "Which one?", vec![InputType::Text], TIME).into()
}

fn tool_update(id: &str) -> Event {
    ToolUpdate::new(id, "search", ToolUpdateData::new().with_message("searching"), TIME).into()
}

fn tool_partial(id: &str) -> Event {
    ToolPartialUpdate::new(id, "search", ToolPartialUpdateData::new("found"), TIME).into()
}

fn tool_question(id: &str) -> Event {
    ToolInputRequired::new(id, "search", object(json!({"question": "Go on?"})), TIME).into()
}

fn stop() -> Event {
    AgentStopRequested::new("t", TIME).into()
}

fn update(content: &str) -> Event {
    AgentResponseUpdate::new(MESSAGE, content, MESSAGE, TIME).into()
}

fn complete(content: &str) -> Event {
    AgentProcessingComplete::new(MESSAGE, content, Map::new(), TIME).into()
}

fn error() -> Event {
    failed("Traceback: line 1")
}

fn failed(traceback: &str) -> Event {
    AgentProcessingError::new("no answer", traceback, TIME).into()
}

/// A tool call as text.
fn call(id: &str, input: &str, result: Option<&str>) -> String {
    let mut text =
        format!("<<TOOL_STEP_START/search:{id}>>\n<<TOOL_STEP_INPUT_START>>\n{input}\n<<TOOL_STEP_INPUT_END>>\n");
    if let Some(result) = result {
        text += &format!("<<TOOL_STEP_RESULT_START>>\n{result}\n<<TOOL_STEP_RESULT_END>>\n");
    }
    text + &format!("<<TOOL_STEP_END/search:{id}>>")
}

/// The event as fragments, the last one first.
fn fragments(event: &Event, id: &str, total: usize) -> Vec<Event> {
    let text: Vec<char> = event.to_json().chars().collect();
    let size = text.len().div_ceil(total);
    let pieces: Vec<String> = text.chunks(size).map(|piece| piece.iter().collect()).collect();
    let count = pieces.len() as u64;
    let fragment = |(index, piece): (usize, &String)| {
        let chunk = Chunk::new(id, index as u64, count, event.tag(), piece.as_str());
        Event::Delta(Named::new(format!("{}_delta_sse", event.tag()), chunk))
    };
    pieces.iter().enumerate().map(fragment).rev().collect()
}

/// Type and content of an event.
fn shown(event: &agui::Event) -> String {
    use agui::Event as E;
    let detail = match event {
        E::RunStarted(event) => format!("{} {}", event.thread_id, event.run_id),
        E::RunFinished(event) => match &event.outcome {
            None => String::new(),
            Some(agui::RunFinishedOutcome::Interrupt(outcome)) => {
                outcome.interrupts.iter().map(|interrupt| interrupt.reason.clone()).collect::<Vec<_>>().join(" ")
            }
            Some(outcome) => outcome.tag().to_owned(),
        },
        E::RunError(event) => event.message.clone(),
        E::StepStarted(event) => event.step_name.clone(),
        E::StepFinished(event) => event.step_name.clone(),
        E::TextMessageContent(event) => event.delta.clone(),
        E::ReasoningMessageContent(event) => event.delta.clone(),
        E::ToolCallStart(event) => format!("{} {}", event.tool_call_id, event.tool_call_name),
        E::ToolCallArgs(event) => event.delta.clone(),
        E::ToolCallResult(event) => content(&event.content),
        E::MessagesSnapshot(event) => event.messages.iter().map(message).collect::<Vec<_>>().join("; "),
        E::Custom(event) => event.name.clone(),
        _ => String::new(),
    };
    format!("{} {detail}", event.tag()).trim_end().to_owned()
}

fn content(content: &agui::Content) -> String {
    match content {
        agui::Content::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    }
}

fn message(message: &agui::Message) -> String {
    match message {
        agui::Message::Assistant(message) => match (&message.content, &message.tool_calls) {
            (Some(text), None) => text.clone(),
            (None, Some(calls)) => calls
                .iter()
                .map(|call| format!("{} {} {}", call.id, call.function.name, call.function.arguments))
                .collect(),
            _ => panic!("{message:?}"),
        },
        agui::Message::Tool(message) => format!("{} {}", message.tool_call_id, content(&message.content)),
        agui::Message::Reasoning(message) => format!("({})", message.content),
        agui::Message::User(message) => content(&message.content),
        other => panic!("{other:?}"),
    }
}

const TEXT: [&str; 3] = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT Hello", "TEXT_MESSAGE_END"];

/// What is converted, the events behind `connection_established`, and what they become
/// behind `RUN_STARTED`.
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn conversions() -> Vec<(&'static str, Vec<Event>, Vec<&'static str>)> {
    let looked = call("c", "{\"q\": 1.50}", Some("[2]"));
    let unanswered = "<<TOOL_STEP_START/search:c>>\n<<TOOL_STEP_INPUT_START>>\n1\n<<TOOL_STEP_INPUT_END>>\n";
    vec![
        (
            "text in chunks",
            vec![chunk("Hel"), chunk("lo"), complete("Hello")],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT Hel",
                "TEXT_MESSAGE_CONTENT lo",
                "TEXT_MESSAGE_END",
                "RUN_FINISHED",
            ],
        ),
        (
            "tags that are cut",
            vec![
                chunk("<<thin"),
                chunk("king>>\nhm<"),
                chunk("</thinking>>\nHello"),
                complete("<<thinking>>\nhm<</thinking>>\nHello"),
            ],
            [
                &[
                    "REASONING_START",
                    "REASONING_MESSAGE_START",
                    "REASONING_MESSAGE_CONTENT hm",
                    "REASONING_MESSAGE_END",
                    "REASONING_END",
                ][..],
                &TEXT,
                &["RUN_FINISHED"],
            ]
            .concat(),
        ),
        (
            "a tool call",
            vec![chunk(&looked[..30]), chunk(&looked[30..]), complete(&looked)],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS {\"q\": 1.50}",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT [2]",
                "RUN_FINISHED",
            ],
        ),
        (
            "input that is no JSON, and a call without input",
            vec![
                chunk(&call("c", "q=1", None)),
                chunk("<<TOOL_STEP_START/search:d>><<TOOL_STEP_END/search:d>>"),
                error(),
            ],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS \"q=1\"",
                "TOOL_CALL_END",
                "TOOL_CALL_START d search",
                "TOOL_CALL_ARGS {}",
                "TOOL_CALL_END",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "text beside the bodies of a call, whose end was forgotten",
            vec![
                chunk(&call("c", "1", Some("3")).replace("<<TOOL_STEP_END/search:c>>", "")),
                chunk("It is "),
                chunk("3."),
                error(),
            ],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS 1",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT 3",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT It is",
                "TEXT_MESSAGE_CONTENT 3.",
                "TEXT_MESSAGE_END",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "calls with one id, or none",
            vec![
                chunk(&call("c", "1", None)),
                chunk(&call("c", "2", Some("3"))),
                chunk("<<TOOL_STEP_START/search>><<TOOL_STEP_END/search>>"),
                error(),
            ],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS 1",
                "TOOL_CALL_END",
                "TOOL_CALL_START ubik:t:1 search",
                "TOOL_CALL_ARGS 2",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT 3",
                "TOOL_CALL_START ubik:t:3 search",
                "TOOL_CALL_ARGS {}",
                "TOOL_CALL_END",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "final text that goes on",
            vec![chunk("Hello"), complete("Hello, world")],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT Hello",
                "TEXT_MESSAGE_CONTENT , world",
                "TEXT_MESSAGE_END",
                "RUN_FINISHED",
            ],
        ),
        (
            "final text that differs",
            vec![chunk("Hello"), complete(&format!("<<thinking>>hm<</thinking>>Hi\n{looked}"))],
            [&TEXT[..], &["MESSAGES_SNAPSHOT (hm); Hi; c search {\"q\": 1.50}; c [2]", "RUN_FINISHED"]].concat(),
        ),
        (
            "a session without chunks",
            vec![update("One"), update("One two\n"), complete("One two")],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT One",
                "TEXT_MESSAGE_CONTENT  two",
                "TEXT_MESSAGE_END",
                "RUN_FINISHED",
            ],
        ),
        (
            "chunks behind a full text",
            vec![chunk("Helo"), update("Hel"), chunk("lo"), error()],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT Helo",
                "TEXT_MESSAGE_END",
                "MESSAGES_SNAPSHOT Hel",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT lo",
                "TEXT_MESSAGE_END",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "chunks behind a full text that ends inside of a call",
            vec![update(&looked[..70]), chunk(&looked[70..]), complete(&looked)],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS {\"q\": 1.50}",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT [2]",
                "RUN_FINISHED",
            ],
        ),
        (
            "a step, and text behind it",
            vec![step(1, "Search"), step_chunk(1, "Hello"), step_done(1), chunk("Hello"), error()],
            [
                &["STEP_STARTED Step 1: Search"][..],
                &TEXT,
                &["STEP_FINISHED Step 1: Search"],
                &TEXT,
                &["RUN_ERROR no answer"],
            ]
            .concat(),
        ),
        (
            "a step that goes on while another is open",
            vec![
                step(1, ""),
                step_chunk(1, "a"),
                step(2, "Step 2: x"),
                step_chunk(2, "b"),
                step_chunk(1, "c"),
                error(),
            ],
            vec![
                "STEP_STARTED Step 1",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT a",
                "STEP_STARTED Step 2: x",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT b",
                "TEXT_MESSAGE_CONTENT c",
                "TEXT_MESSAGE_END",
                "TEXT_MESSAGE_END",
                "STEP_FINISHED Step 2: x",
                "STEP_FINISHED Step 1",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "text that comes too late for its place",
            vec![
                step(1, "a"),
                step_chunk(1, "Hello"),
                step_done(1),
                step(2, "b"),
                step_chunk(2, "Hello"),
                step_chunk(1, "!"),
                error(),
            ],
            [
                &["STEP_STARTED Step 1: a"][..],
                &TEXT,
                &["STEP_FINISHED Step 1: a", "STEP_STARTED Step 2: b"],
                &TEXT[..2],
                &["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT !", "TEXT_MESSAGE_END", "TEXT_MESSAGE_END"],
                &["MESSAGES_SNAPSHOT Hello!; Hello", "STEP_FINISHED Step 2: b", "RUN_ERROR no answer"],
            ]
            .concat(),
        ),
        (
            "a run that waits for the user",
            vec![checkpoint(), question(), complete("")],
            vec!["CUSTOM ubik.checkpoint_created", "CUSTOM ubik.input_required", "RUN_FINISHED input_required"],
        ),
        (
            "a question that was answered",
            vec![checkpoint(), question(), chunk("Hello"), complete("Hello")],
            [&["CUSTOM ubik.checkpoint_created", "CUSTOM ubik.input_required"][..], &TEXT, &["RUN_FINISHED"]].concat(),
        ),
        (
            "a question whose answer only the whole text has",
            vec![
                checkpoint(),
                question(),
                complete(
                    "<<INPUT_REQUIRED_START>>\nGo on?\n<<USER_INPUT_PROVIDED_START>>yes<<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>\n",
                ),
            ],
            vec!["CUSTOM ubik.checkpoint_created", "CUSTOM ubik.input_required", "RUN_FINISHED"],
        ),
        (
            "a tool that waits for the user",
            vec![tool_update("c"), tool_question("c")],
            vec![
                "TOOL_CALL_START c search",
                "CUSTOM ubik.tool_update",
                "CUSTOM ubik.tool_input_required",
                "TOOL_CALL_ARGS {}",
                "TOOL_CALL_END",
                "RUN_FINISHED tool_input_required",
            ],
        ),
        (
            "events of a tool around its call",
            vec![tool_update("c"), tool_question("c"), tool_partial("c"), chunk(&looked), complete(&looked)],
            vec![
                "TOOL_CALL_START c search",
                "CUSTOM ubik.tool_update",
                "CUSTOM ubik.tool_input_required",
                "CUSTOM ubik.tool_partial_update",
                "TOOL_CALL_ARGS {\"q\": 1.50}",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT [2]",
                "RUN_FINISHED",
            ],
        ),
        (
            "a call that is answered again behind a full text without it",
            vec![
                tool_partial("c"),
                chunk(&call("c", "1", Some("2"))),
                update("Hello"),
                chunk(&call("c", "1", Some("3"))),
                error(),
            ],
            vec![
                "TOOL_CALL_START c search",
                "CUSTOM ubik.tool_partial_update",
                "TOOL_CALL_ARGS 1",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT 2",
                "MESSAGES_SNAPSHOT Hello; ubik:t:3 search {}",
                "TOOL_CALL_RESULT 3",
                "MESSAGES_SNAPSHOT Hello; ubik:t:3 search 1; ubik:t:3 3",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "a call that is answered again behind a full text without its result",
            vec![
                chunk(&call("c", "1", Some("2"))),
                update(unanswered),
                chunk("<<TOOL_STEP_RESULT_START>>3<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/search:c>>"),
                error(),
            ],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS 1",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT 2",
                "MESSAGES_SNAPSHOT ubik:t:2 search 1",
                "TOOL_CALL_RESULT 3",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "a call that comes twice in the text, of which an event has told, and a whole text without it",
            vec![chunk(&call("c", "1", None)), tool_update("c"), chunk(&call("c", "2", None)), complete("Hello")],
            vec![
                "TOOL_CALL_START c search",
                "TOOL_CALL_ARGS 1",
                "TOOL_CALL_END",
                "CUSTOM ubik.tool_update",
                "TOOL_CALL_START ubik:t:1 search",
                "TOOL_CALL_ARGS 2",
                "TOOL_CALL_END",
                "MESSAGES_SNAPSHOT Hello; c search {}",
                "RUN_FINISHED",
            ],
        ),
        (
            "a call that events tell of, behind full texts without its result and without it",
            vec![tool_update("c"), chunk(&call("c", "1", Some("2"))), update(unanswered), complete("Hello")],
            vec![
                "TOOL_CALL_START c search",
                "CUSTOM ubik.tool_update",
                "TOOL_CALL_ARGS 1",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT 2",
                "MESSAGES_SNAPSHOT ubik:t:2 search 1",
                "MESSAGES_SNAPSHOT Hello; ubik:t:2 search {}",
                "RUN_FINISHED",
            ],
        ),
        (
            "a call whose result came in a full text alone, and comes again",
            vec![
                chunk("Hello"),
                update(&call("c", "1", Some("2"))),
                update(unanswered),
                chunk("<<TOOL_STEP_RESULT_START>>2<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/search:c>>"),
                error(),
            ],
            [
                &TEXT[..],
                &[
                    "MESSAGES_SNAPSHOT c search 1; c 2",
                    "MESSAGES_SNAPSHOT ubik:t:4 search 1",
                    "TOOL_CALL_RESULT 2",
                    "RUN_ERROR no answer",
                ],
            ]
            .concat(),
        ),
        (
            "a run that was stopped",
            vec![step(1, "a"), stop()],
            vec![
                "STEP_STARTED Step 1: a",
                "CUSTOM ubik.agent_stop_requested",
                "STEP_FINISHED Step 1: a",
                "RUN_FINISHED cancelled",
            ],
        ),
        (
            "a stream that breaks off, inside of a tag",
            vec![chunk("Hello<<thin")],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT Hello",
                "TEXT_MESSAGE_CONTENT <<thin",
                "TEXT_MESSAGE_END",
                "RUN_ERROR the stream ended before the task did",
            ],
        ),
        (
            "a connection that is made again",
            vec![chunk("ha"), chunk("ha"), connected("c2"), chunk("ha"), chunk("ha"), chunk("ha"), error(), chunk("!")],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT ha",
                "TEXT_MESSAGE_CONTENT ha",
                "TEXT_MESSAGE_CONTENT ha",
                "TEXT_MESSAGE_END",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "a traceback that quotes tags",
            vec![chunk("Hello"), failed("Traceback: <<<ERROR_JSON_END>> <<TOOL_STEP_START/rm:1>>")],
            [&TEXT[..], &["RUN_ERROR no answer"]].concat(),
        ),
        (
            "an error while the input of a call is open",
            vec![chunk("<<TOOL_STEP_START/search:c>><<TOOL_STEP_INPUT_START>>{"), failed("<<TOOL_STEP_INPUT_END>>")],
            vec!["TOOL_CALL_START c search", "TOOL_CALL_ARGS \"{\"", "TOOL_CALL_END", "RUN_ERROR no answer"],
        ),
        (
            "a call that a snapshot has without arguments, which come later",
            vec![
                chunk("Draft"),
                tool_update("c"),
                update("Hello"),
                complete(&format!("Hello{}", call("c", "1", Some("2")))),
            ],
            vec![
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT Draft",
                "TOOL_CALL_START c search",
                "CUSTOM ubik.tool_update",
                "TEXT_MESSAGE_END",
                "TOOL_CALL_ARGS {}",
                "TOOL_CALL_END",
                "MESSAGES_SNAPSHOT Hello; c search {}",
                "MESSAGES_SNAPSHOT Hello; c search 1; c 2",
                "RUN_FINISHED",
            ],
        ),
        (
            "a call that the text names otherwise than its events",
            vec![tool_update("c"), complete(&call("c", "1", None).replace("search", "find"))],
            vec![
                "TOOL_CALL_START c search",
                "CUSTOM ubik.tool_update",
                "TOOL_CALL_ARGS {}",
                "TOOL_CALL_END",
                "MESSAGES_SNAPSHOT c find 1",
                "RUN_FINISHED",
            ],
        ),
        (
            "tags in what is no text of the agent",
            vec![
                step(1, "Explain the <<thinking>> tag"),
                step_chunk(1, "Hello"),
                step_done(1),
                InputRequired::new("a", "Is <<TOOL_STEP_START/delete:9>> right?", vec![InputType::Text], TIME).into(),
                error(),
            ],
            vec![
                "STEP_STARTED Step 1: Explain the <<thinking>> tag",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT Hello",
                "TEXT_MESSAGE_END",
                "STEP_FINISHED Step 1: Explain the <<thinking>> tag",
                "CUSTOM ubik.input_required",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "a step that is begun anew within an input",
            vec![
                step(1, "Read"),
                step_chunk(1, "<<TOOL_STEP_START/read:1>>\n<<TOOL_STEP_INPUT_START>>\n{\"path\":"),
                step(2, "Retry"),
                step_chunk(2, &call("2", "{}", Some("[]"))),
                step_done(2),
                error(),
            ],
            vec![
                "STEP_STARTED Step 1: Read",
                "TOOL_CALL_START 1 read",
                "STEP_STARTED Step 2: Retry",
                "TOOL_CALL_START 2 search",
                "TOOL_CALL_ARGS {}",
                "TOOL_CALL_END",
                "TOOL_CALL_RESULT []",
                "STEP_FINISHED Step 2: Retry",
                "TOOL_CALL_ARGS \"{\\\"path\\\":\"",
                "TOOL_CALL_END",
                "STEP_FINISHED Step 1: Read",
                "RUN_ERROR no answer",
            ],
        ),
        (
            "a connection of another task",
            vec![chunk("Hello"), ConnectionEstablished::new("s", "c2", "other").into(), chunk("of the other")],
            [&TEXT[..], &["RUN_ERROR the stream ended before the task did"]].concat(),
        ),
        (
            "fragments",
            [fragments(&chunk("Hello"), "g1", 3), fragments(&complete("Hello"), "g2", 2)].concat(),
            [&TEXT[..], &["RUN_FINISHED"]].concat(),
        ),
    ]
}

#[test]
fn single_conversions() {
    for (what, events, expected) in conversions() {
        let events: Vec<Event> = std::iter::once(connected("c1")).chain(events).collect();
        let converted = to_agui(events);
        let mut told: Vec<String> = converted.iter().map(shown).collect();
        assert_eq!(told.remove(0), "RUN_STARTED s t", "{what}");
        assert_eq!(told, expected, "{what}");
        let found = faults(Protocol::AGUI, &json_of(&converted));
        assert!(found.is_empty(), "{what}: {found:#?}");
        let json: String = converted.iter().map(agui::Event::to_json).collect();
        assert!(!json.contains("Traceback"), "{what}");
    }
}

#[test]
fn members_without_a_place() {
    let text = r#"{"type":"agent_step_completed","step":1,"progress":100.0,"completed":true,"results":{"n":1.50,"a":null},"timestamp":"2026-01-01T00:00:00Z","api_key":"none","x":null}"#;
    let waiting = [connected("c1"), step(1, "a"), Event::from_json(text).unwrap(), tool_question("c")];
    let converted: Vec<String> = to_agui(waiting).iter().map(agui::Event::to_json).collect();
    let expected = [
        r#"{"type":"RUN_STARTED","threadId":"s","runId":"t","metadata":{"ubik":{"connection_id":"c1"}}}"#,
        r#"{"type":"STEP_STARTED","stepName":"Step 1: a","metadata":{"ubik":{"step":1,"single_step_agent":false,"timestamp":"2026-01-01T00:00:00Z"}}}"#,
        r#"{"type":"STEP_FINISHED","stepName":"Step 1: a","metadata":{"ubik":{"step":1,"progress":100.0,"completed":true,"results":{"n":1.50,"a":null},"timestamp":"2026-01-01T00:00:00Z"}}}"#,
        r#"{"type":"CUSTOM","name":"ubik.tool_input_required","value":{"tool_execution_id":"c","tool_name":"search","tool_input":{"question":"Go on?"},"timestamp":"2026-01-01T00:00:00Z"}}"#,
        r#"{"type":"RUN_FINISHED","threadId":"s","runId":"t","outcome":{"type":"interrupt","interrupts":[{"id":"ubik:t:1","reason":"tool_input_required","message":"Go on?","metadata":{"ubik":{"tool_execution_id":"c","tool_name":"search","tool_input":{"question":"Go on?"},"timestamp":"2026-01-01T00:00:00Z"}}}]}}"#,
    ];
    assert_eq!(converted, expected);
    // The first chunk could begin a tag, so its text is put out with the second.
    let pieces = [with_extra(&chunk("<"), Some(("a", 1))), with_extra(&chunk("b"), Some(("b", 1))), chunk("c")];
    let start = to_agui(pieces).into_iter().find(|event| event.tag() == "TEXT_MESSAGE_START").unwrap();
    assert!(start.to_json().ends_with(r#""b":"长","a":"长"}}}"#), "{}", start.to_json());
}

#[test]
fn snapshots_repeat_what_came_earlier() {
    let asked = agui::UserMessage::new("u1", "Hello?");
    let out = behind(vec![asked.into()], &[chunk("Hi"), complete("Hello")]);
    assert!(out.iter().map(shown).any(|shown| shown == "MESSAGES_SNAPSHOT Hello?; Hello"), "{out:?}");
    assert!(faults(Protocol::AGUI, &json_of(&out)).is_empty());
}

/// What events become behind earlier messages of the conversation.
fn behind(earlier: Vec<agui::Message>, events: &[Event]) -> Vec<agui::Event> {
    let mut converter = AgUiConverter::new().with_earlier(earlier);
    let mut out = Vec::new();
    converter.push(&connected("c1"), &mut out);
    for event in events {
        converter.push(event, &mut out);
    }
    converter.finish(&mut out);
    out
}

#[test]
fn earlier_messages_and_calls_are_told_from_those_of_the_run() {
    let function = agui::FunctionCall::new("search", "{}");
    let earlier_call = agui::ToolCall::new("c", agui::ToolCallType::Function, function);
    let earlier = vec![
        agui::AssistantMessage::new("ubik:t:u:7").with_content("of run t:u").into(),
        agui::AssistantMessage::new("ubik:t:7").with_content("of this run").into(),
        agui::AssistantMessage::new("a1").with_tool_calls(vec![earlier_call]).into(),
    ];
    let out = behind(earlier, &[chunk(&call("c", "1", None)), complete("Hello")]);
    let expected = [
        "RUN_STARTED s t",
        "TOOL_CALL_START ubik:t:1 search",
        "TOOL_CALL_ARGS 1",
        "TOOL_CALL_END",
        "MESSAGES_SNAPSHOT of run t:u; c search {}; Hello",
        "RUN_FINISHED",
    ];
    assert_eq!(out.iter().map(shown).collect::<Vec<_>>(), expected);
}

#[test]
fn a_snapshot_that_is_too_large_changes_nothing() {
    let long = agui::UserMessage::new("u1", "x".repeat(11 * 1024 * 1024));
    let out = behind(vec![long.into()], &[chunk("Helo"), update("Quite different"), complete("Helo, world")]);
    let expected = [
        "RUN_STARTED s t",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT Helo",
        "TEXT_MESSAGE_END",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT , world",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ];
    assert_eq!(out.iter().map(shown).collect::<Vec<_>>(), expected);
}

#[test]
fn bodies_that_are_open_in_many_steps_are_bounded_together() {
    let body = format!("<<TOOL_STEP_START/search:c>>\n<<TOOL_STEP_INPUT_START>>\n{}", "x".repeat(1024 * 1024));
    let mut events = vec![chunk("before")];
    for number in 1..20 {
        events.extend([step(number, "Work"), step_chunk(number, &body)]);
    }
    events.extend([chunk("behind"), complete("Hello")]);
    let told: Vec<String> = behind(Vec::new(), &events).iter().map(shown).collect();
    let has = |expected: &str| told.iter().any(|told| told == expected);
    assert!(has("TEXT_MESSAGE_CONTENT before") && !has("TEXT_MESSAGE_CONTENT behind"), "{told:#?}");
    assert!(has("CUSTOM ubik.agent_step_started"), "{told:#?}");
    assert!(has("MESSAGES_SNAPSHOT Hello"), "{told:#?}");
}

fn json_of(events: &[agui::Event]) -> Vec<String> {
    events.iter().map(agui::Event::to_json).collect()
}

/// The errors and warnings of a stream.
fn faults(protocol: Protocol, texts: &[String]) -> Vec<String> {
    let mut checker = Checker::new(protocol);
    let mut faults = Vec::new();
    let mut take = |found: &[Finding]| {
        let grave = found.iter().filter(|finding| finding.severity > Severity::Note);
        faults.extend(grave.map(|finding| format!("event {:?}: {finding} at {}", finding.event, finding.path)));
    };
    for text in texts {
        take(checker.push(Input::event(text)));
    }
    take(checker.finish());
    faults
}

/// The text and the calls that a client has in the end.
#[derive(Debug, PartialEq, Eq)]
struct Arrived {
    text: String,
    /// Sorted: where a call was made again, it has another id and place.
    calls: Vec<Called>,
}

/// Name, arguments and result.
type Called = (String, String, Option<String>);

impl Arrived {
    fn of(text: String, calls: BTreeMap<String, Called>) -> Self {
        let mut calls: Vec<Called> = calls.into_values().collect();
        calls.sort();
        Self { text: squashed(text), calls }
    }

    fn at_client(events: &[agui::Event]) -> Self {
        use agui::Event as E;
        let mut texts: Vec<(agui::MessageId, String)> = Vec::new();
        let mut calls = BTreeMap::<String, Called>::new();
        for event in events {
            match event {
                E::TextMessageStart(event) => texts.push((event.message_id.clone(), String::new())),
                E::TextMessageContent(event) => {
                    let open = texts.iter_mut().find(|(id, _)| *id == event.message_id).unwrap();
                    open.1.push_str(&event.delta);
                }
                E::ToolCallStart(event) => {
                    let call = (event.tool_call_name.clone(), String::new(), None);
                    calls.insert(event.tool_call_id.to_string(), call);
                }
                E::ToolCallArgs(event) => {
                    calls.get_mut(event.tool_call_id.as_str()).unwrap().1.push_str(&event.delta);
                }
                E::ToolCallResult(event) => {
                    calls.get_mut(event.tool_call_id.as_str()).unwrap().2 = Some(content(&event.content));
                }
                E::MessagesSnapshot(event) => {
                    texts.clear();
                    calls.clear();
                    for message in &event.messages {
                        match message {
                            agui::Message::Assistant(message) => {
                                let content = message.content.clone().unwrap_or_default();
                                texts.push((message.id.clone(), content));
                                for call in message.tool_calls.iter().flatten() {
                                    let function = &call.function;
                                    let call_of = (function.name.clone(), function.arguments.clone(), None);
                                    calls.insert(call.id.to_string(), call_of);
                                }
                            }
                            agui::Message::Tool(message) => {
                                let call = calls.get_mut(message.tool_call_id.as_str()).unwrap();
                                call.2 = Some(content(&message.content));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Self::of(texts.into_iter().map(|(_, text)| text).collect(), calls)
    }

    fn in_transcript(transcript: &Transcript) -> Self {
        let mut text = String::new();
        visible(transcript.markup().nodes(), &mut text);
        let mut calls = BTreeMap::new();
        for card in transcript.tools() {
            let args = card.input.as_ref().map_or_else(|| "{}".to_owned(), |body| args(body.content.as_str().trim()));
            let result = card.result.as_ref().map(|body| body.content.as_str().trim().to_owned());
            calls.insert(card.id.to_string(), (card.name.clone(), args, result));
        }
        Self::of(text, calls)
    }
}

fn args(text: &str) -> String {
    if Json::parse(text).is_ok() { text.to_owned() } else { json!(text).to_string() }
}

/// White space does not count.
fn squashed(mut text: String) -> String {
    text.retain(|c| !c.is_whitespace());
    text
}

/// The text for the user.
fn visible(nodes: &[Node], out: &mut String) {
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(text.as_str()),
            Node::Step(step) => {
                let mut text = String::new();
                visible(&step.block.children, &mut text);
                let title = step.title.as_ref().map_or("", Piece::as_str);
                out.push_str(&text.replacen(title, "", 1));
            }
            Node::Tool(tool) => visible(&tool.block.children, out),
            _ => {}
        }
    }
}

#[test]
fn text_for_the_user() {
    let mut text = String::new();
    let written = "a<<STEP_START>>\nStep 1: x\nb<<thinking>>c<</thinking>>d<<STEP_END>><<TOOL_STEP_START/s:c>> e";
    visible(Markup::parse(written).nodes(), &mut text);
    assert_eq!(squashed(text), "abde");
}

/// A piece of an answer that is drawn.
#[derive(Clone, Debug)]
enum Body {
    Text(String),
    Thought(String),
    Call { input: Option<Value>, result: Option<Value>, is_whole: bool },
}

impl Body {
    fn text(&self, id: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Thought(text) => format!("<<thinking>>\n{text}\n<</thinking>>\n"),
            Self::Call { input, result, is_whole } => {
                let mut text = format!("<<TOOL_STEP_START/search:{id}>>\n");
                if let Some(input) = input {
                    text += &format!("<<TOOL_STEP_INPUT_START>>\n{input}\n<<TOOL_STEP_INPUT_END>>\n");
                }
                if let Some(result) = result {
                    text += &format!("<<TOOL_STEP_RESULT_START>>\n{result:#}\n<<TOOL_STEP_RESULT_END>>\n");
                }
                if *is_whole {
                    text += &format!("<<TOOL_STEP_END/search:{id}>>\n");
                }
                text
            }
        }
    }
}

/// What comes between chunks.
#[derive(Clone, Copy, Debug)]
enum Between {
    Checkpoint,
    Question,
    Stop,
    ToolUpdate(u8),
    ToolPartial(u8),
    ToolQuestion(u8),
    /// The text so far, or another one.
    Update(Option<&'static str>),
    Reconnect,
}

#[derive(Clone, Debug)]
struct Group {
    step: bool,
    completed: bool,
    bodies: Vec<Body>,
    cuts: Vec<Index>,
    /// Chunks that come in the next group only.
    late: usize,
}

#[derive(Clone, Copy, Debug)]
enum End {
    /// With the text of the transcript, or another one.
    Complete(Option<&'static str>),
    Error,
    Nothing,
}

const TEXTS: &[&str] = &[
    "",
    "Quite different.",
    "<<STEP_START>>\nStep 1: Work ✓\nabc\n<<TOOL_STEP_START/search:x0>>\n<<TOOL_STEP_INPUT_START>>\n{\"n\":1}\n<<TOOL_STEP_INPUT_END>>\n",
    "<<thinking>>\nbegun",
    "<<CHECKPOINT_START>>\nCheckpoint: plan\n<<CHECKPOINT_END>>\nabc",
];

/// Members that no event of the contract has.
const EXTRAS: &[(&str, usize)] = &[("x_long", 40_000), ("x_half", 20_000), ("x_other_half", 20_000), ("api_key", 4)];

#[derive(Clone, Debug)]
struct Session {
    groups: Vec<Group>,
    between: Vec<(Index, Between)>,
    extras: Vec<(Index, Option<(&'static str, usize)>)>,
    split: Vec<(Index, usize)>,
    end: End,
}

/// An event that is put together, at the time of its place in the session.
fn timed(event: &Event, second: usize) -> Event {
    let mut value: Value = serde_json::from_str(&event.to_json()).unwrap();
    let time = format!("2026-01-01T00:{:02}:{:02}Z", second / 60 % 60, second % 60);
    for name in ["timestamp", "created_at"] {
        if let Some(member) = value.get_mut(name) {
            *member = json!(time);
        }
    }
    Event::from_json(&value.to_string()).unwrap()
}

fn with_extra(event: &Event, extra: Option<(&str, usize)>) -> Event {
    let mut value: Value = serde_json::from_str(&event.to_json()).unwrap();
    match extra {
        Some((name, length)) => value[name] = json!("长".repeat(length)),
        None => value["x_deep"] = (0..120).fold(json!(null), |inner, _| json!([inner])),
    }
    Event::from_json(&value.to_string()).unwrap()
}

impl Session {
    /// Whether it is as the guides have it, so that there is nothing to find.
    fn is_plain(&self) -> bool {
        use Between::{ToolPartial, ToolQuestion, ToolUpdate};
        let whole = |body: &Body| !matches!(body, Body::Call { is_whole: false, .. });
        let plain =
            |group: &Group| (!group.step || (group.completed && group.late == 0)) && group.bodies.iter().all(whole);
        let of_tools = |between: &Between| matches!(between, ToolUpdate(_) | ToolPartial(_) | ToolQuestion(_));
        self.groups.iter().all(plain)
            && self.between.iter().all(|(_, between)| of_tools(between))
            && matches!(self.end, End::Complete(None) | End::Error)
    }

    fn reconnects(&self) -> bool {
        self.between.iter().any(|(_, between)| matches!(between, Between::Reconnect))
    }

    /// The events of the answer: chunks and steps.
    fn body(&self) -> Vec<Event> {
        let (mut events, mut late) = (Vec::new(), Vec::new());
        let mut calls = 0;
        for (at, group) in self.groups.iter().enumerate() {
            let number = at as i32 + 1;
            if group.step {
                events.push(step(number, "Work"));
            }
            let mut text = String::new();
            for body in &group.bodies {
                text += &body.text(&format!("c{calls}"));
                calls += usize::from(matches!(body, Body::Call { .. }));
            }
            let chars: Vec<char> = text.chars().collect();
            let mut cuts: Vec<usize> = group.cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
            cuts.extend([0, chars.len()]);
            cuts.sort_unstable();
            let pieces = cuts.windows(2).map(|cut| chars[cut[0]..cut[1]].iter().collect::<String>());
            let mut chunks: Vec<Event> =
                pieces.map(|piece| if group.step { step_chunk(number, &piece) } else { chunk(&piece) }).collect();
            let kept = chunks.len() - group.late.min(chunks.len());
            let held = if group.step { chunks.split_off(kept) } else { Vec::new() };
            events.append(&mut chunks);
            events.append(&mut late);
            if held.is_empty() && group.step && group.completed {
                events.push(step_done(number));
            }
            late = held;
        }
        events.append(&mut late);
        events
    }

    /// The session as it is sent, and its transcript.
    fn events(&self) -> (Vec<Event>, Transcript) {
        let mut body = self.body();
        for (at, between) in &self.between {
            let event = match *between {
                Between::Checkpoint => checkpoint(),
                Between::Question => question(),
                Between::Stop => stop(),
                Between::ToolUpdate(id) => tool_update(&format!("c{id}")),
                Between::ToolPartial(id) => tool_partial(&format!("c{id}")),
                Between::ToolQuestion(id) => tool_question(&format!("c{id}")),
                // Filled in below.
                Between::Update(text) => update(text.unwrap_or("so far")),
                Between::Reconnect => connected("c2"),
            };
            body.insert(at.index(body.len() + 1), event);
        }
        let mut transcript = Transcript::new();
        let mut events: Vec<Event> = Vec::new();
        let mut add = |event: Event, transcript: &mut Transcript| {
            transcript.push(&event);
            events.push(event);
        };
        add(connected("c1"), &mut transcript);
        add(AgentProcessingStarted::new("t", TIME).into(), &mut transcript);
        add(ResponseStreamStart::new("t", TIME).into(), &mut transcript);
        for (at, event) in body.iter().enumerate() {
            let event = match event {
                Event::ConnectionEstablished(_) => connected(&format!("c-{at}")),
                Event::AgentResponseUpdate(update) if update.content == "so far" => {
                    timed(&self::update(transcript.text()), at)
                }
                event => timed(event, at),
            };
            add(event, &mut transcript);
        }
        match self.end {
            End::Complete(text) => {
                let text = text.map_or_else(|| transcript.text().to_owned(), str::to_owned);
                add(timed(&complete(&text), body.len()), &mut transcript);
            }
            End::Error => add(timed(&error(), body.len()), &mut transcript),
            End::Nothing => {}
        }
        (events, transcript)
    }

    /// The events as they arrive: with further members, replayed, and in fragments.
    fn sent(&self, events: &[Event]) -> Vec<Event> {
        let mut events = events.to_vec();
        for (at, extra) in &self.extras {
            let at = at.index(events.len());
            if !matches!(events[at], Event::ConnectionEstablished(_)) {
                events[at] = with_extra(&events[at], *extra);
            }
        }
        let mut sent: Vec<Event> = Vec::new();
        for (at, event) in events.iter().enumerate() {
            sent.push(event.clone());
            if matches!(event, Event::ConnectionEstablished(_)) {
                let before = events[..at].iter().filter(|event| !matches!(event, Event::ConnectionEstablished(_)));
                sent.extend(before.cloned());
            }
        }
        for (number, (at, total)) in self.split.iter().enumerate() {
            let at = at.index(sent.len());
            if !matches!(sent[at], Event::ConnectionEstablished(_) | Event::Delta(_)) {
                let pieces = fragments(&sent[at], &format!("g{number}"), *total);
                sent.splice(at..=at, pieces);
            }
        }
        sent
    }
}

fn text() -> impl Strategy<Value = String> {
    "[a-z 你😀<>\"\\\\\n]{0,12}"
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        text().prop_map(Value::from),
        text().prop_map(|text| json!({"text": text, "max_tokens": 5, "list": [1.5]})),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    let call = (prop::option::weighted(0.9, value()), prop::option::of(value()), prop::bool::weighted(0.9));
    prop_oneof![
        3 => text().prop_map(Body::Text),
        1 => text().prop_map(Body::Thought),
        2 => call.prop_map(|(input, result, is_whole)| Body::Call { input, result, is_whole }),
    ]
}

fn group() -> impl Strategy<Value = Group> {
    let late = prop_oneof![4 => Just(0_usize), 1 => 1..3_usize];
    let content = (prop::collection::vec(body(), 0..4), prop::collection::vec(any::<Index>(), 0..6));
    (any::<bool>(), prop::bool::weighted(0.8), content, late)
        .prop_map(|(step, completed, (bodies, cuts), late)| Group { step, completed, bodies, cuts, late })
}

fn between() -> impl Strategy<Value = Between> {
    prop_oneof![
        Just(Between::Checkpoint),
        Just(Between::Question),
        Just(Between::Stop),
        (0..4_u8).prop_map(Between::ToolUpdate),
        (0..4_u8).prop_map(Between::ToolPartial),
        (0..4_u8).prop_map(Between::ToolQuestion),
        Just(Between::Update(None)),
        select(TEXTS).prop_map(|text| Between::Update(Some(text))),
        Just(Between::Reconnect),
    ]
}

fn session() -> impl Strategy<Value = Session> {
    let end = prop_oneof![
        3 => Just(End::Complete(None)),
        1 => select(TEXTS).prop_map(|text| End::Complete(Some(text))),
        2 => Just(End::Error),
        1 => Just(End::Nothing),
    ];
    let extra = prop_oneof![3 => select(EXTRAS).prop_map(Some), 1 => Just(None)];
    (
        prop::collection::vec(group(), 0..4),
        prop::collection::vec((any::<Index>(), between()), 0..5),
        prop::collection::vec((any::<Index>(), extra), 0..3),
        prop::collection::vec((any::<Index>(), 1..5_usize), 0..3),
        end,
    )
        .prop_map(|(groups, between, extras, split, end)| Session { groups, between, extras, split, end })
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn sessions_are_clean_and_say_what_their_transcript_says(session in session()) {
        let (events, transcript) = session.events();
        if session.is_plain() {
            let found = faults(Protocol::UBIK, &events.iter().map(Event::to_json).collect::<Vec<_>>());
            prop_assert!(found.is_empty(), "what is converted is not clean: {found:#?}");
        }
        let converted = to_agui(session.sent(&events));
        let found = faults(Protocol::AGUI, &json_of(&converted));
        prop_assert!(found.is_empty(), "what it becomes is not clean: {found:#?}");
        let (arrived, expected) = (Arrived::at_client(&converted), Arrived::in_transcript(&transcript));
        prop_assert_eq!(arrived, expected, "{:?}", events.iter().map(Event::to_json).collect::<Vec<_>>());
    }

    #[test]
    fn any_order_of_events_is_clean(
        session in session(),
        order in prop::collection::vec((any::<Index>(), any::<Index>()), 0..8),
    ) {
        let mut events = session.sent(&session.events().0);
        for (from, to) in order {
            let (from, to) = (from.index(events.len()), to.index(events.len()));
            events.swap(from, to);
        }
        let sent: Vec<String> = events.iter().map(Event::to_json).collect();
        let converted = json_of(&to_agui(events));
        let found = faults(Protocol::AGUI, &converted);
        // Chunks in another order may make a key that names a secret: it is one as Ubik as well.
        let (keys, other): (Vec<_>, Vec<_>) = found.into_iter().partition(|fault| fault.contains("[agui/secret-key]"));
        prop_assert!(other.is_empty(), "{other:#?}\n{sent:#?}\n{converted:#?}");
        // Events that come twice on one connection count twice here, and once for the checker.
        if !keys.is_empty() && !session.reconnects() {
            let reported = faults(Protocol::UBIK, &sent);
            let is_reported = reported.iter().any(|fault| fault.contains("[ubik/secret-key]"));
            prop_assert!(is_reported, "{keys:#?}\n{reported:#?}\n{sent:#?}\n{converted:#?}");
        }
    }
}
