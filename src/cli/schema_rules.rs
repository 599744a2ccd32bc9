//! The rules of `schema diff`, as `rules` and `explain` show them.

use std::io::Write;

use super::console::{CYAN, Failure, Outcome, RED, Status, YELLOW, bold, coloured};
use crate::check::near::nearest_within;
use crate::rules;
use crate::schema::diff::{ChangeRule, Impact, change_rule, change_rules};

/// What the ids of these rules begin with.
const PREFIX: &str = "schema";

/// An impact in its colour.
pub(super) fn in_colour(impact: Impact) -> String {
    let colour = match impact {
        Impact::WireBreaking => RED,
        Impact::SourceBreaking => YELLOW,
        Impact::Compatible => CYAN,
    };
    coloured(colour, impact)
}

/// Lists the rules, if all are wanted or these; says whether it has.
pub(super) fn list(out: &mut impl Write, wanted: Option<&str>) -> Outcome<bool> {
    if wanted.is_some_and(|wanted| wanted != PREFIX) {
        return Ok(false);
    }
    let width = change_rules().map(|rule| rule.id().len()).max().unwrap_or(0);
    for rule in change_rules() {
        let impact = rule.impact();
        let pad = " ".repeat(Impact::SourceBreaking.as_str().len() - impact.as_str().len());
        writeln!(out, "{:width$}  {}{pad}  {}", rule.id(), in_colour(impact), rule.title())?;
    }
    Ok(true)
}

/// Explains the rule of that id or name; `None` if the name is not one of these rules.
pub(super) fn explain(name: &str) -> Option<Outcome> {
    // The name alone will do where no rule of a protocol has it.
    let by_name = || change_rules().find(|rule| rule.name() == name && rules().all(|other| other.name() != name));
    if let Some(rule) = change_rule(name).or_else(by_name) {
        return Some(print(rule));
    }
    let wanted = name.strip_prefix(PREFIX)?.strip_prefix('/')?;
    let near = nearest_within(wanted.len() / 3 + 1, wanted, change_rules().map(ChangeRule::name));
    let hint = match near {
        Some(near) => format!("did you mean {PREFIX}/{near}?"),
        None => format!("`agent-contracts rules {PREFIX}` lists them"),
    };
    Some(Err(Failure::new(format!("there is no rule {name}; {hint}"))))
}

fn print(rule: &ChangeRule) -> Outcome {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}  {}\n", bold(rule.id()), in_colour(rule.impact()))?;
    for (label, text) in
        [("when", rule.title()), ("breaks", rule.breaks().as_str()), ("why", rule.why()), ("what to do", rule.help())]
    {
        writeln!(out, "{label:>10}: {text}")?;
    }
    for (label, example) in [("before", rule.before()), ("after", rule.after())] {
        let example = if example.is_empty() { "# no file" } else { example };
        writeln!(out, "\n{}\n  {example}", bold(format_args!("{label}:")))?;
    }
    out.flush()?;
    Ok(Status::Clean)
}
