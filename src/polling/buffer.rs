//! The server side: the events of a task, as many of them as are kept.

use std::collections::VecDeque;
use std::fmt;
use std::num::IntErrorKind;
use std::time::Duration;

use super::events::envelope::Envelope;
use super::events::event::{Event, of_every};
use super::events::names::{ConversationId, TaskId, WorkspaceId};
use super::events::response::{TaskData, TaskResponse};
use crate::wire::{Nullable, Number};

/// How many events a server keeps, by the page on events. Servers really keep
/// [`DEFAULT_CAPACITY`].
///
/// Since 0.1.0. Source: page on events §4.
pub const DOCUMENTED_CAPACITY: usize = 1000;

/// How many events servers keep, and a [`Buffer`] by default.
///
/// Since 0.1.0. Source: task API §4.
pub const DEFAULT_CAPACITY: usize = 20_000;

/// The offset that a poll asks for, read from the `from` of its query: 0 if that is absent,
/// negative or no integer.
///
/// White space around it does not count, and what is beyond 64 bits is `u64::MAX`.
///
/// ```
/// use agent_contracts::polling::offset_of;
///
/// assert_eq!(offset_of(Some("12")), 12);
/// assert_eq!([None, Some("-3"), Some("1.5"), Some("")].map(offset_of), [0; 4]);
/// ```
///
/// Since 0.1.0. Source: task API §2.
pub fn offset_of(from: Option<&str>) -> u64 {
    let text = from.unwrap_or_default().trim();
    match text.parse::<u64>() {
        Ok(offset) => offset,
        // Beyond any index, and so an offset without events.
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => u64::MAX,
        Err(_) => 0,
    }
}

/// A time as `ts` has it: seconds since the epoch, to the microsecond.
///
/// ```
/// use std::time::Duration;
///
/// let ts = agent_contracts::polling::epoch_seconds(Duration::from_micros(1_769_182_968_154_797));
/// assert_eq!(ts.as_str(), "1769182968.154797");
/// ```
///
/// Since 0.1.0. Source: task API §2.
pub fn epoch_seconds(since_epoch: Duration) -> Number {
    let text = format!("{}.{:06}", since_epoch.as_secs(), since_epoch.subsec_micros());
    let digits = text.trim_end_matches('0');
    let zero = if digits.ends_with('.') { "0" } else { "" };
    crate::wire::decode::from_json(&format!("{digits}{zero}")).unwrap_or_else(|_| Number::from(0_u32))
}

/// The events of one task: numbered from 0, the newest of them kept.
///
/// When there are more events than the capacity, the oldest is dropped, and so it is while they
/// are larger together than the limit of bytes, if one is set. The newest always stays. No
/// number is used twice. The time of a push depends on its event alone, that of a poll on its
/// answer alone.
///
/// ```
/// use std::time::Duration;
///
/// use agent_contracts::polling::{Buffer, TextChunk, ThinkingChunk, epoch_seconds};
///
/// let mut buffer = Buffer::new(2).with_scope("task_1", "conv_1", "ws_1");
/// for (second, content) in ["a", "b", "c"].into_iter().enumerate() {
///     buffer.push(ThinkingChunk::new(content), epoch_seconds(Duration::from_secs(second as u64)));
/// }
/// assert_eq!((buffer.window_start(), buffer.next_offset()), (1, 3));
/// let kept: Vec<String> = buffer.events_since(2).map(|envelope| envelope.to_json()).collect();
/// assert_eq!(kept, [r#"{"idx":2,"type":"thinking_chunk","data":{"content":"c","task_id":"task_1",
/// "conversation_id":"conv_1","workspace_id":"ws_1"},"ts":2.0}"#.replace('\n', "")]);
/// ```
///
/// Since 0.1.0. Source: page on events §4; task API §2 and §4.
#[derive(Clone)]
pub struct Buffer {
    kept: VecDeque<Kept>,
    next: u64,
    capacity: usize,
    max_bytes: Option<usize>,
    /// The size of what is kept, in bytes of JSON.
    bytes: usize,
    scope: Option<Scope>,
    tells_window: bool,
}

