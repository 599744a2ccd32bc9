//! What a rule means, in words: for `explain`, and for the formats that carry it along.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::test_rules;
use crate::check::{Profile, Rule};

/// Every rule that a result may name: those for streams, and those of `test`.
pub(super) fn rules() -> impl Iterator<Item = &'static Rule> {
    crate::rules().chain(test_rules::RULES.iter().copied())
}

/// The one of that id.
pub(super) fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id() == id)
}

/// The parts of an explanation, each with its label.
pub(super) fn parts(rule: &Rule) -> [(&'static str, String); 5] {
    let profiles: Vec<&str> = rule.profiles().iter().map(|profile: &Profile| profile.as_str()).collect();
    [
        ("when", rule.when().to_owned()),
        ("looks at", rule.applies_to().to_owned()),
        ("why", rule.why().to_owned()),
        ("what to do", rule.help().to_owned()),
        ("profiles", profiles.join(", ")),
    ]
}

/// The examples of a rule, each with its label.
pub(super) fn examples(rule: &Rule) -> impl Iterator<Item = (&'static str, String)> {
    let found = [("fails", rule.failing()), ("passes", rule.fixed())];
    found.into_iter().filter_map(|(label, example)| Some((label, inputs(example?))))
}

/// The inputs of a fixture, one a line, long ones cut; or an exchange as it is written.
fn inputs(example: &str) -> String {
    const LONGEST: usize = 2400;
    const HEAD: usize = 800;
    const TAIL: usize = 400;
    let Ok(fixture) = serde_json::from_str::<Example<'_>>(example) else {
        // An exchange over HTTP.
        return example.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect();
    };
    let mut text = String::new();
    let mut line = |content: String| {
        let count = content.chars().count();
        if count <= LONGEST {
            text += &format!("  {content}\n");
            return;
        }
        let head: String = content.chars().take(HEAD).collect();
        let tail: String = content.chars().skip(count - TAIL).collect();
        text += &format!("  {head}… ({} more characters) …{tail}\n", count - HEAD - TAIL);
    };
    line(format!("# {}", fixture.title));
    let settings = [
        fixture.version.map(|version| format!("--protocol {}@{version}", fixture.protocol)),
        fixture.as_type.map(|kind| format!("--as {kind}")),
        fixture.run_id.map(|run| format!("--run-id {run}")),
        fixture.resumed.then(|| "--resumed".to_owned()),
    ];
    let settings: Vec<String> = settings.into_iter().flatten().collect();
    if !settings.is_empty() {
        line(format!("# with {}", settings.join(" ")));
    }
    for event in fixture.events {
        line(event.get().to_owned());
    }
    for content in fixture.sse.iter().chain(&fixture.ndjson).flat_map(|text| text.split_terminator('\n')) {
        line(content.replace('\r', "\\r"));
    }
    if let Some(document) = fixture.document {
        // No string of JSON goes over a line.
        line(document.get().lines().map(str::trim).collect::<Vec<_>>().join(" "));
    }
    text
}

/// The inputs of a fixture, as they are written.
#[derive(Default, Deserialize)]
struct Example<'a> {
    #[serde(default)]
    protocol: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    version: Option<String>,
    #[serde(default, rename = "as")]
    as_type: Option<String>,
    #[serde(default, rename = "runId")]
    run_id: Option<String>,
    #[serde(default)]
    resumed: bool,
    #[serde(default, borrow)]
    events: Vec<&'a RawValue>,
    #[serde(default)]
    sse: Option<String>,
    #[serde(default)]
    ndjson: Option<String>,
    #[serde(default, borrow)]
    document: Option<&'a RawValue>,
}
