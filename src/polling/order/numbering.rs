//! The numbers of events: contiguous in a response, and asked for where the last one ended.

use std::ops::Range;
use std::sync::Arc;

use super::super::facts::{IDX, TS};
use super::super::judge::SECONDS;
use super::super::rules;
use super::content::{Content, idx_of};
use super::status::Head;
use crate::check::facts::{FactKind, Facts};
use crate::check::history::{Bounded, Keys};
use crate::check::order::{Arrival, Trust, Unread};
use crate::check::reporter::Reporter;
use crate::check::rule::Severity;
use crate::safe::show_count;
use crate::wire::number::{EXACT, place};
use crate::wire::path::Path;

#[derive(Debug, Default)]
pub(super) struct Numbering {
    keys: Keys,
    /// The contents of the events that were taken, by their numbers.
    contents: Bounded<Content>,
    /// The same of those with which something is wrong by themselves, and how far they can be relied on; of each number
    /// the last one.
    judged: Bounded<(Content, Trust)>,
    /// The number of the next event; none before the first one.
    pub(super) next: Option<u64>,
    /// How many events came since then without a number that can be read. Each of them may have
    /// taken a number.
    strays: u64,
    /// The greatest number that ever came, plus 1.
    end: u64,
    /// The greatest number up to which events were taken in: a client that goes back takes none of them again.
    reach: u64,
    last_ts: Option<f64>,
    /// What the response that is read says; none for a bare list.
    response: Option<Response>,
    /// Whether the events before came again.
    repeats: bool,
    /// Whether the events before came again with other content.
    changes: bool,
    /// Of a bare list, whether the event before came again as it was.
    redelivers: bool,
    /// The numbers that were last said to be missing: of a bare list, or of the response before.
    gap: Range<u64>,
    /// It was reported that the client asks for events behind the end.
    told_beyond: bool,
    /// The number from which the client asked when it was reported that events are gone.
    told_gap: Option<u64>,
    /// The wrong next_offset that was reported last. A client that asks from it may get it back.
    told_offset: Option<u64>,
    /// Events were passed over since this was last asked.
    jumped: bool,
    /// Events were passed over at any time.
    pub(super) missed: bool,
    /// Where the client waits that has passed over what came before, with no event there yet.
    waits_at: Option<u64>,
    /// The response before could not be taken in.
    had_gap: bool,
    /// A response could not be read: the next event may have any number.
    blind: bool,
    /// Events came in responses.
    pub(super) any_response: bool,
}

/// A response while its events come.
#[derive(Debug, Default)]
struct Response {
    /// The number that was asked for, and whether that was recorded.
    from: u64,
    is_asked: bool,
    next_offset: Option<u64>,
    next_offset_at: (Path, Range<usize>),
    /// The number of the event before in the response.
    before: Option<u64>,
    /// It was asked for from behind what was read.
    jumps: bool,
    /// It says what the oldest event is that is held, as later servers do.
    has_window: bool,
    /// Where its events lie in the text of the input.
    list: Arc<Vec<Range<usize>>>,
    /// No number is missing among them, where that was asked.
    is_whole: Option<bool>,
    /// The first event is beyond what was asked for: nothing counts.
    gap: bool,
    /// An event could not be read, or what it says of its window contradicts itself.
    faulty: bool,
    /// It lacks its list of events, or what it says of its window contradicts itself.
    is_vague: bool,
    /// How many events without a number came since the last one that has one.
    unread: u64,
    /// Something was reported of the numbers of its events.
    is_odd: bool,
    /// Set by an event whose number is wrong: the number that the next event has if only that one was.
    by_place: Option<u64>,
    /// The numbers that were last said to be missing, and the one behind the last of them that came late.
    skipped: Range<u64>,
    late: Option<u64>,
    /// It was reported that an event is out of order.
    told_order: bool,
    events: u64,
    /// How many events without a number came before it.
    strays: u64,
    /// What each of its events says, as a key.
    contents: Arc<Vec<u64>>,
}

impl Response {
    /// Whether an event comes behind the one before, with nothing wrong that would count here.
    fn is_next(&self, idx: u64) -> bool {
        let is_behind = self.before.is_some_and(|before| before + 1 == idx);
        is_behind && !self.gap && self.unread == 0 && self.by_place.is_none()
    }
}

