//! The lines of frames: the type again, and a stream id that grows.

use super::super::redelivery::{Frames, Freshness};
use super::super::rules;
use super::super::stream_id::StreamId;
use crate::check::order::Delivery;
use crate::check::reporter::Reporter;
use crate::check::rule::Severity;
use crate::check::{Field, Input};
use crate::safe::show;
use crate::wire::path::Path;
use crate::wire::scan::{Cursor, Kind, MAX_DEPTH};
use crate::wire::tag;

/// What is known of the frames so far.
#[derive(Debug, Default)]
pub(super) struct Transport {
    frames: Frames,
    /// The id of the frame before.
    before: Option<StreamId>,
    /// Repeated frames were reported, and no new frame has come since.
    said: bool,
    /// The stream has ended inside of the last frame: receivers drop it.
    is_dropped: bool,
}

impl Transport {
    pub(super) fn deliver(&mut self, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        self.is_dropped = input.frame.is_some_and(|frame| frame.ending.is_none());
        let Some(frame) = input.frame else { return Delivery::New };
        let found = report.findings.len();
        Self::event_line(frame.name, input, report);
        let delivery = self.id_line(frame.id, input, report);
        // Of a frame that holds no event nothing else is said.
        if report.findings.len() > found && !is_object(input.bytes()) {
            report.findings.truncate(found);
        }
        delivery
    }

    /// Whether receivers drop the frame of the event that comes now.
    pub(super) const fn is_dropped(&self) -> bool {
        self.is_dropped
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
        report.add_at_field(&rules::FRAME_EVENT_MISMATCH, rules::FRAME_EVENT_MISMATCH.severity(), name, message);
    }

    fn id_line(&mut self, id: Option<Field<'_>>, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        let Some(field) = id else {
            report.add(&rules::FRAME_ID_MISSING, &Path::default(), 0..0, "the frame has no id line");
            return Delivery::New;
        };
        let Ok(id) = lossy(field.value).parse::<StreamId>() else {
            let message = "the id is not two unsigned integers of 64 bits joined by a hyphen";
            report.add_at_field(&rules::FRAME_ID_FORM, rules::FRAME_ID_FORM.severity(), field, message);
            return Delivery::New;
        };
        let goes_on = self.before.replace(id).is_some_and(|before| id > before);
        let (severity, message) = match self.frames.take(id, input.bytes()) {
            Freshness::New => {
                self.said = false;
                return Delivery::New;
            }
            Freshness::Repeated => {
                if !std::mem::replace(&mut self.said, true) {
                    let message = "the frame came before; it counts once, and so do all that are repeated with it";
                    report.add_at_field(&rules::FRAME_ID_NOT_INCREASING, Severity::Note, field, message);
                }
                return Delivery::Repeated;
            }
            Freshness::Changed => (Severity::Warning, "the id is that of a frame before, which had other content"),
            // That the ids have gone back is said once.
            Freshness::Late if goes_on => return Delivery::New,
            Freshness::Late => (Severity::Warning, "the id goes back"),
        };
        report.add_at_field(&rules::FRAME_ID_NOT_INCREASING, severity, field, message);
        Delivery::New
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
