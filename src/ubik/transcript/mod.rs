//! The message of an agent, rebuilt from the events of its session.

mod lane;
mod message;
mod tools;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use self::message::{Kept, Message, json, without_tags};
use super::events::{AgentProcessingError, Event};
use super::markup::{Markup, Parser, ParserLimits};
use super::replay::{EVENTS, Replay};
use super::time::Time;
use crate::check::limits::limits;
use crate::wire::Json;

pub use self::tools::ToolCard;

limits! {
    /// Bounds on what a [`Transcript`] holds.
    ///
    /// Since 0.1.0. Source: this crate; the documentation has no limit.
    pub struct TranscriptLimits {
        /// How many events are kept, and how many are recognised when a new connection repeats
        /// them. Default 262 144.
        events: usize = EVENTS,
        /// How much is kept of the events that make the text, in bytes of their JSON. Default 16
        /// MiB.
        ///
        /// As much again is kept of the events of tools. One full text of at most this size may
        /// come on top. The text that is built takes up to twice as much again.
        bytes: usize = 16 * 1024 * 1024,
    }
}

/// Rebuilds the message of one task from the events of its session.
///
/// Events may come in any order. They are sorted by their times; those of one time, and
/// those without a time that can be read, stay behind the event that came before them. A time
/// without a zone is taken as UTC. Then, as the guide says:
///
/// - A step is a block, closed when it is completed (its title then ends with ✓) or when
///   another step starts. Chunks of a step go into it, also those that come late. Chunks
///   without a step, or of one that was never started, go behind all steps.
/// - Checkpoints and questions stand where they came: inside of a step that is open there, and behind a tag or a body
///   that a chunk has cut just then.
/// - An error stands at the end of the message; if the message ends with a checkpoint, inside
///   of that one.
/// - In the JSON of errors and answers, what would be a tag is written with `\u003c`: the value is the same.
/// - `agent_response_update` replaces all of the message; later chunks go behind it.
///   `agent_processing_complete` is the last word: nothing is added to its text.
///
/// A connection that is made again repeats events. What was there before the reconnect, which
/// is a `connection_established` of another connection or a call of
/// [`reconnected`](Self::reconnected), counts once; the same event twice on one connection
/// counts twice. Fragments (`_delta_sse`) and unknown events are passed over: push the events
/// that they make up.
///
/// One transcript is for one task: begin another where a connection or `agent_processing_started` names another task.
///
/// An event that is the latest so far is worked in at once. After any other the message is
/// built anew when it is next asked for. Events that a full text replaces are dropped. At a
/// bound further events are passed over, and [`is_truncated`](Self::is_truncated) says so
/// until a full text makes up for them.
///
/// ```
/// use agent_contracts::ubik::{Event, Transcript};
///
/// let mut transcript = Transcript::new();
/// for event in [
///     r#"{"type":"agent_step_started","step":1,"description":"Search","single_step_agent":false,
///         "timestamp":"2026-01-01T00:00:00Z"}"#,
///     r#"{"type":"response_chunk","content":"I will look","step":1,"timestamp":"2026-01-01T00:00:01Z"}"#,
///     r#"{"type":"response_chunk","content":" it up.","step":1,"timestamp":"2026-01-01T00:00:02Z"}"#,
/// ] {
///     transcript.push(&Event::from_json(event)?);
/// }
/// assert_eq!(transcript.text(), "<<STEP_START>>\nStep 1: Search\nI will look it up.");
/// # Ok::<(), agent_contracts::wire::Error>(())
/// ```
///
/// Since 0.1.0. Source: session events guide, "Reconstruction Logic"; blocks as in the
/// message structure guide.
#[derive(Clone)]
pub struct Transcript {
    limits: TranscriptLimits,
    replay: Replay,
    /// The time of the last event that had one, and how many have come.
    last: Time,
    count: u64,
    /// What makes the text, and what tools have told, in the order of time.
    events: BTreeMap<Key, Kept>,
    tools: BTreeMap<Key, Event>,
    bytes: usize,
    tool_bytes: usize,
    message: OnceLock<Message>,
    /// The last full text, and whether it is final.
    full: Option<(Key, bool)>,
    /// The latest event of the text that was passed over at a bound.
    lost: Option<Key>,
    has_lost_tools: bool,
    is_done: bool,
    error: Option<(Key, Box<AgentProcessingError>)>,
}

