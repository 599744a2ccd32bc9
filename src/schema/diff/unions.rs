//! Ways to be valid that have to find their like in the other version: references, and the
//! branches of unions.

use std::collections::{HashMap, HashSet};

use super::branch::Branch;
use super::change::{Found, Place};
use super::comparison::Comparison;
use super::document::Name;
use super::rules;
use super::side::Side;
use super::tags::{is_open, tag_of, tag_values};

/// How often references are followed into definitions that are not the same. Twisted schemas
/// could ask for it without end.
const MOST_STEPS: usize = 1000;

impl<'a> Comparison<'a> {
    /// Compares the ways to be valid.
    pub(super) fn branches(&mut self, place: &Place<'a>, old: Vec<Branch<'a>>, new: Vec<Branch<'a>>) {
        let (mut old, mut new) = (Side::new(self.old, old), Side::new(self.new, new));
        let mut is_first = true;
        loop {
            self.cancel(&mut old, &mut new);
            if let Some(tag) = tag_of([(old.schema, &old.all()), (new.schema, &new.all())]) {
                self.variants(place, tag, &mut old, &mut new);
            }
            let (before, after) = (old.names(), new.names());
            if before.is_empty() && after.is_empty() {
                break;
            }
            if std::mem::take(&mut is_first) && !self.correspond(&before, &after) {
                let found = Found::new(place, &rules::REFERENCE_CHANGED, "the reference is another");
                self.emit(found.was(listed(&before)).is(listed(&after)));
            }
            let may_follow = self.may_follow(place, before, after);
            old.expand(may_follow);
            new.expand(may_follow);
        }
        if !old.rest.is_empty() || !new.rest.is_empty() {
            self.alternatives(place, &old, &new);
        }
    }

    /// Sets aside references to definitions that are the same.
    fn cancel(&self, old: &mut Side<'a>, new: &mut Side<'a>) {
        let by_name: HashMap<Name<'a>, usize> =
            new.rest.iter().enumerate().filter_map(|(place, branch)| Some((branch.name?, place))).collect();
        let (mut gone, mut met) = (HashSet::new(), HashSet::new());
        for (place, branch) in old.rest.iter().enumerate() {
            let twin = branch.name.and_then(|name| self.pairs.new_of(name)).and_then(|name| by_name.get(&name));
            let Some(twin) = twin else { continue };
            if new.rest.get(*twin).is_some_and(|twin| twin.key() == branch.key()) && met.insert(*twin) {
                gone.insert(place);
            }
        }
        let (gone, met) = (old.take(&gone), new.take(&met));
        old.done.extend(gone);
        new.done.extend(met);
    }

    /// Whether references lead to definitions that are the same.
    fn correspond(&self, old: &[Name<'a>], new: &[Name<'a>]) -> bool {
        let old: HashSet<_> = old.iter().map(|name| self.pairs.new_of(*name)).collect();
        let new: HashSet<_> = new.iter().map(|name| Some(*name)).collect();
        old == new
    }

    /// Whether to look into definitions that are not the same; once for each two.
    fn may_follow(&mut self, place: &Place<'a>, old: Vec<Name<'a>>, new: Vec<Name<'a>>) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            self.say(place, &rules::KEYWORD_CHANGED, "`$ref` leads to more than is compared");
            return false;
        }
        old.is_empty() || new.is_empty() || self.followed.insert((old, new))
    }

    /// Pairs the branches that a tag tells apart, and reports those that only one version has.
    fn variants(&mut self, place: &Place<'a>, tag: &str, old: &mut Side<'a>, new: &mut Side<'a>) {
        let are_events = self.events.as_ref().is_some_and(|events| events.are(place));
        let both_open = is_open(old.schema, &old.all(), tag) && is_open(new.schema, &new.all(), tag);
        let (what, gone_by) =
            if are_events { ("event type", &rules::EVENT_REMOVED) } else { ("variant", &rules::VARIANT_REMOVED) };
        let new_by = match (both_open, are_events) {
            (true, _) => &rules::OPEN_VARIANT_ADDED,
            (false, true) => &rules::EVENT_ADDED,
            (false, false) => &rules::VARIANT_ADDED,
        };
        let told = |side: &Side<'a>| -> Vec<(usize, Vec<&'a str>, Branch<'a>)> {
            let branches = side.rest.iter().enumerate();
            let told = branches.map(|(at, branch)| (at, tag_values(side.schema, branch, tag), branch.clone()));
            told.filter(|(_, values, _)| !values.is_empty()).collect()
        };
        let (olds, news) = (told(old), told(new));
        // No two branches of a version have the same value.
        let values = news.iter().enumerate();
        let by_value: HashMap<&str, usize> =
            values.flat_map(|(index, (_, values, _))| values.iter().map(move |value| (*value, index))).collect();
        let mut met = HashSet::new();
        for (_, values, branch) in &olds {
            let twins = values.iter().filter_map(|value| news.get(*by_value.get(value)?));
            if let Some((at, _, twin)) = twins.filter(|(at, ..)| !met.contains(at)).min_by_key(|(at, ..)| *at) {
                met.insert(*at);
                let place = place.variant(values.first().unwrap_or(&tag));
                self.compare_branches(place, vec![branch.clone()], vec![twin.clone()]);
            } else {
                self.say(place, gone_by, format!("{what} {} is gone", values.join(", ")));
                self.told.extend(branch.name);
            }
        }
        for (_, values, branch) in news.iter().filter(|(at, ..)| !met.contains(at)) {
            self.say(place, new_by, format!("{what} {} is new", values.join(", ")));
            self.told.extend(branch.name);
        }
        for (side, told) in [(old, olds), (new, news)] {
            let taken = side.take(&told.iter().map(|(at, ..)| *at).collect());
            side.done.extend(taken);
        }
    }
}

/// Definitions as messages list them.
fn listed(names: &[Name<'_>]) -> String {
    if names.is_empty() {
        return "written in place".to_owned();
    }
    names.iter().map(Name::to_string).collect::<Vec<_>>().join(", ")
}
