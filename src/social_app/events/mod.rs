//! The types of social-app, by family: what is on the wire, in both versions.

pub(super) mod args;
pub(super) mod event;
pub(super) mod history;
pub(super) mod input;
pub(super) mod names;
pub(super) mod run;
pub(super) mod snapshot;
pub(super) mod text;
pub(super) mod tool;

pub use args::{ArgsShape, ProjectCall, ToolCallArgs};
pub use event::{Event, EventType, KEEP_ALIVE, write_keep_alive};
pub use history::{Attachment, HistoryMessage, HistoryResponse, HistoryRole, HistoryScope};
pub use input::{
    ClientTime, ForwardedProps, InputBlock, InputBlockType, InputContent, InputMessage, InputRole, RunAgentInput,
    RunAgentInputError,
};
pub use names::{
    AssistantRole, CostSource, ResultType, RunErrorCode, Stage, StepName, TextStatus, ToolRole, ToolStatus,
};
pub use run::{RunError, RunFinished, RunStarted, StepFinished, StepStarted};
pub use snapshot::{MessagesSnapshot, StateSnapshot};
pub use text::TextMessageEnd;
pub use tool::{ToolCallArgsEvent, ToolCallEnd, ToolCallResult, ToolCallStart, ToolResult};
