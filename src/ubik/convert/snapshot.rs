//! A full text in the place of what was put out.

use std::collections::{HashMap, HashSet};

use super::parts::{Call, Part, Put};
use super::put::{Output, PART_BYTES};
use crate::agui::{self, ToolCallId};
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
    fresh: Vec<ToolCallId>,
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
                self.ids.release(id);
            }
            (self.minted, self.kept_bytes, self.is_full) = (minted, kept_bytes, is_full);
            return false;
        }
        self.end_calls(out);
        out.extend([snapshot]);
        for call in draft.calls.iter().filter(|call| call.result.is_some()) {
            self.ids.answer(&call.id);
        }
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
                    let before = place.and_then(|place| self.calls.get(place));
                    let is_told = before.is_some_and(|call| call.is_told);
                    let before = before.map(|call| call.id.clone());
                    let id = self.id_again(before, &said.id, said.result.is_some(), &mut draft.fresh);
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
            let Some(call) = call.filter(|call| !draft.places.contains_key(&call.key)) else { continue };
            let (before, key, name) = (call.id.clone(), call.key.clone(), call.name.clone());
            let id = self.id_again(Some(before), &key, false, &mut draft.fresh);
            let (args, result) = (None, None);
            let call = Call { id, key, name, args, result, is_ended: true, is_in_text: false, is_told: true };
            draft.add_call(call, self);
        }
        draft
    }

    /// The id of a call in a snapshot: the one before, if there is one. If that has its result,
    /// and the snapshot has none, it is another call whose result may still come.
    fn id_again(
        &mut self,
        before: Option<ToolCallId>,
        key: &str,
        has_result: bool,
        fresh: &mut Vec<ToolCallId>,
    ) -> ToolCallId {
        if let Some(id) = before.filter(|id| has_result || !self.ids.has_result(id)) {
            return id;
        }
        let id = self.fresh(key);
        fresh.push(id.clone());
        id
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
