//! Pieces of a text that share it.

use std::fmt;
use std::sync::Arc;

use super::tag::Span;

/// A piece of the text of a message, and where it stands. Cheap to clone.
///
/// Equal if text and place are. `Debug` shows the place only.
///
/// Since 0.1.0. Source: this crate.
#[derive(Clone)]
pub struct Piece {
    text: Arc<str>,
    span: Span,
}

impl Piece {
    pub(super) fn new(text: Arc<str>, span: Span) -> Self {
        Self { text, span }
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        self.text.get(self.span.start..self.span.end).unwrap_or_default()
    }

    /// Where they stand in the text, in bytes.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Another piece of the same text.
    pub(super) fn at(&self, start: usize, end: usize) -> Self {
        Self { text: Arc::clone(&self.text), span: Span::new(start, end) }
    }

    /// The piece without white space around it.
    pub(super) fn trimmed(&self) -> Self {
        let text = self.as_str();
        let start = self.span.start + (text.len() - text.trim_start().len());
        self.at(start, start + text.trim().len())
    }

    /// Its lines, without white space around them.
    pub(super) fn lines(&self) -> impl Iterator<Item = Self> {
        let mut start = self.span.start;
        self.as_str().split_inclusive('\n').map(move |line| {
            let end = start + line.len();
            let line = self.at(start, end).trimmed();
            start = end;
            line
        })
    }

    /// What stands behind `prefix`, without white space around it.
    pub(super) fn behind(&self, prefix: &str) -> Option<Self> {
        self.as_str().strip_prefix(prefix)?;
        Some(self.at(self.span.start + prefix.len(), self.span.end).trimmed())
    }
}

impl PartialEq for Piece {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && self.as_str() == other.as_str()
    }
}

impl Eq for Piece {}

impl AsRef<str> for Piece {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({}..{})", self.span.start, self.span.end)
    }
}
