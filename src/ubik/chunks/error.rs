//! What can be wrong with a fragment, and with what fragments were joined to.

use crate::wire::Error;

/// A fragment that does not fit, or joined text that is no event. Shows no value.
///
/// A fragment that lacks a member, or has one of a wrong type, fails to decode, and never comes here.
///
/// Since 0.1.0. Source: session events guide, tool streaming guide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// `original_event_type` with `_delta_sse` is not the type under which the fragment came.
    #[error("original_event_type with `_delta_sse` is not the type of the fragment")]
    TypeMismatch,
    /// The fragment is part of fragments of fragments, beyond the fourth level.
    #[error("the event was split more than four times over")]
    TooDeep,
    /// `total_chunks` is below 1.
    #[error("total_chunks is below 1")]
    TotalInvalid,
    /// `chunk_index` is below 0, or not below `total_chunks`.
    #[error("chunk_index is below 0, or not below total_chunks")]
    IndexOutOfRange,
    /// `total_chunks` or `original_event_type` is not that of earlier fragments of the group.
    #[error("total_chunks or original_event_type differs from earlier fragments of the group")]
    GroupDisagrees,
    /// The index came before, with other data.
    #[error("a fragment with this chunk_id and chunk_index came before with other chunk_data")]
    IndexConflict,
    /// The joined text is not JSON.
    #[error("the joined text is not JSON")]
    JsonInvalid(#[source] Error),
    /// The joined text has a `type` that is not `original_event_type`.
    #[error("the joined text has another type than original_event_type")]
    RebuiltType,
    /// The joined text is not of the shape of its type.
    #[error("the joined text is no event of its type")]
    RebuiltInvalid(#[source] Error),
}
