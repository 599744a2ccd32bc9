//! A protocol as a value: the tables that the engine executes.

use std::any::Any;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::facts::Facts;
use super::holds::Unpack;
use super::input_rules;
use super::order::{Order, Trust};
use super::protocol::{About, Described, Made, Protocol};
use super::recognise::Head;
use super::reporter::Reporter;
use super::rule::{Profile, Rule};
use super::setup::Setup;
use super::shape::{FormId, Shape, Unknown, WatchRow};
use super::tree::Node;

/// A protocol: its rules and schemas, and the tables by which its events are judged.
///
/// Built-in protocols declare theirs in tables of their own; a [`SpecBuilder`](super::SpecBuilder)
/// makes one of a schema, scopes and a sequence.
///
/// Since 0.1.0.
pub struct Spec {
    pub(crate) about: About,
    /// The member by which events are told apart.
    pub(crate) tag: Cow<'static, str>,
    /// The published schemas of an event; the first one unless `schema` picks another.
    pub(crate) schemas: Vec<Published>,
    pub(crate) schema: fn(&Setup) -> usize,
    /// Tests for rules that the schema does not express; see [`Look`].
    pub(crate) looks: &'static [Look],
    /// Reads what the text of an input holds; none if that is always one event that names its
    /// type.
    pub(crate) unpack: Option<Unpack>,
    /// Lines and documents are delivered as frames are: the order looks at every input.
    pub(crate) delivers_all: bool,
    /// Reports what is wrong with what a batch says beside its events.
    pub(crate) judge_batch: fn(&Node<'_>, &mut Reporter<'_>),
    /// Reports what is wrong with what stands around a batch, or the content of an event, that is a member.
    pub(crate) judge_around: fn(&Node<'_>, &mut Reporter<'_>),
    /// Reads the facts of an event whose tree has been built.
    pub(crate) facts: for<'a> fn(&mut Facts<'a>, &Shape, FormId, &Node<'a>),
    /// Reports what is wrong with an event by itself.
    pub(crate) judge: Judge,
    pub(crate) order: Begin,
    pub(crate) documents: Documents,
    /// How many of the events could be of this protocol.
    pub(crate) recognise: fn(&Spec, &[Head<'_>]) -> usize,
    /// Of a dialect: whether these events may be of it or of the protocol that it derives from, so that later ones have to
    /// tell.
    pub(crate) is_open: fn(&[Head<'_>]) -> bool,
    /// The type of a document that says what it is.
    pub(crate) recognise_document: fn(&Head<'_>) -> Option<&'static str>,
    /// The rule for text that is not JSON.
    pub(crate) not_json: Rule,
    /// The rule for a frame beyond the limit.
    pub(crate) frame_too_large: Rule,
    /// The rule for secrets in what is no event: text that is not JSON, and the other lines of a frame.
    pub(crate) secret_value: Option<Rule>,
    /// The protocol's own rule about a stream without events.
    pub(crate) empty: Option<Rule>,
    /// The files below `schemas/` that are generated from the types.
    #[cfg(feature = "schema")]
    pub(crate) files: fn() -> Vec<crate::wire::published::SchemaFile>,
    /// What of it goes over HTTP.
    #[cfg(feature = "published")]
    pub(crate) operations: &'static [crate::wire::published::Operation],
    /// The first version that has an event of that tag, where its row says so.
    #[cfg(feature = "published")]
    pub(crate) since: fn(&str) -> Option<&'static str>,
    /// The body of a request that asks an agent a question, where one message is enough for that.
    #[cfg(feature = "net")]
    pub(crate) ask: Option<Ask>,
}

/// Makes the request of a question. The second text tells its ids from those of others.
#[cfg(feature = "net")]
pub(crate) type Ask = fn(&str, &str) -> String;

/// Reports what is wrong with an event by itself, and says how far it can be relied on.
pub(crate) type Judge = Box<dyn Fn(&Looked<'_, '_>, &mut Reporter<'_>) -> Trust + Send + Sync>;

/// Begins a stream: the order rules, with nothing seen yet.
pub(crate) type Begin = Box<dyn Fn(&Setup) -> Box<dyn Order> + Send + Sync>;

/// A published schema, compiled when it is first needed.
#[derive(Debug)]
pub(crate) struct Published {
    text: fn() -> &'static str,
    rows: &'static [WatchRow<'static>],
    unknown: Unknown,
    compiled: OnceLock<Shape>,
}

impl Published {
    pub(crate) const fn new(text: fn() -> &'static str, rows: &'static [WatchRow<'static>], unknown: Unknown) -> Self {
        Self { text, rows, unknown, compiled: OnceLock::new() }
    }

    /// A schema of a user's: compiled at once, since it may be wrong.
    pub(crate) fn compile(text: &str, rows: &[WatchRow<'_>], unknown: Unknown) -> Result<Self, String> {
        Ok(Self { compiled: Shape::compile(text, rows, unknown)?.into(), ..Self::new(|| "", &[], unknown) })
    }

    #[expect(clippy::expect_used, reason = "the schemas are constants, and a test compiles them all")]
    pub(crate) fn shape(&self) -> &Shape {
        self.compiled.get_or_init(|| {
            Shape::compile((self.text)(), self.rows, self.unknown).expect("the published schema compiles, by test")
        })
    }
}

/// The text of a published schema, by its path below `schemas/`.
macro_rules! schema_text {
    ($path:literal) => {
        || {
            #[cfg(feature = "published")]
            let text = $crate::embedded::text(concat!("schemas/", $path)).unwrap_or_default();
            #[cfg(not(feature = "published"))]
            let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/", $path));
            text
        }
    };
}

pub(crate) use schema_text;

/// A test whether an event that fits its schema may break a rule that the schema does not
/// express. If so, phase 2 looks at the event. `u8` is the era that the stream has shown.
pub(crate) type Look = fn(&Facts<'_>, u8) -> bool;

/// The test of every protocol with rules that search the text of an event as it is written.
pub(crate) const HIDDEN: Look = |facts, _| facts.hides();

/// An event, or a document, under a closer look.
#[derive(Clone, Copy)]
pub(crate) struct Looked<'e, 'a> {
    pub(crate) spec: &'e Spec,
    /// The event's type, where its text does not have it.
    pub(crate) name: Option<&'e str>,
    /// It is written in another way than the protocol's.
    pub(crate) odd: bool,
    pub(crate) shape: &'e Shape,
    /// What of the schema it is held against.
    pub(crate) form: FormId,
    pub(crate) node: &'e Node<'a>,
    pub(crate) facts: &'e Facts<'e>,
    /// The era that the stream has shown.
    pub(crate) era: u8,
}

/// The types that a document can be checked as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Documents {
    pub(crate) names: fn(&Spec) -> Vec<String>,
    /// Checks a document of a type that `names` has.
    pub(crate) check: fn(&Spec, &str, &Node<'_>, &mut Reporter<'_>),
}

impl Described for Spec {
    fn about(&self) -> &About {
        &self.about
    }

    fn publishes(&self, text: &str) -> bool {
        (0..self.schemas.len()).any(|schema| self.shape(schema).publishes(text))
    }

    fn types(&self) -> Vec<String> {
        let mut types = (self.documents.names)(self);
        types.push("Event".into());
        types.sort_unstable();
        types.dedup();
        types
    }
}

/// A [`Spec`] that is at hand: a checker asks for it with every event.
#[derive(Clone, Debug)]
pub(crate) enum SpecRef {
    BuiltIn(&'static Spec),
    Own(Arc<Spec>),
}

impl SpecRef {
    /// What a protocol is made of.
    #[expect(clippy::expect_used, reason = "handles are only made of a Spec, and no others can be")]
    pub(crate) fn of(protocol: &Protocol) -> Self {
        let spec = match protocol.made() {
            Made::BuiltIn(made) => (made as &dyn Any).downcast_ref().map(Self::BuiltIn),
            Made::Own(made) => (made as Arc<dyn Any + Send + Sync>).downcast().ok().map(Self::Own),
        };
        spec.expect("a protocol is made of a Spec alone")
    }
}

impl Deref for SpecRef {
    type Target = Spec;

    #[inline]
    fn deref(&self) -> &Spec {
        match self {
            Self::BuiltIn(spec) => spec,
            Self::Own(spec) => spec,
        }
    }
}

impl From<Spec> for Protocol {
    fn from(spec: Spec) -> Self {
        Self::own(Arc::new(spec))
    }
}

impl std::fmt::Debug for Spec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spec").field("about", &self.about).finish_non_exhaustive()
    }
}

impl Spec {
    #[expect(clippy::indexing_slicing, reason = "a protocol numbers the schemas of its own list")]
    pub(crate) fn shape(&self, schema: usize) -> &Shape {
        self.schemas[schema].shape()
    }

    /// Whether an event that fits its schema leaves nothing to report but its order.
    #[inline]
    pub(crate) fn is_clean(&self, facts: &Facts<'_>, era: u8) -> bool {
        !self.looks.iter().any(|look| look(facts, era))
    }

    pub(crate) fn reports_emptiness(&self, profile: Profile) -> bool {
        self.empty.as_ref().is_some_and(|rule| rule.profiles().contains(&profile))
    }
}

/// What a protocol has unless it says otherwise; `order` and `schemas` have no default.
pub(crate) fn plain(
    id: impl Into<Cow<'static, str>>,
    order: impl Fn(&Setup) -> Box<dyn Order> + Send + Sync + 'static,
) -> Spec {
    Spec {
        about: About {
            id: id.into(),
            title: Cow::Borrowed(""),
            versions: &[],
            has_subscriptions: false,
            reference: None,
            dialect_of: None,
            is_polled: false,
            plain_paths: false,
            rules: Vec::new(),
        },
        tag: Cow::Borrowed("type"),
        schemas: Vec::new(),
        schema: |_| 0,
        looks: &[HIDDEN],
        unpack: None,
        delivers_all: false,
        judge_batch: |_, _| {},
        judge_around: |_, _| {},
        facts: |facts, shape, form, node| facts.read(shape, form, node),
        judge: Box::new(|_, _| Trust::Clean),
        order: Box::new(order),
        documents: Documents { names: |_| Vec::new(), check: |_, _, _, _| {} },
        recognise: |_, _| 0,
        is_open: |_| false,
        recognise_document: |_| None,
        not_json: input_rules::NOT_JSON.clone(),
        frame_too_large: input_rules::TOO_LARGE.clone(),
        secret_value: None,
        empty: None,
        #[cfg(feature = "schema")]
        files: Vec::new,
        #[cfg(feature = "published")]
        operations: &[],
        #[cfg(feature = "published")]
        since: |_| None,
        #[cfg(feature = "net")]
        ask: None,
    }
}
