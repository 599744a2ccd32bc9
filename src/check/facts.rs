//! What is known of an event: a slot for each member that the protocol watches.

use std::borrow::Cow;

use super::misspelt::Misspelt;
use super::shape::{FormId, MemberForm, MembersForm, ObjectForm, Shape, select};
use super::size::surely_fits;
use super::tree::{Node, Value};
use crate::wire::bytes::Seen;
use crate::wire::number::{is_integer, to_f64};
use crate::wire::scan::Cursor;
use crate::wire::tag;
use crate::wire::text::Text;

/// The number of slots. Slot 0 takes the members that no rule asks for.
pub(crate) const SLOTS: usize = 64;

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

/// What is known of one member, and where its value stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fact {
    pub(super) kind: FactKind,
    pub(super) escaped: bool,
    /// If it is JSON text, one of its keys may name a secret.
    pub(super) named: bool,
    /// Position in the published list of values, plus 1.
    pub(super) known: u16,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Fact {
    const ABSENT: Self = Self { kind: FactKind::Absent, escaped: false, named: false, known: 0, start: 0, end: 0 };
}

/// Room for the facts of an event, which is used again for the next.
pub(super) type Room = Box<[Fact; SLOTS]>;

/// A slot is a bit of `present`, and its number is masked rather than checked.
const _: () = assert!(SLOTS == u64::BITS as usize);
const IN_SLOTS: usize = SLOTS - 1;

/// What is known of an event: a slot for each member that the protocol watches.
pub(crate) struct Facts<'a> {
    text: &'a str,
    /// What a slot holds counts only if its bit is set.
    slots: Room,
    present: u64,
    /// Position of the tag in the table of the union at the root, plus 1.
    pub(super) tag: u16,
    schema: u16,
    /// The size of an inspected value in UTF-16 units beyond which it is reported.
    bound: usize,
    hides: bool,
}

/// How many counts of values that vary there may be, so that a place is looked up unchecked.
pub(crate) const MOVES: usize = 32;
impl std::fmt::Debug for Facts<'_> {
    /// Shows the slots that are filled, and nothing of the event.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let filled = (0..SLOTS as u8).filter(|slot| self.kind(*slot) != FactKind::Absent);
        f.debug_map().entries(filled.map(|slot| (slot, (self.kind(slot), self.span(slot))))).finish()
    }
}

/// The facts of an event without its text, in which some values may vary.
#[derive(Debug, Default)]
pub(crate) struct SavedFacts {
    saved: Vec<Saved>,
    present: u64,
    tag: u16,
    hides: bool,
}

impl SavedFacts {
    /// Whether there is something in a slot.
    pub(super) const fn has(&self, slot: u8) -> bool {
        self.present >> slot & 1 != 0
    }

