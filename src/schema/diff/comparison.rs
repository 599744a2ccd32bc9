//! Two schemas side by side, definition by definition.

use std::collections::HashSet;

use serde_json::Value;

use super::branch::Branch;
use super::change::{Change, Found, Place};
use super::document::{Name, Schema};
use super::events::Events;
use super::notation::{is_told_apart, notation, union_of};
use super::pairs::Pairs;
use super::reach::Known;
use super::rule::{ChangeRule, Impact};
use super::rules;
use super::tags::{tag_of, tag_values};

/// A comparison at work.
pub(super) struct Comparison<'a> {
    pub(super) old: &'a Schema,
    pub(super) new: &'a Schema,
    pub(super) pairs: Pairs<'a>,
    pub(super) events: Option<Events<'a>>,
    /// What is still to be compared, the next one last: so no depth can exhaust the stack.
    pending: Vec<(Place<'a>, Pending<'a>)>,
    found: Vec<Found<'a>>,
    /// Each `oneOf` with branches that nothing tells apart, and the definitions of these.
    untold: Vec<(Place<'a>, HashSet<Name<'a>>)>,
    /// Schemas that are written in another way.
    reworded: Vec<Place<'a>>,
    /// Definitions that have been compared although they are not the same.
    pub(super) followed: HashSet<(Vec<Name<'a>>, Vec<Name<'a>>)>,
    /// How often references were followed.
    pub(super) steps: usize,
    /// The types of definitions, of the old version and the new one.
    pub(super) known: (Known<'a>, Known<'a>),
    /// Definitions that are gone, or new, with a branch of a union: that says it all.
    pub(super) told: HashSet<Name<'a>>,
}

/// What is still to be compared.
enum Pending<'a> {
    Schemas(&'a Value, &'a Value),
    Branches(Vec<Branch<'a>>, Vec<Branch<'a>>),
}

impl<'a> Comparison<'a> {
    pub(super) fn new(old: &'a Schema, new: &'a Schema) -> Self {
        Self {
            old,
            new,
            pairs: Pairs::new(old, new),
            events: Events::of(old, new),
            pending: Vec::new(),
            found: Vec::new(),
            untold: Vec::new(),
            reworded: Vec::new(),
            followed: HashSet::new(),
            steps: 0,
            known: (Known::default(), Known::default()),
            told: HashSet::new(),
        }
    }

    /// The changes: those of the root, then those of each definition.
    pub(super) fn run(mut self) -> Vec<Change> {
        for (old, new) in self.pairs.sorted() {
            let place = Place::of(new);
            if old != new {
                let found = Found::new(&place, &rules::DEFINITION_RENAMED, "the definition has another name");
                self.emit(found.was(old.to_string()).is(new.to_string()));
            }
            self.compare(place, self.old.definition(old), self.new.definition(new));
            while let Some((place, pending)) = self.pending.pop() {
                match pending {
                    Pending::Schemas(old, new) => self.schemas(&place, old, new),
                    Pending::Branches(old, new) => self.branches(&place, old, new),
                }
            }
        }
        self.definitions();
        self.overlaps();
        let Self { found, reworded, new, .. } = self;
        tidied(found, reworded).into_iter().map(|found| found.into_change(new)).collect()
    }

    /// Reports definitions that only one version has.
    fn definitions(&mut self) {
        let (old, new) = (self.old.names(), self.new.names());
        let gone = old.into_iter().filter(|name| self.pairs.new_of(*name).is_none());
        let added = new.into_iter().filter(|name| !self.pairs.has_new(*name));
        let gone = gone.map(|name| (name, &rules::DEFINITION_REMOVED, "the definition is gone"));
        let added = added.map(|name| (name, &rules::DEFINITION_ADDED, "the definition is new"));
        let alone = gone.chain(added).filter(|(name, ..)| !self.told.contains(name));
        let alone: Vec<_> = alone.map(|(name, rule, message)| Found::new(&Place::of(name), rule, message)).collect();
        self.found.extend(alone);
    }

