//! What the text of an input holds: an event, the content of one whose type stands beside
//! it, or several events.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::input::FrameFields;
use super::rule::Rule;
use crate::wire::path::Path;
use crate::wire::span::Location;

/// What the text of an input holds.
pub(crate) enum Holds<'a> {
    /// The text is an event of the schema that the settings ask for.
    Event,
    /// A part of the text is the content of an event, whose type is told beside it.
    Content(Content<'a>),
    /// The text holds several events.
    Batch(Batch),
}

/// The content of an event whose type stands elsewhere.
pub(crate) struct Content<'a> {
    /// The schema that has an event of that type: an object of which the content is a member.
    pub(crate) schema: usize,
    /// The member of that object that is the content.
    pub(crate) member: &'static str,
    /// The type.
    pub(crate) tag: Cow<'a, str>,
    /// Where the content lies in the text.
    pub(crate) span: Range<usize>,
    pub(crate) path: Path,
    /// The protocol writes such an event in another way, and phase 2 has to report that.
    pub(crate) odd: bool,
}

/// Several events in one value, such as the answer to a poll.
pub(crate) struct Batch {
    /// Where that value lies in the text.
    pub(crate) span: Range<usize>,
    pub(crate) path: Path,
    /// Whether more stands around it than the number from which on events were asked for.
    pub(crate) has_around: bool,
    /// Where the list of events lies in the text, from its bracket on.
    pub(crate) list: Option<Range<usize>>,
    pub(crate) list_path: Path,
    /// Where each of the events lies.
    pub(crate) events: Arc<Vec<Range<usize>>>,
    /// What each of them says, as a key.
    pub(crate) contents: Arc<Vec<u64>>,
    /// The number of the first of them.
    pub(crate) first_idx: Option<u64>,
    /// The number of the last of them.
    pub(crate) last_idx: Option<u64>,
    /// From which number on events were asked for, where that was recorded.
    pub(crate) asked: Option<u64>,
}

/// Reads what the text of an input holds. `u8` is the era that the stream has shown.
pub(crate) type Unpack = for<'a> fn(&'a str, Option<&FrameFields<'a>>, u8) -> Holds<'a>;

/// Finds where bytes of a text stand in the stream.
pub(crate) type Places = dyn Fn(&[usize]) -> Vec<Location>;

/// How many times over an event may be put together, each time of pieces that were put
/// together.
pub(crate) const NESTING: usize = 4;

/// An event that was put together of pieces of several inputs.
pub(crate) struct Rebuilt {
    pub(crate) text: String,
    /// Its type, where the text does not have it.
    pub(crate) name: Option<String>,
    /// Where bytes of the text stand in the stream, asked for in rising order.
    pub(crate) places: Box<Places>,
    /// What is reported instead of an error of the schema.
    pub(crate) invalid: &'static Rule,
}

impl std::fmt::Debug for Rebuilt {
    /// Shows nothing of the event.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rebuilt").field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}
