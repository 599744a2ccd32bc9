//! `contracts.toml` and the options that go with it. docs/configuration.md says what they mean.
#![cfg(feature = "cli")]

use crate::common::command::{Run, Scene, event, recording};
use insta::assert_snapshot;

const MISSING: &str = "lime/tool-needs-tool-call-id";
const EMPTY: &str = "lime/empty-scope-id";

/// Recordings with an error, with a warning, with a secret that only its owner knows, and one
/// beside a document.
fn recordings() -> Scene {
    let secret = event(1, "context.resolved", r#","payload":{"a":"use acme_4f9xk2p7","password":"hunter2"}"#);
    let replay = format!(
        r#"{{"schemaVersion":"agent-ui-fixture/v0.1","id":"f","title":"t","events":[{}],"expected":{{"status":"completed"}}}}"#,
        event(1, "context.resolved", "").trim_end()
    );
    Scene::repository(&[
        ("clean.jsonl", &recording("cc")),
        ("missing.jsonl", &recording("ce")),
        ("warned.jsonl", &recording("w")),
        ("secret.jsonl", &secret),
        ("old/missing.jsonl", &recording("e")),
        ("old/deep/missing.jsonl", &recording("e")),
        ("replay.json", &replay),
        ("package.json", r#"{"name":"package"}"#),
    ])
}

/// What the file says, what is run, the status, and the rules of the findings.
type Row<'r> = (&'r str, &'r str, i32, &'r str);

fn check(rows: &[Row<'_>]) {
    let folder = recordings();
    for (config, arguments, status, rules) in rows {
        folder.write("contracts.toml", config);
        let run = folder.run_line(&format!("check {arguments}"));
        assert_eq!((run.status, run.rules().as_str()), (Some(*status), *rules), "{config}\n{run}");
    }
}

#[test]
fn settings_of_the_file_and_options_that_count_more() {
    let off = format!("[rules]\n\"{MISSING}\" = \"off\"");
    check(&[
        ("", "missing.jsonl", 1, MISSING),
        ("", "warned.jsonl", 0, EMPTY),
        ("[check]\nfail-on = \"warning\"", "warned.jsonl", 1, EMPTY),
        ("[check]\nfail-on = \"warning\"", "--fail-on error warned.jsonl", 0, EMPTY),
        ("[check]\nfail-on = \"warning\"", "--no-config warned.jsonl", 0, EMPTY),
        ("[check]\nprofile = \"schema\"", "missing.jsonl", 0, ""),
        ("[check]\nprofile = \"schema\"", "--profile strict missing.jsonl", 1, MISSING),
        ("[check]\npaths = [\"missing.jsonl\"]", "", 1, MISSING),
        ("[check]\npaths = [\"missing.jsonl\"]", "clean.jsonl", 0, ""),
        (&off, "missing.jsonl", 0, ""),
        (&off, "--warn missing_scope_id missing.jsonl", 0, MISSING),
        (&off, &format!("--deny {MISSING} missing.jsonl"), 1, MISSING),
        ("[rules]\nmissing_scope_id = \"warning\"", "missing.jsonl", 0, MISSING),
        ("[rules]\nmissing_scope_id = \"warning\"", "--deny missing_scope_id missing.jsonl", 1, MISSING),
        ("[limits]\nevent-bytes = 100", "clean.jsonl", 1, "input/too-large input/too-large"),
        ("[limits]\ndepth = 1", "secret.jsonl", 1, "input/too-deep"),
    ]);
}

#[test]
fn what_files_are_checked_as() {
    let schema = "[[files]]\nglob = \"missing.jsonl\"\nprofile = \"schema\"\n";
    let both = format!("{schema}[[files]]\nglob = \"/*.jsonl\"\nprofile = \"strict\"\n");
    check(&[
        // Without a slash, a glob is about any folder.
        (schema, "missing.jsonl old/missing.jsonl", 0, ""),
        (schema, "--profile strict missing.jsonl", 1, MISSING),
        ("[[files]]\nglob = \"old/*\"\nprofile = \"schema\"", "missing.jsonl old/missing.jsonl", 1, MISSING),
        // A folder is all that is in it.
        ("[[files]]\nglob = \"old\"\nprofile = \"schema\"", "old", 0, ""),
        // The last one counts.
        (&both, "missing.jsonl old/missing.jsonl", 1, MISSING),
        ("[[files]]\nglob = \"*.jsonl\"\nas = \"lime/Event\"", "old", 1, &format!("{MISSING} {MISSING}")),
    ]);
}

#[test]
fn what_files_are_taken_for() {
    let folder = recordings();
    let lines = "[[files]]\nglob = \"*.jsonl\"\n";
    for (config, arguments, listed) in [
        (String::new(), "replay.json", "replay.json\tlime/Fixture\tjson\n"),
        (format!("{lines}protocol = \"agui\""), "clean.jsonl", "clean.jsonl\tagui\tndjson\n"),
        (format!("{lines}protocol = \"agui\""), "--protocol auto clean.jsonl", "clean.jsonl\tlime\tndjson\n"),
        (format!("{lines}framing = \"sse\""), "--protocol lime clean.jsonl", "clean.jsonl\tlime\tsse\n"),
        (format!("{lines}as = \"lime/Event\""), "clean.jsonl", "clean.jsonl\tlime/Event\tndjson\n"),
        (format!("{lines}as = \"lime/Event\""), "--protocol lime clean.jsonl", "clean.jsonl\tlime\tndjson\n"),
        // What stands in place of what was there before.
        (
            format!("{lines}as = \"lime/Event\"\n[[files]]\nglob = \"c*\"\nprotocol = \"agui\""),
            "clean.jsonl",
            "clean.jsonl\tagui\tndjson\n",
        ),
        (
            format!("{lines}protocol = \"agui\"\n[[files]]\nglob = \"c*\"\nprotocol = \"auto\""),
            "clean.jsonl",
            "clean.jsonl\tlime\tndjson\n",
        ),
        (
            "[[files]]\nglob = \"package.json\"\nprotocol = \"social-app\"\nversion = \"v1\"".to_owned(),
            "package.json",
            "package.json\tsocial-app\tjson\n",
        ),
    ] {
        folder.write("contracts.toml", &config);
        let run = folder.run_line(&format!("check --list-files {arguments}"));
        assert_eq!((run.status, run.stdout.as_str()), (Some(0), listed), "{config}\n{run}");
    }
}

#[test]
fn what_is_left_out() {
    let folder = recordings();
    for (config, arguments, files) in [
        ("", "old", "old/missing.jsonl old/deep/missing.jsonl"),
        (
            "",
            ".",
            "clean.jsonl missing.jsonl replay.json secret.jsonl warned.jsonl old/missing.jsonl old/deep/missing.jsonl",
        ),
        ("[check]\nexclude = [\"deep\"]", "old", "old/missing.jsonl"),
        ("[check]\nexclude = [\"old\", \"*.json\", \"[sw]*\"]", ".", "clean.jsonl missing.jsonl"),
        ("[check]\nexclude = [\"/missing.jsonl\"]", "*.jsonl", "clean.jsonl secret.jsonl warned.jsonl"),
        ("[check]\nexclude = [\"old\"]", "--exclude [sw]* *.jsonl old", "clean.jsonl missing.jsonl"),
        ("[check]\nexclude = [\"missing.jsonl\"]", "missing.jsonl clean.jsonl", "clean.jsonl"),
    ] {
        folder.write("contracts.toml", config);
        let run = folder.run_line(&format!("check --list-files {arguments}"));
        let listed: Vec<&str> = run.stdout.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(listed.join(" "), files, "{config}\n{run}");
    }
}

#[test]
fn what_is_excluded_is_named() {
    let folder = recordings();
    assert_snapshot!("excluded", folder.run_line("check --exclude old --exclude secret.jsonl --exclude *.json ."));
    // A hook that names a file, which is excluded, has nothing to complain about.
    let run = folder.run_line("check --exclude secret.jsonl secret.jsonl");
    assert_eq!(run.status, Some(0), "{run}");
    let run = folder.run_line("check --exclude old old");
    assert_eq!(run.status, Some(2), "{run}");
}

#[test]
fn ignore_files_and_hidden_files() {
    let folder = recordings();
    folder.write(".gitignore", "old\n");
    folder.write(".hidden.jsonl", recording("e"));
    let missing = |config: &str, arguments: &str| {
        folder.write("contracts.toml", config);
        let run = folder.run_line(&format!("check {arguments} --list-files ."));
        run.stdout.lines().filter(|line| line.contains("old/")).count()
    };
    assert_eq!(missing("", ""), 0);
    assert_eq!(missing("", "--no-ignore"), 2);
    assert_eq!(missing("[check]\nignore-files = false", ""), 2);
    assert!(!folder.run_line("check --no-ignore --list-files .").stdout.contains(".hidden"));
}

#[test]
#[cfg(unix)]
fn ignore_files_that_no_walk_reads() {
    use std::process::Command;
    let folder = recordings();
    let make = |line: &str| {
        let made = Command::new("sh").args(["-c", line]).current_dir(folder.path(".")).status();
        assert!(made.unwrap().success(), "{line}");
    };
    let listed = |run: &Run| run.stdout.lines().filter(|line| line.contains("old/")).count();
    for (line, files, named, reason) in [
        ("mkfifo old/deep/.gitignore", 1, "old/deep/.gitignore", "has to be a regular file"),
        ("mkfifo old/.ignore", 0, "old/.ignore", "has to be a regular file"),
        ("mkdir -p old/deep/.git/info; mkfifo old/deep/.git/info/exclude", 1, "old/deep/.git/info/exclude", "regular"),
        // A linked worktree, which names what is read next.
        ("mkdir w; mkfifo w/commondir; echo gitdir: ../w > old/.git", 2, "", ""),
        ("mkdir w; mkfifo w/commondir; echo gitdir: $PWD/w > old/.git", 0, "w/commondir", "regular file"),
        (
            "mkdir w; mkfifo w/commondir; printf \"gitdir: $PWD/w\\n\\377\\n\" > old/.git",
            0,
            "w/commondir",
            "regular file",
        ),
        (
            "mkdir -p w/info; mkfifo w/info/exclude; echo w > w/commondir; echo gitdir: $PWD/w > old/.git",
            0,
            "w/info/exclude",
            "regular file",
        ),
        ("ln -s /dev/null old/.gitignore", 2, "", ""),
        ("yes a | head -c 262145 > old/deep/.ignore", 1, "old/deep/.ignore", "more than 262144 bytes"),
        (
            "for d in old old/deep; do yes a | head -c 200000 > $d/.ignore; done",
            1,
            "old/deep/.ignore",
            "more than 262144 bytes",
        ),
        ("yes a | head -c 262144 > old/deep/.ignore", 2, "", ""),
        ("yes a | head -c 262145 > .ignore", 0, ".ignore", "more than 262144 bytes"),
    ] {
        make(line);
        let run = folder.run_line("check --list-files .");
        assert_eq!(listed(&run), files, "{line}\n{run}");
        assert_eq!(run.status, Some(if named.is_empty() { 0 } else { 2 }), "{line}\n{run}");
        assert!(run.stderr.contains(&format!("{named}: cannot be used: ")) || named.is_empty(), "{line}\n{run}");
        assert!(run.stderr.contains(reason), "{line}\n{run}");
        assert_eq!(listed(&folder.run_line("check --list-files --no-ignore .")), 2, "{line}");
        make("rm -rf w .ignore old/.git* old/.ignore old/deep/.git*  old/deep/.ignore");
    }
}

#[test]
fn secrets_of_the_users_own() {
    let pattern = "[[secrets.patterns]]\nid = \"acme-key\"\nregex = 'acme_[a-z0-9]{8}'\nkeywords = [\"acme_\"]\n";
    let allow = |what: &str| format!("{pattern}[[secrets.allow]]\n{what}\n");
    let (key, value) = ("lime/secret-key", "lime/secret-value");
    let both = format!("{key} {value}");
    check(&[
        ("", "secret.jsonl", 1, key),
        (pattern, "secret.jsonl", 1, &both),
        (&allow("path = \"$.payload.a\""), "secret.jsonl", 1, key),
        (&allow("path = \"$.payload.*\"\nrule = \"lime/secret-key\""), "secret.jsonl", 1, value),
        (&allow("path = \"$..*\""), "secret.jsonl", 0, ""),
        // The secret itself, and the value of the key.
        (
            &allow("sha256 = \"fea135e8cfe85ce88d1ed7e959b45d6b33de8a85f393e75d08cdada85616f17e\""),
            "secret.jsonl",
            1,
            key,
        ),
        (
            &allow("sha256 = \"F52FBD32B2B3B86FF88EF6C490628285F482AF15DDCB29541F94BCF526A3F6C7\""),
            "secret.jsonl",
            1,
            value,
        ),
    ]);
}

/// Everything that is wrong is named with its place, and what was meant.
#[test]
fn what_is_wrong_in_a_file() {
    let folder = recordings();
    let mut said = String::new();
    for config in [
        "[check]\nexlude = [\"old\"]",
        "[chek]\n",
        "[check]\nexclude = \"old\"",
        "[check]\nexclude = [\"[\"]",
        "[check]\nfail-on = \"warn\"",
        "[check]\nprofile = \"exact\"",
        "[check]\nmax-findings = -1",
        "[check]\nignore-files = \"no\"",
        "[rules]\n\"lime/tool-needs-toolcall-id\" = \"off\"\nmising_scope_id = \"of\"\nnonsense = \"error\"",
        "[limits]\ndepth = 2000\nevent_bytes = 5",
        "[limits]\ndepth = 2000\nhistory = 0",
        "[[files]]\nprotocol = \"lime\"",
        "[[files]]\nglob = \"*\"\nprotocol = \"limes\"\nframing = \"jsonl\"\nprofile = \"stric\"",
        "[[files]]\nglob = \"*\"\nprotocol = \"social-app\"\nversion = \"v2\"",
        "[[files]]\nglob = \"*\"\nprotocol = \"lime\"\nversion = \"v1\"",
        "[[files]]\nglob = \"*\"\nversion = \"v1\"",
        "[[files]]\nglob = \"*\"\nprotocol = \"ubik\"\nprofile = \"reference\"",
        "[[files]]\nglob = \"*\"\nas = \"lime/Event\"\nframing = \"ndjson\"",
        "[[files]]\nglob = \"*\"\nas = \"lime/Evnt\"",
        "[[secrets.patterns]]\nid = \"a\"\nregex = 'acme_['",
        "[[secrets.patterns]]\nid = \"a b\"\nregex = 'acme_'",
        "[[secrets.patterns]]\nid = \"a\"\nregex = 'acme_'\nkeywords = [\"a\"]\n[[secrets.patterns]]\nid = \"a\"\nregex = 'a*'",
        "[[secrets.allow]]\nrule = \"lime/secret-key\"",
        "[[secrets.allow]]\npath = \"payload\"\n[[secrets.allow]]\npath = \"$.a\"\nrule = \"lime/title-missing\"",
        "[[secrets.allow]]\nsha256 = \"abc\"",
        "[check\n",
        "name = \"größe\" x",
    ] {
        folder.write("contracts.toml", config);
        let run = folder.run_line("check clean.jsonl");
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{config}\n{run}");
        said += &format!("{config}\n\n{}\n----------\n", run.stderr);
    }
    assert_snapshot!(said);
}

#[test]
fn names_that_were_meant() {
    let folder = recordings();
    for (config, said) in [
        ("[check]\nexlude = []", "contracts.toml:2:1: there is no key `exlude` here; did you mean `exclude`?"),
        ("[check]\nbaseline = \"\"", "contracts.toml:2:12: a path is empty"),
        ("[check]\npaths = [\"\"]", "contracts.toml:2:10: a path is empty"),
        ("[check]\nprofile = \"stric\"", "contracts.toml:2:11: there is no profile `stric`; did you mean `strict`?"),
        (
            "[rules]\n  \"lime/tool-needs-toolcall-id\" = \"off\"",
            "contracts.toml:2:3: lime/tool-needs-toolcall-id is neither a rule nor a code; did you mean lime/tool-needs-tool-call-id?",
        ),
        (
            "[rules]\nmising_scope_id = \"off\"",
            "contracts.toml:2:1: mising_scope_id is neither a rule nor a code; did you mean missing_scope_id?",
        ),
    ] {
        folder.write("contracts.toml", config);
        let run = folder.run_line("check clean.jsonl");
        assert_eq!((run.status, run.stderr), (Some(2), format!("error: {said}\n")), "{config}");
    }
}

#[test]
fn where_the_file_is_looked_for() {
    let folder = recordings();
    folder.write("contracts.toml", "[[files]]\nglob = \"old/missing.jsonl\"\nprofile = \"schema\"\n");
    // In a folder above; globs are relative to that one.
    let run = folder.run_in("old", "check missing.jsonl");
    assert_eq!((run.status, run.rules().as_str()), (Some(0), ""), "{run}");
    let run = folder.run_in("old/deep", "check missing.jsonl");
    assert_eq!(run.status, Some(1), "{run}");
    // Not beyond the root of a repository.
    std::fs::create_dir(folder.path("old/.git")).unwrap();
    let run = folder.run_in("old", "check missing.jsonl");
    assert_eq!(run.status, Some(1), "{run}");
    // A file that is named: globs are relative to where we are.
    folder.write("ci/other.toml", "[[files]]\nglob = \"/missing.jsonl\"\nprofile = \"schema\"\n");
    let run = folder.run_in("old", "check --config ../ci/other.toml missing.jsonl");
    assert_eq!(run.status, Some(0), "{run}");
    for arguments in ["check --config nowhere.toml .", "check --config ci/other.toml --no-config ."] {
        assert_eq!(folder.run_line(arguments).status, Some(2), "{arguments}");
    }
}

#[test]
fn paths_of_the_file_are_relative_to_it() {
    let folder = recordings();
    folder.write("contracts.toml", "[check]\npaths = [\"old/missing.jsonl\"]\nbaseline = \"known.json\"\n");
    let run = folder.run_in("old/deep", "check --write-baseline");
    assert_eq!(run.status, Some(0), "{run}");
    assert!(folder.read("known.json").contains("\"file\":\"old/missing.jsonl\""));
    let run = folder.run_line("check");
    assert_eq!((run.status, run.rules().as_str()), (Some(0), ""), "{run}");
}

#[test]
fn the_configuration_in_effect() {
    let folder = recordings();
    folder.write(
        "contracts.toml",
        "[check]\nexclude = [\"old\"]\nfail-on = \"warning\"\n\n[rules]\n\"lime/secret-key\" = \"off\"\nschema_mismatch = \"note\"\n\n\
         [limits]\nhistory = 10\n\n[[files]]\nglob = \"*.log\"\nprotocol = \"social-app\"\nversion = \"v1\"\n\n\
         [[secrets.patterns]]\nid = \"acme-key\"\nregex = 'acme_\\w+'\nkeywords = [\"acme_\"]\n\n\
         [[secrets.allow]]\npath = \"$..a\"\nrule = \"lime/secret-key\"\n",
    );
    let arguments = "check --print-config --exclude *.bak --fail-on note --deny secret_leak_risk --framing sse old";
    let run = folder.run_line(arguments);
    assert_snapshot!("print_config", run);
    // What is printed says the same.
    folder.write("contracts.toml", &run.stdout);
    let again = folder.run_line("check --print-config");
    let values = |text: &str| {
        let mut lines: Vec<String> =
            text.lines().filter_map(|line| line.split(" # ").next().map(str::to_owned)).collect();
        lines.sort();
        lines
    };
    assert_eq!(values(&run.stdout), values(&again.stdout));
    assert_snapshot!("print_config_without_a_file", recordings().run_line("check --print-config"));
}

#[test]
fn what_is_printed() {
    let folder = Scene::repository(&[
        ("a.jsonl", &recording("cwc")),
        ("b.jsonl", &recording("ewe")),
        ("notes.txt", "no protocol\n"),
        ("package.json", r#"{"name":"package"}"#),
    ]);
    assert_snapshot!("list_files", folder.run_line("check --list-files ."));
    assert_snapshot!("verbose", folder.run_line("check --verbose --max-findings 1 ."));
    let quiet = folder.run_line("check --quiet --exclude b.jsonl .");
    assert_eq!((quiet.status, quiet.stderr.as_str()), (Some(0), ""), "{quiet}");
    assert_eq!(quiet.rules(), format!("{EMPTY} input/unrecognised"));
}

/// Errors come first, and all are counted.
#[test]
fn at_most_so_many_findings() {
    let folder = Scene::repository(&[("a.jsonl", &recording("wwe")), ("b.jsonl", &recording("ew"))]);
    for (most, rules) in [
        ("0", format!("{EMPTY} {EMPTY} {MISSING} {MISSING} {EMPTY}")),
        ("1", MISSING.to_owned()),
        ("2", format!("{MISSING} {MISSING}")),
        ("3", format!("{EMPTY} {MISSING} {MISSING}")),
        ("9", format!("{EMPTY} {EMPTY} {MISSING} {MISSING} {EMPTY}")),
    ] {
        let run = folder.run_line(&format!("check --max-findings {most} ."));
        assert_eq!((run.status, run.rules()), (Some(1), rules), "{most}: {run}");
        assert!(run.stderr.starts_with("checked 5 events in 2 files: 2 errors, 3 warnings, 0 notes"), "{run}");
    }
    let run = folder.run_line("check --max-findings 1 --format json .");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["summary"]["warnings"], 3);
    // The file says so, and the option takes it back.
    folder.write("contracts.toml", "[check]\nmax-findings = 1\n");
    assert_eq!(folder.run_line("check .").rules(), MISSING);
    assert_eq!(folder.run_line("check --max-findings 0 .").rules().split(' ').count(), 5);
}

/// The example of the documentation is a configuration.
#[test]
fn the_documented_example() {
    let page = include_str!("../../docs/configuration.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = Scene::repository(&[("contracts.toml", example)]);
    let run = folder.run_line("check --print-config");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{run}");
    // Every key that is in effect is one that the page names.
    for line in run.stdout.lines().filter(|line| line.contains(" = ") && !line.starts_with(['"', ' '])) {
        let key = line.split(" = ").next().unwrap();
        let is_code = key == "sequence_gap";
        assert!(is_code || page.contains(&format!("| `{key}` |")), "{key}");
    }
}

/// A configuration that cannot be read is never passed over.
#[cfg(unix)]
#[test]
fn what_is_no_file() {
    let folder = recordings();
    std::fs::create_dir(folder.path("contracts.toml")).unwrap();
    for (arguments, status, said) in [
        ("check clean.jsonl", 2, "contracts.toml: cannot be read"),
        ("check --no-config clean.jsonl", 0, ""),
        ("check --config /dev/null clean.jsonl", 0, ""),
        ("check --config contracts.toml clean.jsonl", 2, "--config contracts.toml: it is a folder"),
        ("check --config nowhere clean.jsonl", 2, "--config nowhere: there is no such file"),
    ] {
        let run = folder.run_line(arguments);
        assert_eq!(run.status, Some(status), "{run}");
        assert!(run.stderr.contains(said), "{run}");
    }
    std::fs::remove_dir(folder.path("contracts.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path("contracts.toml")).unwrap();
    let run = folder.run_line("check clean.jsonl");
    assert_eq!(run.status, Some(2), "{run}");
}
