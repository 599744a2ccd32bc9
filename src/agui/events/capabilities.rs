//! What an agent can do. Omitted means undeclared, not unsupported.

use super::input::Tool;
use crate::wire::payload::payload;
use crate::wire::{Count, JsonObject};

payload! {
    /// What an agent can do, by group.
    pub struct AgentCapabilities = "AguiAgentCapabilities", closed {
        /// Who it is.
        optional identity: IdentityCapabilities = "identity",
        /// How it is reached.
        optional transport: TransportCapabilities = "transport",
        /// Its tools.
        optional tools: ToolsCapabilities = "tools",
        /// What it puts out.
        optional output: OutputCapabilities = "output",
        /// Its state.
        optional state: StateCapabilities = "state",
        /// Other agents.
        optional multi_agent: MultiAgentCapabilities = "multiAgent",
        /// Its reasoning.
        optional reasoning: ReasoningCapabilities = "reasoning",
        /// Its media.
        optional multimodal: MultimodalCapabilities = "multimodal",
        /// How it executes.
        optional execution: ExecutionCapabilities = "execution",
        /// Where people come in.
        optional human_in_the_loop: HumanInTheLoopCapabilities = "humanInTheLoop",
        /// Open by key.
        optional custom: JsonObject = "custom",
    }
}

payload! {
    /// Who the agent is.
    pub struct IdentityCapabilities = "AguiIdentityCapabilities", closed {
        /// Its name.
        optional name: String = "name",
        /// Its type.
        optional kind: String = "type",
        /// What it does.
        optional description: String = "description",
        /// Its version.
        optional version: String = "version",
        /// Its provider.
        optional provider: String = "provider",
        /// Where it is documented.
        optional documentation_url: String = "documentationUrl",
        /// Open by key; never null.
        optional metadata: JsonObject = "metadata",
    }
}

payload! {
    /// How the agent is reached.
    pub struct TransportCapabilities = "AguiTransportCapabilities", closed {
        /// Whether events can be streamed.
        optional streaming: bool = "streaming",
        /// Whether there is a WebSocket.
        optional websocket: bool = "websocket",
        /// Whether binary HTTP is understood.
        optional http_binary: bool = "httpBinary",
        /// Whether push notifications are sent.
        optional push_notifications: bool = "pushNotifications",
        /// Whether streams can be resumed.
        optional resumable: bool = "resumable",
    }
}

payload! {
    /// The agent's tools.
    pub struct ToolsCapabilities = "AguiToolsCapabilities", closed {
        /// Whether it calls tools.
        optional supported: bool = "supported",
        /// The tools.
        optional items: Vec<Tool> = "items",
        /// Whether it calls several at once.
        optional parallel_calls: bool = "parallelCalls",
        /// Whether it takes tools of the client.
        optional client_provided: bool = "clientProvided",
    }
}

payload! {
    /// What the agent puts out.
    pub struct OutputCapabilities = "AguiOutputCapabilities", closed {
        /// Whether it puts out structured data.
        optional structured_output: bool = "structuredOutput",
        /// The media types.
        optional supported_mime_types: Vec<String> = "supportedMimeTypes",
    }
}

payload! {
    /// The agent's state.
    pub struct StateCapabilities = "AguiStateCapabilities", closed {
        /// Whether it sends snapshots.
        optional snapshots: bool = "snapshots",
        /// Whether it sends deltas.
        optional deltas: bool = "deltas",
        /// Whether it remembers.
        optional memory: bool = "memory",
        /// Whether state outlives the run.
        optional persistent_state: bool = "persistentState",
    }
}

payload! {
    /// Other agents.
    pub struct MultiAgentCapabilities = "AguiMultiAgentCapabilities", closed {
        /// Whether it works with others.
        optional supported: bool = "supported",
        /// Whether it delegates.
        optional delegation: bool = "delegation",
        /// Whether it hands over.
        optional handoffs: bool = "handoffs",
        /// Its subagents.
        optional subagents: Vec<SubagentInfo> = "subagents",
    }
}

payload! {
    /// A subagent.
    pub struct SubagentInfo = "AguiSubagentInfo", closed {
        /// Its name.
        required name: String = "name",
        /// What it does.
        optional description: String = "description",
    }
}

payload! {
    /// The agent's reasoning.
    pub struct ReasoningCapabilities = "AguiReasoningCapabilities", closed {
        /// Whether it reasons.
        optional supported: bool = "supported",
        /// Whether it streams its reasoning.
        optional streaming: bool = "streaming",
        /// Whether it encrypts its reasoning.
        optional encrypted: bool = "encrypted",
    }
}

payload! {
    /// Media that the agent takes in.
    pub struct MultimodalInputCapabilities = "AguiMultimodalInputCapabilities", closed {
        /// Images.
        optional image: bool = "image",
        /// Sound.
        optional audio: bool = "audio",
        /// Videos.
        optional video: bool = "video",
        /// PDF.
        optional pdf: bool = "pdf",
        /// Files.
        optional file: bool = "file",
    }
}

payload! {
    /// Media that the agent puts out.
    pub struct MultimodalOutputCapabilities = "AguiMultimodalOutputCapabilities", closed {
        /// Images.
        optional image: bool = "image",
        /// Sound.
        optional audio: bool = "audio",
    }
}

payload! {
    /// The agent's media.
    pub struct MultimodalCapabilities = "AguiMultimodalCapabilities", closed {
        /// What it takes in.
        optional input: MultimodalInputCapabilities = "input",
        /// What it puts out.
        optional output: MultimodalOutputCapabilities = "output",
    }
}

payload! {
    /// How the agent executes.
    pub struct ExecutionCapabilities = "AguiExecutionCapabilities", closed {
        /// Whether it runs code.
        optional code_execution: bool = "codeExecution",
        /// Whether code runs in a sandbox.
        optional sandboxed: bool = "sandboxed",
        /// How many iterations a run may have.
        optional max_iterations: Count = "maxIterations",
        /// How long a run may take; the specification names no unit.
        optional max_execution_time: Count = "maxExecutionTime",
    }
}

payload! {
    /// Where people come in.
    pub struct HumanInTheLoopCapabilities = "AguiHumanInTheLoopCapabilities", closed {
        /// Whether people can take part at all.
        optional supported: bool = "supported",
        /// Whether people can approve tool calls.
        optional approvals: bool = "approvals",
        /// Whether people can intervene in a run.
        optional interventions: bool = "interventions",
        /// Whether people can give feedback.
        optional feedback: bool = "feedback",
        /// By interrupts.
        optional interrupts: bool = "interrupts",
        /// By approvals with edits.
        optional approve_with_edits: bool = "approveWithEdits",
    }
}
