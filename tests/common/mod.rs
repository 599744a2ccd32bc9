//! What the integration tests share.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test takes its part")]
#![allow(clippy::print_stderr, reason = "tests that are ignored say why")]

#[cfg(feature = "cli")]
pub mod command;
#[cfg(all(feature = "cli", unix))]
pub mod formats;
pub mod mutation;
pub mod port;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agent_contracts::stream::Framing;
use agent_contracts::stream::sse::{Item, Parser};
use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik, wire};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The variable that names the folder of the conformance corpus.
const CORPUS: &str = "AGENT_CONTRACTS_CONFORMANCE";

/// The folder of the conformance corpus: what [`CORPUS`] says, else beside the repository.
fn corpus() -> PathBuf {
    let given = std::env::var_os(CORPUS).map(PathBuf::from);
    given.unwrap_or_else(|| repository().join("../shared/conformance"))
}

/// A test that needs the conformance corpus, and takes its folder.
pub struct CorpusTest {
    pub name: &'static str,
    /// The folder that has to be there, as seen from the corpus.
    pub needs: &'static str,
    pub run: fn(&Path),
}

/// The tests of a module of the target `conformance`. A test that needs a folder beside the
/// corpus names it: `name in "../folder"`.
macro_rules! corpus_tests {
    ($($name:ident $(in $folder:literal)?),+ $(,)?) => {
        pub const TESTS: &[$crate::common::CorpusTest] = &[
            $($crate::common::CorpusTest {
                name: concat!(module_path!(), "::", stringify!($name)),
                needs: concat!($($folder)?),
                run: $name,
            }),+
        ];
    };
}
pub(crate) use corpus_tests;

/// Runs tests that need the conformance corpus. Where it is missing they are ignored, and
/// fail if `CI` is `true`. A test that panics has failed: libtest-mimic catches it.
pub fn run_corpus_tests<'t>(tests: impl IntoIterator<Item = &'t CorpusTest>) -> ExitCode {
    let arguments = Arguments::from_args();
    let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    let corpus = corpus();
    let trial = |test: &CorpusTest| {
        let missing = Some(corpus.join(test.needs)).filter(|folder| !folder.is_dir());
        let ignored = missing.is_some() && !in_ci;
        let (corpus, run) = (corpus.clone(), test.run);
        let runner = move || {
            if let Some(folder) = missing {
                let folder = folder.display();
                return Err(Failed::from(format!("no folder {folder}: set {CORPUS} to the conformance corpus")));
            }
            run(&corpus);
            Ok(())
        };
        Trial::test(test.name.trim_start_matches("conformance::"), runner).with_ignored_flag(ignored)
    };
    let trials: Vec<Trial> = tests.into_iter().map(trial).collect();
    if !arguments.list && trials.iter().any(Trial::has_ignored_flag) {
        eprintln!("ignored for want of the conformance corpus: set {CORPUS} to its folder");
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The lines of a JSON Lines file, raw and parsed.
pub fn lines(path: &Path) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| (line.to_owned(), serde_json::from_str(line).unwrap())).collect()
}

/// All files below `dir` whose name ends in `end`, sorted.
pub fn files(dir: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The pages below `docs/`, and `more`: name and content.
pub fn pages(more: &[&str]) -> Vec<(String, String)> {
    let more = more.iter().map(|page| repository().join(page));
    let all = files(&repository().join("docs"), ".md").into_iter().chain(more);
    all.map(|page| (below_repository(&page), read(&page))).collect()
}

/// The raw text of member `name` of a JSON object, as it stands in `text`.
pub fn raw_member<'a>(text: &'a str, name: &str) -> &'a str {
    let members: std::collections::BTreeMap<&str, &serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    members[name].get()
}

/// Collects failures and reports them together.
#[derive(Default)]
pub struct Failures(Vec<String>, usize);

impl Failures {
    pub fn check(&mut self, ok: bool, message: impl FnOnce() -> String) {
        self.1 += 1;
        if !ok {
            self.0.push(message());
        }
    }

    pub fn finish(self, at_least: usize) {
        assert!(self.1 >= at_least, "only {} cases ran, of at least {at_least}", self.1);
        let shown: Vec<_> = self.0.iter().take(40).cloned().collect();
        assert!(self.0.is_empty(), "{} of {} failed:\n{}", self.0.len(), self.1, shown.join("\n"));
    }
}

/// The folder of the package.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path below the folder of the package, for messages.
fn below_repository(path: &Path) -> String {
    path.strip_prefix(repository()).unwrap_or(path).display().to_string()
}

/// The protocol's fixtures below `folder` (`valid`, `invalid`, or empty for all): path and content.
pub fn fixtures(protocol: &Protocol, folder: &str) -> Vec<(String, Value)> {
    let dir = repository().join("fixtures").join(protocol.id()).join(folder);
    files(&dir, ".json")
        .iter()
        .map(|file| (below_repository(file), serde_json::from_str(&read(file)).unwrap()))
        .collect()
}

