//! Our AG-UI schemas against the official one: every definition accepts and rejects the
//! same documents.

use std::path::Path;
use std::sync::OnceLock;

use crate::common::mutation::Mutation;
use crate::common::{Failures, lines, repository};
use agent_contracts::Protocol;
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

crate::common::corpus_tests! {
    every_definition_judges_every_document_alike,
    every_definition_judges_mutated_documents_alike,
}

/// A definition of the specification, by the official schema and by ours.
struct Definition {
    name: String,
    official: Validator,
    ours: Validator,
}

fn definitions(corpus: &Path) -> &'static [Definition] {
    static DEFINITIONS: OnceLock<Vec<Definition>> = OnceLock::new();
    DEFINITIONS.get_or_init(|| read_definitions(corpus))
}

fn read_definitions(corpus: &Path) -> Vec<Definition> {
    let read = |path| -> Value { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let official = read(corpus.join("agui/official-schema-1.0.json"));
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
    definitions
}

/// What a definition of `schema` accepts.
fn at(schema: &Value, definition: &str) -> Validator {
    let reference = format!("#/$defs/{definition}");
    jsonschema::validator_for(&json!({"$defs": schema["$defs"], "$ref": reference})).unwrap()
}

/// The documents of the corpus, and everything that lies in them.
fn documents(corpus: &Path) -> &'static [Value] {
    static DOCUMENTS: OnceLock<Vec<Value>> = OnceLock::new();
    DOCUMENTS.get_or_init(|| read_documents(corpus))
}

fn read_documents(corpus: &Path) -> Vec<Value> {
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
    let mut all = vec![Value::Null, json!(1), json!("text"), json!(true)];
    for (_, case) in lines(&corpus.join("agui/documents.jsonl")) {
        collect(&case["document"], &mut all);
    }
    all
}

fn disagreements(definitions: &[Definition], document: &Value) -> Vec<String> {
    definitions
        .iter()
        .filter(|definition| definition.official.is_valid(document) != definition.ours.is_valid(document))
        .map(|definition| format!("{}: {document}", definition.name))
        .collect()
}

fn every_definition_judges_every_document_alike(corpus: &Path) {
    let definitions = definitions(corpus);
    let mut failures = Failures::default();
    for document in documents(corpus) {
        let found = disagreements(definitions, document);
        failures.check(found.is_empty(), || found.join("\n"));
    }
    failures.finish(900);
}

fn every_definition_judges_mutated_documents_alike(corpus: &Path) {
    let (definitions, documents) = (definitions(corpus), documents(corpus));
    proptest!(crate::common::cases(512), |(
        document in any::<Index>(),
        mutations in prop::collection::vec((any::<Index>(), Mutation::any(&Protocol::AGUI)), 1..=3),
    )| {
        let mut document = document.get(documents).clone();
        for (at, mutation) in &mutations {
            mutation.apply(&mut document, *at);
        }
        prop_assert_eq!(disagreements(definitions, &document), Vec::<String>::new());
    });
}
