//! Chunk events, written out as the START, CONTENT and END events that they stand for.

use std::fmt;

use super::event::{Event, EventType};
use super::lanes::{self, Chunk, Ends, Lane, Lanes, Lanewise, Opener, Taken};
use super::names::{MessageId, SubagentRunId, TextMessageRole, ToolCallId};
use super::reasoning::{
    ReasoningMessageChunk, ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart, ReasoningRole,
};
use super::scope::Scope;
use super::text::{TextMessageChunk, TextMessageContent, TextMessageEnd, TextMessageStart};
use super::tool::{ToolCallArgs, ToolCallChunk, ToolCallEnd, ToolCallStart};
use crate::check::{Rule, input_rules};
use crate::wire::{Extra, JsonObject, NonNullJson};

/// A chunk that belongs to no stream, or contradicts the one that it belongs to, or would
/// open a stream beyond the bound.
///
/// The official client fails the run over the first two. The text names no id.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this {event} {}", lanes::describe(.rule))]
pub struct ChunkError {
    event: EventType,
    rule: &'static Rule,
}

impl ChunkError {
    /// The rule that the checker reports for such a chunk.
    pub const fn rule(&self) -> &'static Rule {
        self.rule
    }
}

/// Chunk streams by their ids.
#[derive(Clone, Copy, Debug)]
struct Named;

impl Lanewise for Named {
    type Id = Box<str>;
    type Owner = Option<SubagentRunId>;
}

/// Writes out the chunk events of a stream as the events that they stand for.
///
/// A `TEXT_MESSAGE_CHUNK`, `TOOL_CALL_CHUNK` or `REASONING_MESSAGE_CHUNK` opens a message
/// or call, or continues the open one of its owner; what opens it becomes a START, text
/// becomes a CONTENT or ARGS, and the next event of that owner that is no such chunk
/// makes an END. Every other event passes as it is. A stream that just stops gets no END.
/// Up to 1024 owners can have an open stream at a time.
///
/// ```
/// use agent_contracts::agui::{ChunkExpander, Event, EventType, TextMessageChunk, RunFinished};
///
/// let mut expander = ChunkExpander::new();
/// let mut events = Vec::new();
/// expander.push(TextMessageChunk::new().with_message_id("m1").with_delta("Hel").into(), &mut events)?;
/// expander.push(TextMessageChunk::new().with_delta("lo").into(), &mut events)?;
/// expander.push(RunFinished::new("t1", "r1").into(), &mut events)?;
/// let types: Vec<_> = events.iter().filter_map(Event::known_type).collect();
/// use EventType::*;
/// assert_eq!(types, [TextMessageStart, TextMessageContent, TextMessageContent, TextMessageEnd, EventType::RunFinished]);
/// # Ok::<(), agent_contracts::agui::ChunkError>(())
/// ```
///
/// Since 0.1.0. Source: the AG-UI 1.0 specification, and the behaviour of the official
/// client 1.0.0.
#[derive(Clone, Default)]
pub struct ChunkExpander {
    lanes: Lanes<Named>,
}

impl fmt::Debug for ChunkExpander {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkExpander").finish_non_exhaustive()
    }
}

impl ChunkExpander {
    /// An expander at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event and puts what it stands for into `out`.
    ///
    /// # Errors
    /// When a chunk belongs to no stream, contradicts its stream, or would open one beyond
    /// the bound. Nothing is put out and nothing changes, so the stream may go on without
    /// the chunk.
    pub fn push(&mut self, event: Event, out: &mut impl Extend<Event>) -> Result<(), ChunkError> {
        match event {
            Event::TextMessageChunk(chunk) => self.text(chunk, out),
            Event::ToolCallChunk(chunk) => self.tool(chunk, out),
            Event::ReasoningMessageChunk(chunk) => self.reasoning(chunk, out),
            event => {
                if let Some(kind) = event.known_type() {
                    self.end_before(kind, event.subagent_run_id(), out);
                }
                out.extend([event]);
                Ok(())
            }
        }
    }

    /// Ends the streams that an event of type `kind` and owner `tag` ends, for events
    /// that are passed on without being decoded.
    pub fn end_before(&mut self, kind: EventType, tag: Option<&SubagentRunId>, out: &mut impl Extend<Event>) {
        match Ends::of(kind) {
            Ends::Nothing => {}
            Ends::Lane => out.extend(self.lanes.close(&tag.cloned()).map(end)),
            Ends::All => out.extend(std::iter::from_fn(|| self.lanes.close_any()).map(end)),
        }
    }

