//! JSON Schemas of types, and the files that are made of them.

mod assemble;
mod examples;
mod object;
mod union;

pub(crate) use assemble::{definitions, file, file_of, generator};
pub(crate) use examples::add_examples;
pub(crate) use object::ObjectSchema;
pub(crate) use union::{Branch, closed_union, deprecate, open_union, pascal, reference, require, union_of};
