//! polling: a server's buffer and a client's cursor lose nothing and give nothing twice, in
//! whatever order requests and answers go, come, come again or are lost.

use crate::common::cases;
use agent_contracts::polling::{
    Batch, Buffer, Cursor, Event, PollResponse, Polled, Request, TaskData, TaskResponse, TaskStatus, ThinkingChunk,
};
use proptest::prelude::*;

/// What happens next. Numbers choose among the requests or answers that are under way.
#[derive(Clone, Debug)]
enum Act {
    /// The task brings events.
    Push(u8),
    /// The task ends, with these last events.
    End(u8),
    /// The client asks.
    Ask,
    /// The server answers; the answer is under way.
    Serve(usize),
    /// The server takes the events; before it reads the status, the task ends with more.
    ServeAtTheEnd(usize, u8),
    /// An answer arrives.
    Arrive(usize),
    /// An answer arrives and will arrive again.
    ArriveAgain(usize),
    /// A request or an answer is lost.
    Lose(usize),
    /// The client stops and is started again from its stored cursor.
    Restart,
}

fn acts() -> impl Strategy<Value = Act> {
    let which = any::<usize>;
    prop_oneof![
        4 => (1..6_u8).prop_map(Act::Push),
        1 => (0..4_u8).prop_map(Act::End),
        6 => Just(Act::Ask),
        6 => which().prop_map(Act::Serve),
        1 => (which(), 1..4_u8).prop_map(|(which, last)| Act::ServeAtTheEnd(which, last)),
        6 => which().prop_map(Act::Arrive),
        3 => which().prop_map(Act::ArriveAgain),
        2 => which().prop_map(Act::Lose),
        1 => Just(Act::Restart),
    ]
}

/// How the server is set up, and where a client goes on after a gap.
#[derive(Clone, Debug)]
struct Setup {
    capacity: usize,
    max_bytes: Option<usize>,
    tells_window: bool,
    /// At the snapshot's end, else at the oldest event that is kept.
    resumes_at_the_end: bool,
}

fn setups() -> impl Strategy<Value = Setup> {
    (1..9_usize, proptest::option::of(0..400_usize), any::<bool>(), any::<bool>()).prop_map(
        |(capacity, max_bytes, tells_window, resumes_at_the_end)| Setup {
            capacity,
            max_bytes,
            tells_window,
            resumes_at_the_end,
        },
    )
}

/// A server, a client, and what is under way between them.
struct World {
    setup: Setup,
    buffer: Buffer,
    status: TaskStatus,
    cursor: Cursor,
    requests: Vec<Request>,
    answers: Vec<(Request, PollResponse)>,
    /// The client has, or a snapshot has shown it, every event below.
    known: u64,
    gaps: usize,
    is_done: bool,
}

impl World {
    fn new(setup: Setup) -> Self {
        let mut buffer = Buffer::new(setup.capacity).with_scope("t", "c", "w");
        if let Some(max_bytes) = setup.max_bytes {
            buffer = buffer.with_max_bytes(max_bytes);
        }
        if setup.tells_window {
            buffer = buffer.with_window_start();
        }
        Self {
            setup,
            buffer,
            status: TaskStatus::Running,
            cursor: Cursor::new("t"),
            requests: Vec::new(),
            answers: Vec::new(),
            known: 0,
            gaps: 0,
            is_done: false,
        }
    }

    fn push(&mut self, count: u8) {
        for _ in 0..count {
            let content = self.buffer.next_offset().to_string();
            self.buffer.push(ThinkingChunk::new(content), 1_u32);
        }
    }

    fn end(&mut self, count: u8) {
        if !self.status.is_terminal() {
            self.push(count);
            self.status = TaskStatus::Succeeded;
        }
    }

    /// The answer to a request as it is now.
    fn respond(&self, request: &Request) -> TaskResponse {
        let text = format!(
            r#"{{"task_id":"t","workspace_id":"w","status":"{}","created_at":1,"updated_at":1,"error":null,"events":[],"next_offset":0}}"#,
            self.status,
        );
        self.buffer.respond(request.offset(), TaskData::from_json(&text).unwrap())
    }

    fn send(&mut self, request: Request, response: &TaskResponse) {
        let response = PollResponse::from_json(&serde_json::to_string(response).unwrap()).unwrap();
        self.answers.push((request, response));
    }

