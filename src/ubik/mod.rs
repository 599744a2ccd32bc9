//! Ubik: what an agent does in a session, and what a tool does while it runs.
//!
//! A session's stream has flat events with a `type` ([`Event`]); the stream of a tool
//! execution names its events in the SSE frame ([`ToolEvent`]). Large events of either come in
//! fragments, `…_delta_sse`, which [`ChunkAssembler`] puts together and [`split`] makes. The
//! text of an answer has tags for steps, thoughts, tools and questions: [`markup`].
//!
//! ```
//! use agent_contracts::ubik::Event;
//!
//! let event = Event::from_json(r#"{"type":"response_chunk","content":"Hi","timestamp":"2026-01-01T00:00:00Z"}"#)?;
//! let Event::ResponseChunk(chunk) = event else { panic!() };
//! assert_eq!(chunk.content, "Hi");
//! # Ok::<(), agent_contracts::wire::Error>(())
//! ```
//!
//! Sources are guides of docs.ubik-agent.com as of 2026-08-21: the session events guide
//! (`guides/agent-session-events`), the message structure guide (`guides/agent-message-structure`)
//! and the tool streaming guide (`guides/streaming-results`).

mod chunks;
mod convert;
mod events;
mod facts;
#[cfg(feature = "published")]
mod http;
mod judge;
pub mod markup;
mod order;
mod overlay;
mod replay;
pub mod rules;
mod scan;
#[cfg(feature = "schema")]
mod schema;
mod spec;
mod stored;
mod tags;
mod texts;
mod time;
mod transcript;
mod unpack;

pub use chunks::{
    ChunkAssembler, ChunkBound, ChunkError, ChunkLimits, ChunkOutcome, ChunkProgress, GivenUp, Rebuilt, SplitError,
    Unfinished, split, split_text,
};
pub use convert::{AgUiConverter, to_agui};
pub use events::*;
pub use transcript::{ToolCard, Transcript, TranscriptLimits};

pub(crate) use spec::PROTOCOL;
