//! What a source is taken for, as asked for or as its first bytes show.

use std::path::{Path, PathBuf};

use super::choice::Choice;
use super::console::{Failure, Outcome};
use super::names::{Type, no_reference};
use super::setup::Setup;
use super::source::Source;
use crate::check::recognise::Head;
use crate::check::{Profile, Protocol};
use crate::stream::{Detected, Framing, HEAD_BYTES, StreamChecker, settled, without_headers};
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxKind};

pub(super) struct Plan {
    pub(super) protocol: Protocol,
    pub(super) framing: Option<Framing>,
    pub(super) mode: Mode,
    /// What is worth knowing of how it was chosen.
    pub(super) remarks: Vec<String>,
}

impl Plan {
    /// The folder whose documents are one stream, such as recorded responses to polls. A list
    /// of events is a stream of its own.
    pub(super) fn folder(&self, source: &Source, head: &[u8]) -> Option<PathBuf> {
        let text = String::from_utf8_lossy(head);
        let is_object = text.trim_start_matches('\u{FEFF}').trim_start().starts_with('{');
        let is_json = is_object && matches!(self.mode, Mode::Events(Framing::Json));
        let path = source.path().filter(|_| is_json && source.is_document() && self.protocol.about().is_polled)?;
        path.parent().map(Path::to_path_buf)
    }

    /// A document of events.
    pub(super) fn of_document(protocol: Protocol) -> Self {
        let framing = Framing::Json;
        Self { protocol, framing: Some(framing), mode: Mode::Events(framing), remarks: Vec::new() }
    }
}

/// What a source is taken for where it lies, and the folder whose stream it may go on with. `open` is the protocol and
/// the folder of the answers before it: a file among them may be one that has gone wrong, and shows nothing of them.
pub(super) fn plan_in(
    open: Option<(&Protocol, &Path)>,
    plan: Result<Plan, Unrecognised>,
    source: &Source,
    head: &[u8],
    is_whole: bool,
) -> Result<(Plan, Option<PathBuf>), Unrecognised> {
    let odd = |protocol: &Protocol| {
        let is_answer = protocol.about().is_polled && source.is_document() && is_odd_answer(head, is_whole);
        let folder = source.path().filter(|_| is_answer)?.parent().map(Path::to_path_buf);
        Some((Plan::of_document(protocol.clone()), folder))
    };
    let here = open.filter(|(_, folder)| source.path().and_then(Path::parent) == Some(*folder));
    let among_others = || here.and_then(|(protocol, _)| odd(protocol));
    match plan {
        Ok(plan) => match plan.folder(source, head) {
            None if matches!(plan.mode, Mode::Events(_)) => {
                Ok(among_others().or_else(|| odd(&plan.protocol)).unwrap_or((plan, None)))
            }
            folder => Ok((plan, folder)),
        },
        Err(unknown @ Unrecognised::Protocol(_)) => among_others().ok_or(unknown),
        Err(other) => Err(other),
    }
}

/// Whether a file among recorded answers is one that has gone wrong: it is broken off or no
/// JSON, such as a page of a gateway, it is no object, or it says little more than whether
/// it succeeded, or what went wrong.
fn is_odd_answer(head: &[u8], is_whole: bool) -> bool {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if !text.starts_with(['{', '[']) {
        return true;
    }
    let members = Head::of(text, None);
    let says_what_went_wrong = FAULTS.iter().any(|name| members.has(name));
    if !is_whole {
        // Only its first members are known.
        return text.starts_with('{') && says_what_went_wrong;
    }
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    let is_broken = cursor.skip().is_err();
    let is_one = !is_broken && cursor.end().is_ok();
    let says_how_it_went = members.kind("success") == Some(Kind::Bool)
        || says_what_went_wrong
        || text.trim_matches(['{', '}']).trim().is_empty();
    // A list of events begins with an object.
    let is_list = text.trim_start_matches('[').trim_start().starts_with('{');
    if text.starts_with('[') { is_one && !is_list } else { is_broken || (is_one && says_how_it_went) }
}

/// The members in which gateways and frameworks say what went wrong.
const FAULTS: [&str; 4] = ["error", "errors", "detail", "message"];

