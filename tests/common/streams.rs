//! Clean streams made from a seed, and faults that spoil one place of them.

use serde_json::{Value, json};

/// Random choices and ids. The same seed gives the same ones everywhere.
#[derive(Debug)]
pub struct Source {
    state: u64,
    form: usize,
    ids: usize,
}

impl Source {
    pub fn new(seed: u64) -> Self {
        let mut source = Self { state: (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15), form: 0, ids: 0 };
        source.form = source.below(4);
        source
    }

    fn draw(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() >> 32) as usize % bound
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// An id that no other has. A stream keeps to one of the usual forms.
    fn id(&mut self, word: &str) -> String {
        self.ids += 1;
        let (a, b) = (self.draw(), self.draw());
        match self.form {
            0 => format!(
                "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
                a >> 32,
                (a >> 16) & 0xFFFF,
                a & 0xFFF,
                b >> 52,
                b & 0xFFFF_FFFF_FFFF
            ),
            1 => format!("{word}_{a:016x}{:08x}", b >> 32),
            2 => format!("{word}-{}", self.ids),
            _ => format!("{}{}", &word[..1], self.ids),
        }
    }

    /// The text in pieces of a few characters.
    fn pieces(&mut self, text: &str) -> Vec<String> {
        let length = 6 + self.below(12);
        let characters: Vec<char> = text.chars().collect();
        characters.chunks(length).map(|piece| piece.iter().collect()).collect()
    }

    /// All blocks at once: each keeps its order.
    fn merge(&mut self, blocks: Vec<Vec<Value>>) -> Vec<Value> {
        let mut rest: Vec<_> = blocks.into_iter().map(Vec::into_iter).collect();
        let mut merged = Vec::new();
        while !rest.is_empty() {
            let at = self.below(rest.len());
            match rest[at].next() {
                Some(event) => merged.push(event),
                None => drop(rest.swap_remove(at)),
            }
        }
        merged
    }

    /// All blocks, one after another or at once.
    fn join(&mut self, blocks: Vec<Vec<Value>>) -> Vec<Value> {
        if self.one_in(2) { self.merge(blocks) } else { blocks.concat() }
    }
}

/// What answers and thoughts are made of.
const TEXTS: [&str; 4] = [
    "Yes, and May is one of the better months for it.",
    "Let me check.",
    "The train takes just under seven hours; three of them run on Thursday.",
    "Im Mai ist auf der Höhe noch Schnee – schön! 🏔",
];

/// Arguments of tool calls.
const ARGUMENTS: [&str; 4] = [
    r#"{"query":"event streams","limit":10}"#,
    r#"{"from":"Oslo S","to":"Bergen","date":"2026-05-14","passengers":2,"flexible":true}"#,
    r#"{"place":"Bergen"}"#,
    "{}",
];

/// One to three runs of AG-UI.
pub fn agui(seed: u64) -> Vec<Value> {
    let mut agui = AgUi { source: Source::new(seed), history: Vec::new(), items: None };
    let thread = agui.source.id("thread");
    let mut events = Vec::new();
    for _ in 0..=agui.source.below(3) {
        agui.run(&thread, &mut events);
    }
    let (timed, described) = (agui.source.one_in(2), agui.source.one_in(2));
    for (at, event) in events.iter_mut().enumerate() {
        if timed {
            event["timestamp"] = json!(1_767_258_000_000 + 40 * at);
        }
        if described && agui.source.one_in(6) {
            event["metadata"] = json!({"node": "planner"});
        }
    }
    events
}

struct AgUi {
    source: Source,
    /// The messages so far, as a snapshot has them.
    history: Vec<Value>,
    /// How many items the shared state of the run has, if the run has one.
    items: Option<usize>,
}

impl AgUi {
    fn run(&mut self, thread: &str, events: &mut Vec<Value>) {
        let run = self.source.id("run");
        let mut started = json!({"type": "RUN_STARTED", "threadId": thread, "runId": run});
        if self.source.one_in(3) {
            started["protocolVersion"] = json!("1.0");
        }
        self.items = None;
        if self.source.one_in(2) {
            let question = json!({"id": self.source.id("msg"), "role": "user", "content": "By train?"});
            self.history.push(question);
            started["input"] = json!({"threadId": thread, "runId": run, "messages": self.history});
            if self.source.one_in(2) {
                started["input"]["state"] = self.state();
            }
        }
        events.push(started);
        for _ in 0..2 + self.source.below(5) {
            let section = self.section();
            events.extend(if self.source.one_in(4) { self.step(section) } else { section });
        }
        self.end(thread, &run, events);
    }

