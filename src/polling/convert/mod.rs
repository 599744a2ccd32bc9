//! From the task API to official AG-UI 1.0.
//!
//! The messages of the run are kept as AG-UI has them. What only adds to them goes out as it
//! comes; what changes them (a stream that was reset, a full content that differs) goes out as
//! MESSAGES_SNAPSHOT.

mod blocks;
mod converter;
mod history;
mod pending;
mod rest;
mod run;
mod tools;
mod turn;
mod users;

pub use converter::{AgUiConverter, to_agui};
