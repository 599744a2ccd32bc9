//! The bodies of tool calls in the text of an answer, looked into for keys that name secrets.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::super::facts::CONTENT;
use super::super::markup::{self, Markup};
use super::super::rules;
use super::super::scan::{Nowhere, Piece, Scanner};
use super::text;
use crate::check::facts::FactKind;
use crate::check::history::{Bounded, Keys};
use crate::check::leaks::walk_exposed_keys;
use crate::check::order::Arrival;
use crate::check::tree::Node;
use crate::check::{Limits, Secrets};
use crate::safe::{Label, show};
use crate::wire::path::{Path, Trail};

/// The text of an answer, as far as a body of a call may still come to its end.
///
/// A body is looked into when its end tag comes, and reported once, however often full texts
/// repeat it. Chunks go on as in the conversion to AG-UI: those of a step behind one another,
/// all others behind one another until the next step begins.
#[derive(Clone, Default)]
pub(super) struct Bodies {
    keys: Keys,
    depth: u16,
    /// Where text goes on that is of no step.
    main: Lane,
    /// The same for each step that has begun since the last full text, by its key.
    steps: Bounded<Option<Box<Lane>>>,
    /// What the lanes hold, in bytes, and the most that they may.
    held: usize,
    bound: usize,
    /// A lane was given up at the bound, or a copy was not made.
    is_full: bool,
    /// What was reported.
    reported: Bounded<()>,
    /// The same if chunks that are equal to earlier ones are new. Which is right is not known.
    with_repeats: Option<Box<Self>>,
    /// About how many bytes have come since that was copied.
    since_copy: usize,
}

/// Text that goes on behind what came before.
#[derive(Clone, Default)]
struct Lane {
    scanner: Scanner,
    /// The call that is open.
    call: Option<Call>,
}

/// A tool call: the key of its id, and how messages name it.
#[derive(Clone, Copy)]
struct Call {
    id: u64,
    label: Label,
}

/// The input or the result of a call.
struct Body<'t> {
    call: Call,
    part: &'static str,
    text: Cow<'t, str>,
}

/// About how many bytes an event has besides its text.
const EVENT: usize = 64;

/// What the copy of a step counts for, in bytes: less than the event that began it, so that a first copy is always made.
const LANE: usize = 16;

const INPUT: &str = "input";
const RESULT: &str = "result";

impl Bodies {
    pub(super) fn new(limits: Limits) -> Self {
        let (steps, reported) = (Bounded::new(limits.history), Bounded::new(limits.history));
        Self { depth: limits.depth, steps, bound: limits.text_bytes, reported, ..Self::default() }
    }

    /// Whether a tag has begun, to which the next chunk belongs.
    pub(super) fn holds(&self) -> bool {
        self.held > 0 || self.with_repeats.as_ref().is_some_and(|other| other.holds())
    }

    /// Whether the text of a chunk has to be read: most is no part of a tag or body.
    pub(super) fn wants(&self, text: &str) -> bool {
        self.holds() || may_have_tags(text)
    }

    /// Takes the text of a chunk, and the key of its step.
    pub(super) fn chunk(&mut self, step: Option<u64>, text: &str, arrival: &mut Arrival<'_, '_, '_>) {
        self.since_copy += EVENT + text.len();
        let bodies = self.read(step, text);
        // The reading that has shown a secret is the right one.
        if self.report(bodies, arrival) {
            self.with_repeats = None;
        } else if let Some(other) = self.with_repeats.take() {
            self.read_otherwise(other, step, text, arrival);
        }
    }

    /// Takes the text of a chunk in the other reading, which from then on is this one if it shows a secret.
    fn read_otherwise(
        &mut self,
        mut other: Box<Self>,
        step: Option<u64>,
        text: &str,
        arrival: &mut Arrival<'_, '_, '_>,
    ) {
        let bodies = other.read(step, text);
        if self.report(bodies, arrival) {
            other.reported = std::mem::take(&mut self.reported);
            *self = *other;
        } else {
            self.with_repeats = Some(other);
        }
    }

    /// Takes the text of a chunk that is equal to an earlier one, and may have come again or be new.
    pub(super) fn again(&mut self, step: Option<u64>, text: &str, arrival: &mut Arrival<'_, '_, '_>) {
        self.since_copy += EVENT + text.len();
        if let Some(other) = self.with_repeats.take().or_else(|| self.copy()) {
            self.read_otherwise(other, step, text, arrival);
        }
    }

    /// A copy, unless so little has come since the last one that copies would cost more than what comes.
    fn copy(&mut self) -> Option<Box<Self>> {
        if self.since_copy < self.held + LANE * self.steps.len() {
            self.is_full = true;
            return None;
        }
        self.since_copy = 0;
        // What was reported is known here.
        let reported = std::mem::take(&mut self.reported);
        let other = Box::new(self.clone());
        self.reported = reported;
        Some(other)
    }

