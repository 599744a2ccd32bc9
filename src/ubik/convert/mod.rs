//! From a session of Ubik to official AG-UI 1.0.
//!
//! The table of `docs/ubik.md` says what becomes of each event.

mod carry;
mod ids;
mod parts;
mod put;
mod questions;
mod snapshot;

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;

use self::carry::KEY;
use self::parts::{Part, parts};
use self::put::{Output, Place};
use self::questions::Questions;
use super::chunks::ChunkAssembler;
use super::events::{
    AgentProcessingComplete, AgentProcessingError, AgentResponseUpdate, AgentStepCompleted, AgentStepStarted, Chunk,
    ConnectionEstablished, Event, ResponseChunk, TaskId, ToolExecutionId,
};
use super::markup::{Markup, Node};
use super::replay::Replay;
use super::scan::{Nowhere, Piece, Scanner};
use super::transcript::Transcript;
use crate::agui::{self, RunId, ThreadId};
use crate::wire::{Extra, Integer, Json, Named, NonNullJson};

/// Converts the events of a session, and ends the run if they do not; see [`AgUiConverter`].
///
/// ```
/// use agent_contracts::agui::EventType::*;
/// use agent_contracts::ubik::{AgentProcessingComplete, ConnectionEstablished, Event, ResponseChunk, to_agui};
///
/// let time = "2026-01-01T00:00:00Z";
/// let done = r#"{"message_id":"m1","content":"Hello","result":{},"timestamp":"2026-01-01T00:00:01Z"}"#;
/// let session: Vec<Event> = vec![
///     ConnectionEstablished::new("s1", "c1", "t1").into(),
///     ResponseChunk::new("Hel", time).into(),
///     ResponseChunk::new("lo", time).into(),
///     AgentProcessingComplete::from_json(done)?.into(),
/// ];
/// let types: Vec<_> = to_agui(session).iter().filter_map(|event| event.known_type()).collect();
/// let text = [TextMessageStart, TextMessageContent, TextMessageContent, TextMessageEnd];
/// assert_eq!(types, [&[RunStarted][..], &text, &[RunFinished]].concat());
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: session events guide, and the AG-UI 1.0 specification.
pub fn to_agui(events: impl IntoIterator<Item: Borrow<Event>>) -> Vec<agui::Event> {
    let (mut converter, mut out) = (AgUiConverter::new(), Vec::new());
    for event in events {
        converter.push(event.borrow(), &mut out);
    }
    converter.finish(&mut out);
    out
}

/// Converts the session of a task to AG-UI 1.0, event by event.
///
/// Text is put out as it comes. When a full text comes, and when the run ends, what was put
/// out is compared with what a [`Transcript`] makes of the events, apart from white space.
/// What is missing at its end is put out then. Any other difference is put right by a
/// `MESSAGES_SNAPSHOT`. So text and tool calls are in the end those of the transcript, as they
/// would be without the block of an error, which has the server's traceback. A client drops
/// messages that a snapshot does not have: [`with_earlier`](Self::with_earlier) takes those
/// from before the run.
///
/// The input and the result of a tool call are put out once they are whole: unchanged, but
/// without white space around them. Input that is no JSON, or too deep, becomes a JSON string. A
/// call without an id, or with the id of another call, gets an id that the converter makes.
///
/// What AG-UI would find fault with is left out of `metadata`, of `CUSTOM` and of interrupts:
/// `null`, values that are nested too deeply or would make them larger than 32 000 UTF-16
/// units, and members with keys that name secrets. If a session checks as `ubik` without errors
/// and warnings, its run does so as `agui`, except for two things that Ubik's rules do not look
/// for: bodies of tool calls that are larger than 32 000 UTF-16 units, and tokens that only show
/// once the tags are taken out of the text, or its chunks are put into the order of their times.
///
/// What is remembered is bounded, apart from the messages of `with_earlier`. Beyond the bounds:
///
/// - 16 MiB of what was put out and of what waits for the end of its tag or body, with 256
///   bytes for each part, call and step: no text, call or step is put out (a step becomes
///   `CUSTOM`) until a full text comes and a snapshot of it fits.
/// - 16 MiB of a body of a tool call: the body is left out.
/// - The bounds of a [`Transcript`]: when the run ends, its text is not compared; what was put
///   out stays.
/// - 10 MiB of a snapshot: it is left out, and the client keeps what it has.
/// - 64 MiB of snapshots, those that were left out included: there is none before the run ends.
/// - 256 open questions: further ones become no interrupts. Beyond 1 MiB of their texts, an
///   interrupt has neither `message` nor `metadata`.
/// - The bounds of a [`ChunkAssembler`]: fragments that it gives up become nothing.
/// - 262 144 events: older ones are not known again when a new connection repeats them.
///
/// One converter is for one task: a connection that names another task ends the run, and what comes
/// behind it is left out. Begin another converter with that connection.
///
/// The stream of a tool execution is not converted: it is no run, but what one call of a run
/// does, and the session's stream has it in `tool_update` and `tool_partial_update`.
///
/// Since 0.1.0. Source: session events guide, message structure guide, tool streaming
/// guide, and the AG-UI 1.0 specification.
#[derive(Clone, Default)]
pub struct AgUiConverter {
    /// What the conversation had before the run.
    earlier: Vec<agui::Message>,
    chunks: ChunkAssembler,
    replay: Replay,
    run: Option<(ThreadId, RunId)>,
    /// The run has the id of the task.
    task_is_named: bool,
    is_ended: bool,
    transcript: Transcript,
    output: Output,
    /// Where text without a step goes.
    text: Lane,
    /// Where the text of steps goes.
    lanes: HashMap<Integer, Lane>,
    /// The names of the open steps, and how many were started before.
    steps: HashMap<Integer, (u64, String)>,
    started: u64,
    questions: Questions,
    is_stopped: bool,
    /// Unknown members of chunks that have put nothing out yet.
    unsaid: Extra,
}

