//! The order of events, and of the responses that carry them.

pub(super) mod alike;
mod approvals;
mod blocks;
pub(super) mod content;
mod numbering;
pub(super) mod status;
mod task;
mod tasks;
mod tools;

use std::borrow::Cow;

use numbering::Taken;
use tasks::{Due, Read, Tasks};

use super::events::EventType;
use super::facts::*;
use super::rules;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::Keys;
use crate::check::holds::Batch;
use crate::check::order::{Arrival, End, GoesOn, Next, Order, Trust};
use crate::check::reporter::Reporter;
use crate::check::setup::Setup;
use crate::check::tree::Node;
use crate::check::{Field, Limits, Severity};
use crate::wire::number::{count, to_f64};
use crate::wire::path::Path;
use crate::wire::span::Segment;

/// The state of what is read of tasks.
pub(super) struct PollingOrder {
    limits: Limits,
    keys: Keys,
    tasks: Tasks,
    told: Told,
    /// Something came that was judged.
    any: bool,
    /// Events come by themselves, and not in responses.
    is_list: bool,
    /// Where a response stands that only says that it went well: a task was cancelled, or it has lost its data. The
    /// next one tells.
    bare: Option<Segment>,
}

/// The shortest text of a response that only says that it went well.
const BARE: &[u8] = br#"{"success":true}"#;

/// What is reported once.
#[derive(Debug, Default)]
struct Told {
    no_task_id: bool,
    no_conversation_id: bool,
    other_task: bool,
}

impl PollingOrder {
    pub(super) fn new(setup: &Setup) -> Self {
        let limits = setup.limits;
        Self {
            limits,
            keys: Keys::default(),
            tasks: Tasks::new(limits),
            told: Told::default(),
            any: false,
            is_list: false,
            bare: None,
        }
    }

    /// A response that only says that it went well was no answer to a poll, or has lost its data.
    fn settle(&mut self, was_cancelled: bool, report: &mut Reporter<'_>) {
        let Some(place) = self.bare.take().filter(|_| !was_cancelled) else { return };
        let path = Path::of("data");
        if report.start().offset > place.offset || report.text.is_empty() {
            let message = "data is missing; it must be an object";
            report.add_elsewhere(&rules::RESPONSE_SHAPE, Severity::Error, &path, Field::new(BARE, place), message);
        } else {
            // It is a document of its own, of which only this one's places are known.
            let message = "the answer before has no data: `success` is all that it says";
            report.add(&rules::RESPONSE_SHAPE, &path, 0..1, message);
        }
        self.lost();
    }

    /// The ids that servers add to every payload.
    fn scope(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if arrival.facts.kind(DATA) != FactKind::Object || arrival.facts.tag().is_none() {
            return;
        }
        for (name, slot, told) in [
            ("task_id", TASK_ID, &mut self.told.no_task_id),
            ("conversation_id", CONVERSATION_ID, &mut self.told.no_conversation_id),
        ] {
            if arrival.facts.kind(slot) == FactKind::Absent && !std::mem::replace(told, true) {
                let at = arrival.facts.span(DATA).start;
                let path = Path::of("data").join(name);
                let message = format!("data has no {name}, which servers add to every event");
                arrival.fault_at(&rules::SCOPE_ID_MISSING, &path, at..at + 1, message);
            }
        }
    }

    /// Whether the event is of the task of its response.
    fn is_of_task(&mut self, task: Option<u64>, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let is_empty = arrival.facts.string(TASK_ID).is_some_and(|id| id.is_empty());
        if task.is_none_or(|task| self.tasks.now.id.map_or(!is_empty, |own| own == task)) {
            return true;
        }
        // One that was forgotten may have come before.
        let may_be_known = self.tasks.told_forgot && !is_empty;
        if arrival.is_clean() && !may_be_known && !std::mem::replace(&mut self.told.other_task, true) {
            let whole = if self.is_list { "the events before it" } else { "the response" };
            let message = if is_empty {
                "task_id is empty, and names no task".to_owned()
            } else {
                format!("the event is of another task than {whole}; clients pass over it")
            };
            arrival.fault(&rules::TASK_ID_MISMATCH, Some(TASK_ID), message);
        }
        self.tasks.now.has_strange = true;
        false
    }
}

impl Order for PollingOrder {
    fn era(&self) -> u8 {
        if self.is_list { OF_LIST } else { 0 }
    }

    fn was_judged(&self, facts: &Facts<'_>, element: Option<usize>) -> Option<Trust> {
        self.tasks.now.numbers.was_judged(facts, element)
    }

