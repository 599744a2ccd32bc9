//! `schema`: the generator, and the check that the committed files are its output.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::args::{SchemaArgs, SchemaCommand};
use super::console::{Failure, Outcome, Status, say, shown};
use crate::schema::{self, File, Unmodelled};

pub(super) fn run(args: &SchemaArgs) -> Outcome {
    match &args.command {
        SchemaCommand::Export { dir } => {
            let failed = |error| Failure::new(format!("{}: {error}", dir.display()));
            let exported = schema::export(dir).map_err(failed)?;
            for path in &exported.removed {
                say(&format!("removed {}, which is no longer generated", name_of(path)));
            }
            Ok(wrote(&exported.written, dir))
        }
        SchemaCommand::Openapi { dir } => write(dir, schema::openapi()),
        SchemaCommand::Npm { dir } => {
            refuse_foreign(dir)?;
            write(dir, schema::npm())
        }
        SchemaCommand::Check { dir } => {
            let failed = |error| Failure::new(format!("{}: {error}", dir.display()));
            let drift = schema::drift(dir).map_err(failed)?;
            let mut out = anstream::stdout().lock();
            for drift in &drift {
                writeln!(out, "{}: {drift}", name_of(dir))?;
            }
            if drift.is_empty() {
                say(&format!("{} files are as generated", schema::generated().map_or(0, |files| files.len())));
                return Ok(Status::Clean);
            }
            say(&format!("run `agent-contracts schema export {}` and commit the result", name_of(dir)));
            Ok(Status::Findings)
        }
        SchemaCommand::Diff(args) => super::schema_diff::run(args),
    }
}

/// Refuses a folder that is neither new, nor empty, nor of this package.
fn refuse_foreign(dir: &Path) -> Outcome<()> {
    let manifest = dir.join("package.json");
    match std::fs::read(&manifest) {
        Ok(text) if is_ours(&text) => return Ok(()),
        Ok(_) => return Err(Failure::new(format!("{} is of another package", manifest.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(Failure::new(format!("{}: cannot be read: {error}", manifest.display()))),
    }
    match std::fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => {
            let message = "has files but no package.json, so it may not be ours; name a new folder";
            Err(Failure::new(format!("{} {message}", dir.display())))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::new(format!("{}: cannot be read: {error}", dir.display()))),
    }
}

/// Whether a `package.json` is one that was written here.
fn is_ours(manifest: &[u8]) -> bool {
    serde_json::from_slice::<Value>(manifest)
        .is_ok_and(|manifest| manifest.get("name").is_some_and(|name| name == env!("CARGO_PKG_NAME")))
}

/// Writes files that have been made.
fn write(dir: &Path, files: Result<Vec<File>, Unmodelled>) -> Outcome {
    let files = files.map_err(|error| Failure::new(error.to_string()))?;
    let written = schema::write(dir, &files).map_err(|error| Failure::new(format!("{}: {error}", dir.display())))?;
    Ok(wrote(&written, dir))
}

fn wrote(files: &[PathBuf], dir: &Path) -> Status {
    say(&format!("wrote {} files to {}", files.len(), name_of(dir)));
    Status::Clean
}

fn name_of(dir: &Path) -> String {
    shown(&dir.to_string_lossy())
}