/// Text that goes on behind what came before.
#[derive(Clone, Default)]
struct Lane {
    scanner: Scanner,
    place: Place,
}

impl Lane {
    /// Puts out what was held, and ends the message that is open.
    fn end(&mut self, output: &mut Output, out: &mut impl Extend<agui::Event>) {
        let (mut pieces, before) = (Vec::<Piece>::new(), self.scanner.held());
        self.scanner.flush(&mut pieces);
        output.hold(before, self.scanner.held());
        for piece in pieces {
            output.write(&mut self.place, piece, out);
        }
        self.place.end(out);
    }

    /// The same, and nothing comes any more.
    fn close(mut self, output: &mut Output, out: &mut impl Extend<agui::Event>) {
        self.end(output, out);
        output.hold(self.scanner.held(), 0);
    }
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

    /// Gives the messages that the conversation had before the run. Snapshots begin with them,
    /// except for those whose ids are of this run.
    #[must_use]
    pub fn with_earlier(mut self, messages: Vec<agui::Message>) -> Self {
        self.earlier = messages;
        self
    }

    /// Takes the next event and puts what it becomes into `out`.
    pub fn push(&mut self, event: &Event, out: &mut impl Extend<agui::Event>) {
        if let Event::Delta(chunk) = event {
            // It may be a fragment once more, at most four times over.
            if let Some(rebuilt) = self.rebuild(chunk) {
                self.push(&rebuilt, out);
            }
            return;
        }
        if self.is_ended {
            return;
        }
        if let Event::ConnectionEstablished(established) = event {
            self.connect(established, out);
            return;
        }
        if self.replay.is_repeated(&event.to_json()) {
            return;
        }
        if self.run.is_none() {
            // Nothing was established: there is no better name.
            self.task_is_named = event.task_id().is_some();
            let task = event.task_id().map_or(KEY, TaskId::as_str);
            self.begin(task, task);
            out.extend([agui::RunStarted::new(task, task).into()]);
        }
        if event.tool_execution_id().is_none() {
            self.transcript.push(event);
        }
        self.take(event, out);
    }

    /// Says that the stream has ended. A run that is still active is ended.
    pub fn finish(&mut self, out: &mut impl Extend<agui::Event>) {
        if self.is_ended || self.run.is_none() {
            return;
        }
        self.close(out);
        if self.questions.is_empty() && !self.is_stopped {
            out.extend([agui::RunError::new("the stream ended before the task did").into()]);
        } else if let Some(finished) = self.finished(self.is_stopped) {
            out.extend([finished.into()]);
        }
    }

    fn rebuild(&mut self, chunk: &Named<Chunk>) -> Option<Event> {
        let outcome = self.chunks.push(chunk).ok()?;
        outcome.into_rebuilt()?.event().ok()
    }

    fn connect(&mut self, established: &ConnectionEstablished, out: &mut impl Extend<agui::Event>) {
        self.replay.connected(&established.connection_id);
        let is_another = |(_, run): &(ThreadId, RunId)| run.as_str() != established.task_id.as_str();
        if self.task_is_named && self.run.as_ref().is_some_and(is_another) {
            return self.finish(out);
        }
        if self.run.is_none() {
            let (session, task) = (established.session_id.as_str(), established.task_id.as_str());
            self.task_is_named = true;
            self.begin(session, task);
            let mut started = agui::RunStarted::new(session, task);
            started.metadata = carry::metadata(established, &["session_id", "task_id"]);
            out.extend([started.into()]);
        }
    }

