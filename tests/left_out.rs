//! What is kept of findings is bounded, said where it is not all, and hides no error.

use agent_contracts::Protocol;
use agent_contracts::agui::rules;
use agent_contracts::check::{Checker, Finding, Limits, Severity};
use agent_contracts::report::{MOST_FINDINGS, Report};
use agent_contracts::stream::{Framing, StreamChecker};

const RUN: &str = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n";
const WARNING: &str = "{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":1,\"x\":1}\n";
const ERROR: &str = "{\"type\":\"CUSTOM\",\"name\":7,\"value\":1}\n";

/// A stream that has begun, of which three findings of a piece are kept, and six of errors.
fn stream() -> StreamChecker {
    let checker = Checker::builder(Protocol::AGUI)
        .limits(Limits::DEFAULT.with_findings(3))
        .rule(&rules::UNKNOWN_PROPERTY, Some(Severity::Warning))
        .build();
    let mut stream = StreamChecker::of(checker, Framing::Ndjson);
    assert!(stream.push(RUN.as_bytes()).is_empty());
    stream
}

#[test]
fn one_piece_with_many_findings() {
    use Severity::{Error, Note, Warning};
    for (piece, listed, left_out) in [
        (WARNING.repeat(3), vec![Warning; 3], [0, 0, 0]),
        (WARNING.repeat(4), vec![Warning, Warning, Warning, Note], [0, 1, 0]),
        (ERROR.repeat(6), vec![Error; 6], [0, 0, 0]),
        (ERROR.repeat(9), [vec![Error; 6], vec![Note]].concat(), [3, 0, 0]),
        // However many warnings come before it, an error is listed.
        (WARNING.repeat(1000) + ERROR, [vec![Warning; 3], vec![Error, Note]].concat(), [0, 997, 0]),
        (WARNING.repeat(10) + &ERROR.repeat(10), [vec![Warning; 3], vec![Error; 3], vec![Note]].concat(), [7, 7, 0]),
    ] {
        let mut stream = stream();
        let found = stream.push(piece.as_bytes());
        let severities: Vec<Severity> = found.iter().map(|finding| finding.severity).collect();
        assert_eq!(severities, listed, "{left_out:?}");
        assert_eq!([Error, Warning, Note].map(|severity| found.left_out(severity)), left_out);
        let mut lines: Vec<u64> = found.iter().filter_map(|finding| Some(finding.location?.line)).collect();
        lines.dedup();
        assert_eq!(lines.len(), severities.iter().filter(|severity| **severity != Note).count());
        for finding in found.iter().filter(|finding| finding.severity == Note) {
            assert_eq!(finding.rule.id(), "input/too-many-findings");
            let [errors, warnings, notes] = left_out;
            let all = errors + warnings + notes;
            let message =
                format!("{all} more findings are not listed: errors {errors}, warnings {warnings}, notes {notes}");
            assert_eq!(finding.message, message);
        }
        // The text is still there for those that are listed.
        assert!(
            found.iter().filter(|finding| finding.severity != Note).all(|found| found.excerpt().text.contains("value"))
        );
        // A report counts those as well that it is not given.
        let mut report = Report::new();
        report.begin("stream", Some(&Protocol::AGUI), Some(Framing::Ndjson));
        report.add_all(&found);
        let count = |of: &str| piece.matches(of).count() as u64;
        assert_eq!((report.summary.errors, report.summary.warnings), (count("7"), count("\"x\"")));
        assert_eq!(report.left_out(), left_out.iter().sum::<u64>());
        assert_eq!(report.findings.len(), listed.len());
    }
}

/// A stream without end is reported on to its end: nothing is kept of the pieces before.
#[test]
fn many_pieces_with_few_findings() {
    let mut stream = stream();
    for number in 0..1000 {
        let event = if number % 2 == 0 { WARNING } else { ERROR };
        let found = stream.push(event.as_bytes());
        assert_eq!((found.len(), found.left_out(Severity::Error)), (1, 0), "{number}");
    }
    let found = stream.push(WARNING.repeat(5).as_bytes());
    assert_eq!((found.len(), found.left_out(Severity::Warning)), (4, 2));
    assert_eq!(stream.push(ERROR.as_bytes()).left_out(Severity::Warning), 0);
    assert_eq!(stream.finish().len(), 1);
}

#[test]
fn a_report_lists_so_many_and_counts_all() {
    let mut stream = stream();
    let one = |text: &str, stream: &mut StreamChecker| {
        let found = stream.push(text.as_bytes());
        Finding::clone(&found.iter().next().unwrap())
    };
    let (warning, error) = (one(WARNING, &mut stream), one(ERROR, &mut stream));
    let mut report = Report::new();
    report.begin("stream", Some(&Protocol::AGUI), None);
    (0..MOST_FINDINGS + 5).for_each(|_| report.add(&warning));
    report.add(&error);
    assert_eq!(report.findings.len(), MOST_FINDINGS + 1);
    assert_eq!(report.findings.last().map(|finding| &*finding.severity), Some("error"));
    assert_eq!((report.summary.warnings, report.summary.errors), (MOST_FINDINGS as u64 + 5, 1));
    assert_eq!(report.left_out(), 5);
    (0..MOST_FINDINGS).for_each(|_| report.add(&error));
    assert_eq!(report.findings.len(), 2 * MOST_FINDINGS);
    assert_eq!(report.left_out(), 6);
}