/// The stream of a fixture as bytes; `None` for a document, whose type is said with it.
pub fn fixture_stream(path: &Path) -> Option<(Vec<u8>, Framing)> {
    #[derive(serde::Deserialize)]
    struct Fixture<'a> {
        #[serde(borrow)]
        events: Option<Vec<&'a RawValue>>,
        sse: Option<String>,
        ndjson: Option<String>,
    }
    let text = read(path);
    let fixture: Fixture<'_> = serde_json::from_str(&text).unwrap();
    if let Some(events) = fixture.events {
        // A value of several lines would not be a line.
        let lines: Vec<String> = events.iter().map(|event| event.get().replace('\n', " ") + "\n").collect();
        return Some((lines.concat().into_bytes(), Framing::Ndjson));
    }
    let sse = fixture.sse.map(|text| (text.into_bytes(), Framing::Sse));
    sse.or_else(|| fixture.ndjson.map(|text| (text.into_bytes(), Framing::Ndjson)))
}

/// An event as it is written, and where it was found.
#[derive(Clone, Debug)]
pub struct Sample {
    pub origin: String,
    pub text: String,
}

/// The events of the protocol's fixtures.
pub fn fixture_events(protocol: &Protocol) -> Vec<Sample> {
    #[derive(serde::Deserialize)]
    struct Fixture<'a> {
        #[serde(default, borrow)]
        events: Vec<&'a RawValue>,
    }
    let mut found = Vec::new();
    for file in files(&repository().join("fixtures").join(protocol.id()), ".json") {
        let text = read(&file);
        let fixture: Fixture<'_> = serde_json::from_str(&text).unwrap();
        for (index, event) in fixture.events.into_iter().enumerate() {
            found.push(Sample {
                origin: format!("{}, event {index}", below_repository(&file)),
                text: event.get().into(),
            });
        }
    }
    unpacked(protocol, found)
}

/// The samples, and in place of the answers to polls the envelopes in them.
fn unpacked(protocol: &Protocol, samples: Vec<Sample>) -> Vec<Sample> {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        response: Option<&'a RawValue>,
        #[serde(borrow)]
        success: Option<&'a RawValue>,
        #[serde(borrow)]
        data: Option<&'a RawValue>,
        #[serde(borrow)]
        events: Option<Vec<&'a RawValue>>,
    }
    fn events(text: &str) -> Option<Vec<&str>> {
        let answer: Answer<'_> = serde_json::from_str(text).ok()?;
        if let Some(response) = answer.response {
            return events(response.get());
        }
        answer.success?;
        let inside = || serde_json::from_str::<Answer<'_>>(answer.data?.get()).ok()?.events;
        let found = answer.events.or_else(inside).unwrap_or_default();
        Some(found.into_iter().map(RawValue::get).collect())
    }
    if *protocol != Protocol::POLLING {
        return samples;
    }
    let mut found = Vec::new();
    for sample in samples {
        let Some(events) = events(&sample.text) else {
            found.push(sample);
            continue;
        };
        let origin = |index| format!("{}, envelope {index}", sample.origin);
        found.extend(
            events.iter().enumerate().map(|(index, text)| Sample { origin: origin(index), text: (*text).into() }),
        );
    }
    found
}

/// The lines and frames of the protocol's recorded streams.
pub fn recorded_events(protocol: &Protocol) -> Vec<Sample> {
    let streams = repository().join("fixtures").join(protocol.id()).join("streams");
    let mut found = Vec::new();
    for file in files(&streams, ".jsonl") {
        for (index, line) in read(&file).lines().enumerate() {
            found.push(Sample { origin: format!("{}:{}", below_repository(&file), index + 1), text: line.into() });
        }
    }
    for file in files(&streams, ".sse") {
        for (index, text) in frames(&read(&file)).into_iter().enumerate() {
            found.push(Sample { origin: format!("{}, frame {index}", below_repository(&file)), text });
        }
    }
    unpacked(protocol, found)
}

/// The name and the data of every frame of the protocol's fixtures and recordings that has both.
pub fn named_frames(protocol: &Protocol) -> Vec<(String, Sample)> {
    let dir = repository().join("fixtures").join(protocol.id());
    let mut streams: Vec<(String, String)> = Vec::new();
    for (origin, fixture) in fixtures(protocol, "") {
        streams.extend(fixture["sse"].as_str().map(|stream| (origin, stream.to_owned())));
    }
    for file in files(&dir.join("streams"), ".sse") {
        streams.push((below_repository(&file), read(&file)));
    }
    let mut found = Vec::new();
    for (origin, stream) in streams {
        let mut take = |item: Item<'_>| {
            let Item::Frame(frame) = item else { return };
            let Some(name) = frame.event else { return };
            let (name, text) = (String::from_utf8_lossy(name.value), String::from_utf8_lossy(frame.data));
            let origin = format!("{origin}, frame of {name}");
            found.push((name.into_owned(), Sample { origin, text: text.into_owned() }));
        };
        let mut parser = Parser::new();
        parser.push(stream.as_bytes(), &mut take);
        parser.finish(&mut take);
    }
    found
}

