//! No name and no key gets through a format which its reader would obey.
#![cfg(all(feature = "cli", unix))]

use std::collections::BTreeSet;

use crate::common::command::Scene;
use crate::common::formats::{
    FORMATS, annotations, code_spans, decoded, event, fixture, valid_code_quality, valid_junit, valid_sarif,
};
use roxmltree::Document;
use serde_json::{Value, json};

/// Names of files that mean something to a shell, a terminal, or one of the formats.
const NAMES: [&str; 25] = [
    "two words",
    "100%41",
    "a,b=c",
    "a:b",
    "::error::x",
    "line\nbreak",
    "return\r",
    "tab\t",
    "escape\u{1b}[31m",
    "bidi\u{202E}gnp",
    "isolate\u{2066}",
    "width\u{200B}less",
    "separator\u{2028}",
    "non\u{FFFE}character",
    "]]>",
    "&amp;<img src=x>",
    "quotes\"'",
    "tick`",
    "``ticks``",
    "pipe|",
    "@someone #12 !3",
    "[a](b)",
    "{0}",
    "?q#f",
    "back\\slash é",
];

/// A key that is reported by its path, with all of that in it.
const KEY: &str = "api_key \u{202E}\u{1b}[2J\n`|<b>@me #1 ]]>[x](http://y)%0A::error::\u{FFFF}\u{2028}";

fn is_obeyed(c: char) -> bool {
    c.is_control() || "\u{200B}\u{202E}\u{2028}\u{2066}".contains(c)
}

/// The text as formats show it, apart from some characters that one of them may escape itself.
fn shown(text: &str, but: &[char]) -> String {
    let show = |c: char| if is_obeyed(c) && !but.contains(&c) { c.escape_unicode().to_string() } else { c.to_string() };
    text.chars().map(show).collect()
}

/// The files of all names, as a format shows them.
fn files(folder: &str, ending: &str, show: impl Fn(&str) -> String) -> BTreeSet<String> {
    NAMES.iter().map(|name| show(&format!("{folder}/{name}.{ending}"))).collect()
}

