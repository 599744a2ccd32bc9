//! AG-UI against the verdicts of the official schema and client.

mod common;

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input, Profile, Severity};
use common::{Failures, corpus, files, lines, raw_member};
use serde_json::Value;
use serde_json::value::RawValue;

fn checker(profile: Profile) -> Checker {
    Checker::builder(Protocol::AgUi).profile(profile).build()
}

fn show(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{:?} {finding} at {}", finding.event, finding.path)).collect()
}

fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.severity == severity).count()
}

#[test]
fn documents() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/documents.jsonl")) {
        let id = case["id"].as_str().unwrap();
        let text = raw_member(&line, "document").as_bytes();
        let verdict =
            |profile, kind: &str| checker(profile).check_as(kind, text, &[]).map(<[Finding]>::to_vec).unwrap();
        if let Some(valid) = case["eventSchemaValid"].as_bool() {
            let found = verdict(Profile::Schema, "Event");
            failures.check(found.is_empty() == valid, || {
                format!("{id} schema: {:?}, expected valid {valid}", show(&found))
            });
        }
        let definition = case["definition"].as_str().unwrap();
        if !definition.ends_with("Event") {
            let found = verdict(Profile::Schema, definition);
            let valid = case["schemaValid"].as_bool().unwrap();
            failures.check(found.is_empty() == valid, || {
                format!("{id} as {definition}: {:?}, expected valid {valid}", show(&found))
            });
        }
        let Some(receive) = case["receive"].as_str() else { continue };
        let found = verdict(Profile::Reference, "Event");
        let (errors, warnings) = (count(&found, Severity::Error), count(&found, Severity::Warning));
        let right = match receive {
            "fatal" => errors > 0,
            "stripped" | "dropped" => errors == 0 && warnings > 0,
            _ => errors == 0,
        };
        failures.check(right, || format!("{id}: {receive}, but {:?}", show(&found)));
    }
    failures.finish(1500);
}

fn check_stream(events: &[&RawValue]) -> Vec<Finding> {
    let mut checker = checker(Profile::Reference);
    let mut found = Vec::new();
    for event in events {
        found.extend_from_slice(checker.push(Input::event(event.get())));
    }
    found.extend_from_slice(checker.finish());
    found
}

fn first_error(found: &[Finding]) -> Option<u64> {
    found.iter().filter(|finding| finding.severity == Severity::Error).find_map(|finding| finding.event)
}

#[test]
fn streams() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/streams.jsonl")) {
        let id = case["id"].as_str().unwrap();
        let events: Vec<&RawValue> = serde_json::from_str(raw_member(&line, "events")).unwrap();
        let found = check_stream(&events);
        let wanted = if case["receiving"]["ok"] == true { None } else { case["receiving"]["index"].as_u64() };
        failures.check(first_error(&found) == wanted, || {
            format!("{id}: {:?}, expected {wanted:?} ({})", show(&found), case["receiving"]["error"])
        });
    }
    failures.finish(600);
}

/// Designed streams in which one fault gives more than one error, and why.
const SEVERAL_ERRORS: &[(&str, &str)] = &[(
    "V10-not-started-wrong-name",
    "a step that is finished under another name was neither started nor finished: two names, two findings",
)];

#[test]
fn one_fault_gives_one_error() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/streams.jsonl")) {
        if case["kind"] != "designed" || case["receiving"]["ok"] == true {
            continue;
        }
        let id = case["id"].as_str().unwrap();
        let events: Vec<&RawValue> = serde_json::from_str(raw_member(&line, "events")).unwrap();
        let found = check_stream(&events);
        let errors = count(&found, Severity::Error);
        let excepted = SEVERAL_ERRORS.iter().any(|(name, _)| *name == id);
        failures.check(excepted == (errors > 1), || format!("{id}: {:?}", show(&found)));
    }
    failures.finish(80);
}

/// Official streams whose outcome this crate sees otherwise, and why it may.
const RELAXED: &[(&str, &str)] = &[];

#[test]
fn official_streams() {
    let Some(corpus) = corpus() else { return };
    let mut failures = Failures::default();
    for file in files(&corpus.join("agui/official-streams"), ".json") {
        let case: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let events: Vec<&RawValue> = serde_json::from_str(raw_member(&text, "stream")).unwrap();
        let found = check_stream(&events);
        let fails = case["expect"]["errorContains"].is_string();
        let relaxed = RELAXED.iter().any(|(relaxed, _)| *relaxed == name);
        failures.check(relaxed || (first_error(&found).is_some() == fails), || {
            format!("{name}: {:?}, expected {}", show(&found), case["expect"])
        });
    }
    failures.finish(30);
}
