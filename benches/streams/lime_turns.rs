//! Clean Lime sessions with payloads of many shapes.

use super::random::{Random, quoted};

/// Sessions of a coding agent, one after another; whole turns, so maybe some events more than were asked for.
pub fn varied(events: usize, seed: u64) -> Vec<String> {
    let mut session = Session::new(seed);
    while session.lines.len() < events {
        if session.turn.is_multiple_of(8) {
            session.open();
        }
        session.turn();
    }
    session.lines
}

/// A stream while it is made. `rest` members begin with a comma.
struct Session {
    lines: Vec<String>,
    random: Random,
    thread: String,
    turn: usize,
    sequence: usize,
    clock: usize,
}

const STEPS: [fn(&mut Session); 12] = [
    Session::answer,
    Session::answer,
    Session::tool,
    Session::tool,
    Session::read,
    Session::read,
    Session::patch,
    Session::command,
    Session::action,
    Session::permission,
    Session::delegate,
    Session::plan,
];

impl Session {
    fn new(seed: u64) -> Self {
        let (lines, random) = (Vec::new(), Random::new(seed));
        Self { lines, random, thread: String::new(), turn: 0, sequence: 0, clock: 28_800_000 }
    }

    /// The time now, a little later than the one before.
    fn time(&mut self) -> String {
        self.clock += self.random.below(60);
        let (seconds, millis) = (self.clock / 1000, self.clock % 1000);
        let (minutes, hours) = (seconds / 60, seconds / 3600);
        // Months of 28 days are enough for a time that must only be valid and grow.
        let (day, month) = (hours / 24 % 28 + 1, hours / 672 % 12 + 1);
        format!("2026-{month:02}-{day:02}T{:02}:{:02}:{:02}.{millis:03}Z", hours % 24, minutes % 60, seconds % 60)
    }

    fn write(&mut self, class: &str, kind: &str, status: &str, title: &str, rest: &str) {
        self.sequence += 1;
        let (id, time, thread, sequence) = (self.random.hex(32), self.time(), &self.thread, self.sequence);
        self.lines.push(format!(
            r#"{{"id":"evt_{id}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"app-server","threadId":"{thread}","kind":"{kind}","status":"{status}","eventClass":"{class}","sequence":{sequence},"title":{},"createdAt":"{time}"{rest}}}"#,
            quoted(title)
        ));
    }

