//! social-app: the AG-UI dialect of the social-app agent backend.
//!
//! AG-UI's event names with members of their own, partly in camel case, partly in snake
//! case, exactly as they are on the wire. Every event names its thread and its run. The
//! answer comes whole in `TEXT_MESSAGE_END`, the arguments of a tool call whole in
//! `TOOL_CALL_ARGS`. Over SSE each frame has a Redis stream id, the type, and the event.
//!
//! Two versions of the contract are known, [`Version::V0`] and [`Version::V1`]. The types
//! take both; what differs between them is said at each member.
//!
//! ```
//! use agent_contracts::social_app::{Event, ToolResult, tool_label};
//!
//! let event = Event::from_json(r#"{"type":"TOOL_CALL_RESULT","threadId":"t1","runId":"r1","messageId":"m1",
//!     "role":"tool","stage":"worker","tool_name":"calendar_read","tool_call_id":"c1","tool_call_args":{},
//!     "status":"success","result":{"count":1},"error":null}"#)?;
//! let Event::ToolCallResult(result) = event else { panic!() };
//! assert_eq!(tool_label(&result.tool_name), "读取日程");
//! assert!(matches!(result.result, ToolResult::Object(_)));
//! # Ok::<(), agent_contracts::wire::Error>(())
//! ```
//!
//! Source: `docs/protocols/agent/sse-events.md` of qzl/social-app, as of 2026-03-17 (v0)
//! and 2026-04-24 (v1). Sections are cited as v0 §3 and v1 §3.

mod arguments;
mod convert;
mod details;
mod events;
mod facts;
mod history;
#[cfg(feature = "published")]
mod http;
mod judge;
mod misfit;
mod order;
mod redelivery;
pub mod rules;
mod sanitizer;
#[cfg(feature = "schema")]
mod schema;
mod spec;
mod stream_id;
mod subscription;
mod tools;
mod usage;
mod version;
mod visibility;

pub use events::*;

pub use crate::agui::{MessageId, RunId, ThreadId, ToolCallId};
pub use convert::{AgUiConverter, to_agui};
pub use sanitizer::{AUDIT_FIELDS, INTERNAL_FIELDS, Sanitizer, UI_HINTS};
pub use stream_id::{StreamId, StreamIdError};
pub use subscription::{RunSubscription, SubscriptionError};
pub use tools::{Method, PROJECT_CLI, canonical_tool_name, tool_label};
pub use usage::{
    CallUsage, CompletionTokensDetails, CostEvidence, Given, PricingTier, PromptTokensDetails, ProviderUsage,
    UsageMetadata, UsageSummary, catalog_cost,
};
pub use version::{UnknownVersion, Version};
pub use visibility::{Author, ConfigSource, RuntimeMode, VisibilityMask};

pub(crate) use spec::PROTOCOL;
