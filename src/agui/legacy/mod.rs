//! What producers older than 1.0 send, read as the official client reads it.

mod decoder;
mod rewrite;

pub use decoder::{Deprecation, LegacyDecoder};
