//! What was asked for, and the checkers that go with it.

use super::args::How;
use super::console::{Failure, Outcome};
use crate::check::near::nearest_within;
use crate::check::{Checker, Code, Profile, Protocol, Rule, Severity};
use crate::{rule, rules};

/// What was asked for, apart from the files.
pub(super) struct Setup<'a> {
    pub(super) args: &'a How,
    pub(super) profile: Profile,
    pub(super) fail_on: Severity,
    pub(super) as_type: Option<Type>,
    /// The version that was asked for.
    pub(super) version: Option<&'static str>,
    pub(super) overrides: Vec<Override>,
}

/// A severity that the user gives to a rule or a code.
pub(super) enum Override {
    Rule(&'static Rule, Option<Severity>),
    Code(Code, Option<Severity>),
}

impl<'a> Setup<'a> {
    pub(super) fn new(args: &'a How) -> Outcome<Self> {
        let mut overrides = Vec::new();
        for (name, severity) in &args.overrides {
            overrides.push(find_override(name, *severity)?);
        }
        let as_type = args.as_type.as_deref().map(parse_type).transpose()?;
        let profile = args.profile();
        let (protocol, version) = args.protocol().unzip();
        let version = as_type.as_ref().map_or(version.flatten(), |of| of.version);
        let asked = as_type.as_ref().map(|of| of.protocol.clone()).or(protocol);
        if let Some(protocol) =
            asked.as_ref().filter(|protocol| profile == Profile::Reference && !protocol.has_reference())
        {
            return Err(Failure::new(no_reference(protocol)));
        }
        if let Some(protocol) = asked.as_ref().filter(|protocol| args.subscribes() && !protocol.has_subscriptions()) {
            return Err(Failure::new(format!("{protocol} has no subscriptions; leave out --run-id and --resumed")));
        }
        Ok(Self { args, profile, fail_on: args.fail_on(), as_type, version, overrides })
    }

    /// A checker for findings that are about no event.
    pub(super) fn checker_of_input(&self) -> Outcome<Checker> {
        let asked = self.as_type.as_ref().map(|of| of.protocol.clone());
        let asked = asked.or_else(|| self.args.protocol().map(|(protocol, _)| protocol));
        self.checker(asked.unwrap_or(Protocol::AGUI))
    }

    pub(super) fn checker(&self, protocol: Protocol) -> Outcome<Checker> {
        let mut builder = Checker::builder(protocol).profile(self.profile).resumed(self.args.resumed);
        if let Some(run) = &self.args.run_id {
            builder = builder.run_id(run.as_str());
        }
        if let Some(version) = self.version {
            builder = builder.version(version).map_err(|error| Failure::new(error.to_string()))?;
        }
        for change in &self.overrides {
            builder = match change {
                Override::Rule(rule, severity) => builder.rule(rule, *severity),
                Override::Code(code, severity) => builder.code(*code, *severity),
            };
        }
        Ok(builder.build())
    }
}

pub(super) fn no_reference(protocol: &Protocol) -> String {
    format!("{protocol} has no reference implementation; use --profile strict or schema")
}

/// A type that `--as` names.
pub(super) struct Type {
    pub(super) protocol: Protocol,
    pub(super) version: Option<&'static str>,
    pub(super) kind: String,
}

fn parse_type(name: &str) -> Outcome<Type> {
    let (of, kind) = name.split_once('/').unwrap_or((name, ""));
    let Some((protocol, version)) = Protocol::from_versioned_id(of) else {
        let all: Vec<String> = Protocol::ALL.iter().map(|protocol| format!("{protocol}/Event")).collect();
        return Err(Failure::new(format!("--as {name}: there is no such type; write one of {}", all.join(", "))));
    };
    let types = protocol.types();
    if !types.iter().any(|known| known == kind) {
        let all: Vec<String> = types.iter().map(|kind| format!("{protocol}/{kind}")).collect();
        return Err(Failure::new(format!("--as {name}: there is no such type; write one of {}", all.join(", "))));
    }
    Ok(Type { protocol, version, kind: kind.to_owned() })
}

fn find_override(name: &str, severity: Option<Severity>) -> Outcome<Override> {
    if let Some(rule) = rule(name) {
        return Ok(Override::Rule(rule, severity));
    }
    if let Ok(code) = name.parse() {
        return Ok(Override::Code(code, severity));
    }
    Err(Failure::new(format!("{name} is neither a rule nor a code{}", did_you_mean(name))))
}

/// The rule whose name is nearest, as a hint.
pub(super) fn did_you_mean(name: &str) -> String {
    let wanted = name.rsplit('/').next().unwrap_or(name);
    let near = nearest_within(wanted.len() / 3 + 1, wanted, rules().map(Rule::name));
    match near.and_then(|near| rules().find(|rule| rule.name() == near)) {
        Some(rule) => format!("; did you mean {rule}?"),
        None => "; `agent-contracts rules` lists them".into(),
    }
}
