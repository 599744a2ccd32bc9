//! SARIF 2.1.0, with what GitHub's code scanning reads of it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fingerprint::Fingerprints;
use super::gathered::{Context, Gathered, Row};
use super::places::{is_absolute, uri};
use super::sarif_rules::{descriptor, object};
use crate::cli::console::shown;
use crate::cli::describe;
use crate::report::ReportRelated;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What relative URIs are relative to.
const ROOT: &str = "%SRCROOT%";
const ABOUT_ROOT: &str = "The root of the checkout, or else the folder in which the command ran.";

/// How many other places of a finding are given.
const RELATED: usize = 10;

pub(super) fn render(gathered: &Gathered, context: &Context) -> String {
    let rules: BTreeSet<&str> = gathered.rows.iter().map(|row| row.finding.rule.as_str()).collect();
    let rules: Vec<&str> = rules.into_iter().collect();
    let mut fingerprints = Fingerprints::default();
    let results: Vec<String> = gathered
        .rows
        .iter()
        .map(|row| {
            let rule = rules.binary_search(&row.finding.rule.as_str()).unwrap_or_default();
            result(row, rule, &fingerprints.of(row, context), context).to_string()
        })
        .collect();
    // Only results may be many; they are never all there as values.
    let run = [
        ("tool", json!({"driver": driver(&rules)})),
        ("automationDetails", json!({"id": format!("{}/{}/", env!("CARGO_PKG_NAME"), context.command)})),
        ("columnKind", "unicodeCodePoints".into()),
        ("originalUriBaseIds", json!({ROOT: {"description": {"text": ABOUT_ROOT}}})),
        ("invocations", json!([invocation(gathered, context)])),
    ];
    let run: String = run.iter().map(|(name, value)| format!("\"{name}\":{value},\n")).collect();
    format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\n{run}\"results\":[\n{}\n]}}]}}\n",
        results.join(",\n")
    )
}

fn driver(rules: &[&str]) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let about = Some(env!("CARGO_PKG_REPOSITORY")).filter(|uri| uri.contains("://"));
    object([
        ("name", Some(env!("CARGO_PKG_NAME").into())),
        ("version", Some(version.into())),
        ("semanticVersion", Some(version.into())),
        ("informationUri", about.map(Value::from)),
        ("rules", Some(rules.iter().map(|id| descriptor(id, describe::rule(id))).collect())),
    ])
}

fn result(row: &Row, rule: usize, fingerprint: &str, context: &Context) -> Value {
    let finding = &row.finding;
    // GitHub shows nothing without a line: what is about the end of a stream stands at its beginning.
    let line = finding.line.unwrap_or(1);
    let region = Some(object([
        ("startLine", Some(line.into())),
        ("startColumn", finding.column.map(Value::from)),
        ("endLine", row.end_column.map(|_| line.into())),
        ("endColumn", row.end_column.map(Value::from)),
        ("byteOffset", finding.bytes.map(|[start, _]| start.into())),
        ("byteLength", finding.bytes.map(|[start, end]| end.saturating_sub(start).into())),
    ]));
    let related: Vec<Value> = finding
        .related
        .iter()
        .take(RELATED)
        .zip(1..)
        .map(|(related, id)| {
            let region = json!({"startLine": related.line, "startColumn": related.column});
            json!({
                "id": id,
                "message": {"text": unlinked(&shown(&related.message))},
                "physicalLocation": physical(&finding.file, Some(region), context),
            })
        })
        .collect();
    object([
        ("ruleId", Some(finding.rule.as_str().into())),
        ("ruleIndex", Some(rule.into())),
        ("level", Some(row.severity.as_str().into())),
        ("message", Some(json!({"text": message(row)}))),
        ("locations", Some(json!([{"physicalLocation": physical(&finding.file, region, context)}]))),
        ("relatedLocations", (!related.is_empty()).then(|| related.into())),
        // GitHub reads the first only; where it is missing, it is made of the text of the line.
        ("partialFingerprints", Some(json!({"primaryLocationLineHash": fingerprint, "place/v1": fingerprint}))),
        ("properties", Some(properties(row))),
    ])
}

fn properties(row: &Row) -> Value {
    let finding = &row.finding;
    object([
        ("event", finding.event.map(Value::from)),
        ("path", Some(shown(&finding.path).into())),
        ("pointer", Some(shown(&finding.pointer).into())),
        ("protocol", finding.protocol.as_deref().map(Value::from)),
    ])
}

/// What is wrong, where, and what to do. Viewers show the first sentence alone where there is
/// little room.
fn message(row: &Row) -> String {
    let place = row.place();
    let place = if place.is_empty() { place } else { format!(" ({place})") };
    let mut text = unlinked(&format!("{}{place}. Fix: {}.", shown(&row.finding.message), shown(&row.finding.help)));
    for (related, id) in row.finding.related.iter().take(RELATED).zip(1..) {
        // The only way in which GitHub shows the other places.
        text += &format!(" See [{}]({id}).", link_text(related));
    }
    text
}

/// Text without links: `[text](target)` is one.
fn unlinked(text: &str) -> String {
    text.replace("](", "] (")
}

fn link_text(related: &ReportRelated) -> String {
    shown(&related.message).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

fn physical(file: &str, region: Option<Value>, context: &Context) -> Value {
    let place = context.places.of(file);
    let artifact =
        object([("uri", Some(uri(&place).into())), ("uriBaseId", (!is_absolute(&place)).then(|| ROOT.into()))]);
    object([("artifactLocation", Some(artifact)), ("region", region)])
}

/// How the command went, and what it could not check.
fn invocation(gathered: &Gathered, context: &Context) -> Value {
    let notice = |level: &str, file: Option<&str>, text: &str| {
        object([
            ("level", Some(level.into())),
            ("message", Some(json!({"text": unlinked(&shown(text))}))),
            ("locations", file.map(|file| json!([{"physicalLocation": physical(file, None, context)}]))),
        ])
    };
    let failed = gathered.report.failed.iter().map(|failed| notice("error", failed.file.as_deref(), &failed.reason));
    let skipped = gathered.report.skipped.iter().map(|skipped| notice("note", Some(&skipped.file), &skipped.reason));
    let more = (gathered.left_out() > 0).then(|| {
        let text = format!("{} more findings are not listed: there are too many", gathered.left_out());
        notice("warning", None, &text)
    });
    let withheld = (gathered.withheld > 0).then(|| {
        let text = format!("{} more findings are not listed: --max-findings leaves them out", gathered.withheld);
        notice("note", None, &text)
    });
    let notices: Vec<Value> = failed.chain(skipped).chain(more).chain(withheld).collect();
    json!({"executionSuccessful": gathered.report.failed.is_empty(), "toolExecutionNotifications": notices})
}
