//! Phase 1: one pass over an event's bytes that decides whether the event is clean and
//! collects what the rules want to know of it, without allocating.

use std::borrow::Cow;

use super::secret::{is_secret_key, is_token_counter};
use super::shape::{
    ArrayForm, FormId, Judge, MemberForm, MembersForm, NumberForm, ObjectForm, Shape, StringForm, Unknown, Watch,
    is_json_pointer,
};
use super::template::Move;
use super::tree::{Node, Value};
use crate::safe::tokens;
use crate::wire::number::{is_integer, small, to_f64};
use crate::wire::scan::{Cursor, Kind, SyntaxError, Text};
use crate::wire::tag;

/// The number of slots; slot 0 is a bin for what nobody asked for.
pub(crate) const SLOTS: usize = 48;

/// What is known of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FactKind {
    #[default]
    Absent,
    Null,
    Bool,
    /// A number that is an integer.
    Integer,
    /// Any other number.
    Number,
    String,
    /// An array that holds a string of length above zero.
    List,
    /// Any other array.
    Array,
    Object,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fact {
    kind: FactKind,
    escaped: bool,
    /// Position in the published list of values, plus 1.
    known: u16,
    start: u32,
    end: u32,
}

/// What is known of an event: a slot for each member that the protocol watches.
#[derive(Clone, Debug)]
pub(crate) struct Facts<'a> {
    text: &'a str,
    slots: [Fact; SLOTS],
    /// Position of the tag in the table of the union at the root, plus 1.
    tag: u16,
}

