//! What has to hold of every checker.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, CheckerBuilder, Excerpt, Finding, Input, Limits, Profile, Severity};
use agent_contracts::stream::{Found, StreamChecker};

use crate::canary::{assert_hidden, planted, planted_in};
use crate::draw::Draw;
use crate::recording::Recording;

/// A finding as a reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub finding: Finding,
    pub excerpt: Excerpt,
}

impl Seen {
    fn of(found: Found<'_>) -> Self {
        Self { finding: Finding::clone(&found), excerpt: found.excerpt() }
    }

    /// Its places lie inside of what they are in, and nothing in it moves a cursor.
    fn assert_is_sound(&self, stream: usize) {
        let Self { finding, excerpt } = self;
        assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{excerpt:?}");
        let stream = stream as u64;
        assert!(finding.location.is_none_or(|location| location.offset <= stream), "{finding:?}");
        assert!(
            finding.bytes.as_ref().is_none_or(|bytes| bytes.start <= bytes.end && bytes.end <= stream),
            "{finding:?}"
        );
        let related = finding.related.iter().map(|related| &related.message);
        for text in [&finding.message, &excerpt.text].into_iter().chain(&finding.hint).chain(related) {
            assert!(!text.contains(char::is_control), "{text:?}");
        }
    }

    /// Nothing that it shows has the canary.
    fn assert_hides(&self) {
        let finding = &self.finding;
        for text in [&finding.message, &finding.path, &finding.pointer, &self.excerpt.text] {
            assert_hidden(text);
        }
        assert_hidden(&format!("{finding} {finding:?} {}", finding.help()));
    }
}

/// What is found in a stream that comes in these pieces, up to its end.
pub fn findings(stream: &mut StreamChecker, pieces: &[&[u8]]) -> Vec<Seen> {
    let mut seen = Vec::new();
    for piece in pieces {
        seen.extend(stream.push(piece).map(Seen::of));
    }
    seen.extend(stream.finish().map(Seen::of));
    seen
}

/// The errors and warnings of events, checked with all rules.
pub fn faults(protocol: &Protocol, events: &[String]) -> Vec<Finding> {
    let mut checker = Checker::new(protocol);
    let mut found: Vec<Finding> = Vec::new();
    for event in events {
        found.extend_from_slice(checker.push(Input::event(event)));
    }
    found.extend_from_slice(checker.finish());
    found.retain(|finding| finding.severity > Severity::Note);
    found
}

/// A checker of any profile, within the usual bounds or narrow ones.
fn drawn(protocol: &Protocol, draw: &mut Draw) -> CheckerBuilder {
    let mut limits = Limits::DEFAULT;
    if draw.one_in(3) {
        limits = limits.with_depth(9).with_history(3).with_findings(5).with_event_bytes(700).with_frame_bytes(600);
        (limits.inline_units, limits.text_bytes) = (64, 40);
    }
    let profile = draw.pick(Profile::ALL).copied().unwrap_or_default();
    let mut builder = Checker::builder(protocol).profile(profile).limits(limits);
    if let Some(version) = draw.pick(protocol.versions()).filter(|_| draw.one_in(2)) {
        builder = builder.version(version).expect("the protocol has it");
    }
    if protocol.has_subscriptions() && draw.one_in(2) {
        builder = builder.run_id("run-001").resumed(draw.one_in(2));
    }
    builder
}

/// The input as a stream of the protocol: the findings do not depend on the cuts, on the path,
/// or on what was checked before; there is an end to them, and no value in them.
pub fn stream(protocol: &Protocol, data: &[u8]) {
    let mut draw = Draw::of(data);
    let recording = Recording::of(data);
    let bytes = recording.bytes.as_slice();
    let builder = drawn(protocol, &mut draw);
    let checker = |exact| StreamChecker::of(builder.clone().exact(exact).build(), recording.framing);

    let mut stream = checker(false);
    let whole = findings(&mut stream, &[bytes]);
    whole.iter().for_each(|seen| seen.assert_is_sound(bytes.len()));
    let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    let most = (stream.events() as usize + lines + 2) * (2 * builder.clone().build().limits().findings + 8);
    assert!(whole.len() <= most, "{} findings", whole.len());

    let pieces = draw.pieces(bytes);
    assert_eq!(findings(&mut checker(true), &pieces), whole, "in pieces, and on the slow path");
    // Whatever comes behind the end is taken too, and forgotten.
    let _ = findings(&mut stream, &pieces);
    stream.reset();
    assert_eq!(findings(&mut stream, &[bytes]), whole, "once more, by the same checker");

    if let Some(planted) = planted_in(&recording, &mut draw) {
        let found = findings(&mut checker(false), &[planted.bytes.as_slice()]);
        found.iter().for_each(Seen::assert_hides);
    }
    document(protocol, &recording, &builder, &mut draw);
}

/// The same of the input as one document of a type.
fn document(protocol: &Protocol, recording: &Recording, builder: &CheckerBuilder, draw: &mut Draw) {
    let kinds = protocol.types();
    let said = recording.kind.clone().filter(|kind| kinds.contains(kind));
    let Some(kind) = said.or_else(|| draw.pick(&kinds).cloned()) else { return };
    let check = |exact: bool, pieces: &[&[u8]]| {
        let checker = builder.clone().exact(exact).build();
        findings(&mut StreamChecker::of_document(checker, &kind).expect("the protocol has it"), pieces)
    };
    let whole = check(false, &[recording.bytes.as_slice()]);
    whole.iter().for_each(|seen| seen.assert_is_sound(recording.bytes.len()));
    assert_eq!(check(true, &draw.pieces(&recording.bytes)), whole, "{kind} in pieces, and on the slow path");
    if let Some(planted) = planted(&String::from_utf8_lossy(&recording.bytes), draw) {
        check(false, &[planted.as_bytes()]).iter().for_each(Seen::assert_hides);
    }
}
