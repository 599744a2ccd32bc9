//! Looks at the ignore files of a folder before the walk reads them: they come with the data.

use std::path::{Path, PathBuf};

use super::paths::absolute;

/// The most bytes of ignore files, those of a folder and of all above it: matchers take 500 times as many.
const MOST: u64 = 256 * 1024;

/// The ignore file for which a folder cannot be walked, and why not.
pub(super) fn fault(folder: &Path) -> Option<(PathBuf, String)> {
    let folder = folder.canonicalize().unwrap_or_else(|_| absolute(folder));
    let mut bytes = 0;
    let files = folder.ancestors().flat_map(|folder| {
        [folder.join(".ignore"), folder.join(".gitignore")].into_iter().chain(of_git(folder.join(".git")))
    });
    for file in files {
        let Ok(about) = file.metadata() else { continue };
        if about.is_file() {
            bytes += about.len();
        }
        let reason = if bytes > MOST {
            format!("with the ignore files of the folders above it has more than {MOST} bytes")
        } else if !about.is_file() && !about.is_dir() {
            "an ignore file has to be a regular file".to_owned()
        } else {
            continue;
        };
        return Some((file, reason));
    }
    None
}

/// What is read of a repository; `.git` is a file in a linked worktree.
fn of_git(git: PathBuf) -> Vec<PathBuf> {
    let pointed = |file: &Path, before: &str| {
        let is_small = file.metadata().is_ok_and(|about| about.is_file() && about.len() <= MOST);
        let text = is_small.then(|| std::fs::read_to_string(file).ok()).flatten()?;
        text.lines().next()?.strip_prefix(before).map(PathBuf::from)
    };
    let linked = pointed(&git, "gitdir: ");
    let common = linked.as_ref().map(|linked| linked.join("commondir"));
    let shared = common.as_ref().and_then(|common| Some(linked?.join(pointed(common, "")?)));
    let exclude = shared.as_ref().unwrap_or(&git).join("info/exclude");
    [Some(git), common, Some(exclude)].into_iter().flatten().collect()
}
