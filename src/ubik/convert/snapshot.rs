//! A full text in the place of what was put out.

use std::collections::{HashMap, HashSet};

use super::parts::{Call, Part, Put};
use super::put::{Output, PART_BYTES};
use crate::agui;
use crate::check::Limits;

/// What a snapshot makes of the parts and calls. It counts once the client gets the snapshot.
#[derive(Default)]
struct Draft {
    messages: Vec<agui::Message>,
    parts: Vec<Put>,
    calls: Vec<Call>,
    places: HashMap<String, usize>,
    bytes: usize,
    /// The ids of the calls that are new.
    fresh: Vec<String>,
}

impl Output {
    /// Puts out a whole text in the place of all that was put out before. Gives `false` if it is
    /// too large: then everything is as it was, but for the work, which counts.
    pub(super) fn snapshot(
        &mut self,
        target: Vec<Part>,
        earlier: &[agui::Message],
        out: &mut impl Extend<agui::Event>,
    ) -> bool {
        let (minted, kept_bytes, is_full) = (self.minted, self.kept_bytes, self.is_full);
        let mut draft = self.draft(target, earlier);
        let mut snapshot = agui::MessagesSnapshot::new(std::mem::take(&mut draft.messages));
        snapshot.metadata = self.metadata.take();
        let snapshot = agui::Event::from(snapshot);
        let bytes = snapshot.to_json().len();
        self.snapshot_bytes = self.snapshot_bytes.saturating_add(bytes);
        if bytes > Limits::DEFAULT.frame_bytes {
            for id in &draft.fresh {
                self.taken.remove(id);
            }
            (self.minted, self.kept_bytes, self.is_full) = (minted, kept_bytes, is_full);
            return false;
        }
        self.end_calls(out);
        out.extend([snapshot]);
        (self.parts, self.calls, self.places) = (draft.parts, draft.calls, draft.places);
        (self.bytes, self.is_full) = (draft.bytes, false);
        self.fits();
        true
    }

    fn draft(&mut self, target: Vec<Part>, earlier: &[agui::Message]) -> Draft {
        let mut draft = Draft { messages: earlier.to_vec(), ..Draft::default() };
        // The calls before that the text has again.
        let mut known = HashSet::new();
        for part in target {
            match part {
                Part::Text(text) if !text.trim().is_empty() => {
                    let content = text.trim_matches(['\n', '\r']);
                    draft.messages.push(agui::AssistantMessage::new(self.mint()).with_content(content).into());
                    draft.add(Put::Text(text));
                }
                Part::Thought(text) if !text.trim().is_empty() => {
                    let content = text.trim_matches(['\n', '\r']);
                    draft.messages.push(agui::ReasoningMessage::new(self.mint(), content).into());
                    draft.add(Put::Thought(text));
                }
                Part::Text(_) | Part::Thought(_) => {}
                Part::Call(said) => {
                    let place = self.places.get(&said.id).copied().filter(|place| known.insert(*place));
                    // One that was answered and has no result in the text is another call: its
                    // result may still come.
                    let is_same = |call: &&Call| call.result.is_none() || said.result.is_some();
                    let before = place.and_then(|place| self.calls.get(place)).filter(is_same);
                    let (id, is_told) = if let Some(call) = before {
                        (call.id.clone(), call.is_told)
                    } else {
                        let id = self.fresh(&said.id);
                        draft.fresh.push(id.clone());
                        (id.into(), false)
                    };
                    let (key, name, args, result) = (said.id, said.name, said.args, said.result);
                    let call = Call { id, key, name, args, result, is_ended: true, is_in_text: true, is_told };
                    let place = draft.add_call(call, self);
                    draft.add(Put::Call(place));
                }
            }
        }
        // What events have told of stays.
        for place in 0..self.calls.len() {
            let call = self.calls.get(place).filter(|call| call.is_told && !known.contains(&place));
            let Some(call) = call.filter(|call| self.places.get(&call.key) == Some(&place)) else { continue };
            let (key, name, args, result) = (call.key.clone(), call.name.clone(), None, None);
            let id = if call.result.is_none() {
                call.id.clone()
            } else {
                // Its answer is gone, and another may come.
                let id = self.fresh(&key);
                draft.fresh.push(id.clone());
                id.into()
            };
            let call = Call { id, key, name, args, result, is_ended: true, is_in_text: false, is_told: true };
            draft.add_call(call, self);
        }
        draft
    }
}

impl Draft {
    fn add(&mut self, put: Put) {
        let text = if let Put::Text(text) | Put::Thought(text) = &put { text.len() } else { 0 };
        self.bytes = self.bytes.saturating_add(text + PART_BYTES);
        self.parts.push(put);
    }

    /// Adds a call and its messages, whose ids `output` makes.
    fn add_call(&mut self, call: Call, output: &mut Output) -> usize {
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let bytes = call.key.len() + call.name.len() + size(&call.args) + size(&call.result) + PART_BYTES;
        self.bytes = self.bytes.saturating_add(bytes);
        let args = call.args.as_deref().unwrap_or("{}");
        let function = agui::FunctionCall::new(call.name.as_str(), args);
        let tool_call = agui::ToolCall::new(call.id.clone(), agui::ToolCallType::Function, function);
        self.messages.push(agui::AssistantMessage::new(output.mint()).with_tool_calls(vec![tool_call]).into());
        if let Some(result) = &call.result {
            self.messages.push(agui::ToolMessage::new(output.mint(), result.as_str(), call.id.clone()).into());
        }
        let place = self.calls.len();
        if !call.key.is_empty() {
            self.places.insert(call.key.clone(), place);
        }
        self.calls.push(call);
        place
    }
}
