//! `schema diff` as people and CI jobs see it, and its rules in `rules` and `explain`.
#![cfg(feature = "cli")]

use crate::common::command::{Run, Scene};
use agent_contracts::schema::diff::DiffReport;
use insta::assert_snapshot;

const OLD: &str = r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Ended"}],"$defs":{
    "Started":{"type":"object","description":"Begins a run.","properties":{"type":{"const":"started"},"runId":{"type":"string"},"label":{"type":"string"}},"required":["type","runId"]},
    "Ended":{"type":"object","properties":{"type":{"const":"ended"},"reason":{"enum":["done","failed"]}},"required":["type"]}}}"##;

const NEW: &str = r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Ended"},{"$ref":"#/$defs/Paused"}],"$defs":{
    "Started":{"type":"object","description":"Begins a run of an agent.","properties":{"type":{"const":"started"},"runId":{"type":["string","null"]},"label":{"type":"string"}},"required":["type","runId","label"]},
    "Paused":{"type":"object","properties":{"type":{"const":"paused"}},"required":["type"]},
    "Ended":{"type":"object","properties":{"type":{"const":"ended"},"reason":{"enum":["done","stopped"]}},"required":["type"]}}}"##;

const PROSE: &str = r#"{"title":"Answer","type":"object","description":"What the server says."}"#;
const OTHER_PROSE: &str = r#"{"title":"Answer","type":"object","description":"What a server says."}"#;

