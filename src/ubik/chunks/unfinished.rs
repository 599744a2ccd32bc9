//! Groups of which not every fragment has come.

use std::fmt;

use super::super::events::ChunkId;
use crate::safe::show;
use crate::wire::span::Location;

/// A group of which not every fragment has come. As text, `3 of 5 fragments, the first missing
/// is 2`.
///
/// Since 0.1.0. Source: session events guide.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unfinished {
    /// The group.
    pub chunk_id: ChunkId,
    /// The type of the event that was split.
    pub event_type: Box<str>,
    /// How many fragments have come.
    pub received: u64,
    /// How many there are.
    pub total: u64,
    /// The smallest index that has not come.
    pub first_missing: u64,
    /// Where the data of the first one that came begins.
    pub(crate) place: Option<Location>,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} fragments, the first missing is {}", self.received, self.total, self.first_missing)
    }
}

impl fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unfinished")
            .field("chunk_id", &show(self.chunk_id.as_str()))
            .field("event_type", &show(&self.event_type))
            .field("received", &self.received)
            .field("total", &self.total)
            .field("first_missing", &self.first_missing)
            .finish_non_exhaustive()
    }
}

/// A bound of [`ChunkLimits`](super::ChunkLimits) for which a group was given up.
///
/// Since 0.1.0. Source: this crate; the documentation has no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChunkBound {
    /// Too many groups were open.
    Groups,
    /// The fragments were too large together.
    Bytes,
    /// The group had not grown for too long.
    Age,
}

/// A group that was given up: its fragments are forgotten.
///
/// Since 0.1.0. Source: this crate; the documentation has no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GivenUp {
    /// What had come of it.
    pub group: Unfinished,
    /// Why.
    pub bound: ChunkBound,
}