/// The data of the frames of an SSE stream.
fn frames(stream: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut take = |item: Item<'_>| {
        if let Item::Frame(frame) = item {
            found.push(String::from_utf8_lossy(frame.data).into_owned());
        }
    };
    let mut parser = Parser::new();
    parser.push(stream.as_bytes(), &mut take);
    parser.finish(&mut take);
    found
}

/// The files of the corpus that hold events of social-app: a list of them, frames around
/// them, or one event.
const SOCIAL_APP_CORPUS: [&str; 5] = [
    "events_v0_seed000.json",
    "events_v1_seed001.json",
    "internal_events_2026-03-16.json",
    "run_sequence_synthetic.json",
    "run_canceled.json",
];

/// The events of the conformance corpus; none where there is no corpus. For tests to which
/// they are further samples beside those of the repository, and which hold without them.
pub fn corpus_events(protocol: &Protocol) -> Vec<Sample> {
    let corpus = corpus();
    if !corpus.is_dir() {
        return Vec::new();
    }
    let sample = |case: &Value, text: &str| Sample { origin: case["id"].as_str().unwrap().into(), text: text.into() };
    match protocol.id() {
        "lime" => lines(&corpus.join("lime/cases.jsonl"))
            .iter()
            .filter(|(_, case)| case["target"] == "event")
            .map(|(line, case)| sample(case, raw_member(line, "input")))
            .collect(),
        "agui" => {
            let documents = lines(&corpus.join("agui/documents.jsonl"));
            let mut found: Vec<Sample> =
                documents.iter().map(|(line, case)| sample(case, raw_member(line, "document"))).collect();
            for (line, case) in lines(&corpus.join("agui/streams.jsonl")) {
                let events: Vec<&RawValue> = serde_json::from_str(raw_member(&line, "events")).unwrap();
                found.extend(events.into_iter().map(|event| sample(&case, event.get())));
            }
            found
        }
        "social-app" => {
            let mut found = Vec::new();
            for name in SOCIAL_APP_CORPUS {
                let case: Value = serde_json::from_str(&read(&corpus.join("social-app").join(name))).unwrap();
                let list = |member: &str| case[member].as_array().into_iter().flatten();
                let framed = list("frames").map(|frame| &frame["data"]);
                for (index, event) in list("events").chain(framed).chain(case.get("event")).enumerate() {
                    found.push(Sample { origin: format!("{name}, event {index}"), text: event.to_string() });
                }
            }
            found
        }
        "ubik" => {
            let mut found = Vec::new();
            for name in ["session_events_samples.json", "delta_sse.json"] {
                let case: Value = serde_json::from_str(&read(&corpus.join("ubik").join(name))).unwrap();
                let lists = case.as_object().unwrap().values().filter_map(Value::as_array);
                for (index, event) in lists.flatten().enumerate() {
                    found.push(Sample { origin: format!("{name}, event {index}"), text: event.to_string() });
                }
            }
            found
        }
        "polling" => {
            let mut found = Vec::new();
            for name in ["seed_envelopes.json", "reducer_cases.json", "poll_responses.json"] {
                let case: Value = serde_json::from_str(&read(&corpus.join("polling").join(name))).unwrap();
                let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
                let of_cases = list(&case["cases"]).into_iter().flat_map(|case| list(&case["events"]));
                let of_polls = list(&case["polls"]).into_iter().map(|poll| poll["response"].clone());
                for (index, event) in list(&case["events"]).into_iter().chain(of_cases).chain(of_polls).enumerate() {
                    found.push(Sample { origin: format!("{name}, event {index}"), text: event.to_string() });
                }
            }
            unpacked(protocol, found)
        }
        other => panic!("{other} is not tested here"),
    }
}

/// An event of any protocol, decoded.
#[derive(Debug, PartialEq)]
pub enum Decoded {
    Lime(Box<lime::Event>),
    AgUi(Box<agui::Event>),
    SocialApp(Box<social_app::Event>),
    Ubik(Box<ubik::Event>),
    Polling(Box<polling::Envelope>),
}

