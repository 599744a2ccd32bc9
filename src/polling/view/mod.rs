//! What the events of a task amount to: messages, tools, approvals, the goal, the end.
//!
//! A [`Cursor`](super::Cursor) gives the events of poll responses, a [`TaskView`] takes them.
//!
//! ```
//! use agent_contracts::polling::view::TaskView;
//! use agent_contracts::polling::{Cursor, PollResponse, Polled};
//!
//! let response = PollResponse::from_json(
//!     r#"{"success":true,"data":{"task_id":"t1","workspace_id":"w1","status":"running","created_at":1.0,
//!     "updated_at":2.0,"error":null,"next_offset":2,"events":[
//!     {"idx":0,"type":"ai_message_start","data":{"task_id":"t1"},"ts":1.5},
//!     {"idx":1,"type":"text_chunk","data":{"content":"Hello","index":1,"elapsed":0.0},"ts":2.0}]}}"#,
//! )?;
//! let mut cursor = Cursor::new("t1");
//! let mut view = TaskView::new(Some("t1".into()), None);
//! if let Polled::Events(batch) = cursor.take(cursor.next_offset(), &response)? {
//!     assert_eq!(view.push_all(batch.events), 2);
//! }
//! assert_eq!(view.messages()[0].answer(), "Hello");
//! assert!(view.is_streaming());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod approvals;
pub(super) mod blocks;
mod content;
mod end;
mod fields;
mod goal;
pub(super) mod html;
mod limits;
mod links;
mod messages;
mod picture;
mod reviews;
mod task;
mod timeline;
mod tools;

pub use approvals::Pending;
pub use blocks::{Block, BlockKind};
pub use end::{EndKind, TaskEnd};
pub use fields::Fields;
pub use goal::Goal;
pub use limits::ViewLimits;
pub use messages::{Action, Message, Role};
pub use reviews::{Review, ReviewKind};
pub use task::TaskView;
pub use tools::Tool;
