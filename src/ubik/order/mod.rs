//! The order of events: of a session, of a tool's own stream, and of fragments.

mod bodies;
mod fragments;
mod session;
mod steps;
mod text;
mod tool;

use std::hash::Hasher;

pub(super) use bodies::leaks_in;
use fragments::Fragments;
use session::Session;
use tool::ToolStream;

use super::events::{DELTA_SUFFIX, EventType, whole_type};
use super::facts::{OF_SESSION, OF_TOOL, OF_TOOL_IN_JSON, TIMESTAMP, TOOL};
use super::judge::{is_fragment, is_unmarked};
use super::{rules, texts};
use crate::check::history::{Bounded, Keys};
use crate::check::order::{Arrival, Delivery, End, GoesOn, Next, Order};
use crate::check::reporter::Reporter;
use crate::check::seams::Texts;
use crate::check::setup::Setup;
use crate::check::{Input, Profile};
use crate::wire::path::Path;
use crate::wire::tag;

/// The state of one stream.
pub(super) struct UbikOrder {
    keys: Keys,
    /// The events that have come, whole, each with where it came last.
    seen: Bounded<Seen>,
    /// Where events come now.
    now: Seen,
    /// The last event had come before.
    repeats: bool,
    session: Session,
    tool: ToolStream,
    fragments: Fragments,
    /// Texts that come in pieces.
    texts: Texts,
    /// The same texts, read as if pieces that are equal to earlier ones were new. Which reading is right is not known,
    /// and a secret may show in either.
    with_repeats: Option<Box<Texts>>,
    /// How many events have come since that was copied. The next copy waits until they are as many as the texts, so
    /// that reconnects do not copy them over and over.
    since_copy: usize,
    /// The text that came last, and which step the session takes it to be of.
    spoken: (u64, u64),
    era: u8,
    told: bool,
}

/// Where an event came.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// How many connections there were before.
    connection: u32,
    /// The number of its task.
    task: u32,
}

impl UbikOrder {
    pub(super) fn new(setup: &Setup) -> Self {
        let limits = setup.limits;
        Self {
            keys: Keys::default(),
            seen: Bounded::new(limits.history),
            now: Seen::default(),
            repeats: false,
            session: Session::new(limits),
            tool: ToolStream::default(),
            fragments: Fragments::new(limits),
            texts: Texts::new(&rules::SECRET_VALUE, limits),
            with_repeats: None,
            since_copy: 0,
            spoken: (0, 0),
            era: 0,
            told: false,
        }
    }

    /// An event has come that came before: said once of those in a row.
    fn repeated(&mut self, before: Seen, event: &[u8], report: &mut Reporter<'_>) -> Delivery {
        self.fragments.begin_again();
        if !std::mem::replace(&mut self.repeats, true) {
            let message = "the event is equal to an earlier one; said once for all such events in a row";
            report.add(&rules::REPLAYED_DUPLICATE, &Path::default(), 0..1, message);
        }
        if before.connection < self.now.connection {
            self.session.came_again(event);
            return Delivery::Repeated;
        }
        // No connection was made since: it may be the next piece, and look like an earlier one.
        self.session.repeated(event);
        Delivery::Again
    }

    fn fragment(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        self.fragments.push(&mut self.session, arrival);
        let name = arrival.name.and_then(|name| name.strip_suffix(DELTA_SUFFIX)).unwrap_or_default();
        // An event that came before, whole or in other fragments, counts once.
        if let Some(rebuilt) = &arrival.rebuilt
            && let key = self.key_of(name.as_bytes(), rebuilt.text.as_bytes())
            && let Some(before) = self.seen.insert(key, self.now)
            && self.comes_again(before, rebuilt.text.as_bytes())
        {
            self.repeated(before, rebuilt.text.as_bytes(), arrival.report);
            arrival.rebuilt = None;
        }
    }

    fn whole(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        let event_type = if facts.schema() == TOOL {
            self.tool.push(arrival);
            facts.tag().and(arrival.name)
        } else {
            self.session.push(arrival);
            let event = facts.type_in(EventType::ALL);
            let task = self.session.task_number();
            if std::mem::replace(&mut self.now.task, task) != task {
                self.fragments.leave_task(event == Some(EventType::ConnectionEstablished), arrival.report);
            }
            event.map(EventType::as_str)
        };
        match event_type {
            Some("connection_established") => {
                self.with_repeats = None;
                self.now.connection = self.now.connection.saturating_add(1);
                self.fragments.begin_again();
            }
            Some(event_type) => self.fragments.came_whole(event_type, facts.text(), &mut self.session),
            None if arrival.tree.is_some_and(|tree| tree.get("chunk_data").is_some()) => self.fragments.lost(true),
            None => {}
        }
    }

    /// Whether an event that is equal to one that came before is that one. In another task it may be new, where its time
    /// fits.
    fn comes_again(&self, before: Seen, event: &[u8]) -> bool {
        before.task == self.now.task || self.session.is_past(event)
    }

    /// The key of an event's text under the name of its frame, where its type says something else.
    fn key_of(&self, name: &[u8], text: &[u8]) -> u64 {
        let mut key = self.keys.begin();
        key.write(text);
        if !name.is_empty() && !says_type(text, name) {
            key.write(name);
        }
        key.finish()
    }
}

