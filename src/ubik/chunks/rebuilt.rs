//! An event put together, and where each byte of it stands in the stream.

use std::fmt;
use std::sync::Arc;

use super::super::events::{ChunkId, Event, ToolEvent};
use super::decode;
use super::error::ChunkError;
use super::literal::{Piece, Pieces, half_length};
use crate::safe::show;
use crate::wire::span::{Location, Locator, Segment};
use crate::wire::text::Text;

/// The text of an event, joined from its fragments.
///
/// It may be a fragment itself, of an event that was split twice. `Debug` shows no text.
///
/// Since 0.1.0. Source: session events guide, tool streaming guide.
#[derive(Clone)]
#[non_exhaustive]
pub struct Rebuilt {
    /// The group of the fragments.
    pub chunk_id: ChunkId,
    /// The type of the event, `original_event_type` of its fragments.
    pub event_type: Box<str>,
    /// The joined text: the whole event, or its members without `type`.
    pub text: String,
    pub(super) parts: Vec<Part>,
}

impl Rebuilt {
    /// Decodes the text as an event of a session.
    ///
    /// # Errors
    /// When the text is not JSON, names another `type`, or is no event of its type.
    pub fn event(&self) -> Result<Event, ChunkError> {
        decode::event(&self.event_type, &self.text)
    }

    /// Decodes the text as an event of a tool execution.
    ///
    /// # Errors
    /// When the text is not JSON, or is no event of its type.
    pub fn tool_event(&self) -> Result<ToolEvent, ChunkError> {
        decode::tool_event(&self.event_type, &self.text)
    }

    /// Where byte `at` of the text stands in the stream; `None` if that was not said.
    pub(crate) fn place(&self, at: usize) -> Option<Location> {
        self.places().place(at)
    }

    /// Finds places one after another.
    pub(crate) fn places(&self) -> Places<'_> {
        Places { rebuilt: self, index: usize::MAX, text_at: 0, raw_at: 0, locator: Locator::default(), outer: None }
    }

    /// What it takes to keep the text and its places, in bytes.
    fn weight(&self) -> usize {
        let part = |part: &Part| part.raw.as_ref().map_or(0, |raw| raw.len()) + part.origin.weight();
        self.text.len() + self.parts.iter().map(part).sum::<usize>()
    }
}

impl fmt::Debug for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rebuilt")
            .field("chunk_id", &show(self.chunk_id.as_str()))
            .field("event_type", &show(&self.event_type))
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

/// The text of one fragment.
#[derive(Clone)]
pub(super) struct Part {
    /// Where it begins, in bytes.
    pub(super) start: usize,
    /// How many bytes of the literal belong to the part before.
    pub(super) skipped: usize,
    /// The literal, where it is not the text itself.
    pub(super) raw: Option<Box<str>>,
    pub(super) origin: Origin,
}

/// Where a literal stands.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Unknown,
    /// At byte `at` of an event's text, which stands in the stream as the segments say.
    Stream {
        text: &'a [u8],
        segments: &'a [Segment],
        at: usize,
    },
    /// At byte `at` of text that was rebuilt.
    Rebuilt {
        outer: &'a Arc<Rebuilt>,
        at: usize,
    },
}

/// A [`Source`] without the event's text.
#[derive(Clone)]
pub(super) enum Origin {
    Unknown,
    /// The segments of the literal, the first at its beginning.
    Stream(Vec<Segment>),
    Rebuilt(Arc<Rebuilt>, usize),
}

impl Source<'_> {
    /// What has to be kept to find places in a literal of `length` bytes.
    pub(super) fn keep(self, length: usize) -> Origin {
        match self {
            Self::Unknown => Origin::Unknown,
            Self::Stream { text, segments, at } => {
                let first = Locator::default().locate(text, segments, at);
                let first = Segment::at(first);
                let inside = segments.iter().filter(|segment| (at + 1..at + length).contains(&segment.start));
                let inside = inside.map(|segment| Segment { start: segment.start - at, ..*segment });
                Origin::Stream(std::iter::once(first).chain(inside).collect())
            }
            Self::Rebuilt { outer, at } => Origin::Rebuilt(Arc::clone(outer), at),
        }
    }
}

impl Origin {
    pub(super) const fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown)
    }

    /// Where the literal begins.
    pub(super) fn start(&self) -> Option<Location> {
        match self {
            Self::Unknown => None,
            Self::Stream(segments) => segments.first().map(Segment::location),
            Self::Rebuilt(outer, at) => outer.place(*at),
        }
    }

    /// What it takes to keep, in bytes.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Unknown => 0,
            Self::Stream(segments) => size_of_val(segments.as_slice()),
            Self::Rebuilt(outer, _) => outer.weight(),
        }
    }
}

/// Finds places one after another: what lies before the last one is not read again.
pub(crate) struct Places<'r> {
    rebuilt: &'r Rebuilt,
    /// The part of the last place.
    index: usize,
    /// How far it was read, in the text and in its literal.
    text_at: usize,
    raw_at: usize,
    locator: Locator,
    outer: Option<Box<Places<'r>>>,
}

impl Places<'_> {
    /// Where byte `at` of the text stands in the stream; `None` if that was not said. A byte
    /// that came as an escape stands where the escape begins.
    pub(crate) fn place(&mut self, at: usize) -> Option<Location> {
        let rebuilt = self.rebuilt;
        let mut at = at.min(rebuilt.text.len());
        while !rebuilt.text.is_char_boundary(at) {
            at -= 1;
        }
        let index = rebuilt.parts.partition_point(|part| part.start <= at).checked_sub(1)?;
        let part = rebuilt.parts.get(index)?;
        if index != self.index || at < self.text_at {
            *self = Self { index, text_at: part.start, raw_at: part.skipped, ..rebuilt.places() };
        }
        let literal: &str = if let Some(raw) = &part.raw {
            self.read(raw, at);
            raw
        } else {
            self.raw_at = at - part.start;
            let end = rebuilt.parts.get(index + 1).map_or(rebuilt.text.len(), |next| next.start);
            rebuilt.text.get(part.start..end).unwrap_or_default()
        };
        match &part.origin {
            Origin::Unknown => None,
            Origin::Stream(segments) => Some(self.locator.locate(literal.as_bytes(), segments, self.raw_at)),
            Origin::Rebuilt(outer, offset) => {
                let outer = self.outer.get_or_insert_with(|| Box::new(outer.places()));
                outer.place(offset + self.raw_at)
            }
        }
    }

    /// Reads a literal up to the piece that stands for byte `at` of the text.
    fn read(&mut self, literal: &str, at: usize) {
        let raw = literal.get(self.raw_at..).unwrap_or_default();
        for (length, piece) in Pieces::of(Text { raw, escaped: true }) {
            let size = match piece {
                Piece::Plain(text) if self.text_at + text.len() > at => {
                    self.raw_at += at - self.text_at;
                    self.text_at = at;
                    return;
                }
                Piece::Plain(text) => text.len(),
                Piece::Escape(c) => c.len_utf8(),
                Piece::Half(_) => half_length(self.rebuilt.text.as_bytes().get(self.text_at..).unwrap_or_default()),
            };
            if self.text_at + size > at {
                return;
            }
            self.text_at += size;
            self.raw_at += length;
        }
    }
}
