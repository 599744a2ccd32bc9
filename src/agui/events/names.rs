//! Ids and roles.

use crate::wire::names::{ids, string_enum};

ids!(
    /// A conversation.
    ThreadId,
    /// A run of an agent.
    RunId,
    /// A message.
    MessageId,
    /// A tool call.
    ToolCallId,
    /// The run of a subagent.
    SubagentRunId,
    /// An interrupt.
    InterruptId,
    /// A message or tool call, whichever the event says.
    EntityId,
);

string_enum! {
    closed
    /// Who speaks in a text message.
    pub enum TextMessageRole {
        /// The developer.
        Developer = "developer",
        /// The system.
        System = "system",
        /// The assistant; also what an absent role means.
        Assistant = "assistant",
        /// The user.
        User = "user",
    }
}
