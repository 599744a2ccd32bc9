//! What the codec takes out of an event before it leaves the backend.

use super::events::event::{Event, of_every};
use crate::wire::{Error, Extra};

/// The members that the codec takes out of an answer: what a run costs, and which model was
/// used.
///
/// Since 0.1.0.
pub const INTERNAL_FIELDS: &[&str] = &["inputTokens", "outputTokens", "cost", "latencyMs", "model"];

/// The member that the backend compiles into `ui_schema`.
///
/// Since 0.1.0.
pub const UI_HINTS: &str = "ui_hints";

/// The members of the usage audit and of a provider's raw usage, which stay in the backend.
/// So do those whose names begin with `price_`.
///
/// Since 0.1.0.
pub const AUDIT_FIELDS: &[&str] = &[
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cached_tokens",
    "latency_ms",
    "cached_prompt_tokens",
    "prompt_cache_hit_tokens",
    "prompt_cache_miss_tokens",
    "reasoning_tokens",
    "direct_cost",
    "direct_cost_observed",
    "direct_cost_complete",
    "direct_cost_records",
    "model_call_records",
    "usage_records",
    "cost_source",
    "prompt_tokens",
    "completion_tokens",
    "prompt_tokens_details",
    "completion_tokens_details",
    "total_cost",
    "usage",
    "usage_summary",
    "provider_usage",
];

/// What a member gives away that the backend keeps for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leak {
    /// One of [`INTERNAL_FIELDS`].
    Internal,
    /// [`UI_HINTS`].
    Hints,
    /// One of [`AUDIT_FIELDS`].
    Audit,
}

impl Leak {
    /// What a member of this name gives away, whatever the event.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            UI_HINTS => Some(Self::Hints),
            _ if INTERNAL_FIELDS.contains(&name) => Some(Self::Internal),
            _ if AUDIT_FIELDS.contains(&name) || name.starts_with("price_") => Some(Self::Audit),
            _ => None,
        }
    }
}

/// Takes the backend's own members out of events on their way to the wire.
///
/// A list of what is removed, not of what may stay: [`INTERNAL_FIELDS`], [`AUDIT_FIELDS`]
/// and [`UI_HINTS`] of every event, at the top level. Everything else passes, unknown
/// members included. What has passed breaks none of the rules `internal-field-leak`,
/// `usage-audit-leak` and `ui-hints-leak`.
///
/// ```
/// use agent_contracts::social_app::Sanitizer;
///
/// let (clean, removed) = Sanitizer::new().sanitize_json(r#"{"type":"TEXT_MESSAGE_END","answer":"ok","cost":0.2,"totalTokens":9}"#)?;
/// assert_eq!(clean, r#"{"type":"TEXT_MESSAGE_END","answer":"ok","totalTokens":9}"#);
/// assert_eq!(removed, ["cost"]);
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: v1 §1, §3.4 and §5.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Sanitizer;

impl Sanitizer {
    /// A sanitizer.
    pub const fn new() -> Self {
        Self
    }

    /// Removes the backend's own members and gives their names.
    pub fn sanitize(self, event: &mut Event) -> Vec<String> {
        let members = match event {
            Event::Unknown(unknown) => Some(&mut unknown.members),
            event => of_every!(event, body => &mut body.extra),
        };
        members.map(remove).unwrap_or_default()
    }

    /// The same for JSON text: what is left of it, and the names of what was removed.
    /// The text need not be an event of its shape.
    ///
    /// # Errors
    /// When the text is no JSON object, has a key with half of a surrogate pair, or is nested too deeply.
    pub fn sanitize_json(self, text: &str) -> Result<(String, Vec<String>), Error> {
        let mut members: Extra = crate::wire::decode::from_json(text)?;
        let removed = remove(&mut members);
        Ok((serde_json::to_string(&members).unwrap_or_default(), removed))
    }
}

fn remove(members: &mut Extra) -> Vec<String> {
    let (mut kept, mut removed) = (Extra::new(), Vec::new());
    for (name, value) in members.iter() {
        if Leak::of(name).is_some() {
            removed.push(name.to_owned());
        } else {
            kept.push(name, value.clone());
        }
    }
    if !removed.is_empty() {
        *members = kept;
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_listed_goes_and_only_at_the_top() {
        for (text, clean) in [
            (
                r#"{"type":"TEXT_MESSAGE_END","model":"m","inputTokens":1,"outputTokens":2,"latencyMs":3,"ui_hints":{},"x":{"cost":1}}"#,
                r#"{"type":"TEXT_MESSAGE_END","x":{"cost":1}}"#,
            ),
            (
                r#"{"type":"TOOL_CALL_RESULT","ui_hints":{"view":"a"},"cost":1e400,"result":{"ui_hints":1}}"#,
                r#"{"type":"TOOL_CALL_RESULT","result":{"ui_hints":1}}"#,
            ),
            (
                r#"{"type":"SOMETHING_NEW","ui_hints":1,"model":"m","price_input":2,"usage":{"a":1},"n":1.50}"#,
                r#"{"type":"SOMETHING_NEW","n":1.50}"#,
            ),
            (r#"{"type":"RUN_FINISHED","pric\u0065_input":2,"direct_cost":0}"#, r#"{"type":"RUN_FINISHED"}"#),
        ] {
            assert_eq!(Sanitizer.sanitize_json(text).unwrap().0, clean);
            if let Ok(mut event) = Event::from_json(text) {
                Sanitizer.sanitize(&mut event);
                assert_eq!(event, Event::from_json(clean).unwrap(), "{text}");
            }
        }
        assert!(Sanitizer.sanitize_json("[]").is_err());
    }

    #[test]
    fn a_typed_event_loses_the_same() {
        let full = r#"{"type":"TEXT_MESSAGE_END","threadId":"t","runId":"r","messageId":"m","role":"assistant",
            "stage":"worker","status":"success","answer":"a","suggested_actions":[],"cost":1,"ui_hints":{}}"#;
        let mut event = Event::from_json(full).unwrap();
        assert_eq!(Sanitizer.sanitize(&mut event), ["cost", "ui_hints"]);
        assert_eq!(event, Event::from_json(&Sanitizer.sanitize_json(full).unwrap().0).unwrap());
    }
}
