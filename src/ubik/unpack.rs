//! Whether an input holds an event of a session, which names its type, or one of a tool,
//! whose frame does.

use std::borrow::Cow;

use super::events::{DELTA_SUFFIX, EventType, ToolEventType};
use super::facts::{OF_TOOL, TOOL};
use crate::check::Envelope;
use crate::check::holds::{Content, Holds};
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use crate::wire::tag;

/// What an input holds. `era` is what the stream has shown to be.
pub(super) fn unpack<'a>(text: &'a str, envelope: Option<&Envelope<'a>>, era: u8) -> Holds<'a> {
    if tag::leading(text, "type").is_some() {
        return Holds::Event;
    }
    let seen = Members::of(text);
    if seen.has_type {
        return Holds::Event;
    }
    let content = |tag, span, path, odd| Holds::Content(Content { schema: TOOL, member: "data", tag, span, path, odd });
    let name = envelope.and_then(|envelope| envelope.name).map(|name| String::from_utf8_lossy(name.value));
    let whole = 0..text.len();
    match (name, seen.notation) {
        (Some(name), _) if !is_of_session(&name) => content(name, whole, Path::default(), false),
        (None, Some((name, data))) => content(name, data, Path::of("data"), true),
        // A frame of a tool without its name.
        (None, None) if envelope.is_some() && (era >= OF_TOOL || seen.is_of_tool) => {
            content(Cow::Borrowed(""), whole, Path::default(), true)
        }
        _ => Holds::Event,
    }
}

/// Whether only the stream of a session has events of that type.
fn is_of_session(name: &str) -> bool {
    let name = name.strip_suffix(DELTA_SUFFIX).unwrap_or(name);
    EventType::from_tag(name).is_some() && ToolEventType::from_tag(name).is_none()
}

/// What the members of an object show.
#[derive(Default)]
struct Members<'a> {
    has_type: bool,
    /// It has members that only the payloads of tools have, and none of a session's.
    is_of_tool: bool,
    /// Name and content of an object that stands for a frame.
    notation: Option<(Cow<'a, str>, std::ops::Range<usize>)>,
}

impl<'a> Members<'a> {
    fn of(text: &'a str) -> Self {
        let mut members = Self::default();
        let _ = members.read(text);
        members
    }

    fn read(&mut self, text: &'a str) -> Result<(), SyntaxError> {
        let mut cursor = Cursor::new(text, MAX_DEPTH);
        let (mut name, mut data, mut of_session) = (None, None, false);
        let mut first = true;
        cursor.open(b'{')?;
        while let Some(key) = cursor.member(&mut first)? {
            let kind = cursor.kind()?;
            let start = cursor.offset();
            match &*key.lossy() {
                "type" => {
                    self.has_type = true;
                    return Ok(());
                }
                "event" | "event_type" if kind == Kind::String => {
                    name = Some(cursor.string()?.lossy());
                    continue;
                }
                "data" if kind == Kind::Object => {
                    cursor.skip()?;
                    data = Some(start..cursor.offset());
                    continue;
                }
                "phase" | "output_key" | "execution_id" | "outputs" | "input_types" | "code" => self.is_of_tool = true,
                "timestamp" | "session_id" | "task_id" | "step" | "tool_execution_id" => of_session = true,
                _ => {}
            }
            cursor.skip()?;
        }
        self.is_of_tool &= !of_session;
        self.notation = name.zip(data);
        Ok(())
    }
}
