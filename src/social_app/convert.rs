//! From social-app to official AG-UI 1.0.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use super::events::event::Event;
use super::events::run::RunError;
use super::events::text::TextMessageEnd;
use super::events::tool::{ToolCallResult, ToolResult};
use super::sanitizer::Sanitizer;
use crate::agui::{self, MessageId, ToolCallId, carry};
use crate::check::{Checker, Input, Severity};
use crate::wire::{Json, JsonObject, Nullable};

/// The member of `metadata` that holds what AG-UI has no place for.
const METADATA_KEY: &str = "social-app";

/// Converts the events of a run, without the backend's own members; see [`AgUiConverter`]. A run without an end gets
/// `RUN_ERROR`.
///
/// ```
/// use agent_contracts::agui::EventType;
/// use agent_contracts::social_app::{Event, RunFinished, RunStarted, StepStarted, to_agui};
///
/// let run: Vec<Event> = vec![
///     RunStarted::new("t1", "r1").into(),
///     StepStarted::new("t1", "r1", "worker").into(),
///     RunFinished::new("t1", "r1").into(),
/// ];
/// let types: Vec<_> = to_agui(run).iter().filter_map(|event| event.known_type()).collect();
/// use EventType::*;
/// assert_eq!(types, [EventType::RunStarted, EventType::StepStarted, StepFinished, EventType::RunFinished]);
/// ```
///
/// Since 0.1.0.
pub fn to_agui(events: impl IntoIterator<Item: Borrow<Event>>) -> Vec<agui::Event> {
    let (mut converter, mut out) = (AgUiConverter::new(), Vec::new());
    for event in events {
        converter.push(event.borrow(), &mut out);
    }
    converter.finish(&mut out);
    out
}

/// Converts a stream of social-app events to AG-UI 1.0, event by event.
///
/// | social-app | AG-UI |
/// |---|---|
/// | `TOOL_CALL_ARGS.args` | one `delta` with its JSON text |
/// | `TOOL_CALL_RESULT` | `toolCallId`, `content` with the JSON text of an object or the text itself, and a message id of its own, since here it shares that of the call |
/// | `messageId` of a call | `parentMessageId`, unless a snapshot gives the id to somebody else |
/// | `TEXT_MESSAGE_END.answer` | `TEXT_MESSAGE_START`, `_CONTENT`, `_END` |
/// | `RUN_ERROR` with code `RUN_CANCELED` | `RUN_FINISHED` with outcome `cancelled` |
/// | steps and calls open when a run finishes | closed before |
/// | the end of the stream in a run | `RUN_ERROR` |
/// | members that AG-UI lacks | `metadata["social-app"]` |
///
/// What AG-UI would find fault with is left out of `metadata`: `null`, values that are
/// nested too deeply or would make it larger than 32 000 UTF-16 units, and unknown
/// members with keys that name secrets. These are left out as a whole: events of unknown
/// types, snapshots that AG-UI does not take, and arguments of a call that has some, or has
/// its result. A call without arguments gets `{}`. A run that checks without errors and warnings as social-app does
/// so as `agui` after conversion, unless arguments of a tool call are larger than 32 000
/// UTF-16 units. Runs of one connection must not overlap, since AG-UI's runs do not.
///
/// The calls of the current run are remembered, with the arguments of those that have no
/// result yet, and the ids of other people's messages in snapshots.
///
/// The backend's own members are taken out first, as [`Sanitizer`] does, unless they are
/// [asked for](Self::with_internal).
///
/// Since 0.1.0. Source: v1 §3, and the AG-UI 1.0 specification.
#[derive(Clone, Default)]
pub struct AgUiConverter {
    keeps_internal: bool,
    /// A run has begun and not ended.
    is_active: bool,
    /// The names of the open steps, each with the number of its start.
    steps: HashMap<String, u64>,
    started: u64,
    calls: Vec<Call>,
    /// The place of each call in the list.
    places: HashMap<ToolCallId, usize>,
    /// Messages of snapshots that are not the assistant's.
    others: HashSet<MessageId>,
}

