//! Wire contracts of agent event streams: typed events, JSON Schemas generated from the
//! same tables, and a checker for streams.
//!
//! | protocol | module | what |
//! | --- | --- | --- |
//! | `social-app` | [`social_app`] | the AG-UI dialect of the social-app agent backend, v0 and v1, 12 event types |
//! | `agui` | [`agui`] | AG-UI 1.0, 31 event types |
//! | `ubik` | [`ubik`] | Ubik agent sessions and tool executions, 17 and 5 event types, and fragments of them |
//! | `polling` | [`polling`] | the polling task API, 49 event types in an envelope |
//! | `lime` | [`lime`] | Lime `AgentRuntimeExecutionEvent`, contract `lime-runtime-event/v0.1` |
//!
//! # Decode and build events
//!
//! Nothing is lost: unknown types and members are kept, numbers keep their digits.
//!
//! ```
//! use agent_contracts::agui::{Event, TextMessageContent};
//!
//! let event = Event::from_json(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi","new":1e30}"#)?;
//! let Event::TextMessageContent(content) = &event else { panic!("{}", event.tag()) };
//! assert_eq!(content.delta, "Hi");
//! assert_eq!(content.extra.get("new").map(|value| value.as_str()), Some("1e30"));
//!
//! let built = Event::from(TextMessageContent::new("m1", " there"));
//! assert_eq!(built.to_json(), r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":" there"}"#);
//! # Ok::<(), agent_contracts::wire::Error>(())
//! ```
//!
//! # Check a stream
//!
//! A [`Checker`](check::Checker) takes events as they come and gives findings, in bounded
//! memory. No finding holds a value of a payload, apart from short ids and published words.
//!
//! ```
//! use agent_contracts::check::{Checker, Input};
//! use agent_contracts::Protocol;
//!
//! let mut checker = Checker::new(Protocol::AGUI);
//! for event in [
//!     r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#,
//!     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi"}"#,
//! ] {
//!     for finding in checker.push(Input::event(event)) {
//!         assert_eq!(finding.to_string(), "error[agui/text-content-without-start]: no text message m1 is open");
//!     }
//! }
//! assert_eq!(checker.finish()[0].rule.id(), "agui/truncated-stream");
//! ```
//!
//! Where a protocol has versions, or connections that are for one run, the
//! [`CheckerBuilder`](check::CheckerBuilder) takes them.
//!
//! # Convert and follow
//!
//! [`agui::ChunkExpander`] turns chunk events into start, content and end events, and [`agui::LegacyDecoder`] reads what
//! producers older than AG-UI 1.0 send. [`social_app::AgUiConverter`], [`ubik::AgUiConverter`]
//! and [`polling::AgUiConverter`] make AG-UI of these three protocols.
//!
//! [`ubik::ChunkAssembler`] puts events together from fragments, [`ubik::markup`] parses the
//! tags of message text, and [`ubik::Transcript`] rebuilds the message of a session.
//! [`polling::Cursor`] follows a task as a client, [`polling::Buffer`] keeps its events as a
//! server, and [`polling::view::TaskView`] is what they amount to.
//!
//! # Versions
//!
//! `Since` says in which version of this crate an item came; without it, the item is of 0.1.0.
//! `Source` says which part of the protocol's documentation it follows.
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | brings |
//! | --- | --- |
//! | `chrono` | accessors that parse wire timestamps |
//! | `published` | [`schema`](https://docs.rs/agent-contracts/latest/agent_contracts/schema/index.html): the published schemas as data, and what is made of them; the examples of rules |
//! | `schema` | `JsonSchema` for every type, the generator of the published schemas, and `published` with it |
//! | `cli` | the command line, and `published` with it |
//! | `net` | `record`, which makes connections, and `cli` with it |
#![cfg_attr(docsrs, feature(doc_cfg))]
// Nothing that comes from outside may end the process. Tests may panic: clippy.toml.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod agui;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "published")]
mod embedded;
pub mod lime;
pub mod polling;
mod registry;
pub mod report;
mod safe;
#[cfg(feature = "published")]
pub mod schema;
mod simd;
pub mod social_app;
pub mod stream;
pub mod ubik;
pub mod wire;
mod words;

pub use check::Protocol;
pub use registry::{UnknownProtocol, UnknownRule, rule, rules};

/// The examples of the README and of the pages below `docs/` are run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/agui.md")]
pub struct AguiPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/lime.md")]
pub struct LimePage;

#[cfg(doctest)]
#[doc = include_str!("../docs/polling.md")]
pub struct PollingPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/rust-services.md")]
pub struct RustServicesPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/social-app.md")]
pub struct SocialAppPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/ubik.md")]
pub struct UbikPage;
