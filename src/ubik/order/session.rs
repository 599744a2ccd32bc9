//! A session's stream: connection, task, text, steps, tools, and the end.

use std::borrow::Cow;
use std::fmt;

use super::super::events::EventType;
use super::super::facts::*;
use super::super::rules;
use super::super::time::Time;
use super::steps::Steps;
use super::text::{self, Text};
use crate::check::Limits;
use crate::check::facts::Facts;
use crate::check::finding::Reporter;
use crate::check::history::{Bounded, Keys};
use crate::check::order::{Arrival, Place};
use crate::check::rule::Severity;
use crate::safe::show;

#[derive(Debug)]
pub(super) struct Session {
    keys: Keys,
    connection: Option<u64>,
    /// The first event, or what may have been it, has come.
    begun: bool,
    task: Task,
    /// Checkpoints that were created, by name.
    checkpoints: Bounded<()>,
    /// Tools that were announced, and the key of the name that each has.
    tools: Bounded<Option<u64>>,
    steps: Steps,
    text: Text,
    forgot: bool,
}

/// What has happened in the task of a connection.
#[derive(Default)]
struct Task {
    id: Option<u64>,
    processing: bool,
    streaming: bool,
    stop_requested: bool,
    end: Option<Place>,
    /// The time of the event before, as it was written.
    last_time: Option<String>,
    /// What may have come in events that could not be read: one of each.
    excused: u32,
    may_have_ended: bool,
    told: Told,
}

impl fmt::Debug for Task {
    /// Shows nothing of the events that have come.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("end", &self.end).field("told", &self.told).finish_non_exhaustive()
    }
}

/// What is reported once in a task.
#[derive(Debug, Default)]
struct Told {
    no_processing: bool,
    no_stream: bool,
    after_end: bool,
    task_id: bool,
}

