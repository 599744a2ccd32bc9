//! The handle by which everything names a protocol.

use std::fmt;
use std::sync::{Arc, LazyLock};

use super::rule::Rule;
use super::spec::Spec;

/// A protocol of agent events: a handle to its [`Spec`], cheap to clone.
///
/// The built-in ones are constants, such as `Protocol::AGUI`; others are made of a
/// [`Spec`] at run time. Compared by [`id`](Self::id).
///
/// Since 0.1.0.
#[derive(Clone)]
pub struct Protocol(Handle);

#[derive(Clone)]
enum Handle {
    BuiltIn(&'static LazyLock<Spec>),
    Own(Arc<Spec>),
}

impl Protocol {
    pub(crate) const fn built_in(spec: &'static LazyLock<Spec>) -> Self {
        Self(Handle::BuiltIn(spec))
    }

    pub(crate) fn spec(&self) -> &Spec {
        match &self.0 {
            Handle::BuiltIn(spec) => spec,
            Handle::Own(spec) => spec,
        }
    }

    /// The id in reports, rule ids and paths, such as `lime`.
    pub fn id(&self) -> &str {
        &self.spec().id
    }

    /// What it is, in a few words.
    pub fn title(&self) -> &str {
        &self.spec().title
    }

    /// The names of the types that a document can be checked as, such as `Fixture`.
    pub fn types(&self) -> Vec<String> {
        self.spec().types()
    }

    /// The versions that a stream can be told to have, the oldest first; none where the
    /// protocol does not tell any apart.
    pub fn versions(&self) -> &[&'static str] {
        self.spec().versions
    }

    /// Whether a connection is for one run, which a checker can be told.
    pub fn has_subscriptions(&self) -> bool {
        self.spec().has_subscriptions
    }

    /// What the profile `reference` compares with, where there is a reference implementation.
    pub fn reference(&self) -> Option<&str> {
        self.spec().reference
    }

    /// Whether the protocol has a reference implementation, and so the profile `reference`.
    pub fn has_reference(&self) -> bool {
        self.reference().is_some()
    }

    /// The rules, in the order of their table.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.spec().rules.iter()
    }
}

impl From<Spec> for Protocol {
    fn from(spec: Spec) -> Self {
        Self(Handle::Own(Arc::new(spec)))
    }
}

impl From<&Self> for Protocol {
    fn from(protocol: &Self) -> Self {
        protocol.clone()
    }
}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Protocol({})", self.id())
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl PartialEq for Protocol {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Protocol {}

impl std::hash::Hash for Protocol {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl serde::Serialize for Protocol {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}