    /// Forgets what was seen of the string in a slot: escapes, and keys that name a secret.
    pub(super) fn forget_seen(&mut self, slot: u8) {
        for saved in self.saved.iter_mut().filter(|saved| saved.slot == slot) {
            (saved.fact.escaped, saved.fact.named) = (false, false);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Saved {
    slot: u8,
    /// How many of the values that vary begin before the fact does, and before it ends.
    before_start: u8,
    before_end: u8,
    fact: Fact,
}

#[expect(clippy::indexing_slicing, reason = "numbers of slots and of moves are masked to the lengths of their arrays")]
impl<'a> Facts<'a> {
    /// No facts yet.
    pub(crate) fn new(text: &'a str) -> Self {
        Self::within(text, Self::room())
    }

    pub(super) fn room() -> Room {
        Box::new([Fact::ABSENT; SLOTS])
    }

    /// The same, in room that others have left.
    #[inline]
    pub(super) const fn within(text: &'a str, slots: Room) -> Self {
        Self { text, slots, present: 0, tag: 0, schema: 0, bound: usize::MAX, hides: false }
    }

    #[inline]
    pub(super) fn into_room(self) -> Room {
        self.slots
    }

    /// Forgets all that is known of the event.
    pub(super) const fn clear(&mut self) {
        (self.present, self.tag, self.hides) = (0, 0, false);
    }

    /// Notes that escapes hide letters of a value, or of a key that has no slot.
    pub(super) const fn hide(&mut self) {
        self.hides = true;
    }

    /// Whether escapes hide letters of a value, or of a key that has no slot: what is searched for in the text as it is
    /// written may be there all the same.
    pub(crate) const fn hides(&self) -> bool {
        self.hides
    }

    #[inline]
    fn fact(&self, slot: u8) -> &Fact {
        if self.present >> slot & 1 == 0 { &Fact::ABSENT } else { &self.slots[slot as usize & IN_SLOTS] }
    }

    #[inline]
    pub(super) fn put(&mut self, slot: u8, fact: Fact) {
        self.slots[slot as usize & IN_SLOTS] = fact;
        self.present |= 1 << slot;
    }

    #[inline]
    pub(crate) fn kind(&self, slot: u8) -> FactKind {
        self.fact(slot).kind
    }

    #[inline]
    pub(crate) fn is_string(&self, slot: u8) -> bool {
        self.kind(slot) == FactKind::String
    }

    /// The place of the value in the event's text.
    pub(crate) fn span(&self, slot: u8) -> std::ops::Range<usize> {
        let fact = self.fact(slot);
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

    /// Takes the facts that are there, apart from the text that they are about. `begun` says
    /// how many of the values that may vary begin before a place.
    pub(crate) fn save(&self, into: &mut SavedFacts, begun: impl Fn(usize) -> usize) {
        let before = |at: u32| begun(at as usize) as u8;
        (into.tag, into.present, into.hides) = (self.tag, self.present, self.hides);
        into.saved.clear();
        let present = (0..SLOTS as u8).filter(|slot| self.present >> slot & 1 != 0);
        into.saved.extend(present.map(|slot| (slot, self.fact(slot))).map(|(slot, fact)| Saved {
            slot,
            before_start: before(fact.start),
            before_end: before(fact.end),
            fact: *fact,
        }));
    }

    /// Takes saved facts for those of a text that differs from theirs in the values that
    /// may vary: what lies behind the first `n` of them moved by `moved[n]` bytes.
    #[inline]
    pub(crate) fn restore(&mut self, saved: &SavedFacts, moved: &[u32; MOVES]) {
        (self.tag, self.present, self.hides) = (saved.tag, saved.present, saved.hides);
        for Saved { slot, before_start, before_end, fact } in &saved.saved {
            let start = fact.start.wrapping_add(moved[usize::from(*before_start) % MOVES]);
            let end = fact.end.wrapping_add(moved[usize::from(*before_end) % MOVES]);
            self.slots[usize::from(*slot) & IN_SLOTS] = Fact { start, end, ..*fact };
        }
    }

    /// Says what was seen of the string in a slot.
    #[inline]
    pub(crate) fn set_seen(&mut self, slot: u8, seen: Seen) {
        let fact = &mut self.slots[usize::from(slot) & IN_SLOTS];
        (fact.escaped, fact.named) = (seen.has(Seen::ESCAPED), seen.has(Seen::NAMED));
    }

    /// The size of an inspected value in UTF-16 units beyond which it is reported.
    pub(crate) const fn bound(&self) -> usize {
        self.bound
    }

    /// Whether a string that is JSON text may have a key that names a secret.
    pub(crate) fn names_secret(&self, slot: u8) -> bool {
        self.fact(slot).named
    }

    /// Says what kind of number stands in a slot: one with a point, and without an exponent.
    pub(super) fn set_number(&mut self, slot: u8) {
        let raw = self.raw(slot);
        // Mostly the last digit says it.
        let is_integer = raw.ends_with('0') && is_integer(raw);
        let kind = if is_integer { FactKind::Integer } else { FactKind::Number };
        self.slots[usize::from(slot) & IN_SLOTS].kind = kind;
    }

    /// The place of the event's tag, else of its first byte.
    pub(crate) fn tag_span(&self, member: &str) -> std::ops::Range<usize> {
        match tag::search(&Cursor::new(self.text, crate::wire::scan::MAX_DEPTH), member, true) {
            Ok(Some(tag)) => tag.offset..tag.offset + tag.text.raw.len() + 2,
            _ => 0..1,
        }
    }

    /// The characters of a string.
    #[inline]
    pub(crate) fn string(&self, slot: u8) -> Option<Cow<'a, str>> {
        let fact = self.fact(slot);
        if fact.kind != FactKind::String {
            return None;
        }
        let raw = &self.text[fact.start as usize + 1..fact.end as usize - 1];
        Some(Text { raw, escaped: fact.escaped }.lossy())
    }

    /// The characters of a string as bytes, in which lone surrogates stay apart.
    pub(crate) fn exact(&self, slot: u8) -> Option<Cow<'a, [u8]>> {
        self.literal(slot).map(Text::wtf8)
    }

    /// The position of a string in the published list of its member.
    #[inline]
    pub(crate) fn known(&self, slot: u8) -> Option<usize> {
        (self.fact(slot).known as usize).checked_sub(1)
    }

    /// The position of the event's type in the union's table.
    #[inline]
    pub(crate) fn tag(&self) -> Option<usize> {
        (self.tag as usize).checked_sub(1)
    }

    /// The event's type, by the table of types.
    pub(crate) fn type_in<T: Copy>(&self, all: &[T]) -> Option<T> {
        all.get(self.tag()?).copied()
    }

    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// The facts of an event whose tree has been built.
    pub(crate) fn of_tree(shape: &Shape, root: FormId, node: &Node<'_>, text: &'a str) -> Self {
        let mut facts = Self::new(text);
        facts.read(shape, root, node);
        facts
    }

    /// Reads the facts of an event from its tree.
    pub(crate) fn read(&mut self, shape: &Shape, root: FormId, node: &Node<'_>) {
        self.clear();
        if let Some(members) = self.root_members(shape, root, node) {
            self.take(shape, members, node, 1);
        }
    }

    /// Takes what is watched of the members of an object of the contract.
    fn take(&mut self, shape: &Shape, members: &MembersForm, node: &Node<'_>, level: u8) {
        let near = Misspelt::of_required(members, node);
        for member in node.members() {
            // A required member under a misspelt name counts as that member.
            let meant = || members.find(near.stands_for(&member.key)?);
            let Some((_, known)) = members.find(&member.key).or_else(meant) else { continue };
            let MemberForm { watch, form, .. } = known;
            let form = shape.form(*form);
            if watch.level == level {
                let judge = form.string.as_ref().and_then(|string| string.judge.as_ref());
                self.set(watch.slot, &member.node, judge.and_then(|judge| judge.known.as_ref()));
            }
            if watch.below != 0 && level == 1 {
                for (name, slot) in shape.watches.below(watch.below) {
                    if let Some(node) = member.node.get(name) {
                        self.set(slot, node, None);
                    }
                }
            }
            if let Some(ObjectForm::Members(members)) = form.object.as_ref().filter(|_| level == 1) {
                self.take(shape, members, &member.node, 2);
            }
        }
    }

    fn root_members<'s>(&mut self, shape: &'s Shape, root: FormId, node: &Node<'_>) -> Option<&'s MembersForm> {
        match shape.form(root).object.as_ref()? {
            ObjectForm::Any => None,
            ObjectForm::Members(members) => Some(members),
            ObjectForm::Tagged { member, tags, variants, suffixed, .. } => {
                let tag = node.get(member)?.as_str()?;
                let (at, variant) = select(tags, variants, suffixed.as_ref(), &tag)?;
                self.tag = at as u16 + 1;
                match shape.form(variant.form).object.as_ref()? {
                    ObjectForm::Members(members) => Some(members),
                    _ => None,
                }
            }
        }
    }

    /// Says of which schema the event is, and which of its events where its text does not.
    pub(super) fn begin(&mut self, schema: usize, tag: Option<usize>, bound: usize) {
        (self.schema, self.bound) = (schema as u16, bound);
        if let Some(at) = tag {
            self.tag = at as u16 + 1;
        }
    }

    /// The value of a number.
    pub(crate) fn number(&self, slot: u8) -> Option<f64> {
        matches!(self.kind(slot), FactKind::Integer | FactKind::Number).then(|| to_f64(self.raw(slot)))
    }

    /// Whether the whole event may be larger than a value may be.
    pub(crate) fn may_be_large(&self) -> bool {
        !surely_fits(self.text, self.bound)
    }

    /// The characters of a string as they are written.
    pub(crate) fn literal(&self, slot: u8) -> Option<Text<'a>> {
        let fact = self.fact(slot);
        let raw = self.text.get(fact.start as usize + 1..(fact.end as usize).checked_sub(1)?)?;
        (fact.kind == FactKind::String).then_some(Text { raw, escaped: fact.escaped })
    }

    /// Which schema the event is of.
    #[inline]
    pub(crate) fn schema(&self) -> usize {
        self.schema as usize
    }

    /// Empties a slot.
    pub(crate) fn forget(&mut self, slot: u8) {
        self.present &= !(1 << slot);
    }

    /// Puts a value into a slot, as if it stood where the slot is taken from.
    pub(crate) fn stand_in(&mut self, slot: u8, node: &Node<'_>) {
        self.set(slot, node, None);
    }

    fn set(&mut self, slot: u8, node: &Node<'_>, known: Option<&super::names::NameTable>) {
        if slot == 0 {
            return;
        }
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
            Value::Array(_) if node.has_text_element() => FactKind::List,
            Value::Array(_) => FactKind::Array,
            Value::Object(_) => FactKind::Object,
        };
        let (start, end) = (node.span().start as u32, node.span().end as u32);
        self.put(slot, Fact { kind, escaped, known: position, start, end, named: true });
    }
}
