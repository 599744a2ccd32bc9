//! Fragments of events that are too large for one frame.

use super::names::ChunkId;
use crate::wire::Integer;
use crate::wire::payload::payload;

payload! {
    /// A fragment of the JSON text of an event that was too large for one frame.
    ///
    /// A group is whole when every index from 0 up to, but not including, `total_chunks` has come, in any order.
    pub struct Chunk = "UbikChunk", open {
        /// The group: the fragments of one event.
        required chunk_id: ChunkId = "chunk_id",
        /// The place in the group, from 0.
        required chunk_index: Integer = "chunk_index",
        /// How many fragments the group has.
        required total_chunks: Integer = "total_chunks",
        /// The type of the event that was split.
        required original_event_type: String = "original_event_type",
        /// The fragment of the text.
        required chunk_data: String = "chunk_data",
        /// Whether it is the last one; not sent by every server.
        optional is_last_chunk: bool = "is_last_chunk",
    }
}
