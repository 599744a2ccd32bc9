//! From text in pieces to the tree.

use std::fmt;

use super::fault::{Fault, FaultKind};
use super::raw::{Raw, RawBlock, RawBody};
use super::tag::{self, BlockKind, BodyKind, Found, Next, Role, Span, Tag, TagKind};
use super::tree::Markup;
use crate::check::limits::limits;
use crate::wire::scan::{Cursor, MAX_DEPTH};

limits! {
    /// Bounds on what a [`Parser`] holds.
    ///
    /// Since 0.1.0. Source: this crate; the documentation has no limit.
    pub struct ParserLimits {
        /// How much text is held, in bytes. Default 16 MiB.
        ///
        /// Text beyond is dropped, and [`Markup::is_truncated`] says so.
        text_bytes: usize = 16 * 1024 * 1024,
        /// How many tags are held, each of which takes up to 400 bytes. Default 65 536.
        ///
        /// Text from the next tag on is dropped, and [`Markup::is_truncated`] says so.
        tags: usize = 65_536,
    }
}

impl ParserLimits {
    /// For a text that is held anyway, and may not lose anything.
    pub(in crate::ubik) const NONE: Self = Self::DEFAULT.with_text_bytes(usize::MAX).with_tags(usize::MAX);
}

/// Parses the text of a message that comes in pieces, cut anywhere.
///
/// However the text is cut, the tree is the same. Time is linear in the text.
///
/// ```
/// use agent_contracts::ubik::markup::{Markup, Node, Parser};
///
/// let mut parser = Parser::new();
/// for piece in ["<<STEP_ST", "ART>>\nStep 1: Search\nI ", "look.\n<<STEP", "_END>>"] {
///     parser.push(piece);
/// }
/// let markup = parser.finish();
/// let [Node::Step(step)] = markup.nodes() else { panic!() };
/// assert_eq!(step.title.as_ref().map(|title| title.as_str()), Some("Step 1: Search"));
/// assert_eq!(markup, Markup::parse("<<STEP_START>>\nStep 1: Search\nI look.\n<<STEP_END>>"));
/// ```
///
/// Since 0.1.0. Source: message structure guide.
#[derive(Clone)]
pub struct Parser {
    limits: ParserLimits,
    text: String,
    /// How many tags there are in it.
    tags: usize,
    truncated: bool,
    /// How far tags have been looked for.
    at: usize,
    /// Where the text begins that is in no node yet.
    run: usize,
    /// The open blocks, the outermost first.
    stack: Vec<RawBlock>,
    /// What came in the open tool, if one is open.
    call: Call,
    /// The open body; no block is open in it.
    body: Option<OpenBody>,
    ends: Ends,
    roots: Vec<Raw>,
    faults: Vec<Fault>,
    excuses: Excuses,
}

/// What came in a tool block.
#[derive(Clone, Copy, Default)]
struct Call {
    has_input: bool,
    result: Option<Tag>,
    /// A body was not JSON: it may have ended too early, at a tag that it quotes.
    broken: bool,
}

/// A body whose end has not been found.
#[derive(Clone, Copy)]
struct OpenBody {
    kind: BodyKind,
    open: Tag,
    /// From here on its end may come.
    searched: usize,
}

/// The end tags of bodies that were found last, by kind. One is found once, however many
/// bodies have lost theirs before it.
#[derive(Clone, Copy, Default)]
struct Ends {
    tool_input: Option<usize>,
    tool_result: Option<usize>,
    user_input: Option<usize>,
    error_json: Option<usize>,
}

/// There is none up to the end of the text.
const NO_END: usize = usize::MAX;

impl Ends {
    fn keep_found(&mut self) {
        for end in [&mut self.tool_input, &mut self.tool_result, &mut self.user_input, &mut self.error_json] {
            end.take_if(|end| *end == NO_END);
        }
    }

    const fn of(&mut self, kind: BodyKind) -> &mut Option<usize> {
        match kind {
            BodyKind::ToolInput => &mut self.tool_input,
            BodyKind::ToolResult => &mut self.tool_result,
            BodyKind::UserInput => &mut self.user_input,
            BodyKind::ErrorJson => &mut self.error_json,
        }
    }
}

/// Tags that are wrong only because of a fault that has been reported.
#[derive(Clone, Copy, Default)]
struct Excuses {
    /// End tags, a bit each.
    ends: u32,
    /// The end of the tool call of this label.
    tool: Option<Span>,
    /// The bodies, and the end, of a tool call without a start tag.
    headless: Option<BodyKind>,
}

impl Excuses {
    const fn bit(kind: TagKind) -> u32 {
        1 << kind as u32
    }

