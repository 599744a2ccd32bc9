//! `check`: files and streams against their contracts.

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use super::args::CheckArgs;
use super::console::{Failure, Outcome, Status, complain, remark, say, shown};
use super::files::{Expanded, expand, same};
use super::output::{Output, open};
use super::source::Source;
use crate::check::near::nearest_within;
use crate::check::recognise::Head;
use crate::check::{Checker, Code, Profile, Protocol, Rule, Severity, input_rules};
use crate::report::ReportSummary;
use crate::stream::sse::{Item, Parser};
use crate::stream::{Detected, Framing, HEAD_BYTES, StreamChecker};
use crate::wire::span::Segment;
use crate::{rule, rules};

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let setup = Setup::new(args)?;
    let Expanded { sources, complaints, hidden } = expand(&args.paths, args.output.output_file.as_deref());
    let mut failed = !complaints.is_empty();
    for complaint in &complaints {
        complain(complaint);
    }
    let mut output = open_output(args, &sources, setup.fail_on)?;
    for complaint in &complaints {
        output.fail(None, complaint)?;
    }
    let mut progress = Progress::new(sources.len());
    let mut open = None;
    for source in &sources {
        progress.begin(source);
        match setup.check(source, output.as_mut(), &mut open)? {
            Checked::Done => {}
            Checked::Failed(message) => {
                progress.clear();
                complain(&format!("{}: {message}", source.name()));
                output.fail(Some(&source.name()), &message)?;
                failed = true;
            }
            Checked::Interrupted => break,
        }
    }
    finish(&mut open, output.as_mut())?;
    progress.clear();
    let (summary, skipped) = output.counts();
    let is_nothing = summary.files == 0 && !failed;
    if is_nothing {
        output.fail(None, NOTHING)?;
    }
    let line = line(&summary, skipped);
    output.finish(&line)?;
    say(&line);
    if !hidden.is_empty() {
        let names: Vec<_> = hidden.iter().take(5).map(|path| path.to_string_lossy().into_owned()).collect();
        let more = if hidden.len() > names.len() { ", …" } else { "" };
        remark(&format!(
            "{} files or folders were not checked, because ignore files hide them: {}{more}",
            hidden.len(),
            names.join(", ")
        ));
    }
    if is_nothing {
        return Err(Failure::new(NOTHING));
    }
    if failed {
        return Ok(Status::Failed);
    }
    Ok(if summary.at_least(setup.fail_on) > 0 { Status::Findings } else { Status::Clean })
}

const NOTHING: &str = "nothing to check: no protocol was recognised in any file; name a file, or use --protocol";

fn open_output(args: &CheckArgs, sources: &[Source], fail_on: Severity) -> Outcome<Box<dyn Output>> {
    if let Some(path) = &args.output.output_file
        && sources.iter().filter_map(Source::path).any(|source| same(source, Some(path)))
    {
        return Err(Failure::new(format!(
            "{}: is one of the inputs; write the findings to another file",
            path.display()
        )));
    }
    open::open(&args.output, "check", fail_on)
}

/// What came of the check, in a line.
fn line(summary: &ReportSummary, skipped: usize) -> String {
    let mut line = summary.to_string();
    if skipped > 0 {
        line += &format!("; {skipped} skipped (not recordings)");
    }
    line
}

/// What was asked for, apart from the files.
struct Setup<'a> {
    args: &'a CheckArgs,
    profile: Profile,
    fail_on: Severity,
    as_type: Option<Type>,
    /// The version that was asked for.
    version: Option<&'static str>,
    overrides: Vec<Override>,
}

