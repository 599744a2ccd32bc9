//! The bounds within which fragments are held.

use crate::check::limits::limits;

limits! {
    /// Bounds on what a [`ChunkAssembler`](super::ChunkAssembler) holds.
    ///
    /// Where one is reached, the groups that have not grown for the longest time are given up,
    /// and the outcome names them.
    ///
    /// Since 0.1.0. Source: this crate; the documentation has no limit and no time-out.
    pub struct ChunkLimits {
        /// How many groups may be open. Default 1024.
        groups: usize = 1024,
        /// The size of all fragments that are held, in bytes. Default 16 MiB.
        ///
        /// Each fragment counts with its data and 128 bytes, each group with its id, its type and
        /// 256 bytes.
        bytes: usize = 16 * 1024 * 1024,
        /// How many fragments, of any group, may come while a group does not grow. Default 65 536.
        age: u64 = 65_536,
    }
}
