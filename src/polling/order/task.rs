//! What the events of a task do: attempts, text, tools, approvals, and the end.

use super::super::events::{EventType, is_passing_error};
use super::super::facts::*;
use super::super::{rules, texts};
use super::approvals::{Approvals, SHARE};
use super::blocks::Blocks;
use super::tools::Tools;
use crate::check::Limits;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::{Bounded, Keys};
use crate::check::near::nearest;
use crate::check::order::{Arrival, GoesOn, Place};
use crate::check::reporter::Reporter;
use crate::check::seams::{TextRow, Texts};
use crate::check::secrets::Secrets;
use crate::safe::show;

pub(super) struct Task {
    begun: bool,
    /// The beginning of the task, or events before, were not seen.
    blurred: bool,
    excused: u32,
    pub(super) may_have_ended: bool,
    /// The attempt that was given up: another has to follow.
    retry: Option<GivenUp>,
    attempt: Option<f64>,
    /// The messages of the user, by id.
    messages: Bounded<()>,
    keys: Keys,
    blocks: Blocks,
    /// Texts that come in pieces.
    texts: Texts,
    tools: Tools,
    approvals: Approvals,
    end: Option<(End, Place)>,
    /// A `task_complete`, a `task_stopped`, an error has come.
    pub(super) complete: bool,
    pub(super) stopped: bool,
    pub(super) error: bool,
    told_before: bool,
    told_after: bool,
    /// It was reported that the task has ended twice.
    told_end: bool,
}

/// An attempt that was given up.
#[derive(Clone, Copy, Debug)]
struct GivenUp {
    attempt: Option<f64>,
    /// The attempt that a reset announces: servers name either that or the one that broke off.
    announced: Option<f64>,
    place: Place,
    /// An error and a reset have said so: a broken stream has one of each.
    by_error: bool,
    by_reset: bool,
}

/// What has ended a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Complete,
    Stopped,
    Failed,
}

