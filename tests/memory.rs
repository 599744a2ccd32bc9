//! The command line reads a long recording in little memory.
#![cfg(all(feature = "cli", target_os = "linux"))]

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The whole recording in a release build; a part of it where checking is not optimised.
const BYTES: usize = if cfg!(debug_assertions) { 10_000_000 } else { 100_000_000 };

/// The most that may be resident, in KiB.
const RESIDENT: usize = 64 * 1024;

#[test]
fn a_long_recording_is_checked_in_little_memory() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agent-contracts"))
        .args(["check", "--protocol", "lime", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let (mut written, mut sequence) = (0, 0);
    let mut lines = String::new();
    while written < BYTES {
        lines.clear();
        while lines.len() < 64 * 1024 {
            sequence += 1;
            writeln!(
                lines,
                r#"{{"id":"evt_{sequence}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","threadId":"t","turnId":"turn_{}","eventClass":"model.delta","kind":"model","status":"running","sequence":{sequence},"title":"Text","createdAt":"2026-06-10T08:00:00.000Z","payload":{{"messageId":"m","delta":"some text"}}}}"#,
                sequence / 100,
            )
            .unwrap();
        }
        input.write_all(lines.as_bytes()).unwrap();
        written += lines.len();
    }
    // Everything but what is still in the pipe has been checked now.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let summary = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{summary}");
    assert!(summary.contains(&format!("checked {sequence} events")), "{summary}");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < RESIDENT, "{peak} KiB were resident");
}
