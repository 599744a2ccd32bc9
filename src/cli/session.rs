//! One stream from bytes to findings: framing, then the checker.

use crate::check::input_rules;
use crate::check::{Checker, Finding, Input, Limits};
use crate::detect::Framing;
use crate::wire::framing::{Line, LineSplitter};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH};
use crate::wire::span::{Locator, Segment};
use crate::wire::sse::{Item, Parser};

/// Takes the findings of one input, with the text they are about.
pub(super) type Sink<'s> = dyn FnMut(&[Finding], &[u8]) + 's;

/// How the values of a stream are taken.
#[derive(Clone, Debug)]
pub(super) enum Mode {
    /// Events of one stream.
    Stream(Framing),
    /// One document of a type.
    Document(String),
    /// Each line a value of a type, by itself.
    Each(String),
}

/// The state of one stream.
pub(super) struct Session {
    checker: Checker,
    limits: Limits,
    mode: Mode,
    sse: Parser,
    lines: LineSplitter,
    /// A document is read whole.
    document: Vec<u8>,
    too_large: bool,
    values: u64,
}

impl Session {
    pub(super) fn new(checker: Checker, mode: Mode, limits: Limits) -> Self {
        Self {
            checker,
            limits,
            mode,
            sse: Parser::with_limit(limits.frame_bytes),
            lines: LineSplitter::new(limits.event_bytes),
            document: Vec::new(),
            too_large: false,
            values: 0,
        }
    }

    /// How many events have come.
    pub(super) fn events(&self) -> u64 {
        self.checker.events()
    }

    pub(super) fn push(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let checker = &mut self.checker;
        match &self.mode {
            Mode::Stream(Framing::Sse) => self.sse.push(bytes, |item| sse(checker, item, sink)),
            Mode::Stream(Framing::Ndjson) => self.lines.push(bytes, |line| sink(checker.push_line(line), text(&line))),
            Mode::Each(kind) => self.lines.push(bytes, |line| each(checker, kind, line, sink)),
            Mode::Stream(Framing::Json) | Mode::Document(_) => {
                if self.document.len() + bytes.len() <= self.limits.event_bytes.saturating_mul(16) {
                    self.document.extend_from_slice(bytes);
                } else if !self.too_large {
                    self.too_large = true;
                    self.document = Vec::new();
                    let message =
                        "the document is larger than the limit and was not read; JSON lines are read piece by piece";
                    sink(checker.input_finding(&input_rules::TOO_LARGE, Some(Segment::WHOLE), message), &[]);
                }
            }
        }
    }

    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        let document = std::mem::take(&mut self.document);
        let checker = &mut self.checker;
        match &self.mode {
            Mode::Stream(Framing::Sse) => self.sse.finish(|item| sse(checker, item, sink)),
            Mode::Stream(Framing::Ndjson) => self.lines.finish(|line| sink(checker.push_line(line), text(&line))),
            Mode::Each(kind) => {
                self.lines.finish(|line| each(checker, kind, line, sink));
                if checker.events() == 0 {
                    sink(checker.input_finding(&input_rules::EMPTY, None, "there is no value in it"), &[]);
                }
                return;
            }
            Mode::Stream(Framing::Json) if !self.too_large => events_of(checker, &document, sink),
            Mode::Document(kind) if !self.too_large => {
                let (text, segments) = without_bom(&document);
                if text.iter().all(u8::is_ascii_whitespace) {
                    sink(checker.input_finding(&input_rules::EMPTY, None, "there is no value in it"), &[]);
                } else if let Ok(findings) = checker.check_as(kind, text, &segments) {
                    sink(findings, text);
                }
                return;
            }
            _ => {}
        }
        self.values = checker.events();
        if self.values == 0 && !self.too_large {
            sink(checker.empty_stream(), &[]);
        }
        sink(checker.finish(), &[]);
    }
}

fn sse(checker: &mut Checker, item: Item<'_>, sink: &mut Sink<'_>) {
    let text = match item {
        Item::Frame(frame) => frame.data,
        Item::UnknownField(line, _) => line,
        _ => &[],
    };
    sink(checker.push_sse(item), text);
}

fn text<'a>(line: &Line<'a>) -> &'a [u8] {
    match line {
        Line::Text { bytes, .. } => bytes,
        Line::TooLarge(_) => &[],
    }
}

fn each(checker: &mut Checker, kind: &str, line: Line<'_>, sink: &mut Sink<'_>) {
    match line {
        Line::Text { bytes, place, .. } => {
            if let Ok(findings) = checker.check_as(kind, bytes, &[place]) {
                sink(findings, bytes);
            }
        }
        Line::TooLarge(_) => sink(checker.push_line(line), &[]),
    }
}

fn without_bom(document: &[u8]) -> (&[u8], [Segment; 1]) {
    match document.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => (rest, [Segment::new(0, 3, 1, 1)]),
        None => (document, [Segment::WHOLE]),
    }
}

/// Pushes the elements of an array, or the one event that the document is.
fn events_of(checker: &mut Checker, document: &[u8], sink: &mut Sink<'_>) {
    let (bytes, whole) = without_bom(document);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        sink(checker.push(Input::event_bytes(bytes).at(&whole)), bytes);
        return;
    };
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    if cursor.kind() != Ok(Kind::Array) || cursor.open(b'[').is_err() {
        sink(checker.push(Input::event_bytes(bytes).at(&whole)), bytes);
        return;
    }
    let mut locator = Locator::default();
    let mut first = true;
    loop {
        let before = cursor;
        let more = cursor.element(&mut first);
        let start = {
            let _ = cursor.kind();
            cursor.offset()
        };
        let raw = match more {
            Ok(false) => break,
            Ok(true) => cursor.raw(),
            Err(error) => Err(error),
        };
        if let Ok(raw) = raw {
            let place = locator.locate(bytes, &whole, start);
            let segments = [Segment::new(0, place.offset, place.line, place.column)];
            sink(checker.push(Input::event(raw).at(&segments)), raw.as_bytes());
        } else {
            // From here on the text is no array: one finding, at the place.
            let offset = if more.is_ok() { start } else { before.offset() };
            let place = locator.locate(bytes, &whole, offset);
            let segments = [Segment::new(0, place.offset, place.line, place.column)];
            let rest = &bytes[offset..];
            sink(checker.push_broken(rest, &segments), rest);
            return;
        }
    }
    if let Err(error) = cursor.end() {
        let place = locator.locate(bytes, &whole, error.offset);
        let segments = [Segment::new(0, place.offset, place.line, place.column)];
        sink(checker.push_broken(&bytes[error.offset..], &segments), &bytes[error.offset..]);
    }
}
