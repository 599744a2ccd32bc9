//! What the text of chunks says, as it comes. The tags are the markup parser's to read.

use memchr::memmem;

use super::markup::tag::{self, BlockKind, BodyKind, Next, Role, Tag};
use super::markup::{Markup, TagKind};

/// The most of a body that is held, in bytes.
const BODY_BYTES: usize = 16 * 1024 * 1024;

/// What stands in the text, in its order.
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
pub(super) enum Piece {
    /// Text for the user.
    Text(String),
    /// Text of a thought.
    Thought(String),
    ThoughtEnd,
    /// A tool call begins.
    Call {
        id: String,
        name: String,
    },
    /// The body of the call's input, whole.
    Input(String),
    /// The body of the call's result, whole.
    Result(String),
    CallEnd,
}

/// Takes pieces that nobody asks for.
pub(super) struct Nowhere;

impl Extend<Piece> for Nowhere {
    fn extend<I: IntoIterator<Item = Piece>>(&mut self, pieces: I) {
        pieces.into_iter().for_each(drop);
    }
}

/// Reads text that comes in pieces, cut anywhere.
///
/// Tells blocks apart as the parser does, but does not wait for what may still come: text is
/// told at once, unless it may be the beginning of a tag.
#[derive(Clone, Default)]
pub(super) struct Scanner {
    /// What may be the beginning of a tag, or the open body.
    held: String,
    body: Option<Body>,
    /// The open blocks, the outermost first. No kind is in it twice.
    blocks: Vec<BlockKind>,
    title: Title,
    /// What the open call has had.
    has_input: bool,
    has_result: bool,
    /// Text has come beside its bodies, since the last tag.
    has_text: bool,
}

/// A body whose end has not come.
#[derive(Clone)]
struct Body {
    kind: BodyKind,
    /// From here on the end may come, in bytes of the body.
    searched: usize,
}

/// The title of a step.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Title {
    /// The first line of the step is still to come.
    Ahead,
    Inside,
    #[default]
    Behind,
}

impl Scanner {
    /// Takes the next piece of text.
    pub(super) fn push(&mut self, text: &str, out: &mut impl Extend<Piece>) {
        let mut held = std::mem::take(&mut self.held);
        held.push_str(text);
        let mut at = 0;
        while let Some(read) = self.read(held.get(at..).unwrap_or_default(), out) {
            at += read;
        }
        // What was read is dropped, with the room that it took.
        self.held = if at > 0 { held.split_off(at) } else { held };
    }

    /// Says that nothing can come behind what is held: it is text.
    pub(super) fn flush(&mut self, out: &mut impl Extend<Piece>) {
        if self.body.is_none() {
            let held = std::mem::take(&mut self.held);
            self.take_text(&held, out);
        }
    }

    /// How much of the text is held, in bytes.
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    /// Whether a body is open, of whatever block.
    pub(super) const fn is_in_body(&self) -> bool {
        self.body.is_some()
    }

    /// What is held of a body that has no end tag, read as if none came: as a tree that begins
    /// with the body. It ends before the next tag.
    pub(super) fn unclosed(&self) -> Option<Markup> {
        let start = match self.body.as_ref()?.kind {
            BodyKind::ToolInput => TagKind::ToolStepInputStart,
            BodyKind::ToolResult => TagKind::ToolStepResultStart,
            BodyKind::UserInput => TagKind::UserInputProvidedStart,
            BodyKind::ErrorJson => TagKind::ErrorJsonStart,
        };
        Some(Markup::parse(&format!("<<{start}>>{}", self.held)))
    }

    /// Whether a tool call is open.
    pub(super) fn is_in_call(&self) -> bool {
        self.blocks.contains(&BlockKind::Tool)
    }

