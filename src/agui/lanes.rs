//! Lanes: which open stream a chunk continues, and what closes it.

use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::hash::Hash;

use super::events::event::EventType;
use super::rules;
use super::scope::Scope;
use crate::check::history::{ByKey, Keys};
use crate::check::rule::Rule;

/// What a chunk stream is identified by: the ids themselves, or keys that stand for them.
/// The default owner is the parent, which no subagent owns.
pub(super) trait Lanewise: Clone + fmt::Debug {
    type Id: Clone + fmt::Debug + Eq + Hash;
    type Owner: Clone + fmt::Debug + Default + Eq + Hash;
}

/// The open chunk stream of one owner.
#[derive(Clone, Debug)]
pub(super) struct Lane<K: Lanewise> {
    pub(super) owner: K::Owner,
    pub(super) scope: Scope,
    pub(super) id: K::Id,
    opener: Opener<K::Id>,
}

/// What the opening chunk established: a later chunk may only repeat it.
#[derive(Clone, Debug)]
pub(super) struct Opener<I> {
    /// Role of a text, tool name of a call.
    pub(super) first: Option<I>,
    /// Name of a text's speaker, parent message of a call.
    pub(super) second: Option<I>,
}

/// What a chunk says of the stream that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Chunk<K: Lanewise> {
    pub(super) scope: Scope,
    pub(super) id: Option<K::Id>,
    pub(super) tag: Option<K::Owner>,
    pub(super) opener: Opener<K::Id>,
    /// The role that an absent role of a text means.
    pub(super) default_role: K::Id,
}

/// What a chunk does.
#[derive(Clone, Debug)]
pub(super) enum Taken<K: Lanewise> {
    /// Continues the stream of this id and owner.
    Continue { id: K::Id, owner: K::Owner },
    /// Opens a stream; the lane's stream before, if any, ends first.
    Open { closes: Option<Lane<K>>, owner: K::Owner, id: K::Id },
}

/// Which streams an explicit event ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Nothing,
    /// That of the event's own tag.
    Lane,
    All,
}

impl Ends {
    pub(super) const fn of(event: EventType) -> Self {
        use EventType as E;
        match event {
            E::RunStarted | E::RunFinished | E::RunError | E::MessagesSnapshot => Self::All,
            E::Raw | E::ActivitySnapshot | E::ActivityDelta | E::ReasoningEncryptedValue | E::SubagentStarted => {
                Self::Nothing
            }
            _ => Self::Lane,
        }
    }
}

/// Where an open stream stands among the others: by its scope, then by when it was opened.
type Place = (Scope, u64);

/// Open chunk streams, at most one for each owner.
#[derive(Clone, Debug)]
pub(super) struct Lanes<K: Lanewise> {
    open: BTreeMap<Place, Box<Lane<K>>>,
    by_owner: ByKey<Place>,
    by_id: ByKey<Place>,
    keys: Keys,
    opened: u64,
    overflowed: bool,
}

impl<K: Lanewise> Default for Lanes<K> {
    fn default() -> Self {
        let (by_owner, by_id, keys) = Default::default();
        Self { open: BTreeMap::new(), by_owner, by_id, keys, opened: 0, overflowed: false }
    }
}

/// The most owners whose streams are kept apart.
const BOUND: usize = 1024;

impl<K: Lanewise> Lanes<K> {
    /// Takes the lane of `owner` out.
    pub(super) fn close(&mut self, owner: &K::Owner) -> Option<Lane<K>> {
        let place = self.by_owner.remove(&self.keys.of(owner))?;
        let lane = *self.open.remove(&place)?;
        self.by_id.remove(&self.keys.of((lane.scope, &lane.id)));
        Some(lane)
    }

    /// Takes the oldest lane out.
    pub(super) fn close_any(&mut self) -> Option<Lane<K>> {
        // The oldest of each kind.
        let next = |(scope, _): &Place| self.open.range((*scope, u64::MAX)..).next();
        let firsts = std::iter::successors(self.open.first_key_value(), |(place, _)| next(place));
        let (_, lane) = firsts.min_by_key(|((_, opened), _)| *opened)?;
        let owner = lane.owner.clone();
        self.close(&owner)
    }

    /// Whether there were too many owners since this was last asked.
    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// What the open streams of a kind are identified by.
    pub(super) fn ids(&self, scope: Scope) -> impl Iterator<Item = &K::Id> {
        self.of(scope).map(|(_, lane)| &lane.id)
    }

