//! From the paths of the command line to files.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Failure, Outcome};

/// A file to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Stdin,
    File {
        path: PathBuf,
        /// Named on the command line, not found in a directory or by a glob.
        named: bool,
    },
}

impl Source {
    /// The name in reports.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".into(),
            Self::File { path, .. } => path.to_string_lossy().into_owned(),
        }
    }

    pub(super) fn is_named(&self) -> bool {
        matches!(self, Self::Stdin | Self::File { named: true, .. })
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File { path, .. } => Some(path),
        }
    }

    pub(super) fn open(&self) -> std::io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::Stdin => Box::new(std::io::stdin().lock()),
            Self::File { path, .. } => Box::new(std::fs::File::open(path)?),
        })
    }
}

/// The endings of files that a directory is searched for.
const ENDINGS: [&str; 4] = ["json", "jsonl", "ndjson", "sse"];

/// The files that the arguments name, in the order of their paths, and what is wrong
/// with arguments that name none.
pub(super) fn expand(arguments: &[String]) -> (Vec<Source>, Vec<String>) {
    let mut sources = Vec::new();
    let mut complaints = Vec::new();
    for argument in arguments {
        let path = Path::new(argument);
        let found = if argument == "-" {
            Ok(vec![Source::Stdin])
        } else if path.is_dir() {
            walk(path)
        } else if path.exists() || !argument.contains(['*', '?', '[', '{']) {
            Ok(vec![Source::File { path: plain(path), named: true }])
        } else {
            glob(argument)
        };
        match found {
            Ok(found) => sources.extend(found),
            Err(Failure::Message(message)) => complaints.push(message),
            Err(Failure::Pipe) => {}
        }
    }
    sources.sort();
    // Sorted with what was found before what was named: of the same path, the latter stays.
    sources.reverse();
    sources.dedup_by(|a, b| a == b || (a.path().is_some() && a.path() == b.path()));
    sources.reverse();
    (sources, complaints)
}

/// The path without a leading `./`, so that one file has one name.
fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_path_buf()
}

fn walk(dir: &Path) -> Outcome<Vec<Source>> {
    let mut found = Vec::new();
    for entry in ignore::WalkBuilder::new(dir).build() {
        let entry = entry.map_err(|error| Failure::new(error.to_string()))?;
        let ending = entry.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if entry.file_type().is_some_and(|kind| kind.is_file()) && ENDINGS.contains(&ending) {
            found.push(Source::File { path: plain(entry.path()), named: false });
        }
    }
    Ok(found)
}

fn glob(pattern: &str) -> Outcome<Vec<Source>> {
    let glob = globset::GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .map_err(|error| Failure::new(format!("{pattern}: {error}")))?
        .compile_matcher();
    // The walk begins at the longest part of the pattern that has no wildcard.
    let plain: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
        .collect();
    let root = if plain.as_os_str().is_empty() { Path::new(".") } else { &plain };
    let mut found = Vec::new();
    for entry in ignore::WalkBuilder::new(root).build().flatten() {
        let path = entry.path().strip_prefix(".").unwrap_or(entry.path());
        if entry.file_type().is_some_and(|kind| kind.is_file()) && glob.is_match(path) {
            found.push(Source::File { path: path.into(), named: false });
        }
    }
    if found.is_empty() { Err(Failure::new(format!("no file matches {pattern}"))) } else { Ok(found) }
}
