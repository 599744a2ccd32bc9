//! A generated file.

use crate::wire::published::SchemaFile;

/// A generated file: where it lies, and its text.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// The path below the directory that it is made for, such as `lime/v0.1/events.d.ts`.
    pub path: String,
    /// The text, ending in a line feed.
    pub text: String,
}

impl File {
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

impl From<&SchemaFile> for File {
    fn from(file: &SchemaFile) -> Self {
        Self::new(file.path, &file.text)
    }
}
