//! A located event: its text, where that stands, and what its transport says of it.

use crate::wire::bytes::utf8;
use crate::wire::span::Segment;

/// One event for a [`Checker`](super::Checker) to look at, however it was framed.
///
/// Since 0.1.0.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    text: Text<'a>,
    pub(crate) segments: &'a [Segment],
    pub(crate) frame: Option<FrameFields<'a>>,
    /// The stream ended before the text did.
    pub(crate) cut_off: bool,
}

/// Text that is known to be UTF-8, or that is not.
#[derive(Clone, Copy)]
enum Text<'a> {
    Utf8(&'a str),
    Bytes(&'a [u8]),
}

/// What a frame says of its event beside the text.
///
/// The default is a frame that has nothing but its event, and has ended.
///
/// Since 0.1.0.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct FrameFields<'a> {
    /// The event name, which SSE has in an `event` line.
    pub name: Option<Field<'a>>,
    /// The id, which SSE has in an `id` line.
    pub id: Option<Field<'a>>,
    /// What ended the frame; `None` when the stream ended instead.
    pub ending: Option<LineEnding>,
    /// Every `data` line of the frame is the bare word, without a colon.
    pub bare: bool,
}

impl Default for FrameFields<'_> {
    fn default() -> Self {
        Self { name: None, id: None, ending: Some(LineEnding::Lf), bare: false }
    }
}

/// A field of a frame and where its value stands.
///
/// Since 0.1.0.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field<'a> {
    /// The value.
    pub value: &'a [u8],
    /// Where it begins in the stream.
    pub place: Segment,
}

/// How a line of a stream ended.
///
/// Since 0.1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnding {
    /// Line feed.
    Lf,
    /// Carriage return.
    Cr,
    /// Carriage return and line feed.
    CrLf,
}

impl<'a> Field<'a> {
    /// A field with its value and place.
    pub const fn new(value: &'a [u8], place: Segment) -> Self {
        Self { value, place }
    }
}

impl<'a> Input<'a> {
    /// The JSON text of an event.
    pub const fn event(text: &'a str) -> Self {
        Self { text: Text::Utf8(text), segments: &[], frame: None, cut_off: false }
    }

    /// The JSON text of an event as bytes, which need not be UTF-8.
    pub const fn event_bytes(text: &'a [u8]) -> Self {
        Self { text: Text::Bytes(text), segments: &[], frame: None, cut_off: false }
    }

    /// Says where the text stands in the stream. Without it, places count from the text's own
    /// beginning.
    #[must_use]
    pub const fn at(mut self, segments: &'a [Segment]) -> Self {
        self.segments = segments;
        self
    }

    /// Says what the frame of the event says beside the text.
    #[must_use]
    pub const fn in_frame(mut self, frame: FrameFields<'a>) -> Self {
        self.frame = Some(frame);
        self
    }

    /// Says that the stream ended before the text did, so that the end may be missing.
    #[must_use]
    pub const fn cut_off(mut self, cut_off: bool) -> Self {
        self.cut_off = cut_off;
        self
    }

    /// The bytes of the text.
    pub const fn bytes(&self) -> &'a [u8] {
        match self.text {
            Text::Utf8(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    pub(crate) fn utf8(&self) -> Result<&'a str, std::str::Utf8Error> {
        match self.text {
            Text::Utf8(text) => Ok(text),
            Text::Bytes(bytes) => utf8(bytes),
        }
    }
}

impl std::fmt::Debug for Input<'_> {
    /// Shows nothing of the event.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("bytes", &self.bytes().len()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Field<'_> {
    /// Shows the size of the value alone.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("bytes", &self.value.len()).field("place", &self.place).finish()
    }
}

impl std::fmt::Debug for FrameFields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrameFields")
            .field("name", &self.name)
            .field("id", &self.id)
            .field("ending", &self.ending)
            .finish_non_exhaustive()
    }
}