/// Where an event stands: its time, then how many came before.
type Key = (Time, u64);

impl Default for Transcript {
    fn default() -> Self {
        Self::new()
    }
}

impl Transcript {
    /// A transcript of a task that begins.
    pub fn new() -> Self {
        Self::with_limits(TranscriptLimits::DEFAULT)
    }

    /// A transcript within other limits.
    pub fn with_limits(limits: TranscriptLimits) -> Self {
        Self {
            limits,
            replay: Replay::new(limits.events),
            last: Time::FIRST,
            count: 0,
            events: BTreeMap::new(),
            tools: BTreeMap::new(),
            bytes: 0,
            tool_bytes: 0,
            message: OnceLock::new(),
            full: None,
            lost: None,
            has_lost_tools: false,
            is_done: false,
            error: None,
        }
    }

    /// Takes the next event.
    pub fn push(&mut self, event: &Event) {
        if let Event::ConnectionEstablished(established) = event {
            self.replay.connected(&established.connection_id);
        }
        if let Some(time) = event.timestamp().and_then(Time::read) {
            self.last = time;
        }
        let key = (self.last, self.count);
        self.count += 1;
        let is_text = is_text(event);
        if !is_text && !matches!(event, Event::ToolUpdate(_) | Event::ToolPartialUpdate(_)) {
            return;
        }
        let json = event.to_json();
        if self.replay.is_repeated(&json) {
            return;
        }
        if is_text {
            self.take_text(key, event, json.len());
        } else {
            self.take_tool(key, event, json.len());
        }
    }

    /// Says that the connection was made again: what comes now may have come before. Not
    /// needed where `connection_established` is pushed.
    pub fn reconnected(&mut self) {
        self.replay.reconnected();
    }

    /// Records the user's answer to the latest question at a checkpoint that has none.
    ///
    /// `input` is what the user has put in, and `input_type` its type, such as `text`. Gives
    /// `false` if there is no such question, or no room for the answer.
    ///
    /// ```
    /// use agent_contracts::ubik::{Event, Transcript};
    ///
    /// let mut transcript = Transcript::new();
    /// transcript.push(&Event::from_json(r#"{"type":"input_required","checkpoint_name":"mail","prompt":"Your address?",
    ///     "input_types":["text"],"timestamp":"2026-01-01T00:00:00Z"}"#)?);
    /// assert!(transcript.answer("mail", serde_json::json!("user@example.com"), "text"));
    /// assert!(transcript.text().contains("{\"input\": \"user@example.com\", \"type\": \"text\"}"));
    /// # Ok::<(), agent_contracts::wire::Error>(())
    /// ```
    pub fn answer(&mut self, checkpoint_name: &str, input: impl Into<Json>, input_type: &str) -> bool {
        let is_open = |kept: &Kept| match &kept.event {
            Event::InputRequired(asked) => asked.checkpoint_name == checkpoint_name && kept.answer.is_none(),
            _ => false,
        };
        let Some(question) = self.events.values_mut().rev().find(|kept| is_open(kept)) else { return false };
        let input: Json = input.into();
        let answer = format!("{{\"input\": {}, \"type\": {}}}", without_tags(input.as_str()), json(input_type));
        if self.bytes.saturating_add(answer.len()) > self.limits.bytes {
            return false;
        }
        question.bytes += answer.len();
        self.bytes += answer.len();
        question.answer = Some(answer.into());
        self.message.take();
        true
    }

    /// The text of the message as it is now. A step that is open at its end has no end tag.
    ///
    /// The text is kept, and a chunk that comes at its end is added to it. After any other event that changes it, and
    /// after a chunk that follows an error, all of it is written anew when it is next asked for.
    ///
    /// After an error the text has the server's traceback, in the body of
    /// `<<ERROR_JSON_START>>`. Users must not see that.
    pub fn text(&self) -> &str {
        self.message().text()
    }

    /// The text as a tree, for which all of it is read each time. Titles, prompts and names of checkpoints have no tags,
    /// whatever stands in them, and what the agent has left open in a step ends with it; a parser of the text alone
    /// cannot know that. As long as the task goes on, or text is missing,
    /// blocks that are open at the end are no faults.
    pub fn markup(&self) -> Markup {
        self.parse(true)
    }

