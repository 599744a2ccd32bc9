//! Events that repeat earlier ones but for a few values.
//!
//! Most of a stream are events of a few forms: the same bytes around another id, number or
//! piece of text. Where two clean events differ in such values alone, those may vary, and in
//! the next event of the form only they are read.

use std::hash::Hasher;
use std::ops::Range;

use memchr::memmem::Finder;

use super::facts::{Facts, MOVES, SavedFacts};
use super::leaks::names_secret;
use super::leaves::{Leaf, LeafKind, Leaves, number_until};
use super::passed::Passed;
use super::shape::is_json_pointer;
use crate::safe::tokens;
use crate::wire::bytes::{Seen, end_of_numbered, look, stands_at};
use crate::wire::text::Text;

/// The most values of a form that may vary.
const HOLES: usize = MOVES - 1;

/// The longest event that is remembered, in bytes.
pub(super) const LONGEST: usize = 2048;

/// How many forms are remembered, of all tags and of one.
const FORMS: usize = 48;
const FORMS_OF_TAG: usize = 8;

/// A form is in use that fitted one of the last so many events that fitted any.
const IN_USE: u32 = 64;

/// A form is remembered the second time that it comes. This many that came once are held.
const ONCE: usize = 64;

/// Behind this many events in a row that are like none before, only some are compared.
const PATIENCE: u32 = 64;

/// One of so many is compared, or placed, where most are not.
pub(super) const ONE_OF: u32 = 8;

/// How many counts there are of events in a row, told apart by their hints.
const COUNTS: usize = 16;

/// Clean events of several forms.
pub(crate) struct Templates {
    forms: Vec<Form>,
    once: Vec<u64>,
    /// How many events in a row were like none before.
    unlike: [u32; COUNTS],
    /// The last event was compared, or there was nothing to compare it with.
    compares: bool,
    /// Counts the events that fitted a form, or were learned.
    clock: u32,
    /// Counts the forms for which there was no room.
    crowded: u32,
    /// The form of the last event, and what was read of it.
    last: usize,
    read: Read,
    tag: Finder<'static>,
}

/// An event of which others are like, and the values in it that vary.
#[derive(Default)]
pub(super) struct Form {
    /// What is known of the event beside its text.
    kind: usize,
    hint: u64,
    /// A hash of what cannot vary.
    hash: u64,
    text: Vec<u8>,
    leaves: Vec<Leaf>,
    /// Which leaves vary, a bit each.
    varies: u64,
    holes: Vec<Leaf>,
    /// Too many vary.
    given_up: bool,
    /// A number whose kind has to be looked at varies.
    has_fraction: bool,
    facts: SavedFacts,
    used: u32,
    /// The form that came after this one.
    next: usize,
}

/// What was read of the values that vary.
pub(super) struct Read {
    /// By how much what lies behind so many of them has moved.
    moved: [u32; MOVES],
    seen: [Seen; HOLES],
    /// Whether anything was seen that facts tell of.
    tells: bool,
    /// The last long text: forms that differ behind it do not read it again.
    long: Option<Long>,
}

/// A text of 64 bytes and more that was read.
#[derive(Clone, Copy)]
struct Long {
    start: usize,
    end: usize,
    seen: Seen,
    fits: bool,
}

impl std::fmt::Debug for Templates {
    /// Shows nothing of the events.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Templates").field("forms", &self.forms.len()).finish_non_exhaustive()
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "numbers of forms go no later than the forms, hashes are reduced, and places were found in the text"
)]
impl Templates {
    /// None yet, of events with this tag.
    pub(crate) fn new(tag: &str) -> Self {
        let tag = Finder::new(&format!("\"{tag}\"")).into_owned();
        let (forms, once, unlike) = (Vec::new(), Vec::new(), [0; COUNTS]);
        Self { forms, once, unlike, compares: true, clock: 0, crowded: 0, last: 0, read: Read::default(), tag }
    }

    /// Lets go of all.
    pub(crate) fn clear(&mut self) {
        (self.forms, self.once, self.last, self.unlike) = (Vec::new(), Vec::new(), 0, [0; COUNTS]);
    }

