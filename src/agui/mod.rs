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

mod activity;
mod calls;
mod capabilities;
pub(crate) mod check;
mod chunks;
mod content;
mod event;
mod expand;
mod facts;
mod input;
mod legacy;
mod message;
mod misfit;
mod names;
mod order;
mod outcome;
mod patch;
mod reasoning;
pub(crate) mod rules;
mod run;
mod state;
mod subagent;
mod text;
mod texts;
mod tool;

pub use activity::{ActivityDelta, ActivitySnapshot};
pub use capabilities::{
    AgentCapabilities, ExecutionCapabilities, HumanInTheLoopCapabilities, IdentityCapabilities, MultiAgentCapabilities,
    MultimodalCapabilities, MultimodalInputCapabilities, MultimodalOutputCapabilities, OutputCapabilities,
    ReasoningCapabilities, StateCapabilities, SubagentInfo, ToolsCapabilities, TransportCapabilities,
};
pub use content::{
    AudioPart, Content, ContentPart, ContentPartType, DataSource, DocumentPart, FileSource, ImagePart, PartSource,
    PartSourceType, TextPart, UrlSource, VideoPart,
};
pub use event::{Event, EventType};
pub use expand::{ChunkError, ChunkExpander};
pub use input::{Context, ResumeEntry, ResumeStatus, RunAgentInput, Tool};
pub use legacy::{Deprecation, LegacyDecoder};
pub use message::{
    ActivityMessage, AssistantMessage, DeveloperMessage, FunctionCall, Message, MessageRole, ReasoningMessage,
    SystemMessage, ToolCall, ToolCallType, ToolMessage, UserMessage,
};
pub use names::{EntityId, InterruptId, MessageId, RunId, SubagentRunId, TextMessageRole, ThreadId, ToolCallId};
pub use outcome::{
    Interrupt, RunFinishedCancelledOutcome, RunFinishedInterruptOutcome, RunFinishedOutcome, RunFinishedOutcomeType,
    RunFinishedSuccessOutcome, SubagentFinishedOutcome, SubagentFinishedOutcomeType, SubagentFinishedSuccessOutcome,
    SubagentFinishedSuspendedOutcome, TokenUsage,
};
pub use patch::{
    AddOperation, CopyOperation, JsonPatchOperation, JsonPatchOperationType, MoveOperation, RemoveOperation,
    ReplaceOperation, TestOperation,
};
pub use reasoning::{
    ReasoningEncryptedValue, ReasoningEncryptedValueSubtype, ReasoningEnd, ReasoningMessageChunk,
    ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart, ReasoningRole, ReasoningStart,
};
pub use run::{RunError, RunFinished, RunStarted, StepFinished, StepStarted};
pub use state::{Custom, MessagesSnapshot, Raw, StateDelta, StateSnapshot};
pub use subagent::{SubagentError, SubagentFinished, SubagentStarted};
pub use text::{TextMessageChunk, TextMessageContent, TextMessageEnd, TextMessageStart};
pub use tool::{ToolCallArgs, ToolCallChunk, ToolCallEnd, ToolCallResult, ToolCallStart, ToolRole};

/// The version of the protocol that these types describe.
pub const PROTOCOL_VERSION: &str = "1.0";
