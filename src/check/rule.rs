//! Rules: what is checked, how grave it is, where it applies.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::words::words;

words! {
    /// How grave a finding is.
    ///
    /// Since 0.1.0.
    pub enum Severity, unknown UnknownSeverity {
        /// Style, or a hint.
        Note = "note",
        /// Legal, but risky.
        Warning = "warning",
        /// A user of the agent sees something wrong or missing, or a secret is out.
        Error = "error",
    }
}

words! {
    /// The class of a finding, the same for every protocol.
    ///
    /// Since 0.1.0.
    pub enum Code, unknown UnknownCode {
        /// A member is missing, of a wrong type, or has a value outside its list.
        SchemaMismatch = "schema_mismatch",
        /// An id that says what the event belongs to is missing.
        MissingScopeId = "missing_scope_id",
        /// The ordering counter has a hole or goes back.
        SequenceGap = "sequence_gap",
        /// Events come in an order that the protocol forbids.
        SequenceViolation = "sequence_violation",
        /// Something that looks like a secret is in a payload.
        SecretLeakRisk = "secret_leak_risk",
        /// A payload is too large to travel inline.
        LargePayloadInline = "large_payload_inline",
        /// The type is not one that the protocol names.
        UnknownEventType = "unknown_event_type",
        /// The bytes cannot be cut into events.
        FramingError = "framing_error",
        /// A bound of the checker was reached; some rules are no longer guaranteed.
        LimitReached = "limit_reached",
    }
}

words! {
    /// Which rules run.
    ///
    /// Since 0.1.0.
    #[derive(Default)]
    pub enum Profile, unknown UnknownProfile {
        /// What the protocol's own reference implementation reports. Of a protocol that has none,
        /// every rule: see [`Protocol::has_reference`](super::Protocol::has_reference).
        Reference = "reference",
        /// Exactly what the published schema rejects.
        Schema = "schema",
        /// Every rule.
        #[default]
        Strict = "strict",
    }
}

/// A rule of a protocol, or of the input that carries it.
///
/// Cheap to clone. Compared by [`id`](Self::id), which is also all that `Debug` shows.
///
/// Since 0.1.0.
#[derive(Clone)]
pub struct Rule(Row);

#[derive(Clone)]
enum Row {
    Table(&'static RuleRow),
    Own(Arc<RuleRow>),
}

/// What a rule table says of a rule.
#[derive(Clone, Debug)]
pub(crate) struct RuleRow {
    pub(crate) id: Cow<'static, str>,
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) profiles: &'static [Profile],
    pub(crate) applies_to: Cow<'static, str>,
    pub(crate) when: Cow<'static, str>,
    pub(crate) why: Cow<'static, str>,
    pub(crate) help: Cow<'static, str>,
    /// How the names of its fixtures end, if it has any.
    #[cfg(feature = "published")]
    pub(crate) examples: Option<&'static str>,
}

impl Rule {
    pub(crate) const fn of(row: &'static RuleRow) -> Self {
        Self(Row::Table(row))
    }

    /// A rule of a protocol that was declared at run time.
    pub(crate) fn new(row: RuleRow) -> Self {
        Self(Row::Own(Arc::new(row)))
    }

    fn row(&self) -> &RuleRow {
        match &self.0 {
            Row::Table(row) => row,
            Row::Own(row) => row,
        }
    }

    /// The stable id, such as `lime/tool-needs-tool-call-id`.
    pub fn id(&self) -> &str {
        &self.row().id
    }

    /// The id without its protocol, such as `tool-needs-tool-call-id`.
    pub fn name(&self) -> &str {
        self.id().split_once('/').map_or(self.id(), |(_, name)| name)
    }

    /// The class of its findings.
    pub fn code(&self) -> Code {
        self.row().code
    }

    /// The severity of its findings, unless a user changes it. Some rules have cases of
    /// another severity; [`when`](Self::when) says which.
    pub fn severity(&self) -> Severity {
        self.row().severity
    }

    /// The profiles in which it runs.
    pub fn profiles(&self) -> &'static [Profile] {
        self.row().profiles
    }

    /// Which events it looks at.
    pub fn applies_to(&self) -> &str {
        &self.row().applies_to
    }

    /// When it reports.
    pub fn when(&self) -> &str {
        &self.row().when
    }

    /// What breaks in a consumer.
    pub fn why(&self) -> &str {
        &self.row().why
    }

    /// What the producer should do.
    pub fn help(&self) -> &str {
        &self.row().help
    }

    /// A fixture that triggers it, as JSON text, or an exchange that does.
    #[cfg(feature = "published")]
    pub fn failing(&self) -> Option<&'static str> {
        self.example("invalid")
    }

    /// The nearest one that does not trigger it.
    #[cfg(feature = "published")]
    pub fn fixed(&self) -> Option<&'static str> {
        self.example("valid")
    }

    #[cfg(feature = "published")]
    fn example(&self, folder: &str) -> Option<&'static str> {
        let ending = self.row().examples?;
        let (protocol, name) = self.id().split_once('/')?;
        crate::embedded::text(&format!("fixtures/{protocol}/{folder}/{name}{ending}"))
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({})", self.id())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl serde::Serialize for Rule {
    /// The id.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Rule {}

impl std::hash::Hash for Rule {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

/// Declares the rule table of a protocol; each row becomes a static of its name.
macro_rules! rules {
    ($protocol:ident, $prefix:literal;
        $( $name:ident = $id:literal {
            code: $code:ident, severity: $severity:ident, profiles: [$($profile:ident),+],
            applies_to: $applies_to:literal,
            when: $when:literal,
            why: $why:literal,
            help: $help:literal $(,)?
        } )+
    ) => {
        $(
            #[doc = concat!("`", $prefix, "/", $id, "`: ", $when, ".")]
            pub static $name: $crate::check::Rule = {
                static ROW: $crate::check::rule::RuleRow = $crate::check::rule::RuleRow {
                    id: std::borrow::Cow::Borrowed(concat!($prefix, "/", $id)),
                    code: $crate::check::Code::$code,
                    severity: $crate::check::Severity::$severity,
                    profiles: &[$($crate::check::Profile::$profile),+],
                    applies_to: std::borrow::Cow::Borrowed($applies_to),
                    when: std::borrow::Cow::Borrowed($when),
                    why: std::borrow::Cow::Borrowed($why),
                    help: std::borrow::Cow::Borrowed($help),
                    #[cfg(feature = "published")]
                    examples: $crate::check::rule::rules!(@examples $protocol),
                };
                $crate::check::Rule::of(&ROW)
            };
        )+

        /// The rules, in the order of the table.
        pub static RULES: &[&$crate::check::Rule] = &[$(&$name),+];
    };
    (@examples Input) => { None };
    (@examples Http) => { Some(".http") };
    (@examples $protocol:ident) => { Some(".json") };
}

pub(crate) use rules;
