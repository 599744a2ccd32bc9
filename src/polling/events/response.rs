//! What the server answers: to a poll, a new message, a cancellation.

use super::envelope::Envelope;
use super::names::{ConversationId, TaskId, TaskStatus, WorkspaceId};
use crate::wire::decode::{Decode, Outcome, wrong_type};
use crate::wire::payload::payload;
use crate::wire::scan::{Cursor, Kind};
use crate::wire::{Error, Integer, Nullable, Number};

payload! {
    /// A task, and its events from an offset on.
    pub struct TaskData = "PollingTaskData", open {
        /// The task.
        required task_id: TaskId = "task_id",
        /// The workspace, which a task need not have.
        required workspace_id: Nullable<WorkspaceId> = "workspace_id",
        /// Where the task stands. The server reads it after the events, so one more response may bring events.
        required status: TaskStatus = "status",
        /// When the task was made, in seconds since the epoch.
        required created_at: Number = "created_at",
        /// When it changed last, in seconds since the epoch.
        required updated_at: Number = "updated_at",
        /// Why the task failed, for people; null unless it did.
        required error: Nullable<String> = "error",
        /// The events that the server still has, from the offset on.
        required events: Vec<Envelope> = "events",
        /// The offset to ask for next: the last index plus one. Without events v1 repeats the one that was asked for, and
        /// servers with `window_start` give the index of the next event.
        required next_offset: Integer = "next_offset" where {"minimum": 0},
        /// The oldest index that the server still has. Only later servers of the web API say it.
        optional window_start: Integer = "window_start" where {"minimum": 0},
    }
}

payload! {
    /// The answer to a poll.
    pub struct TaskResponse = "PollingTaskResponse", open {
        /// Always true: a failure is another answer.
        required success: bool = "success",
        /// The task and its events.
        required data: TaskData = "data",
    }
}

payload! {
    /// The answer to a poll without `data`, whose members stand at the top level. Only the first description has it; no
    /// known server sends it.
    pub struct FlatResponse = "PollingFlatResponse", open {
        /// Whether it went well.
        optional success: bool = "success",
        /// The task.
        optional task_id: TaskId = "task_id",
        /// The workspace.
        optional workspace_id: Nullable<WorkspaceId> = "workspace_id",
        /// Where the task stands.
        optional status: TaskStatus = "status",
        /// When the task was made, in seconds since the epoch.
        optional created_at: Number = "created_at",
        /// When it changed last, in seconds since the epoch.
        optional updated_at: Number = "updated_at",
        /// Why the task failed, for people.
        optional error: Nullable<String> = "error",
        /// The events from the offset on.
        required events: Vec<Envelope> = "events",
        /// The offset to ask for next.
        optional next_offset: Integer = "next_offset" where {"minimum": 0},
        /// The oldest index that the server still has.
        optional window_start: Integer = "window_start" where {"minimum": 0},
    }
}

payload! {
    /// A failure, with an HTTP status of 400 or more.
    pub struct ErrorResponse = "PollingErrorResponse", open {
        /// Always false.
        required success: bool = "success",
        /// What went wrong, for people. There is no code.
        required error: String = "error",
    }
}

payload! {
    /// The answer to a message: a task was made for it.
    pub struct CreatedResponse = "PollingCreatedResponse", open {
        /// Always true: a failure is another answer.
        required success: bool = "success",
        /// The task.
        required task_id: TaskId = "task_id",
        /// The conversation.
        required conversation_id: ConversationId = "conversation_id",
        /// The workspace.
        required workspace_id: WorkspaceId = "workspace_id",
        /// Where the task stands.
        required status: TaskStatus = "status",
        /// When the task was made, in seconds since the epoch.
        required created_at: Number = "created_at",
    }
}

payload! {
    /// The answer to a cancellation, also of a task that is over.
    pub struct CancelResponse = "PollingCancelResponse", open {
        /// Always true: a failure is another answer.
        required success: bool = "success",
    }
}

