//! The types of the task API: what servers send decodes, and comes back as it was.

use agent_contracts::polling::view::TaskView;
use agent_contracts::polling::{
    CancelResponse, CreatedResponse, Cursor, Envelope, ErrorEvent, ErrorResponse, Event, EventType, PollResponse,
    Polled, TaskResponse, TaskStatus, TextChunk, ToolStart, ToolStatus, UpdateAction,
};
use agent_contracts::wire::{ErrorKind, Integer, Json, JsonObject, Nullable};
use proptest::prelude::*;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

/// The type and data of one event each: as the first description shows them, and as
/// servers send them.
const SAMPLES: &[(&str, &str)] = &[
    ("text_chunk", r#"{"content":"你好","index":5,"elapsed":0.003}"#),
    ("ai_message_start", "{}"),
    ("thinking_start", "{}"),
    ("thinking_chunk", r#"{"content":"..."}"#),
    ("thinking_end", r#"{"full_content":"..."}"#),
    ("text_start", "{}"),
    ("text_end", r#"{"full_content":"..."}"#),
    (
        "tool_hint",
        r#"{"id":"early_web_search_...","name":"web_search","message":"检测到可能需要调用 web_search...","confidence":"low","conversation_id":"conv_..."}"#,
    ),
    (
        "tool_preparing",
        r#"{"id":"web_search:0","name":"web_search","message":"准备调用 web_search...","intent":"搜索","conversation_id":"conv_..."}"#,
    ),
    ("tool_intent", r#"{"id":"web_search:0","name":"web_search","intent":"搜索","conversation_id":"conv_..."}"#),
    (
        "tool_start",
        r#"{"id":"tool_0_web_search_...","name":"web_search","arguments":{"...":"..."},"preparing_id":"web_search:0","monitor_snapshot":null,"conversation_id":"conv_..."}"#,
    ),
    ("system_message", r#"{"content":"..."}"#),
    ("error", r#"{"message":"..."}"#),
    ("task_complete", r#"{"total_iterations":2,"total_tool_calls":1,"auto_fix_attempts":0}"#),
    (
        "user_message",
        r#"{"message":"find x","images":[],"videos":[],"media_refs":[],"message_source":"user","visibility":"chat","starts_work":true,"metadata":{},"timestamp":"2026-01-01T00:00:00","task_id":"t","conversation_id":"c","workspace_id":"ws1"}"#,
    ),
    ("user_message", r#"{"message":"repeat","message_id":"input","metadata":{"later":true}}"#),
    ("api_request_start", r#"{"attempt":1,"max_attempts":5,"task_id":"t","conversation_id":"c","workspace_id":"ws1"}"#),
    ("api_request_start", "{}"),
    (
        "tool_preparing",
        r#"{"id":"web_search:0","name":"web_search","message":"preparing","intent":null,"task_id":"t"}"#,
    ),
    ("tool_preparing", r#"{"id":"prepare-B","name":"old_name"}"#),
    (
        "tool_start",
        r#"{"id":"execute-A","preparing_id":"prepare-A","name":"new_name","arguments":{"path":"dir/file.txt"},"monitor_snapshot":{"before":"a"}}"#,
    ),
    ("tool_start", r#"{"id":"p","name":"synthetic","arguments":{}}"#),
    ("tool_intent", r#"{"execution_id":"execute-A","name":"n","intent":"read fully","intent_complete":true}"#),
    ("tool_update_action", r#"{"id":"execute-A","name":"new_name","status":"completed","result":{"text":"ok"}}"#),
    (
        "update_action",
        r#"{"id":"d","preparing_id":"prepare-A","message":"updated","content":"detail","awaiting_content":true}"#,
    ),
    ("update_action", r#"{"preparing_id":"p","status":"cancelled","result":null}"#),
    ("text_chunk", r#"{"content":" tail"}"#),
    (
        "error",
        r#"{"message":"stream broke","status_code":null,"error_type":"stream_disconnected","error_code":null,"error_text":"","request_dump":null,"base_url":"https://example.invalid","model_id":"m","retry":true,"retry_in":2.0,"attempt":1,"max_attempts":5,"task_id":"t"}"#,
    ),
    ("error", r#"{"message":"full","status_code":400,"error_type":"context_overflow"}"#),
    ("error", r#"{"message":"used up","quota":{"type":"fast"}}"#),
    ("error", r#"{"error_type":"parameter_format_error"}"#),
    ("stream_reset", r#"{"reason":"stream_disconnected","attempt":1,"max_attempts":5,"retry_in":2.0}"#),
    (
        "token_update",
        r#"{"cumulative_input_tokens":10,"cumulative_output_tokens":5,"cumulative_total_tokens":15,"cumulative_cached_input_tokens":0,"cache_exempt_input_tokens":0,"current_context_tokens":12,"updated_at":"2026-01-01T00:00:05"}"#,
    ),
    (
        "task_complete",
        r#"{"total_iterations":2,"total_tool_calls":1,"auto_fix_attempts":0,"has_running_sub_agents":false,"has_running_background_commands":false,"has_running_multi_agent":false,"pending_runtime_guidance_messages":[],"citations":[{"url":"u"}]}"#,
    ),
    ("task_complete", r#"{"message":"ignored error text"}"#),
    ("task_stopped", r#"{"message":"stopped","reason":"user_stop","client_sid":"s","task_id":"t"}"#),
    ("task_stopped", r#"{"message":"ignored error text"}"#),
    ("quota_exceeded", r#"{"message":"ignored error text"}"#),
    ("quota_exceeded", r#"{"type":"thinking","reset_at":1760000000.5}"#),
    ("context_warning", r#"{"title":"t","message":"m","type":"warning"}"#),
    ("append_payload", r#"{"path":"a","forced":false,"lines":1,"bytes":2,"tool_call_id":"c","success":true}"#),
    ("modify_payload", r#"{"path":"a","total":2,"completed":[1],"failed":[],"forced":false,"success":true}"#),
    ("file_tree_update", r#"{"src":{"main.rs":null}}"#),
    ("todo_updated", r#"{"todo_list":null}"#),
    ("edited_files_updated", r#"{"edited_files":["a"]}"#),
    ("edit_summary_updated", r#"{"message_id":"m","edit_summary":{"files":1}}"#),
    (
        "tool_approval_required",
        r#"{"approval":{"approval_id":"approval_1f","username":"u","conversation_id":"c","task_id":null,"tool_call_id":"k","tool_name":"n","arguments":{"a":1},"preview":{},"status":"pending","created_at":1.5,"decided_at":null,"decision":null}}"#,
    ),
    ("tool_approval_resolved", r#"{"approval_id":"approval_1f","decision":"approved","reason":""}"#),
    ("auto_approval_progress", r#"{"progress":{"stage":"done","message":"m","decision":"approved"}}"#),
    (
        "user_questions_required",
        r#"{"batch_id":"b","questions":[{"question_id":"q","batch_id":"b","batch_index":0,"batch_total":1,"question":"?","context":null,"options":[{"id":"o","label":"l"}],"status":"pending","created_at":1,"answered_at":null,"answer":null}]}"#,
    ),
    ("user_question_required", r#"{"question":{"question_id":"q","options":[]}}"#),
    ("user_questions_resolved", r#"{"batch_id":"b","question_ids":["q"]}"#),
    ("user_question_resolved", r#"{"question_id":"q"}"#),
    (
        "plan_approval_required",
        r#"{"approval":{"approval_id":"plan_approval_1f","plan_file":"f","plan_content":"p","plan_content_truncated":false,"summary":"s","status":"pending","created_at":1,"resolved_at":null,"comment":null}}"#,
    ),
    ("plan_approval_resolved", r#"{"approval_id":"plan_approval_1f","decision":"forbidden","comment":""}"#),
    ("goal_review_progress", r#"{"conversation_id":"c","progress":{"stage":"start","message":"m"}}"#),
    ("workflow_review_progress", r#"{"conversation_id":"c","progress":{"stage":"s","message":"m","node":3}}"#),
    (
        "goal_progress",
        r#"{"conversation_id":"c","goal":"g","status":"running","turn_count":1,"tokens_used":2,"tool_calls":3,"duration_seconds":null,"review_mode":"readonly","max_turns":9,"max_tokens":null,"final_summary":null,"stopped_reason":null}"#,
    ),
    ("goal_completed", r#"{"goal":"g","status":"done","duration_seconds":1.0,"summary":"s"}"#),
    ("goal_stopped", r#"{"goal":"g","status":"stopped","stopped_reason":"idle_no_tool"}"#),
    ("workflow_progress", r#"{"active":false,"conversation_id":"c","event":"workflow_rejected","reject_count":2}"#),
    ("compression_state", r#"{"in_progress":true,"mode":"auto","stage":"queued"}"#),
    (
        "compression_finished",
        r#"{"source_conversation_id":"a","conversation_id":"b","in_progress":false,"compact_file":"f","marked_count":3,"compress_form":"inject","compress_behavior":"continue","job_id":"j"}"#,
    ),
    ("shallow_compression", r#"{"compressed_count":1,"keep_recent_tools":2,"keep_user_turn_tools":3}"#),
    ("conversation_changed", r#"{"conversation_id":"c","title":"t"}"#),
    ("conversation_resolved", r#"{"conversation_id":"c","created":true}"#),
    ("sub_agent_waiting", r#"{"count":1,"tasks":[{"agent_id":1,"summary":"s"}]}"#),
];

fn envelope(tag: &str, data: &str) -> String {
    format!(r#"{{"idx":3,"type":"{tag}","data":{data},"ts":1769182968.154797}}"#)
}

#[test]
fn samples_decode_and_come_back() {
    for (tag, data) in SAMPLES {
        let text = envelope(tag, data);
        let decoded = Envelope::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(decoded.event.known_type().map(EventType::as_str), Some(*tag), "{text}");
        assert_eq!(json(&decoded.to_json()), json(&text));
        assert_eq!(Envelope::from_json(&decoded.to_json()).unwrap(), decoded);
        assert_eq!(serde_json::from_str::<Envelope>(&text).unwrap(), decoded);
        let alone = Event::from_tagged_json(tag, data).unwrap();
        assert_eq!(alone, decoded.event);
        assert_eq!(json(&serde_json::to_string(&alone).unwrap()), json(data));
    }
}

#[test]
fn every_type_has_a_sample() {
    for event in EventType::ALL {
        assert!(SAMPLES.iter().any(|(tag, _)| *tag == event.as_str()), "{event}");
    }
}

#[test]
fn members_may_come_in_any_order() {
    let members =
        [r#""idx":1.0"#, r#""type":"text_end""#, r#""data":{"full_content":"x"}"#, r#""ts":2e0"#, r#""more":[1]"#];
    let in_order = Envelope::from_json(&format!("{{{}}}", members.join(","))).unwrap();
    let written = r#"{"idx":1.0,"type":"text_end","data":{"full_content":"x"},"ts":2e0,"more":[1]}"#;
    assert_eq!(in_order.to_json(), written);
    for turn in 0..members.len() {
        let mut turned = members;
        turned.rotate_left(turn);
        let decoded = Envelope::from_json(&format!("{{ {} }}", turned.join(" , "))).unwrap();
        assert_eq!((decoded.to_json().as_str(), &decoded), (written, &in_order));
    }
    let repeated = r#"{"idx":"x","type":5,"data":0,"ts":null,"idx":7,"type":"text_start","data":{},"ts":1}"#;
    assert_eq!(Envelope::from_json(repeated).unwrap().idx, Integer::from(7));
}

#[test]
fn numbers_keep_their_digits() {
    for text in [
        r#"{"idx":12,"type":"text_chunk","data":{"content":"","index":1.0,"elapsed":0.0},"ts":1769182968.154797}"#,
        r#"{"idx":1.0,"type":"api_request_start","data":{"attempt":1e0,"max_attempts":12345678901234567890123},"ts":1.0}"#,
        r#"{"idx":0,"type":"stream_reset","data":{"reason":"r","attempt":1,"max_attempts":5,"retry_in":2.50},"ts":1760000000}"#,
        r#"{"idx":0,"type":"update_action","data":{"result":{"n":1.10,"b":[1E2]}},"ts":0.1000}"#,
        r#"{"idx":0,"type":"unheard","data":{"n":1.10,"b":[1E2]},"ts":1}"#,
    ] {
        assert_eq!(Envelope::from_json(text).unwrap().to_json(), text);
    }
}

#[test]
fn aliases_keep_their_names() {
    let text = envelope("tool_update_action", r#"{"id":"e","status":"completed"}"#);
    let decoded = Envelope::from_json(&text).unwrap();
    let Event::ToolUpdateAction(update) = &decoded.event else { panic!("{}", decoded.event.tag()) };
    assert!(update.status.as_ref().is_some_and(ToolStatus::is_terminal));
    assert_eq!(decoded.to_json(), text);
    assert_eq!(Event::from(UpdateAction::new()).tag(), "update_action");
    let one = Event::from_tagged_json("user_question_required", r#"{"question":{"question_id":"q"}}"#).unwrap();
    let several = Event::from_tagged_json("user_questions_required", r#"{"questions":[{"question_id":"q"}]}"#).unwrap();
    let (Event::UserQuestionRequired(one), Event::UserQuestionsRequired(several)) = (&one, &several) else { panic!() };
    assert_eq!(one.question.as_ref(), several.questions.as_ref().and_then(|questions| questions.first()));
}

#[test]
fn what_is_unknown_survives() {
    for data in [r#"{"a":1.50,"type":"x"}"#, "{}", "null", "[1,2.0]", r#""text""#, "1.0", "true"] {
        let text = envelope("unheard", data);
        let decoded = Envelope::from_json(&text).unwrap();
        assert_eq!((decoded.event.known_type(), decoded.event.tag()), (None, "unheard"));
        let Event::Unknown(unknown) = &decoded.event else { panic!("{data}") };
        let is_object = data.starts_with('{');
        assert_eq!(unknown.content().map(Json::as_str), Some(data).filter(|_| !is_object));
        assert_eq!(decoded.to_json(), text);
        assert_eq!(serde_json::from_str::<Envelope>(&text).unwrap(), decoded);
    }
    let text = r#"{"idx":0,"type":"text_start","data":{"task_id":"t","new":{"z":1,"a":2}},"ts":1,"seq":9}"#;
    let decoded = Envelope::from_json(text).unwrap();
    assert_eq!(decoded.extra.get("seq").map(Json::as_str), Some("9"));
    assert_eq!(json(&decoded.to_json()), json(text));
}

#[test]
fn scope_ids_are_read_whatever_the_type() {
    for tag in ["text_start", "unheard"] {
        let event =
            Event::from_tagged_json(tag, r#"{"task_id":"t","conversation_id":"c","workspace_id":"w"}"#).unwrap();
        let ids = (event.task_id(), event.conversation_id(), event.workspace_id());
        assert_eq!(ids, (Some("t".into()), Some("c".into()), Some("w".into())), "{tag}");
        let event = Event::from_tagged_json(tag, r#"{"workspace_id":null}"#).unwrap();
        assert_eq!((event.task_id(), event.workspace_id()), (None, None), "{tag}");
    }
    assert_eq!(Event::from_tagged_json("unheard", "[1]").unwrap().task_id(), None);
}

#[test]
fn errors_say_where_in_the_envelope() {
    let missing = ErrorKind::Missing;
    let cases: &[(&str, &str, &str, ErrorKind)] = &[
        (r#"{"type":"text_start","data":{},"ts":1}"#, "$.idx", "{", missing),
        (r#"{"idx":0,"data":{},"ts":1}"#, "$.type", "{", missing),
        (r#"{"idx":0,"type":"text_start","ts":1}"#, "$.data", "{", missing),
        (r#"{"idx":0,"type":"text_start","data":{}}"#, "$.ts", "{", missing),
        (r#"{"idx":0.5,"type":"text_start","data":{},"ts":1}"#, "$.idx", "0.5", ErrorKind::Integer("an integer")),
        (r#"{"idx":"0","type":"text_start","data":{},"ts":1}"#, "$.idx", "\"0\"", ErrorKind::Type("an integer")),
        (r#"{"idx":0,"type":7,"data":{},"ts":1}"#, "$.type", "7", ErrorKind::Type("a string")),
        (r#"{"idx":0,"type":"text_start","data":{}, "ts" : "1"}"#, "$.ts", "\"1\"", ErrorKind::Type("a number")),
        (r#"{"idx":0,"type":"text_start","data":[7],"ts":1}"#, "$.data", "[7]", ErrorKind::Type("an object")),
        (r#"{"idx":0,"type":"text_start","data":null,"ts":1}"#, "$.data", "null", ErrorKind::Type("an object")),
        (r#"{"idx":0,"type":"text_chunk","data":{"chunk":"x"},"ts":1}"#, "$.data.content", "{\"chunk", missing),
        (
            r#"{"ts":1,"data":{"questions":[{"options":[{"id":7}]}]},"type":"user_questions_required","idx":0}"#,
            "$.data.questions[0].options[0].id",
            "7",
            ErrorKind::Type("a string"),
        ),
        (r#"[{"idx":0}]"#, "$", "[", ErrorKind::Type("an object")),
    ];
    for (text, path, place, kind) in cases {
        let error = Envelope::from_json(text).unwrap_err();
        assert_eq!((error.path(), error.offset(), error.kind()), (*path, text.find(place).unwrap(), *kind), "{text}");
    }
}

/// The content is only skimmed until its type is known, and may stand twice.
#[test]
fn content_that_is_no_json_is_refused() {
    let broken = [
        r#"{"content":tru}"#,
        r#"{"content" "x"}"#,
        r#"{"content":"\x"}"#,
        "{\"content\":\"\u{1}\"}",
        r#"{"content":"x",}"#,
        r#"{,"content":"x"}"#,
        r#"{"content":"x","n":01}"#,
        r#"{"content":"x","n":[1,]}"#,
        r#"{"content":"x","n":[1}]"#,
        r#"{"content":"x"}}"#,
        r#"{"content":"x""#,
        r#"["content":"x"]"#,
        "\"text",
        "nope",
        "",
    ];
    let all = broken.iter().map(|content| (*content, false)).chain([(r#"{"content":"x"}"#, true)]);
    for (content, is_json) in all {
        for text in [
            envelope("text_chunk", content),
            envelope("of_later_versions", content),
            format!(r#"{{"idx":0,"type":"text_chunk","data":{content},"data":{{"content":"x"}},"ts":1.5}}"#),
            format!(r#"{{"data":{content},"idx":0,"type":"text_chunk","ts":1.5}}"#),
        ] {
            assert_eq!(Envelope::from_json(&text).is_ok(), is_json, "{text}");
            let body = format!(
                r#""task_id":"t","workspace_id":null,"status":"running","created_at":1,"updated_at":2,"error":null,"events":[{text}],"next_offset":1"#
            );
            for response in [format!("{{\"success\":true,{body}}}"), format!(r#"{{"success":true,"data":{{{body}}}}}"#)]
            {
                assert_eq!(PollResponse::from_json(&response).is_ok(), is_json, "{response}");
            }
        }
    }
}

#[test]
fn null_is_taken_where_servers_send_it_only() {
    for (tag, data) in [
        ("text_start", r#"{"workspace_id":null}"#),
        ("tool_preparing", r#"{"id":"a","name":"n","intent":null}"#),
        ("tool_start", r#"{"id":"a","name":"n","arguments":{},"monitor_snapshot":null}"#),
        ("goal_progress", r#"{"duration_seconds":null}"#),
        ("error", r#"{"status_code":null,"retry_in":null,"error_code":null,"request_dump":null,"base_url":null}"#),
        ("tool_approval_required", r#"{"approval":{"task_id":null}}"#),
    ] {
        let event = Event::from_tagged_json(tag, data).unwrap_or_else(|error| panic!("{tag} {data}: {error}"));
        assert_eq!(json(&serde_json::to_string(&event).unwrap()), json(data));
    }
    for (tag, data, path) in [
        ("text_start", r#"{"task_id":null}"#, "$.task_id"),
        ("text_start", r#"{"conversation_id":null}"#, "$.conversation_id"),
        ("user_message", r#"{"message":null}"#, "$.message"),
        ("thinking_end", r#"{"full_content":null}"#, "$.full_content"),
        ("text_chunk", r#"{"content":"","index":null}"#, "$.index"),
        ("stream_reset", r#"{"reason":"r","attempt":1,"max_attempts":5,"retry_in":null}"#, "$.retry_in"),
        ("tool_intent", r#"{"id":"a","name":"n","intent":null}"#, "$.intent"),
        ("tool_start", r#"{"id":"a","name":"n","arguments":null}"#, "$.arguments"),
        ("tool_start", r#"{"id":"a","name":"n","arguments":{},"preparing_id":null}"#, "$.preparing_id"),
        ("update_action", r#"{"status":null}"#, "$.status"),
        ("error", r#"{"retry":null}"#, "$.retry"),
        ("task_stopped", r#"{"message":"m","reason":null}"#, "$.reason"),
    ] {
        let error = Event::from_tagged_json(tag, data).unwrap_err();
        assert_eq!((error.path(), matches!(error.kind(), ErrorKind::Type(_))), (path, true), "{tag} {data}");
    }
}

#[test]
fn what_ends_a_task() {
    for (tag, data, ends) in [
        ("task_complete", "{}", true),
        ("task_stopped", r#"{"message":"m"}"#, true),
        ("quota_exceeded", "{}", true),
        ("error", r#"{"message":"m"}"#, true),
        ("error", r#"{"message":"m","retry":false}"#, true),
        ("error", r#"{"message":"m","retry":true}"#, false),
        ("error", r#"{"error_type":"parameter_format_error"}"#, false),
        ("text_end", r#"{"full_content":""}"#, false),
        ("unheard", "{}", false),
    ] {
        assert_eq!(Event::from_tagged_json(tag, data).unwrap().is_terminal(), ends, "{tag} {data}");
    }
    for (status, is_over) in [
        ("pending", false),
        ("running", false),
        ("cancel_requested", false),
        ("succeeded", true),
        ("failed", true),
        ("stopped", true),
        ("canceled", true),
        ("idle", false),
    ] {
        assert_eq!(TaskStatus::from(status).is_terminal(), is_over, "{status}");
    }
}

#[test]
fn what_is_built_is_what_is_sent() {
    for (event, data) in [
        (
            Event::from(TextChunk::new("hi", 1, 0_u32).with_task_id("t")),
            r#"{"content":"hi","index":1,"elapsed":0,"task_id":"t"}"#,
        ),
        (
            ToolStart::new("e", "read", JsonObject::new(json(r#"{"path":"a"}"#)).unwrap(), "p", Nullable::Null).into(),
            r#"{"id":"e","name":"read","arguments":{"path":"a"},"preparing_id":"p","monitor_snapshot":null}"#,
        ),
        (UpdateAction::new().with_id("e").with_status("completed").into(), r#"{"id":"e","status":"completed"}"#),
        (ErrorEvent::new().with_message("m").with_retry(true).into(), r#"{"message":"m","retry":true}"#),
    ] {
        let tag = event.tag().to_owned();
        let text = Envelope::new(4, event, 1_760_000_000_u32).to_json();
        assert_eq!(text, format!(r#"{{"idx":4,"type":"{tag}","data":{data},"ts":1760000000}}"#));
    }
}

/// The answers that servers give to polls, shortened.
const UNDER_DATA: &[&str] = &[
    r#"{"success":true,"data":{"task_id":"t","workspace_id":"ws1","status":"running","created_at":1760000000.0,"updated_at":1760000009.0,"error":null,"events":[{"idx":100,"type":"text_chunk","data":{"content":"z","index":90,"elapsed":0.01,"task_id":"t"},"ts":1760000100.0}],"next_offset":101}}"#,
    r#"{"success":true,"data":{"task_id":"t","workspace_id":null,"status":"running","created_at":1760000000.0,"updated_at":1760000009.0,"error":null,"events":[],"next_offset":9999}}"#,
    r#"{"success":true,"data":{"task_id":"t","workspace_id":"ws1","status":"failed","created_at":1760000000.0,"updated_at":1760000009.0,"error":"boom","events":[{"idx":0,"type":"error","data":{"message":"boom"},"ts":1760000000.0}],"next_offset":1}}"#,
    // The web API has more members.
    r#"{"success":true,"data":{"task_id":"A","workspace_id":"ws1","status":"succeeded","created_at":100,"updated_at":999,"error":null,"events":[{"idx":100,"type":"text_start","data":{},"ts":1},{"idx":101,"type":"new","data":7,"ts":2}],"next_offset":102,"window_start":100,"runtime_queued_messages":[{"id":"q","text":"untrusted tail"}],"goal_mode":false}}"#,
];

#[test]
fn answers_come_back_in_their_shape() {
    let mut cases: Vec<String> = UNDER_DATA.iter().map(|text| (*text).to_owned()).collect();
    // What lies under `data` may also stand at top level.
    for text in UNDER_DATA {
        let data = json(text).get("data").unwrap();
        cases.push(data.as_str().to_owned());
        cases.push(format!("{{\"success\":true,{}", &data.as_str()[1..]));
    }
    cases.push(r#"{"events":[],"next_offset":6}"#.into());
    cases.push(r#"{"success":false,"error":"任务不存在"}"#.into());
    for text in &cases {
        let response = PollResponse::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(response.to_json(), *text);
        assert_eq!(serde_json::from_str::<PollResponse>(text).unwrap(), response);
    }
}

/// The client goes on behind an event that it cannot read, and the view counts it as it does by itself.
#[test]
fn an_odd_event_does_not_hide_the_others() {
    for (tag, data) in [
        ("file_tree_update", r#"["a"]"#),
        ("task_complete", "null"),
        ("text_chunk", r#"{"chunk":"x","index":1,"elapsed":0}"#),
        ("text_chunk", r#"{"content":"x\ud83d","index":1,"elapsed":0}"#),
        ("update_action", r#"{"id":null,"status":"completed"}"#),
    ] {
        let odd = envelope(tag, data);
        let text = format!(
            r#"{{"success":true,"data":{{"task_id":"t1","workspace_id":"w1","status":"running","created_at":1.0,"updated_at":2.0,"error":null,"events":[{odd},{{"idx":4,"type":"text_start","data":{{}},"ts":2}}],"next_offset":5}}}}"#
        );
        assert!(Envelope::from_json(&odd).is_err(), "{odd}");
        let response = PollResponse::from_json(&text).unwrap();
        assert_eq!(response.to_json(), text);
        let mut cursor = Cursor::new("t1");
        cursor.resume_at(3);
        let Polled::Events(batch) = cursor.take(3, &response).unwrap() else { panic!("{text}") };
        assert!(matches!(&batch.events[0].event, Event::Unknown(unknown) if unknown.tag() == tag), "{text}");
        assert_eq!((batch.events.len(), cursor.next_offset()), (2, 5), "{text}");
        let views = [Json::parse(&odd).unwrap(), Json::parse(&batch.events[0].to_json()).unwrap()].map(|envelope| {
            let mut view = TaskView::new(None, None).starting_at(3);
            view.push_json(&envelope);
            serde_json::to_string(&view).unwrap()
        });
        assert_eq!(views[0], views[1]);
    }
}

#[test]
fn both_shapes_say_the_same() {
    for text in UNDER_DATA {
        let data = json(text).get("data").unwrap();
        let nested = PollResponse::from_json(text).unwrap();
        let flat = PollResponse::from_json(data.as_str()).unwrap();
        assert!(matches!((&nested, &flat), (PollResponse::Task(_), PollResponse::Flat(_))), "{text}");
        let told = |response: &PollResponse| {
            (
                response.task_id().cloned(),
                response.status().cloned(),
                response.events().to_vec(),
                response.next_offset().cloned(),
                response.window_start().cloned(),
                response.error().map(str::to_owned),
            )
        };
        assert_eq!(told(&nested), told(&flat), "{text}");
        let offset = data.get("next_offset").map(|offset| offset.as_str().to_owned());
        assert_eq!(nested.next_offset().map(ToString::to_string), offset);
    }
    let web = PollResponse::from_json(UNDER_DATA[3]).unwrap();
    assert_eq!(web.window_start(), Some(&Integer::from(100)));
    let PollResponse::Task(TaskResponse { data, .. }) = web else { panic!("under data") };
    assert_eq!(data.extra.get("goal_mode").map(Json::as_str), Some("false"));
    assert_eq!(data.extra.len(), 2);
}

#[test]
fn failures_are_told_apart() {
    let failed = PollResponse::from_json(r#"{"error":"no such task","success":false}"#).unwrap();
    assert!(matches!(failed, PollResponse::Error(_)));
    assert_eq!(failed.error(), Some("no such task"));
    assert_eq!((failed.events(), failed.status(), failed.next_offset()), (&[][..], None, None));
    let odd = PollResponse::from_json(r#"{"success":false,"error":"e","data":{"code":1}}"#).unwrap();
    assert!(matches!(&odd, PollResponse::Error(error) if error.extra.get("data").is_some()));
    for (text, path) in [
        (r#"{"success":true}"#, "$.data"),
        (r#"{"success":false}"#, "$.error"),
        (r#"{"success":true,"data":{"task_id":"t"}}"#, "$.data.workspace_id"),
        (r#"{"events":[{"idx":0,"type":"text_start","ts":1}]}"#, "$.events[0].data"),
        (
            r#"{"events":[{"idx":0,"type":"text_start","data":{},"ts":1},{"idx":-0.5,"type":"a","data":{},"ts":1}]}"#,
            "$.events[1].idx",
        ),
        ("[]", "$"),
    ] {
        let error = PollResponse::from_json(text).unwrap_err();
        assert_eq!(error.path(), path, "{text}: {error}");
    }
}

#[test]
fn other_answers() {
    let created = r#"{"success":true,"task_id":"5f0c","conversation_id":"conv_1","workspace_id":"ws1","status":"running","created_at":1760000000.0}"#;
    let decoded = CreatedResponse::from_json(created).unwrap();
    assert_eq!((decoded.status.clone(), decoded.created_at.as_str()), (TaskStatus::Running, "1760000000.0"));
    assert_eq!(serde_json::to_string(&decoded).unwrap(), created);
    assert!(CancelResponse::from_json(r#"{"success":true}"#).unwrap().success);
    let error = ErrorResponse::from_json(r#"{"success":false,"error":"...","more":1}"#).unwrap();
    assert_eq!((error.success, error.error.as_str(), error.extra.len()), (false, "...", 1));
}

#[test]
fn opaque_values_are_not_shown() {
    for data in [r#"{"token":"hunter2"}"#, r#""hunter2""#] {
        let decoded = Envelope::from_json(&envelope("unheard", data)).unwrap();
        assert!(!format!("{decoded:?}").contains("hunter2"));
    }
    let error = Envelope::from_json(&envelope("text_end", r#"{"full_content":["hunter2"]}"#)).unwrap_err();
    assert!(!format!("{error:?} {error}").contains("hunter2"));
}

#[cfg(feature = "chrono")]
#[test]
fn times() {
    let time = |ts: &str| {
        let text = format!(r#"{{"idx":0,"type":"text_start","data":{{}},"ts":{ts}}}"#);
        Envelope::from_json(&text).unwrap().time().map(|time| time.timestamp_micros())
    };
    for (ts, micros) in [
        ("1769182968.154797", Some(1_769_182_968_154_797)),
        ("0", Some(0)),
        ("-1.5", Some(-1_500_000)),
        ("1e300", None),
    ] {
        assert_eq!(time(ts), micros, "{ts}");
    }
    let message = |timestamp: &str| {
        let event = Event::from_tagged_json("user_message", &format!(r#"{{"message":"m","timestamp":"{timestamp}"}}"#));
        let Ok(Event::UserMessage(message)) = event else { panic!("{timestamp}") };
        message.timestamp_time().map(|time| time.and_utc().timestamp())
    };
    assert_eq!(message("2026-01-01T00:00:05"), Some(1_767_225_605));
    assert_eq!(message("yesterday"), None);
}

/// JSON text with what a detour through doubles, maps or Rust strings would change.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        "-?[1-9][0-9]{25}",
        "[0-9]\\.[0-9]{1,20}",
        "\"([a-zé😀]|\\\\n|\\\\ud800){0,6}\"",
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(inner, 0..3).prop_map(|values| {
                let members: Vec<String> =
                    values.iter().enumerate().map(|(at, value)| format!("\"k{at}\" :{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn unknown_types_and_members_come_back(
        data in value(),
        more in value(),
        order in Just(vec![0_usize, 1, 2, 3, 4]).prop_shuffle(),
        known in any::<bool>(),
    ) {
        let tag = if known { "text_start" } else { "unheard" };
        let data = if known { format!("{{\"new\":{data}}}") } else { data };
        let members = [
            "\"idx\": 1".to_owned(),
            format!("\"type\": \"{tag}\""),
            format!("\"data\": {data}"),
            "\"ts\": 1.50".to_owned(),
            format!("\"more\": {more}"),
        ];
        let members: Vec<&str> = order.iter().map(|at| members[*at].as_str()).collect();
        let text = format!("{{{}}}", members.join(","));
        let decoded = Envelope::from_json(&text).unwrap();
        prop_assert_eq!(decoded.event.tag(), tag);
        prop_assert_eq!(json(&decoded.to_json()), json(&text));
        prop_assert_eq!(decoded.extra.get("more").map(Json::as_str), Some(more.as_str()));
    }
}
