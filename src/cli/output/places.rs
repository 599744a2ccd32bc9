//! The names of files as CI services know them: relative to the root of the repository.

use std::env;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

use crate::cli::source::{STDIN, is_byte};

/// Where a checkout lies, as GitHub and GitLab say it.
const ROOTS: [&str; 2] = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

#[derive(Debug)]
pub(super) struct Places {
    here: PathBuf,
    root: PathBuf,
}

impl Places {
    /// Files are named from the checkout in which the command runs, or else from the folder
    /// in which it runs.
    pub(super) fn of_environment() -> Self {
        let here = env::current_dir().unwrap_or_default();
        let mut roots = ROOTS.into_iter().filter_map(env::var_os).map(PathBuf::from);
        let root = roots.find(|root| root.is_absolute() && here.starts_with(root));
        Self { root: root.unwrap_or_else(|| here.clone()), here }
    }

    /// The name with `/` between its parts; relative if the file lies below the root. What has
    /// no path keeps its name.
    pub(super) fn of(&self, name: &str) -> String {
        if name == STDIN || is_url(name) {
            return name.to_owned();
        }
        let path = plain(&self.here.join(name));
        let below = path.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        let path = below.map_or_else(|| plain(Path::new(name)), Path::to_path_buf);
        path.to_string_lossy().replace(MAIN_SEPARATOR, "/")
    }
}

/// The path without `.`, and without `..` behind a name.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

fn is_url(place: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| place.starts_with(scheme))
}

/// Whether a place is not below the root.
pub(super) fn is_absolute(place: &str) -> bool {
    place.starts_with('/') || is_url(place) || Path::new(place).is_absolute()
}

/// A place as URI reference: every byte is escaped that does not stand for itself.
pub(super) fn uri(place: &str) -> String {
    let mut out = String::with_capacity(place.len());
    // The colons and brackets of a URL are those of its scheme, its port and its host.
    let plain: &[u8] = if is_url(place) { b"-._~/:[]" } else { b"-._~/" };
    if is_absolute(place) && !is_url(place) {
        out += if place.starts_with('/') { "file://" } else { "file:///" };
    }
    for (at, byte) in place.bytes().enumerate() {
        let is_escape = || byte == b'%' && (is_url(place) || place.get(at + 1..).is_some_and(is_byte));
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) || is_escape() {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(root: &str, here: &str) -> Places {
        Places { root: root.into(), here: here.into() }
    }

    #[test]
    #[cfg(unix)]
    fn names_are_relative_to_the_root() {
        for (root, here, name, place) in [
            ("/repo", "/repo", "a.jsonl", "a.jsonl"),
            ("/repo", "/repo", "./runs/../a.jsonl", "a.jsonl"),
            ("/repo", "/repo", "/repo/runs/a.jsonl", "runs/a.jsonl"),
            ("/repo", "/repo", "/elsewhere/a.jsonl", "/elsewhere/a.jsonl"),
            ("/repo", "/repo", "/repository/a.jsonl", "/repository/a.jsonl"),
            ("/repo", "/repo", "../a.jsonl", "../a.jsonl"),
            ("/repo", "/repo", "<stdin>", "<stdin>"),
            ("/repo", "/repo/service", "<stdin>", "<stdin>"),
            ("/repo", "/repo/service", "http://127.0.0.1:8000/agent", "http://127.0.0.1:8000/agent"),
            // A service in a folder of the checkout.
            ("/repo", "/repo/service", "a.jsonl", "service/a.jsonl"),
            ("/repo", "/repo/service", "../shared/a.jsonl", "shared/a.jsonl"),
            ("/repo", "/repo/service", "../../a.jsonl", "../../a.jsonl"),
        ] {
            assert_eq!(places(root, here).of(name), place, "{name} in {here}");
        }
    }

    #[test]
    fn uris_escape_what_does_not_stand_for_itself() {
        for (place, expected) in [
            ("runs/a-1_b~2.jsonl", "runs/a-1_b~2.jsonl"),
            ("a b%c", "a%20b%25c"),
            // As names write bytes that are not UTF-8, and a `%` before what looks like one.
            ("a%FFb%25FFc%2Fd", "a%FFb%25FFc%252Fd"),
            ("c:d", "c%3Ad"),
            ("<stdin>", "%3Cstdin%3E"),
            ("é\u{202E}\n", "%C3%A9%E2%80%AE%0A"),
            ("a?b#c", "a%3Fb%23c"),
            ("/tmp/a b", "file:///tmp/a%20b"),
            ("http://[::1]:8000/a/<40 bytes>", "http://[::1]:8000/a/%3C40%20bytes%3E"),
        ] {
            assert_eq!(uri(place), expected, "{place}");
        }
    }
}
