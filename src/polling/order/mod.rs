//! The order of events, and of the responses that carry them.

mod approvals;
mod blocks;
pub(super) mod content;
mod numbering;
pub(super) mod status;
mod task;
mod tools;

use std::borrow::Cow;
use std::collections::VecDeque;

use numbering::{Numbering, Taken};
use status::Status;
use task::Task;

use super::events::EventType;
use super::facts::*;
use super::rules;
use crate::check::facts::FactKind;
use crate::check::history::Keys;
use crate::check::holds::Batch;
use crate::check::order::{Arrival, End, GoesOn, Next, Order};
use crate::check::reporter::Reporter;
use crate::check::setup::Setup;
use crate::check::tree::Node;
use crate::check::{Field, Limits, Severity};
use crate::wire::number::{count, to_f64};
use crate::wire::path::Path;
use crate::wire::span::{Location, Segment};

/// The state of what is read of tasks.
#[derive(Debug)]
pub(super) struct PollingOrder {
    limits: Limits,
    keys: Keys,
    now: Read,
    /// Other tasks, to which the stream may come back; the one that was left last stands last.
    others: VecDeque<Read>,
    /// A task that had not ended was forgotten.
    forgot_task: bool,
    /// How often something came of which it is not known what task it was of.
    losses: u64,
    /// Something was lost since a task came that was not known: it may have been the beginning of one.
    may_have_begun: bool,
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

/// How many tasks are remembered beside the one that is read, if they are small.
const TASKS: usize = 64;

/// What was read of one task.
#[derive(Debug)]
struct Read {
    numbers: Numbering,
    status: Status,
    task: Task,
    /// The task of the responses, or of a bare list.
    id: Option<u64>,
    /// Events were passed over since they are of another task.
    has_strange: bool,
    /// How many losses it knows of.
    losses: u64,
}

impl Read {
    fn new(limits: Limits, losses: u64) -> Self {
        Self {
            losses,
            numbers: Numbering::new(limits.history),
            status: Status::default(),
            task: Task::new(limits),
            id: None,
            has_strange: false,
        }
    }

    /// Whether so much is remembered of tasks as a task by itself may have.
    fn are_full(reads: &VecDeque<Self>, limits: Limits) -> bool {
        let entries: usize = reads.iter().map(|read| read.numbers.entries() + read.task.entries()).sum();
        let text: usize = reads.iter().map(|read| read.task.text_bytes()).sum();
        reads.len() > TASKS || entries > limits.history || text > limits.text_bytes
    }

    /// A task of which one event has come, and none before.
    fn behind(task: u64, idx: u64, limits: Limits, losses: u64) -> Self {
        let mut read = Self { id: Some(task), ..Self::new(limits, losses) };
        read.numbers.begin_behind(idx);
        read.task.blur();
        read
    }

    /// Takes note of what was lost since it was left, which may have been of this task.
    fn catch_up(&mut self, losses: u64) {
        if losses > self.losses {
            self.numbers.lost(losses - self.losses);
            self.task.lost();
            self.losses = losses;
        }
    }

    fn has_ended(&self) -> bool {
        self.status.is_terminal() || self.task.has_ended()
    }

    fn finish(&self, report: &mut Reporter<'_>) {
        let is_whole = !self.numbers.has_missed() && !self.has_strange;
        let is_told = self.numbers.is_at_end() && self.status.finish(&self.task, is_whole, report);
        let may_go_on = is_told || !self.numbers.is_at_end() || !is_whole;
        self.task.finish(may_go_on, report);
    }
}

/// Of which tasks something may be.
enum Due {
    None,
    /// Of one, by its key.
    One(Option<u64>),
    Several,
}

/// What is reported once.
#[derive(Debug, Default)]
struct Told {
    no_task_id: bool,
    no_conversation_id: bool,
    other_task: bool,
    forgot: bool,
}

impl PollingOrder {
    pub(super) fn new(setup: &Setup) -> Self {
        let limits = setup.limits;
        Self {
            limits,
            keys: Keys::default(),
            now: Read::new(limits, 0),
            others: VecDeque::new(),
            forgot_task: false,
            losses: 0,
            may_have_begun: false,
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
            let message = "data is missing in the answer before, which says no more than that it went well";
            report.add(&rules::RESPONSE_SHAPE, &path, 0..1, message);
        }
        self.lost();
    }

