//! JSON Schemas, assembled from the same tables as the types, and what is made of them: TypeScript
//! declarations, catalogues, OpenAPI documents, an npm package, comparisons.

mod bundle;
mod catalogue;
mod file;
mod index;
mod model;
mod npm;
mod openapi;
mod read;
mod script;
mod source;
#[cfg(test)]
mod tests;
mod typescript;
mod zod;

pub mod diff;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::FileType;
use std::path::{Path, PathBuf};

use bundle::{Bundle, bundles};

pub use crate::wire::published::SchemaFile;
pub use file::File;
pub use read::Unmodelled;

/// Every published schema: generated from the types with the feature `schema`, and without it as it was published with
/// this version.
///
/// Since 0.1.0.
pub fn files() -> Vec<SchemaFile> {
    let mut files = source::files();
    files.sort_unstable_by_key(|file| file.path);
    files
}

/// Every file below `schemas/` but its README: the schemas, and what is made of them.
///
/// Since 0.1.0.
///
/// # Errors
/// When a schema has a construct that a generator does not know.
pub fn generated() -> Result<Vec<File>, Unmodelled> {
    let schemas = files();
    let bundles = bundles(&schemas)?;
    let mut files: Vec<File> = schemas.iter().map(File::from).collect();
    for bundle in &bundles {
        let directory = bundle.directory();
        let declarations = typescript::declarations(bundle)?;
        files.push(File::new(format!("{directory}/{}.d.ts", bundle.module()), declarations));
        if bundle.closed().next().is_some() {
            let versions = bundles.iter().filter(|other| other.protocol == bundle.protocol);
            let older: Vec<&Bundle> = versions.take_while(|other| other.version != bundle.version).collect();
            files.push(File::new(format!("{directory}/catalogue.md"), catalogue::page(bundle, &older)?));
        }
    }
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    files.push(index::index(&files));
    Ok(files)
}

/// An OpenAPI 3.2 document for each protocol, such as `agui/1.0/openapi.json`.
///
/// Since 0.1.0.
///
/// # Errors
/// When a schema has a construct that a generator does not know.
pub fn openapi() -> Result<Vec<File>, Unmodelled> {
    bundles(&files())?.iter().filter_map(openapi::document).collect()
}

/// The files of an npm package: types, validators, schemas for zod, and what [`generated`] gives.
///
/// Since 0.1.0.
///
/// # Errors
/// When a schema has a construct that a generator does not know.
pub fn npm() -> Result<Vec<File>, Unmodelled> {
    npm::package(&bundles(&files())?, &generated()?)
}

/// Writes files below `dir`.
///
/// Since 0.1.0.
///
/// # Errors
/// When a file or directory cannot be written.
pub fn write(dir: &Path, files: &[File]) -> std::io::Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for file in files {
        let path = dir.join(&file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, &file.text)?;
        written.push(path);
    }
    Ok(written)
}

/// Writes every generated file below `dir`, and removes those that [`drift`] calls stale.
///
/// Since 0.1.0.
///
/// # Errors
/// When a file or directory cannot be written.
pub fn export(dir: &Path) -> std::io::Result<Exported> {
    let files = generated().map_err(std::io::Error::other)?;
    let (written, removed) = (write(dir, &files)?, stale(dir, &files)?);
    for path in &removed {
        std::fs::remove_file(path)?;
    }
    Ok(Exported { written, removed })
}

/// What [`export`] has done, as paths of files.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exported {
    /// The files that are generated.
    pub written: Vec<PathBuf>,
    /// Those that are no longer.
    pub removed: Vec<PathBuf>,
}

/// How a committed file differs from the generated one.
///
/// Since 0.1.0.
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
    /// It says that it was generated, and nothing generates it now.
    Stale,
}

/// A committed file that is not as generated.
///
/// Since 0.1.0.
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
            DriftKind::Different { line } => write!(f, "{path} differs from the generated file at line {line}"),
            DriftKind::Stale => write!(f, "{path} is no longer generated"),
        }
    }
}

/// The files below `dir` that are not byte for byte as generated.
///
/// Files that are no longer generated are looked for where generated ones lie, in the folders of the versions of each
/// protocol: copies elsewhere below `dir` belong to somebody else.
///
/// Since 0.1.0.
///
/// # Errors
/// When the directory cannot be read.
pub fn drift(dir: &Path) -> std::io::Result<Vec<Drift>> {
    let mut drifts = Vec::new();
    let files = generated().map_err(std::io::Error::other)?;
    for file in &files {
        let kind = match std::fs::read(dir.join(&file.path)) {
            Ok(bytes) if bytes == file.text.as_bytes() => continue,
            Ok(bytes) => {
                let same = bytes.iter().zip(file.text.as_bytes()).take_while(|(a, b)| a == b);
                DriftKind::Different { line: 1 + same.filter(|(byte, _)| **byte == b'\n').count() }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => DriftKind::Missing,
            Err(error) => return Err(error),
        };
        drifts.push(Drift { path: PathBuf::from(&file.path), kind });
    }
    for path in stale(dir, &files)? {
        drifts.push(Drift { path: path.strip_prefix(dir).unwrap_or(&path).to_path_buf(), kind: DriftKind::Stale });
    }
    Ok(drifts)
}

/// The files in the folders of versions that say that they were generated, and are none of `files`.
fn stale(dir: &Path, files: &[File]) -> std::io::Result<Vec<PathBuf>> {
    let protocols: BTreeSet<_> = files.iter().filter_map(|file| Path::new(&file.path).iter().next()).collect();
    let files: BTreeSet<PathBuf> = files.iter().map(|file| dir.join(&file.path)).collect();
    let folders = if dir.is_dir() { entries(dir, FileType::is_dir)? } else { Vec::new() };
    let mut stale = Vec::new();
    for folder in folders.iter().filter(|folder| folder.file_name().is_some_and(|name| protocols.contains(name))) {
        for version in entries(folder, FileType::is_dir)? {
            let paths = entries(&version, FileType::is_file)?.into_iter();
            stale.extend(paths.filter(|path| !files.contains(path) && is_generated(path)));
        }
    }
    Ok(stale)
}

/// What lies in a folder, in the order of names. What a link leads to is not of this folder.
fn entries(dir: &Path, wanted: fn(&FileType) -> bool) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if wanted(&entry.file_type()?) {
            found.push(entry.path());
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Whether a file was generated once, if not now. Folders may have other files of these names.
fn is_generated(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let mark = match &*name {
        "events.d.ts" | "catalogue.md" => "Generated by agent-contracts",
        name if name.ends_with(".schema.json") => "\"$id\": \"urn:agent-contracts:",
        _ => return false,
    };
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(mark))
}
