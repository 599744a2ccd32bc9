//! Paths as they are given, and as they are compared: by their names alone, whatever lies there.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};

/// Takes a path of the command line. One that is empty names nothing.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    let named = |path: OsString| if path.is_empty() { Err("the path is empty") } else { Ok(PathBuf::from(path)) };
    OsStringValueParser::new().try_map(named)
}

/// The path from the root, without `.` and `..`.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let from_root = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut plain = PathBuf::new();
    for part in from_root.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// What a file is, by whatever name it is reached.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// A file of Unix that is there, by its device and its number: hard links are one file.
    #[cfg(unix)]
    Node(u64, u64),
    /// Where it is, or would be.
    Place(PathBuf),
}

/// What a file is; `None` if it can be nowhere.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    node(path).or_else(|| place(path).map(Identity::Place))
}

#[cfg(unix)]
fn node(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let about = path.metadata().ok()?;
    Some(Identity::Node(about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn node(_: &Path) -> Option<Identity> {
    None
}

fn place(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    })
}

/// Whether both are one file that is there.
pub(super) fn same(path: &Path, other: &Path) -> bool {
    path.exists() && identity(path) == identity(other)
}

/// The way from a folder to a path, by `/`.
pub(super) fn relative(folder: &Path, path: &Path) -> String {
    let (folder, path) = (absolute(folder), absolute(path));
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// The folder of a file; that of a bare name is where we are.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    absolute(file).parent().map(Path::to_path_buf).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_paths() {
        for (folder, path, way) in [
            ("/a/b", "/a/b/c/d.jsonl", "c/d.jsonl"),
            ("/a/b", "/a/c.jsonl", "../c.jsonl"),
            ("/a/b/../c", "/a/./c/d.jsonl", "d.jsonl"),
            ("/a", "/a", "."),
            ("/", "/a", "a"),
        ] {
            assert_eq!(relative(Path::new(folder), Path::new(path)), way, "{folder} {path}");
        }
    }
}
