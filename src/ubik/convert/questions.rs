//! What the user was asked and has not answered.

use super::carry;
use crate::agui::{Interrupt, ToolCallId};
use crate::ubik::events::{InputRequired, ToolExecutionId, ToolInputRequired};

/// The most questions that are remembered.
const QUESTIONS: usize = 256;

/// The open questions of a run.
#[derive(Clone, Default)]
pub(super) struct Questions(Vec<Question>);

#[derive(Clone)]
struct Question {
    tool: Option<ToolExecutionId>,
    interrupt: Interrupt,
}

impl Questions {
    pub(super) fn ask(&mut self, input: &InputRequired, id: String) {
        let mut interrupt = Interrupt::new(id, "input_required");
        interrupt.message = Some(input.prompt.clone());
        interrupt.metadata = carry::metadata(input, &["prompt"]);
        self.add(Question { tool: None, interrupt });
    }

    /// A tool asks, whose call has the id.
    pub(super) fn ask_for_tool(&mut self, input: &ToolInputRequired, id: String, call: Option<ToolCallId>) {
        let mut interrupt = Interrupt::new(id, "tool_input_required");
        interrupt.message = input.tool_input.get("question").and_then(|question| question.as_string());
        interrupt.tool_call_id = call;
        interrupt.metadata = carry::metadata(input, &[]);
        self.add(Question { tool: Some(input.tool_execution_id.clone()), interrupt });
    }

    fn add(&mut self, question: Question) {
        if self.0.len() < QUESTIONS {
            self.0.push(question);
        }
    }

    /// A tool goes on, so it has got what it waited for.
    pub(super) fn tool_goes_on(&mut self, tool: &ToolExecutionId) {
        self.0.retain(|question| question.tool.as_ref() != Some(tool));
    }

    /// The agent goes on.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn interrupts(&self) -> Vec<Interrupt> {
        self.0.iter().map(|question| question.interrupt.clone()).collect()
    }
}
