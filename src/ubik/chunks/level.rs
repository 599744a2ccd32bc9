//! Fragments of fragments: how often an event was split.

use super::super::events::DELTA_SUFFIX;
use crate::check::holds::NESTING;

/// How many times over an event may be split: the event, then its fragments, and so on.
pub(super) const DEEPEST: usize = NESTING;

/// How many suffixes a type has, of which each stands for one splitting. Counting ends
/// behind the deepest level.
pub(super) fn level(event_type: &str) -> usize {
    let mut rest = event_type;
    let mut level = 0;
    while level <= DEEPEST
        && let Some(inner) = rest.strip_suffix(DELTA_SUFFIX)
    {
        rest = inner;
        level += 1;
    }
    level
}
