//! The branches of one version while they are compared.

use std::collections::HashSet;

use super::branch::Branch;
use super::document::{Name, Schema};
use super::kinds::Types;

/// The branches of one version.
pub(super) struct Side<'a> {
    pub(super) schema: &'a Schema,
    /// Those that have not found their like.
    pub(super) rest: Vec<Branch<'a>>,
    /// Those that were dealt with.
    pub(super) done: Vec<Branch<'a>>,
    /// References to definitions that are the same.
    pub(super) same: Vec<Branch<'a>>,
}

impl<'a> Side<'a> {
    pub(super) fn new(schema: &'a Schema, branches: Vec<Branch<'a>>) -> Self {
        Self { schema, rest: branches, done: Vec::new(), same: Vec::new() }
    }

    pub(super) fn all(&self) -> Vec<Branch<'a>> {
        self.same.iter().chain(&self.done).chain(&self.rest).cloned().collect()
    }

    /// The types that a branch takes which is not the same in both versions.
    pub(super) fn types(&self) -> Types {
        self.schema.types(&self.done) | self.schema.types(&self.rest)
    }

    /// The types that a definition takes which is the same in both versions. What it takes is
    /// compared where it stands.
    pub(super) fn same_types(&self) -> Types {
        self.schema.types(&self.same)
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
