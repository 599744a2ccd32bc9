//! Profile `schema` against the committed schemas, as another implementation executes them:
//! the checker reports something exactly where they refuse an event, and what they accept
//! decodes as an event of a known type.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use agent_contracts::check::{Checker, Input, Profile};
use agent_contracts::wire::Json;
use agent_contracts::{Protocol, agui, lime, polling, social_app, ubik};
use agent_contracts_fuzz::draw::Draw;
use agent_contracts_fuzz::recording::Recording;
use agent_contracts_fuzz::recordings;
use jsonschema::Validator;
use serde_json::Value;

/// More events of a recording show no more.
const MOST: usize = 8;

recordings!("", |data| {
    let mut draw = Draw::of(data);
    for sample in Recording::of(data).samples().into_iter().take(MOST) {
        for contract in CONTRACTS.iter() {
            contract.judge(&sample.text, draw.one_in(2));
        }
    }
});

struct Contract {
    protocol: Protocol,
    published: Validator,
    /// Whether the text decodes as an event of a type that the protocol names.
    decodes: fn(&str) -> bool,
}

static CONTRACTS: LazyLock<[Contract; 5]> = LazyLock::new(|| {
    [
        Contract::of(Protocol::AGUI, "agui/1.0/known-event.schema.json", |text| {
            agui::Event::from_json(text).is_ok_and(|event| event.known_type().is_some())
        }),
        Contract::of(Protocol::LIME, "lime/v0.1/event.schema.json", |text| lime::Event::from_json(text).is_ok()),
        Contract::of(Protocol::POLLING, "polling/2026-10-07/known-event.schema.json", |text| {
            polling::Envelope::from_json(text).is_ok_and(|envelope| envelope.event.known_type().is_some())
        }),
        Contract::of(Protocol::SOCIAL_APP, "social-app/2026-04-24/known-event.schema.json", |text| {
            social_app::Event::from_json(text).is_ok_and(|event| event.known_type().is_some())
        }),
        Contract::of(Protocol::UBIK, "ubik/2026-08-21/known-event.schema.json", |text| {
            ubik::Event::from_json(text).is_ok_and(|event| !matches!(event, ubik::Event::Unknown(_)))
        }),
    ]
});

impl Contract {
    fn of(protocol: Protocol, path: &str, decodes: fn(&str) -> bool) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas").join(path);
        let text = std::fs::read_to_string(path).expect("the schemas are in the repository");
        let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        Self { protocol, published: jsonschema::validator_for(&schema).expect("a schema is one"), decodes }
    }

    fn judge(&self, text: &str, exact: bool) {
        let Some(value) = read(text).filter(|value| self.is_one_event(value)) else { return };
        let valid = self.published.is_valid(&value);
        let mut checker = Checker::builder(&self.protocol).profile(Profile::Schema).exact(exact).build();
        let findings = checker.check_as("Event", Input::event(text)).expect("every protocol has events");
        assert_eq!(findings.is_empty(), valid, "{}: {findings:?}: {text}", self.protocol);
        assert!(!valid || (self.decodes)(text), "{}: valid, and not decoded: {text}", self.protocol);
    }

    /// Whether the checker takes the value for one event, and for one of a session: a poll's
    /// response has several, and that of a tool has a schema of its own.
    fn is_one_event(&self, value: &Value) -> bool {
        let has = |name: &str| value.get(name).is_some();
        match self.protocol.id() {
            "polling" => !value.is_object() || ((has("idx") || has("type")) && !has("response")),
            "ubik" => has("type"),
            _ => true,
        }
    }
}

/// The value of a text, unless a reader with doubles for numbers sees another one.
fn read(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (Json::parse(text).ok()? == Json::from(value.clone())).then_some(value)
}
