//! From bytes to findings: framing, detection, and [`StreamChecker`], which checks a stream
//! as it comes.
//!
//! [`sse`] and [`lines`] are the readers that it uses; they can be used alone.

mod checker;
mod detect;
mod document;
mod framing;
pub mod lines;
mod reader;
pub mod sse;

pub use checker::{Findings, Found, StreamChecker};
#[cfg(feature = "cli")]
pub(crate) use detect::settled;
pub use detect::{Detected, HEAD_BYTES, detect};
#[cfg(feature = "cli")]
pub(crate) use framing::without_headers;
pub use framing::{Framing, UnknownFraming};