    /// The stream goes on with another task, until it comes back. `shown` is the task that its
    /// first event names.
    fn turn_to(&mut self, task: u64, shown: Option<u64>, report: &mut Reporter<'_>) {
        let known = self.others.iter().position(|other| other.id == Some(task));
        let next = known.and_then(|at| self.others.remove(at)).unwrap_or_else(|| Read::new(self.limits, self.losses));
        // What came under a wrong id may have been of this task, or of the one that is left.
        let is_mislabelled = shown.is_some_and(|shown| shown != task);
        let is_strange = (!self.is_list && self.now.has_strange) || is_mislabelled;
        let may_have_begun = known.is_none() && std::mem::take(&mut self.may_have_begun);
        self.losses += u64::from(is_mislabelled && known.is_none());
        self.others.push_back(std::mem::replace(&mut self.now, next));
        self.now.id = Some(task);
        self.now.catch_up(self.losses);
        self.forget(report);
        if is_strange || may_have_begun || (known.is_none() && (self.forgot_task || shown.is_none())) {
            // From where on its events were asked for is not known.
            self.now.numbers.blind();
            self.now.task.blur();
        }
    }

    /// Forgets tasks that were left long ago. The last one stays, since streams that come back
    /// mostly come back to it.
    fn forget(&mut self, report: &mut Reporter<'_>) {
        while self.others.len() > 1 && Read::are_full(&self.others, self.limits) {
            if let Some(oldest) = self.others.pop_front()
                && !oldest.has_ended()
            {
                self.forgot_task = true;
                self.forgot(report);
            }
        }
    }

    fn forgot(&mut self, report: &mut Reporter<'_>) {
        if !std::mem::replace(&mut self.told.forgot, true) {
            report.forgotten("older events, tools and text", "the rules about their order");
        }
    }

    /// In a bare list each event says which task it is of.
    fn follow(&mut self, task: u64, idx: Option<u64>, report: &mut Reporter<'_>) {
        // Events without an id came first. Where this one does not go on from them, they were of another task.
        let is_another = |next: u64| idx.is_some_and(|idx| idx < next);
        if self.now.id.is_none() && !self.now.numbers.next().is_some_and(is_another) {
            self.now.id = Some(task);
        } else if self.now.id != Some(task) {
            self.turn_to(task, Some(task), report);
        }
    }

    /// The task that is read, and those to which the stream may come back.
    fn reads(&self) -> impl Iterator<Item = &Read> {
        std::iter::once(&self.now).chain(&self.others)
    }

    fn knows(&self, task: u64) -> bool {
        self.reads().any(|read| read.id == Some(task))
    }

    /// The tasks of which something may be.
    fn due(&self, may_be: impl Fn(&Read) -> bool) -> Due {
        let mut due = self.reads().filter(|read| may_be(read));
        match (due.next(), due.next()) {
            (None, _) => Due::None,
            (Some(one), None) => Due::One(one.id),
            _ => Due::Several,
        }
    }

