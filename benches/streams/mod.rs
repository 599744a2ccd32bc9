//! Generated streams of realistic proportions, and who reads them.

use std::fmt::Write as _;
use std::hint::black_box;

use agent_contracts::check::{Checker, Input};
use agent_contracts::{Protocol, agui, lime};

const EVENTS: usize = 4000;

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

/// A stream of one protocol: an event a line.
pub struct Stream {
    pub name: &'static str,
    pub protocol: Protocol,
    pub lines: Vec<String>,
}

impl Stream {
    /// All four streams: both protocols, the tag first and last.
    pub fn all() -> Vec<Self> {
        let (lime, agui) = (lime_stream(), agui_stream());
        let lime_last = lime.tag_last("lime, tag last", "eventClass");
        let agui_last = agui.tag_last("agui, tag last", "type");
        vec![lime, lime_last, agui, agui_last]
    }

    /// What is measured is the way of clean input.
    pub fn assert_clean(&self) {
        let mut checker = Checker::new(self.protocol);
        for line in &self.lines {
            let findings = checker.push(Input::event(line));
            assert!(findings.is_empty(), "{line}: {findings:?}");
        }
        assert!(checker.finish().is_empty());
    }

    pub fn bytes(&self) -> u64 {
        self.lines.iter().map(|line| line.len() as u64).sum()
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
        Self { name, protocol: self.protocol, lines }
    }
}

/// A Lime turn after another: mostly text deltas, some tools and commands.
fn lime_stream() -> Stream {
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
        if lines.len() >= EVENTS {
            return Stream { name: "lime", protocol: Protocol::Lime, lines };
        }
    }
    unreachable!()
}

/// An AG-UI run after another: mostly text contents, some tools and state.
fn agui_stream() -> Stream {
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
        if lines.len() >= EVENTS {
            return Stream { name: "agui", protocol: Protocol::AgUi, lines };
        }
    }
    unreachable!()
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
                for line in &stream.lines {
                    black_box(serde_json::from_str::<serde_json::Value>(line).unwrap());
                }
            }
            Self::IgnoredAny => {
                for line in &stream.lines {
                    black_box(serde_json::from_str::<serde::de::IgnoredAny>(line).unwrap());
                }
            }
            Self::Decode => {
                for line in &stream.lines {
                    match stream.protocol {
                        Protocol::AgUi => drop(black_box(agui::Event::from_json(line).unwrap())),
                        _ => drop(black_box(lime::Event::from_json(line).unwrap())),
                    }
                }
            }
            Self::CheckStrict => {
                let mut checker = Checker::new(stream.protocol);
                for line in &stream.lines {
                    assert!(checker.push(Input::event(line)).is_empty());
                }
                black_box(checker.finish().len());
            }
        }
    }
}
