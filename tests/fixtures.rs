//! Every rule, class and event type has its fixtures, and they hold.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use agent_contracts::check::{Checker, Finding, Limits, Profile, Rule};
use agent_contracts::stream::StreamChecker;
use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik};
use common::Failures;
use insta::assert_snapshot;
use serde_json::Value;

/// Whose rules have fixtures: those about input as such, and those of each protocol. The
/// exchanges of the rules about connections are played by the tests of `record`.
fn owners() -> impl Iterator<Item = &'static str> {
    std::iter::once("input").chain(Protocol::ALL.iter().map(agent_contracts::Protocol::id))
}

/// Rules whose fixture is a stream of its own, and why.
const BY_STREAM: &[(&str, &str)] = &[("not-utf8", "a JSON file cannot hold bytes that are not UTF-8")];

/// Rules that no fixture can break, and why. The tests of the command line break them.
const BY_COMMAND: &[(&str, &str)] = &[("unrecognised", "a fixture names its protocol")];

/// Fixtures that are of no rule and no name, and why.
const OF_SETTINGS: &[(&str, &str)] = &[("resumed-run", "what is said of a stream beforehand is no rule")];

/// The fixtures of a folder below `fixtures`, by name.
fn by_name(owner: &str, folder: &str) -> Vec<(String, Value)> {
    let dir = common::repository().join("fixtures").join(owner).join(folder);
    let read = |file: &std::path::PathBuf| {
        let name = file.file_name().unwrap().to_string_lossy();
        let stem = name.split('.').next().unwrap().to_owned();
        (stem, serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
    };
    common::files(&dir, ".json").iter().map(read).collect()
}

fn find<'f>(fixtures: &'f [(String, Value)], name: &str) -> Option<&'f Value> {
    fixtures.iter().find(|(stem, _)| stem == name).map(|(_, fixture)| fixture)
}

fn expects(fixture: &Value, rule: &str) -> bool {
    fixture["expect"].as_array().unwrap().iter().any(|row| row["rule"] == rule)
}

/// The rules of an owner, by the part of their ids after the slash.
fn rules(owner: &str) -> impl Iterator<Item = (&'static str, &'static Rule)> {
    agent_contracts::rules().filter_map(move |rule| Some((rule.id().strip_prefix(owner)?.strip_prefix('/')?, rule)))
}

/// A name that a protocol publishes.
struct Published {
    /// The member of an event that it stands in; `None` for the name of a frame.
    member: Option<&'static str>,
    name: &'static str,
    /// The name of its fixture.
    file: String,
}

impl Published {
    fn event(name: &'static str) -> Self {
        Self { member: Some("type"), name, file: format!("event-{}", name.to_lowercase().replace('_', "-")) }
    }

    fn class(name: &'static str) -> Self {
        Self { member: Some("eventClass"), name, file: format!("class-{}", name.replace('.', "-")) }
    }

    fn tool_event(name: &'static str) -> Self {
        Self { member: None, name, file: format!("tool-event-{}", name.replace('_', "-")) }
    }

    fn is_shown(&self, fixture: &Value) -> bool {
        match self.member {
            Some(member) => {
                fixture["events"].as_array().is_some_and(|events| events.iter().any(|event| event[member] == self.name))
            }
            None => fixture["sse"]
                .as_str()
                .is_some_and(|stream| stream.lines().any(|line| line.strip_prefix("event: ") == Some(self.name))),
        }
    }
}

/// What every protocol publishes.
fn published(protocol: &Protocol) -> Vec<Published> {
    match protocol.id() {
        "lime" => lime::EventClass::KNOWN.iter().map(|class| Published::class(class)).collect(),
        "agui" => agui::EventType::ALL.iter().map(|kind| Published::event(kind.as_str())).collect(),
        "social-app" => social_app::EventType::ALL.iter().map(|kind| Published::event(kind.as_str())).collect(),
        "ubik" => {
            // The older name of a type is shown by the fixture of its rule.
            let events = ubik::EventType::ALL.iter().filter(|kind| **kind != ubik::EventType::AgentResponseChunk);
            let tools = ubik::ToolEventType::ALL.iter().map(|kind| Published::tool_event(kind.as_str()));
            events.map(|kind| Published::event(kind.as_str())).chain(tools).collect()
        }
        "polling" => polling::EventType::ALL.iter().map(|kind| Published::event(kind.as_str())).collect(),
        other => panic!("{other} has no table of what it publishes here"),
    }
}

