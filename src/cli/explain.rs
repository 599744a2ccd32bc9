//! `rules` and `explain`: the rule tables, for people.

use super::args::{ExplainArgs, RulesArgs};
use super::check::did_you_mean;
use super::console::{Failure, Outcome, Status};
use crate::check::{Profile, Protocol, Rule, Severity};
use crate::{rule, rules as all};

/// A severity in its colour.
fn coloured(severity: Severity) -> String {
    let colour = match severity {
        Severity::Error => "31",
        Severity::Warning => "33",
        Severity::Note => "36",
    };
    format!("\u{1b}[1m\u{1b}[{colour}m{severity}\u{1b}[0m")
}

fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

fn profiles(rule: &Rule) -> String {
    rule.profiles().iter().map(|profile: &Profile| profile.as_str()).collect::<Vec<_>>().join(", ")
}

pub(super) fn rules(args: &RulesArgs) -> Outcome {
    use std::io::Write;
    let mut out = anstream::stdout().lock();
    let mut found = false;
    let wanted = |rule: &Rule| args.protocol.as_deref().is_none_or(|name| rule.id().split('/').next() == Some(name));
    let width = all().filter(|rule| wanted(rule)).map(|rule| rule.id().len()).max().unwrap_or(0);
    for rule in all().filter(|rule| wanted(rule)) {
        found = true;
        let severity = coloured(rule.severity());
        let pad = " ".repeat(7 - rule.severity().as_str().len());
        writeln!(out, "{:width$}  {severity}{pad}  {:22} {}", rule.id(), rule.code().as_str(), rule.when())?;
    }
    found |= super::schema_rules::list(&mut out, args.protocol.as_deref())?;
    match (&args.protocol, found) {
        (Some(name), false) => {
            let known: Vec<&str> = Protocol::ALL.iter().map(Protocol::id).collect();
            Err(Failure::new(format!("there are no rules of {name}; choose {}, input or schema", known.join(", "))))
        }
        _ => Ok(Status::Clean),
    }
}

pub(super) fn explain(args: &ExplainArgs) -> Outcome {
    use std::io::Write;
    let name = args.rule.as_str();
    if let Some(outcome) = super::schema_rules::explain(name) {
        return outcome;
    }
    // The name alone will do where only one rule has it.
    let by_name: Vec<&Rule> = all().filter(|rule| rule.name() == name).collect();
    let rule = match (rule(name), &by_name[..]) {
        (Some(rule), _) => rule,
        (None, [rule]) => *rule,
        (None, []) => return Err(Failure::new(format!("there is no rule {name}{}", did_you_mean(name)))),
        (None, several) => {
            let ids: Vec<&str> = several.iter().map(|rule| rule.id()).collect();
            return Err(Failure::new(format!("{name} is the name of several rules: {}", ids.join(", "))));
        }
    };
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}  {} {}", bold(rule.id()), coloured(rule.severity()), rule.code())?;
    writeln!(out)?;
    for (label, text) in [
        ("when", rule.when()),
        ("looks at", rule.applies_to()),
        ("why", rule.why()),
        ("what to do", rule.help()),
        ("profiles", &profiles(rule)),
    ] {
        writeln!(out, "{label:>10}: {text}")?;
    }
    for (label, example) in [("fails", rule.failing()), ("passes", rule.fixed())] {
        if let Some(example) = example {
            writeln!(out, "\n{}", bold(&format!("{label}:")))?;
            write!(out, "{}", shown(example))?;
        }
    }
    out.flush()?;
    Ok(Status::Clean)
}

/// The inputs of a fixture, one a line, long ones cut.
fn shown(example: &str) -> String {
    const LONGEST: usize = 400;
    let mut text = String::new();
    let fixture: Example<'_> = serde_json::from_str(example).unwrap_or_default();
    let mut line = |content: String| {
        let cut: String = content.chars().take(LONGEST).collect();
        let more = content.chars().count().saturating_sub(LONGEST);
        let tail = if more > 0 { format!("… ({more} more characters)") } else { String::new() };
        text += &format!("  {cut}{tail}\n");
    };
    line(format!("# {}", fixture.title));
    let settings = [
        fixture.version.map(|version| format!("--protocol {}@{version}", fixture.protocol)),
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
    for content in fixture.sse.iter().flat_map(|text| text.lines()) {
        line(content.to_owned());
    }
    if let Some(document) = fixture.document {
        line(document.get().split_whitespace().collect::<Vec<_>>().join(" "));
    }
    text
}

/// The inputs of a fixture, as they are written.
#[derive(Default, serde::Deserialize)]
struct Example<'a> {
    #[serde(default)]
    protocol: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    version: Option<String>,
    #[serde(default, rename = "runId")]
    run_id: Option<String>,
    #[serde(default)]
    resumed: bool,
    #[serde(default, borrow)]
    events: Vec<&'a serde_json::value::RawValue>,
    #[serde(default)]
    sse: Option<String>,
    #[serde(default, borrow)]
    document: Option<&'a serde_json::value::RawValue>,
}
