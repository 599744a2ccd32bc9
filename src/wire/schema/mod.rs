//! JSON Schemas of types, and the files that are made of them.

mod assemble;
mod examples;
mod http;
mod object;
mod union;

pub(crate) use assemble::{definitions, file, file_of, generator};
pub(crate) use examples::add_examples;
pub(crate) use http::{Answer, Body, Operation, Parameter};
pub(crate) use object::ObjectSchema;
pub(crate) use union::{Branch, closed_union, deprecate, open_union, pascal, reference, require, union_of};

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
