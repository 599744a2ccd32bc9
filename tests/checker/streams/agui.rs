//! Runs of AG-UI.

use super::source::{ARGUMENTS, Source, TEXTS};
use serde_json::{Value, json};

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
