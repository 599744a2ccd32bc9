//! Members of objects.

use super::super::rule::table;

table! {
    MEMBERS;
    MEMBER_REMOVED = "member-removed" {
        impact: WireBreaking, breaks: BothWays,
        title: "a member is gone that was required, or that its closed object now refuses",
        why: "an old consumer waits for a required member that new producers no longer send, and a closed object of a new consumer refuses the member of old producers",
        help: "keep the member and mark it as deprecated; remove it in a new version",
        before: r#"{"type":"object","properties":{"threadId":{"type":"string"},"runId":{"type":"string"}},"required":["threadId","runId"]}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"}},"required":["runId"]}"#,
    }
    OPTIONAL_MEMBER_REMOVED = "optional-member-removed" {
        impact: SourceBreaking, breaks: Code,
        title: "an optional member of an open object is no longer named",
        why: "documents with and without it stay valid on both sides, but code that reads or sets the member no longer compiles",
        help: "keep the member and mark it as deprecated",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"required":["runId"]}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"}},"required":["runId"]}"#,
    }
    REQUIRED_MEMBER_ADDED = "required-member-added" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a required member is new",
        why: "old producers do not send it, so consumers of the new schema refuse their documents",
        help: "add it as optional, or in a new version",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"}},"required":["runId"]}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"},"threadId":{"type":"string"}},"required":["runId","threadId"]}"#,
    }
    CLOSED_MEMBER_ADDED = "closed-member-added" {
        impact: WireBreaking, breaks: NewProducers,
        title: "an object that refuses unnamed members has another optional one",
        why: "consumers of the old schema refuse a document that has the new member",
        help: "add it in a new version, or let producers send it only to consumers that have asked for it",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"}},"additionalProperties":false}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"additionalProperties":false}"#,
    }
    OPTIONAL_MEMBER_ADDED = "optional-member-added" {
        impact: Compatible, breaks: Nothing,
        title: "an open object names another optional member",
        why: "old documents lack it, and old consumers pass over it",
        help: "nothing has to be done, unless producers have used the name for something else before",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"}},"required":["runId"]}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"required":["runId"]}"#,
    }
    MEMBER_NOW_REQUIRED = "member-now-required" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a member that could be absent is required",
        why: "consumers of the new schema refuse old documents without it; in generated code, constructors ask for it",
        help: "let consumers live without it, and require it in a new version",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"required":["runId"]}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"required":["label","runId"]}"#,
    }
    MEMBER_NO_LONGER_REQUIRED = "member-no-longer-required" {
        impact: WireBreaking, breaks: NewProducers,
        title: "a required member may be absent",
        why: "consumers of the old schema refuse documents without it; in generated code, its type can be empty",
        help: "let producers go on sending it, and make it optional in a new version",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"required":["label","runId"]}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"},"label":{"type":"string"}},"required":["runId"]}"#,
    }
    OBJECT_CLOSED = "object-closed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "an open object refuses members that it does not name",
        why: "consumers of the new schema refuse documents with members of which they do not know",
        help: "leave it open, and close it in a new version",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"}},"additionalProperties":true}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"}},"additionalProperties":false}"#,
    }
    OBJECT_OPENED = "object-opened" {
        impact: WireBreaking, breaks: NewProducers,
        title: "a closed object takes members that it does not name",
        why: "new producers may send such members, and consumers of the old schema refuse them",
        help: "open it in a new version",
        before: r#"{"type":"object","properties":{"runId":{"type":"string"}},"additionalProperties":false}"#,
        after: r#"{"type":"object","properties":{"runId":{"type":"string"}},"additionalProperties":true}"#,
    }
}
