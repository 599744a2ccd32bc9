//! `check`: files and streams against their contracts.

use std::fs::File;
use std::io::{IsTerminal, Read, Write};

use super::args::{CheckArgs, Format};
use super::files::{Source, expand};
use super::output::{Output, Summary, human::Human, json::Json};
use super::session::{Mode, Session};
use super::{Failure, Outcome, Status, complain, remark};
use crate::check::{Checker, Code, Limits, Profile, Rule, Severity, rule, rules};
use crate::detect::{Detected, Framing, HEAD_BYTES, detect};
use crate::protocol::Protocol;
use crate::wire::span::Segment;

pub(super) fn run(args: &CheckArgs) -> Outcome {
    let setup = Setup::new(args)?;
    let (sources, complaints) = expand(&args.paths);
    let mut failed = !complaints.is_empty();
    for complaint in &complaints {
        complain(complaint);
    }
    let stdout: Box<dyn Write> = match &args.output_file {
        Some(path) => {
            let file = File::create(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            // What a file holds is for programs: no colours.
            Box::new(anstream::StripStream::new(Box::new(std::io::BufWriter::new(file)) as Box<dyn Write>))
        }
        None => Box::new(std::io::BufWriter::new(Unheard(anstream::stdout()))),
    };
    let mut output: Box<dyn Output> = match args.format {
        Format::Human => Box::new(Human::new(stdout)),
        Format::Json => Box::new(Json::new(stdout)?),
    };
    let mut progress = Progress::new(sources.len());
    let mut skipped = 0;
    for source in &sources {
        progress.begin(source);
        match setup.check(source, output.as_mut())? {
            Checked::Done => {}
            Checked::Skipped => skipped += 1,
            Checked::Failed(message) => {
                progress.clear();
                complain(&format!("{}: {message}", source.name()));
                failed = true;
            }
        }
    }
    progress.clear();
    let summary = output.finish()?;
    report(&summary, skipped);
    if summary.files == 0 && !failed {
        return Err(Failure::new("nothing to check: no file was recognised; name a file, or use --protocol"));
    }
    if failed {
        return Ok(Status::Failed);
    }
    Ok(if summary.count_from(setup.fail_on) > 0 { Status::Findings } else { Status::Clean })
}

/// A writer whose reader may go away, as `head` does: the check goes on for its status.
struct Unheard<W>(W);

impl<W: Write> Write for Unheard<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

fn report(summary: &Summary, skipped: usize) {
    let mut line = summary.to_string();
    if skipped > 0 {
        line += &format!("; {skipped} not recognised and skipped");
    }
    anstream::eprintln!("{line}");
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
    Skipped,
    Failed(String),
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
        let asked = as_type.as_ref().map(|of| of.protocol).or(protocol);
        if let Some(protocol) = asked.filter(|protocol| profile == Profile::Reference && !protocol.has_reference()) {
            return Err(Failure::new(format!(
                "{protocol} has no reference implementation; use --profile strict or schema"
            )));
        }
        if let Some(protocol) = asked.filter(|protocol| args.subscribes() && !protocol.has_subscriptions()) {
            return Err(Failure::new(format!("{protocol} has no subscriptions; leave out --run-id and --resumed")));
        }
        Ok(Self { args, profile, fail_on: args.fail_on(), as_type, version, overrides })
    }

    fn checker(&self, protocol: Protocol) -> Checker {
        let mut builder = Checker::builder(protocol).profile(self.profile).resumed(self.args.resumed);
        if let Some(run) = &self.args.run_id {
            builder = builder.run_id(run.as_str());
        }
        if let Some(version) = self.version {
            builder = builder.known_version(version);
        }
        for change in &self.overrides {
            builder = match change {
                Override::Rule(rule, severity) => builder.rule(rule, *severity),
                Override::Code(code, severity) => builder.code(*code, *severity),
            };
        }
        builder.build()
    }

    fn check(&self, source: &Source, output: &mut dyn Output) -> Outcome<Checked> {
        let mut reader = match source.open() {
            Ok(reader) => reader,
            Err(error) => return Ok(Checked::Failed(format!("cannot be opened: {error}"))),
        };
        let mut head = Vec::new();
        if let Err(error) = reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head) {
            return Ok(Checked::Failed(format!("cannot be read: {error}")));
        }
        let plan = match self.plan(source, &head) {
            Ok(plan) => plan,
            Err(unknown) => return self.unrecognised(source, &head, &unknown, output),
        };
        let limits = Limits::DEFAULT;
        let mut session = Session::new(self.checker(plan.protocol), plan.mode, limits);
        output.file(&source.name(), Some(plan.protocol), plan.framing)?;
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
            session.push(&head, &mut sink);
            let mut buffer = vec![0; HEAD_BYTES];
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => session.push(&buffer[..count], &mut sink),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        failure = Some(format!("cannot be read to its end: {error}"));
                        break;
                    }
                }
            }
            session.finish(&mut sink);
        }
        if let Some(error) = sink_error {
            return Err(error);
        }
        output.end_file(session.events())?;
        Ok(failure.map_or(Checked::Done, Checked::Failed))
    }

    /// Protocol and mode of a source, as asked for or as its head shows.
    fn plan(&self, source: &Source, head: &[u8]) -> Result<Plan, Unrecognised> {
        if let Some(Type { protocol, kind, .. }) = &self.as_type {
            let by_line = source
                .path()
                .is_some_and(|path| path.extension().is_some_and(|ending| ending == "jsonl" || ending == "ndjson"));
            let mode = if by_line { Mode::Each(kind.clone()) } else { Mode::Document(kind.clone()) };
            return Ok(Plan { protocol: *protocol, framing: by_line.then_some(Framing::Ndjson), mode });
        }
        if is_fixture(head) {
            return Err(Unrecognised::Fixture);
        }
        let framing = self.args.framing().unwrap_or_else(|| Framing::detect(head));
        let found = detect(head, framing);
        let protocol = match (self.args.protocol(), found) {
            (Some((protocol, _)), _) => protocol,
            (None, Some(found)) => {
                self.warn_of_tie(source, found);
                if self.args.subscribes() && !found.protocol.has_subscriptions() {
                    let what = "has no subscriptions, so --run-id and --resumed say nothing of it";
                    remark(&format!("{}: taken as {}, which {what}", source.name(), found.protocol));
                }
                found.protocol
            }
            (None, None) => return Err(Unrecognised::Protocol(framing)),
        };
        if self.profile == Profile::Reference && !protocol.has_reference() {
            return Err(Unrecognised::NoReference(protocol));
        }
        let document = found.filter(|found| found.protocol == protocol).and_then(|found| found.document);
        let mode = document.map_or(Mode::Stream(framing), |kind| Mode::Document(kind.into()));
        Ok(Plan { protocol, framing: Some(framing), mode })
    }

    fn warn_of_tie(&self, source: &Source, found: Detected) {
        if let Some(other) = found.tied_with {
            remark(&format!(
                "{}: taken as {}, could be {other} as well; say --protocol {other} if it is",
                source.name(),
                found.protocol
            ));
        }
    }

    fn unrecognised(
        &self,
        source: &Source,
        head: &[u8],
        unknown: &Unrecognised,
        output: &mut dyn Output,
    ) -> Outcome<Checked> {
        let empty = head.iter().all(u8::is_ascii_whitespace);
        let binary = std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some());
        if source.is_named() && (empty || binary) {
            // What is wrong with it is plain whatever the protocol.
            let mut checker = self.checker(Protocol::ALL[0]);
            output.file(&source.name(), None, None)?;
            let findings = if empty {
                checker.input_finding(&crate::check::input_rules::EMPTY, None, "there is nothing in it")
            } else {
                let hint = if head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) {
                    "the file is UTF-16; convert it to UTF-8"
                } else {
                    "these bytes are not UTF-8"
                };
                checker.input_finding(&crate::check::input_rules::NOT_UTF8, Some(first_bad(head)), hint)
            };
            let mut findings = findings.to_vec();
            for finding in &mut findings {
                finding.protocol = None;
            }
            output.findings(&findings, &[])?;
            output.end_file(0)?;
            return Ok(Checked::Done);
        }
        if !source.is_named() {
            return Ok(Checked::Skipped);
        }
        Ok(Checked::Failed(match unknown {
            Unrecognised::Fixture => "is a fixture with expectations; run it with `agent-contracts test`".into(),
            Unrecognised::NoReference(protocol) => {
                format!("{protocol} has no reference implementation; use --profile strict or schema")
            }
            Unrecognised::Protocol(framing) => format!(
                "not recognised as a stream of any protocol (read as {}); name one with --protocol, or a type with --as",
                framing.as_str()
            ),
        }))
    }
}