/// A severity that the user gives to a rule or a code.
enum Override {
    Rule(&'static Rule, Option<Severity>),
    Code(Code, Option<Severity>),
}

enum Checked {
    Done,
    Failed(String),
    /// The user has stopped the check.
    Interrupted,
}

/// What reading a source yields.
enum Chunk {
    Bytes(Vec<u8>),
    End,
    Failed(io::Error),
    Interrupted,
}

/// A source as it is read: standard input by a thread of its own, so that a signal ends
/// the wait for it.
enum Reader {
    File(Box<dyn Read>),
    Live(mpsc::Receiver<Chunk>),
}

impl Reader {
    fn of(source: &Source) -> io::Result<Self> {
        if *source != Source::Stdin {
            return Ok(Self::File(source.open()?));
        }
        let (sender, receiver) = mpsc::sync_channel(4);
        let interrupt = sender.clone();
        // A second handler is refused, which leaves the first one in place.
        let _ = ctrlc::set_handler(move || {
            let _ = interrupt.try_send(Chunk::Interrupted);
        });
        let source = source.clone();
        std::thread::spawn(move || {
            let mut reader = match source.open() {
                Ok(reader) => Self::File(reader),
                Err(error) => {
                    let _ = sender.send(Chunk::Failed(error));
                    return;
                }
            };
            loop {
                let chunk = reader.next();
                let last = !matches!(chunk, Chunk::Bytes(_));
                if sender.send(chunk).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self::Live(receiver))
    }

    fn next(&mut self) -> Chunk {
        match self {
            Self::Live(receiver) => receiver.recv().unwrap_or(Chunk::End),
            Self::File(reader) => {
                let mut buffer = vec![0; HEAD_BYTES];
                loop {
                    match reader.read(&mut buffer) {
                        Ok(0) => return Chunk::End,
                        Ok(count) => {
                            buffer.truncate(count);
                            return Chunk::Bytes(buffer);
                        }
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => return Chunk::Failed(error),
                    }
                }
            }
        }
    }
}

impl<'a> Setup<'a> {
    fn new(args: &'a CheckArgs) -> Outcome<Self> {
        let mut overrides = Vec::new();
        for (name, severity) in &args.overrides {
            overrides.push(find_override(name, *severity)?);
        }
        let as_type = args.as_type.as_deref().map(parse_type).transpose()?;
        let profile = args.profile();
        let (protocol, version) = args.protocol().unzip();
        let version = as_type.as_ref().map_or(version.flatten(), |of| of.version);
        let asked = as_type.as_ref().map(|of| of.protocol.clone()).or(protocol);
        if let Some(protocol) =
            asked.as_ref().filter(|protocol| profile == Profile::Reference && !protocol.has_reference())
        {
            return Err(Failure::new(no_reference(protocol)));
        }
        if let Some(protocol) = asked.as_ref().filter(|protocol| args.subscribes() && !protocol.has_subscriptions()) {
            return Err(Failure::new(format!("{protocol} has no subscriptions; leave out --run-id and --resumed")));
        }
        Ok(Self { args, profile, fail_on: args.fail_on(), as_type, version, overrides })
    }

    fn checker(&self, protocol: Protocol) -> Outcome<Checker> {
        let mut builder = Checker::builder(protocol).profile(self.profile).resumed(self.args.resumed);
        if let Some(run) = &self.args.run_id {
            builder = builder.run_id(run.as_str());
        }
        if let Some(version) = self.version {
            builder = builder.version(version).map_err(|error| Failure::new(error.to_string()))?;
        }
        for change in &self.overrides {
            builder = match change {
                Override::Rule(rule, severity) => builder.rule(rule, *severity),
                Override::Code(code, severity) => builder.code(*code, *severity),
            };
        }
        Ok(builder.build())
    }

    /// Checks a source. `open` is the stream that it may go on with, and may be left to go on.
    fn check(&self, source: &Source, output: &mut dyn Output, open: &mut Option<Open>) -> Outcome<Checked> {
        let mut reader = match Reader::of(source) {
            Ok(reader) => reader,
            Err(error) => return Ok(Checked::Failed(format!("cannot be opened: {error}"))),
        };
        let mut head = Vec::new();
        let mut last = None;
        while last.is_none() && head.len() < HEAD_BYTES && !self.shows(source, &head) {
            match reader.next() {
                Chunk::Bytes(bytes) => head.extend_from_slice(&bytes),
                end => last = Some(end),
            }
        }
        if let Some(Chunk::Failed(error)) = &last {
            finish(open, output)?;
            return Ok(Checked::Failed(format!("cannot be read: {error}")));
        }
        let plan = match self.plan(source, &head) {
            Ok(plan) => plan,
            Err(unknown) => {
                finish(open, output)?;
                return self.unrecognised(source, &head, &unknown, output);
            }
        };
        let folder = plan.folder(source, &head);
        let mut stream = match open.take() {
            Some(open) if folder.is_some() && open.folder == folder => {
                output.end_file(open.stream.events() - open.before)?;
                open.stream
            }
            mut other => {
                finish(&mut other, output)?;
                self.stream(&plan)?
            }
        };
        let before = stream.events();
        output.file(&source.name(), Some(&plan.protocol), plan.framing)?;
        let mut failure = None;
        let mut sink_error = None;
        {
            let mut sink = |findings: &[crate::check::Finding], text: &[u8]| {
                if sink_error.is_none()
                    && let Err(error) = output.findings(findings, text)
                {
                    sink_error = Some(error);
                }
            };
            stream.push_into(&head, &mut sink);
            let mut end = last;
            while end.is_none() && !stream.is_done() {
                match reader.next() {
                    Chunk::Bytes(bytes) => stream.push_into(&bytes, &mut sink),
                    other => end = Some(other),
                }
            }
            match end {
                // What a stopped recording lacks is nobody's fault.
                Some(Chunk::Interrupted) => failure = Some(Checked::Interrupted),
                Some(Chunk::Failed(error)) => {
                    failure = Some(Checked::Failed(format!("cannot be read to its end: {error}")));
                }
                _ if folder.is_some() => stream.end_document(&mut sink),
                _ => stream.finish_into(&mut sink),
            }
        }
        if let Some(error) = sink_error {
            return Err(error);
        }
        if folder.is_some() && failure.is_none() {
            *open = Some(Open { stream, folder, before });
        } else {
            output.end_file(stream.events() - before)?;
        }
        Ok(failure.unwrap_or(Checked::Done))
    }

    /// Whether the beginning of a live stream already shows what it is.
    fn shows(&self, source: &Source, head: &[u8]) -> bool {
        if *source != Source::Stdin || head.is_empty() {
            return false;
        }
        if self.as_type.is_some() {
            return true;
        }
        let framing = self.framing(source, head);
        let whole = match framing {
            Framing::Sse => {
                head.windows(2).any(|pair| pair == b"\n\n") || head.windows(4).any(|four| four == b"\r\n\r\n")
            }
            Framing::Ndjson => head.contains(&b'\n'),
            Framing::Json => false,
        };
        whole && (self.args.protocol().is_some() || Protocol::detect(head, framing).is_some())
    }

    fn framing(&self, source: &Source, head: &[u8]) -> Framing {
        // A first line that is cut off may be all there is of a document, or one of many.
        let is_cut = head.len() >= HEAD_BYTES && !head.contains(&b'\n');
        let is_open = || is_cut && source.ending() == "json" && head.starts_with(b"{");
        let seen = || if is_open() { Framing::Json } else { Framing::detect(head) };
        self.args.framing().unwrap_or_else(seen)
    }

    fn stream(&self, plan: &Plan) -> Outcome<StreamChecker> {
        let checker = self.checker(plan.protocol.clone())?;
        let unknown = |error: crate::check::UnknownType| Failure::new(error.to_string());
        match &plan.mode {
            Mode::Events(framing) => Ok(StreamChecker::of(checker, *framing)),
            Mode::Document(kind) => StreamChecker::of_document(checker, kind).map_err(unknown),
            Mode::Lines(kind) => StreamChecker::of_lines(checker, kind).map_err(unknown),
        }
    }

    /// Protocol and mode of a source, as asked for or as its head shows.
    fn plan(&self, source: &Source, head: &[u8]) -> Result<Plan, Unrecognised> {
        if let Some(Type { protocol, kind, .. }) = &self.as_type {
            let by_line = ["jsonl", "ndjson"].contains(&source.ending().as_str());
            let mode = if by_line { Mode::Lines(kind.clone()) } else { Mode::Document(kind.clone()) };
            return Ok(Plan { protocol: protocol.clone(), framing: by_line.then_some(Framing::Ndjson), mode });
        }
        if is_fixture(head) {
            return Err(Unrecognised::Fixture);
        }
        let framing = self.framing(source, head);
        let found = Protocol::detect(head, framing);
        let protocol = match (self.args.protocol(), &found) {
            (Some((protocol, _)), _) => protocol,
            (None, Some(found)) => {
                self.remark_on(source, found);
                found.protocol.clone()
            }
            (None, None) => return Err(Unrecognised::Protocol(framing)),
        };
        if self.profile == Profile::Reference && !protocol.has_reference() {
            return Err(Unrecognised::NoReference(protocol));
        }
        let document = found.filter(|found| found.protocol == protocol).and_then(|found| found.document);
        let mode = document.map_or(Mode::Events(framing), |kind| Mode::Document(kind.into()));
        Ok(Plan { protocol, framing: Some(framing), mode })
    }

    fn remark_on(&self, source: &Source, found: &Detected) {
        let (name, protocol) = (source.name(), &found.protocol);
        if let Some(other) = &found.tied_with {
            remark(&format!("{name}: taken as {protocol}; it could also be {other}: use --protocol {other} if it is"));
        }
        if self.args.subscribes() && !protocol.has_subscriptions() {
            let what = "has no subscriptions, so --run-id and --resumed have no effect";
            remark(&format!("{name}: taken as {protocol}, which {what}"));
        }
    }

    /// What is said of a file in which no protocol is recognised: never nothing.
    fn unrecognised(
        &self,
        source: &Source,
        head: &[u8],
        unknown: &Unrecognised,
        output: &mut dyn Output,
    ) -> Outcome<Checked> {
        let is_recording = ["sse", "jsonl", "ndjson", "log", "txt"].contains(&source.ending().as_str());
        let looked_for = source.is_named() || is_recording;
        let (rule, severity, place, message): (&Rule, _, _, String) = match unknown {
            _ if head.iter().all(u8::is_ascii_whitespace) && looked_for => {
                (&input_rules::EMPTY, Severity::Warning, None, "there is nothing in it".into())
            }
            _ if is_binary(head) && looked_for => {
                let utf16 = head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]);
                let message =
                    if utf16 { "the file is UTF-16; convert it to UTF-8" } else { "these bytes are not UTF-8" };
                (&input_rules::NOT_UTF8, Severity::Error, Some(first_bad(head)), message.into())
            }
            Unrecognised::Fixture | Unrecognised::NoReference(_) => {
                let reason = unknown.reason();
                if source.is_named() {
                    return Ok(Checked::Failed(reason));
                }
                output.skip(&source.name(), &reason);
                return Ok(Checked::Done);
            }
            Unrecognised::Protocol(framing) => {
                let is_stream = source.ending() == "sse" || (*framing == Framing::Sse && has_frames(head));
                let severity = if is_stream || source.is_named() { Severity::Error } else { Severity::Warning };
                if !is_stream && !is_recording {
                    if source.is_named() {
                        return Ok(Checked::Failed(unknown.reason()));
                    }
                    output.skip(&source.name(), &unknown.reason());
                    return Ok(Checked::Done);
                }
                (&input_rules::UNRECOGNISED, severity, None, unknown.reason())
            }
        };
        let mut checker = self.checker(Protocol::AGUI)?;
        output.file(&source.name(), None, None)?;
        output.findings(checker.note_unknown(rule, severity, place, &message), &[])?;
        output.end_file(0)?;
        Ok(Checked::Done)
    }
}

fn no_reference(protocol: &Protocol) -> String {
    format!("{protocol} has no reference implementation; use --profile strict or schema")
}

fn is_binary(head: &[u8]) -> bool {
    std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some())
}