impl Session {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            keys: Keys::default(),
            connection: None,
            begun: false,
            task: Task::default(),
            checkpoints: Bounded::new(limits.history),
            tools: Bounded::new(limits.history),
            steps: Steps::new(limits.history),
            text: Text::new(limits.text_bytes),
            forgot: false,
        }
    }

    fn key(&self, facts: &Facts<'_>, slot: u8) -> Option<u64> {
        facts.string(slot).map(|id| self.keys.of(&*id))
    }

    /// The first event may come in fragments.
    pub(super) fn begins_with_fragment(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let whole = arrival.facts.string(ORIGINAL_EVENT_TYPE);
        if arrival.facts.schema() == SESSION && whole.is_some_and(|whole| whole != "connection_established") {
            self.first(false, arrival);
        }
    }

    fn first(&mut self, is_connection: bool, arrival: &mut Arrival<'_, '_, '_>) {
        if !std::mem::replace(&mut self.begun, true) && !is_connection {
            let message = "the stream does not begin with connection_established";
            arrival.fault(&rules::FIRST_EVENT_NOT_CONNECTION, None, message);
        }
    }

    pub(super) fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let event = arrival.facts.tag().and_then(|at| EventType::ALL.get(at)).copied();
        let Some(event) = event else {
            if arrival.is_clean() {
                // A type that is not known: another event than those below.
                self.first(false, arrival);
                self.after_end(arrival);
            } else {
                self.lost();
            }
            return;
        };
        self.first(event == EventType::ConnectionEstablished, arrival);
        if event == EventType::ConnectionEstablished {
            self.connect(arrival);
            return;
        }
        self.same_task(arrival);
        self.in_time(event, arrival);
        if matches!(event, EventType::AgentProcessingComplete | EventType::AgentProcessingError) {
            self.end(event, arrival);
            return;
        }
        if self.after_end(arrival) {
            return;
        }
        self.task.may_have_ended = false;
        self.prepared(event, arrival);
        self.apply(event, arrival);
    }

    fn apply(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let needs = match event {
            EventType::CheckpointCreated => Some(CHECKPOINT_NAME),
            EventType::ToolUpdate => Some(TOOL_EXECUTION_ID),
            _ => None,
        };
        if needs.is_some_and(|slot| facts.string(slot).is_none()) {
            // What it announced is not known.
            self.task.excused = self.task.excused.saturating_add(1);
        }
        match event {
            EventType::AgentProcessingStarted => self.task.processing = true,
            EventType::ResponseStreamStart => self.task.streaming = true,
            EventType::AgentStopRequested => self.task.stop_requested = true,
            EventType::AgentStepStarted => {
                if self.task.stop_requested {
                    let message = "the task was asked to stop, and begins another step";
                    arrival.fault(&rules::EVENT_AFTER_STOP, None, message);
                }
                self.steps.start(arrival);
            }
            EventType::AgentStepProgress => self.steps.touch(arrival),
            EventType::AgentStepCompleted => self.steps.complete(arrival),
            EventType::AgentProgress => self.steps.progress(arrival),
            EventType::ResponseChunk | EventType::AgentResponseChunk => {
                self.steps.touch(arrival);
                if facts.string(CONTENT).is_none() {
                    self.text.lacks();
                }
                let content = facts.string(CONTENT).unwrap_or_default();
                let (tools, keys) = (&mut self.tools, &self.keys);
                self.text.push(&content, |id| announce(tools, keys, id));
                self.forgot |= self.text.is_full();
            }
            EventType::AgentResponseUpdate => {
                let content = facts.string(CONTENT).unwrap_or_default();
                let (tools, keys) = (&mut self.tools, &self.keys);
                text::tools(&content, |id| announce(tools, keys, id));
                self.text.clear();
                self.text.push(&content, |_| {});
            }
            EventType::CheckpointCreated => {
                if let Some(name) = self.key(facts, CHECKPOINT_NAME) {
                    self.checkpoints.insert(name, ());
                }
            }
            EventType::InputRequired => self.input_required(arrival),
            EventType::ToolUpdate | EventType::ToolPartialUpdate | EventType::ToolInputRequired => {
                self.tool(event, arrival);
            }
            _ => {}
        }
    }

    /// A connection: the first one, or a reconnect, or one of another task.
    fn connect(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let (connection, task) = (self.key(facts, CONNECTION_ID), self.key(facts, TASK_ID));
        if self.task.id.is_some() && task.is_some() && self.task.id != task {
            self.task = Task::default();
            self.steps.clear();
            self.text.clear();
            self.tools.clear();
            self.checkpoints.clear();
        }
        self.task.id = task.or(self.task.id);
        self.task.last_time = None;
        if self.connection.is_some() && connection.is_some() && self.connection != connection {
            let message = "the client has reconnected; events may come again";
            arrival.fault(&rules::CONNECTION_REPEATED, Some(CONNECTION_ID), message);
        }
        self.connection = connection.or(self.connection);
    }

    fn same_task(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let task = self.key(arrival.facts, TASK_ID);
        if task.is_none() || self.task.id.is_none() || self.task.id == task {
            return;
        }
        if !std::mem::replace(&mut self.task.told.task_id, true) {
            let id = arrival.facts.string(TASK_ID).unwrap_or_default();
            let message = format!("{} is not the task of the connection", show(&id));
            arrival.fault(&rules::TASK_ID_MISMATCH, Some(TASK_ID), message);
        }
    }

    /// Clients sort by time: an event that is older than the one before moves in front of it.
    fn in_time(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let slot = if event == EventType::CheckpointCreated { CREATED_AT } else { TIMESTAMP };
        let Some(time) = arrival.facts.string(slot) else { return };
        if let Some(last) = &self.task.last_time
            && is_before(&time, last)
        {
            let message = "the time is before that of the event before";
            arrival.fault(&rules::TIMESTAMP_DECREASING, Some(slot), message);
        }
        // That it is a time was looked at before, unless the event was looked at closer.
        if arrival.tree.is_none() || Time::is_in(&time) {
            let last = self.task.last_time.get_or_insert_default();
            last.clear();
            last.push_str(&time);
        }
    }

    /// Content comes when the task has begun, and text when the answer has.
    fn prepared(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType::{
            AgentProgress, AgentResponseChunk, AgentResponseUpdate, AgentStepCompleted, AgentStepProgress,
            AgentStepStarted, ResponseChunk, ResponseStreamStart,
        };
        let is_text = matches!(event, ResponseChunk | AgentResponseChunk | AgentResponseUpdate);
        let is_step = matches!(event, AgentStepStarted | AgentStepProgress | AgentStepCompleted | AgentProgress);
        let task = &mut self.task;
        if (is_text || is_step || event == ResponseStreamStart)
            && !task.processing
            && !std::mem::replace(&mut task.told.no_processing, true)
            && !task.excuse()
        {
            let message = "the task has not begun: agent_processing_started is missing";
            arrival.fault(&rules::CONTENT_BEFORE_PROCESSING_STARTED, None, message);
        }
        if is_text && !task.streaming && !std::mem::replace(&mut task.told.no_stream, true) && !task.excuse() {
            let message = "the answer has not begun: response_stream_start is missing";
            arrival.fault(&rules::CONTENT_BEFORE_STREAM_START, None, message);
        }
    }

    /// True if the task has ended, which is reported once.
    fn after_end(&mut self, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some(end) = self.task.end else { return false };
        if !std::mem::replace(&mut self.task.told.after_end, true) {
            let related = end.related("the task ended here");
            arrival.fault_related(&rules::EVENT_AFTER_TERMINAL, None, "the task has ended", Some(related));
        }
        true
    }

    fn end(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        if let Some(end) = self.task.end {
            let related = end.related("the task ended here");
            let message = format!("the task had ended before {event}");
            arrival.fault_related(&rules::TWO_TERMINALS, None, message, Some(related));
            return;
        }
        self.task.end = Some(arrival.place());
        self.steps.end(arrival);
        let content = arrival.facts.string(CONTENT);
        if event == EventType::AgentProcessingComplete
            && self.task.excused == 0
            && content.is_some_and(|content| !self.text.is_in(&content))
        {
            let message = "the final text does not have the text of the chunks; the final text counts";
            arrival.fault(&rules::FINAL_CONTENT_MISMATCH, Some(CONTENT), message);
        }
    }

    fn input_required(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let Some(name) = arrival.facts.string(CHECKPOINT_NAME) else { return };
        if !self.checkpoints.contains(self.keys.of(&*name)) && !self.task.excuse() {
            let message = format!("no checkpoint {} was created before", show(&name));
            arrival.fault(&rules::INPUT_REQUIRED_WITHOUT_CHECKPOINT, Some(CHECKPOINT_NAME), message);
        }
    }

    fn tool(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let Some(id) = arrival.facts.string(TOOL_EXECUTION_ID) else { return };
        let key = self.keys.of(&*id);
        let name = arrival.facts.string(TOOL_NAME);
        let name_key = name.as_ref().map(|name| self.keys.of(&**name));
        match self.tools.get(key).copied() {
            None => {
                if event == EventType::ToolPartialUpdate && !self.task.excuse() {
                    let message = format!("the tool run {} was not announced", show(&id));
                    arrival.fault(&rules::TOOL_PARTIAL_WITHOUT_START, Some(TOOL_EXECUTION_ID), message);
                }
                self.tools.insert(key, name_key);
            }
            Some(None) => {
                self.tools.insert(key, name_key);
            }
            Some(known) => {
                if name_key.is_some() && known != name_key {
                    let name = name.unwrap_or(Cow::Borrowed(""));
                    let message = format!("{} had another tool_name than {}", show(&id), show(&name));
                    arrival.fault(&rules::TOOL_NAME_CHANGED, Some(TOOL_NAME), message);
                    self.tools.insert(key, name_key);
                }
            }
        }
    }

    /// An event could not be read.
    pub(super) fn lost(&mut self) {
        self.begun = true;
        self.task.excused = self.task.excused.saturating_add(1);
        self.task.may_have_ended = true;
        self.steps.lost();
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        std::mem::take(&mut self.forgot)
            | self.steps.has_forgotten()
            | self.tools.take_overflow()
            | self.checkpoints.take_overflow()
    }

    /// `ended`: the end may be in fragments that were reported.
    pub(super) fn finish(&self, ended: bool, report: &mut Reporter<'_>) {
        if self.task.end.is_some() || self.task.may_have_ended || ended {
            return;
        }
        let message = "neither agent_processing_complete nor agent_processing_error has come";
        let severity =
            if self.task.stop_requested { Severity::Note } else { rules::STREAM_WITHOUT_TERMINAL.severity() };
        report.add_at_end_graded(&rules::STREAM_WITHOUT_TERMINAL, severity, message);
        if self.task.stop_requested {
            self.steps.finish(report);
        }
    }
}

impl Task {
    /// Whether what is missing may have come in an event that could not be read.
    const fn excuse(&mut self) -> bool {
        let excused = self.excused > 0;
        self.excused = self.excused.saturating_sub(1);
        excused
    }
}

/// Whether one time is before another. Of the same form, they compare as text.
fn is_before(time: &str, last: &str) -> bool {
    if time.len() == last.len() && time.ends_with('Z') && last.ends_with('Z') {
        return time < last;
    }
    Time::read(time).zip(Time::read(last)).is_some_and(|(time, last)| time < last)
}

/// Notes that a tool was announced in the text.
fn announce(tools: &mut Bounded<Option<u64>>, keys: &Keys, id: &str) {
    let key = keys.of(id);
    if !tools.contains(key) {
        tools.insert(key, None);
    }
}
