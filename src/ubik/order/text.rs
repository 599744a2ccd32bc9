//! The text of an answer as it comes in chunks, and the tools that it names.

use super::super::markup::{Markup, Node, contains_text};

/// The text of the chunks so far.
#[derive(Debug, Default)]
pub(super) struct Text {
    so_far: String,
    /// From here on the text was not looked through for tools.
    from: usize,
    /// The text was too long to keep.
    is_cut: bool,
    bound: usize,
}

/// How a tool's tag begins, and how it ends.
const START: &str = "<<TOOL_STEP_START/";
const END: &str = ">>";

/// A tag is looked for in so many bytes before what is new.
const LONGEST: usize = 1024;

impl Text {
    pub(super) fn new(bound: usize) -> Self {
        Self { bound, ..Self::default() }
    }

    /// Takes the next chunk; gives the ids of the tools whose tags it has completed.
    pub(super) fn push(&mut self, chunk: &str, mut tool: impl FnMut(&str)) {
        if self.so_far.len() + chunk.len() > self.bound {
            // The end is kept, since a tag may be cut there.
            self.is_cut = true;
            let mut keep = self.so_far.len().saturating_sub(LONGEST).max(self.from);
            while !self.so_far.is_char_boundary(keep) {
                keep += 1;
            }
            self.so_far.drain(..keep);
            self.from = 0;
        }
        self.so_far.push_str(chunk);
        loop {
            let rest = &self.so_far[self.from..];
            let Some(start) = rest.find(START) else {
                // The text may end in a part of a tag.
                let tail = (1..START.len()).rev().find(|length| rest.ends_with(&START[..*length])).unwrap_or(0);
                self.from = self.so_far.len() - tail;
                return;
            };
            let label = &rest[start + START.len()..];
            let Some(end) = label.find(END) else {
                self.from += if label.len() > LONGEST { start + START.len() } else { start };
                if label.len() > LONGEST {
                    continue;
                }
                return;
            };
            if let Some((_, id)) = label[..end].split_once(':') {
                tool(id);
            }
            self.from += start + START.len() + end;
        }
    }

    /// Whether the final text has all of it; not known where it was too long.
    pub(super) fn is_in(&self, content: &str) -> bool {
        self.is_cut || contains_text(content, &self.so_far)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.bound);
    }

    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// The ids of the tools in a whole text.
pub(super) fn tools(content: &str, mut tool: impl FnMut(&str)) {
    if content.contains(START) {
        for node in Markup::parse(content).walk() {
            if let Node::Tool(found) = node {
                tool(found.id.as_str());
            }
        }
    }
}
