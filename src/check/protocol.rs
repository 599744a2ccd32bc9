//! The handle by which everything names a protocol.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::rule::Rule;

/// A protocol of agent events: a handle to its [`Spec`](super::Spec), cheap to clone.
///
/// The built-in ones are constants, such as `Protocol::AGUI`; others are made of a
/// [`Spec`](super::Spec) at run time. Compared by [`id`](Self::id).
///
/// Since 0.1.0.
#[derive(Clone)]
pub struct Protocol(Handle);

#[derive(Clone)]
enum Handle {
    /// Made when it is first asked for.
    BuiltIn(fn() -> &'static dyn Described),
    Own(Arc<dyn Described>),
}

/// What a handle leads to.
pub(crate) enum Made {
    BuiltIn(&'static dyn Described),
    Own(Arc<dyn Described>),
}

/// What a protocol says of itself, whatever its checks are: this is all that findings and
/// reports know of it.
pub(crate) trait Described: Any + Send + Sync {
    fn about(&self) -> &About;

    /// Whether the text is a value that the protocol publishes, and so harmless.
    fn publishes(&self, text: &str) -> bool;

    /// The names of the types that a document can be checked as.
    fn types(&self) -> Vec<String>;
}

/// The plain facts about a protocol.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) id: Cow<'static, str>,
    pub(crate) title: Cow<'static, str>,
    /// The versions that can be set on a checker, the oldest first.
    pub(crate) versions: &'static [&'static str],
    /// Whether a connection is for one run.
    pub(crate) has_subscriptions: bool,
    /// The reference implementation.
    pub(crate) reference: Option<&'static str>,
    /// The protocol whose types this one shares, so that streams of it look like streams of that.
    pub(crate) dialect_of: Option<&'static str>,
    /// Values carry several events, so that the documents of a folder are one stream.
    pub(crate) is_polled: bool,
    /// In profile `reference`, print keys in paths unquoted, as the reference does.
    pub(crate) plain_paths: bool,
    pub(crate) rules: Vec<Rule>,
}

impl Protocol {
    pub(crate) const fn built_in(made: fn() -> &'static dyn Described) -> Self {
        Self(Handle::BuiltIn(made))
    }

    pub(crate) fn own(made: Arc<dyn Described>) -> Self {
        Self(Handle::Own(made))
    }

    pub(crate) fn described(&self) -> &dyn Described {
        match &self.0 {
            Handle::BuiltIn(made) => made(),
            Handle::Own(made) => &**made,
        }
    }

    pub(crate) fn made(&self) -> Made {
        match &self.0 {
            Handle::BuiltIn(made) => Made::BuiltIn(made()),
            Handle::Own(made) => Made::Own(Arc::clone(made)),
        }
    }

    pub(crate) fn about(&self) -> &About {
        self.described().about()
    }

    /// The id in reports, rule ids and paths, such as `lime`.
    pub fn id(&self) -> &str {
        &self.about().id
    }

    /// What it is, in a few words.
    pub fn title(&self) -> &str {
        &self.about().title
    }

    /// The names of the types that a document can be checked as, such as `Fixture`.
    pub fn types(&self) -> Vec<String> {
        self.described().types()
    }

    /// The versions that [`CheckerBuilder::version`](super::CheckerBuilder::version) takes, the
    /// oldest first; none if the protocol has only one.
    pub fn versions(&self) -> &[&'static str] {
        self.about().versions
    }

    /// Whether a connection may be for one run, see
    /// [`CheckerBuilder::run_id`](super::CheckerBuilder::run_id).
    pub fn has_subscriptions(&self) -> bool {
        self.about().has_subscriptions
    }

    /// What the profile `reference` compares with, where there is a reference implementation.
    pub fn reference(&self) -> Option<&str> {
        self.about().reference
    }

    /// Whether the protocol has a reference implementation, and so the profile `reference`.
    pub fn has_reference(&self) -> bool {
        self.reference().is_some()
    }

    /// The rules, in the order of their table.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.about().rules.iter()
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
