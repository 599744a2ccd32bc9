//! From the paths of the command line to files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::console::{Failure, Outcome};
use super::globs::{Glob, compile};
use super::ignored;
use super::paths::{absolute, relative, same};
use super::source::{Source, name_of};

/// What is left out.
#[derive(Debug)]
pub(super) struct Omitted<'a> {
    /// Files of this command, such as the one that is written.
    pub(super) own: Vec<&'a Path>,
    pub(super) exclude: Arc<Vec<Glob>>,
    /// Whether to leave out what ignore files such as `.gitignore` name.
    pub(super) ignored: bool,
}

impl Omitted<'_> {
    fn excludes(&self, path: &Path) -> bool {
        self.exclude.iter().any(|glob| glob.covers(path))
    }
}

/// An argument, or a folder below one, that cannot be read, and why.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Complaint {
    pub(super) name: Option<String>,
    pub(super) reason: String,
}

impl Complaint {
    fn of_ignore_file((file, reason): (PathBuf, String)) -> Self {
        let name = Some(relative(Path::new("."), &file));
        Self { name, reason: format!("cannot be used: {reason}; --no-ignore leaves ignore files unread") }
    }

    fn of(error: &ignore::Error) -> Self {
        let (mut name, mut inner) = (None, error);
        while let ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } = inner {
            if let ignore::Error::WithPath { path, .. } = inner {
                name = Some(name_of(&plain(path)));
            }
            inner = err;
        }
        // The text names the path once more, but for the cause of it.
        let reason = error.io_error().map_or_else(
            || inner.to_string(),
            |error| {
                let cause = error.get_ref().and_then(|error| error.source());
                cause.map_or_else(|| error.kind().to_string(), ToString::to_string)
            },
        );
        Self { name, reason: format!("cannot be read: {reason}") }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// What the arguments name.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    /// The files, in the order of their paths.
    pub(super) sources: Vec<Source>,
    /// Files of this command that were found in folders or by globs, and left out.
    pub(super) own: Vec<Source>,
    /// What is wrong with arguments, or with folders below them.
    pub(super) complaints: Vec<Complaint>,
    /// What ignore files hide.
    pub(super) hidden: BTreeSet<PathBuf>,
    /// What is excluded, files that arguments name among it.
    pub(super) excluded: BTreeSet<PathBuf>,
    /// Whether an argument names a file that is excluded.
    pub(super) excludes_named: bool,
    /// What is no file: links to folders or to nothing, sockets, pipes.
    pub(super) others: BTreeSet<PathBuf>,
}

/// Finds the files that the arguments name, apart from what is left out. A name that is not UTF-8
/// is no pattern.
pub(super) fn expand(arguments: &[OsString], omitted: &Omitted<'_>) -> Expanded {
    let mut found = Expanded::default();
    for argument in arguments {
        let path = Path::new(argument);
        let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[', '{']) && !path.exists());
        if argument.is_empty() {
            found.complaints.push(Complaint { name: None, reason: "a path is empty".to_owned() });
        } else if argument == "-" {
            found.sources.push(Source::Stdin);
        } else if path.is_dir() {
            found.walk(path, omitted, &|_| true);
        } else if path.exists() && omitted.excludes(path) {
            found.excluded.insert(plain(path));
            found.excludes_named = true;
        } else if let Some(pattern) = pattern {
            if let Err(Failure::Message(reason)) = found.glob(pattern, omitted) {
                found.complaints.push(Complaint { name: None, reason });
            }
        } else {
            found.sources.push(Source::File { path: plain(path), named: true });
        }
    }
    found.complaints.sort();
    let is_own = |path: &Path| omitted.own.iter().any(|own| same(path, own));
    let (own, others): (Vec<Source>, Vec<Source>) = std::mem::take(&mut found.sources)
        .into_iter()
        .partition(|source| !source.is_named() && source.path().is_some_and(is_own));
    (found.own, found.sources) = (own, others);
    let sources = &mut found.sources;
    // Answers to polls that lie in one folder are one stream: no folder and no note comes between them.
    sources.sort_by_cached_key(|source| {
        let folder = source.path().and_then(Path::parent).map(natural);
        let is_other = !matches!(&*source.ending(), "json" | "jsonl" | "ndjson" | "sse");
        (folder, is_other, source.path().map(natural), source.clone())
    });
    sources.dedup();
    // One file by several names is checked once; as named, if it is.
    let mut seen = BTreeSet::new();
    for named in [true, false] {
        sources.retain(|source| {
            source.is_named() != named || source.path().is_none_or(|path| seen.insert(absolute(path)))
        });
    }
    found
}

/// A path by which `poll9` comes before `poll10`: numbers in names count by their value.
fn natural(path: &Path) -> Vec<(String, u64)> {
    let name = path.to_string_lossy();
    let mut parts = Vec::new();
    let mut rest = &*name;
    while !rest.is_empty() {
        let (text, tail) = rest.split_at(rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()));
        let (digits, tail) = tail.split_at(tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len()));
        parts.push((text.to_owned(), digits.parse().unwrap_or(u64::MAX)));
        rest = tail;
    }
    parts
}

