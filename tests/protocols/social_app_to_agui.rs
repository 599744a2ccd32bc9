//! social-app runs that check clean are clean as AG-UI once converted, and arrive whole.

use std::collections::{BTreeMap, VecDeque};

use agent_contracts::check::{Checker, Finding, Input, Severity};
use agent_contracts::social_app::{self, to_agui};
use agent_contracts::{Protocol, agui};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const START: &str = r#"{"type":"TOOL_CALL_START","threadId":"t","runId":"r","messageId":"m","toolCallId":"c","toolCallName":"calendar.read","stage":"worker"}"#;
const ARGS: &str = r#"{"type":"TOOL_CALL_ARGS","threadId":"t","runId":"r","messageId":"m","toolCallId":"c","toolCallName":"calendar.read","args":{ "n": 1.50 },"stage":"worker"}"#;
const END: &str = r#"{"type":"TOOL_CALL_END","threadId":"t","runId":"r","messageId":"m","toolCallId":"c","toolCallName":"calendar.read","stage":"worker"}"#;
const STARTED: &str = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"calendar.read","parentMessageId":"m","metadata":{"social-app":{"threadId":"t","runId":"r","stage":"worker"}}}"#;
const FILLED: &str = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{ \"n\": 1.50 }","metadata":{"social-app":{"threadId":"t","runId":"r","stage":"worker"}}}"#;
/// The end as it came, and one that had to be made.
const ENDED: &str = r#"{"type":"TOOL_CALL_END","toolCallId":"c","metadata":{"social-app":{"threadId":"t","runId":"r","stage":"worker"}}}"#;
const CLOSED: &str = r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#;

