//! Globs: of bounded size, and relative to a folder.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::paths::relative;

/// The longest pattern, and the most alternatives in it: each of those is a pattern again.
const LONGEST: usize = 4096;
const ALTERNATIVES: usize = 64;

/// A pattern in which `*` stops at a slash.
pub(super) fn compile(pattern: &str) -> Result<GlobMatcher, String> {
    let alternatives = pattern.matches(['{', ',']).count();
    if pattern.len() > LONGEST || alternatives > ALTERNATIVES {
        return Err(format!("the pattern is too long, or has more than {ALTERNATIVES} alternatives"));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| error.kind().to_string())
}

/// A pattern for files and folders: a folder stands for all that is in it, and a pattern
/// without a slash for what has that name anywhere.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    /// What the pattern is relative to.
    base: PathBuf,
    matcher: GlobMatcher,
}

impl Glob {
    pub(super) fn new(base: &Path, pattern: &str) -> Result<Self, String> {
        let plain = pattern.strip_prefix("./").unwrap_or(pattern);
        let plain = plain.strip_suffix('/').unwrap_or(plain);
        if plain.is_empty() {
            return Err("the pattern is empty".to_owned());
        }
        if plain.starts_with('!') {
            return Err("a pattern cannot be negated".to_owned());
        }
        let anchored = match plain.strip_prefix('/') {
            Some(anchored) => anchored.to_owned(),
            None if plain.contains('/') => plain.to_owned(),
            None => format!("**/{plain}"),
        };
        Ok(Self { base: base.to_path_buf(), matcher: compile(&anchored)? })
    }

    pub(super) fn covers(&self, path: &Path) -> bool {
        let way = relative(&self.base, path);
        let is_outside = way == "." || way == ".." || way.starts_with("../");
        !is_outside && Path::new(&way).ancestors().any(|path| self.matcher.is_match(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_globs_cover() {
        for (pattern, path, covers) in [
            ("*.jsonl", "/r/a.jsonl", true),
            ("*.jsonl", "/r/deep/er/a.jsonl", true),
            ("./a.jsonl", "/r/deep/a.jsonl", true),
            ("/a.jsonl", "/r/deep/a.jsonl", false),
            ("/a.jsonl", "/r/a.jsonl", true),
            ("deep/*.jsonl", "/r/deep/a.jsonl", true),
            ("deep/*.jsonl", "/r/deep/er/a.jsonl", false),
            ("deep/**/*.jsonl", "/r/deep/er/a.jsonl", true),
            ("deep", "/r/deep/er/a.jsonl", true),
            ("deep/", "/r/deep/er/a.jsonl", true),
            ("er", "/r/deep/er/a.jsonl", true),
            ("deep/*", "/r/deep/er/a.jsonl", true),
            ("**", "/r/a.jsonl", true),
            ("**", "/elsewhere/a.jsonl", false),
            ("a.jsonl", "/r/b.jsonl", false),
        ] {
            let glob = Glob::new(Path::new("/r"), pattern).unwrap();
            assert_eq!(glob.covers(Path::new(path)), covers, "{pattern} {path}");
        }
    }

    #[test]
    fn what_is_no_glob() {
        for pattern in ["", "./", "/", "[a", "!a", &"a".repeat(LONGEST + 1), &"{a,b}".repeat(ALTERNATIVES)] {
            assert!(Glob::new(Path::new("/r"), pattern).is_err(), "{pattern}");
        }
    }
}
