//! Whether an input is an event, or the response to a poll with several.

use std::ops::Range;
use std::sync::Arc;

use super::order::alike::Alike;
use super::order::content::{idx_of, key_of_value};
use crate::check::FrameFields;
use crate::check::holds::{Batch, Holds};
use crate::wire::number::place;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH, SyntaxError};

/// What an input holds: an envelope, a response, or what was asked (`from`) with the response.
pub(super) fn unpack<'a>(text: &'a str, _: Option<&FrameFields<'a>>, _: u8) -> Holds<'a> {
    // Most are envelopes, and begin with their number.
    if text.trim_start().starts_with("{\"idx\"") {
        return Holds::Event;
    }
    response(text).ok().flatten().map_or(Holds::Event, Holds::Batch)
}

fn response(text: &str) -> Result<Option<Batch>, SyntaxError> {
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    if cursor.kind()? != Kind::Object {
        return Ok(None);
    }
    let start = cursor.offset();
    let mut found = Found::read(&mut cursor, 0)?;
    cursor.end()?;
    if let (Some((span, response)), None, false) = (found.response.take(), &found.list, found.is_event) {
        let batch = response.batch(text, span, Path::of("response"), found.asked);
        return Ok(batch.map(|batch| Batch { has_around: found.has_more, ..batch }));
    }
    let whole = start..cursor.offset();
    Ok(found.batch(text, whole, Path::default(), None))
}

/// What the members of an object are.
#[derive(Default)]
struct Found {
    /// It is an event.
    is_event: bool,
    /// It has members that only responses have.
    is_response: bool,
    /// One of them is `next_offset`, which no payload of an event has.
    has_offset: bool,
    asked: Option<u64>,
    /// It has more than a number that was asked for, and a response.
    has_more: bool,
    /// The response within, and where it lies.
    response: Option<(Range<usize>, Box<Self>)>,
    list: Option<List>,
    list_in_data: Option<List>,
}

/// A list of events, where each of them lies, and what it says.
struct List {
    span: Range<usize>,
    events: Vec<Range<usize>>,
    contents: Vec<u64>,
}

impl Found {
    /// `level`: a response may be a member of the whole, and [`IN_DATA`] there is neither a response nor `data`.
    fn read(cursor: &mut Cursor<'_>, level: u8) -> Result<Self, SyntaxError> {
        let mut found = Self::default();
        let mut first = true;
        cursor.open(b'{')?;
        while let Some(key) = cursor.member(&mut first)? {
            let kind = cursor.kind()?;
            let start = cursor.offset();
            let key = key.lossy();
            match (&*key, kind) {
                ("from", Kind::Number | Kind::String) => {
                    // As a parameter of the request it is text.
                    let from = if kind == Kind::Number { cursor.number()? } else { cursor.string()?.raw };
                    let from = place(from);
                    // Servers take what is no number, or a negative one, for 0.
                    found.asked = from.or(Some(0));
                    found.has_more |= from.is_none();
                    continue;
                }
                ("data", Kind::Object) if level < IN_DATA => {
                    let data = Self::read(cursor, IN_DATA)?;
                    (found.list_in_data, found.has_more) = (data.list, true);
                    found.is_response |= data.has_offset;
                    continue;
                }
                ("events", Kind::Array) => {
                    (found.list, found.has_more) = (Some(List::read(cursor)?), true);
                    continue;
                }
                ("response", kind) if level == 0 => {
                    // The last of several counts, and the others are read nowhere else.
                    found.has_more |= found.response.is_some();
                    let mut response = Self::default();
                    if kind == Kind::Object {
                        response = Self::read(cursor, level + 1)?;
                    } else {
                        cursor.skip()?;
                    }
                    found.response = Some((start..cursor.offset(), response.into()));
                    continue;
                }
                ("idx" | "type", _) => found.is_event = true,
                ("next_offset", _) => (found.is_response, found.has_offset) = (true, true),
                ("success" | "status", _) => found.is_response = true,
                _ => {}
            }
            found.has_more = true;
            cursor.skip()?;
        }
        Ok(found)
    }

    fn batch(self, text: &str, span: Range<usize>, path: Path, asked: Option<u64>) -> Option<Batch> {
        let is_response =
            self.is_response || self.list.is_some() || self.list_in_data.is_some() || !path.steps().is_empty();
        if self.is_event || !is_response {
            return None;
        }
        let is_empty = |list: &List| list.events.is_empty();
        let has_beside = self.list.as_ref().is_some_and(|list| !is_empty(list));
        let in_data = self.list_in_data.as_ref().is_some_and(|list| !(has_beside && is_empty(list)));
        let list_path = if in_data { path.join("data").join("events") } else { path.join("events") };
        let list = if in_data { self.list_in_data } else { self.list };
        let (list, events, contents) = match list {
            Some(List { span, events, contents }) => (Some(span), events, contents),
            None => (None, Vec::new(), Vec::new()),
        };
        let idx = |span: &Range<usize>| idx_of(&text[span.clone()]);
        let (events, contents) = (Arc::new(events), Arc::new(contents));
        let (first_idx, last_idx) = (events.first().and_then(idx), events.last().and_then(idx));
        Some(Batch { has_around: false, span, path, list, list_path, events, contents, first_idx, last_idx, asked })
    }
}

/// The level of the members of `data`.
const IN_DATA: u8 = 2;

/// About what an event takes in a response, in bytes.
const AN_EVENT: usize = 256;

/// About so many events are few.
const FEW: usize = 3;

impl List {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, SyntaxError> {
        let start = cursor.offset();
        let about = (cursor.text().len() - start) / AN_EVENT;
        let (mut events, mut contents) = (Vec::with_capacity(about), Vec::with_capacity(about));
        // What few have in common is not worth being noted.
        let mut alike = (about > FEW).then(Alike::default);
        let mut first = true;
        cursor.open(b'[')?;
        while cursor.element(&mut first)? {
            cursor.kind()?;
            let start = cursor.offset();
            contents.push(match &mut alike {
                Some(alike) => alike.key_of_value(cursor)?,
                None => key_of_value(cursor)?,
            });
            events.push(start..cursor.offset());
        }
        Ok(Self { span: start..cursor.offset(), events, contents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_whatever_its_members_are_called() {
        let event = r#"{"type":"text_start","idx":1,"data":{},"ts":1,"response":{"success":true}}"#;
        assert!(matches!(unpack(event, None, 0), Holds::Event));
        let asked = r#"{"from":3,"response":{"success":true,"data":{"events":[{}]}}}"#;
        assert!(matches!(unpack(asked, None, 0), Holds::Batch(batch) if batch.asked == Some(3)));
    }
}
