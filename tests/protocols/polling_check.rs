//! Streams of the task API that a client may meet, and what is said of each.
//!
//! `polling_check.jsonl` has a case in each line: what it is about, the values of the stream,
//! and the rules of all findings in their order; in some, `says` has the message of each, and
//! behind a slash what to do where that is more than the rule says.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding};
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::Value;

#[test]
fn every_case_is_judged_as_it_says() {
    let mut wrong = Vec::new();
    for line in include_str!("polling_check.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let expected: Vec<&str> = case["expect"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let findings = findings(&case);
        let found: Vec<&str> = findings.iter().map(|found| found.rule.id()).collect();
        if found != expected {
            wrong.push(format!("{}: {found:?}, not {expected:?}", case["what"]));
        }
        if let Some(says) = case["says"].as_array() {
            let said: Vec<String> = findings.iter().map(said).collect();
            if said != *says {
                wrong.push(format!("{}: {said:?}, not {says:?}", case["what"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The message, and what is advised for this case.
fn said(finding: &Finding) -> String {
    let hint = finding.hint.as_ref().map_or_else(String::new, |hint| format!(" / {hint}"));
    format!("{}{hint}", finding.message)
}

fn findings(case: &Value) -> Vec<Finding> {
    let checker = Checker::new(Protocol::POLLING);
    let (mut stream, text) = match case.get("as").and_then(Value::as_str) {
        Some(kind) => {
            let kind = kind.rsplit('/').next().unwrap_or(kind);
            (StreamChecker::of_document(checker, kind).unwrap(), case["document"].to_string())
        }
        None => (StreamChecker::of(checker, Framing::Json), case["events"].to_string()),
    };
    let mut found: Vec<Finding> = stream.push(text.as_bytes()).iter().map(|found| (*found).clone()).collect();
    found.extend(stream.finish().iter().map(|found| (*found).clone()));
    found
}
