//! What holds of a branch when references are followed.

use std::collections::{HashMap, HashSet};

use super::branch::{Branch, Part};
use super::document::{Name, Schema};
use super::keywords::Members;
use super::kinds::Types;
use super::pairs::Pairs;

/// How deeply schemas that hold beside others are followed; beyond it nothing is known.
const DEEPEST: usize = 20;

/// How many branches are looked at for their types; beyond it nothing is known. Twisted schemas
/// could ask for it without end.
const MOST_LOOKS: usize = 1_000_000;

/// Types of definitions that are known already; with `true` those of the version at the end.
#[derive(Debug, Default)]
pub(super) struct Known<'a> {
    /// Of those that were followed to their end.
    exact: HashMap<(bool, Name<'a>), Types>,
    /// Of those that were met on the way from what is asked for, as far as they were followed.
    met: HashMap<(bool, Name<'a>), Types>,
    /// Something was not followed to its end.
    is_cut: bool,
    looks: usize,
}

/// The definitions that count instead of those that are the same, and whose they are.
type Instead<'p, 'a> = Option<(&'p Pairs<'a>, &'a Schema)>;

impl Schema {
    /// What is known of types before any was asked for.
    pub(super) fn nothing_known<'a>() -> Known<'a> {
        Known::default()
    }

    /// The types that any of the branches takes.
    pub(super) fn types<'a>(&'a self, branches: &[Branch<'a>], known: &mut Known<'a>) -> Types {
        known.met.clear();
        self.types_within(branches, None, known, 0)
    }

    /// The same, where what another version says of a definition counts.
    pub(super) fn types_as<'a>(
        &'a self,
        branches: &[Branch<'a>],
        pairs: &Pairs<'a>,
        other: &'a Self,
        known: &mut Known<'a>,
    ) -> Types {
        known.met.clear();
        self.types_within(branches, Some((pairs, other)), known, 0)
    }

    fn types_within<'a>(
        &'a self,
        branches: &[Branch<'a>],
        instead: Instead<'_, 'a>,
        known: &mut Known<'a>,
        depth: usize,
    ) -> Types {
        let mut types = Types::empty();
        for branch in branches {
            known.looks += 1;
            let mut of_branch = branch.own_types();
            let name = branch.name.map(Part::Reference);
            for part in branch.parts.iter().copied().chain(name) {
                if depth == DEEPEST || known.looks > MOST_LOOKS {
                    known.is_cut = true;
                    break;
                }
                of_branch &= match part {
                    Part::Reference(name) => self.types_of(name, instead, known, depth + 1),
                    part => self.types_within(&self.read_part(part), instead, known, depth + 1),
                };
            }
            types |= of_branch;
        }
        types
    }

    fn types_of<'a>(&'a self, name: Name<'a>, instead: Instead<'_, 'a>, known: &mut Known<'a>, depth: usize) -> Types {
        let other = instead.and_then(|(pairs, other)| Some((pairs.new_of(name)?, other)));
        let (name, schema, instead) = other.map_or((name, self, instead), |(name, other)| (name, other, None));
        let key = (instead.is_none(), name);
        if let Some(types) = known.exact.get(&key) {
            return *types;
        }
        let is_cut = std::mem::replace(&mut known.is_cut, true);
        if let Some(types) = known.met.get(&key) {
            return *types;
        }
        known.is_cut = false;
        let types = schema.types_within(&schema.read(schema.definition(name)), instead, known, depth);
        let list = if known.is_cut { &mut known.met } else { &mut known.exact };
        list.insert(key, types);
        known.is_cut |= is_cut;
        types
    }

    /// The keywords of every schema that holds for a branch. `None` if the branch is several.
    pub(super) fn conjuncts<'a>(&'a self, branch: &Branch<'a>) -> Option<Vec<&'a Members>> {
        let mut branch = branch.clone();
        let (mut found, mut parts) = (Vec::new(), Vec::new());
        loop {
            found.append(&mut branch.layers);
            parts.append(&mut branch.parts);
            let Some(name) = branch.name else { break };
            branch = only(self.read(self.definition(name)))?;
        }
        let mut seen = HashSet::new();
        while let Some(part) = parts.pop() {
            let branches = match part {
                Part::Reference(name) if !seen.insert(name) => continue,
                Part::Reference(name) => self.read(self.definition(name)),
                // One of them holds, and it is not known which.
                Part::Union(_) => continue,
                part @ Part::Schema(_) => self.read_part(part),
            };
            let Some(mut branch) = only(branches) else { continue };
            found.append(&mut branch.layers);
            parts.append(&mut branch.parts);
            parts.extend(branch.name.map(Part::Reference));
        }
        Some(found)
    }
}

/// The branch, if there is but one.
fn only(mut branches: Vec<Branch<'_>>) -> Option<Branch<'_>> {
    branches.pop().filter(|_| branches.is_empty())
}
