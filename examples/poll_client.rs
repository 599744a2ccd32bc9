//! Follows a task by polling: each event once, through lost connections and a buffer that
//! has dropped what was not read in time.
//!
//! `cargo run --example poll_client -- http://127.0.0.1:8091`, with the poll_server running
#![allow(clippy::print_stdout, reason = "the example shows what comes")]

use std::time::Duration;

use agent_contracts::polling::{CreatedResponse, Cursor, Envelope, Event, PollResponse, Polled, TaskStatus};
use serde_json::{Value, json};
use ureq::Agent;

/// What every request has to bring.
const AUTHORIZATION: &str = "Bearer example";

/// The wait between two polls. A client for people waits 250 ms to 2 s.
const INTERVAL: Duration = Duration::from_millis(25);

/// How many times a request is sent again.
const RETRIES: usize = 8;

/// Why a task cannot be followed.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What the client sees on its way.
pub enum Seen<'a> {
    /// A new event.
    Event(&'a Envelope),
    /// An answer was lost, and is asked for again.
    Lost,
    /// Events were lost; the snapshot stands for all before this index.
    Resumed(u64),
}

/// Sends a message and follows the task to its end: how it ended, and the text.
///
/// # Errors
/// When the server cannot be reached or refuses.
pub fn run(url: &str, message: &str, seen: impl FnMut(Seen<'_>)) -> Result<(TaskStatus, String), Failure> {
    let mut response = agent()
        .post(format!("{url}/api/v1/workspaces/ws_1/messages"))
        .header("Authorization", AUTHORIZATION)
        .send(json!({"message": message}).to_string())?;
    let created = CreatedResponse::from_json(&response.body_mut().read_to_string()?)?;
    follow(url, created.task_id.as_str(), seen)
}

/// Follows a task to its end: how it ended, and the text.
///
/// # Errors
/// When the server cannot be reached, or has no such task.
pub fn follow(url: &str, task_id: &str, mut seen: impl FnMut(Seen<'_>)) -> Result<(TaskStatus, String), Failure> {
    let (agent, task) = (agent(), format!("{url}/api/v1/tasks/{task_id}"));
    let mut cursor = Cursor::new(task_id);
    let mut text = String::new();
    loop {
        let request = cursor.request();
        let (status, body) = get(&agent, &format!("{task}?from={}", request.offset()), &mut seen)?;
        let response;
        let step = if status == 200 {
            response = PollResponse::from_json(&body)?;
            cursor.answer(&request, &response)?
        } else {
            cursor.failed(&request, status)?
        };
        match step {
            Polled::Events(batch) => {
                for envelope in batch.events {
                    if let Event::TextChunk(chunk) = &envelope.event {
                        text += &chunk.content;
                    }
                    seen(Seen::Event(envelope));
                }
            }
            Polled::Gap { .. } | Polled::Stalled { .. } => {
                let (_, body) = get(&agent, &format!("{task}/snapshot"), &mut seen)?;
                let snapshot: Value = serde_json::from_str(&body)?;
                let display = &snapshot["data"]["display"];
                let offset = display["next_event_idx"].as_u64().ok_or("no snapshot")?;
                display["text"].as_str().unwrap_or_default().clone_into(&mut text);
                cursor.resume_at(offset);
                seen(Seen::Resumed(offset));
                continue;
            }
            Polled::Done { status } => return Ok((status, text)),
            Polled::Gone => return Err("the server has no such task".into()),
            _ => {}
        }
        std::thread::sleep(INTERVAL);
    }
}

/// The HTTP status and body of a request that may be sent again, since it changes nothing.
fn get(agent: &Agent, url: &str, mut seen: impl FnMut(Seen<'_>)) -> Result<(u16, String), ureq::Error> {
    let mut lost = 0;
    loop {
        match get_once(agent, url) {
            Err(_) if lost < RETRIES => lost += 1,
            answer => return answer,
        }
        seen(Seen::Lost);
        std::thread::sleep(INTERVAL);
    }
}

fn get_once(agent: &Agent, url: &str) -> Result<(u16, String), ureq::Error> {
    let mut response = agent.get(url).header("Authorization", AUTHORIZATION).call()?;
    // An answer that ends before its length is an error here.
    let body = response.body_mut().read_to_string()?;
    Ok((response.status().as_u16(), body))
}

fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(12)))
        // The server is on this machine.
        .proxy(None)
        .build()
        .into()
}

fn main() -> Result<(), Failure> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8091".to_owned());
    let (status, text) = run(&url, "each word comes once and none is lost", |seen| match seen {
        Seen::Event(envelope) => println!("{:>3} {}", envelope.idx, envelope.event.tag()),
        Seen::Lost => println!("an answer was lost"),
        Seen::Resumed(offset) => println!("resumed at {offset}"),
    })?;
    println!("{status}: {text}");
    Ok(())
}
