//! Scopes: things that are opened, used and closed, and how one fault is kept one finding.
//!
//! Every protocol has some: messages, tool calls, steps, turns. A protocol says by tables
//! which event does what to which kind; what a wrong event does to the state is the same
//! for all. The words of recovery:
//!
//! - An id that was named in a finding, or came with an event that cannot be relied on, is
//!   **suspect**: it raises nothing more, and does not count at the end.
//! - An opener whose id cannot be read **excuses** one unknown id of its kind.
//! - A closer that names nothing known is a **stray**: it was meant for something that is
//!   open at that time, and excuses that at the end.

use std::borrow::Cow;
use std::hash::Hash;

use super::facts::Facts;
use super::history::{Bounded, ByKey, Keys, clear};
use super::near::nearest;
use super::order::{Arrival, Place};
use super::rule::Rule;
use crate::safe::{Label, show};

/// How many open scopes are looked at for one that another owner has.
const LOOKED_AT: usize = 1024;

/// An id that is not open is compared with so many open ones at most.
const COMPARED: usize = 64;

/// For how many events that could not be read it is remembered when they came.
const LOST: usize = 8;

/// How much may be open for it to be looked through each time that it is asked whether some of it is.
const MANY: usize = 64;

/// The most kinds of scopes of a protocol.
pub(crate) const KINDS: usize = 8;

/// A kind of scope.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// What it is called in messages, such as `tool call`.
    pub(crate) noun: Cow<'static, str>,
    /// What it has to be open in, such as ` in its turn`; may be empty.
    pub(crate) within: &'static str,
}

impl Kind {
    pub(crate) const fn new(noun: &'static str, within: &'static str) -> Self {
        Self { noun: Cow::Borrowed(noun), within }
    }
}

/// Which scope an event is about.
#[derive(Clone)]
pub(crate) struct Of<'a> {
    pub(crate) kind: usize,
    /// What the scope ends with, such as a run or a turn.
    pub(crate) group: u64,
    /// Whose it is, where the same id under another owner is another scope.
    pub(crate) owner: u64,
    pub(crate) id: Option<Id<'a>>,
    /// The member that the id was read from.
    pub(crate) slot: u8,
}

/// An id: its key, and its text for messages.
#[derive(Clone)]
pub(crate) struct Id<'a> {
    pub(crate) key: u64,
    pub(crate) text: Cow<'a, str>,
}

/// What an event does to a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Open,
    Use,
    Close,
}

/// What became of an opener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It has no id that can be read.
    Unreadable,
    /// The scope is open for the first time; with the mark of an earlier opening, again.
    Opened(Option<u64>),
    /// It was open already, or its id is suspect.
    Faulty,
}

/// What became of an event that uses or closes a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Using {
    /// The scope is open, and was until now if the event closes it.
    Open,
    /// It is not open; a finding says so.
    Reported,
    /// Nothing can be said: the id is suspect, unreadable, or excused.
    Silent,
}

/// An open scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) kind: usize,
    pub(crate) group: u64,
    /// The key of the id alone.
    pub(crate) id: u64,
    pub(crate) place: Place,
    /// The id, and the name where there is one, as messages show them.
    pub(crate) label: Label,
}

/// What is to be forgiven in a group.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    first: u32,
    last: u32,
    /// By kind: how many openers had no readable id, how many closers named nothing known.
    excused: [u16; KINDS],
    strays: [u16; KINDS],
    /// The event that had opened something last when the last stray came.
    strayed_at: u64,
    /// How many events could not be read, each of which may have opened or closed something; and
    /// when the last of them came: one more than the event that had opened something last.
    lost: u16,
    lost_at: [u64; LOST],
    /// Its beginning was not seen: what is not known may have been opened there.
    unseen: bool,
}

impl Group {
    /// Whether an event that could not be read may have closed what was opened then; each of them
    /// has closed one thing at most, so it is used up.
    fn spend_lost(&mut self, opened_at: u64) -> bool {
        // The others of them are taken to have opened something.
        let lost_at = self.lost_at.get_mut(..usize::from(self.lost).min(LOST)).unwrap_or_default();
        let closer = lost_at.iter_mut().rev().find(|at| opened_at < **at);
        closer.map(|at| *at = 0).is_some()
    }
}

/// Why an id is suspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suspicion {
    /// Something was reported of it that may be a wrong id: its closer is a stray.
    Unknown,
    /// It goes on from before what was reported, unless it is opened anew.
    UntilOpened,
    /// It was opened anew: nothing is wrong with it.
    Opened,
    Other,
}

