//! The text of a message, built event by event.

use std::collections::HashMap;
use std::sync::OnceLock;

use memchr::memmem;

use super::lane::{Item, Lane, Question};
use crate::ubik::events::{AgentProcessingError, AgentStepCompleted, AgentStepStarted, Event, InputType};
use crate::ubik::markup::Parser;
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
            Event::InputRequired(input) => {
                let (input, answer) = (input.clone(), kept.answer.clone());
                self.block(Item::Question(Box::new(Question { input, answer })));
            }
            Event::AgentProcessingError(error) => {
                self.error = Some(error.clone());
                self.text.take();
            }
            _ => {}
        }
    }

    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut text = String::new();
            self.write(true, &mut text);
            text
        })
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
            title: start.title(),
            is_single: start.single_step_agent,
            is_done: false,
            lane: Lane::default(),
        }));
        self.text.take();
    }

    fn complete(&mut self, completed: &AgentStepCompleted) {
        if let Some(place) = self.steps.get(&completed.step).copied()
            && let Some(Part::Step(step)) = self.parts.get_mut(place)
        {
            step.is_done = completed.completed;
            self.open.take_if(|open| *open == place);
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

    /// Writes the text; without the error as it would be if none had come.
    pub(super) fn write(&self, with_error: bool, out: &mut impl Writer) {
        let mut error = self.error.as_ref().filter(|_| with_error);
        let has_error = error.is_some();
        let last = self.last();
        for (place, part) in self.parts.iter().enumerate() {
            out.begin_line();
            let is_last = Some(place) == last;
            match part {
                Part::Main(lane) => lane.write(error.take_if(|_| is_last && lane.ends_in_checkpoint()), out),
                Part::Step(step) => {
                    let is_open = is_last && self.open == last;
                    let inside = error.take_if(|_| is_open && step.lane.ends_in_checkpoint());
                    // Behind the end of a step stands what is not of it, an error too.
                    let goes_on = is_open && !has_error;
                    step.write(inside, goes_on, out);
                }
            }
        }
        if let Some(error) = error {
            out.begin_line();
            write_error(error, out);
        }
    }
}

/// Takes the text of a message: the text itself, or the tree of it.
pub(super) trait Writer {
    /// Takes text of the agent, and tags.
    fn text(&mut self, text: &str);

    /// Takes text in which nothing is a tag.
    fn plain(&mut self, text: &str);

    /// A block begins, or a step ends: on a line of its own, and outside of what the agent has left open.
    fn begin_line(&mut self);
}

impl Writer for String {
    fn text(&mut self, text: &str) {
        self.push_str(text);
    }

    fn plain(&mut self, text: &str) {
        self.push_str(text);
    }

    fn begin_line(&mut self) {
        if !self.is_empty() && !self.ends_with('\n') {
            self.push('\n');
        }
    }
}

impl Writer for Parser {
    fn text(&mut self, text: &str) {
        self.push(text);
    }

    fn plain(&mut self, text: &str) {
        self.push_plain(text);
    }

    fn begin_line(&mut self) {
        if !Self::text(self).is_empty() && !Self::text(self).ends_with('\n') {
            self.push("\n");
        }
        self.break_off();
    }
}

impl Lane {
    fn ends_in_checkpoint(&self) -> bool {
        matches!(self.items().last(), Some(Item::Checkpoint(_)))
    }

    /// Writes it; the error goes into the checkpoint at its end.
    fn write(&self, mut error: Option<&AgentProcessingError>, out: &mut impl Writer) {
        for (place, item) in self.items().iter().enumerate() {
            out.begin_line();
            let is_last = place + 1 == self.items().len();
            write_item(item, error.take_if(|_| is_last), out);
        }
    }
}

impl StepPart {
    fn write(&self, error: Option<&AgentProcessingError>, goes_on: bool, out: &mut impl Writer) {
        out.text("<<STEP_START>>\n");
        out.plain(&self.title);
        out.text(if self.is_done { " ✓\n" } else { "\n" });
        if self.is_single {
            out.text("<<SINGLE_STEP_FLAG>>\n");
        }
        self.lane.write(error, out);
        if !goes_on {
            out.begin_line();
            out.text("<<STEP_END>>");
        }
    }
}

/// Writes the block of a question, as samples have it: with the answer there is no checkpoint.
fn write_question(question: &Question, out: &mut impl Writer) {
    let Question { input, answer } = question;
    out.text("<<INPUT_REQUIRED_START>>\n");
    out.plain(&input.prompt);
    out.text("\nExpected input types: ");
    let kinds: Vec<_> = input.input_types.iter().map(InputType::as_str).collect();
    out.plain(&kinds.join(", "));
    if let Some(answer) = answer {
        out.text("\n\n<<USER_INPUT_PROVIDED_START>>\n");
        out.text(answer);
        out.text("\n<<USER_INPUT_PROVIDED_END>>\n");
    } else {
        out.text("\ncheckpoint_name: ");
        out.plain(&input.checkpoint_name);
        out.text("\n");
    }
    out.text("<<INPUT_REQUIRED_END>>");
}

/// Writes an item; the error goes into a checkpoint only.
fn write_item(item: &Item, error: Option<&AgentProcessingError>, out: &mut impl Writer) {
    match item {
        Item::Text(text) => out.text(text),
        Item::Question(question) => write_question(question, out),
        Item::Checkpoint(name) => {
            out.text("<<CHECKPOINT_START>>\nCheckpoint: ");
            out.plain(name);
            out.text("\n");
            if let Some(error) = error {
                write_error(error, out);
                out.text("\n");
            }
            out.text("<<CHECKPOINT_END>>");
        }
    }
}

fn write_error(error: &AgentProcessingError, out: &mut impl Writer) {
    out.text("<<ERROR_START>>\nError: ");
    out.plain(&error.error);
    out.text("\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n{\n  \"error\": ");
    out.text(&json(&error.error));
    out.text(",\n  \"traceback\": ");
    out.text(&json(&error.traceback));
    out.text(",\n  \"timestamp\": ");
    out.text(&json(&error.timestamp));
    out.text("\n}\n<<ERROR_JSON_END>>");
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
