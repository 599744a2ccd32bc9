//! What people are shown: every finding of every stream can be printed, and no text of the
//! input, nor a name of a file, moves the cursor of a terminal or shows a value.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Input};
use agent_contracts::cli::fuzzing::human;
use agent_contracts_fuzz::canary::{assert_hidden, planted};
use agent_contracts_fuzz::draw::Draw;
use agent_contracts_fuzz::recording::Recording;
use agent_contracts_fuzz::recordings;

/// More findings of an event are printed no otherwise.
const MOST: usize = 50;

recordings!("", |data| {
    let mut draw = Draw::of(data);
    let recording = Recording::of(data);
    let detected = Protocol::detect(&recording.bytes, recording.framing).map(|found| found.protocol);
    let protocol = detected.or_else(|| draw.pick(Protocol::ALL).cloned()).unwrap_or(Protocol::AGUI);
    let name: String = String::from_utf8_lossy(data).chars().take(draw.below(40)).collect();
    let mut checker = Checker::new(&protocol);
    for sample in recording.samples() {
        let text = sample.text.as_str();
        show(&name, checker.push(Input::event(text)), text);
        if let Some(planted) = planted(text, &mut draw) {
            let mut checker = Checker::new(&protocol);
            show("a file", checker.push(Input::event(&planted)), &planted)
                .iter()
                .for_each(|shown| assert_hidden(shown));
        }
    }
    show(&name, checker.finish(), "");
});

/// How the findings about a text are printed.
fn show(file: &str, findings: &[Finding], text: &str) -> Vec<String> {
    let shown = findings.iter().take(MOST).map(|finding| human(file, finding, text.as_bytes())).collect::<Vec<_>>();
    for text in &shown {
        assert!(!text.contains(is_obeyed), "{text:?}");
    }
    shown
}

/// What a terminal or a reader obeys rather than shows.
fn is_obeyed(c: char) -> bool {
    let without_width = ['\u{AD}', '\u{200B}', '\u{200E}', '\u{200F}', '\u{2028}', '\u{2029}', '\u{2060}', '\u{FEFF}'];
    let of_direction = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n') || without_width.contains(&c) || of_direction
}