/// What is converted, social-app's events, and what they become.
const CONVERSIONS: &[(&str, &[&str], &[&str])] = &[
    ("a call", &[START, ARGS, END], &[STARTED, FILLED, ENDED]),
    ("arguments that come after the end", &[START, END, ARGS], &[STARTED, FILLED, ENDED]),
    (
        "a result that is an object, without a call",
        &[
            r#"{"type":"TOOL_CALL_RESULT","threadId":"t","runId":"r","messageId":"m","role":"tool","stage":"worker","tool_name":"calendar.read","tool_call_id":"c","tool_call_args":{"module":"calendar"},"status":"success","result":{"count": 1},"error":null,"ui_schema":{"type":"stack"}}"#,
        ],
        &[
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"calendar.read","parentMessageId":"m"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"module\":\"calendar\"}"}"#,
            CLOSED,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"social-app:result:r:c","toolCallId":"c","content":"{\"count\": 1}","metadata":{"social-app":{"threadId":"t","runId":"r","messageId":"m","stage":"worker","tool_name":"calendar.read","status":"success","ui_schema":{"type":"stack"}}}}"#,
        ],
    ),
    (
        "a result that is text, of a call without arguments",
        &[
            START,
            END,
            r#"{"type":"TOOL_CALL_RESULT","threadId":"t","runId":"r","messageId":"m","role":"tool","stage":"worker","tool_name":"calendar_read","tool_call_id":"c","tool_call_args":null,"status":"failure","result":"status=timeout","error":"timed out"}"#,
        ],
        &[
            STARTED,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#,
            ENDED,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"social-app:result:r:c","toolCallId":"c","content":"status=timeout","metadata":{"social-app":{"threadId":"t","runId":"r","messageId":"m","stage":"worker","tool_name":"calendar_read","status":"failure","error":"timed out"}}}"#,
        ],
    ),
    (
        "an answer",
        &[
            r#"{"type":"TEXT_MESSAGE_END","threadId":"t","runId":"r","messageId":"m","role":"assistant","stage":"worker","status":"success","answer":"你好\n","suggested_actions":["再见"],"error":null,"totalTokens":12,"reasoningTokens":null,"costSource":"provider","usageComplete":true}"#,
        ],
        &[
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"你好\n"}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m","metadata":{"social-app":{"threadId":"t","runId":"r","stage":"worker","status":"success","suggested_actions":["再见"],"totalTokens":12,"costSource":"provider","usageComplete":true}}}"#,
        ],
    ),
    (
        "an answer without text",
        &[
            r#"{"type":"TEXT_MESSAGE_END","threadId":"t","runId":"r","messageId":"m","role":"assistant","stage":"worker","status":"failed","answer":"","suggested_actions":[]}"#,
        ],
        &[
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m","metadata":{"social-app":{"threadId":"t","runId":"r","stage":"worker","status":"failed","suggested_actions":[]}}}"#,
        ],
    ),
    (
        "a cancellation while a step and a call are open",
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"STEP_STARTED","threadId":"t","runId":"r","stepName":"worker"}"#,
            START,
            r#"{"type":"RUN_ERROR","threadId":"t","runId":"r","message":"canceled","code":"RUN_CANCELED"}"#,
        ],
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"STEP_STARTED","stepName":"worker","metadata":{"social-app":{"threadId":"t","runId":"r"}}}"#,
            STARTED,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#,
            CLOSED,
            r#"{"type":"STEP_FINISHED","stepName":"worker"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"},"metadata":{"social-app":{"message":"canceled","code":"RUN_CANCELED"}}}"#,
        ],
    ),
    (
        "a cancellation after arguments",
        &[START, ARGS, r#"{"type":"RUN_ERROR","threadId":"t","runId":"r","message":"canceled","code":"RUN_CANCELED"}"#],
        &[
            STARTED,
            FILLED,
            CLOSED,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"},"metadata":{"social-app":{"message":"canceled","code":"RUN_CANCELED"}}}"#,
        ],
    ),
    (
        "an error whose code is null, while a call is open",
        &[START, r#"{"type":"RUN_ERROR","threadId":"t","runId":"r","message":"failed","code":null}"#],
        &[STARTED, r#"{"type":"RUN_ERROR","message":"failed","metadata":{"social-app":{"threadId":"t","runId":"r"}}}"#],
    ),
    (
        "an error with another code",
        &[r#"{"type":"RUN_ERROR","threadId":"t","runId":"r","message":"failed","code":"TIMEOUT"}"#],
        &[
            r#"{"type":"RUN_ERROR","message":"failed","code":"TIMEOUT","metadata":{"social-app":{"threadId":"t","runId":"r"}}}"#,
        ],
    ),
    (
        "members that nobody names",
        &[
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","x":{"n":1.50},"api_key":"k3y","y":null,"max_tokens":5,"z":[{"password":"k3y"}],"metadata":{"a":1}}"#,
        ],
        &[
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","metadata":{"social-app":{"x":{"n":1.50},"max_tokens":5,"metadata":{"a":1}}}}"#,
        ],
    ),
    (
        "a secret below a counter of tokens",
        &[r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage_tokens":{"api_key":"k3y"}}"#],
        &[r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#],
    ),
    (
        "snapshots",
        &[
            r#"{"type":"STATE_SNAPSHOT","threadId":"t","runId":"r","snapshot":{"a":[1]}}"#,
            r#"{"type":"MESSAGES_SNAPSHOT","threadId":"t","runId":"r","messages":[{"id":"h","role":"user","content":"你好"}]}"#,
        ],
        &[
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":[1]},"metadata":{"social-app":{"threadId":"t","runId":"r"}}}"#,
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"h","role":"user","content":"你好"}],"metadata":{"social-app":{"threadId":"t","runId":"r"}}}"#,
        ],
    ),
    (
        "a stream that breaks off",
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"STEP_STARTED","threadId":"t","runId":"r","stepName":"worker"}"#,
        ],
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"STEP_STARTED","stepName":"worker","metadata":{"social-app":{"threadId":"t","runId":"r"}}}"#,
            r#"{"type":"RUN_ERROR","message":"the stream ended before the run did"}"#,
        ],
    ),
    (
        "what AG-UI does not take",
        &[
            r#"{"type":"STATE_SNAPSHOT","threadId":"t","runId":"r","snapshot":{"api_key":"k3y"}}"#,
            r#"{"type":"MESSAGES_SNAPSHOT","threadId":"t","runId":"r","messages":[{"role":"user","text":"你好"}]}"#,
            r#"{"type":"MESSAGES_SNAPSHOT","threadId":"t","runId":"r","messages":[{"id":"h","role":"user","content":"1"},{"id":"h","role":"user","content":"2"}]}"#,
            r#"{"type":"SOMETHING_NEW","threadId":"t","runId":"r"}"#,
        ],
        &[],
    ),
];