/// Whether an event is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Yes,
    /// It came before, or belongs to a response that cannot be taken in.
    No,
    /// It counts, and stands where it does not belong in the order of the events.
    Late,
}

impl Numbering {
    pub(super) fn new(history: usize) -> Self {
        Self { contents: Bounded::new(history), judged: Bounded::new(history), ..Self::default() }
    }

    /// An event has come, and those before it are of another task, or were not seen.
    pub(super) const fn begin_behind(&mut self, idx: u64) {
        (self.next, self.end, self.missed) = (Some(idx + 1), idx + 1, true);
    }

    /// The next event may have any number.
    pub(super) const fn blind(&mut self) {
        self.blind = true;
    }

    /// Begins a response.
    pub(super) fn begin(&mut self, head: &Head<'_, '_>, report: &mut Reporter<'_>) {
        let is_first = !std::mem::replace(&mut self.any_response, true);
        // What could not be read before the first one may have been a response too.
        self.blind |= is_first && self.strays > 0;
        if std::mem::take(&mut self.blind) {
            let read = self.next.unwrap_or(0);
            if let Some(shown) = head.begins_at().filter(|shown| *shown > read) {
                (self.next, self.jumped, self.missed) = (Some(shown), true, true);
                self.end = self.end.max(shown);
            }
        }
        // What came in it is not known.
        self.blind |= !head.has_list();
        let from = self.asked_from(head);
        if !head.has_list() && head.next_offset.is_some_and(|next| next > from) {
            (self.jumped, self.missed) = (true, true);
        }
        let jumps = self.jump(from);
        let (mut faulty, mut gap) = (!head.has_list(), false);
        if let Some(start) = head.window_start {
            let first = head.batch.first_idx;
            if let Some(held) = first.or(head.next_offset).filter(|held| start > *held) {
                let (path, span) = head.place("window_start");
                let which = if first.is_some() { "first event" } else { "next event" };
                let message = format!("window_start is {}, and the {which} is {}", show_count(start), show_count(held));
                report.add(&rules::WINDOW_START_INCONSISTENT, &path, span, message);
                faulty = true;
            } else if start > from && first.is_none() {
                let (path, span) = head.place("window_start");
                let (asked, held) = (show_count(from), show_count(start));
                let message = format!("events from {asked} were asked for, and the oldest that is held is {held}");
                if self.told_gap.replace(from) != Some(from) {
                    report.add(&rules::WINDOW_GAP, &path, span, message);
                }
                gap = true;
            }
        }
        self.had_gap = gap;
        let strays = self.strays;
        if head.begins_at().is_some() {
            self.strays = 0;
        }
        self.response = Some(Response {
            from,
            is_asked: head.batch.asked.is_some(),
            next_offset: head.next_offset,
            next_offset_at: head.place("next_offset"),
            jumps,
            has_window: head.window_start.is_some(),
            list: Arc::clone(&head.batch.events),
            gap,
            faulty,
            is_vague: faulty,
            strays,
            contents: Arc::clone(&head.batch.contents),
            ..Response::default()
        });
        (self.repeats, self.changes) = (false, false);
    }

    /// From which number on the events of a response were asked for. Where that was not
    /// recorded, it is the one after those that were read.
    fn asked_from(&self, head: &Head<'_, '_>) -> u64 {
        let next = self.next.unwrap_or(0);
        let is_near = |from: &u64| (next..=next + self.strays).contains(from) || self.told_offset == Some(*from);
        head.batch.asked.unwrap_or_else(|| head.batch.first_idx.or(head.next_offset).filter(is_near).unwrap_or(next))
    }

    /// Goes on from a number; true if it lies behind what was read before. The client then
    /// goes on behind a gap that was reported, or from a snapshot.
    fn jump(&mut self, from: u64) -> bool {
        let after_gap = std::mem::take(&mut self.had_gap);
        let read = self.next.unwrap_or(0);
        if from <= read {
            return false;
        }
        let is_known = self.next.is_some();
        if is_known {
            self.next = Some(from);
        }
        if from <= read + self.strays {
            return false;
        }
        self.jumped = true;
        self.missed |= !is_known;
        if after_gap {
            // Snapshots reach as far as there are events.
            self.end = self.end.max(from);
        }
        true
    }

