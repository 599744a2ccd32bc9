//! Generated streams of realistic proportions, and who reads them.

use std::fmt::Write as _;
use std::hint::black_box;

use agent_contracts::check::Checker;
use agent_contracts::stream::{Framing, StreamChecker};
use agent_contracts::{Protocol, agui, lime as lime_types, polling, social_app, ubik};

mod agui_runs;
mod lime_turns;
mod random;
mod rewritten;

/// A stream that is as long as a recording: it does not fit into the caches.
pub const LONG: usize = 20_000;

/// A stream for what does not depend on caches, such as instructions.
pub const SHORT: usize = 4000;

/// Any number: streams of other seeds have the same shares of events.
const SEED: u64 = 7;

const WORDS: [&str; 24] = [
    "the",
    " stream",
    " is",
    " checked",
    " while",
    " it",
    " flows,",
    " so",
    " nothing",
    " waits",
    " for",
    " the",
    " end",
    " of",
    " an",
    " answer",
    " that",
    " may",
    " never",
    " come.",
    " 你好",
    " naïve",
    "\\n",
    " \\\"quoted\\\"",
];

/// A stream of one protocol.
pub struct Stream {
    pub name: &'static str,
    pub protocol: Protocol,
    /// Its events.
    pub lines: Vec<String>,
    /// The bytes that carry them.
    pub bytes: Vec<u8>,
    framing: Framing,
}

impl Stream {
    /// An event a line.
    fn new(name: &'static str, protocol: Protocol, lines: Vec<String>) -> Self {
        let bytes = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>().into_bytes();
        Self { name, protocol, lines, bytes, framing: Framing::Ndjson }
    }

    /// The stream of that name, or else those whose names have it as a part, of about so many events.
    pub fn named(name: &str, events: usize) -> impl Iterator<Item = Self> {
        let is_whole = WORKLOADS.iter().any(|(known, _)| *known == name);
        let wanted = move |known: &str| known == name || (!is_whole && known.contains(name));
        WORKLOADS
            .into_iter()
            .filter(move |(name, _)| wanted(name))
            .map(move |(name, made)| Self { name, ..made(events) })
    }

    fn agui(lines: Vec<String>) -> Self {
        Self::new("", Protocol::AGUI, lines)
    }

    /// The tokens, each line written in another way.
    fn rewritten(events: usize, how: fn(&str) -> String) -> Self {
        Self::agui(tokens(events).lines.iter().map(|line| how(line)).collect())
    }

    /// The events, found in the bytes as whoever parses them has to: looked at for UTF-8, line by line.
    /// Of a document it is each event apart, since what parses it at once needs no search.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (bytes, apart) = match self.framing {
            Framing::Json => (&[][..], &self.lines[..]),
            _ => (&self.bytes[..], &[][..]),
        };
        let text = std::str::from_utf8(bytes).unwrap();
        let mut from = 0;
        let lines = memchr::memchr_iter(b'\n', bytes).map(move |end| &text[std::mem::replace(&mut from, end + 1)..end]);
        let event = |line| if self.framing == Framing::Sse { str::strip_prefix(line, "data: ") } else { Some(line) };
        lines.filter_map(event).chain(apart.iter().map(String::as_str))
    }

    fn checker(&self) -> StreamChecker {
        StreamChecker::of(Checker::new(self.protocol.clone()), self.framing)
    }

    /// What is measured is the way of clean input. Gives the share of events that took phase 2 all the same.
    pub fn assert_clean(&self) -> f64 {
        assert!(self.texts().eq(&self.lines), "{}", self.name);
        let mut checker = self.checker();
        for piece in self.bytes.chunks(64 * 1024) {
            assert_eq!(checker.push(piece).iter().map(|found| found.to_string()).next(), None, "{}", self.name);
        }
        assert_eq!(checker.finish().iter().map(|found| found.to_string()).next(), None, "{}", self.name);
        checker.closer_looks() as f64 / checker.events() as f64
    }

    /// The same events with the tag at the end.
    fn tag_last(&self, name: &'static str, tag: &str) -> Self {
        let lines = self
            .lines
            .iter()
            .map(|line| {
                let start = line.find(&format!("\"{tag}\":\"")).unwrap();
                let end = start + tag.len() + 4 + line[start + tag.len() + 4..].find('"').unwrap() + 1;
                let member = &line[start..end];
                let rest = line.replacen(&format!("{member},"), "", 1).replacen(&format!(",{member}"), "", 1);
                format!("{},{member}}}", &rest[..rest.len() - 1])
            })
            .collect();
        Self::new(name, self.protocol.clone(), lines)
    }
}

