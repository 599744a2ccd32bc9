//! Rules: what is checked, how grave it is, where it applies.

use std::fmt;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Worth knowing; nothing breaks.
    Note,
    /// Accepted by the reference, yet against the contract or risky.
    Warning,
    /// A consumer rejects or loses something.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The class of a finding, the same for every protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A member is missing, of a wrong type, or has a value outside its list.
    SchemaMismatch,
    /// An id that says what the event belongs to is missing.
    MissingScopeId,
    /// The ordering counter has a hole or goes back.
    SequenceGap,
    /// Events come in an order that the protocol forbids.
    SequenceViolation,
    /// Something that looks like a secret is in a payload.
    SecretLeakRisk,
    /// A payload is too large to travel inline.
    LargePayloadInline,
    /// The type is not one that the protocol names.
    UnknownEventType,
    /// The bytes cannot be cut into events.
    FramingError,
    /// A bound of the checker was reached; some rules are no longer guaranteed.
    LimitReached,
}

impl Code {
    /// Every code.
    pub const ALL: &[Self] = &[
        Self::SchemaMismatch,
        Self::MissingScopeId,
        Self::SequenceGap,
        Self::SequenceViolation,
        Self::SecretLeakRisk,
        Self::LargePayloadInline,
        Self::UnknownEventType,
        Self::FramingError,
        Self::LimitReached,
    ];

    /// The code in reports, such as `missing_scope_id`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SchemaMismatch => "schema_mismatch",
            Self::MissingScopeId => "missing_scope_id",
            Self::SequenceGap => "sequence_gap",
            Self::SequenceViolation => "sequence_violation",
            Self::SecretLeakRisk => "secret_leak_risk",
            Self::LargePayloadInline => "large_payload_inline",
            Self::UnknownEventType => "unknown_event_type",
            Self::FramingError => "framing_error",
            Self::LimitReached => "limit_reached",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which rules are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// What the protocol's own reference implementation reports.
    Reference,
    /// Exactly what the published schema rejects.
    Schema,
    /// Every rule.
    #[default]
    Strict,
}

impl Profile {
    /// `reference`, `schema` or `strict`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Schema => "schema",
            Self::Strict => "strict",
        }
    }

    /// The profile of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Reference, Self::Schema, Self::Strict].into_iter().find(|profile| profile.as_str() == name)
    }
}

/// A rule of a protocol, or of the input that carries it.
///
/// Compared by [`id`](Self::id), which is also all that `Debug` shows.
#[non_exhaustive]
pub struct Rule {
    /// The stable id, such as `lime/tool-needs-tool-call-id`.
    pub id: &'static str,
    /// The class of its findings.
    pub code: Code,
    /// The severity of its findings, unless a user changes it. Some rules have cases that
    /// are worth a note only; `when` says which.
    pub severity: Severity,
    /// The profiles in which it runs.
    pub profiles: &'static [Profile],
    /// Which events it looks at.
    pub applies_to: &'static str,
    /// When it reports.
    pub when: &'static str,
    /// What breaks in a consumer.
    pub why: &'static str,
    /// What the producer should do.
    pub help: &'static str,
    /// A fixture that triggers it, as JSON text.
    #[cfg(feature = "cli")]
    pub failing: Option<&'static str>,
    /// The nearest fixture that does not.
    #[cfg(feature = "cli")]
    pub fixed: Option<&'static str>,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({})", self.id)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

/// A rule, by reference to its row in a table.
pub(crate) type RuleRef = &'static Rule;

/// Declares the rule table of a protocol; each row becomes a static of its name.
/// Every rule of a protocol has a pair of fixtures: a missing file does not compile.
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
        $( pub(crate) static $name: $crate::check::Rule = $crate::check::Rule {
            id: concat!($prefix, "/", $id),
            code: $crate::check::Code::$code,
            severity: $crate::check::Severity::$severity,
            profiles: &[$($crate::check::Profile::$profile),+],
            applies_to: $applies_to,
            when: $when,
            why: $why,
            help: $help,
            #[cfg(feature = "cli")]
            failing: $crate::check::rule::rules!(@example $protocol $prefix "/invalid/" $id),
            #[cfg(feature = "cli")]
            fixed: $crate::check::rule::rules!(@example $protocol $prefix "/valid/" $id),
        }; )+

        /// The rows of the table, in order.
        pub(crate) static RULES: &[$crate::check::rule::RuleRef] = &[$(&$name),+];
    };
    (@example Input $($path:literal)+) => { None };
    (@example $protocol:ident $($path:literal)+) => {
        Some(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/", $($path,)+ ".json")))
    };
}

pub(crate) use rules;