#[test]
fn every_rule_has_a_fixture_that_breaks_it_and_one_that_keeps_it() {
    let mut failures = Failures::default();
    let elsewhere: Vec<&str> = BY_STREAM.iter().chain(BY_COMMAND).map(|(name, _)| *name).collect();
    for owner in owners() {
        for (folder, broken) in [("invalid", true), ("valid", false)] {
            let fixtures = by_name(owner, folder);
            for (name, rule) in rules(owner).filter(|(name, _)| !elsewhere.contains(name)) {
                let fixture = find(&fixtures, name);
                failures.check(
                    fixture.is_some_and(|fixture| expects(fixture, rule.id()) == broken),
                    || match fixture {
                        None => format!("fixtures/{owner}/{folder}/{name}.json is missing"),
                        Some(_) if broken => {
                            format!("fixtures/{owner}/{folder}/{name}.json does not expect {}", rule.id())
                        }
                        Some(_) => format!("fixtures/{owner}/{folder}/{name}.json expects {}", rule.id()),
                    },
                );
            }
        }
    }
    for (name, _) in BY_STREAM {
        let streams = by_name("input", "streams");
        let expected = find(&streams, name).is_some_and(|fixture| expects(fixture, &format!("input/{name}")));
        failures.check(expected, || format!("fixtures/input/streams/{name}.expect.json does not expect input/{name}"));
    }
    let owned: usize = owners().map(|owner| rules(owner).count()).sum();
    failures.finish(2 * (owned - elsewhere.len()) + BY_STREAM.len());
}

#[test]
fn everything_that_is_published_has_a_fixture() {
    let mut failures = Failures::default();
    for protocol in Protocol::ALL {
        let fixtures = by_name(protocol.id(), "valid");
        for published in published(protocol) {
            let shown = find(&fixtures, &published.file).is_some_and(|fixture| published.is_shown(fixture));
            let Published { file, name, .. } = &published;
            failures.check(shown, || format!("no fixtures/{protocol}/valid/{file}.json with an event {name}"));
        }
    }
    failures.finish(Protocol::ALL.iter().map(|protocol| published(protocol).len()).sum());
}

#[test]
fn no_fixture_is_left_of_what_is_no_more() {
    let mut failures = Failures::default();
    for owner in owners() {
        let mut known: BTreeSet<String> = rules(owner).map(|(name, _)| name.to_owned()).collect();
        known.extend(OF_SETTINGS.iter().map(|(name, _)| (*name).to_owned()));
        for folder in ["invalid", "valid"] {
            if let Some(protocol) = Protocol::from_id(owner).filter(|_| folder == "valid") {
                known.extend(published(&protocol).into_iter().map(|published| published.file));
            }
            for (name, _) in by_name(owner, folder) {
                let wanted = known.contains(&name);
                failures.check(wanted, || format!("fixtures/{owner}/{folder}/{name}.json is of no rule or name"));
            }
        }
    }
    failures.finish(880);
}

/// The bounds that a fixture sets.
fn limits(fixture: &Value) -> Limits {
    let mut limits = Limits::DEFAULT;
    for (name, number) in fixture["limits"].as_object().into_iter().flatten() {
        let number = usize::try_from(number.as_u64().unwrap()).unwrap();
        match name.as_str() {
            "depth" => limits.depth = u16::try_from(number).unwrap(),
            "eventBytes" => limits.event_bytes = number,
            "frameBytes" => limits.frame_bytes = number,
            "history" => limits.history = number,
            "inlineUnits" => limits.inline_units = number,
            "findings" => limits.findings = number,
            other => panic!("no test sets the bound {other}"),
        }
    }
    limits
}

