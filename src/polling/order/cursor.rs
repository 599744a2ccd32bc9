//! The numbers of events: contiguous in a response, and asked for where the last one ended.

use super::super::facts::{IDX, TS};
use super::super::rules;
use super::status::Head;
use crate::check::facts::{FactKind, Facts};
use crate::check::finding::Reporter;
use crate::check::history::{Bounded, Keys};
use crate::check::order::Arrival;
use crate::safe::show_count;
use crate::wire::number::{count, to_f64};
use crate::wire::path::Path;

#[derive(Debug)]
pub(super) struct Cursor {
    keys: Keys,
    /// The contents of the events that were taken, by their numbers.
    contents: Bounded<u64>,
    /// The number of the next event; none before the first one.
    next: Option<u64>,
    /// The greatest number that ever came, plus 1.
    end: u64,
    last_ts: Option<f64>,
    /// What the response that is read says; none for a bare list.
    response: Option<Response>,
    /// Whether the events before came again.
    repeats: bool,
    /// A response without events asked for more than there is, which was said.
    told_beyond: bool,
    /// Events were passed over since this was last asked.
    jumped: bool,
    /// The response before could not be taken in.
    had_gap: bool,
    /// A response could not be read: the next event may have any number.
    blind: bool,
    any_response: bool,
}

/// A response while its events come.
#[derive(Debug)]
struct Response {
    /// The number that was asked for.
    from: u64,
    from_place: Option<Path>,
    next_offset: Option<u64>,
    next_offset_at: (Path, std::ops::Range<usize>),
    /// The number of the event before in the response.
    before: Option<u64>,
    /// The first event is beyond what was asked for: nothing counts.
    gap: bool,
    /// Something was reported of its numbers, or an event could not be read.
    faulty: bool,
    events: u64,
}

/// Whether an event is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Yes,
    /// It came before, or belongs to a response that cannot be taken in.
    No,
}

impl Cursor {
    pub(super) fn new(history: usize) -> Self {
        Self {
            keys: Keys::default(),
            contents: Bounded::new(history),
            next: None,
            end: 0,
            last_ts: None,
            response: None,
            repeats: false,
            told_beyond: false,
            jumped: false,
            had_gap: false,
            blind: false,
            any_response: false,
        }
    }

    /// The next event may have any number.
    pub(super) const fn blind(&mut self) {
        self.blind = true;
    }

    /// Begins a response.
    pub(super) fn begin(&mut self, head: &Head<'_, '_>, report: &mut Reporter<'_>) {
        self.any_response = true;
        if std::mem::take(&mut self.blind) {
            self.jumped = true;
            self.next = head.asked.or(head.first_idx).or(head.next_offset).or(self.next);
        }
        if !head.has_list {
            // What came in it is not known.
            self.blind = true;
        }
        let from = head.asked.or(self.next).unwrap_or(0);
        if self.next.is_some_and(|next| from > next) {
            // The client goes on behind a gap that was reported, or from a snapshot.
            self.jumped = true;
            self.next = Some(from);
        } else if self.next.is_none() && from > 0 {
            self.jumped = true;
        }
        let mut faulty = false;
        let mut gap = false;
        if let Some(start) = head.window_start {
            let first = head.first_idx;
            let contradicts = match first {
                Some(first) => start > first,
                None => head.next_offset.is_some_and(|next| start > next),
            };
            if contradicts {
                let (path, span) = head.place("window_start");
                let message = "the oldest event that is held is newer than those that came";
                report.add(&rules::WINDOW_START_INCONSISTENT, &path, span, message);
                faulty = true;
            } else if start > from && first.is_none() {
                let (path, span) = head.place("window_start");
                let message = format!(
                    "events from {} were asked for, and the oldest that is held is {}",
                    show_count(from),
                    show_count(start)
                );
                report.add(&rules::WINDOW_GAP, &path, span, message);
                gap = true;
            }
        }
        self.had_gap = gap;
        self.response = Some(Response {
            from,
            from_place: head.asked.is_some().then(|| Path::of("from")),
            next_offset: head.next_offset,
            next_offset_at: head.place("next_offset"),
            before: None,
            gap,
            faulty: faulty || !head.has_list,
            events: 0,
        });
        self.repeats = false;
    }

