//! Lists of values, limits and patterns.

use super::super::rule::table;

table! {
    VALUES;
    VALUE_CHANGED = "value-changed" {
        impact: WireBreaking, breaks: BothWays,
        title: "the only value is another",
        why: "each side refuses what the other one sends",
        help: "keep the value; a new one needs a new version",
        before: r#"{"type":"object","properties":{"schemaVersion":{"const":"v0.1"}}}"#,
        after: r#"{"type":"object","properties":{"schemaVersion":{"const":"v0.2"}}}"#,
    }
    VALUE_REMOVED = "value-removed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a closed list of values has lost one",
        why: "consumers of the new schema refuse the value that old producers send",
        help: "keep the value; remove it in a new version",
        before: r#"{"type":"object","properties":{"status":{"enum":["running","failed","done"]}}}"#,
        after: r#"{"type":"object","properties":{"status":{"enum":["running","done"]}}}"#,
    }
    VALUE_ADDED = "value-added" {
        impact: WireBreaking, breaks: NewProducers,
        title: "a closed list of values has another one",
        why: "consumers of the old schema refuse the new value; in generated code, an exhaustive match no longer compiles",
        help: "add the value in a new version, or open the list in a new version so that later values are compatible",
        before: r#"{"type":"object","properties":{"status":{"enum":["running","done"]}}}"#,
        after: r#"{"type":"object","properties":{"status":{"enum":["running","failed","done"]}}}"#,
    }
    VALUES_CLOSED = "values-closed" {
        impact: WireBreaking, breaks: OldProducers,
        title: "only listed values are accepted",
        why: "consumers of the new schema refuse any other value that old producers send",
        help: "leave the list open, and close it in a new version",
        before: r#"{"type":"object","properties":{"status":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"status":{"type":"string","enum":["running","done"]}}}"#,
    }
    VALUES_OPENED = "values-opened" {
        impact: WireBreaking, breaks: NewProducers,
        title: "a closed list of values is open",
        why: "new producers may send any other value, and consumers of the old schema refuse it",
        help: "open the list in a new version",
        before: r#"{"type":"object","properties":{"status":{"type":"string","enum":["running","done"]}}}"#,
        after: r#"{"type":"object","properties":{"status":{"type":"string","anyOf":[{"enum":["running","done"]},{}]}}}"#,
    }
    OPEN_VALUE_ADDED = "open-value-added" {
        impact: Compatible, breaks: Nothing,
        title: "an open list names another value",
        why: "the value was valid before, and every match has a branch for values that are not named",
        help: "nothing has to be done",
        before: r#"{"type":"object","properties":{"status":{"type":"string","anyOf":[{"enum":["running","done"]},{}]}}}"#,
        after: r#"{"type":"object","properties":{"status":{"type":"string","anyOf":[{"enum":["running","failed","done"]},{}]}}}"#,
    }
    OPEN_VALUE_REMOVED = "open-value-removed" {
        impact: SourceBreaking, breaks: Code,
        title: "an open list no longer names a value",
        why: "the value stays valid, but code that uses its generated name no longer compiles",
        help: "go on naming it",
        before: r#"{"type":"object","properties":{"status":{"type":"string","anyOf":[{"enum":["running","failed","done"]},{}]}}}"#,
        after: r#"{"type":"object","properties":{"status":{"type":"string","anyOf":[{"enum":["running","done"]},{}]}}}"#,
    }
    REFUSED_VALUE_ADDED = "refused-value-added" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a value is excluded",
        why: "consumers of the new schema refuse the value that old producers send",
        help: "go on taking it, and exclude it in a new version",
        before: r#"{"type":"object","properties":{"kind":{"type":"string","not":{"enum":["done"]}}}}"#,
        after: r#"{"type":"object","properties":{"kind":{"type":"string","not":{"enum":["done","ended"]}}}}"#,
    }
    REFUSED_VALUE_REMOVED = "refused-value-removed" {
        impact: Compatible, breaks: Nothing,
        title: "a value is no longer excluded",
        why: "it joins the values that are not listed; only a validator with the old schema still refuses it",
        help: "upgrade consumers that validate before producers that send it",
        before: r#"{"type":"object","properties":{"kind":{"type":"string","not":{"enum":["done","ended"]}}}}"#,
        after: r#"{"type":"object","properties":{"kind":{"type":"string","not":{"enum":["done"]}}}}"#,
    }
    LIMIT_TIGHTENED = "limit-tightened" {
        impact: WireBreaking, breaks: OldProducers,
        title: "a limit is stricter, or new",
        why: "consumers of the new schema refuse the values of old producers beyond it",
        help: "keep the limit, and tighten it in a new version",
        before: r#"{"type":"object","properties":{"title":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"title":{"type":"string","minLength":1}}}"#,
    }
    LIMIT_LOOSENED = "limit-loosened" {
        impact: Compatible, breaks: Nothing,
        title: "a limit is looser, or gone",
        why: "types and decoders do not know the limit; only a validator with the old schema refuses values beyond it",
        help: "upgrade consumers that validate before producers that go beyond it",
        before: r#"{"type":"object","properties":{"total":{"type":"integer","minimum":1}}}"#,
        after: r#"{"type":"object","properties":{"total":{"type":"integer","minimum":0}}}"#,
    }
    PATTERN_ADDED = "pattern-added" {
        impact: WireBreaking, breaks: OldProducers,
        title: "text has to fit a pattern",
        why: "consumers of the new schema refuse the text of old producers that does not fit",
        help: "ask for the pattern in a new version",
        before: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
        after: r#"{"type":"object","properties":{"path":{"type":"string","pattern":"^/"}}}"#,
    }
    PATTERN_REMOVED = "pattern-removed" {
        impact: Compatible, breaks: Nothing,
        title: "text no longer has to fit a pattern",
        why: "types and decoders do not know the pattern; only a validator with the old schema refuses other text",
        help: "upgrade consumers that validate before producers that send other text",
        before: r#"{"type":"object","properties":{"path":{"type":"string","pattern":"^/"}}}"#,
        after: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
    }
    PATTERN_CHANGED = "pattern-changed" {
        impact: WireBreaking, breaks: BothWays,
        title: "text has to fit another pattern",
        why: "patterns are not compared, so text that fits one may not fit the other, on either side",
        help: "change it in a new version, or write down why all text that fitted still fits",
        before: r#"{"type":"object","properties":{"path":{"type":"string","pattern":"^/"}}}"#,
        after: r#"{"type":"object","properties":{"path":{"type":"string","pattern":"^/[a-z]"}}}"#,
    }
}
