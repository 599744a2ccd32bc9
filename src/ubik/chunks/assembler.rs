//! Fragments in, events out.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use super::super::events::{Chunk, ChunkId};
use super::error::ChunkError;
use super::fragment::Fragment;
use super::group::Group;
use super::limits::ChunkLimits;
use super::past::Past;
use super::rebuilt::Rebuilt;
use super::unfinished::{ChunkBound, GivenUp, Unfinished};
use crate::check::history::{ByKey, Keys};
use crate::wire::Named;
use crate::wire::span::Location;

/// What a fragment led to.
///
/// Since 0.1.0. Source: session events guide, tool streaming guide.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChunkOutcome {
    /// How far its group is.
    pub progress: ChunkProgress,
    /// A fragment of the group with a greater index came before. Legal; clients that join
    /// on `is_last_chunk` fail over it.
    pub out_of_order: bool,
    /// `is_last_chunk` is there and does not say whether the index is the last one. False on the last index is said
    /// once index 0 has come, maybe with that fragment: until then, the group may be numbered from 1.
    pub last_flag_wrong: bool,
    /// Groups that were given up, since the bounds leave no room for them. The fragment's own
    /// may be among them.
    pub given_up: Vec<GivenUp>,
    /// It goes on with a group whose event seemed to have come whole.
    pub(crate) came_back: bool,
}

impl ChunkOutcome {
    /// The event, if the fragment was the last one to come.
    pub fn into_rebuilt(self) -> Option<Rebuilt> {
        match self.progress {
            ChunkProgress::Rebuilt(rebuilt) => Some(rebuilt),
            _ => None,
        }
    }
}

/// How far a group is.
///
/// Since 0.1.0. Source: session events guide, tool streaming guide.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ChunkProgress {
    /// The fragment is held until the others have come.
    Held,
    /// The fragment came before, with the same data: a replay.
    Repeated,
    /// The fragment was the last one to come.
    Rebuilt(Rebuilt),
}

/// Puts events together from the fragments that come as `…_delta_sse`.
///
/// The fragments of a group may come in any order, more than once, and between those of
/// others. A group is complete when every index has come, whatever `is_last_chunk` says.
/// What comes again later, as after a reconnect, makes no second event, as long as the group
/// is among the last ones: 65 536 fragments are remembered, as keyed hashes.
///
/// One assembler serves one stream, of a session or of a tool execution.
///
/// ```
/// use agent_contracts::ubik::{ChunkAssembler, Event, ResponseChunk, split};
///
/// let event = Event::from(ResponseChunk::new("A long answer. ".repeat(20), "2026-01-01T00:00:00Z"));
/// let chunks = split(&event, "c1", 250)?.unwrap_or_default();
/// assert_eq!(chunks.len(), 5);
///
/// let mut assembler = ChunkAssembler::new();
/// let mut rebuilt = None;
/// for chunk in chunks.iter().rev() {
///     rebuilt = assembler.push(chunk)?.into_rebuilt();
/// }
/// let mut whole = rebuilt.map(|rebuilt| rebuilt.event()).transpose()?;
/// // An event that was split twice is a fragment once more.
/// while let Some(Event::Delta(chunk)) = &whole {
///     whole = assembler.push(chunk)?.into_rebuilt().map(|rebuilt| rebuilt.event()).transpose()?;
/// }
/// assert_eq!(whole, Some(event));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Since 0.1.0. Source: session events guide, tool streaming guide.
#[derive(Clone, Default)]
pub struct ChunkAssembler {
    limits: ChunkLimits,
    keys: Keys,
    groups: ByKey<Group>,
    /// The groups that are open, by when they last grew.
    ages: BTreeMap<u64, u64>,
    /// The others: their event seems to have come whole, until another fragment of them comes.
    aside: VecDeque<u64>,
    past: Past,
    /// How many fragments have come.
    clock: u64,
    /// Groups that have not grown since then may come again, whole or in other fragments.
    stale_until: u64,
    bytes: usize,
}

/// How many groups are searched for one that has come again.
const LOOKED_AT: usize = 16;

