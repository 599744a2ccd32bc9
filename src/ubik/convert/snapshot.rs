//! A full text in the place of what was put out.

use super::parts::{Call, Part, Put};
use super::put::{Output, PART_BYTES};
use crate::agui;
use crate::check::Limits;

impl Output {
    /// Puts out a whole text in the place of all that was put out before.
    pub(super) fn snapshot(
        &mut self,
        target: Vec<Part>,
        history: &[agui::Message],
        out: &mut impl Extend<agui::Event>,
    ) {
        self.end_calls(out);
        let before = std::mem::take(&mut self.calls);
        let mut places = std::mem::take(&mut self.places);
        self.parts.clear();
        self.bytes = 0;
        let mut messages = history.to_vec();
        for part in target {
            match part {
                Part::Text(text) if !text.trim().is_empty() => {
                    let content = text.trim_matches(['\n', '\r']);
                    messages.push(agui::AssistantMessage::new(self.mint()).with_content(content).into());
                    self.add(Put::Text(text));
                }
                Part::Thought(text) if !text.trim().is_empty() => {
                    let content = text.trim_matches(['\n', '\r']);
                    messages.push(agui::ReasoningMessage::new(self.mint(), content).into());
                    self.add(Put::Thought(text));
                }
                Part::Text(_) | Part::Thought(_) => {}
                Part::Call(said) => {
                    let known = places.remove(&said.id).and_then(|place| before.get(place));
                    let id = known.map_or_else(|| self.fresh(&said.id).into(), |call| call.id.clone());
                    let is_told = known.is_some_and(|call| call.is_told);
                    let (key, name, args, result) = (said.id, said.name, said.args, said.result);
                    let call = Call { id, key, name, args, result, is_ended: true, is_in_text: true, is_told };
                    let place = self.add_call(call, &mut messages);
                    self.add(Put::Call(place));
                }
            }
        }
        // What events have told of stays.
        let left = |(place, call): &(usize, Call)| call.is_told && places.get(&call.key) == Some(place);
        for (_, call) in before.into_iter().enumerate().filter(left) {
            self.add_call(Call { args: None, result: None, is_in_text: false, ..call }, &mut messages);
        }
        let mut snapshot = agui::MessagesSnapshot::new(messages);
        snapshot.metadata = self.metadata.take();
        let snapshot = agui::Event::from(snapshot);
        let bytes = snapshot.to_json().len();
        if bytes <= Limits::DEFAULT.frame_bytes {
            self.snapshot_bytes = self.snapshot_bytes.saturating_add(bytes);
            out.extend([snapshot]);
        }
    }

    fn add(&mut self, put: Put) {
        let text = if let Put::Text(text) | Put::Thought(text) = &put { text.len() } else { 0 };
        self.charge(text + PART_BYTES);
        self.parts.push(put);
    }

    fn add_call(&mut self, call: Call, messages: &mut Vec<agui::Message>) -> usize {
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.charge(call.key.len() + call.name.len() + size(&call.args) + size(&call.result) + PART_BYTES);
        let args = call.args.as_deref().unwrap_or("{}");
        let function = agui::FunctionCall::new(call.name.as_str(), args);
        let tool_call = agui::ToolCall::new(call.id.clone(), agui::ToolCallType::Function, function);
        messages.push(agui::AssistantMessage::new(self.mint()).with_tool_calls(vec![tool_call]).into());
        if let Some(result) = &call.result {
            messages.push(agui::ToolMessage::new(self.mint(), result.as_str(), call.id.clone()).into());
        }
        let place = self.calls.len();
        if !call.key.is_empty() {
            self.places.insert(call.key.clone(), place);
        }
        self.calls.push(call);
        place
    }
}