/// The facts of an event without its text.
#[derive(Debug, Default)]
pub(crate) struct SavedFacts {
    present: Vec<(u8, Fact)>,
    tag: u16,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, slots: [Fact::default(); SLOTS], tag: 0 }
    }

    #[inline]
    pub(crate) fn kind(&self, slot: u8) -> FactKind {
        self.slots[slot as usize].kind
    }

    #[inline]
    pub(crate) fn is_string(&self, slot: u8) -> bool {
        self.kind(slot) == FactKind::String
    }

    /// The place of the value in the event's text.
    pub(crate) fn span(&self, slot: u8) -> std::ops::Range<usize> {
        let fact = &self.slots[slot as usize];
        fact.start as usize..fact.end as usize
    }

    /// The raw text of the value.
    #[inline]
    pub(crate) fn raw(&self, slot: u8) -> &'a str {
        &self.text[self.span(slot)]
    }

    /// The raw text of a value that is there.
    pub(crate) fn raw_if(&self, slot: u8) -> Option<&'a str> {
        (self.kind(slot) != FactKind::Absent).then(|| self.raw(slot))
    }

    /// Takes the facts that are there, apart from the text that they are about.
    pub(crate) fn save(&self, into: &mut SavedFacts) {
        into.tag = self.tag;
        into.present.clear();
        let present = self.slots.iter().enumerate().filter(|(_, fact)| fact.kind != FactKind::Absent);
        into.present.extend(present.map(|(slot, fact)| (slot as u8, *fact)));
    }

    /// The saved facts for a `text` that differs from theirs in some values alone: behind
    /// each of `moves`, a place in the old text, it is longer by so many bytes.
    #[inline]
    pub(crate) fn restore(saved: &SavedFacts, text: &'a str, moves: &[Move]) -> Self {
        let mut facts = Self::new(text);
        facts.tag = saved.tag;
        let moved = |at: u32| {
            let by: isize = moves.iter().map(|step| if at as usize > step.place { step.by } else { 0 }).sum();
            (at as usize).wrapping_add_signed(by) as u32
        };
        for (slot, fact) in &saved.present {
            facts.slots[*slot as usize] = Fact { start: moved(fact.start), end: moved(fact.end), ..*fact };
        }
        for step in moves {
            facts.slots[step.slot as usize].escaped = step.escaped;
        }
        facts
    }

    /// The place of the event's tag, else of its first byte.
    pub(crate) fn tag_span(&self, member: &str) -> std::ops::Range<usize> {
        match tag::search(&Cursor::new(self.text, crate::wire::scan::MAX_DEPTH), member, false) {
            Ok(Some(tag)) => tag.offset..tag.offset + tag.text.raw.len() + 2,
            _ => 0..1,
        }
    }

    /// The characters of a string.
    #[inline]
    pub(crate) fn string(&self, slot: u8) -> Option<Cow<'a, str>> {
        let fact = &self.slots[slot as usize];
        if fact.kind != FactKind::String {
            return None;
        }
        let raw = &self.text[fact.start as usize + 1..fact.end as usize - 1];
        Some(Text { raw, escaped: fact.escaped }.lossy())
    }

    /// The position of a string in the published list of its member.
    #[inline]
    pub(crate) fn known(&self, slot: u8) -> Option<usize> {
        (self.slots[slot as usize].known as usize).checked_sub(1)
    }

    /// The position of the event's type in the union's table.
    #[inline]
    pub(crate) fn tag(&self) -> Option<usize> {
        (self.tag as usize).checked_sub(1)
    }

    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// The facts of an event whose tree has been built.
    pub(crate) fn of_tree(shape: &Shape, root: FormId, node: &Node<'a>, text: &'a str) -> Self {
        let mut facts = Self::new(text);
        let Some(members) = facts.root_members(shape, root, node) else { return facts };
        for member in node.members() {
            let Some(at) = members.names.find(&member.key) else { continue };
            let MemberForm { watch, form, .. } = &members.members[at];
            let judge = shape.form(*form).string.as_ref().and_then(|string| string.judge.as_ref());
            let known = judge.and_then(|judge| judge.known.as_ref());
            facts.set(watch.slot, &member.node, known);
            if watch.below != 0 {
                for (name, slot) in shape.watches.below(watch.below) {
                    if let Some(node) = member.node.get(name) {
                        facts.set(slot, node, None);
                    }
                }
            }
        }
        facts
    }

    fn root_members<'s>(&mut self, shape: &'s Shape, root: FormId, node: &Node<'a>) -> Option<&'s MembersForm> {
        match shape.form(root).object.as_ref()? {
            ObjectForm::Any => None,
            ObjectForm::Members(members) => Some(members),
            ObjectForm::Tagged { member, tags, variants, .. } => {
                let tag = node.get(member)?.as_str()?;
                let at = tags.find(&tag)?;
                self.tag = at as u16 + 1;
                match shape.form(variants[at].form).object.as_ref()? {
                    ObjectForm::Members(members) => Some(members),
                    _ => None,
                }
            }
        }
    }

    /// Takes a value for one that a slot lacks.
    pub(crate) fn stand_in(&mut self, slot: u8, node: &Node<'a>) {
        self.set(slot, node, None);
    }

    fn set(&mut self, slot: u8, node: &Node<'a>, known: Option<&super::names::NameTable>) {
        let (mut escaped, mut position) = (false, 0);
        let kind = match &node.value {
            Value::Null => FactKind::Null,
            Value::Bool(_) => FactKind::Bool,
            Value::Number(text) if is_integer(text) => FactKind::Integer,
            Value::Number(_) => FactKind::Number,
            Value::String(text) => {
                escaped = text.escaped;
                position = known.and_then(|known| known.find(&text.lossy())).map_or(0, |at| at as u16 + 1);
                FactKind::String
            }
            Value::Array(items) if items.iter().any(|item| item.as_str().is_some_and(|text| !text.is_empty())) => {
                FactKind::List
            }
            Value::Array(_) => FactKind::Array,
            Value::Object(_) => FactKind::Object,
        };
        self.slots[slot as usize] =
            Fact { kind, escaped, known: position, start: node.span.start as u32, end: node.span.end as u32 };
    }
}

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

