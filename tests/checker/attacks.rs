//! Streams that open very much, and then send events that could make a checker go through all
//! of it, each time. Nothing is timed here: where the work of an event grows with what is open,
//! these tests take minutes.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Input};

/// How much is opened, and how often the events follow. Little more of it would be forgotten.
const OPENED: usize = 20_000;
const EVENTS: usize = 20_000;

/// What is opened, and what follows: events by their numbers; and the rules that this breaks.
struct Attack {
    what: &'static str,
    protocol: Protocol,
    first: &'static [&'static str],
    opening: fn(usize) -> Vec<String>,
    /// What comes between the two.
    then: &'static [&'static str],
    event: fn(usize) -> Vec<String>,
    rules: &'static [&'static str],
}

fn agui(kind: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}",{rest}}}"#)
}

fn social_app(kind: &str, run: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}","threadId":"t","runId":"{run}"{rest}}}"#)
}

fn call(kind: &str, id: &str, stage: &str) -> String {
    let rest = format!(r#","messageId":"m","toolCallId":"{id}","toolCallName":"calendar.read","stage":"{stage}""#);
    social_app(kind, "r", &rest)
}

fn result(id: &str) -> String {
    let rest = format!(
        r#","messageId":"m","role":"tool","stage":"worker","tool_name":"calendar.read","status":"success","tool_call_id":"{id}","tool_call_args":{{}},"result":{{}}"#
    );
    social_app("TOOL_CALL_RESULT", "r", &rest)
}

const RUN_STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

/// An event that comes first of all, and nothing behind it.
fn once(number: usize, event: impl FnOnce() -> String) -> Vec<String> {
    if number == 0 { vec![event()] } else { Vec::new() }
}

/// How a session of Ubik begins.
const SESSION: [&str; 3] = [
    r#"{"type":"connection_established","session_id":"s","connection_id":"c","task_id":"t"}"#,
    r#"{"type":"agent_processing_started","task_id":"t","timestamp":"2026-03-12T14:02:00Z"}"#,
    r#"{"type":"response_stream_start","message_id":null,"task_id":"t","timestamp":"2026-03-12T14:02:00Z"}"#,
];

fn session_event(kind: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}",{rest},"timestamp":"2026-03-12T14:02:00Z"}}"#)
}

