//! A fragment, and what can be said of it by itself.

use super::super::events::{Chunk, DELTA_SUFFIX, whole_type};
use super::error::ChunkError;
use super::rebuilt::Source;
use crate::check::holds::NESTING;
use crate::wire::text::Text;
use crate::wire::{Integer, Named};

/// A fragment as it stands in an event's text.
#[derive(Clone, Copy)]
pub(crate) struct Fragment<'a> {
    /// The type of the event that carries it.
    pub(crate) received_type: &'a str,
    pub(crate) chunk_id: &'a str,
    /// `chunk_index`, by [`count`].
    pub(crate) index: Option<u64>,
    /// `total_chunks`, by [`count`].
    pub(crate) total: Option<u64>,
    pub(crate) original_type: &'a str,
    /// The literal of `chunk_data`.
    pub(crate) data: Text<'a>,
    pub(crate) is_last: Option<bool>,
    /// Where the literal stands.
    pub(crate) source: Source<'a>,
}

impl<'a> Fragment<'a> {
    pub(super) fn of(chunk: &'a Named<Chunk>) -> Self {
        let content = &chunk.content;
        Self {
            received_type: &chunk.tag,
            chunk_id: content.chunk_id.as_str(),
            index: count(&content.chunk_index),
            total: count(&content.total_chunks),
            original_type: &content.original_event_type,
            data: Text { raw: &content.chunk_data, escaped: false },
            is_last: content.is_last_chunk,
            source: Source::Unknown,
        }
    }

    /// Index and total, unless something is wrong with the fragment by itself.
    pub(super) fn numbers(&self) -> Result<(u64, u64), ChunkError> {
        if self.received_type.strip_suffix(DELTA_SUFFIX) != Some(self.original_type) {
            return Err(ChunkError::TypeMismatch);
        }
        if level(self.received_type) > DEEPEST {
            return Err(ChunkError::TooDeep);
        }
        let total = self.total.filter(|total| *total > 0).ok_or(ChunkError::TotalInvalid)?;
        let index = self.index.filter(|index| *index < total).ok_or(ChunkError::IndexOutOfRange)?;
        Ok((index, total))
    }

    /// Whether its index is the last one.
    pub(crate) fn is_end(&self) -> bool {
        self.index.zip(self.total).is_some_and(|(index, total)| index.checked_add(1) == Some(total))
    }

    /// What tells its group from others. Fragments of a fragment may have the id of that
    /// fragment's own group.
    pub(super) fn group(&self) -> (usize, &'a str) {
        (level(self.received_type), self.chunk_id)
    }
}

/// How many times over an event may be split: the event, then its fragments, and so on.
pub(super) const DEEPEST: usize = NESTING;

/// How many suffixes a type has, of which each stands for one splitting.
pub(super) fn level(name: &str) -> usize {
    (name.len() - whole_type(name).len()) / DELTA_SUFFIX.len()
}

/// A number as a count; `None` if it is negative. What is beyond any count becomes the
/// largest, since so many fragments never come.
pub(crate) fn count(number: &Integer) -> Option<u64> {
    let negative = number.as_str().starts_with('-');
    number.as_u64().or((!negative).then_some(u64::MAX))
}
