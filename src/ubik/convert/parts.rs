//! What the text of a message consists of, and how much of it was put out.

use crate::agui::ToolCallId;
use crate::check::{Limits, tree};
use crate::ubik::markup::{Markup, Node, Piece, Step};

/// A part of the text of a message.
pub(super) enum Part {
    /// Text for the user.
    Text(String),
    Thought(String),
    Call(Said),
}

/// A tool call, as far as the text says.
pub(super) struct Said {
    pub(super) id: String,
    pub(super) name: String,
    /// What it was called with, as JSON text.
    pub(super) args: Option<String>,
    pub(super) result: Option<String>,
}

/// A part of the text that was put out.
#[derive(Clone)]
pub(super) enum Put {
    Text(String),
    Thought(String),
    /// The call at this place of the list.
    Call(usize),
}

/// A tool call that was put out.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) id: ToolCallId,
    /// The tool execution.
    pub(super) key: String,
    pub(super) name: String,
    pub(super) args: Option<String>,
    pub(super) result: Option<String>,
    /// No more arguments can come.
    pub(super) is_ended: bool,
    /// The text has it.
    pub(super) is_in_text: bool,
    /// Events have told of it.
    pub(super) is_told: bool,
}

impl Part {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Thought(text) => Some(text),
            Self::Call(_) => None,
        }
    }
}

/// The body of a call's input as JSON text: itself, or as a string what is not JSON.
pub(super) fn args(body: &str) -> String {
    let text = body.trim();
    if tree::Node::parse(text, Limits::DEFAULT.depth).is_ok() {
        text.to_owned()
    } else {
        serde_json::to_string(text).unwrap_or_default()
    }
}

/// What text in a block is.
#[derive(Clone, Copy)]
enum Place {
    Text,
    Thought,
    /// Beside the bodies of a call, whose tags stand in lines of their own; of a call in a thought, a part of that.
    Beside {
        is_thought: bool,
    },
    /// It is not shown: in a block of the structure.
    Hidden,
}

/// The parts of a text. As long as it is not final, a body without an end may go on.
pub(super) fn parts(markup: &Markup, is_final: bool) -> Vec<Part> {
    let mut collector = Collector { is_final, parts: Vec::new() };
    collector.collect(markup.nodes(), Place::Text);
    collector.parts
}

struct Collector {
    is_final: bool,
    parts: Vec<Part>,
}

impl Collector {
    /// Calls itself for what lies in blocks, which are never deep.
    fn collect(&mut self, nodes: &[Node], place: Place) {
        for node in nodes {
            match node {
                Node::Text(text) => self.add(text.as_str(), place),
                Node::Step(step) => self.collect_step(step),
                Node::Thinking(thinking) => self.collect(&thinking.block.children, Place::Thought),
                Node::Tool(tool) => {
                    let input = tool.input().filter(|body| self.is_final || body.close.is_some());
                    let result = tool.result().filter(|body| body.close.is_some());
                    self.parts.push(Part::Call(Said {
                        id: tool.id.as_str().to_owned(),
                        name: tool.name.as_str().to_owned(),
                        args: input.map(|body| args(body.content.as_str())),
                        result: result.map(|body| body.content.as_str().trim().to_owned()),
                    }));
                    let is_thought = matches!(place, Place::Thought | Place::Beside { is_thought: true });
                    self.collect(&tool.block.children, Place::Beside { is_thought });
                }
                Node::Checkpoint(_) | Node::InputRequired(_) | Node::Error(_) => {
                    self.collect(node.children(), Place::Hidden);
                }
                Node::SingleStepFlag(_)
                | Node::ToolInput(_)
                | Node::ToolResult(_)
                | Node::UserInput(_)
                | Node::ErrorJson(_)
                | Node::ToolEvent(_)
                | Node::StrayEnd(..) => {}
            }
        }
    }

    /// What stands in a step, without its title.
    fn collect_step(&mut self, step: &Step) {
        let title = step.title.as_ref().map(Piece::span);
        for child in &step.block.children {
            match (child, title) {
                (Node::Text(text), Some(title)) if text.span().start <= title.start && title.end <= text.span().end => {
                    let (text, start) = (text.as_str(), text.span().start);
                    self.add(text.get(..title.start - start).unwrap_or_default(), Place::Text);
                    self.add(text.get(title.end - start..).unwrap_or_default(), Place::Text);
                }
                _ => self.collect(std::slice::from_ref(child), Place::Text),
            }
        }
    }