    fn read(&mut self, step: Option<u64>, text: &str) -> Vec<Body<'static>> {
        let lane: &mut Lane = match step.and_then(|step| self.steps.get_mut(step)) {
            Some(lane) => lane.get_or_insert_default(),
            None => &mut self.main,
        };
        let before = lane.holds();
        let bodies = lane.read(text, &self.keys);
        self.held = self.held - before + lane.holds();
        if self.held > self.bound {
            self.held -= lane.holds();
            *lane = Lane::default();
            self.is_full = true;
        }
        bodies
    }

    /// A step begins: what is of no step goes on behind it.
    pub(super) fn start(&mut self, step: Option<u64>, arrival: &mut Arrival<'_, '_, '_>) {
        self.since_copy += EVENT;
        let readings = [Some(self.leave(step)), self.with_repeats.as_mut().map(|other| other.leave(step))];
        for left in readings.into_iter().flatten() {
            let trees: Vec<_> = left.iter().filter_map(Lane::unclosed).collect();
            if self.report(inside(&trees, &self.keys), arrival) {
                break;
            }
        }
    }

    /// The texts that do not go on when a step begins.
    fn leave(&mut self, step: Option<u64>) -> Vec<Lane> {
        let main = std::mem::take(&mut self.main);
        let before = step.and_then(|step| match self.steps.get_mut(step) {
            Some(lane) => lane.take(),
            None => self.steps.insert_new(step, None).and_then(|(_, lane)| lane),
        });
        let left: Vec<_> = before.map(|lane| *lane).into_iter().chain([main]).collect();
        self.held -= left.iter().map(Lane::holds).sum::<usize>();
        left
    }

    /// A step is completed: the beginning of a tag at its end is none.
    pub(super) fn complete(&mut self, step: Option<u64>) {
        if let Some(other) = &mut self.with_repeats {
            other.complete(step);
        }
        let Some(Some(lane)) = step.and_then(|step| self.steps.get_mut(step)) else { return };
        self.held -= lane.holds();
        lane.scanner.flush(&mut Nowhere);
        self.held += lane.holds();
    }

    /// Takes a full text, as a tree if it has tools.
    pub(super) fn whole(&mut self, tree: Option<&Markup>, arrival: &mut Arrival<'_, '_, '_>) {
        let bodies = tree.map(|tree| Body::of_tools(tree, &self.keys)).unwrap_or_default();
        self.report(bodies, arrival);
    }

    /// A full text replaces what has come: chunks go on behind it.
    pub(super) fn replace(&mut self, content: &str, arrival: &mut Arrival<'_, '_, '_>) {
        self.fail(arrival);
        self.reset(content);
    }

    fn reset(&mut self, content: &str) {
        (self.main, self.held, self.with_repeats) = (Lane::default(), 0, None);
        self.steps.clear();
        if may_have_tags(content) {
            self.main.read(content, &self.keys);
            self.held = self.main.holds();
        }
        if self.held > self.bound {
            (self.main, self.held, self.is_full) = (Lane::default(), 0, true);
        }
    }

    /// The task has failed, or another one begins: no body gets an end tag any more.
    pub(super) fn fail(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        for trees in self.readings().collect::<Vec<_>>() {
            if self.report(inside(&trees, &self.keys), arrival) {
                break;
            }
        }
    }

    /// The same at the end of the stream: what is to be said.
    pub(super) fn finish(&self, secrets: &Secrets) -> Vec<String> {
        let said = self.readings().map(|trees| {
            let leaks = leaks(inside(&trees, &self.keys), &self.keys, self.depth, secrets);
            leaks.filter(|(key, _)| !self.reported.contains(*key)).map(|(_, message)| message).collect::<Vec<_>>()
        });
        said.into_iter().find(|said| !said.is_empty()).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.reset("");
        self.reported.clear();
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        let other = self.with_repeats.as_mut().is_some_and(|other| other.has_forgotten());
        std::mem::take(&mut self.is_full) | self.steps.take_overflow() | other
    }

    /// The bodies without an end tag, as trees, and the calls that they are of.
    fn unclosed(&self) -> Vec<(Option<Call>, Markup)> {
        let lanes = self.steps.values().flatten().map(|lane| &**lane).chain([&self.main]);
        lanes.filter_map(Lane::unclosed).collect()
    }

    /// The same without and with chunks that are equal to earlier ones.
    fn readings(&self) -> impl Iterator<Item = Vec<(Option<Call>, Markup)>> {
        std::iter::once(self).chain(self.with_repeats.as_deref()).map(Self::unclosed)
    }

    /// Reports what bodies give away, once; whether there was anything.
    fn report(&mut self, bodies: Vec<Body<'_>>, arrival: &mut Arrival<'_, '_, '_>) -> bool {
        let mut found = false;
        for (key, message) in leaks(bodies, &self.keys, self.depth, arrival.report.secrets) {
            if self.reported.insert(key, ()).is_some() {
                continue;
            }
            found = true;
            let facts = arrival.facts;
            let (path, span) = if facts.kind(CONTENT) == FactKind::Absent {
                (Path::default(), facts.tag_span(arrival.tag))
            } else {
                (Path::of("content"), facts.span(CONTENT))
            };
            arrival.report.add(&rules::SECRET_KEY, &path, span, message);
        }
        found
    }
}

