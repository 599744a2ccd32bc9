//! The rules of the house: imports, links, walk-throughs.

#[path = "../common/mod.rs"]
mod common;

mod architecture;
mod contributing;
mod links;
