//! What a check shows on a terminal while it reads.
#![cfg(all(feature = "cli", target_os = "linux"))]

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";
const STRAY: &str = "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"msg_1\"}\n\n";
const FINISHED: &str = "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";

/// Writes a recording with a finding at each third of so many megabytes of comments.
fn record(folder: &Path, megabytes: usize) {
    let comment = format!(": {}\n\n", "x".repeat(999_996));
    let mut file = File::create(folder.join("run.sse")).unwrap();
    file.write_all(STARTED.as_bytes()).unwrap();
    for megabyte in 0..megabytes {
        file.write_all(comment.as_bytes()).unwrap();
        if megabyte % (megabytes / 3) == 0 {
            file.write_all(STRAY.replace("msg_1", &format!("msg_{megabyte}")).as_bytes()).unwrap();
        }
    }
    file.write_all(FINISHED.as_bytes()).unwrap();
}

/// Everything that is written to the terminal of the command.
fn on_a_terminal(folder: &Path, arguments: &str) -> String {
    let command = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_agent-contracts"));
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The lines that stand on the terminal in the end.
fn left(written: &str) -> Vec<&str> {
    written.lines().map(|line| line.rsplit("\r\u{1b}[2K").next().unwrap_or_default()).collect()
}

#[test]
fn a_large_file_has_a_line_that_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), 120);
    let written = on_a_terminal(folder.path(), "check --format agent run.sse");
    assert!(written.contains("checking: ") && written.contains(" of 121 MB ("), "{written}");
    let left = left(&written);
    assert!(!left.iter().any(|line| line.contains("checking")), "{left:?}");
    let findings = left.iter().filter(|line| line.starts_with("run.sse:")).count();
    assert_eq!((findings, left.len()), (3, 4), "{left:?}");

    let quiet = on_a_terminal(folder.path(), "check --quiet --format agent run.sse");
    assert!(!quiet.contains("checking"), "{quiet}");
}

#[test]
fn small_files_have_none() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.sse"), [STARTED, FINISHED].concat()).unwrap();
    let written = on_a_terminal(folder.path(), "check run.sse");
    assert_eq!(written, "checked 2 events in 1 file: 0 errors, 0 warnings, 0 notes\r\n");
}

#[test]
fn nothing_is_shown_where_there_is_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), 120);
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-contracts"));
    let output = command.args(["check", "run.sse"]).current_dir(folder.path()).output().unwrap();
    let summary = "checked 5 events in 1 file: 3 errors, 0 warnings, 0 notes\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), summary);
}