/// The answer to a poll, in whatever shape it came, which it keeps.
///
/// `"success": false` makes it an error; else `data` makes it a task, and `events` at top
/// level the other shape.
///
/// An event whose data is not of its type's shape does not hide the others: it is kept as
/// [`Event::Unknown`](super::Event::Unknown) under its type, and [`Envelope::from_json`] of its text says what is wrong.
///
/// ```
/// use agent_contracts::polling::{PollResponse, TaskStatus};
///
/// let text = r#"{"success":true,"data":{"task_id":"t1","workspace_id":null,"status":"running",
///     "created_at":1760000000.0,"updated_at":1760000009.0,"error":null,"events":[],"next_offset":6}}"#;
/// let response = PollResponse::from_json(text)?;
/// assert_eq!(response.status(), Some(&TaskStatus::Running));
/// assert_eq!(response.next_offset().and_then(|offset| offset.as_u64()), Some(6));
///
/// let response = PollResponse::from_json(r#"{"success":false,"error":"no such task"}"#)?;
/// assert_eq!(response.error(), Some("no such task"));
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: task API §2.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum PollResponse {
    /// The task and its events under `data`, as servers send it.
    Task(TaskResponse),
    /// The task and its events at top level.
    Flat(FlatResponse),
    /// A failure.
    Error(ErrorResponse),
}

impl PollResponse {
    /// Decodes JSON text.
    ///
    /// # Errors
    /// When the text is not JSON or of none of the shapes, or an event lacks `idx`, `type`, `data` or `ts`.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        crate::wire::decode::from_json(text)
    }

    /// Encodes as JSON text on one line, in the shape in which it came.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The task.
    pub fn task_id(&self) -> Option<&TaskId> {
        match self {
            Self::Task(response) => Some(&response.data.task_id),
            Self::Flat(response) => response.task_id.as_ref(),
            Self::Error(_) => None,
        }
    }

    /// Where the task stands.
    pub fn status(&self) -> Option<&TaskStatus> {
        match self {
            Self::Task(response) => Some(&response.data.status),
            Self::Flat(response) => response.status.as_ref(),
            Self::Error(_) => None,
        }
    }

    /// The events from the offset on; none of a failure.
    pub fn events(&self) -> &[Envelope] {
        match self {
            Self::Task(response) => &response.data.events,
            Self::Flat(response) => &response.events,
            Self::Error(_) => &[],
        }
    }

    /// The offset to ask for next.
    pub fn next_offset(&self) -> Option<&Integer> {
        match self {
            Self::Task(response) => Some(&response.data.next_offset),
            Self::Flat(response) => response.next_offset.as_ref(),
            Self::Error(_) => None,
        }
    }

    /// The oldest index that the server still has, where it says so.
    pub fn window_start(&self) -> Option<&Integer> {
        match self {
            Self::Task(response) => response.data.window_start.as_ref(),
            Self::Flat(response) => response.window_start.as_ref(),
            Self::Error(_) => None,
        }
    }

    /// Why the poll failed or, where it did not, why the task did; for people.
    pub fn error(&self) -> Option<&str> {
        match self {
            Self::Task(response) => response.data.error.as_option().map(String::as_str),
            Self::Flat(response) => response.error.as_ref().and_then(Nullable::as_option).map(String::as_str),
            Self::Error(response) => Some(&response.error),
        }
    }
}

impl Decode for PollResponse {
    fn decode(cursor: &mut Cursor<'_>) -> Outcome<Self> {
        let mut ahead = *cursor;
        // What nearly all are needs no look ahead.
        if let Ok(response) = TaskResponse::decode(&mut ahead)
            && response.success
        {
            *cursor = ahead;
            return Ok(Self::Task(response));
        }
        ahead = *cursor;
        if ahead.kind()? != Kind::Object {
            return wrong_type(cursor, "an object");
        }
        ahead.open(b'{')?;
        let (mut failed, mut has_data, mut has_events) = (false, false, false);
        let mut first = true;
        while let Some(key) = ahead.member(&mut first)? {
            let value = ahead.skimmed()?;
            match &*key.lossy() {
                "success" => failed = value == "false",
                "data" => has_data = true,
                "events" => has_events = true,
                _ => {}
            }
        }
        if failed {
            Decode::decode(cursor).map(Self::Error)
        } else if has_events && !has_data {
            Decode::decode(cursor).map(Self::Flat)
        } else {
            Decode::decode(cursor).map(Self::Task)
        }
    }
}

impl<'de> serde::Deserialize<'de> for PollResponse {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::wire::capture::deserialize(deserializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PollResponse {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PollingResponse".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let task = generator.subschema_for::<TaskResponse>();
        let flat = generator.subschema_for::<FlatResponse>();
        let error = generator.subschema_for::<ErrorResponse>();
        schemars::json_schema!({"anyOf": [task, flat, error]})
    }
}
