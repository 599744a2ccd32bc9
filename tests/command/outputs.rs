//! The formats of the command line: what they look like, that their readers can read them, and
//! what of long lists, thresholds and places is in them.
#![cfg(all(feature = "cli", unix))]

use std::collections::HashSet;

use crate::common::command::{Run, Scene};
use crate::common::formats::{FORMATS, annotations, assert_valid, event, faults, fixture, valid_junit, valid_sarif};
use insta::assert_snapshot;
use roxmltree::Document;
use serde_json::{Value, json};

/// Files of each kind, with findings of each severity, at a place and at none.
fn recordings() -> Scene {
    let run = |kind: &str| format!("data: {{\"type\":\"{kind}\",\"threadId\":\"t\",\"runId\":\"r\"}}\n\n");
    let start = "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",\"role\":\"assistant\"}\n\n".to_owned();
    let lime = [event(1, "context.resolved", ""), faults(2, 1), event(3, "state.delta", r#","stepId":"""#)];
    Scene::empty()
        .with("runs/agui.sse", [run("RUN_STARTED"), start, run("RUN_FINISHED")].concat())
        .with("runs/clean.sse", [run("RUN_STARTED"), run("RUN_FINISHED")].concat())
        .with("runs/empty.jsonl", "")
        .with("runs/lime.jsonl", lime.concat())
        .with("runs/noted.jsonl", event(1, "state.delta", "").replace("running", "sideways"))
        .with("runs/package.json", "{\"name\": \"package\"}")
}

/// Fixtures that hold, that do not in each way, and that cannot be run.
fn fixtures() -> Scene {
    let found = json!({"rule": "lime/tool-needs-tool-call-id", "event": 0});
    let other = json!({"rule": "lime/secret-key", "path": "$.payload"});
    Scene::empty()
        .with("fixtures/another.json", fixture(&json!([other])))
        .with("fixtures/held.json", fixture(&json!([found])))
        .with("fixtures/misspelt.json", fixture(&json!([])).replace("title", "titel"))
        .with("fixtures/too-few.json", fixture(&json!([])))
        .with("fixtures/too-many.json", fixture(&json!([found, other])))
}

/// JUnit without the times that the files took.
fn untimed(text: &str) -> String {
    let mut parts = text.split("time=\"");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |out, part| out + "time=\"…" + &part[part.find('"').unwrap()..])
}

#[test]
fn what_a_check_looks_like() {
    for format in FORMATS {
        let shown = recordings().run(&["check", "--format", format, "runs", "nowhere.jsonl"]).stdout;
        assert_valid(format, &shown);
        assert_snapshot!(format!("check_{format}"), untimed(&shown));
    }
}

#[test]
fn what_a_test_looks_like() {
    for format in FORMATS.into_iter().chain(["json"]) {
        let shown = fixtures().run(&["test", "--format", format]).stdout;
        assert_valid(format, &shown);
        assert_snapshot!(format!("test_{format}"), untimed(&shown));
    }
}

#[test]
fn what_a_rewritten_fixture_looks_like() {
    for format in ["agent", "json"] {
        let scene = Scene::empty().with("fixtures/too-few.json", fixture(&json!([])));
        assert_snapshot!(format!("bless_{format}"), scene.run(&["test", "--bless", "--format", format]).stdout);
    }
}

#[test]
fn what_came_of_it_is_told_once() {
    for format in FORMATS.into_iter().chain(["human", "json"]) {
        for (scene, arguments, line) in [
            (recordings(), ["check", "runs"], "checked 9 events in 5 files: 2 errors"),
            (fixtures(), ["test", "fixtures"], "fixtures: 1 passed, 3 failed"),
        ] {
            let run = scene.run(&[&arguments[..], &["--format", format]].concat());
            let (on_stdout, on_stderr) = (run.stdout.matches(line).count(), run.stderr.matches(line).count());
            let is_with_findings = matches!((arguments[0], format), (_, "markdown" | "agent") | ("test", "human"));
            assert_eq!((on_stdout, on_stderr), if is_with_findings { (1, 0) } else { (0, 1) }, "{format}: {run}");

            // Whoever has the findings written to a file is told all the same.
            let run = scene.run(&[&arguments[..], &["--format", format, "--output-file", "report"]].concat());
            let is_told = (arguments[0], format) != ("test", "human");
            assert_eq!(run.stderr.matches(line).count(), usize::from(is_told), "{format}: {run}");
        }
    }
}

#[test]
fn one_run_writes_several_reports() {
    for (command, scene) in [(&["check", "runs"][..], recordings()), (&["test"], fixtures())] {
        let of = |format: &str| scene.run(&[command, &["--format", format][..]].concat()).stdout;
        let (human, sarif, junit) = (of("human"), of("sarif"), of("junit"));
        let reports = ["--report", "sarif=found.sarif", "--report", "junit=found.xml"];
        assert_eq!(scene.run(&[command, &reports[..]].concat()).stdout, human);
        assert_eq!(scene.read("found.sarif"), sarif);
        assert_eq!(untimed(&scene.read("found.xml")), untimed(&junit));
    }
}

#[test]
fn nothing_to_check_is_no_success() {
    let scene = Scene::empty().with("README.md", "# Nothing");
    for command in ["check", "test"] {
        let sarif = scene.run(&[command, "--format", "sarif", "."]).json();
        assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false, "{sarif}");
        let junit = scene.run(&[command, "--format", "junit", "."]).stdout;
        assert!(junit.contains("failures=\"0\" errors=\"1\""), "{junit}");
    }
}

