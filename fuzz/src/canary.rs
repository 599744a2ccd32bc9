//! A value that must not show anywhere.

use serde_json::Value;

use crate::draw::Draw;
use crate::places::places;
use crate::recording::Recording;

/// Characters that no id has.
pub const SENTENCE: &str = "CANARY value that must not show, 7f3a";

/// What no output may hold.
const NEEDLE: &str = "CANARY";

/// JSON text with the canary in the place of one of its values; `None` if there is no such
/// place, or the text has the canary already, perhaps where it may show.
pub fn planted(text: &str, draw: &mut Draw) -> Option<String> {
    if text.contains(NEEDLE) {
        return None;
    }
    let mut value: Value = serde_json::from_str(text).ok()?;
    let places = places(&value);
    *value.pointer_mut(draw.pick(&places)?)? = SENTENCE.into();
    Some(value.to_string())
}

/// The recording with the canary in one of its events, or in the name or id of a frame.
pub fn planted_in(recording: &Recording, draw: &mut Draw) -> Option<Recording> {
    let mut samples = recording.samples();
    if String::from_utf8_lossy(&recording.bytes).contains(NEEDLE) {
        return None;
    }
    let at = draw.below(samples.len());
    let sample = samples.get_mut(at)?;
    match draw.below(8) {
        0 => sample.name = Some(SENTENCE.into()),
        1 => sample.id = Some(SENTENCE.into()),
        _ => sample.text = planted(&sample.text, draw)?,
    }
    Some(Recording::write(recording.framing, &samples))
}

/// Fails if the canary shows.
pub fn assert_hidden(shown: &str) {
    assert!(!shown.contains(NEEDLE), "a value shows: {shown}");
}
