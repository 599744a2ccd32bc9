//! The tags, and how they are found in text.

/// The longest name and id of a tool tag together, with the `:` between them, in bytes.
///
/// Since 0.1.0. Source: this crate; the documentation has no limit.
pub const LABEL_BYTES: usize = 512;

/// A run of bytes of the text, from `start` up to but without `end`.
///
/// Since 0.1.0. Source: this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Its first byte, from 0.
    pub start: usize,
    /// The byte behind its last.
    pub end: usize,
}

impl Span {
    /// From `start` up to but without `end`, in bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// How many bytes it has.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

macro_rules! tags {
    ($( $kind:ident = $name:literal ),+ $(,)?) => {
        /// A tag of message text.
        ///
        /// Since 0.1.0. Source: message structure guide; `TOOL_EVENT_START` session
        /// events guide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum TagKind {
            $( #[doc = concat!("`<<", $name, ">>`")] $kind, )+
        }

        impl TagKind {
            /// Every tag.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The name in the text, such as `STEP_START` or `/thinking`; of a tool tag
            /// without the tool.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$kind => $name, )+
                }
            }
        }
    };
}

tags! {
    StepStart = "STEP_START",
    StepEnd = "STEP_END",
    SingleStepFlag = "SINGLE_STEP_FLAG",
    ThinkingStart = "thinking",
    ThinkingEnd = "/thinking",
    ToolStepStart = "TOOL_STEP_START",
    ToolStepInputStart = "TOOL_STEP_INPUT_START",
    ToolStepInputEnd = "TOOL_STEP_INPUT_END",
    ToolStepResultStart = "TOOL_STEP_RESULT_START",
    ToolStepResultEnd = "TOOL_STEP_RESULT_END",
    ToolStepEnd = "TOOL_STEP_END",
    CheckpointStart = "CHECKPOINT_START",
    CheckpointEnd = "CHECKPOINT_END",
    InputRequiredStart = "INPUT_REQUIRED_START",
    InputRequiredEnd = "INPUT_REQUIRED_END",
    UserInputProvidedStart = "USER_INPUT_PROVIDED_START",
    UserInputProvidedEnd = "USER_INPUT_PROVIDED_END",
    ErrorStart = "ERROR_START",
    ErrorEnd = "ERROR_END",
    ErrorJsonStart = "ERROR_JSON_START",
    ErrorJsonEnd = "ERROR_JSON_END",
    ToolEventStart = "TOOL_EVENT_START",
}

impl std::fmt::Display for TagKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A block that holds text and other blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Step,
    Thinking,
    Tool,
    Checkpoint,
    InputRequired,
    Error,
}

impl BlockKind {
    pub(super) const fn end_tag(self) -> TagKind {
        match self {
            Self::Step => TagKind::StepEnd,
            Self::Thinking => TagKind::ThinkingEnd,
            Self::Tool => TagKind::ToolStepEnd,
            Self::Checkpoint => TagKind::CheckpointEnd,
            Self::InputRequired => TagKind::InputRequiredEnd,
            Self::Error => TagKind::ErrorEnd,
        }
    }
}

/// A block that holds JSON, in which no tag counts but its own end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyKind {
    ToolInput,
    ToolResult,
    UserInput,
    ErrorJson,
}

impl BodyKind {
    pub(super) const fn end_tag(self) -> TagKind {
        match self {
            Self::ToolInput => TagKind::ToolStepInputEnd,
            Self::ToolResult => TagKind::ToolStepResultEnd,
            Self::UserInput => TagKind::UserInputProvidedEnd,
            Self::ErrorJson => TagKind::ErrorJsonEnd,
        }
    }

    /// The end tag as it stands in the text.
    pub(crate) const fn end_text(self) -> &'static str {
        match self {
            Self::ToolInput => "<<TOOL_STEP_INPUT_END>>",
            Self::ToolResult => "<<TOOL_STEP_RESULT_END>>",
            Self::UserInput => "<<USER_INPUT_PROVIDED_END>>",
            Self::ErrorJson => "<<ERROR_JSON_END>>",
        }
    }
}

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Open(BlockKind),
    Close(BlockKind),
    OpenBody(BodyKind),
    CloseBody,
    /// Says that the step is the only one.
    Flag,
    /// Stands in what clients show for a while.
    Temporary,
}