#[test]
fn github_annotates_ten_of_each_severity() {
    /// The largest summary that GitHub takes.
    const LARGEST: usize = 1024 * 1024;
    let note = |number| event(number, "state.delta", "").replace("running", "sideways");
    let notes: String = (1..=12).map(note).collect();
    let scene = Scene::empty().with("a.jsonl", notes).with("b.jsonl", faults(1, 12));
    let arguments = ["check", "--format", "github", "."];
    let text = scene.run(&arguments).stdout;
    let kinds: Vec<&str> = annotations(&text).iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, [["error"; 10], ["notice"; 10]].concat(), "{text}");
    assert!(text.lines().last().unwrap().starts_with("4 more results have no annotation"), "{text}");

    // What is in the summary already counts.
    let beside = Scene::empty();
    let file = beside.path("summary.md");
    for (before, listed, is_cut) in [(10, 4, false), (LARGEST - 300, 0, true), (LARGEST, 0, false)] {
        std::fs::write(&file, "x".repeat(before)).unwrap();
        scene.command(&arguments).env("GITHUB_STEP_SUMMARY", &file).output().unwrap();
        let summary = std::fs::read_to_string(&file).unwrap();
        assert!(summary.len() <= LARGEST, "{before}: {}", summary.len());
        assert_eq!(summary.matches("\n- **").count(), listed, "{before}");
        assert_eq!(summary.contains("more results are not listed here"), is_cut, "{before}");
    }
}

#[test]
fn comments_have_a_length() {
    let scene = Scene::empty().with("a.jsonl", faults(1, 1000));
    let text = scene.run(&["check", "--format", "markdown", "a.jsonl"]).stdout;
    let listed = text.matches("\n- **").count();
    assert!(text.len() <= 65_536 && listed > 100, "{listed} in {}", text.len());
    assert!(
        text.ends_with(&format!("\n{} more results are not listed here: there is no room for them.\n", 1000 - listed))
    );
}

/// The gravest are kept, and what is not is said.
#[test]
fn code_scanning_takes_so_many_results() {
    const MOST: usize = 25_000;
    let warned = event(1, "state.delta", r#","stepId":"""#);
    let all = "[limits]\nstream-findings = 25000\n";
    let scene = Scene::empty().with("contracts.toml", all).with("a.jsonl", warned).with("b.jsonl", faults(1, MOST));
    let sarif = scene.run(&["check", "--format", "sarif", "."]).json();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), MOST);
    assert!(results.iter().all(|result| result["level"] == "error"));
    let notice = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(*notice, "1 more findings are not listed: there are too many");
}

/// What `--max-findings` leaves out is not what a format has no room for.
#[test]
fn findings_that_nobody_wanted() {
    let scene = Scene::empty().with("a.jsonl", faults(1, 30));
    let check = |format: &str| scene.run(&["check", "--max-findings", "2", "--format", format, "a.jsonl"]).stdout;
    let said = "28 more findings are not listed: --max-findings leaves them out";
    let sarif: Value = serde_json::from_str(&check("sarif")).unwrap();
    valid_sarif(&sarif);
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    let notices = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(*notices, json!([{"level": "note", "message": {"text": said}}]));
    let gitlab: Value = serde_json::from_str(&check("gitlab")).unwrap();
    assert_eq!(gitlab[2]["description"], said);
    let github = check("github");
    assert_eq!(annotations(&github).len(), 2, "{github}");
    assert_eq!(github.lines().last(), Some("28 more results are not listed: --max-findings leaves them out"));
    let markdown = check("markdown");
    assert!(markdown.ends_with("\n28 more results are not listed: `--max-findings` leaves them out.\n"), "{markdown}");
    assert!(!markdown.contains("no room"), "{markdown}");
}

