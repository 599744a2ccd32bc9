//! Clean AG-UI streams of the shapes that agents send.
//!
//! A workload is made of whole runs, so it may have some events more than were asked for. The same seed gives the
//! same stream.

use std::fmt::Write as _;

use super::random::{Random, pieces, quoted};
use super::rewritten::{pretty, reshaped};

/// Answers in small pieces, with tool calls and a little state.
pub fn tokens(events: usize, seed: u64) -> Vec<String> {
    runs(events, seed, Stream::tokens_run)
}

/// Four messages and a tool call open at once; each event with `timestamp` and `metadata`.
pub fn interleaved(events: usize, seed: u64) -> Vec<String> {
    runs(events, seed, Stream::interleaved_run)
}

/// Half of the events are results of 2 kB: JSON in a string.
pub fn tools(events: usize, seed: u64) -> Vec<String> {
    runs(events, seed, Stream::tools_run)
}

/// A third of the events are results that are not made of words: images in base64, and lists of files with their
/// hashes.
pub fn images(events: usize, seed: u64) -> Vec<String> {
    runs(events, seed, Stream::images_run)
}

/// Snapshots of 40 items and patches of them; activities and lists of messages.
pub fn state(events: usize, seed: u64) -> Vec<String> {
    runs(events, seed, Stream::state_run)
}

/// All that a run may have: input, steps, reasoning, subagents, chunks, parts, interrupts, usage.
pub fn mixed(events: usize, seed: u64) -> Vec<String> {
    runs(events, seed, Stream::mixed_run)
}

/// Everything above and texts of 1 byte to 1 MB, written as unlike what a fast path expects as JSON allows.
pub fn shuffled(events: usize, seed: u64) -> Vec<String> {
    const SHAPES: [fn(&mut Stream); 8] = [
        Stream::tokens_run,
        Stream::interleaved_run,
        Stream::tools_run,
        Stream::state_run,
        Stream::mixed_run,
        Stream::sizes_run,
        Stream::sizes_run,
        Stream::sizes_run,
    ];
    let lines = runs(events, seed, |stream| {
        let run = stream.random.pick(&SHAPES);
        run(stream);
    });
    let mut random = Random::new(!seed);
    lines.iter().map(|line| reshaped(&mut random, line)).collect()
}

fn runs(events: usize, seed: u64, mut run: impl FnMut(&mut Stream)) -> Vec<String> {
    let mut stream = Stream::new(seed);
    while stream.lines.len() < events {
        run(&mut stream);
    }
    stream.lines
}

const TOOLS: [&str; 6] = ["search", "fetch_page", "read_file", "mcp__calendar__list_events", "query_db", "get_weather"];

/// Which optional members all events of a run have.
#[derive(Clone, Copy, PartialEq)]
enum Stamp {
    None,
    Time,
    TimeAndMetadata,
}

/// A stream while it is made. `members` are those after `type`, without braces.
struct Stream {
    lines: Vec<String>,
    random: Random,
    thread: String,
    run: String,
    stamp: Stamp,
    clock: u64,
    /// The `subagentRunId` member of the events of a subagent.
    tag: String,
    /// The run that was interrupted last, and its interrupt.
    interrupted: Option<(String, String)>,
}

