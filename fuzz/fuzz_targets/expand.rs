//! The expander of AG-UI's chunks: no chunk is left, a refused chunk changes nothing, and a
//! stream that the official client accepts is accepted when it is expanded.
#![no_main]

use agent_contracts::Protocol;
use agent_contracts::agui::{ChunkExpander, Event, EventType};
use agent_contracts::check::{Checker, Input, Profile, Severity};
use agent_contracts_fuzz::recording::Recording;
use agent_contracts_fuzz::recordings;

recordings!("agui", |data| {
    let (mut expander, mut before, mut behind) = (ChunkExpander::new(), receiver(), receiver());
    let mut is_accepted = true;
    for sample in Recording::of(data).samples() {
        is_accepted &= accepts(&mut before, &sample.text);
        let Ok(event) = Event::from_json(&sample.text) else { return };
        let mut out = Vec::<Event>::new();
        if let Err(error) = expander.push(event, &mut out) {
            assert!(out.is_empty(), "{error}, and still {out:?}");
            return;
        }
        for event in &out {
            let is_chunk = matches!(
                event.known_type(),
                Some(EventType::TextMessageChunk | EventType::ToolCallChunk | EventType::ReasoningMessageChunk)
            );
            assert!(!is_chunk, "{event:?}");
            let text = event.to_json();
            assert_eq!(Event::from_json(&text).as_ref(), Ok(event), "{text}");
            assert!(accepts(&mut behind, &text) || !is_accepted, "{text}, made of {}", sample.text);
        }
    }
});

/// The receiving side of the official client.
fn receiver() -> Checker {
    Checker::builder(Protocol::AGUI).profile(Profile::Reference).build()
}

fn accepts(receiver: &mut Checker, event: &str) -> bool {
    receiver.push(Input::event(event)).iter().all(|finding| finding.severity < Severity::Error)
}