impl Decoded {
    pub fn from_json(protocol: &Protocol, text: &str) -> Result<Self, wire::Error> {
        match protocol.id() {
            "lime" => lime::Event::from_json(text).map(|event| Self::Lime(Box::new(event))),
            "agui" => agui::Event::from_json(text).map(|event| Self::AgUi(Box::new(event))),
            "social-app" => social_app::Event::from_json(text).map(|event| Self::SocialApp(Box::new(event))),
            "ubik" => ubik::Event::from_json(text).map(|event| Self::Ubik(Box::new(event))),
            "polling" => polling::Envelope::from_json(text).map(|event| Self::Polling(Box::new(event))),
            other => panic!("{other} is not tested here"),
        }
    }

    /// The same by way of serde.
    pub fn from_serde(protocol: &Protocol, text: &str) -> serde_json::Result<Self> {
        match protocol.id() {
            "lime" => serde_json::from_str(text).map(Self::Lime),
            "agui" => serde_json::from_str(text).map(Self::AgUi),
            "social-app" => serde_json::from_str(text).map(Self::SocialApp),
            "ubik" => serde_json::from_str(text).map(Self::Ubik),
            "polling" => serde_json::from_str(text).map(Self::Polling),
            other => panic!("{other} is not tested here"),
        }
    }

    pub fn to_json(&self) -> String {
        match self {
            Self::Lime(event) => serde_json::to_string(event).unwrap(),
            Self::AgUi(event) => event.to_json(),
            Self::SocialApp(event) => event.to_json(),
            Self::Ubik(event) => event.to_json(),
            Self::Polling(event) => event.to_json(),
        }
    }

    /// Whether the type is one that the protocol names; Lime's events have one type only.
    pub fn is_of_known_type(&self) -> bool {
        match self {
            Self::Lime(_) => true,
            Self::AgUi(event) => event.known_type().is_some(),
            Self::SocialApp(event) => event.known_type().is_some(),
            Self::Ubik(event) => !matches!(**event, ubik::Event::Unknown(_)),
            Self::Polling(event) => event.event.known_type().is_some(),
        }
    }

    /// The event if it is of an unknown type, which Lime's events never are.
    pub fn unknown(self) -> Option<wire::Unknown> {
        match self {
            Self::Lime(_) => None,
            Self::AgUi(event) => match *event {
                agui::Event::Unknown(unknown) => Some(unknown),
                _ => None,
            },
            Self::SocialApp(event) => match *event {
                social_app::Event::Unknown(unknown) => Some(unknown),
                _ => None,
            },
            Self::Ubik(event) => match *event {
                ubik::Event::Unknown(unknown) => Some(unknown),
                _ => None,
            },
            Self::Polling(event) => match event.event {
                polling::Event::Unknown(unknown) => Some(unknown),
                _ => None,
            },
        }
    }
}

/// A place inside a JSON value, to be edited.
#[derive(Debug)]
pub enum Place<'a> {
    Member(&'a mut Map<String, Value>, &'a str),
    Element(&'a mut Vec<Value>, usize),
}

impl Place<'_> {
    /// The name of the member; empty for an element.
    pub fn name(&self) -> &str {
        match self {
            Self::Member(_, name) => name,
            Self::Element(..) => "",
        }
    }

    pub fn set(self, value: Value) {
        match self {
            Self::Member(members, name) => drop(members.insert(name.into(), value)),
            Self::Element(items, index) => items[index] = value,
        }
    }

    pub fn remove(self) -> Value {
        match self {
            Self::Member(members, name) => members.remove(name).unwrap_or_default(),
            Self::Element(items, index) => items.remove(index),
        }
    }
}

/// How many members and elements lie in `value`, at any depth.
pub fn count_places(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.values().map(|value| 1 + count_places(value)).sum(),
        Value::Array(items) => items.iter().map(|value| 1 + count_places(value)).sum(),
        _ => 0,
    }
}

/// Hands over one of the [`count_places`] places, by its number.
pub fn at_place(value: &mut Value, number: usize, edit: &mut impl FnMut(Place<'_>)) {
    let mut left = number;
    walk_places(value, &mut left, edit);
}

/// True once the place was found.
fn walk_places<E: FnMut(Place<'_>)>(value: &mut Value, left: &mut usize, edit: &mut E) -> bool {
    match value {
        Value::Object(members) => {
            let names: Vec<String> = members.keys().cloned().collect();
            for name in &names {
                if *left == 0 {
                    edit(Place::Member(members, name));
                    return true;
                }
                *left -= 1;
                if members.get_mut(name).is_some_and(|value| walk_places(value, left, edit)) {
                    return true;
                }
            }
        }
        Value::Array(items) => {
            for index in 0..items.len() {
                if *left == 0 {
                    edit(Place::Element(items, index));
                    return true;
                }
                *left -= 1;
                if walk_places(&mut items[index], left, edit) {
                    return true;
                }
            }
        }
        _ => {}
    }
    false
}

/// A run of so many random cases. A failure prints its smallest input; no file keeps it.
pub fn cases(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases, failure_persistence: None, ..Default::default() }
}