impl Stream {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let thread = random.uuid();
        let (run, tag) = (String::new(), String::new());
        let clock = 1_767_258_004_040;
        Self { lines: Vec::new(), random, thread, run, stamp: Stamp::None, clock, tag, interrupted: None }
    }

    fn event(&mut self, kind: &str, members: &str) {
        let mut line = format!(r#"{{"type":"{kind}",{members}{}"#, self.tag);
        if self.stamp != Stamp::None {
            self.clock += self.random.below(60) as u64;
            write!(line, r#","timestamp":{}"#, self.clock).unwrap();
        }
        if self.stamp == Stamp::TimeAndMetadata {
            let (trace, took) = (self.random.uuid(), self.random.below(900));
            write!(line, r#","metadata":{{"traceId":"{trace}","model":"example-large","latencyMs":{took}}}"#).unwrap();
        }
        line.push('}');
        self.lines.push(line);
    }

    fn new_run(&mut self, stamp: Stamp) {
        self.stamp = stamp;
        self.run = self.random.uuid();
    }

    /// A boundary of the run; `more` members begin with a comma.
    fn boundary(&mut self, kind: &str, more: &str) {
        let members = format!(r#""threadId":"{}","runId":"{}"{more}"#, self.thread, self.run);
        self.event(kind, &members);
    }

    fn begin(&mut self, stamp: Stamp) {
        self.new_run(stamp);
        self.boundary("RUN_STARTED", "");
    }

    fn start_message(&mut self) -> String {
        let id = self.random.uuid();
        self.event("TEXT_MESSAGE_START", &format!(r#""messageId":"{id}","role":"assistant""#));
        id
    }

    fn content(&mut self, kind: &str, id: &str, text: &str) {
        self.event(kind, &format!(r#""messageId":"{id}","delta":{}"#, quoted(text)));
    }

    fn message(&mut self, low: usize, high: usize) -> String {
        let id = self.start_message();
        for _ in 0..self.random.between(low, high) {
            let word = self.random.word();
            self.content("TEXT_MESSAGE_CONTENT", &id, &word);
        }
        self.event("TEXT_MESSAGE_END", &format!(r#""messageId":"{id}""#));
        id
    }

    fn start_call(&mut self, parent: Option<&str>) -> String {
        let (id, name) = (format!("call_{}", self.random.alphanumeric(24)), self.random.pick(&TOOLS));
        let parent = parent.map(|parent| format!(r#","parentMessageId":"{parent}""#)).unwrap_or_default();
        self.event("TOOL_CALL_START", &format!(r#""toolCallId":"{id}","toolCallName":"{name}"{parent}"#));
        id
    }

    fn args(&mut self, id: &str, delta: &str) {
        self.event("TOOL_CALL_ARGS", &format!(r#""toolCallId":"{id}","delta":{}"#, quoted(delta)));
    }

    fn end_call(&mut self, id: &str) {
        self.event("TOOL_CALL_END", &format!(r#""toolCallId":"{id}""#));
    }

    /// A call whose arguments come in pieces of so many characters.
    fn call(&mut self, parent: Option<&str>, low: usize, high: usize) -> String {
        let id = self.start_call(parent);
        let arguments = arguments(&mut self.random);
        for piece in pieces(&mut self.random, &arguments, low, high) {
            self.args(&id, &piece);
        }
        self.end_call(&id);
        id
    }

    /// `content` is JSON: a string or a list of parts.
    fn result(&mut self, call: &str, content: &str) {
        let message = self.random.uuid();
        let members = format!(r#""messageId":"{message}","toolCallId":"{call}","content":{content},"role":"tool""#);
        self.event("TOOL_CALL_RESULT", &members);
    }

    fn tokens_run(&mut self) {
        self.begin(Stamp::None);
        self.event("STATE_SNAPSHOT", r#""snapshot":{"phase":"research","found":0,"sources":[]}"#);
        for call in 1..=self.random.below(5) {
            let parent = self.message(5, 25);
            let id = self.call(Some(&parent), 2, 14);
            let bytes = self.random.between(120, 560);
            let found = quoted(&document(&mut self.random, bytes));
            self.result(&id, &found);
            let url = quoted(&self.random.url());
            self.event(
                "STATE_DELTA",
                &format!(
                    r#""delta":[{{"op":"replace","path":"/found","value":{call}}},{{"op":"add","path":"/sources/-","value":{url}}}]"#
                ),
            );
        }
        self.message(40, 160);
        self.boundary("RUN_FINISHED", "");
    }

    fn interleaved_run(&mut self) {
        self.begin(Stamp::TimeAndMetadata);
        let messages: Vec<String> = (0..4).map(|_| self.start_message()).collect();
        let call = self.start_call(None);
        let arguments = document(&mut self.random, 400);
        for piece in pieces(&mut self.random, &arguments, 1, 12) {
            for message in &messages {
                let word = self.random.word();
                self.content("TEXT_MESSAGE_CONTENT", message, &word);
            }
            self.args(&call, &piece);
        }
        for message in &messages {
            self.event("TEXT_MESSAGE_END", &format!(r#""messageId":"{message}""#));
        }
        self.end_call(&call);
        let content = self.random.quoted_words(200, 800);
        self.result(&call, &content);
        self.boundary("RUN_FINISHED", "");
    }

    /// A call that is streamed takes three events and its result, so the results of earlier calls, which the input
    /// names, make up the half.
    fn tools_run(&mut self) {
        self.new_run(Stamp::None);
        let earlier: Vec<String> = (0..24).map(|_| format!("call_{}", self.random.alphanumeric(24))).collect();
        let calls: Vec<String> = earlier.iter().map(|id| called(&mut self.random, id)).collect();
        let (thread, run, message, calls) = (&self.thread, &self.run, self.random.uuid(), calls.join(","));
        let input = format!(
            r#","input":{{"threadId":"{thread}","runId":"{run}","messages":[{{"id":"{message}","role":"assistant","toolCalls":[{calls}]}}]}}"#
        );
        self.boundary("RUN_STARTED", &input);
        for earlier in earlier.chunks(2) {
            let id = self.call(None, 200, 200);
            for call in earlier.iter().chain([&id]) {
                let bytes = self.random.between(1000, 1500);
                let found = quoted(&pretty(&document(&mut self.random, bytes)));
                self.result(call, &found);
            }
        }
        self.boundary("RUN_FINISHED", "");
    }

    fn images_run(&mut self) {
        self.begin(Stamp::None);
        for _ in 0..self.random.between(2, 8) {
            let id = self.call(None, 200, 200);
            let content = match self.random.below(6) {
                0 => format!(r#""{}""#, base64(&mut self.random, 2000, 24_000)),
                1 => quoted(&format!(
                    r#"{{"mimeType":"image/png","data":"{}"}}"#,
                    base64(&mut self.random, 2000, 12_000)
                )),
                _ => {
                    let files = self.random.between(5, 40);
                    let line = |random: &mut Random| format!("{}  src/{}.rs\n", random.hex(64), random.hex(7));
                    quoted(&(0..files).map(|_| line(&mut self.random)).collect::<String>())
                }
            };
            self.result(&id, &content);
        }
        self.boundary("RUN_FINISHED", "");
    }

    fn state_run(&mut self) {
        self.begin(Stamp::None);
        let (mut items, mut revision) = (40, 0);
        let list: Vec<String> = (0..items).map(|_| item(&mut self.random)).collect();
        self.event(
            "STATE_SNAPSHOT",
            &format!(
                r#""snapshot":{{"revision":0,"selected":null,"counters":{{"open/closed":0,"a~b":0}},"items":[{}]}}"#,
                list.join(",")
            ),
        );
        // One plan of the thread, which each run replaces: the checker keeps what activities hold only up to a limit.
        let named = format!(r#""messageId":"plan-{}","activityType":"PLAN""#, self.thread);
        let title = self.random.quoted_words(10, 60);
        self.event(
            "ACTIVITY_SNAPSHOT",
            &format!(r#"{named},"content":{{"title":{title},"percent":0,"steps":[{{"name":"read","done":false}}]}}"#),
        );
        for step in 1..=self.random.between(20, 60) {
            let count = self.random.between(1, 4);
            let patch: Vec<String> = (0..count).map(|_| self.operation(&mut items, &mut revision)).collect();
            self.event("STATE_DELTA", &format!(r#""delta":[{}]"#, patch.join(",")));
            if step % 6 == 0 {
                let name = self.random.quoted_words(5, 30);
                self.event(
                    "ACTIVITY_DELTA",
                    &format!(
                        r#"{named},"patch":[{{"op":"replace","path":"/percent","value":{step}}},{{"op":"replace","path":"/steps/0/done","value":true}},{{"op":"add","path":"/steps/-","value":{{"name":{name},"done":false}}}}]"#
                    ),
                );
            }
        }
        let conversation = conversation(&mut self.random);
        self.event("MESSAGES_SNAPSHOT", &format!(r#""messages":[{conversation}]"#));
        self.message(5, 20);
        self.boundary("RUN_FINISHED", "");
    }

    /// An operation that applies to a state of so many items at this revision.
    fn operation(&mut self, items: &mut usize, revision: &mut usize) -> String {
        let random = &mut self.random;
        let (at, other) = (random.below(*items), random.below(*items));
        match random.below(12) {
            0 | 1 => {
                let status = random.pick(&["open", "running", "blocked", "done"]);
                format!(r#"{{"op":"replace","path":"/items/{at}/status","value":"{status}"}}"#)
            }
            2 => format!(r#"{{"op":"replace","path":"/items/{at}/progress","value":{}}}"#, random.below(101)),
            3 => format!(r#"{{"op":"add","path":"/items/{at}/tags/-","value":{}}}"#, random.quoted_words(1, 12)),
            4 => format!(r#"{{"op":"add","path":"/items/{at}/note","value":{}}}"#, random.quoted_words(10, 200)),
            5 => format!(r#"{{"op":"add","path":"/items/{at}/assignee","value":{}}}"#, person(random)),
            6 => format!(r#"{{"op":"replace","path":"/counters/open~1closed","value":{}}}"#, random.below(50)),
            7 => format!(r#"{{"op":"move","from":"/items/{at}","path":"/items/{other}"}}"#),
            8 => format!(r#"{{"op":"copy","from":"/items/{at}/id","path":"/selected"}}"#),
            9 => {
                *revision += 1;
                format!(r#"{{"op":"replace","path":"/revision","value":{revision}}}"#)
            }
            10 => format!(r#"{{"op":"test","path":"/revision","value":{revision}}}"#),
            _ if *items > 40 => {
                *items -= 1;
                format!(r#"{{"op":"remove","path":"/items/{at}"}}"#)
            }
            _ => {
                *items += 1;
                format!(r#"{{"op":"add","path":"/items/-","value":{}}}"#, item(random))
            }
        }
    }

    fn mixed_run(&mut self) {
        self.new_run(Stamp::Time);
        let started = self.started();
        self.boundary("RUN_STARTED", &started);
        self.step("understand", Self::reason);
        self.step("work", Self::work);
        if self.random.percent(40) {
            self.step("delegate", Self::delegate);
        }
        if self.random.percent(50) {
            self.json_answer();
        } else {
            self.chunks();
            self.message(20, 80);
        }
        if self.random.percent(30) {
            let conversation = conversation(&mut self.random);
            self.event("MESSAGES_SNAPSHOT", &format!(r#""messages":[{conversation}]"#));
        }
        self.end_mixed();
    }

    /// The members of RUN_STARTED after the ids.
    fn started(&mut self) -> String {
        let (parent, resume) = match self.interrupted.take() {
            Some((run, interrupt)) => (
                format!(r#","parentRunId":"{run}""#),
                format!(
                    r#","resume":[{{"interruptId":"{interrupt}","status":"resolved","payload":{{"approved":true,"comment":{}}}}}]"#,
                    self.random.quoted_words(0, 60)
                ),
            ),
            None => Default::default(),
        };
        let tools: Vec<String> = TOOLS.iter().map(|name| tool(&mut self.random, name)).collect();
        let (thread, run, tools) = (&self.thread, &self.run, tools.join(","));
        let (messages, context) = (conversation(&mut self.random), self.random.quoted_words(20, 300));
        let (state, forwarded) = (self.random.object(2), self.random.object(1));
        format!(
            r#","protocolVersion":"1.0"{parent},"input":{{"threadId":"{thread}","runId":"{run}","protocolVersion":"1.0"{parent},"state":{state},"messages":[{messages}],"tools":[{tools}],"context":[{{"description":"Time zone","value":"Europe/Oslo"}},{{"description":"Open page","value":{context}}}],"forwardedProps":{forwarded}{resume}}}"#
        )
    }

    fn step(&mut self, name: &str, inner: fn(&mut Self)) {
        self.event("STEP_STARTED", &format!(r#""stepName":"{name}""#));
        inner(self);
        self.event("STEP_FINISHED", &format!(r#""stepName":"{name}""#));
    }

    fn reason(&mut self) {
        let (span, id) = (self.random.uuid(), self.random.uuid());
        self.event("REASONING_START", &format!(r#""messageId":"{span}""#));
        self.event("REASONING_MESSAGE_START", &format!(r#""messageId":"{id}","role":"reasoning""#));
        for _ in 0..self.random.between(10, 60) {
            let word = self.random.word();
            self.content("REASONING_MESSAGE_CONTENT", &id, &word);
        }
        self.event("REASONING_MESSAGE_END", &format!(r#""messageId":"{id}""#));
        let cipher = base64(&mut self.random, 200, 800);
        self.event(
            "REASONING_ENCRYPTED_VALUE",
            &format!(r#""subtype":"message","entityId":"{id}","encryptedValue":"{cipher}""#),
        );
        self.event("REASONING_END", &format!(r#""messageId":"{span}""#));
    }

    fn work(&mut self) {
        let parent = self.message(5, 20);
        for _ in 0..self.random.between(1, 3) {
            let call = self.call(Some(&parent), 3, 20);
            let content = match self.random.below(3) {
                0 => parts(&mut self.random),
                1 => self.random.quoted_words(20, 400),
                _ => quoted(&document(&mut self.random, 500)),
            };
            self.result(&call, &content);
            let (name, value) = (self.random.pick(&["progress", "ui.highlight", "metrics"]), self.random.value(2));
            self.event("CUSTOM", &format!(r#""name":"{name}","value":{value}"#));
            let event = self.random.object(2);
            self.event("RAW", &format!(r#""event":{event},"source":"example-framework""#));
        }
    }

    fn delegate(&mut self) {
        let id = self.random.uuid();
        let (call, about) = (self.call(None, 10, 40), self.random.quoted_words(20, 120));
        self.tag = format!(r#","subagentRunId":"{id}""#);
        self.event(
            "SUBAGENT_STARTED",
            &format!(r#""name":"researcher","description":{about},"parentToolCallId":"{call}""#),
        );
        self.message(10, 40);
        let inner = self.call(None, 10, 40);
        let content = self.random.quoted_words(20, 200);
        self.result(&inner, &content);
        let result = self.random.value(2);
        self.event("SUBAGENT_FINISHED", &format!(r#""result":{result},"outcome":{{"type":"success"}}"#));
        self.tag.clear();
        self.result(&call, &content);
    }

    fn chunks(&mut self) {
        let id = self.random.uuid();
        for at in 0..self.random.between(5, 30) {
            let named = if at == 0 { format!(r#""messageId":"{id}","role":"assistant","#) } else { String::new() };
            let word = quoted(&self.random.word());
            self.event("TEXT_MESSAGE_CHUNK", &format!(r#"{named}"delta":{word}"#));
        }
    }

    fn json_answer(&mut self) {
        let id = self.start_message();
        let text = document(&mut self.random, 600);
        for piece in pieces(&mut self.random, &text, 1, 12) {
            self.content("TEXT_MESSAGE_CONTENT", &id, &piece);
        }
        self.event("TEXT_MESSAGE_END", &format!(r#""messageId":"{id}""#));
    }

    fn end_mixed(&mut self) {
        let usage = usage(&mut self.random);
        match self.random.below(8) {
            0 => {
                let message = self.random.quoted_words(20, 200);
                self.event(
                    "RUN_ERROR",
                    &format!(r#""message":{message},"code":"provider_overloaded","usage":{usage}"#),
                );
            }
            1 => self.boundary("RUN_FINISHED", &format!(r#","outcome":{{"type":"cancelled"}},"usage":{usage}"#)),
            2 => {
                let (call, id) = (self.call(None, 10, 40), self.random.uuid());
                let message = self.random.quoted_words(20, 100);
                let outcome = format!(
                    r#","outcome":{{"type":"interrupt","interrupts":[{{"id":"{id}","reason":"tool_approval","message":{message},"toolCallId":"{call}","responseSchema":{{"type":"object","properties":{{"approved":{{"type":"boolean"}}}},"required":["approved"]}},"expiresAt":"2026-12-04T09:00:00Z"}}]}},"usage":{usage}"#
                );
                self.boundary("RUN_FINISHED", &outcome);
                self.interrupted = Some((self.run.clone(), id));
            }
            3 => {
                let call = self.call(None, 10, 40);
                let outcome =
                    format!(r#","outcome":{{"type":"success","pendingToolCallIds":["{call}"]}},"usage":{usage}"#);
                self.boundary("RUN_FINISHED", &outcome);
            }
            _ => {
                let result = self.random.object(2);
                self.boundary("RUN_FINISHED", &format!(r#","result":{result},"usage":{usage}"#));
            }
        }
    }

    fn sizes_run(&mut self) {
        let stamp = self.random.pick(&[Stamp::None, Stamp::Time, Stamp::TimeAndMetadata]);
        self.begin(stamp);
        let message = self.start_message();
        let call = self.start_call(None);
        // What a call is given has a limit, unlike texts.
        let bytes = self.random.log_uniform(16_000);
        let arguments = format!(r#"{{"text":{}}}"#, quoted(&self.random.words(bytes)));
        for piece in pieces(&mut self.random, &arguments, 1, 2000) {
            self.args(&call, &piece);
            for _ in 0..self.random.below(8) {
                // One in 12, or else the few large ones would be all that is measured.
                let high = if self.random.below(12) == 0 { 1 << 20 } else { 256 };
                let bytes = self.random.log_uniform(high);
                let text = self.random.words(bytes);
                self.content("TEXT_MESSAGE_CONTENT", &message, &text);
            }
        }
        self.end_call(&call);
        let bytes = self.random.log_uniform(16_000);
        let content = quoted(&self.random.words(bytes));
        self.result(&call, &content);
        self.event("TEXT_MESSAGE_END", &format!(r#""messageId":"{message}""#));
        self.boundary("RUN_FINISHED", "");
    }
}

fn arguments(random: &mut Random) -> String {
    let (query, limit) = (random.quoted_words(5, 60), random.between(1, 50));
    match random.below(3) {
        0 => format!(r#"{{"query":{query},"limit":{limit},"filter":{{"lang":["de","日本語"],"since":"2026-01-31"}}}}"#),
        1 => format!(r#"{{"url":"{}","timeoutMs":{limit}00,"raw":false}}"#, random.url()),
        _ => format!(r#"{{"path":"src/{}/mod.rs","lines":[{limit},{}],"text":{query}}}"#, random.hex(6), limit + 40),
    }
}

/// Search results as JSON of at least so many bytes.
fn document(random: &mut Random, bytes: usize) -> String {
    let mut json = String::from(r#"{"results":["#);
    while json.len() + 30 < bytes {
        let (id, title, url) = (random.uuid(), random.quoted_words(5, 40), random.url());
        let (score, snippet) = (random.below(1000), random.quoted_words(10, 120));
        let member = if random.percent(50) { format!(r#","url":"{url}""#) } else { String::new() };
        write!(json, r#"{{"id":"{id}","title":{title}{member},"score":0.{score},"snippet":{snippet}}},"#).unwrap();
    }
    write!(json, r#"{{"id":null}}],"total":{}}}"#, random.below(500)).unwrap();
    json
}

fn person(random: &mut Random) -> String {
    let name = random.pick(&["Anna", "Jürgen", "王琳", "Zoë", "O'Neil", "Иван"]);
    format!(r#"{{"id":"{}","name":"{name}"}}"#, random.uuid())
}

/// An item of the state: the five members that patches need, up to three more.
fn item(random: &mut Random) -> String {
    let (id, title, progress) = (random.uuid(), random.quoted_words(10, 60), random.below(101));
    let mut json = format!(r#"{{"id":"{id}","title":{title},"status":"open","tags":["new"],"progress":{progress}"#);
    if random.percent(60) {
        write!(json, r#","assignee":{}"#, person(random)).unwrap();
    }
    if random.percent(50) {
        write!(json, r#","due":"2026-0{}-17""#, random.between(1, 9)).unwrap();
    }
    if random.percent(30) {
        write!(json, r#","position":{{"x":{}.25,"y":-{}}}"#, random.below(900), random.below(900)).unwrap();
    }
    json.push('}');
    json
}

/// A call as an assistant message lists it.
fn called(random: &mut Random, id: &str) -> String {
    let (name, arguments) = (random.pick(&TOOLS), quoted(&arguments(random)));
    format!(r#"{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":{arguments}}}}}"#)
}

/// Messages of all roles that an input has, each call answered; without the brackets of the list.
fn conversation(random: &mut Random) -> String {
    let mut messages =
        vec![format!(r#"{{"id":"{}","role":"system","content":{}}}"#, random.uuid(), random.quoted_words(100, 500))];
    for _ in 0..random.between(1, 4) {
        let content = if random.percent(25) { parts(random) } else { random.quoted_words(5, 300) };
        messages.push(format!(r#"{{"id":"{}","role":"user","content":{content}}}"#, random.uuid()));
        let call = format!("call_{}", random.alphanumeric(24));
        messages.push(format!(
            r#"{{"id":"{}","role":"assistant","content":{},"toolCalls":[{}],"metadata":{}}}"#,
            random.uuid(),
            random.quoted_words(0, 100),
            called(random, &call),
            random.object(1)
        ));
        messages.push(format!(
            r#"{{"id":"{}","role":"tool","toolCallId":"{call}","content":{}}}"#,
            random.uuid(),
            quoted(&document(random, 300))
        ));
        messages.push(format!(
            r#"{{"id":"{}","role":"assistant","content":{}}}"#,
            random.uuid(),
            random.quoted_words(50, 800)
        ));
    }
    messages.join(",")
}

fn parts(random: &mut Random) -> String {
    let sources = [
        format!(r#"{{"type":"image","source":{{"type":"url","value":"{}","mimeType":"image/png"}}}}"#, random.url()),
        format!(
            r#"{{"type":"document","source":{{"type":"data","value":"{}","mimeType":"application/pdf"}},"metadata":{}}}"#,
            base64(random, 200, 2000),
            random.object(1)
        ),
        format!(
            r#"{{"type":"audio","id":"part-1","source":{{"type":"file","value":"file-{}","provider":"example"}}}}"#,
            random.hex(24)
        ),
    ];
    let second = &sources[random.below(3)];
    format!(r#"[{{"type":"text","text":{}}},{second}]"#, random.quoted_words(10, 200))
}

fn tool(random: &mut Random, name: &str) -> String {
    let description = random.quoted_words(30, 200);
    format!(
        r#"{{"name":"{name}","description":{description},"parameters":{{"type":"object","properties":{{"query":{{"type":"string"}},"limit":{{"type":"integer","minimum":1,"maximum":50}}}},"required":["query"],"additionalProperties":false}}}}"#
    )
}

fn usage(random: &mut Random) -> String {
    let (input, output) = (random.between(1000, 90_000), random.between(100, 4000));
    let (total, cached, reasoning) = (input + output, random.below(1000), random.below(100));
    format!(
        r#"[{{"provider":"example","model":"example-large","inputTokens":{input},"outputTokens":{output},"totalTokens":{total},"reasoningTokens":{reasoning},"cachedInputTokens":{cached}}},{{"provider":"example","model":"example-small","inputTokens":{cached}}}]"#
    )
}

/// Not always well padded: nobody decodes it.
fn base64(random: &mut Random, low: usize, high: usize) -> String {
    let length = random.between(low, high);
    random.alphanumeric(length).replace('a', "+").replace('Z', "/") + "=="
}