    /// An event of the turn.
    fn event(&mut self, class: &str, kind: &str, status: &str, title: &str, rest: &str) {
        let rest = format!(r#","turnId":"turn_{0}","runId":"run_{0}"{rest}"#, self.turn);
        self.write(class, kind, status, title, &rest);
    }

    fn id(&mut self, prefix: &str) -> String {
        format!("{prefix}_{}", self.random.alphanumeric(16))
    }

    fn open(&mut self) {
        self.thread = format!("thread_{}", self.random.uuid());
        self.sequence = 0;
        let (workspace, branch) = (self.random.quoted_words(5, 20), self.random.hex(7));
        let payload = format!(r#","payload":{{"workspace":{workspace},"branch":"fix/{branch}"}}"#);
        self.write("session.created", "state", "completed", "Session created", &payload);
    }

    fn turn(&mut self) {
        self.turn += 1;
        let asked = self.random.quoted_words(10, 600);
        let submitted = format!(r#","phase":"submitted","payload":{{"inputPreview":{asked}}}"#);
        self.event("turn.submitted", "state", "pending", "Turn submitted", &submitted);
        self.event("turn.started", "state", "running", "Turn started", r#","payload":{"profileId":"coding"}"#);
        let context = self.random.object(2);
        let context =
            format!(r#","phase":"preparing","payload":{{"files":214,"rules":["AGENTS.md"],"more":{context}}}"#);
        self.event("context.resolved", "context", "completed", "Project context loaded", &context);
        let allowed = r#","payload":{"permission":"workspace_write","decision":"allow"}"#;
        self.event("permission.evaluated", "permission", "completed", "Write access evaluated", allowed);
        let sandbox = r#","payload":{"profile":"workspace-write","network":"off"}"#;
        self.event("sandbox.applied", "sandbox", "completed", "Sandbox applied", sandbox);
        let catalog = format!(r#","toolCallId":"catalog_{}","payload":{{"toolCount":12,"skillCount":2}}"#, self.turn);
        self.event("tool.catalog.resolved", "tool", "completed", "Tools resolved", &catalog);
        self.reason();
        for _ in 0..self.random.between(3, 10) {
            let step = self.random.pick(&STEPS);
            step(self);
        }
        self.answer();
        self.end();
    }

    fn end(&mut self) {
        let (evidence, artifact) = (self.id("evidence"), self.id("artifact"));
        let log = format!(
            r#","owner":"evidence","evidenceId":"{evidence}","evidenceRefs":["{evidence}"],"payload":{{"summary":"412 passed, 0 failed","seconds":11.84}}"#
        );
        self.event("evidence.changed", "evidence", "completed", "Test log stored", &log);
        let diff = format!(
            r#","owner":"artifact","artifactId":"{artifact}","artifactRefs":["{artifact}"],"payload":{{"preview":"4 files, +106 −20","url":"{}"}}"#,
            self.random.url()
        );
        self.event("artifact.changed", "draft", "completed", "Diff stored", &diff);
        let (how, status) = self.random.pick(&[
            ("turn.completed", "completed"),
            ("turn.completed", "completed"),
            ("turn.completed", "completed"),
            ("turn.failed", "failed"),
            ("turn.canceled", "canceled"),
        ]);
        let ended = format!(r#","phase":"{status}","completedAt":"{}","evidenceRefs":["{evidence}"]"#, self.time());
        self.event(how, "state", status, "Turn ended", &ended);
        let snapshot = format!(r#","refIds":["snapshot_{}"],"payload":{{"eventCount":{}}}"#, self.turn, self.sequence);
        self.event("snapshot.updated", "state", "completed", "Snapshot updated", &snapshot);
    }

    fn reason(&mut self) {
        let payload = format!(r#","payload":{{"messageId":"{}"}}"#, self.id("msg"));
        self.event("reasoning.started", "note", "running", "Reasoning", &payload);
        for _ in 0..self.random.between(4, 30) {
            let word = quoted(&self.random.word());
            self.event("reasoning.delta", "note", "running", "Reasoning", &format!(r#","detail":{word}{payload}"#));
        }
        let summary = self.random.quoted_words(20, 160);
        self.event(
            "reasoning.summary",
            "note",
            "completed",
            "Reasoning summary",
            &format!(r#","detail":{summary}{payload}"#),
        );
        self.event("reasoning.completed", "note", "completed", "Reasoning finished", &payload);
    }

    fn answer(&mut self) {
        let (message, model) = (self.id("msg"), r#","model":"lime-code-2""#);
        let requested = format!(r#","phase":"waiting_provider"{model},"payload":{{"messageId":"{message}"}}"#);
        self.event("model.requested", "model", "running", "Model requested", &requested);
        let mut text = String::new();
        for _ in 0..self.random.between(8, 70) {
            let word = self.random.word();
            let delta = quoted(&word);
            let payload = format!(r#","phase":"streaming","payload":{{"messageId":"{message}","delta":{delta}}}"#);
            self.event("model.delta", "model", "running", "Assistant text", &payload);
            text += &word;
        }
        let time = self.time();
        let completed = format!(
            r#","phase":"completed"{model},"completedAt":"{time}","payload":{{"messageId":"{message}","role":"assistant","text":{},"finishReason":"stop"}}"#,
            quoted(&text)
        );
        self.event("model.completed", "model", "completed", "Assistant final text", &completed);
    }

    fn tool(&mut self) {
        let (call, title) = (self.id("call"), self.random.words(24));
        let name = self.random.pick(&["code_search", "web_fetch", "mcp__jira__get_issue", "browser"]);
        let (arguments, span) = (self.random.object(3), self.random.hex(16));
        let started = format!(
            r#","phase":"tool_running","toolCallId":"{call}","spanId":"{span}","payload":{{"toolName":"{name}","arguments":{arguments}}}"#
        );
        self.event("tool.started", "tool", "running", &title, &started);
        if self.random.percent(10) {
            let message = self.random.quoted_words(20, 200);
            let failed = format!(
                r#","toolCallId":"{call}","payload":{{"toolName":"{name}","failureCategory":"timeout","message":{message}}}"#
            );
            self.event("tool.failed", "tool", "failed", &title, &failed);
            return;
        }
        let size = self.random.log_uniform(8000);
        let (output, preview, more) = (self.id("output"), quoted(&self.random.words(size)), self.random.object(3));
        let time = self.time();
        let result = format!(
            r#","toolCallId":"{call}","completedAt":"{time}","refIds":["{output}"],"payload":{{"toolName":"{name}","matches":7,"preview":{preview},"structured":{more}}}"#
        );
        self.event("tool.result", "tool", "completed", &title, &result);
    }

    fn path(&mut self) -> String {
        let (folder, file) = (self.random.hex(5), self.random.hex(4));
        match self.random.below(4) {
            0 => format!("src/{folder}/{file}.rs"),
            1 => format!("tests/größe/{file} copy.json"),
            2 => format!("C:\\Users\\dev\\{folder}\\{file}.ts"),
            _ => format!("/home/dev/项目/{folder}/{file}.py"),
        }
    }

    fn read(&mut self) {
        let path = quoted(&self.path());
        let preview = self.random.quoted_words(0, 1500);
        let payload = format!(r#","payload":{{"path":{path},"lines":[1,240],"preview":{preview}}}"#);
        self.event("file.read", "source", "completed", "Read a file", &payload);
    }

    fn patch(&mut self) {
        let (patch, artifact, path) = (self.id("patch"), self.id("artifact"), quoted(&self.path()));
        let title = self.random.words(40);
        let named = format!(r#""patchId":"{patch}","path":{path}"#);
        let started = format!(r#","toolCallId":"{patch}","payload":{{{named},"operation":"apply"}}"#);
        self.event("patch.started", "tool", "running", &title, &started);
        if self.random.percent(10) {
            let failed = format!(r#","toolCallId":"{patch}","payload":{{{named},"failureCategory":"conflict"}}"#);
            self.event("patch.failed", "tool", "failed", &title, &failed);
            return;
        }
        let (diff, added) = (self.random.quoted_words(50, 900), self.random.below(80));
        let changed = format!(
            r#","owner":"artifact","toolCallId":"{patch}","artifactId":"{artifact}","artifactRefs":["{artifact}"],"payload":{{"path":{path},"operation":"write","changeKind":"modified","addedLines":{added},"removedLines":3,"diffRef":"artifact://diffs/{patch}","preview":{diff}}}"#
        );
        self.event("file.changed", "draft", "completed", "Changed a file", &changed);
        let applied = format!(
            r#","toolCallId":"{patch}","artifactRefs":["{artifact}"],"payload":{{{named},"changedFileCount":1,"diffRef":"artifact://diffs/{patch}"}}"#
        );
        self.event("patch.applied", "tool", "completed", &title, &applied);
    }

    fn command(&mut self) {
        let (command, test, output) = (self.id("command"), self.id("test"), self.id("output"));
        let (line, cwd) = (self.random.quoted_words(10, 60), quoted(&self.path()));
        let named = format!(r#","toolCallId":"{command}","payload":{{"commandId":"{command}""#);
        let started = format!(r#"{named},"command":{line},"cwd":{cwd},"env":{{"CI":"1","LANG":"de_DE.UTF-8"}}}}"#);
        self.event("command.started", "tool", "running", "Run a command", &started);
        let tested = format!(
            r#","toolCallId":"{test}","payload":{{"testRunId":"{test}","commandId":"{command}","suite":"workspace""#
        );
        let tests = self.random.percent(60);
        if tests {
            self.event("test.started", "tool", "running", "Tests started", &format!("{tested}}}"));
        }
        for _ in 0..self.random.between(1, 5) {
            let preview = self.random.quoted_words(20, 500);
            let stream = self.random.pick(&["stdout", "stderr"]);
            let printed = format!(
                r#","refIds":["{output}"]{named},"stream":"{stream}","outputRef":"{output}","preview":{preview}}}"#
            );
            self.event("command.output", "tool", "running", "Command output", &printed);
        }
        if tests {
            let passed = self.random.below(900);
            let result = format!(r#"{tested},"result":"passed","passed":{passed},"failed":0}}"#);
            self.event("test.completed", "tool", "completed", "Tests passed", &result);
        }
        let took = self.random.below(60_000);
        let exited = format!(r#"{named},"exitCode":0,"durationMs":{took},"outputRef":"{output}"}}"#);
        self.event("command.exited", "tool", "completed", "Command exited", &exited);
    }

    fn action(&mut self) {
        let (action, question) = (self.id("action"), self.random.quoted_words(20, 200));
        let controls = r#""controls":["approve","reject",{"kind":"edit","label":"Ändern"}]"#;
        let required = format!(
            r#","phase":"action_required","actionId":"{action}","detail":{question},"payload":{{{controls},"risk":"high"}}"#
        );
        self.event("action.required", "action", "blocked", "Approve a command", &required);
        let how = self.random.pick(&["action.resolved", "action.resolved", "action.canceled", "action.expired"]);
        let resolved = format!(r#","actionId":"{action}","payload":{{"decision":"approve","answer":{question}}}"#);
        self.event(how, "action", "completed", "Answered", &resolved);
    }

    fn permission(&mut self) {
        let scope = format!(r#","payload":{{"permission":"network","host":"{}""#, self.random.url());
        self.event("permission.requested", "permission", "pending", "Network access", &format!("{scope}}}"));
        if self.random.percent(70) {
            let resolved = format!(r#"{scope},"decision":"allow"}}"#);
            self.event("permission.resolved", "permission", "completed", "Network access", &resolved);
        } else {
            let denied = format!(r#"{scope},"reasonCode":"policy"}}"#);
            self.event("permission.denied", "permission", "failed", "Network access", &denied);
            let blocked = r#","payload":{"reasonCode":"network_off","attempted":true}"#;
            self.event("sandbox.blocked", "sandbox", "blocked", "Network blocked", blocked);
        }
    }

    fn delegate(&mut self) {
        let (task, subagent, review) = (self.id("task"), self.id("subagent"), self.id("review"));
        let ids = format!(r#","taskId":"{task}","subagentId":"{subagent}""#);
        self.event("task.created", "state", "pending", "Task created", &ids);
        self.event("subagent.started", "state", "running", "Subagent started", &ids);
        for percent in [25, 50, 100] {
            let more = self.random.object(2);
            let progress = format!(r#"{ids},"payload":{{"percent":{percent},"found":{more}}}"#);
            self.event("subagent.progress", "state", "running", "Subagent at work", &progress);
        }
        let handoff = format!(r#"{ids},"handoffId":"{}","payload":{{"to":"main"}}"#, self.id("handoff"));
        self.event("handoff.requested", "handoff", "pending", "Hand over", &handoff);
        self.event("handoff.completed", "handoff", "completed", "Handed over", &handoff);
        let reviewed = format!(r#","reviewId":"{review}","evidenceRefs":["evidence_{review}"]"#);
        self.event("review.requested", "evidence", "pending", "Review requested", &reviewed);
        let verdict = format!(r#"{reviewed},"payload":{{"verdict":"accepted","notes":["ok",null,{{"line":41}}]}}"#);
        self.event("review.verdict", "evidence", "completed", "Review done", &verdict);
        self.event("subagent.completed", "state", "completed", "Subagent done", &ids);
        self.event("task.completed", "state", "completed", "Task done", &ids);
    }

    fn plan(&mut self) {
        for _ in 0..self.random.between(1, 4) {
            let delta = self.random.quoted_words(5, 80);
            self.event("plan.delta", "note", "running", "Plan", &format!(r#","payload":{{"delta":{delta}}}"#));
        }
        let steps: Vec<String> = (0..4).map(|_| self.random.quoted_words(10, 80)).collect();
        let plan = format!(r#","payload":{{"steps":[{}]}}"#, steps.join(","));
        self.event("plan.final", "note", "completed", "Plan", &plan);
        let (status, value) = (self.random.pick(&["running", "waiting"]), self.random.value(2));
        let delta = format!(
            r#","payload":{{"target":"projection","patch":[{{"op":"replace","path":"/runtime/status","value":"{status}"}},{{"op":"add","path":"/items/-","value":{value}}}]}}"#
        );
        self.event("state.delta", "state", "completed", "State changed", &delta);
    }
}
