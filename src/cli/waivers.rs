//! Waivers of fixtures: findings that are known, and put up with for a reason.

use serde::Deserialize;

use super::names::did_you_mean;
use crate::check::Finding;
use crate::rule;
use crate::safe::show;

/// A rule whose findings in a fixture are put up with, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Waiver {
    rule: String,
    reason: String,
}

/// Takes what is waived out of what was found. Gives a line for each waiver that waives
/// nothing.
pub(super) fn waive(waivers: &[Waiver], found: &mut Vec<Finding>) -> Result<String, String> {
    let mut unused = String::new();
    for Waiver { rule: name, reason } in waivers {
        if rule(name).is_none() {
            return Err(format!("waives {}, which is no rule{}", show(name), did_you_mean(name)));
        }
        if reason.trim().is_empty() {
            return Err(format!("waives {name} without a reason"));
        }
        let before = found.len();
        found.retain(|finding| finding.rule.id() != name);
        if found.len() == before {
            unused += &format!("  waived, but not found: {name}\n");
        }
    }
    Ok(unused)
}