    /// Ends a response; false if nothing of it counts.
    pub(super) fn end(&mut self, report: &mut Reporter<'_>) -> bool {
        let Some(response) = self.response.take() else { return true };
        // Where numbers are wrong, the events are counted, or go on behind those that came late.
        let counted = response.from.saturating_add(response.events);
        if response.events > 0 {
            self.gap = response.skipped.clone();
        }
        let by_place =
            response.next_offset.filter(|next| response.is_odd && (*next == counted || Some(*next) == response.late));
        let low = by_place.or(response.before.map(|last| last + 1));
        if response.gap {
            (self.had_gap, self.missed) = (true, true);
            self.end = self.end.max(response.next_offset.unwrap_or(0));
            if !response.is_asked {
                // The client is taken to go on behind the gap.
                self.jumped = true;
                self.next = response.next_offset.or(low).or(self.next);
            }
            return false;
        }
        if by_place.is_none() {
            self.offset(&response, report);
        }
        self.beyond(&response, report);
        let has_jumped = response.jumps || self.waits_at == Some(response.from);
        self.missed |= has_jumped && response.events > 0;
        self.waits_at = Some(response.from).filter(|_| has_jumped && response.events == 0);
        if response.events == 0
            && let Some(told) = response.next_offset.filter(|told| *told < response.from)
        {
            // A later server says where the events really end: the client goes back.
            self.next = Some(told.max(self.end));
        }
        let low = low.or(self.next).unwrap_or(response.from);
        // Where numbers are wrong, the offset tells where the events end.
        let is_near = |next: &u64| (low..=low + self.strays).contains(next);
        let counts = |next: &u64| (response.from..=counted.max(low)).contains(next);
        let may_be = |next: &u64| (response.faulty && *next >= response.from) || (response.is_odd && counts(next));
        let told = response.next_offset.filter(|next| is_near(next) || may_be(next));
        if let Some(told) = told {
            self.strays = 0;
            // Behind a number that comes again, the next one may have come or not.
            if (response.events > 0 && !response.told_order) || response.faulty {
                self.end = self.end.max(told);
            }
        }
        let next = told.or(Some(low));
        // Where it was not recorded what was asked for, an answer that came before leads back nowhere.
        self.next = if response.is_asked { next } else { next.max(self.next) };
        // What came behind an event that stands in a wrong place was taken in.
        let taken = response.before.filter(|_| response.told_order).map_or(0, |last| last + 1);
        self.reach = self.reach.max(self.next.unwrap_or(0)).max(taken);
        true
    }

    /// Whether the client is told to go on where the events of the response end.
    fn offset(&mut self, response: &Response, report: &mut Reporter<'_>) {
        let is_wrong = response.faulty || response.told_order;
        let Some(next) = response.next_offset.filter(|_| !is_wrong) else { return };
        // Numbers beyond are all the same.
        let behind = |last: u64| (last + 1).min(EXACT);
        let message = match response.before {
            Some(last) if next != behind(last) => {
                // The last events of the response may have been lost.
                self.missed |= next > behind(last);
                format!("next_offset has to be {}: the last event is {}", show_count(behind(last)), show_count(last))
            }
            None if response.events == 0 && next != response.from => {
                // A later server gives the number that really comes next.
                let is_real = self.end > 0 && next == self.end;
                let is_echo = !response.is_asked && self.told_offset == Some(next);
                let is_beyond = response.has_window && (self.end..response.from).contains(&next);
                if is_real || is_echo || is_beyond {
                    return;
                }
                // Events before it may have been lost.
                self.missed |= next > response.from;
                format!("next_offset has to stay {}: no event came", show_count(response.from))
            }
            _ => return,
        };
        self.told_offset = Some(next);
        let (path, span) = &response.next_offset_at;
        report.add(&rules::NEXT_OFFSET_WRONG, path, span.clone(), message);
    }

