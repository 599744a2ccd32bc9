//! Streams of Ubik with one fault at most, or with two that are not one, and what is said of
//! each.
//!
//! `ubik_check.jsonl` has a case in each line: what it is about, the stream as values
//! (`events`), as frames (`sse`) or as lines (`lines`), and severity and rule of all findings
//! in their order.

use agent_contracts::Protocol;
use agent_contracts::check::Checker;
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::Value;

#[test]
fn every_case_is_judged_as_it_says() {
    let mut wrong = Vec::new();
    let mut cases = 0;
    for line in include_str!("ubik_check.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let expected: Vec<&str> = case["expect"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let found = found(&case);
        if found != expected {
            wrong.push(format!("{}: {found:?}, not {expected:?}", case["what"]));
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), wrong.join("\n"));
}

fn found(case: &Value) -> Vec<String> {
    let (text, framing) = match (case["sse"].as_str(), case["lines"].as_str()) {
        (Some(frames), _) => (frames.to_owned(), Framing::Sse),
        (None, Some(lines)) => (lines.to_owned(), Framing::Ndjson),
        (None, None) => (case["events"].to_string(), Framing::Json),
    };
    let mut stream = StreamChecker::of(Checker::new(Protocol::UBIK), framing);
    let mut found: Vec<String> = Vec::new();
    found.extend(stream.push(text.as_bytes()).iter().map(|found| format!("{} {}", found.severity, found.rule.id())));
    found.extend(stream.finish().iter().map(|found| format!("{} {}", found.severity, found.rule.id())));
    found
}
