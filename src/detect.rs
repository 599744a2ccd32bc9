//! Telling from the first bytes which protocol and framing a stream has.

use std::borrow::Cow;

use crate::protocol::Protocol;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxKind};
use crate::wire::{framing, sse};

/// How many bytes and events detection looks at.
pub const HEAD_BYTES: usize = 64 * 1024;
const HEAD_EVENTS: usize = 32;

/// How a stream of bytes is cut into events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// Server-sent events.
    Sse,
    /// One JSON value a line.
    Ndjson,
    /// One JSON document: an array of events, one event, or a document of the protocol.
    Json,
}

impl Framing {
    /// Every framing.
    pub const ALL: &[Self] = &[Self::Sse, Self::Ndjson, Self::Json];

    /// `sse`, `ndjson` or `json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sse => "sse",
            Self::Ndjson => "ndjson",
            Self::Json => "json",
        }
    }

    /// The framing of a stream that begins with `head`.
    pub fn detect(head: &[u8]) -> Self {
        let text = lossy(head);
        let text = text.trim_start_matches('\u{FEFF}');
        let start = text.trim_start();
        if !start.starts_with(['{', '[']) {
            return if looks_like_sse(text) { Self::Sse } else { Self::Ndjson };
        }
        // Lines if a whole value is followed by another, or is cut off by the head.
        let mut cursor = Cursor::new(start, MAX_DEPTH);
        match cursor.skip() {
            Ok(()) => {
                let (value, rest) = start.split_at(cursor.offset());
                // Whatever follows on a line of its own, after a value on one line.
                let lines = !value.contains('\n') && rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
                let more = rest.trim_start();
                if more.starts_with(['{', '[']) || (lines && !more.is_empty()) { Self::Ndjson } else { Self::Json }
            }
            Err(_) if start.starts_with('[') => Self::Json,
            // The value is broken off at the end of its line, and the next line is one.
            Err(error) if error.kind != SyntaxKind::UnexpectedEnd && is_value(start.lines().nth(1)) => Self::Ndjson,
            Err(_) => {
                let first = start.lines().next().unwrap_or_default().trim_end();
                let spans_lines = first.len() < start.trim_end().len() && is_cut_off(first);
                if spans_lines { Self::Json } else { Self::Ndjson }
            }
        }
    }
}

/// Whether the line is a whole object.
fn is_value(line: Option<&str>) -> bool {
    let Some(line) = line.filter(|line| line.starts_with('{')) else { return false };
    let mut cursor = Cursor::new(line, MAX_DEPTH);
    cursor.skip().is_ok() && cursor.end().is_ok()
}

/// Whether the text is the beginning of a JSON value and not all of it.
fn is_cut_off(text: &str) -> bool {
    Cursor::new(text, MAX_DEPTH).skip().is_err_and(|error| error.kind == SyntaxKind::UnexpectedEnd)
}

fn looks_like_sse(text: &str) -> bool {
    text.lines().find(|line| !line.is_empty()).is_some_and(|line| {
        let name = line.trim_start().split(':').next().unwrap_or_default();
        line.contains(':') && matches!(name, "data" | "event" | "id" | "retry" | "")
    })
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// What detection made of the head of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detected {
    /// The protocol.
    pub protocol: Protocol,
    /// Another protocol that fits as well.
    pub tied_with: Option<Protocol>,
    /// The type of document, if it is not a stream of events.
    pub document: Option<&'static str>,
}

/// The protocol of a stream that begins with `head`, cut by `framing`.
/// `None` if no event of any protocol is recognised.
pub fn detect(head: &[u8], framing: Framing) -> Option<Detected> {
    let head = &head[..head.len().min(HEAD_BYTES)];
    if framing == Framing::Json
        && let Some(document) = document(&lossy(head))
    {
        return Some(document);
    }
    let mut scores = [0_u32; Protocol::ALL.len()];
    let mut seen = 0;
    let mut dialect = Dialect::default();
    let mut look = |text: &[u8], event: Option<&[u8]>| {
        if seen < HEAD_EVENTS {
            seen += 1;
            let text = lossy(text);
            let traits = Traits::of(&text);
            for (score, protocol) in scores.iter_mut().zip(Protocol::ALL) {
                *score += u32::from(traits.fit(*protocol));
            }
            dialect.add(&traits, event);
        }
    };
    match framing {
        Framing::Sse => {
            let mut parser = sse::Parser::new();
            let mut take = |item: sse::Item<'_>| {
                if let sse::Item::Frame(frame) = item {
                    look(frame.data, frame.event);
                }
            };
            parser.push(head, &mut take);
            parser.finish(&mut take);
        }
        Framing::Ndjson => {
            let mut splitter = framing::LineSplitter::new(HEAD_BYTES);
            let mut take = |line: framing::Line<'_>| {
                if let framing::Line::Text { bytes, .. } = line {
                    look(bytes, None);
                }
            };
            splitter.push(head, &mut take);
            splitter.finish(&mut take);
        }
        Framing::Json => {
            let text = lossy(head);
            for element in elements(text.trim_start_matches('\u{FEFF}')) {
                look(element.as_bytes(), None);
            }
        }
    }
    // An event of the dialect has a type of AG-UI, so the stream is one or the other.
    let other = if dialect.is_social_app() { Protocol::AgUi } else { Protocol::SocialApp };
    for (score, protocol) in scores.iter_mut().zip(Protocol::ALL) {
        if *protocol == other {
            *score = 0;
        }
    }
    let best = *scores.iter().max()?;
    let mut fitting = scores
        .iter()
        .zip(Protocol::ALL)
        .filter(|(score, _)| **score == best && best > 0)
        .map(|(_, protocol)| *protocol);
    let protocol = fitting.next()?;
    Some(Detected { protocol, tied_with: fitting.next(), document: None })
}

