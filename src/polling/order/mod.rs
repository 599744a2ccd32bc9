//! The order of events, and of the responses that carry them.

mod approvals;
mod blocks;
mod content;
mod cursor;
pub(super) mod status;
mod task;
mod tools;

use cursor::{Cursor, Taken};
use status::Status;
use task::Task;

use super::facts::*;
use super::rules;
use crate::check::facts::FactKind;
use crate::check::history::Keys;
use crate::check::holds::Batch;
use crate::check::order::{Arrival, End, Order};
use crate::check::reporter::Reporter;
use crate::check::setup::Setup;
use crate::check::tree::Node;
use crate::check::{Limits, input_rules};
use crate::wire::path::Path;

/// The state of what is read of tasks.
#[derive(Debug)]
pub(super) struct PollingOrder {
    limits: Limits,
    keys: Keys,
    now: Read,
    /// The task that was read before, to which the responses may come back.
    before: Option<Box<Read>>,
    told: Told,
    /// Something came that was judged.
    any: bool,
    /// Events come by themselves, and not in responses.
    is_list: bool,
}

/// What was read of one task.
#[derive(Debug)]
struct Read {
    cursor: Cursor,
    status: Status,
    task: Task,
    /// The task of the responses.
    id: Option<u64>,
    /// Events were passed over since they are of another task.
    has_strange: bool,
}

impl Read {
    fn new(limits: Limits) -> Self {
        Self {
            cursor: Cursor::new(limits.history),
            status: Status::default(),
            task: Task::new(limits),
            id: None,
            has_strange: false,
        }
    }
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
            now: Read::new(limits),
            before: None,
            told: Told::default(),
            any: false,
            is_list: false,
        }
    }

    /// The responses are of another task from here on, unless they come back.
    fn turn_to(&mut self, task: Option<u64>) {
        let back = self.before.take().filter(|before| before.id == task);
        let next = back.map_or_else(|| Read::new(self.limits), |back| *back);
        self.before = Some(Box::new(std::mem::replace(&mut self.now, next)));
        // From where on its events were asked for is not known.
        self.now.cursor.blind();
        self.now.task.blur();
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
    fn is_of_task(&mut self, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some(task) = arrival.facts.string(TASK_ID).map(|id| self.keys.of(&*id)) else { return true };
        if self.now.id.is_none_or(|own| own == task) {
            return true;
        }
        if arrival.is_clean() && !std::mem::replace(&mut self.told.other_task, true) {
            let message = "the event is of another task than the response; clients pass over it";
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

    fn begin_batch(&mut self, head: &Node<'_>, batch: &Batch, report: &mut Reporter<'_>) -> bool {
        self.is_list = false;
        let Some(head) = status::Head::of(head, batch) else { return false };
        self.any = true;
        let task = head.task_id().map(|id| self.keys.of(id));
        if self.now.id.is_some() && task.is_some() && self.now.id != task {
            self.turn_to(task);
        }
        self.now.id = task.or(self.now.id);
        self.now.cursor.begin(&head, report);
        self.now.status.begin(&head, self.now.task.has_ended(), report);
        true
    }

    fn end_batch(&mut self, report: &mut Reporter<'_>) {
        if self.now.cursor.end(report) {
            self.now.status.end();
        }
    }

    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        self.any = true;
        self.is_list |= !self.now.cursor.has_responses();
        let taken = self.now.cursor.take(arrival);
        if self.now.cursor.has_jumped() {
            self.now.task.blur();
        }
        if taken == Taken::No {
            return;
        }
        self.scope(arrival);
        if self.is_of_task(arrival) {
            self.now.task.push(arrival);
        } else {
            // It may be one of this task all the same, under a wrong id.
            self.now.task.lost();
        }
        let forgot = self.now.task.has_forgotten() | self.now.cursor.has_forgotten();
        if forgot && !std::mem::replace(&mut self.told.forgot, true) {
            let message = "older events, tools and text are forgotten from here on; no longer guaranteed: the rules about their order";
            arrival.report.add(&input_rules::HISTORY_LIMIT, &Path::default(), 0..1, message);
        }
    }

    fn lost(&mut self) {
        self.any = true;
        self.now.cursor.lost();
        self.now.task.lost();
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        if self.any {
            let Read { cursor, status, task, has_strange, .. } = &self.now;
            if cursor.is_at_end() {
                status.finish(task, !cursor.has_missed() && !has_strange, report);
            }
            self.now.task.finish(self.now.status.is_terminal(), report);
        }
    }
}
