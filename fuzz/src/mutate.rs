//! Changes of recordings that leave most of them whole, so that the order of events and what
//! lies deep in them is reached.

use std::sync::OnceLock;

use agent_contracts::stream::Framing;
use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Value, json};

use crate::draw::Draw;
use crate::places::places;
use crate::recording::{Recording, Sample, known};

/// Changes the first `size` bytes of `data` in place, to at most `max_size`; gives how many
/// there are then. Every other time it leaves the bytes to the usual ways of the fuzzer.
pub fn mutate(folder: &str, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    static KNOWN: OnceLock<Vec<Sample>> = OnceLock::new();
    let mut draw = Draw::seeded(seed);
    if draw.one_in(2) {
        let known = KNOWN.get_or_init(|| known(folder));
        let changed = rearranged(&data[..size], known, &mut draw).bytes;
        if (1..=max_size).contains(&changed.len()) {
            data[..changed.len()].copy_from_slice(&changed);
            return changed.len();
        }
    }
    fuzzer_mutate(data, size, max_size)
}

/// The recording with one to three changes in its events.
fn rearranged(data: &[u8], known: &[Sample], draw: &mut Draw) -> Recording {
    let recording = Recording::of(data);
    let mut samples = recording.samples();
    for _ in 0..=draw.below(3) {
        change(&mut samples, known, draw);
    }
    let framing = if draw.one_in(8) { draw.pick(Framing::ALL).copied() } else { None };
    Recording::write(framing.unwrap_or(recording.framing), &samples)
}

fn change(samples: &mut Vec<Sample>, known: &[Sample], draw: &mut Draw) {
    let (at, to) = (draw.below(samples.len()), draw.below(samples.len() + 1));
    let Some(sample) = samples.get(at).cloned() else {
        samples.extend(draw.pick(known).cloned());
        return;
    };
    match draw.below(10) {
        0 => drop(samples.remove(at)),
        1 => samples.truncate(at + 1),
        2 => {
            let moved = samples.remove(at);
            samples.insert(to.min(samples.len()), moved);
        }
        3 => samples.insert(to, sample),
        4 | 5 => samples.extend(draw.pick(known).cloned()),
        6 => {
            // Of two events one, as a writer makes it that is interrupted.
            let length = sample.text.char_indices().map(|(at, _)| at).nth(draw.below(sample.text.len())).unwrap_or(0);
            samples[at].text.truncate(length);
        }
        _ => {
            let other = draw.pick(samples).cloned().unwrap_or_default();
            samples[at].text = with_another_value(&sample.text, &other.text, draw).unwrap_or(sample.text);
        }
    }
}

/// The event with one of its members removed, copied to another name, or set: to an odd value,
/// or to one of another event, such as its id.
fn with_another_value(text: &str, other: &str, draw: &mut Draw) -> Option<String> {
    let mut event: Value = serde_json::from_str(text).ok()?;
    let all = places(&event);
    let place = draw.pick(&all)?;
    let (parent, name) = place.rsplit_once('/')?;
    match draw.below(6) {
        0 => {
            event.pointer_mut(parent)?.as_object_mut()?.remove(name);
        }
        1 => {
            let value = event.pointer(place)?.clone();
            let others = event.pointer_mut(parent)?.as_object_mut()?;
            let name = draw.pick(&others.keys().cloned().collect::<Vec<_>>())?.clone();
            others.insert(name, value);
        }
        2 | 3 => *event.pointer_mut(place)? = draw.pick(&odd())?.clone(),
        _ => {
            let other: Value = serde_json::from_str(other).ok()?;
            let value = other.pointer(draw.pick(&places(&other))?)?.clone();
            *event.pointer_mut(place)? = value;
        }
    }
    Some(event.to_string())
}

/// Values that a check may stumble over.
fn odd() -> Vec<Value> {
    vec![
        json!(null),
        json!(""),
        json!(" "),
        json!("a\u{7}\n\u{202E}\"\\/é🏔"),
        json!("{\"password\":\"x\"}"),
        json!("<<TOOL_STEP_START/a:b>>"),
        json!("x".repeat(70)),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(9_007_199_254_740_993_u64),
        json!(1e300),
        json!(true),
        json!([]),
        json!({}),
        json!({"api_key": 1}),
        json!([[[[[[[[[[1]]]]]]]]]]),
    ]
}
