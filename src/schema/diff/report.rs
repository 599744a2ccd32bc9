//! Changes of many files as one report.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::rule::{Breaks, Impact};

/// The version of the report's format.
///
/// Since 0.1.0.
pub const VERSION: u32 = 1;

/// What `agent-contracts schema diff --format json` prints.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiffReport {
    /// The version of this format.
    pub version: u32,
    /// Counts over all files.
    pub summary: DiffSummary,
    /// The changes, in the order of files, then of definitions.
    pub changes: Vec<DiffChange>,
}

/// Counts over all files.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DiffSummary {
    /// Files that were compared, those that only one version has among them.
    pub files: u64,
    /// Changes of impact wire-breaking.
    pub wire_breaking: u64,
    /// Changes of impact source-breaking.
    pub source_breaking: u64,
    /// Changes of impact compatible.
    pub compatible: u64,
}

/// A change.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiffChange {
    /// The rule, which `agent-contracts explain` explains.
    pub rule: String,
    /// What it breaks.
    pub impact: Impact,
    /// Who is broken.
    pub breaks: Breaks,
    /// The file.
    pub file: String,
    /// The definition, by its new name; for the root its title, or `$`. Empty for a whole file.
    pub definition: String,
    /// The definition, and the members on the way.
    pub place: String,
    /// What has changed.
    pub message: String,
    /// What stood there before, where that says more.
    pub old: Option<String>,
    /// What stands there now.
    pub new: Option<String>,
    /// What to do instead.
    pub help: String,
}

impl Default for DiffReport {
    fn default() -> Self {
        Self::new()
    }
}

impl DiffReport {
    /// An empty report.
    pub fn new() -> Self {
        Self { version: VERSION, summary: DiffSummary::default(), changes: Vec::new() }
    }

    /// Adds a file and its changes.
    pub fn add(&mut self, file: &str, changes: &[Change]) {
        self.summary.files += 1;
        for change in changes {
            self.summary.count(change.impact());
            self.changes.push(DiffChange::new(change, file));
        }
    }

    /// The report as JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl DiffSummary {
    fn count(&mut self, impact: Impact) {
        match impact {
            Impact::WireBreaking => self.wire_breaking += 1,
            Impact::SourceBreaking => self.source_breaking += 1,
            Impact::Compatible => self.compatible += 1,
        }
    }

    /// How many changes break at least as much as `impact`.
    pub fn at_least(&self, impact: Impact) -> u64 {
        match impact {
            Impact::WireBreaking => self.wire_breaking,
            Impact::SourceBreaking => self.wire_breaking + self.source_breaking,
            Impact::Compatible => self.wire_breaking + self.source_breaking + self.compatible,
        }
    }
}

impl fmt::Display for DiffSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = self.at_least(Impact::Compatible);
        if changes == 0 {
            return write!(f, "no changes in {} file{}", self.files, if self.files == 1 { "" } else { "s" });
        }
        write!(f, "{changes} change{}: ", if changes == 1 { "" } else { "s" })?;
        let (wire, source) = (self.wire_breaking, self.source_breaking);
        write!(f, "{wire} wire-breaking, {source} source-breaking, {} compatible", self.compatible)
    }
}

impl DiffChange {
    /// A change in `file`.
    pub fn new(change: &Change, file: &str) -> Self {
        Self {
            rule: change.rule.id().into(),
            impact: change.impact(),
            breaks: change.rule.breaks(),
            file: file.into(),
            definition: change.definition.clone(),
            place: change.place.clone(),
            message: change.message.clone(),
            old: change.old.clone(),
            new: change.new.clone(),
            help: change.rule.help().into(),
        }
    }
}