    /// Whether the client waits for events behind the end. That is known only when events
    /// have come: before that, a task that was gone on with from a snapshot may be idle.
    fn beyond(&mut self, response: &Response, report: &mut Reporter<'_>) {
        if response.events > 0 {
            self.told_beyond = false;
            return;
        }
        let is_told_back = response.next_offset.is_some_and(|next| next < response.from);
        // A client that goes by a wrong offset does as it was told.
        let is_told = is_told_back || self.told_offset == Some(response.from);
        let is_beyond = response.is_asked && self.end > 0 && response.from > self.end + response.strays;
        if is_beyond && !is_told && !response.faulty && !std::mem::replace(&mut self.told_beyond, true) {
            let (asked, last) = (show_count(response.from), show_count(self.end - 1));
            let message = format!("events from {asked} were asked for, and the last one that is known is {last}");
            report.at_root(|report| report.add(&rules::OFFSET_BEYOND_END, &Path::of("from"), 0..1, message));
        }
    }

    /// Takes the number of an event.
    pub(super) fn take(&mut self, arrival: &mut Arrival<'_, '_, '_>) -> Taken {
        let Some(idx) = number(arrival.facts) else {
            self.lost(1);
            return Taken::Yes;
        };
        let content = self.content(arrival.report.element, arrival.facts.text());
        if !arrival.is_clean() {
            self.judged.insert(self.keys.of(idx), (content, Trust::Suspect));
        } else if arrival.report.has_reported() {
            self.judged.insert(self.keys.of(idx), (content, Trust::Clean));
        }
        if let Some(response) = &mut self.response {
            response.events += 1;
            if response.gap {
                response.before = Some(idx);
                self.end = self.end.max(idx + 1);
                return Taken::No;
            }
        }
        let taken = if self.response.is_some() {
            self.strays = 0;
            self.in_response(idx, content, arrival)
        } else {
            self.in_list(idx, content, arrival)
        };
        if taken != Taken::No {
            self.end = self.end.max(idx + 1);
        }
        let content = if arrival.is_clean() { content } else { Content::ANY };
        match taken {
            Taken::Yes => {
                self.contents.insert(self.keys.of(idx), content);
                self.in_time(arrival);
            }
            Taken::Late => _ = self.contents.recall(self.keys.of(idx), content),
            Taken::No => {}
        }
        taken
    }

    /// How far an event can be relied on that came before as it is, if something is wrong with it by itself.
    pub(super) fn was_judged(&self, facts: &Facts<'_>, element: Option<usize>) -> Option<Trust> {
        let (known, trust) = self.judged.get(self.keys.of(number(facts)?))?;
        (*known == self.content(element, facts.text())).then_some(*trust)
    }

    /// What an event says, which stands at that place in the list of the response that is read.
    fn content(&self, element: Option<usize>, text: &str) -> Content {
        let key = self.response.as_ref().zip(element);
        let key = key.and_then(|(response, at)| response.contents.get(at).copied());
        key.map_or_else(|| Content::of_text(text), Content::of_value)
    }

    /// Whether an event is the next one, at no earlier time: in the response that is read, or of a bare list.
    pub(super) fn can_go_on(&self, idx: u64, ts: Option<f64>) -> bool {
        let is_next = match &self.response {
            Some(response) => response.is_next(idx) && idx >= self.end && !self.changes,
            None => self.next == Some(idx) && !self.blind && !self.any_response,
        };
        let is_late = |ts: f64| self.last_ts.is_none_or(|last| ts < last);
        is_next && self.strays == 0 && ts.is_none_or(|ts| SECONDS.contains(&ts) && !is_late(ts))
    }

    pub(super) fn go_on(&mut self, idx: u64, ts: Option<f64>, event: &Unread<'_>) {
        self.contents.insert(self.keys.of(idx), self.content(event.element, event.text));
        (self.end, self.last_ts) = (self.end.max(idx + 1), ts.or(self.last_ts));
        if let Some(response) = &mut self.response {
            (response.events, response.before) = (response.events + 1, Some(idx));
        } else {
            (self.next, self.repeats) = (Some(idx + 1), false);
        }
    }

    /// Whether one more event fits without another being forgotten.
    pub(super) const fn has_room(&self) -> bool {
        self.contents.has_room()
    }