    /// Turns to the task of an event that names none that is known: it is the one that has come up to its number.
    /// False if that is not known.
    fn find_task(&mut self, named: Option<u64>, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let idx = numbering::number(arrival.facts);
        let is_due = |read: &Read| idx.is_none_or(|idx| read.numbers.next() == Some(idx)) && !read.has_ended();
        // A task whose first events had no id.
        let nameless = self.others.iter_mut().find(|read| read.id.is_none() && idx.is_some() && is_due(read));
        if let (Some(task), Some(read)) = (named, nameless) {
            read.id = Some(task);
            self.turn_to(task, Some(task), arrival.report);
            return true;
        }
        match (self.due(is_due), named) {
            (Due::One(task), None) if task == self.now.id => {}
            (Due::One(Some(task)), _) if self.now.id != Some(task) => self.turn_to(task, Some(task), arrival.report),
            // Where a task that is known goes on, its own next event tells whether this was it.
            (Due::One(_) | Due::Several, _) => {
                let event = arrival.facts.tag().and_then(|at| EventType::ALL.get(at)).copied();
                for read in std::iter::once(&mut self.now).chain(&mut self.others).filter(|read| is_due(read)) {
                    read.numbers.lost(1);
                    read.task.may_have_been(event);
                }
                if let (Some(task), Some(idx)) = (named, idx) {
                    self.others.push_front(Read::behind(task, idx, self.limits, self.losses));
                    self.forget(arrival.report);
                }
                return false;
            }
            (Due::None, Some(task)) => self.follow(task, idx, arrival.report),
            (Due::None, None) if idx == Some(0) && self.now.id.is_some() => {
                self.others.push_back(std::mem::replace(&mut self.now, Read::new(self.limits, self.losses)));
                self.forget(arrival.report);
            }
            (Due::None, None) => {}
        }
        true
    }