    /// What tells forms apart, more or less: the tag, wherever it stands, and what is known
    /// of the event beside its text.
    fn hint(&self, kind: usize, bytes: &[u8]) -> u64 {
        let Some(at) = self.tag.find(bytes) else { return kind as u64 };
        let value = &bytes[at + self.tag.needle().len()..];
        let value = &value[..value.len().min(48)];
        let start = value.iter().position(|byte| !matches!(byte, b':' | b' ' | b'"')).unwrap_or(value.len());
        let value = &value[start..];
        let end = value.iter().position(|byte| *byte == b'"').unwrap_or(value.len());
        let mut hash = kind as u64 ^ (end as u64) << 48;
        for chunk in value[..end].chunks(8) {
            let word = chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        hash
    }

    /// Finds the facts of an event that differs from a remembered one in values that vary;
    /// false where there is none, or a value needs a closer look.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        kind: usize,
        facts: &mut Facts<'_>,
        passed: &mut Passed,
        strict: bool,
        longest: usize,
    ) -> bool {
        self.compares = true;
        if self.forms.is_empty() || facts.text().len() > longest {
            return false;
        }
        let text = facts.text();
        self.read.begin();
        // Forms mostly follow each other in the same order.
        let guess = self.forms[self.last].next;
        let guessed =
            self.forms[guess].kind == kind && self.forms[guess].fits(text, &mut self.read, Some(passed), strict);
        let at = if guessed {
            guess
        } else {
            let Some(at) = self.search(kind, guess, text, passed, strict) else { return false };
            self.forms[self.last].next = at;
            at
        };
        self.last = at;
        self.clock = self.clock.wrapping_add(1);
        self.forms[at].used = self.clock;
        self.unlike[count_of(self.forms[at].hint)] = 0;
        self.forms[at].restore(facts, &self.read);
        true
    }

    /// Whether the last event, of which no form was found, is to be learned.
    pub(crate) const fn learns(&self) -> bool {
        self.compares
    }

    /// The same of the last event, which has been found, and its form.
    pub(super) fn narrowed(&self, text: &str, piece: u8, beside: &[u8]) -> Option<Form> {
        self.forms.get(self.last)?.narrowed(text, &self.read, piece, beside)
    }

    #[inline(never)]
    fn search(&mut self, kind: usize, tried: usize, text: &str, passed: &mut Passed, strict: bool) -> Option<usize> {
        let hint = self.hint(kind, text.as_bytes());
        let unlike = &mut self.unlike[count_of(hint)];
        *unlike = unlike.wrapping_add(1);
        if *unlike > PATIENCE && !unlike.is_multiple_of(ONE_OF) {
            self.compares = false;
            return None;
        }
        let read = &mut self.read;
        let mut others = self.forms.iter().enumerate().filter(|(at, form)| form.hint == hint && *at != tried);
        others.find(|(_, form)| form.fits(text, read, Some(passed), strict)).map(|(at, _)| at)
    }

    /// Remembers a clean event, if its form has come before.
    pub(crate) fn learn(&mut self, kind: usize, facts: &Facts<'_>, leaves: &Leaves) {
        let text = facts.text().as_bytes();
        let Some(found) = leaves.found().filter(|found| !found.is_empty() && text.len() <= LONGEST) else { return };
        let hash = hash_between(kind, text, found);
        // Hostile events may have the same hash.
        let known = self.forms.iter().position(|form| form.hash == hash && form.kind == kind);
        self.clock = self.clock.wrapping_add(1);
        let Some(at) = known.or_else(|| self.place(kind, hash, text)) else { return };
        let form = &mut self.forms[at];
        form.used = self.clock;
        form.widen(facts, found);
        self.forms[self.last].next = at;
        self.last = at;
    }

    /// Whether a form has come before; notes that it has.
    fn comes_again(&mut self, hash: u64) -> bool {
        self.once.resize(ONCE, 0);
        std::mem::replace(&mut self.once[hash as usize % ONCE], hash) == hash
    }

    /// Puts a new form that has come before where there is room, or in the place of the one that is longest unused.
    /// Where all are in use, only one of so many is placed: else forms that take turns would push each other out.
    fn place(&mut self, kind: usize, hash: u64, text: &[u8]) -> Option<usize> {
        if !self.comes_again(hash) {
            return None;
        }
        let form = Form { kind, hint: self.hint(kind, text), hash, ..Form::default() };
        let alike = self.forms.iter().filter(|known| known.hint == form.hint).count();
        if self.forms.len() < FORMS && alike < FORMS_OF_TAG {
            self.forms.push(form);
            return Some(self.forms.len() - 1);
        }
        let age = |known: &Form| self.clock.wrapping_sub(known.used);
        let of_tag = |known: &&(usize, &Form)| alike < FORMS_OF_TAG || known.1.hint == form.hint;
        let all: Vec<(usize, &Form)> = self.forms.iter().enumerate().collect();
        let (at, oldest) = all.iter().filter(of_tag).max_by_key(|(_, known)| age(known))?;
        let (at, is_in_use) = (*at, age(oldest) < IN_USE);
        self.crowded = self.crowded.wrapping_add(1);
        if is_in_use && !self.crowded.is_multiple_of(ONE_OF) {
            return None;
        }
        self.forms[at] = form;
        Some(at)
    }
}

