//! What a configuration file says.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;
use toml::Spanned;

use super::file::{self, Check, File, Files};
use super::keys::Notes;
use super::print::toml_of;
use super::settings::{Config, OFF};
use crate::check::{Code, InvalidPattern, Profile, Rule, SecretPattern, Secrets, Severity};
use crate::cli::bounds::{Bound, counted};
use crate::cli::choice::Wanted;
use crate::cli::globs::Glob;
use crate::cli::names::{Override, Type, did_you_mean, meant, protocol, version, word};
use crate::cli::paths::relative;
use crate::rule;
use crate::stream::Framing;

/// What leaves a choice to the file that is checked.
const AUTO: &str = "auto";

impl Config {
    /// Takes in a file; what is wrong with it is noted.
    pub(super) fn read(&mut self, text: &str, base: &Path, here: &Path, notes: &mut Notes<'_>) {
        let file: File = match toml::from_str(text) {
            Ok(file) => file,
            Err(error) => return notes.unreadable(&error),
        };
        self.read_check(&file.check, base, here, notes);
        for (name, severity) in &file.rules {
            if notes.is_full() {
                break;
            }
            let severity = notes.take(&severity.span(), severity_of(severity.get_ref()));
            let Some(severity) = severity else { continue };
            if let Some(change) = notes.take(&name.span(), Override::of(name.get_ref(), severity)) {
                self.overrides.push((change, notes.line(&name.span())));
            }
        }
        let mut limits = self.limits;
        for (key, number) in &file.limits {
            if let Some(bound) = notes.take(&key.span(), Bound::of_key(key.get_ref())) {
                self.one("[limits]", bound.key, Some(number), notes, |number| bound.set(&mut limits, *number));
            }
        }
        self.limits = limits;
        for entry in &file.files {
            self.read_files(entry, base, notes);
        }
        self.read_secrets(&file.secrets, notes);
    }

    /// The value of a key, which is listed as it is written.
    fn one<U: Serialize, T>(
        &mut self,
        table: &str,
        key: &str,
        written: Option<&Spanned<U>>,
        notes: &mut Notes<'_>,
        read: impl FnOnce(&U) -> Result<T, String>,
    ) -> Option<T> {
        let written = written?;
        let value = notes.take(&written.span(), read(written.get_ref()))?;
        self.listing.set(table, key, toml_of(written.get_ref()), &notes.line(&written.span()));
        Some(value)
    }

    fn read_check(&mut self, check: &Check, base: &Path, here: &Path, notes: &mut Notes<'_>) {
        for path in &check.paths {
            let way = notes.take(&path.span(), from_here(here, base, path.get_ref()));
            self.paths.extend(way.map(OsString::from));
            self.listing.add("[check]", "paths", toml_of(path.get_ref()), &notes.line(&path.span()));
        }
        let mut exclude = Vec::new();
        for pattern in &check.exclude {
            exclude.extend(notes.take(&pattern.span(), Glob::new(base, pattern.get_ref())));
            self.listing.add("[check]", "exclude", toml_of(pattern.get_ref()), &notes.line(&pattern.span()));
        }
        self.exclude = Arc::new(exclude);
        let table = "[check]";
        if let Some(obey) = self.one(table, "ignore-files", check.ignore_files.as_ref(), notes, |obey| Ok(*obey)) {
            self.ignore_files = obey;
        }
        if let Some(profile) = self.one(table, "profile", check.profile.as_ref(), notes, |name| profile_of(name)) {
            self.profile = profile;
        }
        let fail_on =
            self.one(table, "fail-on", check.fail_on.as_ref(), notes, |name| word("severity", name, Severity::WORDS));
        self.fail_on = fail_on.unwrap_or(self.fail_on);
        let most = check.max_findings.as_ref();
        if let Some(most) = self.one(table, "max-findings", most, notes, |most| counted(*most, 0, usize::MAX)) {
            self.max_findings = most;
        }
        if let Some(path) =
            self.one(table, "baseline", check.baseline.as_ref(), notes, |path| from_here(here, base, path))
        {
            self.baseline = Some(path.into());
        }
    }

    fn read_files(&mut self, entry: &Files, base: &Path, notes: &mut Notes<'_>) {
        let table = "[[files]]";
        self.listing.open(table);
        let glob = self.one(table, "glob", Some(&entry.glob), notes, |pattern| Glob::new(base, pattern));
        let mut wanted = Wanted::default();
        if let Some(name) = &entry.protocol {
            let read = |name: &String| if name == AUTO { Ok(None) } else { protocol(name).map(Some) };
            wanted.protocol = self.one(table, "protocol", Some(name), notes, read);
        }
        if let Some(name) = &entry.version {
            let of = wanted.protocol.iter_mut().flatten().next();
            let read = |name: &String| match of {
                Some((of, chosen)) => version(of, name).map(|version| *chosen = Some(version)),
                // What is wrong with it was said.
                None if entry.protocol.as_ref().is_some_and(|name| name.get_ref() != AUTO) => Ok(()),
                None => Err("`version` needs a `protocol` beside it".to_owned()),
            };
            self.one(table, "version", Some(name), notes, read);
        }
        wanted.framing = self.one(table, "framing", entry.framing.as_ref(), notes, |name| {
            if name == AUTO { Ok(None) } else { framing_of(name).map(Some) }
        });
        wanted.profile = self.one(table, "profile", entry.profile.as_ref(), notes, |name| profile_of(name));
        wanted.as_type = self.one(table, "as", entry.as_type.as_ref(), notes, |name| {
            let others = [&entry.protocol, &entry.version, &entry.framing];
            if others.into_iter().any(Option::is_some) {
                return Err("`as` stands in place of `protocol`, `version` and `framing`".to_owned());
            }
            name.parse::<Type>()
        });
        let of_type = wanted.as_type.as_ref().map(|of| &of.protocol);
        let of = of_type.or(wanted.protocol.iter().flatten().map(|(of, _)| of).next());
        if let Some(of) = of.filter(|of| wanted.profile == Some(Profile::Reference) && !of.has_reference())
            && let Some(profile) = &entry.profile
        {
            let message = format!("{of} has no reference implementation; write \"strict\" or \"schema\"");
            notes.problem(&profile.span(), &message);
        }
        self.files.extend(glob.map(|glob| (glob, wanted)));
    }

