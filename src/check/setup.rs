//! What does not change while a stream is checked.

use std::sync::Arc;

use super::limits::Limits;
use super::policy::Policy;
use super::protocol::Protocol;
use super::rule::Profile;
use super::secrets::Secrets;
use super::size::always_fits;

/// How a checker is set up.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) protocol: Protocol,
    /// In profile `reference`, print keys in paths unquoted.
    plain_paths: bool,
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
    pub(crate) policy: Policy,
    pub(crate) secrets: Arc<Secrets>,
    /// The version of the protocol, by its name.
    pub(crate) version: Option<&'static str>,
    /// The run that the connection is for.
    pub(crate) run_id: Option<Box<str>>,
    /// The stream goes on where another connection broke.
    pub(crate) resumed: bool,
    /// Judge every event by phase 2, to compare with.
    pub(crate) exact: bool,
}

impl Setup {
    pub(crate) fn new(protocol: Protocol) -> Self {
        Self {
            plain_paths: protocol.about().plain_paths,
            protocol,
            profile: Profile::default(),
            limits: Limits::DEFAULT,
            policy: Policy::default(),
            secrets: Arc::default(),
            version: None,
            run_id: None,
            resumed: false,
            exact: false,
        }
    }

    /// Whether keys are printed in paths as they are.
    pub(crate) fn has_plain_paths(&self) -> bool {
        self.profile == Profile::Reference && self.plain_paths
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.profile == Profile::Strict
    }

    /// The size of an inspected value in UTF-16 units beyond which it is reported. A reference has
    /// its own bound, whatever the user's is.
    #[inline]
    pub(crate) fn inline_units(&self) -> usize {
        let most = if self.is_strict() { usize::MAX } else { Limits::DEFAULT.inline_units };
        self.limits.inline_units.min(most)
    }

    /// The longest event in bytes that is compared with others: it cannot hold a value that is too
    /// large.
    #[inline]
    pub(crate) fn longest_alike(&self) -> usize {
        always_fits(self.inline_units())
    }
}
