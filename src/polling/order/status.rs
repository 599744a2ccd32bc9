//! The status of a task from response to response, and what its events say of its end.

use std::borrow::Cow;
use std::ops::Range;

use super::super::events::TaskStatus::{self, CancelRequested, Canceled, Failed, Pending, Running, Stopped, Succeeded};
use super::super::rules;
use super::task::Task;
use crate::check::Related;
use crate::check::holds::Batch;
use crate::check::reporter::Reporter;
use crate::check::tree::Node;
use crate::wire::number::{self, to_f64};
use crate::wire::path::Path;
use crate::wire::span::Location;

/// Whether a response says that a task was created or cancelled: it has no events.
pub(in crate::polling) fn is_receipt(node: &Node<'_>) -> bool {
    let has = |name: &str| node.get(name).is_some();
    let is_created = has("task_id") && has("status") && !has("next_offset");
    is_cancelled(node) || (is_created && !has("data") && !has("events"))
}

/// Whether a response says that a task was cancelled: that it went well is all that it says.
pub(super) fn is_cancelled(node: &Node<'_>) -> bool {
    let success = node.get("success").and_then(Node::as_bool) == Some(true);
    success && node.members().len() == 1
}

/// Whether a response says what has failed, as it has to.
pub(super) fn is_told_error(node: &Node<'_>) -> bool {
    let failed = node.get("success").and_then(Node::as_bool) == Some(false);
    let error = node.get("error").and_then(Node::as_str);
    failed && error.is_some_and(|text| !text.is_empty()) && node.get("data").is_none()
}

/// What a response says beside its events.
pub(super) struct Head<'n, 'a> {
    /// The object that has the status, and where it lies.
    data: &'n Node<'a>,
    path: Path,
    /// Its events, and what was asked for.
    pub(super) batch: &'n Batch,
    pub(super) next_offset: Option<u64>,
    pub(super) window_start: Option<u64>,
}

impl<'n, 'a> Head<'n, 'a> {
    /// `None` if the response has failed.
    pub(super) fn of(node: &'n Node<'a>, batch: &'n Batch) -> Option<Self> {
        let failed = node.get("success").and_then(Node::as_bool) == Some(false);
        if failed || !node.is_object() || (batch.asked.is_none() && is_receipt(node)) {
            return None;
        }
        let (data, path) = match node.get("data").filter(|data| data.is_object()) {
            Some(data) => (data, Path::of("data")),
            None => (node, Path::default()),
        };
        let count = |name: &str| data.get(name).and_then(count);
        let (next_offset, window_start) = (count("next_offset"), count("window_start"));
        Some(Self { data, path, batch, next_offset, window_start })
    }

    /// Whether there is a list of events, if only an empty one.
    pub(super) fn has_list(&self) -> bool {
        self.batch.list.is_some()
    }

    /// From which number on it is, as far as it shows that.
    pub(super) fn begins_at(&self) -> Option<u64> {
        self.batch.asked.or(self.batch.first_idx).or(self.next_offset)
    }

    /// Whether it says nothing of a task.
    pub(super) fn says_nothing(&self) -> bool {
        !self.has_list() && self.data.get("status").is_none() && self.next_offset.is_none()
    }

    /// Whether it was asked for from the first event on, and there is none yet.
    pub(super) fn is_before_the_first(&self) -> bool {
        self.has_list() && self.batch.events.is_empty() && self.batch.asked.or(self.next_offset) == Some(0)
    }

    /// Whether a client may have got it that has come so far.
    pub(super) fn goes_on_from(&self, next: Option<u64>) -> bool {
        self.begins_at().is_none_or(|from| Some(from) == next)
    }

    /// An empty one names no task.
    pub(super) fn task_id(&self) -> Option<Cow<'a, str>> {
        self.data.get("task_id")?.as_str().filter(|id| !id.is_empty())
    }

    /// Whether the task was asked to stop, or has stopped.
    pub(super) fn is_cancelled(&self) -> bool {
        let status = self.data.get("status").and_then(Node::as_str);
        status.is_some_and(|status| matches!(TaskStatus::from(&*status), CancelRequested | Stopped | Canceled))
    }

    pub(super) fn has_empty_task_id(&self) -> bool {
        self.data.get("task_id").and_then(Node::as_str).is_some_and(|id| id.is_empty())
    }

    /// Path and place of a member.
    pub(super) fn place(&self, name: &str) -> (Path, Range<usize>) {
        (self.path.join(name), self.span(name))
    }

    /// The place of a member, else of the object that lacks it.
    fn span(&self, name: &str) -> Range<usize> {
        self.data.get(name).map_or(self.data.caret(), Node::span)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.data.get(name)?.as_number().map(to_f64)
    }
}

fn count(node: &Node<'_>) -> Option<u64> {
    node.as_number().and_then(number::place)
}

/// Whether a task may have another status later on; polls need not see every status.
fn may_become(status: &TaskStatus, next: &TaskStatus) -> bool {
    match status {
        _ if status == next => true,
        Pending => true,
        Running => *next != Pending,
        CancelRequested | Stopped | Canceled => matches!(next, Stopped | Canceled),
        _ => false,
    }
}