    const fn add(&mut self, kind: TagKind) {
        self.ends |= Self::bit(kind);
    }

    const fn take(&mut self, kind: TagKind) -> bool {
        let excused = self.ends & Self::bit(kind) != 0;
        self.ends &= !Self::bit(kind);
        excused
    }
}

/// What comes behind the text that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// More text, so what is unclear can wait.
    More,
    /// Nobody knows: what is open may have its end there.
    Unknown,
    /// Nothing.
    Nothing,
}

/// What the text of a body is, up to its end tag.
enum Content {
    Json,
    /// A value that ends here, and another tag behind it: the end tag is missing.
    Cut(usize),
    Other,
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// A parser at the beginning of a text.
    pub fn new() -> Self {
        Self::with_limits(ParserLimits::DEFAULT)
    }

    /// A parser within other limits.
    pub fn with_limits(limits: ParserLimits) -> Self {
        Self {
            limits,
            text: String::new(),
            tags: 0,
            truncated: false,
            at: 0,
            run: 0,
            stack: Vec::new(),
            call: Call::default(),
            body: None,
            ends: Ends::default(),
            roots: Vec::new(),
            faults: Vec::new(),
            excuses: Excuses::default(),
        }
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, piece: &str) {
        if self.truncated {
            return;
        }
        let room = self.limits.text_bytes.saturating_sub(self.text.len());
        if piece.len() <= room {
            self.text.push_str(piece);
        } else {
            let mut cut = room;
            while !piece.is_char_boundary(cut) {
                cut -= 1;
            }
            self.text.push_str(piece.get(..cut).unwrap_or_default());
            self.truncated = true;
        }
        self.advance(Behind::More);
    }

    /// Takes text in which nothing is a tag, on a line of its own.
    pub(in crate::ubik) fn push_plain(&mut self, text: &str) {
        self.text.push_str(text);
        self.at = self.text.len();
    }

    /// Says that the end of an open body does not come any more.
    pub(in crate::ubik) fn break_off(&mut self) {
        if self.body.is_some() {
            self.advance(Behind::Nothing);
            // That there was none says nothing of what comes.
            self.ends.keep_found();
        }
    }

    /// The text that has come, as far as it is held.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree of the text that has come. Blocks that are open have no end tag yet, which is
    /// no fault.
    pub fn so_far(&self) -> Markup {
        self.clone().end(Behind::Unknown)
    }

    /// The tree of the whole text. Blocks that are open are faults, unless the text was cut
    /// off at the limit.
    pub fn finish(self) -> Markup {
        let behind = self.behind();
        self.end(behind)
    }

    /// What comes behind the text where it is whole.
    const fn behind(&self) -> Behind {
        if self.truncated { Behind::Unknown } else { Behind::Nothing }
    }

    fn end(mut self, behind: Behind) -> Markup {
        self.settle(behind);
        Markup::new(&self.text, self.roots, self.faults, self.truncated)
    }

    fn settle(&mut self, behind: Behind) {
        self.advance(behind);
        // The last tag may have been one too many.
        let behind = if self.truncated { Behind::Unknown } else { behind };
        let end = self.text.len();
        self.take_text(end);
        while let Some(block) = self.stack.pop() {
            if behind == Behind::Nothing {
                self.fault(FaultKind::Unclosed, &block.open);
            }
            self.add(Raw::Block(block));
        }
        self.faults.sort_by_key(|fault| fault.span.start);
    }