    fn in_response(&mut self, idx: u64, content: Content, arrival: &mut Arrival<'_, '_, '_>) -> Taken {
        let next = self.next.unwrap_or(0);
        // Most numbers are new.
        let known = if idx < self.end { self.contents.get(self.keys.of(idx)).copied() } else { None };
        let Some(response) = &mut self.response else { return Taken::Yes };
        let is_by_place = response.by_place.take() == Some(idx);
        let unread = std::mem::take(&mut response.unread);
        match response.before {
            // The event before has its number.
            Some(before) if is_by_place && idx == before => {
                return if known.is_some_and(|known| known.may_be(content)) { Taken::No } else { Taken::Late };
            }
            Some(_) if is_by_place => {}
            // The event before has this number by mistake, which was said.
            Some(before) if self.changes && idx == next + 1 && before < response.from => {
                (self.jumped, self.missed) = (true, true);
            }
            // The one that was asked for comes late, and it is said there.
            None if idx > response.from + unread && has_idx(response, arrival.report.utf8()) => self.jumped = true,
            None if idx > response.from + unread && !response.is_vague => {
                response.gap = true;
                response.before = Some(idx);
                self.end = self.end.max(idx + 1);
                let (asked, first) = (show_count(response.from), show_count(idx));
                let message =
                    format!("events from {asked} were asked for, and the first one is {first}: those between are gone");
                if self.told_gap.replace(response.from) != Some(response.from) {
                    arrival.fault_of(&rules::WINDOW_GAP, IDX, message);
                }
                return Taken::No;
            }
            // The event before came late, and what lies between has come.
            Some(before) if idx == response.from && self.gap.contains(&before) => {}
            Some(before) if idx > before + 1 + unread && !response.is_vague => {
                self.jumped = true;
                // If none is missing, one comes late, and it is said there.
                let text = arrival.report.utf8();
                if !*response.is_whole.get_or_insert_with(|| is_whole(&response.list, text)) {
                    (response.is_odd, response.by_place) = (true, Some(before + 2));
                    response.skipped = before + 1..idx;
                    self.missed = true;
                    arrival.fault_of(&rules::IDX_GAP, IDX, gap(before, idx));
                }
            }
            Some(before) if idx <= before => {
                (response.is_odd, response.by_place) = (true, Some(before + 2));
                // That it was missing is said already.
                let is_missed = response.skipped.contains(&idx);
                let is_told = response.is_vague || is_missed;
                response.late = Some(idx + 1).filter(|_| is_missed).or(response.late);
                if !is_told && !std::mem::replace(&mut response.told_order, true) {
                    arrival.fault_of(&rules::IDX_NOT_INCREASING, IDX, comes_after(idx, before));
                }
                return if known.is_some_and(|known| known.may_be(content)) { Taken::No } else { Taken::Late };
            }
            _ => {}
        }
        response.before = Some(idx);
        match known.filter(|_| idx < next.max(self.reach)) {
            Some(known) if known.may_be(content) => {
                self.changes = false;
                if arrival.is_first(&mut self.repeats) {
                    arrival.fault(&rules::IDX_REDELIVERED, Some(IDX), again(idx));
                }
                Taken::No
            }
            Some(_) => {
                // It may have taken the number of another, and is passed over by clients.
                (self.jumped, self.missed) = (true, true);
                if !std::mem::replace(&mut self.changes, true) {
                    arrival.fault_at(&rules::IDX_CHANGED_CONTENT, &Path::default(), 0..1, changed(idx));
                }
                Taken::No
            }
            // What is behind the end of all that came has never come, whatever was asked for since.
            None if idx < next.min(self.end) => Taken::No,
            None => {
                self.changes = false;
                Taken::Yes
            }
        }
    }

