//! Clean streams made from a seed, and faults that spoil one place of them.

use serde_json::{Map, Value, json};

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
            0 => uuid(a, b),
            1 => format!("{word}_{a:016x}{:08x}", b >> 32),
            2 => format!("{word}-{}", self.ids),
            _ => format!("{}{}", &word[..1], self.ids),
        }
    }

    fn uuid(&mut self) -> String {
        uuid(self.draw(), self.draw())
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

fn uuid(a: u64, b: u64) -> String {
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xFFFF,
        a & 0xFFF,
        b >> 52,
        b & 0xFFFF_FFFF_FFFF
    )
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

/// What the steps of Ubik are for.
const STEPS: [&str; 4] =
    ["Find the ferries on Saturday", "Read the timetable", "Compare the fares – “cheap” first", "答える"];

/// What tools of Ubik find: JSON, as it stands in the text of the answer.
const RESULTS: [&str; 3] = [
    r#"{"temperature":"15 °C","wind":"3 m/s"}"#,
    r#"{"rows":[1,2,3],"note":"naïve \"quote\",\nand a break \ud83c\udfd4"}"#,
    r#"{"results_count":3}"#,
];

/// How long the text of an event of Ubik may be before it comes in fragments, in characters.
const LONG_EVENT: usize = 600;

/// One task of a Ubik session, in up to three steps; some of its large events in fragments.
pub fn ubik(seed: u64) -> Vec<Value> {
    let mut source = Source::new(seed);
    let (task, message) = (source.uuid(), source.uuid());
    let mut ubik = Ubik { source, task, message, events: Vec::new(), content: String::new() };
    ubik.run();
    let Ubik { mut source, mut events, .. } = ubik;
    let zone = *source.pick(&["Z", "+02:00", ""]);
    let mut now = 50_400_000 + source.below(3_600_000);
    for event in &mut events {
        now += 20 + source.below(400);
        let name = match event["type"].as_str() {
            Some("connection_established") => continue,
            Some("checkpoint_created") => "created_at",
            _ => "timestamp",
        };
        let (seconds, millis) = (now / 1000, now % 1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        event[name] = json!(format!("2026-03-12T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}{zone}"));
    }
    let flagged = source.one_in(2);
    let parts = |event: Value| {
        let (kind, text) = (event["type"].as_str().unwrap_or_default().to_owned(), event.to_string());
        if text.chars().count() <= LONG_EVENT || source.one_in(2) {
            return vec![event];
        }
        let typed = |mut part: Value| {
            part["type"] = json!(format!("{kind}_delta_sse"));
            part
        };
        fragments(&mut source, &kind, &text, flagged).into_iter().map(typed).collect()
    };
    events.into_iter().flat_map(parts).collect()
}

/// The text of an event in fragments, without the types of these.
fn fragments(source: &mut Source, kind: &str, text: &str, flagged: bool) -> Vec<Value> {
    let (group, size) = (source.uuid(), LONG_EVENT / 2 + source.below(LONG_EVENT / 2));
    let characters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = characters.chunks(size).map(|piece| piece.iter().collect()).collect();
    let total = pieces.len();
    let fragment = |(index, data): (usize, String)| {
        let mut fragment = json!({
            "chunk_id": group, "chunk_index": index, "total_chunks": total, "original_event_type": kind,
            "chunk_data": data,
        });
        if flagged {
            fragment["is_last_chunk"] = json!(index + 1 == total);
        }
        fragment
    };
    pieces.into_iter().enumerate().map(fragment).collect()
}

struct Ubik {
    source: Source,
    task: String,
    message: String,
    events: Vec<Value>,
    /// The text of the message as it is stored.
    content: String,
}

impl Ubik {
    fn push(&mut self, kind: &str, mut members: Value) {
        members["type"] = json!(kind);
        self.events.push(members);
    }

    fn run(&mut self) {
        let (session, connection) = (self.source.uuid(), self.source.uuid());
        let (task, message) = (self.task.clone(), self.message.clone());
        let connected = json!({"session_id": session, "connection_id": connection, "task_id": task});
        self.push("connection_established", connected);
        self.push("agent_processing_started", json!({"task_id": task}));
        self.push("response_stream_start", json!({"message_id": message, "task_id": task}));
        if self.source.one_in(3) {
            let text = *self.source.pick(&TEXTS);
            self.say(None, &format!("{text}\n"));
        }
        let total = 1 + self.source.below(3);
        for step in 1..=total {
            self.step(step, total);
        }
        self.end(total);
    }

    /// Text in pieces that may cut a tag in two.
    fn say(&mut self, step: Option<usize>, text: &str) {
        for piece in self.source.pieces(text) {
            let mut chunk = json!({"content": piece});
            if let Some(step) = step {
                chunk["step"] = json!(step);
            }
            self.push("response_chunk", chunk);
        }
        self.content += text;
    }

    fn step(&mut self, step: usize, total: usize) {
        let title = *self.source.pick(&STEPS);
        let alone = total == 1 && self.source.one_in(2);
        self.push("agent_step_started", json!({"step": step, "description": title, "single_step_agent": alone}));
        self.content += &format!("<<STEP_START>>\nStep {step}: {title} ✓\n");
        if alone {
            self.content += "<<SINGLE_STEP_FLAG>>\n";
        }
        if self.source.one_in(2) {
            let progress = 10 + self.source.below(80);
            self.push("agent_step_progress", json!({"step": step, "progress": progress, "message": "Reading"}));
        }
        if self.source.one_in(2) {
            let thought = *self.source.pick(&TEXTS);
            self.say(Some(step), &format!("<<thinking>>\n{thought}\n<</thinking>>\n"));
        }
        for _ in 0..self.source.below(3) {
            self.tool(step);
        }
        let text = *self.source.pick(&TEXTS);
        self.say(Some(step), &format!("{text}\n"));
        self.content += "<<STEP_END>>\n";
        // The next step ends one that is not completed.
        if step == total || !self.source.one_in(5) {
            self.completed(step, total, title);
        }
    }

    fn completed(&mut self, step: usize, total: usize, title: &str) {
        let results = if self.source.one_in(2) { json!({"rows": 3}) } else { json!({}) };
        let completed = json!({"step": step, "progress": 100, "completed": true, "results": results});
        self.push("agent_step_completed", completed);
        if self.source.one_in(2) {
            let (description, progress) =
                (format!("Completed step {step}: {title}"), 100.0 * step as f64 / total as f64);
            let progress =
                json!({"step": step, "total_steps": total, "description": description, "progress": progress});
            self.push("agent_progress", progress);
        }
        if self.source.one_in(4) {
            let (message, content, parent) = (self.message.clone(), self.content.clone(), self.source.uuid());
            self.push("agent_response_update", json!({"message_id": message, "content": content, "parent_id": parent}));
        }
        if self.source.one_in(3) {
            self.checkpoint(step);
        }
    }

    fn checkpoint(&mut self, step: usize) {
        let (name, prompt) = (format!("choice_{step}"), "Which ferry – the one at 11:00?");
        self.push("checkpoint_created", json!({"checkpoint_name": name}));
        self.content += &format!("<<CHECKPOINT_START>>\nCheckpoint: {name}\n<<CHECKPOINT_END>>\n");
        if self.source.one_in(2) {
            let types = if self.source.one_in(2) { json!(["text", "json"]) } else { json!(["text"]) };
            self.push("input_required", json!({"checkpoint_name": name, "prompt": prompt, "input_types": types}));
            self.content += &format!("<<INPUT_REQUIRED_START>>\n{prompt}\nExpected input types: text\n\n");
            self.content += "<<USER_INPUT_PROVIDED_START>>\n{\"input\":\"yes\",\"type\":\"text\"}\n";
            self.content += "<<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>\n";
        }
    }

    /// A tool: its tags in the text, and between them what it says while it runs.
    fn tool(&mut self, step: usize) {
        let (name, form) = (*self.source.pick(&TOOLS), *self.source.pick(&["call", "toolu", "exec"]));
        let id = format!("{form}_{:016x}", self.source.draw());
        let (arguments, result) = (*self.source.pick(&ARGUMENTS), *self.source.pick(&RESULTS));
        self.say(
            Some(step),
            &format!(
                "<<TOOL_STEP_START/{name}:{id}>>\n<<TOOL_STEP_INPUT_START>>\n{arguments}\n<<TOOL_STEP_INPUT_END>>\n"
            ),
        );
        let of_tool = |data| json!({"tool_execution_id": id, "tool_name": name, "data": data});
        for (kind, data) in tool_updates(&mut self.source, name) {
            self.push(kind, of_tool(data));
        }
        if self.source.one_in(5) {
            let input = json!({"question": "Send the booking?"});
            let asks = json!({"tool_execution_id": id, "tool_name": name, "tool_input": input});
            self.push("tool_input_required", asks);
        }
        self.say(
            Some(step),
            &format!("<<TOOL_STEP_RESULT_START>>\n{result}\n<<TOOL_STEP_RESULT_END>>\n<<TOOL_STEP_END/{name}:{id}>>\n"),
        );
    }

    fn end(&mut self, steps: usize) {
        if self.source.one_in(6) {
            self.push("agent_processing_error", json!({"error": "the model did not answer", "traceback": ""}));
            return;
        }
        if self.source.one_in(6) {
            let task = self.task.clone();
            self.push("agent_stop_requested", json!({"task_id": task}));
        }
        let (message, content) = (self.message.clone(), self.content.clone());
        let result = if self.source.one_in(2) { json!({"steps": steps}) } else { json!({}) };
        self.push("agent_processing_complete", json!({"message_id": message, "content": content, "result": result}));
    }
}

/// Tools of Ubik.
const TOOLS: [&str; 4] = ["web_search", "rag_search", "subagent", "run_python"];

/// What a tool of Ubik says while it runs: events and their data.
fn tool_updates(source: &mut Source, tool: &str) -> Vec<(&'static str, Value)> {
    let update = |data| ("tool_update", data);
    let phase = |phase, status| update(json!({"phase": phase, "status": status}));
    let counted = |phase, data: Value| update(json!({"phase": phase, "status": "completed", "data": data}));
    let count = 1 + source.below(8);
    let text = *source.pick(&TEXTS);
    let pieces: Vec<_> = source
        .pieces(text)
        .into_iter()
        .map(|piece| ("tool_partial_update", json!({"content": piece, "output_key": "response"})))
        .collect();
    let found = |rank| {
        json!({
            "rank": rank, "title": format!("Fähre {rank}"), "url": format!("https://ferry.example/{rank}"),
            "snippet": "Saturdays: 08:30, 11:00 and “16:15”", "engine": "example", "score": 0.9,
        })
    };
    let sources: Vec<Value> = (1..=count).map(found).collect();
    match tool {
        "web_search" => {
            let list = json!({"results_count": count, "sources": sources});
            let begin = vec![
                update(json!({"phase": "WEB_SEARCH", "status": "started", "query": "ferries on Saturday"})),
                update(json!({"phase": "WEB_SEARCH", "status": "completed", "data": list, "output_key": "sources"})),
                phase("RERANKING", "started"),
                counted("RERANKING", json!({"reranked_count": count})),
                update(json!({"reranked_results": count, "output_key": "reranked_results"})),
                phase("GENERATION", "started"),
            ];
            [begin, pieces, vec![phase("GENERATION", "completed")]].concat()
        }
        "rag_search" => {
            let kept = json!({"initial_count": 15, "reranked_count": 15, "kept_count": count});
            let begin = vec![
                phase("SEARCH_PREPARATION", "started"),
                counted("RETRIEVAL", json!({"retrieved_count": 15})),
                counted("RERANKING", kept),
                phase("COMPILING_RESULTS", "started"),
            ];
            [begin, pieces].concat()
        }
        "subagent" => {
            let session = json!({"sub_session_id": source.uuid()});
            vec![update(json!({"phase": "SUB_AGENT_STARTED", "data": session}))]
        }
        _ => vec![update(json!({"phase": "processing", "message": "Running the cell"}))],
    }
}

/// The stream of a tool execution of Ubik; in each event its name and its data.
pub fn ubik_tool(seed: u64) -> Vec<Value> {
    let mut source = Source::new(seed);
    let tool = *source.pick(&TOOLS);
    let mut events = tool_updates(&mut source, tool);
    if source.one_in(3) {
        let asks =
            json!({"prompt": "Send the booking?", "input_types": ["text"], "timeout": 300, "state": {"seat": 12}});
        events.push(("tool_input_required", asks));
        events.push(("tool_update", json!({"phase": "processing", "message": "Sending the booking"})));
    }
    let id = format!("exec_{:016x}", source.draw());
    let text = TEXTS.concat().repeat(1 + source.below(4));
    events.push(match source.below(4) {
        0 => ("error", json!({"message": "the page did not load", "code": "FETCH_FAILED"})),
        1 => ("final_result", json!({"execution_id": id, "response": text, "images": []})),
        2 => ("tool_end", json!({"execution_id": id, "response": text, "sources_used": [1, 2], "model": "m"})),
        _ => ("tool_end", json!({"execution_id": id, "status": "completed", "outputs": {"response": text}})),
    });
    let flagged = source.one_in(2);
    let parts = |(name, data): (&str, Value)| {
        let text = data.to_string();
        if text.chars().count() <= LONG_EVENT || source.one_in(2) {
            return vec![json!({"event": name, "data": data})];
        }
        let parts = fragments(&mut source, name, &text, flagged);
        parts.into_iter().map(|data| json!({"event": format!("{name}_delta_sse"), "data": data})).collect()
    };
    events.into_iter().flat_map(parts).collect()
}

/// The frame of an event of a session.
pub fn frame(line: &str) -> String {
    format!("data: {line}\n\n")
}

/// The frame of an event of a tool: its `event` as the name, its `data` as the data.
pub fn tool_frame(line: &str) -> String {
    let event: Value = serde_json::from_str(line).unwrap();
    let name = event["event"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
    name + &frame(&event.get("data").unwrap_or(&event).to_string())
}

/// Tools of the task API: name, arguments, what they are about to change.
const ACTIONS: [(&str, &str, &str); 4] = [
    (
        "read_file",
        r#"{"path":"src/cart.ts"}"#,
        r#"{"path":"src/cart.ts","content":"export const vat = 0.19;\n// größe"}"#,
    ),
    ("web_search", r#"{"query":"明日方舟","limit":5}"#, "null"),
    ("run_command", r#"{"command":"npm test","timeout":120}"#, "null"),
    ("ask_user", r#"{"questions":1}"#, "null"),
];

/// One task of the task API as a list of envelopes.
pub fn polling(seed: u64) -> Vec<Value> {
    let mut polling = Polling { source: Source::new(seed), events: Vec::new(), tools: 0 };
    polling.run();
    let Polling { mut source, events, .. } = polling;
    let task = source.uuid();
    let conversation = format!("conv_20260214_093000_{}", 100 + source.below(900));
    let workspace = if source.one_in(4) { Value::Null } else { json!("ws_orders") };
    // Seconds since 1970, in eighths.
    let mut now = 8 * 1_771_061_400_u64 + 1;
    let mut envelopes = Vec::new();
    for (idx, (kind, mut data)) in events.into_iter().enumerate() {
        data["task_id"] = json!(task);
        data["conversation_id"] = json!(conversation);
        data["workspace_id"] = workspace.clone();
        now += source.below(5) as u64;
        envelopes.push(json!({"idx": idx, "type": kind, "data": data, "ts": now as f64 / 8.0}));
    }
    envelopes
}

/// The same tasks as the answers to polls, some of them with the offset that was asked for.
pub fn polling_responses(seed: u64) -> Vec<Value> {
    let envelopes = polling(seed);
    let mut source = Source::new(seed);
    let end = |kind: &Value| match kind.as_str() {
        Some("task_stopped") => ("stopped", Value::Null),
        Some("error") => ("failed", json!("磁盘已满")),
        _ => ("succeeded", Value::Null),
    };
    let (last_status, error) = end(&envelopes[envelopes.len() - 1]["type"]);
    let (recorded, windowed) = (source.one_in(3), source.one_in(3));
    let mut responses = Vec::new();
    let mut answer = |from: usize, to: usize, status: &str| {
        let seen = &envelopes[to.saturating_sub(1)];
        let error = if status == "failed" { error.clone() } else { Value::Null };
        let mut response = json!({"success": true, "data": {
            "task_id": seen["data"]["task_id"], "workspace_id": seen["data"]["workspace_id"], "status": status,
            "created_at": 1_771_061_400.0, "updated_at": seen["ts"], "error": error,
            "events": envelopes[from..to], "next_offset": to,
        }});
        if windowed {
            response["data"]["window_start"] = json!(0);
        }
        responses.push(if recorded { json!({"from": from, "response": response}) } else { response });
    };
    let mut at = 0;
    while at < envelopes.len() {
        let to = envelopes.len().min(at + 1 + source.below(12));
        let (is_last, nothing_new) = (to == envelopes.len(), source.one_in(4));
        if nothing_new {
            answer(at, at, if is_last && last_status == "stopped" { "cancel_requested" } else { "running" });
        }
        answer(at, to, if is_last { last_status } else { "running" });
        at = to;
    }
    if source.one_in(2) {
        answer(at, at, last_status);
    }
    responses
}

struct Polling {
    source: Source,
    events: Vec<(&'static str, Value)>,
    /// How many tools there were.
    tools: usize,
}

/// A tool of the task API: its name, the model's call, the execution.
struct Action {
    row: (&'static str, &'static str, &'static str),
    call: String,
    id: String,
}

impl Polling {
    fn push(&mut self, kind: &'static str, data: Value) {
        self.events.push((kind, data));
    }

    fn run(&mut self) {
        self.user_message("user", "Why is the build red? – “größe” 🏔");
        self.push("ai_message_start", json!({}));
        let requests = 1 + self.source.below(4);
        for request in 0..requests {
            self.request();
            if request + 1 < requests {
                self.between();
            }
        }
        let background = self.source.one_in(4);
        match self.source.below(8) {
            0 => {
                for _ in 0..=self.source.below(2) {
                    self.push("task_stopped", json!({"message": "任务已停止", "reason": "user_stop"}));
                }
            }
            1 => self.push("error", json!({"message": "磁盘已满"})),
            _ => {
                let tools = self.tools;
                let complete = json!({
                    "total_iterations": requests, "total_tool_calls": tools, "auto_fix_attempts": 0,
                    "has_running_sub_agents": false, "has_running_background_commands": background,
                    "has_running_multi_agent": false, "pending_runtime_guidance_messages": [],
                });
                self.push("task_complete", complete);
            }
        }
    }

    fn user_message(&mut self, source: &str, text: &str) {
        let id = self.source.id("msg");
        let message = json!({
            "message": text, "images": [], "videos": [], "media_refs": [], "message_source": source,
            "visibility": "chat", "starts_work": source == "user", "metadata": {},
            "timestamp": "2026-02-14T09:30:00", "message_id": id,
        });
        self.push("user_message", message);
    }

    /// What may come between two requests to the model.
    fn between(&mut self) {
        match self.source.below(8) {
            0 => self.user_message("guidance", "Look at the lock file first."),
            1 => {
                let tasks = json!([{"index": 1, "title": "Read the log", "status": "done"}]);
                self.push("todo_updated", json!({"todo_list": {"instruction": "Fix the build", "tasks": tasks}}));
            }
            2 => self.push("conversation_changed", json!({"title": "The red build"})),
            3 => self.push("system_message", json!({"content": "后台命令已完成"})),
            4 => {
                let warning = json!({"title": "上下文提醒", "message": "上下文即将达到上限", "type": "warning"});
                self.push("context_warning", warning);
            }
            5 => self.push("edited_files_updated", json!({"edited_files": [{"path": "src/cart.ts", "added": 4}]})),
            _ => {}
        }
    }

    /// One request to the model: thinking, text, tools.
    fn request(&mut self) {
        self.push("api_request_start", json!({"attempt": 1, "max_attempts": 5}));
        if self.source.one_in(4) {
            self.retry();
        }
        let actions: Vec<Action> = (0..self.source.below(3)).map(|_| self.action()).collect();
        let says = actions.is_empty() || self.source.one_in(2);
        // What is open when the calls begin is ended behind them.
        let is_late = !actions.is_empty() && self.source.one_in(2);
        let mut late = Vec::new();
        if self.source.one_in(2) {
            let thought = *self.source.pick(&TEXTS);
            self.push("thinking_start", json!({}));
            for piece in self.source.pieces(thought) {
                self.push("thinking_chunk", json!({"content": piece}));
            }
            late.push(("thinking_end", json!({"full_content": thought})));
            if says || !is_late {
                self.events.append(&mut late);
            }
        }
        if says {
            let text = *self.source.pick(&TEXTS);
            self.push("text_start", json!({}));
            let pieces = self.source.pieces(text);
            self.text(&pieces);
            late.push(("text_end", json!({"full_content": text})));
            if !is_late {
                self.events.append(&mut late);
            }
        }
        for action in &actions {
            self.prepare(action);
        }
        self.events.append(&mut late);
        for action in &actions {
            self.execute(action);
        }
        if self.source.one_in(2) {
            let tokens = json!({
                "cumulative_input_tokens": 5210, "cumulative_output_tokens": 384, "cumulative_total_tokens": 5594,
                "cumulative_cached_input_tokens": 4096, "cache_exempt_input_tokens": 1114,
                "current_context_tokens": 5594, "updated_at": "2026-02-14T09:30:05",
            });
            self.push("token_update", tokens);
        }
    }

    fn text(&mut self, pieces: &[String]) {
        for (at, piece) in pieces.iter().enumerate() {
            let elapsed = if at == 0 { 0.0 } else { (1 + self.source.below(80)) as f64 / 1000.0 };
            self.push("text_chunk", json!({"content": piece, "index": at + 1, "elapsed": elapsed}));
        }
    }

    /// A request that breaks, sometimes within its text, and the next attempt.
    fn retry(&mut self) {
        let began = self.source.one_in(2);
        if began {
            self.push("text_start", json!({}));
            self.text(&["Let me".to_owned()]);
        }
        let error = json!({
            "message": "模型连接中断，正在重试", "status_code": null, "error_type": "stream_disconnected",
            "error_code": null, "error_text": "connection reset", "request_dump": null, "base_url": null,
            "model_id": "qwen-coder", "retry": true, "retry_in": 2.0, "attempt": 1, "max_attempts": 5,
        });
        self.push("error", error);
        if began {
            let reset = json!({"reason": "stream_disconnected", "attempt": 1, "max_attempts": 5, "retry_in": 2.0});
            self.push("stream_reset", reset);
        }
        self.push("api_request_start", json!({"attempt": 2, "max_attempts": 5}));
    }

    fn action(&mut self) -> Action {
        let row = *self.source.pick(&ACTIONS);
        self.tools += 1;
        Action { row, call: self.source.id("call"), id: format!("tool_{}_{}_1771061402", self.tools, row.0) }
    }

    fn prepare(&mut self, action: &Action) {
        let (name, intent) = (action.row.0, "查找 VAT 的定义");
        let preparing = json!({
            "id": action.call, "name": name, "message": format!("准备调用 {name}..."), "intent": null,
        });
        self.push("tool_preparing", preparing);
        for count in 1..=self.source.below(3) {
            let so_far: String = intent.chars().take(5 * count).collect();
            let mut intent = json!({"id": action.call, "name": name, "intent": so_far});
            if self.source.one_in(2) {
                intent["intent_complete"] = json!(false);
            }
            self.push("tool_intent", intent);
        }
    }

    fn execute(&mut self, action: &Action) {
        let Action { row: (name, arguments, snapshot), call, id } = action;
        let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
        if *name == "run_command" && self.source.one_in(2) && !self.approval(action) {
            return;
        }
        let start = json!({
            "id": id, "name": name, "arguments": read(arguments), "preparing_id": call,
            "monitor_snapshot": read(snapshot),
        });
        self.push("tool_start", start);
        if *name == "ask_user" {
            self.question(action);
        }
        if self.source.one_in(3) {
            self.push("update_action", json!({"id": id, "status": "running", "message": "正在执行"}));
        }
        let mut update = match self.source.below(3) {
            0 => json!({"preparing_id": call}),
            1 => json!({"id": id}),
            _ => json!({"id": id, "preparing_id": call}),
        };
        update["status"] = json!("completed");
        update["result"] = json!({"success": !self.source.one_in(5), "size": 1840});
        self.push("update_action", update);
    }

    /// Asks for an approval; gives whether the tool may run.
    fn approval(&mut self, action: &Action) -> bool {
        let Action { row: (name, arguments, _), call, .. } = action;
        let id = format!("approval_{:012x}", self.source.draw() >> 16);
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let approval = json!({
            "approval_id": id, "username": "lin", "conversation_id": "conv_20260214_093000_417", "task_id": null,
            "tool_call_id": call, "tool_name": name, "arguments": arguments, "preview": "npm test",
            "status": "pending", "created_at": "2026-02-14T09:30:01", "decided_at": null, "decision": null,
        });
        self.push("tool_approval_required", json!({"approval": approval}));
        let waits = json!({"preparing_id": call, "status": "awaiting_approval", "message": "等待审批"});
        self.push("update_action", waits);
        if self.source.one_in(2) {
            for stage in ["start", "done"] {
                let progress = json!({"stage": stage, "message": "Looks at the command"});
                self.push("auto_approval_progress", json!({"approval_id": id, "progress": progress}));
            }
        }
        let approved = !self.source.one_in(4);
        let decision = if approved { "approved" } else { "rejected" };
        self.push("tool_approval_resolved", json!({"approval_id": id, "decision": decision, "reason": ""}));
        if !approved {
            let result = json!({"success": false, "status": "rejected", "code": "approval_rejected"});
            let refused = json!({"preparing_id": call, "status": "completed", "result": result});
            self.push("update_action", refused);
        }
        approved
    }

    fn question(&mut self, action: &Action) {
        let batch = format!("batch_{:04x}", self.source.draw() >> 48);
        let id = format!("question_{:06x}", self.source.draw() >> 40);
        let question = json!({
            "question_id": id, "batch_id": batch, "batch_index": 0, "batch_total": 1,
            "question": "Which branch shall I use?", "context": "Two branches have the fix.",
            "options": [{"id": "main", "label": "main"}, {"id": "dev", "label": "dev"}], "status": "pending",
            "created_at": "2026-02-14T09:30:01", "answered_at": null, "answer": null,
        });
        self.push("user_questions_required", json!({"batch_id": batch, "questions": [question]}));
        self.push("update_action", json!({"id": action.id, "status": "awaiting_user_answer"}));
        self.push("user_questions_resolved", json!({"batch_id": batch, "question_ids": [id]}));
    }
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

/// A member of an event, or of the payload that the event has in `data`.
#[derive(Clone, Copy)]
struct Member<'e> {
    name: &'e str,
    of_data: bool,
}

impl<'e> Member<'e> {
    fn of(event: &'e Value) -> impl Iterator<Item = Self> {
        [(event, false), (&event["data"], true)].into_iter().flat_map(|(owner, of_data)| {
            let names = owner.as_object().into_iter().flat_map(Map::keys);
            names.map(move |name| Self { name, of_data })
        })
    }

    /// The object that has the member, of whatever event.
    fn owner<'v>(&self, event: &'v Value) -> &'v Value {
        if self.of_data { &event["data"] } else { event }
    }

    /// The event with another such object.
    fn within(&self, event: &Value, owner: Value) -> Value {
        if !self.of_data {
            return owner;
        }
        let mut event = event.clone();
        event["data"] = owner;
        event
    }
}

impl Fault {
    /// So many of all the places and ways of a stream, at random. `tag` names the member
    /// that tells events apart.
    pub fn sample(source: &mut Source, events: &[Value], tag: &str, count: usize) -> Vec<Self> {
        let whole = Member { name: tag, of_data: false };
        let places: Vec<(usize, Member<'_>, Way)> = (0..events.len())
            .flat_map(|at| {
                let of_members =
                    Member::of(&events[at]).flat_map(move |member| OF_MEMBERS.map(|way| (at, member, way)));
                of_members.chain(OF_EVENTS.map(|way| (at, whole, way)))
            })
            .collect();
        let mut faults = Vec::new();
        while faults.len() < count {
            let (at, member, way) = *source.pick(&places);
            let Some((takes, gives)) = spoil(source, events, at, member, way) else { continue };
            let of = if member.of_data { "data." } else { "" };
            let member = if OF_MEMBERS.contains(&way) { format!(", {of}{}", member.name) } else { String::new() };
            let name = format!("{} {at}{member}: {way:?}", events[at][tag].as_str().unwrap_or_default());
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
fn spoil(
    source: &mut Source,
    events: &[Value],
    at: usize,
    member: Member<'_>,
    way: Way,
) -> Option<(usize, Vec<Value>)> {
    let (event, name) = (&events[at], member.name);
    let (takes, gives) = match way {
        Lost => (1, vec![]),
        Doubled => (1, vec![event.clone(), event.clone()]),
        SwappedWithNext => (2, vec![events.get(at + 1)?.clone(), event.clone()]),
        Number => (1, vec![json!(7)]),
        Array => (1, vec![json!([])]),
        Missing => (1, vec![renamed(event, member, None)?]),
        OtherStyle => (1, vec![renamed(event, member, Some(other_style(name)))?]),
        Capitalised => (1, vec![renamed(event, member, Some(capitalised(name)))?]),
        LettersSwapped => (1, vec![renamed(event, member, Some(letters_swapped(name)))?]),
        Null | Mistyped | Empty | UnknownId | IdOfAnother | OtherType | NearMissType => {
            let mut spoilt = member.owner(event).clone();
            spoilt[name] = other_value(source, events, at, member, way)?;
            (1, vec![member.within(event, spoilt)])
        }
    };
    (gives != events[at..at + takes]).then_some((takes, gives))
}

/// What the member holds instead.
fn other_value(source: &mut Source, events: &[Value], at: usize, member: Member<'_>, way: Way) -> Option<Value> {
    let name = member.name;
    let value = &member.owner(&events[at])[name];
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
            let others = events.iter().map(|event| &member.owner(event)[name]);
            let others: Vec<&Value> = others.filter(|id| id.is_string()).collect();
            if others.is_empty() {
                return None;
            }
            (*source.pick(&others)).clone()
        }
        _ => return None,
    })
}

fn is_id(name: &str) -> bool {
    name == "id" || name == "stepName" || name.ends_with("Id") || name.ends_with("_id")
}

/// The event with a member under another name, or without it.
fn renamed(event: &Value, member: Member<'_>, other: Option<String>) -> Option<Value> {
    let mut members = member.owner(event).as_object()?.clone();
    let value = members.remove(member.name)?;
    if let Some(other) = other {
        if members.contains_key(&other) {
            return None;
        }
        members.insert(other, value);
    }
    Some(member.within(event, members.into()))
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
