//! What a rule of the comparison is.

use std::fmt;

use crate::words::words;

words! {
    /// What a change breaks, the least first.
    ///
    /// Since 0.1.0.
    pub enum Impact, unknown UnknownImpact {
        /// Documents and generated code go on working.
        Compatible = "compatible",
        /// Documents stay valid, but code that uses generated types no longer compiles, or means something else.
        SourceBreaking = "source-breaking",
        /// Producers and consumers of the two versions no longer understand each other.
        WireBreaking = "wire-breaking",
    }
}

words! {
    /// Who is broken by a change.
    ///
    /// Since 0.1.0.
    pub enum Breaks, unknown UnknownBreaks {
        /// Nobody.
        Nothing = "nothing",
        /// Whoever compiles code against the generated types.
        Code = "generated code",
        /// A consumer of the new schema refuses what a producer of the old one sends.
        OldProducers = "old producers, new consumers",
        /// A consumer of the old schema refuses what a producer of the new one sends.
        NewProducers = "new producers, old consumers",
        /// Either of the two.
        BothWays = "old and new in both directions",
    }
}

/// A rule: a kind of change, and what it breaks.
///
/// Compared by [`id`](Self::id), which is also all that `Debug` shows.
///
/// Since 0.1.0.
pub struct ChangeRule {
    pub(super) id: &'static str,
    pub(super) impact: Impact,
    pub(super) breaks: Breaks,
    pub(super) title: &'static str,
    pub(super) why: &'static str,
    pub(super) help: &'static str,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

impl ChangeRule {
    /// The stable id, such as `schema/member-removed`.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The id without its prefix, such as `member-removed`.
    pub fn name(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, name)| name)
    }

    /// What such a change breaks.
    pub fn impact(&self) -> Impact {
        self.impact
    }

    /// Who is broken.
    pub fn breaks(&self) -> Breaks {
        self.breaks
    }

    /// The change in a few words.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Why it has this impact.
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// What to do instead.
    pub fn help(&self) -> &'static str {
        self.help
    }

    /// A schema before such a change, as JSON text; empty if there was no file.
    pub fn before(&self) -> &'static str {
        self.before
    }

    /// The same schema after the change; empty if there is no file.
    pub fn after(&self) -> &'static str {
        self.after
    }
}

impl fmt::Debug for ChangeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChangeRule({})", self.id)
    }
}

impl fmt::Display for ChangeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id)
    }
}

impl PartialEq for ChangeRule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ChangeRule {}

impl std::hash::Hash for ChangeRule {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// Declares a table of rules; each row becomes a constant of its name.
macro_rules! table {
    (
        $table:ident;
        $( $name:ident = $id:literal {
            impact: $impact:ident, breaks: $breaks:ident,
            title: $title:literal,
            why: $why:literal,
            help: $help:literal,
            before: $before:literal,
            after: $after:literal $(,)?
        } )+
    ) => {
        $(
            #[doc = concat!("`schema/", $id, "`: ", $title, ".")]
            pub static $name: $crate::schema::diff::rule::ChangeRule = $crate::schema::diff::rule::ChangeRule {
                id: concat!("schema/", $id),
                impact: $crate::schema::diff::rule::Impact::$impact,
                breaks: $crate::schema::diff::rule::Breaks::$breaks,
                title: $title,
                why: $why,
                help: $help,
                before: $before,
                after: $after,
            };
        )+

        /// The rules of this table, in its order.
        pub(super) static $table: &[&$crate::schema::diff::rule::ChangeRule] = &[$(&$name),+];
    };
}

pub(super) use table;