fn activity(number: usize) -> Vec<String> {
    vec![agui("ACTIVITY_SNAPSHOT", &format!(r#""messageId":"a{number}","activityType":"x","content":{{}}"#))]
}

const ATTACKS: &[Attack] = &[
    Attack {
        what: "deltas that cannot be read, beside activities",
        protocol: Protocol::AGUI,
        first: &[RUN_STARTED],
        opening: activity,
        then: &[],
        event: |_| vec![agui("STATE_DELTA", r#""delta":1"#)],
        rules: &["agui/wrong-type", "input/too-many-findings"],
    },
    Attack {
        what: "lines that are no JSON, beside activities",
        protocol: Protocol::AGUI,
        first: &[RUN_STARTED],
        opening: activity,
        then: &[],
        event: |_| vec!["x".to_owned()],
        rules: &["agui/frame-not-json", "input/too-many-findings"],
    },
    Attack {
        what: "events of no run, where all runs but one have ended",
        protocol: Protocol::SOCIAL_APP,
        first: &[],
        opening: |number| {
            let run = format!("r{number}");
            let ended = social_app("RUN_ERROR", &run, r#","message":"m","code":"RUN_CANCELED""#);
            vec![social_app("RUN_STARTED", &run, ""), ended]
        },
        then: &[RUN_STARTED],
        event: |number| vec![format!(r#"{{"type":"STEP_STARTED","threadId":"t","stepName":"s{number}"}}"#)],
        rules: &["social-app/run-id-missing", "social-app/step-name", "input/too-many-findings"],
    },
    Attack {
        what: "answers, one after another, while calls are open",
        protocol: Protocol::SOCIAL_APP,
        first: &[RUN_STARTED],
        opening: |number| vec![call("TOOL_CALL_START", &format!("c{number}"), "worker")],
        then: &[],
        event: |number| {
            let rest = format!(
                r#","messageId":"m{number}","role":"assistant","stage":"worker","status":"success","answer":"a","suggested_actions":[]"#
            );
            vec![social_app("TEXT_MESSAGE_END", "r", &rest)]
        },
        rules: &["social-app/text-end-repeated", "social-app/text-end-before-tool-result", "input/too-many-findings"],
    },
    Attack {
        what: "calls outside of the worker's step, behind a step under a wrong name",
        protocol: Protocol::SOCIAL_APP,
        first: &[RUN_STARTED],
        opening: |number| vec![call("TOOL_CALL_START", &format!("c{number}"), "supervisor")],
        then: &[r#"{"type":"STEP_STARTED","threadId":"t","runId":"r","stepName":"wroker2"}"#],
        event: |number| {
            let id = format!("d{number}");
            vec![call("TOOL_CALL_START", &id, "worker"), call("TOOL_CALL_END", &id, "worker"), result(&id)]
        },
        rules: &[
            "social-app/stage",
            "social-app/step-name",
            "social-app/tool-outside-worker",
            "input/too-many-findings",
            "input/history-limit",
        ],
    },
    Attack {
        what: "tasks one after another, behind a long one",
        protocol: Protocol::UBIK,
        first: &SESSION,
        opening: |number| vec![session_event("response_chunk", &format!(r#""content":"{number} ""#))],
        then: &[],
        event: |number| {
            let ids = format!(r#""session_id":"s","connection_id":"c{number}","task_id":"t{number}""#);
            vec![format!(r#"{{"type":"connection_established",{ids}}}"#)]
        },
        rules: &["ubik/stream-without-terminal", "ubik/connection-repeated", "input/too-many-findings"],
    },
    Attack {
        what: "outputs of a tool, and reconnects behind each of which events come again",
        protocol: Protocol::UBIK,
        first: &SESSION,
        opening: |number| {
            let data = format!(r#""data":{{"content":"ghp_","output_key":"r{number}"}}"#);
            vec![session_event("tool_partial_update", &format!(r#""tool_execution_id":"c","tool_name":"n",{data}"#))]
        },
        then: &[],
        event: |number| {
            let ids = format!(r#""session_id":"s","connection_id":"c{}","task_id":"t""#, number / 4);
            match number % 4 {
                0 => vec![format!(r#"{{"type":"connection_established",{ids}}}"#)],
                _ => vec![session_event("response_chunk", r#""content":"a""#)],
            }
        },
        rules: &[
            "ubik/connection-repeated",
            "ubik/replayed-duplicate",
            "ubik/tool-partial-without-start",
            "input/too-many-findings",
        ],
    },
    Attack {
        what: "an event that was cut off in very small fragments, and events that have them",
        protocol: Protocol::UBIK,
        first: &SESSION,
        opening: |number| {
            let group = format!(r#""chunk_id":"g","chunk_index":{number},"total_chunks":{}"#, OPENED + 1);
            let data = r#""original_event_type":"response_chunk","chunk_data":"a""#;
            vec![format!(r#"{{"type":"response_chunk_delta_sse",{group},{data}}}"#)]
        },
        then: &[r#"{"type":"connection_established","session_id":"s","connection_id":"d","task_id":"t"}"#],
        event: |number| {
            vec![session_event("response_chunk", &format!(r#""content":"aaaaaaaaaaaaaaaaaaaaa {number}""#))]
        },
        rules: &["ubik/connection-repeated"],
    },
    Attack {
        what: "a result that nests as its arguments do, and differs in its middle",
        protocol: Protocol::SOCIAL_APP,
        first: &[RUN_STARTED],
        opening: |_| Vec::new(),
        then: &[],
        event: |number| {
            once(number, || {
                let nested = |middle: &str| {
                    let list = vec!["1"; EVENTS / 4].join(",");
                    let around = |inner: String, _| format!(r#"{{"p":[{list}],"a":{inner}}}"#);
                    (0..100).fold(format!(r#""{middle}""#), around)
                };
                let args = format!(r#"{{"module":"calendar","method":"read","input":{{"a":{}}}}}"#, nested("l"));
                let rest = format!(
                    r#","messageId":"m","role":"tool","stage":"worker","tool_name":"calendar.read","status":"success","tool_call_id":"c","tool_call_args":{args},"result":{{"z":{{"a":{}}}}}"#,
                    nested("m")
                );
                social_app("TOOL_CALL_RESULT", "r", &rest)
            })
        },
        rules: &["social-app/tool-result-unmatched", "social-app/result-repeats-args", "social-app/large-inline-value"],
    },
    Attack {
        what: "an end that lists the last of many calls over and over",
        protocol: Protocol::AGUI,
        first: &[RUN_STARTED],
        opening: |number| {
            let start = format!(r#""toolCallId":"c{number}","toolCallName":"run""#);
            vec![agui("TOOL_CALL_START", &start), agui("TOOL_CALL_END", &format!(r#""toolCallId":"c{number}""#))]
        },
        then: &[],
        event: |number| {
            once(number, || {
                let ids = vec![format!("\"c{}\"", OPENED - 1); 3 * EVENTS].join(",");
                let outcome = format!(r#""outcome":{{"type":"success","pendingToolCallIds":[{ids}]}}"#);
                agui("RUN_FINISHED", &format!(r#""threadId":"t","runId":"r",{outcome}"#))
            })
        },
        rules: &["agui/pending-tool-calls-mismatch"],
    },
    Attack {
        what: "ends of other runs, beside open messages",
        protocol: Protocol::AGUI,
        first: &[RUN_STARTED],
        opening: |number| vec![agui("TEXT_MESSAGE_START", &format!(r#""messageId":"m{number}""#))],
        then: &[],
        event: |number| vec![agui("RUN_FINISHED", &format!(r#""threadId":"t","runId":"q{number}""#))],
        rules: &["agui/run-finished-run-id-mismatch", "input/too-many-findings"],
    },
    Attack {
        what: "short runs, behind one with very many calls",
        protocol: Protocol::AGUI,
        first: &[RUN_STARTED],
        opening: |number| vec![agui("TOOL_CALL_START", &format!(r#""toolCallId":"c{number}","toolCallName":"run""#))],
        then: &[r#"{"type":"RUN_ERROR","message":"x"}"#],
        event: |number| {
            vec![
                agui("RUN_STARTED", &format!(r#""threadId":"t","runId":"r{number}""#)),
                agui("TOOL_CALL_START", &format!(r#""toolCallId":"d{number}","toolCallName":"run""#)),
                agui("RUN_ERROR", r#""message":"x""#),
            ]
        },
        rules: &[],
    },
    Attack {
        what: "ends of other runs that name pending calls, beside open ones",
        protocol: Protocol::AGUI,
        first: &[RUN_STARTED],
        opening: |number| {
            let id = format!(r#""toolCallId":"c{number}""#);
            vec![agui("TOOL_CALL_START", &format!(r#"{id},"toolCallName":"run""#)), agui("TOOL_CALL_END", &id)]
        },
        then: &[],
        event: |number| {
            let rest = r#""outcome":{"type":"success","pendingToolCallIds":["c0"]}"#;
            vec![agui("RUN_FINISHED", &format!(r#""threadId":"t","runId":"q{number}",{rest}"#))]
        },
        rules: &["agui/pending-tool-calls-mismatch", "agui/run-finished-run-id-mismatch", "input/too-many-findings"],
    },
    Attack {
        what: "words, beside a large fragment whose event may have come again",
        protocol: Protocol::UBIK,
        first: &SESSION,
        opening: |number| {
            once(number, || {
                let data = "a".repeat(5 * OPENED);
                format!(
                    r#"{{"type":"response_chunk_delta_sse","chunk_id":"g","chunk_index":0,"total_chunks":2,"original_event_type":"response_chunk","chunk_data":"{data}"}}"#
                )
            })
        },
        then: &[r#"{"type":"connection_established","session_id":"s","connection_id":"d","task_id":"t"}"#],
        event: |number| vec![session_event("response_chunk", &format!(r#""content":"w{number} ""#))],
        rules: &["ubik/connection-repeated"],
    },
    Attack {
        what: "chunks that come again, and show secrets, beside open steps",
        protocol: Protocol::UBIK,
        first: &SESSION,
        opening: |number| {
            let step = format!(r#""step":{},"description":"d","single_step_agent":false"#, number + 1);
            let chunk = format!(r#""content":"<","step":{}"#, number + 1);
            vec![session_event("agent_step_started", &step), session_event("response_chunk", &chunk)]
        },
        then: &[],
        event: |number| {
            let call = format!(
                r#""content":"<<TOOL_STEP_START/a:i{number}>>\n<<TOOL_STEP_INPUT_START>>{{\"api_key\":\"k\"}}<<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_END/a:i{number}>>","step":{OPENED}"#
            );
            vec![session_event("response_chunk", r#""content":"again""#), session_event("response_chunk", &call)]
        },
        rules: &["ubik/secret-key", "ubik/replayed-duplicate", "input/too-many-findings", "input/history-limit"],
    },
    Attack {
        what: "very many members, nearly as known ones are called",
        protocol: Protocol::SOCIAL_APP,
        first: &[RUN_STARTED],
        opening: |_| Vec::new(),
        then: &[],
        event: |number| {
            once(number, || {
                let members: String = (0..3 * EVENTS).map(|at| format!(r#","message_i{at}d":1"#)).collect();
                social_app("TOOL_CALL_RESULT", "r", &members)
            })
        },
        rules: &[
            "social-app/message-id-missing",
            "social-app/tool-call-id-missing",
            "social-app/required-field-missing",
            "social-app/unknown-property",
            "input/too-many-findings",
        ],
    },
];

#[test]
fn what_is_open_does_not_make_events_dear() {
    for attack in ATTACKS {
        let Attack { what, protocol, first, opening, then, event, rules } = attack;
        let mut checker = Checker::new(protocol.clone());
        let owned = |events: &[&str]| events.iter().map(|event| (*event).to_owned()).collect::<Vec<_>>();
        let opened = owned(first).into_iter().chain((0..OPENED).flat_map(opening));
        let events = opened.chain(owned(then)).chain((0..EVENTS).flat_map(event));
        let mut count = 0;
        for text in events {
            for finding in checker.push(Input::event(&text)) {
                assert!(rules.contains(&finding.rule.id()), "{what}: {finding} at {text}");
            }
            count += 1;
        }
        assert_eq!(checker.events(), count, "{what}");
    }
}
