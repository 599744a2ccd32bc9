//! Excerpts: whatever place of whatever text is asked for, only keys and punctuation show.
#![no_main]

use std::ops::Range;

use agent_contracts::Protocol;
use agent_contracts::check::Finding;
use agent_contracts_fuzz::canary::{SENTENCE, assert_hidden};
use agent_contracts_fuzz::draw::Draw;
use agent_contracts_fuzz::places::places;
use agent_contracts_fuzz::recording::Recording;
use agent_contracts_fuzz::recordings;
use serde_json::{Value, json};

const NUMBER: u64 = 424_242_424_242;

recordings!("", |data| {
    let mut draw = Draw::of(data);
    let protocol = draw.pick(Protocol::ALL).cloned().unwrap_or(Protocol::AGUI);
    let mut finding = finding(&protocol);
    for span in spans(data.len(), &mut draw) {
        finding.span = span;
        sound(&finding, data);
    }
    let samples = Recording::of(data).samples();
    let drawn = draw.pick(&samples).and_then(|sample| serde_json::from_str::<Value>(&sample.text).ok());
    let Some(mut value) = drawn else { return };
    let keys = salt(&mut value);
    let text = if draw.one_in(2) { value.to_string() } else { format!("{value:#}") };
    // Cut at either end, as what is left of a recording may be.
    let (from, to) = (draw.below(text.len() + 1), draw.below(text.len() + 1));
    let cut = if draw.one_in(2) { &text.as_bytes()[from.min(to)..from.max(to)] } else { text.as_bytes() };
    for span in spans(cut.len(), &mut draw) {
        finding.span = span;
        let shown = sound(&finding, cut);
        assert_hidden(&shown);
        for word in shown.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() >= 4 && *word != "null")
        {
            assert!(keys.iter().any(|key| key.contains(word)), "{word} is in no key: {shown}");
        }
    }
});

/// A finding about any place: what a service may have written and read again.
fn finding(protocol: &Protocol) -> Finding {
    let finding = json!({
        "rule": "input/not-json", "severity": "error", "protocol": protocol.id(), "event": null, "location": null,
        "bytes": null, "path": "$", "pointer": "", "message": "", "hint": null, "related": [],
        "span": {"start": 0, "end": 0},
    });
    serde_json::from_value(finding).expect("the members of a finding")
}

/// Places in so many bytes, and beyond them.
fn spans(length: usize, draw: &mut Draw) -> Vec<Range<usize>> {
    let mut span = || {
        let start = draw.below(length + 3);
        start..draw.below(length + 3).max(start)
    };
    (0..4).map(|_| span()).collect()
}

/// The excerpt, whose place is one, and which moves no cursor.
fn sound(finding: &Finding, text: &[u8]) -> String {
    let excerpt = finding.excerpt(text);
    assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{excerpt:?}");
    assert!(!excerpt.text.contains(char::is_control), "{excerpt:?}");
    excerpt.text
}

/// Puts canaries in the place of all strings and numbers; gives the keys.
fn salt(value: &mut Value) -> Vec<String> {
    let places = places(value);
    for place in &places {
        if let Some(inner) = value.pointer_mut(place) {
            canary(inner);
        }
    }
    canary(value);
    places.iter().filter_map(|place| place.rsplit('/').next()).map(str::to_owned).collect()
}

fn canary(value: &mut Value) {
    match value {
        Value::String(_) => *value = SENTENCE.into(),
        Value::Number(_) => *value = NUMBER.into(),
        _ => {}
    }
}