    /// Says how far the text was read; `None` if more has to come.
    fn read(&mut self, text: &str, out: &mut impl Extend<Piece>) -> Option<usize> {
        if let Some(body) = &mut self.body {
            let rest = text.as_bytes().get(body.searched..).unwrap_or_default();
            let end_tag = body.kind.end_text();
            let Some(at) = memmem::find(rest, end_tag.as_bytes()) else {
                body.searched = text.len().saturating_sub(end_tag.len() - 1);
                if text.len() <= BODY_BYTES {
                    return None;
                }
                self.body = None;
                return Some(text.len());
            };
            let (kind, end) = (body.kind, body.searched + at);
            let behind = end + end_tag.len();
            self.body = None;
            self.end_body(kind, text.get(..end).unwrap_or_default(), out);
            return Some(behind);
        }
        let (plain, tag) = match tag::find(text.as_bytes(), 0, false) {
            Next::Tag(tag) => (tag.span.start, Some(tag)),
            Next::Held(at) => (at, None),
            Next::Nothing => (text.len(), None),
        };
        if plain > 0 {
            self.take_text(text.get(..plain).unwrap_or_default(), out);
        }
        if let Some(tag) = &tag {
            self.take(tag, text, out);
        }
        let read = tag.map_or(plain, |tag| tag.span.end);
        (read > 0).then_some(read)
    }

    fn take_text(&mut self, text: &str, out: &mut impl Extend<Piece>) {
        match self.blocks.last() {
            None => out.extend([Piece::Text(text.to_owned())]),
            Some(BlockKind::Step) => {
                let text = self.behind_title(text);
                out.extend([Piece::Text(text.to_owned())]);
            }
            Some(BlockKind::Thinking) => out.extend([Piece::Thought(text.to_owned())]),
            Some(BlockKind::Tool) => {
                // Its tags stand in lines of their own.
                let text = if self.has_text { text } else { text.trim_start() };
                if !text.is_empty() {
                    self.has_text = true;
                    let is_thought = self.blocks.contains(&BlockKind::Thinking);
                    out.extend([if is_thought {
                        Piece::Thought(text.to_owned())
                    } else {
                        Piece::Text(text.to_owned())
                    }]);
                }
            }
            // A block of the structure.
            Some(_) => {}
        }
    }

