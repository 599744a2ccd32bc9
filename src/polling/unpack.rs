//! Whether an input is an event, or the response to a poll with several.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::order::alike::Alike;
use super::order::content::{idx_of, key_of_value};
use crate::check::FrameFields;
use crate::check::holds::{Batch, Holds};
use crate::wire::number::count;
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
    let mut found = Found::read(&mut cursor, true)?;
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
    /// `may_hold`: one of them may be a response.
    fn read(cursor: &mut Cursor<'_>, may_hold: bool) -> Result<Self, SyntaxError> {
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
                    // Servers take what is no number, or a negative one, for 0.
                    found.asked = count(from).or(Some(0));
                    found.has_more |= count(from).is_none();
                    continue;
                }
                ("data", Kind::Object) => {
                    (found.list_in_data, found.has_more) = (list_in(cursor)?, true);
                    continue;
                }
                ("events", Kind::Array) => {
                    (found.list, found.has_more) = (Some(List::read(cursor)?), true);
                    continue;
                }
                ("response", kind) if may_hold => {
                    // The last of several counts, and the others are read nowhere else.
                    found.has_more |= found.response.is_some();
                    let mut response = Self::default();
                    if kind == Kind::Object {
                        response = Self::read(cursor, false)?;
                    } else {
                        cursor.skip()?;
                    }
                    found.response = Some((start..cursor.offset(), response.into()));
                    continue;
                }
                ("idx" | "type", _) => found.is_event = true,
                ("success" | "next_offset" | "status", _) => found.is_response = true,
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
        let in_data = self.list_in_data.is_some();
        let [beside, within] = if path.steps().is_empty() { &LISTS.0 } else { &LISTS.1 };
        let list_path = if in_data { within } else { beside }.clone();
        let list = self.list_in_data.or(self.list);
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

/// The list of events in the object that comes next.
fn list_in(cursor: &mut Cursor<'_>) -> Result<Option<List>, SyntaxError> {
    let mut list = None;
    let mut first = true;
    cursor.open(b'{')?;
    while let Some(key) = cursor.member(&mut first)? {
        if cursor.kind()? == Kind::Array && key.lossy() == "events" {
            list = Some(List::read(cursor)?);
        } else {
            cursor.skip()?;
        }
    }
    Ok(list)
}

/// Where a list of events stands, beside `data` or in it: of a response, and of one that is the member `response`.
static LISTS: LazyLock<([Path; 2], [Path; 2])> = LazyLock::new(|| {
    let of = |paths: [&str; 2]| paths.map(Path::of_dotted);
    (of(["events", "data.events"]), of(["response.events", "response.data.events"]))
});

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