fn parsed(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

#[test]
fn single_conversions() {
    for (what, events, expected) in CONVERSIONS {
        let converted = to_agui(events.iter().map(|text| social_app::Event::from_json(text).unwrap()));
        let texts: Vec<String> = converted.iter().map(agui::Event::to_json).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(parsed(&texts), parsed(expected), "{what}");
    }
}

/// Names and JSON texts of members.
type Members = &'static [(&'static str, &'static str)];

/// The names of a tool in the events of a call and in its result.
const NAMES: &[(&str, &str)] = &[
    ("project_cli", "calendar.read"),
    ("calendar_read", "calendar.read"),
    ("calendar.read", "calendar_read"),
    ("weather_today", "weather_today"),
];

/// Modules and their methods; the last is none that is published.
const METHODS: &[(&str, &str)] = &[("calendar", "read"), ("contacts", "read"), ("memory", "update"), ("tasks", "list")];

/// The last two were stages earlier.
const STAGES: &[&str] = &["worker", "worker", "router", "memory"];

const TOOL_STATUS: &[&str] = &["success", "failure", "partial"];

const TEXT_STATUS: &[&str] = &["success", "partial_success", "failed"];

const ERRORS: &[Option<&str>] = &[None, Some("null"), Some("\"timed out\""), Some(r#"{"kind":"timeout"}"#)];

const CODES: &[Option<&str>] = &[None, Some("null"), Some("\"TIMEOUT\"")];

const CANCELED: &str = "\"RUN_CANCELED\"";

/// What answers may have: the usage summary of v1, or members of v0.
const ANSWERS: &[Members] = &[
    &[],
    &[
        ("totalTokens", "2846"),
        ("cachedPromptTokens", "1536"),
        ("promptCacheHitTokens", "1536"),
        ("promptCacheMissTokens", "988"),
        ("reasoningTokens", "null"),
        ("costSource", "\"catalog_fallback\""),
        ("usageComplete", "true"),
    ],
    &[
        ("totalTokens", "12.0"),
        ("reasoningTokens", "3"),
        ("costSource", "\"incomplete_usage_fallback\""),
        ("usageComplete", "false"),
    ],
    &[
        ("key_points", "[\"a\",\"b\"]"),
        ("result_type", "\"clarification\""),
        ("ui_schema", r#"{"schemaType":"agent_response"}"#),
    ],
    &[("key_points", "[]"), ("ui_schema", "null")],
];

/// A member that is drawn.
#[derive(Clone, Copy, Debug)]
enum Member {
    Text(&'static str, &'static str),
    /// A string of so many characters.
    Long(&'static str, usize),
    /// So many arrays in each other.
    Deep(&'static str, usize),
}

impl Member {
    fn written(self) -> (&'static str, String) {
        match self {
            Self::Text(name, text) => (name, text.to_owned()),
            Self::Long(name, length) => (name, json!("长".repeat(length)).to_string()),
            Self::Deep(name, depth) => (name, "[".repeat(depth) + &"]".repeat(depth)),
        }
    }
}

/// Members that no event of the contract has.
const EXTRAS: &[Member] = &[
    Member::Text("x_number", "12345678901234567890123.50"),
    Member::Text("x_null", "null"),
    Member::Text("x_nested", r#"{"list":[{"password":"k3y"}]}"#),
    Member::Text("api_key", "\"k3y\""),
    Member::Text("max_tokens", "5"),
    Member::Text("access_token", "7"),
    Member::Text("usage_tokens", r#"{"api_key":"k3y"}"#),
    Member::Text("delta", "\"piece\""),
    Member::Text("metadata", r#"{"source":"x"}"#),
    Member::Text("subagentRunId", "\"s\""),
    Member::Text("timestamp", "-0.5"),
    Member::Long("x_long", 40_000),
    Member::Long("x_half", 20_000),
    Member::Long("x_other_half", 20_000),
    Member::Deep("x_deep", 100),
    Member::Deep("x_deepest", 126),
];

const STATES: &[Member] = &[
    Member::Text("snapshot", "null"),
    Member::Text("snapshot", r#"{"step":1,"items":["a"]}"#),
    Member::Text("snapshot", r#"{"api_key":"k3y"}"#),
    Member::Long("snapshot", 40_000),
    Member::Deep("snapshot", 126),
];

/// Lists of messages, `ID` in the place of an id of [`IDS`].
const MESSAGES: &[&str] = &[
    "[]",
    r#"[{"role":"user","text":"hello"},1,null]"#,
    r#"[{"id":"ID","role":"user","content":"hello"}]"#,
    r#"[{"id":"ID","role":"assistant","content":"hello","toolCalls":[{"id":"c0","type":"function","function":{"name":"calendar.read","arguments":"{}"}}]}]"#,
    r#"[{"id":"ID","role":"tool","content":"3","toolCallId":"c0"}]"#,
    r#"[{"id":"ID","role":"activity","activityType":"PLAN","content":{}}]"#,
    r#"[{"id":"ID","role":"reasoning","content":"hm"}]"#,
];

/// One that the run does not have, and those of [`Run::message`].
const IDS: &[&str] = &["history-1", "m", "m-0", "m-answer"];

/// Events of AG-UI that this dialect does not have.
const STANDARD: &[(&str, Members)] = &[
    ("TEXT_MESSAGE_START", &[("messageId", "\"m\""), ("role", "\"user\"")]),
    ("TEXT_MESSAGE_CONTENT", &[("messageId", "\"m\""), ("delta", "\"Hel\"")]),
    ("CUSTOM", &[("name", "\"n\""), ("value", r#"{"api_key":"k3y"}"#)]),
    ("STATE_DELTA", &[("delta", "[]")]),
    ("RAW", &[]),
];

/// What comes between the events of a run.
#[derive(Clone, Copy, Debug)]
enum Between {
    State(Member),
    Messages(&'static str, &'static str),
    Standard(&'static str, Members),
}

impl Between {
    fn draft(self, number: usize) -> Draft {
        match self {
            Self::State(member) => Draft::new("STATE_SNAPSHOT", number).and(member),
            Self::Messages(list, id) => {
                Draft::new("MESSAGES_SNAPSHOT", number).with("messages", list.replace("ID", id))
            }
            Self::Standard(kind, members) => Draft::new(kind, number).with_all(members),
        }
    }
}

/// An event that is put together: its type, and its members as they are written.
#[derive(Clone, Debug)]
struct Draft {
    kind: &'static str,
    members: Vec<(&'static str, String)>,
}

impl Draft {
    fn new(kind: &'static str, number: usize) -> Self {
        let draft = Self { kind, members: Vec::new() };
        draft.with_text("threadId", "thread-1").with_text("runId", &format!("run-{number}"))
    }

    /// Adds a member, unless there is one of that name.
    fn with(mut self, name: &'static str, json: impl Into<String>) -> Self {
        if self.members.iter().all(|(known, _)| *known != name) {
            self.members.push((name, json.into()));
        }
        self
    }

    fn with_text(self, name: &'static str, text: &str) -> Self {
        self.with(name, json!(text).to_string())
    }

    fn with_all(self, members: Members) -> Self {
        members.iter().fold(self, |draft, &(name, json)| draft.with(name, json))
    }

    fn and(self, member: Member) -> Self {
        let (name, json) = member.written();
        self.with(name, json)
    }

    fn written(&self, tag_first: bool) -> String {
        let tag = format!("\"type\":\"{}\"", self.kind);
        let mut parts: Vec<String> = self.members.iter().map(|(name, json)| format!("\"{name}\":{json}")).collect();
        let at = if tag_first { 0 } else { parts.len() };
        parts.insert(at, tag);
        format!("{{{}}}", parts.join(","))
    }
}

/// Where the arguments of a call stand.
#[derive(Clone, Copy, Debug)]
enum Order {
    BeforeEnd,
    AfterEnd,
    Nowhere,
}

/// The card of a result.
#[derive(Clone, Copy, Debug)]
enum Card {
    Absent,
    Null,
    Small,
    Large,
}

/// A tool call that is drawn.
#[derive(Clone, Debug)]
struct Call {
    names: (&'static str, &'static str),
    method: (&'static str, &'static str),
    stage: &'static str,
    order: Order,
    inputs: Vec<Value>,
    /// Whether the result repeats the arguments, and with white space.
    given: Option<bool>,
    facts: Vec<Value>,
    /// What v0 has for a result, if it is no JSON text.
    plain: Option<String>,
    status: &'static str,
    error: Option<&'static str>,
    card: Card,
}

impl Call {
    fn args(&self, newer: bool) -> Value {
        let inputs = self.inputs.iter().enumerate();
        let input: Value = inputs.map(|(at, input)| (format!("q{at}"), input.clone())).collect();
        let (module, method) = self.method;
        if newer { json!({"module": module, "method": method, "input": input}) } else { input }
    }

    fn result(&self, newer: bool) -> String {
        let facts = self.facts.iter().enumerate();
        let facts: Value = facts.map(|(at, fact)| (format!("r{at}"), fact.clone())).collect();
        match &self.plain {
            _ if newer => facts.to_string(),
            Some(text) => json!(text).to_string(),
            None => json!(facts.to_string()).to_string(),
        }
    }

    /// The events of the call, the `at`th of the run.
    fn drafts(&self, run: &Run, at: usize, number: usize) -> VecDeque<Draft> {
        let (message, id) = (run.message(Some(at), number), format!("c{at}"));
        let event = |kind: &'static str| {
            Draft::new(kind, number)
                .with_text("messageId", &message)
                .with_text("toolCallId", &id)
                .with_text("toolCallName", self.names.0)
                .with_text("stage", self.stage)
        };
        let args = self.args(run.newer);
        let given = match self.given {
            None => "null".to_owned(),
            Some(false) => args.to_string(),
            Some(true) => format!("{args:#}"),
        };
        let mut result = Draft::new("TOOL_CALL_RESULT", number)
            .with_text("messageId", &message)
            .with_text("role", "tool")
            .with_text("stage", self.stage)
            .with_text("tool_name", self.names.1)
            .with_text("tool_call_id", &id)
            .with("tool_call_args", given)
            .with_text("status", self.status)
            .with("result", self.result(run.newer));
        if let Some(error) = self.error {
            result = result.with("error", error);
        }
        result = match self.card {
            Card::Absent => result,
            Card::Null => result.with("ui_schema", "null"),
            Card::Small => result.with("ui_schema", r#"{"type":"stack","children":[]}"#),
            Card::Large => result.with("ui_schema", json!({"type": "text", "text": "长".repeat(30_000)}).to_string()),
        };
        let (start, end) = (event("TOOL_CALL_START"), event("TOOL_CALL_END"));
        let filled = event("TOOL_CALL_ARGS").with("args", args.to_string());
        let drafts = match self.order {
            _ if run.bare => vec![result],
            Order::BeforeEnd => vec![start, filled, end, result],
            Order::AfterEnd => vec![start, end, filled, result],
            Order::Nowhere => vec![start, end, result],
        };
        drafts.into()
    }
}

/// An answer that is drawn.
#[derive(Clone, Debug)]
struct Answer {
    text: String,
    status: &'static str,
    stage: &'static str,
    members: Members,
}

/// What shares a message id.
#[derive(Clone, Copy, Debug)]
enum Sharing {
    Nothing,
    Calls,
    CallsAndAnswer,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Finished,
    /// RUN_ERROR with such a code, after a part of the run.
    Failed(Option<&'static str>, Index),
}

/// A run that is drawn.
#[derive(Clone, Debug)]
struct Run {
    /// It is of v1.
    newer: bool,
    steps: bool,
    /// It has a step as there was one earlier.
    memory: bool,
    /// Of its calls only the results are shown.
    bare: bool,
    sharing: Sharing,
    calls: Vec<Call>,
    /// Which call goes on next.
    turns: Vec<Index>,
    answer: Option<Answer>,
    between: Vec<(Index, Between)>,
    end: End,
    extras: Vec<(Index, Member)>,
}

impl Run {
    /// The id of the message of a call, or of the answer.
    fn message(&self, call: Option<usize>, number: usize) -> String {
        let id = match (self.sharing, call) {
            (Sharing::CallsAndAnswer, _) | (Sharing::Calls, Some(_)) => "m".to_owned(),
            (Sharing::Nothing, Some(call)) => format!("m-{call}"),
            (_, None) => "m-answer".to_owned(),
        };
        // A message is the answer of one run.
        if number == 0 { id } else { format!("{id}-{number}") }
    }

    fn drafts(&self, number: usize) -> Vec<Draft> {
        let step = |kind: &'static str, name: &str| Draft::new(kind, number).with_text("stepName", name);
        let mut body = Vec::new();
        if self.steps {
            body.push(step("STEP_STARTED", "router"));
            body.push(step("STEP_FINISHED", "router"));
            body.push(step("STEP_STARTED", "worker"));
        }
        let calls = self.calls.iter().enumerate().map(|(at, call)| call.drafts(self, at, number)).collect();
        body.extend(interleaved(calls, &self.turns));
        if let Some(answer) = &self.answer {
            let draft = Draft::new("TEXT_MESSAGE_END", number)
                .with_text("messageId", &self.message(None, number))
                .with_text("role", "assistant")
                .with_text("stage", answer.stage)
                .with_text("status", answer.status)
                .with_text("answer", &answer.text)
                .with("suggested_actions", "[\"再见\"]");
            body.push(draft.with_all(answer.members));
        }
        if self.steps {
            body.push(step("STEP_FINISHED", "worker"));
        }
        if self.memory {
            body.push(step("STEP_STARTED", "memory"));
            body.push(step("STEP_FINISHED", "memory"));
        }
        for (at, between) in &self.between {
            let at = at.index(body.len() + 1);
            body.insert(at, between.draft(number));
        }
        let terminal = match self.end {
            End::Finished => Draft::new("RUN_FINISHED", number),
            End::Failed(code, cut) => {
                body.truncate(cut.index(body.len() + 1));
                let draft = Draft::new("RUN_ERROR", number).with_text("message", "stopped");
                if let Some(code) = code { draft.with("code", code) } else { draft }
            }
        };
        body.insert(0, Draft::new("RUN_STARTED", number));
        body.push(terminal);
        for (at, extra) in &self.extras {
            let at = at.index(body.len());
            body[at] = body[at].clone().and(*extra);
        }
        body
    }
}

/// The events of calls in turn, those of each call in their order.
fn interleaved(mut calls: Vec<VecDeque<Draft>>, turns: &[Index]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    let mut turns = turns.iter();
    loop {
        calls.retain(|call| !call.is_empty());
        if calls.is_empty() {
            return drafts;
        }
        let next = turns.next().map_or(0, |turn| turn.index(calls.len()));
        drafts.extend(calls[next].pop_front());
    }
}

fn text() -> impl Strategy<Value = String> {
    r#"[a-z0-9 你é😀"\\\n{}\[\]]{0,12}"#
}

/// A value in which no key names a secret.
fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text().prop_map(Value::from),
        prop::collection::vec(text(), 0..3).prop_map(Value::from),
        Just(json!({"max_tokens": 5, "list": [{"token_count": null}]})),
    ]
}

fn values() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(value(), 0..3)
}

fn call() -> impl Strategy<Value = Call> {
    let orders = vec![Order::BeforeEnd, Order::BeforeEnd, Order::AfterEnd, Order::Nowhere];
    let cards = vec![Card::Absent, Card::Null, Card::Small, Card::Small, Card::Large];
    let words = (select(NAMES), select(METHODS), select(STAGES), select(TOOL_STATUS), select(ERRORS), select(cards));
    let content = (values(), prop::option::of(any::<bool>()), values(), prop::option::of(text()));
    (words, select(orders), content).prop_map(|(words, order, content)| {
        let (names, method, stage, status, error, card) = words;
        let (inputs, given, facts, plain) = content;
        Call { names, method, stage, order, inputs, given, facts, plain, status, error, card }
    })
}

fn answer() -> impl Strategy<Value = Answer> {
    let text = prop_oneof![1 => Just(String::new()), 3 => "[a-z 你好😀\"\\\\\n]{0,40}"];
    (text, select(TEXT_STATUS), select(STAGES), select(ANSWERS)).prop_map(|(text, status, stage, members)| Answer {
        text,
        status,
        stage,
        members,
    })
}

fn between() -> impl Strategy<Value = Between> {
    prop_oneof![
        select(STATES).prop_map(Between::State),
        (select(MESSAGES), select(IDS)).prop_map(|(list, id)| Between::Messages(list, id)),
        select(STANDARD).prop_map(|(kind, members)| Between::Standard(kind, members)),
    ]
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        2 => Just(End::Finished),
        1 => (select(CODES), any::<Index>()).prop_map(|(code, cut)| End::Failed(code, cut)),
        1 => any::<Index>().prop_map(|cut| End::Failed(Some(CANCELED), cut)),
    ]
}

fn run() -> impl Strategy<Value = Run> {
    let sharing = select(vec![Sharing::Nothing, Sharing::Calls, Sharing::CallsAndAnswer]);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.2));
    let calls = (prop::collection::vec(call(), 0..=3), prop::collection::vec(any::<Index>(), 0..12));
    let betweens = prop::collection::vec((any::<Index>(), between()), 0..3);
    let extras = prop::collection::vec((any::<Index>(), select(EXTRAS)), 0..4);
    (flags, sharing, calls, prop::option::of(answer()), betweens, end(), extras).prop_map(
        |(flags, sharing, (calls, turns), answer, between, end, extras)| {
            let (newer, steps, memory, bare) = flags;
            Run { newer, steps, memory, bare, sharing, calls, turns, answer, between, end, extras }
        },
    )
}

/// The errors and warnings of a stream.
fn faults(protocol: &Protocol, texts: &[String]) -> Vec<String> {
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

/// The number of a run, and an id in it.
type Place = (usize, String);

/// What has to arrive.
#[derive(Debug, Default)]
struct Sent {
    answers: BTreeMap<Place, String>,
    args: BTreeMap<Place, Value>,
    results: BTreeMap<Place, Value>,
}

impl Sent {
    fn of(texts: &[String]) -> Self {
        let mut sent = Self::default();
        let mut run = 0;
        for text in texts {
            let event: Value = serde_json::from_str(text).unwrap();
            run += usize::from(event["type"] == "RUN_STARTED");
            let place = |name: &str| (run, event[name].as_str().unwrap().to_owned());
            match event["type"].as_str() {
                Some("TEXT_MESSAGE_END") => {
                    sent.answers.insert(place("messageId"), event["answer"].as_str().unwrap().to_owned());
                }
                Some("TOOL_CALL_ARGS") => {
                    sent.args.insert(place("toolCallId"), event["args"].clone());
                }
                Some("TOOL_CALL_RESULT") => {
                    let args = &event["tool_call_args"];
                    if args.is_object() {
                        sent.args.insert(place("tool_call_id"), args.clone());
                    }
                    sent.results.insert(place("tool_call_id"), event["result"].clone());
                }
                _ => {}
            }
        }
        sent
    }
}

/// What has arrived, joined.
#[derive(Debug, Default)]
struct Arrived {
    answers: BTreeMap<Place, String>,
    args: BTreeMap<Place, String>,
    results: BTreeMap<Place, String>,
}

impl Arrived {
    fn of(events: &[agui::Event]) -> Self {
        let mut arrived = Self::default();
        let mut run = 0;
        // An id that somebody else has is not taken for the answer.
        let answer = |id: &agui::MessageId| id.as_str().trim_start_matches("social-app:answer:").to_owned();
        for event in events {
            run += usize::from(matches!(event, agui::Event::RunStarted(_)));
            match event {
                agui::Event::TextMessageStart(event) => {
                    arrived.answers.entry((run, answer(&event.message_id))).or_default();
                }
                agui::Event::TextMessageContent(event) => {
                    arrived.answers.entry((run, answer(&event.message_id))).or_default().push_str(&event.delta);
                }
                agui::Event::ToolCallStart(event) => {
                    arrived.args.entry((run, event.tool_call_id.to_string())).or_default();
                }
                agui::Event::ToolCallArgs(event) => {
                    arrived.args.entry((run, event.tool_call_id.to_string())).or_default().push_str(&event.delta);
                }
                agui::Event::ToolCallResult(event) => {
                    let agui::Content::Text(content) = &event.content else { panic!("{:?}", event.content) };
                    arrived.results.entry((run, event.tool_call_id.to_string())).or_default().push_str(content);
                }
                _ => {}
            }
        }
        arrived
    }
}

/// Whether the text is the JSON of the value.
fn is_json_of(text: &str, value: &Value) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|read| read == *value)
}

/// Holds what has arrived against what was sent.
fn whole(sent: &Sent, arrived: &Arrived) -> Result<(), TestCaseError> {
    prop_assert_eq!(&arrived.answers, &sent.answers);
    for (place, args) in &sent.args {
        let joined = arrived.args.get(place).map_or("", String::as_str);
        prop_assert!(is_json_of(joined, args), "{place:?}: {args} arrives as {joined}");
    }
    for (place, joined) in arrived.args.iter().filter(|(place, _)| !sent.args.contains_key(*place)) {
        prop_assert!(joined.is_empty() || joined == "{}", "{place:?}: {joined} was never sent");
    }
    prop_assert!(arrived.results.keys().eq(sent.results.keys()), "{sent:?}, {arrived:?}");
    for (place, result) in &sent.results {
        let content = &arrived.results[place];
        let same = match result {
            Value::String(text) => content == text,
            object => is_json_of(content, object),
        };
        prop_assert!(same, "{place:?}: {result} arrives as {content}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::common::cases(256))]

    #[test]
    fn clean_runs_stay_clean_and_arrive_whole(
        mut runs in prop::collection::vec(run(), 1..=2),
        tag_first in any::<bool>(),
    ) {
        // A server sends calls or results alone, the same in every run.
        let bare = runs[0].bare;
        for run in &mut runs {
            run.bare = bare;
        }
        let drafts = runs.iter().enumerate().flat_map(|(number, run)| run.drafts(number));
        let texts: Vec<String> = drafts.map(|draft| draft.written(tag_first)).collect();
        let found = faults(&Protocol::SOCIAL_APP, &texts);
        prop_assert!(found.is_empty(), "what is converted is not clean: {found:#?}");
        let converted = to_agui(texts.iter().map(|text| social_app::Event::from_json(text).unwrap()));
        let standard: Vec<String> = converted.iter().map(agui::Event::to_json).collect();
        let found = faults(&Protocol::AGUI, &standard);
        prop_assert!(found.is_empty(), "what it becomes is not clean: {found:#?}");
        whole(&Sent::of(&texts), &Arrived::of(&converted))?;
    }
}