/// What the values of a source are taken for.
pub(super) enum Mode {
    Events(Framing),
    Document(String),
    Lines(String),
}

impl Mode {
    /// The type that values are checked against, unless they are events of a stream.
    pub(super) fn document(&self) -> Option<&str> {
        match self {
            Self::Events(_) => None,
            Self::Document(kind) | Self::Lines(kind) => Some(kind),
        }
    }
}

/// Why a source is not checked.
pub(super) enum Unrecognised {
    Fixture,
    Times,
    Protocol(Framing),
    NoReference(Protocol),
    /// A type was named for its values, and it has events in frames.
    Frames,
}

impl Unrecognised {
    /// Whether a stream that goes on from file to file goes on behind it: a document that is passed over ends none.
    pub(super) fn leaves_open(&self, source: &Source) -> bool {
        source.is_document() && !matches!(self, Self::Protocol(Framing::Sse))
    }

    /// What is said of it where a rule says what to do.
    pub(super) fn message(&self) -> String {
        match self {
            Self::Protocol(framing) => format!("no protocol was recognised in it (read as {framing})"),
            _ => self.reason(),
        }
    }

    /// What is said of it, and what to do.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Fixture => "is a fixture with expectations; run it with `agent-contracts test`".into(),
            Self::Times => "has the times of a recording, which is the file to check".into(),
            Self::NoReference(protocol) => no_reference(protocol),
            Self::Frames => "has server-sent events, which are checked as a stream; leave --as out".into(),
            Self::Protocol(_) => format!("{}; name one with --protocol, or a type with --as", self.message()),
        }
    }
}

impl Setup<'_> {
    pub(super) fn stream(&self, plan: &Plan, choice: &Choice) -> Outcome<StreamChecker> {
        let checker = self.checker(plan.protocol.clone(), choice)?;
        let unknown = |error: crate::check::UnknownType| Failure::new(error.to_string());
        match &plan.mode {
            Mode::Events(framing) => Ok(StreamChecker::of(checker, *framing)),
            Mode::Document(kind) => StreamChecker::of_document(checker, kind).map_err(unknown),
            Mode::Lines(kind) => StreamChecker::of_lines(checker, kind).map_err(unknown),
        }
    }

    /// Protocol and mode of a source, as asked for or as its head shows.
    pub(super) fn plan(&self, source: &Source, head: &[u8], choice: &Choice) -> Result<Plan, Unrecognised> {
        let head = head.get(blank_lines(head)..).unwrap_or_default();
        if let Some(Type { protocol, kind, .. }) = &choice.as_type {
            if choice.profile == Profile::Reference && !protocol.has_reference() {
                return Err(Unrecognised::NoReference(protocol.clone()));
            }
            if Framing::detect(head) == Framing::Sse {
                return Err(Unrecognised::Frames);
            }
            let by_line = match source.ending().as_str() {
                "jsonl" | "ndjson" => true,
                "" => begins_with_value(head),
                _ => false,
            };
            let mode = if by_line { Mode::Lines(kind.clone()) } else { Mode::Document(kind.clone()) };
            return Ok(Plan {
                protocol: protocol.clone(),
                framing: by_line.then_some(Framing::Ndjson),
                mode,
                remarks: Vec::new(),
            });
        }
        if is_fixture(head) {
            return Err(Unrecognised::Fixture);
        }
        if is_times(head) {
            return Err(Unrecognised::Times);
        }
        let framing = framing(source, head, choice);
        let found = Protocol::detect(head, framing).filter(|_| begins_recording(source, head));
        let (protocol, remarks) = match (&choice.protocol, &found) {
            (Some(_), None) if is_note(source, head, framing) => return Err(Unrecognised::Protocol(framing)),
            (Some(protocol), _) => (protocol.clone(), Vec::new()),
            (None, Some(found)) => (found.protocol.clone(), self.remarks_on(source, found)),
            (None, None) => return Err(Unrecognised::Protocol(framing)),
        };
        if choice.profile == Profile::Reference && !protocol.has_reference() {
            return Err(Unrecognised::NoReference(protocol));
        }
        let document = found.filter(|found| found.protocol == protocol).and_then(|found| found.document);
        let mode = document.map_or(Mode::Events(framing), |kind| Mode::Document(kind.into()));
        Ok(Plan { protocol, framing: Some(framing), mode, remarks })
    }

    fn remarks_on(&self, source: &Source, found: &Detected) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.quiet {
            return remarks;
        }
        let (name, protocol) = (source.name(), &found.protocol);
        if let Some(other) = &found.tied_with {
            remarks.push(format!(
                "{name}: taken as {protocol}; it could also be {other}: use --protocol {other} if it is"
            ));
        }
        if self.args.subscribes() && !protocol.has_subscriptions() {
            let what = "has no subscriptions, so --run-id and --resumed have no effect";
            remarks.push(format!("{name}: taken as {protocol}, which {what}"));
        }
        remarks
    }
}