    /// Text of a step without its title.
    fn behind_title<'t>(&mut self, mut text: &'t str) -> &'t str {
        if self.title == Title::Ahead {
            text = text.trim_start();
            if text.is_empty() {
                return text;
            }
            self.title = Title::Inside;
        }
        if self.title == Title::Inside {
            let Some((_, behind)) = text.split_once('\n') else { return "" };
            text = behind;
            self.title = Title::Behind;
        }
        text
    }

    /// Takes a tag of the text.
    fn take(&mut self, tag: &Tag, text: &str, out: &mut impl Extend<Piece>) {
        // The title may come behind the flag.
        if tag.kind.role() == Role::Flag && self.title == Title::Ahead {
            return;
        }
        self.title = Title::Behind;
        self.has_text = false;
        match tag.kind.role() {
            Role::Open(BlockKind::Step) => {
                self.leave(0, out);
                self.blocks.push(BlockKind::Step);
                self.title = Title::Ahead;
            }
            Role::Open(kind) => {
                self.close(kind, out);
                self.blocks.push(kind);
                if kind == BlockKind::Tool {
                    (self.has_input, self.has_result) = (false, false);
                    let (name, id) = tag.tool(text);
                    out.extend([Piece::Call { id: id.to_owned(), name: name.to_owned() }]);
                }
            }
            Role::Close(kind) => self.close(kind, out),
            Role::OpenBody(kind) => {
                let around = match kind {
                    BodyKind::ToolInput | BodyKind::ToolResult => Some(BlockKind::Tool),
                    BodyKind::UserInput => Some(BlockKind::InputRequired),
                    BodyKind::ErrorJson => None,
                };
                // What is open in the block around it ends.
                if let Some(place) = around.and_then(|around| self.place(around)) {
                    self.leave(place + 1, out);
                }
                self.body = Some(Body { kind, searched: 0 });
            }
            Role::CloseBody | Role::Flag | Role::Temporary => {}
        }
    }

    fn place(&self, kind: BlockKind) -> Option<usize> {
        self.blocks.iter().rposition(|block| *block == kind)
    }

    fn close(&mut self, kind: BlockKind, out: &mut impl Extend<Piece>) {
        if let Some(place) = self.place(kind) {
            self.leave(place, out);
        }
    }

    /// Leaves the blocks from `depth` on.
    fn leave(&mut self, depth: usize, out: &mut impl Extend<Piece>) {
        while self.blocks.len() > depth {
            match self.blocks.pop() {
                Some(BlockKind::Thinking) => out.extend([Piece::ThoughtEnd]),
                Some(BlockKind::Tool) => out.extend([Piece::CallEnd]),
                _ => {}
            }
        }
    }

    fn end_body(&mut self, kind: BodyKind, content: &str, out: &mut impl Extend<Piece>) {
        if !self.is_in_call() {
            return;
        }
        // Of several the first counts.
        match kind {
            BodyKind::ToolInput if !std::mem::replace(&mut self.has_input, true) => {
                out.extend([Piece::Input(content.to_owned())]);
            }
            BodyKind::ToolResult if !std::mem::replace(&mut self.has_result, true) => {
                out.extend([Piece::Result(content.to_owned())]);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::markup::LABEL_BYTES;
    use super::*;

    /// What is told of a text that comes in pieces, with texts of one kind joined.
    fn told(pieces: &[&str]) -> Vec<Piece> {
        let (mut scanner, mut out, mut joined) = (Scanner::default(), Vec::<Piece>::new(), Vec::<Piece>::new());
        for piece in pieces {
            scanner.push(piece, &mut out);
        }
        for piece in out {
            match (joined.last_mut(), piece) {
                (Some(Piece::Text(last)), Piece::Text(text)) | (Some(Piece::Thought(last)), Piece::Thought(text)) => {
                    last.push_str(&text);
                }
                (_, Piece::Text(text)) if text.is_empty() => {}
                (_, piece) => joined.push(piece),
            }
        }
        joined
    }

    const TEXT: &str = "<<STEP_START>>\nStep 1: Look ✓\n<<SINGLE_STEP_FLAG>>\nI 1 << 2, <<thinking>>hm<</thinking>>\
        <<TOOL_STEP_START/s:c>>\n<<TOOL_STEP_INPUT_START>>{\"q\":\"<<STEP_END>>\"}<<TOOL_STEP_INPUT_END>>\n\
        <<TOOL_STEP_RESULT_START>>[1]<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/s:c>>é<\n\
        <<CHECKPOINT_START>>\nCheckpoint: c\n<<CHECKPOINT_END>>!<<STEP_END>>?";

    #[test]
    fn it_does_not_matter_where_text_is_cut() {
        let whole = told(&[TEXT]);
        let text = |text: &str| Piece::Text(text.to_owned());
        let expected = [
            text("\nI 1 << 2, "),
            Piece::Thought("hm".to_owned()),
            Piece::ThoughtEnd,
            Piece::Call { id: "c".to_owned(), name: "s".to_owned() },
            Piece::Input("{\"q\":\"<<STEP_END>>\"}".to_owned()),
            Piece::Result("[1]".to_owned()),
            Piece::CallEnd,
            text("é<\n!?"),
        ];
        assert_eq!(whole, expected);
        let letters: Vec<String> = TEXT.chars().map(String::from).collect();
        assert_eq!(told(&letters.iter().map(String::as_str).collect::<Vec<_>>()), whole);
        for (cut, _) in TEXT.char_indices() {
            assert_eq!(told(&[&TEXT[..cut], &TEXT[cut..]]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn text_waits_only_where_a_tag_may_begin() {
        let long = format!("<<TOOL_STEP_START/{}", "é".repeat(LABEL_BYTES));
        for (text, told) in [
            ("a", 1),
            ("a<", 1),
            ("a << b", 6),
            ("a << b\nc", 8),
            ("<<x>> <", 6),
            (&*long, long.len()),
            ("<<STEP_END>", 0),
        ] {
            let (mut scanner, mut out) = (Scanner::default(), Vec::<Piece>::new());
            scanner.push(text, &mut out);
            let length: usize =
                out.iter().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 0 }).sum();
            assert_eq!(length, told, "{text}");
        }
    }
}