/// Collects the facts of an event that fits its shape and shows nothing suspicious.
/// False says nothing but that phase 2 has to look.
pub(crate) fn scan(shape: &Shape, root: FormId, options: ScanOptions, facts: &mut Facts<'_>) -> bool {
    let cursor = Cursor::new(facts.text, options.depth);
    let mut scanner = Scanner { shape, options, cursor, facts, level: 0, exponents: false };
    scanner.value(root, Watch::default()).is_ok() && scanner.cursor.end().is_ok()
}

struct Scanner<'s, 'f, 'a> {
    shape: &'s Shape,
    options: ScanOptions,
    cursor: Cursor<'a>,
    facts: &'f mut Facts<'a>,
    /// How many objects of the contract the cursor is in.
    level: u32,
    /// Whether a number with an exponent was seen: such may grow when printed again.
    exponents: bool,
}

impl<'s, 'a> Scanner<'s, '_, 'a> {
    #[inline]
    fn value(&mut self, form: FormId, watch: Watch) -> Scan {
        let shape: &'s Shape = self.shape;
        let form = shape.form(form);
        let kind = self.cursor.kind()?;
        let start = self.cursor.offset();
        let mut fact = Fact { start: start as u32, ..Fact::default() };
        match kind {
            Kind::String => {
                let string = form.string.as_ref().ok_or(Unclean)?;
                let text = self.cursor.string()?;
                self.string(string, text, watch, &mut fact)?;
                fact.kind = FactKind::String;
            }
            Kind::Number => {
                let number = form.number.as_ref().ok_or(Unclean)?;
                let text = self.cursor.number()?;
                fact.kind = if fits_number(number, text)? { FactKind::Integer } else { FactKind::Number };
            }
            Kind::Bool if form.boolean => {
                self.cursor.literal()?;
                fact.kind = FactKind::Bool;
            }
            Kind::Null if form.null => {
                self.cursor.literal()?;
                fact.kind = FactKind::Null;
            }
            Kind::Array => fact.kind = self.array(form.array.as_ref().ok_or(Unclean)?, watch)?,
            Kind::Object => {
                self.object(form.object.as_ref().ok_or(Unclean)?, watch)?;
                fact.kind = FactKind::Object;
            }
            Kind::Bool | Kind::Null => return Err(Unclean),
        }
        if watch.inspect {
            self.size(start)?;
        }
        if watch.slot != 0 && self.level == 1 {
            fact.end = self.cursor.offset() as u32;
            self.facts.slots[watch.slot as usize] = fact;
        }
        Ok(())
    }

    #[inline]
    fn string(&mut self, form: &StringForm, text: Text<'_>, watch: Watch, fact: &mut Fact) -> Scan {
        if (form.non_empty || watch.no_empty) && text.raw.is_empty() {
            return Err(Unclean);
        }
        if text.escaped {
            fact.escaped = true;
            if form.judge.is_some() || self.disguised(text) {
                return Err(Unclean);
            }
        }
        match &form.judge {
            None => self.token(text.raw),
            // A published value is no token.
            Some(judge) => judged(judge, text.raw, fact),
        }
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
            ObjectForm::Tagged { member, tags, variants, .. } => {
                let text = self.cursor.text();
                let leading = tag::leading(&text[self.cursor.offset()..], member);
                let tag = match leading {
                    Some(tag) => tag,
                    None => self.peek_tag(member)?,
                };
                let at = tags.find(tag).ok_or(Unclean)?;
                if self.level == 0 {
                    self.facts.tag = at as u16 + 1;
                }
                let variant = variants[at];
                let Some(ObjectForm::Members(form)) = &self.shape.form(variant.form).object else {
                    return Err(Unclean);
                };
                if leading.is_some() {
                    self.cursor.open_past(member.len() + tag.len() + 6)?;
                    return self.members_after(form, 1 << variant.tag, false);
                }
                self.members(form)
            }
        }
    }

    /// The value of the tag member of the object that comes next. A wrong guess does no
    /// harm: the variant's own tag is held against the member when the scan comes to it.
    fn peek_tag(&self, member: &str) -> Scan<&'a str> {
        if self.level == 0
            && let Some(tag) = tag::trailing(self.cursor.text(), member)
        {
            return Ok(tag);
        }
        match tag::search(&self.cursor, member, false) {
            Ok(Some(tag)) => tag.text.plain().ok_or(Unclean),
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
            let name = key.plain().ok_or(Unclean)?;
            if let Some(at) = form.names.find(name) {
                if seen & (1 << at) != 0 {
                    return Err(Unclean);
                }
                seen |= 1 << at;
                let member = &form.members[at];
                if !(member.plain && self.plain_member(member)?) {
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

    /// The short way for a member that may be a string: false if it is none, or has
    /// escapes, and so nothing was read.
    #[inline(always)]
    fn plain_member(&mut self, member: &'s MemberForm) -> Scan<bool> {
        let before = self.cursor;
        if self.cursor.kind()? != Kind::String {
            return Ok(false);
        }
        let start = self.cursor.offset();
        let text = self.cursor.string()?;
        if text.escaped {
            self.cursor = before;
            return Ok(false);
        }
        let watch = member.watch;
        if watch.no_empty && text.raw.is_empty() {
            return Err(Unclean);
        }
        let mut fact = Fact { kind: FactKind::String, start: start as u32, ..Fact::default() };
        match &member.judge {
            None => self.token(text.raw)?,
            Some(judge) => judged(judge, text.raw, &mut fact)?,
        }
        if watch.slot != 0 && self.level == 1 {
            fact.end = self.cursor.offset() as u32;
            self.facts.slots[watch.slot as usize] = fact;
        }
        Ok(true)
    }

    fn unknown(&mut self, name: &str) -> Scan {
        match self.shape.watches.unknown {
            Unknown::Pass => self.strings_only(),
            Unknown::Inspect => {
                let kind = self.cursor.kind()?;
                self.key(name, kind)?;
                self.inspect(0)
            }
            Unknown::Report => Err(Unclean),
        }
    }

    /// A value of any kind: looked into if the member is watched.
    fn opaque(&mut self, watch: Watch, below: u8) -> Scan {
        if watch.inspect { self.inspect(if self.level == 1 { below } else { 0 }) } else { self.strings_only() }
    }

    #[inline]
    fn key(&self, name: &str, value: Kind) -> Scan {
        let secret = is_secret_key(name) && !(self.options.strict && is_token_counter(name, value));
        if secret { Err(Unclean) } else { Ok(()) }
    }

    /// Passes over a value, looking at its keys; `below` names slots for its members.
    fn inspect(&mut self, below: u8) -> Scan {
        let mut first = true;
        match self.cursor.kind()? {
            Kind::String => self.plain_string(),
            Kind::Number => {
                let text = self.cursor.number()?;
                self.exponents |= text.bytes().any(|byte| matches!(byte, b'e' | b'E'));
                Ok(())
            }
            Kind::Null | Kind::Bool => Ok(self.cursor.literal().map(drop)?),
            Kind::Array => {
                self.cursor.open(b'[')?;
                while self.cursor.element(&mut first)? {
                    self.inspect(0)?;
                }
                Ok(())
            }
            Kind::Object => {
                self.cursor.open(b'{')?;
                while let Some(key) = self.cursor.member(&mut first)? {
                    let name = key.plain().ok_or(Unclean)?;
                    let kind = self.cursor.kind()?;
                    self.key(name, kind)?;
                    if below != 0 {
                        let slot = self.shape.watches.slot_below(below, name);
                        if slot != 0 {
                            self.below(slot, kind)?;
                            continue;
                        }
                    }
                    self.inspect(0)?;
                }
                Ok(())
            }
        }
    }

    /// Takes the facts of a watched member below an inspected value.
    fn below(&mut self, slot: u8, kind: Kind) -> Scan {
        if self.facts.slots[slot as usize].kind != FactKind::Absent {
            return Err(Unclean);
        }
        let start = self.cursor.offset();
        let mut escaped = false;
        let kind = match kind {
            Kind::String => {
                let text = self.cursor.string()?;
                self.token(text.raw)?;
                escaped = text.escaped;
                if escaped && self.disguised(text) {
                    return Err(Unclean);
                }
                FactKind::String
            }
            Kind::Number => {
                let text = self.cursor.number()?;
                self.exponents |= text.bytes().any(|byte| matches!(byte, b'e' | b'E'));
                if is_integer(text) { FactKind::Integer } else { FactKind::Number }
            }
            Kind::Null => self.cursor.literal().map(|_| FactKind::Null)?,
            Kind::Bool => self.cursor.literal().map(|_| FactKind::Bool)?,
            Kind::Array => self.inspect(0).map(|()| FactKind::Array)?,
            Kind::Object => self.inspect(0).map(|()| FactKind::Object)?,
        };
        self.facts.slots[slot as usize] =
            Fact { kind, escaped, known: 0, start: start as u32, end: self.cursor.offset() as u32 };
        Ok(())
    }

    /// A string, or a raw value that holds some, that could hide a provider token.
    #[inline]
    fn token(&self, raw: &str) -> Scan {
        if self.options.strict && tokens::contains_token(raw) { Err(Unclean) } else { Ok(()) }
    }

    /// A string whose escapes hide what it is: half a surrogate pair, or plain letters.
    #[inline]
    fn disguised(&self, text: Text<'_>) -> bool {
        text.raw.contains("\\u") && (text.has_lone_surrogate() || (self.options.strict && text.raw.contains("\\u00")))
    }

    #[inline]
    fn plain_string(&mut self) -> Scan {
        let text = self.cursor.string()?;
        self.token(text.raw)?;
        if text.escaped && self.disguised(text) { Err(Unclean) } else { Ok(()) }
    }

    /// Passes over a value; only lone surrogates are of interest.
    fn strings_only(&mut self) -> Scan {
        let raw = self.cursor.raw()?;
        self.token(raw)?;
        // Nearly never there, so one search is cheaper than a look at each string.
        if raw.contains("\\u") { self.look_again(raw) } else { Ok(()) }
    }

    #[cold]
    fn look_again(&self, raw: &str) -> Scan {
        let node = Node::parse(raw, self.options.depth)?;
        let mut disguised = false;
        node.walk(&mut |node| disguised |= matches!(&node.value, Value::String(text) if self.disguised(*text)));
        if disguised { Err(Unclean) } else { Ok(()) }
    }

    /// Whether an inspected value that began at `start` could be too large.
    #[inline]
    fn size(&self, start: usize) -> Scan {
        let bytes = self.cursor.offset() - start;
        // An exponent of two characters can print as twenty-one digits.
        let limit = if self.exponents { self.options.inline_units / 7 } else { self.options.inline_units };
        if bytes > limit { Err(Unclean) } else { Ok(()) }
    }
}

/// Whether the characters of a string fit; notes their position in a published list.
fn judged(judge: &Judge, text: &str, fact: &mut Fact) -> Scan {
    if let Some(list) = judge.known.as_ref().or(judge.allowed.as_ref()) {
        fact.known = list.find(text).ok_or(Unclean)? as u16 + 1;
    }
    let forbidden = judge.forbidden.as_ref().is_some_and(|forbidden| forbidden.find(text).is_some());
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
        let value = small(text).unwrap_or_else(|| to_f64(text));
        if form.min.is_some_and(|min| value < min) || form.max.is_some_and(|max| value > max) {
            return Err(Unclean);
        }
    }
    Ok(integer)
}