/// The count of events with this hint.
#[inline]
const fn count_of(hint: u64) -> usize {
    // The high bits are mixed best.
    (hint >> 32) as usize % COUNTS
}

/// A hash of what lies between the values that may vary, and of what these are.
#[expect(clippy::indexing_slicing, reason = "leaves were read from this text, in their order")]
fn hash_between(kind: usize, text: &[u8], leaves: &[Leaf]) -> u64 {
    let mut hasher = std::hash::BuildHasher::build_hasher(&foldhash::fast::FixedState::default());
    hasher.write_usize(kind);
    let mut from = 0;
    for leaf in leaves {
        hasher.write(&text[from..leaf.start as usize]);
        hasher.write_u16(u16::from(leaf.slot) << 8 | leaf.kind as u16);
        from = leaf.end as usize;
    }
    hasher.write(&text[from..]);
    hasher.finish()
}

impl Default for Read {
    #[inline(always)]
    fn default() -> Self {
        Self { moved: [0; MOVES], seen: [Seen::default(); HOLES], tells: false, long: None }
    }
}

impl Read {
    /// Begins with another event. The rest is written anew for each value that varies.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.long = None;
    }

    /// Reads the string at `at`; where it ends, if it may stand there.
    #[inline(always)]
    fn text(
        &mut self,
        kind: LeafKind,
        text: &str,
        at: usize,
        passed: Option<&mut Passed>,
        strict: bool,
        seen: &mut Seen,
    ) -> Option<usize> {
        if let Some(long) = self.long.filter(|long| long.start == at && kind == LeafKind::Text) {
            *seen = long.seen;
            return long.fits.then_some(long.end);
        }
        let end;
        (end, *seen) = look(text.as_bytes(), at, names_secret);
        let fits = fits_text(kind, text, at..end, *seen, passed, strict);
        if end - at >= 64 && kind == LeafKind::Text {
            self.long = Some(Long { start: at, end, seen: *seen, fits });
        }
        fits.then_some(end)
    }
}

/// Whether a string of which so much was seen may stand where it does.
#[inline(always)]
fn fits_text(
    kind: LeafKind,
    text: &str,
    at: Range<usize>,
    seen: Seen,
    passed: Option<&mut Passed>,
    strict: bool,
) -> bool {
    let Some(raw) = text.get(at.clone()).filter(|raw| !raw.is_empty()) else { return false };
    if seen.has(Seen::NUMBERED) && (Text { raw, escaped: true }).is_disguised() {
        return false;
    }
    if kind == LeafKind::Pointer && (seen.has(Seen::ESCAPED) || !is_json_pointer(raw)) {
        return false;
    }
    let escaped = seen.has(Seen::ESCAPED);
    if strict && seen.has(Seen::DENSE) && tokens::dense_contains_token((Text { raw, escaped }).lossy().as_bytes()) {
        return false;
    }
    // What has escapes is text and does not come again.
    if let Some(passed) = passed.filter(|_| !escaped) {
        passed.remember(text.as_bytes(), at);
    }
    true
}

#[expect(
    clippy::indexing_slicing,
    reason = "leaves and holes were read from the text that is kept with them, and no more than `HOLES` are compared"
)]
impl Form {
    /// Takes in an event of the form: where it differs from the last one, it varies.
    fn widen(&mut self, facts: &Facts<'_>, leaves: &[Leaf]) {
        let text = facts.text().as_bytes();
        for (at, (new, old)) in leaves.iter().zip(&self.leaves).enumerate() {
            self.varies |= u64::from(text[new.range()] != self.text[old.range()]) << at;
        }
        self.text.clear();
        self.text.extend_from_slice(text);
        self.leaves.clear();
        self.leaves.extend_from_slice(leaves);
        self.holes.clear();
        let varies = |at: &usize| self.varies >> at & 1 != 0;
        self.holes.extend(leaves.iter().enumerate().filter(|(at, _)| varies(at)).map(|(_, leaf)| leaf.told(text)));
        self.given_up = self.holes.len() > HOLES;
        self.has_fraction = self.holes.iter().any(|hole| hole.kind == LeafKind::Fraction);
        facts.save(&mut self.facts, |place| self.holes.iter().filter(|hole| place > hole.start as usize).count());
        for hole in self.holes.iter().filter(|hole| matches!(hole.kind, LeafKind::Text | LeafKind::Pointer)) {
            self.facts.forget_seen(hole.slot);
        }
    }

