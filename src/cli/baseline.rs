//! `--baseline`: findings that were there before, told by file, rule and place.
//!
//! A place is a JSON Pointer into an event, so a recording can grow without a change to the
//! baseline. What has the same file, rule and place is counted: so many are known, and any
//! more are new.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::console::{Failure, Outcome};
use super::expect::unmarked;
use super::output::Output;
use super::paths::{folder_of, relative};
use super::source::{STDIN, is_byte};
use super::whole;
use crate::check::{Finding, Protocol};
use crate::stream::Framing;

/// The version of the file's format.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    entries: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// As it is seen from the baseline's folder, with `/`.
    file: String,
    rule: String,
    pointer: String,
    count: u64,
}

/// File, rule and pointer.
type Place = (String, String, String);

#[derive(Clone, Copy, Default)]
struct Known {
    /// How many there were.
    before: u64,
    /// How many were found now.
    now: u64,
}

pub(super) struct Baseline {
    path: PathBuf,
    /// The folder that files are relative to.
    folder: PathBuf,
    places: BTreeMap<Place, Known>,
    /// The files that were checked.
    checked: BTreeSet<String>,
    writes: bool,
}

impl Baseline {
    /// Reads a baseline. One that is to be written need not be there.
    pub(super) fn open(path: &Path, writes: bool) -> Outcome<Self> {
        let failed = |what: String| Failure::new(format!("{}: {what}", path.display()));
        let text = match whole::read_text(path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound && writes => None,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(failed("there is no such baseline; --write-baseline writes it".into()));
            }
            Err(error) => return Err(failed(format!("cannot be read: {error}"))),
        };
        let mut places: BTreeMap<Place, Known> = BTreeMap::new();
        if let Some(text) = text {
            // What serde says of a wrong value quotes it, and the file may be anything.
            let file: File = serde_json::from_str(unmarked(&text)).map_err(|error| {
                failed(format!("is not a baseline: line {}, column {}", error.line(), error.column()))
            })?;
            if file.version != VERSION {
                return Err(failed(format!("is a baseline of version {}, not {VERSION}", file.version)));
            }
            for Entry { file, rule, pointer, count } in file.entries {
                let known = places.entry((file, rule, pointer)).or_default();
                known.before = known.before.saturating_add(count);
            }
        }
        Ok(Self { path: path.to_path_buf(), folder: folder_of(path), places, checked: BTreeSet::new(), writes })
    }

    /// A file as the baseline names it.
    fn name_of(&self, file: &str) -> String {
        if file == STDIN { file.to_owned() } else { relative(&self.folder, Path::new(file)) }
    }

    /// Takes a finding; whether it is known.
    fn take(&mut self, file: &str, finding: &Finding) -> bool {
        let place = (file.to_owned(), finding.rule.id().to_owned(), finding.pointer.clone());
        if !self.writes && !self.places.contains_key(&place) {
            return false;
        }
        let known = self.places.entry(place).or_default();
        known.now += 1;
        self.writes || known.now <= known.before
    }

    /// Whether there is something to be said of a file: it was checked, or is there no more. A name in which something
    /// is written otherwise does not show whether it is.
    fn is_settled(&self, file: &str) -> bool {
        let is_as_it_is = || !file.split('%').skip(1).any(is_byte) && !file.contains(" bytes>");
        self.checked.contains(file) || (file != STDIN && is_as_it_is() && !self.folder.join(file).exists())
    }

    /// How many entries no longer occur as often as they say.
    pub(super) fn stale(&self) -> usize {
        let is_stale = |(place, known): &(&Place, &Known)| known.now < known.before && self.is_settled(&place.0);
        self.places.iter().filter(is_stale).count()
    }

    /// Writes what was found now; what is known of files that were not checked stays.
    /// Gives the number of findings that were written.
    pub(super) fn write(&self) -> Outcome<u64> {
        let mut text = format!("{{\"version\":{VERSION},\n\"entries\":[");
        let (mut comma, mut total) = ("", 0_u64);
        for (place, known) in &self.places {
            let count = if self.is_settled(&place.0) { known.now } else { known.before };
            if count == 0 {
                continue;
            }
            let (file, rule, pointer) = place.clone();
            let entry = serde_json::to_string(&Entry { file, rule, pointer, count });
            text += &format!("{comma}\n{}", entry.map_err(|error| Failure::new(error.to_string()))?);
            comma = ",";
            total = total.saturating_add(count);
        }
        text += "\n]}\n";
        let failed = |error| Failure::new(format!("{}: cannot be written: {error}", self.path.display()));
        fs::write(&self.path, text).map_err(failed)?;
        Ok(total)
    }
}

/// Hands on what is not in the baseline.
pub(super) struct Sifted<O> {
    pub(super) inner: O,
    pub(super) baseline: Option<Baseline>,
    /// The file, as the baseline names it.
    file: String,
    /// How many findings were in the baseline.
    pub(super) suppressed: u64,
}

impl<O: Output> Sifted<O> {
    pub(super) fn new(inner: O, baseline: Option<Baseline>) -> Self {
        Self { inner, baseline, file: String::new(), suppressed: 0 }
    }
}

impl<O: Output> Output for Sifted<O> {
    fn inner(&mut self) -> Option<&mut dyn Output> {
        Some(&mut self.inner)
    }

    fn file(&mut self, name: &str, protocol: Option<&Protocol>, framing: Option<Framing>) -> Outcome<()> {
        if let Some(baseline) = &mut self.baseline {
            self.file = baseline.name_of(name);
            baseline.checked.insert(self.file.clone());
        }
        self.inner.file(name, protocol, framing)
    }

    fn findings(&mut self, findings: &[Finding], text: &[u8]) -> Outcome<()> {
        let Some(baseline) = &mut self.baseline else { return self.inner.findings(findings, text) };
        let new: Vec<Finding> =
            findings.iter().filter(|finding| !baseline.take(&self.file, finding)).cloned().collect();
        self.suppressed += (findings.len() - new.len()) as u64;
        self.inner.findings(&new, text)
    }
}
