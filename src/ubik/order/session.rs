//! A session's stream: connection, task, text, steps, tools, and the end.

use memchr::memmem;
use std::borrow::Cow;

use super::super::events::EventType;
use super::super::facts::*;
use super::super::markup::Markup;
use super::super::rules;
use super::super::time::{Time, is_before, is_within_minute};
use super::bodies::Bodies;
use super::steps::Steps;
use super::text::{self, Text};
use crate::check::Limits;
use crate::check::facts::Facts;
use crate::check::history::{Bounded, Keys};
use crate::check::near::nearest;
use crate::check::order::{Arrival, Place};
use crate::check::reporter::Reporter;
use crate::check::rule::Severity;
use crate::check::scopes::spend;
use crate::safe::show;
use crate::wire::tag;

#[derive(Default)]
pub(super) struct Session {
    keys: Keys,
    connection: Option<u64>,
    /// A connection may have come that could not be read, or named no task.
    lost_connection: bool,
    /// The first event, or what may have been it, has come.
    begun: bool,
    /// It was reported that the first event is no connection, and none has come since.
    told_first: bool,
    task: Task,
    /// Checkpoints that were created, by name.
    checkpoints: Bounded<()>,
    tools: Bounded<Tool>,
    steps: Steps,
    text: Text,
    /// How many events have come, whole or put together.
    pub(super) events: u64,
    /// Set where the next event comes in fragments: other events came between the first of them and the last, and may be
    /// younger than it.
    is_late: bool,
    bodies: Bodies,
    /// How many tasks were begun.
    tasks: u32,
    /// Tasks that were left, by id.
    left: Bounded<Task>,
    forgot: bool,
}

/// The types that an event may have of which a fragment has come.
pub(super) type Parts = [Option<EventType>; 2];

/// What is known of a tool execution.
#[derive(Clone, Copy, Debug, Default)]
struct Tool {
    /// A `tool_update` or a tag in the text has named it.
    announced: bool,
    /// The key of the first name that it had.
    name: Option<u64>,
    /// It was reported that it has several names.
    told: bool,
}

/// What has happened in the task of a connection.
#[derive(Clone, Default)]
struct Task {
    /// Its place among all.
    number: u32,
    id: Option<u64>,
    /// An event has said the id, and no connection.
    learned: bool,
    processing: bool,
    streaming: bool,
    stop_requested: bool,
    end: Option<Place>,
    /// The time of the event before, as it was written.
    last_time: Option<String>,
    /// The last time before the connection was made anew. When the event with it comes again, the replay is over, and
    /// times go on from it.
    before_connection: Option<String>,
    /// What may have come in events that could not be read: one of each.
    excused: u32,
    /// How many events may have had text that is not known.
    unseen_texts: u32,
    may_have_ended: bool,
    told: Told,
}

/// Far fewer tasks are left than events come: what is remembered of them is this part.
const SHARE: usize = 8;

/// Why an event may be older than the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lateness {
    Not,
    /// It came in fragments, and others between them.
    InFragments,
    /// It was said that it stands in a wrong place, of which its time tells the same.
    Told,
}

/// What is reported once in a task.
#[derive(Clone, Debug, Default)]
struct Told {
    no_processing: bool,
    no_stream: bool,
    no_end: bool,
    after_end: bool,
    /// One end has come behind what was reported so, and was passed over as part of it.
    late_end: bool,
    task_id: bool,
}