    /// The same, as if no error had come: of that, users may see what the event says, and not the traceback.
    pub(in crate::ubik) fn markup_without_error(&self) -> Markup {
        self.parse(false)
    }

    fn parse(&self, with_error: bool) -> Markup {
        let mut parser = Parser::with_limits(ParserLimits::NONE);
        self.message().write(with_error, &mut parser);
        if self.is_done && !self.is_truncated() { parser.finish() } else { parser.so_far() }
    }

    /// The tool calls: first those in the text, in its order, then those that only events name. All of the text is read
    /// each time.
    pub fn tools(&self) -> Vec<ToolCard<'_>> {
        tools::cards(&self.markup(), self.tools.values())
    }

    /// Whether the task has ended, well or not.
    pub const fn is_done(&self) -> bool {
        self.is_done
    }

    /// The error that has ended the task.
    pub fn error(&self) -> Option<&AgentProcessingError> {
        self.error.as_ref().map(|(_, error)| &**error)
    }

    /// Whether events that count were passed over at a bound.
    pub const fn is_truncated(&self) -> bool {
        self.lost.is_some() || self.has_lost_tools
    }

    fn message(&self) -> &Message {
        self.message.get_or_init(|| {
            let mut message = Message::default();
            for kept in self.events.values() {
                message.apply(kept);
            }
            message
        })
    }

    fn has_room(&self) -> bool {
        self.events.len() + self.tools.len() < self.limits.events
    }

    fn take_tool(&mut self, key: Key, event: &Event, bytes: usize) {
        if self.has_room() && self.tool_bytes.saturating_add(bytes) <= self.limits.bytes {
            self.tool_bytes += bytes;
            self.tools.insert(key, event.clone());
        } else {
            self.has_lost_tools = true;
        }
    }

    fn take_text(&mut self, key: Key, event: &Event, bytes: usize) {
        self.is_done |= event.is_terminal();
        if let Event::AgentProcessingError(error) = event
            && self.error.as_ref().is_none_or(|(last, _)| *last < key)
        {
            self.error = Some((key, Box::new(error.clone())));
        }
        let is_final = matches!(event, Event::AgentProcessingComplete(_));
        let is_full = is_final || matches!(event, Event::AgentResponseUpdate(_));
        // What stands before a full text, or behind the final one, makes no difference.
        let is_void = |(full, last): (Key, bool)| (last && !is_final) || (last == is_final && key < full);
        if self.full.is_some_and(is_void) {
            return;
        }
        let fits = if is_full {
            bytes <= self.limits.bytes
        } else {
            self.has_room() && self.bytes.saturating_add(bytes) <= self.limits.bytes
        };
        if !fits {
            self.lost = self.lost.max(Some(key));
            return;
        }
        if is_full {
            self.drop_replaced(key, is_final);
        }
        let kept = Kept { event: event.clone(), bytes, answer: None };
        let is_latest = self.events.last_key_value().is_none_or(|(last, _)| *last < key);
        if is_latest {
            if let Some(message) = self.message.get_mut() {
                message.apply(&kept);
            }
        } else {
            self.message.take();
        }
        self.bytes += bytes;
        self.events.insert(key, kept);
    }

    /// Drops what the full text at `key` replaces.
    fn drop_replaced(&mut self, key: Key, is_final: bool) {
        let later = if is_final { BTreeMap::new() } else { self.events.split_off(&key) };
        let replaced = std::mem::replace(&mut self.events, later);
        self.bytes -= replaced.values().map(|kept| kept.bytes).sum::<usize>();
        self.full = Some((key, is_final));
        self.lost = self.lost.filter(|lost| !is_final && *lost > key);
        self.message.take();
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcript")
            .field("limits", &self.limits)
            .field("events", &self.events.len())
            .field("tool_events", &self.tools.len())
            .field("is_done", &self.is_done)
            .field("is_truncated", &self.is_truncated())
            .finish_non_exhaustive()
    }
}

/// Whether the text depends on the event.
const fn is_text(event: &Event) -> bool {
    matches!(
        event,
        Event::AgentStepStarted(_)
            | Event::AgentStepCompleted(_)
            | Event::ResponseChunk(_)
            | Event::AgentResponseChunk(_)
            | Event::CheckpointCreated(_)
            | Event::InputRequired(_)
            | Event::AgentResponseUpdate(_)
            | Event::AgentProcessingComplete(_)
            | Event::AgentProcessingError(_)
    )
}
