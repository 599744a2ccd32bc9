//! social-app against the documents that it comes from.

use std::path::Path;

use crate::common::Failures;
use agent_contracts::Protocol;
use agent_contracts::agui;
use agent_contracts::check::{Checker, Finding, Input, Profile, Severity};
use agent_contracts::social_app::{
    ArgsShape, CostEvidence, Event, EventType, HistoryResponse, HistoryRole, PricingTier, RunSubscription,
    ToolCallArgs, Version, catalog_cost, to_agui,
};
use agent_contracts::stream::sse::Parser;
use agent_contracts::stream::{Framing, StreamChecker};
use serde_json::Value;

crate::common::corpus_tests! {
    the_examples_decode_come_back_and_check_clean in "../seeds",
    the_examples_as_agui_give_the_known_differences in "../seeds",
    the_sequence_checks_clean_in_every_setting_and_converts,
    the_whole_run_as_agui_fails_where_the_official_client_does,
    a_stale_run_is_passed_over,
    internal_events_are_told_apart,
    arguments_of_every_age_are_recognised,
    costs_are_as_documented,
    history_answers_come_back,
    a_cancelled_run_ends_as_cancelled,
}

fn sample(corpus: &Path, name: &str) -> Value {
    let path = corpus.join("social-app").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The JSON examples of a document of the protocol, as text: where one member is written as
/// a choice (`"a" | "b"`), one example for each.
fn examples(corpus: &Path, seed: &str) -> Vec<String> {
    let seeds = corpus.join("../seeds");
    let file =
        crate::common::files(&seeds, ".txt").into_iter().find(|path| path.to_string_lossy().contains(seed)).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(choices).collect()
}

fn choices(block: &str) -> Vec<String> {
    let Some(line) = block.lines().find(|line| line.contains("\" | \"")) else { return vec![block.to_owned()] };
    let (member, values) = line.split_once(": ").unwrap();
    let values = values.trim_end_matches(',').split(" | ");
    let one = |value| block.replacen(line, &format!("{member}: {value},"), 1).replace(",\n}", "\n}");
    values.flat_map(|value| choices(&one(value))).collect()
}

fn findings(protocol: &Protocol, profile: Profile, text: &str) -> Vec<Finding> {
    let mut checker = Checker::builder(protocol).profile(profile).build();
    checker.check_as("Event", Input::event(text)).unwrap().to_vec()
}

fn faults(findings: &[Finding]) -> Vec<String> {
    let grave = findings.iter().filter(|finding| finding.severity > Severity::Note);
    grave.map(|finding| format!("{finding} at {}", finding.path)).collect()
}

fn the_examples_decode_come_back_and_check_clean(corpus: &Path) {
    for (seed, version, at_least) in [("000_", Version::V0, 16), ("001_", Version::V1, 16)] {
        let mut failures = Failures::default();
        let mut all = examples(corpus, seed);
        let name = if version == Version::V0 { "events_v0_seed000.json" } else { "events_v1_seed001.json" };
        all.extend(sample(corpus, name)["events"].as_array().unwrap().iter().map(Value::to_string));
        for text in &all {
            let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            if value.get("type").is_none() {
                // The recommended shape of arguments, which is no event.
                let call = ToolCallArgs::from_json(text).unwrap().call().unwrap();
                assert_eq!((call.shape, &*call.module), (ArgsShape::Canonical, "calendar"));
                continue;
            }
            let event = Event::from_json(text);
            let back = event.as_ref().ok().map(|event| serde_json::to_value(event).unwrap());
            failures.check(back.as_ref() == Some(&value), || format!("{:?}: {text}", event.err()));
            let builder = Checker::builder(Protocol::SOCIAL_APP);
            let mut forced = builder.clone().version(version.as_str()).unwrap().build();
            let mut free = builder.build();
            for checker in [&mut forced, &mut free] {
                let found = faults(checker.check_as("Event", Input::event(text)).unwrap());
                failures.check(found.is_empty(), || format!("{found:?}: {text}"));
            }
            let mut schema = Checker::builder(Protocol::SOCIAL_APP)
                .profile(Profile::Schema)
                .version(version.as_str())
                .unwrap()
                .build();
            let found = schema.check_as("Event", Input::event(text)).unwrap().to_vec();
            failures.check(found.is_empty(), || format!("schema of {version:?}: {found:?}: {text}"));
        }
        failures.finish(3 * at_least);
    }
}

/// What the official schema finds in an example, beyond what is no member of the event.
const DIFFERENCES: &[(EventType, &[&str], bool, &[&str])] = &[
    // Type, members that AG-UI does not have, whether its client fails, other faults.
    (EventType::RunStarted, &[], false, &[]),
    (EventType::RunFinished, &[], false, &[]),
    (EventType::RunError, &["threadId", "runId"], true, &["agui/null-not-allowed $.code"]),
    (EventType::StepStarted, &["threadId", "runId"], false, &[]),
    (EventType::StepFinished, &["threadId", "runId"], false, &[]),
    (EventType::ToolCallStart, &["threadId", "runId", "messageId", "stage"], false, &[]),
    (
        EventType::ToolCallArgs,
        &["threadId", "runId", "messageId", "toolCallName", "args", "stage"],
        true,
        &["agui/required-field-missing $.delta"],
    ),
    (EventType::ToolCallEnd, &["threadId", "runId", "messageId", "toolCallName", "stage"], false, &[]),
    (
        EventType::ToolCallResult,
        &["threadId", "runId", "stage", "tool_name", "tool_call_id", "tool_call_args", "status", "result", "error"],
        true,
        &["agui/required-field-missing $.toolCallId", "agui/required-field-missing $.content"],
    ),
    (
        EventType::TextMessageEnd,
        &["threadId", "runId", "role", "stage", "status", "answer", "suggested_actions", "error"],
        false,
        &[],
    ),
];

fn the_examples_as_agui_give_the_known_differences(corpus: &Path) {
    let mut seen = 0;
    for (seed, own) in [
        ("000_", &[(EventType::TextMessageEnd, ["key_points", "result_type", "ui_schema"].as_slice())][..]),
        ("001_", &[(EventType::ToolCallResult, ["ui_schema"].as_slice())][..]),
    ] {
        for text in examples(corpus, seed) {
            let value: Value = serde_json::from_str(&text).unwrap();
            let Some(kind) = value["type"].as_str().and_then(EventType::from_tag) else { continue };
            let (_, extras, fatal, others) = DIFFERENCES.iter().find(|row| row.0 == kind).unwrap();
            let mut expected: Vec<String> = others.iter().map(ToString::to_string).collect();
            let own = own.iter().filter(|(of, _)| *of == kind).flat_map(|(_, members)| members.iter());
            expected.extend(extras.iter().chain(own).map(|name| format!("agui/unknown-property $.{name}")));
            // A cancelled run is an error with a code, which AG-UI takes.
            let canceled = value["code"] == "RUN_CANCELED";
            expected.retain(|fault| !(canceled && fault.ends_with("$.code")));
            expected.sort();
            let mut found: Vec<String> = findings(&Protocol::AGUI, Profile::Schema, &text)
                .iter()
                .map(|finding| format!("{} {}", finding.rule.id(), finding.path))
                .collect();
            found.sort();
            assert_eq!(found, expected, "{text}");
            let received = findings(&Protocol::AGUI, Profile::Reference, &text);
            let fails = received.iter().any(|finding| finding.severity == Severity::Error);
            assert_eq!(fails, *fatal && !canceled, "{text}: {received:?}");
            seen += 1;
        }
    }
    assert!(seen >= 22, "{seen}");
}

fn the_sequence_checks_clean_in_every_setting_and_converts(corpus: &Path) {
    let sequence = sample(corpus, "run_sequence_synthetic.json");
    let mut sse = String::from(": keep-alive\n\n");
    let mut events = Vec::new();
    for frame in sequence["frames"].as_array().unwrap() {
        let event = Event::from_json(&frame["data"].to_string()).unwrap();
        sse += &event.to_sse(frame["id"].as_str().unwrap().parse().unwrap());
        events.push(event);
    }
    let builder = || Checker::builder(Protocol::SOCIAL_APP);
    for checker in [
        builder().build(),
        builder().version("v1").unwrap().build(),
        builder().run_id("run-001").build(),
        builder().resumed(true).build(),
    ] {
        let mut found: Vec<Finding> = Vec::new();
        let mut stream = StreamChecker::of(checker, Framing::Sse);
        found.extend(stream.push(sse.as_bytes()).map(|found| Finding::clone(&found)));
        found.extend(stream.finish().map(|found| Finding::clone(&found)));
        assert_eq!(found, [], "{sse}");
    }
    let mut agui = Checker::new(Protocol::AGUI);
    let mut found = Vec::new();
    for event in to_agui(events) {
        found.extend_from_slice(agui.push(Input::event(&event.to_json())));
    }
    found.extend_from_slice(agui.finish());
    assert_eq!(faults(&found), [""; 0]);
}

fn the_whole_run_as_agui_fails_where_the_official_client_does(corpus: &Path) {
    let sequence = sample(corpus, "run_sequence_synthetic.json");
    let first_error = |left_out: &[&str]| {
        let mut checker = Checker::builder(Protocol::AGUI).profile(Profile::Reference).build();
        let frames = sequence["frames"].as_array().unwrap();
        let events = frames
            .iter()
            .map(|frame| &frame["data"])
            .filter(|data| !left_out.contains(&data["type"].as_str().unwrap()));
        let mut error = None;
        for event in events {
            for finding in checker.push(Input::event(&event.to_string())) {
                if finding.severity == Severity::Error {
                    error.get_or_insert_with(|| {
                        (event["type"].as_str().unwrap().to_owned(), finding.rule.id().to_owned())
                    });
                }
            }
        }
        error
    };
    let is = |event: &str, rule: &str| Some((event.to_owned(), rule.to_owned()));
    assert_eq!(first_error(&[]), is("TOOL_CALL_ARGS", "agui/required-field-missing"));
    assert_eq!(first_error(&["TOOL_CALL_ARGS"]), is("TOOL_CALL_RESULT", "agui/required-field-missing"));
    assert_eq!(
        first_error(&["TOOL_CALL_ARGS", "TOOL_CALL_RESULT"]),
        is("TEXT_MESSAGE_END", "agui/text-end-without-start"),
    );
    assert_eq!(first_error(&["TOOL_CALL_ARGS", "TOOL_CALL_RESULT", "TEXT_MESSAGE_END"]), None);
}

fn a_stale_run_is_passed_over(corpus: &Path) {
    let case = sample(corpus, "sse_stale_run.txt.json");
    let lines: Vec<&str> = case["sse_lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let mut run = RunSubscription::new(case["post_runs_202"]["runId"].as_str().unwrap());
    let mut yielded = Vec::new();
    Parser::new().push((lines.join("\n") + "\n").as_bytes(), |item| yielded.push(run.push(&item).unwrap()));
    assert!(yielded.iter().all(Option::is_none) && yielded.len() == 2);
    assert!(!run.is_done());
    assert_eq!(run.last_event_id(), Some("2"));
}

fn internal_events_are_told_apart(corpus: &Path) {
    let case = sample(corpus, "internal_events_2026-03-16.json");
    for event in case["events"].as_array().unwrap() {
        let text = event.to_string();
        assert_eq!(Event::from_json(&text).unwrap().known_type(), None);
        let found = findings(&Protocol::SOCIAL_APP, Profile::Strict, &text);
        let rules: Vec<_> = found.iter().map(|finding| finding.rule.id()).collect();
        assert_eq!(rules, ["social-app/internal-event-type"], "{text}");
    }
}

fn arguments_of_every_age_are_recognised(corpus: &Path) {
    let case = sample(corpus, "tool_call_args_versions.json");
    for (name, shape, method) in [
        ("canonical", ArgsShape::Canonical, Some("read")),
        ("legacy_command", ArgsShape::Command, Some("create")),
        ("legacy_command_args", ArgsShape::Command, Some("read")),
        ("legacy_skill", ArgsShape::Skill, Some("create_event")),
        ("missing_method_in", ArgsShape::Canonical, None),
    ] {
        let call = ToolCallArgs::from_json(&case[name].to_string()).unwrap().call().unwrap();
        assert_eq!((call.shape, &*call.module, call.method.as_deref()), (shape, "calendar", method), "{name}");
    }
}

fn costs_are_as_documented(corpus: &Path) {
    let case = sample(corpus, "cost_cases.json");
    for row in case["fallback"].as_array().unwrap() {
        let rate = |name: &str| row[name].as_f64();
        let mut tier = PricingTier::new(rate("input_rate").unwrap(), rate("output_rate").unwrap());
        tier.cache_hit_cost_per_token = rate("cache_hit_rate");
        let count = |name: &str| row[name].as_u64().unwrap();
        let cost = catalog_cost(&[tier], count("prompt"), count("cached"), count("completion"));
        assert_eq!(cost, row["cost"].as_f64(), "{row}");
    }
    for row in case["source_cases"].as_array().unwrap() {
        let mut evidence = CostEvidence::default();
        evidence.model_call_records = row["model_call_records"].as_u64().unwrap();
        evidence.usage_records = row["usage_records"].as_u64().unwrap();
        evidence.direct_cost_observed = row["direct_cost_observed"] == 1;
        evidence.direct_cost_complete = row["direct_cost_complete"] == 1;
        evidence.direct_cost = row["direct_cost"].as_f64();
        assert_eq!(evidence.source().as_str(), row["costSource"], "{row}");
    }
}

fn history_answers_come_back(corpus: &Path) {
    let case = sample(corpus, "history_response.json");
    let text = case["body"].to_string();
    let history = HistoryResponse::from_json(&text).unwrap();
    let roles: Vec<_> = history.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [HistoryRole::User, HistoryRole::Tool, HistoryRole::Assistant]);
    assert_eq!(serde_json::to_value(&history).unwrap(), case["body"]);
    let mut checker = Checker::new(Protocol::SOCIAL_APP);
    assert_eq!(checker.check_as("HistoryResponse", Input::event(&text)).unwrap(), []);
}

fn a_cancelled_run_ends_as_cancelled(corpus: &Path) {
    let case = sample(corpus, "run_canceled.json");
    let Ok(Event::RunError(error)) = Event::from_json(&case["event"].to_string()) else { panic!("{case}") };
    assert!(error.is_canceled());
    let converted = to_agui([Event::from(error)]);
    let [agui::Event::RunFinished(finished)] = &converted[..] else { panic!("{converted:?}") };
    assert!(matches!(finished.outcome, Some(agui::RunFinishedOutcome::Cancelled(_))));
}
