//! The stream of one tool execution: its end is the last event.

use std::borrow::Cow;

use super::super::events::ToolEventType;
use super::super::rules;
use crate::check::near::nearest;
use crate::check::order::{Arrival, Place};
use crate::check::reporter::Reporter;
use crate::safe::show;

/// What ended the streams of older servers.
const OLDER_END: &str = "execution_result";

#[derive(Debug, Default)]
pub(super) struct ToolStream {
    end: Option<Place>,
    /// Whether an event after the end was reported.
    told: bool,
    /// The last event could not be read, and may have been the end.
    may_have_ended: bool,
    /// An end has come with a fault, and may have been another event.
    has_odd_end: bool,
}

impl ToolStream {
    pub(super) fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let event = arrival.facts.type_in(ToolEventType::ALL);
        if let Some(end) = self.end
            && arrival.is_first(&mut self.told)
        {
            let related = end.related("the tool ended here");
            let what = arrival.name.map_or(Cow::Borrowed("an event"), show);
            let message = format!("{what} comes after the end of the tool");
            arrival.fault_related(&rules::TOOL_EVENT_AFTER_TERMINAL, None, message, Some(related));
        }
        // Under a name that is nearly its own, the end is not missing.
        let known = ToolEventType::ALL.iter().map(|known| known.as_str());
        let meant = arrival.name.filter(|_| event.is_none()).and_then(|name| nearest(name, known));
        self.may_have_ended = !arrival.is_clean()
            || arrival.name == Some(OLDER_END)
            || meant.and_then(ToolEventType::from_tag).is_some_and(ToolEventType::is_terminal);
        self.has_odd_end |= event.is_some_and(ToolEventType::is_terminal) && !arrival.is_clean();
        // An end that is none by its members may be another event under a wrong name.
        if event.is_some_and(ToolEventType::is_terminal) && arrival.is_clean() {
            self.end.get_or_insert(arrival.place());
        }
    }

    pub(super) fn lost(&mut self) {
        self.may_have_ended = true;
    }

    /// `ended`: the end may be in fragments that were reported.
    pub(super) fn finish(&self, ended: bool, report: &mut Reporter<'_>) {
        if self.end.is_none() && !self.may_have_ended && !self.has_odd_end && !ended {
            let message = "no tool_end, final_result or error has come";
            report.add_at_end(&rules::TOOL_STREAM_WITHOUT_TERMINAL, message, None);
        }
    }
}
