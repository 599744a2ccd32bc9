//! What the text of chunks says, as it comes. The tags are the markup parser's to read.

use memchr::memmem;

use super::markup::{LABEL_BYTES, Markup, Node, TagKind};

/// No tag is longer, in bytes.
const TAG_BYTES: usize = LABEL_BYTES + 32;

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
    /// The start tags of the open blocks, the outermost first. No kind is in it twice.
    blocks: Vec<TagKind>,
    title: Title,
    /// What the open call has had.
    has_input: bool,
    has_result: bool,
}

/// A body whose end has not come.
#[derive(Clone)]
struct Body {
    kind: TagKind,
    /// Its end tag as it stands in the text.
    end: String,
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

enum Next {
    /// What may be a tag ends at this byte.
    Tag(usize),
    /// There is no tag before this byte. What stands from there on is held.
    Text(usize),
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
            TagKind::ToolStepInputEnd => TagKind::ToolStepInputStart,
            TagKind::ToolStepResultEnd => TagKind::ToolStepResultStart,
            TagKind::UserInputProvidedEnd => TagKind::UserInputProvidedStart,
            _ => TagKind::ErrorJsonStart,
        };
        Some(Markup::parse(&format!("<<{start}>>{}", self.held)))
    }

    /// Whether a tool call is open.
    pub(super) fn is_in_call(&self) -> bool {
        self.blocks.contains(&TagKind::ToolStepStart)
    }

    /// Says how far the text was read; `None` if more has to come.
    fn read(&mut self, text: &str, out: &mut impl Extend<Piece>) -> Option<usize> {
        if let Some(body) = &mut self.body {
            let rest = text.as_bytes().get(body.searched..).unwrap_or_default();
            let Some(at) = memmem::find(rest, body.end.as_bytes()) else {
                body.searched = text.len().saturating_sub(body.end.len() - 1);
                if text.len() <= BODY_BYTES {
                    return None;
                }
                self.body = None;
                return Some(text.len());
            };
            let (kind, end) = (body.kind, body.searched + at);
            let behind = end + body.end.len();
            self.body = None;
            self.end_body(kind, text.get(..end).unwrap_or_default(), out);
            return Some(behind);
        }
        match next(text) {
            Next::Tag(end) => {
                let markup = Markup::parse(text.get(..end).unwrap_or_default());
                markup.nodes().iter().for_each(|node| self.take(node, out));
                Some(end)
            }
            Next::Text(0) => None,
            Next::Text(end) => {
                self.take_text(text.get(..end).unwrap_or_default(), out);
                Some(end)
            }
        }
    }

    fn take_text(&mut self, text: &str, out: &mut impl Extend<Piece>) {
        match self.blocks.last() {
            None => out.extend([Piece::Text(text.to_owned())]),
            Some(TagKind::StepStart) => {
                let text = self.behind_title(text);
                out.extend([Piece::Text(text.to_owned())]);
            }
            Some(TagKind::ThinkingStart) => out.extend([Piece::Thought(text.to_owned())]),
            // What stands beside the bodies of a call, or in a block of the structure.
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

    /// Takes text, or a tag, which stands alone and is parsed as a block of its own.
    fn take(&mut self, node: &Node, out: &mut impl Extend<Piece>) {
        match node {
            Node::Text(text) => return self.take_text(text.as_str(), out),
            // The title may come behind the flag.
            Node::SingleStepFlag(_) if self.title == Title::Ahead => return,
            _ => self.title = Title::Behind,
        }
        match node {
            Node::Step(_) => {
                self.leave(0, out);
                self.blocks.push(TagKind::StepStart);
                self.title = Title::Ahead;
            }
            Node::Tool(tool) => {
                self.open(TagKind::ToolStepStart, out);
                (self.has_input, self.has_result) = (false, false);
                out.extend([Piece::Call { id: tool.id.as_str().to_owned(), name: tool.name.as_str().to_owned() }]);
            }
            Node::Thinking(_) => self.open(TagKind::ThinkingStart, out),
            Node::Checkpoint(_) => self.open(TagKind::CheckpointStart, out),
            Node::InputRequired(_) => self.open(TagKind::InputRequiredStart, out),
            Node::Error(_) => self.open(TagKind::ErrorStart, out),
            Node::ToolInput(_) => self.open_body(TagKind::ToolStepInputEnd, Some(TagKind::ToolStepStart), out),
            Node::ToolResult(_) => self.open_body(TagKind::ToolStepResultEnd, Some(TagKind::ToolStepStart), out),
            Node::UserInput(_) => {
                self.open_body(TagKind::UserInputProvidedEnd, Some(TagKind::InputRequiredStart), out);
            }
            Node::ErrorJson(_) => self.open_body(TagKind::ErrorJsonEnd, None, out),
            Node::StrayEnd(kind, _) => self.close(*kind, out),
            Node::Text(_) | Node::SingleStepFlag(_) | Node::ToolEvent(_) => {}
        }
    }

    fn place(&self, start: TagKind) -> Option<usize> {
        self.blocks.iter().rposition(|block| *block == start)
    }

    fn open(&mut self, start: TagKind, out: &mut impl Extend<Piece>) {
        if let Some(place) = self.place(start) {
            self.leave(place, out);
        }
        self.blocks.push(start);
    }

    fn close(&mut self, end: TagKind, out: &mut impl Extend<Piece>) {
        let start = match end {
            TagKind::StepEnd => TagKind::StepStart,
            TagKind::ThinkingEnd => TagKind::ThinkingStart,
            TagKind::ToolStepEnd => TagKind::ToolStepStart,
            TagKind::CheckpointEnd => TagKind::CheckpointStart,
            TagKind::InputRequiredEnd => TagKind::InputRequiredStart,
            TagKind::ErrorEnd => TagKind::ErrorStart,
            _ => return,
        };
        if let Some(place) = self.place(start) {
            self.leave(place, out);
        }
    }

    /// Leaves the blocks from `depth` on.
    fn leave(&mut self, depth: usize, out: &mut impl Extend<Piece>) {
        while self.blocks.len() > depth {
            match self.blocks.pop() {
                Some(TagKind::ThinkingStart) => out.extend([Piece::ThoughtEnd]),
                Some(TagKind::ToolStepStart) => out.extend([Piece::CallEnd]),
                _ => {}
            }
        }
    }

    /// Opens a body, for which what is open in the block around it ends.
    fn open_body(&mut self, kind: TagKind, around: Option<TagKind>, out: &mut impl Extend<Piece>) {
        if let Some(place) = around.and_then(|around| self.place(around)) {
            self.leave(place + 1, out);
        }
        self.body = Some(Body { kind, end: format!("<<{kind}>>"), searched: 0 });
    }

    fn end_body(&mut self, kind: TagKind, content: &str, out: &mut impl Extend<Piece>) {
        if !self.is_in_call() {
            return;
        }
        // Of several the first counts.
        match kind {
            TagKind::ToolStepInputEnd if !std::mem::replace(&mut self.has_input, true) => {
                out.extend([Piece::Input(content.to_owned())]);
            }
            TagKind::ToolStepResultEnd if !std::mem::replace(&mut self.has_result, true) => {
                out.extend([Piece::Result(content.to_owned())]);
            }
            _ => {}
        }
    }
}

fn next(text: &str) -> Next {
    let bytes = text.as_bytes();
    let find = |from: usize, what: &[u8]| {
        let found = memmem::find(bytes.get(from..).unwrap_or_default(), what);
        found.map(|at| from + at)
    };
    let half = text.len() - usize::from(text.ends_with('<'));
    let Some(start) = find(0, b"<<") else { return Next::Text(half) };
    if let Some(end) = find(start, b">>") {
        return Next::Tag(end + 2);
    }
    // A tag lies on one line and is not long.
    let line = memchr::memrchr(b'\n', bytes).map_or(0, |line| line + 1);
    let from = start.max(line).max(text.len().saturating_sub(TAG_BYTES));
    Next::Text(find(from, b"<<").unwrap_or(half.max(from)))
}

#[cfg(test)]
mod tests {
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
        let long = format!("<<TOOL_STEP_START/{}", "é".repeat(TAG_BYTES));
        for (text, told) in [
            ("a", 1),
            ("a<", 1),
            ("a << b", 2),
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
