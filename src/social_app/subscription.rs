//! Following one run on a connection that may carry several.

use super::events::event::{Event, EventType};
use super::stream_id::StreamId;
use crate::agui::RunId;
use crate::stream::sse::{Frame, Item};
use crate::wire::{Error, Extra, Json};

/// A frame of the subscribed run that cannot be read. Its text shows no value.
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
/// delivered before: those whose stream id is not greater than the last. Comments such as
/// `: keep-alive` never get here, as the SSE parser drops them.
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
/// assert!(run.is_ended());
/// assert_eq!(run.last_event_id(), Some("2-0"));
/// ```
///
/// Since 0.1.0. Source: v1 §2 and §3.0.
#[derive(Clone, Debug)]
pub struct RunSubscription {
    run_id: RunId,
    last_event_id: Option<String>,
    ended: bool,
}

impl RunSubscription {
    /// Follows `run_id` from its beginning.
    pub fn new(run_id: impl Into<RunId>) -> Self {
        Self { run_id: run_id.into(), last_event_id: None, ended: false }
    }

    /// Follows `run_id` again after the frame `last_event_id`.
    pub fn resume(run_id: impl Into<RunId>, last_event_id: impl Into<String>) -> Self {
        Self { last_event_id: Some(last_event_id.into()), ..Self::new(run_id) }
    }

    /// The run that is followed.
    pub const fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// The id of the last frame, of whatever run: what to send as `Last-Event-ID` when the
    /// connection breaks.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// Whether the run has ended, by `RUN_FINISHED` or `RUN_ERROR` of its own.
    pub const fn is_ended(&self) -> bool {
        self.ended
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

    fn frame(&mut self, frame: &Frame<'_>) -> Result<Option<Event>, SubscriptionError> {
        // A frame that the stream's end has cut off may not be whole.
        if self.ended || frame.ending.is_none() || !self.is_new(frame) {
            return Ok(None);
        }
        let text = std::str::from_utf8(frame.data).map_err(|_| SubscriptionError::NotUtf8)?;
        let event = match Event::from_json(text) {
            Ok(event) => event,
            Err(error) => return self.unreadable(text, error),
        };
        if event.run_id().as_ref() != Some(&self.run_id) {
            return Ok(None);
        }
        self.ended = event.is_terminal();
        Ok(Some(event))
    }

    /// Takes in the id of a frame; false if the frame was there before. Ids that are none
    /// of a Redis stream tell nothing.
    fn is_new(&mut self, frame: &Frame<'_>) -> bool {
        let Some(id) = frame.id.and_then(|id| std::str::from_utf8(id.value).ok()).filter(|id| !id.is_empty()) else {
            return true;
        };
        let last = self.last_event_id.as_deref().and_then(|last| last.parse::<StreamId>().ok());
        let id_of_frame = id.parse::<StreamId>().ok();
        if last.zip(id_of_frame).is_some_and(|(last, id)| id <= last) {
            return false;
        }
        self.last_event_id = Some(id.to_owned());
        true
    }

    /// An event that is not of its shape: passed over if it is of another run, and the end
    /// of this one all the same if that is its type.
    fn unreadable(&mut self, text: &str, error: Error) -> Result<Option<Event>, SubscriptionError> {
        let members = crate::wire::decode::from_json::<Extra>(text).unwrap_or_default();
        let member = |name| members.get(name).and_then(Json::as_string);
        match member("runId") {
            Some(run) if run != self.run_id.as_str() => return Ok(None),
            Some(_) => {
                let terminal = [EventType::RunFinished, EventType::RunError];
                let kind = member("type").and_then(|tag| EventType::from_tag(&tag));
                self.ended = kind.is_some_and(|kind| terminal.contains(&kind));
            }
            None => {}
        }
        Err(error.into())
    }
}
