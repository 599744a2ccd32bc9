//! AG-UI against the verdicts of the official schema and client.

use std::path::Path;

use crate::common::{Failures, files, lines, raw_member};
use agent_contracts::agui::{ChunkExpander, Event, EventType, LegacyDecoder, SubagentRunId};
use agent_contracts::check::{Checker, Finding, Input, Profile, Severity};
use agent_contracts::{Protocol, wire};
use serde_json::Value;
use serde_json::value::RawValue;

crate::common::corpus_tests! {
    documents,
    the_legacy_decoder_takes_what_the_client_takes,
    chunk_expansion,
    streams,
    one_fault_gives_one_error,
    official_streams,
}

fn checker(profile: Profile) -> Checker {
    Checker::builder(Protocol::AGUI).profile(profile).build()
}

fn show(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{:?} {finding} at {}", finding.event, finding.path)).collect()
}

fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.severity == severity).count()
}

fn documents(corpus: &Path) {
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/documents.jsonl")) {
        let id = case["id"].as_str().unwrap();
        let text = raw_member(&line, "document").as_bytes();
        let verdict = |profile, kind: &str| {
            checker(profile).check_as(kind, Input::event_bytes(text)).map(<[Finding]>::to_vec).unwrap()
        };
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

fn the_legacy_decoder_takes_what_the_client_takes(corpus: &Path) {
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/documents.jsonl")) {
        let Some(receive) = case["receive"].as_str().filter(|receive| *receive != "fatal") else { continue };
        let mut retired = Vec::new();
        let decoded = LegacyDecoder::new().decode(raw_member(&line, "document"), &mut retired);
        let known = decoded.as_ref().is_ok_and(|event| event.known_type().is_some());
        // The client removes a member of a union that has no tag; to a decoder it is of no type.
        let untagged = |error: &wire::Error| [".type", ".op", ".role"].iter().any(|tag| error.path().ends_with(tag));
        let right = match &decoded {
            Ok(_) => known == (receive != "dropped"),
            Err(error) => receive == "stripped" && untagged(error),
        };
        failures.check(right, || {
            format!("{}: {receive}, but {:?}", case["id"], decoded.map(|event| event.tag().to_owned()))
        });
    }
    failures.finish(400);
}

/// What an expander makes of a stream, as a relay uses it: an event that is not of its
/// shape is passed on as it came.
fn expand(events: &[&RawValue]) -> (Vec<Value>, Option<usize>) {
    let mut expander = ChunkExpander::new();
    let mut expanded: Vec<Value> = Vec::new();
    let value = |event: &Event| serde_json::to_value(event).unwrap();
    for (index, event) in events.iter().enumerate() {
        let mut out: Vec<Event> = Vec::new();
        if let Ok(event) = Event::from_json(event.get()) {
            if expander.push(event, &mut out).is_err() {
                return (expanded, Some(index));
            }
            expanded.extend(out.iter().map(value));
        } else {
            let raw: Value = serde_json::from_str(event.get()).unwrap();
            if let Some(kind) = raw["type"].as_str().and_then(EventType::from_tag) {
                let tag = raw["subagentRunId"].as_str().map(SubagentRunId::from);
                expander.end_before(kind, tag.as_ref(), &mut out);
            }
            expanded.extend(out.iter().map(value));
            expanded.push(raw);
        }
    }
    (expanded, None)
}

fn chunk_expansion(corpus: &Path) {
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/chunk-expansion.jsonl")) {
        let events: Vec<&RawValue> = serde_json::from_str(raw_member(&line, "events")).unwrap();
        let (expanded, failed_at) = expand(&events);
        let expected = case["expanded"].as_array().unwrap();
        let index = case["index"].as_u64().map(|index| index as usize);
        failures.check(failed_at == index && expanded == *expected, || {
            let differs = expanded.iter().zip(expected).position(|(ours, theirs)| ours != theirs);
            format!("{}: fails at {failed_at:?}, expected {index:?}; first difference {differs:?}", case["id"])
        });
    }
    failures.finish(250);
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

fn streams(corpus: &Path) {
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

fn one_fault_gives_one_error(corpus: &Path) {
    let mut failures = Failures::default();
    for (line, case) in lines(&corpus.join("agui/streams.jsonl")) {
        if case["kind"] != "designed" || case["receiving"]["ok"] == true {
            continue;
        }
        let id = case["id"].as_str().unwrap();
        let events: Vec<&RawValue> = serde_json::from_str(raw_member(&line, "events")).unwrap();
        let found = check_stream(&events);
        let errors = count(&found, Severity::Error);
        failures.check(errors <= 1, || format!("{id}: {:?}", show(&found)));
    }
    failures.finish(80);
}

/// Official streams whose outcome this crate sees otherwise, and why it may.
const RELAXED: &[(&str, &str)] = &[];

fn official_streams(corpus: &Path) {
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
