//! The input of a run.

use super::message::Message;
use super::names::{InterruptId, RunId, ThreadId};
use crate::wire::names::string_enum;
use crate::wire::payload::payload;
use crate::wire::{JsonObject, NonNullJson};

payload! {
    /// The input of a run, the body of the request.
    pub struct RunAgentInput = "AguiRunAgentInput", closed {
        /// The conversation.
        required thread_id: ThreadId = "threadId",
        /// The run.
        required run_id: RunId = "runId",
        /// The version that the client speaks, such as 1.0.
        optional protocol_version: String = "protocolVersion",
        /// The run that this one branches from.
        optional parent_run_id: RunId = "parentRunId",
        /// The shared state; absent means an empty object.
        optional state: NonNullJson = "state",
        /// The conversation so far.
        required messages: Vec<Message> = "messages",
        /// The tools of the client; absent means none.
        optional tools: Vec<Tool> = "tools",
        /// Context; absent means none.
        optional context: Vec<Context> = "context",
        /// What the client hands through.
        optional forwarded_props: NonNullJson = "forwardedProps",
        /// The answers to the interrupts of the run before.
        optional resume: Vec<ResumeEntry> = "resume",
    }
}

payload! {
    /// A tool of the client.
    pub struct Tool = "AguiTool", closed {
        /// The tool.
        required name: String = "name",
        /// What it does.
        required description: String = "description",
        /// The JSON Schema of its arguments; not validated.
        optional parameters: NonNullJson = "parameters",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// A piece of context.
    pub struct Context = "AguiContext", closed {
        /// What it is.
        required description: String = "description",
        /// The text.
        required value: String = "value",
    }
}

payload! {
    /// The answer to an interrupt.
    pub struct ResumeEntry = "AguiResumeEntry", closed {
        /// The interrupt.
        required interrupt_id: InterruptId = "interruptId",
        /// Whether it was answered.
        required status: ResumeStatus = "status",
        /// The answer.
        optional payload: NonNullJson = "payload",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

string_enum! {
    closed
    /// Whether an interrupt was answered.
    pub enum ResumeStatus {
        /// It was.
        Resolved = "resolved",
        /// It was cancelled.
        Cancelled = "cancelled",
    }
}
