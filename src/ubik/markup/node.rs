//! What a text consists of: text, blocks and bodies.

use std::fmt;

use super::piece::Piece;
use super::tag::{Span, TagKind};
use crate::wire::Json;
use crate::wire::scan::{Cursor, MAX_DEPTH};

/// A part of the text of a message.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Node {
    /// Text, and what looks like a tag but is none.
    Text(Piece),
    /// `<<STEP_START>>`: a step of the agent's plan.
    Step(Step),
    /// `<<SINGLE_STEP_FLAG>>`: the step around it is the only one.
    SingleStepFlag(Piece),
    /// `<<thinking>>`: a thought.
    Thinking(Thinking),
    /// `<<TOOL_STEP_START/name:id>>`: a tool call.
    Tool(Tool),
    /// `<<TOOL_STEP_INPUT_START>>`: what a tool was called with.
    ToolInput(Body),
    /// `<<TOOL_STEP_RESULT_START>>`: what came out of a tool call.
    ToolResult(Body),
    /// `<<CHECKPOINT_START>>`: a checkpoint.
    Checkpoint(Checkpoint),
    /// `<<INPUT_REQUIRED_START>>`: a question to the user.
    InputRequired(InputRequired),
    /// `<<USER_INPUT_PROVIDED_START>>`: the user's answer.
    UserInput(Body),
    /// `<<ERROR_START>>`: what went wrong.
    Error(ErrorBlock),
    /// `<<ERROR_JSON_START>>`: details of what went wrong; `error`, `traceback` and
    /// `timestamp` in samples.
    ErrorJson(Body),
    /// `<<TOOL_EVENT_START>>`: a marker that clients show for a while.
    ToolEvent(Piece),
    /// An end tag that ends nothing.
    StrayEnd(TagKind, Piece),
}

/// A node by how it is written.
enum Form<'a> {
    Piece(&'a Piece),
    Body(&'a Body),
    Block(&'a Block),
}

impl Node {
    fn form(&self) -> Form<'_> {
        match self {
            Self::Text(piece) | Self::SingleStepFlag(piece) | Self::ToolEvent(piece) | Self::StrayEnd(_, piece) => {
                Form::Piece(piece)
            }
            Self::ToolInput(body) | Self::ToolResult(body) | Self::UserInput(body) | Self::ErrorJson(body) => {
                Form::Body(body)
            }
            Self::Step(step) => Form::Block(&step.block),
            Self::Thinking(thinking) => Form::Block(&thinking.block),
            Self::Tool(tool) => Form::Block(&tool.block),
            Self::Checkpoint(checkpoint) => Form::Block(&checkpoint.block),
            Self::InputRequired(input) => Form::Block(&input.block),
            Self::Error(error) => Form::Block(&error.block),
        }
    }

    /// Where it stands in the text, tags included, in bytes.
    pub fn span(&self) -> Span {
        match self.form() {
            Form::Piece(piece) => piece.span(),
            Form::Body(body) => body.span(),
            Form::Block(block) => block.span(),
        }
    }

    /// What lies in it; nothing lies in text and bodies.
    pub fn children(&self) -> &[Node] {
        match self.form() {
            Form::Block(block) => &block.children,
            Form::Piece(_) | Form::Body(_) => &[],
        }
    }

    /// Its block, if it is one.
    pub fn block(&self) -> Option<&Block> {
        match self.form() {
            Form::Block(block) => Some(block),
            Form::Piece(_) | Form::Body(_) => None,
        }
    }

    /// Its body, if it is one.
    pub fn body(&self) -> Option<&Body> {
        match self.form() {
            Form::Body(body) => Some(body),
            Form::Piece(_) | Form::Block(_) => None,
        }
    }
}

/// Writes the text of the node as it came.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form() {
            Form::Piece(piece) => f.write_str(piece.as_str()),
            Form::Body(body) => {
                f.write_str(body.open.as_str())?;
                f.write_str(body.content.as_str())?;
                f.write_str(body.close.as_ref().map_or("", Piece::as_str))
            }
            Form::Block(block) => {
                f.write_str(block.open.as_str())?;
                for child in &block.children {
                    fmt::Display::fmt(child, f)?;
                }
                f.write_str(block.close.as_ref().map_or("", Piece::as_str))
            }
        }
    }
}

/// The tags of a block and what lies between them.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// The start tag.
    pub open: Piece,
    /// What lies in the block.
    pub children: Vec<Node>,
    /// The end tag, if there is one.
    pub close: Option<Piece>,
}

impl Block {
    pub(super) const fn new(open: Piece, children: Vec<Node>, close: Option<Piece>) -> Self {
        Self { open, children, close }
    }

    /// Where it stands in the text, tags included, in bytes.
    pub fn span(&self) -> Span {
        let end = match (&self.close, self.children.last()) {
            (Some(close), _) => close.span().end,
            (None, Some(last)) => last.span().end,
            (None, None) => self.open.span().end,
        };
        Span::new(self.open.span().start, end)
    }

