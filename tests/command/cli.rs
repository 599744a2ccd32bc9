//! The command line as people and CI jobs see it: what is printed where, and the exit status.
#![cfg(feature = "cli")]

use std::io::Write as _;

use crate::common::command::{Run, Scene};
use flate2::Compression;
use flate2::write::GzEncoder;
use insta::assert_snapshot;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::Value;

/// One recording of each kind.
fn recordings() -> Scene {
    let clean = session(Some("call_1"));
    let bytes = clean.as_bytes();
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(clean.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin1: Vec<u8> = clean.replacen("Search", "Söket", 1).chars().map(|c| c as u8).collect();
    Scene::empty()
        .with("clean.jsonl", bytes)
        .with("missing-id.jsonl", session(None))
        .with("warned.jsonl", event(1, "state.delta", "state", "running", r#","stepId":"""#))
        .with("noted.jsonl", event(1, "state.delta", "state", "sideways", ""))
        .with("cut.jsonl", &bytes[..bytes.len() - 60])
        .with("empty.jsonl", "")
        .with("utf16.jsonl", utf16)
        .with("latin1.jsonl", latin1)
        .with("package.json", r#"{"name": "package"}"#)
        .with("replay.json", replay())
        .with("expected.json", fixture("[]"))
        .with("mixed/session.jsonl", bytes)
        .with("mixed/frames.sse", "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n")
        .with("mixed/package.json", r#"{"name": "package"}"#)
        .with("mixed/nothing.json", "")
        .with("mixed/README.md", "# Recordings")
}

fn event(number: usize, class: &str, kind: &str, status: &str, rest: &str) -> String {
    format!(
        r#"{{"id":"evt_{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"app-server","threadId":"thread_1","turnId":"turn_1","eventClass":"{class}","kind":"{kind}","status":"{status}","sequence":{number},"title":"Search","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
    ) + "\n"
}

/// A turn with one search, whose events carry the id of the call or carry none.
fn session(call: Option<&str>) -> String {
    let call = call.map_or(String::new(), |call| format!(r#","toolCallId":"{call}""#));
    let text = r#","payload":{"messageId":"msg_1","delta":"Let me look."}"#;
    let result = if call.is_empty() {
        event(5, "context.resolved", "context", "completed", "")
    } else {
        event(5, "tool.result", "tool", "completed", &call)
    };
    [
        event(1, "turn.started", "state", "running", ""),
        event(2, "model.requested", "model", "running", ""),
        event(3, "model.delta", "model", "running", text),
        event(4, "tool.started", "tool", "running", &call),
        result,
        event(6, "turn.completed", "state", "completed", ""),
    ]
    .concat()
}

/// A fixture document of Lime itself, with a gap between its two events.
fn replay() -> String {
    format!(
        "{{\"schemaVersion\":\"agent-ui-fixture/v0.1\",\"id\":\"replay\",\"title\":\"A replay\",\"events\":[\n{},\n{}],\n\"expected\":{{\"status\":\"completed\"}}}}\n",
        event(1, "turn.started", "state", "running", "").trim_end(),
        event(3, "turn.completed", "state", "completed", "").trim_end(),
    )
}

/// A fixture of this project's own: a search without an id, and what is expected of it.
fn fixture(expect: &str) -> String {
    let event = event(1, "tool.started", "tool", "running", "");
    format!(
        "{{\"title\": \"a search without an id\",\n  \"expect\": {expect},   \"protocol\":\"lime\",\n\"events\":[{event}]}}\n"
    )
}

/// The answer to a poll, with one event.
fn response(status: &str, idx: u32, event: &str) -> String {
    format!(
        r#"{{"success":true,"data":{{"task_id":"t","workspace_id":null,"status":"{status}","created_at":1771061400.0,"updated_at":1771061401.5,"error":null,"events":[{{"idx":{idx},"type":"{event}","data":{{"message":"m","reason":"user_stop","task_id":"t","conversation_id":"c"}},"ts":1771061401.5}}],"next_offset":{}}}}}"#,
        idx + 1
    )
}

#[test]
fn responses_in_a_folder_are_one_stream() {
    let scene = Scene::empty()
        .with("polls/1.json", response("running", 0, "ai_message_start"))
        .with("polls/2.json", response("running", 2, "ai_message_start"))
        .with("polls/3.json", response("stopped", 1, "task_stopped"));
    assert_snapshot!(scene.run(&["check", "polls"]));
    // Named one by one, each is a stream by itself.
    let alone = scene.run(&["check", "polls/1.json", "polls/2.json", "polls/3.json"]);
    assert_eq!(alone.stdout.matches("polling/window-gap").count(), 2, "{alone}");
    // Nothing that lies between them ends it.
    let beside = scene.with("polls/1-notes.md", "so").with("polls/2/a.md", "so");
    for arguments in [
        &["check", "--format", "agent", "polls"][..],
        &["check", "--protocol", "polling", "--format", "agent", "polls"],
    ] {
        let run = beside.run(arguments);
        assert_eq!(run.stdout.matches("polling/").count(), 1, "{run}");
    }
}

/// What an answer has lost is one fault, and the answers around it are one stream.
#[test]
fn a_broken_answer_does_not_cut_the_stream_of_its_folder() {
    let whole = response("running", 1, "ai_message_start");
    let cut = &whole[..150];
    let cut_lines = cut.replace(',', ",\n");
    // More than what is looked at to tell what a file is.
    let long = format!(r#"{{"detail":"{}"}}"#, "x".repeat(70_000));
    for (odd, rule) in [
        ("<html><body>502 Bad Gateway</body></html>", "polling/response-not-json"),
        ("", "polling/response-not-json"),
        ("null", "polling/response-not-json"),
        ("[]", "polling/response-not-json"),
        ("{\"succ", "polling/response-not-json"),
        (cut, "polling/response-not-json"),
        (cut_lines.as_str(), "polling/response-not-json"),
        ("{\"success\":false}", "polling/error-response-shape"),
        ("{\"success\":true}", "polling/response-shape"),
        ("{}", "polling/response-shape"),
        (r#"{"detail":"bad gateway"}"#, "polling/response-shape"),
        (long.as_str(), "polling/response-shape"),
        (r#"{"message":"x","code":502}"#, "polling/response-shape"),
    ] {
        let scene = Scene::empty()
            .with("polls/1.json", response("running", 0, "ai_message_start"))
            .with("polls/2.json", odd)
            .with("polls/3.json", response("succeeded", 1, "error"));
        for protocol in [&[][..], &["--protocol", "polling"]] {
            let mut arguments = vec!["check", "--format", "agent", "polls"];
            arguments.extend(protocol);
            let run = scene.run(&arguments);
            let lines: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("polls/")).collect();
            // Of this one, the next answer tells that no task was cancelled.
            let file = if odd == "{\"success\":true}" { "polls/3.json:" } else { "polls/2.json:" };
            assert!(lines.len() == 1 && lines[0].starts_with(file), "{odd}: {run}");
            assert!(lines[0].contains(&format!(" error {rule} ")), "{odd}: {run}");
            let listed = scene.run(&[&["check", "--list-files", "polls"], protocol].concat()).stdout;
            assert_eq!(
                listed,
                (1..=3).map(|n| format!("polls/{n}.json\tpolling\tjson\n")).collect::<String>(),
                "{odd}"
            );
        }
    }
    // The first answer may be one as well, where that is known of the folder.
    for odd in ["<html><body>502 Bad Gateway</body></html>", "", "null", "[]", "[1]", "[null]", "{\"succ", cut] {
        let scene = Scene::empty()
            .with("polls/1.json", odd)
            .with("polls/2.json", response("running", 7, "ai_message_start"))
            .with("polls/3.json", response("stopped", 8, "task_stopped"));
        let run = scene.run(&["check", "--format", "agent", "--protocol", "polling", "polls"]);
        let lines: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("polls/")).collect();
        assert!(lines.len() == 1 && lines[0].starts_with("polls/1.json:"), "{odd}: {run}");
        assert!(lines[0].contains(" error polling/response-not-json "), "{odd}: {run}");
        if odd == cut {
            let detected = scene.run(&["check", "--format", "agent", "polls"]);
            assert_eq!(detected.stdout, run.stdout);
        }
    }
    // A document of another kind is passed over.
    let scene = Scene::empty()
        .with("polls/1.json", response("running", 0, "ai_message_start"))
        .with("polls/2.json", r#"{"name": "package"}"#)
        .with("polls/3.json", response("stopped", 1, "task_stopped"));
    let run = scene.run(&["check", "--format", "json", "polls"]);
    assert_eq!(run.status, Some(0), "{run}");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["findings"], Value::Array(Vec::new()));
    assert_eq!(report["skipped"][0]["file"], "polls/2.json");
}

/// However long it is, a document on one line is no list of lines.
#[test]
fn a_document_of_one_long_line_is_a_document() {
    let events: Vec<String> = (1..=400)
        .map(|number| event(number, "context.resolved", "context", "completed", "").trim_end().to_owned())
        .collect();
    let document = format!(
        r#"{{"schemaVersion":"agent-ui-fixture/v0.1","id":"f","title":"Long","events":[{}],"expected":{{"status":"completed"}}}}"#,
        events.join(",")
    );
    assert!(document.len() > 64 * 1024);
    let scene = Scene::empty().with("long.json", document);
    let checked = scene.run(&["check", "--protocol", "lime", "long.json"]);
    assert_eq!(checked.status, Some(0), "{checked}");
    assert!(!checked.stdout.contains("error"), "{checked}");
}

/// Blank lines before a recording are no end of it, however many they are.
#[test]
fn blank_lines_before_a_recording() {
    let blank = |lines: usize, text: &str| "\n".repeat(lines) + text;
    for (content, status, said) in [
        (blank(70_000, &session(None)), Some(1), "lime/tool-needs-tool-call-id"),
        (
            blank(70_000, &format!("data: {}\n", event(1, "tool.started", "tool", "running", ""))),
            Some(1),
            "lime/tool-needs",
        ),
        (blank(70_000, ""), Some(0), "input/empty"),
    ] {
        let scene = Scene::empty().with("blank.jsonl", &content);
        let by_name = scene.run(&["check", "blank.jsonl"]);
        let mut command = scene.command(&["check", "-"]);
        let by_stdin = Run::of(&["check", "-"], command.write_stdin(content));
        for run in [by_name, by_stdin] {
            assert_eq!(run.status, status, "{said}: {run}");
            assert!(run.stdout.contains(said), "{said}: {run}");
        }
    }
    // What is not read that far is not called empty.
    let scene = Scene::empty().with("blank.jsonl", blank(2_000_000, &session(None)));
    let run = scene.run(&["check", "blank.jsonl"]);
    assert_eq!(run.status, Some(1), "{run}");
    assert!(run.stdout.contains("input/unrecognised"), "{run}");
}

/// Nothing that a folder or a glob names is left out without a word.
#[cfg(unix)]
#[test]
fn links_and_what_is_no_file() {
    use std::os::unix::fs::symlink;
    let scene =
        Scene::empty().with("elsewhere/missing.jsonl", session(None)).with("runs/clean.jsonl", session(Some("call_1")));
    let link = |target: &str, name: &str| symlink(target, scene.path("runs").join(name)).unwrap();
    link("../elsewhere/missing.jsonl", "link.jsonl");
    link("../elsewhere", "folder.jsonl");
    link("nowhere", "dangling.jsonl");
    for path in ["runs", "runs/*.jsonl"] {
        let run = scene.run(&["check", path]);
        assert!(run.stdout.contains(" --> runs/link.jsonl:4"), "{run}");
        assert!(run.stderr.contains("in 2 files"), "{run}");
        let remark = "note: 2 files or folders were not checked, because they are no files, or links to folders: \
                      runs/dangling.jsonl, runs/folder.jsonl\n";
        assert!(run.stderr.ends_with(remark), "{run}");
    }
}

/// A page or a script that quotes an event is no recording, unless it is named.
#[test]
fn what_only_quotes_events() {
    let (line, frame) = (event(1, "tool.started", "tool", "running", ""), "data: ".to_owned());
    for (name, content, is_checked) in [
        ("page.md", format!("# Events\n\n```json\n{line}```\n"), false),
        ("links.md", format!("[events](events.md)\n\n{line}"), false),
        ("script.sh", format!("#!/bin/sh\ncat <<END\n{line}END\n"), false),
        ("template.html", format!("{{% raw %}}\n{line}"), false),
        ("page.md.gz", format!("# Events\n{line}"), false),
        ("prose.txt", format!("What came:\n{line}"), true),
        ("lines.dump", format!("\n{line}{line}"), true),
        ("one.dump", line.clone(), true),
        ("list.dump", format!("[\n{}]", line.trim_end()), true),
        ("frames.dump", format!(": hello\n\n{frame}{line}\n"), true),
        ("curl.dump", format!("HTTP/1.1 200 OK\r\n\r\n{frame}{line}\n"), true),
        ("noending", line.clone(), true),
    ] {
        let scene = Scene::empty().with(name, &content).with("clean.jsonl", session(Some("call_1")));
        for path in [".", "*"] {
            let run = scene.run(&["check", "-v", path]);
            assert_eq!(run.stdout.contains("error["), is_checked, "{run}");
            let skipped = format!("{name}: skipped: no protocol was recognised in it");
            assert_eq!(run.stderr.contains(&skipped), !is_checked, "{run}");
        }
        let named = scene.run(&["check", name]);
        assert_ne!(named.status, Some(0), "{named}");
    }
}

/// How a path is written makes no difference: a file is found, and checked once.
#[test]
fn ways_to_write_a_path() {
    let scene = recordings();
    let here = scene.root().file_name().unwrap().to_string_lossy().into_owned();
    let (above, whole) = (format!("../{here}/clean.jsonl"), scene.path("clean.jsonl"));
    for (paths, files) in [
        (&["./mixed/*.jsonl"][..], 1),
        (&["mixed//*.jsonl"], 1),
        (&["./*/./session.jsonl"], 1),
        (&["clean.jsonl", "clean.jsonl"], 1),
        (&["clean.jsonl", "./clean.jsonl", &above, whole.to_str().unwrap()], 1),
        (&["mixed", "mixed/session.jsonl", "./mixed/*.jsonl"], 2),
        (&["clean.jsonl", "mixed/session.jsonl"], 2),
    ] {
        let run = scene.run(&[&["check"][..], paths].concat());
        let checked = format!("in {files} file{}: ", if files == 1 { "" } else { "s" });
        assert!(run.stderr.contains(&checked), "{run}");
    }
    let run = scene.run(&["check", ""]);
    assert_eq!((run.status, run.stderr.lines().next()), (Some(2), Some("error: a path is empty")), "{run}");
}

/// Such a name is a file or a folder, and no pattern; the rest is checked all the same.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let scene = recordings();
    let (odd, folder, nowhere) =
        (OsStr::from_bytes(b"a\xFF*.jsonl"), OsStr::from_bytes(b"b\xFF"), OsStr::from_bytes(b"c\xFF*.jsonl"));
    std::fs::write(scene.root().join(odd), session(None)).unwrap();
    std::fs::create_dir(scene.root().join(folder)).unwrap();
    std::fs::write(scene.root().join(folder).join("d.jsonl"), session(None)).unwrap();
    for (path, status, shown, checked) in [
        (odd, 1, "a%FF*.jsonl:4:", "in 2 files"),
        (folder, 1, "b%FF/d.jsonl:4:", "in 2 files"),
        (nowhere, 2, "error: c%FF*.jsonl: cannot be opened", "in 1 file:"),
    ] {
        let run = Run::of(&["check"], scene.command(&["check"]).arg(path).arg("clean.jsonl"));
        assert_eq!(run.status, Some(status), "{run}");
        assert!(run.to_string().contains(shown) && run.stderr.contains(checked), "{run}");
    }
    let run = Run::of(&["check"], scene.command(&["check", "--print-config"]).arg(odd));
    assert!(run.status == Some(0) && run.stdout.contains("\"a\u{FFFD}*.jsonl\", # an argument"), "{run}");
}

#[test]
fn paths_that_are_empty() {
    for arguments in [
        &["check", "--config", "", "clean.jsonl"][..],
        &["check", "--baseline", "", "--write-baseline", "clean.jsonl"],
        &["check", "--output-file", "", "clean.jsonl"],
        &["check", "--output-file=", "clean.jsonl"],
        &["test", ""],
        &["schema", "export", ""],
        &["schema", "diff", "", "new"],
        &["man", ""],
    ] {
        let run = recordings().run(arguments);
        assert_eq!(run.status, Some(2), "{run}");
        assert!(run.stderr.lines().next().unwrap().ends_with("': the path is empty"), "{run}");
    }
}

/// One test a row: its name, and the arguments of the command. The snapshot is the rest.
macro_rules! sessions {
    ($( $name:ident: $arguments:expr; )+) => { $(
        #[test]
        fn $name() {
            assert_snapshot!(stringify!($name), recordings().run(&$arguments));
        }
    )+ };
}

sessions! {
    help: ["--help"];
    help_of_check: ["check", "--help"];
    without_arguments: [""; 0];

    clean: ["check", "clean.jsonl"];
    human: ["check", "missing-id.jsonl"];
    json: ["check", "--format", "json", "missing-id.jsonl"];
    several_files: ["check", "missing-id.jsonl", "clean.jsonl", "noted.jsonl"];
    directory: ["check", "mixed"];
    glob: ["check", "mixed/*.jsonl"];

    empty_file: ["check", "empty.jsonl"];
    file_that_is_cut_off: ["check", "cut.jsonl"];
    file_in_latin_1: ["check", "latin1.jsonl"];
    file_in_utf_16: ["check", "utf16.jsonl"];
    file_that_is_not_there: ["check", "nowhere.jsonl", "missing-id.jsonl"];
    file_that_is_no_recording: ["check", "package.json"];
    file_that_is_a_fixture: ["check", "expected.json"];
    glob_without_a_match: ["check", "*.ndjson"];

    deny_by_rule: ["check", "--deny", "lime/unknown-kind-or-status", "noted.jsonl"];
    deny_by_code: ["check", "--deny", "schema_mismatch", "noted.jsonl"];
    warn_by_rule: ["check", "--warn", "lime/tool-needs-tool-call-id", "missing-id.jsonl"];
    warn_by_code: ["check", "--warn", "missing_scope_id", "missing-id.jsonl"];
    allow_by_rule: ["check", "--allow", "lime/tool-needs-tool-call-id", "missing-id.jsonl"];
    allow_by_code: ["check", "--allow", "missing_scope_id", "missing-id.jsonl"];
    rule_before_code:
        ["check", "--allow", "missing_scope_id", "--warn", "lime/tool-needs-tool-call-id", "missing-id.jsonl"];
    unknown_rule: ["check", "--deny", "lime/tool-needs-toolcall-id", "clean.jsonl"];
    unknown_code: ["check", "--allow", "nonsense", "clean.jsonl"];

    lines_as_events: ["check", "--as", "lime/Event", "missing-id.jsonl"];
    document_as_fixture: ["check", "--as", "lime/Fixture", "replay.json"];
    unknown_type: ["check", "--as", "lime/Nothing", "clean.jsonl"];
    protocol_for_type: ["check", "--as", "lime", "clean.jsonl"];
    profile_schema: ["check", "--profile", "schema", "missing-id.jsonl"];
    protocol_by_hand: ["check", "--protocol", "lime", "package.json"];

    explain: ["explain", "lime/tool-needs-tool-call-id"];
    explain_by_name: ["explain", "stream-gap-repaired"];
    explain_what_several_have: ["explain", "secret-key"];
    explain_nothing: ["explain", "lime/tool-needs-call-id"];
    explain_a_rule_about_connections: ["explain", "http/buffered"];
    rules_of_the_input: ["rules", "input"];
    rules_about_connections: ["rules", "http"];
    rules_of_nothing: ["rules", "nothing"];

    fixture_that_fails: ["test", "expected.json"];
    fixtures_that_are_not_there: ["test", "nowhere"];
}

/// What is proposed is of the protocol that was written, or all that have the name.
#[test]
fn rules_that_were_meant() {
    for (name, meant) in [
        ("lime/secret-kee", "did you mean lime/secret-key?"),
        ("agui/secret-kee", "did you mean agui/secret-key?"),
        ("wrong-type", "wrong-type, "),
        ("agui/xyzzy", "`agent-contracts rules` lists them"),
    ] {
        let run = recordings().run(&["check", "--deny", name, "clean.jsonl"]);
        assert!(run.stderr.contains(meant), "{meant}: {run}");
    }
}

#[test]
fn exit_statuses() {
    let scene = recordings().with("frames.sse", "data: {}\n\n");
    for (status, arguments) in [
        (0, &["check", "clean.jsonl"][..]),
        (0, &["check", "mixed/session.jsonl"]),
        (1, &["check", "missing-id.jsonl"]),
        (0, &["check", "warned.jsonl"]),
        (1, &["check", "--fail-on", "warning", "warned.jsonl"]),
        (0, &["check", "--fail-on", "warning", "noted.jsonl"]),
        (1, &["check", "--fail-on", "note", "noted.jsonl"]),
        (0, &["check", "--allow", "missing_scope_id", "missing-id.jsonl"]),
        (0, &["check", "--warn", "missing_scope_id", "missing-id.jsonl"]),
        (1, &["check", "--warn", "missing_scope_id", "--fail-on", "warning", "missing-id.jsonl"]),
        (1, &["check", "--deny", "schema_mismatch", "noted.jsonl"]),
        (0, &["check", "--profile", "schema", "missing-id.jsonl"]),
        // What cannot be read wins over what was found.
        (2, &["check", "nowhere.jsonl", "missing-id.jsonl"]),
        (2, &["check", "package.json", "clean.jsonl"]),
        (2, &["check", "--deny", "lime/nothing", "clean.jsonl"]),
        (2, &["check", "--as", "lime/Nothing", "clean.jsonl"]),
        (2, &["check", "--as", "lime/Event", "--protocol", "lime", "clean.jsonl"]),
        (2, &["check", "--as", "lime/Event", "frames.sse"]),
        (2, &["check", "--output-file", "no/such/folder.txt", "clean.jsonl"]),
        (2, &["check", "--output-file", "./clean.jsonl", "clean.jsonl"]),
        (2, &["check", "--output-file", "known.json", "--baseline", "known.json", "--write-baseline", "clean.jsonl"]),
        (2, &["check", "--protocol", "lemon", "clean.jsonl"]),
        (1, &["check", "--format", "sarif", "missing-id.jsonl"]),
        (2, &["check", "--format", "gitlab", "nowhere.jsonl"]),
        (1, &["test", "expected.json"]),
        (1, &["test", "--format", "junit", "expected.json"]),
        (2, &["test", "mixed"]),
        (2, &["test", "nowhere"]),
        (2, &["explain", "nothing"]),
        (2, &["rules", "nothing"]),
        (0, &["rules"]),
        (0, &["--version"]),
        (2, &[]),
    ] {
        let run = scene.run(arguments);
        assert_eq!(run.status, Some(status), "{run}");
    }
}

#[test]
fn first_rules_of_lime() {
    let run = Scene::empty().run(&["rules", "lime"]);
    assert_snapshot!(run.stdout.lines().take(8).collect::<Vec<_>>().join("\n"));
}

#[test]
fn packed_recordings() {
    let whole = session(None);
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(whole.as_bytes()).unwrap();
    let gzip = packer.finish().unwrap();
    let zstd = compress_to_vec(whole.as_bytes(), CompressionLevel::Fastest);
    let plain = Scene::empty().with("a.jsonl", &whole).run(&["check", "--format", "agent", "a.jsonl"]);
    for (program, packed) in [("gzip", gzip), ("zstd", zstd)] {
        let scene = Scene::empty().with("a.jsonl", &packed);
        let named = scene.run(&["check", "--format", "agent", "a.jsonl"]);
        assert_eq!((named.status, &named.stdout), (plain.status, &plain.stdout), "{program}");
        let arguments = ["check", "--format", "agent", "-"];
        let piped = Run::of(&arguments, scene.command(&arguments).write_stdin(packed.clone()));
        assert_eq!(piped.stdout.replace("<stdin>", "a.jsonl"), plain.stdout, "{program}");
        let other = [&packed[..4], b"no more of it"].concat();
        for damaged in [&packed[..4], &other[..], &packed[..packed.len() / 2]] {
            scene.write("a.jsonl", damaged);
            let run = scene.run(&["check", "a.jsonl"]);
            let (said, why) = run.stderr.lines().next().unwrap().rsplit_once(": ").unwrap();
            assert!(run.status == Some(2) && said.starts_with("error: a.jsonl: cannot be read"), "{run}");
            assert_eq!(why, format!("what {program} has packed is damaged or cut off"), "{run}");
        }
    }
}

/// Values by themselves are those of the lines, also where no name says so.
#[test]
fn values_of_standard_input() {
    let event = event(1, "context.resolved", "context", "completed", "");
    let apart = event.replace(',', ",\n");
    for (input, said) in [
        (format!("{event}\n{event}\n"), "checked 2 events in 1 file: 0 errors"),
        (event.clone(), "checked 1 event in 1 file: 0 errors"),
        (apart.clone(), "checked 1 event in 1 file: 0 errors"),
        (format!("{apart}\n{event}\n"), "something follows the value"),
    ] {
        let (scene, arguments) = (Scene::empty(), ["check", "--as", "lime/Event", "-"]);
        let run = Run::of(&arguments, scene.command(&arguments).write_stdin(input));
        assert!(format!("{run}").contains(said), "{said}: {run}");
    }
}

#[test]
fn standard_input() {
    let scene = Scene::empty();
    let arguments = ["check", "-"];
    for (name, input) in [("stdin", session(None)), ("stdin_that_is_empty", String::new())] {
        let mut command = scene.command(&arguments);
        assert_snapshot!(name, Run::of(&arguments, command.write_stdin(input)));
    }
}

#[test]
fn a_file_takes_what_stdout_would() {
    for format in ["human", "json", "sarif", "github", "gitlab", "markdown", "agent"] {
        let scene = recordings();
        let to_stdout = scene.run(&["check", "--format", format, "missing-id.jsonl"]);
        let to_file =
            scene.run(&["check", "--format", format, "--output-file", "out", "--color", "always", "missing-id.jsonl"]);
        assert_eq!((to_file.status, to_file.stdout.as_str()), (Some(1), ""));
        assert_eq!(scene.read("out"), to_stdout.stdout);
    }
}

/// What a folder or a glob names is not written over, by whatever name; the report of an earlier
/// run is.
#[cfg(unix)]
#[test]
fn findings_do_not_replace_a_recording() {
    let frames = "data: {\"tick\":1}\n\n";
    for (arguments, status) in [
        (&["w", "--output-file", "w/run.jsonl"][..], 2),
        (&["w", "--report", "json=./w/run.jsonl"], 2),
        (&["w/*.jsonl", "--output-file", "w/run.jsonl"], 2),
        (&["w", "--output-file", "linked.jsonl"], 2),
        (&["w/run.jsonl", "--output-file", "linked.jsonl"], 2),
        (&["w", "--report", "json=w/frames.sse"], 2),
        (&["w", "--report", "json=w/expected.json"], 2),
        (&["w", "--report", "json=w/run.jsonl.times.jsonl"], 2),
        (&["w", "--protocol", "lime", "--report", "json=w/report.json"], 1),
        (&["w", "--report", "sarif=w/report.jsonl"], 1),
        (&["w", "--exclude", "run.jsonl", "--output-file", "w/run.jsonl"], 1),
        (&["w/frames.sse", "--output-file", "w/run.jsonl"], 1),
    ] {
        let scene = Scene::empty()
            .with("w/run.jsonl", session(None))
            .with("w/run.jsonl.times.jsonl", "{\"byte\":0,\"ms\":32}\n")
            .with("w/frames.sse", frames)
            .with("w/expected.json", fixture("[]"));
        std::fs::hard_link(scene.path("w/run.jsonl"), scene.path("linked.jsonl")).unwrap();
        // The second time, there is a report.
        for _ in 0..2 {
            let run = scene.run(&[&["check"][..], arguments].concat());
            assert_eq!(run.status, Some(status), "{run}");
            let is_refused = run.stderr.contains("is read or written by this command already");
            assert_eq!(is_refused, status == 2, "{run}");
        }
        if status == 2 {
            assert_eq!(scene.read("w/run.jsonl"), session(None), "{arguments:?}");
            assert_eq!(scene.read("w/frames.sse"), frames, "{arguments:?}");
            assert_eq!(scene.read("w/expected.json"), fixture("[]"), "{arguments:?}");
        }
    }
}

#[test]
fn colours() {
    let scene = recordings();
    for (coloured, environment, colour) in [
        // Neither output is a terminal here.
        (false, &[][..], "auto"),
        (true, &[("CLICOLOR_FORCE", "1")], "auto"),
        (false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], "auto"),
        (false, &[("CLICOLOR_FORCE", "1")], "never"),
        (true, &[], "always"),
        // What the caller says outright counts more than the environment.
        (true, &[("NO_COLOR", "1")], "always"),
    ] {
        let arguments = ["check", "--color", colour, "missing-id.jsonl", "nowhere.jsonl"];
        let run = Run::of(&arguments, scene.command(&arguments).envs(environment.iter().copied()));
        for shown in [&run.stdout, &run.stderr] {
            assert_eq!(shown.contains('\u{1b}'), coloured, "{environment:?} {colour}: {shown}");
        }
    }
}

#[test]
fn the_report_is_as_its_schema_says() {
    let path = crate::common::repository().join("schemas/report/1/report.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let arguments = ["check", "--format", "json", ".", "empty.jsonl", "utf16.jsonl", "cut.jsonl", "nowhere.jsonl"];
    let run = recordings().run(&arguments);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    // Findings about a place, about the end of a stream, and about no protocol.
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["line"].is_null() && !finding["protocol"].is_null()));
    assert!(findings.iter().any(|finding| finding["protocol"].is_null()));
    assert!(findings.iter().any(|finding| finding["line"] == 4));
    assert_eq!(report["failed"][0]["file"], "nowhere.jsonl");
}

#[test]
fn a_fixture_that_holds() {
    let scene = Scene::empty().with("held.json", fixture(r#"[{"code": "missing_scope_id", "event": 0}]"#));
    assert_snapshot!(scene.run(&["test", "held.json"]));
}

/// An event is read as it is in a stream: it may have half a character, and be nested as deeply as the bound allows.
#[test]
fn fixtures_of_what_other_readers_of_json_refuse() {
    let custom = |value: &str| format!(r#"{{"type":"CUSTOM","name":"n","value":{value}}}"#);
    let deep = custom(&["[".repeat(200), "]".repeat(200)].concat());
    for (event, more) in [(custom(r#""\ud800""#), "input/lone-surrogate"), (deep, "input/too-deep")] {
        let run = |class: &str| format!(r#"{{"type":"RUN_{class}","threadId":"t","runId":"r"}}"#);
        let events = [run("STARTED"), event, run("FINISHED")].join(",");
        let expect = format!(r#"[{{"rule":"{more}","event":1}}]"#);
        let fixture = format!(r#"{{"protocol":"agui","title":"t","events":[{events}],"expect":{expect}}}"#);
        let run = Scene::empty().with("a.json", fixture).run(&["test", "a.json"]);
        assert!(run.to_string().contains("1 passed"), "{more}: {run}");
    }
}

#[test]
fn fixtures_that_do_not_hold() {
    let scene = Scene::empty()
        .with(
            "fixtures/another-rule.json",
            fixture(r#"[{"rule": "lime/secret-key", "path": "$.payload", "event": 0}]"#),
        )
        .with(
            "fixtures/one-too-many.json",
            fixture(r#"[{"code": "missing_scope_id"}, {"code": "sequence_gap", "event": null}]"#),
        )
        .with("fixtures/misspelt.json", fixture("[]").replace("\"title\"", "\"titel\""))
        .with(
            "fixtures/stream.expect.json",
            r#"{"protocol":"lime","title":"a stream beside its expectation","expect":[]}"#,
        )
        .with("fixtures/stream.jsonl", session(None));
    assert_snapshot!(scene.run(&["test"]));
}

/// A file that is meant for a fixture is never passed over.
#[test]
fn fixtures_that_cannot_be_run() {
    let held = fixture(r#"[{"code": "missing_scope_id"}]"#);
    let stream = r#"{"protocol":"lime","title":"t","expect":[]}"#;
    let event = event(1, "context.resolved", "context", "completed", "");
    // The arguments of the call are longer than ten bytes.
    let limits = |limits: &str| {
        format!(
            r#"{{"protocol":"agui","title":"t","limits":{limits},"events":[
                {{"type":"RUN_STARTED","threadId":"t","runId":"r"}},
                {{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"search"}},
                {{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{{\"query\":\"maps\"}}"}},
                {{"type":"TOOL_CALL_END","toolCallId":"c"}},
                {{"type":"RUN_FINISHED","threadId":"t","runId":"r"}}],
                "expect":[{{"rule":"input/history-limit"}}]}}"#
        )
    };
    for (name, content, status, said) in [
        ("f.json", held.clone(), 0, "1 passed"),
        ("f.json", format!("\u{feff}{held}"), 0, "1 passed"),
        ("f.json", String::new(), 2, "f.json: is empty"),
        ("f.json", format!("[{held}]"), 2, "is a list; write each fixture into a file of its own"),
        ("f.json", held.replace("\"expect\"", "\"expct\""), 2, "a member has a name other than"),
        ("f.json", held.replace("\"expect\"", "\"resumed\": false, \"expct\""), 2, "a member has a name other than"),
        ("f.json", held.replacen('{', "{\"sse\":\"\",", 1), 2, "has more than one input"),
        ("f.json", held.replacen('{', "{\"resumed\":true,", 1), 2, "lime has no subscriptions"),
        ("f.json", held.replacen('{', "{\"runId\":\"r\",", 1), 2, "lime has no subscriptions"),
        ("f.json", held.replace(r#""lime""#, r#""lme""#), 2, "there is no protocol `lme`; did you mean `lime`?"),
        ("f.json", held.replacen('{', r#"{"profile":"Strict","#, 1), 2, "there is no profile `Strict`; did you mean"),
        (
            "f.json",
            r#"{"protocol":"agui","title":"t","document":{},"as":"lime/Event","expect":[]}"#.to_owned(),
            2,
            "`as` names a type of lime, and `protocol` is agui",
        ),
        ("f.json", limits("{\"textBytes\":10}"), 0, "1 passed"),
        ("f.json", limits("{\"textBytes\":100}"), 1, "input/history-limit"),
        ("f.json", limits("{\"textbytes\":10}"), 2, "there is no key `textbytes` here; did you mean `textBytes`?"),
        (
            "f.json",
            limits("{\"text\\nBytes\":10}"),
            2,
            "f.json: `limits`: there is no key `<10 bytes>` here; did you mean `textBytes`?",
        ),
        (
            "f.json",
            limits("{\"ghp_Zq8Rk2Vn5Tb7Yw1Lx4Cd6Jm9Ps3Hf0Ga8Ku2\":10}"),
            2,
            "f.json: `limits`: there is no key `<40 bytes>` here; write one of",
        ),
        ("f.json", limits("{\"depth\":2000}"), 2, "`limits.depth`: the number has to be between 1 and 1024"),
        ("f.json", limits("{\"history\":0}"), 2, "`limits.history`: the number has to be 1 or more"),
        ("f.json", limits("{\"history\":\"4\"}"), 2, "a value has the wrong type"),
        (
            "f.json",
            fixture(r#"[{"rule": "lime/tool-needs-toolcall-id"}]"#),
            2,
            "`expect[0]`: there is no rule lime/tool-needs-toolcall-id; did you mean lime/tool-needs-tool-call-id?",
        ),
        (
            "f.json",
            fixture(r#"[{}, {"code": "mising_scope_id"}]"#),
            2,
            "`expect[1]`: there is no code mising_scope_id;",
        ),
        ("f.json", fixture(r#"[{"severity": "eror"}]"#), 2, "there is no severity eror; did you mean `error`?"),
        ("a.expect.json", stream.to_owned(), 0, "1 passed"),
        ("b.expect.json", stream.to_owned(), 2, "has more than one input"),
        ("a.expect.json", stream.replacen('{', "{\"events\":[],", 1), 2, "has more than one input"),
        ("c.expect.json", stream.to_owned(), 2, "there is no stream of that name beside it"),
    ] {
        let streams = Scene::empty().with("a.jsonl", &event).with("b.jsonl", &event).with("b.sse", "");
        let run = streams.with(name, content).run(&["test", "."]);
        assert_eq!(run.status, Some(status), "{said}: {run}");
        assert!(format!("{run}").contains(said), "{said}: {run}");
    }
}

/// Of a finding that is nearly the expected one, both sides tell what differs.
#[test]
fn how_what_is_found_differs() {
    const RULE: &str = "lime/tool-needs-tool-call-id";
    let of_rule = |rest: &str| format!(r#"[{{"rule": "{RULE}", {rest}}}]"#);
    for (expect, expected, more) in [
        (of_rule(r#""severity": "warning""#), format!("{RULE} with severity warning"), " with severity error"),
        (
            of_rule(r#""code": "sequence_gap", "severity": "note", "path": "$.toolCallId""#),
            format!("{RULE} at $.toolCallId with code sequence_gap, severity note"),
            " with code missing_scope_id, severity error",
        ),
        (of_rule(r#""pointer": "/id""#), format!("{RULE} with pointer /id"), " with pointer /toolCallId"),
        (of_rule(r#""path": "$.id", "severity": "error""#), format!("{RULE} at $.id"), ""),
        (of_rule(r#""event": 1"#), format!("{RULE} of event 1"), ""),
        (r#"[{"code": "sequence_gap"}]"#.to_owned(), "sequence_gap".to_owned(), " with code missing_scope_id"),
        (r#"[{"severity": "note"}]"#.to_owned(), "anything with severity note".to_owned(), " with severity error"),
        (r#"[{"rule": "lime/secret-key", "severity": "note"}]"#.to_owned(), "lime/secret-key".to_owned(), ""),
    ] {
        let run = Scene::empty().with("fixtures/f.json", fixture(&expect)).run(&["test"]);
        let found = format!("{RULE} at $.toolCallId of event 0{more}: tool.started has no toolCallId");
        assert!(run.stdout.contains(&format!("  expected: {expected}\n  found:    {found}\n")), "{expect}: {run}");
    }
}

#[test]
fn blessing_rewrites_nothing_but_what_is_expected() {
    let found = "[\n    {\"rule\":\"lime/tool-needs-tool-call-id\",\"code\":\"missing_scope_id\",\"severity\":\"error\",\"path\":\"$.toolCallId\",\"event\":0}\n  ]";
    let held = fixture(r#"[{"code": "missing_scope_id"}]"#);
    let scene = Scene::empty().with("fixtures/failing.json", fixture("[ ]")).with("fixtures/held.json", &held);
    assert_snapshot!(scene.run(&["test", "--bless"]));
    assert_eq!(scene.read("fixtures/failing.json"), fixture(found));
    assert_eq!(scene.read("fixtures/held.json"), held, "a fixture that holds is left alone");
    assert_eq!(scene.run(&["test"]).status, Some(0));

    // Lines end as they did; those that are new, as the first one does.
    let one_line = |text: String| text.trim_end().replace('\n', " ");
    for (before, after) in [
        (fixture("[\n]").replace('\n', "\r\n"), fixture(found).replace('\n', "\r\n")),
        (
            format!("\u{feff}{}", fixture("[]").replace('\n', "\r\n")),
            format!("\u{feff}{}", fixture(found).replace('\n', "\r\n")),
        ),
        (fixture("[]").replacen('\n', "\r\n", 1), fixture(&found.replace('\n', "\r\n")).replacen(",\n", ",\r\n", 1)),
        (one_line(fixture("[]")), one_line(fixture("[]")).replacen("[]", found, 1)),
        (one_line(fixture("[]")) + "\r", one_line(fixture("[]")).replacen("[]", found, 1) + "\r"),
    ] {
        let scene = Scene::empty().with("fixtures/failing.json", &before);
        assert_eq!(scene.run(&["test", "--bless"]).status, Some(0), "{before:?}");
        assert_eq!(scene.read("fixtures/failing.json"), after, "{before:?}");
    }
}

#[test]
fn schemas_that_were_changed() {
    let schemas = crate::common::repository().join("schemas");
    let mut scene = Scene::empty();
    for file in crate::common::files(&schemas, "") {
        let name = format!("schemas/{}", file.strip_prefix(&schemas).unwrap().display());
        scene = scene.with(&name, std::fs::read(&file).unwrap());
    }
    let run = scene.run(&["schema", "check"]);
    assert_eq!(run.status, Some(0), "{run}");
    // What was never generated is left alone.
    let scene = scene.with("schemas/lime/extra.json", "{}\n");
    let run = scene.run(&["schema", "check"]);
    assert_eq!(run.status, Some(0), "{run}");
    let older = "{\n  \"$id\": \"urn:agent-contracts:lime:v0.0:event\"\n}\n";
    let scene = scene
        .with("schemas/lime/v0.1/event.schema.json", "{}\n")
        .with("schemas/lime/v0.0/event.schema.json", older)
        .with("schemas/order.schema.json", "{}\n")
        .with("schemas/pinned/lime/v0.0/event.schema.json", older)
        .with("others/event.schema.json", older);
    #[cfg(unix)]
    for (of, link) in [("others", "schemas/lime/others"), ("others", "schemas/lime/v0.3")] {
        std::os::unix::fs::symlink(scene.path(of), scene.path(link)).unwrap();
    }
    std::fs::remove_file(scene.path("schemas/agui/1.0/message.schema.json")).unwrap();
    assert_snapshot!(scene.run(&["schema", "check"]));

    // The export is the way back.
    let export = scene.run(&["schema", "export"]);
    assert_eq!(export.status, Some(0), "{export}");
    let removed: Vec<&str> = export.stderr.lines().filter(|line| line.starts_with("removed ")).collect();
    assert_eq!(removed, ["removed schemas/lime/v0.0/event.schema.json, which is no longer generated"]);
    assert_eq!(scene.read("schemas/pinned/lime/v0.0/event.schema.json"), older);
    let run = scene.run(&["schema", "check"]);
    assert_eq!(run.status, Some(0), "{run}");
    assert_eq!(scene.read("schemas/lime/extra.json"), "{}\n");
    assert_eq!(scene.read("schemas/order.schema.json"), "{}\n");
    assert_eq!(scene.read("others/event.schema.json"), older);
}

#[test]
fn packages_and_documents() {
    let scene = Scene::empty();
    // The second one is written over the first.
    for _ in 0..2 {
        let run = scene.run(&["schema", "npm", "made"]);
        assert_eq!(run.status, Some(0), "{run}");
    }
    assert!(scene.read("made/package.json").contains(r#""name": "agent-contracts""#));
    for (file, content, said) in [
        ("package.json", &b"{\"name\": \"other\"}"[..], "other/package.json is of another package"),
        ("package.json", b"\xff{\"name\": \"other\"}", "other/package.json is of another package"),
        ("README.md", b"keep", "other has files but no package.json"),
        ("package.json/file", b"keep", "other/package.json: cannot be read"),
    ] {
        let scene = Scene::empty();
        let path = scene.path("other").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        let run = scene.run(&["schema", "npm", "other"]);
        assert!(run.status == Some(2) && run.stderr.contains(said), "{run}");
        assert_eq!(std::fs::read(&path).unwrap(), content, "{file}");
        assert!(!scene.path("other/zod").exists(), "{file}");
    }

    let run = scene.run(&["schema", "openapi"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), "wrote 5 files to openapi\n"));
    assert!(scene.read("openapi/agui/1.0/openapi.json").contains("itemSchema"));
}
