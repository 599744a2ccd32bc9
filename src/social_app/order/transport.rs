//! The lines of frames: the type again, and a stream id that grows.

use super::super::rules;
use super::super::stream_id::StreamId;
use crate::check::finding::Reporter;
use crate::check::history::Keys;
use crate::check::order::Delivery;
use crate::check::{Field, Input};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH};
use crate::wire::tag;

/// What is known of the frames so far.
#[derive(Debug, Default)]
pub(super) struct Transport {
    keys: Keys,
    /// The id of the frame before, and the key of its data.
    last: Option<(StreamId, u64)>,
}

impl Transport {
    pub(super) fn deliver(&mut self, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        let Some(envelope) = input.envelope else { return Delivery::New };
        let found = report.findings.len();
        Self::event_line(envelope.name, input, report);
        let delivery = self.id_line(envelope.id, input, report);
        // Of a frame that holds no event nothing else is said.
        if report.findings.len() > found && !is_object(input.bytes()) {
            report.findings.truncate(found);
        }
        delivery
    }

    fn event_line(name: Option<Field<'_>>, input: &Input<'_>, report: &mut Reporter<'_>) {
        let root = Path::default();
        let Some(name) = name else {
            report.add(&rules::FRAME_EVENT_MISSING, &root, 0..0, "the frame has no event line");
            return;
        };
        let text = std::str::from_utf8(input.bytes()).unwrap_or_default();
        let Ok(Some(tag)) = tag::search(&Cursor::new(text, MAX_DEPTH), "type", true) else { return };
        let Some(kind) = tag.name().ok().filter(|kind| !kind.is_empty() && kind.as_bytes() != name.value) else {
            return;
        };
        let message = format!("the event line is {}, the type is {}", show(&lossy(name.value)), show(&kind));
        report.add_elsewhere(&rules::FRAME_EVENT_MISMATCH, name.place, name.value.len(), message);
    }

    fn id_line(&mut self, id: Option<Field<'_>>, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        let Some(field) = id else {
            report.add(&rules::FRAME_ID_MISSING, &Path::default(), 0..0, "the frame has no id line");
            return Delivery::New;
        };
        let mut add = |rule, message: &str| report.add_elsewhere(rule, field.place, field.value.len(), message);
        let Ok(id) = lossy(field.value).parse::<StreamId>() else {
            add(&rules::FRAME_ID_FORM, "the id is not two unsigned integers of 64 bits joined by a hyphen");
            return Delivery::New;
        };
        let data = self.keys.of(input.bytes());
        let before = self.last.replace((id, data));
        if let Some((last, _)) = before.filter(|(last, _)| *last >= id) {
            let message = if last == id { "the id is that of the frame before" } else { "the id goes back" };
            add(&rules::FRAME_ID_NOT_INCREASING, message);
        }
        if before == Some((id, data)) { Delivery::Repeated } else { Delivery::New }
    }
}

/// Whether the data of a frame is a JSON object.
fn is_object(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let mut cursor = Cursor::new(text, MAX_DEPTH);
    cursor.kind() == Ok(Kind::Object) && cursor.skip().is_ok() && cursor.end().is_ok()
}

fn lossy(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
