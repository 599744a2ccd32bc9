//! Whether an input holds an event of a session, which names its type, or one of a tool,
//! whose frame does.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Range;

use super::events::{DELTA_SUFFIX, EventType, ToolEventType, whole_type};
use super::facts::{OF_SESSION, OF_TOOL, TOOL};
use crate::check::FrameFields;
use crate::check::holds::{Content, Holds};
use crate::check::tree::Node;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};
use crate::wire::tag;

/// What an input holds. `era` is what the stream has shown to be.
pub(super) fn unpack<'a>(text: &'a str, frame: Option<&FrameFields<'a>>, era: u8) -> Holds<'a> {
    let name = frame.and_then(|frame| frame.name).map(|name| String::from_utf8_lossy(name.value));
    // Clients call every frame without a name "message", so that name says nothing.
    let name = name.filter(|name| name != "message");
    // Read at most once, and only where the first member does not tell.
    let seen = LazyCell::new(|| Members::of(text));
    // An output of a tool may be named type; a session's event of that name has its own type.
    let type_of = || tag::leading(text, "type").map(Cow::Borrowed).or_else(|| seen.kind.clone());
    let is_plainly_of_tool = |name: &str| {
        let whole = whole_type(name);
        era >= OF_TOOL || (ToolEventType::from_tag(whole).is_some() && EventType::from_tag(whole).is_none())
    };
    let is_so_by_members = || era == 0 && seen.is_of_tool();
    // In a session, an event that lacks its type is one all the same, under a name that tools have as well.
    let is_of_both = |name: &str| is_of_tool(name) && !is_plainly_of_tool(name);
    if era == OF_SESSION && name.as_deref().is_some_and(is_of_both) && type_of().is_none() && seen.of_session {
        return Holds::Event;
    }
    // Whatever its frame is called: no tool has an event of such a type, and a session names its types.
    let is_its_own = |own: &str| is_of_session(own) || (era == OF_SESSION && name.as_deref() == Some(own));
    let is_plainly_of_session = || era < OF_TOOL && type_of().is_some_and(|own| is_its_own(&own));
    let of_tool = name.as_deref().is_some_and(|name| {
        is_of_tool(name)
            && !is_plainly_of_session()
            && (is_plainly_of_tool(name) || type_of().is_none_or(|own| own != name) || is_so_by_members())
    });
    // The name of a frame may stand in the place where events of a session have theirs.
    let is_named_within = || {
        // A fragment does not show what it is of.
        let is_first = |own: &str| era == 0 && frame.is_some() && seen.is_of_tool() && !own.ends_with(DELTA_SUFFIX);
        let is_within = |own: Cow<'_, str>| is_of_tool(&own) && (era >= OF_TOOL || is_first(&own));
        name.is_none() && type_of().is_some_and(is_within) && !seen.of_session
    };
    let content = |tag, span, path, odd| Holds::Content(Content { schema: TOOL, member: "data", tag, span, path, odd });
    let whole = 0..text.len();
    // A session's event in the stream of a tool, unless it says itself that it is one.
    let is_stray = |name: &str| era >= OF_TOOL && is_of_session(name);
    if let Some(name) = name.clone().filter(|name| is_stray(name) && type_of().is_none()) {
        return content(name, whole, Path::default(), false);
    }
    if !of_tool && type_of().is_some() && !is_named_within() {
        return Holds::Event;
    }
    // A frame of a tool may lack its name: what the stream is says so, or else its members.
    let may_lack_name = era >= OF_TOOL || (era == 0 && frame.is_some() && seen.is_of_tool());
    // What a tool says may stand beside its name, and have details in `data`.
    let is_flat = seen.of_tool && !seen.of_session && !seen.has_content && seen.name.as_deref().is_some_and(is_of_tool);
    let lacks_content = era >= OF_TOOL && !seen.of_tool;
    let (inner, is_object) = (seen.name.clone(), seen.is_object);
    let data = seen.data.clone().filter(|_| !is_flat);
    match (name, inner) {
        // Named in the frame and in the JSON.
        (Some(name), Some(inner)) if name == inner && is_object && !is_flat => {
            content(name, data.unwrap_or(whole), Path::of("data"), true)
        }
        (Some(name), _) if !is_of_session(&name) => content(name, whole, Path::default(), false),
        // The content may be missing, or be of another kind.
        (None, Some(inner))
            if is_flat
                || ((is_stray(&inner) || !is_of_session(&inner))
                    && (is_object || (lacks_content && is_of_tool(&inner)))) =>
        {
            let path = if data.is_some() { Path::of("data") } else { Path::default() };
            content(inner, data.unwrap_or(whole), path, true)
        }
        (None, inner) if may_lack_name && !(is_object && inner.is_some()) => {
            content(Cow::Borrowed(""), whole, Path::default(), true)
        }
        _ => Holds::Event,
    }
}

