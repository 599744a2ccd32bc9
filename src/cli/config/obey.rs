//! What the options of the command line say: it counts more than the file.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::print::toml_of;
use super::settings::{Config, OFF};
use crate::check::Severity;
use crate::cli::args::How;
use crate::cli::config::flags::Flags;
use crate::cli::console::{Failure, Outcome};
use crate::cli::globs::Glob;
use crate::cli::names::{Override, Type, protocol};

impl Config {
    /// What the options say counts more than the file.
    pub(super) fn obey(&mut self, paths: &[OsString], flags: &Flags, args: &How, here: &Path) -> Outcome<()> {
        if !paths.is_empty() && (args.gave("paths") || self.paths.is_empty()) {
            let from = if args.gave("paths") { "an argument" } else { "default" };
            paths.clone_into(&mut self.paths);
            self.listing.clear("[check]", "paths");
            for path in paths {
                self.listing.add("[check]", "paths", toml_of(&path.to_string_lossy()), from);
            }
        }
        let mut exclude = self.exclude.to_vec();
        for pattern in &flags.exclude {
            let wrong = |message: String| Failure::new(format!("--exclude {pattern}: {message}"));
            exclude.push(Glob::new(here, pattern).map_err(wrong)?);
            self.listing.add("[check]", "exclude", toml_of(pattern), "--exclude");
        }
        self.exclude = Arc::new(exclude);
        if flags.no_ignore {
            self.ignore_files = false;
            self.listing.set("[check]", "ignore-files", "false".to_owned(), "--no-ignore");
        }
        if args.gave("fail_on") {
            self.fail_on = args.fail_on();
            self.listing.set("[check]", "fail-on", toml_of(self.fail_on.as_str()), "--fail-on");
        }
        if args.gave("max_findings") {
            self.max_findings = flags.max_findings;
            self.listing.set("[check]", "max-findings", self.max_findings.to_string(), "--max-findings");
        }
        if let Some(baseline) = &flags.baseline {
            self.baseline = Some(baseline.clone());
            self.listing.set("[check]", "baseline", toml_of(&baseline.to_string_lossy()), "--baseline");
        }
        self.override_rules(args)?;
        self.choose(args)
    }

    fn override_rules(&mut self, args: &How) -> Outcome<()> {
        for (name, severity) in &args.overrides {
            let change = Override::of(name, *severity).map_err(Failure::new)?;
            if let Override::Code(code, _) = change {
                // In the file, a rule counts before its code; the option counts before both.
                let is_of_file = |from: &str| !from.starts_with("--");
                self.overrides.retain(|(change, from)| {
                    !matches!(change, Override::Rule(rule, _) if rule.code() == code && is_of_file(from))
                });
            }
            let flag = match severity {
                Some(Severity::Error) => "--deny",
                Some(_) => "--warn",
                None => "--allow",
            };
            self.overrides.push((change, flag.to_owned()));
        }
        for (change, from) in &self.overrides {
            let (name, severity) = match change {
                Override::Rule(rule, severity) => (rule.id(), severity),
                Override::Code(code, severity) => (code.as_str(), severity),
            };
            let word = severity.map_or(OFF, Severity::as_str);
            self.listing.set("[rules]", name, toml_of(word), from);
        }
        Ok(())
    }

    /// Protocol, framing, profile and type, as the options say.
    fn choose(&mut self, args: &How) -> Outcome<()> {
        let mut rows = Vec::new();
        if args.gave("protocol") {
            self.flags.protocol = Some(protocol(&args.protocol).ok());
            rows.push(("protocol", toml_of(&args.protocol), "--protocol"));
        }
        if args.gave("framing") {
            self.flags.framing = Some(args.framing());
            rows.push(("framing", toml_of(&args.framing), "--framing"));
        }
        if args.gave("profile") {
            self.flags.profile = Some(args.profile());
            rows.push(("profile", toml_of(args.profile().as_str()), "--profile"));
        }
        if let Some(name) = &args.as_type {
            let as_type = name.parse::<Type>().map_err(|error| Failure::new(format!("--as {error}")))?;
            self.flags.as_type = Some(as_type);
            rows.push(("as", toml_of(name), "--as"));
        }
        if !rows.is_empty() {
            self.listing.open("[[files]]");
            self.listing.set("[[files]]", "glob", toml_of("**"), "the options count for every file");
        }
        for (key, value, from) in rows {
            self.listing.set("[[files]]", key, value, from);
        }
        Ok(())
    }
}
