//! The schemas that are compared: files, folders, and folders as a commit has them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::console::{Failure, Outcome, remark};
use super::expect::unmarked;
use super::whole;
use crate::schema::diff::Schema;

/// How the name of a schema ends.
const ENDING: &str = ".schema.json";

/// Schemas by their path below the folder, with `/` in it.
pub(super) type Version = BTreeMap<String, Content>;

/// A file that was read.
pub(super) struct Content {
    /// How messages call it.
    name: String,
    bytes: Vec<u8>,
}

/// The schema of that path, if the version has it.
pub(super) fn schema(version: &Version, path: &str) -> Result<Option<Schema>, String> {
    let Some(Content { name, bytes }) = version.get(path) else { return Ok(None) };
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{name}: the bytes are not UTF-8"))?;
    Schema::parse(unmarked(text)).map(Some).map_err(|error| format!("{name}: {error}"))
}

/// A file, which is compared under the name `as_name`.
pub(super) fn file(path: &Path, as_name: &str) -> Outcome<Version> {
    Ok(BTreeMap::from([(as_name.to_owned(), read(path)?)]))
}

/// The schemas in a folder and below it.
pub(super) fn folder(dir: &Path) -> Outcome<Version> {
    let version = below(dir)?;
    if version.is_empty() {
        return Err(Failure::new(format!("{}: no {ENDING} is in it or below it", dir.display())));
    }
    Ok(version)
}

/// The schemas of a folder at a commit, and as they are now.
pub(super) fn against(reference: &str, dir: &Path) -> Outcome<(Version, Version)> {
    if reference.is_empty() || reference.starts_with('-') {
        return Err(Failure::new(format!("{reference:?} is no commit, branch or tag")));
    }
    if !dir.is_dir() {
        return Err(Failure::new(format!("{}: there is no such folder", dir.display())));
    }
    let (old, new) = (at_commit(reference, dir)?, below(dir)?);
    if old.is_empty() && new.is_empty() {
        return Err(Failure::new(format!("{}: no {ENDING} is in it, now or at {reference}", dir.display())));
    }
    if old.is_empty() {
        remark(&format!("{reference} has no {ENDING} in {}", dir.display()));
    }
    Ok((old, new))
}

fn read(path: &Path) -> Outcome<Content> {
    let bytes = whole::read(path).map_err(|error| unreadable(path, &error))?;
    Ok(Content { name: path.display().to_string(), bytes })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

/// The schemas of a folder. Links to folders are not followed, since they may lead in a circle.
fn below(dir: &Path) -> Outcome<Version> {
    let mut found = Version::new();
    let mut pending: Vec<(PathBuf, String)> = vec![(dir.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = pending.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
            let kind = entry.file_type().map_err(|error| unreadable(&path, &error))?;
            if kind.is_dir() {
                pending.push((path, format!("{name}/")));
            } else if name.ends_with(ENDING) {
                found.insert(name, read(&path)?);
            }
        }
    }
    Ok(found)
}

/// The schemas of a folder at a commit.
fn at_commit(reference: &str, dir: &Path) -> Outcome<Version> {
    let unknown = || Failure::new(format!("{reference} is no commit, branch or tag of the repository"));
    let commit = match git(dir, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")])? {
        Answer::Said(said) => String::from_utf8(said).map_err(|_| unknown())?,
        Answer::Refused(reason) if reason.is_empty() => return Err(unknown()),
        Answer::Refused(reason) if reason.starts_with("not a git repository") => {
            return Err(Failure::new(format!("{}: the folder is in no Git repository", dir.display())));
        }
        Answer::Refused(reason) => return Err(Failure::new(format!("{}: {reason}", dir.display()))),
    };
    let commit = commit.trim();
    // A range has several lines, and an excluded commit a sign before it.
    if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(unknown());
    }
    let mut found = Version::new();
    for entry in said(dir, &["ls-tree", "-r", "-z", commit])?.split(|byte| *byte == 0) {
        let Some((kind, object, path)) = parsed(entry) else { continue };
        if !path.ends_with(ENDING) {
            continue;
        }
        let name = format!("{reference}:{path}");
        if kind != "100644" && kind != "100755" {
            return Err(Failure::new(format!("{name}: is not a plain file")));
        }
        let bytes = said(dir, &["cat-file", "blob", object])?;
        found.insert(path.into_owned(), Content { name, bytes });
    }
    Ok(found)
}

/// The mode, the object and the path of an entry: `100644 blob 1f2e…<tab>agui/1.0/event.schema.json`.
fn parsed(entry: &[u8]) -> Option<(&str, &str, std::borrow::Cow<'_, str>)> {
    let tab = entry.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = entry.split_at_checked(tab)?;
    let mut head = std::str::from_utf8(head).ok()?.split(' ');
    let (mode, _, object) = (head.next()?, head.next()?, head.next()?);
    Some((mode, object, String::from_utf8_lossy(path.get(1..)?)))
}

/// What Git has answered.
enum Answer {
    Said(Vec<u8>),
    /// It has failed, and has given this reason.
    Refused(String),
}

/// Runs Git in a folder. Arguments are handed over as they are; there is no shell.
fn git(dir: &Path, arguments: &[&str]) -> Outcome<Answer> {
    let mut command = Command::new("git");
    command.arg("-C").arg(dir).args(arguments).env("LC_ALL", "C").stdin(Stdio::null());
    let output = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new("--against needs Git, and there is no `git` in the PATH"),
        _ => Failure::new(format!("git cannot be run: {error}")),
    })?;
    if output.status.success() {
        return Ok(Answer::Said(output.stdout));
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Ok(Answer::Refused(reason.lines().next().unwrap_or_default().trim_start_matches("fatal: ").to_owned()))
}

/// The same, where a refusal is a failure.
fn said(dir: &Path, arguments: &[&str]) -> Outcome<Vec<u8>> {
    match git(dir, arguments)? {
        Answer::Said(said) => Ok(said),
        Answer::Refused(reason) => Err(Failure::new(format!("git {}: {reason}", arguments.join(" ")))),
    }
}
