//! The usual way to type events: an enum that serde derives, told apart by its tag.
//!
//! It has the main events of AG-UI, and the members that all of them may have.
#![allow(dead_code, reason = "what counts is what it takes to fill the members")]

use serde::Deserialize;
use serde_json::{Map, Value};

macro_rules! events {
    ($($variant:ident { $($member:ident: $type:ty),* })*) => {
        #[derive(Deserialize)]
        #[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
        pub enum Event {
            $($variant {
                $($member: $type,)*
                timestamp: Option<f64>,
                metadata: Option<Map<String, Value>>,
                raw_event: Option<Value>,
                subagent_run_id: Option<String>,
            },)*
            #[serde(other)]
            Other,
        }
    };
}

events! {
    RunStarted { thread_id: String, run_id: String, parent_run_id: Option<String>, input: Option<Value> }
    RunFinished { thread_id: String, run_id: String, result: Option<Value>, outcome: Option<Value>, usage: Option<Value> }
    RunError { message: String, code: Option<String> }
    StepStarted { step_name: String }
    StepFinished { step_name: String }
    TextMessageStart { message_id: String, role: Option<String>, name: Option<String> }
    TextMessageContent { message_id: String, delta: String }
    TextMessageEnd { message_id: String }
    TextMessageChunk { message_id: Option<String>, role: Option<String>, delta: Option<String> }
    ToolCallStart { tool_call_id: String, tool_call_name: String, parent_message_id: Option<String> }
    ToolCallArgs { tool_call_id: String, delta: String }
    ToolCallEnd { tool_call_id: String }
    ToolCallResult { message_id: String, tool_call_id: String, content: Value, role: Option<String> }
    StateSnapshot { snapshot: Value }
    StateDelta { delta: Vec<Value> }
    MessagesSnapshot { messages: Vec<Value> }
    ActivitySnapshot { message_id: String, activity_type: String, content: Value, replace: Option<bool> }
    ActivityDelta { message_id: String, activity_type: String, patch: Vec<Value> }
    ReasoningMessageContent { message_id: String, delta: String }
    Custom { name: String, value: Value }
    Raw { event: Value, source: Option<String> }
}
