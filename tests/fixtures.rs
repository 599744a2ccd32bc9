//! Every rule, class and event type has its fixtures, and they hold.

mod common;

use std::collections::BTreeSet;

use agent_contracts::check::Rule;
use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik};
use common::Failures;
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

#[cfg(feature = "cli")]
#[test]
fn every_fixture_holds() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts");
    command.current_dir(common::repository()).args(["test", "fixtures"]).assert().success();
}
