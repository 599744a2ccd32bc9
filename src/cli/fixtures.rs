//! `test`: fixtures that say what they expect.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::args::{Format, TestArgs};
use super::bounds::Bound;
use super::check::{refuse_overlap, remark_on};
use super::console::{Failure, Outcome, Status, complain, shown};
use super::expect::{unmarked, with_expectation};
use super::expected::{Expected, show_found};
use super::files::{Complaint, Omitted, expand};
use super::names;
use super::output::open;
use super::paths::same;
use super::source::name_of;
use super::tested::{self, Counts, Difference, Mismatch, NOTHING, Tested, Verdict};
use super::waivers::{Waiver, waive};
use super::whole;
use crate::check::{Checker, Finding, Input, Limits, Profile, Protocol};
use crate::safe::{show, without_tokens};
use crate::stream::{Framing, HEAD_BYTES, StreamChecker};

/// A fixture: input by one of its members, and what the check is to find.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fixture {
    protocol: String,
    #[serde(rename = "title")]
    _title: String,
    #[serde(default)]
    profile: Option<String>,
    /// The version of the protocol, where a stream does not show it.
    #[serde(default)]
    version: Option<String>,
    /// The run that the connection is for.
    #[serde(default, rename = "runId")]
    run_id: Option<String>,
    /// Whether the stream goes on where another connection broke.
    #[serde(default)]
    resumed: bool,
    /// Other bounds than the defaults, by their names.
    #[serde(default)]
    limits: BTreeMap<String, i64>,
    #[serde(default)]
    events: Option<Vec<Box<RawValue>>>,
    #[serde(default)]
    sse: Option<String>,
    #[serde(default)]
    ndjson: Option<String>,
    #[serde(default)]
    document: Option<Box<RawValue>>,
    /// The type of `document`, such as `lime/Fixture`.
    #[serde(default, rename = "as")]
    as_type: Option<String>,
    /// Findings that are put up with, and why.
    #[serde(default)]
    waive: Vec<Waiver>,
    expect: Vec<Expected>,
}

/// The members that hold an input.
const INPUTS: [&str; 4] = ["events", "sse", "ndjson", "document"];

/// The endings of streams that have their expectation beside them.
const STREAMS: [&str; 4] = ["jsonl", "ndjson", "sse", "json"];

const MANY_INPUTS: &str = "has more than one input";

/// What a fixture file is.
enum Case {
    /// A fixture of this command, with its text.
    Own(Box<Fixture>, String),
    /// A stream beside its `.expect.json`.
    Stream(Box<Fixture>, String, PathBuf),
    /// A fixture document of Lime.
    Lime(String),
}

impl Case {
    fn text(&self) -> &str {
        match self {
            Self::Own(_, text) | Self::Stream(_, text, _) | Self::Lime(text) => text,
        }
    }

    fn protocol(&self) -> Option<Protocol> {
        match self {
            Self::Own(fixture, _) | Self::Stream(fixture, ..) => Protocol::from_id(&fixture.protocol),
            Self::Lime(_) => Some(Protocol::LIME),
        }
    }
}

pub(super) fn run(args: &TestArgs) -> Outcome {
    let mut files = collect(&args.paths)?;
    for path in args.output.files() {
        if matches!(case(path), Ok(Some(_))) || is_stream(path) {
            let path = path.display();
            return Err(Failure::new(format!("{path}: is a fixture; write the results to another file")));
        }
        files.retain(|file, _| !same(file, path));
    }
    refuse_overlap(&args.output, &[])?;
    let mut output = tested::open(&args.output)?;
    let mut counts = Counts::new(args.bless);
    for (file, is_named) in &files {
        let read = case(file);
        let (text, protocol, verdict) = match &read {
            Ok(None) if *is_named => {
                ("", None, Err("is not a fixture: a fixture has `protocol`, `title` and `expect`".to_owned()))
            }
            Ok(None) => continue,
            Ok(Some(case)) => (case.text(), case.protocol(), check(file, case, args.bless)),
            Err(message) => ("", None, Err(message.clone())),
        };
        // A reason may name what the fixture says.
        let unreadable = |reason: String| Verdict::Unreadable(without_tokens(&reason).into_owned());
        let verdict = verdict.unwrap_or_else(unreadable);
        if let Verdict::Unreadable(message) = &verdict {
            complain(&format!("{}: {message}", file.display()));
        }
        counts.add(&verdict);
        output.fixture(&Tested { name: &name_of(file), text, protocol, verdict })?;
    }
    output.finish(&counts)?;
    // People have read it already.
    if args.output.format != Format::Human {
        open::tell(&args.output, &counts.line());
    }
    if counts.all() == 0 {
        return Err(Failure::new(NOTHING));
    }
    Ok(match (counts.unreadable, counts.failed) {
        (0, 0) => Status::Clean,
        (0, _) => Status::Findings,
        _ => Status::Failed,
    })
}

