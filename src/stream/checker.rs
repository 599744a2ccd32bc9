//! One stream from bytes to findings: framing, then the checker.

use std::fmt;
use std::ops::{Deref, Range};

use super::document::{Document, Piece, Room, without_mark};
use super::framing::{Framing, Headers};
use super::lines::{Cut, Line, LineSplitter};
use super::reader::{Reader, Taker};
use super::sse::{Item, Parser};
use crate::check::{Checker, Excerpt, Finding, Input, Oversize, Protocol, UnknownType, input_rules};
use crate::wire::span::Segment;

/// Checks a stream of bytes: framing and events, in bounded memory.
///
/// Bytes come in pieces of any size; findings come with the piece that decides them. HTTP
/// headers before the first event, as `curl -i` writes them, are passed over.
///
/// A stream in which nothing is open keeps at most 4 KB between two pieces, and one with an
/// open message at most 8 KB, after [`shrink_to_fit`](Self::shrink_to_fit). What a stream has to
/// remember grows with the ids that it names, within [`Limits`](crate::check::Limits).
///
/// ```
/// use agent_contracts::stream::StreamChecker;
/// use agent_contracts::Protocol;
///
/// let mut stream = StreamChecker::new(Protocol::AGUI);
/// stream.push(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"run");
/// for found in &stream.push(b"Id\":7}\n\n") {
///     assert_eq!(found.to_string(), "error[agui/wrong-type]: runId is a number, not a string");
///     let excerpt = found.excerpt();
///     assert_eq!(&excerpt.text[excerpt.span], "*");
/// }
/// let at_end: Vec<_> = stream.finish().iter().map(|found| found.rule.id().to_owned()).collect();
/// assert_eq!(at_end, ["agui/truncated-stream"]);
/// ```
///
/// Since 0.1.0.
pub struct StreamChecker {
    checker: Checker,
    reading: Reading,
    source: Source,
    kept: Kept,
}

/// How the input is read.
#[derive(Debug)]
enum Reading {
    /// Events of one stream.
    Events(Framing),
    /// One document of a type, such as `Fixture`.
    Document(String),
    /// Each line a value of a type by itself.
    Lines(String),
}

/// The state of the framing.
enum Source {
    /// Nothing but the beginning of HTTP headers has come.
    Start(Vec<u8>, Headers),
    Sse(Box<Parser>),
    Lines(LineSplitter),
    Document(Document),
}

/// Takes each finding with the text of its event.
pub(crate) type Sink<'s> = dyn FnMut(&[Finding], &[u8]) + 's;

/// How many bytes of HTTP headers are waited for.
const HEADERS: usize = 64 * 1024;

/// How many times the size of an event a document may have.
const EVENTS_OF_A_DOCUMENT: usize = 16;

/// The same of an element of a list, which is passed over if it is larger than an event: its end has to be found.
const EVENTS_OF_AN_ELEMENT: usize = 4;

impl StreamChecker {
    /// A checker of all rules of `protocol`, for server-sent events.
    pub fn new(protocol: impl Into<Protocol>) -> Self {
        Self::of(Checker::new(protocol), Framing::Sse)
    }

    /// Checks a stream of events with `checker`, which has been set up.
    pub fn of(checker: Checker, framing: Framing) -> Self {
        Self::with_reading(checker, Reading::Events(framing))
    }

    /// Checks one document of type `kind`, such as `Fixture`.
    ///
    /// # Errors
    /// When the protocol has no type of that name.
    pub fn of_document(checker: Checker, kind: &str) -> Result<Self, UnknownType> {
        checker.knows(kind)?;
        Ok(Self::with_reading(checker, Reading::Document(kind.into())))
    }

    /// Checks each line by itself, as a value of type `kind`, such as `Event`.
    ///
    /// # Errors
    /// When the protocol has no type of that name.
    pub fn of_lines(checker: Checker, kind: &str) -> Result<Self, UnknownType> {
        checker.knows(kind)?;
        Ok(Self::with_reading(checker, Reading::Lines(kind.into())))
    }

    fn with_reading(checker: Checker, reading: Reading) -> Self {
        Self { checker, reading, source: Source::Start(Vec::new(), Headers::default()), kept: Kept::default() }
    }

    /// The protocol that is checked.
    pub fn protocol(&self) -> &Protocol {
        self.checker.protocol()
    }

