//! Who sees a stored message, and what differs between the runtime modes.

use super::events::names::StepName;
use crate::wire::names::string_enum;

/// Which consumers see a stored message: the column `visibility_mask`.
///
/// Bits that are not named here are kept.
///
/// ```
/// use agent_contracts::social_app::{Author, RuntimeMode, VisibilityMask};
///
/// let mask = RuntimeMode::Automation.visibility(Author::Agent);
/// assert_eq!(mask, VisibilityMask::UI_HISTORY);
/// assert!(mask.in_history() && !mask.in_context());
/// ```
///
/// Since 0.1.0. Source: v1 §8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VisibilityMask(u32);

impl From<u32> for VisibilityMask {
    /// The mask as it is stored, all bits kept.
    fn from(bits: u32) -> Self {
        Self(bits)
    }
}

impl From<VisibilityMask> for u32 {
    fn from(mask: VisibilityMask) -> Self {
        mask.0
    }
}

impl serde::Serialize for VisibilityMask {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de> serde::Deserialize<'de> for VisibilityMask {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self::from)
    }
}

impl std::ops::BitOr for VisibilityMask {
    type Output = Self;

    /// Whoever is in one of the two.
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl VisibilityMask {
    /// Bit 0: shown by `/history`.
    pub const UI_HISTORY: Self = Self(1);
    /// Bit 1: taken into the context of the next run.
    pub const CONTEXT_ASSEMBLY: Self = Self(1 << 1);

    /// Nobody sees the message.
    pub const fn empty() -> Self {
        Self(0)
    }

    /// The mask as it is stored.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whoever is in one of the two.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `/history` shows the message: `mask & 1` is not 0.
    pub const fn in_history(self) -> bool {
        self.contains(Self::UI_HISTORY)
    }

    /// Whether context assembly takes the message: `mask & 2` is not 0.
    pub const fn in_context(self) -> bool {
        self.contains(Self::CONTEXT_ASSEMBLY)
    }
}

/// Who has written a stored message.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Author {
    /// The user, or the automation job in the user's place.
    User,
    /// The agent.
    Agent,
    /// The memory stage of the agent, which documents of March 2026 name.
    MemoryStage,
}

/// Where a setting of a run comes from.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConfigSource {
    /// The file `system_agents.yaml`.
    SystemAgents,
    /// The configuration of the automation job.
    AutomationJob,
}

string_enum! {
    closed
    /// How a run was begun: `forwardedProps.runtime_mode`.
    pub enum RuntimeMode {
        /// By a user who is present.
        Chat = "chat",
        /// By a job.
        Automation = "automation",
    }
}

impl RuntimeMode {
    /// The steps of the pipeline, in order, the same in both modes.
    pub const fn pipeline(self) -> &'static [StepName] {
        const STEPS: &[StepName] = &[StepName::Router, StepName::Worker];
        STEPS
    }

    /// The mask that a message of `author` is stored with.
    pub const fn visibility(self, author: Author) -> VisibilityMask {
        match (self, author) {
            (Self::Chat, Author::User | Author::Agent) => {
                VisibilityMask::UI_HISTORY.union(VisibilityMask::CONTEXT_ASSEMBLY)
            }
            (Self::Chat, Author::MemoryStage) | (Self::Automation, Author::Agent | Author::MemoryStage) => {
                VisibilityMask::UI_HISTORY
            }
            (Self::Automation, Author::User) => VisibilityMask::empty(),
        }
    }

    /// Whether the newest user message is put into the context from the input of the run,
    /// since storage does not give it: in automation, if the context is empty or does not
    /// end in a user message.
    pub const fn injects_user_input(self, context_is_empty: bool, context_ends_in_user: bool) -> bool {
        matches!(self, Self::Automation) && (context_is_empty || !context_ends_in_user)
    }

    /// Where the enabled skills come from.
    pub const fn skills_source(self) -> ConfigSource {
        match self {
            Self::Chat => ConfigSource::SystemAgents,
            Self::Automation => ConfigSource::AutomationJob,
        }
    }

    /// Where the configuration of the context comes from.
    pub const fn context_source(self) -> ConfigSource {
        self.skills_source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_modes() {
        for (mode, author, bits, in_history, in_context) in [
            (RuntimeMode::Chat, Author::User, 3, true, true),
            (RuntimeMode::Chat, Author::Agent, 3, true, true),
            (RuntimeMode::Chat, Author::MemoryStage, 1, true, false),
            (RuntimeMode::Automation, Author::User, 0, false, false),
            (RuntimeMode::Automation, Author::Agent, 1, true, false),
        ] {
            let mask = mode.visibility(author);
            assert_eq!((mask.0, mask.in_history(), mask.in_context()), (bits, in_history, in_context));
        }
        assert!(RuntimeMode::Automation.injects_user_input(true, false));
        assert!(RuntimeMode::Automation.injects_user_input(false, false));
        assert!(!RuntimeMode::Automation.injects_user_input(false, true));
        assert!(!RuntimeMode::Chat.injects_user_input(true, false));
    }

    #[test]
    fn other_bits_survive() {
        let mask: VisibilityMask = serde_json::from_str("65538").unwrap();
        assert_eq!((mask.0, mask.in_history(), mask.in_context()), (65_538, false, true));
        assert_eq!(serde_json::to_string(&mask).unwrap(), "65538");
    }
}
