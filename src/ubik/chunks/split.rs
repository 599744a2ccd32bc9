//! Splitting events that are too large for one frame.

use super::super::events::{Chunk, ChunkId, DELTA_SUFFIX, Event};
use super::fragment::{DEEPEST, level};
use crate::wire::Named;

/// An event that cannot be split as asked for. Shows no value.
///
/// Since 0.1.0. Source: this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// A fragment has no room for the next character beside its other members.
    #[error("a fragment of this event needs at least {needed} bytes")]
    TooSmall {
        /// How large the bound has to be for that character, in bytes.
        needed: usize,
    },
    /// The event is a fragment of fragments already, of the fourth level.
    #[error("the event was split four times over")]
    TooDeep,
}

/// Splits an event of a session whose JSON text is larger than `max_bytes`.
///
/// `None`: it is not larger, send it as it is. Otherwise no fragment is larger than
/// `max_bytes` as [`Event::Delta`] on the wire, and the joined `chunk_data` is what
/// [`Event::to_json`] gives. `chunk_id` must be one that no other event of the stream has.
///
/// Whoever puts them together may bound how much is held: a [`ChunkAssembler`](super::ChunkAssembler) counts 128 bytes
/// for each fragment besides its data, so a large event is not to be split into tiny fragments.
///
/// ```
/// use agent_contracts::ubik::{AgentStopRequested, Event, split};
///
/// let event = Event::from(AgentStopRequested::new("t1", "2026-01-01T00:00:00Z"));
/// assert_eq!(split(&event, "c1", 1000)?, None);
/// assert_eq!(split(&event, "c1", 50).unwrap_err().to_string(), "a fragment of this event needs at least 174 bytes");
/// # Ok::<(), agent_contracts::ubik::SplitError>(())
/// ```
///
/// # Errors
/// When `max_bytes` has no room for a character beside the other members of a fragment, or
/// the event is a fragment that may not be split again.
///
/// Since 0.1.0. Source: session events guide.
pub fn split(
    event: &Event,
    chunk_id: impl Into<ChunkId>,
    max_bytes: usize,
) -> Result<Option<Vec<Named<Chunk>>>, SplitError> {
    split_text(event.tag(), &event.to_json(), chunk_id, max_bytes)
}

/// Splits the JSON text of an event of type `event_type`, as [`split`] does.
///
/// For a tool execution, whose events have their type outside of the text. Fragments are
/// counted with a `type` nevertheless, so as the data of a frame they are a little smaller.
///
/// # Errors
/// Those of [`split`].
///
/// Since 0.1.0. Source: session events guide, tool streaming guide.
pub fn split_text(
    event_type: &str,
    text: &str,
    chunk_id: impl Into<ChunkId>,
    max_bytes: usize,
) -> Result<Option<Vec<Named<Chunk>>>, SplitError> {
    if text.len() <= max_bytes {
        return Ok(None);
    }
    let tag = [event_type, DELTA_SUFFIX].concat();
    if level(&tag) > DEEPEST {
        return Err(SplitError::TooDeep);
    }
    let chunk_id = chunk_id.into();
    let chunk = |index: u64, total: u64, data: &str| {
        let chunk = Chunk::new(chunk_id.clone(), index, total, event_type, data);
        Named::new(tag.as_str(), chunk.with_is_last_chunk(index + 1 == total))
    };
    // One digit each for index and total, and `false`.
    let members = Event::Delta(chunk(0, 0, "")).to_json().len() - 2;
    let mut digits = 1;
    let ends = loop {
        let ends = ends(text, members + digits, max_bytes)?;
        let needed = digits_of(ends.len());
        if needed <= digits {
            break ends;
        }
        digits = needed;
    };
    let mut start = 0;
    let total = ends.len() as u64;
    let chunks = ends.iter().zip(0..).map(|(end, index)| {
        let data = text.get(start..*end).unwrap_or_default();
        start = *end;
        chunk(index, total, data)
    });
    Ok(Some(chunks.collect()))
}

/// Where the fragments end, of which each has `members` bytes beside its index and data.
fn ends(text: &str, members: usize, max_bytes: usize) -> Result<Vec<usize>, SplitError> {
    let mut ends = Vec::new();
    let mut size = members + digits_of(0);
    for (at, c) in text.char_indices() {
        let length = escaped_length(c);
        if size + length > max_bytes && ends.last().copied().unwrap_or(0) < at {
            ends.push(at);
            size = members + digits_of(ends.len());
        }
        size += length;
        if size > max_bytes {
            return Err(SplitError::TooSmall { needed: size });
        }
    }
    ends.push(text.len());
    Ok(ends)
}

/// The length of a character in a JSON string, in bytes.
fn escaped_length(c: char) -> usize {
    match c {
        '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

fn digits_of(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
