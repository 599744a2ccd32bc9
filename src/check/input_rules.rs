//! The rules about input as such, the same for every protocol and profile.

use crate::check::rule::rules;

rules! { Input, "input";
    EMPTY = "empty" {
        code: FramingError, severity: Warning, profiles: [Reference, Schema, Strict],
        applies_to: "a file or stream",
        when: "there is no event in it",
        why: "an empty recording hides a producer that never started",
        help: "record the stream again, or remove the file",
    }
    NOT_UTF8 = "not-utf8" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "any event",
        when: "the bytes are not UTF-8",
        why: "JSON is exchanged as UTF-8; a receiver replaces or refuses other bytes",
        help: "write the event as UTF-8 text",
    }
    NOT_JSON = "not-json" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "any event",
        when: "the text is not JSON",
        why: "no receiver can read the event",
        help: "write one complete JSON value for each event",
    }
    TRUNCATED = "truncated" {
        code: FramingError, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "the end of a file or stream",
        when: "the input stops in the middle of an event",
        why: "the last event is lost; the writer was cut off or is still writing",
        help: "check that the recording was complete",
    }
    UNTERMINATED_FRAME = "unterminated-frame" {
        code: FramingError, severity: Note, profiles: [Reference, Schema, Strict],
        applies_to: "the end of an SSE stream",
        when: "no blank line follows the last frame",
        why: "a receiver that follows the standard discards such a frame",
        help: "end each frame with a blank line",
    }
    UNRECOGNISED = "unrecognised" {
        code: UnknownEventType, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "a file or stream",
        when: "no protocol is recognised in it; a warning for .jsonl, .ndjson, .log and .txt files found in a directory or by a glob",
        why: "it was not checked, so a fault in it goes unseen",
        help: "name its protocol with --protocol, or leave the file out",
    }
    TOO_DEEP = "too-deep" {
        code: LimitReached, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "any event",
        when: "the value is nested more deeply than the limit",
        why: "the event was not checked; many JSON readers refuse it as well",
        help: "flatten the value, or raise the depth limit",
    }
    TOO_LARGE = "too-large" {
        code: LimitReached, severity: Error, profiles: [Reference, Schema, Strict],
        applies_to: "any event",
        when: "the event is larger than the limit",
        why: "the event was not read; receivers have buffers of bounded size too",
        help: "move the payload out of the stream and refer to it",
    }
    TOO_MANY_FINDINGS = "too-many-findings" {
        code: LimitReached, severity: Note, profiles: [Reference, Schema, Strict],
        applies_to: "any event, and a stream as a whole",
        when: "there are more findings in it than are listed",
        why: "the same fault is likely in all of them; a list without end helps nobody",
        help: "mend those that are listed, and check again",
    }
    HISTORY_LIMIT = "history-limit" {
        code: LimitReached, severity: Note, profiles: [Reference, Schema, Strict],
        applies_to: "a long stream",
        when: "the stream has more ids, open scopes or text than the limits let the checker remember",
        why: "the oldest are forgotten; rules that need them are no longer guaranteed",
        help: "raise the limits of history and text where memory allows",
    }
    LONE_SURROGATE = "lone-surrogate" {
        code: SchemaMismatch, severity: Note, profiles: [Strict],
        applies_to: "any string",
        when: "it has a surrogate escape without its partner",
        why: "strings of many languages cannot hold it, so decoding there fails or replaces it",
        help: "cut texts between characters, not inside them",
    }
}