/// The elements of an array, as far as they can be read; else the text itself.
fn elements(text: &str) -> Vec<&str> {
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    if cursor.kind() != Ok(Kind::Array) || cursor.open(b'[').is_err() {
        return vec![text];
    }
    let mut found = Vec::new();
    let mut first = true;
    while let Ok(true) = cursor.element(&mut first) {
        let start = cursor;
        if let Ok(raw) = cursor.raw() {
            found.push(raw);
        } else {
            found.push(&text[start.offset()..]);
            break;
        }
    }
    found
}

/// A document that is recognised by what it says of itself.
fn document(text: &str) -> Option<Detected> {
    let version = Traits::of(text).schema_version?;
    let found = |kind| Some(Detected { protocol: Protocol::Lime, tied_with: None, document: Some(kind) });
    match version.split('/').next()? {
        "agent-ui-fixture" => found("Fixture"),
        "lime-runtime-state-delta" => found("StateDelta"),
        "lime-runtime-capability-manifest" => found("CapabilityManifest"),
        _ => None,
    }
}

/// What tells social-app's events from those of AG-UI, from which it takes their types.
#[derive(Debug, Default)]
struct Dialect {
    events: u32,
    /// Events that name their run.
    in_runs: u32,
    /// Frames that repeat the type.
    framed: u32,
    /// Members that only the dialect has.
    members: u32,
}

impl Dialect {
    fn add(&mut self, traits: &Traits<'_>, event: Option<&[u8]>) {
        if traits.fit(Protocol::SocialApp) {
            let repeats = event.is_some() && event == traits.kind.as_deref().map(str::as_bytes);
            self.events += 1;
            self.in_runs += u32::from(traits.has_run);
            self.framed += u32::from(repeats);
            self.members += u32::from(traits.has_own);
        }
    }

    fn is_social_app(&self) -> bool {
        // A frame may have lost its event line.
        self.members > 0 || (self.in_runs == self.events && self.framed * 2 > self.events)
    }
}

/// The few members by which events of different protocols can be told apart.
#[derive(Debug, Default)]
struct Traits<'a> {
    kind: Option<Cow<'a, str>>,
    schema_version: Option<Cow<'a, str>>,
    has_class: bool,
    has_kind: bool,
    has_status: bool,
    has_run: bool,
    /// A member that only social-app has.
    has_own: bool,
}

impl<'a> Traits<'a> {
    /// Reads as many members as there are before the text stops being JSON.
    fn of(text: &'a str) -> Self {
        let mut traits = Self::default();
        let _ = traits.read(&mut Cursor::new(text.trim_start_matches('\u{FEFF}'), MAX_DEPTH));
        traits
    }

    fn read(&mut self, cursor: &mut Cursor<'a>) -> Result<(), crate::wire::scan::SyntaxError> {
        cursor.open(b'{')?;
        let mut first = true;
        while let Some(key) = cursor.member(&mut first)? {
            let key = key.lossy();
            let kind = cursor.kind()?;
            self.has_own |= match &*key {
                "args" => kind == Kind::Object,
                "tool_call_id" | "answer" => kind == Kind::String,
                _ => false,
            };
            let text = if kind == Kind::String {
                Some(cursor.string()?.lossy())
            } else {
                cursor.skip()?;
                None
            };
            match &*key {
                "type" => self.kind = text,
                "schemaVersion" => self.schema_version = text,
                "eventClass" => self.has_class = text.is_some(),
                "kind" => self.has_kind = text.is_some(),
                "status" => self.has_status = text.is_some(),
                "runId" => self.has_run = text.is_some(),
                _ => {}
            }
        }
        Ok(())
    }

