//! The tree as the parser builds it: places in the text only.

use super::tag::{BlockKind, BodyKind, Span, Tag};

#[derive(Clone, Debug)]
pub(super) enum Raw {
    Text(Span),
    /// A flag, a temporary marker, or an end tag that ends nothing.
    Mark(Tag),
    Block(RawBlock),
    Body(RawBody),
}

#[derive(Clone, Debug)]
pub(super) struct RawBlock {
    pub(super) kind: BlockKind,
    pub(super) open: Tag,
    pub(super) close: Option<Tag>,
    pub(super) children: Vec<Raw>,
    /// Of a step: whether the flag of a single step stands in it.
    pub(super) flag: bool,
}

#[derive(Clone, Debug)]
pub(super) struct RawBody {
    pub(super) kind: BodyKind,
    pub(super) open: Tag,
    pub(super) content: Span,
    pub(super) close: Option<Span>,
}
