//! JSON Schemas, assembled from the same tables as the types.

pub mod diff;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::check::Protocol;
use crate::check::spec::SpecRef;
use crate::report;

pub use crate::wire::schema::SchemaFile;

/// Every published schema, generated from the types.
pub fn files() -> Vec<SchemaFile> {
    let mut files: Vec<SchemaFile> =
        Protocol::ALL.iter().flat_map(|protocol| (SpecRef::of(protocol).files)()).collect();
    files.push(report::schema());
    files.sort_by_key(|file| file.path);
    files
}

/// Writes every schema below `dir`, and removes schema files that are no longer generated.
///
/// # Errors
/// When a file or directory cannot be written.
pub fn export(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for stale in drift(dir)?.into_iter().filter(|drift| drift.kind == DriftKind::Stale) {
        std::fs::remove_file(dir.join(&stale.path))?;
    }
    for file in files() {
        let path = dir.join(file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, file.text)?;
        written.push(path);
    }
    Ok(written)
}

/// How a committed file differs from the generated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DriftKind {
    /// It is not there.
    Missing,
    /// It has other bytes; the first that differs is on this line.
    Different {
        /// The line, from 1.
        line: usize,
    },
    /// Nothing generates it.
    Stale,
}

/// A committed file that is not as generated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// The path below the directory of schemas.
    pub path: PathBuf,
    /// How it differs.
    pub kind: DriftKind,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind {
            DriftKind::Missing => write!(f, "{path} is missing"),
            DriftKind::Different { line } => write!(f, "{path} differs from the generated schema at line {line}"),
            DriftKind::Stale => write!(f, "{path} is no longer generated"),
        }
    }
}

/// The files below `dir` that are not byte for byte as generated.
///
/// # Errors
/// When the directory cannot be read.
pub fn drift(dir: &Path) -> std::io::Result<Vec<Drift>> {
    let mut drifts = Vec::new();
    let files = files();
    for file in &files {
        let kind = match std::fs::read(dir.join(file.path)) {
            Ok(bytes) if bytes == file.text.as_bytes() => continue,
            Ok(bytes) => {
                let same = bytes.iter().zip(file.text.as_bytes()).take_while(|(a, b)| a == b);
                DriftKind::Different { line: 1 + same.filter(|(byte, _)| **byte == b'\n').count() }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => DriftKind::Missing,
            Err(error) => return Err(error),
        };
        drifts.push(Drift { path: file.path.into(), kind });
    }
    let mut found = Vec::new();
    walk(dir, &mut found)?;
    found.sort();
    for path in found {
        let below = path.strip_prefix(dir).unwrap_or(&path).to_path_buf();
        if !files.iter().any(|file| Path::new(file.path) == below) {
            drifts.push(Drift { path: below, kind: DriftKind::Stale });
        }
    }
    Ok(drifts)
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !dir.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.to_string_lossy().ends_with(".schema.json") {
            found.push(path);
        }
    }
    Ok(())
}
