//! What the integration tests share.
#![allow(dead_code, reason = "each test takes its part")]

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The conformance corpus: `AGENT_CONTRACTS_CONFORMANCE`, else beside the repository.
/// `None`, with a word on stderr, where there is none.
pub fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("AGENT_CONTRACTS_CONFORMANCE").map(PathBuf::from);
    let root = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"));
    if root.is_dir() {
        return Some(root);
    }
    eprintln!("SKIPPED: no conformance corpus; set AGENT_CONTRACTS_CONFORMANCE to its folder");
    None
}

/// The lines of a JSON Lines file, raw and parsed.
pub fn lines(path: &Path) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| (line.to_owned(), serde_json::from_str(line).unwrap())).collect()
}

/// All files below `dir` whose name ends in `end`, sorted.
pub fn files(dir: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The raw text of member `name` of a JSON object, as it stands in `text`.
pub fn raw_member<'a>(text: &'a str, name: &str) -> &'a str {
    let members: std::collections::BTreeMap<&str, &serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    members[name].get()
}

/// Collects failures and reports them together.
#[derive(Default)]
pub struct Failures(Vec<String>, usize);

impl Failures {
    pub fn check(&mut self, ok: bool, message: impl FnOnce() -> String) {
        self.1 += 1;
        if !ok {
            self.0.push(message());
        }
    }

    pub fn finish(self, at_least: usize) {
        assert!(self.1 >= at_least, "only {} cases ran, of at least {at_least}", self.1);
        let shown: Vec<_> = self.0.iter().take(40).cloned().collect();
        assert!(self.0.is_empty(), "{} of {} failed:\n{}", self.0.len(), self.1, shown.join("\n"));
    }
}