#[derive(Clone)]
struct Kept {
    envelope: Envelope,
    bytes: usize,
}

#[derive(Clone)]
struct Scope {
    task: TaskId,
    conversation: ConversationId,
    workspace: WorkspaceId,
}

impl Buffer {
    /// An empty buffer that keeps `capacity` events, but at least one.
    pub const fn new(capacity: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            next: 0,
            capacity: if capacity == 0 { 1 } else { capacity },
            max_bytes: None,
            bytes: 0,
            scope: None,
            tells_window: false,
        }
    }

    /// Adds these ids to the data of every event that is pushed, where it has none.
    #[must_use]
    pub fn with_scope(
        mut self,
        task_id: impl Into<TaskId>,
        conversation_id: impl Into<ConversationId>,
        workspace_id: impl Into<WorkspaceId>,
    ) -> Self {
        let (task, conversation) = (task_id.into(), conversation_id.into());
        self.scope = Some(Scope { task, conversation, workspace: workspace_id.into() });
        self
    }

    /// Limits the size of what is kept, in bytes of JSON, and so the size of an answer. It
    /// takes effect at the next push, and counts what was pushed before.
    #[must_use]
    pub const fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = Some(max_bytes);
        self
    }

    /// Answers polls as the later web API does, with `window_start`.
    ///
    /// If such an answer has no event, its `next_offset` is the index of the next event.
    /// Without this, polls are answered as v1 does: there is no `window_start`, and an answer
    /// without an event has as `next_offset` the offset that was asked for.
    #[must_use]
    pub const fn with_window_start(mut self) -> Self {
        self.tells_window = true;
        self
    }

    /// Adds an event that occurred at `ts`, in seconds since the epoch, and gives its index.
    pub fn push(&mut self, event: impl Into<Event>, ts: impl Into<Number>) -> u64 {
        let idx = self.next;
        let mut event = event.into();
        if let Some(scope) = &self.scope {
            scope.add_to(&mut event);
        }
        let envelope = Envelope::new(idx, event, ts);
        let bytes = envelope.to_json().len();
        self.kept.push_back(Kept { envelope, bytes });
        self.bytes = self.bytes.saturating_add(bytes);
        self.next += 1;
        while self.is_too_large()
            && let Some(dropped) = self.kept.pop_front()
        {
            self.bytes = self.bytes.saturating_sub(dropped.bytes);
        }
        idx
    }

    fn is_too_large(&self) -> bool {
        let is_too_heavy = self.max_bytes.is_some_and(|max_bytes| self.bytes > max_bytes);
        self.kept.len() > self.capacity || (is_too_heavy && self.kept.len() > 1)
    }

    /// The kept events with an index of at least `from`.
    pub fn events_since(&self, from: u64) -> impl DoubleEndedIterator<Item = &Envelope> + ExactSizeIterator {
        let old = from.saturating_sub(self.window_start());
        let old = usize::try_from(old).unwrap_or(usize::MAX).min(self.kept.len());
        self.kept.range(old..).map(|kept| &kept.envelope)
    }

    /// The index of the oldest event that is kept; the next index if there is none.
    pub fn window_start(&self) -> u64 {
        self.next.saturating_sub(self.kept.len() as u64)
    }

    /// The index of the next event, which a history snapshot taken now would name.
    pub const fn next_offset(&self) -> u64 {
        self.next
    }

    /// How many events are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether no event was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The answer to a poll from `from`: `task` with its events and offsets set.
    ///
    /// ```
    /// use agent_contracts::polling::{AiMessageStart, Buffer, Envelope, TaskData, TaskStatus, WorkspaceId};
    /// use agent_contracts::wire::Nullable;
    ///
    /// let (created_at, workspace) = (1_760_000_000_u32, WorkspaceId::from("ws1"));
    /// let (no_error, no_events) = (Nullable::<String>::Null, Vec::<Envelope>::new());
    /// let status = TaskStatus::Running;
    /// let task = TaskData::new("t1", workspace, status, created_at, created_at, no_error, no_events, 0_u32);
    ///
    /// let mut buffer = Buffer::default();
    /// buffer.push(AiMessageStart::new(), created_at);
    /// let response = buffer.respond(0, task);
    /// assert_eq!(response.data.events.len(), 1);
    /// assert_eq!(response.data.next_offset.as_u64(), Some(1));
    /// ```
    pub fn respond(&self, from: u64, mut task: TaskData) -> TaskResponse {
        task.events = self.events_since(from).cloned().collect();
        let is_echo = task.events.is_empty() && !self.tells_window;
        let next = if is_echo { from } else { self.next };
        task.next_offset = next.into();
        task.window_start = self.tells_window.then(|| self.window_start().into());
        TaskResponse::new(true, task)
    }
}