    fn add(&mut self, text: &str, place: Place) {
        match place {
            Place::Text => self.parts.push(Part::Text(text.to_owned())),
            Place::Thought => self.parts.push(Part::Thought(text.to_owned())),
            Place::Beside { is_thought } if !text.trim_start().is_empty() => {
                self.add(text.trim_start(), if is_thought { Place::Thought } else { Place::Text });
            }
            Place::Beside { .. } | Place::Hidden => {}
        }
    }
}

/// What of a text was not put out yet.
pub(super) struct Rest {
    /// The part that goes on, and the byte in it.
    pub(super) part: usize,
    pub(super) byte: usize,
    /// The calls that were put out, by their places in the list and among the parts.
    pub(super) calls: Vec<(usize, usize)>,
}

/// What is left of a text, of which some was put out; `None` if that is not how it begins.
/// White space does not count.
pub(super) fn rest(target: &[Part], put: &[Put], calls: &[Call]) -> Option<Rest> {
    let mut reader = Reader { target, part: 0, byte: 0 };
    let mut found = Vec::new();
    for put in put {
        match put {
            Put::Text(text) => reader.pass(text, false)?,
            Put::Thought(text) => reader.pass(text, true)?,
            Put::Call(place) => found.push((*place, reader.pass_call(calls.get(*place)?)?)),
        }
    }
    Some(Rest { part: reader.part, byte: reader.byte, calls: found })
}

/// Reads the parts of a text.
struct Reader<'t> {
    target: &'t [Part],
    part: usize,
    byte: usize,
}

impl Reader<'_> {
    fn next_part(&mut self) {
        self.part += 1;
        self.byte = 0;
    }

    /// The next character of the part, behind white space.
    fn next_char(&mut self) -> Option<char> {
        let text = self.target.get(self.part)?.text()?;
        let rest = text.get(self.byte..).unwrap_or_default();
        let ahead = rest.trim_start();
        self.byte += rest.len() - ahead.len();
        ahead.chars().next()
    }

    /// Passes text; `None` if other text comes.
    fn pass(&mut self, text: &str, is_thought: bool) -> Option<()> {
        for expected in text.chars().filter(|c| !c.is_whitespace()) {
            let found = loop {
                match self.next_char() {
                    Some(found) => break found,
                    None => match self.target.get(self.part)? {
                        Part::Text(_) | Part::Thought(_) => self.next_part(),
                        Part::Call(_) => return None,
                    },
                }
            };
            let is_same = matches!(self.target.get(self.part), Some(Part::Thought(_))) == is_thought;
            if found != expected || !is_same {
                return None;
            }
            self.byte += found.len_utf8();
        }
        Some(())
    }

    /// Passes a call, which may have got more since it was put out. Gives its part.
    fn pass_call(&mut self, call: &Call) -> Option<usize> {
        loop {
            match self.target.get(self.part)? {
                Part::Text(_) | Part::Thought(_) => {
                    if self.next_char().is_some() {
                        return None;
                    }
                    self.next_part();
                }
                Part::Call(said) => {
                    let part = self.part;
                    let args_fit = call.args == said.args || (call.args.is_none() && !call.is_ended);
                    let result_fits = call.result == said.result || call.result.is_none();
                    self.next_part();
                    let is_same = call.key == said.id && call.name == said.name;
                    return (is_same && args_fit && result_fits).then_some(part);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<Put> {
        texts.iter().map(|text| Put::Text((*text).to_owned())).collect()
    }

    #[test]
    fn text_that_was_put_out_is_left_out() {
        let target = parts(
            &Markup::parse(
                "One \n<<STEP_START>>\nStep 1: x ✓\ntwo\n<<CHECKPOINT_START>>\nCheckpoint: c\n<<CHECKPOINT_END>> three<<STEP_END>>",
            ),
            true,
        );
        let place = |put: &[&str]| rest(&target, &texts(put), &[]).map(|rest| (rest.part, rest.byte));
        assert_eq!(place(&[]), Some((0, 0)));
        assert_eq!(place(&["On", "e"]), Some((0, 3)));
        assert_eq!(place(&["Onet"]), Some((2, 2)));
        assert_eq!(place(&["One", "two th"]), Some((3, 3)));
        for put in [&["Two"][..], &["One", "two three four"], &["Step"]] {
            assert_eq!(place(put), None, "{put:?}");
        }
        assert!(rest(&target, &[Put::Thought("One".to_owned())], &[]).is_none());
    }

    #[test]
    fn bodies_are_json() {
        for (body, expected) in
            [("\n{\"n\": 1.50}\n", "{\"n\": 1.50}"), ("2", "2"), ("{\"a\"", "\"{\\\"a\\\"\""), ("", "\"\"")]
        {
            assert_eq!(args(body), expected);
        }
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert_eq!(args(&deep), format!("\"{deep}\""));
    }
}