impl TagKind {
    pub(crate) const fn role(self) -> Role {
        match self {
            Self::StepStart => Role::Open(BlockKind::Step),
            Self::StepEnd => Role::Close(BlockKind::Step),
            Self::ThinkingStart => Role::Open(BlockKind::Thinking),
            Self::ThinkingEnd => Role::Close(BlockKind::Thinking),
            Self::ToolStepStart => Role::Open(BlockKind::Tool),
            Self::ToolStepEnd => Role::Close(BlockKind::Tool),
            Self::CheckpointStart => Role::Open(BlockKind::Checkpoint),
            Self::CheckpointEnd => Role::Close(BlockKind::Checkpoint),
            Self::InputRequiredStart => Role::Open(BlockKind::InputRequired),
            Self::InputRequiredEnd => Role::Close(BlockKind::InputRequired),
            Self::ErrorStart => Role::Open(BlockKind::Error),
            Self::ErrorEnd => Role::Close(BlockKind::Error),
            Self::ToolStepInputStart => Role::OpenBody(BodyKind::ToolInput),
            Self::ToolStepResultStart => Role::OpenBody(BodyKind::ToolResult),
            Self::UserInputProvidedStart => Role::OpenBody(BodyKind::UserInput),
            Self::ErrorJsonStart => Role::OpenBody(BodyKind::ErrorJson),
            Self::ToolStepInputEnd | Self::ToolStepResultEnd | Self::UserInputProvidedEnd | Self::ErrorJsonEnd => {
                Role::CloseBody
            }
            Self::SingleStepFlag => Role::Flag,
            Self::ToolEventStart => Role::Temporary,
        }
    }

    /// Whether the tag names a tool.
    const fn has_label(self) -> bool {
        matches!(self, Self::ToolStepStart | Self::ToolStepEnd)
    }
}

/// A tag in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) kind: TagKind,
    pub(crate) span: Span,
    /// Name and id of a tool tag; empty at the end of any other.
    pub(crate) label: Span,
}

impl Tag {
    /// The name and the id of a tool tag in this text.
    pub(crate) fn tool<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        let label = text.get(self.label.start..self.label.end).unwrap_or_default();
        label.split_once(':').unwrap_or((label, ""))
    }
}

/// What stands at a `<`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    Tag(Tag),
    /// The text ends before it is known.
    Partial,
    Text,
}

/// Where something ends, counted from its beginning.
enum End {
    At(usize),
    Partial,
    Nowhere,
}

/// The bytes with which names of tags begin.
const FIRST: &[u8] = b"STtCIUE/";

/// What stands at byte `at`.
pub(super) fn read(text: &[u8], at: usize) -> Found {
    let rest = text.get(at..).unwrap_or_default();
    let Some(inner) = rest.strip_prefix(b"<<") else {
        return if b"<<".starts_with(rest) { Found::Partial } else { Found::Text };
    };
    if inner.first().is_some_and(|first| !FIRST.contains(first)) {
        return Found::Text;
    }
    let mut partial = false;
    for kind in TagKind::ALL {
        let name = kind.as_str().as_bytes();
        let Some(tail) = inner.strip_prefix(name) else {
            partial |= name.starts_with(inner);
            continue;
        };
        let tail_at = at + 2 + name.len();
        let end = if kind.has_label() { label_end(tail) } else { plain_end(tail) };
        match end {
            End::At(end) => {
                let end = tail_at + end;
                let label = if kind.has_label() { Span::new(tail_at + 1, end - 2) } else { Span::new(end, end) };
                return Found::Tag(Tag { kind: *kind, span: Span::new(at, end), label });
            }
            End::Partial => partial = true,
            End::Nowhere => {}
        }
    }
    if partial { Found::Partial } else { Found::Text }
}