    /// How many events have come.
    pub fn events(&self) -> u64 {
        self.checker.events()
    }

    /// What `Checker::closer_looks` says of the stream.
    #[doc(hidden)]
    pub fn closer_looks(&self) -> u64 {
        self.checker.closer_looks()
    }

    /// Takes the next bytes; gives the findings that they decide.
    pub fn push(&mut self, bytes: &[u8]) -> Findings<'_> {
        self.keeping(|stream, sink| stream.push_into(bytes, sink))
    }

    /// Ends the stream as its producer ended it: what is wrong with the last event, and
    /// what only the end shows.
    pub fn finish(&mut self) -> Findings<'_> {
        self.keeping(Self::finish_into)
    }

    /// Ends a stream whose connection was dropped: what is missing is not the producer's
    /// fault, so neither the rest of an event nor what is still open is reported.
    pub fn abandon(&mut self) {
        self.reset();
    }

    /// Begins another stream with the same settings, and forgets the one before.
    pub fn reset(&mut self) {
        self.checker.reset();
        self.source = Source::Start(Vec::new(), Headers::default());
        self.kept = Kept::default();
    }

    /// Frees memory that only makes checking faster, and what large frames have left. For
    /// streams that will be idle; nothing that is known of the stream is lost.
    pub fn shrink_to_fit(&mut self) {
        self.checker.shrink_to_fit();
        self.kept = Kept::default();
        match &mut self.source {
            Source::Start(bytes, _) => bytes.shrink_to_fit(),
            Source::Sse(parser) => parser.shrink_to_fit(),
            Source::Lines(lines) => lines.shrink_to_fit(),
            Source::Document(document) => document.shrink_to_fit(),
        }
    }

    fn keeping(&mut self, run: impl FnOnce(&mut Self, &mut Sink<'_>)) -> Findings<'_> {
        let mut kept = Kept::default();
        run(self, &mut |findings, text| kept.add(findings, text));
        self.kept = kept;
        Findings { kept: &self.kept, at: 0 }
    }

    pub(crate) fn push_into(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let checker = &mut self.checker;
        match &mut self.source {
            Source::Start(before, headers) => {
                before.extend_from_slice(bytes);
                let headers = headers.read(before);
                // Behind one block of headers another may follow.
                let may_go_on = headers.is_none_or(|headers| headers == before.len());
                if !may_go_on || before.len() > HEADERS {
                    let before = std::mem::take(before);
                    let (headers, rest) = before.split_at(headers.unwrap_or(0));
                    self.begin(headers);
                    self.push_into(rest, sink);
                }
            }
            Source::Sse(parser) => parser.push_to(bytes, &mut Checked { checker, reading: &self.reading, sink }),
            Source::Lines(lines) => lines.push_to(bytes, &mut Checked { checker, reading: &self.reading, sink }),
            Source::Document(document) => {
                let events = |many| checker.limits().event_bytes.saturating_mul(many);
                let room = Room { whole: events(EVENTS_OF_A_DOCUMENT), element: events(EVENTS_OF_AN_ELEMENT) };
                let mut checked = Checked { checker, reading: &self.reading, sink };
                if let Some(start) = document.push_to(bytes, room, &mut checked) {
                    let message = "the document is larger than the limit and was not read; write the events as a JSON list or as JSON lines";
                    sink(self.checker.note(&input_rules::TOO_LARGE, Some(start), message), &[]);
                }
            }
        }
    }

    /// Whether what comes now makes no difference any more.
    #[cfg(feature = "cli")]
    pub(crate) fn is_done(&self) -> bool {
        matches!(&self.source, Source::Document(document) if document.is_dropped())
    }

    pub(crate) fn finish_into(&mut self, sink: &mut Sink<'_>) {
        let too_large = self.end_source(sink);
        let checker = &mut self.checker;
        if checker.events() == 0 {
            match self.reading {
                // What is missing was not read, which was said.
                _ if too_large => return,
                Reading::Events(_) => sink(checker.nothing_came(), &[]),
                _ => sink(checker.note(&input_rules::EMPTY, None, "there is no value in it"), &[]),
            }
        }
        if let Reading::Events(_) = self.reading {
            sink(checker.finish(), &[]);
        }
    }

    /// Ends a document that another one of the same stream follows. An empty one counts as an
    /// event that cannot be read.
    #[cfg(feature = "cli")]
    pub(crate) fn end_document(&mut self, sink: &mut Sink<'_>) {
        self.end_headers(sink);
        let nothing = match &self.source {
            Source::Document(document) => document.nothing_in(),
            _ => None,
        };
        self.end_source(sink);
        if let Some(text) = nothing {
            sink(self.checker.push(Input::event_bytes(text)), text);
        }
        self.source = Source::Start(Vec::new(), Headers::default());
    }

    /// Reads what was waited with because HTTP headers might have gone on.
    fn end_headers(&mut self, sink: &mut Sink<'_>) {
        if let Source::Start(before, headers) = &mut self.source {
            let before = std::mem::take(before);
            let (headers, rest) = before.split_at(headers.read(&before).unwrap_or(0));
            self.begin(headers);
            self.push_into(rest, sink);
        }
    }

    /// Reads what is left; true if the document was too large to be read.
    fn end_source(&mut self, sink: &mut Sink<'_>) -> bool {
        self.end_headers(sink);
        let checker = &mut self.checker;
        let mut too_large = false;
        match &mut self.source {
            Source::Start(..) => {}
            Source::Sse(parser) => parser.finish(|item| frame(checker, item, sink)),
            Source::Lines(lines) => {
                let reading = &self.reading;
                lines.finish(|line| take_line(checker, reading, line, None, sink));
            }
            Source::Document(document) => {
                too_large = document.is_dropped();
                if let Reading::Document(kind) = &self.reading {
                    let (bytes, start) = document.take();
                    whole(checker, kind, &bytes, start, sink);
                } else {
                    document.finish_to(&mut Checked { checker, reading: &self.reading, sink });
                }
            }
        }
        too_large
    }

    /// Begins to read behind the given headers.
    fn begin(&mut self, headers: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', headers).count() as u64;
        let start = Segment::new(0, headers.len() as u64, 1 + lines, 1);
        let limits = self.checker.limits();
        self.source = match self.reading {
            Reading::Events(Framing::Sse) => Source::Sse(Box::new(Parser::starting_at(limits.frame_bytes, start))),
            Reading::Events(Framing::Ndjson) | Reading::Lines(_) => {
                Source::Lines(LineSplitter::starting_at(limits.event_bytes, start))
            }
            Reading::Events(Framing::Json) => Source::Document(Document::of_events(start)),
            Reading::Document(_) => Source::Document(Document::whole(start)),
        };
    }
}

impl fmt::Debug for StreamChecker {
    /// Shows nothing of the stream.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamChecker")
            .field("checker", &self.checker)
            .field("reading", &self.reading)
            .finish_non_exhaustive()
    }
}

