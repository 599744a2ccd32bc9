//! What is wrong with the tags of a text.

use super::tag::{Span, TagKind};

/// A mistake in the tags of a text, and where it is.
///
/// One mistake is one fault: what follows from a missing tag is not reported again.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The tag that it is about; of a body its start tag.
    pub tag: TagKind,
    /// Where the tag stands; of a body that is not JSON where the body stands.
    pub span: Span,
}

impl Fault {
    pub(super) const fn new(kind: FaultKind, tag: TagKind, span: Span) -> Self {
        Self { kind, tag, span }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} (at byte {})", self.tag, self.kind.describe(), self.span.start)
    }
}

/// What is wrong with a tag.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A block has no end tag.
    Unclosed,
    /// No such block is open.
    EndWithoutStart,
    /// The tool's end tag has another name or id than the start tag.
    ToolMismatch,
    /// The body of a tool's input or result, a user's input or `ERROR_JSON` is not JSON.
    BodyNotJson,
    /// A tool's input or result, a user's input or the flag of a single step stands outside
    /// of its block, or a result stands before the input.
    Misplaced,
    /// `TOOL_EVENT_START`, which clients show for a while and nobody stores.
    TemporaryStored,
}

impl FaultKind {
    const fn describe(self) -> &'static str {
        match self {
            Self::Unclosed => "the block has no end tag",
            Self::EndWithoutStart => "no such block is open",
            Self::ToolMismatch => "the start tag has another name or id",
            Self::BodyNotJson => "the body is not JSON",
            Self::Misplaced => "the tag stands in the wrong place",
            Self::TemporaryStored => "the tag is not for stored text",
        }
    }
}