/// Whether a file that was not named is a note that lies beside recordings: it ends as texts for people do, and does not
/// begin as events do.
fn is_note(source: &Source, head: &[u8], framing: Framing) -> bool {
    const ENDINGS: [&str; 6] = ["md", "rst", "adoc", "toml", "yaml", "yml"];
    let is_text = ENDINGS.contains(&&*source.ending()) && !source.is_named();
    is_text && framing != Framing::Sse && !begins_with_value(head)
}

/// How many bytes are read to find some that are not blank.
const BLANK_BYTES: usize = 16 * HEAD_BYTES;

/// The first bytes of a source, as they are read.
#[derive(Default)]
pub(super) struct Begun {
    pub(super) read: Vec<u8>,
    /// So many of them are white space at the beginning.
    blank: usize,
    /// Where the events end that show what a live stream is, while more may come.
    shown: Option<usize>,
}

impl Begun {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.read.extend_from_slice(bytes);
        let rest = self.read.get(self.blank..).unwrap_or_default();
        self.blank += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// What shows what the source is, however many bytes came at once.
    pub(super) fn head(&self) -> &[u8] {
        self.read.get(..self.shown.unwrap_or(self.most())).unwrap_or(&self.read)
    }

    fn most(&self) -> usize {
        (self.blank + HEAD_BYTES).min(BLANK_BYTES)
    }

    /// Whether no more than this is looked at.
    pub(super) fn is_long(&self) -> bool {
        self.read.len() >= self.most()
    }

    /// Whether what was read shows what the source is.
    pub(super) fn is_enough(&mut self, source: &Source, choice: &Choice) -> bool {
        if !self.is_long() && source.is_live() && self.blank < self.read.len() {
            let blank = self.read.get(..self.blank).unwrap_or_default();
            let lines = blank.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let begun = self.read.get(lines..).unwrap_or_default();
            self.shown = shown(source, begun, choice).map(|end| lines + end);
        }
        self.shown.is_some() || self.is_long()
    }
}

/// The length of the blank lines at the beginning, which show nothing.
fn blank_lines(head: &[u8]) -> usize {
    let blank = head.iter().take_while(|byte| byte.is_ascii_whitespace());
    blank.enumerate().filter(|(_, byte)| **byte == b'\n').last().map_or(0, |(at, _)| at + 1)
}

/// Where the whole events end that show what a live stream is; `None` as long as more have to come.
fn shown(source: &Source, head: &[u8], choice: &Choice) -> Option<usize> {
    let begun = without_headers(head);
    // Headers go on up to a blank line.
    if begun.is_empty() || begun.starts_with(b"HTTP/") {
        return None;
    }
    if choice.as_type.is_some() {
        return begun.contains(&b'\n').then_some(head.len());
    }
    let framing = framing(source, head, choice);
    let end = head.len() - begun.len() + whole_events(begun, framing)?;
    let whole = head.get(..end)?;
    (choice.protocol.is_some() || settled(whole, framing, Protocol::ALL).1).then_some(end)
}