/// A tool call of the current run.
#[derive(Clone)]
struct Call {
    id: ToolCallId,
    /// The arguments that were put out, until there is a result.
    args: Option<Json>,
    has_args: bool,
    /// TOOL_CALL_END was put out.
    ended: bool,
    /// TOOL_CALL_END has come, with what is to go along.
    complete: Option<Option<JsonObject>>,
}

impl fmt::Debug for AgUiConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgUiConverter").finish_non_exhaustive()
    }
}

impl AgUiConverter {
    /// A converter at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the backend's own members like all others, for streams that stay in the backend.
    #[must_use]
    pub fn with_internal(mut self, is_kept: bool) -> Self {
        self.keeps_internal = is_kept;
        self
    }

    /// Takes the next event and puts what it becomes into `out`.
    pub fn push(&mut self, event: &Event, out: &mut impl Extend<agui::Event>) {
        if self.keeps_internal {
            return self.take(event, out);
        }
        let mut event = event.clone();
        Sanitizer::new().sanitize(&mut event);
        self.take(&event, out);
    }

    /// Says that the stream has ended. A run that is still active ends with an error.
    pub fn finish(&mut self, out: &mut impl Extend<agui::Event>) {
        if self.is_active {
            out.extend([agui::RunError::new("the stream ended before the run did").into()]);
            self.end_run();
        }
    }

    fn take(&mut self, event: &Event, out: &mut impl Extend<agui::Event>) {
        match event {
            Event::RunStarted(event) => {
                self.end_run();
                self.is_active = true;
                let mut started = agui::RunStarted::new(event.thread_id.clone(), event.run_id.clone());
                started.metadata = rest(event, &["threadId", "runId"]);
                out.extend([started.into()]);
            }
            Event::RunFinished(event) => {
                self.close(out);
                let mut finished = agui::RunFinished::new(event.thread_id.clone(), event.run_id.clone());
                finished.metadata = rest(event, &["threadId", "runId"]);
                out.extend([finished.into()]);
            }
            Event::RunError(event) => self.run_error(event, out),
            Event::StepStarted(event) => {
                self.started += 1;
                self.steps.entry(event.step_name.to_string()).or_insert(self.started);
                let mut started = agui::StepStarted::new(event.step_name.as_str());
                started.metadata = rest(event, &["stepName"]);
                out.extend([started.into()]);
            }
            Event::StepFinished(event) => {
                self.steps.remove(event.step_name.as_str());
                let mut finished = agui::StepFinished::new(event.step_name.as_str());
                finished.metadata = rest(event, &["stepName"]);
                out.extend([finished.into()]);
            }
            Event::ToolCallStart(event) => {
                let metadata = rest(event, &["toolCallId", "toolCallName", "messageId"]);
                self.start(&event.tool_call_id, &event.tool_call_name, &event.message_id, metadata, out);
            }
            Event::ToolCallArgs(event) => {
                self.ensure(&event.tool_call_id, &event.tool_call_name, &event.message_id, out);
                let Some(call) = self.call(&event.tool_call_id).filter(|call| !call.has_args) else { return };
                let mut args = agui::ToolCallArgs::new(event.tool_call_id.clone(), event.args.as_object().as_str());
                args.metadata = rest(event, &["toolCallId", "toolCallName", "messageId", "args"]);
                out.extend([args.into()]);
                call.has_args = true;
                call.args = Some(Json::clone(event.args.as_object()));
                if call.complete.is_some() {
                    call.end(out);
                }
            }
            Event::ToolCallEnd(event) => {
                self.ensure(&event.tool_call_id, &event.tool_call_name, &event.message_id, out);
                let metadata = rest(event, &["toolCallId", "toolCallName", "messageId"]);
                if let Some(call) = self.call(&event.tool_call_id) {
                    call.complete = Some(metadata);
                    // Arguments may still come.
                    if call.has_args {
                        call.end(out);
                    }
                }
            }
            Event::ToolCallResult(event) => self.result(event, out),
            Event::TextMessageEnd(event) => self.text(event, out),
            Event::StateSnapshot(event) => {
                let Some(state) = event.snapshot.clone() else { return };
                let mut snapshot = agui::StateSnapshot::new(state);
                snapshot.metadata = rest(event, &["snapshot"]);
                out.extend(Some(snapshot.into()).filter(is_clean));
            }
            Event::MessagesSnapshot(event) => {
                let Some(list) = &event.messages else { return };
                let Ok(messages) = list.to::<Vec<agui::Message>>() else { return };
                let others = list.to::<Vec<Json>>().unwrap_or_default();
                let others: Vec<MessageId> = others.iter().filter_map(other_message).collect();
                let mut ids = HashSet::new();
                let are_told_apart = messages.iter().filter_map(agui::Message::id).all(|id| ids.insert(id.clone()));
                let mut snapshot = agui::MessagesSnapshot::new(messages);
                snapshot.metadata = rest(event, &["messages"]);
                let snapshot = agui::Event::from(snapshot);
                if are_told_apart && is_clean(&snapshot) {
                    // Other snapshots do not change who somebody was.
                    self.others.extend(others);
                    out.extend([snapshot]);
                }
            }
            Event::Unknown(_) => {}
        }
    }