/// What is found in a fixture, and the bytes of its stream.
fn findings(path: &Path) -> (Vec<Finding>, Vec<u8>) {
    let text = std::fs::read_to_string(path).unwrap();
    let fixture: Value = serde_json::from_str(&text).unwrap();
    let said = |member: &str| fixture[member].as_str();
    let protocol = Protocol::from_id(said("protocol").unwrap()).unwrap();
    let profile: Profile = said("profile").unwrap().parse().unwrap();
    let mut builder = Checker::builder(protocol).profile(profile).limits(limits(&fixture));
    if let Some(version) = said("version") {
        builder = builder.version(version).unwrap();
    }
    if let Some(run) = said("runId") {
        builder = builder.run_id(run);
    }
    let checker = builder.build();
    let (mut stream, bytes) = if let Some((bytes, framing)) = common::fixture_stream(path) {
        (StreamChecker::of(checker, framing), bytes)
    } else {
        let (_, kind) = said("as").unwrap().split_once('/').unwrap();
        let document = common::raw_member(&text, "document").as_bytes().to_vec();
        (StreamChecker::of_document(checker, kind).unwrap(), document)
    };
    let mut found: Vec<Finding> = stream.push(&bytes).map(|found| Finding::clone(&found)).collect();
    found.extend(stream.finish().map(|found| Finding::clone(&found)));
    (found, bytes)
}

/// A finding as people are told of it: what stands at its place, its message, its other
/// places, and the advice that is for this case alone.
fn told(finding: &Finding, stream: &[u8]) -> String {
    let place = match (&finding.location, &finding.bytes) {
        (Some(place), Some(bytes)) => {
            let text = &stream[bytes.start as usize..bytes.end as usize];
            let text = match text.len() {
                0..=60 => String::from_utf8_lossy(text).replace('\r', "\\r").replace('\n', "\\n"),
                length => format!("<{length} bytes>"),
            };
            format!("{}:{} {text}", place.line, place.column)
        }
        _ => "at the end".to_owned(),
    };
    let mut told = format!("  {place} {finding}\n");
    for related in &finding.related {
        let place = related.location;
        let event = related.event.map_or_else(|| "no event".to_owned(), |event| format!("event {event}"));
        told += &format!("    {}: {}:{}, {event}\n", related.message, place.line, place.column);
    }
    if let Some(hint) = &finding.hint {
        told += &format!("    {hint}\n");
    }
    told
}

/// The fixtures themselves say which rule is broken at which path. What else is said is here.
#[test]
fn what_is_said_of_a_broken_rule() {
    for owner in owners() {
        let mut all = String::new();
        for path in common::files(&common::repository().join("fixtures").join(owner).join("invalid"), ".json") {
            let (found, stream) = findings(&path);
            all += &format!("{}\n", path.file_stem().unwrap().to_string_lossy());
            for finding in &found {
                all += &told(finding, &stream);
            }
        }
        assert_snapshot!(format!("findings_{}", owner.replace('-', "_")), all);
    }
}

/// A rule that is less grave than it was, or no longer runs in a profile, lets pass what it
/// refused. The pages of the protocols say how grave each one is.
#[test]
fn how_grave_rules_are_and_where_they_run() {
    let row = |rule: &Rule| {
        let profiles: Vec<&str> = rule.profiles().iter().map(|profile| profile.as_str()).collect();
        format!("{} {} {} {}", rule.id(), rule.severity(), rule.code(), profiles.join(", "))
    };
    let rows: Vec<String> = agent_contracts::rules().map(row).collect();
    assert_snapshot!("rules", rows.join("\n"));
}

#[cfg(feature = "cli")]
#[test]
fn every_fixture_holds() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts");
    command.current_dir(common::repository()).args(["test", "fixtures"]).assert().success();
}
