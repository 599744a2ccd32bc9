//! Looks at the ignore files of a folder before the walk reads them: they come with the data.

use std::path::{Path, PathBuf};

use super::paths::absolute;

/// The most bytes of ignore files, those of a folder and of all above it: matchers take 500 times as many.
const MOST: u64 = 256 * 1024;

/// The ignore file for which a folder cannot be walked, and why not.
pub(super) fn fault(folder: &Path) -> Option<(PathBuf, String)> {
    let mut files = Vec::new();
    for folder in folder.canonicalize().unwrap_or_else(|_| absolute(folder)).ancestors() {
        files.push(folder.join(".ignore"));
        files.push(folder.join(".gitignore"));
        of_git(folder.join(".git"), &mut files);
    }
    let mut bytes = 0;
    for file in files {
        let Ok(about) = file.metadata() else { continue };
        if about.is_file() {
            bytes += about.len();
        } else if !about.is_dir() {
            return Some((file, "an ignore file has to be a regular file".to_owned()));
        }
        if bytes > MOST {
            return Some((file, format!("with the ignore files of the folders above it has more than {MOST} bytes")));
        }
    }
    None
}

/// What is read of a repository; `.git` is a file in a linked worktree.
fn of_git(git: PathBuf, files: &mut Vec<PathBuf>) {
    if let Some(linked) = pointed(&git, "gitdir: ") {
        let common = linked.join("commondir");
        if let Some(shared) = pointed(&common, "") {
            files.push(linked.join(shared).join("info/exclude"));
        }
        files.push(common);
    }
    files.push(git.join("info/exclude"));
    files.push(git);
}

/// The path on the first line of a file, behind some text.
fn pointed(file: &Path, before: &str) -> Option<PathBuf> {
    if !file.metadata().is_ok_and(|about| about.is_file() && about.len() <= MOST) {
        return None;
    }
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().next()?.strip_prefix(before).map(PathBuf::from)
}
