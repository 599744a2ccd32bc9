//! Phase 1: one pass over an event's bytes that decides whether the event is clean and
//! collects what the rules want to know of it, without allocating.

use std::borrow::Cow;

use super::facts::{Fact, FactKind, Facts};
use super::leaks::{is_secret_key, is_surely_harmless, is_token_counter, names_secret};
use super::leaves::{LeafKind, Leaves};
use super::shape::{
    ArrayForm, FormId, Judge, MembersForm, NumberForm, ObjectForm, Shape, Unknown, Watch, is_json_pointer, select,
};
use super::size::LONGEST_NUMBER;
use super::template::LONGEST;
use crate::safe::tokens;
use crate::wire::bytes::Seen;
use crate::wire::number::{is_integer, to_f64};
use crate::wire::scan::{Cursor, Kind, SyntaxError};
use crate::wire::tag;
use crate::wire::text::Text;

/// Something that only phase 2 can judge.
#[derive(Debug)]
struct Unclean;

impl From<SyntaxError> for Unclean {
    fn from(_: SyntaxError) -> Self {
        Self
    }
}

type Scan<T = ()> = Result<T, Unclean>;

/// How a scan is to judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanOptions {
    pub(crate) depth: u16,
    /// The size of an inspected value in UTF-16 units beyond which it is reported.
    pub(crate) inline_units: usize,
    /// Whether strings that look like provider tokens are of interest, and keys that
    /// count model tokens are not.
    pub(crate) strict: bool,
}

/// Collects the facts of an event that fits its shape and shows nothing suspicious, and the leaves of one that is to be
/// learned.
/// False says nothing but that phase 2 has to look.
pub(super) fn scan(
    shape: &Shape,
    root: FormId,
    options: ScanOptions,
    facts: &mut Facts<'_>,
    leaves: &mut Leaves,
    learns: bool,
) -> bool {
    leaves.clear();
    if !learns || facts.text().len() > LONGEST {
        leaves.give_up();
    }
    let cursor = Cursor::new(facts.text(), options.depth);
    let mut scanner = Scanner { shape, options, cursor, facts, level: 0, growth: 0, leaves };
    scanner.value(root, Watch::default()).is_ok() && scanner.cursor.end().is_ok()
}

struct Scanner<'s, 'f, 'a> {
    shape: &'s Shape,
    options: ScanOptions,
    cursor: Cursor<'a>,
    facts: &'f mut Facts<'a>,
    /// How many objects of the contract the cursor is in.
    level: u32,
    /// By how much the numbers with exponents may grow when they are printed again, in bytes.
    growth: usize,
    /// Where other values could stand.
    leaves: &'f mut Leaves,
}