    /// Whether an event is of this form, and what its values are.
    #[inline(always)]
    fn fits(&self, text: &str, read: &mut Read, passed: Option<&mut Passed>, strict: bool) -> bool {
        self.end_in(text, read, passed, strict) == Some(text.len())
    }

    /// Where the event ends with which the text begins, if it is of this form, and what its values
    /// are. Only where ids vary does it pay to ask what was passed before.
    #[inline(always)]
    pub(super) fn end_in(
        &self,
        text: &str,
        read: &mut Read,
        mut passed: Option<&mut Passed>,
        strict: bool,
    ) -> Option<usize> {
        let (bytes, known) = (text.as_bytes(), &*self.text);
        let (mut at, mut from) = (0, 0);
        if self.given_up {
            return None;
        }
        read.tells = false;
        for (index, hole) in self.holes.iter().enumerate() {
            let literal = &known[from..hole.start as usize];
            if !stands_at(bytes, at, literal) {
                return None;
            }
            at += literal.len();
            let mut seen = Seen::default();
            let end = if hole.numbered
                && let Some(end) = end_of_numbered(bytes, at, &known[hole.range()])
            {
                end
            } else if matches!(hole.kind, LeafKind::Text | LeafKind::Pointer) {
                let known = passed.as_ref().filter(|_| hole.kind == LeafKind::Text);
                if let Some(end) = known.and_then(|passed| passed.end(bytes, at)) {
                    end
                } else {
                    read.text(hole.kind, text, at, passed.as_deref_mut(), strict, &mut seen)?
                }
            } else {
                number_until(bytes, at, hole.kind)?
            };
            read.seen[index] = seen;
            read.tells |= seen != Seen::default();
            read.moved[index + 1] = (end as u32).wrapping_sub(hole.end);
            (at, from) = (end, hole.end as usize);
        }
        stands_at(bytes, at, &known[from..]).then(|| at + known.len() - from)
    }

    /// A form with the bytes of this event, which fits, in which the text of `piece` and what is
    /// `beside` it may vary, whether it has so far or not, and what no slot takes.
    fn narrowed(&self, text: &str, read: &Read, piece: u8, beside: &[u8]) -> Option<Self> {
        let moved = |place: u32| {
            let before = self.holes.iter().filter(|hole| hole.start < place).count();
            place.wrapping_add(read.moved[before])
        };
        let is_piece = |leaf: &Leaf| leaf.slot == piece && leaf.kind == LeafKind::Text;
        let is_free = |at: usize, leaf: &Leaf| match leaf.slot {
            0 => self.varies >> at & 1 != 0,
            slot => is_piece(leaf) || beside.contains(&slot),
        };
        let free = self.leaves.iter().enumerate().filter(|(at, leaf)| is_free(*at, leaf));
        let holes: Vec<Leaf> = free
            .map(|(_, leaf)| Leaf { start: moved(leaf.start), end: moved(leaf.end), ..*leaf }.told(text.as_bytes()))
            .collect();
        let has = |slot: u8| holes.iter().any(|hole| hole.slot == slot);
        let is_whole = beside.iter().all(|slot| has(*slot) || !self.facts.has(*slot));
        let is_useful = is_whole && holes.iter().any(is_piece) && holes.len() <= HOLES;
        is_useful.then(|| Self { text: text.into(), holes, ..Self::default() })
    }

    /// What an event that fits has in a slot that may vary, as it is written.
    #[inline]
    pub(super) fn varied<'a>(&self, slot: u8, text: &'a str, read: &Read) -> Option<Text<'a>> {
        let at = self.holes.iter().position(|hole| hole.slot == slot)?;
        let hole = self.holes.get(at)?;
        let (start, end) = (hole.start.wrapping_add(read.moved[at]), hole.end.wrapping_add(read.moved[at + 1]));
        let raw = text.get(start as usize..end as usize)?;
        Some(Text { raw, escaped: read.seen[at].has(Seen::ESCAPED) })
    }

    fn restore(&self, facts: &mut Facts<'_>, read: &Read) {
        facts.restore(&self.facts, &read.moved);
        if !read.tells && !self.has_fraction {
            return;
        }
        for (hole, seen) in self.holes.iter().zip(read.seen).filter(|(hole, _)| hole.slot != 0) {
            match hole.kind {
                LeafKind::Text | LeafKind::Pointer => facts.set_seen(hole.slot, seen),
                LeafKind::Fraction => facts.set_number(hole.slot),
                LeafKind::Digits => {}
            }
        }
    }
}
