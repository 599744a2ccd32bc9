//! The messages of the run as AG-UI has them, for MESSAGES_SNAPSHOT.

use std::collections::HashSet;

use crate::agui::{
    AssistantMessage, DeveloperMessage, FunctionCall, Message, MessageId, MessagesSnapshot, ReasoningMessage,
    SystemMessage, ToolCall, ToolCallId, ToolCallType, ToolMessage, UserMessage,
};
use crate::safe::tokens::contains_token;
use crate::wire::JsonObject;

/// How much is kept, in bytes of JSON text: clients take no frame of more than 10 MiB.
const BYTES: usize = 8 * 1024 * 1024;

/// What an entry takes beside its texts, in bytes.
const ENTRY: usize = 256;

/// How many snapshots there are before the end of the run, so that the output is not much
/// longer than the input.
const SNAPSHOTS: usize = 64;

/// Whose message it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    Developer,
    System,
    Assistant,
    Reasoning,
}

/// A message that is in no list yet.
pub(super) struct Said {
    pub(super) id: MessageId,
    pub(super) speaker: Speaker,
    pub(super) text: String,
    pub(super) metadata: Option<JsonObject>,
}

impl Said {
    pub(super) fn into_message(self) -> Message {
        let Self { id, speaker, text, metadata } = self;
        macro_rules! said {
            ($message:expr) => {{
                let mut message = $message;
                message.metadata = metadata;
                message.into()
            }};
        }
        match speaker {
            Speaker::User => said!(UserMessage::new(id, text)),
            Speaker::Developer => said!(DeveloperMessage::new(id, text)),
            Speaker::System => said!(SystemMessage::new(id, text)),
            Speaker::Assistant => said!(AssistantMessage::new(id).with_content(text)),
            Speaker::Reasoning => said!(ReasoningMessage::new(id, text)),
        }
    }
}

/// Where a call stands: its message, and its place in it.
#[derive(Clone, Copy)]
pub(super) struct CallPlace {
    message: usize,
    call: usize,
}

#[derive(Clone)]
struct Entry {
    id: MessageId,
    speaker: Speaker,
    /// The attempt that has made it, unless it is none of the model's.
    attempt: Option<u64>,
    text: String,
    calls: Vec<Call>,
    metadata: Option<JsonObject>,
    is_void: bool,
}

#[derive(Clone)]
struct Call {
    id: ToolCallId,
    name: String,
    arguments: String,
    metadata: Option<JsonObject>,
    answer: Option<Answer>,
}

/// What a tool has answered.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) id: MessageId,
    pub(super) content: String,
    pub(super) metadata: Option<JsonObject>,
}

#[derive(Clone, Default)]
pub(super) struct History {
    /// What the conversation had before the run.
    earlier: Vec<Message>,
    entries: Vec<Entry>,
    /// The first entry of the current attempt.
    fresh: usize,
    /// Reasoning that was put out and is void.
    void_reasoning: Option<MessageId>,
    bytes: usize,
    /// There was too much to be kept, and nothing is.
    is_lost: bool,
    /// What was put out is not what the messages are.
    is_dirty: bool,
    snapshots: usize,
}

impl History {
    /// Puts messages before those of the run.
    pub(super) fn follow(&mut self, earlier: Vec<Message>) {
        let bytes: usize = earlier.iter().map(|message| message.to_json().len()).sum();
        self.earlier = earlier;
        self.swap(0, bytes);
    }

    pub(super) const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Adds a message and gives its place. It stays the place of nothing else.
    pub(super) fn add(&mut self, id: MessageId, speaker: Speaker, attempt: Option<u64>) -> usize {
        if self.is_lost {
            return 0;
        }
        let place = self.entries.len();
        let bytes = ENTRY + json_bytes(id.as_str());
        let (text, calls) = (String::new(), Vec::new());
        self.entries.push(Entry { id, speaker, attempt, text, calls, metadata: None, is_void: false });
        self.swap(0, bytes);
        place
    }

    /// The text so far, if it is kept.
    pub(super) fn text(&self, place: usize) -> Option<&str> {
        self.entries.get(place).map(|entry| entry.text.as_str())
    }

    /// Appends what is put out.
    pub(super) fn append(&mut self, place: usize, text: &str) {
        if let Some(entry) = self.entries.get_mut(place) {
            entry.text.push_str(text);
            self.swap(0, json_bytes(text));
        }
    }

