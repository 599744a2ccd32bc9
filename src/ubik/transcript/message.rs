//! The text of a message, built event by event.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use memchr::memmem;

use super::lane::{Item, Lane};
use crate::ubik::events::{AgentProcessingError, AgentStepCompleted, AgentStepStarted, Event, InputRequired};
use crate::wire::Integer;

/// An event that is kept.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) event: Event,
    /// The size of the event, and of the answer, in bytes of JSON.
    pub(super) bytes: usize,
    /// The user's answer to a question, as the body of its block.
    pub(super) answer: Option<Box<str>>,
}

/// The message as its parts. Which text they make depends on nothing else.
#[derive(Clone, Default)]
pub(super) struct Message {
    parts: Vec<Part>,
    /// The part of the open step.
    open: Option<usize>,
    /// The parts of the steps, by number; of one that was started again the last.
    steps: HashMap<Integer, usize>,
    error: Option<AgentProcessingError>,
    /// The final text is there.
    is_final: bool,
    text: OnceLock<String>,
}

#[derive(Clone)]
enum Part {
    /// What lies between steps.
    Main(Lane),
    Step(StepPart),
}

#[derive(Clone)]
struct StepPart {
    number: Integer,
    title: String,
    is_single: bool,
    is_done: bool,
    lane: Lane,
}

impl Message {
    /// Takes the next event in the order of time.
    pub(super) fn apply(&mut self, kept: &Kept) {
        match &kept.event {
            Event::AgentProcessingComplete(complete) => {
                self.replace(&complete.content);
                self.is_final = true;
            }
            _ if self.is_final => {}
            Event::AgentResponseUpdate(update) => self.replace(&update.content),
            Event::ResponseChunk(chunk) | Event::AgentResponseChunk(chunk) => {
                self.chunk(chunk.step.as_ref(), &chunk.content);
            }
            Event::AgentStepStarted(start) => self.start(start),
            Event::AgentStepCompleted(completed) => self.complete(completed),
            Event::CheckpointCreated(created) => self.block(Item::Checkpoint(created.checkpoint_name.clone())),
            Event::InputRequired(input) => self.block(Item::Input(question(input, kept.answer.as_deref()))),
            Event::AgentProcessingError(error) => {
                self.error = Some(error.clone());
                self.text.take();
            }
            _ => {}
        }
    }

    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| self.write(self.error.as_ref()))
    }

    /// The text as it would be if no error had come.
    pub(super) fn text_without_error(&self) -> Cow<'_, str> {
        if self.error.is_some() { self.write(None).into() } else { self.text().into() }
    }

    fn replace(&mut self, content: &str) {
        *self = Self::default();
        if !content.is_empty() {
            self.main_text(content);
        }
    }

    fn last(&self) -> Option<usize> {
        self.parts.len().checked_sub(1)
    }

    fn start(&mut self, start: &AgentStepStarted) {
        self.open = Some(self.parts.len());
        self.steps.insert(start.step.clone(), self.parts.len());
        self.parts.push(Part::Step(StepPart {
            number: start.step.clone(),
            title: start.title(),
            is_single: start.single_step_agent,
            is_done: false,
            lane: Lane::default(),
        }));
        self.text.take();
    }

    fn complete(&mut self, completed: &AgentStepCompleted) {
        if let Some(place) = self.open
            && let Some(Part::Step(step)) = self.parts.get_mut(place)
            && step.number == completed.step
        {
            step.is_done = completed.completed;
            self.open = None;
            self.text.take();
        }
    }

    /// Adds text to its step, or to the end of the message.
    fn chunk(&mut self, step: Option<&Integer>, content: &str) {
        if content.is_empty() {
            return;
        }
        let place = step.and_then(|step| self.steps.get(step)).copied();
        let is_at_end = match place {
            Some(place) => self.step_text(place, content),
            None => self.main_text(content),
        };
        if is_at_end
            && self.error.is_none()
            && let Some(text) = self.text.get_mut()
        {
            text.push_str(content);
        } else {
            self.text.take();
        }
    }

    /// Adds text to a step. Gives whether that only makes the message longer.
    fn step_text(&mut self, place: usize, content: &str) -> bool {
        let is_open = self.open == Some(place) && self.last() == Some(place);
        let Some(Part::Step(step)) = self.parts.get_mut(place) else { return false };
        step.lane.push_text(content) && is_open
    }

    /// Adds text behind all steps. Gives whether that only makes the message longer.
    fn main_text(&mut self, content: &str) -> bool {
        if let Some(Part::Main(lane)) = self.parts.last_mut() {
            return lane.push_text(content);
        }
        self.parts.push(Part::Main(Lane::of(Item::Text(content.to_owned()))));
        false
    }

    /// Adds a block to the end of the message, inside of the step that is open there.
    fn block(&mut self, item: Item) {
        let is_in_step = self.open.is_some() && self.open == self.last();
        match self.parts.last_mut() {
            Some(Part::Step(step)) if is_in_step => step.lane.push_block(item),
            Some(Part::Main(lane)) => lane.push_block(item),
            _ => self.parts.push(Part::Main(Lane::of(item))),
        }
        self.text.take();
    }

    fn write(&self, mut error: Option<&AgentProcessingError>) -> String {
        let mut out = String::new();
        let has_error = error.is_some();
        let last = self.last();
        for (place, part) in self.parts.iter().enumerate() {
            begin_line(&mut out);
            let is_last = Some(place) == last;
            match part {
                Part::Main(lane) => lane.write(error.take_if(|_| is_last && lane.ends_in_checkpoint()), &mut out),
                Part::Step(step) => {
                    let is_open = is_last && self.open == last;
                    let inside = error.take_if(|_| is_open && step.lane.ends_in_checkpoint());
                    // Behind the end of a step stands what is not of it, an error too.
                    let goes_on = is_open && !has_error;
                    step.write(inside, goes_on, &mut out);
                }
            }
        }
        if let Some(error) = error {
            begin_line(&mut out);
            write_error(error, &mut out);
        }
        out
    }
}