    fn read_secrets(&mut self, written: &file::Secrets, notes: &mut Notes<'_>) {
        let (mut secrets, mut patterns, mut ids) = (Secrets::new(), Vec::new(), HashSet::new());
        for entry in &written.patterns {
            let table = "[[secrets.patterns]]";
            self.listing.open(table);
            let (id, regex) = (entry.id.get_ref(), entry.regex.get_ref());
            if !ids.insert(id) {
                notes.problem(&entry.id.span(), "another pattern has this id");
            }
            self.listing.set(table, "id", toml_of(id), &notes.line(&entry.id.span()));
            self.listing.set(table, "regex", toml_of(regex), &notes.line(&entry.regex.span()));
            let made = SecretPattern::new(id, regex);
            let place = if made.as_ref().err() == Some(&InvalidPattern::Id) { &entry.id } else { &entry.regex };
            let Some(mut pattern) = notes.take(&place.span(), made.map_err(|error| error.to_string())) else {
                continue;
            };
            for keyword in &entry.keywords {
                let added = pattern.add_keyword(keyword.get_ref()).map_err(|error| error.to_string());
                notes.take(&keyword.span(), added);
                self.listing.add(table, "keywords", toml_of(keyword.get_ref()), &notes.line(&keyword.span()));
            }
            patterns.push(pattern);
        }
        if !patterns.is_empty() {
            secrets.add_patterns(patterns);
        }
        let mut hashes = HashSet::new();
        for entry in &written.allow {
            let (table, place, entry) = ("[[secrets.allow]]", entry.span(), entry.get_ref());
            self.listing.open(table);
            if entry.path.is_some() == entry.sha256.is_some() || (entry.rule.is_some() && entry.path.is_none()) {
                notes.problem(&place, "what is allowed has a `path`, perhaps with a `rule`, or else a `sha256`");
                continue;
            }
            hashes.extend(self.one(table, "sha256", entry.sha256.as_ref(), notes, |hash| hash_of(hash)));
            let rule = self.one(table, "rule", entry.rule.as_ref(), notes, |name| rule_of(name));
            self.one(table, "path", entry.path.as_ref(), notes, |path| {
                secrets.add_place(path, rule).map_err(|error| error.to_string())
            });
        }
        if !hashes.is_empty() {
            secrets = secrets.allow_values(move |value| hashes.contains(&hmac_sha256::Hash::hash(value.as_bytes())));
        }
        self.secrets = Arc::new(secrets);
    }
}

/// A path of the file as it is seen from here.
fn from_here(here: &Path, base: &Path, path: &str) -> Result<String, String> {
    if path.is_empty() { Err("a path is empty".to_owned()) } else { Ok(relative(here, &base.join(path))) }
}

/// A severity, or none.
fn severity_of(name: &str) -> Result<Option<Severity>, String> {
    let known: Vec<&str> = Severity::WORDS.iter().copied().chain([OFF]).collect();
    if name == OFF { Ok(None) } else { word("severity", name, &known).map(Some) }
}

fn profile_of(name: &str) -> Result<Profile, String> {
    word("profile", name, Profile::WORDS)
}

fn framing_of(name: &str) -> Result<Framing, String> {
    let known: Vec<&str> = Framing::WORDS.iter().copied().chain([AUTO]).collect();
    Framing::from_str(name).map_err(|_| format!("there is no framing `{name}`{}", meant(name, &known)))
}

/// A rule that reports secrets.
fn rule_of(name: &str) -> Result<&'static Rule, String> {
    let found = rule(name).ok_or_else(|| format!("there is no rule {name}{}", did_you_mean(name)))?;
    if found.code() == Code::SecretLeakRisk { Ok(found) } else { Err(format!("{name} does not report secrets")) }
}

/// A hash of 64 hexadecimal digits.
fn hash_of(digits: &str) -> Result<[u8; 32], String> {
    let mut hash = [0; 32];
    let is_hash = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    for (byte, pair) in hash.iter_mut().zip(digits.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).unwrap_or_default();
        *byte = u8::from_str_radix(pair, 16).unwrap_or_default();
    }
    if is_hash { Ok(hash) } else { Err("a SHA-256 has 64 hexadecimal digits".to_owned()) }
}
