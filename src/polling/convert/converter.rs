//! A task's events to the events of a run.

use std::borrow::Borrow;
use std::fmt;

use super::rest::Scope;
use super::run::{Ending, Run};
use super::tools::Unfinished;
use super::turn::{Memory, Turn};
use crate::agui::{self, RunAgentInput, RunStarted};
use crate::polling::events::{ConversationId, Envelope, Event, TaskId, TaskStatus};
use crate::wire::{Number, SafeInteger};

/// Converts all events of a task; see [`AgUiConverter`].
///
/// Where no event ends the task, the run ends with an error or, if the task waits for the
/// user, with an interrupt. A caller that knows the status says it to
/// [`AgUiConverter::finish`].
///
/// ```
/// use agent_contracts::agui::EventType::{
///     RunFinished, RunStarted, TextMessageContent, TextMessageEnd, TextMessageStart,
/// };
/// use agent_contracts::polling::{Envelope, to_agui};
///
/// let task = [
///     r#"{"idx":0,"type":"ai_message_start","data":{"task_id":"t1","conversation_id":"c1"},"ts":1760000000.0}"#,
///     r#"{"idx":1,"type":"text_start","data":{},"ts":1760000001.0}"#,
///     r#"{"idx":2,"type":"text_chunk","data":{"content":"Hi","index":1,"elapsed":0.0},"ts":1760000001.5}"#,
///     r#"{"idx":3,"type":"text_end","data":{"full_content":"Hi"},"ts":1760000002.0}"#,
///     r#"{"idx":4,"type":"task_complete","data":{"total_iterations":1},"ts":1760000003.0}"#,
/// ];
/// let task = task.into_iter().map(Envelope::from_json).collect::<Result<Vec<_>, _>>()?;
/// let types: Vec<_> = to_agui(&task).iter().filter_map(|event| event.known_type()).collect();
/// assert_eq!(types, [RunStarted, TextMessageStart, TextMessageContent, TextMessageEnd, RunFinished]);
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: task API §5 to §7, and the AG-UI 1.0 specification.
pub fn to_agui(envelopes: impl IntoIterator<Item: Borrow<Envelope>>) -> Vec<agui::Event> {
    let (mut converter, mut out) = (AgUiConverter::new(), Vec::new());
    for envelope in envelopes {
        converter.push(envelope.borrow(), &mut out);
    }
    converter.finish(None, &mut out);
    out
}

