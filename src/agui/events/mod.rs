//! The types of AG-UI 1.0, by family: what is on the wire.

pub(super) mod activity;
pub(super) mod capabilities;
pub(super) mod common;
pub(super) mod content;
pub(super) mod event;
pub(super) mod input;
pub(super) mod message;
pub(super) mod names;
pub(super) mod outcome;
pub(super) mod patch;
pub(super) mod reasoning;
pub(super) mod run;
pub(super) mod state;
pub(super) mod subagent;
pub(super) mod text;
pub(super) mod tool;

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
pub use event::{Event, EventType, PROTOCOL_VERSION};
pub use input::{Context, ResumeEntry, ResumeStatus, RunAgentInput, Tool};
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