    fn in_list(&mut self, idx: u64, content: Content, arrival: &mut Arrival<'_, '_, '_>) -> Taken {
        let (is_blind, strays) = (std::mem::take(&mut self.blind), std::mem::take(&mut self.strays));
        let Some(next) = self.next else {
            if idx > strays {
                self.jumped = true;
                if !is_blind {
                    let message = format!("the first event is {}, so those before are not here", show_count(idx));
                    arrival.fault(&rules::STREAM_DOES_NOT_START_AT_ZERO, Some(IDX), message);
                }
            }
            self.next = Some(idx + 1);
            return Taken::Yes;
        };
        if idx >= next {
            if idx > next + strays {
                if !is_blind {
                    arrival.fault_of(&rules::IDX_GAP, IDX, gap(next.saturating_sub(1), idx));
                }
                self.jumped = true;
                self.gap = next..idx;
            }
            (self.repeats, self.redelivers, self.changes) = (false, false, false);
            self.next = Some(idx + 1);
            return Taken::Yes;
        }
        let known = self.contents.get(self.keys.of(idx)).copied();
        let is_known = known.is_some_and(|known| known.may_be(content));
        if !is_known && idx + 1 == next && self.gap.end == idx && !self.gap.is_empty() {
            // The event before had this number by mistake, which was said as a gap.
            return Taken::Yes;
        }
        if !is_known && known.is_some() && self.redelivers {
            if !std::mem::replace(&mut self.changes, true) {
                arrival.fault_at(&rules::IDX_CHANGED_CONTENT, &Path::default(), 0..1, changed(idx));
            }
            return Taken::No;
        }
        self.redelivers = is_known;
        if !std::mem::replace(&mut self.repeats, true) {
            if is_known {
                arrival.fault(&rules::IDX_REDELIVERED, Some(IDX), again(idx));
            } else if known.is_none() && self.gap.contains(&idx) {
                // That it was missing is said already.
                let message = format!("{}; it is not missing but late", comes_after(idx, next.saturating_sub(1)));
                arrival.fault_graded(&rules::IDX_NOT_INCREASING, Severity::Note, IDX, message);
            } else {
                arrival.fault_of(&rules::IDX_NOT_INCREASING, IDX, comes_after(idx, next.saturating_sub(1)));
                // It may stand where the next number belongs.
                self.strays = 1;
            }
        }
        if is_known { Taken::No } else { Taken::Late }
    }

    fn in_time(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let Some(ts) = arrival.facts.number(TS).filter(|ts| SECONDS.contains(ts)) else { return };
        if self.last_ts.is_some_and(|last| ts < last) {
            arrival.fault(&rules::TS_DECREASING, Some(TS), "ts is before that of the event before");
        }
        self.last_ts = Some(ts);
    }

    /// Events whose numbers could not be read, if they have any.
    pub(super) const fn lost(&mut self, events: u64) {
        match &mut self.response {
            Some(response) => {
                response.events += events;
                response.unread += events;
                response.faulty = true;
            }
            None if self.any_response => {
                self.blind = true;
                return;
            }
            None => {}
        }
        self.strays += events;
    }

    /// Whether events were passed over since this was last asked.
    pub(super) const fn has_jumped(&mut self) -> bool {
        std::mem::replace(&mut self.jumped, false)
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.contents.take_overflow()
    }

    /// Whether the last events that there are were asked for and taken in.
    pub(super) const fn is_at_end(&self) -> bool {
        !self.had_gap && !self.told_beyond && !self.blind
    }

    /// Whether an event of this number has not been taken in.
    pub(super) fn is_new(&self, idx: u64) -> bool {
        self.next.is_none_or(|next| idx >= next.max(self.reach))
    }

    /// How many events are remembered.
    pub(super) fn entries(&self) -> usize {
        self.contents.len() + self.judged.len()
    }

    /// Whether responses came, and none is read.
    pub(super) const fn is_between_responses(&self) -> bool {
        self.any_response && self.response.is_none()
    }
}

/// Whether the event that was asked for is among those of a response, if not the first one.
#[cold]
fn has_idx(response: &Response, text: &str) -> bool {
    response.list.iter().any(|span| text.get(span.clone()).and_then(idx_of) == Some(response.from))
}

/// Whether no number is missing between the least and the greatest of some events.
#[cold]
fn is_whole(events: &[Range<usize>], text: &str) -> bool {
    let mut numbers: Vec<u64> = events.iter().filter_map(|span| idx_of(text.get(span.clone())?)).collect();
    numbers.sort_unstable();
    numbers.is_sorted_by(|one, two| two - one <= 1)
}

fn gap(before: u64, idx: u64) -> String {
    format!("{}: {} missing", comes_after(idx, before), show_count(idx - before - 1))
}

fn comes_after(idx: u64, before: u64) -> String {
    format!("event {} comes after event {}", show_count(idx), show_count(before))
}

fn again(idx: u64) -> String {
    format!("event {} came before; it counts once, and so do all that come again with it", show_count(idx))
}

fn changed(idx: u64) -> String {
    format!("event {} came before with other content", show_count(idx))
}

/// The number of an event.
pub(super) fn number(facts: &Facts<'_>) -> Option<u64> {
    (facts.kind(IDX) == FactKind::Integer).then(|| place(facts.raw(IDX)))?
}
