//! AG-UI 1.0: the events of an agent run, from a server to a user interface.
//!
//! One flat object per event, told apart by `type`. Over SSE each event is one `data:`
//! frame. Order is arrival order.
//!
//! ```
//! use agent_contracts::agui::{Event, EventType, TextMessageContent};
//!
//! let event = Event::from_json(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hel"}"#)?;
//! assert_eq!(event.known_type(), Some(EventType::TextMessageContent));
//! assert_eq!(event, TextMessageContent::new("m1", "Hel").into());
//! assert_eq!(event.to_sse(), "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"Hel\"}\n\n");
//!
//! // A newer producer's events survive.
//! let newer = Event::from_json(r#"{"type":"SOMETHING_NEW","level":3}"#)?;
//! assert_eq!(newer.known_type(), None);
//! assert_eq!(newer.to_json(), r#"{"type":"SOMETHING_NEW","level":3}"#);
//! # Ok::<(), agent_contracts::wire::Error>(())
//! ```
//!
//! An optional member without a value is absent, never `null`. Defaults (role
//! `assistant`, `replace` true) are the consumer's business and are not filled in.
//!
//! Source: the AG-UI 1.0 specification and packages.

mod arguments;
#[cfg(feature = "net")]
mod ask;
mod calls;
pub(crate) mod carry;
pub(crate) mod events;
mod expand;
mod facts;
#[cfg(feature = "published")]
mod http;
mod judge;
mod lanes;
mod legacy;
mod order;
mod overlay;
mod patched;
mod retired;
pub mod rules;
#[cfg(feature = "schema")]
mod schema;
mod scope;
mod spec;

pub use events::*;
pub use expand::{ChunkError, ChunkExpander};
pub use legacy::{Deprecation, LegacyDecoder};

pub(crate) use spec::PROTOCOL;