    fn call(&mut self, id: &ToolCallId) -> Option<&mut Call> {
        self.calls.get_mut(*self.places.get(id)?)
    }

    fn start(
        &mut self,
        id: &ToolCallId,
        name: &str,
        message: &MessageId,
        metadata: Option<JsonObject>,
        out: &mut impl Extend<agui::Event>,
    ) {
        self.places.insert(id.clone(), self.calls.len());
        self.calls.push(Call { id: id.clone(), args: None, has_args: false, ended: false, complete: None });
        let mut start = agui::ToolCallStart::new(id.clone(), name);
        start.parent_message_id = Some(message.clone()).filter(|message| self.is_free(message));
        start.metadata = metadata;
        out.extend([start.into()]);
    }

    /// Whether a message of the assistant may have its own id: nobody else has it, and it does not look like one that
    /// is made here.
    fn is_free(&self, id: &MessageId) -> bool {
        let is_made = id.as_str().strip_prefix(METADATA_KEY).is_some_and(|rest| rest.starts_with(':'));
        !is_made && !self.others.contains(id)
    }

    /// Starts a call that has not been started.
    fn ensure(&mut self, id: &ToolCallId, name: &str, message: &MessageId, out: &mut impl Extend<agui::Event>) {
        if self.call(id).is_none() {
            self.start(id, name, message, None, out);
        }
    }

    fn result(&mut self, event: &ToolCallResult, out: &mut impl Extend<agui::Event>) {
        self.ensure(&event.tool_call_id, &event.tool_name, &event.message_id, out);
        let given = event.tool_call_args.as_option().map(|args| Json::clone(args.as_object()));
        let mut consumed = vec!["tool_call_id", "role", "result"];
        if let Some(call) = self.call(&event.tool_call_id) {
            call.fill(given.as_ref(), out);
            call.end(out);
            if call.args.take() == given {
                consumed.push("tool_call_args");
            }
        }
        let content = match &event.result {
            ToolResult::Text(text) => text.as_str(),
            ToolResult::Object(object) => object.as_str(),
        };
        let message = format!("{METADATA_KEY}:result:{}:{}", event.run_id, event.tool_call_id);
        let mut result = agui::ToolCallResult::new(message, event.tool_call_id.clone(), content);
        result.metadata = rest(event, &consumed);
        out.extend([result.into()]);
    }