    /// Finds the stream of a chunk and ends the one that it replaces. Gives the id of the
    /// stream, its owner, and whether the chunk opens it.
    fn take(
        &mut self,
        (event, scope): (EventType, Scope),
        id: Option<&str>,
        tag: Option<&SubagentRunId>,
        (first, second): (Option<&str>, Option<&str>),
        out: &mut impl Extend<Event>,
    ) -> Result<(Box<str>, Option<SubagentRunId>, bool), ChunkError> {
        let chunk = Chunk {
            scope,
            id: id.map(Into::into),
            tag: tag.cloned().map(Some),
            opener: Opener { first: first.map(Into::into), second: second.map(Into::into) },
            default_role: TextMessageRole::Assistant.as_str().into(),
        };
        match self.lanes.take(chunk).map_err(|rule| ChunkError { event, rule })? {
            Taken::Continue { id, owner } => Ok((id, owner, false)),
            // Nothing was closed then, so nothing has changed.
            Taken::Open { .. } if self.lanes.take_overflow() => {
                Err(ChunkError { event, rule: &input_rules::HISTORY_LIMIT })
            }
            Taken::Open { closes, owner, id } => {
                out.extend(closes.map(end));
                Ok((id, owner, true))
            }
        }
    }

    fn text(&mut self, chunk: TextMessageChunk, out: &mut impl Extend<Event>) -> Result<(), ChunkError> {
        let (id, owner, opens) = self.take(
            (EventType::TextMessageChunk, Scope::Text),
            chunk.message_id.as_ref().map(MessageId::as_str),
            chunk.subagent_run_id.as_ref(),
            (chunk.role.as_ref().map(TextMessageRole::as_str), chunk.name.as_deref()),
            out,
        )?;
        let (start, content) =
            Load::of(owner, chunk.metadata, chunk.raw_event, chunk.extra).share(opens, chunk.delta.is_some());
        out.extend(start.map(|load| {
            let mut start = TextMessageStart::new(&*id).with_role(chunk.role.unwrap_or(TextMessageRole::Assistant));
            start.name = chunk.name;
            loaded!(start, load)
        }));
        out.extend(content.map(|load| loaded!(TextMessageContent::new(&*id, chunk.delta.unwrap_or_default()), load)));
        Ok(())
    }

    fn tool(&mut self, chunk: ToolCallChunk, out: &mut impl Extend<Event>) -> Result<(), ChunkError> {
        let (id, owner, opens) = self.take(
            (EventType::ToolCallChunk, Scope::Tool),
            chunk.tool_call_id.as_ref().map(ToolCallId::as_str),
            chunk.subagent_run_id.as_ref(),
            (chunk.tool_call_name.as_deref(), chunk.parent_message_id.as_ref().map(MessageId::as_str)),
            out,
        )?;
        let (start, content) =
            Load::of(owner, chunk.metadata, chunk.raw_event, chunk.extra).share(opens, chunk.delta.is_some());
        out.extend(start.map(|load| {
            let mut start = ToolCallStart::new(&*id, chunk.tool_call_name.unwrap_or_default());
            start.parent_message_id = chunk.parent_message_id;
            loaded!(start, load)
        }));
        out.extend(content.map(|load| loaded!(ToolCallArgs::new(&*id, chunk.delta.unwrap_or_default()), load)));
        Ok(())
    }

    fn reasoning(&mut self, chunk: ReasoningMessageChunk, out: &mut impl Extend<Event>) -> Result<(), ChunkError> {
        let (id, owner, opens) = self.take(
            (EventType::ReasoningMessageChunk, Scope::Reasoning),
            chunk.message_id.as_ref().map(MessageId::as_str),
            chunk.subagent_run_id.as_ref(),
            (None, None),
            out,
        )?;
        let (start, content) =
            Load::of(owner, chunk.metadata, chunk.raw_event, chunk.extra).share(opens, chunk.delta.is_some());
        out.extend(start.map(|mut load| {
            // It has a role of its own.
            load.extra.remove("role");
            loaded!(ReasoningMessageStart::new(&*id, ReasoningRole::Reasoning), load)
        }));
        out.extend(
            content.map(|load| loaded!(ReasoningMessageContent::new(&*id, chunk.delta.unwrap_or_default()), load)),
        );
        Ok(())
    }
}

/// What an event carries besides what it is about.
#[derive(Clone, Default)]
struct Load {
    owner: Option<SubagentRunId>,
    metadata: Option<JsonObject>,
    raw_event: Option<NonNullJson>,
    extra: Extra,
}