    /// Notes metadata that is put out; of a message the last one counts.
    pub(super) fn note(&mut self, place: usize, metadata: Option<JsonObject>) {
        let Some(metadata) = metadata else { return };
        let Some(entry) = self.entries.get_mut(place) else { return };
        let (old, new) = (size(entry.metadata.as_ref()), size(Some(&metadata)));
        entry.metadata = Some(metadata);
        self.swap(old, new);
    }

    /// Sets another text than was put out.
    pub(super) fn replace(&mut self, place: usize, text: &str) {
        let sizes = self.entries.get_mut(place).and_then(|entry| overwrite(&mut entry.text, text));
        self.differ(sizes);
    }

    /// Counts a text that is no longer what was put out, by its size before and now.
    fn differ(&mut self, sizes: Option<(usize, usize)>) {
        if let Some((old, new)) = sizes {
            self.is_dirty = true;
            self.swap(old, new);
        }
    }

    /// Sets other metadata than was put out.
    pub(super) fn replace_metadata(&mut self, place: usize, metadata: Option<JsonObject>) {
        let differs = |entry: &Entry| metadata.is_some() && entry.metadata != metadata;
        if self.entries.get(place).is_some_and(differs) {
            self.is_dirty = true;
            self.note(place, metadata);
        }
    }

    /// Adds a call to a message of the assistant.
    pub(super) fn add_call(
        &mut self,
        message: usize,
        id: ToolCallId,
        name: &str,
        metadata: Option<JsonObject>,
    ) -> CallPlace {
        let Some(entry) = self.entries.get_mut(message) else { return CallPlace { message, call: 0 } };
        let bytes = ENTRY + json_bytes(id.as_str()) + json_bytes(name) + size(metadata.as_ref());
        let place = CallPlace { message, call: entry.calls.len() };
        let (name, arguments) = (name.to_owned(), String::new());
        entry.calls.push(Call { id, name, arguments, metadata, answer: None });
        self.swap(0, bytes);
        place
    }

    fn call(&mut self, place: CallPlace) -> Option<&mut Call> {
        self.entries.get_mut(place.message)?.calls.get_mut(place.call)
    }

    /// Sets the name of a call, which may be another than was put out.
    pub(super) fn rename(&mut self, place: CallPlace, name: &str) {
        let sizes = self.call(place).and_then(|call| overwrite(&mut call.name, name));
        self.differ(sizes);
    }

    /// Notes the arguments that are put out.
    pub(super) fn fill(&mut self, place: CallPlace, arguments: &str, metadata: Option<JsonObject>) {
        let Some(call) = self.call(place) else { return };
        arguments.clone_into(&mut call.arguments);
        let mut old = 0;
        let new = json_bytes(arguments) + size(metadata.as_ref());
        if metadata.is_some() {
            old = size(call.metadata.as_ref());
            call.metadata = metadata;
        }
        self.swap(old, new);
    }

    /// Sets other arguments than were put out.
    pub(super) fn refill(&mut self, place: CallPlace, arguments: &str) {
        let sizes = self.call(place).and_then(|call| overwrite(&mut call.arguments, arguments));
        self.differ(sizes);
    }

    /// Notes the answer that is put out.
    pub(super) fn answer(&mut self, place: CallPlace, answer: Answer) {
        if let Some(call) = self.call(place) {
            let bytes = ENTRY
                + json_bytes(answer.id.as_str())
                + json_bytes(call.id.as_str())
                + json_bytes(&answer.content)
                + size(answer.metadata.as_ref());
            call.answer = Some(answer);
            self.swap(0, bytes);
        }
    }

    /// Sets another answer than was put out.
    pub(super) fn replace_answer(&mut self, place: CallPlace, content: &str) {
        let answer = self.call(place).and_then(|call| call.answer.as_mut());
        let sizes = answer.and_then(|answer| overwrite(&mut answer.content, content));
        self.differ(sizes);
    }

    /// From here on entries are of another attempt.
    pub(super) fn next_attempt(&mut self) {
        self.fresh = self.entries.len();
    }

    /// Drops what an attempt has made, which is the current one.
    pub(super) fn reset(&mut self, attempt: u64) {
        let mut freed = 0;
        for entry in self.entries.iter_mut().skip(self.fresh).filter(|entry| entry.attempt == Some(attempt)) {
            freed += entry.weight();
            (entry.text, entry.calls, entry.metadata) = (String::new(), Vec::new(), None);
            entry.is_void = true;
            self.is_dirty = true;
            if entry.speaker == Speaker::Reasoning {
                self.void_reasoning = Some(entry.id.clone());
            }
        }
        self.swap(freed, 0);
    }