impl Session {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            checkpoints: Bounded::new(limits.history),
            tools: Bounded::new(limits.history),
            steps: Steps::new(limits.history),
            text: Text::new(limits.text_bytes),
            bodies: Bodies::new(limits),
            left: Bounded::new(limits.history / SHARE),
            ..Self::default()
        }
    }

    fn key(&self, facts: &Facts<'_>, slot: u8) -> Option<u64> {
        facts.string(slot).map(|id| self.keys.of(&*id))
    }

    /// An event of one of these types has come in part: nothing is reported for want of it.
    pub(super) fn may_have_come_in(&mut self, parts: Parts) {
        for event in parts.into_iter().flatten() {
            self.may_have_come(event);
        }
    }

    /// An event that had come in part is whole. It is late if others came in between.
    pub(super) fn has_come_in(&mut self, parts: Parts, is_late: bool) {
        self.is_late = is_late;
        for event in parts.into_iter().flatten() {
            if event == EventType::AgentStepCompleted {
                self.steps.unseen.spend_end();
            } else if let Some(count) = self.unseen(event) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// An event of a type has come in part, under a name that is nearly its own, or without an id that can be read.
    fn may_have_come(&mut self, event: EventType) {
        match event {
            EventType::ConnectionEstablished => (self.begun, self.lost_connection) = (true, true),
            EventType::AgentProcessingStarted => self.task.processing = true,
            EventType::ResponseStreamStart => self.task.streaming = true,
            event if event.is_terminal() => self.task.may_have_ended = true,
            _ => {}
        }
        if let Some(count) = self.unseen(event) {
            *count = count.saturating_add(1);
        }
    }

    /// How many events of a type may have come unseen, where more than one may count.
    fn unseen(&mut self, event: EventType) -> Option<&mut u32> {
        match event {
            EventType::AgentStepStarted => Some(&mut self.steps.unseen.starts),
            EventType::AgentStepCompleted => Some(&mut self.steps.unseen.ends),
            EventType::CheckpointCreated | EventType::ToolUpdate => Some(&mut self.task.excused),
            EventType::ResponseChunk | EventType::AgentResponseChunk | EventType::AgentResponseUpdate => {
                Some(&mut self.task.unseen_texts)
            }
            _ => None,
        }
    }

    pub(super) fn first(&mut self, is_connection: bool, arrival: &mut Arrival<'_, '_, '_>) {
        if !std::mem::replace(&mut self.begun, true) && !is_connection {
            self.told_first = true;
            let message = "the stream does not begin with connection_established";
            arrival.fault(&rules::FIRST_EVENT_NOT_CONNECTION, None, message);
        }
    }

    pub(super) fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let is_late = std::mem::take(&mut self.is_late) && arrival.report.is_rebuilt;
        let late = if is_late { Lateness::InFragments } else { Lateness::Not };
        self.events += 1;
        let Some(event) = arrival.facts.type_in(EventType::ALL) else {
            // A type that is not known: another event than those below, or nearly one of them.
            let meant = meant(arrival);
            let is_connection = meant == Some(EventType::ConnectionEstablished);
            self.first(is_connection, arrival);
            let name = name_of(arrival);
            let name = name.as_deref().map_or(Cow::Borrowed("an event"), show);
            if !is_connection && self.after_end(&name, arrival) {
                return;
            }
            match meant {
                Some(EventType::AgentStepStarted) if self.steps.begins_misspelt(arrival.tree) => {}
                Some(meant) => self.may_have_come(meant),
                None => {}
            }
            return;
        };
        self.first(event == EventType::ConnectionEstablished, arrival);
        if event == EventType::ConnectionEstablished {
            self.connect(arrival);
            return;
        }
        if event == EventType::AgentProcessingStarted {
            self.next_task(arrival);
        }
        self.same_task(arrival);
        if event.is_terminal() {
            self.in_time(event, late, arrival);
            self.end(event, arrival);
            return;
        }
        if self.task.end.is_some() && self.other_task(arrival.facts).is_some() {
            // It does not come after its own end.
            return;
        }
        if self.after_end(event.as_str(), arrival) {
            self.in_time(event, Lateness::Told, arrival);
            return;
        }
        self.task.may_have_ended = false;
        let is_due = self.was_missed(event, arrival.facts);
        let found = arrival.report.findings.len();
        self.prepared(event, arrival);
        self.apply(event, arrival);
        let is_told = arrival.report.findings.len() > found;
        self.in_time(event, if is_due || is_told { Lateness::Told } else { late }, arrival);
    }

    /// Whether it was said that the event was missing before others.
    fn was_missed(&self, event: EventType, facts: &Facts<'_>) -> bool {
        match event {
            EventType::AgentProcessingStarted => self.task.told.no_processing,
            EventType::ResponseStreamStart => self.task.told.no_stream,
            EventType::AgentStepStarted => self.steps.is_suspect(facts),
            EventType::CheckpointCreated => {
                self.key(facts, CHECKPOINT_NAME).is_some_and(|name| self.checkpoints.contains(name))
            }
            _ => false,
        }
    }

    fn apply(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
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
                self.bodies.start(self.steps.key(facts), arrival);
            }
            EventType::AgentStepProgress => self.steps.touch(arrival),
            EventType::AgentStepCompleted => {
                self.steps.complete(arrival);
                self.bodies.complete(self.steps.key(facts));
            }
            EventType::AgentProgress => self.steps.progress(arrival),
            EventType::ResponseChunk | EventType::AgentResponseChunk => {
                self.steps.touch(arrival);
                if self.steps.are_mixed(facts) {
                    self.text.lacks();
                }
                let Some(content) = facts.string(CONTENT) else { return self.text.lacks() };
                let (tools, keys) = (&mut self.tools, &self.keys);
                self.text.push(&content, |id| announce(tools, keys, id));
                self.forgot |= self.text.is_full();
                if self.bodies.wants(&content) {
                    self.bodies.chunk(self.steps.key(facts), &content, arrival);
                }
            }
            EventType::AgentResponseUpdate => {
                let content = facts.string(CONTENT).unwrap_or_default();
                let tree = text::with_tools(&content);
                for tool in tree.iter().flat_map(Markup::tools) {
                    announce(&mut self.tools, &self.keys, tool.id.as_str());
                }
                self.bodies.whole(tree.as_ref(), arrival);
                self.bodies.replace(&content, arrival);
                self.text.clear();
                let is_truncated = tree.is_some_and(|tree| tree.is_truncated());
                self.forgot |= is_truncated;
                self.task.unseen_texts = u32::from(is_truncated);
            }
            EventType::CheckpointCreated => match self.key(facts, CHECKPOINT_NAME) {
                Some(name) => _ = self.checkpoints.insert(name, ()),
                None => self.may_have_come(event),
            },
            EventType::InputRequired => self.input_required(arrival),
            EventType::ToolUpdate | EventType::ToolPartialUpdate | EventType::ToolInputRequired => {
                self.tool(event, arrival);
            }
            _ => {}
        }
    }

    /// An event came that may be an earlier one again, or new.
    pub(super) fn again(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        if matches!(facts.type_in(EventType::ALL), Some(EventType::ResponseChunk | EventType::AgentResponseChunk))
            && let Some(content) = facts.string(CONTENT)
            && self.bodies.wants(&content)
        {
            self.bodies.again(self.steps.key(facts), &content, arrival);
        }
    }

    /// A connection: the first one, or a reconnect, or one of another task.
    fn connect(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let (connection, task) = (self.key(facts, CONNECTION_ID), self.key(facts, TASK_ID));
        let is_known = self.task.id.is_some() && (!self.task.learned || self.task.end.is_some());
        let is_another = is_known && task.is_some() && self.task.id != task;
        if is_another {
            self.leave(arrival);
            self.bodies.fail(arrival);
            self.forget_task();
        }
        self.lost_connection = task.is_none();
        let comes_late = std::mem::take(&mut self.told_first) && self.task.id.is_none();
        (self.task.id, self.task.learned) = (task.or(self.task.id), self.task.learned && task.is_none());
        if is_another {
            self.go_back();
        } else if comes_late {
            // What came before the connection, and named no task, does not end this one.
            self.task.end = None;
        }
        self.task.before_connection = self.task.last_time.take().or(self.task.before_connection.take());
        if self.connection.is_some() && connection.is_some() && self.connection != connection {
            let message = if is_another {
                "a connection of another task has been made"
            } else {
                "the client has reconnected; events may come again"
            };
            arrival.fault(&rules::CONNECTION_REPEATED, Some(CONNECTION_ID), message);
        }
        self.connection = connection.or(self.connection);
    }

    /// The number of the task among all.
    pub(super) const fn task_number(&self) -> u32 {
        self.task.number
    }

    /// Whether an event that is equal to one of another task is that one: it is older than this task, or than what came in
    /// it, or no event of it has shown a time yet.
    pub(super) fn is_past(&self, event: &[u8]) -> bool {
        let is_before = |time: &String| self.task.last_time.as_ref().is_none_or(|last| is_before(time, last));
        time_of(event).as_ref().is_some_and(|time| !self.task.processing || is_before(time))
    }

    /// An event has come again, whole or put together, on another connection than its own.
    pub(super) fn came_again(&mut self, event: &[u8]) {
        let is_last = |last: &mut String| time_of(event).is_some_and(|time| time == *last);
        if let Some(last) = self.task.before_connection.take_if(is_last) {
            self.task.last_time.get_or_insert(last);
        }
    }

    fn forget_task(&mut self) {
        let Task { number, id, processing, streaming, end, .. } = std::mem::take(&mut self.task);
        if let Some(id) = id {
            // It may go on with anything that came before.
            let (excused, unseen_texts, told) = (u32::MAX, 1, Told { no_end: true, ..Told::default() });
            let left = Task { number, processing, streaming, end, excused, unseen_texts, told, ..Task::default() };
            self.left.insert(id, Task { id: Some(id), ..left });
        }
        self.tasks = self.tasks.saturating_add(1);
        self.task.number = self.tasks;
        self.steps.clear();
        self.text.clear();
        self.bodies.clear();
        self.tools.clear();
        self.checkpoints.clear();
    }

    /// Goes on with a task that was left, if it is one: what was open in it is not known any more.
    fn go_back(&mut self) {
        if let Some(left) = self.task.id.and_then(|id| self.left.get(id)) {
            self.task = left.clone();
            self.steps.begin_unseen();
        }
    }

    /// Behind the end of a task another one may begin, whose connection was not seen.
    fn next_task(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let task = self.other_task(arrival.facts);
        if task.is_none() || self.task.end.is_none() {
            return;
        }
        if !std::mem::take(&mut self.lost_connection) {
            self.same_task(arrival);
        }
        self.forget_task();
        self.task.id = task;
    }

    /// The connection goes on with another task: the one before should have ended.
    fn leave(&self, arrival: &mut Arrival<'_, '_, '_>) {
        if !self.task.has_ended() && !self.task.told.no_end {
            let message = "another task begins; of the one before, neither agent_processing_complete nor agent_processing_error has come";
            arrival.fault_graded(&rules::STREAM_WITHOUT_TERMINAL, self.task.unended(), TASK_ID, message);
        }
    }

    /// The task that the event names, if it is another than that of the connection.
    fn other_task(&self, facts: &Facts<'_>) -> Option<u64> {
        self.key(facts, TASK_ID).filter(|task| self.task.id.is_some_and(|own| own != *task))
    }

    fn same_task(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let task = self.key(arrival.facts, TASK_ID);
        if self.task.id.is_none() && task.is_some() {
            // The connection did not say it, so it is blamed for nothing.
            (self.task.id, self.task.learned, self.task.told.task_id) = (task, true, true);
        }
        if task.is_some() && self.task.id != task && arrival.is_first(&mut self.task.told.task_id) {
            let id = arrival.facts.string(TASK_ID).unwrap_or_default();
            let message = format!("{} is not the task of the connection", show(&id));
            arrival.fault(&rules::TASK_ID_MISMATCH, Some(TASK_ID), message);
        }
    }

    /// Clients sort by time: an event that is older than the one before moves in front of it.
    fn in_time(&mut self, event: EventType, late: Lateness, arrival: &mut Arrival<'_, '_, '_>) {
        let slot = if event == EventType::CheckpointCreated { CREATED_AT } else { TIMESTAMP };
        let Some(time) = arrival.facts.string(slot) else { return };
        if let Some(last) = &self.task.last_time
            && is_before(&time, last)
        {
            if is_text(event) {
                // Clients put its text before that of others.
                self.task.unseen_texts = self.task.unseen_texts.saturating_add(1);
            }
            if late == Lateness::InFragments || !Time::is_in(&time) {
                // It was sent before its last fragment came, or its time is no time, which was said.
                return;
            }
            if late == Lateness::Not {
                let member = if event == EventType::CheckpointCreated { "created_at" } else { "timestamp" };
                let message = format!("{member} is earlier than the time of the event before it");
                arrival.fault(&rules::TIMESTAMP_DECREASING, Some(slot), message);
            }
        }
        // That it is a time was looked at before, unless the event was looked at closer.
        if arrival.tree.is_none() || Time::is_in(&time) {
            self.task.came_at(&time);
        }
    }

    /// Whether chunks of the answer may go on behind one that was in order.
    pub(super) fn is_steady(&self, facts: &Facts<'_>) -> bool {
        let event = facts.type_in(EventType::ALL);
        event == Some(EventType::ResponseChunk)
            && self.task.end.is_none()
            && self.steps.is_open(facts)
            && !self.bodies.holds()
    }

    /// The step of the last text, by its key; 0 outside of steps.
    pub(super) fn speaks(&self) -> u64 {
        self.steps.speaks.unwrap_or_default()
    }

    /// Whether the next chunk is in order, and the rest of its event as it was before.
    pub(super) fn can_go_on(&self, content: &str, time: Option<&str>) -> bool {
        let follows = |time: &str| {
            let last = self.task.last_time.as_ref();
            last.is_some_and(|last| is_within_minute(time, last) || (Time::is_in(time) && !is_before(time, last)))
        };
        time.is_none_or(follows) && self.text.takes_plain(content)
    }

    pub(super) fn go_on(&mut self, content: &str, time: Option<&str>) {
        self.events += 1;
        self.text.push_plain(content);
        if let Some(time) = time {
            self.task.came_at(time);
        }
    }

    /// Content comes when the task has begun, and text when the answer has.
    fn prepared(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        use EventType::{AgentProgress, AgentStepCompleted, AgentStepProgress, AgentStepStarted, ResponseStreamStart};
        let is_text = is_text(event);
        let is_step = matches!(event, AgentStepStarted | AgentStepProgress | AgentStepCompleted | AgentProgress);
        let task = &mut self.task;
        if (is_text || is_step || event == ResponseStreamStart)
            && !task.processing
            && arrival.is_first(&mut task.told.no_processing)
            && !task.excuse()
        {
            let message = "the task has not begun: agent_processing_started is missing";
            arrival.fault(&rules::CONTENT_BEFORE_PROCESSING_STARTED, None, message);
        }
        if is_text && !task.streaming && arrival.is_first(&mut task.told.no_stream) && !task.excuse() {
            let message = "the answer has not begun: response_stream_start is missing";
            arrival.fault(&rules::CONTENT_BEFORE_STREAM_START, None, message);
        }
    }

    /// True if the task has ended, which is reported once.
    fn after_end(&mut self, what: &str, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let Some(end) = self.task.end else { return false };
        if arrival.is_first(&mut self.task.told.after_end) {
            let related = end.related("the task ended here");
            let message = format!("{what} comes after the end of the task");
            arrival.fault_related(&rules::EVENT_AFTER_TERMINAL, None, message, Some(related));
        }
        true
    }

    fn end(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        if let Some(end) = self.task.end {
            // Where something went on behind the first one, that came too early, which was said.
            if !self.task.told.after_end || std::mem::replace(&mut self.task.told.late_end, true) {
                let related = end.related("the task ended here");
                let message = format!("{event} comes after the end of the task");
                arrival.fault_related(&rules::TWO_TERMINALS, None, message, Some(related));
            }
            return;
        }
        self.task.end = Some(arrival.place());
        self.lost_connection = false;
        self.steps.end(arrival);
        if event == EventType::AgentProcessingError {
            return self.bodies.fail(arrival);
        }
        let Some(content) = arrival.facts.string(CONTENT) else { return };
        let tree = Markup::parse(&content);
        self.bodies.whole(Some(&tree), arrival);
        self.forgot |= tree.is_truncated();
        let is_known = self.task.excused == 0 && self.task.unseen_texts == 0 && !tree.is_truncated();
        // Of text in tags that are wrong, it is not known what it is.
        if is_known && tree.faults().is_empty() && !self.text.is_in(&tree) {
            let message = "content lacks text that came in response_chunk; clients show content";
            arrival.fault(&rules::FINAL_CONTENT_MISMATCH, Some(CONTENT), message);
        }
    }

    fn input_required(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let Some(name) = arrival.facts.string(CHECKPOINT_NAME) else { return };
        if self.checkpoints.insert(self.keys.of(&*name), ()).is_none() && !self.task.excuse() {
            let message = format!("no checkpoint {} was created before", show(&name));
            arrival.fault(&rules::INPUT_REQUIRED_WITHOUT_CHECKPOINT, Some(CHECKPOINT_NAME), message);
        }
    }

    fn tool(&mut self, event: EventType, arrival: &mut Arrival<'_, '_, '_>) {
        let Some(id) = arrival.facts.string(TOOL_EXECUTION_ID) else { return self.may_have_come(event) };
        let key = self.keys.of(&*id);
        self.tools.recall(key, Tool::default());
        let Some(tool) = self.tools.get_mut(key) else { return };
        let may_be_in_text = self.task.unseen_texts > 0;
        if event == EventType::ToolPartialUpdate && !tool.announced && !may_be_in_text && !self.task.excuse() {
            let message = format!("neither a tool_update nor a tag in the text has named {} before", show(&id));
            arrival.fault(&rules::TOOL_PARTIAL_WITHOUT_START, Some(TOOL_EXECUTION_ID), message);
        }
        // What was reported once is not reported again.
        tool.announced |= event != EventType::ToolInputRequired;
        let Some(name) = arrival.facts.string(TOOL_NAME) else { return };
        let named = self.keys.of(&*name);
        if *tool.name.get_or_insert(named) != named && !tool.told {
            tool.told = arrival.is_clean();
            let message = format!("{} is named {} here, and had another tool_name before", show(&id), show(&name));
            arrival.fault(&rules::TOOL_NAME_CHANGED, Some(TOOL_NAME), message);
        }
    }

    /// An event has come that is equal to an earlier one. Without a reconnect it may be new,
    /// such as the same word twice in a second.
    pub(super) fn repeated(&mut self, event: &[u8]) {
        if memmem::find(event, b"response_chunk").is_some() {
            self.task.unseen_texts = self.task.unseen_texts.saturating_add(1);
        }
    }

    /// An event could not be read.
    pub(super) fn lost(&mut self) {
        (self.begun, self.lost_connection) = (true, true);
        self.task.excused = self.task.excused.saturating_add(1);
        self.task.may_have_ended = true;
        self.steps.lost();
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        std::mem::take(&mut self.forgot)
            | self.steps.has_forgotten()
            | self.bodies.has_forgotten()
            | self.left.take_overflow()
            | self.tools.take_overflow()
            | self.checkpoints.take_overflow()
    }

    /// `ended`: the end may be in fragments that were reported.
    pub(super) fn finish(&self, ended: bool, report: &mut Reporter<'_>) {
        if self.task.has_ended() || ended {
            return;
        }
        if !self.task.told.no_end {
            let message = "neither agent_processing_complete nor agent_processing_error has come";
            report.add_at_end_graded(&rules::STREAM_WITHOUT_TERMINAL, self.task.unended(), message);
        }
        if self.task.stop_requested {
            self.steps.finish(report);
        }
        for message in self.bodies.finish(report.secrets) {
            report.add_at_end(&rules::SECRET_KEY, message, None);
        }
    }
}

