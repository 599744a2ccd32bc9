//! The client side: which offset to ask for, and which events of an answer are new.

use serde::{Deserialize, Serialize};

use super::events::envelope::Envelope;
use super::events::names::{TaskId, TaskStatus};
use super::events::response::PollResponse;
use crate::wire::Integer;

/// How many empty answers in a row an offset that is not confirmed may get.
///
/// Then [`Polled::Stalled`] says that the offset may lie beyond the end.
///
/// Since 0.1.0. The number is this crate's own.
pub const STALLED_AFTER: u32 = 8;

/// The form in which a cursor is stored.
const VERSION: u32 = 1;

/// Why a [`Cursor`] cannot go on. Its text shows no value.
///
/// Since 0.1.0. Source: task API §2 and §4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CursorError {
    /// The server has refused: a body with `error` and no task, or an HTTP status other than
    /// 404 and 410. Nothing has changed; the client may ask again.
    #[error("the server has refused the request")]
    Refused,
    /// A stored cursor is of another version; reading it by serde fails with this.
    #[error("the stored cursor is of a version that is not known")]
    Version,
}

/// What a poll asks for; made by [`Cursor::request`] and given back with the answer.
///
/// Since 0.1.0. Source: task API §2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    task_id: Option<TaskId>,
    from: u64,
    /// How many answers had been taken when it was made.
    after: u64,
}

impl Request {
    /// The offset to ask for: the `from` of the poll.
    pub const fn offset(&self) -> u64 {
        self.from
    }

    /// The task to ask about, if the cursor knows it.
    pub const fn task_id(&self) -> Option<&TaskId> {
        self.task_id.as_ref()
    }
}

/// What an answer means for the client.
///
/// Since 0.1.0. Source: task API §2, §4 and §7, poll loop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Polled<'a> {
    /// The task goes on, maybe without a new event.
    Events(Batch<'a>),
    /// The server has dropped events before they were read. No event and no status is taken,
    /// and the offset stays; only how far the server has come is noted. The client rebuilds what it shows from the
    /// history snapshot and goes on with [`Cursor::resume_at`].
    Gap {
        /// The offset, whose event is gone.
        from: u64,
        /// The oldest index that the server still has.
        window_start: u64,
    },
    /// The offset lies beyond the end, as far as can be told: see [`Cursor`]. The client reads
    /// the history snapshot and says [`Cursor::resume_at`].
    Stalled {
        /// The offset.
        from: u64,
        /// The next index, from a server that gives it.
        end: Option<u64>,
    },
    /// The answer is for another task. Nothing has changed.
    OtherTask,
    /// The answer was asked for before [`Cursor::resume_at`] went back. Nothing has changed.
    Outdated,
    /// The task is over and all its events have been given.
    Done {
        /// How it ended.
        status: TaskStatus,
    },
    /// The server has no such task, or no longer: it keeps a task for an hour after its end.
    Gone,
}

/// The new events of an answer, which is read up to its first fault.
///
/// Since 0.1.0. Source: task API §2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Batch<'a> {
    /// The events that have not been given before, in order and without a hole.
    pub events: &'a [Envelope],
    /// How many indices the server has passed over: an answer without events gave a
    /// `next_offset` beyond the offset. Their events were never seen.
    pub skipped: u64,
    /// What is wrong with the answer. What follows the fault is not used, and the next poll
    /// asks for it again.
    pub fault: Option<BatchFault>,
}

