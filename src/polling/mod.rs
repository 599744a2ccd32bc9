//! The task API that is read by polling: `{idx, type, data, ts}`.
//!
//! A client asks for the events of a task from an offset on and gets a [`PollResponse`]; each
//! event is an [`Envelope`] with its index, its [`Event`] and its time. [`Cursor`] is the
//! client's loop without its I/O, [`Buffer`] the server's log of events, and
//! [`TaskView`](view::TaskView) what a user sees of a task.
//!
//! ```
//! use agent_contracts::polling::{Envelope, Event};
//!
//! let text = r#"{"idx":12,"type":"text_chunk","data":{"content":"你好","index":5,"elapsed":0.003},"ts":1769182968.154797}"#;
//! let envelope = Envelope::from_json(text)?;
//! let Event::TextChunk(chunk) = &envelope.event else { panic!() };
//! assert_eq!(chunk.content, "你好");
//! assert_eq!(envelope.to_json(), text);
//! # Ok::<(), agent_contracts::wire::Error>(())
//! ```
//!
//! Sources are named so:
//!
//! | name | what it is |
//! | --- | --- |
//! | page on events | the task API's page on the events that a poll returns, of January 2026 |
//! | task API | the server astrion (JOJO6618/astrion) as of 2026-10-07: §1 requests and §2 answers (`server/api_v1.py`), §3 statuses and §4 the buffer of events (`server/tasks`), §5 events and §6 their order (`server/chat_flow_*.py`), §7 the client's loop (`static/src/stores`) |
//! | reference reduction | what the server makes of the events of a task (`server/conversation_view/projector.py`), point by point: scope, order, messages, attempts, blocks, text and thinking, tools, approvals, questions, citations, end |

mod budget;
mod buffer;
mod convert;
mod cursor;
mod events;
mod facts;
#[cfg(feature = "published")]
mod http;
mod judge;
mod order;
mod overlay;
pub mod rules;
#[cfg(feature = "schema")]
mod schema;
mod spec;
mod texts;
mod unpack;
pub mod view;
mod waiting;

pub use buffer::{Buffer, DEFAULT_CAPACITY, DOCUMENTED_CAPACITY, epoch_seconds, offset_of};
pub use convert::{AgUiConverter, to_agui};
pub use cursor::{Batch, BatchFault, Cursor, CursorError, Polled, Request, STALLED_AFTER};
pub use events::*;

pub(crate) use spec::PROTOCOL;