/// An entry of the table of open scopes: a link of its group's list, oldest first.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    opened: Opened,
    /// Positions in the table plus 1; 0 is none.
    before: u32,
    after: u32,
}

/// The open scopes of a stream, and what was found out about their ids.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    keys: Keys,
    kinds: Cow<'static, [Kind]>,
    /// Keep the transitions of a reference that knows no recovery.
    literal: bool,
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// By the key of the scope: its place in `entries`.
    places: ByKey<u32>,
    groups: Bounded<Group>,
    suspects: Bounded<Suspicion>,
    /// Scopes that were open, and the mark that their opening left.
    past: Bounded<u64>,
    /// The event that has opened something last.
    newest: u64,
    bound: usize,
    overflowed: bool,
}

#[expect(
    clippy::indexing_slicing,
    reason = "kinds are those of a table of at most `KINDS`; places and links go no later than their entries"
)]
impl Scopes {
    pub(crate) fn new(kinds: impl Into<Cow<'static, [Kind]>>, bound: usize, literal: bool) -> Self {
        let (groups, suspects, past) = (Bounded::new(bound), Bounded::new(bound), Bounded::new(bound));
        Self { kinds: kinds.into(), literal, groups, suspects, past, bound, ..Self::default() }
    }

    /// The key of an id.
    pub(crate) fn key(&self, id: impl Hash) -> u64 {
        self.keys.of(id)
    }

    pub(crate) fn noun(&self, kind: usize) -> &str {
        &self.kinds[kind].noun
    }