/// A recording and a fixture of each name, both with a finding that has the key.
fn hostile(names: &[&str]) -> Scene {
    let line = event(1, "context.resolved", &format!(r#","payload":{}"#, json!({KEY: 1})));
    names.iter().fold(Scene::empty(), |scene, name| {
        let scene = scene.with(&format!("runs/{name}.jsonl"), &line);
        scene.with(&format!("fixtures/{name}.json"), fixture(&json!([{"path": KEY}])))
    })
}

/// What the command prints, of which nothing is obeyed.
fn harmless(scene: &Scene, arguments: &[&str]) -> String {
    let text = scene.run(arguments).stdout;
    let found: Vec<char> = text.chars().filter(|c| is_obeyed(*c) && *c != '\n').collect();
    assert!(found.is_empty(), "{arguments:?}: {found:?} in {text}");
    text
}

/// The two commands, with the folder of their files and the ending of these.
const COMMANDS: [(&str, &str, &str); 2] = [("check", "runs", "jsonl"), ("test", "fixtures", "json")];

#[test]
fn hostile_names_and_keys_in_sarif() {
    let scene = hostile(&NAMES);
    for (command, folder, ending) in COMMANDS {
        let text = harmless(&scene, &[command, "--format", "sarif", folder]);
        let sarif: Value = serde_json::from_str(&text).unwrap();
        valid_sarif(&sarif);
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let uri = |result: &Value| {
            decoded(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap())
        };
        let found: BTreeSet<String> = results.iter().map(uri).collect();
        assert_eq!(found, files(folder, ending, str::to_owned));
        for result in results {
            // A link in a message is `[text](target)`.
            assert!(!result["message"]["text"].as_str().unwrap().contains("](http"), "{result}");
        }
    }
}

#[test]
fn hostile_names_and_keys_in_junit() {
    let scene = hostile(&NAMES);
    for (command, folder, ending) in COMMANDS {
        let text = harmless(&scene, &[command, "--format", "junit", folder]);
        let document = Document::parse(&text).unwrap();
        valid_junit(&document);
        let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
        let found: BTreeSet<String> = cases.filter_map(|case| case.attribute("name")).map(str::to_owned).collect();
        let xml = |name: &str| shown(name, &[]).replace('\u{FFFE}', "\\u{fffe}");
        assert_eq!(found, files(folder, ending, xml));
    }
}

#[test]
fn hostile_names_and_keys_in_annotations() {
    for name in NAMES {
        let scene = hostile(&[name]);
        for (command, folder, ending) in COMMANDS {
            let text = harmless(&scene, &[command, "--format", "github", folder]);
            let annotations = annotations(&text);
            assert_eq!(annotations.len(), text.lines().count(), "{text}");
            for (kind, properties, _) in annotations {
                assert_eq!(kind, "error");
                assert_eq!(properties["file"], shown(&format!("{folder}/{name}.{ending}"), &['\n', '\r']));
            }
        }
    }
}

#[test]
fn hostile_names_and_keys_in_a_code_quality_report() {
    let scene = hostile(&NAMES);
    for (command, folder, ending) in COMMANDS {
        let text = harmless(&scene, &[command, "--format", "gitlab", folder]);
        let report: Value = serde_json::from_str(&text).unwrap();
        valid_code_quality(&report);
        let path = |entry: &Value| entry["location"]["path"].as_str().unwrap().to_owned();
        let found: BTreeSet<String> = report.as_array().unwrap().iter().map(path).collect();
        assert_eq!(found, files(folder, ending, |name| shown(name, &[])));
    }
}

#[test]
fn hostile_names_and_keys_in_markdown() {
    let scene = hostile(&NAMES);
    for (command, folder, ending) in COMMANDS {
        let text = harmless(&scene, &[command, "--format", "markdown", folder]);
        let (outside, spans) = code_spans(&text);
        // Nothing that Markdown, or what GitHub and GitLab make of its result, would take for a
        // link, a mention, a reference or HTML.
        let plain = outside.replace("<br>", "").replace("\n### ", "\n").replace("\n#### ", "\n");
        let plain = plain.trim_start_matches("### ");
        assert!(!plain.contains(['<', '>', '@', '#', '!', '[', ']', '(', '\\', '&', '%']), "{plain}");
        for name in NAMES {
            let name = shown(&format!("{folder}/{name}.{ending}"), &[]);
            // Once in the table, where a pipe needs a backslash in code too.
            assert!(spans.contains(&name) && spans.contains(&name.replace('|', "\\|")), "{name}: {spans:?}");
        }
    }
}

#[test]
fn hostile_names_and_keys_in_lines() {
    let scene = hostile(&NAMES);
    for (command, folder, ending) in COMMANDS {
        let text = harmless(&scene, &[command, "--format", "agent", folder]);
        assert_eq!(text.lines().count(), NAMES.len() + 1, "{text}");
        for name in NAMES {
            let start = shown(&format!("{folder}/{name}.{ending}:"), &[]);
            assert!(text.lines().any(|line| line.starts_with(&start)), "{start}: {text}");
        }
    }
}

#[test]
fn hostile_names_and_keys_in_json() {
    let scene = hostile(&NAMES);
    for (command, folder, ending) in COMMANDS {
        let report: Value = serde_json::from_str(&harmless(&scene, &[command, "--format", "json", folder])).unwrap();
        let rows = report[if command == "check" { "findings" } else { "fixtures" }].as_array().unwrap();
        let found: BTreeSet<String> = rows.iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect();
        assert_eq!(found, files(folder, ending, str::to_owned));
    }
}

#[test]
fn hostile_names_and_keys_for_people() {
    let call = event(1, "context.resolved", &format!(r#","payload":{}"#, json!({KEY: 1})));
    let call: Value = serde_json::from_str(&call).unwrap();
    let fixture = json!({"protocol": "lime", "title": "a key", "events": [call], "expect": [{"path": KEY}]});
    let scene = hostile(&NAMES).with("fixtures/key.json", fixture.to_string());
    for (command, folder, _) in COMMANDS {
        let text = harmless(&scene, &[command, folder]);
        assert!(text.contains("\\u{202e}"), "{text}");
    }
}

#[test]
fn hostile_names_of_files_that_are_not_there() {
    for format in FORMATS {
        let text = harmless(&hostile(&[]), &["check", "--format", format, KEY]);
        assert!(text.contains("api"), "{format}: {text}");
    }
}

/// What a fixture says where it cannot be run is told without what looks like a token.
#[test]
fn tokens_in_fixtures_that_cannot_be_run() {
    let token = ["ghp_", "x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
    let written: Value = serde_json::from_str(&fixture(&json!([]))).unwrap();
    for (member, value) in [
        ("limits", json!({token.as_str(): 1})),
        ("version", json!(token)),
        ("waive", json!([{"rule": token, "reason": "known"}])),
        ("waive", json!([{"rule": "lime/secret-key", "reason": token}])),
    ] {
        let mut fixture = written.clone();
        fixture[member] = value;
        let scene = Scene::empty().with("fixtures/a.json", fixture.to_string());
        for format in FORMATS.into_iter().chain(["human", "json"]) {
            let run = scene.run(&["test", "--format", format]);
            assert_ne!(run.status, Some(0), "{member}: {run}");
            assert!(!run.to_string().contains(&token), "{member}: {run}");
        }
    }
}

/// On stderr a name that has a line feed is one line: a log obeys lines that begin with `::`.
#[test]
fn hostile_names_on_stderr() {
    let name = "line\n::error::pwned";
    let event = event(1, "context.resolved", "");
    let scene = Scene::empty()
        .with(&format!("packed/{name}.jsonl"), b"\x28\xB5\x2F\xFDx")
        .with(&format!("hidden/.{name}.jsonl"), &event)
        .with("hidden/clean.jsonl", &event)
        .with(&format!("prose/{name}.json"), "{}")
        .with(&format!("broken/{name}.json"), "{\"expect\"")
        .with("contracts.toml", "[rules]\n\"a\\n::error::pwned\" = \"error\"\n");
    for arguments in [
        &["check", "--no-config", "packed"][..],
        &["check", "--no-config", "hidden"],
        &["check", "--no-config", "--exclude", "*.jsonl", "packed"],
        &["check", "--no-config", "--list-files", "prose"],
        &["check", "--no-config", &format!("packed/{name}.jsonl")],
        &["check", "--no-config", name],
        &["check", "--no-config", &format!("{name}/*.jsonl")],
        &["check", "--no-config", "--baseline", name, "hidden"],
        &["check", "--config", name],
        &["check", "hidden"],
        &["test", "broken"],
        &["test", name],
        &["explain", name],
    ] {
        let text = scene.run(arguments).stderr;
        assert!(text.contains("::error::pwned"), "{arguments:?}: {text}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{arguments:?}: {text}");
    }
}

/// What is wrong with the arguments is said without what a terminal obeys, and without secrets.
#[test]
fn hostile_arguments() {
    let token = ["ghp_x7Kd93jfLq0Z", "bV5nRw8TyUe1Aa2Ss4Dd6FfG"].concat();
    let scene = Scene::empty();
    for hostile in ["\u{1b}]0;owned\u{7}\u{1b}[31mx\u{202e}", &token] {
        for arguments in [
            &["check", &format!("--{hostile}")][..],
            &["check", "--protocol", hostile],
            &["check", "--threads", hostile],
            &["check", "--format", hostile],
            &["check", &format!("--formats={hostile}")],
            &["schema", hostile],
            &["schema", "check", hostile],
            &["schema", "export", "--color", "always", hostile],
            &["completions", hostile],
            &[hostile],
        ] {
            let run = scene.run(arguments);
            let text = run.stdout + &run.stderr;
            let is_obeyed = |c: char| (c.is_control() && !matches!(c, '\n' | '\u{1b}')) || c == '\u{202e}';
            let is_clean = !text.contains(is_obeyed) && !text.contains(&token) && !text.contains("\u{1b}[31mx");
            assert!(is_clean, "{arguments:?}: {text:?}");
        }
    }
}

/// What a build takes for a command in its log: `::…` at the beginning of a line, the others anywhere.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || ["##[", "##vso[", "##teamcity["].iter().any(|command| line.contains(command))
}

#[test]
fn nothing_is_a_command_to_a_build() {
    let names = ["::stop-commands::x", " ::warning::y", "##[group]z", "##vso[task.complete]w", "##teamcity[v", "plain"];
    let keys = json!({KEY: 1, "##vso[task.setvariable variable=PATH]x": {"##[a]": 1}, "###teamcity[b]": 1});
    let line = event(1, "context.resolved", &format!(r#","payload":{keys}"#));
    let scene = names.iter().fold(Scene::empty(), |scene, name| {
        let scene = scene.with(&format!("{name}.jsonl"), &line);
        scene.with(&format!("{name}.json"), fixture(&json!([{"path": KEY}])))
    });
    for arguments in [
        &["check", "--format", "agent", "--verbose"][..],
        &["check", "--format", "human", "--verbose"],
        &["check", "--list-files"],
        &["test", "--format", "agent", "."],
        &["test", "--format", "human", "."],
    ] {
        let ran = scene.run(arguments);
        assert!(ran.stdout.contains("plain.json"), "{arguments:?}: {}", ran.stdout);
        for line in ran.stdout.lines().chain(ran.stderr.lines()) {
            assert!(!is_command(line), "{arguments:?}: {line}");
        }
    }
    let ran = scene.run(&["check", "--format", "github", "--verbose"]);
    let own = |line: &str| ["::error ", "::warning ", "::notice "].iter().any(|begin| line.starts_with(begin));
    for line in ran.stdout.lines().filter(|line| !own(line)).chain(ran.stderr.lines()) {
        assert!(!is_command(line), "{line}");
    }
}