type Workload = (&'static str, fn(usize) -> Stream);

/// By name.
const WORKLOADS: [Workload; 21] = [
    ("agui, tokens", tokens),
    ("agui, interleaved", |events| Stream::agui(agui_runs::interleaved(events, SEED))),
    ("agui, tools", |events| Stream::agui(agui_runs::tools(events, SEED))),
    ("agui, images", |events| Stream::agui(agui_runs::images(events, SEED))),
    ("agui, state", |events| Stream::agui(agui_runs::state(events, SEED))),
    ("agui, mixed", |events| Stream::agui(agui_runs::mixed(events, SEED))),
    ("agui, server-sent events", server_sent_events),
    ("agui, tag last", |events| Stream::rewritten(events, rewritten::tag_last)),
    ("agui, spaces after colons", |events| Stream::rewritten(events, rewritten::spaced)),
    ("agui, pretty-printed", pretty),
    ("agui, shapes at random", |events| Stream::agui(agui_runs::shuffled(3 * events / 2, SEED))),
    ("agui, short", agui_stream),
    ("lime", lime_stream),
    ("lime, tag last", |events| lime_stream(events).tag_last("", "eventClass")),
    ("lime, varied", |events| Stream::new("", Protocol::LIME, lime_turns::varied(events, SEED))),
    ("social-app", social_app_stream),
    ("social-app, tag last", |events| social_app_stream(events).tag_last("", "type")),
    ("ubik", ubik_stream),
    ("ubik, fragments", ubik_fragments_stream),
    ("polling", |events| Stream::new("", Protocol::POLLING, polling_envelopes(events))),
    ("polling, responses", |events| polling_responses_stream(&polling_envelopes(events))),
];

fn tokens(events: usize) -> Stream {
    Stream::agui(agui_runs::tokens(events, SEED))
}

fn server_sent_events(events: usize) -> Stream {
    let tokens = tokens(events);
    let bytes = rewritten::server_sent_events(&tokens.lines).into_bytes();
    Stream { bytes, framing: Framing::Sse, ..tokens }
}

fn pretty(events: usize) -> Stream {
    let pretty = Stream::rewritten(events, rewritten::pretty);
    Stream { bytes: format!("[{}]\n", pretty.lines.join(",\n")).into_bytes(), framing: Framing::Json, ..pretty }
}

/// A Lime turn after another: mostly text deltas, some tools and commands.
fn lime_stream(events: usize) -> Stream {
    let mut lines = Vec::new();
    let mut sequence = 0;
    let mut event = |lines: &mut Vec<String>, turn: usize, class: &str, kind: &str, status: &str, rest: &str| {
        sequence += 1;
        lines.push(format!(
            r#"{{"id":"evt_{sequence:08}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"app-server","threadId":"thread_1","turnId":"turn_{turn}","eventClass":"{class}","kind":"{kind}","status":"{status}","sequence":{sequence},"title":"Assistant text","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
        ));
    };
    for turn in 0.. {
        event(&mut lines, turn, "turn.started", "state", "running", "");
        for call in 0..3 {
            let id = format!(
                r#","toolCallId":"call_{turn}_{call}","payload":{{"toolName":"search","path":"src/lib.rs","attempt":{call}}}"#
            );
            event(&mut lines, turn, "tool.started", "tool", "running", &id);
            event(
                &mut lines,
                turn,
                "tool.result",
                "tool",
                "completed",
                &format!(r#"{id},"refIds":["ref_{turn}_{call}"]"#),
            );
        }
        for piece in 0..120 {
            let word = WORDS[(piece * 7 + turn) % WORDS.len()];
            let payload = format!(r#","payload":{{"messageId":"msg_{turn}","delta":"{word}"}}"#);
            event(&mut lines, turn, "model.delta", "model", "running", &payload);
        }
        event(&mut lines, turn, "turn.completed", "state", "completed", "");
        if lines.len() >= events {
            return Stream::new("lime", Protocol::LIME, lines);
        }
    }
    unreachable!()
}

/// An AG-UI run after another: mostly text contents, some tools and state.
fn agui_stream(events: usize) -> Stream {
    let mut lines = Vec::new();
    for run in 0.. {
        lines.push(format!(
            r#"{{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-{run}","timestamp":1758000000000}}"#
        ));
        lines.push(r#"{"type":"STATE_SNAPSHOT","snapshot":{"step":0,"items":[],"mode":"search"}}"#.to_owned());
        for call in 0..3 {
            let id = format!("call-{run}-{call}");
            lines.push(format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"{id}","toolCallName":"search"}}"#));
            for piece in ["{\\\"query\\\":", "\\\"event streams\\\",", "\\\"limit\\\":10}"] {
                lines.push(format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{id}","delta":"{piece}"}}"#));
            }
            lines.push(format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"{id}"}}"#));
            lines.push(format!(r#"{{"type":"TOOL_CALL_RESULT","messageId":"tool-{run}-{call}","toolCallId":"{id}","content":"three results","role":"tool"}}"#));
            lines.push(format!(
                r#"{{"type":"STATE_DELTA","delta":[{{"op":"replace","path":"/step","value":{call}}}]}}"#
            ));
        }
        let message = format!("message-{run}");
        lines.push(format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"{message}","role":"assistant"}}"#));
        for piece in 0..160 {
            let mut line = format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{message}","delta":""#);
            let _ = write!(line, "{}\"}}", WORDS[(piece * 5 + run) % WORDS.len()]);
            lines.push(line);
        }
        lines.push(format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"{message}"}}"#));
        lines.push(format!(r#"{{"type":"RUN_FINISHED","threadId":"thread-1","runId":"run-{run}"}}"#));
        if lines.len() >= events {
            return Stream::new("agui, short", Protocol::AGUI, lines);
        }
    }
    unreachable!()
}

const THREAD: &str = "c2b7a9d4-5e61-4f38-8d0c-94e2f7a1b630";

/// What social-app calls: module, method, input.
const CALLS: [(&str, &str, &str); 5] = [
    ("calendar", "read", r#"{"mode":"day","date":"2026-04-28","timezone":"Asia/Shanghai"}"#),
    (
        "calendar",
        "create",
        r#"{"title":"产品评审会","start_at":"2026-04-28T15:00:00+08:00","end_at":"2026-04-28T16:00:00+08:00"}"#,
    ),
    ("contacts", "read", r#"{"query":"王琳","limit":10}"#),
    ("calendar", "share", r#"{"event_id":"evt_8f21","people":["王琳","李强"],"message":"请准时参加"}"#),
    ("memory", "update", r#"{"facts":["周三下午不开会","会议默认三十分钟"],"merge":true}"#),
];

/// The members of a result but its id, none of which repeats an input: each result has the
/// first few.
const FACTS: [&str; 19] = [
    r#""outcome":"done""#,
    r#""total":3"#,
    r#""calendar_name":"工作日历""#,
    r#""starts":"2026-04-28T15:00:00+08:00""#,
    r#""conflicts":[]"#,
    r#""organizer":{"id":"usr_0042","name":"陈晨","team":"产品部"}"#,
    r#""ends":"2026-04-28T16:00:00+08:00""#,
    r#""attendees":[{"id":"usr_0107","name":"王琳"},{"id":"usr_0315","name":"李强"}]"#,
    r#""all_day":false"#,
    r#""place":"三号会议室""#,
    r#""notes":"请提前十分钟到场,\n并带上本周的进展。""#,
    r#""recurrence":null"#,
    r#""reminder_minutes":15"#,
    r#""visibility":"private""#,
    r#""free_slots":[{"from":"09:00","until":"09:30"},{"from":"11:00","until":"12:00"}]"#,
    r#""created_by":"agent""#,
    r#""updated_on":"2026-04-27""#,
    r#""version":7"#,
    r#""summary":"下午三点没有冲突,已通知两位参与者。""#,
];

/// What answers are made of.
const SENTENCES: [&str; 6] = [
    "明天 15:00 没有冲突,已为你创建“产品评审会”(15:00–16:00)。",
    "上午有两项安排:09:30 晨会,10:30 客户回访。\n",
    "王琳和李强都有空,邀请已经发出,他们接受之后我会告诉你。",
    "会议室是三号,可坐十二人,投影已经预订。",
    "如果需要改到周四,我可以先查看大家的日程再给你几个时间。\n",
    "按照你的习惯,会议默认三十分钟,周三下午不安排。",
];

/// A social-app run after another: steps, calls with their results and cards, an answer.
fn social_app_stream(events: usize) -> Stream {
    let mut lines = Vec::new();
    let event = |lines: &mut Vec<String>, run: usize, kind: &str, rest: &str| {
        lines.push(format!(r#"{{"type":"{kind}","threadId":"{THREAD}","runId":"run-{run:06}"{rest}}}"#));
    };
    for run in 0.. {
        event(&mut lines, run, "RUN_STARTED", "");
        event(&mut lines, run, "STEP_STARTED", r#","stepName":"router""#);
        event(&mut lines, run, "STEP_FINISHED", r#","stepName":"router""#);
        event(&mut lines, run, "STEP_STARTED", r#","stepName":"worker""#);
        for call in 0..=run % 4 {
            let (module, method, input) = CALLS[(run + call) % CALLS.len()];
            let (message, id) = (format!("msg-{run:06}-{call}"), format!("call-{run:06}-{call}"));
            let args = format!(r#"{{"module":"{module}","method":"{method}","input":{input}}}"#);
            let names = format!(r#","messageId":"{message}","toolCallId":"{id}","toolCallName":"project_cli""#);
            event(&mut lines, run, "TOOL_CALL_START", &format!(r#"{names},"stage":"worker""#));
            event(&mut lines, run, "TOOL_CALL_ARGS", &format!(r#"{names},"args":{args},"stage":"worker""#));
            event(&mut lines, run, "TOOL_CALL_END", &format!(r#"{names},"stage":"worker""#));
            let count = 4 + (run * 5 + call * 3) % 16;
            let (facts, card) = (FACTS[..count].join(","), card(count));
            let result = format!(
                r#","messageId":"{message}","role":"tool","stage":"worker","tool_name":"{module}.{method}","tool_call_id":"{id}","tool_call_args":{args},"status":"success","result":{{"id":"evt_{run:06}{call}",{facts}}},"error":null,"ui_schema":{card}"#
            );
            event(&mut lines, run, "TOOL_CALL_RESULT", &result);
        }
        let (answer, used, cached) = (answer(run), 1200 + run % 900, 512 + run % 300);
        let text = format!(
            r#","messageId":"msg-{run:06}","role":"assistant","stage":"worker","status":"success","answer":"{answer}","suggested_actions":["邀请王琳参加","提前 15 分钟提醒我"],"error":null,"totalTokens":{used},"cachedPromptTokens":{cached},"promptCacheHitTokens":{cached},"promptCacheMissTokens":300,"reasoningTokens":null,"costSource":"catalog_fallback","usageComplete":true"#
        );
        event(&mut lines, run, "TEXT_MESSAGE_END", &text);
        event(&mut lines, run, "STEP_FINISHED", r#","stepName":"worker""#);
        event(&mut lines, run, "RUN_FINISHED", "");
        if lines.len() >= events {
            return Stream::new("social-app", Protocol::SOCIAL_APP, lines);
        }
    }
    unreachable!()
}

/// How to show a result with so many facts: a title, rows of text, buttons.
fn card(facts: usize) -> String {
    let row =
        |at: usize| format!(r#"{{"type":"text","text":"{}:30 产品评审会","role":"body","format":"plain"}},"#, 9 + at);
    let rows: String = (0..facts / 2).map(row).collect();
    format!(
        r#"{{"version":"2.0","locale":"zh-CN","status":"success","root":{{"type":"stack","direction":"vertical","children":[{{"type":"text","text":"4 月 28 日的日程","role":"title","format":"plain"}},{rows}{{"type":"stack","direction":"horizontal","children":[{{"type":"button","label":"邀请参与者","action":{{"kind":"prompt","text":"邀请王琳参加"}}}},{{"type":"button","label":"改时间","action":{{"kind":"prompt","text":"改到周四"}}}}]}}]}}}}"#
    )
}

/// An answer of 50 to 400 characters.
fn answer(run: usize) -> String {
    let length = 50 + run * 37 % 351;
    let text: String = (run..).flat_map(|at| SENTENCES[at % SENTENCES.len()].chars()).take(length).collect();
    text.replace('\n', "\\n")
}

/// A session of Ubik while it is made. Texts are as they are written in JSON.
struct Session {
    lines: Vec<String>,
    /// The text of the message.
    content: String,
}

const TASK: &str = "e82b5f07-4a6c-4d19-b053-7f91c8d2e64a";
const MESSAGE: &str = "c5d98e31-2f70-4ab6-8e14-96b0a7d3f258";

impl Session {
    fn begin() -> Self {
        let mut session = Self { lines: Vec::new(), content: String::new() };
        session.lines.push(format!(
            r#"{{"type":"connection_established","session_id":"6f1c2a94-0b7d-4e35-9a18-c4d25e7f3b60","connection_id":"b3e07d58-91f4-4c2a-8d6b-1a5f90c37e24","task_id":"{TASK}"}}"#
        ));
        session.event("agent_processing_started", &format!(r#""task_id":"{TASK}""#));
        session.event("response_stream_start", &format!(r#""message_id":"{MESSAGE}","task_id":"{TASK}""#));
        session
    }

    /// The time of the next event, 25 milliseconds after the one before.
    fn time(&self) -> String {
        let now = 50_531_120 + 25 * self.lines.len();
        let (seconds, millis) = (now / 1000, now % 1000);
        format!("2026-03-12T{:02}:{:02}:{:02}.{millis:03}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    fn event(&mut self, kind: &str, members: &str) {
        let line = format!(r#"{{"type":"{kind}",{members},"timestamp":"{}"}}"#, self.time());
        self.lines.push(line);
    }

    fn chunk(&mut self, step: usize, text: &str) {
        self.event("response_chunk", &format!(r#""content":"{text}","step":{step}"#));
        self.content += text;
    }

    fn tool(&mut self, id: &str, data: &str) {
        let call = format!(r#""tool_execution_id":"{id}","tool_name":"web_search""#);
        self.event("tool_update", &format!(r#"{call},"data":{data}"#));
    }

    fn begin_step(&mut self, step: usize) {
        let members = format!(r#""step":{step},"description":"Compare the sources","single_step_agent":false"#);
        self.event("agent_step_started", &members);
        self.content += &format!("<<STEP_START>>\\nStep {step}: Compare the sources ✓\\n");
    }

    fn end_step(&mut self, step: usize) {
        let members = format!(r#""step":{step},"progress":100,"completed":true,"results":{{}}"#);
        self.event("agent_step_completed", &members);
        self.content += "\\n<<STEP_END>>\\n";
    }

    fn end(mut self, name: &'static str) -> Stream {
        let members = format!(r#""message_id":"{MESSAGE}","content":"{}","result":{{}}"#, self.content);
        self.event("agent_processing_complete", &members);
        Stream::new(name, Protocol::UBIK, self.lines)
    }
}

/// How a step of Ubik begins: a thought and a tool call, whose tags are cut in two.
const MARKUP: [&str; 8] = [
    "<<thinking>>\\nI look",
    " it up.\\n<</think",
    "ing>>\\n<<TOOL_STEP_START/web_se",
    "arch:call_0>>\\n<<TOOL_STEP_INPUT_",
    "START>>\\n{\\\"query\\\":",
    "\\\"你好\\\"}\\n<<TOOL_STEP_INPUT_END>>",
    "\\n<<TOOL_STEP_END/web_search:",
    "call_0>>\\n",
];

/// A session of Ubik: 94 of 100 events are pieces of the answer, which would be too large for an event if it were longer.
fn ubik_stream(events: usize) -> Stream {
    let events = events.min(SHORT);
    let mut session = Session::begin();
    for step in 1..=events / 100 {
        session.begin_step(step);
        for piece in 0..94 {
            let text = if step % 4 == 1 { MARKUP.get(piece).copied() } else { None };
            session.chunk(step, text.unwrap_or(WORDS[(piece * 7 + step) % WORDS.len()]));
            let id = format!("call_{step:08}aK3xQ9");
            match piece {
                10 => session.tool(&id, r#"{"phase":"WEB_SEARCH","status":"started","query":"event streams"}"#),
                40 => session.tool(&id, r#"{"phase":"RERANKING","status":"completed","data":{"reranked_count":8}}"#),
                _ => {}
            }
        }
        session.end_step(step);
        let (total, progress) = (events / 100, step * 100 / (events / 100));
        let description = format!("Completed step {step}: Compare the sources");
        session.event(
            "agent_progress",
            &format!(r#""step":{step},"total_steps":{total},"description":"{description}","progress":{progress}.0"#),
        );
    }
    session.end("ubik")
}

/// The most that a line may have, in bytes.
const FRAGMENT: usize = 1400;

/// A session of Ubik whose tools find so much that it comes in fragments.
fn ubik_fragments_stream(events: usize) -> Stream {
    let mut session = Session::begin();
    session.begin_step(1);
    for call in 0.. {
        let id = format!("call_{call:08}bR7mZ2");
        session.tool(&id, r#"{"phase":"WEB_SEARCH","status":"started","query":"event streams"}"#);
        let source = |rank: usize| {
            let snippet = SENTENCES[(call + rank) % SENTENCES.len()].trim_end();
            format!(
                r#"{{"rank":{rank},"title":"Quelle {rank} – “größer”","url":"https://example.org/{call}/{rank}","snippet":"{snippet} {snippet}","engine":"example","score":0.9}}"#
            )
        };
        let count = 8 + call % 8;
        let sources: Vec<String> = (1..=count).map(source).collect();
        let found = format!(r#"{{"results_count":{count},"sources":[{}]}}"#, sources.join(","));
        let text = format!(
            r#"{{"type":"tool_update","tool_execution_id":"{id}","tool_name":"web_search","data":{{"phase":"WEB_SEARCH","status":"completed","data":{found},"output_key":"sources"}},"timestamp":"{}"}}"#,
            session.time()
        );
        let group = format!("8a2f64c7-b019-4d5e-93a8-{call:012x}");
        let fragments = ubik::split_text("tool_update", &text, group, FRAGMENT).unwrap().unwrap_or_default();
        session.lines.extend(fragments.into_iter().map(|fragment| ubik::Event::Delta(fragment).to_json()));
        session.chunk(1, WORDS[call % WORDS.len()]);
        if session.lines.len() >= events {
            session.end_step(1);
            return session.end("ubik, fragments");
        }
    }
    unreachable!()
}

/// A task of the task API: requests of thinking, text and a tool.
fn polling_envelopes(events: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let scope =
        format!(r#""task_id":"{TASK}","conversation_id":"conv_20260214_093000_417","workspace_id":"ws_orders""#);
    let event = |lines: &mut Vec<String>, kind: &str, data: &str| {
        let (idx, comma) = (lines.len(), if data.is_empty() { "" } else { "," });
        let micros = 154_797 + 31_009 * idx;
        let (seconds, micros) = (1_769_182_968 + micros / 1_000_000, micros % 1_000_000);
        let ts = format!("{seconds}.{micros:06}");
        lines.push(format!(r#"{{"idx":{idx},"type":"{kind}","data":{{{data}{comma}{scope}}},"ts":{ts}}}"#));
    };
    let message = r#""message":"为什么构建是红色的?","images":[],"videos":[],"media_refs":[],"message_source":"user","visibility":"chat","starts_work":true,"metadata":{},"timestamp":"2026-01-23T15:42:48""#;
    event(&mut lines, "user_message", message);
    event(&mut lines, "ai_message_start", "");
    for request in 0.. {
        event(&mut lines, "api_request_start", r#""attempt":1,"max_attempts":5"#);
        for (kind, count) in [("thinking", 30), ("text", 90)] {
            event(&mut lines, &format!("{kind}_start"), "");
            let mut whole = String::new();
            for piece in 0..count {
                let word = WORDS[(piece * 5 + request) % WORDS.len()];
                whole += word;
                let (index, elapsed) = (piece + 1, if piece == 0 { "0.0" } else { "0.031009" });
                let place = format!(r#","index":{index},"elapsed":{elapsed}"#);
                let place = if kind == "text" { place.as_str() } else { "" };
                event(&mut lines, &format!("{kind}_chunk"), &format!(r#""content":"{word}"{place}"#));
            }
            event(&mut lines, &format!("{kind}_end"), &format!(r#""full_content":"{whole}""#));
        }
        let (call, id) = (format!("call_{request:08}"), format!("tool_{request}_read_file_1769182968"));
        let named = format!(r#""id":"{call}","name":"read_file""#);
        event(&mut lines, "tool_preparing", &format!(r#"{named},"message":"准备调用 read_file...","intent":null"#));
        event(&mut lines, "tool_intent", &format!(r#"{named},"intent":"查找 VAT 的定义","intent_complete":true"#));
        let start = format!(
            r#""id":"{id}","name":"read_file","arguments":{{"path":"src/cart.ts"}},"preparing_id":"{call}","monitor_snapshot":{{"path":"src/cart.ts","content":"export const vat = 0.19;\n"}}"#
        );
        event(&mut lines, "tool_start", &start);
        let update = format!(
            r#""id":"{id}","preparing_id":"{call}","status":"completed","result":{{"success":true,"path":"src/cart.ts","size":1840}},"message":"已读取 src/cart.ts""#
        );
        event(&mut lines, "update_action", &update);
        event(
            &mut lines,
            "token_update",
            r#""cumulative_input_tokens":5210,"cumulative_output_tokens":384,"cumulative_total_tokens":5594,"cumulative_cached_input_tokens":4096,"cache_exempt_input_tokens":1114,"current_context_tokens":5594,"updated_at":"2026-01-23T15:42:51""#,
        );
        if lines.len() >= events {
            let requests = request + 1;
            let complete = format!(
                r#""total_iterations":{requests},"total_tool_calls":{requests},"auto_fix_attempts":0,"has_running_sub_agents":false,"has_running_background_commands":false,"has_running_multi_agent":false,"pending_runtime_guidance_messages":[]"#
            );
            event(&mut lines, "task_complete", &complete);
            return lines;
        }
    }
    unreachable!()
}

/// The same events as the answers to polls, of 1 to 40 events each, as a client gets them.
fn polling_responses_stream(envelopes: &[String]) -> Stream {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < envelopes.len() {
        let next = envelopes.len().min(at + 1 + lines.len() * 7 % 40);
        let status = if next == envelopes.len() { "succeeded" } else { "running" };
        let events = envelopes[at..next].join(",");
        let updated = &envelopes[next - 1][envelopes[next - 1].rfind(':').unwrap() + 1..];
        let updated = updated.trim_end_matches('}');
        lines.push(format!(
            r#"{{"success":true,"data":{{"task_id":"{TASK}","workspace_id":"ws_orders","status":"{status}","created_at":1769182968.0,"updated_at":{updated},"error":null,"events":[{events}],"next_offset":{next}}}}}"#
        ));
        at = next;
    }
    Stream::new("polling, responses", Protocol::POLLING, lines)
}

/// Who reads the stream.
#[derive(Clone, Copy)]
pub enum Contender {
    Value,
    IgnoredAny,
    Decode,
    CheckStrict,
}

impl Contender {
    /// `Value` first: the others are held against it.
    pub const ALL: [Self; 4] = [Self::Value, Self::IgnoredAny, Self::Decode, Self::CheckStrict];

    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "serde_json::Value",
            Self::IgnoredAny => "serde::de::IgnoredAny",
            Self::Decode => "typed decode",
            Self::CheckStrict => "strict check",
        }
    }

    pub fn run(self, stream: &Stream) {
        match self {
            Self::Value => {
                for line in stream.texts() {
                    black_box(serde_json::from_str::<serde_json::Value>(line).unwrap());
                }
            }
            Self::IgnoredAny => {
                for line in stream.texts() {
                    black_box(serde_json::from_str::<serde::de::IgnoredAny>(line).unwrap());
                }
            }
            Self::Decode => {
                for line in stream.texts() {
                    match stream.protocol.id() {
                        "polling" if line.starts_with("{\"idx\"") => {
                            drop(black_box(polling::Envelope::from_json(line).unwrap()));
                        }
                        "polling" => drop(black_box(polling::PollResponse::from_json(line).unwrap())),
                        "agui" => drop(black_box(agui::Event::from_json(line).unwrap())),
                        "ubik" => drop(black_box(ubik::Event::from_json(line).unwrap())),
                        "social-app" => drop(black_box(social_app::Event::from_json(line).unwrap())),
                        _ => drop(black_box(lime_types::Event::from_json(line).unwrap())),
                    }
                }
            }
            Self::CheckStrict => {
                let mut checker = stream.checker();
                for piece in stream.bytes.chunks(64 * 1024) {
                    assert!(checker.push(piece).is_empty());
                }
                black_box(checker.finish().len());
            }
        }
    }
}
