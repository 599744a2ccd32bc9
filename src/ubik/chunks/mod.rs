//! Events that were too large for one frame: put together from fragments, and split.

mod assembler;
mod decode;
mod error;
pub(super) mod fragment;
mod group;
mod limits;
mod literal;
mod past;
pub(super) mod rebuilt;
mod split;
#[cfg(test)]
mod tests;
mod unfinished;

pub use assembler::{ChunkAssembler, ChunkOutcome, ChunkProgress};
pub use error::ChunkError;
pub use limits::ChunkLimits;
pub use rebuilt::Rebuilt;
pub use split::{SplitError, split, split_text};
pub use unfinished::{ChunkBound, GivenUp, Unfinished};
