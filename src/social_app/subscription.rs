//! Following one run on a connection that may carry several.

use std::fmt;

use super::events::event::{Event, EventType};
use super::redelivery::{Frames, Freshness};
use super::stream_id::StreamId;
use crate::agui::RunId;
use crate::stream::sse::{Frame, Item};
use crate::wire::{Error, tag};

/// A frame of the subscribed run that cannot be read. Its text shows no value.
///
/// Since 0.1.0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubscriptionError {
    /// The data is not UTF-8.
    #[error("the data of the frame is not UTF-8")]
    NotUtf8,
    /// The data is no JSON, or no event of its shape.
    #[error("the data of the frame is no event of this protocol")]
    Event(#[from] Error),
}

/// Follows one run: gives its events, and ends when it ends.
///
/// Events of other runs are passed over, their ends included, and so are frames that were
/// delivered before: those whose stream id and content have come among the last 256. A frame
/// whose id is not greater than those before, and whose content is new, is given all the
/// same, so that no end of a run is lost; [`is_out_of_order`](Self::is_out_of_order) says so.
/// Comments such as `: keep-alive` never get here, as the SSE parser drops them.
///
/// A client gives it the frames of a response, [`push`](Self::push); a server the entries of
/// its Redis stream, [`push_event`](Self::push_event), and sends what comes back.
///
/// ```
/// use agent_contracts::social_app::RunSubscription;
/// use agent_contracts::stream::sse::Parser;
///
/// let stream = "id: 1-0\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"old\"}\n\n\
///     : keep-alive\n\n\
///     id: 2-0\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"new\"}\n\n";
/// let mut run = RunSubscription::new("new");
/// let mut types = Vec::new();
/// Parser::new().push(stream.as_bytes(), |item| {
///     if let Ok(Some(event)) = run.push(&item) {
///         types.push(event.tag().to_owned());
///     }
/// });
/// assert_eq!(types, ["RUN_FINISHED"]);
/// assert!(run.is_done());
/// assert_eq!(run.last_event_id(), Some("2-0"));
/// ```
///
/// Since 0.1.0. Source: v1 §2 and §3.0.
#[derive(Clone)]
pub struct RunSubscription {
    run_id: RunId,
    last_event_id: Option<String>,
    /// The frame behind which the run is followed again.
    resumed_behind: Option<StreamId>,
    frames: Frames,
    out_of_order: bool,
    ended: bool,
}

