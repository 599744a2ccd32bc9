//! Event types, and the variants of other unions.

use super::super::rule::table;

table! {
    UNIONS;
    EVENT_ADDED = "event-added" {
        impact: SourceBreaking, breaks: Code,
        title: "the closed union of all events has another event type, or a type has another name",
        why: "consumers pass over events of a type that they do not know, but an exhaustive match no longer compiles: a TypeScript `switch` that ends in `never`, a Rust `match` without `_`",
        help: "release it as a break of the generated code; code that is to survive it has a branch for unknown types",
        before: r##"{"oneOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Ended"}],"$defs":{"Started":{"type":"object","properties":{"type":{"const":"started"}},"required":["type"]},"Ended":{"type":"object","properties":{"type":{"const":"ended"}},"required":["type"]}}}"##,
        after: r##"{"oneOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Paused"},{"$ref":"#/$defs/Ended"}],"$defs":{"Started":{"type":"object","properties":{"type":{"const":"started"}},"required":["type"]},"Paused":{"type":"object","properties":{"type":{"const":"paused"}},"required":["type"]},"Ended":{"type":"object","properties":{"type":{"const":"ended"}},"required":["type"]}}}"##,
    }
    EVENT_REMOVED = "event-removed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "an event type is gone, or one of its names",
        why: "a consumer of the new schema refuses the event that an old producer still sends, or passes over it as unknown",
        help: "keep the type and mark it as deprecated; remove it in a new version",
        before: r##"{"oneOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Ended"}],"$defs":{"Started":{"type":"object","properties":{"type":{"const":"started"}},"required":["type"]},"Ended":{"type":"object","properties":{"type":{"const":"ended"}},"required":["type"]}}}"##,
        after: r##"{"oneOf":[{"$ref":"#/$defs/Started"}],"$defs":{"Started":{"type":"object","properties":{"type":{"const":"started"}},"required":["type"]}}}"##,
    }
    VARIANT_ADDED = "variant-added" {
        impact: WireBreaking, breaks: NewProducers,
        title: "a closed union inside of a document has another variant",
        why: "an old consumer can pass over an event that it does not know, but not over a part of one, so it refuses the whole document",
        help: "add the variant in a new version, or open the union in a new version so that later variants are compatible",
        before: r##"{"type":"object","properties":{"part":{"oneOf":[{"$ref":"#/$defs/Text"},{"$ref":"#/$defs/Image"}]}},"$defs":{"Text":{"type":"object","properties":{"type":{"const":"text"}},"required":["type"]},"Image":{"type":"object","properties":{"type":{"const":"image"}},"required":["type"]}}}"##,
        after: r##"{"type":"object","properties":{"part":{"oneOf":[{"$ref":"#/$defs/Text"},{"$ref":"#/$defs/Image"},{"$ref":"#/$defs/Audio"}]}},"$defs":{"Text":{"type":"object","properties":{"type":{"const":"text"}},"required":["type"]},"Image":{"type":"object","properties":{"type":{"const":"image"}},"required":["type"]},"Audio":{"type":"object","properties":{"type":{"const":"audio"}},"required":["type"]}}}"##,
    }
    VARIANT_REMOVED = "variant-removed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a union inside of a document has lost a variant",
        why: "a consumer of the new schema refuses the documents of old producers that have it",
        help: "keep the variant and mark it as deprecated; remove it in a new version",
        before: r##"{"type":"object","properties":{"part":{"oneOf":[{"$ref":"#/$defs/Text"},{"$ref":"#/$defs/Image"}]}},"$defs":{"Text":{"type":"object","properties":{"type":{"const":"text"}},"required":["type"]},"Image":{"type":"object","properties":{"type":{"const":"image"}},"required":["type"]}}}"##,
        after: r##"{"type":"object","properties":{"part":{"oneOf":[{"$ref":"#/$defs/Text"}]}},"$defs":{"Text":{"type":"object","properties":{"type":{"const":"text"}},"required":["type"]}}}"##,
    }
    OPEN_VARIANT_ADDED = "open-variant-added" {
        impact: Compatible, breaks: Nothing,
        title: "a union that takes unknown variants names another one",
        why: "what an old consumer does not know it takes as unknown, and every match has a branch for that",
        help: "nothing has to be done; the closed schema of the same events is another matter",
        before: r##"{"anyOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Ended"},{"$ref":"#/$defs/Unknown"}],"$defs":{"Started":{"type":"object","properties":{"type":{"const":"started"}},"required":["type"]},"Ended":{"type":"object","properties":{"type":{"const":"ended"}},"required":["type"]},"Unknown":{"type":"object","properties":{"type":{"type":"string","not":{"enum":["started","ended"]}}},"required":["type"]}}}"##,
        after: r##"{"anyOf":[{"$ref":"#/$defs/Started"},{"$ref":"#/$defs/Ended"},{"$ref":"#/$defs/Paused"},{"$ref":"#/$defs/Unknown"}],"$defs":{"Started":{"type":"object","properties":{"type":{"const":"started"}},"required":["type"]},"Ended":{"type":"object","properties":{"type":{"const":"ended"}},"required":["type"]},"Paused":{"type":"object","properties":{"type":{"const":"paused"}},"required":["type"]},"Unknown":{"type":"object","properties":{"type":{"type":"string","not":{"enum":["started","ended","paused"]}}},"required":["type"]}}}"##,
    }
}
