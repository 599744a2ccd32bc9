//! Every rule, class and event type has its fixtures, and they hold.

mod common;

use std::collections::BTreeSet;

use agent_contracts::{Protocol, agui, check, lime};
use common::{Failures, fixtures};
use serde_json::Value;

/// The fixtures of a folder below `fixtures`, by name.
fn by_name(protocol: Protocol, folder: &str) -> Vec<(String, Value)> {
    let stem = |path: String| path.rsplit('/').next().unwrap().trim_end_matches(".json").to_owned();
    fixtures(protocol, folder).into_iter().map(|(path, fixture)| (stem(path), fixture)).collect()
}

fn find<'f>(fixtures: &'f [(String, Value)], name: &str) -> Option<&'f Value> {
    fixtures.iter().find(|(stem, _)| stem == name).map(|(_, fixture)| fixture)
}

fn expects(fixture: &Value, rule: &str) -> bool {
    fixture["expect"].as_array().unwrap().iter().any(|row| row["rule"] == rule)
}

/// The rules of a protocol, by the part of their ids after the slash.
fn rules(protocol: Protocol) -> impl Iterator<Item = (&'static str, &'static check::Rule)> {
    check::rules().filter_map(move |rule| {
        let (owner, name) = rule.id.split_once('/').unwrap();
        (owner == protocol.id()).then_some((name, rule))
    })
}

/// What every protocol publishes: where it stands in an event, the names, and the names of
/// their fixtures.
fn published(protocol: Protocol) -> (&'static str, Vec<(&'static str, String)>) {
    match protocol {
        Protocol::Lime => {
            let fixture = |class: &str| format!("class-{}", class.replace('.', "-"));
            ("eventClass", lime::EventClass::KNOWN.iter().map(|class| (*class, fixture(class))).collect())
        }
        Protocol::AgUi => {
            let fixture = |tag: &str| format!("event-{}", tag.to_lowercase().replace('_', "-"));
            let tags = agui::EventType::ALL.iter().map(|event| event.as_str());
            ("type", tags.map(|tag| (tag, fixture(tag))).collect())
        }
        other => panic!("{other} has no table of what it publishes here"),
    }
}

#[test]
fn every_rule_has_a_fixture_that_breaks_it_and_one_that_keeps_it() {
    let mut failures = Failures::default();
    for protocol in Protocol::ALL.iter().copied() {
        for (folder, broken) in [("invalid", true), ("valid", false)] {
            let fixtures = by_name(protocol, folder);
            for (name, rule) in rules(protocol) {
                let fixture = find(&fixtures, name);
                failures.check(fixture.is_some_and(|fixture| expects(fixture, rule.id) == broken), || match fixture {
                    None => format!("fixtures/{protocol}/{folder}/{name}.json is missing"),
                    Some(_) if broken => {
                        format!("fixtures/{protocol}/{folder}/{name}.json does not expect {}", rule.id)
                    }
                    Some(_) => format!("fixtures/{protocol}/{folder}/{name}.json expects {}", rule.id),
                });
            }
        }
    }
    let of_protocols = check::rules().filter(|rule| !rule.id.starts_with("input/")).count();
    failures.finish(2 * of_protocols);
}

#[test]
fn everything_that_is_published_has_a_fixture() {
    let mut failures = Failures::default();
    for protocol in Protocol::ALL.iter().copied() {
        let fixtures = by_name(protocol, "valid");
        let (member, names) = published(protocol);
        for (name, file) in names {
            let events = find(&fixtures, &file).and_then(|fixture| fixture["events"].as_array());
            let shown = events.is_some_and(|events| events.iter().any(|event| event[member] == name));
            failures
                .check(shown, || format!("no fixtures/{protocol}/valid/{file}.json with an event of {member} {name}"));
        }
    }
    failures.finish(lime::EventClass::KNOWN.len() + agui::EventType::ALL.len());
}

#[test]
fn no_fixture_is_left_of_what_is_no_more() {
    let mut failures = Failures::default();
    for protocol in Protocol::ALL.iter().copied() {
        let of_rules: BTreeSet<String> = rules(protocol).map(|(name, _)| name.to_owned()).collect();
        let of_names: BTreeSet<String> = published(protocol).1.into_iter().map(|(_, file)| file).collect();
        for folder in ["invalid", "valid"] {
            for (name, fixture) in by_name(protocol, folder) {
                let wanted = of_rules.contains(&name) || (folder == "valid" && of_names.contains(&name));
                failures.check(wanted, || format!("fixtures/{protocol}/{folder}/{name}.json is of no rule or name"));
                failures.check(fixture["protocol"] == protocol.id(), || {
                    format!("{protocol}/{folder}/{name}: {}", fixture["protocol"])
                });
            }
        }
    }
    failures.finish(400);
}

#[cfg(feature = "cli")]
#[test]
fn every_fixture_holds() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("agent-contracts");
    command.current_dir(common::repository()).args(["test", "fixtures"]).assert().success();
}
