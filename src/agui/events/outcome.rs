//! How runs end, and what they used.

use super::names::{InterruptId, SubagentRunId, ToolCallId};
use crate::wire::payload::payload;
use crate::wire::union::tagged_union;
use crate::wire::{Count, JsonObject};

tagged_union! {
    /// How a run ended. An unknown one would read as success: report it.
    pub enum RunFinishedOutcome, RunFinishedOutcomeType = "AguiRunFinishedOutcome", tag member "type" {
        /// It succeeded.
        Success(RunFinishedSuccessOutcome) = "success",
        /// It waits for somebody.
        Interrupt(RunFinishedInterruptOutcome) = "interrupt",
        /// It was cancelled.
        Cancelled(RunFinishedCancelledOutcome) = "cancelled",
    }
}

payload! {
    /// Success.
    pub struct RunFinishedSuccessOutcome = "AguiRunFinishedSuccessOutcome", closed {
        /// The calls that the client has to answer, in call order.
        optional pending_tool_call_ids: Vec<ToolCallId> = "pendingToolCallIds",
    }
}

payload! {
    /// The run waits for somebody.
    pub struct RunFinishedInterruptOutcome = "AguiRunFinishedInterruptOutcome", closed {
        /// What it waits for; at least one.
        required interrupts: Vec<Interrupt> = "interrupts" where {"minItems": 1},
    }
}

payload! {
    /// The run was cancelled.
    pub struct RunFinishedCancelledOutcome = "AguiRunFinishedCancelledOutcome", closed {
    }
}

payload! {
    /// What a run waits for.
    pub struct Interrupt = "AguiInterrupt", closed {
        /// The interrupt, unique within the run.
        required id: InterruptId = "id",
        /// Why, an open word.
        required reason: String = "reason",
        /// A text for people.
        optional message: String = "message",
        /// The tool call that it is about.
        optional tool_call_id: ToolCallId = "toolCallId",
        /// The JSON Schema of the answer.
        optional response_schema: JsonObject = "responseSchema",
        /// When it expires, by convention ISO 8601.
        optional expires_at: String = "expiresAt",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
        /// The subagent that the event belongs to; absent for the parent.
        optional subagent_run_id: SubagentRunId = "subagentRunId",
    }
}

tagged_union! {
    /// How the run of a subagent ended.
    pub enum SubagentFinishedOutcome, SubagentFinishedOutcomeType = "AguiSubagentFinishedOutcome", tag member "type" {
        /// It succeeded.
        Success(SubagentFinishedSuccessOutcome) = "success",
        /// It waits for somebody.
        Suspended(SubagentFinishedSuspendedOutcome) = "suspended",
    }
}

payload! {
    /// Success.
    pub struct SubagentFinishedSuccessOutcome = "AguiSubagentFinishedSuccessOutcome", closed {
    }
}

payload! {
    /// The subagent waits for somebody.
    pub struct SubagentFinishedSuspendedOutcome = "AguiSubagentFinishedSuspendedOutcome", closed {
        /// The interrupts that it waits for.
        optional interrupt_ids: Vec<InterruptId> = "interruptIds",
    }
}

payload! {
    /// What a run used of one model. Absent is not zero.
    pub struct TokenUsage = "AguiTokenUsage", closed {
        /// The provider.
        optional provider: String = "provider",
        /// The model.
        optional model: String = "model",
        /// All input tokens.
        optional input_tokens: Count = "inputTokens",
        /// All output tokens.
        optional output_tokens: Count = "outputTokens",
        /// Input and output together.
        optional total_tokens: Count = "totalTokens",
        /// Those of the output that were reasoning.
        optional reasoning_tokens: Count = "reasoningTokens",
        /// Those of the input that came from a cache.
        optional cached_input_tokens: Count = "cachedInputTokens",
        /// Those of the input that went into a cache.
        optional cache_write_input_tokens: Count = "cacheWriteInputTokens",
    }
}