    /// The text that the block begins with.
    fn head(&self) -> Option<&Piece> {
        match self.children.first() {
            Some(Node::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// A block that holds JSON.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Body {
    /// The start tag.
    pub open: Piece,
    /// What stands between the tags, white space included.
    pub content: Piece,
    /// The end tag, if there is one.
    pub close: Option<Piece>,
}

impl Body {
    pub(super) const fn new(open: Piece, content: Piece, close: Option<Piece>) -> Self {
        Self { open, content, close }
    }

    /// The content, if it is JSON, nested at most 1024 levels.
    pub fn json(&self) -> Option<Json> {
        let mut cursor = Cursor::new(self.content.as_str(), MAX_DEPTH);
        let value = cursor.raw().ok()?;
        cursor.end().ok()?;
        Some(Json::from_valid(value))
    }

    /// Where it stands in the text, tags included, in bytes.
    pub fn span(&self) -> Span {
        Span::new(self.open.span().start, self.close.as_ref().unwrap_or(&self.content).span().end)
    }
}

/// A step of the agent's plan.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The first line, such as `Step 1: Search ✓`; none if another block comes first.
    pub title: Option<Piece>,
    /// Whether `SINGLE_STEP_FLAG` stands in it: the agent has this step only.
    pub single_step_flag: bool,
    /// Its tags, and what it holds, title included.
    pub block: Block,
}

impl Step {
    pub(super) fn new(block: Block, single_step_flag: bool) -> Self {
        Self { title: title(&block.children), single_step_flag, block }
    }

    /// Whether the title ends with the check mark of a step that is done.
    pub fn is_done(&self) -> bool {
        self.title.as_ref().is_some_and(|title| title.as_str().ends_with('✓'))
    }
}

fn title(children: &[Node]) -> Option<Piece> {
    for child in children {
        match child {
            Node::Text(text) => {
                if let Some(line) = text.lines().find(|line| !line.span().is_empty()) {
                    return Some(line);
                }
            }
            Node::SingleStepFlag(_) => {}
            _ => return None,
        }
    }
    None
}

/// A thought of the agent.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thinking {
    /// Its tags, and what it holds.
    pub block: Block,
}

impl Thinking {
    pub(super) const fn new(block: Block) -> Self {
        Self { block }
    }
}

/// A tool call.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tool {
    /// The tool: what stands before the first `:` of the tag.
    pub name: Piece,
    /// The tool execution: what stands behind it; empty if there is no `:`.
    pub id: Piece,
    /// Its tags, and what it holds.
    pub block: Block,
}

impl Tool {
    pub(super) fn new(label: &Piece, block: Block) -> Self {
        let Span { start, end } = label.span();
        let colon = label.as_str().find(':').map_or(end, |colon| start + colon);
        Self { name: label.at(start, colon), id: label.at(end.min(colon + 1), end), block }
    }

    /// What the tool was called with: the first `TOOL_STEP_INPUT` in the block.
    pub fn input(&self) -> Option<&Body> {
        self.block.children.iter().find_map(|child| match child {
            Node::ToolInput(body) => Some(body),
            _ => None,
        })
    }

    /// What came out of it: the first `TOOL_STEP_RESULT` in the block.
    pub fn result(&self) -> Option<&Body> {
        self.block.children.iter().find_map(|child| match child {
            Node::ToolResult(body) => Some(body),
            _ => None,
        })
    }
}

/// A checkpoint.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// What stands behind `Checkpoint:`.
    pub name: Option<Piece>,
    /// Its tags, and what it holds.
    pub block: Block,
}

impl Checkpoint {
    pub(super) fn new(block: Block) -> Self {
        let name = block.head().and_then(|head| head.lines().find_map(|line| line.behind("Checkpoint:")));
        Self { name, block }
    }
}

const INPUT_TYPES: &str = "Expected input types:";
const CHECKPOINT_NAME: &str = "checkpoint_name:";

/// A question to the user.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputRequired {
    /// The question: what stands before the line of the input types.
    pub prompt: Option<Piece>,
    /// The forms that the answer may have, as one text; see [`input_types`](Self::input_types).
    pub types: Option<Piece>,
    /// The checkpoint that the agent waits at. Blocks with an answer have been seen without.
    pub checkpoint_name: Option<Piece>,
    /// Its tags, and what it holds.
    pub block: Block,
}

impl InputRequired {
    pub(super) fn new(block: Block) -> Self {
        let Some(head) = block.head() else {
            return Self { prompt: None, types: None, checkpoint_name: None, block };
        };
        // The last such lines: a prompt may quote them.
        let line_of = |prefix: &str| head.lines().filter(|line| line.as_str().starts_with(prefix)).last();
        let (types, name) = (line_of(INPUT_TYPES), line_of(CHECKPOINT_NAME));
        let prompt_end = types.as_ref().or(name.as_ref()).map_or(head.span().end, |line| line.span().start);
        let prompt = head.at(head.span().start, prompt_end).trimmed();
        Self {
            prompt: Some(prompt).filter(|prompt| !prompt.span().is_empty()),
            types: types.and_then(|line| line.behind(INPUT_TYPES)),
            checkpoint_name: name.and_then(|line| line.behind(CHECKPOINT_NAME)),
            block,
        }
    }

    /// The forms that the answer may have, such as `text` and `json`.
    pub fn input_types(&self) -> impl Iterator<Item = &str> {
        let types = self.types.as_ref().map_or("", Piece::as_str);
        types.split(',').map(str::trim).filter(|kind| !kind.is_empty())
    }

    /// The user's answer, in samples an object of `input` and `type`.
    pub fn answer(&self) -> Option<&Body> {
        self.block.children.iter().find_map(|child| match child {
            Node::UserInput(body) => Some(body),
            _ => None,
        })
    }
}

/// What went wrong.
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorBlock {
    /// The text, without `Error:` before it.
    pub message: Option<Piece>,
    /// Its tags, and what it holds.
    pub block: Block,
}

impl ErrorBlock {
    pub(super) fn new(block: Block) -> Self {
        let message = block.head().map(Piece::trimmed);
        let message = message.map(|text| text.behind("Error:").unwrap_or(text));
        Self { message: message.filter(|text| !text.span().is_empty()), block }
    }
}
