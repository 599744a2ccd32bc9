//! Types of values, alternatives, and how both are written.

use super::super::rule::table;

table! {
    TYPES;
    TYPE_CHANGED = "type-changed" {
        impact: WireBreaking, breaks: BothWays,
        title: "the value is of another type",
        why: "each side refuses what the other one sends",
        help: "add a member of the new type beside the old one, or change the type in a new version",
        before: r#"{"type":"object","properties":{"total":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"total":{"type":"integer"}}}"#,
    }
    TYPE_NARROWED = "type-narrowed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "the value may be of fewer types",
        why: "consumers of the new schema refuse the values of old producers that have one of the other types",
        help: "go on taking all types, and narrow them in a new version",
        before: r#"{"type":"object","properties":{"total":{"type":"number"}}}"#,
        after: r#"{"type":"object","properties":{"total":{"type":"integer"}}}"#,
    }
    TYPE_WIDENED = "type-widened" {
        impact: WireBreaking, breaks: NewProducers,
        title: "the value may be of more types",
        why: "consumers of the old schema refuse values of the new types",
        help: "add a member for the new type, or widen the type in a new version",
        before: r#"{"type":"object","properties":{"result":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"result":{"type":["string","object"]}}}"#,
    }
    NULL_REFUSED = "null-refused" {
        impact: WireBreaking, breaks: OldProducers,
        title: "the value may no longer be null",
        why: "consumers of the new schema refuse the null that old producers send",
        help: "go on taking null, and refuse it in a new version",
        before: r#"{"type":"object","properties":{"label":{"type":["string","null"]}}}"#,
        after: r#"{"type":"object","properties":{"label":{"type":["string"]}}}"#,
    }
    NULL_ALLOWED = "null-allowed" {
        impact: WireBreaking, breaks: NewProducers,
        title: "the value may be null",
        why: "consumers of the old schema refuse null; in generated code, the type of the member can be empty",
        help: "let producers leave the member out if it is optional, or allow null in a new version",
        before: r#"{"type":"object","properties":{"label":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"label":{"anyOf":[{"type":"string"},{"type":"null"}]}}}"#,
    }
    ALTERNATIVE_ADDED = "alternative-added" {
        impact: WireBreaking, breaks: NewProducers,
        title: "the value may have another form of a type that it could have before",
        why: "consumers of the old schema refuse the new form",
        help: "add a member for the new form, or add the form in a new version",
        before: r#"{"type":"object","properties":{"path":{"anyOf":[{"type":"string","pattern":"^/"}]}}}"#,
        after: r#"{"type":"object","properties":{"path":{"anyOf":[{"type":"string","pattern":"^/"},{"type":"string","pattern":"^~"}]}}}"#,
    }
    ALTERNATIVE_REMOVED = "alternative-removed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "the value may no longer have one of several forms of a type",
        why: "consumers of the new schema refuse the form that old producers send",
        help: "go on taking it, and remove it in a new version",
        before: r#"{"type":"object","properties":{"path":{"anyOf":[{"type":"string","pattern":"^/"},{"type":"string","pattern":"^~"}]}}}"#,
        after: r#"{"type":"object","properties":{"path":{"anyOf":[{"type":"string","pattern":"^/"}]}}}"#,
    }
    FORM_CHANGED = "form-changed" {
        impact: SourceBreaking, breaks: Code,
        title: "the same documents are described in another way",
        why: "code generators follow the way in which a schema is written, so a type may get another form or name",
        help: "leave it as it is written, or generate code from both and compare",
        before: r#"{"type":"object","properties":{"label":{"type":["string","null"]}}}"#,
        after: r#"{"type":"object","properties":{"label":{"anyOf":[{"type":"string"},{"type":"null"}]}}}"#,
    }
    REFERENCE_CHANGED = "reference-changed" {
        impact: SourceBreaking, breaks: Code,
        title: "the value is described by another definition, or in place instead of by a definition",
        why: "in generated code the value has a type of another name; where the definitions differ in what they take, that is reported as well",
        help: "go on referring to the same definition",
        before: r##"{"type":"object","properties":{"id":{"$ref":"#/$defs/Id"},"parent":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string"},"Key":{"type":"string"}}}"##,
        after: r##"{"type":"object","properties":{"id":{"$ref":"#/$defs/Id"},"parent":{"$ref":"#/$defs/Key"}},"$defs":{"Id":{"type":"string"},"Key":{"type":"string"}}}"##,
    }
}