    fn begin(&mut self, thread: &str, run: &str) {
        self.run = Some((thread.into(), run.into()));
        self.output.begin(run);
        self.earlier.retain(|message| message.id().is_none_or(|id| !self.output.has_made(id.as_str())));
        for message in &self.earlier {
            let agui::Message::Assistant(message) = message else { continue };
            for call in message.tool_calls.iter().flatten() {
                self.output.reserve(&call.id);
            }
        }
    }

    fn take(&mut self, event: &Event, out: &mut impl Extend<agui::Event>) {
        match event {
            Event::ResponseChunk(chunk) | Event::AgentResponseChunk(chunk) => self.chunk(chunk, out),
            Event::AgentResponseUpdate(update) => self.update(update, out),
            Event::AgentStepStarted(start) => self.start_step(start, event, out),
            Event::AgentStepCompleted(completed) => self.complete_step(completed, event, out),
            Event::ToolUpdate(update) => self.tool(&update.tool_execution_id, &update.tool_name, event, out),
            Event::ToolPartialUpdate(update) => self.tool(&update.tool_execution_id, &update.tool_name, event, out),
            Event::InputRequired(input) => {
                self.questions.ask(input, self.output.mint());
                custom(event, out);
            }
            Event::ToolInputRequired(input) => {
                let call = self.output.call_id(input.tool_execution_id.as_str());
                self.questions.ask_for_tool(input, self.output.mint(), call);
                custom(event, out);
            }
            Event::AgentStopRequested(_) => {
                self.is_stopped = true;
                custom(event, out);
            }
            Event::AgentProcessingComplete(complete) => self.complete(complete, out),
            Event::AgentProcessingError(error) => self.fail(error, out),
            Event::AgentProcessingStarted(_)
            | Event::ResponseStreamStart(_)
            | Event::AgentStepProgress(_)
            | Event::AgentProgress(_)
            | Event::CheckpointCreated(_) => custom(event, out),
            Event::ConnectionEstablished(_) | Event::Delta(_) | Event::Unknown(_) => {}
        }
    }

    fn chunk(&mut self, chunk: &ResponseChunk, out: &mut impl Extend<agui::Event>) {
        // The agent goes on.
        self.questions.clear();
        if self.output.is_full() {
            return;
        }
        let lane = chunk.step.as_ref().and_then(|step| self.lanes.get_mut(step)).unwrap_or(&mut self.text);
        let (mut pieces, before) = (Vec::<Piece>::new(), lane.scanner.held());
        lane.scanner.push(&chunk.content, &mut pieces);
        self.output.hold(before, lane.scanner.held());
        if !pieces.is_empty() {
            self.output.metadata = carry::metadata_with(chunk, &["content"], &self.unsaid);
            for piece in pieces {
                self.output.write(&mut lane.place, piece, out);
            }
            if self.output.metadata.take().is_none() {
                self.unsaid = Extra::new();
                return;
            }
        }
        // Of many chunks that say nothing, each would cost as much as all that waits.
        if !chunk.extra.is_empty() && self.unsaid.len() < carry::FEW {
            self.unsaid = carry::with(&chunk.extra, &self.unsaid);
        }
    }

    fn update(&mut self, update: &AgentResponseUpdate, out: &mut impl Extend<agui::Event>) {
        // Chunks go on behind the text, in whatever tag or block it ends.
        let mut scanner = Scanner::default();
        scanner.push(&update.content, &mut Nowhere);
        let told = update.content.len().saturating_sub(scanner.held());
        let markup = Markup::parse(update.content.get(..told).unwrap_or_default());
        if markup.is_truncated() {
            return;
        }
        self.hear(&markup);
        self.output.metadata = carry::metadata(update, &["content"]);
        self.replace(parts(&markup, false), Some(scanner), out);
        self.output.metadata = None;
    }

    fn start_step(&mut self, start: &AgentStepStarted, event: &Event, out: &mut impl Extend<agui::Event>) {
        self.questions.clear();
        if let Some((_, name)) = self.steps.remove(&start.step) {
            out.extend([agui::StepFinished::new(name).into()]);
        }
        let name = start.title();
        if !self.output.keep(name.len()) {
            custom(event, out);
            return;
        }
        // Text without a step stands behind this one from here on.
        std::mem::take(&mut self.text).close(&mut self.output, out);
        if let Some(lane) = self.lanes.insert(start.step.clone(), Lane::default()) {
            lane.close(&mut self.output, out);
        }
        let mut started = agui::StepStarted::new(name.as_str());
        let consumed: &[&str] = if start.description.contains('\n') { &[] } else { &["description"] };
        started.metadata = carry::metadata(start, consumed);
        out.extend([started.into()]);
        self.steps.insert(start.step.clone(), (self.started, name));
        self.started += 1;
    }

