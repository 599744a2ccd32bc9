//! Our AG-UI schemas against the official one: every definition accepts and rejects the
//! same documents.

mod common;

use std::sync::LazyLock;

use agent_contracts::Protocol;
use common::mutation::Mutation;
use common::{Failures, corpus, lines, repository};
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// A definition of the specification, by the official schema and by ours.
struct Definition {
    name: String,
    official: Validator,
    ours: Validator,
}

static OFFICIAL: LazyLock<Option<Vec<Definition>>> = LazyLock::new(|| {
    let read = |path| -> Value { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let official = read(corpus()?.join("agui/official-schema-1.0.json"));
    let schemas = repository().join("schemas/agui/1.0");
    let mut definitions = Vec::new();
    for file in ["known-event", "run-agent-input", "message", "agent-capabilities"] {
        let ours = read(schemas.join(format!("{file}.schema.json")));
        for name in ours["$defs"].as_object().unwrap().keys() {
            let name = name.strip_prefix("Agui").unwrap();
            definitions.push(Definition {
                name: format!("{name} of {file}"),
                official: at(&official, name),
                ours: at(&ours, &format!("Agui{name}")),
            });
        }
        let root = match file {
            "known-event" => "Event",
            "run-agent-input" => "RunAgentInput",
            "message" => "Message",
            _ => "AgentCapabilities",
        };
        definitions.push(Definition {
            name: root.into(),
            official: at(&official, root),
            ours: jsonschema::validator_for(&ours).unwrap(),
        });
    }
    Some(definitions)
});

/// What a definition of `schema` accepts.
fn at(schema: &Value, definition: &str) -> Validator {
    let reference = format!("#/$defs/{definition}");
    jsonschema::validator_for(&json!({"$defs": schema["$defs"], "$ref": reference})).unwrap()
}

/// The documents of the corpus, and everything that lies in them.
static DOCUMENTS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    fn collect(value: &Value, all: &mut Vec<Value>) {
        match value {
            Value::Object(members) => members.values().for_each(|value| collect(value, all)),
            Value::Array(items) => items.iter().for_each(|value| collect(value, all)),
            _ => return,
        }
        if !all.contains(value) {
            all.push(value.clone());
        }
    }
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut all = vec![Value::Null, json!(1), json!("text"), json!(true)];
    for (_, case) in lines(&corpus.join("agui/documents.jsonl")) {
        collect(&case["document"], &mut all);
    }
    all
});

fn disagreements(definitions: &[Definition], document: &Value) -> Vec<String> {
    definitions
        .iter()
        .filter(|definition| definition.official.is_valid(document) != definition.ours.is_valid(document))
        .map(|definition| format!("{}: {document}", definition.name))
        .collect()
}

#[test]
fn every_definition_judges_every_document_alike() {
    let Some(definitions) = &*OFFICIAL else { return };
    let mut failures = Failures::default();
    for document in &*DOCUMENTS {
        let found = disagreements(definitions, document);
        failures.check(found.is_empty(), || found.join("\n"));
    }
    failures.finish(900);
}

proptest! {
    #![proptest_config(common::cases(512))]

    #[test]
    fn every_definition_judges_mutated_documents_alike(
        document in any::<Index>(),
        mutations in prop::collection::vec((any::<Index>(), Mutation::any(Protocol::AGUI)), 1..=3),
    ) {
        if let Some(definitions) = &*OFFICIAL {
            let mut document = document.get(&DOCUMENTS).clone();
            for (at, mutation) in &mutations {
                mutation.apply(&mut document, *at);
            }
            prop_assert_eq!(disagreements(definitions, &document), Vec::<String>::new());
        }
    }
}
