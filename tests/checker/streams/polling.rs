//! Tasks of the task API.

use super::source::{Source, TEXTS};
use serde_json::{Value, json};

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
