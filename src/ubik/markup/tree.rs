//! The tree of a text, made of the places that the parser has found.

use std::fmt;
use std::slice;
use std::sync::Arc;

use super::fault::Fault;
use super::node::{Block, Body, Checkpoint, ErrorBlock, InputRequired, Node, Step, Thinking, Tool};
use super::piece::Piece;
use super::raw::{Raw, RawBlock, RawBody};
use super::tag::{BlockKind, BodyKind, Role, Span, Tag};

/// The text of a message as a tree, with what is wrong with its tags.
///
/// `Display` writes the text as it came, whatever it was.
///
/// ```
/// use agent_contracts::ubik::markup::{Markup, Node};
///
/// let markup = Markup::parse(
///     "<<TOOL_STEP_START/web_search:call_1>>\n<<TOOL_STEP_INPUT_START>>\n{\"query\":\"Paris\"}\n\
///      <<TOOL_STEP_INPUT_END>>\n<<TOOL_STEP_END/web_search:call_1>>",
/// );
/// let [Node::Tool(tool)] = markup.nodes() else { panic!() };
/// assert_eq!((tool.name.as_str(), tool.id.as_str()), ("web_search", "call_1"));
/// let query = tool.input().and_then(|input| input.json()?.get("query")?.as_string());
/// assert_eq!(query.as_deref(), Some("Paris"));
/// assert!(tool.result().is_none());
/// ```
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone, PartialEq, Eq)]
pub struct Markup {
    text: Arc<str>,
    nodes: Vec<Node>,
    faults: Vec<Fault>,
    truncated: bool,
}

impl Markup {
    pub(super) fn new(text: &str, raw: Vec<Raw>, faults: Vec<Fault>, truncated: bool) -> Self {
        let text: Arc<str> = Arc::from(text);
        let nodes = raw.into_iter().map(|raw| node(&text, raw)).collect();
        Self { text, nodes, faults, truncated }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands at the top level, in the order of the text.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What is wrong with the tags, in the order of the text.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Whether text was cut off at the limit of the parser. Blocks that are open there are
    /// no faults.
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Every node, each before what lies in it.
    pub fn walk(&self) -> Walk<'_> {
        Walk { levels: vec![self.nodes.iter()] }
    }

    /// The tool calls, in the order of the text.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.walk().filter_map(|node| match node {
            Node::Tool(tool) => Some(tool),
            _ => None,
        })
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.nodes.iter().try_for_each(|node| fmt::Display::fmt(node, f))
    }
}

impl fmt::Debug for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Markup")
            .field("nodes", &self.nodes)
            .field("faults", &self.faults)
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}

/// The nodes of a tree, each before what lies in it.
///
/// Since 0.1.0. Source: this crate.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    levels: Vec<slice::Iter<'a, Node>>,
}

impl<'a> Iterator for Walk<'a> {
    type Item = &'a Node;

    fn next(&mut self) -> Option<&'a Node> {
        loop {
            let Some(node) = self.levels.last_mut()?.next() else {
                self.levels.pop();
                continue;
            };
            if !node.children().is_empty() {
                self.levels.push(node.children().iter());
            }
            return Some(node);
        }
    }
}

fn piece(text: &Arc<str>, span: Span) -> Piece {
    Piece::new(Arc::clone(text), span)
}

fn node(text: &Arc<str>, raw: Raw) -> Node {
    match raw {
        Raw::Text(span) => Node::Text(piece(text, span)),
        Raw::Mark(tag) => mark(text, tag),
        Raw::Block(raw) => block(text, raw),
        Raw::Body(raw) => body(text, &raw),
    }
}

fn mark(text: &Arc<str>, tag: Tag) -> Node {
    let piece = piece(text, tag.span);
    match tag.kind.role() {
        Role::Flag => Node::SingleStepFlag(piece),
        Role::Temporary => Node::ToolEvent(piece),
        _ => Node::StrayEnd(tag.kind, piece),
    }
}

/// Calls itself for what lies in the block; blocks lie in at most five others.
fn block(text: &Arc<str>, raw: RawBlock) -> Node {
    let children = raw.children.into_iter().map(|child| node(text, child)).collect();
    let block = Block::new(piece(text, raw.open.span), children, raw.close.map(|tag| piece(text, tag.span)));
    match raw.kind {
        BlockKind::Step => Node::Step(Step::new(block, raw.flag)),
        BlockKind::Thinking => Node::Thinking(Thinking::new(block)),
        BlockKind::Tool => Node::Tool(Tool::new(&piece(text, raw.open.label), block)),
        BlockKind::Checkpoint => Node::Checkpoint(Checkpoint::new(block)),
        BlockKind::InputRequired => Node::InputRequired(InputRequired::new(block)),
        BlockKind::Error => Node::Error(ErrorBlock::new(block)),
    }
}

fn body(text: &Arc<str>, raw: &RawBody) -> Node {
    let close = raw.close.map(|close| piece(text, close));
    let body = Body::new(piece(text, raw.open.span), piece(text, raw.content), close);
    match raw.kind {
        BodyKind::ToolInput => Node::ToolInput(body),
        BodyKind::ToolResult => Node::ToolResult(body),
        BodyKind::UserInput => Node::UserInput(body),
        BodyKind::ErrorJson => Node::ErrorJson(body),
    }
}
