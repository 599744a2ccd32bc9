//! The end of a task.

use std::fmt;

use serde::Serialize;

use super::super::events::is_scope;
use super::content::Content;
use super::fields::Fields;
use crate::polling::budget::Budget;
use crate::polling::events::{BACKGROUND_MEMBERS, EventType, INTERNAL, TaskStatus, is_passing_error};
use crate::wire::Json;

/// How a task has ended.
///
/// Since 0.1.0. Source: the reference reduction, point 14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndKind {
    /// It has done what it could.
    TaskComplete,
    /// It was stopped.
    TaskStopped,
    /// It has failed; its status may be `succeeded` all the same.
    Error,
    /// There is nothing left to spend.
    QuotaExceeded,
}

impl EndKind {
    /// The type of the event.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TaskComplete => EventType::TaskComplete.as_str(),
            Self::TaskStopped => EventType::TaskStopped.as_str(),
            Self::Error => EventType::Error.as_str(),
            Self::QuotaExceeded => EventType::QuotaExceeded.as_str(),
        }
    }

    /// Whether an event of this type, and with this content, is an end.
    pub(super) fn of(event: EventType, content: Content<'_, '_>) -> Option<Self> {
        match event {
            EventType::TaskComplete => Some(Self::TaskComplete),
            EventType::TaskStopped => Some(Self::TaskStopped),
            EventType::Error if !is_passing(content) => Some(Self::Error),
            EventType::QuotaExceeded => Some(Self::QuotaExceeded),
            _ => None,
        }
    }

    /// The end that a status stands for, where clients make one up.
    pub(super) const fn of_status(status: &TaskStatus) -> Option<Self> {
        match status {
            TaskStatus::Succeeded => Some(Self::TaskComplete),
            TaskStatus::Canceled => Some(Self::TaskStopped),
            _ => None,
        }
    }
}

/// Whether the task goes on after an error.
fn is_passing(error: Content<'_, '_>) -> bool {
    is_passing_error(error.get("retry").is_some_and(Content::is_true), error.string("error_type").as_deref())
}

/// What has ended a task, the last event if there are several. `Debug` shows its type.
///
/// Since 0.1.0. Source: the reference reduction, point 14.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct TaskEnd {
    kind: EndKind,
    idx: Option<u64>,
    background: bool,
    fields: Fields,
}

impl TaskEnd {
    /// How it has ended.
    pub const fn kind(&self) -> EndKind {
        self.kind
    }

    /// The event's place in the stream; `None` if the status alone has told the end.
    pub const fn idx(&self) -> Option<u64> {
        self.idx
    }

    /// Whether work goes on in the background. The events of that are other tasks'.
    pub const fn has_background_work(&self) -> bool {
        self.background
    }

    /// The words for people.
    pub fn message(&self) -> Option<String> {
        self.fields.get("message").and_then(Json::as_string)
    }

    /// The members of the event, but for citations and for what an error gives away of the
    /// backend: `request_dump` and `base_url`.
    pub const fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(super) fn new(kind: EndKind, idx: u64, event: Content<'_, '_>, budget: &mut Budget) -> Self {
        let left_out = |name: &str| name == "citations" || INTERNAL.contains(&name) || is_scope(name);
        let mut fields = Fields::default();
        fields.set_all(event, |name| !left_out(name), budget);
        let says_so = |(name, value): (&str, Content<'_, '_>)| BACKGROUND_MEMBERS.contains(&name) && value.is_true();
        let background = matches!(kind, EndKind::TaskComplete | EndKind::TaskStopped) && event.members().any(says_so);
        Self { kind, idx: Some(idx), background, fields }
    }

    /// An end that no event has told.
    pub(super) fn made_up(kind: EndKind) -> Self {
        Self { kind, idx: None, background: false, fields: Fields::default() }
    }

    /// What was taken from the budget.
    pub(super) fn weight(&self) -> usize {
        self.fields.weight()
    }
}

impl fmt::Debug for TaskEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskEnd").field("kind", &self.kind).field("idx", &self.idx).finish_non_exhaustive()
    }
}
