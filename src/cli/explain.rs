//! `rules` and `explain`: the rule tables, for people.

use super::args::{ExplainArgs, RulesArgs};
use super::console::{CYAN, Failure, Outcome, RED, Status, YELLOW, bold, coloured};
use super::describe;
use super::names::did_you_mean;
use crate::check::{Code, Protocol, Rule, Severity};
use crate::rules as all;

/// A severity in its colour.
fn in_colour(severity: Severity) -> String {
    let colour = match severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => CYAN,
    };
    coloured(colour, severity)
}

pub(super) fn rules(args: &RulesArgs) -> Outcome {
    use std::io::Write;
    let mut out = anstream::stdout().lock();
    let mut found = false;
    let wanted = |rule: &Rule| args.protocol.as_deref().is_none_or(|name| rule.id().split('/').next() == Some(name));
    let width = all().filter(|rule| wanted(rule)).map(|rule| rule.id().len()).max().unwrap_or(0);
    for rule in all().filter(|rule| wanted(rule)) {
        found = true;
        let severity = in_colour(rule.severity());
        let pad = " ".repeat(7 - rule.severity().as_str().len());
        writeln!(out, "{:width$}  {severity}{pad}  {:22} {}", rule.id(), rule.code().as_str(), rule.when())?;
    }
    found |= super::schema_rules::list(&mut out, args.protocol.as_deref())?;
    match (&args.protocol, found) {
        (Some(name), false) => {
            let known: Vec<&str> = Protocol::ALL.iter().map(Protocol::id).collect();
            Err(Failure::new(format!(
                "there are no rules of {name}; choose {}, input, http or schema",
                known.join(", ")
            )))
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
    let by_name: Vec<&Rule> = describe::rules().filter(|rule| rule.name() == name).collect();
    let rule = match (describe::rule(name), &by_name[..]) {
        (Some(rule), _) => rule,
        (None, [rule]) => *rule,
        (None, []) if name.parse::<Code>().is_ok() => {
            let message = format!("{name} is a code of several rules; `agent-contracts rules` lists them by protocol");
            return Err(Failure::new(message));
        }
        (None, []) => return Err(Failure::new(format!("there is no rule {name}{}", did_you_mean(name)))),
        (None, several) => {
            let ids: Vec<&str> = several.iter().map(|rule| rule.id()).collect();
            return Err(Failure::new(format!("{name} is the name of several rules: {}", ids.join(", "))));
        }
    };
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}  {} {}", bold(rule.id()), in_colour(rule.severity()), rule.code())?;
    writeln!(out)?;
    for (label, text) in describe::parts(rule) {
        writeln!(out, "{label:>10}: {text}")?;
    }
    for (label, example) in describe::examples(rule) {
        writeln!(out, "\n{}", bold(format_args!("{label}:")))?;
        write!(out, "{example}")?;
    }
    out.flush()?;
    Ok(Status::Clean)
}