impl fmt::Debug for RunSubscription {
    /// Ids of frames may be anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = crate::safe::show(self.run_id.as_str());
        f.debug_struct("RunSubscription").field("run_id", &run).field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl RunSubscription {
    /// Follows `run_id` from its beginning.
    pub fn new(run_id: impl Into<RunId>) -> Self {
        Self {
            run_id: run_id.into(),
            last_event_id: None,
            resumed_behind: None,
            frames: Frames::default(),
            out_of_order: false,
            ended: false,
        }
    }

    /// Follows `run_id` again after the frame `last_event_id`. What came up to that frame is
    /// passed over; only an end of the run is not, since there would be nothing to resume.
    pub fn resume(run_id: impl Into<RunId>, last_event_id: impl Into<String>) -> Self {
        let last_event_id = last_event_id.into();
        let resumed_behind = last_event_id.parse::<StreamId>().ok();
        let frames = Frames::behind(resumed_behind);
        Self { last_event_id: Some(last_event_id), resumed_behind, frames, ..Self::new(run_id) }
    }

    /// The run that is followed.
    pub const fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// The greatest id of a frame, of whatever run: what to send as `Last-Event-ID` when the
    /// connection breaks. An id that is none of a Redis stream counts as long as no other has come.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// Whether the run has ended, by `RUN_FINISHED` or `RUN_ERROR` of its own.
    pub const fn is_done(&self) -> bool {
        self.ended
    }

    /// Whether the event that was given last came under an id that is not greater than those
    /// before it.
    pub const fn is_out_of_order(&self) -> bool {
        self.out_of_order
    }

    /// Takes what an SSE parser found; gives the event if it is one of the run.
    ///
    /// # Errors
    /// When a frame cannot be read and is not visibly one of another run. Reading may go
    /// on; if it was the end of the run, the subscription has ended.
    pub fn push(&mut self, item: &Item<'_>) -> Result<Option<Event>, SubscriptionError> {
        match item {
            Item::Frame(frame) => self.frame(frame),
            _ => Ok(None),
        }
    }

    /// Takes an entry of the Redis stream; gives the event if it is one of the run, to be sent
    /// under that id. When it ends the run, the connection ends with it.
    ///
    /// ```
    /// use agent_contracts::social_app::{Event, RunFinished, RunStarted, RunSubscription, StreamId};
    ///
    /// let mut run = RunSubscription::new("new");
    /// let mut response = String::new();
    /// for (seq, event) in [RunFinished::new("t", "old").into(), Event::from(RunStarted::new("t", "new"))]
    ///     .into_iter()
    ///     .enumerate()
    /// {
    ///     let id = StreamId::new(1_760_000_000_000, seq as u64);
    ///     if let Some(event) = run.push_event(id, event) {
    ///         response += &event.to_sse(id);
    ///     }
    /// }
    /// assert!(response.starts_with("id: 1760000000000-1\nevent: RUN_STARTED\n"));
    /// assert!(!run.is_done());
    /// ```
    pub fn push_event(&mut self, id: StreamId, event: Event) -> Option<Event> {
        if self.ended {
            return None;
        }
        let freshness = self.frames.take(id, event.to_json().as_bytes());
        if freshness == Freshness::New {
            self.last_event_id = Some(id.to_string());
        }
        self.take(event, Some((id, freshness)))
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<Option<Event>, SubscriptionError> {
        // A frame that the stream's end has cut off may not be whole.
        if self.ended || frame.ending.is_none() {
            return Ok(None);
        }
        let entry = self.entry(frame);
        if entry.is_some_and(|(_, freshness)| freshness == Freshness::Repeated) {
            return Ok(None);
        }
        let Ok(text) = std::str::from_utf8(frame.data) else {
            return if self.is_past(entry) { Ok(None) } else { Err(SubscriptionError::NotUtf8) };
        };
        match Event::from_json(text) {
            Ok(event) => Ok(self.take(event, entry)),
            Err(error) => self.unreadable(text, error, entry),
        }
    }

    /// The id of a frame, and what it says with the content. Ids that are none of a Redis
    /// stream tell nothing.
    fn entry(&mut self, frame: &Frame<'_>) -> Option<(StreamId, Freshness)> {
        let id = frame.id.and_then(|id| std::str::from_utf8(id.value).ok()).filter(|id| !id.is_empty())?;
        let entry = id.parse::<StreamId>().ok().map(|parsed| (parsed, self.frames.take(parsed, frame.data)));
        let is_greatest = match entry {
            Some((_, freshness)) => freshness == Freshness::New,
            None => self.last_event_id.as_ref().is_none_or(|last| last.parse::<StreamId>().is_err()),
        };
        if is_greatest {
            self.last_event_id = Some(id.to_owned());
        }
        entry
    }

    /// Whether an entry came before the frame behind which the run is followed again.
    fn is_past(&self, entry: Option<(StreamId, Freshness)>) -> bool {
        entry.zip(self.resumed_behind).is_some_and(|((id, _), behind)| id <= behind)
    }

    /// Gives an event that is one of the run.
    fn take(&mut self, event: Event, entry: Option<(StreamId, Freshness)>) -> Option<Event> {
        let repeated = entry.is_some_and(|(_, freshness)| freshness == Freshness::Repeated);
        let is_own = event.run_id().as_ref() == Some(&self.run_id);
        if repeated || !is_own || (self.is_past(entry) && !event.is_terminal()) {
            return None;
        }
        self.out_of_order = entry.is_some_and(|(_, freshness)| freshness.is_out_of_order());
        self.ended = event.is_terminal();
        Some(event)
    }

    /// An event that is not of its shape: passed over if it is of another run, and the end
    /// of this one all the same if that is its type.
    fn unreadable(
        &mut self,
        text: &str,
        error: Error,
        entry: Option<(StreamId, Freshness)>,
    ) -> Result<Option<Event>, SubscriptionError> {
        match tag::string_of(text, "runId") {
            Some(run) if run != self.run_id.as_str() => return Ok(None),
            Some(_) => {
                let terminal = [EventType::RunFinished, EventType::RunError];
                let kind = tag::string_of(text, "type").and_then(|tag| EventType::from_tag(&tag));
                self.ended = kind.is_some_and(|kind| terminal.contains(&kind));
            }
            None => {}
        }
        if self.is_past(entry) && !self.ended { Ok(None) } else { Err(error.into()) }
    }
}
