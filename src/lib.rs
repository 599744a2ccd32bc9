//! Wire contracts of agent event streams.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod agui;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod detect;
pub mod lime;
mod protocol;
mod safe;
#[cfg(feature = "schema")]
pub mod schema;
pub mod wire;

pub use protocol::Protocol;