/// Where the first byte stands that is not UTF-8.
fn first_bad(head: &[u8]) -> Segment {
    let at = std::str::from_utf8(head).err().map_or(0, |error| error.valid_up_to());
    let line = head[..at].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let start = head[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&head[start..at]).chars().count() as u64 + 1;
    Segment::new(0, at as u64, line, column)
}

/// Whether the text has frames of an event stream.
fn has_frames(head: &[u8]) -> bool {
    let mut found = false;
    let mut parser = Parser::new();
    parser.push(head, |item| found |= matches!(item, Item::Frame(frame) if !frame.data.is_empty()));
    found
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

struct Plan {
    protocol: Protocol,
    framing: Option<Framing>,
    mode: Mode,
}

impl Plan {
    /// The folder whose documents are one stream, such as recorded responses to polls. A list
    /// of events is a stream of its own.
    fn folder(&self, source: &Source, head: &[u8]) -> Option<PathBuf> {
        let text = String::from_utf8_lossy(head);
        let is_object = text.trim_start_matches('\u{FEFF}').trim_start().starts_with('{');
        let is_document = is_object && matches!(self.mode, Mode::Events(Framing::Json));
        let path = source.path().filter(|_| is_document && !source.is_named() && self.protocol.about().is_polled)?;
        path.parent().map(Path::to_path_buf)
    }
}

/// A stream that the next document of its folder goes on with. Its last file is not ended yet.
struct Open {
    stream: StreamChecker,
    folder: Option<PathBuf>,
    /// How many events came before its last file.
    before: u64,
}

/// Ends a stream that nothing goes on with.
fn finish(open: &mut Option<Open>, output: &mut dyn Output) -> Outcome<()> {
    let Some(Open { mut stream, before, .. }) = open.take() else { return Ok(()) };
    let mut failure = None;
    stream.finish_into(&mut |findings, text| {
        if failure.is_none() {
            failure = output.findings(findings, text).err();
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    output.end_file(stream.events() - before)
}

/// What the values of a source are taken for.
enum Mode {
    Events(Framing),
    Document(String),
    Lines(String),
}

enum Unrecognised {
    Fixture,
    Protocol(Framing),
    NoReference(Protocol),
}

impl Unrecognised {
    fn reason(&self) -> String {
        match self {
            Self::Fixture => "is a fixture with expectations; run it with `agent-contracts test`".into(),
            Self::NoReference(protocol) => no_reference(protocol),
            Self::Protocol(framing) => format!(
                "no protocol was recognised in it (read as {framing}); name one with --protocol, or a type with --as"
            ),
        }
    }
}

/// A type that `--as` names.
struct Type {
    protocol: Protocol,
    version: Option<&'static str>,
    kind: String,
}

fn parse_type(name: &str) -> Outcome<Type> {
    let (of, kind) = name.split_once('/').unwrap_or((name, ""));
    let Some((protocol, version)) = Protocol::from_versioned_id(of) else {
        let all: Vec<String> = Protocol::ALL.iter().map(|protocol| format!("{protocol}/Event")).collect();
        return Err(Failure::new(format!("--as {name}: there is no such type; write one of {}", all.join(", "))));
    };
    let types = protocol.types();
    if !types.iter().any(|known| known == kind) {
        let all: Vec<String> = types.iter().map(|kind| format!("{protocol}/{kind}")).collect();
        return Err(Failure::new(format!("--as {name}: there is no such type; write one of {}", all.join(", "))));
    }
    Ok(Type { protocol, version, kind: kind.to_owned() })
}

fn find_override(name: &str, severity: Option<Severity>) -> Outcome<Override> {
    if let Some(rule) = rule(name) {
        return Ok(Override::Rule(rule, severity));
    }
    if let Ok(code) = name.parse() {
        return Ok(Override::Code(code, severity));
    }
    Err(Failure::new(format!("{name} is neither a rule nor a code{}", did_you_mean(name))))
}

/// The rule whose name is nearest, as a hint.
pub(super) fn did_you_mean(name: &str) -> String {
    let wanted = name.rsplit('/').next().unwrap_or(name);
    let near = nearest_within(wanted.len() / 3 + 1, wanted, rules().map(Rule::name));
    match near.and_then(|near| rules().find(|rule| rule.name() == near)) {
        Some(rule) => format!("; did you mean {rule}?"),
        None => "; `agent-contracts rules` lists them".into(),
    }
}

/// A progress line on stderr, if it is a terminal and the check takes long.
struct Progress {
    visible: bool,
    total: usize,
    done: usize,
    since: std::time::Instant,
}

impl Progress {
    fn new(total: usize) -> Self {
        Self { visible: false, total, done: 0, since: std::time::Instant::now() }
    }

    fn begin(&mut self, source: &Source) {
        self.done += 1;
        if io::stderr().is_terminal() && self.since.elapsed().as_millis() > 500 {
            let name = shown(&source.name());
            let _ = write!(io::stderr(), "\r\u{1b}[2K{}/{} {name}", self.done, self.total);
            self.visible = true;
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            let _ = write!(io::stderr(), "\r\u{1b}[2K");
        }
    }
}
