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
    // From the root down.
    for file in files.into_iter().rev() {
        let Ok(about) = file.metadata() else { continue };
        if about.is_file() {
            bytes += about.len();
        } else if !about.is_dir() && !is_null(&file) {
            return Some((file, "an ignore file has to be a regular file".to_owned()));
        }
        if bytes > MOST {
            return Some((file, format!("with the ignore files of the folders above it has more than {MOST} bytes")));
        }
    }
    None
}

/// Whether it is the file without content that sandboxes put in the place of others.
fn is_null(file: &Path) -> bool {
    file.canonicalize().is_ok_and(|path| path == Path::new("/dev/null"))
}

/// What is read of a repository; `.git` is a file in a linked worktree.
fn of_git(git: PathBuf, files: &mut Vec<PathBuf>) {
    if let Some(linked) = first_line(&git).and_then(|line| line.strip_prefix("gitdir: ").map(PathBuf::from)) {
        let common = linked.join("commondir");
        if let Some(shared) = first_line(&common) {
            let shared = if shared.starts_with('.') { linked.join(shared) } else { PathBuf::from(shared) };
            files.push(shared.join("info/exclude"));
        }
        files.push(common);
    }
    files.push(git.join("info/exclude"));
    files.push(git);
}

fn first_line(file: &Path) -> Option<String> {
    if !file.metadata().is_ok_and(|about| about.is_file() && about.len() <= MOST) {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    String::from_utf8(line.strip_suffix(b"\r").unwrap_or(line).to_vec()).ok()
}