/// Whether the name of a frame adds nothing: it is the event's own type, or "message", as clients call frames without
/// one.
fn says_type(event: &[u8], name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    let is_of_client = name == "message";
    if !is_of_client && EventType::from_tag(whole_type(name)).is_none() {
        return false;
    }
    let text = String::from_utf8_lossy(event);
    tag::of(&text, "type").is_some_and(|own| is_of_client || own == name)
}

impl Order for UbikOrder {
    fn deliver(&mut self, input: &Input<'_>, report: &mut Reporter<'_>) -> Delivery {
        // What is no object is no event that could come again.
        if report.profile == Profile::Schema || !input.bytes().trim_ascii_start().starts_with(b"{") {
            return Delivery::New;
        }
        let name = input.frame.and_then(|frame| frame.name).map_or(&b""[..], |name| name.value);
        let key = self.key_of(name, input.bytes());
        let before = self.seen.insert(key, self.now);
        let Some(before) = before.filter(|before| self.comes_again(*before, input.bytes())) else {
            return Delivery::New;
        };
        self.repeated(before, input.bytes(), report)
    }

    fn delivers_new(&mut self, event: &[u8]) -> bool {
        let key = self.key_of(b"", event);
        event.starts_with(b"{") && self.seen.recall(key, self.now).is_none()
    }

    fn again(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        if is_fragment(arrival.facts) {
            return;
        }
        if arrival.facts.schema() != TOOL {
            self.session.again(arrival);
        }
        if self.with_repeats.is_none() && self.since_copy >= self.texts.len() {
            self.with_repeats = Some(Box::new(self.texts.clone()));
            self.since_copy = 0;
        }
        if let Some(with_repeats) = &mut self.with_repeats {
            texts::take(with_repeats, arrival);
        }
    }

    fn era(&self) -> u8 {
        self.era
    }

    fn push(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let found = arrival.report.findings.len();
        self.since_copy += 1;
        let of_tool = arrival.facts.schema() == TOOL;
        // Without a type, nothing is known of it.
        let is_read = arrival.is_clean() || arrival.facts.tag().is_some();
        if self.era == 0 && is_read {
            self.era = if of_tool { OF_TOOL } else { OF_SESSION };
        }
        if of_tool && arrival.odd && arrival.name.is_some_and(|name| !name.is_empty()) {
            self.era = OF_TOOL_IN_JSON;
        }
        let is_fragment = is_fragment(arrival.facts);
        // Whether the event of a fragment has come before is not known yet.
        self.repeats &= is_fragment;
        if is_fragment {
            self.fragment(arrival);
        } else if arrival.tree.is_some_and(|tree| is_unmarked(tree, arrival.facts)) {
            self.fragments.unmarked(&mut self.session, arrival);
        } else if is_read {
            self.whole(arrival);
        } else {
            self.lost();
        }
        let before = arrival.report.findings.len();
        let mut continued = texts::take(&mut self.texts, arrival);
        if let Some(with) = continued {
            self.spoken = (with.id, self.session.speaks());
        }
        // The reading that has shown a secret is the right one.
        if arrival.report.findings.len() > before {
            self.with_repeats = None;
        } else if let Some(mut with_repeats) = self.with_repeats.take() {
            texts::take(&mut with_repeats, arrival);
            if arrival.report.findings.len() > before {
                self.texts = *with_repeats;
            } else {
                self.with_repeats = Some(with_repeats);
            }
            continued = None;
        }
        let forgot = self.session.has_forgotten() | self.fragments.has_forgotten();
        if forgot && !std::mem::replace(&mut self.told, true) {
            arrival.report.forgotten("steps, tools, fragments or text", "the rules about their order");
        }
        let is_in_order = arrival.is_clean() && !arrival.report.is_rebuilt && arrival.report.findings.len() == found;
        if is_in_order && !of_tool && self.session.is_steady(arrival.facts) && self.fragments.is_empty() {
            arrival.leads_to = continued.map(|with| GoesOn { beside: &[TIMESTAMP], ..with });
        }
    }

    fn go_on(&mut self, with: GoesOn, next: &Next<'_>) -> bool {
        let (content, time) = (next.piece, next.beside(TIMESTAMP));
        let time = match time {
            Some(time) if time.escaped => return false,
            time => time.map(|time| time.raw),
        };
        // Text of another step may mix with what came before.
        let is_same = self.spoken == (with.id, self.session.speaks());
        let goes_on = is_same && self.session.can_go_on(content, time) && self.texts.go_on(with, content, next.secrets);
        if goes_on {
            self.session.go_on(content, time);
        }
        goes_on
    }

    fn lost(&mut self) {
        self.repeats = false;
        self.session.lost();
        self.tool.lost();
        self.fragments.lost(false);
    }

    fn finish(&mut self, _: End, report: &mut Reporter<'_>) {
        let ended = self.fragments.finish(report);
        match self.era {
            OF_SESSION => self.session.finish(ended, report),
            OF_TOOL | OF_TOOL_IN_JSON => self.tool.finish(ended, report),
            _ => {}
        }
        let before = report.findings.len();
        self.texts.finish(report);
        if let Some(with_repeats) = self.with_repeats.as_ref().filter(|_| report.findings.len() == before) {
            with_repeats.finish(report);
        }
    }
}
