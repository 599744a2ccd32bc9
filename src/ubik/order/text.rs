//! The text of an answer as it comes in chunks, and the tools that it names.

use super::super::markup::tag::{self, Next};
use super::super::markup::{Markup, TagKind};
use crate::wire::bytes::has;

/// The text of the chunks so far.
#[derive(Default)]
pub(super) struct Text {
    so_far: String,
    /// From here on the text was not looked through for tags.
    from: usize,
    /// Something of the text is missing here.
    is_cut: bool,
    /// The text was too long to keep.
    is_full: bool,
    bound: usize,
}

/// How a tool's tag begins.
const START: &str = "<<TOOL_STEP_START/";

impl Text {
    pub(super) fn new(bound: usize) -> Self {
        Self { bound, ..Self::default() }
    }

    /// Takes the next chunk; gives the ids of the tools whose tags it has completed.
    pub(super) fn push(&mut self, chunk: &str, mut tool: impl FnMut(&str)) {
        if self.is_plain(chunk) {
            self.push_plain(chunk);
        } else {
            self.so_far.push_str(chunk);
            self.find(&mut tool);
        }
        if self.so_far.len() > self.bound {
            // Only a part of a tag is kept, which may go on.
            (self.is_cut, self.is_full) = (true, true);
            self.so_far.drain(..self.from);
            self.from = 0;
        }
    }

    /// Whether a chunk has nothing of a tag: none begins before it, and it lacks the sign.
    fn is_plain(&self, chunk: &str) -> bool {
        self.from == self.so_far.len() && !has(chunk.as_bytes(), b'<')
    }

    /// The same of a chunk that there is room for.
    pub(super) fn takes_plain(&self, chunk: &str) -> bool {
        self.so_far.len() + chunk.len() <= self.bound && self.is_plain(chunk)
    }

    pub(super) fn push_plain(&mut self, chunk: &str) {
        self.so_far.push_str(chunk);
        self.from = self.so_far.len();
    }

    fn find(&mut self, tool: &mut impl FnMut(&str)) {
        self.from = loop {
            match tag::find(self.so_far.as_bytes(), self.from, false) {
                Next::Tag(tag) => {
                    if tag.kind == TagKind::ToolStepStart {
                        tool(tag.tool(&self.so_far).1);
                    }
                    self.from = tag.span.end;
                }
                Next::Held(at) => break at,
                Next::Nothing => break self.so_far.len(),
            }
        };
    }

    /// Whether the final text has all of it; not known where it was too long, has halves of characters, or marks of
    /// sources, for which citations stand in the end.
    pub(super) fn is_in(&self, content: &Markup) -> bool {
        let is_unknown = self.is_cut || self.so_far.contains('\u{FFFD}') || has_marks(&self.so_far);
        is_unknown || content.contains_text(&self.so_far)
    }

    /// A chunk could not be read.
    pub(super) const fn lacks(&mut self) {
        self.is_cut = true;
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.bound);
    }

    /// Whether text had to be forgotten.
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }
}

/// Whether text has a mark such as `<source_1>`.
fn has_marks(text: &str) -> bool {
    text.split("<source_").skip(1).any(|behind| {
        let number = behind.split_once('>').map_or("", |(number, _)| number);
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The tree of a text that has tools.
pub(super) fn with_tools(content: &str) -> Option<Markup> {
    content.contains(START).then(|| Markup::parse(content))
}
