//! Sessions and tool executions of Ubik.

use super::source::{ARGUMENTS, Source, TEXTS};
use serde_json::{Value, json};

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
