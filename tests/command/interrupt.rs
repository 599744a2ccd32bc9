//! Ctrl-C ends a check with its summary, a second one at once, and what is read from a pipe is reported as it comes.
#![cfg(all(feature = "cli", target_os = "linux"))]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"thread_1\",\"runId\":\"run_1\"}\n\n";
const STRAY: &str = "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"msg_1\"}\n\n";

fn check(folder: &Path, name: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-contracts"));
    command.args(["check", "--format", "agent", name]).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the process takes Ctrl-C itself, and sends it.
fn interrupt(child: &Child) {
    let takes_it = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        assert!(!status.contains("zombie"), "it has ended");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        // SIGINT is the second signal.
        u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0
    };
    while !takes_it() {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// What is left of the output, and the status.
fn end(mut child: Child, mut stdout: impl Read) -> (String, String, Option<i32>) {
    let (mut out, mut err) = (String::new(), String::new());
    stdout.read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (out, err, child.wait().unwrap().code())
}

#[test]
fn what_has_come_is_reported_and_what_has_not_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = check(folder.path(), "-");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all([STARTED, STRAY].concat().as_bytes()).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("<stdin>:3:46: error agui/text-end-without-start"), "{line}");
    interrupt(&child);
    let (out, err, status) = end(child, stdout);
    assert_eq!(
        (out.as_str(), status),
        ("checked 2 events in 1 file: 1 error, 0 warnings, 0 notes\n", Some(1)),
        "{err}"
    );
    assert!(err.starts_with("note: stopped by Ctrl-C"), "{err}");
}

#[test]
fn an_end_that_comes_with_ctrl_c_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = check(folder.path(), "-");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(STARTED.as_bytes()).unwrap();
    interrupt(&child);
    // As where Ctrl-C stops what comes before the pipe.
    thread::sleep(Duration::from_millis(5));
    drop(stdin);
    let stdout = child.stdout.take().unwrap();
    let (out, err, status) = end(child, stdout);
    assert!(status == Some(0) && !out.contains("truncated-stream"), "{out}{err}");
}

#[test]
fn nothing_is_said_of_a_stream_that_has_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    for begun in ["", ": a comment, which does not tell what it is\n"] {
        let mut child = check(folder.path(), "-");
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(begun.as_bytes()).unwrap();
        interrupt(&child);
        let stdout = child.stdout.take().unwrap();
        let (out, err, status) = end(child, stdout);
        let nothing = "checked 0 events in 0 files: 0 errors, 0 warnings, 0 notes\n";
        assert_eq!((out.as_str(), status), (nothing, Some(0)), "{err}");
        assert!(err.starts_with("note: stopped by Ctrl-C"), "{err}");
    }
}

/// What a stream is does not hang on where its first bytes are cut.
#[test]
fn a_first_piece_without_an_event_tells_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let events = [STARTED, &STARTED.replace("STARTED", "FINISHED")].map(|frame| frame[6..].trim_end().to_owned());
    let list = format!("[{}]\n", events.join(","));
    let frames = events.each_ref().map(|event| format!("data: {event}\n\n")).concat();
    for (begin, rest) in [
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", &frames),
        ("HTTP/1.1 200 OK\r\n", &format!("Date: now\r\n\r\n{list}")),
        ("{\n", &format!("\"events\":{list}}}\n")),
        ("\u{feff}\n", &list),
        ("\n", &frames),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-contracts"));
        command.args(["check", "--protocol", "agui", "--format", "agent", "-"]).current_dir(folder.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(begin.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(100));
        stdin.write_all(rest.as_bytes()).unwrap();
        drop(stdin);
        let stdout = child.stdout.take().unwrap();
        let (out, err, status) = end(child, stdout);
        let clean = "checked 2 events in 1 file: 0 errors, 0 warnings, 0 notes\n";
        assert_eq!((out.as_str(), status), (clean, Some(0)), "{begin}{rest}{err}");
    }
}

#[test]
fn a_file_that_was_not_read_to_its_end_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = File::create(folder.path().join("run.sse")).unwrap();
    file.write_all(STARTED.as_bytes()).unwrap();
    // It takes no room, and longer to read than it takes to press a key.
    file.set_len(64 << 30).unwrap();
    let mut child = check(folder.path(), "run.sse");
    interrupt(&child);
    let stdout = child.stdout.take().unwrap();
    let (out, err, status) = end(child, stdout);
    assert_eq!(status, Some(2), "{out}{err}");
    assert!(err.contains("note: stopped by Ctrl-C") && !out.contains("truncated-stream"), "{out}{err}");
}

