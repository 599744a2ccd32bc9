//! From what does not fit the schema to the rules of a protocol.
//!
//! A schema only rejects; a protocol's rules name and grade what it rejects. The table
//! between them has a row for each: definition, member and keyword lead to rule and
//! message. The first row that fits counts.

use super::explain::{Keyword, Mismatch};
use super::rule::{Rule, Severity};
use crate::safe::show;
use crate::wire::path::Step;
use crate::wire::scan::Kind;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    /// The definition that the member belongs to; with a leading `*`, how its name ends.
    pub(crate) definition: &'r str,
    /// The members, none for all.
    pub(crate) members: &'r [&'r str],
    pub(crate) when: When,
    pub(crate) rule: &'r Rule,
    /// May contain `{name}`, `{expected}`, `{actual}`, `{or absent}` and `{state}`.
    pub(crate) message: &'r str,
    /// A receiver carries on, whatever the severity of the rule.
    pub(crate) harmless: bool,
}

/// What is wrong with the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Any,
    Is(Keyword),
    /// It is null, where that is not allowed.
    Null,
    /// It is an integer, and too small or too large.
    OutOfRange,
}

impl<'r> Row<'r> {
    /// A row about members of any definition.
    pub(crate) const fn any(members: &'r [&'r str], when: When, rule: &'r Rule, message: &'r str) -> Self {
        Self { definition: "*", members, when, rule, message, harmless: false }
    }

    /// The row, about one definition.
    pub(crate) const fn of(mut self, definition: &'r str) -> Self {
        self.definition = definition;
        self
    }

    /// The row, about something that a receiver goes on with.
    pub(crate) const fn harmless(mut self) -> Self {
        self.harmless = true;
        self
    }

    /// Whether a receiver fails over it.
    pub(crate) fn is_fatal(&self) -> bool {
        !self.harmless && self.rule.severity() == Severity::Error
    }

    fn fits(&self, misfit: &Mismatch<'_>) -> bool {
        // Tables are long, and names are alike: what is told without them comes first.
        let is_meant = match self.when {
            When::Any => true,
            When::Is(keyword) => misfit.keyword == keyword,
            When::OutOfRange => misfit.out_of_range,
            When::Null => misfit.keyword == Keyword::Type && misfit.actual == Kind::Null,
        };
        is_meant
            && (self.members.is_empty() || self.members.contains(&&*misfit.member))
            && match self.definition.strip_prefix('*') {
                Some(end) => misfit.definition.ends_with(end),
                None => misfit.definition == self.definition,
            }
    }

    /// The message about a mismatch.
    pub(crate) fn describe(&self, misfit: &Mismatch<'_>) -> String {
        if let Some(message) = lacks_all(misfit) {
            return message;
        }
        let mut out = String::new();
        let mut rest = self.message;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match name {
                "name" if misfit.member.is_empty() => out.push_str(&element(misfit)),
                "name" => out.push_str(&show(&misfit.member)),
                "expected" => out.push_str(&misfit.expected.to_string()),
                "actual" => out.push_str(misfit.actual.name()),
                "or absent" if misfit.is_optional => out.push_str(" or absent"),
                "or absent" => {}
                _ => out.push_str(&state(misfit)),
            }
            rest = after;
        }
        out + rest
    }
}

/// How an element of a list is called.
fn element(misfit: &Mismatch<'_>) -> String {
    match misfit.path.steps() {
        [.., Step::Key(list), Step::Index(index)] => format!("{}[{index}]", show(list)),
        _ => "the value".to_owned(),
    }
}

/// Of an object that lacks all of its members, one mismatch instead of one for each.
pub(crate) fn gathered(misfits: Vec<Mismatch<'_>>) -> Vec<Mismatch<'_>> {
    let mut gathered: Vec<Mismatch<'_>> = Vec::with_capacity(misfits.len());
    for mut misfit in misfits {
        if misfit.lacks_all {
            misfit.path.pop();
            if let Some(last) = gathered.last_mut().filter(|last| last.lacks_all && last.path == misfit.path) {
                last.others.push(misfit.member);
                continue;
            }
        }
        gathered.push(misfit);
    }
    gathered
}

/// What is said of an object that lacks all of its members.
pub(crate) fn lacks_all(misfit: &Mismatch<'_>) -> Option<String> {
    let object = match misfit.path.steps() {
        [.., Step::Key(name)] => show(name).to_string(),
        [] => "the event".to_owned(),
        _ => element(misfit),
    };
    let others = misfit.others.join(", ");
    (!others.is_empty()).then(|| format!("{object} lacks all that it must have: {}, {others}", misfit.member))
}

/// What is there instead of what the schema asks for.
fn state(misfit: &Mismatch<'_>) -> String {
    match misfit.keyword {
        Keyword::Required => "is missing".to_owned(),
        Keyword::Length => "is empty".to_owned(),
        _ => format!("is {}", misfit.actual.name()),
    }
}

/// The first row that fits. Every table ends in one that fits all.
pub(crate) fn find<'t, 'r: 't>(
    rows: impl IntoIterator<Item = &'t Row<'r>>,
    misfit: &Mismatch<'_>,
) -> Option<&'t Row<'r>> {
    rows.into_iter().find(|row| row.fits(misfit))
}