    fn begin_batch(&mut self, node: &Node<'_>, batch: &Batch, report: &mut Reporter<'_>) -> bool {
        self.is_list = false;
        let Some(head) = status::Head::of(node, batch) else {
            if batch.asked.is_none() && status::is_cancelled(node) {
                // Before the first answer to a poll, another task was cancelled.
                if self.any && !self.tasks.now.status.is_ending() {
                    self.bare.get_or_insert(Segment::at(report.locate(node.span().start)));
                }
            } else if !status::is_told_error(node) && (batch.asked.is_some() || !status::is_receipt(node)) {
                self.lost();
            }
            return false;
        };
        self.any = true;
        if head.has_empty_task_id() && !std::mem::replace(&mut self.told.other_task, true) {
            let (path, span) = head.place("task_id");
            report.add(&rules::TASK_ID_MISMATCH, &path, span, "task_id is empty, and names no task");
        }
        // A response that names no task, and goes on with this one, has it whatever its first event says.
        let next = self.tasks.now.numbers.next.filter(|next| *next > 0 && self.tasks.now.id.is_some());
        let is_next = next.is_some() && batch.first_idx == next;
        let task = head.task_id().map(|id| self.keys.of(&*id)).or_else(|| {
            let first = first_task(report.utf8(), batch, self.limits).map(|id| self.keys.of(&*id));
            first.filter(|task| !is_next || self.tasks.knows(*task))
        });
        if task.is_none() && head.says_nothing() {
            self.lost();
            return false;
        }
        let goes_on = |read: &Read| head.goes_on_from(read.numbers.next);
        match (self.tasks.now.id, task) {
            (Some(own), Some(task)) if own != task => {
                let shown = first_task(report.utf8(), batch, self.limits).map(|id| self.keys.of(&*id));
                // Where nothing came yet, no event can name another task.
                let shown = shown.or(Some(task).filter(|_| head.is_before_the_first()));
                self.tasks.turn_to(task, shown, report);
            }
            (_, None) if !self.tasks.others.is_empty() => match self.tasks.due(goes_on) {
                Due::Several => {
                    self.lost();
                    return false;
                }
                Due::One(Some(task)) if self.tasks.now.id != Some(task) => self.tasks.turn_to(task, Some(task), report),
                Due::One(_) | Due::None => {}
            },
            _ => self.tasks.now.id = task.or(self.tasks.now.id),
        }
        // Of several tasks, it may be another one that stops, unless events are missing of this one.
        let next = self.tasks.now.numbers.next;
        let is_behind = next.is_some() && !head.goes_on_from(next);
        if head.is_cancelled() || self.tasks.others.is_empty() || is_behind {
            self.settle(head.is_cancelled(), report);
        }
        let is_new = !batch.events.is_empty() && batch.last_idx.is_none_or(|last| self.tasks.now.numbers.is_new(last));
        self.tasks.now.numbers.begin(&head, report);
        let task = &self.tasks.now.task;
        let has_ended = task.has_ended() && !task.goes_on_wrongly();
        self.tasks.now.status.begin(&head, has_ended, is_new, report);
        true
    }

    fn end_batch(&mut self, report: &mut Reporter<'_>) {
        if self.tasks.now.numbers.end(report) {
            self.tasks.now.status.end();
        }
    }

    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let found = arrival.report.findings.len();
        self.any = true;
        self.is_list |= !self.tasks.now.numbers.any_response;
        if self.tasks.now.numbers.is_between_responses() && !arrival.is_clean() {
            self.lost();
            return;
        }
        let id = arrival.facts.string(TASK_ID);
        let task = id.as_ref().map(|id| self.keys.of(&**id));
        let named = task.filter(|_| id.is_some_and(|id| !id.is_empty()));
        let is_known = named.is_some_and(|task| self.tasks.knows(task));
        if let Some(task) = named.filter(|_| self.is_list && (is_known || self.tasks.now.id.is_none())) {
            self.tasks.follow(task, numbering::number(arrival.facts), arrival.report);
        } else if self.is_list && !is_known && self.tasks.now.id.is_some() && !self.tasks.find_task(named, arrival) {
            self.scope(arrival);
            self.is_of_task(task, arrival);
            return;
        }
        let taken = self.tasks.now.numbers.take(arrival);
        if self.tasks.now.numbers.has_jumped() {
            self.tasks.now.task.blur();
        }
        match taken {
            Taken::Yes => {}
            Taken::No => return,
            // What it did when it was due is not known.
            Taken::Late => {
                self.tasks.now.task.lost();
                return;
            }
        }
        self.scope(arrival);
        let mut continued = None;
        if self.is_of_task(task, arrival) {
            continued = self.tasks.now.task.push(arrival);
        } else {
            // It may be one of this task all the same, under a wrong id.
            self.tasks.now.task.may_have_been(arrival.facts.type_in(EventType::ALL));
        }
        if arrival.is_clean() && arrival.report.findings.len() == found {
            // The texts of another task have other keys.
            arrival.leads_to = continued.map(|with| GoesOn { beside: &[IDX, TS, INDEX], ..with });
        }
        if self.tasks.now.task.has_forgotten() | self.tasks.now.numbers.has_forgotten() {
            self.tasks.forgot(arrival.report);
        }
    }

    fn go_on(&mut self, with: GoesOn, next: &Next<'_>) -> bool {
        let number = |slot| next.beside(slot).map(|text| text.raw);
        let Some(idx) = number(IDX).and_then(count) else { return false };
        let (ts, index) = (number(TS).map(to_f64), number(INDEX).map(to_f64));
        let has_forgotten = self.tasks.told_forgot;
        let numbers = &mut self.tasks.now.numbers;
        let goes_on = numbers.can_go_on(idx, ts)
            && (numbers.has_room() || has_forgotten)
            && self.tasks.now.task.go_on(with, next.piece, index, next.secrets);
        if goes_on {
            numbers.go_on(idx, ts, next.unread);
        }
        goes_on
    }

    fn lost(&mut self) {
        self.any = true;
        self.tasks.lost();
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        self.settle(false, report);
        // A client that has turned to another task need not have seen the end of this one.
        for left in self.tasks.others.iter().filter(|left| left.status.is_terminal()) {
            left.finish(report);
        }
        if self.any {
            self.tasks.now.finish(report);
        }
        for read in self.tasks.reads() {
            read.task.finish_texts(report);
        }
    }
}

/// The task that the first event of a response names.
fn first_task<'a>(text: &'a str, batch: &Batch, limits: Limits) -> Option<Cow<'a, str>> {
    let event = text.get(batch.events.first()?.clone())?;
    Node::parse(event, limits.depth).ok()?.get("data")?.get("task_id")?.as_str().filter(|id| !id.is_empty())
}
