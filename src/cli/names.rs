//! Names that users write, on the command line or in the configuration: what they stand
//! for, and what was meant where they stand for nothing.

use std::str::FromStr;

use crate::check::near::nearest_within;
use crate::check::{Code, Protocol, Rule, Severity};
use crate::{rule, rules};

/// A severity that the user gives to a rule or a code; `None` is silence.
#[derive(Clone, Copy, Debug)]
pub(super) enum Override {
    Rule(&'static Rule, Option<Severity>),
    Code(Code, Option<Severity>),
}

impl Override {
    pub(super) fn of(name: &str, severity: Option<Severity>) -> Result<Self, String> {
        if let Some(rule) = rule(name) {
            return Ok(Self::Rule(rule, severity));
        }
        if let Ok(code) = name.parse() {
            return Ok(Self::Code(code, severity));
        }
        let code = near(name, Code::WORDS.iter().copied()).filter(|_| !name.contains('/'));
        let meant = code.map_or_else(|| did_you_mean(name), |code| format!("; did you mean {code}?"));
        Err(format!("{name} is neither a rule nor a code{meant}"))
    }
}

/// The rules whose names are nearest, as a hint: of the protocol that is written, or else all
/// of that name.
pub(super) fn did_you_mean(name: &str) -> String {
    let owner = name.split_once('/').map(|(owner, _)| owner);
    let owner = owner.filter(|owner| rules().any(|rule| owner_of(rule) == *owner));
    let among = || rules().filter(|rule| owner.is_none_or(|owner| owner_of(rule) == owner));
    let near = near(name.rsplit('/').next().unwrap_or(name), among().map(Rule::name));
    let mut meant: Vec<&str> = among().filter(|rule| Some(rule.name()) == near).map(Rule::id).collect();
    match meant.pop() {
        None => "; `agent-contracts rules` lists them".into(),
        Some(last) if meant.is_empty() => format!("; did you mean {last}?"),
        Some(last) => format!("; did you mean {} or {last}?", meant.join(", ")),
    }
}

/// The protocol of a rule, or what else it is about.
fn owner_of(rule: &Rule) -> &str {
    rule.id().split_once('/').map_or("", |(owner, _)| owner)
}

/// The known name that is nearest.
fn near<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    nearest_within(written.len() / 3 + 1, written, known)
}

/// What to write instead.
pub(super) fn meant(written: &str, known: &[&str]) -> String {
    match near(written, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; write one of {}", known.join(", ")),
    }
}

/// One of a few words.
pub(super) fn word<T: FromStr>(what: &str, written: &str, known: &[&str]) -> Result<T, String> {
    written.parse::<T>().map_err(|_| format!("there is no {what} `{written}`{}", meant(written, known)))
}

/// A protocol, and its version behind an `@`.
pub(super) fn protocol(written: &str) -> Result<(Protocol, Option<&'static str>), String> {
    let (id, named) = written.split_once('@').map_or((written, None), |(id, version)| (id, Some(version)));
    let known: Vec<&str> = Protocol::ALL.iter().map(Protocol::id).collect();
    let found =
        Protocol::from_id(id).ok_or_else(|| format!("there is no protocol `{written}`{}", meant(id, &known)))?;
    let version = named.map(|named| version(&found, named)).transpose()?;
    Ok((found, version))
}

/// A version of a protocol.
pub(super) fn version(of: &Protocol, written: &str) -> Result<&'static str, String> {
    let known = of.versions();
    if known.is_empty() {
        return Err(format!("{of} has no versions to choose from; leave it out"));
    }
    let found = known.iter().copied().find(|known| *known == written);
    found.ok_or_else(|| format!("{of} has no version `{written}`{}", meant(written, known)))
}

/// A type of document, such as `lime/Fixture`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) protocol: Protocol,
    pub(super) version: Option<&'static str>,
    pub(super) kind: String,
}

impl FromStr for Type {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let (of, kind) = name.split_once('/').unwrap_or((name, ""));
        let unknown = |all: Vec<String>| format!("{name}: there is no such type; write one of {}", all.join(", "));
        let Ok((protocol, version)) = protocol(of) else {
            return Err(unknown(Protocol::ALL.iter().map(|protocol| format!("{protocol}/Event")).collect()));
        };
        if kind.is_empty() {
            return Err(format!(
                "{name}: that is a protocol, not a type; a stream takes it as --protocol (`protocol` in contracts.toml), \
                 single events are {protocol}/Event"
            ));
        }
        let types = protocol.types();
        if !types.iter().any(|known| known == kind) {
            let known: Vec<&str> = types.iter().map(|known| &**known).collect();
            return Err(match near(kind, known.iter().copied()) {
                Some(near) => format!("{name}: there is no such type; did you mean {protocol}/{near}?"),
                None => unknown(types.iter().map(|kind| format!("{protocol}/{kind}")).collect()),
            });
        }
        Ok(Self { protocol, version, kind: kind.to_owned() })
    }
}

pub(super) fn no_reference(protocol: &Protocol) -> String {
    format!("{protocol} has no reference implementation; use --profile strict or schema")
}