    /// The last events of a run.
    fn end(&mut self, thread: &str, run: &str, events: &mut Vec<Value>) {
        if self.source.one_in(5) {
            // What it was about stays open.
            let block = if self.source.one_in(2) { self.text() } else { self.call() };
            let kept = self.source.below(block.len());
            events.extend_from_slice(&block[..kept]);
            events.push(json!({"type": "RUN_ERROR", "message": "the model is overloaded"}));
            if self.source.one_in(2) {
                events.last_mut().unwrap()["code"] = json!("overloaded");
            }
            return;
        }
        let mut finished = json!({"type": "RUN_FINISHED", "threadId": thread, "runId": run});
        match self.source.below(8) {
            0 => finished["outcome"] = json!({"type": "success"}),
            1 => {
                // The user interface answers the last call.
                let call = self.call();
                let (result, call) = call.split_last().unwrap();
                self.history.pop();
                events.extend_from_slice(call);
                finished["outcome"] = json!({"type": "success", "pendingToolCallIds": [result["toolCallId"]]});
            }
            2 => {
                let interrupts = json!([{"id": self.source.id("int"), "reason": "confirm"}]);
                finished["outcome"] = json!({"type": "interrupt", "interrupts": interrupts});
            }
            3 => finished["outcome"] = json!({"type": "cancelled"}),
            4 => finished["result"] = json!({"rows": 3}),
            5 => finished["usage"] = json!([{"model": "m", "inputTokens": 90, "outputTokens": 9, "totalTokens": 99}]),
            _ => {}
        }
        events.push(finished);
    }

    fn section(&mut self) -> Vec<Value> {
        match self.source.below(10) {
            0 | 1 => self.block(),
            2 | 3 => {
                let blocks = (0..2 + self.source.below(2)).map(|_| self.block()).collect();
                self.source.merge(blocks)
            }
            4 | 5 => self.chunks(),
            6 => vec![json!({"type": "MESSAGES_SNAPSHOT", "messages": self.history})],
            7 => vec![match self.source.below(2) {
                0 => json!({"type": "CUSTOM", "name": "progress", "value": {"done": 3}}),
                _ => json!({"type": "RAW", "event": {"kind": "delta", "index": 4}, "source": "langgraph"}),
            }],
            _ => vec![self.state_event()],
        }
    }

    /// Something that can go on while something else does.
    fn block(&mut self) -> Vec<Value> {
        match self.source.below(8) {
            0..=2 => self.text(),
            3 | 4 => self.call(),
            5 => self.reasoning(),
            6 => self.activity(),
            _ => self.subagent(true),
        }
    }

    fn step(&mut self, section: Vec<Value>) -> Vec<Value> {
        let name = *self.source.pick(&["plan", "look up", "answer"]);
        let event = |kind| vec![json!({"type": kind, "stepName": name})];
        [event("STEP_STARTED"), section, event("STEP_FINISHED")].concat()
    }