impl Lane {
    fn ends_in_checkpoint(&self) -> bool {
        matches!(self.items().last(), Some(Item::Checkpoint(_)))
    }

    /// Writes it; the error goes into the checkpoint at its end.
    fn write(&self, mut error: Option<&AgentProcessingError>, out: &mut String) {
        for (place, item) in self.items().iter().enumerate() {
            begin_line(out);
            let is_last = place + 1 == self.items().len();
            write_item(item, error.take_if(|_| is_last), out);
        }
    }
}

impl StepPart {
    fn write(&self, error: Option<&AgentProcessingError>, goes_on: bool, out: &mut String) {
        out.push_str("<<STEP_START>>\n");
        out.push_str(&self.title);
        out.push_str(if self.is_done { " ✓\n" } else { "\n" });
        if self.is_single {
            out.push_str("<<SINGLE_STEP_FLAG>>\n");
        }
        self.lane.write(error, out);
        if !goes_on {
            begin_line(out);
            out.push_str("<<STEP_END>>");
        }
    }
}

/// Ends the line that `out` ends with, if it is not empty.
fn begin_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// The block of a question, as samples have it: with the answer there is no checkpoint.
fn question(input: &InputRequired, answer: Option<&str>) -> String {
    let mut out = String::from("<<INPUT_REQUIRED_START>>\n");
    out.push_str(&input.prompt);
    out.push_str("\nExpected input types: ");
    for (place, kind) in input.input_types.iter().enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        out.push_str(kind.as_str());
    }
    if let Some(answer) = answer {
        out.push_str("\n\n<<USER_INPUT_PROVIDED_START>>\n");
        out.push_str(answer);
        out.push_str("\n<<USER_INPUT_PROVIDED_END>>\n");
    } else {
        out.push_str("\ncheckpoint_name: ");
        out.push_str(&input.checkpoint_name);
        out.push('\n');
    }
    out.push_str("<<INPUT_REQUIRED_END>>");
    out
}

/// Writes an item; the error goes into a checkpoint only.
fn write_item(item: &Item, error: Option<&AgentProcessingError>, out: &mut String) {
    match item {
        Item::Text(text) | Item::Input(text) => out.push_str(text),
        Item::Checkpoint(name) => {
            out.push_str("<<CHECKPOINT_START>>\nCheckpoint: ");
            out.push_str(name);
            out.push('\n');
            if let Some(error) = error {
                write_error(error, out);
                out.push('\n');
            }
            out.push_str("<<CHECKPOINT_END>>");
        }
    }
}

fn write_error(error: &AgentProcessingError, out: &mut String) {
    out.push_str("<<ERROR_START>>\nError: ");
    out.push_str(&error.error);
    out.push_str("\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n{\n  \"error\": ");
    out.push_str(&json(&error.error));
    out.push_str(",\n  \"traceback\": ");
    out.push_str(&json(&error.traceback));
    out.push_str(",\n  \"timestamp\": ");
    out.push_str(&json(&error.timestamp));
    out.push_str("\n}\n<<ERROR_JSON_END>>");
}

/// Text as a JSON string in which no tag begins, so that none ends the body that it is written into.
pub(super) fn json(text: &str) -> String {
    without_tags(&serde_json::to_string(text).unwrap_or_default())
}

/// JSON with the same values, in whose strings no tag begins.
pub(super) fn without_tags(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = memmem::find(rest.as_bytes(), b"<<") {
        let (before, tag) = rest.split_at(at);
        let (first, behind) = tag.split_at(1);
        let is_tag = behind.get(1..).is_some_and(begins_name);
        out.push_str(before);
        out.push_str(if is_tag { "\\u003c" } else { first });
        rest = behind;
    }
    out + rest
}

fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic())
}
