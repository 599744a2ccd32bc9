//! The published schemas, and what is made of them.

#[path = "../common/mod.rs"]
mod common;

mod content;
mod diff;
mod frontends;
mod published;