    /// Ends a response; false if nothing of it counts.
    pub(super) fn end(&mut self, report: &mut Reporter<'_>) -> bool {
        let Some(response) = self.response.take() else { return true };
        if response.gap {
            self.had_gap = true;
            return false;
        }
        let (path, span) = response.next_offset_at;
        match (response.next_offset, response.before) {
            (Some(next), Some(last)) if next != last + 1 && !response.faulty => {
                let message =
                    format!("the last event is {}, so the next one is {}", show_count(last), show_count(last + 1));
                report.add(&rules::NEXT_OFFSET_WRONG, &path, span, message);
            }
            (Some(next), None) if next < response.from && response.events == 0 && !response.faulty => {
                let message = format!("no event came, so the next one is still {}", show_count(response.from));
                report.add(&rules::NEXT_OFFSET_WRONG, &path, span, message);
            }
            _ => {}
        }
        let is_beyond = response.events == 0 && response.from > self.end && !response.faulty;
        let is_real = response.next_offset.is_some_and(|next| next < response.from);
        if is_beyond && !is_real && self.end > 0 {
            if !std::mem::replace(&mut self.told_beyond, true) {
                let message = format!(
                    "events from {} were asked for, and none beyond {} ever came",
                    show_count(response.from),
                    show_count(self.end)
                );
                match response.from_place {
                    Some(path) => report.at_root(|report| report.add(&rules::OFFSET_BEYOND_END, &path, 0..1, message)),
                    None => report.add(&rules::OFFSET_BEYOND_END, &path, 0..1, message),
                }
            }
        } else if response.events > 0 {
            self.told_beyond = false;
        }
        let next = response.before.map(|last| last + 1);
        self.next = next.or(self.next).or(Some(response.from));
        true
    }

    /// Takes the number of an event.
    pub(super) fn take(&mut self, arrival: &mut Arrival<'_, '_, '_>) -> Taken {
        if self.response.is_none() && self.any_response && !arrival.is_clean() {
            self.lost();
            return Taken::No;
        }
        let Some(idx) = number(arrival.facts) else {
            self.lost();
            return Taken::Yes;
        };
        if let Some(response) = &mut self.response {
            response.events += 1;
            if response.gap {
                return Taken::No;
            }
        }
        let content = self.keys.of(arrival.facts.text());
        let taken = if self.response.is_some() {
            self.in_response(idx, content, arrival)
        } else {
            self.in_list(idx, content, arrival)
        };
        if taken == Taken::Yes {
            self.end = self.end.max(idx + 1);
            self.contents.insert(self.keys.of(idx), content);
            self.in_time(arrival);
        }
        taken
    }

    fn in_response(&mut self, idx: u64, content: u64, arrival: &mut Arrival<'_, '_, '_>) -> Taken {
        let next = self.next.unwrap_or(0);
        let known = self.contents.get(self.keys.of(idx)).copied();
        let Some(response) = &mut self.response else { return Taken::Yes };
        match response.before {
            None if idx > response.from && !response.faulty => {
                response.gap = true;
                let message = format!(
                    "events from {} were asked for, and the first one is {}: those between are gone",
                    show_count(response.from),
                    show_count(idx)
                );
                arrival.fault(&rules::WINDOW_GAP, Some(IDX), message);
                return Taken::No;
            }
            Some(before) if idx > before + 1 && !response.faulty => {
                response.faulty = true;
                arrival.fault(&rules::IDX_GAP, Some(IDX), gap(before, idx));
                self.jumped = true;
            }
            Some(before) if idx <= before => {
                if !std::mem::replace(&mut response.faulty, true) {
                    arrival.fault(
                        &rules::IDX_NOT_INCREASING,
                        Some(IDX),
                        format!("{} comes after {}", show_count(idx), show_count(before)),
                    );
                }
                return if known.is_some() { Taken::No } else { Taken::Yes };
            }
            _ => {}
        }
        response.before = Some(idx);
        match known.filter(|_| idx < next) {
            Some(known) if known == content => {
                if !std::mem::replace(&mut self.repeats, true) {
                    let message = "the event came before; it counts once, and so do all that come again with it";
                    arrival.fault(&rules::IDX_REDELIVERED, Some(IDX), message);
                }
                Taken::No
            }
            Some(_) => {
                arrival.fault_at(
                    &rules::IDX_CHANGED_CONTENT,
                    &Path::default(),
                    0..1,
                    format!("event {} came before with other content", show_count(idx)),
                );
                Taken::No
            }
            None if idx < next => Taken::No,
            None => Taken::Yes,
        }
    }

