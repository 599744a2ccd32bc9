//! Lanes: which open stream a chunk continues, and what closes it.

use crate::check::rule::RuleRef;

use super::order::Scope;
use super::rules;

/// The owner of what no subagent owns.
pub(super) const PARENT: u64 = 0;

/// The open chunk stream of one owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub(super) owner: u64,
    pub(super) scope: Scope,
    pub(super) id: u64,
    pub(super) opener: Opener,
}

/// What the opening chunk established, as keys: a later chunk may only repeat it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Opener {
    /// Role of a text, tool name of a call.
    pub(super) first: Option<u64>,
    /// Name of a text's speaker, parent message of a call.
    pub(super) second: Option<u64>,
}

/// A chunk, as keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) scope: Scope,
    pub(super) id: Option<u64>,
    pub(super) tag: Option<u64>,
    pub(super) opener: Opener,
    /// The role that an absent role of a text means.
    pub(super) default_role: u64,
}

/// What a chunk does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Continues the stream of this id and owner.
    Continue { id: u64, owner: u64 },
    /// Opens a stream; the lane's stream before, if any, ends first.
    Open { closes: Option<Lane>, owner: u64, id: u64 },
}

/// Open chunk streams, at most one for each owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    open: Vec<Lane>,
    overflowed: bool,
}

/// The most owners whose streams are kept apart.
const BOUND: usize = 1024;

impl Lanes {
    /// Takes the lane of `owner` out.
    pub(super) fn close(&mut self, owner: u64) -> Option<Lane> {
        let at = self.open.iter().position(|lane| lane.owner == owner)?;
        Some(self.open.swap_remove(at))
    }

    /// Takes any lane out.
    pub(super) fn close_any(&mut self) -> Option<Lane> {
        self.open.pop()
    }

    /// Whether there were too many owners since this was last asked.
    pub(super) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflowed)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// Decides what a chunk does and takes it in. A chunk that fails changes nothing.
    pub(super) fn take(&mut self, chunk: Chunk) -> Result<Step, RuleRef> {
        let open = |lane: &&Lane| lane.scope == chunk.scope;
        let owner = match (chunk.id, chunk.tag) {
            (Some(id), tag) => match self.open.iter().filter(open).find(|lane| lane.id == id) {
                Some(lane) if tag.is_some_and(|tag| tag != lane.owner) => return Err(&rules::CHUNK_OWNER_MISMATCH),
                Some(lane) => lane.owner,
                None => tag.unwrap_or(PARENT),
            },
            (None, Some(tag)) => tag,
            (None, None) => {
                let mut owners = self.open.iter().filter(open).map(|lane| lane.owner);
                match (owners.clone().any(|owner| owner == PARENT), owners.next(), owners.next()) {
                    (true, ..) | (false, None, _) => PARENT,
                    (false, Some(only), None) => only,
                    (false, Some(_), Some(_)) => return Err(&rules::CHUNK_AMBIGUOUS_LANE),
                }
            }
        };
        let at = self.open.iter().position(|lane| lane.owner == owner);
        if let Some(lane) = at.map(|at| self.open[at])
            && lane.scope == chunk.scope
            && chunk.id.is_none_or(|id| id == lane.id)
        {
            let established = Opener {
                first: lane.opener.first.or((chunk.scope == Scope::Text).then_some(chunk.default_role)),
                second: lane.opener.second,
            };
            let differs = |new: Option<u64>, old: Option<u64>| new.is_some() && new != old;
            if differs(chunk.opener.first, established.first) || differs(chunk.opener.second, established.second) {
                return Err(&rules::CHUNK_OPENER_DISAGREEMENT);
            }
            return Ok(Step::Continue { id: lane.id, owner });
        }
        let Some(id) = chunk.id else { return Err(&rules::CHUNK_FIRST_WITHOUT_ID) };
        if chunk.scope == Scope::Tool && chunk.opener.first.is_none() {
            return Err(&rules::CHUNK_FIRST_WITHOUT_TOOL_NAME);
        }
        let closes = at.map(|at| self.open.swap_remove(at));
        if self.open.len() < BOUND {
            self.open.push(Lane { owner, scope: chunk.scope, id, opener: chunk.opener });
        } else {
            self.overflowed = true;
        }
        Ok(Step::Open { closes, owner, id })
    }
}
