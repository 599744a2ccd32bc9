//! The branches of one version while they are compared.

use std::collections::HashSet;

use super::branch::Branch;
use super::document::{Name, Schema};

/// The branches of one version.
pub(super) struct Side<'a> {
    pub(super) schema: &'a Schema,
    /// Those that have not found their like.
    pub(super) rest: Vec<Branch<'a>>,
    /// Those that were dealt with.
    pub(super) done: Vec<Branch<'a>>,
}

impl<'a> Side<'a> {
    pub(super) fn new(schema: &'a Schema, branches: Vec<Branch<'a>>) -> Self {
        Self { schema, rest: branches, done: Vec::new() }
    }

    pub(super) fn all(&self) -> Vec<Branch<'a>> {
        self.done.iter().chain(&self.rest).cloned().collect()
    }

    /// What the rest refers to.
    pub(super) fn names(&self) -> Vec<Name<'a>> {
        self.rest.iter().filter_map(|branch| branch.name).collect()
    }

    /// Takes the branches at some places from the rest.
    pub(super) fn take(&mut self, places: &HashSet<usize>) -> Vec<Branch<'a>> {
        let mut taken = Vec::new();
        for (place, branch) in std::mem::take(&mut self.rest).into_iter().enumerate() {
            let list = if places.contains(&place) { &mut taken } else { &mut self.rest };
            list.push(branch);
        }
        taken
    }

    /// Puts definitions in the place of references, or sets these aside.
    pub(super) fn expand(&mut self, may_follow: bool) {
        let mut names = HashSet::new();
        for branch in std::mem::take(&mut self.rest) {
            if branch.name.is_some() && !may_follow {
                self.done.push(branch);
                continue;
            }
            let found = self.schema.expand(&branch).into_iter();
            self.rest.extend(found.filter(|branch| branch.name.is_none_or(|name| names.insert(name))));
        }
    }
}
