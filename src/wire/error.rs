//! The error of typed decoding: where and what, never the value.

use super::path::{Path, path_at};
use super::scan::{SyntaxError, SyntaxKind};

/// What is wrong with text that does not decode.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not JSON.
    #[error("{0}")]
    Syntax(&'static str),
    /// A value has another JSON type than the contract says.
    #[error("expected {0}")]
    Type(&'static str),
    /// A required member is absent.
    #[error("the required member is missing")]
    Missing,
    /// A closed enum or a discriminator has a value outside its list.
    #[error("expected one of {0}")]
    Value(&'static str),
    /// A number is not an integer, or outside the range of its field.
    #[error("expected {0}")]
    Integer(&'static str),
    /// A string has a surrogate escape without a partner, which Rust strings cannot hold.
    #[error("a lone surrogate escape cannot be held by a string")]
    LoneSurrogate,
}

/// Text that is not an event of the contract.
///
/// Says where ([`path`](Self::path), [`offset`](Self::offset)) and what
/// ([`kind`](Self::kind)). Neither `Display` nor `Debug` shows any value of the
/// text, since payloads may hold secrets.
///
/// ```
/// let error = agent_contracts::agui::Event::from_json(r#"{"type":"TEXT_MESSAGE_END"}"#).unwrap_err();
/// assert_eq!(error.path(), "$.messageId");
/// assert_eq!(error.to_string(), "$.messageId: the required member is missing (at byte 0)");
/// ```
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {kind} (at byte {offset})")]
pub struct Error {
    kind: ErrorKind,
    path: Box<str>,
    offset: usize,
}

impl Error {
    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The place as JSONPath in shorthand, such as `$.messages[2].role`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The offset in bytes from the start of the decoded text.
    pub fn offset(&self) -> usize {
        self.offset
    }

    #[cold]
    pub(crate) fn locate(fault: Fault, text: &str) -> Self {
        let mut path = path_at(text, fault.offset);
        if let Some(member) = fault.member {
            path.push_key(member);
        }
        Self { kind: fault.kind, path: Path::to_json_path(&path).into(), offset: fault.offset }
    }
}

/// An [`Error`] before its path has been looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    pub(crate) offset: usize,
    /// The missing member, below the object at `offset`.
    pub(crate) member: Option<&'static str>,
}

impl Fault {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset, member: None }
    }

    #[cold]
    pub(crate) fn missing(member: &'static str, offset: usize) -> Self {
        Self { kind: ErrorKind::Missing, offset, member: Some(member) }
    }
}

impl From<SyntaxError> for Fault {
    #[cold]
    fn from(error: SyntaxError) -> Self {
        Self::new(ErrorKind::Syntax(SyntaxKind::describe(error.kind)), error.offset)
    }
}