/// The files that may be fixtures, and whether they were named. A stream stands for the expectation beside it.
fn collect(paths: &[PathBuf]) -> Outcome<BTreeMap<PathBuf, bool>> {
    let arguments: Vec<OsString> = paths.iter().map(|path| path.clone().into_os_string()).collect();
    let omitted = Omitted { own: Vec::new(), exclude: Arc::default(), ignored: true };
    let mut found = expand(&arguments, &omitted);
    if !found.complaints.is_empty() {
        let complaints: Vec<_> = found.complaints.iter().map(Complaint::to_string).collect();
        return Err(Failure::new(complaints.join("; ")));
    }
    let is_json = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    for passed_over in [&mut found.hidden, &mut found.others] {
        passed_over.retain(|path| path.is_dir() || is_json(path));
    }
    remark_on(&found, true);
    let mut files = BTreeMap::new();
    for source in &found.sources {
        let Some(path) = source.path() else {
            return Err(Failure::new("-: fixtures are read from files; name a fixture or a folder"));
        };
        let is_named = source.is_named();
        if is_named && !path.exists() {
            return Err(Failure::new(format!("{}: no such file or directory", path.display())));
        }
        if is_named && is_stream(path) {
            files.insert(path.with_extension("expect.json"), true);
        } else if is_named || is_json(path) {
            files.insert(path.to_path_buf(), is_named);
        }
    }
    Ok(files)
}

/// Whether a file is a stream with its expectation beside it.
fn is_stream(file: &Path) -> bool {
    let is_one = file.extension().is_some_and(|ending| STREAMS.iter().any(|stream| ending == *stream));
    is_one && file.is_file() && file.with_extension("expect.json").is_file()
}

/// What the file is; `None` if it is no fixture at all.
fn case(file: &Path) -> Result<Option<Case>, String> {
    let text = whole::read_text(file).map_err(|error| format!("cannot be read: {error}"))?;
    let name = file.to_string_lossy();
    if let Some(stem) = name.strip_suffix(".expect.json") {
        let fixture = parse(&text)?;
        let paths = STREAMS.iter().map(|ending| PathBuf::from(format!("{stem}.{ending}")));
        let mut streams = paths.filter(|path| path.is_file());
        let stream = streams.next().ok_or("there is no stream of that name beside it")?;
        if streams.next().is_some() || fixture.inputs() > 0 {
            return Err(MANY_INPUTS.to_owned());
        }
        return Ok(Some(Case::Stream(fixture, text, stream)));
    }
    let beside = file.with_extension("expect.json");
    if beside.is_file() {
        return Ok(None);
    }
    if unmarked(&text).trim().is_empty() {
        return Err("is empty".to_owned());
    }
    if Protocol::detect(text.as_bytes(), Framing::Json).is_some_and(|found| found.document == Some("Fixture")) {
        return Ok(Some(Case::Lime(text)));
    }
    // Values are not read: an event may be nested deeply, or have half a character.
    let value: &RawValue = match serde_json::from_str(unmarked(&text)) {
        Ok(value) => value,
        // Folders have JSON with comments, too: what names no member of a fixture is none.
        Err(_) if !["\"expect\"", "\"protocol\""].iter().any(|name| text.contains(name)) => return Ok(None),
        Err(error) => return Err(format!("is not JSON: line {}, column {}", error.line(), error.column())),
    };
    let list = serde_json::from_str::<Vec<&RawValue>>(value.get()).unwrap_or_default();
    if list.first().is_some_and(|first| members(first).contains_key("expect")) {
        return Err("is a list; write each fixture into a file of its own".to_owned());
    }
    let members = members(value);
    let has = |name: &str| members.contains_key(name);
    // One of which a member is misspelt is one, too.
    let protocol = members.get("protocol").and_then(|id| serde_json::from_str::<String>(id.get()).ok());
    let is_named = protocol.is_some_and(|id| Protocol::from_id(&id).is_some());
    let is_fixture = has("expect") || is_named && (has("title") || INPUTS.iter().any(|name| has(name)));
    if is_fixture { parse(&text).map(|fixture| Some(Case::Own(fixture, text))) } else { Ok(None) }
}

/// The members of an object; none of anything else.
fn members(value: &RawValue) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

