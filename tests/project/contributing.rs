//! The walk-throughs of CONTRIBUTING.md hold. Their patches are applied to a copy of the
//! repository, in the order of the page; the copy builds and passes its tests.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::repository;

fn page() -> String {
    std::fs::read_to_string(repository().join("CONTRIBUTING.md")).unwrap()
}

/// The fenced blocks of a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    let opening = format!("```{language}");
    while lines.any(|line| line == opening) {
        found.push(lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect());
    }
    found
}

/// The files that a patch changes or adds, and whether they are there before.
fn changed(patch: &str) -> Vec<(&str, bool)> {
    let names = |sign: &'static str| patch.lines().filter_map(move |line| line.strip_prefix(sign));
    names("--- ").zip(names("+++ b/")).map(|(before, after)| (after, before != "/dev/null")).collect()
}

/// Runs `git apply`, as a reader of the page would.
fn apply(patch: &str, folder: &Path) {
    let mut git = Command::new("git");
    // The folder counts as it is, wherever it lies, also when a hook of git runs this.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(name);
    }
    let mut git = git
        .args(["apply", "--whitespace=nowarn", "-"])
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git runs");
    git.stdin.take().unwrap().write_all(patch.as_bytes()).unwrap();
    succeeded(&git.wait_with_output().unwrap(), patch);
    for (file, _) in changed(patch) {
        assert!(folder.join(file).is_file(), "git apply passed over {file}");
    }
}

fn succeeded(output: &Output, what: &str) {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{what}\n{}{}", shown(&output.stdout), shown(&output.stderr));
}

fn copy(file: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(file, to).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

#[test]
fn the_patches_apply_to_the_files_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let patches = blocks(&page(), "diff");
    assert!(patches.len() >= 6, "only {} patches were found", patches.len());
    for patch in &patches {
        for (file, is_there) in changed(patch) {
            if is_there && !root.join(file).exists() {
                copy(&repository().join(file), &root.join(file));
            }
            assert!(is_there || !repository().join(file).exists(), "{file} is there already");
        }
        apply(patch, &root);
    }
}

#[test]
fn the_toy_protocol_is_that_of_its_test() {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let test = plain(&std::fs::read_to_string(repository().join("tests/protocols/toy_protocol.rs")).unwrap());
    let shown = blocks(&page(), "rust");
    assert!(!shown.is_empty(), "the page shows no toy protocol");
    for block in shown {
        assert!(test.contains(&plain(&block)), "not in tests/protocols/toy_protocol.rs:\n{block}");
    }
}

/// Copies the repository without what git does not keep.
fn copy_repository(to: &Path) {
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        for entry in std::fs::read_dir(repository().join(&below)).unwrap() {
            let entry = entry.unwrap();
            let path = below.join(entry.file_name());
            let left_out = [".git", "target", "node_modules"].iter().any(|name| path.ends_with(name));
            if left_out || entry.path() == to {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                pending.push(path);
            } else {
                copy(&entry.path(), &to.join(&path));
            }
        }
    }
}

#[test]
#[ignore = "builds the crate again; CI runs it"]
fn the_walk_throughs_build_and_pass() {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR")).canonicalize().unwrap();
    let copy = temporary.join("contributing");
    if copy.exists() {
        std::fs::remove_dir_all(&copy).unwrap();
    }
    copy_repository(&copy);
    for patch in blocks(&page(), "diff") {
        apply(&patch, &copy);
    }
    // Another version makes it another package, which can be built in the folder of this one, where all dependencies are
    // built already.
    let manifest = std::fs::read_to_string(copy.join("Cargo.toml")).unwrap();
    let version = concat!("version = \"", env!("CARGO_PKG_VERSION"), "\"");
    assert!(manifest.contains(version), "Cargo.toml has no {version}");
    std::fs::write(copy.join("Cargo.toml"), manifest.replacen(version, "version = \"0.0.0\"", 1)).unwrap();
    let cargo = |tests: &str| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--all-features"]).args(tests.split(' '));
        // The crate has little to do: without optimisation it is built in a third of the time.
        cargo.args(["--config", "profile.dev.package.agent-contracts.opt-level=0"]);
        cargo.current_dir(&copy).env("CARGO_TARGET_DIR", temporary.parent().unwrap());
        cargo.env_remove("UPDATE_SCHEMAS");
        // What cargo says of this package to its tests: build scripts of dependencies look at it, and would run again.
        let is_of_package =
            |name: &str| ["CARGO_PKG_", "CARGO_MANIFEST_", "OUT_DIR"].iter().any(|of| name.starts_with(of));
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in names.filter(|name| is_of_package(name)) {
            cargo.env_remove(name);
        }
        cargo
    };
    let generated = cargo("--test schemas published").env("UPDATE_SCHEMAS", "1").output().unwrap();
    succeeded(&generated, "the schemas are not generated");
    let lists = cargo("--test fixtures").env("INSTA_UPDATE", "always").output().unwrap();
    succeeded(&lists, "the lists of what rules say are not written");
    succeeded(&cargo("--test fixtures").output().unwrap(), "the fixtures of the copy do not pass");
    succeeded(&cargo("--test schemas published").output().unwrap(), "the schemas of the copy are not as generated");
}