impl Load {
    fn of(
        owner: Option<SubagentRunId>,
        metadata: Option<JsonObject>,
        raw_event: Option<NonNullJson>,
        extra: Extra,
    ) -> Self {
        Self { owner, metadata, raw_event, extra }
    }

    /// The part of a START, if the chunk opens a stream, and of a CONTENT, if there is
    /// anything for one. Metadata goes with both, the rest with the CONTENT if it can.
    fn share(self, opens: bool, has_delta: bool) -> (Option<Self>, Option<Self>) {
        let fills = has_delta || self.raw_event.is_some();
        match (opens, fills || self.metadata.is_some() || !self.extra.is_empty()) {
            (false, true) => (None, Some(self)),
            (false, false) => (None, None),
            (true, _) if !fills => (Some(self), None),
            (true, _) => {
                let start = Self { owner: self.owner.clone(), metadata: self.metadata.clone(), ..Self::default() };
                (Some(start), Some(self))
            }
        }
    }
}

/// The event with its load.
macro_rules! loaded {
    ($event:expr, $load:expr) => {{
        let (mut event, load) = ($event, $load);
        event.subagent_run_id = load.owner;
        event.metadata = load.metadata;
        event.raw_event = load.raw_event;
        event.extra = load.extra;
        Event::from(event)
    }};
}
use loaded;

/// The end of a stream.
fn end(lane: Lane<Named>) -> Event {
    let (id, load) = (&*lane.id, Load { owner: lane.owner, ..Load::default() });
    match lane.scope {
        Scope::Tool => loaded!(ToolCallEnd::new(id), load),
        Scope::Reasoning => loaded!(ReasoningMessageEnd::new(id), load),
        _ => loaded!(TextMessageEnd::new(id), load),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(lines: &[&str]) -> Vec<String> {
        let (mut expander, mut out) = (ChunkExpander::new(), Vec::new());
        let mut texts = Vec::new();
        for line in lines {
            let result = expander.push(Event::from_json(line).unwrap(), &mut out);
            texts.extend(out.drain(..).map(|event| event.to_json()));
            texts.extend(result.err().map(|error| error.to_string()));
        }
        texts
    }

    #[test]
    fn what_a_chunk_carries_goes_where_it_belongs() {
        for (chunks, expected) in [
            (
                &[r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","timestamp":1,"metadata":{"a":1},"new":true}"#][..],
                &[r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","metadata":{"a":1},"new":true}"#]
                    [..],
            ),
            (
                &[
                    r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"n","delta":"{","metadata":{},"rawEvent":1}"#,
                    r#"{"type":"TOOL_CALL_CHUNK","timestamp":2}"#,
                    r#"{"type":"TOOL_CALL_CHUNK","new":true}"#,
                    r#"{"type":"TOOL_CALL_CHUNK","toolCallName":"other"}"#,
                    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
                ],
                &[
                    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","metadata":{}}"#,
                    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{","rawEvent":1,"metadata":{}}"#,
                    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"","new":true}"#,
                    "this TOOL_CALL_CHUNK differs from the chunk that opened the stream",
                    r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
                    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
                ],
            ),
            (
                &[r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m","role":"user"}"#],
                &[r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}"#],
            ),
            (
                &[
                    r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s","delta":"a"}"#,
                    r#"{"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s","delta":"b"}"#,
                    r#"{"type":"CUSTOM","name":"n","value":1}"#,
                    r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#,
                ],
                &[
                    r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning","subagentRunId":"s"}"#,
                    r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"a","subagentRunId":"s"}"#,
                    "this TEXT_MESSAGE_CHUNK opens a stream without an id",
                    r#"{"type":"CUSTOM","name":"n","value":1}"#,
                    r#"{"type":"REASONING_MESSAGE_END","messageId":"m","subagentRunId":"s"}"#,
                    r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#,
                ],
            ),
        ] {
            assert_eq!(expand(chunks), expected);
        }
    }

    #[test]
    fn a_stream_beyond_the_bound_is_refused() {
        let (mut expander, mut out) = (ChunkExpander::new(), Vec::new());
        for owner in 0..1025 {
            let chunk = TextMessageChunk::new()
                .with_message_id(format!("m{owner}"))
                .with_delta("x")
                .with_subagent_run_id(SubagentRunId::from(owner.to_string()));
            let before = out.len();
            let result = expander.push(chunk.into(), &mut out);
            assert_eq!(result.is_ok(), owner < 1024);
            assert_eq!(out.len() > before, owner < 1024);
        }
    }
}
