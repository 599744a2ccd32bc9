//! The protocols that are built in. The only place that lists them.

use std::str::FromStr;

use crate::check::{Protocol, Rule, http_rules, input_rules};
use crate::stream::{Detected, Framing, detect};
use crate::{agui, lime, polling, social_app, ubik};

impl Protocol {
    /// The AG-UI dialect of the social-app agent backend.
    pub const SOCIAL_APP: Self = social_app::PROTOCOL;
    /// AG-UI 1.0.
    pub const AGUI: Self = agui::PROTOCOL;
    /// Lime `AgentRuntimeExecutionEvent`, contract `lime-runtime-event/v0.1`.
    pub const LIME: Self = lime::PROTOCOL;

    /// Ubik agent sessions and tool executions.
    pub const UBIK: Self = ubik::PROTOCOL;

    /// The polling task API.
    pub const POLLING: Self = polling::PROTOCOL;

    /// Every built-in protocol, in the order in which detection prefers them.
    pub const ALL: &[Self] = &[Self::SOCIAL_APP, Self::AGUI, Self::UBIK, Self::POLLING, Self::LIME];

    /// The built-in protocol of that id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().find(|protocol| protocol.id() == id).cloned()
    }

    /// The built-in protocol of a stream that begins with `head`, cut by `framing`.
    ///
    /// `None` if no event fits any of them; see [`stream::detect`](crate::stream::detect).
    pub fn detect(head: &[u8], framing: Framing) -> Option<Detected> {
        detect(head, framing, Self::ALL)
    }
}

/// An id that no built-in protocol has.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown protocol; expected one of {}", Protocol::ALL.iter().map(Protocol::id).collect::<Vec<_>>().join(", "))]
#[non_exhaustive]
pub struct UnknownProtocol;

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    /// The built-in protocol of that id.
    fn from_str(id: &str) -> Result<Self, UnknownProtocol> {
        Self::from_id(id).ok_or(UnknownProtocol)
    }
}

impl<'de> serde::Deserialize<'de> for Protocol {
    /// A built-in protocol, by its id.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = std::borrow::Cow::<str>::deserialize(deserializer)?;
        id.parse().map_err(serde::de::Error::custom)
    }
}

/// An id that no built-in rule has.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no built-in rule of that id")]
#[non_exhaustive]
pub struct UnknownRule;

impl FromStr for Rule {
    type Err = UnknownRule;

    /// The built-in rule of that id.
    fn from_str(id: &str) -> Result<Self, UnknownRule> {
        rule(id).cloned().ok_or(UnknownRule)
    }
}

impl<'de> serde::Deserialize<'de> for Rule {
    /// A built-in rule, by its id.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = std::borrow::Cow::<str>::deserialize(deserializer)?;
        id.parse().map_err(serde::de::Error::custom)
    }
}

/// Every rule: those about the input itself and about connections, then those of each
/// protocol, in table order.
///
/// Since 0.1.0.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let protocols = Protocol::ALL.iter().flat_map(Protocol::rules);
    input_rules::RULES.iter().chain(http_rules::RULES).copied().chain(protocols)
}

/// The rule of that id, such as `lime/tool-needs-tool-call-id`.
///
/// Since 0.1.0.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id() == id)
}