/// Where the first byte stands that is not UTF-8.
fn first_bad(head: &[u8]) -> Segment {
    let at = std::str::from_utf8(head).err().map_or(0, |error| error.valid_up_to());
    let line = head[..at].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let start = head[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&head[start..at]).chars().count() as u64 + 1;
    Segment::new(0, at as u64, line, column)
}

/// Whether the text is a fixture of `agent-contracts test`.
fn is_fixture(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start();
    text.starts_with('{') && text.contains("\"expect\"") && text.contains("\"protocol\"") && text.contains("\"title\"")
}

struct Plan {
    protocol: Protocol,
    framing: Option<Framing>,
    mode: Mode,
}

enum Unrecognised {
    Fixture,
    Protocol(Framing),
    NoReference(Protocol),
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
        return Err(Failure::new(format!("--as {name}: no such type; a type is written {}", all.join(", "))));
    };
    if !protocol.types().contains(&kind) {
        let all: Vec<String> = protocol.types().iter().map(|kind| format!("{protocol}/{kind}")).collect();
        return Err(Failure::new(format!("--as {name}: no such type; there are {}", all.join(", "))));
    }
    Ok(Type { protocol, version, kind: kind.to_owned() })
}

fn find_override(name: &str, severity: Option<Severity>) -> Outcome<Override> {
    if let Some(rule) = rule(name) {
        return Ok(Override::Rule(rule, severity));
    }
    if let Some(code) = Code::ALL.iter().find(|code| code.as_str() == name) {
        return Ok(Override::Code(*code, severity));
    }
    Err(Failure::new(format!("{name} is neither a rule nor a code{}", did_you_mean(name))))
}

