//! The command line, and the pages that show it.

#[path = "../common/mod.rs"]
mod common;

mod action;
mod baseline;
mod cli;
mod completions;
mod config;
mod docs;
mod interrupt;
mod outputs;
mod outputs_hostile;
mod parallel;
mod progress;
mod record;
mod schema_diff;
