//! What was put out of a run, and what is put out next.

use std::collections::HashMap;

use super::carry::KEY;
use super::ids::CallIds;
use super::parts::{Call, Part, Put, Rest, Said, args, rest};
use crate::agui::{self, MessageId, ToolCallId};
use crate::ubik::scan::Piece;
use crate::wire::JsonObject;

/// The most that is remembered of what was put out, and is held of what comes, in bytes.
const BYTES: usize = 16 * 1024 * 1024;

/// After so much of snapshots, in bytes, there is none before the run ends.
const SNAPSHOT_BYTES: usize = 64 * 1024 * 1024;

/// What a part counts besides its text, in bytes.
pub(super) const PART_BYTES: usize = 256;

/// The largest delta, in bytes.
const DELTA_BYTES: usize = 1024 * 1024;

/// Where text goes on.
#[derive(Clone, Default)]
pub(super) struct Place {
    open: Option<Open>,
    /// The call whose block the text is in, by its place in the list.
    pub(super) call: Option<usize>,
}

/// A message that is open.
#[derive(Clone)]
struct Open {
    id: MessageId,
    part: usize,
    is_thought: bool,
}

impl Place {
    /// The part of the message that is open.
    pub(super) fn part(&self) -> Option<usize> {
        self.open.as_ref().map(|open| open.part)
    }

    /// Ends the message that is open.
    pub(super) fn end(&mut self, out: &mut impl Extend<agui::Event>) {
        let Some(open) = self.open.take() else { return };
        if open.is_thought {
            let end = agui::ReasoningMessageEnd::new(open.id.clone());
            out.extend([end.into(), agui::ReasoningEnd::new(open.id).into()]);
        } else {
            out.extend([agui::TextMessageEnd::new(open.id).into()]);
        }
    }
}

/// The parts of a run that were put out.
#[derive(Clone, Default)]
pub(super) struct Output {
    /// What the ids that are made begin with.
    stem: String,
    pub(super) minted: u64,
    pub(super) parts: Vec<Put>,
    pub(super) calls: Vec<Call>,
    /// The last call of each tool execution.
    pub(super) places: HashMap<String, usize>,
    pub(super) ids: CallIds,
    /// The size of the parts and calls, of what is never forgotten, and of what scanners hold.
    pub(super) bytes: usize,
    pub(super) kept_bytes: usize,
    held_bytes: usize,
    /// The bound was hit, and no full text has made up for it.
    pub(super) is_full: bool,
    /// The size of the snapshots that were made.
    pub(super) snapshot_bytes: usize,
    /// What goes with the next event.
    pub(super) metadata: Option<JsonObject>,
}

impl Output {
    /// Names the run.
    pub(super) fn begin(&mut self, run: &str) {
        self.stem = format!("{KEY}:{}:", agui::carry::stem(run));
    }