impl fmt::Debug for ChunkAssembler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkAssembler")
            .field("groups", &self.ages.len())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl ChunkAssembler {
    /// An assembler at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// An assembler with other bounds.
    pub fn with_limits(limits: ChunkLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes a fragment.
    ///
    /// # Errors
    /// When the fragment does not fit by itself or to others of its group. It is passed over,
    /// and the group stays as it is.
    pub fn push(&mut self, chunk: &Named<Chunk>) -> Result<ChunkOutcome, ChunkError> {
        self.push_fragment(Fragment::of(chunk))
    }

    /// Takes a fragment whose place may be known.
    pub(crate) fn push_fragment(&mut self, fragment: Fragment<'_>) -> Result<ChunkOutcome, ChunkError> {
        let (index, total) = fragment.numbers()?;
        let key = self.keys.of(fragment.group());
        let repeated = if let Some(done) = self.past.get(key) {
            done.repeats(&self.keys, &fragment, index)?;
            true
        } else if let Some(group) = self.groups.get(&key) {
            group.repeats(&fragment, index)?
        } else {
            false
        };
        self.clock += 1;
        let is_end = fragment.is_end();
        let came_back = !repeated && self.take_from_aside(key);
        let end_was_denied = index == 0 && self.groups.get_mut(&key).is_some_and(Group::take_denied_end);
        let (progress, out_of_order) =
            if repeated { (ChunkProgress::Repeated, false) } else { self.add(key, &fragment, index, total) };
        let denies_end = is_end && fragment.is_last == Some(false);
        let may_be_shifted = denies_end && self.groups.get_mut(&key).is_some_and(Group::deny_end);
        Ok(ChunkOutcome {
            progress,
            out_of_order,
            last_flag_wrong: end_was_denied
                || fragment.is_last.is_some_and(|is_last| is_last != is_end && !may_be_shifted),
            given_up: self.give_up(),
            came_back,
        })
    }

    /// What is still open, as at the end of a stream; first the groups that have not grown
    /// for the longest time.
    pub fn unfinished(&self) -> Vec<Unfinished> {
        self.ages.values().filter_map(|key| self.groups.get(key)).map(Group::unfinished).collect()
    }

    /// The size of what is held, in bytes, as [`ChunkLimits::bytes`] counts.
    pub const fn held_bytes(&self) -> usize {
        self.bytes
    }

    /// What has come of the groups that are open, as far as fragments follow each other.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&ChunkId, Option<Location>, String)> {
        let groups = self.ages.values().filter_map(|key| self.groups.get(key));
        groups.flat_map(|group| group.texts().into_iter().map(|(place, text)| (&group.id, place, text)))
    }

    /// Says that what has come may come again from here on, whole or in other fragments.
    pub(crate) fn begin_again(&mut self) {
        self.stale_until = self.clock;
    }

    /// Forgets the groups that are complete, but for the last `kept` ones.
    pub(crate) fn forget_whole(&mut self, kept: usize) {
        self.past.keep(kept);
        while self.drop_oldest_aside() {}
    }

    /// Forgets all that has come.
    pub(crate) fn forget_all(&mut self) {
        *self = Self::with_limits(self.limits);
    }

    /// Whether no group is open.
    pub(crate) fn is_empty(&self) -> bool {
        self.ages.is_empty()
    }

    /// Lays the group aside of an event that was cut off and has come again; true if there is one.
    pub(crate) fn supersede(&mut self, event_type: &str, text: &str) -> bool {
        let mut stale = self.ages.range(..=self.stale_until).take(LOOKED_AT);
        // Pieces of less than eight bytes on average are not looked for: it would take longer than to read the event.
        let mut most = LOOKED_AT + text.len() / 8;
        let mut is_same =
            |key: &u64| self.groups.get(key).is_some_and(|group| group.is_part_of(event_type, text, &mut most));
        let Some((grown, key)) = stale.find(|(_, key)| is_same(key)).map(|(grown, key)| (*grown, *key)) else {
            return false;
        };
        self.ages.remove(&grown);
        self.aside.push_back(key);
        if self.aside.len() > LOOKED_AT {
            self.drop_oldest_aside();
        }
        true
    }

    /// Takes a group back that was laid aside; false if it was not.
    fn take_from_aside(&mut self, key: u64) -> bool {
        let at = self.aside.iter().position(|own| *own == key);
        at.and_then(|at| self.aside.remove(at)).is_some()
    }

    /// Drops the group that was laid aside first; false if there is none.
    fn drop_oldest_aside(&mut self) -> bool {
        let oldest = self.aside.pop_front().and_then(|key| self.groups.remove(&key));
        self.bytes -= oldest.as_ref().map_or(0, |group| group.bytes);
        oldest.is_some()
    }

    fn add(&mut self, key: u64, fragment: &Fragment<'_>, index: u64, total: u64) -> (ChunkProgress, bool) {
        let group = self.groups.entry(key).or_insert_with(|| Group::of(fragment, total));
        let before = group.bytes;
        let out_of_order = group.add(fragment, index);
        self.bytes += group.bytes - before;
        self.ages.remove(&group.grown);
        group.grown = self.clock;
        self.ages.insert(self.clock, key);
        let complete = if group.is_complete() { self.take_out(self.clock) } else { None };
        let Some(group) = complete else { return (ChunkProgress::Held, out_of_order) };
        let (rebuilt, done) = group.rebuild(&self.keys);
        self.past.insert(key, done);
        (ChunkProgress::Rebuilt(rebuilt), out_of_order)
    }

    /// Takes out the group that last grew at a time.
    fn take_out(&mut self, grown: u64) -> Option<Group> {
        let key = self.ages.remove(&grown)?;
        let group = self.groups.remove(&key)?;
        self.bytes -= group.bytes;
        Some(group)
    }

    /// Gives groups up until the bounds are kept.
    fn give_up(&mut self) -> Vec<GivenUp> {
        let mut given_up = Vec::new();
        while self.bytes > self.limits.bytes && self.drop_oldest_aside() {}
        while let Some((&grown, _)) = self.ages.first_key_value() {
            let bound = if self.ages.len() > self.limits.groups {
                ChunkBound::Groups
            } else if self.bytes > self.limits.bytes {
                ChunkBound::Bytes
            } else if self.clock - grown > self.limits.age {
                ChunkBound::Age
            } else {
                break;
            };
            given_up.extend(self.take_out(grown).map(|group| GivenUp { group: group.unfinished(), bound }));
        }
        given_up
    }
}