/// Where the last whole event ends, if there is one. Behind lines stands the first byte of the next, which shows that
/// they are lines.
fn whole_events(begun: &[u8], framing: Framing) -> Option<usize> {
    match framing {
        Framing::Sse => ["\n\n", "\r\n\r\n", "\r\r"].iter().filter_map(|end| behind_last(begun, end.as_bytes())).max(),
        Framing::Ndjson => {
            let end = behind_last(begun, b"\n").filter(|_| has_line(begun))?;
            let blank = begun.get(end..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            Some(begun.len().min(end + blank + 1))
        }
        Framing::Json => elements_end(begun),
    }
}

fn behind_last(text: &[u8], what: &[u8]) -> Option<usize> {
    Some(text.windows(what.len()).rposition(|part| part == what)? + what.len())
}

fn framing(source: &Source, head: &[u8], choice: &Choice) -> Framing {
    // A first line that is cut off may be all there is of a document, or one of many.
    let is_cut = head.len() >= HEAD_BYTES && !head.contains(&b'\n');
    // So it is of an answer to a poll that is broken off.
    let is_answer = || !source.is_named() && is_cut_answer(head);
    let is_open = || source.ending() == "json" && head.starts_with(b"{") && (is_cut || is_answer());
    let seen = || if is_open() { Framing::Json } else { Framing::detect(head) };
    choice.framing.unwrap_or_else(seen)
}

/// Where the last whole element of a list ends, once a second one has begun.
fn elements_end(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text)
        .or_else(|cut| std::str::from_utf8(text.get(..cut.valid_up_to()).unwrap_or_default()))
        .ok()?;
    let mark = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let mut cursor = Cursor::new(text.get(mark..)?, MAX_DEPTH);
    cursor.open(b'[').ok()?;
    let mut end = None;
    while cursor.skip().is_ok() {
        end = end.map(|_| mark + cursor.offset());
        if cursor.element(&mut false) != Ok(true) {
            break;
        }
        end = Some(mark + cursor.offset());
    }
    end
}

/// Whether a line has ended that is not the beginning of a value of several lines.
fn has_line(text: &[u8]) -> bool {
    let ended = text.iter().rposition(|byte| *byte == b'\n').and_then(|at| text.get(..at)).unwrap_or_default();
    String::from_utf8_lossy(ended).lines().any(|line| {
        let line = line.trim_matches(|sign: char| sign == '\u{FEFF}' || sign.is_whitespace());
        let end = Cursor::new(line, MAX_DEPTH).skip();
        !end.is_err_and(|error| error.kind == SyntaxKind::UnexpectedEnd)
    })
}

/// Whether the first line is a whole value, so that each of those that follow is one, too.
fn begins_with_value(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line.trim_ascii());
    let mut cursor = Cursor::new(line.trim_start_matches('\u{FEFF}'), MAX_DEPTH);
    cursor.skip().is_ok() && cursor.end().is_ok()
}

/// Whether the text is one line that begins as an answer to a poll does, and is not whole.
fn is_cut_answer(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head.trim_ascii_end());
    let is_broken = !text.contains('\n') && Cursor::new(&text, MAX_DEPTH).skip().is_err();
    let members = Head::of(&text, None);
    is_broken && (members.has("success") || members.has("from"))
}

/// Whether a file that nobody named may be a recording. By its name, or else because it
/// begins with one: a page that quotes an event is none.
fn begins_recording(source: &Source, head: &[u8]) -> bool {
    const ENDINGS: [&str; 6] = ["json", "jsonl", "ndjson", "sse", "log", "txt"];
    if source.is_named() || ENDINGS.contains(&source.ending().as_str()) {
        return true;
    }
    let head = without_headers(head);
    let framing = Framing::detect(head);
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    match framing {
        Framing::Sse => true,
        Framing::Ndjson => Protocol::detect(text.lines().next().unwrap_or_default().as_bytes(), framing).is_some(),
        Framing::Json => {
            let object = text.trim_start_matches('[').trim_start().strip_prefix('{');
            object.is_some_and(|members| members.trim_start().starts_with('"'))
        }
    }
}

/// Whether the text is a fixture of `agent-contracts test`: one object with the members of
/// one. Its `expect` may lie beyond the head.
fn is_fixture(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let members = Head::of(&text, None);
    let inputs = ["events", "sse", "ndjson", "document", "response"];
    let named = members.text("title").is_some() && members.text("protocol").is_some();
    let cut_off = head.len() >= HEAD_BYTES && inputs.iter().any(|name| members.has(name));
    named && (members.has("expect") || cut_off)
}

/// Whether the text has the times of a recording: what `record` writes beside it.
fn is_times(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let members = Head::of(text.lines().next().unwrap_or_default(), None);
    members.has("byte") && members.has("ms")
}
