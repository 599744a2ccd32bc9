//! The formats as their readers take them apart, and recordings and fixtures with findings.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use roxmltree::{Document, Node};
use serde_json::{Value, json};

pub const FORMATS: [&str; 6] = ["sarif", "junit", "github", "gitlab", "markdown", "agent"];

/// An event of Lime.
pub fn event(number: usize, class: &str, rest: &str) -> String {
    let kind = class.split('.').next().unwrap();
    let status = if kind == "context" { "completed" } else { "running" };
    format!(
        r#"{{"id":"evt_{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","threadId":"t","turnId":"u","eventClass":"{class}","kind":"{kind}","status":"{status}","sequence":{number},"title":"Search","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
    ) + "\n"
}

/// Calls without an id, numbered from `first` on.
pub fn faults(first: usize, count: usize) -> String {
    (first..first + count).map(|number| event(number, "tool.started", "")).collect()
}

/// A call without an id, and what is expected of it.
pub fn fixture(expect: &Value) -> String {
    let call: Value = serde_json::from_str(&event(1, "tool.started", "")).unwrap();
    let fixture = json!({"protocol": "lime", "title": "a search", "events": [call], "expect": expect});
    serde_json::to_string_pretty(&fixture).unwrap()
}

/// Whether the reader of the format can read it.
pub fn assert_valid(format: &str, text: &str) {
    match format {
        "sarif" => valid_sarif(&serde_json::from_str(text).unwrap()),
        "junit" => valid_junit(&Document::parse(text).unwrap()),
        "gitlab" => valid_code_quality(&serde_json::from_str(text).unwrap()),
        "github" => assert!(!annotations(text).is_empty(), "{text}"),
        "json" => drop(serde_json::from_str::<Value>(text).unwrap()),
        _ => assert!(text.ends_with('\n'), "{text}"),
    }
}

pub fn valid_sarif(sarif: &Value) {
    let path = super::repository().join("tests/sarif/sarif-2.1.0.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    holds(&schema, sarif);
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        // GitHub shows no rule without these.
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[text]["text"].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uriBaseId"], "%SRCROOT%", "{result}");
    }
}

/// The properties that GitLab documents, and that it needs.
pub fn valid_code_quality(report: &Value) {
    let schema = json!({"type": "array", "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": false,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {"type": "object", "required": ["path", "lines"], "additionalProperties": false, "properties": {
                "path": {"type": "string", "pattern": "^[^/]", "not": {"pattern": "^\\./"}},
                "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
            }},
        },
    }});
    holds(&schema, report);
    let fingerprints: Vec<&str> =
        report.as_array().unwrap().iter().map(|entry| entry["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.iter().collect::<HashSet<_>>().len(), fingerprints.len(), "{fingerprints:?}");
}

pub fn holds(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The elements of the schema that Jenkins has for JUnit: parent, required and optional attributes.
pub const JUNIT: [(&str, &str, &[&str], &[&str]); 7] = [
    ("testsuites", "", &[], &["name", "time", "tests", "failures", "errors"]),
    ("testsuite", "testsuites", &["name", "tests", "failures", "errors"], &["time", "skipped"]),
    ("testcase", "testsuite", &["name"], &["classname", "time"]),
    ("failure", "testcase", &[], &["type", "message"]),
    ("error", "testcase", &[], &["type", "message"]),
    ("skipped", "testcase", &[], &["type", "message"]),
    ("system-out", "testcase", &[], &[]),
];

pub fn valid_junit(document: &Document<'_>) {
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        let (_, parent, required, optional) = JUNIT.into_iter().find(|(known, ..)| *known == name).unwrap();
        assert_eq!(node.parent_element().map_or("", |parent| parent.tag_name().name()), parent);
        let attributes: Vec<&str> = node.attributes().map(|attribute| attribute.name()).collect();
        assert!(required.iter().all(|name| attributes.contains(name)), "{name}: {attributes:?}");
        assert!(
            attributes.iter().all(|name| required.contains(name) || optional.contains(name)),
            "{name}: {attributes:?}"
        );
        if let Some(time) = node.attribute("time") {
            assert!(time.parse::<f64>().is_ok_and(|time| time >= 0.0), "{time}");
        }
        if !name.starts_with("testsuite") {
            continue;
        }
        let cases: Vec<Node<'_, '_>> = node.descendants().filter(|node| node.has_tag_name("testcase")).collect();
        let with =
            |kind: &str| cases.iter().filter(|case| case.children().any(|child| child.has_tag_name(kind))).count();
        for (attribute, count) in [
            ("tests", cases.len()),
            ("failures", with("failure")),
            ("errors", with("error")),
            ("skipped", with("skipped")),
        ] {
            let said = node.attribute(attribute).map(|count| count.parse::<usize>().unwrap());
            assert!(said.is_none_or(|said| said == count), "{attribute} of {name}: {said:?}, not {count}");
        }
    }
}

/// Workflow commands as the runner of GitHub takes them apart: command, properties, message.
pub fn annotations(text: &str) -> Vec<(&str, BTreeMap<&str, String>, String)> {
    let unescaped = |text: &str| {
        let pairs = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
        pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    text.lines()
        .filter_map(|line| {
            let (info, message) = line.strip_prefix("::")?.split_once("::")?;
            let (kind, properties) = info.split_once(' ')?;
            let properties = properties.split(',').map(|pair| pair.split_once('=').unwrap());
            Some((kind, properties.map(|(name, value)| (name, unescaped(value))).collect(), unescaped(message)))
        })
        .collect()
}

/// Markdown without its code spans, and what is in these.
pub fn code_spans(text: &str) -> (String, BTreeSet<String>) {
    let (mut outside, mut spans, mut rest) = (String::new(), BTreeSet::new(), text);
    while let Some(start) = rest.find('`') {
        let fence = &rest[start..][..rest[start..].len() - rest[start..].trim_start_matches('`').len()];
        let inside = &rest[start + fence.len()..];
        let end = inside
            .match_indices(fence)
            .map(|(at, _)| at)
            .find(|at| !inside[..*at].ends_with('`') && !inside[at + fence.len()..].starts_with('`'))
            .expect("a code span has an end");
        let span = &inside[..end];
        let is_padded = span.starts_with(' ') && span.ends_with(' ') && !span.trim().is_empty();
        spans.insert(if is_padded { span[1..span.len() - 1].to_owned() } else { span.to_owned() });
        outside += &rest[..start];
        rest = &inside[end + fence.len()..];
    }
    (outside + rest, spans)
}

/// A URI reference with its escapes resolved.
pub fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped =
            (*first == b'%').then(|| u8::from_str_radix(std::str::from_utf8(&tail[..2]).unwrap(), 16).unwrap());
        bytes.push(escaped.unwrap_or(*first));
        rest = &tail[if escaped.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8(bytes).unwrap()
}
