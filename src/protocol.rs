//! The protocols that this crate knows.

use std::fmt;

use crate::check::contract::Contract;
use crate::check::rule::RuleRef;
use crate::check::{Limits, Options, Profile};

/// A protocol of agent events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// The AG-UI dialect of the social-app agent backend.
    SocialApp,
    /// AG-UI 1.0.
    AgUi,
    /// Lime `AgentRuntimeExecutionEvent`, contract `lime-runtime-event/v0.1`.
    Lime,
}

impl Protocol {
    /// Every protocol, in the order in which detection prefers them.
    pub const ALL: &[Self] = &[Self::SocialApp, Self::AgUi, Self::Lime];

    /// The id in reports, rule ids and paths, such as `lime`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::SocialApp => "social-app",
            Self::AgUi => "agui",
            Self::Lime => "lime",
        }
    }

    /// The protocol of that id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|protocol| protocol.id() == id)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Protocol {
    /// The names of the types that a document can be checked as, such as `Fixture`.
    pub fn types(self) -> &'static [&'static str] {
        match self {
            Self::SocialApp => crate::social_app::check::TYPES,
            Self::AgUi => crate::agui::check::types(),
            Self::Lime => crate::lime::check::TYPES,
        }
    }

    /// The versions that a stream can be told to have, the oldest first; none where the
    /// protocol does not tell any apart.
    pub const fn versions(self) -> &'static [&'static str] {
        match self {
            Self::SocialApp => crate::social_app::Version::NAMES,
            _ => &[],
        }
    }

    /// Whether a connection is for one run, which a checker can be told.
    pub const fn has_subscriptions(self) -> bool {
        matches!(self, Self::SocialApp)
    }

    /// The protocol and version of a name such as `social-app@v1`; without `@` any version.
    pub fn from_versioned_id(name: &str) -> Option<(Self, Option<&'static str>)> {
        let Some((id, version)) = name.split_once('@') else { return Some((Self::from_id(name)?, None)) };
        let protocol = Self::from_id(id)?;
        let version = protocol.versions().iter().find(|known| **known == version)?;
        Some((protocol, Some(version)))
    }

    /// Whether the protocol has a reference implementation, and so the profile `reference`.
    pub const fn has_reference(self) -> bool {
        matches!(self, Self::AgUi | Self::Lime)
    }

    pub(crate) fn rules(self) -> &'static [RuleRef] {
        match self {
            Self::SocialApp => crate::social_app::rules::RULES,
            Self::AgUi => crate::agui::rules::RULES,
            Self::Lime => crate::lime::rules::RULES,
        }
    }

    pub(crate) fn contract(self, profile: Profile, limits: Limits, options: &Options) -> Box<dyn Contract> {
        match self {
            Self::SocialApp => Box::new(crate::social_app::check::SocialApp::new(profile, limits, options)),
            Self::AgUi => Box::new(crate::agui::check::AgUi::new(profile, limits)),
            Self::Lime => Box::new(crate::lime::check::Lime::new(profile, limits)),
        }
    }

    /// Whether the text is a tag or enum value that the protocol publishes, and so harmless.
    pub(crate) fn publishes(self, text: &str) -> bool {
        match self {
            Self::SocialApp => crate::social_app::EventType::from_tag(text).is_some(),
            Self::AgUi => crate::agui::EventType::from_tag(text).is_some(),
            Self::Lime => crate::lime::check::publishes(text),
        }
    }

    /// Whether the reference prints keys in paths as they are.
    pub(crate) const fn prints_plain_paths(self) -> bool {
        matches!(self, Self::Lime)
    }
}
