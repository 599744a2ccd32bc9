//! What a file is to be checked as.

use super::names::Type;
use crate::check::{Profile, Protocol};
use crate::stream::Framing;

/// What is settled before a file is read; the file itself shows the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) protocol: Option<Protocol>,
    pub(super) version: Option<&'static str>,
    pub(super) framing: Option<Framing>,
    pub(super) profile: Profile,
    pub(super) as_type: Option<Type>,
}

/// What is wanted of some files; what it leaves open stays as it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// A protocol and its version, or the one that the file shows.
    pub(super) protocol: Option<Option<(Protocol, Option<&'static str>)>>,
    /// A framing, or the one that the file shows.
    pub(super) framing: Option<Option<Framing>>,
    pub(super) profile: Option<Profile>,
    pub(super) as_type: Option<Type>,
}

impl Choice {
    pub(super) fn new(profile: Profile) -> Self {
        Self { protocol: None, version: None, framing: None, profile, as_type: None }
    }

    /// A type stands in place of protocol and framing, and these in place of a type.
    pub(super) fn apply(&mut self, wanted: &Wanted) {
        self.profile = wanted.profile.unwrap_or(self.profile);
        if let Some(as_type) = &wanted.as_type {
            *self = Self { as_type: Some(as_type.clone()), ..Self::new(self.profile) };
        }
        if let Some(protocol) = &wanted.protocol {
            (self.protocol, self.version) = (None, None);
            if let Some((protocol, version)) = protocol {
                (self.protocol, self.version) = (Some(protocol.clone()), *version);
            }
            self.as_type = None;
        }
        if let Some(framing) = wanted.framing {
            self.framing = framing;
            self.as_type = None;
        }
    }
}