fn plain_end(tail: &[u8]) -> End {
    if tail.starts_with(b">>") {
        End::At(2)
    } else if b">>".starts_with(tail) {
        End::Partial
    } else {
        End::Nowhere
    }
}

/// The end of `/name:id>>`.
fn label_end(tail: &[u8]) -> End {
    let Some(label) = tail.strip_prefix(b"/") else {
        return if tail.is_empty() { End::Partial } else { End::Nowhere };
    };
    for (at, byte) in label.iter().enumerate().take(LABEL_BYTES + 1) {
        match byte {
            b'>' => match label.get(at + 1) {
                Some(b'>') => return End::At(1 + at + 2),
                Some(_) => {}
                None => return End::Partial,
            },
            b'<' | 0..=0x1F => return End::Nowhere,
            _ => {}
        }
    }
    if label.len() > LABEL_BYTES { End::Nowhere } else { End::Partial }
}

/// What a search for a tag has found.
pub(crate) enum Next {
    Tag(Tag),
    /// What stands at this byte is known when more text has come.
    Held(usize),
    Nothing,
}

/// The next tag from byte `from` on; `whole` says that no more text comes.
pub(crate) fn find(text: &[u8], mut from: usize, whole: bool) -> Next {
    while let Some(found) = memchr::memchr(b'<', text.get(from..).unwrap_or_default()) {
        let at = from + found;
        match read(text, at) {
            Found::Tag(tag) => return Next::Tag(tag),
            Found::Partial if !whole => return Next::Held(at),
            Found::Partial | Found::Text => from = at + 1,
        }
    }
    Next::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_where_they_stand() {
        for kind in TagKind::ALL {
            let label = if kind.has_label() { "/a:b" } else { "" };
            let text = format!("<<{kind}{label}>>");
            let Found::Tag(tag) = read(text.as_bytes(), 0) else { panic!("{text}") };
            assert_eq!((tag.kind, tag.span), (*kind, Span::new(0, text.len())), "{text}");
            assert_eq!(text.get(tag.label.start..tag.label.end), label.strip_prefix('/').or(Some("")), "{text}");
            for cut in 1..text.len() {
                assert!(matches!(read(&text.as_bytes()[..cut], 0), Found::Partial), "{text} cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_tag_is_text() {
        let long = format!("<<TOOL_STEP_START/{}>>", "x".repeat(LABEL_BYTES + 1));
        for text in [
            "<",
            "<<",
            "<a",
            "a << b",
            "<<STEP>>",
            "<<step_start>>",
            "<<STEP_START>",
            "<<STEP_START >>",
            "<<TOOL_STEP_START>>",
            "<<TOOL_STEP_START/a\nb>>",
            "<<TOOL_STEP_START/a<b>>",
            "<</STEP_START>>",
            long.as_str(),
        ] {
            assert!(matches!(find(text.as_bytes(), 0, true), Next::Nothing), "{text}");
        }
        let longest = format!("<<TOOL_STEP_START/{}>>", "x".repeat(LABEL_BYTES));
        assert!(matches!(read(longest.as_bytes(), 0), Found::Tag(_)));
        assert!(matches!(find(b"<<<STEP_END>>", 0, false), Next::Tag(tag) if tag.span == Span::new(1, 13)));
        assert!(matches!(find(b"ab<<STEP", 0, false), Next::Held(2)));
    }

    #[test]
    fn tags_begin_with_few_bytes() {
        for kind in TagKind::ALL {
            assert!(kind.as_str().as_bytes().first().is_some_and(|first| FIRST.contains(first)), "{kind}");
        }
    }

    #[test]
    fn end_tags_are_written_as_they_are_read() {
        for kind in [BodyKind::ToolInput, BodyKind::ToolResult, BodyKind::UserInput, BodyKind::ErrorJson] {
            assert_eq!(kind.end_text(), format!("<<{}>>", kind.end_tag()));
        }
    }
}
