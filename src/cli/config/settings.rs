//! The configuration in effect.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::print::Listing;
use crate::check::{Limits, Profile, Secrets, Severity};
use crate::cli::bounds::BOUNDS;
use crate::cli::choice::{Choice, Wanted};
use crate::cli::console::Outcome;
use crate::cli::globs::Glob;
use crate::cli::names::Override;

/// What a file need not say: table, key and value.
const DEFAULTS: &[(&str, &str, &str)] = &[
    ("[check]", "ignore-files", "true"),
    ("[check]", "profile", "\"strict\""),
    ("[check]", "fail-on", "\"error\""),
    ("[check]", "max-findings", "0"),
];

/// The severity that is none.
pub(super) const OFF: &str = "off";

/// What is in effect, apart from what is wanted of single files.
pub(in crate::cli) struct Config {
    /// The file that it was read from.
    pub(in crate::cli) file: Option<PathBuf>,
    /// What is checked.
    pub(in crate::cli) paths: Vec<OsString>,
    /// What is left out.
    pub(in crate::cli) exclude: Arc<Vec<Glob>>,
    /// Whether ignore files such as `.gitignore` are obeyed.
    pub(in crate::cli) ignore_files: bool,
    pub(in crate::cli) fail_on: Severity,
    /// The most findings that are printed; 0 for all.
    pub(in crate::cli) max_findings: usize,
    pub(in crate::cli) baseline: Option<PathBuf>,
    /// Severities of rules and codes, the last of which count, and where they come from.
    pub(super) overrides: Vec<(Override, String)>,
    pub(in crate::cli) limits: Limits,
    pub(in crate::cli) secrets: Arc<Secrets>,
    pub(super) profile: Profile,
    pub(super) files: Vec<(Glob, Wanted)>,
    /// What the options say of all files.
    pub(super) flags: Wanted,
    pub(super) listing: Listing,
}

impl Config {
    pub(super) fn of_defaults() -> Self {
        let mut listing = Listing::default();
        for (table, key, value) in DEFAULTS {
            listing.set(table, key, (*value).to_owned(), "default");
        }
        for bound in BOUNDS {
            listing.set("[limits]", bound.key, (bound.get)(&Limits::DEFAULT).to_string(), "default");
        }
        Self {
            file: None,
            paths: Vec::new(),
            exclude: Arc::default(),
            ignore_files: true,
            fail_on: Severity::Error,
            max_findings: 0,
            baseline: None,
            overrides: Vec::new(),
            limits: Limits::DEFAULT,
            secrets: Arc::default(),
            profile: Profile::default(),
            files: Vec::new(),
            flags: Wanted::default(),
            listing,
        }
    }

    /// What a file is to be checked as; `None` is standard input.
    pub(in crate::cli) fn choice(&self, path: Option<&Path>) -> Choice {
        let mut choice = Choice::new(self.profile);
        for (glob, wanted) in &self.files {
            if path.is_some_and(|path| glob.covers(path)) {
                choice.apply(wanted);
            }
        }
        choice.apply(&self.flags);
        choice
    }

    /// Severities of rules and codes, the last of which count.
    pub(in crate::cli) fn overrides(&self) -> impl Iterator<Item = Override> {
        self.overrides.iter().map(|(change, _)| *change)
    }

    /// Prints it as a configuration that says the same.
    pub(in crate::cli) fn print(&self) -> Outcome<()> {
        self.listing.print()
    }
}