    /// Whether the id is one that the run makes.
    pub(super) fn has_made(&self, id: &str) -> bool {
        let number = id.strip_prefix(self.stem.as_str());
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Notes that a call from before the run has the id.
    pub(super) fn reserve(&mut self, call: &ToolCallId) {
        self.ids.take(call);
    }

    /// A new id.
    pub(super) fn mint(&mut self) -> String {
        self.minted += 1;
        format!("{}{}", self.stem, self.minted)
    }

    /// Whether the bound was hit. Nothing of the text is put out from there on.
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether there may be a snapshot before the run ends.
    pub(super) const fn may_repeat(&self) -> bool {
        self.snapshot_bytes <= SNAPSHOT_BYTES
    }

    /// Counts parts and calls; `false` if there is no room for them.
    pub(super) fn charge(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.fits()
    }

    /// Counts what is remembered besides; `false` if there is no room for it.
    pub(super) fn keep(&mut self, bytes: usize) -> bool {
        self.kept_bytes = self.kept_bytes.saturating_add(bytes).saturating_add(PART_BYTES);
        self.fits()
    }

    /// Counts what a scanner holds, which held `before`.
    pub(super) fn hold(&mut self, before: usize, now: usize) {
        self.held_bytes = self.held_bytes.saturating_sub(before).saturating_add(now);
        self.fits();
    }

    /// Notes that no scanner holds anything.
    pub(super) fn hold_nothing(&mut self) {
        self.held_bytes = 0;
    }

    /// Whether all that is counted is within the bound, and always was.
    pub(super) fn fits(&mut self) -> bool {
        let bytes = self.bytes.saturating_add(self.kept_bytes).saturating_add(self.held_bytes);
        self.is_full |= bytes > BYTES;
        !self.is_full
    }

    /// What is left of a text; `None` if what was put out is not how it begins.
    pub(super) fn rest(&self, target: &[Part]) -> Option<Rest> {
        let rest = if self.is_full() { None } else { rest(target, &self.parts, &self.calls) }?;
        let mut to_come = target.iter().skip(rest.part);
        to_come.all(|part| !matches!(part, Part::Call(said) if self.is_told_otherwise(said))).then_some(rest)
    }

    /// Whether a call that only events have told of has another name than the text says, or can take no arguments
    /// any more.
    fn is_told_otherwise(&self, said: &Said) -> bool {
        let told = self.places.get(&said.id).and_then(|place| self.calls.get(*place));
        told.is_some_and(|call| {
            let lacks_args = call.is_ended && said.args.is_some() && call.args != said.args;
            !call.is_in_text && (call.name != said.name || lacks_args)
        })
    }

    /// The place of the last part.
    pub(super) fn last_part(&self) -> Option<usize> {
        self.parts.len().checked_sub(1)
    }

    /// The last call of the text.
    pub(super) fn last_call(&self) -> Option<usize> {
        self.parts.iter().rev().find_map(|put| if let Put::Call(place) = put { Some(*place) } else { None })
    }

    /// Puts out what a scanner has told.
    pub(super) fn write(&mut self, place: &mut Place, piece: Piece, out: &mut impl Extend<agui::Event>) {
        match piece {
            Piece::Text(text) => self.say(place, false, &text, out),
            Piece::Thought(text) => self.say(place, true, &text, out),
            Piece::ThoughtEnd => place.end(out),
            Piece::Call { id, name } => {
                place.end(out);
                place.call = self.call(&id, &name, out);
            }
            Piece::Input(body) => {
                if let Some(call) = place.call {
                    self.input(call, &args(&body), out);
                }
            }
            Piece::Result(body) => {
                if let Some(call) = place.call {
                    self.result(call, body.trim(), out);
                }
            }
            Piece::CallEnd => {
                if let Some(call) = place.call.take() {
                    self.end_call(call, out);
                }
            }
        }
    }

    /// Puts out the rest of a text.
    pub(super) fn go_on(
        &mut self,
        target: &[Part],
        rest: &Rest,
        place: &mut Place,
        out: &mut impl Extend<agui::Event>,
    ) {
        for (call, part) in &rest.calls {
            if let Some(Part::Call(said)) = target.get(*part) {
                self.fill(*call, said.args.as_deref(), said.result.as_deref(), out);
            }
        }
        for (at, part) in target.iter().enumerate().skip(rest.part) {
            let from = if at == rest.part { rest.byte } else { 0 };
            match part {
                Part::Text(text) => self.say_rest(place, false, text.get(from..), out),
                Part::Thought(text) => self.say_rest(place, true, text.get(from..), out),
                Part::Call(said) => {
                    place.end(out);
                    if let Some(call) = self.call(&said.id, &said.name, out) {
                        self.fill(call, said.args.as_deref(), said.result.as_deref(), out);
                    }
                }
            }
        }
    }

    /// Notes that events tell of a call, which starts it if the text has not.
    pub(super) fn announce(&mut self, key: &str, name: &str, out: &mut impl Extend<agui::Event>) {
        if key.is_empty() {
            return;
        }
        let known = self.places.get(key).copied();
        let place = known.or_else(|| self.start(key, name, out));
        if let Some(call) = place.and_then(|place| self.calls.get_mut(place)) {
            call.is_told = true;
        }
    }

    /// The id of the call of a tool execution.
    pub(super) fn call_id(&self, key: &str) -> Option<ToolCallId> {
        let place = self.places.get(key)?;
        self.calls.get(*place).map(|call| call.id.clone())
    }

    /// Ends all calls.
    pub(super) fn end_calls(&mut self, out: &mut impl Extend<agui::Event>) {
        for place in 0..self.calls.len() {
            self.end_call(place, out);
        }
    }

    fn say_rest(
        &mut self,
        place: &mut Place,
        is_thought: bool,
        text: Option<&str>,
        out: &mut impl Extend<agui::Event>,
    ) {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            self.say(place, is_thought, text, out);
        }
    }

    /// Puts out text. A message does not begin with an empty line.
    fn say(&mut self, place: &mut Place, is_thought: bool, text: &str, out: &mut impl Extend<agui::Event>) {
        if place.open.as_ref().is_some_and(|open| open.is_thought != is_thought) {
            // White space does not end a thought.
            if text.trim().is_empty() {
                return;
            }
            place.end(out);
        }
        let mut text = text;
        if place.open.is_none() {
            if text.trim().is_empty() || !self.charge(PART_BYTES) {
                return;
            }
            text = text.trim_start_matches(['\n', '\r']);
        }
        if text.is_empty() || !self.charge(text.len()) {
            return;
        }
        let open = place.open.take().unwrap_or_else(|| self.open(is_thought, out));
        for delta in deltas(text) {
            let metadata = self.metadata.take();
            if is_thought {
                let mut content = agui::ReasoningMessageContent::new(open.id.clone(), delta);
                content.metadata = metadata;
                out.extend([content.into()]);
            } else {
                let mut content = agui::TextMessageContent::new(open.id.clone(), delta);
                content.metadata = metadata;
                out.extend([content.into()]);
            }
        }
        if let Some(Put::Text(put) | Put::Thought(put)) = self.parts.get_mut(open.part) {
            put.push_str(text);
        }
        place.open = Some(open);
    }

