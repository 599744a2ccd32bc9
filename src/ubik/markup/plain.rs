//! The text of a message without what the events of its structure have put into it.

use super::node::{Block, Node};
use super::parser::ParserLimits;
use super::piece::Piece;
use super::tag::{BlockKind, Role, TagKind};
use super::tree::Markup;

/// What is left out besides the tags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    /// What blocks of the structure say themselves: titles, checkpoints, questions, errors.
    Left,
    Kept,
}

/// The text without its structure: without step tags and the titles of steps, and without
/// checkpoint, input and error blocks.
///
/// What is left is what `response_chunk` events carry: text, thoughts and tool calls with
/// their tags. Of a checkpoint, input or error block that has no end only the tag is left out.
///
/// ```
/// use agent_contracts::ubik::markup::without_structure;
///
/// let text = "<<STEP_START>>\nStep 1: Search ✓\nI <<thinking>>hm<</thinking>> look.\n<<STEP_END>>";
/// assert_eq!(without_structure(text).trim(), "I <<thinking>>hm<</thinking>> look.");
/// ```
///
/// Since 0.1.0. Source: message structure guide.
pub fn without_structure(text: &str) -> String {
    stripped(&parse(text), Own::Left)
}

/// Whether the content of a message contains the joined text of its chunks, when both are
/// taken [without structure](without_structure). White space does not count.
///
/// If it does not, only the tags are left out and what the blocks say is kept, for content
/// whose steps have no titles and for chunks that carry them.
///
/// ```
/// use agent_contracts::ubik::markup::contains_text;
///
/// let content = "<<STEP_START>>\nStep 1: Search ✓\nI look.\n<<STEP_END>>\n\nDone.";
/// assert!(contains_text(content, "I look.Done."));
/// assert!(!contains_text(content, "I look. It is done."));
/// ```
///
/// Since 0.1.0. Source: session events guide.
pub fn contains_text(content: &str, chunks: &str) -> bool {
    parse(content).contains_text(chunks)
}

impl Markup {
    /// The same of content that is parsed.
    pub(crate) fn contains_text(&self, chunks: &str) -> bool {
        let chunks = parse(chunks);
        [Own::Left, Own::Kept].into_iter().any(|own| {
            let (content, chunks) = (stripped(self, own), stripped(&chunks, own));
            // Mostly it is all there is; to prepare a search takes longer than to compare.
            begins_with(&content, &chunks)
                || memchr::memmem::find(squashed(&content).as_bytes(), squashed(&chunks).as_bytes()).is_some()
        })
    }
}

/// Whether a text begins with another one, white space apart.
fn begins_with(mut text: &str, mut beginning: &str) -> bool {
    loop {
        let mut same = text.bytes().zip(beginning.bytes()).take_while(|(one, other)| one == other).count();
        // Characters may differ in their later bytes.
        while !text.is_char_boundary(same) {
            same -= 1;
        }
        let (rest, sought) = (text[same..].trim_start(), beginning[same..].trim_start());
        if sought.is_empty() {
            return true;
        }
        if rest.len() == text.len() && sought.len() == beginning.len() {
            return false;
        }
        (text, beginning) = (rest, sought);
    }
}

fn parse(text: &str) -> Markup {
    Markup::parse_within(text, ParserLimits::NONE)
}

fn squashed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn stripped(markup: &Markup, own: Own) -> String {
    let mut out = String::with_capacity(markup.text().len());
    strip(markup.nodes(), own, &mut out);
    out
}

/// Calls itself for what lies in blocks, which are never deep.
fn strip(nodes: &[Node], own: Own, out: &mut String) {
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(text.as_str()),
            Node::Step(step) => match step.title.as_ref().filter(|_| own == Own::Left) {
                Some(title) => strip_titled(&step.block.children, title, out),
                None => strip(&step.block.children, own, out),
            },
            Node::Thinking(thinking) => strip_inside(&thinking.block, own, out),
            Node::Tool(tool) => strip_inside(&tool.block, own, out),
            Node::ToolInput(_) | Node::ToolResult(_) => out.push_str(&node.to_string()),
            Node::Checkpoint(checkpoint) => strip_block(&checkpoint.block, own, out),
            Node::InputRequired(input) => strip_block(&input.block, own, out),
            Node::Error(error) => strip_block(&error.block, own, out),
            Node::UserInput(body) | Node::ErrorJson(body) => {
                if own == Own::Kept || body.close.is_none() {
                    out.push_str(body.content.as_str());
                }
            }
            Node::SingleStepFlag(_) | Node::ToolEvent(_) => {}
            Node::StrayEnd(kind, tag) => {
                if !is_structure(*kind) {
                    out.push_str(tag.as_str());
                }
            }
        }
    }
}

/// The children of a step, without its title.
fn strip_titled(children: &[Node], title: &Piece, out: &mut String) {
    for child in children {
        match child {
            Node::Text(text) if text.span().start <= title.span().start && title.span().end <= text.span().end => {
                out.push_str(text.at(text.span().start, title.span().start).as_str());
                out.push_str(text.at(title.span().end, text.span().end).as_str());
            }
            child => strip(std::slice::from_ref(child), Own::Left, out),
        }
    }
}

/// A block whose tags are kept.
fn strip_inside(block: &Block, own: Own, out: &mut String) {
    out.push_str(block.open.as_str());
    strip(&block.children, own, out);
    out.push_str(block.close.as_ref().map_or("", Piece::as_str));
}

/// A block of the structure.
fn strip_block(block: &Block, own: Own, out: &mut String) {
    if own == Own::Kept || block.close.is_none() {
        strip(&block.children, own, out);
        return;
    }
    for child in block.children.iter().filter(|child| !matches!(child, Node::Text(_))) {
        strip(std::slice::from_ref(child), own, out);
    }
}

/// Whether an end tag belongs to the structure, and not to thoughts and tool calls.
const fn is_structure(kind: TagKind) -> bool {
    match kind.role() {
        Role::Close(kind) => !matches!(kind, BlockKind::Thinking | BlockKind::Tool),
        _ => matches!(kind, TagKind::UserInputProvidedEnd | TagKind::ErrorJsonEnd),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn white_space_does_not_count(text in "[ab \n\u{2002}\u{2003}\u{2013}é]{0,9}", sought in "[ab \n\u{2002}\u{2003}\u{2013}é]{0,5}") {
            prop_assert_eq!(begins_with(&text, &sought), squashed(&text).starts_with(&squashed(&sought)));
            let spaced: String = text.chars().flat_map(|c| [c, ' ']).collect();
            prop_assert!(begins_with(&spaced, &text) && begins_with(&text, &spaced));
        }
    }
}