/// What is wrong with a batch.
///
/// Since 0.1.0. Source: page on events §2; task API §2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchFault {
    /// Events are missing inside the batch.
    #[error("after idx {} comes {found}", .expected.saturating_sub(1))]
    Hole {
        /// The index that should come.
        expected: u64,
        /// The index that comes.
        found: u64,
    },
    /// An index does not increase.
    #[error("idx {found} comes where {expected} should")]
    Order {
        /// The index that should come.
        expected: u64,
        /// The index that comes.
        found: u64,
    },
    /// An index is negative or beyond 64 bits.
    #[error("an idx where {expected} should come is out of range")]
    Range {
        /// The index that should come.
        expected: u64,
    },
    /// `next_offset` is not the last index + 1. The events are right, and are used.
    #[error("next_offset is {found} after idx {}", .expected.saturating_sub(1))]
    NextOffset {
        /// The last index + 1, with which the cursor goes on.
        expected: u64,
        /// What the answer says.
        found: u64,
    },
}

/// Follows one task: says which offset to ask for, and gives every event once.
///
/// No input or output, no clock: the client sends the requests, one at a time, and waits as
/// it likes between them.
///
/// - Events are told by their index alone. What comes again is dropped, whether the server
///   repeats it or a late answer brings it; of a late answer the new part is used.
/// - A task is over ([`Polled::Done`]) when a terminal status has come, and a request that was
///   made after that brings the status again and no event. One more poll is needed because the
///   server takes the events before it reads the status. `pending` and `cancel_requested` are
///   not the end.
/// - An offset beyond the end gets empty answers for ever, and no error. So an offset that is
///   no event's index + 1 (it came from `resume_at`, or from the `next_offset` of an empty
///   answer) is not trusted until an event or the window's start confirms it. Until then
///   [`Polled::Stalled`] comes in three cases: after [`STALLED_AFTER`] empty answers in a row,
///   and again with each further one; in place of `Done`; and as soon as a server gives a next
///   index below the offset. Then the client reads the history snapshot. If that names the same
///   offset again, `resume_at` with it confirms the offset.
///
/// A cursor is stored by serde, so that a client goes on after a restart:
/// `{"version":1,"task_id":"t1","from":2,"end":2,"status":"running","terminal":false,"empty":0,
/// "stalled":false,"done":false,"gone":false}`. `from` is the next index, `end` the least next
/// index that the server is known to have reached, `terminal` that a terminal status has come,
/// `empty` how many answers in a row were without events at an offset that is not confirmed;
/// `stalled`, `done` and `gone` that the last answer was [`Polled::Stalled`], [`Polled::Done`] or
/// [`Polled::Gone`] and none has said otherwise. Another version is refused, further members are passed over.
///
/// ```
/// use agent_contracts::polling::{Cursor, PollResponse, Polled};
///
/// let answer = |status: &str, events: &str, next: u64| {
///     PollResponse::from_json(&format!(
///         r#"{{"success":true,"data":{{"task_id":"t1","workspace_id":null,"status":"{status}","created_at":1.5,
///         "updated_at":1.5,"error":null,"events":[{events}],"next_offset":{next}}}}}"#
///     ))
/// };
/// let event = r#"{"idx":0,"type":"ai_message_start","data":{},"ts":1.5}"#;
///
/// let mut cursor = Cursor::new("t1");
/// let first = answer("succeeded", event, 1)?;
/// let Polled::Events(batch) = cursor.take(0, &first)? else { panic!() };
/// assert_eq!(batch.events.len(), 1);
/// let again = cursor.take(0, &first)?;
/// assert!(matches!(again, Polled::Events(batch) if batch.events.is_empty()));
/// let last = answer("succeeded", "", 1)?;
/// assert!(matches!(cursor.take(cursor.next_offset(), &last)?, Polled::Done { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Since 0.1.0. Source: page on events §2; task API §2, §4 and §7, poll loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Cursor {
    task_id: Option<TaskId>,
    from: u64,
    /// The server is known to have reached this index.
    end: u64,
    status: Option<TaskStatus>,
    /// A terminal status has come; a request counts as made after it from this number on.
    terminal: Option<u64>,
    /// How many answers have been taken.
    taken: u64,
    /// How many in a row were empty at an offset that is not confirmed.
    empty: u32,
    stalled: bool,
    done: bool,
    gone: bool,
}