    pub(super) fn clear(&mut self) {
        (self.open, self.by_owner, self.by_id) = Default::default();
    }

    /// The open streams of a kind, the oldest first.
    fn of(&self, scope: Scope) -> btree_map::Range<'_, Place, Box<Lane<K>>> {
        self.open.range((scope, 0)..=(scope, u64::MAX))
    }

    /// Whose stream a chunk belongs to.
    fn owner_of(&self, chunk: &Chunk<K>) -> Result<K::Owner, &'static Rule> {
        let parent = K::Owner::default();
        match (&chunk.id, &chunk.tag) {
            (Some(id), tag) => {
                let place = self.by_id.get(&self.keys.of((chunk.scope, id)));
                match place.and_then(|place| self.open.get(place)) {
                    Some(lane) if tag.as_ref().is_some_and(|tag| *tag != lane.owner) => {
                        Err(&rules::CHUNK_OWNER_MISMATCH)
                    }
                    Some(lane) => Ok(lane.owner.clone()),
                    None => Ok(tag.clone().unwrap_or_default()),
                }
            }
            (None, Some(tag)) => Ok(tag.clone()),
            (None, None)
                if self.by_owner.get(&self.keys.of(&parent)).is_some_and(|(scope, _)| *scope == chunk.scope) =>
            {
                Ok(parent)
            }
            (None, None) => {
                let mut open = self.of(chunk.scope);
                match (open.next(), open.next()) {
                    (None, _) => Ok(parent),
                    (Some((_, only)), None) => Ok(only.owner.clone()),
                    (Some(_), Some(_)) => Err(&rules::CHUNK_AMBIGUOUS_LANE),
                }
            }
        }
    }

    /// Decides what a chunk does and takes it in. A chunk that fails changes nothing.
    pub(super) fn take(&mut self, chunk: Chunk<K>) -> Result<Taken<K>, &'static Rule> {
        let owner = self.owner_of(&chunk)?;
        if let Some(lane) = self.by_owner.get(&self.keys.of(&owner)).and_then(|place| self.open.get(place))
            && lane.scope == chunk.scope
            && chunk.id.as_ref().is_none_or(|id| *id == lane.id)
        {
            let default_role = (chunk.scope == Scope::Text).then_some(&chunk.default_role);
            let first = lane.opener.first.as_ref().or(default_role);
            let differs = |new: Option<&K::Id>, old: Option<&K::Id>| new.is_some() && new != old;
            if differs(chunk.opener.first.as_ref(), first)
                || differs(chunk.opener.second.as_ref(), lane.opener.second.as_ref())
            {
                return Err(&rules::CHUNK_OPENER_DISAGREEMENT);
            }
            return Ok(Taken::Continue { id: lane.id.clone(), owner });
        }
        let Some(id) = chunk.id else { return Err(&rules::CHUNK_FIRST_WITHOUT_ID) };
        if chunk.scope == Scope::Tool && chunk.opener.first.is_none() {
            return Err(&rules::CHUNK_FIRST_WITHOUT_TOOL_NAME);
        }
        let closes = self.close(&owner);
        if self.open.len() < BOUND {
            let place = (chunk.scope, self.opened);
            self.opened += 1;
            self.by_owner.insert(self.keys.of(&owner), place);
            self.by_id.insert(self.keys.of((chunk.scope, &id)), place);
            let lane = Lane { owner: owner.clone(), scope: chunk.scope, id: id.clone(), opener: chunk.opener };
            self.open.insert(place, Box::new(lane));
        } else {
            self.overflowed = true;
        }
        Ok(Taken::Open { closes, owner, id })
    }
}

/// What is wrong with a chunk, in words that follow the name of its type.
pub(super) fn describe(rule: &Rule) -> &'static str {
    match rule.id() {
        "agui/chunk-first-without-id" => "opens a stream without an id",
        "agui/chunk-first-without-tool-name" => "opens a call without toolCallName",
        "agui/chunk-ambiguous-lane" => "could continue the streams of several owners",
        "agui/chunk-owner-mismatch" => "names an id that is open under another owner",
        "input/history-limit" => "opens more streams at a time than are kept",
        _ => "differs from the chunk that opened the stream",
    }
}
