//! Events of each protocol, told apart by a number, for streams that nobody would send.

use agent_contracts::Protocol;
use agent_contracts::check::{Checker, Finding, Limits};
use std::fmt::Write as _;

pub fn rules(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.rule.id().to_owned()).collect()
}

pub fn checker(protocol: &Protocol, limits: Limits) -> Checker {
    Checker::builder(protocol).limits(limits).build()
}

/// A Lime event that nothing is wrong with, and further members.
pub fn lime_event(number: usize, rest: &str) -> String {
    format!(
        r#"{{"id":"evt_{number}","schemaVersion":"lime-runtime-event/v0.1","runtimeId":"r","kind":"state","status":"running","sequence":{number},"title":"t","createdAt":"2026-06-10T08:00:00.000Z"{rest}}}"#
    )
}

/// An event of social-app in a run, and further members.
pub fn social_app_event(kind: &str, run: &str, rest: &str) -> String {
    format!(r#"{{"type":"{kind}","threadId":"t","runId":"{run}"{rest}}}"#)
}

/// An event of a tool call before its result.
pub fn social_app_call(kind: &str, id: usize, rest: &str) -> String {
    let call = r#""toolCallName":"calendar.read","stage":"worker""#;
    social_app_event(kind, "r", &format!(r#","messageId":"m","toolCallId":"c{id}",{call}{rest}"#))
}

/// The result of a tool call.
pub fn social_app_result(id: usize, args: &str, result: &str) -> String {
    let call = r#""messageId":"m","role":"tool","stage":"worker","tool_name":"calendar.read","status":"success""#;
    let values = format!(r#""tool_call_id":"c{id}","tool_call_args":{args},"result":{result}"#);
    social_app_event("TOOL_CALL_RESULT", "r", &format!(",{call},{values}"))
}

pub const RUN_STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;

pub const CONNECTED: &str = r#"{"type":"connection_established","session_id":"s","connection_id":"c","task_id":"t"}"#;

/// An event of a Ubik session, after the three that a session begins with.
pub fn ubik_event(number: usize, kind: &str, rest: &str) -> String {
    let task = r#""task_id":"t","timestamp":"2026-03-12T14:02:11Z""#;
    match number {
        0 => CONNECTED.into(),
        1 => format!(r#"{{"type":"agent_processing_started",{task}}}"#),
        2 => format!(r#"{{"type":"response_stream_start","message_id":"m",{task}}}"#),
        _ => format!(r#"{{"type":"{kind}","timestamp":"2026-03-12T14:02:11Z"{rest}}}"#),
    }
}

/// A fragment of a Ubik event.
pub fn ubik_fragment(group: usize, index: &str, total: &str) -> String {
    format!(
        r#"{{"type":"tool_update_delta_sse","chunk_id":"c{group}","chunk_index":{index},"total_chunks":{total},"original_event_type":"tool_update","chunk_data":"{{"}}"#
    )
}

/// The envelope of a number; its payload has the ids of its scope as well.
pub fn polling_envelope(idx: usize, kind: &str, rest: &str) -> String {
    let (kind, rest) = if idx == 0 { ("ai_message_start", "") } else { (kind, rest) };
    format!(
        r#"{{"idx":{idx},"type":"{kind}","data":{{"task_id":"t","conversation_id":"c","workspace_id":"w"{rest}}},"ts":1771061400.125}}"#
    )
}

pub fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

pub fn repeated(count: usize, member: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = write!(text, ",{}", member(number));
        text
    })
}

/// Everything that can be asked of findings; places have to lie inside of what they are in.
pub fn look(findings: &[Finding], text: &[u8]) {
    for finding in findings.iter().take(20) {
        let excerpt = finding.excerpt(text);
        assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{finding}: {:?}", excerpt.span);
        assert!(finding.bytes.as_ref().is_none_or(|bytes| bytes.start <= bytes.end), "{finding}");
        assert!(!finding.to_string().is_empty() && !finding.help().is_empty());
    }
}
