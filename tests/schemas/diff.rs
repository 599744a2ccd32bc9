//! What a change of a schema breaks: tables of pairs, the examples of the rules, and the
//! published schemas.
#![cfg(feature = "published")]

use std::collections::HashSet;

use agent_contracts::schema::diff::Impact::{self, Compatible as Fine, SourceBreaking as Source, WireBreaking as Wire};
use agent_contracts::schema::diff::{
    Change, ChangeRule, DiffReport, Schema, SchemaError, change_rule, change_rules, compare, compare_file,
};
use serde_json::{Map, Value, json};

/// What is expected of a pair: the impact, the rule, the place.
type Expected = &'static [(Impact, &'static str, &'static str)];

fn schema(text: &str) -> Schema {
    Schema::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn changes(old: &str, new: &str) -> Vec<Change> {
    compare(&schema(old), &schema(new))
}

fn check(name: &str, old: &str, new: &str, expected: Expected) {
    let changes = changes(old, new);
    let found: Vec<(Impact, &str, &str)> =
        changes.iter().map(|change| (change.impact(), change.rule.name(), change.place.as_str())).collect();
    assert_eq!(found, expected, "{name}:\n{changes:#?}");
}

/// The schema of one member, before and after. The place is the way from the member.
const MEMBERS: &[(&str, &str, &str, Expected)] = &[
    ("nothing", r#"{"type":"string"}"#, r#"{"type":"string"}"#, &[]),
    ("another type", r#"{"type":"string"}"#, r#"{"type":"integer"}"#, &[(Wire, "type-changed", "")]),
    ("number to integer", r#"{"type":"number"}"#, r#"{"type":"integer"}"#, &[(Wire, "type-narrowed", "")]),
    ("integer to number", r#"{"type":"integer"}"#, r#"{"type":"number"}"#, &[(Wire, "type-widened", "")]),
    ("anything to text", "{}", r#"{"type":"string"}"#, &[(Wire, "type-narrowed", "")]),
    ("text to anything", r#"{"type":"string"}"#, "true", &[(Wire, "type-widened", "")]),
    ("nothing to text", "false", r#"{"type":"string"}"#, &[(Wire, "type-widened", "")]),
    ("null, by a list", r#"{"type":"string"}"#, r#"{"type":["string","null"]}"#, &[(Wire, "null-allowed", "")]),
    (
        "null, by a union",
        r#"{"type":"number","minimum":0}"#,
        r#"{"anyOf":[{"type":"number"},{"type":"null"}],"minimum":0}"#,
        &[(Wire, "null-allowed", "")],
    ),
    (
        "no null, by a union",
        r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#,
        r#"{"type":"integer"}"#,
        &[(Wire, "null-refused", "")],
    ),
    (
        "null written otherwise",
        r#"{"type":["string","null"]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        &[(Source, "form-changed", "")],
    ),
    ("the order of types", r#"{"type":["string","null"]}"#, r#"{"type":["null","string"]}"#, &[]),
    (
        "the order of branches",
        r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        r#"{"anyOf":[{"type":"null"},{"type":"string"}]}"#,
        &[],
    ),
    (
        "another keyword for disjoint branches",
        r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#,
        &[(Source, "form-changed", "")],
    ),
    (
        "another keyword for branches that overlap",
        r#"{"anyOf":[{"type":"string"},{"type":"string","minLength":3}]}"#,
        r#"{"oneOf":[{"type":"string"},{"type":"string","minLength":3}]}"#,
        &[(Wire, "keyword-changed", "")],
    ),
    (
        "another type in a union",
        r#"{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"object"},{"type":"array","items":{"type":"string"}}]}"#,
        &[(Wire, "type-widened", "")],
    ),
    (
        "a change inside of a union",
        r#"{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"integer"}}]}"#,
        &[(Wire, "type-changed", "[]")],
    ),
    ("items", r#"{"type":"array"}"#, r#"{"type":"array","items":{"type":"string"}}"#, &[(Wire, "type-narrowed", "[]")]),
    (
        "items of items",
        r#"{"type":"array","items":{"type":"array","items":{"minLength":1}}}"#,
        r#"{"type":"array","items":{"type":"array","items":{"minLength":2}}}"#,
        &[(Wire, "limit-tightened", "[][]")],
    ),
    (
        "values of a map",
        r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        &[(Wire, "type-changed", ".*")],
    ),
    (
        "an open object as a map",
        r#"{"type":"object","additionalProperties":true}"#,
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        &[(Wire, "type-narrowed", ".*")],
    ),
    (
        "a name in a map",
        r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
        r#"{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":{"type":"string"}}"#,
        &[(Fine, "optional-member-added", ".a"), (Wire, "type-changed", ".a")],
    ),
    (
        "an open object that says so",
        r#"{"type":"object"}"#,
        r#"{"type":"object","additionalProperties":true}"#,
        &[(Source, "form-changed", "")],
    ),
    (
        "an object that is closed",
        r#"{"type":"object"}"#,
        r#"{"type":"object","additionalProperties":false}"#,
        &[(Wire, "object-closed", "")],
    ),
    (
        "a closed object as a map",
        r#"{"type":"object","additionalProperties":false}"#,
        r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
        &[(Wire, "object-opened", "")],
    ),
    (
        "a member that may not be there",
        r#"{"type":"object"}"#,
        r#"{"type":"object","properties":{"a":false}}"#,
        &[(Wire, "type-narrowed", ".a")],
    ),
    (
        "a required member that is not described",
        r#"{"type":"object"}"#,
        r#"{"type":"object","required":["a"]}"#,
        &[(Wire, "required-member-added", ".a")],
    ),
    (
        "a member of an open object that is no longer named",
        r#"{"type":"object","properties":{"a":{},"b":{}}}"#,
        r#"{"type":"object","properties":{"a":{}}}"#,
        &[(Source, "optional-member-removed", ".b")],
    ),
    (
        "a member that may be absent",
        r#"{"type":"object","properties":{"a":{}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"a":{}}}"#,
        &[(Wire, "member-no-longer-required", ".a")],
    ),
    (
        "a form beside another",
        r#"{"anyOf":[{"type":"string","pattern":"^a"}]}"#,
        r#"{"anyOf":[{"type":"string","pattern":"^a"},{"type":"string","pattern":"^b"}]}"#,
        &[(Wire, "alternative-added", "")],
    ),
    (
        "a closed list is open",
        r#"{"enum":["a"],"type":"string"}"#,
        r#"{"anyOf":[{"enum":["a","b"]},{}],"type":"string"}"#,
        &[(Wire, "values-opened", "")],
    ),
    (
        "an exclusion is gone",
        r#"{"type":"string","not":{"const":"a"}}"#,
        r#"{"type":"string"}"#,
        &[(Fine, "refused-value-removed", "")],
    ),
    ("a pattern", r#"{"type":"string"}"#, r#"{"type":"string","pattern":"^a"}"#, &[(Wire, "pattern-added", "")]),
    ("no pattern", r#"{"type":"string","pattern":"^a"}"#, r#"{"type":"string"}"#, &[(Fine, "pattern-removed", "")]),
    (
        "a name that is no word",
        r#"{"type":"object","properties":{"a.b c":{"type":"string"}}}"#,
        r#"{"type":"object","properties":{"a.b c":{"type":"null"}}}"#,
        &[(Wire, "type-changed", r#"["a.b c"]"#)],
    ),
    ("a fixed value", r#"{"const":"a"}"#, r#"{"const":"b"}"#, &[(Wire, "value-changed", "")]),
    ("a fixed value as a list", r#"{"const":"a"}"#, r#"{"enum":["a"]}"#, &[(Source, "form-changed", "")]),
    (
        "a fixed value and its type",
        r#"{"const":"a"}"#,
        r#"{"const":"a","type":"string"}"#,
        &[(Source, "form-changed", "")],
    ),
    ("a fixed value of another type", r#"{"const":"1"}"#, r#"{"const":1}"#, &[(Wire, "type-changed", "")]),
    (
        "values in and out",
        r#"{"enum":["a","b"]}"#,
        r#"{"enum":["b","c"]}"#,
        &[(Wire, "value-removed", ""), (Wire, "value-added", "")],
    ),
    ("the order of values", r#"{"enum":["a","b"]}"#, r#"{"enum":["b","a"]}"#, &[]),
    ("null in a list of values", r#"{"enum":["a"]}"#, r#"{"enum":["a",null]}"#, &[(Wire, "null-allowed", "")]),
    (
        "a list of described values",
        r#"{"oneOf":[{"const":"a"},{"const":"b"}]}"#,
        r#"{"oneOf":[{"const":"a"},{"const":"b"},{"const":"c"}]}"#,
        &[(Wire, "value-added", "")],
    ),
    (
        "an open list grows",
        r#"{"anyOf":[{"enum":["a"]},{}],"type":"string"}"#,
        r#"{"anyOf":[{"enum":["a","b"]},{}],"type":"string"}"#,
        &[(Fine, "open-value-added", "")],
    ),
    (
        "an open list shrinks",
        r#"{"anyOf":[{"enum":["a","b"]},{}],"type":"string"}"#,
        r#"{"anyOf":[{"enum":["a"]},{}],"type":"string"}"#,
        &[(Source, "open-value-removed", "")],
    ),
    (
        "an open list is closed",
        r#"{"anyOf":[{"enum":["a"]},{}],"type":"string"}"#,
        r#"{"enum":["a"],"type":"string"}"#,
        &[(Wire, "values-closed", "")],
    ),
    (
        "text with an open list",
        r#"{"type":"string"}"#,
        r#"{"anyOf":[{"enum":["a"]},{}],"type":"string"}"#,
        &[(Source, "form-changed", "")],
    ),
    (
        "an open list that may be null",
        r#"{"anyOf":[{"anyOf":[{"enum":["a"]},{}],"type":"string"},{"type":"null"}]}"#,
        r#"{"anyOf":[{"anyOf":[{"enum":["a","b"]},{}],"type":"string"},{"type":"null"}]}"#,
        &[(Fine, "open-value-added", "")],
    ),
    (
        "an exclusion, in other words",
        r#"{"type":"string","not":{"enum":["a"]}}"#,
        r#"{"type":"string","not":{"anyOf":[{"const":"a"},{"enum":["b"]}]}}"#,
        &[(Wire, "refused-value-added", "")],
    ),
    (
        "an exclusion that is not understood",
        r#"{"type":"string","not":{"minLength":3}}"#,
        r#"{"type":"string","not":{"minLength":4}}"#,
        &[(Wire, "keyword-changed", "")],
    ),
    ("no limit at all", r#"{"type":"string"}"#, r#"{"type":"string","minLength":0}"#, &[(Source, "form-changed", "")]),
    (
        "limits, both ways",
        r#"{"type":"integer","minimum":0,"maximum":9}"#,
        r#"{"type":"integer","minimum":-1,"maximum":8}"#,
        &[(Fine, "limit-loosened", ""), (Wire, "limit-tightened", "")],
    ),
    ("the same limit", r#"{"type":"number","minimum":1}"#, r#"{"type":"number","minimum":1.0}"#, &[]),
    (
        "sizes of a list",
        r#"{"type":"array","minItems":2,"maxItems":2}"#,
        r#"{"type":"array","maxItems":2}"#,
        &[(Fine, "limit-loosened", "")],
    ),
    (
        "one form of several",
        r#"{"anyOf":[{"type":"string","pattern":"^a"},{"type":"string","pattern":"^b"}]}"#,
        r#"{"anyOf":[{"type":"string","pattern":"^a"},{"type":"string","pattern":"^c"}]}"#,
        &[(Wire, "pattern-changed", "")],
    ),
    (
        "prose",
        r#"{"description":"One."}"#,
        r#"{"description":"Two.","examples":[1]}"#,
        &[(Fine, "documentation-changed", "")],
    ),
    ("a title", r#"{"type":"object"}"#, r#"{"type":"object","title":"Run"}"#, &[(Source, "title-changed", "")]),
    ("a default", r#"{"type":"boolean"}"#, r#"{"type":"boolean","default":true}"#, &[(Source, "default-changed", "")]),
    ("a deprecation", r#"{"deprecated":true}"#, "{}", &[(Fine, "deprecation-changed", "")]),
    ("an unknown keyword", "{}", r#"{"x-kind":1}"#, &[(Wire, "keyword-changed", "")]),
    (
        "an unknown keyword in a branch",
        r#"{"anyOf":[{"type":"string","format":"uri"},{"type":"null"}]}"#,
        r#"{"anyOf":[{"type":"string","format":"iri"},{"type":"null"}]}"#,
        &[(Wire, "keyword-changed", "")],
    ),
    (
        "a condition",
        r#"{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}"#,
        r#"{"type":"object","if":{"required":["a"]},"then":{"required":["c"]}}"#,
        &[(Wire, "keyword-changed", "")],
    ),
    (
        "keywords that hold beside a union of objects",
        r#"{"properties":{"a":{}},"anyOf":[{"properties":{"b":{"type":"string"}}},{"type":"null"}]}"#,
        r#"{"properties":{"a":{}},"anyOf":[{"properties":{"b":{"type":"integer"}}},{"type":"null"}]}"#,
        &[(Wire, "type-changed", ".b")],
    ),
    (
        "a schema that holds as well",
        r#"{"type":"object","allOf":[{"required":["a"]}]}"#,
        r#"{"type":"object","allOf":[{"required":["a"]},{"required":["b"]}]}"#,
        &[(Wire, "keyword-changed", "")],
    ),
    (
        "a change in a schema that holds as well",
        r#"{"type":"object","allOf":[{"required":["a"]},{"properties":{"b":{"type":"string"}}}]}"#,
        r#"{"type":"object","allOf":[{"required":["a"]},{"properties":{"b":{"type":"null"}}}]}"#,
        &[(Wire, "type-changed", ".b")],
    ),
];

#[test]
fn members() {
    for (name, old, new, expected) in MEMBERS {
        let member = |schema: &str| format!(r#"{{"title":"T","type":"object","properties":{{"v":{schema}}}}}"#);
        let (old, new) = (member(old), member(new));
        let changes = changes(&old, &new);
        let found: Vec<(Impact, &str, &str)> = changes
            .iter()
            .map(|change| {
                (change.impact(), change.rule.name(), change.place.strip_prefix("T.v").unwrap_or("elsewhere"))
            })
            .collect();
        assert_eq!(found, *expected, "{name}:\n{changes:#?}");
    }
}

/// Whole schemas, before and after.
const SCHEMAS: &[(&str, &str, &str, Expected)] = &[
    (
        "an event type is new",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"C":{"properties":{"type":{"const":"c"},"data":{"$ref":"#/$defs/Data"}},"required":["type"]},"Data":{"type":"object"}}}"##,
        &[(Source, "event-added", "Event"), (Fine, "definition-added", "Data")],
    ),
    (
        "an event type is gone",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"C":{"properties":{"type":{"const":"c"},"data":{"$ref":"#/$defs/Data"}},"required":["type"]},"Data":{"type":"object"}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        &[(Wire, "event-removed", "Event"), (Source, "definition-removed", "Data")],
    ),
    (
        "an event type that only code no longer names",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        &[(Wire, "event-removed", "Event")],
    ),
    (
        "the definition of an event has another name, and the tag shows it",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"},"x":{"type":"string"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/Bee"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"Bee":{"properties":{"type":{"const":"b"},"x":{"type":"integer"}},"required":["type"]}}}"##,
        &[(Source, "definition-renamed", "Bee"), (Wire, "type-changed", "Bee.x")],
    ),
    (
        "two definitions exchange their names",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"},"x":{}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"b"},"x":{}},"required":["type"]},"B":{"properties":{"type":{"const":"a"}},"required":["type"]}}}"##,
        &[(Source, "definition-renamed", "A"), (Source, "definition-renamed", "B")],
    ),
    (
        "an event type under another tag is another event type",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"C":{"properties":{"type":{"const":"c"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"C":{"properties":{"type":{"const":"d"}},"required":["type"]}}}"##,
        &[(Wire, "event-removed", "Event"), (Source, "event-added", "Event")],
    ),
    (
        "an event type gets another name beside the first",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"enum":["b","bee"]}},"required":["type"]}}}"##,
        &[(Source, "event-added", "B.type")],
    ),
    (
        "an event type is new where unknown ones are taken",
        r##"{"title":"Event","anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/Unknown"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"Unknown":{"properties":{"type":{"type":"string","not":{"anyOf":[{"enum":["a","b"]},{"pattern":"_delta$"}]}}},"required":["type"]}}}"##,
        r##"{"title":"Event","anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"},{"$ref":"#/$defs/Unknown"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"C":{"properties":{"type":{"const":"c"}},"required":["type"]},"Unknown":{"properties":{"type":{"type":"string","not":{"anyOf":[{"enum":["a","b","c"]},{"pattern":"_delta$"}]}}},"required":["type"]}}}"##,
        &[(Fine, "open-variant-added", "Event")],
    ),
    (
        "a type is excluded that no event has",
        r##"{"title":"Event","anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/Unknown"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"Unknown":{"properties":{"type":{"type":"string","not":{"enum":["a","b"]}}},"required":["type"]}}}"##,
        r##"{"title":"Event","anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/Unknown"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"Unknown":{"properties":{"type":{"type":"string","not":{"enum":["a","b","z"]}}},"required":["type"]}}}"##,
        &[(Wire, "refused-value-added", "Unknown.type")],
    ),
    (
        "unknown events are no longer taken",
        r##"{"title":"Event","anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/Unknown"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"Unknown":{"type":"object","properties":{"type":{"type":"string","not":{"enum":["a","b"]}}},"required":["type"]}}}"##,
        r##"{"title":"Event","anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        &[(Wire, "alternative-removed", "Event"), (Source, "definition-removed", "Unknown")],
    ),
    (
        "a tag of another name",
        r##"{"title":"Frame","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/Part"}],"$defs":{"A":{"properties":{"event":{"const":"a"}},"required":["event"]},"B":{"properties":{"event":{"const":"b"}},"required":["event"]},"Part":{"properties":{"event":{"type":"string","pattern":"_delta$"}},"required":["event"]}}}"##,
        r##"{"title":"Frame","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/Part"}],"$defs":{"A":{"properties":{"event":{"const":"a"}},"required":["event"]},"Part":{"properties":{"event":{"type":"string","pattern":"_part$"}},"required":["event"]}}}"##,
        &[(Wire, "event-removed", "Frame"), (Wire, "pattern-changed", "Part.event")],
    ),
    (
        "a branch of `oneOf` that may take what another one takes",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"type":"string","pattern":"_d$"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"type":"string"}},"required":["type"]}}}"##,
        &[(Wire, "keyword-changed", "Event"), (Fine, "pattern-removed", "B.type")],
    ),
    (
        "the same of numbers, written in place",
        r#"{"title":"Size","oneOf":[{"type":"integer","maximum":5},{"type":"integer","minimum":6}]}"#,
        r#"{"title":"Size","oneOf":[{"type":"integer","maximum":9},{"type":"integer","minimum":6}]}"#,
        &[(Fine, "limit-loosened", "Size"), (Wire, "keyword-changed", "Size")],
    ),
    (
        "a branch that takes more, and is told by its tag",
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"},"n":{"type":"integer","maximum":5}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        r##"{"title":"Event","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"type":{"const":"a"},"n":{"type":"integer","maximum":9}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        &[(Fine, "limit-loosened", "A.n")],
    ),
    (
        "events that share what they have in common",
        r##"{"title":"Event","allOf":[{"$ref":"#/$defs/Base"},{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}],"$defs":{"Base":{"properties":{"id":{"type":"string"}}},"A":{"properties":{"class":{"enum":["a1","a2"]}},"required":["class"]},"B":{"properties":{"class":{"enum":["b1"]}},"required":["class"]}}}"##,
        r##"{"title":"Event","allOf":[{"$ref":"#/$defs/Base"},{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}]}],"$defs":{"Base":{"properties":{"id":{"type":"string"}},"required":["id"]},"A":{"properties":{"class":{"enum":["a1","a2","a3"]}},"required":["class"]},"B":{"properties":{"class":{"enum":["b1"]}},"required":["class"]},"C":{"properties":{"class":{"enum":["c1"]}},"required":["class"]}}}"##,
        &[
            (Source, "event-added", "Event"),
            (Source, "event-added", "A.class"),
            (Wire, "member-now-required", "Base.id"),
        ],
    ),
    (
        "a root that is a reference",
        r##"{"title":"Event","$ref":"#/$defs/Event","$defs":{"Event":{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]},"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]}}}"##,
        r##"{"title":"Event","$ref":"#/$defs/Event","$defs":{"Event":{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}]},"A":{"properties":{"type":{"const":"a"}},"required":["type"]},"B":{"properties":{"type":{"const":"b"}},"required":["type"]},"C":{"properties":{"type":{"const":"c"}},"required":["type"]}}}"##,
        &[(Source, "event-added", "Event")],
    ),
    (
        "a variant inside of a document",
        r##"{"title":"Message","properties":{"content":{"type":"array","items":{"$ref":"#/$defs/Part"}}},"$defs":{"Part":{"oneOf":[{"$ref":"#/$defs/Text"},{"$ref":"#/$defs/Image"}]},"Text":{"properties":{"type":{"const":"text"}},"required":["type"]},"Image":{"properties":{"type":{"const":"image"}},"required":["type"]}}}"##,
        r##"{"title":"Message","properties":{"content":{"type":"array","items":{"$ref":"#/$defs/Part"}}},"$defs":{"Part":{"oneOf":[{"$ref":"#/$defs/Text"},{"$ref":"#/$defs/Audio"}]},"Text":{"properties":{"type":{"const":"text"}},"required":["type"]},"Audio":{"properties":{"type":{"const":"audio"}},"required":["type"]}}}"##,
        &[(Wire, "variant-removed", "Part"), (Wire, "variant-added", "Part")],
    ),
    (
        "a variant that is written in place",
        r#"{"title":"Message","properties":{"part":{"oneOf":[{"properties":{"type":{"const":"text"},"text":{"type":"string"}},"required":["type"]},{"properties":{"type":{"const":"image"}},"required":["type"]}]}}}"#,
        r#"{"title":"Message","properties":{"part":{"oneOf":[{"properties":{"type":{"const":"text"},"text":{"type":"string"}},"required":["type","text"]},{"properties":{"type":{"const":"image"}},"required":["type"]}]}}}"#,
        &[(Wire, "member-now-required", "Message.part(text).text")],
    ),
    (
        "a union of another name",
        r##"{"title":"Message","properties":{"part":{"$ref":"#/$defs/Part"}},"$defs":{"Part":{"oneOf":[{"$ref":"#/$defs/Text"},{"$ref":"#/$defs/Image"}]},"Text":{"properties":{"type":{"const":"text"}},"required":["type"]},"Image":{"properties":{"type":{"const":"image"}},"required":["type"]}}}"##,
        r##"{"title":"Message","properties":{"part":{"$ref":"#/$defs/Content"}},"$defs":{"Content":{"oneOf":[{"$ref":"#/$defs/TextContent"},{"$ref":"#/$defs/ImageContent"}]},"TextContent":{"properties":{"type":{"const":"text"}},"required":["type"]},"ImageContent":{"properties":{"type":{"const":"image"}},"required":["type"]}}}"##,
        &[
            (Source, "definition-renamed", "Content"),
            (Source, "definition-renamed", "ImageContent"),
            (Source, "definition-renamed", "TextContent"),
        ],
    ),
    (
        "a definition that is used twice, once is enough",
        r##"{"title":"Run","properties":{"id":{"$ref":"#/$defs/Id"},"parent":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string"}}}"##,
        r##"{"title":"Run","properties":{"id":{"$ref":"#/$defs/Id"},"parent":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string","minLength":1}}}"##,
        &[(Wire, "limit-tightened", "Id")],
    ),
    (
        "a definition that changes its type, also where it may be null",
        r##"{"title":"Run","properties":{"parent":{"anyOf":[{"$ref":"#/$defs/Id"},{"type":"null"}]}},"$defs":{"Id":{"type":"string"}}}"##,
        r##"{"title":"Run","properties":{"parent":{"anyOf":[{"$ref":"#/$defs/Id"},{"type":"null"}]}},"$defs":{"Id":{"type":"integer"}}}"##,
        &[(Wire, "type-changed", "Id")],
    ),
    (
        "a reference that may be null",
        r##"{"title":"Run","properties":{"parent":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string"}}}"##,
        r##"{"title":"Run","properties":{"parent":{"anyOf":[{"$ref":"#/$defs/Id"},{"type":"null"}]}},"$defs":{"Id":{"type":"string"}}}"##,
        &[(Wire, "null-allowed", "Run.parent")],
    ),
    (
        "a reference with a description of its own",
        r##"{"title":"Run","properties":{"parent":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string"}}}"##,
        r##"{"title":"Run","properties":{"parent":{"allOf":[{"$ref":"#/$defs/Id"}],"description":"The parent."}},"$defs":{"Id":{"type":"string"}}}"##,
        &[(Fine, "documentation-changed", "Run.parent"), (Source, "form-changed", "Run.parent")],
    ),
    (
        "a reference to a definition that takes less",
        r##"{"title":"Run","properties":{"a":{"$ref":"#/$defs/Id"},"b":{"$ref":"#/$defs/Name"}},"$defs":{"Id":{"type":"string","minLength":1},"Name":{"type":"string"}}}"##,
        r##"{"title":"Run","properties":{"a":{"$ref":"#/$defs/Id"},"b":{"$ref":"#/$defs/Id"}},"$defs":{"Id":{"type":"string","minLength":1},"Name":{"type":"string"}}}"##,
        &[(Wire, "limit-tightened", "Run.b")],
    ),
    (
        "what was written in place is a definition",
        r#"{"title":"Run","properties":{"source":{"type":"object","properties":{"url":{"type":"string"}}}}}"#,
        r##"{"title":"Run","properties":{"source":{"$ref":"#/$defs/Source"}},"$defs":{"Source":{"type":"object","properties":{"url":{"type":"string"}}}}}"##,
        &[(Source, "reference-changed", "Run.source"), (Fine, "definition-added", "Source")],
    ),
    (
        "what was written in place is a definition, and differs",
        r#"{"title":"Run","properties":{"source":{"type":"object","properties":{"url":{"type":"string"}}}}}"#,
        r##"{"title":"Run","properties":{"source":{"$ref":"#/$defs/Source"}},"$defs":{"Source":{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}}}"##,
        &[
            (Source, "reference-changed", "Run.source"),
            (Wire, "member-now-required", "Run.source.url"),
            (Fine, "definition-added", "Source"),
        ],
    ),
    (
        "a definition that refers to itself",
        r##"{"title":"Tree","$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}"##,
        r##"{"title":"Tree","$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","properties":{"value":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}"##,
        &[(Wire, "type-changed", "Node.value")],
    ),
    (
        "lists without end that are not the same",
        r##"{"title":"Run","properties":{"list":{"$ref":"#/$defs/L"},"l":{"$ref":"#/$defs/L"},"m":{"$ref":"#/$defs/M"}},"$defs":{"L":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/L"},{"type":"null"}]},"of":{"type":"string"}}},"M":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/M"},{"type":"null"}]},"of":{"type":"integer"}}}}}"##,
        r##"{"title":"Run","properties":{"list":{"$ref":"#/$defs/M"},"l":{"$ref":"#/$defs/L"},"m":{"$ref":"#/$defs/M"}},"$defs":{"L":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/L"},{"type":"null"}]},"of":{"type":"string"}}},"M":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/M"},{"type":"null"}]},"of":{"type":"integer"}}}}}"##,
        &[
            (Source, "reference-changed", "Run.list"),
            (Source, "reference-changed", "Run.list.next"),
            (Wire, "type-changed", "Run.list.of"),
        ],
    ),
    (
        "the root as a member of itself",
        r##"{"title":"Tree","type":"object","properties":{"child":{"$ref":"#"},"of":{"type":"string"}}}"##,
        r##"{"title":"Tree","type":"object","properties":{"child":{"$ref":"#"},"of":{"type":"boolean"}}}"##,
        &[(Wire, "type-changed", "Tree.of")],
    ),
    (
        "a member of another name",
        r#"{"title":"Run","type":"object","properties":{"threadId":{"type":"string"}},"required":["threadId"],"additionalProperties":true}"#,
        r#"{"title":"Run","type":"object","properties":{"thread_id":{"type":"string"}},"required":["thread_id"],"additionalProperties":true}"#,
        &[(Wire, "member-removed", "Run.threadId"), (Wire, "required-member-added", "Run.thread_id")],
    ),
    (
        "members of a closed object",
        r#"{"title":"Run","type":"object","properties":{"a":{},"b":{}},"required":["a"],"additionalProperties":false}"#,
        r#"{"title":"Run","type":"object","properties":{"a":{},"c":{}},"required":["a"],"additionalProperties":false}"#,
        &[(Wire, "member-removed", "Run.b"), (Wire, "closed-member-added", "Run.c")],
    ),
    (
        "members of an object that takes none that are not evaluated",
        r#"{"title":"Run","type":"object","properties":{"a":{}},"unevaluatedProperties":false}"#,
        r#"{"title":"Run","type":"object","properties":{"a":{},"c":{}},"unevaluatedProperties":false}"#,
        &[(Wire, "closed-member-added", "Run.c")],
    ),
    (
        "an object whose members that are not evaluated are refused",
        r#"{"title":"Run","type":"object"}"#,
        r#"{"title":"Run","type":"object","unevaluatedProperties":false}"#,
        &[(Wire, "object-closed", "Run")],
    ),
    (
        "values that any text may have",
        r#"{"type":"object","properties":{"a":{"anyOf":[{"enum":["x"]},{"type":"string"}]}}}"#,
        r#"{"type":"object","properties":{"a":{"anyOf":[{"enum":["x","y"],"type":"string"},{"type":"string"}]}}}"#,
        &[(Fine, "open-value-added", "$.a")],
    ),
    (
        "definitions of an older draft",
        r##"{"title":"Run","$ref":"#/definitions/A","definitions":{"A":{"type":"string"}}}"##,
        r##"{"title":"Run","$ref":"#/definitions/A","definitions":{"A":{"type":"integer"}}}"##,
        &[(Wire, "type-changed", "A")],
    ),
    (
        "members that are not evaluated, beside another schema",
        r##"{"title":"Run","type":"object","allOf":[{"$ref":"#/$defs/Base"}],"unevaluatedProperties":false,"$defs":{"Base":{"type":"object"}}}"##,
        r##"{"title":"Run","type":"object","allOf":[{"$ref":"#/$defs/Base"}],"unevaluatedProperties":true,"$defs":{"Base":{"type":"object"}}}"##,
        &[(Wire, "keyword-changed", "Run")],
    ),
    (
        "definitions under two keywords",
        r##"{"title":"Run","$ref":"#/definitions/A","$defs":{},"definitions":{"A":{"type":"string"}}}"##,
        r##"{"title":"Run","$ref":"#/definitions/A","$defs":{},"definitions":{"A":{"type":"boolean"}}}"##,
        &[(Wire, "type-changed", "A")],
    ),
    (
        "equal numbers",
        r#"{"title":"Run","type":"object","properties":{"a":{"const":1},"b":{"enum":[[1],2.5]}}}"#,
        r#"{"title":"Run","type":"object","properties":{"a":{"const":1.0},"b":{"enum":[[1.0],2.5]}}}"#,
        &[],
    ),
    (
        "the names of a schema",
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:a","title":"A","type":"object"}"#,
        r#"{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"urn:b","title":"B","type":"object"}"#,
        &[(Source, "title-changed", "B"), (Source, "id-changed", "B"), (Wire, "keyword-changed", "B")],
    ),
    (
        "definitions that nothing refers to",
        r#"{"type":"object","$defs":{"A":{"type":"string"},"B":{"type":"string"}}}"#,
        r#"{"type":"object","$defs":{"B":{"type":"integer"},"C":{"type":"string"}}}"#,
        &[(Source, "definition-removed", "A"), (Wire, "type-changed", "B"), (Fine, "definition-added", "C")],
    ),
    (
        "names with signs that a pointer escapes",
        r##"{"title":"Run","properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"type":"string"}}}"##,
        r##"{"title":"Run","properties":{"a":{"$ref":"#/$defs/a~1b"}},"$defs":{"a/b":{"type":"null"}}}"##,
        &[(Wire, "type-changed", "a/b")],
    ),
];

#[test]
fn schemas() {
    for (name, old, new, expected) in SCHEMAS {
        check(name, old, new, expected);
    }
}

/// The examples of a rule show that rule and no other.
#[test]
fn examples_of_the_rules() {
    let read = |text: &str| (!text.is_empty()).then(|| schema(text));
    for rule in change_rules() {
        let changes = compare_file(read(rule.before()).as_ref(), read(rule.after()).as_ref());
        let found: Vec<&str> = changes.iter().map(|change| change.rule.id()).collect();
        assert_eq!(found, [rule.id()], "{changes:#?}");
        let nothing = compare_file(read(rule.before()).as_ref(), read(rule.before()).as_ref());
        assert!(nothing.is_empty(), "{rule}: {nothing:#?}");
    }
}

#[test]
fn rules_are_found_by_their_ids() {
    let ids: HashSet<&str> = change_rules().map(ChangeRule::id).collect();
    assert_eq!(ids.len(), change_rules().count(), "two rules have one id");
    for rule in change_rules() {
        assert_eq!(change_rule(rule.id()), Some(rule));
        let is_kebab = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(rule.id().strip_prefix("schema/").is_some_and(is_kebab), "{rule}");
    }
    assert_eq!(change_rule("schema/nothing"), None);
}

/// The tables show every rule but those about whole files.
#[test]
fn the_tables_show_every_rule() {
    let expected = MEMBERS.iter().chain(SCHEMAS).flat_map(|(.., expected)| expected.iter().map(|(_, rule, _)| *rule));
    let shown: HashSet<&str> = expected.collect();
    let missing: Vec<&str> = change_rules().map(ChangeRule::name).filter(|name| !shown.contains(name)).collect();
    assert_eq!(missing, ["file-removed", "file-added"]);
}

#[test]
fn a_change_reads_like_a_sentence() {
    for (old, new, text) in [
        (
            r#"{"title":"Run","properties":{"id":{"type":"string"}},"required":["id"]}"#,
            r#"{"title":"Run","properties":{"id":{"type":"string"}}}"#,
            "wire-breaking[schema/member-no-longer-required] Run.id: the member may be absent",
        ),
        (
            r#"{"properties":{"n":{"type":"integer","minimum":1}}}"#,
            r#"{"properties":{"n":{"type":"integer","minimum":2}}}"#,
            "wire-breaking[schema/limit-tightened] $.n: `minimum` is stricter: 1 → 2",
        ),
        (
            r#"{"properties":{"s":{"enum":["a","b"]}}}"#,
            r#"{"properties":{"s":{"enum":["a"]}}}"#,
            r#"wire-breaking[schema/value-removed] $.s: values are gone: "b""#,
        ),
        (
            r#"{"properties":{"s":{"type":["string","null"]}}}"#,
            r#"{"properties":{"s":{"type":["string"]}}}"#,
            "wire-breaking[schema/null-refused] $.s: the value may no longer be null: string or null → string",
        ),
    ] {
        let changes = changes(old, new);
        assert_eq!(changes.iter().map(Change::to_string).collect::<Vec<_>>(), [text]);
    }
}

/// However long a value is, a message stays short.
#[test]
fn long_values_are_cut() {
    let of = |value: &str| format!(r#"{{"const":"{}"}}"#, value.repeat(10_000));
    for change in changes(&of("a"), &of("b")) {
        assert!(change.to_string().chars().count() < 500, "{change}");
    }
    let named = |schema: &str| format!(r#"{{"properties":{{"{}":{schema}}}}}"#, "x".repeat(10_000));
    for change in changes(&named("true"), &named("false")) {
        assert!(change.to_string().chars().count() < 500, "{change}");
    }
}

#[test]
fn what_is_no_schema() {
    for (text, error) in [
        ("", "not JSON that can be read: EOF while parsing a value at line 1 column 0"),
        ("[]", "no JSON Schema that can be compared: the root is not an object"),
        ("true", "no JSON Schema that can be compared: the root is not an object"),
        (r#"{"required":"a"}"#, "#: `required` is not a list of texts"),
        (r#"{"properties":{"a":3}}"#, "#: `properties` is not an object of schemas"),
        (r#"{"properties":{"a":{"anyOf":[]}}}"#, "#/properties/a: `anyOf` is not a list of schemas"),
        (r#"{"$defs":[]}"#, "#: `$defs` is not an object of schemas"),
        (r#"{"$defs":{"A":{"items":[{}]}}}"#, "#/$defs/A: `items` is not a schema"),
        (r#"{"type":"text"}"#, "#: `type` is not a type, or a list of types"),
        (r#"{"exclusiveMinimum":true}"#, "#: `exclusiveMinimum` is not a number"),
        (
            r##"{"properties":{"a":{"$ref":"#/$defs/B"}}}"##,
            "#/properties/a: `$ref` leads to #/$defs/B, and this file has no such definition (`#/$defs/NAME` or `#/definitions/NAME`)",
        ),
        (
            r#"{"$ref":"other.json#/$defs/A"}"#,
            "#: `$ref` leads to other.json#/$defs/A, and this file has no such definition (`#/$defs/NAME` or `#/definitions/NAME`)",
        ),
        (
            r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"anyOf":[{"$ref":"#/$defs/A"}]}}}"##,
            "A refers to itself, and the value is never described",
        ),
        (r##"{"allOf":[{"$ref":"#"}]}"##, "the root refers to itself, and the value is never described"),
    ] {
        assert_eq!(Schema::parse(text).map(|_| ()).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn a_schema_of_ten_thousand_levels_is_refused() {
    let deep = format!("{}true{}", r#"{"not":"#.repeat(10_000), "}".repeat(10_000));
    let error = Schema::parse(&deep).map(|_| ()).unwrap_err();
    assert!(matches!(&error, SchemaError::NotJson(reason) if reason.contains("recursion limit")), "{error}");
}

/// Definitions `0` to `length`, each of which `link` leads to the next one.
fn chain(prefix: &str, length: usize, link: fn(Value) -> Value, last: Value) -> Map<String, Value> {
    let name = |index: usize| format!("{prefix}{index}");
    let reference = |index: usize| json!({"$ref": format!("#/$defs/{}", name(index))});
    let mut definitions: Map<String, Value> =
        (0..length).map(|index| (name(index), link(reference(index + 1)))).collect();
    definitions.insert(name(length), last);
    definitions
}

fn one_definition_changed(link: fn(Value) -> Value) {
    let of = |last: &str| {
        json!({"$ref": "#/$defs/d0", "$defs": chain("d", 10_000, link, json!({"type": last}))}).to_string()
    };
    check("a chain", &of("string"), &of("integer"), &[(Wire, "type-changed", "d10000")]);
}

#[test]
fn long_chains_of_definitions() {
    one_definition_changed(|next| next);
    one_definition_changed(|next| json!({"properties": {"next": next}}));
    one_definition_changed(|next| json!({"allOf": [next, {"required": ["a"]}]}));
}

/// Alternatives in alternatives, and definitions that are referred to twice: what is said of them
/// does not grow with every level.
#[test]
fn what_doubles_from_level_to_level() {
    for link in ["anyOf", "oneOf", "allOf"] {
        let nested = |last: &str| (0..50).fold(json!({"type": last}), |inner, _| json!({link: [inner]}));
        let (old, new) = (nested("string").to_string(), nested("integer").to_string());
        check(link, &old, &new, &[(Wire, "type-changed", "$")]);
        let twice = |last: &str| {
            let next = |index: usize| json!({"$ref": format!("#/$defs/d{}", index + 1)});
            let mut definitions: Map<String, Value> =
                (0..50).map(|index| (format!("d{index}"), json!({link: [next(index), next(index)]}))).collect();
            definitions.insert("d50".into(), json!({"type": last}));
            json!({"$ref": "#/$defs/d0", "$defs": definitions}).to_string()
        };
        let changes = changes(&twice("string"), &twice("integer"));
        let is_told = |change: &Change| change.rule.name() == "type-changed" && change.place == "d50";
        assert!(changes.iter().any(is_told) && changes.len() < 10, "{link}: {changes:#?}");
    }
}

/// Every branch refers to the same union.
#[test]
fn many_branches_that_refer_to_one_union() {
    let of = |kind: &str| {
        let lengths = |at: usize| json!({"type": kind, "maxLength": at});
        let branch = |at: usize| json!({"allOf": [{"$ref": "#/$defs/D"}, {"minLength": at + 1}], "maxLength": at});
        let branches: Vec<Value> = (0..300).map(branch).collect();
        let union: Vec<Value> = (0..300).map(lengths).collect();
        json!({"anyOf": branches, "$defs": {"D": {"anyOf": union}}}).to_string()
    };
    check("one union", &of("string"), &of("integer"), &[(Wire, "type-changed", "D")]);
}

/// References lead into two different structures, which are without end or grow with each step.
#[test]
fn what_cannot_be_followed_to_its_end_is_reported() {
    let around = |prefix: &str, length: usize| {
        let mut definitions = chain(prefix, length, |next| json!({"properties": {"next": next}}), Value::Null);
        definitions.insert(format!("{prefix}{length}"), json!({"$ref": format!("#/$defs/{prefix}0")}));
        definitions
    };
    let twice =
        |prefix: &str, last: &str| chain(prefix, 60, |next| json!({"anyOf": [next, next]}), json!({"type": last}));
    let cases = [
        ("keyword-changed", around("a", 101), around("b", 103)),
        ("type-changed", twice("a", "string"), twice("b", "integer")),
    ];
    for (rule, mut definitions, others) in cases {
        definitions.extend(others);
        let of = |name: &str| json!({"properties": {"x": {"$ref": name}}, "$defs": definitions}).to_string();
        let changes = changes(&of("#/$defs/a0"), &of("#/$defs/b0"));
        assert!(changes.iter().any(|change| change.rule.name() == rule), "{rule} is not in {changes:#?}");
        assert!(changes.len() < 2000, "{} changes", changes.len());
    }
}

/// The published schemas: their names and texts.
fn published() -> Vec<(String, String)> {
    let folder = crate::common::repository().join("schemas");
    let files = crate::common::files(&folder, ".schema.json");
    assert!(files.len() >= 30, "only {} schemas", files.len());
    files.iter().map(|file| (file.display().to_string(), std::fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn a_published_schema_is_the_same_as_itself() {
    for (name, text) in published() {
        let changes = changes(&text, &text);
        assert!(changes.is_empty(), "{name}: {changes:#?}");
    }
}

/// A way to change a member of an object.
type Mutation = fn(&mut Map<String, Value>, &str);

const MUTATIONS: [(&str, Mutation); 4] = [
    ("removed", |object, member| {
        members_of(object, "properties").remove(member);
        require(object, member, false);
    }),
    ("required or not", |object, member| {
        let is_required = object.get("required").is_some_and(|list| list.as_array().unwrap().contains(&member.into()));
        require(object, member, !is_required);
    }),
    ("of another type", |object, member| {
        let schema = &mut members_of(object, "properties")[member];
        let takes_any = *schema == json!(true) || *schema == json!({});
        *schema =
            if takes_any { json!({"type": "null"}) } else { json!({"type": "array", "items": {"type": "boolean"}}) };
    }),
    ("with a keyword that nobody knows", |object, member| {
        let schema = &mut members_of(object, "properties")[member];
        let mut members = schema.as_object().cloned().unwrap_or_default();
        members.insert("x-unknown".into(), true.into());
        *schema = members.into();
    }),
];

fn members_of<'a>(object: &'a mut Map<String, Value>, keyword: &str) -> &'a mut Map<String, Value> {
    object.get_mut(keyword).and_then(Value::as_object_mut).unwrap()
}

fn require(object: &mut Map<String, Value>, member: &str, wanted: bool) {
    let list = object.entry("required").or_insert(json!([])).as_array_mut().unwrap();
    list.retain(|name| name != member);
    if wanted {
        list.push(member.into());
    }
}

/// The root and the definitions of a schema, by the names that places have.
fn definitions(schema: &mut Value) -> Vec<(String, &mut Map<String, Value>)> {
    let title = schema["title"].as_str().unwrap().to_owned();
    let mut found = Vec::new();
    let root = schema.as_object_mut().unwrap();
    if root.contains_key("properties") {
        // The root is an object, and has no definitions that are looked at here: one borrow at a time.
        found.push((title, root));
        return found;
    }
    if let Some(definitions) = root.get_mut("$defs").and_then(Value::as_object_mut) {
        for (name, definition) in definitions {
            found.extend(definition.as_object_mut().map(|definition| (name.clone(), definition)));
        }
    }
    found
}

/// In each round another member of every definition is changed, and every one of these
/// changes is found: at that member, and nowhere else.
#[test]
fn a_change_of_any_member_is_found_where_it_is() {
    let mut count = 0;
    for (file, text) in published() {
        let old = schema(&text);
        let mut parsed: Value = serde_json::from_str(&text).unwrap();
        let properties = |object: &Map<String, Value>| object.get("properties").and_then(Value::as_object).cloned();
        let rounds = definitions(&mut parsed).iter().filter_map(|(_, object)| Some(properties(object)?.len())).max();
        for round in 0..rounds.unwrap_or_default() {
            for (mutation, mutate) in MUTATIONS {
                let mut new = parsed.clone();
                let mut places = Vec::new();
                for (name, object) in definitions(&mut new) {
                    let Some(member) = properties(object).and_then(|members| members.keys().nth(round).cloned()) else {
                        continue;
                    };
                    mutate(object, &member);
                    places.push(format!("{name}.{member}"));
                }
                let changes = compare(&old, &schema(&new.to_string()));
                for place in &places {
                    let found = changes.iter().any(|change| change.place.starts_with(place.as_str()));
                    assert!(found, "{file}: {place} is {mutation}, and nothing says so");
                }
                for change in &changes {
                    let expected = places.iter().any(|place| change.place.starts_with(place.as_str()));
                    assert!(expected, "{file}: what is {mutation} is not {change}");
                }
                count += places.len();
            }
        }
    }
    assert!(count > 10_000, "only {count} changes");
}

#[test]
fn a_report_of_several_files() {
    let (old, new) = (schema(r#"{"type":"object"}"#), schema(r#"{"type":"array","description":"A list."}"#));
    let mut report = DiffReport::new();
    assert_eq!(report.summary.to_string(), "no changes in 0 files");
    report.add("same", &compare(&old, &old));
    assert_eq!(report.summary.to_string(), "no changes in 1 file");
    report.add("changed", &compare(&old, &new));
    report.add("gone", &compare_file(Some(&old), None));
    report.add("new", &compare_file(None, Some(&new)));
    assert_eq!(report.summary.to_string(), "4 changes: 2 wire-breaking, 0 source-breaking, 2 compatible");
    assert_eq!([Fine, Source, Wire].map(|impact| report.summary.at_least(impact)), [4, 2, 2]);
    let files: Vec<(&str, &str)> =
        report.changes.iter().map(|change| (change.file.as_str(), change.rule.as_str())).collect();
    assert_eq!(
        files,
        [
            ("changed", "schema/documentation-changed"),
            ("changed", "schema/type-changed"),
            ("gone", "schema/file-removed"),
            ("new", "schema/file-added")
        ]
    );
    let read: DiffReport = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(read, report);
}

#[test]
fn unknown_keywords_beside_the_reference_of_a_branch_are_compared() {
    let file = |link: &str, beside: &str| {
        format!(
            r##"{{"{link}":[{{"$ref":"#/$defs/A"{beside}}},{{"$ref":"#/$defs/B"}}],"$defs":{{
                "A":{{"type":"object","properties":{{"type":{{"const":"a"}}}},"required":["type"]}},
                "B":{{"type":"object","properties":{{"type":{{"const":"b"}}}},"required":["type"]}}}}}}"##
        )
    };
    for link in ["oneOf", "anyOf", "allOf"] {
        for keyword in [r#""propertyNames":{"maxLength":3}"#, r#""format":"x""#, r#""if":{"required":["q"]}"#] {
            let beside = format!(",{keyword}");
            for (old, new) in [("", beside.as_str()), (beside.as_str(), "")] {
                let changes = changes(&file(link, old), &file(link, new));
                let found: Vec<&str> = changes.iter().map(|change| change.rule.name()).collect();
                assert_eq!(found, ["keyword-changed"], "{link} {keyword}: {changes:#?}");
            }
        }
    }
}
