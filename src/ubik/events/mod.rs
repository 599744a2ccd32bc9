//! The types of Ubik, by family: what is on the wire of both streams, and over HTTP.

pub(super) mod checkpoint;
pub(super) mod chunk;
pub(super) mod common;
pub(super) mod event;
pub(super) mod http;
pub(super) mod lifecycle;
pub(super) mod names;
pub(super) mod response;
pub(super) mod step;
pub(super) mod tool;
pub(super) mod tool_stream;

pub use checkpoint::{CheckpointCreated, InputRequired};
pub use chunk::Chunk;
pub(super) use event::whole_type;
pub use event::{DELTA_SUFFIX, Event, EventType, ToolEvent, ToolEventType};
pub use http::{
    ExecuteResponse, MessageList, PublicAgentMessage, PublicCheckpoint, PublicMessageCreate, PublicToolExecutionResult,
};
pub use lifecycle::{
    AgentProcessingComplete, AgentProcessingError, AgentProcessingStarted, AgentStopRequested, ConnectionEstablished,
};
pub use names::{
    ChunkId, ConnectionId, ExecutionStatus, InputType, MessageId, Phase, SessionId, TaskId, ToolExecutionId, ToolStatus,
};
pub use response::{AgentResponseUpdate, ResponseChunk, ResponseStreamStart};
pub use step::{AgentProgress, AgentStepCompleted, AgentStepProgress, AgentStepStarted};
pub use tool::{ToolInputRequired, ToolPartialUpdate, ToolUpdate};
pub use tool_stream::{ToolEnd, ToolError, ToolInputRequest, ToolPartialUpdateData, ToolPhaseData, ToolUpdateData};