pub(super) fn parse(text: &str) -> Result<Box<Fixture>, String> {
    serde_json::from_str(unmarked(text)).map(Box::new).map_err(|error| {
        // What serde says of a wrong value quotes it; names of members are harmless.
        let text = error.to_string();
        let what = if ["missing field", "duplicate field"].iter().any(|known| text.starts_with(known)) {
            text.split(" at line").next().unwrap_or_default().to_owned()
        } else if let Some((_, known)) = text.rsplit_once(", expected ").filter(|_| text.starts_with("unknown ")) {
            let what = if text.starts_with("unknown field") { "a member has a name" } else { "a value is" };
            let known = known.trim_start_matches("one of ");
            format!("{what} other than {}", known.split(" at line").next().unwrap_or_default())
        } else {
            "a value has the wrong type".to_owned()
        };
        format!("is not a fixture: line {}, column {}: {what}", error.line(), error.column())
    })
}

fn check(file: &Path, case: &Case, bless: bool) -> Result<Verdict, String> {
    let (fixture, text, mut found) = match case {
        Case::Own(fixture, text) => (fixture, text, fixture.run()?),
        Case::Stream(fixture, text, stream) => {
            let bytes = whole::read(stream).map_err(|error| format!("{}: {error}", name_of(stream)))?;
            let framing = match stream.extension().and_then(|ending| ending.to_str()) {
                Some("sse") => Framing::Sse,
                Some("json") => Framing::Json,
                _ => Framing::Ndjson,
            };
            (fixture, text, fixture.run_stream(framing, &bytes)?)
        }
        Case::Lime(text) => {
            let checker = Checker::builder(Protocol::LIME).profile(Profile::Reference).build();
            let stream = StreamChecker::of_document(checker, "Fixture").map_err(|error| error.to_string())?;
            let findings = drive(stream, &[text.as_bytes()]);
            let extra: String = findings.iter().fold(String::new(), |out, finding| {
                out + "  found, not expected: " + &shown(&show_found(finding, None)) + "\n"
            });
            let difference = Difference { report: extra, mismatches: mismatches(&[], &findings) };
            return Ok(if findings.is_empty() { Verdict::Passed } else { Verdict::Failed(difference) });
        }
    };
    // Blessing replaces what names nothing.
    if !bless {
        fixture.check_names()?;
    }
    let unused = waive(&fixture.waive, &mut found)?;
    let holds = fixture.holds(&found);
    if holds && unused.is_empty() {
        return Ok(Verdict::Passed);
    }
    if bless && unused.is_empty() {
        let text = with_expectation(text, &found).ok_or("has no `expect` to rewrite")?;
        std::fs::write(file, text).map_err(|error| format!("cannot be written: {error}"))?;
        return Ok(Verdict::Rewritten);
    }
    let report = if holds { String::new() } else { difference(&fixture.expect, &found) };
    let mut mismatches = mismatches(&fixture.expect, &found);
    let index = fixture.expect.len();
    let of_waivers = unused.lines().map(|line| Mismatch { index, expected: Some(line.trim().to_owned()), found: None });
    mismatches.extend(of_waivers);
    Ok(Verdict::Failed(Difference { report: report + &unused, mismatches }))
}

/// What does not hold, place by place.
fn mismatches(expected: &[Expected], found: &[Finding]) -> Vec<Mismatch> {
    let places = 0..expected.len().max(found.len());
    let mismatch = |index: usize| {
        let (expected, found) = (expected.get(index), found.get(index));
        let holds = expected.zip(found).is_some_and(|(expected, found)| expected.matches(found));
        (!holds).then(|| Mismatch {
            index,
            expected: expected.map(|expected| expected.show(found)),
            found: found.map(|found| told(found, expected)),
        })
    };
    places.filter_map(mismatch).collect()
}

/// Expected and found side by side, from the first that differs.
fn difference(expected: &[Expected], found: &[Finding]) -> String {
    let same = expected.iter().zip(found).take_while(|(expected, found)| expected.matches(found)).count();
    let mut out = String::new();
    if same > 0 {
        let _ = writeln!(out, "  {same} as expected, then:");
    }
    for (index, expected) in expected.iter().enumerate().skip(same) {
        let _ = writeln!(out, "  expected: {}", shown(&expected.show(found.get(index))));
    }
    for (index, found) in found.iter().enumerate().skip(same) {
        let _ = writeln!(out, "  found:    {}", shown(&told(found, expected.get(index))));
    }
    out
}

/// What is found, with its message.
fn told(found: &Finding, expected: Option<&Expected>) -> String {
    format!("{}: {}", show_found(found, expected), found.message)
}

