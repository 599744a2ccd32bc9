//! What a fixture expects, and how what is found differs from it.

use std::fmt::Write as _;

use serde::Deserialize;

use super::names::{did_you_mean, meant};
use crate::check::{Code, Finding, Severity};
use crate::rule;
use crate::safe::{show, without_tokens};

/// An expected finding; a member that is left out matches anything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    code: Option<String>,
    rule: Option<String>,
    severity: Option<String>,
    path: Option<String>,
    pointer: Option<String>,
    /// `null` says that the finding is about no event.
    #[serde(default, deserialize_with = "present")]
    event: Option<Option<u64>>,
}

/// Tells `null` from absence.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A member that is not as expected: its name, what is expected, and what is found.
type Other<'e> = (&'static str, &'e str, &'e str);

impl Expected {
    pub(super) fn matches(&self, found: &Finding) -> bool {
        let is = |wanted: &Option<String>, actual: &str| wanted.as_deref().is_none_or(|wanted| wanted == actual);
        is(&self.code, found.code().as_str())
            && is(&self.rule, found.rule.id())
            && is(&self.severity, found.severity.as_str())
            && is(&self.path, &found.path)
            && is(&self.pointer, &found.pointer)
            && self.event.is_none_or(|event| event == found.event)
    }

    /// What it names that there is not: nothing can be as expected then.
    pub(super) fn check_names(&self) -> Result<(), String> {
        for (what, written, known) in [("code", &self.code, Code::WORDS), ("severity", &self.severity, Severity::WORDS)]
        {
            if let Some(written) = written.as_deref().filter(|written| !known.contains(written)) {
                return Err(format!("there is no {what} {}{}", show(written), meant(written, known)));
            }
        }
        match &self.rule {
            Some(name) if rule(name).is_none() => Err(format!("there is no rule {}{}", show(name), did_you_mean(name))),
            _ => Ok(()),
        }
    }

    /// The members that a finding of its rule has otherwise, apart from path and event, which are
    /// told of every finding. Of another rule, none of them would tell anything.
    fn others<'e>(&'e self, found: &'e Finding) -> Vec<Other<'e>> {
        if self.rule.as_deref().is_some_and(|rule| rule != found.rule.id()) {
            return Vec::new();
        }
        let members = [
            ("code", &self.code, found.code().as_str()),
            ("severity", &self.severity, found.severity.as_str()),
            ("pointer", &self.pointer, found.pointer.as_str()),
        ];
        let other = |(name, wanted, actual): (&'static str, &'e Option<String>, &'e str)| {
            let wanted = wanted.as_deref().filter(|wanted| *wanted != actual)?;
            Some((name, wanted, actual))
        };
        members.into_iter().filter_map(other).collect()
    }

    /// What is expected, beside what is found in its place.
    pub(super) fn show(&self, found: Option<&Finding>) -> String {
        let mut text = self.rule.clone().or_else(|| self.code.clone()).unwrap_or_else(|| "anything".into());
        if let Some(path) = &self.path {
            let _ = write!(text, " at {path}");
        }
        match self.event {
            Some(Some(event)) => text += &format!(" of event {event}"),
            Some(None) => text.push_str(" about no event"),
            None => {}
        }
        let others = found.map(|found| self.others(found)).unwrap_or_default();
        // Where no rule is named, the code stands in its place.
        let others = others.into_iter().filter(|(name, ..)| *name != "code" || self.rule.is_some());
        text += &with(others.map(|(name, wanted, _)| (name, wanted)));
        without_tokens(&text).into_owned()
    }
}

/// What is found, beside what is expected in its place.
pub(super) fn show_found(found: &Finding, expected: Option<&Expected>) -> String {
    let event = found.event.map_or("no event".into(), |event| format!("event {event}"));
    let others = expected.map(|expected| expected.others(found)).unwrap_or_default();
    let others = with(others.into_iter().map(|(name, _, actual)| (name, actual)));
    format!("{} at {} of {event}{others}", found.rule.id(), found.path)
}

fn with<'m>(members: impl Iterator<Item = (&'m str, &'m str)>) -> String {
    let members: Vec<String> = members.map(|(name, value)| format!("{name} {value}")).collect();
    if members.is_empty() { String::new() } else { format!(" with {}", members.join(", ")) }
}