#[derive(Debug, Default)]
pub(super) struct Status {
    /// The status of the responses that were taken in, and where the last one stands.
    now: Option<(TaskStatus, Location)>,
    /// That of the response that is read.
    coming: Option<(TaskStatus, Location)>,
    /// A status that is not known has come.
    is_doubtful: bool,
    /// The status that was reported, since no way led to it.
    regressed_to: Option<TaskStatus>,
    /// The status before it. If that comes again, the one between was wrong, and nothing more is reported.
    regressed_from: Option<TaskStatus>,
    created_at: Option<f64>,
    /// The `updated_at` of the responses that were taken in, and of the one that is read.
    updated_at: Option<f64>,
    coming_at: Option<f64>,
    told_running: bool,
    told_late: bool,
    told_created: bool,
}

impl Status {
    /// `has_ended`: an event has ended the task, and nothing was reported behind it. `is_new`: it has events that were not
    /// read before.
    pub(super) fn begin(&mut self, head: &Head<'_, '_>, has_ended: bool, is_new: bool, report: &mut Reporter<'_>) {
        self.times(head, report);
        let status = head.data.get("status").and_then(Node::as_str).map(|text| TaskStatus::from(&*text));
        let Some(status) = status.filter(TaskStatus::is_known) else {
            self.is_doubtful = true;
            return;
        };
        let goes_on = self.regressed_from.take_if(|before| may_become(before, &status)).is_some();
        let regressed = self.now.take_if(|(now, _)| !goes_on && !may_become(now, &status));
        if let Some((before, location)) = regressed.clone() {
            self.regressed_from = Some(before.clone());
            let message = format!("{} does not follow {}", status.as_str(), before.as_str());
            self.regressed_to = Some(status.clone());
            let related = Related::at(location, "the status before stands here");
            let (path, span) = head.place("status");
            report.add_related(&rules::STATUS_REGRESSED, &path, span, message, Some(related));
        } else if has_ended
            && !status.is_terminal()
            && status != CancelRequested
            // What comes behind the end is reported itself.
            && !is_new
            && !std::mem::replace(&mut self.told_running, true)
        {
            let (path, span) = head.place("status");
            let message = "an event has ended the task, and the status says that it goes on";
            report.add(&rules::TERMINAL_EVENT_WHILE_RUNNING, &path, span, message);
        }
        if is_new
            && regressed.is_none()
            && self.is_terminal()
            && let Some(list) = &head.batch.list
            && !std::mem::replace(&mut self.told_late, true)
        {
            let message = "the task had ended by its status before these events came";
            let (path, caret) = (&head.batch.list_path, list.start..list.start + 1);
            report.at_root(|report| report.add(&rules::EVENTS_AFTER_TERMINAL_STATUS, path, caret, message));
        }
        let location = report.locate(head.span("status").start);
        self.coming = Some((status, location));
        // What it fell back from was reported once.
        if regressed.is_some() {
            self.now.clone_from(&self.coming);
        }
    }

    fn times(&mut self, head: &Head<'_, '_>, report: &mut Reporter<'_>) {
        let (created, updated) = (head.number("created_at"), head.number("updated_at"));
        if self.created_at.is_some() && created.is_some() && self.created_at != created {
            if !std::mem::replace(&mut self.told_created, true) {
                let (path, span) = head.place("created_at");
                report.add(&rules::UPDATED_AT_DECREASING, &path, span, "created_at was another before");
            }
        } else if let (Some(before), Some(now)) = (self.updated_at, updated)
            && now < before
        {
            let (path, span) = head.place("updated_at");
            report.add(&rules::UPDATED_AT_DECREASING, &path, span, "updated_at is before that of the response before");
        }
        self.created_at = self.created_at.or(created);
        self.coming_at = updated;
    }

    /// The response was taken in.
    pub(super) fn end(&mut self) {
        self.now = self.coming.take().or_else(|| self.now.take());
        self.updated_at = self.coming_at.or(self.updated_at);
    }

    /// Whether the task has ended, or is about to.
    pub(super) fn is_ending(&self) -> bool {
        self.is_terminal() || matches!(self.now, Some((CancelRequested, _)))
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.now.as_ref().is_some_and(|(now, _)| now.is_terminal())
    }

    /// `is_whole`: no event was passed over. Whether something was reported.
    pub(super) fn finish(&self, task: &Task, is_whole: bool, report: &mut Reporter<'_>) -> bool {
        let status = self.now.as_ref().map(|(status, _)| status);
        if self.is_doubtful || (status.is_some() && status == self.regressed_to.as_ref()) {
            return false;
        }
        let (rule, message) = match status {
            Some(status) if status.is_terminal() && !is_whole => return false,
            Some(Succeeded) if !task.complete => {
                (&rules::STATUS_SUCCEEDED_WITHOUT_COMPLETE, "the task has succeeded, and no task_complete came")
            }
            Some(Failed) if !task.error => {
                (&rules::STATUS_FAILED_WITHOUT_ERROR, "the task has failed, and no error came")
            }
            Some(Stopped) if !task.stopped => {
                (&rules::STATUS_STOPPED_WITHOUT_EVENT, "the task was stopped, and no task_stopped came")
            }
            Some(status) if status.is_terminal() => return false,
            _ if task.has_ended() => return false,
            _ => (&rules::ENDED_WITHOUT_TERMINAL, "neither a status nor an event has ended the task"),
        };
        if task.may_have_ended {
            return false;
        }
        let place = self.now.as_ref().filter(|_| rule != &rules::ENDED_WITHOUT_TERMINAL);
        let related = place.map(|(_, location)| Related::at(*location, "the status stands here"));
        report.add_at_end(rule, message, related);
        true
    }
}