fn drive(mut stream: StreamChecker, pieces: &[&[u8]]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut sink = |found: &[Finding], _: &[u8]| findings.extend_from_slice(found);
    for piece in pieces {
        stream.push_into(piece, &mut sink);
    }
    stream.finish_into(&mut sink);
    findings
}

impl Fixture {
    fn limits(&self) -> Result<Limits, String> {
        let mut limits = Limits::DEFAULT;
        for (member, number) in &self.limits {
            let bound = Bound::of_member(member).map_err(|reason| format!("`limits`: {reason}"))?;
            bound.set(&mut limits, *number).map_err(|reason| format!("`limits.{member}`: {reason}"))?;
        }
        Ok(limits)
    }

    fn checker(&self) -> Result<Checker, String> {
        let (protocol, version) = names::protocol(&show(&self.protocol))?;
        let profile = self.profile.as_deref();
        let profile = profile.map(|name| names::word("profile", &show(name), Profile::WORDS)).transpose()?;
        let profile = profile.unwrap_or(Profile::Strict);
        if profile == Profile::Reference && !protocol.has_reference() {
            return Err(format!("{protocol} has no reference implementation; write \"strict\" or \"schema\""));
        }
        if (self.run_id.is_some() || self.resumed) && !protocol.has_subscriptions() {
            return Err(format!("{protocol} has no subscriptions; leave out `runId` and `resumed`"));
        }
        let mut builder = Checker::builder(protocol).profile(profile).limits(self.limits()?).resumed(self.resumed);
        if let Some(version) = self.version.as_deref().or(version) {
            builder = builder.version(version).map_err(|error| error.to_string())?;
        }
        if let Some(run) = &self.run_id {
            builder = builder.run_id(run.as_str());
        }
        Ok(builder.build())
    }

    /// Whether what it expects names only what there is.
    fn check_names(&self) -> Result<(), String> {
        self.expect.iter().enumerate().try_for_each(|(index, expected)| {
            expected.check_names().map_err(|reason| format!("`expect[{index}]`: {reason}"))
        })
    }

    /// Whether what was found is what the fixture expects.
    pub(super) fn holds(&self, found: &[Finding]) -> bool {
        found.len() == self.expect.len()
            && found.iter().zip(&self.expect).all(|(found, expected)| expected.matches(found))
    }

    /// How many inputs it holds.
    fn inputs(&self) -> usize {
        let inputs = [self.events.is_some(), self.sse.is_some(), self.ndjson.is_some(), self.document.is_some()];
        inputs.into_iter().filter(|is_there| *is_there).count()
    }

    /// The name of a type of the fixture's protocol, which may stand before it.
    fn type_of<'k>(&self, kind: &'k str) -> Result<&'k str, String> {
        let Some((of, kind)) = kind.split_once('/') else { return Ok(kind) };
        let base = |name: &str| name.split('@').next().unwrap_or_default().to_owned();
        if base(of) == base(&self.protocol) {
            return Ok(kind);
        }
        Err(format!("`as` names a type of {}, and `protocol` is {}", show(of), show(&self.protocol)))
    }

    /// Checks the input that the fixture holds.
    pub(super) fn run(&self) -> Result<Vec<Finding>, String> {
        if self.inputs() > 1 {
            return Err(MANY_INPUTS.to_owned());
        }
        let mut checker = self.checker()?;
        if let Some(events) = &self.events {
            let mut findings = Vec::new();
            for event in events {
                findings.extend_from_slice(checker.push(Input::event(event.get())));
            }
            findings.extend_from_slice(checker.finish());
            Ok(findings)
        } else if let Some(sse) = &self.sse {
            Ok(drive(StreamChecker::of(checker, Framing::Sse), &[sse.as_bytes()]))
        } else if let Some(lines) = &self.ndjson {
            Ok(drive(StreamChecker::of(checker, Framing::Ndjson), &[lines.as_bytes()]))
        } else if let (Some(document), Some(kind)) = (&self.document, &self.as_type) {
            let kind = self.type_of(kind)?;
            let stream = StreamChecker::of_document(checker, kind).map_err(|error| error.to_string())?;
            Ok(drive(stream, &[document.get().as_bytes()]))
        } else {
            Err("has no input: give it `events`, `sse`, `ndjson`, or `document` and `as`".into())
        }
    }

    fn run_stream(&self, framing: Framing, bytes: &[u8]) -> Result<Vec<Finding>, String> {
        let pieces: Vec<&[u8]> = bytes.chunks(HEAD_BYTES).collect();
        Ok(drive(StreamChecker::of(self.checker()?, framing), &pieces))
    }
}