impl Task {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            begun: false,
            blurred: false,
            excused: 0,
            may_have_ended: false,
            retry: None,
            attempt: None,
            messages: Bounded::new(limits.history / SHARE + 1),
            keys: Keys::default(),
            blocks: Blocks::new(limits.text_bytes),
            texts: Texts::new(&rules::SECRET_VALUE, limits),
            tools: Tools::new(limits.history),
            approvals: Approvals::new(limits.history),
            end: None,
            complete: false,
            stopped: false,
            error: false,
            told_before: false,
            told_after: false,
            told_end: false,
        }
    }

    /// Events were passed over: what they have begun is not known.
    pub(super) fn blur(&mut self) {
        self.blurred = true;
        self.retry = None;
        self.blocks.blur();
        self.tools.blur();
        self.approvals.blur();
    }

    /// An event could not be read.
    pub(super) fn lost(&mut self) {
        self.excused = self.excused.saturating_add(1);
        self.may_have_ended = true;
        self.retry = None;
        self.blocks.blur();
        self.tools.lost();
        self.approvals.blur();
    }

    /// An event has come that may have been of this task; of a type that is known or not.
    pub(super) fn may_have_been(&mut self, event: Option<EventType>) {
        match event {
            Some(event) => self.may_have_come(event),
            None => self.lost(),
        }
    }

    /// An event has come under nearly its type: nothing is reported for want of it.
    fn may_have_come(&mut self, event: EventType) {
        match event {
            EventType::AiMessageStart => self.excused = self.excused.saturating_add(1),
            EventType::ApiRequestStart
            | EventType::StreamReset
            | EventType::Error
            | EventType::TaskComplete
            | EventType::TaskStopped
            | EventType::QuotaExceeded => self.lost(),
            of_block if of_block.is_of_block() => {
                self.retry = None;
                self.blocks.blur();
            }
            of_tool if of_tool.is_of_tool() => {
                self.retry = None;
                self.tools.lost();
            }
            _ => self.approvals.blur(),
        }
    }

    /// Takes an event; gives the text that it continues.
    pub(super) fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) -> Option<GoesOn> {
        let Some(event) = arrival.facts.type_in(EventType::ALL) else {
            match arrival.facts.string(TYPE).filter(|_| arrival.is_clean()) {
                Some(name) if CLIENT_MADE.contains(&&*name) => {}
                Some(name) => {
                    let near = nearest(&name, EventType::ALL.iter().map(|known| known.as_str()));
                    if !self.is_over(arrival)
                        && let Some(event) = near.and_then(EventType::from_tag)
                    {
                        self.may_have_come(event);
                    }
                }
                None => self.lost(),
            }
            return None;
        };
        self.error |= event == EventType::Error;
        if event == EventType::Error && self.end.is_none() && !is_readable(arrival.facts) {
            // It may have ended the task, or another attempt may follow.
            self.lost();
            return None;
        }
        if let Some(end) = end_of(event, arrival.facts) {
            self.finish_task(end, event, arrival);
            return None;
        }
        if self.is_over(arrival) {
            return None;
        }
        self.may_have_ended = false;
        self.after_start(event, arrival);
        self.attempts(event, arrival);
        let continued = TextRow::of(&texts::ROWS, event).and_then(|row| self.texts.take(row, arrival));
        match event {
            EventType::AiMessageStart => {
                if std::mem::replace(&mut self.begun, true) {
                    arrival.fault(&rules::AI_MESSAGE_START_REPEATED, None, "the task has one answer, and it has begun");
                }
                self.blocks.close(true);
            }
            // One that came before is changed where it stands.
            EventType::UserMessage => {
                let id = arrival.facts.string(MESSAGE_ID).map(|id| self.keys.of(&*id));
                if id.is_none_or(|id| self.messages.insert(id, ()).is_none()) {
                    self.blocks.close(false);
                }
            }
            of_block if of_block.is_of_block() => self.blocks.push(event, arrival),
            of_tool if of_tool.is_of_tool() => self.tools.push(event, arrival),
            _ => self.approvals.push(event, arrival),
        }
        continued
    }

    /// Takes the next piece of a text, where the last event had the one before; false if it has to be
    /// looked at.
    pub(super) fn go_on(&mut self, with: GoesOn, content: &str, index: Option<f64>, secrets: &Secrets) -> bool {
        let is_text = with.kind == texts::TEXT;
        let goes_on = self.blocks.can_go_on(is_text, content, index) && self.texts.go_on(with, content, secrets);
        if goes_on {
            self.blocks.go_on(is_text, content, index);
        }
        goes_on
    }

    /// Whether the task has ended before an event, which is reported once.
    fn is_over(&mut self, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some((_, end)) = self.end else { return false };
        if arrival.is_first(&mut self.told_after) {
            let related = end.related("the task ended here");
            let name = arrival.facts.string(TYPE).unwrap_or_default();
            let message = format!("{} comes after the end of the task", show(&name));
            arrival.fault_related(&rules::EVENT_AFTER_TERMINAL, None, message, Some(related));
        }
        true
    }

    /// Thinking, text and tools come when the answer has begun.
    fn after_start(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let is_early = (event.is_of_block() || event.is_of_tool()) && !self.begun && !self.blurred && self.excused == 0;
        if is_early && arrival.is_first(&mut self.told_before) {
            let message = "the answer has not begun: ai_message_start is missing";
            arrival.fault(&rules::CONTENT_BEFORE_AI_MESSAGE_START, None, message);
        }
    }

    /// After an attempt that was given up, a request begins the next one.
    fn attempts(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let attempt = facts.number(ATTEMPT);
        match event {
            EventType::ApiRequestStart => {
                if let Some(GivenUp { attempt: before, announced, place, .. }) = self.retry.take()
                    && attempt.zip(before).is_some_and(|(now, before)| !is_next(now, before))
                    && attempt.zip(announced).is_none_or(|(now, next)| !is_same(now, next) && !is_next(now, next))
                    && !attempt_is_out(facts)
                {
                    let message = "the request after a retry has to be the next attempt";
                    let related = place.related("the attempt was given up here");
                    arrival.fault_related(&rules::RETRY_WITHOUT_NEW_ATTEMPT, Some(ATTEMPT), message, Some(related));
                }
                self.attempt = attempt;
                self.blocks.request();
                self.tools.attempt();
            }
            EventType::Error if is_retry(facts) => self.gives_up(event, attempt, arrival),
            EventType::StreamReset => {
                self.gives_up(event, attempt, arrival);
                self.blocks.reset();
                self.tools.reset();
            }
            EventType::ThinkingStart
            | EventType::TextStart
            | EventType::ThinkingChunk
            | EventType::TextChunk
            | EventType::ToolPreparing
            | EventType::ToolIntent
            | EventType::ToolStart => {
                if let Some(before) = self.retry.take() {
                    let message = "the attempt was given up, and goes on without a new request";
                    let related = before.place.related("the attempt was given up here");
                    arrival.fault_related(&rules::RETRY_WITHOUT_NEW_ATTEMPT, None, message, Some(related));
                }
            }
            _ => {}
        }
    }

    fn gives_up(&mut self, event: EventType, attempt: Option<f64>, arrival: &mut Arrival<'_, '_, '_>) {
        if !arrival.is_clean() {
            return;
        }
        let is_reset = event == EventType::StreamReset;
        let named = attempt.filter(|_| !attempt_is_out(arrival.facts));
        let broken = self.retry.map_or(self.attempt, |before| before.attempt);
        let announced = named.filter(|next| is_reset && broken.is_none_or(|broken| is_next(*next, broken)));
        let attempt = if announced.is_some() { broken.or(named) } else { named };
        let was_given_up = self.retry.is_some_and(|before| {
            let is_another = attempt.zip(before.attempt).is_some_and(|(one, other)| !is_same(one, other))
                && attempt.zip(before.announced).is_none_or(|(one, next)| !is_same(one, next));
            is_another || if is_reset { before.by_reset } else { before.by_error }
        });
        // Which attempt the next request begins is in doubt, once two have been named.
        let attempt = attempt.filter(|_| !was_given_up);
        if let Some(before) = self.retry.take_if(|_| was_given_up) {
            let message = "an attempt was given up before, and no new request has come";
            let related = before.place.related("it was given up here");
            arrival.fault_related(&rules::RETRY_WITHOUT_NEW_ATTEMPT, None, message, Some(related));
        }
        let (by_error, by_reset) = self.retry.map_or((false, false), |before| (before.by_error, before.by_reset));
        let announced = announced.or_else(|| self.retry?.announced);
        self.retry = Some(GivenUp {
            attempt: if was_given_up { attempt } else { attempt.or(self.attempt) },
            announced,
            place: arrival.place(),
            by_error: by_error || !is_reset,
            by_reset: by_reset || is_reset,
        });
    }

    fn finish_task(&mut self, end: End, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        if let Some((before, place)) = self.end {
            let repeated = end == End::Stopped && before == End::Stopped;
            if !repeated {
                let related = place.related("the task ended here");
                let both = matches!((before, end), (End::Complete | End::Stopped, End::Complete | End::Stopped));
                let rule = if both { &rules::TASK_COMPLETE_AND_STOPPED } else { &rules::EVENT_AFTER_TERMINAL };
                self.told_end = true;
                let is_other = both && before != end;
                let is_told = self.told_after;
                self.told_after |= !both;
                if is_other || !is_told {
                    let message = format!("{event} comes after the end of the task");
                    arrival.fault_related(rule, None, message, Some(related));
                }
            }
        } else {
            self.end = Some((end, arrival.place()));
            self.retry = None;
            self.blocks.end(arrival);
            let goes_on = BACKGROUND.iter().any(|slot| arrival.facts.raw_if(*slot) == Some("true"));
            self.tools.end(goes_on && end != End::Failed, arrival);
            self.approvals.end(arrival);
        }
        match end {
            End::Complete => self.complete = true,
            End::Stopped => self.stopped = true,
            End::Failed => self.error = true,
        }
    }

    pub(super) const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether it was reported that the end is not the end.
    pub(super) const fn goes_on_wrongly(&self) -> bool {
        self.told_after || self.told_end
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.blocks.has_forgotten()
            | self.tools.has_forgotten()
            | self.approvals.has_forgotten()
            | self.messages.take_overflow()
    }

    /// How much is remembered of tools and approvals.
    pub(super) fn entries(&self) -> usize {
        self.tools.entries() + self.approvals.entries() + self.messages.len()
    }

    pub(super) fn text_bytes(&self) -> usize {
        self.blocks.text_bytes()
    }

    /// `may_go_on`: what comes next was lost, or the recording ends before it.
    pub(super) fn finish(&self, may_go_on: bool, report: &mut Reporter<'_>) {
        if let Some(before) = self.retry.filter(|_| !may_go_on) {
            let message = "the attempt was given up, and neither a new one nor the end has come";
            let related = before.place.related("it was given up here");
            report.add_at_end(&rules::RETRY_WITHOUT_NEW_ATTEMPT, message, Some(related));
        }
    }

    /// Nothing comes any more that the texts go on with.
    pub(super) fn finish_texts(&self, report: &mut Reporter<'_>) {
        self.texts.finish(report);
    }
}

/// What ends the task. An error that is tried again does not, nor do wrong parameters of a tool.
fn end_of(event: EventType, facts: &Facts<'_>) -> Option<End> {
    match event {
        EventType::TaskComplete => Some(End::Complete),
        EventType::TaskStopped => Some(End::Stopped),
        EventType::QuotaExceeded => Some(End::Failed),
        EventType::Error => {
            (!is_passing_error(is_retry(facts), facts.string(ERROR_TYPE).as_deref())).then_some(End::Failed)
        }
        _ => None,
    }
}

/// Whether it can be told if an error ends the task.
fn is_readable(facts: &Facts<'_>) -> bool {
    facts.kind(DATA) == FactKind::Object
        && matches!(facts.kind(RETRY), FactKind::Absent | FactKind::Bool)
        && matches!(facts.kind(ERROR_TYPE), FactKind::Absent | FactKind::Null | FactKind::String)
}

fn is_retry(facts: &Facts<'_>) -> bool {
    facts.raw_if(RETRY) == Some("true")
}

fn is_next(now: f64, before: f64) -> bool {
    is_same(now, before + 1.0)
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.5
}
