//! The converters to AG-UI: every event that they put out is one of its schema, and a stream
//! without errors and warnings has none afterwards.
#![no_main]

use agent_contracts::check::{Checker, Code, Finding, Input, Profile};
use agent_contracts::polling::view::TaskView;
use agent_contracts::polling::{Envelope, PollResponse};
use agent_contracts::social_app::RunId;
use agent_contracts::{Protocol, agui, polling, social_app, ubik};
use agent_contracts_fuzz::check::faults;
use agent_contracts_fuzz::recording::Recording;
use agent_contracts_fuzz::recordings;

/// A larger event may have arguments that are too large for AG-UI, which a converter keeps.
const LARGEST: usize = 32_000;

recordings!("", |data| {
    let texts: Vec<String> = Recording::of(data).samples().into_iter().map(|sample| sample.text).collect();
    if texts.iter().all(|text| text.len() < LARGEST) {
        of_social_app(&texts);
        of_ubik(&texts);
        of_polling(&texts);
    }
});

/// What a checker of AG-UI finds fault with in events that were made of `texts`, if these are
/// clean.
fn check(protocol: &Protocol, texts: &[String], made: &[agui::Event]) -> Vec<Finding> {
    if made.is_empty() {
        // Nothing that has a counterpart has come.
        return Vec::new();
    }
    let made: Vec<String> = made.iter().map(agui::Event::to_json).collect();
    let mut by_schema = Checker::builder(Protocol::AGUI).profile(Profile::Schema).build();
    for text in &made {
        let found = by_schema.check_as("Event", Input::event(text)).expect("AG-UI has events");
        assert!(found.is_empty(), "{text}: {found:?}, made of {texts:#?}");
        assert!(agui::Event::from_json(text).is_ok(), "{text}");
    }
    if faults(protocol, texts).is_empty() { faults(&Protocol::AGUI, &made) } else { Vec::new() }
}

fn of_social_app(texts: &[String]) {
    let decoded = texts.iter().map(|text| social_app::Event::from_json(text));
    let Ok(events) = decoded.collect::<Result<Vec<_>, _>>() else { return };
    let overlap = overlap(&events);
    let found = check(&Protocol::SOCIAL_APP, texts, &social_app::to_agui(events));
    assert!(found.is_empty() || overlap, "{found:#?}: {texts:#?}");
}

/// Whether runs overlap, which those of AG-UI do not.
fn overlap(events: &[social_app::Event]) -> bool {
    use social_app::Event::{RunError, RunFinished, RunStarted};
    let mut open = false;
    let starts_in_another = events.iter().any(|event| match event {
        RunStarted(_) => std::mem::replace(&mut open, true),
        RunFinished(_) | RunError(_) => {
            open = false;
            false
        }
        _ => false,
    });
    let mut runs: Vec<RunId> = events.iter().filter_map(social_app::Event::run_id).collect();
    runs.dedup();
    let changes = runs.len();
    runs.sort_unstable();
    runs.dedup();
    starts_in_another || runs.len() < changes
}

fn of_ubik(texts: &[String]) {
    let decoded = texts.iter().map(|text| ubik::Event::from_json(text));
    let Ok(events) = decoded.collect::<Result<Vec<_>, _>>() else { return };
    let mut transcript = ubik::Transcript::new();
    events.iter().for_each(|event| transcript.push(event));
    let _ = transcript.markup().nodes().len();
    let mut found = check(&Protocol::UBIK, texts, &ubik::to_agui(events));
    // Its rules measure no bodies of calls, and look for no tokens across chunks.
    found.retain(|finding| finding.code() != Code::LargePayloadInline && finding.rule.id() != "agui/secret-value");
    assert!(found.is_empty(), "{found:#?}: {texts:#?}");
}

fn of_polling(texts: &[String]) {
    let (mut envelopes, mut status) = (Vec::new(), None);
    for text in texts {
        if let Ok(envelope) = Envelope::from_json(text) {
            envelopes.push(envelope);
        } else if let Ok(response) = PollResponse::from_json(text) {
            envelopes.extend_from_slice(response.events());
            status = response.status().cloned();
        } else {
            return;
        }
    }
    let (mut converter, mut made) = (polling::AgUiConverter::new(), Vec::<agui::Event>::new());
    let mut view = TaskView::new(None, None);
    for envelope in &envelopes {
        converter.push(envelope, &mut made);
        view.push(envelope);
    }
    converter.finish(status.as_ref(), &mut made);
    let found = check(&Protocol::POLLING, texts, &made);
    assert!(found.is_empty(), "{found:#?}: {texts:#?}");
}