/// The path without a leading `./`, so that one file has one name.
fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_path_buf()
}

impl Expanded {
    fn walk(&mut self, dir: &Path, omitted: &Omitted<'_>, wanted: &dyn Fn(&Path) -> bool) {
        let obeyed = omitted.ignored;
        let fault = move |folder: &Path| if obeyed { ignored::fault(folder) } else { None };
        if let Some(fault) = fault(dir) {
            self.complaints.push(Complaint::of_ignore_file(fault));
            return;
        }
        let mut seen = BTreeSet::new();
        let mut folders = Vec::new();
        let mut walk = ignore::WalkBuilder::new(dir);
        walk.ignore(obeyed).git_ignore(obeyed).git_global(obeyed).git_exclude(obeyed).parents(obeyed);
        let exclude = Arc::clone(&omitted.exclude);
        let faults = Arc::new(Mutex::new(Vec::new()));
        let found = Arc::clone(&faults);
        walk.filter_entry(move |entry| {
            let path = entry.path();
            if exclude.iter().any(|glob| glob.covers(path)) {
                return false;
            }
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let Some(fault) = is_dir.then(|| fault(path)).flatten() else { return true };
            found.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_path_buf(), fault));
            false
        });
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    // The rest of the directory is walked all the same.
                    self.complaints.push(Complaint::of(&error));
                    continue;
                }
            };
            seen.insert(entry.path().to_path_buf());
            let path = plain(entry.path());
            // A link to a file is a file; the walk does not go into a link to a folder.
            let is_link = entry.depth() > 0 && entry.path_is_symlink();
            if entry.path().is_dir() && !is_link {
                folders.push(entry.into_path());
            } else if wanted(&path) {
                if entry.file_type().is_some_and(|kind| kind.is_file()) || entry.path().is_file() {
                    self.sources.push(Source::File { path, named: false });
                } else {
                    self.others.insert(path);
                }
            }
        }
        for (folder, fault) in std::mem::take(&mut *faults.lock().unwrap_or_else(PoisonError::into_inner)) {
            seen.insert(folder);
            self.complaints.push(Complaint::of_ignore_file(fault));
        }
        self.hide(&folders, &seen, omitted);
    }

    /// Notes what lies in the folders that were walked and was passed over.
    fn hide(&mut self, folders: &[PathBuf], seen: &BTreeSet<PathBuf>, omitted: &Omitted<'_>) {
        for dir in folders {
            let Ok(entries) = std::fs::read_dir(dir) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                let name = entry.file_name();
                let of_tools = [".git", ".gitignore", ".ignore", ".gitattributes"].iter().any(|own| name == *own);
                if of_tools || seen.contains(&path) {
                    continue;
                }
                let reason = if omitted.excludes(&path) { &mut self.excluded } else { &mut self.hidden };
                reason.insert(plain(&path));
            }
        }
    }

    fn glob(&mut self, pattern: &str, omitted: &Omitted<'_>) -> Outcome<()> {
        let name: String = pattern.chars().take(100).collect();
        // Without `./` and `//`, as paths are written that are found.
        let plain: PathBuf = Path::new(pattern).components().filter(|part| *part != Component::CurDir).collect();
        let glob = compile(&plain.to_string_lossy()).map_err(|message| Failure::new(format!("{name}: {message}")))?;
        // The walk begins at the longest part of the pattern that has no wildcard.
        let start: PathBuf = plain
            .components()
            .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
            .collect();
        let root = if start.as_os_str().is_empty() { Path::new(".") } else { &start };
        let found =
            |found: &Self| (found.sources.len(), found.excluded.len(), found.others.len(), found.complaints.len());
        let before = found(self);
        self.walk(root, omitted, &|path| glob.is_match(path));
        if found(self) == before { Err(Failure::new(format!("no file matches {pattern}"))) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ignore::Error;

    #[test]
    fn what_cannot_be_walked_is_named_once() {
        let denied = std::io::Error::new(std::io::ErrorKind::PermissionDenied, "IO error for operation on ./a/b");
        let error = Error::WithPath { path: "./a/b".into(), err: Box::new(Error::Io(denied)) };
        let error = Error::WithDepth { depth: 2, err: Box::new(error) };
        assert_eq!(Complaint::of(&error).to_string(), "a/b: cannot be read: permission denied");
    }
}
