//! Lime's runtime facts: `AgentRuntimeExecutionEvent`, contract `lime-runtime-event/v0.1`.
//!
//! One flat object per event. [`Event::event_class`] says what happened; it is optional
//! and open. [`Event::kind`] is the coarse class. `sequence` orders the events; which
//! scope ids an event needs follows from its class.
//!
//! ```
//! use agent_contracts::lime::{Event, EventClass, Head};
//!
//! let head = Head::new("evt_7", "app-server", 7, "2026-06-10T00:00:00.000Z");
//! let event = Event::tool_started(head, "call_1", "Search started").with_thread_id("thread_1");
//! assert_eq!(event.event_class, Some(EventClass::ToolStarted));
//!
//! let text = serde_json::to_string(&event)?;
//! assert_eq!(Event::from_json(&text)?, event);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: the packages `agent-ui-contracts` of Lime up to release 1.110.0.

mod documents;
mod events;
mod facts;
mod judge;
mod needs;
mod order;
pub mod rules;
#[cfg(feature = "schema")]
mod schema;
mod spec;
mod texts;

pub use events::*;

pub(crate) use spec::PROTOCOL;
