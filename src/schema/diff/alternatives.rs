//! What is left of two unions when references and tags have found their like.

use std::collections::HashSet;

use super::branch::{Branch, Part};
use super::change::{Found, Place};
use super::comparison::Comparison;
use super::kinds::Types;
use super::rules;
use super::side::Side;
use super::text::turned;
use super::values::List;

/// Types that are compared one by one. About null there is nothing to say.
const KINDS: [Types; 5] = [Types::OBJECT, Types::ARRAY, Types::STRING, Types::NUMBER, Types::BOOLEAN];

impl<'a> Comparison<'a> {
    /// Compares what is left of two unions, type by type.
    pub(super) fn alternatives(&mut self, place: &Place<'a>, old: &Side<'a>, new: &Side<'a>) {
        // What a definition takes is compared where it stands, so that of the new version counts for both.
        let (mut before_known, mut after_known) =
            (std::mem::take(&mut self.known.0), std::mem::take(&mut self.known.1));
        let mut old_types =
            |branches: &[Branch<'a>]| self.old.types_as(branches, &self.pairs, self.new, &mut before_known);
        let mut new_types = |branches: &[Branch<'a>]| self.new.types(branches, &mut after_known);
        let (before, after) = (old_types(&old.all()), new_types(&new.all()));
        let olds: Vec<Types> = old.rest.iter().map(|branch| old_types(std::slice::from_ref(branch))).collect();
        let news: Vec<Types> = new.rest.iter().map(|branch| new_types(std::slice::from_ref(branch))).collect();
        self.known = (before_known, after_known);
        let of_kind = |kind: Types, types: &[Types], branches: &[Branch<'a>]| -> Vec<Branch<'a>> {
            let both = types.iter().zip(branches).filter(|(types, _)| types.intersects(kind));
            both.map(|(_, branch)| branch.clone()).collect()
        };
        self.types(place, before, after);
        let mut parts = HashSet::new();
        for kind in KINDS.into_iter().filter(|kind| before.intersects(*kind) && after.intersects(*kind)) {
            let (olds, news) = (of_kind(kind, &olds, &old.rest), of_kind(kind, &news, &new.rest));
            let pair = match (olds.as_slice(), news.as_slice()) {
                ([old], [new]) => Some((old.clone(), new.clone())),
                (olds, news) => self.several(place, kind, olds, news),
            };
            if let Some((old, new)) = pair {
                self.kind(place, kind, &old, &new);
                // Once, though the branches may be of several types.
                if parts.insert((old.parts.clone(), new.parts.clone())) {
                    self.parts(place, old.parts, new.parts);
                }
            }
        }
    }

    /// Compares several ways to have a value of one type; gives those that are alone at last.
    fn several(
        &mut self,
        place: &Place<'a>,
        kind: Types,
        old: &[Branch<'a>],
        new: &[Branch<'a>],
    ) -> Option<(Branch<'a>, Branch<'a>)> {
        if !old.is_empty() && !new.is_empty() && old.iter().chain(new).all(|branch| branch.closed().is_some()) {
            let values = |branches: &[Branch<'a>]| {
                let values = branches.iter().filter_map(Branch::closed).flatten();
                List::Closed(values.filter(|value| Types::of(value).intersects(kind)).collect())
            };
            self.lists(place, &values(old), &values(new));
            return None;
        }
        let keys = |branches: &[Branch<'a>]| branches.iter().map(Branch::key).collect::<HashSet<_>>();
        let (olds, news) = (keys(old), keys(new));
        let (mut gone, mut added) = (old.to_vec(), new.to_vec());
        gone.retain(|branch| !news.contains(&branch.key()));
        added.retain(|branch| !olds.contains(&branch.key()));
        if let ([old], [new]) = (gone.as_slice(), added.as_slice()) {
            return Some((old.clone(), new.clone()));
        }
        for branch in gone {
            let found = Found::new(place, &rules::ALTERNATIVE_REMOVED, "an alternative is gone");
            self.emit(found.was(branch.text()));
        }
        for branch in added {
            let found = Found::new(place, &rules::ALTERNATIVE_ADDED, "an alternative is new");
            self.emit(found.is(branch.text()));
        }
        None
    }

    /// Compares schemas that hold beside others: references to the same definition, then the
    /// rest in its order.
    fn parts(&mut self, place: &Place<'a>, mut old: Vec<Part<'a>>, mut new: Vec<Part<'a>>) {
        old.retain(|part| {
            let Part::Reference(name) = *part else { return true };
            let twin = self.pairs.new_of(name).map(Part::Reference);
            match new.iter().position(|part| Some(*part) == twin) {
                Some(twin) => {
                    new.remove(twin);
                    false
                }
                None => true,
            }
        });
        let is_union = |part: &Part<'a>| matches!(part, Part::Union(_));
        let (old_unions, old): (Vec<_>, Vec<_>) = old.into_iter().partition(is_union);
        let (new_unions, new): (Vec<_>, Vec<_>) = new.into_iter().partition(is_union);
        for (old, new) in [(old_unions, new_unions), (old, new)] {
            for index in 0..old.len().max(new.len()) {
                match (old.get(index).copied(), new.get(index).copied()) {
                    (Some(Part::Schema(old)), Some(Part::Schema(new))) => self.compare(place.clone(), old, new),
                    (Some(old), Some(new)) => {
                        let (old, new) = (self.old.read_part(old), self.new.read_part(new));
                        self.compare_branches(place.clone(), old, new);
                    }
                    (old, new) => {
                        let message = turned("a schema that has to hold as well", old.as_ref(), new.as_ref());
                        let found = Found::new(place, &rules::KEYWORD_CHANGED, message);
                        self.emit(found.was(old.map(Part::text)).is(new.map(Part::text)));
                    }
                }
            }
        }
    }
}
