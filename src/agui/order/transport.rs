//! What the official reader makes of frames: data lines alone, ended by line feeds.

use crate::agui::rules;
use crate::check::order::Delivery;
use crate::check::reporter::Reporter;
use crate::check::{Field, Input, Limits, LineEnding};
use crate::wire::path::Path;
use crate::wire::scan::Cursor;
use crate::wire::tag;

/// What is known of the frames so far.
#[derive(Debug, Default)]
pub(super) struct Transport {
    /// The frame before ended in CR or CRLF.
    foreign: bool,
    /// Whether that was reported.
    reported: bool,
    /// A line without a field was reported since the frame before.
    told_bare: bool,
}

impl Transport {
    pub(super) fn deliver(&mut self, input: &Input<'_>, limits: Limits, report: &mut Reporter<'_>) -> Delivery {
        self.told_bare = false;
        let Some(frame) = input.frame else { return Delivery::New };
        let boundary =
            std::mem::replace(&mut self.foreign, matches!(frame.ending, Some(LineEnding::Cr | LineEnding::CrLf)));
        if boundary && !std::mem::replace(&mut self.reported, true) {
            let message = "the frame before ends in CR or CRLF, which the official reader does not take for a boundary";
            report.add(&rules::SSE_LINE_ENDING, &Path::default(), 0..0, message);
        }
        // A data line without a colon carries nothing for the official reader.
        if frame.bare {
            return Delivery::Ignored;
        }
        let type_of = || {
            let text = std::str::from_utf8(input.bytes()).ok()?;
            tag::search(&Cursor::new(text, limits.depth), "type", true).ok()??.name().ok()
        };
        let mut extra = |field: Field<'_>, message: String| {
            report.add_at_field(&rules::SSE_EXTRA_FIELD, rules::SSE_EXTRA_FIELD.severity(), field, message);
        };
        match (frame.name, frame.id) {
            (Some(name), _) if type_of().is_some_and(|kind| kind.as_bytes() != name.value) => {
                extra(name, "the frame has an event line, and it names another type than the event".to_owned());
            }
            (Some(name), _) => extra(name, "the frame has an event line; 1.0 sends data lines only".to_owned()),
            (None, Some(id)) => extra(id, "the frame has an id line; 1.0 sends data lines only".to_owned()),
            (None, None) => {}
        }
        Delivery::New
    }

    /// Whether a frame that is written as the standard has it leaves everything as it is.
    pub(super) const fn delivers_plain(&self) -> bool {
        !self.foreign && !self.told_bare
    }

    pub(super) fn stray_line(&mut self, line: &[u8], report: &mut Reporter<'_>) {
        let line = String::from_utf8_lossy(line);
        let bare = line.trim_start_matches(['\u{FEFF}', ' ', '\t']);
        let message = if bare.starts_with("data:") {
            "white space or a byte order mark stands before data:, so the line is dropped"
        } else if bare.split(':').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("data")) {
            "the field is not written data:, so the line is dropped"
        } else if bare.starts_with('{') && !std::mem::replace(&mut self.told_bare, true) {
            "the line has no data: before its JSON, so it is dropped"
        } else {
            return;
        };
        report.add(&rules::SSE_DATA_LINE_LOST, &Path::default(), 0..0, message);
    }
}