    /// The snapshot that is due, if what was put out has changed.
    pub(super) fn snapshot(&mut self, is_last: bool) -> Option<MessagesSnapshot> {
        if !self.is_dirty || (self.snapshots >= SNAPSHOTS && !is_last) {
            return None;
        }
        self.is_dirty = false;
        self.snapshots += 1;
        Some(MessagesSnapshot::new(self.messages()))
    }

    fn messages(&self) -> Vec<Message> {
        let mut own = Vec::new();
        for entry in self.entries.iter().filter(|entry| !entry.is_void) {
            entry.write(&mut own);
        }
        let ids: HashSet<&MessageId> = own.iter().filter_map(Message::id).collect();
        let is_other = |message: &&Message| message.id().is_none_or(|id| !ids.contains(id));
        let mut messages: Vec<Message> = self.earlier.iter().filter(is_other).cloned().collect();
        messages.extend(own);
        // By a list without any reasoning clients keep what they have of it.
        let has_reasoning = messages.iter().any(|message| matches!(message, Message::Reasoning(_)));
        if let Some(id) = self.void_reasoning.clone().filter(|_| !has_reasoning) {
            messages.push(ReasoningMessage::new(id, "").into());
        }
        messages
    }

    /// Counts bytes. What is more than can be kept is not kept.
    fn swap(&mut self, old: usize, new: usize) {
        self.bytes = self.bytes.saturating_sub(old).saturating_add(new);
        if self.bytes > BYTES {
            *self = Self { is_lost: true, ..Self::default() };
        }
    }
}

impl Entry {
    fn write(&self, messages: &mut Vec<Message>) {
        // Pieces can come together to a credential that none of them was.
        let text = if contains_token(&self.text) { String::new() } else { self.text.clone() };
        let (id, speaker, metadata) = (self.id.clone(), self.speaker, self.metadata.clone());
        if self.calls.is_empty() {
            messages.push(Said { id, speaker, text, metadata }.into_message());
            return;
        }
        let mut message = AssistantMessage::new(id);
        message.content = Some(text).filter(|text| !text.is_empty());
        message.tool_calls = Some(self.calls.iter().map(Call::written).collect());
        message.metadata = metadata;
        messages.push(message.into());
        messages.extend(self.calls.iter().filter_map(Call::answered));
    }

    /// What it takes that goes when it is void.
    fn weight(&self) -> usize {
        json_bytes(&self.text) + size(self.metadata.as_ref()) + self.calls.iter().map(Call::weight).sum::<usize>()
    }
}

impl Call {
    fn written(&self) -> ToolCall {
        let function = FunctionCall::new(self.name.as_str(), self.arguments.as_str());
        let mut call = ToolCall::new(self.id.clone(), ToolCallType::Function, function);
        call.metadata.clone_from(&self.metadata);
        call
    }

    fn answered(&self) -> Option<Message> {
        let answer = self.answer.as_ref()?;
        let mut message = ToolMessage::new(answer.id.clone(), answer.content.as_str(), self.id.clone());
        message.metadata.clone_from(&answer.metadata);
        Some(message.into())
    }

    fn weight(&self) -> usize {
        let texts = [&self.name, &self.arguments].into_iter().chain(self.answer.as_ref().map(|answer| &answer.content));
        let metadata = [Some(&self.metadata), self.answer.as_ref().map(|answer| &answer.metadata)];
        texts.map(|text| json_bytes(text)).sum::<usize>()
            + metadata.into_iter().flatten().map(|metadata| size(metadata.as_ref())).sum::<usize>()
    }
}

fn size(metadata: Option<&JsonObject>) -> usize {
    metadata.map_or(0, |metadata| metadata.as_str().len())
}

/// The size of a text as a JSON string.
fn json_bytes(text: &str) -> usize {
    let sizes = text.bytes().map(|byte| match byte {
        0..=0x1F => 6,
        b'"' | b'\\' => 2,
        _ => 1,
    });
    sizes.sum()
}

/// Sets a text, and gives its size as a JSON string before and now if it was another.
fn overwrite(own: &mut String, text: &str) -> Option<(usize, usize)> {
    if own == text {
        return None;
    }
    let old = json_bytes(own);
    text.clone_into(own);
    Some((old, json_bytes(text)))
}