impl Cursor {
    /// Follows `task_id` from its first event. `Cursor::default()` follows the task of the
    /// first answer that it is given.
    pub fn new(task_id: impl Into<TaskId>) -> Self {
        Self { task_id: Some(task_id.into()), ..Self::default() }
    }

    /// The index of the next event: the `from` of the next poll.
    pub const fn next_offset(&self) -> u64 {
        self.from
    }

    /// The task that is followed, once it is known.
    pub const fn task_id(&self) -> Option<&TaskId> {
        self.task_id.as_ref()
    }

    /// The status that came last. A terminal one stays.
    pub const fn status(&self) -> Option<&TaskStatus> {
        self.status.as_ref()
    }

    /// Whether there is nothing more to ask for: the task is done or gone.
    pub const fn is_done(&self) -> bool {
        self.done || self.gone
    }

    /// The next poll.
    pub fn request(&self) -> Request {
        Request { task_id: self.task_id.clone(), from: self.from, after: self.taken }
    }

    /// Takes the answer to a poll that asked for `asked_from`.
    ///
    /// The poll must have been sent after the answer before was taken. Where answers may come
    /// twice or overtake each other, [`answer`](Self::answer) is needed to know the end.
    ///
    /// # Errors
    /// [`CursorError::Refused`] when the answer is an error body.
    pub fn take<'a>(&mut self, asked_from: u64, response: &'a PollResponse) -> Result<Polled<'a>, CursorError> {
        self.answer(&Request { from: asked_from, ..self.request() }, response)
    }

    /// Takes the answer to `request`, which may come late, twice or never.
    ///
    /// # Errors
    /// [`CursorError::Refused`] when the answer is an error body. Its HTTP status says more, see
    /// [`failed`](Self::failed).
    pub fn answer<'a>(&mut self, request: &Request, response: &'a PollResponse) -> Result<Polled<'a>, CursorError> {
        let answer = Answer::of(response);
        if self.is_other(request.task_id.as_ref()) || self.is_other(answer.task_id) {
            return Ok(Polled::OtherTask);
        }
        if matches!(response, PollResponse::Error(_)) {
            return Err(CursorError::Refused);
        }
        if request.from > self.from {
            return Ok(Polled::Outdated);
        }
        self.gone = false;
        self.end = self.end.max(answer.reached());
        if let Some(window_start) = answer.begins_after(self.from) {
            self.done = false;
            return Ok(Polled::Gap { from: self.from, window_start });
        }

        let (events, fault) = answer.new_since(self.from);
        let is_present = request.from == self.from;
        let knew_the_end = self.terminal.is_some_and(|terminal| request.after >= terminal);
        self.taken += 1;
        if self.task_id.is_none() {
            self.task_id = answer.task_id.cloned();
        }
        self.see(answer.status, is_present);
        // An echo of an older offset says nothing of the present one.
        let next = answer.next_offset.filter(|_| is_present && answer.events.is_empty());
        let skipped = next.map_or(0, |next| next.saturating_sub(self.from));
        let passed = events.len() as u64;
        if passed + skipped > 0 {
            self.from += passed + skipped;
            (self.empty, self.stalled, self.done) = (0, false, false);
            if passed > 0 {
                self.end = self.end.max(self.from);
            }
        } else if is_present && fault.is_none() {
            let is_last = knew_the_end && answer.is_terminal();
            if let Some(polled) = self.nothing_new(next, is_last) {
                return Ok(polled);
            }
        }
        Ok(Polled::Events(Batch { events, skipped, fault }))
    }

    /// Takes an HTTP status that is no success: 404 and 410 are the end, unless they are about
    /// another task.
    ///
    /// ```
    /// use agent_contracts::polling::{Cursor, CursorError, Polled};
    ///
    /// let late = Cursor::new("old").request();
    /// let mut cursor = Cursor::new("new");
    /// assert_eq!(cursor.failed(&late, 404), Ok(Polled::OtherTask));
    /// assert_eq!(cursor.failed(&cursor.request(), 503), Err(CursorError::Refused));
    /// assert_eq!(cursor.failed(&cursor.request(), 404), Ok(Polled::Gone));
    /// ```
    ///
    /// # Errors
    /// [`CursorError::Refused`] for every other status; the client may ask again.
    pub fn failed(&mut self, request: &Request, http_status: u16) -> Result<Polled<'static>, CursorError> {
        if self.is_other(request.task_id.as_ref()) {
            return Ok(Polled::OtherTask);
        }
        if !matches!(http_status, 404 | 410) {
            return Err(CursorError::Refused);
        }
        self.gone = true;
        Ok(Polled::Gone)
    }

    /// Goes on at `offset`, the `next_event_idx` of a history snapshot: what comes before it
    /// is in the snapshot. A new cursor can begin there as well.
    pub fn resume_at(&mut self, offset: u64) {
        if self.stalled && offset == self.from {
            self.end = self.end.max(offset);
        }
        self.from = offset;
        (self.terminal, self.empty) = (None, 0);
        (self.stalled, self.done, self.gone) = (false, false, false);
    }

    /// What an answer without a new event means, where that is more than waiting. `next` is the
    /// next index that it gives; with `is_last` it may be the end.
    fn nothing_new(&mut self, next: Option<u64>, is_last: bool) -> Option<Polled<'static>> {
        if self.from <= self.end {
            let status = self.status.clone().filter(|_| is_last)?;
            self.done = true;
            return Some(Polled::Done { status });
        }
        self.empty = self.empty.saturating_add(1);
        let end = next.filter(|next| *next < self.from);
        self.stalled = is_last || end.is_some() || self.empty >= STALLED_AFTER;
        self.stalled.then_some(Polled::Stalled { from: self.from, end })
    }

    /// Whether `task_id` names another task.
    fn is_other(&self, task_id: Option<&TaskId>) -> bool {
        task_id.zip(self.task_id.as_ref()).is_some_and(|(theirs, ours)| theirs != ours)
    }

    /// Takes in the status of an answer, which has been counted. A late answer may be older
    /// than what is known, but no task leaves a terminal status.
    fn see(&mut self, status: Option<&TaskStatus>, is_present: bool) {
        let Some(status) = status else { return };
        if status.is_terminal() {
            self.terminal = self.terminal.or(Some(self.taken));
        } else if self.status.as_ref().is_some_and(TaskStatus::is_terminal) || !is_present {
            return;
        }
        self.status = Some(status.clone());
    }
}