/// The rule whose name is nearest, as a hint.
pub(super) fn did_you_mean(name: &str) -> String {
    let wanted = name.rsplit('/').next().unwrap_or(name);
    let near = rules()
        .map(|rule| (distance(rule.id.rsplit('/').next().unwrap_or(rule.id), wanted), rule.id))
        .min()
        .filter(|(distance, _)| *distance <= wanted.len() / 3 + 1);
    match near {
        Some((_, id)) => format!("; did you mean {id}?"),
        None => "; `agent-contracts rules` lists them".into(),
    }
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = if x == *y { corner } else { 1 + corner.min(row[j]).min(row[j + 1]) };
            corner = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}

/// One line on stderr that says where we are, if somebody looks and it takes long.
struct Progress {
    shown: bool,
    total: usize,
    done: usize,
    since: std::time::Instant,
}

impl Progress {
    fn new(total: usize) -> Self {
        Self { shown: false, total, done: 0, since: std::time::Instant::now() }
    }

    fn begin(&mut self, source: &Source) {
        self.done += 1;
        if std::io::stderr().is_terminal() && self.since.elapsed().as_millis() > 500 {
            eprint!("\r\u{1b}[2K{}/{} {}", self.done, self.total, source.name());
            self.shown = true;
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\u{1b}[2K");
        }
    }
}