    fn in_list(&mut self, idx: u64, content: u64, arrival: &mut Arrival<'_, '_, '_>) -> Taken {
        let Some(next) = self.next else {
            if idx > 0 {
                self.jumped = true;
                let message = format!("the first event is {}, so those before are not here", show_count(idx));
                arrival.fault(&rules::STREAM_DOES_NOT_START_AT_ZERO, Some(IDX), message);
            }
            self.next = Some(idx + 1);
            return Taken::Yes;
        };
        if idx >= next {
            if idx > next {
                arrival.fault(&rules::IDX_GAP, Some(IDX), gap(next.saturating_sub(1), idx));
                self.jumped = true;
            }
            self.repeats = false;
            self.next = Some(idx + 1);
            return Taken::Yes;
        }
        if self.contents.get(self.keys.of(idx)) == Some(&content) {
            if !std::mem::replace(&mut self.repeats, true) {
                let message = "the event came before; it counts once, and so do all that come again with it";
                arrival.fault(&rules::IDX_REDELIVERED, Some(IDX), message);
            }
            return Taken::No;
        }
        if !std::mem::replace(&mut self.repeats, true) {
            let message = format!("{} comes after {}", show_count(idx), show_count(next.saturating_sub(1)));
            arrival.fault(&rules::IDX_NOT_INCREASING, Some(IDX), message);
        }
        if self.contents.contains(self.keys.of(idx)) { Taken::No } else { Taken::Yes }
    }

    fn in_time(&mut self, arrival: &mut Arrival<'_, '_, '_>) {
        let facts = arrival.facts;
        if !matches!(facts.kind(TS), FactKind::Integer | FactKind::Number) {
            return;
        }
        let ts = to_f64(facts.raw(TS));
        if !(1e9..1e10).contains(&ts) {
            return;
        }
        if self.last_ts.is_some_and(|last| ts < last) {
            arrival.fault(&rules::TS_DECREASING, Some(TS), "the time is before that of the event before");
        }
        self.last_ts = Some(ts);
    }

    /// An event whose number could not be read: the next one may be any.
    pub(super) fn lost(&mut self) {
        match &mut self.response {
            Some(response) => {
                response.events += 1;
                match &mut response.before {
                    Some(before) => *before += 1,
                    None => response.before = Some(response.from),
                }
                response.faulty = true;
            }
            None if self.any_response => self.blind = true,
            None => self.next = Some(self.next.map_or(1, |next| next + 1)),
        }
    }

    /// Whether events were passed over since this was last asked.
    pub(super) const fn has_jumped(&mut self) -> bool {
        std::mem::replace(&mut self.jumped, false)
    }

    pub(super) fn has_forgotten(&mut self) -> bool {
        self.contents.take_overflow()
    }

    /// Whether all events that there are were asked for and taken in.
    pub(super) const fn is_at_end(&self) -> bool {
        !self.had_gap && !self.told_beyond
    }
}

fn gap(before: u64, idx: u64) -> String {
    format!("{} comes after {}: {} missing", show_count(idx), show_count(before), show_count(idx - before - 1))
}

/// The number of an event.
fn number(facts: &Facts<'_>) -> Option<u64> {
    (facts.kind(IDX) == FactKind::Integer).then(|| count(facts.raw(IDX)))?
}