impl Task {
    fn came_at(&mut self, time: &str) {
        let last = self.last_time.get_or_insert_default();
        last.clear();
        last.push_str(time);
    }

    /// Whether what is missing may have come in an event that could not be read.
    fn excuse(&mut self) -> bool {
        spend(&mut self.excused)
    }

    /// Whether the task has ended, as far as is known.
    const fn has_ended(&self) -> bool {
        self.end.is_some() || self.may_have_ended
    }

    /// How grave it is that the task has no end: nobody knows what ends one that was stopped.
    fn unended(&self) -> Severity {
        if self.stop_requested { Severity::Note } else { rules::STREAM_WITHOUT_TERMINAL.severity() }
    }
}

/// The time of an event, as it is written.
fn time_of(event: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(event);
    ["timestamp", "created_at"].into_iter().find_map(|member| tag::string_of(&text, member))
}

/// Whether an event brings text of the answer.
const fn is_text(event: EventType) -> bool {
    use EventType::{AgentResponseChunk, AgentResponseUpdate, ResponseChunk};
    matches!(event, ResponseChunk | AgentResponseChunk | AgentResponseUpdate)
}

/// The type of an event, also one that is not known.
fn name_of<'n>(arrival: &Arrival<'_, 'n, '_>) -> Option<Cow<'n, str>> {
    arrival.tree?.get("type")?.as_str()
}

/// The type that is meant by one that is not known.
fn meant(arrival: &Arrival<'_, '_, '_>) -> Option<EventType> {
    let name = name_of(arrival)?;
    EventType::from_tag(nearest(&name, EventType::ALL.iter().map(|known| known.as_str()))?)
}

/// Notes that a tool was announced in the text.
fn announce(tools: &mut Bounded<Tool>, keys: &Keys, id: &str) {
    let key = keys.of(id);
    let known = tools.get(key).copied().unwrap_or_default();
    tools.insert(key, Tool { announced: true, ..known });
}
