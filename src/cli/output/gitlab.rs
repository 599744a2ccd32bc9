//! The Code Quality report of GitLab.

use serde_json::json;

use super::fingerprint::Fingerprints;
use super::gathered::{Context, Gathered, Row};
use crate::check::{Code, Severity};
use crate::cli::console::shown;

pub(super) fn render(gathered: &Gathered, context: &Context) -> String {
    let mut fingerprints = Fingerprints::default();
    let mut entries = Vec::new();
    for failed in &gathered.report.failed {
        let path = failed.file.as_deref().map_or_else(|| ".".to_owned(), |file| context.places.of(file));
        let fingerprint = fingerprints.next(&["failed", &path]);
        entries.push(entry(&failed.reason, "failed", &fingerprint, "blocker", &path, 1));
    }
    for row in &gathered.rows {
        let (path, line) = (context.places.of(&row.finding.file), row.finding.line.unwrap_or(1));
        let fingerprint = fingerprints.of(row, context);
        entries.push(entry(&description(row), &row.finding.rule, &fingerprint, grade(row), &path, line));
    }
    let why = [(gathered.left_out(), "there are too many"), (gathered.withheld, "--max-findings leaves them out")];
    for (number, why) in why.into_iter().filter(|(number, _)| *number > 0) {
        let text = format!("{number} more findings are not listed: {why}");
        entries.push(entry(&text, "more", &fingerprints.next(&["more"]), "info", ".", 1));
    }
    if entries.is_empty() { "[]\n".into() } else { format!("[\n{}\n]\n", entries.join(",\n")) }
}

fn entry(description: &str, check: &str, fingerprint: &str, severity: &str, path: &str, line: u64) -> String {
    let entry = json!({
        "description": shown(description),
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": shown(path), "lines": {"begin": line}},
    });
    entry.to_string()
}

fn description(row: &Row) -> String {
    let place = row.place();
    let place = if place.is_empty() { place } else { format!(" ({place})") };
    format!("{}{place}; fix: {}", row.finding.message, row.finding.help)
}

/// GitLab's word for how grave a finding is. A secret that is out is the gravest.
fn grade(row: &Row) -> &'static str {
    match row.severity {
        Severity::Error if row.finding.code == Code::SecretLeakRisk.as_str() => "critical",
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    }
}
