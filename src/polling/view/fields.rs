//! Members of events that a view keeps without knowing them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::content::Content;
use crate::polling::budget::{Budget, ENTRY};
use crate::wire::Json;

/// Members as they came, by name. `Debug` shows how many there are.
///
/// Since 0.1.0. Source: the reference reduction.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Fields(BTreeMap<Box<str>, Json>);

impl Fields {
    /// The value of member `name`.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }

    /// The members, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets a member, unless there is no room for it.
    pub(super) fn set(&mut self, name: &str, value: Content<'_, '_>, budget: &mut Budget) {
        let length = value.raw().len();
        if let Some(old) = self.0.get_mut(name) {
            if budget.swap(old.as_str().len(), length) {
                *old = value.json();
            }
        } else if budget.take(weight(name, length)) {
            self.0.insert(name.into(), value.json());
        }
    }

    /// Sets every member of an object that `wanted` names.
    pub(super) fn set_all(&mut self, object: Content<'_, '_>, wanted: impl Fn(&str) -> bool, budget: &mut Budget) {
        for (name, value) in object.members().filter(|(name, _)| wanted(name)) {
            self.set(name, value, budget);
        }
    }

    /// What was taken from the budget.
    pub(super) fn weight(&self) -> usize {
        self.iter().map(|(name, value)| weight(name, value.as_str().len())).sum()
    }
}

const fn weight(name: &str, value: usize) -> usize {
    ENTRY + name.len() + value
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fields(<{} members>)", self.0.len())
    }
}