/// What a cursor reads of an answer.
struct Answer<'a> {
    task_id: Option<&'a TaskId>,
    status: Option<&'a TaskStatus>,
    events: &'a [Envelope],
    next_offset: Option<u64>,
    window_start: Option<u64>,
}

impl<'a> Answer<'a> {
    fn of(response: &'a PollResponse) -> Self {
        Self {
            task_id: response.task_id(),
            status: response.status(),
            events: response.events(),
            next_offset: response.next_offset().and_then(Integer::as_u64),
            window_start: response.window_start().and_then(Integer::as_u64),
        }
    }

    fn is_terminal(&self) -> bool {
        self.status.is_some_and(TaskStatus::is_terminal)
    }

    /// An index that the server has reached, by what the answer holds.
    fn reached(&self) -> u64 {
        let last = self.events.last().and_then(index).map_or(0, |idx| idx + 1);
        last.max(self.window_start.unwrap_or(0))
    }

    /// Where the window begins, if that is after `from`.
    fn begins_after(&self, from: u64) -> Option<u64> {
        let first = self.events.first().and_then(index);
        let is_after = |start: &u64| *start > from;
        self.window_start.filter(is_after).or(first.filter(is_after))
    }

    /// The events from `from` on, up to the first fault.
    fn new_since(&self, from: u64) -> (&'a [Envelope], Option<BatchFault>) {
        let is_old = |envelope: &&Envelope| index(envelope).is_some_and(|idx| idx < from);
        let old = self.events.iter().take_while(is_old).count();
        let rest = self.events.get(old..).unwrap_or_default();
        let mut expected = from;
        for (at, envelope) in rest.iter().enumerate() {
            let fault = match index(envelope) {
                Some(found) if found == expected => {
                    expected += 1;
                    continue;
                }
                Some(found) if found > expected => BatchFault::Hole { expected, found },
                Some(found) => BatchFault::Order { expected, found },
                None => BatchFault::Range { expected },
            };
            return (rest.get(..at).unwrap_or_default(), Some(fault));
        }
        let last = self.events.last().and_then(index).map(|idx| idx + 1);
        let wrong = last.zip(self.next_offset).filter(|(expected, found)| expected != found);
        (rest, wrong.map(|(expected, found)| BatchFault::NextOffset { expected, found }))
    }
}

