//! What is put up with: findings of a baseline, and waivers in fixtures.
#![cfg(feature = "cli")]

use crate::common::command::{Scene, event, recording};
use insta::assert_snapshot;

const MISSING: &str = "lime/tool-needs-tool-call-id";
const EMPTY: &str = "lime/empty-scope-id";

const WRITE: &str = "check --baseline known.json --write-baseline .";
const CHECK: &str = "check --baseline known.json --fail-on note .";

/// A folder with a baseline of its two recordings.
fn adopted() -> Scene {
    let folder = Scene::repository(&[("a.jsonl", &recording("cewe")), ("deep/b.jsonl", &recording("w"))]);
    let run = folder.run_line(WRITE);
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{run}");
    folder
}

#[test]
fn what_a_baseline_says() {
    let folder = adopted();
    assert_snapshot!("baseline_file", folder.read("known.json"));
    assert_snapshot!("baseline_is_written", folder.run_line(WRITE));
    assert_snapshot!("baseline_is_kept", folder.run_line(CHECK));
}

/// Only what is new is reported, however the recordings change.
#[test]
fn what_is_new() {
    for (change, file, content, status, rules) in [
        ("nothing", "a.jsonl", recording("cewe"), 0, ""),
        ("clean events", "a.jsonl", recording("cewecccc"), 0, ""),
        ("clean events before", "a.jsonl", recording("ccccewe"), 0, ""),
        ("the same fault once more", "a.jsonl", recording("ceweee"), 1, &*format!("{MISSING} {MISSING}")),
        ("another fault", "deep/b.jsonl", recording("we"), 1, MISSING),
        ("another place", "a.jsonl", recording("cewe") + &event(5, "state.delta", r#","runId":"""#), 1, EMPTY),
        ("another file", "c.jsonl", recording("w"), 1, EMPTY),
        ("fewer faults", "a.jsonl", recording("cec"), 0, ""),
    ] {
        let folder = adopted();
        folder.write(file, content);
        let run = folder.run_line(CHECK);
        assert_eq!((run.status, run.rules().as_str()), (Some(status), rules), "{change}: {run}");
        let is_stale = run.stderr.contains("of the baseline no longer occur");
        assert_eq!(is_stale, change == "fewer faults", "{change}: {run}");
    }
}

#[test]
fn entries_that_no_longer_occur() {
    let folder = adopted();
    folder.write("a.jsonl", recording("cc"));
    assert_snapshot!("baseline_is_out_of_date", folder.run_line(CHECK));
    // Nothing is said of a file that was not checked, unless it is there no more.
    let run = folder.run_line("check --baseline known.json deep");
    assert!(!run.stderr.contains("no longer"), "{run}");
    std::fs::remove_file(folder.path("a.jsonl")).unwrap();
    let run = folder.run_line("check --baseline known.json deep");
    assert!(run.stderr.contains("2 entries of the baseline no longer occur"), "{run}");
}

#[test]
fn rewriting_keeps_what_was_not_checked() {
    let folder = adopted();
    folder.write("a.jsonl", recording("cc"));
    assert_eq!(folder.run_line("check --baseline known.json --write-baseline deep").status, Some(0));
    assert!(folder.read("known.json").contains("a.jsonl"));
    assert_eq!(folder.run_line(WRITE).status, Some(0));
    assert!(!folder.read("known.json").contains("a.jsonl"));
    assert!(folder.read("known.json").contains("deep/b.jsonl"));
}

/// Entries stay of files whose names are written otherwise, and bytes that are not UTF-8 are told from what stands for
/// them.
#[test]
#[cfg(unix)]
fn names_that_are_written_otherwise() {
    use std::os::unix::ffi::OsStringExt;
    let token = ["gh", "p_F4k3V9mQ2xT7bLz0RwE5sYh8NcJ1uKpDaG6i"].concat();
    let bytes = std::ffi::OsString::from_vec(b"x\xFF.jsonl".to_vec());
    let folder = adopted();
    folder.write(&format!("{token}.jsonl"), recording("e"));
    std::fs::write(folder.path("").join(&bytes), recording("e")).unwrap();
    assert_eq!(folder.run_line(WRITE).status, Some(0));
    assert_eq!(folder.run_line("check --baseline known.json --write-baseline deep").status, Some(0));
    let run = folder.run_line(CHECK);
    assert_eq!((run.status, run.rules().as_str()), (Some(0), ""), "{run}");

    folder.write("x%FF.jsonl", recording("e"));
    let run = folder.run_line(CHECK);
    assert_eq!((run.status, run.rules().as_str()), (Some(1), MISSING), "{run}");
    assert!(run.stdout.contains("x%25FF.jsonl"), "{run}");
}

/// Files are named as the baseline sees them, wherever the command is run.
#[test]
fn a_baseline_from_anywhere() {
    let folder = adopted();
    let run = folder.run_in("deep", "check --baseline ../known.json --fail-on note ..");
    assert_eq!((run.status, run.rules().as_str()), (Some(0), ""), "{run}");
}

/// No fixture is passed over in silence: neither one that is named, nor one that lies in a folder and is not read.
#[test]
fn fixtures_that_are_not_run() {
    let empty =
        r#"{"rule":"agui/empty-stream","code":"sequence_violation","severity":"error","path":"$","event":null}"#;
    let with = |input: &str| format!(r#"{{"protocol":"agui","title":"t",{input}"expect":[{empty}]}}"#);
    let good = &with(r#""ndjson":"","#);
    let scene = Scene::empty()
        .with("all/good.json", good)
        .with("all/.hidden.json", good)
        .with("all/ignored.json", good)
        .with("all/.ignore", "ignored.json")
        .with("all/UPPER.JSON", good)
        .with("all/notes.json", "[]")
        .with("stream.jsonl", "")
        .with("stream.expect.json", with(""))
        .with("other.json", "[]")
        .with("reference.json", r#"{"protocol":"ubik","title":"t","profile":"reference","ndjson":"","expect":[]}"#);
    for (arguments, status, stdout, stderr) in [
        ("all", 0, "fixtures: 2 passed", "2 files or folders were not checked, because ignore files hide them"),
        ("all/ignored.json all/.hidden.json", 0, "fixtures: 2 passed", ""),
        ("stream.jsonl", 0, "fixtures: 1 passed", ""),
        ("all/good.json other.json", 2, "1 unreadable", "other.json: is not a fixture: a fixture has `protocol`"),
        ("reference.json", 2, "1 unreadable", "ubik has no reference implementation; write \"strict\" or \"schema\""),
        ("all/good.json nowhere.json", 2, "", "nowhere.json: no such file or directory"),
        ("-", 2, "", "fixtures are read from files"),
    ] {
        let run = scene.run_line(&format!("test {arguments}"));
        assert_eq!(run.status, Some(status), "{arguments}: {run}");
        assert!(run.stdout.contains(stdout) && run.stderr.contains(stderr), "{arguments}: {run}");
    }
}

#[test]
fn files_that_are_no_baseline() {
    let folder = adopted();
    folder.write("other.json", r#"{"version":2,"entries":[]}"#);
    folder.write("broken.json", "{\"version\":1,\n\"entries\":[{\"file\":\"hunter2\"}]}");
    for (arguments, said) in [
        ("--baseline nowhere.json .", "nowhere.json: there is no such baseline; --write-baseline writes it"),
        ("--baseline= .", "invalid value '' for '--baseline <FILE>': the path is empty"),
        ("--baseline other.json .", "other.json: is a baseline of version 2, not 1"),
        ("--baseline broken.json .", "broken.json: is not a baseline: line 2, column "),
        // A recording that is named by mistake is left as it is, and not shown.
        ("--baseline a.jsonl --write-baseline .", "a.jsonl: is not a baseline: line 1, column "),
        ("--write-baseline .", "--write-baseline: name the file with --baseline, or as `baseline` in contracts.toml"),
    ] {
        let run = folder.run_line(&format!("check {arguments}"));
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run}");
        assert!(run.stderr.starts_with(&format!("error: {said}")), "{arguments}: {run}");
        assert!(!run.stderr.contains("hunter2"), "{arguments}: {run}");
    }
    assert_eq!(folder.read("a.jsonl"), recording("cewe"));
    // What could not be checked must not be forgotten.
    let before = folder.read("known.json");
    let run = folder.run_line("check --baseline known.json --write-baseline . nowhere.jsonl");
    assert_eq!(run.status, Some(2), "{run}");
    assert_eq!(folder.read("known.json"), before);
}

#[test]
fn a_baseline_holds_no_values() {
    let secret =
        event(1, "context.resolved", r#","payload":{"password":"hunter2","a b":{"token":"hunter2"}},"note":"hunter2""#);
    let folder = Scene::repository(&[("a.jsonl", &secret)]);
    assert_eq!(folder.run_line(WRITE).status, Some(0));
    let baseline = folder.read("known.json");
    assert!(baseline.contains("/payload/a b/token") && !baseline.contains("hunter2"), "{baseline}");
}

/// A fixture with one error and one warning.
fn fixture(waive: &str, expect: &str) -> String {
    let events = recording("ew").lines().collect::<Vec<_>>().join(",");
    format!(r#"{{"protocol":"lime","title":"t","waive":[{waive}],"events":[{events}],"expect":[{expect}]}}"#)
}

#[test]
fn waivers_in_fixtures() {
    let missing = format!(r#"{{"rule":"{MISSING}","reason":"the runtime is old"}}"#);
    let empty = format!(r#"{{"rule":"{EMPTY}","reason":"so is this one"}}"#);
    let expected = |rule: &str| format!(r#"{{"rule":"{rule}"}}"#);
    let all = format!("{},{}", expected(MISSING), expected(EMPTY));
    for (what, waive, expect, status) in [
        ("nothing is waived", String::new(), all.clone(), 0),
        ("one is waived", missing.clone(), expected(EMPTY), 0),
        ("both are waived", format!("{missing},{empty}"), String::new(), 0),
        ("what is waived is expected all the same", missing.clone(), all.clone(), 1),
        ("a waiver waives nothing", missing.replace(MISSING, "lime/secret-key"), all.clone(), 1),
        ("a waiver comes twice", format!("{missing},{missing}"), expected(EMPTY), 1),
        ("no reason", missing.replace("the runtime is old", " "), expected(EMPTY), 2),
        ("no such rule", missing.replace("tool-call-id", "call-id"), expected(EMPTY), 2),
        ("a member is missing", r#"{"rule":"lime/secret-key"}"#.to_owned(), all.clone(), 2),
        ("a member too many", missing.replace("\"reason\"", "\"path\":\"$\",\"reason\""), all.clone(), 2),
    ] {
        let folder = Scene::repository(&[("fixture.json", &fixture(&waive, &expect))]);
        let run = folder.run_line("test fixture.json");
        assert_eq!(run.status, Some(status), "{what}: {run}");
    }
}

#[test]
fn what_is_said_of_waivers() {
    let waive = |rule: &str, reason: &str| fixture(&format!(r#"{{"rule":"{rule}","reason":"{reason}"}}"#), "");
    let folder = Scene::repository(&[
        ("1-unused.json", &waive("lime/secret-key", "a reason")),
        ("2-no-reason.json", &waive(MISSING, "")),
        ("3-no-rule.json", &waive("lime/tool-needs-call-id", "a reason")),
    ]);
    assert_snapshot!("waivers", folder.run_line("test ."));
    // Blessing rewrites what is expected, not what is waived.
    let folder = Scene::repository(&[("fixture.json", &waive(MISSING, "a reason"))]);
    assert_eq!(folder.run_line("test --bless fixture.json").status, Some(0));
    assert!(!folder.read("fixture.json").contains("missing_scope_id\",\"severity\":\"error"));
    assert_eq!(folder.run_line("test fixture.json").status, Some(0));
}