/// Two versions of some schemas.
fn versions() -> Scene {
    Scene::empty()
        .with("old/1.0/event.schema.json", OLD)
        .with("old/1.0/answer.schema.json", PROSE)
        .with("old/1.0/gone.schema.json", PROSE)
        .with("old/README.md", "# Schemas")
        .with("old/index.json", "[]")
        .with("new/1.0/event.schema.json", NEW)
        .with("new/1.0/answer.schema.json", OTHER_PROSE)
        .with("new/1.1/answer.schema.json", PROSE)
        .with("escapes.schema.json", "{\"title\":\"A\u{202E}B\",\"enum\":[\"\\u001b[31m\u{202E}\"]}")
        .with("no-escapes.schema.json", r#"{"title":"A","enum":[]}"#)
        .with("broken/1.0/event.schema.json", "{")
        .with("broken/1.0/answer.schema.json", OTHER_PROSE)
        .with("broken/1.0/gone.schema.json", r##"{"$ref":"#/$defs/Nowhere"}"##)
        .with("empty/README.md", "# Nothing")
        .with("marked.schema.json", format!("\u{feff}{PROSE}"))
}

/// Runs Git in the folder, without the settings of whoever runs the tests.
fn git(scene: &Scene, arguments: &[&str]) {
    let mut command = std::process::Command::new("git");
    command.args(["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]);
    command.args(arguments).current_dir(scene.root());
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// One test a row: its name, and the arguments of the command. The snapshot is the rest.
macro_rules! sessions {
    ($( $name:ident: $arguments:expr; )+) => { $(
        #[test]
        fn $name() {
            assert_snapshot!(stringify!($name), versions().run(&$arguments));
        }
    )+ };
}

sessions! {
    help_of_diff: ["schema", "diff", "--help"];
    folders: ["schema", "diff", "old", "new"];
    one_file: ["schema", "diff", "old/1.0/event.schema.json", "new/1.0/event.schema.json"];
    as_json: ["schema", "diff", "--format", "json", "old/1.0/answer.schema.json", "new/1.0/answer.schema.json"];
    without_changes: ["schema", "diff", "old", "old"];
    characters_that_a_terminal_obeys: ["schema", "diff", "escapes.schema.json", "no-escapes.schema.json"];
    files_that_cannot_be_read: ["schema", "diff", "old", "broken"];
    a_folder_without_schemas: ["schema", "diff", "old", "empty"];
    a_file_and_a_folder: ["schema", "diff", "old", "new/1.0/event.schema.json"];
    one_path: ["schema", "diff", "old"];

    explain_a_change: ["explain", "schema/null-allowed"];
    explain_a_change_by_name: ["explain", "file-removed"];
    explain_a_change_that_is_misspelt: ["explain", "schema/member-removd"];
    rules_of_schemas: ["rules", "schema"];
}

#[test]
fn exit_statuses() {
    let scene = versions();
    let (old, new) = ("old/1.0/answer.schema.json", "new/1.0/answer.schema.json");
    for (status, arguments) in [
        (1, &["schema", "diff", "old", "new"][..]),
        (0, &["schema", "diff", "new", "new"]),
        // Only the prose is another.
        (0, &["schema", "diff", old, new]),
        (0, &["schema", "diff", "--fail-on", "source-breaking", old, new]),
        (1, &["schema", "diff", "--fail-on", "compatible", old, new]),
        (1, &["schema", "diff", "--format", "json", "old", "new"]),
        // A byte order mark is no part of a schema.
        (0, &["schema", "diff", "--fail-on", "compatible", old, "marked.schema.json"]),
        (0, &["schema", "diff", "--fail-on", "compatible", "marked.schema.json", old]),
        (2, &["schema", "diff", "old", "nowhere"]),
        (2, &["schema", "diff", "nowhere.json", new]),
        // What cannot be read wins over what was found.
        (2, &["schema", "diff", "old", "broken"]),
        (2, &["schema", "diff", "old", "new", "third"]),
        (2, &["schema", "diff"]),
        (2, &["schema", "diff", "--fail-on", "everything", "old", "new"]),
        (2, &["schema", "diff", "--against", "HEAD", "old", "new"]),
        (2, &["explain", "schema/nothing"]),
        (0, &["explain", "schema/member-removed"]),
    ] {
        let run = scene.run(arguments);
        assert_eq!(run.status, Some(status), "{run}");
    }
}

#[test]
fn the_json_is_a_report() {
    let run = versions().run(&["schema", "diff", "--format", "json", "old", "new"]);
    let report: DiffReport = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((report.summary.files, report.version), (4, 1), "{run}");
    assert_eq!(report.changes[0].file, "1.0/answer.schema.json");
    assert!(report.changes.iter().any(|change| change.rule == "schema/file-removed" && change.place.is_empty()));
    assert_eq!(format!("{}\n", report.summary), run.stderr);
}

#[test]
fn the_json_has_nothing_that_a_terminal_obeys() {
    let scene = versions();
    let run = scene.run(&["schema", "diff", "--format", "json", "escapes.schema.json", "no-escapes.schema.json"]);
    assert!(!run.stdout.contains(['\u{202E}', '\u{1b}']), "{run}");
    let report: DiffReport = serde_json::from_str(&run.stdout).unwrap();
    let mut before = report.changes.iter().filter_map(|change| change.old.as_deref());
    assert!(before.any(|text| text.contains('\u{202E}')), "{run}");
}

/// Whatever a schema has it in.
#[test]
fn no_output_shows_a_secret() {
    let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
    let scene = versions();
    for (old, new) in [
        (format!(r#"{{"default":"{token}"}}"#), r#"{"default":""}"#.to_owned()),
        (format!(r#"{{"type":"string","pattern":"{token}"}}"#), r#"{"type":"string"}"#.to_owned()),
        (format!(r#"{{"enum":["{token}","a"]}}"#), r#"{"enum":["a"]}"#.to_owned()),
        (r#"{"type":"object"}"#.to_owned(), format!(r#"{{"type":"object","required":["{token}"]}}"#)),
        (r#"{"properties":{}}"#.to_owned(), format!(r#"{{"properties":{{"{token}":{{"type":"string"}}}}}}"#)),
        (r#"{"$defs":{}}"#.to_owned(), format!(r#"{{"$defs":{{"{token}":{{"const":"\"{token}\""}}}}}}"#)),
    ] {
        scene.write("a.schema.json", &old);
        scene.write("b.schema.json", &new);
        for format in ["human", "json"] {
            let run = scene.run(&["schema", "diff", "--format", format, "a.schema.json", "b.schema.json"]);
            assert!(!run.stdout.contains(&token[8..]) && !run.stderr.contains(&token[8..]), "{run}");
            assert!(format == "human" || serde_json::from_str::<DiffReport>(&run.stdout).is_ok(), "{run}");
        }
    }
}

#[test]
fn a_folder_and_what_it_was_at_a_commit() {
    let scene = versions().with("schemas/1.0/event.schema.json", OLD).with("schemas/notes.txt", "…");
    git(&scene, &["init", "--quiet"]);
    git(&scene, &["add", "schemas"]);
    git(&scene, &["commit", "--quiet", "--message", "The first version"]);
    git(&scene, &["tag", "v1"]);
    let scene = scene.with("schemas/1.0/event.schema.json", NEW).with("schemas/1.1/answer.schema.json", PROSE);
    assert_snapshot!("against_a_tag", scene.run(&["schema", "diff", "--against", "v1"]));

    for (status, arguments) in [
        (1, &["schema", "diff", "--against", "HEAD", "schemas/1.0"][..]),
        // The commit has nothing there, so everything is new.
        (0, &["schema", "diff", "--against", "v1", "new"]),
        (2, &["schema", "diff", "--against", "v1", "empty"]),
        (2, &["schema", "diff", "--against", "v1", "nowhere"]),
    ] {
        let run = scene.run(arguments);
        assert_eq!(run.status, Some(status), "{run}");
    }
    for reference in ["v2", "HEAD:schemas", "HEAD..v1", "^HEAD", "--output=stolen", "-1", "", "v1; ls", "HEAD\n"] {
        let argument = format!("--against={reference}");
        let run = scene.run(&["schema", "diff", &argument]);
        assert_eq!(run.status, Some(2), "{run}");
        assert!(run.stderr.contains("is no commit, branch or tag"), "{run}");
    }
    assert!(!scene.path("stolen").exists());
}

#[test]
fn without_git_or_a_repository() {
    let scene = versions();
    let arguments = ["schema", "diff", "--against", "HEAD", "old"];
    assert_snapshot!("without_a_repository", scene.run(&arguments));
    let mut command = scene.command(&arguments);
    assert_snapshot!("without_git", Run::of(&arguments, command.env("PATH", scene.path("empty"))));
}