    /// Reports each `oneOf` in which a branch takes more, and may so take what another one takes.
    fn overlaps(&mut self) {
        const LOOSER: [&ChangeRule; 3] =
            [&rules::LIMIT_LOOSENED, &rules::PATTERN_REMOVED, &rules::REFUSED_VALUE_REMOVED];
        for (place, names) in std::mem::take(&mut self.untold) {
            let is_looser = |found: &Found<'a>| LOOSER.contains(&found.rule) && names.contains(&found.place.name);
            if self.found.iter().any(is_looser) {
                let message = "a value may fit two branches of `oneOf` now, and is refused then";
                self.say(&place, &rules::KEYWORD_CHANGED, message);
            }
        }
    }

    pub(super) fn emit(&mut self, found: Found<'a>) {
        self.found.push(found);
    }

    /// Says in one word what has changed.
    pub(super) fn say(&mut self, place: &Place<'a>, rule: &'static ChangeRule, message: impl Into<String>) {
        self.emit(Found::new(place, rule, message));
    }

    /// Has two schemas compared.
    pub(super) fn compare(&mut self, place: Place<'a>, old: &'a Value, new: &'a Value) {
        self.pending.push((place, Pending::Schemas(old, new)));
    }

    /// Has the ways to be valid compared.
    pub(super) fn compare_branches(&mut self, place: Place<'a>, old: Vec<Branch<'a>>, new: Vec<Branch<'a>>) {
        self.pending.push((place, Pending::Branches(old, new)));
    }

    fn schemas(&mut self, place: &Place<'a>, old: &'a Value, new: &'a Value) {
        self.notes(place, old, new);
        let (olds, news) = (self.old.read(old), self.new.read(new));
        let union = union_of(old).zip(union_of(new)).filter(|(before, after)| before != after);
        if let Some((before, after)) = union {
            // Where no value fits two branches, `oneOf` and `anyOf` are the same.
            let is_same = is_told_apart(self.old, &olds) && is_told_apart(self.new, &news);
            let rule = if is_same { &rules::FORM_CHANGED } else { &rules::KEYWORD_CHANGED };
            let found = Found::new(place, rule, "the alternatives stand under another keyword");
            self.emit(found.was(before.to_owned()).is(after.to_owned()));
        }
        if union_of(new) == Some("oneOf") && !is_told_apart(self.new, &news) {
            let tag = tag_of([(self.new, &news), (self.new, &news)]);
            let is_told = |branch: &Branch<'a>| tag.is_some_and(|tag| !tag_values(self.new, branch, tag).is_empty());
            let untold = news.iter().filter(|branch| !is_told(branch));
            self.untold.push((place.clone(), untold.map(|branch| branch.name.unwrap_or(place.name)).collect()));
        }
        self.branches(place, olds, news);
        if notation(old) != notation(new) {
            self.reworded.push(place.clone());
        }
    }
}

/// The changes by definition, each of them once.
fn tidied<'a>(mut found: Vec<Found<'a>>, reworded: Vec<Place<'a>>) -> Vec<Found<'a>> {
    // Other words for a schema are worth a line where nothing else is said of it.
    let told: HashSet<Place<'a>> =
        found.iter().filter(|found| !found.is_note()).map(|found| found.place.clone()).collect();
    let is_told =
        |place: &Place<'a>| [place, &place.items(), &place.others()].into_iter().any(|place| told.contains(place));
    for place in reworded.into_iter().filter(|place| !is_told(place)) {
        found.push(Found::new(&place, &rules::FORM_CHANGED, "the same values are described in another way"));
    }
    // A reference that leads to something which takes less or more is reported as that.
    let is_wire_breaking = |found: &&Found<'a>| found.rule.impact() == Impact::WireBreaking;
    let broken: HashSet<Place<'a>> = found.iter().filter(is_wire_breaking).map(|found| found.place.clone()).collect();
    found.retain(|found| found.rule != &rules::REFERENCE_CHANGED || !broken.contains(&found.place));
    let mut seen = HashSet::new();
    found.retain(|found| seen.insert(found.clone()));
    found.sort_by_key(|found| found.place.name);
    found
}