    fn fit(&self, protocol: Protocol) -> bool {
        match protocol {
            Protocol::SocialApp | Protocol::AgUi => self.kind.as_deref().is_some_and(is_upper_snake),
            Protocol::Lime => {
                self.schema_version.as_deref().is_some_and(|version| version.starts_with("lime-runtime-event/"))
                    || (self.has_class && self.has_kind && self.has_status)
            }
        }
    }
}

fn is_upper_snake(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_ascii_uppercase())
        && tag.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framings() {
        for (head, framing) in [
            ("data: {}\n\n", Framing::Sse),
            (": keep-alive\n\ndata: {}\n", Framing::Sse),
            ("\u{feff}id: 1\r\ndata: {}\r\n\r\n", Framing::Sse),
            ("{\"a\":1}\n{\"a\":2}\n", Framing::Ndjson),
            ("{\"a\":1}\n{\"a\":", Framing::Ndjson),
            ("{\"a\":\"long line that the head cuts", Framing::Ndjson),
            ("{\"a\":1}\n", Framing::Json),
            ("[{\"a\":1},\n", Framing::Json),
            ("{\n  \"a\": 1,\n", Framing::Json),
            ("[1]\n[2]\n", Framing::Ndjson),
            ("{\"a\":1}\nnull\n{\"a\":2}\n", Framing::Ndjson),
            ("{\"a\":1}\r\noops\n", Framing::Ndjson),
            ("{\"a\":1} oops\n", Framing::Json),
            ("{\n  \"a\": 1\n}\noops\n", Framing::Json),
            ("{\"a\":\"cut\n{\"a\":2}\n{\"a\":3}\n", Framing::Ndjson),
            ("{\"a\":[\n{\"a\":1}\n]}\n", Framing::Json),
        ] {
            assert_eq!(Framing::detect(head.as_bytes()), framing, "{head:?}");
        }
    }

    #[test]
    fn protocols() {
        let lime = r#"{"id":"e","schemaVersion":"lime-runtime-event/v0.1"}"#;
        let seed = r#"{"id":"e","eventClass":"tool.started","kind":"tool","status":"running"}"#;
        let agui = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
        let answer = r#"{"type":"TEXT_MESSAGE_END","answer":"ok"}"#;
        let cut = r#"{"type":"RUN_STARTED","input":{"messages":["#;
        for (text, framing, protocol) in [
            (lime.to_owned(), Framing::Json, Some(Protocol::Lime)),
            (format!("[{seed},{seed}]"), Framing::Json, Some(Protocol::Lime)),
            (format!("{agui}\n{agui}"), Framing::Ndjson, Some(Protocol::AgUi)),
            (format!("data: {agui}\n\n"), Framing::Sse, Some(Protocol::AgUi)),
            (format!("event: RUN_STARTED\ndata: {agui}\n\n"), Framing::Sse, Some(Protocol::SocialApp)),
            (format!("data: {agui}\n\nevent: RUN_STARTED\ndata: {agui}\n\n"), Framing::Sse, Some(Protocol::AgUi)),
            (format!("event: message\ndata: {agui}\n\n"), Framing::Sse, Some(Protocol::AgUi)),
            (format!("{agui}\n{answer}"), Framing::Ndjson, Some(Protocol::SocialApp)),
            (answer.to_owned(), Framing::Json, Some(Protocol::SocialApp)),
            (r#"{"type":"TOOL_CALL_ARGS","args":{}}"#.to_owned(), Framing::Json, Some(Protocol::SocialApp)),
            (r#"{"type":"TOOL_CALL_ARGS","args":"{}"}"#.to_owned(), Framing::Json, Some(Protocol::AgUi)),
            (cut.to_owned(), Framing::Ndjson, Some(Protocol::AgUi)),
            (r#"{"type":"tool_start"}"#.to_owned(), Framing::Ndjson, None),
            (r#"{"name":"package"}"#.to_owned(), Framing::Json, None),
        ] {
            assert_eq!(detect(text.as_bytes(), framing).map(|found| found.protocol), protocol, "{text}");
        }
        let fixture = detect(br#"{"schemaVersion":"agent-ui-fixture/v0.1","events":["#, Framing::Json).unwrap();
        assert_eq!(fixture.document, Some("Fixture"));
        let both = format!("{lime}\n{agui}");
        let tie = detect(both.as_bytes(), Framing::Ndjson).unwrap();
        assert_eq!((tie.protocol, tie.tied_with), (Protocol::AgUi, Some(Protocol::Lime)));
    }
}
