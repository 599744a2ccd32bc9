//! The stream of one tool execution: its end is the last event.

use super::super::events::ToolEventType;
use super::super::rules;
use crate::check::order::{Arrival, Place};
use crate::check::reporter::Reporter;

#[derive(Debug, Default)]
pub(super) struct ToolStream {
    end: Option<Place>,
    /// Whether an event after the end was reported.
    told: bool,
    /// The last event could not be read, and may have been the end.
    may_have_ended: bool,
}

impl ToolStream {
    pub(super) fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let event = arrival.facts.tag().and_then(|at| ToolEventType::ALL.get(at));
        if let Some(end) = self.end
            && !std::mem::replace(&mut self.told, true)
        {
            let related = end.related("the tool ended here");
            arrival.fault_related(&rules::TOOL_EVENT_AFTER_TERMINAL, None, "the tool has ended", Some(related));
        }
        self.may_have_ended = !arrival.is_clean();
        // An end that is none by its members may be another event under a wrong name.
        let is_end = matches!(event, Some(ToolEventType::ToolEnd | ToolEventType::FinalResult | ToolEventType::Error));
        if is_end && arrival.is_clean() {
            self.end.get_or_insert(arrival.place());
        }
    }

    pub(super) fn lost(&mut self) {
        self.may_have_ended = true;
    }

    /// `ended`: the end may be in fragments that were reported.
    pub(super) fn finish(&self, ended: bool, report: &mut Reporter<'_>) {
        if self.end.is_none() && !self.may_have_ended && !ended {
            let message = "no tool_end, final_result or error has come";
            report.add_at_end(&rules::TOOL_STREAM_WITHOUT_TERMINAL, message, None);
        }
    }
}
