//! Typed decoding: one decoder behind every door, nothing lost there and back, and no value in
//! an error.
#![no_main]

use std::fmt::Debug;

use agent_contracts::wire::{Error, Json};
use agent_contracts::{agui, lime, polling, social_app, ubik};
use agent_contracts_fuzz::canary::{assert_hidden, planted};
use agent_contracts_fuzz::draw::Draw;
use agent_contracts_fuzz::recording::{Recording, Sample};
use agent_contracts_fuzz::recordings;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// More events of a recording show no more.
const MOST: usize = 8;

recordings!("", |data| {
    let mut draw = Draw::of(data);
    for Sample { name, text, .. } in Recording::of(data).samples().into_iter().take(MOST) {
        let planted = planted(&text, &mut draw);
        let texts = (text.as_str(), planted.as_deref());
        event(agui::Event::from_json, texts);
        event(lime::Event::from_json, texts);
        event(polling::Envelope::from_json, texts);
        event(polling::PollResponse::from_json, texts);
        event(social_app::Event::from_json, texts);
        event(ubik::Event::from_json, texts);
        tool(&name.unwrap_or_default(), texts);
    }
});

/// A text, and perhaps the same with the canary in it.
type Texts<'t> = (&'t str, Option<&'t str>);

fn event<E>(decode: fn(&str) -> Result<E, Error>, (text, planted): Texts<'_>)
where
    E: Debug + PartialEq + Serialize + DeserializeOwned,
{
    let (decoded, by_serde) = (decode(text), serde_json::from_str::<E>(text));
    assert_eq!(decoded.as_ref().ok(), by_serde.as_ref().ok(), "{text}");
    if let Ok(event) = decoded {
        there_and_back(&event, text, decode);
    }
    if let Some(Err(error)) = planted.map(decode) {
        assert_hidden(&format!("{error} {error:?}"));
    }
    if let Some(Err(error)) = planted.map(serde_json::from_str::<E>) {
        assert_hidden(&format!("{error} {error:?}"));
    }
}

/// An event of a Ubik tool, whose type stands beside its content.
fn tool(name: &str, (text, planted): Texts<'_>) {
    let decode = |text: &str| ubik::ToolEvent::from_tagged_json(name, text);
    if let Ok(event) = decode(text) {
        there_and_back(&event, text, decode);
    }
    if let Some(Err(error)) = planted.map(decode) {
        assert_hidden(&format!("{error} {error:?}"));
    }
}

/// What is written is the value that was read, digit by digit, and is written so again.
fn there_and_back<E>(event: &E, text: &str, decode: impl Fn(&str) -> Result<E, Error>)
where
    E: Debug + PartialEq + Serialize,
{
    let written = |event: &E| serde_json::to_string(event).expect("events can be written");
    let back = written(event);
    assert_eq!(Json::parse(&back).ok(), Json::parse(text).ok(), "{text}\n{back}");
    let again = decode(&back).unwrap_or_else(|error| panic!("{error}: {back}"));
    assert_eq!(again, *event, "{text}\n{back}");
    assert_eq!(written(&again), back);
}