/// What there is to look into in bodies without an end tag, in a fixed order, and in those of the same call that follow.
fn inside<'t>(trees: &'t [(Option<Call>, Markup)], keys: &Keys) -> Vec<Body<'t>> {
    use markup::Node as N;
    let mut bodies = Vec::new();
    for (call, tree) in trees {
        for node in tree.nodes() {
            let (part, body) = match node {
                N::ToolInput(body) => (INPUT, body),
                // Without an end tag it is no result.
                N::ToolResult(body) if body.close.is_some() => (RESULT, body),
                N::Tool(_) | N::Step(_) | N::StrayEnd(..) => break,
                _ => continue,
            };
            bodies.extend(call.map(|call| Body { call, part, text: body.content.as_str().into() }));
        }
        bodies.extend(Body::of_tools(tree, keys));
    }
    bodies.sort_unstable_by(|a, b| (a.call.label.id(), a.part, &a.text).cmp(&(b.call.label.id(), b.part, &b.text)));
    bodies
}

/// What is to be said of the bodies of calls in a whole text that give secrets away.
pub(in crate::ubik) fn leaks_in(text: &str, depth: u16, secrets: &Secrets) -> Vec<String> {
    let (tree, keys) = (text::with_tools(text), Keys::default());
    let bodies = tree.iter().flat_map(|tree| Body::of_tools(tree, &keys)).collect();
    leaks(bodies, &keys, depth, secrets).map(|(_, message)| message).collect()
}

/// The bodies that give secrets away: their keys, and what is to be said.
fn leaks(bodies: Vec<Body<'_>>, keys: &Keys, depth: u16, secrets: &Secrets) -> impl Iterator<Item = (u64, String)> {
    bodies.into_iter().filter_map(move |Body { call, part, text }| {
        let text = text.trim();
        let name = exposed_key(text, depth, secrets)?;
        let (name, label) = (show(&name), call.label);
        let message = format!("the key {name} in the {part} of tool call {label} names a secret");
        Some((keys.of((call.id, part, text)), message))
    })
}

impl Lane {
    /// Reads on, and gives the bodies that have come to their end.
    fn read(&mut self, text: &str, keys: &Keys) -> Vec<Body<'static>> {
        let (mut pieces, mut bodies) = (Vec::new(), Vec::new());
        self.scanner.push(text, &mut pieces);
        for piece in pieces {
            let (part, text) = match piece {
                Piece::Input(text) => (INPUT, text),
                Piece::Result(text) => (RESULT, text),
                Piece::Call { id, name } => {
                    self.call = Some(Call::of(&id, &name, keys));
                    continue;
                }
                Piece::CallEnd => {
                    self.call = None;
                    continue;
                }
                Piece::Text(_) | Piece::Thought(_) | Piece::ThoughtEnd => continue,
            };
            bodies.extend(self.call.map(|call| Body { call, part, text: text.into() }));
        }
        bodies
    }

    /// The body without an end tag, as a tree, and the call that is open.
    fn unclosed(&self) -> Option<(Option<Call>, Markup)> {
        Some((self.call, self.scanner.unclosed()?))
    }

    /// What it holds, in bytes; 0 if text without tags makes no difference to it.
    fn holds(&self) -> usize {
        self.scanner.held() + usize::from(self.scanner.is_in_body())
    }
}

impl Call {
    fn of(id: &str, name: &str, keys: &Keys) -> Self {
        Self { id: keys.of(id), label: Label::of(id, Some(name)) }
    }
}

impl<'t> Body<'t> {
    /// The bodies of all calls in a text.
    fn of_tools(tree: &'t Markup, keys: &Keys) -> Vec<Self> {
        let mut bodies = Vec::new();
        for tool in tree.tools() {
            let call = Call::of(tool.id.as_str(), tool.name.as_str(), keys);
            for (part, body) in [(INPUT, tool.input()), (RESULT, tool.result())] {
                bodies.extend(body.map(|body| Self { call, part, text: body.content.as_str().into() }));
            }
        }
        bodies
    }
}

/// Whether text has the beginning of a tag.
fn may_have_tags(text: &str) -> bool {
    memchr::memchr(b'<', text.as_bytes()).is_some() && (text.contains("<<") || text.ends_with('<'))
}

/// The first key that names a secret and gives it away, if the text is JSON.
fn exposed_key(text: &str, depth: u16, secrets: &Secrets) -> Option<String> {
    let node = Node::parse(text, depth).ok()?;
    let mut found = None;
    let _ = walk_exposed_keys(&node, &Trail::root(), secrets, &mut |_, member| {
        found = Some(member.key.clone().into_owned());
        ControlFlow::Break(())
    });
    found
}