    /// The ids that servers add to every payload.
    fn scope(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if arrival.facts.kind(DATA) != FactKind::Object {
            return;
        }
        for (name, slot, told) in [
            ("task_id", TASK_ID, &mut self.told.no_task_id),
            ("conversation_id", CONVERSATION_ID, &mut self.told.no_conversation_id),
        ] {
            if arrival.facts.kind(slot) == FactKind::Absent && arrival.facts.tag().is_some() && !*told {
                *told = true;
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
        if task.is_none_or(|task| self.now.id.map_or(!is_empty, |own| own == task)) {
            return true;
        }
        if arrival.is_clean() && !std::mem::replace(&mut self.told.other_task, true) {
            let whole = if self.is_list { "the events before it" } else { "the response" };
            let message = if is_empty {
                "task_id is empty, and names no task".to_owned()
            } else {
                format!("the event is of another task than {whole}; clients pass over it")
            };
            arrival.fault(&rules::TASK_ID_MISMATCH, Some(TASK_ID), message);
        }
        self.now.has_strange = true;
        false
    }
}

impl Order for PollingOrder {
    fn era(&self) -> u8 {
        if self.is_list { OF_LIST } else { 0 }
    }

    fn begin_batch(&mut self, node: &Node<'_>, batch: &Batch, report: &mut Reporter<'_>) -> bool {
        self.is_list = false;
        let Some(head) = status::Head::of(node, batch) else {
            if batch.asked.is_none() && status::is_cancelled(node) {
                // Before the first answer to a poll, another task was cancelled.
                if self.any && !self.now.status.is_ending() {
                    let Location { offset, line, column } = report.locate(node.span().start);
                    self.bare.get_or_insert(Segment::new(0, offset, line, column));
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
        let id = head.task_id().or_else(|| first_task(report.utf8(), batch, self.limits));
        let task = id.map(|id| self.keys.of(&*id));
        if task.is_none() && head.is_bare() {
            self.lost();
            return false;
        }
        match (self.now.id, task) {
            (Some(own), Some(task)) if own != task => {
                let shown = first_task(report.utf8(), batch, self.limits).map(|id| self.keys.of(&*id));
                self.turn_to(task, shown, report);
            }
            (_, None) if !self.others.is_empty() => match self.due(|read| head.goes_on_from(read.numbers.next())) {
                Due::Several => {
                    self.lost();
                    return false;
                }
                Due::One(Some(task)) if self.now.id != Some(task) => self.turn_to(task, Some(task), report),
                Due::One(_) | Due::None => {}
            },
            _ => self.now.id = task.or(self.now.id),
        }
        // Of several tasks, it may be another one that stops.
        if head.is_cancelled() || self.others.is_empty() {
            self.settle(head.is_cancelled(), report);
        }
        let is_new = !head.events.is_empty() && head.last_idx.is_none_or(|last| self.now.numbers.is_new(last));
        self.now.numbers.begin(&head, report);
        self.now.status.begin(&head, self.now.task.has_ended(), is_new, report);
        true
    }

    fn end_batch(&mut self, report: &mut Reporter<'_>) {
        if self.now.numbers.end(report) {
            self.now.status.end();
        }
    }

    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let found = arrival.report.findings.len();
        self.any = true;
        self.is_list |= !self.now.numbers.has_responses();
        if self.now.numbers.is_between_responses() && !arrival.is_clean() {
            self.lost();
            return;
        }
        let id = arrival.facts.string(TASK_ID);
        let task = id.as_ref().map(|id| self.keys.of(&**id));
        let named = task.filter(|_| id.is_some_and(|id| !id.is_empty()));
        let is_known = named.is_some_and(|task| self.knows(task));
        if let Some(task) = named.filter(|_| self.is_list && (is_known || self.now.id.is_none())) {
            self.follow(task, numbering::number(arrival.facts), arrival.report);
        } else if self.is_list && !is_known && self.now.id.is_some() && !self.find_task(named, arrival) {
            self.scope(arrival);
            self.is_of_task(task, arrival);
            return;
        }
        let taken = self.now.numbers.take(arrival);
        if self.now.numbers.has_jumped() {
            self.now.task.blur();
        }
        match taken {
            Taken::Yes => {}
            Taken::No => return,
            // What it did when it was due is not known.
            Taken::Late => {
                self.now.task.lost();
                return;
            }
        }
        self.scope(arrival);
        let mut continued = None;
        if self.is_of_task(task, arrival) {
            continued = self.now.task.push(arrival);
        } else {
            // It may be one of this task all the same, under a wrong id.
            self.now.task.may_have_been(arrival.facts.tag().and_then(|at| EventType::ALL.get(at)).copied());
        }
        if self.is_list && arrival.is_clean() && arrival.report.findings.len() == found {
            // The texts of another task have other keys.
            arrival.leads_to = continued.map(|with| GoesOn { beside: &[IDX, TS, INDEX], ..with });
        }
        if self.now.task.has_forgotten() | self.now.numbers.has_forgotten() {
            self.forgot(arrival.report);
        }
    }

    fn go_on(&mut self, with: GoesOn, next: &Next<'_>) -> bool {
        let number = |slot| next.beside(slot).map(|text| text.raw);
        let Some(idx) = number(IDX).and_then(count) else { return false };
        let (ts, index) = (number(TS).map(to_f64), number(INDEX).map(to_f64));
        let numbers = &mut self.now.numbers;
        let goes_on = numbers.can_go_on(idx, ts)
            && (numbers.has_room() || self.told.forgot)
            && self.now.task.go_on(with, next.piece, index, next.secrets);
        if goes_on {
            numbers.go_on(idx, ts, next.text);
        }
        goes_on
    }

    fn lost(&mut self) {
        self.any = true;
        self.losses += 1;
        self.may_have_begun = true;
        self.now.catch_up(self.losses);
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        self.settle(false, report);
        // A client that has turned to another task need not have seen the end of this one.
        for left in self.others.iter().filter(|left| left.status.is_terminal()) {
            left.finish(report);
        }
        if self.any {
            self.now.finish(report);
        }
    }
}

/// The task that the first event of a response names.
fn first_task<'a>(text: &'a str, batch: &Batch, limits: Limits) -> Option<Cow<'a, str>> {
    let event = text.get(batch.events.first()?.clone())?;
    Node::parse(event, limits.depth).ok()?.get("data")?.get("task_id")?.as_str().filter(|id| !id.is_empty())
}