impl Default for Buffer {
    /// A buffer that keeps [`DEFAULT_CAPACITY`] events.
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY)
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let window = self.window_start()..self.next;
        f.debug_struct("Buffer").field("window", &window).field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

impl Scope {
    /// Adds the ids that the data of an event does not have.
    fn add_to(&self, event: &mut Event) {
        if let Event::Unknown(unknown) = event {
            // Data that is no object is kept as it is.
            if unknown.content().is_some() {
                return;
            }
            let ids = [
                ("task_id", self.task.as_str()),
                ("conversation_id", self.conversation.as_str()),
                ("workspace_id", self.workspace.as_str()),
            ];
            for (name, id) in ids {
                if unknown.members.get(name).is_none() {
                    unknown.members.insert(name, serde_json::Value::from(id));
                }
            }
            return;
        }
        let known = of_every!(event, data => (&mut data.task_id, &mut data.conversation_id, &mut data.workspace_id));
        if let Some((task_id, conversation_id, workspace_id)) = known {
            task_id.get_or_insert_with(|| self.task.clone());
            conversation_id.get_or_insert_with(|| self.conversation.clone());
            workspace_id.get_or_insert_with(|| Nullable::Value(self.workspace.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polling::{PollResponse, ThinkingChunk};
    use crate::wire::Integer;

    fn filled(mut buffer: Buffer, count: u32) -> Buffer {
        for idx in 0..count {
            assert_eq!(buffer.push(ThinkingChunk::new(idx.to_string()), idx), u64::from(idx));
        }
        buffer
    }

    fn indices(buffer: &Buffer, from: u64) -> Vec<u64> {
        buffer.events_since(from).filter_map(|envelope| envelope.idx.as_u64()).collect()
    }

    fn task() -> TaskData {
        TaskData::from_json(
            r#"{"task_id":"t","workspace_id":null,"status":"running","created_at":1.5,"updated_at":1.5,"error":null,"events":[],"next_offset":0}"#,
        )
        .unwrap()
    }

    #[test]
    fn the_newest_events_are_kept() {
        for (capacity, count, from, window_start, expected) in [
            (3, 0, 0, 0, vec![]),
            (3, 2, 0, 0, vec![0, 1]),
            (3, 3, 1, 0, vec![1, 2]),
            (3, 4, 0, 1, vec![1, 2, 3]),
            (3, 10, 0, 7, vec![7, 8, 9]),
            (3, 10, 9, 7, vec![9]),
            (3, 10, 10, 7, vec![]),
            (3, 10, u64::MAX, 7, vec![]),
            (0, 5, 0, 4, vec![4]),
        ] {
            let buffer = filled(Buffer::new(capacity), count);
            assert_eq!(indices(&buffer, from), expected, "{count} events in {capacity}, from {from}");
            assert_eq!(buffer.window_start(), window_start, "{count} events in {capacity}");
            assert_eq!(buffer.next_offset(), u64::from(count));
            assert_eq!(buffer.len() as u64, u64::from(count) - window_start);
        }
    }

    #[test]
    fn the_limit_of_bytes_drops_the_oldest_and_keeps_the_newest() {
        let one = filled(Buffer::new(9), 1).events_since(0).map(|envelope| envelope.to_json().len()).sum::<usize>();
        for (max_bytes, window_start) in [(0, 4), (one, 4), (2 * one, 3), (3 * one - 1, 3), (5 * one, 0)] {
            let buffer = filled(Buffer::new(9).with_max_bytes(max_bytes), 5);
            assert_eq!(buffer.window_start(), window_start, "{max_bytes} bytes");
            let mut later = filled(Buffer::new(9), 4).with_max_bytes(max_bytes);
            later.push(ThinkingChunk::new("4"), 4_u32);
            assert_eq!(later.window_start(), window_start, "{max_bytes} bytes, set later");
        }
    }

    #[test]
    fn ids_are_added_where_there_are_none() {
        let ids = r#"{"task_id":"t","conversation_id":"c","workspace_id":"w"}"#;
        let own = ids.replace(r#""t""#, r#""own""#);
        let no_workspace = ids.replace(r#""w""#, "null");
        for (tag, data, expected) in [
            ("text_start", "{}", ids.to_owned()),
            ("text_start", own.as_str(), own.clone()),
            ("text_start", no_workspace.as_str(), no_workspace.clone()),
            ("something_new", r#"{"n":1.50}"#, ids.replacen('{', r#"{"n":1.50,"#, 1)),
            ("something_new", r#"{"task_id":7}"#, ids.replace(r#""t""#, "7")),
        ] {
            let mut buffer = Buffer::default().with_scope("t", "c", "w");
            buffer.push(Event::from_tagged_json(tag, data).unwrap(), 1_u32);
            let mut plain = Buffer::default();
            plain.push(Event::from_tagged_json(tag, data).unwrap(), 1_u32);
            let written = |buffer: &Buffer| buffer.events_since(0).map(Envelope::to_json).collect::<String>();
            assert_eq!(written(&buffer), format!(r#"{{"idx":0,"type":"{tag}","data":{expected},"ts":1}}"#));
            assert_eq!(written(&plain), format!(r#"{{"idx":0,"type":"{tag}","data":{data},"ts":1}}"#));
        }
    }

    #[test]
    fn answers_of_both_servers() {
        let (v1, later) = (filled(Buffer::new(3), 5), filled(Buffer::new(3).with_window_start(), 5));
        for (buffer, from, events, next_offset, window_start) in [
            (&v1, 0, 3, 5, None),
            (&v1, 4, 1, 5, None),
            (&v1, 5, 0, 5, None),
            (&v1, 9, 0, 9, None),
            (&later, 0, 3, 5, Some(2)),
            (&later, 5, 0, 5, Some(2)),
            (&later, 9, 0, 5, Some(2)),
            (&Buffer::new(3).with_window_start(), 0, 0, 0, Some(0)),
        ] {
            let text = serde_json::to_string(&buffer.respond(from, task())).unwrap();
            let response = PollResponse::from_json(&text).unwrap();
            assert_eq!(response.events().len(), events, "from {from}");
            assert_eq!(response.next_offset().and_then(Integer::as_u64), Some(next_offset), "from {from}");
            assert_eq!(response.window_start().and_then(Integer::as_u64), window_start, "from {from}");
        }
    }

    #[test]
    fn offsets_of_queries() {
        for (query, offset) in [
            (None, 0),
            (Some("0"), 0),
            (Some("7"), 7),
            (Some(" +7 "), 7),
            (Some("-1"), 0),
            (Some("-99999999999999999999999"), 0),
            (Some("seven"), 0),
            (Some("18446744073709551615"), u64::MAX),
            (Some("99999999999999999999999"), u64::MAX),
        ] {
            assert_eq!(offset_of(query), offset, "{query:?}");
        }
    }

    #[test]
    fn times_are_written_as_a_float() {
        for (micros, text) in
            [(0, "0.0"), (1_760_000_000_000_000, "1760000000.0"), (1_250_000, "1.25"), (10, "0.00001")]
        {
            assert_eq!(epoch_seconds(Duration::from_micros(micros)).as_str(), text);
        }
    }

    #[test]
    fn debug_shows_no_event() {
        assert_eq!(format!("{:?}", filled(Buffer::new(2), 3)), "Buffer { window: 1..3, capacity: 2, .. }");
    }
}
