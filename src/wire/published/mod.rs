//! What is published of a protocol: its schemas, and what of it goes over HTTP.

mod http;

pub(crate) use http::{Answer, Body, Operation, Parameter};

/// A published schema: where it lies below `schemas/`, and its text.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaFile {
    /// The path below the directory of schemas, such as `lime/v0.1/event.schema.json`.
    pub path: &'static str,
    /// The text, ending in a line feed.
    pub text: String,
}
