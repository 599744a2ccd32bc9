//! Streams that clients of Ubik and of the task API may meet, and what is said of each.
//!
//! `ubik_check.jsonl` and `polling_check.jsonl` have a case in each line: what it is about; the
//! stream as values (`events`), as frames (`sse`) or as lines (`lines`), or a `document` and its
//! type (`as`); and the rules of all findings in their order (`expect`). For Ubik the severity
//! stands before each rule. In some, `says` has the message of each, and behind a slash what to do
//! where that is more than the rule says.

use crate::common::Failures;
use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding};
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::Value;

#[test]
fn ubik() {
    let rule = |found: &Finding| format!("{} {}", found.severity, found.rule.id());
    every_case(&Protocol::UBIK, include_str!("ubik_check.jsonl"), rule);
}

#[test]
fn polling() {
    every_case(&Protocol::POLLING, include_str!("polling_check.jsonl"), |found| found.rule.id().to_owned());
}

fn every_case(protocol: &Protocol, cases: &str, rule: fn(&Finding) -> String) {
    let mut failures = Failures::default();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let findings = findings(Checker::new(protocol.clone()), &case);
        for (key, show) in [("expect", rule), ("says", said)] {
            let found: Vec<String> = findings.iter().map(show).collect();
            let is_as_said = case[key].as_array().is_none_or(|expected| found == *expected);
            failures.check(is_as_said, || format!("{}: {found:?}, not {}", case["what"], case[key]));
        }
        assert!(case["expect"].is_array(), "{} expects nothing", case["what"]);
    }
    failures.finish(100);
}

/// The message, and what is advised for this case.
fn said(finding: &Finding) -> String {
    let hint = finding.hint.as_ref().map_or_else(String::new, |hint| format!(" / {hint}"));
    format!("{}{hint}", finding.message)
}

fn findings(checker: Checker, case: &Value) -> Vec<Finding> {
    let text = |name: &str| case[name].as_str().map(str::to_owned);
    let (mut stream, text) = if let Some(frames) = text("sse") {
        (StreamChecker::of(checker, Framing::Sse), frames)
    } else if let Some(lines) = text("lines") {
        (StreamChecker::of(checker, Framing::Ndjson), lines)
    } else if let Some(kind) = text("as") {
        (StreamChecker::of_document(checker, &kind).unwrap(), case["document"].to_string())
    } else {
        (StreamChecker::of(checker, Framing::Json), case["events"].to_string())
    };
    let mut found: Vec<Finding> = stream.push(text.as_bytes()).iter().map(|found| (*found).clone()).collect();
    found.extend(stream.finish().iter().map(|found| (*found).clone()));
    found
}
