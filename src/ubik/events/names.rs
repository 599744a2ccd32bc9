//! Ids, and the words for states, phases and kinds of input. No list of them is closed.

use crate::wire::names::{ids, string_enum};

ids!(
    /// A session of an agent.
    SessionId,
    /// A connection to the stream of a session. A reconnect has another one.
    ConnectionId,
    /// A task: what the agent does to answer one message.
    TaskId,
    /// A message of a session.
    MessageId,
    /// A tool execution. Seen as UUID, and as `call_…`, `toolu_…` and `exec_…`.
    ToolExecutionId,
    /// The fragments of one event.
    ChunkId,
);

impl MessageId {
    /// Whether this is the text `None`, which stands for a message that is not there yet.
    ///
    /// ```
    /// use agent_contracts::ubik::MessageId;
    ///
    /// assert!(MessageId::from("None").is_none());
    /// assert!(!MessageId::from("").is_none());
    /// ```
    ///
    /// Since 0.1.0. Source: session events guide.
    pub fn is_none(&self) -> bool {
        self.as_str() == "None"
    }
}

string_enum! {
    open
    /// How far a phase of a tool is.
    pub enum ToolStatus {
        /// It has begun.
        Started = "started",
        /// It is done. Some phases send this alone, some only `started`.
        Completed = "completed",
    }
}

string_enum! {
    open
    /// A phase of a tool. These are what RAG search, web search and the subagent send;
    /// other tools have words of their own, such as `processing`.
    pub enum Phase {
        /// RAG search gets ready.
        SearchPreparation = "SEARCH_PREPARATION",
        /// RAG search looks for passages.
        Retrieval = "RETRIEVAL",
        /// RAG search or web search sorts what it has found.
        Reranking = "RERANKING",
        /// RAG search puts the answer together.
        CompilingResults = "COMPILING_RESULTS",
        /// Web search asks the search engine.
        WebSearch = "WEB_SEARCH",
        /// Web search reads the pages; off unless asked for.
        ScrapingUrls = "SCRAPING_URLS",
        /// Web search writes the answer.
        Generation = "GENERATION",
        /// A subagent has started; its session has a stream of its own.
        SubAgentStarted = "SUB_AGENT_STARTED",
    }
}

string_enum! {
    open
    /// A form in which the user may answer.
    pub enum InputType {
        /// Free text.
        Text = "text",
        /// A JSON value.
        Json = "json",
    }
}

string_enum! {
    open
    /// The state of a tool execution.
    pub enum ExecutionStatus {
        /// Not begun.
        Pending = "pending",
        /// Done.
        Completed = "completed",
        /// Failed.
        Failed = "failed",
        /// Waiting for the user, who answers by provide-input.
        WaitingForInput = "waiting_for_input",
    }
}