/// Converts the events of a task to a run of AG-UI 1.0, event by event.
///
/// | task API | AG-UI |
/// |---|---|
/// | the first event | `RUN_STARTED`: the conversation is the thread, the task is the run; a user message is its `input` |
/// | any other user message | a text message of role `user`, or `developer` if it is hidden; one that has come before: `MESSAGES_SNAPSHOT` |
/// | text, thinking | a text message or reasoning for each block |
/// | `tool_preparing`, `tool_start` | `TOOL_CALL_START`; `TOOL_CALL_ARGS`, `TOOL_CALL_END` |
/// | `update_action` with the last status | `TOOL_CALL_RESULT` |
/// | `stream_reset` | what the attempt had begun is ended; `MESSAGES_SNAPSHOT` without it |
/// | a full content that is not what came | the missing end, else `MESSAGES_SNAPSHOT` |
/// | `task_complete` | `RUN_FINISHED`; outcome `interrupt` if the user still has to answer |
/// | `task_stopped` | `RUN_FINISHED`, outcome `cancelled` |
/// | `error`, unless it has `retry` or is a `parameter_format_error`; `quota_exceeded` | `RUN_ERROR` |
/// | `ai_message_start` | the ends of open blocks; `CUSTOM` if it has unknown members |
/// | everything else | `CUSTOM`, named `polling.` and the type |
/// | members that AG-UI lacks | `metadata.polling` |
/// | `ts` | `timestamp`, in milliseconds |
///
/// So text, thinking and calls are in the end those of
/// [`TaskView`](crate::polling::view::TaskView), but for events that break their schema: those
/// become `CUSTOM`. Calls that are not over at the end get an
/// answer, unless the run waits for the user: clients take calls without one for their own.
///
/// Events whose `idx` has come before are dropped, and so are those of other tasks and what
/// comes after the end; of other conversations, only if one was given. Left out of `metadata`
/// and `CUSTOM`: `null`, what an error gives away of the backend, members with keys that name secrets, and what is nested too deeply or would
/// make them larger than 32 000 UTF-16 units. A result that is JSON in a string loses members
/// that name secrets. If a task checks without errors and warnings, so does its run.
///
/// Clients drop the messages that a snapshot does not have, those of earlier runs as well: give
/// these to [`with_earlier`](Self::with_earlier). A run with more than 8 MiB of messages gets no
/// snapshots. After 64 snapshots the next one comes at the end of the run.
///
/// ```
/// use agent_contracts::agui;
/// use agent_contracts::polling::{AgUiConverter, Envelope, TaskStatus};
///
/// let (mut converter, mut out) = (AgUiConverter::new(), Vec::<agui::Event>::new());
/// let event = r#"{"idx":0,"type":"ai_message_start","data":{"task_id":"t1","conversation_id":"c1"},"ts":1760000000.0}"#;
/// converter.push(&Envelope::from_json(event)?, &mut out);
/// assert_eq!(
///     out.pop().map(|event| event.to_json()).as_deref(),
///     Some(r#"{"type":"RUN_STARTED","threadId":"c1","runId":"t1","timestamp":1760000000000}"#),
/// );
/// converter.finish(Some(&TaskStatus::Stopped), &mut out);
/// assert_eq!(
///     out.pop().map(|event| event.to_json()).as_deref(),
///     Some(r#"{"type":"RUN_FINISHED","threadId":"c1","runId":"t1","outcome":{"type":"cancelled"}}"#),
/// );
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: task API §5, §6 and §7, and the AG-UI 1.0 specification.
#[derive(Clone, Default)]
pub struct AgUiConverter {
    task: Option<TaskId>,
    /// The one that was given.
    conversation: Option<ConversationId>,
    next_idx: u64,
    /// The ids of the run, once it has begun.
    scope: Option<Scope>,
    run: Run,
    memory: Memory,
    is_over: bool,
}

impl fmt::Debug for AgUiConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgUiConverter").field("next_idx", &self.next_idx).finish_non_exhaustive()
    }
}

impl AgUiConverter {
    /// A converter at the beginning of a task. It takes the ids from the first event.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the ids of the task and its conversation, in case the first event lacks them. Events of another conversation
    /// are dropped then; otherwise a task may go on in another one.
    #[must_use]
    pub fn with_ids(mut self, task: impl Into<TaskId>, conversation: impl Into<ConversationId>) -> Self {
        self.task = Some(task.into());
        self.conversation = Some(conversation.into());
        self
    }

    /// Gives the messages that the conversation had before the task. Snapshots begin with them.
    #[must_use]
    pub fn with_earlier(mut self, messages: Vec<agui::Message>) -> Self {
        let assistants = messages.iter().filter_map(|message| match message {
            agui::Message::Assistant(message) => message.tool_calls.as_ref(),
            _ => None,
        });
        let calls = assistants.flatten().map(|call| Box::<str>::from(call.id.as_str()));
        self.memory.taken.extend(calls);
        self.memory.history.follow(messages);
        self
    }

    /// Takes the next event and puts what it becomes into `out`.
    pub fn push(&mut self, envelope: &Envelope, out: &mut impl Extend<agui::Event>) {
        let event = &envelope.event;
        let idx = envelope.idx.as_u64().filter(|idx| (self.next_idx..u64::MAX).contains(idx));
        let Some(idx) = idx.filter(|_| !self.is_over && self.is_own(event)) else { return };
        self.next_idx = idx + 1;
        let mut made = Vec::new();
        if self.begin(Some(event), idx, &mut made) {
            self.take(event, idx, &mut made);
        }
        let time = milliseconds(&envelope.ts);
        out.extend(made.into_iter().map(|event| stamped(event, time)));
    }