impl<'s, 'a> Scanner<'s, '_, 'a> {
    #[inline]
    fn value(&mut self, form: FormId, watch: Watch) -> Scan {
        let shape: &'s Shape = self.shape;
        let form = shape.form(form);
        let kind = self.cursor.kind()?;
        let start = self.cursor.offset();
        let kind = match kind {
            Kind::String => {
                let string = form.string.as_ref().ok_or(Unclean)?;
                let no_empty = string.non_empty || watch.no_empty;
                self.string(string.judge.as_deref(), Watch { no_empty, ..watch })?;
                return if watch.inspect { self.size(start) } else { Ok(()) };
            }
            Kind::Number => {
                let number = form.number.as_ref().ok_or(Unclean)?;
                let text = self.cursor.number()?;
                let is_integer = fits_number(number, text)?;
                if number.takes_any_digits() {
                    self.leaves.number(text, self.cursor.offset(), number.integer, self.slot(watch));
                }
                if is_integer { FactKind::Integer } else { FactKind::Number }
            }
            Kind::Bool if form.boolean => {
                self.cursor.literal()?;
                FactKind::Bool
            }
            Kind::Null if form.null => {
                self.cursor.literal()?;
                FactKind::Null
            }
            Kind::Array => self.array(form.array.as_ref().ok_or(Unclean)?, watch)?,
            Kind::Object => {
                self.object(form.object.as_ref().ok_or(Unclean)?, watch)?;
                FactKind::Object
            }
            Kind::Bool | Kind::Null => return Err(Unclean),
        };
        if watch.inspect {
            self.size(start)?;
        }
        let slot = self.slot(watch);
        if slot != 0 {
            let (start, end) = (start as u32, self.cursor.offset() as u32);
            self.facts.put(slot, Fact { kind, start, end, ..Fact::default() });
        }
        Ok(())
    }

    /// The slot that the value takes; 0 is none.
    #[inline]
    fn slot(&self, watch: Watch) -> u8 {
        if self.level == u32::from(watch.level) { watch.slot } else { 0 }
    }

    /// Notes the string that was read last: another could stand in its place.
    #[inline]
    fn leaf(&mut self, judge: Option<&Judge>, text: Text<'_>, slot: u8) {
        let end = self.cursor.offset() - 1;
        let start = end - text.raw.len();
        match judge {
            None => self.leaves.text(start, end, slot),
            Some(judge) if judge.is_pointer() && start < end => self.leaves.push(start, end, LeafKind::Pointer, slot),
            Some(_) => {}
        }
    }

    /// The string that comes next, by what its characters must be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn string(&mut self, judge: Option<&Judge>, watch: Watch) -> Scan {
        if watch.piece {
            return self.piece(watch);
        }
        let start = self.cursor.offset() as u32;
        let (text, seen) = self.text()?;
        let (escaped, named) = (text.escaped, seen.has(Seen::NAMED));
        let mut fact = Fact { kind: FactKind::String, escaped, named, start, ..Fact::default() };
        if watch.no_empty && text.raw.is_empty() {
            return Err(Unclean);
        }
        let slot = self.slot(watch);
        if let Some(judge) = judge {
            // Rules may compare it as it is written.
            if escaped {
                self.facts.hide();
            }
            judged(judge, &name_of(text)?, &mut fact)?;
        }
        if is_disguised(text, seen) {
            self.facts.hide();
            self.disguised(text)?;
        } else if !judge.is_some_and(Judge::has_list) {
            // A published value is no token.
            self.token(text, seen)?;
        }
        self.leaf(judge, text, slot);
        if slot != 0 {
            fact.end = self.cursor.offset() as u32;
            self.facts.put(slot, fact);
        }
        Ok(())
    }

    /// Reads a string, and looks for keys that name secrets in case it is JSON text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn text(&mut self) -> Scan<(Text<'a>, Seen)> {
        Ok(self.cursor.string_seen(names_secret)?)
    }

    fn array(&mut self, array: &ArrayForm, watch: Watch) -> Scan<FactKind> {
        let Some(items) = array.items else {
            self.opaque(watch, 0)?;
            return Ok(FactKind::Array);
        };
        self.cursor.open(b'[')?;
        let mut first = true;
        let mut count = 0;
        let mut kind = FactKind::Array;
        while self.cursor.element(&mut first)? {
            let before = self.cursor.offset();
            self.value(items, Watch { slot: 0, ..watch })?;
            // A string of length above zero takes at least three bytes.
            let raw = self.cursor.since(before).trim_ascii_start();
            if raw.starts_with('"') && raw.len() > 2 {
                kind = FactKind::List;
            }
            count += 1;
        }
        if count < array.min_items { Err(Unclean) } else { Ok(kind) }
    }

    fn object(&mut self, form: &'s ObjectForm, watch: Watch) -> Scan {
        match form {
            ObjectForm::Any => self.opaque(watch, watch.below),
            ObjectForm::Members(members) => self.members(members),
            ObjectForm::Tagged { member, tags, variants, suffixed, .. } => {
                let text = self.cursor.text();
                let leading = tag::leading(&text[self.cursor.offset()..], member);
                let tag = leading.map_or_else(|| self.peek_tag(member), |tag| Ok(Cow::Borrowed(tag)))?;
                let (at, variant) = select(tags, variants, suffixed.as_ref(), &tag).ok_or(Unclean)?;
                if self.level == 0 {
                    self.facts.tag = at as u16 + 1;
                }
                let Some(ObjectForm::Members(form)) = &self.shape.form(variant.form).object else {
                    return Err(Unclean);
                };
                if leading.is_some() {
                    #[expect(
                        clippy::indexing_slicing,
                        reason = "the tag is a member of each variant, at this position"
                    )]
                    let watch = form.members[usize::from(variant.tag)].watch;
                    if watch.slot != 0 && u32::from(watch.level) == self.level + 1 {
                        let start = (self.cursor.offset() + member.len() + 4) as u32;
                        let end = start + tag.len() as u32 + 2;
                        self.facts.put(watch.slot, Fact { kind: FactKind::String, start, end, ..Fact::default() });
                    }
                    self.cursor.open_past(member.len() + tag.len() + 6)?;
                    return self.members_after(form, 1 << variant.tag, false);
                }
                self.members(form)
            }
        }
    }

    /// The value of the tag member of the object that comes next. A wrong guess does no
    /// harm: the variant's own tag is held against the member when the scan comes to it.
    fn peek_tag(&self, member: &str) -> Scan<Cow<'a, str>> {
        if self.level == 0
            && let Some(tag) = tag::trailing(self.cursor.text(), member)
        {
            return Ok(Cow::Borrowed(tag));
        }
        match tag::search(&self.cursor, member, false) {
            Ok(Some(tag)) => name_of(tag.text),
            _ => Err(Unclean),
        }
    }

    fn members(&mut self, form: &'s MembersForm) -> Scan {
        self.cursor.open(b'{')?;
        self.members_after(form, 0, true)
    }

    /// The members of an open object, after those that `seen` says have been read.
    fn members_after(&mut self, form: &'s MembersForm, mut seen: u64, mut first: bool) -> Scan {
        self.level += 1;
        while let Some(key) = self.cursor.member(&mut first)? {
            let name = &*name_of(key)?;
            let known = form.names.find(name);
            if key.is_disguised() && (known.is_none() || self.level != 1) {
                self.facts.hide();
            }
            if let Some(at) = known {
                if seen & (1 << at) != 0 {
                    return Err(Unclean);
                }
                seen |= 1 << at;
                #[expect(clippy::indexing_slicing, reason = "each name has its member, at the same position")]
                let member = &form.members[at];
                // The short way of most members.
                if member.plain && self.cursor.kind()? == Kind::String {
                    self.string(member.judge.as_deref(), member.watch)?;
                } else {
                    self.value(member.form, member.watch)?;
                }
            } else if form.closed {
                return Err(Unclean);
            } else {
                self.unknown(name)?;
            }
        }
        self.level -= 1;
        if form.required & !seen == 0 { Ok(()) } else { Err(Unclean) }
    }

    /// A string that is a piece of an event: of itself only half a surrogate pair is wrong.
    #[inline(never)]
    fn piece(&mut self, watch: Watch) -> Scan {
        let start = self.cursor.offset() as u32;
        let (text, escapes) = self.cursor.string_with_escapes()?;
        if (watch.no_empty && text.raw.is_empty()) || is_disguised(text, escapes) {
            return Err(Unclean);
        }
        // Comparing would cost more than reading.
        self.leaves.give_up();
        if self.slot(watch) != 0 {
            let end = self.cursor.offset() as u32;
            let (kind, escaped) = (FactKind::String, text.escaped);
            self.facts.put(watch.slot, Fact { kind, escaped, start, end, ..Fact::default() });
        }
        Ok(())
    }

    fn unknown(&mut self, name: &str) -> Scan {
        match self.shape.watches.unknown {
            Unknown::Pass => {
                self.key_token(name)?;
                self.strings_only()
            }
            Unknown::Inspect => {
                let kind = self.cursor.kind()?;
                if self.key(name, kind)? { self.plain_string(false) } else { self.inspect(0) }
            }
            Unknown::Report => Err(Unclean),
        }
    }

    /// A value of any kind: looked into if the member is watched, or all that is not the
    /// protocol's own is.
    fn opaque(&mut self, watch: Watch, below: u8) -> Scan {
        if watch.inspect || self.shape.watches.unknown == Unknown::Inspect {
            self.inspect(if self.level == 1 { below } else { 0 })
        } else {
            self.strings_only()
        }
    }

    /// A key that could name a secret, or hide a token. True if its value is a string that no other may replace.
    #[inline]
    fn key(&self, name: &str, value: Kind) -> Scan<bool> {
        let strict = self.options.strict;
        let is_named = is_secret_key(name) && !(strict && is_token_counter(name, value));
        if is_named && !(strict && is_surely_harmless(self.cursor)) {
            return Err(Unclean);
        }
        self.key_token(name)?;
        Ok(is_named && value == Kind::String)
    }

    /// Passes over a value, looking at its keys; `below` names slots for its members.
    fn inspect(&mut self, below: u8) -> Scan {
        self.inside::<true>(below)
    }

    /// Passes over a value; only strings are of interest.
    fn strings_only(&mut self) -> Scan {
        self.inside::<false>(0)
    }

    fn inside<const KEYS: bool>(&mut self, below: u8) -> Scan {
        let kind = self.cursor.kind()?;
        self.any::<KEYS>(kind, below)
    }

    /// Passes over a value of this kind, which comes next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn any<const KEYS: bool>(&mut self, kind: Kind, below: u8) -> Scan {
        match kind {
            Kind::String => self.plain_string(true),
            Kind::Number => self.number(0).map(drop),
            Kind::Null | Kind::Bool => Ok(self.cursor.literal().map(drop)?),
            Kind::Array => self.any_elements::<KEYS>(),
            Kind::Object => self.any_members::<KEYS>(below),
        }
    }

    fn any_elements<const KEYS: bool>(&mut self) -> Scan {
        let mut first = true;
        self.cursor.open(b'[')?;
        while self.cursor.element(&mut first)? {
            let kind = self.cursor.kind()?;
            self.any::<KEYS>(kind, 0)?;
        }
        Ok(())
    }

    fn any_members<const KEYS: bool>(&mut self, below: u8) -> Scan {
        let mut first = true;
        self.cursor.open(b'{')?;
        while let Some(key) = self.cursor.member(&mut first)? {
            let kind = self.cursor.kind()?;
            if key.is_disguised() {
                self.facts.hide();
            }
            let name = &*name_of(key)?;
            if !KEYS {
                self.key_token(name)?;
            } else if self.key(name, kind)? {
                self.plain_string(false)?;
                continue;
            }
            if below != 0 {
                let slot = self.shape.watches.slot_below(below, name);
                if slot != 0 {
                    self.below(slot, kind)?;
                    continue;
                }
            }
            self.any::<KEYS>(kind, 0)?;
        }
        Ok(())
    }

    /// Takes the facts of a watched member below an inspected value.
    fn below(&mut self, slot: u8, kind: Kind) -> Scan {
        if self.facts.kind(slot) != FactKind::Absent {
            return Err(Unclean);
        }
        let start = self.cursor.offset();
        let (mut escaped, mut named) = (false, false);
        let kind = match kind {
            Kind::String => {
                let (text, seen) = self.text()?;
                self.opaque_token(text, seen)?;
                self.leaf(None, text, slot);
                (escaped, named) = (text.escaped, seen.has(Seen::NAMED));
                FactKind::String
            }
            Kind::Number => {
                let text = self.number(slot)?;
                if is_integer(text) { FactKind::Integer } else { FactKind::Number }
            }
            Kind::Null => self.cursor.literal().map(|_| FactKind::Null)?,
            Kind::Bool => self.cursor.literal().map(|_| FactKind::Bool)?,
            Kind::Array => self.inspect(0).map(|()| FactKind::Array)?,
            Kind::Object => self.inspect(0).map(|()| FactKind::Object)?,
        };
        let fact = Fact { kind, escaped, named, known: 0, start: start as u32, end: self.cursor.offset() as u32 };
        self.facts.put(slot, fact);
        Ok(())
    }

    /// A number that may be any.
    #[inline]
    fn number(&mut self, slot: u8) -> Scan<&'a str> {
        let text = self.cursor.number()?;
        if text.bytes().any(|byte| matches!(byte, b'e' | b'E')) {
            self.growth += LONGEST_NUMBER;
        }
        self.leaves.number(text, self.cursor.offset(), false, slot);
        Ok(text)
    }

    /// A string that could hide a provider token.
    #[inline]
    fn token(&self, text: Text<'_>, seen: Seen) -> Scan {
        let is_dense = seen.has(Seen::DENSE) && self.options.strict;
        if is_dense && tokens::dense_contains_token(text.lossy().as_bytes()) { Err(Unclean) } else { Ok(()) }
    }

    /// The same within a value that is not the protocol's own.
    #[inline]
    fn opaque_token(&mut self, text: Text<'_>, seen: Seen) -> Scan {
        if !is_disguised(text, seen) {
            return self.token(text, seen);
        }
        self.facts.hide();
        self.disguised(text)
    }

    /// The same of a string whose escapes hide what it is.
    #[cold]
    fn disguised(&self, text: Text<'_>) -> Scan {
        let text = text.exact().ok_or(Unclean)?;
        // In JSON they may hide keys.
        if text.contains('"') { Err(Unclean) } else { self.key_token(&text) }
    }

    /// A key that could hide a provider token.
    #[inline]
    fn key_token(&self, name: &str) -> Scan {
        if self.options.strict && tokens::contains_token(name) { Err(Unclean) } else { Ok(()) }
    }

    /// Apart from the function that calls itself, whose frames are many.
    #[inline(never)]
    fn plain_string(&mut self, may_vary: bool) -> Scan {
        let (text, seen) = self.text()?;
        if may_vary {
            self.leaf(None, text, 0);
        }
        self.opaque_token(text, seen)
    }

    /// Whether an inspected value that began at `start` could be too large.
    #[inline]
    fn size(&self, start: usize) -> Scan {
        let bytes = self.cursor.offset() - start + self.growth;
        if bytes > self.options.inline_units { Err(Unclean) } else { Ok(()) }
    }
}

