//! A task API whose events are fetched by polling, with a bounded buffer for each task. It
//! lets everybody in; a real one asks for a token.
//!
//! `cargo run --example poll_server`, and beside it `cargo run --example poll_client`
#![allow(clippy::print_stdout, reason = "the example says where it listens")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agent_contracts::polling::{
    AiMessageStart, Buffer, CreatedResponse, Envelope, Event, TaskComplete, TaskData, TaskStatus, TextChunk, TextEnd,
    TextStart, WorkspaceId, epoch_seconds, offset_of,
};
use agent_contracts::wire::{Json, Nullable, Number};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::routing::{get, post};
use serde_json::{Value, json};

/// A status and a JSON body.
type Answer = (StatusCode, [(HeaderName, &'static str); 1], String);

/// The tasks by their ids.
pub type Tasks = Arc<Mutex<HashMap<String, Arc<Task>>>>;

/// One task.
pub struct Task(Mutex<Inner>);

/// What a poll answers, the events, and the text so far.
struct Inner {
    data: TaskData,
    buffer: Buffer,
    text: String,
}

impl Task {
    /// A task that runs, and keeps `capacity` events.
    pub fn new(id: &str, capacity: usize) -> Self {
        let (ts, no_error, no_events) = (now(), Nullable::<String>::Null, Vec::<Envelope>::new());
        let (workspace, status) = (WorkspaceId::from("ws_1"), TaskStatus::Running);
        let data = TaskData::new(id, workspace, status, ts.clone(), ts, no_error, no_events, 0_u32);
        let buffer = Buffer::new(capacity).with_scope(id, "conv_1", "ws_1");
        let mut inner = Inner { data, buffer, text: String::new() };
        inner.push(AiMessageStart::new());
        inner.push(TextStart::new());
        Self(Mutex::new(inner))
    }

    /// Adds a piece of the text. Event and text change together, as the snapshot has both.
    pub fn say(&self, piece: &str) {
        let mut task = self.lock();
        task.text += piece;
        let index = task.buffer.next_offset().saturating_sub(1);
        task.push(TextChunk::new(piece, index, Number::from(0_u32)));
    }

    /// Ends the task.
    pub fn finish(&self) {
        let task = &mut *self.lock();
        task.push(TextEnd::new(task.text.clone()));
        task.push(TaskComplete::new(1_u32, 0_u32, 0_u32, false, false, false, Vec::<Json>::new()));
        task.data.status = TaskStatus::Succeeded;
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn push(&mut self, event: impl Into<Event>) {
        self.data.updated_at = now();
        self.buffer.push(event, self.data.updated_at.clone());
    }
}

fn now() -> Number {
    epoch_seconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// Serves `tasks` until the listener fails.
///
/// # Errors
/// When the listener fails.
pub async fn serve(listener: tokio::net::TcpListener, tasks: Tasks) -> std::io::Result<()> {
    let routes = Router::new()
        .route("/api/v1/workspaces/{workspace}/messages", post(create))
        .route("/api/v1/tasks/{id}", get(poll))
        .route("/api/v1/tasks/{id}/snapshot", get(snapshot))
        .with_state(tasks);
    axum::serve(listener, routes).await
}

/// Makes a task that says the message again, word by word.
async fn create(State(tasks): State<Tasks>, Path(workspace): Path<String>, body: String) -> Answer {
    let message = serde_json::from_str(&body).ok().and_then(|body: Value| body["message"].as_str().map(str::to_owned));
    let Some(message) = message.filter(|text| !text.is_empty()) else {
        return refuse(StatusCode::BAD_REQUEST, "empty");
    };
    let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
    let id = format!("task_{}", tasks.len() + 1);
    let task = Arc::new(Task::new(&id, 1000));
    tasks.insert(id.clone(), Arc::clone(&task));
    tokio::spawn(async move {
        for word in message.split_inclusive(' ') {
            task.say(word);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        task.finish();
    });
    let created = CreatedResponse::new(true, &id, "conv_1", &workspace, TaskStatus::Running, now());
    answer(StatusCode::ACCEPTED, serde_json::to_string(&created).unwrap_or_default())
}

async fn poll(State(tasks): State<Tasks>, Path(id): Path<String>, Query(q): Query<HashMap<String, String>>) -> Answer {
    let from = offset_of(q.get("from").map(String::as_str));
    about(&tasks, &id, |task| serde_json::to_string(&task.buffer.respond(from, task.data.clone())).unwrap_or_default())
}

/// The text so far, and the index of the event that goes on from it.
async fn snapshot(State(tasks): State<Tasks>, Path(id): Path<String>) -> Answer {
    about(&tasks, &id, |task| {
        json!({"data": {"display": {"text": task.text, "next_event_idx": task.buffer.next_offset()}}}).to_string()
    })
}

fn about(tasks: &Tasks, id: &str, body: impl FnOnce(&Inner) -> String) -> Answer {
    let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
    let Some(task) = task else { return refuse(StatusCode::NOT_FOUND, "no such task") };
    answer(StatusCode::OK, body(&task.lock()))
}

fn answer(status: StatusCode, body: String) -> Answer {
    (status, [(header::CONTENT_TYPE, "application/json")], body)
}

fn refuse(status: StatusCode, error: &str) -> Answer {
    answer(status, json!({"success": false, "error": error}).to_string())
}

fn main() -> std::io::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:8091").await?;
        println!("http://{}", listener.local_addr()?);
        serve(listener, Tasks::default()).await
    })
}