    fn act(&mut self, act: &Act) -> Result<(), TestCaseError> {
        match *act {
            Act::Push(count) if !self.status.is_terminal() => self.push(count),
            Act::Push(_) => {}
            Act::End(count) => self.end(count),
            Act::Ask => self.requests.push(self.cursor.request()),
            Act::Serve(which) => {
                if let Some(request) = taken(&mut self.requests, which) {
                    let response = self.respond(&request);
                    self.send(request, &response);
                }
            }
            Act::ServeAtTheEnd(which, last) => {
                if let Some(request) = taken(&mut self.requests, which) {
                    let mut response = self.respond(&request);
                    self.end(last);
                    response.data.status = self.status.clone();
                    self.send(request, &response);
                }
            }
            Act::Arrive(which) => {
                if let Some((request, response)) = taken(&mut self.answers, which) {
                    self.arrive(&request, &response)?;
                }
            }
            Act::ArriveAgain(which) => {
                if let Some((request, response)) = taken(&mut self.answers, which) {
                    self.arrive(&request, &response)?;
                    self.answers.push((request, response));
                }
            }
            Act::Lose(which) => {
                if which % 2 == 0 {
                    taken(&mut self.requests, which);
                } else {
                    taken(&mut self.answers, which);
                }
            }
            Act::Restart => {
                self.cursor = serde_json::from_str(&serde_json::to_string(&self.cursor).unwrap()).unwrap();
                self.requests.clear();
                self.answers.clear();
            }
        }
        prop_assert_eq!(self.cursor.next_offset(), self.known);
        Ok(())
    }

    /// The client takes an answer.
    fn arrive(&mut self, request: &Request, response: &PollResponse) -> Result<(), TestCaseError> {
        match self.cursor.answer(request, response) {
            Ok(Polled::Events(Batch { events, skipped: 0, fault: None, .. })) => {
                for envelope in events {
                    prop_assert_eq!(envelope.idx.as_u64(), Some(self.known), "in order, once, without a hole");
                    let Event::ThinkingChunk(chunk) = &envelope.event else { unreachable!() };
                    prop_assert_eq!(&chunk.content, &self.known.to_string());
                    prop_assert!(!self.is_done, "an event after the end");
                    self.known += 1;
                }
            }
            Ok(Polled::Gap { from, window_start }) => {
                prop_assert_eq!(from, self.known);
                prop_assert!(from < window_start && window_start <= self.buffer.window_start(), "a gap that is none");
                self.gaps += 1;
                let oldest = self.buffer.window_start();
                self.resume(if self.setup.resumes_at_the_end { self.buffer.next_offset() } else { oldest });
            }
            Ok(Polled::Stalled { from, .. }) => {
                prop_assert!(self.gaps > 0, "an offset of an event is beyond the end");
                prop_assert_eq!(from, self.known);
                self.resume(self.buffer.next_offset());
            }
            Ok(Polled::Done { status }) => {
                prop_assert_eq!(&status, &self.status);
                prop_assert!(status.is_terminal());
                prop_assert_eq!(self.known, self.buffer.next_offset(), "the end before the last event");
                self.is_done = true;
            }
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        }
        Ok(())
    }

    /// The client shows a snapshot of now, and goes on behind it.
    fn resume(&mut self, offset: u64) {
        self.cursor.resume_at(offset);
        self.known = offset;
    }
}

/// Takes one of them out, if there are any.
fn taken<T>(of: &mut Vec<T>, which: usize) -> Option<T> {
    let at = which.checked_rem(of.len())?;
    Some(of.swap_remove(at))
}

proptest! {
    #![proptest_config(cases(2048))]

    #[test]
    fn nothing_is_lost_and_nothing_comes_twice(setup in setups(), acts in prop::collection::vec(acts(), 0..80)) {
        let mut world = World::new(setup);
        for act in &acts {
            world.act(act)?;
        }
        // Now the line is good: the client reads to the end.
        world.end(1);
        let calm = [Act::Ask, Act::Serve(usize::MAX), Act::Arrive(usize::MAX)];
        world.requests.clear();
        let late = std::mem::take(&mut world.answers);
        for _ in 0..12 {
            for act in &calm {
                world.act(act)?;
            }
        }
        prop_assert!(world.is_done && world.cursor.is_done());
        for (request, response) in &late {
            world.arrive(request, response)?;
            prop_assert_eq!(world.cursor.next_offset(), world.buffer.next_offset());
        }
    }

    #[test]
    fn after_an_overrun_exactly_the_kept_events_come(
        capacity in 1..50_usize,
        read in 0..50_u8,
        overrun in 0..50_u8,
        tells_window in any::<bool>(),
    ) {
        let setup = Setup { capacity, max_bytes: None, tells_window, resumes_at_the_end: false };
        let mut world = World::new(setup);
        let poll = [Act::Ask, Act::Serve(0), Act::Arrive(0)];
        for _ in 0..read {
            world.push(1);
            for act in &poll {
                world.act(act)?;
            }
        }
        prop_assert_eq!((world.known, world.gaps), (u64::from(read), 0));
        world.push(overrun);
        let kept: Vec<_> = world.buffer.events_since(world.known).cloned().collect();
        let is_overrun = usize::from(overrun) > capacity;
        for act in &poll {
            world.act(act)?;
        }
        prop_assert_eq!(world.gaps, usize::from(is_overrun));
        prop_assert_eq!(kept.len(), usize::from(overrun).min(capacity));
        if is_overrun {
            prop_assert_eq!(world.cursor.next_offset(), world.buffer.window_start());
            let request = world.cursor.request();
            let text = serde_json::to_string(&world.respond(&request)).unwrap();
            let response = PollResponse::from_json(&text).unwrap();
            let step = world.cursor.answer(&request, &response);
            prop_assert!(matches!(step, Ok(Polled::Events(batch)) if batch.events == kept));
        }
    }
}
