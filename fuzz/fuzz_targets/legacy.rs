//! The decoder of AG-UI before 1.0: the same every time, and the plain decoder where nothing
//! is retired; the checker reports whatever is.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts::agui::{Event, LegacyDecoder, rules};
use agent_contracts::check::{Checker, Input};
use agent_contracts_fuzz::canary::{assert_hidden, planted};
use agent_contracts_fuzz::draw::Draw;
use agent_contracts_fuzz::recording::Recording;
use agent_contracts_fuzz::recordings;

recordings!("agui", |data| {
    let mut draw = Draw::of(data);
    let mut decoder = LegacyDecoder::with_id_prefix("r");
    let mut twin = decoder.clone();
    for sample in Recording::of(data).samples() {
        let text = sample.text.as_str();
        if let Some(planted) = planted(text, &mut draw) {
            hides(decoder.clone(), &planted);
        }
        let (mut retired, mut same) = (Vec::new(), Vec::new());
        let decoded = decoder.decode(text, &mut retired);
        assert_eq!(decoded, twin.decode(text, &mut same), "{text}");
        assert_eq!(retired, same, "{text}");
        if retired.is_empty() {
            assert_eq!(decoded, Event::from_json(text), "{text}");
        }
        if let Ok(event) = &decoded {
            assert_eq!(Event::from_json(&event.to_json()).as_ref(), Ok(event), "{text}");
            let had_retired_type = retired.iter().any(|found| found.rule == &rules::RETIRED_EVENT_TYPE);
            assert!(!had_retired_type || event.known_type().is_some(), "{text}");
        }
        let mut checker = Checker::new(Protocol::AGUI);
        if checker.check_as("Event", Input::event(text)).is_ok_and(<[_]>::is_empty) {
            assert!(retired.is_empty() && decoded.is_ok(), "{text}: clean, but {retired:?}, {decoded:?}");
        }
    }
});

/// What is said of an event shows no value of it.
fn hides(mut decoder: LegacyDecoder, planted: &str) {
    let mut retired = Vec::new();
    if let Err(error) = decoder.decode(planted, &mut retired) {
        assert_hidden(&format!("{error} {error:?}"));
    }
    for found in retired {
        assert_hidden(&format!("{found} {found:?}"));
    }
}