/// Whether the escapes of a string hide what it is: half a surrogate pair, or plain letters.
#[inline]
fn is_disguised(text: Text<'_>, seen: Seen) -> bool {
    seen.has(Seen::NUMBERED) && text.is_disguised()
}

/// The characters of a key.
#[inline]
fn name_of(key: Text<'_>) -> Scan<Cow<'_, str>> {
    key.exact().ok_or(Unclean)
}

/// Whether the characters of a string fit; notes their position in a published list.
fn judged(judge: &Judge, text: &str, fact: &mut Fact) -> Scan {
    if let Some(list) = judge.known.as_ref().or(judge.allowed.as_ref()) {
        fact.known = list.find(text).ok_or(Unclean)? as u16 + 1;
    }
    let forbidden = judge.forbidden.as_ref().is_some_and(|forbidden| forbidden.find(text).is_some())
        || judge.suffix.as_ref().is_some_and(|suffix| !text.ends_with(&**suffix))
        || judge.forbidden_suffix.as_ref().is_some_and(|suffix| text.ends_with(&**suffix));
    if forbidden || (judge.json_pointer && !is_json_pointer(text)) { Err(Unclean) } else { Ok(()) }
}

/// Whether the number fits; true if it is an integer.
#[inline]
fn fits_number(form: &NumberForm, text: &str) -> Scan<bool> {
    let integer = is_integer(text);
    if form.integer && !integer {
        return Err(Unclean);
    }
    if form.min.is_some() || form.max.is_some() {
        let value = to_f64(text);
        if form.min.is_some_and(|min| value < min) || form.max.is_some_and(|max| value > max) {
            return Err(Unclean);
        }
    }
    Ok(integer)
}
