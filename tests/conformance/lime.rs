//! Lime against the verdicts of its reference implementation.

use std::path::Path;

use crate::common::{Failures, lines, raw_member};
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input, Profile};
use serde_json::Value;

crate::common::corpus_tests! {
    every_case_has_the_verdict_of_the_reference,
    the_upstream_fixtures_pass,
}

fn checker(profile: Profile) -> Checker {
    Checker::builder(Protocol::LIME).profile(profile).build()
}

fn issues(findings: &[Finding]) -> Vec<(String, String)> {
    findings.iter().map(|finding| (finding.code().to_string(), finding.path.clone())).collect()
}

fn expected(reference: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    reference["issues"].as_array().unwrap().iter().map(|issue| (text(&issue["code"]), text(&issue["path"]))).collect()
}

fn every_case_has_the_verdict_of_the_reference(corpus: &Path) {
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("lime/cases.jsonl")) {
        let id = case["id"].as_str().unwrap();
        let input = raw_member(&line, "input");
        let kind = match case["target"].as_str().unwrap() {
            "sequence" => {
                let events: Vec<&serde_json::value::RawValue> = serde_json::from_str(input).unwrap();
                let mut checker = checker(Profile::Reference);
                let mut found = Vec::new();
                for event in events {
                    let findings = checker.push(Input::event(event.get()));
                    found.extend(
                        findings
                            .iter()
                            .filter(|finding| finding.code().as_str() == "sequence_violation")
                            .map(|finding| (finding.rule.id().to_owned(), finding.event)),
                    );
                }
                let ids = case["input"].as_array().unwrap();
                let wanted: Vec<_> = case["reference"]["violations"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|violation| {
                        (
                            format!("lime/{}", violation["code"].as_str().unwrap().replace('_', "-")),
                            violation["eventId"].clone(),
                        )
                    })
                    .collect();
                let found: Vec<_> =
                    found.into_iter().map(|(rule, event)| (rule, ids[event.unwrap() as usize]["id"].clone())).collect();
                failures.check(found == wanted, || format!("{id}: {found:?}, expected {wanted:?}"));
                continue;
            }
            "event" => "Event",
            "fixture" => "Fixture",
            "projection-state" => "ProjectionState",
            "read-model" => "ReadModel",
            "capability-manifest" => "CapabilityManifest",
            other => panic!("{other}"),
        };
        let found = issues(checker(Profile::Reference).check_as(kind, Input::event(input)).unwrap());
        let wanted = expected(&case["reference"]);
        failures.check(found == wanted, || format!("{id}: {found:?}, expected {wanted:?}"));
        if kind == "Event" {
            let clean = checker(Profile::Schema).check_as(kind, Input::event(input)).unwrap().is_empty();
            let valid = case["schemaValid"].as_bool().unwrap();
            failures.check(clean == valid, || format!("{id}: schema {clean}, expected {valid}"));
        }
    }
    failures.finish(90);
}

fn the_upstream_fixtures_pass(corpus: &Path) {
    let files = crate::common::files(&corpus.join("lime/fixtures"), ".json");
    assert_eq!(files.len(), 13);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let found = issues(checker(Profile::Reference).check_as("Fixture", Input::event(&text)).unwrap());
        assert!(found.is_empty(), "{}: {found:?}", file.display());
        agent_contracts::lime::Fixture::from_json(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}