    fn open(&mut self, is_thought: bool, out: &mut impl Extend<agui::Event>) -> Open {
        let (id, part) = (MessageId::from(self.mint()), self.parts.len());
        if is_thought {
            let mut start = agui::ReasoningStart::new(id.clone());
            start.metadata = self.metadata.take();
            let message = agui::ReasoningMessageStart::new(id.clone(), agui::ReasoningRole::Reasoning);
            out.extend([start.into(), message.into()]);
            self.parts.push(Put::Thought(String::new()));
        } else {
            let mut start = agui::TextMessageStart::new(id.clone()).with_role(agui::TextMessageRole::Assistant);
            start.metadata = self.metadata.take();
            out.extend([start.into()]);
            self.parts.push(Put::Text(String::new()));
        }
        Open { id, part, is_thought }
    }

    /// A call of the text: one that events have told of, or a new one.
    fn call(&mut self, key: &str, name: &str, out: &mut impl Extend<agui::Event>) -> Option<usize> {
        let told = |place: &usize| self.calls.get(*place).is_some_and(|call| !call.is_in_text);
        let place = match self.places.get(key).copied().filter(told) {
            Some(place) => place,
            None => self.start(key, name, out)?,
        };
        self.calls.get_mut(place)?.is_in_text = true;
        self.parts.push(Put::Call(place));
        Some(place)
    }

    fn start(&mut self, key: &str, name: &str, out: &mut impl Extend<agui::Event>) -> Option<usize> {
        if !self.charge(key.len() + name.len() + PART_BYTES) {
            return None;
        }
        let id = self.fresh(key);
        let mut start = agui::ToolCallStart::new(id.clone(), name);
        start.metadata = self.metadata.take();
        out.extend([start.into()]);
        let place = self.calls.len();
        if !key.is_empty() {
            // The first one has the id that events name.
            self.places.entry(key.to_owned()).or_insert(place);
        }
        let (key, name) = (key.to_owned(), name.to_owned());
        let (args, result) = (None, None);
        self.calls.push(Call { id, key, name, args, result, is_ended: false, is_in_text: false, is_told: false });
        Some(place)
    }

    /// An id that no call has: the one of the tool execution, if it can be.
    pub(super) fn fresh(&mut self, key: &str) -> ToolCallId {
        let mut id = ToolCallId::from(key);
        while id.as_str().is_empty() || !self.ids.take(&id) {
            id = self.mint().into();
        }
        self.keep(2 * id.as_str().len());
        id
    }

    fn fill(&mut self, place: usize, args: Option<&str>, result: Option<&str>, out: &mut impl Extend<agui::Event>) {
        if let Some(args) = args {
            self.input(place, args, out);
        }
        if let Some(result) = result {
            self.result(place, result, out);
        }
    }

    fn input(&mut self, place: usize, args: &str, out: &mut impl Extend<agui::Event>) {
        if self.calls.get(place).is_none_or(|call| call.is_ended) || !self.charge(args.len()) {
            return;
        }
        let mut metadata = self.metadata.take();
        let Some(call) = self.calls.get_mut(place) else { return };
        for delta in deltas(args) {
            let mut args = agui::ToolCallArgs::new(call.id.clone(), delta);
            args.metadata = metadata.take();
            out.extend([args.into()]);
        }
        call.args = Some(args.to_owned());
        call.is_ended = true;
        out.extend([agui::ToolCallEnd::new(call.id.clone()).into()]);
    }

    fn result(&mut self, place: usize, content: &str, out: &mut impl Extend<agui::Event>) {
        let Some(call) = self.calls.get(place) else { return };
        if self.ids.has_result(&call.id) || !self.charge(content.len()) {
            return;
        }
        self.end_call(place, out);
        let message = self.mint();
        let Some(call) = self.calls.get_mut(place) else { return };
        let Some(mut result) = self.ids.result(&call.id, message, content) else { return };
        result.metadata = self.metadata.take();
        out.extend([result.into()]);
        call.result = Some(content.to_owned());
    }

    /// Ends a call; one without arguments has `{}`, since an empty text is not JSON.
    fn end_call(&mut self, place: usize, out: &mut impl Extend<agui::Event>) {
        let Some(call) = self.calls.get_mut(place) else { return };
        if !std::mem::replace(&mut call.is_ended, true) {
            out.extend([
                agui::ToolCallArgs::new(call.id.clone(), "{}").into(),
                agui::ToolCallEnd::new(call.id.clone()).into(),
            ]);
        }
    }
}

/// A text in pieces that are not too large.
fn deltas(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let mut end = text.len().min(DELTA_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (delta, rest) = text.split_at(end);
        text = rest;
        (!delta.is_empty()).then_some(delta)
    })
}
