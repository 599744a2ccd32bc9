//! The committed schemas are what the types say.
#![cfg(feature = "published")]

use std::path::Path;

use agent_contracts::schema;

#[test]
fn committed_schemas_are_as_generated() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        schema::export(&dir).unwrap();
    }
    let drift: Vec<String> = schema::drift(&dir).unwrap().iter().map(ToString::to_string).collect();
    assert!(
        drift.is_empty(),
        "run UPDATE_SCHEMAS=1 cargo test --all-features --test schemas published:\n{}",
        drift.join("\n")
    );
}