    fn run_error(&mut self, event: &RunError, out: &mut impl Extend<agui::Event>) {
        if event.is_canceled() {
            self.close(out);
            let outcome = agui::RunFinishedOutcome::from(agui::RunFinishedCancelledOutcome::new());
            let mut finished =
                agui::RunFinished::new(event.thread_id.clone(), event.run_id.clone()).with_outcome(outcome);
            finished.metadata = rest(event, &["threadId", "runId"]);
            out.extend([finished.into()]);
        } else {
            let mut error = agui::RunError::new(event.message.as_str());
            error.code = event.code.as_ref().and_then(Nullable::as_option).map(ToString::to_string);
            error.metadata = rest(event, &["message", "code"]);
            out.extend([error.into()]);
            self.end_run();
        }
    }

    fn text(&self, event: &TextMessageEnd, out: &mut impl Extend<agui::Event>) {
        // AG-UI's messages of different kinds have different ids.
        let id = match &event.message_id {
            id if self.is_free(id) => id.clone(),
            id => MessageId::from(format!("{METADATA_KEY}:answer:{id}")),
        };
        let start = agui::TextMessageStart::new(id.clone()).with_role(agui::TextMessageRole::Assistant);
        out.extend([start.into()]);
        if !event.answer.is_empty() {
            out.extend([agui::TextMessageContent::new(id.clone(), event.answer.as_str()).into()]);
        }
        let mut end = agui::TextMessageEnd::new(id);
        end.metadata = rest(event, &["messageId", "role", "answer"]);
        out.extend([end.into()]);
    }

    /// Closes what is open when a run finishes.
    fn close(&mut self, out: &mut impl Extend<agui::Event>) {
        for call in &mut self.calls {
            call.fill(None, out);
            call.end(out);
        }
        let mut steps: Vec<_> = self.steps.drain().collect();
        steps.sort_unstable_by_key(|(_, number)| std::cmp::Reverse(*number));
        out.extend(steps.into_iter().map(|(step, _)| agui::StepFinished::new(step).into()));
        self.end_run();
    }

    /// Forgets what is of one run.
    fn end_run(&mut self) {
        self.is_active = false;
        self.steps.clear();
        self.calls.clear();
        self.places.clear();
    }
}

impl Call {
    /// Puts out arguments if there were none: an empty text is not JSON.
    fn fill(&mut self, args: Option<&Json>, out: &mut impl Extend<agui::Event>) {
        if !std::mem::replace(&mut self.has_args, true) {
            let text = args.map_or("{}", |args| args.as_str());
            out.extend([agui::ToolCallArgs::new(self.id.clone(), text).into()]);
            self.args = args.cloned();
        }
    }

    fn end(&mut self, out: &mut impl Extend<agui::Event>) {
        if !std::mem::replace(&mut self.ended, true) {
            let mut end = agui::ToolCallEnd::new(self.id.clone());
            end.metadata = self.complete.take().flatten();
            out.extend([end.into()]);
        }
    }
}

/// The members of an event that its AG-UI counterpart has no place for, as `metadata`.
fn rest(event: &impl serde::Serialize, consumed: &[&str]) -> Option<JsonObject> {
    let members = carry::members(event);
    let kept = carry::harmless(METADATA_KEY, members.iter().filter(|(name, _)| !consumed.contains(name)));
    carry::metadata(METADATA_KEY, &kept)
}

/// The id of a message that is not the assistant's.
fn other_message(message: &Json) -> Option<MessageId> {
    let role = message.get("role").and_then(|role| role.as_string());
    let id = message.get("id")?.as_string()?;
    (role.as_deref() != Some(agui::MessageRole::Assistant.as_str())).then(|| id.into())
}

/// Whether AG-UI finds nothing to warn of in the event by itself.
fn is_clean(event: &agui::Event) -> bool {
    let mut checker = Checker::new(agui::PROTOCOL);
    let findings = checker.check_as("Event", Input::event(&event.to_json()));
    findings.is_ok_and(|findings| findings.iter().all(|finding| finding.severity < Severity::Warning))
}
