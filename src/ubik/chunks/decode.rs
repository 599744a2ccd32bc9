//! Joined text as an event.

use super::super::events::{Event, ToolEvent};
use super::error::ChunkError;
use crate::wire::Error;
use crate::wire::decode::{DEPTH, Decode};
use crate::wire::scan::Cursor;
use crate::wire::tag::search;

fn is_json(text: &str) -> Result<(), ChunkError> {
    let mut cursor = Cursor::new(text, DEPTH);
    let read = cursor.skip().and_then(|()| cursor.end());
    read.map_err(|error| ChunkError::JsonInvalid(Error::locate(error.into(), text)))
}

/// Whether the text names its type itself. The documentation leaves that open.
fn names_type(event_type: &str, text: &str) -> Result<bool, ChunkError> {
    is_json(text)?;
    match search(&Cursor::new(text, DEPTH), "type", true) {
        Ok(None) => Ok(false),
        Ok(Some(tag)) if tag.name().is_ok_and(|name| name == event_type) => Ok(true),
        Err(fault) if !text.trim_ascii_start().starts_with('{') => {
            Err(ChunkError::RebuiltInvalid(Error::locate(fault, text)))
        }
        _ => Err(ChunkError::RebuiltType),
    }
}

pub(super) fn event(event_type: &str, text: &str) -> Result<Event, ChunkError> {
    let is_whole = names_type(event_type, text)?;
    let Some((before, members)) = text.split_once('{').filter(|_| !is_whole) else {
        return Event::from_json(text).map_err(ChunkError::RebuiltInvalid);
    };
    let name = serde_json::to_string(event_type).unwrap_or_default();
    let comma = if members.trim_ascii_start().starts_with('}') { "" } else { "," };
    let tag = format!("\"type\":{name}{comma}");
    let whole = format!("{before}{{{tag}{members}");
    Event::decode(&mut Cursor::new(&whole, DEPTH)).map_err(|mut fault| {
        // Said of the text as it came.
        if fault.offset > before.len() {
            fault.offset = fault.offset.saturating_sub(tag.len()).max(before.len());
        }
        ChunkError::RebuiltInvalid(Error::locate(fault, text))
    })
}

pub(super) fn tool_event(event_type: &str, text: &str) -> Result<ToolEvent, ChunkError> {
    // A member named type is an output of the tool.
    is_json(text)?;
    ToolEvent::from_tagged_json(event_type, text).map_err(ChunkError::RebuiltInvalid)
}