    fn advance(&mut self, behind: Behind) {
        loop {
            if let Some(body) = self.body {
                if !self.end_body(body, behind) {
                    return;
                }
                continue;
            }
            match tag::find(self.text.as_bytes(), self.at, behind != Behind::More) {
                Next::Tag(tag) if self.tags == self.limits.tags => {
                    self.text.truncate(tag.span.start);
                    (self.at, self.truncated) = (self.text.len(), true);
                    return;
                }
                Next::Tag(tag) => {
                    self.tags += 1;
                    self.take_text(tag.span.start);
                    self.go_on_at(tag.span.end);
                    self.take(tag);
                }
                Next::Held(at) => {
                    self.at = at;
                    return;
                }
                Next::Nothing => {
                    self.at = self.text.len();
                    return;
                }
            }
        }
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn go_on_at(&mut self, at: usize) {
        self.at = at;
        self.run = at;
    }

    /// Makes a node of the text before `end`.
    fn take_text(&mut self, end: usize) {
        if self.run < end {
            self.add(Raw::Text(Span::new(self.run, end)));
            self.run = end;
        }
    }

    fn add(&mut self, raw: Raw) {
        match self.stack.last_mut() {
            Some(block) => block.children.push(raw),
            None => self.roots.push(raw),
        }
    }

    fn fault(&mut self, kind: FaultKind, tag: &Tag) {
        self.faults.push(Fault::new(kind, tag.kind, tag.span));
    }

    fn take(&mut self, tag: Tag) {
        match tag.kind.role() {
            Role::Open(kind) => self.open(kind, tag),
            Role::Close(kind) => self.close(kind, tag),
            Role::OpenBody(kind) => self.open_body(kind, tag),
            Role::CloseBody => self.stray(tag),
            Role::Flag => self.flag(tag),
            Role::Temporary => {
                self.fault(FaultKind::TemporaryStored, &tag);
                self.add(Raw::Mark(tag));
            }
        }
    }

    /// The place of the open block of a kind.
    fn place(&self, kind: BlockKind) -> Option<usize> {
        self.stack.iter().rposition(|block| block.kind == kind)
    }

    /// Leaves the blocks from `depth` on, which have no end tag.
    fn leave(&mut self, depth: usize) {
        while self.stack.len() > depth {
            let Some(block) = self.stack.pop() else { return };
            self.fault(FaultKind::Unclosed, &block.open);
            // It may come late, behind that of a block around it.
            if block.kind == BlockKind::Tool {
                self.excuses.tool = Some(block.open.label);
            } else {
                self.excuses.add(block.kind.end_tag());
            }
            self.add(Raw::Block(block));
        }
    }

    fn open(&mut self, kind: BlockKind, tag: Tag) {
        let depth = if kind == BlockKind::Step { Some(0) } else { self.place(kind) };
        if let Some(depth) = depth {
            self.leave(depth);
        }
        if kind == BlockKind::Tool {
            self.call = Call::default();
            self.excuses.headless = None;
        }
        self.stack.push(RawBlock { kind, open: tag, close: None, children: Vec::new(), flag: false });
    }

    fn close(&mut self, kind: BlockKind, tag: Tag) {
        let Some(place) = self.place(kind) else {
            self.stray(tag);
            return;
        };
        if kind == BlockKind::Tool
            && let Some(label) = self.stack.get(place).map(|block| block.open.label)
            && self.slice(label) != self.slice(tag.label)
        {
            if self.is_excused_tool(&tag) || self.call.broken {
                self.add(Raw::Mark(tag));
                return;
            }
            self.fault(FaultKind::ToolMismatch, &tag);
            self.excuses.tool = Some(label);
        }
        self.leave(place + 1);
        if let Some(mut block) = self.stack.pop() {
            block.close = Some(tag);
            self.add(Raw::Block(block));
        }
    }

    /// Whether this is the end of a tool call that was reported; it is so once.
    fn is_excused_tool(&mut self, tag: &Tag) -> bool {
        let excused = self.excuses.tool.is_some_and(|label| self.slice(label) == self.slice(tag.label));
        if excused {
            self.excuses.tool = None;
        }
        excused
    }

    /// An end tag that ends nothing.
    fn stray(&mut self, tag: Tag) {
        let excused = if tag.kind == TagKind::ToolStepEnd {
            self.is_excused_tool(&tag) || self.excuses.headless.take().is_some()
        } else {
            self.excuses.take(tag.kind)
        };
        if !excused {
            self.fault(FaultKind::EndWithoutStart, &tag);
        }
        self.add(Raw::Mark(tag));
    }

    fn flag(&mut self, tag: Tag) {
        if let Some(step) = self.stack.iter_mut().rfind(|block| block.kind == BlockKind::Step) {
            step.flag = true;
        } else {
            self.fault(FaultKind::Misplaced, &tag);
            self.excuses.add(TagKind::StepEnd);
        }
        self.add(Raw::Mark(tag));
    }

    fn open_body(&mut self, kind: BodyKind, tag: Tag) {
        match kind {
            BodyKind::ToolInput | BodyKind::ToolResult => self.call_body(kind, tag),
            BodyKind::UserInput => {
                if let Some(place) = self.place(BlockKind::InputRequired) {
                    self.leave(place + 1);
                } else {
                    self.fault(FaultKind::Misplaced, &tag);
                    self.excuses.add(TagKind::InputRequiredEnd);
                }
            }
            BodyKind::ErrorJson => {}
        }
        self.body = Some(OpenBody { kind, open: tag, searched: tag.span.end });
    }

    /// The input or the result of a tool call.
    fn call_body(&mut self, kind: BodyKind, tag: Tag) {
        let Some(place) = self.place(BlockKind::Tool) else {
            let follows = kind == BodyKind::ToolResult && self.excuses.headless == Some(BodyKind::ToolInput);
            if !follows {
                self.fault(FaultKind::Misplaced, &tag);
            }
            self.excuses.headless = Some(kind);
            return;
        };
        self.leave(place + 1);
        if kind == BodyKind::ToolResult {
            self.call.result = self.call.result.or(Some(tag));
            return;
        }
        if !self.call.has_input
            && let Some(result) = self.call.result
        {
            self.fault(FaultKind::Misplaced, &result);
        }
        self.call.has_input = true;
    }

    /// Ends the open body; `false` if its end may still come.
    fn end_body(&mut self, mut body: OpenBody, behind: Behind) -> bool {
        let start = body.open.span.end;
        let Some(end) = self.body_end(&body, behind) else {
            // The end tag may be there in part.
            body.searched = start.max(self.text.len().saturating_sub(body.kind.end_text().len() - 1));
            self.body = Some(body);
            return false;
        };
        self.body = None;
        if end == NO_END {
            let whole = self.text.len();
            if behind == Behind::Unknown {
                self.add_body(&body, whole, None);
            } else {
                let end = match tag::find(self.text.as_bytes(), start, true) {
                    Next::Tag(tag) => tag.span.start,
                    Next::Held(_) | Next::Nothing => whole,
                };
                self.cut_body(&body, end);
            }
            return true;
        }
        match self.content(Span::new(start, end)) {
            Content::Cut(end) => self.cut_body(&body, end),
            content => {
                if matches!(content, Content::Other) {
                    self.broken_body(&body, end);
                }
                self.add_body(&body, end, Some(Span::new(end, end + body.kind.end_text().len())));
            }
        }
        true
    }

    /// Where the end tag of the body stands; `None` if it may still come.
    fn body_end(&mut self, body: &OpenBody, behind: Behind) -> Option<usize> {
        let found = self.ends.of(body.kind);
        if let Some(end) = found.filter(|end| *end >= body.open.span.end) {
            return Some(end);
        }
        let rest = self.text.as_bytes().get(body.searched..).unwrap_or_default();
        *found = match memchr::memmem::find(rest, body.kind.end_text().as_bytes()) {
            Some(at) => Some(body.searched + at),
            None if behind == Behind::More => return None,
            None => Some(NO_END),
        };
        *found
    }

    fn content(&self, span: Span) -> Content {
        let mut cursor = Cursor::new(self.slice(span), MAX_DEPTH);
        if cursor.skip().is_err() {
            return Content::Other;
        }
        let end = span.start + cursor.offset();
        if cursor.end().is_ok() {
            return Content::Json;
        }
        cursor.skip_space();
        match tag::read(self.text.as_bytes(), span.start + cursor.offset()) {
            Found::Tag(tag) if !matches!(tag.kind.role(), Role::Flag | Role::Temporary) => Content::Cut(end),
            _ => Content::Other,
        }
    }

    /// A body without an end tag, up to `end`.
    fn cut_body(&mut self, body: &OpenBody, end: usize) {
        self.fault(FaultKind::Unclosed, &body.open);
        self.excuses.add(body.kind.end_tag());
        self.add_body(body, end, None);
    }

    /// A body that is not JSON. If it has ended at an end tag that it quotes, its own comes
    /// later.
    fn broken_body(&mut self, body: &OpenBody, end: usize) {
        let span = Span::new(body.open.span.end, end);
        self.faults.push(Fault::new(FaultKind::BodyNotJson, body.open.kind, span));
        self.excuses.add(body.kind.end_tag());
        if matches!(body.kind, BodyKind::ToolInput | BodyKind::ToolResult) {
            self.call.broken = true;
        }
    }

    fn add_body(&mut self, body: &OpenBody, end: usize, close: Option<Span>) {
        let content = Span::new(body.open.span.end, end);
        self.add(Raw::Body(RawBody { kind: body.kind, open: body.open, content, close }));
        self.go_on_at(close.map_or(end, |close| close.end));
    }
}

impl fmt::Debug for Parser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser")
            .field("limits", &self.limits)
            .field("bytes", &self.text.len())
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}

impl Markup {
    /// Parses a whole text, such as the content of a stored message, within the default limits.
    pub fn parse(text: &str) -> Self {
        Self::parse_within(text, ParserLimits::DEFAULT)
    }

    /// Whether something is wrong with the tags of a whole text.
    pub(crate) fn has_faults(text: &str) -> bool {
        let mut parser = Parser::new();
        parser.push(text);
        parser.settle(parser.behind());
        !parser.faults.is_empty()
    }

    /// Parses a whole text within other limits.
    pub fn parse_within(text: &str, limits: ParserLimits) -> Self {
        let mut parser = Parser::with_limits(limits);
        parser.push(text);
        parser.finish()
    }
}
