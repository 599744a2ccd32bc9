//! What the stream of a tool execution says. The first two are the `data` of session events
//! as well.

use super::names::{ExecutionStatus, InputType, Phase, SessionId, ToolExecutionId, ToolStatus};
use crate::wire::payload::payload;
use crate::wire::{Extra, Integer, Json, JsonObject};

payload! {
    /// What a tool is doing. Which members there are is decided by tool and phase.
    pub struct ToolUpdateData = "UbikToolStreamUpdate", open {
        /// The phase.
        optional phase: Phase = "phase",
        /// How far the phase is.
        optional status: ToolStatus = "status",
        /// What is being done, for people.
        optional message: String = "message",
        /// What is searched for.
        optional query: String = "query",
        /// How many results were kept; with the output key `reranked_results`.
        optional reranked_results: Integer = "reranked_results",
        /// What was found; with the output key `sources`.
        optional sources: Vec<Json> = "sources",
        /// Counts and other details of the phase.
        optional data: Box<ToolPhaseData> = "data",
        /// The output that the update is about.
        optional output_key: String = "output_key",
    }
}

payload! {
    /// Details of a phase. Which members there are is decided by tool and phase.
    pub struct ToolPhaseData = "UbikToolStreamPhaseData", open {
        /// How many results were retrieved; of the phase `RETRIEVAL`.
        optional retrieved_count: Integer = "retrieved_count",
        /// How many results there were before they were ranked anew; of the phase `RERANKING`.
        optional initial_count: Integer = "initial_count",
        /// How many results were ranked anew; of the phase `RERANKING`.
        optional reranked_count: Integer = "reranked_count",
        /// How many results were kept; of the phase `RERANKING`.
        optional kept_count: Integer = "kept_count",
        /// How many results the search gave; of the phase `WEB_SEARCH`.
        optional results_count: Integer = "results_count",
        /// What the search found; of the phase `WEB_SEARCH`.
        optional sources: Vec<Json> = "sources",
        /// How many pages are to be read; of the phase `SCRAPING_URLS`.
        optional url_count: Integer = "url_count",
        /// How many pages were read; of the phase `SCRAPING_URLS`.
        optional scraped_count: Integer = "scraped_count",
        /// The session of the subagent, whose stream can be opened; of the phase `SUB_AGENT_STARTED`.
        optional sub_session_id: SessionId = "sub_session_id",
    }
}

payload! {
    /// A piece of what a tool puts out. All pieces together are not the final output:
    /// citations are rewritten at the end.
    pub struct ToolPartialUpdateData = "UbikToolStreamPartialUpdate", open {
        /// The next piece of text.
        required content: String = "content",
        /// The output that the piece belongs to, such as `response`.
        optional output_key: String = "output_key",
        /// Further details.
        optional data: JsonObject = "data",
    }
}

payload! {
    /// Asks the user, without whose answer the tool does not go on.
    pub struct ToolInputRequest = "UbikToolStreamInputRequired", open {
        /// The question.
        required prompt: String = "prompt",
        /// The forms that the answer may have.
        required input_types: Vec<InputType> = "input_types",
        /// How long the tool waits, in seconds.
        required timeout: Integer = "timeout",
        /// The state of the tool; opaque.
        required state: JsonObject = "state",
    }
}

payload! {
    /// Ends a tool execution that succeeded.
    ///
    /// The outputs lie beside `execution_id`, or inside of `outputs` with a `status`.
    pub struct ToolEnd = "UbikToolStreamEnd", open {
        /// The tool execution. Web search has been seen without it.
        expected execution_id: ToolExecutionId = "execution_id",
        /// How it ended; where the outputs are inside of `outputs`.
        optional status: ExecutionStatus = "status",
        /// The outputs, by key; decided by the tool.
        optional outputs: JsonObject = "outputs",
        /// The output of that key, where outputs lie beside `execution_id`; in samples text.
        optional response: Json = "response",
    }
}

impl ToolEnd {
    /// The outputs by key, in either form: the members of `outputs` if it is there, else all
    /// that lie beside `execution_id` and `status`.
    ///
    /// ```
    /// use agent_contracts::ubik::ToolEnd;
    ///
    /// for text in [
    ///     r#"{"execution_id":"exec_1","response":"Yes.","images":[]}"#,
    ///     r#"{"execution_id":"exec_1","status":"completed","outputs":{"response":"Yes.","images":[]}}"#,
    /// ] {
    ///     let end = ToolEnd::from_json(text)?;
    ///     assert_eq!(end.outputs().as_str(), r#"{"response":"Yes.","images":[]}"#);
    ///     assert_eq!(end.response().and_then(|response| response.as_string()).as_deref(), Some("Yes."));
    /// }
    /// # Ok::<(), agent_contracts::wire::Error>(())
    /// ```
    ///
    /// Since 0.1.0. Source: tool streaming guide.
    pub fn outputs(&self) -> JsonObject {
        if let Some(outputs) = &self.outputs {
            return outputs.clone();
        }
        let mut spread = Extra::new();
        let response = self.response.as_ref().map(|response| ("response", response));
        for (name, value) in response.into_iter().chain(self.extra.iter()) {
            spread.push(name, value.clone());
        }
        spread.settle();
        JsonObject::from_valid(&serde_json::to_string(&spread).unwrap_or_else(|_| "{}".to_owned()))
    }

    /// The output `response`, in either form. It replaces what partial updates gave.
    ///
    /// Since 0.1.0. Source: tool streaming guide.
    pub fn response(&self) -> Option<Json> {
        let inside = self.outputs.as_ref().and_then(|outputs| outputs.get("response"));
        inside.or_else(|| self.response.clone())
    }
}

payload! {
    /// Ends a tool execution that failed.
    pub struct ToolError = "UbikToolStreamError", open {
        /// What went wrong, for people.
        required message: String = "message",
        /// Why; of no published list.
        required code: String = "code",
    }
}