/// Which member of an object that stands for a frame names its event, and where the name stands.
pub(super) fn name_in(text: &str) -> Option<(&'static str, Range<usize>)> {
    Members::of(text).name_at
}

/// Whether a tool's stream has events of that type.
fn is_of_tool(name: &str) -> bool {
    name.ends_with(DELTA_SUFFIX) || ToolEventType::from_tag(name).is_some()
}

/// Whether only the stream of a session has events of that type.
fn is_of_session(name: &str) -> bool {
    let name = whole_type(name);
    EventType::from_tag(name).is_some() && ToolEventType::from_tag(name).is_none()
}

/// Members that payloads of tools have, and one that details of a phase may have as well.
const PAYLOAD: [&str; 14] = [
    "phase",
    "status",
    "message",
    "content",
    "output_key",
    "prompt",
    "input_types",
    "timeout",
    "state",
    "execution_id",
    "outputs",
    "response",
    "code",
    "chunk_data",
];
const SOURCES: &str = "sources";

/// Members that every event of a session has one of, and no payload of a tool.
pub(super) const OF_EVENT: [&str; 6] =
    ["timestamp", "created_at", "session_id", "task_id", "step", "tool_execution_id"];

/// What the members of an object show.
#[derive(Default)]
struct Members<'a> {
    /// Its `type`; of one that is no string the empty text.
    kind: Option<Cow<'a, str>>,
    /// It has members that payloads of tools have.
    of_tool: bool,
    /// It has members that every event of a session has one of, and no payload of a tool.
    of_session: bool,
    /// Name and content of an object that stands for a frame, and whether the content is an object, as it has to be.
    name: Option<Cow<'a, str>>,
    name_at: Option<(&'static str, Range<usize>)>,
    data: Option<Range<usize>>,
    is_object: bool,
    /// The content has members that payloads of tools have.
    has_content: bool,
}

impl<'a> Members<'a> {
    fn of(text: &'a str) -> Self {
        let mut members = Self::default();
        let _ = members.read(text);
        members
    }

    fn is_of_tool(&self) -> bool {
        (self.of_tool || (self.data.is_some() && !self.is_object)) && !self.of_session
    }

    fn read(&mut self, text: &'a str) -> Result<(), SyntaxError> {
        let mut cursor = Cursor::new(text, MAX_DEPTH);
        let mut first = true;
        cursor.open(b'{')?;
        while let Some(key) = cursor.member(&mut first)? {
            let kind = cursor.kind()?;
            let start = cursor.offset();
            match &*key.lossy() {
                "type" if kind == Kind::String => {
                    self.kind = Some(cursor.string()?.lossy());
                    continue;
                }
                "type" => self.kind = Some(Cow::Borrowed("")),
                member @ ("event" | "event_type") if kind == Kind::String => {
                    self.name = Some(cursor.string()?.lossy());
                    let member = if member == "event" { "event" } else { "event_type" };
                    self.name_at = Some((member, start..cursor.offset()));
                    continue;
                }
                "data" => {
                    cursor.skip()?;
                    (self.data, self.is_object) = (Some(start..cursor.offset()), kind == Kind::Object);
                    self.has_content = has_content(cursor.since(start));
                    continue;
                }
                // A fragment says what it is a part of.
                "original_event_type" if kind == Kind::String => {
                    self.of_session |= is_of_session(&cursor.string()?.lossy());
                    continue;
                }
                name if name == SOURCES || PAYLOAD.contains(&name) => self.of_tool = true,
                name if OF_EVENT.contains(&name) => self.of_session = true,
                _ => {}
            }
            cursor.skip()?;
        }
        Ok(())
    }
}

/// Whether an object has members that payloads of tools have, and details of a phase have not.
fn has_content(text: &str) -> bool {
    let has_payload = |node: Node<'_>| node.members().iter().any(|member| PAYLOAD.contains(&&*member.key));
    Node::parse(text, MAX_DEPTH).is_ok_and(has_payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_event_is_found_in_either_member() {
        assert_eq!(name_in(r#"{"event_type":"tool_end","data":{}}"#), Some(("event_type", 14..24)));
        assert_eq!(name_in(r#"{"data":{"event":"x"},"event":7,"event":"tool_end"}"#), Some(("event", 40..50)));
        assert_eq!(name_in(r#"{"event":null}"#), None);
    }
}
