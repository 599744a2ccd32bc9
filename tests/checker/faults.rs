//! Faults that were found once, each as the smallest stream that shows it.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Input, Profile, Severity};
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::{Value, json};

/// The rules that a stream breaks, in order.
fn rules(protocol: &Protocol, profile: Profile, framing: Framing, bytes: &[u8]) -> Vec<String> {
    let checker = Checker::builder(protocol).profile(profile).build();
    let mut stream = StreamChecker::of(checker, framing);
    let mut found: Vec<String> = stream.push(bytes).map(|found| found.rule.name().to_owned()).collect();
    found.extend(stream.finish().map(|found| found.rule.name().to_owned()));
    found
}

fn agui(profile: Profile, events: &[&str]) -> Vec<String> {
    rules(&Protocol::AGUI, profile, Framing::Ndjson, (events.join("\n") + "\n").as_bytes())
}

const R: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const F: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
const X: &str = r#"{"type":"CUSTOM","name":"x","value":1}"#;
const S: &str = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
const C: &str = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#;
const E: &str = r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#;

#[test]
fn agui_streams() {
    let delta = r#"{"type":"ACTIVITY_DELTA","messageId":"m","activityType":"PLAN","patch":[]}"#;
    let sub = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}"#;
    let sub_end = r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#;
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"x","subagentRunId":"s"}"#;
    let end = r#"{"type":"TEXT_MESSAGE_END","messageId":"a"}"#;
    let stranger = |kind: &str, rest: &str| format!(r#"{{"type":"{kind}","subagentRunId":"zz"{rest}}}"#);
    let snapshot = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}"#;
    let remove = r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":""}]}"#;
    let moved = r#"{"type":"STATE_DELTA","delta":[{"op":"move","from":"","path":""}]}"#;
    for (what, events, strict) in [
        ("an event behind one that is no object", &[R, F, "7", X][..], &["frame-not-object"][..]),
        ("the end of a run behind one", &[R, S, "7", F], &["frame-not-object"]),
        ("the same with an array", &[R, S, "[]", F], &["frame-not-object"]),
        (
            "one that is no object may have been the end of a message, not of two",
            &[R, S, r#"{"type":"STEP_STARTED","stepName":"s"}"#, "7", F],
            &["frame-not-object", "run-finished-with-open-scope"],
        ),
        (
            "a warning about an id, then an error about it",
            &[R, delta, C, F],
            &["activity-delta-without-snapshot", "text-content-without-start"],
        ),
        (
            "an END that chunks stand for, of a message that is closed",
            &[R, sub, chunk, end, sub_end, F],
            &["text-end-without-start"],
        ),
        (
            "a chunk of an unannounced subagent: said once a tag",
            &[
                R,
                sub,
                sub_end,
                &stranger("TEXT_MESSAGE_CHUNK", r#","messageId":"a","delta":"x""#),
                &stranger("TEXT_MESSAGE_CHUNK", r#","delta":"y""#),
                F,
            ],
            &["subagent-tag-unannounced"],
        ),
        ("patches of the whole state", &[R, snapshot, remove, moved, F], &[]),
        (
            "two ids that differ in a lone surrogate",
            &[
                R,
                r#"{"type":"TEXT_MESSAGE_START","messageId":"\ud800"}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":"\ud801"}"#,
                F,
            ],
            &["lone-surrogate", "lone-surrogate", "text-end-without-start"],
        ),
        ("a run that finishes before its message", &[R, S, C, F, E], &["run-finished-with-open-scope"]),
        ("an END without an id", &[R, S, C, r#"{"type":"TEXT_MESSAGE_END"}"#, F], &["required-field-missing"]),
        (
            "a step without a name",
            &[R, r#"{"type":"STEP_STARTED"}"#, r#"{"type":"STEP_FINISHED","stepName":"s"}"#, F],
            &["required-field-missing"],
        ),
        ("an event without a type", &[R, r#"{"messageId":"m"}"#, C, E, F], &["type-missing"]),
        ("a run that starts twice", &[R, R, F], &["run-started-while-active"]),
        (
            "arguments without an id",
            &[
                R,
                r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#,
                r#"{"type":"TOOL_CALL_ARGS","delta":"{\"a\":"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"1}"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
                F,
            ],
            &["required-field-missing"],
        ),
        (
            "an answer whose JSON begins with an escaped line break",
            &[
                R,
                r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
                r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"\n{\"api_key\":1}"}"#,
                F,
            ],
            &["secret-key"],
        ),
    ] {
        assert_eq!(agui(Profile::Strict, events), strict, "{what}");
    }
    // An id that only one rule of `strict` speaks of is no reason to pass over an error.
    assert_eq!(agui(Profile::Reference, &[R, delta, C, F]), ["text-content-without-start"]);
}

#[test]
fn binary_parts() {
    for (part, expected) in [
        (r#"{"type":"binary","data":1}"#, "binary-part-retired"),
        (r#"{"type":"binary","mimeType":5,"data":1}"#, "binary-part-retired"),
        (r#"{"type":"binary","mimeType":"image/png","id":"x"}"#, "binary-part-retired"),
        (r#"{"type":"binary","mimeType":"image/png","data":1}"#, "wrong-type"),
        (r#"{"type":"binary","mimeType":"image/png","url":5}"#, "wrong-type"),
        (r#"{"type":"binary","mimeType":"image/png","data":"","url":5}"#, "wrong-type"),
        (r#"{"type":"binary","mimeType":"image/png","data":"AA","url":5}"#, "binary-part-retired"),
    ] {
        let list =
            format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"1","role":"user","content":[{part}]}}]}}"#);
        assert_eq!(agui(Profile::Reference, &[R, &list, F]), [expected], "{part}");
    }
}

#[test]
fn frames() {
    for (what, stream, expected) in [
        ("a boundary of CRLF", format!("data: {R}\r\n\r\ndata: {F}\n\n"), &["sse-line-ending"][..]),
        ("CRLF behind the last frame alone", format!("data: {R}\n\ndata: {F}\r\n\r\n"), &[]),
        ("a bare data line", format!("data: {R}\n\ndata\n\ndata: {F}\n\n"), &[]),
        (
            "headers before the first frame",
            format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {R}\n\ndata: {F}\n\n"),
            &[],
        ),
    ] {
        assert_eq!(rules(&Protocol::AGUI, Profile::Strict, Framing::Sse, stream.as_bytes()), expected, "{what}");
    }
    let document = format!(r#"{{"run":"r","events":[{R},{F}]}}"#);
    assert_eq!(rules(&Protocol::AGUI, Profile::Strict, Framing::Json, document.as_bytes()), [""; 0]);
}

#[test]
fn names_that_were_meant() {
    let hint = |event: &str| {
        let mut stream = StreamChecker::of(Checker::new(Protocol::AGUI), Framing::Ndjson);
        stream.push(format!("{R}\n").as_bytes());
        let mut found = stream.push(format!("{event}\n").as_bytes());
        let first = found.next().unwrap();
        (first.rule.name().to_owned(), first.path.clone(), first.help().to_owned(), found.len())
    };
    for (event, rule, path, help) in [
        (r#"{"type":"TextMessageStart","messageId":"m"}"#, "unknown-event-type", "$.type", "write TEXT_MESSAGE_START"),
        (
            r#"{"type":"TEXT_MESSAGE_STRAT","messageId":"m"}"#,
            "unknown-event-type",
            "$.type",
            "write TEXT_MESSAGE_START",
        ),
        (
            r#"{"type":"TEXT_MESSAGE_START","message_id":"m"}"#,
            "required-field-missing",
            "$.message_id",
            "write messageId",
        ),
        (
            r#"{"type":"TEXT_MESSAGE_START","messageID":"m"}"#,
            "required-field-missing",
            "$.messageID",
            "write messageId",
        ),
        (r#"{"type":"TEXT_MESSAGE_START","messageId":"m","rol":"user"}"#, "unknown-property", "$.rol", "write role"),
        (
            r#"{"type":"STEP_STARTED","stepName":"s","time_stamp":1}"#,
            "unknown-property",
            "$.time_stamp",
            "write timestamp",
        ),
    ] {
        let (found, at, said, more) = hint(event);
        assert_eq!((found.as_str(), at.as_str(), more), (rule, path, 0), "{event}");
        if rule != "unknown-property" || said.starts_with("write") {
            assert_eq!(said, help, "{event}");
        }
    }
}

#[test]
fn lime_ids_are_kept_apart_as_javascript_keeps_them() {
    let event = |number: usize, class: &str, id: &str| {
        format!(
            r#"{{"id":"e{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"a","threadId":"th","turnId":"t","eventClass":"{class}","kind":"test","status":"running","sequence":{number},"title":"S","createdAt":"2026-06-10T08:00:00.000Z","toolCallId":{id},"payload":{{"status":"passed"}}}}"#
        )
    };
    for (opened, closed, same) in [
        ("1", "1", true),
        ("1", "1.0", true),
        ("1", "\"1\"", false),
        ("{}", "{}", false),
        ("[]", "[]", false),
        ("true", "true", true),
    ] {
        let stream = [event(1, "test.started", opened), event(2, "test.completed", closed)].join("\n") + "\n";
        let found = rules(&Protocol::LIME, Profile::Reference, Framing::Ndjson, stream.as_bytes());
        let unmatched = found.iter().any(|rule| rule == "test-completed-without-start");
        assert_eq!(unmatched, !same, "{opened} and {closed}: {found:?}");
    }
}

#[test]
fn lime_reports_every_scope_that_a_turn_leaves_open() {
    let event = |number: usize, class: &str, rest: &str| {
        format!(
            r#"{{"id":"e{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"a","threadId":"th","turnId":"t","eventClass":"{class}","kind":"tool","status":"running","sequence":{number},"title":"S","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
        )
    };
    let call = |id: &str| format!(r#","toolCallId":"{id}""#);
    let events =
        [event(1, "tool.started", &call("a")), event(2, "tool.started", &call("b")), event(3, "turn.completed", "")];
    let stream = events.join("\n") + "\n";
    for profile in [Profile::Strict, Profile::Reference] {
        let found = rules(&Protocol::LIME, profile, Framing::Ndjson, stream.as_bytes());
        assert_eq!(found, ["tool-unclosed-at-turn-end"; 2], "{profile}");
    }
}

#[test]
fn one_fault_in_a_fixture_of_lime_is_one_finding() {
    let event = |class: &str, sequence: u8| {
        json!({
            "id": format!("e{sequence}"), "schemaVersion": "lime-runtime-event/v0.1", "runtimeId": "r", "threadId": "th",
            "turnId": "t", "kind": "tool", "status": "running", "eventClass": class, "sequence": sequence, "title": "T",
            "createdAt": "2026-06-10T08:00:00Z", "toolCallId": "c",
        })
    };
    let whole = vec![event("tool.started", 1), event("tool.result", 2), event("turn.completed", 3)];
    let numbered = |sequence: Value| {
        let mut events = whole.clone();
        events[1]["sequence"] = sequence;
        events
    };
    let with_null = vec![whole[0].clone(), Value::Null, whole[2].clone()];
    let without = vec![whole[0].clone(), whole[2].clone()];
    let doubled = [&whole[..1], &whole[..]].concat();
    for (events, rule) in [
        (whole.clone(), None),
        (numbered(Value::Null), Some("sequence-not-integer")),
        (numbered(json!(9)), Some("fixture-sequence-gap")),
        (numbered(json!(1)), Some("fixture-sequence-gap")),
        (with_null, Some("event-not-object")),
        (without, Some("fixture-sequence-gap")),
        (doubled, Some("duplicate-event-id")),
    ] {
        let fixture = json!({
            "schemaVersion": "agent-ui-fixture/v0.1", "id": "f", "title": "F", "events": events,
            "expected": {"status": "completed"},
        });
        let mut checker = Checker::new(&Protocol::LIME);
        let found = checker.check_as("Fixture", Input::event(&fixture.to_string())).unwrap();
        let rules: Vec<&str> = found.iter().map(|finding| finding.rule.name()).collect();
        assert_eq!(rules, Vec::from_iter(rule), "{fixture}");
    }
}

#[test]
fn severities_of_strict() {
    let severity = |rule: &str| agent_contracts::rule(rule).unwrap().severity();
    for rule in [
        "agui/truncated-stream",
        "agui/empty-stream",
        "agui/tool-arguments-not-json",
        "agui/state-delta-not-applicable",
        "agui/run-finished-run-id-mismatch",
        "agui/run-finished-thread-id-mismatch",
        "agui/duplicate-interrupt-id",
        "agui/pending-tool-calls-mismatch",
        "agui/secret-value",
        "lime/secret-value",
        "social-app/secret-value",
        "ubik/secret-value",
        "polling/secret-value",
        "agui/nothing-recognised",
        "agui/message-id-repeated",
    ] {
        assert_eq!(severity(rule), Severity::Error, "{rule}");
    }
    for rule in ["agui/secret-key", "agui/tool-result-repeated", "ubik/secret-key", "polling/secret-key"] {
        assert_eq!(severity(rule), Severity::Warning, "{rule}");
    }
}

#[test]
fn a_dropped_connection_blames_nobody() {
    let mut stream = StreamChecker::new(Protocol::AGUI);
    assert!(stream.push(format!("data: {R}\n\ndata: {{\"type\":\"TEXT_").as_bytes()).is_empty());
    stream.abandon();
    assert_eq!(stream.events(), 0);
    assert!(stream.push(format!("data: {R}\n\ndata: {F}\n\n").as_bytes()).is_empty());
    assert!(stream.finish().is_empty());
}

/// An event of social-app in run `r` of thread `t`.
fn social(kind: &str, rest: &str) -> String {
    let comma = if rest.is_empty() { "" } else { "," };
    format!(r#"{{"type":"{kind}","threadId":"t","runId":"r"{comma}{rest}}}"#)
}

#[test]
fn social_app_streams() {
    let start = social("RUN_STARTED", "");
    let finished = social("RUN_FINISHED", "");
    let error = social("RUN_ERROR", r#""message":"x","code":null"#);
    let unknown = social("RUN_PAUSED", "");
    let step = |kind: &str, name: &str| social(kind, &format!(r#""stepName":"{name}""#));
    let text = |id: &str| {
        social(
            "TEXT_MESSAGE_END",
            &format!(
                r#""messageId":"{id}","answer":"a","suggested_actions":[],"role":"assistant","stage":"worker","status":"success""#
            ),
        )
    };
    let call = |kind: &str, id: &str, rest: &str| {
        social(
            kind,
            &format!(r#""messageId":"m","toolCallId":"{id}","toolCallName":"calendar.read","stage":"worker"{rest}"#),
        )
    };
    let args = |id: &str, date: &str| {
        call(
            "TOOL_CALL_ARGS",
            id,
            &format!(r#","args":{{"module":"calendar","method":"read","input":{{"date":"{date}"}}}}"#),
        )
    };
    let result = |id: &str| {
        social(
            "TOOL_CALL_RESULT",
            &format!(
                r#""messageId":"m","role":"tool","stage":"worker","tool_name":"calendar.read","tool_call_id":"{id}","tool_call_args":null,"status":"success","result":{{"count":1}},"error":null"#
            ),
        )
    };
    let (begin, end) = (|id| call("TOOL_CALL_START", id, ""), |id| call("TOOL_CALL_END", id, ""));
    let whole = |id| [begin(id), args(id, "1"), end(id), result(id)];
    let joined = |parts: &[&[String]]| parts.concat();
    let one = std::slice::from_ref::<String>;
    for (what, events, expected) in [
        (
            "an unknown event",
            joined(&[one(&start), one(&unknown), one(&text("a")), one(&finished)]),
            &["unknown-event-type"][..],
        ),
        (
            "an unknown event, and an id that is used again",
            joined(&[one(&start), one(&unknown), &whole("c"), one(&begin("c")), one(&text("a")), one(&finished)]),
            &["unknown-event-type", "tool-call-id-reused"],
        ),
        (
            "an unknown event, and a second end",
            joined(&[one(&start), one(&unknown), one(&text("a")), one(&finished), one(&finished)]),
            &["unknown-event-type", "two-terminals"],
        ),
        (
            "an unknown event, and a second answer",
            joined(&[one(&start), one(&unknown), one(&text("a")), one(&text("b")), one(&finished)]),
            &["unknown-event-type", "text-end-repeated"],
        ),
        (
            "an unknown event, and arguments that come twice",
            joined(&[
                one(&start),
                one(&unknown),
                &[begin("c"), args("c", "1"), args("c", "2"), end("c"), result("c")],
                one(&text("a")),
                one(&finished),
            ]),
            &["unknown-event-type", "tool-args-repeated"],
        ),
        (
            "a result before the first call of the run is started",
            joined(&[one(&start), one(&result("x")), &whole("c"), one(&text("a")), one(&finished)]),
            &["tool-result-without-call"],
        ),
        ("results alone", joined(&[one(&start), one(&result("x")), one(&text("a")), one(&finished)]), &[]),
        (
            "a run that is started again after its end",
            joined(&[one(&start), one(&text("a")), one(&finished), one(&start)]),
            &["run-started-repeated"],
        ),
        (
            "the worker while the router is open",
            vec![
                start.clone(),
                step("STEP_STARTED", "router"),
                step("STEP_STARTED", "worker"),
                step("STEP_FINISHED", "worker"),
                error.clone(),
            ],
            &["step-order"],
        ),
    ] {
        let bytes = events.join("\n") + "\n";
        assert_eq!(
            rules(&Protocol::SOCIAL_APP, Profile::Strict, Framing::Ndjson, bytes.as_bytes()),
            expected,
            "{what}"
        );
    }
}

#[test]
fn social_app_resumes_exempt_once() {
    let events = |steps: &[(&str, &str)]| -> Vec<String> {
        let steps =
            steps.iter().map(|(kind, name)| social(&format!("STEP_{kind}"), &format!(r#""stepName":"{name}""#)));
        steps.chain([social("RUN_ERROR", r#""message":"x","code":null"#)]).collect()
    };
    for (steps, expected) in [
        (&[("FINISHED", "router"), ("STARTED", "worker"), ("FINISHED", "worker")][..], &[][..]),
        (&[("FINISHED", "worker")], &[]),
        (&[("STARTED", "worker"), ("FINISHED", "worker"), ("FINISHED", "worker")], &["step-finished-not-open"]),
        (&[("FINISHED", "worker"), ("FINISHED", "worker")], &["step-finished-not-open"]),
        (&[("STARTED", "router"), ("STARTED", "worker"), ("FINISHED", "worker")], &["step-order"]),
    ] {
        let mut checker = Checker::builder(Protocol::SOCIAL_APP).resumed(true).build();
        let mut found: Vec<String> = Vec::new();
        for event in events(steps) {
            found.extend(checker.push(Input::event(&event)).iter().map(|found| found.rule.name().to_owned()));
        }
        found.extend(checker.finish().iter().map(|found| found.rule.name().to_owned()));
        assert_eq!(found, expected, "{steps:?}");
    }
}

#[test]
fn social_app_drops_a_last_frame_without_its_blank_line() {
    let frame = |id: u32, event: &str, kind: &str| format!("id: 1-{id}\nevent: {kind}\ndata: {event}\n\n");
    let text = frame(1, &social("RUN_STARTED", ""), "RUN_STARTED")
        + &frame(2, &social("RUN_ERROR", r#""message":"x","code":null"#), "RUN_ERROR");
    let found = |text: &str| rules(&Protocol::SOCIAL_APP, Profile::Strict, Framing::Sse, text.as_bytes());
    assert_eq!(found(&text), [""; 0]);
    assert_eq!(found(text.strip_suffix('\n').unwrap()), ["unterminated-frame", "stream-without-terminal"]);
}

#[test]
fn documents_are_no_stream_without_events() {
    let mut checker = Checker::new(Protocol::AGUI);
    let input = r#"{"threadId":"t","runId":"r","messages":[]}"#;
    assert_eq!(checker.check_as("RunAgentInput", Input::event(input)).unwrap(), []);
    assert_eq!(checker.finish(), []);
    let usage = r#"{"inputTokens":1,"outputTokens":2,"totalTokens":4}"#;
    let found = checker.check_as("TokenUsage", Input::event(usage)).unwrap();
    assert_eq!(
        found[0].to_string(),
        "warning[agui/usage-inconsistent]: totalTokens is not inputTokens plus outputTokens"
    );
    assert_eq!(found[0].path, "$.totalTokens");
}