fn frame(checker: &mut Checker, item: Item<'_>, sink: &mut Sink<'_>) {
    match item {
        Item::Frame(frame) => sink(checker.push(frame.input()), frame.data),
        Item::UnknownField(line) => sink(checker.push_stray_line(line.value, line.place), line.value),
        Item::TooLarge(place) => sink(checker.push_too_large(place, Oversize::Frame), &[]),
        Item::Retry(_) => {}
    }
}

/// Has events checked.
struct Checked<'c, 'k> {
    checker: &'c mut Checker,
    reading: &'c Reading,
    sink: &'c mut Sink<'k>,
}

impl Taker for Checked<'_, '_> {
    const TAKES: bool = true;

    #[inline]
    fn take(&mut self, rest: &str, place: Segment, most: usize, end: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        if !matches!(self.reading, Reading::Events(_)) {
            return None;
        }
        let (length, whole, findings) = self.checker.push_first(rest, place, most, end)?;
        if !findings.is_empty() {
            (self.sink)(findings, rest.as_bytes().get(..length)?);
        }
        Some(whole)
    }
}

impl Reader<Cut<'_>> for Checked<'_, '_> {
    fn read(&mut self, (line, text): Cut<'_>) {
        take_line(self.checker, self.reading, line, text, self.sink);
    }
}

impl Reader<Item<'_>> for Checked<'_, '_> {
    fn read(&mut self, item: Item<'_>) {
        frame(self.checker, item, self.sink);
    }
}

