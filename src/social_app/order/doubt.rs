//! Events that cannot be taken at their word: of an unknown type, of none, or with the
//! members of another type. What each may have been is forgiven, and nothing else.

use super::super::events::event::EventType;
use crate::check::near::nearest;
use crate::check::tree::Node;

/// What such an event may have been about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The run itself: its start or its end.
    Run,
    Step,
    /// A call before its result.
    Call,
    Result,
    Text,
}

/// The members that tell what an event is about.
const MEMBERS: [(&str, Doubt); 5] = [
    ("stepName", Doubt::Step),
    ("tool_call_id", Doubt::Result),
    ("toolCallId", Doubt::Call),
    ("callId", Doubt::Call),
    ("answer", Doubt::Text),
];

impl Doubt {
    /// What an event of a type is about.
    pub(super) const fn of_type(event: EventType) -> Self {
        use EventType as E;
        match event {
            E::StepStarted | E::StepFinished => Self::Step,
            E::ToolCallStart | E::ToolCallArgs | E::ToolCallEnd => Self::Call,
            E::ToolCallResult => Self::Result,
            E::TextMessageEnd => Self::Text,
            _ => Self::Run,
        }
    }

    /// By the members of the event, in the backend's own form those of `data`; else by the
    /// type that is meant.
    pub(super) fn of(event: Option<&Node<'_>>) -> Self {
        let has = |name: &str| {
            let objects = [event, event.and_then(|event| event.get("data"))];
            objects.into_iter().flatten().any(|object| object.get(name).is_some())
        };
        if let Some((_, doubt)) = MEMBERS.iter().find(|(name, _)| has(name)) {
            return *doubt;
        }
        let tag = event.and_then(|event| event.get("type")).and_then(Node::as_str).unwrap_or_default();
        if EventType::from_tag(&tag).is_some() {
            // Its members are those of another type, and name nothing but the run.
            return Self::Run;
        }
        let meant = nearest(&tag, EventType::ALL.iter().map(|event| event.as_str()));
        match meant.and_then(EventType::from_tag) {
            Some(meant) => Self::of_type(meant),
            None if tag.starts_with("step.") => Self::Step,
            None if tag.starts_with("tool.") => Self::Call,
            None if tag.starts_with("text.") => Self::Text,
            _ => Self::Run,
        }
    }
}
