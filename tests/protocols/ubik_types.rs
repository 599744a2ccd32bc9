//! Ubik's events and bodies: what is decoded comes back, and what a field may be.

use agent_contracts::ubik::{
    Chunk, Event, EventType, ExecuteResponse, MessageId, MessageList, Phase, PublicAgentMessage, PublicCheckpoint,
    PublicMessageCreate, PublicToolExecutionResult, ResponseChunk, ResponseStreamStart, TaskId, ToolEnd, ToolEvent,
    ToolEventType, ToolExecutionId, ToolStatus,
};
use agent_contracts::wire::{Integer, Json, Named, Nullable};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The samples of the session events guide, one a type.
const SESSION: &[&str] = &[
    r#"{"type":"connection_established","session_id":"uuid-string","connection_id":"uuid-string","task_id":"uuid-string"}"#,
    r#"{"type":"agent_processing_started","task_id":"uuid-string","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"response_stream_start","message_id":"None","task_id":"uuid-string","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_step_started","step":1,"description":"Description of the step","single_step_agent":false,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_step_progress","step":1,"progress":50,"message":"Current status message","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_response_update","message_id":"uuid-string","content":"Updated full content...","parent_id":"uuid-string","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_step_completed","step":1,"progress":100,"completed":true,"results":{},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_progress","step":1,"total_steps":1,"description":"Completed step 1: ...","progress":100.0,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"response_chunk","content":"partial text...","step":1,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_response_chunk","content":"partial text...","step":1,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"checkpoint_created","checkpoint_name":"name_of_checkpoint","created_at":"ISO-8601-timestamp"}"#,
    r#"{"type":"input_required","checkpoint_name":"checkpoint_identifier","prompt":"Question for the user","input_types":["text","json"],"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"tool_update","tool_execution_id":"uuid-string","tool_name":"web_search","data":{"phase":"WEB_SEARCH","status":"started","query":"search query"},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"tool_partial_update","tool_execution_id":"uuid-string","tool_name":"web_search","data":{"content":"partial content...","output_key":"response"},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"tool_input_required","tool_execution_id":"uuid-string","tool_name":"human_confirmation","tool_input":{"question":"Proceed?"},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_stop_requested","task_id":"uuid-string","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_processing_complete","message_id":"uuid-string","content":"Final full content","result":{},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_processing_error","error":"Error message description","traceback":"...","timestamp":"ISO-8601-timestamp"}"#,
];

/// The samples of the older French copy of the guide, where they differ by more than the ids.
const FRENCH: &[&str] = &[
    r#"{"type":"agent_step_started","step":1,"description":"Description de l'étape","single_step_agent":false,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_step_progress","step":1,"progress":50,"message":"Message de statut actuel","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_response_update","message_id":"chaine-uuid","content":"Contenu complet mis à jour...","parent_id":"chaine-uuid","timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_progress","step":1,"total_steps":1,"description":"Étape 1 terminée : ...","progress":100.0,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"response_chunk","content":"texte partiel...","step":1,"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"checkpoint_created","checkpoint_name":"nom_du_point_de_controle","created_at":"ISO-8601-timestamp"}"#,
    r#"{"type":"input_required","checkpoint_name":"identifiant_point_de_controle","prompt":"Question pour l'utilisateur","input_types":["text","json"],"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"tool_update","tool_execution_id":"chaine-uuid","tool_name":"web_search","data":{"phase":"WEB_SEARCH","status":"started","query":"requête de recherche"},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"tool_partial_update","tool_execution_id":"chaine-uuid","tool_name":"web_search","data":{"content":"contenu partiel...","output_key":"response"},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"tool_input_required","tool_execution_id":"chaine-uuid","tool_name":"human_confirmation","tool_input":{"question":"Continuer ?"},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_processing_complete","message_id":"chaine-uuid","content":"Contenu complet final","result":{},"timestamp":"ISO-8601-timestamp"}"#,
    r#"{"type":"agent_processing_error","error":"Description du message d'erreur","traceback":"...","timestamp":"ISO-8601-timestamp"}"#,
];

