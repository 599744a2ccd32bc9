//! One event as a run takes it in.

use super::super::events::event::EventType;
use super::super::rules;
use crate::check::Related;
use crate::check::facts::Facts;
use crate::check::order::{Arrival, Place};
use crate::check::rule::Rule;
use crate::check::tree::Node;

/// An event on its way into a run.
pub(super) struct InRun<'i, 't, 'f, 'r> {
    pub(super) facts: &'t Facts<'f>,
    pub(super) event: Option<EventType>,
    pub(super) run: u64,
    /// One fault may follow from an event of an unknown type.
    pub(super) forgives: Option<Blank>,
    pub(super) arrival: &'i mut Arrival<'t, 'f, 'r>,
}

/// Where something was opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) key: u64,
    pub(super) place: Place,
}

impl Opened {
    pub(super) fn related(&self, message: &str) -> Related {
        self.place.related(message)
    }
}

impl InRun<'_, '_, '_, '_> {
    pub(super) fn opened(&self, key: u64) -> Opened {
        Opened { key, place: self.arrival.place() }
    }

    pub(super) fn fault(&mut self, rule: &Rule, slot: Option<u8>, message: String) {
        self.fault_at(rule, slot, message, None);
    }

    pub(super) fn fault_at(&mut self, rule: &Rule, slot: Option<u8>, message: String, related: Option<Related>) {
        if self.forgives.is_some_and(|blank| blank.explains(rule)) {
            self.forgives = None;
            return;
        }
        self.arrival.fault_related(rule, slot, message, related);
    }
}

/// What an event of an unknown type may have begun or ended, as its members show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    Step,
    Call,
    Answer,
    /// Nothing shows it.
    Any,
}

impl Blank {
    pub(super) fn of(event: Option<&Node<'_>>) -> Self {
        let has = |names: &[&str]| event.is_some_and(|event| names.iter().any(|name| event.get(name).is_some()));
        if has(&["stepName"]) {
            Self::Step
        } else if has(&["toolCallId", "tool_call_id", "toolCallName", "tool_name"]) {
            Self::Call
        } else if has(&["messageId", "answer"]) {
            Self::Answer
        } else {
            Self::Any
        }
    }

    /// Whether the event may have ended a run.
    pub(super) fn may_end_run(self) -> bool {
        self == Self::Any
    }

    /// Whether a fault is that a beginning or an end is missing which the event may have been.
    fn explains(self, rule: &Rule) -> bool {
        let missing = [
            (Self::Step, &rules::STEP_ALREADY_OPEN),
            (Self::Step, &rules::STEP_FINISHED_NOT_OPEN),
            (Self::Step, &rules::STEP_ORDER),
            (Self::Step, &rules::STEP_LEFT_OPEN),
            (Self::Call, &rules::TOOL_ARGS_WITHOUT_START),
            (Self::Call, &rules::TOOL_END_WITHOUT_START),
            (Self::Call, &rules::TOOL_RESULT_WITHOUT_CALL),
            (Self::Call, &rules::TOOL_RESULT_BEFORE_END),
            (Self::Call, &rules::TOOL_LEFT_OPEN),
            (Self::Call, &rules::TEXT_END_BEFORE_TOOL_RESULT),
            (Self::Answer, &rules::RUN_FINISHED_WITHOUT_TEXT),
        ];
        missing.iter().any(|(blank, of)| **of == *rule && (self == *blank || self == Self::Any))
    }
}
