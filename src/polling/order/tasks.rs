//! The tasks of a stream, and which of them an answer or an event is of.

use std::collections::VecDeque;

use super::numbering::{self, Numbering};
use super::status::Status;
use super::task::Task;
use crate::check::Limits;
use crate::check::order::Arrival;
use crate::check::reporter::Reporter;
use crate::polling::events::EventType;

/// What is read of all of them.
pub(super) struct Tasks {
    limits: Limits,
    pub(super) now: Read,
    /// Other tasks, to which the stream may come back; the one that was left last stands last.
    pub(super) others: VecDeque<Read>,
    /// A task that had not ended was forgotten.
    forgot_task: bool,
    /// It was said that something is forgotten.
    pub(super) told_forgot: bool,
    /// How often something came that may have been of any task.
    losses: u64,
    /// Something was lost since a task came that was not known: it may have been the beginning of one.
    may_have_begun: bool,
}

/// How many tasks are remembered beside the one that is read, if they are small.
const TASKS: usize = 64;

/// What was read of one task.
pub(super) struct Read {
    pub(super) numbers: Numbering,
    pub(super) status: Status,
    pub(super) task: Task,
    /// The task of the responses, or of a bare list.
    pub(super) id: Option<u64>,
    /// Events were passed over since they are of another task.
    pub(super) has_strange: bool,
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

    pub(super) fn finish(&self, report: &mut Reporter<'_>) {
        let is_whole = !self.numbers.missed && !self.has_strange;
        let is_told = self.numbers.is_at_end() && self.status.finish(&self.task, is_whole, report);
        let may_go_on = is_told || !self.numbers.is_at_end() || !is_whole;
        self.task.finish(may_go_on, report);
    }
}

/// Of which tasks something may be.
pub(super) enum Due {
    None,
    /// Of one, by its key.
    One(Option<u64>),
    Several,
}

impl Tasks {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            now: Read::new(limits, 0),
            others: VecDeque::new(),
            forgot_task: false,
            told_forgot: false,
            losses: 0,
            may_have_begun: false,
        }
    }

    /// Something came that could not be read, and may have been of any task.
    pub(super) fn lost(&mut self) {
        self.losses += 1;
        self.may_have_begun = true;
        self.now.catch_up(self.losses);
    }

    /// The stream goes on with another task, until it comes back. `shown` is the task that its
    /// first event names.
    pub(super) fn turn_to(&mut self, task: u64, shown: Option<u64>, report: &mut Reporter<'_>) {
        let known = self.others.iter().position(|other| other.id == Some(task));
        let next = known.and_then(|at| self.others.remove(at)).unwrap_or_else(|| Read::new(self.limits, self.losses));
        // What came under a wrong id may have been of this task, or of the one that is left.
        let is_mislabelled = shown.is_some_and(|shown| shown != task);
        let is_strange = (self.now.numbers.any_response && self.now.has_strange) || is_mislabelled;
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
            let Some(oldest) = self.others.pop_front() else { break };
            oldest.task.finish_texts(report);
            if !oldest.has_ended() {
                self.forgot_task = true;
                self.forgot(report);
            }
        }
    }

    pub(super) fn forgot(&mut self, report: &mut Reporter<'_>) {
        if !std::mem::replace(&mut self.told_forgot, true) {
            report.forgotten("older events, tools and text", "the rules about their order");
        }
    }

    /// In a bare list each event says which task it is of.
    pub(super) fn follow(&mut self, task: u64, idx: Option<u64>, report: &mut Reporter<'_>) {
        // Events without an id came first. Where this one does not go on from them, they were of another task.
        let is_another = |next: u64| idx.is_some_and(|idx| idx < next);
        if self.now.id.is_none() && !self.now.numbers.next.is_some_and(is_another) {
            self.now.id = Some(task);
        } else if self.now.id != Some(task) {
            self.turn_to(task, Some(task), report);
        }
    }

    /// The task that is read, and those to which the stream may come back.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Read> {
        std::iter::once(&self.now).chain(&self.others)
    }

    pub(super) fn knows(&self, task: u64) -> bool {
        self.reads().any(|read| read.id == Some(task))
    }

    /// The tasks of which something may be.
    pub(super) fn due(&self, may_be: impl Fn(&Read) -> bool) -> Due {
        let mut due = self.reads().filter(|read| may_be(read));
        match (due.next(), due.next()) {
            (None, _) => Due::None,
            (Some(one), None) => Due::One(one.id),
            _ => Due::Several,
        }
    }

    /// Turns to the task of an event that names none that is known: it is the one that has come up to its number.
    /// False if that is not known.
    pub(super) fn find_task(&mut self, named: Option<u64>, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let idx = numbering::number(arrival.facts);
        let is_due = |read: &Read| idx.is_none_or(|idx| read.numbers.next == Some(idx)) && !read.has_ended();
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
                let event = arrival.facts.type_in(EventType::ALL);
                for read in std::iter::once(&mut self.now).chain(&mut self.others).filter(|read| is_due(read)) {
                    read.numbers.lost(1);
                    read.task.may_have_been(event);
                }
                if let (Some(task), Some(idx)) = (named, idx)
                    && self.others.len() < TASKS
                {
                    self.others.push_front(Read::behind(task, idx, self.limits, self.losses));
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
}