/// Fragments, of events that are known and of one that is not.
const FRAGMENTS: &[&str] = &[
    r#"{"type":"tool_update_delta_sse","chunk_id":"c-1","chunk_index":0,"total_chunks":3,"original_event_type":"tool_update","chunk_data":"{\"type\": \"tool_update\", \"tool","is_last_chunk":false}"#,
    r#"{"type":"response_chunk_delta_sse","chunk_id":"c-1","chunk_index":2,"total_chunks":3,"original_event_type":"response_chunk","chunk_data":"\"}"}"#,
    r#"{"type":"something_new_delta_sse","chunk_id":"","chunk_index":0,"total_chunks":1,"original_event_type":"something_new","chunk_data":"","is_last_chunk":true}"#,
    r#"{"type":"_delta_sse","chunk_id":"c","chunk_index":-1,"total_chunks":1.0,"original_event_type":"","chunk_data":"é","size":1e2}"#,
];

/// The samples of the tool streaming guide and of the pages of RAG search, web search and
/// subagent: name, data, and whether the members come in the order in which they are written.
const TOOL: &[(&str, &str, bool)] = &[
    ("tool_update", r#"{"phase":"processing","message":"Processing...","output_key":"result","data":{}}"#, false),
    ("tool_update", r#"{"phase":"retrieval","message":"Fetching relevant documents..."}"#, true),
    ("tool_update", r#"{"phase":"SEARCH_PREPARATION","status":"started"}"#, true),
    ("tool_update", r#"{"phase":"RETRIEVAL","status":"completed","data":{"retrieved_count":15}}"#, true),
    (
        "tool_update",
        r#"{"phase":"RERANKING","status":"completed","data":{"initial_count":15,"reranked_count":15,"kept_count":5}}"#,
        true,
    ),
    ("tool_update", r#"{"phase":"COMPILING_RESULTS","status":"started"}"#, true),
    ("tool_update", r#"{"phase":"WEB_SEARCH","status":"started","query":"latest advancements in AI"}"#, true),
    (
        "tool_update",
        r#"{"phase":"WEB_SEARCH","status":"completed","data":{"results_count":10,"sources":[]},"output_key":"sources"}"#,
        true,
    ),
    ("tool_update", r#"{"phase":"SCRAPING_URLS","status":"completed","data":{"scraped_count":8}}"#, true),
    ("tool_update", r#"{"reranked_results":5,"output_key":"reranked_results"}"#, true),
    ("tool_update", r#"{"sources":[],"output_key":"sources"}"#, true),
    ("tool_update", r#"{"phase":"GENERATION","status":"completed"}"#, true),
    ("tool_update", r#"{"phase":"SUB_AGENT_STARTED","data":{"sub_session_id":"uuid-string"}}"#, true),
    ("tool_partial_update", r#"{"content":"partial text...","output_key":"response","data":{}}"#, true),
    ("tool_partial_update", r#"{"content":" a significant increase in revenue."}"#, true),
    ("tool_partial_update", r#"{"content":" results <source_1>...","output_key":"response"}"#, true),
    ("tool_input_required", r#"{"prompt":"Please confirm...","input_types":["text"],"timeout":300,"state":{}}"#, true),
    ("tool_end", r#"{"execution_id":"exec_123...","response":"Full text...","images":[]}"#, true),
    ("tool_end", r#"{"execution_id":"...","status":"completed","outputs":{"response":"The financial results"}}"#, true),
    ("final_result", r#"{"execution_id":"exec_1","response":"Full text..."}"#, true),
    (
        "tool_end",
        r#"{"response":"**Reflection:**","contexts":[{"rank":1,"chunk_id":"9bdef571","used_in_response":true}],"sources_used":[1,2],"model":"m","execution_id":"call_HB55iUMZE3dZ3QKCHGKE6qYF"}"#,
        false,
    ),
    (
        "tool_end",
        r#"{"query":"latest","response":"According to","sources":[{"rank":1,"rerank_score":0.85}],"sources_used":[1],"model":"m","reranker":"bge_text_reranker","total_results":10,"reranked_results":5}"#,
        false,
    ),
    ("tool_end", "{}", true),
    ("error", r#"{"message":"Error description","code":"ERROR_CODE"}"#, true),
    (
        "tool_end_delta_sse",
        r#"{"chunk_id":"c-1","chunk_index":0,"total_chunks":2,"original_event_type":"tool_end","chunk_data":"{\"resp","is_last_chunk":false}"#,
        true,
    ),
];

/// Types that are not known: of the older generation, and of none.
const UNKNOWN: &[&str] = &["tool_log", "execution_result", "step_started", "", "response_chunk_delta_sse_"];

fn session_samples() -> impl Iterator<Item = &'static str> {
    SESSION.iter().chain(FRENCH).chain(FRAGMENTS).copied()
}

/// Whether two texts are the same JSON value, digit by digit.
fn same_value(a: &str, b: &str) -> bool {
    Json::parse(a).unwrap() == Json::parse(b).unwrap()
}

fn members(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

fn text(event: &ToolEvent) -> String {
    serde_json::to_string(event).unwrap()
}

#[test]
fn session_events_come_back_byte_for_byte() {
    for text in session_samples() {
        let event = Event::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(event.to_json(), text);
        assert_eq!(event.tag(), members(text)["type"], "{text}");
        assert_eq!(serde_json::from_str::<Event>(text).unwrap(), event, "{text}");
        assert_eq!(event.to_sse(), format!("data: {text}\n\n"));
    }
}

#[test]
fn every_session_type_has_a_sample() {
    let tags: Vec<String> =
        SESSION.iter().map(|text| Event::from_json(text).unwrap().known_type().unwrap().to_string()).collect();
    let known: Vec<&str> = EventType::ALL.iter().map(|event| event.as_str()).collect();
    for tag in &known {
        assert!(tags.iter().any(|sample| sample == tag), "{tag}");
    }
    assert_eq!(tags.len(), 18);
}

#[test]
fn the_tag_may_stand_anywhere() {
    let text = r#"{"step":1,"content":"a","type":"response_chunk","timestamp":"t"}"#;
    assert_eq!(
        Event::from_json(text).unwrap().to_json(),
        r#"{"type":"response_chunk","content":"a","step":1,"timestamp":"t"}"#
    );
}

#[test]
fn what_a_sample_has_is_required_unless_the_guide_says_otherwise() {
    let optional =
        [("response_stream_start", "message_id"), ("response_chunk", "step"), ("agent_response_chunk", "step")];
    for sample in SESSION {
        let whole = members(sample);
        let tag = whole["type"].as_str().unwrap();
        for name in whole.keys().map(String::as_str).filter(|name| *name != "type") {
            let mut without = whole.clone();
            without.remove(name);
            let mut null = whole.clone();
            null[name] = Value::Null;
            let without = Event::from_json(&Value::from(without).to_string());
            let null = Event::from_json(&Value::from(null).to_string());
            if optional.contains(&(tag, name)) {
                assert!(without.is_ok(), "{tag} without {name}");
            } else {
                assert_eq!(without.unwrap_err().to_string().split(':').next(), Some(&*format!("$.{name}")), "{tag}");
            }
            assert_eq!(null.is_ok(), name == "message_id" && tag == "response_stream_start", "{tag}: {name} null");
        }
    }
}

#[test]
fn a_known_type_of_another_shape_is_an_error_with_its_place() {
    for (text, path, message) in [
        (r#"{"type":"agent_progress","step":"1"}"#, "$.step", "expected an integer"),
        (
            r#"{"type":"agent_step_progress","step":1.5,"progress":1,"message":"","timestamp":""}"#,
            "$.step",
            "expected an integer",
        ),
        (
            r#"{"type":"tool_update","tool_execution_id":"c","tool_name":"t","data":{"status":5},"timestamp":""}"#,
            "$.data.status",
            "expected a string",
        ),
        (
            r#"{"type":"tool_update","tool_execution_id":"c","tool_name":"t","data":[],"timestamp":""}"#,
            "$.data",
            "expected an object",
        ),
        (
            r#"{"type":"input_required","checkpoint_name":"c","prompt":"p","input_types":["text",7],"timestamp":""}"#,
            "$.input_types[1]",
            "expected a string",
        ),
        (r#"{"type":"x_delta_sse","chunk_id":"c"}"#, "$.chunk_index", "the required member is missing"),
        (r#"{"event":"tool_update"}"#, "$.type", "the required member is missing"),
        ("[]", "$", "expected an object"),
    ] {
        let error = Event::from_json(text).unwrap_err();
        assert_eq!((error.path(), error.kind().to_string().as_str()), (path, message), "{text}");
    }
}

#[test]
fn aliases_keep_their_names() {
    let chunk = || ResponseChunk::new("a", "t");
    for (event, tag) in
        [(Event::from(chunk()), "response_chunk"), (Event::AgentResponseChunk(chunk()), "agent_response_chunk")]
    {
        assert_eq!(event.tag(), tag);
        assert_eq!(Event::from_json(&event.to_json()).unwrap(), event);
    }
    let end = || ToolEnd::new("exec_1");
    for (event, tag) in [(ToolEvent::from(end()), "tool_end"), (ToolEvent::FinalResult(end()), "final_result")] {
        assert_eq!(event.tag(), tag);
        assert_eq!(ToolEvent::from_tagged_json(tag, &text(&event)).unwrap(), event);
        assert!(event.is_terminal());
    }
}

#[test]
fn no_message_yet_is_written_as_it_came() {
    for (member, message) in [
        (r#""message_id":"None","#, None),
        (r#""message_id":null,"#, None),
        ("", None),
        (r#""message_id":"none","#, Some("none")),
        (r#""message_id":"","#, Some("")),
        (r#""message_id":"m1","#, Some("m1")),
    ] {
        let text = format!(r#"{{"type":"response_stream_start",{member}"task_id":"t1","timestamp":""}}"#);
        let event = Event::from_json(&text).unwrap();
        assert_eq!(event.to_json(), text);
        let Event::ResponseStreamStart(start) = event else { panic!("{text}") };
        assert_eq!(start.message().map(MessageId::as_str), message, "{text}");
    }
    let built = ResponseStreamStart::new("t1", "now").with_message_id(Nullable::Null);
    assert_eq!(serde_json::to_string(&built).unwrap(), r#"{"message_id":null,"task_id":"t1","timestamp":"now"}"#);
}

#[test]
fn numbers_keep_their_digits() {
    for progress in ["100.0", "1e2", "0.10", "-0", "50", "12345678901234567890123", "1e400"] {
        let text = format!(
            r#"{{"type":"agent_progress","step":1.0,"total_steps":98765432109876543210,"description":"","progress":{progress},"timestamp":""}}"#
        );
        let event = Event::from_json(&text).unwrap();
        assert_eq!(event.to_json(), text);
        let Event::AgentProgress(event) = event else { panic!("{text}") };
        assert_eq!((event.progress.as_str(), event.step), (progress, Integer::from(1)));
    }
}

#[test]
fn fragments_are_of_any_type() {
    for text in FRAGMENTS {
        let event = Event::from_json(text).unwrap();
        assert_eq!((event.known_type(), event.timestamp()), (None, None));
        let Event::Delta(delta) = event else { panic!("{text}") };
        assert_eq!(*delta.tag, members(text)["type"]);
        assert_eq!(delta.content.chunk_data, members(text)["chunk_data"].as_str().unwrap());
    }
    let chunk = Chunk::new("c", 0, 2, "tool_end", "{").with_is_last_chunk(false);
    let event = ToolEvent::Delta(Named::new("tool_end_delta_sse", chunk));
    assert_eq!(
        event.to_sse(),
        "event: tool_end_delta_sse\ndata: {\"chunk_id\":\"c\",\"chunk_index\":0,\"total_chunks\":2,\
         \"original_event_type\":\"tool_end\",\"chunk_data\":\"{\",\"is_last_chunk\":false}\n\n"
    );
}

#[test]
fn unknown_types_are_kept_whole() {
    for tag in UNKNOWN {
        let text = format!(r#"{{"type":"{tag}","z":[1.50,{{"b":2,"a":1}}],"event_type":"x","a":null}}"#);
        let event = Event::from_json(&text).unwrap();
        assert!(matches!(event, Event::Unknown(_)), "{text}");
        assert_eq!(event.to_json(), text);
        let data = r#"{"type":"kept","event_type":"tool_log","data":{"password":"hunter2"}}"#;
        let event = ToolEvent::from_tagged_json(tag, data).unwrap();
        assert_eq!((self::text(&event).as_str(), event.tag(), event.known_type()), (data, *tag, None));
        assert!(!format!("{event:?}").contains("hunter2"));
    }
}

#[test]
fn tool_events_are_named_by_their_frames() {
    for (name, data, in_order) in TOOL {
        let event = ToolEvent::from_tagged_json(name, data).unwrap_or_else(|error| panic!("{name} {data}: {error}"));
        let back = text(&event);
        assert_eq!(event.tag(), *name);
        assert!(same_value(&back, data), "{data} came back as {back}");
        assert_eq!(back == *data, *in_order, "{data} came back as {back}");
        assert_eq!(event.to_sse(), format!("event: {name}\ndata: {back}\n\n"));
        let known = ToolEventType::from_tag(name);
        assert_eq!((event.known_type(), known.is_none()), (known, name.ends_with("_delta_sse")));
        assert_eq!(event.is_terminal(), matches!(*name, "tool_end" | "final_result" | "error"));
    }
    for event in ToolEventType::ALL {
        assert!(TOOL.iter().any(|(name, ..)| *name == event.as_str()), "{event}");
    }
}

#[test]
fn tool_events_of_another_shape_are_errors_with_their_place() {
    for (name, data, path) in [
        ("tool_update", r#"{"phase":null}"#, "$.phase"),
        ("tool_update", r#"{"sources":{}}"#, "$.sources"),
        ("tool_update", r#"{"reranked_results":1.5}"#, "$.reranked_results"),
        ("tool_partial_update", r#"{"output_key":"response"}"#, "$.content"),
        ("tool_input_required", r#"{"tool_input":{"question":"Proceed?"}}"#, "$.prompt"),
        ("tool_input_required", r#"{"prompt":"p","input_types":[],"timeout":"300","state":{}}"#, "$.timeout"),
        ("final_result", r#"{"execution_id":7}"#, "$.execution_id"),
        ("tool_end", r#"{"status":"completed","outputs":"all"}"#, "$.outputs"),
        ("error", r#"{"message":"m"}"#, "$.code"),
        ("x_delta_sse", "{}", "$.chunk_id"),
    ] {
        assert_eq!(ToolEvent::from_tagged_json(name, data).unwrap_err().path(), path, "{name} {data}");
    }
}

#[test]
fn words_outside_of_the_lists_are_kept() {
    let ToolEvent::ToolUpdate(update) =
        ToolEvent::from_tagged_json("tool_update", r#"{"phase":"retrieval","status":"started"}"#).unwrap()
    else {
        panic!()
    };
    let phase = update.phase.unwrap();
    assert_eq!((phase.is_known(), phase.as_str(), phase != Phase::Retrieval), (false, "retrieval", true));
    assert_eq!(update.status, Some(ToolStatus::Started));
}

#[test]
fn outputs_are_read_from_either_form() {
    for (data, outputs, response) in [
        (
            r#"{"execution_id":"e","response":"Yes.","images":[]}"#,
            r#"{"response":"Yes.","images":[]}"#,
            Some(r#""Yes.""#),
        ),
        (
            r#"{"execution_id":"e","status":"completed","outputs":{"images":[1.0],"response":{"a":1}}}"#,
            r#"{"images":[1.0],"response":{"a":1}}"#,
            Some(r#"{"a":1}"#),
        ),
        (r#"{"query":"q","response":null}"#, r#"{"response":null,"query":"q"}"#, Some("null")),
        (r#"{"execution_id":"e","status":"completed","outputs":{}}"#, "{}", None),
        (r#"{"execution_id":"e","outputs":{"n":1},"response":"beside"}"#, r#"{"n":1}"#, Some(r#""beside""#)),
        ("{}", "{}", None),
    ] {
        let end = ToolEnd::from_json(data).unwrap();
        assert_eq!(end.outputs().as_str(), outputs, "{data}");
        assert_eq!(end.response().as_ref().map(Json::as_str), response, "{data}");
        assert!(same_value(&serde_json::to_string(&end).unwrap(), data), "{data}");
    }
}

#[test]
fn accessors_say_what_an_event_names() {
    for text in SESSION {
        let (terminal, task, tool, has_time) = match members(text)["type"].as_str().unwrap() {
            "connection_established" => (false, true, false, false),
            "agent_processing_started" | "response_stream_start" | "agent_stop_requested" => (false, true, false, true),
            "tool_update" | "tool_partial_update" | "tool_input_required" => (false, false, true, true),
            "agent_processing_complete" | "agent_processing_error" => (true, false, false, true),
            _ => (false, false, false, true),
        };
        let event = Event::from_json(text).unwrap();
        assert_eq!(event.is_terminal(), terminal, "{text}");
        assert_eq!(event.task_id().map(TaskId::as_str), task.then_some("uuid-string"), "{text}");
        assert_eq!(event.tool_execution_id().map(ToolExecutionId::as_str), tool.then_some("uuid-string"), "{text}");
        assert_eq!(event.timestamp(), has_time.then_some("ISO-8601-timestamp"), "{text}");
    }
}

#[cfg(feature = "chrono")]
#[test]
fn times_are_read_where_they_are_times() {
    for (written, time) in [("2026-01-01T00:00:01.5Z", Some(1_767_225_601_500)), ("ISO-8601-timestamp", None)] {
        let event = Event::from(ResponseChunk::new("a", written));
        assert_eq!(event.timestamp_time().map(|time| time.timestamp_millis()), time);
        let checkpoint = PublicCheckpoint::new("c", "t", written);
        assert_eq!(checkpoint.created_at_time().map(|time| time.timestamp_millis()), time);
    }
}

fn there_and_back<T: Serialize + DeserializeOwned>(text: &str) -> String {
    serde_json::from_str::<T>(text).map_or_else(|error| error.to_string(), |body| serde_json::to_string(&body).unwrap())
}

#[test]
fn bodies_come_back_byte_for_byte() {
    type Door = fn(&str) -> String;
    let doors: &[(Door, &[&str])] = &[
        (
            there_and_back::<PublicAgentMessage>,
            &[
                r#"{"id":"m1","role":"user","content":"Hi","created_at":"c"}"#,
                r#"{"id":"m2","role":"agent","content":"<<thinking>>","created_at":"c","parent_id":null,"sibling_ids":["m3"],"task_id":null,"stream_url":null,"more":{"n":1.0}}"#,
                r#"{"id":"m2","role":"agent","content":"","created_at":"c","parent_id":"m1","sibling_ids":[],"task_id":"t","stream_url":"/stream"}"#,
            ],
        ),
        (
            there_and_back::<MessageList>,
            &[
                r#"{"items":[]}"#,
                r#"{"items":[{"id":"m1","role":"user","content":"Hi","created_at":"c","x":1}],"active_head_id":"m1"}"#,
            ],
        ),
        (
            there_and_back::<PublicMessageCreate>,
            &[
                r#"{"content":"Hi"}"#,
                r#"{"content":"Hi","attachment_document_ids":["d1"],"tool_choice":"auto","stream":false}"#,
            ],
        ),
        (
            there_and_back::<PublicCheckpoint>,
            &[
                r#"{"checkpoint_name":"c","task_id":"t","created_at":"c"}"#,
                r#"{"checkpoint_name":"c","task_id":"t","created_at":"c","metadata":{"z":1,"a":2.50}}"#,
            ],
        ),
        (
            there_and_back::<PublicToolExecutionResult>,
            &[
                r#"{"id":"exec_1","tool_id":"t","status":"waiting_for_input","inputs":{},"created_at":"c"}"#,
                r#"{"id":"exec_1","tool_id":"t","user_id":null,"status":"pending","inputs":{"q":1},"outputs":null,"error":null,"created_at":"c","started_at":null,"completed_at":null}"#,
                r#"{"id":"exec_1","tool_id":"t","user_id":7,"status":"a new one","inputs":{"q":1},"outputs":{"response":"r"},"error":"e","created_at":"c","started_at":"s","completed_at":"d"}"#,
            ],
        ),
        (
            there_and_back::<ExecuteResponse>,
            &[
                r#"{"execution_id":"exec_123456789","status":"pending","tool_id":"d1e2f3a4-b5c6-7890-1234-567890abcdef","details_url":"https://app.ubik-agent.com/api/v1/tool-executions/exec_123456789","stream_url":"https://app.ubik-agent.com/api/v1/tool-executions/exec_123456789/stream"}"#,
            ],
        ),
    ];
    for (door, texts) in doors {
        for text in *texts {
            assert_eq!(door(text), *text);
        }
    }
}

#[test]
fn bodies_say_what_is_missing() {
    let missing = |error: agent_contracts::wire::Error| error.path().to_owned();
    assert_eq!(PublicAgentMessage::from_json(r#"{"id":"m"}"#).map_err(missing), Err("$.role".into()));
    assert_eq!(MessageList::from_json(r#"{"items":[{}]}"#).map_err(missing), Err("$.items[0].id".into()));
    assert_eq!(PublicMessageCreate::from_json("{}").map_err(missing), Err("$.content".into()));
    assert_eq!(ExecuteResponse::from_json(r#"{"execution_id":"e"}"#).map_err(missing), Err("$.status".into()));
    let create = PublicMessageCreate::new("Hi");
    assert!(create.is_streamed() && !create.with_stream(false).is_streamed());
}

/// JSON text with what a detour through doubles or maps would change.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        "-?[1-9][0-9]{0,29}",
        "-?[1-9]\\.[0-9]{1,3}[eE][+-]?[0-9]{1,3}",
        "\"([a-zé😀 ]|\\\\[\"\\\\nt]|\\\\u00[0-9a-f]{2}){0,6}\"",
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(" ,"))),
            inner.prop_map(|value| format!("{{\"z\" :{value},\"a\":1.0}}")),
        ]
    })
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn members_that_the_guide_does_not_name_survive(
        sample in prop::sample::select(session_samples().collect::<Vec<_>>()),
        values in prop::collection::vec(value(), 1..4),
    ) {
        let extra: String = values.iter().enumerate().map(|(at, value)| format!(",\"x{at}\":{value}")).collect();
        let text = format!("{}{extra}}}", &sample[..sample.len() - 1]);
        prop_assert_eq!(Event::from_json(&text).unwrap().to_json(), text);
    }

    #[test]
    fn members_of_tools_survive_in_their_own_place(phase in "[A-Z_]{0,12}", inner in value(), outer in value()) {
        let data = format!("{{\"phase\":\"{phase}\",\"data\":{{\"n\":{inner}}},\"x\":{outer}}}");
        prop_assert_eq!(text(&ToolEvent::from_tagged_json("tool_update", &data).unwrap()), data.clone());
        let event = format!(
            r#"{{"type":"tool_update","tool_execution_id":"toolu_01","tool_name":"t","data":{data},"timestamp":""}}"#
        );
        prop_assert_eq!(Event::from_json(&event).unwrap().to_json(), event);
    }

    #[test]
    fn every_name_with_the_suffix_is_a_fragment(name in "[a-zA-Z_.é]{0,20}", data in "\\PC{0,20}") {
        let tag = format!("{name}_delta_sse");
        let chunk = Chunk::new("c", 0, 1, name.as_str(), data.as_str());
        let event = Event::Delta(Named::new(tag.as_str(), chunk.clone()));
        prop_assert_eq!(Event::from_json(&event.to_json()).unwrap(), event);
        let event = ToolEvent::Delta(Named::new(tag.as_str(), chunk));
        prop_assert_eq!(ToolEvent::from_tagged_json(&tag, &text(&event)).unwrap(), event);
    }

    #[test]
    fn no_text_makes_decoding_panic(name in "tool_end|error|[a-z_]{0,10}", data in "[{}\\[\\]\":,a-z0-9 .\\\\-]{0,60}") {
        let _ = Event::from_json(&data);
        let _ = ToolEvent::from_tagged_json(&name, &data);
    }
}

#[cfg(feature = "published")]
mod schemas {
    use serde_json::json;

    use super::*;

    fn validator(name: &str) -> jsonschema::Validator {
        let path = format!("ubik/2026-08-21/{name}.schema.json");
        let file = agent_contracts::schema::files().into_iter().find(|file| file.path == path).unwrap();
        jsonschema::validator_for(&serde_json::from_str(&file.text).unwrap()).unwrap()
    }

    #[test]
    fn samples_are_valid() {
        let (open, known) = (validator("event"), validator("known-event"));
        for text in session_samples() {
            let value = serde_json::from_str(text).unwrap();
            assert!(open.is_valid(&value) && known.is_valid(&value), "{text}");
        }
        for tag in UNKNOWN {
            let value = json!({"type": tag});
            // An empty type is decoded, and is none that a producer may send.
            assert_eq!((open.is_valid(&value), known.is_valid(&value)), (!tag.is_empty(), false), "{tag}");
        }
        for value in [
            json!({"type": "response_chunk"}),
            json!({"type": "agent_response_chunk"}),
            json!({"type": "x_delta_sse"}),
            json!({"type": 7}),
            json!({}),
        ] {
            assert!(!open.is_valid(&value) && !known.is_valid(&value), "{value}");
        }
    }

    #[test]
    fn frames_are_valid() {
        let frames = validator("tool-event");
        for (name, data, _) in TOOL {
            let data: Value = serde_json::from_str(data).unwrap();
            let complete =
                !name.starts_with("tool_end") || data["execution_id"].is_string() || data["chunk_id"].is_string();
            assert_eq!(frames.is_valid(&json!({"event": name, "data": data})), complete, "{name} {data}");
        }
        for frame in [json!({"event": "tool_log", "data": {}}), json!({"event": "error", "data": {}}), json!({})] {
            assert!(!frames.is_valid(&frame), "{frame}");
        }
    }

    #[test]
    fn a_payload_can_be_judged_without_its_name() {
        let file = agent_contracts::schema::files()
            .into_iter()
            .find(|file| file.path == "ubik/2026-08-21/tool-event.schema.json")
            .unwrap();
        let schema: Value = serde_json::from_str(&file.text).unwrap();
        for (definition, good, bad) in [
            ("UbikToolStreamUpdate", json!({"phase": "RETRIEVAL"}), json!({"phase": 7})),
            ("UbikToolStreamPartialUpdate", json!({"content": ""}), json!({})),
            (
                "UbikToolStreamInputRequired",
                json!({"prompt": "", "input_types": [], "timeout": 300, "state": {}}),
                json!({"prompt": ""}),
            ),
            ("UbikToolStreamEnd", json!({"execution_id": "e"}), json!({"status": "completed"})),
            ("UbikToolStreamError", json!({"message": "", "code": ""}), json!({"message": ""})),
            (
                "UbikToolStreamDelta",
                json!({"chunk_id": "", "chunk_index": 0, "total_chunks": 1, "original_event_type": "", "chunk_data": ""}),
                json!({"chunk_id": ""}),
            ),
        ] {
            let reference = format!("#/$defs/{definition}");
            let payload = jsonschema::validator_for(&json!({"$defs": schema["$defs"], "$ref": reference})).unwrap();
            assert!(payload.is_valid(&good) && !payload.is_valid(&bad), "{definition}");
        }
    }
}