/// The index of an event; the largest number has no successor, and is none.
fn index(envelope: &Envelope) -> Option<u64> {
    envelope.idx.as_u64().filter(|idx| *idx < u64::MAX)
}

/// A cursor as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    task_id: Option<TaskId>,
    from: u64,
    end: u64,
    status: Option<TaskStatus>,
    terminal: bool,
    empty: u32,
    stalled: bool,
    done: bool,
    gone: bool,
}

impl From<Cursor> for Stored {
    fn from(cursor: Cursor) -> Self {
        Self {
            version: VERSION,
            task_id: cursor.task_id,
            from: cursor.from,
            end: cursor.end,
            status: cursor.status,
            terminal: cursor.terminal.is_some(),
            empty: cursor.empty,
            stalled: cursor.stalled,
            done: cursor.done,
            gone: cursor.gone,
        }
    }
}

impl TryFrom<Stored> for Cursor {
    type Error = CursorError;

    fn try_from(stored: Stored) -> Result<Self, CursorError> {
        if stored.version != VERSION {
            return Err(CursorError::Version);
        }
        Ok(Self {
            task_id: stored.task_id,
            from: stored.from,
            end: stored.end,
            status: stored.status,
            // No request of the client before is still under way.
            terminal: stored.terminal.then_some(0),
            taken: 0,
            empty: stored.empty,
            stalled: stored.stalled,
            done: stored.done,
            gone: stored.gone,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer about `task`: the indices of its events, and what else it says.
    fn answer(task: &str, status: &str, indices: &[i64], next: i64, window_start: Option<i64>) -> PollResponse {
        let events: Vec<String> = indices
            .iter()
            .map(|idx| format!(r#"{{"idx":{idx},"type":"thinking_chunk","data":{{"content":"{idx}"}},"ts":1.5}}"#))
            .collect();
        let window = window_start.map(|start| format!(r#","window_start":{start}"#)).unwrap_or_default();
        let text = format!(
            r#"{{"success":true,"data":{{"task_id":"{task}","workspace_id":null,"status":"{status}","created_at":1.5,"updated_at":1.5,"error":null,"events":[{}],"next_offset":{next}{window}}}}}"#,
            events.join(","),
        );
        PollResponse::from_json(&text).unwrap()
    }

    fn running(indices: &[i64], next: i64) -> PollResponse {
        answer("A", "running", indices, next, None)
    }

    fn ended(status: &str, indices: &[i64], next: i64) -> PollResponse {
        answer("A", status, indices, next, None)
    }

    /// An answer in few words: the indices that it gives, and what else there is.
    fn said(polled: &Result<Polled<'_>, CursorError>) -> String {
        match polled {
            Ok(Polled::Events(batch)) => {
                let mut words: Vec<String> = batch.events.iter().map(|event| event.idx.to_string()).collect();
                words.extend((batch.skipped > 0).then(|| format!("skipped {}", batch.skipped)));
                words.extend(batch.fault.map(|fault| fault.to_string()));
                words.join(" ")
            }
            Ok(Polled::Gap { from, window_start }) => format!("gap {from} {window_start}"),
            Ok(Polled::Stalled { from, end }) => format!("stalled {from} {end:?}"),
            Ok(Polled::OtherTask) => "other task".to_owned(),
            Ok(Polled::Outdated) => "outdated".to_owned(),
            Ok(Polled::Done { status }) => format!("done {status}"),
            Ok(Polled::Gone) => "gone".to_owned(),
            Err(error) => format!("error: {error}"),
        }
    }

    /// A cursor that has been given the events below `from`.
    fn read_to(from: i64) -> Cursor {
        let mut cursor = Cursor::new("A");
        let indices: Vec<i64> = (0..from).collect();
        cursor.take(0, &running(&indices, from)).unwrap();
        assert_eq!(cursor.next_offset(), from as u64);
        cursor
    }

    #[test]
    fn one_answer() {
        for (name, from, asked, response, expected, after) in [
            ("the first events", 0, 0, running(&[0, 1, 2], 3), "0 1 2", 3),
            ("the next ones", 3, 3, running(&[3, 4], 5), "3 4", 5),
            ("none, the offset comes back", 3, 3, running(&[], 3), "", 3),
            ("pending is not the end", 3, 3, ended("pending", &[], 3), "", 3),
            ("cancel_requested is not the end", 3, 3, ended("cancel_requested", &[], 3), "", 3),
            ("a terminal status alone is not the end", 3, 3, ended("succeeded", &[], 3), "", 3),
            ("a terminal status beside events", 3, 3, ended("failed", &[3], 4), "3", 4),
            ("the same answer again", 3, 0, running(&[0, 1, 2], 3), "", 3),
            ("the same answer again, with the end", 3, 0, ended("succeeded", &[0, 1, 2], 3), "", 3),
            ("a late answer with a new part", 3, 1, running(&[1, 2, 3, 4], 5), "3 4", 5),
            ("a late answer without events", 3, 1, running(&[], 1), "", 3),
            ("a late answer whose window has moved, but not past us", 3, 0, running(&[2, 3], 4), "3", 4),
            ("a server that does not look at from", 3, 3, running(&[0, 1, 2, 3], 4), "3", 4),
            ("an empty answer with the real next index", 5, 5, running(&[], 6), "skipped 1", 6),
            ("next_offset too large", 3, 3, running(&[3, 4], 9), "3 4 next_offset is 9 after idx 4", 5),
            ("next_offset too small", 3, 3, running(&[3, 4], 3), "3 4 next_offset is 3 after idx 4", 5),
            ("next_offset negative", 3, 3, running(&[3], -1), "3", 4),
            ("next_offset below an offset that is right", 3, 3, running(&[], 1), "", 3),
            ("a hole", 3, 3, running(&[3, 4, 6, 7], 8), "3 4 after idx 4 comes 6", 5),
            ("a hole behind what is known", 3, 1, running(&[1, 2, 5], 6), "after idx 2 comes 5", 3),
            ("an index twice", 3, 3, running(&[3, 3, 4], 5), "3 idx 3 comes where 4 should", 4),
            ("an index that goes back", 3, 3, running(&[3, 4, 1], 5), "3 4 idx 1 comes where 5 should", 5),
            ("a negative index", 3, 3, running(&[3, -4], 5), "3 an idx where 4 should come is out of range", 4),
            ("the first index is after from", 3, 3, running(&[5, 6], 7), "gap 3 5", 3),
            ("and from 0", 0, 0, answer("A", "succeeded", &[100, 101], 102, Some(100)), "gap 0 100", 0),
            ("and from 5", 5, 5, answer("A", "succeeded", &[100, 101], 102, Some(100)), "gap 5 100", 5),
            ("a window without events", 5, 5, answer("A", "running", &[], 9, Some(9)), "gap 5 9", 5),
            ("a window that begins before", 3, 3, answer("A", "running", &[3], 4, Some(2)), "3", 4),
            ("a late gap that is none for us", 3, 0, answer("A", "running", &[2], 3, Some(2)), "", 3),
            ("an answer from ahead", 3, 7, running(&[7], 8), "outdated", 3),
            ("another task", 3, 3, answer("B", "succeeded", &[3], 4, None), "other task", 3),
        ] {
            let mut cursor = read_to(from);
            assert_eq!(said(&cursor.take(asked, &response)), expected, "{name}");
            assert_eq!(cursor.next_offset(), after, "{name}");
        }
    }

    #[test]
    fn a_gap_changes_nothing_and_the_snapshot_goes_on() {
        let mut cursor = read_to(5);
        let gap = answer("A", "succeeded", &[100, 101], 102, Some(100));
        for _ in 0..3 {
            assert_eq!(said(&cursor.take(5, &gap)), "gap 5 100");
            assert_eq!((cursor.next_offset(), cursor.status()), (5, Some(&TaskStatus::Running)));
        }
        cursor.resume_at(101);
        assert_eq!(said(&cursor.take(5, &ended("succeeded", &[5, 6], 7))), "", "an old answer brings nothing");
        assert_eq!(said(&cursor.take(101, &ended("succeeded", &[101], 102))), "101");
        assert_eq!(said(&cursor.take(102, &ended("succeeded", &[], 102))), "done succeeded");
    }

    #[test]
    fn the_end_is_a_terminal_status_and_one_more_poll_without_events() {
        for status in ["succeeded", "failed", "stopped", "canceled"] {
            let mut cursor = read_to(3);
            assert_eq!(said(&cursor.take(3, &ended(status, &[], 3))), "", "the status was read later");
            assert_eq!(said(&cursor.take(3, &ended(status, &[3], 4))), "3", "the last event");
            assert!(!cursor.is_done());
            assert_eq!(said(&cursor.take(4, &ended(status, &[], 4))), format!("done {status}"));
            assert!(cursor.is_done());
        }
    }

    #[test]
    fn an_answer_that_comes_twice_is_not_one_more_poll() {
        let mut cursor = read_to(3);
        let (first, second) = (cursor.request(), cursor.request());
        let empty = ended("succeeded", &[], 3);
        assert_eq!(said(&cursor.answer(&first, &empty)), "");
        assert_eq!(said(&cursor.answer(&first, &empty)), "");
        assert_eq!(said(&cursor.answer(&second, &empty)), "", "asked before the status was known");
        let third = cursor.request();
        assert_eq!(said(&cursor.answer(&third, &ended("succeeded", &[3], 4))), "3");
        assert_eq!(said(&cursor.answer(&cursor.request(), &ended("succeeded", &[], 4))), "done succeeded");
    }

    #[test]
    fn an_older_status_does_not_come_back() {
        let mut cursor = read_to(3);
        cursor.take(3, &ended("cancel_requested", &[3], 4)).unwrap();
        cursor.take(1, &running(&[1, 2, 3], 4)).unwrap();
        assert_eq!(cursor.status(), Some(&TaskStatus::CancelRequested));
        cursor.take(4, &ended("stopped", &[], 4)).unwrap();
        cursor.take(4, &running(&[], 4)).unwrap();
        assert_eq!(cursor.status(), Some(&TaskStatus::Stopped));
        assert!(!cursor.is_done(), "the server takes the end back");
    }

    #[test]
    fn an_offset_beyond_the_end_is_said() {
        let mut cursor = Cursor::new("A");
        cursor.resume_at(50);
        for _ in 1..STALLED_AFTER {
            assert_eq!(said(&cursor.take(50, &running(&[], 50))), "");
        }
        assert_eq!(said(&cursor.take(50, &running(&[], 50))), "stalled 50 None");
        assert_eq!(said(&cursor.take(50, &running(&[], 50))), "stalled 50 None");
        cursor.resume_at(7);
        assert_eq!(said(&cursor.take(7, &running(&[7], 8))), "7");
        for _ in 0..20 {
            assert_eq!(said(&cursor.take(8, &running(&[], 8))), "", "the offset is an event's index + 1");
        }

        let mut cursor = Cursor::new("A");
        cursor.resume_at(50);
        assert_eq!(said(&cursor.take(50, &running(&[], 7))), "stalled 50 Some(7)", "the server says so");
    }

    #[test]
    fn an_end_is_not_believed_at_an_offset_that_nobody_confirms() {
        let end = ended("succeeded", &[], 50);
        let mut cursor = Cursor::new("A");
        cursor.resume_at(50);
        assert_eq!(said(&cursor.take(50, &end)), "");
        assert_eq!(said(&cursor.take(50, &end)), "stalled 50 None");
        cursor.resume_at(50);
        assert_eq!(said(&cursor.take(50, &end)), "", "the snapshot says 50 again");
        assert_eq!(said(&cursor.take(50, &end)), "done succeeded");

        let confirmed = answer("A", "succeeded", &[], 50, Some(50));
        let mut cursor = Cursor::new("A");
        cursor.resume_at(50);
        assert_eq!(said(&cursor.take(50, &confirmed)), "");
        assert_eq!(said(&cursor.take(50, &confirmed)), "done succeeded", "the window begins there");
    }

    #[test]
    fn what_is_for_another_task_is_dropped() {
        let late = Cursor::new("B").request();
        let mut cursor = read_to(3);
        assert_eq!(said(&cursor.answer(&late, &running(&[3], 4))), "other task");
        assert_eq!(said(&cursor.failed(&late, 404)), "other task");
        assert_eq!(said(&cursor.failed(&cursor.request(), 500)), "error: the server has refused the request");
        assert!(!cursor.is_done());
        for status in [404, 410] {
            let mut cursor = read_to(3);
            assert_eq!(said(&cursor.failed(&cursor.request(), status)), "gone");
            assert!(cursor.is_done());
            assert_eq!(said(&cursor.take(3, &running(&[3], 4))), "3");
            assert!(!cursor.is_done(), "the server has it after all");
        }

        let mut any = Cursor::default();
        assert_eq!(said(&any.take(0, &running(&[0], 1))), "0");
        assert_eq!(any.task_id(), Some(&TaskId::from("A")));
        assert_eq!(said(&any.take(1, &answer("B", "running", &[1], 2, None))), "other task");
    }

    #[test]
    fn an_error_body_changes_nothing() {
        let mut cursor = read_to(3);
        let before = cursor.clone();
        let refusal = PollResponse::from_json(r#"{"success":false,"error":"no"}"#).unwrap();
        assert_eq!(cursor.take(3, &refusal), Err(CursorError::Refused));
        assert_eq!(cursor, before);
    }

    #[test]
    fn a_cursor_survives_a_restart() {
        let mut cursor = read_to(2);
        let text = r#"{"version":1,"task_id":"A","from":2,"end":2,"status":"running","terminal":false,"empty":0,"stalled":false,"done":false,"gone":false}"#;
        assert_eq!(serde_json::to_string(&cursor).unwrap(), text);
        cursor.take(2, &ended("stopped", &[2], 3)).unwrap();
        let mut restarted: Cursor = serde_json::from_str(&serde_json::to_string(&cursor).unwrap()).unwrap();
        assert_eq!(said(&restarted.take(3, &ended("stopped", &[], 3))), "done stopped");
        assert!(serde_json::from_str::<Cursor>(&text.replace(r#""version":1"#, r#""version":2"#)).is_err());
    }
}