fn fingerprints(recording: &str) -> Vec<String> {
    let scene = Scene::empty().with("a.jsonl", recording);
    let sarif = scene.run(&["check", "--format", "sarif", "a.jsonl"]).json();
    let of = |result: &Value| result["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap().to_owned();
    let found: Vec<String> = sarif["runs"][0]["results"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len(), "{found:?}");
    found
}

#[test]
fn fingerprints_stay() {
    let three = fingerprints(&faults(1, 3));
    assert_eq!(three.len(), 3);
    assert_eq!(fingerprints(&faults(1, 5))[..3], three, "when the recording goes on");
    assert_eq!(fingerprints(&(event(1, "context.resolved", "") + &faults(2, 3))), three, "in other lines");
    assert_eq!(fingerprints(&faults(1, 3).replace("evt_", "e-")), three, "with other ids");
}

/// Neither the text of a secret nor its length counts, whether it is a value or in a key.
#[test]
fn fingerprints_do_not_depend_on_secrets() {
    let recording = |secret: &str, before: &str| {
        let token = ["ghp_", secret].concat();
        let payload = json!({"api_key": token, "text": token, format!("token{before} {token}"): 1.5});
        event(1, "context.resolved", &format!(",\"payload\":{payload}"))
    };
    let first = fingerprints(&recording("x7Kd93jfLq0ZbV5nRw8TyUe1Aa2Ss4Dd6FfG", ""));
    assert!(first.len() > 1, "{first:?}");
    assert_eq!(fingerprints(&recording("Qm4Zt81bXr6LsW2vNc9HyPe5Ju3Gk7Ff0DdA", "-----")), first);
}

#[test]
fn names_are_relative_to_the_checkout() {
    let scene = Scene::empty().with("service/runs/a.jsonl", faults(1, 1));
    let root = scene.root().canonicalize().unwrap();
    let absolute = root.join("service/runs/a.jsonl");
    let absolute = absolute.to_str().unwrap();
    for (variable, name, place) in [
        (None, "runs/a.jsonl", "runs/a.jsonl"),
        (None, absolute, "runs/a.jsonl"),
        (Some("GITHUB_WORKSPACE"), "runs/a.jsonl", "service/runs/a.jsonl"),
        (Some("CI_PROJECT_DIR"), absolute, "service/runs/a.jsonl"),
    ] {
        let arguments = ["check", "--format", "gitlab", name];
        let mut command = scene.command(&arguments);
        command.current_dir(root.join("service")).envs(variable.map(|variable| (variable, &root)));
        let report = Run::of(&arguments, &mut command).json();
        assert_eq!(report[0]["location"]["path"], place, "{variable:?} {name}");
    }
}

#[test]
fn standard_input_has_a_uri() {
    let scene = Scene::empty();
    let arguments = ["check", "--format", "sarif", "-"];
    let sarif = Run::of(&arguments, scene.command(&arguments).write_stdin(faults(1, 1))).json();
    valid_sarif(&sarif);
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "%3Cstdin%3E");
    let region = &place["region"];
    // The class, with its quotes.
    assert_eq!(region["endColumn"].as_u64(), region["startColumn"].as_u64().map(|column| column + 14), "{region}");
}

#[test]
fn a_case_fails_from_the_threshold_on() {
    let scene = Scene::empty().with("a.jsonl", event(1, "state.delta", r#","stepId":"""#));
    for (threshold, element) in [("error", "system-out"), ("warning", "failure")] {
        let text = scene.run(&["check", "--format", "junit", "--fail-on", threshold, "a.jsonl"]).stdout;
        let document = Document::parse(&text).unwrap();
        valid_junit(&document);
        let case = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
        let inside = case.first_element_child().unwrap();
        assert!(
            inside.has_tag_name(element) && inside.text().is_some_and(|text| text.starts_with("a.jsonl:1:")),
            "{text}"
        );
    }
}

#[test]
fn results_do_not_replace_a_fixture() {
    let stream = faults(1, 1);
    let scene = Scene::empty()
        .with("fixtures/a.json", fixture(&json!([])))
        .with("fixtures/b.jsonl", &stream)
        .with("fixtures/b.expect.json", r#"{"protocol":"lime","title":"a stream","expect":[]}"#);
    let before = scene.read("fixtures/a.json");
    for (name, status) in [("fixtures/a.json", 2), ("fixtures/b.jsonl", 2), ("fixtures/report.json", 1)] {
        // The report of an earlier run is there the second time.
        for _ in 0..2 {
            let run = scene.run(&["test", "--format", "gitlab", "--output-file", name]);
            assert_eq!(run.status, Some(status), "{name}: {run}");
        }
    }
    assert_eq!((scene.read("fixtures/a.json"), scene.read("fixtures/b.jsonl")), (before, stream));
}