impl Reader<Piece<'_>> for Checked<'_, '_> {
    fn read(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Event(input, place) => (self.sink)(self.checker.push(input.at(&[place])), input.bytes()),
            Piece::Broken(bytes, place, error) => {
                (self.sink)(self.checker.push_broken(bytes, error, &[place]), bytes);
            }
            Piece::Around(document, list, place) => {
                let is_kept = document.len() <= self.checker.limits().event_bytes;
                let shown = if is_kept { document.as_bytes() } else { &[] };
                (self.sink)(self.checker.push_around(document, &list, place), shown);
            }
            Piece::TooLarge(place) => (self.sink)(self.checker.push_too_large(place, Oversize::Rest), &[]),
        }
    }
}

fn take_line(checker: &mut Checker, reading: &Reading, line: Line<'_>, text: Option<&str>, sink: &mut Sink<'_>) {
    let Line::Text { bytes, place, ended } = line else {
        if let Line::TooLarge(place) = line {
            sink(checker.push_too_large(place, Oversize::Line), &[]);
        }
        return;
    };
    let segments = [place];
    let input = text.map_or_else(|| Input::event_bytes(bytes), Input::event).at(&segments).cut_off(!ended);
    match reading {
        Reading::Lines(kind) => sink(checker.check_as(kind, input).unwrap_or_default(), bytes),
        _ => sink(checker.push(input), bytes),
    }
}

fn whole(checker: &mut Checker, kind: &str, bytes: &[u8], start: Segment, sink: &mut Sink<'_>) {
    let (text, start) = without_mark(bytes, start);
    if !text.trim_ascii().is_empty() {
        sink(checker.check_as(kind, Input::event_bytes(text).at(&[start])).unwrap_or_default(), text);
    }
}

/// The findings of one push, until the checker is used again.
///
/// Since 0.1.0.
#[derive(Clone, Debug)]
pub struct Findings<'s> {
    kept: &'s Kept,
    at: usize,
}

impl Findings<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.kept.findings.len() - self.at
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The findings in their order.
    #[must_use]
    pub fn iter(&self) -> Self {
        self.clone()
    }
}

impl<'s> Iterator for Findings<'s> {
    type Item = Found<'s>;

    #[expect(clippy::indexing_slicing, reason = "a finding is kept with the place of its text among these")]
    fn next(&mut self) -> Option<Found<'s>> {
        let (finding, text) = self.kept.findings.get(self.at)?;
        self.at += 1;
        Some(Found { finding, text: &self.kept.texts[text.clone()] })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for Findings<'_> {}

impl std::iter::FusedIterator for Findings<'_> {}

impl<'s> IntoIterator for &Findings<'s> {
    type Item = Found<'s>;
    type IntoIter = Findings<'s>;

    fn into_iter(self) -> Findings<'s> {
        self.clone()
    }
}

/// A finding while the text of its event is still there.
///
/// ```
/// use agent_contracts::Protocol;
/// use agent_contracts::check::Finding;
/// use agent_contracts::stream::StreamChecker;
///
/// let mut stream = StreamChecker::new(Protocol::AGUI);
/// let found = stream.finish();
/// assert_eq!(found.size_hint(), (1, Some(1)));
/// let findings: Vec<&Finding> = found.map(|found| found.finding()).collect();
/// assert_eq!(findings[0].rule.id(), "agui/empty-stream");
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Copy)]
pub struct Found<'s> {
    finding: &'s Finding,
    text: &'s [u8],
}

impl<'s> Found<'s> {
    /// The finding, until the checker is used again.
    pub const fn finding(&self) -> &'s Finding {
        self.finding
    }

    /// The source around the finding, values masked.
    pub fn excerpt(&self) -> Excerpt {
        self.finding.excerpt(self.text)
    }
}

impl Deref for Found<'_> {
    type Target = Finding;

    fn deref(&self) -> &Finding {
        self.finding
    }
}

impl fmt::Display for Found<'_> {
    /// Writes the finding in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.finding, f)
    }
}

impl fmt::Debug for Found<'_> {
    /// Shows the finding alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.finding, f)
    }
}

/// Findings, and the texts that they are about.
#[derive(Default)]
struct Kept {
    findings: Vec<(Finding, Range<usize>)>,
    texts: Vec<u8>,
}

impl Kept {
    fn add(&mut self, findings: &[Finding], text: &[u8]) {
        if !findings.is_empty() {
            let place = self.texts.len()..self.texts.len() + text.len();
            self.texts.extend_from_slice(text);
            self.findings.extend(findings.iter().map(|finding| (finding.clone(), place.clone())));
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.findings.iter().map(|(finding, _)| finding)).finish()
    }
}