    fn text(&mut self) -> Vec<Value> {
        let (id, text) = (self.source.id("msg"), *self.source.pick(&TEXTS));
        self.history.push(json!({"id": id, "role": "assistant", "content": text}));
        let mut block = vec![json!({"type": "TEXT_MESSAGE_START", "messageId": id})];
        if self.source.one_in(2) {
            block[0]["role"] = json!("assistant");
        }
        for delta in self.source.pieces(text) {
            block.push(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta}));
        }
        block.push(json!({"type": "TEXT_MESSAGE_END", "messageId": id}));
        block
    }

    /// A call with its result, sometimes after the text that it is part of.
    fn call(&mut self) -> Vec<Value> {
        let (id, arguments) = (self.source.id("call"), *self.source.pick(&ARGUMENTS));
        let mut start = json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "search"});
        let mut block = Vec::new();
        if self.source.one_in(3) {
            block = self.text();
            start["parentMessageId"] = block[0]["messageId"].clone();
            self.history.last_mut().unwrap()["toolCalls"] = calls(&id, arguments);
        } else {
            self.history.push(json!({"id": id, "role": "assistant", "toolCalls": calls(&id, arguments)}));
        }
        block.push(start);
        for delta in self.source.pieces(arguments) {
            block.push(json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta}));
        }
        block.push(json!({"type": "TOOL_CALL_END", "toolCallId": id}));
        block.push(self.result(&id));
        block
    }

    fn result(&mut self, call: &str) -> Value {
        let id = self.source.id("msg");
        let content = *self.source.pick(&["three results", r#"{"high":14.2,"low":6.9}"#]);
        self.history.push(json!({"id": id, "role": "tool", "toolCallId": call, "content": content}));
        let mut result = json!({"type": "TOOL_CALL_RESULT", "messageId": id, "toolCallId": call, "content": content});
        if self.source.one_in(2) {
            result["role"] = json!("tool");
        }
        result
    }

    fn reasoning(&mut self) -> Vec<Value> {
        let (span, text) = (self.source.id("span"), *self.source.pick(&TEXTS));
        // Some give the span and the message in it one id.
        let id = if self.source.one_in(3) { span.clone() } else { self.source.id("thought") };
        let mut block = vec![
            json!({"type": "REASONING_START", "messageId": span}),
            json!({"type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning"}),
        ];
        for delta in self.source.pieces(text) {
            block.push(json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": delta}));
        }
        block.push(json!({"type": "REASONING_MESSAGE_END", "messageId": id}));
        if self.source.one_in(2) {
            let kind = "REASONING_ENCRYPTED_VALUE";
            block.push(json!({"type": kind, "subtype": "message", "entityId": id, "encryptedValue": "b3BhcXVl"}));
        }
        block.push(json!({"type": "REASONING_END", "messageId": span}));
        block
    }

    fn activity(&mut self) -> Vec<Value> {
        let id = self.source.id("activity");
        let event = |kind| json!({"type": kind, "messageId": id, "activityType": "PLAN"});
        let mut block = vec![event("ACTIVITY_SNAPSHOT")];
        block[0]["content"] = json!({"done": 0, "steps": ["look", "book"]});
        for done in 0..self.source.below(3) {
            let mut delta = event("ACTIVITY_DELTA");
            delta["patch"] = json!([{"op": "replace", "path": "/done", "value": done + 1}]);
            block.push(delta);
        }
        block
    }

    /// A subagent and what it does, sometimes with a subagent of its own.
    fn subagent(&mut self, nests: bool) -> Vec<Value> {
        let (id, first) = (self.source.id("sub"), self.history.len());
        let mut block = vec![json!({"type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "researcher"})];
        for _ in 0..=self.source.below(2) {
            block.extend(match self.source.below(6) {
                0 => self.chunks(),
                1 | 2 => self.call(),
                3 => {
                    let text = self.text();
                    self.step(text)
                }
                4 if nests => {
                    let mut nested = self.subagent(false);
                    nested[0]["parentSubagentRunId"] = json!(id);
                    nested
                }
                _ => self.text(),
            });
        }
        block.push(match self.source.below(4) {
            0 => json!({"type": "SUBAGENT_ERROR", "message": "no results"}),
            1 => json!({"type": "SUBAGENT_FINISHED", "outcome": {"type": "success"}}),
            _ => json!({"type": "SUBAGENT_FINISHED"}),
        });
        for value in block.iter_mut().chain(&mut self.history[first..]) {
            if value.get("subagentRunId").is_none() {
                value["subagentRunId"] = json!(id);
            }
        }
        block
    }

    /// A text, a call or a thought in chunks, whose end nobody sends.
    fn chunks(&mut self) -> Vec<Value> {
        let kinds = [
            ("TEXT_MESSAGE_CHUNK", "messageId"),
            ("TOOL_CALL_CHUNK", "toolCallId"),
            ("REASONING_MESSAGE_CHUNK", "messageId"),
        ];
        let (kind, name) = *self.source.pick(&kinds);
        let id = self.source.id("chunked");
        let is_call = name == "toolCallId";
        let text = *self.source.pick(if is_call { &ARGUMENTS } else { &TEXTS });
        let mut block = Vec::new();
        for delta in self.source.pieces(text) {
            let mut chunk = json!({"type": kind, "delta": delta});
            if block.is_empty() || self.source.one_in(3) {
                chunk[name] = json!(id);
            }
            block.push(chunk);
        }
        if is_call {
            block[0]["toolCallName"] = json!("search");
            self.history.push(json!({"id": id, "role": "assistant", "toolCalls": calls(&id, text)}));
            block.push(self.result(&id));
        }
        block
    }

    fn state(&mut self) -> Value {
        self.items = Some(0);
        json!({"mode": "search", "step": 0, "items": []})
    }

    /// A first state, or a patch that applies to the one before.
    fn state_event(&mut self) -> Value {
        let Some(items) = self.items else { return json!({"type": "STATE_SNAPSHOT", "snapshot": self.state()}) };
        let patch = match self.source.below(3) {
            0 => json!([{"op": "replace", "path": "/step", "value": items}]),
            1 if items > 0 => {
                json!([{"op": "replace", "path": format!("/items/{}/done", items - 1), "value": true}])
            }
            _ => {
                self.items = Some(items + 1);
                json!([
                    {"op": "test", "path": "/mode", "value": "search"},
                    {"op": "add", "path": "/items/-", "value": {"done": false}},
                ])
            }
        };
        json!({"type": "STATE_DELTA", "delta": patch})
    }
}

/// The calls of an assistant message.
fn calls(id: &str, arguments: &str) -> Value {
    json!([{"id": id, "type": "function", "function": {"name": "search", "arguments": arguments}}])
}

/// Two to four turns of Lime, some of them at once.
pub fn lime(seed: u64) -> Vec<Value> {
    let mut source = Source::new(seed);
    let mut events = Vec::new();
    for _ in 0..2 {
        let turns = (0..=source.below(2)).map(|_| lime_turn(&mut source)).collect();
        events.extend(source.join(turns));
    }
    let (thread, first) = (source.id("thread"), source.below(50));
    for (at, event) in events.iter_mut().enumerate() {
        event["id"] = json!(source.id("evt"));
        event["schemaVersion"] = json!("lime-runtime-event/v0.1");
        event["runtimeId"] = json!("app-server");
        event["threadId"] = json!(thread);
        event["sequence"] = json!(first + at);
        event["title"] = json!("Work");
        event["createdAt"] = json!(format!("2026-06-10T08:13:{:02}.{:03}Z", at / 20 % 60, at % 20 * 50));
    }
    events
}

fn lime_turn(source: &mut Source) -> Vec<Value> {
    let (turn, run) = (source.id("turn"), source.id("run"));
    let blocks = (0..2 + source.below(4)).map(|_| lime_block(source)).collect();
    let work = source.join(blocks);
    let (end, status) = if source.one_in(5) { ("turn.failed", "failed") } else { ("turn.completed", "completed") };
    let event = |class, status| vec![fact(class, "state", status, json!({}))];
    let mut events =
        [event("turn.submitted", "pending"), event("turn.started", "running"), work, event(end, status)].concat();
    let has_run = source.one_in(2);
    for event in &mut events {
        event["turnId"] = json!(turn);
        if has_run {
            event["runId"] = json!(run);
        }
    }
    events
}

fn fact(class: &str, kind: &str, status: &str, mut rest: Value) -> Value {
    rest["eventClass"] = json!(class);
    rest["kind"] = json!(kind);
    rest["status"] = json!(status);
    rest
}

fn lime_block(source: &mut Source) -> Vec<Value> {
    let (id, fails) = (source.id("call"), source.one_in(4));
    // What is paired by an id in the payload can be paired by the call instead.
    let by_call = source.one_in(3);
    let scoped = |name: &str, payload: Value| {
        let mut rest = json!({"payload": payload});
        let at = if by_call { &mut rest["toolCallId"] } else { &mut rest["payload"][name] };
        *at = json!(id);
        rest
    };
    let done = if fails { "failed" } else { "completed" };
    let tool = |class, status, rest| fact(class, "tool", status, rest);
    let end = |good, bad| if fails { bad } else { good };
    match source.below(9) {
        delta @ 0..=1 => {
            let (class, kind) = [("model.delta", "model"), ("reasoning.delta", "note")][delta];
            let text = *source.pick(&TEXTS);
            let payload = |delta| json!({"payload": {"messageId": id, "delta": delta}});
            source.pieces(text).into_iter().map(|delta| fact(class, kind, "running", payload(delta))).collect()
        }
        2 | 3 => vec![
            tool("tool.started", "running", json!({"toolCallId": id, "payload": {"toolName": "search"}})),
            end(
                tool("tool.result", done, json!({"toolCallId": id, "refIds": ["output_1"]})),
                tool("tool.failed", done, json!({"toolCallId": id, "payload": {"reason": "timeout"}})),
            ),
        ],
        4 => vec![
            tool("patch.started", "running", scoped("patchId", json!({"files": 2}))),
            end(
                tool("patch.applied", done, scoped("patchId", json!({"files": 2}))),
                tool("patch.failed", done, scoped("patchId", json!({"failureCategory": "conflict"}))),
            ),
        ],
        5 => vec![
            tool("command.started", "running", scoped("commandId", json!({"command": "npm test"}))),
            tool("command.output", "running", scoped("commandId", json!({"outputRef": "artifact://output/1"}))),
            tool("command.exited", done, scoped("commandId", json!({"exitCode": i32::from(fails)}))),
        ],
        6 => vec![
            tool("test.started", "running", scoped("testRunId", json!({"suite": "unit"}))),
            tool("test.completed", done, scoped("testRunId", json!({"result": done}))),
        ],
        7 => vec![
            fact("action.required", "action", "blocked", json!({"actionId": id, "payload": {"prompt": "Go on?"}})),
            fact("action.resolved", "action", "completed", json!({"actionId": id})),
        ],
        _ => vec![
            tool("file.read", "completed", json!({"payload": {"path": "src/cart.ts"}})),
            tool("file.changed", "completed", json!({"artifactRefs": [id], "payload": {"path": "src/cart.ts"}})),
            fact("artifact.changed", "draft", "completed", json!({"artifactId": id})),
            fact("evidence.changed", "evidence", "completed", json!({"evidenceRefs": [id]})),
        ],
    }
}

/// What social-app calls: module, method, input.
const CALLS: [(&str, &str, &str); 4] = [
    ("calendar", "read", r#"{"mode":"day","date":"2026-04-28","timezone":"Asia/Shanghai"}"#),
    ("calendar", "create", r#"{"title":"产品评审会","start_at":"2026-04-28T15:00:00+08:00"}"#),
    ("contacts", "read", r#"{"query":"王琳"}"#),
    ("memory", "update", r#"{"operations":[{"action":"add","text":"周三下午不开会"}]}"#),
];

/// One to three runs of social-app, v1.
pub fn social_app(seed: u64) -> Vec<Value> {
    let mut source = Source::new(seed);
    let thread = source.id("thread");
    let mut events = Vec::new();
    for _ in 0..=source.below(3) {
        let (run, first) = (source.id("run"), events.len());
        social_app_run(&mut source, &mut events);
        for event in &mut events[first..] {
            event["threadId"] = json!(thread);
            event["runId"] = json!(run);
        }
    }
    events
}

fn social_app_run(source: &mut Source, events: &mut Vec<Value>) {
    let step = |kind, name| json!({"type": kind, "stepName": name});
    let mut run = vec![
        json!({"type": "RUN_STARTED"}),
        step("STEP_STARTED", "router"),
        step("STEP_FINISHED", "router"),
        step("STEP_STARTED", "worker"),
    ];
    let calls = (0..source.below(4)).map(|_| social_app_call(source)).collect();
    run.extend(source.join(calls));
    run.push(json!({
        "type": "TEXT_MESSAGE_END", "messageId": source.id("msg"), "role": "assistant", "stage": "worker",
        "status": source.pick(&["success", "partial_success", "failed"]), "answer": source.pick(&TEXTS),
        "suggested_actions": ["提前 15 分钟提醒我"], "error": null, "totalTokens": 2846, "cachedPromptTokens": 1536,
        "promptCacheHitTokens": 1536, "promptCacheMissTokens": 988, "reasoningTokens": null,
        "costSource": "catalog_fallback", "usageComplete": true,
    }));
    run.extend([step("STEP_FINISHED", "worker"), json!({"type": "RUN_FINISHED"})]);
    if source.one_in(4) {
        // Failed or cancelled in the middle.
        run.truncate(1 + source.below(run.len() - 1));
        run.push(match source.below(2) {
            0 => json!({"type": "RUN_ERROR", "message": "run canceled by user", "code": "RUN_CANCELED"}),
            _ => json!({"type": "RUN_ERROR", "message": "runtime execution failed", "code": null}),
        });
    }
    events.extend(run);
}

fn social_app_call(source: &mut Source) -> Vec<Value> {
    let (module, method, input) = *source.pick(&CALLS);
    let input: Value = serde_json::from_str(input).unwrap();
    let args = json!({"module": module, "method": method, "input": input});
    let (id, message) = (source.id("call"), source.id("msg"));
    let event = |kind| -> Value {
        json!({"type": kind, "messageId": message, "toolCallId": id, "toolCallName": "project_cli", "stage": "worker"})
    };
    let mut block = vec![event("TOOL_CALL_START"), event("TOOL_CALL_ARGS"), event("TOOL_CALL_END")];
    block[1]["args"] = args.clone();
    let name = if source.one_in(2) { "project_cli".to_owned() } else { format!("{module}.{method}") };
    let mut result = json!({
        "type": "TOOL_CALL_RESULT", "messageId": message, "role": "tool", "stage": "worker", "tool_name": name,
        "tool_call_id": id, "tool_call_args": args, "status": source.pick(&["success", "failure", "partial"]),
        "result": {"outcome": "done", "count": 2}, "error": null,
    });
    if source.one_in(2) {
        result["ui_schema"] = json!({"version": "2.0", "status": "success", "root": {"type": "stack", "children": []}});
    }
    block.push(result);
    block
}

/// A way to spoil a member or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Missing,
    Null,
    Mistyped,
    Empty,
    OtherStyle,
    Capitalised,
    LettersSwapped,
    UnknownId,
    IdOfAnother,
    Lost,
    Doubled,
    SwappedWithNext,
    Number,
    Array,
    OtherType,
    NearMissType,
}

use Way::*;

const OF_MEMBERS: [Way; 9] =
    [Missing, Null, Mistyped, Empty, OtherStyle, Capitalised, LettersSwapped, UnknownId, IdOfAnother];
const OF_EVENTS: [Way; 7] = [Lost, Doubled, SwappedWithNext, Number, Array, OtherType, NearMissType];

/// One place spoilt in one way: other lines in place of one or two.
#[derive(Debug)]
pub struct Fault {
    pub name: String,
    pub way: Way,
    pub at: usize,
    takes: usize,
    gives: Vec<String>,
}

impl Fault {
    /// So many of all the places and ways of a stream, at random. `tag` names the member
    /// that tells events apart.
    pub fn sample(source: &mut Source, events: &[Value], tag: &str, count: usize) -> Vec<Self> {
        let places: Vec<(usize, &str, Way)> = (0..events.len())
            .flat_map(|at| {
                let names = events[at].as_object().unwrap().keys();
                let of_members = names.flat_map(move |name| OF_MEMBERS.map(|way| (at, name.as_str(), way)));
                of_members.chain(OF_EVENTS.map(|way| (at, tag, way)))
            })
            .collect();
        let mut faults = Vec::new();
        while faults.len() < count {
            let (at, name, way) = *source.pick(&places);
            let Some((takes, gives)) = spoil(source, events, at, name, way) else { continue };
            let member = if OF_MEMBERS.contains(&way) { format!(", {name}") } else { String::new() };
            let name = format!("{} {at}{member}: {way:?}", events[at][tag].as_str().unwrap());
            faults.push(Self { name, way, at, takes, gives: gives.iter().map(Value::to_string).collect() });
        }
        faults
    }

    /// The lines with the fault.
    pub fn apply(&self, lines: &[String]) -> Vec<String> {
        [&lines[..self.at], &self.gives, &lines[self.at + self.takes..]].concat()
    }
}

/// How many events give way, and to which; `None` where nothing would change.
fn spoil(source: &mut Source, events: &[Value], at: usize, name: &str, way: Way) -> Option<(usize, Vec<Value>)> {
    let event = &events[at];
    let (takes, gives) = match way {
        Lost => (1, vec![]),
        Doubled => (1, vec![event.clone(), event.clone()]),
        SwappedWithNext => (2, vec![events.get(at + 1)?.clone(), event.clone()]),
        Number => (1, vec![json!(7)]),
        Array => (1, vec![json!([])]),
        Missing => (1, vec![renamed(event, name, None)?]),
        OtherStyle => (1, vec![renamed(event, name, Some(other_style(name)))?]),
        Capitalised => (1, vec![renamed(event, name, Some(capitalised(name)))?]),
        LettersSwapped => (1, vec![renamed(event, name, Some(letters_swapped(name)))?]),
        Null | Mistyped | Empty | UnknownId | IdOfAnother | OtherType | NearMissType => {
            let mut spoilt = event.clone();
            spoilt[name] = other_value(source, events, at, name, way)?;
            (1, vec![spoilt])
        }
    };
    (gives != events[at..at + takes]).then_some((takes, gives))
}

/// What the member holds instead.
fn other_value(source: &mut Source, events: &[Value], at: usize, name: &str, way: Way) -> Option<Value> {
    let value = &events[at][name];
    Some(match way {
        Null => Value::Null,
        Empty => json!(value.as_str().map(|_| "")?),
        Mistyped => match value {
            Value::String(_) => json!(7),
            Value::Number(number) => json!(number.to_string()),
            Value::Object(_) => json!([]),
            Value::Array(_) => json!({}),
            Value::Bool(_) | Value::Null => json!("yes"),
        },
        UnknownId if is_id(name) => json!(format!("{}x{at}", value.as_str()?)),
        NearMissType => json!(near_miss(source, value.as_str()?)),
        IdOfAnother if !is_id(name) => return None,
        IdOfAnother | OtherType => {
            let others: Vec<&Value> = events.iter().map(|event| &event[name]).filter(|id| id.is_string()).collect();
            (*source.pick(&others)).clone()
        }
        _ => return None,
    })
}

fn is_id(name: &str) -> bool {
    name == "id" || name == "stepName" || name.ends_with("Id") || name.ends_with("_id")
}

/// The event with a member under another name, or without it.
fn renamed(event: &Value, name: &str, other: Option<String>) -> Option<Value> {
    let mut members = event.as_object()?.clone();
    let value = members.remove(name)?;
    if let Some(other) = other {
        if members.contains_key(&other) {
            return None;
        }
        members.insert(other, value);
    }
    Some(members.into())
}

/// `threadId` as `thread_id`, and the other way round.
fn other_style(name: &str) -> String {
    if let Some((first, rest)) = name.split_once('_') {
        return rest.split('_').fold(first.to_owned(), |name, word| name + &capitalised(word));
    }
    let separate =
        |letter: char| if letter.is_uppercase() { format!("_{}", letter.to_lowercase()) } else { letter.into() };
    name.chars().map(separate).collect()
}

fn capitalised(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Two letters near the middle in the wrong order.
fn letters_swapped(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let differ = |at: &usize| letters[at - 1] != letters[*at];
    if let Some(at) = (letters.len() / 2..letters.len()).filter(|at| *at > 0).find(differ) {
        letters.swap(at - 1, at);
    }
    letters.into_iter().collect()
}

/// `RUN_STARTED` as `RunStarted`, `run-started` or `RUN_STARTD`.
fn near_miss(source: &mut Source, tag: &str) -> String {
    let words: Vec<String> = tag.split(['_', '.']).map(str::to_lowercase).collect();
    match source.below(3) {
        0 => words.iter().map(|word| capitalised(word)).collect(),
        1 => words.join("-"),
        _ => tag[..tag.len() - 2].to_owned() + &tag[tag.len() - 1..],
    }
}
