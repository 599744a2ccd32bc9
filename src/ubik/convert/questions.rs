//! What the user was asked and has not answered.

use super::carry;
use crate::agui::{Interrupt, ToolCallId};
use crate::ubik::events::{InputRequired, ToolExecutionId, ToolInputRequired};

/// The most questions that are remembered. Further ones are passed over: their events were put
/// out, but the run does not end with an interrupt for each.
const QUESTIONS: usize = 256;

/// How much of their texts and ids is remembered, in bytes.
const TEXTS: usize = 1024 * 1024;

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

    /// Takes a question; without its texts if there is no room for them.
    fn add(&mut self, mut question: Question) {
        let room = TEXTS.saturating_sub(self.0.iter().map(|question| question.id() + question.texts()).sum());
        if self.0.len() >= QUESTIONS || question.id() > room {
            return;
        }
        if question.id() + question.texts() > room {
            (question.interrupt.message, question.interrupt.metadata) = (None, None);
        }
        self.0.push(question);
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

impl Question {
    /// The size of the tool's id, in bytes.
    fn id(&self) -> usize {
        self.tool.as_ref().map_or(0, |tool| tool.as_str().len())
    }

    /// The size of its texts, in bytes.
    fn texts(&self) -> usize {
        let metadata = self.interrupt.metadata.as_ref().map_or(0, |metadata| metadata.as_str().len());
        metadata + self.interrupt.message.as_ref().map_or(0, String::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ubik::events::InputType;

    #[test]
    fn texts_and_questions_are_bounded() {
        let mut questions = Questions::default();
        let prompt = "x".repeat(TEXTS / 4);
        for number in 0..QUESTIONS + 9 {
            let input = InputRequired::new("plan", prompt.as_str(), vec![InputType::Text], "2026-01-01T00:00:00Z");
            questions.ask(&input, format!("id {number}"));
        }
        let interrupts = questions.interrupts();
        assert_eq!(interrupts.len(), QUESTIONS);
        let with_text: Vec<_> = interrupts.iter().filter(|interrupt| interrupt.message.is_some()).collect();
        assert_eq!(with_text.len(), 3, "their metadata counts as well");
        assert!(with_text.iter().all(|interrupt| interrupt.metadata.is_some()));
        assert!(interrupts.iter().skip(3).all(|interrupt| interrupt.metadata.is_none()));
        questions.clear();
        assert!(questions.is_empty());
    }
}