    /// The key of a scope. Ids are keyed hashes, so mixing is enough.
    fn scope_key(of: &Of<'_>, id: u64) -> u64 {
        (id ^ of.owner.rotate_left(17) ^ of.group.rotate_left(31))
            .wrapping_add(of.kind as u64 + 1)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn group(&mut self, key: u64) -> Option<&mut Group> {
        if !self.groups.contains(key)
            && let Some((_, forgotten)) = self.groups.insert_new(key, Group::default())
        {
            self.drop_list(forgotten.first);
        }
        self.groups.get_mut(key)
    }

    /// The id that stands in a slot, if it is a string.
    pub(crate) fn id<'a>(&self, facts: &Facts<'a>, slot: u8) -> Option<Id<'a>> {
        let text = facts.string(slot)?;
        Some(Id { key: self.keys.of(&*text), text })
    }

    /// Does to a scope what a table says.
    pub(crate) fn apply(&mut self, act: Act, of: &Of<'_>, rule: &Rule, arrival: &mut Arrival<'_, '_, '_>) {
        match act {
            Act::Open => _ = self.open(of, rule, 0, None, arrival),
            Act::Use => _ = self.touch(of, rule, arrival),
            Act::Close => _ = self.close(of, rule, arrival),
        }
    }

    /// Opens a scope. `mark` says how, for what opens it again.
    pub(crate) fn open(
        &mut self,
        of: &Of<'_>,
        rule: &Rule,
        mark: u64,
        name: Option<&str>,
        arrival: &mut Arrival<'_, '_, '_>,
    ) -> Opening {
        let Some(Id { key: id_key, text: id }) = &of.id else {
            if let Some(group) = self.group(of.group) {
                group.excused[of.kind] = group.excused[of.kind].saturating_add(1);
            }
            return Opening::Unreadable;
        };
        let (id_key, key) = (*id_key, Self::scope_key(of, *id_key));
        if self.suspects.get(id_key) == Some(&Suspicion::UntilOpened) {
            self.suspects.insert(id_key, Suspicion::Opened);
        }
        let quiet = !self.literal && (!arrival.is_clean() || self.is_suspect(id_key));
        if let Some(place) = self.places.get(&key).copied() {
            if !quiet && (self.spend_stray(of) || self.spend_lost(of)) {
                return Opening::Faulty;
            }
            if !quiet {
                let related = self.entries[place as usize].opened.place.related("opened here");
                let kind = &self.kinds[of.kind];
                let message = format!("{} {} is open already{}", kind.noun, show(id), kind.within);
                arrival.fault_related(rule, Some(of.slot), message, Some(related));
                self.suspect(id_key);
            }
            return Opening::Faulty;
        }
        if !arrival.is_clean() {
            self.suspect(id_key);
        }
        let before = self.past.get(key).copied();
        let opened =
            Opened { kind: of.kind, group: of.group, id: id_key, place: arrival.place(), label: Label::of(id, name) };
        self.newest = opened.place.event;
        self.insert(key, opened);
        self.past.insert(key, before.unwrap_or(mark));
        if quiet { Opening::Faulty } else { Opening::Opened(before) }
    }

    /// Takes an event that continues a scope.
    pub(crate) fn touch(&mut self, of: &Of<'_>, rule: &Rule, arrival: &mut Arrival<'_, '_, '_>) -> Using {
        let Some(id) = &of.id else { return Using::Silent };
        self.look_up(of, id, Self::scope_key(of, id.key), rule, arrival)
    }

    /// Takes an event that ends a scope, which is open no longer.
    pub(crate) fn close(&mut self, of: &Of<'_>, rule: &Rule, arrival: &mut Arrival<'_, '_, '_>) -> Using {
        let Some(id) = &of.id else {
            self.stray(of);
            return Using::Silent;
        };
        let (id_key, key) = (id.key, Self::scope_key(of, id.key));
        if self.remove(key) {
            // Only what was open can be closed, so nothing is wrong with the order.
            if !arrival.is_clean() {
                self.suspect(id_key);
                return Using::Silent;
            }
            return if self.is_suspect(id_key) { Using::Silent } else { Using::Open };
        }
        let using = self.look_up(of, id, key, rule, arrival);
        if !self.past.contains(key) && self.suspects.get(id_key) == Some(&Suspicion::Unknown) {
            self.suspects.insert(id_key, Suspicion::Other);
            self.stray(of);
        } else if matches!(using, Using::Reported) {
            // It has ended already: another one that is open may have been meant.
            self.stray(of);
        }
        using
    }

    fn look_up(&mut self, of: &Of<'_>, id: &Id<'_>, key: u64, rule: &Rule, arrival: &mut Arrival<'_, '_, '_>) -> Using {
        let id_key = id.key;
        if !self.literal {
            if !arrival.is_clean() {
                self.suspect(id_key);
                return Using::Silent;
            }
            if self.is_suspect(id_key) {
                return Using::Silent;
            }
        }
        if self.places.contains_key(&key) {
            return Using::Open;
        }
        if !self.literal && self.excuse(of) {
            self.suspect(id_key);
            return Using::Silent;
        }
        let kind = &self.kinds[of.kind];
        let (noun, shown, within) = (&kind.noun, show(&id.text), kind.within);
        let message = if self.past.contains(key) {
            format!("{noun} {shown} has ended already{within}")
        } else {
            format!("no {noun} {shown} is open{within}")
        };
        let hint = if arrival.report.is_full() { None } else { self.meant(of, &id.text) };
        arrival.fault_hinted(rule, of.slot, message, hint);
        self.suspects.insert(id_key, Suspicion::Unknown);
        Using::Reported
    }

    /// What to write instead of an id that is nearly that of an open scope. Ids with other digits
    /// are others.
    fn meant(&self, of: &Of<'_>, written: &str) -> Option<String> {
        let open: Vec<Label> = self
            .list(of.group)
            .take(COMPARED)
            .filter(|opened| opened.kind == of.kind)
            .map(|opened| opened.label)
            .collect();
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
        let own = digits(written);
        let meant = nearest(written, open.iter().map(Label::id).filter(|id| digits(id) == own))?;
        let is_shown = show(meant) == meant;
        Some(if is_shown { format!("write {meant}") } else { "write it just as where it was opened".to_owned() })
    }

    /// Whether a scope of the kind may have been opened by an event of which the id, or all, could not be read, and has
    /// not been found since.
    pub(crate) fn may_excuse(&self, of: &Of<'_>) -> bool {
        self.groups.get(of.group).is_some_and(|group| group.excused[of.kind] > 0 || group.lost > 0)
    }

    /// Whether an opener that could not be read may have been that of an unknown id.
    fn excuse(&mut self, of: &Of<'_>) -> bool {
        let was_opened = self.was_opened(of);
        let Some(group) = self.groups.get_mut(of.group) else { return false };
        if group.unseen && !was_opened {
            return true;
        }
        let excuses = if group.excused[of.kind] > 0 { &mut group.excused[of.kind] } else { &mut group.lost };
        excuses.checked_sub(1).map(|left| *excuses = left).is_some()
    }

    /// Whether a stray may have been the closer of a scope of this kind; it is used up then.
    pub(crate) fn spend_stray(&mut self, of: &Of<'_>) -> bool {
        let forgiven = self.has_stray(of);
        if let Some(group) = self.groups.get_mut(of.group) {
            group.strays[of.kind] -= u16::from(forgiven);
        }
        forgiven
    }

    /// Whether the scope, which is open, may have been closed by an event that could not be read.
    pub(crate) fn may_be_closed(&self, of: &Of<'_>) -> bool {
        let opened = self.opened(of).map(|opened| opened.place.event);
        // What forgives is not used up in a copy.
        opened.zip(self.groups.get(of.group).copied()).is_some_and(|(opened_at, mut group)| group.spend_lost(opened_at))
    }

    /// Whether an event that could not be read may have closed the scope, which is open.
    fn spend_lost(&mut self, of: &Of<'_>) -> bool {
        let opened = self.opened(of).map(|opened| opened.place.event).filter(|_| !self.literal);
        opened.zip(self.groups.get_mut(of.group)).is_some_and(|(opened_at, group)| group.spend_lost(opened_at))
    }

    /// Whether a closer came that may have been meant for this scope, or for one of its kind that
    /// is not open.
    pub(crate) fn has_stray(&self, of: &Of<'_>) -> bool {
        let opened_at = self.opened(of).map_or(0, |opened| opened.place.event);
        let may_be = |group: &Group| group.strays[of.kind] > 0 && opened_at <= group.strayed_at;
        !self.literal && self.groups.get(of.group).is_some_and(may_be)
    }

    /// Notes a closer that was meant for a scope nobody can name.
    pub(crate) fn stray(&mut self, of: &Of<'_>) {
        let newest = self.newest;
        if let Some(group) = self.group(of.group) {
            group.strays[of.kind] = group.strays[of.kind].saturating_add(1);
            group.strayed_at = newest;
        }
    }

    /// Notes that an event could not be read, which may have opened something, or closed it.
    pub(crate) fn lost(&mut self, group: u64) {
        let newest = self.newest;
        if let Some(group) = self.group(group) {
            group.lost = group.lost.saturating_add(1);
            group.lost_at.rotate_right(1);
            group.lost_at[0] = newest + 1;
        }
    }

    /// Notes whether the beginning of a group is missing, which may have opened anything.
    pub(crate) fn begins_unseen(&mut self, group: u64, unseen: bool) {
        let known = if unseen { self.group(group) } else { self.groups.get_mut(group) };
        if let Some(group) = known {
            group.unseen = unseen;
        }
    }

    /// Whether a scope is open, suspect or not.
    pub(crate) fn opened(&self, of: &Of<'_>) -> Option<&Opened> {
        let key = Self::scope_key(of, of.id.as_ref()?.key);
        self.places.get(&key).map(|place| &self.entries[*place as usize].opened)
    }

    /// Whether the scope was ever opened, as far as is remembered.
    pub(crate) fn was_opened(&self, of: &Of<'_>) -> bool {
        of.id.as_ref().is_some_and(|id| self.past.contains(Self::scope_key(of, id.key)))
    }

    /// An open scope of a kind and an id, whoever owns it.
    pub(crate) fn of_any_owner(&self, of: &Of<'_>) -> Option<Opened> {
        let id = of.id.as_ref()?.key;
        self.list(of.group).take(LOOKED_AT).find(|opened| opened.kind == of.kind && opened.id == id)
    }

    /// Closes every open scope of a kind and an id, whoever owns it.
    pub(crate) fn close_of_any_owner(&mut self, of: &Of<'_>) {
        let Some(id) = of.id.as_ref().map(|id| id.key) else { return };
        let mut at = self.groups.get(of.group).map_or(0, |group| group.first);
        for _ in 0..LOOKED_AT {
            if at == 0 {
                break;
            }
            let entry = self.entries[at as usize - 1];
            at = entry.after;
            if entry.opened.kind == of.kind && entry.opened.id == id {
                self.remove(entry.key);
            }
        }
    }

    /// The open scopes of a group, the oldest first.
    pub(crate) fn list(&self, group: u64) -> impl Iterator<Item = Opened> {
        let mut at = self.groups.get(group).map_or(0, |group| group.first);
        std::iter::from_fn(move || {
            let entry = self.entries.get((at as usize).checked_sub(1)?)?;
            at = entry.after;
            Some(entry.opened)
        })
    }

    /// What is to be reported as open at the end of a group: by kind, the oldest first,
    /// without what is suspect or may have been closed by a stray or by an event that could not be read.
    pub(crate) fn unclosed(&self, group: u64) -> Vec<Opened> {
        // A copy, of which what forgives is used up.
        let mut forgiving = self.groups.get(group).copied().unwrap_or_default();
        let Group { strays, strayed_at, .. } = forgiving;
        let mut open: Vec<Opened> =
            self.list(group).filter(|opened| self.literal || !self.is_suspect(opened.id)).collect();
        open.sort_by_key(|opened| opened.kind);
        let mut forgiven = if self.literal { [0; KINDS] } else { strays };
        open.retain(|opened| {
            if forgiven[opened.kind] > 0 && opened.place.event <= strayed_at {
                forgiven[opened.kind] -= 1;
                return false;
            }
            self.literal || !forgiving.spend_lost(opened.place.event)
        });
        open
    }

    /// Whether something of a group is to be reported as open; taken for granted where very much is open.
    pub(crate) fn has_unclosed(&self, group: u64) -> bool {
        self.list(group).nth(MANY).is_some() || !self.unclosed(group).is_empty()
    }

    /// Forgets what is open in a group, and what there was to forgive.
    pub(crate) fn end(&mut self, group: u64) {
        if let Some(group) = self.groups.get_mut(group) {
            let first = group.first;
            *group = Group::default();
            self.drop_list(first);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.free.clear();
        clear(&mut self.places);
        self.groups.clear();
        self.suspects.clear();
        self.past.clear();
    }

    pub(crate) fn is_suspect(&self, id: u64) -> bool {
        !self.suspects.is_empty() && self.suspicion(id).is_some()
    }

    fn suspicion(&self, id: u64) -> Option<Suspicion> {
        self.suspects.get(id).copied().filter(|suspicion| *suspicion != Suspicion::Opened)
    }

    /// Nothing more is to be said of an id until it is opened.
    pub(crate) fn suspect_until_opened(&mut self, id: u64) {
        if self.suspicion(id).is_none() {
            self.suspects.insert(id, Suspicion::UntilOpened);
        }
    }

    /// Nothing more is to be said of an id.
    pub(crate) fn suspect(&mut self, id: u64) {
        if self.suspicion(id).is_none() {
            self.suspects.insert(id, Suspicion::Other);
        }
    }

    /// Whether something was forgotten or refused since this was last asked.
    pub(crate) fn take_overflow(&mut self) -> bool {
        let forgotten = self.groups.take_overflow() | self.suspects.take_overflow() | self.past.take_overflow();
        std::mem::take(&mut self.overflowed) | forgotten
    }

    fn insert(&mut self, key: u64, opened: Opened) {
        if self.places.len() >= self.bound {
            self.overflowed = true;
            self.suspect(opened.id);
            return;
        }
        let at = self.free.pop().unwrap_or(self.entries.len() as u32);
        let Some(group) = self.group(opened.group) else { return };
        let before = std::mem::replace(&mut group.last, at + 1);
        if before == 0 {
            group.first = at + 1;
        }
        let entry = Entry { key, opened, before, after: 0 };
        match self.entries.get_mut(at as usize) {
            Some(free) => *free = entry,
            None => self.entries.push(entry),
        }
        if before != 0 {
            self.entries[before as usize - 1].after = at + 1;
        }
        self.places.insert(key, at);
    }

    /// Takes a scope out; false if it is not open.
    fn remove(&mut self, key: u64) -> bool {
        let Some(at) = self.places.remove(&key) else { return false };
        let Entry { opened, before, after, .. } = self.entries[at as usize];
        self.free.push(at);
        if before != 0 {
            self.entries[before as usize - 1].after = after;
        }
        if after != 0 {
            self.entries[after as usize - 1].before = before;
        }
        if let Some(group) = self.groups.get_mut(opened.group) {
            if before == 0 {
                group.first = after;
            }
            if after == 0 {
                group.last = before;
            }
        }
        true
    }

    fn drop_list(&mut self, mut at: u32) {
        while at != 0 {
            let entry = self.entries[at as usize - 1];
            self.places.remove(&entry.key);
            self.free.push(at - 1);
            at = entry.after;
        }
    }
}

/// Takes one away; false if there is none.
pub(crate) fn spend(count: &mut u32) -> bool {
    count.checked_sub(1).map(|left| *count = left).is_some()
}
