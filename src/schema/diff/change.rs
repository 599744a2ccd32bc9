//! A change as it is reported.

use std::fmt;

use super::document::{Name, Schema};
use super::rule::{ChangeRule, Impact};
use super::rules;
use super::text::cut;

/// A difference between two versions of a schema.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The rule, which says what such a change breaks.
    pub rule: &'static ChangeRule,
    /// The definition in which it is, by its new name; for the root its title, or `$`. Empty for
    /// a file that is new or gone.
    pub definition: String,
    /// The definition, and the members on the way, such as `AguiMessage.content[]`.
    pub place: String,
    /// What has changed.
    pub message: String,
    /// What stood there before, where that says more. Long texts are cut.
    pub old: Option<String>,
    /// What stands there now.
    pub new: Option<String>,
}

impl Change {
    /// What it breaks.
    pub fn impact(&self) -> Impact {
        self.rule.impact()
    }

    /// A change of a whole file.
    pub(super) fn of_file(rule: &'static ChangeRule) -> Self {
        let (definition, place, message) = (String::new(), String::new(), rule.title().to_owned());
        Self { rule, definition, place, message, old: None, new: None }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.impact(), self.rule)?;
        if !self.place.is_empty() {
            write!(f, " {}", self.place)?;
        }
        write!(f, ": {}", self.message)?;
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, ": {old} → {new}"),
            (Some(only), None) | (None, Some(only)) => write!(f, ": {only}"),
            (None, None) => Ok(()),
        }
    }
}

/// Where a change is: a definition of the new schema, and the way from there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place<'a> {
    pub(super) name: Name<'a>,
    pub(super) path: String,
}

impl<'a> Place<'a> {
    /// A definition itself.
    pub(super) fn of(name: Name<'a>) -> Self {
        Self { name, path: String::new() }
    }

    fn join(&self, step: &str) -> Self {
        Self { name: self.name, path: format!("{}{step}", self.path) }
    }

    /// A member of the object.
    pub(super) fn member(&self, name: &str) -> Self {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@');
        let name = cut(name);
        if !name.is_empty() && name.chars().all(is_plain) {
            self.join(&format!(".{name}"))
        } else {
            self.join(&format!("[{}]", serde_json::Value::from(name)))
        }
    }

    /// The members that the object does not name.
    pub(super) fn others(&self) -> Self {
        self.join(".*")
    }

    /// The items of the array.
    pub(super) fn items(&self) -> Self {
        self.join("[]")
    }

    /// The branch of the union with that tag.
    pub(super) fn variant(&self, tag: &str) -> Self {
        self.join(&format!("({})", cut(tag)))
    }
}

/// A change at its place, before names are put together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Found<'a> {
    pub(super) place: Place<'a>,
    pub(super) rule: &'static ChangeRule,
    pub(super) message: String,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

impl<'a> Found<'a> {
    pub(super) fn new(place: &Place<'a>, rule: &'static ChangeRule, message: impl Into<String>) -> Self {
        Self { place: place.clone(), rule, message: message.into(), old: None, new: None }
    }

    /// The same, with what stood there.
    pub(super) fn was(mut self, old: impl Into<Option<String>>) -> Self {
        self.old = old.into();
        self
    }

    /// The same, with what stands there.
    pub(super) fn is(mut self, new: impl Into<Option<String>>) -> Self {
        self.new = new.into();
        self
    }

    /// Whether it says nothing about how values are described.
    pub(super) fn is_note(&self) -> bool {
        const NOTES: [&ChangeRule; 6] = [
            &rules::TITLE_CHANGED,
            &rules::ID_CHANGED,
            &rules::DEFAULT_CHANGED,
            &rules::DEPRECATION_CHANGED,
            &rules::DOCUMENTATION_CHANGED,
            &rules::DEFINITION_RENAMED,
        ];
        NOTES.contains(&self.rule)
    }

    /// The change, as one of that schema.
    pub(super) fn into_change(self, schema: &Schema) -> Change {
        let Self { place, rule, message, old, new } = self;
        let definition = match place.name {
            Name::Root => cut(schema.title().unwrap_or("$")),
            name @ Name::Definition(_) => name.to_string(),
        };
        let place = format!("{definition}{}", place.path);
        Change { rule, definition, place, message, old, new }
    }
}
