//! What `test` reports, as rules, so that its results fit the formats of findings.

use crate::check::rule::rules;

rules! { Input, "test";
    EXPECTATION = "expectation" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "an entry of `expect`",
        when: "the finding that comes at its place is another one, or there is none",
        why: "the fixture no longer says what the checker finds",
        help: "mend the input or the entry; `agent-contracts test --bless` writes down what is found",
    }
    UNEXPECTED = "unexpected" {
        code: SchemaMismatch, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "a fixture",
        when: "more is found than it expects",
        why: "the fixture no longer says what the checker finds",
        help: "mend the input or add an entry; `agent-contracts test --bless` writes down what is found",
    }
    REWRITTEN = "rewritten" {
        code: SchemaMismatch, severity: Note, profiles: [Reference, Schema, Strict],
        applies_to: "a fixture",
        when: "`--bless` has rewritten what it expects",
        why: "somebody should look whether what is found is right",
        help: "look at the difference before you commit it",
    }
}
