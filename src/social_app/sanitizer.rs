//! What the codec takes out of an event before it leaves the backend.

use super::events::event::{Event, EventType, of_every};
use crate::wire::{Error, Extra, Json};

/// The members of a `TEXT_MESSAGE_END` that are the backend's own: what a run costs and
/// which model was used.
pub const INTERNAL_FIELDS: &[&str] = &["inputTokens", "outputTokens", "cost", "latencyMs", "model"];

/// The member, of any event, that the backend compiles into `ui_schema`.
pub const UI_HINTS: &str = "ui_hints";

/// Takes the backend's own members out of events on their way to the wire.
///
/// A list of what is removed, not of what may stay: [`INTERNAL_FIELDS`] of a
/// `TEXT_MESSAGE_END` and [`UI_HINTS`] of every event, at the top level. Everything else
/// passes, unknown members included.
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
/// Since 0.1.0. Source: v1 §1 and §3.4.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Sanitizer;

impl Sanitizer {
    /// A sanitizer.
    pub const fn new() -> Self {
        Self
    }

    /// Removes the backend's own members and gives their names.
    pub fn sanitize(self, event: &mut Event) -> Vec<&'static str> {
        let kind = event.known_type();
        let members = match event {
            Event::Unknown(unknown) => Some(&mut unknown.members),
            event => of_every!(event, body => &mut body.extra),
        };
        members.map(|members| remove(kind, members)).unwrap_or_default()
    }

    /// The same for JSON text: what is left of it, and the names of what was removed.
    /// The text need not be an event of its shape.
    ///
    /// # Errors
    /// When the text is no JSON object.
    pub fn sanitize_json(self, text: &str) -> Result<(String, Vec<&'static str>), Error> {
        let mut members: Extra = crate::wire::decode::from_json(text)?;
        let kind = members.get("type").and_then(Json::as_string);
        let removed = remove(kind.as_deref().and_then(EventType::from_tag), &mut members);
        Ok((serde_json::to_string(&members).unwrap_or_default(), removed))
    }
}

/// The members that an event of type `kind` must not show.
fn internal_members(kind: Option<EventType>) -> impl Iterator<Item = &'static str> {
    let fields = if kind == Some(EventType::TextMessageEnd) { INTERNAL_FIELDS } else { &[] };
    fields.iter().copied().chain([UI_HINTS])
}

fn remove(kind: Option<EventType>, members: &mut Extra) -> Vec<&'static str> {
    internal_members(kind).filter(|name| members.remove(name).is_some()).collect()
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
                r#"{"type":"TOOL_CALL_RESULT","cost":1e400,"result":{"ui_hints":1}}"#,
            ),
            (r#"{"type":"SOMETHING_NEW","ui_hints":1,"model":"m"}"#, r#"{"type":"SOMETHING_NEW","model":"m"}"#),
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
