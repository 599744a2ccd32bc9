//! The bounds within which fragments are held.

/// Bounds on what a [`ChunkAssembler`](super::ChunkAssembler) holds.
///
/// Where one is reached, the groups that have not grown for the longest time are given up,
/// and the outcome names them.
///
/// Since 0.1.0. Source: this crate; the documentation has no limit and no time-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkLimits {
    /// How many groups may be open. Default 1024.
    pub groups: usize,
    /// The size of all fragments that are held, in bytes. Default 16 MiB.
    ///
    /// Each fragment counts with its data and 128 bytes, each group with its id, its type and
    /// 256 bytes.
    pub bytes: usize,
    /// How many fragments, of any group, may come while a group does not grow. Default 65 536.
    pub age: u64,
}

impl ChunkLimits {
    /// The defaults.
    pub const DEFAULT: Self = Self { groups: 1024, bytes: 16 * 1024 * 1024, age: 65_536 };

    /// These limits with another number of open groups.
    #[must_use]
    pub const fn with_groups(mut self, groups: usize) -> Self {
        self.groups = groups;
        self
    }

    /// These limits with another size of all fragments, in bytes.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// These limits with another age, in fragments.
    #[must_use]
    pub const fn with_age(mut self, age: u64) -> Self {
        self.age = age;
        self
    }
}

impl Default for ChunkLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
