//! Which action an id of a tool event means.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::polling::budget::{Budget, ENTRY};

/// Where an action stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) message: usize,
    pub(super) action: usize,
}

/// The ids of tools, each with its action.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Links {
    places: HashMap<Arc<str>, Place>,
    /// Those that were given to a tool of the current attempt.
    fresh: HashSet<Arc<str>>,
}

impl Links {
    /// The action of the first id that is known.
    pub(super) fn find(&self, aliases: &[Cow<'_, str>]) -> Option<Place> {
        aliases.iter().find_map(|alias| self.places.get(&**alias).copied())
    }

    /// Gives all ids to one action, which may be of the current attempt.
    pub(super) fn bind(&mut self, aliases: &[Cow<'_, str>], place: Place, is_fresh: bool, budget: &mut Budget) {
        for alias in aliases {
            let key = self.places.get_key_value(&**alias).map(|(key, _)| key.clone());
            let key = key.or_else(|| budget.take(weight(alias)).then(|| Arc::from(&**alias)));
            let Some(key) = key else { continue };
            if is_fresh {
                self.fresh.insert(key.clone());
            }
            self.places.insert(key, place);
        }
    }

    /// Drops the ids of tools of the current attempt.
    pub(super) fn drop_fresh(&mut self, is_gone: impl Fn(Place) -> bool, budget: &mut Budget) {
        for alias in std::mem::take(&mut self.fresh) {
            if self.places.get(&alias).copied().is_some_and(&is_gone) {
                self.places.remove(&alias);
                budget.give_back(weight(&alias));
            }
        }
    }

    /// Begins another attempt.
    pub(super) fn next_attempt(&mut self) {
        // Not `clear`, whose time is that of the largest set there ever was.
        self.fresh = HashSet::new();
    }
}

/// An id stands in both collections.
const fn weight(alias: &str) -> usize {
    2 * ENTRY + alias.len()
}