#[test]
fn the_second_one_ends_what_hangs() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = check(folder.path(), "-");
    // More findings than a pipe holds that nobody reads.
    let strays = (0..1000).map(|id| STRAY.replace("msg_1", &format!("msg_{id}")));
    let stream: String = std::iter::once(STARTED.to_owned()).chain(strays).collect();
    child.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
    let is_full = |child: &Child| {
        let counts = std::fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap();
        let written = counts.lines().find_map(|line| line.strip_prefix("wchar: ")).unwrap();
        written.parse::<u64>().unwrap() > 50_000
    };
    while !is_full(&child) {
        assert_eq!(child.try_wait().unwrap(), None);
        thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().unwrap(), None);
        interrupt(&child);
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// A file is checked to its end for the status, and what has none is not.
#[test]
fn a_stream_is_no_longer_read_when_nobody_reads_what_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = check(folder.path(), "-");
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    stdin.write_all(STARTED.as_bytes()).unwrap();
    drop(stdout);
    let has_stopped = (0..1_000_000).any(|_| stdin.write_all(STRAY.as_bytes()).is_err());
    assert!(has_stopped);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_list_is_read_as_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = check(folder.path(), "-");
    let mut stdin = child.stdin.take().unwrap();
    let [started, stray] = [STARTED, STRAY].map(|frame| frame[6..].trim_end());
    stdin.write_all(format!("[{started},{stray}").as_bytes()).unwrap();
    // The list goes on, and the finding has come.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("<stdin>:1:102: error agui/text-end-without-start"), "{line}");
    stdin.write_all(b"]").unwrap();
    drop(stdin);
    let (out, err, status) = end(child, stdout);
    assert!(out.starts_with("<stdin>: error agui/truncated-stream"), "{out}{err}");
    assert_eq!(status, Some(1));
}

#[test]
fn a_pipe_with_a_name_is_read_as_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = check(folder.path(), "pipe");
    let mut writer = File::options().write(true).open(&pipe).unwrap();
    writer.write_all([STARTED, STRAY].concat().as_bytes()).unwrap();
    // The pipe stays open until the finding has come.
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("pipe:3:46: error agui/text-end-without-start"), "{line}");
    drop(writer);
    let (out, err, status) = end(child, stdout);
    assert!(out.starts_with("pipe: error agui/truncated-stream"), "{out}{err}");
    assert_eq!(status, Some(1));
}

/// What a stream is taken for does not depend on how much of it comes at once.
#[test]
fn a_stream_in_two_pieces() {
    let event = |text: &str| format!("{{\"type\":{text},\"threadId\":\"t\",\"runId\":\"r\"}}\n");
    let bare = [
        r#""RUN_STARTED""#,
        r#""STEP_STARTED","stepName":"s""#,
        r#""STEP_FINISHED","stepName":"s""#,
        r#""RUN_FINISHED""#,
    ];
    let dialect: String = bare.iter().map(|text| event(text)).collect();
    let agui = [STARTED, STRAY, STRAY].concat();
    let framed =
        agui.replace("data:", "event: X\ndata:").replacen('X', "RUN_STARTED", 1).replace('X', "TEXT_MESSAGE_END");
    let blank = format!("{}\n{agui}", " ".repeat(65536));
    let noted = format!(": hi\n\n{}", dialect.lines().map(|line| format!("data: {line}\n\n")).collect::<String>());
    let named_behind = STARTED.replace("\n\n", "\nevent: RUN_STARTED\n\n")
        + r#"data: {"type":"TEXT_MESSAGE_START","runId":"r","messageId":"m","role":"assistant"}"#
        + "\nevent: TEXT_MESSAGE_START\n\n";
    let folder = tempfile::tempdir().unwrap();
    for (stream, cuts, summary) in [
        (dialect, vec![1, 49, 50, 51, 60, 98, 99, 130, 170, 200], "social-app"),
        (agui, vec![20, 70, 74, 75, 80, 130, 140], "agui"),
        (framed, vec![30, 90, 93, 94, 110, 120, 170], "agui"),
        (blank, vec![1, 65535, 65536, 65537, 65594, 65620], "agui"),
        (noted, vec![3, 6, 20, 38, 50, 62, 90, 140, 180], "social-app"),
        (named_behind, vec![20, 74, 80, 95, 96, 110, 180, 190], "social-app"),
    ] {
        let mut whole = None;
        for cut in cuts {
            let mut command = Command::new(env!("CARGO_BIN_EXE_agent-contracts"));
            command.args(["check", "--no-config", "--verbose", "-"]).current_dir(folder.path());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            let (first, second) = stream.as_bytes().split_at(cut);
            stdin.write_all(first).unwrap();
            // Time for the first piece to be read by itself.
            thread::sleep(Duration::from_millis(60));
            stdin.write_all(second).unwrap();
            drop(stdin);
            let stdout = child.stdout.take().unwrap();
            let (out, err, _) = end(child, stdout);
            assert!(format!("{out}{err}").contains(summary), "{cut} {summary}\n{out}{err}");
            assert_eq!(*whole.get_or_insert(out.clone()), out, "{cut}");
        }
    }
}
