//! The scripts of the action take what the environment says as it is, never as a script.
#![cfg(all(feature = "cli", unix))]

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const STREAM: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";

/// A folder with a recording whose run has no end.
fn scene() -> TempDir {
    let scene = tempfile::tempdir().unwrap();
    std::fs::write(scene.path().join("a run.sse"), STREAM).unwrap();
    scene
}

/// Runs a script: its status, and what it hands on.
fn run(scene: &Path, script: &str, environment: &[(&str, &str)]) -> (Option<i32>, String) {
    let built = Path::new(env!("CARGO_BIN_EXE_agent-contracts")).parent().unwrap();
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .arg(crate::common::repository().join("action").join(script))
        .current_dir(scene)
        .env("PATH", path)
        .env("GITHUB_OUTPUT", "outputs")
        .env("GITHUB_PATH", "path")
        .env("RUNNER_TEMP", scene.join("temp"))
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    (output.status.code(), std::fs::read_to_string(scene.join("outputs")).unwrap_or_default())
}

#[test]
fn recordings_are_checked() {
    for (environment, status, outputs) in [
        (&[("PATHS", "a run.sse")][..], 1, "status=1\noutput-file=\n"),
        (&[("PATHS", "\n a.sse\r\n")], 2, "status=2\noutput-file=\n"),
        (&[("PATHS", "\n"), ("ARGUMENTS", "--allow\nagui/truncated-stream\n")], 0, "status=0\noutput-file=\n"),
        (&[("PATHS", "a run.sse\r\n"), ("OUTPUT_FILE", "found.txt")], 1, "status=1\noutput-file=found.txt\n"),
        (&[("OUTPUT_FILE", "found\nstatus=0")], 1, "status=1\noutput-file=foundstatus=0\n"),
        (&[("PATHS", "$(touch taken)\n`touch taken`;touch taken")], 2, "status=2\noutput-file=\n"),
        (&[("PROTOCOL", "agui; touch taken")], 2, "status=2\noutput-file=\n"),
    ] {
        let scene = scene();
        let environment = [&[("FORMAT", "human")][..], environment].concat();
        let found = run(scene.path(), "check.sh", &environment);
        assert_eq!(found, (Some(status), outputs.to_owned()), "{environment:?}");
        assert!(!scene.path().join("taken").exists(), "{environment:?}");
    }
}

/// What is not set is as the configuration says, and what is set counts more.
#[test]
fn the_configuration_counts_where_nothing_is_set() {
    let config = "[check]\npaths = [\"a run.sse\"]\nfail-on = \"warning\"\n\n\
                  [rules]\n\"agui/truncated-stream\" = \"warning\"\n";
    for (environment, status) in [
        (&[][..], 1),
        (&[("PATHS", ""), ("PROTOCOL", ""), ("PROFILE", ""), ("FAIL_ON", "")], 1),
        (&[("FAIL_ON", "error")], 0),
        (&[("PROFILE", "schema")], 0),
        (&[("PROTOCOL", "lime")], 1),
        (&[("PATHS", "nowhere.sse")], 2),
    ] {
        let scene = scene();
        std::fs::write(scene.path().join("contracts.toml"), config).unwrap();
        // Only the configuration leaves it out.
        std::fs::write(scene.path().join("other.sse"), "data: {\"type\":1}\n\n").unwrap();
        assert_eq!(run(scene.path(), "check.sh", environment).0, Some(status), "{environment:?}");
    }
}

#[test]
fn reports_are_written_beside_what_is_printed() {
    let scene = scene();
    let environment = [("PATHS", "a run.sse"), ("REPORTS", "sarif=found.sarif\r\n\njunit=found in it.xml\n")];
    let found = run(scene.path(), "check.sh", &environment);
    assert_eq!(found, (Some(1), "status=1\noutput-file=\n".to_owned()));
    for file in ["found.sarif", "found in it.xml"] {
        let text = std::fs::read_to_string(scene.path().join(file)).unwrap();
        assert!(text.contains("agui/truncated-stream"), "{file}: {text}");
    }
}

#[test]
fn only_releases_are_installed() {
    for environment in [
        &[("VERSION", "v1.0.0; touch taken")][..],
        &[("VERSION", "main")],
        &[("VERSION", "v1.0.0"), ("RUNNER_OS", "Plan9"), ("RUNNER_ARCH", "X64")],
        &[
            ("VERSION", "v1.0.0"),
            ("RUNNER_OS", "Linux"),
            ("RUNNER_ARCH", "X64"),
            ("ACTION_REPOSITORY", "../..;touch taken"),
        ],
    ] {
        let scene = scene();
        assert_eq!(run(scene.path(), "install.sh", environment).0, Some(2), "{environment:?}");
        assert!(!scene.path().join("taken").exists(), "{environment:?}");
    }
}