    /// Ends the run, if no event has ended it.
    ///
    /// `status` is that of the task after its last event. The run of a task that is `succeeded`
    /// is finished, that of one that was stopped is cancelled. If the task is not over, its run
    /// is finished if it waits for the user, and ends with an error otherwise.
    pub fn finish(&mut self, status: Option<&TaskStatus>, out: &mut impl Extend<agui::Event>) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        let mut made = Vec::new();
        self.begin(None, self.next_idx, &mut made);
        let Some(scope) = &self.scope else { return };
        let cancelled = Unfinished::Cancelled;
        let (ending, unfinished) = match status {
            Some(TaskStatus::Succeeded) => (Ending::Finished, cancelled),
            Some(TaskStatus::Stopped | TaskStatus::Canceled) => (Ending::Cancelled, cancelled),
            Some(TaskStatus::Failed) => (Ending::failed("the task has failed", "failed"), cancelled),
            _ if self.run.waits() => (Ending::Finished, Unfinished::GoOn),
            _ => (Ending::failed("the events end before the task does", "incomplete"), Unfinished::GoOn),
        };
        let (memory, attempt) = (&mut self.memory, self.run.attempt);
        let mut turn = Turn { scope, memory, out: &mut made, idx: self.next_idx, attempt };
        self.run.close(ending, unfinished, None, &mut turn);
        out.extend(made);
    }

    /// Whether calls, answers or questions were passed over or put out as `CUSTOM` at a bound: what is remembered of a run
    /// beside its messages is at most 64 MiB.
    pub const fn is_truncated(&self) -> bool {
        self.memory.room.is_exceeded()
    }

    /// Whether an event names no other task, and no other conversation than the one that was given.
    fn is_own(&self, event: &Event) -> bool {
        // An empty id names nothing.
        let task = event.task_id().filter(|id| !id.as_str().is_empty());
        let conversation = event.conversation_id().filter(|id| !id.as_str().is_empty());
        (self.task.is_none() || task.is_none() || task == self.task)
            && (self.conversation.is_none() || conversation.is_none() || conversation == self.conversation)
    }

    /// Begins the run, if it has not begun; says whether there is more to the event than that.
    fn begin(&mut self, event: Option<&Event>, idx: u64, out: &mut Vec<agui::Event>) -> bool {
        if self.task.is_none() {
            self.task = event.and_then(Event::task_id).filter(|id| !id.as_str().is_empty());
        }
        if self.scope.is_some() {
            return true;
        }
        let ids = Scope::new(self.task.clone(), self.conversation.clone(), event);
        let scope: &Scope = self.scope.insert(ids);
        let mut started = RunStarted::new(scope.thread.clone(), scope.run.clone());
        started.metadata = scope.announcement();
        let message = match event {
            Some(Event::UserMessage(message)) => Some(message),
            _ => None,
        };
        if let Some(message) = message {
            let attempt = self.run.attempt;
            let mut turn = Turn { scope, memory: &mut self.memory, out: &mut *out, idx, attempt };
            let input = vec![self.run.begin(message, &mut turn)];
            started.input = Some(Box::new(RunAgentInput::new(scope.thread.clone(), scope.run.clone(), input)));
        }
        out.push(started.into());
        message.is_none()
    }

    /// Takes an event of the run.
    fn take(&mut self, event: &Event, idx: u64, out: &mut Vec<agui::Event>) {
        let Some(scope) = &self.scope else { return };
        let attempt = self.run.attempt;
        let mut turn = Turn { scope, memory: &mut self.memory, out, idx, attempt };
        if event.is_terminal() {
            self.is_over = true;
            self.run.end(event, &mut turn);
        } else {
            self.run.take(event, &mut turn);
        }
    }
}

/// A time in seconds as AG-UI has it, if it can.
fn milliseconds(seconds: &Number) -> Option<SafeInteger> {
    SafeInteger::new((seconds.as_f64() * 1000.0).round() as i64)
}

/// The event with its time.
fn stamped(mut event: agui::Event, time: Option<SafeInteger>) -> agui::Event {
    macro_rules! stamp {
        ($($variant:ident),+ $(,)?) => {
            match &mut event {
                $( agui::Event::$variant(event) => event.timestamp = time, )+
                _ => {}
            }
        };
    }
    stamp!(
        RunStarted,
        RunFinished,
        RunError,
        TextMessageStart,
        TextMessageContent,
        TextMessageEnd,
        ReasoningStart,
        ReasoningMessageStart,
        ReasoningMessageContent,
        ReasoningMessageEnd,
        ReasoningEnd,
        ToolCallStart,
        ToolCallArgs,
        ToolCallEnd,
        ToolCallResult,
        MessagesSnapshot,
        Custom,
    );
    event
}
