//! What is wrong with an AG-UI event by itself.

use std::sync::OnceLock;

use crate::check::contract::Contract;
use crate::check::facts::Facts;
use crate::check::finding::Report;
use crate::check::shape::Shape;
use crate::check::tree::Node;
use crate::check::{Limits, Profile};

/// The published schema of an event.
pub(crate) const EVENT_SCHEMA: &str = include_str!("../../schemas/agui/1.0/known-event.schema.json");

pub(crate) const TYPES: &[&str] = &["Event"];

#[derive(Debug)]
pub(crate) struct AgUi {}

impl AgUi {
    pub(crate) fn new(_profile: Profile, _limits: Limits) -> Self {
        Self {}
    }
}

fn shape() -> &'static Shape {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    SHAPE.get_or_init(|| Shape::compile(EVENT_SCHEMA, &[], false).expect("the published schema compiles"))
}

impl Contract for AgUi {
    fn shape(&self) -> &'static Shape {
        shape()
    }
    fn is_clean(&self, _: &Facts<'_>) -> bool {
        true
    }
    fn explain(&self, _: &Node<'_>, _: &Facts<'_>, _: &mut Report<'_>) {}
    fn order(&mut self, _: &Facts<'_>, _: &mut Report<'_>) {}
    fn finish(&mut self, _: &mut Report<'_>) {}
    fn document(&self, _: &str, _: &Node<'_>, _: &mut Report<'_>) -> bool {
        false
    }
}