    fn complete_step(&mut self, completed: &AgentStepCompleted, event: &Event, out: &mut impl Extend<agui::Event>) {
        if let Some(lane) = self.lanes.get_mut(&completed.step) {
            lane.end(&mut self.output, out);
        }
        let Some((_, name)) = self.steps.remove(&completed.step) else {
            custom(event, out);
            return;
        };
        let mut finished = agui::StepFinished::new(name);
        finished.metadata = carry::metadata(completed, &[]);
        out.extend([finished.into()]);
    }

    /// A tool says what it does.
    fn tool(&mut self, id: &ToolExecutionId, name: &str, event: &Event, out: &mut impl Extend<agui::Event>) {
        self.questions.tool_goes_on(id);
        self.output.announce(id.as_str(), name, out);
        custom(event, out);
    }

    /// Looks for the user's answers in the text of the whole message.
    fn hear(&mut self, markup: &Markup) {
        let mut asked = markup.walk().filter(|node| matches!(node, Node::InputRequired(_))).peekable();
        let is_answered = |node: &Node| node.children().iter().any(|child| matches!(child, Node::UserInput(_)));
        if asked.peek().is_some() && asked.all(is_answered) {
            self.questions.clear();
        }
    }

    fn complete(&mut self, complete: &AgentProcessingComplete, out: &mut impl Extend<agui::Event>) {
        self.hear(&Markup::parse(&complete.content));
        self.close(out);
        let Some(mut finished) = self.finished(false) else { return };
        finished.result = NonNullJson::new(Json::clone(&complete.result));
        finished.metadata = carry::metadata(complete, &["content", "result"]);
        out.extend([finished.into()]);
    }

    fn fail(&mut self, error: &AgentProcessingError, out: &mut impl Extend<agui::Event>) {
        self.close(out);
        let mut failed = agui::RunError::new(error.error.as_str());
        failed.metadata = carry::metadata(error, &["error", "traceback"]);
        out.extend([failed.into()]);
    }

    /// The end of a run that waits for the user, was cancelled, or is done.
    fn finished(&self, is_cancelled: bool) -> Option<agui::RunFinished> {
        let (thread, run) = self.run.clone()?;
        let finished = agui::RunFinished::new(thread, run);
        Some(if !self.questions.is_empty() {
            finished.with_outcome(agui::RunFinishedInterruptOutcome::new(self.questions.interrupts()))
        } else if is_cancelled {
            finished.with_outcome(agui::RunFinishedCancelledOutcome::new())
        } else {
            finished
        })
    }

    /// Makes a full text of what was put out. If it is not final, the scanner goes on behind it.
    fn replace(&mut self, target: Vec<Part>, scanner: Option<Scanner>, out: &mut impl Extend<agui::Event>) {
        let mut place = self.settle(out);
        let is_put_out = if let Some(rest) = self.output.rest(&target) {
            self.output.go_on(&target, &rest, &mut place, out);
            true
        } else {
            place.end(out);
            let may_repeat = scanner.is_none() || self.output.may_repeat();
            may_repeat && self.output.snapshot(target, &self.earlier, out)
        };
        let scanner = scanner.unwrap_or_default();
        // A call that the client does not have cannot go on.
        place.call = if is_put_out && scanner.is_in_call() { self.output.last_call() } else { None };
        self.output.hold(0, scanner.held());
        self.text = Lane { scanner, place };
    }

    /// Ends all messages but one that is the last of the text, and gives the place of that.
    fn settle(&mut self, out: &mut impl Extend<agui::Event>) -> Place {
        let lanes = std::mem::take(&mut self.lanes).into_values().chain([std::mem::take(&mut self.text)]);
        self.output.hold_nothing();
        let mut places: Vec<_> = lanes.map(|lane| lane.place).filter(|place| place.part().is_some()).collect();
        places.sort_by_key(Place::part);
        let last = places.pop_if(|place| place.part() == self.output.last_part());
        for place in &mut places {
            place.end(out);
        }
        last.unwrap_or_default()
    }

    /// Puts the text right and ends what is open, since the run ends.
    fn close(&mut self, out: &mut impl Extend<agui::Event>) {
        if self.transcript.is_truncated() {
            self.text.place = self.settle(out);
        } else {
            let target = parts(&self.transcript.markup_without_error(), true);
            self.replace(target, None, out);
        }
        self.text.place.end(out);
        self.output.end_calls(out);
        let mut steps: Vec<_> = self.steps.drain().map(|(_, step)| step).collect();
        steps.sort_unstable();
        out.extend(steps.into_iter().rev().map(|(_, name)| agui::StepFinished::new(name).into()));
        self.is_ended = true;
    }
}

/// Puts out an event that has no counterpart.
fn custom(event: &Event, out: &mut impl Extend<agui::Event>) {
    let custom = agui::Custom::new(format!("{KEY}.{}", event.tag()), carry::value(event, &["type"]));
    out.extend([custom.into()]);
}
