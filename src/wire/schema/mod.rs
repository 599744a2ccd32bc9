//! JSON Schemas of types, and the files that are made of them.

mod assemble;
mod http;
mod object;

pub(crate) use assemble::{closed_union, definitions, file, file_of, generator, open_union};
pub(crate) use http::{Answer, Body, Operation, Parameter};
pub(crate) use object::{ObjectSchema, branch};

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
